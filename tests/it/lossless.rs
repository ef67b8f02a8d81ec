//! Nothing is lost or altered besides: bytes outside replaced spans, and the same bytes however the work is shared out.

use std::collections::BTreeMap;

use plainsight::phi::{Class, Label, Policy};
use plainsight::surrogate::Replacement;

use crate::support::{Place, files_below, note};

/// The spans that the default policy removes, by note, from the program's own detection.
fn removed_spans(place: &Place) -> BTreeMap<String, Vec<(usize, usize)>> {
    place.succeed(&[
        "detect",
        "--notes",
        "wh/notes",
        "--patients",
        "wh/patients",
        "--out",
        "spans.jsonl",
        "--key-file",
        "key",
    ]);
    let policy = Policy::default();
    let mut removed: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for line in std::fs::read_to_string(place.path("spans.jsonl")).unwrap().lines() {
        let span: serde_json::Value = serde_json::from_str(line).unwrap();
        let classes = span["claims"]
            .as_array()
            .unwrap()
            .iter()
            .map(|claim| claim["class"].as_str().unwrap().parse::<Class>().unwrap());
        if classes.into_iter().any(|class| policy.removes(class)) {
            let place_of = |name: &str| span[name].as_u64().unwrap() as usize;
            removed
                .entry(span["note_id"].as_str().unwrap().to_owned())
                .or_default()
                .push((place_of("start"), place_of("end")));
        }
    }
    removed
}

/// The pieces of a text between spans in code points.
fn pieces(text: &str, spans: &[(usize, usize)]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    let mut pieces = Vec::new();
    for &(start, end) in spans {
        pieces.push(characters[at..start].iter().collect());
        at = end;
    }
    pieces.push(characters[at..].iter().collect());
    pieces
}

#[test]
fn bytes_outside_replaced_spans_leave_as_they_came() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "1500", "--patients", "60", "--out", "wh", "--seed", "11"]);
    let removed = removed_spans(&place);
    assert!(removed.len() > 1400);
    let (ids, texts) = (place.values("wh/notes", "note_id"), place.values("wh/notes", "text"));
    for mode in ["redact", "surrogate"] {
        place.run("wh/notes", &["--patients", "wh/patients", "--replace", mode, "--overwrite"]);
        let written = place.values("out", "text");
        for ((id, text), out) in ids.iter().zip(&texts).zip(&written) {
            let spans = removed.get(id).cloned().unwrap_or_default();
            let pieces = pieces(text, &spans);
            if mode == "redact" {
                // A span over two lines has a mask on each of them.
                let characters: Vec<char> = text.chars().collect();
                let value = |&(start, end): &(usize, usize)| characters[start..end].iter().collect::<String>();
                let masked = |span| Replacement::Redact.without_key(Label::Patient.into(), &value(span)).unwrap();
                let masks = spans.iter().map(masked).chain([String::new()]);
                let expected: String =
                    pieces.iter().zip(masks).flat_map(|(piece, mask)| [piece.clone(), mask]).collect();
                assert_eq!(*out, expected, "{id}");
                continue;
            }
            // Surrogates are of any length: what lies between them must come in order, the first and last at the ends.
            assert!(out.starts_with(&pieces[0]) && out.ends_with(pieces.last().unwrap()), "{id}");
            let mut at = 0;
            for piece in &pieces {
                at += out[at..].find(piece.as_str()).unwrap_or_else(|| panic!("{id}: a piece is gone")) + piece.len();
            }
        }
    }
}

/// Notes in a Hive tree of many files, so that there are many units to share out.
fn tree(place: &Place) {
    place.succeed(&["generate", "--notes", "600", "--patients", "40", "--out", "wh", "--seed", "5"]);
    place.succeed(&[
        "sql",
        "-c",
        "COPY (SELECT * FROM 'wh/notes/') TO 'tree/' STORED AS PARQUET PARTITIONED BY (note_type)",
    ]);
    assert!(files_below(&place.path("tree")).len() > 20);
}

