//! Offline, corpus-scale de-identification of clinical notes.
//!
//! ```text
//! notes ──segment──▶ sentences ──count──▶ distinct ones ──┬─ on the inclusion list ─▶ nothing
//!                                                         ├─ matches a template ────▶ its slots ─┐
//!                                                         └─ remainder ──detect─────▶ claims ────┤
//! patients ──▶ the patient's record ──match in every note──▶ claims ◀── join back ◀──────────────┘
//!                                                             └─ policy, surrogates ─▶ notes', same rows, same layout
//! ```
//!
//! A corpus repeats itself, so detection is paid once for every distinct sentence, not for every note. What must hold
//! everywhere: bytes outside replaced spans leave as they came; a sentence that nobody has judged stops the run; the same input
//! and key give the same bytes, whatever the number of workers; no note text in messages, logs or file names.
//!
//! Rooms, ground floor first; each knows only those above it in this list, but for what tests of `detect` train:
//!
//! - [`phi`]: labels, spans, policies
//! - [`text`]: segmentation, tokens, hashes, offsets
//! - [`lexicon`]: names, places, organizations, words
//! - [`detect`]: the ensemble
//! - [`surrogate`]: what stands in the place of identifiers
//! - [`evaluate`], [`generate`]: metrics; synthetic notes
//! - [`train`]: the learned members of the ensemble
//! - [`verify`]: whether an output is what it claims to be; knows nothing of [`detect`] and [`surrogate`]
//! - [`corpus`]: data sets, the engine's session, its functions, the stages
//! - [`cluster`]: sessions and runs on many machines
//! - [`serve`]: SQL over the network, for roles
//! - [`cli`]: one file a subcommand
//!
//! The feature `engine`, which is on by default, brings `corpus`, `cluster`, `serve`, `cli` and the warehouse of `generate`. Without it (`default-features = false`) the
//! other rooms compile alone, with neither Arrow nor DataFusion: for programs that have the text at hand, and for the fuzz targets.

#![warn(missing_docs, clippy::unwrap_used, clippy::panic, clippy::todo, clippy::unimplemented, clippy::dbg_macro)]

#[cfg(feature = "engine")]
pub mod cli;
#[cfg(feature = "engine")]
pub mod cluster;
#[cfg(feature = "engine")]
pub mod corpus;
pub mod detect;
pub mod evaluate;
pub mod generate;
pub mod lexicon;
pub mod phi;
#[cfg(feature = "engine")]
pub mod serve;
pub mod surrogate;
pub mod text;
pub mod train;
pub mod verify;
