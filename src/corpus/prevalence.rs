//! How a corpus repeats itself: the share of the commonest sentences, and whether new ones still come.
//!
//! ```text
//!   the commonest    of all sentences        notes    distinct    new a note
//!               1         1.9 %               2000       35218        17.6
//!             100        18.3 %               4000       65120        14.9
//!            1600        35.2 %                  …
//! ```
//!
//! It tells beforehand what a run will cost: detection is paid for each distinct sentence. (The Mayo corpus of 103 million notes: 22 %
//! distinct, the commonest 1,600 a third; Murugadoss et al. 2021.)

use std::fmt;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// The numbers of commonest sentences whose share is told.
pub(super) const RANKS: [u64; 10] = [1, 10, 100, 1_000, 1_600, 5_000, 10_000, 25_000, 100_000, 1_000_000];

/// How a corpus repeats itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Prevalence {
    /// Notes read.
    pub notes: u64,
    /// Rows of them that are no notes: broken lines, text that is not UTF-8. Their sentences are not counted.
    pub quarantined: u64,
    /// What sentences were keyed with: none, short or around.
    pub context: &'static str,
    /// Sentences of all notes.
    pub sentences: u64,
    /// Distinct ones.
    pub distinct: u64,
    /// The share of the commonest sentences in all.
    pub top: Vec<Top>,
    /// Sentences by how many patients share them.
    pub by_patients: Vec<Band>,
    /// Distinct sentences after so many notes, in the order of files.
    pub growth: Vec<Growth>,
    /// By which power of the notes distinct sentences grew over the second half: 1 is no repetition, 0 no new sentence.
    pub exponent: Option<f64>,
}

/// The share of the commonest sentences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Top {
    /// How many of the commonest.
    pub rank: u64,
    /// How often they occur.
    pub occurrences: u64,
    /// Of all sentences, in [0, 1].
    pub share: f64,
}

/// Sentences that about as many patients share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Band {
    /// The least number of patients; the band ends where the next one begins.
    pub patients: u64,
    /// Distinct sentences.
    pub distinct: u64,
    /// How often they occur.
    pub occurrences: u64,
}

/// How many distinct sentences there were after so many notes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Growth {
    /// Notes so far.
    pub notes: u64,
    /// Distinct sentences so far.
    pub distinct: u64,
    /// Of them new in a note, on average, since the point before.
    pub new_a_note: f64,
}

impl Prevalence {
    /// The power law between the middle and the end of the growth curve.
    pub(super) fn measure_exponent(&mut self) {
        let Some(last) = self.growth.last() else { return };
        let middle = self.growth.iter().find(|point| point.notes * 2 >= last.notes && point.notes < last.notes);
        self.exponent = middle.filter(|middle| middle.distinct > 0).map(|middle| {
            let ratio = |more: u64, fewer: u64| (more as f64 / fewer as f64).ln();
            ratio(last.distinct, middle.distinct) / ratio(last.notes, middle.notes)
        });
    }

    /// Both curves as an SVG image: the share of the commonest sentences, and the growth of distinct ones.
    pub fn plot(&self) -> String {
        let share: Vec<(f64, f64)> =
            self.top.iter().map(|top| ((top.rank as f64).log10(), 100.0 * top.share)).collect();
        let grown = self.growth.iter().map(|point| (point.notes as f64, point.distinct as f64));
        let grown: Vec<(f64, f64)> = [(0.0, 0.0)].into_iter().chain(grown).collect();
        let ranks = |x: f64| short(10_f64.powf(x).round());
        let markup = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 400" width="960" height="400"
                font-family="system-ui, sans-serif" font-size="12" {
                rect width="960" height="400" fill="white" {}
                (panel(40.0, "Share of all sentences, %", "the commonest sentences", &share, (6.0, 100.0), (&ranks, &short)))
                (panel(
                    530.0,
                    "Distinct sentences",
                    "notes",
                    &grown,
                    (self.notes.max(1) as f64, self.distinct.max(1) as f64),
                    (&short, &short),
                ))
            }
        };
        markup.into_string()
    }
}

type Written<'w> = (&'w dyn Fn(f64) -> String, &'w dyn Fn(f64) -> String);

