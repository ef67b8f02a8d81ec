//! Files that one process holds at a time: the lock goes with the process, however that ends.

use std::fs::{File, TryLockError};
use std::io::Result;
use std::path::Path;

/// Opens a file, or makes it, and locks it; none while another holds it. What was in it stays.
///
/// # Errors
/// Those of the file system.
pub(crate) fn lock(path: &Path) -> Result<Option<File>> {
    lock_by(path, File::try_lock)
}

/// The same for several at a time: none while one holds it alone.
///
/// # Errors
/// Those of the file system.
pub(super) fn lock_shared(path: &Path) -> Result<Option<File>> {
    lock_by(path, File::try_lock_shared)
}

fn lock_by(path: &Path, try_lock: fn(&File) -> std::result::Result<(), TryLockError>) -> Result<Option<File>> {
    loop {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        match try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Its holder may have removed the file before the lock was free: then the lock is on no file at all.
        if is_at(&file, path) {
            return Ok(Some(file));
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (open, there) = (file.metadata().map(place).ok(), std::fs::metadata(path).map(place).ok());
    open.is_some() && open == there
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_at_a_time_and_what_was_in_it_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        std::fs::write(&path, "before").unwrap();
        let held = lock(&path).unwrap().unwrap();
        assert!(lock(&path).unwrap().is_none());
        drop(held);
        assert!(lock(&path).unwrap().is_some());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
        let (one, another) = (lock_shared(&path).unwrap(), lock_shared(&path).unwrap());
        assert!(one.is_some() && another.is_some() && lock(&path).unwrap().is_none());
        drop((one, another));
        let held = lock(&path).unwrap();
        assert!(held.is_some() && lock_shared(&path).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_removed_under_its_lock_is_not_held() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        let gone = lock(&path).unwrap().unwrap();
        std::fs::remove_file(&path).unwrap();
        let held = lock(&path).unwrap().unwrap();
        assert!(!is_at(&gone, &path) && is_at(&held, &path));
    }
}
