//! What a job is: equal jobs write equal bytes, so that finished work can be kept and a finished job needs not be done again.
//!
//! ```text
//! settings  this build of the program, key, policy, surrogates, context, detectors, columns
//! inputs    each unit: its file's path below the notes, size and version, and which rows of it
//! known     the patients' records
//!                              ─▶ job
//! ```
//!
//! Everything is digested under the key, for the names of files may hold PHI.

use zeroize::Zeroizing;

use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::Result;
use crate::corpus::schema::bare;
use crate::corpus::source::{Source, Unit};

/// Digests under the key of a site.
#[derive(Clone)]
pub struct Identities(Zeroizing<[u8; 32]>);

/// The digests of what a job depends on, the notes left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// What its stages depend on up to the claims on sentences: detectors, context, columns.
    pub detection: String,
    /// All that a part depends on, but the notes and what is known of their patients: of that, only whether anything is.
    pub all: String,
}

impl Identities {
    /// Digests under a deidentifier's key.
    ///
    /// # Errors
    /// [`crate::corpus::CorpusError::Configuration`] where there is no key.
    pub fn new(deidentifier: &Deidentifier) -> Result<Self> {
        Ok(Self(deidentifier.key()?.derive("job identities")))
    }

    fn of(&self, what: &str, parts: &[&str]) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in std::iter::once(&what).chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// What a unit is: its file below the notes, the version of the file, and the rows of it.
    pub fn unit(&self, source: &Source, unit: &Unit) -> String {
        let file = source.location.path_below(&unit.file);
        self.of("unit", &[&file, &unit.bytes.to_string(), &unit.version, &unit.part.row_groups()])
    }

    /// What a job depends on besides its notes; `further` are whether there is a second pass, and whether offsets are mapped.
    ///
    /// # Errors
    /// Where the ensemble cannot be opened.
    pub fn settings(&self, source: &Source, deidentifier: &Deidentifier, further: (bool, bool)) -> Result<Settings> {
        let (detection, replacement) = deidentifier.described()?;
        let fields = source.schema.fields().iter();
        let types: Vec<_> = fields.map(|field| (field.name(), bare(field.data_type()), field.is_nullable())).collect();
        let detection = format!("{detection} {types:?} {:?}", source.columns);
        // Whose records change goes on with the rest; without any, all that only they tell would come back, part by part.
        let has_records = !deidentifier.records().is_empty();
        let replacement = format!("{replacement} {further:?} {has_records}");
        let all = self.of("settings", &[&detection, &replacement]);
        Ok(Settings { detection: self.of("detection", &[&detection]), all })
    }

    /// All units of the notes.
    pub fn notes(&self, source: &Source) -> String {
        let units: Vec<_> = source.units.iter().map(|unit| self.unit(source, unit)).collect();
        self.of("notes", &units.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The job: settings, notes, and what is known of the patients.
    pub fn job(&self, settings: &Settings, source: &Source, deidentifier: &Deidentifier) -> String {
        self.of("job", &[&settings.all, &self.notes(source), &deidentifier.records().digest()])
    }

    /// What is worked out up to the claims on sentences.
    pub fn detection(&self, settings: &Settings, source: &Source) -> String {
        self.of("stages", &[&settings.detection, &self.notes(source)])
    }
}
