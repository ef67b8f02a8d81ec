//! Where data lie: a local path, or a URL of an object store (`s3://`, `gs://`, `az://`).
//!
//! Credentials and endpoints of object stores come from the standard environment variables (`AWS_ACCESS_KEY_ID`,
//! `AWS_ENDPOINT_URL`, …). Nothing else is read from the network.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload};
use url::Url;

use super::error::{CorpusError, Result};

/// A file or folder in a store.
#[derive(Clone)]
pub struct Location {
    uri: String,
    url: Url,
    store: Arc<dyn ObjectStore>,
    path: ObjectPath,
}

impl Location {
    /// Understands a local path or a URL; nothing is read yet.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for a URL of an unknown scheme or with missing settings.
    pub fn parse(uri: &str) -> Result<Self> {
        let fail = |reason: String| {
            CorpusError::configuration(
                format!("`{uri}` is no usable location: {reason}"),
                "give a local path or an s3://, gs:// or az:// URL",
            )
        };
        let url = if uri.contains("://") {
            Url::parse(uri).map_err(|error| fail(error.to_string()))?
        } else {
            let path = resolved(Path::new(uri)).map_err(|error| fail(error.to_string()))?;
            Url::from_file_path(path).map_err(|()| fail("the path is not absolute".to_owned()))?
        };
        let settings = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?.to_lowercase(), value.into_string().ok()?)));
        let (store, path) = object_store::parse_url_opts(&url, settings).map_err(|error| fail(error.to_string()))?;
        Ok(Self { uri: uri.to_owned(), url, store: Arc::from(store), path })
    }

    /// The location as the user gave it.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The absolute URL, understood by the engine once the store is registered with it.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The path inside the store.
    pub fn path(&self) -> &ObjectPath {
        &self.path
    }

    /// The store.
    pub fn store(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(&self.store)
    }

    /// The local path, where the location is a local one.
    pub fn local_path(&self) -> Option<PathBuf> {
        (self.url.scheme() == "file").then(|| self.url.to_file_path().ok()).flatten()
    }

    /// What an object of this store is called in messages.
    pub fn name_of(&self, path: &ObjectPath) -> String {
        match self.url.scheme() {
            "file" => format!("/{path}"),
            scheme => format!("{scheme}://{}/{path}", self.url.authority()),
        }
    }

    /// A file or folder below this one; `relative` may hold several segments, written as they are to stand in the store.
    pub fn join(&self, relative: &str) -> Self {
        let segments = || relative.split('/').filter(|segment| !segment.is_empty());
        let mut url = self.url.clone();
        if let Ok(mut url_segments) = url.path_segments_mut() {
            url_segments.pop_if_empty().extend(segments());
        }
        // Segments that a store cannot hold as they are get escaped.
        let below = |path: ObjectPath, segment: &str| {
            ObjectPath::parse(format!("{path}/{segment}")).unwrap_or_else(|_| path.join(segment))
        };
        let path = segments().fold(self.path.clone(), below);
        Self { uri: format!("{}/{relative}", self.uri.trim_end_matches('/')), url, store: self.store(), path }
    }

    /// Whether this location lies in `other`, or is it.
    pub fn is_within(&self, other: &Self) -> bool {
        self.url.scheme() == other.url.scheme()
            && self.url.authority() == other.url.authority()
            && (self.path == other.path || self.path.prefix_matches(&other.path))
    }

    /// Every object at or below this location, by path.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub async fn list(&self) -> Result<Vec<ObjectMeta>> {
        let fail = |error: object_store::Error| CorpusError::input(&self.uri, reason(&error));
        if let Ok(meta) = self.store.head(&self.path).await {
            return Ok(vec![meta]);
        }
        let mut objects: Vec<_> = self.store.list(Some(&self.path)).try_collect().await.map_err(fail)?;
        objects.sort_by(|left, right| left.location.cmp(&right.location));
        Ok(objects)
    }

    /// Whether nothing is there.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub async fn is_vacant(&self) -> Result<bool> {
        if let Some(path) = self.local_path() {
            // The store does not show files that are still being written; the folder does.
            return match std::fs::read_dir(&path) {
                Ok(mut entries) => Ok(entries.next().is_none()),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
                Err(_) => Ok(false),
            };
        }
        let mut objects = self.store.list(Some(&self.path));
        match objects.try_next().await {
            Ok(first) => Ok(first.is_none() && self.store.head(&self.path).await.is_err()),
            Err(object_store::Error::NotFound { .. }) => Ok(true),
            Err(error) => Err(CorpusError::input(&self.uri, reason(&error))),
        }
    }

    /// A whole small file.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read.
    pub async fn read(&self) -> Result<Bytes> {
        let fail = |error: object_store::Error| CorpusError::input(&self.uri, reason(&error));
        self.store.get(&self.path).await.map_err(fail)?.bytes().await.map_err(fail)
    }

    /// Writes a whole small file.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub async fn write(&self, content: impl Into<PutPayload>) -> Result<()> {
        let written = self.store.put(&self.path, content.into()).await;
        written.map(drop).map_err(|error| CorpusError::output(&self.uri, reason(&error)))
    }

    /// Writes a whole small file that only its owner can read.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub async fn write_confidential(&self, content: String) -> Result<()> {
        if let Some(path) = self.local_path() {
            // Made empty and closed to others first, so that nobody reads it in between.
            let fail = |error: std::io::Error| CorpusError::output(&self.uri, error);
            std::fs::write(&path, "").map_err(fail)?;
            set_mode(&path, 0o600).map_err(fail)?;
            return std::fs::write(&path, content).map_err(fail);
        }
        self.write(content).await
    }

    /// Removes everything at or below this location.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where something cannot be removed.
    pub async fn clear(&self) -> Result<()> {
        let fail = |error: object_store::Error| CorpusError::output(&self.uri, reason(&error));
        if let Some(path) = self.local_path().filter(|path| path.is_dir()) {
            return std::fs::remove_dir_all(path).map_err(|error| CorpusError::output(&self.uri, error));
        }
        for object in self.list().await? {
            self.store.delete(&object.location).await.map_err(fail)?;
        }
        Ok(())
    }

    /// Makes a local folder that only its owner can enter; object stores have no folders and need nothing.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the folder cannot be made.
    pub fn create_confidential(&self) -> Result<()> {
        let Some(path) = self.local_path() else { return Ok(()) };
        let fail = |error: std::io::Error| CorpusError::output(&self.uri, error);
        std::fs::create_dir_all(&path).map_err(fail)?;
        set_mode(&path, 0o700).map_err(fail)
    }

    /// Lets only its owner read a local file; object stores have their own rules.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the file's mode cannot be set.
    pub fn restrict_to_owner(&self) -> Result<()> {
        let Some(path) = self.local_path() else { return Ok(()) };
        set_mode(&path, 0o600).map_err(|error| CorpusError::output(&self.uri, error))
    }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

