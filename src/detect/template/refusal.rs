//! What must not become a template, though it is regular: a rule must not memorize a person.
//!
//! ```text
//! Seen by Okafor on {N}/{N}        a name that is no ordinary word stands in its text
//! Seen by Zorbleek on {N}/{N}      so does a word on no list, which some detector claims in another sentence
//! Case 20417 of {W}                so does a number of four digits or more
//! Wife {W} called                  seen with fewer patients than `least_patients`
//! Dr. Will {W} agrees              some detector claims `Will` when the slots are filled otherwise
//! ```

use std::fmt;

use super::file::{Slots, Support, mark_up};
use super::filling::{Random, fill};
use super::form::{Form, Part};
use crate::detect::DetectError;
use crate::lexicon::{Lexicon, WordFlags, WordInfo};
use crate::phi::{Label, Span};
use crate::text::{TokenKind, tokens};

/// When a template is harvested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The least number of distinct sentences.
    pub least_sentences: u64,
    /// The least number of patients with such a sentence.
    pub least_patients: u64,
    /// The least share of the sentences that match on which the ensemble does not say otherwise. Below 1, a rule may overrule the
    /// ensemble where that takes a rare name for something else: `MAY, JOHNNY` for a month.
    pub least_purity: f64,
    /// The greatest share of the sentences that match in which the ensemble may claim what lies outside the slots: such an identifier
    /// would pass, so that this stays at nothing even where purity may be less than 1.
    pub most_lost: f64,
    /// The greatest share of the sentences that match in which the ensemble may have found less: more of them tell that the slot
    /// takes in what is no identifier.
    pub most_completed: f64,
    /// How often the slots are filled at random to see whether a detector claims the text around them.
    pub fillings: usize,
    /// How many of those fillings become the rule's examples; at least one.
    pub examples: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            least_sentences: 20,
            least_patients: 10,
            least_purity: 1.0,
            most_lost: 0.0,
            most_completed: 0.2,
            fillings: 20,
            examples: 2,
            seed: 0,
        }
    }
}

/// Why a syntax template does not become a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Too few distinct sentences.
    FewSentences,
    /// Sentences of too few patients.
    FewPatients,
    /// Its NER template is of another sentence, or no regular expression can say where its slots end.
    NoForm,
    /// A word of its text is a name and no ordinary word, or on no list and claimed in another sentence of the sample.
    Name,
    /// Its text holds four digits in a row.
    Digits,
    /// No word of text tells its sentences from others: any word would do for `{W}.`.
    NoText,
    /// No sentence of the sample was seen to match, so that nothing is known of its purity.
    Unseen,
    /// A detector claims some of its text when the slots are filled otherwise.
    Claimed,
    /// A rule file cannot hold it: a class has no group name, or an example no mark-up.
    Unwritable,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::FewSentences => "too few sentences",
            Self::FewPatients => "too few patients",
            Self::NoForm => "no expression tells where its slots end",
            Self::Name => "its text holds a name",
            Self::Digits => "its text holds four digits in a row",
            Self::NoText => "no word of text tells its sentences from others",
            Self::Unseen => "no sentence of the sample matches",
            Self::Claimed => "a detector claims some of its text",
            Self::Unwritable => "a template file cannot hold it",
        })
    }
}

/// A syntax template that does not become a rule. `Display` tells reason and counts, never the text.
#[derive(Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The syntax template: as confidential as the notes, for it may hold what makes it refused.
    pub syntax: String,
    /// How often it was seen.
    pub support: Support,
    /// Why.
    pub reason: Reason,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.reason, self.support)
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Refusal").field("reason", &self.reason).field("support", &self.support).finish()
    }
}

