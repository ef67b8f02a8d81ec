//! What clients ask about the server and its tables: catalogs, schemas, tables, types, and what SQL it speaks.
//!
//! All answers are one batch, made of what the session of the role has.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow_flight::error::FlightError;
use arrow_flight::sql::metadata::{
    SqlInfoData, SqlInfoDataBuilder, XdbcTypeInfo, XdbcTypeInfoData, XdbcTypeInfoDataBuilder,
};
use arrow_flight::sql::{
    Command, CommandGetDbSchemas, CommandGetTables, Nullable, Searchable, SqlInfo, SqlNullOrdering,
    SqlSupportedCaseSensitivity, SqlSupportedTransaction, XdbcDataType,
};
use datafusion::logical_expr::TableType;
use datafusion::prelude::SessionContext;
use tonic::Status;

use super::statement::sent;

/// What all tables lie in.
const CATALOG: &str = "plainsight";
const SCHEMA: &str = "public";

/// The answer to a question about the server or its tables; none where the command is another one.
///
/// # Errors
/// `INVALID_ARGUMENT` for a pattern that cannot be understood.
pub(super) async fn answer(command: &Command, context: &SessionContext) -> Result<Option<RecordBatch>, Status> {
    let fail = |error: FlightError| Status::invalid_argument(format!("the question cannot be answered: {error}"));
    let arrow = |error| fail(FlightError::Arrow(error));
    Ok(Some(match command {
        Command::CommandGetCatalogs(query) => {
            let mut catalogs = (*query).into_builder();
            catalogs.append(CATALOG);
            catalogs.build().map_err(fail)?
        }
        Command::CommandGetDbSchemas(query) => schemas(query.clone()).map_err(fail)?,
        Command::CommandGetTables(query) => tables(query.clone(), context).await?,
        Command::CommandGetTableTypes(_) => table_types().map_err(arrow)?,
        Command::CommandGetSqlInfo(query) => {
            let info = INFO.as_ref().map_err(|_| Status::internal("what the server can do cannot be told"))?;
            query.clone().into_builder(info).build().map_err(fail)?
        }
        Command::CommandGetXdbcTypeInfo(query) => {
            let types = TYPES.as_ref().map_err(|_| Status::internal("the types cannot be told"))?;
            query.into_builder(types).build().map_err(fail)?
        }
        Command::CommandGetPrimaryKeys(_) => RecordBatch::new_empty(primary_keys()),
        Command::CommandGetExportedKeys(_)
        | Command::CommandGetImportedKeys(_)
        | Command::CommandGetCrossReference(_) => RecordBatch::new_empty(foreign_keys()),
        _ => return Ok(None),
    }))
}

fn schemas(query: CommandGetDbSchemas) -> Result<RecordBatch, FlightError> {
    let mut schemas = query.into_builder();
    schemas.append(CATALOG, SCHEMA);
    schemas.build()
}

async fn tables(query: CommandGetTables, context: &SessionContext) -> Result<RecordBatch, Status> {
    let fail = |_| Status::invalid_argument("the tables cannot be listed by this pattern");
    let mut tables = query.into_builder();
    if let Some(schema) = context.catalog(CATALOG).and_then(|catalog| catalog.schema(SCHEMA)) {
        for name in schema.table_names() {
            let Ok(Some(table)) = schema.table(&name).await else { continue };
            let kind = match table.table_type() {
                TableType::View => "VIEW",
                _ => "TABLE",
            };
            tables.append(CATALOG, SCHEMA, &name, kind, &sent(&table.schema())).map_err(fail)?;
        }
    }
    tables.build().map_err(fail)
}

fn table_types() -> Result<RecordBatch, arrow::error::ArrowError> {
    let types: ArrayRef = Arc::new(StringArray::from(vec!["TABLE", "VIEW"]));
    let schema = Schema::new(vec![Field::new("table_type", DataType::Utf8, false)]);
    RecordBatch::try_new(Arc::new(schema), vec![types])
}

fn text(name: &str, nullable: bool) -> Field {
    Field::new(name, DataType::Utf8, nullable)
}

fn primary_keys() -> SchemaRef {
    Arc::new(Schema::new(vec![
        text("catalog_name", true),
        text("db_schema_name", true),
        text("table_name", false),
        text("column_name", false),
        Field::new("key_sequence", DataType::Int32, false),
        text("key_name", true),
    ]))
}

