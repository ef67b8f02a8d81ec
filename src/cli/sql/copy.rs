//! Where `COPY … TO` writes. The engine would write over what is there, and where the statement fails in its middle leave a file of some of the
//! rows that looks whole. So a local file, or a folder that is not there yet, is written under a hidden name beside its place, and gets its own
//! name when all rows are in it.
//!
//! ```text
//! COPY … TO 'notes.parquet'        .copy-1f3a-18c2-notes.parquet ──all rows──▶ notes.parquet
//! COPY … TO 's3://bucket/notes/'   held back                     ──all rows──▶ notes/7Zk_0.parquet, notes/7Zk_1.parquet
//! ```
//!
//! What goes into a folder that is there, or into an object store, is [held back](super::held).

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::Column;
use datafusion::datasource::listing::{ListingTable, ListingTableUrl};
use datafusion::datasource::source_as_provider;
use datafusion::error::DataFusionError;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::functions::expr_fn::coalesce;
use datafusion::logical_expr::dml::CopyTo;
use datafusion::logical_expr::{
    DdlStatement, DmlStatement, Expr, LogicalPlan, LogicalPlanBuilder, Statement, WriteOp, cast, lit,
};
use datafusion::prelude::SessionContext;
use object_store::ObjectStore;
use url::Url;

use super::held::HeldBack;
use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::source::NO_VALUE;
use crate::corpus::{CorpusError, Location, Result, name_twice, refuse_managed, refuse_released};

/// What a statement writes, not yet in its place. Gone unless it is put there.
pub(super) enum Copied {
    /// A local file, or a folder that is not there yet.
    Beside(Beside),
    /// Files of a store, or of a folder that is there.
    Held(Held),
}

impl Copied {
    /// A statement whose files come to their places when all rows are in them; what copies nothing is as it was.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where two columns have one name, [`CorpusError::Output`] where nothing can be written beside the place.
    pub(super) fn aside(context: &SessionContext, plan: LogicalPlan) -> Result<(LogicalPlan, Option<Self>)> {
        match plan {
            LogicalPlan::Copy(mut copy) => {
                refuse_equal_names(copy.input.schema().as_arrow())?;
                name_nulls(&mut copy).and_then(|()| without_views(&mut copy)).map_err(CorpusError::in_stage("sql"))?;
                compress_by_name(&mut copy);
                let copied = Self::of(context, &mut copy)?;
                Ok((LogicalPlan::Copy(copy), copied))
            }
            LogicalPlan::Analyze(mut analyze) => {
                let (input, copied) = Self::aside(context, Arc::unwrap_or_clone(analyze.input))?;
                analyze.input = Arc::new(input);
                Ok((LogicalPlan::Analyze(analyze), copied))
            }
            other => Ok((other, None)),
        }
    }

    fn of(context: &SessionContext, copy: &mut CopyTo) -> Result<Option<Self>> {
        let target = ListingTableUrl::parse(&copy.output_url).ok().filter(|url| url.get_glob().is_none());
        let Some(target) = target else { return Ok(None) };
        if let Some((beside, url)) = Beside::of(copy, &target) {
            beside.check()?;
            copy.output_url = url.into();
            return Ok(Some(Self::Beside(beside)));
        }
        Ok(Held::of(context.runtime_env(), &target).map(Self::Held))
    }

    /// Puts what was written in its place.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the system refuses, [`CorpusError::Engine`] where the store does.
    pub(super) async fn put(self) -> Result<()> {
        match self {
            Self::Beside(beside) => beside.put(),
            Self::Held(held) => {
                let refused = |error| CorpusError::in_stage("sql")(DataFusionError::ObjectStore(Box::new(error)));
                held.files.finish().await.map_err(refused)
            }
        }
    }

    /// Gives up what was written.
    pub(super) async fn give_up(self) {
        match self {
            Self::Beside(beside) => drop(beside),
            Self::Held(held) => held.files.give_up().await,
        }
    }
}

/// What is written beside its place.
pub(super) struct Beside {
    beside: PathBuf,
    place: PathBuf,
    is_one_file: bool,
}

