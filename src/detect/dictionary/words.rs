//! The words of a sentence as the dictionary rules see them.
//!
//! ```text
//! "Seen by J. O'Brien-Smith, M.D., in Troy"
//!   Seen by J O'Brien-Smith M.D. in Troy      a word keeps inner apostrophes and hyphens, credentials their dots
//!       ␣  ␣ .␣            ,␣   …             and knows what stands before it
//! ```

mod cues;
mod cut;
mod facts;

use super::markers::{Marker, marker};
use super::unexplained::Use;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, PhrasePart, WordFlags, WordInfo};

pub(super) use self::cues::Cues;
use self::cues::Listing;
use self::cut::Cut;
use self::facts::Facts;

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Small letters first.
    Lower,
    /// One capital letter alone, or a given name that is cut short: `J.`, `Wm.`
    Initial,
    /// A capital first: `Smith`, `McDonald`.
    Capital,
    /// Capitals only, at least two.
    Upper,
}

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing: the first word of the sentence.
    Start,
    /// White space.
    Space,
    /// A comma and perhaps white space.
    Comma,
    /// A full stop and perhaps white space.
    Stop,
    /// A colon or number sign, perhaps with white space.
    Colon,
    /// An opening bracket or quotation mark.
    Bracket,
    /// A hyphen without white space.
    Hyphen,
    /// Anything else, numbers too.
    Other,
}

/// A word of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// How it is written.
    pub(super) shape: Shape,
    /// What stands before it.
    pub(super) gap: Gap,
    /// What it says of its neighbours.
    pub(super) marker: Option<Marker>,
    /// What the lexicon knows of a word with a capital; nothing of others.
    pub(super) info: WordInfo,
    /// What the lexicon knows of the word, in small letters too.
    pub(super) known: WordInfo,
    /// What part it can have in a phrase of the lexicon.
    part: PhrasePart,
    /// The rules that it can set off.
    pub(super) cues: Cues,
    /// What it means for the capitals beside it.
    pub(super) usage: Option<Use>,
    /// What white space and digits stand before it.
    pub(super) blank: Blank,
}

/// What stands before a word, mark by mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Blank {
    /// A line break.
    pub(super) line: bool,
    /// A tab.
    pub(super) tab: bool,
    /// Two blanks side by side.
    pub(super) wide: bool,
    /// A digit.
    pub(super) digit: bool,
}

impl Blank {
    fn of(between: &str) -> Self {
        if usual_gap(between).is_some() {
            return Self::default();
        }
        let bytes = between.as_bytes();
        Self {
            line: bytes.contains(&b'\n'),
            tab: bytes.contains(&b'\t'),
            wide: bytes.windows(2).any(|pair| pair == b"  "),
            digit: bytes.iter().any(u8::is_ascii_digit),
        }
    }
}

impl Word {
    /// Whether the marker is the given one.
    #[inline]
    pub(super) fn is(&self, marker: Marker) -> bool {
        self.marker == Some(marker)
    }

    /// Whether it is written as names are.
    #[inline]
    pub(super) fn is_capital(&self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Upper)
    }
}

/// `Wm. Smith`, `Geo. Hallam`: a given name that a full stop cuts short stands for it as an initial does.
fn is_cut_short(word: &str) -> bool {
    listed!(word, "wm chas geo jas jos thos robt benj edw saml danl richd fredk alexr margt eliz jno")
}

/// A sentence cut into words.
pub(super) struct Words<'s> {
    /// The sentence.
    pub(super) sentence: &'s str,
    /// Its words, in order.
    pub(super) list: Vec<Word>,
    /// Whether capitals tell nothing, for most words are written in them.
    pub(super) shouted: bool,
    /// The rules that any of its words can set off.
    pub(super) cues: Cues,
    /// Whether there is a digit.
    pub(super) digits: bool,
}

impl<'s> Words<'s> {
    /// Cuts a sentence.
    pub(super) fn of(sentence: &'s str, lexicon: &Lexicon) -> Self {
        let mut words = Self {
            sentence,
            list: Vec::with_capacity(sentence.len() / 5 + 1),
            shouted: false,
            cues: Cues::NONE,
            digits: sentence.bytes().any(|byte| byte.is_ascii_digit()),
        };
        facts::with_memory(|memory| {
            let cuts = memory.cut(sentence);
            let mut before = 0;
            for &Cut { start, end, credential } in &cuts {
                let facts = memory.facts(&sentence[start..end], lexicon);
                let word = words.word(before, start, end, facts);
                let marker = if credential { Some(Marker::Credential) } else { word.marker };
                words.list.push(Word { marker, ..word });
                before = end;
            }
            memory.give_back(cuts);
        });
        words.shouted = words.is_shouted();
        words
    }

