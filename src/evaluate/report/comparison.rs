//! Comparisons as text and JSON.
//!
//! ```text
//! identifier or not              strict entity                decoys
//! system     recall  precision   F1   recall  precision   F1  scrubbed
//! ```

use std::fmt;

use serde::{Serialize, Serializer};

use super::json::{CountsFields, DecoyFields};
use super::share;
use super::table::Table;
use crate::evaluate::{Change, Comparison, Evaluation, Gains, Interval, Measure};

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([
            "system",
            "token recall",
            "precision",
            "F1",
            "strict recall",
            "precision",
            "F1",
            "decoys scrubbed",
        ]);
        for (name, evaluation) in self.systems() {
            let (binary, strict) = (evaluation.binary_token, evaluation.strict.micro());
            let mut row = vec![name.clone()];
            for counts in [binary, strict] {
                row.extend([share(counts.recall()), share(counts.precision()), share(counts.f1())]);
            }
            row.push(share(evaluation.decoys.rate()));
            table.row(row);
        }
        writeln!(formatter, "systems (token: identifier or not)\n{table}")?;
        for gains in self.gains().map_err(|_| fmt::Error)? {
            writeln!(formatter, "{gains}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Gains {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["label", "recall", "precision"]);
        for gain in &self.gains {
            table.row(vec![gain.of.to_owned(), change(gain.recall), change(gain.precision)]);
        }
        write!(formatter, "gains of {} over {} (95 % intervals, paired)\n{table}", self.to, self.from)
    }
}

/// `+0.0410 [+0.0220, +0.0600]`.
pub(super) fn change(change: Option<Change>) -> String {
    match change {
        None => "n/a".to_owned(),
        Some(Change { difference, interval: None }) => format!("{difference:+.4}"),
        Some(Change { difference, interval: Some(Interval { low, high }) }) => {
            format!("{difference:+.4} [{low:+.4}, {high:+.4}]")
        }
    }
}

#[derive(Serialize)]
struct SystemFields<'name> {
    name: &'name str,
    binary_token: CountsFields,
    strict_entity: CountsFields,
    decoys: DecoyFields,
    evaluation: &'name Evaluation,
}

#[derive(Serialize)]
struct ComparisonFields<'name> {
    systems: Vec<SystemFields<'name>>,
    gains: Vec<Gains>,
}

impl Serialize for Comparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let systems = self.systems().iter().map(|(name, evaluation)| SystemFields {
            name,
            binary_token: evaluation.counts_fields(evaluation.binary_token, Measure::BinaryToken),
            strict_entity: evaluation.counts_fields(evaluation.strict.micro(), Measure::Strict),
            decoys: evaluation.decoy_fields(),
            evaluation,
        });
        let gains = self.gains().map_err(serde::ser::Error::custom)?;
        ComparisonFields { systems: systems.collect(), gains }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::tests::evaluation;
    use super::*;

    #[test]
    fn side_by_side() {
        let mut comparison = Comparison::new();
        comparison.add("rules", evaluation(20)).unwrap();
        comparison.add("all", evaluation(20)).unwrap();
        let text = comparison.to_string();
        assert!(
            text.contains("rules         0.7500     1.0000  0.8571         0.5000     0.5000  0.5000           0.0000"),
            "{text}"
        );
        assert!(text.contains("gains of all over rules") && text.contains("+0.0000 [+0.0000, +0.0000]"), "{text}");
        let json = serde_json::to_value(&comparison).unwrap();
        assert_eq!(json["systems"][1]["name"], "all");
        assert_eq!(json["systems"][0]["strict_entity"]["f1"], 0.5);
        assert_eq!(json["gains"][0]["gains"][0]["of"], "identifier or not");
    }
}
