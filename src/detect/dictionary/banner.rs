//! The name that opens a line of a list, a label or a header, told by what follows it.
//!
//! ```text
//! CHURCH, ARDITH L   96 F      Xiong, Pa Houa  26F      lowell bedford, 84, LV-00      Anyanwu, Kosi E   MRN 40
//! SHORT, WILL - discharge pending ride
//! ```

use super::found::Found;
use super::markers::Marker;
use super::people::add;
use super::plausible::{Likeness, likeness};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// At most so many words make the name.
const LONGEST: usize = 5;

/// Adds the name before the age, birth date or number of a patient.
pub(super) fn detect(words: &Words, found: &mut Found) {
    if !(words.digits || words.sentence.as_bytes().contains(&b',')) {
        return;
    }
    for first in 0..words.list.len() {
        let word = &words.list[first];
        let opens = match word.gap {
            Gap::Start => true,
            Gap::Colon => true,
            Gap::Bracket => words.between(first).ends_with('"'),
            Gap::Other | Gap::Space => opens_column(words, first),
            _ => false,
        };
        if !opens || word.shape == Shape::Initial || found.covers(word.start..word.end) {
            continue;
        }
        if is_coded(words, first) {
            add(words, first, first, Label::Patient, 0.7, found);
        } else if let Some(last) = run(words, first)
            && (identified(words, last) && is_name(words, first, last)
                || is_entry(words, first, last)
                || is_item(words, first, last)
                    && (is_name(words, first, last) || words.is_descriptive(first, first + 1)))
        {
            add(words, first, last, Label::Patient, 0.8, found);
        }
    }
}

/// Whether a word stands after a wide blank, a line break, a number or a patient field.
fn opens_column(words: &Words, first: usize) -> bool {
    let blank = words.list[first].blank;
    blank.line || blank.tab || blank.wide || blank.digit || first > 0 && words.list[first - 1].is(Marker::PersonField)
}

/// The words in one style and one column from `first` on, with at most one comma.
fn run(words: &Words, first: usize) -> Option<usize> {
    let style = words.list[first].shape;
    let fits = |index: usize| {
        let word = &words.list[index];
        let named = word.shape == Shape::Initial
            || word.marker.is_none_or(|marker| matches!(marker, Marker::Particle | Marker::Suffix))
            || word.is(Marker::Credential) && word.shape == Shape::Capital && words.list[index].gap == Gap::Comma
            || style != Shape::Lower && word.is_capital() && super::runs::is_namesake(word, words.text(index));
        named && (word.shape == style || word.shape == Shape::Initial || word.is_capital() && style != Shape::Lower)
    };
    if !fits(first) || words.list[first].end - words.list[first].start < 2 {
        return None;
    }
    let mut last = first;
    let mut commas = 0;
    while let Some(next) = words.get(last + 1) {
        let between = words.between(last + 1);
        let joined = match next.gap {
            Gap::Space => between == " ",
            Gap::Hyphen => true,
            Gap::Comma => between.len() <= 2 && commas == 0,
            Gap::Stop => words.list[last].shape == Shape::Initial && between.len() <= 2,
            _ => false,
        };
        if !joined || !fits(last + 1) || last - first >= LONGEST {
            break;
        }
        commas += usize::from(next.gap == Gap::Comma);
        last += 1;
    }
    (last > first).then_some(last)
}

/// `BSW, 60F`: initials instead of the name.
fn is_coded(words: &Words, first: usize) -> bool {
    let word = &words.list[first];
    word.gap == Gap::Start
        && word.shape == Shape::Upper
        && (2..=3).contains(&(word.end - word.start))
        && word.marker.is_none()
        && word.info.flags.is_empty()
        && words.between_after(first).starts_with(", ")
        && identified(words, first)
}

/// Whether the run is `Surname, Given` with nothing else in its line or quotation: `Early, Frank A.`
fn is_entry(words: &Words, first: usize, last: usize) -> bool {
    let Some(given) = words.get(first + 1) else { return false };
    let after = words.between_after(last).trim_start_matches(['.', ',']);
    let closed = after.is_empty() || after.starts_with(['\n', '"', '\t']) || after.starts_with("  ");
    given.gap == Gap::Comma
        && closed
        && (given.info.given_count >= 5_000
            || words.between(first).ends_with('"') && likeness(given.info) >= Likeness::Unknown)
        && (words.list[first].info.surname_count >= 3_000
            || words.between(first).ends_with('"') && likeness(words.list[first].info) == Likeness::Unknown)
        && !(words.list[first].info.is(WordFlags::CITY) && given.info.is(WordFlags::CITY))
        && !given.info.is_any(WordFlags::STATE.union(WordFlags::COUNTRY))
}

