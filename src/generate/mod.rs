//! A synthetic warehouse of clinical notes with gold spans, of any size, the same for the same seed.
//!
//! ```text
//! (seed, 4711) ──▶ Note { note_id: "NT0837465120", text: "HISTORY OF PRESENT ILLNESS:\nMs. Rose is a 67-year-old …",
//!                         gold: [(29, 33, PATIENT), (39, 41, AGE), …] }
//! (seed, 17)   ──▶ Patient { patient_id: "PT58102347", family_name: "Rose", … }
//! ```
//! Any note or patient can be made without those before it. Detectors and training know nothing of this room:
//! its values and templates must never be what a detector has learnt from.

#[cfg(feature = "engine")]
pub mod batches;
mod contact;
mod dates;
mod fill;
mod grammar;
mod ownership;
mod patient;
mod person;
mod random;
mod record;
mod scene;
mod site;
mod slot;
mod slot_names;
mod style;
mod tables;
mod template;
mod types;
mod warehouse;
mod wording;
mod writer;

pub use grammar::{Grammar, GrammarError};
pub use patient::Patient;
pub use types::note_types;
pub use warehouse::{GenerateOptions, Note, Warehouse};
pub use writer::GoldSpan;
