//! An evaluation for people and for programs.
//!
//! ```text
//!                            strict entity              token
//! label      gold predicted  precision  recall      F1  precision  recall      F1
//! PATIENT       4         4     0.7500  0.7500  0.7500     0.8000  1.0000  0.8889
//! ```
//!
//! The field names of the JSON form are fixed: programs read them. Figures that are undefined are `n/a` in the table
//! and
//! `null` in JSON.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Breakdown, Counts, Evaluation, MacroAverage, TokenUnit};

/// Precision, recall and F1, from counts or from means.
#[derive(Serialize, Clone, Copy)]
struct Figures {
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
}

impl From<Counts> for Figures {
    fn from(counts: Counts) -> Self {
        Self { precision: counts.precision(), recall: counts.recall(), f1: counts.f1() }
    }
}

impl From<MacroAverage> for Figures {
    fn from(average: MacroAverage) -> Self {
        Self { precision: average.precision, recall: average.recall, f1: average.f1 }
    }
}

#[derive(Serialize)]
struct EvaluationFields {
    unit: &'static str,
    notes: u64,
    gold_spans: u64,
    predicted_spans: u64,
    strict_entity: BreakdownFields,
    token: BreakdownFields,
    binary_token: CountsFields,
    notes_by_missed_tokens: MissesFields,
}

#[derive(Serialize)]
struct BreakdownFields {
    micro: CountsFields,
    #[serde(rename = "macro")]
    average: Figures,
    labels: Vec<LabelFields>,
}

#[derive(Serialize)]
struct LabelFields {
    label: &'static str,
    #[serde(flatten)]
    counts: CountsFields,
}

#[derive(Serialize)]
struct CountsFields {
    gold: u64,
    predicted: u64,
    true_positives: u64,
    false_positives: u64,
    false_negatives: u64,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
struct MissesFields {
    none: u64,
    one: u64,
    two: u64,
    three_or_more: u64,
}

impl From<Counts> for CountsFields {
    fn from(counts: Counts) -> Self {
        Self {
            gold: counts.gold(),
            predicted: counts.predicted(),
            true_positives: counts.true_positives,
            false_positives: counts.false_positives,
            false_negatives: counts.false_negatives,
            figures: counts.into(),
        }
    }
}

impl From<&Breakdown> for BreakdownFields {
    fn from(breakdown: &Breakdown) -> Self {
        let labels = breakdown.per_label.iter();
        Self {
            micro: breakdown.micro().into(),
            average: breakdown.macro_average().into(),
            labels: labels.map(|(label, &counts)| LabelFields { label: label.name(), counts: counts.into() }).collect(),
        }
    }
}

impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let misses = self.misses;
        EvaluationFields {
            unit: self.unit.name(),
            notes: self.notes,
            gold_spans: self.gold_spans,
            predicted_spans: self.predicted_spans,
            strict_entity: (&self.strict).into(),
            token: (&self.token).into(),
            binary_token: self.binary_token.into(),
            notes_by_missed_tokens: MissesFields {
                none: misses.none,
                one: misses.one,
                two: misses.two,
                three_or_more: misses.three_or_more,
            },
        }
        .serialize(serializer)
    }
}

/// One line of the table; a cell that is `None` stays blank.
struct Line {
    name: &'static str,
    spans: Option<(u64, u64)>,
    strict: Option<Figures>,
    token: Option<Figures>,
}

impl Line {
    fn all(evaluation: &Evaluation) -> Vec<Self> {
        let Evaluation { strict, token, .. } = evaluation;
        // A label whose spans hold no counted token is in `strict` alone; no label is in `token` alone.
        let mut lines: Vec<Self> = strict
            .per_label
            .iter()
            .map(|(&label, &counts)| Self {
                name: label.name(),
                spans: Some((counts.gold(), counts.predicted())),
                strict: Some(counts.into()),
                token: Some(token.of(label).into()),
            })
            .collect();
        lines.push(Self {
            name: "all, micro",
            spans: Some((evaluation.gold_spans, evaluation.predicted_spans)),
            strict: Some(strict.micro().into()),
            token: Some(token.micro().into()),
        });
        lines.push(Self {
            name: "all, macro",
            spans: None,
            strict: Some(strict.macro_average().into()),
            token: Some(token.macro_average().into()),
        });
        lines.push(Self {
            name: "identifier or not",
            spans: None,
            strict: None,
            token: Some(evaluation.binary_token.into()),
        });
        lines
    }

    fn spans(&self) -> [String; 2] {
        self.spans.map_or_else(Default::default, |(gold, predicted)| [gold.to_string(), predicted.to_string()])
    }

    fn write(&self, formatter: &mut fmt::Formatter<'_>, widths: &Widths) -> fmt::Result {
        let [gold, predicted] = self.spans();
        let mut line = widths.line(self.name, &gold, &predicted, &cells(self.strict), &cells(self.token));
        line.truncate(line.trim_end().len());
        writeln!(formatter, "{line}")
    }
}

fn cells(figures: Option<Figures>) -> [String; 3] {
    let Some(Figures { precision, recall, f1 }) = figures else {
        return Default::default();
    };
    [precision, recall, f1].map(|figure| figure.map_or_else(|| "n/a".to_owned(), |figure| format!("{figure:.4}")))
}

/// The widths of the columns that depend on the figures, in characters.
struct Widths {
    name: usize,
    gold: usize,
    predicted: usize,
}

impl Widths {
    fn of(lines: &[Line]) -> Self {
        let mut widths = Self { name: "label".len(), gold: "gold".len(), predicted: "predicted".len() };
        for line in lines {
            let [gold, predicted] = line.spans();
            widths.name = widths.name.max(line.name.len());
            widths.gold = widths.gold.max(gold.len());
            widths.predicted = widths.predicted.max(predicted.len());
        }
        widths
    }

