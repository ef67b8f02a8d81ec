//! The one writer of an output: a second one is refused while the first lives.
//!
//! ```text
//! local folder   _plainsight/writer.json, locked by the system: the lock goes with its process, however that ends
//! object store   _plainsight/writer.json, created where there is none, changed every 10 s: { host, process, since, beat }
//!                who finds one that does not change for 45 s, or whose process on this host is gone, takes it over
//! ```
//!
//! No clocks of two machines are compared: who wants the lease watches it for as long as it takes. A writer that could not renew its lease
//! writes no further part and commits nothing.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::BoxFuture;
use rand::TryRngCore;
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::joint;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::locked::lock;
use crate::corpus::store::{Creation, Location, Replacement, Version};
use crate::corpus::upkeep::upkeep;

/// The lease, by its place in the output.
pub const WRITER: &str = "_plainsight/writer.json";
/// How often a lease is renewed.
const BEAT: Duration = Duration::from_secs(10);
/// A lease that has not changed for so long is nobody's.
pub(super) const DEAD_AFTER: Duration = Duration::from_secs(45);
/// A writer that could not renew its lease for so long writes no more: sooner than another can take it.
const LOST_AFTER: Duration = Duration::from_secs(30);
/// How often somebody else's lease is looked at.
pub(super) const LOOK: Duration = Duration::from_secs(2);

/// Who writes, as it stands in the lease.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writer {
    /// The name of its machine.
    pub host: String,
    /// The number of its process there.
    pub process: u32,
    /// What tells the process from others of the same number: the start of its machine, its space of process numbers, and when it began;
    /// empty where that is unknown.
    pub begun: String,
    /// What tells this lease from others of the same process.
    pub nonce: u64,
    /// How often the lease was renewed.
    pub beat: u64,
    /// Whether it has ended in good order before the output was whole: nobody need wait for it.
    #[serde(default)]
    pub ended: bool,
    /// The tasks that write the output together, where it is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Group>,
}

/// Tasks that write one output together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The job that they share.
    pub job: String,
    /// How many they are.
    pub of: usize,
    /// What tells the exchange by which they meet from others.
    pub exchange: String,
    /// Tells this beginning from others of the same job.
    pub epoch: u64,
}

impl Writer {
    /// This process.
    ///
    /// # Errors
    /// Those of [`nonce`].
    pub(super) fn here() -> Result<Self> {
        let process = std::process::id();
        let host = gethostname::gethostname().to_string_lossy().into_owned();
        let (begun, nonce) = (begun(process).unwrap_or_default(), nonce()?);
        Ok(Self { host, process, begun, nonce, beat: 0, ended: false, tasks: None })
    }

    /// Whether it is known to write no more: it has said so, or is a process of this machine that is there no longer.
    pub fn is_known_dead(&self) -> bool {
        if self.tasks.is_some() {
            // It is the first of several, of whom others may live.
            return false;
        }
        let is_near = space_of_processes().is_some_and(|space| self.begun.starts_with(&space));
        self.ended || (is_near && begun(self.process).as_ref() != Some(&self.begun))
    }

