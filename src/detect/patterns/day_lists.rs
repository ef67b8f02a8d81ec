//! Several days of one month: `March 4, 6 and 8, 2019`, `the 3rd and 17th of June`.
//!
//! The whole list is one date, for its days have no month by themselves. They rise, and the list is closed: by `and`, by a year,
//! or by the end of what is said; `March 4, 12 patients` is a day and a number.

use super::context::{Cursor, byte_at, word_after, word_before};
use crate::detect::listed::listed;

const SUFFIXES: &str = "st nd rd th";
/// Words that may follow the last day of a list; others are what a number counts.
const AFTER_DAYS: &str =
    "in at for with and but then to on by she he they we pt patient was were is had per due as when if so";

/// The end of the list that goes on behind the day of a month that ends at byte `end`; none where there is none.
pub(super) fn end_after(sentence: &str, end: usize) -> Option<usize> {
    end_behind(sentence, end, day_ending_at(sentence, end)?.1)
}

/// The same, of a list whose first day is written as the `14` of `3/14, 15 and 16`.
pub(super) fn end_behind(sentence: &str, end: usize, first: u32) -> Option<usize> {
    let mut last = first;
    let mut cursor = Cursor::new(sentence, end);
    let (mut listed_end, mut count, mut closed) = (end, 0, false);
    loop {
        let mut here = cursor;
        let Some(and) = joint(&mut here) else { break };
        let Some((day, digits)) = here.number(2) else { break };
        if digits > 2 || day <= last || day > 31 {
            break;
        }
        here.one_of(SUFFIXES);
        let next = byte_at(sentence, here.at);
        let goes_on = next.is_ascii_alphabetic()
            || matches!(next, b'%' | b'/' | b'-')
            || matches!(next, b'.' | b':') && byte_at(sentence, here.at + 1).is_ascii_digit();
        if goes_on {
            break;
        }
        (last, cursor, listed_end, count, closed) = (day, here, here.at, count + 1, closed || and);
        if and {
            break;
        }
    }
    let rest = sentence[listed_end..].trim_start_matches([',', ' ']);
    let year = rest.starts_with("19") || rest.starts_with("20");
    let year = year && rest.bytes().take_while(u8::is_ascii_digit).count() == 4;
    let ends = rest.is_empty() || sentence[listed_end..].starts_with(['.', ';', ')', '\n']);
    // `March 4, 5 and 6 mm nodules`: what is counted follows a number, and no day.
    let after = word_after(sentence, listed_end);
    let goes_on = after.is_empty() || sentence[listed_end..].starts_with([',', ')']) || listed!(after, AFTER_DAYS);
    (count > 0 && (closed && goes_on || year || (ends || listed!(after, AFTER_DAYS)) && count > 1))
        .then_some(listed_end)
}

/// Where the list begins whose last day, with its ending (`17th`), begins at byte `start`.
pub(super) fn start_before(sentence: &str, start: usize, day: u32) -> usize {
    let (mut begin, mut next) = (start, day);
    loop {
        let head = &sentence[..begin];
        let bare = head.strip_suffix(' ').unwrap_or(head);
        // `the 3rd to the 17th of June`
        let bare = bare.strip_suffix(" the").unwrap_or(bare);
        let joints = ["and", "or", "&", "to", "through", "thru", "until", "till"];
        let bare = joints.iter().find_map(|word| bare.strip_suffix(word)).unwrap_or(bare).trim_end_matches(' ');
        let end = bare.strip_suffix(',').unwrap_or(bare).len();
        match day_ending_at(sentence, end) {
            Some((start, day, true)) if end < begin && day < next => (begin, next) = (start, day),
            _ => return begin,
        }
    }
}

