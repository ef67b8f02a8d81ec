//! The places of a job: that they lie apart, that nothing of anybody else's is cleared, and what stages have finished.
//!
//! ```text
//! notes, patients ─ read only        cache ─ empty, or ours        work ─ empty, or ours
//!
//! work/_plainsight-work     what the job is, locked while it runs
//! work/counts/ counts.idx   what a stage has made
//! work/counts.done          … whole, so that the next try of the same job need not make it again
//! work/share-3-of-8/        a folder of this kind for each task that works here, and for each bucket of one
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::index::local;
use crate::corpus::locked::lock;
use crate::corpus::store::{Location, is_unfinished};

/// Marks a work location as ours, so that a later run may clear it.
const MARK: &str = "_plainsight-work";
/// The ending of what says that a stage is finished.
const DONE: &str = ".done";
/// Where offsets are mapped.
pub(super) const OFFSETS: &str = "offsets";
/// The list of refused rows.
pub(super) const QUARANTINE: &str = "quarantine.jsonl";
/// Marks a folder as a span cache.
const CACHE_MARK: &str = "_plainsight-cache";
/// The tables that stages hand on.
pub(in crate::corpus) const TABLES: [&str; 10] = [
    "counts",
    "sentences",
    "claims",
    "second_pass",
    "candidates",
    "tagged",
    "shapes",
    "patients_of_shapes",
    "patients_of_units",
    "received",
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
        // Another run may do the same at this moment, or end before it is done.
        let mark = local(&location.join(CACHE_MARK))?;
        return match File::create_new(mark) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                Err(CorpusError::output(location.uri(), error))
            }
            _ => Ok(()),
        };
    }
    match location.join(CACHE_MARK).is_vacant().await? {
        true => Err(CorpusError::configuration(
            format!("there is something at `{}`, and it is no span cache", location.uri()),
            "choose another --cache",
        )),
        false => Ok(()),
    }
}

/// What is worth knowing of a stage that is finished, besides what it has written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Done {
    /// Rows of notes that it has read, refused ones included.
    pub(super) read: u64,
    /// Those of them that could not be read.
    #[serde(default)]
    pub(super) unread: u64,
    /// Rows that it has written.
    pub(super) written: u64,
    /// Claims that medical vocabulary took back, by term.
    pub(super) vetoed: BTreeMap<String, u64>,
    /// Sentences that each member was asked about.
    pub(super) asked: Vec<u64>,
}

/// A work location, in which one job works.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) location: Location,
    path: PathBuf,
    keep: bool,
    /// Whether a stage has been finished in it: then it stays for the next try, whatever happens.
    has_finished: bool,
    /// Locked, so that no two jobs work in one place.
    _mark: File,
}

impl Work {
    /// Takes a vacant location, or one that an earlier run has marked. What an interrupted try of the same job has finished there is kept.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for a place that is not local, or somebody else's; [`CorpusError::Busy`] while a job works there.
    pub(super) fn take(location: &Location, keep: bool, job: &str) -> Result<Self> {
        let path = local(location)?;
        let fail = |error: std::io::Error| CorpusError::output(location.uri(), error);
        // Tasks have folders of their own in it.
        let is_foreign = |name: &String| !path.join(name).join(MARK).is_file() && !is_remnant(&path.join(name));
        let foreign = names(&path).is_ok_and(|names| names.iter().any(is_foreign));
        if foreign && !path.join(MARK).is_file() {
            return Err(CorpusError::configuration(
                format!(
                    "there is something at the work location `{}`, and it is not from an earlier run",
                    location.uri()
                ),
                "choose another --work",
            ));
        }
        location.create_confidential()?;
        let Some(mut mark) = lock(&path.join(MARK)).map_err(fail)? else {
            return Err(CorpusError::Busy { location: location.uri().to_owned(), holder: "another job".to_owned() });
        };
        let same = std::fs::read_to_string(path.join(MARK)).is_ok_and(|before| before == job);
        let finished: Vec<String> = match same {
            true => names(&path).map_err(fail)?.into_iter().filter(|name| name.ends_with(DONE)).collect(),
            false => Vec::new(),
        };
        if !same {
            // Whatever ends this process before all is removed, nothing here is that job's any more.
            mark.set_len(0).map_err(fail)?;
        }
        for name in names(&path).map_err(fail)? {
            // What the engine has written aside when it was killed goes in any case.
            let table = TABLES.contains(&name.as_str()) || [COUNT_INDEX, CLAIM_INDEX, DICTIONARIES].contains(&&*name);
            // Offsets belong to the parts of an output, which may stay where the notes have changed.
            if ![MARK, OFFSETS].contains(&&*name) && !(same && (table || finished.contains(&name))) {
                remove(&path.join(name)).map_err(fail)?;
            }
        }
        mark.set_len(0).and_then(|()| mark.write_all(job.as_bytes())).map_err(fail)?;
        Ok(Self { location: location.clone(), path, keep, has_finished: !finished.is_empty(), _mark: mark })
    }

