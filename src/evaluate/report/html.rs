//! One page for one evaluation, or for several side by side: no scripts, nothing fetched, light and dark.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chart::{Bar, bars, columns, heat_map};
use super::comparison::change;
use super::text::decoys;
use super::{drawn, share, share_with};
use crate::evaluate::{CATEGORIES, Comparison, Counts, ErrorsPerNote, Evaluation, Gains, Interval, Measure, Statistic};

const STYLE: &str = include_str!("page.css");

impl Evaluation {
    /// The evaluation as a page that stands alone.
    pub fn to_html(&self) -> String {
        page("Evaluation", &html! { (self.sections()) }).into_string()
    }

    fn sections(&self) -> Markup {
        html! {
            p {
                (self.notes) " notes, " (self.gold_spans) " gold spans, " (self.predicted_spans) " predicted spans, counted in "
                (self.unit.plural()) "."
                @if self.bootstrap.replicates() > 0 {
                    " In brackets: 95 % bootstrap intervals over " (drawn(self)) ", " (self.bootstrap.replicates()) " replicates."
                }
            }
            (headline(self))
            p { "Decoys scrubbed: " (decoys(self)) ". Cohen’s kappa: " (share(self.kappa())) " over labels, "
                (share(self.binary_kappa())) " identifier or not." }
            h2 { "Found, by label" }
            p { "Share of gold " (self.unit.plural()) " that a prediction of any label covers, with its interval." }
            div .scroll { (bars("found by label", &label_bars(self))) }
            (labels(self))
            h2 { "Notes by missed " (self.unit.plural()) }
            p { "What would be left in a note. Columns grow with the root of the count." }
            div .scroll { (columns("notes by misses", &format!("missed {} in a note", self.unit.plural()), &bins(self.missed_tokens))) }
            @if self.note_types.keys().any(|name| !name.is_empty()) {
                h2 { "By note type" }
                p { "Recall, identifier or not; then notes with a miss." }
                div .scroll { (bars("recall by note type", &note_type_bars(self))) }
            }
            h2 { "Groups and categories" }
            (groups(self))
            (categories(self))
            h2 { "Confusion" }
            p { "Counts of " (self.unit.plural()) "; the shade is the root of the share of the gold label." }
            div .scroll { (heat_map(&self.confusion)) }
        }
    }
}

impl Comparison {
    /// The systems side by side, the gains over the first, and each system's own sections, as a page that stands alone.
    pub fn to_html(&self) -> String {
        // What `gains` refuses, `add` has refused before.
        let gained = self.gains().unwrap_or_default();
        let content = html! {
            (systems(self))
            @for gains in &gained { (gain_table(gains)) }
            @for (name, evaluation) in self.systems() {
                h1 { (name) }
                (evaluation.sections())
            }
        };
        page("Comparison", &content).into_string()
    }
}

fn page(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "plainsight: " (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { h1 { (title) } (content) }
        }
    }
}

fn table(head: &[&str], rows: &[Vec<String>]) -> Markup {
    html! {
        div .scroll { table {
            thead { tr { @for cell in head { th { (cell) } } } }
            tbody { @for row in rows { tr { @for cell in row { td { (figure(cell)) } } } } }
        } }
    }
}

/// A figure with its interval below it.
fn figure(cell: &str) -> Markup {
    match cell.split_once(" [") {
        Some((figure, interval)) => html! { (figure) small { "[" (interval) } },
        None => html! { (cell) },
    }
}

fn three(counts: Counts) -> [String; 3] {
    [share(counts.precision()), share(counts.recall()), share(counts.f1())]
}

fn headline(evaluation: &Evaluation) -> Markup {
    let rows = evaluation.headline().into_iter().map(|(name, counts, measure)| {
        let figure = |statistic| evaluation.figure(counts, measure, statistic);
        let mut row = vec![name.to_owned(), counts.gold().to_string(), counts.predicted().to_string()];
        row.extend([Statistic::Precision, Statistic::Recall, Statistic::F1].map(figure));
        row
    });
    table(&["", "gold", "predicted", "precision", "recall", "F1"], &rows.collect::<Vec<_>>())
}

fn label_bars(evaluation: &Evaluation) -> Vec<Bar> {
    let found = evaluation.token.per_label.keys().filter_map(|&label| {
        let counts = evaluation.confusion.found(&[label]);
        let interval = evaluation.bootstrap.interval(Measure::FoundOf(label), Statistic::Recall);
        let recall = counts.recall()?;
        Some(Bar {
            name: label.name().to_owned(),
            share: Some(recall),
            interval,
            figure: format!("{} of {}", share_with(Some(recall), interval), counts.gold()),
        })
    });
    found.collect()
}

