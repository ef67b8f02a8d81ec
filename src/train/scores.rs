//! Precision, recall and F1 of a model, by span and by token.
//!
//! ```text
//! gold       [Rosa Díaz] DOCTOR   [Troy] CITY
//! predicted  [Rosa     ] DOCTOR   [Troy] CITY      strict: 1 of 2 right; by token: 2 of 3 found, 2 of 2 right
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{AddAssign, Range};

use super::Example;
use crate::detect::crf::{CrfModel, Prediction, Workspace};
use crate::phi::{Label, Span};
use crate::text::tokens;

/// What was found, what is right, and what both are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    /// Found and right.
    pub right: usize,
    /// Found.
    pub found: usize,
    /// To be found.
    pub gold: usize,
}

impl Counted {
    /// The share of what was found that is right, in [0, 1]; 1 where nothing was found.
    pub fn precision(&self) -> f64 {
        share(self.right, self.found)
    }

    /// The share of what is to be found that was, in [0, 1]; 1 where there is nothing.
    pub fn recall(&self) -> f64 {
        share(self.right, self.gold)
    }

    /// The harmonic mean of both, in [0, 1].
    pub fn f1(&self) -> f64 {
        share(2 * self.right, self.found + self.gold)
    }
}

impl Counted {
    /// Precision, recall and F1 as tables show them: `n/a` where there is nothing to take a share of.
    pub fn shown(&self) -> [String; 3] {
        let shown = |share: f64, of: usize| if of == 0 { "n/a".to_owned() } else { format!("{share:.4}") };
        [shown(self.precision(), self.found), shown(self.recall(), self.gold), shown(self.f1(), self.found + self.gold)]
    }

    /// What is left without some of what was counted.
    pub(super) fn without<'c>(mut self, parts: impl Iterator<Item = &'c Self>) -> Self {
        for part in parts {
            self.right -= part.right;
            self.found -= part.found;
            self.gold -= part.gold;
        }
        self
    }
}

impl AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.found += other.found;
        self.gold += other.gold;
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Scores by label, and for tokens whatever the label.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scores {
    /// Spans with the same bounds and label, by label.
    pub by_label: BTreeMap<String, Counted>,
    /// Tokens that are part of any identifier; clock times are none.
    pub tokens: Counted,
}

impl Scores {
    /// Spans with the same bounds and label, of all labels.
    pub fn strict(&self) -> Counted {
        let mut all = Counted::default();
        self.by_label.values().for_each(|counted| all += *counted);
        all
    }

    /// Counts a sentence.
    pub fn count(&mut self, sentence: &str, gold: &[(Range<usize>, String)], found: &[(Range<usize>, &str)]) {
        for (_, label) in gold {
            self.by_label.entry(label.clone()).or_default().gold += 1;
        }
        for (range, label) in found {
            let right = gold.iter().any(|(other, same)| other == range && same == label);
            let counted = self.by_label.entry((*label).to_owned()).or_default();
            counted.found += 1;
            counted.right += usize::from(right);
        }
        // Clock times are auxiliary: what is dialed to find words of identifiers must not be praised for those.
        let found = found.iter().filter(|(_, label)| *label != Label::Time.name()).map(|(range, _)| range);
        let gold = gold.iter().filter(|(_, label)| label != Label::Time.name()).map(|(range, _)| range);
        self.tokens += count_tokens(sentence, gold, found);
    }
}

/// Counts the tokens of a sentence that are part of any identifier.
fn count_tokens<'r>(
    sentence: &str,
    gold: impl Iterator<Item = &'r Range<usize>> + Clone,
    found: impl Iterator<Item = &'r Range<usize>> + Clone,
) -> Counted {
    let touches = |range: &Range<usize>, start: usize, end: usize| range.start < end && start < range.end;
    let mut counted = Counted::default();
    for token in tokens(sentence) {
        let is_gold = gold.clone().any(|range| touches(range, token.start, token.end));
        let is_found = found.clone().any(|range| touches(range, token.start, token.end));
        counted.gold += usize::from(is_gold);
        counted.found += usize::from(is_found);
        counted.right += usize::from(is_gold && is_found);
    }
    counted
}

