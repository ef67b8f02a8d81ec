//! An executor: asks the scheduler for stages of plans, computes them with functions, models, key and records of its own, and hands on what comes of
//! them.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow::error::ArrowError;
use arrow_flight::flight_service_server::FlightServiceServer;
use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::BallistaError;
use ballista_core::extension::SessionConfigExt;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::protobuf::{RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport};
use ballista_core::utils::create_grpc_server;
use ballista_executor::ArrowFlightServerProvider;
use ballista_executor::execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::flight_service::BallistaFlightService;
use datafusion::error::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::prelude::SessionConfig;

use super::codec::PhysicalCodec;
use super::scheduler::unusable;
use super::tasks::RUN;
use super::{Identity, LARGEST_MESSAGE, SessionIdentity, identity, state, with_options};
use crate::corpus::{CorpusError, Deidentifier, Location, Result, forget_tasks, listen, lock, stopped, stores_by_url};

/// How long what is in hand may take when the executor is asked to end.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long a scheduler may take to answer at first.
const FIRST_ANSWER: Duration = Duration::from_secs(30);
/// How often is looked for what old jobs have left, and how old that is, in seconds.
const CLEANED: (u64, u64) = (600, 24 * 3600);

/// Where an executor works, and for whom.
#[derive(Debug, Clone)]
pub struct ExecutorOptions {
    /// The host and port of the scheduler.
    pub scheduler: (String, u16),
    /// The address and port at which others fetch what it hands on.
    pub listen: SocketAddr,
    /// The name under which others reach that address; none where it is the address.
    pub advertise: Option<String>,
    /// A local folder for what it hands on and what its tasks work with: confidential.
    pub work: PathBuf,
    /// How many partitions and tasks it works on at once.
    pub slots: usize,
    /// How many bytes the engine may hold, all slots together; none for as many as it wants.
    pub memory: Option<u64>,
    /// Its certificate; none where all members of the cluster are on this machine.
    pub identity: Option<Identity>,
}

/// Executes until the process is asked to end; tells `ready` when the scheduler has answered.
///
/// # Errors
/// [`CorpusError::Configuration`] for addresses that need certificates and have none, and for certificates that cannot be used;
/// [`CorpusError::Output`] where the port or the folder cannot be had; [`CorpusError::Input`] where the scheduler does not answer; those of opening the
/// ensemble.
pub async fn execute(
    deidentifier: Arc<Deidentifier>,
    options: ExecutorOptions,
    ready: impl FnOnce() -> Result<()>,
) -> Result<()> {
    identity::check_listen(options.listen, options.identity.as_ref())?;
    identity::check_host(&options.scheduler.0, options.identity.as_ref())?;
    // Before the folder is taken, and until it is given back, whenever the wish to end comes.
    let (asked, _listening) = (stopped(), listen());
    // Models that cannot be had are told of now, not to the first who asks.
    let fingerprint = deidentifier.fingerprint()?;
    let shuffle = HandedOn::take(&options)?;
    let ended = execute_in(&shuffle.folder, &deidentifier, &options, fingerprint, asked, ready).await;
    // What led here counts more.
    let removed = shuffle.remove().and_then(|()| forget_runs(&options.work));
    ended.and(removed)
}

/// Executes until it is asked to end, with a folder for what it hands on.
async fn execute_in(
    shuffle: &Path,
    deidentifier: &Arc<Deidentifier>,
    options: &ExecutorOptions,
    fingerprint: String,
    asked: impl Future<Output = ()>,
    ready: impl FnOnce() -> Result<()>,
) -> Result<()> {
    forget_runs(&options.work)?;
    let config = settings(deidentifier, options, fingerprint, shuffle)?;
    let (health, (scheduler, port)) = (config.health.clone(), &options.scheduler);
    let failed = |error: BallistaError| CorpusError::input(format!("df://{scheduler}:{port}"), error);
    let executing = start_executor_process(Arc::new(config));
    tokio::pin!(executing);
    // Ends only where it cannot be announced.
    let unannounced = async {
        let told = match tokio::time::timeout(FIRST_ANSWER, until_ready(&health)).await {
            Ok(()) => ready(),
            Err(_) => Err(failed(BallistaError::General("the scheduler does not answer".to_owned()))),
        };
        match told {
            Ok(()) => std::future::pending().await,
            Err(error) => error,
        }
    };
    tokio::select! {
        ended = &mut executing => ended.map_err(failed),
        error = unannounced => Err(error),
        () = asked => {
            // It lets what it has in hand end too, but not for long: others do it again. Before it is ready it has nothing.
            let patience = if health.is_ready() { FAREWELL } else { Duration::ZERO };
            let _ = tokio::time::timeout(patience, &mut executing).await;
            Ok(())
        }
    }
}

