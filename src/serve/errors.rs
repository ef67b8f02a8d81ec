//! What a client is told of an error, and what the audit log calls it.
//!
//! A statement that cannot be understood is told in full: the message quotes the statement and the names that the role may see. A fault while a query
//! runs is told in full to those who may see the notes; to the others by its kind alone, since a message may quote values or paths.

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use tonic::{Code, Status};

use super::access::{self, Role};
use super::statement;
use crate::corpus::{CorpusError, ViewError};

/// The longest message, in characters.
const LONGEST_MESSAGE: usize = 2_000;

impl From<access::Refused> for Status {
    fn from(refused: access::Refused) -> Self {
        match refused {
            access::Refused::Wrong | access::Refused::Token => Self::unauthenticated(refused.to_string()),
            access::Refused::TooMany | access::Refused::Busy => Self::resource_exhausted(refused.to_string()),
            access::Refused::Fault => Self::internal(refused.to_string()),
        }
    }
}

impl From<statement::Refused> for Status {
    fn from(refused: statement::Refused) -> Self {
        use statement::Refused;
        match refused {
            Refused::NotAllowed(_) => Self::permission_denied(refused.to_string()),
            Refused::Engine(error) => not_understood(&error),
            Refused::TooLong
            | Refused::TooManyWords
            | Refused::TooDeep
            | Refused::Copied
            | Refused::TooLarge(_)
            | Refused::NotOne(_)
            | Refused::PassedOver(_)
            | Refused::SameName(_)
            | Refused::Parameters
            | Refused::MixedParameters
            | Refused::Values(_) => Self::invalid_argument(refused.to_string()),
        }
    }
}

/// What is told of a statement that cannot be planned. Constants are computed on the way, so that not every fault is one of the statement.
fn not_understood(error: &DataFusionError) -> Status {
    match root(error) {
        DataFusionError::SQL(..)
        | DataFusionError::Plan(_)
        | DataFusionError::SchemaError(..)
        | DataFusionError::NotImplemented(_) => Status::invalid_argument(shortened(&error.strip_backtrace())),
        other => kind(other),
    }
}

/// What is told of a query that has failed.
pub(super) fn failed(error: DataFusionError, role: Role) -> Status {
    match (root(&error), role) {
        (DataFusionError::ResourcesExhausted(_), _) => Status::resource_exhausted(
            "the query needs more memory than queries have here; ask for fewer columns or rows, or for fewer groups",
        ),
        _ if is_disk_full(&error) => Status::resource_exhausted(
            "the query needs more room on disk than queries have here; ask for fewer columns or rows, or sort less",
        ),
        (other, _) => match kind(other) {
            status if role == Role::Confidential && status.code() == Code::Internal => {
                let told = CorpusError::in_running("sql")(error);
                let status = if told.is_temporary() { Status::unavailable } else { Status::internal };
                status(shortened(&told.to_string()))
            }
            status => status,
        },
    }
}

/// Whether no room is left for what goes to disk: by the limit, which the engine tells by words alone, or on the disk itself.
fn is_disk_full(error: &DataFusionError) -> bool {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |cause| cause.source());
    causes.filter_map(|cause| cause.downcast_ref::<std::io::Error>()).any(|error| {
        error.kind() == std::io::ErrorKind::StorageFull || error.to_string().contains("exceeded the allowable limit")
    })
}

/// What is told where the message itself is not.
fn kind(error: &DataFusionError) -> Status {
    let refused = |message: &str| Status::invalid_argument(message);
    match error {
        DataFusionError::ArrowError(error, _) => match error.as_ref() {
            ArrowError::DivideByZero => refused("there is a division by zero"),
            ArrowError::CastError(_) | ArrowError::ParseError(_) => {
                refused("a value cannot be converted to the type that is asked for; try_cast gives null instead")
            }
            ArrowError::ArithmeticOverflow(_) => refused("a number is too large for its type"),
            _ => Status::internal("the query has failed; its details may hold values and are not shown"),
        },
        DataFusionError::External(error) if let Some(fault) = error.downcast_ref::<ViewError>() => match fault {
            ViewError::Lasting => Status::internal(fault.to_string()),
            ViewError::Passing => Status::unavailable(fault.to_string()),
        },
        DataFusionError::NotImplemented(_) => Status::unimplemented("the engine cannot do this"),
        _ => Status::internal("the query has failed; its details may hold values and are not shown"),
    }
}

