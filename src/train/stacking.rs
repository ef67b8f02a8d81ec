//! Training a stack: a model over the claims of an ensemble's members (Liu et al. 2022).
//!
//! ```text
//! annotated sentences ─ members, asked word by word ─▶ features of claimed words ─ linear::fit ─▶ Stack
//!        └ folds of patients: trained on all but one, measured on that one ─▶ union · majority · logistic · svm, side by side
//! ```
//!
//! What is measured is what the ensemble finds in sentences with that combination, patterns that no stack judges included. The record
//! and the second pass, which come after, are not.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::dial::Target;
use super::linear::{Row, fit};
use super::scores::{Counted, count_found};
use super::{Example, TrainError, folds};
use crate::detect::stack::{Method, Stack};
use crate::detect::{Combine, DetectError, Ensemble, Said};
use crate::text::InContext;

/// How to train.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Which model is kept.
    pub method: Method,
    /// What is asked of it; without a target a word stays from a probability of one half on.
    pub target: Option<Target>,
    /// The least probability at which trained members proposed words, in (0, 1).
    pub proposals: f32,
    /// The weight of the square penalty.
    pub c2: f64,
    /// How many parts the patients are divided into, at least two.
    pub folds: usize,
    /// What chance depends on.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { method: Method::Logistic, target: None, proposals: 0.05, c2: 0.5, folds: 5, seed: 1 }
    }
}

/// Why a stack cannot be trained, or a dial not be turned. Never holds note text.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EnsembleError {
    /// The examples or settings are at fault.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A member is.
    #[error(transparent)]
    Detect(#[from] DetectError),
}

/// The thresholds that are tried.
const THRESHOLDS: &[f32] = &[
    0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75,
    0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995,
];

/// A combination of members and what it finds, by words, in sentences that it was not trained on.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// The threshold of a stack.
    pub threshold: Option<f32>,
    /// What it finds.
    pub counted: Counted,
}

/// A stack, and how it compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Stacked {
    /// The model, trained on all examples.
    pub stack: Stack,
    /// Union, majority and both stacks.
    pub rows: Vec<Compared>,
    /// What the stack's thresholds do, from the least to the greatest, cross-validated.
    pub curve: Vec<(f32, Counted)>,
    /// Whether the target is reached, cross-validated; true where there is none.
    pub reached: bool,
    /// How many words were learned from, and how many of them are identifiers'.
    pub learned_from: (usize, usize),
}

/// What members say of examples, and what there is to learn from it.
struct Heard<'a> {
    ensemble: &'a Ensemble,
    examples: &'a [Example],
    said: Vec<Said>,
    /// The words of each example that a stack decides about.
    rows: Vec<Vec<Row>>,
    fold: Vec<usize>,
}

/// Trains a stack over an ensemble. `proposing` has the members as the stack will have them, asked word by word; `united` has the same
/// behind their own dials, to compare with.
///
/// # Errors
/// [`TrainError::Empty`] where no claimed word is an identifier's or none is not, [`TrainError::Setting`] for settings that make no
/// sense or too few patients, and whatever a member's failure is.
pub fn train_stack(
    proposing: &Ensemble,
    united: &Ensemble,
    examples: &[Example],
    settings: &Settings,
) -> Result<Stacked, EnsembleError> {
    settings.check()?;
    super::data::check(examples)?;
    let fold = folds(examples, settings.folds, settings.seed);
    if fold.iter().max().is_none_or(|last| last + 1 < settings.folds) {
        return Err(TrainError::Setting { setting: "folds", must: "at most the number of patients" }.into());
    }
    let heard = Heard::new(proposing, examples, fold)?;
    let learned_from = heard.learned_from();
    let stack = heard.stack(settings.method, settings, None).ok_or(TrainError::Empty)?;
    let mut rows = Vec::new();
    let behind_dials = Heard::new(united, examples, heard.fold.clone())?;
    for (name, combine) in [("union", Combine::Union), ("majority", united.majority())] {
        rows.push(Compared { name: name.to_owned(), threshold: None, counted: behind_dials.counted(|_| &combine) });
    }
    let (mut curve, mut chosen) = (Vec::new(), None);
    for method in [Method::Logistic, Method::Svm] {
        let by_threshold = heard.curve(method, settings)?;
        let (threshold, counted, reached) = choose(&by_threshold, settings.target);
        rows.push(Compared { name: format!("stacking, {}", method.name()), threshold: Some(threshold), counted });
        if method == settings.method {
            (curve, chosen) = (by_threshold, Some((threshold, reached)));
        }
    }
    let (threshold, reached) = chosen.ok_or(TrainError::Empty)?;
    Ok(Stacked { stack: stack.with_threshold(threshold), rows, curve, reached, learned_from })
}

