//! What stands in the place of identifiers, and the way back.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use serde_json::{Value, json};

use crate::support::{Place, files_below, note};

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
    std::fs::write(place.path("bad.toml"), "[surrogates]\ndate_order = \"day-first\"\n").unwrap();
    let message = place.fail(2, &[&run[..], &["--surrogate-options", "bad.toml"]].concat());
    assert!(message.contains("surrogates") && !place.path("other").exists(), "{message}");
}

/// In notes with the day first `03/04/2019` moves as `3 April 2019` does, in columns too; and `verify` reads them so.
#[test]
fn dates_with_the_day_first_move_as_those_that_name_their_month() {
    let place = Place::new();
    let note = json!({
        "note_id": "n1", "patient_id": "p1", "note_date": "03/04/2019", "seen": "05/04/2019",
        "text": "Seen 03/04/2019 (3 April 2019), again on 5 April 2019 and 9/4."
    });
    std::fs::write(place.path("notes.jsonl"), format!("{note}\n")).unwrap();
    std::fs::write(place.path("options.toml"), "[surrogate]\ndate_order = \"day-first\"\n").unwrap();
    let columns = "note=note_id,patient=patient_id,date=note_date,date=seen,text=text";
    let run = ["run", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key", "--columns", columns];
    place.succeed(
        &[
            &run[..],
            &["--surrogate-options", "options.toml", "--anchor-column", "note_date", "--ensemble", "knowledge"],
        ]
        .concat(),
    );
    let line = lines(&place, "out/part-000000.jsonl").remove(0);
    let day = |text: &str, form: &str| {
        NaiveDate::parse_from_str(text, form).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    let (seen, rest) = text(&line, "text").strip_prefix("Seen ").and_then(|rest| rest.split_once(" (")).unwrap();
    let (named, rest) = rest.split_once("), again on ").unwrap();
    let (again, short) = rest.trim_end_matches('.').split_once(" and ").unwrap();
    let first = day(seen, "%d/%m/%Y");
    assert_eq!(day(named, "%d %B %Y"), first);
    assert_eq!(day(text(&line, "note_date"), "%d/%m/%Y"), first);
    assert_eq!(day(again, "%d %B %Y"), first + Days::new(2));
    assert_eq!(day(text(&line, "seen"), "%d/%m/%Y"), first + Days::new(2));
    assert_eq!(short, (first + Days::new(6)).format("%-d/%-m").to_string());
    place.succeed(&["verify", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key", "--columns", columns]);
}

#[test]
fn the_key_leads_back_and_every_question_is_recorded() {
    let place = Place::new();
    let text = deidentified(&place, &[]);
    let name = text.strip_prefix("Seen by Dr. ").and_then(|rest| rest.split_once(" on ")).unwrap().0;
    assert_ne!(name, "Okafor");
    let ask = ["reveal", "--key-file", "key", "--audit", "audit.jsonl", "--patient"];
    assert_eq!(place.succeed(&[&ask[..], &["p1", "--label", "DOCTOR", name]].concat()).trim(), "Okafor");
    let spaced = [&ask[..], &[" p1 ", "--label", "DOCTOR", name]].concat();
    assert_eq!(place.succeed(&spaced).trim(), "Okafor", "blanks around an id do not count in a run either");
    let other = place.plainsight(&[&ask[..], &["p2", "--label", "DOCTOR", name]].concat());
    assert!(!String::from_utf8_lossy(&other.stdout).contains("Okafor"), "another patient's surrogates are others");
    let message = place.fail(2, &[&ask[..], &["p1", "--label", "PROFESSION", "teacher"]].concat());
    assert!(message.contains("cannot be revealed") && !message.contains("teacher"), "{message}");
    let audit = std::fs::read_to_string(place.path("audit.jsonl")).unwrap();
    assert_eq!(audit.lines().count(), 4);
    for value in [name, "Okafor", "p1\"", "teacher"] {
        assert!(!audit.contains(value), "{audit}");
    }
}

fn lines(place: &Place, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'v>(line: &'v Value, name: &str) -> &'v str {
    line[name].as_str().unwrap_or_else(|| panic!("{name} of {line}"))
}

#[test]
fn columns_are_mapped_as_notes_are() {
    let place = Place::new();
    let note = |id: u32, patient: &str, mrn: Value, name: Value| {
        let age = if id == 2 { 45 } else { 94 };
        json!({"note_id": id, "patient_id": patient, "mrn": mrn, "name": name, "age": age,
            "text": format!("MRN: 4471203. Mr. Okafor is a {age}-year-old man.")})
    };
    let (mrn, name) = (json!(4_471_203), json!("Okafor"));
    place.write_lines(
        "notes/a.jsonl",
        &[
            note(1, "p1", mrn.clone(), name.clone()),
            note(2, "p1", Value::Null, json!("unknown")),
            note(3, "p2", mrn, name),
        ],
    );
    let roles = ["--map-columns", "MEDICALRECORD=mrn,PATIENT=name,AGE=age"];
    let run = ["run", "--notes", "notes", "--key-file", "key", "--out"];
    place.succeed(&[&run[..], &["out"], &roles].concat());
    let written = lines(&place, "out/part-000000.jsonl");
    for line in [&written[0], &written[2]] {
        let expected =
            format!("MRN: {}. Mr. {} is a {}-year-old man.", text(line, "mrn"), text(line, "name"), text(line, "age"));
        assert_eq!(text(line, "text"), expected);
        assert!(text(line, "mrn") != "4471203" && text(line, "name") != "Okafor" && text(line, "age") == "89+");
    }
    assert!(written[1]["mrn"].is_null() && written[1]["name"] == "unknown", "no value is no identifier");
    assert!(
        text(&written[1], "age") == "45" && text(&written[1], "text").contains("45-year-old"),
        "the policy keeps it"
    );
    assert_ne!(written[0]["mrn"], written[2]["mrn"], "each patient's own");
    let verified =
        place.succeed(&[&["verify", "--notes", "notes", "--out", "out", "--key-file", "key"][..], &roles].concat());
    assert!(verified.contains("clean") && !verified.contains("identifier-"), "{verified}");

    place.succeed(&[&run[..], &["tagged", "--replace", "tag"], &roles].concat());
    let tagged = lines(&place, "tagged/part-000000.jsonl");
    assert_eq!((text(&tagged[0], "mrn"), text(&tagged[0], "name")), ("[MEDICALRECORD]", "[PATIENT]"));
    // As in notes, what the policy keeps stays.
    let kept = ["kept", "--policy", "A", "--map-columns", "MEDICALRECORD=mrn,DOCTOR=name,AGE=age"];
    place.succeed(&[&run[..], &kept].concat());
    assert_eq!(text(&lines(&place, "kept/part-000000.jsonl")[0], "name"), "Okafor");
    let message = place.fail(2, &[&run[..], &["other", "--map-columns", "MEDICALRECORD=patient_id"]].concat());
    assert!(message.contains("cannot be mapped"), "{message}");
}

/// What the policy keeps of a column is what the column is of, and not whatever somebody has written into it.
#[test]
fn a_kept_value_that_holds_something_else_is_taken_out() {
    let place = Place::new();
    let note =
        |id: u32, work: &str| json!({"note_id": id, "patient_id": "p1", "occupation": work, "text": "Seen today."});
    place.write_lines("notes.jsonl", &[note(1, "teacher"), note(2, "teacher; wife Karen Jones 617-555-0101")]);
    let roles = ["--map-columns", "PROFESSION=occupation"];
    place.run("notes.jsonl", &[&roles[..], &["--ensemble", "knowledge"]].concat());
    let written = lines(&place, "out/part-000000.jsonl");
    assert_eq!(text(&written[0], "occupation"), "teacher");
    assert!(written[1]["occupation"].is_null(), "{}", written[1]);
    assert_eq!(place.report()["taken_out"]["occupation"], 1, "{}", place.report());
    let verify = ["verify", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key"];
    assert!(place.succeed(&[&verify[..], &roles].concat()).contains("clean"));
}

/// Month and day of two dates of one day: one with its year, one without.
fn both(line: &Value) -> (String, String) {
    let written = text(line, "text").strip_prefix("Seen on ").unwrap().trim_end_matches('.');
    let (full, partial) = written.split_once(" and ").unwrap();
    (full.rsplit_once('/').unwrap().0.to_owned(), partial.to_owned())
}

#[test]
fn a_date_without_a_year_is_near_the_day_of_its_note() {
    let place = Place::new();
    let notes: Vec<Value> = (0..12)
        .map(|number| {
            json!({"note_id": number, "patient_id": format!("p{number}"), "note_datetime": "2020-02-25", "onset": "2/24",
                "text": "Seen on 2/24/2020 and 2/24."})
        })
        .collect();
    place.write_lines("notes/a.jsonl", &notes);
    let run =
        ["run", "--notes", "notes", "--key-file", "key", "--no-second-pass", "--map-columns", "DATE=onset", "--out"];
    place.succeed(&[&run[..], &["plain"]].concat());
    place.succeed(&[&run[..], &["near", "--anchor-column", "note_datetime"]].concat());
    let apart = |folder: &str| -> Vec<(String, String)> {
        let dates = lines(&place, &format!("{folder}/part-000000.jsonl")).iter().map(both).collect::<Vec<_>>();
        dates.into_iter().filter(|(full, partial)| full != partial).collect()
    };
    assert_eq!(apart("near"), []);
    let onset = |line: &Value| text(line, "onset") == both(line).1;
    assert!(lines(&place, "near/part-000000.jsonl").iter().all(onset), "in columns as in texts");
    assert!(!apart("plain").is_empty(), "over 29 February the circle of 365 days is a day short");
    let sql = "SELECT deidentify(text, patient_id, NULL, NULL, note_datetime) AS text FROM 'notes/' ORDER BY note_id";
    let asked = place.succeed(&["sql", "--key-file", "key", "--format", "json", "-c", sql]);
    let near = lines(&place, "near/part-000000.jsonl");
    let expected: Vec<&str> = near.iter().map(|line| text(line, "text")).collect();
    let asked: Vec<Value> = asked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(asked.iter().map(|line| text(line, "text")).collect::<Vec<_>>(), expected);
    let message = place.fail(2, &[&run[..], &["other", "--anchor-column", "text"]].concat());
    assert!(message.contains("cannot be the anchor"), "{message}");
}

/// The mapped offsets of every note, by its own name.
fn offsets(place: &Place) -> BTreeMap<String, Vec<Value>> {
    let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for file in files_below(&place.path("work/offsets")) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            all.entry(text(&line, "note_id").to_owned()).or_default().push(line);
        }
    }
    all
}

/// What lies between the spans of one side, and the spans themselves, by code points.
fn cut(text: &str, spans: &[Value], [start, end]: [&str; 2]) -> (Vec<String>, Vec<String>) {
    let characters: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| characters[from..to].iter().collect::<String>();
    let (mut between, mut inside, mut at) = (Vec::new(), Vec::new(), 0);
    for span in spans {
        let [start, end] = [start, end].map(|name| span[name].as_u64().unwrap() as usize);
        between.push(part(at, start));
        inside.push(part(start, end));
        at = end;
    }
    between.push(part(at, characters.len()));
    (between, inside)
}

#[test]
fn offsets_lead_from_one_text_to_the_other() {
    let place = Place::new();
    let note = |id: &str, patient: &str, text: &str| json!({"note_id": id, "patient_id": patient, "text": text});
    let first = [
        note("n1", "p1", "Temp 38.2 °C – seen by Dr. Okafor on 03/04/2019; MRN: 4471203."),
        note("n2", "p1", "No acute distress."),
    ];
    place.write_lines("notes/a.jsonl", &first);
    place.write_lines("notes/b.jsonl", &[note("n3", "p2", "Dr. Smithson called.\nDr. Smithson left on 3/5/2019.")]);
    let run_with = |further: &[&'static str]| -> Vec<&'static str> {
        let run =
            ["run", "--notes", "notes", "--key-file", "key", "--out", "out", "--work", "work", "--cache", "cache"];
        [&run[..], further].concat()
    };
    let run = |further: &[&'static str]| place.succeed(&run_with(further));
    let check = || {
        let mapped = offsets(&place);
        let mut written = BTreeMap::new();
        for file in
            files_below(&place.path("out")).iter().filter(|file| file.extension().is_some_and(|end| end == "jsonl"))
        {
            for line in std::fs::read_to_string(file).unwrap().lines() {
                let line: Value = serde_json::from_str(line).unwrap();
                written.insert(text(&line, "note_id").to_owned(), text(&line, "text").to_owned());
            }
        }
        let mut notes: Vec<Value> = Vec::new();
        for file in files_below(&place.path("notes")) {
            let read = std::fs::read_to_string(file).unwrap();
            notes.extend(read.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
        }
        for (name, spans) in &mapped {
            let note = notes.iter().find(|note| text(note, "note_id") == name).unwrap();
            let (before, values) = cut(text(note, "text"), spans, ["start", "end"]);
            let (after, surrogates) = cut(&written[text(&spans[0], "new_note_id")], spans, ["new_start", "new_end"]);
            assert_eq!(before, after, "{name}");
            assert!(values.iter().zip(&surrogates).all(|(value, surrogate)| value != surrogate), "{name}");
        }
        mapped.into_iter().map(|(name, spans)| (name, spans.len())).collect::<Vec<_>>()
    };
    let told = run(&["--map-offsets", "--incremental"]);
    assert!(place.path("work/offsets").is_dir(), "{told}");
    assert_eq!(check(), [("n1".to_owned(), 3), ("n3".to_owned(), 3)]);
    // A new note of p2: its part is written, that of p1 is kept, and so is where its spans stand.
    place.write_lines("notes/c.jsonl", &[note("n4", "p2", "Dr. Okonkwo came on 3/6/2019.")]);
    run(&["--map-offsets", "--incremental"]);
    assert_eq!(check(), [("n1".to_owned(), 3), ("n3".to_owned(), 3), ("n4".to_owned(), 2)]);
    std::fs::remove_file(place.path("notes/a.jsonl")).unwrap();
    run(&["--map-offsets", "--incremental"]);
    assert_eq!(check(), [("n3".to_owned(), 3), ("n4".to_owned(), 2)]);
    // What is not there is made anew, with its part.
    std::fs::remove_dir_all(place.path("work/offsets")).unwrap();
    let told = place.plainsight(&run_with(&["--map-offsets", "--incremental"]));
    assert!(String::from_utf8_lossy(&told.stderr).contains("are not at the work location"), "{told:?}");
    place.write_lines("notes/d.jsonl", &[note("n5", "p5", "No acute distress.")]);
    run(&["--map-offsets", "--incremental"]);
    assert_eq!(check(), [("n3".to_owned(), 3), ("n4".to_owned(), 2)]);
    assert_eq!(files_below(&place.path("work/offsets")).len(), 3, "one for each part, though nothing was replaced");
    // Without it nothing is left that belongs to another output.
    run(&["--overwrite"]);
    assert!(!place.path("work/offsets").exists());
}

#[test]
fn each_task_maps_the_offsets_of_its_parts() {
    let place = Place::new();
    let note = |id: &str, text: &str| json!({"note_id": id, "patient_id": id, "text": text});
    for (name, text) in [("a", "Dr. Okafor called."), ("b", "No acute distress."), ("c", "Seen on 3/5/2019.")] {
        place.write_lines(&format!("notes/{name}.jsonl"), &[note(name, text)]);
    }
    // One after another, none of which waits for the others.
    let tasks = |of: u32| {
        for _ in 0..12 {
            let ended = (1..=of).map(|task| {
                let task = format!("{task}/{of}");
                let run =
                    ["run", "--notes", "notes", "--key-file", "key", "--out", "out", "--overwrite", "--map-offsets"];
                let further = ["--exchange", "exchange", "--task-wait", "0", "--task", &task];
                place.plainsight(&[&run[..], &further].concat()).status.code()
            });
            if ended.collect::<Vec<_>>().iter().all(|code| *code == Some(0)) {
                return;
            }
        }
        panic!("{of} tasks have not ended");
    };
    let files = |of: u32| {
        let folders = (1..=of).map(|task| place.path(&format!("out.work/share-{task}-of-{of}/offsets")));
        folders.filter(|folder| folder.is_dir()).map(|folder| files_below(&folder).len()).sum::<usize>()
    };
    tasks(2);
    assert_eq!(files(2), 3);
    place.write_lines("notes/c.jsonl", &[note("c", "Seen on 3/6/2019 by Dr. Okafor.")]);
    tasks(3);
    assert_eq!((files(2), files(3)), (0, 3));
}

/// A weekday that stays beside another date is wrong, and a holiday tells the day that was there.
#[test]
fn named_days_move_with_their_dates() {
    let place = Place::new();
    let text = "Seen Monday, March 4, 2019. Dinner on Easter, April 21, 2019. Back on Monday.";
    place.write_lines("notes.jsonl", &[note(1, "P1", text)]);
    for (policy, alone_stays) in [("C", true), ("D", false)] {
        place.run("notes.jsonl", &["--policy", policy, "--overwrite"]);
        let written = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
        assert!(written.contains("Seen Monday, ") && !written.contains("March 4, 2019"), "{written}");
        assert!(!written.contains("Easter"), "{written}");
        assert_eq!(written.contains("Back on Monday."), alone_stays, "{written}");
    }
    // Beside the surrogate, the holiday would tell the day that was there.
    let beside =
        ["12/25/2019 (Christmas Day)", "11/28/19 Thanksgiving", "Thanksgiving: 11/28/19", "Christmas Day on 12/25/19"];
    let further = ["Thanksgiving - 11/28/2019", "Christmas (12/25/2019)", "Dec 25, 2019, Christmas"];
    for text in beside.iter().chain(&further) {
        place.write_lines("notes.jsonl", &[note(1, "P1", &format!("Seen {text}. Feels well on Thanksgiving."))]);
        place.run("notes.jsonl", &["--overwrite"]);
        let written = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
        let kept = written.replace("Feels well on Thanksgiving.", "");
        assert!(
            kept.len() < written.len() && !kept.contains("Christmas") && !kept.contains("Thanksgiving"),
            "{written}"
        );
        assert!(!["12/25", "11/28", "Dec 25"].iter().any(|day| written.contains(day)), "{written}");
    }
}

/// Whoever writes `9/30` writes `8/3`: a zero would tell that there were two digits.
#[test]
fn dates_are_written_as_their_note_writes_them() {
    let place = Place::new();
    let months = |day: &str| (10..=12).map(|month| format!("Seen {month}/{day}/2019. ")).collect::<String>();
    let bare = format!("Seen 9/5/2019. {}", months("15"));
    let padded = format!("Seen 09/05/2019. {}", months("15"));
    let lines: Vec<_> = (1..=8)
        .flat_map(|patient| {
            let patient_id = format!("P{patient}");
            [note(patient * 2, &patient_id, &bare), note(patient * 2 + 1, &patient_id, &padded)]
        })
        .collect();
    place.write_lines("notes.jsonl", &lines);
    place.run("notes.jsonl", &[]);
    let written = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    let text = |line: &str| serde_json::from_str::<Value>(line).unwrap()["text"].as_str().unwrap().to_owned();
    let texts: Vec<String> = written.lines().map(text).collect();
    let zeros =
        |text: &str| text.split([' ', '/', '.']).filter(|part| part.len() == 2 && part.starts_with('0')).count();
    let (bare, padded): (Vec<_>, Vec<_>) = texts.iter().partition(|text| zeros(text) == 0);
    assert_eq!((bare.len(), padded.len()), (8, 8), "{texts:?}");
    let single = |text: &&String| text.split([' ', '/', '.']).any(|part| part.len() == 1);
    assert!(bare.iter().any(&single) && !padded.iter().any(single), "{texts:?}");
}
