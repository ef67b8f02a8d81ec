//! Ages in talk: `He'll be 90 in October`, `I hit seventy-five`, `was only sixteen`, `fifty something`, `Ninety-two, lives alone`,
//! `he was 5 when`.
//!
//! Each asks for a person who turns, is or will be, or for a number in words where a note begins.

use std::ops::Range;

use super::context::{byte_at, offset_in, word_after, word_before};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// Whether a number, in digits or in words, is said to be somebody's age.
pub(super) fn tells(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let before = word_before(sentence, range.start);
    will_be(sentence, range, before) || passed(sentence, range, before, value) || was(sentence, range, before)
}

/// The same, of a number in words.
pub(super) fn tells_in_words(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let something = value >= 20
        && listed!(word_after(sentence, range.end), "something")
        && matches!(byte_at(sentence, range.end), b' ' | b'-')
        && !listed!(word_before(sentence, range.start), "hr bp rate pulse sats temp");
    let opens = value >= 60
        && (range.start == 0 || sentence[..range.start].ends_with('\n'))
        && byte_at(sentence, range.end) == b','
        && byte_at(sentence, range.end + 1) == b' ';
    // `Ms Ora, ninety-one, who`, `lived to ninety-four`, `was only sixteen`
    let head = sentence[..range.start].strip_suffix(", ").unwrap_or_default();
    let named = head.rsplit(' ').next().is_some_and(|word| {
        let info = Lexicon::shared().word(word);
        word.starts_with(char::is_uppercase)
            && info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME))
            && !info.is_any(WordFlags::ENGLISH.union(WordFlags::MEDICAL))
    });
    let between = value > 12 && named && byte_at(sentence, range.end) == b',';
    let before = word_before(sentence, range.start);
    let lived = before.eq_ignore_ascii_case("to")
        && value > 12
        && listed!(word_before(sentence, offset_in(sentence, before)), "lived survived lives");
    let only = before.eq_ignore_ascii_case("only")
        && listed!(word_before(sentence, offset_in(sentence, before)), "was were")
        && ends(sentence, range.end);
    // `That's Micah, he's three.`
    let is = value > 1 && listed!(before, "he's she's") && ends(sentence, range.end);
    let pushing = value > 12 && listed!(before, "pushin pushin'");
    something || opens || between || lived || only || is || pushing || tells(sentence, range, value)
}

/// `He'll be 90 in October`, `will be thirteen on Saturday`, `she'd be 60 now`.
fn will_be(sentence: &str, range: &Range<usize>, before: &str) -> bool {
    if !before.eq_ignore_ascii_case("be") {
        return false;
    }
    let lead = word_before(sentence, offset_in(sentence, before));
    let contracted = listed!(lead, "he'll she'll i'll you'll he'd she'd i'd they'll who'll");
    let person = listed!(
        word_before(sentence, offset_in(sentence, lead)),
        "he she i pt patient who mom dad mother father son daughter wife husband",
    );
    let future = listed!(lead, "will would");
    let opens = sentence[..offset_in(sentence, lead)].trim().is_empty();
    (contracted || future && (person || opens))
        && (listed!(word_after(sentence, range.end), "in on this next if when tomorrow soon now come")
            || ends(sentence, range.end))
}

/// `I hit seventy-five`, `she's pushing 90`, `he reached ninety`.
fn passed(sentence: &str, range: &Range<usize>, before: &str, value: u32) -> bool {
    let person = || word_before(sentence, offset_in(sentence, before));
    value > 12
        && (listed!(before, "hit reached reaches") && listed!(person(), "i he she we")
            || listed!(before, "pushing") && listed!(person(), "he's she's i'm is was"))
        && !listed!(word_after(sentence, range.end), "on with over systolic mmhg percent bpm")
}

/// `he was 5 when the family moved`, `the man himself 70`.
fn was(sentence: &str, range: &Range<usize>, before: &str) -> bool {
    let lead = || word_before(sentence, offset_in(sentence, before));
    let ended = ends(sentence, range.end);
    listed!(before, "himself herself") && listed!(lead(), "man woman patient pt he she is was father mother") && ended
        || listed!(before, "is") && listed!(lead(), "pt patient she") && at_weeks(&sentence[range.end..])
        || listed!(before, "was") && listed!(lead(), "he she i") && listed!(word_after(sentence, range.end), "when")
}

/// `@ 28 weeks` of a pregnancy, after the age of the mother.
fn at_weeks(rest: &str) -> bool {
    let weeks = rest.strip_prefix(" @ ").or_else(|| rest.strip_prefix(" at ")).unwrap_or_default();
    let unit = weeks.trim_start_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '/');
    unit.len() < weeks.len() && unit.trim_start().starts_with('w')
}

/// Whether what is said ends after a number.
fn ends(sentence: &str, at: usize) -> bool {
    matches!(byte_at(sentence, at), b',' | b'.' | b';' | b')' | b'!' | b'?' | b'\n')
        && !byte_at(sentence, at + 1).is_ascii_digit()
        || sentence[at..].trim_end().is_empty()
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn ages(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Age])
    }

    #[test]
    fn ages_that_are_said() {
        for (sentence, age) in [
            ("He'll be 90 in October if he makes it", "90"),
            ("That's Micah, he's three. And my aunt", "three"),
            ("first name Dale, \"pushin' fifty,\" a farmer", "fifty"),
            ("will be thirteen on Saturday", "thirteen"),
            ("\"ever since I hit seventy-five my knees quit\"", "seventy-five"),
            ("she's pushing 90 and drives", "90"),
            ("cousin drowned, was only sixteen", "sixteen"),
            ("pt reports being \"fifty something\"", "fifty"),
            ("Ninety-two, lives with her sister", "Ninety-two"),
            ("he was 5 when the family moved", "5"),
            ("Pt 99 years young", "99"),
            ("the man himself 70.", "70"),
            ("sister in law Ms Ortega, ninety-one, who is a hoot", "ninety-one"),
            ("palm-oil trader, lived to ninety-four", "ninety-four"),
            ("pt is 28 @ 28 weeks, EFW 1180 g", "28"),
        ] {
            assert_eq!(ages(sentence), [age], "{sentence}");
        }
    }

    #[test]
    fn amounts_that_are_said() {
        for sentence in [
            "dose will be 40 in the morning",
            "pressure hit 90 on the floor",
            "there was only 50 in the bag",
            "sats reached 90",
            "twenty, at most",
        ] {
            assert_eq!(ages(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
