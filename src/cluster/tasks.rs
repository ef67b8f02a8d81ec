//! A run on a cluster: its tasks are rows of a table, and a function does them.
//!
//! ```text
//! SELECT run_task(run, task) FROM tasks      one partition a task, each done by whichever executor is free
//!   done │ waiting │ failed ◀── the tasks meet in the exchange, as those of any scheduler do
//! ```
//!
//! A task that waits for others gives its place to one of them and is asked for again: after at most as many rounds as there are phases all are done,
//! however few the executors are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int64Type, Schema};
use async_trait::async_trait;
use datafusion::catalog::MemTable;
use datafusion::common::{DataFusionError, plan_datafusion_err, plan_err};
use datafusion::logical_expr::async_udf::{AsyncScalarUDF, AsyncScalarUDFImpl};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use serde::{Deserialize, Serialize};

use super::Cluster;
use crate::corpus::progress::{Meter, Observer};
use crate::corpus::schema::ColumnOptions;
use crate::corpus::{
    CorpusError, Deidentifier, JobOptions, Location, Place, Result, RunOptions, TaskOptions, run, upgraded_session,
};

/// How long a task waits for others before it gives its place to one of them.
const PATIENCE: Duration = Duration::from_secs(2);
/// So many rounds in which no task is done are not for want of places.
const ROUNDS: usize = 12;

/// A run that the executors of a cluster do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClusterRun {
    /// The notes.
    pub notes: Place,
    /// The roles of their columns.
    pub columns: ColumnOptions,
    /// Where the result goes.
    pub out: Place,
    /// Where the tasks meet: confidential.
    pub exchange: Place,
    /// Into how many tasks it is cut.
    pub tasks: usize,
    /// Whether an earlier output may be replaced.
    pub overwrite: bool,
    /// Whether there is a second pass.
    pub second_pass: bool,
    /// How many bytes the engine may hold in each task; none for as many as it wants.
    pub memory: Option<u64>,
}

/// How a task has ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    /// It has done its share, or there was nothing to do.
    Done { nothing_to_do: bool },
    /// There are no notes, or not even a place for them.
    Empty { location: String, is_place: bool },
    /// It can be asked for again.
    Waiting { reason: String },
    /// It cannot.
    Failed { reason: String },
}

impl ClusterRun {
    /// Has the run done, and tells after each round how many of its tasks are; gives whether there was anything to do. What was done is told by the
    /// report beside the output.
    ///
    /// # Errors
    /// [`CorpusError::Input`] for a task that failed, or for all that wait in vain; [`CorpusError::Empty`] where there are no notes;
    /// [`CorpusError::Engine`] where the cluster does not answer.
    pub async fn run(&self, cluster: &Cluster, deidentifier: &Arc<Deidentifier>, tell: impl Fn(usize)) -> Result<bool> {
        let fault = CorpusError::in_stage("cluster");
        let context = upgraded_session(deidentifier, self.tasks, &|state| cluster.upgrade(state, deidentifier))?;
        context.register_udf(run_task(deidentifier, Path::new("")));
        let mut waiting: BTreeSet<usize> = (0..self.tasks).collect();
        let (mut idle, mut anything) = (0, false);
        while !waiting.is_empty() {
            context.deregister_table("tasks").map_err(&fault)?;
            context.register_table("tasks", Arc::new(self.table(&waiting).map_err(&fault)?)).map_err(&fault)?;
            let rows = context.sql(include_str!("../../sql/session/tasks.sql")).await.map_err(&fault)?;
            let rows = match rows.collect().await {
                Ok(rows) => rows,
                Err(error) => return cluster.reach().await.and(Err(fault(error))),
            };
            let (before, mut last) = (waiting.len(), None);
            for (task, outcome) in outcomes(&rows).map_err(&fault)? {
                let location = format!("task {} of {}", task + 1, self.tasks);
                match outcome {
                    Outcome::Done { nothing_to_do } => {
                        waiting.remove(&task);
                        anything |= !nothing_to_do;
                    }
                    Outcome::Empty { location, is_place } => return Err(CorpusError::Empty { location, is_place }),
                    Outcome::Waiting { reason } => {
                        last = Some(CorpusError::Input { location, reason, temporary: true })
                    }
                    Outcome::Failed { reason } => {
                        return Err(CorpusError::Input { location, reason, temporary: false });
                    }
                }
            }
            idle = if waiting.len() < before { 0 } else { idle + 1 };
            match last {
                Some(error) if idle >= ROUNDS => return Err(error),
                _ => tell(self.tasks - waiting.len()),
            }
        }
        Ok(anything)
    }

