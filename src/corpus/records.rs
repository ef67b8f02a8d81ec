//! The patients' structured records, as they lie in a table, brought into the form that is matched in notes.
//!
//! ```text
//! patient_id  given_name  family_name  phones           mrn      kin …
//! PT000001    Ann         Lee          [507-555-0101]   0012345  [Bo Lee] ─▶ PatientRecord
//! ```

mod columns;

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use futures::TryStreamExt;
use xxhash_rust::xxh3::xxh3_64;

use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::session::session;
use super::source::identifiers;
use super::store::Location;
use crate::detect::record::{Cell, PatientRecord, is_placeholder};
use crate::phi::Label;
use columns::PATIENT;

pub use columns::PatientColumns;

/// The records of all patients, by patient identifier as text.
///
/// Narrow as yet: the columns of the table lie in memory.
#[derive(Debug, Default)]
pub struct PatientRecords {
    batches: Vec<RecordColumns>,
    /// Every row by the hash of its patient; those of one patient in the order of the table.
    rows: Vec<Row>,
    patients: usize,
}

/// Where a row is, and a hash of whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    patient: u64,
    batch: u32,
    row: u32,
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
        let mut records = Self::default();
        while let Some(batch) = batches.try_next().await.map_err(fail)? {
            records.add(RecordColumns::new(&batch, &fields)?, batch.num_rows());
        }
        records.finish();
        Ok(records)
    }

    /// Adds the rows of a batch that are somebody's.
    fn add(&mut self, columns: RecordColumns, rows: usize) {
        let batch = self.batches.len() as u32;
        let row = |row: usize| Some(Row { patient: hash(columns.patient(row)?), batch, row: row as u32 });
        self.rows.extend((0..rows).filter_map(row));
        self.batches.push(columns);
    }

    fn finish(&mut self) {
        self.rows.sort_unstable();
        self.rows.shrink_to_fit();
        self.patients = self.by_patient().count();
    }

    /// Every patient, once.
    fn by_patient(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(|row| {
            let patient = self.patient_of(row)?;
            // A patient may have several rows.
            (self.rows_of(patient).next() == Some(row)).then_some(patient)
        })
    }

    fn patient_of(&self, row: &Row) -> Option<&str> {
        self.batches.get(row.batch as usize)?.patient(row.row as usize)
    }

    fn rows_of(&self, patient: &str) -> impl Iterator<Item = &Row> {
        let hash = hash(patient);
        let from = self.rows.partition_point(|row| row.patient < hash);
        let alike = self.rows[from..].iter().take_while(move |row| row.patient == hash);
        alike.filter(move |row| self.patient_of(row) == Some(patient))
    }

    /// The number of patients.
    pub fn len(&self) -> usize {
        self.patients
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A digest of all records, to tell whether any has changed.
    pub(super) fn digest(&self) -> String {
        let digest = |patient: &str| {
            let described = format!("{patient:?} {}", self.described(patient));
            blake3::hash(described.as_bytes()).as_bytes().first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
        };
        // A sum, for the records are in no order.
        let sum = self.by_patient().map(digest).fold(0, u128::wrapping_add);
        format!("{} {sum:032x}", self.len())
    }

    /// A patient's records as text, to tell whether they have changed; empty for a patient without one. As confidential as they are.
    pub(super) fn described(&self, patient: &str) -> String {
        let records = self.of(patient);
        if records.is_empty() { String::new() } else { format!("{records:?}") }
    }

    /// Whether a patient has a record.
    pub(super) fn has(&self, patient: &str) -> bool {
        self.rows_of(patient).next().is_some()
    }

    /// A patient's records; none for a patient without one. Several rows, former names and addresses among them: none replaces another. Names
    /// are together in the first, for a given name of one row stands beside the family name of another; what all rows repeat is there once.
    pub(super) fn of(&self, patient: &str) -> Vec<PatientRecord<'_>> {
        let rows = self.rows_of(patient);
        let rows = rows.filter_map(|row| Some(self.batches.get(row.batch as usize)?.records(row.row as usize)));
        let mut records = rows.flatten();
        let Some(mut first) = records.next() else { return Vec::new() };
        let mut others: Vec<_> = records.map(|record| unite(&mut first, record)).collect();
        first.given_names = once(first.given_names);
        first.middle_names = once(first.middle_names);
        first.family_names = once(first.family_names);
        first.related = once(first.related);
        first.phones = once(first.phones);
        first.emails = once(first.emails);
        first.identifiers = once(first.identifiers);
        let singles = |record: &PatientRecord<'_>| SINGLE.map(|field| single(record, field).to_owned());
        let mut seen = HashSet::from([singles(&PatientRecord::default()), singles(&first)]);
        others.retain(|record| seen.insert(singles(record)));
        std::iter::once(first).chain(others).collect()
    }
}

