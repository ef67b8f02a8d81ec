//! Numbers and codes: other digits and letters in the same form.
//!
//! ```text
//! (507) 555-0101 → (934) 218-7760     507.555.0101 → 934.218.7760     6TR-435 → 7TH-129     8.0.12.7 → 4.3.55.1
//! └ separators and case are form, digits and letters together are one number in mixed radix, which is displaced ┘
//! ```
//!
//! Two writings of one number therefore have surrogates of one number.

use smallvec::SmallVec;

use super::internet;
use super::markers::{VEHICLE_MARKERS, letters_and_digits, without_markers};
use super::permutation::{Direction, Randomness};
use super::{parts, radix, scripts, telephone};
use crate::phi::Label;

/// Which range a code is displaced in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Record numbers, accounts, licences, serial numbers, user names: all share one map, as labels of numbers are
    /// often confused.
    Identifier,
    /// Plates and numbers of vehicles: the same map, but `JOB 123` is a plate of which no letters stay.
    Vehicle,
    /// Telephone, fax and pager numbers.
    Telephone,
    /// Telephone numbers whose area code stays.
    LocalTelephone,
    /// Postal codes that no list holds.
    PostalCode,
    /// Internet protocol addresses.
    InternetAddress,
    /// Numbers inside addresses and names of places.
    Place,
}

impl Family {
    const fn is_telephone(self) -> bool {
        matches!(self, Self::Telephone | Self::LocalTelephone)
    }

    const fn purpose(self) -> &'static str {
        match self {
            Self::Identifier | Self::Vehicle => "identifier",
            Self::Telephone => "telephone",
            Self::LocalTelephone => "local telephone",
            Self::PostalCode => "postal code",
            Self::InternetAddress => "internet address",
            Self::Place => "place number",
        }
    }
}

/// One place of a code: a digit of the number in mixed radix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The byte.
    pub at: usize,
    /// The lowest digit it may become.
    pub lowest: u8,
    /// How many digits or letters it may become.
    pub radix: u8,
}

/// As many things as most codes have letters and digits.
type Code<T> = SmallVec<[T; 24]>;

/// What stays of a code: which of its places move, and how far each may.
#[derive(Debug, PartialEq, Eq)]
struct Form {
    places: Vec<Place>,
    /// Places of the main number; an extension is a number of its own.
    main: usize,
    /// Those of the area code of a telephone number: it moves by itself, so that the rest becomes what it does where it is written alone.
    area: Vec<usize>,
    /// Whether it reads as a vehicle's number.
    of_vehicle: bool,
}

/// How often a code may be moved on in search of one of its own form. Of the codes of one shape the form of a telephone number that
/// begins like none is the rarest, one in 25.
const MOST_STEPS: usize = 2_000;

/// The surrogate of a number or code: same length, same separators, digits for digits, letters for letters.
pub(super) fn replace(randomness: &Randomness, family: Family, value: &str) -> String {
    turn(randomness, Direction::Forth, family, value)
}

/// The surrogate of a number or code, or the original of a surrogate.
///
/// A code is moved on until the image reads as one of its own form, so that no image is taken for the image of another form: a code
/// `AB 12` never becomes `ID 47`, where `ID` would be a word beside a number.
pub(super) fn turn(randomness: &Randomness, direction: Direction, family: Family, value: &str) -> String {
    if family == Family::InternetAddress
        && let Some(address) = internet::turn(randomness, direction, value)
    {
        return address;
    }
    let mut bytes = value.as_bytes().to_vec();
    let form = Form::of(family, &bytes);
    let (area, rest): (Code<Place>, Code<Place>) =
        form.places[..form.main].iter().copied().partition(|place: &Place| form.area.contains(&place.at));
    for _ in 0..MOST_STEPS {
        telephone::turn_area(randomness, direction, &mut bytes, &area);
        turn_places(randomness, direction, family.purpose(), &mut bytes, &rest);
        turn_places(randomness, direction, "telephone extension", &mut bytes, &form.places[form.main..]);
        // Digits alone of a code that is no telephone number keep their form by construction.
        if form.is_kept(family, &bytes) {
            break;
        }
    }
    let ascii_done = String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned());
    if ascii_done.is_ascii() { ascii_done } else { turn_foreign(randomness, direction, family.purpose(), &ascii_done) }
}

