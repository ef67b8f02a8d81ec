//! What stands in the place of identifiers, and the way back.

use crate::support::Place;

const NOTE: &str = r#"{"note_id": "n1", "patient_id": "p1", "text": "Seen by Dr. Okafor on 03/04/2019."}"#;

fn deidentified(place: &Place, further: &[&str]) -> String {
    std::fs::write(place.path("notes.jsonl"), NOTE).unwrap();
    let run = ["run", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key", "--overwrite"];
    place.succeed(&[&run[..], further].concat());
    let written = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    let note: serde_json::Value = serde_json::from_str(&written).unwrap();
    note["text"].as_str().unwrap().to_owned()
}

#[test]
fn every_mode_writes_what_it_says() {
    let place = Place::new();
    let mode = |mode| deidentified(&place, &["--replace", mode]);
    assert_eq!(mode("tag"), "Seen by Dr. [DOCTOR] on [DATE].");
    assert_eq!(mode("angle-tag"), "Seen by Dr. <*<PERSON*> on <*<DATE*>.");
    assert_eq!(mode("redact"), "Seen by Dr. [REDACTED] on [REDACTED].");
    assert_eq!(mode("mask"), "Seen by Dr. ****** on **/**/****.");
    assert_eq!(mode("mask-whole"), "Seen by Dr. ****** on **********.");
    let numbered = mode("numbered-tag");
    assert!(numbered.starts_with("Seen by Dr. [DOCTOR-") && numbered == mode("numbered-tag"), "{numbered}");
    let message = place.fail(2, &["run", "--notes", "x", "--out", "y", "--key-file", "key", "--replace", "hide"]);
    assert!(message.contains("numbered-tag"), "{message}");
}

#[test]
fn options_of_surrogates_are_followed_and_told() {
    let place = Place::new();
    let options = "[surrogate]\ndate_shift = { shortest = 1, longest = 1, unit = \"days\" }\n";
    std::fs::write(place.path("options.toml"), options).unwrap();
    let text = deidentified(&place, &["--surrogate-options", "options.toml"]);
    assert!(text.ends_with("on 03/03/2019.") || text.ends_with("on 03/05/2019."), "{text}");
    let report = std::fs::read_to_string(place.path("out/_plainsight/run.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["surrogate"]["date_shift"]["unit"], "days");
    std::fs::write(place.path("bad.toml"), "[surrogate]\ndate_shift = { shortest = 0, longest = 1 }\n").unwrap();
    let run = ["run", "--notes", "notes.jsonl", "--out", "other", "--key-file", "key"];
    place.fail(2, &[&run[..], &["--surrogate-options", "bad.toml"]].concat());
}

#[test]
fn the_key_leads_back_and_every_question_is_recorded() {
    let place = Place::new();
    let text = deidentified(&place, &[]);
    let name = text.strip_prefix("Seen by Dr. ").and_then(|rest| rest.split_once(" on ")).unwrap().0;
    assert_ne!(name, "Okafor");
    let ask = ["reveal", "--key-file", "key", "--audit", "audit.jsonl", "--patient"];
    assert_eq!(place.succeed(&[&ask[..], &["p1", "--label", "DOCTOR", name]].concat()).trim(), "Okafor");
    let other = place.plainsight(&[&ask[..], &["p2", "--label", "DOCTOR", name]].concat());
    assert!(!String::from_utf8_lossy(&other.stdout).contains("Okafor"), "another patient's surrogates are others");
    let message = place.fail(2, &[&ask[..], &["p1", "--label", "PROFESSION", "teacher"]].concat());
    assert!(message.contains("cannot be revealed") && !message.contains("teacher"), "{message}");
    let audit = std::fs::read_to_string(place.path("audit.jsonl")).unwrap();
    assert_eq!(audit.lines().count(), 3);
    for value in [name, "Okafor", "p1\"", "teacher"] {
        assert!(!audit.contains(value), "{audit}");
    }
}
