//! Keyed permutations: of any range `0..size`, without fixed point, computed and never stored.
//!
//! ```text
//! π   = FF1 over the bits of the number, walked until it falls into 0..size
//! σ   = π⁻¹(π(x) + c mod size), 0 < c < size       so σ(x) ≠ x for every x, and σ can be undone with the key
//! ```
//!
//! π is the FF1 mode of NIST SP 800-38G with radix 2, AES-256 and a tweak of 16 bytes, for ranges of 2²⁰ and more. The
//! standard does not admit smaller ranges, which anyone could list; there a network of the same cipher with two more rounds runs over
//! quotient and remainder by about the root of the range, so that walking is rare. Lists of a few dozen (letters, states) are shuffled outright by [`Randomness::derangement`].

use aes::Aes256;
use aes::cipher::KeyInit;
use zeroize::Zeroize;

use super::network::Network;

/// The largest range of a permutation.
pub(super) const LARGEST: u128 = 1 << 120;

/// The keyed randomness of one patient (or one namespace of pseudonyms).
pub(super) struct Randomness {
    secret: Secret,
    cipher: Aes256,
}

struct Secret([u8; 32]);

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Whether originals become surrogates, or surrogates originals again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// To the surrogate.
    Forth,
    /// To the original.
    Back,
}

/// Thirty-two bytes drawn for one purpose and input: names a permutation, or picks from a list.
pub(super) struct Draw([u8; 32]);

impl Draw {
    /// A number in `0..bound`; 0 where the bound is 0.
    pub(super) fn below(&self, bound: u128) -> u128 {
        let [_, number] = self.halves();
        if bound == 0 { 0 } else { number % bound }
    }

    /// An index into a list of `len` elements; 0 for an empty one.
    pub(super) fn index(&self, len: usize) -> usize {
        self.below(len as u128) as usize
    }

    /// The bytes, for callers that need several small numbers.
    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The bytes as two numbers.
    pub(super) fn halves(&self) -> [u128; 2] {
        let (mut left, mut right) = ([0; 16], [0; 16]);
        left.copy_from_slice(&self.0[..16]);
        right.copy_from_slice(&self.0[16..]);
        [u128::from_be_bytes(left), u128::from_be_bytes(right)]
    }
}

