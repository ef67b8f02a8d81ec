//! Where a sentence is cut that is too long.
//!
//! ```text
//! "… WAS SEEN WITH HER SON ZEBULON KOWALCZYK AND TOLD DR QUORLIN SSN 123 45 6789 …"
//!    └────────────────┘   └──────────────────┘        └────────┘ └─────────────┘
//!    beside a common word a name                      a title    numbers
//! ```
//!
//! No detector sees an identifier of which each of two sentences has a half. So of all blanks in reach that one is taken which is least
//! likely to stand in an identifier; of several like it, the last.

use std::ops::Range;

use super::marks::belongs_to_word;
use super::words::Word;

/// A sentence longer than this, in bytes, is cut.
pub(super) const LONGEST: usize = 2_000;
/// How far before its limit it may be cut, for a better place.
const REACH: usize = 500;
/// How much of a word is read.
const LONGEST_WORD: usize = 64;
/// As many blanks part cells, or paragraphs that were put into one line.
const WIDE_GAP: usize = 3;

/// What a blank parts, from the best place for a cut to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Two clauses or cells: `daily; call`.
    Clauses,
    /// Two words in small letters of which one is common: `pain with`.
    CommonSmall,
    /// Two words in small letters.
    Small,
    /// A common word and another: `SMITH WAS`.
    Common,
    /// A word in small letters, or a sign, and a capitalised word: `seen Smith`.
    Mixed,
    /// A number with a comma, and a word: `Pain 3, Sleep`.
    Listed,
    /// Two capitalised words, which may be a name.
    Capitals,
    /// A number and a word: `14 March`.
    AfterNumber,
    /// What belongs together: `Dr. Lee`, `MRN: x`, `no 12`, `123 45`.
    Whole,
}

/// A cut in a text with no boundary within [`LONGEST`] bytes of `start`: at the best blank in [`REACH`], else at any other, else behind
/// what parts fields, else between characters.
pub(super) fn cut(text: &str, start: usize) -> usize {
    let limit = text.floor_char_boundary(start + LONGEST);
    let near = text.floor_char_boundary(limit - REACH);
    let reach = &text[near..limit];
    let blanks = reach.char_indices().rev().filter(|(_, character)| character.is_whitespace());
    let places = blanks.filter_map(|(blank, character)| {
        let next = near + blank + character.len_utf8();
        let is_last = text[next..].chars().next().is_some_and(|next| !next.is_whitespace());
        is_last.then(|| (Place::of(text, start, near + blank, next), near + blank))
    });
    if let Some((_, end)) = places.min_by_key(|(place, _)| *place) {
        return end;
    }
    let blank = text[start..near].rfind(char::is_whitespace).map(|blank| start + blank);
    let mark = || reach.rfind(['|', ';', ',']).map(|mark| near + mark + 1);
    blank.or_else(mark).unwrap_or(limit)
}

/// Whether a sentence looks as if it was cut before what begins at `next` in the same line: it is long, and nothing ends it.
pub(super) fn was_cut(text: &str, sentence: &Range<usize>, next: usize) -> bool {
    if sentence.len() < LONGEST / 2 {
        return false;
    }
    let words = text[sentence.clone()].trim_end_matches(['"', '\'', ')', ']', '”', '’']);
    match words.as_bytes().last() {
        Some(b'?' | b'!') => false,
        Some(b'.') => belongs_to_word(text, sentence.start, sentence.start + words.len() - 1, next),
        _ => true,
    }
}

impl Place {
    /// What the white space parts whose last character stands at `at`, before the word at `next`. Nothing before `start` is read.
    fn of(text: &str, start: usize, at: usize, next: usize) -> Self {
        let reach = &text[start.max(text.floor_char_boundary(at.saturating_sub(LONGEST_WORD)))..at];
        let words = reach.trim_end();
        let (earlier, before) = words.rsplit_once(char::is_whitespace).unwrap_or(("", words));
        let after = &text[next..text.floor_char_boundary(next + LONGEST_WORD)];
        let after = after.split(char::is_whitespace).next().unwrap_or_default();
        let end = at - (reach.len() - words.len());
        let is_abbreviated = before.ends_with('.') && belongs_to_word(text, start, end - 1, next);
        if is_abbreviated || announces(before) || holds_digit(after) {
            return Self::Whole;
        }
        let is_wide = reach[words.len()..].chars().count() + 1 >= WIDE_GAP;
        // A mark alone belongs to what follows: `? PE`.
        if is_wide || before.len() > 1 && before.ends_with(['.', ';', '?', '!']) {
            return Self::Clauses;
        }
        let (left, right) = (bare(before), bare(after));
        let is_common = is_common(left) || is_common(right);
        match (is_small(left), is_small(right)) {
            _ if holds_digit(before) && before.ends_with(',') => Self::Listed,
            _ if holds_digit(before) => Self::AfterNumber,
            (true, true) if is_common => Self::CommonSmall,
            _ if is_common => Self::Common,
            // `DR ZEBULON KOWALCZYK`
            _ if announces(earlier.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default()) => Self::Whole,
            (true, true) => Self::Small,
            (false, false) if !left.is_empty() && !right.is_empty() => Self::Capitals,
            _ => Self::Mixed,
        }
    }
}

