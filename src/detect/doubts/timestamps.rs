//! Times of day that models take in with the date before them: of a stamp only the date is one.
//!
//! ```text
//! [2019-07-22][T09:14:00-04:00]       the date alone
//! seen [2019-07-22 09:14:00 -0400]    likewise
//! DTSTART:[20190702T093010Z]          likewise, whatever it is taken for
//! ```

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::context::last_word;
use crate::detect::listed::listed;
use crate::phi::{Label, Span};

/// A clock time with what belongs to it: the `T` behind a date, fractions of a second, the zone. Nothing that goes on with colons.
static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:\b|[0-9]T)(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?:Z|\s?[+-][0-9]{2}(?::?[0-5][0-9])?\b|\b)",
    )
    .expect("the pattern is a literal")
});
/// `20190702T093010Z`
static COMPACT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b((?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9])(T[0-2][0-9][0-5][0-9](?:[0-5][0-9])?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)\b")
        .expect("the pattern is a literal")
});

/// What is left of a claim's range without the time of a stamp; nothing where it is no more than that.
pub(super) fn without_time(sentence: &str, span: &Span) -> Range<usize> {
    let (label, range) = (span.claims[0].class.label, span.start..span.end);
    let has = |marks: &[u8]| sentence[range.clone()].bytes().any(|byte| marks.contains(&byte));
    let is_date = label == Label::Date;
    if (is_date || label.is_number() || label == Label::Username) && has(b"T") {
        let mut stamps = COMPACT.captures_iter(sentence).filter_map(|found| Some((found.get(0)?, found.get(2)?)));
        if let Some((whole, time)) = stamps.find(|(whole, _)| whole.start() <= range.start && range.end <= whole.end())
        {
            // As a number it would be another one, where the date is told by its form.
            return if is_date { outside(range, time.range()) } else { whole.start()..whole.start() };
        }
    }
    if !is_date || !has(b":T-+") {
        return range;
    }
    let clocks = CLOCK.find_iter(sentence).filter(|clock| !goes_on(sentence, clock.end()));
    clocks.fold(range, |range, clock| {
        // The last digit of the date is before the `T`.
        let start = clock.start() + clock.as_str().find('T').unwrap_or(0);
        outside(range, start..clock.end())
    })
}

/// `16:59 EDT`, `0930 (CST)`: the zone of a clock time.
pub(super) fn is_zone(sentence: &str, span: &Span) -> bool {
    let head = sentence[..span.start].trim_end_matches([' ', '(']);
    let timed = head.ends_with(|c: char| c.is_ascii_digit()) || listed!(last_word(head), "am pm a.m p.m m");
    timed
        && listed!(
            sentence[span.start..span.end].trim(),
            "est edt cst cdt mst mdt pst pdt ast adt akst akdt hst utc gmt bst cet cest eet eest aest aedt awst nzst nzdt jst ist"
        )
}

/// Whether a colon or a digit goes on behind a clock time: it is a part of something else.
fn goes_on(sentence: &str, end: usize) -> bool {
    sentence[end..].starts_with(|c: char| c == ':' || c.is_ascii_digit())
}

/// What of a range is before what is cut out of it, or behind it where it begins there.
fn outside(range: Range<usize>, cut: Range<usize>) -> Range<usize> {
    match () {
        () if range.end <= cut.start || cut.end <= range.start => range,
        () if range.start < cut.start => range.start..cut.start,
        () => cut.end.min(range.end)..range.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Detector;

    fn left<'s>(sentence: &'s str, words: &str, label: Label) -> &'s str {
        let start = sentence.find(words).expect("the words are in the sentence");
        let span = Span::new(start, start + words.len(), label, Detector::Transformer, 1.0);
        sentence[without_time(sentence, &span)].trim()
    }

    #[test]
    fn zones_are_nobody() {
        for (sentence, zone, is) in [
            ("at 16:59 EDT", "EDT", true),
            ("1659 (CST) seen", "CST", true),
            ("4:59 pm PST", "PST", true),
            ("seen by EST", "EST", false),
        ] {
            let start = sentence.find(zone).expect("the zone is in the sentence");
            let span = Span::new(start, start + zone.len(), Label::Doctor, Detector::Transformer, 1.0);
            assert_eq!(is_zone(sentence, &span), is, "{sentence}");
        }
    }

    #[test]
    fn of_a_stamp_the_date_is_left() {
        for (sentence, claimed, rest) in [
            ("on 2019-07-22T09:14:00-04:00 by", "2019-07-22T09:14:00-04", "2019-07-22"),
            ("on 2019-07-22T09:14:00-04:00 by", "T", ""),
            ("on 2019-07-22T09:14:00-04:00 by", "09:14:00-04", ""),
            ("on 2019-07-22T09:14:00-04:00 by", "04", "04"),
            ("at 2019-07-22 09:14:00 -0400", "2019-07-22 09:14:00 -0400", "2019-07-22"),
            ("\"2019-07-02T09:30:10.123Z\"", "T09:30:10.123Z", ""),
            ("DTSTART:20190702T093010Z", "20190702T093010Z", "20190702"),
            ("9:30 on 3/4/2019", "9:30 on 3/4/2019", "on 3/4/2019"),
            ("Tuesday 3/4/2019 seen", "Tuesday 3/4/2019", "Tuesday 3/4/2019"),
        ] {
            assert_eq!(left(sentence, claimed, Label::Date), rest, "{sentence}: {claimed}");
        }
        assert_eq!(left("DTSTART:20190702T093010Z", "T093010Z", Label::IdNum), "");
        assert_eq!(left("card 00:1A:2B:3C", "00:1A:2B:3C", Label::Device), "00:1A:2B:3C");
        assert_eq!(left("DICOM 2019:07:22:10:11", "2019:07:22:10:11", Label::Date), "2019:07:22:10:11");
    }
}
