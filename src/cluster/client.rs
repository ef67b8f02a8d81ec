//! A cluster as its clients see it: the address of its scheduler.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::extension::SessionConfigExt;
use ballista_core::optimizer::with_ballista_optimizer_rules;
use ballista_core::serde::protobuf::GetJobStatusParams;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::utils::{GrpcClientConfig, create_grpc_client_endpoint};
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::session_state::SessionState;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;
use url::Url;

use super::codec::PhysicalCodec;
use super::planner::Planner;
use super::{Identity, LARGEST_MESSAGE, SessionIdentity, identity};
use crate::corpus::{CorpusError, Deidentifier, Result};

/// The port of a scheduler where an address names none.
const PORT: u16 = 50050;

/// How often a scheduler with certificates is asked before it is said not to answer. Where it takes ours for a stranger's, it says so and hangs up,
/// and what it said is lost where we had something on the way to it.
const ATTEMPTS: usize = 10;

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// How long an answer to a greeting is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// A cluster.
#[derive(Debug, Clone)]
pub struct Cluster {
    scheduler: String,
    identity: Option<Identity>,
}

impl Cluster {
    /// The cluster of the scheduler at `df://HOST:PORT`; nothing is asked of it yet.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for an address that is none, and for one on another machine without certificates.
    pub fn new(address: &str, identity: Option<Identity>) -> Result<Self> {
        let hint = "give the address of its scheduler, --cluster df://HOST:PORT";
        let url = Url::parse(address).ok().filter(|url| url.scheme() == "df");
        let Some((url, host)) = url.as_ref().and_then(|url| Some((url, url.host_str()?))) else {
            return Err(CorpusError::configuration(format!("`{address}` is not the address of a cluster"), hint));
        };
        // Not shown: there may be a password.
        if !url.username().is_empty() || url.password().is_some() || url[url::Position::AfterPort..].len() > 1 {
            return Err(CorpusError::configuration("the address of a cluster has more than a host and a port", hint));
        }
        identity::check_host(host, identity.as_ref())?;
        let scheduler = format!("http://{host}:{}", url.port().unwrap_or(PORT));
        Ok(Self { scheduler, identity })
    }

    /// Whether the scheduler answers.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it does not, or does not take our certificate.
    pub async fn reach(&self) -> Result<()> {
        let mut reason = String::new();
        for _ in 0..ATTEMPTS {
            let Err(error) = self.ask().await else { return Ok(()) };
            let causes = std::iter::successors(error.source(), |&error| error.source());
            let told = std::iter::once(error.to_string()).chain(causes.map(ToString::to_string));
            reason = told.collect::<Vec<_>>().join(": ");
            if self.identity.is_none() || says_refused(&reason) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        let location = self.scheduler.replacen("http", "df", 1);
        if self.identity.is_none() && self.asks_for_certificates().await {
            return Err(CorpusError::configuration(
                format!("what listens at `{location}` speaks with certificates only"),
                "give --cluster-cert, --cluster-key and --cluster-ca",
            ));
        }
        let temporary = !says_refused(&reason);
        Err(CorpusError::Input { location, reason, temporary })
    }

    /// Whether what listens there answers a greeting without encryption by an alert of TLS, the only thing that it can say.
    async fn asks_for_certificates(&self) -> bool {
        /// The kind of a record that is an alert (RFC 8446, section 5.1); a frame of HTTP/2 begins with its length, whose first byte is 0.
        const ALERT: u8 = 0x15;
        let answer = async {
            let mut stream = TcpStream::connect(self.scheduler.trim_start_matches("http://")).await?;
            stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await?;
            stream.read_u8().await
        };
        tokio::time::timeout(PATIENCE, answer).await.is_ok_and(|answer| answer.is_ok_and(|first| first == ALERT))
    }

    /// Asks the scheduler for something that it does not know.
    async fn ask(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut endpoint = create_grpc_client_endpoint(self.scheduler.clone(), Some(&GrpcClientConfig::default()))?;
        if let Some(identity) = &self.identity {
            endpoint = identity.client()(endpoint)?;
        }
        let connection = endpoint.connect().await?;
        // A handshake may be refused after it: whoever is known gets an answer.
        let unknown = GetJobStatusParams { job_id: String::new() };
        match SchedulerGrpcClient::new(connection).get_job_status(unknown).await {
            Err(status) if status.code() == Code::Unavailable || status.source().is_some() => Err(status.into()),
            _ => Ok(()),
        }
    }

    /// Has the statements of a session computed by the cluster, by executors that find and replace as `deidentifier` does.
    ///
    /// # Errors
    /// Where the ensemble cannot be opened, by which executors are told from others.
    pub fn upgrade(&self, state: SessionState, deidentifier: &Arc<Deidentifier>) -> Result<SessionState> {
        let fingerprint = deidentifier.fingerprint()?;
        let mut config = state
            .config()
            .clone()
            .upgrade_for_ballista()
            .with_option_extension(SessionIdentity { fingerprint })
            .with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::of(deidentifier)))
            .with_ballista_grpc_client_max_message_size(LARGEST_MESSAGE as usize)
            // With it the loss of an executor is not made good.
            .with_ballista_adaptive_query_planner(false);
        // Joins are planned over both sides' shares: what is planned with one side whole, Ballista may spread all the same, and then what stands above
        // is computed share by share.
        let options = &mut config.options_mut().optimizer;
        options.repartition_joins = true;
        options.hash_join_single_partition_threshold = 0;
        options.hash_join_single_partition_threshold_rows = 0;
        if let Some(identity) = &self.identity {
            config = config
                .with_ballista_use_tls(true)
                .with_ballista_override_create_grpc_client_endpoint(identity.client());
        }
        let planner = Planner { planner: Arc::clone(state.query_planner()), scheduler: self.scheduler.clone() };
        // Without Ballista's rules NOT IN could not be spread.
        let rules = with_ballista_optimizer_rules(state.optimizers());
        let builder = SessionStateBuilder::new_from_existing(state).with_config(config);
        Ok(builder.with_optimizer_rules(rules).with_query_planner(Arc::new(planner)).build())
    }
}

/// Whether a connection failed for its certificates: who speaks without any, or with somebody else's, does so the next time, too.
fn says_refused(reason: &str) -> bool {
    ["certificate", "fatal alert", "corrupt message", "KeyMismatch"].iter().any(|word| reason.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_port() {
        assert!(Cluster::new("df://127.0.0.1:50050", None).is_ok() && Cluster::new("df://localhost/", None).is_ok());
        for address in ["df://ann:secret@localhost:1", "df://localhost:1/secret", "df://localhost?secret", "http://h"] {
            let refused = Cluster::new(address, None).unwrap_err();
            assert!(refused.is_usage() && !refused.to_string().contains("secret"), "{refused}");
        }
    }
}
