//! Files and folders as tables, where they stand in FROM: Parquet and JSON Lines by the endings that notes come with
//! (`.parquet`, `.jsonl`, `.ndjson`, `.json`; JSON Lines compressed, too), and what else the engine knows, such as CSV. Hidden files of a folder
//! are passed over, as `run` does.

mod csv;
mod csv_columns;
mod listing;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory, UrlTableFactory};
use datafusion::common::{GetExt, TableReference, plan_err};
use datafusion::config::TableParquetOptions;
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormatFactory;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::logical_expr::CreateExternalTable;
use datafusion::prelude::{DataFrame, SessionContext};
use object_store::ObjectMeta;

use csv::{as_of_engine, with_identifiers_as_text};

use super::delta;
use super::error::CorpusError;
use super::output::{JSON, Manifest, State, status};
use super::part::PartFormat;
use super::source::{NO_ICEBERG, is_hidden, is_iceberg};
use super::store::Location;
pub(crate) use listing::name_twice;
use listing::{
    Folders, is_of_no_value, list_anew, listing, reader_of_engine, refuse_irregular, refuse_left_out, refuse_numbers,
};

/// Makes a table of the name of a file or folder.
#[derive(Debug)]
pub(super) struct FilesByName(pub(super) Arc<DynamicListTableFactory>);

#[async_trait]
impl UrlTableFactory for FilesByName {
    async fn try_new(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        match self.found(name).await? {
            // Nothing else is called so, and the engine would say that a table of its catalog is missing.
            None if name.contains('/') || data_ending(name).is_some() => {
                let is_other = of_kind_in_store(name).is_none();
                let is_pattern = name.contains("://") && name.contains(['*', '?', '[']) && is_other;
                let hint = if is_pattern { "; of patterns in a store only 'folder/*.ending' is known" } else { "" };
                plan_err!("there is no file or folder '{name}' with data{hint}")
            }
            table => Ok(table),
        }
    }
}

/// The formats that are read here; others are left to the engine.
enum Format {
    Parquet,
    JsonLines(FileCompressionType),
}

/// The endings of compressed files.
const COMPRESSED: [(&str, FileCompressionType); 4] = [
    (".gz", FileCompressionType::GZIP),
    (".zst", FileCompressionType::ZSTD),
    (".bz2", FileCompressionType::BZIP2),
    (".xz", FileCompressionType::XZ),
];
/// The endings of data files, before that of their compression.
const ENDINGS: [&str; 8] = [".parquet", ".parq", ".pq", ".jsonl", ".ndjson", ".json", ".csv", ".arrow"];

impl Format {
    fn of_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_lowercase();
        let (plain, compression) = without_compression(&ending);
        match (PartFormat::of_name(plain)?, compression) {
            (PartFormat::Parquet, FileCompressionType::UNCOMPRESSED) => Some(Self::Parquet),
            (PartFormat::Parquet, _) => None,
            (PartFormat::JsonLines, compression) => Some(Self::JsonLines(compression)),
        }
    }
}

fn without_compression(name: &str) -> (&str, FileCompressionType) {
    let compressed = COMPRESSED.iter().find_map(|(ending, kind)| Some((name.strip_suffix(ending)?, *kind)));
    compressed.unwrap_or((name, FileCompressionType::UNCOMPRESSED))
}

/// The ending of a data file, with that of its compression, as it is written; none of any other file.
fn data_ending(name: &str) -> Option<&str> {
    let lower = name.to_lowercase();
    let plain = without_compression(&lower).0;
    let ending = ENDINGS.iter().find(|ending| plain.ends_with(*ending))?;
    // In lower case a name may have another length, but its ending has not.
    name.get(name.len() - (lower.len() - plain.len()) - ending.len()..)
}

/// The data files at a location that are read together.
struct Files {
    /// Of one ending, with what may be seen of them.
    shown: Vec<ObjectMeta>,
    ending: String,
    /// Whether there are hidden ones of that ending beside them.
    are_others_hidden: bool,
    /// Whether they are all that the table ever has, whatever comes to lie beside them.
    are_all: bool,
}

