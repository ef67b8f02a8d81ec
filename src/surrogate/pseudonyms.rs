//! Pseudonyms of identifiers in columns: opaque, the same for the same value, without a table.
//!
//! ```text
//! namespace "patient_id":   "P0012345" → "k3q7…" (26 characters)     12345 → 1650842906     5000000000 → 6170290391463270124
//! ```

use super::key::Key;
use super::permutation::Randomness;

/// The digits of base 32, in lower case and without the letters that are easily misread.
const BASE_32: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Base-32 digits of 128 bits.
const TEXT_LENGTH: usize = 26;
/// How many integers of 32 bits are not negative.
const SHORT: u64 = 1 << 31;

/// The pseudonyms of one namespace, such as a column; columns that are joined must share theirs.
pub struct Pseudonyms {
    randomness: Randomness,
}

impl Pseudonyms {
    /// The pseudonyms of a namespace under a key.
    pub fn new(key: &Key, namespace: &str) -> Self {
        Self { randomness: Randomness::new(*key.derive(&format!("pseudonyms {namespace}"))) }
    }

    /// A text of 26 lower-case letters and digits, 128 bits of a keyed hash: safe in paths, file names and SQL.
    pub fn text(&self, value: &str) -> String {
        let mut bits = [0; 16];
        bits.copy_from_slice(&self.randomness.draw("text", value.as_bytes()).bytes()[..16]);
        let number = u128::from_be_bytes(bits);
        (0..TEXT_LENGTH).rev().map(|digit| char::from(BASE_32[(number >> (5 * digit)) as usize & 31])).collect()
    }

    /// Another integer: a permutation without fixed point of those from 0 to 2³¹ - 1, which fit into 32 bits, and likewise of those above, and of the
    /// negative ones. So a number has one pseudonym, whether a table holds it in 32 bits or in 64.
    pub fn integer(&self, value: i64) -> i64 {
        let magnitude = (value ^ (value >> 63)) as u64;
        let image = match magnitude.checked_sub(SHORT) {
            None => self.displace("integer of 32 bits", SHORT, magnitude),
            Some(above) => SHORT + self.displace("integer", (1 << 63) - SHORT, above),
        };
        image as i64 ^ (value >> 63)
    }

    /// The same for integers of 32 bits.
    pub fn integer_32(&self, value: i32) -> i32 {
        let image = self.displace("integer of 32 bits", SHORT, (value ^ (value >> 31)) as u64) as i32;
        image ^ (value >> 31)
    }

    fn displace(&self, purpose: &str, size: u64, value: u64) -> u64 {
        self.randomness.displace(&self.randomness.draw(purpose, b""), size.into(), value.into()) as u64
    }
}

/// [`Pseudonyms::text`] for a single value.
pub fn pseudonym_text(key: &Key, namespace: &str, value: &str) -> String {
    Pseudonyms::new(key, namespace).text(value)
}

/// [`Pseudonyms::integer`] for a single value.
pub fn pseudonym_integer(key: &Key, namespace: &str, value: i64) -> i64 {
    Pseudonyms::new(key, namespace).integer(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pseudonyms(namespace: &str) -> Pseudonyms {
        let key = Key::from_hex("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff").unwrap();
        Pseudonyms::new(&key, namespace)
    }

    #[test]
    fn namespaces_are_independent() {
        assert_ne!(pseudonyms("patient_id").text("1"), pseudonyms("note_id").text("1"));
        assert_ne!(pseudonyms("patient_id").integer(1), pseudonyms("note_id").integer(1));
        assert_eq!(pseudonyms("patient_id").text("").len(), TEXT_LENGTH);
    }

    proptest! {
        #[test]
        fn integers_move_within_their_sign_and_never_meet(left: i64, right: i64) {
            let pseudonyms = pseudonyms("id");
            let (image, other) = (pseudonyms.integer(left), pseudonyms.integer(right));
            prop_assert!(image != left && image.is_negative() == left.is_negative());
            prop_assert_eq!(image == other, left == right);
        }

        #[test]
        fn short_integers_do_so_too(left: i32, right: i32) {
            let pseudonyms = pseudonyms("id");
            let (image, other) = (pseudonyms.integer_32(left), pseudonyms.integer_32(right));
            prop_assert!(image != left && image.is_negative() == left.is_negative());
            prop_assert_eq!(image == other, left == right);
            prop_assert_eq!(pseudonyms.integer(left.into()), i64::from(image), "joined with a wider column");
        }

        #[test]
        fn integers_about_the_middle_do_so(left in -5_000_000_000_i64..5_000_000_000, right in -5_000_000_000_i64..5_000_000_000) {
            let pseudonyms = pseudonyms("id");
            let (image, other) = (pseudonyms.integer(left), pseudonyms.integer(right));
            prop_assert!(image != left && image.is_negative() == left.is_negative());
            prop_assert_eq!(i32::try_from(image).is_ok(), i32::try_from(left).is_ok());
            prop_assert_eq!(image == other, left == right);
        }
    }
}
