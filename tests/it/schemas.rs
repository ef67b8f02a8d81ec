//! Schemas that notes come in: OMOP, MIMIC, several text columns, dates of every kind, JSON Lines, Hive trees.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Date32Array, Int64Array};
use arrow::datatypes::{DataType, Int64Type};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::Int96;
use parquet::file::writer::SerializedFileWriter;

use crate::support::{Place, files_below, read_parquet, strings};

fn integers(values: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

#[test]
fn omop_notes() {
    let place = Place::new();
    let dates: ArrayRef = Arc::new(Date32Array::from(vec![17_000, 17_010, 17_000]));
    place.write_parquet(
        "note/a.parquet",
        vec![
            ("note_id", integers(&[11, 12, 13])),
            ("person_id", integers(&[501, 501, 502])),
            ("note_date", dates),
            ("note_type_concept_id", integers(&[44, 45, 46])),
            ("note_title", strings(&["Letter to Dr. Smith", "Progress note", "Progress note"])),
            ("note_text", strings(&["Seen 07/18/2016.", "Fine.", "Seen 07/18/2016."])),
            ("visit_occurrence_id", integers(&[9, 9, 8])),
        ],
    );
    place.run("note", &["--schema", "omop", "--replace", "tag"]);
    assert_eq!(place.values("out", "note_title"), ["Letter to Dr. [DOCTOR]", "Progress note", "Progress note"]);
    assert_eq!(place.values("out", "note_text"), ["Seen [DATE].", "Fine.", "Seen [DATE]."]);
    assert_eq!(place.values("out", "note_type_concept_id"), ["44", "45", "46"]);
    let batch = read_parquet(
        &files_below(&place.path("out")).into_iter().find(|file| file.to_str().unwrap().contains("part-")).unwrap(),
    )
    .remove(0);
    assert_eq!(*batch.column_by_name("note_date").unwrap().data_type(), DataType::Date32);
    let days = place.values("out", "note_date");
    assert!(!days.contains(&"2016-07-18".to_owned()) && days[0] != days[1]);
    for (name, equal) in [("person_id", [true, false]), ("visit_occurrence_id", [true, false])] {
        let ids = batch.column_by_name(name).unwrap().as_primitive::<Int64Type>().values().to_vec();
        assert_eq!([ids[0] == ids[1], ids[0] == ids[2]], equal, "{name}");
        assert!(ids.iter().all(|id| *id > 1_000), "{name} is a pseudonym");
    }
}

#[test]
fn mimic_notes_with_dates_as_text() {
    let place = Place::new();
    place.write_parquet(
        "notes.parquet",
        vec![
            ("ROW_ID", integers(&[1])),
            ("SUBJECT_ID", integers(&[77])),
            ("HADM_ID", integers(&[5])),
            ("CHARTDATE", strings(&["2101-10-20"])),
            ("CHARTTIME", strings(&["2101-10-20 13:05:00"])),
            ("CATEGORY", strings(&["Nursing"])),
            ("TEXT", strings(&["Pt of Dr. Smith."])),
        ],
    );
    place.run("notes.parquet", &["--schema", "mimic", "--replace", "tag"]);
    assert_eq!(place.values("out", "TEXT"), ["Pt of Dr. [DOCTOR]."]);
    assert_eq!(place.values("out", "CATEGORY"), ["Nursing"]);
    let (day, time) = (place.values("out", "CHARTDATE").remove(0), place.values("out", "CHARTTIME").remove(0));
    assert_ne!(day, "2101-10-20");
    assert_eq!(time, format!("{day} 13:05:00"), "one shift for both");
}

#[test]
fn own_columns_with_odd_names() {
    let place = Place::new();
    place.write_parquet(
        "notes.parquet",
        vec![
            ("Row Id", strings(&["a"])),
            ("Note \"Text\"", strings(&["Seen by Dr. Smith."])),
            ("it's a comment", strings(&["Call Dr. Jones."])),
            ("score", integers(&[3])),
            ("junk", integers(&[4])),
        ],
    );
    place.run(
        "notes.parquet",
        &[
            "--columns",
            "note=Row Id,text=Note \"Text\",text=it's a comment",
            "--keep-columns",
            "score",
            "--drop-columns",
            "junk",
            "--replace",
            "tag",
        ],
    );
    assert_eq!(place.values("out", "Note \"Text\""), ["Seen by Dr. [DOCTOR]."]);
    assert_eq!(place.values("out", "it's a comment"), ["Call Dr. [DOCTOR]."]);
    assert_eq!(place.values("out", "score"), ["3"]);
    let file =
        files_below(&place.path("out")).into_iter().find(|file| file.to_str().unwrap().contains("part-")).unwrap();
    assert!(read_parquet(&file)[0].column_by_name("junk").is_none());
}

#[test]
fn hive_trees_keep_their_layout() {
    let place = Place::new();
    for (folder, id) in [("site=a/year=2019", "N1"), ("site=a/year=2020", "N2"), ("site=b/year=2019", "N3")] {
        place.write_parquet(
            &format!("notes/{folder}/x.parquet"),
            vec![("note_id", strings(&[id])), ("text", strings(&["Fine."]))],
        );
    }
    place.run("notes", &["--keep-columns", "year"]);
    let files: Vec<_> = files_below(&place.path("out"))
        .iter()
        .filter_map(|file| Some(file.strip_prefix(place.path("out")).ok()?.to_str()?.to_owned()))
        .collect();
    let parts: Vec<_> = files.iter().filter(|file| file.contains("part-")).collect();
    assert_eq!(parts.len(), 3);
    assert!(
        parts.iter().all(|part| part.starts_with("site=") && !part.starts_with("site=a") && part.contains("/year=20")),
        "{parts:?}"
    );
    let site = |year: &str, number: &str| {
        parts
            .iter()
            .find(|part| part.contains(year) && part.contains(number))
            .unwrap()
            .split('/')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(site("2019", "000000"), site("2020", "000001"));
    assert_ne!(site("2019", "000000"), site("2019", "000002"));
    assert!(
        place
            .fail(2, &["run", "--notes", "notes", "--out", "o", "--key-file", "key", "--columns", "date=year"])
            .contains("year")
    );
}

/// The folder of no value is nobody's: each note in it is a patient of its own. So is a note that nothing names, and it stays the same one when
/// other files come.
#[test]
fn notes_of_nobody_known_are_of_nobody_else() {
    let place = Place::new();
    let text = "Seen by Dr. Zorvalquist.";
    let folder = "patient_id=__HIVE_DEFAULT_PARTITION__";
    place.write_parquet(
        &format!("notes/{folder}/x.parquet"),
        vec![("note_id", strings(&["N1", "N2"])), ("text", strings(&[text, text]))],
    );
    place.run("notes", &["--no-second-pass"]);
    let written = place.values(&format!("out/{folder}"), "text");
    assert!(written.len() == 2 && written[0] != written[1], "{written:?}");

    let place = Place::new();
    place.write_parquet("notes/b.parquet", vec![("text", strings(&[text, text]))]);
    place.run("notes", &[]);
    let alone = place.values("out", "text");
    assert_ne!(alone[0], alone[1]);
    place.write_parquet("notes/a.parquet", vec![("text", strings(&[text]))]);
    place.run("notes", &["--overwrite"]);
    assert_eq!(place.values("out", "text")[1..], alone);
}

/// A file by itself is as good as one in a folder: what one line of a note that nothing names gives away is found in its others.
#[test]
fn notes_of_nobody_known_have_a_second_pass_in_a_file_alone() {
    let place = Place::new();
    place.write_lines(
        "notes.jsonl",
        &[serde_json::json!({"text": "Seen by Dr. Ngozi Zorvalquist.\nPlan as zorvalquist wrote earlier."})],
    );
    place.run("notes.jsonl", &["--ensemble", "knowledge", "--replace", "tag"]);
    let out = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    assert!(!out.to_lowercase().contains("zorvalquist"), "{out}");
    assert!(place.report()["second_pass"]["spans"].as_u64().unwrap() > 0, "{}", place.report()["second_pass"]);
}

/// The patient's own column may be a folder, be left out of the output, or hold white space: the record is matched all the same.
#[test]
fn whose_a_note_is_wherever_it_stands() {
    let text = strings(&["zorblatt came", "zorblatt left"]);
    let patients = [
        serde_json::json!({"patient_id": "P1", "given_name": "Ann", "family_name": "Zorblatt"}),
        serde_json::json!({"patient_id": "P1", "given_name": "Ann", "family_name": "Lee"}),
    ];
    let replaced = |place: &Place, further: &[&str]| {
        place.write_lines("patients.jsonl", &patients);
        place.run("notes", &[&["--patients", "patients.jsonl", "--replace", "tag"], further].concat());
        assert_eq!(place.values("out", "text"), ["[PATIENT] came", "[PATIENT] left"]);
    };
    let place = Place::new();
    place.write_parquet(
        "notes/patient_id=P1/a.parquet",
        vec![("note_id", strings(&["1", "2"])), ("text", text.clone())],
    );
    replaced(&place, &[]);
    let place = Place::new();
    place.write_parquet("notes/a.parquet", vec![("patient_id", strings(&["P1", "P1 "])), ("text", text.clone())]);
    replaced(&place, &["--drop-columns", "patient_id"]);
    let place = Place::new();
    place.write_parquet("notes/a.parquet", vec![("patient_id", strings(&["P1", "P1  "])), ("text", text.clone())]);
    replaced(&place, &[]);
    let pseudonyms = place.values("out", "patient_id");
    assert_eq!(pseudonyms[0], pseudonyms[1], "what is joined is one identifier");
    let place = Place::new();
    place.write_lines("patients.jsonl", &patients);
    place.write_parquet("notes/a.parquet", vec![("text", text)]);
    let nobody = ["run", "--notes", "notes", "--out", "out", "--key-file", "key", "--patients", "patients.jsonl"];
    assert!(place.fail(2, &nobody).contains("whose"));
}

#[test]
fn coded_and_null_columns_are_read() {
    let place = Place::new();
    let coded: arrow::array::DictionaryArray<arrow::datatypes::Int32Type> = vec!["P1", "P2"].into_iter().collect();
    let nothing: ArrayRef = Arc::new(arrow::array::NullArray::new(2));
    let texts = strings(&["Seen by Dr. Smith.", ""]);
    place.write_parquet(
        "notes.parquet",
        vec![("patient_id", Arc::new(coded)), ("encounter_id", nothing), ("text", texts)],
    );
    place.run("notes.parquet", &["--replace", "tag"]);
    assert_eq!(place.values("out", "text"), ["Seen by Dr. [DOCTOR].", ""]);
    place.succeed(&["verify", "--out", "out", "--notes", "notes.parquet", "--key-file", "key", "--policy", "C"]);
    let nothing: ArrayRef = Arc::new(arrow::array::NullArray::new(2));
    place.write_parquet("null.parquet", vec![("note_id", strings(&["1", "2"])), ("text", nothing)]);
    place.run("null.parquet", &["--overwrite"]);
    assert_eq!(place.column("out", "text"), [None, None]);
}

/// Types of days that readers take for others: days with milliseconds, of which Parquet has none, and the timestamps of Spark and Hive, which in
/// nanoseconds end with the year 2262.
#[test]
fn dates_of_every_type_are_dates() {
    let place = Place::new();
    let days: ArrayRef = Arc::new(arrow::array::Date64Array::from(vec![1_551_657_600_000, 1_551_744_000_000]));
    let texts = strings(&["Seen 03/04/2019.", "Seen 03/05/2019."]);
    let ids = strings(&["P1", "P1"]);
    place.write_parquet("notes.parquet", vec![("patient_id", ids), ("seen", days), ("text", texts)]);
    place.run("notes.parquet", &["--columns", "date=seen"]);
    let verify = ["verify", "--out", "out", "--notes", "notes.parquet", "--key-file", "key", "--columns", "date=seen"];
    place.succeed(&verify);

    let fields = "message m { optional binary patient_id (STRING); optional int96 made; optional int96 seen; optional binary text (STRING); }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(fields).unwrap());
    let mut file = SerializedFileWriter::new(
        std::fs::File::create(place.path("spark.parquet")).unwrap(),
        schema,
        Default::default(),
    )
    .unwrap();
    let mut group = file.next_row_group().unwrap();
    let (no_day, noon) = (int96(5_373_484), int96(2_458_547));
    while let Some(mut column) = group.next_column().unwrap() {
        match column.untyped() {
            ColumnWriter::Int96ColumnWriter(writer) => {
                writer.write_batch(&[no_day, noon], Some(&[1, 1]), None).unwrap()
            }
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                writer.write_batch(&["1".into(), "2".into()], Some(&[1, 1]), None).unwrap()
            }
            _ => unreachable!("there are no columns of other types"),
        };
        column.close().unwrap();
    }
    group.close().unwrap();
    file.close().unwrap();
    let columns = ["--keep-columns", "made", "--columns", "date=seen", "--overwrite"];
    place.run("spark.parquet", &columns);
    assert_eq!(place.values("out", "made"), ["9999-12-31T00:00:00", "2019-03-04T00:00:00"]);
    let seen = place.values("out", "seen");
    assert!(
        seen[0] == "9999-12-31T00:00:00" && seen[1] != "2019-03-04T00:00:00" && seen[1].starts_with("20"),
        "{seen:?}"
    );
    let read = place.succeed(&["sql", "--format", "csv", "-c", "SELECT made FROM 'spark.parquet'"]);
    assert!(read.contains("9999-12-31T00:00:00"), "{read}");
}

/// As all strings of an output: other readers of Arrow do not know how to compare views.
#[test]
fn a_mapped_integer_becomes_a_plain_string() {
    let place = Place::new();
    let columns = vec![
        ("note_id", integers(&[1])),
        ("patient_id", strings(&["A"])),
        ("text", strings(&["MRN: 4471203."])),
        ("mrn", integers(&[4_471_203])),
    ];
    place.write_parquet("notes/a.parquet", columns);
    place.run("notes", &["--map-columns", "MEDICALRECORD=mrn"]);
    let part = files_below(&place.path("out")).into_iter().find(|file| file.to_str().unwrap().contains("part-"));
    let batch = read_parquet(&part.unwrap()).remove(0);
    assert_eq!(*batch.column_by_name("mrn").unwrap().data_type(), DataType::Utf8);
    assert_eq!(place.values("out", "text"), [format!("MRN: {}.", place.values("out", "mrn")[0])]);
}

/// Arrow has no type for these, nor for the ids of fields, and would read an interval without its months.
/// What may be a name must go, and what goes is told.
#[test]
fn values_that_hold_more_are_taken_out_and_counted() {
    let place = Place::new();
    let line = |note: u32, date: Option<&str>, mail: &str| serde_json::json!({"note_id": note, "patient_id": "P1", "text": "Seen.", "day": date, "mail": mail});
    place.write_lines(
        "notes/a.jsonl",
        &[
            line(1, Some("2019-03-04"), "kj@example.org"),
            line(2, Some("14:05"), "ask Karen Jones"),
            line(3, Some("2019-03-04 Dr. Jones"), "unknown"),
            line(4, None, "kj@example.org"),
        ],
    );
    let places = ["--notes", "notes", "--out", "out", "--key-file", "key"];
    let roles = ["--columns", "date=day", "--map-columns", "EMAIL=mail"];
    let told = place.succeed(&[&["run", "--ensemble", "knowledge"], &places[..], &roles].concat());
    assert!(told.contains("  3\n    2 × in `day`\n    1 × in `mail`\n"), "{told}");
    assert_eq!(place.report()["taken_out"], serde_json::json!({"day": 2, "mail": 1}));
    assert!(place.succeed(&[&["verify"], &places[..], &roles].concat()).contains("clean"));
}

#[test]
fn what_parquet_says_of_kept_columns_stays() {
    use parquet::column::reader::ColumnReader;
    use parquet::data_type::FixedLenByteArray;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let place = Place::new();
    let kept = ["key (UUID) = 2", "kind (ENUM) = 3", "meta (JSON) = 4", "since (INTERVAL) = 5"];
    let fields = format!(
        "message m {{ optional binary patient_id (STRING) = 1; optional fixed_len_byte_array(16) {}; optional binary {}; \
         optional binary {}; optional fixed_len_byte_array(12) {}; optional binary text (STRING) = 6; }}",
        kept[0], kept[1], kept[2], kept[3]
    );
    let schema = Arc::new(parquet::schema::parser::parse_message_type(&fields).unwrap());
    let file = std::fs::File::create(place.path("odd.parquet")).unwrap();
    let mut file = SerializedFileWriter::new(file, Arc::clone(&schema), Default::default()).unwrap();
    let mut group = file.next_row_group().unwrap();
    let interval = [34, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0];
    let fixed = [vec![7; 16], interval.to_vec()].map(FixedLenByteArray::from);
    let (mut fixed, mut bytes) =
        (fixed.into_iter(), ["P1", "ADMISSION", "{\"a\": 1.50}", "Seen 3/4/2019."].into_iter());
    while let Some(mut column) = group.next_column().unwrap() {
        match column.untyped() {
            ColumnWriter::FixedLenByteArrayColumnWriter(writer) => {
                writer.write_batch(&[fixed.next().unwrap()], Some(&[1]), None).unwrap()
            }
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                writer.write_batch(&[bytes.next().unwrap().into()], Some(&[1]), None).unwrap()
            }
            _ => unreachable!("there are no columns of other types"),
        };
        column.close().unwrap();
    }
    group.close().unwrap();
    file.close().unwrap();
    place.run("odd.parquet", &["--keep-columns", "key,kind,meta,since"]);
    let reader =
        SerializedFileReader::new(std::fs::File::open(place.path("out/part-000000.parquet")).unwrap()).unwrap();
    let written = reader.metadata().file_metadata().schema();
    for (field, before) in written.get_fields().iter().zip(schema.get_fields()) {
        let (info, expected) = (field.get_basic_info(), before.get_basic_info());
        assert_eq!((info.name(), info.id()), (expected.name(), expected.id()));
        assert_eq!(info.logical_type_ref(), expected.logical_type_ref(), "{}", info.name());
        assert_eq!(info.converted_type(), expected.converted_type(), "{}", info.name());
    }
    let group = reader.get_row_group(0).unwrap();
    let ColumnReader::FixedLenByteArrayColumnReader(mut column) = group.get_column_reader(4).unwrap() else {
        panic!("an interval is stored in another way")
    };
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    column.read_records(1, Some(&mut levels), None, &mut values).unwrap();
    assert_eq!(values[0].data(), interval);
    assert_eq!(place.values("out", "meta"), ["{\"a\": 1.50}"]);
    let verify = ["verify", "--out", "out", "--notes", "odd.parquet", "--key-file", "key"];
    place.succeed(&[&verify[..], &["--keep-columns", "key,kind,meta,since"]].concat());
}

