//! An output under way: taken by one writer, written part by part, declared whole at its end, gone on with after an interruption.
//!
//! ```text
//! take    _plainsight/writer.json     one writer at a time
//! begin   what is not kept goes, _SUCCESS first
//! record  part-000000.parquet, then _plainsight/parts/part-000000.json       finished; kept by the next try, if this one ends here
//! commit  _plainsight/run.json, then _plainsight/manifest.json (only where there is none), then _SUCCESS
//! ```
//!
//! Every file is written whole or not at all, and names and contents follow from the job alone; so to go on is to write what has no record.

mod contents;
mod identity;
mod joint;
mod lease;
mod manifest;
mod status;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use futures::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

pub use identity::{Identities, Settings};
pub use joint::{epoch_of_report, group_of_lease};
pub use lease::{Lease, Leave, WRITER, nonce};
pub use manifest::{JSON, MANIFEST, Manifest, ManifestColumn, PartRecord};
pub use status::{State, Status, clean, status};

use self::contents::{Parts, damage, is_ours, is_there, record_name, refuse_foreign, sizes};
pub use self::lease::Group;
use super::error::{CorpusError, Result};
use super::report::RunReport;
use super::stop::until_stopped;
use super::store::{Creation, Location};

/// The report of a run, by its place in the output.
pub const RUN_REPORT: &str = "_plainsight/run.json";
/// Says that the output is whole, to those who know of no manifest.
pub const SUCCESS: &str = "_SUCCESS";
/// The manifest of an output that is being written again in part.
const PREVIOUS: &str = "_plainsight/previous.json";
/// The records of finished parts, while a run is under way.
const RECORDS: &str = "_plainsight/parts";
/// What is ours alone.
pub(super) const OWN: &str = "_plainsight";
/// Whether a file of an output has a name of a run's own, as far as none of them holds text of notes.
pub(super) fn is_of_a_run(file: &str) -> bool {
    let is_record = file.strip_prefix(RECORDS).is_some_and(|record| record.ends_with(".json"));
    is_record || [SUCCESS, MANIFEST, RUN_REPORT, WRITER, PREVIOUS].contains(&file)
}

/// How long is waited for files that the system is still renaming.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);
/// How many small files are read at once.
const READS_AT_ONCE: usize = 16;
/// How many files are removed between looks at whose the output is.
const REMOVED_AT_ONCE: usize = 1000;

/// What a run has reported beside its output.
///
/// # Errors
/// [`CorpusError::Input`] where there is no report, or it is none.
pub async fn report_of(output: &Location) -> Result<RunReport> {
    let report = output.join(RUN_REPORT);
    let content = report.read_if_there().await?.map(|(content, _)| content).unwrap_or_default();
    serde_json::from_slice(&content).map_err(|error| CorpusError::input(report.uri(), error))
}

/// What may be done with an output that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// Nothing, if it is whole and another one.
    Keep,
    /// It is written anew.
    Overwrite,
    /// Its parts are kept where nothing has changed.
    GoOn,
}

/// A finished part of a run that is under way, as it lies beside the output.
#[derive(Serialize, Deserialize)]
struct Recorded {
    job: String,
    part: PartRecord,
}

/// An output that this process writes.
pub struct Output {
    location: Location,
    lease: Lease,
    job: String,
    /// Where this process is one of several tasks: what tells their beginning from others of the same job.
    epoch: Option<u64>,
    whole: bool,
    earlier: Option<Manifest>,
    /// The parts that interrupted runs of this job, or other tasks of it, have finished.
    recorded: Vec<PartRecord>,
    /// Those of them that need not be made again, by what they were made from.
    finished: BTreeMap<String, PartRecord>,
    /// Every file by its path in the output, with its size, as it was when the output was taken.
    sizes: BTreeMap<String, u64>,
    /// Whether this process has made way for parts, and may have sent some.
    begun: AtomicBool,
}

impl Output {
    /// Takes the output for a job.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where something is there that may not be replaced; [`CorpusError::Busy`] where another writes.
    pub async fn take(location: &Location, job: &str, allowed: Earlier) -> Result<Self> {
        refuse_foreign(location).await?;
        let lease = until_stopped(Lease::take(location)).await?;
        Self::held(location, job, lease).looked_at(allowed).await
    }

