//! An output checked against its source, independently of the detectors that the run asked. What stands for no value in a column (`unknown`, `N/A`), and
//! what holds more than a day, is told as the run tells it.
//!
//! ```text
//! notes ─ units ──┐ by the keyed digest of the input                 ┌─ files: digest, size, none missing, none too many
//!                 ├─────────────────────────────────▶ part by part ──┼─ rows: each once, in order
//! manifest ─ parts┘                                                  └─ columns by role: kept, dates, identifiers, text
//! ```
//!
//! The manifest says which part was made from which notes; that each row stands where it should, and what became of it, is read from
//! both sides anew. What is looked for in text is the business of [`crate::verify`].

mod columns;
mod kept;
mod known;
mod report;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures::{StreamExt, TryStreamExt};

use self::kept::Kept;
pub use self::report::{PlacedFinding, VerifyReport};
use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::output::{Identities, Manifest, PartRecord, RUN_REPORT, SUCCESS, is_of_a_run};
use super::schema::{Column, ColumnOptions, Role};
use super::source::{Source, Unit, discover};
use super::store::Location;
use super::worker::in_worker;
use crate::surrogate::SurrogateOptions;
use crate::verify::{Correspondence, FindingKind, KnownValues, Pairing, Tally};

/// How many identifiers of a column, and how many patients, are followed from row to row: some 32 bytes each.
const MOST_FOLLOWED: usize = 4_000_000;
/// No more findings are listed by their place; all are counted.
const MOST_LISTED: usize = 1_000_000;

/// What is checked, and how closely.
#[derive(Debug, Clone)]
pub struct VerifyOptions {
    /// The notes that the output was made from.
    pub notes: Location,
    /// The output.
    pub out: Location,
    /// The roles of columns, as the run had them.
    pub columns: ColumnOptions,
    /// The text of about so many rows is examined, spread over all parts; none for all. Everything else is checked in every row.
    pub sample: Option<u64>,
    /// How many workers.
    pub partitions: usize,
}

/// Checks an output. The deidentifier gives the key, the policy and the patients' records; no detector is asked.
///
/// # Errors
/// [`CorpusError::Configuration`] where there is no whole output, or key or columns are not those of the run; [`CorpusError::Input`]
/// where something cannot be read. What is wrong with the output is no error, but in the report.
pub async fn verify(
    options: &VerifyOptions,
    deidentifier: Arc<Deidentifier>,
) -> Result<(VerifyReport, Vec<PlacedFinding>)> {
    let manifest = Manifest::read(&options.out).await?.ok_or_else(|| {
        CorpusError::configuration(
            format!("there is no whole output at `{}`", options.out.uri()),
            "`plainsight status` tells how it stands",
        )
    })?;
    if manifest.key_id != deidentifier.key()?.id() {
        return Err(CorpusError::configuration("the output was made with another key", "give the key of the run"));
    }
    if options.out.join(SUCCESS).read_if_there().await?.is_none() {
        return Err(CorpusError::configuration(
            format!("the output at `{}` is not declared whole", options.out.uri()),
            "a run was interrupted, or is under way: run the same command again, and verify what it leaves",
        ));
    }
    let source = Arc::new(discover(&options.notes, &options.columns).await?);
    check_columns(&source, &manifest)?;
    let mut report = VerifyReport::of(&manifest);
    report.count_all(FindingKind::PartUnknown, unknown_files(&options.out, &manifest).await?);
    let (mut pairs, uncovered) = paired(&source, &manifest, &Identities::new(&deidentifier)?);
    report.count_all(FindingKind::NotCovered, uncovered);
    let step = options.sample.map_or(1, |rows| manifest.rows.div_ceil(rows.max(1)).max(1));
    let job =
        Arc::new(Job::new(options, source, deidentifier, &manifest, surrogate_options(&options.out).await?, step));
    pairs.sort_by_key(|(_, part)| part.number);
    let tasks = pairs.into_iter().map(|(unit, part)| in_worker(rows::check_part(Arc::clone(&job), unit, part)));
    // In order, so that no part's findings are held for longer than those of the parts before it take.
    let mut outcomes = futures::stream::iter(tasks).buffered(options.partitions.max(1));
    let mut findings = Vec::new();
    while let Some(outcome) = outcomes.try_next().await? {
        report.add(&outcome);
        let room = MOST_LISTED.saturating_sub(findings.len());
        findings.extend(outcome.findings.into_iter().take(room));
    }
    report.followed(&job);
    Ok((report, findings))
}

/// What every part is checked with.
struct Job {
    source: Arc<Source>,
    out: Location,
    columns: Vec<Column>,
    /// The names of the columns of parts.
    written: Vec<String>,
    deidentifier: Arc<Deidentifier>,
    /// The options of the run's surrogates.
    surrogate: SurrogateOptions,
    known: Kept<KnownValues>,
    pseudonyms: Mutex<BTreeMap<String, Correspondence>>,
    shifts: Mutex<Correspondence>,
    step: u64,
}