    /// What a lease says; nobody where it says nothing that can be read.
    pub(super) fn read(content: &[u8]) -> Self {
        serde_json::from_slice(content).unwrap_or_default()
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// A number that nobody else draws.
///
/// # Errors
/// [`CorpusError::Internal`] where the system has no random numbers: two writers with one number would take each other for themselves.
pub fn nonce() -> Result<u64> {
    let fail = |error| CorpusError::internal(format!("the system gives no random bytes: {error}"));
    OsRng.try_next_u64().map_err(fail)
}

/// When a process of this machine began: the machine's start, the space of process numbers (containers of one host have their own), and field
/// 22 of `/proc/PID/stat`, where the system has those. None where there is no such process.
fn begun(process: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in parentheses, which may hold spaces.
    let ticks = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?;
    Some(format!("{}{ticks}", space_of_processes()?))
}

/// What tells this machine's processes from all others, up to their numbers.
fn space_of_processes() -> Option<String> {
    let start = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let space = std::fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {} ", start.trim(), space.display()))
}

/// When a lease in a store was asked to be renewed the last time that it was; none once it is somebody else's.
pub(super) type Renewed = Arc<Mutex<Option<Instant>>>;

/// Tells those who write whether they still may.
#[derive(Clone)]
pub struct Leave {
    output: String,
    renewed: Option<Renewed>,
}

impl Leave {
    /// Fails where the lease may have gone to somebody else.
    ///
    /// # Errors
    /// [`CorpusError::Busy`].
    pub fn check(&self) -> Result<()> {
        let Some(renewed) = &self.renewed else { return Ok(()) };
        match *renewed.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(renewed) if renewed.elapsed() < LOST_AFTER => Ok(()),
            _ => Err(CorpusError::Busy {
                location: self.output.clone(),
                holder: "another writer, for this one could not renew its lease".to_owned(),
            }),
        }
    }
}

/// The right to write an output, until it is given back or the process ends.
pub struct Lease {
    pub(super) location: Location,
    pub(super) holding: Holding,
}

pub(super) enum Holding {
    /// The locked file.
    Local(#[expect(dead_code, reason = "the lock is held as long as the file is open")] File),
    /// What renews it, and whether that has failed; whether it was somebody else's before, who had not given it back.
    Store { renewed: Renewed, nonce: u64, beats: JoinSet<()>, taken_over: bool },
    /// The file, locked together with other tasks.
    SharedLocal(File),
    /// What sees to it that one of the tasks renews it.
    SharedStore { renewed: Renewed, group: Group, beats: JoinSet<()> },
}

impl Lease {
    /// Takes the lease of the output at a location; waits while it is unclear whether its holder lives.
    ///
    /// # Errors
    /// [`CorpusError::Busy`] while another writer lives.
    pub async fn take(output: &Location) -> Result<Self> {
        let location = output.join(WRITER);
        let holding = match location.local_path() {
            Some(path) => Holding::Local(take_local(&location, &path)?),
            None => take_in_store(&location).await?,
        };
        Ok(Self { location, holding })
    }

    /// What tells whether it still holds.
    pub fn leave(&self) -> Leave {
        let renewed = match &self.holding {
            Holding::Local(_) | Holding::SharedLocal(_) => None,
            Holding::Store { renewed, .. } | Holding::SharedStore { renewed, .. } => Some(Arc::clone(renewed)),
        };
        Leave { output: output_of(&self.location), renewed }
    }

    /// Whether no other task holds it, too.
    pub(super) fn is_alone(&self) -> bool {
        matches!(self.holding, Holding::Local(_) | Holding::Store { .. })
    }

    /// Whether its holder before this one has not given it back.
    pub(super) fn is_taken_over(&self) -> bool {
        matches!(self.holding, Holding::Store { taken_over: true, .. })
    }

