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

mod register;
mod spelling;
mod vocabulary;

use self::register::Register;
use self::spelling::is_misspelling;
use self::vocabulary::Use;
use super::markers::Marker;
use super::people::label_near;
use super::words::{Gap, MEDICAL, Shape, Word, Words};
use crate::lexicon::{Lexicon, WordFlags, WordInfo};
use crate::phi::{Class, Detector, Kind, Label, Span};

/// How sure a claim is that rests on nothing but the absence of an explanation.
const SCORE: f32 = 0.5;
/// The same where the place explains a capital by itself.
const WEAK_SCORE: f32 = 0.4;
/// At most so many words make a name.
const LONGEST_RUN: usize = 5;
const HOSPITAL: WordFlags = WordFlags::HOSPITAL_CUE;
const ORGANIZATION: WordFlags = WordFlags::PHARMACY_CUE
    .union(WordFlags::SCHOOL_CUE)
    .union(WordFlags::CHURCH_CUE)
    .union(WordFlags::COMPANY_CUE)
    .union(WordFlags::INSURER_CUE)
    .union(WordFlags::SERVICE_CUE);
const PLACE: WordFlags = WordFlags::CITY.union(WordFlags::LANDMARK).union(WordFlags::COUNTY);

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
            if !self.is_candidate(index) || is_taken(self.words, index, spans) || !self.is_suspect(index) {
                index += 1;
                continue;
            }
            let (first, last) = self.run(index, spans);
            let class = self.class_of(first, last);
            let start = self.start_of(first, class, spans);
            let score = if self.is_inside(index) { SCORE } else { WEAK_SCORE };
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

    fn is_suspect(&self, index: usize) -> bool {
        let word = &self.words.list[index];
        let text = self.words.text(index);
        let info = self.words.look_up(index, index);
        if is_explained(&info, text) || self.words.is_eponym(index) {
            return false;
        }
        match self.register {
            Register::Small => is_name_in_small_letters(&info, text),
            Register::Shouted => is_name_in_capitals(&info, text),
            Register::Title => is_strange(&info, text) && bearers(&info) >= 1_000,
            Register::Prose if word.shape == Shape::Upper => info.english_size().is_none() && bearers(&info) >= 5_000,
            Register::Prose => self.is_suspect_in_prose(index, &info) && !self.is_attributive(index, 3),
        }
    }

    fn is_suspect_in_prose(&self, index: usize, info: &WordInfo) -> bool {
        let text = self.words.text(index);
        let inside = self.is_inside(index);
        match info.english_size() {
            None if info.flags.is_empty() => (inside || self.may_begin(index)) && !is_misspelling(text),
            None => inside || bearers(info) >= 1_000,
            Some(_) if self.has_head(index) && (inside || self.is_set_off(index)) => true,
            Some(_) if !inside => is_frequent(info) && self.acts(index),
            Some(size) => size > 35 && bearers(info) >= 500 || is_frequent(info) && self.stands_alone(index),
        }
    }

    /// Whether a word of no list that a sentence or field begins with can be a name: no short form, label or adverb is.
    fn may_begin(&self, index: usize) -> bool {
        let after = self.words.between_after(index);
        let text = self.words.text(index);
        text.len() >= 6 && !after.starts_with([':', '/', '.', '=']) && !text.ends_with("ly")
    }

    /// Whether the word is said of a thing: a finding, a device or a number follows, as in `Bryant sign`, `Epworth 12`.
    ///
    /// `reach` is how many more words of a list are looked at: `Bryant or Galeazzi sign`.
    fn is_attributive(&self, index: usize, reach: usize) -> bool {
        let after = self.words.between_after(index).as_bytes();
        let digits = after.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        if after.first() == Some(&b' ') && (1..=3).contains(&digits) && after.get(1 + digits) != Some(&b'-') {
            return true;
        }
        let Some(next) = self.words.get(index + 1).filter(|_| index + 1 < self.end) else { return false };
        let text = self.words.text(index + 1);
        let joint = next.gap == Gap::Space && matches!(text, "or" | "and");
        if reach > 0
            && (joint && self.words.get(index + 2).is_some_and(|word| word.shape == Shape::Capital)
                || next.gap == Gap::Comma && next.shape == Shape::Capital)
        {
            let other = index + 1 + usize::from(joint);
            return self.words.get(other).is_some_and(|word| word.shape == Shape::Capital)
                && (self.words.is_eponym(other) || self.is_attributive(other, reach - 1));
        }
        matches!(next.gap, Gap::Space | Gap::Hyphen)
            && next.shape == Shape::Lower
            && !vocabulary::is(text, Use::PersonVerb)
            && !vocabulary::is(text, Use::Verb)
            && (vocabulary::is(text, Use::Thing) || is_medical_noun(&self.words.look_up(index + 1, index + 1)))
    }

    /// Whether nothing follows that the word could belong to: an end, a mark, a verb of persons or a joint.
    fn stands_alone(&self, index: usize) -> bool {
        let Some(next) = self.words.get(index + 1).filter(|_| index + 1 < self.end) else { return true };
        match next.gap {
            Gap::Space => {
                let text = self.words.text(index + 1);
                next.shape == Shape::Lower
                    && (vocabulary::is(text, Use::PersonVerb)
                        || vocabulary::is(text, Use::Verb)
                        || vocabulary::is(text, Use::Lead)
                        || matches!(
                            text,
                            "and" | "or" | "who" | "but" | "will" | "if" | "when" | "for" | "on" | "with"
                        ))
            }
            Gap::Hyphen => false,
            _ => true,
        }
    }

    /// Whether a capital stands where only names have one: after a small letter.
    fn is_inside(&self, index: usize) -> bool {
        let word = &self.words.list[index];
        index > self.first
            && (matches!(word.gap, Gap::Space | Gap::Comma) && self.words.list[index - 1].shape == Shape::Lower
                || word.gap == Gap::Stop && self.words.list[index - 1].shape == Shape::Initial)
    }

    /// Whether a comma or bracket sets the word off from what stands before it.
    fn is_set_off(&self, index: usize) -> bool {
        index > self.first && matches!(self.words.list[index].gap, Gap::Comma | Gap::Bracket)
    }

    /// Whether a verb follows that only persons are the subjects of.
    fn acts(&self, index: usize) -> bool {
        index + 1 < self.end
            && self.words.list[index + 1].gap == Gap::Space
            && vocabulary::is(self.words.text(index + 1), Use::PersonVerb)
    }

    /// Whether another capital follows that no medical word is.
    fn has_head(&self, index: usize) -> bool {
        self.continues(index + 1)
    }

    /// Whether the word goes on with a name that has begun.
    fn continues(&self, index: usize) -> bool {
        let Some(word) = self.words.get(index).filter(|_| index < self.end) else { return false };
        let head = vocabulary::is(self.words.text(index), Use::Head);
        matches!(word.gap, Gap::Space | Gap::Hyphen)
            && word.shape == Shape::Capital
            && (head || word.marker.is_none() && !is_explained(&word.info, self.words.text(index)))
    }

    /// The capitals around a suspect that belong to it.
    fn run(&self, index: usize, spans: &[Span]) -> (usize, usize) {
        let (mut first, mut last) = (index, index);
        if !matches!(self.register, Register::Prose | Register::Title) {
            return (first, last);
        }
        while last + 1 - first < LONGEST_RUN && self.continues(last + 1) && !is_taken(self.words, last + 1, spans) {
            last += 1;
        }
        while first > self.first + 1
            && last + 1 - first < LONGEST_RUN
            && self.words.list[first].gap == Gap::Space
            && self.words.list[first - 1].shape == Shape::Capital
            && self.words.list[first - 1].marker.is_none()
            && !is_explained(&self.words.list[first - 1].info, self.words.text(first - 1))
            && !is_taken(self.words, first - 1, spans)
        {
            first -= 1;
        }
        (first, last)
    }

    /// Where the span begins: a name found before that this one goes on with is its first part.
    fn start_of(&self, first: usize, class: Class, spans: &[Span]) -> usize {
        let start = self.words.list[first].start;
        if !matches!(class.label, Label::Patient | Label::Doctor) || self.words.list[first].gap != Gap::Space {
            return start;
        }
        let Some(before) = first.checked_sub(1).map(|before| self.words.list[before].end) else { return start };
        spans
            .iter()
            .filter(|span| span.end == before && matches!(span.leading().class.label, Label::Patient | Label::Doctor))
            .map(|span| span.start)
            .min()
            .unwrap_or(start)
    }

    /// What the words around a run, its own last word and the lexicon say it is.
    fn class_of(&self, first: usize, last: usize) -> Class {
        let words = self.words;
        let next = |index: usize| words.get(index).filter(|word| word.gap == Gap::Space).map(|_| words.text(index));
        let ends_in = |flags: WordFlags| words.look_up(last, last).is_any(flags);
        let info = words.look_up(first, first);
        let person = info.given_count >= 500 || bearers(&info) >= 5_000;
        let led = first > 0 && words.list[first - 1].is(Marker::PlaceLead) && words.list[first].gap == Gap::Space;
        let acts =
            next(last + 1).is_some_and(|verb| vocabulary::is(verb, Use::PersonVerb) || vocabulary::is(verb, Use::Verb));
        let kin = first > 0 && matches!(words.list[first - 1].marker, Some(Marker::Kin | Marker::PeopleVerb));
        match () {
            () if last > first && ends_in(HOSPITAL) => Class::of(Label::Hospital),
            () if last > first && ends_in(ORGANIZATION) => Class::of(Label::Organization),
            () if last > first && vocabulary::is(words.text(last), Use::Head) => {
                Class { label: Label::LocationOther, kind: Kind::LocationLandmark }
            }
            () if acts || kin => Class::of(label_near(words, first)),
            () if led && info.is(WordFlags::CITY) => Class::of(Label::City),
            () if person || info.flags.is_empty() && !led => Class::of(label_near(words, first)),
            () if led || info.is_any(PLACE) => Class { label: Label::LocationOther, kind: Kind::LocationLandmark },
            () => Class::of(Label::Organization),
        }
    }
}

