//! A site's own dictionary: its units, staff, referring practices, local nicknames of places.
//!
//! ```text
//! HOSPITAL<tab>Lakeview East          "tx to LAKEVIEW-EAST, dr okonkwo-bright"
//! DOCTOR<tab>Okonkwo-Bright                  └ HOSPITAL        └ DOCTOR
//! ```
//!
//! Most of what an engine misses at a new hospital is that hospital's jargon (Hartman et al. 2020); a list of it is the cheapest
//! cure. Terms are found in any case, with any blanks or hyphens between their words, a line break among them; one that is also an
//! ordinary word, or an abbreviation of up to four letters, only as it is written in the list.
//!
//! One look at the first bytes of each word tells whether a term can begin there, so that a dictionary of a hundred thousand
//! terms costs about as much as an empty one.

use std::collections::HashMap;

use super::record::plain::{is_combining_mark, is_invisible, read};
use super::{DetectError, SentenceDetector};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Detector, Span};

/// The bits of the filter: far more than dictionaries have beginnings, and few enough for a processor's cache.
const FILTER_BITS: usize = 1 << 18;

/// How many words a term may have.
const LONGEST_TERM: usize = 12;

#[derive(Debug)]
struct Term {
    class: Class,
    /// As it is written in the list.
    text: Box<str>,
    /// Whether only that writing counts.
    exact: bool,
}

/// Terms with their labels, found in sentences.
#[derive(Debug, Default)]
pub struct SiteDictionary {
    /// A digest of the list.
    digest: String,
    terms: Vec<Term>,
    /// Terms by the hash of their words, in small letters, and an empty list for each beginning of one.
    by_words: HashMap<u64, Vec<u32>>,
    /// The widest gap between two words of a term as it is written, in bytes.
    widest: usize,
    filter: Vec<u64>,
}

impl SiteDictionary {
    /// Reads lines of a label, a tab and a term; empty lines and those that begin with `#` are left out.
    ///
    /// # Errors
    /// [`DetectError::Dictionary`] for a line without a label that exists, or without letters or digits.
    pub fn parse(text: &str) -> Result<Self, DetectError> {
        let mut terms = Vec::new();
        // As some editors write it.
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fail = |reason| DetectError::Dictionary { line: index + 1, reason };
            let (label, term) = line.split_once('\t').ok_or_else(|| fail("is no label, tab and term"))?;
            if term.contains(['\t', '\r']) {
                return Err(fail("has a third column, or several lines that end in CR alone"));
            }
            let class = label.trim().parse().map_err(|_| fail("has no label that exists"))?;
            let term = term.trim_matches(|c: char| !is_letter(c));
            let words = words(term).count();
            if words == 0 || words > LONGEST_TERM {
                return Err(fail("has no word, or more than twelve"));
            }
            terms.push(Term { class, text: term.into(), exact: is_ambiguous(term) });
        }
        Ok(Self { digest: blake3::hash(text.as_bytes()).to_hex().to_string(), ..Self::new(terms) })
    }

    fn new(terms: Vec<Term>) -> Self {
        let mut dictionary = Self { filter: vec![0; FILTER_BITS / 64], ..Self::default() };
        for (index, term) in terms.iter().enumerate() {
            let (mut key, mut before) = (NO_WORD, None);
            for (start, end) in words(&term.text) {
                match before.replace(end) {
                    Some(before) => dictionary.widest = dictionary.widest.max(start - before),
                    None => {
                        let bit = filter_bit(term.text.as_bytes(), start);
                        dictionary.filter[bit / 64] |= 1 << (bit % 64);
                    }
                }
                key = with_word(key, &term.text[start..end]);
                dictionary.by_words.entry(key).or_default();
            }
            dictionary.by_words.entry(key).or_default().push(index as u32);
        }
        dictionary.terms = terms;
        dictionary
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The longest term that begins at a word, with its end.
    fn at(&self, sentence: &str, start: usize) -> Option<(&Term, usize)> {
        let (mut at, mut found) = (start, None);
        let (mut key, mut terms) = self.with_word(NO_WORD, sentence, at)?;
        loop {
            found = terms.iter().find_map(|&index| self.term_at(sentence, start, index)).or(found);
            let end = at + word_length(&sentence[at..]);
            let Some((next, longer, more)) = self.next_word(key, sentence, end) else { return found };
            (at, key, terms) = (next, longer, more);
        }
    }

    /// The words of a key with the one at a place, and the terms of just these; none where no term begins so.
    fn with_word(&self, key: u64, sentence: &str, at: usize) -> Option<(u64, &[u32])> {
        let key = with_word(key, &sentence[at..at + word_length(&sentence[at..])]);
        Some((key, self.by_words.get(&key)?))
    }

    /// The word behind a gap with which a term goes on: behind what may stand in place of any gap, or what stands in one of a term.
    fn next_word(&self, key: u64, sentence: &str, end: usize) -> Option<(usize, u64, &[u32])> {
        let rest = &sentence[end..];
        let mut near = rest.char_indices().take_while(|(at, _)| *at <= self.widest);
        let own = near.find(|(_, character)| is_letter(*character)).map(|(at, _)| at);
        gap_length(rest).into_iter().chain(own).find_map(|gap| {
            let (key, terms) = self.with_word(key, sentence, end + gap)?;
            Some((end + gap, key, terms))
        })
    }

    /// A term and its end, where it stands at a place.
    fn term_at(&self, sentence: &str, start: usize, index: u32) -> Option<(&Term, usize)> {
        let term = &self.terms[index as usize];
        let end = term_end(&sentence[start..], &term.text)? + start;
        (!term.exact || sentence[start..end] == *term.text).then_some((term, end))
    }
}

