//! What the output is still good for: a detector and a classifier of notes, trained on it and tested on notes of other patients.
//!
//! ```text
//! originals  ─ train ─▶ CRF ─┐    ┌─▶ originals of other patients
//! surrogates ─ train ─▶ CRF ─┴────┴─▶ the same under another key: names that neither has seen more of than the other
//! ```
//!
//! Generated notes take their names from short lists, so that a detector trained on originals knows much of the test by heart; notes that
//! people wrote do not, and are the third test. The last is a clinical task: who tags problems, treatments and tests needs no names at all.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use plainsight::evaluate::derived_kind;
use plainsight::phi::{Class, Policy};
use plainsight::surrogate::{Key, Surrogates};
use plainsight::text::{TokenKind, tokens};
use plainsight::train::crf::{Settings, train};
use plainsight::train::scores::{Scores, evaluate};
use plainsight::train::{Example, TrainError, examples};
use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::{Moved, Released};
use crate::sources::SourceNote;

/// One patient in this many is kept for the test.
const TESTED: usize = 3;

/// The scores of detectors trained before and after replacement, on notes of the patients kept for the test.
pub struct Compared {
    /// What the test is over.
    pub tested_on: &'static str,
    /// Trained on originals.
    pub before: Scores,
    /// Trained on surrogates.
    pub after: Scores,
}

/// The detectors compared on originals, and on the same notes released under another key. At most `notes` notes are learnt from.
///
/// Originals of different patients share the names of the generator, so that a detector trained on originals knows some of the test by heart; under
/// another key nobody does.
pub fn detectors(
    sources: &[SourceNote],
    released: &[Released],
    elsewhere: &[Released],
    notes: usize,
) -> Result<[Compared; 2], TrainError> {
    let learnt = |place: &usize| !is_tested(&released[*place]);
    let places = || 0..sources.len();
    let tested: Vec<usize> = places().filter(|place| !learnt(place)).take(notes / 2).collect();
    let settings = Settings { iterations: 60, tolerance: 1e-3, ..Settings::default() };
    let trained = |of: &dyn Fn(usize) -> Vec<Example>| {
        let training: Vec<Example> = places().filter(learnt).take(notes).flat_map(of).collect();
        train(&training, &settings)
    };
    let before = trained(&|place| original(&sources[place]))?;
    let after = trained(&|place| of_release(&released[place]))?;
    let compared = |tested_on, of: &dyn Fn(usize) -> Vec<Example>| {
        let test: Vec<Example> = tested.iter().flat_map(|&place| of(place)).collect();
        Compared { tested_on, before: evaluate(&before, &test), after: evaluate(&after, &test) }
    };
    Ok([
        compared("originals of other patients", &|place| original(&sources[place])),
        compared("other patients under another key", &|place| of_release(&elsewhere[place])),
    ])
}

fn of_release(note: &Released) -> Vec<Example> {
    examples(&note.text, &note.gold, &note.patient.to_string())
}

const fn is_tested(note: &Released) -> bool {
    note.patient.is_multiple_of(TESTED)
}

fn original(note: &SourceNote) -> Vec<Example> {
    Marked::identifiers(note).original()
}

/// A note with what a model is to learn of it.
pub struct Marked<'n> {
    note: &'n SourceNote,
    /// Byte ranges of the note, each with its label.
    marks: Vec<(Range<usize>, String)>,
}

impl<'n> Marked<'n> {
    /// A note of which a model is to learn what is marked.
    pub const fn new(note: &'n SourceNote, marks: Vec<(Range<usize>, String)>) -> Self {
        Self { note, marks }
    }

    /// A note of which a detector is to learn the identifiers.
    pub fn identifiers(note: &'n SourceNote) -> Self {
        let marks = note.gold.iter().map(|(range, label)| (range.clone(), label.name().to_owned()));
        Self { note, marks: marks.collect() }
    }

    fn original(&self) -> Vec<Example> {
        examples(&self.note.text, &self.marks, &self.note.patient)
    }

    /// The note with a surrogate for each identifier of its gold that the policy removes.
    fn replaced(&self, key: &Key) -> Vec<Example> {
        let note = self.note;
        let surrogates = Surrogates::new(key, &note.patient);
        let (mut text, mut moved, mut at) = (String::new(), Moved::default(), 0);
        for (range, label) in &note.gold {
            let value = &note.text[range.clone()];
            let class = Class { label: *label, kind: derived_kind(*label, value) };
            if Policy::default().removes(class) {
                text.push_str(&note.text[at..range.start]);
                let start = text.len();
                text.push_str(&surrogates.replace(class, value));
                moved.push(range.clone(), start..text.len());
                at = range.end;
            }
        }
        text.push_str(&note.text[at..]);
        let marks: Vec<_> = self.marks.iter().map(|(range, label)| (moved.range(range), label.clone())).collect();
        examples(&text, &marks, &note.patient)
    }
}

/// Parts into which the patients of hand-written notes are dealt; each is tested by models that learnt from the others.
const PARTS: usize = 5;