/// The error at the bottom of one. Of several, the first.
fn root(error: &DataFusionError) -> &DataFusionError {
    match error {
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => root(inner),
        DataFusionError::Shared(inner) => root(inner),
        DataFusionError::Collection(all) => all.first().map_or(error, root),
        DataFusionError::External(inner) => inner.downcast_ref::<DataFusionError>().map_or(error, root),
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            ArrowError::ExternalError(inner) => inner.downcast_ref::<DataFusionError>().map_or(error, root),
            _ => error,
        },
        other => other,
    }
}

/// The outcome of a query, as the audit log has it.
pub(super) fn outcome(status: &Status) -> &'static str {
    match status.code() {
        Code::Cancelled => "cancelled",
        Code::DeadlineExceeded => "timed out",
        Code::ResourceExhausted => "out of memory",
        Code::PermissionDenied => "not allowed",
        Code::InvalidArgument | Code::Unimplemented => "not understood",
        _ => "failed",
    }
}

/// A message goes in a header of the answer, which has its limits.
fn shortened(message: &str) -> String {
    message.chars().take(LONGEST_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast() -> DataFusionError {
        let inner = ArrowError::CastError("Cannot cast string 'Smith' to value of Int32 type".to_owned());
        DataFusionError::Context("around".to_owned(), Box::new(DataFusionError::ArrowError(Box::new(inner), None)))
    }

    #[test]
    fn faults_while_a_query_runs_quote_nothing() {
        for error in [
            cast(),
            DataFusionError::Execution("file:///data/Smith".to_owned()),
            DataFusionError::Plan("No files found at file:///data/Smith".to_owned()),
            DataFusionError::Internal("Smith".to_owned()),
            DataFusionError::External("Smith".into()),
            DataFusionError::Collection(vec![cast()]),
            DataFusionError::ResourcesExhausted("Smith".to_owned()),
            DataFusionError::ParquetError(Box::new(parquet::errors::ParquetError::General("Smith".to_owned()))),
        ] {
            let status = failed(error, Role::Deidentified);
            assert!(!status.message().contains("Smith"), "{status}");
        }
        assert_eq!(failed(cast(), Role::Deidentified).code(), Code::InvalidArgument);
        assert_eq!(
            failed(DataFusionError::ResourcesExhausted(String::new()), Role::Confidential).code(),
            Code::ResourceExhausted
        );
    }

    #[test]
    fn a_full_disk_is_told_whoever_asks() {
        let io = || std::io::Error::other("The used disk space … has exceeded the allowable limit of 1 GB");
        let arrow = DataFusionError::ArrowError(Box::new(ArrowError::from(io())), None);
        for error in [DataFusionError::IoError(io()), arrow] {
            assert_eq!(failed(error, Role::Deidentified).code(), Code::ResourceExhausted);
        }
    }

    #[test]
    fn the_view_is_recognized_however_deep_its_fault_lies() {
        let fault = || DataFusionError::External(Box::new(ViewError::Lasting));
        let shared = DataFusionError::Shared(std::sync::Arc::new(fault()));
        let wrapped = DataFusionError::ArrowError(Box::new(ArrowError::ExternalError(Box::new(fault()))), None);
        for error in [fault(), shared, wrapped] {
            assert_eq!(failed(error, Role::Deidentified).message(), ViewError::Lasting.to_string());
        }
        let passing = DataFusionError::External(Box::new(ViewError::Passing));
        assert_eq!(failed(passing, Role::Deidentified).code(), Code::Unavailable);
    }
}
