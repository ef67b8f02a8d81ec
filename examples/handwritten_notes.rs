//! Writes the hand-written notes of `tests/notes` as data sets, after checking their marks.
//!
//! ```text
//! cargo run --example handwritten_notes -- target/handwritten
//! target/handwritten/{development,held}/{notes,gold,patients}.jsonl
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
    for half in ["development", "held"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes").join(half);
        let written = markup::NoteSet::read(&folder).and_then(|set| {
            set.write(&Path::new(&out).join(half))?;
            Ok(format!("{half}: {} patients, {} notes, {} marks", set.patients.len(), set.notes.len(), set.gold.len()))
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
