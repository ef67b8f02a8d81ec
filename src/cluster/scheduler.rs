//! The scheduler: takes plans, cuts them into stages, hands these to executors that ask for work. It has neither key nor models.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::extension::SessionConfigExt;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_core::utils::{GrpcServerConfig, create_grpc_server};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::create_scheduler;
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tonic::transport::server::TcpIncoming;

use super::attended::Attended;
use super::codec::PhysicalCodec;
use super::{Identity, LARGEST_MESSAGE, identity, state, with_options};
use crate::corpus::{CorpusError, Deidentifier, Result, listen, stopped};

/// An executor that has not asked for work for so long is lost, in seconds: what it had is given to others.
pub(super) const LOST_AFTER: u64 = 30;
/// How often is looked for lost executors, in seconds.
const LOOK: u64 = 5;
/// How long connections have to end when the scheduler does.
const FAREWELL: Duration = Duration::from_secs(2);

/// Where a scheduler listens, and as whom.
#[derive(Debug, Clone)]
pub struct SchedulerOptions {
    /// The address and port; port 0 is any that is free.
    pub listen: SocketAddr,
    /// Its certificate; none where all members of the cluster are on this machine.
    pub identity: Option<Identity>,
}

/// Schedules until the process is asked to end; tells `listening` when it is ready, and at which address. What it has under way ends with it.
///
/// # Errors
/// [`CorpusError::Configuration`] for an address that needs certificates and has none, and for certificates that cannot be used;
/// [`CorpusError::Output`] where the port cannot be had.
pub async fn schedule(options: SchedulerOptions, listening: impl FnOnce(SocketAddr) -> Result<()>) -> Result<()> {
    identity::check_listen(options.listen, options.identity.as_ref())?;
    // Until those who are connected have been told good-bye, or the process ends under it.
    let _listening = listen();
    let address = options.listen.to_string();
    let failed = |reason: String| CorpusError::output(&address, reason);
    let mut server = create_grpc_server(&GrpcServerConfig::default());
    if let Some(identity) = &options.identity {
        server = server.tls_config(identity.server()).map_err(unusable)?;
    }
    let incoming =
        TcpIncoming::bind(options.listen).map_err(|error| failed(error.to_string()))?.with_nodelay(Some(true));
    let bound = incoming.local_addr().map_err(|error| failed(error.to_string()))?;
    let config = Arc::new(settings(&options, bound));
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(|error| failed(error.to_string()))?;
    let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, config).await;
    let attended = Attended::new(scheduler.map_err(|error| failed(error.to_string()))?, bound.to_string());
    let service = SchedulerGrpcServer::new(attended)
        .max_decoding_message_size(LARGEST_MESSAGE as usize)
        .max_encoding_message_size(LARGEST_MESSAGE as usize);
    let mut serving = tokio::spawn(server.add_service(service).serve_with_incoming_shutdown(incoming, stopped()));
    listening(bound)?;
    tokio::select! {
        ended = &mut serving => return match ended {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(_) => Err(failed("a fault in the scheduler".to_owned())),
        },
        () = stopped() => {}
    }
    // Executors ask for work for ever.
    if tokio::time::timeout(FAREWELL, &mut serving).await.is_err() {
        serving.abort();
    }
    Ok(())
}

/// What is said of certificates that cannot be used.
pub(super) fn unusable(error: impl std::error::Error) -> CorpusError {
    let causes = std::iter::successors(error.source(), |error| error.source());
    let causes = causes.map(|cause| format!(": {cause}")).collect::<String>();
    CorpusError::configuration(
        format!("--cluster-cert, --cluster-key and --cluster-ca cannot be used: {error}{causes}"),
        "give a certificate, its key, and the authority's certificate, each PEM",
    )
}

fn settings(options: &SchedulerOptions, bound: SocketAddr) -> SchedulerConfig {
    // It plans with functions that it cannot compute: those that need a key have none, and nobody detects here.
    let nobody = Arc::new(
        Deidentifier::new()
            .with_ensemble(|| Err(CorpusError::configuration("a scheduler detects nothing", "its executors do"))),
    );
    let planner = Arc::clone(&nobody);
    SchedulerConfig {
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        bind_host: bound.ip().to_string(),
        external_host: bound.ip().to_string(),
        bind_port: bound.port(),
        grpc_server_max_decoding_message_size: LARGEST_MESSAGE,
        grpc_server_max_encoding_message_size: LARGEST_MESSAGE,
        grpc_client_max_message_size: LARGEST_MESSAGE,
        executor_timeout_seconds: LOST_AFTER,
        expire_dead_executor_interval_seconds: LOOK,
        no_executors_grace_period_seconds: LOST_AFTER,
        override_config_producer: Some(Arc::new(|| with_options(SessionConfig::new_with_ballista()))),
        override_session_builder: Some(Arc::new(move |config| state(&planner, config, Path::new("")))),
        override_physical_codec: Some(Arc::new(PhysicalCodec::of(&nobody))),
        override_create_grpc_client_endpoint: options.identity.as_ref().map(Identity::client),
        use_tls: options.identity.is_some(),
        ..SchedulerConfig::default()
    }
}
