//! One output, several writers: the tasks of a run hold its lease together.
//!
//! ```text
//! local folder   all hold the lock of _plainsight/writer.json at once; whoever wants it alone waits for the last
//! object store   whichever task comes first renews the lease, every 10 s; the others see that it was
//! ```
//!
//! The lease tells which tasks these are. Tasks of the same job write the same bytes under the same names, so that one that was given up and lives on
//! does no harm; tasks of another job are refused.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use futures::FutureExt;

use super::RUN_REPORT;
use super::lease::{DEAD_AFTER, Group, Holding, LOOK, Lease, WRITER, Writer, busy, output_of, renewing};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::locked::{lock, lock_shared};
use crate::corpus::store::{Creation, Location, Replacement, Version};

/// How often a local lease is looked at, and for how long a lock that is being handed over is waited for.
const LOCAL_LOOK: Duration = Duration::from_millis(100);
const HAND_OVER: Duration = Duration::from_secs(5);

impl Lease {
    /// Takes the lease of an output together with the other tasks of a job. Gives these tasks as they are told in the lease.
    ///
    /// # Errors
    /// [`CorpusError::Busy`] while somebody else writes; [`CorpusError::Configuration`] where tasks of another job have begun.
    pub(super) async fn join(output: &Location, group: Group) -> Result<(Self, Group)> {
        let location = output.join(WRITER);
        let (holding, group) = match location.local_path() {
            Some(path) => join_local(&location, &path, group).await?,
            None => join_in_store(&location, group).await?,
        };
        Ok((Self { location, holding }, group))
    }
}

/// The tasks that hold, or were the last to hold, the lease of an output; none where there are none.
///
/// # Errors
/// [`CorpusError::Input`] where the store does not answer.
pub async fn group_of_lease(output: &Location) -> Result<Option<Group>> {
    let Some((content, _)) = output.join(WRITER).read_if_there().await? else { return Ok(None) };
    Ok(Writer::read(&content).tasks)
}

/// What tells the beginning of the tasks that have made an output; none where it was made otherwise.
///
/// # Errors
/// [`CorpusError::Input`] where the store does not answer.
pub async fn epoch_of_report(output: &Location) -> Result<Option<u64>> {
    let Some((content, _)) = output.join(RUN_REPORT).read_if_there().await? else { return Ok(None) };
    let report: serde_json::Value = serde_json::from_slice(&content).unwrap_or_default();
    Ok(report["tasks"]["epoch"].as_u64())
}

