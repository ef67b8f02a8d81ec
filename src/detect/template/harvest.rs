//! Templates from a sample: what always has one shape, and is always claimed alike, becomes a rule (Murugadoss et al. 2021).
//!
//! ```text
//! sample ─ ensemble ─▶ sentence, spans ─┬─ syntax_template, ner_template ─ grouped ─▶ SyntaxShape ─▶ Harvester::new
//!                                       └─ every distinct sentence, once more ────────────────────▶ Harvester::see
//! Harvester::finish ─▶ Harvest { rules, conflicts, refusals } ─ to_toml ─▶ a template file
//! ```
//!
//! The shapes alone do not tell how pure a rule is: its expression may match sentences of which the ensemble claims otherwise, or
//! nothing, and their syntax templates are others. So each sentence of the sample is held against the rules before they are given
//! out. What the ensemble is not of one mind about is reported, not guessed.

use std::fmt;

use super::Template;
use super::agreement::{Agreement, Tally};
use super::automaton::Automaton;
use super::claimed_words::ClaimedWords;
use super::file::{Support, WrittenRule};
use super::form::{Form, Part};
use super::refusal::{Reason, Refusal, Settings, fillings, refusal_of_text};
use super::syntax::{form_of, has_tags};
use crate::detect::DetectError;
use crate::phi::Span;

/// A syntax template with all NER templates that its sentences have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxShape {
    /// From [`syntax_template`](super::syntax_template).
    pub syntax: String,
    /// Its NER templates, each once.
    pub readings: Vec<Reading>,
    /// Patients with such a sentence, however it reads.
    pub patients: u64,
}

/// A NER template of sentences of one syntax template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// From [`ner_template`](super::ner_template).
    pub ner: String,
    /// Distinct sentences.
    pub sentences: u64,
    /// Sentences, repeated ones included.
    pub occurrences: u64,
}

/// A template that was found and is safe to be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The regular expression.
    pub pattern: String,
    /// How often sentences of its syntax template were seen.
    pub support: Support,
    /// How it stands to the ensemble on every sentence of the sample that it matches; its purity is in there.
    pub tally: Tally,
    /// Sentences that it tags, in the mark-up of template files: its slots are filled at random, so nobody is in them.
    pub examples: Vec<String>,
}

/// A syntax template that the ensemble is not of one mind about. `Display` tells counts, never the text.
#[derive(Clone, PartialEq)]
pub struct Conflict {
    /// The syntax template: as confidential as the notes.
    pub syntax: String,
    /// How often it was seen.
    pub support: Support,
    /// Its NER templates that mean different things, each once, the commonest first.
    pub readings: Vec<Reading>,
    /// How its commonest reading stands to the ensemble on the sample; nothing where the others are too common for it to be tried.
    pub tally: Tally,
}

impl fmt::Display for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { agreeing, completing, contradicting, losing } = self.tally;
        match self.tally.matched() {
            1.. => write!(
                formatter,
                "{agreeing} sentences agree, {completing} have less, {contradicting} other claims, {losing} elsewhere: "
            )?,
            0 => write!(formatter, "{} readings: ", self.readings.len())?,
        }
        write!(formatter, "{}", self.support)
    }
}

impl fmt::Debug for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readings = self.readings.len();
        formatter.debug_struct("Conflict").field("readings", &readings).field("tally", &self.tally).finish()
    }
}

/// What a sample gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Harvest {
    /// Those with the most slots first, so that where two match, the one that takes in more tags; then the commonest.
    pub rules: Vec<Rule>,
    /// What the ensemble is not of one mind about, the commonest first.
    pub conflicts: Vec<Conflict>,
    /// What must not become a rule, the commonest first.
    pub refusals: Vec<Refusal>,
}

impl Harvest {
    /// The rules as a template file, which [`Templates::parse`](super::Templates::parse) reads.
    pub fn to_toml(&self) -> String {
        let written = (1_usize..).zip(&self.rules).map(|(number, rule)| rule.written(number).to_toml());
        written.collect::<Vec<_>>().join("\n")
    }
}

impl Rule {
    fn written(&self, number: usize) -> WrittenRule {
        WrittenRule {
            name: format!("harvested-{number:05}"),
            pattern: self.pattern.clone(),
            support: Some(self.support),
            purity: Some(self.tally.purity()),
            matches: self.examples.clone(),
            rejects: Vec::new(),
        }
    }
}

