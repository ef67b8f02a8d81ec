//! Who is let in.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use arrow_flight::flight_service_client::FlightServiceClient;
use arrow_flight::{Action, Criteria, Empty, FlightDescriptor, Ticket};
use tonic::Code;

use super::{Server, ask, audit, password, refusal, rows, token};
use crate::support::{Place, note};

const PASSWORD: &str = "correct horse battery";

fn place() -> Place {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Zorvalquist came.")]);
    place
}

#[tokio::test]
async fn by_password_over_tls() {
    let place = place();
    password(&place, "ann", "deidentified", PASSWORD);
    let server = Server::start_with_tls(&place, "notes.jsonl", &[]);
    assert!(server.address.starts_with("grpc+tls://127.0.0.1:"));
    let mut client = server.connect().await.unwrap();
    let given = client.handshake("ann", PASSWORD).await.unwrap();
    assert_eq!(client.token().map(String::as_bytes), Some(&given[..]));
    assert_eq!(rows(&mut client, "SELECT count(*) FROM notes").await.unwrap(), ["1"]);
    // Who does not know the certificate, or speaks without TLS, gets nowhere.
    let plain = Server {
        certificate: None,
        address: server.address.clone(),
        child: std::process::Command::new("true").spawn().unwrap(),
    };
    let mut plain = match plain.connect().await {
        Ok(client) => client,
        Err(_) => return,
    };
    assert!(plain.handshake("ann", PASSWORD).await.is_err());
}

#[tokio::test]
async fn the_unknown_and_the_wrong_are_told_alike_and_in_time() {
    let place = place();
    password(&place, "ann", "deidentified", PASSWORD);
    let server = Server::start(&place, "notes.jsonl", &[]);
    let mut client = server.connect().await.unwrap();
    let mut told = Vec::new();
    for (name, password) in [("ann", "wrong horse battery"), ("bob", PASSWORD), ("", ""), ("hunter2hunter2", "")] {
        let begun = std::time::Instant::now();
        told.push(client.handshake(name, password).await.unwrap_err().to_string());
        assert!(begun.elapsed().as_millis() >= 400, "{:?}", begun.elapsed());
    }
    assert!(
        told.iter().all(|other| other == &told[0]) && told[0].contains("the name or the password is wrong"),
        "{told:?}"
    );
    for _ in 0..6 {
        assert!(client.handshake("ann", "wrong horse battery").await.is_err());
    }
    // Now not even the right one is looked at.
    assert!(client.handshake("ann", PASSWORD).await.unwrap_err().to_string().contains("too many logins"));
    let lines = audit(&place);
    let refused: Vec<_> = lines.iter().filter(|line| line["event"] == "login").collect();
    assert!(refused.len() == 11 && refused.iter().all(|line| line["outcome"] == "refused"), "{refused:#?}");
    assert!(refused[0]["user"] == "ann" && refused[1]["user"].is_null() && refused[3]["user"].is_null());
    assert!(!std::fs::read_to_string(place.path("audit")).unwrap().contains("hunter2"));
}

