//! What can go wrong with a corpus job, and what its user can do about it. No variant carries note text.

use std::sync::Arc;

use arrow::error::ArrowError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use datafusion::error::DataFusionError;
use parquet::errors::ParquetError;

use super::store::{answered, is_temporary, reason};
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
        /// Whether it may be read later: the store did not answer.
        temporary: bool,
    },
    /// An output that cannot be written, or must not be.
    #[error("cannot write `{location}`: {reason}")]
    Output {
        /// The file or folder.
        location: String,
        /// Why.
        reason: String,
        /// Whether it may be written later: the store did not answer.
        temporary: bool,
    },
    /// A place where another job is at work.
    #[error(
        "`{location}` is being written by {holder}\n  hint: try again when that has ended; `plainsight status` tells how it stands"
    )]
    Busy {
        /// The folder.
        location: String,
        /// Who is at work.
        holder: String,
    },
    /// A task of several that has done what it can without the others.
    #[error(
        "{} not sent {phase} (of {of} tasks), nor given a sign of life for as long as this one waits\n  hint: run this task again when they are under way; it goes on from here",
        told(.missing)
    )]
    Unready {
        /// The tasks that are waited for, counted from 1.
        missing: Vec<usize>,
        /// How many there are.
        of: usize,
        /// What is waited for.
        phase: String,
    },
    /// The process was asked to end.
    #[error("stopped before the end; the same command goes on from here")]
    Stopped,
    /// There are no notes.
    #[error("there are no notes at `{location}`{}", if *.is_place { "" } else { ": there is nothing there" })]
    Empty {
        /// The folder.
        location: String,
        /// Whether there is such a place at all, as far as can be told: a store has no folders, and one without files may be a day without notes.
        is_place: bool,
    },
    /// A promise of the job that did not hold: counts that do not add up, a sentence that no stage has seen.
    #[error("the run is stopped: {reason}")]
    Accounting {
        /// What does not hold, in counts.
        reason: String,
    },
    /// A fault of plainsight's own, or of the system it runs on.
    #[error("{reason}\n  hint: this should not happen; please report it, with `plainsight doctor`")]
    Internal {
        /// What went wrong.
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
        /// Whether it may go well later: a store did not answer.
        temporary: bool,
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
    /// A fault of plainsight's own, or of the system it runs on.
    pub fn internal(reason: impl Into<String>) -> Self {
        Self::Internal { reason: reason.into() }
    }

    /// A mistake in flags or settings.
    pub fn configuration(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Configuration { message: message.into(), hint: hint.into() }
    }

    /// An input that cannot be read.
    pub fn input(location: impl Into<String>, reason: impl ToString) -> Self {
        Self::Input { location: location.into(), reason: reason.to_string(), temporary: false }
    }

    /// An output that cannot be written.
    pub fn output(location: impl Into<String>, reason: impl ToString) -> Self {
        Self::Output { location: location.into(), reason: reason.to_string(), temporary: false }
    }

    /// An input that a store does not give.
    pub fn store_input(location: impl Into<String>, error: &object_store::Error) -> Self {
        Self::Input { location: location.into(), reason: reason(error), temporary: is_temporary(error) }
    }

    /// An output that a store does not take.
    pub fn store_output(location: impl Into<String>, error: &object_store::Error) -> Self {
        Self::Output { location: location.into(), reason: reason(error), temporary: is_temporary(error) }
    }

    /// An input that cannot be decoded, or that a store does not give.
    pub(super) fn in_input(location: &str, error: &(dyn std::error::Error + 'static)) -> Self {
        match store_error(error) {
            Some(store) => Self::store_input(location, store),
            None => Self::input(location, shown_of_input(error)),
        }
    }

    /// An output that cannot be encoded, or that a store does not take.
    pub(super) fn in_output(location: &str, error: &(dyn std::error::Error + 'static)) -> Self {
        match store_error(error) {
            Some(store) => Self::store_output(location, store),
            None => Self::output(location, error),
        }
    }

    /// Names the stage in which the engine failed; an error of ours that travelled through the engine comes back as itself.
    pub fn in_stage(stage: &'static str) -> impl Fn(DataFusionError) -> Self {
        move |error| match own_error(&error) {
            Some(own) => own.clone(),
            None => Self::Engine {
                stage,
                reason: shown(&error),
                usage: is_statement(&error) || is_told(&error, ASKED),
                temporary: store_error(&error).is_some_and(is_temporary) || is_told(&error, PASSING),
                source: Arc::new(error),
            },
        }
    }

    /// The same of a statement that is being run. What its functions say of their arguments, the engine tells as faults of the statement, too;
    /// those may be values of the data.
    pub fn in_running(stage: &'static str) -> impl Fn(DataFusionError) -> Self {
        let told = Self::in_stage(stage);
        move |error| match told(error) {
            Self::Engine { stage, source, usage: true, temporary, .. } if is_statement(&source) => {
                Self::Engine { stage, reason: hidden("the statement has failed"), usage: true, temporary, source }
            }
            other => other,
        }
    }

    /// This error for another machine, where [`CorpusError::in_stage`] shows what is shown of it here, whatever is wrapped around it on the way, and
    /// knows whether it may pass.
    pub fn for_others(&self) -> DataFusionError {
        let mark = match () {
            () if self.is_temporary() => PASSING,
            () if self.is_usage() => ASKED,
            () => "",
        };
        told_as(mark, &self.to_string())
    }

    /// An engine's error for another machine, as [`Self::for_others`] tells one of ours. What functions say of their arguments may be values of the
    /// data, so that of a statement's faults only this is told, that it has failed.
    pub fn told_to_others(error: &(dyn std::error::Error + 'static)) -> DataFusionError {
        if let Some(own) = chain(error).find_map(|error| error.downcast_ref::<Self>()) {
            return own.for_others();
        }
        if let Some(DataFusionError::Execution(message)) = error.downcast_ref().map(DataFusionError::find_root)
            && message.contains(TOLD)
        {
            return DataFusionError::Execution(message.clone());
        }
        if store_error(error).is_some_and(is_temporary) {
            return told_as(PASSING, &store_error(error).map(reason).unwrap_or_default());
        }
        match error.downcast_ref::<DataFusionError>() {
            Some(error) if is_statement(error) => told_as(ASKED, &hidden("the statement has failed")),
            Some(error) => told_as("", &shown(error)),
            None => told_as("", &error.downcast_ref().map_or_else(|| hidden("an error"), shown_of_arrow)),
        }
    }

    /// Whether an engine's error is what another machine has told by [`Self::for_others`].
    pub fn is_told_by_another(error: &DataFusionError) -> bool {
        is_told(error, "")
    }

    /// Whether the same command may go well later: a store did not answer, or another job is at work.
    pub const fn is_temporary(&self) -> bool {
        matches!(
            self,
            Self::Busy { .. }
                | Self::Unready { .. }
                | Self::Input { temporary: true, .. }
                | Self::Output { temporary: true, .. }
                | Self::Engine { temporary: true, .. }
        )
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

/// Tasks by their numbers, the first few of them.
fn told(tasks: &[usize]) -> String {
    const MOST: usize = 5;
    let shown: Vec<_> = tasks.iter().take(MOST).map(ToString::to_string).collect();
    let further = tasks.len().saturating_sub(MOST);
    let further = if further > 0 { format!(" and {further} more") } else { String::new() };
    let (task, has) = if tasks.len() == 1 { ("task", "has") } else { ("tasks", "have") };
    format!("{task} {}{further} {has}", shown.join(", "))
}

impl From<CorpusError> for DataFusionError {
    fn from(error: CorpusError) -> Self {
        Self::External(Box::new(error))
    }
}

/// The error of ours at the bottom of an engine's error, where there is one.
fn own_error(error: &DataFusionError) -> Option<&CorpusError> {
    chain(error).find_map(|error| error.downcast_ref())
}

/// The error of a store at the bottom of another, where there is one.
fn store_error<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e object_store::Error> {
    chain(error).find_map(|error| error.downcast_ref())
}

/// An error and what led to it.
fn chain<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'e (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |&error| cause(error))
}

/// What led to an error. Boxed and shared errors do not show themselves as their own source.
fn cause<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e (dyn std::error::Error + 'static)> {
    if let Some(error) = error.downcast_ref::<DataFusionError>() {
        return match error {
            DataFusionError::External(inner) => Some(inner.as_ref()),
            DataFusionError::Shared(inner) => Some(inner.as_ref()),
            DataFusionError::Context(_, inner) => Some(inner.as_ref()),
            DataFusionError::ArrowError(inner, _) => Some(inner.as_ref()),
            DataFusionError::ParquetError(inner) => Some(inner.as_ref()),
            DataFusionError::ObjectStore(inner) => Some(inner.as_ref()),
            other => std::error::Error::source(other),
        };
    }
    if let Some(ParquetError::External(inner)) = error.downcast_ref() {
        return Some(inner.as_ref());
    }
    if let Some(inner) = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        return Some(inner);
    }
    error.source()
}

/// What the messages of other machines begin with.
const TOLD: &str = "told by another machine: ";
/// What those of faults go on with that may pass.
const PASSING: &str = "for now, ";
/// What those go on with of which the user's flags or statement are the cause.
const ASKED: &str = "as asked, ";

/// A message for another machine; in signs that nothing on the way writes otherwise.
fn told_as(mark: &str, message: &str) -> DataFusionError {
    DataFusionError::Execution(format!("{TOLD}{mark}{}.", STANDARD_NO_PAD.encode(message)))
}

/// What another machine has told by [`CorpusError::for_others`], somewhere in a message.
fn told_by_another(message: &str) -> Option<String> {
    let (_, told) = message.split_once(TOLD)?;
    let told = [PASSING, ASKED].iter().find_map(|mark| told.strip_prefix(mark)).unwrap_or(told);
    let told = STANDARD_NO_PAD.decode(told.split_once('.')?.0).ok()?;
    String::from_utf8(told).ok()
}

/// Whether another machine has told so of a fault.
fn is_told(error: &DataFusionError, mark: &str) -> bool {
    matches!(error.find_root(), DataFusionError::Execution(message) if message.contains(&format!("{TOLD}{mark}")))
}

/// Whether the statement is at fault, not the data: its message shows the statement only.
fn is_statement(error: &DataFusionError) -> bool {
    match error {
        DataFusionError::SQL(..)
        | DataFusionError::Plan(_)
        | DataFusionError::SchemaError(..)
        | DataFusionError::Configuration(_)
        | DataFusionError::NotImplemented(_) => true,
        DataFusionError::Context(_, inner) => is_statement(inner),
        DataFusionError::Shared(inner) => is_statement(inner),
        DataFusionError::Diagnostic(_, inner) => is_statement(inner),
        DataFusionError::Collection(all) => all.iter().all(is_statement),
        _ => false,
    }
}

/// The message of what went wrong with an input, unless values of the data may stand in it; then its column, where that is told.
fn shown_of_input(error: &(dyn std::error::Error + 'static)) -> String {
    let message = error.to_string().lines().next().unwrap_or_default().to_owned();
    if let Some(own) = chain(error).find_map(|error| error.downcast_ref::<CorpusError>()) {
        return own.to_string();
    }
    let mut of_arrow = chain(error).filter_map(|error| error.downcast_ref::<ArrowError>());
    match of_arrow.find(|error| !matches!(error, ArrowError::ExternalError(_))) {
        Some(ArrowError::ParquetError(_) | ArrowError::IoError(..)) => message,
        Some(arrow) => shown_of_arrow(arrow),
        None => error.downcast_ref().map_or(message, shown),
    }
}

fn shown_of_arrow(error: &ArrowError) -> String {
    match error {
        ArrowError::JsonError(details) => match column_of(details) {
            Some(column) => hidden(&format!("a value of column `{column}` is not of the type of the first ones")),
            None => hidden("Json error"),
        },
        ArrowError::CsvError(details) | ArrowError::ParseError(details) if let Some(told) = told_of_csv(details) => {
            told
        }
        arrow => hidden(arrow.to_string().split(':').next().unwrap_or_default()),
    }
}

/// What a message about CSV tells of lines and columns by their numbers.
fn told_of_csv(details: &str) -> Option<String> {
    if details.contains("invalid UTF-8") {
        return Some("a line of CSV is not UTF-8".to_owned());
    }
    if let Some((_, place)) = details.split_once("incorrect number of fields for line ") {
        let is_told = place.chars().all(|letter| letter.is_ascii_alphanumeric() || " ,".contains(letter));
        return is_told.then(|| format!("a row of CSV has more or fewer fields than the first: line {place}"));
    }
    let (_, place) = details.split_once("' for column ")?;
    let (column, rest) = place.split_once(" at line ")?;
    let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let is_told = !line.is_empty() && column.bytes().all(|byte| byte.is_ascii_digit());
    is_told.then(|| {
        hidden(&format!("a value of CSV is not of the type of the first ones: column {column} (from 0), line {line}"))
    })
}

/// The column that a message about a value of it begins with.
fn column_of(details: &str) -> Option<&str> {
    details.strip_prefix("whilst decoding field '")?.split_once('\'').map(|(column, _)| column)
}

fn hidden(kind: &str) -> String {
    format!("{kind} (the details may hold values of the data and are not shown)")
}

/// The message of an engine's error, unless values of the data may stand in it.
fn shown(error: &DataFusionError) -> String {
    let message = error.strip_backtrace();
    let message = message.lines().next().unwrap_or_default();
    match error.find_root() {
        _ if is_statement(error) => message.to_owned(),
        // A folder of a partition is named by its value.
        DataFusionError::ObjectStore(store) if let Some(answer) = answered(store) => without_partition(&answer),
        DataFusionError::ObjectStore(_) | DataFusionError::IoError(_) => without_partition(message),
        // It goes on with who holds the memory.
        DataFusionError::ResourcesExhausted(_) => {
            error.strip_backtrace().split_whitespace().collect::<Vec<_>>().join(" ")
        }
        DataFusionError::ParquetError(_) => message.to_owned(),
        DataFusionError::ArrowError(arrow, _) => shown_of_arrow(arrow),
        DataFusionError::Execution(message) if let Some(told) = told_by_another(message) => told,
        root => hidden(root.to_string().split(':').next().unwrap_or_default()),
    }
}

/// A message up to the value of a partition.
fn without_partition(message: &str) -> String {
    // In the address that was asked it is written otherwise.
    match ["=", "%3D", "%3d"].iter().filter_map(|sign| message.find(sign)).min() {
        Some(at) => format!("{}=… (the rest may hold values of the data and is not shown)", &message[..at]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message goes through other machines' wrapping, and back.
    #[test]
    fn what_another_machine_tells_is_shown_and_may_pass() {
        for temporary in [true, false] {
            let (location, reason) = ("df://host:1".to_owned(), "nobody is there".to_owned());
            let told = CorpusError::Input { location, reason, temporary };
            let wrapped = format!("Job 1 failed: Status {{ message: {:?} }}", told.for_others().strip_backtrace());
            let here = CorpusError::in_stage("cluster")(DataFusionError::Execution(wrapped));
            assert!(here.to_string().contains(&told.to_string()), "{here}");
            assert_eq!(here.is_temporary(), temporary);
        }
    }

    #[test]
    fn what_another_machine_tells_of_the_engine_shows_no_values() {
        let here = |told: DataFusionError| {
            let wrapped = format!("Job 1 failed: Status {{ message: {:?} }}", told.strip_backtrace());
            CorpusError::in_running("sql")(DataFusionError::Execution(wrapped))
        };
        let own = CorpusError::configuration("deidentify: argument `policy` is no policy", "give A, B, C or D");
        let own = here(CorpusError::told_to_others(&DataFusionError::from(own)));
        assert!(own.is_usage() && own.to_string().contains("argument `policy` is no policy"), "{own}");
        let arrow = here(CorpusError::told_to_others(&ArrowError::CastError("'JOHN SMITH' is no number".to_owned())));
        assert!(!arrow.is_usage() && arrow.to_string().contains("Cast error"), "{arrow}");
        let plan = here(CorpusError::told_to_others(&DataFusionError::Plan("'JOHN SMITH' is no date".to_owned())));
        assert!(plan.is_usage() && plan.to_string().contains("the statement has failed"), "{plan}");
        assert!(![arrow, plan].iter().any(|told| told.to_string().contains("SMITH")));
    }

    /// What a decoder says of a value that it cannot read holds the value.
    #[test]
    fn values_stand_in_no_message() {
        let told = |error: ArrowError| {
            let engine = DataFusionError::ArrowError(Box::new(error), None);
            CorpusError::in_input("patients", &engine).to_string()
        };
        let json = |details: &str| told(ArrowError::JsonError(details.to_owned()));
        let message = json("whilst decoding field 'mrn': failed to parse \"Secretname\" as Int64");
        assert!(message.contains("column `mrn`") && !message.contains("Secretname"), "{message}");
        let message = told(ArrowError::ParseError(
            "Error while parsing value 'Secretname' as type 'Int64' for column 2 at line 7. Row data: '[Secretname]'"
                .to_owned(),
        ));
        assert!(
            message.contains("column 2") && message.contains("line 7") && !message.contains("Secretname"),
            "{message}"
        );
        let fields = "incorrect number of fields for line 5, expected 3 got more than 3";
        assert!(told(ArrowError::CsvError(fields.to_owned())).contains("line 5, expected 3 got more than 3"));
        let odd = "incorrect number of fields for line 'Secretname'";
        assert!(!told(ArrowError::CsvError(odd.to_owned())).contains("Secretname"));
        for details in ["Secretname", "expected , got 'Secretname' whilst decoding field 'Secretname'"] {
            assert!(!json(details).contains("Secretname"), "{details}");
        }
        let cast = told(ArrowError::CastError("Cannot cast string 'Secretname' to value of Int64 type".to_owned()));
        assert!(cast.contains("Cast error") && !cast.contains("Secretname"), "{cast}");
        let damaged = told(ArrowError::ParquetError("EOF: eof decoding byte array".to_owned()));
        assert!(damaged.contains("eof decoding byte array"), "{damaged}");
        let ended = CorpusError::in_input("notes", &std::io::Error::other("corrupt deflate stream")).to_string();
        assert!(ended.contains("corrupt deflate stream"), "{ended}");
    }
}
