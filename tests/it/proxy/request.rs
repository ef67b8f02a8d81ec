//! HTTP/1.1 as far as the proxy has to know it.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A request as it came.
pub(super) struct Request {
    head: String,
    body: Vec<u8>,
}

impl Request {
    /// Reads the one request of a connection; its body is as long as its head says.
    pub(super) async fn read(client: &mut TcpStream) -> std::io::Result<Self> {
        let mut bytes = Vec::new();
        let length = loop {
            if let Some(length) = head_length(&bytes) {
                break length;
            }
            if client.read_buf(&mut bytes).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        };
        let body = bytes.split_off(length);
        let head = String::from_utf8(bytes).map_err(|_| std::io::ErrorKind::InvalidData)?;
        let mut request = Self { head, body };
        let awaited: usize = request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
        while request.body.len() < awaited {
            if client.read_buf(&mut request.body).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(request)
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(':'));
        headers.find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// What is the same when the request is made again: method, address and range, without what the server has given out.
    pub(super) fn name(&self) -> String {
        let line = self.head.lines().next().unwrap_or_default();
        let (address, query) = line.split_once('?').unwrap_or((line, ""));
        let given_out = |part: &&str| part.starts_with("uploadId=") || part.starts_with("continuation-token=");
        let query: Vec<_> = query.split([' ', '&']).filter(|part| !given_out(part)).collect();
        format!("{address}?{} {}", query.join("&"), self.header("range").unwrap_or_default())
    }

    /// Has the server carry the request out, and gives the whole answer.
    pub(super) async fn ask(&self, server: &str) -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(server).await?;
        // The server closes the connection behind its answer, and so the client learns that there is no second request in it.
        let head = self.head.replacen("\r\n", "\r\nconnection: close\r\n", 1);
        stream.write_all(&[head.as_bytes(), &self.body].concat()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(answer)
    }

    /// An answer as S3 gives it.
    pub(super) fn refusal(&self, status: &str) -> Vec<u8> {
        let code = if status.starts_with("503") { "SlowDown" } else { "InternalError" };
        let mut body =
            format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>by the test</Message></Error>");
        if self.head.starts_with("HEAD ") {
            body.clear();
        }
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/xml\r\ncontent-length: {length}\r\n");
        format!("{head}connection: close\r\n\r\n{body}").into_bytes()
    }
}

/// How long the head of a message is, once all of it is there.
pub(super) fn head_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}
