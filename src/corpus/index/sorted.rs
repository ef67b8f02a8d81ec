//! Values by a 128-bit key in one immutable file, found without reading the rest of it.
//!
//! ```text
//! header      magic, how many, where each part begins
//! values      [v0][v1][v2]…                   bytes, one after another, in the order of their keys
//! ends        [e0, e1, e2, …]                 where each value ends
//! keys        [03…, 1f…, 7a…, …]              sorted; keys are keyed hashes, so evenly spread
//! buckets     [0, 2, 2, 5, …]                 how many keys are below each prefix
//! seal        hash of all of it               only where it is asked for
//! ```
//!
//! The file is mapped, not read: what is asked for often stays in the system's page cache, and memory is the system's to give and
//! take. A table of a billion sentences costs this process no memory of its own. Numbers are little-endian.
//!
//! Damage shows where a value has a check of its own and a key that is not found is an error, or costs a question: then nothing is read
//! that is not asked for. Where a key that is not found means that nothing is known, the file has a seal, and is read once when it is opened.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::private::private_file;

const MAGIC: &[u8; 16] = b"plainsight idx 1";
/// The header: the magic bytes, the number of keys, the bytes of the values, and how many bits choose a bucket.
const HEADER: usize = 16 + 8 + 8 + 8;
/// Keys in a bucket, on average, at least: a few cache lines.
const KEYS_IN_BUCKET: u64 = 8;
/// More buckets than this gain nothing.
const MOST_BUCKET_BITS: u32 = 28;
/// The bytes of a seal.
const SEAL: usize = 8;
/// What to do about a file that cannot be used. A work location without it would take its stage for finished.
const REMEDY: &str = "remove it, or the whole work location where it lies in one, and it is made again";

/// A file of values by key, open for reading.
pub struct SortedFile {
    map: Mmap,
    path: PathBuf,
    keys: usize,
    values: usize,
    bucket_bits: u32,
}

impl SortedFile {
    /// Opens a file that [`SortedWriter`] made.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read, or is no such file, or not a whole one.
    pub fn open(path: &Path) -> Result<Self> {
        Self::mapped(path, 0)
    }

    /// Opens a file that [`SortedWriter::finish_sealed`] made, and reads all of it once.
    ///
    /// # Errors
    /// As [`SortedFile::open`]; and where anything in it is not as it was written.
    pub fn open_sealed(path: &Path) -> Result<Self> {
        let file = Self::mapped(path, SEAL)?;
        let seal = file.map.split_last_chunk::<SEAL>();
        let is_whole = seal.is_some_and(|(rest, seal)| u64::from_le_bytes(*seal) == xxh3_64(rest));
        if is_whole { Ok(file) } else { Err(file.damaged()) }
    }

    /// Maps a file that has so many bytes behind its parts.
    fn mapped(path: &Path, behind: usize) -> Result<Self> {
        let fail = |reason: String| CorpusError::input(path.display().to_string(), reason);
        let file = File::open(path).map_err(|error| fail(error.to_string()))?;
        // SAFETY: the file lies in a folder that only its owner can enter, is renamed into place when it is whole, and is not written
        // while it is mapped; to remove it leaves the mapped pages. Every number read from it is checked against its length.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| fail(error.to_string()))?;
        let broken = || fail(format!("this is no whole index of plainsight; {REMEDY}"));
        let number = |at: usize| Some(u64::from_le_bytes(*map.get(at..)?.first_chunk()?));
        if map.get(..16) != Some(MAGIC) {
            return Err(broken());
        }
        let (Some(keys), Some(values), Some(bits)) = (number(16), number(24), number(32)) else { return Err(broken()) };
        let bucket_bits = u32::try_from(bits).ok().filter(|bits| *bits <= MOST_BUCKET_BITS).ok_or_else(broken)?;
        let length = keys.checked_mul(24).and_then(|parts| parts.checked_add(values));
        let others = HEADER as u64 + 8 * ((1 << bucket_bits) + 1) + behind as u64;
        let length = length.and_then(|parts| parts.checked_add(others));
        if length != Some(map.len() as u64) {
            return Err(broken());
        }
        Ok(Self { keys: keys as usize, values: values as usize, bucket_bits, path: path.to_owned(), map })
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.keys
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.keys == 0
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is said of it where something in it is not as it was written.
    pub fn damaged(&self) -> CorpusError {
        CorpusError::input(self.path.display().to_string(), format!("this index is damaged; {REMEDY}"))
    }

    /// The value of a key.
    pub fn get(&self, key: u128) -> Option<&[u8]> {
        let bucket = bucket(key, self.bucket_bits);
        let buckets = HEADER + self.values + 24 * self.keys;
        let bound = |at: usize| (self.number(buckets + 8 * at) as usize).min(self.keys);
        let (mut low, mut high) = (bound(bucket), bound(bucket + 1));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.key(middle).cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(self.value(middle)),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Every key with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u128, &[u8])> {
        (0..self.keys).map(|at| (self.key(at), self.value(at)))
    }

    fn key(&self, at: usize) -> u128 {
        let start = HEADER + self.values + 8 * self.keys + 16 * at;
        self.map[start..].first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes))
    }

    fn value(&self, at: usize) -> &[u8] {
        let end = |at: usize| (self.number(HEADER + self.values + 8 * at) as usize).min(self.values);
        let start = at.checked_sub(1).map_or(0, end);
        &self.map[HEADER..][start..end(at).max(start)]
    }

    fn number(&self, at: usize) -> u64 {
        self.map[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}

impl std::fmt::Debug for SortedFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "SortedFile of {} keys", self.keys)
    }
}

