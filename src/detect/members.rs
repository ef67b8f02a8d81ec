//! `ensemble.toml`: which members an ensemble has, and how their claims are combined.
//!
//! ```toml
//! format = 1
//! gate = true                  # ask trained members only about sentences with a word that nothing explains
//! combine = "union"            # or "majority", or "weighted" with `need`, the weight that a word's claims must reach
//!
//! [[member]]
//! kind = "knowledge"           # patterns and dictionaries, one vote
//!
//! [[member]]
//! kind = "transformer"
//! path = "bge-small-phi"       # a model's folder, beside this file; "shipped:bge-small-phi" is the one that is compiled in
//! bias = 0.4                   # the recall dial, instead of the model's own (Hartman et al. 2020)
//! thresholds = { DATE = 0.9 }  # likewise, by label
//! ```
//!
//! Everything that is named is opened and checked before a note is read. A member that cannot be is an error: an ensemble never
//! runs with fewer members than its file has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::crf::{CrfDetector, CrfModel};
use super::gathering::Gathering;
use super::neural::{NeuralDetector, RuntimeOptions};
use super::vote::Combine;
use super::{DetectError, Ensemble, InclusionList, LearnedDetector, Templates};
use crate::phi::{Detector, Span};

/// The only format of ensemble.toml so far.
const FORMAT: u32 = 1;
/// The ensemble file among the models that are compiled in.
const ENSEMBLE: &str = "ensemble.toml";
/// What a path begins with that leads to a model that is compiled in.
const SHIPPED_PREFIX: &str = "shipped:";

