//! Files and folders as tables, where they stand in FROM: Parquet and JSON Lines by the endings that notes come with
//! (`.parquet`, `.jsonl`, `.ndjson`, `.json`), and what else the engine knows, such as CSV.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{TableProvider, UrlTableFactory};
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::prelude::{DataFrame, JsonReadOptions, ParquetReadOptions, SessionContext};

use super::error::CorpusError;
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
            Some((format, ending)) => self.listing(name, format, &ending).await.map(Some),
            None => self.0.try_new(name).await,
        }
    }
}

/// The format and ending of the data files at a location, hidden ones such as `_SUCCESS` passed over; none where there are others,
/// or no files.
async fn notes_at(name: &str) -> Option<(PartFormat, String)> {
    let location = Location::parse(name).ok()?;
    let files = location.list().await.ok()?;
    let mut shown = files.iter().filter(|file| !is_hidden(&location, &file.location));
    let (format, first) = shown.find_map(|file| Some((PartFormat::of_name(file.location.as_ref())?, file)))?;
    Some((format, format!(".{}", first.location.extension()?)))
}

impl FilesByName {
    async fn listing(&self, name: &str, format: PartFormat, ending: &str) -> Result<Arc<dyn TableProvider>> {
        let session = self.0.session_store().get_session().upgrade();
        let state = session
            .and_then(|session| session.read().as_any().downcast_ref::<SessionState>().cloned())
            .ok_or_else(|| DataFusionError::Internal("the session has ended".to_owned()))?;
        let options = match format {
            PartFormat::Parquet => ListingOptions::new(Arc::new(ParquetFormat::default())),
            PartFormat::JsonLines => ListingOptions::new(Arc::new(JsonFormat::default())),
        };
        let config = ListingTableConfig::new(ListingTableUrl::parse(name)?)
            .with_listing_options(options.with_file_extension(ending));
        let config = config.infer_partitions_from_path(&state).await?.infer_schema(&state).await?;
        Ok(Arc::new(ListingTable::try_new(config)?))
    }
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
