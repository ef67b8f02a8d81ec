//! What an output consists of, as it is written beside it.
//!
//! ```text
//! OUT/part-000000.parquet           the notes, de-identified
//! OUT/_plainsight/manifest.json     { job, settings, key_id, rows, columns, parts: [{ name, input, rows, digest, … }] }
//! OUT/_SUCCESS
//! ```
//!
//! The manifest tells nothing of the notes: inputs are named by keyed digests, for names of files may hold PHI, and what stands in it of
//! labels are counts.

use std::collections::BTreeMap;

use arrow::datatypes::Schema;
use serde::{Deserialize, Serialize};

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::source::is_json;
use crate::corpus::store::Location;

/// The form of manifests that this version writes and reads.
const FORMAT: u32 = 1;
/// The manifest of a whole output, by its place in it.
pub const MANIFEST: &str = "_plainsight/manifest.json";

/// What an output consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// The version of plainsight that wrote it.
    pub version: String,
    /// A digest of the inputs, what is known of patients, and all settings that the output depends on: equal jobs write equal bytes.
    pub job: String,
    /// The same digest without the inputs and what is known of patients.
    pub settings: String,
    /// Names the key without telling it.
    pub key_id: String,
    /// The number of the next part that is added.
    pub next: u64,
    /// Rows of all parts.
    pub rows: u64,
    /// Rows of the inputs that were refused.
    pub refused: u64,
    /// The columns of every part.
    pub columns: Vec<ManifestColumn>,
    /// The parts, in the order of their inputs.
    pub parts: Vec<PartRecord>,
}

/// A column of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestColumn {
    /// Its name.
    pub name: String,
    /// Its type, as Arrow names it; [`JSON`] for lists and objects of JSON Lines as they were written.
    #[serde(rename = "type")]
    pub data_type: String,
}

/// The type of a column of lists and objects that may differ from row to row.
pub const JSON: &str = "JSON";

/// A part of an output, and what it was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRecord {
    /// The number in its name.
    pub number: u64,
    /// Its path in the output; none where its input had no row to write.
    pub name: Option<String>,
    /// A keyed digest of the name, size and version of the input, and of the rows of it.
    pub input: String,
    /// Rows written.
    pub rows: u64,
    /// Rows refused.
    pub refused: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// BLAKE3 of the file, hexadecimal; empty where there is none.
    pub digest: String,
    /// Identifiers found, by label.
    pub found: BTreeMap<String, u64>,
    /// Identifiers replaced, by label.
    pub replaced: BTreeMap<String, u64>,
    /// Spans that the second pass alone has found.
    pub second_pass_alone: u64,
    /// Values that are null for they held more than their columns do, by column.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub taken_out: BTreeMap<String, u64>,
    /// Whether the file may have changed since: so in what is remembered of an output that is being written again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
}

impl Manifest {
    /// The manifest of these parts.
    pub fn new(job: String, settings: String, key_id: String, schema: &Schema, parts: Vec<PartRecord>) -> Self {
        let columns = schema.fields().iter().map(|field| {
            let data_type = if is_json(field) { JSON.to_owned() } else { field.data_type().to_string() };
            ManifestColumn { name: field.name().clone(), data_type }
        });
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            job,
            settings,
            key_id,
            next: parts.iter().map(|part| part.number + 1).max().unwrap_or_default(),
            rows: parts.iter().map(|part| part.rows).sum(),
            refused: parts.iter().map(|part| part.refused).sum(),
            columns: columns.collect(),
            parts,
        }
    }

    /// The manifest of the output at a location; none where there is no whole one.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read, or is of a form that this version does not know.
    pub async fn read(output: &Location) -> Result<Option<Self>> {
        Self::read_file(&output.join(MANIFEST)).await
    }

    /// Whether there is a manifest that is no whole file: cut off, or of other characters.
    pub(super) async fn is_broken(output: &Location) -> Result<bool> {
        let content = output.join(MANIFEST).read_if_there().await?;
        Ok(content.is_some_and(|(content, _)| serde_json::from_slice::<serde_json::Value>(&content).is_err()))
    }

    pub(super) async fn read_file(file: &Location) -> Result<Option<Self>> {
        let Some((content, _)) = file.read_if_there().await? else { return Ok(None) };
        let manifest: Self =
            serde_json::from_slice(&content).map_err(|error| CorpusError::input(file.uri(), Unreadable(&error)))?;
        match manifest.format {
            FORMAT => Ok(Some(manifest)),
            other => Err(CorpusError::input(
                file.uri(),
                format!("it is of form {other}, and this version of plainsight knows form {FORMAT}"),
            )),
        }
    }

    /// The manifest as it is written.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// The parts by what they were made from.
    pub fn by_input(&self) -> BTreeMap<&str, &PartRecord> {
        self.parts.iter().map(|part| (part.input.as_str(), part)).collect()
    }
}

/// A fault of JSON by its kind and place, without the words at fault.
pub(super) struct Unreadable<'e>(pub(super) &'e serde_json::Error);

impl std::fmt::Display for Unreadable<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "it is no whole file of plainsight (line {}, column {}); give --overwrite to make the output anew",
            self.0.line(),
            self.0.column()
        )
    }
}
