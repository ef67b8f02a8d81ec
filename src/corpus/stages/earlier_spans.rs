//! What `detect --overwrite` may take the place of: spans that it has written before.
//!
//! ```text
//! spans.parquet   note_id start end label claims score      replaced
//! gold.jsonl      note_id start end label                    somebody's annotations: refused, like a key, a list, notes
//! ```

use object_store::ObjectStoreExt;

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::part::PartFormat;
use crate::corpus::source::column_names;
use crate::corpus::store::Location;

/// Columns that spans have, and annotations by hand have not all of.
const OF_SPANS: [&str; 5] = ["start", "end", "label", "claims", "score"];
/// No line of spans is longer, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Refuses a file that is there and holds anything but spans with their claims.
///
/// # Errors
/// [`CorpusError::Configuration`] with the place; those of the store.
pub(super) async fn refuse_other_file(out: &Location, format: PartFormat) -> Result<()> {
    let fail = |error: object_store::Error| CorpusError::in_input(out.uri(), &error);
    let file = match out.store().head(out.path()).await {
        Ok(file) => file,
        Err(object_store::Error::NotFound { .. }) => return Ok(()),
        Err(error) => return Err(fail(error)),
    };
    let names = match format {
        PartFormat::Parquet => match column_names(out, &file).await {
            Err(error) if error.is_temporary() => return Err(error),
            // One that cannot be read is none that was written here.
            names => names.unwrap_or_default(),
        },
        PartFormat::JsonLines if file.size == 0 => return Ok(()),
        PartFormat::JsonLines => {
            let begin = out.store().get_range(out.path(), 0..file.size.min(LONGEST_LINE)).await.map_err(fail)?;
            keys_of_first_line(&begin)
        }
    };
    match OF_SPANS.iter().all(|name| names.iter().any(|own| own == name)) {
        true => Ok(()),
        false => Err(CorpusError::configuration(
            format!("`{}` holds something else than spans of `plainsight detect`", out.uri()),
            "choose another --out: --overwrite replaces an earlier output alone",
        )),
    }
}

fn keys_of_first_line(text: &[u8]) -> Vec<String> {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let row: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_slice(line).ok();
    row.map(|row| row.keys().cloned().collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_spans_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        for (content, is_ours) in [
            (r#"{"note_id":"1","start":0,"end":1,"label":"DATE","claims":[],"score":1.0}"#, true),
            ("", true),
            (r#"{"note_id":"1","start":0,"end":1,"label":"DATE"}"#, false),
            ("0123456789abcdef", false),
            ("[1]\n", false),
        ] {
            let file = folder.path().join("spans.jsonl");
            std::fs::write(&file, content).unwrap();
            let place = Location::parse(file.to_str().unwrap()).unwrap();
            assert_eq!(refuse_other_file(&place, PartFormat::JsonLines).await.is_ok(), is_ours, "{content}");
        }
        let none = Location::parse(folder.path().join("none.parquet").to_str().unwrap()).unwrap();
        assert!(refuse_other_file(&none, PartFormat::Parquet).await.is_ok());
        let broken = Location::parse(folder.path().join("spans.jsonl").to_str().unwrap()).unwrap();
        assert!(refuse_other_file(&broken, PartFormat::Parquet).await.is_err());
    }
}
