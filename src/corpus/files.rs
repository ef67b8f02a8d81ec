//! Files and folders as tables, where they stand in FROM: Parquet and JSON Lines by the endings that notes come with
//! (`.parquet`, `.jsonl`, `.ndjson`, `.json`), and what else the engine knows, such as CSV.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{TableProvider, UrlTableFactory};
use datafusion::common::TableReference;
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::prelude::{DataFrame, JsonReadOptions, ParquetReadOptions, SessionContext};

use super::error::CorpusError;
use super::output::{State, status};
use super::part::PartFormat;
use super::source::is_hidden;
use super::store::Location;

/// Makes a table of the name of a file or folder.
#[derive(Debug)]
pub(super) struct FilesByName(pub(super) Arc<DynamicListTableFactory>);

#[async_trait]
impl UrlTableFactory for FilesByName {
    async fn try_new(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        match notes_at(name).await {
            Some((format, ending)) => listing(&self.state()?, name, format, &ending).await.map(Some),
            None => self.0.try_new(name).await,
        }
    }
}

/// The format and ending of the data files at a location, hidden ones such as `_SUCCESS` passed over; none where there are others,
/// or no files.
async fn notes_at(name: &str) -> Option<(PartFormat, String)> {
    notes_in(&Location::parse(name).ok()?).await
}

async fn notes_in(location: &Location) -> Option<(PartFormat, String)> {
    let files = location.list().await.ok()?;
    let mut shown = files.iter().filter(|file| !is_hidden(location, &file.location));
    let (format, first) = shown.find_map(|file| Some((PartFormat::of_name(file.location.as_ref())?, file)))?;
    Some((format, format!(".{}", first.location.extension()?)))
}

impl FilesByName {
    fn state(&self) -> Result<SessionState> {
        let session = self.0.session_store().get_session().upgrade();
        session
            .and_then(|session| session.read().as_any().downcast_ref::<SessionState>().cloned())
            .ok_or_else(|| DataFusionError::Internal("the session has ended".to_owned()))
    }
}

async fn listing(state: &SessionState, name: &str, format: PartFormat, ending: &str) -> Result<Arc<dyn TableProvider>> {
    let options = match format {
        PartFormat::Parquet => ListingOptions::new(Arc::new(ParquetFormat::default())),
        PartFormat::JsonLines => ListingOptions::new(Arc::new(JsonFormat::default())),
    };
    let config = ListingTableConfig::new(ListingTableUrl::parse(name)?)
        .with_listing_options(options.with_file_extension(ending));
    let config = config.infer_partitions_from_path(state).await?.infer_schema(state).await?;
    Ok(Arc::new(ListingTable::try_new(config)?))
}

/// Registers the output of a run under a name, as it is when the table is registered.
///
/// # Errors
/// [`CorpusError::Configuration`] where the location holds no whole output of a run: what nobody has de-identified is not shown to everyone.
/// [`CorpusError::Input`] where it cannot be read.
pub async fn register_output(context: &SessionContext, name: &str, location: &Location) -> super::error::Result<()> {
    if status(location).await?.state != State::Whole {
        return Err(CorpusError::configuration(
            format!("`{}` is not a whole output of `run`", location.uri()),
            "`plainsight status` tells how it stands; raw notes are given by --notes alone",
        ));
    }
    let fail = |error: DataFusionError| CorpusError::in_input(location.uri(), &error);
    if location.local_path().is_none() {
        context.register_object_store(location.url(), location.store());
    }
    let url = format!("{}/", location.url().as_str().trim_end_matches('/'));
    let Some((format, ending)) = notes_in(location).await else {
        return Err(CorpusError::input(location.uri(), "there is no Parquet or JSON Lines file"));
    };
    let table = listing(&context.state(), &url, format, &ending).await.map_err(fail)?;
    context.register_table(TableReference::bare(name), table).map(drop).map_err(fail)
}

/// A data set of Parquet or JSON Lines as a table of its own.
///
/// # Errors
/// [`CorpusError::Input`] where there is no such data set.
pub(super) async fn open(context: &SessionContext, location: &Location) -> super::error::Result<DataFrame> {
    let fail = |error: DataFusionError| CorpusError::in_input(location.uri(), &error);
    if location.local_path().is_none() {
        // Under its own options, which the environment may not have.
        context.register_object_store(location.url(), location.store());
    }
    let mut files = location.list().await?;
    files.retain(|file| !is_hidden(location, &file.location));
    let Some((format, first)) =
        files.iter().find_map(|file| Some((PartFormat::of_name(file.location.as_ref())?, file)))
    else {
        return Err(CorpusError::input(location.uri(), "there is no Parquet or JSON Lines file"));
    };
    let url = location.url().as_str();
    let single = first.location == *location.path();
    let url = if single { url.to_owned() } else { format!("{}/", url.trim_end_matches('/')) };
    match format {
        PartFormat::Parquet => context.read_parquet(url, ParquetReadOptions::default()).await.map_err(fail),
        PartFormat::JsonLines => {
            let ending = format!(".{}", first.location.extension().unwrap_or_default());
            context.read_json(url, JsonReadOptions::default().file_extension(&ending)).await.map_err(fail)
        }
    }
}
