//! Years and dates as they are said: `March fourteenth nineteen twenty-one`, `since two thousand and eight`, `oh four slash twelve`,
//! `born four seventeen sixty-two`, `6 slash 12 slash 17`.

use super::ages::number_words;
use super::context::{Cursor, byte_at, byte_before, first_word, offset_in, word_after, word_before};
use super::dates::day_and_month;
use super::findings::{Findings, date};
use super::survey::{Chain, Hit};
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::{Kind, Label};
use crate::text::numbers::{UNITS, read_year};

/// Reads a year in words; the cursor moves over it.
pub(super) fn year(sentence: &str, cursor: &mut Cursor) -> Option<u32> {
    if !listed!(cursor.word(), "eighteen nineteen twenty two") {
        return None;
    }
    let (mut words, mut ends) = (Vec::with_capacity(5), Vec::with_capacity(5));
    let mut here = *cursor;
    while words.len() < 5 && !here.word().is_empty() {
        words.push(here.word().to_ascii_lowercase());
        here.at += here.word().len();
        ends.push(here.at);
        if here.skip(b" -\n", 1) == 0 {
            break;
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (year, used) = read_year(&words)?;
    let end = *ends.get(used.checked_sub(1)?)?;
    // `nineteen twenty-gauge needles`, `twenty forty vision`
    let counted = unit_follows(sentence, end) || sentence[end..].starts_with('-');
    (!counted && (1840..2100).contains(&year)).then(|| {
        cursor.at = end;
        year
    })
}

/// Judges a number in words with which a year, or a date in numbers, may begin.
pub(super) fn detect(sentence: &str, hit: Hit, findings: &mut Findings) {
    if in_numbers(sentence, hit, findings) || after_zero(sentence, hit, findings) {
        return;
    }
    let mut cursor = Cursor::new(sentence, hit.start);
    let Some(year) = year(sentence, &mut cursor) else { return };
    let range = hit.start..cursor.at;
    if byte_before(sentence, hit.start) == b'-' || findings.covers(&range) {
        return;
    }
    let lead = word_before(sentence, hit.start);
    let told = listed!(
        lead,
        "in since circa early mid late born spring summer fall autumn winter year b class of from until till through by before \
         after during between",
    );
    // `at nineteen thirty` and `given eighteen forty` are clock times, `of twenty forty` is a visual acuity, `two thousand` an amount.
    let sure = listed!(lead, "in since circa early mid late born spring summer fall autumn winter year b class");
    let clock = year % 100 < 60 && !sure;
    if match year {
        2000.. => sure,
        1900.. => told || !clock,
        _ => sure,
    } {
        findings.add(range, date(Kind::DateYear), 0.85);
    }
}

/// Reads the last digit of a year behind its zero, `oh-nine`, as it is said behind a day; the cursor moves over it.
pub(super) fn year_after_zero(cursor: &mut Cursor) -> bool {
    let mut here = *cursor;
    let zero = here.one_of("oh o") && here.skip(b" -", 1) == 1;
    let digit = here.word();
    here.at += digit.len();
    let read = zero && UNITS.iter().skip(1).take(9).any(|unit| unit.eq_ignore_ascii_case(digit));
    if read {
        *cursor = here;
    }
    read
}

/// Judges the last digit of a year without its century: `in oh four`, `FROM O FOUR TO O FIVE`, `class of oh nine`.
fn after_zero(sentence: &str, hit: Hit, findings: &mut Findings) -> bool {
    let zero = word_before(sentence, hit.start);
    let start = offset_in(sentence, zero);
    let word = &sentence[hit.start..hit.end];
    let digit = UNITS.iter().position(|unit| unit.eq_ignore_ascii_case(word)).filter(|digit| (1..10).contains(digit));
    // `O two` is oxygen as well.
    let oxygen = digit == Some(2) && zero.len() == 1;
    let joined = sentence.get(start + zero.len()..hit.start).is_some_and(|gap| matches!(gap, " " | "-"));
    if digit.is_none() || oxygen || !listed!(zero, "oh o") || !joined {
        return false;
    }
    let next = sentence[hit.end..].trim_start_matches([' ', '-']);
    // `at oh four hundred` is an hour.
    let goes_on = number_words(&mut Cursor::new(next, 0)).is_some()
        || listed!(first_word(next), "hundred slash dash stroke point oh o thirty am pm hours")
        || unit_follows(sentence, hit.end);
    let range = start..hit.end;
    let told = !goes_on && is_told_as_year(sentence, start, findings) && !findings.covers(&range);
    if told {
        findings.add(range, date(Kind::DateYear), 0.8);
    }
    told
}

/// Whether what is before a place tells a year there: `in`, `class of`, or `to` behind another date.
fn is_told_as_year(sentence: &str, at: usize, findings: &Findings) -> bool {
    let lead = word_before(sentence, at);
    let start = offset_in(sentence, lead);
    let before = sentence.get(..start).unwrap_or_default().trim_end_matches(' ');
    match () {
        () if listed!(lead, "in since from until till circa early mid late spring summer fall autumn winter") => true,
        () if lead.eq_ignore_ascii_case("of") => {
            listed!(word_before(sentence, start), "class spring summer fall autumn winter end start")
        }
        () if listed!(lead, "to through thru and or") => findings.ends_of(Label::Date).contains(&before.len()),
        () => false,
    }
}

/// Judges a month in words: `one fourteen twenty twenty-one`, `oh four slash twelve`. Without a year only a stroke tells.
fn in_numbers(sentence: &str, hit: Hit, findings: &mut Findings) -> bool {
    let lead = word_before(sentence, hit.start);
    let zero = is_zero(lead) && sentence[..hit.start].ends_with([' ', '-']);
    let start = if zero { offset_in(sentence, lead) } else { hit.start };
    let mut cursor = Cursor::new(sentence, hit.start);
    let month = number_words(&mut cursor).is_some_and(|month| (1..=12).contains(&month));
    // A number that goes on from the one before it begins no date.
    let first = number_words(&mut Cursor::new(sentence, offset_in(sentence, word_before(sentence, start)))).is_none();
    if !month || !first {
        return false;
    }
    let Some(stroke) = between(&mut cursor) else { return false };
    let days = cursor;
    // `one four`, digit by digit, is the fourteenth where a year follows; else it is the first word.
    for digits in [true, false] {
        let mut cursor = days;
        let day = if digits { two_digits(&mut cursor) } else { number_after_zero(&mut cursor) };
        if !day.is_some_and(|day| (1..=31).contains(&day)) {
            continue;
        }
        let end = cursor.at;
        let again = between(&mut cursor);
        let full = again.is_some()
            && (year(sentence, &mut cursor).is_some()
                || stroke && again == Some(true) && number_after_zero(&mut cursor).is_some()
                || is_told(sentence, start) && short_year(sentence, &mut cursor));
        let range = start..if full { cursor.at } else { end };
        // `five slash five` is a strength, `two slash six` a murmur: a zero or a preposition must tell.
        let led = zero || is_zero(days.word()) || listed!(lead, "on dated since from until till by through");
        let partial = stroke && led && !digits;
        if (full || partial) && !findings.covers(&range) {
            findings.add(range, date(if full { Kind::DateFull } else { Kind::DatePartial }), 0.8);
            return true;
        }
    }
    false
}

/// Whether a birth, or `on`, tells that a date begins at a place: `born`, `date of birth is`.
fn is_told(sentence: &str, at: usize) -> bool {
    let mut lead = word_before(sentence, at);
    if listed!(lead, "is was") {
        lead = word_before(sentence, offset_in(sentence, lead));
    }
    listed!(lead, "dob born birth birthdate birthday on dated")
}

/// Reads `sixty-two` and `oh five`, a year without its century; the cursor moves over it.
fn short_year(sentence: &str, cursor: &mut Cursor) -> bool {
    let mut here = *cursor;
    let zero = is_zero(here.word());
    let year = number_after_zero(&mut here).is_some_and(|year| year < 100 && (zero || year >= 10));
    let counted = unit_follows(sentence, here.at)
        || sentence[here.at..].starts_with('-')
        || listed!(word_after(sentence, here.at), "milligram milligrams microgram micrograms pounds");
    if year && !counted {
        *cursor = here;
    }
    year && !counted
}

/// Judges a number in digits that may begin a date whose marks are dictated: `6 slash 12 slash 17`.
pub(super) fn in_digits(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let marked = byte_at(sentence, chain.end) == b' ' && matches!(byte_at(sentence, chain.end + 1) | 32, b's' | b'd');
    if !marked || chain.count != 1 || byte_before(sentence, chain.start).is_ascii_alphanumeric() {
        return;
    }
    let mut cursor = Cursor::new(sentence, chain.start);
    let Some((first, _)) = cursor.number(2).filter(|_| between(&mut cursor) == Some(true)) else { return };
    let Some((second, _)) = cursor.number(2).filter(|_| between(&mut cursor) == Some(true)) else { return };
    let year = matches!(cursor.number(4), Some((1840..=2299, 4) | (_, 2)));
    let range = chain.start..cursor.at;
    let whole = year && !cursor.peek().is_ascii_alphanumeric() && !unit_follows(sentence, range.end);
    if whole && day_and_month(first, second) && !findings.covers(&range) {
        findings.add(range, date(Kind::DateFull), 0.85);
    }
}

/// What is said between the numbers of a date: whether it is a stroke; none where nothing is.
fn between(cursor: &mut Cursor) -> Option<bool> {
    if cursor.skip(b" ,-/", 2) == 0 {
        return None;
    }
    let stroke = cursor.one_of("slash dash stroke");
    if stroke {
        cursor.skip(b" ", 1);
    }
    Some(stroke)
}

/// `one four`: two digits, each a word.
fn two_digits(cursor: &mut Cursor) -> Option<u32> {
    let mut here = *cursor;
    let tens = here.word();
    let tens = UNITS.iter().position(|unit| unit.eq_ignore_ascii_case(tens)).filter(|tens| (1..=3).contains(tens))?;
    here.at += here.word().len();
    here.skip(b" -", 1);
    let units = here.word();
    let value = UNITS.iter().position(|unit| unit.eq_ignore_ascii_case(units)).filter(|units| *units < 10)?;
    here.at += units.len();
    *cursor = here;
    Some((10 * tens + value) as u32)
}

/// `oh four` and `twelve`.
fn number_after_zero(cursor: &mut Cursor) -> Option<u32> {
    if is_zero(cursor.word()) {
        cursor.at += cursor.word().len();
        cursor.skip(b" -", 1);
    }
    number_words(cursor)
}

fn is_zero(word: &str) -> bool {
    listed!(word, "oh zero")
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn dates(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Date])
    }

    #[test]
    fn years_in_words() {
        for (sentence, found) in [
            ("Born March fourteenth nineteen twenty-one.", "March fourteenth nineteen twenty-one"),
            ("date of birth July ninth ninety-two.", "July ninth ninety-two"),
            ("came on March third twenty patients were seen", "March third"),
            ("born march fifth nineteen fifty in Ohio", "march fifth nineteen fifty"),
            ("born March five nineteen fifty in Ohio", "March five nineteen fifty"),
            ("seen June twenty-three, twenty fourteen by me", "June twenty-three, twenty fourteen"),
            ("seen in March nineteen twenty-one by us", "March nineteen twenty-one"),
            ("born March fourteenth, nineteen twenty one in Ohio", "March fourteenth, nineteen twenty one"),
            ("He came over in nineteen oh five.", "nineteen oh five"),
            ("CABG in two thousand and eight, no angina", "two thousand and eight"),
            ("Quit smoking in twenty nineteen", "twenty nineteen"),
            ("the winter of nineteen sixty-three", "winter of nineteen sixty-three"),
            ("Nineteen sixty-four was a hard year", "Nineteen sixty-four"),
        ] {
            assert_eq!(dates(sentence), [found], "{sentence}");
        }
    }

    #[test]
    fn years_behind_a_zero() {
        assert_eq!(dates("DEPLOYED TO THE GULF IN O FOUR TO O FIVE."), ["O FOUR", "O FIVE"]);
        assert_eq!(dates("quit smoking in oh nine, never relapsed"), ["oh nine"]);
        assert_eq!(dates("graduated class of oh six from nursing school"), ["oh six"]);
        assert_eq!(dates("lived abroad since O-three"), ["O-three"]);
        for sentence in [
            "satting well in O two at rest",
            "awake since oh four hundred",
            "fasting since O six pm",
            "up in oh five thirty traffic",
            "blood type O one unit given",
            "flow of oh six liters",
            "said oh one more thing",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn dates_in_words_for_numbers() {
        for (sentence, found) in [
            ("seen one fourteen twenty twenty-one by me", "one fourteen twenty twenty-one"),
            ("follow up one one four, two thousand twenty, with BMP", "one one four, two thousand twenty"),
            ("labs of oh four slash twelve reviewed", "oh four slash twelve"),
            ("dated three slash oh nine slash twenty two.", "three slash oh nine slash twenty two"),
            ("on ten twenty-two nineteen ninety-eight", "ten twenty-two nineteen ninety-eight"),
            ("Seen six slash twelve slash seventeen.", "six slash twelve slash seventeen"),
            ("DOB four seventeen sixty-two, from the badge", "four seventeen sixty-two"),
            ("date of birth is four seventeen sixty two", "four seventeen sixty two"),
            ("seen on three nine oh five by me", "three nine oh five"),
            ("dictated 6 slash 12 slash 17 at noon", "6 slash 12 slash 17"),
            ("dictated 06 slash 12 dash 2017", "06 slash 12 dash 2017"),
        ] {
            assert_eq!(dates(sentence), [found], "{sentence}");
        }
        for sentence in [
            "took one or two",
            "one two three four",
            "two to three twenty times",
            "twenty one fourteen",
            "strength five slash five",
            "a two slash six murmur",
            "pressure one twenty slash eighty",
            "pain seven slash ten",
            "takes four seventeen sixty-two",
            "on two ten twenty milligram tablets",
            "strength 5 slash 5 today",
            "given 5 dash 10 dash 15 mg",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn amounts_in_words_are_no_years() {
        for sentence in [
            "vision twenty twenty in both eyes",
            "gave two thousand units of heparin",
            "two thousand milliliters over night",
            "a nineteen twenty-gauge needle",
            "called at nineteen thirty",
            "last given eighteen forty",
            "vision of twenty forty",
            "twenty five patients",
            "she may five times a day",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
