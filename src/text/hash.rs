//! The key under which equal sentences of a corpus meet.
//!
//! `"No acute distress."` → 16 bytes of XXH3-128 with a secret derived from the run's key. Hashes of short sentences can be
//! guessed by hashing guesses, so an unkeyed hash would be PHI.

use xxhash_rust::xxh3::xxh3_128_with_secret;

/// A sentence's hash, big-endian, so that byte order is number order.
pub type SentenceHash = [u8; 16];

/// Hashes sentences under one key.
#[derive(Clone)]
pub struct SentenceHasher {
    secret: Box<[u8; 192]>,
}

impl SentenceHasher {
    /// A hasher whose secret is stretched from 32 bytes of key material.
    pub fn new(key: &[u8; 32]) -> Self {
        let mut secret = Box::new([0; 192]);
        blake3::Hasher::new_derive_key("plainsight sentence hash v1").update(key).finalize_xof().fill(secret.as_mut());
        Self { secret }
    }

    /// The hash of a sentence's bytes.
    pub fn hash(&self, sentence: &str) -> SentenceHash {
        xxh3_128_with_secret(sentence.as_bytes(), self.secret.as_ref()).to_be_bytes()
    }
}

impl std::fmt::Debug for SentenceHasher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SentenceHasher")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_and_every_byte_matter() {
        let (one, other) = (SentenceHasher::new(&[1; 32]), SentenceHasher::new(&[2; 32]));
        assert_eq!(one.hash("Stable."), one.clone().hash("Stable."));
        assert_ne!(one.hash("Stable."), other.hash("Stable."));
        assert_ne!(one.hash("Stable."), one.hash("stable."));
        assert_ne!(one.hash(""), other.hash(""));
    }
}
