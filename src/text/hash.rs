//! The key under which equal sentences of a corpus meet.
//!
//! `"No acute distress."` → 16 bytes of XXH3-128 with a secret derived from the run's key. Hashes of short sentences can be
//! guessed by hashing guesses, so an unkeyed hash would be PHI. A fragment's hash holds its context, under a secret of its own.

use xxhash_rust::xxh3::xxh3_128_with_secret;

use super::InContext;

/// A sentence's hash, big-endian, so that byte order is number order.
pub type SentenceHash = [u8; 16];

/// Hashes sentences under one key.
#[derive(Clone)]
pub struct SentenceHasher {
    secret: Box<[u8; 192]>,
    secret_in_context: Box<[u8; 192]>,
}

impl SentenceHasher {
    /// A hasher whose secret is stretched from 32 bytes of key material.
    pub fn new(key: &[u8; 32]) -> Self {
        let stretched = |purpose| {
            let mut secret = Box::new([0; 192]);
            blake3::Hasher::new_derive_key(purpose).update(key).finalize_xof().fill(secret.as_mut());
            secret
        };
        Self {
            secret: stretched("plainsight sentence hash v1"),
            secret_in_context: stretched("plainsight sentence in context hash v1"),
        }
    }

    /// The hash of a sentence that is judged alone, or of any other text.
    pub fn hash(&self, sentence: &str) -> SentenceHash {
        xxh3_128_with_secret(sentence.as_bytes(), self.secret.as_ref()).to_be_bytes()
    }

    /// The hash of a sentence and its context.
    pub fn hash_in_context(&self, sentence: InContext<'_>) -> SentenceHash {
        if sentence.is_alone() {
            return self.hash(sentence.text);
        }
        // The lengths in front tell which bytes are whose.
        let parts = [sentence.before, sentence.text, sentence.after];
        let lengths = parts.iter().flat_map(|part| (part.len() as u64).to_le_bytes());
        let bytes: Vec<u8> = lengths.chain(parts.iter().flat_map(|part| part.bytes())).collect();
        xxh3_128_with_secret(&bytes, self.secret_in_context.as_ref()).to_be_bytes()
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

    #[test]
    fn context_matters_where_there_is_one() {
        let hasher = SentenceHasher::new(&[1; 32]);
        let hash = |before, text, after| hasher.hash_in_context(InContext { before, text, after });
        assert_eq!(hash("", "Pat", ""), hasher.hash("Pat"));
        let apart = [hash("RE:", "Pat", ""), hash("Skin:", "Pat", ""), hash("", "Pat", "RE:"), hash("RE:P", "at", "")];
        for (at, one) in apart.iter().enumerate() {
            assert!(!apart[at + 1..].contains(one) && *one != hasher.hash("Pat"));
        }
    }
}
