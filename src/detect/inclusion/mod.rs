//! The inclusion list: sentences that people have read and found free of identifiers (Murugadoss et al. 2021).
//!
//! ```text
//! counts of a corpus ──▶ Candidates ──▶ ReviewFile ──review, approve──▶ ReviewFile ──▶ InclusionList ──▶ no detector sees them
//!                        prevalent,      a CSV table,  reviewer, time,   merge, compare    approved entries,
//!                        medical, gold   claims shown  reason            statistics        compared byte for byte
//! ```
//!
//! What must hold: nothing is exempt that nobody has approved; an approval names its reviewer, time and reason, and was given in
//! sight of every claim; what a spreadsheet has damaged is refused, with its line. Review files quote notes: they are as
//! confidential as these, and whoever writes one gives it mode 0600.

mod across;
mod approve;
mod candidate;
mod cell;
mod difference;
mod error;
mod file;
mod list;
mod medical;
mod merge;
mod review;
mod row;
mod screen;
mod statistics;
mod table;
mod verdict;

pub use approve::{Approval, Approved};
pub use candidate::{Candidate, ClaimedRange, Context, Why};
pub use difference::{Change, Difference};
pub use error::{InclusionError, ReviewError};
pub use file::{Entry, ReviewFile};
pub use list::InclusionList;
pub use medical::is_medical;
pub use merge::{Conflict, Counting, MergeOptions, Merged, Preference, merge};
pub use review::{Reviewed, Session, review};
pub use statistics::{Share, Statistics};
pub use verdict::{Decision, Verdict};