/// Why the text of a form refuses it, if it does.
pub(super) fn refusal_of_text(form: &Form) -> Option<Reason> {
    let (mut is_slot, mut has_word) = (false, false);
    for part in form.parts() {
        match part {
            Part::Open(_) => is_slot = true,
            Part::Close => is_slot = false,
            // Text inside a slot too: the words of a clock time stay there.
            Part::Text(text) if has_long_number(text) => return Some(Reason::Digits),
            Part::Text(text) if has_name(text) => return Some(Reason::Name),
            Part::Text(text) => has_word |= !is_slot && text.contains(char::is_alphabetic),
            Part::Run(_) => (),
        }
    }
    (!has_word).then_some(Reason::NoText)
}

fn has_long_number(text: &str) -> bool {
    let is_digit = |character: char| character.is_numeric();
    text.split(|character| !is_digit(character)).any(|digits| digits.chars().nth(3).is_some())
}

/// The bearers from which on a name is a common one.
const COMMON_NAME: u32 = 100_000;

/// Whether a word of the text is a person's name and not also an ordinary word, or in a term named after a person.
fn has_name(text: &str) -> bool {
    let words: Vec<_> = tokens(text).filter(|token| token.kind != TokenKind::Punctuation).collect();
    let alone = words.iter().map(|word| (word.start, word.end));
    // A mark inside a name parts it: `O'Brien`, `Smith-Jones`.
    let joined = words.windows(2).filter(|pair| matches!(&text[pair[0].end..pair[1].start], "'" | "’" | "-"));
    let joined = joined.map(|pair| (pair[0].start, pair[1].end));
    alone.chain(joined).any(|(start, end)| is_name(&text[start..end], &text[end..]))
}

fn is_name(word: &str, after: &str) -> bool {
    let info = Lexicon::shared().word(word);
    info.is_any(NAMES) && !is_ordinary(word, info) && !begins_term(word, after)
}

/// Whether no list tells what a word is: neither an ordinary one nor a name.
pub(super) fn is_unknown(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    !info.is_any(NAMES) && !is_ordinary(word, info)
}

const NAMES: WordFlags = WordFlags::SURNAME.union(WordFlags::GIVEN_NAME).union(WordFlags::NICKNAME);

fn is_ordinary(word: &str, info: WordInfo) -> bool {
    // Written large, a common name is taken for one unless it is one of the commonest words.
    let is_common_name =
        word.starts_with(char::is_uppercase) && info.surname_count.max(info.given_count) >= COMMON_NAME;
    let largest = if is_common_name { 10 } else { 60 };
    let is_english = info.english_size().is_some_and(|size| size <= largest);
    let is_term = info.is_any(WordFlags::MEDICAL | WordFlags::CARE_ROLE | WordFlags::HEADING);
    is_english || (is_term && !info.is(WordFlags::EPONYM))
}

