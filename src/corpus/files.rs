//! Files and folders as tables, where they stand in FROM: Parquet, CSV and JSON as the engine knows them, and JSON Lines by the
//! endings that notes come with (`.jsonl`, `.ndjson`).

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{TableProvider, UrlTableFactory};
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;

use super::part::PartFormat;
use super::store::Location;

/// Makes a table of the name of a file or folder.
#[derive(Debug)]
pub(super) struct FilesByName(pub(super) Arc<DynamicListTableFactory>);

#[async_trait]
impl UrlTableFactory for FilesByName {
    async fn try_new(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        match json_lines_ending(name).await {
            Some(ending) => self.json_lines(name, &ending).await.map(Some),
            None => self.0.try_new(name).await,
        }
    }
}

/// The ending of the JSON Lines files at a location; none where there are other files, no files, or the engine knows the ending.
async fn json_lines_ending(name: &str) -> Option<String> {
    let files = Location::parse(name).ok()?.list().await.ok()?;
    let first = files.iter().find(|file| PartFormat::of_name(file.location.as_ref()).is_some())?;
    let ending = first.location.extension()?;
    ["jsonl", "ndjson"].contains(&ending).then(|| format!(".{ending}"))
}

impl FilesByName {
    async fn json_lines(&self, name: &str, ending: &str) -> Result<Arc<dyn TableProvider>> {
        let session = self.0.session_store().get_session().upgrade();
        let state = session
            .and_then(|session| session.read().as_any().downcast_ref::<SessionState>().cloned())
            .ok_or_else(|| DataFusionError::Internal("the session has ended".to_owned()))?;
        let options = ListingOptions::new(Arc::new(JsonFormat::default())).with_file_extension(ending);
        let config = ListingTableConfig::new(ListingTableUrl::parse(name)?).with_listing_options(options);
        let config = config.infer_partitions_from_path(&state).await?.infer_schema(&state).await?;
        Ok(Arc::new(ListingTable::try_new(config)?))
    }
}
