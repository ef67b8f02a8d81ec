//! Numbers and codes: other digits and letters in the same form.
//!
//! ```text
//! (507) 555-0101 → (934) 218-7760     507.555.0101 → 934.218.7760     6TR-435 → 7TH-129     10.0.12.7 → 84.3.55.1
//! └ separators and case are form, digits and letters together are one number in mixed radix, which is displaced ┘
//! ```
//!
//! Two writings of one number therefore have surrogates of one number. Values longer than about thirty characters are
//! displaced in chunks, each under a draw that depends on the ones before it, so that all of it can be undone in order.

use super::internet;
use super::permutation::{LARGEST, Randomness};
use super::scripts;

/// Which range a code is displaced in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Record numbers, accounts, licences, serial numbers, user names: all share one map, as labels of numbers are
    /// often confused.
    Identifier,
    /// Telephone, fax and pager numbers.
    Telephone,
    /// Postal codes that no list holds.
    PostalCode,
    /// Internet protocol addresses.
    InternetAddress,
    /// Numbers inside addresses and names of places.
    Place,
}

impl Family {
    const fn purpose(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Telephone => "telephone",
            Self::PostalCode => "postal code",
            Self::InternetAddress => "internet address",
            Self::Place => "place number",
        }
    }
}

/// Words that stand beside a number and are no part of it.
const MARKERS: &[&str] = &[
    "acc",
    "account",
    "accession",
    "acct",
    "badge",
    "beeper",
    "case",
    "cell",
    "claim",
    "clia",
    "csn",
    "dea",
    "dl",
    "ein",
    "enc",
    "encounter",
    "ext",
    "extension",
    "fax",
    "fin",
    "group",
    "grp",
    "har",
    "hic",
    "hicn",
    "home",
    "id",
    "invoice",
    "job",
    "lic",
    "license",
    "lot",
    "mbi",
    "mbr",
    "medicaid",
    "medicare",
    "member",
    "mobile",
    "mrn",
    "nhs",
    "no",
    "npi",
    "num",
    "number",
    "office",
    "order",
    "pager",
    "passport",
    "ph",
    "phone",
    "pin",
    "plate",
    "policy",
    "record",
    "ref",
    "rx",
    "serial",
    "sn",
    "ssn",
    "tel",
    "telephone",
    "udi",
    "vin",
    "visit",
    "work",
    "x",
];

/// Bytes of the longest marker.
const LONGEST_MARKER: usize = 9;

/// One place of a code: a digit of the number in mixed radix.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The byte.
    pub at: usize,
    /// The lowest digit it may become.
    pub lowest: u8,
    /// How many digits or letters it may become.
    pub radix: u8,
}

/// The surrogate of a number or code: same length, same separators, digits for digits, letters for letters.
pub(super) fn replace(randomness: &Randomness, family: Family, value: &str) -> String {
    if family == Family::InternetAddress
        && let Some(address) = internet::replace(randomness, value)
    {
        return address;
    }
    let mut bytes = value.as_bytes().to_vec();
    let places = places(family, &bytes);
    // An extension is a number of its own: with or without it, the main number has one surrogate.
    let main = if family == Family::Telephone { before_extension(&bytes, &places) } else { places.len() };
    displace(randomness, family.purpose(), &mut bytes, &places[..main]);
    displace(randomness, "telephone extension", &mut bytes, &places[main..]);
    let ascii_done = String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned());
    if ascii_done.is_ascii() { ascii_done } else { replace_foreign(randomness, family.purpose(), &ascii_done, value) }
}

/// Digits for digits in an ASCII number, under a purpose of the caller's.
pub(super) fn replace_digits(randomness: &Randomness, purpose: &str, digits: &str) -> String {
    let mut bytes = digits.as_bytes().to_vec();
    let places = lead_kept(&bytes, (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect());
    displace(randomness, purpose, &mut bytes, &places);
    String::from_utf8(bytes).unwrap_or_else(|_| digits.to_owned())
}

/// A social security number; its last four digits have the surrogate that they have alone.
pub(super) fn social_security(randomness: &Randomness, value: &str) -> String {
    let mut bytes = value.as_bytes().to_vec();
    let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
    let letters = value.chars().any(char::is_alphabetic);
    let Some(area) = digits.len().checked_sub(4).filter(|area| matches!(area, 0 | 5) && !letters) else {
        return replace(randomness, Family::Identifier, value);
    };
    let (area, serial) = digits.split_at(area);
    let purpose: String = serial.iter().map(|&at| char::from(bytes[at])).collect();
    let (area, serial) = (lead_kept(&bytes, area.to_vec()), lead_kept(&bytes, serial.to_vec()));
    displace(randomness, &format!("social security area before {purpose}"), &mut bytes, &area);
    displace(randomness, "social security serial", &mut bytes, &serial);
    String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned())
}

