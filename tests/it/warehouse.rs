//! Generate, run, detect, evaluate: the main job from end to end.

use std::collections::BTreeSet;

use crate::support::Place;

#[test]
fn generate_run_detect_evaluate() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "3000", "--patients", "200", "--out", "wh", "--seed", "7"]);
    let ids = place.values("wh/notes", "note_id");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 3000);
    assert_eq!(place.values("wh/patients", "patient_id").len(), 200);

    let summary = place.run("wh/notes", &["--patients", "wh/patients"]);
    assert!(summary.contains("3000"), "{summary}");
    let out = place.values("out", "note_id");
    assert_eq!(out.len(), 3000);
    assert_eq!(out.iter().collect::<BTreeSet<_>>().len(), 3000, "every note once, under a pseudonym of its own");
    assert_eq!(place.values("out", "note_type"), place.values("wh/notes", "note_type"));
    assert!(place.path("out/_SUCCESS").exists() && !place.path("out.work").exists());

    let report = place.report();
    assert_eq!((&report["notes_read"], &report["notes_written"]), (&3000.into(), &3000.into()));
    let funnel = &report["sentences"];
    let sum = ["listed", "template", "remainder"].iter().map(|route| funnel[*route].as_u64().unwrap()).sum::<u64>();
    assert_eq!(funnel["distinct"].as_u64().unwrap(), sum);
    assert!(funnel["occurrences"].as_u64().unwrap() > 15 * 3000);

    place.succeed(&[
        "detect",
        "--notes",
        "wh/notes",
        "--patients",
        "wh/patients",
        "--out",
        "spans.parquet",
        "--key-file",
        "key",
    ]);
    let json = place.succeed(&["evaluate", "--gold", "wh/gold", "--predicted", "spans.parquet", "--json"]);
    let evaluation: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&evaluation["unit"], &evaluation["notes"]), (&"token".into(), &3000.into()));
    let binary = &evaluation["binary_token"];
    let measure = |name: &str| binary[name].as_f64().unwrap();
    assert!(measure("recall") > 0.88 && measure("precision") > 0.95, "{binary}");

    let perfect = place.succeed(&["evaluate", "--gold", "wh/gold", "--predicted", "wh/gold", "--json"]);
    let perfect: serde_json::Value = serde_json::from_str(&perfect).unwrap();
    assert_eq!(perfect["strict_entity"]["micro"]["f1"], 1.0);
}

#[test]
fn a_seed_makes_one_warehouse() {
    let place = Place::new();
    for (out, seed, workers) in [("a", "3", "1"), ("b", "3", "2"), ("c", "4", "1")] {
        place.succeed(&["generate", "--notes", "300", "--out", out, "--seed", seed, "--partitions", workers]);
    }
    assert_eq!(place.values("a/notes", "text"), place.values("b/notes", "text"));
    assert_ne!(place.values("a/notes", "text"), place.values("c/notes", "text"));
    let counts = [place.values("a/gold", "note_id"), place.values("b/gold", "note_id")];
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn spans_come_as_json_lines_too() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[crate::support::note(1, "P1", "80 µg é: Seen by Dr. Smith on 03/04/2019.")]);
    place.succeed(&["detect", "--notes", "notes.jsonl", "--out", "spans.jsonl", "--key-file", "key"]);
    let text = std::fs::read_to_string(place.path("spans.jsonl")).unwrap();
    let spans: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = spans
        .iter()
        .map(|span| {
            (
                span["note_id"].as_str().unwrap(),
                span["start"].as_u64().unwrap(),
                span["end"].as_u64().unwrap(),
                span["label"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(found, [("N1", 21, 26, "DOCTOR"), ("N1", 30, 40, "DATE")]);
    assert_eq!(spans[1]["claims"][0]["class"], "DATE:full");
}