/// Scores over all hand-written notes, each told by a model that has not seen its patient: one that learnt from originals, and for each key
/// one that learnt from the same notes with surrogates for all of their identifiers. What is tested is originals.
pub struct CrossValidated {
    /// Trained on originals.
    pub before: Scores,
    /// Trained on surrogates, by key.
    pub after: Vec<Scores>,
}

impl CrossValidated {
    /// Points of F1 by which training on surrogates is worse, by key.
    pub fn losses(&self, f1: impl Fn(&Scores) -> f64) -> Vec<f64> {
        self.after.iter().map(|after| 100.0 * (f1(&self.before) - f1(after))).collect()
    }
}

/// Trains and tests a CRF on notes that people wrote, whose names no generator drew.
pub fn cross_validated(notes: &[Marked], keys: &[Key]) -> Result<CrossValidated, TrainError> {
    let mut patients: Vec<&str> = notes.iter().map(|marked| marked.note.patient.as_str()).collect();
    patients.sort_unstable();
    patients.dedup();
    let part = |marked: &&Marked| patients.partition_point(|patient| **patient < *marked.note.patient) % PARTS;
    let settings = Settings { iterations: 60, tolerance: 1e-3, ..Settings::default() };
    let mut scores: Vec<Scores> = std::iter::repeat_with(Scores::default).take(1 + keys.len()).collect();
    for tested in 0..PARTS {
        let test: Vec<Example> = notes.iter().filter(|note| part(note) == tested).flat_map(Marked::original).collect();
        for (place, sum) in scores.iter_mut().enumerate() {
            let example =
                |note: &Marked| place.checked_sub(1).map_or_else(|| note.original(), |key| note.replaced(&keys[key]));
            let training: Vec<Example> = notes.iter().filter(|note| part(note) != tested).flat_map(example).collect();
            add(sum, evaluate(&train(&training, &settings)?, &test));
        }
    }
    let after = scores.split_off(1);
    let before = scores.pop().unwrap_or_default();
    Ok(CrossValidated { before, after })
}

fn add(sum: &mut Scores, of_part: Scores) {
    of_part.by_label.into_iter().for_each(|(label, counted)| *sum.by_label.entry(label).or_default() += counted);
    sum.tokens += of_part.tokens;
}

/// The share of originals whose type is told right by a classifier trained on originals, and by one trained on the output.
pub fn note_types(sources: &[SourceNote], released: &[Released]) -> (f64, f64) {
    let pairs = || sources.iter().zip(released);
    let learnt = || pairs().filter(|(_, after)| !is_tested(after));
    let test: Vec<(&str, &str)> = pairs()
        .filter(|(_, after)| is_tested(after))
        .map(|(before, _)| (before.text.as_str(), before.note_type.as_str()))
        .collect();
    let before = Classifier::of(learnt().map(|(before, after)| (before.text.as_str(), after.note_type.as_str())));
    let after = Classifier::of(learnt().map(|(_, after)| (after.text.as_str(), after.note_type.as_str())));
    (before.accuracy(&test), after.accuracy(&test))
}

/// Naive Bayes over the words of the text below its heading, which may say the type outright: linear in the words' presence.
struct Classifier<'t> {
    /// Of each type: how many notes, and in how many of them each word is.
    types: BTreeMap<&'t str, (f64, HashMap<u64, f64>)>,
}

impl<'t> Classifier<'t> {
    fn of(notes: impl Iterator<Item = (&'t str, &'t str)>) -> Self {
        let mut types: BTreeMap<&str, (f64, HashMap<u64, f64>)> = BTreeMap::new();
        for (text, of_type) in notes {
            let (count, words) = types.entry(of_type).or_default();
            *count += 1.0;
            present(text).into_iter().for_each(|word| *words.entry(word).or_default() += 1.0);
        }
        Self { types }
    }

    fn accuracy(&self, notes: &[(&str, &str)]) -> f64 {
        let right = notes.iter().filter(|(text, of_type)| self.best(text) == Some(of_type)).count();
        right as f64 / notes.len().max(1) as f64
    }

    fn best(&self, text: &str) -> Option<&str> {
        let words = present(text);
        let score = |(count, seen): &(f64, HashMap<u64, f64>)| {
            let of_word = |word: &u64| ((seen.get(word).copied().unwrap_or(0.0) + 0.1) / (count + 0.2)).ln();
            count.ln() + words.iter().map(of_word).sum::<f64>()
        };
        let scored = self.types.iter().map(|(of_type, seen)| (score(seen), *of_type));
        scored.max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, of_type)| of_type)
    }
}

/// The distinct words of the text below its first line.
fn present(text: &str) -> Vec<u64> {
    let body = text.split_once('\n').map_or(text, |(_, body)| body);
    let words = tokens(body).filter(|token| token.kind == TokenKind::Word);
    let mut hashes: Vec<u64> = words.map(|word| xxh3_64(word.text(body).to_lowercase().as_bytes())).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}
