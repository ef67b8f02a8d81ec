//! The engine's session: the only place where functions and stores are registered.

use std::sync::Arc;

use datafusion::catalog::DynamicFileCatalog;
use datafusion::common::config::TableOptions;
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::error::DataFusionError;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::logical_expr::ScalarUDF;
use datafusion::prelude::{SessionConfig, SessionContext};

use object_store::ObjectStore;
use url::Url;

use super::bounded;
use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::files::{FilesByName, register_formats};
use super::functions::{functions, score_of_claims, spans_of_claims, stage_functions};
use super::memory;
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
    let mut state = builder(deidentifier, partitions, memory, spill)?.build();
    register_formats(&mut state).map_err(CorpusError::in_stage("session"))?;
    let context = with_files_by_name(state);
    register_functions(&context, deidentifier);
    Ok(context)
}

/// What brings the state of a session to a cluster.
pub type Upgrade<'u> = &'u (dyn Fn(SessionState) -> Result<SessionState> + Sync);

/// A session whose statements are computed elsewhere: `upgrade` says where. Files and object stores can be named in FROM; they must be
/// reached from there as well.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses its settings; those of the upgrade.
pub fn upgraded_session(
    deidentifier: &Arc<Deidentifier>,
    partitions: usize,
    upgrade: Upgrade<'_>,
) -> Result<SessionContext> {
    let mut state = builder(deidentifier, partitions, None, None)?.build();
    register_formats(&mut state).map_err(CorpusError::in_stage("session"))?;
    let context = with_files_by_name(upgrade(state)?);
    register_functions(&context, deidentifier);
    Ok(context)
}

/// The state of a session that runs the plans of others, under their settings: it has plainsight's functions, and those that its rules put into
/// plans.
///
/// # Errors
/// [`DataFusionError`] where the engine refuses the settings.
pub fn state_of_others(
    deidentifier: &Arc<Deidentifier>,
    config: SessionConfig,
) -> datafusion::error::Result<SessionState> {
    let runtime = stores_by_url().build_arc()?;
    let builder = SessionStateBuilder::new().with_config(config).with_runtime_env(runtime).with_default_features();
    let mut state = builder.build();
    for function in all_functions(deidentifier).chain([spans_of_claims(), score_of_claims()]) {
        state.register_udf(Arc::new(function))?;
    }
    Ok(state)
}

/// A runtime that opens object stores when a URL first names them.
pub fn stores_by_url() -> RuntimeEnvBuilder {
    RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(StoresByUrl::default()))
}

/// A session for the statements of others: it has plainsight's functions and, of tables, those that are registered. No file or store can be named in
/// FROM. The engine holds at most `memory` bytes, and writes at most `spilled` to the temporary folder; with `upgrade` statements are computed elsewhere.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses its settings; those of the upgrade.
pub fn closed_session(
    deidentifier: &Arc<Deidentifier>,
    partitions: usize,
    (memory, spilled): (u64, u64),
    upgrade: Option<Upgrade<'_>>,
) -> Result<SessionContext> {
    let mut builder = builder(deidentifier, partitions, Some(memory), None)?;
    let config = builder.config().take().unwrap_or_default();
    let state = builder.with_config(for_others(config)).build();
    state.runtime_env().disk_manager.set_max_temp_directory_size(spilled).map_err(CorpusError::in_stage("session"))?;
    let context = SessionContext::new_with_state(match upgrade {
        Some(upgrade) => upgrade(state)?,
        None => state,
    });
    register_functions(&context, deidentifier);
    without(&context, &AMPLIFIERS);
    bounded::bound(&context);
    Ok(context)
}

/// A session of the engine alone for the statements of others, which shares the memory of `beside`, and what that may
/// write to the temporary folder. It has none of plainsight's functions, each of which tells a little of the key, and
/// none of its rules; no file or store can be named in FROM.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses its settings.
pub fn plain_session(beside: &SessionContext, partitions: usize) -> Result<SessionContext> {
    let shared = beside.runtime_env();
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::clone(&shared.memory_pool)).build();
    let mut runtime = runtime.map_err(CorpusError::in_stage("session"))?;
    runtime.disk_manager = Arc::clone(&shared.disk_manager);
    let mut config = SessionConfig::new().with_target_partitions(partitions.max(1)).with_information_schema(true);
    let reserved = beside.copied_config().options().execution.sort_spill_reservation_bytes;
    config.options_mut().execution.sort_spill_reservation_bytes = reserved;
    let builder = SessionStateBuilder::new()
        .with_config(for_others(config))
        .with_runtime_env(Arc::new(runtime))
        .with_default_features();
    let context = SessionContext::new_with_state(builder.build());
    without(&context, &AMPLIFIERS);
    bounded::bound(&context);
    without(&context, &PLACES);
    Ok(context)
}