/// Midnight of a day by its Julian number.
fn int96(day: u32) -> Int96 {
    let mut moment = Int96::new();
    moment.set_data(0, 0, day);
    moment
}

/// Writers give a column the type of what is in it: none where all is null, codes where the values are few. And each has its own order.
#[test]
fn files_that_are_written_in_several_ways_are_one_table() {
    let place = Place::new();
    let nothing = || -> ArrayRef { Arc::new(arrow::array::NullArray::new(1)) };
    let coded = |value: &str| -> ArrayRef {
        Arc::new(vec![value].into_iter().collect::<arrow::array::DictionaryArray<arrow::datatypes::Int32Type>>())
    };
    let text = "Seen by Dr. Smith.";
    let file = |name: &str, patient: ArrayRef, encounter: ArrayRef, text: ArrayRef| {
        let columns = vec![("patient_id", patient), ("encounter_id", encounter), ("text", text)];
        place.write_parquet(&format!("notes/{name}.parquet"), columns);
    };
    file("a", strings(&["P1"]), nothing(), nothing());
    file("b", coded("P1"), strings(&["E1"]), strings(&[text]));
    place.write_parquet(
        "notes/c.parquet",
        vec![("text", coded(text)), ("encounter_id", coded("E1")), ("patient_id", strings(&["P1"]))],
    );
    place.run("notes", &["--replace", "tag"]);
    let tagged = Some("Seen by Dr. [DOCTOR].".to_owned());
    assert_eq!(place.column("out", "text"), [None, tagged.clone(), tagged]);
    let encounters = place.column("out", "encounter_id");
    assert!(encounters[0].is_none() && encounters[1] == encounters[2], "{encounters:?}");
    assert!(encounters[1].as_ref().is_some_and(|pseudonym| pseudonym != "E1"));
    let patients = place.values("out", "patient_id");
    assert!(patients[0] != "P1" && patients.iter().all(|patient| *patient == patients[0]), "{patients:?}");

    // What would be read otherwise is told by its name.
    file("d", strings(&["P1"]), integers(&[1]), strings(&[text]));
    let told = place.fail(1, &["run", "--notes", "notes", "--out", "o", "--key-file", "key"]);
    assert!(told.contains("d.parquet") && told.contains("`encounter_id` is of type Int64"), "{told}");
}

