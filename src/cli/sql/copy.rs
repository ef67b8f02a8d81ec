//! Where `COPY … TO` writes. The engine would write over what is there, and where the statement fails in its middle leave a file of some of the
//! rows that looks whole. So a local file, or a folder that is not there yet, is written under a hidden name beside its place, and gets its own
//! name when all rows are in it.
//!
//! ```text
//! COPY … TO 'notes.parquet'    .copy-1f3a-18c2-notes.parquet ──all rows──▶ notes.parquet
//! ```
//!
//! A folder that is there gets further files at once, and so does an object store.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use datafusion::datasource::listing::ListingTableUrl;
use datafusion::logical_expr::LogicalPlan;
use datafusion::logical_expr::dml::CopyTo;
use url::Url;

use crate::corpus::{CorpusError, Result};

/// What is written beside its place. Removed unless it is put there.
pub(super) struct Copied {
    beside: PathBuf,
    place: PathBuf,
    is_one_file: bool,
}

impl Copied {
    /// A statement that writes beside the place that it names; what does not copy to a local place is as it was.
    pub(super) fn aside(plan: LogicalPlan) -> (LogicalPlan, Option<Self>) {
        match plan {
            LogicalPlan::Copy(mut copy) => {
                let aside = Self::of(&copy);
                let copied = aside.map(|(beside, url)| {
                    copy.output_url = url.into();
                    beside
                });
                (LogicalPlan::Copy(copy), copied)
            }
            LogicalPlan::Analyze(mut analyze) => {
                let (input, copied) = Self::aside(Arc::unwrap_or_clone(analyze.input));
                analyze.input = Arc::new(input);
                (LogicalPlan::Analyze(analyze), copied)
            }
            other => (other, None),
        }
    }

    fn of(copy: &CopyTo) -> Option<(Self, Url)> {
        let target = ListingTableUrl::parse(&copy.output_url).ok().filter(|url| url.get_glob().is_none())?;
        let path = (target.scheme() == "file").then(|| target.get_url().to_file_path().ok()).flatten()?;
        if path.is_dir() {
            return None;
        }
        // A folder's name without the slash at its end.
        let place: PathBuf = path.components().collect();
        let (beside, is_one_file) = (beside(&place)?, is_one_file(copy, &target));
        // The ending, by which one file is told from a folder, is the same.
        let url = if is_one_file { Url::from_file_path(&beside) } else { Url::from_directory_path(&beside) };
        Some((Self { beside, place, is_one_file }, url.ok()?))
    }

    /// Gives what was written its name.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the system refuses.
    pub(super) fn put(self) -> Result<()> {
        match std::fs::rename(&self.beside, &self.place) {
            // Without rows there are no files in a folder, and so there is no folder.
            Err(error) if self.is_one_file || error.kind() != ErrorKind::NotFound => {
                Err(CorpusError::output(self.place.to_string_lossy(), error))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        // Nothing is there where it was put in its place, or where nothing was written.
        let _ = std::fs::remove_file(&self.beside).or_else(|_| std::fs::remove_dir_all(&self.beside));
    }
}

/// A hidden name in the same folder, which nothing has.
fn beside(place: &Path) -> Option<PathBuf> {
    let name = place.file_name()?.to_str()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    Some(place.with_file_name(format!(".copy-{:x}-{now:x}-{name}", std::process::id())))
}

/// Whether the engine writes one file, and no folder of them.
fn is_one_file(copy: &CopyTo, target: &ListingTableUrl) -> bool {
    let wanted = match copy.options.get("single_file_output").map(|wanted| wanted.trim()) {
        Some("true") => true,
        Some("false") => false,
        _ => !target.is_collection() && target.file_extension().is_some(),
    };
    wanted && copy.partition_by.is_empty()
}
