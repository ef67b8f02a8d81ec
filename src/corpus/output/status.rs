//! How an output stands, for those who schedule runs; and the removal of what dead runs have left.
//!
//! ```text
//! vacant ─▶ running ─┬─▶ whole ─ parts are lost ─▶ damaged ─ run with --overwrite or --incremental ─▶ whole
//!                    └─▶ interrupted ─ run again ─▶ whole
//!                                    └ clean ─▶ vacant, or what an incremental run can go on from
//! ```

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::contents::{Parts, damage, files, has_own, is_foreign, is_ours, sizes};
use super::lease::{Lease, WRITER, Writer, holder};
use super::manifest::{MANIFEST, Manifest};
use super::{PREVIOUS, RECORDS, RUN_REPORT, SUCCESS};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// How an output stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// There is nothing.
    Vacant,
    /// There is something, and it is no output of plainsight.
    Foreign,
    /// A run is writing it; or one has died on another machine, which only the next run finds out.
    Running,
    /// A run has ended before its end. The same run again goes on from here.
    Interrupted,
    /// It is whole.
    Whole,
    /// It was whole, and parts of it are missing or of another size, or its manifest is.
    Damaged,
}

/// What is known of an output from itself alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// How it stands.
    pub state: State,
    /// Who writes it, or was writing when it was interrupted.
    pub writer: Option<Writer>,
    /// When the writer's lease was last renewed, by the clock of the object store (RFC 3339): a writer that lives renews it every ten seconds.
    pub renewed: Option<String>,
    /// Parts that are finished: all of a whole output, those that are left of a damaged one, those recorded so far of another, and where an
    /// incremental run was interrupted those of the earlier output that are still there.
    pub parts: u64,
    /// Parts that a damaged output has lost.
    pub lost: u64,
    /// Rows of those parts, where it was whole once.
    pub rows: Option<u64>,
    /// Rows that were refused when it was made.
    pub refused: Option<u64>,
    /// Names the key of an output that was whole without telling it.
    pub key_id: Option<String>,
    /// The version of plainsight that made it.
    pub version: Option<String>,
    /// Files that belong to nothing whole: what `clean` removes.
    pub leftovers: u64,
    /// The work location, confidential, where there is one: the same run goes on from it, and `clean` removes it.
    pub work: Option<String>,
}

impl Status {
    /// The same where a work location is known to be there. A run that ended before it wrote anything to its output has left that alone.
    #[must_use]
    pub fn with_work(mut self, work: String) -> Self {
        if self.state == State::Vacant {
            self.state = State::Interrupted;
        }
        self.work = Some(work);
        self
    }
}

/// How the output at a location stands.
///
/// # Errors
/// [`CorpusError::Input`] where the store does not answer or the manifest is of another version.
pub async fn status(location: &Location) -> Result<Status> {
    let sizes = sizes(location).await?;
    let files: BTreeSet<String> = sizes.keys().cloned().collect();
    let is_broken = Manifest::is_broken(location).await?;
    let manifest = if is_broken { None } else { Manifest::read(location).await? };
    let named = manifest.as_ref().map(|manifest| Parts::of(manifest, &sizes));
    let writer = holder(location).await?;
    let lives = writer.as_ref().is_some_and(|(_, dead)| !dead);
    let state = match &named {
        _ if files.is_empty() => State::Vacant,
        _ if !has_own(&files) => State::Foreign,
        _ if lives => State::Running,
        Some(Parts { lost: 0, .. }) if files.contains(SUCCESS) => State::Whole,
        // Whoever waits for `_SUCCESS` waits in vain.
        Some(Parts { lost: 0, .. }) => State::Interrupted,
        Some(_) => State::Damaged,
        // `_SUCCESS` comes after the manifest and goes before it: somebody else has taken that away.
        None if files.contains(SUCCESS) || is_broken => State::Damaged,
        None => State::Interrupted,
    };
    let previous = match &manifest {
        Some(_) => None,
        None => Manifest::read_file(&location.join(PREVIOUS)).await?,
    };
    let earlier = previous.map_or(0, |previous| Parts::of(&previous, &sizes).there);
    let recorded = files.iter().filter(|file| file.starts_with(&format!("{RECORDS}/"))).count() as u64;
    let leftovers = match state {
        // Nobody can tell what belongs to it.
        _ if is_broken => 0,
        State::Whole | State::Damaged | State::Interrupted => gone(location, &files).await?.len() as u64,
        State::Vacant | State::Foreign | State::Running => 0,
    };
    let whole = manifest.as_ref();
    let renewed = match (state, location.local_path()) {
        (State::Running, None) => {
            location.join(WRITER).list().await?.first().map(|file| file.last_modified.to_rfc3339())
        }
        _ => None,
    };
    Ok(Status {
        state,
        writer: writer.map(|(writer, _)| writer),
        renewed,
        parts: named.map_or(recorded + earlier, |parts| parts.there),
        lost: named.map_or(0, |parts| parts.lost),
        rows: named.map(|parts| parts.rows),
        refused: whole.map(|manifest| manifest.refused),
        key_id: whole.map(|manifest| manifest.key_id.clone()),
        version: whole.map(|manifest| manifest.version.clone()),
        leftovers,
        work: None,
    })
}

