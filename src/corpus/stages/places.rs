//! The places of a run: that they lie apart, that nothing of anybody else's is cleared, and that nothing half done stays.
//!
//! ```text
//! notes, patients ─ read only        out ─ empty, or an output of ours to be replaced        work ─ empty, or ours
//! ```
//!
//! Both guards clear up when they are dropped, so that an error, a signal and a panic leave the same: nothing.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// Marks a work location as ours, so that a later run may clear it.
const MARK: &str = "_plainsight-work";
/// Marks a folder as a span cache.
const CACHE_MARK: &str = "_plainsight-cache";
/// The tables that stages hand on.
pub(in crate::corpus) const TABLES: [&str; 9] = [
    "counts",
    "sentences",
    "claims",
    "second_pass",
    "candidates",
    "tagged",
    "shapes",
    "patients_of_shapes",
    "patients_of_units",
];
/// The indexes that stages hand on: of counts, of claims, of what the second pass looks for.
pub(in crate::corpus) const COUNT_INDEX: &str = "counts.idx";
pub(in crate::corpus) const CLAIM_INDEX: &str = "claims.idx";
pub(in crate::corpus) const DICTIONARIES: &str = "dictionaries.idx";

/// What is read, what is written and what is confidential must lie apart: one would overwrite, or leak into, the other. Places that are
/// only read may lie in one another.
pub(super) fn check_apart(
    inputs: &[(&str, &Location)],
    out: Option<&Location>,
    confidential: &[(&str, &Location)],
) -> Result<()> {
    let written: Vec<_> = out.map(|out| ("the output", out)).into_iter().chain(confidential.iter().copied()).collect();
    for (at, (name, place)) in written.iter().enumerate() {
        for (other_name, other) in inputs.iter().chain(&written[at + 1..]) {
            if place.is_within(other) || other.is_within(place) {
                return Err(CorpusError::configuration(
                    format!("{name} and {other_name} lie in one another"),
                    "give notes, patients, output, work and cache a place of their own each",
                ));
            }
        }
    }
    Ok(())
}

/// Takes a vacant folder for the span cache, or one that an earlier run has taken.
pub(super) async fn take_cache(location: &Location) -> Result<()> {
    if location.is_vacant().await? {
        location.create_confidential()?;
        return location.join(CACHE_MARK).write("").await;
    }
    match location.join(CACHE_MARK).is_vacant().await? {
        true => Err(CorpusError::configuration(
            format!("there is something at `{}`, and it is no span cache", location.uri()),
            "choose another --cache",
        )),
        false => Ok(()),
    }
}

/// What tells an output of `run` from anything else, so that it may be replaced.
pub(super) const RUN_REPORT: &str = "_plainsight/run.json";

/// Local places that were given up while workers may still have been writing there.
static ABANDONED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what workers wrote at places after they were given up; for the end of the process, when no worker is left.
pub fn clear_abandoned() {
    for path in ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_dir_all(path);
    }
}

/// An output under way; what is not finished is cleared.
pub(in crate::corpus) struct Output {
    location: Location,
    finished: bool,
}

impl Output {
    /// Takes a vacant location, or with `overwrite` one that holds an earlier output: there is a `mark` in it.
    pub(in crate::corpus) async fn take(location: &Location, mark: &str, overwrite: bool) -> Result<Self> {
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

    /// Takes a location with an earlier output of which parts are kept: nothing is cleared, whatever happens.
    pub(super) fn go_on(location: &Location) -> Self {
        Self { location: location.clone(), finished: true }
    }

    /// The output is whole.
    pub(in crate::corpus) fn finish(mut self) {
        self.finished = true;
    }

    /// Clears what was written, on any store. A failure to do so matters less than the error that led here.
    pub(super) async fn abandon(self) {
        if !self.finished {
            let _ = self.location.clear().await;
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.finished {
            remove_local(&self.location);
        }
    }
}

/// The refusal of a place where something is already.
pub(super) fn occupied(location: &Location) -> CorpusError {
    CorpusError::configuration(
        format!("there is something at `{}` already", location.uri()),
        "choose another --out, or give --overwrite",
    )
}

/// A work location; cleared at the end unless it is to be kept.
pub(super) struct Work {
    pub(super) location: Location,
    keep: bool,
}

impl Work {
    /// Takes a vacant location, or one that an earlier run has marked.
    pub(super) async fn take(location: &Location, keep: bool) -> Result<Self> {
        if !location.is_vacant().await? {
            if location.join(MARK).is_vacant().await? {
                return Err(CorpusError::configuration(
                    format!(
                        "there is something at the work location `{}`, and it is not from an earlier run",
                        location.uri()
                    ),
                    "choose another --work",
                ));
            }
            location.clear().await?;
        }
        location.create_confidential()?;
        location.join(MARK).write("").await?;
        Ok(Self { location: location.clone(), keep })
    }

    /// Ends the work; `refused` says that the list of refused rows must stay for the user.
    pub(super) async fn finish(mut self, refused: bool) -> Result<()> {
        if self.keep {
            return Ok(());
        }
        if !refused {
            return self.location.clear().await;
        }
        self.keep = true;
        for table in TABLES.iter().chain(&[COUNT_INDEX, CLAIM_INDEX, DICTIONARIES]) {
            self.location.join(table).clear().await?;
        }
        Ok(())
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if !self.keep {
            remove_local(&self.location);
        }
    }
}

fn remove_local(location: &Location) {
    if let Some(path) = location.local_path() {
        // Nobody is there to be told, and what led here is told already.
        let _ = std::fs::remove_dir_all(&path);
        ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).push(path);
    }
}
