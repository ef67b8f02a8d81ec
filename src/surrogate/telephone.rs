//! Telephone and fax numbers.
//!
//! ```text
//! changed   (507) 284-2511 → (934) 218-7760        kept   (507) 284-2511 → (507) 671-9034
//! state     (507) 284-2511 → (218) 671-9034
//! reserved  (507) 284-2511 → (934) 555-0160
//! ```

use std::collections::HashMap;
use std::sync::LazyLock;

use super::ids::{self, Family, Place, place, turn_until};
use super::markers::letters_and_digits;
use super::options::{AreaCodes, SurrogateOptions};
use super::parts;
use super::permutation::{Direction, Randomness};
use crate::phi::Label;

/// Area codes by state.
const AREA_CODES: &str = include_str!("data/area_codes.txt");

/// The surrogate of a telephone number.
pub(super) fn replace(randomness: &Randomness, options: SurrogateOptions, value: &str) -> String {
    let image = turn(randomness, Direction::Forth, options.area_codes, value);
    if options.reserved_numbers { reserved(randomness, value, &image) } else { image }
}

/// A telephone number, there or back; the numbers of [`SurrogateOptions::reserved_numbers`] have no way back.
pub(super) fn turn(randomness: &Randomness, direction: Direction, area_codes: AreaCodes, value: &str) -> String {
    let turned = |value: &str| turn_one(randomness, direction, area_codes, value);
    // What is read as one number never becomes what is read as several.
    turn_until(value, turned, |image| parts::of(Label::Phone, image).is_none())
}

fn turn_one(randomness: &Randomness, direction: Direction, area_codes: AreaCodes, value: &str) -> String {
    match area_codes {
        AreaCodes::Changed => ids::turn(randomness, direction, Family::Telephone, value),
        AreaCodes::Kept => ids::turn(randomness, direction, Family::LocalTelephone, value),
        AreaCodes::State => {
            let moved = ids::turn(randomness, direction, Family::LocalTelephone, value);
            turn_area_code(randomness, direction, &moved).unwrap_or(moved)
        }
    }
}

/// The number with another area code of the same state; nothing where it has none that is known.
fn turn_area_code(randomness: &Randomness, direction: Direction, value: &str) -> Option<String> {
    let mut bytes = value.as_bytes().to_vec();
    let places = area_code(&bytes, &dialled(&bytes));
    let code: Vec<u8> = places.iter().map(|&at| bytes[at]).collect();
    let state = *CODES.states.get(code.as_slice())?;
    let (name, codes) = &CODES.by_state[state];
    let from = codes.iter().position(|known| **known == *code)?;
    // A state with a single code keeps it; the rest of the number has changed.
    if codes.len() > 1 {
        let draw = randomness.draw("area codes", name.as_bytes());
        let moved = randomness.turn(direction, &draw, codes.len() as u128, from as u128) as usize;
        places.iter().zip(codes[moved]).for_each(|(&at, &digit)| bytes[at] = digit);
    }
    String::from_utf8(bytes).ok()
}

/// Area codes of calls that cost nobody anything.
const FREE: [&[u8]; 7] = [b"800", b"833", b"844", b"855", b"866", b"877", b"888"];

/// Moves an area code to another one, there or back: those of free calls among themselves.
pub(super) fn turn_area(randomness: &Randomness, direction: Direction, bytes: &mut [u8], places: &[Place]) {
    let free =
        |bytes: &[u8]| FREE.iter().position(|code| places.iter().map(|place| bytes[place.at]).eq(code.iter().copied()));
    if let Some(from) = free(bytes) {
        let draw = randomness.draw("free area codes", b"");
        let to = FREE[randomness.turn(direction, &draw, FREE.len() as u128, from as u128) as usize];
        places.iter().zip(to).for_each(|(place, &digit)| bytes[place.at] = digit);
        return;
    }
    // A walk through all codes meets one that is not free before it is through.
    loop {
        ids::turn_places(randomness, direction, "area code", bytes, places);
        if places.is_empty() || free(bytes).is_none() {
            return;
        }
    }
}