    /// A partition for each task.
    fn table(&self, tasks: &BTreeSet<usize>) -> datafusion::error::Result<MemTable> {
        let fields = vec![Field::new("run", DataType::Utf8, false), Field::new("task", DataType::Int64, false)];
        let schema = Arc::new(Schema::new(fields));
        let run = serde_json::to_string(self).map_err(|error| DataFusionError::External(Box::new(error)))?;
        let row = |task: &usize| {
            let task: ArrayRef = Arc::new(Int64Array::from(vec![*task as i64]));
            let run: ArrayRef = Arc::new(StringArray::from(vec![run.as_str()]));
            Ok(vec![RecordBatch::try_new(Arc::clone(&schema), vec![run, task])?])
        };
        let partitions = tasks.iter().map(row).collect::<datafusion::error::Result<_>>()?;
        MemTable::try_new(Arc::clone(&schema), partitions)
    }

    /// One task of it, which works below a folder of the executor.
    fn options(&self, task: usize, work: &Path) -> Result<RunOptions> {
        let out = self.out.location()?;
        let name = format!("run-{}", &blake3::hash(out.url().as_str().as_bytes()).to_hex()[..16]);
        Ok(RunOptions {
            job: JobOptions {
                notes: self.notes.location()?,
                patients: None,
                work: Location::parse(&work.join(name).to_string_lossy())?,
                keep_work: false,
                cache: None,
                memory: self.memory,
                columns: self.columns.clone(),
                // The executor has a place for each of its processors.
                partitions: 1,
                map_offsets: false,
            },
            out,
            overwrite: self.overwrite,
            dedupe: true,
            second_pass: self.second_pass,
            incremental: false,
            task: Some(TaskOptions {
                index: task,
                of: self.tasks,
                exchange: self.exchange.location()?,
                patience: PATIENCE,
            }),
        })
    }
}

/// The tasks of a round, and how they have ended.
fn outcomes(batches: &[RecordBatch]) -> datafusion::error::Result<Vec<(usize, Outcome)>> {
    let mut ended = Vec::new();
    for batch in batches {
        let tasks = batch.column(0).as_primitive::<Int64Type>();
        let outcomes = cast(batch.column(1), &DataType::Utf8)?;
        for (task, outcome) in tasks.values().iter().zip(outcomes.as_string::<i32>()) {
            let outcome = outcome.and_then(|outcome| serde_json::from_str(outcome).ok());
            ended.push((
                usize::try_from(*task).unwrap_or_default(),
                outcome.ok_or_else(|| plan_datafusion_err!("a task has ended in an unknown way"))?,
            ));
        }
    }
    Ok(ended)
}

/// The function that does a task of a run, below the folder `work`.
pub(super) fn run_task(deidentifier: &Arc<Deidentifier>, work: &Path) -> ScalarUDF {
    let signature = Signature::exact(vec![DataType::Utf8, DataType::Int64], Volatility::Volatile);
    let function = RunTask { deidentifier: Arc::clone(deidentifier), work: work.to_path_buf(), signature };
    AsyncScalarUDF::new(Arc::new(function)).into_scalar_udf()
}

#[derive(Debug)]
struct RunTask {
    deidentifier: Arc<Deidentifier>,
    work: PathBuf,
    signature: Signature,
}

impl PartialEq for RunTask {
    fn eq(&self, other: &Self) -> bool {
        self.work == other.work
    }
}

impl Eq for RunTask {}

