//! Training the learned members of the ensemble on annotated sentences.
//!
//! ```text
//! annotated notes ─ sentences ─▶ Example ─ crf::train ─▶ CrfModel ─ dial ─▶ the recall or precision that was asked for
//!                                   │└ ablation, learning_curve: what each family of features, and each example, is worth
//!                                   ├ stacking: a model over the claims of a whole ensemble
//!                                   └ turning: the dials of a whole ensemble
//! ```
//!
//! Training is deterministic: the same examples and settings give the same model, byte for byte, whatever the number of threads.

pub mod ablation;
pub mod crf;
pub mod customization;
pub mod dial;
pub mod learning_curve;
pub mod scores;
pub mod stacking;
pub mod turning;

mod data;
mod linear;
mod minimize;
mod objective;
mod sampling;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::text::sentences;

/// An annotated sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// What precedes it in the note, short, where there is something: see [`examples`].
    pub context: Option<String>,
    /// The sentence.
    pub sentence: String,
    /// Its identifiers: byte ranges of the sentence in order, not overlapping, each with the name of its label.
    pub spans: Vec<(Range<usize>, String)>,
    /// Whether the first of them goes on from the sentence before.
    pub goes_on: bool,
    /// The patient or file it is of; what belongs together is never divided between training and development.
    pub group: String,
}

/// What can be wrong with training data and settings. Never holds note text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrainError {
    /// There is nothing to learn from.
    #[error("no example with an identifier is left to learn from")]
    Empty,
    /// There is nothing to measure on.
    #[error("no example with an identifier is left to measure on")]
    Unmeasurable,
    /// There is nothing to stop early by.
    #[error(
        "no example with an identifier is among those kept to stop early by: keep a greater share, annotate notes of more patients, or \
         do without early stopping"
    )]
    Unstoppable,
    /// A span that does not fit its sentence.
    #[error("example {example}: its spans are not ranges of the sentence, in order and without overlap")]
    Span {
        /// Its place in the list, from 0.
        example: usize,
    },
    /// More than a model can hold.
    #[error("there are more labels, attributes or tokens than a model can hold")]
    TooLarge,
    /// A setting that makes no sense.
    #[error("the setting `{setting}` must be {must}")]
    Setting {
        /// Its name.
        setting: &'static str,
        /// What it must be.
        must: &'static str,
    },
}

/// The sentences of an annotated note as examples, each with the sentence before it as context. `spans` are byte ranges of the
/// note, in any order; a span over several sentences is cut between them, and where spans overlap the first one stays.
pub fn examples(text: &str, spans: &[(Range<usize>, String)], group: &str) -> Vec<Example> {
    let mut spans: Vec<_> = spans.iter().collect();
    spans.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut examples = Vec::new();
    let mut before: Option<Range<usize>> = None;
    for sentence in sentences(text) {
        let (mut own, mut goes_on): (Vec<(Range<usize>, String)>, bool) = (Vec::new(), false);
        let reaching = spans.iter().filter(|(range, _)| range.start < sentence.end && range.end > sentence.start);
        for (range, label) in reaching {
            let start = range.start.max(sentence.start) - sentence.start;
            goes_on |= own.is_empty() && range.start < sentence.start;
            let end = range.end.min(sentence.end) - sentence.start;
            if own.last().is_none_or(|(last, _)| last.end <= start) {
                own.push((start..end, label.clone()));
            }
        }
        examples.push(Example {
            context: before.replace(sentence.clone()).map(|before| text[before].to_owned()),
            sentence: text[sentence].to_owned(),
            spans: own,
            goes_on,
            group: group.to_owned(),
        });
    }
    examples
}

/// How many of a note's spans overlap one before them, so that [`examples`] leaves them out or cuts them short.
pub fn overlapping(spans: &[(Range<usize>, String)]) -> usize {
    let mut spans: Vec<_> = spans.iter().map(|(range, _)| range).collect();
    spans.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    let overlaps = |range: &&Range<usize>| {
        let before = end;
        end = end.max(range.end);
        range.start < before
    };
    spans.into_iter().filter(overlaps).count()
}

/// Divides examples by group: about `share` of the groups, in [0, 1], come second. Which ones depends on their names and the seed.
pub fn divided(examples: &[Example], share: f64, seed: u64) -> (Vec<Example>, Vec<Example>) {
    examples.iter().cloned().partition(|example| chance(seed, example.group.as_bytes()) >= share)
}

/// Refuses examples on which nothing can be measured: where there is no identifier, every recall is 1.
///
/// # Errors
/// [`TrainError::Unmeasurable`].
pub fn check_measurable(examples: &[Example]) -> Result<(), TrainError> {
    if has_identifiers(examples) { Ok(()) } else { Err(TrainError::Unmeasurable) }
}

fn has_identifiers(examples: &[Example]) -> bool {
    examples.iter().any(|example| !example.spans.is_empty())
}

/// The fold, from 0, of each example: groups stay together, and no fold has more than one group more than another. Which one depends on
/// the groups' names and the seed.
fn folds(examples: &[Example], count: usize, seed: u64) -> Vec<usize> {
    let groups: BTreeSet<&str> = examples.iter().map(|example| example.group.as_str()).collect();
    let mut groups: Vec<&str> = groups.into_iter().collect();
    groups.sort_by(|one, other| {
        let of = |group: &str| chance(seed, group.as_bytes());
        of(one).total_cmp(&of(other)).then(one.cmp(other))
    });
    let fold: BTreeMap<&str, usize> = groups.into_iter().enumerate().map(|(at, group)| (group, at % count)).collect();
    examples.iter().map(|example| fold[example.group.as_str()]).collect()
}

/// A number in [0, 1) that depends on the seed and the key only.
fn chance(seed: u64, key: &[u8]) -> f64 {
    (xxh3_64_with_seed(key, seed) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_becomes_examples() {
        let text = "Doctor: Ann Lee\nSeen in Troy. Lives in\n";
        let spans = [(28 - 4..28, "CITY".to_owned()), (8..15, "DOCTOR".to_owned()), (12..15, "PATIENT".to_owned())];
        let made = examples(text, &spans, "n1");
        assert_eq!(made.len(), 3);
        assert_eq!(overlapping(&spans), 1);
        assert_eq!(made[0].spans, [(8..15, "DOCTOR".to_owned())]);
        assert_eq!((made[1].context.as_deref(), made[1].sentence.as_str()), (Some("Doctor: Ann Lee"), "Seen in Troy."));
        assert_eq!(&made[1].sentence[made[1].spans[0].0.clone()], "Troy");
        assert_eq!(made[2].spans, []);
    }

    #[test]
    fn nothing_is_measured_where_there_is_no_identifier() {
        let made = |spans: &[(Range<usize>, String)]| examples("Ann Lee came. She left.", spans, "g");
        assert_eq!(check_measurable(&[]), Err(TrainError::Unmeasurable));
        assert_eq!(check_measurable(&made(&[])), Err(TrainError::Unmeasurable));
        assert_eq!(check_measurable(&made(&[(0..7, "PATIENT".to_owned())])), Ok(()));
    }

    #[test]
    fn groups_stay_together() {
        let all: Vec<_> = (0..400).flat_map(|number| examples("One. Two.", &[], &format!("g{number}"))).collect();
        let (training, development) = divided(&all, 0.25, 1);
        assert_eq!(training.len() + development.len(), all.len());
        assert!(training.iter().all(|one| development.iter().all(|other| other.group != one.group)));
        assert!((140..260).contains(&development.len()));
        assert_ne!(divided(&all, 0.25, 2).1, development);
    }
}
