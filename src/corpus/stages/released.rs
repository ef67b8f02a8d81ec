//! What becomes of each column, as a statement: `sql/replace.sql` with its parameters.
//!
//! ```text
//! text ─ text ─▶ replace_spans("text", __patient, "__claims text")      note_date ─ date ─▶ shift_date("note_date", __patient)
//! ```

use super::offsets;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::schema::{Column, Columns, Role};
use crate::corpus::source::Source;

/// `sql/replace.sql` with its parameters, made from the roles of the columns; `is_mapped` adds where replaced spans stand.
pub(super) fn statement(source: &Source, is_mapped: bool) -> Result<String> {
    let claims = source
        .columns
        .of(Role::Text)
        .map(|column| format!("note_spans({}, __patient) AS {}", quoted(&column.name), quoted(&claims_name(column))));
    let near = anchored(&source.columns);
    let arguments =
        |column: &Column| format!("{}, __patient, {}{near}", quoted(&column.name), quoted(&claims_name(column)));
    let kept = source.columns.iter().filter(|column| !column.partition && column.role != Role::Drop);
    let mut columns: Vec<String> = kept
        .map(|column| released(&source.columns, column, &format!("replace_spans({})", arguments(column))))
        .collect();
    columns.extend(source.columns.of(Role::Text).map(|column| quoted(&claims_name(column))));
    let given = |column: &Column| format!("{} IS NOT NULL AS {}", quoted(&column.name), quoted(&given_name(column)));
    columns.extend(may_be_taken_out(&source.columns).map(given));
    if is_mapped && let Some(note) = source.columns.note() {
        columns.push(format!("CAST({} AS VARCHAR) AS {}", quoted(&note.name), quoted(offsets::NOTE)));
        let places =
            |column: &Column| format!("replaced_spans({}) AS {}", arguments(column), quoted(&offsets::name(column)));
        columns.extend(source.columns.of(Role::Text).map(places));
    }
    let template = include_str!("../../../sql/replace.sql");
    let statement = template.lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
    let parts = statement.split_once("{columns}").and_then(|(head, rest)| Some((head, rest.split_once("{claims}")?)));
    let (head, (middle, tail)) = parts.ok_or_else(|| CorpusError::internal("sql/replace.sql has lost a parameter"))?;
    let claims = claims.collect::<Vec<_>>().join(", ");
    Ok(format!("{head}{}{middle}{claims}{tail}", columns.join(", ")))
}

/// The last arguments of what replaces in texts, where dates without a year follow the day of the note: policy and mode are the session's.
pub(in crate::corpus) fn anchored(columns: &Columns) -> String {
    columns.anchor().map_or_else(String::new, |anchor| format!(", NULL, NULL, {}", quoted(&anchor.name)))
}

/// What becomes of a column of `notes` that is not dropped, in SQL, where `replaced` is what becomes of a text.
pub(in crate::corpus) fn released(columns: &Columns, column: &Column, replaced: &str) -> String {
    let name = quoted(&column.name);
    let near = columns.anchor().map_or_else(String::new, |anchor| format!(", {}", quoted(&anchor.name)));
    match column.role {
        Role::Text => format!("{replaced} AS {name}"),
        Role::Date => format!("shift_date({name}, __patient{near}) AS {name}"),
        Role::Mapped(class) => {
            format!("mapped_value({}, {name}, __patient{near}) AS {name}", literal(&class.to_string()))
        }
        Role::Id | Role::Note | Role::Patient => {
            format!("pseudonym({}, {name}) AS {name}", literal(&namespace(column)))
        }
        Role::Keep | Role::Drop => name,
    }
}

/// The columns of which null stands for a value that holds more.
pub(super) fn may_be_taken_out(columns: &Columns) -> impl Iterator<Item = &Column> {
    columns.iter().filter(|column| !column.partition && matches!(column.role, Role::Date | Role::Mapped(_)))
}

/// The column that tells where such a column had a value.
pub(super) fn given_name(column: &Column) -> String {
    format!("__given {}", column.name)
}

/// The column of the claims on a column of texts.
pub(super) fn claims_name(column: &Column) -> String {
    format!("__claims {}", column.name)
}

/// The name of a column, as statements have it.
pub(in crate::corpus) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Within what pseudonyms are consistent: patients over all tables, other ids over columns of one name.
pub(in crate::corpus) fn namespace(column: &Column) -> String {
    match column.role {
        Role::Patient => "patient".to_owned(),
        _ => column.name.to_lowercase(),
    }
}
