//! A linear-chain conditional random field over the tokens of a sentence.
//!
//! ```text
//! context, sentence ─ FeatureExtractor ─▶ hashed attributes ─ Weights ─▶ state scores ─ Lattice ─▶ tags ─▶ spans with scores
//!                                                                              └ outside − bias: the recall dial
//! ```
//!
//! The method of HIDE (Gardner et al. 2010) with the orthographic and positional features of Dehghan et al. (2015), and a bias
//! against "not an identifier" that moves the balance of recall and precision after training (Hartman et al. 2020). A model is
//! one file, made by [`crate::train`]. It holds no word of the training data, only hashes of words and of pairs of them; who has a list of names can
//! try each, so a model of notes with identifiers is as confidential as they are.

mod detector;
mod features;
mod file;
mod lattice;
mod model;
mod tags;
mod usage;
mod weights;

pub use detector::CrfDetector;
pub use features::{Attributes, Families, Family, FeatureExtractor, UnknownFamily};
pub(crate) use features::{lower_hash, pieces};
pub(in crate::detect) use file::SHIPPED;
pub use lattice::{Lattice, Transitions};
pub use model::{CrfModel, Dial, JudgedToken, Prediction, Workspace};
pub use tags::{OUTSIDE, Place, Scheme, Tag, Tags};
pub use usage::Usage;
pub(crate) use usage::{Counts, code};
pub use weights::{Weight, Weights};

/// What can be wrong with a model file.
#[derive(Debug, thiserror::Error)]
pub enum CrfError {
    /// The file cannot be read or written.
    #[error("the CRF model `{path}` cannot be opened")]
    File {
        /// Where it should be.
        path: String,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// The bytes are no model.
    #[error("not a CRF model file")]
    NotAModel,
    /// A file of another version of the format.
    #[error("a CRF model of format {found}, where this program reads format {expected}")]
    Version {
        /// Of the file.
        found: u32,
        /// Of this program.
        expected: u32,
    },
    /// The content is not what its digest says.
    #[error("the CRF model is damaged: its content does not match its digest")]
    Digest,
    /// The content is as it was written, but makes no model.
    #[error("the CRF model is not valid: {reason}")]
    Content {
        /// What is wrong.
        reason: String,
    },
    /// A label with a name that can be no label's.
    #[error("the CRF model finds `{label}`, which can be no label")]
    Label {
        /// As the model has it.
        label: String,
    },
}