    /// Takes away the offsets of parts that are not kept.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where they cannot be removed.
    pub(super) fn keep_offsets(&self, kept: &BTreeSet<String>) -> Result<()> {
        let folder = self.path.join(OFFSETS);
        let Ok(files) = names(&folder) else { return Ok(()) };
        let gone = files.iter().filter(|name| !kept.contains(*name));
        let removed = gone.map(|name| folder.join(name)).try_for_each(|file| remove(&file));
        remove_if_empty(&folder);
        removed.map_err(|error| CorpusError::output(self.location.uri(), error))
    }

    /// What is known of a stage that is finished.
    pub(super) fn done(&self, stage: &str) -> Option<Done> {
        serde_json::from_slice(&std::fs::read(self.path.join(format!("{stage}{DONE}"))).ok()?).ok()
    }

    /// Says that a stage is finished.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where that cannot be written.
    pub(super) fn finished(&mut self, stage: &str, done: &Done) -> Result<()> {
        let (whole, growing) = (self.path.join(format!("{stage}{DONE}")), self.path.join("growing"));
        let content = serde_json::to_vec(done).unwrap_or_default();
        let written = std::fs::write(&growing, content).and_then(|()| std::fs::rename(growing, whole));
        self.has_finished = true;
        written.map_err(|error| CorpusError::output(self.location.uri(), error))
    }

    /// The local path of something in it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The files of a table, in order.
    pub(super) fn files(&self, table: &str) -> Result<Vec<PathBuf>> {
        let folder = self.path.join(table);
        let names = names(&folder).map_err(|error| CorpusError::input(self.location.uri(), error))?;
        Ok(names.into_iter().filter(|name| name.ends_with(".parquet")).map(|name| folder.join(name)).collect())
    }

    /// Ends the work; `refused` says that the list of refused rows must stay for the user, as mapped offsets do.
    pub(super) async fn finish(mut self, refused: bool) -> Result<()> {
        if self.keep {
            return Ok(());
        }
        self.has_finished = false;
        let fail = |error: std::io::Error| CorpusError::output(self.location.uri(), error);
        if !refused && !self.path.join(OFFSETS).exists() {
            remove_marked(&self.path).map_err(fail)?;
            return match self.path.exists() {
                true => Err(CorpusError::output(
                    self.location.uri(),
                    "not all of it can be removed, and it is confidential",
                )),
                false => Ok(()),
            };
        }
        self.keep = true;
        remove_but(&self.path, &[MARK, QUARANTINE, OFFSETS]).map_err(fail)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.keep || self.has_finished || self.path.join(OFFSETS).exists() {
            return;
        }
        // Nobody is there to be told, and what led here is told already.
        let _ = match self.path.join(QUARANTINE).is_file() {
            // The list of refused rows tells why the run has ended.
            true => remove_but(&self.path, &[MARK, QUARANTINE]),
            false => remove_marked(&self.path),
        };
    }
}

/// Removes what lies in a folder under other names than these.
fn remove_but(path: &Path, kept: &[&str]) -> std::io::Result<()> {
    names(path)?.iter().filter(|name| !kept.contains(&name.as_str())).try_for_each(|name| remove(&path.join(name)))
}

/// Removes a work location, its mark last: where a stage has failed, writers of the engine may still be ending, and what one of them makes
/// again stays with the mark, by which the next job knows it.
fn remove_marked(path: &Path) -> std::io::Result<()> {
    for name in names(path)?.iter().filter(|name| *name != MARK) {
        // What stays is seen below.
        let _ = remove(&path.join(name));
    }
    if names(path)? == [MARK] {
        std::fs::remove_file(path.join(MARK))?;
        std::fs::remove_dir(path)?;
    }
    Ok(())
}

/// Whether this is what such a writer has made again after all was removed, the mark too: the folder of a table in which no file is finished, or
/// that of a task with nothing but such folders. One with a whole file may be somebody else's.
fn is_remnant(folder: &Path) -> bool {
    let (Some(name), Ok(names)) = (folder.file_name().and_then(OsStr::to_str), names(folder)) else { return false };
    match TABLES.contains(&name) {
        true => names.iter().map(|name| folder.join(name)).all(|file| file.is_file() && is_unfinished(&file)),
        false => {
            let is_of_task = ["share-", "bucket-"].iter().any(|kind| name.starts_with(kind));
            is_of_task && !names.is_empty() && names.iter().all(|name| is_remnant(&folder.join(name)))
        }
    }
}

/// Removes the work location of a job that is dead. Gives whether there was one.
///
/// # Errors
/// [`CorpusError::Busy`] while a job works there, [`CorpusError::Configuration`] where something else is there.
pub async fn clean_work(location: &Location) -> Result<bool> {
    if location.is_vacant().await? {
        return Ok(false);
    }
    let path = local(location)?;
    let folders = names(&path).map_err(|error| CorpusError::input(location.uri(), error))?;
    // No job has this name, so nothing is kept of whichever it was.
    let clean = |location: &Location| Work::take(location, false, "none")?.keep_offsets(&BTreeSet::new());
    for folder in folders.iter().filter(|folder| path.join(folder).join(MARK).is_file()) {
        clean(&location.join(folder))?;
    }
    match remove_if_empty(&path) {
        true => Ok(true),
        false => clean(location).map(|()| true),
    }
}

