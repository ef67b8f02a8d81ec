//! Writes the hand-written notes of `tests/notes` as data sets, after checking their marks: each set, and each of its halves.
//!
//! ```text
//! cargo run --example handwritten_notes -- target/handwritten
//! target/handwritten/typed/{notes,gold,patients}.jsonl
//! target/handwritten/typed-development/…    the half that rules were made from
//! target/handwritten/typed-held/…           the half that was kept back
//!
//! cargo run --example handwritten_notes -- target/rtf rtf       the same as documents of RTF; hl7, html, json, mail, wrapped, capitals, small
//! ```

#[path = "../tests/notes/forms.rs"]
mod forms;
#[path = "../tests/notes/markup.rs"]
mod markup;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use forms::Form;
use markup::NoteSet;

/// Of the notes in other languages, those that rules were made from.
const LANGUAGES: [u32; 15] = [1, 3, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 25, 27, 29];

fn main() -> ExitCode {
    let Some(out) = std::env::args().nth(1) else {
        eprintln!("give the folder to write to");
        return ExitCode::from(2);
    };
    let form = match std::env::args().nth(2) {
        None => None,
        Some(name) => match Form::ALL.iter().find(|(known, _)| *known == name) {
            Some((_, form)) => Some(*form),
            None => {
                eprintln!("the forms are {}", Form::ALL.map(|(name, _)| name).join(", "));
                return ExitCode::from(2);
            }
        },
    };
    match write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes"), Path::new(&out), form) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path, out: &Path, form: Option<Form>) -> Result<(), String> {
    for set in markup::entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        let name = markup::name_of(&set);
        write_set(&name, NoteSet::read(&set)?, out, form)?;
        let mut halves: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
        for file in markup::entries(&set)?.into_iter().filter(|path| path.is_file()) {
            halves.entry(half(&name, &markup::name_of(&file))).or_default().push(file);
        }
        for (half, files) in halves {
            write_set(&format!("{name}-{half}"), NoteSet::read_files(&files)?, out, form)?;
        }
    }
    Ok(())
}

fn write_set(name: &str, set: NoteSet, out: &Path, form: Option<Form>) -> Result<(), String> {
    let set = match form {
        Some(form) => form.of(&set),
        None => set,
    };
    set.write(&out.join(name))?;
    let NoteSet { notes, gold, patients } = set;
    println!("{name}: {} patients with records, {} notes, {} marks", patients.len(), notes.len(), gold.len());
    Ok(())
}

/// The half of a set that a file is in: by its name, or by the number that it begins with.
fn half(set: &str, file: &str) -> &'static str {
    let number = || file.get(..2).and_then(|digits| digits.parse::<u32>().ok()).unwrap_or_default();
    let developed = match set {
        "names" | "clean" => number() % 2 == 1,
        "languages" => LANGUAGES.contains(&number()),
        _ => file.ends_with("-development.txt"),
    };
    if developed { "development" } else { "held" }
}
