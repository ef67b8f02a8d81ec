//! The second-pass dictionaries of all patients: `sql/dictionaries.sql`, by patient.
//!
//! ```text
//! patient_hash  label   text
//! 5c…           DOCTOR  Ngozi Okafor  ┐
//! 5c…           PHONE   507-555-0101  ┴─▶ PatientDictionary of that patient
//! ```

use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;

use super::{SortedFile, SortedWriter, local};
use crate::corpus::columns::{keys, texts};
use crate::corpus::error::Result;
use crate::corpus::kept::Kept;
use crate::corpus::store::Location;
use crate::detect::second_pass::PatientDictionary;
use crate::phi::Label;
use crate::text::SentenceHasher;

/// What was found with confidence, by patient.
#[derive(Debug)]
pub struct PatientDictionaries {
    values: SortedFile,
    hasher: SentenceHasher,
    kept: Kept<PatientDictionary>,
}

/// Makes [`PatientDictionaries`] of batches of `patient_hash`, `label` and `text`, in the order of patients.
pub struct PatientDictionariesWriter {
    file: SortedWriter,
    patient: Option<u128>,
    values: Vec<u8>,
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
    /// [`crate::corpus::CorpusError::Accounting`] where the columns are not those.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let (labels, values) = (texts(batch, "label", "second_pass")?, texts(batch, "text", "second_pass")?);
        for (row, patient) in keys(batch, "patient_hash", "second_pass")?.into_iter().enumerate() {
            if self.patient != Some(patient) {
                self.end_patient()?;
                self.patient = Some(patient);
            }
            for part in [labels.value(row), values.value(row)] {
                self.values.extend((part.len() as u32).to_le_bytes());
                self.values.extend(part.as_bytes());
            }
        }
        Ok(())
    }

    fn end_patient(&mut self) -> Result<()> {
        if let Some(patient) = self.patient {
            self.file.add(patient, &self.values)?;
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
        Ok(PatientDictionaries { values: self.file.finish()?, hasher: hasher.clone(), kept: Kept::default() })
    }
}

impl PatientDictionaries {
    /// Opens what an earlier run has kept; `hasher` made the hashes of the patients.
    ///
    /// # Errors
    /// [`crate::corpus::CorpusError::Input`] where it cannot be read or is none.
    pub fn open(path: &Path, hasher: &SentenceHasher) -> Result<Self> {
        Ok(Self { values: SortedFile::open(path)?, hasher: hasher.clone(), kept: Kept::default() })
    }

    /// The number of patients of whom something is known.
    pub fn patients(&self) -> usize {
        self.values.len()
    }

    /// What is known of a patient, as it is stored.
    pub(in crate::corpus) fn bytes(&self, patient: &str) -> Option<&[u8]> {
        self.values.get(u128::from_be_bytes(self.hasher.hash(patient)))
    }

    /// What finds a patient's values in notes; none where nothing is known.
    pub fn of(&self, patient: &str) -> Option<Arc<PatientDictionary>> {
        let values = self.bytes(patient)?;
        Some(self.kept.get(patient, || Arc::new(PatientDictionary::new(read(values)))))
    }
}

/// The labels and texts of a patient's bytes.
fn read(mut bytes: &[u8]) -> impl Iterator<Item = (Label, &str)> {
    let mut part = move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        bytes = rest;
        std::str::from_utf8(part).ok()
    };
    std::iter::from_fn(move || Some((part()?.parse().ok()?, part()?)))
}