fn replace_foreign(randomness: &Randomness, purpose: &str, text: &str, original: &str) -> String {
    text.char_indices()
        .map(|(at, character)| {
            if character.is_ascii() {
                return character;
            }
            let draw = randomness.draw(purpose, [&at.to_be_bytes(), original.as_bytes()].concat().as_slice());
            scripts::replace(character, &draw).unwrap_or(character)
        })
        .collect()
}

fn places(family: Family, bytes: &[u8]) -> Vec<Place> {
    let digits = bytes.iter().any(u8::is_ascii_digit);
    let mut all = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if end > at {
            if !(digits && is_marker(bytes, at, end)) {
                all.extend(at..end);
            }
            at = end;
        } else {
            if bytes[at].is_ascii_digit() {
                all.push(at);
            }
            at += 1;
        }
    }
    if family == Family::Telephone { telephone(bytes, all) } else { lead_kept(bytes, all) }
}

fn is_marker(bytes: &[u8], start: usize, end: usize) -> bool {
    let length = end - start;
    let Some(word) = bytes.get(start..end).filter(|_| length <= LONGEST_MARKER) else {
        return false;
    };
    let attached = bytes.get(end).is_some_and(u8::is_ascii_digit) || (start > 0 && bytes[start - 1].is_ascii_digit());
    let word = word.to_ascii_lowercase();
    let extension = matches!(word.as_slice(), b"x" | b"ext");
    (extension || !attached) && MARKERS.iter().any(|marker| marker.as_bytes() == word)
}

/// Places of a code; where it is all digits, leading zeros stay and the first other digit does not become zero.
fn lead_kept(bytes: &[u8], all: Vec<usize>) -> Vec<Place> {
    let numeric = all.iter().all(|&at| bytes[at].is_ascii_digit());
    let zeros = all.iter().take_while(|&&at| bytes[at] == b'0').count();
    if !numeric || zeros == all.len() {
        return all.into_iter().map(|at| place(bytes, at, 0)).collect();
    }
    all.into_iter().skip(zeros).enumerate().map(|(index, at)| place(bytes, at, u8::from(index == 0))).collect()
}

/// Places of a telephone number: a leading country code 1 stays, area code and exchange keep a first digit from 2 to 9.
fn telephone(bytes: &[u8], all: Vec<usize>) -> Vec<Place> {
    let run = all.iter().take_while(|&&at| bytes[at].is_ascii_digit()).count();
    let main = before_extension(bytes, &all.iter().map(|&at| place(bytes, at, 0)).collect::<Vec<_>>());
    // Letters may spell digits: 1-800-FLOWERS.
    let number = if all.len() == 11 && main == 11 { 11 } else { main.min(run) };
    let skipped = usize::from(number == 11 && bytes[all[0]] == b'1');
    let starts: &[usize] = match number - skipped {
        10 => &[0, 3],
        7 => &[0],
        _ => &[],
    };
    all.iter()
        .enumerate()
        .skip(skipped)
        .map(|(index, &at)| {
            let first = starts.contains(&(index - skipped)) && (b'2'..=b'9').contains(&bytes[at]);
            place(bytes, at, if first { 2 } else { 0 })
        })
        .collect()
}

/// How many places come before the digits that follow an `ext` or `x`; all, where none does.
fn before_extension(bytes: &[u8], places: &[Place]) -> usize {
    let after_letter = |pair: &[Place]| {
        let between = bytes.get(pair[0].at + 1..pair[1].at).unwrap_or_default();
        bytes[pair[1].at].is_ascii_digit() && between.iter().any(u8::is_ascii_alphabetic)
    };
    places.windows(2).position(after_letter).map_or(places.len(), |index| index + 1)
}

pub(super) fn place(bytes: &[u8], at: usize, lowest: u8) -> Place {
    let radix = if bytes[at].is_ascii_digit() { 10 - lowest } else { 26 };
    Place { at, lowest, radix }
}

/// Displaces the number that the places of a text spell, chunk by chunk.
pub(super) fn displace(randomness: &Randomness, purpose: &str, bytes: &mut [u8], places: &[Place]) {
    let mut input: Vec<u8> = Vec::with_capacity(2 * places.len() + 8);
    let mut rest = places;
    while !rest.is_empty() {
        let (count, size) = chunk(rest);
        let (chunk, later) = rest.split_at(count);
        input.extend(chunk.iter().map(|place| place.radix));
        let draw = randomness.draw(purpose, &input);
        let number = chunk
            .iter()
            .fold(0_u128, |number, place| number * u128::from(place.radix) + u128::from(digit(bytes, *place)));
        input.extend_from_slice(&number.to_be_bytes());
        let mut image = randomness.displace(&draw, size, number);
        for place in chunk.iter().rev() {
            let radix = u128::from(place.radix);
            write(bytes, *place, (image % radix) as u8);
            image /= radix;
        }
        rest = later;
    }
}