    /// Gives it back. Where the output stays unfinished, the file stays too: it tells that what is there is ours.
    pub async fn give_back(self, unfinished: bool) {
        match self.holding {
            Holding::Local(_) => {}
            Holding::Store { mut beats, nonce, .. } => {
                beats.shutdown().await;
                let holder = self.location.read_if_there().await.ok().flatten();
                if holder.is_none_or(|(content, _)| Writer::read(&content).nonce != nonce) {
                    return;
                }
            }
            // Other tasks may be at work; the lease ends with the last of them.
            Holding::SharedLocal(_) | Holding::SharedStore { .. } if unfinished => return,
            Holding::SharedLocal(file) => return joint::remove_local(&self.location, file).await,
            Holding::SharedStore { mut beats, group, .. } => {
                beats.shutdown().await;
                return joint::remove_in_store(&self.location, &group).await;
            }
        }
        // What cannot be given back is taken over by the next writer.
        let _ = match unfinished {
            true => match Writer::here() {
                Ok(writer) => self.location.write(Writer { ended: true, ..writer }.to_json()).await,
                Err(error) => Err(error),
            },
            false => self.location.remove().await,
        };
    }
}

/// Who holds the lease of an output, and whether that one is known to be dead; none where nobody does.
///
/// # Errors
/// [`CorpusError::Input`] where it cannot be read.
pub async fn holder(output: &Location) -> Result<Option<(Writer, bool)>> {
    let location = output.join(WRITER);
    let Some((content, _)) = location.read_if_there().await? else { return Ok(None) };
    let writer = Writer::read(&content);
    let dead = match location.local_path() {
        // Tasks share the lock; some file systems lock for one alone only what may be written.
        Some(path) if writer.tasks.is_some() => {
            File::options().read(true).write(true).open(path).is_ok_and(|file| file.try_lock().is_ok())
        }
        Some(path) => File::open(path).is_ok_and(|file| file.try_lock_shared().is_ok()),
        None => writer.is_known_dead(),
    };
    Ok(Some((writer, dead)))
}

fn take_local(location: &Location, path: &Path) -> Result<File> {
    let fail = |error: std::io::Error| CorpusError::output(location.uri(), error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    let Some(mut file) = lock(path).map_err(fail)? else {
        let holder = std::fs::read(path).ok().and_then(|content| serde_json::from_slice(&content).ok());
        return Err(busy(location, &holder.unwrap_or_default()));
    };
    let writer = Writer::here()?.to_json();
    file.set_len(0).and_then(|()| file.write_all(writer.as_bytes())).map_err(fail)?;
    Ok(file)
}

async fn take_in_store(location: &Location) -> Result<Holding> {
    let mut writer = Writer::here()?;
    let mut seen: Option<(Version, Instant)> = None;
    loop {
        let asked = Instant::now();
        if let Creation::Made(version) = location.create(writer.to_json()).await? {
            return Ok(hold(location.clone(), writer, version, asked, false));
        }
        let Some((content, version)) = location.read_if_there().await? else { continue };
        let holder = Writer::read(&content);
        let since = match seen {
            Some((before, _)) if before != version => return Err(busy(location, &holder)),
            Some((_, since)) => since,
            None => Instant::now(),
        };
        if holder.is_known_dead() || since.elapsed() >= DEAD_AFTER {
            // Another who waits may be faster; then the lease has changed.
            writer.beat = holder.beat + 1;
            let asked = Instant::now();
            if let Replacement::Made(version) = location.replace(writer.to_json(), &version).await? {
                return Ok(hold(location.clone(), writer, version, asked, true));
            }
        }
        seen = Some((version, since));
        tokio::time::sleep(LOOK).await;
    }
}

pub(super) fn busy(location: &Location, holder: &Writer) -> CorpusError {
    let holder = match &holder.tasks {
        Some(tasks) => {
            format!("{} tasks of a run, the first of them process {} on {}", tasks.of, holder.process, holder.host)
        }
        None => format!("process {} on {}", holder.process, holder.host),
    };
    CorpusError::Busy { location: output_of(location), holder }
}

/// The output, as the user wrote it, that the lease at a location is of.
pub(super) fn output_of(lease: &Location) -> String {
    lease.uri().trim_end_matches(WRITER).to_owned()
}

/// Renews the lease for as long as it is held.
fn hold(location: Location, mut writer: Writer, version: Version, taken: Instant, taken_over: bool) -> Holding {
    let nonce = writer.nonce;
    let (renewed, beats) = renewing(version, taken, move |version| {
        writer.beat += 1;
        let (location, writer) = (location.clone(), writer.clone());
        async move { renew(&location, &writer, &version).await }.boxed()
    });
    Holding::Store { renewed, nonce, beats, taken_over }
}

/// Renews a lease with every beat until the set of beats is shut down, or the lease is somebody else's: `renew` tries once, from the version
/// that is known. Gives when the last renewal was asked for that came about.
pub(super) fn renewing(
    mut version: Version,
    taken: Instant,
    mut renew: impl FnMut(Version) -> BoxFuture<'static, Result<Option<Version>>> + Send + 'static,
) -> (Renewed, JoinSet<()>) {
    let renewed: Renewed = Arc::new(Mutex::new(Some(taken)));
    let told = Arc::clone(&renewed);
    let mut beats = JoinSet::new();
    let renewals = async move {
        loop {
            tokio::time::sleep(BEAT).await;
            let asked = Instant::now();
            match tokio::time::timeout(LOST_AFTER, renew(version.clone())).await {
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
    (renewed, beats)
}

/// Renews a lease; none where it is somebody else's.
async fn renew(location: &Location, writer: &Writer, version: &Version) -> Result<Option<Version>> {
    if let Replacement::Made(version) = location.replace(writer.to_json(), version).await? {
        return Ok(Some(version));
    }
    // An earlier beat may have arrived although its answer was lost.
    let Some((content, version)) = location.read_if_there().await? else { return Ok(None) };
    let holder = Writer::read(&content);
    if holder.nonce != writer.nonce {
        return Ok(None);
    }
    match location.replace(writer.to_json(), &version).await? {
        Replacement::Made(version) => Ok(Some(version)),
        Replacement::Changed => Ok(None),
    }
}