impl Files {
    /// Those that share an ending, hidden files such as `_SUCCESS` and those of other kinds passed over; none where there is no data file, or
    /// the location is a pattern.
    ///
    /// # Errors
    /// [`DataFusionError::Plan`] where they have several: a table of some of them would be taken for one of all; and where all are hidden.
    async fn found(location: &Location) -> Result<Option<Self>> {
        let Ok(files) = location.list().await else { return Ok(None) };
        if is_iceberg(location, &files).await {
            return plan_err!("'{}': {NO_ICEBERG}", location.uri());
        }
        let shown = files.iter().filter(|file| is_shown(location, file));
        let mut endings = shown.filter_map(|file| data_ending(file.location.as_ref()));
        let Some(first) = endings.next() else {
            return match files.iter().any(|file| data_ending(file.location.as_ref()).is_some()) {
                true => plan_err!("'{}': every file there is hidden", location.uri()),
                false => Ok(None),
            };
        };
        match endings.find(|ending| *ending != first) {
            None => Ok(Some(Self::of_ending(location, &files, first.to_owned()))),
            Some(other) => {
                let folder = location.uri().trim_end_matches('/');
                plan_err!(
                    "there are files `*{first}` and `*{other}` in '{folder}/': name those of one kind, '{folder}/*{first}'"
                )
            }
        }
    }

    /// Whether some lie in the folder of a partition without a value.
    fn are_some_null(&self, location: &Location) -> bool {
        self.shown.iter().any(|file| is_of_no_value(location, &file.location))
    }

    /// Whether some lie in a folder that is no partition, which the engine passes over without a word.
    fn lie_in_folders(&self, location: &Location) -> bool {
        let is_folder = |path: &str| {
            path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(|folder| !folder.contains('=')))
        };
        self.shown.iter().any(|file| is_folder(&location.path_below(&file.location)))
    }

    /// Those of an ending.
    fn of_ending(location: &Location, files: &[ObjectMeta], ending: String) -> Self {
        let files = files.iter().filter(|file| file.location.as_ref().ends_with(&ending)).cloned();
        let (shown, hidden): (Vec<_>, Vec<_>) = files.partition(|file| is_shown(location, file));
        Self { shown, ending, are_others_hidden: !hidden.is_empty(), are_all: false }
    }
}

/// Whether a file is read with its folder; one that is named is read in any case.
fn is_shown(location: &Location, file: &ObjectMeta) -> bool {
    file.location == *location.path() || !is_hidden(location, &file.location)
}

impl FilesByName {
    /// The table of that name; none where there is no such file.
    async fn found(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let state = self.state()?;
        if let Some((folder, ending)) = of_kind_in_store(name) {
            return of_kind(&state, &Location::parse(folder)?, ending).await;
        }
        let Ok(location) = Location::parse(name) else { return self.of_engine(&state, name).await };
        if let Some(table) = delta::table(&location).await? {
            return Ok(Some(table));
        }
        delta::refuse_files_of_tables(&location).await?;
        let Some(files) = Files::found(&location).await? else { return self.of_engine(&state, name).await };
        let reader = match Format::of_ending(&files.ending) {
            Some(format) => format.reader(TableParquetOptions::default()),
            // What the engine knows it finds, too, but hidden files with it, and what folders are called for their values.
            None if files.are_others_hidden || files.are_some_null(&location) || files.lie_in_folders(&location) => {
                reader_of_engine(&state, &files.ending)?
            }
            None => return self.of_engine(&state, name).await,
        };
        listing(&state, &location, (reader, files), Folders::AreColumns).await.map(Some)
    }

    /// The engine's own table of files.
    async fn of_engine(&self, state: &SessionState, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        list_anew(state, name);
        refuse_irregular(state, name)?;
        refuse_left_out(state, name).await?;
        if let Ok(url) = ListingTableUrl::parse(name) {
            refuse_iceberg(&Location::parse(url.as_str())?).await?;
        }
        match self.0.try_new(name).await? {
            Some(table) => {
                refuse_numbers(state, name, &table.schema()).await?;
                with_identifiers_as_text(state, table).await.map(Some)
            }
            None => Ok(None),
        }
    }

    fn state(&self) -> Result<SessionState> {
        let session = self.0.session_store().get_session().upgrade();
        session
            .and_then(|session| session.read().as_any().downcast_ref::<SessionState>().cloned())
            .ok_or_else(|| DataFusionError::Internal("the session has ended".to_owned()))
    }
}