/// How many places make the next chunk, and the number of values they have. What would be left over as a last chunk of
/// one or two places is no smaller for it: chunks are of equal length.
fn chunk(places: &[Place]) -> (usize, u128) {
    let mut size = 1_u128;
    let mut count = 0;
    for place in places {
        let larger = size * u128::from(place.radix);
        if larger > LARGEST {
            break;
        }
        size = larger;
        count += 1;
    }
    (count, size)
}

fn digit(bytes: &[u8], place: Place) -> u8 {
    match bytes[place.at] {
        digit @ b'0'..=b'9' => (digit - b'0').saturating_sub(place.lowest),
        letter => (letter | 0x20).saturating_sub(b'a'),
    }
}

fn write(bytes: &mut [u8], place: Place, digit: u8) {
    let written = &mut bytes[place.at];
    *written = match *written {
        b'0'..=b'9' => b'0' + place.lowest + digit,
        b'A'..=b'Z' => b'A' + digit,
        _ => b'a' + digit,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn randomness() -> Randomness {
        Randomness::new([9; 32])
    }

    fn form(text: &str) -> String {
        text.chars()
            .map(|character| match character {
                '0'..='9' => '9',
                'A'..='Z' => 'A',
                'a'..='z' => 'a',
                other => other,
            })
            .collect()
    }

    fn digits(text: &str) -> String {
        text.chars().filter(char::is_ascii_digit).collect()
    }

    #[test]
    fn writings_of_one_telephone_number_agree() {
        let randomness = randomness();
        let number = digits(&replace(&randomness, Family::Telephone, "(507) 555-0101"));
        for writing in ["507-555-0101", "507.555.0101", "5075550101", "507 555 0101"] {
            assert_eq!(digits(&replace(&randomness, Family::Telephone, writing)), number, "{writing}");
        }
        assert_eq!(digits(&replace(&randomness, Family::Telephone, "+1 507 555 0101")), format!("1{number}"));
        let extended = replace(&randomness, Family::Telephone, "507.555.0101 ext 4412");
        assert!(digits(&extended).starts_with(&number) && !extended.ends_with("4412"), "{extended}");
        assert!(!number.starts_with(['0', '1']) && !number[3..].starts_with(['0', '1']));
    }

    #[test]
    fn the_last_four_of_a_social_security_number_agree() {
        let whole = social_security(&randomness(), "123-45-6789");
        assert_eq!(whole[7..], social_security(&randomness(), "6789"));
        assert!(form(&whole) == "999-99-9999" && whole[..6] != *"123-45");
        assert_eq!(digits(&whole), social_security(&randomness(), "123456789"));
        assert_ne!(social_security(&randomness(), "xxx-xx-6789"), "xxx-xx-6789");
    }

    #[test]
    fn markers_beside_a_number_stay() {
        let extension = replace(&randomness(), Family::Telephone, "507-555-0101 ext. 4412");
        assert!(extension.contains(" ext. "), "{extension}");
        let record = replace(&randomness(), Family::Identifier, "MRN 1-12435");
        assert!(record.starts_with("MRN ") && form(&record) == "AAA 9-99999", "{record}");
        assert_ne!(replace(&randomness(), Family::Identifier, "MRN"), "MRN");
        let free = replace(&randomness(), Family::Telephone, "1-800-FLOWERS");
        assert!(free.starts_with("1-") && form(&free) == "9-999-AAAAAAA", "{free}");
    }

    proptest! {
        #[test]
        fn codes_keep_their_form_and_change(value in "[A-Za-z0-9]{1,90}([-/. ][A-Za-z0-9]{1,9}){0,4}") {
            let moved = replace(&randomness(), Family::Identifier, &value);
            prop_assert_ne!(&moved, &value);
            prop_assert_eq!(form(&moved), form(&value));
        }

        #[test]
        fn two_numbers_never_share_a_surrogate(left in 100_000_u32..999_999, right in 100_000_u32..999_999) {
            prop_assume!(left != right);
            let surrogate = |number: u32| replace(&randomness(), Family::Identifier, &number.to_string());
            prop_assert_ne!(surrogate(left), surrogate(right));
        }

        #[test]
        fn any_text_is_survived(value in "\\PC{0,40}") {
            for family in [Family::Identifier, Family::Telephone, Family::InternetAddress] {
                let moved = replace(&randomness(), family, &value);
                if value.chars().any(char::is_alphanumeric) {
                    prop_assert_ne!(moved, value.clone());
                }
            }
        }
    }
}