impl SentenceDetector for SiteDictionary {
    fn detector(&self) -> Detector {
        Detector::Site
    }

    fn fingerprint(&self) -> String {
        self.digest.clone()
    }

    fn detect(&self, sentence: &str, spans: &mut Vec<Span>) {
        if self.is_empty() {
            return;
        }
        let bytes = sentence.as_bytes();
        let (mut at, mut inside) = (0, false);
        while let Some(&byte) = bytes.get(at) {
            let (word, length) = match byte {
                0..0x80 => (byte.is_ascii_alphanumeric(), 1),
                _ => beyond_ascii(&sentence[at..]),
            };
            if word && !inside {
                let bit = filter_bit(bytes, at);
                if self.filter[bit / 64] & (1 << (bit % 64)) != 0
                    && let Some((term, end)) = self.at(sentence, at)
                {
                    spans.push(Span::new(at, end, term.class, Detector::Site, 1.0));
                    (at, inside) = (end, false);
                    continue;
                }
            }
            inside = word;
            at += length;
        }
    }
}

/// Whether a character is part of a word; an accent of its own is.
fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || is_combining_mark(character)
}

/// Whether the first character of a text is part of a word, and its length.
fn beyond_ascii(text: &str) -> (bool, usize) {
    text.chars().next().map_or((false, 1), |character| (is_letter(character), character.len_utf8()))
}

/// The place in the filter of a word's first four bytes, small and capital letters being the same.
fn filter_bit(bytes: &[u8], start: usize) -> usize {
    let mut prefix = 0_u32;
    // Beyond ASCII small and capital letters differ in more than a bit, and so do letters and marks: those count for nothing.
    for &byte in bytes[start..].iter().take(4).take_while(|byte| byte.is_ascii_alphanumeric()) {
        prefix = prefix << 8 | u32::from(byte | 0x20);
    }
    (prefix.wrapping_mul(0x9E37_79B1) >> 14) as usize
}

/// The key of no words.
const NO_WORD: u64 = 0xCBF2_9CE4_8422_2325;

/// The key of some words and one more, the same for small and capital letters.
fn with_word(key: u64, word: &str) -> u64 {
    let letters = word.chars().flat_map(char::to_lowercase).chain([' ']);
    letters.fold(key, |hash, letter| (hash ^ u64::from(letter)).wrapping_mul(0x0100_0000_01B3))
}

fn word_length(text: &str) -> usize {
    text.find(|character: char| !is_letter(character)).unwrap_or(text.len())
}

/// The places of the words of a term.
fn words(term: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + term[at..].find(is_letter)?;
        at = start + word_length(&term[start..]);
        Some((start, at))
    })
}

/// The length of a gap between two words of a term: blanks, hyphens, apostrophes or dots, at most one line break with its indent.
fn gap_length(text: &str) -> Option<usize> {
    let (mut at, mut marks, mut breaks) = (0, 0, 0);
    while let Some((mark, length)) = read(&text[at..])
        && (mark.is_whitespace() || is_invisible(mark) || "-'‘’.&/,".contains(mark))
    {
        at += length;
        marks += 1;
        breaks += usize::from(mark == '\n');
    }
    ((1..=4).contains(&marks) && breaks <= 1).then_some(at)
}

/// The end of a term at the beginning of a text: the same words, with what stands between them in the term, or with blanks,
/// hyphens, apostrophes or dots.
fn term_end(text: &str, term: &str) -> Option<usize> {
    let (mut at, mut before) = (0, None);
    for (start, end) in words(term) {
        if let Some(before) = before.replace(end) {
            let rest = &text[at..];
            let own = term.get(before..start).filter(|own| rest.starts_with(own));
            let gap = own.map(str::len).filter(|&gap| rest[gap..].starts_with(is_letter));
            at += gap.or_else(|| gap_length(rest))?;
        }
        let length = word_length(&text[at..]);
        let equal = text[at..at + length]
            .chars()
            .flat_map(char::to_lowercase)
            .eq(term[start..end].chars().flat_map(char::to_lowercase));
        if !equal {
            return None;
        }
        at += length;
    }
    Some(at)
}

