//! What trained members say of sentences, heard once and read under any dial.
//!
//! ```text
//!               Seen by Rose Okafor                      bias 0          bias 2           DOCTOR from .95 on
//! transformer           .31  .98 DOCTOR                  [Okafor]     [Rose Okafor]         [Okafor]
//! ```
//!
//! A model is dear and its dial is cheap. So a transformer's probabilities are kept word by word; a CRF, whose dial changes what it
//! decodes, is decoded under each bias. What is read is what an ensemble with that dial finds, to the last byte.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::crf::{CrfDetector, Dial};
use super::description::{EnsembleDescription, Member, Trained};
use super::members::Half;
use super::model::Model;
use super::neural::{JudgedWord, NeuralDetector, RuntimeOptions, UNITS, spans, units};
use super::view::View;
use super::{DetectError, Ensemble, InclusionList, Said, Templates};
use crate::phi::{Class, Span};
use crate::text::InContext;

/// The least probability at which a word can be found, whatever the dial, in units of 1/1024.
const LEAST: u16 = 10;

/// How the dials of all trained members are turned, beside what the ensemble file has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// Taken from every member's score of no identifier, beside its own bias, in logarithms of odds: more finds more.
    pub bias: f32,
    /// By trained member, in their order, and class: the least probability, instead of the member's own and the bias.
    pub thresholds: BTreeMap<(usize, Class), f32>,
}

/// Sentences with what members say of them.
pub struct Replay<'s> {
    ensemble: Ensemble,
    sentences: Vec<&'s str>,
    said: Vec<Said>,
    heard: Vec<Heard>,
    biases: Vec<f32>,
}

/// What one trained member says, by sentence: nothing of those that it was not asked about.
struct Heard {
    model: Arc<Model>,
    said: Vec<Recorded>,
}

enum Recorded {
    Nothing,
    Words(View, Arc<Vec<JudgedWord>>),
    /// By bias.
    Spans(Vec<Vec<Span>>),
}

impl EnsembleDescription {
    /// Opens the members and hears them on sentences; dials can be turned to one of `biases` then.
    ///
    /// # Errors
    /// As [`EnsembleDescription::open`]; and where the ensemble has a stack or no trained member, for which there is no dial.
    pub fn replay<'s>(
        &self,
        lists: (InclusionList, Templates),
        options: &RuntimeOptions,
        sentences: Vec<&'s str>,
        biases: Vec<f32>,
    ) -> Result<Replay<'s>, DetectError> {
        if self.is_stacked() {
            return Err(self.fault("has a stack, whose threshold is its dial: turn it with `plainsight train stack`"));
        }
        let mut ensemble = self.open_knowledge(lists, Half::Both).combining(self.combine()?);
        let mut models = Vec::new();
        for member in &self.member {
            if let Some(model) = member.open(self.place, self.folder(), options)? {
                let model = Arc::new(model);
                ensemble = ensemble.with_learned(model.clone(), member.weight());
                models.push(model);
            }
        }
        if models.is_empty() {
            return Err(self.fault("has no trained member, so it has no dial"));
        }
        let said: Vec<Said> = sentences
            .iter()
            .map(|sentence| ensemble.said_by_knowledge(InContext::alone(sentence), &mut |_| {}))
            .collect();
        let hear = |model: Arc<Model>| {
            let said = match model.as_ref() {
                Model::Transformer(member) => words(member, &sentences, &said)?,
                Model::Crf(member) => decoded(member, &sentences, &said, &biases)?,
            };
            Ok(Heard { model, said })
        };
        let heard = models.into_iter().map(hear).collect::<Result<_, DetectError>>()?;
        Ok(Replay { ensemble, sentences, said, heard, biases })
    }

    /// The description with its members' dials turned: complete, so that no model's own threshold counts any more.
    #[must_use]
    pub fn turned(&self, replay: &Replay<'_>, turn: &Turn) -> Self {
        let mut description = self.clone();
        let learned = description.member.iter_mut().filter(|member| !matches!(member, Member::Knowledge { .. }));
        for (at, (member, heard)) in learned.zip(&replay.heard).enumerate() {
            match (member, heard.model.as_ref()) {
                (Member::Crf(Trained { bias, thresholds, .. }), Model::Crf(member)) => {
                    *bias = Some(member.model().dial().outside_bias + turn.bias);
                    let labels = member.classes().iter().zip(member.model().labels());
                    let own = labels.filter_map(|(class, label)| Some((label, turn.thresholds.get(&(at, *class))?)));
                    thresholds.extend(own.map(|(label, threshold)| (label.clone(), *threshold)));
                }
                (Member::Transformer(Trained { thresholds, .. }), Model::Transformer(member)) => {
                    *thresholds = member
                        .thresholds()
                        .map(|(class, own)| {
                            (class.to_string(), f32::from(turn.least(at, class, own)) / f32::from(UNITS))
                        })
                        .collect();
                }
                _ => (),
            }
        }
        description
    }
}

