//! Notes by the million: schemas, stores, the engine's session, its functions, and the stages of a run.
//!
//! ```text
//! Location ─ discover ─▶ Source (units, columns with roles) ─ stages ─▶ out/part-*.parquet, _plainsight/run.json, _SUCCESS
//!                                                              │
//!                                    SessionContext + functions (Deidentifier inside)
//! ```
//!
//! Only this room and those above it know Arrow and DataFusion.

pub mod deidentifier;
mod dictionaries;
mod error;
pub mod evaluation;
mod files;
pub mod functions;
mod index;
mod kept;
mod opening;
mod part;
pub mod progress;
pub mod records;
mod report;
pub mod schema;
mod session;
pub mod source;
mod stages;
mod store;
pub mod warehouse;

pub use deidentifier::Deidentifier;
pub use error::{CorpusError, Result};
pub use index::{IndexBuilder, SentenceIndex};
pub use records::PatientRecords;
pub use report::{Funnel, RunReport, SecondPass, StageReport};
pub use session::session;
pub use stages::{RunOptions, clear_abandoned, detect, run};
pub use store::Location;
