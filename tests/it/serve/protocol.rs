//! What clients and drivers ask besides rows.

use arrow::array::AsArray;
use arrow_flight::flight_service_client::FlightServiceClient;
use arrow_flight::sql::{
    CommandGetDbSchemas, CommandGetTables, CommandGetXdbcTypeInfo, CommandStatementQuery, ProstMessageExt, SqlInfo,
};
use arrow_flight::{FlightDescriptor, FlightInfo, IpcMessage};
use futures::TryStreamExt;
use prost::Message;
use tonic::Code;

use super::{Client, Server, audit, status, token};
use crate::support::{Place, note};

async fn fetched(client: &mut Client, info: FlightInfo) -> arrow::array::RecordBatch {
    let schema = std::sync::Arc::new(info.clone().try_decode_schema().unwrap());
    let rows = client.do_get(info.endpoint[0].ticket.clone().unwrap()).await.unwrap();
    let batches: Vec<_> = rows.try_collect().await.unwrap();
    arrow::compute::concat_batches(&schema, &batches).unwrap()
}

async fn served(place: &Place) -> (Server, Client, Client) {
    place.write_lines("notes.jsonl", &[note(1, "P1", "Ada came."), note(2, "P1", "Ada left.")]);
    let (board, ann) = (token(place, "board", "deidentified"), token(place, "ann", "confidential"));
    let server = Server::start(place, "notes.jsonl", &[]);
    let (board, ann) = (server.client(&board).await, server.client(&ann).await);
    (server, board, ann)
}

#[tokio::test]
async fn tables_and_types_are_listed() {
    let place = Place::new();
    let (_server, mut board, mut ann) = served(&place).await;
    let info = board.get_catalogs().await.unwrap();
    assert_eq!(fetched(&mut board, info).await.column(0).as_string::<i32>().value(0), "plainsight");
    let info =
        board.get_db_schemas(CommandGetDbSchemas { catalog: None, db_schema_filter_pattern: None }).await.unwrap();
    assert_eq!(fetched(&mut board, info).await.column(1).as_string::<i32>().value(0), "public");
    let tables = |pattern: Option<&str>| CommandGetTables {
        catalog: None,
        db_schema_filter_pattern: None,
        table_name_filter_pattern: pattern.map(str::to_owned),
        table_types: vec![],
        include_schema: true,
    };
    for (client, names) in [(&mut board, vec!["notes"]), (&mut ann, vec!["documents", "notes"])] {
        let info = client.get_tables(tables(None)).await.unwrap();
        let listed = fetched(client, info).await;
        let mut listed_names: Vec<_> =
            listed.column(2).as_string::<i32>().iter().flatten().map(str::to_owned).collect();
        listed_names.sort();
        assert_eq!(listed_names, names);
    }
    let info = board.get_tables(tables(Some("no%s"))).await.unwrap();
    let listed = fetched(&mut board, info).await;
    let schema =
        arrow::datatypes::Schema::try_from(IpcMessage(listed.column(4).as_binary::<i32>().value(0).to_vec().into()))
            .unwrap();
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["note_id", "patient_id", "text"]);
    assert_eq!(listed.column(3).as_string::<i32>().value(0), "VIEW");
    let info = board.get_table_types().await.unwrap();
    assert_eq!(fetched(&mut board, info).await.num_rows(), 2);
    let info = board.get_sql_info(vec![SqlInfo::FlightSqlServerName, SqlInfo::FlightSqlServerReadOnly]).await.unwrap();
    assert_eq!(fetched(&mut board, info).await.num_rows(), 2);
    let info = board.get_xdbc_type_info(CommandGetXdbcTypeInfo { data_type: None }).await.unwrap();
    assert_eq!(fetched(&mut board, info).await.num_rows(), 9);
    let key = arrow_flight::sql::CommandGetPrimaryKeys { catalog: None, db_schema: None, table: "notes".to_owned() };
    let info = board.get_primary_keys(key).await.unwrap();
    assert_eq!(fetched(&mut board, info).await.num_rows(), 0);
    let keys = arrow_flight::sql::CommandGetImportedKeys { catalog: None, db_schema: None, table: "notes".to_owned() };
    let info = board.get_imported_keys(keys).await.unwrap();
    assert_eq!(fetched(&mut board, info).await.num_rows(), 0);
}