/// Makes rules of the shapes of a sample.
#[derive(Clone)]
pub struct Harvester {
    settings: Settings,
    candidates: Vec<Candidate>,
    automaton: Automaton,
    claimed_words: ClaimedWords,
    harvest: Harvest,
}

#[derive(Clone)]
struct Candidate {
    syntax: String,
    /// Its NER templates that mean different things; the form is that of the commonest.
    readings: Vec<Reading>,
    support: Support,
    form: Form,
    pattern: String,
    tally: Tally,
    /// Whether a word of its text that is on no list is claimed somewhere in the sample.
    is_claimed: bool,
}

impl Harvester {
    /// Takes the shapes that can become rules; those in which nothing is claimed are left out.
    pub fn new(shapes: impl IntoIterator<Item = SyntaxShape>, settings: Settings) -> Self {
        let (mut candidates, mut harvest) = (Vec::new(), Harvest::default());
        for shape in shapes {
            let support = support_of(&shape);
            match Candidate::of(shape, support, &settings) {
                Ok(candidate) => candidates.extend(candidate),
                Err(Left::Refused(refusal)) => harvest.refusals.push(refusal),
                Err(Left::Conflicting(conflict)) => harvest.conflicts.push(conflict),
            }
        }
        // The order of shapes may be any; that of rules is not.
        candidates.sort_by(|one, other| one.rank().cmp(&other.rank()));
        let forms = (0..).zip(candidates.iter().map(|candidate: &Candidate| &candidate.form));
        let automaton = Automaton::new(forms);
        let claimed_words = ClaimedWords::new(candidates.iter().map(|candidate| &candidate.form));
        Self { settings, candidates, automaton, claimed_words, harvest }
    }

    /// Holds a distinct sentence of the sample against the rules to be. `spans` are the ensemble's, in order and not overlapping:
    /// sentences without any must be shown too.
    pub fn see(&mut self, sentence: &str, spans: &[Span]) {
        for number in self.automaton.all(sentence) {
            let candidate = &mut self.candidates[number as usize];
            if let Some(slots) = candidate.form.read(sentence) {
                candidate.tally.count(Agreement::of(sentence, &slots, spans));
            }
        }
        for number in self.claimed_words.held_by(sentence, spans) {
            self.candidates[number].is_claimed = true;
        }
    }

    /// Gives out the rules.
    ///
    /// `detect` gives the spans of sentences, as [`Ensemble::detect_all`](crate::detect::Ensemble::detect_all) does: it is asked
    /// about each rule with its slots filled at random, and must know neither the rules nor an inclusion list, which would answer
    /// in its place.
    ///
    /// # Errors
    /// Those of `detect`.
    pub fn finish(
        self,
        mut detect: impl FnMut(&[&str]) -> Result<Vec<Vec<Span>>, DetectError>,
    ) -> Result<Harvest, DetectError> {
        let Self { settings, candidates, mut harvest, .. } = self;
        for candidate in candidates {
            match candidate.judged(&settings, &mut detect)? {
                Ok(rule) => harvest.rules.push(rule),
                Err(Left::Refused(refusal)) => harvest.refusals.push(refusal),
                Err(Left::Conflicting(conflict)) => harvest.conflicts.push(conflict),
            }
        }
        let rank = |support: &Support, syntax: &str| (std::cmp::Reverse(support.occurrences), syntax.to_owned());
        harvest.conflicts.sort_by_cached_key(|conflict| rank(&conflict.support, &conflict.syntax));
        harvest.refusals.sort_by_cached_key(|refusal| rank(&refusal.support, &refusal.syntax));
        Ok(harvest)
    }
}

/// What does not become a rule.
enum Left {
    Refused(Refusal),
    Conflicting(Conflict),
}

fn support_of(shape: &SyntaxShape) -> Support {
    let sum = |count: fn(&Reading) -> u64| shape.readings.iter().map(count).fold(0, u64::saturating_add);
    Support {
        sentences: sum(|reading| reading.sentences),
        occurrences: sum(|reading| reading.occurrences),
        patients: shape.patients,
    }
}

