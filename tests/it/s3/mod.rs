//! An S3 server on loopback, and what tests do with one: fill a prefix, give a program its address, read a prefix back.
//!
//! ```text
//! let server = Server::start();
//! let folder = server.bucket("hospital").folder("notes");      s3://hospital/notes-…/
//! folder.upload(&place.path("wh/notes"));
//! Command::new(…).envs(server.account().environment()).arg(folder.uri())
//! ```
//!
//! The protocol is that of the crate `s3s`: signatures, XML, ranges, pages. With the variable `PLAINSIGHT_S3_ENDPOINT` (and
//! `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`) [`Server::given_or_started`] is a server that runs already, such as moto's; the
//! bucket `plainsight-tests` must be there.

mod objects;
mod tests;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use bytes::Bytes;
use futures::TryStreamExt;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use super::support::files_below;
use objects::Objects;

/// The bucket of the tests that run against a server that is given.
pub const BUCKET: &str = "plainsight-tests";

/// Who speaks to which server.
#[derive(Clone)]
pub struct Account {
    pub endpoint: String,
    pub key: String,
    pub secret: String,
}

impl Account {
    /// The variables that a program needs to speak to the server.
    pub fn environment(&self) -> [(&'static str, String); 6] {
        [
            ("AWS_ENDPOINT_URL", self.endpoint.clone()),
            ("AWS_ACCESS_KEY_ID", self.key.clone()),
            ("AWS_SECRET_ACCESS_KEY", self.secret.clone()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("NO_PROXY", "127.0.0.1".to_owned()),
        ]
    }

    /// The same account by way of another address: a proxy's.
    pub fn by_way_of(&self, endpoint: String) -> Self {
        Self { endpoint, ..self.clone() }
    }

    /// A client of its own.
    pub fn client(&self, bucket: &str) -> AmazonS3Builder {
        AmazonS3Builder::new()
            .with_endpoint(&self.endpoint)
            .with_access_key_id(&self.key)
            .with_secret_access_key(&self.secret)
            .with_region("us-east-1")
            .with_bucket_name(bucket)
            .with_allow_http(true)
    }
}

/// A server. One that was started here stops when it is dropped, and what it held is gone.
pub struct Server {
    account: Account,
    running: Option<Running>,
}

struct Running {
    objects: Objects,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port. Only one key is let in.
    pub fn start() -> Self {
        let objects = Objects::default();
        let account = Account { endpoint: String::new(), key: "TESTKEY".to_owned(), secret: "test-secret".to_owned() };
        let mut builder = S3ServiceBuilder::new(objects.clone());
        builder.set_auth(SimpleAuth::from_single(account.key.clone(), account.secret.clone()));
        let service = builder.build();
        let (stop, mut stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel::<SocketAddr>();
        let serve = async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            loop {
                let stream = tokio::select! {
                    accepted = listener.accept() => accepted.unwrap().0,
                    _ = &mut stopped => return,
                };
                let service = service.clone();
                // A connection that breaks off is the client's business.
                tokio::spawn(async move {
                    drop(Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await);
                });
            }
        };
        let thread = std::thread::spawn(move || Runtime::new().unwrap().block_on(serve));
        let endpoint = format!("http://{}", told.recv().unwrap());
        let running = Running { objects, stop: Some(stop), thread: Some(thread) };
        Self { account: Account { endpoint, ..account }, running: Some(running) }
    }

    /// The server that the environment names, or else one that is started.
    pub fn given_or_started() -> Self {
        let Ok(endpoint) = std::env::var("PLAINSIGHT_S3_ENDPOINT") else { return Self::start() };
        let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| "testing".to_owned());
        let (key, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"));
        Self { account: Account { endpoint, key, secret }, running: None }
    }

    pub fn account(&self) -> &Account {
        &self.account
    }

    /// A bucket, which is made where the server was started here.
    pub fn bucket(&self, name: &str) -> Bucket {
        if let Some(running) = &self.running {
            running.objects.state().buckets.entry(name.to_owned()).or_default();
        }
        let store = Arc::new(self.account.client(name).build().unwrap());
        Bucket { name: name.to_owned(), store, runtime: Arc::new(Runtime::new().unwrap()) }
    }

    /// How many uploads are neither completed nor aborted; `None` of a server that was not started here.
    pub fn open_uploads(&self) -> Option<usize> {
        self.running.as_ref().map(|running| running.objects.state().uploads.len())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(running) = &mut self.running else { return };
        if let Some(stop) = running.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = running.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A bucket as the tests see it, without the program.
#[derive(Clone)]
pub struct Bucket {
    name: String,
    store: Arc<AmazonS3>,
    runtime: Arc<Runtime>,
}

impl Bucket {
    /// All of it.
    pub fn whole(&self) -> Folder {
        Folder { bucket: self.clone(), prefix: ObjectPath::default() }
    }

    /// A prefix that nothing else uses, on a server that is shared either.
    pub fn folder(&self, name: &str) -> Folder {
        static TAKEN: AtomicUsize = AtomicUsize::new(0);
        let number = TAKEN.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("{name}-{}-{number}", std::process::id());
        Folder { bucket: self.clone(), prefix: ObjectPath::parse(prefix).unwrap() }
    }
}

/// A prefix in a bucket.
#[derive(Clone)]
pub struct Folder {
    bucket: Bucket,
    prefix: ObjectPath,
}

impl Folder {
    pub fn uri(&self) -> String {
        format!("s3://{}/{}", self.bucket.name, self.prefix)
    }

    fn path(&self, name: &str) -> ObjectPath {
        ObjectPath::parse(format!("{}/{name}", self.prefix)).unwrap()
    }

    /// The names of all objects, below the prefix, in order.
    pub fn names(&self) -> Vec<String> {
        let objects = self.bucket.store.list(Some(&self.prefix)).try_collect::<Vec<_>>();
        let objects = self.bucket.runtime.block_on(objects).unwrap();
        let below = |path: &ObjectPath| path.as_ref()[self.prefix.as_ref().len()..].trim_start_matches('/').to_owned();
        objects.iter().map(|object| below(&object.location)).collect()
    }

    /// An object, unless there is none.
    pub fn read(&self, name: &str) -> Option<Bytes> {
        let path = self.path(name);
        match self.bucket.runtime.block_on(async { self.bucket.store.get(&path).await?.bytes().await }) {
            Ok(content) => Some(content),
            Err(object_store::Error::NotFound { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    }

    pub fn write(&self, name: &str, content: Bytes) {
        self.bucket.runtime.block_on(self.bucket.store.put(&self.path(name), content.into())).unwrap();
    }

    /// Copies every file below a local folder.
    pub fn upload(&self, folder: &Path) {
        for file in files_below(folder) {
            let name = file.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            self.write(&name, std::fs::read(&file).unwrap().into());
        }
    }

    pub fn clear(&self) {
        for name in self.names() {
            self.bucket.runtime.block_on(self.bucket.store.delete(&self.path(&name))).unwrap();
        }
    }
}
