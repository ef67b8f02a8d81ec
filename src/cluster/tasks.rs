//! A run on a cluster: each of its tasks is a row, and a function does it.
//!
//! ```text
//! run_task(run, task)      a statement for each task, done by whichever executor is free
//!   done │ waiting │ failed ◀── the tasks meet in the exchange, as those of any scheduler do
//! ```
//!
//! A task that waits for others gives its place to one of them and is asked for again, so that all are done however few the executors are. Another
//! executor may get it then, so what the first has kept for it is removed once the run is over.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int64Type, Schema};
use async_trait::async_trait;
use datafusion::catalog::MemTable;
use datafusion::common::{DataFusionError, plan_datafusion_err, plan_err};
use datafusion::logical_expr::async_udf::{AsyncScalarUDF, AsyncScalarUDFImpl};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use datafusion::prelude::{SessionContext, col};
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde::{Deserialize, Serialize};

use super::Cluster;
use crate::corpus::progress::{Meter, Observer};
use crate::corpus::schema::ColumnOptions;
use crate::corpus::{
    CorpusError, Deidentifier, JobOptions, Location, Place, RefusedLimit, Result, RunOptions, TaskOptions,
    forget_tasks, left_in_exchange, run, upgraded_session, upkeep,
};

/// How long a task waits for others before it gives its place to one of them.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often is looked whether a run is over of which work is kept here.
const LOOK: Duration = Duration::from_secs(60);
/// So many tasks are asked for at once: the scheduler hears of each several times a second.
const MOST_AT_ONCE: usize = 64;
/// When a task that has waited is asked for again.
const PAUSE: Duration = Duration::from_secs(1);
/// A task that took longer to say that it waits has done something before.
const WAITED: Duration = Duration::from_secs(3 * PATIENCE.as_secs());
/// One that is under way for longer is at work, or there are very many.
const AT_WORK: Duration = Duration::from_secs(60);
/// Tasks that have all waited so often, while none was done or at work, wait in vain.
const TIMES: usize = 60;

/// A run that the executors of a cluster do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClusterRun {
    /// The notes.
    pub notes: Place,
    /// The roles of their columns.
    pub columns: ColumnOptions,
    /// Where the result goes.
    pub out: Place,
    /// Where the tasks meet: confidential.
    pub exchange: Place,
    /// Into how many tasks it is cut.
    pub tasks: usize,
    /// Whether an earlier output may be replaced.
    pub overwrite: bool,
    /// Whether there is a second pass.
    pub second_pass: bool,
    /// How many rows may be refused before the run has failed.
    pub refused_at_most: RefusedLimit,
    /// How many bytes the engine may hold in each task; none for as many as it wants.
    pub memory: Option<u64>,
}

/// What the work location of a run is called, before a digest of its output.
pub(super) const RUN: &str = "run-";

/// How a task has ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    /// It has done its share, or there was nothing to do.
    Done { nothing_to_do: bool },
    /// There are no notes, or not even a place for them.
    Empty { location: String, is_place: bool },
    /// It can be asked for again; it has worked and waited for so many milliseconds.
    Waiting { reason: String, took: u64 },
    /// It cannot: flags or columns cannot be right.
    Misused { message: String, hint: String },
    /// It cannot.
    Failed { reason: String },
}

