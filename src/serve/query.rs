//! Queries under way: how many, for how long, and how they end.
//!
//! ```text
//! engine ─ batches ─▶ encoder ─▶ two messages at most ─▶ client
//!    ▲                                  │
//!    └── ends with: all rows, a fault, the time, a cancellation, a client that has gone, the server
//! ```
//!
//! Rows are never gathered: what a client does not fetch is not computed. Queries run on threads of their own, with room on their stacks for the
//! deepest statement that may be asked; calls are answered on another.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::SchemaRef;
use arrow_flight::FlightData;
use arrow_flight::encode::FlightDataEncoderBuilder;
use arrow_flight::error::FlightError;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionContext;
use futures::{FutureExt, StreamExt, TryStreamExt};
use std::net::SocketAddr;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tonic::Status;

use super::access::{Caller, Role};
use super::audit::{Audit, Line};
use super::handles::Statement;
use super::statement::STACK;
use super::{ServeOptions, errors};
use crate::corpus::CorpusError;

/// How many messages wait for a client.
const WAITING: usize = 2;
/// How long the last message waits for a client that does not read.
const LAST_WORD: Duration = Duration::from_secs(1);

/// The outcome of a query whose client reads no further.
const AWAY: &str = "client went away";

/// What a client receives.
pub(super) type Answer = mpsc::Receiver<Result<FlightData, Status>>;

/// All queries of a server.
pub(super) struct Queries {
    engine: Engine,
    places: Arc<Semaphore>,
    plans: Arc<Semaphore>,
    /// The turns to plan of each caller who plans or waits, half of all.
    shares: Mutex<HashMap<Caller, Arc<Semaphore>>>,
    most: usize,
    timeout: Duration,
    audit: Arc<Audit>,
    next: AtomicU64,
    running: Arc<Mutex<HashMap<u64, Running>>>,
}

/// The threads of queries.
struct Engine(Option<Runtime>);

/// A query under way.
struct Running {
    owner: Caller,
    handle: Vec<u8>,
    cancel: watch::Sender<bool>,
}

/// What a query has sent so far.
#[derive(Default)]
struct Sent {
    rows: AtomicU64,
    bytes: AtomicU64,
}

/// One query, with what it holds on to until its end.
struct Query {
    number: u64,
    caller: Caller,
    peer: Option<SocketAddr>,
    statement: Arc<Statement>,
    begun: Instant,
    sent: Arc<Sent>,
    _place: OwnedSemaphorePermit,
}

impl Queries {
    /// None yet.
    ///
    /// # Errors
    /// [`CorpusError::Internal`] where no threads can be started.
    pub(super) fn new(options: &ServeOptions, audit: Arc<Audit>) -> crate::corpus::Result<Self> {
        Ok(Self {
            engine: Engine::start()?,
            places: Arc::new(Semaphore::new(options.most_queries)),
            plans: Arc::new(Semaphore::new(options.most_queries)),
            shares: Mutex::default(),
            most: options.most_queries,
            timeout: options.timeout,
            audit,
            next: AtomicU64::new(1),
            running: Arc::default(),
        })
    }

