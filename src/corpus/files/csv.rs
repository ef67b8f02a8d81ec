//! What the engine's reader of CSV would change or confuse without a word: identifiers (a column of digits looks like numbers, and as numbers 00017
//! and 17 are one), times with an offset, and files whose columns come in another order.
//!
//! ```text
//! patient_id,age,ward_key,seen                       patient_id  text: it is called an identifier
//! 10017,64,0412,2019-03-04T22:00:00-05:00            age         an integer
//! 10018,71,0007,2019-03-05T08:30:00-05:00            ward_key    text: a number begins with a zero
//!                                                    seen        text: in universal time it would be another day
//! ```
//!
//! Every value is looked at before the first is read, so files of CSV are read twice.
//!
//! ```text
//! 10,000 times 2019-03-04, then 2019-03-05 10:00      text: as a date it would lose its time
//! ```

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use datafusion::catalog::TableProvider;
use datafusion::common::plan_err;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStore};

use super::csv_columns::{infer_schema, of_engine};
use super::listing::FILES_AT_ONCE;

/// Words by which columns of identifiers are called.
const IDENTIFIERS: [&str; 19] = [
    "account",
    "code",
    "csn",
    "encounterid",
    "fax",
    "fin",
    "id",
    "identifier",
    "mrn",
    "noteid",
    "npi",
    "patientid",
    "personid",
    "phone",
    "postal",
    "rowid",
    "ssn",
    "subjectid",
    "zip",
];

/// Refuses files of CSV whose first lines differ: the engine tells columns by their place, and would take those of one for those of another.
///
/// # Errors
/// [`datafusion::error::DataFusionError::Plan`] where two differ; those of the engine where one cannot be read.
pub(super) async fn refuse_other_columns(
    state: &SessionState,
    store: &Arc<dyn ObjectStore>,
    format: &Arc<dyn FileFormat>,
    files: &[ObjectMeta],
) -> Result<()> {
    let names = |file: &ObjectMeta| {
        let (format, file) = (Arc::clone(format), file.clone());
        async move {
            let schema = infer_schema(&format, state, store, std::slice::from_ref(&file)).await?;
            Ok::<_, DataFusionError>(schema.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>())
        }
    };
    let named: Vec<_> = files.iter().map(names).collect();
    let mut named = futures::stream::iter(named).buffered(FILES_AT_ONCE);
    let first = named.try_next().await?;
    while let Some(other) = named.try_next().await? {
        if first.as_ref() != Some(&other) {
            return plan_err!(
                "files of CSV in one place have different columns, or the same in another order, and are read by their order: \
                 name each file, or bring them into one order"
            );
        }
    }
    Ok(())
}

/// A table whose types were told by its values, with those columns as text that would change as numbers or times, if it is one of CSV; any other
/// as it is.
///
/// # Errors
/// Those of the engine where the files cannot be read, and of [`refuse_other_columns`].
pub(super) async fn with_identifiers_as_text(
    state: &SessionState,
    table: Arc<dyn TableProvider>,
) -> Result<Arc<dyn TableProvider>> {
    let table = as_of_engine(table)?;
    let Some(listing) = table.downcast_ref::<ListingTable>() else { return Ok(table) };
    let format = &listing.options().format;
    for url in listing.table_paths().iter().filter(|_| format.is::<CsvFormat>()) {
        let store = state.runtime_env().object_store(url)?;
        let files = url.list_all_files(state, store.as_ref(), &listing.options().file_extension).await?;
        let files: Vec<_> = files.try_filter(|file| std::future::ready(file.size > 0)).try_collect().await?;
        refuse_other_columns(state, &store, format, &files).await?;
    }
    let with_text = identifiers_as_text(state, listing, |table| Arc::new(table)).await?;
    Ok(with_text.map_or(table, |with_text| Arc::new(with_text)))
}

/// The table as the engine would have made it, whose columns are known by now.
///
/// # Errors
/// Those of the engine.
pub(super) fn as_of_engine(table: Arc<dyn TableProvider>) -> Result<Arc<dyn TableProvider>> {
    let Some(listing) = table.downcast_ref::<ListingTable>() else { return Ok(table) };
    let format = of_engine(&listing.options().format);
    if Arc::ptr_eq(&format, &listing.options().format) {
        return Ok(table);
    }
    let options = ListingOptions { format, ..listing.options().clone() };
    Ok(Arc::new(remade(listing, &[], options)?))
}

/// The table with identifiers and times with an offset as text, where it has some; `shown` is it without files that are hidden.
///
/// # Errors
/// Those of the engine where the files cannot be read.
pub(super) async fn identifiers_as_text(
    state: &SessionState,
    listing: &ListingTable,
    shown: impl FnOnce(ListingTable) -> Arc<dyn TableProvider>,
) -> Result<Option<ListingTable>> {
    if !listing.options().format.is::<CsvFormat>() {
        return Ok(None);
    }
    let schema = listing.schema();
    let names = |is_such: &dyn Fn(&Field) -> bool| -> Vec<&str> {
        schema.fields().iter().filter(|field| is_such(field)).map(|field| field.name().as_str()).collect()
    };
    let called_so = names(&|field| is_number(field) && is_identifier(field.name()));
    let told = names(&|field| (is_number(field) || is_time(field)) && !called_so.contains(&field.name().as_str()));
    let changed = |name: &str, value: &str| match schema.field_with_name(name).map(Field::data_type) {
        Ok(DataType::Int64 | DataType::Float64) => begins_with_zero(value),
        Ok(kind) => is_other_time(value.trim(), kind),
        Err(_) => false,
    };
    let mut identifiers = called_so;
    if !told.is_empty() {
        identifiers.extend(where_any(state, shown(with_text(listing, &told)?), &told, changed).await?);
    }
    if identifiers.is_empty() { Ok(None) } else { with_text(listing, &identifiers).map(Some) }
}