#[test]
fn json_columns_that_are_always_null() {
    let place = Place::new();
    let line = serde_json::json!({"note_id": null, "patient_id": null, "note_datetime": null, "note_type": null, "text": null});
    place.write_lines("notes.jsonl", &[line.clone(), line]);
    place.run("notes.jsonl", &[]);
    let out = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    assert_eq!(out.lines().filter(|line| line.matches("null").count() == 5).count(), 2, "{out}");
}

#[test]
fn nothing_to_do_is_done() {
    let place = Place::new();
    let none: ArrayRef = Arc::new(arrow::array::StringArray::from(vec![None::<&str>, Some("")]));
    place.write_parquet("notes.parquet", vec![("note_id", strings(&["1", "2"])), ("text", none)]);
    place.run("notes.parquet", &[]);
    assert_eq!(place.column("out", "text"), [None, Some(String::new())]);
    place.write_parquet("empty.parquet", vec![("note_id", strings(&[])), ("text", strings(&[]))]);
    // What is there is not taken away for nothing.
    let told = place.fail(2, &["run", "--notes", "empty.parquet", "--out", "out", "--key-file", "key", "--overwrite"]);
    assert!(told.contains("still holds"), "{told}");
    std::fs::remove_dir_all(place.path("out")).unwrap();
    place.run("empty.parquet", &[]);
    assert_eq!(place.column("out", "text"), []);
    assert_eq!(place.report()["notes_read"], 0);
}

