//! The second-pass dictionaries of all patients: `sql/second_pass.sql`, by patient.
//!
//! ```text
//! patient   label   text
//! PT000001  DOCTOR  Ngozi Okafor  ┐
//! PT000001  PHONE   507-555-0101  ┴─▶ PatientDictionary of PT000001
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::DataType;

use super::error::{CorpusError, Result};
use super::kept::Kept;
use crate::detect::second_pass::PatientDictionary;
use crate::phi::Label;

/// What was found with confidence, by patient.
///
/// Narrow as yet: it lies in memory, about forty bytes and the text for each value.
#[derive(Debug, Default)]
pub struct PatientDictionaries {
    values: HashMap<String, Vec<(Label, Box<str>)>>,
    kept: Kept<PatientDictionary>,
}

impl PatientDictionaries {
    /// Adds a batch of `patient`, `label` and `text`.
    ///
    /// # Errors
    /// [`CorpusError::Accounting`] where the columns are not those.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let unreadable =
            || CorpusError::Accounting { reason: "the second pass's dictionary cannot be read".to_owned() };
        let column = |name| {
            let column = batch.column_by_name(name).ok_or_else(unreadable)?;
            cast(column, &DataType::Utf8).map_err(|_| unreadable())
        };
        let (patients, labels, texts) = (column("patient")?, column("label")?, column("text")?);
        let (patients, labels, texts) =
            (patients.as_string::<i32>(), labels.as_string::<i32>(), texts.as_string::<i32>());
        for row in 0..batch.num_rows() {
            let label: Label = labels.value(row).parse().map_err(|_| unreadable())?;
            let value = (label, texts.value(row).into());
            match self.values.get_mut(patients.value(row)) {
                Some(values) => values.push(value),
                None => drop(self.values.insert(patients.value(row).to_owned(), vec![value])),
            }
        }
        Ok(())
    }

    /// The number of patients of whom something is known.
    pub fn patients(&self) -> usize {
        self.values.len()
    }

    /// What finds a patient's values in notes; none where nothing is known.
    pub fn of(&self, patient: &str) -> Option<Arc<PatientDictionary>> {
        let values = self.values.get(patient)?;
        let make = || Arc::new(PatientDictionary::new(values.iter().map(|(label, text)| (*label, text.as_ref()))));
        Some(self.kept.get(patient, make))
    }
}
