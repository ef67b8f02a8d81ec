//! A store that holds back what a statement writes until all of it is there.
//!
//! ```text
//! file in one request ─▶ held in memory ──────────┬─ finished: written, completed
//! upload in parts ─▶ parts sent, not completed ───┴─ given up: nothing is there, uploads are aborted
//! ```
//!
//! The engine ends a file when its rows end, also where they end by a fault: then a file of some of the rows would look whole, or stand in the place
//! of one that was there. And an upload that it lets go of it leaves open.

use std::fmt::{Display, Formatter};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt, TryStreamExt};
use object_store::path::Path as ObjectPath;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMode,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, UploadPart,
};

use crate::corpus::upkeep;

/// How many files are put in their place at once.
const AT_ONCE: usize = 16;
/// How long is waited for the store to let go of uploads that are given up.
const PATIENCE: Duration = Duration::from_secs(4);

/// A store whose new files are held back.
#[derive(Debug)]
pub(super) struct HeldBack {
    store: Arc<dyn ObjectStore>,
    files: Files,
    /// One share is the store's own, and each upload that the other store knows of has another.
    open: Arc<()>,
}

type Files = Arc<Mutex<Vec<File>>>;

/// A file that is whole, but not in its place.
#[derive(Debug)]
enum File {
    InOneRequest { path: ObjectPath, content: PutPayload, options: PutOptions },
    InParts(Open),
}

/// An upload in parts; aborted unless it is completed.
#[derive(Debug)]
struct Open {
    upload: Option<Box<dyn MultipartUpload>>,
    counted: Arc<()>,
}

impl Drop for Open {
    fn drop(&mut self) {
        let Some(mut upload) = self.upload.take() else { return };
        let counted = Arc::clone(&self.counted);
        upkeep().spawn(async move {
            // Nobody is left who could be told that this has failed.
            let _ = upload.abort().await;
            drop(counted);
        });
    }
}

impl HeldBack {
    /// Holds back what is written to a store.
    pub(super) fn of(store: Arc<dyn ObjectStore>) -> Self {
        Self { store, files: Files::default(), open: Arc::default() }
    }

    /// The store itself.
    pub(super) fn store(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(&self.store)
    }

