//! An output that grows with its notes: what has not changed is not written again.
//!
//! ```text
//! yesterday   units 1 2 3        what is known of each patient
//! today       units 1 2 3 4      … of P7 more is known, who has notes in unit 2
//!             keep 1 3, write 2 again, write 4
//! ```
//!
//! A new note can reveal a name that stood unreplaced in yesterday's output. So what is known of each patient (the record, and what the
//! second pass has gathered) is held against what was known when the parts were written; parts with notes of a patient of whom something
//! else is known now are written again, and named in the report. Everything else that a part depends on is one digest: where that has
//! changed, nothing is kept.
//!
//! What it remembers lies beside the span cache, one folder for each output, as confidential as the notes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::replace::{Parts, Tally, WrittenPart};
use super::{Job, RunOptions};
use crate::corpus::columns::{keys, numbers, texts};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::index::{PatientDictionaries, SortedFile, SortedWriter, local};
use crate::corpus::progress::Meter;
use crate::corpus::source::{DOCUMENTS_OF_UNIT, Part, Unit};
use crate::corpus::store::Location;
use crate::phi::Label;

/// What an output was made of, as it is remembered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    /// A digest of all settings that a part depends on.
    settings: String,
    /// The number of the next new part.
    next: u64,
    /// Parts by what they were made from.
    parts: BTreeMap<String, RememberedPart>,
}

/// A part as it was written.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RememberedPart {
    number: u64,
    /// Its path in the output; none where the unit had no row to write.
    name: Option<String>,
    rows: u64,
    refused: u64,
    found: BTreeMap<String, u64>,
    replaced: BTreeMap<String, u64>,
    second_pass_alone: u64,
}

impl RememberedPart {
    fn tally(&self) -> Tally {
        let label = |name: &String| Label::or_site(name).map(Label::name).unwrap_or("OTHER");
        let counts =
            |counts: &BTreeMap<String, u64>| counts.iter().map(|(name, count)| (label(name), *count)).collect();
        Tally {
            rows: self.rows,
            parts: u64::from(self.name.is_some()),
            found: counts(&self.found),
            replaced: counts(&self.replaced),
            second_pass_alone: self.second_pass_alone,
        }
    }

    fn of(number: u64, part: &WrittenPart, refused: u64) -> Self {
        let counts = |counts: &BTreeMap<&'static str, u64>| {
            counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        Self {
            number,
            name: part.name.clone(),
            rows: part.tally.rows,
            refused,
            found: counts(&part.tally.found),
            replaced: counts(&part.tally.replaced),
            second_pass_alone: part.tally.second_pass_alone,
        }
    }
}

/// An output and what is remembered of it.
pub(super) struct Release {
    folder: Location,
    out: Location,
    state: State,
    /// What was known of each patient, by a digest; none where there is no earlier output to go on from.
    known: Option<SortedFile>,
    /// What is kept and what is written, by unit.
    identities: Vec<String>,
}

impl Release {
    /// Opens what is remembered of the output at `options.out`; nothing where that is vacant or is to be replaced.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where there is an output of which nothing is remembered, and where notes have no names.
    pub(super) async fn open(job: &Job<'_>, options: &RunOptions) -> Result<Self> {
        let cache = job.cache.as_ref().ok_or_else(|| {
            CorpusError::configuration("there is no place to remember what the output was made of", "give --cache DIR")
        })?;
        if job.source.columns.note().is_none() {
            return Err(CorpusError::configuration(
                "no column names the notes, so those without a patient cannot be told apart from run to run",
                "name it with `--columns note=NAME`, or leave out --incremental",
            ));
        }
        let out = options.out.clone();
        let digest = blake3::hash(out.url().as_str().as_bytes()).to_hex();
        let folder = cache.join(&job.report.key_id).join(&format!("release-{}", &digest[..32]));
        folder.create_confidential()?;
        let mut release = Self { folder, out, state: State::default(), known: None, identities: Vec::new() };
        if release.out.is_vacant().await? || options.overwrite {
            return Ok(release);
        }
        let (state, known) = (release.state_file(), release.known_file()?);
        if !local(&state)?.is_file() || !known.is_file() {
            return Err(CorpusError::configuration(
                format!("nothing is remembered of how `{}` was made", release.out.uri()),
                "give --overwrite too, to make it anew",
            ));
        }
        let text = state.read().await?;
        release.state = serde_json::from_slice(&text).map_err(|error| CorpusError::input(state.uri(), error))?;
        release.known = Some(SortedFile::open(&known)?);
        Ok(release)
    }

    fn state_file(&self) -> Location {
        self.folder.join("state.json")
    }

    fn known_file(&self) -> Result<PathBuf> {
        local(&self.folder.join("known.idx"))
    }

    /// Whether there is an earlier output to go on from.
    pub(super) fn goes_on(&self) -> bool {
        self.known.is_some()
    }

