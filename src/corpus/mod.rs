//! Notes by the million: schemas, stores, the engine's session, its functions, and the stages of a run.
//!
//! ```text
//! Location ─ discover ─▶ Source (units, columns with roles) ─ stages ─▶ out/part-*.parquet, _plainsight/run.json, _SUCCESS
//!                                                              │
//!                                    SessionContext + functions (Deidentifier inside)
//! ```
//!
//! Only this room and those above it know Arrow and DataFusion.

mod bounded;
mod by_hand;
mod claims;
mod columns;
pub mod deidentifier;
mod delta;
mod draft;
mod error;
pub mod evaluation;
mod files;
pub mod functions;
pub mod index;
mod leaf;
mod locked;
mod logical_types;
mod managed;
mod memory;
mod opening;
pub mod output;
mod part;
mod passed_over;
mod prevalence;
mod private;
pub mod progress;
pub mod records;
mod report;
pub mod review_table;
mod rewrite;
pub mod schema;
mod session;
pub mod source;
mod stages;
mod stop;
mod store;
mod upkeep;
pub mod verify;
mod view;
pub mod warehouse;
mod worker;

pub(crate) use bounded::{bounded, is_bounded};
pub use by_hand::{register_notes, register_shared, register_source, register_work};
pub use deidentifier::{Deidentifier, no_key};
pub(crate) use delta::appends_to_table;
pub use draft::clear_abandoned;
pub use error::{CorpusError, Result};
pub(crate) use files::name_twice;
pub use files::register_output;
pub(crate) use leaf::{in_types, leaf};
pub(crate) use locked::lock;
pub use managed::{refuse_managed, refuse_released};
pub use memory::keep_heaps_few;
pub use output::report_of;
pub(crate) use passed_over::passed_over;
pub use prevalence::Prevalence;
pub use private::{PRIVATE, behind_links, hidden_beside, private_file, put_whole};
pub use records::PatientRecords;
pub use report::{Funnel, RunReport, SecondPass, StageReport, Tasks};
pub(crate) use rewrite::JoinBackCodec;
pub use session::{
    Upgrade, closed_session, limited_session, plain_session, session, state_of_others, stores_by_url, upgraded_session,
};
pub(crate) use source::identifier;
pub use stages::{
    CandidateOptions, JobOptions, RefusedLimit, RunOptions, TaskOptions, candidates, check_templates, clean_exchange,
    clean_work, detect, forget_tasks, gold_candidates, harvest, left_in_exchange, prevalence, run,
};
pub use stop::{is_awaited, is_stopped, listen, stop, stopped};
pub use store::{Location, Place, StoreOptions};
pub use upkeep::upkeep;
pub use view::{ViewError, register_view};
