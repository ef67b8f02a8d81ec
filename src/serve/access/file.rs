//! The file of users and tokens.
//!
//! ```toml
//! [[user]]
//! name = "ann"
//! role = "deidentified"
//! password = "$argon2id$v=19$m=19456,t=2,p=1$…"
//!
//! [[token]]
//! name = "dashboard"
//! role = "deidentified"
//! blake3 = "64 hex digits, the digest of the token"
//! expires = "2027-01-01T00:00:00Z"
//! ```

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

use super::private::{is_open_to_others, open_to_others};
use super::{Role, secrets};
use crate::corpus::{CorpusError, Result, private_file};

/// The longest name.
const LONGEST_NAME: usize = 64;

/// The entries of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsersFile {
    /// Those who log in by password.
    #[serde(default, rename = "user", skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<UserEntry>,
    /// Tokens, for programs.
    #[serde(default, rename = "token", skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<TokenEntry>,
}

/// Somebody with a password.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserEntry {
    /// The name, by which they log in.
    pub name: String,
    /// What they may see.
    pub role: Role,
    /// The Argon2id hash of the password.
    pub password: String,
}

/// A token.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenEntry {
    /// What the audit log calls its holder.
    pub name: String,
    /// What the holder may see.
    pub role: Role,
    /// The BLAKE3 digest of the token, 64 hex digits.
    pub blake3: String,
    /// When it ends, as RFC 3339 writes it.
    pub expires: String,
}

impl TokenEntry {
    /// The entry of a token that is good for so many days from now on.
    pub fn new(name: &str, role: Role, token: &str, days: u32) -> Self {
        let until = DateTime::<Utc>::from(SystemTime::now()) + chrono::TimeDelta::days(days.into());
        Self {
            name: name.to_owned(),
            role,
            blake3: blake3::hash(token.as_bytes()).to_hex().to_string(),
            expires: until.to_rfc3339_opts(SecondsFormat::Secs, true),
        }
    }

    /// The digest and the end, where both are as they should be.
    pub(super) fn read(&self) -> Option<([u8; 32], SystemTime)> {
        let digest = blake3::Hash::from_hex(self.blake3.as_bytes()).ok()?;
        let expires = DateTime::parse_from_rfc3339(&self.expires).ok()?;
        Some((*digest.as_bytes(), expires.with_timezone(&Utc).into()))
    }
}

impl UsersFile {
    /// Reads a file that nobody else can read.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where the file cannot be read, where others can read or write it, or where an entry is not as it should be.
    pub fn read(path: &Path) -> Result<Self> {
        let fail = |reason: String, hint: &str| {
            Err(CorpusError::configuration(format!("--users `{}`: {reason}", path.display()), hint))
        };
        let mut text = String::new();
        let opened = std::fs::File::open(path).and_then(|mut file| {
            let is_open = is_open_to_others(&file.metadata()?);
            file.read_to_string(&mut text)?;
            Ok(is_open)
        });
        match opened {
            Err(error) => return fail(error.to_string(), "make it by `plainsight access password` or `access token`"),
            Ok(true) => return Err(open_to_others(path, "--users")),
            Ok(false) => {}
        }
        // The message of the parser quotes lines of the file.
        let parsed = toml::from_str::<Self>(&text).map_err(|error| (error.message().to_owned(), error.span()));
        let file = match parsed {
            Ok(file) => file,
            Err((message, span)) => {
                let line = span.map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
                let message = message.split('`').step_by(2).collect::<Vec<_>>().join("…");
                return fail(
                    format!("line {line}: {message}"),
                    "an entry has name, role and password, or name, role, blake3 and expires",
                );
            }
        };
        match file.fault() {
            Some(fault) => fail(fault, "make entries by `plainsight access password` and `plainsight access token`"),
            None => Ok(file),
        }
    }