/// The zeros before an area code, or before the code of a country, and the digits that a number has at least that begins so.
const MOST_ZEROS: usize = 2;
const LEAST_WITH_ZEROS: usize = 9;

/// The area codes of each state, and the state of each.
struct Codes {
    by_state: Vec<(&'static str, Vec<&'static [u8]>)>,
    states: HashMap<&'static [u8], usize>,
}

static CODES: LazyLock<Codes> = LazyLock::new(|| {
    let lines = AREA_CODES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
    let by_state: Vec<(&str, Vec<&[u8]>)> =
        lines.map(|(state, codes)| (state, codes.split_whitespace().map(str::as_bytes).collect())).collect();
    let numbered = by_state.iter().enumerate();
    let states = numbered.flat_map(|(state, (_, codes))| codes.iter().map(move |&code| (code, state))).collect();
    Codes { by_state, states }
});

/// A number with an exchange and a line that nobody has, where it has so many digits; the last two are those of `image`.
fn reserved(randomness: &Randomness, value: &str, image: &str) -> String {
    let Some(local) = local_digits(image.as_bytes()) else {
        return image.to_owned();
    };
    let mut bytes = image.as_bytes().to_vec();
    local.iter().zip(*b"55501").for_each(|(&at, digit)| bytes[at] = digit);
    let [tens, units] = [local[5], local[6]];
    if bytes == value.as_bytes() {
        let line = (bytes[tens] - b'0') * 10 + bytes[units] - b'0';
        let moved = randomness.displace(&randomness.draw("reserved line", b""), 100, u128::from(line)) as u8;
        (bytes[tens], bytes[units]) = (b'0' + moved / 10, b'0' + moved % 10);
    }
    String::from_utf8(bytes).unwrap_or_else(|_| image.to_owned())
}

/// The letters and digits of a number, without the zero in brackets that is dialled within the country only: `+44 (0)20 7946 0958`.
pub(super) fn dialled(bytes: &[u8]) -> Vec<usize> {
    let mut all = letters_and_digits(bytes);
    if let Some(bracket) = bytes.windows(3).position(|part| part == b"(0)").filter(|_| bytes.starts_with(b"+")) {
        all.retain(|&at| at != bracket + 1);
    }
    all
}

/// Places of a telephone number: a leading country code 1 stays, as do 001 and the zeros that most countries write before an area code (ITU-T E.123);
/// area code and exchange keep a first digit from 2 to 9.
pub(super) fn places(bytes: &[u8], all: &[usize]) -> Vec<Place> {
    let (skipped, digits) = national_number(bytes, all);
    let starts: &[usize] = match digits {
        10 => &[0, 3],
        7 => &[0],
        // `507-555` of `507-555-XXXX`: what is masked is no part of the value.
        6 if all.len() == 6 && all[2] + 1 < all[3] && all[5] == all[3] + 2 && all[2] == all[0] + 2 => &[0, 3],
        _ => &[],
    };
    let zeros = all.iter().take(MOST_ZEROS).take_while(|&&at| bytes[at] == b'0').count();
    let kept = if digits >= LEAST_WITH_ZEROS { skipped.max(zeros) } else { skipped };
    all.iter()
        .enumerate()
        .skip(kept)
        .map(|(index, &at)| {
            let first = starts.contains(&(index - skipped)) && (b'2'..=b'9').contains(&bytes[at]);
            place(bytes, at, if first { 2 } else { 0 })
        })
        .collect()
}

/// How many of the letters and digits are a country code 1, or 001, and how many after it are the number.
fn national_number(bytes: &[u8], all: &[usize]) -> (usize, usize) {
    let run = all.iter().take_while(|&&at| bytes[at].is_ascii_digit()).count();
    let main = before_extension(bytes, &all.iter().map(|&at| place(bytes, at, 0)).collect::<Vec<_>>());
    // Letters may spell digits: 1-800-FLOWERS.
    let number = if all.len() == 11 && main == 11 { 11 } else { main.min(run) };
    let begins = |code: &[u8]| all.iter().zip(code).all(|(&at, digit)| bytes[at] == *digit);
    let skipped = match number {
        11 if begins(b"1") => 1,
        13 if begins(b"001") => 3,
        _ => 0,
    };
    (skipped, number - skipped)
}