impl Job {
    fn new(
        options: &VerifyOptions,
        source: Arc<Source>,
        deidentifier: Arc<Deidentifier>,
        manifest: &Manifest,
        surrogate: SurrogateOptions,
        step: u64,
    ) -> Self {
        let columns = source.columns.iter().filter(|column| column.role != Role::Drop).cloned().collect();
        Self {
            out: options.out.clone(),
            columns,
            written: manifest.columns.iter().map(|column| column.name.clone()).collect(),
            deidentifier,
            surrogate,
            known: Kept::default(),
            pseudonyms: Mutex::default(),
            shifts: Mutex::new(Correspondence::new(MOST_FOLLOWED, false)),
            source,
            step,
        }
    }

    /// What the records say of a patient; none where there is no record.
    fn known(&self, patient: &str) -> Option<Arc<KnownValues>> {
        let records = self.deidentifier.records();
        let known = || Arc::new(known::known_values(&records.of(patient), self.deidentifier.policy()));
        records.has(patient).then(|| self.known.get(patient, known))
    }

    /// Takes note of an identifier and its pseudonym.
    fn pseudonym(&self, column: &Column, value: &str, became: &str) -> Pairing {
        // Patients are the same ones in every table and column.
        let name = if column.role == Role::Patient { "patient".to_owned() } else { column.name.to_lowercase() };
        let mut all = self.pseudonyms.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.entry(name).or_insert_with(|| Correspondence::new(MOST_FOLLOWED, true)).see(value, became)
    }

    /// Takes note of a mapped value of a patient and what it became; two values may become one.
    fn mapped(&self, column: &Column, patient: &str, value: &str, became: &str) -> Pairing {
        let mut all = self.pseudonyms.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let of_column =
            all.entry(format!("mapped {}", column.name)).or_insert_with(|| Correspondence::new(MOST_FOLLOWED, false));
        of_column.see(&format!("{patient}\0{value}"), became)
    }

    /// Takes note of by how many days a patient's date has moved.
    fn shift(&self, patient: &str, days: i64) -> Pairing {
        let mut shifts = self.shifts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shifts.see(patient, &days.to_string())
    }
}

/// The options of the surrogates of an output, as its report tells them.
async fn surrogate_options(out: &Location) -> Result<SurrogateOptions> {
    let report = out.join(RUN_REPORT).read_if_there().await?;
    let report = report.and_then(|(content, _)| serde_json::from_slice::<serde_json::Value>(&content).ok());
    let mut options = report.and_then(|report| report.get("surrogate").cloned()).unwrap_or_default();
    // Runs of versions that did not know it had none.
    if options.is_object() && options.get("oldest_year").is_none() {
        options["oldest_year"] = 0.into();
    }
    Ok(serde_json::from_value(options).unwrap_or_default())
}

/// The output must have the columns that the roles ask for; else the roles are not those of the run.
fn check_columns(source: &Source, manifest: &Manifest) -> Result<()> {
    let expected: BTreeSet<&str> = source
        .columns
        .iter()
        .filter(|column| !column.partition && column.role != Role::Drop)
        .map(|column| column.name.as_str())
        .collect();
    let written: BTreeSet<&str> = manifest.columns.iter().map(|column| column.name.as_str()).collect();
    match expected == written {
        true => Ok(()),
        false => Err(CorpusError::configuration(
            "the output has other columns than these roles give it",
            "give --schema, --columns, --map-columns, --keep-columns and --drop-columns as the run had them",
        )),
    }
}

/// How many files lie in the output that the manifest does not name, and that are none of a run's own, by their names. Hidden ones are copied with
/// the others, and so is what lies beside the manifest.
async fn unknown_files(out: &Location, manifest: &Manifest) -> Result<u64> {
    let named: BTreeSet<&str> = manifest.parts.iter().filter_map(|part| part.name.as_deref()).collect();
    let files = out.list().await?;
    let files = files.iter().map(|file| out.path_below(&file.location));
    Ok(files.filter(|file| !named.contains(file.as_str()) && !is_of_a_run(file)).count() as u64)
}

/// The units of the source with their parts, and how many of either have no other.
fn paired(source: &Source, manifest: &Manifest, identities: &Identities) -> (Vec<(usize, PartRecord)>, u64) {
    let parts = manifest.by_input();
    let part_of = |unit: &Unit| parts.get(identities.unit(source, unit).as_str()).copied();
    let pairs: Vec<_> = source.units.iter().filter_map(|unit| Some((unit.index, part_of(unit)?.clone()))).collect();
    let used: BTreeSet<u64> = pairs.iter().map(|(_, part)| part.number).collect();
    let without_part = source.units.len() - pairs.len();
    // A file without rows, of notes without rows, is made from none of them.
    let made = manifest.parts.iter().filter(|part| !part.input.is_empty());
    let without_unit = made.filter(|part| !used.contains(&part.number)).count();
    (pairs, (without_part + without_unit) as u64)
}

/// Adds to a tally.
fn count_times(tally: &mut Tally, kind: FindingKind, times: u64) {
    (0..times).for_each(|_| tally.count(kind));
}
