//! What the program relies on in an S3 server, held against the one of the tests, and against one that is given.

use std::sync::Arc;

use futures::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3;
use object_store::path::Path as ObjectPath;
use object_store::{Error, MultipartUpload, ObjectStore, ObjectStoreExt, PutMode, PutResult, UpdateVersion};
use tokio::runtime::Runtime;

use super::{BUCKET, Server};

/// A client, and a prefix of its own.
fn client(server: &Server, name: &str) -> (Arc<AmazonS3>, ObjectPath) {
    let prefix = server.bucket(BUCKET).folder(name).prefix.clone();
    (Arc::new(server.account().client(BUCKET).build().unwrap()), prefix)
}

/// What became of four puts under one condition at the same moment: the one that was carried out, if it was one.
///
/// Each content is a new one: an ETag is that of the content, so the same content put twice meets the same condition twice.
async fn race(store: &Arc<AmazonS3>, path: &ObjectPath, mode: PutMode) -> PutResult {
    let put = |writer: usize| {
        let (store, path, mode) = (Arc::clone(store), path.clone(), mode.clone());
        let content = format!("{path} {mode:?} {writer}");
        tokio::spawn(async move { store.put_opts(&path, content.into(), mode.into()).await })
    };
    let puts: Vec<_> = (0..4).map(put).collect();
    let mut won = Vec::new();
    for put in puts {
        match put.await.unwrap() {
            Ok(result) => won.push(result),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(won.len(), 1, "several writers put under one condition");
    won.remove(0)
}

#[test]
fn a_condition_holds_for_one_writer_only() {
    // Not against a server that is given: moto's looks and puts in two steps.
    let server = Server::start();
    let (store, prefix) = client(&server, "conditions");
    Runtime::new().unwrap().block_on(async {
        for round in 0..20 {
            let path = prefix.clone().join(format!("{round}"));
            let created = race(&store, &path, PutMode::Create).await;
            let stale = UpdateVersion { e_tag: created.e_tag, version: None };
            race(&store, &path, PutMode::Update(stale.clone())).await;
            let late = store.put_opts(&path, "late".into(), PutMode::Update(stale.clone()).into()).await;
            assert!(matches!(late, Err(Error::Precondition { .. })));
            store.delete(&path).await.unwrap();
            let gone = store.put_opts(&path, "gone".into(), PutMode::Update(stale).into()).await;
            assert!(matches!(gone, Err(Error::Precondition { .. })));
        }
    });
}

#[test]
fn thousands_of_objects_are_listed_and_deleted() {
    let server = Server::given_or_started();
    let (store, prefix) = client(&server, "thousands");
    Runtime::new().unwrap().block_on(async {
        let paths: Vec<_> =
            (0..2500).map(|n| prefix.clone().join(format!("{}", n % 7)).join(format!("{n:04}"))).collect();
        futures::stream::iter(&paths)
            .map(|path| store.put(path, "x".into()))
            .buffered(8)
            .try_for_each(async |_| Ok(()))
            .await
            .unwrap();
        let listed =
            async || store.list(Some(&prefix)).map_ok(|meta| meta.location).try_collect::<Vec<_>>().await.unwrap();
        let mut sorted = paths.clone();
        sorted.sort();
        assert_eq!(listed().await, sorted);
        assert_eq!(store.list_with_delimiter(Some(&prefix)).await.unwrap().common_prefixes.len(), 7);
        // A prefix is no object, and neither is what only begins like one.
        assert!(matches!(store.head(&prefix).await, Err(Error::NotFound { .. })));
        let deleted = store.delete_stream(futures::stream::iter(paths).map(Ok).boxed()).try_collect::<Vec<_>>().await;
        assert_eq!(deleted.unwrap().len(), 2500);
        assert!(listed().await.is_empty());
        assert!(matches!(store.head(&prefix).await, Err(Error::NotFound { .. })));
    });
}

#[test]
fn uploads_come_together_or_leave_nothing() {
    let server = Server::given_or_started();
    let (store, prefix) = client(&server, "uploads");
    let open = || server.open_uploads().unwrap_or_default();
    Runtime::new().unwrap().block_on(async {
        let path = prefix.clone().join("p".repeat(200)).join("large");
        let part = |letter: u8| vec![letter; 5 << 20];
        let mut upload = store.put_multipart(&path).await.unwrap();
        for letter in *b"ab" {
            upload.put_part(part(letter).into()).await.unwrap();
        }
        upload.put_part("end".into()).await.unwrap();
        assert!(matches!(store.head(&path).await, Err(Error::NotFound { .. })));
        upload.complete().await.unwrap();
        let content = store.get(&path).await.unwrap().bytes().await.unwrap();
        assert!(content[..] == [part(b'a'), part(b'b'), b"end".to_vec()].concat());
        let length = content.len() as u64;
        assert_eq!(store.get_range(&path, (5 << 20) - 1..(5 << 20) + 1).await.unwrap(), "ab");
        assert_eq!(store.get_range(&path, length - 3..length).await.unwrap(), "end");

        let mut aborted = store.put_multipart(&prefix.clone().join("aborted")).await.unwrap();
        aborted.put_part("x".into()).await.unwrap();
        aborted.abort().await.unwrap();
        assert!(matches!(store.head(&prefix.clone().join("aborted")).await, Err(Error::NotFound { .. })));
        assert_eq!(open(), 0);
    });
}

#[test]
fn a_wrong_secret_is_refused() {
    // Not against a server that is given: moto's lets everybody in.
    let server = Server::start();
    let bucket = server.bucket(BUCKET);
    bucket.folder("secret").write("object", "x".into());
    let store = server.account().client(BUCKET).with_secret_access_key("guess").build().unwrap();
    let runtime = Runtime::new().unwrap();
    let got = runtime.block_on(store.get(&ObjectPath::from("object")));
    assert!(matches!(got, Err(Error::PermissionDenied { .. })));
    assert!(runtime.block_on(store.list(None).try_collect::<Vec<_>>()).is_err());
}
