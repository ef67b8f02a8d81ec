//! What the small files hold that flags name: keys, policies, options, lists, maps of labels.
//!
//! ```text
//! --policy site.toml       a policy         --surrogate-options FILE    options
//! --policy C               one that is known by its letter
//! ```

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::corpus::{CorpusError, Result};
use crate::detect::Templates;
use crate::evaluate::LabelMap;
use crate::phi::Policy;
use crate::surrogate::{Key, SurrogateOptions};

/// A policy by its letter, or from a file.
pub(in crate::cli) fn policy_named(name: &str) -> Result<Policy> {
    match Policy::named(name) {
        Ok(policy) => Ok(policy),
        Err(unknown) => {
            let file = PathBuf::from(name);
            if !file.is_file() {
                return Err(unknown.into());
            }
            let hint = "write `base`, `remove` and `keep` in it";
            Policy::from_toml(&read(&file, "--policy")?).map_err(faulty(&file, "--policy", hint))
        }
    }
}

/// The options in a file; where there is none, those that all have.
pub(in crate::cli) fn surrogate_options(file: Option<&Path>) -> Result<SurrogateOptions> {
    match file {
        Some(file) => {
            let flag = "--surrogate-options";
            let options = SurrogateOptions::from_toml(&read(file, flag)?);
            options.map_err(faulty(file, flag, "write its table [surrogate] as README has it"))
        }
        None => Ok(SurrogateOptions::default()),
    }
}

/// A key from a file, or from standard input where the file is `-`.
pub(in crate::cli) fn key_of(file: &Path, flag: &str) -> Result<Key> {
    if file.as_os_str() == "-" {
        return Ok(Key::read(std::io::stdin().lock())?);
    }
    refuse_key_itself(file, flag)?;
    let opened = std::fs::File::open(file).map_err(|error| unreadable(file, flag, &error))?;
    Key::read(opened).map_err(faulty(file, flag, "`plainsight key new FILE` makes a key"))
}

/// Refuses what looks like a key where its file should be named, before any message shows it.
pub(super) fn refuse_key_itself(file: &Path, flag: &str) -> Result<()> {
    /// Of a key, a few of which may be lost or doubled.
    const DIGITS: RangeInclusive<usize> = 48..=80;
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default().trim();
    if !DIGITS.contains(&name.len()) || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) || file.exists() {
        return Ok(());
    }
    let hint =
        "write it to a file that you alone can read, or set PLAINSIGHT_KEY; it may stand in your shell's history now";
    Err(CorpusError::configuration(format!("{flag} was given a key in the place of its file"), hint))
}

/// The templates in a file.
pub(in crate::cli) fn templates_in(file: &Path, flag: &str) -> Result<Templates> {
    let hint = "write them as `plainsight templates harvest` does";
    Templates::parse(&read(file, flag)?).map_err(faulty(file, flag, hint))
}

/// A small local file that a flag names.
pub(in crate::cli) fn read(file: &Path, flag: &str) -> Result<String> {
    std::fs::read_to_string(file).map_err(|error| unreadable(file, flag, &error))
}

/// The same as bytes.
pub(in crate::cli) fn read_bytes(file: &Path, flag: &str) -> Result<Vec<u8>> {
    std::fs::read(file).map_err(|error| unreadable(file, flag, &error))
}

/// What is wrong in a file that a flag names.
pub(super) fn faulty<E: std::fmt::Display>(file: &Path, flag: &str, hint: &str) -> impl Fn(E) -> CorpusError {
    move |error| CorpusError::configuration(format!("{flag} `{}`: {error}", file.display()), hint)
}

fn unreadable(file: &Path, flag: &str, error: &std::io::Error) -> CorpusError {
    CorpusError::configuration(format!("{flag} `{}` cannot be read: {error}", file.display()), "give a readable file")
}

/// The file of an ensemble that is none of those that are compiled in, `shipped`.
pub(in crate::cli) fn ensemble_file<'n>(name: &'n str, shipped: &str) -> Result<&'n Path> {
    let file = Path::new(name);
    match file.exists() {
        true => Ok(file),
        false => Err(CorpusError::configuration(
            format!("there is no ensemble `{name}`"),
            format!("give {shipped}, or the file of one"),
        )),
    }
}

/// A label map by its name, or from a file.
pub(in crate::cli) fn label_map(name: &str, flag: &str) -> Result<LabelMap> {
    let fail = |error: crate::evaluate::LabelMapError| {
        CorpusError::configuration(
            format!("{flag}: {error}"),
            format!("give a TOML file, or one of {}", LabelMap::names().join(", ")),
        )
    };
    let file = PathBuf::from(name);
    if LabelMap::names().contains(&name) || !file.is_file() {
        return LabelMap::named(name).map_err(fail);
    }
    LabelMap::from_toml(name, &read(&file, flag)?).map_err(fail)
}
