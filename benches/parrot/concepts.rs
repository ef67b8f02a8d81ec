//! Problems, treatments and tests that readers marked in hand-written notes, as in the i2b2 challenge of 2010 (Uzuner et al. 2011): what a
//! clinical task needs of a note, and no identifier.
//!
//! ```text
//! charts-1  307  328  PROBLEM  acute pulmonary edema        set and place of the note in its file; code points; kind; text
//! ```
//!
//! The notes are of `tests/notes/SET/told-development.txt`. Four readers marked a quarter of them each; they saw the text alone, without
//! the marks of its identifiers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::markup::NoteSet;
use crate::sources::{SourceNote, in_bytes, of_set};

/// A note and its concepts, as bytes of its text.
pub type Annotated = (SourceNote, Vec<(Range<usize>, String)>);

/// The notes of which concepts are marked; `tests` is the folder of the sets.
pub fn read(tests: &Path) -> Result<Vec<Annotated>, String> {
    let mut sets: BTreeMap<&str, BTreeMap<usize, Vec<[&str; 4]>>> = BTreeMap::new();
    for line in include_str!("concepts.tsv").lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [note, start, end, kind, text] = columns[..] else { return Err(wrong(line)) };
        let (set, place) = note.rsplit_once('-').ok_or_else(|| wrong(line))?;
        let place = place.parse().map_err(|_| wrong(line))?;
        sets.entry(set).or_default().entry(place).or_default().push([start, end, kind, text]);
    }
    let mut annotated = Vec::new();
    for (set, concepts) in sets {
        let notes = of_set(&NoteSet::read_files(&[tests.join(set).join("told-development.txt")])?);
        for (place, mut note) in (1..).zip(notes) {
            let concepts = concepts.get(&place).map(|rows| of_note(&note, rows)).transpose()?;
            note.patient = format!("{set}-{place}");
            annotated.extend(concepts.map(|concepts| (note, concepts)));
        }
    }
    Ok(annotated)
}

/// The concepts of a note, which must be what the rows say that they are.
fn of_note(note: &SourceNote, rows: &[[&str; 4]]) -> Result<Vec<(Range<usize>, String)>, String> {
    let place = |[start, end, kind, _]: &[&str; 4]| Some((start.parse().ok()?, end.parse().ok()?, (*kind).to_owned()));
    let places: Option<Vec<(usize, usize, String)>> = rows.iter().map(place).collect();
    let concepts = in_bytes(&note.text, places.ok_or_else(|| wrong(&note.patient))?.into_iter());
    let are_there = concepts.iter().zip(rows).all(|((range, _), [.., text])| note.text[range.clone()] == **text);
    if are_there && concepts.len() == rows.len() { Ok(concepts) } else { Err(wrong(&note.patient)) }
}

fn wrong(line: &str) -> String {
    format!("benches/parrot/concepts.tsv does not fit the notes at: {line}")
}