#[tokio::test]
async fn statements_are_prepared_used_twice_and_closed() {
    let place = Place::new();
    let (_server, mut board, mut ann) = served(&place).await;
    let mut prepared = board.prepare("SELECT note_id, text FROM notes".to_owned(), None).await.unwrap();
    assert_eq!(prepared.dataset_schema().unwrap().fields().len(), 2);
    assert_eq!(prepared.parameter_schema().unwrap().fields().len(), 0);
    let info = prepared.execute().await.unwrap();
    for _ in 0..2 {
        assert_eq!(fetched(&mut board, info.clone()).await.num_rows(), 2);
    }
    let ticket = info.endpoint[0].ticket.clone().unwrap();
    // Another user's handle is no handle.
    assert_eq!(status(ann.do_get(ticket.clone()).await.map(drop).unwrap_err()).code(), Code::NotFound);
    prepared.close().await.unwrap();
    assert_eq!(status(board.do_get(ticket).await.map(drop).unwrap_err()).code(), Code::NotFound);
    let refused = board.prepare("COPY notes TO 'x.csv'".to_owned(), None).await.map(drop).unwrap_err();
    assert_eq!(status(refused).code(), Code::PermissionDenied);
}

/// A value as text, whatever kind of string it comes as.
fn text(batch: &arrow::array::RecordBatch, column: usize, row: usize) -> String {
    let strings = arrow::compute::cast(batch.column(column), &arrow::datatypes::DataType::Utf8).unwrap();
    strings.as_string::<i32>().value(row).to_owned()
}

/// One row of values, as a client binds it.
fn row(columns: Vec<arrow::array::ArrayRef>) -> arrow::array::RecordBatch {
    let named = columns.into_iter().enumerate().map(|(index, column)| (format!("p{index}"), column));
    arrow::array::RecordBatch::try_from_iter(named).unwrap()
}

#[tokio::test]
async fn parameters_of_a_prepared_statement_get_values() {
    let place = Place::new();
    let (_server, mut board, mut ann) = served(&place).await;
    let question = "SELECT note_id, text FROM notes WHERE note_id = ? AND patient_id = ?";
    let mut prepared = board.prepare(question.to_owned(), None).await.unwrap();
    let names: Vec<_> =
        prepared.parameter_schema().unwrap().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["$1", "$2"]);
    let info = prepared.execute().await.unwrap();
    let unbound = board.do_get(info.endpoint[0].ticket.clone().unwrap()).await.map(drop).unwrap_err();
    assert!(status(unbound).message().contains("2 parameters"));
    let words = |word: &str| std::sync::Arc::new(arrow::array::StringArray::from(vec![word])) as arrow::array::ArrayRef;
    // This role knows notes and patients by their surrogates only, and asks for them.
    let ticket = board.execute("SELECT note_id, patient_id FROM notes".to_owned(), None).await.unwrap();
    let seen = fetched(&mut board, ticket).await;
    let (first, second, patient) = (text(&seen, 0, 0), text(&seen, 0, 1), text(&seen, 1, 0));
    for (note, patient, rows) in [(&*first, &*patient, 1), (&second, &patient, 1), (&first, "P1", 0)] {
        prepared.set_parameters(row(vec![words(note), words(patient)])).unwrap();
        let info = prepared.execute().await.unwrap();
        assert_eq!(fetched(&mut board, info).await.num_rows(), rows, "{note} {patient}");
    }
    // Each of several rows has its answer.
    let all = |values: &[&str]| {
        std::sync::Arc::new(arrow::array::StringArray::from(values.to_vec())) as arrow::array::ArrayRef
    };
    let some = row(vec![all(&[&first, &second, &first]), all(&[&patient, &patient, "P1"])]);
    prepared.set_parameters(some).unwrap();
    let info = prepared.execute().await.unwrap();
    assert_eq!(fetched(&mut board, info).await.num_rows(), 2);
    let many = all(&["N1"; 33]);
    for unfit in [row(vec![words("N1")]), row(vec![std::sync::Arc::clone(&many), many])] {
        prepared.set_parameters(unfit).unwrap();
        assert_eq!(status(prepared.execute().await.map(drop).unwrap_err()).code(), Code::InvalidArgument);
    }
    // Statements that are not prepared have nothing to take values from, and what a role may not do it may not prepare.
    let refused = board.execute(question.to_owned(), None).await.map(drop).unwrap_err();
    assert!(status(refused).message().contains("prepare it"));
    let oracle = "SELECT surrogate('PATIENT', ?, 'P1')".to_owned();
    assert!(board.prepare(oracle.clone(), None).await.is_err());
    let mut known = ann.prepare(oracle, None).await.unwrap();
    known.set_parameters(row(vec![words("Ada")])).unwrap();
    let info = known.execute().await.unwrap();
    let answer = fetched(&mut ann, info).await;
    assert_eq!(answer.num_rows(), 1);
    assert_ne!(text(&answer, 0, 0), "Ada");
}

