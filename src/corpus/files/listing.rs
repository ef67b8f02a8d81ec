//! The table of the files at a location. The engine would read hidden ones, too, such as those that somebody is about to write; and it takes
//! files of which one has its strings in views and another has not for such of different columns.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{ScalarValue, plan_err};
use datafusion::config::TableParquetOptions;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::helpers::{expr_applicable_for_cols, pruned_partition_list};
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl, PartitionedFile,
};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::execution::SessionState;
use datafusion::execution::cache::TableScopedPath;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectMeta;
use object_store::path::Path;

use super::csv::{identifiers_as_text, refuse_other_columns};
use super::csv_columns::{infer_schema, of_engine};
use super::{Files, Format, data_ending, without_compression};
use crate::corpus::session::{ALL_LINES, INT96};
use crate::corpus::source::{NO_VALUE, is_hidden, refuse_large_numbers};
use crate::corpus::store::Location;

/// How many files are opened at once to see their columns.
pub(super) const FILES_AT_ONCE: usize = 32;

impl Format {
    /// What reads it.
    pub(super) fn reader(self, options: TableParquetOptions) -> Arc<dyn FileFormat> {
        match self {
            Self::Parquet => {
                // As a run reads them: see the settings of the session.
                Arc::new(ParquetFormat::default().with_options(options).with_coerce_int96(Some(INT96.to_owned())))
            }
            Self::JsonLines(compression) => {
                let format = JsonFormat::default().with_file_compression_type(compression);
                Arc::new(format.with_schema_infer_max_rec(ALL_LINES))
            }
        }
    }
}

/// Has the engine forget which files are at a place: statements of the same session, or others, may have written some since.
pub(super) fn list_anew(state: &SessionState, url: &str) {
    let cache = state.runtime_env().cache_manager.get_list_files_cache();
    if let (Some(cache), Ok(url)) = (cache, ListingTableUrl::parse(url)) {
        cache.remove(&TableScopedPath { table: None, path: url.prefix().clone() });
    }
}

/// Refuses links that lead nowhere, and what is neither a file nor a folder, where the files of a folder or pattern are read: neither we nor the
/// engine would miss what they led to.
///
/// # Errors
/// [`CorpusError::Input`](crate::corpus::error::CorpusError::Input) with the path of such a thing, and where a folder cannot be read.
pub(super) fn refuse_irregular(session: &dyn Session, url: &str) -> Result<()> {
    let Some(url) = ListingTableUrl::parse(url).ok().filter(|url| url.scheme() == "file") else { return Ok(()) };
    let folder = Location::parse(url.as_str())?;
    let no_folders = session.config_options().execution.listing_table_ignore_subdirectory;
    // A pattern without folders has none.
    let has_folders = url.get_glob().as_ref().is_none_or(|pattern| pattern.as_str().contains("**"));
    let is_read = |link: &Path| match data_ending(link.as_ref()) {
        Some(_) => url.contains(link, no_folders),
        // It may have led to a folder, which is read or refused; what has an ending of another kind would be passed over.
        None => {
            let leads_to_folder = |name: &str| name.contains('=') || has_folders && !name.contains('.');
            !no_folders || link.filename().is_some_and(leads_to_folder)
        }
    };
    folder.refuse_irregular(|link| !is_hidden(&folder, link) && is_read(link)).map_err(Into::into)
}

/// Refuses a pattern for all folders below one, `d/**/*.csv`, of which the engine would read the files of the first alone.
///
/// # Errors
/// [`datafusion::error::DataFusionError::Plan`] with a folder that would be left out.
pub(super) async fn refuse_left_out(state: &SessionState, name: &str) -> Result<()> {
    let no_folders = state.config_options().execution.listing_table_ignore_subdirectory;
    let Ok(url) = ListingTableUrl::parse(name) else { return Ok(()) };
    let Some(pattern) = url.get_glob().as_ref().filter(|pattern| no_folders && pattern.as_str().contains("**")) else {
        return Ok(());
    };
    let folder = Location::parse(url.as_str())?;
    // What cannot be listed is left to who reads it.
    let Ok(files) = folder.list().await else { return Ok(()) };
    let is_left_out = |file: &&ObjectMeta| {
        let path = folder.path_below(&file.location);
        !is_hidden(&folder, &file.location) && pattern.matches(&path) && !url.contains(&file.location, true)
    };
    match files.iter().find(is_left_out) {
        None => Ok(()),
        Some(file) => {
            let path = folder.path_below(&file.location);
            let below = path.split('/').find(|folder| !folder.contains('=')).unwrap_or_default();
            plan_err!(
                "'{name}': there are files in the folder `{below}` that would be left out; SET \
                 datafusion.execution.listing_table_ignore_subdirectory = false to read them all"
            )
        }
    }
}

