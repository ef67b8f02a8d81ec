//! Whether an output is what it claims to be, told from the source and the output alone.
//!
//! ```text
//! source note ─┐             ┌─ changed stretches: whole, bounded, could be an identifier?     inserted, removed, layout …
//!              ├─ alignment ─┤
//! output note ─┘             └─ unchanged stretches: a value of a shape, of the record there?  leak
//! ```
//!
//! This room shares nothing with what made the output: no detector, no surrogate. What it reads, it reads its own way.

mod alignment;
mod births;
mod capitals;
mod cells;
mod changes;
mod correspondence;
mod examination;
#[cfg(test)]
mod examination_tests;
mod findings;
mod logins;
mod people;
mod pieces;
mod record;
mod shapes;
mod spelled;
mod words;

pub use alignment::{Alignment, Change};
pub use correspondence::{Correspondence, Pairing};
pub use examination::Examiner;
pub use findings::{Finding, FindingKind, Severity, Tally};
pub use record::{KnownValues, Record};
pub use shapes::Shape;
