//! A short word as one number, to be compared and hashed at once.
//!
//! ```text
//! "St" ─▶ 0x…7453      small letters: 0x…7473      seventeen bytes: none
//! ```

/// As many bytes fit.
pub(crate) const LONGEST: usize = 16;

/// The bytes of a word of at most [`LONGEST`], its first as the lowest, with zeros behind its last.
#[inline]
pub(crate) fn number_of(word: &[u8]) -> Option<u128> {
    let length = word.len();
    // Two reads that overlap instead of a loop over the bytes.
    if let (Some(first), Some(last)) = (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        let rest = (16_usize.checked_sub(length)? * 8) as u32;
        return Some(u128::from(first) | u128::from(last.checked_shr(rest).unwrap_or(0)) << 64);
    }
    if let (Some(first), Some(last)) = (word.first_chunk::<4>(), word.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        let rest = ((8 - length) * 8) as u32;
        return Some(u128::from(first) | u128::from(last.checked_shr(rest).unwrap_or(0)) << 32);
    }
    Some(word.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte)))
}

/// The same in small letters.
#[inline]
pub(crate) fn lower_number_of(word: &[u8]) -> Option<u128> {
    let mut bytes = number_of(word)?.to_le_bytes();
    bytes.make_ascii_lowercase();
    Some(u128::from_le_bytes(bytes))
}

/// A hash of a word's number, the best in its upper half.
#[inline]
pub(crate) const fn hash_of(number: u128) -> u64 {
    let (low, high) = (number as u64, (number >> 64) as u64);
    (low ^ high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_the_padded_bytes() {
        let word = b"abcDEFghijKLmnopq";
        for length in 0..=LONGEST {
            let mut bytes = [0; LONGEST];
            bytes[..length].copy_from_slice(&word[..length]);
            assert_eq!(number_of(&word[..length]), Some(u128::from_le_bytes(bytes)), "{length}");
            bytes.make_ascii_lowercase();
            assert_eq!(lower_number_of(&word[..length]), Some(u128::from_le_bytes(bytes)), "{length}");
        }
        assert_eq!(number_of(word), None);
    }
}
