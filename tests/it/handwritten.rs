//! Detection on notes written by hand, by people who had not read the rules: floors under the figures that the README reports.
//!
//! A figure that falls is a regression. `cargo run --example handwritten_notes -- DIR` writes the same data sets, for looking.

#[path = "../notes/forms.rs"]
mod forms;
#[path = "../notes/markup.rs"]
mod markup;

use std::path::Path;

use serde_json::Value;

use crate::support::Place;

/// What a half must reach, with patterns, dictionaries and the second pass, with the patient's record besides, and with the trained
/// models besides.
struct Floors {
    half: &'static str,
    alone: (f64, f64),
    with_record: (f64, f64),
    most_decoys: f64,
    with_models: (f64, f64),
    most_decoys_with_models: f64,
}

fn measure(place: &Place, further: &[&str]) -> (f64, f64, f64) {
    let detect = ["detect", "--notes", "notes.jsonl", "--out", "spans.jsonl", "--key-file", "key", "--overwrite"];
    place.succeed(&[&detect[..], further].concat());
    let evaluate =
        ["evaluate", "--gold", "gold.jsonl", "--notes", "notes.jsonl", "--predicted", "spans.jsonl", "--json"];
    let report = place.succeed(&[&evaluate[..], &["--replicates", "0"]].concat());
    let report: Value = serde_json::from_str(&report).unwrap();
    let figure = |name: &str| report["binary_token"][name].as_f64().unwrap();
    // A set without decoys has no rate.
    (figure("recall"), figure("precision"), report["decoys"]["rate"].as_f64().unwrap_or(0.0))
}

fn check(floors: &Floors) {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes").join(floors.half);
    markup::NoteSet::read(&folder).unwrap().write(&place.path("")).unwrap();
    let (record, models) = (["--patients", "patients.jsonl"], ["--ensemble", "shipped", "--runtime", "rten"]);
    for (floor, further, most_decoys) in [
        (floors.alone, Vec::new(), floors.most_decoys),
        (floors.with_record, record.to_vec(), floors.most_decoys),
        (
            floors.with_models,
            [record, [models[0], models[1]], [models[2], models[3]]].concat(),
            floors.most_decoys_with_models,
        ),
    ] {
        let (recall, precision, decoys) = measure(&place, &further);
        let seen =
            format!("{} {further:?}: recall {recall:.4}, precision {precision:.4}, decoys {decoys:.4}", floors.half);
        assert!(recall >= floor.0 && precision >= floor.1 && decoys <= most_decoys, "{seen}");
    }
}

#[test]
fn notes_that_rules_were_developed_on() {
    check(&Floors {
        half: "development",
        alone: (0.93, 0.965),
        with_record: (0.935, 0.965),
        most_decoys: 0.07,
        with_models: (0.982, 0.932),
        most_decoys_with_models: 0.09,
    });
}

#[test]
fn notes_kept_back() {
    check(&Floors {
        half: "held",
        alone: (0.862, 0.95),
        with_record: (0.87, 0.95),
        most_decoys: 0.085,
        with_models: (0.97, 0.91),
        most_decoys_with_models: 0.09,
    });
}

/// What the notes of a set without records must reach with all members, and the most of its deceiving words that may be scrubbed.
fn check_without_records(set: &str, (recall, precision): (f64, f64), most_decoys: f64) {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes").join(set);
    markup::NoteSet::read(&folder).unwrap().write(&place.path("")).unwrap();
    let seen = measure(&place, &["--ensemble", "shipped", "--runtime", "rten"]);
    assert!(
        seen.0 >= recall && seen.1 >= precision && seen.2 <= most_decoys,
        "{set}: recall {:.4}, precision {:.4}, decoys {:.4}",
        seen.0,
        seen.1,
        seen.2
    );
}

#[test]
fn names_of_every_origin() {
    check_without_records("names", (0.982, 0.943), 0.0);
}

#[test]
fn notes_in_other_languages() {
    check_without_records("languages", (0.94, 0.86), 0.25);
}

#[test]
fn lines_made_to_be_hard() {
    check_without_records("lines", (0.965, 0.96), 0.0);
}

#[test]
fn messages_in_haste() {
    check_without_records("messages", (0.96, 0.95), 0.0);
}

#[test]
fn excerpts_of_prose() {
    check_without_records("prose", (0.974, 0.93), 0.0);
}

#[test]
fn notes_of_wards_and_clinics() {
    check_without_records("wards", (0.977, 0.9), 0.0);
}

#[test]
fn whole_documents() {
    check_without_records("documents", (0.978, 0.895), 0.0);
}

#[test]
fn notes_whose_identifiers_are_hard_to_find() {
    check_without_records("hard", (0.95, 0.915), 0.0);
}

#[test]
fn notes_of_many_services() {
    check_without_records("services", (0.98, 0.927), 0.09);
}

#[test]
fn snippets_in_as_many_wordings() {
    check_without_records("snippets", (0.98, 0.95), 0.0);
}

#[test]
fn shorthand_at_the_bedside() {
    check_without_records("bedside", (0.955, 0.895), 0.075);
}

#[test]
fn notes_from_outside_the_ward() {
    check_without_records("clinic", (0.975, 0.92), 0.05);
}

#[test]
fn notes_from_abroad_in_english() {
    check_without_records("abroad", (0.977, 0.9), 0.06);
}

