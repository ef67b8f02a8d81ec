//! What writers that were killed leave on a local disk.
//!
//! A local file is written beside its place (`part-000012.parquet#1`) and put there when it is whole. Lists do not show what is being
//! written, and so neither what stays of it when the writer is killed.

use std::path::{Path, PathBuf};

use super::Location;
use crate::corpus::error::{CorpusError, Result};

impl Location {
    /// The unfinished files at or below a local location, by path. Nobody may be writing there, or theirs are among them.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where a folder cannot be read.
    pub fn leftovers(&self) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        let Some(path) = self.local_path() else { return Ok(found) };
        let fail = |error: std::io::Error| CorpusError::input(self.uri(), error);
        if path.is_dir() {
            collect(&path, &mut found).map_err(fail)?;
        } else if let Some(folder) = path.parent().filter(|folder| folder.is_dir()) {
            for entry in std::fs::read_dir(folder).map_err(fail)? {
                let entry = entry.map_err(fail)?.path();
                if finished_name(&entry).is_some_and(|finished| finished == path) {
                    found.push(entry);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Removes the unfinished files at or below a local location, and says how many there were.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where one cannot be removed.
    pub fn remove_leftovers(&self) -> Result<u64> {
        let found = self.leftovers()?;
        for file in &found {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(CorpusError::output(file.display().to_string(), error));
                }
                _ => {}
            }
        }
        Ok(found.len() as u64)
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // Links are not followed: what they lead to is elsewhere.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), found)?;
        } else if kind.is_file() && is_unfinished(&entry.path()) {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Whether a file is one that was not finished, by its name.
pub(in crate::corpus) fn is_unfinished(file: &Path) -> bool {
    finished_name(file).is_some()
}

/// The place that an unfinished file would have been put at; none for a file that is none.
fn finished_name(file: &Path) -> Option<PathBuf> {
    let (finished, number) = file.file_name()?.to_str()?.rsplit_once('#')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !finished.is_empty()).then(|| file.with_file_name(finished))
}

#[cfg(test)]
mod tests {
    use object_store::ObjectStoreExt;

    use super::*;

    #[tokio::test]
    async fn what_a_killed_writer_leaves_is_seen_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let root = Location::parse(folder.path().to_str().unwrap()).unwrap();
        root.join("site=a/part.parquet").write("whole").await.unwrap();
        root.join("notes#1.txt").write("whole").await.unwrap();
        // What the store itself leaves, when it is not brought to an end and cannot clear up.
        let mut upload = root.store().put_multipart(root.join("site=a/part.parquet").path()).await.unwrap();
        upload.put_part("half".into()).await.unwrap();
        std::mem::forget(upload);
        let left = root.leftovers().unwrap();
        assert_eq!(left, [folder.path().canonicalize().unwrap().join("site=a/part.parquet#1")]);
        assert_eq!(root.list().await.unwrap().len(), 2);
        assert_eq!(root.join("site=a/part.parquet").leftovers().unwrap(), left);
        assert!(root.join("site=a/part").leftovers().unwrap().is_empty());
        root.join("site=a/part.parquet").clear().await.unwrap();
        assert!(root.leftovers().unwrap().is_empty());
        assert_eq!((root.remove_leftovers().unwrap(), root.list().await.unwrap().len()), (0, 1));
        assert!(root.join("nowhere").leftovers().unwrap().is_empty());
    }
}
