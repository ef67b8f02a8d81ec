//! Hand-written notes with their identifiers marked in the text.
//!
//! ```text
//! [[PATIENT|Tran, Kim-Ly]]  Admitted [[DATE|3/4]]. {{Foley}} placed.      in the file
//! Tran, Kim-Ly  Admitted 3/4. Foley placed.                               the note
//! 0..12 PATIENT, 23..26 DATE; 28..33 NOT-PHI                              the gold, in code points
//! ```
//!
//! `[[LABEL|text]]` is an identifier; `{{text}}` is a decoy: an eponym or a word that is also a name, and no identifier here.
//! A folder a patient: `record.json`, what the registration knows, and `NN-type.txt`, the notes. A file that lies beside such folders
//! holds notes of patients without records, each of its own, between lines of `---`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The labels that marks may have.
const LABELS: &[&str] = &[
    "PATIENT",
    "DOCTOR",
    "USERNAME",
    "PROFESSION",
    "HOSPITAL",
    "ORGANIZATION",
    "STREET",
    "CITY",
    "STATE",
    "COUNTRY",
    "ZIP",
    "LOCATION-OTHER",
    "AGE",
    "DATE",
    "PHONE",
    "FAX",
    "EMAIL",
    "URL",
    "IPADDR",
    "SSN",
    "MEDICALRECORD",
    "HEALTHPLAN",
    "ACCOUNT",
    "LICENSE",
    "VEHICLE",
    "DEVICE",
    "BIOID",
    "IDNUM",
    "TIME",
];

/// The label of decoys.
const DECOY: &str = "NOT-PHI";

/// A set of notes as data sets: one JSON object a row.
#[derive(Debug, Default)]
pub struct NoteSet {
    /// note_id, patient_id, note_type, text.
    pub notes: Vec<Value>,
    /// note_id, start, end, label.
    pub gold: Vec<Value>,
    /// A row a patient, columns as `--patients` takes them.
    pub patients: Vec<Value>,
}

impl NoteSet {
    /// Reads every patient's folder under `folder`, in the order of names.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let files: Vec<_> = entries(folder)?.into_iter().filter(|path| path.is_file()).collect();
        let mut set = Self::read_files(&files)?;
        for patient in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            let name = name_of(&patient);
            set.patients.push(record(&name, &read(&patient.join("record.json"))?)?);
            for file in entries(&patient)?.into_iter().filter(|path| path.extension().is_some_and(|end| end == "txt")) {
                set.note(&name, &file).map_err(|reason| format!("{}: {reason}", file.display()))?;
            }
        }
        Ok(set)
    }

    /// Reads files of notes of patients without records.
    pub fn read_files(files: &[PathBuf]) -> Result<Self, String> {
        let mut set = Self::default();
        for file in files {
            set.fragments(file).map_err(|reason| format!("{}: {reason}", file.display()))?;
        }
        Ok(set)
    }

    fn note(&mut self, patient: &str, file: &Path) -> Result<(), String> {
        let content = read(file)?;
        let (head, marked) = content
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"))
            .ok_or("the file does not begin with a header between lines of ---")?;
        let note_type =
            head.lines().find_map(|line| line.strip_prefix("note_type:")).ok_or("the header has no note_type")?.trim();
        let id = format!("{patient}-{}", name_of(file).trim_end_matches(".txt"));
        self.add(&id, patient, note_type, marked)
    }

    /// The notes of a file that is no patient's.
    fn fragments(&mut self, file: &Path) -> Result<(), String> {
        let name = name_of(file);
        let name = name.trim_end_matches(".txt");
        for (place, marked) in read(file)?.split("\n---\n").enumerate() {
            let id = format!("{name}-{}", place + 1);
            self.add(&id, &id, name, marked)?;
        }
        Ok(())
    }

    fn add(&mut self, id: &str, patient: &str, note_type: &str, marked: &str) -> Result<(), String> {
        let (text, spans) = unmark(marked)?;
        self.gold.extend(
            spans.iter().map(|(start, end, label)| json!({"note_id": id, "start": start, "end": end, "label": label})),
        );
        self.notes.push(json!({"note_id": id, "patient_id": patient, "note_type": note_type, "text": text}));
        Ok(())
    }

    /// Writes `notes.jsonl`, `gold.jsonl` and `patients.jsonl`.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for (name, rows) in [("notes", &self.notes), ("gold", &self.gold), ("patients", &self.patients)] {
            let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
            let file = folder.join(format!("{name}.jsonl"));
            fs::write(&file, lines).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        Ok(())
    }
}

