//! Writing where others may be writing too: only one creates an object, and only who knows its present version replaces it.
//!
//! ```text
//! create     If-None-Match: *    ─▶ Made(version) | Exists
//! replace    If-Match: version   ─▶ Made(version) | Changed
//! ```
//!
//! A store may do what it was asked and its answer be lost; asked again, it then refuses us for what we wrote ourselves. So after a refusal
//! the content is compared, and it must be the writer's own: two that write the same are taken for one.

use std::time::Duration;

use bytes::Bytes;
use object_store::{Error, ObjectStoreExt, PutMode, PutOptions, PutPayload, UpdateVersion};

use super::Location;
use super::fault::is_temporary;
use crate::corpus::error::{CorpusError, Result};

/// How often a write is tried whose answer was lost, or that was refused for another that is gone again.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(200);

/// Which writing of an object is meant, as its store tells it: by entity tag or generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version(UpdateVersion);

/// What became of an object that was to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    /// It is ours.
    Made(Version),
    /// Something else was there.
    Exists,
}

/// What became of an object that was to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replacement {
    /// It is ours.
    Made(Version),
    /// It was not what it was thought to be, or not there any more.
    Changed,
}

impl Location {
    /// The content of a small file and its version; none where there is none.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read.
    pub async fn read_if_there(&self) -> Result<Option<(Bytes, Version)>> {
        let fail = |error: Error| CorpusError::store_input(self.uri(), &error);
        let found = match self.store.get(&self.path).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(fail(error)),
        };
        let version = UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
        Ok(Some((found.bytes().await.map_err(fail)?, Version(version))))
    }

    /// Writes a small file where there is none. The content must be one that nobody else would write: see the head of this module.
    ///
    /// A store whose conditional writes are switched off (`conditional_put=disabled`) is looked at before it is written to: two that do so
    /// at the same moment do not see one another.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written, [`CorpusError::Input`] where what is there cannot be read.
    pub async fn create(&self, content: impl Into<Bytes>) -> Result<Creation> {
        let content = content.into();
        let mut refusal = None;
        for attempt in 0..ATTEMPTS {
            tokio::time::sleep(PAUSE * attempt).await;
            let error = match self.put(&content, PutMode::Create).await {
                Ok(version) => return self.persist().await.map(|()| Creation::Made(version)),
                Err(error) => error,
            };
            let cannot = matches!(error, Error::NotImplemented { .. });
            if !cannot && !matches!(error, Error::AlreadyExists { .. }) && !is_temporary(&error) {
                return Err(CorpusError::store_output(self.uri(), &error));
            }
            match self.read_if_there().await? {
                Some((there, version)) if there == content => return Ok(Creation::Made(version)),
                Some(_) => return Ok(Creation::Exists),
                None if cannot => return self.put_anyway(&content).await.map(Creation::Made),
                None => refusal = Some(error),
            }
        }
        Err(self.given_up(refusal))
    }

    /// Writes a small file in place of the version that is known. Local files have no versions to be asked for: they are compared first,
    /// and who calls must hold a lock.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written, [`CorpusError::Input`] where what is there cannot be read.
    pub async fn replace(&self, content: impl Into<Bytes>, known: &Version) -> Result<Replacement> {
        let content = content.into();
        let mut refusal = None;
        for attempt in 0..ATTEMPTS {
            tokio::time::sleep(PAUSE * attempt).await;
            let error = match self.put(&content, PutMode::Update(known.0.clone())).await {
                Ok(version) => return self.persist().await.map(|()| Replacement::Made(version)),
                Err(error) => error,
            };
            let cannot = matches!(error, Error::NotImplemented { .. });
            let changed =
                matches!(error, Error::Precondition { .. } | Error::AlreadyExists { .. } | Error::NotFound { .. });
            if !cannot && !changed && !is_temporary(&error) {
                return Err(CorpusError::store_output(self.uri(), &error));
            }
            match self.read_if_there().await? {
                Some((there, version)) if version != *known && there == content => {
                    return Ok(Replacement::Made(version));
                }
                Some((_, version)) if version == *known && cannot => {
                    return self.put_anyway(&content).await.map(Replacement::Made);
                }
                Some((_, version)) if version == *known => refusal = Some(error),
                _ => return Ok(Replacement::Changed),
            }
        }
        Err(self.given_up(refusal))
    }

    async fn put(&self, content: &Bytes, mode: PutMode) -> object_store::Result<Version> {
        let payload = PutPayload::from(content.clone());
        let result = self.store.put_opts(&self.path, payload, PutOptions { mode, ..PutOptions::default() }).await?;
        Ok(Version(result.into()))
    }

    async fn put_anyway(&self, content: &Bytes) -> Result<Version> {
        let written = self.put(content, PutMode::Overwrite).await;
        let version = written.map_err(|error| CorpusError::store_output(self.uri(), &error))?;
        self.persist().await.map(|()| version)
    }

    fn given_up(&self, refusal: Option<Error>) -> CorpusError {
        match refusal {
            Some(error) => CorpusError::store_output(self.uri(), &error),
            None => CorpusError::output(self.uri(), "it was not tried"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use object_store::memory::InMemory;
    use object_store::path::Path as ObjectPath;
    use object_store::{ObjectStore, PutResult};

    use super::super::tests_support::{Fault, Faulty};
    use super::*;

    /// A store that does what it is asked and then loses its answer, the first few times; or cannot do it at all.
    #[derive(Debug)]
    struct Unsure {
        lost: AtomicUsize,
        /// Whether the answer lost is a refusal of the second of two writes, as when a client tries again by itself.
        tried_again: bool,
        conditional: bool,
    }

    #[async_trait]
    impl Fault for Unsure {
        async fn put(
            &self,
            store: &InMemory,
            path: &ObjectPath,
            payload: PutPayload,
            options: PutOptions,
        ) -> object_store::Result<PutResult> {
            if !self.conditional && options.mode != PutMode::Overwrite {
                return Err(Error::NotImplemented { operation: "put".into(), implementer: "Unsure".into() });
            }
            let written = store.put_opts(path, payload.clone(), options.clone()).await?;
            if self.lost.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err() {
                return Ok(written);
            }
            if self.tried_again {
                return store.put_opts(path, payload, options).await;
            }
            let timeout = object_store::client::HttpError::new(
                object_store::client::HttpErrorKind::Timeout,
                std::io::Error::other("slow"),
            );
            Err(Error::Generic { store: "test", source: Box::new(timeout) })
        }
    }

    fn unsure(lost: usize, tried_again: bool, conditional: bool) -> Location {
        let fault = Unsure { lost: AtomicUsize::new(lost), tried_again, conditional };
        let store = Faulty { store: Arc::new(InMemory::new()), fault };
        Location::parse("memory:///out/_plainsight/writer.json").unwrap().with_store(Arc::new(store))
    }

    /// What one writer sees after another, wherever the file lies.
    async fn one_after_another(file: Location) {
        assert_eq!(file.read_if_there().await.unwrap(), None);
        let Creation::Made(first) = file.create("a").await.unwrap() else { panic!("nothing was there") };
        assert_eq!(file.read_if_there().await.unwrap(), Some(("a".into(), first.clone())));
        assert_eq!(file.create("b").await.unwrap(), Creation::Exists);
        let Replacement::Made(second) = file.replace("bb", &first).await.unwrap() else { panic!("it was ours") };
        assert_ne!(first, second);
        assert_eq!(file.replace("c", &first).await.unwrap(), Replacement::Changed);
        assert_eq!(file.read_if_there().await.unwrap(), Some(("bb".into(), second.clone())));
        file.remove().await.unwrap();
        file.remove().await.unwrap();
        assert_eq!(file.replace("d", &second).await.unwrap(), Replacement::Changed);
        assert!(matches!(file.create("b").await.unwrap(), Creation::Made(_)));
    }

    #[tokio::test]
    async fn every_store_keeps_writers_apart() {
        let folder = tempfile::tempdir().unwrap();
        one_after_another(Location::parse(folder.path().to_str().unwrap()).unwrap().join("a/writer.json")).await;
        one_after_another(Location::parse("memory:///out/writer.json").unwrap()).await;
        one_after_another(unsure(0, false, false)).await;
        for lost in [1, 2] {
            for tried_again in [false, true] {
                one_after_another(unsure(lost, tried_again, true)).await;
            }
        }
    }

    #[tokio::test]
    async fn of_many_that_create_one_does() {
        for _ in 0..20 {
            let file = Location::parse("memory:///out/writer.json").unwrap();
            let creations = (0..8).map(|writer: u8| {
                let file = file.clone();
                async move { file.create(vec![writer]).await.unwrap() }
            });
            let made =
                futures::future::join_all(creations).await.into_iter().filter(|creation| *creation != Creation::Exists);
            assert_eq!(made.count(), 1);
        }
    }
}
