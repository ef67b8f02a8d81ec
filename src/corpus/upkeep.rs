//! A thread apart for what must go on while all others compute.
//!
//! ```text
//! workers  detect, replace, sort: busy for seconds at a time
//! upkeep   renews leases, hears signals, speaks to stores, tells how far the work is
//! ```
//!
//! DataFusion computes on the threads that would also wait for the network; a lease that is not renewed because of that would be lost.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

static UPKEEP: LazyLock<std::io::Result<Runtime>> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).thread_name("upkeep").enable_all().build());

/// Where such work is to be spawned: its own thread, or the caller's runtime where no thread can be started.
///
/// # Panics
/// Outside of a runtime, where no thread can be started.
pub fn upkeep() -> Handle {
    UPKEEP.as_ref().map_or_else(|_| Handle::current(), |runtime| runtime.handle().clone())
}
