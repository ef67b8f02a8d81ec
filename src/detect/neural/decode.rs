//! From the scores of word pieces to spans.
//!
//! ```text
//!           Dr   .   Jos é   Lee    ,   well
//! P(O)     .99 .99   .20    .55   .98   .99
//! best      —   —   B-DOC  I-DOC   —     —      a word is an identifier where 1 − P(O) reaches its class's threshold (.4)
//!                   └─────┬────┘
//!                    DOCTOR .61                 the mean over its words of P(B-DOCTOR) + P(I-DOCTOR)
//! ```

use std::ops::Range;

use super::labels::{Columns, LabelScheme, UNITS, units};
use super::manifest::WordScores;
use super::words::{WordPieces, words};
use crate::detect::judged::{FLOOR, Judged};
use crate::phi::{Class, Detector, Label, Span};

/// Who makes the claims.
pub(super) const DETECTOR: Detector = Detector::Transformer;

/// What the model says of one word, whatever the thresholds.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedWord {
    /// First byte in the sentence.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The likeliest class, if it is an identifier.
    pub class: Class,
    /// The probability that it is an identifier of that class, in units of 1/1024.
    pub of_class: u16,
    /// The probability that it is an identifier of any class, in units of 1/1024.
    pub of_any: u16,
    /// The least `of_any` at which it is taken for one, in units of 1/1024.
    pub threshold: u16,
    /// Whether it rather begins a span than goes on with one.
    pub begins: bool,
    /// Whether it has a letter or digit.
    pub is_lettered: bool,
}

impl JudgedWord {
    /// The words from the floor on as they are kept.
    pub(in crate::detect) fn kept(words: &[Self]) -> Vec<Judged> {
        let share = |units: u16| f32::from(units) / f32::from(UNITS);
        let mut before = false;
        let kept = words.iter().filter_map(|word| {
            let beside = std::mem::replace(&mut before, share(word.of_any) >= FLOOR);
            before.then(|| Judged {
                start: word.start as u32,
                end: word.end as u32,
                class: word.class,
                detector: DETECTOR,
                score: share(word.of_class),
                of_any: share(word.of_any),
                goes_on: beside && !word.begins,
                is_lettered: word.is_lettered,
            })
        });
        kept.collect()
    }

    /// A kept word again, under the threshold that its class has now.
    pub(in crate::detect) fn of_kept(judged: &Judged, threshold: u16) -> Self {
        let floor = (FLOOR * f32::from(UNITS)) as u16;
        Self {
            start: judged.start as usize,
            end: judged.end as usize,
            class: judged.class,
            of_class: units(judged.score),
            of_any: units(judged.of_any),
            threshold: threshold.max(floor),
            begins: !judged.goes_on,
            is_lettered: judged.is_lettered,
        }
    }

    /// Whether it is taken for an identifier.
    pub const fn is_identifier(&self) -> bool {
        self.of_any >= self.threshold
    }

    fn continues(&self, before: &Self) -> bool {
        self.is_identifier() && before.is_identifier() && !self.begins && self.class == before.class
    }
}

/// Judges the words of a sentence by the probabilities of its pieces, which are rows of the scheme's width.
pub(super) fn judge(
    scheme: &LabelScheme,
    from: WordScores,
    sentence: &str,
    places: &[Range<usize>],
    scores: &[u16],
) -> Vec<JudgedWord> {
    let row = |piece: usize| scores.get(piece * scheme.width..(piece + 1) * scheme.width).unwrap_or_default();
    words(sentence, places)
        .into_iter()
        .filter_map(|word| match from {
            WordScores::First => judged(scheme, &word, row(word.pieces.start)),
            WordScores::Mean => judged(scheme, &word, &mean(scheme.width, word.pieces.clone().map(row))),
        })
        .collect()
}

fn mean<'s>(width: usize, rows: impl ExactSizeIterator<Item = &'s [u16]>) -> Vec<u16> {
    let count = rows.len().max(1) as u32;
    let mut sums = vec![0_u32; width];
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, &score)| *sum += u32::from(score));
    }
    sums.into_iter().map(|sum| ((sum + count / 2) / count) as u16).collect()
}

fn judged(scheme: &LabelScheme, word: &WordPieces, row: &[u16]) -> Option<JudgedWord> {
    let score = |column: Option<usize>| column.and_then(|column| row.get(column)).copied().unwrap_or(0);
    let of_class = |columns: &Columns| score(columns.begin) + score(columns.inside);
    let best = likeliest(scheme.classes.iter(), of_class)?;
    // A clock time stays in the note: what may as well be a number of somebody is no time.
    let is_time = |columns: &Columns| columns.class.label == Label::Time;
    let other = match is_time(best) {
        true => likeliest(scheme.classes.iter().filter(|columns| !is_time(columns)), of_class),
        false => None,
    };
    let likely = |other: &&Columns| of_class(other) >= other.threshold && 2 * of_class(other) >= of_class(best);
    let columns = other.filter(likely).unwrap_or(best);
    Some(JudgedWord {
        start: word.start,
        end: word.end,
        class: columns.class,
        of_class: of_class(columns),
        of_any: UNITS.saturating_sub(score(Some(scheme.outside))),
        threshold: columns.threshold,
        begins: score(columns.begin) >= score(columns.inside),
        is_lettered: word.is_lettered,
    })
}