    fn line<Cell: AsRef<str>>(
        &self,
        name: &str,
        gold: &str,
        predicted: &str,
        strict: &[Cell; 3],
        token: &[Cell; 3],
    ) -> String {
        let figures = |cells: &[Cell; 3]| {
            let [precision, recall, f1] = cells;
            format!("  {:>9}  {:>6}  {:>6}", precision.as_ref(), recall.as_ref(), f1.as_ref())
        };
        let Self { name: names, gold: golds, predicted: predictions } = self;
        let spans = format!("{name:<names$}  {gold:>golds$}  {predicted:>predictions$}");
        spans + &figures(strict) + &figures(token)
    }

    fn head(&self, formatter: &mut fmt::Formatter<'_>, unit: TokenUnit) -> fmt::Result {
        let figures = ["precision", "recall", "F1"];
        let before = self.name + self.gold + self.predicted + 4;
        let unit = match unit {
            TokenUnit::Token => "token",
            TokenUnit::CodePoint => "code point",
        };
        writeln!(formatter, "{:before$}  {:<25}  {unit}", "", "strict entity")?;
        writeln!(formatter, "{}", self.line("label", "gold", "predicted", &figures, &figures))
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, explained) = match self.unit {
            TokenUnit::Token => ("tokens", "runs of letters and digits, punctuation is not counted"),
            TokenUnit::CodePoint => ("code points", "no text was given, every code point of a span counts as one"),
        };
        writeln!(formatter, "notes: {}", self.notes)?;
        writeln!(formatter, "counted in {unit}: {explained}")?;
        writeln!(formatter)?;
        let lines = Line::all(self);
        let widths = Widths::of(&lines);
        widths.head(formatter, self.unit)?;
        for line in &lines {
            line.write(formatter, &widths)?;
        }
        let misses = self.misses;
        writeln!(formatter)?;
        writeln!(
            formatter,
            "notes by missed {unit}: none {}, one {}, two {}, three or more {}",
            misses.none, misses.one, misses.two, misses.three_or_more
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Evaluator, LabelledSpan};
    use crate::phi::Label;

    fn evaluation() -> Evaluation {
        let mut evaluator = Evaluator::new(TokenUnit::Token);
        let gold = [LabelledSpan::new(12, 22, Label::Doctor), LabelledSpan::new(26, 29, Label::Date)];
        let predicted = [LabelledSpan::new(12, 16, Label::Patient), LabelledSpan::new(26, 29, Label::Date)];
        evaluator.add_note(Some("Seen by Dr. Rose Brown on 3/4."), &gold, &predicted).unwrap();
        evaluator.add_note(Some("No complaints."), &[], &[]).unwrap();
        evaluator.finish()
    }

    #[test]
    fn the_table() {
        let expected = "\
notes: 2
counted in tokens: runs of letters and digits, punctuation is not counted

                                    strict entity              token
label              gold  predicted  precision  recall      F1  precision  recall      F1
PATIENT               0          1     0.0000     n/a  0.0000     0.0000     n/a  0.0000
DOCTOR                1          0        n/a  0.0000  0.0000        n/a  0.0000  0.0000
DATE                  1          1     1.0000  1.0000  1.0000     1.0000  1.0000  1.0000
all, micro            2          2     0.5000  0.5000  0.5000     0.6667  0.5000  0.5714
all, macro                             0.5000  0.5000  0.3333     0.5000  0.5000  0.3333
identifier or not                                                 1.0000  0.7500  0.8571

notes by missed tokens: none 1, one 1, two 0, three or more 0
";
        assert_eq!(evaluation().to_string(), expected);
    }

    #[test]
    fn nothing_at_all_is_a_table_too() {
        let table = Evaluator::new(TokenUnit::CodePoint).finish().to_string();
        assert!(table.contains("every code point of a span counts as one"));
        assert_eq!(table.matches("n/a").count(), 15);
    }

    #[test]
    fn wide_counts_keep_the_columns_aligned() {
        let mut evaluation = evaluation();
        let counts = Counts { true_positives: 123_456_789_012, ..Counts::default() };
        evaluation.strict.per_label.insert(Label::City, counts);
        let table = evaluation.to_string();
        let lines: Vec<&str> = table.lines().filter(|line| line.contains("1.0000") || line.contains("F1")).collect();
        assert!(lines.windows(2).all(|pair| pair[0].len() == pair[1].len()), "{table}");
    }

    #[test]
    fn json_field_names_are_stable() {
        let json = serde_json::to_value(evaluation()).unwrap();
        let micro = serde_json::json!({
            "gold": 2, "predicted": 2, "true_positives": 1, "false_positives": 1, "false_negatives": 1,
            "precision": 0.5, "recall": 0.5, "f1": 0.5,
        });
        assert_eq!(json["strict_entity"]["micro"], micro);
        let patient = serde_json::json!({
            "label": "PATIENT", "gold": 0, "predicted": 1, "true_positives": 0, "false_positives": 1,
            "false_negatives": 0, "precision": 0.0, "recall": null, "f1": 0.0,
        });
        assert_eq!(json["token"]["labels"][0], patient);
        assert_eq!(json["token"]["macro"]["precision"], 0.5);
        assert_eq!(json["binary_token"]["recall"], 0.75);
        assert_eq!(json["unit"], "token");
        assert_eq!(
            json["notes_by_missed_tokens"],
            serde_json::json!({ "none": 1, "one": 1, "two": 0, "three_or_more": 0 })
        );
        let mut names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        let expected =
            ["binary_token", "gold_spans", "notes", "notes_by_missed_tokens", "predicted_spans", "strict_entity"];
        assert_eq!(names, [&expected[..], &["token", "unit"]].concat());
    }
}
