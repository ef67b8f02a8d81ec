//! What computes a model: numbers of pieces in, scores out.
//!
//! ```text
//! Batch { 2 sequences of length 5 } ──▶ rten (built in) or ONNX Runtime (loaded, also on GPUs) ──▶ Logits [2, 5, columns]
//! ```
//!
//! All sequences of a batch are of one length and nothing is padded, so the attention mask is all ones.

mod fused;
mod graph;
mod onnxruntime;
mod rten;
mod shared;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use self::onnxruntime::OnnxRuntime;
use self::rten::Rten;
use super::device::{Device, RuntimeChoice};
use super::error::NeuralError;

/// How a model is to be run.
#[derive(Debug, Clone, Default)]
pub struct RuntimeOptions {
    /// Where.
    pub device: Device,
    /// By what.
    pub runtime: RuntimeChoice,
    /// The file of the ONNX Runtime library; none looks at `ORT_DYLIB_PATH`, then for the usual names.
    pub library: Option<PathBuf>,
    /// Threads that compute; none means one for each core, and one where a GPU computes.
    pub threads: Option<NonZeroUsize>,
}

/// Sequences of one length, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// How many sequences.
    pub sequences: usize,
    /// How many pieces each has, special ones included.
    pub length: usize,
    /// Numbers of the pieces, `sequences` × `length`.
    pub ids: Vec<i32>,
    /// Shapes of the pieces, likewise; used by graphs that have such an input.
    pub shapes: Vec<i32>,
}

/// The scores of a batch before any normalization, piece by piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Logits {
    /// Sequences, pieces of each, columns of each.
    pub shape: [usize; 3],
    /// The values, row by row.
    pub values: Vec<f32>,
}

/// A model that is ready to be run.
pub trait Runtime: Send + Sync {
    /// The scores of a batch.
    ///
    /// # Errors
    /// [`NeuralError::Run`] where the computation fails.
    fn logits(&self, batch: &Batch) -> Result<Logits, NeuralError>;

    /// How many batches are computed at the same time where so many are asked for; more would wait.
    fn at_once(&self) -> usize {
        1
    }

    /// What is in use.
    fn in_use(&self) -> RuntimeInUse;
}

/// What computes a model, for reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeInUse {
    /// `rten` or `onnxruntime`.
    pub runtime: &'static str,
    /// Its version.
    pub version: String,
    /// Where it computes.
    pub device: Device,
    /// Threads that compute.
    pub threads: usize,
    /// The library's file, where one was loaded.
    pub library: Option<PathBuf>,
    /// Whether it computes in half precision.
    pub is_half: bool,
    /// Why it is not what `auto` would rather have, or slower than need be, where that is so.
    pub note: Option<String>,
}

impl fmt::Display for RuntimeInUse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} on {}, threads: {}", self.runtime, self.version, self.device, self.threads)?;
        if self.is_half {
            formatter.write_str(", half precision")?;
        }
        if let Some(library) = &self.library {
            write!(formatter, ", from `{}`", library.display())?;
        }
        self.note.as_ref().map_or(Ok(()), |note| write!(formatter, " ({note})"))
    }
}

/// Makes a graph ready to run, on the device and by the runtime that the options name; never on others.
pub(super) fn open(graph: &[u8], shapes: bool, options: &RuntimeOptions) -> Result<Box<dyn Runtime>, OpenError> {
    let is_gpu = options.device.is_gpu();
    match options.runtime {
        RuntimeChoice::Rten if is_gpu => Err(OpenError::Neural(NeuralError::Device {
            device: options.device,
            reason: "the runtime `rten` computes on processors only; choose `onnxruntime`".to_owned(),
        })),
        RuntimeChoice::Rten => Ok(Box::new(Rten::open(graph, shapes, options, None)?)),
        RuntimeChoice::OnnxRuntime => Ok(Box::new(OnnxRuntime::open(graph, shapes, options)?)),
        // A library or a device that was asked for by name is not replaced by another.
        RuntimeChoice::Auto if is_gpu || onnxruntime::is_asked_for(options) => {
            Ok(Box::new(OnnxRuntime::open(graph, shapes, options)?))
        }
        RuntimeChoice::Auto => match onnxruntime::load(options) {
            Ok(_) => Ok(Box::new(OnnxRuntime::open(graph, shapes, options)?)),
            Err(error) => Ok(Box::new(Rten::open(graph, shapes, options, Some(error.to_string()))?)),
        },
    }
}

