//! Rows that become whole steps, in the operations that the built-in runtime is quick at.
//!
//! ```text
//! Cast(Add(x, 91.5))   ──▶   QuantizeLinear(x, 1, 91)                       one pass over the row instead of two, and no slow cast
//! ReduceMax(Abs(x))    ──▶   Max(ReduceMax(x), Neg(ReduceMin(x)))           no row of magnitudes is written
//! ```
//!
//! `models/training/quantize.py` writes the left forms. Both sides are the same numbers, but for one right between two steps.

use super::messages::{Node, Tensor, UINT8};
use super::network::{Constant, Network};

/// Rewrites what has these forms; tells how many rows become steps otherwise now.
pub(super) fn quicken(network: &mut Network) -> usize {
    let mut rewritten = 0;
    for value in network.values() {
        if let Some(node) = steps(network, &value) {
            network.replace(node);
            rewritten += 1;
        } else if let Some((parts, whole)) = greatest(network, &value) {
            parts.into_iter().for_each(|part| network.add(part));
            network.replace(whole);
        }
    }
    rewritten
}

/// A cast that cuts off the half that was added too much, as what it stands for: rounding.
fn steps(network: &mut Network, value: &str) -> Option<Node> {
    let cast = network.maker(value, "Cast")?;
    if cast.attribute("to")?.i != Some(UINT8.into()) {
        return None;
    }
    let (x, middle) = network.with_constant(cast.input.first()?, "Add")?;
    let zero = network.number(middle)? - 0.5;
    if zero.fract() != 0.0 || !(0.0..=255.0).contains(&zero) {
        return None;
    }
    let (x, of_zero) = (x.to_owned(), format!("{middle}.zero"));
    const ONE: &str = "rows.one";
    network.constants.insert(ONE.to_owned(), Constant::Floats { sizes: Vec::new(), values: vec![1.0] });
    let tensor = Tensor { data_type: Some(UINT8), raw_data: Some(vec![zero as u8]), ..Tensor::default() };
    network.constants.insert(of_zero.clone(), Constant::Other(tensor));
    Some(Node::new(None, "QuantizeLinear", &[&x, ONE, &of_zero], value))
}

/// The greatest magnitude of each row, of its greatest and its least number.
fn greatest(network: &Network, value: &str) -> Option<([Node; 3], Node)> {
    let most = network.maker(value, "ReduceMax")?;
    let [magnitudes] = most.input.as_slice() else { return None };
    let x = network.behind(magnitudes, "Abs", 0)?;
    let [high, low, turned] = ["high", "low", "turned"].map(|part| format!("{value}.{part}"));
    let reduced = |operation: &str, output: &str| Node {
        attribute: most.attribute.clone(),
        ..Node::new(None, operation, &[x], output)
    };
    let parts = [reduced("ReduceMax", &high), reduced("ReduceMin", &low), Node::new(None, "Neg", &[&low], &turned)];
    Some((parts, Node::new(None, "Max", &[&high, &turned], value)))
}
