//! What can go wrong with a corpus job, and what its user can do about it. No variant carries note text.

use std::sync::Arc;

use datafusion::error::DataFusionError;

use crate::detect::DetectError;
use crate::phi::PhiError;
use crate::surrogate::{KeyError, OptionsError};

/// Result of the corpus room.
pub type Result<T, E = CorpusError> = std::result::Result<T, E>;

/// Why a job cannot start or go on.
#[derive(Debug, Clone, thiserror::Error)]
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
    #[error("stage `{stage}`: {reason}")]
    Engine {
        /// The stage.
        stage: &'static str,
        /// What may be shown of the engine's error.
        reason: String,
        /// Whether the statement is at fault.
        usage: bool,
        /// The engine's error.
        source: Arc<DataFusionError>,
    },
    /// A key that cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Options of surrogates that cannot be followed.
    #[error(transparent)]
    Options(#[from] OptionsError),
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
        move |error| match own_error(&error) {
            Some(own) => own.clone(),
            None => Self::Engine { stage, reason: shown(&error), usage: is_statement(&error), source: Arc::new(error) },
        }
    }

    /// Whether the user's flags or settings are at fault, rather than the run.
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Configuration { .. }
                | Self::Key(_)
                | Self::Options(_)
                | Self::Phi(_)
                | Self::Detect(_)
                | Self::Engine { usage: true, .. }
        )
    }
}

impl From<CorpusError> for DataFusionError {
    fn from(error: CorpusError) -> Self {
        Self::External(Box::new(error))
    }
}

/// The error of ours at the bottom of an engine's error, where there is one.
fn own_error(error: &DataFusionError) -> Option<&CorpusError> {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(own) = error.downcast_ref::<CorpusError>() {
            return Some(own);
        }
        next = match error.downcast_ref::<DataFusionError>() {
            // Boxed and shared errors do not show themselves as their own source.
            Some(DataFusionError::External(inner)) => Some(inner.as_ref()),
            Some(DataFusionError::Shared(inner)) => Some(inner.as_ref()),
            Some(DataFusionError::Context(_, inner)) => Some(inner.as_ref()),
            Some(DataFusionError::ArrowError(inner, _)) => Some(inner.as_ref()),
            _ => error.source(),
        };
    }
    None
}

/// Whether the statement is at fault, not the data: its message shows the statement only.
fn is_statement(error: &DataFusionError) -> bool {
    match error {
        DataFusionError::SQL(..)
        | DataFusionError::Plan(_)
        | DataFusionError::SchemaError(..)
        | DataFusionError::NotImplemented(_) => true,
        DataFusionError::Context(_, inner) => is_statement(inner),
        DataFusionError::Shared(inner) => is_statement(inner),
        DataFusionError::Diagnostic(_, inner) => is_statement(inner),
        DataFusionError::Collection(all) => all.iter().all(is_statement),
        _ => false,
    }
}

/// The message of an engine's error, unless values of the data may stand in it.
fn shown(error: &DataFusionError) -> String {
    let message = error.strip_backtrace();
    let message = message.lines().next().unwrap_or_default();
    match error.find_root() {
        _ if is_statement(error) => message.to_owned(),
        DataFusionError::ObjectStore(_)
        | DataFusionError::IoError(_)
        | DataFusionError::ResourcesExhausted(_)
        | DataFusionError::ParquetError(_) => message.to_owned(),
        root => {
            let kind = root.to_string().split(':').next().unwrap_or_default().to_owned();
            format!("{kind} (the details may hold values of the data and are not shown)")
        }
    }
}
