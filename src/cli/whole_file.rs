//! Files that commands put where they are told to: new ones, not among what is read, and by one command at a time.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::{CorpusError, JobOptions, Location, PRIVATE, behind_links, hidden_beside, lock, put_whole};

/// How long a command waits for another that holds a file: that reads and writes it, and asks nobody anything meanwhile.
const PATIENCE: Duration = Duration::from_secs(30);

/// Refuses, before anything long is done, files that are there, that are to lie in no folder, and one that is named twice.
///
/// # Errors
/// [`CorpusError::Output`].
pub(super) fn check_new(files: &[&Path]) -> crate::corpus::Result<()> {
    let mut places = Vec::new();
    for file in files {
        let refused = |reason: &str| Err(CorpusError::output(file.display().to_string(), reason));
        if file.to_string_lossy().contains("://") {
            return refused("it is not on this machine: give a local file");
        }
        let Ok(folder) = std::fs::canonicalize(folder_of(file)) else {
            return refused("it is to lie in a folder that is not there");
        };
        if file.symlink_metadata().is_ok() {
            return refused("there is a file already, and it is not written over");
        }
        refuse_released_place(file)?;
        let place = folder.join(file.file_name().unwrap_or_default());
        if places.contains(&place) {
            return refused("it is named twice");
        }
        places.push(place);
    }
    Ok(())
}

/// Refuses a local file that would lie in what `run` has released: whoever is given that folder would be given it, too.
///
/// # Errors
/// [`CorpusError::Configuration`].
pub(super) fn refuse_released_place(file: &Path) -> crate::corpus::Result<()> {
    refuse_overwriting(&[("this command", Location::parse(&file.to_string_lossy())?)], &[], &[])
}

/// Refuses local files that a job would write, by their flags, in the places where it reads or works: notes are read from files of any kind.
///
/// # Errors
/// [`CorpusError::Configuration`] with the two.
pub(super) fn refuse_among_inputs(files: &[(&'static str, &Path)], options: &JobOptions) -> crate::corpus::Result<()> {
    let place = |(flag, file): &(&'static str, &Path)| Ok((*flag, Location::parse(&file.to_string_lossy())?));
    let files = files.iter().map(place).collect::<crate::corpus::Result<Vec<_>>>()?;
    let closed = [("--notes", options.notes.clone()), ("the work location", options.work.clone())];
    refuse_overwriting(&files, &[], &closed)
}

/// The folder of a file.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// Puts a file with this content where none is, for its owner only.
pub(super) fn put_new(file: &Path, content: &[u8]) -> Result<()> {
    match file.symlink_metadata() {
        Ok(_) => {
            Err(Error::new(ErrorKind::AlreadyExists, "a file has come there meanwhile, and it is not written over"))
        }
        Err(_) => put_whole(file, content, PRIVATE),
    }
}

/// Holds a file for a command that reads and writes it: others wait so long.
pub(super) struct Alone {
    mark: PathBuf,
    _lock: File,
}

impl Alone {
    /// Waits until nobody else holds the file.
    ///
    /// # Errors
    /// Those of the file system, and [`ErrorKind::TimedOut`] where somebody holds it for long.
    pub(super) fn with(file: &Path) -> Result<Self> {
        let mark = hidden_beside(&behind_links(file), "lock")?;
        let begun = Instant::now();
        loop {
            match lock(&mark)? {
                Some(lock) => return Ok(Self { mark, _lock: lock }),
                None if begun.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(20)),
                None => return Err(Error::new(ErrorKind::TimedOut, "another command is at work on it")),
            }
        }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        // Under the lock: whoever waits for it finds that the file is gone, and makes one anew.
        let _ = std::fs::remove_file(&self.mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_files_lie_in_folders_that_are_there_and_are_not_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("there"), "").unwrap();
        assert!(check_new(&[&path("new"), &path("other")]).is_ok());
        for files in [["there", "new"], ["none/new", "new"], ["new", "new"]] {
            let files = files.map(path);
            assert!(check_new(&files.each_ref().map(PathBuf::as_path)).is_err(), "{files:?}");
        }
        put_new(&path("new"), b"one").unwrap();
        assert!(put_new(&path("new"), b"two").is_err());
        assert_eq!(std::fs::read(path("new")).unwrap(), b"one");
    }

    #[test]
    fn one_command_holds_a_file_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        std::fs::write(&list, "0").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let _alone = Alone::with(&list).unwrap();
                        let count: u32 = std::fs::read_to_string(&list).unwrap().parse().unwrap();
                        put_whole(&list, (count + 1).to_string().as_bytes(), PRIVATE).unwrap();
                    }
                });
            }
        });
        assert_eq!(std::fs::read_to_string(&list).unwrap(), "100");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
