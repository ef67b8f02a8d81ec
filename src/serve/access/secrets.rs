//! Passwords and tokens, and what of them is kept: nothing from which they could be made again.

use argon2::password_hash::SaltString;
use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use rand::TryRngCore;
use rand::rngs::OsRng;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::corpus::{CorpusError, Result};

/// The fewest characters of a password.
const SHORTEST_PASSWORD: usize = 12;
/// What tokens begin with, so that those who look for secrets in the wrong places recognize them.
const TOKEN_MARK: &str = "plainsight_";

/// The Argon2id hash of a password, as the file of users has it.
///
/// # Errors
/// [`CorpusError::Configuration`] for a password that is too short, [`CorpusError::Internal`] where the system gives no random bytes.
pub fn hash_password(password: &str) -> Result<String> {
    if password.chars().count() < SHORTEST_PASSWORD {
        return Err(CorpusError::configuration(
            format!("a password has at least {SHORTEST_PASSWORD} characters"),
            "take a longer one: several words will do",
        ));
    }
    hash(password.as_bytes())
}

/// The same of any bytes.
pub(super) fn hash(password: &[u8]) -> Result<String> {
    let salt = random::<16>()?;
    let fail = |_| CorpusError::internal("the password cannot be hashed");
    let salt = SaltString::encode_b64(salt.as_ref()).map_err(fail)?;
    Ok(Argon2::default().hash_password(password, &salt).map_err(fail)?.to_string())
}

/// Whether a password is the one of which there is a hash. Takes as long as the hash says, whatever comes of it.
pub(super) fn is_password(password: &[u8], hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password, &hash).is_ok())
}

/// Whether a text is a hash that [`is_password`] understands.
pub(super) fn is_hash(text: &str) -> bool {
    PasswordHash::new(text).is_ok_and(|hash| {
        hash.algorithm.as_str() == "argon2id" && hash.hash.is_some() && argon2::Params::try_from(&hash).is_ok()
    })
}

/// A new token.
///
/// # Errors
/// [`CorpusError::Internal`] where the system gives no random bytes.
pub fn new_token() -> Result<Zeroizing<String>> {
    let bytes = random::<32>()?;
    let digits: Zeroizing<String> = Zeroizing::new(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
    Ok(Zeroizing::new(format!("{TOKEN_MARK}{}", digits.as_str())))
}

/// What is kept of a token. It has as many random bytes as the digest, so that it needs neither salt nor a slow function.
pub(super) fn digest(token: &str) -> [u8; 32] {
    *blake3::hash(token.as_bytes()).as_bytes()
}

/// Whether two digests are the same, told in a time that does not depend on where they differ.
pub(super) fn is_same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.ct_eq(other).into()
}

/// Random bytes of the system.
pub(in crate::serve) fn random<const BYTES: usize>() -> Result<Zeroizing<[u8; BYTES]>> {
    let mut bytes = Zeroizing::new([0_u8; BYTES]);
    let fail = |error| CorpusError::internal(format!("the system gives no random bytes: {error}"));
    OsRng.try_fill_bytes(bytes.as_mut()).map_err(fail)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_told_from_others_by_its_hash_alone() {
        let kept = hash_password("correct horse battery").unwrap();
        assert!(is_hash(&kept) && !kept.contains("horse"));
        assert!(is_password(b"correct horse battery", &kept));
        assert!(!is_password(b"correct horse battery ", &kept) && !is_password(b"", &kept));
        assert_ne!(kept, hash_password("correct horse battery").unwrap());
        assert!(hash_password("short").is_err());
    }

    #[test]
    fn what_is_no_hash_is_no_hash() {
        for text in [
            "",
            "plain",
            "$argon2id$v=19$m=19456,t=2,p=1",
            "$argon2d$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        ] {
            assert!(!is_hash(text), "{text}");
            assert!(!is_password(b"", text), "{text}");
        }
    }

    #[test]
    fn tokens_are_new_each_time() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert!(one.len() == TOKEN_MARK.len() + 64 && *one != *other);
        assert!(is_same(&digest(&one), &digest(&one)) && !is_same(&digest(&one), &digest(&other)));
    }
}
