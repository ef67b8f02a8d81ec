//! Libraries that panic on what they read.
//!
//! ```text
//! a damaged file ─▶ library ─ panic ─▶ "rten has stopped in it: its parts do not fit together", an error like any other
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a library makes of a file, which it takes as whole.
///
/// # Errors
/// What is to be said where it has panicked. What it computes with must hold no state that could be left half done.
pub(super) fn unharmed<T>(library: &str, compute: impl FnOnce() -> T) -> Result<T, String> {
    let computed = catch_unwind(AssertUnwindSafe(compute));
    computed.map_err(|_| format!("{library} has stopped in it: its parts do not fit together"))
}
