//! What is on a local disk and is neither a file nor a folder: links that lead nowhere, pipes, sockets.
//!
//! Lists of a local folder pass over them. A link may be one to a disk that is not mounted, and a pipe may be where another program writes notes:
//! these would be missing without a word; so who reads all that is at a place asks here, too.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use object_store::path::Path as ObjectPath;

use super::Location;
use crate::corpus::error::{CorpusError, Result};

impl Location {
    /// Refuses links at or below a local folder that lead nowhere, and what is neither a file nor a folder, where `is_read` says that it is read, or
    /// led to what is.
    ///
    /// # Errors
    /// [`CorpusError::Input`] with the path of such a thing, and where a folder cannot be read.
    pub fn refuse_irregular(&self, is_read: impl Fn(&ObjectPath) -> bool) -> Result<()> {
        let Some(folder) = self.local_path().filter(|path| path.is_dir()) else { return Ok(()) };
        let mut irregular = Vec::new();
        collect(&folder, &mut irregular).map_err(|error| CorpusError::input(self.uri(), error))?;
        irregular.sort_unstable();
        for (found, reason) in irregular {
            let path = ObjectPath::from_absolute_path(&found).map_err(|error| CorpusError::input(self.uri(), error))?;
            if is_read(&path) {
                return Err(CorpusError::input(found.display().to_string(), reason));
            }
        }
        Ok(())
    }
}

/// Follows links, as lists do; one that leads in a circle is an error of the system in the end.
fn collect(folder: &Path, irregular: &mut Vec<(PathBuf, &'static str)>) -> std::io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        // Somebody has removed it meanwhile.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        let target = match kind.is_symlink() {
            true => match path.metadata() {
                Ok(target) => target.file_type(),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    irregular.push((path, "it is a link, and it leads nowhere"));
                    continue;
                }
                Err(error) => return Err(error),
            },
            false => kind,
        };
        if target.is_dir() {
            collect(&path, irregular)?;
        } else if !target.is_file() {
            irregular.push((path, "it is neither a file nor a folder"));
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_found_behind_those_that_lead_somewhere() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for place in ["notes/site=a", "elsewhere"] {
            std::fs::create_dir_all(root.join(place)).unwrap();
        }
        std::fs::write(root.join("elsewhere/whole"), "").unwrap();
        symlink(root.join("elsewhere"), root.join("notes/site=b")).unwrap();
        symlink(root.join("elsewhere/whole"), root.join("notes/site=a/x")).unwrap();
        let notes = Location::parse(root.join("notes").to_str().unwrap()).unwrap();
        notes.refuse_irregular(|_| true).unwrap();
        symlink("/nowhere/at/all", root.join("elsewhere/y z")).unwrap();
        let refused = notes.refuse_irregular(|path| notes.path_below(path) == "site=b/y z").unwrap_err().to_string();
        assert!(refused.contains("notes/site=b/y z"), "{refused}");
        notes.refuse_irregular(|_| false).unwrap();
        notes.join("site=a").refuse_irregular(|_| true).unwrap();
        notes.join("nowhere").refuse_irregular(|_| true).unwrap();
    }

    #[test]
    fn what_is_neither_file_nor_folder_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Location::parse(folder.path().to_str().unwrap()).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("notes.jsonl")).unwrap();
        symlink(folder.path().join("notes.jsonl"), folder.path().join("other.jsonl")).unwrap();
        for name in ["notes.jsonl", "other.jsonl"] {
            let refused = notes.refuse_irregular(|path| notes.path_below(path) == name).unwrap_err().to_string();
            assert!(refused.contains(name) && refused.contains("neither a file nor a folder"), "{refused}");
        }
        notes.refuse_irregular(|_| false).unwrap();
    }

    #[test]
    fn circles_end() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            symlink(".", folder.path().join(name)).unwrap();
        }
        let place = Location::parse(folder.path().to_str().unwrap()).unwrap();
        assert!(place.refuse_irregular(|_| true).is_err());
    }
}