    /// What is not as it should be.
    fn fault(&self) -> Option<String> {
        let mut names = BTreeSet::new();
        let all = self.users.iter().map(|user| &user.name).chain(self.tokens.iter().map(|token| &token.name));
        for (place, name) in all.enumerate() {
            if let Err(error) = check_name(name) {
                return Some(format!("entry {}: {error}", place + 1));
            }
            if !names.insert(name) {
                return Some(format!("there are two entries `{name}`"));
            }
        }
        let user = self.users.iter().find(|user| !secrets::is_hash(&user.password));
        if let Some(user) = user {
            return Some(format!("the password of `{}` is not an Argon2id hash", user.name));
        }
        let token = self.tokens.iter().find(|token| token.read().is_none());
        token.map(|token| format!("the digest or the end of token `{}` cannot be read", token.name))
    }

    /// Takes out the entry of a name; tells whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.users.len() + self.tokens.len();
        self.users.retain(|user| user.name != name);
        self.tokens.retain(|token| token.name != name);
        before != self.users.len() + self.tokens.len()
    }

    /// Writes the file, readable by its owner only, in one step.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for an entry that could not be read again, [`CorpusError::Output`] where the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        if let Some(fault) = self.fault() {
            return Err(CorpusError::configuration(fault, "nothing was written"));
        }
        let fail = |error: &dyn std::fmt::Display| CorpusError::output(path.display().to_string(), error);
        let text = toml::to_string(self).map_err(|error| fail(&error))?;
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.new", std::process::id()));
        let mut options = private_file();
        options.write(true).create_new(true);
        let written = options.open(&beside).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&beside, path)
        });
        written.map_err(|error| {
            let _ = std::fs::remove_file(&beside);
            fail(&error)
        })
    }
}

/// Whether a name can stand in the file, in a login and in the audit log.
///
/// # Errors
/// What it may be made of.
pub(super) fn check_name(name: &str) -> Result<(), &'static str> {
    let fits = |character: char| character.is_ascii_alphanumeric() || "._-@+".contains(character);
    match !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(fits) {
        true => Ok(()),
        false => Err("a name is made of up to 64 letters, digits and . _ - @ +"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<UsersFile> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        std::fs::write(&path, text).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        UsersFile::read(&path)
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        let password = secrets::hash(b"x").unwrap();
        let file = UsersFile {
            users: vec![UserEntry { name: "ann".to_owned(), role: Role::Confidential, password }],
            tokens: vec![TokenEntry::new("board", Role::Deidentified, "plainsight_1", 1)],
        };
        file.write(&path).unwrap();
        let mut read = UsersFile::read(&path).unwrap();
        assert_eq!((read.users[0].role, read.tokens[0].role), (Role::Confidential, Role::Deidentified));
        assert!(read.tokens[0].read().unwrap().1 > SystemTime::now());
        assert!(read.remove("ann") && !read.remove("ann") && read.remove("board"));
    }

    #[test]
    fn entries_that_are_not_whole_are_refused_and_not_quoted() {
        let hash = secrets::hash(b"x").unwrap();
        for (text, says) in [
            (format!("[[user]]\nname = 'ann'\npassword = '{hash}'\n"), "role"),
            (format!("[[user]]\nname = 'ann'\nrole = 'root'\npassword = '{hash}'\n"), "line 3"),
            ("[[user]]\nname = 'ann'\nrole = 'confidential'\npassword = 'hunter2hunter2'\n".to_owned(), "ann"),
            (format!("[[user]]\nname = 'a b'\nrole = 'confidential'\npassword = '{hash}'\n"), "entry 1"),
            (
                "[[token]]\nname='t'\nrole='deidentified'\nblake3='12'\nexpires='2027-01-01T00:00:00Z'\n".to_owned(),
                "`t`",
            ),
            ("[[token]]\nname='t'\nrole='deidentified'\nexpires='2027-01-01T00:00:00Z'\n".to_owned(), "blake3"),
            ("[[user]]\nname = hunter2hunter2\n".to_owned(), "line 2"),
        ] {
            let message = read(&text).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
            assert!(!message.contains("hunter2") && !message.contains("argon2id$"), "{message}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        assert!(UsersFile::read(&path).unwrap_err().to_string().contains("chmod 600"));
    }
}
