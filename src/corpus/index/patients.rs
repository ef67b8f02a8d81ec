//! The second-pass dictionaries of all patients: `sql/dictionaries.sql`, by patient.
//!
//! ```text
//! patient_hash  label   text
//! 5c…           DOCTOR  Ngozi Okafor  ┐
//! 5c…           PHONE   507-555-0101  ┴─▶ PatientDictionary of that patient
//! ```
//!
//! Of a patient who is not found nothing is looked for, and the names of one whose values were cut short would stand in the output. So the
//! file is sealed: it is read once more when it is opened, and damage stops the run. All of it is asked for in any case.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow::array::RecordBatch;
use lru::LruCache;

use super::{SortedFile, SortedWriter, local};
use crate::corpus::columns::{keys, texts, unreadable};
use crate::corpus::error::Result;
use crate::corpus::store::Location;
use crate::detect::second_pass::{PatientDictionary, prepared};
use crate::phi::Label;
use crate::text::SentenceHasher;

/// What was found with confidence, by patient.
#[derive(Debug)]
pub struct PatientDictionaries {
    values: SortedFile,
    hasher: SentenceHasher,
    kept: Mutex<Kept>,
}

/// The dictionaries that were asked for last. Notes that lie in the order of their days come back to the same patients, and to make a dictionary
/// takes longer than to read a note with it.
#[derive(Debug)]
struct Kept {
    /// With the bytes that each takes.
    dictionaries: LruCache<u128, (Arc<PatientDictionary>, usize)>,
    bytes: usize,
    /// So many bytes of dictionaries are kept.
    most_bytes: usize,
    /// One that made way, whose memory the next takes.
    spare: Option<PatientDictionary>,
}

/// So many bytes of dictionaries are kept: those of some thousand patients, as many as a hospital has in its beds.
const MOST_BYTES: usize = 32 << 20;
/// So many are kept, whatever they take: the one that all notes without a patient are given to may be larger than all others.
const FEWEST: usize = 4;
/// The memory of a larger one that made way is given back: a patient of few values would count with all of it.
const MOST_SPARE: usize = 64 << 10;

impl Default for Kept {
    fn default() -> Self {
        Self { dictionaries: LruCache::unbounded(), bytes: 0, most_bytes: MOST_BYTES, spare: None }
    }
}

impl Kept {
    fn get(&mut self, patient: u128) -> Option<Arc<PatientDictionary>> {
        self.dictionaries.get(&patient).map(|(dictionary, _)| Arc::clone(dictionary))
    }

    fn keep(&mut self, patient: u128, dictionary: &Arc<PatientDictionary>) {
        let bytes = dictionary.bytes();
        let before = self.dictionaries.put(patient, (Arc::clone(dictionary), bytes));
        self.bytes = self.bytes + bytes - before.map_or(0, |(_, bytes)| bytes);
        while self.bytes > self.most_bytes && self.dictionaries.len() > FEWEST {
            let Some((_, (oldest, bytes))) = self.dictionaries.pop_lru() else { break };
            self.bytes -= bytes;
            // Another worker may still be at it.
            let free = Arc::try_unwrap(oldest).ok().filter(|_| bytes <= MOST_SPARE);
            self.spare = free.or(self.spare.take());
        }
    }
}

/// Makes [`PatientDictionaries`] of batches of `patient_hash`, `label` and `text`, in the order of patients.
pub struct PatientDictionariesWriter {
    file: SortedWriter,
    patient: Option<u128>,
    values: Vec<(Label, String)>,
}

impl PatientDictionariesWriter {
    /// Begins the index at a local place, in a folder that exists.
    ///
    /// # Errors
    /// [`crate::corpus::CorpusError::Output`] where it cannot be written.
    pub fn create(location: &Location) -> Result<Self> {
        Ok(Self { file: SortedWriter::create(&local(location)?)?, patient: None, values: Vec::new() })
    }

