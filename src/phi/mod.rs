//! What is protected, where it stands, and which of it must go.
//!
//! ```text
//! Label ── Kind ─▶ Class ─▶ Claim (by a Detector, with a score) ─▶ Span ─▶ Policy: remove or keep
//! ```
//!
//! This room knows nothing of text, detectors or tables.

mod label;
mod policy;
mod span;

pub use label::{Class, Kind, Label, SiteLabel};
pub use policy::Policy;
pub use span::{Claim, Detector, PRIORITY, Span, unite};

/// What can be wrong with labels and policies.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PhiError {
    /// A name that is no label or sub-kind.
    #[error("`{name}` is no label; labels are those of i2b2-2014, such as PATIENT, DATE or DATE:weekday")]
    UnknownLabel {
        /// The name as given.
        name: String,
    },
    /// A policy file that cannot be understood.
    #[error("the policy is not valid TOML: {reason}")]
    Policy {
        /// What the parser says.
        reason: String,
    },
    /// A policy name that is neither A, B, C nor D.
    #[error("`{name}` is no policy; policies are A, B, C and D, or a TOML file with `base`, `remove` and `keep`")]
    UnknownPolicy {
        /// The name as given.
        name: String,
    },
}