    /// The word at `start..end`, behind the one that ends at `before`.
    fn word(&mut self, before: usize, start: usize, end: usize, facts: Facts) -> Word {
        let bytes = self.sentence.as_bytes();
        let between = &self.sentence[before..start];
        let glued = start > 0 && bytes[start - 1].is_ascii_digit() || bytes.get(end).is_some_and(u8::is_ascii_digit);
        let gap = if glued { Gap::Other } else { gap_of(between, self.list.is_empty()) };
        let Facts { shape, known, part, listing: Listing { marker, usage, cues } } = facts;
        // A name goes on behind the full stop.
        let goes_on = |rest: &str| rest[1..].trim_start_matches(' ').starts_with(char::is_uppercase);
        let is_stopped = bytes.get(end) == Some(&b'.') && goes_on(&self.sentence[end..]);
        let is_cut_short = is_stopped && is_cut_short(&self.sentence[start..end]);
        let shape = if is_cut_short && shape == Shape::Capital { Shape::Initial } else { shape };
        self.cues |= cues;
        let info = if shape == Shape::Lower { WordInfo::UNKNOWN } else { known };
        Word { start, end, shape, gap, marker, info, known, part, cues, usage, blank: Blank::of(between) }
    }

    /// Whether most words are written in capitals.
    fn is_shouted(&self) -> bool {
        let (mut upper, mut lower) = (0, 0);
        for word in &self.list {
            match word.shape {
                Shape::Upper => upper += 1,
                Shape::Lower if word.end - word.start > 1 => lower += 1,
                Shape::Capital => lower += 1,
                _ => {}
            }
        }
        upper > 2 * lower && upper + lower > 0
    }

    /// A word's characters.
    #[inline]
    pub(super) fn text(&self, index: usize) -> &'s str {
        let word = &self.list[index];
        &self.sentence[word.start..word.end]
    }

    /// The word at an index.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&Word> {
        self.list.get(index)
    }

    /// The characters between a word and the one before it, or the start of the sentence.
    #[inline]
    pub(super) fn between(&self, index: usize) -> &'s str {
        let from = index.checked_sub(1).map_or(0, |before| self.list[before].end);
        &self.sentence[from..self.list[index].start]
    }

    /// The characters after a word.
    #[inline]
    pub(super) fn between_after(&self, index: usize) -> &'s str {
        &self.sentence[self.list[index].end..]
    }

    /// The characters from one word to another, both included.
    pub(super) fn phrase(&self, first: usize, last: usize) -> &'s str {
        &self.sentence[self.list[first].start..self.list[last].end]
    }

    /// Whether the words `first..=last` are joined by white space, hyphens or the dots of abbreviations only.
    pub(super) fn joined(&self, first: usize, last: usize) -> bool {
        (first + 1..=last).all(|index| match self.list[index].gap {
            Gap::Space | Gap::Hyphen => true,
            Gap::Stop => self.list[index - 1].end - self.list[index - 1].start <= 3,
            _ => false,
        })
    }

    /// What the lexicon knows of a phrase or of a word in small letters.
    #[inline]
    pub(super) fn look_up(&self, first: usize, last: usize) -> WordInfo {
        if first == last {
            self.list[first].known
        } else if self.are_phrase(first, last) {
            Lexicon::shared().word(self.phrase(first, last))
        } else {
            WordInfo::UNKNOWN
        }
    }

    /// What the lexicon knows of just these words, not of a half of them nor of what a scanner misread.
    pub(super) fn exactly(&self, first: usize, last: usize) -> WordInfo {
        let word = &self.list[first];
        if first < last || word.shape == Shape::Lower {
            self.look_up(first, last)
        } else if word.known == WordInfo::UNKNOWN {
            word.known
        } else {
            Lexicon::shared().word(self.text(first))
        }
    }

    /// Whether the lexicon may hold the phrase of the words `first..=last`; never no where it does.
    fn are_phrase(&self, first: usize, last: usize) -> bool {
        let pair = self.is_apart(first) && (last == first + 1 || self.is_apart(first + 1));
        self.may_be_phrase(first)
            && (!pair || Lexicon::shared().may_hold_pair(self.list[first].part, self.list[first + 1].part))
    }

    /// Whether the lexicon may hold a phrase of several words that begins with the word at `first`; never no where it does.
    #[inline]
    pub(super) fn may_be_phrase(&self, first: usize) -> bool {
        self.list[first].cues.has(Cues::PHRASE) || !self.is_apart(first)
    }

    /// Whether a word and the next are two to the lexicon: without a blank between them, or with nothing that counts in the
    /// second, they may make a single one.
    #[inline]
    pub(super) fn is_apart(&self, first: usize) -> bool {
        self.get(first + 1).is_some_and(|next| {
            let bytes = self.sentence.as_bytes();
            matches!(bytes[self.list[first].end], b' ' | b'-' | b'\n') && bytes[next.start].is_ascii_alphabetic()
        })
    }

    /// Whether any word of the text before `index`, at most `reach` back, has the marker.
    pub(super) fn marked_before(&self, index: usize, reach: usize, marker: Marker) -> bool {
        self.list[index.saturating_sub(reach)..index].iter().any(|word| word.is(marker))
    }
}

