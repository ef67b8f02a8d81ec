//! The parrot attack (Carrell et al.), with all that an attacker may have besides.
//!
//! ```text
//! output ─┬─ a fifth of the patients, annotated by hand ─ CRF ─▶ the parrot ─┐ how sure it is of each candidate
//!         └─ the others ─────────────────────────────────────────────────────┴─▶ clues ─ regression ─▶ leak scores
//! the same with notes, key and leaks of the attacker's own ─▶ the regression's weights, and the threshold
//! ```
//!
//! The attacker is given every candidate, as if he read all notes and overlooked nothing; which ones are leaks is what he guesses.

use plainsight::detect::crf::{CrfModel, Dial, Workspace};
use plainsight::detect::{DetectError, Ensemble};
use plainsight::text::sentences;
use plainsight::train::crf::{Settings, train};
use plainsight::train::{Example, TrainError, examples};

use crate::clues::{CLUES, clues};
use crate::corpus::{Leak, Released};
use crate::groups::{GROUPS, Group};
use crate::index::Index;
use crate::regression::Regression;

/// One patient in this many is annotated by the attacker.
const ANNOTATED: usize = 5;
/// How far the parrot is turned towards finding more, so that what it doubts has a score too.
const BIAS: f32 = 3.0;
/// Classes with fewer leaks of the attacker's own share one regression.
const LEAST: usize = 20;
/// The places of the vector after the clues: what the parrot says, and whether the tool itself finds the candidate again.
const PARROT: usize = CLUES.len();
const AGAIN: usize = PARROT + 1;

/// A candidate of a patient that was not annotated.
pub struct Suspect {
    pub patient: usize,
    pub group: Group,
    pub leak: Option<Leak>,
    pub handwritten: bool,
    /// The clues, the parrot's score, and 1 where the tool finds it again.
    clues: Vec<f32>,
}

/// What an attacker uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// The clues and the parrot: what Carrell et al. grant him.
    Parrot,
    /// Besides, the very tool that made the output, run on the output.
    SameTool,
    /// The parrot's score alone.
    ParrotAlone,
    /// The clues alone.
    CluesAlone,
    /// One clue, by its place.
    Clue(usize),
}

/// Annotates, trains the parrot, and measures every candidate of the other patients.
pub fn suspects(notes: &[Released], ensemble: &Ensemble) -> Result<Vec<Suspect>, AttackError> {
    let annotated: Vec<Example> = notes.iter().filter(|note| is_annotated(note)).flat_map(annotation).collect();
    let settings = Settings { iterations: 40, tolerance: 1e-3, ..Settings::default() };
    let parrot = train(&annotated, &settings)?.with_dial(Dial { outside_bias: BIAS, thresholds: Vec::new() });
    let index = Index::of(notes);
    let texts: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    let found_again = ensemble.detect_texts(&texts, plainsight::text::ContextMode::default())?;
    let mut suspects = Vec::new();
    let mut workspace = Workspace::default();
    for (note, again) in notes.iter().zip(found_again).filter(|(note, _)| !is_annotated(note)) {
        let parroted = parroted(&parrot, &note.text, &mut workspace);
        for (place, candidate) in note.candidates.iter().enumerate() {
            let range = &candidate.range;
            let over = parroted.iter().filter(|(found, _)| found.start < range.end && range.start < found.end);
            let sure: f32 = over
                .map(|(found, score)| score * (found.end.min(range.end) - found.start.max(range.start)) as f32)
                .sum();
            let again = again.iter().any(|span| span.start < range.end && range.start < span.end);
            let mut clues = clues(&index, note, place).to_vec();
            clues.extend([sure / range.len().max(1) as f32, f32::from(u8::from(again))]);
            let (group, leak) = (candidate.group, candidate.leak);
            suspects.push(Suspect { patient: note.patient, group, leak, handwritten: note.handwritten, clues });
        }
    }
    Ok(suspects)
}

const fn is_annotated(note: &Released) -> bool {
    note.patient.is_multiple_of(ANNOTATED)
}

/// The attacker marks all that looks like an identifier, and does not say what it is.
fn annotation(note: &Released) -> Vec<Example> {
    let spans: Vec<_> = note.candidates.iter().map(|candidate| (candidate.range.clone(), "PHI".to_owned())).collect();
    examples(&note.text, &spans, &note.patient.to_string())
}