    /// Puts every file in its place. Where the store fails at one, the others may be there.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn finish(&self) -> Result<()> {
        let files = futures::stream::iter(taken(&self.files)).map(Ok);
        files.try_for_each_concurrent(AT_ONCE, |file| self.put_one(file)).await
    }

    async fn put_one(&self, file: File) -> Result<()> {
        match file {
            File::InOneRequest { path, content, options } => {
                self.store.put_opts(&path, content, options).await.map(drop)
            }
            File::InParts(mut open) => {
                if let Some(upload) = &mut open.upload {
                    upload.complete().await?;
                }
                open.upload = None;
                Ok(())
            }
        }
    }

    /// Lets go of every file, and waits until the store has done so, but not long.
    pub(super) async fn give_up(&self) {
        let begun = Instant::now();
        loop {
            // Those who write may end a file after this was asked for.
            drop(taken(&self.files));
            if Arc::strong_count(&self.open) == 1 || begun.elapsed() > PATIENCE {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn taken(files: &Files) -> Vec<File> {
    std::mem::take(&mut *files.lock().unwrap_or_else(PoisonError::into_inner))
}

fn hold(files: &Files, file: File) -> PutResult {
    files.lock().unwrap_or_else(PoisonError::into_inner).push(file);
    PutResult { e_tag: None, version: None }
}

impl Display for HeldBack {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.store, formatter)
    }
}

#[async_trait]
impl ObjectStore for HeldBack {
    async fn put_opts(&self, path: &ObjectPath, content: PutPayload, options: PutOptions) -> Result<PutResult> {
        match options.mode {
            PutMode::Overwrite => Ok(hold(&self.files, File::InOneRequest { path: path.clone(), content, options })),
            // Whether such a file is written is for the store to say.
            _ => self.store.put_opts(path, content, options).await,
        }
    }

    async fn put_multipart_opts(
        &self,
        path: &ObjectPath,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        let (store, path, files) = (Arc::clone(&self.store), path.clone(), Arc::clone(&self.files));
        let counted = Arc::clone(&self.open);
        // Who asks may be dropped before the store has answered: then what it has begun is aborted all the same.
        let begun = upkeep().spawn(async move {
            let upload = store.put_multipart_opts(&path, options).await?;
            Ok::<_, object_store::Error>(Parts { open: Some(Open { upload: Some(upload), counted }), files })
        });
        let parts = begun.await.unwrap_or_else(|ended| Err(ended.into()))?;
        Ok(Box::new(parts))
    }

    async fn get_opts(&self, path: &ObjectPath, options: GetOptions) -> Result<GetResult> {
        self.store.get_opts(path, options).await
    }

    async fn get_ranges(&self, path: &ObjectPath, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.store.get_ranges(path, ranges).await
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

/// An upload as those see it who write: completed, it is held with the other files.
#[derive(Debug)]
struct Parts {
    open: Option<Open>,
    files: Files,
}

#[async_trait]
impl MultipartUpload for Parts {
    fn put_part(&mut self, content: PutPayload) -> UploadPart {
        match self.open.as_mut().and_then(|open| open.upload.as_mut()) {
            Some(upload) => upload.put_part(content),
            None => std::future::ready(Err(ended())).boxed(),
        }
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let open = self.open.take().ok_or_else(ended)?;
        Ok(hold(&self.files, File::InParts(open)))
    }

    async fn abort(&mut self) -> Result<()> {
        let upload = self.open.as_mut().and_then(|open| open.upload.take());
        match upload {
            Some(mut upload) => upload.abort().await,
            None => Ok(()),
        }
    }
}

fn ended() -> object_store::Error {
    object_store::Error::Generic { store: "copy", source: "the upload has ended already".into() }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;
    use object_store::{ObjectStoreExt, WriteMultipart};

    use super::*;

    /// A store that counts uploads that are neither completed nor aborted.
    #[derive(Debug, Default)]
    struct Counting {
        store: InMemory,
        open: Arc<()>,
    }

    impl Counting {
        fn open_uploads(&self) -> usize {
            Arc::strong_count(&self.open) - 1
        }
    }

    impl Display for Counting {
        fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
            Display::fmt(&self.store, formatter)
        }
    }

    #[async_trait]
    impl ObjectStore for Counting {
        async fn put_opts(&self, path: &ObjectPath, content: PutPayload, options: PutOptions) -> Result<PutResult> {
            self.store.put_opts(path, content, options).await
        }

        async fn put_multipart_opts(
            &self,
            path: &ObjectPath,
            options: PutMultipartOptions,
        ) -> Result<Box<dyn MultipartUpload>> {
            let upload = self.store.put_multipart_opts(path, options).await?;
            Ok(Box::new(Counted { upload, open: Some(Arc::clone(&self.open)) }))
        }

        async fn get_opts(&self, path: &ObjectPath, options: GetOptions) -> Result<GetResult> {
            self.store.get_opts(path, options).await
        }

        fn delete_stream(
            &self,
            paths: BoxStream<'static, Result<ObjectPath>>,
        ) -> BoxStream<'static, Result<ObjectPath>> {
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

    /// Dropped without being completed or aborted, it stays counted: a store forgets no upload by itself.
    #[derive(Debug)]
    struct Counted {
        upload: Box<dyn MultipartUpload>,
        open: Option<Arc<()>>,
    }

    #[async_trait]
    impl MultipartUpload for Counted {
        fn put_part(&mut self, content: PutPayload) -> UploadPart {
            self.upload.put_part(content)
        }

        async fn complete(&mut self) -> Result<PutResult> {
            self.open = None;
            self.upload.complete().await
        }

        async fn abort(&mut self) -> Result<()> {
            self.open = None;
            self.upload.abort().await
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            std::mem::forget(self.open.take());
        }
    }

    fn paths() -> [ObjectPath; 2] {
        ["whole", "parts"].map(ObjectPath::from)
    }

    /// A store with two files, and another two in their places that are held back.
    async fn written() -> (Arc<Counting>, HeldBack) {
        let store = Arc::new(Counting::default());
        let [whole, parts] = paths();
        for path in [&whole, &parts] {
            store.put(path, "earlier".into()).await.unwrap();
        }
        let held = HeldBack::of(Arc::clone(&store) as Arc<dyn ObjectStore>);
        held.put(&whole, "later".into()).await.unwrap();
        let mut upload = WriteMultipart::new_with_chunk_size(held.put_multipart(&parts).await.unwrap(), 4);
        upload.write(b"later in parts");
        upload.finish().await.unwrap();
        (store, held)
    }

    async fn content(store: &Counting) -> [Bytes; 2] {
        let [whole, parts] = paths();
        let read = async |path: &ObjectPath| store.get(path).await.unwrap().bytes().await.unwrap();
        [read(&whole).await, read(&parts).await]
    }

    #[tokio::test]
    async fn files_are_there_when_they_are_put_and_not_before() {
        let (store, held) = written().await;
        assert_eq!(content(&store).await, ["earlier", "earlier"]);
        held.finish().await.unwrap();
        assert_eq!(content(&store).await, ["later", "later in parts"]);
        held.give_up().await;
        assert_eq!((content(&store).await, store.open_uploads()), (["later", "later in parts"].map(Bytes::from), 0));
    }

    #[tokio::test]
    async fn what_is_given_up_leaves_nothing() {
        let (store, held) = written().await;
        // One in whose midst the writer is dropped.
        let mut upload = held.put_multipart(&ObjectPath::from("unfinished")).await.unwrap();
        upload.put_part("half".into()).await.unwrap();
        assert_eq!(store.open_uploads(), 2);
        drop(upload);
        held.give_up().await;
        assert_eq!((content(&store).await, store.open_uploads()), (["earlier", "earlier"].map(Bytes::from), 0));
        assert_eq!(store.list(None).count().await, 2);
    }

    #[tokio::test]
    async fn what_is_dropped_is_given_up() {
        let (store, held) = written().await;
        let open = Arc::clone(&held.open);
        drop(held);
        let begun = Instant::now();
        while Arc::strong_count(&open) > 1 && begun.elapsed() < PATIENCE {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!((content(&store).await, store.open_uploads()), (["earlier", "earlier"].map(Bytes::from), 0));
    }
}
