//! Which sentences the dear members must see: those with a word that is neither claimed already nor explained by vocabulary.
//!
//! ```text
//! Abdomen soft, no rebound; continue [metoprolol] 25 mg bid.     every word is an ordinary or a medical one: not asked
//! Seen by Dr. [Okafor] on [3/4/2019].                            what is no ordinary word is claimed already: not asked
//! Discussed with Kay, who will call the Elks.                    Kay, Elks: asked
//! ```
//!
//! The lexicon is asked once a word, some thousand times cheaper than a transformer. What this costs in recall, and what it saves,
//! is measured (README, detection).

use crate::lexicon::{Lexicon, WordFlags, WordInfo};
use crate::phi::Span;
use crate::text::{Token, TokenKind, tokens};

/// Words that name no one, however they are written.
const TERM: WordFlags = WordFlags::MEDICAL
    .union(WordFlags::DRUG)
    .union(WordFlags::ABBREVIATION)
    .union(WordFlags::CARE_ROLE)
    .union(WordFlags::NATIONALITY)
    .union(WordFlags::HEADING);
/// Words that are, or announce, a hospital or an organization.
pub(super) const SITE: WordFlags = WordFlags::HOSPITAL.union(WordFlags::ORGANIZATION).union(WordFlags::KIND_CUES);
/// Words that may be part of a name, a place or a job.
const NAMING: WordFlags = WordFlags::GIVEN_NAME
    .union(WordFlags::NICKNAME)
    .union(WordFlags::CITY)
    .union(WordFlags::STATE)
    .union(WordFlags::COUNTRY)
    .union(WordFlags::LANDMARK)
    .union(WordFlags::PROFESSION)
    .union(SITE);
/// Words that stand beside names without being a part of them.
const BESIDE_NAMES: WordFlags = WordFlags::CARE_ROLE.union(WordFlags::HEADING).union(WordFlags::DRUG);
/// The commonest words, which are read as words even where they are names too: the SCOWL list of 4,000.
pub(super) const COMMONEST: u8 = 10;
/// Ordinary words of English, as SCOWL numbers its lists.
pub(super) const ORDINARY: u8 = 60;

/// Whether a sentence has a word that nothing explains; `known` are the united spans that other members claim.
///
/// Beside a claimed word a word must be a very common one, in small letters: a name, a site or an address often goes on.
pub(super) fn asks(sentence: &str, known: &[Span]) -> bool {
    let lexicon = Lexicon::shared();
    let shouted = !sentence.contains(char::is_lowercase);
    let claims = |token: &Token| {
        let next = known.partition_point(|span| span.end <= token.start);
        known.get(next).is_some_and(|span| span.start <= token.start)
    };
    let mut first = true;
    let mut beside = false;
    let mut tokens = tokens(sentence).peekable();
    while let Some(token) = tokens.next() {
        let begins = std::mem::take(&mut first);
        if claims(&token) {
            beside = true;
            continue;
        }
        if token.kind == TokenKind::Punctuation {
            first = begins;
            if token.text(sentence) == "@" {
                return true;
            }
            continue;
        }
        let beside = std::mem::take(&mut beside) || tokens.peek().is_some_and(claims);
        let explained = match beside {
            true => is_commonest(token.text(sentence), lexicon),
            false => is_explained(sentence, token, begins || shouted, lexicon),
        };
        if !explained {
            return true;
        }
    }
    false
}

/// Whether a word is one of the commonest, as it is written.
fn is_commonest(word: &str, lexicon: &Lexicon) -> bool {
    let info = lexicon.word(word);
    let small = !word.contains(char::is_uppercase);
    small && info.english_size().is_some_and(|size| size <= COMMONEST) || info.is_any(BESIDE_NAMES)
}

/// Whether vocabulary explains every word of a stretch of a sentence: ordinary words in small letters, medical ones in any.
pub(super) fn is_ordinary(sentence: &str, start: usize, end: usize) -> bool {
    let lexicon = Lexicon::shared();
    let shouted = !sentence.contains(char::is_lowercase);
    let plain = shouted || !sentence[..start].contains(char::is_alphanumeric);
    tokens(&sentence[start..end]).enumerate().all(|(place, token)| {
        let token = Token { start: token.start + start, end: token.end + start, ..token };
        is_explained(sentence, token, shouted || plain && place == 0, lexicon)
    })
}

