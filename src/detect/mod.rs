//! The ensemble that finds identifiers.
//!
//! ```text
//! sentence ─┬─ on the inclusion list ─▶ nothing                 (InclusionList: exact text, reviewed)
//!           ├─ matches a template ────▶ its slots              (Templates: one fixed shape, tagged by rule)
//!           └─ remainder ─┬─ patterns ∪ dictionary             (SentenceDetector: pure in the sentence)
//!                         └─ CRF ∪ transformers                (LearnedDetector: the same, many sentences at a time)
//!                              └─ veto ─▶ union ─▶ boundaries ─▶ spans
//!
//! note + the patient's record ─▶ RecordMatcher ─▶ spans        (every note, listed and templated sentences included)
//! ```
//!
//! A sentence detector sees the sentence and nothing else of the note or the patient, so a distinct sentence has one answer.
//! Claims are united with a threshold of one claim (Murugadoss et al. 2021), but for what medical vocabulary vetoes; an ensemble may
//! vote or be decided over by a trained model instead (Liu et al. 2022).

mod addressed;
mod bare;
pub mod boundaries;
mod closing;
mod combination;
mod continued;
mod credentials;
pub mod crf;
mod daily;
mod days;
mod description;
pub mod dictionary;
mod doubts;
mod ensemble;
mod enumerated;
mod gate;
mod gathering;
pub mod inclusion;
mod judged;
mod learned;
pub(crate) mod listed;
mod members;
mod model;
mod neighbours;
pub mod neural;
pub mod patterns;
mod products;
mod reading;
pub mod record;
mod repeated;
mod replay;
mod schedules;
mod seam;
pub mod second_pass;
mod short_word;
mod site;
pub mod stack;
mod tables;
pub mod template;
mod told_as_person;
pub mod veto;
mod view;
mod vote;

pub use combination::{Fresh, Memory, Said};
pub use description::{EnsembleDescription, Shipped};
pub use ensemble::{Ensemble, Route};
pub use inclusion::InclusionList;
pub use judged::{Answer, FLOOR, Judged};
pub use learned::LearnedDetector;
pub use members::Half;
pub use replay::{Replay, Turn};
pub use site::SiteDictionary;
pub use template::Templates;
pub use vote::Combine;

use crate::phi::{Detector, Span};

/// A digest of the source of the detectors and all that they read: what one build of the program found, another may not.
pub const PROGRAM: &str = env!("DIGEST_OF_DETECTORS");

/// A member of the ensemble that judges sentences one by one.
pub trait SentenceDetector: Send + Sync {
    /// Who makes the claims.
    fn detector(&self) -> Detector;

    /// Adds what is found in `sentence` to `spans`, as non-empty byte ranges of it on character boundaries; they may overlap.
    fn detect(&self, sentence: &str, spans: &mut Vec<Span>);

    /// A digest of what it finds things by, where that is no part of the program.
    fn fingerprint(&self) -> String {
        String::new()
    }
}

/// What can be wrong with the lists that a site gives, and with the members of an ensemble.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DetectError {
    /// An ensemble file, or a model that it names, that cannot be used.
    #[error("`{}` {reason}", path.display())]
    Ensemble {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A trained member that came to an end, by a fault of its runtime.
    #[error("the member `{}` of the ensemble has stopped; run again, or without it", detector.name())]
    Stopped {
        /// Which one.
        detector: Detector,
    },
    /// A transformer that cannot be opened or used.
    #[error(transparent)]
    Neural(std::sync::Arc<neural::NeuralError>),
    /// A template file that is not TOML of the expected form.
    #[error("the templates are not valid: {reason}")]
    Templates {
        /// What the parser says.
        reason: String,
    },
    /// A template that cannot be used.
    #[error("template `{name}`: {reason}")]
    Template {
        /// The template's name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A site's dictionary with a line that is no term.
    #[error("the dictionary, line {line} {reason}")]
    Dictionary {
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An inclusion list with a line that is not a sentence.
    #[error("the inclusion list, line {line}: {reason}")]
    Inclusion {
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl From<neural::NeuralError> for DetectError {
    fn from(error: neural::NeuralError) -> Self {
        Self::Neural(error.into())
    }
}