/// One curve in its axes.
fn panel(left: f64, title: &str, below: &str, points: &[(f64, f64)], ends: (f64, f64), written: Written<'_>) -> Markup {
    const WIDTH: f64 = 370.0;
    const HEIGHT: f64 = 270.0;
    const TOP: f64 = 50.0;
    let x = |value: f64| left + 30.0 + WIDTH * (value / ends.0).clamp(0.0, 1.0);
    let y = |value: f64| TOP + HEIGHT * (1.0 - (value / ends.1).clamp(0.0, 1.0));
    let line = points.iter().map(|&(at, value)| format!("{:.1},{:.1} ", x(at), y(value))).collect::<String>();
    html! {
        text x=(left + 30.0) y="28" font-size="14" font-weight="600" fill="#222" { (title) }
        @for step in 0..=4 {
            @let share = f64::from(step) / 4.0;
            line x1=(x(0.0)) x2=(x(ends.0)) y1=(y(ends.1 * share)) y2=(y(ends.1 * share)) stroke="#ddd" {}
            text x=(x(0.0) - 6.0) y=(y(ends.1 * share) + 4.0) text-anchor="end" fill="#555" { (written.1(ends.1 * share)) }
        }
        @for step in 0..=3 {
            @let share = f64::from(step) / 3.0;
            text x=(x(ends.0 * share)) y=(TOP + HEIGHT + 18.0) text-anchor="middle" fill="#555" {
                (written.0(ends.0 * share))
            }
        }
        text x=(left + 30.0 + WIDTH / 2.0) y=(TOP + HEIGHT + 42.0) text-anchor="middle" fill="#555" { (below) }
        polyline points=(PreEscaped(line)) fill="none" stroke="#2563a8" stroke-width="2" {}
        @for &(at, value) in points {
            circle cx=(format!("{:.1}", x(at))) cy=(format!("{:.1}", y(value))) r="3" fill="#2563a8" {}
        }
    }
}

/// A number in few characters: 25k, 1.6M.
fn short(value: f64) -> String {
    let shown = |value: f64| format!("{value:.1}").trim_end_matches(".0").to_owned();
    match value {
        value if value >= 1e9 => shown(value / 1e9) + "G",
        value if value >= 1e6 => shown(value / 1e6) + "M",
        value if value >= 1e3 => shown(value / 1e3) + "k",
        value => format!("{value:.0}"),
    }
}

impl fmt::Display for Prevalence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, all: u64| if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
        writeln!(formatter, "  {:<22}{:>12}", "notes", self.notes)?;
        if self.quarantined > 0 {
            writeln!(formatter, "  {:<22}{:>12}", "quarantined", self.quarantined)?;
        }
        writeln!(formatter, "  {:<22}{:>12}", "sentences", self.sentences)?;
        let share = percent(self.distinct, self.sentences);
        writeln!(formatter, "  {:<22}{:>12}{share:>10.1} %", "distinct", self.distinct)?;
        writeln!(formatter, "\n  {:<22}{:>12}", "the commonest", "of all")?;
        for top in &self.top {
            writeln!(formatter, "  {:<22}{:>10.1} %", top.rank, 100.0 * top.share)?;
        }
        writeln!(formatter, "\n  {:<22}{:>12}{:>12}", "patients", "distinct", "of all")?;
        for (at, band) in self.by_patients.iter().enumerate() {
            let name = match self.by_patients.get(at + 1) {
                Some(next) if next.patients == band.patients + 1 => band.patients.to_string(),
                Some(next) => format!("{} to {}", band.patients, next.patients - 1),
                None => format!("{} and more", band.patients),
            };
            let share = percent(band.occurrences, self.sentences);
            writeln!(formatter, "  {name:<22}{:>12}{share:>10.1} %", band.distinct)?;
        }
        writeln!(formatter, "\n  {:<22}{:>12}{:>12}", "after notes", "distinct", "new a note")?;
        for point in &self.growth {
            writeln!(formatter, "  {:<22}{:>12}{:>12.1}", point.notes, point.distinct, point.new_a_note)?;
        }
        match self.exponent {
            Some(exponent) => {
                writeln!(formatter, "\n  Over the second half, distinct sentences grew as notes^{exponent:.2}.")
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_is_that_of_the_second_half() {
        let point = |notes: u64| Growth { notes, distinct: (notes as f64).sqrt() as u64, new_a_note: 0.0 };
        let mut prevalence =
            Prevalence { growth: (1..=10).map(|step| point(step * 1_000_000)).collect(), ..Default::default() };
        prevalence.measure_exponent();
        assert!((prevalence.exponent.unwrap() - 0.5).abs() < 0.01);
        let mut alone = Prevalence { growth: vec![point(5)], ..Default::default() };
        alone.measure_exponent();
        assert_eq!(alone.exponent, None);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 950.0, 1_600.0, 25_000.0, 2.5e6].map(short), ["0", "950", "1.6k", "25k", "2.5M"]);
    }
}
