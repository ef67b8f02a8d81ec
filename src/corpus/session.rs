//! The engine's session: the only place where functions and stores are registered.

use std::sync::Arc;

use datafusion::catalog::DynamicFileCatalog;
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

use object_store::ObjectStore;
use url::Url;

use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::files::{FilesByName, register_json_lines};
use super::functions::{functions, stage_functions};
use super::rewrite::{RewriteOptions, with_rewriting};
use super::store::Location;

/// A session in which the functions work with `deidentifier`, on `partitions` workers. Files and object stores can be named in
/// FROM.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses its settings.
pub fn session(deidentifier: &Arc<Deidentifier>, partitions: usize) -> Result<SessionContext> {
    limited_session(deidentifier, partitions, None, None)
}

/// The same within limits. With `memory` the engine holds at most so many bytes for grouping and sorting, and writes what is more to files below `spill`,
/// where that is given. Indexes are mapped, and the system takes back their memory when it needs it.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses its settings.
pub fn limited_session(
    deidentifier: &Arc<Deidentifier>,
    partitions: usize,
    memory: Option<u64>,
    spill: Option<&Location>,
) -> Result<SessionContext> {
    let mut config = SessionConfig::new().with_target_partitions(partitions.max(1)).with_information_schema(true);
    let options = config.options_mut();
    // Joins broadcast their left side, as the statements are written, so that text on the right is never shuffled.
    options.optimizer.join_reordering = false;
    options.optimizer.repartition_joins = false;
    options.execution.parquet.binary_as_string = true;
    // Sentences repeat less than the engine expects of groups; where they hardly do, grouping them twice costs more than it saves.
    options.execution.skip_partial_aggregation_probe_ratio_threshold = 0.5;
    let mut runtime = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(StoresByUrl::default()));
    if let Some(folder) = spill.and_then(Location::local_path) {
        runtime = runtime.with_temp_file_path(folder).with_max_temp_directory_size(u64::MAX);
    }
    if let Some(bytes) = memory {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        runtime = runtime.with_memory_pool(Arc::new(FairSpillPool::new(bytes)));
        // A sort sets this aside in every worker, so that it can merge what it has spilled.
        options.execution.sort_spill_reservation_bytes = (bytes / partitions.max(1) / 8).min(10 << 20);
    }
    let runtime = runtime.build_arc().map_err(CorpusError::in_stage("session"))?;
    let config = config.with_option_extension(RewriteOptions::default());
    let builder = SessionStateBuilder::new().with_config(config).with_runtime_env(runtime).with_default_features();
    let mut state = with_rewriting(builder, deidentifier).build();
    register_json_lines(&mut state).map_err(CorpusError::in_stage("session"))?;
    let context = with_files_by_name(state);
    for function in functions(deidentifier).into_iter().chain(stage_functions(deidentifier)) {
        context.register_udf(function);
    }
    Ok(context)
}

/// A context in which a name in FROM that is no table is a file or folder.
fn with_files_by_name(state: SessionState) -> SessionContext {
    let files = Arc::new(DynamicListTableFactory::new(Default::default()));
    let tables = Arc::clone(state.catalog_list());
    let catalogs = Arc::new(DynamicFileCatalog::new(tables, Arc::new(FilesByName(Arc::clone(&files)))));
    let state = SessionStateBuilder::new_from_existing(state).with_catalog_list(catalogs).build();
    let context = SessionContext::new_with_state(state);
    files.session_store().with_state(context.state_weak_ref());
    context
}

/// Opens object stores when a URL first names them.
#[derive(Debug, Default)]
struct StoresByUrl(DefaultObjectStoreRegistry);

impl ObjectStoreRegistry for StoresByUrl {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> datafusion::error::Result<Arc<dyn ObjectStore>> {
        if let Ok(store) = self.0.get_store(url) {
            return Ok(store);
        }
        let store = Location::parse(url.as_str()).map_err(|error| DataFusionError::External(Box::new(error)))?.store();
        self.0.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}
