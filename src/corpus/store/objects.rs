//! Listing, reading, writing and removing at a location.

use std::collections::HashSet;
use std::path::Path;

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path as ObjectPath;
use object_store::{ObjectMeta, ObjectStoreExt, PutPayload};

use super::Location;
use super::fault::is_temporary;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::private::{PRIVATE, put_whole};

impl Location {
    /// Every object at or below this location, by path.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub async fn list(&self) -> Result<Vec<ObjectMeta>> {
        let fail = |error: object_store::Error| CorpusError::store_input(self.uri(), &error);
        match self.head().await {
            Ok(Some(meta)) => return Ok(vec![meta]),
            Err(error) if is_temporary(&error) => return Err(fail(error)),
            // A folder is no object; and who may list need not be allowed to look.
            Ok(None) | Err(_) => {}
        }
        let mut objects: Vec<_> = self.store.list(Some(&self.path)).try_collect().await.map_err(fail)?;
        objects.sort_by(|left, right| left.location.cmp(&right.location));
        Ok(without_folders(objects, &self.path))
    }

    /// Every object at or below this location as a location of its own, by path.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub async fn list_files(&self) -> Result<Vec<Self>> {
        let objects = self.list().await?.into_iter();
        let file = |object: ObjectMeta| match object.location == self.path {
            true => self.clone(),
            false => self.join(&self.path_below(&object.location)),
        };
        Ok(objects.map(file).collect())
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
        let fail = |error: object_store::Error| CorpusError::store_input(self.uri(), &error);
        let is_file = |object: &ObjectMeta| std::future::ready(object.size > 0 || object.location != self.path);
        match self.store.list(Some(&self.path)).try_filter(is_file).try_next().await {
            Ok(Some(_)) => return Ok(false),
            Ok(None) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(fail(error)),
        }
        match self.head().await {
            Ok(object) => Ok(object.is_none()),
            Err(error) if is_temporary(&error) => Err(fail(error)),
            Err(_) => Ok(true),
        }
    }

    /// The object at this location. A bucket is none, though a store that is asked for it says yes.
    async fn head(&self) -> object_store::Result<Option<ObjectMeta>> {
        match self.path.as_ref().is_empty() {
            true => Ok(None),
            false => self.store.head(&self.path).await.map(Some),
        }
    }

    /// A whole small file.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read.
    pub async fn read(&self) -> Result<Bytes> {
        let fail = |error: object_store::Error| CorpusError::store_input(self.uri(), &error);
        self.store.get(&self.path).await.map_err(fail)?.bytes().await.map_err(fail)
    }

    /// Writes a whole small file.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub async fn write(&self, content: impl Into<PutPayload>) -> Result<()> {
        let written = self.store.put(&self.path, content.into()).await;
        written.map_err(|error| CorpusError::store_output(self.uri(), &error))?;
        self.persist().await
    }

    /// Has the system bring a local file, and its name in its folder, to the disk, so that it is there after a loss of power. Object stores
    /// do so before they answer.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the disk does not take it.
    pub(super) async fn persist(&self) -> Result<()> {
        let Some(path) = self.local_path() else { return Ok(()) };
        let persisted = tokio::task::spawn_blocking(move || {
            std::fs::File::open(&path)?.sync_all()?;
            // Only Unix opens folders as files.
            #[cfg(unix)]
            if let Some(folder) = path.parent() {
                std::fs::File::open(folder)?.sync_all()?;
            }
            Ok(())
        });
        let persisted = persisted.await.unwrap_or_else(|ended| Err(std::io::Error::other(ended)));
        persisted.map_err(|error| CorpusError::output(self.uri(), error))
    }

    /// Writes a whole small file that only its owner can read.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub async fn write_confidential(&self, content: String) -> Result<()> {
        match self.local_path() {
            Some(path) => {
                put_whole(&path, content.as_bytes(), PRIVATE).map_err(|error| CorpusError::output(self.uri(), error))
            }
            None => self.write(content).await,
        }
    }

    /// Removes one object, if it is there.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be removed.
    pub async fn remove(&self) -> Result<()> {
        match self.store.delete(&self.path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(CorpusError::store_output(self.uri(), &error)),
        }
    }

    /// Removes objects of this store, as many at a time as the store takes; those that are not there do not matter.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where one cannot be removed.
    pub async fn remove_all(&self, objects: Vec<Self>) -> Result<()> {
        let paths = objects.into_iter().map(|object| Ok(object.path));
        self.remove_stream(futures::stream::iter(paths).boxed()).await
    }

    /// Removes everything at or below this location, unfinished local files too.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where something cannot be removed.
    pub async fn clear(&self) -> Result<()> {
        if let Some(path) = self.local_path().filter(|path| path.is_dir()) {
            return std::fs::remove_dir_all(path).map_err(|error| CorpusError::output(self.uri(), error));
        }
        let paths = self.list().await?.into_iter().map(|object| Ok(object.location));
        self.remove_stream(futures::stream::iter(paths).boxed()).await?;
        self.remove_leftovers().map(drop)
    }

    async fn remove_stream(&self, paths: BoxStream<'static, object_store::Result<ObjectPath>>) -> Result<()> {
        let mut removed = self.store.delete_stream(paths);
        while let Some(removed) = removed.next().await {
            match removed {
                Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(CorpusError::store_output(self.uri(), &error)),
            }
        }
        Ok(())
    }

    /// Makes a local folder that only its owner can enter; object stores have no folders and need nothing.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the folder cannot be made.
    pub fn create_confidential(&self) -> Result<()> {
        let Some(path) = self.local_path() else { return Ok(()) };
        let fail = |error: std::io::Error| CorpusError::output(self.uri(), error);
        std::fs::create_dir_all(&path).map_err(fail)?;
        set_mode(&path, 0o700).map_err(fail)
    }

    /// Makes a local folder in another one that is there: open to owner and group as that is, and to nobody else, however open that is.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the folder cannot be made.
    pub fn create_closed_in(&self, above: &Self) -> Result<()> {
        let (Some(path), Some(above)) = (self.local_path(), above.local_path()) else { return Ok(()) };
        let close = || {
            std::fs::create_dir_all(&path)?;
            match mode_of(&path)? & 0o007 {
                0 => Ok(()),
                _ => set_mode(&path, mode_of(&above)? & 0o2070 | 0o700),
            }
        };
        close().map_err(|error: std::io::Error| CorpusError::output(self.uri(), error))
    }

    /// Lets only its owner read a local file; object stores have their own rules.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the file's mode cannot be set.
    pub fn restrict_to_owner(&self) -> Result<()> {
        let Some(path) = self.local_path() else { return Ok(()) };
        set_mode(&path, 0o600).map_err(|error| CorpusError::output(self.uri(), error))
    }
}