/// The folder and the ending of `s3://b/notes/*.csv`, files of one kind in a store: the engine knows patterns of local files alone.
fn of_kind_in_store(name: &str) -> Option<(&str, &str)> {
    let (folder, pattern) = name.rsplit_once('/')?;
    let ending = pattern.strip_prefix('*')?;
    let is_in_store = name.contains("://") && !name.starts_with("file://") && !folder.contains('*');
    (is_in_store && data_ending(ending) == Some(ending)).then_some((folder, ending))
}

/// The table of the files of one ending that lie in a folder itself, as the engine reads a local pattern; none where there are none.
async fn of_kind(state: &SessionState, folder: &Location, ending: &str) -> Result<Option<Arc<dyn TableProvider>>> {
    delta::refuse_files_of_tables(folder).await?;
    let mut files = folder.list().await.map_err(DataFusionError::from)?;
    if is_iceberg(folder, &files).await {
        return plan_err!("'{}': {NO_ICEBERG}", folder.uri());
    }
    files.retain(|file| !folder.path_below(&file.location).contains('/'));
    let files = Files::of_ending(folder, &files, ending.to_owned());
    if files.shown.is_empty() {
        return Ok(None);
    }
    let reader = match Format::of_ending(ending) {
        Some(format) => format.reader(TableParquetOptions::default()),
        None => reader_of_engine(state, ending)?,
    };
    listing(state, folder, (reader, files), Folders::AreNone).await.map(Some)
}

/// Lets the engine know the formats of files and tables that it does not know by itself.
///
/// # Errors
/// [`DataFusionError`] where it has other formats of those names.
pub(super) fn register_formats(state: &mut SessionState) -> Result<()> {
    for factory in state.table_factories_mut().values_mut() {
        *factory = Arc::new(OfFiles(Arc::clone(factory)));
    }
    state.table_factories_mut().insert("DELTA".to_owned(), Arc::new(delta::DeltaFactory));
    csv_columns::register(state)?;
    register_json_lines(state)
}

/// Makes tables of files, as another does, but of those of a table whose log tells which of them hold.
#[derive(Debug)]
struct OfFiles(Arc<dyn TableProviderFactory>);

#[async_trait]
impl TableProviderFactory for OfFiles {
    async fn create(&self, session: &dyn Session, statement: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        refuse_partitions_ahead(statement)?;
        for location in &statement.locations {
            refuse_irregular(session, location)?;
            if let Ok(location) = Location::parse(location) {
                delta::refuse_files_of_tables(&location).await?;
                refuse_iceberg(&location).await?;
                refuse_other_endings(&location, statement).await?;
                refuse_absent(&location, statement).await?;
            }
        }
        let table = self.0.create(session, statement).await?;
        if statement.schema.fields().is_empty() {
            for location in &statement.locations {
                refuse_numbers(session, location, &table.schema()).await?;
            }
        }
        match session.as_any().downcast_ref::<SessionState>() {
            Some(state) if statement.schema.fields().is_empty() => with_identifiers_as_text(state, table).await,
            _ => as_of_engine(table),
        }
    }
}

/// Refuses a folder of a table whose metadata tell which of its files hold, or one with such a table right below it.
async fn refuse_iceberg(location: &Location) -> Result<()> {
    // What cannot be listed is left to who reads it.
    let Ok(files) = location.list().await else { return Ok(()) };
    match is_iceberg(location, &files).await {
        true => plan_err!("'{}': {NO_ICEBERG}", location.uri()),
        false => Ok(()),
    }
}

/// Refuses columns that partitions are made of and that do not stand behind all others, in their order: a table has them last, and an `INSERT`
/// fills its columns by their place, so that the values of one would become those of another.
pub(super) fn refuse_partitions_ahead(statement: &CreateExternalTable) -> Result<()> {
    let columns = statement.schema.as_arrow().fields();
    let partitions: Vec<String> = statement.table_partition_cols.iter().map(|typed| column_name(typed)).collect();
    let last = columns.iter().skip(columns.len().saturating_sub(partitions.len()));
    let is_named = |name: &String| columns.iter().any(|column| column.name() == name);
    if columns.is_empty() || !partitions.iter().all(is_named) || last.map(|column| column.name()).eq(&partitions) {
        return Ok(());
    }
    plan_err!(
        "give the columns of PARTITIONED BY last, in its order ({}): a table has them behind the others, and INSERT goes by place",
        partitions.join(", ")
    )
}

