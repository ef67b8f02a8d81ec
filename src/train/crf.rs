//! Training the CRF.
//!
//! ```text
//! examples ─ Data ─▶ Objective ─ minimize (L-BFGS or OWL-QN) ─▶ weights ─ whole numbers of 16 bits ─▶ CrfModel
//!   └ stopping groups ─ F1 every ten steps ─▶ stop early, keep the best
//! ```
//!
//! The objective is CRFsuite's: the negative log-likelihood, plus `c1` times the sum of the weights' absolute values, plus `c2`
//! times the sum of their squares. With a base model both count the distance from its weights instead (the adaptation of Chelba
//! and Acero 2006), so that what new examples say nothing about stays as it was.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::data::Data;
use super::minimize::{Options, minimize};
use super::objective::{Features, Objective};
use super::scores::evaluate;
use super::{Example, TrainError, divided, has_identifiers};
use crate::detect::crf::{CrfModel, Families, Scheme, Transitions, Weight, Weights};

pub use super::sampling::{Negatives, Sampling};

/// Makes the draw of the stopping groups another one than that of the development groups. Drawn by the same seed, the groups that come first
/// are the same ones, and those were taken out before.
const STOPPING: u64 = 0x7374_6f70_7069_6e67;

/// How to train.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The families of features.
    pub families: Families,
    /// The tags of tokens.
    pub scheme: Scheme,
    /// Which tokens outside of identifiers to learn from.
    pub sampling: Sampling,
    /// Which sentences without identifiers to learn from.
    pub negatives: Negatives,
    /// How often an attribute must occur, with a tag, to have a weight for it.
    pub min_count: usize,
    /// The weight of the absolute penalty: more makes a smaller model.
    pub c1: f64,
    /// The weight of the square penalty.
    pub c2: f64,
    /// At most this many steps.
    pub iterations: usize,
    /// Training ends when ten steps together lower the objective by less than this share.
    pub tolerance: f64,
    /// The share of groups kept from training to stop early by, in [0, 1); 0 for none.
    pub development_share: f64,
    /// How many looks at the development groups, one every ten steps, may bring no better F1 before training ends.
    pub patience: usize,
    /// What chance depends on.
    pub seed: u64,
    /// How many threads to use, at most four; the model does not depend on it.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            families: Families::ALL,
            scheme: Scheme::Bio,
            sampling: Sampling::All,
            negatives: Negatives::Full,
            min_count: 2,
            c1: 0.06,
            c2: 0.1,
            iterations: 100,
            tolerance: 1e-4,
            development_share: 0.0,
            patience: 3,
            seed: 1,
            threads: 1,
        }
    }
}

/// How far training is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Steps so far.
    pub iteration: usize,
    /// The objective.
    pub objective: f64,
    /// The strict F1 on the development groups, in [0, 1], where it was just measured.
    pub development: Option<f64>,
    /// Weights that are not zero.
    pub weights: usize,
}

/// Trains a model.
///
/// # Errors
/// See [`TrainError`].
pub fn train(examples: &[Example], settings: &Settings) -> Result<CrfModel, TrainError> {
    train_observed(examples, settings, None, |_| ())
}

