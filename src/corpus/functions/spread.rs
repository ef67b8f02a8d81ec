//! The rows of one batch, worked through by several threads and given in their order.
//!
//! ```text
//! rows  0..64  64..128  128..192  192..256  256..300      each slice goes to whoever is free next
//!         │       │         │         │         │
//!      caller  helper    helper    caller    helper  ─▶  joined as they stood
//! ```
//!
//! The engine gives each partition of a plan a thread. A stage that keeps the units of the source apart has no more partitions than
//! there are files, or row groups of them: of a corpus in one file of JSON Lines, one thread would judge and replace everything, and
//! the others would look on.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{Array, ArrayRef};
use arrow::compute::concat;
use datafusion::common::{Result, internal_datafusion_err};

/// The most rows of a slice: for notes, some ten milliseconds of work.
const MOST_ROWS: usize = 64;

/// Slices that each worker would have if all took as many: one that is slow keeps nobody waiting long.
const SLICES_A_WORKER: usize = 4;

/// The threads that work on batches at this moment, in the whole process: what several partitions take at once is counted together.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

/// What `kernel` makes of the rows of `arguments`, which are all of one length; each row's value depends on that row only. So many threads at most
/// work on it, and fewer where others are at work already.
///
/// # Errors
/// What the kernel fails with in the first slice, in the order of rows, in which it does.
pub(super) fn over_rows(
    arguments: &[ArrayRef],
    workers: usize,
    kernel: &(dyn Fn(&[ArrayRef]) -> Result<ArrayRef> + Send + Sync),
) -> Result<ArrayRef> {
    let own = Place::taken();
    let rows = arguments.first().map_or(0, |argument| argument.len());
    let slice = (rows / (SLICES_A_WORKER * workers.max(1))).clamp(1, MOST_ROWS);
    let slices = rows.div_ceil(slice);
    let helpers = workers.saturating_sub(AT_WORK.load(Ordering::Relaxed)).min(slices.saturating_sub(1));
    if helpers == 0 {
        return kernel(arguments);
    }
    let made: Vec<OnceLock<Result<ArrayRef>>> = (0..slices).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let make_next = || {
        let place = next.fetch_add(1, Ordering::Relaxed);
        made.get(place).is_some_and(|value| {
            let from = place * slice;
            let length = slice.min(rows - from);
            let rows: Vec<_> = arguments.iter().map(|argument| argument.slice(from, length)).collect();
            value.set(kernel(&rows)).is_ok()
        })
    };
    rayon::in_place_scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(|_| {
                let _place = Place::taken();
                // Whoever has a partition of its own goes before those that help.
                while AT_WORK.load(Ordering::Relaxed) <= workers && make_next() {}
            });
        }
        while make_next() {}
        drop(own);
    });
    joined(made)
}

fn joined(made: Vec<OnceLock<Result<ArrayRef>>>) -> Result<ArrayRef> {
    let slices = made
        .into_iter()
        .map(|value| value.into_inner().ok_or_else(|| internal_datafusion_err!("rows of a batch were left out"))?);
    let slices = slices.collect::<Result<Vec<_>>>()?;
    let slices: Vec<&dyn Array> = slices.iter().map(AsRef::as_ref).collect();
    Ok(concat(&slices)?)
}

/// A thread's place among those at work.
struct Place;

impl Place {
    fn taken() -> Self {
        AT_WORK.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use arrow::array::{AsArray, Int64Array, StringViewArray};
    use arrow::datatypes::Int64Type;
    use datafusion::common::exec_err;

    use super::*;

    fn numbers(count: i64) -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(0..count))
    }

    fn written(arguments: &[ArrayRef]) -> Result<ArrayRef> {
        let numbers = arguments[0].as_primitive::<Int64Type>();
        let texts = numbers.iter().map(|number| number.map(|number| format!("the number {number}")));
        Ok(Arc::new(StringViewArray::from_iter(texts)))
    }

    #[test]
    fn rows_stay_in_their_order_however_many_work() {
        for rows in [0, 1, 63, 64, 65, 1_000] {
            let expected = written(&[numbers(rows)]).unwrap();
            for workers in [0, 1, 2, 7] {
                let made = over_rows(&[numbers(rows), numbers(rows)], workers, &written).unwrap();
                assert_eq!(&made, &expected, "{rows} rows, {workers} workers");
            }
        }
    }

    /// On a machine of one processor nobody else is there to help; and what other tests have at work counts.
    #[test]
    fn one_batch_has_several_threads_and_no_more_than_it_may() {
        let threads = Mutex::new(HashSet::new());
        let kernel = |arguments: &[ArrayRef]| {
            threads.lock().unwrap().insert(std::thread::current().id());
            std::thread::sleep(Duration::from_millis(2));
            written(arguments)
        };
        let most_used = (0..500).map(|_| {
            over_rows(&[numbers(400)], 2, &kernel).unwrap();
            let used = std::mem::take(&mut *threads.lock().unwrap()).len();
            assert!(used <= 2, "{used}");
            used
        });
        let expected = std::thread::available_parallelism().map_or(1, |processors| processors.get().min(2));
        assert!(most_used.into_iter().any(|used| used == expected), "nobody helped");
    }

    #[test]
    fn the_first_failure_in_the_order_of_rows_is_told() {
        let kernel = |arguments: &[ArrayRef]| {
            let numbers = arguments[0].as_primitive::<Int64Type>();
            match numbers.values().iter().find(|number| **number >= 100) {
                Some(number) => exec_err!("row {number}"),
                None => written(arguments),
            }
        };
        let told = over_rows(&[numbers(1_600)], 4, &kernel).unwrap_err().to_string();
        assert!(told.contains("row 100"), "{told}");
    }
}