    /// Takes the output for one of several tasks of a job, together with the others; one of them is to make way for the parts of all.
    /// `exchange` is what tells theirs from others.
    ///
    /// # Errors
    /// Those of [`Output::take`]; [`CorpusError::Configuration`] where tasks of another job have begun it.
    pub async fn join(location: &Location, job: &str, of: usize, exchange: String, allowed: Earlier) -> Result<Self> {
        refuse_foreign(location).await?;
        let group = Group { job: job.to_owned(), of, exchange, epoch: nonce()? };
        let (lease, group) = until_stopped(Lease::join(location, group)).await?;
        Self { epoch: Some(group.epoch), ..Self::held(location, job, lease) }.looked_at(allowed).await
    }

    fn held(location: &Location, job: &str, lease: Lease) -> Self {
        Self {
            location: location.clone(),
            lease,
            job: job.to_owned(),
            epoch: None,
            whole: false,
            earlier: None,
            recorded: Vec::new(),
            finished: BTreeMap::new(),
            sizes: BTreeMap::new(),
            begun: AtomicBool::new(false),
        }
    }

    async fn looked_at(mut self, allowed: Earlier) -> Result<Self> {
        match until_stopped(self.look(allowed)).await {
            Ok(()) => Ok(self),
            Err(error) => {
                self.give_back().await;
                Err(error)
            }
        }
    }

    /// Finds out what is there.
    async fn look(&mut self, allowed: Earlier) -> Result<()> {
        self.sizes = self.list_sizes().await?;
        let manifest = match Manifest::read(&self.location).await {
            // What cannot be read is no reason not to write anew.
            Err(error) if allowed == Earlier::Overwrite && !error.is_temporary() => None,
            manifest => manifest?,
        };
        // What the tasks of this job have made is not what one of them may write over.
        let is_kept = allowed != Earlier::Overwrite || self.epoch.is_some();
        match manifest {
            Some(manifest) if manifest.job == self.job && is_kept && self.has_all(&manifest) => {
                // A run may have ended between its last steps.
                self.declare_whole().await?;
                self.whole = true;
            }
            Some(manifest) if allowed == Earlier::GoOn => self.earlier = Some(manifest),
            Some(manifest) if allowed == Earlier::Keep && manifest.job == self.job => {
                return Err(damaged(&self.location, &Parts::of(&manifest, &self.sizes)));
            }
            Some(_) if allowed == Earlier::Keep => return Err(occupied(&self.location)),
            Some(_) => {}
            None => self.look_at_unfinished(allowed).await?,
        }
        Ok(())
    }

    async fn look_at_unfinished(&mut self, allowed: Earlier) -> Result<()> {
        let previous = match allowed {
            Earlier::Overwrite => None,
            Earlier::Keep | Earlier::GoOn => Manifest::read_file(&self.location.join(PREVIOUS)).await?,
        };
        match allowed {
            // A finished output whose manifest somebody has taken away.
            Earlier::Keep | Earlier::GoOn
                if previous.is_none() && self.sizes.contains_key(SUCCESS) && !self.sizes.contains_key(MANIFEST) =>
            {
                return Err(CorpusError::configuration(
                    format!("`{}` is damaged: its manifest is missing", self.location.uri()),
                    "give --overwrite to make it anew",
                ));
            }
            Earlier::GoOn => self.earlier = previous,
            Earlier::Keep if previous.is_some() => {
                return Err(CorpusError::configuration(
                    format!("an incremental run of `{}` was interrupted", self.location.uri()),
                    "give --incremental to go on, or --overwrite to make it anew",
                ));
            }
            Earlier::Keep | Earlier::Overwrite => {}
        }
        self.recorded = self.records().await?;
        // A row that was refused is told again, with its place.
        let usable = self.recorded.iter().filter(|part| part.refused == 0 && self.has(part));
        self.finished = usable.map(|part| (part.input.clone(), part.clone())).collect();
        Ok(())
    }