    /// Decides what is written and what is kept, and removes from the output what is neither. From here on it is not whole.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where the output was made with other settings.
    pub(super) async fn plan(
        &mut self,
        job: &mut Job<'_>,
        options: &RunOptions,
        dictionaries: Option<&PatientDictionaries>,
    ) -> Result<Parts> {
        let settings = settings(job, options)?;
        if self.goes_on() && settings != self.state.settings {
            return Err(CorpusError::configuration(
                "the output was made with other settings, detectors or columns than this run has",
                "give --overwrite too, to make all of it anew",
            ));
        }
        let touched = self.touched(job, dictionaries).await?;
        let earlier = std::mem::take(&mut self.state.parts);
        self.state.settings = settings;
        let mut parts = Parts::default();
        for unit in job.source.units.iter() {
            let identity = identity(unit);
            let known = earlier.get(&identity);
            let number = known.map_or(self.state.next, |part| part.number);
            self.state.next = self.state.next.max(number + 1);
            let kept = known.filter(|part| part.refused == 0 && !touched.contains(&unit.index));
            if let Some(part) = kept {
                self.state.parts.insert(identity.clone(), part.clone());
            }
            parts.numbers.push(number);
            parts.kept.push(kept.map(RememberedPart::tally));
            job.report.growth.count(known.is_some(), kept.is_some());
            self.identities.push(identity);
        }
        let growth = &mut job.report.growth;
        growth.removed = earlier.len() as u64 - growth.kept - growth.rewritten;
        if self.goes_on() {
            self.clear_all_but_kept().await?;
        }
        Ok(parts)
    }

    /// Removes whatever is not kept, what a run that was killed has left too. What is remembered until the end is what is kept.
    async fn clear_all_but_kept(&self) -> Result<()> {
        self.write_state().await?;
        let kept: BTreeSet<&str> = self.state.parts.values().filter_map(|part| part.name.as_deref()).collect();
        for file in self.out.list().await? {
            let path = file.location.as_ref();
            let inside = path.strip_prefix(self.out.path().as_ref()).unwrap_or(path).trim_start_matches('/');
            if !kept.contains(inside) && (inside.contains("part-") || inside == "_SUCCESS") {
                self.out.join(inside).clear().await?;
            }
        }
        Ok(())
    }

    /// Remembers what was written, before the output is declared whole.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where that cannot be written.
    pub(super) async fn remember(&mut self, parts: &Parts, written: &[WrittenPart], refused: &[u64]) -> Result<()> {
        for part in written {
            let (number, identity) = (parts.numbers[part.unit], self.identities[part.unit].clone());
            self.state.parts.insert(identity, RememberedPart::of(number, part, refused[part.unit]));
        }
        let (next, known) = (self.next_known_file()?, self.known_file()?);
        let fail = |error| CorpusError::output(known.display().to_string(), error);
        std::fs::rename(next, &known).map_err(fail)?;
        self.write_state().await
    }

    fn next_known_file(&self) -> Result<PathBuf> {
        local(&self.folder.join("known-next.idx"))
    }

    async fn write_state(&self) -> Result<()> {
        let file = self.state_file();
        let text = serde_json::to_string(&self.state).map_err(|error| CorpusError::output(file.uri(), error))?;
        file.write_confidential(text).await
    }

    /// The units with notes of patients of whom something else is known than before; what is known now is written down.
    async fn touched(&self, job: &mut Job<'_>, dictionaries: Option<&PatientDictionaries>) -> Result<BTreeSet<usize>> {
        let statement =
            include_str!("../../../sql/patients_of_units.sql").replace("{unit}", &DOCUMENTS_OF_UNIT.to_string());
        job.write_table_of_documents("patients_of_units", &statement, &Meter::default()).await?;
        let hasher = job.deidentifier.hasher()?.clone();
        let mut next = SortedWriter::create(&self.next_known_file()?)?;
        let mut touched = BTreeSet::new();
        let mut patient_before = None;
        let mut has_changed = false;
        let statement = "SELECT patient_hash, patient, unit FROM patients_of_units ORDER BY patient_hash";
        job.each_batch("incremental", statement, |batch| {
            const TABLE: &str = "patients_of_units";
            let (patients, units) = (texts(batch, "patient", TABLE)?, numbers(batch, "unit", TABLE)?);
            for (row, key) in keys(batch, "patient_hash", TABLE)?.into_iter().enumerate() {
                if patient_before != Some(key) {
                    let mut digest = blake3::Hasher::new();
                    digest.update(job.deidentifier.records().described(patients.value(row)).as_bytes());
                    digest.update(dictionaries.and_then(|known| known.bytes(patients.value(row))).unwrap_or_default());
                    let digest = hasher.hash(digest.finalize().to_hex().as_str());
                    has_changed = self.known.as_ref().and_then(|known| known.get(key)) != Some(&digest[..]);
                    next.add(key, &digest)?;
                    patient_before = Some(key);
                }
                if has_changed {
                    touched.insert(units.value(row) as usize);
                }
            }
            Ok(())
        })
        .await?;
        next.finish()?;
        Ok(touched)
    }
}

/// What a unit is: its file, the version of the file, and the part of it.
fn identity(unit: &Unit) -> String {
    let part = match &unit.part {
        Part::RowGroups { groups, .. } => format!("{}..{}", groups.start, groups.end),
        Part::Lines(_) | Part::Text => String::new(),
    };
    format!("{} {} {} {part}", unit.file, unit.bytes, unit.version)
}

/// A digest of everything, but the notes and what is known of their patients, that a part depends on.
fn settings(job: &Job<'_>, options: &RunOptions) -> Result<String> {
    let ensemble = job.deidentifier.ensemble()?;
    let all = format!(
        "{} {} {:?} {} {:?} {} {} {:?} {} {:?} {:?}",
        env!("CARGO_PKG_VERSION"),
        job.report.key_id,
        job.deidentifier.policy(),
        job.report.replacement,
        job.deidentifier.surrogate_options(),
        job.report.context,
        options.second_pass,
        ensemble.fingerprints(),
        ensemble.settings(),
        job.source.schema,
        job.source.columns,
    );
    Ok(blake3::hash(all.as_bytes()).to_hex().to_string())
}
