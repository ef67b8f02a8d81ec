//! How the engine's memory is shared out.
//!
//! ```text
//! limit  ├──── those that go to disk: groups, sorts ────┤·· kept free for those that cannot: merges, writers, joins ··┤
//! ```
//!
//! The engine's own fair pool lets groups and sorts fill all of it before they go to disk. A merge of what they have spilled, or a file that
//! is written beside them, then finds nothing left and the statement fails, the sooner the larger the corpus.

use std::sync::atomic::{AtomicUsize, Ordering};

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::{FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};

/// A fair pool in which consumers that can go to disk take half at most.
#[derive(Debug)]
pub(super) struct MemoryWithReserve {
    fair: FairSpillPool,
    /// What consumers that can go to disk take together, in bytes.
    spilling: usize,
    /// How many consumers can go to disk.
    consumers: AtomicUsize,
}

impl MemoryWithReserve {
    /// A pool of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
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
