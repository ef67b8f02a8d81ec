//! Files that are put in the place of others whole or not at all.

use std::io::{Error, Result, Write};
use std::path::Path;

use crate::corpus::private_file;

/// Puts a file with this content in the place of another; `mode` says who may read it, where the system knows modes.
pub(super) fn put(file: &Path, content: &[u8], mode: u32) -> Result<()> {
    let name = file.file_name().ok_or_else(|| Error::other("it names no file"))?;
    // Collectors of metrics pass over what does not end in .prom.
    let beside = file.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let written = write_new(&beside, content, mode).and_then(|()| std::fs::rename(&beside, file));
    if written.is_err() {
        // What is left of it is of no use, and may be too much for a full disk.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

fn write_new(file: &Path, content: &[u8], mode: u32) -> Result<()> {
    let mut target = private_file().create(true).truncate(true).write(true).open(file)?;
    target.write_all(content)?;
    // Whatever the process's mask is.
    #[cfg(unix)]
    target.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = mode;
    target.sync_all()
}
