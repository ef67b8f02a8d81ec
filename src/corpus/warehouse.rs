//! The synthetic warehouse as a data set: `notes/`, `patients/` and `gold/` below one location, streamed.

use std::ops::Range;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use futures::{StreamExt, TryStreamExt};

use super::draft::Draft;
use super::error::{CorpusError, Result};
use super::part::{PartFormat, PartWriter};
use super::progress::{Meter, Observer};
use super::store::Location;
use super::worker::in_worker;
use crate::generate::batches::{gold_schema, notes_and_gold, notes_schema, patients, patients_schema};
use crate::generate::{GenerateOptions, Warehouse};

/// What tells a warehouse from anything else, so that another may take its place, and no output of a run: how it was made.
pub(super) const MARK: &str = "_plainsight/warehouse.json";
/// Notes made and written at once.
const BATCH: u64 = 1_000;
/// Notes in one file.
const FILE: u64 = 50_000;
/// Patients in one file.
const PATIENT_FILE: u64 = 500_000;

/// Writes a warehouse, on `workers` threads.
///
/// # Errors
/// [`CorpusError::Configuration`] where something is at `out` already and may not be replaced; [`CorpusError::Output`] where
/// it cannot be written.
pub async fn write_warehouse(
    options: GenerateOptions,
    out: &Location,
    workers: usize,
    overwrite: bool,
    observer: &dyn Observer,
) -> Result<()> {
    let output = Draft::take(out, MARK, overwrite).await?;
    let (notes, people) = (options.notes, options.patients);
    let made = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "notes": notes,
        "patients": people,
        "seed": options.seed,
        "canary": options.canary,
    });
    let warehouse = std::sync::Arc::new(Warehouse::new(options));
    let meter = Meter::default();
    observer.begin("generate", Some(notes), &meter);
    let note_files = files(notes, FILE).into_iter().map(|(number, range)| {
        let (warehouse, out, meter) = (warehouse.clone(), out.clone(), meter.clone());
        in_worker(async move { write_notes(&warehouse, &out, number, range, &meter).await })
    });
    let written = futures::stream::iter(note_files).buffer_unordered(workers.max(1)).try_collect::<Vec<()>>().await;
    written?;
    observer.end("generate");
    for (number, range) in files(people, PATIENT_FILE) {
        write_patients(&warehouse, out, number, range).await?;
    }
    out.join(MARK).write(format!("{made}\n")).await?;
    out.join("_SUCCESS").write("").await?;
    output.finish();
    Ok(())
}

/// Numbered ranges of at most `size`; one empty range for nothing, so that there is a file with the columns.
fn files(count: u64, size: u64) -> Vec<(u64, Range<u64>)> {
    (0..count.div_ceil(size).max(1)).map(|number| (number, number * size..((number + 1) * size).min(count))).collect()
}

fn part(out: &Location, folder: &str, number: u64, schema: &SchemaRef) -> Result<PartWriter> {
    PartWriter::create(out.join(&format!("{folder}/part-{number:06}.parquet")), PartFormat::Parquet, schema)
}

fn built<T>(out: &Location, batch: Result<T, ArrowError>) -> Result<T> {
    batch.map_err(|error| CorpusError::output(out.uri(), error))
}

async fn write_notes(
    warehouse: &Warehouse,
    out: &Location,
    number: u64,
    range: Range<u64>,
    meter: &Meter,
) -> Result<()> {
    let mut notes = part(out, "notes", number, &notes_schema())?;
    let mut gold = part(out, "gold", number, &gold_schema())?;
    for start in range.clone().step_by(BATCH as usize) {
        let (texts, spans): (RecordBatch, RecordBatch) =
            built(out, notes_and_gold(warehouse, start..(start + BATCH).min(range.end)))?;
        meter.add(texts.num_rows() as u64, texts.column(texts.num_columns() - 1).get_array_memory_size() as u64);
        notes.write(&texts).await?;
        gold.write(&spans).await?;
    }
    notes.finish().await?;
    gold.finish().await.map(drop)
}

async fn write_patients(warehouse: &Warehouse, out: &Location, number: u64, range: Range<u64>) -> Result<()> {
    let mut writer = part(out, "patients", number, &patients_schema())?;
    for start in range.clone().step_by(BATCH as usize) {
        writer.write(&built(out, patients(warehouse, start..(start + BATCH).min(range.end)))?).await?;
    }
    writer.finish().await.map(drop)
}