impl Group {
    /// The tasks that hold a lease, if it is held by tasks, and these are of the same job.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where they are not.
    fn found(&self, lease: &Location, writer: &Writer) -> Result<Option<Self>> {
        match &writer.tasks {
            Some(tasks) if Self { epoch: self.epoch, ..tasks.clone() } == *self => Ok(Some(tasks.clone())),
            Some(tasks) => Err(CorpusError::configuration(
                format!(
                    "a run of {} tasks with other notes, settings, detectors, exchange or program has begun `{}`",
                    tasks.of,
                    output_of(lease)
                ),
                "give all tasks of a run the same; to begin anew, `plainsight clean` the output and its --exchange first",
            )),
            None => Ok(None),
        }
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
    let holder = Writer::read(&content);
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

async fn join_local(location: &Location, path: &Path, group: Group) -> Result<(Holding, Group)> {
    let fail = |error: std::io::Error| CorpusError::output(location.uri(), error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    let begun = Instant::now();
    loop {
        if let Some(file) = lock_shared(path).map_err(fail)?
            && let Some(tasks) = group.found(location, &read(&file))?
        {
            return Ok((Holding::SharedLocal(file), tasks));
        }
        if let Some(mut file) = lock(path).map_err(fail)? {
            // Between the two looks another task may have come first.
            if group.found(location, &read(&file))?.is_none() {
                let first = Writer { tasks: Some(group.clone()), ..Writer::here()? };
                write(&mut file, &first).map_err(fail)?;
            }
            // Not every system turns a lock into a shared one in one step: it is taken anew.
            continue;
        }
        if begun.elapsed() >= HAND_OVER {
            let holder = File::open(path).map(|file| read(&file)).unwrap_or_default();
            return Err(busy(location, &holder));
        }
        tokio::time::sleep(LOCAL_LOOK).await;
    }
}

async fn join_in_store(location: &Location, group: Group) -> Result<(Holding, Group)> {
    let mut first = Writer { tasks: Some(group.clone()), ..Writer::here()? };
    let mut seen: Option<(Version, Instant)> = None;
    loop {
        let asked = Instant::now();
        if let Creation::Made(version) = location.create(first.to_json()).await? {
            return Ok((hold_together(location.clone(), group.clone(), version, asked), group));
        }
        let Some((content, version)) = location.read_if_there().await? else { continue };
        let holder = Writer::read(&content);
        if let Some(tasks) = group.found(location, &holder)? {
            // Renewed at once: nobody who has waited for these tasks to die may take it over now.
            let asked = Instant::now();
            match renew(location, &tasks, &version).await? {
                Some(version) => {
                    return Ok((hold_together(location.clone(), tasks.clone(), version, asked), tasks));
                }
                None => continue,
            }
        }
        let since = match seen {
            Some((before, _)) if before != version => return Err(busy(location, &holder)),
            Some((_, since)) => since,
            None => Instant::now(),
        };
        if holder.is_known_dead() || since.elapsed() >= DEAD_AFTER {
            first.beat = holder.beat + 1;
            let asked = Instant::now();
            if let Replacement::Made(version) = location.replace(first.to_json(), &version).await? {
                return Ok((hold_together(location.clone(), group.clone(), version, asked), group));
            }
        }
        seen = Some((version, since));
        tokio::time::sleep(LOOK).await;
    }
}

/// Sees to it that the lease of a group is renewed for as long as this task lives.
fn hold_together(location: Location, group: Group, version: Version, taken: Instant) -> Holding {
    let tasks = group.clone();
    let (renewed, beats) = renewing(version, taken, move |version| {
        let (location, tasks) = (location.clone(), tasks.clone());
        async move { renew(&location, &tasks, &version).await }.boxed()
    });
    Holding::SharedStore { renewed, group, beats }
}

/// Renews the lease of a group, unless another of its tasks has since `known`; none where it is somebody else's.
async fn renew(location: &Location, group: &Group, known: &Version) -> Result<Option<Version>> {
    loop {
        let Some((content, version)) = location.read_if_there().await? else { return Ok(None) };
        let mut writer = Writer::read(&content);
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
    use super::super::lease::nonce;
    use super::*;

    fn group(job: &str, of: usize) -> Group {
        Group { job: job.to_owned(), of, exchange: "x".to_owned(), epoch: nonce().unwrap() }
    }

    async fn tasks_write_together(output: Location) {
        let (first, begun) = Lease::join(&output, group("a", 2)).await.unwrap();
        let (second, joined) = Lease::join(&output, group("a", 2)).await.unwrap();
        assert_eq!(begun, joined);
        assert!(first.leave().check().is_ok() && second.leave().check().is_ok());
        first.give_back(true).await;
        let (third, joined) = Lease::join(&output, group("a", 2)).await.unwrap();
        assert_eq!(begun, joined, "a task that is run again joins the others");
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
        let (first, begun) = Lease::join(&output, group("a", 2)).await.unwrap();
        assert!(matches!(Lease::take(&output).await, Err(CorpusError::Busy { .. })));
        // Tasks of another run are refused, living or dead: who mixes them up is told at once.
        drop(first);
        for other in [group("b", 2), group("a", 3), Group { exchange: "y".to_owned(), ..group("a", 2) }] {
            let refused = Lease::join(&output, other).await;
            assert!(matches!(refused, Err(CorpusError::Configuration { .. })));
        }
        let (again, joined) = Lease::join(&output, group("a", 2)).await.unwrap();
        assert_eq!(begun, joined);
        again.give_back(true).await;
        // A run by one process takes over what dead tasks have left.
        assert!(Lease::take(&output).await.is_ok());
    }

    #[tokio::test]
    async fn a_lease_that_went_to_others_is_told() {
        let output = Location::parse("memory:///out").unwrap();
        let (first, begun) = Lease::join(&output, group("a", 2)).await.unwrap();
        let lease = output.join(WRITER);
        let (_, version) = lease.read_if_there().await.unwrap().unwrap();
        assert!(renew(&lease, &begun, &version).await.unwrap().is_some());
        lease.write(Writer::here().unwrap().to_json()).await.unwrap();
        assert!(renew(&lease, &begun, &version).await.unwrap().is_none());
        // Who has it now keeps it.
        first.give_back(false).await;
        assert!(lease.read_if_there().await.unwrap().is_some());
    }
}
