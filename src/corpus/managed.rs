//! Places whose files somebody keeps account of, so that none may be laid beside them.
//!
//! ```text
//! out/_plainsight/manifest.json     what `run` has released: further files there would be taken for released notes
//! t/_delta_log/                     a Delta table: its log names the files that hold, and no others are read
//! ```

use std::path::Path as LocalPath;

use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::delta;
use super::error::{CorpusError, Result};
use super::output::MANIFEST;
use super::store::Location;

/// Refuses a place that is, or lies in, an output of a run or a Delta table.
///
/// # Errors
/// [`CorpusError::Configuration`] with the place.
pub async fn refuse_managed(location: &Location) -> Result<()> {
    if delta::refuse_files_of_tables(location).await.is_err() {
        return Err(CorpusError::configuration(
            format!(
                "`{}` is, or lies in, a Delta table, whose log would not name what is written there",
                location.uri()
            ),
            "make it a table (CREATE EXTERNAL TABLE … STORED AS DELTA), then INSERT INTO it; or choose another place",
        ));
    }
    refuse_released(location).await
}

/// Refuses a place that is, or lies in, an output of a run.
///
/// # Errors
/// [`CorpusError::Configuration`] with the place.
pub async fn refuse_released(location: &Location) -> Result<()> {
    refuse_released_here(location)?;
    if location.local_path().is_none() {
        for manifest in manifests_above(location) {
            // Who may write to a folder need not be allowed to look into those above it.
            if location.store().head(&manifest).await.is_ok() {
                return Err(released(location));
            }
        }
    }
    Ok(())
}

/// Refuses a local place that is, or lies in, an output of a run; what lies in a store is not asked for.
///
/// # Errors
/// As [`refuse_released`].
pub(super) fn refuse_released_here(location: &Location) -> Result<()> {
    let is_there = |manifest: Path| LocalPath::new("/").join(manifest.as_ref()).symlink_metadata().is_ok();
    match location.local_path().is_some() && manifests_above(location).into_iter().any(is_there) {
        true => Err(released(location)),
        false => Ok(()),
    }
}

/// Where the manifests of outputs would lie that a place is, or lies in.
fn manifests_above(location: &Location) -> Vec<Path> {
    let (parts, manifest): (Vec<_>, _) = (location.path().parts().collect(), Path::from(MANIFEST));
    (0..=parts.len()).map(|depth| parts[..depth].iter().cloned().chain(manifest.parts()).collect()).collect()
}

fn released(location: &Location) -> CorpusError {
    CorpusError::configuration(
        format!("`{}` is, or lies in, what `run` has released", location.uri()),
        "choose another place: other files there would be taken for released notes",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn released_notes_are_nobody_elses_place() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| Location::parse(folder.path().join(name).to_str().unwrap()).unwrap();
        std::fs::create_dir_all(folder.path().join("out/_plainsight")).unwrap();
        std::fs::write(folder.path().join("out").join(MANIFEST), "{}").unwrap();
        std::fs::create_dir_all(folder.path().join("t/_delta_log")).unwrap();
        std::fs::write(folder.path().join("t/_delta_log/00000000000000000000.json"), "{}").unwrap();
        for name in ["out", "out/x.parquet", "out/site=2/x.parquet", "t", "t/x.parquet"] {
            assert!(matches!(refuse_managed(&place(name)).await, Err(CorpusError::Configuration { .. })), "{name}");
        }
        for name in ["out2", "x.parquet", "notes/x.parquet"] {
            assert!(refuse_managed(&place(name)).await.is_ok(), "{name}");
        }
    }

    #[tokio::test]
    async fn released_notes_in_a_store_are_neither() {
        let at = |name: &str| Location::parse("memory:///").unwrap().join(name);
        let store = at("").store();
        let place = |name: &str| at(name).with_store(std::sync::Arc::clone(&store));
        store.put(place("a%20b/out").join(MANIFEST).path(), "{}".into()).await.unwrap();
        assert!(refuse_released(&place("a%20b/out/spans.jsonl")).await.is_err());
        assert!(refuse_released(&place("a%20b/spans.jsonl")).await.is_ok());
        assert!(refuse_released_here(&place("a%20b/out/spans.jsonl")).is_ok());
    }
}
