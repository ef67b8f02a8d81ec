//! Where data lie: a local path, or a URL of an object store (`s3://`, `gs://`, `az://`).
//!
//! ```text
//! s3://hospital/warehouse/notes ─┐
//! --source-option KEY=VALUE     ─┤                                          ┌ list, read, write, clear      (objects)
//! AWS_ACCESS_KEY_ID, …          ─┼─ settings by precedence ─ open ─ Location ┼ create, replace, read_if_there (exclusive)
//! ~/.aws/credentials            ─┘                                          ├ read_in_ranges                 (ranges)
//!                                                                          └ in_one_version                 (one_version)
//! ```
//!
//! Options go before the environment, and the environment before a profile. Every request is tried again with growing pauses, an upload
//! that is not finished is aborted, and no message holds a secret or the text of a note.

mod cloud;
mod environment;
mod exclusive;
mod fault;
mod irregular;
mod leftovers;
mod objects;
mod one_version;
mod open;
mod options;
mod place;
mod profile;
mod ranges;
mod settings;
#[cfg(test)]
mod tests_support;
mod upload;
mod whole_answers;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreScheme};
use url::Url;

use super::error::{CorpusError, Result};

use environment::Environment;
pub use exclusive::{Creation, Replacement, Version};
pub(super) use fault::{answered, is_temporary, reason};
pub(super) use leftovers::is_unfinished;
pub use options::StoreOptions;
pub use place::Place;
pub use upload::{Upload, Uploaded, uploads_aborted};

/// A file or folder in a store.
#[derive(Clone)]
pub struct Location {
    uri: String,
    url: Url,
    store: Arc<dyn ObjectStore>,
    path: ObjectPath,
}

impl Location {
    /// Understands a local path or a URL, with the settings of the environment; nothing is read from the store yet.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for a URL of an unknown scheme or with missing settings.
    pub fn parse(uri: &str) -> Result<Self> {
        Self::parse_with(uri, &StoreOptions::default())
    }

    /// Understands a local path or a URL, with settings that go before those of the environment; nothing is read from the store yet.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for a URL of an unknown scheme or with missing settings, for options that the store does not know,
    /// and for a profile that is not there or cannot be followed.
    pub fn parse_with(uri: &str, options: &StoreOptions) -> Result<Self> {
        Self::parse_in(uri, options, &Environment::of_process())
    }

