//! What was judged, as bytes of an index.
//!
//! ```text
//! check u64 | start u32 | end u32 | score f32 | of any f32 | detector u8 | flags u8 | length u8 | class | start …   little-endian
//! ```
//!
//! The check is a hash of what follows it: a value that was damaged on its way is told from one that says something else.

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::{Answer, Judged};
use crate::phi::{Class, Detector};

const GOES_ON: u8 = 1;
const IS_LETTERED: u8 = 2;
/// The bytes of one before its class.
const FIXED: usize = 19;

/// The bytes of what was judged of one sentence.
pub(super) fn encode(judged: &[Judged]) -> Vec<u8> {
    let bytes = written(judged);
    let mut checked = xxh3_64(&bytes).to_le_bytes().to_vec();
    checked.extend(bytes);
    checked
}

fn written(judged: &[Judged]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(judged.len() * (FIXED + 8));
    for one in judged {
        let class = one.class.to_string();
        // No class has a name of more than a few dozen bytes.
        let class = &class.as_bytes()[..class.len().min(u8::MAX.into())];
        bytes.extend(one.start.to_le_bytes());
        bytes.extend(one.end.to_le_bytes());
        bytes.extend(one.score.to_le_bytes());
        bytes.extend(one.of_any.to_le_bytes());
        let flags = if one.goes_on { GOES_ON } else { 0 } | if one.is_lettered { IS_LETTERED } else { 0 };
        bytes.extend([one.detector as u8, flags, class.len() as u8]);
        bytes.extend(class);
    }
    bytes
}

/// What was judged, from its bytes; none where they are no such bytes.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<Judged>> {
    let (check, mut bytes) = bytes.split_first_chunk()?;
    if u64::from_le_bytes(*check) != xxh3_64(bytes) {
        return None;
    }
    let mut judged = Vec::new();
    while !bytes.is_empty() {
        let (fixed, rest) = bytes.split_at_checked(FIXED)?;
        let number = |at: usize| Some(u32::from_le_bytes(*fixed.get(at..)?.first_chunk()?));
        let (class, rest) = rest.split_at_checked(fixed[18].into())?;
        let class: Class = std::str::from_utf8(class).ok()?.parse().ok()?;
        judged.push(Judged {
            start: number(0)?,
            end: number(4)?,
            class,
            detector: *Detector::ALL.get(usize::from(fixed[16]))?,
            score: f32::from_bits(number(8)?),
            of_any: f32::from_bits(number(12)?),
            goes_on: fixed[17] & GOES_ON != 0,
            is_lettered: fixed[17] & IS_LETTERED != 0,
        });
        bytes = rest;
    }
    Some(judged)
}

/// The bytes of a member's answer.
pub fn encode_answer(answer: &Answer) -> Vec<u8> {
    let mut bytes = answer.shown.to_le_bytes().to_vec();
    bytes.extend(encode(&answer.judged));
    bytes
}

/// What a member judged when it was shown what has the digest `shown`; none for the answer to anything else.
pub fn read_answer(bytes: &[u8], shown: u64) -> Option<Vec<Judged>> {
    let (digest, judged) = bytes.split_first_chunk()?;
    if u64::from_le_bytes(*digest) == shown { decode(judged) } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::Label;

    fn judged() -> impl Strategy<Value = Judged> {
        (any::<(u32, u32, bool, bool)>(), 0.0..1.0_f32, 0.0..1.0_f32, 0..Label::ALL.len(), 0..Detector::ALL.len())
            .prop_map(|((start, end, goes_on, is_lettered), score, of_any, label, detector)| Judged {
                start,
                end,
                class: Label::ALL[label].into(),
                detector: Detector::ALL[detector],
                score,
                of_any,
                goes_on,
                is_lettered,
            })
    }

    proptest! {
        #[test]
        fn what_was_judged_comes_back_unless_damaged(
            judged in prop::collection::vec(judged(), 0..6), shown in any::<u64>(), place in any::<usize>()
        ) {
            let bytes = encode_answer(&Answer { shown, judged: judged.clone() });
            prop_assert_eq!(read_answer(&bytes, shown), Some(judged));
            prop_assert_eq!(read_answer(&bytes, shown.wrapping_add(1)), None);
            let mut damaged = bytes.clone();
            let at = place % damaged.len();
            damaged[at] ^= 1 << (place % 8);
            prop_assert_eq!(read_answer(&damaged, shown), None);
        }

        #[test]
        fn other_bytes_are_refused_and_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = decode(&bytes);
            prop_assert!(bytes.len() >= 16 || read_answer(&bytes, 0).is_none());
        }
    }

    #[test]
    fn kinds_stay() {
        let class: Class = "DATE:full".parse().unwrap();
        let one = Judged {
            start: 1,
            end: 2,
            class,
            detector: Detector::Pattern,
            score: 1.0,
            of_any: 1.0,
            goes_on: false,
            is_lettered: true,
        };
        assert_eq!(decode(&encode(&[one])), Some(vec![one]));
    }
}
