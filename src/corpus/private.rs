//! Files for their owner's eyes: keys, audits, reviews, indexes of notes.

use std::fs::OpenOptions;

/// Options with which a file that is made can be read and written by its owner only, where the system knows owners.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