/// Whether a term is also a word of the language, or so short an abbreviation that its small letters may be anything.
fn is_ambiguous(term: &str) -> bool {
    let info = Lexicon::shared().word(term);
    info.english_band().is_some()
        || info.is(WordFlags::MEDICAL)
        || term.len() <= 4 && term.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;
    use proptest::prelude::*;

    fn found(dictionary: &str, sentence: &str) -> Vec<(String, Label)> {
        let mut spans = Vec::new();
        SiteDictionary::parse(dictionary).unwrap().detect(sentence, &mut spans);
        spans.iter().map(|span| (sentence[span.start..span.end].to_owned(), span.leading().class.label)).collect()
    }

    #[test]
    fn terms_in_any_case_and_joint() {
        let list =
            "# ours\nHOSPITAL\tLakeview East\nDOCTOR\tOkonkwo-Bright\nHOSPITAL\tLakeview\n\nDOCTOR\tÉmile Ñandú\n";
        assert_eq!(
            found(list, "tx to LAKEVIEW-EAST, dr okonkwo bright; lakeview."),
            [
                ("LAKEVIEW-EAST".into(), Label::Hospital),
                ("okonkwo bright".into(), Label::Doctor),
                ("lakeview".into(), Label::Hospital)
            ]
        );
        assert_eq!(found(list, "émile ñandú"), [("émile ñandú".into(), Label::Doctor)]);
        assert_eq!(found(list, "Lakeviewer, Brightokonkwo"), []);
    }

    #[test]
    fn of_terms_that_begin_alike_the_longest_counts() {
        let list = "HOSPITAL\tSaint Marys East Annex\nHOSPITAL\tSaint Marys\nHOSPITAL\tSaint Marys West\nCITY\tSaint";
        for (text, term) in [
            ("at saint marys east.", "saint marys"),
            ("at saint-marys west wing", "saint-marys west"),
            ("Saint Marys East Annex", "Saint Marys East Annex"),
            ("Saint Maryse", "Saint"),
        ] {
            assert_eq!(found(list, text).into_iter().map(|(value, _)| value).collect::<Vec<_>>(), [term], "{text}");
        }
    }

    #[test]
    fn ambiguous_terms_as_they_are_written() {
        let list = "HOSPITAL\tPIT\nHOSPITAL\tSpring\nHOSPITAL\tLPC";
        assert_eq!(found(list, "pit edema, spring, lpc"), []);
        assert_eq!(found(list, "in PIT, at Spring, LPC").len(), 3);
    }

    #[test]
    fn marks_around_and_between_words_are_no_part_of_them() {
        let list = "HOSPITAL\tZebra Room\nHOSPITAL\tZRX\nDOCTOR\tOkonkwo-Bright\nHOSPITAL\tPier™: East\n\
            DOCTOR\tÉmile D’Quexo";
        for term in [
            "Zebra Room",
            "Zebra\u{a0}Room",
            "Zebra\u{2009}Room",
            "Zebra–Room",
            "Zebra\u{2011}Room",
            "Zebra\r\n      Room",
            "Zebra &nbsp;Room",
            "ZRX",
            "okonkwo–bright",
            "PIER™: EAST",
            "émile d'quexo",
        ] {
            for text in [
                format!("in ‘{term}’ again"),
                format!("•{term}"),
                format!("—{term}—"),
                format!("\u{200b}{term}…"),
                format!("“{term}”"),
                format!("{term}’s beds"),
            ] {
                let all: Vec<String> = found(list, &text).into_iter().map(|(value, _)| value).collect();
                assert_eq!(all, [term], "{text}");
            }
        }
        assert_eq!(found(list, "Zebra\n\nRoom, Zebraroom, xZebra Room, Zebra Roomé, zrx’s"), []);
    }

    #[test]
    fn bad_lines_are_told_by_number() {
        for (text, line) in [
            ("HOSPITAL Lakeview", 1),
            ("# x\nNOSUCH\tLakeview", 2),
            ("CITY\t--", 1),
            ("CITY\tAmes\nHOSPITAL\tLakeview East\tnight ward", 2),
            ("HOSPITAL\tLakeview\rCITY\tAmes", 1),
        ] {
            let error = SiteDictionary::parse(text).unwrap_err();
            assert!(error.to_string().contains(&format!("line {line} ")), "{error}");
            assert!(!error.to_string().contains("Lakeview"));
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_sound_spans(term in "[\\PC]{0,12}[a-zé]", text in "\\PC{0,60}") {
            let Ok(dictionary) = SiteDictionary::parse(&format!("CITY\t{term}")) else { return Ok(()) };
            for sentence in [format!("{text} {term} {text}"), format!("{text}{term}"), text] {
                let mut spans = Vec::new();
                dictionary.detect(&sentence, &mut spans);
                for span in spans {
                    prop_assert!(sentence.get(span.start..span.end).is_some_and(|part| !part.is_empty()));
                }
            }
        }

        #[test]
        fn a_term_is_found_where_it_stands(term in "[A-Z][a-z]{3,8}( [A-Z][a-z]{2,8}){0,2}", before in "([a-z]{1,6} ){0,4}") {
            let mut spans = Vec::new();
            let sentence = format!("{before}{term}.");
            SiteDictionary::parse(&format!("CITY\t{term}")).unwrap().detect(&sentence, &mut spans);
            prop_assert!(spans.iter().any(|span| sentence[span.start..span.end] == term), "{:?}", spans);
        }
    }
}