async fn until_ready(health: &ballista_executor::health::ExecutorHealth) {
    while !health.is_ready() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What the folder of what is handed on is called, before the port of its executor.
const SHUFFLE: &str = "shuffle-";
/// The ending of the file that is locked while the executor of a folder lives.
const ALIVE: &str = "alive";

/// The folder of what an executor hands on, its own for as long as it lives.
struct HandedOn {
    folder: PathBuf,
    alive: PathBuf,
    _lock: File,
}

impl HandedOn {
    /// Takes an empty folder, and removes those of executors that are dead: nobody fetches what they have left.
    fn take(options: &ExecutorOptions) -> Result<Self> {
        // The port is ours alone, and so is what is called after it.
        let port = std::net::TcpListener::bind(options.listen);
        port.map_err(|error| CorpusError::output(options.listen.to_string(), error))?;
        let fail = |error: std::io::Error| CorpusError::output(options.work.to_string_lossy(), error);
        std::fs::create_dir_all(&options.work).map_err(fail)?;
        let own = format!("{SHUFFLE}{}", options.listen.port());
        for folder in folders(&options.work, SHUFFLE).map_err(fail)?.iter().filter(|folder| !folder.ends_with(&own)) {
            let alive = folder.with_extension(ALIVE);
            if let Some(_dead) = lock(&alive).map_err(fail)? {
                removed(folder).and_then(|()| std::fs::remove_file(&alive)).map_err(fail)?;
            }
        }
        let folder = options.work.join(own);
        let alive = folder.with_extension(ALIVE);
        let Some(lock) = lock(&alive).map_err(fail)? else {
            let location = folder.to_string_lossy().into_owned();
            return Err(CorpusError::Busy { location, holder: "another executor".to_owned() });
        };
        removed(&folder).and_then(|()| std::fs::create_dir_all(&folder)).map_err(fail)?;
        Ok(Self { folder, alive, _lock: lock })
    }

    /// Removes it.
    fn remove(self) -> Result<()> {
        let gone = removed(&self.folder).and_then(|()| std::fs::remove_file(&self.alive));
        gone.map_err(|error| CorpusError::output(self.folder.to_string_lossy(), error))
    }
}

/// Removes what tasks of runs have left that are at work no more: others do them again.
fn forget_runs(work: &Path) -> Result<()> {
    let fail = |error: std::io::Error| CorpusError::output(work.to_string_lossy(), error);
    folders(work, RUN).map_err(fail)?.iter().try_for_each(|run| forget_tasks(&Location::parse(&run.to_string_lossy())?))
}

/// The folders in a place whose names begin so.
fn folders(place: &Path, beginning: &str) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(place)?.collect::<std::io::Result<Vec<_>>>()?;
    let named = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with(beginning);
    Ok(entries.iter().filter(|entry| named(entry)).map(std::fs::DirEntry::path).filter(|path| path.is_dir()).collect())
}

/// Removes a folder, if it is there. What is dropped as the executor ends may still make a file.
fn removed(folder: &Path) -> std::io::Result<()> {
    let mut tries = 0..20;
    loop {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::DirectoryNotEmpty && tries.next().is_some() => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => return Ok(()),
        }
    }
}

fn settings(
    deidentifier: &Arc<Deidentifier>,
    options: &ExecutorOptions,
    fingerprint: String,
    shuffle: &Path,
) -> Result<ExecutorProcessConfig> {
    let fault = CorpusError::in_stage("executor");
    let state = state(deidentifier, SessionConfig::new(), &options.work).map_err(&fault)?;
    let spill = shuffle.to_path_buf();
    let client = options.identity.as_ref().map(Identity::client);
    let produced = {
        let client = client.clone();
        move || {
            let config = with_options(SessionConfig::new_with_ballista());
            let config = config.with_ballista_grpc_client_max_message_size(LARGEST_MESSAGE as usize);
            match &client {
                Some(client) => config
                    .with_ballista_use_tls(true)
                    .with_ballista_override_create_grpc_client_endpoint(Arc::clone(client)),
                None => config,
            }
        }
    };
    let engine = Checked { fingerprint, engine: DefaultExecutionEngine::new() };
    Ok(ExecutorProcessConfig {
        bind_host: options.listen.ip().to_string(),
        external_host: Some(options.advertise.clone().unwrap_or_else(|| options.listen.ip().to_string())),
        port: options.listen.port(),
        scheduler_host: options.scheduler.0.clone(),
        scheduler_port: options.scheduler.1,
        scheduler_connect_timeout_seconds: FIRST_ANSWER.as_secs() as u16,
        vcores: options.slots,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(shuffle.to_string_lossy().into_owned()),
        job_data_clean_up_interval_seconds: CLEANED.0,
        job_data_ttl_seconds: CLEANED.1,
        grpc_max_decoding_message_size: LARGEST_MESSAGE,
        grpc_max_encoding_message_size: LARGEST_MESSAGE,
        // Zero is as much as it wants.
        memory_pool_size: Some(options.memory.unwrap_or(0)),
        override_execution_engine: Some(Arc::new(engine)),
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
        override_runtime_producer: Some(Arc::new(move |_| stores_by_url().with_temp_file_path(&spill).build_arc())),
        override_config_producer: Some(Arc::new(produced)),
        override_physical_codec: Some(Arc::new(PhysicalCodec::of(deidentifier))),
        override_arrow_flight_service: Some(flight(options.identity.clone())?),
        override_create_grpc_client_endpoint: client,
        ..ExecutorProcessConfig::default()
    })
}