    fn parse_in(uri: &str, options: &StoreOptions, environment: &Environment) -> Result<Self> {
        let fail = |reason: &dyn std::fmt::Display| {
            CorpusError::configuration(
                format!("`{}` is no usable location: {reason}", without_secrets(uri)),
                "give a local path or an s3://, gs:// or az:// URL",
            )
        };
        if let Some(scheme) = with_one_slash(uri) {
            return Err(fail(&format!("it is neither a path nor a URL, which begins with `{scheme}://`")));
        }
        let url = if uri.contains("://") {
            Url::parse(uri).map_err(|error| fail(&error))?
        } else {
            let path = resolved(Path::new(uri)).map_err(|error| fail(&error))?;
            Url::from_file_path(path).map_err(|()| fail(&"the path is not absolute"))?
        };
        if url.password().is_some() {
            return Err(fail(&"a URL is shown in messages and must hold no password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(fail(&"a URL ends with its path (write `?` as `%3F` and `#` as `%23` in names)"));
        }
        let (store, path) = open::open(uri, &url, options, environment)?;
        Ok(Self { uri: uri.to_owned(), url, store, path })
    }

    /// The same place in another store: one that fails, or that counts its requests.
    #[cfg(test)]
    pub(in crate::corpus) fn with_store(self, store: Arc<dyn ObjectStore>) -> Self {
        Self { store, ..self }
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

    /// An object of this store by its path below this location; the object at the location itself by its name.
    pub fn path_below(&self, path: &ObjectPath) -> String {
        let below: Vec<_> = path.prefix_match(&self.path).into_iter().flatten().collect();
        match below.is_empty() {
            true => path.filename().unwrap_or_default().to_owned(),
            false => below.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("/"),
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

    /// Whether this location lies in `other`, or is it, by whatever names: `s3a://` is `s3://`, `abfss://container@account…` may be
    /// `az://container`, and a local place is where links lead.
    pub fn is_within(&self, other: &Self) -> bool {
        if let (Some(place), Some(other)) = (self.local_path(), other.local_path()) {
            let place_of = |path: PathBuf| resolved(&path).unwrap_or(path);
            return place_of(place).starts_with(place_of(other));
        }
        let has_account = |location: &Self| !location.url.username().is_empty();
        let is_same_account =
            !(has_account(self) && has_account(other)) || self.url.authority() == other.url.authority();
        is_same_account
            && self.of_store() == other.of_store()
            && (self.path == other.path || self.path.prefix_matches(&other.path))
    }

    /// Of which kind the store is, and its bucket or container.
    fn of_store(&self) -> (Option<ObjectStoreScheme>, &str) {
        let scheme = ObjectStoreScheme::parse(&self.url).ok().map(|(scheme, _)| scheme);
        let bucket = if self.url.username().is_empty() { self.url.authority() } else { self.url.username() };
        (scheme, bucket)
    }
}

impl std::fmt::Debug for Location {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Location({})", self.uri)
    }
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

/// The scheme of a store or of files behind which one slash stands, or none: `s3:/bucket/x`, a typing error, would be a folder of that name.
fn with_one_slash(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    let known = ["s3", "s3a", "gs", "az", "adl", "abfs", "abfss", "azure", "file", "http", "https"];
    (known.contains(&scheme.to_lowercase().as_str()) && !rest.starts_with("//")).then_some(scheme)
}

/// A URI as it may be shown: without password, query and fragment, in which credentials are sometimes written.
fn without_secrets(uri: &str) -> String {
    let Some((scheme, rest)) = uri.split_once("://") else { return uri.to_owned() };
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) if user.contains(':') => host,
        _ => authority,
    };
    format!("{scheme}://{authority}{path}")
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
        for typed in ["s3:/bucket/x", "file:/tmp/x", "S3:bucket/x", "gs:/b"] {
            assert!(Location::parse(typed).unwrap_err().to_string().contains("://`"), "{typed}");
        }
        assert!(Location::parse("notes:2019/x").is_ok());
    }

    #[test]
    fn a_place_is_one_by_all_its_names() {
        let options = StoreOptions::parse(&["account_name=a", "skip_signature=true"].map(str::to_owned)).unwrap();
        let azure = |uri: &str| Location::parse_with(uri, &options).unwrap();
        let s3 = |uri: &str| Location::parse(uri).unwrap();
        assert!(s3("s3a://b/wh/deid").is_within(&s3("s3://b/wh")) && s3("s3://b/wh").is_within(&s3("s3a://b/wh")));
        assert!(
            !s3("s3a://other/wh/deid").is_within(&s3("s3://b/wh")) && !s3("s3a://b/wh2").is_within(&s3("s3://b/wh"))
        );
        assert!(azure("abfss://c@a.dfs.core.windows.net/wh/deid").is_within(&azure("az://c/wh")));
        assert!(!azure("abfss://c@a.dfs.core.windows.net/wh").is_within(&azure("abfss://c@b.dfs.core.windows.net/wh")));
        assert!(!azure("abfss://d@a.dfs.core.windows.net/wh/deid").is_within(&azure("az://c/wh")));
    }

    #[cfg(unix)]
    #[test]
    fn a_local_place_is_where_links_lead() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("notes")).unwrap();
        std::os::unix::fs::symlink(at("notes"), at("link")).unwrap();
        let notes = Location::parse(at("notes").to_str().unwrap()).unwrap();
        let url = |name: &str| Location::parse(Url::from_file_path(at(name)).unwrap().as_str()).unwrap();
        assert!(url("link/deid").is_within(&notes) && url("notes").is_within(&url("link")));
        assert!(!url("notes2").is_within(&notes) && !notes.is_within(&url("link/deid")));
    }

    #[test]
    fn paths_below_lead_back_to_their_objects() {
        let root = Location::parse("/nowhere/notes").unwrap();
        for relative in ["part.parquet", "site=3f9c/part.parquet", "a/b/c"] {
            let file = root.join(relative);
            assert_eq!(root.path_below(file.path()), relative);
            assert_eq!(file.path_below(file.path()), relative.rsplit('/').next().unwrap());
        }
    }

    #[test]
    fn no_message_holds_a_password_or_a_signature() {
        for uri in
            ["s3://id:hunter2@bucket/x", "az://container/x?sig=hunter2", "nosuch://id:hunter2@b/", "s3://b/x#hunter2"]
        {
            let message = Location::parse(uri).unwrap_err().to_string();
            assert!(!message.contains("hunter2"), "{message}");
        }
        assert_eq!(without_secrets("az://container@account/x?sig=s"), "az://container@account/x");
    }
}