    /// Does what plans a statement of a caller on the engine's threads, within the time of a query: half of what is planned at once may be of one
    /// caller, whose other statements wait. A panic in it is a fault like others.
    ///
    /// # Errors
    /// Those of the work; `DEADLINE_EXCEEDED`; `INTERNAL` for a panic.
    pub(super) async fn plan<T: Send + 'static>(
        &self,
        caller: &Caller,
        work: impl Future<Output = Result<T, Status>> + Send + 'static,
    ) -> Result<T, Status> {
        let share = self.share(caller);
        let planned = async {
            let turns = (share.acquire_owned().await, Arc::clone(&self.plans).acquire_owned().await);
            // Who waits may give up; what is under way holds its place until it ends.
            let work = async move {
                let _turns = turns;
                work.await
            };
            self.engine.run(work).await
        };
        match tokio::time::timeout(self.timeout, planned).await {
            Ok(Some(planned)) => planned,
            Ok(None) => Err(fault()),
            Err(_) => Err(self.too_long()),
        }
    }

    /// The turns of a caller. Nobody's are kept who neither plans nor waits.
    fn share(&self, caller: &Caller) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        let share = || Arc::new(Semaphore::new(self.most_of_one()));
        Arc::clone(shares.entry(caller.clone()).or_insert_with(share))
    }

    /// How many queries may be of one caller.
    fn most_of_one(&self) -> usize {
        self.most.div_ceil(2)
    }

    /// Begins a query; its rows come through what is given back, and letting go of that ends it.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` where as many run as may, of all or of the caller's own; `UNAVAILABLE` where the audit log cannot be written.
    pub(super) fn begin(
        &self,
        context: &SessionContext,
        caller: &Caller,
        peer: Option<SocketAddr>,
        handle: &[u8],
        statement: Arc<Statement>,
    ) -> Result<Answer, Status> {
        let (cancel, cancelled) = watch::channel(false);
        let running = Running { owner: caller.clone(), handle: handle.to_vec(), cancel };
        let (number, place) = match self.place(running) {
            Ok(placed) => placed,
            Err(status) => {
                let line = Line {
                    statement: Some(statement.kind),
                    digest: Some(&statement.digest),
                    outcome: Some("too many at once"),
                    ..Line::of("query_refused", caller, peer)
                };
                return Err(self.audit.write(&line).map_or_else(|_| unwritten(), |()| status));
            }
        };
        let query = Query {
            number,
            caller: caller.clone(),
            peer,
            statement,
            begun: Instant::now(),
            sent: Arc::default(),
            _place: place,
        };
        if self.audit.write(&query.line("query_begun")).is_err() {
            self.running().remove(&number);
            return Err(unwritten());
        }
        let (send, answer) = mpsc::channel(WAITING);
        let (audit, all, timeout, late) =
            (Arc::clone(&self.audit), Arc::clone(&self.running), self.timeout, self.too_long());
        let context = context.clone();
        self.engine.begin(async move {
            let ended = query.run(context, &send, cancelled, timeout, late).await;
            all.lock().unwrap_or_else(PoisonError::into_inner).remove(&query.number);
            let outcome = match &ended {
                Ok(outcome) => *outcome,
                Err(status) => errors::outcome(status),
            };
            // The rows are with the client already; the next query finds that the log cannot be written, and is refused.
            let _ = audit.write(&query.ended(outcome));
            if let Err(status) = ended {
                let _ = tokio::time::timeout(LAST_WORD, send.send(Err(status))).await;
            }
        });
        Ok(answer)
    }

    /// A number and a place for a query, among all and among those of its owner, who may have half of them: nobody keeps everybody else out.
    fn place(&self, query: Running) -> Result<(u64, OwnedSemaphorePermit), Status> {
        let refused = |most: usize, whose: &str| {
            let message = format!("as many {whose} run already as may at once ({most}); try again when one has ended");
            Err(Status::resource_exhausted(message))
        };
        let mut running = self.running();
        let most_of_one = self.most_of_one();
        if running.values().filter(|other| other.owner == query.owner).count() >= most_of_one {
            return refused(most_of_one, "queries of yours");
        }
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else { return refused(self.most, "queries") };
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        running.insert(number, query);
        Ok((number, place))
    }

    fn running(&self) -> MutexGuard<'_, HashMap<u64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the queries of a handle that are the caller's own; tells whether there were any.
    pub(super) fn cancel(&self, caller: &Caller, handle: &[u8]) -> bool {
        let running = self.running();
        let own = running.values().filter(|query| query.owner == *caller && query.handle == handle);
        own.fold(false, |_, query| {
            query.cancel.send_replace(true);
            true
        })
    }

    /// Ends all.
    pub(super) fn cancel_all(&self) {
        let running = self.running();
        running.values().for_each(|query| {
            query.cancel.send_replace(true);
        });
    }

    fn too_long(&self) -> Status {
        Status::deadline_exceeded(format!("a query may take {} seconds here", self.timeout.as_secs()))
    }
}

impl Engine {
    fn start() -> crate::corpus::Result<Self> {
        let threads = Builder::new_multi_thread().thread_name("query").thread_stack_size(STACK).enable_all().build();
        let fail = |error| CorpusError::internal(format!("no threads can be started: {error}"));
        threads.map(Some).map(Self).map_err(fail)
    }

