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
    let [columns, scale] = network.maker(value, "Mul")?.input.as_slice() else { return None };
    let (sums, sizes) = network.with_constant(columns, "Mul")?;
    let product = network.maker(network.behind(sums, "Cast", 0)?, "MatMulInteger")?;
    let [rows, weights, _] = product.input.as_slice() else { return None };
    let (shifted, _) = network.with_constant(network.behind(rows, "Cast", 0)?, "Add")?;
    let [x, divisor] = network.maker(shifted, "Div")?.input.as_slice() else { return None };
    if divisor != scale {
        return None;
    }
    let (x, weights, sizes) = (x.clone(), weights.clone(), sizes.to_owned());
    Some((x, whole(network, &weights, &sizes, Sizes::OfColumns)?))
}

/// The table of a look-up, a constant from here on, and the numbers that are looked up.
fn look_up(network: &mut Network, value: &str) -> Option<(String, String)> {
    let steps = network.behind(value, "Mul", 0)?;
    let table = network.maker(network.behind(steps, "Cast", 0)?, "Gather")?;
    let sizes = network.maker(network.behind(value, "Mul", 1)?, "Gather")?;
    let is_of_rows = [table, sizes].iter().all(|gather| gather.attribute("axis").is_none_or(|axis| axis.i == Some(0)));
    let ([table, ids], [sizes, same]) = (table.input.as_slice(), sizes.input.as_slice()) else { return None };
    if ids != same || !is_of_rows {
        return None;
    }
    let (table, sizes, ids) = (table.clone(), sizes.clone(), ids.clone());
    Some((whole(network, &table, &sizes, Sizes::OfRows)?, ids))
}

/// Makes a value a constant, where it is one of steps and their sizes.
fn constant(network: &mut Network, value: &str) -> Option<()> {
    let (steps, sizes) = network.with_constant(value, "Mul")?;
    let (steps, sizes) = (network.behind(steps, "Cast", 0)?.to_owned(), sizes.to_owned());
    let whole = whole(network, &steps, &sizes, Sizes::OfColumns)?;
    let made = network.constants.remove(&whole)?;
    network.settle(value, made);
    Some(())
}

/// What the sizes of steps belong to: to columns (`[columns]`), or to rows (`[rows, 1]`).
#[derive(Clone, Copy)]
enum Sizes {
    OfColumns,
    OfRows,
}

/// Makes steps times sizes a constant, and tells its name.
fn whole(network: &mut Network, steps: &str, sizes: &str, are: Sizes) -> Option<String> {
    let name = format!("{steps} times {sizes}");
    if network.constants.contains_key(&name) {
        return Some(name);
    }
    let (shape, steps) = network.constants.get(steps)?.bytes()?;
    let &[rows, columns] = shape else { return None };
    let (of, sizes) = network.floats(sizes)?;
    let width = usize::try_from(columns).ok().filter(|&width| width > 0)?;
    let size = |at: usize| match are {
        Sizes::OfColumns => sizes.get(at % width),
        Sizes::OfRows => sizes.get(at / width),
    };
    let fits = match are {
        Sizes::OfColumns => of == [columns],
        Sizes::OfRows => of == [rows, 1],
    };
    if !fits {
        return None;
    }
    let values =
        steps.iter().enumerate().map(|(at, &step)| Some(f32::from(step) * size(at)?)).collect::<Option<_>>()?;
    let sizes = shape.to_vec();
    network.constants.insert(name.clone(), Constant::Floats { sizes, values });
    Some(name)
}