impl Settings {
    /// Refuses what makes no sense.
    ///
    /// # Errors
    /// [`TrainError::Setting`].
    pub fn check(&self) -> Result<(), TrainError> {
        let fail = |setting, must| Err(TrainError::Setting { setting, must });
        if !(self.proposals > 0.0 && self.proposals < 1.0) {
            return fail("proposals", "above 0 and below 1");
        }
        if !(self.c2 > 0.0 && self.c2.is_finite()) {
            return fail("c2", "a number above 0");
        }
        if self.folds < 2 {
            return fail("folds", "at least two");
        }
        self.target.map_or(Ok(()), Target::check)
    }
}

impl<'a> Heard<'a> {
    fn new(ensemble: &'a Ensemble, examples: &'a [Example], fold: Vec<usize>) -> Result<Self, DetectError> {
        let sentences: Vec<_> = examples.iter().map(|example| InContext::alone(&example.sentence)).collect();
        let said = ensemble.ask(&sentences, &mut |_| {})?;
        let rows = |(example, said): (&Example, &Said)| {
            let is_gold = |word: &Range<usize>| {
                example.spans.iter().any(|(range, _)| range.start < word.end && word.start < range.end)
            };
            let words = ensemble.candidates(&example.sentence, said).into_iter();
            words.map(|(word, features)| Row { gold: is_gold(&word), features }).collect()
        };
        let rows = examples.iter().zip(&said).map(rows).collect();
        Ok(Self { ensemble, examples, said, rows, fold })
    }

    fn learned_from(&self) -> (usize, usize) {
        let rows = || self.rows.iter().flatten();
        (rows().count(), rows().filter(|row| row.gold).count())
    }

    /// A stack trained on all examples but those of a fold; none where there is nothing to learn.
    fn stack(&self, method: Method, settings: &Settings, without: Option<usize>) -> Option<Stack> {
        let kept = self.rows.iter().zip(&self.fold).filter(|(_, fold)| Some(**fold) != without);
        let rows: Vec<Row> = kept.flat_map(|(rows, _)| rows.iter().cloned()).collect();
        if rows.iter().all(|row| row.gold) || rows.iter().all(|row| !row.gold) {
            return None;
        }
        Stack::new(method, settings.proposals, self.ensemble.models(), fit(method, &rows, settings.c2))
    }

    /// What a method finds at each threshold, cross-validated.
    fn curve(&self, method: Method, settings: &Settings) -> Result<Vec<(f32, Counted)>, TrainError> {
        let trained = |fold| self.stack(method, settings, Some(fold)).ok_or(TrainError::Empty);
        let stacks: Vec<Stack> = (0..settings.folds).map(trained).collect::<Result<_, _>>()?;
        let point = |threshold: &f32| {
            let turned = |stack: &Stack| Combine::Stacking(Arc::new(stack.clone().with_threshold(*threshold)));
            let by_fold: Vec<Combine> = stacks.iter().map(turned).collect();
            (*threshold, self.counted(|fold| &by_fold[fold]))
        };
        Ok(THRESHOLDS.iter().map(point).collect())
    }

