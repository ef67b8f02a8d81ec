//! What of a record is found where its values are words and numbers of other things as well, and what is left alone.

use super::{PatientRecord, RecordMatcher};
use crate::phi::unite;

fn named<'v>(given: &'v str, family: &'v str) -> PatientRecord<'v> {
    PatientRecord {
        given_names: if given.is_empty() { Vec::new() } else { vec![given.into()] },
        family_names: if family.is_empty() { Vec::new() } else { vec![family.into()] },
        ..PatientRecord::default()
    }
}

fn found_of(record: &PatientRecord<'_>, text: &str) -> Vec<String> {
    let mut spans = Vec::new();
    RecordMatcher::new(record).find(text, &mut spans);
    unite(spans).iter().map(|span| text[span.start..span.end].to_owned()).collect()
}

/// Looks for the values in brackets, and for nothing else.
fn whole(record: &PatientRecord<'_>, lines: &[&str]) {
    let differs = |line: &&str| {
        let marked: Vec<String> =
            line.split('[').skip(1).filter_map(|rest| Some(rest.split_once(']')?.0.to_owned())).collect();
        let found = found_of(record, &line.replace(['[', ']'], ""));
        (found != marked).then(|| ((*line).to_owned(), found))
    };
    let wrong: Vec<_> = lines.iter().filter_map(differs).collect();
    assert!(wrong.is_empty(), "{record:?}: {wrong:#?}");
}

#[test]
fn a_surname_that_is_a_word_is_its_bearer_where_persons_stand() {
    for family in ["Rivers", "Fox", "Young", "Hill", "Woods"] {
        let lines: Vec<String> = [
            "[{name}] was admitted with pneumonia.",
            "Overnight [{name}] was stable.",
            "[{name}] is a 75 yo M with COPD",
            "[{name}] has a history of COPD.",
            "[{name}] remains intubated.",
            "[{name}] and family agree",
            "[{name}] and his wife agree",
            "[{name}] is resting comfortably.",
            "RM 12 [{name}] NPO for OR",
            "\"[{name}]\" on wristband",
            "[{name}] will follow up in 2 weeks",
            "[{name}]'s wound is clean",
            "RM 12 [{NAME}] - NPO",
            "[{NAME}] 66M COPD",
            "[{name}] / COPD / full code",
            "- [{name}]: d/c tmrw",
            "[{NAME}] STABLE OVERNIGHT",
            "pt [{small}] seen",
            "pt [{small}] stable overnight",
            "[{name}] to see pt in AM",
            "[{name}] aware",
        ]
        .iter()
        .map(|line| {
            let line = line.replace("{name}", family).replace("{NAME}", &family.to_uppercase());
            line.replace("{small}", &family.to_lowercase())
        })
        .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        whole(&named("Zedrik", family), &lines);
    }
}

#[test]
fn a_word_of_medicine_is_its_bearer_where_persons_alone_stand() {
    let lines = [
        "[Stone] was admitted with pneumonia.",
        "[Stone] is a 75 yo M with COPD",
        "[Stone] and family agree",
        "[Stone] to see pt in AM",
        "[STONE] DENIES PAIN",
        "[Stone]: d/c tomorrow",
        "rm 4 [Stone] for OR",
        "per [stone], no pain",
        "When will [Stone] be discharged?",
        "**[Stone]** was admitted",
        "Kidney Stone removed",
        "kidney stone 3 years ago",
        "Stone was removed from the ureter",
        "Stone is 4 mm",
        "STONE STABLE IN SIZE",
        "Stone: left ureter",
        "the stone has passed, stone free",
    ];
    whole(&named("Zedrik", "Stone"), &lines);
}

#[test]
fn words_in_their_own_sense_are_left_alone() {
    for (family, lines) in [
        ("Fox", ["a fox bit him", "the Fox method", "saw a red fox and ran"]),
        ("Young", ["pt young and healthy", "a healthy young 30 yo man", "The young patient was seen"]),
        ("Strong", ["pt strong in all extremities", "Strong pulses", "a strong cough"]),
        ("White", ["White/Caucasian", "WHITE / NOT HISPANIC", "White: formed"]),
        ("Field", ["Visual Field full", "Visual fields full", "in the field"]),
        ("Son", ["Son at bedside", "Son updated", "his son"]),
        ("Will", ["Will follow up", "she will be seen", "Will call back"]),
        ("May", ["May repeat once", "seen in May 2014", "may have had"]),
        ("Long", ["Long segment", "long term", "how long is it"]),
    ] {
        whole(&named("Zedrik", family), &lines);
    }
}

#[test]
fn names_beside_names_are_told_in_one_pass() {
    let record =
        PatientRecord { related: vec![(crate::phi::Label::Patient, "Zwalenia Stone".into())], ..named("", "Stone") };
    let text = "STONE and ".repeat(20_000) + "Zwalenia";
    assert_eq!(found_of(&record, &text).len(), 20_001);
}

