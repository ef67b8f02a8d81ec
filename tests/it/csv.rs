//! CSV, as other programs hand it over: with line breaks in its fields, digits that are identifiers, and compressed.

use super::support::Place;

fn counted(place: &Place, further: &[&str], statement: &str) -> String {
    place.succeed(&[&["sql", "--format", "csv", "-c", statement], further].concat())
}

/// The engine shares large files among its workers by bytes; a fragment of a note with as many commas as the table has would be a row of it.
#[test]
fn notes_with_line_breaks_are_never_cut() {
    let place = Place::new();
    let line = "Quillenx,Zorvexa,reviewed the chart of this patient and found nothing of note in it\n".repeat(25);
    let notes: String = (0..6000).map(|note| format!("N{note},{},\"{line}\"\n", note % 50 + 100)).collect();
    std::fs::write(place.path("notes.csv"), format!("note_id,patient_id,text\n{notes}")).unwrap();
    let expected = format!("6000,6000,{}\n", 6000 * line.len());
    let table = "CREATE EXTERNAL TABLE notes (note_id TEXT, patient_id TEXT, text TEXT) STORED AS CSV LOCATION 'notes.csv' OPTIONS ('format.has_header' 'true')";
    for (before, from) in [("", "'notes.csv'"), (table, "notes")] {
        let statement = format!(
            "{before}; SELECT count(*), count(*) FILTER (WHERE note_id LIKE 'N%'), sum(octet_length(text)) FROM {from}"
        );
        for workers in ["1", "2", "8"] {
            let told = counted(&place, &["--partitions", workers], statement.trim_start_matches("; "));
            assert!(told.ends_with(&expected), "{workers} workers: {told}");
        }
    }
}

/// The engine tells the columns of a file piece by piece, and a piece may end inside of a note.
#[test]
fn columns_are_told_of_notes_of_many_lines_with_columns_behind_them() {
    let place = Place::new();
    let notes = |end: &str| -> String {
        (0..3000).map(|note| format!("{note},\"line, one\nline \"\"two\"\" xxx\",2019-01-01{end}")).collect()
    };
    std::fs::create_dir(place.path("d")).unwrap();
    for (file, end) in [("d/a.csv", "\n"), ("d/b.csv", "\r\n")] {
        std::fs::write(place.path(file), format!("a,b,c{end}{}", notes(end))).unwrap();
    }
    let table = "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'd/' OPTIONS ('format.has_header' 'true');";
    for (before, from, rows) in [
        ("", "'d/a.csv'", 3000),
        ("", "'d/b.csv'", 3000),
        ("", "'d/'", 6000),
        ("", "'d/*.csv'", 6000),
        (table, "t", 6000),
    ] {
        let statement = format!(
            "{before} SELECT arrow_typeof(a), arrow_typeof(c), count(*), count(DISTINCT b) FROM {from} GROUP BY 1, 2"
        );
        let told = counted(&place, &[], statement.trim_start());
        assert!(told.ends_with(&format!("Int64,Date32,{rows},1\n")), "{from}: {told}");
    }
    place.succeed(&["sql", "-c", "COPY (SELECT * FROM 'd/a.csv') TO 'copy.csv'"]);
    assert!(counted(&place, &[], "SELECT count(*), count(DISTINCT b) FROM 'copy.csv'").ends_with("3000,1\n"));
}

/// Of two columns of one name only one could be asked for; and what stands in the first line may be values.
#[test]
fn two_columns_of_one_name_are_refused_by_their_places() {
    let place = Place::new();
    std::fs::write(place.path("twice.csv"), "note_id,Zorvexa,text,Zorvexa\n1,a,b,c\n").unwrap();
    let told = place.fail(2, &["sql", "-c", "SELECT * FROM 'twice.csv'"]);
    assert!(told.contains("columns 2 and 4 of a file of CSV have one name") && !told.contains("Zorvexa"), "{told}");
}

