//! The trained models of an ensemble file as its members.
//!
//! ```text
//! path, bias, thresholds ─ open ─▶ Model ─ into_member ─▶ behind its own dial, spans as it decodes them
//!                                                     └─▶ word by word, its dial put aside, for a stack
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::combination::TOGETHER;
use super::crf::{CrfDetector, CrfModel, Dial};
use super::description::{Member, Trained};
use super::gathering::Gathering;
use super::learned::Family;
use super::members::Place;
use super::neural::JudgedWord;
use super::neural::{NeuralDetector, RuntimeOptions};
use super::stack::WordByWord;
use super::{DetectError, Judged, LearnedDetector, PROGRAM};
use crate::phi::{Detector, Label, Span};

/// What stands for every label that a file has no threshold for.
const DEFAULT: &str = "default";

/// A trained model as an ensemble file names it.
pub(super) enum Model {
    Crf(Box<CrfDetector>),
    Transformer(Box<NeuralDetector>),
}

impl Member {
    /// Opens a trained member's model; none for the member that is no trained one.
    pub(super) fn open(
        &self,
        place: Place,
        folder: &Path,
        options: &RuntimeOptions,
    ) -> Result<Option<Model>, DetectError> {
        match self {
            Self::Knowledge { .. } => Ok(None),
            Self::Crf(Trained { path, bias, thresholds, .. }) => {
                let (place, path) = place.of(folder, path);
                let fail = |reason: String| DetectError::Ensemble { path: path.clone(), reason };
                let bytes = place.read(&path).map_err(|error| fail(format!("cannot be read: {error}")))?;
                let model = CrfModel::from_bytes(&bytes).map_err(|error| fail(error.to_string()))?;
                let model = turned(model, *bias, thresholds).map_err(fail)?;
                let detector = CrfDetector::new(model).map_err(|error| fail(error.to_string()))?;
                Ok(Some(Model::Crf(detector.into())))
            }
            Self::Transformer(Trained { path, bias, thresholds, .. }) => {
                let (place, path) = place.of(folder, path);
                let detector = NeuralDetector::open_through(&|file| place.read(file), &path, options)?;
                Ok(Some(Model::Transformer(detector.with_dial(*bias, thresholds)?.into())))
            }
        }
    }
}

impl Model {
    /// The model as a member; where `least` is given, one that proposes words from this probability on, its own dial put aside.
    pub(super) fn into_member(self, least: Option<f32>) -> Result<Arc<dyn LearnedDetector>, DetectError> {
        Ok(match (self, least) {
            (Self::Crf(member), None) => Arc::new(*member),
            (Self::Crf(member), Some(least)) => {
                let model = member.model().clone().with_dial(Dial::default());
                let fail = |_| DetectError::Stopped { detector: Detector::Crf };
                Arc::new(WordByWord { member: CrfDetector::new(model).map_err(fail)?, least })
            }
            (Self::Transformer(member), None) => Arc::new(Gathering::start(*member)?),
            (Self::Transformer(member), Some(least)) => {
                let member = member.with_dial(Some(0.0), &BTreeMap::new())?;
                Arc::new(Gathering::start(WordByWord { member, least })?)
            }
        })
    }
}

impl LearnedDetector for Model {
    fn detector(&self) -> Detector {
        match self {
            Self::Crf(_) => Detector::Crf,
            Self::Transformer(_) => Detector::Transformer,
        }
    }

    fn description(&self) -> String {
        match self {
            Self::Crf(member) => member.description(),
            Self::Transformer(member) => member.description(),
        }
    }

    fn model(&self) -> String {
        match self {
            Self::Crf(member) => LearnedDetector::model(member.as_ref()),
            Self::Transformer(member) => LearnedDetector::model(member.as_ref()),
        }
    }

    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Crf(member) => member.advice(),
            Self::Transformer(member) => member.advice(),
        }
    }

    fn takes_views(&self) -> bool {
        matches!(self, Self::Transformer(_))
    }

    fn speaks_of(&self, label: Label) -> bool {
        let is_like = |other: &Label| Family::of(*other) == Family::of(label);
        match self {
            Self::Crf(member) => member.labels().any(|own| is_like(&own)),
            Self::Transformer(member) => Label::ALL.iter().filter(|own| is_like(own)).any(|own| member.knows(*own)),
        }
    }

    fn knows(&self, label: Label) -> bool {
        matches!(self, Self::Transformer(member) if member.knows(label))
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        match self {
            Self::Crf(member) => LearnedDetector::detect_all(member.as_ref(), sentences),
            Self::Transformer(member) => LearnedDetector::detect_all(member.as_ref(), sentences),
        }
    }

    fn judge_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Judged>>, DetectError> {
        match self {
            Self::Crf(member) => LearnedDetector::judge_all(member.as_ref(), sentences),
            Self::Transformer(member) => LearnedDetector::judge_all(member.as_ref(), sentences),
        }
    }

    fn fingerprint(&self) -> String {
        match self {
            Self::Crf(member) => LearnedDetector::fingerprint(member.as_ref()),
            Self::Transformer(member) => LearnedDetector::fingerprint(member.as_ref()),
        }
    }

    fn decide(&self, judged: &[Judged]) -> Vec<Span> {
        match self {
            Self::Crf(member) => member.decide(judged),
            Self::Transformer(member) => member.decide(judged),
        }
    }
}

