//! A patient's records in the form that the verifying room looks for.

use crate::detect::record::PatientRecord;
use crate::phi::Policy;
use crate::verify::{KnownValues, Record};

/// What is looked for of a patient's records. Only their fields are taken over: how they are found is not that of the run.
pub(super) fn known_values(records: &[PatientRecord], policy: &Policy) -> KnownValues {
    let records: Vec<Record> = records.iter().map(record).collect();
    KnownValues::new(&records, policy)
}

fn record(record: &PatientRecord) -> Record {
    Record {
        given_names: record.given_names.clone(),
        middle_names: record.middle_names.clone(),
        family_names: record.family_names.clone(),
        related: record.related.clone(),
        street: record.street.clone(),
        city: record.city.clone(),
        zip: record.zip.clone(),
        phones: record.phones.clone(),
        emails: record.emails.clone(),
        identifiers: record.identifiers.clone(),
    }
}