#[test]
fn columns_of_several_family_names_are_one_name() {
    let record = PatientRecord { family_names: vec!["Brown".into(), "Young".into()], ..named("Mary", "") };
    whole(&record, &["PID|[BROWN^YOUNG^MARY]"]);
    whole(&named("Zedrik", "Stack"), &["Dr. [Stack]; stack of pillows"]);
}

#[test]
fn given_names_of_two_letters_and_with_an_initial() {
    let lines = ["[Ty]'s mother is here", "**[Ty]** says no", "[Ty] slept well", "[ty wu] 26m scd"];
    whole(&named("Na", "Wu"), &["BMP with Na 138", "[Na]'s mother is here"]);
    whole(&named("Ty", "Wu"), &lines);
    let lines = ["[Frank M]. ok", "[Frank M] ok", "frank m ok", "[frank moore] seen", "frank pus"];
    whole(&named("Frank", "Moore"), &lines);
}

#[test]
fn a_name_of_the_record_vouches_for_the_one_beside_it() {
    let record = PatientRecord {
        given_names: vec!["Joy".into()],
        related: ["Zwalenia Quorl", "Jay Quorl", "Nick Quorl"]
            .map(|name| (crate::phi::Label::Patient, name.into()))
            .to_vec(),
        ..PatientRecord::default()
    };
    let lines = [
        "[Joy]/[Zwalenia] agree",
        "home w/ [Nick], [Jay], [Zwalenia]",
        "[Jay] and [Zwalenia] at bedside",
        "[Jay] @ bedside",
    ];
    whole(&record, &lines);
}

#[test]
fn names_with_accents_spelled_out_broken_and_beside_numbers() {
    let record = PatientRecord {
        given_names: vec!["Robert".into()],
        middle_names: vec!["Uchenna".into()],
        family_names: vec!["Müller".into(), "Thorvaldsen".into(), "Harcastle".into()],
        ..PatientRecord::default()
    };
    let lines = [
        "[Müller] seen",
        "[M&uuml;ller] seen",
        "spelled [T-H-O-R-V-A-L-D-S-E-N] on the line",
        "[R O B E R T] [M U L L E R]",
        "5285656[Thorvaldsen]",
        "[Thorvaldsen]5285656",
        "[Har\ncastle] stable",
        "[Uchenna] ok",
        "A B C D E F",
    ];
    whole(&record, &lines);
}

#[test]
fn streets_and_addresses_as_they_are_written() {
    for (street, lines) in [
        ("1600 NE 42nd Ct", &["lives at [1600 NE 42 Ct] now", "[1600 N.E. 42nd Ct], with son"][..]),
        ("4400 SW 117th Ave", &["[4400 S.W. 117th Avenue]", "[4400 SW 117 Ave]", "4400 units, 117 mg"]),
        ("908 County Road 12", &["[908 CR 12]", "[908 Co Rd 12]", "[908 Cty Rd 12]", "CR 12 mg/dL"]),
        ("818 Sibley Pkwy, Mankato, MN 56001", &["[818 Sibley]", "[818 Sibley Pkwy]", "818 mL"]),
        ("12 Oak Hill Rd", &["[12 N.Oak Hill Rd]", "[12 N. Oak Hill Rd]", "[12 N Oak Hill Rd]"]),
        ("500 Center St", &["imaging center CT abdomen", "medical center dr smith"]),
        ("100 Main St, Apt. PH", &["[100 Main St, Apt. PH]"]),
        ("77 Larkspur Lane", &["Lives at [larkspur ln] with son", "larkspur in the garden"]),
    ] {
        whole(&PatientRecord { street: street.into(), ..PatientRecord::default() }, lines);
    }
    let record = PatientRecord {
        emails: vec!["athorvaldsen67@comcast.net".into(), "hope@x.org".into()],
        ..PatientRecord::default()
    };
    let lines =
        ["mail [athorvaldsen67@comcast.net]", "[athorvaldsen67]@comcast", "login [athorvaldsen67], hope it works"];
    whole(&record, &lines);
}

#[test]
fn births_and_numbers_as_they_are_written() {
    let record = PatientRecord {
        birth_date: "1967-02-13".into(),
        phones: vec!["928-555-0131".into(), "928-555-0132".into()],
        identifiers: vec![(crate::phi::Label::Ssn, "412-55-2289".into())],
        ..PatientRecord::default()
    };
    let lines = [
        "DOB [2\\13\\67]",
        "DOB [2//13//67]",
        "Pt ([02 13 67]) here",
        "rows 2 13 67 and 2:13:67",
        "call [928-555-0131] or [0132]",
        "soc sec [2289], soc [2289], and 2289 steps",
    ];
    whole(&record, &lines);
}
