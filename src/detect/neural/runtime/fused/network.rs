//! A graph that can be asked where a value comes from, and changed node by node.

use std::collections::{HashMap, HashSet};

use half::f16;
use prost::Message;

use super::messages::{Attribute, FLOAT, FLOAT16, INT8, Model, Node, OperatorSet, Tensor};

/// The domain of ONNX Runtime's own operations.
pub(super) const OWN: &str = "com.microsoft";

/// Constant numbers with their sizes; those that are no floating-point numbers stay as they are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Constant {
    Floats { sizes: Vec<i64>, values: Vec<f32> },
    Other(Tensor),
}

/// The nodes and constants of a model, by the names of their values.
pub(super) struct Network {
    model: Model,
    pub(super) nodes: Vec<Node>,
    pub(super) constants: HashMap<String, Constant>,
    /// Which node makes a value.
    makers: HashMap<String, usize>,
}

impl Network {
    /// Reads a file; None where it is none.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut model = Model::decode(bytes).ok()?;
        let graph = model.graph.as_mut()?;
        let mut constants = HashMap::new();
        for tensor in std::mem::take(&mut graph.initializer) {
            constants.insert(tensor.name.clone()?, Constant::of(tensor)?);
        }
        let mut nodes = Vec::new();
        for node in std::mem::take(&mut graph.node) {
            match node.attribute("value").and_then(|value| value.t.clone()).filter(|_| node.is("Constant")) {
                Some(tensor) => drop(constants.insert(node.output.first()?.clone(), Constant::of(tensor)?)),
                None => nodes.push(node),
            }
        }
        let mut makers = HashMap::new();
        for (index, node) in nodes.iter().enumerate() {
            let named = node.output.iter().filter(|name| !name.is_empty());
            makers.extend(named.map(|name| (name.clone(), index)));
        }
        Some(Self { model, nodes, constants, makers })
    }

    /// The node that makes a value, if it is this operation.
    pub(super) fn maker(&self, value: &str, operation: &str) -> Option<&Node> {
        self.nodes.get(*self.makers.get(value)?).filter(|node| node.is(operation))
    }

    /// An input of the node that makes a value, if it is this operation.
    pub(super) fn behind(&self, value: &str, operation: &str, input: usize) -> Option<&str> {
        self.maker(value, operation)?.input.get(input).map(String::as_str)
    }

    /// The floating-point numbers of a constant, with its sizes.
    pub(super) fn floats(&self, value: &str) -> Option<(&[i64], &[f32])> {
        match self.constants.get(value)? {
            Constant::Floats { sizes, values } => Some((sizes, values)),
            Constant::Other(_) => None,
        }
    }

    /// A constant that is one number.
    pub(super) fn number(&self, value: &str) -> Option<f32> {
        self.floats(value).and_then(|(_, values)| if let [one] = values { Some(*one) } else { None })
    }

    /// The two inputs of the node that makes a value, if it is this operation: the one that is computed first, then the constant one.
    pub(super) fn with_constant(&self, value: &str, operation: &str) -> Option<(&str, &str)> {
        let [left, right] = self.maker(value, operation)?.input.as_slice() else { return None };
        match (self.constants.contains_key(left), self.constants.contains_key(right)) {
            (false, true) => Some((left, right)),
            (true, false) => Some((right, left)),
            _ => None,
        }
    }

    /// Has a value made by another node.
    pub(super) fn replace(&mut self, node: Node) {
        if let Some(index) = node.output.first().and_then(|value| self.makers.get(value)) {
            self.nodes[*index] = node;
        }
    }

    /// Adds a node, which makes a value that nobody makes yet.
    pub(super) fn add(&mut self, node: Node) {
        self.makers.extend(node.output.first().map(|value| (value.clone(), self.nodes.len())));
        self.nodes.push(node);
    }

    /// The two inputs of the node that makes a value, if it is this operation and the second is a constant.
    pub(super) fn before_constant(&self, value: &str, operation: &str) -> Option<(&str, &str)> {
        let (left, right) = self.with_constant(value, operation)?;
        (self.behind(value, operation, 1)? == right).then_some((left, right))
    }

    /// Makes a value a constant, which no node makes any more.
    pub(super) fn settle(&mut self, value: &str, constant: Constant) {
        self.makers.remove(value);
        self.constants.insert(value.to_owned(), constant);
    }

    /// What the nodes make, in their order.
    pub(super) fn values(&self) -> Vec<String> {
        self.nodes.iter().filter_map(|node| node.output.first().cloned()).collect()
    }

    /// The file of what the outputs need, with numbers of 32 bits, or of 16 but for the outputs; None where numbers are too large for
    /// those.
    pub(super) fn written(mut self, half: bool) -> Option<Vec<u8>> {
        let (outputs, mut nodes) = (self.outputs(), self.needed()?);
        let mut graph = self.model.graph.take()?;
        if half {
            nodes.iter_mut().for_each(cast_to_half);
            nodes = cast_outputs(nodes, &outputs);
        }
        let used: HashSet<&String> = nodes.iter().flat_map(|node| &node.input).chain(&outputs).collect();
        let mut constants: Vec<_> = self.constants.into_iter().filter(|(name, _)| used.contains(name)).collect();
        constants.sort_by(|one, other| one.0.cmp(&other.0));
        graph.initializer =
            constants.into_iter().map(|(name, constant)| constant.written(name, half)).collect::<Option<_>>()?;
        graph.node = nodes;
        self.model.graph = Some(graph);
        self.model.opset_import.retain(|set| set.domain.as_deref() != Some(OWN));
        self.model.opset_import.push(OperatorSet { domain: Some(OWN.to_owned()), version: Some(1) });
        Some(self.model.encode_to_vec())
    }

    fn outputs(&self) -> Vec<String> {
        let outputs = self.model.graph.iter().flat_map(|graph| &graph.output);
        outputs.filter_map(|output| output.name.clone()).collect()
    }

    /// The nodes that the outputs need, each behind those that it needs; None where they go round in a circle.
    pub(super) fn needed(&self) -> Option<Vec<Node>> {
        let outputs = self.outputs();
        let (mut order, mut state) = (Vec::new(), vec![Visit::New; self.nodes.len()]);
        let mut waiting: Vec<usize> = outputs.iter().filter_map(|output| self.makers.get(output).copied()).collect();
        while let Some(&index) = waiting.last() {
            let missing = |value: &String| self.makers.get(value).copied().filter(|&maker| state[maker] != Visit::Done);
            let missing: Vec<usize> = self.nodes[index].input.iter().filter_map(missing).collect();
            if state[index] == Visit::Done || missing.is_empty() {
                waiting.pop();
                if std::mem::replace(&mut state[index], Visit::Done) != Visit::Done {
                    order.push(self.nodes[index].clone());
                }
            } else if std::mem::replace(&mut state[index], Visit::Waiting) == Visit::Waiting {
                return None;
            } else {
                waiting.extend(missing);
            }
        }
        Some(order)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Waiting,
    Done,
}