/// The form of a shape's commonest reading, and its readings, the commonest first. Readings that mean the same to a rule are one:
/// an age of 90 and one of 40. None where any of them has no form.
fn read_forms(shape: &SyntaxShape) -> Option<(Form, Vec<Reading>)> {
    let mut readings: Vec<(Form, Reading)> = Vec::new();
    for reading in &shape.readings {
        let form = form_of(&shape.syntax, &reading.ner)?;
        match readings.iter_mut().find(|(known, _)| *known == form) {
            Some((_, known)) => {
                known.sentences = known.sentences.saturating_add(reading.sentences);
                known.occurrences = known.occurrences.saturating_add(reading.occurrences);
            }
            None => readings.push((form, reading.clone())),
        }
    }
    readings.sort_by(|(_, one), (_, other)| other.sentences.cmp(&one.sentences).then_with(|| one.ner.cmp(&other.ner)));
    let form = readings.first()?.0.clone();
    Some((form, readings.into_iter().map(|(_, reading)| reading).collect()))
}

impl Candidate {
    /// The candidate that a shape is; none where nothing is claimed in its sentences.
    fn of(shape: SyntaxShape, support: Support, settings: &Settings) -> Result<Option<Self>, Left> {
        let refused = |shape: SyntaxShape, reason| Left::Refused(Refusal { syntax: shape.syntax, support, reason });
        if !shape.readings.iter().any(|reading| has_tags(&reading.ner)) {
            return Ok(None);
        }
        if support.patients < settings.least_patients {
            return Err(refused(shape, Reason::FewPatients));
        }
        if support.sentences < settings.least_sentences {
            return Err(refused(shape, Reason::FewSentences));
        }
        let Some((form, readings)) = read_forms(&shape) else { return Err(refused(shape, Reason::NoForm)) };
        let commonest = readings.first().map_or(0, |reading| reading.sentences);
        if (commonest as f64) < settings.least_purity * support.sentences as f64 {
            let tally = Tally::default();
            return Err(Left::Conflicting(Conflict { syntax: shape.syntax, support, readings, tally }));
        }
        if let Some(reason) = refusal_of_text(&form) {
            return Err(refused(shape, reason));
        }
        match form.pattern() {
            Some(pattern) => {
                let SyntaxShape { syntax, .. } = shape;
                Ok(Some(Self { syntax, readings, support, form, pattern, tally: Tally::default(), is_claimed: false }))
            }
            None => Err(refused(shape, Reason::Unwritable)),
        }
    }

    /// The order of rules: the most slots first, then the commonest.
    fn rank(&self) -> (std::cmp::Reverse<usize>, std::cmp::Reverse<u64>, &str) {
        let runs = self.form.parts().iter().filter(|part| matches!(part, Part::Run(_))).count();
        (std::cmp::Reverse(runs), std::cmp::Reverse(self.support.occurrences), &self.pattern)
    }

    fn judged(
        self,
        settings: &Settings,
        detect: &mut impl FnMut(&[&str]) -> Result<Vec<Vec<Span>>, DetectError>,
    ) -> Result<Result<Rule, Left>, DetectError> {
        let Self { syntax, readings, support, form, pattern, tally, is_claimed } = self;
        if tally.matched() == 0 {
            return Ok(Err(Left::Refused(Refusal { syntax, support, reason: Reason::Unseen })));
        }
        let is_pure = tally.purity() >= settings.least_purity;
        if !is_pure || tally.lost() > settings.most_lost || tally.completed() > settings.most_completed {
            return Ok(Err(Left::Conflicting(Conflict { syntax, support, readings, tally })));
        }
        if is_claimed {
            return Ok(Err(Left::Refused(Refusal { syntax, support, reason: Reason::Name })));
        }
        let seed = xxhash_rust::xxh3::xxh3_64(pattern.as_bytes());
        let examples = match fillings(&form, seed, settings, detect)? {
            Ok(examples) => examples,
            Err(reason) => return Ok(Err(Left::Refused(Refusal { syntax, support, reason }))),
        };
        let rule = Rule { pattern, support, tally, examples };
        match Template::compile(&rule.written(0)) {
            Ok(_) => Ok(Ok(rule)),
            Err(_) => Ok(Err(Left::Refused(Refusal { syntax, support, reason: Reason::Unwritable }))),
        }
    }
}

#[cfg(test)]
#[path = "harvest_tests.rs"]
mod tests;
