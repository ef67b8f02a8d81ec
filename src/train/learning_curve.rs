//! How good a model gets with how many examples: whether annotating more will pay.
//!
//! ```text
//! groups  examples  identifiers  strict F1  token R
//!     10       412          231     0.8104   0.9012
//!     50     2,060        1,160     0.9237   0.9655
//! ```

use std::collections::BTreeSet;
use std::fmt;

use maud::html;

use super::crf::{Settings, train};
use super::scores::{Scores, evaluate};
use super::{Example, TrainError, chance};

/// A model of some of the examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Groups (patients or files) that it learned from.
    pub groups: usize,
    /// Sentences.
    pub examples: usize,
    /// Identifiers in them.
    pub identifiers: usize,
    /// How it did on the test examples.
    pub scores: Scores,
}

/// Points in the order of their sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct LearningCurve {
    /// A point a model.
    pub points: Vec<Point>,
}

/// Trains on the first so many groups, in an order that the seed decides, for each number in `groups`. What a smaller model saw, a
/// larger one sees too; a number beyond what there is means all.
///
/// # Errors
/// See [`TrainError`].
pub fn learning_curve(
    training: &[Example],
    test: &[Example],
    groups: &[usize],
    settings: &Settings,
) -> Result<LearningCurve, TrainError> {
    let names: BTreeSet<&str> = training.iter().map(|example| example.group.as_str()).collect();
    let mut order: Vec<&str> = names.into_iter().collect();
    order.sort_by(|left, right| {
        chance(settings.seed, left.as_bytes()).total_cmp(&chance(settings.seed, right.as_bytes())).then(left.cmp(right))
    });
    let sizes: BTreeSet<usize> = groups.iter().map(|size| (*size).min(order.len())).collect();
    let point = |size: usize| {
        let chosen: BTreeSet<&str> = order[..size].iter().copied().collect();
        let examples: Vec<Example> =
            training.iter().filter(|example| chosen.contains(example.group.as_str())).cloned().collect();
        let model = train(&examples, settings)?;
        let identifiers = examples.iter().map(|example| example.spans.len()).sum();
        Ok(Point { groups: size, examples: examples.len(), identifiers, scores: evaluate(&model, test) })
    };
    Ok(LearningCurve { points: sizes.into_iter().map(point).collect::<Result<_, _>>()? })
}

impl LearningCurve {
    /// The strict F1 and the recall of words over the number of groups, on a logarithmic scale, as an SVG image.
    pub fn to_svg(&self) -> String {
        const WIDTH: f64 = 640.0;
        const HEIGHT: f64 = 400.0;
        const MARGIN: f64 = 48.0;
        let sizes = || self.points.iter().map(|point| (point.groups.max(1) as f64).log2());
        let (least, most) = (sizes().fold(f64::MAX, f64::min), sizes().fold(f64::MIN, f64::max));
        let x = |groups: usize| {
            let share = ((groups.max(1) as f64).log2() - least) / (most - least).max(1e-9);
            MARGIN + share * (WIDTH - 2.0 * MARGIN)
        };
        let y = |share: f64| HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN);
        let line = |figure: &dyn Fn(&Point) -> f64| {
            let places = self.points.iter().map(|point| format!("{:.1},{:.1}", x(point.groups), y(figure(point))));
            places.collect::<Vec<_>>().join(" ")
        };
        let curves = [
            ("#1f5fa8", "strict F1", line(&|point| point.scores.strict().f1())),
            ("#b3541e", "recall of words", line(&|point| point.scores.tokens.recall())),
        ];
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) font-family="sans-serif" font-size="12" {
                rect width="100%" height="100%" fill="white" {}
                @for tenth in 0..=10u8 {
                    @let share = f64::from(tenth) / 10.0;
                    line x1=(MARGIN) x2=(WIDTH - MARGIN) y1=(y(share)) y2=(y(share)) stroke="#ddd" {}
                    text x=(MARGIN - 8.0) y=(y(share) + 4.0) text-anchor="end" { (format!("{share:.1}")) }
                }
                @for point in &self.points {
                    text x=(x(point.groups)) y=(HEIGHT - MARGIN + 18.0) text-anchor="middle" { (point.groups) }
                }
                text x=(WIDTH / 2.0) y=(HEIGHT - 8.0) text-anchor="middle" { "patients or files learned from" }
                @for (place, (colour, name, points)) in curves.iter().enumerate() {
                    polyline points=(points) fill="none" stroke=(colour) stroke-width="2" {}
                    text x=(WIDTH - MARGIN) y=(HEIGHT - MARGIN - 40.0 + 16.0 * place as f64) text-anchor="end" fill=(colour) { (name) }
                }
            }
        }
        .into_string()
    }
}

impl fmt::Display for LearningCurve {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "groups  examples  identifiers  strict P      R     F1  token P      R     F1")?;
        for point in &self.points {
            let (strict, token) = (point.scores.strict().shown(), point.scores.tokens.shown());
            write!(formatter, "{:>6}  {:>8}  {:>11}  ", point.groups, point.examples, point.identifiers)?;
            write!(formatter, "{:>8} {:>6} {:>6}  ", strict[0], strict[1], strict[2])?;
            writeln!(formatter, "{:>7} {:>6} {:>6}", token[0], token[1], token[2])?;
        }
        Ok(())
    }
}
