//! How the engine's memory is shared out.
//!
//! ```text
//! limit  ├──── those that go to disk: groups, sorts ────┤·· kept free for those that cannot: merges, writers, joins ··┤
//! ```
//!
//! The engine's own fair pool lets groups and sorts fill all of it before they go to disk. A merge of what they have spilled, or a file that
//! is written beside them, then finds nothing left and the statement fails, the sooner the larger the corpus.
//!
//! What the limit leaves out is how the system's allocator keeps what was given back: see [`keep_heaps_few`] and [`give_back`].

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use datafusion::config::ConfigOptions;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::disk_manager::DiskManagerBuilder;
use datafusion::execution::memory_pool::{
    FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation, TrackConsumersPool,
};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;

/// Of how many consumers the message tells that there is no memory left.
const TOLD_CONSUMERS: NonZeroUsize = NonZeroUsize::new(5).unwrap();

/// What a worker's share of the memory is divided by to know how many files it may merge at a time. A file's batches take about an eighth.
const MEMORY_OF_A_MERGED_FILE: usize = 8 << 20;

/// Lets the allocator of glibc make no more heaps than there are processors, unless `MALLOC_ARENA_MAX` says how many; to be called before there are threads.
///
/// It makes up to eight for each processor, one for nearly every thread that comes and goes, and what was given back in one serves no thread of
/// another: a stage that groups and goes to disk came to hold twice what the engine counts. Other allocators are left as they are.
pub fn keep_heaps_few() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if std::env::var_os("MALLOC_ARENA_MAX").is_none() {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let heaps = i32::try_from(processors.max(2)).unwrap_or(i32::MAX);
        // SAFETY: `mallopt` has no conditions; where it refuses, the allocator stays as it was.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, heaps) };
    }
}

/// Lets the allocator of glibc give the system what nobody uses: a stage that groups leaves behind as much as the limit, in pieces that the next
/// stage has no use for. Other allocators are left as they are.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` has no conditions.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Gives a session's parts the limit of so many bytes, which its workers share.
pub(super) fn limited(
    bytes: u64,
    workers: usize,
    options: &mut ConfigOptions,
    runtime: RuntimeEnvBuilder,
    disk: DiskManagerBuilder,
) -> (RuntimeEnvBuilder, DiskManagerBuilder) {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let of_worker = bytes / workers;
    // A sort sets this aside in every worker, so that it can merge what it has spilled.
    options.execution.sort_spill_reservation_bytes = (of_worker / 8).min(10 << 20);
    // A writer keeps the rows that it will write together.
    options.execution.parquet.max_row_group_size = (bytes / 512).clamp(1 << 17, 1 << 20);
    let pool = TrackConsumersPool::new(MemoryWithReserve::new(bytes), TOLD_CONSUMERS);
    // A merge opens as many files as it finds memory for, and leaves none to what writes its rows.
    let files = (of_worker / MEMORY_OF_A_MERGED_FILE).max(2);
    (runtime.with_memory_pool(Arc::new(pool)), disk.with_max_spill_merge_fan_in(files))
}

/// A fair pool in which consumers that can go to disk take half at most.
#[derive(Debug)]
struct MemoryWithReserve {
    fair: FairSpillPool,
    /// What consumers that can go to disk take together, in bytes.
    spilling: usize,
    /// How many consumers can go to disk.
    consumers: AtomicUsize,
}

impl MemoryWithReserve {
    /// A pool of so many bytes.
    fn new(bytes: usize) -> Self {
        Self { fair: FairSpillPool::new(bytes), spilling: bytes / 2, consumers: AtomicUsize::new(0) }
    }
}

impl MemoryPool for MemoryWithReserve {
    fn name(&self) -> &str {
        "fair with a reserve"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.consumers.fetch_add(usize::from(consumer.can_spill()), Ordering::Relaxed);
        self.fair.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.fair.unregister(consumer);
        self.consumers.fetch_sub(usize::from(consumer.can_spill()), Ordering::Relaxed);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.fair.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.fair.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let consumer = reservation.consumer();
        let share = self.spilling / self.consumers.load(Ordering::Relaxed).max(1);
        if consumer.can_spill() && reservation.size() + additional > share {
            // Not an end: it is how a consumer learns that it has to go to disk.
            return Err(DataFusionError::ResourcesExhausted(format!(
                "{} has {} bytes and asks for {additional} more; its share of {self} is {share}",
                consumer.name(),
                reservation.size(),
            )));
        }
        self.fair.try_grow(reservation, additional)
    }

    fn reserved(&self) -> usize {
        self.fair.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        self.fair.memory_limit()
    }
}

impl std::fmt::Display for MemoryWithReserve {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.fair.fmt(formatter)
    }
}