/// Where the digits of an area code are; nowhere in a number without one.
pub(super) fn area_code(bytes: &[u8], all: &[usize]) -> Vec<usize> {
    let (skipped, digits) = national_number(bytes, all);
    if digits == 10 { all[skipped..skipped + 3].to_vec() } else { Vec::new() }
}

/// Where the seven digits after the area code are, in a number of ten or seven digits.
fn local_digits(bytes: &[u8]) -> Option<[usize; 7]> {
    let all: Vec<usize> = dialled(bytes).into_iter().filter(|&at| bytes[at].is_ascii_digit()).collect();
    let (skipped, digits) = national_number(bytes, &all);
    let start = match digits {
        10 => skipped + 3,
        7 => skipped,
        _ => return None,
    };
    all.get(start..start + 7)?.try_into().ok()
}

/// How many places come before the digits that follow an `ext` or `x`; all, where none does.
pub(super) fn before_extension(bytes: &[u8], places: &[Place]) -> usize {
    let after_letter = |pair: &[Place]| {
        let between = bytes.get(pair[0].at + 1..pair[1].at).unwrap_or_default();
        bytes[pair[1].at].is_ascii_digit() && between.iter().any(u8::is_ascii_alphabetic)
    };
    places.windows(2).position(after_letter).map_or(places.len(), |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(area_codes: AreaCodes, reserved_numbers: bool, value: &str) -> String {
        let options = SurrogateOptions { area_codes, reserved_numbers, ..SurrogateOptions::default() };
        replace(&Randomness::new([6; 32]), options, value)
    }

    #[test]
    fn area_codes_stay_where_they_are_to_stay() {
        for value in ["(507) 284-2511", "507-284-2511", "1-507-284-2511", "+1 507 284 2511 x 12"] {
            let image = replaced(AreaCodes::Kept, false, value);
            assert!(image.contains("507") && !image.contains("284") && image.len() == value.len(), "{image}");
            assert!(!replaced(AreaCodes::Changed, false, value).contains("507"));
        }
        assert_ne!(replaced(AreaCodes::Kept, false, "284-2511"), "284-2511");
        assert_ne!(replaced(AreaCodes::Kept, false, "x4-1234"), "x4-1234");
    }

    #[test]
    fn letters_that_become_shorter_move_no_digit() {
        let image = replaced(AreaCodes::Changed, true, "ᶎᶎ5550101");
        assert!(image.contains("55501"), "{image}");
    }

    #[test]
    fn a_zero_that_is_dialled_at_home_only_stays_and_a_masked_line_keeps_its_form() {
        for seed in 0..40 {
            let replaced = |value: &str| replace(&Randomness::new([seed; 32]), SurrogateOptions::default(), value);
            let image = replaced("+44 (0)20 7946 0958");
            assert_eq!(image.replace("(0)", ""), replaced("+44 20 7946 0958"));
            let image = replaced("507-555");
            assert!([0, 4].iter().all(|&at| image.as_bytes()[at] >= b'2'), "{image}");
        }
    }

    #[test]
    fn zeros_before_an_area_code_stay() {
        for (value, begins) in
            [("020 7946 0958", "0"), ("0161 496 0123", "0"), ("0044 20 7946 0958", "00"), ("06 12 34 56 78", "0")]
        {
            let image = replaced(AreaCodes::Changed, false, value);
            assert!(image.starts_with(begins) && image != value && image.len() == value.len(), "{image}");
            assert_eq!(turn(&Randomness::new([6; 32]), Direction::Back, AreaCodes::Changed, &image), value);
        }
        // No other number begins like them.
        for line in 100..400 {
            let image = replaced(AreaCodes::Changed, false, &format!("44 20 7946 0{line}"));
            assert!(!image.starts_with('0'), "{image}");
        }
    }

    #[test]
    fn area_codes_stay_in_their_state() {
        let minnesota = ["218", "320", "507", "612", "651", "763", "924", "952"];
        for value in ["(507) 284-2511", "507-284-2511", "1-507-284-2511", "+1 507 284 2511 x 12"] {
            let image = replaced(AreaCodes::State, false, value);
            let codes: Vec<&str> = minnesota.into_iter().filter(|code| image.contains(code)).collect();
            assert!(codes.len() == 1 && codes != ["507"] && !image.contains("284"), "{value} {image}");
            assert_eq!(turn(&Randomness::new([6; 32]), Direction::Back, AreaCodes::State, &image), value);
        }
        // Alaska has one, 999 is none, and numbers for toll-free calls stay such ones.
        assert!(replaced(AreaCodes::State, false, "907-284-2511").starts_with("907-"));
        assert!(replaced(AreaCodes::State, false, "999-284-2511").starts_with("999-"));
        let toll_free = replaced(AreaCodes::State, false, "800-284-2511");
        assert!(toll_free.starts_with('8') && !toll_free.starts_with("800"), "{toll_free}");
        assert_ne!(replaced(AreaCodes::State, false, "284-2511"), "284-2511");
    }

    #[test]
    fn every_area_code_becomes_another_of_its_state_and_none_twice() {
        let randomness = Randomness::new([9; 32]);
        let mut images = std::collections::HashSet::new();
        let all: usize = CODES.by_state.iter().map(|(_, codes)| codes.len()).sum();
        assert_eq!(CODES.states.len(), all);
        for (state, (_, codes)) in CODES.by_state.iter().enumerate() {
            for code in codes {
                let code = std::str::from_utf8(code).unwrap();
                assert!(
                    code.len() == 3 && code.as_bytes()[0] >= b'2' && code.bytes().all(|byte| byte.is_ascii_digit())
                );
                let image = turn_area_code(&randomness, Direction::Forth, &format!("{code}-555-0100")).unwrap();
                assert_eq!(CODES.states.get(&image.as_bytes()[..3]), Some(&state));
                assert!(codes.len() == 1 || !image.starts_with(code));
                assert!(images.insert(image));
            }
        }
    }

    #[test]
    fn a_number_is_in_step_with_and_without_its_area_code() {
        for seed in 0..20 {
            let replaced = |value: &str| replace(&Randomness::new([seed; 32]), SurrogateOptions::default(), value);
            assert_eq!(replaced("(507) 284-2511")[6..], replaced("284-2511"));
            assert_eq!(replaced("507-284-2511")[..3], replaced("507-773-1190")[..3]);
            let is_free = |value: &str| FREE.contains(&&replaced(value).as_bytes()[..3]);
            assert!(is_free("800-284-2511") && is_free("888-284-2511") && !is_free("507-284-2511"));
        }
    }

    #[test]
    fn a_country_code_in_front_changes_nothing() {
        for area_codes in [AreaCodes::Changed, AreaCodes::State, AreaCodes::Kept] {
            let number = replaced(area_codes, false, "507 284 2511");
            for code in ["1 ", "+1 ", "001 "] {
                let value = format!("{code}507 284 2511");
                let image = replaced(area_codes, false, &value);
                assert_eq!(image, format!("{code}{number}"));
                assert_eq!(turn(&Randomness::new([6; 32]), Direction::Back, area_codes, &image), value);
            }
        }
    }

    #[test]
    fn reserved_numbers_are_nobodys() {
        for value in ["(507) 284-2511", "507.284.2511 ext 12", "284-2511", "(507) 555-0101"] {
            let image = replaced(AreaCodes::Changed, true, value);
            assert!(image != value && (image.contains("555-01") || image.contains("555.01")), "{image}");
        }
        let kept = replaced(AreaCodes::Kept, true, "(507) 555-0101");
        assert!(kept.starts_with("(507) 555-01") && kept != "(507) 555-0101", "{kept}");
        assert_ne!(replaced(AreaCodes::Changed, true, "911"), "911");
    }
}
