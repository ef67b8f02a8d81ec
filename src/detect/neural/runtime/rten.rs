//! The built-in runtime.

use std::sync::Arc;

use ::rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};

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
    pool: Arc<ThreadPool>,
    threads: usize,
    note: Option<String>,
}

impl Rten {
    /// Loads a graph; `note` says why it is not another runtime, where one was looked for.
    pub(super) fn open(
        graph: &[u8],
        shapes: bool,
        options: &RuntimeOptions,
        note: Option<String>,
    ) -> Result<Self, OpenError> {
        graph::check(graph).map_err(|reason| OpenError::Graph(format!("rten cannot read the graph: {reason}")))?;
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
        let threads = super::threads(options);
        Ok(Self { inputs, output, pool: Arc::new(ThreadPool::with_num_threads(threads)), threads, note, model })
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
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        let outputs = unharmed("rten", || self.model.run(inputs, &[self.output], Some(options)))
            .and_then(|outputs| outputs.map_err(|error| error.to_string()))
            .map_err(fail)?;
        let output = outputs.into_iter().next().ok_or_else(|| fail("it gave no output".to_owned()))?;
        let (shape, values) = output.into_shape_vec::<f32, 3>().map_err(|error| fail(error.to_string()))?;
        Ok(Logits { shape, values })
    }

    fn in_use(&self) -> RuntimeInUse {
        RuntimeInUse {
            runtime: "rten",
            version: VERSION.to_owned(),
            device: Device::Cpu,
            threads: self.threads,
            library: None,
            is_half: false,
            note: self.note.clone(),
        }
    }
}
