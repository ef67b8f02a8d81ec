//! The patients' structured records, as they lie in a table, brought into the form that is matched in notes.
//!
//! ```text
//! patient_id  given_name  family_name  phones           mrn      kin …
//! PT000001    Ann         Lee          [507-555-0101]   0012345  [Bo Lee] ─▶ PatientRecord
//! ```

mod columns;

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, RecordBatch, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use futures::TryStreamExt;

use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::kept::Kept;
use super::session::session;
use super::source::identifiers;
use super::store::Location;
use crate::detect::record::{PatientRecord, RecordMatcher};
use crate::phi::Label;
use columns::PATIENT;

pub use columns::PatientColumns;

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
    /// Reads the table of patients at a location, Parquet or JSON Lines, whose columns are called so.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read, or has no column that names the patient; [`CorpusError::Configuration`] where nobody knows
    /// what a column tells, or it holds what cannot be read.
    pub async fn load(location: &Location, columns: impl Into<PatientColumns>) -> Result<Self> {
        let columns = columns.into();
        let context = session(&Arc::new(Deidentifier::new()), 1)?;
        let fail = |error: datafusion::error::DataFusionError| CorpusError::in_input(location.uri(), &error);
        let table = super::files::open(&context, location).await?;
        let fields = columns.of_table(table.schema().as_arrow(), location.uri())?;
        let mut batches = table.execute_stream().await.map_err(fail)?;
        let mut records: HashMap<String, Vec<PatientRecord>> = HashMap::new();
        while let Some(batch) = batches.try_next().await.map_err(fail)? {
            let columns = RecordColumns::new(&batch, &fields)?;
            for row in 0..batch.num_rows() {
                if let Some(patient) = columns.values(PATIENT, row).into_iter().next() {
                    // A patient may have several rows, former names and addresses among them: none replaces another.
                    records.entry(patient).or_default().extend(columns.records(row));
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

/// The fields of which a record has one each: what a row tells besides stands in further records of the same patient.
const SINGLE: [&str; 8] = ["street", "city", "state", "county", "zip", "country", "birth_date", "employer"];

/// The columns of a batch of patients by what they tell.
struct RecordColumns(Vec<(&'static str, Values)>);

impl RecordColumns {
    fn new(batch: &RecordBatch, fields: &[(&'static str, usize)]) -> Result<Self> {
        let schema = batch.schema();
        let values = |&(field, place): &(&'static str, usize)| {
            let values = Values::of(batch.column(place)).ok_or_else(|| {
                let column = schema.field(place);
                CorpusError::configuration(
                    format!("column `{}` of --patients holds {}", column.name(), column.data_type()),
                    "text, numbers, dates and lists of them are read; for anything else `--patient-columns unused=NAME`",
                )
            });
            Ok((field, values?))
        };
        fields.iter().map(values).collect::<Result<_>>().map(Self)
    }

    /// What a row tells of a field.
    fn values(&self, field: &str, row: usize) -> Vec<String> {
        self.0.iter().filter(|(name, _)| *name == field).flat_map(|(_, values)| values.in_row(row)).collect()
    }

    /// The records in a row.
    fn records(&self, row: usize) -> Vec<PatientRecord> {
        let all = |fields: &[&str]| fields.iter().flat_map(|field| self.values(field, row)).collect::<Vec<_>>();
        let labelled = |field: &str, label: Label| {
            self.values(field, row).into_iter().map(move |value| (label, value)).collect::<Vec<_>>()
        };
        let mut related = labelled("kin", Label::Patient);
        // An alias may be a whole name or a part of one; as a further person's name it is found in either form.
        related.extend(labelled("aliases", Label::Patient));
        related.extend(labelled("providers", Label::Doctor));
        let identifiers = [
            ("mrn", Label::MedicalRecord),
            ("ssn", Label::Ssn),
            ("health_plan_id", Label::HealthPlan),
            ("other_ids", Label::IdNum),
        ];
        let first = PatientRecord {
            given_names: all(&["given_name"]),
            middle_names: all(&["middle_name"]),
            family_names: all(&["family_name", "maiden_name"]),
            related,
            phones: all(&["phones"]),
            emails: all(&["email"]),
            identifiers: identifiers.iter().flat_map(|&(field, label)| labelled(field, label)).collect(),
            ..self.single(row, 0)
        };
        let count = SINGLE.iter().map(|field| self.values(field, row).len()).max().unwrap_or_default();
        std::iter::once(first).chain((1..count).map(|nth| self.single(row, nth))).collect()
    }

    /// The n-th address, birth date and employer in a row.
    fn single(&self, row: usize, nth: usize) -> PatientRecord {
        let value = |field: &str| self.values(field, row).into_iter().nth(nth).unwrap_or_default();
        PatientRecord {
            street: value("street"),
            city: value("city"),
            state: value("state"),
            county: value("county"),
            zip: value("zip"),
            country: value("country"),
            birth_date: value("birth_date"),
            employer: value("employer"),
            ..PatientRecord::default()
        }
    }
}

/// A column as text.
enum Values {
    /// One value a row.
    One(StringViewArray),
    /// A list a row, and what all lists hold.
    Several(ListArray, StringViewArray),
}

impl Values {
    /// None for a type that holds more than text, numbers, dates or lists of them.
    fn of(column: &ArrayRef) -> Option<Self> {
        let list = match column.data_type() {
            DataType::List(_) => Arc::clone(column),
            DataType::LargeList(item) | DataType::ListView(item) | DataType::FixedSizeList(item, _) => {
                cast(column, &DataType::List(Arc::clone(item))).ok()?
            }
            other if other.is_nested() => return None,
            _ => return identifiers(column).ok().map(Self::One),
        };
        let list = list.as_list_opt::<i32>()?.clone();
        if list.value_type().is_nested() {
            return None;
        }
        let texts = identifiers(list.values()).ok()?;
        Some(Self::Several(list, texts))
    }

    /// The values in a row, trimmed, without null and empty ones.
    fn in_row(&self, row: usize) -> Vec<String> {
        let texts = match self {
            Self::One(texts) => texts.slice(row, 1),
            Self::Several(list, _) if list.is_null(row) => return Vec::new(),
            Self::Several(list, texts) => {
                let start = list.value_offsets().get(row).copied().unwrap_or_default();
                texts.slice(start as usize, list.value_length(row) as usize)
            }
        };
        texts.iter().flatten().map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, Int64Array, LargeListArray, StringArray, StructArray};
    use arrow::datatypes::{Field, Int64Type};

    fn column(values: &[&str]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    fn records(columns: Vec<(&'static str, ArrayRef)>) -> Result<Vec<PatientRecord>> {
        let fields: Vec<_> = columns.iter().map(|(field, _)| *field).zip(0..).collect();
        // The names of columns say nothing here, and several may tell one field.
        let named = columns.into_iter().enumerate().map(|(place, (_, values))| (place.to_string(), values));
        let batch = RecordBatch::try_from_iter(named).unwrap();
        RecordColumns::new(&batch, &fields).map(|columns| columns.records(0))
    }

    /// Integers beside null become floats in some programs; they are found as they are written in notes.
    #[test]
    fn numbers_and_dates_are_text() {
        let phones = LargeListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(5_075_550_101), None])]);
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("mrn", Arc::new(Float64Array::from(vec![48213.0]))),
            ("zip", Arc::new(Float64Array::from(vec![2134.0]))),
            ("ssn", Arc::new(Int64Array::from(vec![123_456_789]))),
            ("phones", Arc::new(phones)),
            ("birth_date", column(&["3/4/1950"])),
        ];
        let records = records(columns).unwrap();
        let expected = PatientRecord {
            identifiers: vec![(Label::MedicalRecord, "48213".to_owned()), (Label::Ssn, "123456789".to_owned())],
            zip: "2134".to_owned(),
            phones: vec!["5075550101".to_owned()],
            birth_date: "3/4/1950".to_owned(),
            ..PatientRecord::default()
        };
        assert_eq!(records, [expected]);
    }

    #[test]
    fn a_second_address_is_a_record_of_its_own() {
        let columns = ["street", "city", "street", "city", "given_name"].into_iter();
        let values = ["1 Elm St", "Waltham", "2 Oak St", "", "Ann"].map(|value| column(&[value]));
        let records = records(columns.zip(values).collect()).unwrap();
        let streets: Vec<_> = records.iter().map(|record| record.street.as_str()).collect();
        assert_eq!((streets, records.len()), (vec!["1 Elm St", "2 Oak St"], 2));
        assert_eq!(records.iter().filter(|record| record.given_names == ["Ann"]).count(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_not_passed_over() {
        let inner = (Arc::new(Field::new("number", DataType::Utf8, true)), column(&["1"]));
        let phones: ArrayRef = Arc::new(StructArray::from(vec![inner]));
        assert!(records(vec![("phones", phones)]).unwrap_err().is_usage());
    }
}
