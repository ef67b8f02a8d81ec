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

/// Where the date ends whose year ends at a place: as cameras and scanners write it, `2019:07:22`, and as files are named, `2019_07_22`.
pub(super) fn end(sentence: &str, year: usize) -> Option<usize> {
    let mark = sentence[year..].chars().next().filter(|mark| matches!(mark, ':' | '_'))?;
    let mut parts = sentence.get(year..year + 6)?.split(mark).skip(1);
    let part = |part: Option<&str>| part.filter(|part| part.len() == 2)?.parse::<u32>().ok();
    let (month, day) = (part(parts.next())?, part(parts.next())?);
    let goes_on = sentence[year + 6..].starts_with(|c: char| c == ':' || c.is_ascii_alphanumeric());
    ((1..=12).contains(&month) && (1..=31).contains(&day) && !goes_on).then_some(year + 6)
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
