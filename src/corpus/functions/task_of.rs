//! `task_of(text, tasks)`: which of several tasks answers for a text.

use std::sync::Arc;

use arrow::array::{AsArray, UInt32Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, UInt32Type};
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "task_of",
        &[&[Argument::Text("text"), Argument::Any("tasks")]],
        |_| DataType::UInt32,
        (
            "task_of(text, tasks)",
            "Which of so many tasks, from 0, answers for a text, by a prefix of its keyed hash: the same for all who ask.",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let tasks = cast(&arguments[1], &DataType::UInt32)?;
            let of = |(text, tasks): (Option<&str>, Option<u32>)| {
                let prefix = *hasher.hash(text?).first_chunk()?;
                // The prefix is spread evenly over all numbers of 32 bits, so this is over tasks.
                Some(((u64::from(u32::from_be_bytes(prefix)) * u64::from(tasks?)) >> 32) as u32)
            };
            let tasks = tasks.as_primitive::<UInt32Type>();
            Ok(Arc::new(text(&arguments[0]).iter().zip(tasks).map(of).collect::<UInt32Array>()))
        },
    )
}
