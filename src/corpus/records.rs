//! The patients' structured records, as they lie in a table, brought into the form that is matched in notes.
//!
//! ```text
//! patient_id  given_name  family_name  phones           mrn      kin …
//! PT000001    Ann         Lee          [507-555-0101]   0012345  [Bo Lee] ─▶ PatientRecord
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use futures::TryStreamExt;

use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::kept::Kept;
use super::schema::Preset;
use super::session::session;
use super::store::Location;
use crate::detect::record::{PatientRecord, RecordMatcher};
use crate::phi::Label;

/// What finds the records of one patient.
pub type Matchers = Arc<[RecordMatcher]>;

/// The records of all patients, by patient identifier as text.
///
/// Narrow as yet: they lie in memory, about half a kilobyte each.
#[derive(Debug, Default)]
pub struct PatientRecords {
    records: HashMap<String, Vec<PatientRecord>>,
    matchers: Kept<[RecordMatcher]>,
}

impl PatientRecords {
    /// Reads the table of patients at a location, Parquet or JSON Lines, with the column names of a preset.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read, or has no column that names the patient.
    pub async fn load(location: &Location, preset: Preset) -> Result<Self> {
        let context = session(&Arc::new(Deidentifier::new()), 1)?;
        let fail = |error: datafusion::error::DataFusionError| CorpusError::in_input(location.uri(), &error);
        let table = super::files::open(&context, location).await?;
        let mut batches = table.execute_stream().await.map_err(fail)?;
        let mut records: HashMap<String, Vec<PatientRecord>> = HashMap::new();
        while let Some(batch) = batches.try_next().await.map_err(fail)? {
            let columns = RecordColumns::new(&batch, preset).ok_or_else(|| {
                CorpusError::input(
                    location.uri(),
                    format!("there is no column `{}` that names the patient", patient_column(preset)),
                )
            })?;
            for row in 0..batch.num_rows() {
                if let Some(patient) = columns.value(patient_column(preset), row) {
                    // A patient may have several rows, former names and addresses among them: none replaces another.
                    records.entry(patient).or_default().push(columns.record(row));
                }
            }
        }
        Ok(Self { records, matchers: Kept::default() })
    }

    /// The number of patients.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// A digest of all records, to tell whether any has changed.
    pub(super) fn digest(&self) -> String {
        let digest = |patient: &String| {
            let described = format!("{patient:?} {}", self.described(patient));
            blake3::hash(described.as_bytes()).as_bytes().first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
        };
        // A sum, for the records are in no order.
        let sum = self.records.keys().map(digest).fold(0, u128::wrapping_add);
        format!("{} {sum:032x}", self.records.len())
    }

    /// A patient's records as text, to tell whether they have changed; empty for a patient without one. As confidential as they are.
    pub(super) fn described(&self, patient: &str) -> String {
        self.records.get(patient).map(|records| format!("{records:?}")).unwrap_or_default()
    }

    /// A patient's records; none for a patient without one.
    pub(super) fn of(&self, patient: &str) -> Option<&[PatientRecord]> {
        self.records.get(patient).map(Vec::as_slice)
    }

    /// What finds a patient's records in notes; none for a patient without one.
    pub fn matchers(&self, patient: &str) -> Option<Matchers> {
        let records = self.records.get(patient)?;
        Some(self.matchers.get(patient, || records.iter().map(RecordMatcher::new).collect()))
    }
}

const fn patient_column(preset: Preset) -> &'static str {
    match preset {
        Preset::Plainsight => "patient_id",
        Preset::Omop => "person_id",
        Preset::Mimic => "subject_id",
    }
}

/// The columns of a batch of patients by lower-case name, as text.
struct RecordColumns {
    columns: HashMap<String, ArrayRef>,
}

impl RecordColumns {
    fn new(batch: &RecordBatch, preset: Preset) -> Option<Self> {
        let columns: HashMap<_, _> = batch
            .schema()
            .fields()
            .iter()
            .zip(batch.columns())
            .map(|(field, column)| (field.name().to_lowercase(), Arc::clone(column)))
            .collect();
        columns.contains_key(patient_column(preset)).then_some(Self { columns })
    }

    /// The value of a column in a row, trimmed; none where it is null, empty, a list, or not there.
    fn value(&self, name: &str, row: usize) -> Option<String> {
        let column = self.columns.get(name).filter(|column| column.is_valid(row))?;
        let value = cast(&column.slice(row, 1), &DataType::Utf8).ok()?;
        let value = value.as_string_opt::<i32>().filter(|value| value.is_valid(0))?.value(0).trim().to_owned();
        (!value.is_empty()).then_some(value)
    }

    /// The values of a column in a row: of a list its elements, else the one value.
    fn values(&self, name: &str, row: usize) -> Vec<String> {
        let Some(column) = self.columns.get(name).filter(|column| column.is_valid(row)) else { return Vec::new() };
        let Some(list) = column.as_list_opt::<i32>() else { return self.value(name, row).into_iter().collect() };
        let Ok(values) = cast(&list.value(row), &DataType::Utf8) else { return Vec::new() };
        let Some(values) = values.as_string_opt::<i32>() else { return Vec::new() };
        values.iter().flatten().map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned).collect()
    }

    fn text(&self, name: &str, row: usize) -> String {
        self.value(name, row).unwrap_or_default()
    }

    /// The record in a row: columns as `generate` names them, and those of OMOP's PERSON and MIMIC's PATIENTS that hold the same.
    fn record(&self, row: usize) -> PatientRecord {
        let all = |names: &[&str]| names.iter().flat_map(|name| self.values(name, row)).collect::<Vec<_>>();
        let first = |names: &[&str]| names.iter().find_map(|name| self.value(name, row)).unwrap_or_default();
        let related = |name: &str, label: Label| {
            self.values(name, row).into_iter().map(move |full| (label, full)).collect::<Vec<_>>()
        };
        let mut related_people = related("kin", Label::Patient);
        // An alias may be a whole name or a part of one; as a further person's name it is found in either form.
        related_people.extend(related("aliases", Label::Patient));
        related_people.extend(related("providers", Label::Doctor));
        let identifiers = [
            ("mrn", Label::MedicalRecord),
            ("person_source_value", Label::MedicalRecord),
            ("ssn", Label::Ssn),
            ("health_plan_id", Label::HealthPlan),
            ("other_ids", Label::IdNum),
        ];
        PatientRecord {
            given_names: all(&["given_name"]),
            middle_names: all(&["middle_name"]),
            family_names: all(&["family_name", "maiden_name"]),
            related: related_people,
            street: self.text("street", row),
            city: self.text("city", row),
            state: self.text("state", row),
            county: self.text("county", row),
            zip: self.text("zip", row),
            country: self.text("country", row),
            phones: all(&["phones"]),
            emails: all(&["email"]),
            identifiers: identifiers
                .iter()
                .flat_map(|&(name, label)| self.values(name, row).into_iter().map(move |value| (label, value)))
                .collect(),
            birth_date: first(&["birth_date", "birth_datetime", "dob"])
                .get(..10)
                .map(str::to_owned)
                .unwrap_or_default(),
            employer: self.text("employer", row),
        }
    }
}
