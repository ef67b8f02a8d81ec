//! `plainsight evaluate`.

use clap::Args;

use super::arguments::ColumnArguments;
use crate::corpus::evaluation::evaluate as compare;
use crate::corpus::{CorpusError, Location, Result};

#[derive(Debug, Args)]
pub(super) struct EvaluateArguments {
    /// Gold spans: note_id, start, end, label, in Parquet or JSON Lines
    #[arg(long, value_name = "URI")]
    gold: String,
    /// Predicted spans, as `plainsight detect` writes them
    #[arg(long, value_name = "URI")]
    predicted: String,
    /// The notes, for their tokens [default: the folder `notes` beside a gold folder named `gold`; without notes every character
    /// counts as one token]
    #[arg(long, value_name = "URI")]
    notes: Option<String>,
    #[command(flatten)]
    columns: ColumnArguments,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) async fn evaluate(arguments: EvaluateArguments) -> Result<()> {
    let gold = Location::parse(&arguments.gold)?;
    let predicted = Location::parse(&arguments.predicted)?;
    let notes = match &arguments.notes {
        Some(notes) => Some(Location::parse(notes)?),
        None => notes_beside(&arguments.gold).await?,
    };
    let columns = arguments.columns.options()?;
    let evaluation = compare(&gold, &predicted, notes.as_ref().map(|notes| (notes, &columns))).await?;
    if arguments.json {
        let json =
            serde_json::to_string_pretty(&evaluation).map_err(|error| CorpusError::output("standard output", error))?;
        super::print(json + "\n")
    } else {
        super::print(evaluation)
    }
}

/// The notes of a warehouse as `generate` lays it out.
async fn notes_beside(gold: &str) -> Result<Option<Location>> {
    let Some(root) =
        gold.trim_end_matches('/').strip_suffix("gold").filter(|root| root.is_empty() || root.ends_with('/'))
    else {
        return Ok(None);
    };
    let notes = Location::parse(&format!("{root}notes"))?;
    Ok((!notes.is_vacant().await?).then_some(notes))
}