/// How a date is written; what is longer has a time.
const DATE: &str = "2019-03-04";

fn is_number(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Int64 | DataType::Float64)
}

fn is_time(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

fn begins_with_zero(value: &str) -> bool {
    value.len() > 1 && value.bytes().all(|byte| byte.is_ascii_digit()) && value.starts_with('0')
}

/// Whether a time tells how far it is from universal time: `2019-03-04T22:00:00-05:00`.
fn has_offset(value: &str) -> bool {
    value.get(DATE.len()..).is_some_and(|time| time.contains(['+', '-']))
}

/// Whether a time would become another, or lose a part, in a column of a type.
fn is_other_time(value: &str, kind: &DataType) -> bool {
    let fraction = value.split_once('.').map_or("", |(_, fraction)| fraction);
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    let lost = match kind {
        DataType::Timestamp(TimeUnit::Second, _) => digits > 0 || value.len() == DATE.len(),
        DataType::Timestamp(TimeUnit::Millisecond, _) => digits > 3 || value.len() == DATE.len(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => digits > 6 || value.len() == DATE.len(),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => digits > 9 || value.len() == DATE.len(),
        _ => value.len() > DATE.len(),
    };
    lost || has_offset(value)
}

/// Whether a column is called an identifier: `patient_id`, `PatientID`, `zip code`.
fn is_identifier(name: &str) -> bool {
    let mut parted = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            parted.push(' ');
        }
        parted.extend(letter.to_lowercase());
        before = letter;
    }
    parted.split(|letter: char| !letter.is_alphanumeric()).any(|word| IDENTIFIERS.contains(&word))
}

/// The same table with some of the columns of its files as text. An order that it was said to have may be that of numbers.
fn with_text(table: &ListingTable, columns: &[&str]) -> Result<ListingTable> {
    remade(table, columns, table.options().clone().with_file_sort_order(Vec::new()))
}

/// The same table with some of the columns of its files as text, read as `options` have it.
fn remade(table: &ListingTable, columns: &[&str], options: ListingOptions) -> Result<ListingTable> {
    let schema = table.schema();
    let partitions = &table.options().table_partition_cols;
    let in_files = schema.fields().iter().filter(|field| partitions.iter().all(|(name, _)| name != field.name()));
    let fields = in_files.map(|field| match columns.contains(&field.name().as_str()) {
        true => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
        false => Arc::clone(field),
    });
    let config = ListingTableConfig::new_with_multi_paths(table.table_paths().clone())
        .with_listing_options(options)
        .with_schema(Arc::new(Schema::new(fields.collect::<Vec<_>>())));
    let definition = table.get_table_definition().map(str::to_owned);
    let constraints = table.constraints().cloned().unwrap_or_default();
    Ok(ListingTable::try_new(config)?.with_definition(definition).with_constraints(constraints))
}

/// Those of the columns, all read as text, of whose values any is such. All are looked at, for the last one may be the first of its kind.
async fn where_any<'c>(
    state: &SessionState,
    table: Arc<dyn TableProvider>,
    columns: &[&'c str],
    is_such: impl Fn(&str, &str) -> bool,
) -> Result<Vec<&'c str>> {
    let context = SessionContext::new_with_state(state.clone());
    let mut batches = context.read_table(table)?.select_columns(columns)?.execute_stream().await?;
    let (mut found, mut sought): (Vec<&str>, Vec<&str>) = (Vec::new(), columns.to_vec());
    while !sought.is_empty()
        && let Some(batch) = batches.try_next().await?
    {
        sought.retain(|name| {
            let values = batch.column_by_name(name).and_then(|column| column.as_string_view_opt());
            let has_such = values.is_some_and(|values| values.iter().flatten().any(|value| is_such(name, value)));
            if has_such {
                found.push(*name);
            }
            !has_such
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_called_identifiers_and_times_with_an_offset() {
        for name in ["patient_id", "PatientID", "patientId", "MRN", "zip code", "Phone-1", "note.id", "ID"] {
            assert!(is_identifier(name), "{name}");
        }
        for time in ["2019-03-04T22:00:00-05:00", "2019-03-04 22:00+0100"] {
            assert!(has_offset(time), "{time}");
        }
        for time in ["2019-03-04", "2019-03-04T22:00:00Z", "2019-03-04 22:00:00", "", "—"] {
            assert!(!has_offset(time), "{time}");
        }
        let (date, second) = (DataType::Date32, DataType::Timestamp(TimeUnit::Second, None));
        let nanosecond = DataType::Timestamp(TimeUnit::Nanosecond, None);
        for (value, kind) in
            [("2019-03-04 10:00:00", &date), ("2019-03-04", &second), ("2019-03-04 10:00:00.5", &second)]
        {
            assert!(is_other_time(value, kind), "{value}");
        }
        for (value, kind) in
            [("2019-03-04", &date), ("2019-03-04T10:00:00Z", &second), ("2019-03-04 10:00:00.123456789", &nanosecond)]
        {
            assert!(!is_other_time(value, kind), "{value}");
        }
        for name in ["age", "paid", "period", "n_visits", "weight", "width", "codeine"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