#[test]
fn the_same_bytes_with_any_number_of_workers() {
    let place = Place::new();
    tree(&place);
    let contents = |workers: &str| -> Vec<(std::path::PathBuf, Vec<u8>)> {
        place.run("tree", &["--patients", "wh/patients", "--partitions", workers, "--overwrite"]);
        let files = files_below(&place.path("out")).into_iter().filter(|file| !file.ends_with("run.json"));
        files.map(|file| (file.clone(), std::fs::read(file).unwrap())).collect()
    };
    let one = contents("1");
    assert_eq!(place.values("out", "text").len(), 600);
    for workers in ["2", "8"] {
        assert!(contents(workers) == one, "{workers} workers write other bytes than one");
    }
}

#[test]
fn a_note_alone_in_sql_comes_out_as_in_a_run() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "400", "--patients", "30", "--out", "wh", "--seed", "9"]);
    // A function sees one row, so it has no second pass.
    place.run("wh/notes", &["--patients", "wh/patients", "--no-second-pass"]);
    let query =
        "COPY (SELECT deidentify(text, patient_id) AS text FROM 'wh/notes/part-000000.parquet') TO 'alone/a.parquet'";
    place.succeed(&["sql", "-c", query, "--key-file", "key", "--patients", "wh/patients", "--partitions", "1"]);
    assert_eq!(place.values("alone", "text"), place.values("out", "text"));
}

#[test]
fn surrogates_agree_within_a_patient_and_differ_across() {
    let place = Place::new();
    let text = "Patient name: Katherine Abernathy. Seen by Dr. Abernathy on 03/04/2019.";
    place.write_lines("notes.jsonl", &[note(1, "P1", text), note(2, "P1", text), note(3, "P2", text)]);
    place.run("notes.jsonl", &[]);
    let out = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    let texts: Vec<String> = out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(texts[0], texts[1]);
    assert_ne!(texts[0], texts[2]);
    let surname = texts[0].strip_prefix("Patient name: ").unwrap().split(['.', ' ']).nth(1).unwrap().to_owned();
    assert!(texts[0].contains(&format!("Dr. {surname} on")), "{}", texts[0]);
    assert!(!texts.iter().any(|text| text.contains("Abernathy") || text.contains("03/04/2019")));
}

#[test]
fn policies_decide_what_goes() {
    let place = Place::new();
    let text = "Seen by Dr. Smith at Riverside Medical Center on Tuesday. He is a retired welder, 45 years old.";
    place.write_lines("notes.jsonl", &[note(1, "P1", text)]);
    let tagged = |policy: &str| {
        place.run("notes.jsonl", &["--policy", policy, "--replace", "tag", "--overwrite"]);
        let line: serde_json::Value =
            serde_json::from_slice(&std::fs::read(place.path("out/part-000000.jsonl")).unwrap()).unwrap();
        line["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(tagged("A"), text);
    assert_eq!(tagged("B"), text.replace("Smith", "[DOCTOR]"));
    assert_eq!(tagged("C"), text.replace("Smith", "[DOCTOR]").replace("Riverside Medical Center", "[HOSPITAL]"));
    let all = tagged("D");
    assert!(all.contains("[DATE]") && all.contains("[PROFESSION]") && all.contains("45 years old"), "{all}");
    std::fs::write(place.path("own.toml"), "base = 'A'\nremove = ['AGE']").unwrap();
    assert_eq!(tagged("own.toml"), text.replace("45", "[AGE]"));
}

#[test]
fn listed_sentences_pass_and_templates_tag() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Call Mary Smith.\nRef XK-ABLE-TEN done.\nCall Mary Jones.")]);
    std::fs::write(place.path("list.txt"), "Call Mary Smith.\n").unwrap();
    let template =
        "[[template]]\nname = 'ref'\npattern = 'Ref (?<IDNUM>[A-Z-]+) done\\.'\nmatches = ['Ref [IDNUM AB-C] done.']\n";
    std::fs::write(place.path("templates.toml"), template).unwrap();
    let lists = ["--inclusion", "list.txt", "--templates", "templates.toml", "--replace", "tag"];
    place.run("notes.jsonl", &[&lists[..], &["--no-second-pass"]].concat());
    let out = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    assert!(out.contains(r"Call Mary Smith.\nRef [IDNUM] done.\nCall [PATIENT]."), "{out}");
    let funnel = &place.report()["sentences"];
    assert_eq!((&funnel["listed"], &funnel["template"], &funnel["remainder"]), (&1.into(), &1.into(), &1.into()));
}
