//! The networks that permute a range: FF1 over the bits of a number, and its like for small ranges.
//!
//! ```text
//! 20 bits and more    left ║ right      10 rounds of left + AES(tweak, round, right)
//! fewer               n / r ║ n % r     12 rounds, r the root of the range          … a number outside is sent through again
//! up to 32 numbers    shuffled          by Fisher and Yates, on the cipher's own stream
//! ```

use aes::Aes256;
use aes::cipher::BlockEncrypt;

use super::permutation::Draw;

/// Bits from which on FF1 is the standard's.
const STANDARD_BITS: u32 = 20;
/// Rounds of FF1.
const STANDARD_ROUNDS: u8 = 10;
/// Rounds over ranges below the standard's, an even number.
const SMALL_ROUNDS: u8 = 12;

/// The largest range that is shuffled: cheaper than rounds, and any order is as likely as any other.
const SHUFFLED: usize = 32;
/// Numbers of 32 bits in a block of the cipher.
const IN_BLOCK: usize = 4;
/// The round that no network has: under it the cipher's stream for shuffling.
const STREAM: u128 = 0xff << 64;

/// A permutation of `0..size` for one tweak.
pub(super) struct Network<'a> {
    cipher: &'a Aes256,
    size: u128,
    halves: Halves,
}

/// How a number is cut in two.
enum Halves {
    /// Not at all: where each number goes.
    Shuffled([u8; SHUFFLED]),
    /// Into numbers of so many bits, by FF1; `chained` is the chaining value after the header and the tweak.
    Bits { left: u32, right: u32, chained: u128 },
    /// Into a quotient below `left` and a remainder below `right`, which are about alike, so that next to no number is outside.
    Factors { left: u64, right: u64, tweak: u128 },
}

impl<'a> Network<'a> {
    /// The network of a draw, for a size of two and more.
    pub(super) fn new(cipher: &'a Aes256, draw: &Draw, size: u128) -> Self {
        let [tweak, _] = draw.halves();
        if size <= SHUFFLED as u128 {
            return Self { cipher, size, halves: Halves::Shuffled(shuffled(cipher, tweak, size as usize)) };
        }
        let bits = u128::BITS - (size - 1).leading_zeros();
        if bits < STANDARD_BITS {
            let left = (size as u64).isqrt().max(1);
            let right = (size as u64).div_ceil(left);
            return Self { cipher, size, halves: Halves::Factors { left, right, tweak } };
        }
        let left = bits / 2;
        let mut header = [0; 16];
        header[..8].copy_from_slice(&[1, 2, 1, 0, 0, 2, STANDARD_ROUNDS, left as u8]);
        header[8..12].copy_from_slice(&bits.to_be_bytes());
        header[12..].copy_from_slice(&16_u32.to_be_bytes());
        let chained = block(cipher, block(cipher, u128::from_be_bytes(header)) ^ tweak);
        Self { cipher, size, halves: Halves::Bits { left, right: bits - left, chained } }
    }

    /// The image of a number below the size.
    pub(super) fn encrypt(&self, value: u128) -> u128 {
        self.walk(value, Self::encrypt_once)
    }

    /// The number below the size whose image this is.
    pub(super) fn decrypt(&self, image: u128) -> u128 {
        self.walk(image, Self::decrypt_once)
    }

    fn walk(&self, value: u128, step: impl Fn(&Self, u128) -> u128) -> u128 {
        let mut image = step(self, value);
        while image >= self.size {
            image = step(self, image);
        }
        image
    }

    fn encrypt_once(&self, value: u128) -> u128 {
        match self.halves {
            Halves::Shuffled(images) => images[value as usize % SHUFFLED].into(),
            Halves::Bits { left, right, chained } => {
                let (mut first, mut second) = split(value, right);
                for round in 0..STANDARD_ROUNDS {
                    let sum = first.wrapping_add(self.round(round, right, chained, second)) & width(round, left, right);
                    first = second;
                    second = sum;
                }
                u128::from(first) << right | u128::from(second)
            }
            Halves::Factors { left, right, tweak } => {
                let (mut first, mut second) = (value as u64 / right, value as u64 % right);
                for round in (0..SMALL_ROUNDS).step_by(2) {
                    first = (first + self.below(left, round, second, tweak)) % left;
                    second = (second + self.below(right, round + 1, first, tweak)) % right;
                }
                u128::from(first * right + second)
            }
        }
    }

    fn decrypt_once(&self, value: u128) -> u128 {
        match self.halves {
            // All are among the images of `0..size`, and each once.
            Halves::Shuffled(images) => {
                images.iter().position(|&image| u128::from(image) == value).unwrap_or(0) as u128
            }
            Halves::Bits { left, right, chained } => {
                let (mut first, mut second) = split(value, right);
                for round in (0..STANDARD_ROUNDS).rev() {
                    let difference =
                        second.wrapping_sub(self.round(round, right, chained, first)) & width(round, left, right);
                    second = first;
                    first = difference;
                }
                u128::from(first) << right | u128::from(second)
            }
            Halves::Factors { left, right, tweak } => {
                let (mut first, mut second) = (value as u64 / right, value as u64 % right);
                for round in (0..SMALL_ROUNDS).step_by(2).rev() {
                    second = (second + right - self.below(right, round + 1, first, tweak)) % right;
                    first = (first + left - self.below(left, round, second, tweak)) % left;
                }
                u128::from(first * right + second)
            }
        }
    }

    /// The low 64 bits of the standard's number y; no half is longer.
    fn round(&self, round: u8, right: u32, chained: u128, half: u64) -> u64 {
        let bytes = right.div_ceil(8);
        let last = u128::from(round) << (8 * bytes) | u128::from(half);
        let result = block(self.cipher, chained ^ last);
        let taken = 4 * bytes.div_ceil(4) + 4;
        (result >> (128 - 8 * taken)) as u64
    }

    /// A number below a bound for a half in a round.
    fn below(&self, bound: u64, round: u8, half: u64, tweak: u128) -> u64 {
        let result = block(self.cipher, tweak ^ (u128::from(round) << 64 | u128::from(half)));
        ((u128::from(result as u64) * u128::from(bound)) >> 64) as u64
    }
}

/// The numbers of `0..size` in an order of the cipher's choice, and after them the others in theirs.
fn shuffled(cipher: &Aes256, tweak: u128, size: usize) -> [u8; SHUFFLED] {
    let mut images = std::array::from_fn(|index| index as u8);
    let mut stream = [aes::Block::default(); SHUFFLED / IN_BLOCK];
    let blocks = &mut stream[..size.div_ceil(IN_BLOCK)];
    for (block, counter) in blocks.iter_mut().zip(0..) {
        *block = (tweak ^ STREAM ^ counter).to_be_bytes().into();
    }
    cipher.encrypt_blocks(blocks);
    for last in (1..size).rev() {
        let at = last % IN_BLOCK * 4;
        let block = &stream[last / IN_BLOCK];
        let number = u32::from_be_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]]);
        let other = (u64::from(number) * (last as u64 + 1)) >> 32;
        images.swap(last, other as usize);
    }
    images
}

fn block(cipher: &Aes256, input: u128) -> u128 {
    let mut block = input.to_be_bytes().into();
    cipher.encrypt_block(&mut block);
    u128::from_be_bytes(block.into())
}

fn width(round: u8, left: u32, right: u32) -> u64 {
    let bits = if round.is_multiple_of(2) { left } else { right };
    u64::MAX >> (u64::BITS - bits)
}

fn split(value: u128, right: u32) -> (u64, u64) {
    ((value >> right) as u64, value as u64 & (u64::MAX >> (u64::BITS - right)))
}
