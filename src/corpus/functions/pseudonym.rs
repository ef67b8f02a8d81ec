//! `pseudonym(namespace, value)`: what stands for the value of an id column. Strings become opaque strings, integers other
//! integers; equal values of one namespace become equal pseudonyms, so that de-identified tables still join: strings with strings, integers with
//! integers of whatever width.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, Int64Array, StringViewBuilder};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int32Type, Int64Type, UInt64Type};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text, valid};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::source::identifiers;
use crate::surrogate::{Key, Pseudonyms};

/// Integers up to 32 bits signed stay so; wider ones have 64; anything else is text.
fn type_of(value: &DataType) -> DataType {
    match value {
        DataType::Int8 | DataType::Int16 | DataType::UInt8 | DataType::UInt16 | DataType::Int32 => DataType::Int32,
        DataType::UInt32 | DataType::Int64 | DataType::UInt64 => DataType::Int64,
        _ => DataType::Utf8View,
    }
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "pseudonym",
        &[&[Argument::Text("namespace"), Argument::Any("value")]],
        |types| type_of(&types[1]),
        (
            "pseudonym(namespace, value)",
            "A keyed pseudonym of an identifier: equal values of one namespace give equal pseudonyms.",
        ),
        move |arguments| {
            let key = deidentifier.key()?;
            let namespaces = text(&arguments[0]);
            pseudonyms(key, (0..namespaces.len()).map(|row| valid(namespaces, row)), &arguments[1])
        },
    )
}

/// The pseudonyms of the values of a column within one namespace, as the function makes them.
///
/// # Errors
/// Where a value is no identifier of its type.
pub(in crate::corpus) fn pseudonyms_within(key: &Key, namespace: &str, values: &ArrayRef) -> Result<ArrayRef> {
    pseudonyms(key, std::iter::repeat_n(Some(namespace), values.len()), values)
}

/// None where a value is null, or its namespace.
fn pseudonyms<'n>(key: &Key, namespaces: impl Iterator<Item = Option<&'n str>>, values: &ArrayRef) -> Result<ArrayRef> {
    let mut within = Within { key, known: None };
    Ok(match type_of(values.data_type()) {
        DataType::Int32 => {
            let values = cast(values, &DataType::Int32)?;
            let pairs = namespaces.zip(values.as_primitive::<Int32Type>());
            Arc::new(
                pairs
                    .map(|(namespace, value)| Some(within.namespace(namespace?).integer_32(value?)))
                    .collect::<Int32Array>(),
            )
        }
        DataType::Int64 => {
            let values = match values.as_primitive_opt::<UInt64Type>() {
                Some(unsigned) => Arc::new(unsigned.unary::<_, Int64Type>(|value| value as i64)) as ArrayRef,
                None => cast(values, &DataType::Int64)?,
            };
            let pairs = namespaces.zip(values.as_primitive::<Int64Type>());
            Arc::new(
                pairs
                    .map(|(namespace, value)| Some(within.namespace(namespace?).integer(value?)))
                    .collect::<Int64Array>(),
            )
        }
        _ => {
            let values = identifiers(values)?;
            let mut pseudonyms = StringViewBuilder::with_capacity(values.len());
            for (namespace, value) in namespaces.zip(&values) {
                let pair = namespace.zip(value);
                pseudonyms.append_option(pair.map(|(namespace, value)| within.namespace(namespace).text(value)));
            }
            Arc::new(pseudonyms.finish())
        }
    })
}

/// A namespace is nearly always a constant: its pseudonyms are made anew only where it changes. It is the name of a column, whose case is of no account.
struct Within<'k> {
    key: &'k Key,
    known: Option<(String, Pseudonyms)>,
}

impl Within<'_> {
    fn namespace(&mut self, name: &str) -> &Pseudonyms {
        if self.known.as_ref().is_none_or(|(known, _)| known != name) {
            self.known = None;
        }
        &self.known.get_or_insert_with(|| (name.to_owned(), Pseudonyms::new(self.key, &name.to_lowercase()))).1
    }
}