/// What reads files of other formats, by the engine's name of their ending.
///
/// # Errors
/// [`datafusion::error::DataFusionError::Plan`] where it knows none.
pub(super) fn reader_of_engine(state: &SessionState, ending: &str) -> Result<Arc<dyn FileFormat>> {
    let ending = ending.to_lowercase();
    let plain = without_compression(&ending).0;
    let Some(factory) = state.get_file_format_factory(plain.trim_start_matches('.')) else {
        return plan_err!("no format has the ending `{ending}`");
    };
    let compression = ending.strip_prefix(plain).unwrap_or_default().trim_start_matches('.');
    let options = (!compression.is_empty()).then(|| ("format.compression".to_owned(), compression.to_owned()));
    Ok(of_engine(&factory.create(state, &options.into_iter().collect())?))
}

/// What folders are that are called `name=value`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Folders {
    /// Each a value of a column.
    AreColumns,
    /// Nothing.
    AreNone,
}

/// Refuses JSON Lines with whole numbers of which two would become one, where the engine itself looks for the files of a place or pattern.
///
/// # Errors
/// Those of [`refuse_large_numbers`].
pub(super) async fn refuse_numbers(session: &dyn Session, url: &str, schema: &Schema) -> Result<()> {
    let Ok(url) = ListingTableUrl::parse(url) else { return Ok(()) };
    let location = Location::parse(url.as_str())?;
    // What cannot be listed is left to who reads it.
    let Ok(files) = location.list().await else { return Ok(()) };
    let no_folders = session.config_options().execution.listing_table_ignore_subdirectory;
    let is_read = |path: &Path| !is_hidden(&location, path) && url.contains(path, no_folders);
    Ok(refuse_large_numbers(&location, files.iter().filter(|file| is_read(&file.location)), schema).await?)
}

/// Whether rows that are put into a table come as files of an ending that the others do not have.
fn writes_other_ending(table: &ListingTable) -> bool {
    let options = table.options();
    options.format.is::<JsonFormat>() && options.file_extension != ".json"
}

/// A table of files.
///
/// # Errors
/// Those of the engine, of [`refuse_irregular`] and of [`refuse_large_numbers`]; [`datafusion::error::DataFusionError::Plan`] where files differ
/// in their partitions, or lie in folders that the engine does not read.
pub(super) async fn listing(
    state: &SessionState,
    location: &Location,
    (format, files): (Arc<dyn FileFormat>, Files),
    folders: Folders,
) -> Result<Arc<dyn TableProvider>> {
    let place = location.url().as_str().trim_end_matches('/');
    let single = files.shown.iter().any(|file| file.location == *location.path());
    let url = ListingTableUrl::parse(if single { place.to_owned() } else { format!("{place}/") })?;
    list_anew(state, url.as_str());
    refuse_irregular(state, url.as_str())?;
    // Folders below are the engine's to read or not; a table without those files would be taken for one of all.
    let no_folders = state.config_options().execution.listing_table_ignore_subdirectory;
    let (read, below): (Vec<_>, Vec<_>) =
        files.shown.into_iter().partition(|file| url.contains(&file.location, no_folders));
    if let Some(file) = below.first() {
        let path = location.path_below(&file.location);
        // The name of a partition is a value.
        let folder = path.split('/').find(|folder| !folder.contains('=')).unwrap_or_default();
        return plan_err!(
            "'{}': there are files in the folder `{folder}` below it; name each folder, or SET \
             datafusion.execution.listing_table_ignore_subdirectory = false to read them all",
            location.uri()
        );
    }
    let partitions = match folders {
        Folders::AreColumns => partitions(location, &read)?,
        Folders::AreNone => Vec::new(),
    };
    let schema = columns(state, &url, &format, &read).await?;
    refuse_large_numbers(location, read.iter(), &schema).await?;
    let options = ListingOptions::new(format).with_file_extension(files.ending).with_table_partition_cols(partitions);
    let config = ListingTableConfig::new(url.clone()).with_listing_options(options).with_schema(schema);
    let all: Option<Arc<HashSet<Path>>> =
        files.are_all.then(|| Arc::new(read.iter().map(|file| file.location.clone()).collect()));
    let are_some_null =
        folders == Folders::AreColumns && read.iter().any(|file| is_of_no_value(location, &file.location));
    let shown = |table: ListingTable| -> Arc<dyn TableProvider> {
        match files.are_others_hidden || all.is_some() || are_some_null || writes_other_ending(&table) {
            false => Arc::new(table),
            true => {
                let (url, location, all) = (url.clone(), location.clone(), all.clone());
                Arc::new(Shown { schema: schema_of(&table, are_some_null), table, url, location, all, are_some_null })
            }
        }
    };
    let table = ListingTable::try_new(config)?;
    let with_text = identifiers_as_text(state, &table, shown).await?;
    Ok(shown(with_text.unwrap_or(table)))
}