/// Moves what a record has several of to another; gives what it has one each of.
fn unite<'v>(to: &mut PatientRecord<'v>, mut from: PatientRecord<'v>) -> PatientRecord<'v> {
    to.given_names.append(&mut from.given_names);
    to.middle_names.append(&mut from.middle_names);
    to.family_names.append(&mut from.family_names);
    to.related.append(&mut from.related);
    to.phones.append(&mut from.phones);
    to.emails.append(&mut from.emails);
    to.identifiers.append(&mut from.identifiers);
    from
}

/// Every value once, in the order in which they come.
fn once<T: Clone + Eq + Hash>(mut values: Vec<T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(value.clone()));
    values
}

/// What a record has one of.
fn single<'r>(record: &'r PatientRecord<'_>, field: &str) -> &'r str {
    match field {
        "street" => &record.street,
        "city" => &record.city,
        "state" => &record.state,
        "county" => &record.county,
        "zip" => &record.zip,
        "country" => &record.country,
        "birth_date" => &record.birth_date,
        _ => &record.employer,
    }
}

/// By what rows are sorted; whose a row is, it tells itself.
fn hash(patient: &str) -> u64 {
    xxh3_64(patient.as_bytes())
}

/// The fields of which a record has one each: what a row tells besides stands in further records of the same patient.
const SINGLE: [&str; 8] = ["street", "city", "state", "county", "zip", "country", "birth_date", "employer"];

/// What the cells of a field hold.
fn cell_of(field: &str) -> Cell {
    match field {
        "given_name" | "middle_name" | "family_name" | "maiden_name" | "kin" | "aliases" | "providers" => Cell::Name,
        "mrn" | "ssn" | "health_plan_id" | "other_ids" => Cell::Identifier,
        "email" => Cell::Email,
        "employer" => Cell::Employer,
        "street" | "city" | "state" | "county" | "country" => Cell::Place,
        _ => Cell::Other,
    }
}

/// A type for people. What is nested has names of whoever wrote the table, so it is not written out.
fn kind_of(data_type: &DataType) -> String {
    if data_type.is_nested() { "nested values".to_owned() } else { data_type.to_string() }
}

