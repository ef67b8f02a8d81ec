//! Products in whole steps, as products of floating-point numbers again.
//!
//! ```text
//! Mul(Mul(Cast(MatMulInteger(Cast(Add(Div(x, scale), middle)), w, zero)), sizes), scale)   ──▶   MatMul(x, w · sizes)
//! Mul(Cast(Gather(w, ids)), Gather(sizes, ids))                                            ──▶   Gather(w · sizes, ids)
//! Mul(Cast(w), sizes)                                                                      ──▶   w · sizes
//! ```
//!
//! `models/training/quantize.py` writes these forms.

use super::messages::Node;
use super::network::{Constant, Network};

/// Undoes the steps of all products and look-ups.
pub(super) fn restore(network: &mut Network) {
    for value in network.values() {
        if let Some((x, weights)) = product(network, &value) {
            network.replace(Node::new(None, "MatMul", &[&x, &weights], &value));
        } else if let Some((weights, ids)) = look_up(network, &value) {
            network.replace(Node::new(None, "Gather", &[&weights, &ids], &value).with_int("axis", 0));
        } else {
            constant(network, &value);
        }
    }
}

/// The left side of a product and the name of its weights, which are a constant from here on.
fn product(network: &mut Network, value: &str) -> Option<(String, String)> {
    let columns = network.behind(value, "Mul", 0)?;
    let (sums, sizes) = network.with_constant(columns, "Mul")?;
    let product = network.maker(network.behind(sums, "Cast", 0)?, "MatMulInteger")?;
    let [rows, weights, _] = product.input.as_slice() else { return None };
    let (shifted, _) = network.with_constant(network.behind(rows, "Cast", 0)?, "Add")?;
    let x = network.behind(shifted, "Div", 0)?.to_owned();
    let (weights, sizes) = (weights.clone(), sizes.to_owned());
    Some((x, whole(network, &weights, &sizes)?))
}

/// The table of a look-up, a constant from here on, and the numbers that are looked up.
fn look_up(network: &mut Network, value: &str) -> Option<(String, String)> {
    let steps = network.behind(value, "Mul", 0)?;
    let table = network.maker(network.behind(steps, "Cast", 0)?, "Gather")?;
    let sizes = network.maker(network.behind(value, "Mul", 1)?, "Gather")?;
    let ([table, ids], [sizes, same]) = (table.input.as_slice(), sizes.input.as_slice()) else { return None };
    if ids != same {
        return None;
    }
    let (table, sizes, ids) = (table.clone(), sizes.clone(), ids.clone());
    Some((whole(network, &table, &sizes)?, ids))
}

/// Makes a value a constant, where it is one of steps and their sizes.
fn constant(network: &mut Network, value: &str) -> Option<()> {
    let (steps, sizes) = network.with_constant(value, "Mul")?;
    let (steps, sizes) = (network.behind(steps, "Cast", 0)?.to_owned(), sizes.to_owned());
    let whole = whole(network, &steps, &sizes)?;
    let made = network.constants.get(&whole)?.clone();
    network.constants.insert(value.to_owned(), made);
    Some(())
}

/// Makes steps times sizes a constant, and tells its name. Sizes are one for each column, or one for each row (`[rows, 1]`).
fn whole(network: &mut Network, steps: &str, sizes: &str) -> Option<String> {
    let name = format!("{steps}.whole");
    if network.constants.contains_key(&name) {
        return Some(name);
    }
    let (shape, steps) = network.constants.get(steps)?.bytes()?;
    let &[rows, columns] = shape else { return None };
    let (of, sizes) = network.floats(sizes)?;
    let width = usize::try_from(columns).ok().filter(|&width| width > 0)?;
    let size_at: Box<dyn Fn(usize) -> usize> = match *of {
        [of] if of == columns => Box::new(move |at| at % width),
        [of, 1] if of == rows => Box::new(move |at| at / width),
        _ => return None,
    };
    let size = |at: usize| sizes.get(size_at(at)).copied();
    let values =
        steps.iter().enumerate().map(|(at, &step)| Some(f32::from(step) * size(at)?)).collect::<Option<_>>()?;
    let sizes = shape.to_vec();
    network.constants.insert(name.clone(), Constant::Floats { sizes, values });
    Some(name)
}