/// Without the empty objects by which consoles of stores show folders: `notes/` is listed as `notes`. One is known by being the place that
/// was asked for, or above another object.
fn without_folders(mut objects: Vec<ObjectMeta>, root: &ObjectPath) -> Vec<ObjectMeta> {
    if objects.iter().all(|object| object.size > 0) {
        return objects;
    }
    let mut folders = HashSet::from([root.as_ref().to_owned()]);
    for object in &objects {
        let path = object.location.as_ref();
        folders.extend(path.match_indices('/').map(|(at, _)| path[..at].to_owned()));
    }
    objects.retain(|object| object.size > 0 || !folders.contains(object.location.as_ref()));
    objects
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(unix)]
fn mode_of(path: &Path) -> std::io::Result<u32> {
    Ok(std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path)?.permissions()))
}

#[cfg(not(unix))]
fn mode_of(_path: &Path) -> std::io::Result<u32> {
    Ok(0)
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_folder_in_an_open_one_is_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let above = Location::parse(folder.path().to_str().unwrap()).unwrap();
        for (mode, name, expected) in [(0o755, "a", 0o750), (0o2775, "b", 0o2770), (0o700, "c", 0o700)] {
            set_mode(folder.path(), mode).unwrap();
            let inner = above.join(name);
            inner.create_closed_in(&above).unwrap();
            inner.create_closed_in(&above).unwrap();
            let made = mode_of(&inner.local_path().unwrap()).unwrap();
            // A mask may have closed more.
            assert_eq!((made & 0o007, made & 0o700), (0, expected & 0o700), "{name} {made:o}");
        }
    }

    /// What is written comes back and can be removed, wherever it lies.
    async fn files_come_back(root: Location) {
        let folder = root.join("d");
        assert!(folder.is_vacant().await.unwrap() && folder.list().await.unwrap().is_empty());
        for name in ["e", "f/g", "f/h"] {
            folder.join(name).write("text").await.unwrap();
        }
        assert!(!folder.is_vacant().await.unwrap() && !folder.join("f/g").is_vacant().await.unwrap());
        assert_eq!(folder.join("e").read().await.unwrap(), "text");
        let names: Vec<_> =
            folder.list_files().await.unwrap().iter().map(|file| folder.path_below(file.path())).collect();
        assert_eq!(names, ["e", "f/g", "f/h"]);
        assert_eq!(folder.join("e").list_files().await.unwrap()[0].path(), folder.join("e").path());
        folder.remove_all(vec![folder.join("e"), folder.join("not there")]).await.unwrap();
        assert_eq!(folder.list().await.unwrap().len(), 2);
        folder.join("f/g").clear().await.unwrap();
        assert_eq!(folder.list().await.unwrap().len(), 1);
        folder.clear().await.unwrap();
        assert!(folder.is_vacant().await.unwrap());
        folder.clear().await.unwrap();
    }

    #[test]
    fn empty_objects_that_stand_for_folders_are_no_files() {
        let object = |&(path, size): &(&str, u64)| ObjectMeta {
            location: ObjectPath::from(path),
            last_modified: std::time::SystemTime::UNIX_EPOCH.into(),
            size,
            e_tag: None,
            version: None,
        };
        let listed =
            [("in", 0), ("in/a", 0), ("in/a-b", 0), ("in/a/b", 0), ("in/a/b/_SUCCESS", 0), ("in/a/b/x.txt", 3)];
        let files = without_folders(listed.iter().map(object).collect(), &ObjectPath::from("in"));
        let paths: Vec<_> = files.iter().map(|file| file.location.as_ref()).collect();
        assert_eq!(paths, ["in/a-b", "in/a/b/_SUCCESS", "in/a/b/x.txt"]);
    }

    #[tokio::test]
    async fn files_come_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        files_come_back(Location::parse(folder.path().to_str().unwrap()).unwrap()).await;
        files_come_back(Location::parse("memory:///root").unwrap()).await;
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn confidential_files_are_their_owners() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = Location::parse(folder.path().to_str().unwrap()).unwrap().join("key");
        file.write_confidential("k".to_owned()).await.unwrap();
        let mode = std::fs::metadata(file.local_path().unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