/// Whether a name is an eponym here: `Foley` before `catheter`.
fn begins_term(word: &str, after: &str) -> bool {
    let after = after.strip_prefix("'s").or_else(|| after.strip_prefix("’s")).unwrap_or(after);
    let after = after.trim_start_matches([' ', '-']).to_lowercase();
    let goes_on = |term: &&str| {
        let rest = after.strip_prefix(&term.to_lowercase());
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    Lexicon::shared().eponym(word).is_some_and(|terms| terms.iter().any(goes_on))
}

/// The form with its slots filled at random, as often as the settings say, where no detector claims any of its text.
///
/// `detect` gives the spans of sentences, as [`Ensemble::detect_all`](crate::detect::Ensemble::detect_all) does.
pub(super) fn fillings(
    form: &Form,
    seed: u64,
    settings: &Settings,
    detect: &mut impl FnMut(&[&str]) -> Result<Vec<Vec<Span>>, DetectError>,
) -> Result<Result<Vec<String>, Reason>, DetectError> {
    let mut random = Random(settings.seed ^ seed);
    // One in four in capitals, as signatures often are.
    let count = settings.fillings.max(settings.examples).max(1);
    let filled: Vec<_> = (0..count).map(|number| fill(form, number % 4 == 1, &mut random)).collect();
    let sentences: Vec<&str> = filled.iter().map(|(sentence, _)| sentence.as_str()).collect();
    let found = detect(&sentences)?;
    let is_claimed = filled.iter().zip(&found).any(|((sentence, slots), spans)| {
        let mut claims = spans.iter().filter(|span| span.claims.iter().any(|claim| claim.class.label != Label::Time));
        claims.any(|span| touches_text(sentence, slots, span))
    });
    if is_claimed || found.len() != filled.len() {
        return Ok(Err(Reason::Claimed));
    }
    let examples = filled.iter().take(settings.examples.max(1));
    Ok(Ok(examples.map(|(sentence, slots)| mark_up(sentence, slots)).collect()))
}

/// Whether a span takes in a visible character outside the slots.
fn touches_text(sentence: &str, slots: &Slots, span: &Span) -> bool {
    let text = sentence.get(span.start..span.end).unwrap_or_default();
    let mut visible = text.char_indices().filter(|(_, character)| !character.is_whitespace());
    visible.any(|(at, _)| !slots.iter().any(|slot| (slot.0..slot.1).contains(&(span.start + at))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Detector;

    #[test]
    fn names_and_long_numbers_are_no_text() {
        let reason = |pattern: &str| refusal_of_text(&Form::parse(pattern).unwrap());
        for (text, expected) in [
            ("Seen by Okafor on ", Some(Reason::Name)),
            ("Seen by O'Brien on ", Some(Reason::Name)),
            ("seen by johnson on ", Some(Reason::Name)),
            ("Case 20417 of ", Some(Reason::Digits)),
            ("Unit B2041 of ", Some(Reason::Digits)),
            ("Foley catheter placed by ", None),
            ("Foley saw ", Some(Reason::Name)),
            ("Smith saw ", Some(Reason::Name)),
            ("The smith saw ", None),
            ("Parkinson's disease followed by ", None),
            ("Electronically signed by the attending physician, MD, RN, on ", None),
            ("Will see in May, 3 mg of lisinopril at 120/80 by ", None),
        ] {
            assert_eq!(reason(&format!(r"{text}(?<DOCTOR>\p{{Alphabetic}}+)")), expected, "{text}");
        }
        assert_eq!(reason(r"on (?<DATE>[0-9]+/[0-9]+) (?<TIME>[0-9]{1,4} PM)"), None);
        assert_eq!(reason(r"(?<DATE>[0-9]+/[0-9]+), (?<TIME>[0-9]{1,4} PM)\."), Some(Reason::NoText));
        assert_eq!(reason(r"(?<DATE>[0-9]+/[0-9]+) (?<TIME>[0-9]{1,4} Okafor)"), Some(Reason::Name));
    }

    #[test]
    fn a_claim_on_the_text_refuses() {
        let form = Form::parse(r"Will (?<DOCTOR>\p{Alphabetic}+) agrees").unwrap();
        let settings = Settings::default();
        let run = |from: usize, to_end: usize, label: Label| {
            let mut asked = 0;
            let found = fillings(&form, 1, &settings, &mut |sentences: &[&str]| {
                asked += sentences.len();
                let span = |sentence: &&str| vec![Span::new(from, sentence.len() - to_end, label, Detector::Crf, 0.1)];
                Ok(sentences.iter().map(span).collect())
            });
            assert_eq!(asked, 20);
            found.unwrap()
        };
        assert_eq!(run(0, 7, Label::Patient), Err(Reason::Claimed));
        assert_eq!(run(5, 0, Label::Patient), Err(Reason::Claimed));
        let examples = run(4, 6, Label::Hospital).unwrap();
        assert!(examples.len() == 2 && examples[0].starts_with("Will [DOCTOR ") && examples[0].ends_with("] agrees"));
        assert!(run(0, 0, Label::Time).is_ok());
    }
}