/// Trains a model, from a base model's weights where one is given, and tells of each step. The base keeps its labels' numbers; its
/// scheme and families must be those of the settings.
///
/// # Errors
/// See [`TrainError`].
pub fn train_observed(
    examples: &[Example],
    settings: &Settings,
    base: Option<&CrfModel>,
    mut observe: impl FnMut(Progress),
) -> Result<CrfModel, TrainError> {
    settings.check(base)?;
    if let (Some(base), 0) = (base, settings.iterations) {
        // Off the shelf, what it knows of words included.
        return Ok(base.clone());
    }
    let (training, stopping) = divided(examples, settings.development_share, settings.seed ^ STOPPING);
    if settings.development_share > 0.0 && !has_identifiers(&stopping) {
        return Err(TrainError::Unstoppable);
    }
    let data = Data::new(&training, settings, base)?;
    let trainer = Trainer::new(&data, settings, base);
    let (mut best, mut looks) = (None::<(f64, CrfModel)>, 0);
    let mut deltas = vec![0.0; trainer.prior.len()];
    let options = Options { c1: settings.c1, iterations: settings.iterations, tolerance: settings.tolerance };
    let objective = Objective::new(&data, &trainer.features, settings.threads);
    minimize(
        &mut deltas,
        options,
        |deltas, gradient| trainer.penalized(&objective, deltas, gradient),
        |iteration, value, deltas| {
            let mut progress = Progress { iteration, objective: value, development: None, weights: 0 };
            progress.weights = deltas.iter().filter(|delta| **delta != 0.0).count();
            if !stopping.is_empty() && iteration % 10 == 0 {
                let model = trainer.model(deltas);
                let f1 = evaluate(&model, &stopping).strict().f1();
                progress.development = Some(f1);
                looks += 1;
                if best.as_ref().is_none_or(|(highest, _)| f1 > *highest) {
                    (best, looks) = (Some((f1, model)), 0);
                }
            }
            observe(progress);
            if looks > settings.patience { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    Ok(best.map_or_else(|| trainer.model(&deltas), |(_, model)| model))
}

impl Settings {
    fn check(&self, base: Option<&CrfModel>) -> Result<(), TrainError> {
        let fail = |setting, must| Err(TrainError::Setting { setting, must });
        let is_penalty = |value: f64| value.is_finite() && value >= 0.0;
        if !is_penalty(self.c1) {
            return fail("c1", "a number that is not negative");
        }
        if !is_penalty(self.c2) {
            return fail("c2", "a number that is not negative");
        }
        if !(0.0..1.0).contains(&self.development_share) {
            return fail("development_share", "at least 0 and less than 1");
        }
        if base.is_some_and(|base| base.tags().scheme() != self.scheme || base.families() != self.families) {
            return fail("base", "a model of the same scheme and families");
        }
        Ok(())
    }
}

/// What training starts from, and how parameters become a model.
struct Trainer<'a> {
    data: &'a Data,
    features: Features,
    /// The parameters that nothing new has moved: the base model's, or zero.
    prior: Vec<f64>,
    families: Families,
    c2: f64,
}

impl<'a> Trainer<'a> {
    fn new(data: &'a Data, settings: &Settings, base: Option<&CrfModel>) -> Self {
        let numbers: HashMap<u64, u32> = match base {
            Some(_) => data.attributes.iter().zip(0..).map(|(hash, number)| (*hash, number)).collect(),
            None => HashMap::new(),
        };
        let of_base = || {
            let weights = base.into_iter().flat_map(|base| base.weights().iter());
            weights
                .flat_map(|(hash, weights)| weights.iter().map(|weight| (numbers[&hash], *weight)).collect::<Vec<_>>())
        };
        let features =
            Features::new(data, settings.min_count, of_base().map(|(attribute, weight)| (attribute, weight.tag)));
        let tags = data.tags.len();
        let mut prior = vec![0.0; features.len() + tags * tags];
        if let Some(base) = base {
            for (attribute, weight) in of_base() {
                let range = features.of(attribute as usize);
                if let Ok(at) = features.tags[range.clone()].binary_search(&weight.tag) {
                    prior[range.start + at] = f64::from(weight.value) * f64::from(base.weights().scale());
                }
            }
            let own = base.tags().len();
            for (pair, score) in base.transitions().scores().iter().enumerate().filter(|(_, score)| score.is_finite()) {
                prior[features.len() + pair / own * tags + pair % own] = f64::from(*score);
            }
        }
        Self { data, features, prior, families: settings.families, c2: settings.c2 }
    }

    fn parameters(&self, deltas: &[f64]) -> Vec<f64> {
        self.prior.iter().zip(deltas).map(|(prior, delta)| prior + delta).collect()
    }

    fn penalized(&self, objective: &Objective<'_>, deltas: &[f64], gradient: &mut [f64]) -> f64 {
        let loss = objective.evaluate(&self.parameters(deltas), gradient);
        gradient.iter_mut().zip(deltas).for_each(|(slope, delta)| *slope += 2.0 * self.c2 * delta);
        loss + self.c2 * deltas.iter().map(|delta| delta * delta).sum::<f64>()
    }

    fn model(&self, deltas: &[f64]) -> CrfModel {
        let parameters = self.parameters(deltas);
        let (weights, scores) = parameters.split_at(self.features.len());
        let largest = weights.iter().fold(0.0f64, |largest, weight| largest.max(weight.abs()));
        let scale = if largest > 0.0 { largest / f64::from(i16::MAX) } else { 1.0 };
        let rows = self.data.attributes.iter().enumerate().filter_map(|(attribute, hash)| {
            let quantized = self.features.of(attribute).filter_map(|feature| {
                let value = (weights[feature] / scale).round() as i16;
                (value != 0).then_some(Weight { tag: self.features.tags[feature], value })
            });
            let quantized: Vec<_> = quantized.collect();
            (!quantized.is_empty()).then_some((*hash, quantized))
        });
        let weights = Weights::new(scale as f32, rows);
        let scores: Vec<f32> = scores.iter().map(|score| *score as f32).collect();
        let transitions = Transitions::new(&self.data.tags, &scores);
        CrfModel::new(self.data.tags.clone(), self.families, weights, transitions, self.data.usage.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::SentenceDetector;
    use crate::detect::crf::{CrfDetector, Family};
    use crate::train::customization::{Scenario, customize};
    use crate::train::{ablation, learning_curve, scores};

    /// Notes of a form: names after `Dr.`, towns after `in`, and as many sentences with neither.
    pub(super) fn notes(first: usize, count: usize) -> Vec<Example> {
        const NAMES: [&str; 7] = ["Lee", "Okafor", "Nguyen", "Diaz", "Novak", "Berg", "Haddad"];
        const TOWNS: [&str; 5] = ["Troy", "Salem", "Keene", "Ithaca", "Lowell"];
        let note = |at: usize| {
            let (name, town) = (NAMES[at % 7], TOWNS[at % 5]);
            let text = format!("Seen by Dr. {name} today.\nShe lives in {town} alone.\nNo pain in the knee.");
            let (name_at, town_at) = (text.find(name).unwrap_or(0), text.find(town).unwrap_or(0));
            let spans = [
                (name_at..name_at + name.len(), "DOCTOR".to_owned()),
                (town_at..town_at + town.len(), "CITY".to_owned()),
            ];
            crate::train::examples(&text, &spans, &format!("note {at}"))
        };
        (first..first + count).flat_map(note).collect()
    }

    fn quick() -> Settings {
        Settings { iterations: 30, families: Families::ALL.without(Family::Lexicon), ..Settings::default() }
    }

    #[test]
    fn a_form_is_learned_and_new_names_are_found() {
        let model = train(&notes(0, 30), &quick()).unwrap();
        assert_eq!(scores::evaluate(&model, &notes(0, 12)).strict().f1(), 1.0);
        let detector = CrfDetector::new(model).unwrap();
        let mut spans = Vec::new();
        detector.detect("Seen by Dr. Wolff today.", &mut spans);
        assert_eq!(spans.len(), 1);
        assert_eq!((spans[0].start, spans[0].end), (12, 17));
        assert_eq!(spans[0].claims[0].class.label.name(), "DOCTOR");
        assert!(detector.highest_inside(None, "Seen by Dr. Wolff today.") > 0.5);
        assert!(detector.highest_inside(None, "No pain in the knee.") < 0.5);
        assert_eq!(detector.highest_inside(None, ""), 0.0);
    }

    #[test]
    fn the_same_examples_make_the_same_model_on_any_number_of_threads() {
        let one = train(&notes(0, 20), &quick()).unwrap().to_bytes().unwrap();
        let three = train(&notes(0, 20), &Settings { threads: 3, ..quick() }).unwrap().to_bytes().unwrap();
        assert_eq!(one, three);
    }

    #[test]
    fn a_bias_finds_more() {
        let model = train(&notes(0, 20), &quick()).unwrap();
        let found = |bias: f32| {
            let model =
                model.clone().with_dial(crate::detect::crf::Dial { outside_bias: bias, thresholds: Vec::new() });
            scores::evaluate(&model, &notes(0, 5)).tokens.found
        };
        assert!(found(-30.0) < found(0.0) && found(0.0) < found(30.0));
    }

    #[test]
    fn a_base_model_that_learns_nothing_is_itself() {
        let base = train(&notes(0, 20), &quick()).unwrap();
        let settings = Settings { iterations: 0, ..quick() };
        let same = customize(&notes(3, 5), Scenario::AThenB(&base), &settings, |_| ()).unwrap();
        assert_eq!((same.usage(), same.labels()), (base.usage(), base.labels()));
        assert_eq!(scores::predictions(&same, &notes(0, 30)), scores::predictions(&base, &notes(0, 30)));
    }

    #[test]
    fn a_base_model_keeps_what_new_examples_say_nothing_about() {
        let base = train(&notes(0, 20), &quick()).unwrap();
        let relabelled = |mut example: Example| {
            example.spans.retain(|(_, label)| label == "DOCTOR");
            example.spans.iter_mut().for_each(|(_, label)| "PATIENT".clone_into(label));
            example
        };
        let site: Vec<Example> =
            notes(0, 20).into_iter().filter(|example| example.sentence.contains("Dr.")).map(relabelled).collect();
        let model = customize(&site, Scenario::AThenB(&base), &quick(), |_| ()).unwrap();
        assert_eq!(model.labels(), ["CITY", "DOCTOR", "PATIENT"]);
        let label_of = |sentence: &str| {
            let mut found = Vec::new();
            model.predict(None, sentence, &mut Default::default(), &mut found);
            found.iter().map(|one| model.labels()[one.label as usize].clone()).collect::<Vec<_>>()
        };
        assert_eq!(label_of("Seen by Dr. Berg today."), ["PATIENT"]);
        assert_eq!(label_of("She lives in Salem alone."), ["CITY"]);
        let only = customize(&site, Scenario::OnlyB, &quick(), |_| ()).unwrap();
        assert_eq!(only.labels(), ["PATIENT"]);
        let both = customize(&site, Scenario::AMixB(&notes(0, 20)), &quick(), |_| ()).unwrap();
        assert_eq!(both.labels().len(), 3);
    }

    #[test]
    fn early_stopping_sampling_and_schemes_learn_too() {
        for settings in [
            Settings { development_share: 0.3, patience: 1, ..quick() },
            Settings { scheme: Scheme::Bioes, ..quick() },
            Settings { sampling: Sampling::Window { tokens: 4 }, ..quick() },
            Settings { sampling: Sampling::RandomOutside { probability: 0.5, history: 4 }, ..quick() },
            Settings { negatives: Negatives::Balanced, c1: 0.0, ..quick() },
        ] {
            let model = train(&notes(0, 30), &settings).unwrap();
            assert!(scores::evaluate(&model, &notes(0, 12)).strict().recall() > 0.9, "{settings:?}");
        }
    }

    #[test]
    fn early_stopping_has_groups_of_its_own_beside_a_development_part() {
        let settings = Settings { development_share: 0.2, ..quick() };
        let (training, _) = divided(&notes(0, 60), 0.2, settings.seed);
        let mut looks = 0;
        train_observed(&training, &settings, None, |progress| looks += usize::from(progress.development.is_some()))
            .unwrap();
        assert!(looks > 0);
        let too_few = Settings { development_share: 1e-9, ..quick() };
        assert_eq!(train(&notes(0, 3), &too_few).err(), Some(TrainError::Unstoppable));
    }

    #[test]
    fn tables_have_a_row_for_each_model() {
        let sets = &ablation::feature_sets()[..2];
        let table = ablation::ablation(&notes(0, 15), &notes(0, 5), sets, &quick()).unwrap();
        assert_eq!(table.rows.len(), 3);
        assert!(table.to_string().contains("context + patterns"));
        let curve = learning_curve::learning_curve(&notes(0, 15), &notes(0, 5), &[2, 99, 10], &quick()).unwrap();
        assert_eq!(curve.points.iter().map(|point| point.groups).collect::<Vec<_>>(), [2, 10, 15]);
        assert_eq!(curve.to_string().lines().count(), 4);
    }

    #[test]
    fn what_cannot_be_learned_from_is_refused() {
        let mut notes = notes(0, 3);
        assert_eq!(train(&[], &quick()).err(), Some(TrainError::Empty));
        let negative = Settings { c1: -1.0, ..quick() };
        assert!(matches!(train(&notes, &negative), Err(TrainError::Setting { setting: "c1", .. })));
        notes[1].spans[0].0.end = 999;
        assert_eq!(train(&notes, &quick()).err(), Some(TrainError::Span { example: 1 }));
    }
}