/// The server from which others fetch what stages hand on.
fn flight(identity: Option<Identity>) -> Result<Arc<ArrowFlightServerProvider>> {
    let tls = identity.map(|identity| identity.server());
    // Told of now, not when the server is about to listen.
    if let Some(tls) = &tls {
        tonic::transport::Server::builder().tls_config(tls.clone()).map_err(unusable)?;
    }
    Ok(Arc::new(move |folder, address, mut shutdown, settings| {
        let service = FlightServiceServer::new(BallistaFlightService::new(folder))
            .max_decoding_message_size(LARGEST_MESSAGE as usize)
            .max_encoding_message_size(LARGEST_MESSAGE as usize);
        let tls = tls.clone();
        tokio::spawn(async move {
            let mut server = create_grpc_server(&settings);
            if let Some(tls) = tls {
                server = server.tls_config(tls)?;
            }
            server.add_service(service).serve_with_shutdown(address, shutdown.recv()).await.map_err(Into::into)
        })
    }))
}

/// Computes stages of those sessions only that find and replace as this executor does.
struct Checked {
    fingerprint: String,
    engine: DefaultExecutionEngine,
}

impl ExecutionEngine for Checked {
    fn create_query_stage_exec(
        &self,
        job: JobId,
        stage: usize,
        task: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        folder: &str,
        config: &SessionConfig,
    ) -> datafusion::error::Result<Arc<dyn QueryStageExecutor>> {
        let asked = config.options().extensions.get::<SessionIdentity>();
        if asked.is_none_or(|asked| asked.fingerprint != self.fingerprint) {
            let differs = CorpusError::configuration(
                "an executor differs from this session in its program, key, ensemble, lists, context, policy, surrogates or patients' records",
                "give both the same flags",
            );
            return Err(differs.for_others());
        }
        let stage = self.engine.create_query_stage_exec(job, stage, task, partitions, plan, folder, config)?;
        Ok(Arc::new(Telling(stage)))
    }
}

/// A stage whose errors can be shown elsewhere: the engine's own may quote values of the data.
#[derive(Debug)]
struct Telling(Arc<dyn QueryStageExecutor>);

impl std::fmt::Display for Telling {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

#[async_trait]
impl QueryStageExecutor for Telling {
    async fn execute_query_stage(
        &self,
        task: usize,
        context: Arc<TaskContext>,
    ) -> datafusion::error::Result<Vec<ShuffleWritePartition>> {
        let done = self.0.execute_query_stage(task, context).await;
        done.map_err(|error| match is_of_the_cluster(&error) {
            true => error,
            false => told(&error),
        })
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.0.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.0.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> datafusion::error::Result<Vec<WindowStateReport>> {
        self.0.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.0.collect_column_stats()
    }
}

/// Whether an error tells the scheduler what to do again: another executor that did not answer, a disk or network that failed.
fn is_of_the_cluster(error: &DataFusionError) -> bool {
    match of_ballista(error) {
        Some(BallistaError::DataFusionError(inner)) => is_of_the_cluster(inner),
        Some(BallistaError::ArrowError(_)) => false,
        Some(_) => true,
        None => matches!(error.find_root(), DataFusionError::IoError(_)),
    }
}

/// The error of Ballista at the bottom of one of the engine, where there is one: what runs a stage wraps the engine's errors in such.
fn of_ballista(error: &DataFusionError) -> Option<&BallistaError> {
    match error.find_root() {
        DataFusionError::External(inner) => inner.downcast_ref(),
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            ArrowError::ExternalError(inner) => inner.downcast_ref(),
            _ => None,
        },
        _ => None,
    }
}

/// An error as another machine can show it.
fn told(error: &DataFusionError) -> DataFusionError {
    match of_ballista(error) {
        Some(BallistaError::DataFusionError(inner)) => told(inner),
        Some(BallistaError::ArrowError(inner)) => CorpusError::told_to_others(inner.as_ref()),
        _ => CorpusError::told_to_others(error),
    }
}
