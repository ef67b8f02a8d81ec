//! Transformers that tag word pieces, as members of the ensemble (Murugadoss et al. 2021 run several, fine-tuned).
//!
//! ```text
//! models/bge-small-phi/            NeuralDetector::open
//!   model.toml      ──── what it is, its labels and thresholds, digests of the files
//!   tokenizer.json  ──── sentences ─▶ word pieces with their places
//!   model.onnx      ──── word pieces ─▶ scores of labels, by rten (built in) or ONNX Runtime (loaded; GPUs too)
//! ```
//!
//! A sentence's spans depend on the sentence and the model only: sequences of a batch have one length and are not padded, and
//! probabilities are counted on a grid coarser than the last bits of runtimes. Nothing is trained here.

mod batches;
mod decode;
mod detector;
mod device;
mod error;
mod labels;
mod manifest;
mod pieces;
mod runtime;
mod shapes;
#[cfg(test)]
mod tests;
mod unharmed;
mod windows;
mod words;

pub use decode::JudgedWord;
pub(in crate::detect) use decode::spans;
pub use detector::NeuralDetector;
pub use device::{Device, RuntimeChoice};
pub use error::NeuralError;
pub use labels::UNITS;
pub(in crate::detect) use labels::units;
pub use manifest::{Manifest, ReadFile, WordScores};
pub use runtime::{Batch, Logits, Runtime, RuntimeInUse, RuntimeOptions};
pub use shapes::{SHAPES, shapes};

/// The graph of the transformer of clinical notes that is compiled in.
pub(in crate::detect) const SHIPPED: &[u8] = include_bytes!("../../../models/bge-small-phi/model.onnx");