/// The model with another balance of recall and precision.
fn turned(model: CrfModel, bias: Option<f32>, thresholds: &BTreeMap<String, f32>) -> Result<CrfModel, String> {
    let mut dial = model.dial().clone();
    dial.outside_bias = bias.unwrap_or(dial.outside_bias);
    dial.thresholds.resize(model.labels().len(), 0.0);
    if let Some(&threshold) = thresholds.get(DEFAULT) {
        dial.thresholds.fill(threshold);
    }
    for (label, &threshold) in thresholds {
        if !(0.0..=1.0).contains(&threshold) {
            return Err(format!("has the threshold {threshold} for `{label}`; it is 0 to 1"));
        }
        let place = model.labels().iter().position(|known| known == label);
        match place {
            Some(place) => dial.thresholds[place] = threshold,
            None if label == DEFAULT => (),
            None => return Err(format!("does not find `{label}`, for which there is a threshold")),
        }
    }
    Ok(model.with_dial(dial))
}

impl LearnedDetector for NeuralDetector {
    fn detector(&self) -> Detector {
        Detector::Transformer
    }

    fn description(&self) -> String {
        format!("{} {}, by {}", self.manifest().name, self.manifest().version, self.in_use())
    }

    fn model(&self) -> String {
        let manifest = self.manifest();
        format!("transformer {} {} {}", manifest.name, manifest.version, short(manifest.digest().to_hex().as_str()))
    }

    fn advice(&self) -> Option<&'static str> {
        const ADVICE: &str = "\
Transformers run on the processor. Faster:
- a GPU: install ONNX Runtime for CUDA (PyPI onnxruntime-gpu) and give --device cuda --onnxruntime FILE
- the library of ONNX Runtime, where rten computes: --onnxruntime FILE
- no transformer: --ensemble fast, which finds less (README, Measured)
- fewer distinct sentences: an inclusion list of reviewed common ones, --inclusion
";
        (!self.in_use().device.is_gpu()).then_some(ADVICE)
    }

    fn knows(&self, label: Label) -> bool {
        let columns = self.manifest().labels.iter().filter_map(|column| column.split_once('-'));
        columns.into_iter().any(|(_, taught)| taught == label.name())
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        Ok(self.detect_all(sentences)?)
    }

    fn judge_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Judged>>, DetectError> {
        Ok(self.judge_all(sentences)?.iter().map(|words| JudgedWord::kept(words)).collect())
    }

    fn decide(&self, judged: &[Judged]) -> Vec<Span> {
        self.decide(judged)
    }

    fn fingerprint(&self) -> String {
        self.fingerprint()
    }

    fn dial(&self) -> String {
        format!("{:?}", self.manifest().thresholds)
    }
}

impl LearnedDetector for CrfDetector {
    fn detector(&self) -> Detector {
        Detector::Crf
    }

    fn description(&self) -> String {
        CrfDetector::model(self).description().to_owned()
    }

    fn model(&self) -> String {
        format!("crf {} {}", CrfDetector::model(self).description(), short(&digest(self, Dial::default())))
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        let one = |sentence: &&str| {
            let mut spans = Vec::new();
            self.detect_in_context(None, sentence, &mut spans);
            spans
        };
        Ok(sentences.par_iter().with_min_len(TOGETHER).map(one).collect())
    }

    fn judge_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Judged>>, DetectError> {
        Ok(sentences.par_iter().with_min_len(TOGETHER).map(|sentence| self.judge(sentence)).collect())
    }

    fn decide(&self, judged: &[Judged]) -> Vec<Span> {
        self.decide(judged)
    }

    fn dial(&self) -> String {
        format!("{:?}", CrfDetector::model(self).dial())
    }

    fn fingerprint(&self) -> String {
        let dial = Dial { thresholds: Vec::new(), ..CrfDetector::model(self).dial().clone() };
        format!("{PROGRAM} crf {} {}", CrfDetector::model(self).description(), digest(self, dial))
    }
}

/// A digest of a CRF as it is behind a dial.
fn digest(member: &CrfDetector, dial: Dial) -> String {
    // What is in memory can always be told; if not, its description stands for it.
    let digest = member.model().clone().with_dial(dial).digest();
    digest.map_or_else(|_| String::new(), |digest| digest.to_hex().to_string())
}

/// As much of a digest as tells models of one name apart where people read it.
fn short(digest: &str) -> &str {
    digest.get(..16).unwrap_or(digest)
}
