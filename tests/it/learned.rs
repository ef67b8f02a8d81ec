//! Trained members at the command line: ensembles that are opened or refused, training from annotated notes, the dial.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::Place;

/// A tiny model with random weights, in the place's folder.
fn with_tiny_model(place: &Place) {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/detect/neural/fixtures/shaped");
    fs::create_dir(place.path("tiny")).unwrap();
    for file in ["model.toml", "model.onnx", "tokenizer.json"] {
        fs::copy(fixture.join(file), place.path("tiny").join(file)).unwrap();
    }
}

fn ensemble(place: &Place, members: &str) {
    fs::write(place.path("ensemble.toml"), format!("format = 1\n{members}")).unwrap();
}

const KNOWLEDGE: &str = "[[member]]\nkind = \"knowledge\"\n";
const TINY: &str = "[[member]]\nkind = \"transformer\"\npath = \"tiny\"\n";

fn detect<'a>(further: &[&'a str]) -> Vec<&'a str> {
    let detect = ["detect", "--notes", "notes.jsonl", "--out", "spans.jsonl", "--key-file", "key", "--overwrite"];
    [&detect[..], further].concat()
}

fn spans(place: &Place) -> Vec<Value> {
    let lines = fs::read_to_string(place.path("spans.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn note(place: &Place) {
    let text = "Patient seen by Dr Smith in Boston on 3/4/2019. No fever; no pain.\nRose on Tuesday, with John.";
    place.write_lines("notes.jsonl", &[json!({"note_id": "n1", "patient_id": "p1", "text": text})]);
}

#[test]
fn members_of_an_ensemble_make_claims_of_their_own() {
    let place = Place::new();
    with_tiny_model(&place);
    note(&place);
    ensemble(&place, &format!("{KNOWLEDGE}{TINY}bias = 9.0\n"));
    place.succeed(&detect(&["--ensemble", "ensemble.toml"]));
    let both = spans(&place);
    let detectors: Vec<String> = both
        .iter()
        .flat_map(|span| span["claims"].as_array().unwrap())
        .map(|claim| claim["detector"].as_str().unwrap().to_owned())
        .collect();
    assert!(
        detectors.contains(&"transformer".to_owned()) && detectors.contains(&"pattern".to_owned()),
        "{detectors:?}"
    );
    // The same bytes again, on one worker or several.
    let first = fs::read(place.path("spans.jsonl")).unwrap();
    for partitions in ["1", "3"] {
        place.succeed(&detect(&["--ensemble", "ensemble.toml", "--partitions", partitions]));
        assert_eq!(fs::read(place.path("spans.jsonl")).unwrap(), first);
    }
    // What only a model with random weights claims, a vote of two members drops; what only knowledge claims, too.
    ensemble(&place, &format!("combine = \"weighted\"\nneed = 2.0\n{KNOWLEDGE}{TINY}bias = -9.0\n"));
    place.succeed(&detect(&["--ensemble", "ensemble.toml"]));
    assert!(spans(&place).len() < both.len());
}

#[test]
fn an_ensemble_that_is_not_whole_stops_the_run_before_a_note_is_read() {
    let place = Place::new();
    with_tiny_model(&place);
    note(&place);
    let refused = |place: &Place, told: &[&str]| {
        let message = place.fail(2, &detect(&["--ensemble", "ensemble.toml"]));
        assert!(told.iter().all(|words| message.contains(words)), "{message}");
        assert!(!place.path("spans.jsonl").exists() && !message.contains("Smith"));
    };
    ensemble(&place, &format!("{KNOWLEDGE}[[member]]\nkind = \"transformer\"\npath = \"absent\"\n"));
    refused(&place, &["absent", "model.toml", "cannot be read"]);
    ensemble(&place, &format!("{KNOWLEDGE}[[member]]\nkind = \"crf\"\npath = \"tiny/model.onnx\"\n"));
    refused(&place, &["tiny/model.onnx", "not a CRF model"]);
    ensemble(&place, "[[member]]\nkind = \"oracle\"\n");
    refused(&place, &["ensemble.toml", "oracle"]);
    ensemble(&place, &format!("combine = \"weighted\"\n{KNOWLEDGE}"));
    refused(&place, &["ensemble.toml", "need"]);
    ensemble(&place, &format!("{KNOWLEDGE}{TINY}thresholds = {{ MOON = 0.5 }}\n"));
    refused(&place, &["MOON"]);
    // One byte of the weights changed.
    let graph = place.path("tiny/model.onnx");
    let mut bytes = fs::read(&graph).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&graph, bytes).unwrap();
    ensemble(&place, &format!("{KNOWLEDGE}{TINY}"));
    refused(&place, &["model.onnx", "digest"]);
}

#[test]
fn doctor_tells_what_is_in_use() {
    let place = Place::new();
    with_tiny_model(&place);
    ensemble(&place, &format!("{KNOWLEDGE}{TINY}"));
    let told = place.succeed(&["doctor", "--ensemble", "ensemble.toml", "--runtime", "rten"]);
    assert!(
        ["pattern", "dictionary", "transformer", "rten", "sentences a second"].iter().all(|words| told.contains(words)),
        "{told}"
    );
    let shipped = place.succeed(&["doctor", "--ensemble", "shipped", "--runtime", "rten"]);
    assert!(shipped.contains("bge-small-phi"), "{shipped}");
}

/// Notes in brat standoff with labels of no one else's, in the folder `name`.
fn write_brat(place: &Place, name: &str, from: usize) {
    let (sites, doctors) =
        (["Clínica Sol", "Hospital Mar", "Casa Luna"], ["Ana Peña", "Luis Gómez", "Eva Ruiz", "Juan Ñíguez"]);
    fs::create_dir(place.path(name)).unwrap();
    for number in from..from + 40 {
        let (site, doctor) = (sites[number % sites.len()], doctors[(number / 3) % doctors.len()]);
        let text = format!("Centro: {site}\r\nMédico: {doctor}.\r\nEl paciente mejora; tensión {number}/80.\r\n");
        let place_of = |value: &str| text[..text.find(value).unwrap()].chars().count();
        let annotation = |id: usize, label: &str, value: &str| {
            let start = place_of(value);
            format!("T{id}\t{label} {start} {}\t{value}\n", start + value.chars().count())
        };
        let annotations = annotation(1, "CENTRO", site) + &annotation(2, "DOCTOR", doctor);
        fs::write(place.path(&format!("{name}/n{number}.txt")), &text).unwrap();
        fs::write(place.path(&format!("{name}/n{number}.ann")), annotations).unwrap();
    }
}

#[test]
fn a_model_is_trained_from_brat_files_and_finds_what_it_learned() {
    let place = Place::new();
    write_brat(&place, "train", 0);
    write_brat(&place, "test", 100);
    let trained = place.succeed(&[
        "train",
        "crf",
        "--gold",
        "train",
        "--out",
        "site.crf",
        "--development",
        "test",
        "--target-recall",
        "0.99",
    ]);
    assert!(trained.contains("dial: bias") && trained.contains("CENTRO"), "{trained}");
    place.succeed(&[
        "detect",
        "--ensemble",
        "site.toml",
        "--notes",
        "test",
        "--out",
        "spans.jsonl",
        "--no-second-pass",
        "--key-file",
        "key",
    ]);
    let evaluate = [
        "evaluate",
        "--gold",
        "test",
        "--gold-labels",
        "any",
        "--predicted",
        "spans.jsonl",
        "--predicted-labels",
        "any",
    ];
    let report = place.succeed(&[&evaluate[..], &["--json", "--replicates", "0"]].concat());
    let report: Value = serde_json::from_str(&report).unwrap();
    let f1 = report["strict_entity"]["micro"]["f1"].as_f64().unwrap_or_else(|| panic!("{report}"));
    assert!(f1 > 0.95, "{f1}");
    // A second site's labels on top of the first one's weights.
    place.succeed(&[
        "train",
        "crf",
        "--gold",
        "test",
        "--base",
        "site.crf",
        "--out",
        "second.crf",
        "--iterations",
        "5",
    ]);
    assert!(place.path("second.toml").exists());
    // Training again takes the place of nothing unasked, and never that of an ensemble.
    fs::write(place.path("second.toml"), "# ours\n").unwrap();
    let again = ["train", "crf", "--gold", "test", "--out", "second.crf", "--iterations", "2"];
    let message = place.fail(2, &again);
    assert!(message.contains("second.crf") && message.contains("--overwrite"), "{message}");
    let told = place.succeed(&[&again[..], &["--overwrite"]].concat());
    assert!(told.contains("left as it is"), "{told}");
    assert_eq!(fs::read_to_string(place.path("second.toml")).unwrap(), "# ours\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(place.path("second.crf")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{mode:o}");
    }
    let curve = place.succeed(&["train", "curve", "--gold", "train", "--iterations", "5", "--plot", "curve.svg"]);
    assert!(curve.lines().count() > 3, "{curve}");
    assert!(fs::read_to_string(place.path("curve.svg")).unwrap().starts_with("<svg"));
    let message = place.fail(2, &["train", "crf", "--gold", "train", "--out", "x.crf", "--features", "moon"]);
    assert!(message.contains("moon"), "{message}");
}