/// Digits for digits in an ASCII number, under a purpose of the caller's.
pub(super) fn replace_digits(randomness: &Randomness, purpose: &str, digits: &str) -> String {
    turn_digits(randomness, Direction::Forth, purpose, digits)
}

/// [`replace_digits`], there or back.
pub(super) fn turn_digits(randomness: &Randomness, direction: Direction, purpose: &str, digits: &str) -> String {
    let mut bytes = digits.as_bytes().to_vec();
    let places = lead_kept(&bytes, (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect());
    turn_places(randomness, direction, purpose, &mut bytes, &places);
    String::from_utf8(bytes).unwrap_or_else(|_| digits.to_owned())
}

/// A social security number; its last four digits have the surrogate that they have alone, or behind a mask: `XXX-XX-6789`.
pub(super) fn social_security(randomness: &Randomness, direction: Direction, value: &str) -> String {
    let Some((area, serial)) = area_and_serial(value) else {
        // No other code becomes such a number, or several.
        let turned = |value: &str| turn(randomness, direction, Family::Identifier, value);
        let is_code = |image: &str| area_and_serial(image).is_none() && parts::of(Label::Ssn, image).is_none();
        return turn_until(value, turned, is_code);
    };
    let mut bytes = value.as_bytes().to_vec();
    let written = |bytes: &[u8]| serial.iter().map(|&at| char::from(bytes[at])).collect::<String>();
    let before = written(&bytes);
    let places = lead_kept(value.as_bytes(), serial.clone());
    turn_places(randomness, direction, "social security serial", &mut bytes, &places);
    let original = if direction == Direction::Forth { before } else { written(&bytes) };
    let purpose = format!("social security area before {original}");
    let places = lead_kept(value.as_bytes(), area.clone());
    let issued = is_issued(&bytes, &area);
    // A number that somebody may have becomes another such one: the others would tell that they are surrogates.
    for _ in 0..MOST_STEPS {
        turn_places(randomness, direction, &purpose, &mut bytes, &places);
        if is_issued(&bytes, &area) == issued {
            break;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned())
}

/// Whether the first five digits are of numbers that are given to people: the areas 000, 666 and from 900 on and the group 00 are not (Social
/// Security Administration, POMS RM 10201.035).
fn is_issued(bytes: &[u8], area: &[usize]) -> bool {
    let digits: Vec<u8> = area.iter().map(|&at| bytes[at]).collect();
    match digits.split_at_checked(3) {
        Some((area, group)) => area != b"000" && area != b"666" && area[0] != b'9' && group != b"00",
        None => true,
    }
}

/// Where the first five digits of a social security number are and where the last four: of the last four alone there may be no others,
/// or letters of a mask. Nothing for other codes.
fn area_and_serial(value: &str) -> Option<(Vec<usize>, Vec<usize>)> {
    if value.chars().any(|character| !character.is_ascii() && character.is_alphanumeric()) {
        return None;
    }
    let bytes = value.as_bytes();
    let (mut digits, letters): (Vec<usize>, Vec<usize>) =
        letters_and_digits(bytes).into_iter().partition(|&at| bytes[at].is_ascii_digit());
    let masked = letters.iter().all(|&at| bytes[at].eq_ignore_ascii_case(&b'x'));
    let is_area = |&area: &usize| area == 0 && masked || area == 5 && letters.is_empty();
    let area = digits.len().checked_sub(4).filter(is_area)?;
    let serial = digits.split_off(area);
    Some((digits, serial))
}

/// The surrogate of a code of a label, or the original of one: what is read as one code never becomes what is read as several.
pub(super) fn turn_one(
    randomness: &Randomness,
    direction: Direction,
    family: Family,
    label: Label,
    value: &str,
) -> String {
    let turned = |value: &str| turn(randomness, direction, family, value);
    turn_until(value, turned, |image| parts::of(label, image).is_none())
}

/// Moves a value on until it is where it may be; as often as it takes on a cycle through all of its form.
pub(super) fn turn_until(value: &str, turn: impl Fn(&str) -> String, may_be: impl Fn(&str) -> bool) -> String {
    let mut image = turn(value);
    for _ in 0..10_000 {
        if may_be(&image) {
            break;
        }
        image = turn(&image);
    }
    image
}

/// Characters outside ASCII, each moved under a draw of the original ones before it, so that they can be undone in order, where any can be.
fn turn_foreign(randomness: &Randomness, direction: Direction, purpose: &str, text: &str) -> String {
    let mut originals = String::new();
    text.chars()
        .map(|character| {
            if character.is_ascii() {
                return character;
            }
            let draw = randomness.draw(purpose, &scripts::drawn_by(originals.as_bytes(), character));
            let moved = scripts::turn(direction, character, &draw).unwrap_or(character);
            originals.push(if direction == Direction::Forth { character } else { moved });
            moved
        })
        .collect()
}

impl Form {
    fn of(family: Family, bytes: &[u8]) -> Self {
        let places = places(family, bytes);
        // With or without its extension, a main number has one surrogate.
        let main = if family.is_telephone() { telephone::before_extension(bytes, &places) } else { places.len() };
        let area = match family {
            Family::Telephone => telephone::area_code(bytes, &telephone::dialled(bytes)),
            _ => Vec::new(),
        };
        let of_vehicle = is_vehicle(bytes, &places);
        Self { places, main, area, of_vehicle }
    }

    fn is_kept(&self, family: Family, image: &[u8]) -> bool {
        let letters = self.places.iter().any(|place| image[place.at].is_ascii_alphabetic());
        (!family.is_telephone() && !letters) || Self::of(family, image) == *self
    }
}

fn places(family: Family, bytes: &[u8]) -> Vec<Place> {
    let all = match family {
        Family::Vehicle => without_markers(bytes, VEHICLE_MARKERS),
        Family::Telephone | Family::LocalTelephone => telephone::dialled(bytes),
        _ => letters_and_digits(bytes),
    };
    match family {
        Family::Telephone => telephone::places(bytes, &all),
        Family::LocalTelephone => {
            let area = telephone::area_code(bytes, &all);
            telephone::places(bytes, &all).into_iter().filter(|place| !area.contains(&place.at)).collect()
        }
        Family::Place => match all.as_slice() {
            // No room is the zeroth.
            [only] if bytes[*only].is_ascii_digit() && bytes[*only] != b'0' => vec![place(bytes, *only, 1)],
            _ => lead_kept(bytes, all),
        },
        _ => lead_kept(bytes, all),
    }
}

/// Places of a code; where it is all digits, leading zeros stay and the first other digit does not become zero. Zeros alone are one
/// form with those of which only the last digit is none.
fn lead_kept(bytes: &[u8], all: Vec<usize>) -> Vec<Place> {
    let numeric = all.iter().all(|&at| bytes[at].is_ascii_digit());
    if !numeric || all.is_empty() {
        let hexadecimal = hexadecimal_length(bytes);
        return all
            .into_iter()
            .map(|at| match bytes[at].is_ascii_digit() || at >= hexadecimal {
                true => place(bytes, at, 0),
                false => Place { radix: 6, ..place(bytes, at, 0) },
            })
            .collect();
    }
    let last = all.len() - 1;
    let zeros = all.iter().take_while(|&&at| bytes[at] == b'0').count().min(last);
    let lowest = |index: usize| u8::from(index == zeros && index < last);
    all.into_iter().enumerate().skip(zeros).map(|(index, at)| place(bytes, at, lowest(index))).collect()
}

/// Seventeen letters and digits, none of them I, O or Q (ISO 3779), however they are written.
fn is_vehicle(bytes: &[u8], places: &[Place]) -> bool {
    const LENGTH: usize = 17;
    let fits = |place: &Place| !matches!(bytes[place.at].to_ascii_uppercase(), b'I' | b'O' | b'Q');
    places.len() == LENGTH && places.iter().all(fits)
}

/// `1f0c4c1e-8a53-4d6a-9d0b-2f6b1a7e9c55`: its letters are digits too, from `a` to `f` (RFC 9562).
fn is_uuid(bytes: &[u8]) -> bool {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match HYPHENS.contains(&at) {
            true => *byte == b'-',
            false => byte.is_ascii_hexdigit(),
        })
}

/// `fe80::1c4a/64`, `00:1B:44:11:3A:B7`, `00-1b-44-11-3a-b7`: groups of hexadecimal digits, as addresses in networks are written (RFC 4291,
/// IEEE 802), or the whole of a UUID. How many bytes of a code are of that kind; none of other codes.
fn hexadecimal_length(bytes: &[u8]) -> usize {
    let address = bytes.split(|&byte| matches!(byte, b'/' | b'%')).next().unwrap_or(bytes);
    let groups_at = |mark: u8| address.split(move |&byte| byte == mark);
    let are_groups = |mark: u8, lengths: std::ops::RangeInclusive<usize>| {
        groups_at(mark).all(|group| lengths.contains(&group.len()) && group.iter().all(u8::is_ascii_hexdigit))
    };
    let is_address = match (groups_at(b':').count(), groups_at(b'-').count()) {
        (3..=9, 1) => are_groups(b':', 0..=4),
        (1, 6 | 8) => are_groups(b'-', 2..=2),
        _ => is_uuid(bytes),
    };
    if is_address { address.len() } else { 0 }
}

pub(super) fn place(bytes: &[u8], at: usize, lowest: u8) -> Place {
    let radix = if bytes[at].is_ascii_digit() { 10 - lowest } else { 26 };
    Place { at, lowest, radix }
}

/// Moves the number that the places of a text spell, there or back.
pub(super) fn turn_places(
    randomness: &Randomness,
    direction: Direction,
    purpose: &str,
    bytes: &mut [u8],
    places: &[Place],
) {
    if places.is_empty() {
        return;
    }
    let radices: Code<u8> = places.iter().map(|place| place.radix).collect();
    let mut digits: Code<u8> = places.iter().map(|place| digit(bytes, *place)).collect();
    radix::turn(randomness, direction, purpose, &radices, &mut digits);
    places.iter().zip(digits).for_each(|(place, digit)| write(bytes, *place, digit));
}

fn digit(bytes: &[u8], place: Place) -> u8 {
    let digit = match bytes[place.at] {
        digit @ b'0'..=b'9' => (digit - b'0').saturating_sub(place.lowest),
        letter => (letter | 0x20).saturating_sub(b'a'),
    };
    digit.min(place.radix - 1)
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
    fn a_uuid_becomes_a_uuid() {
        for value in ["1f0c4c1e-8a53-4d6a-9d0b-2f6b1a7e9c55", "1F0C4C1E-8A53-4D6A-9D0B-2F6B1A7E9C55"] {
            let image = turn(&randomness(), Direction::Forth, Family::Identifier, value);
            assert!(is_uuid(image.as_bytes()) && image != value && form(&image) == form(value), "{image}");
            assert_eq!(turn(&randomness(), Direction::Back, Family::Identifier, &image), value);
        }
    }

    #[test]
    fn a_vehicles_number_becomes_one_and_a_number_of_a_person_one_of_a_person() {
        for seed in 0..60 {
            let randomness = Randomness::new([seed; 32]);
            let back = |image: &str| turn(&randomness, Direction::Back, Family::Identifier, image);
            let forth = |family, value: &str| turn(&randomness, Direction::Forth, family, value);
            let image = forth(Family::Identifier, "1HGCM82633A004352");
            assert!(!image.contains(['I', 'O', 'Q']) && back(&image) == "1HGCM82633A004352", "{image}");
            let marked = forth(Family::Vehicle, "VIN 1HGCM82633A004352");
            assert!(!marked.strip_prefix("VIN ").unwrap().contains(['I', 'O', 'Q']), "{marked}");
            assert_eq!(forth(Family::Identifier, "1hgcm826-33a004352").replace('-', "").to_uppercase(), image);
            for (value, issued) in [("412-55-6789", true), ("412556789", true), ("987-65-4321", false)] {
                let image = social_security(&randomness, Direction::Forth, value);
                let (area, _) = area_and_serial(&image).unwrap();
                assert!(image != value && is_issued(image.as_bytes(), &area) == issued, "{image}");
                assert_eq!(social_security(&randomness, Direction::Back, &image), value);
            }
        }
    }

    #[test]
    fn addresses_in_networks_stay_hexadecimal() {
        for value in [
            "fe80::1",
            "2001:db8::8a2e:370:7334",
            "fe80::1c4a/64",
            "fe80::1c4a%eth0",
            "00:1B:44:11:3A:B7",
            "00-1b-44-11-3a-b7",
        ] {
            for family in [Family::InternetAddress, Family::Identifier] {
                let image = turn(&randomness(), Direction::Forth, family, value);
                assert_eq!(hexadecimal_length(image.as_bytes()), hexadecimal_length(value.as_bytes()));
                assert!(image != value && form(&image) == form(value), "{image}");
                assert_eq!(turn(&randomness(), Direction::Back, family, &image), value);
            }
        }
        for value in ["ab:cg:12", "7:30", "a-b-c-d-e-f", "AB 12:34"] {
            assert_eq!(hexadecimal_length(value.as_bytes()), 0, "{value}");
        }
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
        let whole = social_security(&randomness(), Direction::Forth, "123-45-6789");
        assert_eq!(whole[7..], social_security(&randomness(), Direction::Forth, "6789"));
        assert!(form(&whole) == "999-99-9999" && whole[..6] != *"123-45");
        assert_eq!(digits(&whole), social_security(&randomness(), Direction::Forth, "123456789"));
        for (mask, start) in [("xxx-xx-6789", "xxx-xx-"), ("XXX-XX-6789", "XXX-XX-"), ("***-**-6789", "***-**-")] {
            let masked = social_security(&randomness(), Direction::Forth, mask);
            assert_eq!(masked, format!("{start}{}", &whole[7..]));
            assert_eq!(social_security(&randomness(), Direction::Back, &masked), mask);
        }
        assert_eq!(social_security(&randomness(), Direction::Forth, "SSN: 123-45-6789"), format!("SSN: {whole}"));
        let code = social_security(&randomness(), Direction::Forth, "XXX-XY-6789");
        assert!(form(&code) == "AAA-AA-9999" && !code.starts_with("XXX-"), "{code}");
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

    #[test]
    fn no_half_of_a_plate_stays() {
        for plate in ["HAR 123", "JOB 123", "FIN 456", "REF-777", "X 1234"] {
            let moved = replace(&randomness(), Family::Vehicle, plate);
            assert!(form(&moved) == form(plate) && moved.split([' ', '-']).next() != plate.split([' ', '-']).next());
            assert_eq!(turn(&randomness(), Direction::Back, Family::Vehicle, &moved), plate);
        }
        assert!(replace(&randomness(), Family::Vehicle, "VIN 1HGCM82633A004352").starts_with("VIN "));
        let (plate, code) = ("6TR-435", replace(&randomness(), Family::Identifier, "6TR-435"));
        assert_eq!(replace(&randomness(), Family::Vehicle, plate), code);
    }

    proptest! {
        #[test]
        fn codes_keep_their_form_and_change(value in "[A-Za-z0-9]{1,90}([-/. ][A-Za-z0-9]{1,9}){0,4}") {
            let moved = replace(&randomness(), Family::Identifier, &value);
            prop_assert_ne!(&moved, &value);
            prop_assert_eq!(form(&moved), form(&value));
            prop_assert_eq!(turn(&randomness(), Direction::Back, Family::Identifier, &moved), value);
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
