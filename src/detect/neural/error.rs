//! What can go wrong between a model's folder and its spans; no message holds text of a note.

use std::path::PathBuf;

use super::device::Device;

/// Why a transformer cannot be opened or used.
#[derive(Debug, thiserror::Error)]
pub enum NeuralError {
    /// A file of the model that cannot be read.
    #[error("`{}` cannot be read: {source}; a model is a folder with model.toml, model.onnx and tokenizer.json", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A model.toml that is not understood, or says what cannot be.
    #[error("`{}`: {reason}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to write instead.
        reason: String,
    },
    /// A file that is not the one its model.toml was written for.
    #[error("`{}` has the digest {found}, but model.toml says {expected}; fetch the model again, or correct [files]", path.display())]
    Digest {
        /// The file.
        path: PathBuf,
        /// The BLAKE3 digest in model.toml.
        expected: String,
        /// The BLAKE3 digest of what is there.
        found: String,
    },
    /// A balance of recall and precision that the model cannot take.
    #[error("the dial of the model `{model}`: {reason}")]
    Dial {
        /// The model's name.
        model: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A tokenizer.json that cannot be used.
    #[error("`{}`: {reason}", path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A model.onnx that the runtime refuses, or whose inputs and outputs are not those of its model.toml.
    #[error("`{}`: {reason}", path.display())]
    Graph {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// An ONNX Runtime library that is asked for and cannot be loaded.
    #[error(
        "ONNX Runtime: {reason}; give the path of libonnxruntime (1.24 or newer), set ORT_DYLIB_PATH, or choose the runtime `rten`"
    )]
    Library {
        /// What the loader says.
        reason: String,
    },
    /// A device that is asked for and cannot be used.
    #[error("the device `{device}` cannot be used: {reason}")]
    Device {
        /// The device.
        device: Device,
        /// What is missing.
        reason: String,
    },
    /// The name of a device or runtime that does not exist.
    #[error("`{name}` is no {kind}; there are {known}")]
    Name {
        /// The name as given.
        name: String,
        /// `device` or `runtime`.
        kind: &'static str,
        /// The names that exist.
        known: &'static str,
    },
    /// A sentence that the tokenizer refuses.
    #[error("the tokenizer failed on a sentence; its tokenizer.json may lack an unknown piece")]
    Tokenize,
    /// A run of the model that failed, or gave what are no scores.
    #[error("the model failed: {reason}")]
    Run {
        /// What the runtime says.
        reason: String,
    },
}
