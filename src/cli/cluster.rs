//! `plainsight cluster`, and how other subcommands reach one.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::arguments::{memory_size, read_bytes, workers};
use super::session::SessionArguments;
use super::signals::unless_asked_to_end;
use crate::cluster::{Cluster, ExecutorOptions, Identity, SchedulerOptions, execute, schedule};
use crate::corpus::Result;
use crate::serve::access::check_private;

#[derive(Debug, Args)]
pub(super) struct ClusterCommand {
    #[command(subcommand)]
    member: Member,
}

#[derive(Debug, Subcommand)]
enum Member {
    /// Plan statements and hand them out to executors; needs neither key nor models
    Scheduler(SchedulerArguments),
    /// Compute what a scheduler hands out, with the key, models and patients' records of this machine
    Executor(Box<ExecutorArguments>),
}

/// The certificates of a member of a cluster.
#[derive(Debug, Args)]
pub(super) struct IdentityArguments {
    /// The certificate by which this member of the cluster is known to the others, PEM. Without, all must be on this machine
    #[arg(long, value_name = "FILE", requires_all = ["cluster_key", "cluster_ca"])]
    cluster_cert: Option<PathBuf>,
    /// The key of that certificate, PEM; nobody else may be able to read the file
    #[arg(long, value_name = "FILE", requires = "cluster_cert")]
    cluster_key: Option<PathBuf>,
    /// The certificate of the authority that vouches for all members of the cluster, and for nobody else, PEM
    #[arg(long, value_name = "FILE", requires = "cluster_cert")]
    cluster_ca: Option<PathBuf>,
}

impl IdentityArguments {
    fn identity(&self) -> Result<Option<Identity>> {
        let (Some(certificate), Some(key), Some(authority)) = (&self.cluster_cert, &self.cluster_key, &self.cluster_ca)
        else {
            return Ok(None);
        };
        check_private(key, "--cluster-key")?;
        Ok(Some(Identity {
            certificate: read_bytes(certificate, "--cluster-cert")?,
            key: zeroize::Zeroizing::new(read_bytes(key, "--cluster-key")?),
            authority: read_bytes(authority, "--cluster-ca")?,
        }))
    }
}

/// Where statements are computed, if not here.
#[derive(Debug, Args)]
pub(super) struct RemoteArguments {
    /// Have it computed by a cluster: the address of its scheduler, whose executors must have the same key, ensemble, policy and patients'
    /// records as are given here
    #[arg(long, value_name = "df://HOST:PORT")]
    cluster: Option<String>,
    #[command(flatten)]
    identity: IdentityArguments,
}

impl RemoteArguments {
    /// The cluster, if one is given; it answers.
    pub(super) async fn cluster(&self) -> Result<Option<Cluster>> {
        let Some(address) = &self.cluster else { return Ok(None) };
        let cluster = Cluster::new(address, self.identity.identity()?)?;
        cluster.reach().await?;
        Ok(Some(cluster))
    }
}

#[derive(Debug, Args)]
struct SchedulerArguments {
    /// The address and port; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,
    #[command(flatten)]
    identity: IdentityArguments,
}

#[derive(Debug, Args)]
struct ExecutorArguments {
    /// The scheduler that hands out work
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = host_and_port)]
    scheduler: (String, u16),
    /// The address and port at which others fetch what this executor hands on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:50051")]
    listen: SocketAddr,
    /// The host name by which others reach that address [default: the address]
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,
    /// A local folder for what is handed on, and for the work of tasks: confidential
    #[arg(long, value_name = "DIR")]
    work: PathBuf,
    /// How many partitions and tasks it works on at once [default: one a processor]
    #[arg(long, value_name = "N")]
    slots: Option<NonZeroUsize>,
    /// How much memory the engine may hold for statements before it writes to disk, all slots together [default: as much as it wants]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    #[command(flatten)]
    identity: IdentityArguments,
    #[command(flatten)]
    session: SessionArguments,
}

fn host_and_port(text: &str) -> std::result::Result<(String, u16), String> {
    let parts = text.rsplit_once(':').and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.filter(|(host, _)| !host.is_empty()).ok_or_else(|| "write HOST:PORT".to_owned())
}

pub(super) async fn cluster(command: ClusterCommand) -> Result<()> {
    match command.member {
        Member::Scheduler(arguments) => {
            let options = SchedulerOptions { listen: arguments.listen, identity: arguments.identity.identity()? };
            let ended = schedule(options, |address| super::print(format!("listening on df://{address}\n"))).await;
            unless_asked_to_end(ended).await
        }
        Member::Executor(arguments) => {
            // What is handed on are notes.
            super::keep_files_private();
            arguments.session.check_key_is_private()?;
            let deidentifier = arguments.session.deidentifier(None).await?;
            let arguments = *arguments;
            let scheduler = arguments.scheduler;
            let ready = format!("executing for df://{}:{}\n", scheduler.0, scheduler.1);
            let options = ExecutorOptions {
                scheduler,
                listen: arguments.listen,
                advertise: arguments.advertise,
                work: arguments.work,
                slots: workers(arguments.slots),
                memory: arguments.memory,
                identity: arguments.identity.identity()?,
            };
            unless_asked_to_end(execute(Arc::new(deidentifier), options, || super::print(ready)).await).await
        }
    }
}