impl ClusterRun {
    /// Has the run done, and tells whenever one more of its tasks is; gives whether there was anything to do. What was done is told by the report
    /// beside the output.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for what is wrong with what was asked for; [`CorpusError::Input`] for a task that failed, or for all that wait in vain; [`CorpusError::Empty`] where there are no notes;
    /// [`CorpusError::Engine`] where the cluster does not answer.
    pub async fn run(&self, cluster: &Cluster, deidentifier: &Arc<Deidentifier>, tell: impl Fn(usize)) -> Result<bool> {
        let context = upgraded_session(deidentifier, 1, &|state| cluster.upgrade(state, deidentifier))?;
        let function = run_task(deidentifier, Path::new(""));
        // Each is a job of its own, so that none waits for more than it needs of the others.
        let ask = |task: usize, pause: Duration| {
            let (context, function) = (&context, &function);
            async move {
                tokio::time::sleep(pause).await;
                let outcome = self.asked(task, context, function).await;
                (task, outcome)
            }
        };
        let (mut asked, mut waits) = (FuturesUnordered::new(), Waits::of(self.tasks));
        let mut next: VecDeque<_> = (0..self.tasks).map(|task| (task, Duration::ZERO)).collect();
        let mut anything = false;
        loop {
            while asked.len() < MOST_AT_ONCE
                && let Some((task, pause)) = next.pop_front()
            {
                asked.push(ask(task, pause));
            }
            let Some((task, outcome)) = asked.next().await else { return Ok(anything) };
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(error) => return cluster.reach().await.and(Err(CorpusError::in_stage("cluster")(error))),
            };
            let location = format!("task {} of {}", task + 1, self.tasks);
            match outcome {
                Outcome::Done { nothing_to_do } => {
                    anything |= !nothing_to_do;
                    tell(waits.done(task));
                }
                Outcome::Empty { location, is_place } => return Err(CorpusError::Empty { location, is_place }),
                Outcome::Waiting { reason, took } => {
                    if waits.in_vain(task, Duration::from_millis(took), Instant::now()) {
                        return Err(CorpusError::Input { location, reason, temporary: true });
                    }
                    next.push_back((task, PAUSE));
                }
                Outcome::Misused { message, hint } => return Err(CorpusError::Configuration { message, hint }),
                Outcome::Failed { reason } => {
                    return Err(CorpusError::Input { location, reason, temporary: false });
                }
            }
        }
    }

    /// How a task has ended that whichever executor is free was asked for.
    async fn asked(
        &self,
        task: usize,
        context: &SessionContext,
        function: &ScalarUDF,
    ) -> datafusion::error::Result<Outcome> {
        let outcome = function.call(vec![col("run"), col("task")]).alias("outcome");
        let rows = context.read_table(Arc::new(self.table(task)?))?.select(vec![outcome])?.collect().await?;
        outcome_in(&rows)
    }

    /// The row of a task.
    fn table(&self, task: usize) -> datafusion::error::Result<MemTable> {
        let fields = vec![Field::new("run", DataType::Utf8, false), Field::new("task", DataType::Int64, false)];
        let schema = Arc::new(Schema::new(fields));
        let run = serde_json::to_string(self).map_err(|error| DataFusionError::External(Box::new(error)))?;
        let columns: Vec<ArrayRef> =
            vec![Arc::new(StringArray::from(vec![run])), Arc::new(Int64Array::from(vec![task as i64]))];
        let row = RecordBatch::try_new(Arc::clone(&schema), columns)?;
        MemTable::try_new(schema, vec![vec![row]])
    }

    /// One task of it, which works below a folder of the executor.
    fn options(&self, task: usize, work: &Path) -> Result<RunOptions> {
        let out = self.out.location()?;
        let name = format!("{RUN}{}", &blake3::hash(out.url().as_str().as_bytes()).to_hex()[..16]);
        Ok(RunOptions {
            job: JobOptions {
                notes: self.notes.location()?,
                patients: None,
                work: Location::parse(&work.join(name).to_string_lossy())?,
                keep_work: false,
                cache: None,
                memory: self.memory,
                columns: self.columns.clone(),
                // The executor has a place for each of its processors.
                partitions: 1,
                map_offsets: false,
            },
            out,
            overwrite: self.overwrite,
            dedupe: true,
            second_pass: self.second_pass,
            incremental: false,
            refused_at_most: self.refused_at_most,
            task: Some(TaskOptions {
                index: task,
                of: self.tasks,
                exchange: self.exchange.location()?,
                patience: PATIENCE,
            }),
        })
    }
}

/// How the task of a statement has ended.
fn outcome_in(batches: &[RecordBatch]) -> datafusion::error::Result<Outcome> {
    let Some(batch) = batches.iter().find(|batch| batch.num_rows() == 1) else {
        // The executor that had it was asked to end: another one goes on with it.
        return Ok(Outcome::Waiting { reason: "the executor that did it has ended".to_owned(), took: 0 });
    };
    let outcome = cast(batch.column(0), &DataType::Utf8)?;
    let outcome = serde_json::from_str(outcome.as_string::<i32>().value(0)).ok();
    outcome.ok_or_else(|| plan_datafusion_err!("a task has ended in an unknown way"))
}

/// What each task waits for is done by others; where all wait, nobody does it.
struct Waits {
    /// Of each task that is not done: how often it has waited since one was done or has worked, and when it is asked for again.
    tasks: Vec<Option<(usize, Instant)>>,
}

impl Waits {
    fn of(tasks: usize) -> Self {
        Self { tasks: vec![Some((0, Instant::now())); tasks] }
    }

