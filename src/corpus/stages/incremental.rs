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
//! What the parts were made from stands in the manifest of the output. What was known of each patient is confidential: it lies beside the
//! span cache, one folder for each output.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Job;
use super::replace::Parts;
use crate::corpus::columns::{keys, numbers, texts};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::index::{PatientDictionaries, SortedFile, SortedWriter, local};
use crate::corpus::output::{Manifest, Output, PartRecord};
use crate::corpus::progress::Meter;
use crate::corpus::source::DOCUMENTS_OF_UNIT;

/// An output that grows, and what is remembered of it.
pub(super) struct Release {
    folder: PathBuf,
    /// The output as it was; from the plan on, with the parts marked that are written again.
    earlier: Option<Manifest>,
    /// What was known of each patient, by a digest; none where there is no earlier output to go on from.
    known: Option<SortedFile>,
    next: u64,
}

impl Release {
    /// Opens what is remembered of an output; nothing where that is made anew.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where there is an output of which nothing is remembered, where it was made with other settings, and
    /// where notes have no names.
    pub(super) async fn open(job: &Job<'_>, output: &Output) -> Result<Self> {
        let cache = job.cache.as_ref().ok_or_else(|| {
            CorpusError::configuration("there is no place to remember what the output was made of", "give --cache DIR")
        })?;
        if job.source.columns.note().is_none() {
            return Err(CorpusError::configuration(
                "no column names the notes, so those without a patient cannot be told apart from run to run",
                "name it with `--columns note=NAME`, or leave out --incremental",
            ));
        }
        let digest = blake3::hash(output.location().url().as_str().as_bytes()).to_hex();
        let folder = cache.join(&job.report.key_id).join(&format!("release-{}", &digest[..32]));
        folder.create_confidential()?;
        let mut release = Self { folder: local(&folder)?, earlier: None, known: None, next: 0 };
        let Some(earlier) = output.earlier() else { return Ok(release) };
        if earlier.settings != job.settings.all {
            return Err(CorpusError::configuration(
                "the output was made with other settings, detectors or columns than this run has, or only one of them has records of patients",
                "give --overwrite too, to make all of it anew",
            ));
        }
        let known = release.known_file(&earlier.job);
        if !known.is_file() {
            return Err(CorpusError::configuration(
                format!("nothing is remembered of how `{}` was made", output.location().uri()),
                "give --overwrite too, to make it anew",
            ));
        }
        release.known = Some(SortedFile::open(&known)?);
        release.next = earlier.next;
        release.earlier = Some(earlier.clone());
        Ok(release)
    }

    fn known_file(&self, job: &str) -> PathBuf {
        self.folder.join(format!("known-{job}.idx"))
    }

    /// What can be gone on from, if this run is interrupted.
    pub(super) fn previous(&self) -> Option<&Manifest> {
        self.earlier.as_ref()
    }

    /// The number of the next part that a later run adds.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Decides what is written and what is kept.
    ///
    /// # Errors
    /// Where the patients of the notes cannot be read.
    pub(super) async fn plan(
        &mut self,
        job: &mut Job<'_>,
        output: &Output,
        dictionaries: Option<&PatientDictionaries>,
    ) -> Result<Parts> {
        let touched = self.touched(job, dictionaries).await?;
        job.report.growth.incremental = self.earlier.is_some();
        let (mut parts, mut kept_inputs) = (Parts::default(), BTreeSet::new());
        let earlier = self.earlier.as_ref().map(Manifest::by_input).unwrap_or_default();
        for unit in job.source.units.iter() {
            let input = job.identities.unit(&job.source, unit);
            let known = earlier.get(input.as_str()).copied();
            let number = known.map_or(self.next, |part| part.number);
            self.next = self.next.max(number + 1);
            let unchanged = known
                .filter(|part| !part.stale && part.refused == 0 && !touched.contains(&unit.index) && output.has(part))
                .filter(|part| job.has_offsets(part));
            let finished = output.finished(&input).filter(|part| part.number == number && job.has_offsets(part));
            job.report.growth.count(known.is_some(), unchanged.is_some());
            job.report.parts_kept += u64::from(unchanged.is_none() && finished.is_some());
            if unchanged.is_some() {
                kept_inputs.insert(input.clone());
            }
            parts.add(input, number, unchanged.or(finished).cloned());
        }
        job.report.growth.removed = earlier.len() as u64 - job.report.growth.kept - job.report.growth.rewritten;
        let earlier_parts = self.earlier.iter_mut().flat_map(|earlier| &mut earlier.parts);
        earlier_parts.for_each(|part: &mut PartRecord| part.stale = !kept_inputs.contains(&part.input));
        Ok(parts)
    }

    /// Remembers what is known of the patients, before the output is declared whole.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where that cannot be written.
    pub(super) fn remember(&self, manifest: &Manifest) -> Result<()> {
        let known = self.known_file(&manifest.job);
        std::fs::rename(self.next_known_file(), &known).map_err(|error| failed(&known, &error))
    }

    /// Forgets what was known when the output was made before.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where that cannot be removed.
    pub(super) fn forget_earlier(&self, manifest: &Manifest) -> Result<()> {
        let current = self.known_file(&manifest.job);
        let fail = |error: std::io::Error| failed(&self.folder, &error);
        for entry in std::fs::read_dir(&self.folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if path != current {
                std::fs::remove_file(path).map_err(fail)?;
            }
        }
        Ok(())
    }

    fn next_known_file(&self) -> PathBuf {
        self.folder.join("known-next.idx")
    }

    /// The units with notes of patients of whom something else is known than before; what is known now is written down.
    async fn touched(&self, job: &mut Job<'_>, dictionaries: Option<&PatientDictionaries>) -> Result<BTreeSet<usize>> {
        let statement =
            include_str!("../../../sql/patients_of_units.sql").replace("{unit}", &DOCUMENTS_OF_UNIT.to_string());
        job.write_table_of_documents("patients_of_units", &statement, &Meter::default()).await?;
        let hasher = job.deidentifier.hasher()?.clone();
        let mut next = SortedWriter::create(&self.next_known_file())?;
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

fn failed(path: &Path, error: &std::io::Error) -> CorpusError {
    CorpusError::output(path.display().to_string(), error)
}
