//! An evaluation on a terminal.
//!
//! ```text
//! notes 200, gold spans 3412, predicted spans 3401
//!
//!                    gold  predicted  precision                recall                   F1
//! strict entity      3412       3401  0.9432 [0.9301, 0.9530]  …
//! identifier or not  …
//! decoys scrubbed: 12 of 150, 0.0800 [0.0400, 0.1267]
//! ```

use std::fmt;

use super::table::Table;
use super::{drawn, share, share_with};
use crate::evaluate::{
    CATEGORIES, Counts, Coverage, ErrorsPerNote, Evaluation, MacroAverage, Measure, Statistic, TokenUnit,
};

impl fmt::Display for Evaluation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { notes, gold_spans, predicted_spans, unit, .. } = self;
        let explained = match unit {
            TokenUnit::Token => "runs of letters and digits; punctuation is not counted",
            TokenUnit::CodePoint => "no text was given; every code point of a span counts as one",
        };
        writeln!(formatter, "notes {notes}, gold spans {gold_spans}, predicted spans {predicted_spans}")?;
        writeln!(formatter, "counted in {}: {explained}", unit.plural())?;
        if self.bootstrap.replicates() > 0 {
            writeln!(
                formatter,
                "in brackets: 95 % bootstrap intervals over {}, {} replicates",
                drawn(self),
                self.bootstrap.replicates()
            )?;
        }
        writeln!(formatter, "\n{}", headline(self))?;
        writeln!(formatter, "decoys scrubbed: {}\n", decoys(self))?;
        writeln!(
            formatter,
            "by label (found: {} covered by a prediction of any label)\n{}",
            unit.plural(),
            labels(self)
        )?;
        writeln!(formatter, "by category ({}, label within the category)\n{}", unit.plural(), categories(self))?;
        writeln!(
            formatter,
            "by group ({}: found where the policy removes what is predicted, of HIPAA whatever that is; predicted on any identifier)\n{}",
            unit.plural(),
            groups(self)
        )?;
        if self.note_types.keys().any(|name| !name.is_empty()) {
            writeln!(formatter, "by note type ({}, identifier or not)\n{}", unit.plural(), note_types(self))?;
        }
        writeln!(formatter, "notes by errors\n{}", errors_per_note(self))?;
        writeln!(
            formatter,
            "Cohen's kappa between gold and prediction: {} over labels, {} identifier or not",
            share(self.kappa()),
            share(self.binary_kappa())
        )
    }
}

impl Evaluation {
    /// Cohen's kappa over the labels and none. Undefined in code points, for what lies under no span is not known.
    pub fn kappa(&self) -> Option<f64> {
        (self.unit == TokenUnit::Token).then(|| self.confusion.kappa()).flatten()
    }

    /// Cohen's kappa over identifier or not; undefined likewise.
    pub fn binary_kappa(&self) -> Option<f64> {
        (self.unit == TokenUnit::Token).then(|| self.confusion.binary_kappa()).flatten()
    }

    /// What the headline shows: a name, counts, and the measure that has their replicates.
    pub(super) fn headline(&self) -> Vec<(&'static str, Counts, Option<Measure>)> {
        let unit = match self.unit {
            TokenUnit::Token => "token",
            TokenUnit::CodePoint => "code point",
        };
        vec![
            ("strict entity", self.strict.micro(), Some(Measure::Strict)),
            ("relaxed entity", self.relaxed.micro(), Some(Measure::Relaxed)),
            ("relaxed, any label", self.relaxed_any_label, None),
            (unit, self.token.micro(), Some(Measure::Token)),
            ("identifier or not", self.binary_token, Some(Measure::BinaryToken)),
        ]
    }

    /// A figure with its interval.
    pub(super) fn figure(&self, counts: Counts, measure: Option<Measure>, statistic: Statistic) -> String {
        let interval = measure.and_then(|measure| self.bootstrap.interval(measure, statistic));
        share_with(counts.figure(statistic), interval)
    }
}

