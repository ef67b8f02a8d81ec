//! Days whose numbers stand between other marks than those of dates: `11|29|1950`, `(11)(29)(1950)`, `11_29_1950`, `11%2F29%2F1950`.
//!
//! The year stands last and is written out; else `11:29:50` is a time and `11 | 29 | 50` a row of a table.

use super::dates::day_and_month;

/// Where the date begins whose year begins at a place.
pub(super) fn start(sentence: &str, year: usize) -> Option<usize> {
    let (second, from) = number(without_mark(&sentence[..year])?)?;
    let (first, from) = number(without_mark(&sentence[..from])?)?;
    day_and_month(first, second).then_some(from)
}

/// Where the date ends whose year ends at a place: as cameras and scanners write it, `2019:07:22`, as files are named, `2019_07_22`, and as
/// Hungarians and Koreans do, `2019. 7. 22.`
pub(super) fn end(sentence: &str, year: usize) -> Option<usize> {
    let rest = &sentence[year..];
    let (mark, narrowest) = match rest.as_bytes() {
        [b':', ..] => (":", 2),
        [b'_', ..] => ("_", 2),
        [b'.', b' ', ..] => (". ", 1),
        _ => return None,
    };
    let mut at = mark.len();
    let mut next = || {
        let digits = rest[at..].bytes().take_while(u8::is_ascii_digit).count();
        let part = (narrowest..=2).contains(&digits).then(|| rest[at..at + digits].parse::<u32>().ok())?;
        at += digits + mark.len();
        part.map(|part| (part, at - mark.len()))
    };
    let (month, between) = next()?;
    if !rest[between..].starts_with(mark) {
        return None;
    }
    let (day, end) = next()?;
    let behind = &rest[end..];
    let goes_on = match mark {
        // The third stop tells that these are no items of a list.
        ". " => !behind.starts_with('.') || behind[1..].starts_with(|c: char| c.is_ascii_alphanumeric()),
        _ => behind.starts_with(|c: char| c == ':' || c.is_ascii_alphanumeric()),
    };
    ((1..=12).contains(&month) && (1..=31).contains(&day) && !goes_on).then_some(year + end)
}

/// A text without the mark at its end.
fn without_mark(text: &str) -> Option<&str> {
    let bare = text.strip_suffix(' ').unwrap_or(text);
    let bare = match bare.strip_suffix('(') {
        Some(open) => open.strip_suffix(' ').unwrap_or(open).strip_suffix(')')?,
        None => bare
            .strip_suffix(['|', '_', ':', '\\'])
            .or_else(|| bare.strip_suffix("%2F"))
            .or_else(|| bare.strip_suffix("%2f"))?,
    };
    Some(bare.strip_suffix(' ').unwrap_or(bare))
}

/// The number of one or two digits that a text ends in, and where it begins.
fn number(text: &str) -> Option<(u32, usize)> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let from = text.len() - digits;
    matches!(digits, 1 | 2).then(|| text[from..].parse().ok())?.map(|number| (number, from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_write_the_year_first() {
        for (text, found) in [
            ("2014_03_05.pdf", Some(10)),
            ("2014_03_055", None),
            ("2014. 3. 5.", Some(10)),
            ("2014. 03. 15. was", Some(12)),
            ("2014. 3. 5", None),
            ("2014. 3. 5.2", None),
            ("2014. 3.", None),
            ("2014. é", None),
            ("2019:07:22 09:14:00", Some(10)),
            ("2019:07:22", Some(10)),
            ("2019:17:22", None),
            ("2019:07:22:10", None),
            ("2019:7:22", None),
            ("2019:0é", None),
            ("2019", None),
        ] {
            assert_eq!(end(text, 4), found, "{text}");
        }
    }

    #[test]
    fn the_year_is_written_out_and_the_others_are_a_day_and_a_month() {
        for date in [
            "11|29|1950",
            "11 | 29 | 1950",
            "11)(29)(1950",
            "11) (29) (1950",
            "11_29_1950",
            "11:29:1950",
            "29\\11\\1950",
            "11%2F29%2f1950",
        ] {
            let text = format!("seen ({date}");
            assert_eq!(start(&text, text.len() - 4), Some(6), "{date}");
        }
        for text in ["seen 1950", "31|29|1950", "129|1|1950", "a|b|1950", "11 29 1950", "|1950"] {
            assert_eq!(start(text, text.len() - 4), None, "{text}");
        }
    }
}
