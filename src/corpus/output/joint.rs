//! One output, several writers: the tasks of a run hold its lease together.
//!
//! ```text
//! first task     takes the lease alone ─ makes way for the parts ─ opens it to the others
//! other tasks    wait for that ─ join
//! local folder   all hold the lock of _plainsight/writer.json at once; whoever wants it alone waits for the last
//! object store   whichever task comes first renews the lease, every 10 s; the others see that it was
//! ```
//!
//! Tasks of the same job write the same bytes under the same names, so that one that was given up and lives on does no harm.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::RUN_REPORT;
use super::lease::{
    BEAT, DEAD_AFTER, Group, Holding, LOOK, LOST_AFTER, Lease, Renewed, WRITER, Writer, busy, hold, nonce,
};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::locked::{lock, lock_shared};
use crate::corpus::store::{Creation, Location, Replacement, Version};
use crate::corpus::upkeep::upkeep;

/// How often a local lease is looked at, and for how long a lock that is being handed over is waited for.
const LOCAL_LOOK: Duration = Duration::from_millis(100);
const HAND_OVER: Duration = Duration::from_secs(5);

impl Lease {
    /// Takes the lease of an output together with the other tasks of a job. Gives these tasks as they are told in the lease, and whether this task
    /// is the first: then it makes way for all of them and calls [`Lease::open_to`].
    ///
    /// # Errors
    /// [`CorpusError::Busy`] while somebody else writes.
    pub(super) async fn join(output: &Location, job: &str, of: usize) -> Result<(Self, Group, bool)> {
        let location = output.join(WRITER);
        let group = Group { job: job.to_owned(), of, begun: false, epoch: nonce() };
        let (holding, joined) = match location.local_path() {
            Some(path) => join_local(&location, &path, &group).await?,
            None => join_in_store(&location, &group).await?,
        };
        let is_first = joined.is_none();
        Ok((Self { location, holding }, joined.unwrap_or(group), is_first))
    }

    /// Lets the other tasks in, and holds the lease together with them.
    ///
    /// # Errors
    /// [`CorpusError::Busy`] where it was lost meanwhile.
    pub(super) async fn open_to(self, group: &Group) -> Result<Self> {
        let Self { location, holding } = self;
        let open = Writer { tasks: Some(Group { begun: true, ..group.clone() }), ..Writer::here() };
        let holding = match (holding, location.local_path()) {
            (Holding::Local(mut file), Some(path)) => {
                write(&mut file, &open).map_err(|error| CorpusError::output(location.uri(), error))?;
                // Not every system turns a lock into another in one step.
                drop(file);
                joined_local(&location, &path, group).await?
            }
            (Holding::Store { mut beats, nonce, .. }, _) => {
                beats.shutdown().await;
                let Some((content, version)) = location.read_if_there().await? else {
                    return Err(busy(&location, &Writer::default()));
                };
                let holder: Writer = serde_json::from_slice(&content).unwrap_or_default();
                if holder.nonce != nonce {
                    return Err(busy(&location, &holder));
                }
                let asked = Instant::now();
                match location.replace(open.to_json(), &version).await? {
                    Replacement::Made(version) => hold_together(location.clone(), group.clone(), version, asked),
                    Replacement::Changed => return Err(busy(&location, &holder)),
                }
            }
            (shared, _) => shared,
        };
        Ok(Self { location, holding })
    }
}

/// What tells the last beginning of tasks that write an output, or have written it; none where there were none.
///
/// # Errors
/// [`CorpusError::Input`] where the store does not answer.
pub async fn epoch_of_tasks(output: &Location) -> Result<Option<u64>> {
    if let Some((content, _)) = output.join(WRITER).read_if_there().await? {
        let writer: Writer = serde_json::from_slice(&content).unwrap_or_default();
        if let Some(tasks) = writer.tasks.filter(|tasks| tasks.begun) {
            return Ok(Some(tasks.epoch));
        }
    }
    let Some((content, _)) = output.join(RUN_REPORT).read_if_there().await? else { return Ok(None) };
    let report: serde_json::Value = serde_json::from_slice(&content).unwrap_or_default();
    Ok(report["tasks"]["epoch"].as_u64())
}

impl Group {
    /// The tasks that hold a lease, if they are tasks of the same job.
    fn of(&self, writer: Writer) -> Option<Self> {
        writer.tasks.filter(|tasks| tasks.job == self.job && tasks.of == self.of)
    }

    /// The same, if the first of them has let the others in.
    fn begun(&self, writer: Writer) -> Option<Self> {
        self.of(writer).filter(|tasks| tasks.begun)
    }
}