fn is_taken(words: &Words, index: usize, spans: &[Span]) -> bool {
    let Word { start, end, .. } = words.list[index];
    spans.iter().any(|span| span.start < end && start < span.end)
}

/// Bearers of a word as a surname or given name, whichever is more.
const fn bearers(info: &WordInfo) -> u32 {
    if info.surname_count > info.given_count { info.surname_count } else { info.given_count }
}

/// Whether vocabulary explains a capital anywhere.
fn is_explained(info: &WordInfo, text: &str) -> bool {
    info.is_any(MEDICAL) && info.given_count < 50_000
        || info.is(WordFlags::EPONYM)
        || vocabulary::is(text, Use::Ordinary)
        || info.english_size().is_some_and(|size| size <= 10) && !is_frequent(info)
        || spelling::is_medical_form(text)
        || spelling::is_coined(text)
        || info.flags.is_empty() && (spelling::is_prefixed(text) || is_explained_in_part(text))
}

/// Whether a part of a word with a hyphen explains the whole: `STOP-BANG`, `Irish-born`, `Payne-Martin`.
fn is_explained_in_part(text: &str) -> bool {
    let lexicon = Lexicon::shared();
    let explains = |part: &str| {
        let info = lexicon.word(part);
        info.is_any(MEDICAL.union(WordFlags::EPONYM))
            || info.english_size().is_some_and(|size| size <= 35) && bearers(&info) < 500
    };
    text.contains('-') && text.split('-').any(explains)
}