impl Turn {
    /// The least probability of a class, where the member's own is `own`, in units. A bias moves the odds.
    fn least(&self, member: usize, class: Class, own: u16) -> u16 {
        if let Some(threshold) = self.thresholds.get(&(member, class)) {
            return units(*threshold).max(LEAST);
        }
        let own = f64::from(own) / f64::from(UNITS);
        let odds = own / (1.0 - own) * f64::from(-self.bias).exp();
        let moved = if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 };
        units(moved as f32).max(LEAST)
    }
}

impl Replay<'_> {
    /// How many sentences there are.
    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// Whether a sentence's spans are the same however dials are turned.
    pub fn is_fixed(&self, at: usize) -> bool {
        self.heard.iter().all(|heard| match &heard.said[at] {
            Recorded::Nothing => true,
            Recorded::Words(_, words) => words.iter().all(|word| word.of_any < LEAST),
            Recorded::Spans(by_bias) => by_bias.iter().all(|spans| spans.is_empty()),
        })
    }

    /// The sentences on which the threshold of a member and class can tell.
    pub fn by_class(&self) -> BTreeMap<(usize, Class), Vec<usize>> {
        let mut places: BTreeMap<(usize, Class), Vec<usize>> = BTreeMap::new();
        for (member, heard) in self.heard.iter().enumerate() {
            for (at, recorded) in heard.said.iter().enumerate() {
                let mut classes: Vec<Class> = match recorded {
                    Recorded::Nothing => continue,
                    Recorded::Words(_, words) => {
                        words.iter().filter(|word| word.of_any >= LEAST).map(|word| word.class).collect()
                    }
                    Recorded::Spans(by_bias) => by_bias.iter().flatten().map(|span| span.claims[0].class).collect(),
                };
                classes.sort_unstable();
                classes.dedup();
                classes.into_iter().for_each(|class| places.entry((member, class)).or_default().push(at));
            }
        }
        places
    }

    /// Whether a member finds other spans of a class in a sentence with one turn than with another, which differ in the threshold of this
    /// class only.
    pub fn differs(&self, at: usize, of: (usize, Class), one: &Turn, other: &Turn) -> bool {
        let (member, class) = of;
        let between = |one: f32, other: f32, score: f32| (score >= one) != (score >= other);
        match &self.heard[member].said[at] {
            Recorded::Nothing => false,
            Recorded::Words(_, words) => words.iter().filter(|word| word.class == class).any(|word| {
                let least = [one, other].map(|turn| f32::from(turn.least(member, class, word.threshold)));
                between(least[0], least[1], f32::from(word.of_any))
            }),
            Recorded::Spans(_) => {
                self.read(member, &self.heard[member], at, one) != self.read(member, &self.heard[member], at, other)
            }
        }
    }

    /// What the ensemble finds in a sentence with its dials turned; the bias is one of those that were heard, or the nearest is taken.
    pub fn found(&self, at: usize, turn: &Turn) -> Vec<Span> {
        let mut said = self.said[at].clone();
        if let Some(learned) = &mut said.learned {
            *learned = self.heard.iter().enumerate().map(|(place, heard)| self.read(place, heard, at, turn)).collect();
            said.considered = self.considered(at);
        }
        self.ensemble.combined(self.sentences[at], said, &self.ensemble.combine, &mut |_| {})
    }

    /// The words that a transformer gives a thought; none where none was asked.
    fn considered(&self, at: usize) -> Option<Vec<Span>> {
        let mut considered = None;
        for heard in &self.heard {
            let Recorded::Words(view, words) = &heard.said[at] else { continue };
            let words = JudgedWord::kept(words).into_iter().filter_map(|word| view.led_back(word.considered()));
            considered.get_or_insert_with(Vec::new).extend(words);
        }
        considered
    }

    fn read(&self, member: usize, heard: &Heard, at: usize, turn: &Turn) -> Vec<Span> {
        match (&heard.said[at], heard.model.as_ref()) {
            (Recorded::Words(view, words), _) => {
                let turned = |word: &JudgedWord| JudgedWord {
                    threshold: turn.least(member, word.class, word.threshold),
                    ..word.clone()
                };
                let words: Vec<JudgedWord> = words.iter().map(turned).collect();
                spans(&words).into_iter().filter_map(|span| view.led_back(span)).collect()
            }
            (Recorded::Spans(by_bias), Model::Crf(model)) => {
                let distance = |step: &usize| (self.biases[*step] - turn.bias).abs();
                let nearest = (0..by_bias.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)));
                let sure = |span: &&Span| {
                    let class = span.claims[0].class;
                    let own = model.classes().iter().position(|other| *other == class);
                    let own = own.and_then(|label| model.model().dial().thresholds.get(label)).copied().unwrap_or(0.0);
                    span.claims[0].score >= turn.thresholds.get(&(member, class)).copied().unwrap_or(own)
                };
                nearest.map_or_else(Vec::new, |step| by_bias[step].iter().filter(sure).cloned().collect())
            }
            _ => Vec::new(),
        }
    }
}

