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
        birth_date: record.birth_date.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;
    use crate::verify::{Examiner, FindingKind};

    #[test]
    fn every_field_that_is_looked_for_is_taken_over() {
        let record = PatientRecord {
            given_names: vec!["Zuzana".to_owned()],
            middle_names: vec!["Quistova".to_owned()],
            family_names: vec!["Weaver".to_owned()],
            related: vec![(Label::Doctor, "Okafor, Ngozi".to_owned())],
            street: "12 Oak Street".to_owned(),
            city: "Brackwaterton".to_owned(),
            zip: "55901-2211".to_owned(),
            phones: vec!["507-555-0101".to_owned()],
            emails: vec!["zw@example.org".to_owned()],
            identifiers: vec![(Label::MedicalRecord, "7123456".to_owned())],
            birth_date: "1950-03-05".to_owned(),
            ..PatientRecord::default()
        };
        let policy = Policy::default();
        let known = known_values(&[record], &policy);
        for (text, kind) in [
            ("Zuzana Quistova Weaver", FindingKind::RecordName),
            ("Quistova", FindingKind::RecordWord),
            ("Ngozi Okafor", FindingKind::RecordName),
            ("12 Oak St", FindingKind::RecordAddress),
            ("Brackwaterton", FindingKind::RecordWord),
            ("55901", FindingKind::RecordNumber),
            ("(507) 555-0101", FindingKind::RecordNumber),
            ("ZW@example.org", FindingKind::RecordNumber),
            ("7 123 456", FindingKind::RecordNumber),
            ("05MAR1950", FindingKind::RecordBirthDate),
        ] {
            let mut findings = Vec::new();
            Examiner::new(&policy).examine(text, text, Some(&known), &mut findings);
            assert!(findings.len() == 1 && findings[0].kind == kind, "{text}: {findings:?}");
        }
    }
}
