//! `plainsight serve`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::arguments::{SourceArguments, memory_size, read_bytes, workers};
use super::cluster::RemoteArguments;
use super::session::SessionArguments;
use super::signals::unless_asked_to_end;
use crate::corpus::Result;
use crate::serve::access::check_private;
use crate::serve::{ServeOptions, Tls};

#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    /// The notes: a Parquet, JSON Lines or text file, a folder of them, a Hive-partitioned tree, or a Delta table; a local path, s3://, gs://
    /// or az://
    #[arg(long, value_name = "URI")]
    notes: String,
    #[command(flatten)]
    source: SourceArguments,
    /// The output of a run as a table that every role may read; may be given several times
    #[arg(long, value_name = "NAME=URI", value_parser = named)]
    released: Vec<(String, String)>,
    #[command(flatten)]
    session: SessionArguments,
    /// The address and port. Without TLS only this machine itself may connect; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:32010")]
    listen: SocketAddr,
    /// The certificate of the server and those that vouch for it, PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, PEM; nobody else may be able to read the file
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// The users and tokens, as `plainsight access` writes them; nobody else may be able to read the file. A change counts when the server
    /// begins anew
    #[arg(long, value_name = "FILE")]
    users: PathBuf,
    /// Where every login and query is told of, one JSON line each, never with its text or values. What cannot be told of is not done. Nobody else
    /// may be able to read the file
    #[arg(long, value_name = "FILE")]
    audit: PathBuf,
    /// How many seconds a query may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// How many queries may run at once; half of them may be of one user
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    most_queries: u16,
    /// How many hours a login lasts
    #[arg(long, value_name = "HOURS", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=168))]
    session_hours: u64,
    /// How many workers a query has [default: one a processor]
    #[arg(long, value_name = "N")]
    partitions: Option<NonZeroUsize>,
    /// How much memory the engine may hold for all queries together: 512MiB, 2GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = memory_size)]
    memory: u64,
    /// How much it may write to the temporary folder where that memory runs short, for all queries together
    #[arg(long, value_name = "SIZE", default_value = "32GiB", value_parser = memory_size)]
    spill: u64,
    #[command(flatten)]
    remote: RemoteArguments,
}

pub(super) async fn serve(arguments: ServeArguments) -> Result<()> {
    // What a sort writes to disk may be notes.
    super::keep_files_private();
    arguments.session.check_key_is_private()?;
    let options = arguments.options().await?;
    let deidentifier = arguments.session.deidentifier(Some(&arguments.source)).await?;
    let scheme = if options.tls.is_some() { "grpc+tls" } else { "grpc+tcp" };
    if options.tls.is_none() {
        super::progress::warn(
            "without TLS only this machine itself can connect; give --tls-cert and --tls-key for others",
        );
    }
    let listening = |address| super::print(format!("listening on {scheme}://{address}\n"));
    unless_asked_to_end(crate::serve::serve(Arc::new(deidentifier), options, listening).await).await
}

impl ServeArguments {
    async fn options(&self) -> Result<ServeOptions> {
        let released = self.released.iter().map(|(name, uri)| Ok((name.clone(), self.source.location(uri)?)));
        let tls = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => {
                check_private(key, "--tls-key")?;
                Some(Tls {
                    certificate: read_bytes(certificate, "--tls-cert")?,
                    key: zeroize::Zeroizing::new(read_bytes(key, "--tls-key")?),
                })
            }
            _ => None,
        };
        let notes = self.source.location(&self.notes)?;
        let place = self.source.place(&notes);
        Ok(ServeOptions {
            notes,
            cluster: self.remote.cluster().await?.map(|cluster| (cluster, place)),
            columns: self.session.columns.options()?,
            released: released.collect::<Result<_>>()?,
            partitions: workers(self.partitions),
            memory: self.memory,
            spilled: self.spill,
            listen: self.listen,
            tls,
            users: self.users.clone(),
            audit: self.audit.clone(),
            timeout: Duration::from_secs(self.timeout),
            most_queries: self.most_queries.into(),
            session: Duration::from_secs(self.session_hours * 3600),
        })
    }
}

/// `NAME=URI`, where the name is one that needs no quotes in SQL.
fn named(text: &str) -> std::result::Result<(String, String), String> {
    let (name, uri) = text.split_once('=').ok_or("write NAME=URI")?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    match !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() && name.bytes().all(plain) {
        true => Ok((name.to_owned(), uri.to_owned())),
        false => Err("the name is made of a-z, 0-9 and _".to_owned()),
    }
}