    /// Notes that a task is done; gives how many are.
    fn done(&mut self, task: usize) -> usize {
        self.tasks[task] = None;
        self.begin_again();
        self.tasks.iter().filter(|task| task.is_none()).count()
    }

    /// Notes that a task waits, and how long it took to say so; whether all wait in vain. One that is under way for long is at work.
    fn in_vain(&mut self, task: usize, took: Duration, now: Instant) -> bool {
        if took > WAITED {
            self.begin_again();
        }
        if let Some((waited, again)) = self.tasks[task].as_mut() {
            (*waited, *again) = (*waited + 1, now + PAUSE);
        }
        let waits =
            |(waited, again): &(usize, Instant)| *waited >= TIMES && now.saturating_duration_since(*again) < AT_WORK;
        self.tasks.iter().flatten().all(waits)
    }

    fn begin_again(&mut self) {
        self.tasks.iter_mut().flatten().for_each(|(waited, _)| *waited = 0);
    }
}

/// The function that does a task of a run, below the folder `work`.
pub(super) fn run_task(deidentifier: &Arc<Deidentifier>, work: &Path) -> ScalarUDF {
    let signature = Signature::exact(vec![DataType::Utf8, DataType::Int64], Volatility::Volatile);
    let function =
        RunTask { deidentifier: Arc::clone(deidentifier), work: work.to_path_buf(), kept: Arc::default(), signature };
    AsyncScalarUDF::new(Arc::new(function)).into_scalar_udf()
}

#[derive(Debug)]
struct RunTask {
    deidentifier: Arc<Deidentifier>,
    work: PathBuf,
    kept: Kept,
    signature: Signature,
}

/// The work locations of runs that others may have gone on with.
type Kept = Arc<Mutex<BTreeSet<String>>>;

impl PartialEq for RunTask {
    fn eq(&self, other: &Self) -> bool {
        self.work == other.work
    }
}

impl Eq for RunTask {}

impl std::hash::Hash for RunTask {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.work.hash(state);
    }
}

impl ScalarUDFImpl for RunTask {
    fn name(&self) -> &str {
        "run_task"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> datafusion::error::Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, _args: ScalarFunctionArgs) -> datafusion::error::Result<ColumnarValue> {
        plan_err!("run_task waits for what it does")
    }
}

#[async_trait]
impl AsyncScalarUDFImpl for RunTask {
    async fn invoke_async_with_args(&self, args: ScalarFunctionArgs) -> datafusion::error::Result<ColumnarValue> {
        let rows = args.number_rows;
        let columns = args.args.iter().map(|column| column.to_array(rows)).collect::<Result<Vec<_>, _>>()?;
        let [runs, tasks] = columns.as_slice() else { return plan_err!("run_task takes a run and a task") };
        let mut ended = Vec::with_capacity(rows);
        for row in 0..rows {
            let run = runs.as_string::<i32>().value(row).to_owned();
            let task = usize::try_from(tasks.as_primitive::<Int64Type>().value(row)).unwrap_or_default();
            let (deidentifier, work, kept) =
                (Arc::clone(&self.deidentifier), self.work.clone(), Arc::clone(&self.kept));
            // A thread of its own: a run borrows across its waits, and no thread may take over from another what is borrowed there.
            let runtime = tokio::runtime::Handle::current();
            let doing =
                tokio::task::spawn_blocking(move || runtime.block_on(done(&run, task, deidentifier, &work, &kept)));
            let outcome = doing.await.map_err(|error| DataFusionError::External(Box::new(error)))?;
            ended.push(serde_json::to_string(&outcome).map_err(|error| DataFusionError::External(Box::new(error)))?);
        }
        Ok(ColumnarValue::Array(Arc::new(StringArray::from(ended))))
    }
}

/// Does a task of a run that is asked for, below the folder `work`.
async fn done(asked: &str, task: usize, deidentifier: Arc<Deidentifier>, work: &Path, kept: &Kept) -> Outcome {
    let begun = Instant::now();
    let Ok(asked) = serde_json::from_str::<ClusterRun>(asked) else {
        return Outcome::Failed { reason: "what was asked for is no run".to_owned() };
    };
    let done = async {
        let options = asked.options(task, work)?;
        let done = run(&options, deidentifier, &Nobody).await;
        if done.is_err() {
            forget_when_over(&options, kept);
        }
        done
    };
    match done.await {
        Ok(report) => Outcome::Done { nothing_to_do: report.nothing_to_do },
        Err(CorpusError::Empty { location, is_place }) => Outcome::Empty { location, is_place },
        Err(CorpusError::Configuration { message, hint }) => Outcome::Misused { message, hint },
        // An executor that is asked to end stops what it does; another one goes on with it.
        Err(error) if error.is_temporary() || matches!(error, CorpusError::Stopped) => {
            Outcome::Waiting { reason: error.to_string(), took: begun.elapsed().as_millis() as u64 }
        }
        Err(error) => Outcome::Failed { reason: error.to_string() },
    }
}

