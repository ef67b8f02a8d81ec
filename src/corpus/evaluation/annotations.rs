//! The annotations of one side, gold or predicted, by note, in whatever format they come.
//!
//! ```text
//! spans.parquet, spans.jsonl   note_id, start, end, label       ┐
//! folder/*.xml                 i2b2-2014 or i2b2-2006           ┼─▶ note ─▶ annotations, and the text where the format has it
//! folder/*.txt + *.ann         brat standoff                    │
//! folder/*.conll, *.bio        CoNLL columns                    ┘
//! ```

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use datafusion::prelude::SessionContext;
use futures::TryStreamExt;
use object_store::ObjectStoreExt;

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::files::open;
use crate::corpus::store::Location;
use crate::evaluate::gold::{AnnotatedNote, Annotation, GoldError, brat, conll, i2b2_2006, i2b2_2014};

/// How annotations are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Table,
    I2b2,
    Brat,
    Conll,
}

impl Format {
    /// The format that files of an ending are in.
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "parquet" | "jsonl" | "ndjson" | "json" => Some(Self::Table),
            "xml" => Some(Self::I2b2),
            "ann" => Some(Self::Brat),
            "conll" | "bio" | "iob" | "iob2" => Some(Self::Conll),
            _ => None,
        }
    }
}

/// Annotations by note.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    /// Every note that the files name, with its annotations.
    pub(super) notes: BTreeMap<String, Vec<Annotation>>,
    /// The texts of the notes, where the format carries them.
    pub(super) texts: BTreeMap<String, String>,
}

impl Annotations {
    /// Reads a file or a folder.
    pub(super) async fn read(context: &SessionContext, location: &Location) -> Result<Self> {
        let files: Vec<_> = location.list().await?.into_iter().map(|file| file.location).collect();
        let format = files.iter().find_map(|file| Format::of_ending(file.extension()?));
        let mut annotations = Self::default();
        match format {
            None | Some(Format::Table) => annotations.read_table(context, location).await?,
            Some(format) => {
                for file in files.iter().filter(|file| file.extension().and_then(Format::of_ending) == Some(format)) {
                    let name = location.name_of(file);
                    let content = text_of(location, file).await?;
                    let stem = file.filename().and_then(|name| name.rsplit_once('.')).map_or("", |(stem, _)| stem);
                    let notes = match format {
                        Format::Brat => {
                            let text = file.as_ref().strip_suffix("ann").map(|path| format!("{path}txt"));
                            let text = text_of(location, &text.unwrap_or_default().into()).await?;
                            brat(stem, &text, &content).map(|note| vec![note])
                        }
                        Format::Conll => conll(stem, &content),
                        _ => i2b2(stem, &content),
                    };
                    let notes = notes.map_err(|error| CorpusError::input(&name, error.to_string()))?;
                    notes.into_iter().try_for_each(|note| annotations.add(note, &name))?;
                }
            }
        }
        Ok(annotations)
    }

    fn add(&mut self, note: AnnotatedNote, file: &str) -> Result<()> {
        if self.notes.insert(note.note_id.clone(), note.spans).is_some() {
            return Err(CorpusError::input(file, format!("note {} is there twice", note.note_id)));
        }
        self.texts.extend(note.text.map(|text| (note.note_id, text)));
        Ok(())
    }

    async fn read_table(&mut self, context: &SessionContext, location: &Location) -> Result<()> {
        let fail = |error: datafusion::error::DataFusionError| {
            CorpusError::input(location.uri(), error.to_string().lines().next().unwrap_or_default())
        };
        let table = open(context, location).await?;
        let columns = table.select_columns(&["note_id", "start", "end", "label"]).map_err(fail)?;
        let mut batches = columns.execute_stream().await.map_err(fail)?;
        while let Some(batch) = batches.try_next().await.map_err(fail)? {
            self.add_rows(&batch).map_err(|reason| CorpusError::input(location.uri(), reason))?;
        }
        Ok(())
    }

    fn add_rows(&mut self, batch: &RecordBatch) -> Result<(), &'static str> {
        let as_type = |place: usize, data_type: &DataType| {
            cast(batch.column(place), data_type).map_err(|_| "note_id and label must be text, start and end integers")
        };
        let (notes, labels) = (as_type(0, &DataType::Utf8)?, as_type(3, &DataType::Utf8)?);
        let (starts, ends) = (as_type(1, &DataType::Int64)?, as_type(2, &DataType::Int64)?);
        if [&notes, &labels, &starts, &ends].iter().any(|column| column.null_count() > 0) {
            return Err("a span has a null in note_id, start, end or label");
        }
        let (notes, labels) = (notes.as_string::<i32>(), labels.as_string::<i32>());
        let (starts, ends) = (starts.as_primitive::<Int64Type>(), ends.as_primitive::<Int64Type>());
        for row in 0..batch.num_rows() {
            let (Ok(start), Ok(end)) = (usize::try_from(starts.value(row)), usize::try_from(ends.value(row))) else {
                return Err("a span begins or ends before its note");
            };
            let annotation = Annotation { start, end, label: labels.value(row).to_owned() };
            self.notes.entry(notes.value(row).to_owned()).or_default().push(annotation);
        }
        Ok(())
    }
}

/// Either kind of i2b2 file, told apart by its outermost element.
fn i2b2(stem: &str, xml: &str) -> Result<Vec<AnnotatedNote>, GoldError> {
    if xml.contains("<deIdi2b2") { i2b2_2014(stem, xml).map(|note| vec![note]) } else { i2b2_2006(xml) }
}

/// The content of a file as it is: no line break is changed, for offsets count them.
async fn text_of(location: &Location, file: &object_store::path::Path) -> Result<String> {
    let fail = |reason: String| CorpusError::input(location.name_of(file), reason);
    let content = location.store().get(file).await.map_err(|error| fail(error.to_string()))?;
    let bytes = content.bytes().await.map_err(|error| fail(error.to_string()))?;
    String::from_utf8(bytes.into()).map_err(|_| fail("it is not UTF-8".to_owned()))
}