/// Who goes away before the answer comes is counted and told of like others.
#[tokio::test]
async fn a_login_that_is_given_up_counts() {
    let place = place();
    password(&place, "ann", "deidentified", PASSWORD);
    let server = Server::start(&place, "notes.jsonl", &[]);
    for _ in 0..10 {
        let mut client = server.connect().await.unwrap();
        // The answer to a wrong password waits for longer.
        let login = client.handshake("ann", "wrong horse battery");
        assert!(tokio::time::timeout(Duration::from_millis(300), login).await.is_err());
    }
    for attempt in 0.. {
        let lines = audit(&place);
        let refused = lines.iter().filter(|line| line["event"] == "login" && line["outcome"] == "refused");
        if refused.count() == 10 {
            break;
        }
        assert!(attempt < 2400, "{lines:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let told = server.connect().await.unwrap().handshake("ann", PASSWORD).await.unwrap_err().to_string();
    assert!(told.contains("too many logins"), "{told}");
}

#[tokio::test]
async fn tokens_count_until_they_end() {
    let place = place();
    let board = token(&place, "board", "deidentified");
    let old = token(&place, "old", "confidential");
    let text = std::fs::read_to_string(place.path("users")).unwrap();
    assert!(!text.contains(&board), "a token is kept");
    let entry = text.rfind("expires = \"").unwrap() + 11;
    std::fs::write(place.path("users"), format!("{}2001-01-01T00:00:00Z{}", &text[..entry], &text[entry + 20..]))
        .unwrap();
    let server = Server::start(&place, "notes.jsonl", &[]);
    assert_eq!(rows(&mut server.client(&board).await, "SELECT 1").await.unwrap(), ["1"]);
    for wrong in [old.as_str(), "plainsight_0", "", "board", &board[..board.len() - 1]] {
        assert_eq!(refusal(&mut server.client(wrong).await, "SELECT 1").await.code(), Code::Unauthenticated, "{wrong}");
    }
    let refused: Vec<_> = audit(&place).into_iter().filter(|line| line["event"] == "call").collect();
    assert_eq!(refused.len(), 5, "{refused:#?}");
    assert!(
        refused.iter().all(|line| line["outcome"] == "refused" && line["user"].is_null() && line["peer"].is_string())
    );
    assert!(!std::fs::read_to_string(place.path("audit")).unwrap().contains(&old), "a token is told");
    assert_eq!(refusal(&mut server.connect().await.unwrap(), "SELECT 1").await.code(), Code::Unauthenticated);
}

/// No call but the handshake is answered without a token, whatever it holds.
#[tokio::test]
async fn every_call_wants_a_token() {
    let place = place();
    token(&place, "board", "deidentified");
    let server = Server::start(&place, "notes.jsonl", &[]);
    let endpoint = server.address.replace("grpc+tcp", "http");
    let channel = tonic::transport::Endpoint::from_shared(endpoint).unwrap().connect().await.unwrap();
    let mut client = FlightServiceClient::new(channel);
    let descriptor = || FlightDescriptor::new_cmd(vec![1, 2, 3]);
    let nothing = futures::stream::empty;
    let codes = [
        client.get_flight_info(descriptor()).await.map(drop),
        client.poll_flight_info(descriptor()).await.map(drop),
        client.get_schema(descriptor()).await.map(drop),
        client.do_get(Ticket::new(vec![0_u8; 16])).await.map(drop),
        client.do_action(Action::new("CancelFlightInfo", vec![])).await.map(drop),
        client.list_actions(Empty {}).await.map(drop),
        client.list_flights(Criteria::default()).await.map(drop),
        client.do_put(nothing()).await.map(drop),
        client.do_exchange(nothing()).await.map(drop),
    ]
    .map(|answer| answer.unwrap_err().code());
    assert_eq!(codes, [Code::Unauthenticated; 9]);
}

#[test]
fn what_is_not_safe_is_not_begun() {
    let place = place();
    let token = token(&place, "board", "deidentified");
    assert!(token.starts_with("plainsight_") && token.len() == 75);
    let mode = |name: &str| std::fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
    let set = |name: &str, mode| {
        std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    assert_eq!(mode("users"), 0o600);
    let serve = ["serve", "--notes", "notes.jsonl", "--key-file", "key", "--audit", "audit", "--users"];
    let begin = |further: &[&str]| place.fail(2, &[&serve, further].concat());
    assert!(begin(&["users", "--listen", "0.0.0.0:0"]).contains("--tls-cert"));
    assert!(begin(&["users", "--tls-cert", "cert.pem"]).contains("--tls-key"));
    assert!(begin(&["missing"]).contains("missing"));
    assert!(begin(&["users", "--released", "notes=notes.jsonl"]).contains("already"));
    // Raw notes are no output of a run.
    place.write_lines("raw/notes.jsonl", &[note(1, "P1", "Zorvalquist came.")]);
    assert!(begin(&["users", "--released", "past=raw"]).contains("not a whole output"));
    // Nor are those that somebody has put beside one.
    place.succeed(&["run", "--notes", "notes.jsonl", "--out", "past", "--key-file", "key"]);
    place.write_lines("past/more.jsonl", &[note(1, "P1", "Zorvalquist came.")]);
    assert!(begin(&["users", "--released", "past=past"]).contains("1 of the files"));
    std::fs::write(place.path("bad.pem"), "nothing").unwrap();
    set("bad.pem", 0o604);
    assert!(begin(&["users", "--tls-cert", "bad.pem", "--tls-key", "bad.pem"]).contains("chmod 600"));
    set("bad.pem", 0o600);
    assert!(begin(&["users", "--tls-cert", "bad.pem", "--tls-key", "bad.pem"]).contains("PEM"));
    set("key", 0o644);
    let told = begin(&["users"]);
    assert!(told.contains("--key-file") && told.contains("chmod 600"), "{told}");
    set("key", 0o600);
    std::fs::write(place.path("audit"), "").unwrap();
    set("audit", 0o666);
    let told = begin(&["users"]);
    assert!(told.contains("--audit") && told.contains("chmod 600"), "{told}");
    set("audit", 0o600);
    set("users", 0o644);
    assert!(begin(&["users"]).contains("chmod 600"));
    set("users", 0o600);
    let text = std::fs::read_to_string(place.path("users")).unwrap();
    std::fs::write(place.path("users"), text.replace("role = \"deidentified\"\n", "")).unwrap();
    assert!(begin(&["users"]).contains("line 1"));
    assert!(place.fail(2, &["access", "token", "a b", "--role", "deidentified", "--users", "fresh"]).contains("name"));
    assert!(!place.path("fresh").exists());
    place.fail(2, &["access", "remove", "nobody", "--users", "users"]);
}

/// The log is only ever added to, by its owner; where it cannot be written, nothing is answered.
#[tokio::test]
async fn without_an_audit_log_nothing_is_done() {
    let place = place();
    let board = token(&place, "board", "deidentified");
    let earlier = serde_json::json!({"time": "earlier"});
    std::fs::write(place.path("audit"), format!("{earlier}\n")).unwrap();
    std::fs::set_permissions(place.path("audit"), PermissionsExt::from_mode(0o600)).unwrap();
    {
        let server = Server::start(&place, "notes.jsonl", &[]);
        ask(&mut server.client(&board).await, "SELECT 1").await.unwrap();
    }
    let lines = audit(&place);
    assert!(lines.len() >= 3 && lines[0] == earlier, "{lines:?}");
    if std::path::Path::new("/dev/full").exists() {
        std::fs::remove_file(place.path("audit")).unwrap();
        std::os::unix::fs::symlink("/dev/full", place.path("audit")).unwrap();
        let arguments =
            ["serve", "--notes", "notes.jsonl", "--key-file", "key", "--users", "users", "--audit", "audit"];
        assert!(place.fail(1, &arguments).contains("audit"));
    }
}