fn headline(evaluation: &Evaluation) -> Table {
    let mut table = Table::new(["", "gold", "predicted", "precision", "recall", "F1"]);
    for (name, counts, measure) in evaluation.headline() {
        let figure = |statistic| evaluation.figure(counts, measure, statistic);
        table.row(vec![
            name.to_owned(),
            counts.gold().to_string(),
            counts.predicted().to_string(),
            figure(Statistic::Precision),
            figure(Statistic::Recall),
            figure(Statistic::F1),
        ]);
    }
    let averages =
        [("strict, macro", evaluation.strict.macro_average()), ("token, macro", evaluation.token.macro_average())];
    for (name, MacroAverage { precision, recall, f1 }) in averages {
        table.row(vec![name.to_owned(), String::new(), String::new(), share(precision), share(recall), share(f1)]);
    }
    table
}

/// `12 of 150, 0.0800 [0.0400, 0.1267]`.
pub(super) fn decoys(evaluation: &Evaluation) -> String {
    let decoys = evaluation.decoys;
    if decoys.marked == 0 {
        return "none marked".to_owned();
    }
    let rate = evaluation.figure(decoys.counts(), Some(Measure::Decoys), Statistic::Recall);
    format!("{} of {}, {rate}", decoys.scrubbed, decoys.marked)
}

fn three(counts: Counts) -> [String; 3] {
    [share(counts.precision()), share(counts.recall()), share(counts.f1())]
}

fn three_of(coverage: Coverage) -> [String; 3] {
    [share(coverage.precision()), share(coverage.recall()), share(coverage.f1())]
}

fn labels(evaluation: &Evaluation) -> Table {
    let head = ["label", "gold", "predicted", "strict P", "R", "F1", "relaxed F1", "token P", "R", "F1", "found"];
    let mut table = Table::new(head);
    for (&label, &strict) in &evaluation.strict.per_label {
        let found = evaluation.confusion.found(&[label]);
        let mut row = vec![label.name().to_owned(), strict.gold().to_string(), strict.predicted().to_string()];
        row.extend(three(strict));
        row.push(share(evaluation.relaxed.of(label).f1()));
        row.extend(three(evaluation.token.of(label)));
        row.push(evaluation.figure(found, Some(Measure::FoundOf(label)), Statistic::Recall));
        table.row(row);
    }
    table
}

fn categories(evaluation: &Evaluation) -> Table {
    let mut table = Table::new(["category", "gold", "found", "predicted", "precision"]);
    for (name, labels) in CATEGORIES {
        let (found, confirmed) = (evaluation.confusion.found(labels), evaluation.confusion.confirmed(labels));
        table.row(vec![
            name.to_owned(),
            found.gold().to_string(),
            share(found.recall()),
            confirmed.predicted().to_string(),
            share(confirmed.precision()),
        ]);
    }
    table
}

fn groups(evaluation: &Evaluation) -> Table {
    let unit = evaluation.unit.plural();
    let gold = format!("gold {unit}");
    let head = ["group", &gold, "precision", "recall", "F1", "strict P", "R", "F1", "relaxed F1", "token F1"];
    let mut table = Table::new(head);
    for (group, scores) in &evaluation.groups {
        let mut row = vec![group.name().to_owned(), scores.binary_token.gold.to_string()];
        row.extend(three_of(scores.binary_token));
        row.extend(three(scores.strict));
        row.extend([share(scores.relaxed.f1()), share(scores.token.f1())]);
        table.row(row);
    }
    table
}

