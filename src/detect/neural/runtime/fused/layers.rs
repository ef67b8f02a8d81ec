//! The parts of a BERT layer as single operations of ONNX Runtime.
//!
//! ```text
//! query, key, value: MatMul, Add, Reshape, Transpose ─ scores ─ Softmax ─ mixed ─ Transpose, Reshape   ──▶   Attention
//! Add, Div √2, Erf, Add 1, Mul, Mul ½                                                                  ──▶   BiasGelu
//! Add (bias), Add (what came before), LayerNormalization                                               ──▶   SkipLayerNormalization
//! ```

use super::messages::Node;
use super::network::{Constant, Network, OWN};

/// Orders of dimensions in which the heads stand apart: of the usual `[batch, pieces, heads, width]`, and of the keys.
const OF_HEADS: [i64; 4] = [0, 2, 1, 3];
const OF_HEADS_TURNED: [i64; 4] = [0, 2, 3, 1];

/// Joins what can be; tells how many attentions there are.
pub(super) fn join(network: &mut Network) -> usize {
    let mut attentions = 0;
    for value in network.values() {
        if let Some(node) = attention(network, &value) {
            network.replace(node);
            attentions += 1;
        } else if let Some(node) = gelu(network, &value).or_else(|| normalization(network, &value)) {
            network.replace(node);
        }
    }
    attentions
}

/// The attention that makes a value: one product for query, key and value together.
fn attention(network: &mut Network, value: &str) -> Option<Node> {
    let mixed = transposed(network, network.behind(value, "Reshape", 0)?, OF_HEADS)?;
    let shares = network.maker(network.behind(mixed, "MatMul", 0)?, "Softmax").filter(|node| is_along_last(node, 3))?;
    let (products, root) = network.before_constant(shares.input.first()?, "Div")?;
    let root = network.number(root).filter(|root| root.is_finite() && *root > 0.0)?;
    let sides = [(products, 0, OF_HEADS), (products, 1, OF_HEADS_TURNED), (mixed, 1, OF_HEADS)];
    let parts: Vec<Projection> = sides
        .into_iter()
        .map(|(product, side, order)| projection(network, network.behind(product, "MatMul", side)?, order))
        .collect::<Option<_>>()?;
    let [query, key, values] = parts.as_slice() else { return None };
    if query.of != key.of || query.of != values.of || query.width != key.width || query.width != values.width {
        return None;
    }
    // Scores are divided by the root of what one head has of the width.
    let width = query.width as f32;
    let heads = (width / (root * root)).round();
    if heads < 1.0 || width % heads != 0.0 || (width / heads - root * root).abs() > 0.01 {
        return None;
    }
    let (weights, biases) = joined(&parts)?;
    let (named, of) = ([format!("{value}.weights"), format!("{value}.biases")], query.of.clone());
    network.constants.insert(named[0].clone(), weights);
    network.constants.insert(named[1].clone(), biases);
    Some(Node::new(Some(OWN), "Attention", &[&of, &named[0], &named[1]], value).with_int("num_heads", heads as i64))
}

/// A product with weights and biases: query, key or value.
struct Projection {
    of: String,
    width: usize,
    weights: Vec<f32>,
    biases: Vec<f32>,
}

fn projection(network: &Network, value: &str, order: [i64; 4]) -> Option<Projection> {
    let reshaped = transposed(network, value, order)?;
    let (product, biases) = biased(network, network.behind(reshaped, "Reshape", 0)?)?;
    let (of, weights) = network.before_constant(product, "MatMul")?;
    let (&[_, width], weights) = network.floats(weights)? else { return None };
    let (width, (_, biases)) = (usize::try_from(width).ok().filter(|&width| width > 0)?, network.floats(biases)?);
    let is_whole = biases.len() == width && weights.len() == width.checked_mul(width)?;
    is_whole.then(|| Projection { of: of.to_owned(), width, weights: weights.to_vec(), biases: biases.to_vec() })
}

/// A sum of a value and one number for each column: both names.
fn biased<'n>(network: &'n Network, value: &str) -> Option<(&'n str, &'n str)> {
    let (product, bias) = network.with_constant(value, "Add")?;
    network.floats(bias).filter(|(sizes, _)| sizes.len() == 1).map(|_| (product, bias))
}

/// What a value is the transpose of, in this order.
fn transposed<'n>(network: &'n Network, value: &str, order: [i64; 4]) -> Option<&'n str> {
    let node = network.maker(value, "Transpose")?;
    node.attribute("perm").filter(|perm| perm.ints == order)?;
    node.input.first().map(String::as_str)
}

/// Whether an operation goes along the last of its dimensions, of which this is the number from 0.
fn is_along_last(node: &Node, last: i64) -> bool {
    node.attribute("axis").is_none_or(|axis| axis.i == Some(-1) || axis.i == Some(last))
}

/// The weights of several projections side by side, and their biases one after another.
fn joined(parts: &[Projection]) -> Option<(Constant, Constant)> {
    let width = parts.first()?.width;
    let rows = (0..width).flat_map(|row| parts.iter().map(move |part| &part.weights[row * width..(row + 1) * width]));
    let weights: Vec<f32> = rows.flatten().copied().collect();
    let biases: Vec<f32> = parts.iter().flat_map(|part| &part.biases).copied().collect();
    let columns = biases.len() as i64;
    let weights = Constant::Floats { sizes: vec![width as i64, columns], values: weights };
    Some((weights, Constant::Floats { sizes: vec![columns], values: biases }))
}

/// The activation that makes a value, with the bias before it.
fn gelu(network: &Network, value: &str) -> Option<Node> {
    let (doubled, half) = network.with_constant(value, "Mul")?;
    let [x, share] = network.maker(doubled, "Mul")?.input.as_slice() else { return None };
    let (error, one) = network.with_constant(share, "Add")?;
    let (divided, root) = network.before_constant(network.behind(error, "Erf", 0)?, "Div")?;
    let is_gelu = divided == x
        && network.number(half) == Some(0.5)
        && network.number(one) == Some(1.0)
        && (network.number(root)? - std::f32::consts::SQRT_2).abs() < 1e-4;
    let (product, bias) = biased(network, x).filter(|_| is_gelu)?;
    Some(Node::new(Some(OWN), "BiasGelu", &[product, bias], value))
}

/// The normalization that makes a value, with the sum and the bias before it.
fn normalization(network: &Network, value: &str) -> Option<Node> {
    let node = network.maker(value, "LayerNormalization").filter(|node| is_along_last(node, 2))?;
    let [sum, scale, shift] = node.input.as_slice() else { return None };
    let [left, right] = network.maker(sum, "Add")?.input.as_slice() else { return None };
    let with_bias = |side: &str, before| biased(network, side).map(|(product, bias)| (product, bias, before));
    let (product, bias, before) = with_bias(right, left).or_else(|| with_bias(left, right))?;
    let least = node.attribute("epsilon").and_then(|epsilon| epsilon.f)?;
    let node = Node::new(Some(OWN), "SkipLayerNormalization", &[product, before, scale, shift, bias], value);
    Some(node.with_float("epsilon", least))
}
