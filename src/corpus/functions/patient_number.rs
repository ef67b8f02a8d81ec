//! `patient_number(patient)`: a keyed hash of 64 bits, by which distinct patients are counted.

use std::sync::Arc;

use arrow::array::UInt64Array;
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::source::PSEUDO_PATIENT;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "patient_number",
        &[&[Argument::Identifier("patient")]],
        |_| DataType::UInt64,
        (
            "patient_number(patient)",
            "A keyed hash of 64 bits by which distinct patients are counted; notes without a patient count as of one.",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            // Notes of nobody known may all be of one patient: no floor may rest on their number.
            let number = |patient: &str| match patient.starts_with(PSEUDO_PATIENT) {
                true => 0,
                false => (u128::from_be_bytes(hasher.hash(patient)) >> 64) as u64,
            };
            Ok(Arc::new(text(&arguments[0]).iter().map(|patient| patient.map(number)).collect::<UInt64Array>()))
        },
    )
}
