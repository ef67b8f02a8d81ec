//! Digits in mixed radix, moved together as one number.
//!
//! ```text
//! 6TR-435 ─▶ digits 6 19 17 4 3 5 of radices 10 26 26 10 10 10 ─▶ one number below 17,576 · 10,000 ─▶ digits 7 19 7 1 2 9
//! ```
//!
//! Where the number would have more than 120 bits it is moved in chunks, each under a draw that depends on the digits before it, so
//! that all of it can be undone in order.

use smallvec::SmallVec;

use super::permutation::{Direction, LARGEST, Randomness};

/// Moves digits to others, every sequence of them without fixed point, or back.
pub(super) fn turn(randomness: &Randomness, direction: Direction, purpose: &str, radices: &[u8], digits: &mut [u8]) {
    let mut input: SmallVec<[u8; 64]> = SmallVec::new();
    let mut at = 0;
    while at < radices.len() {
        let (count, size) = chunk(&radices[at..]);
        let chunk = at..at + count;
        at = chunk.end;
        input.extend_from_slice(&radices[chunk.clone()]);
        let draw = randomness.draw(purpose, &input);
        let number = read(&radices[chunk.clone()], &digits[chunk.clone()]);
        let mut moved = randomness.turn(direction, &draw, size, number);
        let original = if direction == Direction::Forth { number } else { moved };
        input.extend_from_slice(&original.to_be_bytes());
        for index in chunk.rev() {
            let radix = u128::from(radices[index]);
            digits[index] = (moved % radix) as u8;
            moved /= radix;
        }
    }
}

fn read(radices: &[u8], digits: &[u8]) -> u128 {
    radices.iter().zip(digits).fold(0, |number, (&radix, &digit)| number * u128::from(radix) + u128::from(digit))
}

/// How many digits make the next chunk, and the number of values that they have.
fn chunk(radices: &[u8]) -> (usize, u128) {
    let mut size = 1_u128;
    for (count, &radix) in radices.iter().enumerate() {
        let larger = size * u128::from(radix.max(1));
        if larger > LARGEST {
            return (count, size);
        }
        size = larger;
    }
    (radices.len(), size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_stay_below_their_radices_and_come_back(
            pairs in proptest::collection::vec((2_u8..=26, any::<u8>()), 1..80)
        ) {
            let randomness = Randomness::new([3; 32]);
            let radices: Vec<u8> = pairs.iter().map(|(radix, _)| *radix).collect();
            let original: Vec<u8> = pairs.iter().map(|(radix, digit)| digit % radix).collect();
            let mut digits = original.clone();
            turn(&randomness, Direction::Forth, "test", &radices, &mut digits);
            prop_assert!(digits != original && digits.iter().zip(&radices).all(|(digit, radix)| digit < radix));
            turn(&randomness, Direction::Back, "test", &radices, &mut digits);
            prop_assert_eq!(digits, original);
        }
    }
}
