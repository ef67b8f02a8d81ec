//! Laws of the examination: replacements of every mode are clean, planted leaks and losses are found.

use proptest::prelude::*;

use super::*;
use crate::phi::{Label, Policy};

const ORDINARY: &[&str] = &[
    "no",
    "acute",
    "distress",
    "the",
    "lungs",
    "are",
    "clear",
    "and",
    "heart",
    "sounds",
    "normal",
    "with",
    "good",
    "range",
    "of",
    "motion",
    "denies",
    "fever",
    "or",
    "chills",
    "continue",
    "current",
    "treatment",
    "blood",
    "pressure",
    "was",
    "measured",
];

/// An identifier, and what stands for it in three modes.
const REPLACED: &[(&str, [&str; 3])] = &[
    ("Zuzana Weaver", ["Ottilie Brandt", "[PATIENT]", "****** ******"]),
    ("(507) 555-0101", ["(612) 413-9944", "[PHONE]", "(***) ***-****"]),
    ("0012345678", ["7740981234", "[MEDICALRECORD]", "**********"]),
    ("123-45-6789", ["867-33-1190", "[SSN]", "***-**-****"]),
    ("zw@example.org", ["qk@sample.net", "[EMAIL]", "**@*******.***"]),
    ("12 Oak Street", ["480 Elm Avenue", "[STREET]", "** *** ******"]),
    ("03/04/2019", ["07/02/2018", "[DATE]", "**/**/****"]),
];

fn record() -> Record {
    Record {
        given_names: vec!["Zuzana".to_owned()],
        family_names: vec!["Weaver".to_owned()],
        street: "12 Oak Street".to_owned(),
        phones: vec!["507 555 0101".to_owned()],
        emails: vec!["ZW@example.org".to_owned()],
        identifiers: vec![(Label::MedicalRecord, "0012345678".to_owned())],
        birth_date: "1950-03-05".to_owned(),
        ..Record::default()
    }
}

fn tally(source: &str, output: &str, with_record: bool) -> Tally {
    let policy = Policy::default();
    let known = KnownValues::new(&[record()], &policy);
    let mut findings = Vec::new();
    Examiner::new(&policy).examine(source, output, with_record.then_some(&known), &mut findings);
    let mut tally = Tally::default();
    for finding in findings {
        assert!(source.get(finding.source.clone()).is_some() && output.get(finding.output.clone()).is_some());
        tally.count(finding.kind);
    }
    tally
}

/// Words with identifiers among them: the source, and the output in a mode, with one identifier left as it was if asked for.
fn note(words: &[usize], places: &[(usize, usize)], mode: usize, left: Option<usize>) -> (String, String) {
    let (mut source, mut output) = (String::new(), String::new());
    for (at, word) in words.iter().enumerate() {
        for (number, (_, which)) in places.iter().enumerate().filter(|(_, (place, _))| place % words.len() == at) {
            let (identifier, replaced) = REPLACED[*which];
            source.push_str(&format!("{identifier} "));
            output.push_str(&format!("{} ", if left == Some(number) { identifier } else { replaced[mode] }));
        }
        let end = if at % 9 == 8 { ".\n" } else { " " };
        source.push_str(&format!("{}{end}", ORDINARY[*word]));
        output.push_str(&format!("{}{end}", ORDINARY[*word]));
    }
    (source, output)
}

proptest! {
    #[test]
    fn replacements_are_clean_and_what_is_left_is_found(
        words in proptest::collection::vec(0..ORDINARY.len(), 40..160),
        places in proptest::collection::vec((0usize..160, 0..REPLACED.len()), 1..8),
        mode in 0usize..3,
        left in 0usize..8,
    ) {
        let (source, output) = note(&words, &places, mode, None);
        let clean = tally(&source, &output, true);
        prop_assert!(clean.is_clean(), "{:?}\n{}\n{}", clean, source, output);
        let left = left % places.len();
        let (source, output) = note(&words, &places, mode, Some(left));
        let leaks = tally(&source, &output, true).of(Severity::Leak);
        // Dates may stay or go: they have no shape of their own.
        let is_date = REPLACED[places[left].1].0 == "03/04/2019";
        prop_assert_eq!(leaks > 0, !is_date, "{}\n{}", source, output);
    }

    #[test]
    fn any_pair_of_texts_is_safe(source in "\\PC{0,80}|[0-9a-z@. \\n\\-]{0,80}", output in "\\PC{0,80}|[0-9a-z@. \\n\\-]{0,80}") {
        tally(&source, &output, true);
    }
}

