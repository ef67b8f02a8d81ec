//! The graph as a GPU computes it fastest: half precision, and each part of a layer in one operation.
//!
//! ```text
//! int8 steps, 128 operations a layer  ──▶  floating point again  ──▶  6 operations a layer  ──▶  half precision
//! ```
//!
//! What is quick on a processor is slow on a GPU: products in whole steps are taken apart into many small operations, which wait for
//! memory. The models here are kept in that form, to be small; so they are turned into the other one when a GPU is to compute them.
//! A graph of another make stays as it is.

mod layers;
mod messages;
mod network;
mod products;

use self::network::Network;

/// The graph with its parts joined, in half precision; None where it is of another make.
pub(super) fn fused(graph: &[u8]) -> Option<Vec<u8>> {
    joined(graph)?.written(true)
}

/// The graph with its parts joined.
fn joined(graph: &[u8]) -> Option<Network> {
    let mut network = Network::read(graph)?;
    products::restore(&mut network);
    (layers::join(&mut network) > 0).then_some(network)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::neural::runtime::rten::Rten;
    use crate::detect::neural::runtime::{Batch, Runtime, RuntimeOptions};
    use messages::Node;

    const SHIPPED: &[u8] = include_bytes!("../../../../../models/bge-small-phi/model.onnx");

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
        let Some(library) = std::env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty()) else { return };
        let options = RuntimeOptions { library: Some(library.into()), ..RuntimeOptions::default() };
        let mut whole = Network::read(SHIPPED).unwrap();
        products::restore(&mut whole);
        let says = |graph: &[u8]| {
            let runtime =
                crate::detect::neural::runtime::onnxruntime::OnnxRuntime::open(graph, true, &options).unwrap();
            runtime.logits(&batch()).unwrap().values
        };
        let (apart, joined) =
            (says(&whole.written(false).unwrap()), says(&joined(SHIPPED).unwrap().written(false).unwrap()));
        assert!(difference(&apart, &joined) < 1e-3, "{}", difference(&apart, &joined));
    }

    #[test]
    fn what_is_of_another_make_is_left_alone() {
        assert!(fused(include_bytes!("../../fixtures/plain/model.onnx")).is_none());
        assert!(fused(b"").is_none() && fused(&SHIPPED[..SHIPPED.len() / 2]).is_none());
    }
}
