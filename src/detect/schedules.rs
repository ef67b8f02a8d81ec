//! Weekdays of a dosing schedule, which are no identifiers and no names either.
//!
//! ```text
//! "10 mg [Tu]/Th/Sat"   a schedule: neither Mr. Tu nor a day      "Mr. [Tu] came"   a name      "in the ED [Sat]/Sun"   days
//! ```

use super::listed::listed;

/// How a weekday is written in a schedule.
const DAYS: &str = "m mo mon t tu tue tues w we wed th thu thur thurs r f fr fri s sa sat su sun";
/// The longest schedule: all seven days.
const LONGEST: usize = 40;

/// Whether a part of a text is one of the weekdays of a schedule: three or more with strokes or hyphens between, or two of which one is
/// written so short as only schedules do.
pub(super) fn is_weekday(before: &str, inside: &str, after: &str) -> bool {
    let joint = |c: char| matches!(c, '/' | '-');
    if !(before.ends_with(joint) || after.starts_with(joint)) || !inside.is_ascii() || inside.len() > LONGEST {
        return false;
    }
    let letter = |c: &char| c.is_ascii_alphabetic() || joint(*c);
    let begun = before.chars().rev().take(LONGEST).take_while(letter).count();
    let ended = after.chars().take(LONGEST).take_while(letter).count();
    // Letters and joints of ASCII only, so that they are as many bytes.
    let (left, right) = (&before[before.len() - begun..], &after[..ended]);
    let goes_on = |c: char| c.is_alphanumeric();
    if before[..before.len() - begun].ends_with(goes_on) || after[ended..].starts_with(goes_on) {
        return false;
    }
    let whole = [left, inside, right].concat();
    let days: Vec<&str> = whole.split(joint).collect();
    let short = days.iter().any(|day| day.len() <= 2);
    days.iter().all(|day| listed!(day, DAYS)) && (days.len() > 2 || days.len() == 2 && short && whole.contains('/'))
}

/// Whether a part of a text is a weekday with its date behind it: `[Thu] 01/01/2015`, `[Sun], Jan 4`.
pub(super) fn is_before_date(inside: &str, after: &str) -> bool {
    let date = after.trim_start_matches(['.', ',']).trim_start_matches(' ');
    let digits = date.bytes().take_while(u8::is_ascii_digit).count();
    let letters = date.bytes().take_while(u8::is_ascii_alphabetic).count();
    let behind = &date[letters..];
    let day = || behind.trim_start_matches(['.', ' ']).starts_with(|c: char| c.is_ascii_digit());
    let numbers = matches!(digits, 1 | 2 | 4) && date[digits..].starts_with(['/', '-']);
    date.len() < after.len()
        && listed!(inside, "mon tue tues wed thu thur thurs fri sat sun")
        && (numbers
            || listed!(
                &date[..letters],
                "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september october \
                 november december"
            ) && day())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_scheduled(marked: &str) -> bool {
        let (before, rest) = marked.split_once('[').unwrap();
        let (inside, after) = rest.split_once(']').unwrap();
        is_weekday(before, inside, after)
    }

    #[test]
    fn the_days_of_a_schedule() {
        for text in [
            "10 mg [Tu]/Th/Sat, #30",
            "10 mg Tu/Th/[Sat] PRN",
            "HD M/[W]/F",
            "[MO]/WE/FR",
            "PT [Tu]/Th",
            "Epogen M-[W]-F",
            "[Tu/Th]/Sat",
        ] {
            assert!(is_scheduled(text), "{text}");
        }
    }

    #[test]
    fn names_and_days_that_stand_for_themselves() {
        for text in [
            "Mr. [Tu] came",
            "in the ED [Sat]/Sun",
            "seen by [Tu]/Lam",
            "[May]/June",
            "Tu/Th/[Satish]",
            "é/[Tu]",
            "[Th]/1",
            "[Fri]-Sun",
        ] {
            assert!(!is_scheduled(text), "{text}");
        }
    }

    #[test]
    fn weekdays_before_their_dates() {
        for (inside, after) in [
            ("Thu", " 01/01/2015."),
            ("Thu", " Jan  1 10:00"),
            ("Sun", ", Jan. 4"),
            ("WED", " 2015-01-07"),
            ("Mon", " 1/5"),
        ] {
            assert!(is_before_date(inside, after), "{inside}{after}");
        }
        for (inside, after) in
            [("Thu", " May came"), ("Thu", ""), ("Sun", " 3 mg"), ("Thuy", " 1/5"), ("Thu", "1/5"), ("Sun", " 120/80")]
        {
            assert!(!is_before_date(inside, after), "{inside}{after}");
        }
    }
}