/// Counts the tokens of an example that are part of any identifier, where an ensemble found `spans`. Clock times, which are none, do not
/// count on either side.
pub(super) fn count_found(example: &Example, spans: &[Span]) -> Counted {
    let is_time = |span: &&Span| span.claims.iter().all(|claim| claim.class.label == Label::Time);
    let found: Vec<Range<usize>> =
        spans.iter().filter(|span| !is_time(span)).map(|span| span.start..span.end).collect();
    let gold = example.spans.iter().filter(|(_, label)| label != Label::Time.name()).map(|(range, _)| range);
    count_tokens(&example.sentence, gold, found.iter())
}

impl fmt::Display for Scores {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.by_label.keys().map(|label| label.chars().count()).max().unwrap_or(0).max("words, any label".len());
        writeln!(formatter, "{:<width$}  precision  recall      F1    gold", "")?;
        let mut row = |name: &str, counted: Counted| {
            let [precision, recall, f1] = counted.shown();
            writeln!(formatter, "{name:<width$}  {precision:>9}  {recall:>6}  {f1:>6}  {:>6}", counted.gold)
        };
        self.by_label.iter().try_for_each(|(label, counted)| row(label, *counted))?;
        row("strict, all", self.strict())?;
        row("words, any label", self.tokens)
    }
}

/// What a model finds in examples, compared with what is there.
pub fn evaluate(model: &CrfModel, examples: &[Example]) -> Scores {
    let mut scores = Scores::default();
    for (example, predictions) in examples.iter().zip(predictions(model, examples)) {
        let found: Vec<_> = predictions
            .iter()
            .map(|found| (found.range.clone(), model.labels()[found.label as usize].as_str()))
            .collect();
        scores.count(&example.sentence, &example.spans, &found);
    }
    scores
}

/// What a model finds in each example.
pub fn predictions(model: &CrfModel, examples: &[Example]) -> Vec<Vec<Prediction>> {
    let mut workspace = Workspace::default();
    let predict = |example: &Example| {
        let mut predictions = Vec::new();
        model.predict(example.context.as_deref(), &example.sentence, &mut workspace, &mut predictions);
        predictions
    };
    examples.iter().map(predict).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_a_label_and_no_identifiers() {
        let mut scores = Scores::default();
        scores.count("Troy at 10:30", &[(0..4, "CITY".into()), (8..13, "TIME".into())], &[(8..13, "TIME")]);
        assert_eq!(scores.tokens, Counted { right: 0, found: 0, gold: 1 });
        assert_eq!(scores.by_label["TIME"], Counted { right: 1, found: 1, gold: 1 });
    }

    #[test]
    fn spans_must_be_exact_and_tokens_need_not() {
        let mut scores = Scores::default();
        let gold = [(0..9, "DOCTOR".to_owned()), (13..17, "CITY".to_owned())];
        scores.count("Rosa Diaz in Troy", &gold, &[(0..4, "DOCTOR"), (13..17, "CITY")]);
        assert_eq!(scores.strict(), Counted { right: 1, found: 2, gold: 2 });
        assert_eq!(scores.tokens, Counted { right: 2, found: 2, gold: 3 });
        assert_eq!((scores.tokens.precision(), scores.strict().f1()), (1.0, 0.5));
        assert_eq!(scores.by_label["CITY"].recall(), 1.0);
    }

    #[test]
    fn a_share_of_nothing_is_none() {
        assert_eq!(Counted { right: 0, found: 0, gold: 4 }.shown(), ["n/a", "0.0000", "0.0000"]);
        assert_eq!(Counted::default().shown(), ["n/a"; 3]);
        assert_eq!(Counted { right: 1, found: 1, gold: 2 }.shown(), ["1.0000", "0.5000", "0.6667"]);
    }
}