fn labels(evaluation: &Evaluation) -> Markup {
    let rows = evaluation.strict.per_label.iter().map(|(&label, &strict)| {
        let mut row = vec![label.name().to_owned(), strict.gold().to_string(), strict.predicted().to_string()];
        row.extend(three(strict));
        row.push(share(evaluation.relaxed.of(label).f1()));
        row.extend(three(evaluation.token.of(label)));
        row
    });
    let head = ["label", "gold", "predicted", "strict P", "R", "F1", "relaxed F1", "token P", "R", "F1"];
    table(&head, &rows.collect::<Vec<_>>())
}

fn bins(errors: ErrorsPerNote) -> Vec<(&'static str, u64)> {
    ErrorsPerNote::BINS.into_iter().zip(errors.notes).collect()
}

fn note_type_bars(evaluation: &Evaluation) -> Vec<Bar> {
    let types = evaluation.note_types.iter().map(|(name, scores)| {
        let recall = scores.binary_token.recall();
        Bar {
            name: if name.is_empty() { "(not given)" } else { name }.to_owned(),
            share: recall,
            interval: None,
            figure: format!("{}; {} of {} notes", share(recall), scores.notes_with_misses, scores.notes),
        }
    });
    types.collect()
}

fn groups(evaluation: &Evaluation) -> Markup {
    let rows = evaluation.groups.iter().map(|(group, scores)| {
        let covered = scores.binary_token;
        let mut row = vec![group.name().to_owned(), covered.gold.to_string()];
        row.extend([covered.precision(), covered.recall(), covered.f1()].map(share));
        row.extend(three(scores.strict));
        row
    });
    let head = ["group", "gold", "precision", "recall", "F1", "strict P", "R", "F1"];
    table(&head, &rows.collect::<Vec<_>>())
}

fn categories(evaluation: &Evaluation) -> Markup {
    let rows = CATEGORIES.iter().map(|&(name, labels)| {
        let (found, confirmed) = (evaluation.confusion.found(labels), evaluation.confusion.confirmed(labels));
        vec![name.to_owned(), found.gold().to_string(), share(found.recall()), share(confirmed.precision())]
    });
    table(&["category", "gold", "found", "precision"], &rows.collect::<Vec<_>>())
}

fn systems(comparison: &Comparison) -> Markup {
    let rows = comparison.systems().iter().map(|(name, evaluation)| {
        let mut row = vec![name.clone()];
        for (counts, measure) in
            [(evaluation.binary_token, Measure::BinaryToken), (evaluation.strict.micro(), Measure::Strict)]
        {
            let order = [Statistic::Recall, Statistic::Precision, Statistic::F1];
            row.extend(order.map(|statistic| evaluation.figure(counts, Some(measure), statistic)));
        }
        row.push(share(evaluation.decoys.rate()));
        row
    });
    let head = ["system", "token recall", "precision", "F1", "strict recall", "precision", "F1", "decoys"];
    html! {
        p { "Token: identifier or not. Decoys: the share of them that was scrubbed. Every system was scored against the same gold." }
        (table(&head, &rows.collect::<Vec<_>>()))
    }
}

fn gain_table(gains: &Gains) -> Markup {
    let sure = |interval: Option<Interval>| interval.is_some_and(|interval| interval.low > 0.0 || interval.high < 0.0);
    let rows = gains.gains.iter().map(|gain| {
        let mark = |of: Option<crate::evaluate::Change>| {
            let sign = if of.is_some_and(|of| sure(of.interval)) { "● " } else { "" };
            format!("{sign}{}", change(of))
        };
        vec![gain.of.to_owned(), mark(gain.recall), mark(gain.precision)]
    });
    html! {
        h2 { "Gains of " (gains.to) " over " (gains.from) }
        p { "95 % intervals, paired; a dot where the interval leaves out zero." }
        (table(&["label", "recall", "precision"], &rows.collect::<Vec<_>>()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::tests::evaluation;
    use super::*;

    #[test]
    fn the_page_stands_alone() {
        let html = evaluation(20).to_html();
        assert!(html.starts_with("<!DOCTYPE html>") && html.contains("prefers-color-scheme: dark"));
        for outside in ["http", "<script", "@import", "url(", "src="] {
            assert!(!html.contains(outside), "{outside}");
        }
        for inside in
            ["aria-label=\"found by label\"", "aria-label=\"confusion of labels\"", "0.7500<small>[0.7500, 0.7500]"]
        {
            assert!(html.contains(inside), "{inside}");
        }
        assert!(!html.contains("Rose"), "no words of a note");
    }

    #[test]
    fn names_are_escaped() {
        let mut comparison = Comparison::new();
        comparison.add("a & <b>", evaluation(0)).unwrap();
        comparison.add("c", evaluation(0)).unwrap();
        let html = comparison.to_html();
        assert!(html.contains("a &amp; &lt;b&gt;") && !html.contains("<b>"));
        assert!(html.contains("Gains of c over a"));
    }
}
