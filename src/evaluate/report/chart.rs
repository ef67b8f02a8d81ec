//! Charts as inline SVG, coloured by the page's style sheet.
//!
//! ```text
//! PATIENT  ████████████████████├─┤ .98
//! DOCTOR   ███████████████├──┤     .91
//! ```

use maud::{Markup, html};

use crate::evaluate::{Confusion, Interval};
use crate::phi::Label;

/// Room for the names left of a chart, and for figures right of it.
const NAMES: f64 = 200.0;
const FIGURES: f64 = 270.0;
const PLOT: f64 = 440.0;
const ROW: f64 = 24.0;

/// One horizontal bar: a share of 1 with its interval.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) share: Option<f64>,
    pub(super) interval: Option<Interval>,
    /// What is written behind the bar.
    pub(super) figure: String,
}

/// Horizontal bars from 0 to 1 with interval whiskers.
pub(super) fn bars(title: &str, bars: &[Bar]) -> Markup {
    let (width, height) = (NAMES + PLOT + FIGURES, ROW * bars.len() as f64 + 30.0);
    let x = |share: f64| NAMES + PLOT * share.clamp(0.0, 1.0);
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) width=(width) role="img" aria-label=(title) {
            @for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line .grid x1=(x(tick)) x2=(x(tick)) y1="4" y2=(height - 22.0) {}
                text .tick x=(x(tick)) y=(height - 8.0) text-anchor="middle" { (format!("{tick:.2}")) }
            }
            @for (row, bar) in bars.iter().enumerate() {
                (one_bar(bar, 4.0 + ROW * row as f64, x))
            }
        }
    }
}

fn one_bar(bar: &Bar, top: f64, x: impl Fn(f64) -> f64) -> Markup {
    let middle = top + ROW / 2.0;
    html! {
        text .name x=(NAMES - 8.0) y=(middle + 4.0) text-anchor="end" { (label(&bar.name, NAMES - 8.0)) }
        @if let Some(share) = bar.share {
            rect .bar x=(NAMES) y=(top + 4.0) width=(x(share) - NAMES) height=(ROW - 8.0) rx="2" {
                title { (bar.name) ": " (bar.figure) }
            }
        }
        @if let Some(Interval { low, high }) = bar.interval {
            line .whisker x1=(x(low)) x2=(x(high)) y1=(middle) y2=(middle) {}
            @for end in [low, high] {
                line .whisker x1=(x(end)) x2=(x(end)) y1=(middle - 4.0) y2=(middle + 4.0) {}
            }
        }
        text .figure x=(NAMES + PLOT + 10.0) y=(middle + 4.0) { (bar.figure) }
    }
}

/// A name in a chart: cut to its room, and then whole for those who point at it.
fn label(name: &str, room: f64) -> Markup {
    let short = shortened(name, room);
    html! {
        @if short != name { title { (name) } }
        (short)
    }
}

/// A name that fits into some room. How wide letters are is known to the browser alone; these are those of a wide font of 12 pixels.
fn shortened(name: &str, room: f64) -> String {
    const ELLIPSIS: f64 = 12.0;
    let width = |character: char| match character {
        _ if character.is_uppercase() => 9.0,
        _ if character.is_lowercase() || character.is_ascii() => 7.0,
        _ => 12.0,
    };
    if name.chars().map(width).sum::<f64>() <= room {
        return name.to_owned();
    }
    let mut left = room - ELLIPSIS;
    let fits = |character: &char| {
        left -= width(*character);
        left >= 0.0
    };
    name.chars().take_while(fits).chain(['…']).collect()
}

/// Upright columns, one a bin, as high as the root of their count: most notes have no error, and the rest must be seen too.
pub(super) fn columns(title: &str, below: &str, bins: &[(&str, u64)]) -> Markup {
    const COLUMN: f64 = 64.0;
    const HEIGHT: f64 = 150.0;
    let most = bins.iter().map(|&(_, count)| count).max().unwrap_or_default().max(1) as f64;
    let width = COLUMN * bins.len() as f64 + 20.0;
    html! {
        svg viewBox=(format!("0 0 {width} {}", HEIGHT + 62.0)) width=(width) role="img" aria-label=(title) {
            @for (at, (bin, count)) in bins.iter().enumerate() {
                @let left = 10.0 + COLUMN * at as f64;
                @let height = HEIGHT * (*count as f64 / most).sqrt();
                @let top = 20.0 + HEIGHT - height;
                rect .bar x=(left + 8.0) y=(format!("{top:.1}")) width=(COLUMN - 16.0) height=(format!("{height:.1}")) rx="2" {
                    title { (count) " notes with " (bin) }
                }
                text .figure x=(left + COLUMN / 2.0) y=(format!("{:.1}", top - 5.0)) text-anchor="middle" { (count) }
                text .tick x=(left + COLUMN / 2.0) y=(HEIGHT + 36.0) text-anchor="middle" { (bin) }
            }
            line .axis x1="10" x2=(width - 10.0) y1=(HEIGHT + 20.0) y2=(HEIGHT + 20.0) {}
            text .tick x=(width / 2.0) y=(HEIGHT + 56.0) text-anchor="middle" { (below) }
        }
    }
}