/// Removes what a task has kept at its work location when nothing of its run is left in the exchange, whoever has gone on with it.
fn forget_when_over(options: &RunOptions, kept: &Kept) {
    let Some(task) = &options.task else { return };
    let (work, exchange, kept) = (options.job.work.clone(), task.exchange.clone(), Arc::clone(kept));
    // One look at a run is enough for all of its tasks here. A lock is poisoned by a panic only, and nothing panics under this one.
    if !kept.lock().is_ok_and(|mut kept| kept.insert(work.uri().to_owned())) {
        return;
    }
    upkeep().spawn(async move {
        loop {
            tokio::time::sleep(LOOK).await;
            // A store that does not answer may answer another time.
            let is_over = left_in_exchange(&exchange).await.is_ok_and(|left| left == 0);
            if is_over && forget_tasks(&work).is_ok() {
                break;
            }
        }
        if let Ok(mut kept) = kept.lock() {
            kept.remove(work.uri());
        }
    });
}

/// Watches nothing.
struct Nobody;

impl Observer for Nobody {
    fn begin(&self, _stage: &'static str, _rows: Option<u64>, _meter: &Meter) {}

    fn end(&self, _stage: &'static str) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::schema::Role;
    use crate::phi::{Class, Label};

    #[test]
    fn a_run_reaches_its_tasks_as_it_was() {
        let place = |uri: &str| Place { uri: uri.to_owned(), options: vec!["region=eu-central-1".to_owned()] };
        let columns =
            vec![(Role::Text, "letter".to_owned()), (Role::Mapped(Class::of(Label::MedicalRecord)), "mrn".to_owned())];
        let run = ClusterRun {
            notes: place("s3://a/notes"),
            columns: ColumnOptions { columns, anchor: Some("day".to_owned()), ..ColumnOptions::default() },
            out: place("s3://a/out"),
            exchange: place("s3://a/exchange"),
            tasks: 3,
            overwrite: true,
            second_pass: false,
            refused_at_most: RefusedLimit::Percent(0.5),
            memory: Some(1 << 30),
        };
        assert_eq!(run.table(2).unwrap().batches.len(), 1);
        let sent: ClusterRun = serde_json::from_str(&serde_json::to_string(&run).unwrap()).unwrap();
        assert_eq!(format!("{sent:?}"), format!("{run:?}"));
        let options = sent.options(2, Path::new("/work")).unwrap();
        assert_eq!(options.refused_at_most, run.refused_at_most);
        assert!(options.overwrite && !options.second_pass && options.task.is_some_and(|task| task.index == 2));
    }

    #[test]
    fn all_wait_in_vain_where_none_is_at_work() {
        let mut waits = Waits::of(2);
        let mut now = Instant::now();
        let mut wait = |waits: &mut Waits, tasks: &[usize], took: Duration| {
            now += took + PAUSE;
            tasks.iter().any(|task| waits.in_vain(*task, took, now))
        };
        // One waits for the other, which has waited before and is at work now, for an hour.
        assert!(!(1..TIMES).any(|_| wait(&mut waits, &[0, 1], PATIENCE)));
        assert!(!(0..1200).any(|_| wait(&mut waits, &[0], PATIENCE)));
        // It waits in turn, and the first works, and waits again.
        assert!(!wait(&mut waits, &[1], Duration::from_secs(3600)));
        assert!(!(1..TIMES).any(|_| wait(&mut waits, &[1], PATIENCE)));
        assert!(!wait(&mut waits, &[0], Duration::from_secs(300)));
        // Where both wait, nobody does what they wait for.
        assert!((0..=TIMES).any(|_| wait(&mut waits, &[0, 1], PATIENCE)));
        // Where one is done the other may go on.
        assert_eq!(waits.done(0), 1);
        assert!(!wait(&mut waits, &[1], PATIENCE));
    }
}
