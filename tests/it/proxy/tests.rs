//! The proxy by itself, between a client of the store and the server.

use std::time::{Duration, Instant};

use futures::TryStreamExt;
use object_store::aws::AmazonS3;
use object_store::path::Path as ObjectPath;
use object_store::{BackoffConfig, Error, ObjectStore, ObjectStoreExt, PutMode, RetryConfig, WriteMultipart};
use tokio::runtime::Runtime;

use super::{Fault, Proxy, Weather};
use crate::s3::{BUCKET, Folder, Server};

const STORM: Weather = Weather { seed: 7, share: 0.3, faults: &Fault::OF_A_REQUEST, bursts: 0.002 };

/// A client by way of the proxy that tries again at once.
fn client(server: &Server, proxy: &Proxy) -> AmazonS3 {
    let (init_backoff, max_backoff) = (Duration::from_millis(5), Duration::from_millis(400));
    let backoff = BackoffConfig { init_backoff, max_backoff, base: 2.0 };
    let retry = RetryConfig { backoff, max_retries: 15, retry_timeout: Duration::from_secs(60) };
    server.account().by_way_of(proxy.endpoint()).client(BUCKET).with_retry(retry).build().unwrap()
}

/// What the client itself does not try again, such as a list that was cut, is tried again here.
async fn at_last<T>(mut attempt: impl AsyncFnMut() -> object_store::Result<T>) -> T {
    let mut errors = Vec::new();
    for _ in 0..10 {
        match attempt().await {
            Ok(value) => return value,
            Err(error) => errors.push(error.to_string()),
        }
    }
    panic!("{}", errors.join("\n"))
}

fn content(number: usize) -> Vec<u8> {
    (0..number * 997).map(|at| (at * number % 251) as u8).collect()
}

/// Objects, an upload in parts, and reading all of it back.
async fn exercise(store: &AmazonS3, prefix: &ObjectPath) {
    for number in 0..60 {
        let path = prefix.clone().join(format!("{number:02}"));
        at_last(async || store.put(&path, content(number).into()).await).await;
    }
    let path = prefix.clone().join("large");
    at_last(async || {
        let mut upload = WriteMultipart::new_with_chunk_size(store.put_multipart(&path).await?, 5 << 20);
        upload.write(&content(12_000));
        upload.finish().await
    })
    .await;
    let listed = at_last(async || store.list(Some(prefix)).try_collect::<Vec<_>>().await).await;
    assert_eq!(listed.len(), 61);
    for (at, meta) in listed.iter().enumerate() {
        let read = at_last(async || store.get(&meta.location).await?.bytes().await).await;
        assert!(read[..] == content(if at == 60 { 12_000 } else { at }), "{}", meta.location);
    }
}

fn folder(server: &Server, name: &str) -> (Folder, ObjectPath) {
    let folder = server.bucket(BUCKET).folder(name);
    let prefix = ObjectPath::parse(folder.uri().split_once(BUCKET).unwrap().1).unwrap();
    (folder, prefix)
}

#[test]
fn what_is_read_through_faults_is_what_was_written() {
    let server = Server::given_or_started();
    let proxy = Proxy::start(&server.account().endpoint, STORM);
    let came = |fault: &Fault| proxy.counts().contains_key(fault);
    // Every folder has a name of its own, and with it faults of its own: a storm or two may lack one of the nine.
    for _ in 0..20 {
        let (folder, prefix) = folder(&server, "storm");
        Runtime::new().unwrap().block_on(exercise(&client(&server, &proxy), &prefix));
        for number in 0..60 {
            assert!(folder.read(&format!("{number:02}")).unwrap()[..] == content(number));
        }
        if Fault::OF_A_REQUEST.iter().all(came) {
            return;
        }
    }
    panic!("not every fault came: {:?}", proxy.counts());
}

#[test]
fn the_same_seed_has_the_same_faults() {
    let counts = |seed: u64| {
        let server = Server::start();
        let proxy = Proxy::start(&server.account().endpoint, Weather { seed, bursts: 0.0, ..STORM });
        server.bucket(BUCKET);
        let store = client(&server, &proxy);
        Runtime::new().unwrap().block_on(async {
            for number in 0..60 {
                drop(store.put(&ObjectPath::from(format!("{number}")), "x".into()).await);
            }
        });
        proxy.counts()
    };
    assert_eq!(counts(1), counts(1));
    assert_ne!(counts(1), counts(2));
}

#[test]
fn what_is_lost_was_carried_out() {
    let server = Server::given_or_started();
    for (number, lost) in [&[Fault::LostToReset], &[Fault::LostToClose], &[Fault::LostToError]].into_iter().enumerate()
    {
        let proxy =
            Proxy::start(&server.account().endpoint, Weather { share: 1.0, faults: lost, bursts: 0.0, ..STORM });
        let (folder, prefix) = folder(&server, &format!("lost-{number}"));
        let path = prefix.join("manifest");
        let put = client(&server, &proxy);
        let put = Runtime::new().unwrap().block_on(put.put_opts(&path, "mine".into(), PutMode::Create.into()));
        // The writer is told that another was there first, or that nothing is known. It has to look whose the object is.
        let told = put.unwrap_err();
        assert!(matches!(told, Error::AlreadyExists { .. } | Error::Generic { .. }), "{told}");
        assert_eq!(folder.read("manifest").unwrap(), "mine");
    }
}

#[test]
fn in_an_outage_nobody_connects() {
    let server = Server::given_or_started();
    // No burst either: the folder's name has the process in it, and so would now and then be one that a burst befalls.
    let proxy = Proxy::start(&server.account().endpoint, Weather { share: 0.0, bursts: 0.0, ..STORM });
    let (_folder, prefix) = folder(&server, "outage");
    let path = prefix.join("object");
    let once = RetryConfig { max_retries: 0, ..RetryConfig::default() };
    let client = server.account().by_way_of(proxy.endpoint()).client(BUCKET).with_retry(once).build().unwrap();
    let runtime = Runtime::new().unwrap();
    let connects = || std::net::TcpStream::connect(proxy.endpoint().trim_start_matches("http://")).is_ok();
    proxy.begin_outage();
    wait_until(|| !connects());
    assert!(runtime.block_on(client.put(&path, "x".into())).is_err());
    proxy.end_outage();
    wait_until(connects);
    runtime.block_on(client.put(&path, "x".into())).unwrap();
}

/// The proxy closes and opens a little after it is told to.
fn wait_until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the proxy goes on as before");
        std::thread::sleep(Duration::from_millis(5));
    }
}
