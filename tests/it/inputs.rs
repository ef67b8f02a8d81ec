//! Bad input: one clear line, the right exit code, and no half output that looks whole. A bad row is refused alone.

use std::sync::Arc;

use arrow::array::{ArrayRef, BinaryArray, Date64Array, LargeStringArray, StringArray, StringViewArray};
use arrow::datatypes::DataType;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::support::{Place, files_below, note, read_parquet, strings};

fn refused(code: i32, prepare: impl FnOnce(&Place), arguments: &[&str]) -> String {
    let place = Place::new();
    prepare(&place);
    let message = place.fail(code, &[&["run", "--notes", "notes", "--out", "out"], arguments].concat());
    assert!(message.starts_with("error: ") && message.lines().count() <= 2, "{message}");
    assert!(!place.path("out").exists() || files_below(&place.path("out")).is_empty(), "half an output is left");
    assert!(!place.path("out.work").exists(), "confidential tables are left");
    message
}

fn one_note(place: &Place) {
    place.write_parquet(
        "notes/a.parquet",
        vec![("note_id", strings(&["N1"])), ("patient_id", strings(&["P1"])), ("text", strings(&["Stable."]))],
    );
}

/// Files of one table may have been written by programs that call their strings otherwise.
#[test]
fn strings_of_every_type_are_one_column() {
    let place = Place::new();
    one_note(&place);
    let text = "Seen by Dr. Zorvalquist.";
    let columns: Vec<(_, ArrayRef)> = vec![
        ("note_id", Arc::new(LargeStringArray::from(vec!["N2"]))),
        ("patient_id", Arc::new(StringViewArray::from(vec!["P1"]))),
        ("text", Arc::new(LargeStringArray::from(vec![text]))),
    ];
    place.write_parquet("notes/b.parquet", columns);
    place.run("notes", &["--keep-columns", "note_id"]);
    assert_eq!(place.values("out", "note_id"), ["N1", "N2"]);
    assert!(place.values("out", "text").iter().all(|written| written != text));
}

