//! What a store's errors mean: in one line, and whether it is worth coming back later.
//!
//! ```text
//! 503 SlowDown, 429, no connection, no answer in time     temporary: the same command later may well work
//! a file that was changed while it was read               temporary too: the next try reads the new one
//! fewer bytes than there are                              likewise: a gateway or a cache is broken
//! 401, 403, 404, 501, a full disk, no credentials         not: somebody has to do something first
//! ```
//!
//! By the time an error arrives here, the request has been tried again for as long as was allowed. The body of an answer is not shown but
//! for its code: it repeats names, and what was signed.

use std::error::Error as StdError;

use object_store::Error;
use object_store::client::{HttpError, HttpErrorKind};

use super::whole_answers::Incomplete;

/// How the retrying client of `object_store` shows an answer that is an error; it does not hand out the number itself.
const ANSWER: &str = "Server returned non-2xx status code: ";
/// How it shows an error in an answer that says it is none.
const ERROR_INSIDE: &str = "Server returned error response: ";
/// Where machines and containers of a cloud ask for their credentials: nobody answers elsewhere.
const METADATA: [&str; 4] = ["//169.254.169.254", "//169.254.170.2", "//metadata.google.internal", "//metadata/"];

/// Whether the same request may work later although nobody does anything.
pub(in crate::corpus) fn is_temporary(error: &Error) -> bool {
    if matches!(error, Error::Precondition { .. }) || incomplete(error).is_some() {
        return true;
    }
    match Fault::of(error) {
        Fault::Answer { status, code } => match code.as_deref() {
            Some("SlowDown" | "InternalError" | "ServiceUnavailable" | "RequestTimeout" | "ServerBusy") => true,
            // Of two who write at once, one is told so.
            Some("ConditionalRequestConflict") => true,
            _ => status == 408 || status == 429 || status >= 500 && status != 501,
        },
        Fault::Connection(kind) => kind != HttpErrorKind::Unknown,
        Fault::NoCredentials | Fault::Certificate | Fault::Other => false,
    }
}

/// An error in one line, without secrets.
pub(in crate::corpus) fn reason(error: &Error) -> String {
    if let Some(short) = incomplete(error) {
        return short.to_string();
    }
    let retried = retries(error).map(|retries| format!(", after {retries} retries")).unwrap_or_default();
    match (Fault::of(error), error) {
        (_, Error::NotFound { .. }) => "there is nothing there".to_owned(),
        (_, Error::Precondition { .. }) => "it has changed meanwhile".to_owned(),
        (Fault::Answer { status, code }, _) => {
            let meaning = match status {
                401 => ": the credentials are not known",
                403 => ": access is denied",
                _ => "",
            };
            let code = code.map(|code| format!(" {code}")).unwrap_or_default();
            format!("the store answered {status}{code}{meaning}{retried}")
        }
        (Fault::NoCredentials, _) => {
            "there are no credentials: set the variables of the store, name a profile, or give store options".to_owned()
        }
        (Fault::Certificate, _) => {
            "the certificate of the store is not trusted (SSL_CERT_FILE names a file of further authorities)".to_owned()
        }
        (Fault::Connection(HttpErrorKind::Connect), _) => format!("the store cannot be reached{retried}"),
        (Fault::Connection(HttpErrorKind::Timeout), _) => format!("the store does not answer in time{retried}"),
        (Fault::Connection(HttpErrorKind::Unknown) | Fault::Other, error) => {
            error.to_string().lines().next().unwrap_or_default().to_owned()
        }
        (Fault::Connection(_), _) => format!("the connection to the store broke{retried}"),
    }
}

/// What is the matter with a store that is asked over a network: the messages of its client repeat what was sent, what was signed, and names.
pub(in crate::corpus) fn answered(error: &Error) -> Option<String> {
    match (Fault::of(error), error) {
        (Fault::Answer { .. }, Error::NotFound { path, .. }) => Some(format!("there is no `{path}`")),
        (Fault::Other | Fault::Connection(HttpErrorKind::Unknown), _) if incomplete(error).is_none() => None,
        _ => Some(reason(error)),
    }
}

