//! A server that answers every request alike, for tests of faults.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// What it does with a request.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// Answers with a number and a body.
    Status(u16, &'static str),
    /// Says nothing for a second.
    Silence,
    /// Ends the connection.
    HangUp,
}

/// Begins to answer, for as long as the tests run; gives the port.
pub(super) fn answering(answer: Answer) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || respond(stream.unwrap(), answer));
        }
    });
    port
}

fn respond(mut stream: TcpStream, answer: Answer) {
    let mut request = [0; 8192];
    let _ = stream.read(&mut request);
    match answer {
        Answer::Status(status, body) => {
            let length = body.len();
            let _ =
                write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        }
        Answer::Silence => std::thread::sleep(Duration::from_secs(1)),
        Answer::HangUp => {}
    }
}
