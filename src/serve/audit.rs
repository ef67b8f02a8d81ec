//! The audit log: one JSON line for every login and every query, when it begins and when it ends.
//!
//! ```json
//! {"time":"2026-11-22T07:10:45.120Z","event":"query_begun","user":"ann","role":"deidentified","peer":"10.0.0.7:51234","query":3,"statement":"SELECT","digest":"5a0c…"}
//! {"time":"2026-11-22T07:10:46.001Z","event":"query_ended","user":"ann","role":"deidentified","peer":"10.0.0.7:51234","query":3,"outcome":"done","rows":120,"bytes":80231,"seconds":0.88,…}
//! ```
//!
//! It never holds the text of a query, nor values, nor what somebody typed as a name. The digest of a text is keyed, or who has the log could try
//! texts until one fits. A line that cannot be written refuses what it would have told of.

use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use zeroize::Zeroizing;

use super::access::Caller;
use crate::corpus::{CorpusError, Result};
use crate::surrogate::Key;

/// The open log.
pub(super) struct Audit {
    file: Mutex<File>,
    key: Zeroizing<[u8; 32]>,
}

/// A line.
#[derive(Debug, Default, Serialize)]
pub(super) struct Line<'l> {
    pub(super) event: &'static str,
    /// The user; none where nobody was recognized.
    pub(super) user: Option<&'l str>,
    pub(super) role: Option<&'static str>,
    pub(super) peer: Option<SocketAddr>,
    /// What was shown at a login: a password or a token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<&'static str>,
    /// The number of the query, from 1, since the server began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) query: Option<u64>,
    /// The kind of statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) statement: Option<&'static str>,
    /// The keyed digest of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rows: Option<u64>,
    /// Bytes of the answer as they were sent, before TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
}

impl<'l> Line<'l> {
    /// A line on somebody who was recognized.
    pub(super) fn of(event: &'static str, caller: &'l Caller, peer: Option<SocketAddr>) -> Self {
        Self { event, user: Some(&caller.name), role: Some(caller.role.name()), peer, ..Self::default() }
    }
}

/// A line with its time.
#[derive(Serialize)]
struct Timed<'l> {
    time: String,
    #[serde(flatten)]
    line: &'l Line<'l>,
}

impl Audit {
    /// Opens the log at its end, and makes it where there is none, readable by its owner only.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub(super) fn open(path: &Path, key: &Key) -> Result<Self> {
        let mut options = std::fs::OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| CorpusError::output(path.display().to_string(), error))?;
        let audit = Self { file: Mutex::new(file), key: key.derive("query digest") };
        let began = Line { event: "server_begun", ..Line::default() };
        audit.write(&began).map_err(|error| CorpusError::output(path.display().to_string(), error))?;
        Ok(audit)
    }

    /// Appends a line, in one write.
    ///
    /// # Errors
    /// Those of the file.
    pub(super) fn write(&self, line: &Line<'_>) -> std::io::Result<()> {
        let time = DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Millis, true);
        let mut text = serde_json::to_vec(&Timed { time, line })?;
        text.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&text)
    }

    /// The keyed digest of a query's text, 32 hex digits.
    pub(super) fn digest(&self, text: &str) -> String {
        blake3::keyed_hash(&self.key, text.as_bytes()).to_hex()[..32].to_owned()
    }
}
