//! `plainsight serve`: the program itself on a port of this machine, asked by the client of arrow-flight.

mod access;
mod attacks;
mod limits;
mod protocol;
mod view;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::util::display::array_value_to_string;
use arrow_flight::error::FlightError;
use arrow_flight::sql::client::FlightSqlServiceClient;
use futures::TryStreamExt;
use tonic::Status;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};

use crate::support::Place;

pub type Client = FlightSqlServiceClient<Channel>;

/// A server that ends with the test.
pub struct Server {
    child: Child,
    pub address: String,
    certificate: Option<String>,
}

/// Makes a token, and the file of users where there is none.
pub fn token(place: &Place, name: &str, role: &str) -> String {
    place.succeed(&["access", "token", name, "--role", role, "--users", "users"]).trim().to_owned()
}

/// Gives somebody a password.
pub fn password(place: &Place, name: &str, role: &str, password: &str) {
    let mut command = place.command(&["access", "password", name, "--role", role, "--users", "users"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{password}\n").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

impl Server {
    /// Serves `notes`, with tokens that are made already.
    pub fn start(place: &Place, notes: &str, further: &[&str]) -> Self {
        let arguments = ["serve", "--notes", notes, "--key-file", "key", "--users", "users", "--audit", "audit"];
        let arguments = [&arguments[..], &["--listen", "127.0.0.1:0"], further].concat();
        let log = std::fs::File::create(place.path("serve.log")).unwrap();
        let mut child = place.command(&arguments).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").map(str::to_owned);
        let log = || std::fs::read_to_string(place.path("serve.log")).unwrap();
        Self { child, address: address.unwrap_or_else(|| panic!("{}", log())), certificate: None }
    }

    /// The same with TLS, by a certificate that is made for it.
    pub fn start_with_tls(place: &Place, notes: &str, further: &[&str]) -> Self {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
        std::fs::write(place.path("cert.pem"), made.cert.pem()).unwrap();
        std::fs::write(place.path("tls.pem"), made.signing_key.serialize_pem()).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(place.path("tls.pem"), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        let tls = ["--tls-cert", "cert.pem", "--tls-key", "tls.pem"];
        let mut server = Self::start(place, notes, &[&tls, further].concat());
        server.certificate = Some(made.cert.pem());
        server
    }

    pub async fn connect(&self) -> Result<Client, tonic::transport::Error> {
        let (_, authority) = self.address.split_once("://").unwrap();
        let endpoint = match &self.certificate {
            Some(certificate) => {
                let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(certificate));
                Endpoint::from_shared(format!("https://{authority}"))?.tls_config(tls.domain_name("localhost"))?
            }
            None => Endpoint::from_shared(format!("http://{authority}"))?,
        };
        Ok(FlightSqlServiceClient::new(endpoint.connect().await?))
    }

    /// A client that shows a token.
    pub async fn client(&self, token: &str) -> Client {
        let mut client = self.connect().await.unwrap();
        client.set_token(token.to_owned());
        client
    }

    pub fn signal(&self, signal: i32) {
        crate::support::signal(&self.child, signal);
    }

    pub fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    pub fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The rows of a statement.
pub async fn ask(client: &mut Client, statement: &str) -> Result<Vec<RecordBatch>, Status> {
    let info = client.execute(statement.to_owned(), None).await.map_err(status)?;
    let ticket = info.endpoint[0].ticket.clone().unwrap();
    let batches: Vec<RecordBatch> = client.do_get(ticket).await.map_err(status)?.try_collect().await.map_err(status)?;
    let schema = info.try_decode_schema().unwrap();
    batches.iter().for_each(|batch| assert_eq!(*batch.schema(), schema, "{statement}"));
    Ok(batches)
}

/// The rows of a statement as text, `|` between columns.
pub async fn rows(client: &mut Client, statement: &str) -> Result<Vec<String>, Status> {
    let mut rows = Vec::new();
    for batch in ask(client, statement).await? {
        let value = |column: &ArrayRef, row| match column.is_null(row) {
            true => "∅".to_owned(),
            false => array_value_to_string(column, row).unwrap(),
        };
        let row = |row| batch.columns().iter().map(|column| value(column, row)).collect::<Vec<_>>().join("|");
        rows.extend((0..batch.num_rows()).map(row));
    }
    Ok(rows)
}

/// What a statement is refused with.
pub async fn refusal(client: &mut Client, statement: &str) -> Status {
    match ask(client, statement).await {
        Ok(rows) => panic!("`{statement}` gave {} batches", rows.len()),
        Err(status) => status,
    }
}

/// What a call has failed with.
pub fn status(error: FlightError) -> Status {
    match error {
        FlightError::Tonic(status) => *status,
        error => Status::unknown(error.to_string()),
    }
}

/// The lines of the audit log.
pub fn audit(place: &Place) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(place.path("audit")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Waits for a line of the audit log, long enough for a machine that is busy with other tests.
pub async fn audited(place: &Place, is_it: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    for _ in 0..2400 {
        if let Some(line) = audit(place).into_iter().find(|line| is_it(line)) {
            return line;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no such line in {:#?}", audit(place));
}