    /// What is found where the examples of each fold are combined as `combine` says.
    fn counted<'c>(&self, combine: impl Fn(usize) -> &'c Combine) -> Counted {
        let mut counted = Counted::default();
        for ((example, said), fold) in self.examples.iter().zip(&self.said).zip(&self.fold) {
            let found = self.ensemble.combined(&example.sentence, said.clone(), combine(*fold), &mut |_| {});
            counted += count_found(example, &found);
        }
        counted
    }
}

/// The threshold that meets the target at the least cost, or comes nearest, with its figures, and whether it meets it.
fn choose(curve: &[(f32, Counted)], target: Option<Target>) -> (f32, Counted, bool) {
    let half = curve.iter().find(|(threshold, _)| *threshold == 0.5).copied().unwrap_or((0.5, Counted::default()));
    let Some(target) = target else { return (half.0, half.1, true) };
    let best = curve.iter().max_by(|one, other| target.compare(&one.1, &other.1)).copied().unwrap_or(half);
    (best.0, best.1, target.is_reached(&best.1))
}

impl fmt::Display for Stacked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{:<20}  threshold  precision  recall      F1", "by word")?;
        for row in &self.rows {
            let threshold = row.threshold.map_or_else(String::new, |threshold| threshold.to_string());
            let [precision, recall, f1] = row.counted.shown();
            writeln!(formatter, "{:<20}  {threshold:>9}  {precision:>9}  {recall:>6}  {f1:>6}", row.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{InclusionList, LearnedDetector, SentenceDetector, Templates};
    use crate::phi::{Detector, Label, Span};
    use crate::text::tokens;
    use crate::train::examples;

    /// Claims names, by chance one that is missed, and by chance one that is none; so surely as `sure` says.
    struct Member {
        salt: &'static str,
        proposing: bool,
    }

    /// The words that are identifiers: what begins so.
    fn is_name(word: &str) -> bool {
        word.starts_with("Zq")
    }

    impl LearnedDetector for Member {
        fn detector(&self) -> Detector {
            Detector::Crf
        }

        fn description(&self) -> String {
            self.salt.to_owned()
        }

        fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
            let of = |sentence: &&str| {
                let claim = |token: crate::text::Token| {
                    let word = token.text(sentence);
                    let chance = super::super::chance(1, format!("{} {word}", self.salt).as_bytes()) as f32;
                    let score = if is_name(word) { 0.15 + 0.85 * chance } else { 0.75 * chance };
                    let least = if self.proposing { 0.1 } else { 0.5 };
                    (score >= least && word.len() > 1)
                        .then(|| Span::new(token.start, token.end, Label::City, Detector::Crf, score))
                };
                tokens(sentence).filter_map(claim).collect()
            };
            Ok(sentences.iter().map(of).collect())
        }
    }

    /// Claims every word in capitals as a pattern of certain form.
    struct Capitals;

    impl SentenceDetector for Capitals {
        fn detector(&self) -> Detector {
            Detector::Pattern
        }

        fn detect(&self, sentence: &str, spans: &mut Vec<Span>) {
            let capitals = tokens(sentence).filter(|token| token.text(sentence).chars().all(char::is_uppercase));
            spans.extend(capitals.map(|token| Span::new(token.start, token.end, Label::IdNum, Detector::Pattern, 1.0)));
        }
    }

    fn ensemble(proposing: bool) -> Ensemble {
        let lists = (InclusionList::default(), Templates::default());
        let knowledge = Ensemble::knowledge(lists.0, lists.1).without_knowledge().with_member(Arc::new(Capitals));
        ["one", "two", "three"]
            .iter()
            .fold(knowledge, |ensemble, salt| ensemble.with_learned(Arc::new(Member { salt, proposing }), 1.0))
    }

    fn notes() -> Vec<Example> {
        let note = |at: usize| {
            let (name, other) = (format!("Zq{}", at * 7), format!("ab{}", at * 3));
            let text = format!("{name} met {other} and ab{} at XQ", at * 5);
            let start = text.find(" XQ").unwrap_or_default() + 1;
            let spans = [(0..name.len(), "CITY".to_owned()), (start..start + 2, "IDNUM".to_owned())];
            examples(&text, &spans, &format!("patient {}", at % 40))
        };
        (0..400).flat_map(note).collect()
    }

    fn row<'r>(stacked: &'r Stacked, name: &str) -> &'r Counted {
        &stacked.rows.iter().find(|row| row.name == name).unwrap().counted
    }

    #[test]
    fn a_stack_beats_union_and_majority_of_members_that_err_apart() {
        let (proposing, united, notes) = (ensemble(true), ensemble(false), notes());
        let stacked = train_stack(&proposing, &united, &notes, &Settings::default()).unwrap();
        let (union, majority) = (row(&stacked, "union"), row(&stacked, "majority"));
        assert!(union.recall() > majority.recall() && union.precision() < majority.precision(), "{stacked}");
        for name in ["stacking, logistic", "stacking, svm"] {
            assert!(row(&stacked, name).f1() > union.f1().max(majority.f1()), "{stacked}");
        }
        // Trained again it is the same, and through its file it finds the same.
        assert_eq!(train_stack(&proposing, &united, &notes, &Settings::default()).unwrap(), stacked);
        assert_eq!(Stack::parse(&stacked.stack.to_toml()).unwrap(), stacked.stack);
    }

    #[test]
    fn targets_are_met_and_cost_the_other_measure() {
        let (proposing, united, notes) = (ensemble(true), ensemble(false), notes());
        let trained = |target| {
            let settings = Settings { target: Some(target), method: Method::Svm, ..Settings::default() };
            train_stack(&proposing, &united, &notes, &settings).unwrap()
        };
        let (recall, precision) = (trained(Target::Recall(0.99)), trained(Target::Precision(0.99)));
        assert!(recall.reached && precision.reached, "{recall}{precision}");
        assert!(row(&recall, "stacking, svm").recall() >= 0.99 && row(&precision, "stacking, svm").precision() >= 0.99);
        assert!(recall.stack.threshold() <= precision.stack.threshold());
        // Beyond what is proposed there is nothing to keep.
        let recalls: Vec<f64> = recall.curve.iter().map(|(_, counted)| counted.recall()).collect();
        assert!(recalls.windows(2).all(|pair| pair[0] >= pair[1]), "{recalls:?}");
    }

    #[test]
    fn a_stack_never_takes_back_a_pattern_of_certain_form() {
        let stacked = train_stack(&ensemble(true), &ensemble(false), &notes(), &Settings::default()).unwrap();
        let combine = Combine::Stacking(Arc::new(stacked.stack.with_threshold(0.999_999)));
        let ensemble = ensemble(true).with_combination(combine, 1.0);
        let sentence = "Zq14 met ab6 and ab10 at XQ";
        let found = ensemble.detect_all(&[InContext::alone(sentence)], &mut |_| {}).unwrap();
        assert_eq!(found[0].iter().map(|span| &sentence[span.start..span.end]).collect::<Vec<_>>(), ["XQ"]);
    }

    #[test]
    fn what_cannot_be_learned_from_is_refused() {
        let (proposing, united, notes) = (ensemble(true), ensemble(false), notes());
        let fault = |notes: &[Example], settings: Settings| {
            train_stack(&proposing, &united, notes, &settings).unwrap_err().to_string()
        };
        assert!(fault(&notes, Settings { folds: 1, ..Settings::default() }).contains("`folds`"));
        assert!(fault(&notes, Settings { folds: 41, ..Settings::default() }).contains("`folds`"));
        assert!(fault(&notes, Settings { proposals: 0.0, ..Settings::default() }).contains("`proposals`"));
        let without: Vec<Example> = notes.iter().map(|note| Example { spans: Vec::new(), ..note.clone() }).collect();
        assert!(fault(&without, Settings::default()).contains("no example"));
    }
}