const fn bucket(key: u128, bits: u32) -> usize {
    if bits == 0 { 0 } else { (key >> (128 - bits)) as usize }
}

/// Writes a file of values by key, a key after the other in order; memory does not grow with it.
pub struct SortedWriter {
    path: PathBuf,
    values: BufWriter<File>,
    /// Ends and keys, put behind the values at the end.
    ends: BufWriter<File>,
    keys: BufWriter<File>,
    count: u64,
    bytes: u64,
    last: Option<u128>,
}

/// The names under which the parts of a file grow before it is whole.
const PARTS: [&str; 3] = ["values", "ends", "keys"];

impl SortedWriter {
    /// Begins the file `path`, in a folder that exists; it is there when [`SortedWriter::finish`] has ended.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let open = |part: &str| {
            let mut options = private_file();
            options.read(true).write(true).create(true).truncate(true);
            let file = options.open(part_of(path, part));
            file.map(BufWriter::new).map_err(|error| CorpusError::output(path.display().to_string(), error))
        };
        let [values, ends, keys] = PARTS;
        let mut writer = Self {
            path: path.to_owned(),
            values: open(values)?,
            ends: open(ends)?,
            keys: open(keys)?,
            count: 0,
            bytes: 0,
            last: None,
        };
        writer.values.write_all(&[0; HEADER]).map_err(|error| writer.fail(&error))?;
        Ok(writer)
    }

    /// Adds a key, higher than those before it. Gives false where it was added before, and leaves the first value.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written, [`CorpusError::Internal`] for a key that is lower than the last.
    pub fn add(&mut self, key: u128, value: &[u8]) -> Result<bool> {
        match self.last {
            Some(last) if last == key => return Ok(false),
            Some(last) if last > key => {
                return Err(CorpusError::internal("the keys of an index came out of order"));
            }
            _ => self.last = Some(key),
        }
        self.bytes += value.len() as u64;
        self.count += 1;
        let written = self
            .values
            .write_all(value)
            .and_then(|()| self.ends.write_all(&self.bytes.to_le_bytes()))
            .and_then(|()| self.keys.write_all(&key.to_be_bytes()));
        written.map(|()| true).map_err(|error| self.fail(&error))
    }

    /// Ends the file and opens it.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub fn finish(mut self) -> Result<SortedFile> {
        self.assemble().map_err(|error| self.fail(&error))?;
        SortedFile::open(&self.path)
    }

    /// Ends the file, with a seal that [`SortedFile::open_sealed`] looks at, and opens it.
    ///
    /// # Errors
    /// As [`SortedWriter::finish`].
    pub fn finish_sealed(self) -> Result<SortedFile> {
        let SortedFile { map, path, .. } = self.finish()?;
        let seal = xxh3_64(&map).to_le_bytes();
        drop(map);
        let file = File::options().append(true).open(&path);
        let sealed = file.and_then(|mut file| file.write_all(&seal).and_then(|()| file.sync_all()));
        sealed.map_err(|error| CorpusError::output(path.display().to_string(), error))?;
        SortedFile::mapped(&path, SEAL)
    }

    fn assemble(&mut self) -> std::io::Result<()> {
        let bucket_bits = (self.count / KEYS_IN_BUCKET).max(1).ilog2().min(MOST_BUCKET_BITS);
        for part in [&mut self.ends, &mut self.keys] {
            part.flush()?;
            part.get_mut().seek(SeekFrom::Start(0))?;
            std::io::copy(part.get_mut(), &mut self.values)?;
        }
        let keys = self.keys.get_mut();
        keys.seek(SeekFrom::Start(0))?;
        let (mut keys, mut below, mut bucket_before) = (BufReader::new(keys), 0_u64, 0);
        let mut key = [0; 16];
        // How many keys are below each bucket's first; one number more than there are buckets.
        self.values.write_all(&0_u64.to_le_bytes())?;
        for _ in 0..self.count {
            keys.read_exact(&mut key)?;
            let bucket = bucket(u128::from_be_bytes(key), bucket_bits);
            for _ in bucket_before..bucket {
                self.values.write_all(&below.to_le_bytes())?;
            }
            (bucket_before, below) = (bucket, below + 1);
        }
        for _ in bucket_before..1 << bucket_bits {
            self.values.write_all(&below.to_le_bytes())?;
        }
        self.values.flush()?;
        let file = self.values.get_mut();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(MAGIC)?;
        for number in [self.count, self.bytes, u64::from(bucket_bits)] {
            file.write_all(&number.to_le_bytes())?;
        }
        file.sync_all()?;
        let [values, ends, keys] = PARTS.map(|part| part_of(&self.path, part));
        std::fs::rename(values, &self.path)?;
        std::fs::remove_file(ends)?;
        std::fs::remove_file(keys)
    }

    fn fail(&self, error: &std::io::Error) -> CorpusError {
        CorpusError::output(self.path.display().to_string(), error)
    }
}