/// The name of a column that a statement gives as it was typed, in quotation marks or without.
pub(super) fn column_name(typed: &str) -> String {
    let quoted = typed.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    quoted.map_or_else(|| typed.to_lowercase(), |name| name.replace("\"\"", "\""))
}

/// Refuses a file that is not there: a table of it would be empty, and no row can be put into it.
async fn refuse_absent(location: &Location, statement: &CreateExternalTable) -> Result<()> {
    let named = location.uri().to_lowercase();
    let format = statement.file_type.to_lowercase();
    let is_file =
        [format!(".{format}"), ".jsonl".to_owned(), ".json".to_owned()].iter().any(|ending| named.ends_with(ending));
    if is_file && !location.uri().contains(['*', '?', '[']) && location.list().await.is_ok_and(|files| files.is_empty())
    {
        return plan_err!("there is no file `{}`; the name of a folder for new files ends with `/`", location.uri());
    }
    Ok(())
}

/// Refuses a folder in which there are data files of another ending than the engine reads of a format, where it tells the columns by the files: it
/// would pass over those. With columns given it reads all.
async fn refuse_other_endings(location: &Location, statement: &CreateExternalTable) -> Result<()> {
    let Ok(files) = location.list().await else { return Ok(()) };
    if !statement.schema.fields().is_empty() || files.iter().any(|file| file.location == *location.path()) {
        return Ok(());
    }
    let format = statement.file_type.as_str();
    let read = if format == "NDJSON" { ".json".to_owned() } else { format!(".{}", format.to_lowercase()) };
    let is_other = |ending: &&str| !without_compression(&ending.to_lowercase()).0.ends_with(&read);
    let shown = files.iter().filter(|file| is_shown(location, file));
    match shown.filter_map(|file| data_ending(file.location.as_ref())).find(is_other) {
        Some(other) => plan_err!(
            "STORED AS {format} reads the files `*{read}` of a folder, and in '{0}/' there are files `*{other}`: {1} '{0}/*{other}' names those",
            location.uri().trim_end_matches('/'),
            if location.local_path().is_some() { "LOCATION" } else { "FROM" }
        ),
        None => Ok(()),
    }
}

/// Lets the engine know JSON Lines by the endings that notes come with: in `COPY … TO 'notes.jsonl'`, and in patterns in FROM.
///
/// # Errors
/// [`DataFusionError`] where it has other formats of those names.
fn register_json_lines(state: &mut SessionState) -> Result<()> {
    let mut register =
        |ending| state.register_file_format(Arc::new(JsonLines { ending, format: JsonFormatFactory::new() }), false);
    register("jsonl").and_then(|()| register("ndjson"))
}

/// JSON by another ending.
#[derive(Debug)]
struct JsonLines {
    ending: &'static str,
    format: JsonFormatFactory,
}

impl FileFormatFactory for JsonLines {
    fn create(&self, state: &dyn Session, options: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        self.format.create(state, options)
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        FileFormatFactory::default(&self.format)
    }
}

impl GetExt for JsonLines {
    fn get_ext(&self) -> String {
        self.ending.to_owned()
    }
}