/// Why a graph cannot be made ready: itself, or what should run it.
#[derive(Debug)]
pub(super) enum OpenError {
    /// The graph, with what is wrong.
    Graph(String),
    /// Anything else.
    Neural(NeuralError),
}

impl From<NeuralError> for OpenError {
    fn from(error: NeuralError) -> Self {
        Self::Neural(error)
    }
}

/// Which of the inputs a graph has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Inputs {
    attention_mask: bool,
    token_type_ids: bool,
    shapes: bool,
}

impl Inputs {
    /// Checks the names of a graph's inputs; `shapes` is what model.toml says.
    fn new<'n>(names: impl Iterator<Item = &'n str>, shapes: bool) -> Result<Self, String> {
        let (mut inputs, mut has_ids) = (Self::default(), false);
        for name in names {
            match name {
                "input_ids" => has_ids = true,
                "attention_mask" => inputs.attention_mask = true,
                "token_type_ids" => inputs.token_type_ids = true,
                "shapes" => inputs.shapes = true,
                other => {
                    return Err(format!(
                        "the graph has an input `{other}`; inputs are `input_ids`, `attention_mask`, `token_type_ids` and `shapes`"
                    ));
                }
            }
        }
        match (has_ids, inputs.shapes, shapes) {
            (false, ..) => Err("the graph has no input `input_ids`".to_owned()),
            (_, true, false) => Err("the graph has an input `shapes`; write `shapes = true` in model.toml".to_owned()),
            (_, false, true) => Err("the graph has no input `shapes`; write `shapes = false` in model.toml".to_owned()),
            _ => Ok(inputs),
        }
    }

    /// The inputs' names with their values for a batch.
    fn of(self, batch: &Batch) -> Vec<(&'static str, Vec<i32>)> {
        let size = batch.ids.len();
        let mut values = vec![("input_ids", batch.ids.clone())];
        if self.attention_mask {
            values.push(("attention_mask", vec![1; size]));
        }
        if self.token_type_ids {
            values.push(("token_type_ids", vec![0; size]));
        }
        if self.shapes {
            values.push(("shapes", batch.shapes.clone()));
        }
        values
    }
}

/// The output that holds the scores: the only one, or the one called `logits`.
fn output<'n>(names: &[&'n str]) -> Result<&'n str, String> {
    match names {
        [only] => Ok(only),
        _ => names
            .iter()
            .find(|name| **name == "logits")
            .copied()
            .ok_or_else(|| format!("the graph has {} outputs and none is called `logits`", names.len())),
    }
}

/// The threads that are asked for, or one for each core.
fn threads(options: &RuntimeOptions) -> usize {
    options.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_those_of_the_manifest() {
        let all = ["input_ids", "attention_mask", "token_type_ids", "shapes"];
        let inputs = Inputs::new(all.into_iter(), true).unwrap();
        let batch = Batch { sequences: 1, length: 2, ids: vec![7, 8], shapes: vec![0, 3] };
        let values = inputs.of(&batch);
        assert_eq!(values.iter().map(|(name, _)| *name).collect::<Vec<_>>(), all);
        assert_eq!(values[3].1, [0, 3]);
        assert!(Inputs::new(all.into_iter(), false).unwrap_err().contains("shapes = true"));
        assert!(Inputs::new(all.into_iter().take(3), true).unwrap_err().contains("shapes = false"));
        assert!(Inputs::new(["tokens"].into_iter(), false).unwrap_err().contains("`tokens`"));
        assert!(Inputs::new(["shapes"].into_iter(), true).unwrap_err().contains("no input `input_ids`"));
    }

    #[test]
    fn the_output_is_the_only_one_or_logits() {
        assert_eq!(output(&["scores"]).unwrap(), "scores");
        assert_eq!(output(&["hidden", "logits"]).unwrap(), "logits");
        assert!(output(&["hidden", "scores"]).is_err() && output(&[]).is_err());
    }
}