impl Beside {
    /// A file or folder beside a local one, and its URL; none where the place is elsewhere, or a folder that is there.
    fn of(copy: &CopyTo, target: &ListingTableUrl) -> Option<(Self, Url)> {
        let path = (target.scheme() == "file").then(|| target.get_url().to_file_path().ok()).flatten()?;
        if path.is_dir() {
            return None;
        }
        // A folder's name without the slash at its end.
        let place: PathBuf = path.components().collect();
        let (beside, is_one_file) = (beside(&place)?, is_one_file(copy, target));
        // The ending, by which one file is told from a folder, is the same.
        let url = if is_one_file { Url::from_file_path(&beside) } else { Url::from_directory_path(&beside) };
        Some((Self { beside, place, is_one_file }, url.ok()?))
    }

    /// Makes sure that something can be written there: the engine would try for ever where the system says that a folder is none.
    fn check(&self) -> Result<()> {
        // The engine makes folders that are not there.
        if !self.place.parent().is_some_and(Path::is_dir) {
            return Ok(());
        }
        let made = File::create_new(&self.beside).and_then(|_| std::fs::remove_file(&self.beside));
        made.map_err(|error| CorpusError::output(self.place.to_string_lossy(), error))
    }

    /// Gives what was written its name.
    fn put(self) -> Result<()> {
        match std::fs::rename(&self.beside, &self.place) {
            // Without rows there are no files in a folder, and so there is no folder.
            Err(error) if self.is_one_file || error.kind() != ErrorKind::NotFound => {
                Err(CorpusError::output(self.place.to_string_lossy(), error))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Nothing is there where it was put in its place, or where nothing was written.
        let _ = std::fs::remove_file(&self.beside).or_else(|_| std::fs::remove_dir_all(&self.beside));
        // What a store has under way it calls by the name, a mark and a number.
        let (Some(folder), Some(name)) = (self.beside.parent(), self.beside.file_name()) else { return };
        let started = format!("{}#", name.to_string_lossy());
        for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if file.file_name().to_string_lossy().starts_with(&started) {
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
}

/// What a store holds back, which is in the place of the session's own meanwhile.
pub(super) struct Held {
    files: Arc<HeldBack>,
    runtime: Arc<RuntimeEnv>,
    url: Url,
}

impl Held {
    /// None where there is no such store: the engine says why.
    fn of(runtime: Arc<RuntimeEnv>, target: &ListingTableUrl) -> Option<Self> {
        let (files, url) = (Arc::new(HeldBack::of(runtime.object_store(target).ok()?)), target.get_url().clone());
        runtime.register_object_store(&url, Arc::clone(&files) as Arc<dyn ObjectStore>);
        Some(Self { files, runtime, url })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.runtime.register_object_store(&self.url, self.files.store());
    }
}

/// Compresses what goes into a file that is called so: the engine would write `notes.csv.gz` plain, STORED AS CSV.
fn compress_by_name(copy: &mut CopyTo) {
    const COMPRESSION: &str = "format.compression";
    let kinds = [(".gz", "gzip"), (".zst", "zstd"), (".bz2", "bzip2"), (".xz", "xz")];
    let name = copy.output_url.to_lowercase();
    if !["csv", "json"].contains(&copy.file_type.get_ext().as_str()) {
        return;
    }
    if let Some((_, kind)) = kinds.iter().find(|(ending, _)| name.ends_with(ending)) {
        copy.options.entry(COMPRESSION.to_owned()).or_insert_with(|| (*kind).to_owned());
    }
}

/// Gives the folders of partitions without a value the name that Hive gives them. The engine would take what lies under the null, which may be
/// the very value that a statement made null.
fn name_nulls(copy: &mut CopyTo) -> datafusion::error::Result<()> {
    let partitions = copy.partition_by.clone();
    with_columns(copy, |field, column| {
        (field.is_nullable() && partitions.contains(field.name())).then(|| {
            // A day has no time in a folder's name.
            let value = if *field.data_type() == DataType::Date64 { cast(column, DataType::Date32) } else { column };
            coalesce(vec![cast(value, DataType::Utf8), lit(NO_VALUE)])
        })
    })
}

/// Gives strings of Parquet the type that a run gives them: other readers of Arrow do not know how to compare views.
fn without_views(copy: &mut CopyTo) -> datafusion::error::Result<()> {
    if copy.file_type.get_ext() != "parquet" {
        return Ok(());
    }
    with_columns(copy, |field, column| match field.data_type() {
        DataType::Utf8View => Some(cast(column, DataType::Utf8)),
        DataType::BinaryView => Some(cast(column, DataType::Binary)),
        _ => None,
    })
}

/// Writes other values in columns for which there is one, under the same names.
fn with_columns(copy: &mut CopyTo, value: impl Fn(&Field, Expr) -> Option<Expr>) -> datafusion::error::Result<()> {
    let mut is_changed = false;
    let columns = copy.input.schema().iter().map(|(table, field)| {
        let column = Expr::Column(Column::from((table, field.as_ref())));
        match value(field, column.clone()) {
            Some(value) => {
                is_changed = true;
                value.alias_qualified(table.cloned(), field.name())
            }
            None => column,
        }
    });
    let columns: Vec<_> = columns.collect();
    if is_changed {
        copy.input = Arc::new(LogicalPlanBuilder::from(Arc::clone(&copy.input)).project(columns)?.build()?);
    }
    Ok(())
}

/// Refuses rows of which two columns have one name: whoever reads them finds one.
///
/// # Errors
/// [`CorpusError::Configuration`] with the name.
pub(super) fn refuse_equal_names(schema: &Schema) -> Result<()> {
    match name_twice(schema) {
        Some(name) => Err(CorpusError::configuration(
            format!("the rows have two columns `{name}`"),
            "give one of them another name: SELECT … AS …",
        )),
        None => Ok(()),
    }
}

/// What a session was told by its flags to read: notes, patients, lists, what a run has kept.
#[derive(Debug)]
pub(super) struct ReadByFlags(pub Vec<(&'static str, Location)>);

/// Refuses to write over a key, over what the flags of the session name, or into it.
///
/// # Errors
/// [`CorpusError::Configuration`] with the place.
pub(super) fn refuse_places_of_the_session(context: &SessionContext, plan: &LogicalPlan) -> Result<()> {
    let Some(read) = context.state_ref().read().config().get_extension::<ReadByFlags>() else { return Ok(()) };
    places(plan).try_for_each(|place| refuse_overwriting(&[("COPY", place)], &[], &read.0))
}

/// Where a statement writes rows.
fn places(plan: &LogicalPlan) -> impl Iterator<Item = Location> {
    let named = match behind_explain(plan) {
        LogicalPlan::Copy(copy) => vec![copy.output_url.clone()],
        LogicalPlan::Dml(insert) if matches!(insert.op, WriteOp::Insert(_)) => files_of(insert),
        _ => Vec::new(),
    };
    named.into_iter().filter_map(|place| Location::parse(&place).ok())
}

/// The statement that another one explains or keeps for later.
fn behind_explain(plan: &LogicalPlan) -> &LogicalPlan {
    match plan {
        LogicalPlan::Analyze(analyze) => behind_explain(&analyze.input),
        LogicalPlan::Statement(Statement::Prepare(prepared)) => behind_explain(&prepared.input),
        _ => plan,
    }
}

/// Refuses to write where rows would be lost, or taken for ones that a run has released: in the folder of a Delta table, and in an output of
/// `run`.
///
/// # Errors
/// [`CorpusError::Configuration`] with the place.
pub(super) async fn refuse_managed_places(plan: &LogicalPlan) -> Result<()> {
    // A table of Delta Lake may lie there already, and is opened then.
    if let LogicalPlan::Ddl(DdlStatement::CreateExternalTable(table)) = behind_explain(plan)
        && table.file_type.eq_ignore_ascii_case("delta")
    {
        for place in table.locations.iter().filter_map(|place| Location::parse(place).ok()) {
            refuse_released(&place).await?;
        }
    }
    for place in places(plan) {
        refuse_managed(&place).await?;
    }
    Ok(())
}

/// Where the files of a table lie into which rows go; none of a table that is no folder.
fn files_of(insert: &DmlStatement) -> Vec<String> {
    let table = source_as_provider(&insert.target).ok();
    let listing = table.as_ref().and_then(|table| table.downcast_ref::<ListingTable>());
    listing.map_or_else(Vec::new, |listing| listing.table_paths().iter().map(|url| url.as_str().to_owned()).collect())
}

/// A hidden name in the same folder, which nothing has.
fn beside(place: &Path) -> Option<PathBuf> {
    let name = place.file_name()?.to_str()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    Some(place.with_file_name(format!(".copy-{:x}-{now:x}-{name}", std::process::id())))
}

/// Whether the engine writes one file, and no folder of them.
fn is_one_file(copy: &CopyTo, target: &ListingTableUrl) -> bool {
    let wanted = match copy.options.get("single_file_output").map(|wanted| wanted.trim()) {
        Some("true") => true,
        Some("false") => false,
        _ => !target.is_collection() && target.file_extension().is_some(),
    };
    wanted && copy.partition_by.is_empty()
}