#[tokio::test]
async fn what_writes_is_refused() {
    let place = Place::new();
    let (_server, _, mut ann) = served(&place).await;
    assert_eq!(
        status(ann.execute_update("DELETE FROM notes".to_owned(), None).await.unwrap_err()).code(),
        Code::PermissionDenied
    );
    assert_eq!(status(ann.begin_transaction().await.map(drop).unwrap_err()).code(), Code::Unimplemented);
    let refused = ann.execute("SELECT 1".to_owned(), Some(vec![1].into())).await.map(drop).unwrap_err();
    assert_eq!(status(refused).code(), Code::InvalidArgument);
    // What is in nobody's list is told so, and does no harm.
    let odd = ann.do_get(arrow_flight::Ticket::new(vec![255_u8; 40])).await.map(drop).unwrap_err();
    assert_eq!(status(odd).code(), Code::InvalidArgument);
}

/// What a statement's columns tell is told of too, whether or not a row is fetched.
#[tokio::test]
async fn what_is_planned_and_not_fetched_is_in_the_audit_log() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Ada came.")]);
    let ann = token(&place, "ann", "confidential");
    let server = Server::start(&place, "notes.jsonl", &[]);
    server.client(&ann).await.prepare("SELECT text FROM notes WHERE patient_id = ?".to_owned(), None).await.unwrap();
    let endpoint = server.address.replace("grpc+tcp", "http");
    let channel = tonic::transport::Endpoint::from_shared(endpoint).unwrap().connect().await.unwrap();
    let mut client = FlightServiceClient::new(channel);
    let question = CommandStatementQuery { query: "SELECT text FROM notes".to_owned(), transaction_id: None };
    let mut request = tonic::Request::new(FlightDescriptor::new_cmd(question.as_any().encode_to_vec()));
    request.metadata_mut().insert("authorization", format!("Bearer {ann}").parse().unwrap());
    client.get_schema(request).await.unwrap();
    // Before anything is done with it: whoever goes away meanwhile has asked all the same.
    assert_eq!(audit(&place).iter().filter(|line| line["event"] == "query_asked").count(), 2);
    let planned: Vec<_> = audit(&place).into_iter().filter(|line| line["event"] == "query_planned").collect();
    assert_eq!(planned.len(), 2, "{planned:#?}");
    for line in &planned {
        assert!(line["user"] == "ann" && line["statement"] == "SELECT" && line["digest"].is_string(), "{line}");
    }
    assert_ne!(planned[0]["digest"], planned[1]["digest"]);
}
