//! What members said of sentences in earlier runs: a sentence that was detected once is not detected again.
//!
//! ```text
//! CACHE/<key id>/<member>/segment-<time>-<process>.idx     sentence ─▶ (what was shown, what was judged)
//!                 └ a digest of all that its answers depend on, thresholds left out
//! ```
//!
//! A run adds a segment to each member's folder and changes none. A changed member has another folder, so the others keep what they
//! know. Thresholds, votes and policies are applied to what is read, so they may change freely. Many small segments are merged.
//! The cache is as confidential as the notes.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::judged::read_answer;
use super::sorted::is_part;
use super::{SortedFile, SortedWriter, local};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;
use crate::detect::Judged;

/// A member with more segments than this has them merged.
const MOST_SEGMENTS: usize = 8;
/// The ending of segments that are whole.
const ENDING: &str = "idx";
/// When the parts of a segment belong to nobody any more.
const STALE_AFTER: Duration = Duration::from_hours(24);

/// What members said, by member and sentence.
#[derive(Debug)]
pub struct SpanCache {
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    folder: PathBuf,
    /// The oldest first.
    segments: Vec<SortedFile>,
}

/// How much of a member's work the cache spared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheReport {
    /// The member: its kind, model and version.
    pub member: String,
    /// Sentences that it was asked about in this run, for the cache did not know them; what of them it said is added to the cache.
    pub asked: u64,
}

impl SpanCache {
    /// Opens the cache of a key for members with these fingerprints; folders that are not there are made.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for a place that is not local, [`CorpusError::Input`] for a segment that is damaged,
    /// [`CorpusError::Output`] where folders cannot be made.
    pub fn open(root: &Location, key_id: &str, fingerprints: &[String]) -> Result<Self> {
        local(root)?;
        let members = fingerprints.iter().map(|fingerprint| {
            let digest = blake3::hash(fingerprint.as_bytes()).to_hex();
            let folder = root.join(key_id).join(&digest[..32]);
            folder.create_confidential()?;
            let folder = local(&folder)?;
            remove_stale(&folder);
            Ok(Member { segments: segments(&folder)?, folder })
        });
        Ok(Self { members: members.collect::<Result<_>>()? })
    }

    /// How many members it has.
    pub fn members(&self) -> usize {
        self.members.len()
    }

    /// What a member judged of a sentence when it was shown what has the digest `shown`; the latest answer counts.
    pub fn recall(&self, member: usize, sentence: u128, shown: u64) -> Option<Vec<Judged>> {
        let segments = self.members.get(member)?.segments.iter().rev();
        segments.filter_map(|segment| segment.get(sentence)).find_map(|bytes| read_answer(bytes, shown))
    }