/// An absolute path without links and `..` as far as it exists, so that two names of one place are seen to be one.
fn resolved(path: &Path) -> std::io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let mut resolved = PathBuf::new();
    for component in absolute.components() {
        match component {
            std::path::Component::ParentDir => {
                resolved.pop();
            }
            other => resolved.push(other),
        }
        if let Ok(real) = resolved.canonicalize() {
            resolved = real;
        }
    }
    Ok(resolved)
}

/// A store's error in one line: what went wrong without the chain of debug output.
pub(super) fn reason(error: &object_store::Error) -> String {
    match error {
        object_store::Error::NotFound { .. } => "there is nothing there".to_owned(),
        other => other.to_string().lines().next().unwrap_or_default().to_owned(),
    }
}

impl std::fmt::Debug for Location {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Location({})", self.uri)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_paths_and_urls() {
        let local = Location::parse("/nowhere/a b/notes").unwrap();
        assert_eq!(local.local_path().unwrap().to_str(), Some("/nowhere/a b/notes"));
        assert_eq!(local.join("year=2019/part.parquet").path().as_ref(), "nowhere/a b/notes/year=2019/part.parquet");
        assert!(local.join("x").is_within(&local) && local.is_within(&local));
        assert!(!Location::parse("/nowhere/a b/notes2").unwrap().is_within(&local));
        assert!(Location::parse("nosuch://bucket/x").is_err());
    }

    #[tokio::test]
    async fn files_come_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let root = Location::parse(folder.path().to_str().unwrap()).unwrap();
        assert!(root.join("d").is_vacant().await.unwrap());
        root.join("d/e").write("text").await.unwrap();
        assert!(!root.join("d").is_vacant().await.unwrap());
        assert_eq!(root.join("d/e").read().await.unwrap(), "text");
        assert_eq!(root.join("d").list().await.unwrap().len(), 1);
        root.join("d").clear().await.unwrap();
        assert!(root.join("d").is_vacant().await.unwrap());
    }
}