    /// Adds a batch.
    ///
    /// # Errors
    /// [`crate::corpus::CorpusError::Internal`] where the columns are not those.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let (labels, values) = (texts(batch, "label", "second_pass")?, texts(batch, "text", "second_pass")?);
        for (row, patient) in keys(batch, "patient_hash", "second_pass")?.into_iter().enumerate() {
            // What could not be read back is told here, where it can be.
            let label = Label::or_site(labels.value(row)).map_err(|_| unreadable("second_pass"))?;
            if self.patient != Some(patient) {
                self.end_patient()?;
                self.patient = Some(patient);
            }
            self.values.push((label, values.value(row).to_owned()));
        }
        Ok(())
    }

    fn end_patient(&mut self) -> Result<()> {
        if let Some(patient) = self.patient {
            let values = prepared(self.values.iter().map(|(label, value)| (*label, value.as_str())));
            self.file.add(patient, &written(&values))?;
        }
        self.values.clear();
        Ok(())
    }

    /// The dictionaries; `hasher` made the hashes of the patients.
    ///
    /// # Errors
    /// [`crate::corpus::CorpusError::Output`] where they cannot be written.
    pub fn finish(mut self, hasher: &SentenceHasher) -> Result<PatientDictionaries> {
        self.end_patient()?;
        Ok(PatientDictionaries::of(self.file.finish_sealed()?, hasher))
    }
}

impl PatientDictionaries {
    fn of(values: SortedFile, hasher: &SentenceHasher) -> Self {
        Self { values, hasher: hasher.clone(), kept: Mutex::default() }
    }

    /// Opens what an earlier run has kept; `hasher` made the hashes of the patients.
    ///
    /// # Errors
    /// [`crate::corpus::CorpusError::Input`] where it cannot be read, is none or is damaged.
    pub fn open(path: &Path, hasher: &SentenceHasher) -> Result<Self> {
        Ok(Self::of(SortedFile::open_sealed(path)?, hasher))
    }

    /// The number of patients of whom something is known.
    pub fn patients(&self) -> usize {
        self.values.len()
    }

    /// What is known of a patient, as it is stored.
    pub(in crate::corpus) fn bytes(&self, patient: &str) -> Option<&[u8]> {
        self.values.get(u128::from_be_bytes(self.hasher.hash(patient)))
    }

    /// The dictionary of a patient, made where it is not kept; none where nothing is known of the patient.
    pub fn dictionary(&self, patient: &str) -> Option<Arc<PatientDictionary>> {
        let key = u128::from_be_bytes(self.hasher.hash(patient));
        if let Some(known) = self.kept().get(key) {
            return Some(known);
        }
        let values = self.values.get(key)?;
        let mut dictionary = self.kept().spare.take().unwrap_or_default();
        dictionary.refill(read(values));
        let dictionary = Arc::new(dictionary);
        self.kept().keep(key, &dictionary);
        Some(dictionary)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Labels and texts as a patient's bytes: the length of each as `u32`, little-endian, before it.
fn written(values: &[(Label, String)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in values.iter().flat_map(|(label, text)| [label.name(), text]) {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    bytes
}

/// The labels and texts of a patient's bytes, which are as they were written: the seal says so. A site's own labels may be new to a process
/// that goes on from what another has found.
fn read(mut bytes: &[u8]) -> impl Iterator<Item = (Label, &str)> {
    let mut part = move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        bytes = rest;
        std::str::from_utf8(part).ok()
    };
    std::iter::from_fn(move || Some((Label::or_site(part()?).ok()?, part()?)))
}

#[cfg(test)]
mod tests {
    use arrow::array::{ArrayRef, FixedSizeBinaryArray, StringArray};

    use super::*;

    /// The dictionaries of patients of so many values each, `P0` and on; the first value of `P3` is 3000000.
    fn dictionaries(folder: &tempfile::TempDir, numbers: &[usize]) -> PatientDictionaries {
        let location = Location::parse(&folder.path().join("dictionaries.idx").to_string_lossy()).unwrap();
        let hasher = SentenceHasher::new(&[1; 32]);
        let mut patients: Vec<_> = (0..numbers.len()).map(|patient| (patient, format!("P{patient}"))).collect();
        patients.sort_by_key(|(_, name)| hasher.hash(name));
        let mut writer = PatientDictionariesWriter::create(&location).unwrap();
        for (patient, name) in &patients {
            let values: Vec<_> =
                (0..numbers[*patient]).map(|value| format!("{}", patient * 1_000_000 + value)).collect();
            let hashes = std::iter::repeat_n(hasher.hash(name), values.len());
            let columns: [(&str, ArrayRef); 3] = [
                ("patient_hash", Arc::new(FixedSizeBinaryArray::try_from_iter(hashes).unwrap())),
                ("label", Arc::new(StringArray::from(vec!["MEDICALRECORD"; values.len()]))),
                ("text", Arc::new(StringArray::from(values))),
            ];
            writer.add(&RecordBatch::try_from_iter(columns).unwrap()).unwrap();
        }
        writer.finish(&hasher).unwrap()
    }

    #[test]
    fn dictionaries_are_made_once_while_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let dictionaries = dictionaries(&folder, &[60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 3]);
        assert!(dictionaries.dictionary("P7").is_none());
        let of = |patient: &str| dictionaries.dictionary(patient).unwrap();
        let first = of("P1");
        assert!(first.bytes() * 6 > MOST_BYTES, "they have room for themselves alone: {}", first.bytes());
        let mut found = Vec::new();
        first.find("pt 1002000 here", &mut found);
        assert_eq!(found.len(), 1);
        of("P6");
        assert!(Arc::ptr_eq(&first, &of("P1")));
        ["P2", "P3", "P4"].iter().for_each(|patient| drop(of(patient)));
        assert!(Arc::ptr_eq(&first, &of("P1")), "four are kept whatever they take");
        ["P2", "P3", "P4", "P5"].iter().for_each(|patient| drop(of(patient)));
        assert!(!Arc::ptr_eq(&first, &of("P1")));
    }

    #[test]
    fn the_memory_of_one_that_made_way_holds_nothing_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let dictionaries = dictionaries(&folder, &[3; 7]);
        dictionaries.kept().most_bytes = 0;
        ["P1", "P2", "P3", "P4", "P5"].iter().for_each(|patient| drop(dictionaries.dictionary(patient)));
        assert!(dictionaries.kept().spare.is_some());
        let next = dictionaries.dictionary("P6").unwrap();
        let mut found = Vec::new();
        next.find("pt 1000000 and 6000000 here", &mut found);
        assert_eq!(found.iter().map(|span| span.start).collect::<Vec<_>>(), [15]);
    }

    #[test]
    fn large_memory_is_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let dictionaries = dictionaries(&folder, &[60_000; 7]);
        dictionaries.kept().most_bytes = 0;
        ["P1", "P2", "P3", "P4", "P5"].iter().for_each(|patient| drop(dictionaries.dictionary(patient)));
        assert!(dictionaries.kept().spare.is_none());
    }