/// What the parrot finds in a note, as bytes of it, and how sure it is.
fn parroted(parrot: &CrfModel, text: &str, workspace: &mut Workspace) -> Vec<(std::ops::Range<usize>, f32)> {
    let (mut found, mut predictions, mut before) = (Vec::new(), Vec::new(), None);
    for sentence in sentences(text) {
        parrot.predict(before.map(|before| &text[before]), &text[sentence.clone()], workspace, &mut predictions);
        let in_note = |place: usize| sentence.start + place;
        found.extend(predictions.iter().map(|one| (in_note(one.range.start)..in_note(one.range.end), one.score)));
        before = Some(sentence);
    }
    found
}

/// What each place of the vector is called.
pub fn clue_names() -> Vec<&'static str> {
    CLUES.into_iter().chain(["the parrot", "found again by this program"]).collect()
}

/// An attacker who has practised on leaks of his own.
pub struct Attacker {
    means: Means,
    /// For each class, and last for all classes together.
    regressions: Vec<Option<Regression>>,
    /// The score from which he calls a candidate of a class a leak.
    thresholds: Vec<f64>,
}

impl Attacker {
    /// Practises.
    pub fn practised(shadow: &[Suspect], means: Means) -> Self {
        let fit = |group: Option<Group>| {
            let own = shadow.iter().filter(|suspect| group.is_none_or(|group| suspect.group == group));
            let vectors: Vec<(Vec<f32>, bool)> =
                own.map(|suspect| (means.vector(suspect, group.is_none()), suspect.leak.is_some())).collect();
            let examples: Vec<(&[f32], bool)> = vectors.iter().map(|(clues, leak)| (clues.as_slice(), *leak)).collect();
            let enough = group.is_none() || examples.iter().filter(|(_, leak)| *leak).count() >= LEAST;
            enough.then(|| Regression::fit(&examples))
        };
        let regressions = (0..GROUPS.len()).map(Some).chain([None]).map(fit).collect();
        let mut attacker = Self { means, regressions, thresholds: Vec::new() };
        attacker.thresholds = (0..GROUPS.len()).map(|group| attacker.best_threshold(shadow, group)).collect();
        attacker
    }

    /// How much speaks for a leak.
    pub fn score(&self, suspect: &Suspect) -> f64 {
        let own = self.regressions[suspect.group].as_ref();
        let regression = own.or(self.regressions[GROUPS.len()].as_ref());
        regression.map_or(0.0, |regression| regression.score(&self.means.vector(suspect, own.is_none())))
    }

    /// Whether he calls a candidate of a class with this score a leak.
    pub fn accuses(&self, group: Group, score: f64) -> bool {
        score >= self.thresholds[group]
    }

    /// The threshold with the largest difference of true and false positive rates on his own leaks.
    fn best_threshold(&self, shadow: &[Suspect], group: Group) -> f64 {
        let own = shadow.iter().filter(|suspect| suspect.group == group);
        let mut scored: Vec<(f64, bool)> = own.map(|suspect| (self.score(suspect), suspect.leak.is_some())).collect();
        scored.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
        let leaks = scored.iter().filter(|(_, leak)| *leak).count().max(1) as f64;
        let others = (scored.len() as f64 - leaks).max(1.0);
        let (mut rates, mut best) = (0.0, (0.0, f64::INFINITY));
        for (place, (score, leak)) in scored.iter().enumerate() {
            rates += if *leak { 1.0 / leaks } else { -1.0 / others };
            let is_last = scored.get(place + 1).is_none_or(|(next, _)| next < score);
            if is_last && rates > best.0 {
                best = (rates, *score);
            }
        }
        best.1
    }
}

impl Means {
    /// What of a suspect's clues is used; one regression for all classes is told the class.
    fn vector(self, suspect: &Suspect, with_class: bool) -> Vec<f32> {
        let mut clues = match self {
            Self::Parrot => suspect.clues[..AGAIN].to_vec(),
            Self::SameTool => suspect.clues.clone(),
            Self::ParrotAlone => vec![suspect.clues[PARROT]],
            Self::CluesAlone => suspect.clues[..PARROT].to_vec(),
            Self::Clue(place) => vec![suspect.clues[place]],
        };
        if with_class {
            clues.extend((0..GROUPS.len()).map(|group| f32::from(u8::from(group == suspect.group))));
        }
        clues
    }
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum AttackError {
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error(transparent)]
    Detect(#[from] DetectError),
}
