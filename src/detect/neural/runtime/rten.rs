//! The built-in runtime.
//!
//! ```text
//! batches  1 2 3 4 5 …      each whole batch goes to the thread that is free next
//! thread   1 3 4 …
//! thread   2 5 …
//! ```
//!
//! Threads that share a batch wait for each other in each of some thousand steps, and look on where a step is not shared out.

use std::sync::Arc;

use ::rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};

use super::fused::with_quick_rows;
use super::shared::Shared;
use super::{Batch, Inputs, Logits, OpenError, Runtime, RuntimeInUse, RuntimeOptions, graph};
use crate::detect::neural::device::Device;
use crate::detect::neural::error::NeuralError;
use crate::detect::neural::unharmed::unharmed;

/// The version of the crate that is built in.
const VERSION: &str = "0.27";

/// A graph in rten.
pub(super) struct Rten {
    model: Model,
    inputs: Inputs,
    output: NodeId,
    /// The threads that compute, each as a pool of its own.
    threads: Shared<Arc<ThreadPool>>,
    note: Option<String>,
}

impl Rten {
    /// Loads a graph, of which some parts are done otherwise; `note` says why it is not another runtime, where one was looked for.
    pub(super) fn open(
        graph: &[u8],
        shapes: bool,
        options: &RuntimeOptions,
        note: Option<String>,
    ) -> Result<Self, OpenError> {
        graph::check(graph).map_err(|reason| OpenError::Graph(format!("rten cannot read the graph: {reason}")))?;
        // A graph of another make may not bear to be rewritten.
        let quick = with_quick_rows(graph);
        let quick = quick.and_then(|quick| Self::open_as_it_is(&quick, shapes, options, note.clone()).ok());
        quick.map_or_else(|| Self::open_as_it_is(graph, shapes, options, note), Ok)
    }

    /// Loads a graph that is known to be whole.
    pub(super) fn open_as_it_is(
        graph: &[u8],
        shapes: bool,
        options: &RuntimeOptions,
        note: Option<String>,
    ) -> Result<Self, OpenError> {
        let model = unharmed("rten", || ModelOptions::with_all_ops().prepack_weights(true).load(graph.to_vec()))
            .and_then(|model| model.map_err(|error| format!("rten cannot read the graph: {error}")))
            .map_err(OpenError::Graph)?;
        let names = |ids: &[NodeId]| -> Vec<String> {
            ids.iter().filter_map(|&id| model.node_info(id)?.name().map(str::to_owned)).collect()
        };
        let (inputs, outputs) = (names(model.input_ids()), names(model.output_ids()));
        let inputs = Inputs::new(inputs.iter().map(String::as_str), shapes).map_err(OpenError::Graph)?;
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        let output = super::output(&outputs).map_err(OpenError::Graph)?;
        let output = model.node_id(output).map_err(|error| OpenError::Graph(error.to_string()))?;
        let threads = (0..super::threads(options)).map(|_| Arc::new(ThreadPool::with_num_threads(1)));
        Ok(Self { inputs, output, threads: Shared::new(threads), note, model })
    }
}

impl Runtime for Rten {
    fn logits(&self, batch: &Batch) -> Result<Logits, NeuralError> {
        let fail = |reason: String| NeuralError::Run { reason };
        let mut inputs: Vec<(NodeId, ValueOrView)> = Vec::new();
        for (name, values) in self.inputs.of(batch) {
            let node = self.model.node_id(name).map_err(|error| fail(error.to_string()))?;
            let value = Value::from_shape([batch.sequences, batch.length], values);
            inputs.push((node, value.map_err(|error| fail(error.to_string()))?.into()));
        }
        let run = |thread: &mut Arc<ThreadPool>| {
            let options = RunOptions::default().with_thread_pool(Some(Arc::clone(thread)));
            unharmed("rten", || self.model.run(inputs, &[self.output], Some(options)))
        };
        let outputs = self.threads.with_one(run);
        let outputs = outputs.and_then(|outputs| outputs.map_err(|error| error.to_string())).map_err(fail)?;
        let output = outputs.into_iter().next().ok_or_else(|| fail("it gave no output".to_owned()))?;
        let (shape, values) = output.into_shape_vec::<f32, 3>().map_err(|error| fail(error.to_string()))?;
        Ok(Logits { shape, values })
    }

    fn at_once(&self) -> usize {
        self.threads.len()
    }

    fn in_use(&self) -> RuntimeInUse {
        RuntimeInUse {
            runtime: "rten",
            version: VERSION.to_owned(),
            device: Device::Cpu,
            threads: self.threads.len(),
            library: None,
            is_half: false,
            note: self.note.clone(),
        }
    }
}