/// A cast to single precision becomes one to half.
fn cast_to_half(node: &mut Node) {
    if node.is("Cast") {
        let to =
            |attribute: &&mut Attribute| attribute.name.as_deref() == Some("to") && attribute.i == Some(FLOAT.into());
        for attribute in node.attribute.iter_mut().filter(to) {
            attribute.i = Some(FLOAT16.into());
        }
    }
}

/// The nodes with outputs of half precision cast to single.
fn cast_outputs(mut nodes: Vec<Node>, outputs: &[String]) -> Vec<Node> {
    let mut casts = Vec::new();
    for output in outputs {
        let half = format!("{output}.half");
        for name in nodes.iter_mut().flat_map(|node| node.input.iter_mut().chain(&mut node.output)) {
            if name == output {
                name.clone_from(&half);
            }
        }
        casts.push(Node::new(None, "Cast", &[&half], output).with_int("to", FLOAT.into()));
    }
    nodes.extend(casts);
    nodes
}

impl Constant {
    fn of(tensor: Tensor) -> Option<Self> {
        if tensor.data_type != Some(FLOAT) {
            return Some(Self::Other(tensor));
        }
        let values = match &tensor.raw_data {
            Some(raw) => raw.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            None => tensor.float_data,
        };
        let count = tensor.dims.iter().try_fold(1_usize, |count, &size| count.checked_mul(size.try_into().ok()?))?;
        (values.len() == count).then_some(Self::Floats { sizes: tensor.dims, values })
    }

    /// The values of a constant of eight bits, with its sizes.
    pub(super) fn bytes(&self) -> Option<(&[i64], Vec<i8>)> {
        match self {
            Self::Other(Tensor { data_type: Some(INT8), dims, raw_data: Some(raw), .. }) => {
                Some((dims, raw.iter().map(|&byte| byte.cast_signed()).collect()))
            }
            _ => None,
        }
    }

    /// None where a number would become infinite in 16 bits.
    fn written(self, name: String, half: bool) -> Option<Tensor> {
        let name = Some(name);
        let (sizes, values) = match self {
            Self::Other(tensor) => return Some(Tensor { name, ..tensor }),
            Self::Floats { sizes, values } => (sizes, values),
        };
        let (kind, raw) = if half {
            let halves: Vec<f16> = values.into_iter().map(f16::from_f32).collect();
            if !halves.iter().all(|half| half.is_finite()) {
                return None;
            }
            (FLOAT16, halves.iter().flat_map(|half| half.to_le_bytes()).collect())
        } else {
            (FLOAT, values.iter().flat_map(|value| value.to_le_bytes()).collect())
        };
        Some(Tensor { name, dims: sizes, data_type: Some(kind), raw_data: Some(raw), ..Tensor::default() })
    }
}
