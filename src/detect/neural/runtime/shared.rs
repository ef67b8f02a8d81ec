//! A few things that many share, each with whoever has it for as long as that takes.
//!
//! ```text
//! callers  a b c ─▶ a has the first, b the second ─▶ c waits ─▶ b gives back ─▶ c has the second
//! ```

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Things of which each serves one caller at a time.
pub(super) struct Shared<T> {
    all: Vec<Mutex<T>>,
    /// The places of those that nobody has.
    free: Mutex<Vec<usize>>,
    given_back: Condvar,
}

impl<T> Shared<T> {
    /// Shares all of these.
    pub(super) fn new(all: impl IntoIterator<Item = T>) -> Self {
        let all: Vec<_> = all.into_iter().map(Mutex::new).collect();
        Self { free: Mutex::new((0..all.len()).collect()), all, given_back: Condvar::new() }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Calls `task` with one that nobody else has meanwhile, once there is one.
    pub(super) fn with_one<R>(&self, task: impl FnOnce(&mut T) -> R) -> R {
        let mut free = self.free();
        let place = loop {
            match free.pop() {
                Some(place) => break place,
                None => free = self.given_back.wait(free).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(free);
        let _taken = Taken { place, of: self };
        task(&mut self.all[place].lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn free(&self) -> MutexGuard<'_, Vec<usize>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One that somebody has; given back also where the task panics.
struct Taken<'s, T> {
    place: usize,
    of: &'s Shared<T>,
}

impl<T> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        self.of.free().push(self.place);
        self.of.given_back.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn each_serves_one_caller_at_a_time_and_all_callers_are_served() {
        let shared = Shared::new([0_u32, 0, 0]);
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    shared.with_one(|count| {
                        let before = *count;
                        std::thread::yield_now();
                        *count = before + 1;
                    });
                });
            }
        });
        let served: u32 = shared.all.iter().map(|one| *one.lock().unwrap()).sum();
        assert_eq!((served, shared.free().len(), shared.len()), (20, 3, 3));
    }

    #[test]
    fn what_a_panicking_task_had_is_given_back() {
        let shared = Shared::new(["only"]);
        let panicked = catch_unwind(AssertUnwindSafe(|| shared.with_one(|_| panic!("as it should"))));
        assert!(panicked.is_err());
        assert_eq!(shared.with_one(|only| *only), "only");
    }
}
