//! What it takes on one core to put a note's patient to use: microseconds for making what finds a patient's record and what
//! other notes have told, for looking through a note, for what stands at the boundaries of its sentences, and for the surrogates.
//!
//! ```text
//! cargo bench --no-default-features --bench patients
//! ```
//!
//! Without the engine, which it does not need, it is built in minutes.
//!
//! The notes are generated ones, twenty a patient, and what they tell is what the knowledge detectors find in them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use plainsight::detect::record::{NoteWords, PatientRecord, RecordMatcher};
use plainsight::detect::second_pass::{PatientDictionary, confident, prepared};
use plainsight::detect::{Ensemble, InclusionList, Templates};
use plainsight::generate::{GenerateOptions, Patient, Warehouse};
use plainsight::phi::{Label, Policy, Span, unite};
use plainsight::surrogate::{Key, Surrogates};
use plainsight::text::sentences;

/// Notes that are written.
const NOTES: u64 = 6_000;
/// Patients whose notes they are.
const PATIENTS: u64 = 300;
/// Readings of each; the best one counts.
const READINGS: usize = 7;

/// What is known of one patient, and the patient's notes.
struct Known {
    id: String,
    record: PatientRecord<'static>,
    values: Vec<(Label, String)>,
    notes: Vec<String>,
}

impl Known {
    fn values(&self) -> impl Iterator<Item = (Label, &str)> {
        self.values.iter().map(|(label, value)| (*label, value.as_str()))
    }
}

fn main() {
    let known = patients();
    let notes: usize = known.iter().map(|known| known.notes.len()).sum();
    let values: usize = known.iter().map(|known| known.values.len()).sum();
    println!("{notes} notes, {values} values of {} patients\n", known.len());
    let a_patient =
        |name: &str, seconds: f64| println!("  {name:<44}{:>8.1} µs a patient", seconds * 1e6 / known.len() as f64);
    let a_note = |name: &str, seconds: f64| println!("  {name:<44}{:>8.1} µs a note", seconds * 1e6 / notes as f64);

    // As a run does: in the memory of what was made for the patient before.
    let (mut matcher, mut dictionary) = (RecordMatcher::default(), PatientDictionary::default());
    a_patient("what finds the record, made", best(&known, |known| matcher.refill(&known.record)));
    a_patient("what finds the other notes' values, made", best(&known, |known| dictionary.refill(known.values())));
    a_note(
        "words, read",
        best(&known, |known| known.notes.iter().map(|note| NoteWords::of(note).text().len()).sum::<usize>()),
    );
    let made: Vec<_> = known
        .iter()
        .map(|known| (RecordMatcher::new(&known.record), PatientDictionary::of_prepared(known.values())))
        .collect();
    a_note(
        "words, and what stands in them of both",
        best(known.iter().zip(&made), |(known, made)| found(known, made).len()),
    );

    let key = Key::from_hex(&"5c".repeat(32)).expect("64 hexadecimal digits");
    let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
    let policy = Policy::default();
    let spans: Vec<Vec<Vec<Span>>> = known
        .iter()
        .zip(&made)
        .map(|(known, made)| {
            let found = found(known, made);
            known
                .notes
                .iter()
                .zip(found)
                .map(|(note, known)| {
                    let mut spans = ensemble.detect_text(note).expect("the knowledge detectors need no file");
                    spans.extend(known);
                    unite(spans)
                })
                .collect()
        })
        .collect();
    a_note(
        "sentences, cut",
        best(&known, |known| known.notes.iter().map(|note| sentences(note).count()).sum::<usize>()),
    );
    a_note(
        "what crosses their boundaries, found",
        best(known.iter().zip(&spans), |(known, spans)| {
            let found = known.notes.iter().zip(spans).map(|(note, spans)| {
                let (cut, mut spans) = (sentences(note).collect::<Vec<_>>(), spans.clone());
                ensemble.detect_seams(note, &cut, &mut spans);
                spans.len()
            });
            found.sum::<usize>()
        }),
    );
    a_note(
        "spans, set right",
        best(known.iter().zip(&spans), |(known, spans)| {
            let adjusted = known.notes.iter().zip(spans).map(|(note, spans)| {
                let mut spans = spans.clone();
                ensemble.adjust(note, &mut spans);
                spans.len()
            });
            adjusted.sum::<usize>()
        }),
    );
    for (name, kept) in
        [("surrogates, kept for all notes of a patient", true), ("surrogates, made anew for each note", false)]
    {
        a_note(
            name,
            best(known.iter().zip(&spans), |(known, spans)| {
                let mut surrogates = Surrogates::new(&key, &known.id);
                let mut bytes = 0;
                for (note, spans) in known.notes.iter().zip(spans) {
                    if !kept {
                        surrogates = Surrogates::new(&key, &known.id);
                    }
                    for span in spans.iter().filter(|span| policy.removes_span(span)) {
                        bytes += surrogates.replace(span.leading().class, &note[span.start..span.end]).len();
                    }
                }
                bytes
            }),
        );
    }
}

