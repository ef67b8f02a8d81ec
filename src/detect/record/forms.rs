//! What is found of a record where the note's text is wrapped, spaced, or of other characters than the record.

use super::{PatientRecord, RecordMatcher};
use crate::phi::{Label, unite};

fn record() -> PatientRecord<'static> {
    PatientRecord {
        given_names: vec!["Zebulon".into()],
        family_names: vec!["Ladner".into(), "Muñoz".into(), "O'Hanlon".into(), "Whitlock".into()],
        street: "Apt 9, 77 Zephyr Lane".into(),
        phones: vec!["806-716-3134".into()],
        identifiers: vec![
            (Label::MedicalRecord, "82439581".into()),
            (Label::MedicalRecord, "00-48-213".into()),
            (Label::MedicalRecord, "051264".into()),
            (Label::Ssn, "123-45-6789".into()),
        ],
        zip: "55802".into(),
        birth_date: "1950-03-04".into(),
        employer: "Great Lakes Foundry".into(),
        ..PatientRecord::default()
    }
}

fn found_of(record: &PatientRecord<'_>, text: &str) -> Vec<String> {
    let mut spans = Vec::new();
    RecordMatcher::new(record).find(text, &mut spans);
    unite(spans).iter().map(|span| text[span.start..span.end].to_owned()).collect()
}

/// Looks for one value, between words, and for nothing else.
fn whole(values: &[&str]) {
    let wrong: Vec<(&str, Vec<String>)> = values
        .iter()
        .map(|&value| (value, found_of(&record(), &format!("on file: {value}, as before"))))
        .filter(|(value, found)| *found != [*value])
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn numbers_over_a_line_s_end() {
    whole(&[
        "123 45\n6789",
        "123-45-\n6789",
        "123\r\n45 6789",
        "123 45\n        6789",
        "123 45\n> 6789",
        "123 45 \r\n\t> > 6789",
        "806 716\n3134",
        "8243\n9581",
        "82439-\n581",
        "051\n264",
        "03/04/\n1950",
    ]);
    assert_eq!(found_of(&record(), "call (806)\n716-3134 today"), ["806)\n716-3134"]);
}

#[test]
fn numbers_with_wide_separators() {
    whole(&[
        "123 - 45 - 6789",
        "123\t45\t6789",
        "123\u{a0}45\u{a0}6789",
        "82 - 43 - 9581",
        "00.48.213",
        "00 48 213",
        "00_48_213",
        "00\t48\t213",
        "０048213",
    ]);
}

#[test]
fn numbers_of_other_characters() {
    whole(&[
        "１２３-４５-６７８９",
        "１２３－４５－６７８９",
        "123\u{2212}45\u{2212}6789",
        "123\u{2010}45\u{2015}6789",
        "８２４３９５８１",
        "００４８２１３",
        "８０６７１６３１３４",
        "806&#45;716&ndash;3134",
        "8243\u{200b}9581",
        "8243\u{ad}9581",
        "03\u{2212}04\u{2212}1950",
        "０３/０４/１９５０",
    ]);
    assert_eq!(found_of(&record(), "Tel:&nbsp;(806)&nbsp;716-3134"), ["806)&nbsp;716-3134"]);
}

#[test]
fn other_numbers_stay() {
    for text in [
        "took 0.48213 and 0.051264 mg",
        "K 0.0048213, 0.048213",
        "column 55\n802",
        "cells 05\t1264",
        "82439582, 182439581, １82439581, 82439581１",
        "00.48.214",
    ] {
        assert_eq!(found_of(&record(), text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn names_with_what_nobody_sees() {
    whole(&[
        "Lad\u{ad}ner",
        "lad\u{200b}ner",
        "L\u{feff}AD\u{2060}NER",
        "Lad-\nner",
        "Lad-\r\n    ner",
        "Whit-\nlock",
        "Zebulon\u{200b}Ladner",
        "Mu&ntilde;oz",
        "MU&Ntilde;OZ",
        "Mu&#241;oz",
        "O&#39;Hanlon",
        "Ｌａｄｎｅｒ",
        "Great\r\n      Lakes Foundry",
        "great lakes\u{a0}foundry",
    ]);
    assert_eq!(found_of(&record(), "told\u{200b}Ladner\u{200e} today"), ["Ladner"]);
    assert_eq!(found_of(&record(), "with\u{200b}ladner today"), ["ladner"]);
    assert_eq!(found_of(&record(), "&nbsp;Ladner&nbsp;"), ["Ladner"]);
}

#[test]
fn names_and_numbers_behind_breaks_that_are_written_out() {
    for (text, value) in [
        ("Patient:\\nLadner", "Ladner"),
        ("Patient:\\r\\nLadner\\nseen", "Ladner"),
        ("Patient\\tLadner\\tseen", "Ladner"),
        ("seen today\\nladner came\\nno pain", "ladner"),
        ("kept in C:\\nladner as before", "ladner"),
        ("no pain\\nZebulon Ladner came", "Zebulon Ladner"),
        ("on file\\n82439581\\nas before", "82439581"),
        ("lives at\\n77 Zephyr Lane\\nalone", "77 Zephyr Lane"),
        ("Zip\\n55802\\nalone", "55802"),
        ("born\\n03/04/1950\\nhere", "03/04/1950"),
    ] {
        assert_eq!(found_of(&record(), text), [value], "{text}");
    }
    let record = PatientRecord {
        family_names: vec!["Strong".into()],
        related: vec![(Label::Doctor, "Outi Hämäläinen".into())],
        ..PatientRecord::default()
    };
    assert_eq!(found_of(&record, "seen by\\nDr. Strong, well"), ["Strong"]);
    assert_eq!(found_of(&record, "no pain\\nStrong pulses at the feet"), [] as [&str; 0]);
    assert_eq!(found_of(&record, "labs gone over by\\nHämäläinen"), ["Hämäläinen"]);
}

#[test]
fn a_suffix_is_no_family_name() {
    for name in [
        "Paul Quorlin Jr.",
        "Paul Quorlin III",
        "Dr. Paul Quorlin Jr., MD",
        "Paul Quorlin, Jr.",
        "Quorlin, Paul, Jr",
        "Quorlin Sr., Paul",
        "Quorlin, Paul II, RN",
    ] {
        let record = PatientRecord { related: vec![(Label::Doctor, name.into())], ..PatientRecord::default() };
        assert_eq!(found_of(&record, "Labs were gone over by quorlin again"), ["quorlin"], "{name}");
        assert_eq!(found_of(&record, "Seen with Paul Quorlin, jr staff"), ["Paul Quorlin"], "{name}");
    }
}

#[test]
fn a_street_behind_its_flat() {
    for street in ["Apt 9, 77 Zephyr Lane", "#9 77 Zephyr Lane", "# 9, 77 Zephyr Lane", "Unit 9 77 Zephyr Lane"] {
        let record = PatientRecord { street: street.into(), ..PatientRecord::default() };
        assert_eq!(found_of(&record, "from 77 zephyr in June"), ["77 zephyr"], "{street}");
        assert_eq!(found_of(&record, "at 77 Zephyr Ln, Apt 9 now"), ["77 Zephyr Ln, Apt 9"], "{street}");
    }
    whole(&["Apt 9, 77 Zephyr Lane", "77 Zephyr Ln"]);
}
