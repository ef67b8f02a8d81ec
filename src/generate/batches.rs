//! The warehouse as Arrow tables.
//!
//! ```text
//! notes     note_id  patient_id  encounter_id  note_type  note_datetime  text
//! gold      note_id  start  end  label                         code points, half-open
//! patients  the structured record; names, telephones, kin and providers as lists
//! ```

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Date32Array, Int64Builder, ListBuilder, RecordBatch, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use arrow::error::ArrowError;
use chrono::NaiveDate;

use super::patient::Patient;
use super::warehouse::Warehouse;

/// The columns of `notes`.
pub fn notes_schema() -> SchemaRef {
    let text = |name| Field::new(name, DataType::Utf8, false);
    Arc::new(Schema::new(vec![
        text("note_id"),
        text("patient_id"),
        text("encounter_id"),
        text("note_type"),
        Field::new("note_datetime", DataType::Timestamp(TimeUnit::Microsecond, None), false),
        text("text"),
    ]))
}

/// The columns of `gold`.
pub fn gold_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("note_id", DataType::Utf8, false),
        Field::new("start", DataType::Int64, false),
        Field::new("end", DataType::Int64, false),
        Field::new("label", DataType::Utf8, false),
    ]))
}

/// The columns of `patients`.
pub fn patients_schema() -> SchemaRef {
    let mut fields = Vec::new();
    for column in COLUMNS {
        fields.push(match column {
            Column::Text(name, _) => Field::new(*name, DataType::Utf8, false),
            Column::Optional(name, _) => Field::new(*name, DataType::Utf8, true),
            Column::List(name, _) => Field::new(*name, list_type(), false),
            Column::BirthDate => Field::new("birth_date", DataType::Date32, false),
        });
    }
    Arc::new(Schema::new(fields))
}

/// The notes of a range of indices, and their gold.
///
/// # Errors
/// [`ArrowError`] where Arrow refuses the columns, which their schemas rule out.
pub fn notes_and_gold(warehouse: &Warehouse, range: Range<u64>) -> Result<(RecordBatch, RecordBatch), ArrowError> {
    let mut columns: [StringBuilder; 5] = Default::default();
    let mut moments = TimestampMicrosecondBuilder::new();
    let (mut ids, mut labels) = (StringBuilder::new(), StringBuilder::new());
    let (mut starts, mut ends) = (Int64Builder::new(), Int64Builder::new());
    for index in range {
        let note = warehouse.note(index);
        let values = [&note.note_id, &note.patient_id, &note.encounter_id, note.note_type, &note.text];
        for (column, value) in columns.iter_mut().zip(values) {
            column.append_value(value);
        }
        moments.append_value(note.note_datetime.and_utc().timestamp_micros());
        for span in &note.gold {
            ids.append_value(&note.note_id);
            starts.append_value(i64::from(span.start));
            ends.append_value(i64::from(span.end));
            labels.append_value(span.label.name());
        }
    }
    let [note_ids, patient_ids, encounter_ids, note_types, texts] =
        columns.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
    let notes = vec![note_ids, patient_ids, encounter_ids, note_types, Arc::new(moments.finish()), texts];
    let gold: Vec<ArrayRef> =
        vec![Arc::new(ids.finish()), Arc::new(starts.finish()), Arc::new(ends.finish()), Arc::new(labels.finish())];
    Ok((RecordBatch::try_new(notes_schema(), notes)?, RecordBatch::try_new(gold_schema(), gold)?))
}

/// The patients of a range of indices.
///
/// # Errors
/// [`ArrowError`] where Arrow refuses the columns, which their schema rules out.
pub fn patients(warehouse: &Warehouse, range: Range<u64>) -> Result<RecordBatch, ArrowError> {
    let patients: Vec<Patient> = range.map(|index| warehouse.patient(index)).collect();
    let columns = COLUMNS.iter().map(|column| column.array(&patients)).collect();
    RecordBatch::try_new(patients_schema(), columns)
}

/// One column of `patients`, and where its values come from.
enum Column {
    Text(&'static str, fn(&Patient) -> &str),
    Optional(&'static str, fn(&Patient) -> Option<&String>),
    List(&'static str, fn(&Patient) -> &[String]),
    BirthDate,
}

const COLUMNS: &[Column] = &[
    Column::Text("patient_id", |patient| &patient.patient_id),
    Column::Text("given_name", |patient| &patient.given_name),
    Column::Optional("middle_name", |patient| patient.middle_name.as_ref()),
    Column::Text("family_name", |patient| &patient.family_name),
    Column::Optional("maiden_name", |patient| patient.maiden_name.as_ref()),
    Column::List("aliases", |patient| &patient.aliases),
    Column::Text("sex", |patient| patient.sex),
    Column::BirthDate,
    Column::Text("street", |patient| &patient.street),
    Column::Text("city", |patient| &patient.city),
    Column::Text("state", |patient| &patient.state),
    Column::Text("county", |patient| &patient.county),
    Column::Text("zip", |patient| &patient.zip),
    Column::Text("country", |patient| &patient.country),
    Column::List("phones", |patient| &patient.phones),
    Column::Optional("email", |patient| patient.email.as_ref()),
    Column::Text("mrn", |patient| &patient.mrn),
    Column::Text("ssn", |patient| &patient.ssn),
    Column::Text("health_plan_id", |patient| &patient.health_plan_id),
    Column::List("other_ids", |patient| &patient.other_ids),
    Column::List("kin", |patient| &patient.kin),
    Column::List("providers", |patient| &patient.providers),
    Column::Optional("employer", |patient| patient.employer.as_ref()),
];

impl Column {
    fn array(&self, patients: &[Patient]) -> ArrayRef {
        match self {
            Self::Text(_, value) => {
                let mut builder = StringBuilder::new();
                patients.iter().for_each(|patient| builder.append_value(value(patient)));
                Arc::new(builder.finish())
            }
            Self::Optional(_, value) => {
                let mut builder = StringBuilder::new();
                patients.iter().for_each(|patient| builder.append_option(value(patient)));
                Arc::new(builder.finish())
            }
            Self::List(_, values) => {
                let mut builder = ListBuilder::new(StringBuilder::new());
                for patient in patients {
                    values(patient).iter().for_each(|value| builder.values().append_value(value));
                    builder.append(true);
                }
                Arc::new(builder.finish())
            }
            Self::BirthDate => {
                Arc::new(Date32Array::from_iter_values(patients.iter().map(|patient| days(patient.birth_date))))
            }
        }
    }
}

fn list_type() -> DataType {
    DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)))
}

/// Days since 1970-01-01.
fn days(date: NaiveDate) -> i32 {
    date.signed_duration_since(NaiveDate::default()).num_days() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::GenerateOptions;

    #[test]
    fn batches_hold_what_the_warehouse_says() {
        let warehouse = Warehouse::new(GenerateOptions { notes: 40, patients: 9, seed: 4, canary: false });
        let (notes, gold) = notes_and_gold(&warehouse, 10..30).unwrap();
        assert_eq!(notes.num_rows(), 20);
        let spans: usize = (10..30).map(|index| warehouse.note(index).gold.len()).sum();
        assert_eq!(gold.num_rows(), spans);
        let patients = patients(&warehouse, 0..9).unwrap();
        assert_eq!((patients.num_rows(), patients.num_columns()), (9, 23));
        assert_eq!(notes_and_gold(&warehouse, 5..5).unwrap().0.num_rows(), 0);
    }
}