impl Randomness {
    /// Randomness from a secret of its own.
    pub(super) fn new(secret: [u8; 32]) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(&secret);
        hasher.update(b"permutation cipher");
        let cipher = Aes256::new(&(*hasher.finalize().as_bytes()).into());
        Self { secret: Secret(secret), cipher }
    }

    /// Draws for a purpose and an input: the same ones give the same bytes, others independent ones.
    pub(super) fn draw(&self, purpose: &str, input: &[u8]) -> Draw {
        let (name, length) = (purpose.as_bytes(), 1 + purpose.len() + input.len());
        // One call over a buffer is several times faster than a hasher fed piece by piece, and most inputs are short.
        let mut buffer = [0_u8; 128];
        if let Some(message) = buffer.get_mut(..length) {
            message[0] = name.len() as u8;
            message[1..=name.len()].copy_from_slice(name);
            message[1 + name.len()..].copy_from_slice(input);
            return Draw(*blake3::keyed_hash(&self.secret.0, message).as_bytes());
        }
        let mut hasher = blake3::Hasher::new_keyed(&self.secret.0);
        hasher.update(&[name.len() as u8]);
        hasher.update(name);
        hasher.update(input);
        Draw(*hasher.finalize().as_bytes())
    }

    /// Where σ of this draw takes `value`: another number of `0..size`.
    ///
    /// A range of one number has no other: it is returned unchanged, as is a number outside the range.
    pub(super) fn displace(&self, draw: &Draw, size: u128, value: u128) -> u128 {
        if size < 2 || value >= size || size > LARGEST {
            return value;
        }
        let offset = 1 + draw.below(size - 1);
        if size < 4 {
            return (value + offset) % size;
        }
        let network = Network::new(&self.cipher, draw, size);
        network.decrypt((network.encrypt(value) + offset) % size)
    }

    /// Whence σ of this draw took `image`: undoes [`Randomness::displace`].
    pub(super) fn restore(&self, draw: &Draw, size: u128, image: u128) -> u128 {
        if size < 2 || image >= size || size > LARGEST {
            return image;
        }
        let offset = 1 + draw.below(size - 1);
        if size < 4 {
            return (image + size - offset) % size;
        }
        let network = Network::new(&self.cipher, draw, size);
        network.decrypt((network.encrypt(image) + size - offset) % size)
    }

    /// Moves `value` there or back.
    pub(super) fn turn(&self, direction: Direction, draw: &Draw, size: u128, value: u128) -> u128 {
        match direction {
            Direction::Forth => self.displace(draw, size, value),
            Direction::Back => self.restore(draw, size, value),
        }
    }

    /// Where π of this draw takes `value`: some number of `0..size`, perhaps the same.
    pub(super) fn permute(&self, draw: &Draw, size: u128, value: u128) -> u128 {
        if size < 2 || value >= size || size > LARGEST {
            return value;
        }
        Network::new(&self.cipher, draw, size).encrypt(value)
    }

    /// Whence π of this draw took `image`: undoes [`Randomness::permute`].
    pub(super) fn unpermute(&self, draw: &Draw, size: u128, image: u128) -> u128 {
        if size < 2 || image >= size || size > LARGEST {
            return image;
        }
        Network::new(&self.cipher, draw, size).decrypt(image)
    }

    /// A shuffle of `0..len` without fixed point, for lists of up to 256 (Sattolo's algorithm: one cycle through all).
    pub(super) fn derangement(&self, purpose: &str, len: usize) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new_keyed(&self.secret.0);
        hasher.update(b"derangement ");
        hasher.update(purpose.as_bytes());
        let mut stream = hasher.finalize_xof();
        let mut image: Vec<u8> = (0..len.min(256)).map(|index| index as u8).collect();
        for last in (1..image.len()).rev() {
            let mut bytes = [0; 8];
            stream.fill(&mut bytes);
            image.swap(last, (u64::from_be_bytes(bytes) % last as u64) as usize);
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn randomness(seed: u8) -> Randomness {
        Randomness::new([seed; 32])
    }

    /// Answers of an independent implementation of FF1 (radix 2, key 00 01 … 1f, tweak f0 f1 … ff).
    #[test]
    fn large_ranges_are_encrypted_by_the_standard() {
        let cipher = Aes256::new(&std::array::from_fn(|index| index as u8).into());
        let draw = Draw(std::array::from_fn(|index| 0xf0 + (index as u8 & 15)));
        for (bits, value, image) in [
            (20, 0xbcdef, 0x15a94),
            (33, 0x1_89ab_cdef, 0x9fa5_f08b),
            (64, 0x0123_4567_89ab_cdef, 0x32f2_bffd_5b29_a185),
            (97, 0x1_89ab_cdef_0123_4567_89ab_cdef, 0x7878_5f87_9805_515e_b2ef_a341),
            (120, 0x23_4567_89ab_cdef_0123_4567_89ab_cdef, 0x4b_69be_d2a0_5ff0_33fa_55de_fe94_406c_u128),
        ] {
            assert_eq!(Network::new(&cipher, &draw, 1 << bits).encrypt(value), image, "{bits}");
        }
    }

    proptest! {
        #[test]
        fn it_is_the_encryption_of_another_implementation(key: [u8; 32], tweak: [u8; 32], bits in 20_u32..=120, value: u128) {
            let value = value & (u128::MAX >> (128 - bits));
            let ours = Network::new(&Aes256::new(&key.into()), &Draw(tweak), 1 << bits).encrypt(value);
            let theirs = fpe::ff1::FF1::<aes_of_fpe::Aes256>::new(&key, 2).unwrap();
            let digits = (0..bits).rev().map(|bit| (value >> bit & 1) as u16).collect::<Vec<_>>();
            let image = theirs.encrypt(&tweak[..16], &fpe::ff1::FlexibleNumeralString::from(digits)).unwrap();
            let image = Vec::from(image).into_iter().fold(0, |number, digit| number << 1 | u128::from(digit));
            prop_assert_eq!(ours, image);
        }
    }

    #[test]
    fn small_ranges_are_permuted_without_fixed_point() {
        for size in 2..200_u128 {
            let randomness = randomness(size as u8);
            let draw = randomness.draw("test", &size.to_be_bytes());
            let mut seen = vec![false; size as usize];
            for value in 0..size {
                let image = randomness.displace(&draw, size, value);
                assert_ne!(image, value);
                assert_eq!(randomness.restore(&draw, size, image), value);
                assert_eq!(randomness.unpermute(&draw, size, randomness.permute(&draw, size, value)), value);
                assert!(!std::mem::replace(&mut seen[image as usize], true));
            }
            let mut plain: Vec<_> = (0..size).map(|value| randomness.permute(&draw, size, value)).collect();
            plain.sort_unstable();
            assert!(plain.into_iter().eq(0..size));
        }
    }

    #[test]
    fn images_are_spread_evenly() {
        let randomness = randomness(7);
        let mut counts = [0_u32; 10];
        for index in 0..20_000_u32 {
            let draw = randomness.draw("spread", &index.to_be_bytes());
            counts[randomness.displace(&draw, 10, 3) as usize] += 1;
        }
        assert_eq!(counts[3], 0);
        assert!(
            counts.iter().enumerate().all(|(digit, &count)| digit == 3 || (1_950..2_500).contains(&count)),
            "{counts:?}"
        );
    }

    #[test]
    fn derangements_have_no_fixed_point_and_differ_by_purpose() {
        let first = randomness(1).derangement("letters", 26);
        let mut sorted = first.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..26));
        assert!(first.iter().enumerate().all(|(index, &image)| index != usize::from(image)));
        assert_ne!(first, randomness(1).derangement("states", 26));
        assert_ne!(first, randomness(2).derangement("letters", 26));
        assert!(randomness(1).derangement("none", 0).is_empty());
    }

    proptest! {
        #[test]
        fn encryption_is_undone_by_decryption(seed: u8, bits in 2_u32..=120, value: u128) {
            let randomness = randomness(seed);
            let draw = randomness.draw("law", b"");
            let size = 1_u128 << bits;
            let network = Network::new(&randomness.cipher, &draw, size);
            prop_assert_eq!(network.decrypt(network.encrypt(value % size)), value % size);
            let size = size - 1;
            let network = Network::new(&randomness.cipher, &draw, size);
            prop_assert_eq!(network.decrypt(network.encrypt(value % size)), value % size);
        }

        #[test]
        fn large_ranges_move_everything_and_stay_inside(seed: u8, size in 2_u128..LARGEST, value: u128) {
            let randomness = randomness(seed);
            let value = value % size;
            let image = randomness.displace(&randomness.draw("law", b""), size, value);
            prop_assert!(image < size && image != value);
            prop_assert_eq!(randomness.restore(&randomness.draw("law", b""), size, image), value);
        }
    }
}