/// What is at the bottom of an error.
enum Fault {
    /// The store said no.
    Answer { status: u16, code: Option<String> },
    /// No answer came.
    Connection(HttpErrorKind),
    /// Nobody has said who asks, and this machine is none of a cloud that would know.
    NoCredentials,
    /// The store is not who it should be.
    Certificate,
    /// A disk, a setting, a name.
    Other,
}

impl Fault {
    fn of(error: &Error) -> Self {
        let texts: Vec<_> = causes(error).map(|cause| cause.to_string()).collect();
        let asked_for_credentials = texts.iter().any(|text| METADATA.iter().any(|place| text.contains(place)));
        match texts.iter().find_map(|text| Self::answer(text)) {
            // A proxy, or a machine that has no role.
            Some(Self::Answer { status: 400..500, .. }) if asked_for_credentials => return Self::NoCredentials,
            Some(answer) => return answer,
            None => {}
        }
        let connection = causes(error).find_map(|cause| cause.downcast_ref::<HttpError>()).map(HttpError::kind);
        match connection {
            None => Self::Other,
            Some(_) if asked_for_credentials => Self::NoCredentials,
            Some(_) if texts.iter().any(|text| text.contains("certificate")) => Self::Certificate,
            Some(kind) => Self::Connection(kind),
        }
    }

    fn answer(text: &str) -> Option<Self> {
        let code = || between(text, "<Code>", "</Code>").or_else(|| between(text, "(code: ", ")"));
        if let Some(answer) = text.strip_prefix(ANSWER) {
            let status = answer.split(' ').next()?.trim_end_matches(':').parse().ok()?;
            return Some(Self::Answer { status, code: code() });
        }
        // Of several objects that were to be deleted, one was not.
        let inside = text.starts_with(ERROR_INSIDE) || text.starts_with("DeleteObjects request failed for key");
        inside.then(|| Self::Answer { status: 200, code: code() })
    }
}

/// What came, where the store has sent less than there is.
fn incomplete(error: &Error) -> Option<&Incomplete> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

