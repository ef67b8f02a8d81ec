//! A patient's records in the form that the verifying room looks for.

use std::borrow::Cow;

use crate::detect::record::PatientRecord;
use crate::phi::{Label, Policy};
use crate::verify::{KnownValues, Record};

/// What is looked for of a patient's records. Only their fields are taken over: how they are found is not that of the run.
pub(super) fn known_values(records: &[PatientRecord<'_>], policy: &Policy) -> KnownValues {
    let records: Vec<Record> = records.iter().map(record).collect();
    KnownValues::new(&records, policy)
}

fn record(record: &PatientRecord<'_>) -> Record {
    let text = |value: &Cow<'_, str>| value.to_string();
    let texts = |values: &[Cow<'_, str>]| values.iter().map(text).collect::<Vec<_>>();
    let labelled =
        |values: &[(Label, Cow<'_, str>)]| values.iter().map(|(label, value)| (*label, text(value))).collect();
    Record {
        given_names: texts(&record.given_names),
        middle_names: texts(&record.middle_names),
        family_names: texts(&record.family_names),
        related: labelled(&record.related),
        street: text(&record.street),
        city: text(&record.city),
        county: text(&record.county),
        zip: text(&record.zip),
        employer: text(&record.employer),
        phones: texts(&record.phones),
        emails: texts(&record.emails),
        identifiers: labelled(&record.identifiers),
        birth_date: text(&record.birth_date),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::{Examiner, FindingKind};

    #[test]
    fn every_field_that_is_looked_for_is_taken_over() {
        let record = PatientRecord {
            given_names: vec!["Zuzana".into()],
            middle_names: vec!["Quistova".into()],
            family_names: vec!["Weaver".into()],
            related: vec![(Label::Doctor, "Okafor, Ngozi".into())],
            street: "12 Oak Street".into(),
            city: "Brackwaterton".into(),
            county: "Tippecanoe".into(),
            zip: "55901-2211".into(),
            employer: "Globex Corporation".into(),
            phones: vec!["507-555-0101".into()],
            emails: vec!["zw@example.org".into()],
            identifiers: vec![(Label::MedicalRecord, "7123456".into())],
            birth_date: "1950-03-05".into(),
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
            ("Tippecanoe County", FindingKind::RecordWord),
            ("Globex Corporation", FindingKind::RecordWord),
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