/// Whether a medical word is no everyday word besides.
fn is_medical_noun(info: &WordInfo) -> bool {
    info.is_any(MEDICAL) && info.english_size() != Some(10)
}

/// Whether many bear a word as their name, whatever else it means.
const fn is_frequent(info: &WordInfo) -> bool {
    info.given_count >= 5_000 || info.surname_count >= 20_000
}

/// Whether a word is no ordinary one.
fn is_strange(info: &WordInfo, text: &str) -> bool {
    info.english_size().is_none() && !(info.flags.is_empty() && is_misspelling(text))
}

/// In a line without capitals: names that are no word at all, and no slip of the pen.
fn is_name_in_small_letters(info: &WordInfo, text: &str) -> bool {
    let frequent = bearers(info) >= 20_000;
    let known = info.given_count >= 2_000 || info.surname_count >= 5_000 || info.population >= 50_000;
    let unheard = info.flags.is_empty() && text.len() >= 6;
    info.english_size().is_none() && (known || unheard) && (frequent || !is_misspelling(text))
}

/// In a line of capitals: words of no list, and names much commoner than as words.
fn is_name_in_capitals(info: &WordInfo, text: &str) -> bool {
    match info.english_size() {
        None if info.flags.is_empty() => text.len() >= 5 && !is_misspelling(text),
        None => bearers(info) >= 300 || info.population >= 5_000,
        Some(size) => size > 35 && bearers(info) >= 50_000,
    }
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