#[test]
fn each_kind_of_leak_has_its_name() {
    let name = |value: &str, with_record| {
        let text = |value: &str| {
            format!("The patient was seen today for a cough.\nContact: {value} as before.\nNo acute distress today.\n")
        };
        let tally = tally(&text(value), &text(value), with_record);
        tally.iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>()
    };
    assert_eq!(name("123-45-6789", false), ["social-security-number"]);
    assert_eq!(name("(507) 555-0199", false), ["phone"]);
    assert_eq!(name("a@b.example", false), ["email"]);
    assert_eq!(name("MRN 7712345", false), ["record-number"]);
    assert_eq!(name("Weaver, Zuzana", true), ["name-of-record"]);
    assert_eq!(name("12 Oak St", true), ["address-of-record"]);
    assert_eq!(name("507.555.0101", true), ["number-of-record"]);
    assert_eq!(name("507 / 555 / 0101", true), ["number-of-record"]);
    assert_eq!(name("MRN 00.1234.5678", true), ["number-of-record"]);
    assert_eq!(name("507:555:0101", true), ["number-of-record"]);
    assert_eq!(name("(born 5 Mar 1950)", true), ["birth-date-of-record"]);
    for birth in ["1950:03:05", "3_5_1950", "03 05 50", "III/5/1950"] {
        assert_eq!(name(birth, true), ["birth-date-of-record"], "{birth}");
    }
    for glued in ["ZuzanaWeaver", "WEAVERZUZANA"] {
        assert_eq!(name(glued, true), ["name-of-record"], "{glued}");
    }
    for login in ["ZWeaver", "WeaverZ", "zweaver", "zweaver2", "weaverz_2"] {
        assert_eq!(name(login, true), ["name-of-record"], "{login}");
    }
    assert_eq!(name("weaverz@sample.org", true), ["email", "name-of-record"]);
    assert_eq!(name("MrsWeaver", true), ["ordinary-word-of-record"]);
    assert_eq!(name("weaverlike, weavers, KWeaver", true), ["ordinary-word-of-record"]);
    assert_eq!(name("WEAVER^ZUZANA", true), ["name-of-record"]);
    assert_eq!(name("Weaver Jr., Zuzana", true), ["name-of-record"]);
    assert_eq!(name("Žuzana \"Suzy\" Weavér", true), ["name-of-record"]);
    assert_eq!(name("Zuzana", true), ["word-of-record"]);
    assert_eq!(name("weaver", true), ["ordinary-word-of-record"]);
}

#[test]
fn a_number_written_otherwise_is_the_same_and_chance_is_apart() {
    let note = |first: &str, second: &str| {
        format!("Call {first} in the morning, or later in the day the office at {second}, please.\n")
    };
    let source = note("(507) 555-0101", "612-555-0177");
    let kinds = |output: &str| tally(&source, output, false).iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>();
    assert_eq!(kinds(&note("507-555-0101", "413-555-0122")), ["phone"]);
    assert_eq!(kinds(&note("413-555-0122", "507-555-0101")), ["coincidence"]);
}

#[test]
fn a_date_that_becomes_the_birth_date_is_chance() {
    let note = |birth: &str, admission: &str| {
        format!("Date of birth {birth} as told by the mother.\nAdmitted to the ward on {admission} with a fever.\n")
    };
    let source = note("03/05/1950", "04/16/1950");
    let kinds = |output: &str| tally(&source, output, true).iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>();
    assert_eq!(kinds(&note("01/22/1950", "03/05/1950")), ["coincidence"]);
    assert_eq!(kinds(&note("03/05/1950", "11/26/1950")), ["birth-date-of-record"]);
    assert_eq!(kinds(&note("01/22/1950", "[DATE]")), [""; 0]);
}

#[test]
fn a_full_name_stands_although_its_initial_is_another() {
    let note = |name: &str| format!("Today {name} was seen for a cough.\n");
    let leaks = |output: &str| tally(&note("Zuzana Q. Weaver"), &note(output), true).of(Severity::Leak);
    assert_eq!(leaks("Zuzana X. Weaver"), 1);
    assert_eq!(leaks("Ottilie X. Brandt"), 0);
}

#[test]
fn what_the_policy_keeps_may_stay() {
    let policy = Policy::from_toml("base = 'C'\nkeep = ['PHONE', 'FAX', 'PATIENT']").unwrap();
    let known = KnownValues::new(&[record()], &policy);
    let text = "Call Zuzana Weaver at 507-555-0101.";
    let mut findings = Vec::new();
    Examiner::new(&policy).examine(text, text, Some(&known), &mut findings);
    assert_eq!(findings, []);
}

#[test]
fn a_megabyte_of_numbers_and_names_ends_soon() {
    let begun = std::time::Instant::now();
    let source = "MRN 0012345678 Zuzana Weaver 7712345 ".repeat(30_000);
    let output = "MRN 7740981234 Ottilie Brandt 8812345 ".repeat(30_000);
    assert!(tally(&source, &source, true).of(Severity::Leak) >= 90_000);
    tally(&source, &output, true);
    let backwards: String = source.split_inclusive(' ').rev().collect();
    tally(&source, &backwards, true);
    assert!(begun.elapsed().as_secs() < 60);
}
