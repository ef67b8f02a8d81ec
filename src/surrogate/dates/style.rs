//! How a note writes its dates, which one date by itself does not always tell.
//!
//! ```text
//! 9/30/2019 … 10/30/2019     as few digits as there are    10/30/2019 → 9/23/2020, not 09/23/2020
//! Apr 4 … May 4              months in short               May 4 → Jun 23, not June 23
//! ```
//!
//! `10/30` may be the day of somebody who writes `9/3` or of one who writes `09/03`. If it became `09/23` among dates such as `8/24`, the zero would tell
//! that there were two digits before, and some dozens of such zeros are enough to tell by how much the dates of the patient were shifted.

use super::calendar::{FULL, MONTHS, SHORT};

/// How the dates of a note are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DateStyle {
    /// Numbers of one digit have no zero before them.
    bare: bool,
    /// Months are written in short.
    short: bool,
}

impl DateStyle {
    /// Every style at once, by which a surrogate is known again in whatever note it stands.
    pub(super) const ANY: Self = Self { bare: true, short: true };

    /// The style of the dates of a note; where they do not tell it, that of each date by itself.
    pub fn of<'t>(dates: impl IntoIterator<Item = &'t str>) -> Self {
        let (mut style, mut zeros, mut full) = (Self::default(), false, false);
        for date in dates {
            for (_, digits) in parts(date) {
                style.bare |= digits.len() == 1;
                zeros |= digits.len() == 2 && digits.starts_with('0');
            }
            let mut words = date.split(|c: char| !c.is_alphabetic()).filter(|word| !word.eq_ignore_ascii_case("may"));
            let is_in = |row: usize, word: &str| MONTHS[row].iter().any(|month| month.eq_ignore_ascii_case(word));
            full |= words.clone().any(|word| is_in(FULL, word));
            style.short |= words.any(|word| is_in(SHORT, word));
        }
        Self { bare: style.bare && !zeros, short: style.short && !full }
    }

    /// The surrogate of a date as the note would write it.
    pub fn write(self, original: &str, surrogate: String) -> String {
        let zeros = parts(original).any(|(_, digits)| digits.starts_with('0'));
        let surrogate = if self.bare && !zeros { without_zeros(&surrogate) } else { surrogate };
        let is_may = |word: &str| word.eq_ignore_ascii_case("may");
        let is_undecided = self.short && original.split(|c: char| !c.is_alphabetic()).any(is_may);
        if is_undecided { with_short_months(&surrogate) } else { surrogate }
    }
}

/// The numbers of days and months between strokes, hyphens or full stops, `10` and `30` of `10/30/2019`, with where they begin. Of dates that begin
/// with the year, which have zeros always, there are none.
fn parts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_mark = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'/' | b'-' | b'.'));
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    runs(text).filter(move |&(at, digits)| {
        let end = at + digits.len();
        let goes_on = is_mark(bytes.get(end)) && is_digit(bytes.get(end + 1));
        let led = at >= 2 && is_mark(bytes.get(at - 1)) && is_digit(bytes.get(at - 2));
        let before =
            if led { bytes[..at - 1].iter().rev().take_while(|byte| byte.is_ascii_digit()).count() } else { 0 };
        let year_first = before == 4 && (!goes_on || bytes.get(end) == bytes.get(at - 1));
        // The last of three is a year of two digits, the last of two a day.
        let third = led && !goes_on && {
            let first = at - 1 - before;
            first >= 2 && is_mark(bytes.get(first - 1)) && is_digit(bytes.get(first - 2))
        };
        digits.len() <= 2 && (goes_on || led) && !year_first && !third
    })
}

/// The stretches of digits of a text, with where they begin.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(|c: char| c.is_ascii_digit())?;
        let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
        at = start + digits;
        Some((start, &text[start..at]))
    })
}

fn without_zeros(date: &str) -> String {
    let zeros: Vec<usize> =
        parts(date).filter(|(_, digits)| digits.len() == 2 && digits.starts_with('0')).map(|(at, _)| at).collect();
    date.char_indices().filter(|(at, _)| !zeros.contains(at)).map(|(_, character)| character).collect()
}

/// A date with its months in short, as they are in English.
fn with_short_months(date: &str) -> String {
    let mut written = String::with_capacity(date.len());
    for word in date.split_inclusive(|c: char| !c.is_alphabetic()) {
        let letters = word.trim_end_matches(|c: char| !c.is_alphabetic());
        let place = MONTHS[FULL].iter().position(|month| month.eq_ignore_ascii_case(letters));
        let length = place.map_or(letters.len(), |place| MONTHS[SHORT][place].len());
        written.push_str(&letters[..length.min(letters.len())]);
        written.push_str(&word[letters.len()..]);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_note_tells_how_it_writes_dates() {
        let of = |dates: &[&str]| DateStyle::of(dates.iter().copied());
        let style = |bare, short| DateStyle { bare, short };
        assert_eq!(of(&["10/30/2019", "9/30/2019"]), style(true, false));
        assert_eq!(of(&["10/30/2019", "12/11"]), style(false, false));
        assert_eq!(of(&["9/30/2019", "09/30/2019"]), style(false, false), "of two minds");
        assert_eq!(of(&["3-14-19"]), style(true, false));
        assert_eq!(of(&["2019-3-4", "2019-09-30", "March 4, 2019"]), style(false, false));
        assert_eq!(of(&["2019-09-30 09:14:00"]), style(false, false));
        assert_eq!(of(&["Apr 4, 2019", "May 4"]), style(false, true));
        assert_eq!(of(&["Apr 4, 2019", "April 4"]), style(false, false));
        assert_eq!(of(&["May 4"]), style(false, false));
    }

    #[test]
    fn a_surrogate_is_written_as_its_note_writes() {
        let write = |original: &str, surrogate: &str| DateStyle::ANY.write(original, surrogate.to_owned());
        for (original, surrogate, written) in [
            ("10/30/2019", "09/03/2020", "9/3/2020"),
            ("12-11-19", "02-04-09", "2-4-09"),
            ("12/11", "02/04", "2/4"),
            ("12/30/2018-1/2/2019", "09/16/2018-9/19/2018", "9/16/2018-9/19/2018"),
            ("10/03/2019", "09/04/2020", "09/04/2020"),
            ("2019-10-30", "2020-09-03", "2020-09-03"),
            ("10/30/2019 09:14", "09/03/2020 09:14", "9/3/2020 09:14"),
            ("2019-10-30T09:14:00-04:00", "2020-09-03T09:14:00-04:00", "2020-09-03T09:14:00-04:00"),
            ("MAY 4, 2019", "JUNE 23, 2018", "JUN 23, 2018"),
            ("April 4", "September 9", "September 9"),
        ] {
            assert_eq!(write(original, surrogate), written);
        }
        assert_eq!(DateStyle::default().write("10/30/2019", "09/03/2020".to_owned()), "09/03/2020");
    }

    proptest! {
        #[test]
        fn any_text_is_written(original in "\\PC{0,30}", surrogate in "[0-9/.é -]{0,30}|\\PC{0,30}") {
            let written = DateStyle::ANY.write(&original, surrogate.clone());
            prop_assert!(written.len() <= surrogate.len());
            DateStyle::of([original.as_str(), surrogate.as_str()]);
        }
    }
}