/// Removes a work location of ours where no job is at work, unless refused rows are listed or offsets mapped there.
///
/// # Errors
/// [`CorpusError::Output`] where it cannot be removed.
pub(super) fn forget(location: &Location) -> Result<()> {
    let path = local(location)?;
    match path.join(MARK).is_file() && !path.join(QUARANTINE).is_file() && !path.join(OFFSETS).exists() {
        // Another process of the same task may still be at work there, and removes it in the end.
        true => match Work::take(location, false, "none").map(drop) {
            Err(CorpusError::Busy { .. }) => Ok(()),
            removed => removed,
        },
        false => Ok(()),
    }
}

/// Removes what tasks have left in folders of their own at a work location: of those that are at work nothing.
///
/// # Errors
/// [`CorpusError::Output`] where something cannot be removed.
pub fn forget_tasks(location: &Location) -> Result<()> {
    let path = local(location)?;
    let mut tasks = names(&path).unwrap_or_default().into_iter().filter(|name| path.join(name).join(MARK).is_file());
    let forgotten = tasks.try_for_each(|task| forget(&location.join(&task)));
    remove_if_empty(&path);
    forgotten
}

/// Forgets a work location where it is that of one job, and no other has begun there since.
///
/// # Errors
/// Those of [`forget`].
pub(super) fn forget_of(location: &Location, job: &str) -> Result<()> {
    let mark = local(location)?.join(MARK);
    match std::fs::read_to_string(mark).is_ok_and(|of| of == job) {
        true => forget(location),
        false => Ok(()),
    }
}

/// Removes the offsets that a run of other than so many tasks has mapped at their work location.
///
/// # Errors
/// [`CorpusError::Output`] where they cannot be removed.
pub(super) fn forget_offsets_of_others(location: &Location, tasks: usize) -> Result<()> {
    let path = local(location)?;
    let tasks = tasks.to_string();
    let is_other = |name: &str| name.rsplit_once("-of-").is_some_and(|(_, of)| of != tasks);
    let others = names(&path).unwrap_or_default().into_iter().filter(|name| is_other(name)).map(|name| path.join(name));
    let offsets = std::iter::once(path.clone()).chain(others).map(|folder| folder.join(OFFSETS));
    let removed = offsets.filter(|offsets| offsets.is_dir()).try_for_each(|offsets| remove(&offsets));
    removed.map_err(|error| CorpusError::output(location.uri(), error))
}

/// Removes a folder in which there is nothing; gives whether it was.
pub(super) fn remove_if_empty(folder: &Path) -> bool {
    std::fs::remove_dir(folder).is_ok()
}

/// What lies in a folder, by name, in order.
fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<std::io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn remove(path: &Path) -> std::io::Result<()> {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_late_writers_make_again_is_taken_and_what_others_have_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let work = Location::parse(folder.path().join("work").to_str().unwrap()).unwrap();
        let path = work.local_path().unwrap();
        drop(Work::take(&work, false, "job").unwrap());
        assert!(!path.exists());

        for tables in ["counts", "share-1-of-2/claims"] {
            std::fs::create_dir_all(path.join(tables)).unwrap();
            std::fs::write(path.join(tables).join("a_0.parquet#1"), "half").unwrap();
            drop(Work::take(&work, false, "job").unwrap());
            assert!(!path.exists(), "{tables}");
            std::fs::create_dir_all(path.join(tables)).unwrap();
            assert!(clean_work(&work).await.unwrap());
            assert!(!path.exists(), "{tables}");
        }

        for others in ["claims/a.parquet", "share-1-of-2/claims/a.parquet", "ours/claims/a.parquet#1"] {
            let file = path.join(others);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, "theirs").unwrap();
            assert!(Work::take(&work, false, "job").is_err() && clean_work(&work).await.is_err());
            assert!(file.exists(), "{others}");
            std::fs::remove_dir_all(&path).unwrap();
        }
    }

    /// A table that is being written when the job is over.
    #[test]
    fn the_mark_goes_last() {
        let folder = tempfile::tempdir().unwrap();
        let work = Location::parse(folder.path().join("work").to_str().unwrap()).unwrap();
        let path = work.local_path().unwrap();
        for _ in 0..20 {
            let taken = Work::take(&work, false, "job").unwrap();
            let table = path.join("counts");
            let writer = std::thread::spawn(move || {
                (0..50).for_each(|file| {
                    let _ = std::fs::create_dir_all(&table);
                    let _ = std::fs::write(table.join(format!("{file}.parquet#1")), "");
                });
            });
            drop(taken);
            writer.join().unwrap();
        }
        drop(Work::take(&work, false, "job").unwrap());
        assert!(!path.exists());
    }
}