/// `plain`: whether capital letters say nothing, for the word begins the sentence or everything is shouted.
fn is_explained(sentence: &str, token: Token, plain: bool, lexicon: &Lexicon) -> bool {
    let word = token.text(sentence);
    match token.kind {
        TokenKind::Punctuation => !matches!(word, "@"),
        TokenKind::Number => word.len() < 4,
        TokenKind::Alphanumeric => lexicon.word(word).is_any(TERM) || is_measured(word),
        TokenKind::Word => {
            let small = plain || !word.contains(char::is_uppercase);
            explains(lexicon.word(word), small)
        }
    }
}

fn explains(info: WordInfo, small: bool) -> bool {
    let ordinary = |most: u8| info.english_size().is_some_and(|size| size <= most);
    if small && ordinary(COMMONEST) {
        return !info.is_any(WordFlags::PROFESSION);
    }
    if info.is_any(TERM) {
        return !info.is_any(WordFlags::PROFESSION)
            && (small || !info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME)));
    }
    small && ordinary(ORDINARY) && !info.is_any(NAMING)
}

/// A number with a unit, or the reverse: `25mg`, `q6h`, `L4`.
fn is_measured(word: &str) -> bool {
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    letters == 1 && word.len() <= 4
        || word.starts_with(|first: char| first.is_ascii_digit()) && {
            let unit = word.trim_start_matches(|character: char| character.is_ascii_digit());
            matches!(
                unit.to_ascii_lowercase().as_str(),
                "mg" | "mcg"
                    | "ml"
                    | "cc"
                    | "kg"
                    | "cm"
                    | "mm"
                    | "hrs"
                    | "hr"
                    | "min"
                    | "mos"
                    | "yo"
                    | "yr"
                    | "yrs"
                    | "wk"
                    | "wks"
                    | "st"
                    | "nd"
                    | "rd"
                    | "th"
                    | "units"
                    | "meq"
                    | "lb"
                    | "lbs"
                    | "am"
                    | "pm"
                    | "fr"
                    | "iu"
                    | "mmhg"
            )
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Detector, Label};

    /// Whether models are asked, where `[…]` is claimed already.
    fn asked(marked: &str) -> bool {
        let (mut sentence, mut known) = (String::new(), Vec::new());
        let mut start = 0;
        for character in marked.chars() {
            match character {
                '[' => start = sentence.len(),
                ']' => known.push(Span::new(start, sentence.len(), Label::Doctor, Detector::Dictionary, 0.9)),
                other => sentence.push(other),
            }
        }
        asks(&sentence, &known)
    }

    #[test]
    fn words_that_vocabulary_explains_are_not_asked_about() {
        for sentence in [
            "Abdomen soft, no rebound; continue metoprolol 25 mg bid.",
            "Seen by Dr. [Okafor] on [3/4/2019].",
            "BP 131/84, HR 72",
            "ABDOMEN SOFT, NO REBOUND.",
            "",
            "—",
        ] {
            assert!(!asked(sentence), "{sentence}");
        }
    }

    #[test]
    fn words_that_nothing_explains_are() {
        for sentence in [
            "Discussed with Kay, who will call.",
            "seen w/ okafor",
            "@nurse please call",
            "Works as a roofer.",
            "Record 4471902 is wrong.",
            "will visit Troy",
        ] {
            assert!(asked(sentence), "{sentence}");
        }
    }

    #[test]
    fn beside_a_claimed_word_only_the_commonest_words_are_explained() {
        assert!(asked("signed CASE [BRANDVOLD] MD"));
        assert!(asked("Food box from [Our Lady] pantry"));
        assert!(!asked("It was given by [Brandvold] and the rest was not."));
    }

    #[test]
    fn an_ordinary_stretch_is_told_by_its_words() {
        let ordinary = |sentence: &str, words: &str| {
            let start = sentence.find(words).expect("the words are in the sentence");
            is_ordinary(sentence, start, start + words.len())
        };
        assert!(ordinary("He takes warfarin daily", "warfarin daily"));
        assert!(!ordinary("He saw Brandvold daily", "Brandvold"));
        assert!(ordinary("Pain was worse", "Pain"));
    }
}