/// What stands in each of a patient's notes of what is known.
fn found(known: &Known, (record, dictionary): &(RecordMatcher, PatientDictionary)) -> Vec<Vec<Span>> {
    let found_in = |note: &String| {
        let (words, mut spans) = (NoteWords::of(note), Vec::new());
        record.find_in(&words, &mut spans);
        dictionary.find_in(&words, &mut spans);
        spans
    };
    known.notes.iter().map(found_in).collect()
}

/// The least time in seconds of doing it once for all.
fn best<I: IntoIterator + Clone, T>(all: I, mut work: impl FnMut(I::Item) -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..READINGS {
        let begun = Instant::now();
        all.clone().into_iter().for_each(|one| drop(black_box(work(one))));
        least = least.min(begun.elapsed().as_secs_f64());
    }
    least
}

fn patients() -> Vec<Known> {
    let warehouse = Warehouse::new(GenerateOptions { notes: NOTES, patients: PATIENTS, seed: 11, canary: false });
    let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
    let mut notes: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for index in 0..NOTES {
        notes.entry(warehouse.patient_of(index)).or_default().push(warehouse.note(index).text);
    }
    notes
        .into_iter()
        .map(|(index, notes)| {
            let patient = warehouse.patient(index);
            let found = notes.iter().flat_map(|note| {
                confident(note, &ensemble.detect_text(note).expect("the knowledge detectors need no file"))
            });
            let found: Vec<_> = found.collect();
            let values = prepared(found.iter().map(|(label, value)| (*label, value.as_str())));
            Known { id: patient.patient_id.clone(), record: record(&patient), values, notes }
        })
        .collect()
}

/// The record of a patient, as it is read from the table of patients.
fn record(patient: &Patient) -> PatientRecord<'static> {
    let text = |value: &String| Cow::from(value.clone());
    let texts = |values: &[String]| values.iter().map(text).collect::<Vec<_>>();
    let labelled =
        |label: Label, values: &[String]| values.iter().map(|value| (label, text(value))).collect::<Vec<_>>();
    let identifiers = [
        (Label::MedicalRecord, &patient.mrn),
        (Label::Ssn, &patient.ssn),
        (Label::HealthPlan, &patient.health_plan_id),
    ];
    let related =
        [(Label::Patient, &patient.kin), (Label::Patient, &patient.aliases), (Label::Doctor, &patient.providers)];
    PatientRecord {
        given_names: vec![text(&patient.given_name)],
        middle_names: patient.middle_name.iter().map(text).collect(),
        family_names: std::iter::once(&patient.family_name).chain(&patient.maiden_name).map(text).collect(),
        related: related.into_iter().flat_map(|(label, names)| labelled(label, names)).collect(),
        street: text(&patient.street),
        city: text(&patient.city),
        state: text(&patient.state),
        county: text(&patient.county),
        zip: text(&patient.zip),
        country: text(&patient.country),
        phones: texts(&patient.phones),
        emails: patient.email.iter().map(text).collect(),
        identifiers: identifiers
            .into_iter()
            .map(|(label, value)| (label, text(value)))
            .chain(labelled(Label::IdNum, &patient.other_ids))
            .collect(),
        birth_date: patient.birth_date.to_string().into(),
        employer: patient.employer.as_ref().map(text).unwrap_or_default(),
    }
}
