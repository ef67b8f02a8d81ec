//! Words written as names that nothing explains.
//!
//! ```text
//! "Discharged to Copper Divide, Zdzisława will drive."      "pt of shaughnessy, dm2, copd"
//!                └────┬──────┘  └───┬───┘                         └────┬────┘
//!        capitals after a small    in no list                no word, and the name of many
//!        letter: no one's words
//! ```
//!
//! No set of rules foresees every frame that a name can stand in. So what is left over is asked the other way round: a word
//! is safe only when something explains how it is written. Ordinary English explains a capital where a sentence, a field
//! or a heading begins, medical vocabulary explains it everywhere; what neither explains is claimed, with a low score. How much
//! a capital tells depends on the line: in prose much, in a heading nothing, and in a line without capitals only words that
//! are names and nothing else are claimed.

mod agencies;
mod chatter;
mod explanation;
mod joined;
mod position;
mod register;
mod run;
mod spelling;
mod vocabulary;

use self::explanation::{
    bearers, is_clinical, is_explained, is_frequent, is_name_in_capitals, is_name_in_small_letters, is_strange,
    is_well_known, name_beside_eponym,
};
pub(super) use self::joined::{FAR_HEADS, is_far_head};
use self::register::Register;
use self::spelling::is_misspelling;
pub(super) use self::vocabulary::{Use, use_of, words};
use super::words::{Cues, Shape, Word, Words};
use crate::detect::patterns::abroad::is_foreign;
use crate::lexicon::{WordFlags, WordInfo};
use crate::phi::{Detector, Span};

/// How sure a claim is that rests on nothing but the absence of an explanation.
const SCORE: f32 = 0.5;
/// The same where the place explains a capital by itself.
const WEAK_SCORE: f32 = 0.4;
/// Adds what is left over when all that is in `spans` is taken away; to be asked last.
pub(super) fn detect(words: &Words, spans: &mut Vec<Span>) {
    let mut first = 0;
    while first < words.list.len() {
        let end = register::line_end(words, first);
        let line = Line { words, first, end, register: register::of_line(words, first, end) };
        line.detect(spans);
        first = end;
    }
}

/// A line of a sentence: in how it is written its capitals have their meaning.
struct Line<'w, 's> {
    words: &'w Words<'s>,
    first: usize,
    end: usize,
    register: Register,
}

impl Line<'_, '_> {
    fn detect(&self, spans: &mut Vec<Span>) {
        let mut index = self.first;
        while index < self.end {
            if let Some(span) = self.with_head(index, spans).or_else(|| self.whole_name(index, spans)) {
                spans.push(span);
                index += 1;
                continue;
            }
            if let Some(span) = self.agency(index, spans) {
                spans.push(span);
                index += 1;
                continue;
            }
            let is_suspect = || self.is_suspect(index) || self.goes_on_from_site(index, spans);
            if !self.is_candidate(index) || is_taken(self.words, index, spans) || !is_suspect() {
                index += 1;
                continue;
            }
            let inside = self.is_inside(index);
            let (first, last) = self.run(index, spans);
            // What no list has is a word there, until something says that it is a name.
            if !inside && first == last && self.info(first).flags.is_empty() && is_foreign(self.words.sentence) {
                index = last + 1;
                continue;
            }
            let class = self.class_of(first, last);
            let start = self.start_of(first, class, spans);
            let score = if inside { SCORE } else { WEAK_SCORE };
            spans.push(Span::new(start, self.words.list[last].end, class, Detector::Dictionary, score));
            index = last + 1;
        }
    }

    /// A cheap test of the shape, before anything is looked up.
    fn is_candidate(&self, index: usize) -> bool {
        let word = &self.words.list[index];
        let length = word.end - word.start;
        let shape = match self.register {
            Register::Small => word.shape == Shape::Lower && length >= 4,
            Register::Shouted => word.shape == Shape::Upper && length >= 4,
            Register::Prose | Register::Title => {
                word.shape == Shape::Capital && length >= 2 || word.shape == Shape::Upper && length >= 4
            }
            Register::Careless => word.shape == Shape::Capital && length >= 2 || length >= 4,
        };
        shape && word.marker.is_none() && !self.is_glued(index)
    }

