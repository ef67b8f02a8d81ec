//! What each set of features is worth: a model for every combination, as in figure 4 of Gardner et al. (2010).
//!
//! ```text
//! features               strict P      R     F1   token P      R     F1   weights
//! context                  0.9512 0.9107 0.9305    …
//! context + affixes        …
//! ```

use std::fmt;

use super::crf::{Settings, train};
use super::scores::{Scores, evaluate};
use super::{Example, TrainError};
use crate::detect::crf::{Families, Family};

/// Families that come and go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureSet {
    /// Its name in the table.
    pub name: String,
    /// What is in it.
    pub families: Families,
}

/// The four sets of Gardner et al. (2010): context, regular expressions, affixes and dictionaries, with our families beside
/// theirs.
pub fn feature_sets() -> Vec<FeatureSet> {
    use Family::{Affix, Chunk, Context, Header, Lexicon, Opening, Pattern, Position, Preceding, Shape, Usage, Word};
    let set = |name: &str, families: &[Family]| FeatureSet {
        name: name.to_owned(),
        families: families.iter().copied().collect(),
    };
    vec![
        set("context", &[Word, Context, Position, Header, Opening, Preceding]),
        set("patterns", &[Pattern, Shape, Chunk]),
        set("affixes", &[Affix]),
        set("dictionaries", &[Lexicon, Usage]),
    ]
}

/// A model's figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The names of its sets, joined by ` + `.
    pub name: String,
    /// The families of all its sets.
    pub families: Families,
    /// How it did on the test examples.
    pub scores: Scores,
    /// The size of the model, in weights.
    pub weights: usize,
}

/// The figures of all combinations, the best strict F1 first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ablation {
    /// A row a model.
    pub rows: Vec<Row>,
}

/// Trains a model for every combination of sets but the empty one, and tests each: 15 models for four sets.
///
/// # Errors
/// [`TrainError::Setting`] for more than ten sets, which would be more than a thousand models; else see [`TrainError`].
pub fn ablation(
    training: &[Example],
    test: &[Example],
    sets: &[FeatureSet],
    settings: &Settings,
) -> Result<Ablation, TrainError> {
    if sets.len() > 10 {
        return Err(TrainError::Setting { setting: "sets", must: "at most ten" });
    }
    let row = |combination: usize| {
        let chosen: Vec<&FeatureSet> =
            sets.iter().enumerate().filter(|(at, _)| combination >> at & 1 == 1).map(|(_, set)| set).collect();
        let families: Families = chosen.iter().flat_map(|set| set.families.iter()).collect();
        let model = train(training, &Settings { families, ..settings.clone() })?;
        let name = chosen.iter().map(|set| set.name.as_str()).collect::<Vec<_>>().join(" + ");
        Ok(Row { name, families, scores: evaluate(&model, test), weights: model.weights().count() })
    };
    let mut rows = (1..1usize << sets.len()).map(row).collect::<Result<Vec<_>, _>>()?;
    rows.sort_by(|left, right| right.scores.strict().f1().total_cmp(&left.scores.strict().f1()));
    Ok(Ablation { rows })
}

impl fmt::Display for Ablation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max("features".len());
        writeln!(formatter, "{:<width$}  strict P      R     F1  token P      R     F1  weights", "features")?;
        for row in &self.rows {
            let (strict, token) = (row.scores.strict().shown(), row.scores.tokens.shown());
            write!(formatter, "{:<width$}  ", row.name)?;
            write!(formatter, "{:>8} {:>6} {:>6}  ", strict[0], strict[1], strict[2])?;
            write!(formatter, "{:>7} {:>6} {:>6}  ", token[0], token[1], token[2])?;
            writeln!(formatter, "{:>7}", row.weights)?;
        }
        Ok(())
    }
}
