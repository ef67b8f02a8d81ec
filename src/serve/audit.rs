//! The audit log: one JSON line for every login, for calls by nobody who is known (ten in five minutes from an address), for every statement that is
//! planned or refused, and for every query when it begins and when it ends.
//!
//! ```json
//! {"time":"2026-11-22T07:10:45.120Z","event":"query_begun","user":"ann","role":"deidentified","peer":"10.0.0.7:51234","query":3,"statement":"SELECT","digest":"5a0c…"}
//! {"time":"2026-11-22T07:10:46.001Z","event":"query_ended","user":"ann","role":"deidentified","peer":"10.0.0.7:51234","query":3,"outcome":"done","rows":120,"bytes":80231,"seconds":0.88,…}
//! ```
//!
//! It never holds the text of a query, nor values, nor what somebody typed as a name. The digest of a text is keyed, or who has the log could try
//! texts until one fits. A line that cannot be written refuses what it would have told of.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use zeroize::Zeroizing;

use super::access::{Caller, check_private};
use crate::corpus::{CorpusError, Result, private_file};
use crate::surrogate::Key;

/// The open log.
pub(super) struct Audit {
    lines: Mutex<Lines<File>>,
    key: Zeroizing<[u8; 32]>,
}

/// What lines are appended to.
struct Lines<W> {
    to: W,
    /// Whether the last line may not be whole: a full disk takes a part of it.
    torn: bool,
}

impl<W: Write> Lines<W> {
    /// Appends a line, in one write; what is left of a torn one stays a line of its own.
    fn append(&mut self, line: &impl Serialize) -> std::io::Result<()> {
        let mut text = if self.torn { vec![b'\n'] } else { Vec::new() };
        serde_json::to_writer(&mut text, line)?;
        text.push(b'\n');
        let written = self.to.write_all(&text);
        self.torn = written.is_err();
        written
    }
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
    /// [`CorpusError::Output`] where it cannot be written, [`CorpusError::Configuration`] where others can read or write it, or where it holds
    /// something else.
    pub(super) fn open(path: &Path, key: &Key) -> Result<Self> {
        if holds_something_else(path) {
            return Err(CorpusError::configuration(
                format!("--audit `{}` holds something else", path.display()),
                "name a new file, or one that `plainsight serve` has written",
            ));
        }
        let mut options = private_file();
        options.append(true).create(true);
        let file = options.open(path).map_err(|error| CorpusError::output(path.display().to_string(), error))?;
        check_private(path, "--audit")?;
        let lines = Lines { to: file, torn: ends_within_a_line(path).unwrap_or_default() };
        let audit = Self { lines: Mutex::new(lines), key: key.derive("query digest") };
        let began = Line { event: "server_begun", ..Line::default() };
        audit.write(&began).map_err(|error| CorpusError::output(path.display().to_string(), error))?;
        Ok(audit)
    }

    /// Appends a line.
    ///
    /// # Errors
    /// Those of the file.
    pub(super) fn write(&self, line: &Line<'_>) -> std::io::Result<()> {
        let time = DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Millis, true);
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).append(&Timed { time, line })
    }

    /// The keyed digest of a query's text, 32 hex digits.
    pub(super) fn digest(&self, text: &str) -> String {
        blake3::keyed_hash(&self.key, text.as_bytes()).to_hex()[..32].to_owned()
    }
}

/// What every line begins with, a torn one too.
const BEGINS: &[u8] = b"{\"time\":\"";

/// Whether a file is there that does not begin as a log does. One that may be written and not read is taken for one.
fn holds_something_else(path: &Path) -> bool {
    let is_file = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let Some(file) = is_file.then(|| File::open(path).ok()).flatten() else { return false };
    let mut first = Vec::new();
    file.take(BEGINS.len() as u64).read_to_end(&mut first).is_ok() && !BEGINS.starts_with(&first)
}

/// Whether a file that an earlier server has left ends within a line. One that may be written and not read is taken as whole.
fn ends_within_a_line(path: &Path) -> std::io::Result<bool> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(false);
    }
    let (mut file, mut last) = (File::open(path)?, [0]);
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for so many bytes.
    struct Disk {
        holds: Vec<u8>,
        room: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.room == 0 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            let taken = bytes.len().min(self.room);
            self.room -= taken;
            self.holds.extend_from_slice(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn another_file_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::from_hex(&"5e".repeat(32)).unwrap();
        for (name, text) in [("key", "5e5e5e\n"), ("users.toml", "[users]\n"), ("notes.jsonl", "{\"text\": \"a\"}\n")] {
            let path = folder.path().join(name);
            std::io::Write::write_all(
                &mut private_file().write(true).create(true).open(&path).unwrap(),
                text.as_bytes(),
            )
            .unwrap();
            assert!(matches!(Audit::open(&path, &key), Err(CorpusError::Configuration { .. })), "{name}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let path = folder.path().join("audit");
        assert!(Audit::open(&path, &key).is_ok() && Audit::open(&path, &key).is_ok());
    }

    #[test]
    fn what_a_full_disk_has_torn_stays_apart() {
        let mut lines = Lines { to: Disk { holds: Vec::new(), room: 12 }, torn: false };
        assert!(lines.append(&"first").is_ok() && lines.append(&"second").is_err() && lines.append(&"third").is_err());
        lines.to.room = 100;
        assert!(lines.append(&"fourth").is_ok() && lines.append(&"fifth").is_ok());
        assert_eq!(String::from_utf8(lines.to.holds).unwrap(), "\"first\"\n\"sec\n\"fourth\"\n\"fifth\"\n");
    }

    #[test]
    fn a_log_that_an_earlier_server_has_torn_goes_on_with_a_line_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit");
        let key = Key::from_hex(&"07".repeat(32)).unwrap();
        Audit::open(&path, &key).unwrap();
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"torn\"").unwrap();
        Audit::open(&path, &key).unwrap();
        Audit::open(&path, &key).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let whole = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
        assert_eq!(text.lines().map(whole).collect::<Vec<_>>(), [true, false, true, true], "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn a_log_that_others_can_write_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o622)).unwrap();
        let refused = Audit::open(&path, &Key::from_hex(&"07".repeat(32)).unwrap()).err().unwrap();
        assert!(refused.to_string().contains("chmod 600"), "{refused}");
    }
}