/// The columns of a batch of patients by what they tell.
#[derive(Debug)]
struct RecordColumns(Vec<(&'static str, Values)>);

impl RecordColumns {
    fn new(batch: &RecordBatch, fields: &[(&'static str, usize)]) -> Result<Self> {
        let schema = batch.schema();
        let values = |&(field, place): &(&'static str, usize)| {
            let values = Values::of(batch.column(place)).ok_or_else(|| {
                let column = schema.field(place);
                CorpusError::configuration(
                    format!("column `{}` of --patients holds {}", column.name(), kind_of(column.data_type())),
                    "text, numbers, dates and lists of them are read; for anything else `--patient-columns unused=NAME`",
                )
            });
            Ok((field, values?))
        };
        fields.iter().map(values).collect::<Result<_>>().map(Self)
    }

    /// What a row tells of a field, without what stands for nothing.
    fn values(&self, field: &str, row: usize) -> impl Iterator<Item = &str> {
        let cell = cell_of(field);
        self.cells(field, row).filter(move |value| !is_placeholder(cell, value))
    }

    /// What stands in the columns of a field.
    fn cells(&self, field: &str, row: usize) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(name, _)| *name == field).flat_map(move |(_, values)| values.in_row(row))
    }

    /// Whose a row is.
    fn patient(&self, row: usize) -> Option<&str> {
        self.cells(PATIENT, row).next()
    }

    /// The records in a row.
    fn records(&self, row: usize) -> Vec<PatientRecord<'_>> {
        let all = |fields: &[&str]| {
            fields.iter().flat_map(|field| self.values(field, row)).map(Cow::from).collect::<Vec<_>>()
        };
        let labelled =
            |field: &str, label: Label| self.values(field, row).map(|value| (label, value.into())).collect::<Vec<_>>();
        let mut related = labelled("kin", Label::Patient);
        // An alias may be a whole name or a part of one; as a further person's name it is found in either form, and a word by itself beside the
        // patient's other names, too.
        related.extend(labelled("aliases", Label::Patient));
        related.extend(labelled("providers", Label::Doctor));
        let identifiers = [
            ("mrn", Label::MedicalRecord),
            ("ssn", Label::Ssn),
            ("health_plan_id", Label::HealthPlan),
            ("other_ids", Label::IdNum),
        ];
        let is_word = |alias: &Cow<'_, str>| !alias.contains([' ', ',']);
        let given = all(&["given_name"]).into_iter().chain(all(&["aliases"]).into_iter().filter(is_word));
        let first = PatientRecord {
            given_names: given.collect(),
            middle_names: all(&["middle_name"]),
            family_names: all(&["family_name", "maiden_name"]),
            related,
            phones: all(&["phones"]),
            emails: all(&["email"]),
            identifiers: identifiers.iter().flat_map(|&(field, label)| labelled(field, label)).collect(),
            ..self.single(row, 0)
        };
        let count = SINGLE.iter().map(|field| self.cells(field, row).count()).max().unwrap_or_default();
        std::iter::once(first).chain((1..count).map(|nth| self.single(row, nth))).collect()
    }

    /// The n-th address, birth date and employer in a row.
    fn single(&self, row: usize, nth: usize) -> PatientRecord<'_> {
        let value = |field: &str| {
            let cell = self.cells(field, row).nth(nth).filter(|value| !is_placeholder(cell_of(field), value));
            cell.unwrap_or_default().into()
        };
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

/// A column as text, in as few bytes as it takes: there may be millions of patients.
#[derive(Debug)]
enum Values {
    /// One value a row.
    One(StringArray),
    /// Where the values of each row begin and end, and all values.
    Several(OffsetBuffer<i32>, Option<NullBuffer>, StringArray),
}

impl Values {
    /// None for a type that holds more than text, numbers, dates or lists of them.
    fn of(column: &ArrayRef) -> Option<Self> {
        let texts = |values: &ArrayRef| {
            let texts = cast(&identifiers(values).ok()?, &DataType::Utf8).ok()?;
            Some(texts.as_string::<i32>().clone())
        };
        let list = match column.data_type() {
            DataType::List(_) => Arc::clone(column),
            DataType::LargeList(item) | DataType::ListView(item) | DataType::FixedSizeList(item, _) => {
                cast(column, &DataType::List(Arc::clone(item))).ok()?
            }
            other if other.is_nested() => return None,
            _ => return texts(column).map(Self::One),
        };
        let list = list.as_list_opt::<i32>()?;
        if list.value_type().is_nested() {
            return None;
        }
        Some(Self::Several(list.offsets().clone(), list.nulls().cloned(), texts(list.values())?))
    }

    /// The values in a row, trimmed, without null and empty ones.
    fn in_row(&self, row: usize) -> impl Iterator<Item = &str> {
        let (texts, range) = match self {
            Self::One(texts) => (texts, row..row + 1),
            Self::Several(_, nulls, texts) if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) => (texts, 0..0),
            Self::Several(offsets, _, texts) => (texts, offsets[row] as usize..offsets[row + 1] as usize),
        };
        range.filter(|&at| texts.is_valid(at)).map(|at| texts.value(at).trim()).filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, Int64Array, LargeListArray, StructArray};
    use arrow::datatypes::{Field, Int64Type};

    fn column(values: &[&str]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    fn table(columns: Vec<(&'static str, ArrayRef)>) -> Result<RecordColumns> {
        let fields: Vec<_> = columns.iter().map(|(field, _)| *field).zip(0..).collect();
        // The names of columns say nothing here, and several may tell one field.
        let named = columns.into_iter().enumerate().map(|(place, (_, values))| (place.to_string(), values));
        let batch = RecordBatch::try_from_iter(named).unwrap();
        RecordColumns::new(&batch, &fields)
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
        let table = table(columns).unwrap();
        let records = table.records(0);
        let expected = PatientRecord {
            identifiers: vec![(Label::MedicalRecord, "48213".into()), (Label::Ssn, "123456789".into())],
            zip: "2134".into(),
            phones: vec!["5075550101".into()],
            birth_date: "3/4/1950".into(),
            ..PatientRecord::default()
        };
        assert_eq!(records, [expected]);
    }

    #[test]
    fn a_second_address_is_a_record_of_its_own() {
        let columns = ["street", "city", "street", "city", "given_name"].into_iter();
        let values = ["1 Elm St", "Waltham", "2 Oak St", "", "Ann"].map(|value| column(&[value]));
        let table = table(columns.zip(values).collect()).unwrap();
        let records = table.records(0);
        let streets: Vec<_> = records.iter().map(|record| record.street.as_ref()).collect();
        assert_eq!((streets, records.len()), (vec!["1 Elm St", "2 Oak St"], 2));
        assert_eq!(records.iter().filter(|record| record.given_names == ["Ann"]).count(), 1);
    }

    /// Rows of a patient may lie in several batches, beside patients of the same hash.
    #[test]
    fn all_rows_of_a_patient_are_found_and_no_others() {
        let rows = |ids: [&str; 3], names: [&str; 3]| {
            table(vec![(PATIENT, column(&ids)), ("family_name", column(&names))]).unwrap()
        };
        let mut records = PatientRecords::default();
        records.add(rows(["P1", "P2", ""], ["Lee", "Orr", "Nobody"]), 3);
        records.add(rows(["P3", "P1", " P2 "], ["Kim", "Lee-Stone", "Orr"]), 3);
        records.finish();
        let names = |patient: &str| -> Vec<String> {
            records.of(patient).iter().flat_map(|record| &record.family_names).map(|name| name.to_string()).collect()
        };
        assert_eq!(names("P1"), ["Lee", "Lee-Stone"]);
        assert_eq!(names("P2"), ["Orr"]);
        assert_eq!(names("P4"), [""; 0]);
        assert_eq!((records.len(), records.is_empty(), records.has("P3"), records.has("")), (3, false, true, false));
        let alike = PatientRecords {
            rows: records.rows.iter().map(|row| Row { patient: hash("P1"), ..*row }).collect(),
            ..records
        };
        assert_eq!(alike.of("P1").iter().flat_map(|record| &record.family_names).count(), 2);
    }

    #[test]
    fn rows_of_a_patient_are_one_and_what_stands_for_nothing_is_no_value() {
        let row = |given: &str, family: &str, mrn: &str, street: &str| {
            let values = [
                ("patient_id", "P1"),
                ("given_name", given),
                ("family_name", family),
                ("mrn", mrn),
                ("street", street),
            ];
            table(values.map(|(field, value)| (field, column(&[value]))).to_vec()).unwrap()
        };
        let mut records = PatientRecords::default();
        for (given, family, mrn, street) in [
            ("Zed", "Unknown", "Medicare", "1 Elm St"),
            ("Zed", "Strong", "0048213", "Homeless"),
            ("Zed", "Strong", "0048213", "1 Elm St"),
            ("Zed", "Young", "48-213", "2 Oak St"),
        ] {
            records.add(row(given, family, mrn, street), 1);
        }
        records.finish();
        let found = records.of("P1");
        assert_eq!(found[0].given_names, ["Zed"]);
        assert_eq!(found[0].family_names, ["Strong", "Young"]);
        assert_eq!(found[0].identifiers.len(), 2);
        assert_eq!(found.iter().map(|record| record.street.as_ref()).collect::<Vec<_>>(), ["1 Elm St", "2 Oak St"]);
    }

    #[test]
    fn what_cannot_be_read_is_not_passed_over() {
        let inner = (Arc::new(Field::new("number", DataType::Utf8, true)), column(&["1"]));
        let phones: ArrayRef = Arc::new(StructArray::from(vec![inner]));
        assert!(table(vec![("phones", phones)]).unwrap_err().is_usage());
    }
}
