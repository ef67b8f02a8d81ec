//! Queries that are too long, too many, too large, or left alone; and the end of the server.

use std::time::{Duration, Instant};

use arrow_flight::sql::{ActionCancelQueryRequest, ActionCancelQueryResult, Any, ProstMessageExt};
use arrow_flight::{Action, CancelFlightInfoRequest, CancelFlightInfoResult, CancelStatus};
use futures::TryStreamExt;
use prost::Message;
use tonic::Code;

use super::{Server, ask, audit, audited, refusal, rows, status, token};
use crate::support::{Place, note};

/// What takes longer does not end, whatever else the machine has to do.
const LONGEST: Duration = Duration::from_secs(120);
/// Takes until somebody ends it.
const ENDLESS: &str = "SELECT count(*) FROM generate_series(1, 9000000000000) WHERE value % 7 = 8";
/// Gives rows without end.
const STREAM: &str = "SELECT value, value * 2 FROM generate_series(1, 9000000000000)";

fn place() -> (Place, String) {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Ada came.")]);
    let board = token(&place, "board", "deidentified");
    (place, board)
}

#[tokio::test]
async fn what_takes_too_long_is_ended() {
    let (place, board) = place();
    let server = Server::start(&place, "notes.jsonl", &["--timeout", "1"]);
    let mut client = server.client(&board).await;
    let begun = Instant::now();
    // On a busy machine the time may be over before all is planned: then no query has begun, and it is asked again.
    while !audit(&place).iter().any(|line| line["event"] == "query_begun") {
        assert_eq!(refusal(&mut client, ENDLESS).await.code(), Code::DeadlineExceeded);
        assert!(begun.elapsed() < LONGEST, "{:?}", begun.elapsed());
    }
    audited(&place, |line| line["outcome"] == "timed out").await;
    let begun = Instant::now();
    let answer = loop {
        match rows(&mut client, "SELECT 1").await {
            Ok(answer) => break answer,
            Err(late) => assert!(late.code() == Code::DeadlineExceeded && begun.elapsed() < LONGEST, "{late}"),
        }
    };
    assert_eq!(answer, ["1"]);
}

#[tokio::test]
async fn what_is_cancelled_is_ended() {
    let (place, board) = place();
    let other = token(&place, "other", "deidentified");
    let server = Server::start(&place, "notes.jsonl", &[]);
    let (mut client, mut other) = (server.client(&board).await, server.client(&other).await);
    for action in ["CancelFlightInfo", "CancelQuery"] {
        let info = client.execute(ENDLESS.to_owned(), None).await.unwrap();
        let mut running = client.do_get(info.endpoint[0].ticket.clone().unwrap()).await.unwrap();
        let request = match action {
            "CancelQuery" => ActionCancelQueryRequest { info: info.encode_to_vec().into() }.as_any().encode_to_vec(),
            _ => CancelFlightInfoRequest::new(info.clone()).encode_to_vec(),
        };
        let cancelled = async |client: &mut super::Client| {
            let answer = client.do_action(tonic::Request::new(Action::new(action, request.clone()))).await.unwrap();
            let answer: Vec<_> = answer.try_collect().await.unwrap();
            match action {
                "CancelQuery" => {
                    Any::decode(&*answer[0].body).unwrap().unpack::<ActionCancelQueryResult>().unwrap().unwrap().result
                }
                _ => CancelFlightInfoResult::decode(&*answer[0].body).unwrap().status,
            }
        };
        // Nobody else's.
        assert_eq!(cancelled(&mut other).await, CancelStatus::NotCancellable as i32);
        assert_eq!(cancelled(&mut client).await, CancelStatus::Cancelled as i32);
        assert_eq!(status(running.try_next().await.unwrap_err()).code(), Code::Cancelled);
        let ticket = info.endpoint[0].ticket.clone().unwrap();
        assert_eq!(status(client.do_get(ticket).await.map(drop).unwrap_err()).code(), Code::NotFound);
    }
    audited(&place, |line| line["outcome"] == "cancelled").await;
}