impl std::hash::Hash for RunTask {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.work.hash(state);
    }
}

impl ScalarUDFImpl for RunTask {
    fn name(&self) -> &str {
        "run_task"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> datafusion::error::Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, _args: ScalarFunctionArgs) -> datafusion::error::Result<ColumnarValue> {
        plan_err!("run_task waits for what it does")
    }
}

#[async_trait]
impl AsyncScalarUDFImpl for RunTask {
    async fn invoke_async_with_args(&self, args: ScalarFunctionArgs) -> datafusion::error::Result<ColumnarValue> {
        let rows = args.number_rows;
        let columns = args.args.iter().map(|column| column.to_array(rows)).collect::<Result<Vec<_>, _>>()?;
        let [runs, tasks] = columns.as_slice() else { return plan_err!("run_task takes a run and a task") };
        let mut ended = Vec::with_capacity(rows);
        for row in 0..rows {
            let run = runs.as_string::<i32>().value(row).to_owned();
            let task = usize::try_from(tasks.as_primitive::<Int64Type>().value(row)).unwrap_or_default();
            let (deidentifier, work) = (Arc::clone(&self.deidentifier), self.work.clone());
            // A thread of its own: a run borrows across its waits, and no thread may take over from another what is borrowed there.
            let runtime = tokio::runtime::Handle::current();
            let doing = tokio::task::spawn_blocking(move || runtime.block_on(done(&run, task, deidentifier, &work)));
            let outcome = doing.await.map_err(|error| DataFusionError::External(Box::new(error)))?;
            ended.push(serde_json::to_string(&outcome).map_err(|error| DataFusionError::External(Box::new(error)))?);
        }
        Ok(ColumnarValue::Array(Arc::new(StringArray::from(ended))))
    }
}

/// Does a task of a run that is asked for, below the folder `work`.
async fn done(asked: &str, task: usize, deidentifier: Arc<Deidentifier>, work: &Path) -> Outcome {
    let Ok(asked) = serde_json::from_str::<ClusterRun>(asked) else {
        return Outcome::Failed { reason: "what was asked for is no run".to_owned() };
    };
    let done = async { run(&asked.options(task, work)?, deidentifier, &Nobody).await };
    match done.await {
        Ok(report) => Outcome::Done { nothing_to_do: report.nothing_to_do },
        Err(CorpusError::Empty { location, is_place }) => Outcome::Empty { location, is_place },
        Err(error) if error.is_temporary() => Outcome::Waiting { reason: error.to_string() },
        Err(error) => Outcome::Failed { reason: error.to_string() },
    }
}

/// Watches nothing.
struct Nobody;

impl Observer for Nobody {
    fn begin(&self, _stage: &'static str, _rows: Option<u64>, _meter: &Meter) {}

    fn end(&self, _stage: &'static str) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::schema::Role;
    use crate::phi::{Class, Label};

    #[test]
    fn a_run_reaches_its_tasks_as_it_was() {
        let place = |uri: &str| Place { uri: uri.to_owned(), options: vec!["region=eu-central-1".to_owned()] };
        let columns =
            vec![(Role::Text, "letter".to_owned()), (Role::Mapped(Class::of(Label::MedicalRecord)), "mrn".to_owned())];
        let run = ClusterRun {
            notes: place("s3://a/notes"),
            columns: ColumnOptions { columns, anchor: Some("day".to_owned()), ..ColumnOptions::default() },
            out: place("s3://a/out"),
            exchange: place("s3://a/exchange"),
            tasks: 3,
            overwrite: true,
            second_pass: false,
            memory: Some(1 << 30),
        };
        let table = run.table(&[0, 2].into()).unwrap();
        assert_eq!(table.batches.len(), 2);
        let sent: ClusterRun = serde_json::from_str(&serde_json::to_string(&run).unwrap()).unwrap();
        assert_eq!(format!("{sent:?}"), format!("{run:?}"));
        let options = sent.options(2, Path::new("/work")).unwrap();
        assert!(options.overwrite && !options.second_pass && options.task.is_some_and(|task| task.index == 2));
    }
}