    #[test]
    fn every_value_comes_back_or_the_index_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dictionaries.idx");
        let hasher = SentenceHasher::new(&[1; 32]);
        let location = Location::parse(&path.to_string_lossy()).unwrap();
        let batch = |labels: [&str; 2]| {
            let hashes = FixedSizeBinaryArray::try_from_iter([hasher.hash("P1"); 2].into_iter()).unwrap();
            let columns: [(&str, ArrayRef); 3] = [
                ("patient_hash", Arc::new(hashes)),
                ("label", Arc::new(StringArray::from(labels.to_vec()))),
                ("text", Arc::new(StringArray::from(vec!["Room Zebra", "Ngozi Okafor"]))),
            ];
            RecordBatch::try_from_iter(columns).unwrap()
        };
        let mut writer = PatientDictionariesWriter::create(&location).unwrap();
        assert!(writer.add(&batch(["two words", "DOCTOR"])).is_err(), "it could not be read back");
        let mut writer = PatientDictionariesWriter::create(&location).unwrap();
        writer.add(&batch(["A_SITES_OWN_ROOM", "DOCTOR"])).unwrap();
        let dictionaries = writer.finish(&hasher).unwrap();
        let values: Vec<_> = read(dictionaries.bytes("P1").unwrap()).map(|(_, text)| text).collect();
        assert_eq!(values, ["Ngozi Okafor", "Room Zebra"]);
        assert!(dictionaries.dictionary("P1").is_some() && dictionaries.dictionary("P2").is_none());

        assert_eq!(PatientDictionaries::open(&path, &hasher).unwrap().patients(), 1);
        let mut damaged = std::fs::read(&path).unwrap();
        let half = damaged.len() / 2;
        damaged[half..half + 8].fill(0);
        std::fs::write(&path, damaged).unwrap();
        let told = PatientDictionaries::open(&path, &hasher).unwrap_err().to_string();
        assert!(told.contains("dictionaries.idx") && told.contains("damaged"), "{told}");
    }
}