/// The first of the classes that none is likelier than.
fn likeliest<'c>(
    classes: impl Iterator<Item = &'c Columns>,
    of_class: impl Fn(&Columns) -> u16,
) -> Option<&'c Columns> {
    classes.reduce(|best, other| if of_class(other) > of_class(best) { other } else { best })
}

/// The spans of judged words: what begins or changes class begins a span, marks at its ends are left out.
pub(in crate::detect) fn spans(words: &[JudgedWord]) -> Vec<Span> {
    words
        .chunk_by(|before, word| word.continues(before) || !word.is_identifier() && !before.is_identifier())
        .filter_map(span)
        .collect()
}

/// The span of words that continue each other; none where they are no identifiers or have no letter or digit.
fn span(words: &[JudgedWord]) -> Option<Span> {
    let first = words.iter().position(|word| word.is_identifier() && word.is_lettered)?;
    let last = words.iter().rposition(|word| word.is_lettered)?;
    let words = &words[first..=last];
    let sum: u32 = words.iter().map(|word| u32::from(word.of_class)).sum();
    let score = sum.max(1) as f32 / (f32::from(UNITS) * words.len() as f32);
    Some(Span::new(words[0].start, words[words.len() - 1].end, words[0].class, DETECTOR, score.min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const LABELS: [&str; 5] = ["O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE"];

    fn scheme(threshold: f32) -> LabelScheme {
        let thresholds = BTreeMap::from([("default".to_owned(), threshold)]);
        LabelScheme::new(&LABELS.map(str::to_owned), &thresholds).unwrap()
    }

    /// Spans of a text whose words are single pieces with these probabilities.
    fn found<'t>(text: &'t str, threshold: f32, rows: &[[u16; 5]]) -> Vec<(&'t str, &'static str, f32)> {
        let places: Vec<_> = crate::text::tokens(text).map(|token| token.start..token.end).collect();
        assert_eq!(places.len(), rows.len());
        let words = judge(&scheme(threshold), WordScores::First, text, &places, rows.as_flattened());
        let name = |span: &Span| (span.claims[0].class.label.name(), span.claims[0].score);
        spans(&words).iter().map(|span| (&text[span.start..span.end], name(span).0, name(span).1)).collect()
    }

    const O: [u16; 5] = [1024, 0, 0, 0, 0];
    const B: [u16; 5] = [0, 1024, 0, 0, 0];
    const I: [u16; 5] = [0, 0, 1024, 0, 0];
    const DATE: [u16; 5] = [0, 0, 0, 1024, 0];

    #[test]
    fn words_that_go_on_are_one_span() {
        assert_eq!(found("Ann B. Lee well", 0.5, &[B, I, I, I, O]), [("Ann B. Lee", "PATIENT", 1.0)]);
        assert_eq!(found("Ann Lee", 0.5, &[B, B]), [("Ann", "PATIENT", 1.0), ("Lee", "PATIENT", 1.0)]);
        assert_eq!(found("Ann May", 0.5, &[B, DATE]), [("Ann", "PATIENT", 1.0), ("May", "DATE", 1.0)]);
    }

    #[test]
    fn inside_after_nothing_begins() {
        assert_eq!(found("Ann Lee, Ann", 0.5, &[I, I, O, I]), [("Ann Lee", "PATIENT", 1.0), ("Ann", "PATIENT", 1.0)]);
    }

    #[test]
    fn marks_at_the_ends_are_left_out() {
        assert_eq!(found("(Lee, Ann).", 0.5, &[B, I, I, I, I, I]), [("Lee, Ann", "PATIENT", 1.0)]);
        assert_eq!(found("-- .", 0.5, &[B, I, I]), []);
    }

    #[test]
    fn what_is_likely_some_identifier_is_one() {
        // Neither label is likely by itself, but that the word is no identifier is unlikely.
        let torn = [412, 300, 0, 312, 0];
        assert_eq!(found("May", 0.5, &[torn]), [("May", "DATE", 312.0 / 1024.0)]);
        assert_eq!(found("May", 0.6, &[torn]), []);
        let unsure = [1024 - 205, 205, 0, 0, 0];
        assert_eq!(found("May", 0.2, &[unsure]).len(), 1);
        assert_eq!(found("May", 0.21, &[unsure]).len(), 0);
    }

    #[test]
    fn the_score_is_the_mean_of_both_twins() {
        assert_eq!(found("Ann Lee", 0.5, &[[0, 512, 256, 256, 0], [0, 0, 512, 512, 0]])[0].2, 0.625);
    }

    #[test]
    fn the_mean_of_pieces_and_the_first_of_them() {
        let (scheme, rows) = (scheme(0.5), [O, B].concat());
        let judged = |from| judge(&scheme, from, "Lee", &[0..1, 1..3], &rows);
        assert_eq!(judged(WordScores::First)[0].of_any, 0);
        assert_eq!(judged(WordScores::Mean)[0].of_any, 512);
    }
}
