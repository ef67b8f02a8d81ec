//! Detectors that read sentences, and matchers that read notes.

use std::sync::LazyLock;

use plainsight::detect::dictionary::DictionaryDetector;
use plainsight::detect::neural::RuntimeOptions;
use plainsight::detect::patterns::PatternDetector;
use plainsight::detect::record::{PatientRecord, RecordMatcher};
use plainsight::detect::second_pass::{PatientDictionary, confident};
use plainsight::detect::{Ensemble, Half, InclusionList, SentenceDetector, Shipped, Templates};
use plainsight::phi::Label;

use crate::input::{self, assert_apart, assert_sound, parts};

static KNOWLEDGE: LazyLock<Ensemble> =
    LazyLock::new(|| Ensemble::knowledge(InclusionList::default(), Templates::default()));

static FAST: LazyLock<Ensemble> = LazyLock::new(|| {
    let lists = (InclusionList::default(), Templates::default());
    Ensemble::shipped(Shipped::Fast, lists, Half::Both, &RuntimeOptions::default()).expect("what is shipped opens")
});

/// Patterns and dictionaries, each by itself and through veto, seams and boundaries.
pub fn knowledge(bytes: &[u8]) {
    let text = input::text(bytes);
    for detector in [&PatternDetector::new() as &dyn SentenceDetector, &DictionaryDetector::new()] {
        let mut spans = Vec::new();
        detector.detect(&text, &mut spans);
        assert_sound(&text, &spans);
        assert!(spans.iter().flat_map(|span| &span.claims).all(|claim| claim.detector == detector.detector()));
    }
    let spans = KNOWLEDGE.detect_text(&text).expect("knowledge has no trained member that could stop");
    assert_sound(&text, &spans);
    assert_apart(&spans);
}

/// The same with the CRF; a text has one answer in any company.
pub fn ensemble(bytes: &[u8]) {
    let text = input::text(bytes);
    let [first, second] = parts(&text);
    let alone = [first, second].map(|text| FAST.detect_text(text).expect("the CRF does not stop"));
    for (text, spans) in [first, second].into_iter().zip(&alone) {
        assert_sound(text, spans);
        assert_apart(spans);
    }
    let together = FAST.detect_texts(&[second, first], Default::default()).expect("the CRF does not stop");
    let [in_company, other] = &together[..] else { panic!("{} answers for two texts", together.len()) };
    // `detect_text` judges alone what `detect_texts` judges in context: so the texts by themselves are asked for again.
    let by_itself = FAST.detect_texts(&[first], Default::default()).expect("the CRF does not stop");
    assert_eq!(by_itself[0], *other);
    assert_sound(second, in_company);
}

/// A record of lines such as `given Maria`, and a note.
pub fn record(bytes: &[u8]) {
    let text = input::text(bytes);
    let [written, note] = parts(&text);
    let mut record = PatientRecord::default();
    for line in written.lines() {
        let (field, value) = line.split_once(' ').unwrap_or(("", line));
        let value = value.into();
        match field {
            "given" => record.given_names.push(value),
            "middle" => record.middle_names.push(value),
            "family" => record.family_names.push(value),
            "kin" => record.related.push((Label::Patient, value)),
            "staff" => record.related.push((Label::Doctor, value)),
            "street" => record.street = value,
            "city" => record.city = value,
            "state" => record.state = value,
            "county" => record.county = value,
            "zip" => record.zip = value,
            "country" => record.country = value,
            "phone" => record.phones.push(value),
            "email" => record.emails.push(value),
            "birth" => record.birth_date = value,
            "employer" => record.employer = value,
            other => record.identifiers.push((input::class(other).label, value)),
        }
    }
    let mut spans = Vec::new();
    RecordMatcher::new(&record).find(note, &mut spans);
    assert_sound(note, &spans);
}

/// Values of lines such as `DOCTOR Okafor`, and a note; then what is sure in one note, found in the other.
pub fn second_pass(bytes: &[u8]) {
    let text = input::text(bytes);
    let [written, note] = parts(&text);
    let values = written.lines().filter_map(|line| line.split_once(' '));
    let values: Vec<(Label, String)> =
        values.map(|(label, value)| (input::class(label).label, value.to_owned())).collect();
    let gathered = confident(note, &KNOWLEDGE.detect_text(note).expect("knowledge has no trained member"));
    for (values, text) in [(values, note), (gathered, written)] {
        let mut spans = Vec::new();
        PatientDictionary::new(values.iter().map(|(label, value)| (*label, value.as_str()))).find(text, &mut spans);
        assert_sound(text, &spans);
    }
}