/// Where the list begins whose last day has no ending and stands behind `and`: `on 3, 10 and 17 March`, behind a word of days.
pub(super) fn bare_start_before(sentence: &str, start: usize, day: u32) -> usize {
    const BEFORE_DAYS: &str = "on for from dates date since between visits appointments sessions cycles reviewed seen attended clinic due both";
    let and = |head: &str| {
        ["and", "&"].iter().find_map(|word| head.strip_suffix(word)).map(|head| head.trim_end_matches(' ').len())
    };
    let Some(mut end) = sentence[..start].strip_suffix(' ').and_then(and) else { return start };
    let (mut begin, mut next) = (start, day);
    while let Some((start, day, false)) = day_ending_at(sentence, end).filter(|&(_, day, _)| day < next) {
        (begin, next) = (start, day);
        let head = sentence[..start].trim_end_matches(' ');
        match head.strip_suffix(',') {
            Some(head) => end = head.len(),
            None => break,
        }
    }
    if listed!(word_before(sentence, begin), BEFORE_DAYS) { begin } else { start }
}

/// Moves over what stands between two days of a list: whether it was `and`, none where it was nothing of the kind.
fn joint(cursor: &mut Cursor) -> Option<bool> {
    let comma = cursor.skip(b",", 1) == 1;
    let blank = cursor.skip(b" ", 2) > 0;
    let and = cursor.skip(b"&", 1) == 1 || cursor.one_of("and or");
    if and {
        cursor.skip(b" ", 2);
    }
    (comma || blank && and).then_some(and)
}

/// The day that ends at byte `end`: where it begins, its number, and whether it has an ending.
fn day_ending_at(sentence: &str, end: usize) -> Option<(usize, u32, bool)> {
    let head = sentence.get(..end)?;
    let bare = SUFFIXES.split(' ').find_map(|suffix| head.strip_suffix(suffix)).unwrap_or(head);
    let digits = bare.bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = bare.len() - digits;
    let free =
        !sentence[..start].ends_with(|before: char| before.is_alphanumeric() || matches!(before, '.' | '/' | '-'));
    let day = bare[start..].parse::<u32>().ok().filter(|day| digits <= 2 && (1..=31).contains(day))?;
    free.then_some((start, day, bare.len() < end))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn dates(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Date])
    }

    #[test]
    fn days_of_one_month() {
        assert_eq!(dates("visits on March 4, 6 and 8, 2019."), ["March 4, 6 and 8, 2019"]);
        assert_eq!(dates("infusions Mar 4, 6, 8"), ["Mar 4, 6, 8"]);
        assert_eq!(dates("seen March 4th, 6th, and 8th in clinic"), ["March 4th, 6th, and 8th"]);
        assert_eq!(dates("the 3rd and 17th of June"), ["3rd and 17th of June"]);
        assert_eq!(dates("From the 22nd to the 25th of July"), ["22nd to the 25th of July"]);
        assert_eq!(dates("on the 4th, 6th and 8th of March 2019"), ["4th, 6th and 8th of March 2019"]);
        assert_eq!(dates("labs Jan 3, 10, 2019"), ["Jan 3, 10, 2019"]);
        assert_eq!(dates("Chemo on 3, 10 and 17 March."), ["3, 10 and 17 March"]);
        assert_eq!(dates("seen 4 & 11 Sept 2019"), ["4 & 11 Sept 2019"]);
    }

    #[test]
    fn days_and_numbers() {
        assert_eq!(dates("on March 4, 12 patients came"), ["March 4"]);
        assert_eq!(dates("since March 4, 6 mg daily"), ["March 4"]);
        assert_eq!(dates("March 4, 2 and 1 tablets"), ["March 4"]);
        assert_eq!(dates("MRI March 4, 5 and 6 mm nodules"), ["March 4"]);
        assert_eq!(dates("seen Mar 4, 5 or 6 loose stools daily"), ["Mar 4"]);
        assert_eq!(dates("March 4, 2019"), ["March 4, 2019"]);
        assert_eq!(dates("grade 2 and 3 March 2019"), ["3 March 2019"]);
    }
}
