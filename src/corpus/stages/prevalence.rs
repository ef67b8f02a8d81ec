//! How a corpus repeats itself: counting and nothing else.

use arrow::array::{AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, UInt64Type};

use super::{Job, JobOptions, count};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::prevalence::{Band, Growth, Prevalence, RANKS, Top};
use crate::corpus::progress::Observer;
use crate::corpus::source::place_of_document;

/// How many points the growth curve has.
const POINTS: u64 = 10;

/// Counts the sentences of notes. What is counted lies under the work location, if that is kept, as the table `counts`.
///
/// # Errors
/// Any [`CorpusError`].
pub async fn prevalence(
    options: &JobOptions,
    deidentifier: std::sync::Arc<Deidentifier>,
    observer: &dyn Observer,
) -> Result<Prevalence> {
    let mut job = Job::begin(options, deidentifier, observer).await?;
    count::count(&mut job).await?;
    let mut prevalence = Prevalence {
        notes: job.report.notes_read,
        quarantined: job.unread,
        context: job.deidentifier.context().name(),
        distinct: job.report.sentences.distinct,
        ..Prevalence::default()
    };
    by_patients(&job, &mut prevalence).await?;
    commonest(&job, &mut prevalence).await?;
    growth(&job, &mut prevalence).await?;
    prevalence.measure_exponent();
    job.end().await?;
    Ok(prevalence)
}

/// The numbers of a batch, column by column.
fn numbers<const COLUMNS: usize>(batch: &RecordBatch) -> Result<Vec<[u64; COLUMNS]>> {
    let unreadable = || CorpusError::internal("the counts cannot be read");
    let columns = batch.columns().iter().map(|column| cast(column, &DataType::UInt64));
    let columns = columns.collect::<std::result::Result<Vec<_>, _>>().map_err(|_| unreadable())?;
    if columns.len() != COLUMNS {
        return Err(unreadable());
    }
    let row = |row| std::array::from_fn(|column| columns[column].as_primitive::<UInt64Type>().value(row));
    Ok((0..batch.num_rows()).map(row).collect())
}

async fn by_patients(job: &Job<'_>, prevalence: &mut Prevalence) -> Result<()> {
    job.each_batch("count", include_str!("../../../sql/prevalence_totals.sql"), |batch| {
        for [patients, distinct, occurrences] in numbers(batch)? {
            prevalence.by_patients.push(Band { patients, distinct, occurrences });
            prevalence.sentences += occurrences;
        }
        Ok(())
    })
    .await
}

async fn commonest(job: &Job<'_>, prevalence: &mut Prevalence) -> Result<()> {
    let (all, mut rank, mut sum) = (prevalence.sentences, 0, 0);
    job.each_batch("count", include_str!("../../../sql/prevalence_top.sql"), |batch| {
        for [occurrences, sentences] in numbers(batch)? {
            for told in RANKS.iter().copied().filter(|told| (rank + 1..=rank + sentences).contains(told)) {
                let sum = sum + occurrences * (told - rank);
                prevalence.top.push(Top { rank: told, occurrences: sum, share: sum as f64 / all as f64 });
            }
            (rank, sum) = (rank + sentences, sum + occurrences * sentences);
        }
        Ok(())
    })
    .await
}

async fn growth(job: &Job<'_>, prevalence: &mut Prevalence) -> Result<()> {
    let notes = prevalence.notes;
    // Notes of the units before, the unit at hand, and its notes so far. Where a file does not say how many it has, the last that
    // brought something new is taken for its last.
    let (mut before, mut unit, mut in_unit) = (0, 0, 0);
    let (mut points, mut distinct): (Vec<(u64, u64)>, u64) = (Vec::new(), 0);
    let step = notes.div_ceil(POINTS).max(1);
    job.each_batch("count", include_str!("../../../sql/growth.sql"), |batch| {
        for [document, new] in numbers(batch)? {
            let (at, row) = place_of_document(document);
            while unit < at {
                before += job.source.units[unit].known_rows().unwrap_or(in_unit);
                (unit, in_unit) = (unit + 1, 0);
            }
            in_unit = row + 1;
            let point = (before + row) / step;
            while points.len() as u64 <= point {
                points.push(((points.len() as u64 + 1) * step, distinct));
            }
            distinct += new;
            if let Some(last) = points.last_mut() {
                last.1 = distinct;
            }
        }
        Ok(())
    })
    .await?;
    // The last notes may have brought nothing new.
    while (points.len() as u64) * step < notes {
        points.push(((points.len() as u64 + 1) * step, distinct));
    }
    let mut earlier = (0, 0);
    for (end, distinct) in points {
        let end = end.min(notes);
        let new_a_note = (distinct - earlier.1) as f64 / (end - earlier.0).max(1) as f64;
        prevalence.growth.push(Growth { notes: end, distinct, new_a_note });
        earlier = (end, distinct);
    }
    Ok(())
}
