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
use object_store::{ObjectStore, ObjectStoreExt, PutPayloadMut, WriteMultipart};
use parquet::arrow::async_writer::AsyncFileWriter;

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
    uri: String,
    store: Arc<dyn ObjectStore>,
    path: ObjectPath,
    digest: blake3::Hasher,
    bytes: u64,
    state: State,
}

enum State {
    Held(PutPayloadMut),
    InParts(Parts),
    Ended,
}

/// An upload in parts, aborted if it is dropped.
struct Parts {
    /// There until it is completed or aborted.
    writer: Option<WriteMultipart>,
    open: Option<Open>,
}

impl Parts {
    /// Begins one. Who asks may be dropped before the store has answered: then what it has begun is aborted all the same.
    async fn begin(store: Arc<dyn ObjectStore>, path: ObjectPath) -> object_store::Result<Self> {
        let open = Open::begin();
        let begun = upkeep().spawn(async move {
            let upload = store.put_multipart(&path).await?;
            let writer = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
            Ok(Self { writer: Some(writer), open: Some(open) })
        });
        begun.await.unwrap_or_else(|ended| Err(ended.into()))
    }

    fn put(&mut self, bytes: Bytes) {
        if let Some(writer) = &mut self.writer {
            writer.put(bytes);
        }
    }

    /// Waits until no more parts than that are under way.
    async fn wait_for(&mut self, parts: usize) -> object_store::Result<()> {
        match &mut self.writer {
            Some(writer) => writer.wait_for_capacity(parts).await,
            None => Ok(()),
        }
    }

    async fn complete(mut self) -> object_store::Result<()> {
        let _open = self.open.take();
        match self.writer.take() {
            Some(writer) => writer.finish().await.map(drop),
            None => Ok(()),
        }
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let (Some(writer), open) = (self.writer.take(), self.open.take()) else { return };
        upkeep().spawn(writer.abort().map(|_| drop(open)));
    }
}

impl Upload {
    /// Begins a file; nothing is in the store yet.
    pub fn begin(location: &Location) -> Self {
        Self {
            uri: location.uri().to_owned(),
            store: location.store(),
            path: location.path().clone(),
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
        self.add(bytes).await.map_err(|error| CorpusError::store_output(&self.uri, &error))
    }

    async fn add(&mut self, bytes: Bytes) -> object_store::Result<()> {
        self.digest.update(&bytes);
        self.bytes += bytes.len() as u64;
        match &mut self.state {
            State::Held(held) => {
                held.push(bytes);
                if held.content_length() > PART_BYTES {
                    let held = std::mem::take(held);
                    let mut parts = Parts::begin(Arc::clone(&self.store), self.path.clone()).await?;
                    held.freeze().into_iter().for_each(|bytes| parts.put(bytes));
                    self.state = State::InParts(parts);
                }
                Ok(())
            }
            State::InParts(parts) => {
                parts.wait_for(PARTS_AT_ONCE).await?;
                parts.put(bytes);
                Ok(())
            }
            State::Ended => Ok(()),
        }
    }

    /// Ends the file: from here on it is there, whole.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the store does not take it.
    pub async fn finish(mut self) -> Result<Uploaded> {
        let uploaded = Uploaded { bytes: self.bytes, digest: self.digest.finalize().to_hex().to_string() };
        // While parts are under way they are still ours to abort.
        let arrived = match &mut self.state {
            State::InParts(parts) => parts.wait_for(0).await,
            State::Held(_) | State::Ended => Ok(()),
        };
        arrived.map_err(|error| CorpusError::store_output(&self.uri, &error))?;
        let ended = match std::mem::replace(&mut self.state, State::Ended) {
            State::Held(held) => self.store.put(&self.path, held.freeze()).await.map(drop),
            State::InParts(parts) => parts.complete().await,
            State::Ended => Ok(()),
        };
        let Err(error) = ended else { return Ok(uploaded) };
        // The store may have completed it and its answer been lost: asked again it knows of no such upload.
        match stored(Arc::clone(&self.store), self.path.clone()).await {
            Ok(stored) if stored == uploaded => Ok(uploaded),
            _ => Err(CorpusError::store_output(&self.uri, &error)),
        }
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
