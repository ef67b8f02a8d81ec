//! Links on a local disk that lead nowhere.
//!
//! Lists of a local folder pass over a link whose target is not there, such as one to a disk that is not mounted. What lies behind it would be
//! missing without a word; so who reads all that is at a place asks here, too.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use object_store::path::Path as ObjectPath;

use super::Location;
use crate::corpus::error::{CorpusError, Result};

impl Location {
    /// Refuses links at or below a local folder that lead nowhere, of those that `is_read` says are read, or led to what is.
    ///
    /// # Errors
    /// [`CorpusError::Input`] with the path of such a link, and where a folder cannot be read.
    pub fn refuse_lost_links(&self, is_read: impl Fn(&ObjectPath) -> bool) -> Result<()> {
        let Some(folder) = self.local_path().filter(|path| path.is_dir()) else { return Ok(()) };
        let mut lost = Vec::new();
        collect(&folder, &mut lost).map_err(|error| CorpusError::input(self.uri(), error))?;
        lost.sort_unstable();
        for link in lost {
            let path = ObjectPath::from_absolute_path(&link).map_err(|error| CorpusError::input(self.uri(), error))?;
            if is_read(&path) {
                return Err(CorpusError::input(link.display().to_string(), "it is a link, and it leads nowhere"));
            }
        }
        Ok(())
    }
}

/// Follows links, as lists do; one that leads in a circle is an error of the system in the end.
fn collect(folder: &Path, lost: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        // Somebody has removed it meanwhile.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        if kind.is_dir() {
            collect(&path, lost)?;
        } else if kind.is_symlink() {
            match path.metadata() {
                Ok(target) if target.is_dir() => collect(&path, lost)?,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => lost.push(path),
                Err(error) => return Err(error),
            }
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
        notes.refuse_lost_links(|_| true).unwrap();
        symlink("/nowhere/at/all", root.join("elsewhere/y z")).unwrap();
        let refused = notes.refuse_lost_links(|path| notes.path_below(path) == "site=b/y z").unwrap_err().to_string();
        assert!(refused.contains("notes/site=b/y z"), "{refused}");
        notes.refuse_lost_links(|_| false).unwrap();
        notes.join("site=a").refuse_lost_links(|_| true).unwrap();
        notes.join("nowhere").refuse_lost_links(|_| true).unwrap();
    }

    #[test]
    fn circles_end() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            symlink(".", folder.path().join(name)).unwrap();
        }
        let place = Location::parse(folder.path().to_str().unwrap()).unwrap();
        assert!(place.refuse_lost_links(|_| true).is_err());
    }
}