    /// Begins a segment of new answers of a member: [`encode_answer`](super::encode_answer) by sentence, in order.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub fn segment(&self, member: usize) -> Result<SortedWriter> {
        SortedWriter::create(&new_segment(&self.members[member].folder))
    }

    /// Merges the segments of members that have many. A run that reads the merged ones meanwhile is not disturbed: it has them mapped.
    ///
    /// # Errors
    /// [`CorpusError::Input`] and [`CorpusError::Output`] where segments cannot be read or written.
    pub fn merge_segments(&self) -> Result<()> {
        for member in &self.members {
            let old = segments(&member.folder)?;
            if old.len() > MOST_SEGMENTS {
                merge(&old, &new_segment(&member.folder))?;
                for segment in &old {
                    match std::fs::remove_file(segment.path()) {
                        // Another run has merged and removed it meanwhile.
                        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (),
                        removed => {
                            removed.map_err(|error| CorpusError::output(segment.path().display().to_string(), error))?
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Removes parts of segments that a process has begun and was killed over. Nobody works a day at one without writing.
fn remove_stale(folder: &Path) {
    let is_stale = |path: &Path| {
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > STALE_AFTER))
    };
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_part(&path, ENDING) && is_stale(&path) {
            // Another run may do the same.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The name of a segment that no other process takes; later ones sort behind earlier ones.
fn new_segment(folder: &Path) -> PathBuf {
    let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    folder.join(format!("segment-{nanoseconds:020}-{}.{ENDING}", std::process::id()))
}

/// The whole segments in a folder, the oldest first.
fn segments(folder: &Path) -> Result<Vec<SortedFile>> {
    let fail = |error: std::io::Error| CorpusError::input(folder.display().to_string(), error);
    let entries = std::fs::read_dir(folder).map_err(fail)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = paths.map_err(fail)?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    paths.sort();
    let open = |path: &PathBuf| match SortedFile::open(path) {
        // Another run has merged it since the folder was read: what it held is asked again.
        Err(_) if !path.exists() => None,
        opened => Some(opened),
    };
    paths.iter().filter_map(open).collect()
}

/// Writes the answers of all segments into one; of a sentence with several the latest.
fn merge(segments: &[SortedFile], path: &Path) -> Result<()> {
    let mut writer = SortedWriter::create(path)?;
    let mut heads: Vec<_> = segments.iter().rev().map(|segment| segment.iter().peekable()).collect();
    while let Some(least) = heads.iter_mut().filter_map(|head| head.peek().map(|(key, _)| *key)).min() {
        // The latest segment comes first, and the writer leaves the first value of a key.
        for head in &mut heads {
            if let Some((key, value)) = head.next_if(|(key, _)| *key == least) {
                writer.add(key, value)?;
            }
        }
    }
    writer.finish().map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::encode_answer;
    use super::*;
    use crate::detect::Answer;
    use crate::phi::{Detector, Label, Span};

    fn answer(shown: u64, end: usize) -> Answer {
        Answer { shown, judged: Judged::of_spans(&[Span::new(0, end, Label::City, Detector::Crf, 0.5)]) }
    }

    fn add(cache: &SpanCache, member: usize, answers: &[(u128, Answer)]) {
        let mut segment = cache.segment(member).unwrap();
        for (sentence, answer) in answers {
            segment.add(*sentence, &encode_answer(answer)).unwrap();
        }
        segment.finish().unwrap();
    }

    fn open(folder: &Path, fingerprints: &[&str]) -> SpanCache {
        let root = Location::parse(&folder.join("cache").to_string_lossy()).unwrap();
        let fingerprints: Vec<String> = fingerprints.iter().map(|&fingerprint| fingerprint.to_owned()).collect();
        SpanCache::open(&root, "key", &fingerprints).unwrap()
    }

    #[test]
    fn what_a_killed_run_has_left_goes_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path(), &["a 1"]);
        add(&cache, 0, &[(7, answer(0, 3))]);
        let files = || std::fs::read_dir(&cache.members[0].folder).unwrap().count();
        for (age, left) in [(Duration::from_hours(1), 2), (Duration::from_hours(25), 1)] {
            let part = cache.members[0].folder.join("segment-1-1.idx.keys");
            std::fs::write(&part, "…").unwrap();
            std::fs::File::options().write(true).open(&part).unwrap().set_modified(SystemTime::now() - age).unwrap();
            let again = open(folder.path(), &["a 1"]);
            assert!(files() == left && again.recall(0, 7, 0).is_some(), "{age:?}");
        }
    }

    #[test]
    fn members_keep_what_they_said_and_a_changed_one_forgets_alone() {
        let folder = tempfile::tempdir().unwrap();
        let first = open(folder.path(), &["a 1", "b 1"]);
        assert_eq!(first.recall(0, 7, 0), None);
        add(&first, 0, &[(7, answer(0, 3))]);
        add(&first, 1, &[(7, answer(9, 4)), (8, answer(9, 5))]);
        let second = open(folder.path(), &["a 2", "b 1"]);
        assert_eq!(second.recall(0, 7, 0), None);
        assert_eq!(second.recall(1, 7, 9), Some(answer(9, 4).judged));
        assert_eq!(second.recall(1, 7, 8), None, "it was shown something else");
    }

    #[test]
    fn merged_segments_have_the_latest_answers() {
        let folder = tempfile::tempdir().unwrap();
        for run in 0..MOST_SEGMENTS as u64 + 1 {
            let cache = open(folder.path(), &["a"]);
            add(&cache, 0, &[(1, answer(run, 1)), (u128::from(run) + 2, answer(0, run as usize + 1))]);
        }
        open(folder.path(), &["a"]).merge_segments().unwrap();
        let cache = open(folder.path(), &["a"]);
        assert_eq!(cache.members[0].segments.len(), 1);
        assert_eq!(cache.recall(0, 1, MOST_SEGMENTS as u64), Some(answer(0, 1).judged));
        assert_eq!(cache.recall(0, 1, 0), None);
        for run in 0..MOST_SEGMENTS + 1 {
            assert_eq!(cache.recall(0, run as u128 + 2, 0), Some(answer(0, run + 1).judged));
        }
    }
}
