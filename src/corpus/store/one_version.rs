//! A store whose files stay as they were when they were first read; one that changes meanwhile is an error.
//!
//! ```text
//! stage count      reads notes/a.parquet ─▶ e-tag 5d41…, remembered
//! stage replace    reads notes/a.parquet ─▶ e-tag 7d79… ─▶ "it has changed meanwhile"
//! ```
//!
//! A job reads its notes several times. What it found in one version must never be applied to another: sentences that no detector has seen
//! would be in it. The store is not asked for a version (`If-Match`), for stores differ in what they take there; what it answers is compared.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures::stream::BoxStream;
use object_store::path::Path as ObjectPath;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use super::Location;

impl Location {
    /// The same place, every file of which is read in one version: the one that is met first.
    pub fn in_one_version(&self) -> Self {
        Self { store: Arc::new(OneVersion { store: self.store(), met: Mutex::default() }), ..self.clone() }
    }
}

#[derive(Debug)]
struct OneVersion {
    store: Arc<dyn ObjectStore>,
    /// What told the version of each file that was read.
    met: Mutex<HashMap<ObjectPath, String>>,
}

impl OneVersion {
    fn check(&self, meta: &ObjectMeta) -> Result<()> {
        let version = meta.e_tag.clone().unwrap_or_else(|| format!("{} {}", meta.last_modified, meta.size));
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        match met.get(&meta.location) {
            Some(known) if *known == version => Ok(()),
            Some(_) => {
                let path = meta.location.to_string();
                Err(Error::Precondition { path, source: "it has changed since it was first read".into() })
            }
            None => {
                met.insert(meta.location.clone(), version);
                Ok(())
            }
        }
    }

    /// What is told of a file that is not there: one that was read before has gone, and what is listed anew may be read.
    fn gone(&self, path: &ObjectPath, error: Error) -> Error {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        match error {
            Error::NotFound { path: told, .. } if met.contains_key(path) => {
                Error::Precondition { path: told, source: "it has gone since it was first read".into() }
            }
            other => other,
        }
    }
}

impl std::fmt::Display for OneVersion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.store, formatter)
    }
}

#[async_trait]
impl ObjectStore for OneVersion {
    async fn get_opts(&self, path: &ObjectPath, options: GetOptions) -> Result<GetResult> {
        let read = self.store.get_opts(path, options).await.map_err(|error| self.gone(path, error))?;
        self.check(&read.meta)?;
        Ok(read)
    }

    async fn put_opts(&self, path: &ObjectPath, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.store.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &ObjectPath,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(path, options).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<ObjectPath>>) -> BoxStream<'static, Result<ObjectPath>> {
        self.store.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&ObjectPath>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    fn list_with_offset(
        &self,
        prefix: Option<&ObjectPath>,
        offset: &ObjectPath,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list_with_offset(prefix, offset)
    }

    async fn list_with_delimiter(&self, prefix: Option<&ObjectPath>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &ObjectPath, to: &ObjectPath, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}

#[cfg(test)]
mod tests {
    use object_store::ObjectStoreExt;

    use super::*;
    use crate::corpus::store::is_temporary;

    /// What becomes of reading a file, all of it or a part, after it was read and written again.
    async fn changes_are_seen(place: Location) {
        place.write("first").await.unwrap();
        let (reader, other) = (place.in_one_version(), place.in_one_version());
        for _ in 0..2 {
            assert_eq!(reader.read().await.unwrap(), "first");
            assert_eq!(reader.store().get_ranges(reader.path(), &[1..3, 4..5]).await.unwrap(), ["ir", "t"]);
        }
        place.write("later on").await.unwrap();
        assert!(reader.read().await.unwrap_err().to_string().contains("it has changed meanwhile"));
        let refused = [
            reader.store().head(reader.path()).await.map(drop),
            reader.store().get_ranges(reader.path(), &[1..3, 4..5]).await.map(drop),
            reader.store().get_range(reader.path(), 0..2).await.map(drop),
        ];
        for refused in refused {
            assert!(is_temporary(&refused.unwrap_err()));
        }
        assert_eq!(other.read().await.unwrap(), "later on");
        place.store().delete(place.path()).await.unwrap();
        for (reader, may_pass) in [(&other, true), (&place.in_one_version(), false)] {
            assert_eq!(is_temporary(&reader.store().get(reader.path()).await.map(drop).unwrap_err()), may_pass);
        }
    }

    #[tokio::test]
    async fn a_file_that_changes_is_an_error_wherever_it_lies() {
        let folder = tempfile::tempdir().unwrap();
        changes_are_seen(Location::parse(folder.path().to_str().unwrap()).unwrap().join("a/b")).await;
        changes_are_seen(Location::parse("memory:///a/b").unwrap()).await;
    }
}
