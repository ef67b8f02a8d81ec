//! Files that are put in the place of others whole or not at all, by one command at a time.

use std::fs::File;
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::{CorpusError, JobOptions, Location, lock, private_file};

/// The mode of a file that only its owner reads.
pub(super) const PRIVATE: u32 = 0o600;
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
        let Ok(folder) = std::fs::canonicalize(folder_of(file)) else {
            return refused("it is to lie in a folder that is not there");
        };
        if file.symlink_metadata().is_ok() {
            return refused("there is a file already, and it is not written over");
        }
        let place = folder.join(file.file_name().unwrap_or_default());
        if places.contains(&place) {
            return refused("it is named twice");
        }
        places.push(place);
    }
    Ok(())
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
        Err(_) => put(file, content, PRIVATE),
    }
}

/// Puts a file with this content in the place of another, or of what a link leads to; `mode` says who may read it, where the system knows modes.
pub(super) fn put(file: &Path, content: &[u8], mode: u32) -> Result<()> {
    let file = behind_links(file);
    // Collectors of metrics pass over what does not end in .prom.
    let beside = beside(&file, &format!("{}.tmp", std::process::id()))?;
    // Of an earlier process of this number, which was killed.
    let _ = std::fs::remove_file(&beside);
    let written = write_new(&beside, content, mode).and_then(|()| std::fs::rename(&beside, &file));
    if written.is_err() {
        // What is left of it is of no use, and may be too much for a full disk.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

fn write_new(file: &Path, content: &[u8], mode: u32) -> Result<()> {
    let mut target = private_file().create_new(true).write(true).open(file)?;
    target.write_all(content)?;
    // Whatever the process's mask is.
    #[cfg(unix)]
    target.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = mode;
    target.sync_all()
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
        let mark = beside(&behind_links(file), "lock")?;
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

/// The file itself, where it is there.
fn behind_links(file: &Path) -> PathBuf {
    std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// A hidden file in the folder of another, and called after it.
fn beside(file: &Path, ending: &str) -> Result<PathBuf> {
    let name = file.file_name().ok_or_else(|| Error::other("it names no file"))?;
    Ok(file.with_file_name(format!(".{}.{ending}", name.to_string_lossy())))
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
    fn a_file_is_replaced_whole_and_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a"), "old").unwrap();
        put(&path("a"), b"new", PRIVATE).unwrap();
        assert_eq!(std::fs::read(path("a")).unwrap(), b"new");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(path("a")).unwrap().permissions().mode() & 0o777, PRIVATE);
        }
        assert!(put(&path("none/a"), b"x", PRIVATE).is_err());
        std::fs::create_dir(path("folder")).unwrap();
        std::fs::write(path("folder/full"), "").unwrap();
        assert!(put(&path("folder"), b"x", PRIVATE).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing half written is left");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (list, link) = (folder.path().join("list"), folder.path().join("link"));
        std::fs::write(&list, "before").unwrap();
        std::os::unix::fs::symlink(&list, &link).unwrap();
        put(&link, b"after", PRIVATE).unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&list).unwrap(), b"after");
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
                        put(&list, (count + 1).to_string().as_bytes(), PRIVATE).unwrap();
                    }
                });
            }
        });
        assert_eq!(std::fs::read_to_string(&list).unwrap(), "100");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
