//! Files that nobody else may read: a secret that others of the machine know is none.
//!
//! ```text
//! 0600 0400 ann          fine            0640 ann    0644 ann    0604 root      refused
//! 0640 0440 root:site    fine: a secret that was mounted; root says who is in the group
//! ```
//!
//! Whoever could write a file could put a secret of his own in its place, so that counts as well.

use std::fs::Metadata;
use std::path::Path;

use crate::corpus::{CorpusError, Result};

/// Whether a file is its owner's alone, or root's and its group's. What is no file, such as a pipe, is left to those who give it.
///
/// # Errors
/// [`CorpusError::Configuration`] where others can read or write it, or where that cannot be told.
pub(crate) fn check_private(path: &Path, flag: &str) -> Result<()> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && is_open_to_others(&metadata) => Err(open_to_others(path, flag)),
        Ok(_) => Ok(()),
        Err(error) => Err(CorpusError::configuration(
            format!("{flag} `{}`: {error}", path.display()),
            "give a file that can be read",
        )),
    }
}

/// What is said of a file that others can read.
pub(super) fn open_to_others(path: &Path, flag: &str) -> CorpusError {
    CorpusError::configuration(
        format!("{flag} `{}`: other users of this machine can read or write it", path.display()),
        "chmod 600 it, or 640 where root owns it and the group is the program's own",
    )
}

/// Whether others can read or write a file.
#[cfg(unix)]
pub(super) fn is_open_to_others(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    is_open(metadata.mode(), metadata.uid())
}

#[cfg(not(unix))]
pub(super) fn is_open_to_others(_: &Metadata) -> bool {
    false
}

/// Whether a mode lets others in: only root, whose secrets are mounted for a program, may let the group read.
#[cfg(unix)]
fn is_open(mode: u32, owner: u32) -> bool {
    let denied = if owner == 0 { 0o037 } else { 0o077 };
    mode & denied != 0
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_roots_files_may_be_read_by_their_group() {
        for (mode, owner, expected) in [
            (0o100600, 1000, false),
            (0o100400, 1000, false),
            (0o100640, 1000, true),
            (0o100604, 1000, true),
            (0o100620, 1000, true),
            (0o100600, 0, false),
            (0o100640, 0, false),
            (0o100440, 0, false),
            (0o100660, 0, true),
            (0o100644, 0, true),
            (0o100444, 0, true),
        ] {
            assert_eq!(is_open(mode, owner), expected, "{mode:o} of {owner}");
        }
    }

    #[test]
    fn what_is_open_is_told_with_its_flag_and_what_to_do() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site.key");
        let refused = |mode: u32| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            check_private(&path, "--cluster-key").err().map(|error| error.to_string())
        };
        std::fs::write(&path, "key").unwrap();
        assert_eq!(refused(0o600), None);
        let told = refused(0o644).unwrap();
        assert!(told.contains("--cluster-key") && told.contains("site.key") && told.contains("chmod 600"), "{told}");
        let missing = check_private(&folder.path().join("missing"), "--tls-key").unwrap_err().to_string();
        assert!(missing.contains("--tls-key") && missing.contains("missing"), "{missing}");
        assert!(check_private(Path::new("/dev/null"), "--key-file").is_ok());
    }
}