/// The columns that are folders.
fn partitions(location: &Location, files: &[ObjectMeta]) -> Result<Vec<(String, DataType)>> {
    let names = |file: &ObjectMeta| -> Vec<String> {
        let below = location.path_below(&file.location);
        let folders = below.rsplit_once('/').map_or("", |(folders, _)| folders).split('/');
        folders.filter_map(|folder| Some(folder.split_once('=')?.0.to_owned())).collect()
    };
    let mut all = files.iter().map(names);
    let first = all.next().unwrap_or_default();
    // Where they differ some files would not be read.
    if all.any(|names| names != first) {
        return plan_err!("'{}': the partitions (name=value folders) differ from file to file", location.uri());
    }
    let text = || DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8));
    Ok(first.into_iter().map(|name| (name, text())).collect())
}

/// The columns of all files. Those of Parquet are seen file by file, for only then the engine brings their strings into one form before it
/// compares them.
async fn columns(
    state: &SessionState,
    url: &ListingTableUrl,
    format: &Arc<dyn FileFormat>,
    files: &[ObjectMeta],
) -> Result<SchemaRef> {
    let store = state.runtime_env().object_store(url)?;
    if format.is::<ParquetFormat>()
        && let Some(empty) = files.iter().find(|file| file.size == 0)
    {
        return plan_err!("'{}' is empty, and no whole Parquet file", empty.location.filename().unwrap_or_default());
    }
    // An empty file has no columns to tell of.
    let files: Vec<_> = files.iter().filter(|file| file.size > 0).cloned().collect();
    if format.is::<CsvFormat>() {
        refuse_other_columns(state, &store, format, &files).await?;
    }
    if !format.is::<ParquetFormat>() {
        return infer_schema(format, state, &store, &files).await;
    }
    let seen: Vec<_> =
        files.iter().map(|file| format.infer_schema(state, &store, std::slice::from_ref(file))).collect();
    let seen: Vec<SchemaRef> = futures::stream::iter(seen).buffered(FILES_AT_ONCE).try_collect().await?;
    if let Some(name) = seen.iter().find_map(|schema| name_twice(schema)) {
        return plan_err!("a file has two columns `{name}`; only one of them could be named");
    }
    let merged = Schema::try_merge(seen.iter().map(|schema| schema.as_ref().clone()));
    match merged {
        Ok(schema) => Ok(Arc::new(schema)),
        Err(error) => match column_of_two_types(&seen) {
            Some((name, one, other)) => {
                plan_err!("the files differ: column `{name}` is {one} in one of them and {other} in another")
            }
            None => Err(error.into()),
        },
    }
}

/// A column that has not the same type in all files, and two of its types.
fn column_of_two_types(files: &[SchemaRef]) -> Option<(&str, &DataType, &DataType)> {
    let mut types: HashMap<&str, &DataType> = HashMap::new();
    files.iter().flat_map(|schema| schema.fields()).find_map(|field| {
        let known = *types.entry(field.name()).or_insert_with(|| field.data_type());
        (known != field.data_type()).then(|| (field.name().as_str(), known, field.data_type()))
    })
}

/// The name that two columns have, if two have one.
pub(crate) fn name_twice(schema: &Schema) -> Option<&str> {
    let mut known = HashSet::new();
    schema.fields().iter().map(|field| field.name().as_str()).find(|name| !known.insert(*name))
}

/// The columns of a table; those that are folders may have no value, where some have none.
fn schema_of(table: &ListingTable, are_some_null: bool) -> SchemaRef {
    let (schema, folders) = (table.schema(), &table.options().table_partition_cols);
    let fields = schema.fields().iter().map(|field| match folders.iter().any(|(name, _)| name == field.name()) {
        true => Arc::new(field.as_ref().clone().with_nullable(true)),
        false => Arc::clone(field),
    });
    if are_some_null { Arc::new(Schema::new(fields.collect::<Vec<_>>())) } else { schema }
}

