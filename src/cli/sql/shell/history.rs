//! What was typed in earlier sessions, in a file that only its owner can read.
//!
//! ```text
//! $XDG_STATE_HOME/plainsight/history      one entry a line; a line end within an entry is written \n, a backslash \\
//! ```
//!
//! Statements may hold names of patients, as in `WHERE name = 'Jo Hart'`. So the file has mode 0600, whatever it had before, and can be
//! left out: `--no-history`, an empty `PLAINSIGHT_HISTORY`. Not written are entries that begin with a space and those that seem to hold
//! a password or an access key. Each entry is written as soon as it is typed, so that several shells can share the file.

use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::corpus::private_file;

/// How many entries are taken from the file.
pub(super) const ENTRIES: usize = 1000;
/// How much of the file is read, and how long it may grow before it is cut to the latest entries, in bytes.
const LENGTH: u64 = 4 << 20;
/// What hints at a secret in an entry.
const SECRETS: [&str; 7] = ["password", "passphrase", "secret", "access_key", "account_key", "session_token", "sas_"];

/// Where the history is kept: `PLAINSIGHT_HISTORY` if it is set, none if that is empty; else under the folder for the state of programs, none
/// without a home.
pub(in crate::cli) fn history_place(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(named) = variable("PLAINSIGHT_HISTORY") {
        return (!named.is_empty()).then(|| named.into());
    }
    // By the rules for that folder, a relative path does not count.
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("plainsight/history"))
}

/// Whether an entry is kept at all, be it for this session alone.
pub(super) fn is_kept(entry: &str) -> bool {
    !entry.starts_with(' ') && !entry.trim().is_empty()
}

/// The file, open.
pub(super) struct History {
    file: File,
}

impl History {
    /// Opens or makes the file; gives the latest entries too, oldest first.
    ///
    /// # Errors
    /// It cannot be made, read or written, cannot be closed to others, or is no ordinary file.
    pub(super) fn open(path: &Path) -> io::Result<(Self, Vec<String>)> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let mut builder = DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.recursive(true).create(folder)?;
        }
        let mut options = private_file();
        options.read(true).append(true).create(true);
        // A pipe would be waited for.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        let mut file = options.open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no ordinary file"));
        }
        #[cfg(unix)]
        if std::os::unix::fs::PermissionsExt::mode(&file.metadata()?.permissions()) & 0o077 != 0 {
            file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        }
        let entries = entries(&mut file)?;
        Ok((Self { file }, entries))
    }

    /// Writes an entry, unless it seems to hold a secret.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn keep(&mut self, entry: &str) -> io::Result<()> {
        let lower = entry.to_lowercase();
        if !is_kept(entry) || SECRETS.iter().any(|secret| lower.contains(secret)) {
            return Ok(());
        }
        // In one piece, or another shell's entry could come between.
        self.file.write_all(line(entry).as_bytes())
    }
}

/// Reads the latest entries, and cuts the file to them where it has grown long.
fn entries(file: &mut File) -> io::Result<Vec<String>> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LENGTH)))?;
    let mut bytes = Vec::new();
    file.take(LENGTH).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<&str> = text.lines().collect();
    if length > LENGTH && !lines.is_empty() {
        // It began elsewhere.
        lines.remove(0);
    }
    let latest = &lines[lines.len().saturating_sub(ENTRIES)..];
    let is_long = length > LENGTH || lines.len() > 2 * ENTRIES;
    // Another shell that cuts it now does the same.
    if is_long && file.try_lock().is_ok() {
        let kept: String = latest.iter().flat_map(|line| [*line, "\n"]).collect();
        let cut = file.set_len(0).and_then(|()| file.write_all(kept.as_bytes()));
        file.unlock()?;
        cut?;
    }
    Ok(latest.iter().map(|line| entry(line)).filter(|entry| is_kept(entry)).collect())
}

/// An entry as a line of the file.
fn line(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r") + "\n"
}

/// The entry of a line of the file.
fn entry(line: &str) -> String {
    let mut characters = line.chars();
    let mut entry = String::with_capacity(line.len());
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => entry.push('\n'),
                Some('r') => entry.push('\r'),
                other => entry.extend(other),
            },
            other => entry.push(other),
        }
    }
    entry
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_place_follows_the_environment() {
        let place = |set: &[(&str, &str)]| {
            history_place(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
                .map(|path| path.to_str().unwrap().to_owned())
        };
        assert_eq!(place(&[("HOME", "/h")]).unwrap(), "/h/.local/state/plainsight/history");
        assert_eq!(place(&[("HOME", "/h"), ("XDG_STATE_HOME", "/s")]).unwrap(), "/s/plainsight/history");
        assert_eq!(place(&[("HOME", "/h"), ("XDG_STATE_HOME", "s")]).unwrap(), "/h/.local/state/plainsight/history");
        assert_eq!(place(&[("HOME", "/h"), ("PLAINSIGHT_HISTORY", "mine")]).unwrap(), "mine");
        assert_eq!(place(&[("HOME", "/h"), ("PLAINSIGHT_HISTORY", "")]), None);
        assert_eq!(place(&[]), None);
    }

    #[test]
    fn what_is_kept_comes_back_in_a_file_of_the_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/plainsight/history");
        let (mut history, before) = History::open(&path).unwrap();
        assert_eq!(before, [""; 0]);
        for entry in
            ["SELECT 'a\\n',\n\t2;", "\\d notes", " SELECT 'private';", "SET x.Secret_Access_Key = 'k';", "  \n"]
        {
            history.keep(entry).unwrap();
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
            assert_eq!(History::open(&path).unwrap().1, ["SELECT 'a\\n',\n\t2;", "\\d notes"]);
            assert_eq!(mode(&path), 0o600);
        }
        let held = std::fs::read_to_string(&path).unwrap();
        assert!(!held.contains("private") && !held.contains("Secret"), "{held}");
        assert!(History::open(folder.path()).is_err());
    }

    #[test]
    fn a_long_file_is_cut_to_the_latest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let lines: String = (0..3 * ENTRIES).map(|number| format!("SELECT {number};\n")).collect();
        std::fs::write(&path, lines).unwrap();
        let (mut history, entries) = History::open(&path).unwrap();
        assert_eq!((entries.len(), entries[0].as_str()), (ENTRIES, "SELECT 2000;"));
        history.keep("last").unwrap();
        let held = std::fs::read_to_string(&path).unwrap();
        assert_eq!((held.lines().count(), held.lines().last()), (ENTRIES + 1, Some("last")));
    }

    proptest! {
        #[test]
        fn an_entry_is_one_line_and_comes_back(text in any::<String>()) {
            let written = line(&text);
            prop_assert_eq!(written.find('\n'), Some(written.len() - 1));
            prop_assert_eq!(entry(written.trim_end_matches('\n')), text);
        }
    }
}