/// Gold labels by predicted labels; the shade is the share of the gold label, the figure the count. What neither side marks
/// is left out of the shades, for it would outshine all else.
pub(super) fn heat_map(confusion: &Confusion) -> Markup {
    const CELL: f64 = 34.0;
    const LEFT: f64 = 180.0;
    const TOP: f64 = 140.0;
    /// What the slanted names of the last columns reach into.
    const RIGHT: f64 = 80.0;
    let sides: Vec<Option<Label>> = confusion.labels().into_iter().map(Some).chain([None]).collect();
    let name = |side: Option<Label>| side.map_or("none", Label::name);
    let size = CELL * sides.len() as f64;
    html! {
        svg viewBox=(format!("0 0 {} {}", LEFT + size + RIGHT, TOP + size + 8.0)) width=(LEFT + size + RIGHT) role="img"
            aria-label="confusion of labels" {
            text .tick x=(LEFT - 8.0) y=(TOP - 8.0) text-anchor="end" { "gold ↓  predicted →" }
            @for (at, side) in sides.iter().enumerate() {
                @let middle = CELL * at as f64 + CELL / 2.0;
                text .name x=(LEFT - 8.0) y=(TOP + middle + 4.0) text-anchor="end" {
                    (label(name(*side), LEFT - 8.0))
                }
                text .name transform=(format!("translate({} {}) rotate(-50)", LEFT + middle, TOP - 8.0)) {
                    (label(name(*side), LEFT - 8.0))
                }
            }
            @for (row, gold) in sides.iter().enumerate() {
                @let whole = row_total(confusion, *gold);
                @for (column, predicted) in sides.iter().enumerate() {
                    (cell(confusion, (*gold, *predicted), whole, (LEFT + CELL * column as f64, TOP + CELL * row as f64), CELL))
                }
            }
        }
    }
}

fn row_total(confusion: &Confusion, gold: Option<Label>) -> u64 {
    let row =
        confusion.cells.iter().filter(|((side, predicted), _)| *side == gold && (gold, *predicted) != (None, None));
    row.map(|(_, units)| *units).sum()
}

fn cell(
    confusion: &Confusion,
    pair: (Option<Label>, Option<Label>),
    whole: u64,
    (x, y): (f64, f64),
    size: f64,
) -> Markup {
    let units = confusion.cells.get(&pair).copied().unwrap_or_default();
    let share = if pair == (None, None) || whole == 0 { 0.0 } else { units as f64 / whole as f64 };
    // The root keeps rare confusions visible beside the diagonal.
    let shade = share.sqrt();
    let class = if pair.0 == pair.1 { "right" } else { "wrong" };
    html! {
        rect .frame x=(x) y=(y) width=(size) height=(size) {}
        @if units > 0 {
            rect .(class) x=(x) y=(y) width=(size) height=(size) fill-opacity=(format!("{shade:.3}")) {}
            text .cell .strong[shade > 0.65] x=(x + size / 2.0) y=(y + size / 2.0 + 4.0) text-anchor="middle" { (short(units)) }
        }
    }
}

/// A count in at most four characters.
fn short(units: u64) -> String {
    match units {
        0..=9_999 => units.to_string(),
        10_000..=999_999 => format!("{}k", units / 1_000),
        1_000_000..=999_999_999 => format!("{}M", units / 1_000_000),
        _ => format!("{}G", units / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_fit_their_cells() {
        assert_eq!([9_999, 10_000, 2_500_000].map(short), ["9999", "10k", "2M"]);
    }

    #[test]
    fn long_names_are_cut_and_told_whole() {
        let long = "IDENTIFICADOR_DEL_SUJETO_ASISTIDO";
        let bar = Bar { name: long.to_owned(), share: None, interval: None, figure: String::new() };
        let svg = bars("t", &[bar]).into_string();
        assert!(svg.contains(&format!("<title>{long}</title>IDENTIFICADOR_DEL")) && svg.contains("…</text>"), "{svg}");
        for label in Label::ALL {
            assert_eq!(shortened(label.name(), NAMES - 8.0), label.name());
        }
        assert_eq!(shortened("Discharge summary", NAMES - 8.0), "Discharge summary");
    }

    #[test]
    fn bars_stay_inside_and_names_are_escaped() {
        let bar = Bar { name: "<b>".to_owned(), share: Some(1.5), interval: None, figure: "1.5".to_owned() };
        let svg = bars("t", &[bar]).into_string();
        assert!(svg.contains("width=\"440\"") && svg.contains("&lt;b&gt;") && !svg.contains("<b>"), "{svg}");
    }
}