/// What a transformer says of every word of the sentences that it is asked about, each view once.
fn words(member: &NeuralDetector, sentences: &[&str], said: &[Said]) -> Result<Vec<Recorded>, DetectError> {
    let view = |(sentence, said): (&&str, &Said)| {
        said.learned.is_some().then(|| View::of(InContext::alone(sentence), &said.known))
    };
    let views: Vec<Option<View>> = sentences.iter().zip(said).map(view).collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    for view in views.iter().flatten() {
        places.entry(&view.text).or_insert_with(|| {
            distinct.push(&view.text);
            distinct.len() - 1
        });
    }
    let judged: Vec<Arc<Vec<JudgedWord>>> = member.judge_all(&distinct)?.into_iter().map(Arc::new).collect();
    let recorded = |view: &Option<View>| match view {
        Some(view) => Recorded::Words(view.clone(), judged[places[view.text.as_str()]].clone()),
        None => Recorded::Nothing,
    };
    Ok(views.iter().map(recorded).collect())
}

/// What a CRF finds under each bias, beside its own, in the sentences that it is asked about.
fn decoded(
    member: &CrfDetector,
    sentences: &[&str],
    said: &[Said],
    biases: &[f32],
) -> Result<Vec<Recorded>, DetectError> {
    let own = member.model().dial().outside_bias;
    let mut detectors = Vec::with_capacity(biases.len());
    for bias in biases {
        let dial = Dial { outside_bias: own + bias, thresholds: Vec::new() };
        let detector = CrfDetector::new(member.model().clone().with_dial(dial));
        detectors.push(detector.map_err(|_| DetectError::Stopped { detector: crate::phi::Detector::Crf })?);
    }
    let one = |(sentence, said): (&&str, &Said)| {
        if said.learned.is_none() {
            return Recorded::Nothing;
        }
        let under = |detector: &CrfDetector| {
            let mut spans = Vec::new();
            detector.detect_in_context(None, sentence, &mut spans);
            spans
        };
        Recorded::Spans(detectors.iter().map(under).collect())
    };
    Ok(sentences.iter().zip(said).map(one).collect())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::detect::neural::RuntimeChoice;
    use crate::train::crf::{Settings, train};
    use crate::train::{Example, examples};

    const NOTES: [&str; 6] = [
        "Patient seen by Dr. John SMITHson on March 3, 2024 in Boston.",
        "Mary Márquez was in pain; no fever. Lives in Troy, near Keene.",
        "john and mary smith of boston clinic, march 3",
        "Abdomen soft, no rebound.",
        "MRN: 4471-22\n  JOSÉ in clinic",
        "Kay called Okafor; x9 of the and mary john boston smith march",
    ];

    fn lists() -> (InclusionList, Templates) {
        (InclusionList::default(), Templates::default())
    }

    fn rten() -> RuntimeOptions {
        RuntimeOptions { runtime: RuntimeChoice::Rten, ..RuntimeOptions::default() }
    }

    /// A CRF that has learned names and towns by the words before them.
    fn crf() -> Vec<u8> {
        let note = |at: usize| -> Vec<Example> {
            let (name, town) = (["Lee", "Okafor", "Smith", "Diaz"][at % 4], ["Troy", "Boston", "Keene"][at % 3]);
            let text = format!("Seen by Dr. {name} today. She lives in {town} alone. No pain in the knee.");
            let place = |word: &str| text.find(word).map_or(0..0, |start| start..start + word.len());
            let spans = [(place(name), "DOCTOR".to_owned()), (place(town), "CITY".to_owned())];
            examples(&text, &spans, &format!("note {at}"))
        };
        let notes: Vec<Example> = (0..24).flat_map(note).collect();
        let settings = Settings { iterations: 15, ..Settings::default() };
        train(&notes, &settings).unwrap().with_description("tiny").to_bytes().unwrap()
    }

    fn file(folder: &Path, combine: &str) -> PathBuf {
        let transformer = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/detect/neural/fixtures/plain");
        let text = format!(
            "format = 1\n{combine}\n[[member]]\nkind = \"knowledge\"\n[[member]]\nkind = \"transformer\"\npath = {:?}\n\
             thresholds = {{ PATIENT = 0.6 }}\n[[member]]\nkind = \"crf\"\npath = \"site.crf\"\nweight = 2.0\nbias = 0.5\n\
             thresholds = {{ CITY = 0.2 }}\n",
            transformer
        );
        std::fs::write(folder.join("site.crf"), crf()).unwrap();
        let file = folder.join("ensemble.toml");
        std::fs::write(&file, text).unwrap();
        file
    }

    #[test]
    fn a_replay_finds_what_the_ensemble_with_these_dials_finds() {
        let folder = tempfile::tempdir().unwrap();
        let biases = vec![-1.0, 0.0, 1.5, 4.0];
        let mut found_by_turn = Vec::new();
        for combine in ["gate = true", "combine = \"majority\""] {
            let description = EnsembleDescription::read(&file(folder.path(), combine)).unwrap();
            let replay = description.replay(lists(), &rten(), NOTES.to_vec(), biases.clone()).unwrap();
            let classes: Vec<(usize, Class)> = replay.by_class().into_keys().collect();
            assert!(classes.iter().any(|(member, _)| *member == 0) && classes.iter().any(|(member, _)| *member == 1));
            for bias in &biases {
                for threshold in [None, Some(0.02), Some(0.7)] {
                    let class =
                        threshold.map(|threshold| classes.iter().step_by(2).map(move |class| (*class, threshold)));
                    let turn = Turn { bias: *bias, thresholds: class.into_iter().flatten().collect() };
                    let written = folder.path().join("turned.toml");
                    let turned = description.turned(&replay, &turn).to_toml(folder.path());
                    std::fs::write(&written, &turned).unwrap();
                    let ensemble = Ensemble::open(&written, lists(), Half::Both, &rten()).unwrap();
                    let found = ensemble.detect_all(&NOTES.map(InContext::alone), &mut |_| {}).unwrap();
                    let replayed: Vec<_> = (0..replay.len()).map(|at| replay.found(at, &turn)).collect();
                    assert_eq!(replayed, found, "{turned}");
                    found_by_turn.push(found.iter().flatten().map(Span::len).sum::<usize>());
                }
            }
        }
        assert!(found_by_turn.iter().max() > found_by_turn.iter().min(), "{found_by_turn:?}");
    }

    #[test]
    fn an_ensemble_without_dials_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ensemble.toml");
        let refused = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let description = EnsembleDescription::read(&path).unwrap();
            description.replay(lists(), &rten(), Vec::new(), Vec::new()).err().map(|error| error.to_string())
        };
        assert!(
            refused("format = 1\n[[member]]\nkind = \"knowledge\"\n").is_some_and(|error| error.contains("no trained"))
        );
        let stacked = "format = 1\ncombine = \"stacking\"\nstack = \"s.toml\"\n[[member]]\nkind = \"knowledge\"\n";
        assert!(refused(stacked).is_some_and(|error| error.contains("has a stack")));
    }
}