#[test]
fn notes_of_lives_and_families() {
    check_without_records("lives", (0.977, 0.925), 0.08);
}

#[test]
fn text_as_scanners_and_interfaces_leave_it() {
    check_without_records("noise", (0.963, 0.94), 0.055);
}

#[test]
fn charts_of_the_us() {
    check_without_records("charts", (0.985, 0.94), 0.045);
}

#[test]
fn letters_and_forms() {
    check_without_records("letters", (0.982, 0.955), 0.055);
}

#[test]
fn notes_of_every_specialty() {
    check_without_records("specialties", (0.988, 0.935), 0.05);
}

#[test]
fn what_tools_miss() {
    check_without_records("traps", (0.935, 0.925), 0.065);
}

#[test]
fn what_tools_miss_by_another_author() {
    check_without_records("missed", (0.893, 0.94), 0.06);
}

#[test]
fn what_systems_print() {
    check_without_records("exports", (0.986, 0.945), 0.11);
}

#[test]
fn notes_of_many_voices() {
    check_without_records("admissions", (0.983, 0.952), 0.04);
}

#[test]
fn notes_of_therapy_and_social_work() {
    check_without_records("therapy", (0.974, 0.925), 0.1);
}

#[test]
fn messages_calls_and_chats() {
    check_without_records("portal", (0.978, 0.945), 0.06);
}

#[test]
fn documents_as_they_are_dictated() {
    check_without_records("dictated", (0.982, 0.955), 0.055);
}

#[test]
fn notes_that_are_hard_in_many_ways() {
    check_without_records("mixed", (0.908, 0.945), 0.105);
}

#[test]
fn notes_of_forty_writers() {
    check_without_records("voices", (0.981, 0.939), 0.045);
}

#[test]
fn notes_of_an_examiner() {
    check_without_records("exam", (0.948, 0.93), 0.05);
}

#[test]
fn notes_from_outside_hospitals() {
    check_without_records("field", (0.977, 0.942), 0.13);
}

#[test]
fn notes_of_ordinary_hospitals() {
    check_without_records("ordinary", (0.984, 0.948), 0.06);
}

#[test]
fn notes_of_an_auditor() {
    check_without_records("audit", (0.974, 0.945), 0.075);
}

#[test]
fn notes_of_clinicians_on_a_normal_day() {
    check_without_records("daily", (0.991, 0.942), 0.07);
}

#[test]
fn notes_of_a_city_hospital() {
    check_without_records("safetynet", (0.972, 0.9), 0.13);
}

#[test]
fn notes_of_patients_at_home_and_in_practices() {
    check_without_records("outpatients", (0.982, 0.935), 0.045);
}

#[test]
fn notes_of_a_community_hospital_and_its_clinics() {
    check_without_records("community", (0.972, 0.918), 0.075);
}

#[test]
fn text_that_is_hard_to_read() {
    check_without_records("rough", (0.971, 0.94), 0.1);
}

#[test]
fn what_busy_people_type() {
    check_without_records("typed", (0.962, 0.938), 0.12);
}

#[test]
fn forms_letters_and_exports() {
    check_without_records("forms", (0.978, 0.955), 0.06);
}

#[test]
fn records_of_teaching_hospitals() {
    check_without_records("teaching", (0.988, 0.952), 0.06);
}

#[test]
fn encounters_in_hospitals_and_clinics() {
    check_without_records("encounters", (0.982, 0.935), 0.16);
}

#[test]
fn what_warehouses_are_fed_with() {
    check_without_records("feeds", (0.961, 0.905), 0.16);
}

#[test]
fn notes_without_identifiers() {
    // A handful of their words are identifiers after all.
    check_without_records("clean", (0.0, 0.0), 0.08);
}

/// What a form adds is nobody's, and hides nobody: measured against the same notes as plain text, by patterns and dictionaries.
#[test]
fn notes_in_the_forms_of_other_programs() {
    let mut set = markup::NoteSet::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes");
    for name in ["encounters", "ordinary", "daily"] {
        let part = markup::NoteSet::read_files(&[folder.join(name).join("told-development.txt")]).unwrap();
        set.notes.extend(part.notes.into_iter().map(|note| apart(note, name)));
        set.gold.extend(part.gold.into_iter().map(|span| apart(span, name)));
    }
    let place = Place::new();
    let measured = |set: &markup::NoteSet| {
        set.write(&place.path("")).unwrap();
        measure(&place, &["--ensemble", "knowledge"])
    };
    let plain = measured(&set);
    for (name, form) in forms::Form::ALL {
        let (recall, precision, _) = measured(&form.of(&set));
        // Small letters and capitals take cues away; nothing else does.
        let (less_found, more_taken) = match name {
            "small" => (0.25, 0.02),
            "capitals" => (0.08, 0.04),
            _ => (0.02, 0.012),
        };
        assert!(
            recall >= plain.0 - less_found && precision >= plain.1 - more_taken,
            "{name}: recall {recall:.4} for {:.4}, precision {precision:.4} for {:.4}",
            plain.0,
            plain.1
        );
    }
}

/// The row of a set among those of others.
fn apart(mut row: Value, set: &str) -> Value {
    row["note_id"] = format!("{set}-{}", row["note_id"].as_str().unwrap_or_default()).into();
    row
}