/// An error, its cause, the cause of that, and so on.
fn causes(error: &Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(Some(error as &(dyn StdError + 'static)), |&error| error.source())
}

/// A code of an answer: one word.
fn between(text: &str, before: &str, after: &str) -> Option<String> {
    let (code, _) = text.rsplit_once(before)?.1.split_once(after)?;
    (!code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric())).then(|| code.to_owned())
}

/// How often a request was tried again, where it was.
fn retries(error: &Error) -> Option<u32> {
    let text = error.to_string();
    text.split_once(", after ")?.1.split_once(" retries")?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use object_store::aws::AmazonS3Builder;
    use object_store::local::LocalFileSystem;
    use object_store::path::Path as ObjectPath;
    use object_store::{BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};
    use tokio::net::TcpSocket;

    use super::*;
    use crate::corpus::store::tests_support::{Answer, answering};

    /// A store that waits for answers longer than any machine is busy with other tests.
    fn store(port: u16) -> impl ObjectStore {
        store_that_waits(port, Duration::from_secs(60))
    }

    fn store_that_waits(port: u16, patience: Duration) -> impl ObjectStore {
        let retry = RetryConfig {
            max_retries: 1,
            retry_timeout: Duration::from_secs(180),
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(1),
                max_backoff: Duration::from_millis(2),
                base: 2.0,
            },
        };
        AmazonS3Builder::new()
            .with_bucket_name("notes")
            .with_access_key_id("AKIA")
            .with_secret_access_key("hunter2")
            .with_endpoint(format!("http://127.0.0.1:{port}"))
            .with_client_options(ClientOptions::new().with_allow_http(true).with_timeout(patience))
            .with_retry(retry)
            .build()
            .unwrap()
    }

    async fn fault(answer: Answer) -> (bool, String) {
        fault_of(store(answering(answer))).await
    }

    async fn fault_of(store: impl ObjectStore) -> (bool, String) {
        let error = store.get(&ObjectPath::from("part")).await.unwrap_err();
        (is_temporary(&error), reason(&error))
    }

    /// A port at which nobody listens, and what keeps it from others for as long.
    fn closed_port() -> (u16, TcpSocket) {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(std::net::SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        (socket.local_addr().unwrap().port(), socket)
    }

    #[tokio::test]
    async fn answers_are_temporary_or_not_by_their_number() {
        let body = "<Error><Code>SomeCode</Code><StringToSign>hunter2 JOHN SMITH</StringToSign></Error>";
        for (status, expected) in [
            (400, false),
            (401, false),
            (403, false),
            (404, false),
            (412, true),
            (429, true),
            (500, true),
            (501, false),
            (503, true),
        ] {
            let (temporary, reason) = fault(Answer::Status(status, body)).await;
            assert_eq!(temporary, expected, "{status}");
            assert!(!reason.contains("SMITH") && !reason.contains("hunter2"), "{reason}");
            let said = match status {
                404 => "there is nothing there".to_owned(),
                412 => "it has changed meanwhile".to_owned(),
                _ => format!("{status} SomeCode"),
            };
            assert!(reason.contains(&said), "{reason}");
        }
        let refused = store(answering(Answer::Status(403, body))).get(&ObjectPath::from("part")).await.unwrap_err();
        assert_eq!(answered(&refused).unwrap(), "the store answered 403 SomeCode: access is denied");
        let absent = store(answering(Answer::Status(404, body))).get(&ObjectPath::from("part")).await.unwrap_err();
        assert_eq!(answered(&absent).unwrap(), "there is no `part`");
        let silent = store(answering(Answer::HangUp)).get(&ObjectPath::from("k=SMITH/a")).await.unwrap_err();
        assert!(!answered(&silent).unwrap().contains("SMITH"));
        let (_, retried) = fault(Answer::Status(503, body)).await;
        assert_eq!(retried, "the store answered 503 SomeCode, after 1 retries");
    }

    #[tokio::test]
    async fn no_answer_is_temporary() {
        let (closed, _held) = closed_port();
        let (temporary, reason) = fault_of(store(closed)).await;
        assert!(temporary && reason.contains("cannot be reached"), "{reason}");
        let silent = store_that_waits(answering(Answer::Silence), Duration::from_millis(300));
        let (temporary, reason) = fault_of(silent).await;
        assert!(temporary && reason.contains("in time"), "{reason}");
        let (temporary, reason) = fault(Answer::HangUp).await;
        assert!(temporary && reason.contains("broke"), "{reason}");
    }

    #[tokio::test]
    async fn a_store_without_credentials_is_not() {
        // The place where machines of a cloud ask is closed here.
        let (closed, _held) = closed_port();
        let inner = store(closed).get(&ObjectPath::from("x")).await.unwrap_err();
        let text = "Error performing PUT http://169.254.169.254/latest/api/token in 1s";
        let error = Error::Generic { store: "S3", source: Box::new(Wrapped(text, inner)) };
        assert!(!is_temporary(&error) && reason(&error).contains("no credentials"), "{}", reason(&error));
        let proxy = store(answering(Answer::Status(403, ""))).get(&ObjectPath::from("x")).await.unwrap_err();
        let error = Error::Generic { store: "S3", source: Box::new(Wrapped(text, proxy)) };
        assert!(!is_temporary(&error) && reason(&error).contains("no credentials"), "{}", reason(&error));
        let error = Error::Generic {
            store: "S3",
            source: Box::new(Wrapped("invalid peer certificate", fault_again(closed).await)),
        };
        assert!(!is_temporary(&error) && reason(&error).contains("SSL_CERT_FILE"));
    }

    async fn fault_again(port: u16) -> Error {
        store(port).get(&ObjectPath::from("x")).await.unwrap_err()
    }

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Wrapped(&'static str, #[source] Error);

    #[tokio::test]
    async fn disks_are_not() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let below_a_file = ObjectPath::from_absolute_path(file.path().join("x")).unwrap();
        let error = LocalFileSystem::new().put(&below_a_file, "x".into()).await.unwrap_err();
        assert!(!is_temporary(&error));
    }
}