/// Rows are streamed: a client that reads no further stops the engine, and one that goes away ends the query.
#[tokio::test]
async fn a_client_that_goes_away_ends_its_query() {
    let (place, board) = place();
    let server = Server::start(&place, "notes.jsonl", &[]);
    {
        let mut client = server.client(&board).await;
        let info = client.execute(STREAM.to_owned(), None).await.unwrap();
        let mut running = client.do_get(info.endpoint[0].ticket.clone().unwrap()).await.unwrap();
        assert!(running.try_next().await.unwrap().unwrap().num_rows() > 0);
    }
    let line = audited(&place, |line| line["outcome"] == "client went away").await;
    assert!(line["rows"].as_u64().unwrap() > 0 && line["bytes"].as_u64().unwrap() > 0, "{line}");
}

/// Half of the queries, and no more, may be of one user; nobody keeps everybody else out.
#[tokio::test]
async fn too_many_at_once_are_refused() {
    let (place, board) = place();
    let (other, third) = (token(&place, "other", "deidentified"), token(&place, "third", "confidential"));
    let server = Server::start(&place, "notes.jsonl", &["--most-queries", "2"]);
    let (mut board, mut third) = (server.client(&board).await, server.client(&third).await);
    let mut other = server.client(&other).await;
    let mut running = Vec::new();
    for (client, others) in [(&mut board, "as many queries of yours run already"), (&mut other, "(1)")] {
        let info = client.execute(ENDLESS.to_owned(), None).await.unwrap();
        running.push(client.do_get(info.endpoint[0].ticket.clone().unwrap()).await.unwrap());
        let refused = refusal(client, "SELECT 1").await;
        assert!(refused.code() == Code::ResourceExhausted && refused.message().contains(others), "{refused}");
    }
    let refused = refusal(&mut third, "SELECT 1").await;
    assert!(refused.code() == Code::ResourceExhausted && refused.message().contains("(2)"), "{refused}");
    let lines = audit(&place);
    let told = lines.iter().filter(|line| line["event"] == "query_refused" && line["outcome"] == "too many at once");
    assert_eq!(told.map(|line| line["user"].as_str().unwrap()).collect::<Vec<_>>(), ["board", "other", "third"]);
    running.clear();
    audited(&place, |line| line["outcome"] == "client went away").await;
    for attempt in 0.. {
        match ask(&mut third, "SELECT 1").await {
            Ok(_) => break,
            Err(status) => assert!(attempt < 2400 && status.code() == Code::ResourceExhausted, "{status}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_query_that_is_too_large_fails_alone() {
    let (place, board) = place();
    let mut server = Server::start(&place, "notes.jsonl", &["--memory", "64MiB", "--spill", "64MiB"]);
    let mut client = server.client(&board).await;
    for large in [
        "SELECT count(*) FROM generate_series(1, 30000000) a JOIN generate_series(1, 30000000) b ON a.value = b.value",
        // What it sorts goes to disk, where there is no room for all of it.
        "SELECT * FROM generate_series(1, 100000000) ORDER BY -value",
    ] {
        let refused = refusal(&mut client, large).await;
        assert_eq!(refused.code(), Code::ResourceExhausted, "{refused}");
    }
    audited(&place, |line| line["outcome"] == "out of memory").await;
    assert!(server.is_alive());
    assert_eq!(rows(&mut client, "SELECT count(*) FROM notes").await.unwrap(), ["1"]);
}

/// A tree that is deep takes stack to walk; a stack that runs out would end the server.
#[tokio::test]
async fn the_deepest_statements_do_no_harm() {
    let (place, board) = place();
    let mut server = Server::start(&place, "notes.jsonl", &[]);
    let mut client = server.client(&board).await;
    for deep in [
        format!("SELECT 1{}", "+1".repeat(990)),
        format!("SELECT 1{}", "+random()".repeat(990)),
        format!("SELECT 'a'{}", "||'a'".repeat(990)),
        format!("SELECT 1{}", "::int".repeat(450)),
        format!("SELECT 1 WHERE true{}", " AND random() < 2".repeat(450)),
        format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(300)),
        format!("SELECT {}true", "NOT ".repeat(900)),
        format!("SELECT 1{}", "+1".repeat(100_000)),
        // Each level is parsed twice, and what stands inside with it.
        format!("SELECT {}1 2", "ceil(".repeat(44)),
        format!("SELECT {}1 in 2{}", "position(".repeat(44), ")".repeat(44)),
        format!("SELECT 1 {}", "FROM (((SELECT 1 ".repeat(14)),
        format!("SELECT 1 WHERE {}-1", "a.".repeat(38)),
        format!("SELECT {}", "INTERVAL ".repeat(40)),
        format!("SELECT {}f({}1 2)", "ceil(".repeat(12), "1,".repeat(100_000)),
        // Of one letter, more than any memory.
        format!("SELECT {}'a'{}", "replace(".repeat(12), ", 'a', 'aaaaaaaaaa')".repeat(12)),
        format!("SELECT {}'a'{}", "encode(".repeat(40), ", 'hex')".repeat(40)),
        format!("SELECT levenshtein('{0}', '{0}b')", "a".repeat(100_000)),
    ] {
        let _ = ask(&mut client, &deep).await;
        assert!(server.is_alive(), "{}", &deep[..30]);
    }
    assert_eq!(rows(&mut client, "SELECT 1").await.unwrap(), ["1"]);
}

/// A short text that makes a large plan is refused before it is planned, and the server goes on.
#[tokio::test]
async fn what_grows_from_a_short_text_is_refused() {
    let (place, board) = place();
    let mut server = Server::start(&place, "notes.jsonl", &[]);
    let mut client = server.client(&board).await;
    let tables = |first: &str, next: &str| {
        let next = (1..=30).map(|at| format!(", t{at} AS ({})", next.replace('@', &format!("t{}", at - 1))));
        format!("WITH t0 AS ({first}){}", next.collect::<String>())
    };
    let columns = (0..16).map(|at| format!("note_id || '{at}'")).collect::<Vec<_>>().join(", ");
    for large in [
        format!(
            "WITH n AS (SELECT FROM notes) SELECT 1 FROM n{}",
            (0..28_000).map(|at| format!(",n a{at}")).collect::<String>()
        ),
        format!("{} SELECT 1 FROM t30", tables("SELECT note_id FROM notes", "SELECT x.note_id FROM @ x, @ y")),
        format!(
            "{} SELECT a FROM t30 WHERE a > 5",
            tables("SELECT octet_length(text) AS a FROM notes", "SELECT a + a AS a FROM @")
        ),
        format!("SELECT count(*) FROM notes GROUP BY CUBE({columns})"),
        format!("SELECT count(*) FROM notes GROUP BY text, CUBE({columns}, {columns}, {columns})"),
        "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT r.a FROM r, (VALUES (1), (2)) v) SELECT count(*) FROM r"
            .to_owned(),
    ] {
        let begun = Instant::now();
        let refused = refusal(&mut client, &large).await;
        let is_meant = matches!(refused.code(), Code::InvalidArgument | Code::PermissionDenied);
        assert!(is_meant && begun.elapsed() < LONGEST, "{refused}: {}", &large[..60]);
        assert!(server.is_alive(), "{}", &large[..60]);
    }
    assert_eq!(rows(&mut client, "SELECT 1").await.unwrap(), ["1"]);
}

#[tokio::test]
async fn many_clients_are_served_at_once() {
    let (place, board) = place();
    let server = Server::start(&place, "notes.jsonl", &["--most-queries", "40"]);
    let ask = async |number: usize| {
        let mut client = server.client(&board).await;
        let statement = format!("SELECT sum(value) + {number} FROM generate_series(1, 100000)");
        rows(&mut client, &statement).await.unwrap()
    };
    let answers = futures::future::join_all((0..20).map(ask)).await;
    for (number, answer) in answers.into_iter().enumerate() {
        assert_eq!(answer, [(5_000_050_000_u64 + number as u64).to_string()]);
    }
    let ended = audit(&place).iter().filter(|line| line["event"] == "query_ended" && line["outcome"] == "done").count();
    assert_eq!(ended, 20);
}

#[tokio::test]
async fn it_ends_when_it_is_asked_to() {
    for (signal, code) in [(libc::SIGTERM, 143), (libc::SIGINT, 130)] {
        let (place, board) = place();
        let mut server = Server::start(&place, "notes.jsonl", &[]);
        let mut client = server.client(&board).await;
        let info = client.execute(ENDLESS.to_owned(), None).await.unwrap();
        let mut running = client.do_get(info.endpoint[0].ticket.clone().unwrap()).await.unwrap();
        audited(&place, |line| line["event"] == "query_begun").await;
        let begun = Instant::now();
        server.signal(signal);
        assert!(running.try_next().await.is_err());
        assert_eq!(server.wait(), Some(code));
        // Ten seconds are promised, and a busy machine is given some more.
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
        assert!(audit(&place).iter().any(|line| line["outcome"] == "cancelled"));
        assert!(!std::fs::read_to_string(place.path("serve.log")).unwrap().contains("error:"));
    }
}