#[test]
fn identifiers_of_digits_keep_their_zeros() {
    let place = Place::new();
    let rows = "note_id,patient_id,age,ward\n7,00017,64,0412\n8,18,71,12\n";
    std::fs::create_dir_all(place.path("by/site=a")).unwrap();
    std::fs::create_dir_all(place.path("beside")).unwrap();
    for file in ["notes.csv", "by/site=a/notes.csv", "beside/notes.csv", "beside/_old.csv"] {
        std::fs::write(place.path(file), rows).unwrap();
    }
    let columns = "note_id, patient_id, ward, arrow_typeof(age) AS type_of_age";
    let expected = "7,00017,0412,Int64\n8,18,12,Int64\n";
    for (before, from) in [
        ("", "'notes.csv'"),
        ("", "'by/'"),
        ("", "'beside/'"),
        (
            "CREATE EXTERNAL TABLE notes STORED AS CSV LOCATION 'notes.csv' OPTIONS ('format.has_header' 'true')",
            "notes",
        ),
        ("CREATE EXTERNAL TABLE notes STORED AS CSV LOCATION 'by/' OPTIONS ('format.has_header' 'true')", "notes"),
    ] {
        let statement = format!("{before}; SELECT {columns} FROM {from} WHERE age > 60 ORDER BY age");
        let told = counted(&place, &[], statement.trim_start_matches("; "));
        assert!(told.ends_with(expected), "{from}: {told}");
    }
    // Who says what a column is, is taken at the word.
    let declared = "CREATE EXTERNAL TABLE notes (note_id INT, patient_id INT, age INT, ward INT) STORED AS CSV LOCATION 'notes.csv' OPTIONS ('format.has_header' 'true')";
    assert!(
        counted(&place, &[], &format!("{declared}; SELECT patient_id FROM notes WHERE note_id = 7")).ends_with("17\n")
    );
    // The patient of the record is the one of the note.
    std::fs::write(place.path("p.jsonl"), r#"{"patient_id":"00017","given_name":"Zorvexa","family_name":"Quillen"}"#)
        .unwrap();
    std::fs::write(place.path("of.csv"), "note_id,patient_id,text\n1,00017,zorvexa quillen feels well\n").unwrap();
    let statement = "SELECT deidentify(text, patient_id, 'C', 'tag') FROM 'of.csv'";
    let told = counted(&place, &["--patients", "p.jsonl", "--ensemble", "knowledge", "--key-file", "key"], statement);
    assert!(told.contains("[PATIENT] feels well"), "{told}");
}

#[test]
fn a_folder_of_several_kinds_is_no_table_of_one() {
    let place = Place::new();
    for (file, text) in [("mixed/0.jsonl", "{\"a\":1}"), ("mixed/1.json", "{\"a\":2}"), ("lines/0.jsonl", "{\"a\":1}")]
    {
        std::fs::create_dir_all(place.path(file).parent().unwrap()).unwrap();
        std::fs::write(place.path(file), text).unwrap();
    }
    let table =
        |place_of: &str| format!("CREATE EXTERNAL TABLE t STORED AS JSON LOCATION '{place_of}'; SELECT sum(a) FROM t");
    let refused = place.fail(2, &["sql", "-c", &table("mixed/")]);
    assert!(refused.contains("`*.json`") && refused.contains("`*.jsonl`"), "{refused}");
    let declared = "CREATE EXTERNAL TABLE t (a INT) STORED AS JSON LOCATION 'mixed/'; SELECT sum(a) FROM t";
    assert!(counted(&place, &[], declared).ends_with("3\n"));
    let refused = place.fail(2, &["sql", "-c", &table("lines/")]);
    assert!(refused.contains("LOCATION 'lines/*.jsonl'"), "{refused}");
    assert!(counted(&place, &[], &table("lines/*.jsonl")).ends_with("1\n"));
    assert!(counted(&place, &[], &table("mixed/1.json")).ends_with("2\n"));
}

#[test]
fn what_is_called_compressed_is() {
    let place = Place::new();
    for (name, format) in [("a.csv.gz", "CSV"), ("a.csv.zst", "CSV"), ("a.jsonl.gz", "JSON")] {
        counted(&place, &[], &format!("COPY (SELECT 5 AS a) TO '{name}' STORED AS {format}"));
        assert!(!std::fs::read(place.path(name)).unwrap().is_ascii(), "{name}");
        assert!(counted(&place, &[], &format!("SELECT a FROM '{name}'")).ends_with("5\n"), "{name}");
    }
}

/// The engine reads columns by their place: what is called a patient in one file may be a note in another.
#[test]
fn files_whose_columns_come_in_another_order_are_no_table() {
    let place = Place::new();
    for (file, rows) in [
        ("odd/a.csv", "note_id,patient_id\nn1,p1\n"),
        ("odd/b.csv", "patient_id,note_id\np2,n2\n"),
        ("even/a.csv", "note_id,patient_id\nn1,p1\n"),
        ("even/b.csv", "note_id,patient_id\nn2,p2\n"),
    ] {
        std::fs::create_dir_all(place.path(file).parent().unwrap()).unwrap();
        std::fs::write(place.path(file), rows).unwrap();
    }
    let table = |folder: &str| {
        format!("CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{folder}' OPTIONS ('format.has_header' 'true')")
    };
    for (before, from) in [(String::new(), "'FOLDER'"), (format!("{}; ", table("FOLDER")), "t")] {
        let ask = |folder: &str| format!("{before}SELECT max(patient_id) AS p FROM {from}").replace("FOLDER", folder);
        assert!(counted(&place, &[], &ask("even/")).ends_with("p2\n"));
        let told = place.fail(2, &["sql", "-c", &ask("odd/")]);
        assert!(told.contains("in another order"), "{told}");
    }
}

/// In universal time it is another day, and nobody would know that it had an offset.
#[test]
fn times_with_an_offset_stay_as_they_are_written() {
    let place = Place::new();
    let day = |at: usize| format!("2019-03-04,2019-03-04T22:00:00-05:00,2019-03-{:02}\n", at % 28 + 1);
    // The engine tells types by the first thousand rows, and would take the time off a day further on.
    let rows: String =
        (0..1100).map(day).chain(["2019-03-05,2019-03-05T08:00:00-05:00,2019-03-05 22:10:00\n".to_owned()]).collect();
    std::fs::write(place.path("t.csv"), format!("day,at,mixed\n{rows}")).unwrap();
    let told = counted(&place, &[], "SELECT arrow_typeof(day), at, mixed FROM 't.csv' ORDER BY day DESC LIMIT 1");
    assert!(told.ends_with("Date32,2019-03-05T08:00:00-05:00,2019-03-05 22:10:00\n"), "{told}");
}

/// What the first ten thousand rows are like says nothing of the next.
#[test]
fn a_late_value_of_another_form_is_not_cut() {
    let place = Place::new();
    for (first, late) in [
        ("2019-03-04", "2019-03-05 10:00:00"),
        ("2019-03-04 10:00:00", "2019-03-04 10:00:00+02:00"),
        ("2019-03-04 10:00:00", "2019-03-04 10:00:00.123456"),
        ("2019-03-04 10:00:00", "2019-03-04"),
        ("17", "0017"),
    ] {
        let rows: String = (0..10_001).map(|row| format!("{row},{first}\n")).collect();
        std::fs::write(place.path("n.csv"), format!("i,k\n{rows}10001,{late}\n")).unwrap();
        let told = counted(&place, &[], "SELECT k FROM 'n.csv' WHERE i IN (1, 10001) ORDER BY i");
        assert_eq!(told, format!("k\n{first}\n{late}\n"));
    }
}