/// Where a mark begins and ends in the text without marks, in code points, and its label.
type Marked = (usize, usize, String);

/// The text without its marks, and the marked spans.
pub fn unmark(marked: &str) -> Result<(String, Vec<Marked>), String> {
    let (mut text, mut spans, mut rest) = (String::new(), Vec::new(), marked);
    while let Some(at) = [rest.find("[["), rest.find("{{")].into_iter().flatten().min() {
        text.push_str(&rest[..at]);
        let line = text.matches('\n').count() + 1;
        let decoy = rest[at..].starts_with('{');
        let close = if decoy { "}}" } else { "]]" };
        let inner_end = rest[at..].find(close).ok_or(format!("line {line}: a mark is not closed"))?;
        let inner = &rest[at + 2..at + inner_end];
        let (label, value) = if decoy {
            (DECOY, inner)
        } else {
            inner.split_once('|').ok_or(format!("line {line}: a mark has no label"))?
        };
        if label != DECOY && !LABELS.contains(&label) {
            return Err(format!("line {line}: there is no label {label}"));
        }
        if value.is_empty() || value.trim() != value || ["[[", "{{", "|"].iter().any(|mark| value.contains(mark)) {
            return Err(format!("line {line}: a {label} is empty, has white space at an end, or holds a mark"));
        }
        let start = text.chars().count();
        text.push_str(value);
        spans.push((start, start + value.chars().count(), label.to_owned()));
        rest = &rest[at + inner_end + 2..];
    }
    text.push_str(rest);
    match ["[[", "]]", "{{", "}}"].iter().find(|mark| text.contains(*mark)) {
        Some(mark) => Err(format!("a {mark} is left over")),
        None => Ok((text, spans)),
    }
}

/// A `record.json` as a row of patients.
fn record(patient: &str, content: &str) -> Result<Value, String> {
    let record: Value = serde_json::from_str(content).map_err(|error| format!("{patient}: record.json: {error}"))?;
    let identifiers = |wanted: &dyn Fn(&str) -> bool| -> Vec<Value> {
        let all = record["identifiers"].as_array().into_iter().flatten();
        all.filter(|id| wanted(id["label"].as_str().unwrap_or_default())).map(|id| id["value"].clone()).collect()
    };
    let known = ["MEDICALRECORD", "SSN", "HEALTHPLAN"];
    Ok(json!({
        "patient_id": patient,
        "given_name": record["given_names"], "middle_name": record["middle_names"], "family_name": record["family_names"],
        "kin": record["kin"], "providers": record["providers"],
        "street": record["street"], "city": record["city"], "state": record["state"], "county": record["county"],
        "zip": record["zip"], "country": record["country"], "phones": record["phones"], "email": record["emails"],
        "birth_date": record["birth_date"], "employer": record["employer"],
        "mrn": identifiers(&|label| label == "MEDICALRECORD"), "ssn": identifiers(&|label| label == "SSN"),
        "health_plan_id": identifiers(&|label| label == "HEALTHPLAN"),
        "other_ids": identifiers(&|label| !known.contains(&label)),
    }))
}

/// What lies in a folder, in the order of names.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fail = |error| format!("{}: {error}", folder.display());
    let mut paths = fs::read_dir(folder)
        .map_err(fail)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(fail)?;
    paths.sort();
    Ok(paths)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The last part of a path.
pub fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
