//! SQL over the network, by Arrow Flight SQL: de-identified views for everyone who may log in, the notes themselves for those who hold that role.
//!
//! ```text
//! client ── TLS ─▶ token? ─▶ statement: one, and only reading? ─▶ session of the role ─▶ rows, streamed
//!                    │              │                               ├ deidentified   notes (a view), released outputs
//!                    │              │                               └ confidential   notes, documents, functions, released outputs
//!                    └──────────────┴─▶ audit log: who, when, how much; never what
//! ```
//!
//! What a role must not see is not in its session: neither tables nor functions nor files. Checks of statements come on top. Whatever cannot be
//! written to the audit log is not done.

pub mod access;
mod audit;
mod errors;
mod handles;
mod listener;
mod metadata;
mod nesting;
mod query;
mod service;
mod sessions;
mod shape;
mod statement;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::cluster::Cluster;
use crate::corpus::schema::ColumnOptions;
use crate::corpus::{Deidentifier, Location, Place, Result};
use access::Logins;
use audit::Audit;
use handles::Handles;
use query::Queries;
use service::Service;
use sessions::Sessions;

/// What is served, to whom, and within what limits.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The notes.
    pub notes: Location,
    /// The roles of their columns.
    pub columns: ColumnOptions,
    /// Outputs of runs, by the names of their tables.
    pub released: Vec<(String, Location)>,
    /// The cluster that computes what is asked of the notes, and where it finds them; none where this process does.
    pub cluster: Option<(Cluster, Place)>,
    /// The workers of one query.
    pub partitions: usize,
    /// What all queries together may hold in memory, in bytes.
    pub memory: u64,
    /// What they may write to the temporary folder where memory runs short, in bytes.
    pub spilled: u64,
    /// The address and port; port 0 is any that is free.
    pub listen: SocketAddr,
    /// The certificate and its key; none for connections that nobody else can read.
    pub tls: Option<Tls>,
    /// The file of users and tokens.
    pub users: PathBuf,
    /// The audit log.
    pub audit: PathBuf,
    /// How long a query may take.
    pub timeout: Duration,
    /// How many queries may run at once.
    pub most_queries: usize,
    /// How long a login lasts.
    pub session: Duration,
}

/// A certificate and its key.
#[derive(Clone)]
pub struct Tls {
    /// The chain of certificates, PEM.
    pub certificate: Vec<u8>,
    /// The key, PEM.
    pub key: zeroize::Zeroizing<Vec<u8>>,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Tls")
    }
}

/// Serves until the process is asked to end; tells `listening` when it is ready, and at which address.
///
/// # Errors
/// [`CorpusError::Configuration`](crate::corpus::CorpusError::Configuration) for an address that needs TLS and has none, a file of users or an audit log
/// that others can read, or notes without a key; [`CorpusError::Input`](crate::corpus::CorpusError::Input) and
/// [`CorpusError::Output`](crate::corpus::CorpusError::Output) where notes cannot be read or the audit log cannot be written.
pub async fn serve(
    deidentifier: Arc<Deidentifier>,
    options: ServeOptions,
    listening: impl FnOnce(SocketAddr) -> Result<()>,
) -> Result<()> {
    listener::check(&options)?;
    let audit = Arc::new(Audit::open(&options.audit, deidentifier.key()?)?);
    let logins = Logins::open(&options.users, options.session)?;
    // Models that cannot be had are told of now, not to the first who asks.
    deidentifier.ensemble()?;
    let sessions = Sessions::open(&deidentifier, &options).await?;
    let queries = Queries::new(&options, Arc::clone(&audit))?;
    let service = Service::new(sessions, logins, Handles::default(), queries, audit);
    listener::listen(service, &options, listening).await
}
