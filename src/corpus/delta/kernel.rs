//! The kernel, which waits for its store, and what it says when it fails.

use std::sync::Arc;

use delta_kernel::{KernelError, KernelResult};
use delta_kernel_default_engine::executor::tokio::TokioMultiThreadExecutor;
use delta_kernel_default_engine::{DefaultEngine, DefaultEngineBuilder};
use tokio::runtime::{Handle, RuntimeFlavor};

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// What reads and writes logs, by a store of ours.
pub(super) type Engine = DefaultEngine<TokioMultiThreadExecutor>;

/// Does what the kernel does, which waits, on a thread that may wait.
pub(super) async fn with_engine<T: Send + 'static>(
    location: &Location,
    work: impl FnOnce(&Engine) -> Result<T> + Send + 'static,
) -> Result<T> {
    let (store, runtime, place) = (location.store(), Handle::current(), location.clone());
    let done = tokio::task::spawn_blocking(move || {
        let executor = match runtime.runtime_flavor() {
            RuntimeFlavor::MultiThread => TokioMultiThreadExecutor::new(runtime),
            // One that waits for itself would wait for ever.
            _ => TokioMultiThreadExecutor::new_owned_runtime(Some(1), None).map_err(|error| fault(&place, error))?,
        };
        work(&DefaultEngineBuilder::new(store).with_task_executor(Arc::new(executor)).build())
    });
    // What it says of a panic may be values of the log.
    done.await.unwrap_or_else(|_| Err(CorpusError::input(location.uri(), "its reader has ended before its end")))
}

/// The folder of a table, as the kernel names it; it asks the store by the path of this URL.
pub(super) fn root(location: &Location) -> String {
    let mut url = location.url().clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.clear().extend(location.path().parts().map(|part| part.as_ref().to_owned())).push("");
    }
    url.into()
}

/// An error of the kernel, as it may be shown: others quote the log, which holds the least and greatest values of columns.
fn fault(location: &Location, error: KernelError) -> CorpusError {
    let reason = match error {
        KernelError::Backtraced { source, .. } => return fault(location, *source),
        KernelError::ObjectStore(error) => return CorpusError::store_input(location.uri(), &error),
        KernelError::FileNotFound(_) => "a file that its log names is not there".to_owned(),
        KernelError::EmptyLog | KernelError::MissingVersion(_) => "its log has no version that is whole".to_owned(),
        KernelError::MissingMetadata | KernelError::MissingProtocol | KernelError::MissingMetadataAndProtocol => {
            "its log tells neither columns nor protocol".to_owned()
        }
        KernelError::Unsupported(what) => format!("the Delta table has what is not known here: {what}"),
        _ => "its log cannot be understood".to_owned(),
    };
    CorpusError::input(location.uri(), reason)
}

/// The value of a step of the kernel's.
pub(super) fn done<T>(location: &Location, step: KernelResult<T>) -> Result<T> {
    step.map_err(|error| fault(location, error))
}
