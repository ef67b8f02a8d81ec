//! `evaluate` on the formats that annotations come in.

use serde_json::{Value, json};

use crate::support::Place;

/// `Seen by Dr. Rose Brown⏎on 3/4/2019. Parkinson disease.` in every format, with Rose Brown, the date and a decoy marked.
const TEXT: &str = "Seen by Dr. Rose Brown\non 3/4/2019. Parkinson disease.";

fn write(place: &Place, name: &str, content: &str) {
    std::fs::create_dir_all(place.path(name).parent().unwrap()).unwrap();
    std::fs::write(place.path(name), content).unwrap();
}

fn every_format(place: &Place) {
    write(
        place,
        "i2b2/n1.xml",
        &format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<deIdi2b2>\n<TEXT><![CDATA[{TEXT}]]></TEXT>\n<TAGS>\n\
             <NAME id=\"P0\" start=\"12\" end=\"22\" text=\"Rose Brown\" TYPE=\"DOCTOR\" comment=\"\" />\n\
             <DATE id=\"P1\" start=\"26\" end=\"34\" text=\"3/4/2019\" TYPE=\"DATE\" comment=\"\" />\n</TAGS>\n</deIdi2b2>\n"
        ),
    );
    write(place, "brat/n1.txt", TEXT);
    write(place, "brat/n1.ann", "T1\tDOCTOR 12 22\tRose Brown\nT2\tDATE 26 34\t3/4/2019\n");
    write(place, "conll/n1.conll", "Seen O\nby O\nRose B-DOCTOR\nBrown I-DOCTOR\non O\n3/4/2019 B-DATE\n. O\n");
    place.write_lines("gold.jsonl", &[span(12, 22, "DOCTOR"), span(26, 34, "DATE"), span(36, 45, "NOT-PHI")]);
    place.write_lines("good.jsonl", &[span(12, 22, "DOCTOR"), span(26, 34, "DATE")]);
    place.write_lines("poor.jsonl", &[span(12, 16, "PATIENT"), span(36, 45, "PATIENT")]);
    place.write_lines(
        "notes.jsonl",
        &[json!({"note_id": "n1", "patient_id": "p", "note_type": "Letter", "text": TEXT})],
    );
}

fn span(start: u64, end: u64, label: &str) -> Value {
    json!({"note_id": "n1", "start": start, "end": end, "label": label})
}

fn binary(report: &Value) -> (f64, f64) {
    let scores = &report["binary_token"];
    (scores["recall"].as_f64().unwrap_or(-1.0), scores["precision"].as_f64().unwrap_or(-1.0))
}

#[test]
fn gold_of_every_format_is_the_same_gold() {
    let place = Place::new();
    every_format(&place);
    for gold in ["i2b2", "brat", "gold.jsonl"] {
        let arguments = ["evaluate", "--gold", gold, "--predicted", "good.jsonl", "--json", "--gold-labels"];
        let labels = if gold == "i2b2" { "i2b2-2014" } else { "plainsight" };
        let notes: &[&str] = if gold.ends_with("jsonl") { &["--notes", "notes.jsonl"] } else { &[] };
        let report = place.succeed(&[&arguments[..], &[labels], notes].concat());
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(binary(&report), (1.0, 1.0), "{gold}: {report}");
        assert_eq!(report["strict_entity"]["micro"]["f1"], 1.0, "{gold}: {report}");
    }
    let report = place.succeed(&["evaluate", "--gold", "conll", "--predicted", "conll", "--json"]);
    assert_eq!(binary(&serde_json::from_str(&report).unwrap()), (1.0, 1.0));
}

#[test]
fn reports_are_not_laid_among_released_notes() {
    let place = Place::new();
    every_format(&place);
    place.succeed(&["run", "--key-file", "key", "--ensemble", "knowledge", "--notes", "notes.jsonl", "--out", "out"]);
    let listed = || crate::support::files_below(&place.path("out"));
    let before = listed();
    let compared = ["evaluate", "--gold", "gold.jsonl", "--notes", "notes.jsonl", "--predicted", "poor.jsonl"];
    for (flag, file) in
        [("--errors", "out/errors.jsonl"), ("--html", "out/x.html"), ("--errors", "out/_plainsight/manifest.json")]
    {
        let told = place.fail(2, &[&compared[..], &[flag, file]].concat());
        assert!(told.contains("has released"), "{told}");
    }
    place.fail(2, &["detect", "--key-file", "key", "--notes", "notes.jsonl", "--out", "out/_plainsight/x.jsonl"]);
    assert_eq!(listed(), before);
}

#[test]
fn predictions_side_by_side_with_their_errors() {
    let place = Place::new();
    every_format(&place);
    let arguments = ["evaluate", "--gold", "gold.jsonl", "--notes", "notes.jsonl", "--predicted", "poor.jsonl"];
    let further =
        ["--predicted", "better=good.jsonl", "--errors", "errors.jsonl", "--html", "page.html", "--replicates", "50"];
    let table = place.succeed(&[&arguments[..], &further].concat());
    assert!(table.contains("gains of better over poor"), "{table}");
    let errors = std::fs::read_to_string(place.path("errors.jsonl")).unwrap();
    let errors: Vec<Value> = errors.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = errors.iter().map(|error| error["error"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["mislabelled", "missed", "scrubbed-decoy"], "{errors:?}");
    assert!(errors.iter().all(|error| error["system"] == "poor"));
    let page = std::fs::read_to_string(place.path("page.html")).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>")
            && page.contains("<svg")
            && !page.contains("http://")
            && !page.contains("https://")
    );
    assert!(!page.contains("Brown") && !table.contains("Brown"), "only the listing quotes notes");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(place.path("errors.jsonl")).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn what_does_not_fit_is_told_without_the_text() {
    let place = Place::new();
    every_format(&place);
    write(&place, "bad/n1.txt", TEXT);
    write(&place, "bad/n1.ann", "T1\tDOCTOR 12 99\tRose Brown\n");
    write(&place, "reversed.jsonl", "{\"note_id\":\"n1\",\"start\":9,\"end\":3,\"label\":\"DOCTOR\"}\n");
    write(&place, "other/n1.txt", TEXT);
    write(&place, "other/n1.ann", "T1\tMEDIC 12 22\tRose Brown\n");
    for (code, arguments, part) in [
        (1, ["--gold", "bad", "--predicted", "good.jsonl"], "n1.ann"),
        (1, ["--gold", "other", "--predicted", "good.jsonl"], "MEDIC"),
        (1, ["--gold", "reversed.jsonl", "--predicted", "good.jsonl"], "reversed.jsonl"),
        (1, ["--gold", "gold.jsonl", "--predicted", "odd=reversed.jsonl"], "`odd`"),
        (2, ["--gold", "gold.jsonl", "--predicted", "good.jsonl"], "--notes"),
    ] {
        let further: &[&str] = if code == 2 { &["--errors", "errors.jsonl"] } else { &[] };
        let message = place.fail(code, &[&["evaluate"], &arguments[..], further].concat());
        assert!(message.contains(part) && !message.contains("Brown"), "{message}");
    }
    let by_type =
        ["evaluate", "--gold", "gold.jsonl", "--notes", "notes.jsonl", "--predicted", "good.jsonl", "--note-type"];
    for unknown in ["kind", "Note_Type", "text"] {
        let message = place.fail(2, &[&by_type[..], &[unknown]].concat());
        assert!(message.contains(unknown) && !message.contains("Brown"), "{message}");
    }
    place.succeed(&[&by_type[..], &["note_type"]].concat());
}
