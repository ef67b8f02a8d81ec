//! A folder of plain text files, one note a file, as brat and many exports have them.
//!
//! ```text
//! notes/S0004-06142005000500011-1.txt ─▶ note_id "S0004-06142005000500011-1", text: the file, byte for byte
//! notes/S0004-06142005000500011-1.ann    annotations beside their text are passed over
//! ```

use std::sync::Arc;

use arrow::array::{RecordBatch, StringViewArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::quarantine::Refused;
use super::{Source, Unit};
use crate::corpus::error::{CorpusError, Result};

/// The columns that a text file has: its name without ending, and its content.
pub(super) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("note_id", DataType::Utf8View, false),
        Field::new("text", DataType::Utf8View, false),
    ]))
}

/// Whether a file is annotations that lie beside their text.
pub(super) fn is_annotation(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ann"))
}

/// The one row of a unit, or why it is refused.
pub(super) async fn read(source: Arc<Source>, unit: usize) -> Result<(RecordBatch, Vec<u64>, Vec<Refused>)> {
    let Unit { file, .. } = &source.units[unit];
    let fail = |error: object_store::Error| CorpusError::store_input(source.location.name_of(file), &error);
    let content = source.location.store().get(file).await.map_err(fail)?.bytes().await.map_err(fail)?;
    let Ok(text) = std::str::from_utf8(&content) else {
        let refused = Refused { unit, row: 0, column: Some("text".to_owned()), reason: "the text is not UTF-8" };
        return Ok((RecordBatch::new_empty(schema()), Vec::new(), vec![refused]));
    };
    let stem = file.filename().and_then(|name| name.rsplit_once('.')).map_or("", |(stem, _)| stem);
    let columns: [Arc<dyn arrow::array::Array>; 2] =
        [Arc::new(StringViewArray::from_iter_values([stem])), Arc::new(StringViewArray::from_iter_values([text]))];
    let batch =
        RecordBatch::try_new(schema(), columns.into()).map_err(|error| CorpusError::in_stage("read")(error.into()))?;
    Ok((batch, vec![0], Vec::new()))
}
