//! Evaluations and comparisons for people and for programs.
//!
//! ```text
//! Evaluation ─┬─ Display     what a terminal shows: the headline with its intervals first
//! Comparison ─┼─ Serialize   JSON with names that stay; programs read them
//!             └─ to_html     one page that needs nothing else: tables, charts, light and dark
//! ```
//!
//! Figures that are undefined are `n/a` for people and `null` in JSON. No report holds note text or identifiers.

mod chart;
mod comparison;
mod html;
mod json;
mod table;
mod text;

use super::{Evaluation, Interval};

/// What intervals are drawn over: of some notes nothing tells whose they are.
const fn drawn(evaluation: &Evaluation) -> &'static str {
    match (evaluation.notes_of_nobody, evaluation.notes - evaluation.notes_of_nobody) {
        (0, _) => "patients",
        (_, 0) => "notes",
        _ => "patients, and notes of nobody known",
    }
}

/// A share with four digits.
fn share(figure: Option<f64>) -> String {
    figure.map_or_else(|| "n/a".to_owned(), |figure| format!("{figure:.4}"))
}

/// A share with its interval behind it.
fn share_with(figure: Option<f64>, interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, high }) if figure.is_some() => format!("{} [{low:.4}, {high:.4}]", share(figure)),
        _ => share(figure),
    }
}
