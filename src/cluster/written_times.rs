//! How times are written as CSV, said outright: a plan that travels tells of a form that was not chosen as of an empty one, which writes nothing.
//!
//! ```text
//! COPY (SELECT note_datetime …) TO 'x.csv'      2015-07-08T09:18:00, as in one process
//! ```

use std::any::Any;
use std::sync::Arc;

use datafusion::common::file_options::csv_writer::CsvWriterOptions;
use datafusion::common::not_impl_err;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::datasource::file_format::csv::CsvSink;
use datafusion::datasource::physical_plan::FileSink;
use datafusion::datasource::sink::DataSinkExec;
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;

/// As the engine writes them where nobody says how: a fraction of a second stands there where there is one.
const DATE: &str = "%Y-%m-%d";
const TIMESTAMP: &str = "%Y-%m-%dT%H:%M:%S%.f";
const TIME: &str = "%H:%M:%S%.f";

/// A plan whose files of CSV have the forms of their dates and times with them.
///
/// # Errors
/// [`datafusion::error::DataFusionError::NotImplemented`] for a form that no plan tells of.
pub(super) fn with_forms_of_times(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    plan.transform_up(|node| {
        let Some(exec) = node.downcast_ref::<DataSinkExec>() else { return Ok(Transformed::no(node)) };
        let Some(sink) = (exec.sink() as &dyn Any).downcast_ref::<CsvSink>() else { return Ok(Transformed::no(node)) };
        let options = sink.writer_options();
        let given = &options.writer_options;
        if given.timestamp_tz_format().is_some() {
            return not_impl_err!("a cluster is not told of a form of times with a zone; ask it without --cluster");
        }
        let form = |given: Option<&str>, usual: &str| given.unwrap_or(usual).to_owned();
        let (date, time) = (form(given.date_format(), DATE), form(given.time_format(), TIME));
        let (datetime, timestamp) =
            (form(given.datetime_format(), TIMESTAMP), form(given.timestamp_format(), TIMESTAMP));
        let writer = given.clone().with_date_format(date).with_time_format(time);
        let writer = writer.with_datetime_format(datetime).with_timestamp_format(timestamp);
        let options = CsvWriterOptions { writer_options: writer, ..options.clone() };
        let sink = Arc::new(CsvSink::new(sink.config().clone(), options));
        let input = Arc::clone(exec.input());
        Ok(Transformed::yes(Arc::new(DataSinkExec::new(input, sink, exec.sort_order().clone()))))
    })
    .data()
}