fn foreign_keys() -> SchemaRef {
    let of = |side: &str| {
        let name = |part: &str| format!("{side}_{part}");
        [
            text(&name("catalog_name"), true),
            text(&name("db_schema_name"), true),
            text(&name("table_name"), false),
            text(&name("column_name"), false),
        ]
    };
    let last = [
        Field::new("key_sequence", DataType::Int32, false),
        text("fk_key_name", true),
        text("pk_key_name", true),
        Field::new("update_rule", DataType::UInt8, false),
        Field::new("delete_rule", DataType::UInt8, false),
    ];
    Arc::new(Schema::new([of("pk"), of("fk")].into_iter().flatten().chain(last).collect::<Vec<_>>()))
}

static INFO: LazyLock<Result<SqlInfoData, FlightError>> = LazyLock::new(|| {
    let mut info = SqlInfoDataBuilder::new();
    info.append(SqlInfo::FlightSqlServerName, "plainsight");
    info.append(SqlInfo::FlightSqlServerVersion, env!("CARGO_PKG_VERSION"));
    info.append(SqlInfo::FlightSqlServerArrowVersion, "59.3");
    info.append(SqlInfo::FlightSqlServerReadOnly, true);
    info.append(SqlInfo::FlightSqlServerSql, true);
    info.append(SqlInfo::FlightSqlServerSubstrait, false);
    info.append(SqlInfo::FlightSqlServerTransaction, SqlSupportedTransaction::None as i32);
    info.append(SqlInfo::FlightSqlServerCancel, true);
    info.append(SqlInfo::FlightSqlServerBulkIngestion, false);
    info.append(SqlInfo::FlightSqlServerIngestTransactionsSupported, false);
    info.append(SqlInfo::FlightSqlServerStatementTimeout, 0);
    info.append(SqlInfo::FlightSqlServerTransactionTimeout, 0);
    info.append(SqlInfo::SqlDdlCatalog, false);
    info.append(SqlInfo::SqlDdlSchema, false);
    info.append(SqlInfo::SqlDdlTable, false);
    info.append(SqlInfo::SqlIdentifierCase, SqlSupportedCaseSensitivity::SqlCaseSensitivityLowercase as i32);
    info.append(SqlInfo::SqlIdentifierQuoteChar, "\"");
    info.append(
        SqlInfo::SqlQuotedIdentifierCase,
        SqlSupportedCaseSensitivity::SqlCaseSensitivityCaseInsensitive as i32,
    );
    info.append(SqlInfo::SqlAllTablesAreSelectable, true);
    info.append(SqlInfo::SqlNullOrdering, SqlNullOrdering::SqlNullsSortedHigh as i32);
    info.append(SqlInfo::SqlTransactionsSupported, false);
    info.build()
});

static TYPES: LazyLock<Result<XdbcTypeInfoData, FlightError>> = LazyLock::new(|| {
    let mut types = XdbcTypeInfoDataBuilder::new();
    for (name, data_type, size) in [
        ("BOOLEAN", XdbcDataType::XdbcBit, 1),
        ("SMALLINT", XdbcDataType::XdbcSmallint, 16),
        ("INTEGER", XdbcDataType::XdbcInteger, 32),
        ("BIGINT", XdbcDataType::XdbcBigint, 64),
        ("REAL", XdbcDataType::XdbcReal, 24),
        ("DOUBLE", XdbcDataType::XdbcDouble, 53),
        ("DATE", XdbcDataType::XdbcDate, 10),
        ("TIMESTAMP", XdbcDataType::XdbcTimestamp, 29),
        ("VARCHAR", XdbcDataType::XdbcVarchar, i32::MAX),
    ] {
        let quoted =
            matches!(data_type, XdbcDataType::XdbcVarchar | XdbcDataType::XdbcDate | XdbcDataType::XdbcTimestamp);
        let quote = quoted.then(|| "'".to_owned());
        types.append(XdbcTypeInfo {
            type_name: name.to_owned(),
            data_type,
            column_size: Some(size),
            literal_prefix: quote.clone(),
            literal_suffix: quote,
            create_params: None,
            nullable: Nullable::NullabilityNullable,
            case_sensitive: data_type == XdbcDataType::XdbcVarchar,
            searchable: Searchable::Full,
            unsigned_attribute: Some(false),
            fixed_prec_scale: false,
            auto_increment: Some(false),
            local_type_name: Some(name.to_owned()),
            minimum_scale: None,
            maximum_scale: None,
            sql_data_type: data_type,
            datetime_subcode: None,
            num_prec_radix: None,
            interval_precision: None,
        });
    }
    types.build()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_fixed_can_be_built() {
        assert!(INFO.is_ok() && TYPES.is_ok() && table_types().is_ok());
        assert_eq!((primary_keys().fields().len(), foreign_keys().fields().len()), (6, 13));
    }
}
