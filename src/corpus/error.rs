//! What can go wrong with a corpus job, and what its user can do about it. No variant carries note text.

use datafusion::error::DataFusionError;

use crate::detect::DetectError;
use crate::phi::PhiError;
use crate::surrogate::KeyError;

/// Result of the corpus room.
pub type Result<T, E = CorpusError> = std::result::Result<T, E>;

/// Why a job cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// Flags, column roles or settings that cannot be right.
    #[error("{message}\n  hint: {hint}")]
    Configuration {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// An input that cannot be read.
    #[error("cannot read `{location}`: {reason}")]
    Input {
        /// The file or folder.
        location: String,
        /// Why.
        reason: String,
    },
    /// An output that cannot be written, or must not be.
    #[error("cannot write `{location}`: {reason}")]
    Output {
        /// The file or folder.
        location: String,
        /// Why.
        reason: String,
    },
    /// A promise of the job that did not hold: counts that do not add up, a sentence that no stage has seen.
    #[error("the run is stopped: {reason}")]
    Accounting {
        /// What does not hold, in counts.
        reason: String,
    },
    /// A fault in the engine underneath.
    #[error("stage `{stage}`: {source}")]
    Engine {
        /// The stage.
        stage: &'static str,
        /// The engine's error.
        source: Box<DataFusionError>,
    },
    /// A key that cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A label or policy that does not exist.
    #[error(transparent)]
    Phi(#[from] PhiError),
    /// A list or template file that is not valid.
    #[error(transparent)]
    Detect(#[from] DetectError),
}

impl CorpusError {
    /// A mistake in flags or settings.
    pub fn configuration(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Configuration { message: message.into(), hint: hint.into() }
    }

    /// An input that cannot be read.
    pub fn input(location: impl Into<String>, reason: impl ToString) -> Self {
        Self::Input { location: location.into(), reason: reason.to_string() }
    }

    /// An output that cannot be written.
    pub fn output(location: impl Into<String>, reason: impl ToString) -> Self {
        Self::Output { location: location.into(), reason: reason.to_string() }
    }

    /// Names the stage in which the engine failed; an error of ours that travelled through the engine comes back as itself.
    pub fn in_stage(stage: &'static str) -> impl Fn(DataFusionError) -> Self {
        move |error| match error {
            DataFusionError::External(inner) => match inner.downcast::<Self>() {
                Ok(own) => *own,
                Err(other) => Self::Engine { stage, source: Box::new(DataFusionError::External(other)) },
            },
            DataFusionError::Context(_, inner) => Self::in_stage(stage)(*inner),
            DataFusionError::ArrowError(inner, trace) => match *inner {
                arrow::error::ArrowError::ExternalError(inner) if inner.is::<Self>() => {
                    match inner.downcast::<Self>() {
                        Ok(own) => *own,
                        Err(other) => Self::Engine { stage, source: Box::new(DataFusionError::External(other)) },
                    }
                }
                other => Self::Engine { stage, source: Box::new(DataFusionError::ArrowError(Box::new(other), trace)) },
            },
            other => Self::Engine { stage, source: Box::new(other) },
        }
    }

    /// Whether the user's flags or settings are at fault, rather than the run.
    pub const fn is_usage(&self) -> bool {
        matches!(self, Self::Configuration { .. } | Self::Key(_) | Self::Phi(_) | Self::Detect(_))
    }
}

impl From<CorpusError> for DataFusionError {
    fn from(error: CorpusError) -> Self {
        Self::External(Box::new(error))
    }
}