    /// The parts of this job that are recorded, as yet.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub async fn records(&self) -> Result<Vec<PartRecord>> {
        let records = self.location.join(RECORDS).list_files().await?;
        let read = records.into_iter().map(|file| async move {
            let content = file.read_if_there().await?;
            // One that is not whole was never recorded.
            Ok::<_, CorpusError>(content.and_then(|(content, _)| serde_json::from_slice::<Recorded>(&content).ok()))
        });
        let read: Vec<_> = futures::stream::iter(read).buffer_unordered(READS_AT_ONCE).try_collect().await?;
        let ours = read.into_iter().flatten().filter(|recorded| recorded.job == self.job);
        Ok(ours.map(|recorded| recorded.part).collect())
    }

    /// Whether the file of a part was there, of its size, when the output was taken.
    pub fn has(&self, part: &PartRecord) -> bool {
        is_there(part, &self.sizes)
    }

    fn has_all(&self, manifest: &Manifest) -> bool {
        manifest.parts.iter().all(|part| self.has(part))
    }

    /// Every file of the output by its path in it, with its size.
    async fn list_sizes(&self) -> Result<BTreeMap<String, u64>> {
        sizes(&self.location).await
    }

    /// Where it lies.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// The job that writes it.
    pub fn job(&self) -> &str {
        &self.job
    }

    /// Where this process is one of several tasks: what tells their beginning from others of the same job.
    pub fn epoch(&self) -> Option<u64> {
        self.epoch
    }

    /// Whether it is whole already, made by an equal job.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// What is there to go on from.
    pub fn earlier(&self) -> Option<&Manifest> {
        self.earlier.as_ref()
    }

    /// The part that an interrupted run of this job has made from an input.
    pub fn finished(&self, input: &str) -> Option<&PartRecord> {
        self.finished.get(input)
    }

    /// Makes way for the parts to come: what is not in `kept` is removed. `previous` is what can be gone on from, if this run is interrupted.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where something cannot be removed.
    pub async fn begin(&self, kept: &BTreeSet<&str>, previous: Option<&Manifest>) -> Result<()> {
        self.make_way(&self.recorded, kept, previous).await
    }

    async fn make_way(
        &self,
        recorded: &[PartRecord],
        kept: &BTreeSet<&str>,
        previous: Option<&Manifest>,
    ) -> Result<()> {
        self.leave().check()?;
        self.begun.store(true, Ordering::Relaxed);
        match previous {
            Some(previous) => self.location.join(PREVIOUS).write(previous.to_json()).await?,
            // Before anything that it names goes.
            None => self.location.join(PREVIOUS).remove().await?,
        }
        // In this order, so that at no time a manifest or `_SUCCESS` stands beside what is not whole. Each may take as long as a store is tried again:
        // who has lost the output meanwhile must not take away what the next one has written.
        self.leave().check()?;
        self.location.join(SUCCESS).remove().await?;
        self.leave().check()?;
        self.location.join(MANIFEST).remove().await?;
        let is_kept = |part: &&PartRecord| part.name.as_deref().is_none_or(|name| kept.contains(name));
        let records: BTreeSet<String> = recorded.iter().filter(is_kept).map(|part| record_name(part.number)).collect();
        let mut gone = Vec::new();
        for file in self.list_sizes().await?.into_keys() {
            let stays = file == WRITER || file == PREVIOUS || records.contains(&file) || kept.contains(file.as_str());
            if !stays && is_ours(&file) {
                gone.push(self.location.join(&file));
            }
        }
        for some in gone.chunks(REMOVED_AT_ONCE) {
            self.leave().check()?;
            self.location.remove_all(some.to_vec()).await?;
        }
        self.location.remove_leftovers().map(drop)
    }

    /// Makes way for the parts of all tasks; those that are recorded by now are kept, and all where another attempt at this task has been so much
    /// faster that the output is whole.
    ///
    /// # Errors
    /// Those of [`Output::begin`]; [`CorpusError::Input`] where the store does not answer.
    pub async fn begin_for_all(&self) -> Result<()> {
        if self.is_declared().await? {
            return Ok(());
        }
        let recorded = self.records().await?;
        let kept = recorded.iter().filter_map(|part| part.name.as_deref()).collect();
        self.make_way(&recorded, &kept, None).await
    }

    /// Whether an equal job has declared the output whole by now, and it still is.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer, or the manifest cannot be read.
    pub async fn is_declared(&self) -> Result<bool> {
        match Manifest::read(&self.location).await? {
            Some(manifest) if manifest.job == self.job => self.holds(&manifest.parts).await,
            _ => Ok(false),
        }
    }

    /// Whether all these parts are there, of their sizes.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub async fn holds(&self, parts: &[PartRecord]) -> Result<bool> {
        let sizes = self.list_sizes().await?;
        Ok(parts.iter().all(|part| is_there(part, &sizes)))
    }

    /// Records a part that is finished.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where that cannot be written; [`CorpusError::Busy`] where the output is somebody else's by now.
    pub async fn record(&self, part: &PartRecord) -> Result<()> {
        self.leave().check()?;
        let recorded = Recorded { job: self.job.clone(), part: part.clone() };
        let content = serde_json::to_string(&recorded).unwrap_or_default();
        self.location.join(&record_name(part.number)).write(content).await
    }

    /// Declares the output whole.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where that cannot be written; [`CorpusError::Busy`] where another has done so meanwhile.
    pub async fn commit(&self, report: String, manifest: &Manifest) -> Result<()> {
        self.leave().check()?;
        if !self.holds(&manifest.parts).await? {
            return Err(self.taken_by("another writer, which has removed parts of this one"));
        }
        self.location.join(RUN_REPORT).write(report).await?;
        self.leave().check()?;
        let file = self.location.join(MANIFEST);
        let made = match self.location.local_path() {
            // The system's lock is held, and not every file system can make a file only where there is none.
            Some(_) if file.read_if_there().await?.is_none() => file.write(manifest.to_json()).await.map(|()| true)?,
            Some(_) => false,
            None => matches!(file.create(manifest.to_json()).await?, Creation::Made(_)),
        };
        if !made {
            return Err(self.taken_by("another writer, which was faster"));
        }
        self.leave().check()?;
        self.declare_whole().await
    }

    fn taken_by(&self, holder: &str) -> CorpusError {
        CorpusError::Busy { location: self.location.uri().to_owned(), holder: holder.to_owned() }
    }

    /// What tells whether this process may still write the output.
    pub fn leave(&self) -> Leave {
        self.lease.leave()
    }

    /// The last steps, after the manifest.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where they cannot be taken.
    pub async fn declare_whole(&self) -> Result<()> {
        if self.location.join(SUCCESS).read_if_there().await?.is_none() {
            self.location.join(SUCCESS).write("").await?;
        }
        self.location.join(PREVIOUS).remove().await?;
        self.location.join(RECORDS).clear().await
    }

    /// Whether parts may be on their way to a store although it lists none: it takes what it was sent whole, also after the sender was killed or
    /// has given up. Were the lease gone by then, they would be nobody's, and the output no longer ours to write.
    fn may_be_sent(&self) -> bool {
        self.location.local_path().is_none() && (self.begun.load(Ordering::Relaxed) || self.lease.is_taken_over())
    }

    /// Whether files are still being finished in a local folder, after as long a wait for them as there is patience: what was given up while
    /// the system renames a part is a part all the same.
    async fn is_landing(&self) -> bool {
        let begun = std::time::Instant::now();
        loop {
            let landing = self.begun.load(Ordering::Relaxed)
                && self.location.leftovers().is_ok_and(|leftovers| !leftovers.is_empty());
            if !landing || begun.elapsed() >= PATIENCE {
                return landing;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// Gives the output back to whoever writes next. Where nothing was written, nothing stays.
    pub async fn give_back(self) {
        super::store::uploads_aborted().await;
        // Before the files are listed, so that what lands meanwhile is among them.
        let is_landing = self.is_landing().await;
        let sizes = self.list_sizes().await;
        let is_empty = sizes.as_ref().is_ok_and(|sizes| sizes.keys().all(|file| file == WRITER));
        let is_whole = match self.epoch {
            None => sizes.as_ref().is_ok_and(|sizes| sizes.contains_key(MANIFEST)),
            // An earlier output may still be there. The lease tells the tasks that come later which beginning is theirs.
            Some(_) => self.is_declared().await.unwrap_or_default(),
        };
        let is_vacant = is_empty && !is_landing && self.lease.is_alone() && !self.may_be_sent();
        self.lease.give_back(!is_vacant && !is_whole).await;
        if let (true, Some(path)) = (is_vacant, self.location.local_path()) {
            // Folders that are not empty stay, whoever has filled them.
            for folder in [path.join(RECORDS), path.join(OWN), path] {
                let _ = std::fs::remove_dir(folder);
            }
        }
    }
}

/// The refusal of a place where something is already.
pub(in crate::corpus) fn occupied(location: &Location) -> CorpusError {
    CorpusError::configuration(
        format!("there is something at `{}` already", location.uri()),
        "choose another --out, or give --overwrite",
    )
}

/// The refusal of an output that the same run has made and that is whole no more.
fn damaged(location: &Location, parts: &Parts) -> CorpusError {
    CorpusError::configuration(
        format!("`{}` is damaged: {}", location.uri(), damage(parts.lost, parts.there + parts.lost)),
        "give --overwrite to make it anew, or --incremental, if it was made so, to make what is lost",
    )
}
