//! The words around a suspect that belong to its name, and what the name is of.

use super::explanation::{bearers, is_clinical};
use super::register::Register;
use super::vocabulary::{self, Use};
use super::{Line, SCORE, is_taken};
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::people::label_near;
use crate::detect::dictionary::words::{Gap, Shape};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::{Class, Detector, Kind, Label, Span};

/// At most so many words make a name.
const LONGEST_RUN: usize = 5;
const LANDMARK: Class = Class { label: Label::LocationOther, kind: Kind::LocationLandmark };
/// What is named after persons and is never their surname.
const BUILDINGS: &str =
    "building annex cemetery lodge mall plaza tower towers lake creek school academy library stadium arena";
const HOSPITAL: WordFlags = WordFlags::HOSPITAL_CUE;
const ORGANIZATION: WordFlags = WordFlags::PHARMACY_CUE
    .union(WordFlags::SCHOOL_CUE)
    .union(WordFlags::CHURCH_CUE)
    .union(WordFlags::COMPANY_CUE)
    .union(WordFlags::INSURER_CUE)
    .union(WordFlags::SERVICE_CUE);
const PLACE: WordFlags = WordFlags::CITY.union(WordFlags::LANDMARK).union(WordFlags::COUNTY);

impl Line<'_, '_> {
    /// `Whitford Lake` where only `Whitford` is claimed: the head of a place belongs to its name.
    pub(super) fn with_head(&self, index: usize, spans: &[Span]) -> Option<Span> {
        let word = &self.words.list[index];
        let fits = index > self.first
            && word.shape == Shape::Capital
            && word.gap == Gap::Space
            && self.register != Register::Title
            && word.usage == Some(Use::Head);
        if !fits || is_taken(self.words, index, spans) {
            return None;
        }
        let end = self.words.list[index - 1].end;
        let before = spans.iter().filter(|span| span.end == end).min_by_key(|span| span.start)?;
        let class = match before.claims[0].class.label {
            Label::Hospital => Class::of(Label::Hospital),
            Label::Organization => Class::of(Label::Organization),
            Label::City | Label::State | Label::Street | Label::LocationOther => LANDMARK,
            Label::Patient if listed!(self.words.text(index), BUILDINGS) => LANDMARK,
            _ => return None,
        };
        Some(Span::new(before.start, word.end, class, Detector::Dictionary, SCORE))
    }

    /// Whether the word goes on with a name that has begun.
    pub(super) fn continues(&self, index: usize) -> bool {
        let Some(word) = self.words.get(index).filter(|_| index < self.end) else { return false };
        let head = word.usage == Some(Use::Head);
        matches!(word.gap, Gap::Space | Gap::Hyphen)
            && word.shape == Shape::Capital
            && (head || word.marker.is_none() && !is_clinical(&word.info, self.words.text(index)))
    }

    /// Whether a word says of what kind the house is whose name stands before it: `Physical Therapy`, `Care Center`.
    pub(super) fn tells_a_kind(&self, index: usize) -> bool {
        self.words.get(index).filter(|_| index < self.end).is_some_and(|word| {
            word.gap == Gap::Space
                && word.shape == Shape::Capital
                && word.info.is_any(HOSPITAL.union(ORGANIZATION).union(WordFlags::HEADING))
        })
    }

    /// The capitals around a suspect that belong to it.
    pub(super) fn run(&self, index: usize, spans: &[Span]) -> (usize, usize) {
        let (mut first, mut last) = (index, index);
        if matches!(self.register, Register::Small | Register::Shouted)
            || self.words.list[index].shape != Shape::Capital
        {
            return (first, last);
        }
        while last + 1 - first < LONGEST_RUN && self.continues(last + 1) && !is_taken(self.words, last + 1, spans) {
            last += 1;
        }
        while last > first
            && last + 1 - first < LONGEST_RUN
            && self.tells_a_kind(last + 1)
            && !is_taken(self.words, last + 1, spans)
        {
            last += 1;
        }
        while first > self.first + 1
            && last + 1 - first < LONGEST_RUN
            && self.words.list[first].gap == Gap::Space
            && self.words.list[first - 1].shape == Shape::Capital
            && self.words.list[first - 1].marker.is_none()
            && !is_clinical(&self.words.list[first - 1].info, self.words.text(first - 1))
            && !is_taken(self.words, first - 1, spans)
        {
            first -= 1;
        }
        (first, last)
    }

    /// Where the span begins: a name found before that this one goes on with is its first part.
    pub(super) fn start_of(&self, first: usize, class: Class, spans: &[Span]) -> usize {
        let start = self.words.list[first].start;
        if !class.label.is_person() || self.words.list[first].gap != Gap::Space {
            return start;
        }
        let Some(before) = first.checked_sub(1).map(|before| self.words.list[before].end) else { return start };
        spans
            .iter()
            .filter(|span| span.end == before && span.leading().class.label.is_person())
            .map(|span| span.start)
            .min()
            .unwrap_or(start)
    }

    /// What the words around a run, its own last word and the lexicon say it is.
    pub(super) fn class_of(&self, first: usize, last: usize) -> Class {
        let words = self.words;
        let next = |index: usize| words.get(index).filter(|word| word.gap == Gap::Space).map(|_| words.text(index));
        let ends_in = |flags: WordFlags| words.look_up(last, last).is_any(flags);
        let info = words.look_up(first, first);
        let only_a_name = first == last && bearers(&info) > 0 && info.english_size().is_none() && !info.is_any(PLACE);
        let person = info.given_count >= 500 || bearers(&info) >= 5_000 || only_a_name;
        let led = first > 0 && words.list[first - 1].is(Marker::PlaceLead) && words.list[first].gap == Gap::Space;
        let acts =
            next(last + 1).is_some_and(|verb| vocabulary::is(verb, Use::PersonVerb) || vocabulary::is(verb, Use::Verb));
        let kin = first > 0 && matches!(words.list[first - 1].marker, Some(Marker::Kin | Marker::PeopleVerb));
        match () {
            () if last > first && ends_in(HOSPITAL) => Class::of(Label::Hospital),
            () if last > first && ends_in(ORGANIZATION) => Class::of(Label::Organization),
            () if last > first && vocabulary::is(words.text(last), Use::Head) => LANDMARK,
            () if acts || kin => Class::of(label_near(words, first)),
            () if led && info.is(WordFlags::CITY) => Class::of(Label::City),
            () if person || info.flags.is_empty() && !led => Class::of(label_near(words, first)),
            () if led || info.is_any(PLACE) => LANDMARK,
            () => Class::of(Label::Organization),
        }
    }
}
