//! `model.toml`: what a model is, and which files are it.
//!
//! ```toml
//! format = 1
//! name = "bge-small-phi"
//! version = "1"
//! licence = "MIT"
//! description = "names, places and organizations"
//! data = "templates and public notes"
//! labels = ["O", "B-PATIENT", "I-PATIENT"]  # the columns of the output
//! max_length = 256                          # word pieces, special ones included
//! overlap = 32                              # word pieces shared by neighbouring windows
//! lowercase = true                          # for the reader; the tokenizer decides
//! shapes = true                             # the graph has an input of word shapes
//! word = "first"                            # a word's scores are those of its first piece, or the "mean" of its pieces
//! bias = 0.0                                # taken from the score of "O": the more, the more is found (Hartman et al. 2020)
//! [thresholds]                              # least probability of an identifier, by label
//! default = 0.4
//! PATIENT = 0.3
//! [files]                                   # BLAKE3 digests
//! "model.onnx" = "…"
//! "tokenizer.json" = "…"
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::error::NeuralError;
use super::labels::LabelScheme;

/// The only format of model.toml so far.
const FORMAT: u32 = 1;
/// Longer inputs are a mistake: memory grows with the square.
const LONGEST: usize = 8192;
/// A bias beyond this leaves nothing to decide.
const GREATEST_BIAS: f32 = 50.0;

/// The name of the file of this module.
pub(super) const MANIFEST: &str = "model.toml";
/// The graph and its weights.
pub(super) const GRAPH: &str = "model.onnx";
/// The tokenizer, as the tokenizers library writes it.
pub(super) const TOKENIZER: &str = "tokenizer.json";

/// What gives the content of a file: the file system, or the models that are compiled in.
pub type ReadFile<'r> = dyn Fn(&Path) -> std::io::Result<Vec<u8>> + 'r;

/// How the scores of a word's pieces become the word's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordScores {
    /// Those of its first piece: sound whether the later pieces were trained or not.
    #[default]
    First,
    /// The mean over its pieces, for models that were trained on all of them.
    Mean,
}

/// What model.toml says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: u32,
    /// The model's name.
    pub name: String,
    /// The model's version.
    pub version: String,
    /// The licence of its weights.
    pub licence: String,
    /// What it finds.
    #[serde(default)]
    pub description: String,
    /// What it was trained on.
    #[serde(default)]
    pub data: String,
    /// The columns of its output: `O`, `B-LABEL`, `I-LABEL`.
    pub labels: Vec<String>,
    /// How many word pieces it reads at once, special ones included.
    pub max_length: usize,
    /// How many word pieces neighbouring windows share.
    pub overlap: usize,
    /// Whether it is blind to case, for the reader.
    #[serde(default)]
    pub lowercase: bool,
    /// Whether its graph has an input of word shapes.
    #[serde(default)]
    pub shapes: bool,
    /// How a word's scores come from its pieces'.
    #[serde(default)]
    pub word: WordScores,
    /// What is taken from the score of no identifier before anything is decided.
    #[serde(default)]
    pub bias: f32,
    /// The least probability of an identifier, by label.
    #[serde(default)]
    pub thresholds: BTreeMap<String, f32>,
    files: BTreeMap<String, String>,
}

/// A model's folder, read and checked, before anything is made of it.
#[derive(Debug)]
pub(super) struct ModelFolder {
    pub(super) manifest: Manifest,
    pub(super) scheme: LabelScheme,
    pub(super) graph: Vec<u8>,
    pub(super) tokenizer: Vec<u8>,
    pub(super) path: PathBuf,
}

impl ModelFolder {
    /// Reads the folder's files through `read` and checks all that can be checked without a runtime.
    pub(super) fn read(path: &Path, read: &ReadFile) -> Result<Self, NeuralError> {
        let manifest_path = path.join(MANIFEST);
        let bytes = content(&manifest_path, read)?;
        let fail = |reason: String| NeuralError::Manifest { path: manifest_path.clone(), reason };
        let text = std::str::from_utf8(&bytes).map_err(|_| fail("is not UTF-8 text".to_owned()))?;
        let manifest: Manifest =
            toml::from_str(text).map_err(|error| fail(format!("is not a model.toml: {}", error.message())))?;
        manifest.check().map_err(&fail)?;
        let scheme = LabelScheme::new(&manifest.labels, &manifest.thresholds).map_err(&fail)?;
        let [graph, tokenizer] = [GRAPH, TOKENIZER].map(|name| verified(path, name, &manifest.files, read));
        let (graph, tokenizer) = (graph?, tokenizer?);
        Ok(Self { manifest, scheme, graph, tokenizer, path: path.to_owned() })
    }
}

impl Manifest {
    /// A digest of what its answers depend on, but for the runtime and the dial.
    pub fn digest(&self) -> blake3::Hash {
        let Self { labels, max_length, overlap, shapes, word, files, .. } = self;
        blake3::hash(format!("{:?}", (labels, max_length, overlap, shapes, word, files)).as_bytes())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.format != FORMAT {
            return Err(format!("`format` is {}; this program reads {FORMAT}", self.format));
        }
        if self.name.is_empty() || self.version.is_empty() {
            return Err("`name` and `version` are not empty".to_owned());
        }
        if !(4..=LONGEST).contains(&self.max_length) {
            return Err(format!("`max_length` is {}; it is 4 to {LONGEST}", self.max_length));
        }
        if self.overlap >= self.max_length / 2 {
            return Err(format!("`overlap` is {}; it is less than half of `max_length`", self.overlap));
        }
        if self.bias.is_nan() || self.bias.abs() > GREATEST_BIAS {
            return Err(format!("`bias` is {}; it is {} to {GREATEST_BIAS}", self.bias, -GREATEST_BIAS));
        }
        match self.files.keys().find(|name| ![GRAPH, TOKENIZER].contains(&name.as_str())) {
            Some(other) => Err(format!("[files] has `{other}`; a model's files are `{GRAPH}` and `{TOKENIZER}`")),
            None => Ok(()),
        }
    }
}

fn content(path: &Path, read: &ReadFile) -> Result<Vec<u8>, NeuralError> {
    read(path).map_err(|source| NeuralError::Read { path: path.to_owned(), source })
}

/// The very bytes that were verified, so that a file changed later is not used.
fn verified(
    folder: &Path,
    name: &str,
    digests: &BTreeMap<String, String>,
    read: &ReadFile,
) -> Result<Vec<u8>, NeuralError> {
    let path = folder.join(name);
    let expected = digests.get(name).ok_or_else(|| NeuralError::Manifest {
        path: folder.join(MANIFEST),
        reason: format!("[files] lacks the BLAKE3 digest of `{name}`"),
    })?;
    let bytes = content(&path, read)?;
    let found = blake3::hash(&bytes).to_hex();
    if !found.as_str().eq_ignore_ascii_case(expected) {
        return Err(NeuralError::Digest { path, expected: expected.clone(), found: found.to_string() });
    }
    Ok(bytes)
}