/// Whether something must follow a word: a title, an abbreviation, a label.
fn announces(word: &str) -> bool {
    let known = Word::of(bare(word).as_bytes());
    let abbreviates = known.is(Word::ABBREVIATION) && !known.is(Word::GOES_ON);
    abbreviates || known.is(Word::TITLE) || word.ends_with([':', '#', '='])
}

/// Whether a word is one of the commonest: `WITH`, `was`. A letter may be an initial.
fn is_common(word: &str) -> bool {
    word.len() > 1 && Word::of(word.as_bytes()).is(Word::GOES_ON)
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|character: char| !character.is_alphanumeric())
}

fn is_small(word: &str) -> bool {
    word.chars().next().is_some_and(|first| !first.is_uppercase())
}

fn holds_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::super::sentences;
    use super::*;

    fn cut_into(text: &str) -> Vec<&str> {
        sentences(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn an_identifier_is_in_one_sentence_wherever_the_limit_is() {
        const SHOUTED: &str = "THE PAIN WAS WORK ";
        const LISTED: &str = "Pain 3, Sleep 4, ";
        const SMALL: &str = "the pain was better and she took food ";
        let cases = [
            (SHOUTED, "SSN 123 45 6789"),
            (SHOUTED, "PHONE 806 716 3134"),
            (SHOUTED, "DR ZEBULON KOWALCZYK"),
            (SHOUTED, "SON ZEBULON KOWALCZYK"),
            (SHOUTED, "MARCH 14 2019"),
            (LISTED, "Dr. Quorlin, Paul"),
            (LISTED, "(806) 716-3134"),
            (SMALL, "mr zebulon kowalczyk"),
            (SMALL, "Dr. Paul Quorlin"),
            (SMALL, "St. Brendan Medical Center"),
            (SMALL, "MRN no. 82439581"),
            (SMALL, "tel. 806 716 3134"),
        ];
        for (words, value) in cases {
            for at in 1_900..2_020 {
                for wide in [false, true] {
                    let text = format!("{} {value} {}", &words.repeat(120)[..at], words.repeat(60));
                    let blank = if wide { "  " } else { " " };
                    let (text, value) = (text.replace(' ', blank), value.replace(' ', blank));
                    assert!(cut_into(&text).iter().any(|sentence| sentence.contains(&value)), "{value} at {at}");
                }
            }
        }
    }

    #[test]
    fn the_best_place_in_reach_is_taken() {
        let place =
            |before: &str, after: &str| Place::of(&format!("{before} {after}"), 0, before.len(), before.len() + 1);
        assert_eq!(place("once daily;", "call"), Place::Clauses);
        assert_eq!(place("Name   ", "Smith"), Place::Clauses);
        assert_eq!(place("pain", "with"), Place::CommonSmall);
        assert_eq!(place("pain", "today"), Place::Small);
        assert_eq!(place("SMITH", "WAS"), Place::Common);
        assert_eq!(place("seen", "Smith"), Place::Mixed);
        assert_eq!(place("Pain 3,", "Sleep"), Place::Listed);
        assert_eq!(place("SMITH,", "JOHN"), Place::Capitals);
        assert_eq!(place("JOHN A", "SMITH"), Place::Capitals);
        assert_eq!(place("on 14", "March"), Place::AfterNumber);
        let wholes = [("Dr.", "Lee"), ("DR", "LEE"), ("MRN:", "AB"), ("no.", "of"), ("123", "45"), ("DR ANN", "LEE")];
        for (before, after) in wholes {
            assert_eq!(place(before, after), Place::Whole, "{before} {after}");
        }
    }

    #[test]
    fn a_text_without_blanks_is_cut_behind_fields() {
        let fields = "SMITH^JOHN|4417093|".repeat(400);
        assert!(sentences(&fields).all(|range| fields[range].ends_with('|')));
        let blanks = "seen\u{a0}with\u{a0}SMITH,\u{a0}JOHN\u{a0}".repeat(300);
        assert!(cut_into(&blanks).iter().all(|sentence| !sentence.ends_with("SMITH,") && sentence.len() <= LONGEST));
    }

    #[test]
    fn a_cut_is_told_from_an_end() {
        let words = "WORK ".repeat(300);
        let ends = [("PHONE 806", true), ("Dr.", true), ("well.", false), ("why?", false), ("(well.)", false)];
        for (end, expected) in ends {
            let text = format!("{words}{end} 716 3134");
            let sentence = 0..words.len() + end.len();
            assert_eq!(was_cut(&text, &sentence, sentence.end + 1), expected, "{end}");
        }
        assert!(!was_cut("PHONE 806 716", &(0..9), 10));
    }
}