fn note_types(evaluation: &Evaluation) -> Table {
    let mut table = Table::new(["note type", "notes", "with a miss", "share", "precision", "recall", "F1"]);
    for (name, scores) in &evaluation.note_types {
        let share_with_misses = scores.notes_with_misses as f64 / scores.notes.max(1) as f64;
        let name = if name.is_empty() { "(not given)" } else { name };
        let mut row = vec![name.to_owned(), scores.notes.to_string(), scores.notes_with_misses.to_string()];
        row.push(share(Some(share_with_misses)));
        row.extend(three(scores.binary_token));
        table.row(row);
    }
    table
}

fn errors_per_note(evaluation: &Evaluation) -> Table {
    let mut table = Table::new(std::iter::once("errors").chain(ErrorsPerNote::BINS));
    let tokens = format!("missed {}", evaluation.unit.plural());
    for (name, errors) in [("missed spans", evaluation.missed_spans), (&tokens, evaluation.missed_tokens)] {
        table.row(std::iter::once(name.to_owned()).chain(errors.notes.iter().map(u64::to_string)).collect());
    }
    table
}

#[cfg(test)]
pub(super) mod tests {
    use crate::evaluate::{Evaluation, Evaluator, GoldSpan, LabelledSpan, NoteUnderTest, TokenUnit};
    use crate::phi::Label;

    /// The picture of the room, and a note without identifiers but with a decoy.
    pub(crate) fn evaluation(replicates: usize) -> Evaluation {
        let mut evaluator = Evaluator::with_replicates(TokenUnit::Token, replicates);
        let gold = [GoldSpan::new(12, 22, Label::Doctor), GoldSpan::new(26, 29, Label::Date)];
        let predicted = [LabelledSpan::new(12, 16, Label::Patient), LabelledSpan::new(26, 29, Label::Date)];
        let mut add = |note_id, text, gold: &[GoldSpan], predicted: &[LabelledSpan]| {
            let note =
                NoteUnderTest { note_id, cluster: None, note_type: Some("letter"), text: Some(text), gold, predicted };
            evaluator.add_note(note).unwrap();
        };
        add("1", "Seen by Dr. Rose Brown on 3/4.", &gold, &predicted);
        add("2", "Foley in place.", &[GoldSpan::decoy(0, 5)], &[]);
        evaluator.finish()
    }

    #[test]
    fn the_screen() {
        let expected = "\
notes 2, gold spans 2, predicted spans 2
counted in tokens: runs of letters and digits; punctuation is not counted

                    gold  predicted  precision  recall      F1
strict entity          2          2     0.5000  0.5000  0.5000
relaxed entity         2          2     0.5000  0.5000  0.5000
relaxed, any label     2          2     1.0000  1.0000  1.0000
token                  4          3     0.6667  0.5000  0.5714
identifier or not      4          3     1.0000  0.7500  0.8571
strict, macro                           0.5000  0.5000  0.3333
token, macro                            0.5000  0.5000  0.3333

decoys scrubbed: 0 of 1, 0.0000
";
        let screen = evaluation(0).to_string();
        assert!(screen.starts_with(expected), "{screen}");
        assert!(screen.contains("\nmissed tokens  1  1  0  0  0  0     0    0\n"), "{screen}");
        assert!(screen.contains("\nletter         2            1  0.5000     1.0000  0.7500  0.8571\n"), "{screen}");
        assert!(screen.lines().all(|line| line.chars().count() <= 132), "{screen}");
    }

    #[test]
    fn intervals_stand_behind_their_figures() {
        let screen = evaluation(200).to_string();
        assert!(screen.contains("200 replicates"), "{screen}");
        assert!(
            screen.contains("identifier or not      4          3  1.0000 [1.0000, 1.0000]  0.7500 [0.7500, 0.7500]"),
            "{screen}"
        );
    }

    #[test]
    fn nothing_at_all_is_a_screen_too() {
        let screen = Evaluator::new(TokenUnit::CodePoint).finish().to_string();
        assert!(screen.contains("every code point of a span counts as one") && screen.contains("none marked"));
        assert!(screen.contains("n/a over labels, n/a identifier or not"));
    }
}
