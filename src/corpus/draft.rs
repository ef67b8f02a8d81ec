//! A data set under way that cannot be gone on with: what is not finished is cleared.
//!
//! The guard clears up when it is dropped, so that an error, a signal and a panic leave the same: nothing.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::error::{CorpusError, Result};
use super::output::occupied;
use super::store::Location;

/// Local places that were given up while workers may still have been writing there.
static ABANDONED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what workers wrote at places after they were given up; for the end of the process, when no worker is left.
pub fn clear_abandoned() {
    for path in ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_dir_all(path);
    }
}

/// A data set under way.
pub(super) struct Draft {
    location: Location,
    finished: bool,
}

impl Draft {
    /// Takes a vacant location, or with `overwrite` one that holds an earlier data set of the same make: there is a `mark` in it.
    pub(super) async fn take(location: &Location, mark: &str, overwrite: bool) -> Result<Self> {
        if !location.is_vacant().await? {
            if !overwrite {
                return Err(occupied(location));
            }
            if location.join(mark).is_vacant().await? {
                return Err(CorpusError::configuration(
                    format!(
                        "`{}` holds no earlier output of this command (no {mark}), and is not replaced",
                        location.uri()
                    ),
                    "choose another --out",
                ));
            }
            location.clear().await?;
        }
        Ok(Self { location: location.clone(), finished: false })
    }

    /// The data set is whole.
    pub(super) fn finish(mut self) {
        self.finished = true;
        if let Some(path) = self.location.local_path() {
            // An earlier try at this place may have been given up.
            ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).retain(|abandoned| *abandoned != path);
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let (false, Some(path)) = (self.finished, self.location.local_path()) {
            // Nobody is there to be told, and what led here is told already.
            let _ = std::fs::remove_dir_all(&path);
            ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).push(path);
        }
    }
}
