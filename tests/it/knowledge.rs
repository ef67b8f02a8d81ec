//! What a site and a patient's other notes add to detection, seen at the command line.

use serde_json::{Value, json};

use crate::support::Place;

fn notes(place: &Place, notes: &[(&str, &str, &str)]) {
    let rows: Vec<Value> = notes
        .iter()
        .map(|(note, patient, text)| json!({"note_id": note, "patient_id": patient, "text": text}))
        .collect();
    place.write_lines("notes.jsonl", &rows);
}

/// The stretches that `detect` marks in each note, with who claims them.
fn detected(place: &Place, texts: &[(&str, &str, &str)], further: &[&str]) -> Vec<(String, String, String)> {
    let arguments = ["detect", "--notes", "notes.jsonl", "--out", "spans.jsonl", "--key-file", "key", "--overwrite"];
    place.succeed(&[&arguments[..], further].concat());
    let lines = std::fs::read_to_string(place.path("spans.jsonl")).unwrap();
    let spans = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    spans
        .map(|span| {
            let text = texts.iter().find(|(note, ..)| span["note_id"] == *note).unwrap().2;
            let (start, end) = (span["start"].as_u64().unwrap() as usize, span["end"].as_u64().unwrap() as usize);
            let stretch: String = text.chars().skip(start).take(end - start).collect();
            (stretch, span["label"].as_str().unwrap().to_owned(), span["claims"].to_string())
        })
        .collect()
}

/// Dehghan et al. 2015, §2.4: a clear form in one note leads to the unclear ones in the patient's others, and in no one else's.
#[test]
fn the_second_pass_carries_names_from_note_to_note() {
    let place = Place::new();
    let texts = [
        ("1", "a", "Seen by Dr. Ngozi Okonjowo at Lakeview Regional Medical Center."),
        ("2", "a", "d/w okonjowo about the dose"),
        ("3", "b", "d/w okonjowo about the dose"),
    ];
    notes(&place, &texts);
    let second = |found: &[(String, String, String)]| -> Vec<(String, String)> {
        let marked = found.iter().filter(|(_, _, claims)| claims.contains("second-pass"));
        marked.filter(|(stretch, ..)| stretch == "okonjowo").map(|(a, b, _)| (a.clone(), b.clone())).collect()
    };
    let found = detected(&place, &texts, &[]);
    assert_eq!(second(&found), [("okonjowo".to_owned(), "DOCTOR".to_owned())], "{found:?}");
    assert_eq!(second(&detected(&place, &texts, &["--no-second-pass"])), []);

    place.run("notes.jsonl", &[]);
    let report = place.report();
    assert_eq!(report["second_pass"]["patients"], 1, "{report}");
    assert!(report["second_pass"]["values"].as_u64() >= Some(2), "{report}");
}

#[test]
fn a_site_names_its_own_terms() {
    let place = Place::new();
    let texts = [("1", "a", "tx to the quartz room, then quartz-annex; quartz watch")];
    notes(&place, &texts);
    std::fs::write(place.path("ours.tsv"), "# our units\nHOSPITAL\tQuartz Room\nHOSPITAL\tQuartz Annex\n").unwrap();
    let found = detected(&place, &texts, &["--dictionary", "ours.tsv"]);
    let hospitals: Vec<_> = found.iter().filter(|(_, label, _)| label == "HOSPITAL").map(|(text, ..)| text).collect();
    assert_eq!(hospitals, ["quartz room", "quartz-annex"], "{found:?}");

    std::fs::write(place.path("bad.tsv"), "# our units\nWARD\tQuagga Room\n").unwrap();
    let message = place.fail(
        2,
        &["detect", "--notes", "notes.jsonl", "--out", "x.jsonl", "--key-file", "key", "--dictionary", "bad.tsv"],
    );
    assert!(message.contains("line 2") && !message.contains("Quagga"), "{message}");
}
