//! An evaluation as JSON.
//!
//! ```json
//! { "unit": "token", "strict_entity": { "micro": { "recall": 0.91, "intervals": { "recall": { "low": 0.88, … } } }, … }, … }
//! ```
//!
//! The names are fixed: programs read them.

use serde::{Serialize, Serializer};

use crate::evaluate::{
    Breakdown, CATEGORIES, Counts, Decoys, ErrorsPerNote, Evaluation, GroupScores, Interval, MacroAverage, Measure,
    NoteTypeScores, Statistic,
};

/// Precision, recall and F1, from counts or from means.
#[derive(Serialize, Clone, Copy)]
struct Figures {
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Intervals {
    precision: Option<Interval>,
    recall: Option<Interval>,
    f1: Option<Interval>,
}

#[derive(Serialize)]
pub(super) struct CountsFields {
    gold: u64,
    predicted: u64,
    true_positives: u64,
    false_positives: u64,
    false_negatives: u64,
    #[serde(flatten)]
    figures: Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    intervals: Option<Intervals>,
}

#[derive(Serialize)]
struct Named<Fields> {
    #[serde(rename = "label")]
    name: &'static str,
    #[serde(flatten)]
    fields: Fields,
}

#[derive(Serialize)]
struct BreakdownFields {
    micro: CountsFields,
    #[serde(rename = "macro")]
    average: Figures,
    labels: Vec<Named<CountsFields>>,
}

#[derive(Serialize)]
struct FoundFields {
    gold: u64,
    found: u64,
    recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<Interval>,
}

#[derive(Serialize)]
struct CategoryFields {
    category: &'static str,
    gold: u64,
    found: u64,
    recall: Option<f64>,
    predicted: u64,
    confirmed: u64,
    precision: Option<f64>,
}

#[derive(Serialize)]
struct CoverageFields {
    gold: u64,
    found: u64,
    predicted: u64,
    right: u64,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
struct GroupFields {
    group: &'static str,
    strict_entity: CountsFields,
    relaxed_entity: CountsFields,
    relaxed_any_label: CountsFields,
    token: CountsFields,
    binary_token: CoverageFields,
}

#[derive(Serialize)]
struct NoteTypeFields<'name> {
    note_type: Option<&'name str>,
    notes: u64,
    notes_with_misses: u64,
    binary_token: CountsFields,
}

#[derive(Serialize)]
struct BinFields {
    errors: &'static str,
    notes: u64,
}

#[derive(Serialize)]
pub(super) struct DecoyFields {
    marked: u64,
    scrubbed: u64,
    rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<Interval>,
}

#[derive(Serialize)]
struct CellFields {
    gold: Option<&'static str>,
    predicted: Option<&'static str>,
    units: u64,
}

#[derive(Serialize)]
struct KappaFields {
    labels: Option<f64>,
    binary: Option<f64>,
}

#[derive(Serialize)]
struct EvaluationFields<'evaluation> {
    unit: &'static str,
    notes: u64,
    gold_spans: u64,
    predicted_spans: u64,
    bootstrap_replicates: usize,
    strict_entity: BreakdownFields,
    relaxed_entity: BreakdownFields,
    relaxed_any_label: CountsFields,
    token: BreakdownFields,
    binary_token: CountsFields,
    found: Vec<Named<FoundFields>>,
    categories: Vec<CategoryFields>,
    groups: Vec<GroupFields>,
    note_types: Vec<NoteTypeFields<'evaluation>>,
    notes_by_missed_tokens: Vec<BinFields>,
    notes_by_missed_spans: Vec<BinFields>,
    decoys: DecoyFields,
    kappa: KappaFields,
    confusion: Vec<CellFields>,
}

impl From<MacroAverage> for Figures {
    fn from(average: MacroAverage) -> Self {
        Self { precision: average.precision, recall: average.recall, f1: average.f1 }
    }
}

