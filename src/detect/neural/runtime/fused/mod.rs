//! The graph as what computes it does so fastest.
//!
//! ```text
//! on a GPU   int8 steps, 128 operations a layer  ──▶  floating point again  ──▶  7 operations a layer  ──▶  half precision
//! in rten    int8 steps, 128 operations a layer  ──▶  rows become steps in fewer operations, and quicker ones
//! ```
//!
//! What is quick on a processor is slow on a GPU: products in whole steps are taken apart into many small operations, which wait for
//! memory. The models here are kept in that form, to be small; so they are turned into the other one when a GPU is to compute them.
//! A graph of another make stays as it is; and what was made of one is compared with it before it is used.

mod layers;
mod messages;
mod network;
mod products;
mod rows;

use self::messages::Node;
use self::network::Network;

/// The graph with its parts joined, in half precision; None where it is of another make.
pub(super) fn fused(graph: &[u8]) -> Option<Vec<u8>> {
    joined(graph)?.written(true)
}

/// The graph with rows that become steps as rten does it fastest; None where it is no graph, or has no such rows.
pub(super) fn with_quick_rows(graph: &[u8]) -> Option<Vec<u8>> {
    let mut network = Network::read(graph)?;
    (rows::quicken(&mut network) > 0).then(|| network.written(false)).flatten()
}