/// Whether the run is `SURNAME, GIVEN` that begins a line and is told of after a dash in small letters: no word of it is
/// plainly another thing, or the given name is plainly one.
fn is_item(words: &Words, first: usize, last: usize) -> bool {
    let word = &words.list[first];
    let after = words.between_after(last);
    let told = [" - ", " – ", " — "].iter().any(|dash| after.starts_with(dash))
        && words.get(last + 1).is_some_and(|next| next.shape != Shape::Upper);
    let begins = word.gap == Gap::Start || word.blank.line;
    let Some(given) = (first + 1..=last).find(|&index| words.list[index].gap == Gap::Comma) else { return false };
    let likeness_of = |index: usize| likeness(words.look_up(index, index));
    begins
        && told
        && matches!(word.shape, Shape::Upper | Shape::Capital)
        && (likeness_of(given) == Likeness::Name
            || (first..=last)
                .filter(|&index| words.list[index].shape != Shape::Initial)
                .all(|index| likeness_of(index) >= Likeness::Namesake))
}

/// Whether an age, a birth date or a record number follows at once.
fn identified(words: &Words, last: usize) -> bool {
    let rest = &words.sentence[words.list[last].end..];
    let nick = rest.trim_start_matches(['.', ',', ' ']);
    let nick = nick.strip_prefix("(\"").and_then(|inner| inner.split_once(')')).map_or(nick, |(_, after)| after);
    let rest = nick.trim_start_matches([' ', ',', '\t', '(', ';', '-', '|']);
    if rest.len() + 12 < words.sentence[words.list[last].end..].len() && nick.len() == rest.len() {
        return false;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let after = rest[digits..].trim_start_matches([' ', '-']);
        let age = digits <= 3
            && (after.starts_with(['M', 'F', 'm', 'f', 'y', 'Y'])
                && after[1..]
                    .bytes()
                    .next()
                    .is_none_or(|byte| !byte.is_ascii_lowercase() || matches!(byte, b'o' | b'/' | b'r' | b'e' | b'a'))
                || after.starts_with(','));
        let date = rest[digits..].starts_with(['/', '.', '-'])
            && digits <= 2
            && rest[digits + 1..].bytes().take(5).filter(u8::is_ascii_digit).count() >= 2
            && rest[digits + 1..].bytes().take(6).any(|byte| matches!(byte, b'/' | b'.' | b'-'));
        return age || date || digits >= 6;
    }
    let end = rest.bytes().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
    let tail = rest[end..].trim_start();
    listed!(&rest[..end], "dob mrn mr hosp nhs age medrec chi")
        || matches!(&rest[..end], "M" | "F")
            && (rest[end..].starts_with("  ") || tail.starts_with(|c: char| c.is_ascii_digit() || c == '#'))
}

/// Whether the run holds a word that is a name, and none that is plainly another thing.
fn is_name(words: &Words, first: usize, last: usize) -> bool {
    let comma = (first + 1..=last).any(|index| words.list[index].gap == Gap::Comma);
    let small = words.list[first].shape == Shape::Lower;
    let mut best = Likeness::Never;
    for index in first..=last {
        let word = &words.list[index];
        if word.shape == Shape::Initial || word.marker.is_some() && !words.is_namesake_at(index) && !comma {
            continue;
        }
        let info = words.look_up(index, index);
        let bearers = info.surname_count.max(info.given_count);
        if info.is_any(MEDICAL) && bearers < 2_000 || small && bearers == 0 {
            return false;
        }
        best = best.max(match likeness(info) {
            Likeness::Eponym => Likeness::Namesake,
            Likeness::Never if comma && bearers >= 100 => Likeness::Namesake,
            other => other,
        });
    }
    best == Likeness::Name && (!small || last > first)
        || best == Likeness::Unknown && comma
        || best == Likeness::Namesake
            && !small
            && (comma || words.list[first].shape == Shape::Upper && words.list[last].shape == Shape::Capital)
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn ages_and_numbers_tell_the_name_before_them() {
        assert_eq!(people("KOWALCZYK, BARTOSZ   44M   MRN 5512209"), ["KOWALCZYK, BARTOSZ"]);
        assert_eq!(people("Le, Ba  67M  bed 4"), ["Le, Ba"]);
        assert_eq!(people("STRONG Peter  57M  MR 218"), ["STRONG Peter"]);
        assert_eq!(people("delia winslow, 84, seen today"), ["delia winslow"]);
    }

    #[test]
    fn names_that_begin_an_item_of_a_list() {
        for name in ["SHORT, WILL", "PARK, GRACE", "PHOMMASANE, BOUNMY", "YELLOW HORSE, WILMA", "Field, Rose"] {
            assert_eq!(people(&format!("{name} - discharge pending ride.")), [name]);
        }
    }

    #[test]
    fn findings_and_scores_are_no_banner() {
        for line in [
            "Aspirin, Plavix 75 mg daily",
            "Pain, Nausea 3 days",
            "BP, HR 80",
            "ALERT, ORIENTED - as before",
            "SKIN, WARM - no rash",
            "CBC, BMP - pending",
            "KITCHEN, BATH - needs grab bars",
        ] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
