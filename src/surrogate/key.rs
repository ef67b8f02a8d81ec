//! The key from which every surrogate, pseudonym and sentence hash of a site is derived.
//!
//! ```text
//! 64 hexadecimal digits ─▶ Key ─┬─ id()            names the key in manifests, tells nothing about it
//!                               ├─ derive(purpose) independent 32-byte subkeys, one a purpose
//!                               └─ derive_for(purpose, patient)               … and one a patient
//! ```

use std::fmt;

use zeroize::{Zeroize, Zeroizing};

/// Number of hexadecimal digits in a written key.
const HEX_DIGITS: usize = 64;
/// Bytes of a key file that are looked at: the digits, and white space or a byte-order mark around them.
const MOST_BYTES: usize = 256;

/// What is wrong with a written key; never shows any of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The text has another length.
    #[error("a key is {HEX_DIGITS} hexadecimal digits, this one has {found} characters")]
    Length {
        /// Number of characters found, surrounding white space left out.
        found: usize,
    },
    /// A character is no hexadecimal digit.
    #[error("a key is {HEX_DIGITS} hexadecimal digits, character {position} is none")]
    Digit {
        /// Place of the character, counted from 1.
        position: usize,
    },
    /// The source of the key cannot be read.
    #[error("the key cannot be read: {kind}")]
    Unreadable {
        /// Why.
        kind: std::io::ErrorKind,
    },
}

/// A secret of 32 bytes; wiped from memory when dropped.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// Reads a key of 64 hexadecimal digits; white space around it is allowed.
    ///
    /// # Errors
    /// [`KeyError`] where the text is no such key.
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        let digits = text.trim();
        let found = digits.chars().count();
        if found != HEX_DIGITS {
            return Err(KeyError::Length { found });
        }
        let mut key = Self([0; 32]);
        for (index, character) in digits.chars().enumerate() {
            let digit = character.to_digit(16).ok_or(KeyError::Digit { position: index + 1 })?;
            key.0[index / 2] = key.0[index / 2] << 4 | (digit as u8);
        }
        Ok(key)
    }

    /// Sixteen hexadecimal digits that name the key without revealing it.
    pub fn id(&self) -> String {
        self.derive("key id")[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads a key of 64 hexadecimal digits from a file or a pipe, and wipes what it has read.
    ///
    /// # Errors
    /// [`KeyError`] where nothing can be read, or something else than a key.
    pub fn read(mut source: impl std::io::Read) -> Result<Self, KeyError> {
        // One more than is looked at, so that a longer text is told from a key.
        let mut bytes = Zeroizing::new([0_u8; MOST_BYTES + 1]);
        let mut length = 0;
        while length < bytes.len() {
            match source.read(&mut bytes[length..]) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(KeyError::Unreadable { kind: error.kind() }),
            }
        }
        let text = std::str::from_utf8(&bytes[..length]).map_err(|_| KeyError::Length { found: length })?;
        Self::from_hex(text)
    }

    /// An independent subkey for a purpose; one-way, so that no subkey tells of another or of the key.
    ///
    /// It is the expanding half of a key derivation function: keyed BLAKE3 over the purpose. The other half, which would gather a key
    /// from uneven material, has nothing to do here, as a key is 32 random bytes.
    pub fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(b"plainsight 1 ");
        hasher.update(purpose.as_bytes());
        Zeroizing::new(*hasher.finalize().as_bytes())
    }

    /// An independent subkey for one subject of a purpose, such as a patient.
    pub fn derive_for(&self, purpose: &str, subject: &str) -> Zeroizing<[u8; 32]> {
        let purpose = self.derive(purpose);
        Zeroizing::new(*blake3::keyed_hash(&purpose, subject.as_bytes()).as_bytes())
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Key({})", self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F";

    #[test]
    fn a_key_is_read_with_white_space_around_it_and_in_either_case() {
        let key = Key::from_hex(&format!(" {HEX}\n")).unwrap();
        assert_eq!(key.id(), Key::from_hex(&HEX.to_lowercase()).unwrap().id());
        assert_eq!(key.0[31], 0x1f);
    }

    #[test]
    fn what_is_wrong_is_said_without_showing_the_key() {
        assert_eq!(Key::from_hex("abc").unwrap_err(), KeyError::Length { found: 3 });
        let broken = format!("{}zz", &HEX[..62]);
        let error = Key::from_hex(&broken).unwrap_err();
        assert_eq!(error, KeyError::Digit { position: 63 });
        assert!(!error.to_string().contains(&HEX[..8]));
        assert!(Key::from_hex(&"é".repeat(64)).is_err() && Key::from_hex("").is_err());
    }

    #[test]
    fn a_key_is_read_from_a_pipe() {
        assert_eq!(Key::read(format!("{HEX}\r\n").as_bytes()).unwrap().id(), Key::from_hex(HEX).unwrap().id());
        assert_eq!(Key::read(&b""[..]).unwrap_err(), KeyError::Length { found: 0 });
        assert!(matches!(Key::read(&[b'a'; 100_000][..]), Err(KeyError::Length { .. })));
        assert!(Key::read(&[0xff_u8; 64][..]).is_err());
        struct Broken;
        impl std::io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
        }
        assert!(matches!(Key::read(Broken), Err(KeyError::Unreadable { .. })));
    }

    #[test]
    fn subkeys_differ_and_debug_shows_only_the_id() {
        let key = Key::from_hex(HEX).unwrap();
        assert_ne!(key.derive("surrogates"), key.derive("sentence hash"));
        assert_ne!(key.derive_for("surrogates", "1"), key.derive_for("surrogates", "2"));
        assert_ne!(key.derive_for("surrogates", "1"), key.derive_for("columns", "1"));
        assert_eq!(format!("{key:?}"), format!("Key({})", key.id()));
        assert_eq!(key.id().len(), 16);
        assert!(!HEX.to_lowercase().contains(&key.id()));
    }
}