    /// Whether digits, `@` or underscores make the word a part of a code.
    fn is_glued(&self, index: usize) -> bool {
        let word = &self.words.list[index];
        let bytes = self.words.sentence.as_bytes();
        let before = word.start.checked_sub(1).map_or(b' ', |at| bytes[at]);
        let after = bytes.get(word.end).copied().unwrap_or(b' ');
        let code = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'@' | b'_' | b'\\' | b'+');
        code(before) || code(after) || before == b'.' || after == b'-' || before == b'-'
    }

    /// Whether nothing explains how the word is written.
    fn is_suspect(&self, index: usize) -> bool {
        let word = &self.words.list[index];
        let text = self.words.text(index);
        let info = self.info(index);
        if self.opens_a_run(index, &info) {
            return !self.words.is_eponym(index);
        }
        // Whatever `Hunter` is besides, one who insists is a person.
        let person =
            word.shape == Shape::Capital && is_frequent(&info) && (self.acts(index) || self.is_described(index));
        if person && word.usage != Some(Use::Ordinary) {
            return true;
        }
        if self.is_greeted(index, &info) {
            return true;
        }
        if is_well_known(&info) && self.is_among_persons(index) && !self.words.is_eponym(index) {
            return true;
        }
        if self.is_written_as_a_name(index, &info) {
            return true;
        }
        if is_explained(&info, text) || self.words.is_eponym(index) || self.is_in_a_row_of_eponyms(index, &info) {
            return false;
        }
        match self.register {
            Register::Small => is_name_in_small_letters(&info, text),
            Register::Careless if word.shape == Shape::Lower => {
                let frequent = info.given_count >= 3_000 || bearers(&info) >= 20_000;
                info.english_size().is_none() && frequent && (bearers(&info) >= 20_000 || !is_misspelling(text))
            }
            Register::Shouted => is_name_in_capitals(&info, text),
            Register::Title => is_strange(&info, text) && bearers(&info) >= 1_000,
            Register::Prose | Register::Careless if word.shape == Shape::Upper => {
                info.english_size().is_none() && bearers(&info) >= 5_000
            }
            Register::Prose | Register::Careless => {
                self.is_suspect_in_prose(index, &info) && !self.is_attributive(index, 3)
            }
        }
    }

    /// The whole name whose head, number or joint stands at `index`.
    fn whole_name(&self, index: usize, spans: &[Span]) -> Option<Span> {
        match self.words.list[index].shape {
            Shape::Capital | Shape::Upper if self.words.list[index].cues.has(Cues::FAR_HEAD) => {
                self.with_far_head(index, spans).or_else(|| self.local(index))
            }
            _ => None,
        }
        .or_else(|| self.office(index, spans))
    }

    /// What the lexicon knows, without the English word that a name with accents is spelled like: `Liễu` is no `lieu`,
    /// and without the finding that one half of a double name is called after.
    fn info(&self, index: usize) -> WordInfo {
        let info = self.words.look_up(index, index);
        if info.is(WordFlags::EPONYM)
            && let Some(name) = name_beside_eponym(self.words.text(index))
        {
            return name;
        }
        if info.english_size().is_some() && !self.words.text(index).is_ascii() { WordInfo::UNKNOWN } else { info }
    }

    /// Whether two or more capitals in a row begin here, inside prose, that no heading is made of: `at Pebble Ridge`.
    fn opens_a_run(&self, index: usize, info: &WordInfo) -> bool {
        matches!(self.register, Register::Prose | Register::Careless)
            && self.words.list[index].shape == Shape::Capital
            && (self.is_inside(index) || self.is_set_off(index))
            && !is_clinical(info, self.words.text(index))
            && self.continues(index + 1)
            && !self.is_attributive(index + 1, 0)
    }

    fn is_suspect_in_prose(&self, index: usize, info: &WordInfo) -> bool {
        let text = self.words.text(index);
        let inside = self.is_inside(index);
        match info.english_size() {
            None if info.flags.is_empty() => (inside || self.may_begin(index)) && !is_misspelling(text),
            None if inside || bearers(info) >= 1_000 => true,
            None => self.is_a_speaker(index, info) || self.is_a_place_first(index, info),
            Some(_) if !inside => is_frequent(info) && self.acts(index),
            Some(size) => size > 35 && bearers(info) >= 500 || is_frequent(info) && self.stands_alone(index),
        }
    }
}

fn is_taken(words: &Words, index: usize, spans: &[Span]) -> bool {
    let Word { start, end, .. } = words.list[index];
    spans.iter().any(|span| span.start < end && start < span.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;

    fn found(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        detect(&Words::of(sentence, Lexicon::shared()), &mut spans);
        spans.iter().map(|span| &sentence[span.start..span.end]).collect()
    }

    #[test]
    fn ordinary_and_medical_words_explain_themselves() {
        for sentence in [
            "Discharged home in stable condition with a walker.",
            "Started on Lipitor and Coumadin by cardiology.",
            "Foley catheter placed, Bair hugger on.",
            "FINAL DIAGNOSIS: PNEUMONIA, RIGHT LOWER LOBE.",
            "Past Medical History",
            "pt c/o abd pain, nausea and vomitting since yesterday",
        ] {
            assert_eq!(found(sentence), [""; 0], "{sentence}");
        }
    }

    #[test]
    fn what_nothing_explains_is_claimed() {
        assert_eq!(found("She was brought in by Zdzislawa this morning."), ["Zdzislawa"]);
        assert_eq!(found("He stays at Pebble Ridge most nights."), ["Pebble Ridge"]);
        assert_eq!(found("told that shaughnessy is covering tonite"), ["shaughnessy"]);
    }
}