#[test]
fn json_lines_plain_and_compressed() {
    let place = Place::new();
    let lines = "{\"note_id\":1,\"patient_id\":7,\"text\":\"Seen by Dr. Smith.\"}\r\n\r\n{\"note_id\":2,\"patient_id\":7,\"text\":null}\n{\"note_id\":3\n";
    std::fs::create_dir(place.path("notes")).unwrap();
    std::fs::write(place.path("notes/a.jsonl"), lines).unwrap();
    // Two frames, as when compressed files are put together.
    let frames = lines.as_bytes().split_at(40);
    let frames = [zstd::encode_all(frames.0, 1).unwrap(), zstd::encode_all(frames.1, 1).unwrap()].concat();
    std::fs::write(place.path("notes/b.jsonl.zst"), frames).unwrap();
    place.run("notes", &["--replace", "tag"]);
    let mut texts = Vec::new();
    for file in
        files_below(&place.path("out")).iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"))
    {
        let content = std::fs::read_to_string(file).unwrap();
        texts.extend(
            content.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].clone()),
        );
    }
    assert_eq!(
        texts,
        [
            "Seen by Dr. [DOCTOR].".into(),
            serde_json::Value::Null,
            "Seen by Dr. [DOCTOR].".into(),
            serde_json::Value::Null
        ]
    );
    let report = place.report();
    assert_eq!((&report["notes_read"], &report["notes_written"]), (&6.into(), &4.into()));
}
