//! A file on its way to a store: in parts where it is large, and given up unless it is finished.
//!
//! ```text
//! put ─ up to 8 MiB are held ─▶ finish: one request
//!     └ more: an upload in parts ─▶ finish: completed │ dropped: aborted, so that no parts lie about in the store
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, TryStreamExt};
use object_store::path::Path as ObjectPath;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayloadMut};
use parquet::arrow::async_writer::AsyncFileWriter;
use tokio::task::JoinSet;

use super::Location;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::upkeep::upkeep;

/// A file up to this size is written in one request; a larger one in parts of this size.
const PART_BYTES: usize = 8 << 20;
/// How many parts of a file are under way at once; together with their size, the most memory that an upload holds.
const PARTS_AT_ONCE: usize = 4;

/// How many uploads in parts are under way, or being aborted.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// An upload in parts, counted for as long as it is under way.
struct Open;

impl Open {
    fn begin() -> Self {
        OPEN.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::SeqCst);
    }
}

/// How long is waited for stores to let go of what was given up.
const PATIENCE: Duration = Duration::from_secs(4);

/// Waits until the uploads that were given up are gone from their stores, but not long: what cannot be aborted is left to the store's own
/// rule for unfinished uploads. A worker that is given up lets go of its upload when it next comes up for air.
pub async fn uploads_aborted() {
    let begun = Instant::now();
    while OPEN.load(Ordering::SeqCst) > 0 && begun.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A file that is in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uploaded {
    /// Its bytes.
    pub bytes: u64,
    /// BLAKE3 of its content, hexadecimal.
    pub digest: String,
}

/// A file on its way.
pub struct Upload {
    location: Location,
    digest: blake3::Hasher,
    bytes: u64,
    state: State,
}

enum State {
    Held(PutPayloadMut),
    InParts(Parts),
    Ended,
}

/// An upload in parts, aborted if it is dropped: also while its last part is under way, or the store has not yet said that it is complete.
struct Parts {
    /// There until it is completed or aborted.
    begun: Option<Begun>,
}

struct Begun {
    upload: Box<dyn MultipartUpload>,
    under_way: JoinSet<object_store::Result<()>>,
    /// What makes no whole part yet.
    held: PutPayloadMut,
    _open: Open,
}

impl Parts {
    /// Begins one. Who asks may be dropped before the store has answered: then what it has begun is aborted all the same.
    async fn begin(store: Arc<dyn ObjectStore>, path: ObjectPath) -> object_store::Result<Self> {
        let open = Open::begin();
        let begun = upkeep().spawn(async move {
            let upload = store.put_multipart(&path).await?;
            let begun = Begun { upload, under_way: JoinSet::new(), held: PutPayloadMut::default(), _open: open };
            Ok(Self { begun: Some(begun) })
        });
        begun.await.unwrap_or_else(|ended| Err(ended.into()))
    }

    async fn put(&mut self, bytes: Bytes) -> object_store::Result<()> {
        match &mut self.begun {
            Some(begun) => begun.put(bytes).await,
            None => Ok(()),
        }
    }

    /// Waits until every part has arrived.
    async fn arrive(&mut self) -> object_store::Result<()> {
        match &mut self.begun {
            Some(begun) => begun.arrive().await,
            None => Ok(()),
        }
    }

    /// Ends it, once every part has arrived.
    async fn complete(mut self) -> object_store::Result<()> {
        if let Some(begun) = &mut self.begun {
            begun.upload.complete().await?;
        }
        self.begun = None;
        Ok(())
    }
}

impl Begun {
    async fn put(&mut self, mut bytes: Bytes) -> object_store::Result<()> {
        while !bytes.is_empty() {
            let lacking = PART_BYTES - self.held.content_length();
            self.held.push(bytes.split_to(lacking.min(bytes.len())));
            if self.held.content_length() == PART_BYTES {
                self.send_held().await?;
            }
        }
        Ok(())
    }

    /// Sends what is held as a part, as soon as fewer are under way than may be.
    async fn send_held(&mut self) -> object_store::Result<()> {
        self.wait_for_fewer_than(PARTS_AT_ONCE).await?;
        let part = self.upload.put_part(std::mem::take(&mut self.held).freeze());
        self.under_way.spawn(part);
        Ok(())
    }

    async fn wait_for_fewer_than(&mut self, parts: usize) -> object_store::Result<()> {
        while self.under_way.len() >= parts
            && let Some(arrived) = self.under_way.join_next().await
        {
            arrived??;
        }
        Ok(())
    }

    async fn arrive(&mut self) -> object_store::Result<()> {
        if self.held.content_length() > 0 {
            self.send_held().await?;
        }
        self.wait_for_fewer_than(1).await
    }

    async fn abort(mut self) {
        self.under_way.shutdown().await;
        // Nobody is left who could be told that this has failed.
        let _ = self.upload.abort().await;
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        if let Some(begun) = self.begun.take() {
            upkeep().spawn(begun.abort());
        }
    }
}

impl Upload {
    /// Begins a file; nothing is in the store yet.
    pub fn begin(location: &Location) -> Self {
        Self {
            location: location.clone(),
            digest: blake3::Hasher::new(),
            bytes: 0,
            state: State::Held(PutPayloadMut::default()),
        }
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the store does not take them.
    pub async fn put(&mut self, bytes: Bytes) -> Result<()> {
        self.add(bytes).await.map_err(|error| self.refused(&error))
    }

    async fn add(&mut self, bytes: Bytes) -> object_store::Result<()> {
        self.digest.update(&bytes);
        self.bytes += bytes.len() as u64;
        match &mut self.state {
            State::Held(held) => {
                held.push(bytes);
                if held.content_length() > PART_BYTES {
                    let held = std::mem::take(held);
                    let mut parts = Parts::begin(self.location.store(), self.location.path().clone()).await?;
                    for bytes in held.freeze() {
                        parts.put(bytes).await?;
                    }
                    self.state = State::InParts(parts);
                }
                Ok(())
            }
            State::InParts(parts) => parts.put(bytes).await,
            State::Ended => Ok(()),
        }
    }

    /// Ends the file: from here on it is there, whole.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the store does not take it.
    pub async fn finish(mut self) -> Result<Uploaded> {
        let uploaded = Uploaded { bytes: self.bytes, digest: self.digest.finalize().to_hex().to_string() };
        let arrived = match &mut self.state {
            State::InParts(parts) => parts.arrive().await,
            State::Held(_) | State::Ended => Ok(()),
        };
        arrived.map_err(|error| self.refused(&error))?;
        let ended = match std::mem::replace(&mut self.state, State::Ended) {
            State::Held(held) => self.location.store.put(&self.location.path, held.freeze()).await.map(drop),
            State::InParts(parts) => parts.complete().await,
            State::Ended => Ok(()),
        };
        if let Err(error) = ended {
            // The store may have completed it and its answer been lost: asked again it knows of no such upload.
            let stored = self.location.stored().await;
            if !stored.is_ok_and(|stored| stored == uploaded) {
                return Err(self.refused(&error));
            }
        }
        self.location.persist().await?;
        Ok(uploaded)
    }

    fn refused(&self, error: &object_store::Error) -> CorpusError {
        CorpusError::store_output(self.location.uri(), error)
    }
}

impl Location {
    /// Reads a whole file, however large, to tell what it is.
    pub fn stored(&self) -> BoxFuture<'static, object_store::Result<Uploaded>> {
        stored(self.store(), self.path().clone()).boxed()
    }
}

/// What is in a store under a name.
async fn stored(store: Arc<dyn ObjectStore>, path: ObjectPath) -> object_store::Result<Uploaded> {
    let mut content = store.get(&path).await?.into_stream();
    let (mut digest, mut bytes) = (blake3::Hasher::new(), 0);
    while let Some(chunk) = content.try_next().await? {
        digest.update(&chunk);
        bytes += chunk.len() as u64;
    }
    Ok(Uploaded { bytes, digest: digest.finalize().to_hex().to_string() })
}

impl AsyncFileWriter for Upload {
    fn write(&mut self, bytes: Bytes) -> BoxFuture<'_, parquet::errors::Result<()>> {
        self.add(bytes)
            .map(|added| added.map_err(|error| parquet::errors::ParquetError::External(Box::new(error))))
            .boxed()
    }

    fn complete(&mut self) -> BoxFuture<'_, parquet::errors::Result<()>> {
        // The file is ended by `finish`, which says what was written.
        std::future::ready(Ok(())).boxed()
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Mutex;

    use async_trait::async_trait;
    use futures::future::{Either, select};
    use object_store::memory::InMemory;
    use object_store::{PutPayload, PutResult, UploadPart};
    use tokio::sync::Notify;

    use super::super::tests_support::{Fault, Faulty};
    use super::*;

    /// Where an upload in parts stops and does not go on.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Stuck {
        Never,
        AtPart(usize),
        AtEnd,
    }

    /// What was asked of uploads in parts.
    #[derive(Debug, Default, Clone, PartialEq)]
    struct Asked {
        parts: Vec<usize>,
        aborted: usize,
    }

    /// Uploads in parts that may stop.
    #[derive(Debug)]
    struct Stopping {
        stuck: Stuck,
        /// Told when an upload has stopped, and when one is aborted.
        news: Arc<Notify>,
        asked: Arc<Mutex<Asked>>,
    }

    impl Fault for Stopping {
        fn in_parts(&self, upload: Box<dyn MultipartUpload>) -> Box<dyn MultipartUpload> {
            let (news, asked) = (Arc::clone(&self.news), Arc::clone(&self.asked));
            Box::new(StoppingUpload { upload, stuck: self.stuck, news, asked })
        }
    }

    #[derive(Debug)]
    struct StoppingUpload {
        upload: Box<dyn MultipartUpload>,
        stuck: Stuck,
        news: Arc<Notify>,
        asked: Arc<Mutex<Asked>>,
    }

    #[async_trait]
    impl MultipartUpload for StoppingUpload {
        fn put_part(&mut self, data: PutPayload) -> UploadPart {
            let mut asked = self.asked.lock().unwrap();
            asked.parts.push(data.content_length());
            if self.stuck != Stuck::AtPart(asked.parts.len()) {
                return self.upload.put_part(data);
            }
            self.news.notify_one();
            std::future::pending().boxed()
        }

        async fn complete(&mut self) -> object_store::Result<PutResult> {
            if self.stuck != Stuck::AtEnd {
                return self.upload.complete().await;
            }
            self.news.notify_one();
            std::future::pending().await
        }

        async fn abort(&mut self) -> object_store::Result<()> {
            self.asked.lock().unwrap().aborted += 1;
            self.news.notify_one();
            self.upload.abort().await
        }
    }

    /// Sends a file of some pieces, and gives it up where it stops: what was asked of the store, and of a file that came to its end what
    /// is said to be in the store and what is.
    async fn send(stuck: Stuck, pieces: &[usize]) -> (Asked, Option<(Uploaded, Uploaded)>) {
        let (news, asked) = (Arc::new(Notify::new()), Arc::new(Mutex::new(Asked::default())));
        let memory = Arc::new(InMemory::new());
        let path = ObjectPath::from("part");
        let fault = Stopping { stuck, news: Arc::clone(&news), asked: Arc::clone(&asked) };
        let store = Arc::new(Faulty { store: Arc::clone(&memory), fault });
        let mut upload = Upload::begin(&Location::parse("memory:///part").unwrap().with_store(store));
        let finished = Box::pin(async move {
            for (at, bytes) in pieces.iter().enumerate() {
                upload.put(vec![at as u8; *bytes].into()).await.unwrap();
            }
            upload.finish().await.unwrap()
        });
        let finished = match select(finished, pin!(news.notified())).await {
            Either::Left((finished, _)) => Some((finished, stored(memory, path).await.unwrap())),
            Either::Right(((), unfinished)) => {
                drop(unfinished);
                let _ = tokio::time::timeout(Duration::from_secs(60), news.notified()).await;
                None
            }
        };
        let asked = asked.lock().unwrap().clone();
        (asked, finished)
    }

    #[tokio::test]
    async fn an_upload_is_aborted_wherever_it_is_given_up() {
        for stuck in [Stuck::AtPart(1), Stuck::AtPart(2), Stuck::AtPart(3), Stuck::AtEnd] {
            let (asked, finished) = send(stuck, &[PART_BYTES, PART_BYTES, 5]).await;
            assert!(finished.is_none() && asked.aborted == 1, "{stuck:?}: {asked:?}");
        }
    }

    #[tokio::test]
    async fn large_files_go_in_parts_of_one_size_and_small_ones_whole() {
        let whole = PART_BYTES;
        for (pieces, parts) in [
            (&[3, 4][..], &[][..]),
            (&[whole], &[]),
            (&[whole, 1], &[whole, 1]),
            (&[1, 2 * whole, whole - 1], &[whole, whole, whole]),
            (&[whole - 1, 3, 5 * whole, 7], &[whole, whole, whole, whole, whole, whole, 9]),
        ] {
            let (asked, finished) = send(Stuck::Never, pieces).await;
            assert_eq!(asked, Asked { parts: parts.to_vec(), aborted: 0 });
            let (finished, stored) = finished.unwrap();
            assert_eq!((&finished, finished.bytes), (&stored, pieces.iter().sum::<usize>() as u64));
        }
    }
}