/// What most often stands between two words, without a look at each of its characters.
fn usual_gap(between: &str) -> Option<Gap> {
    match between {
        " " => Some(Gap::Space),
        "," | ", " => Some(Gap::Comma),
        ". " => Some(Gap::Stop),
        ": " => Some(Gap::Colon),
        " (" => Some(Gap::Bracket),
        "-" => Some(Gap::Hyphen),
        "/" | "; " => Some(Gap::Other),
        _ => None,
    }
}

fn gap_of(between: &str, first: bool) -> Gap {
    if let Some(gap) = usual_gap(between).filter(|_| !first) {
        return gap;
    }
    let marks = between.trim();
    match marks {
        "" if first => Gap::Start,
        // Only a lost blank lets two words touch.
        "" if between.is_empty() => Gap::Space,
        "" => Gap::Space,
        "," => Gap::Comma,
        "." => Gap::Stop,
        ":" | "#" | ":#" | "=" | ": (" => Gap::Colon,
        "'" | "’" if between.len() == marks.len() => Gap::Other,
        "(" | "\"" | "[" | "“" | "'" => Gap::Bracket,
        "-" if between == "-" => Gap::Hyphen,
        _ if first => Gap::Start,
        _ => Gap::Other,
    }
}

/// Flags of words that are mostly something else than a name.
pub(super) const MEDICAL: WordFlags = WordFlags::MEDICAL
    .union(WordFlags::DRUG)
    .union(WordFlags::ABBREVIATION)
    .union(WordFlags::CARE_ROLE)
    .union(WordFlags::NATIONALITY);

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(sentence: &str) -> Vec<(&str, Shape, Gap)> {
        let words = Words::of(sentence, Lexicon::shared());
        (0..words.list.len()).map(|index| (words.text(index), words.list[index].shape, words.list[index].gap)).collect()
    }

    #[test]
    fn names_stay_whole() {
        assert_eq!(
            cut("by J. O'Brien-Smith's, M.D."),
            [
                ("by", Shape::Lower, Gap::Start),
                ("J", Shape::Initial, Gap::Space),
                ("O'Brien-Smith", Shape::Capital, Gap::Stop),
                ("s", Shape::Lower, Gap::Other),
                ("M.D", Shape::Upper, Gap::Comma),
            ]
        );
        assert_eq!(cut("3 é"), [("é", Shape::Lower, Gap::Start)]);
    }

    #[test]
    fn lost_blanks_and_misread_letters_are_mended() {
        let words = |sentence| cut(sentence).into_iter().map(|(word, ..)| word).collect::<Vec<_>>();
        assert_eq!(words("DrWinslow withMarisela"), ["Dr", "Winslow", "with", "Marisela"]);
        assert_eq!(words("MSContin mRNA McDonald eGFR"), ["MSContin", "mRNA", "McDonald", "eGFR"]);
        assert_eq!(words("R0BERTO"), ["R0BERTO"]);
        assert_eq!(words("CO2 T4N0M0"), ["CO", "T", "N", "M"]);
    }
}