/// Removes a local lease unless other tasks hold it, too.
pub(super) async fn remove_local(location: &Location, shared: File) {
    let Some(tasks) = read(&shared).tasks else { return };
    drop(shared);
    let Some(path) = location.local_path() else { return };
    // The last of them removes it; what cannot be removed is taken over by the next writer.
    if let Ok(Some(file)) = lock(&path)
        && read(&file).tasks == Some(tasks)
    {
        let _ = location.remove().await;
    }
}

/// Removes a lease in a store, if it is still held by these tasks.
pub(super) async fn remove_in_store(location: &Location, group: &Group) {
    let Ok(Some((content, _))) = location.read_if_there().await else { return };
    let holder: Writer = serde_json::from_slice(&content).unwrap_or_default();
    if holder.tasks.is_some_and(|tasks| tasks.epoch == group.epoch) {
        let _ = location.remove().await;
    }
}

fn write(file: &mut File, writer: &Writer) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(writer.to_json().as_bytes())?;
    file.sync_all()
}

fn read(mut file: &File) -> Writer {
    let mut content = Vec::new();
    let _ = file.rewind().and_then(|()| file.read_to_end(&mut content));
    serde_json::from_slice(&content).unwrap_or_default()
}

/// Joins the tasks that hold a local lease, which are given, or takes it as the first of them.
async fn join_local(location: &Location, path: &Path, group: &Group) -> Result<(Holding, Option<Group>)> {
    let fail = |error: std::io::Error| CorpusError::output(location.uri(), error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    let begun = Instant::now();
    loop {
        if let Some(file) = lock_shared(path).map_err(fail)?
            && let Some(tasks) = group.begun(read(&file))
        {
            return Ok((Holding::SharedLocal(file), Some(tasks)));
        }
        if let Some(mut file) = lock(path).map_err(fail)? {
            // Between the two looks the first task may have let the others in.
            if group.begun(read(&file)).is_none() {
                let first = Writer { tasks: Some(Group { begun: false, ..group.clone() }), ..Writer::here() };
                write(&mut file, &first).map_err(fail)?;
                return Ok((Holding::Local(file), None));
            }
        } else {
            let holder = File::open(path).map(|file| read(&file)).unwrap_or_default();
            if group.of(holder.clone()).is_none() && begun.elapsed() >= HAND_OVER {
                return Err(busy(location, &holder));
            }
        }
        tokio::time::sleep(LOCAL_LOOK).await;
    }
}

/// Joins after having let the others in.
async fn joined_local(location: &Location, path: &Path, group: &Group) -> Result<Holding> {
    match join_local(location, path, group).await? {
        (joined, Some(tasks)) if tasks.epoch == group.epoch => Ok(joined),
        _ => Err(busy(location, &Writer::here())),
    }
}

/// The same for a lease in a store.
async fn join_in_store(location: &Location, group: &Group) -> Result<(Holding, Option<Group>)> {
    let mut first = Writer { tasks: Some(Group { begun: false, ..group.clone() }), ..Writer::here() };
    let mut seen: Option<(Version, Instant)> = None;
    loop {
        let asked = Instant::now();
        if let Creation::Made(version) = location.create(first.to_json()).await? {
            return Ok((hold(location.clone(), first, version, asked), None));
        }
        let Some((content, version)) = location.read_if_there().await? else { continue };
        let holder: Writer = serde_json::from_slice(&content).unwrap_or_default();
        if let Some(tasks) = group.begun(holder.clone()) {
            // Renewed at once: nobody who has waited for these tasks to die may take it over now.
            let asked = Instant::now();
            match renew(location, &tasks, &version).await? {
                Some(version) => {
                    return Ok((hold_together(location.clone(), tasks.clone(), version, asked), Some(tasks)));
                }
                None => continue,
            }
        }
        let is_ours = group.of(holder.clone()).is_some();
        let since = match seen {
            Some((before, _)) if before != version && !is_ours => return Err(busy(location, &holder)),
            Some((before, since)) if before == version => since,
            _ => Instant::now(),
        };
        if holder.is_known_dead() || since.elapsed() >= DEAD_AFTER {
            first.beat = holder.beat + 1;
            let asked = Instant::now();
            if let Replacement::Made(version) = location.replace(first.to_json(), &version).await? {
                return Ok((hold(location.clone(), first, version, asked), None));
            }
        }
        seen = Some((version, since));
        tokio::time::sleep(LOOK).await;
    }
}

/// Sees to it that the lease of a group is renewed for as long as this task lives.
fn hold_together(location: Location, group: Group, mut version: Version, taken: Instant) -> Holding {
    let renewed: Renewed = Arc::new(Mutex::new(Some(taken)));
    let told = Arc::clone(&renewed);
    let mut beats = JoinSet::new();
    let tasks = group.clone();
    let renewals = async move {
        loop {
            tokio::time::sleep(BEAT).await;
            let asked = Instant::now();
            match tokio::time::timeout(LOST_AFTER, renew(&location, &tasks, &version)).await {
                Ok(Ok(Some(next))) => {
                    version = next;
                    *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
                }
                Ok(Ok(None)) => return *told.lock().unwrap_or_else(PoisonError::into_inner) = None,
                // Asked again with the next beat; who writes looks at the time.
                _ => {}
            }
        }
    };
    beats.spawn_on(renewals, &upkeep());
    Holding::SharedStore { renewed, group, beats }
}

/// Renews the lease of a group, unless another of its tasks has since `known`; none where it is somebody else's.
async fn renew(location: &Location, group: &Group, known: &Version) -> Result<Option<Version>> {
    loop {
        let Some((content, version)) = location.read_if_there().await? else { return Ok(None) };
        let mut writer: Writer = serde_json::from_slice(&content).unwrap_or_default();
        if writer.tasks.as_ref().is_none_or(|tasks| tasks.epoch != group.epoch) {
            return Ok(None);
        }
        if version != *known {
            return Ok(Some(version));
        }
        writer.beat += 1;
        if let Replacement::Made(version) = location.replace(writer.to_json(), &version).await? {
            return Ok(Some(version));
        }
        // Another was faster: whether it is one of these tasks is told by the next look.
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn tasks_write_together(output: Location) {
        let (first, group, is_first) = Lease::join(&output, "a", 2).await.unwrap();
        assert!(is_first);
        let second = tokio::spawn({
            let output = output.clone();
            async move { Lease::join(&output, "a", 2).await.unwrap() }
        });
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!second.is_finished(), "the first has not made way yet");
        let first = first.open_to(&group).await.unwrap();
        let (second, joined, is_first) = second.await.unwrap();
        assert!(
            !is_first && joined.epoch == group.epoch && first.leave().check().is_ok() && second.leave().check().is_ok()
        );
        first.give_back(true).await;
        let (third, _, is_first) = Lease::join(&output, "a", 2).await.unwrap();
        assert!(!is_first, "a task that is run again joins the others");
        if output.local_path().is_some() {
            third.give_back(false).await;
            assert!(output.join(WRITER).read_if_there().await.unwrap().is_some(), "the second holds it");
        } else {
            third.give_back(true).await;
        }
        second.give_back(false).await;
        assert!(output.join(WRITER).read_if_there().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn tasks_of_a_job_write_together_wherever_the_output_lies() {
        let folder = tempfile::tempdir().unwrap();
        tasks_write_together(Location::parse(folder.path().to_str().unwrap()).unwrap()).await;
        tasks_write_together(Location::parse("memory:///out").unwrap()).await;
    }

    #[tokio::test]
    async fn nobody_else_writes_beside_living_tasks() {
        let folder = tempfile::tempdir().unwrap();
        let output = Location::parse(folder.path().to_str().unwrap()).unwrap();
        let (first, group, _) = Lease::join(&output, "a", 2).await.unwrap();
        let first = first.open_to(&group).await.unwrap();
        assert!(matches!(Lease::take(&output).await, Err(CorpusError::Busy { .. })));
        assert!(matches!(Lease::join(&output, "b", 2).await, Err(CorpusError::Busy { .. })));
        assert!(matches!(Lease::join(&output, "a", 3).await, Err(CorpusError::Busy { .. })));
        // With the last of them the lease is free, and what they were about is begun anew by others.
        drop(first);
        let (other, _, is_first) = Lease::join(&output, "b", 2).await.unwrap();
        assert!(is_first);
        other.give_back(true).await;
    }

    #[tokio::test]
    async fn a_lease_that_went_to_others_is_told() {
        let output = Location::parse("memory:///out").unwrap();
        let (first, group, _) = Lease::join(&output, "a", 2).await.unwrap();
        let lease = output.join(WRITER);
        let first = first.open_to(&group).await.unwrap();
        let (_, version) = lease.read_if_there().await.unwrap().unwrap();
        assert!(renew(&lease, &group, &version).await.unwrap().is_some());
        lease.write(Writer::here().to_json()).await.unwrap();
        assert!(renew(&lease, &group, &version).await.unwrap().is_none());
        // Who has it now keeps it.
        first.give_back(false).await;
        assert!(lease.read_if_there().await.unwrap().is_some());
        // One that is lost before it is opened stays lost.
        lease.remove().await.unwrap();
        let (first, group, _) = Lease::join(&output, "a", 2).await.unwrap();
        lease.write(Writer::here().to_json()).await.unwrap();
        assert!(matches!(first.open_to(&group).await, Err(CorpusError::Busy { .. })));
        assert!(
            lease
                .read_if_there()
                .await
                .unwrap()
                .is_some_and(|(holder, _)| !holder.windows(5).any(|part| part == b"tasks"))
        );
    }
}