/// Registers the output of a run under a name, as it is when the table is registered.
///
/// # Errors
/// [`CorpusError::Configuration`] where the location holds no whole output of a run, or files besides: what nobody has de-identified is not shown
/// to everyone. [`CorpusError::Input`] where it cannot be read.
pub async fn register_output(context: &SessionContext, name: &str, location: &Location) -> super::error::Result<()> {
    if status(location).await?.state != State::Whole {
        return Err(CorpusError::configuration(
            format!("`{}` is not a whole output of `run`", location.uri()),
            "`plainsight status` tells how it stands; raw notes are given by --notes alone",
        ));
    }
    delta::refuse_files_of_tables(location).await?;
    let fail = |error: DataFusionError| CorpusError::in_input(location.uri(), &error);
    if location.local_path().is_none() {
        context.register_object_store(location.url(), location.store());
    }
    let files = Files::found(location).await.map_err(fail)?;
    let Some((format, files)) = files.and_then(|files| Some((Format::of_ending(&files.ending)?, files))) else {
        return Err(no_data(location));
    };
    // Somebody may have taken it away since.
    let manifest = Manifest::read(location).await?.ok_or_else(|| no_data(location))?;
    if let Some(column) = manifest.columns.iter().find(|column| column.data_type == JSON) {
        return Err(CorpusError::configuration(
            format!(
                "column `{}` of `{}` holds lists or objects, which may differ from row to row",
                column.name,
                location.uri()
            ),
            "run again with --drop-columns, or give --notes in Parquet: then they have one type",
        ));
    }
    let parts: HashSet<_> = manifest.parts.iter().filter_map(|part| part.name.as_deref()).collect();
    let is_part = |file: &ObjectMeta| parts.contains(location.path_below(&file.location).as_str());
    let others = files.shown.iter().filter(|file| !is_part(file)).count();
    if others > 0 {
        return Err(CorpusError::configuration(
            format!("{others} of the files at `{}` are none that its run has written", location.uri()),
            "take them away: they may hold what nobody has de-identified",
        ));
    }
    // What somebody puts there later, nobody has looked at.
    let files = (format.reader(TableParquetOptions::default()), Files { are_all: true, ..files });
    let table = listing(&context.state(), location, files, Folders::AreColumns).await.map_err(fail)?;
    context.register_table(TableReference::bare(name), table).map(drop).map_err(fail)
}

/// What is said of a location without a data set.
fn no_data(location: &Location) -> CorpusError {
    let is_missing = location.local_path().is_some_and(|path| !path.exists());
    let reason = if is_missing { "there is no such file or folder" } else { "there is no Parquet or JSON Lines file" };
    CorpusError::input(location.uri(), reason)
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
    if let Some(table) = delta::table(location).await? {
        return context.read_table(table).map_err(fail);
    }
    delta::refuse_files_of_tables(location).await?;
    let files = location.list().await?;
    if is_iceberg(location, &files).await {
        return Err(CorpusError::input(location.uri(), NO_ICEBERG));
    }
    let mut formats = files.iter().filter(|file| is_shown(location, file)).filter_map(|file| {
        let ending = data_ending(file.location.as_ref())?;
        Some((Format::of_ending(ending)?, ending))
    });
    let Some((format, ending)) = formats.next() else {
        return Err(no_data(location));
    };
    let files = Files::of_ending(location, &files, ending.to_owned());
    let files = (format.reader(context.copied_table_options().parquet), files);
    let table = listing(&context.state(), location, files, Folders::AreNone).await.map_err(fail)?;
    context.read_table(table).map_err(fail)
}

#[cfg(test)]
mod tests {
    use object_store::ObjectStoreExt;

    use super::*;

    #[tokio::test]
    async fn numbers_are_looked_at_in_the_store_that_the_files_were_found_in() {
        // What a place is called leads to another store: one of memory is empty when it is opened, one of a cloud may lack its account.
        let location = Location::parse("memory:///patients").unwrap();
        let lines = "{\"patient_id\": 12345678901234567890}\n{\"patient_id\": 12345678901234567891}\n";
        let file = location.path().clone().join("part.jsonl");
        location.store().put(&file, lines.into()).await.unwrap();
        let refused = open(&SessionContext::new(), &location).await.unwrap_err().to_string();
        assert!(refused.contains("line 1 has a whole number in `patient_id`"), "{refused}");
    }

    #[test]
    fn endings_of_data_files() {
        for (name, ending) in [
            ("a/b.parquet", Some(".parquet")),
            ("a/B.JSONL.gz", Some(".JSONL.gz")),
            ("a.b/c.csv.zst", Some(".csv.zst")),
            ("İ.json", Some(".json")),
            ("a/README.md", None),
            ("a/_SUCCESS", None),
            (".gz", None),
        ] {
            assert_eq!(data_ending(name), ending, "{name}");
        }
        assert!(matches!(Format::of_ending(".JSONL.gz"), Some(Format::JsonLines(FileCompressionType::GZIP))));
        assert!(Format::of_ending(".parquet.gz").is_none() && Format::of_ending(".csv").is_none());
    }
}