    /// Does work on these threads.
    async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        self.0.as_ref()?.spawn(work).await.ok()
    }

    /// Has work done on these threads.
    fn begin(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(threads) = &self.0 {
            threads.spawn(work);
        }
    }
}

impl Drop for Engine {
    /// The last hand may be a task's, which must not wait for threads.
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

impl Query {
    /// Runs to the end, whichever comes first; gives the outcome, or what the client is told of a bad one.
    async fn run(
        &self,
        context: SessionContext,
        send: &mpsc::Sender<Result<FlightData, Status>>,
        mut cancelled: watch::Receiver<bool>,
        timeout: Duration,
        late: Status,
    ) -> Result<&'static str, Status> {
        let rows = AssertUnwindSafe(self.rows(context, send)).catch_unwind();
        tokio::select! {
            biased;
            () = async { drop(cancelled.wait_for(|cancel| *cancel).await) } => Err(Status::cancelled("the query was cancelled")),
            () = send.closed() => Ok(AWAY),
            () = tokio::time::sleep(timeout) => Err(late),
            ended = rows => match ended {
                Ok(ended) => ended,
                Err(_) => Err(fault()),
            },
        }
    }

    /// Sends all rows, or as many as the client takes; gives the outcome.
    async fn rows(
        &self,
        context: SessionContext,
        send: &mpsc::Sender<Result<FlightData, Status>>,
    ) -> Result<&'static str, Status> {
        let role = self.caller.role;
        let state = context.state();
        let failed = |error: DataFusionError| errors::failed(error, role);
        let plan = state.create_physical_plan(&self.statement.plan).await.map_err(failed)?;
        let batches = execute_stream(plan, state.task_ctx()).map_err(failed)?;
        let (schema, sent) = (Arc::clone(&self.statement.schema), Arc::clone(&self.sent));
        let batches = batches.map(move |batch| {
            let batch = batch.and_then(|batch| as_told(&batch, &schema));
            let batch = batch.map_err(|error| FlightError::Tonic(Box::new(errors::failed(error, role))))?;
            sent.rows.fetch_add(batch.num_rows() as u64, Ordering::Relaxed);
            Ok(batch)
        });
        let encoder = FlightDataEncoderBuilder::new().with_schema(Arc::clone(&self.statement.schema));
        let mut messages = encoder.build(batches).map_err(|error| of_encoder(error, role));
        while let Some(message) = messages.try_next().await? {
            let bytes = message.data_header.len() + message.data_body.len();
            self.sent.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
            if send.send(Ok(message)).await.is_err() {
                return Ok(AWAY);
            }
        }
        Ok("done")
    }

    fn line(&self, event: &'static str) -> Line<'_> {
        Line {
            query: Some(self.number),
            statement: Some(self.statement.kind),
            digest: Some(&self.statement.digest),
            ..Line::of(event, &self.caller, self.peer)
        }
    }

    fn ended(&self, outcome: &'static str) -> Line<'_> {
        Line {
            outcome: Some(outcome),
            rows: Some(self.sent.rows.load(Ordering::Relaxed)),
            bytes: Some(self.sent.bytes.load(Ordering::Relaxed)),
            seconds: Some(self.begun.elapsed().as_secs_f64()),
            ..self.line("query_ended")
        }
    }
}

/// What is told where the audit log cannot be written.
pub(super) fn unwritten() -> Status {
    Status::unavailable("the audit log cannot be written, so nothing is done; tell who runs the server")
}

fn fault() -> Status {
    Status::internal("a fault in the server; its log tells where")
}

fn of_encoder(error: FlightError, role: Role) -> Status {
    match error {
        FlightError::Tonic(status) => *status,
        FlightError::Arrow(error) => errors::failed(DataFusionError::ArrowError(Box::new(error), None), role),
        _ => fault(),
    }
}

/// A batch with the columns that the client was told of.
fn as_told(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, DataFusionError> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| {
        if column.data_type() == field.data_type() { Ok(Arc::clone(column)) } else { cast(column, field.data_type()) }
    });
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}