impl Drop for SortedWriter {
    /// Takes away the parts of a file that did not become whole.
    fn drop(&mut self) {
        for part in PARTS {
            // Of a whole one none is there.
            let _ = std::fs::remove_file(part_of(&self.path, part));
        }
    }
}

/// Whether a file is a part of one that is not whole yet, of which the path ends so.
pub fn is_part(path: &Path, ending: &str) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(file, part)| PARTS.contains(&part) && file.ends_with(ending))
}

fn part_of(path: &Path, part: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(part);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn written(folder: &Path, entries: &BTreeMap<u128, Vec<u8>>) -> SortedFile {
        let mut writer = SortedWriter::create(&folder.join("index")).unwrap();
        for (key, value) in entries {
            assert!(writer.add(*key, value).unwrap());
        }
        writer.finish().unwrap()
    }

    #[test]
    fn keys_come_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SortedWriter::create(&folder.path().join("index")).unwrap();
        assert!(writer.add(5, b"five").unwrap());
        assert!(!writer.add(5, b"again").unwrap());
        assert!(writer.add(4, b"four").is_err());
        let file = writer.finish().unwrap();
        assert_eq!((file.len(), file.get(5), file.get(4)), (1, Some(&b"five"[..]), None));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let given_up = SortedWriter::create(&folder.path().join("other")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
        drop(given_up);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_whole_index_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let entries = (0..100).map(|key| (key << 90, vec![7; key as usize])).collect();
        let path = written(folder.path(), &entries).path().to_owned();
        let whole = std::fs::read(&path).unwrap();
        for broken in [&whole[..0], &whole[..30], &whole[..whole.len() - 1], &[0; 200]] {
            std::fs::write(&path, broken).unwrap();
            assert!(SortedFile::open(&path).is_err(), "{} bytes", broken.len());
        }
    }

    #[test]
    fn a_sealed_file_with_anything_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let mut writer = SortedWriter::create(&path).unwrap();
        for key in 0..100_u128 {
            assert!(writer.add(key << 90, &[7; 3]).unwrap());
        }
        let file = writer.finish_sealed().unwrap();
        assert_eq!((file.len(), file.get(5 << 90), file.get(5)), (100, Some(&[7; 3][..]), None));
        let whole = std::fs::read(&path).unwrap();
        assert!(SortedFile::open_sealed(&path).is_ok());
        assert!(SortedFile::open(&path).is_err(), "one is not taken for the other");
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << (place % 8);
            std::fs::write(&path, damaged).unwrap();
            let told = SortedFile::open_sealed(&path).unwrap_err().to_string();
            assert!(told.contains("index") && told.contains("remove it"), "{place}: {told}");
        }
        std::fs::write(&path, &whole[..whole.len() - SEAL]).unwrap();
        assert!(SortedFile::open_sealed(&path).is_err(), "a seal is missed");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_key_has_its_value_and_no_other_key_has_one(
            entries in prop::collection::btree_map(any::<u128>(), prop::collection::vec(any::<u8>(), 0..9), 0..400),
            near in any::<u128>()
        ) {
            let folder = tempfile::tempdir().unwrap();
            let file = written(folder.path(), &entries);
            prop_assert_eq!(file.len(), entries.len());
            for (key, value) in &entries {
                prop_assert_eq!(file.get(*key), Some(value.as_slice()));
                let next = key.wrapping_add(1);
                prop_assert_eq!(file.get(next), entries.get(&next).map(Vec::as_slice));
            }
            prop_assert_eq!(file.get(near), entries.get(&near).map(Vec::as_slice));
            let all: BTreeMap<u128, Vec<u8>> = file.iter().map(|(key, value)| (key, value.to_vec())).collect();
            prop_assert_eq!(all, entries);
        }
    }
}