/// The models that are compiled in: a program that is copied alone finds as much as one beside its source.
const SHIPPED_FILES: &[(&str, &[u8])] = &[
    (ENSEMBLE, include_bytes!("../../models/ensemble.toml")),
    ("crf-phi/model.crf", super::crf::SHIPPED),
    ("bge-small-phi/model.toml", include_bytes!("../../models/bge-small-phi/model.toml")),
    ("bge-small-phi/tokenizer.json", include_bytes!("../../models/bge-small-phi/tokenizer.json")),
    ("bge-small-phi/model.onnx", include_bytes!("../../models/bge-small-phi/model.onnx")),
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnsembleFile {
    format: u32,
    #[serde(default)]
    combine: CombineName,
    need: Option<f32>,
    /// Whether trained members see only sentences with a word that patterns, dictionaries and vocabulary leave unexplained.
    #[serde(default)]
    gate: bool,
    member: Vec<Member>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CombineName {
    #[default]
    Union,
    Majority,
    Weighted,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Member {
    Knowledge {
        #[serde(default = "one")]
        weight: f32,
    },
    Crf {
        path: PathBuf,
        #[serde(default = "one")]
        weight: f32,
        bias: Option<f32>,
        #[serde(default)]
        thresholds: BTreeMap<String, f32>,
    },
    Transformer {
        path: PathBuf,
        #[serde(default = "one")]
        weight: f32,
        bias: Option<f32>,
        #[serde(default)]
        thresholds: BTreeMap<String, f32>,
    },
}

const fn one() -> f32 {
    1.0
}

impl Member {
    const fn weight(&self) -> f32 {
        match self {
            Self::Knowledge { weight } | Self::Crf { weight, .. } | Self::Transformer { weight, .. } => *weight,
        }
    }
}

/// Which members of an ensemble are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Half {
    /// Patterns and dictionaries only.
    Knowledge,
    /// Trained members only.
    Learned,
    /// All.
    #[default]
    Both,
}

impl Ensemble {
    /// The ensemble that is compiled in, behind a site's lists.
    ///
    /// # Errors
    /// [`DetectError`] where a model cannot run on the device that is asked for.
    pub fn shipped(
        lists: (InclusionList, Templates),
        half: Half,
        options: &RuntimeOptions,
    ) -> Result<Self, DetectError> {
        open_through(Path::new(ENSEMBLE), lists, half, options, Place::Shipped)
    }

    /// The ensemble that a file describes, behind a site's lists.
    ///
    /// # Errors
    /// [`DetectError`] tells which file is missing, damaged or does not fit, and what to do.
    pub fn open(
        file: &Path,
        lists: (InclusionList, Templates),
        half: Half,
        options: &RuntimeOptions,
    ) -> Result<Self, DetectError> {
        open_through(file, lists, half, options, Place::Files)
    }
}

/// Where files lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Files,
    Shipped,
}

impl Place {
    fn read(self, path: &Path) -> std::io::Result<Vec<u8>> {
        if self == Self::Files {
            return std::fs::read(path);
        }
        let name = path.to_str().unwrap_or_default().replace('\\', "/");
        let file = SHIPPED_FILES.iter().find(|(shipped, _)| *shipped == name);
        file.map(|(_, content)| content.to_vec()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }

    /// Where a path of an ensemble file leads: below its folder, or to what is compiled in.
    fn of(self, folder: &Path, path: &Path) -> (Self, PathBuf) {
        match path.to_str().and_then(|path| path.strip_prefix(SHIPPED_PREFIX)) {
            Some(name) => (Self::Shipped, PathBuf::from(name)),
            None => (self, folder.join(path)),
        }
    }
}

fn open_through(
    file: &Path,
    (inclusion, templates): (InclusionList, Templates),
    half: Half,
    options: &RuntimeOptions,
    place: Place,
) -> Result<Ensemble, DetectError> {
    let described = EnsembleFile::read(place, file)?;
    let combine = described.combine(file)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let knowledge = described.member.iter().find(|member| matches!(member, Member::Knowledge { .. }));
    let knowledge = knowledge.filter(|_| half != Half::Learned);
    let mut ensemble = Ensemble::knowledge(inclusion, templates)
        .gated(described.gate && knowledge.is_some())
        .with_combination(combine, knowledge.map_or(1.0, Member::weight));
    if knowledge.is_none() {
        ensemble = ensemble.without_knowledge();
    }
    for member in described.member.iter().filter(|_| half != Half::Knowledge) {
        if let Some(detector) = member.open(place, folder, options)? {
            ensemble = ensemble.with_learned(detector, member.weight());
        }
    }
    Ok(ensemble)
}

impl EnsembleFile {
    fn read(place: Place, file: &Path) -> Result<Self, DetectError> {
        let fail = |reason: String| DetectError::Ensemble { path: file.to_owned(), reason };
        let bytes = place.read(file).map_err(|error| fail(format!("cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|_| fail("is not UTF-8".to_owned()))?;
        let described: Self =
            toml::from_str(&text).map_err(|error| fail(format!("is no ensemble file: {}", error.message())))?;
        if described.format != FORMAT {
            return Err(fail(format!("has the format {}; this program reads {FORMAT}", described.format)));
        }
        if described.member.is_empty() {
            return Err(fail("has no [[member]]".to_owned()));
        }
        if described.member.iter().any(|member| !(member.weight() > 0.0 && member.weight().is_finite())) {
            return Err(fail("has a member whose `weight` is not above 0".to_owned()));
        }
        let knowledge = described.member.iter().filter(|member| matches!(member, Member::Knowledge { .. })).count();
        if knowledge > 1 {
            return Err(fail("has the member `knowledge` twice".to_owned()));
        }
        Ok(described)
    }

    fn combine(&self, file: &Path) -> Result<Combine, DetectError> {
        let fail = |reason: &str| DetectError::Ensemble { path: file.to_owned(), reason: reason.to_owned() };
        let total: f32 = self.member.iter().map(Member::weight).sum();
        match (self.combine, self.need) {
            (CombineName::Union, None) => Ok(Combine::Union),
            // A tie counts as found: a miss is worse than a false alarm.
            (CombineName::Majority, None) => Ok(Combine::Vote { need: total / 2.0 }),
            (CombineName::Weighted, Some(need)) if need > 0.0 && need <= total => Ok(Combine::Vote { need }),
            (CombineName::Weighted, _) => Err(fail("needs `need`, above 0 and at most the sum of all weights")),
            (_, Some(_)) => Err(fail("has `need`, which only `combine = \"weighted\"` takes")),
        }
    }
}

impl Member {
    fn open(
        &self,
        place: Place,
        folder: &Path,
        options: &RuntimeOptions,
    ) -> Result<Option<Arc<dyn LearnedDetector>>, DetectError> {
        match self {
            Self::Knowledge { .. } => Ok(None),
            Self::Crf { path, bias, thresholds, .. } => {
                let (place, path) = place.of(folder, path);
                let fail = |reason: String| DetectError::Ensemble { path: path.clone(), reason };
                let bytes = place.read(&path).map_err(|error| fail(format!("cannot be read: {error}")))?;
                let model = CrfModel::from_bytes(&bytes).map_err(|error| fail(error.to_string()))?;
                let model = turned(model, *bias, thresholds).map_err(fail)?;
                Ok(Some(Arc::new(CrfDetector::new(model).map_err(|error| fail(error.to_string()))?)))
            }
            Self::Transformer { path, bias, thresholds, .. } => {
                let (place, path) = place.of(folder, path);
                let detector = NeuralDetector::open_through(&|file| place.read(file), &path, options)?;
                Ok(Some(Arc::new(Gathering::start(detector.with_dial(*bias, thresholds)?)?)))
            }
        }
    }
}

/// The model with another balance of recall and precision.
fn turned(model: CrfModel, bias: Option<f32>, thresholds: &BTreeMap<String, f32>) -> Result<CrfModel, String> {
    let mut dial = model.dial().clone();
    dial.outside_bias = bias.unwrap_or(dial.outside_bias);
    dial.thresholds.resize(model.labels().len(), 0.0);
    for (label, &threshold) in thresholds {
        let place = model.labels().iter().position(|known| known == label);
        let place = place.ok_or_else(|| format!("does not find `{label}`, for which there is a threshold"))?;
        if !(0.0..=1.0).contains(&threshold) {
            return Err(format!("has the threshold {threshold} for `{label}`; it is 0 to 1"));
        }
        dial.thresholds[place] = threshold;
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

    fn advice(&self) -> Option<&'static str> {
        const ADVICE: &str = "\
Transformers run on the processor. Faster:
- a GPU: install ONNX Runtime for CUDA (PyPI onnxruntime-gpu) and give --device cuda --onnxruntime FILE
- the library of ONNX Runtime, where rten computes: --onnxruntime FILE
- no transformers: --ensemble knowledge, which finds less (README, detection)
- fewer distinct sentences: an inclusion list of reviewed common ones, --inclusion
";
        (!self.in_use().device.is_gpu()).then_some(ADVICE)
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        Ok(self.detect_all(sentences)?)
    }
}

impl LearnedDetector for CrfDetector {
    fn detector(&self) -> Detector {
        Detector::Crf
    }

    fn description(&self) -> String {
        self.model().description().to_owned()
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        let one = |sentence: &&str| {
            let mut spans = Vec::new();
            self.detect_in_context(None, sentence, &mut spans);
            spans
        };
        Ok(sentences.iter().map(one).collect())
    }
}