/// Removes what dead runs have left in an output: all of one that was never whole; of a whole one what its manifest does not name. Gives the
/// number of files.
///
/// # Errors
/// [`CorpusError::Configuration`] where there is no output of plainsight; [`CorpusError::Busy`] while one is being written.
pub async fn clean(location: &Location) -> Result<u64> {
    if location.is_vacant().await? {
        return Ok(0);
    }
    if is_foreign(location).await? {
        return Err(CorpusError::configuration(
            format!("there is something at `{}`, and it is no output of plainsight", location.uri()),
            "give the --out of a run",
        ));
    }
    let lease = Lease::take(location).await?;
    let removed = remove(location).await;
    lease.give_back(false).await;
    if let (Some(path), true) = (location.local_path(), files(location).await?.is_empty()) {
        remove_empty(&path);
    }
    removed
}

async fn remove(location: &Location) -> Result<u64> {
    let gone = gone(location, &files(location).await?).await?;
    let removed = gone.len() as u64;
    location.remove_all(gone.iter().map(|file| location.join(file)).collect()).await?;
    Ok(removed + location.remove_leftovers()?)
}

/// The files that belong to nothing whole.
async fn gone(location: &Location, files: &BTreeSet<String>) -> Result<Vec<String>> {
    let whole = Manifest::read(location).await?;
    let previous = Manifest::read_file(&location.join(PREVIOUS)).await?;
    if whole.is_none() && previous.is_none() && files.contains(RUN_REPORT) && files.contains(SUCCESS) {
        return Ok(Vec::new());
    }
    let mut kept: BTreeSet<&str> = BTreeSet::from([WRITER]);
    match (&whole, &previous) {
        (Some(_), _) => kept.extend([MANIFEST, RUN_REPORT, SUCCESS]),
        (None, Some(_)) => kept.extend([PREVIOUS]),
        (None, None) => {}
    }
    let parts = whole.iter().chain(previous.iter().filter(|_| whole.is_none())).flat_map(|manifest| &manifest.parts);
    kept.extend(parts.filter(|part| !part.stale).filter_map(|part| part.name.as_deref()));
    Ok(files.iter().filter(|file| !kept.contains(file.as_str()) && is_ours(file)).cloned().collect())
}

/// Removes folders in which there is nothing but such folders.
fn remove_empty(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path());
        }
    }
    // One that holds something stays.
    let _ = std::fs::remove_dir(folder);
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Vacant => "vacant: there is nothing".to_owned(),
            State::Foreign => "foreign: there is something, and it is no output of plainsight".to_owned(),
            State::Running => "running: a run is writing it".to_owned(),
            State::Interrupted => {
                "interrupted: a run has ended before its end; the same run again goes on from here".to_owned()
            }
            State::Whole => "whole".to_owned(),
            State::Damaged if self.lost == 0 => "damaged: its manifest is missing, or no whole file".to_owned(),
            State::Damaged => format!("damaged: {}", damage(self.lost, self.parts + self.lost)),
        };
        writeln!(formatter, "  {:<12}{state}", "state")?;
        if let Some(writer) = &self.writer {
            writeln!(formatter, "  {:<12}process {} on {}", "writer", writer.process, writer.host)?;
        }
        if let Some(renewed) = &self.renewed {
            writeln!(formatter, "  {:<12}{renewed}; whoever lives does so every 10 s", "renewed")?;
        }
        for (name, count) in [
            ("parts", Some(self.parts)),
            ("rows", self.rows),
            ("refused", self.refused),
            ("leftovers", Some(self.leftovers)),
        ] {
            if let Some(count) = count {
                writeln!(formatter, "  {name:<12}{count}")?;
            }
        }
        for (name, text) in [("key", &self.key_id), ("version", &self.version), ("work", &self.work)] {
            if let Some(text) = text {
                writeln!(formatter, "  {name:<12}{text}")?;
            }
        }
        Ok(())
    }
}
