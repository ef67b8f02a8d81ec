//! Identifiers in CSV: a column of digits looks like numbers, and as numbers 00017 and 17 are one.
//!
//! ```text
//! patient_id,age,ward_key     patient_id  text: it is called an identifier
//! 10017,64,0412               age         an integer
//! 10018,71,0007               ward_key    text: a number begins with a zero
//! ```

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::listing::{ListingTable, ListingTableConfig};
use datafusion::error::Result;
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;

/// So many rows are looked at for numbers that begin with a zero.
const SAMPLED_ROWS: usize = 10_000;
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

/// A table whose types were told by its values, with those columns of numbers as text that are identifiers, if it is one of CSV; any other as it is.
///
/// # Errors
/// Those of the engine where the files cannot be read.
pub(super) async fn with_identifiers_as_text(
    state: &SessionState,
    table: Arc<dyn TableProvider>,
) -> Result<Arc<dyn TableProvider>> {
    let Some(listing) = table.downcast_ref::<ListingTable>() else { return Ok(table) };
    let with_text = identifiers_as_text(state, listing, |table| Arc::new(table)).await?;
    Ok(with_text.map_or(table, |with_text| Arc::new(with_text)))
}

/// The table with identifiers as text, where it has some; `shown` is it without files that are hidden.
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
    let numbers = schema.fields().iter().filter(|field| is_number(field)).map(|field| field.name().as_str());
    let numbers: Vec<&str> = numbers.collect();
    if numbers.is_empty() {
        return Ok(None);
    }
    let zeros = beginning_with_zero(state, shown(with_text(listing, &numbers)?), &numbers).await?;
    let identifiers = numbers.into_iter().filter(|name| is_identifier(name) || zeros.contains(name));
    let identifiers: Vec<&str> = identifiers.collect();
    if identifiers.is_empty() { Ok(None) } else { with_text(listing, &identifiers).map(Some) }
}

fn is_number(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Int64 | DataType::Float64)
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
    let schema = table.schema();
    let partitions = &table.options().table_partition_cols;
    let in_files = schema.fields().iter().filter(|field| partitions.iter().all(|(name, _)| name != field.name()));
    let fields = in_files.map(|field| match columns.contains(&field.name().as_str()) {
        true => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
        false => Arc::clone(field),
    });
    let config = ListingTableConfig::new_with_multi_paths(table.table_paths().clone())
        .with_listing_options(table.options().clone().with_file_sort_order(Vec::new()))
        .with_schema(Arc::new(Schema::new(fields.collect::<Vec<_>>())));
    let definition = table.get_table_definition().map(str::to_owned);
    let constraints = table.constraints().cloned().unwrap_or_default();
    Ok(ListingTable::try_new(config)?.with_definition(definition).with_constraints(constraints))
}

/// Those of the columns, all read as text, in whose first values a number begins with a zero.
async fn beginning_with_zero<'c>(
    state: &SessionState,
    table: Arc<dyn TableProvider>,
    columns: &[&'c str],
) -> Result<Vec<&'c str>> {
    let context = SessionContext::new_with_state(state.clone());
    let values = context.read_table(table)?.select_columns(columns)?.limit(0, Some(SAMPLED_ROWS))?.collect().await?;
    let begins_with_zero =
        |value: &str| value.len() > 1 && value.bytes().all(|byte| byte.is_ascii_digit()) && value.starts_with('0');
    let has_zero = |name: &&str| {
        values
            .iter()
            .filter_map(|batch| batch.column_by_name(name)?.as_string_view_opt())
            .any(|values| values.iter().flatten().any(begins_with_zero))
    };
    Ok(columns.iter().copied().filter(has_zero).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_called_identifiers() {
        for name in ["patient_id", "PatientID", "patientId", "MRN", "zip code", "Phone-1", "note.id", "ID"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["age", "paid", "period", "n_visits", "weight", "width", "codeine"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