impl From<Counts> for CountsFields {
    fn from(counts: Counts) -> Self {
        Self {
            gold: counts.gold(),
            predicted: counts.predicted(),
            true_positives: counts.true_positives,
            false_positives: counts.false_positives,
            false_negatives: counts.false_negatives,
            figures: Figures { precision: counts.precision(), recall: counts.recall(), f1: counts.f1() },
            intervals: None,
        }
    }
}

impl From<&GroupScores> for GroupFields {
    fn from(scores: &GroupScores) -> Self {
        let covered = scores.binary_token;
        Self {
            group: "",
            strict_entity: scores.strict.into(),
            relaxed_entity: scores.relaxed.into(),
            relaxed_any_label: scores.relaxed_any_label.into(),
            token: scores.token.into(),
            binary_token: CoverageFields {
                gold: covered.gold,
                found: covered.found,
                predicted: covered.predicted,
                right: covered.right,
                figures: Figures { precision: covered.precision(), recall: covered.recall(), f1: covered.f1() },
            },
        }
    }
}

impl Evaluation {
    pub(super) fn counts_fields(&self, counts: Counts, measure: Measure) -> CountsFields {
        let interval = |statistic| self.bootstrap.interval(measure, statistic);
        let intervals = Intervals {
            precision: interval(Statistic::Precision),
            recall: interval(Statistic::Recall),
            f1: interval(Statistic::F1),
        };
        let intervals = (self.bootstrap.replicates() > 0).then_some(intervals);
        CountsFields { intervals, ..counts.into() }
    }

    pub(super) fn decoy_fields(&self) -> DecoyFields {
        let Decoys { marked, scrubbed } = self.decoys;
        let interval = self.bootstrap.interval(Measure::Decoys, Statistic::Recall);
        DecoyFields { marked, scrubbed, rate: self.decoys.rate(), interval }
    }

    fn breakdown_fields(
        &self,
        breakdown: &Breakdown,
        micro: Measure,
        of_label: Option<fn(crate::phi::Label) -> Measure>,
    ) -> BreakdownFields {
        let labels = breakdown.per_label.iter().map(|(&label, &counts)| Named {
            name: label.name(),
            fields: of_label.map_or_else(|| counts.into(), |measure| self.counts_fields(counts, measure(label))),
        });
        BreakdownFields {
            micro: self.counts_fields(breakdown.micro(), micro),
            average: breakdown.macro_average().into(),
            labels: labels.collect(),
        }
    }

    fn found_fields(&self) -> Vec<Named<FoundFields>> {
        let labels = self.token.per_label.keys().map(|&label| {
            let counts = self.confusion.found(&[label]);
            let interval = self.bootstrap.interval(Measure::FoundOf(label), Statistic::Recall);
            let fields =
                FoundFields { gold: counts.gold(), found: counts.true_positives, recall: counts.recall(), interval };
            Named { name: label.name(), fields }
        });
        labels.collect()
    }

    fn category_fields(&self) -> Vec<CategoryFields> {
        let categories = CATEGORIES.iter().map(|&(category, labels)| {
            let (found, confirmed) = (self.confusion.found(labels), self.confusion.confirmed(labels));
            CategoryFields {
                category,
                gold: found.gold(),
                found: found.true_positives,
                recall: found.recall(),
                predicted: confirmed.predicted(),
                confirmed: confirmed.true_positives,
                precision: confirmed.precision(),
            }
        });
        categories.collect()
    }
}

fn note_type_fields<'name>((name, scores): (&'name String, &NoteTypeScores)) -> NoteTypeFields<'name> {
    NoteTypeFields {
        note_type: (!name.is_empty()).then_some(name),
        notes: scores.notes,
        notes_with_misses: scores.notes_with_misses,
        binary_token: scores.binary_token.into(),
    }
}

fn bins(errors: ErrorsPerNote) -> Vec<BinFields> {
    ErrorsPerNote::BINS.iter().zip(errors.notes).map(|(errors, notes)| BinFields { errors, notes }).collect()
}

impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = |side: crate::evaluate::Side| side.map(crate::phi::Label::name);
        let cells = self.confusion.cells.iter();
        EvaluationFields {
            unit: self.unit.name(),
            notes: self.notes,
            gold_spans: self.gold_spans,
            predicted_spans: self.predicted_spans,
            bootstrap_replicates: self.bootstrap.replicates(),
            strict_entity: self.breakdown_fields(&self.strict, Measure::Strict, None),
            relaxed_entity: self.breakdown_fields(&self.relaxed, Measure::Relaxed, None),
            relaxed_any_label: self.relaxed_any_label.into(),
            token: self.breakdown_fields(&self.token, Measure::Token, Some(Measure::TokenOf)),
            binary_token: self.counts_fields(self.binary_token, Measure::BinaryToken),
            found: self.found_fields(),
            categories: self.category_fields(),
            groups: self
                .groups
                .iter()
                .map(|(group, scores)| GroupFields { group: group.name(), ..scores.into() })
                .collect(),
            note_types: self.note_types.iter().map(note_type_fields).collect(),
            notes_by_missed_tokens: bins(self.missed_tokens),
            notes_by_missed_spans: bins(self.missed_spans),
            decoys: self.decoy_fields(),
            kappa: KappaFields { labels: self.kappa(), binary: self.binary_kappa() },
            confusion: cells
                .map(|(&(gold, predicted), &units)| CellFields { gold: name(gold), predicted: name(predicted), units })
                .collect(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::tests::evaluation;
    use serde_json::json;

    #[test]
    fn names_are_stable() {
        let json = serde_json::to_value(evaluation(0)).unwrap();
        let micro = json!({
            "gold": 2, "predicted": 2, "true_positives": 1, "false_positives": 1, "false_negatives": 1,
            "precision": 0.5, "recall": 0.5, "f1": 0.5,
        });
        assert_eq!(json["strict_entity"]["micro"], micro);
        let patient = json!({
            "label": "PATIENT", "gold": 0, "predicted": 1, "true_positives": 0, "false_positives": 1,
            "false_negatives": 0, "precision": 0.0, "recall": null, "f1": 0.0,
        });
        assert_eq!(json["token"]["labels"][0]["precision"], patient["precision"]);
        assert_eq!(json["strict_entity"]["labels"][0], patient);
        assert_eq!(json["token"]["macro"]["precision"], 0.5);
        assert_eq!(json["binary_token"]["recall"], 0.75);
        assert_eq!(json["unit"], "token");
        assert_eq!(json["notes_by_missed_tokens"][1], json!({ "errors": "1", "notes": 1 }));
        assert_eq!(json["decoys"], json!({ "marked": 1, "scrubbed": 0, "rate": 0.0 }));
        assert_eq!(json["found"][1], json!({ "label": "DOCTOR", "gold": 2, "found": 1, "recall": 0.5 }));
        assert_eq!(json["groups"][0]["group"], "HIPAA");
        assert_eq!(json["note_types"][0]["notes_with_misses"], 1);
        assert_eq!(json["confusion"][0], json!({ "gold": null, "predicted": null, "units": 7 }));
        let mut names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        let expected = [
            "binary_token",
            "bootstrap_replicates",
            "categories",
            "confusion",
            "decoys",
            "found",
            "gold_spans",
            "groups",
            "kappa",
            "note_types",
            "notes",
            "notes_by_missed_spans",
            "notes_by_missed_tokens",
            "predicted_spans",
            "relaxed_any_label",
            "relaxed_entity",
            "strict_entity",
            "token",
            "unit",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn intervals_are_there_when_they_are_drawn() {
        let json = serde_json::to_value(evaluation(50)).unwrap();
        assert_eq!(json["binary_token"]["intervals"]["recall"], json!({ "low": 0.75, "high": 0.75 }));
        assert_eq!(json["decoys"]["interval"], json!({ "low": 0.0, "high": 0.0 }));
    }
}
