//! Files for their owner's eyes: keys, audits, reviews, indexes of notes; and small files that are put in the place of others whole.

use std::fs::OpenOptions;
use std::io::{Error, Result, Write};
use std::path::{Path, PathBuf};

/// The mode of a file that only its owner reads.
pub const PRIVATE: u32 = 0o600;

/// Options with which a file that is made can be read and written by its owner only, where the system knows owners.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
    options
}

/// Puts a file with this content in the place of another, or of what a link leads to, whole or not at all; `mode` says who may read it, where the
/// system knows modes. What is no file, as `/dev/stdout`, is written to.
///
/// # Errors
/// Those of the file system.
pub fn put_whole(file: &Path, content: &[u8], mode: u32) -> Result<()> {
    let file = behind_links(file);
    if file.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return std::fs::write(file, content);
    }
    // Collectors of metrics pass over what does not end in .prom.
    let beside = hidden_beside(&file, &format!("{}.tmp", std::process::id()))?;
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

/// The file itself, where it is there.
pub fn behind_links(file: &Path) -> PathBuf {
    std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// A hidden file in the folder of another, and called after it.
///
/// # Errors
/// Where it names no file.
pub fn hidden_beside(file: &Path, ending: &str) -> Result<PathBuf> {
    let name = file.file_name().ok_or_else(|| Error::other("it names no file"))?;
    Ok(file.with_file_name(format!(".{}.{ending}", name.to_string_lossy())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a"), "old").unwrap();
        put_whole(&path("a"), b"new", PRIVATE).unwrap();
        assert_eq!(std::fs::read(path("a")).unwrap(), b"new");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(path("a")).unwrap().permissions().mode() & 0o777, PRIVATE);
        }
        assert!(put_whole(&path("none/a"), b"x", PRIVATE).is_err());
        std::fs::create_dir(path("folder")).unwrap();
        std::fs::write(path("folder/full"), "").unwrap();
        assert!(put_whole(&path("folder"), b"x", PRIVATE).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing half written is left");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_written_and_so_is_what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (list, link) = (folder.path().join("list"), folder.path().join("link"));
        std::fs::write(&list, "before").unwrap();
        std::os::unix::fs::symlink(&list, &link).unwrap();
        put_whole(&link, b"after", PRIVATE).unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&list).unwrap(), b"after");
        put_whole(Path::new("/dev/null"), b"gone", PRIVATE).unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
