//! Whose some notes are, so that a table of patients that is not theirs is told before the work begins.

use std::sync::Arc;

use futures::TryStreamExt;

use super::identifiers::identifier;
use super::table::{identifying_columns, rows};
use super::{Source, Unit};
use crate::corpus::error::Result;
use crate::corpus::progress::Meter;

/// How many notes are looked at, and in how many units: each may be a file in a store.
const MOST_NOTES: usize = 10_000;
const UNITS: usize = 32;

/// The patients of the first notes of some units, each with a number of notes; of further units until these are `enough` notes, where there are so
/// many. The units lie apart, for what lies together may be of one site.
pub(in crate::corpus) async fn first_patients(source: &Arc<Source>, enough: u64) -> Result<Vec<(String, u64)>> {
    let step = source.units.len().div_ceil(UNITS).max(1);
    let most = MOST_NOTES / source.units.len().clamp(1, UNITS);
    let (mut patients, mut looked_at) = (Vec::new(), 0);
    for first in 0..step {
        for unit in source.units.iter().skip(first).step_by(step) {
            let found = match of_folder(source, unit) {
                Some((patient, notes)) => vec![(patient, notes.min(most as u64))],
                None => of_first_rows(source, unit, most).await?,
            };
            looked_at += found.iter().map(|(_, notes)| notes).sum::<u64>();
            patients.extend(found);
        }
        if looked_at >= enough {
            break;
        }
    }
    Ok(patients)
}

/// The patient whose folder a unit lies in, and its notes as far as they are known.
fn of_folder(source: &Source, unit: &Unit) -> Option<(String, u64)> {
    let column = source.columns.patient().filter(|column| column.partition)?;
    let position = source.partitions.iter().position(|partition| *partition == column.name)?;
    let patient = unit.partition_values.get(position)?;
    Some((identifier(patient).to_owned(), unit.known_rows().unwrap_or(1)))
}

async fn of_first_rows(source: &Arc<Source>, unit: &Unit, most: usize) -> Result<Vec<(String, u64)>> {
    let mut batches = rows(source, unit, &identifying_columns(source), Arc::default(), Meter::default());
    let mut patients = Vec::new();
    while patients.len() < most {
        let Some(batch) = batches.try_next().await? else { break };
        let names = batch.patients(source)?;
        let left = most - patients.len();
        patients.extend(names.iter().flatten().take(left).map(|patient| (patient.to_owned(), 1)));
    }
    Ok(patients)
}
