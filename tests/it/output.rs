//! What a run wrote, in a local folder or in a bucket, looked at from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde_json::Value;

use super::s3::Folder;

/// Written by every run anew: the report holds times, and the lease names its holder.
const VOLATILE: [&str; 2] = ["_plainsight/run.json", "_plainsight/writer.json"];
const MANIFEST: &str = "_plainsight/manifest.json";
const SUCCESS: &str = "_SUCCESS";

#[derive(Clone)]
pub enum Output {
    Local(PathBuf),
    Remote(Folder),
}

impl Output {
    /// What `--out` is.
    pub fn uri(&self) -> String {
        match self {
            Self::Local(folder) => folder.to_str().unwrap().to_owned(),
            Self::Remote(folder) => folder.uri(),
        }
    }

    /// The names of all files, those that are being written too.
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::Local(folder) => {
                let mut names = Vec::new();
                gather(folder, "", &mut names);
                names.sort();
                names
            }
            Self::Remote(folder) => folder.names(),
        }
    }

    pub fn read(&self, name: &str) -> Option<Bytes> {
        match self {
            Self::Local(folder) => std::fs::read(folder.join(name)).ok().map(Bytes::from),
            Self::Remote(folder) => folder.read(name),
        }
    }

    pub fn clear(&self) {
        match self {
            Self::Local(folder) => drop(std::fs::remove_dir_all(folder)),
            Self::Remote(folder) => folder.clear(),
        }
    }

    /// Everything that is the same each time.
    pub fn lasting(&self) -> BTreeMap<String, Bytes> {
        let names = self.names().into_iter().filter(|name| !VOLATILE.contains(&name.as_str()));
        names.filter_map(|name| Some((name.clone(), self.read(&name)?))).collect()
    }

    /// The parts alone: what is the same wherever the notes came from.
    pub fn parts(&self) -> BTreeMap<String, Bytes> {
        let mut files = self.lasting();
        files.retain(|name, _| name != MANIFEST);
        files
    }

    fn manifest(&self) -> Result<Value, String> {
        let manifest = self.read(MANIFEST).ok_or("there is no manifest")?;
        serde_json::from_slice(&manifest).map_err(|error| format!("the manifest is no JSON: {error}"))
    }

    /// Holds the manifest against the files: all are there, whole, and nothing else is, such as records of parts or half-written files.
    pub fn check(&self, rows: u64) -> Result<(), String> {
        let manifest = self.manifest()?;
        let empty = Vec::new();
        let parts = manifest["parts"].as_array().unwrap_or(&empty);
        let sum = |name: &str| parts.iter().filter_map(|part| part[name].as_u64()).sum::<u64>();
        let told = [manifest["rows"].as_u64(), manifest["refused"].as_u64(), Some(sum("rows")), Some(sum("refused"))];
        if told != [Some(rows), Some(0), Some(rows), Some(0)] {
            return Err(format!("the manifest tells of {told:?} rows and refused ones, not of {rows}"));
        }
        let mut expected = BTreeSet::from([SUCCESS.to_owned(), MANIFEST.to_owned()]);
        for part in parts.iter().filter(|part| !part["name"].is_null()) {
            let name = part["name"].as_str().ok_or("a part has no name")?;
            let content = self.read(name).ok_or_else(|| format!("{name} is missing"))?;
            let (length, digest) = (content.len() as u64, blake3::hash(&content).to_hex());
            if part["bytes"].as_u64() != Some(length) || part["digest"].as_str() != Some(digest.as_str()) {
                return Err(format!("{name} is not what the manifest says"));
            }
            if !expected.insert(name.to_owned()) {
                return Err(format!("{name} is there twice"));
            }
        }
        let names: BTreeSet<_> = self.names().into_iter().filter(|name| !VOLATILE.contains(&name.as_str())).collect();
        match names == expected {
            true => Ok(()),
            false => {
                Err(format!("unlike the manifest: {:?}", names.symmetric_difference(&expected).collect::<Vec<_>>()))
            }
        }
    }

    /// What a reader who comes at this moment would be misled by: the mark that the output is whole, where it is not.
    pub fn torn(&self) -> Option<String> {
        if !self.names().iter().any(|name| name == SUCCESS) {
            return None;
        }
        let manifest = self.manifest();
        let names: BTreeSet<_> = self.names().into_iter().collect();
        // The mark may have been taken away before something else was.
        if !names.contains(SUCCESS) {
            return None;
        }
        let manifest = match manifest {
            Ok(manifest) => manifest,
            Err(reason) => return Some(format!("{SUCCESS} is there, and {reason}")),
        };
        let parts = manifest["parts"].as_array()?.iter().filter_map(|part| part["name"].as_str());
        let missing = parts.filter(|name| !names.contains(*name)).collect::<Vec<_>>();
        (!missing.is_empty()).then(|| format!("{SUCCESS} is there, and {missing:?} are not"))
    }
}

fn gather(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    // A folder may vanish while it is read.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => gather(&entry.path(), &format!("{name}/"), names),
            _ => names.push(name),
        }
    }
}

/// How two outputs differ, by the names of the files.
pub fn difference(left: &BTreeMap<String, Bytes>, right: &BTreeMap<String, Bytes>) -> Vec<String> {
    let names: BTreeSet<_> = left.keys().chain(right.keys()).collect();
    names.into_iter().filter(|name| left.get(*name) != right.get(*name)).cloned().collect()
}
