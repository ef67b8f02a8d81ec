//! `plainsight status` and `plainsight clean`.

use clap::Args;

use crate::corpus::output::{clean, epoch_of_report, group_of_lease, status};
use crate::corpus::{CorpusError, Location, Result, StoreOptions, clean_exchange, clean_work, left_in_exchange};

#[derive(Debug, Args)]
pub(super) struct StatusArguments {
    /// The --out of a run: a folder, or an s3://, gs:// or az:// URL
    #[arg(value_name = "URI")]
    out: String,
    /// The --work of the run, where it was given
    #[arg(long, value_name = "DIR")]
    work: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: super::arguments::TargetArguments,
}

pub(super) async fn tell(arguments: StatusArguments) -> Result<()> {
    let out = arguments.target.location(&arguments.out)?;
    let work = work_of(&out, arguments.work.as_deref())?;
    let status = match (status(&out).await?, work.is_vacant().await?) {
        (status, true) => status,
        (status, false) => status.with_work(work.uri().to_owned()),
    };
    match arguments.json {
        true => super::print(serde_json::to_string(&status).unwrap_or_default() + "\n"),
        false => super::print(status),
    }
}

/// The work location of a run with this output.
fn work_of(out: &Location, given: Option<&str>) -> Result<Location> {
    match given {
        Some(work) => Location::parse(work),
        None => Location::parse(&super::arguments::default_work(out)),
    }
}

#[derive(Debug, Args)]
pub(super) struct CleanArguments {
    /// The --out of a run: a folder, or an s3://, gs:// or az:// URL
    #[arg(value_name = "URI")]
    out: String,
    /// The --work of the run, where it was given
    #[arg(long, value_name = "DIR")]
    work: Option<String>,
    /// The --exchange of the run, where it was given
    #[arg(long, value_name = "URI")]
    exchange: Option<String>,
    /// An option of the store of the exchange, over the environment's; secrets as KEY=env:NAME or KEY=file:PATH; may be given several times
    #[arg(long, value_name = "KEY=VALUE", requires = "exchange")]
    exchange_option: Vec<String>,
    #[command(flatten)]
    target: super::arguments::TargetArguments,
}

pub(super) async fn remove(arguments: CleanArguments) -> Result<()> {
    let out = arguments.target.location(&arguments.out)?;
    let work = work_of(&out, arguments.work.as_deref())?;
    let exchange = match &arguments.exchange {
        Some(exchange) => Some(Location::parse_with(exchange, &StoreOptions::parse(&arguments.exchange_option)?)?),
        None => None,
    };
    if let Some(exchange) = &exchange {
        // Refused before anything is removed where it is no exchange.
        left_in_exchange(exchange).await?;
    }
    let epochs = [group_of_lease(&out).await?.map(|tasks| tasks.epoch), epoch_of_report(&out).await?];
    let files = clean(&out).await?;
    let work_removed = clean_work(&work).await.map_err(|error| match error {
        CorpusError::Configuration { message, .. } => CorpusError::configuration(message, "give the --work of the run"),
        other => other,
    })?;
    let (mut exchanged, mut left) = (0, String::new());
    if let Some(exchange) = &exchange {
        for epoch in epochs.into_iter().flatten() {
            exchanged += clean_exchange(exchange, epoch).await?;
        }
        // Of tasks that began anew, or were given up for a run by one process, the output knows nothing any more.
        let of_others = left_in_exchange(exchange).await?;
        if of_others > 0 {
            left = format!(
                "; {of_others} files of other tasks are in the exchange: where none of them goes on, remove {}",
                exchange.uri()
            );
        }
    }
    let place = if work_removed { format!(", and the work location {}", work.uri()) } else { String::new() };
    let exchange = if exchanged > 0 { format!(", and {exchanged} of the exchange") } else { String::new() };
    super::print(format!("removed {files} files{exchange}{place}{left}\n"))
}