/// One day's values may all be whole numbers, and the next day's not.
#[test]
fn json_lines_of_every_type_are_one_column() {
    let place = Place::new();
    let line = |note: serde_json::Value, patient: serde_json::Value, score: serde_json::Value| serde_json::json!({"note_id": note, "patient_id": patient, "score": score, "text": "Seen by Dr. Zorvalquist."});
    place.write_lines("notes/a.jsonl", &[line(1.into(), 17.into(), 1.into())]);
    place.write_lines("notes/b.jsonl", &[line("N2".into(), "P1".into(), 1.5.into())]);
    place.run("notes", &["--keep-columns", "note_id,score"]);
    let written: Vec<serde_json::Value> = ["out/part-000000.jsonl", "out/part-000001.jsonl"]
        .iter()
        .flat_map(|part| {
            std::fs::read_to_string(place.path(part)).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    let values: Vec<_> = written.iter().map(|line| (line["note_id"].clone(), line["score"].clone())).collect();
    assert_eq!(values, [("1".into(), 1.0.into()), ("N2".into(), 1.5.into())]);
    place.write_lines("notes/c.jsonl", &[line(3.into(), 18.into(), serde_json::json!([1]))]);
    place.run("notes", &["--keep-columns", "note_id,score", "--overwrite"]);
    let of_list = std::fs::read_to_string(place.path("out/part-000002.jsonl")).unwrap();
    assert!(of_list.contains("\"score\":[1]"), "{of_list}");
}

/// In a path the engine takes some characters for a pattern.
#[test]
fn lists_and_objects_are_kept_as_they_are_written() {
    let place = Place::new();
    let lines = [
        r#"{"meta":{"b":1.50,"a":"x"},"note_id":1,"patient_id":"P1","tags":["q", 1],"text":"Seen by Dr. Ngozi Okafor."}"#,
        r#"{"meta":{"c":{"d":[18446744073709551616,{"e":null}]}},"note_id":2,"patient_id":"P1","tags":[],"text":"Well."}"#,
        r#"{"meta":"none, \u00e9\"]","note_id":3,"patient_id":"P2","tags":null,"text":"Well."}"#,
    ];
    std::fs::create_dir(place.path("notes")).unwrap();
    std::fs::write(place.path("notes/a.jsonl"), lines[..2].join("\n")).unwrap();
    std::fs::write(place.path("notes/b.jsonl"), lines[2]).unwrap();
    let run =
        ["--notes", "notes", "--out", "out", "--key-file", "key", "--keep-columns", "meta,tags,note_id,patient_id"];
    place.succeed(&[&["run"], &run[..]].concat());
    let written = |part: &str| std::fs::read_to_string(place.path(&format!("out/part-00000{part}.jsonl"))).unwrap();
    let written = written("0") + &written("1");
    for (line, written) in lines.iter().zip(written.lines()) {
        let before_text = |line: &str| line[..line.find("\"text\"").unwrap()].to_owned();
        assert_eq!(before_text(written), before_text(line));
    }
    assert!(!written.contains("Okafor"));
    place.succeed(&[&["verify"], &run[..]].concat());
    let refused = place
        .fail(2, &[&["run"], &run[..6], &["--keep-columns", "tags", "--columns", "text=meta", "--overwrite"]].concat());
    assert!(refused.contains("column `meta`"), "{refused}");
    place
        .succeed(&[&["run"], &run[..6], &["--keep-columns", "tags", "--drop-columns", "meta", "--overwrite"]].concat());
}

/// What says whose a note is must be the same text for one patient, whatever becomes of the column.
#[test]
fn a_list_names_no_patient() {
    let place = Place::new();
    let lines =
        [r#"{"note_id":1,"patient_id":"P1","text":"Well."}"#, r#"{"note_id":2,"patient_id":["P7"],"text":"Well."}"#];
    std::fs::write(place.path("notes.jsonl"), lines.join("\n")).unwrap();
    let run = ["run", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key"];
    for further in [&[][..], &["--keep-columns", "patient_id"], &["--drop-columns", "patient_id"]] {
        let refused = place.fail(2, &[&run[..], further].concat());
        assert!(refused.contains("column `patient_id`"), "{refused}");
    }
}

#[test]
fn places_may_be_called_like_patterns() {
    let place = Place::new();
    one_note(&place);
    for out in ["out [2024]", "out?", "out*"] {
        place.succeed(&["run", "--notes", "notes", "--out", out, "--key-file", "key", "--ensemble", "knowledge"]);
        assert_eq!(place.values(out, "text"), ["Stable."]);
    }
}

/// Parquet has days, and no milliseconds of them: other programs would read those as numbers.
#[test]
fn days_come_out_as_days() {
    let place = Place::new();
    let days: ArrayRef = Arc::new(Date64Array::from(vec![1_552_089_600_000]));
    let columns = vec![("note_id", strings(&["N1"])), ("day", days), ("text", strings(&["Stable."]))];
    place.write_parquet("notes/a.parquet", columns);
    place.run("notes", &["--columns", "note=note_id,date=day,text=text"]);
    let written = read_parquet(&place.path("out/part-000000.parquet"));
    assert_eq!(*written[0].column_by_name("day").unwrap().data_type(), DataType::Date32);
    assert_ne!(place.values("out", "day"), ["2019-03-09"]);
}

/// Programs without integers beside null write them as floats, as text too.
#[test]
fn a_patient_is_told_by_the_number_however_it_was_written() {
    let place = Place::new();
    let texts = strings(&["saw qwib", "saw qwib"]);
    let columns = vec![("note_id", strings(&["N1", "N2"])), ("patient_id", strings(&["17", "17.0"])), ("text", texts)];
    place.write_parquet("notes/a.parquet", columns);
    place.write_lines("patients.jsonl", &[serde_json::json!({"patient_id": 17, "given_name": "Qwib"})]);
    place.run("notes", &["--patients", "patients.jsonl"]);
    let texts = place.values("out", "text");
    assert!(texts[0] == texts[1] && texts[0] != "saw qwib", "{texts:?}");
}

#[test]
fn runs_that_cannot_start() {
    let key = &["--key-file", "key"][..];
    assert!(refused(1, |_| (), key).contains("nothing there"));
    let textless = |place: &Place| place.write_parquet("notes/a.parquet", vec![("note_id", strings(&["N1"]))]);
    assert!(refused(2, textless, key).contains("no text column"));
    let extra = |place: &Place| {
        place.write_parquet("notes/a.parquet", vec![("text", strings(&["a"])), ("ward", strings(&["b"]))])
    };
    assert!(refused(2, extra, key).contains("ward"));
    assert!(refused(2, one_note, &["--key-file", "key", "--columns", "text=comment"]).contains("comment"));
    assert!(refused(2, one_note, &[]).contains("no key"));
    assert!(refused(2, one_note, &["--key-file", "nokey"]).contains("nokey"));
    assert!(
        refused(
            2,
            |place| {
                one_note(place);
                std::fs::write(place.path("short"), "abc").unwrap()
            },
            &["--key-file", "short"]
        )
        .contains("64")
    );
    assert!(refused(2, one_note, &["--key-file", "key", "--policy", "E"]).contains('E'));
    let mixed = |place: &Place| {
        one_note(place);
        place.write_lines("notes/b.jsonl", &[note(2, "P", "x")])
    };
    assert!(refused(1, mixed, key).contains("mixed"));
}

#[test]
fn a_truncated_file_stops_the_run() {
    let truncate = |place: &Place| {
        one_note(place);
        let whole = std::fs::read(place.path("notes/a.parquet")).unwrap();
        std::fs::write(place.path("notes/b.parquet"), &whole[..whole.len() / 2]).unwrap();
    };
    assert!(refused(1, truncate, &["--key-file", "key"]).contains("b.parquet"));
}

#[test]
fn a_corrupt_page_stops_the_run_and_clears_up() {
    let corrupt = |place: &Place| {
        one_note(place);
        let mut bytes = std::fs::read(place.path("notes/a.parquet")).unwrap();
        bytes[4..60].fill(0xff);
        std::fs::write(place.path("notes/a.parquet"), bytes).unwrap();
    };
    refused(1, corrupt, &["--key-file", "key"]);
    // No stage that has failed is said to be done.
    let place = Place::new();
    corrupt(&place);
    // As lines, whatever the environment says.
    let arguments = ["--log-format", "text", "run", "--notes", "notes", "--out", "out", "--key-file", "key"];
    let output = place.plainsight(&arguments);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("count: failed, ") && !told.contains(": done, "), "{told}");
}

/// A disk that is not mounted must neither shrink a release nor take notes out of it.
#[cfg(unix)]
#[test]
fn notes_behind_a_link_that_leads_nowhere_are_not_left_out() {
    let place = Place::new();
    one_note(&place);
    std::fs::create_dir(place.path("archive")).unwrap();
    std::fs::copy(place.path("notes/a.parquet"), place.path("archive/b.parquet")).unwrap();
    std::os::unix::fs::symlink(place.path("archive/b.parquet"), place.path("notes/b.parquet")).unwrap();
    let further = ["--incremental", "--cache", "cache"];
    place.run("notes", &further);
    assert_eq!(place.values("out", "text").len(), 2);
    let counted = "SELECT count(*) FROM 'notes/'";
    assert!(place.succeed(&["sql", "-c", counted]).contains('2'));

    std::fs::rename(place.path("archive"), place.path("away")).unwrap();
    let arguments = [&["run", "--notes", "notes", "--out", "out", "--key-file", "key"], &further[..]].concat();
    let message = place.fail(1, &arguments);
    assert!(message.contains("notes/b.parquet") && message.contains("leads nowhere"), "{message}");
    assert_eq!(place.values("out", "text").len(), 2);
    for statement in [counted, "SELECT count(*) FROM 'notes/*.parquet'"] {
        let message = place.fail(1, &["sql", "-c", statement]);
        assert!(message.contains("notes/b.parquet"), "{message}");
    }
    place.succeed(&["sql", "-c", "SELECT count(*) FROM 'notes/a.parquet'"]);
}

/// The decoder would keep the last value, and the first, which may be the note, would be gone without a word.
#[test]
fn a_line_with_a_key_twice_is_refused_alone() {
    let place = Place::new();
    let lines = [
        r#"{"note_id": "N1", "patient_id": "P1", "text": "Stable.", "text": "Seen."}"#,
        r#"{"note_id": "N2", "patient_id": "P1", "text": "Stable."}"#,
    ];
    std::fs::write(place.path("notes.jsonl"), lines.join("\n")).unwrap();
    place.run("notes.jsonl", &[]);
    assert_eq!(place.report()["notes_written"], 1);
    assert_eq!(place.report()["quarantined"]["the object has a key twice"], 1);
    let counted = place.succeed(&["count", "--notes", "notes.jsonl", "--key-file", "key"]);
    assert!(counted.lines().any(|line| line.split_whitespace().eq(["quarantined", "1"])), "{counted}");
}

#[test]
fn outputs_that_must_not_be_written() {
    let place = Place::new();
    one_note(&place);
    place.run("notes", &[]);
    let again = place.fail(2, &["run", "--notes", "notes", "--out", "out", "--key-file", "key", "--policy", "A"]);
    assert!(again.contains("--overwrite"), "{again}");
    place.run("notes", &["--overwrite"]);
    assert!(
        place
            .fail(2, &["run", "--notes", "notes", "--out", "notes/out", "--key-file", "key"])
            .contains("in one another")
    );
    assert!(
        place
            .fail(2, &["run", "--notes", "notes", "--out", "o", "--work", "o/w", "--key-file", "key"])
            .contains("in one another")
    );
    assert!(place.fail(2, &["run", "--notes", "notes", "--key-file", "key"]).contains("--out"));
}

/// Whatever a mistake in the arguments does, it removes nothing that is not the program's own.
#[test]
fn nothing_of_anybody_else_is_cleared() {
    let place = Place::new();
    one_note(&place);
    let note = place.path("notes/a.parquet");
    std::fs::create_dir_all(place.path("x.work/deep")).unwrap();
    std::fs::copy(&note, place.path("x.work/deep/a.parquet")).unwrap();
    std::fs::create_dir_all(place.path("mine/counts")).unwrap();
    std::fs::write(place.path("mine/counts/a.csv"), "1").unwrap();
    std::fs::write(place.path("mine/_SUCCESS"), "").unwrap();
    place.write_lines("mine/patients.jsonl", &[serde_json::json!({"patient_id": "P1"})]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.path("notes"), place.path("link")).unwrap();
    for arguments in [
        &["--notes", "x.work", "--out", "x"][..],
        &["--notes", "x.work/deep", "--out", "x"],
        &["--notes", "notes", "--out", "o", "--work", "mine"],
        &["--notes", "notes", "--out", "mine", "--overwrite"],
        &["--notes", "notes", "--out", "notes", "--overwrite"],
        &["--notes", "link", "--out", "notes", "--overwrite"],
        &["--notes", "notes", "--patients", "mine/patients.jsonl", "--out", "mine", "--overwrite"],
    ] {
        let message = place.fail(2, &[&["run", "--key-file", "key"], arguments].concat());
        assert!(message.starts_with("error: "), "{message}");
        for kept in ["notes/a.parquet", "x.work/deep/a.parquet", "mine/counts/a.csv"] {
            assert!(place.path(kept).exists(), "{arguments:?} removed {kept}");
        }
    }
}

#[test]
fn contradictions_are_mistakes() {
    let wards = |place: &Place| {
        place.write_parquet("notes/a.parquet", vec![("text", strings(&["a"])), ("ward", strings(&["b"]))])
    };
    let key = ["--key-file", "key"];
    let both = [&key[..], &["--keep-columns", "ward", "--drop-columns", "ward"]].concat();
    assert!(refused(2, wards, &both).contains("both kept and dropped"));
    let mapped = [&key[..], &["--keep-columns", "ward", "--map-columns", "PATIENT=ward"]].concat();
    assert!(refused(2, wards, &mapped).contains("both kept and to be replaced"));
    let roles = [&key[..], &["--columns", "text=ward,id=ward"]].concat();
    assert!(refused(2, wards, &roles).contains("two roles"));
}

#[test]
fn null_empty_and_repeated_rows_pass() {
    let place = Place::new();
    let texts: ArrayRef =
        Arc::new(StringArray::from(vec![Some("Stable."), None, Some(""), Some("Stable."), Some(" \n ")]));
    let patients: ArrayRef = Arc::new(StringArray::from(vec![Some("P1"), Some("P1"), None, None, Some("P1")]));
    place.write_parquet(
        "notes/a.parquet",
        vec![("note_id", strings(&["N1", "N1", "N2", "N1", "N3"])), ("patient_id", patients), ("text", texts)],
    );
    place.run("notes", &[]);
    let out = place.column("out", "text");
    assert_eq!(
        out,
        [Some("Stable."), None, Some(""), Some("Stable."), Some(" \n ")].map(|text| text.map(str::to_owned))
    );
    let ids = place.values("out", "note_id");
    assert!(ids[0] == ids[1] && ids[0] == ids[3] && ids[0] != ids[2]);
    assert_eq!(place.column("out", "patient_id").iter().filter(|patient| patient.is_none()).count(), 2);
}

/// A file whose text column is declared a string and holds bytes that are none.
fn write_false_strings(place: &Place) {
    let schema =
        parse_message_type("message notes { required binary note_id (UTF8); optional binary text (UTF8); }").unwrap();
    std::fs::create_dir_all(place.path("notes")).unwrap();
    let file = std::fs::File::create(place.path("notes/a.parquet")).unwrap();
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(schema), Arc::new(WriterProperties::builder().build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let values = [
        ["N1", "N2", "N3"].map(|id| ByteArray::from(id.as_bytes().to_vec())).to_vec(),
        vec![b"Dr. Smith came.".to_vec().into(), b"bad \xff\xfe".to_vec().into(), b"Fine.".to_vec().into()],
    ];
    for (place, values) in values.iter().enumerate() {
        let mut column = group.next_column().unwrap().unwrap();
        let levels = (place == 1).then_some(&[1, 1, 1][..]);
        column.typed::<ByteArrayType>().write_batch(values, levels, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn text_that_is_not_utf8_is_refused_alone() {
    let place = Place::new();
    write_false_strings(&place);
    let output =
        place.plainsight(&["run", "--notes", "notes", "--out", "out", "--key-file", "key", "--replace", "tag"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(place.values("out", "text"), ["Dr. [DOCTOR] came.", "Fine."]);
    let report = place.report();
    assert_eq!((&report["notes_read"], &report["notes_written"]), (&3.into(), &2.into()));
    assert_eq!(report["quarantined"]["the text is not UTF-8"], 1);
    let quarantine: serde_json::Value =
        serde_json::from_slice(&std::fs::read(place.path("out.work/quarantine.jsonl")).unwrap()).unwrap();
    assert_eq!((&quarantine["row"], &quarantine["column"]), (&1.into(), &"text".into()));
    assert_eq!(files_below(&place.path("out.work")).len(), 2, "only the list of refused rows stays, and the mark");
}

/// Nobody looks at the report of a run that ended well.
#[test]
fn a_run_of_which_nothing_is_left_fails() {
    let place = Place::new();
    let texts: ArrayRef = Arc::new(BinaryArray::from(vec![b"\xff".as_ref(), b"\xfe"]));
    place.write_parquet("notes/a.parquet", vec![("note_id", strings(&["N1", "N2"])), ("text", texts)]);
    let message = place.fail(1, &["run", "--notes", "notes", "--out", "out", "--key-file", "key"]);
    assert!(message.contains("all rows were refused (2: the text is not UTF-8)"), "{message}");
    assert!(!place.path("out/_SUCCESS").exists());
    assert_eq!(refused_rows(&place), 2, "they are listed");
}

/// How many rows the list of refused ones has.
fn refused_rows(place: &Place) -> usize {
    std::fs::read_to_string(place.path("out.work/quarantine.jsonl")).unwrap().lines().count()
}

/// Nobody shares an output from which rows are missing unseen.
#[test]
fn a_run_fails_that_refuses_more_rows_than_are_allowed() {
    let place = Place::new();
    let texts: ArrayRef = Arc::new(BinaryArray::from(vec![b"Seen.".as_ref(), b"\xff", b"Fine.", b"\xfe"]));
    let ids = strings(&["N1", "N2", "N3", "N4"]);
    place.write_parquet("notes/a.parquet", vec![("note_id", ids), ("text", texts)]);
    let run = |limit| ["run", "--notes", "notes", "--out", "out", "--key-file", "key", "--refused-at-most", limit];
    for (limit, told) in
        [("0", "and none may be"), ("1", "and at most 1 may be"), ("49.9%", "and at most 49.9% may be")]
    {
        let message = place.fail(1, &run(limit));
        assert!(message.contains(&format!("2 of 4 rows were refused (2: the text is not UTF-8), {told}")), "{message}");
        assert!(!place.path("out/_SUCCESS").exists() && !place.path("out/_plainsight/manifest.json").exists());
        assert_eq!(refused_rows(&place), 2);
    }
    place.fail(2, &run("some"));
    place.succeed(&run("50%"));
    assert_eq!(place.values("out", "text"), ["Seen.", "Fine."]);
    assert_eq!(place.report()["quarantined"]["the text is not UTF-8"], 2);
}

/// Nor is what was released before taken away for what may not be, nor called good although more is missing than may be.
#[test]
fn an_earlier_output_stays_where_too_many_rows_would_be_refused() {
    let place = Place::new();
    let line = |id: usize| crate::support::note(id, "P1", "Seen today.");
    place.write_lines("notes/a.jsonl", &[line(1), line(2)]);
    let run =
        |more: &[&'static str]| [&["run", "--notes", "notes", "--out", "out", "--key-file", "key"], more].concat();
    const GO_ON: [&str; 3] = ["--incremental", "--cache", "cache"];
    place.succeed(&run(&GO_ON));
    let kept = || {
        ["_SUCCESS", "_plainsight/manifest.json", "part-000000.jsonl"]
            .map(|file| std::fs::read(place.path("out").join(file)).ok())
    };
    let before = kept();
    assert!(before.iter().all(Option::is_some));
    std::fs::write(place.path("notes/b.jsonl"), "{bad\n").unwrap();
    for way in [&GO_ON[..], &["--overwrite"]] {
        // What the first try has counted is counted again.
        for _ in 0..2 {
            let told = place.fail(1, &run(&[way, &["--refused-at-most", "0"]].concat()));
            assert!(told.contains("1 of 3 rows were refused"), "{told}");
            assert_eq!(kept(), before, "{way:?}");
        }
        assert_eq!(refused_rows(&place), 1);
    }
    place.succeed(&run(&GO_ON));
    assert!(place.fail(1, &run(&["--refused-at-most", "0"])).contains("none may be"));
    place.succeed(&run(&["--refused-at-most", "1"]));
}

/// Of notes of which none can be read no limit allows anything.
#[test]
fn an_earlier_output_stays_where_no_note_can_be_read() {
    let place = Place::new();
    let write = |texts: [&[u8]; 2]| {
        let texts: ArrayRef = Arc::new(BinaryArray::from(texts.to_vec()));
        place.write_parquet("notes/a.parquet", vec![("note_id", strings(&["N1", "N2"])), ("text", texts)]);
    };
    write([b"Seen.", b"Fine."]);
    place.run("notes", &[]);
    write([b"\xff", b"\xfe"]);
    let message = place.fail(1, &["run", "--notes", "notes", "--out", "out", "--key-file", "key", "--overwrite"]);
    assert!(message.contains("all rows were refused"), "{message}");
    assert!(place.path("out/_SUCCESS").exists());
    assert_eq!(place.values("out", "text"), ["Seen.", "Fine."]);
}

#[test]
fn binary_text_columns_are_text() {
    let place = Place::new();
    let texts: ArrayRef = Arc::new(BinaryArray::from(vec![b"Seen 03/04/2019.".as_ref(), b"\xff"]));
    place.write_parquet("notes/a.parquet", vec![("note_id", strings(&["N1", "N2"])), ("text", texts)]);
    place.run("notes", &["--replace", "tag"]);
    assert_eq!(place.values("out", "text"), ["Seen [DATE]."]);
}

/// A line with a letter in its number, or with a number that no float holds, says nothing of the others.
#[test]
fn one_odd_line_changes_no_other() {
    let place = Place::new();
    let lines = [
        r#"{"note_id": 1, "patient_id": "P1", "text": "Stable.", "score": 0.5}"#,
        r#"{"note_id": "A3", "patient_id": 2, "text": "Stable.", "score": 9007199254740993}"#,
        r#"{"note_id": 3, "patient_id": null, "text": "Stable.", "score": 1.50}"#,
    ];
    std::fs::write(place.path("notes.jsonl"), lines.join("\n")).unwrap();
    place.run("notes.jsonl", &["--keep-columns", "note_id,score"]);
    assert_eq!(place.report()["notes_written"], 3);
    let written = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    let values = |name: &str| -> Vec<serde_json::Value> {
        written.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()[name].clone()).collect()
    };
    assert_eq!(values("note_id"), ["1", "A3", "3"]);
    assert_eq!(values("score"), ["0.5", "9007199254740993", "1.50"]);
}

#[test]
fn one_very_large_note() {
    let place = Place::new();
    let sentence = "Patient seen by Dr. Smith on 03/04/2019 and doing well, tolerating diet. ";
    let large = sentence.repeat((50 << 20) / sentence.len());
    place.write_parquet(
        "notes/a.parquet",
        vec![("note_id", strings(&["N1", "N2"])), ("text", strings(&[&large, "Fine."]))],
    );
    place.run("notes", &["--replace", "tag"]);
    let out = place.values("out", "text");
    assert_eq!(out[0], large.replace("Smith", "[DOCTOR]").replace("03/04/2019", "[DATE]"));
}
