//! A store whose answers are whole: what is shorter than was said or listed is an error, and not the object.
//!
//! ```text
//! list               in/a.jsonl  8,000 bytes, e-tag 5d41…
//! GET in/a.jsonl     200, 5,000 bytes, e-tag 5d41…            not all of it
//! GET bytes 0-4095   206, bytes 0-4095/8000, 1,200 come       nor this
//! ```
//!
//! A gateway or a cache that is broken answers so. A file of lines that is cut behind one of them reads as a shorter file: notes would be
//! missing, or the records of patients, whose names would then be left where they stand.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path as ObjectPath;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

/// The store sent fewer bytes than there are.
#[derive(Debug, thiserror::Error)]
#[error("the store sent {sent} bytes where there are {all}")]
pub(super) struct Incomplete {
    sent: u64,
    all: u64,
}

impl Incomplete {
    fn error(sent: u64, all: u64) -> Error {
        Error::Generic { store: "object store", source: Box::new(Self { sent, all }) }
    }
}

/// A store with what it has told of its objects.
#[derive(Debug)]
pub(super) struct WholeAnswers<S> {
    store: S,
    told: Arc<Told>,
}

impl<S: ObjectStore> WholeAnswers<S> {
    pub(super) fn of(store: S) -> Self {
        Self { store, told: Arc::default() }
    }
}

/// How large objects are, by the hashes of their paths and with that of their version: some dozens of bytes for each.
#[derive(Debug, Default)]
struct Told {
    sizes: Mutex<HashMap<u64, (u64, u64)>>,
    hasher: RandomState,
}

impl Told {
    /// What tells a version, where something does: Azure lists e-tags without the quotation marks that it answers them in.
    fn version(&self, meta: &ObjectMeta) -> Option<u64> {
        match &meta.e_tag {
            Some(e_tag) => Some(self.hasher.hash_one(e_tag.trim_start_matches("W/").trim_matches('"'))),
            None if meta.last_modified.timestamp() == 0 => None,
            None => Some(self.hasher.hash_one(meta.last_modified)),
        }
    }

    fn learn(&self, meta: &ObjectMeta) {
        let Some(version) = self.version(meta) else { return };
        let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.insert(self.hasher.hash_one(meta.location.as_ref()), (meta.size, version));
    }

    /// Forgets an object that is written.
    fn forget(&self, path: &ObjectPath) {
        let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.remove(&self.hasher.hash_one(path.as_ref()));
    }

    /// Refuses an object that is smaller than the same version of it was said to be.
    fn compare(&self, meta: &ObjectMeta) -> Result<()> {
        let sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        match sizes.get(&self.hasher.hash_one(meta.location.as_ref())) {
            Some(&(size, version)) if meta.size < size && self.version(meta) == Some(version) => {
                Err(Incomplete::error(meta.size, size))
            }
            _ => Ok(()),
        }
    }
}

/// The bytes of an answer, with an error at their end where some are missing.
fn whole(bytes: BoxStream<'static, Result<Bytes>>, all: u64) -> BoxStream<'static, Result<Bytes>> {
    futures::stream::try_unfold((bytes, 0), move |(mut bytes, sent)| async move {
        match bytes.try_next().await? {
            Some(piece) => {
                let sent = sent + piece.len() as u64;
                Ok(Some((piece, (bytes, sent))))
            }
            None if sent < all => Err(Incomplete::error(sent, all)),
            None => Ok(None),
        }
    })
    .boxed()
}

impl<S: ObjectStore> std::fmt::Display for WholeAnswers<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.store, formatter)
    }
}

#[async_trait]
impl<S: ObjectStore> ObjectStore for WholeAnswers<S> {
    async fn get_opts(&self, path: &ObjectPath, options: GetOptions) -> Result<GetResult> {
        let head = options.head;
        let mut read = self.store.get_opts(path, options).await?;
        if head {
            self.told.learn(&read.meta);
            return Ok(read);
        }
        self.told.compare(&read.meta)?;
        let all = read.range.end - read.range.start;
        read.payload = match read.payload {
            GetResultPayload::Stream(bytes) => GetResultPayload::Stream(whole(bytes, all)),
            file @ GetResultPayload::File(..) => file,
        };
        Ok(read)
    }