/// Functions that make much of little in one go, past what the engine counts as memory: a short statement with one of them could end the process.
const AMPLIFIERS: [&str; 7] = ["repeat", "lpad", "rpad", "array_repeat", "array_resize", "generate_series", "range"];

/// Functions that tell from which file a row was read, and from which place in it.
const PLACES: [&str; 2] = ["input_file_name", "file_row_index"];

/// The unit in which timestamps of Spark, Hive and Impala (INT96) are read: in nanoseconds, days before 1677 and after 2262 would be others.
pub(super) const INT96: &str = "us";

/// How many lines of JSON tell the columns of a table, and their types: a key that only a later one had would not be there, and a fraction be cut off
/// in a column of whole numbers, both without a word.
pub(super) const ALL_LINES: usize = usize::MAX;

fn without(context: &SessionContext, functions: &[&str]) {
    functions.iter().for_each(|name| context.deregister_udf(name));
}

/// Settings of sessions whose rows go to other programs, not all of which know views of strings.
fn for_others(config: SessionConfig) -> SessionConfig {
    let mut config = config.with_default_catalog_and_schema("plainsight", "public");
    config.options_mut().optimizer.expand_views_at_output = true;
    // What an expression makes of a batch is in no account of memory.
    config.with_batch_size(2048)
}

/// The settings, limits and rules that all sessions with plainsight's functions have.
fn builder(
    deidentifier: &Arc<Deidentifier>,
    partitions: usize,
    memory: Option<u64>,
    spill: Option<&Location>,
) -> Result<SessionStateBuilder> {
    let mut config = SessionConfig::new().with_target_partitions(partitions.max(1)).with_information_schema(true);
    let options = config.options_mut();
    // Joins broadcast their left side, as the statements are written, so that text on the right is never shuffled.
    options.optimizer.join_reordering = false;
    options.optimizer.repartition_joins = false;
    options.execution.parquet.binary_as_string = true;
    options.execution.parquet.coerce_int96 = Some(INT96.to_owned());
    // Notes have line breaks: a file of CSV that is cut by bytes, for several workers, would be cut in a note.
    options.catalog.newlines_in_values = true;
    // Sentences repeat less than the engine expects of groups; where they hardly do, grouping them twice costs more than it saves.
    options.execution.skip_partial_aggregation_probe_ratio_threshold = 0.5;
    let mut disk = DiskManagerBuilder::default();
    if let Some(folder) = spill.and_then(Location::local_path) {
        disk = disk.with_mode(DiskManagerMode::Directories(vec![folder])).with_max_temp_directory_size(u64::MAX);
    }
    let mut runtime = stores_by_url();
    if let Some(bytes) = memory {
        (runtime, disk) = memory::limited(bytes, partitions.max(1), options, runtime, disk);
    }
    let runtime = runtime.with_disk_manager_builder(disk);
    let runtime = runtime.build_arc().map_err(CorpusError::in_stage("session"))?;
    let config = config.with_option_extension(RewriteOptions::default());
    let mut tables = TableOptions::default();
    tables.json.schema_infer_max_rec = Some(ALL_LINES);
    let builder = SessionStateBuilder::new().with_config(config).with_runtime_env(runtime).with_default_features();
    Ok(with_rewriting(builder.with_table_options(tables), deidentifier))
}

fn all_functions(deidentifier: &Arc<Deidentifier>) -> impl Iterator<Item = ScalarUDF> {
    functions(deidentifier).into_iter().chain(stage_functions(deidentifier))
}

fn register_functions(context: &SessionContext, deidentifier: &Arc<Deidentifier>) {
    all_functions(deidentifier).for_each(|function| context.register_udf(function));
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
