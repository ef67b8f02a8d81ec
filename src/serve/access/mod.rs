//! Who may ask, and in which role.
//!
//! ```text
//! users.toml ─┬─ [[user]]  name, role, password (Argon2id)   ── Handshake, Basic ──▶ a token for some hours, in memory
//!             └─ [[token]] name, role, blake3, expires       ── Bearer ───────────▶ Caller: name, role
//! ```

mod attempts;
mod file;
mod logins;
mod private;
mod secrets;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use file::{TokenEntry, UserEntry, UsersFile};
pub(super) use logins::{Logins, Refused};
pub(crate) use private::check_private;
pub(super) use secrets::random;
pub use secrets::{hash_password, new_token};

/// What somebody may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// De-identified views and released outputs.
    Deidentified,
    /// The notes themselves, and plainsight's functions.
    Confidential,
}

impl Role {
    /// Its name, as files have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deidentified => "deidentified",
            Self::Confidential => "confidential",
        }
    }
}

/// Somebody who has shown who they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    /// The name in the file of users.
    pub name: Arc<str>,
    /// What they may see.
    pub role: Role,
}