    async fn put_opts(&self, path: &ObjectPath, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.told.forget(path);
        self.store.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &ObjectPath,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.told.forget(path);
        self.store.put_multipart_opts(path, options).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<ObjectPath>>) -> BoxStream<'static, Result<ObjectPath>> {
        self.store.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&ObjectPath>) -> BoxStream<'static, Result<ObjectMeta>> {
        let told = Arc::clone(&self.told);
        self.store.list(prefix).inspect_ok(move |meta| told.learn(meta)).boxed()
    }

    /// Stores begin where they are told to.
    fn list_with_offset(
        &self,
        prefix: Option<&ObjectPath>,
        offset: &ObjectPath,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        let told = Arc::clone(&self.told);
        self.store.list_with_offset(prefix, offset).inspect_ok(move |meta| told.learn(meta)).boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&ObjectPath>) -> Result<ListResult> {
        let listed = self.store.list_with_delimiter(prefix).await?;
        listed.objects.iter().for_each(|meta| self.told.learn(meta));
        Ok(listed)
    }

    async fn copy_opts(&self, from: &ObjectPath, to: &ObjectPath, options: CopyOptions) -> Result<()> {
        self.told.forget(to);
        self.store.copy_opts(from, to, options).await
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;
    use object_store::{GetRange, ObjectStoreExt};

    use super::*;
    use crate::corpus::store::fault::{is_temporary, reason};
    use crate::corpus::store::tests_support::{Fault, Faulty};

    /// Sends the first bytes only, and says so or not.
    #[derive(Debug)]
    struct Cut {
        to: u64,
        told: bool,
    }

    impl Fault for Cut {
        fn got(&self, mut read: GetResult) -> GetResult {
            let (to, told) = (self.to, self.told);
            if told {
                read.meta.size = to;
                read.range.end = to;
            }
            let bytes = read.payload;
            read.payload = match bytes {
                GetResultPayload::Stream(bytes) => {
                    let cut = bytes.map_ok(move |piece| piece.slice(..piece.len().min(usize::try_from(to).unwrap())));
                    GetResultPayload::Stream(cut.boxed())
                }
                file @ GetResultPayload::File(..) => file,
            };
            read
        }
    }

    async fn store(fault: Cut) -> (WholeAnswers<Faulty<Cut>>, ObjectPath) {
        let (store, path) = (Arc::new(InMemory::new()), ObjectPath::from("in/a.jsonl"));
        store.put(&path, "first\nsecond\n".into()).await.unwrap();
        (WholeAnswers::of(Faulty { store, fault }), path)
    }

    async fn read(store: &impl ObjectStore, path: &ObjectPath, range: Option<GetRange>) -> Result<Bytes> {
        store.get_opts(path, GetOptions { range, ..GetOptions::default() }).await?.bytes().await
    }

    #[tokio::test]
    async fn an_answer_that_is_cut_is_an_error_that_may_pass() {
        let (cut, path) = store(Cut { to: 6, told: false }).await;
        for range in [None, Some(GetRange::Bounded(0..9))] {
            let error = read(&cut, &path, range).await.unwrap_err();
            assert!(is_temporary(&error) && reason(&error).contains("6 bytes"), "{error}");
        }
        assert!(cut.get_ranges(&path, &[0..3, 4..9]).await.is_err());
        let (whole, path) = store(Cut { to: 60, told: false }).await;
        assert_eq!(read(&whole, &path, Some(GetRange::Bounded(2..9))).await.unwrap(), "rst\nsec");
    }

    #[tokio::test]
    async fn an_object_that_is_smaller_than_it_was_listed_is_not_read() {
        let (cut, path) = store(Cut { to: 6, told: true }).await;
        assert_eq!(read(&cut, &path, None).await.unwrap(), "first\n");
        for listed in [false, true] {
            match listed {
                false => drop(cut.list(None).try_collect::<Vec<_>>().await.unwrap()),
                true => drop(cut.list_with_delimiter(Some(&ObjectPath::from("in"))).await.unwrap()),
            }
            assert!(is_temporary(&read(&cut, &path, None).await.unwrap_err()));
            // Another version may be of any size.
            cut.put(&path, "another\n".into()).await.unwrap();
            assert_eq!(read(&cut, &path, None).await.unwrap(), "anothe");
        }
    }
}
