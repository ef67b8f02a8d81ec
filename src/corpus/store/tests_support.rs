//! For tests of faults: a server that answers every request alike, and a store in memory that does not do all that it is asked.

use std::fmt::{Debug, Display, Formatter};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path as ObjectPath;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions,
    PutOptions, PutPayload, PutResult, Result,
};

/// What it does with a request.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// Answers with a number and a body.
    Status(u16, &'static str),
    /// Says nothing, until who asks goes away.
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
        Answer::Silence => drop(std::io::copy(&mut stream, &mut std::io::sink())),
        Answer::HangUp => {}
    }
}

/// What a store does otherwise than one that works.
#[async_trait]
pub(super) trait Fault: Debug + Send + Sync + 'static {
    async fn put(
        &self,
        store: &InMemory,
        path: &ObjectPath,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        store.put_opts(path, payload, options).await
    }

    fn got(&self, read: GetResult) -> GetResult {
        read
    }

    fn in_parts(&self, upload: Box<dyn MultipartUpload>) -> Box<dyn MultipartUpload> {
        upload
    }
}

/// A store in memory with a fault.
#[derive(Debug)]
pub(super) struct Faulty<F> {
    pub(super) store: Arc<InMemory>,
    pub(super) fault: F,
}

impl<F> Display for Faulty<F> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.store, formatter)
    }
}

#[async_trait]
impl<F: Fault> ObjectStore for Faulty<F> {
    async fn put_opts(&self, path: &ObjectPath, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.fault.put(&self.store, path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &ObjectPath,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        Ok(self.fault.in_parts(self.store.put_multipart_opts(path, options).await?))
    }

    async fn get_opts(&self, path: &ObjectPath, options: GetOptions) -> Result<GetResult> {
        let head = options.head;
        let read = self.store.get_opts(path, options).await?;
        Ok(if head { read } else { self.fault.got(read) })
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<ObjectPath>>) -> BoxStream<'static, Result<ObjectPath>> {
        self.store.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&ObjectPath>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&ObjectPath>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &ObjectPath, to: &ObjectPath, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}