/// Whether a file lies in the folder of a partition without a value.
pub(super) fn is_of_no_value(location: &Location, file: &Path) -> bool {
    location
        .path_below(file)
        .split('/')
        .any(|folder| folder.split_once('=').is_some_and(|(_, value)| value == NO_VALUE))
}

/// A table of a folder in which some files are hidden, or came later than the table: those are neither opened nor read. And a table
/// with partitions that have no value: the engine takes what such a folder is called for a value.
#[derive(Debug)]
struct Shown {
    /// The same with the hidden ones.
    table: ListingTable,
    schema: SchemaRef,
    url: ListingTableUrl,
    location: Location,
    /// Its files, where it never has others.
    all: Option<Arc<HashSet<Path>>>,
    /// Whether a partition has no value.
    are_some_null: bool,
}

impl Shown {
    /// The files of the partitions that conditions leave.
    async fn files(&self, session: &dyn Session, conditions: &[Expr]) -> Result<Vec<PartitionedFile>> {
        let options = self.table.options();
        let names: Vec<_> = options.table_partition_cols.iter().map(|(name, _)| name.as_str()).collect();
        let is_of_partitions = |condition: &&Expr| !names.is_empty() && expr_applicable_for_cols(&names, condition);
        let conditions: Vec<_> = conditions.iter().filter(is_of_partitions).cloned().collect();
        let store = session.runtime_env().object_store(&self.url)?;
        let (ending, partitions) = (&options.file_extension, &options.table_partition_cols);
        let files = pruned_partition_list(session, store.as_ref(), &self.url, &conditions, ending, partitions).await?;
        let is_shown = |file: &PartitionedFile| {
            let path = &file.object_meta.location;
            let is_of_table = self.all.as_ref().is_none_or(|all| all.contains(path));
            std::future::ready(is_of_table && !is_hidden(&self.location, path))
        };
        let mut files: Vec<PartitionedFile> = files.try_filter(is_shown).try_collect().await?;
        let is_null = |value: &ScalarValue| self.are_some_null && value.try_as_str().flatten() == Some(NO_VALUE);
        for value in files.iter_mut().flat_map(|file| &mut file.partition_values).filter(|value| is_null(value)) {
            *value = ScalarValue::try_new_null(&value.data_type())?;
        }
        Ok(files)
    }
}

#[async_trait]
impl TableProvider for Shown {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        self.table.table_type()
    }

    fn supports_filters_pushdown(&self, conditions: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        match self.are_some_null {
            // The engine would hold them against the names of folders.
            true => Ok(vec![TableProviderFilterPushDown::Unsupported; conditions.len()]),
            false => self.table.supports_filters_pushdown(conditions),
        }
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        conditions: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (schema, options) = (self.schema(), self.table.options());
        let files = self.files(session, conditions).await?;
        if files.is_empty() {
            let schema = projection.map_or_else(|| Ok(Arc::clone(&schema)), |at| schema.project(at).map(Arc::new));
            return Ok(Arc::new(EmptyExec::new(schema?)));
        }
        let is_partition = |field: &Field| options.table_partition_cols.iter().any(|(name, _)| name == field.name());
        let (partitions, in_files): (Vec<_>, Vec<_>) =
            schema.fields().iter().cloned().partition(|field| is_partition(field));
        let schema =
            TableSchema::builder(Arc::new(Schema::new(in_files))).with_table_partition_cols(partitions).build();
        let groups = FileGroup::new(files).split_files(session.config().target_partitions());
        let scan = FileScanConfigBuilder::new(self.url.object_store(), options.format.file_source(schema))
            .with_file_groups(groups)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        options.format.create_physical_plan(session, scan).await
    }

    async fn insert_into(
        &self,
        session: &dyn Session,
        rows: Arc<dyn ExecutionPlan>,
        how: InsertOp,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if writes_other_ending(&self.table) {
            let (folder, ending) = (self.location.uri().trim_end_matches('/'), &self.table.options().file_extension);
            return plan_err!(
                "INSERT writes files `*.json`, which nothing reads together with the `*{ending}` of '{folder}/'; \
                 COPY (…) TO '{folder}/NEW{ending}' STORED AS JSON adds such a file"
            );
        }
        self.table.insert_into(session, rows, how).await
    }
}
