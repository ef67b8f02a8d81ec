//! The tables and functions of a run, for statements that people write.
//!
//! ```text
//! plainsight run --notes notes --work work …                      keeps counts, sentences, claims, second_pass and their indexes
//! plainsight sql --notes notes --work work -c "SELECT … FROM sentences JOIN claims …"
//! ```

use std::sync::Arc;

use datafusion::prelude::SessionContext;

use super::claims::SentenceClaims;
use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::functions::{confident_values, first_sentences, join_back};
use super::index::{CountIndex, PatientDictionaries, SentenceIndex};
use super::progress::Meter;
use super::schema::ColumnOptions;
use super::source::{Quarantine, SharedTable, Source, discover, documents_table, notes_table};
use super::stages::{CLAIM_INDEX, COUNT_INDEX, DICTIONARIES, TABLES};
use super::store::{Location, Place};

/// Registers the notes as the tables `notes` and `documents`, as the stages of a run see them. Rows that a run would refuse are left
/// out.
///
/// # Errors
/// [`CorpusError::Input`] where they cannot be read, [`CorpusError::Configuration`] for columns without a role.
pub async fn register_notes(
    context: &SessionContext,
    notes: &Location,
    columns: &ColumnOptions,
    partitions: usize,
) -> Result<()> {
    let source = Arc::new(discover(notes, columns).await?);
    register_source(context, &source, partitions)
}

/// The same of notes that are known already.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses the tables.
pub fn register_source(context: &SessionContext, source: &Arc<Source>, partitions: usize) -> Result<()> {
    let fail = CorpusError::in_stage("sql");
    let quarantine = Arc::new(Quarantine::of_statement());
    let documents = documents_table(source, partitions, &quarantine, &Meter::default())?;
    context.register_table("documents", Arc::new(documents)).map_err(&fail)?;
    let notes = notes_table(source, partitions, &quarantine, &Meter::default())?;
    context.register_table("notes", Arc::new(notes)).map(drop).map_err(&fail)
}

/// Registers the notes of a source that lies at a place, whose `columns` have these roles, to be read by whoever computes.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses the tables.
pub fn register_shared(
    context: &SessionContext,
    source: &Source,
    place: &Place,
    columns: &ColumnOptions,
    partitions: usize,
) -> Result<()> {
    let fail = CorpusError::in_stage("sql");
    let [documents, notes] = SharedTable::both(source, place, columns, partitions);
    context.register_table("documents", Arc::new(documents)).map_err(&fail)?;
    context.register_table("notes", Arc::new(notes)).map(drop).map_err(&fail)
}

/// Registers the tables that a run has kept at a work location, and the functions that look up what it has indexed.
///
/// # Errors
/// [`CorpusError::Configuration`] where no run has kept anything there, [`CorpusError::Input`] for an index that is damaged.
pub async fn register_work(context: &SessionContext, work: &Location, deidentifier: &Arc<Deidentifier>) -> Result<()> {
    let fail = CorpusError::in_stage("sql");
    let mut known = 0;
    for table in TABLES {
        let folder = work.join(table);
        if !folder.is_vacant().await? {
            let url = format!("{}/", folder.url().as_str().trim_end_matches('/'));
            context.register_parquet(table, &url, Default::default()).await.map_err(&fail)?;
            known += 1;
        }
    }
    if known == 0 {
        return Err(CorpusError::configuration(
            format!("no run has kept its tables at `{}`", work.uri()),
            "give --work to `run`, and the same here",
        ));
    }
    let present = |name: &str| work.local_path().map(|path| path.join(name)).filter(|path| path.is_file());
    if let Some(path) = present(COUNT_INDEX) {
        context.register_udf(first_sentences(deidentifier, &Arc::new(CountIndex::open(&path)?)));
    }
    if let Some(path) = present(CLAIM_INDEX) {
        let claims = Arc::new(SentenceClaims::Index(SentenceIndex::open(&path)?));
        context.register_udf(confident_values(deidentifier, &claims));
        let dictionaries = match present(DICTIONARIES) {
            Some(path) => Some(Arc::new(PatientDictionaries::open(&path, deidentifier.hasher()?)?)),
            None => None,
        };
        context.register_udf(join_back(deidentifier, &claims, dictionaries.as_ref()));
    }
    Ok(())
}
