//! Tables of Delta Lake: which files make a table is told by its log, not by its folder.
//!
//! ```text
//! notes/_delta_log/00000000000000000000.json   add a, add b
//!                  00000000000000000001.json   remove a, add c; of b, rows 4 and 7 are deleted
//! notes/a.parquet  b.parquet  c.parquet        the table is: b without those rows, and c
//! ```
//!
//! Files that the log no longer names stay in the folder for a while, and hold notes that somebody has taken out of the warehouse: whoever reads
//! the folder reads those too. So a folder with a log is read by its log or not at all. The log itself is read and written by `delta_kernel`, with the feature
//! `delta`; without it such folders are refused.
//!
//! What lies in a table, or above one, is not read as files either.
//!
//! | who | reads or writes |
//! |---|---|
//! | `--notes` | [`opened`]: the files are units like others |
//! | `--patients`, gold, `FROM 'folder/'` | [`table`] |
//! | `CREATE EXTERNAL TABLE … STORED AS DELTA` | [`DeltaFactory`] |
//! | `INSERT INTO` | the sink of `append` |

#[cfg(not(feature = "delta"))]
mod absent;
#[cfg(feature = "delta")]
mod append;
#[cfg(feature = "delta")]
mod create;
#[cfg(feature = "delta")]
mod kernel;
mod listing;
#[cfg(feature = "delta")]
mod partitions;
#[cfg(feature = "delta")]
mod snapshot;
#[cfg(feature = "delta")]
mod table;

#[cfg(not(feature = "delta"))]
pub(crate) use absent::appends_to_table;
#[cfg(not(feature = "delta"))]
pub(super) use absent::{DeltaFactory, opened, table};
#[cfg(feature = "delta")]
pub(crate) use append::appends_to_table;
#[cfg(feature = "delta")]
pub(super) use create::DeltaFactory;
pub(super) use listing::{DeltaFile, DeltaTable, refuse_files_of_tables};
#[cfg(feature = "delta")]
pub(super) use snapshot::opened;
#[cfg(feature = "delta")]
pub(super) use table::table;
