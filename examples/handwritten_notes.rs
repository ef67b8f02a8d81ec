//! Writes the hand-written notes of `tests/notes` as data sets, after checking their marks.
//!
//! ```text
//! cargo run --example handwritten_notes -- target/handwritten
//! target/handwritten/{development,held,names,languages,lines,staff,messages,prose,wards,documents,hard,services,snippets,bedside,clinic,abroad,lives,noise,charts,letters,specialties,traps,missed,exports,admissions,therapy,portal,dictated,mixed,voices,exam,field,ordinary,audit,daily,rough,typed,forms,teaching,clean}/{notes,gold,patients}.jsonl
//! ```

#[path = "../tests/notes/markup.rs"]
mod markup;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(out) = std::env::args().nth(1) else {
        eprintln!("give the folder to write to");
        return ExitCode::from(2);
    };
    for set in [
        "development",
        "held",
        "names",
        "languages",
        "lines",
        "staff",
        "messages",
        "prose",
        "wards",
        "documents",
        "hard",
        "services",
        "snippets",
        "bedside",
        "clinic",
        "abroad",
        "lives",
        "noise",
        "charts",
        "letters",
        "specialties",
        "traps",
        "missed",
        "exports",
        "admissions",
        "therapy",
        "portal",
        "dictated",
        "mixed",
        "voices",
        "exam",
        "field",
        "ordinary",
        "audit",
        "daily",
        "rough",
        "typed",
        "forms",
        "teaching",
        "clean",
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes").join(set);
        let written = markup::NoteSet::read(&folder).and_then(|notes| {
            notes.write(&Path::new(&out).join(set))?;
            Ok(format!(
                "{set}: {} patients with records, {} notes, {} marks",
                notes.patients.len(),
                notes.notes.len(),
                notes.gold.len()
            ))
        });
        match written {
            Ok(summary) => println!("{summary}"),
            Err(reason) => {
                eprintln!("{reason}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