/// The graph with its parts joined.
fn joined(graph: &[u8]) -> Option<Network> {
    let mut network = Network::read(graph)?;
    products::restore(&mut network);
    let is_joined = layers::join(&mut network) > 0;
    // What is left apart may need more than half precision.
    let apart =
        |node: &Node| ["Softmax", "Erf", "Pow", "ReduceMean", "Sqrt"].iter().any(|operation| node.is(operation));
    (is_joined && !network.needed()?.iter().any(apart)).then_some(network)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::neural::SHIPPED;
    use crate::detect::neural::runtime::onnxruntime::OnnxRuntime;
    use crate::detect::neural::runtime::rten::Rten;
    use crate::detect::neural::runtime::{Batch, Runtime, RuntimeOptions};
    use crate::detect::neural::tests::onnx_runtime;
    use messages::Model;
    use network::Constant;
    use prost::Message;

    fn batch() -> Batch {
        let ids: Vec<i32> = (0..3 * 17).map(|at| 1000 + at * 577 % 20_000).collect();
        Batch { sequences: 3, length: 17, shapes: ids.iter().map(|id| 1 + id % 16).collect(), ids }
    }

    fn rten(graph: &[u8]) -> Vec<f32> {
        Rten::open(graph, true, &RuntimeOptions::default(), None).unwrap().logits(&batch()).unwrap().values
    }

    /// The greatest difference of two outputs.
    fn difference(one: &[f32], other: &[f32]) -> f32 {
        assert_eq!(one.len(), other.len());
        one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn without_steps_it_says_the_same() {
        let mut network = Network::read(SHIPPED).unwrap();
        products::restore(&mut network);
        let whole = network.written(false).unwrap();
        let network = Network::read(&whole).unwrap();
        assert!(!network.nodes.iter().any(|node| node.is("MatMulInteger") || node.is("ReduceMax")));
        let (steps, whole) = (rten(SHIPPED), rten(&whole));
        // Rows in whole steps are off by a hundredth or two of the greatest score.
        let greatest = whole.iter().fold(0.0_f32, |greatest, score| greatest.max(score.abs()));
        assert!(difference(&steps, &whole) < greatest * 0.1 && difference(&steps, &whole) > 0.0);
    }

    #[test]
    fn quick_rows_say_the_same() {
        let quick = with_quick_rows(SHIPPED).unwrap();
        let network = Network::read(&quick).unwrap();
        let count = |operation: &str| network.nodes.iter().filter(|node| node.is(operation)).count();
        assert_eq!((count("QuantizeLinear"), count("ReduceMin"), count("Abs")), (48, 48, 0));
        let as_it_is = |graph: &[u8]| Rten::open_as_it_is(graph, true, &RuntimeOptions::default(), None).unwrap();
        let says = |graph: &[u8]| as_it_is(graph).logits(&batch()).unwrap().values;
        let written = says(SHIPPED);
        let greatest = written.iter().fold(0.0_f32, |greatest, score| greatest.max(score.abs()));
        // A number right between two steps may go to the other one, in each of the layers; that is less than what steps are off by.
        assert!(
            difference(&written, &says(&quick)) < greatest * 0.1,
            "{}",
            difference(&written, &says(&quick)) / greatest
        );
        assert_eq!(says(&quick), rten(SHIPPED), "the built-in runtime takes them");
        assert!(with_quick_rows(include_bytes!("../../fixtures/plain/model.onnx")).is_none());
        assert!(with_quick_rows(&SHIPPED[..SHIPPED.len() / 2]).is_none());
    }

    #[test]
    fn each_part_of_a_layer_is_one_operation() {
        let network = Network::read(&fused(SHIPPED).unwrap()).unwrap();
        let count = |operation: &str| network.nodes.iter().filter(|node| node.is(operation)).count();
        assert_eq!((count("Attention"), count("BiasGelu"), count("SkipLayerNormalization")), (12, 12, 25));
        assert_eq!((count("MatMul"), count("LayerNormalization"), count("Softmax")), (37, 0, 0));
        let heads = network.nodes.iter().find_map(|node| node.attribute("num_heads")?.i);
        assert_eq!(heads, Some(12));
        let last: Option<&Node> = network.nodes.last();
        assert!(last.is_some_and(|node| node.is("Cast") && node.output == ["logits"]));
    }

    #[test]
    fn onnx_runtime_says_the_same_of_joined_parts() {
        let Some(options) = onnx_runtime() else { return };
        let open = |graph: &[u8]| OnnxRuntime::open_as_it_is(graph, true, &options).unwrap();
        let says = |graph: &[u8]| open(graph).logits(&batch()).unwrap().values;
        let mut whole = Network::read(SHIPPED).unwrap();
        products::restore(&mut whole);
        let (apart, joined) =
            (says(&whole.written(false).unwrap()), says(&joined(SHIPPED).unwrap().written(false).unwrap()));
        assert!(difference(&apart, &joined) < 1e-3, "{}", difference(&apart, &joined));
        // A processor casts to and fro what it cannot compute in half precision.
        assert!(open(&fused(SHIPPED).unwrap()).says_the_same(&open(SHIPPED)));
        let mut other = Network::read(SHIPPED).unwrap();
        products::restore(&mut other);
        let Some(Constant::Floats { values, .. }) = other.constants.get_mut("layers.5.value.bias") else { panic!() };
        values.iter_mut().for_each(|value| *value += 1.0);
        assert!(!open(&other.written(false).unwrap()).says_the_same(&open(SHIPPED)));
    }

    /// The shipped graph after a change of its nodes.
    fn changed(change: impl Fn(&mut Node)) -> Option<Vec<u8>> {
        let mut model = Model::decode(SHIPPED).unwrap();
        model.graph.iter_mut().flat_map(|graph| &mut graph.node).for_each(change);
        fused(&model.encode_to_vec())
    }

    #[test]
    fn what_only_looks_like_it_is_left_alone() {
        assert!(changed(|_| ()).is_some());
        let other_axis = |node: &mut Node| {
            if node.is("Softmax") {
                node.attribute.iter_mut().for_each(|axis| axis.i = Some(1));
            }
        };
        assert!(changed(other_axis).is_none());
        let turned = |node: &mut Node| {
            if node.is("Transpose") {
                node.attribute.iter_mut().for_each(|perm| perm.ints = vec![0, 2, 3, 1]);
            }
        };
        assert!(changed(turned).is_none());
        let upside_down = |node: &mut Node| {
            if node.is("Div") && node.output.iter().any(|output| output.contains("layers.3/Div")) {
                node.input.reverse();
            }
        };
        assert!(changed(upside_down).is_none());
    }

    /// Steps of weights that are computed with in floating point: what `export.py` writes without `--rows`.
    #[test]
    fn weights_in_steps_become_constants() {
        let mut model = Model::decode(SHIPPED).unwrap();
        let graph = model.graph.as_mut().unwrap();
        let weights =
            graph.initializer.iter().find_map(|tensor| tensor.name.as_deref()?.strip_suffix(".int8")).unwrap();
        let weights = weights.to_owned();
        graph.node = vec![
            Node::new(None, "Cast", &[&format!("{weights}.int8")], "steps").with_int("to", 1),
            Node::new(None, "Mul", &["steps", &format!("{weights}.scale")], "whole"),
            Node::new(None, "MatMul", &["input_ids", "whole"], "logits"),
        ];
        let is_of_columns = |tensor: &messages::Tensor| tensor.dims.len() < 2 || tensor.dims[1] != 1;
        assert!(
            graph
                .initializer
                .iter()
                .filter(|tensor| tensor.name == Some(format!("{weights}.scale")))
                .all(is_of_columns)
        );
        let mut network = Network::read(&model.encode_to_vec()).unwrap();
        products::restore(&mut network);
        let written = Network::read(&network.written(false).unwrap()).unwrap();
        let operations: Vec<_> = written.nodes.iter().filter_map(|node| node.op_type.clone()).collect();
        assert_eq!(operations, ["MatMul"]);
        assert!(written.floats("whole").is_some_and(|(_, values)| values.iter().any(|value| *value != 0.0)));
    }

    #[test]
    fn what_is_of_another_make_is_left_alone() {
        assert!(fused(include_bytes!("../../fixtures/plain/model.onnx")).is_none());
        assert!(fused(b"").is_none() && fused(&SHIPPED[..SHIPPED.len() / 2]).is_none());
    }
}
