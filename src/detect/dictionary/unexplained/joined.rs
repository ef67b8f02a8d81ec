//! Names of houses whose parts are told one by one: what stands between a name and its head belongs to it.
//!
//! ```text
//! "near the HARBORSIDE MARINE TERMINAL"     HARBORSIDE is a place, TERMINAL a head: all three words
//! "Bakers & Millers Local 412"              a local of a union, with all that is joined before it
//! "Probate Court for Kent County"           a court and the county it is for
//! ```

use super::vocabulary::{self, Use};
use super::{Line, SCORE, is_taken};
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::Gap;
use crate::detect::listed::{WordList, listed};
use crate::lexicon::WordFlags;
use crate::phi::{Class, Detector, Kind, Label, Span};

/// At most so many words stand between a name and its head.
const LONGEST_MIDDLE: usize = 2;
/// At most so many words are joined before `Local`.
const LONGEST_UNION: usize = 5;
/// Heads that a name has at the end of more words, and no patient ever.
pub(in crate::detect::dictionary) const FAR_HEADS: &str = "terminal park court school high center centre bridge house hall library museum stadium arena campground cemetery \
     apartments marina lodge village plaza church temple college university academy airport station pier hospital \
     hospice clinic pharmacy bakery diner casino";
/// Offices that are of or for a county, city or state.
static OFFICES: WordList = WordList::new("court courthouse department office bureau board commission division");

/// What a local of a union is called.
const LOCAL: &str = "local";

/// Whether a word ends a name at the end of more words, or is a local of a union.
pub(in crate::detect::dictionary) fn is_far_head(word: &str) -> bool {
    listed!(word, FAR_HEADS) || word.eq_ignore_ascii_case(LOCAL)
}

impl Line<'_, '_> {
    /// The whole name that ends with the head at `index`, where other words stand between it and what is claimed.
    pub(super) fn with_far_head(&self, index: usize, spans: &[Span]) -> Option<Span> {
        let word = &self.words.list[index];
        if index < self.first + 2
            || !word.is_capital()
            || word.gap != Gap::Space
            || !listed!(self.words.text(index), FAR_HEADS)
            || is_taken(self.words, index, spans)
        {
            return None;
        }
        let class = self.house_of(index);
        let mut middle = index;
        while index - middle <= LONGEST_MIDDLE && middle > self.first {
            let end = self.words.list[middle - 1].end;
            if let Some(before) = spans.iter().filter(|span| span.end == end).min_by_key(|span| span.start) {
                let place = matches!(
                    before.leading().class.label,
                    Label::City | Label::LocationOther | Label::Hospital | Label::Organization | Label::State
                );
                let person = before.leading().class.label == Label::Patient && !self.is_led_by_a_person(before.start);
                return (self.words.list[middle].gap == Gap::Space && (place || person))
                    .then(|| Span::new(before.start, word.end, class, Detector::Dictionary, SCORE));
            }
            middle -= 1;
            let part = &self.words.list[middle];
            if part.shape != word.shape || part.marker.is_some() || part.gap != Gap::Space {
                return None;
            }
        }
        None
    }

    /// Whether a kinship word or a title stands before: who is told so is no house.
    fn is_led_by_a_person(&self, start: usize) -> bool {
        let before = self.words.list[self.first..self.end].iter().rev().find(|word| word.end <= start);
        before.is_some_and(|word| {
            matches!(
                word.marker,
                Some(
                    Marker::Kin
                        | Marker::PersonTitle
                        | Marker::DoctorTitle
                        | Marker::PersonField
                        | Marker::CareRole
                        | Marker::PeopleVerb
                )
            )
        })
    }

    fn house_of(&self, index: usize) -> Class {
        let info = self.words.look_up(index, index);
        let text = self.words.text(index);
        match () {
            () if info.is(WordFlags::HOSPITAL_CUE) => Class::of(Label::Hospital),
            () if text.eq_ignore_ascii_case("school") || text.eq_ignore_ascii_case("high") => {
                Class::of(Label::Organization)
            }
            () if info.is_any(WordFlags::SCHOOL_CUE.union(WordFlags::CHURCH_CUE).union(WordFlags::PHARMACY_CUE)) => {
                Class::of(Label::Organization)
            }
            () => Class { label: Label::LocationOther, kind: Kind::LocationLandmark },
        }
    }

    /// The local of a union at `index`, with its number and all the capitals joined before it.
    pub(super) fn local(&self, index: usize) -> Option<Span> {
        let word = &self.words.list[index];
        if index == self.first || !word.is_capital() || !self.words.text(index).eq_ignore_ascii_case(LOCAL) {
            return None;
        }
        let after = self.words.between_after(index).as_bytes();
        let digits = after.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        if after.first() != Some(&b' ') || !(1..=4).contains(&digits) {
            return None;
        }
        let mut first = index;
        while first > self.first && index - first < LONGEST_UNION {
            let ampersand = self.words.between(first).trim() == "&";
            let before = &self.words.list[first - 1];
            let joint = matches!(self.words.text(first - 1), "and" | "of" | "AND" | "OF");
            let joined = self.words.list[first].gap == Gap::Space || ampersand;
            if !joined || !(before.is_capital() && before.marker.is_none() || joint && first - 1 > self.first) {
                break;
            }
            first -= 1;
        }
        while first < index && !self.words.list[first].is_capital() {
            first += 1;
        }
        let end = word.end + 1 + digits;
        // `infiltrated Local 20 mL` is an anaesthetic.
        let given = self.words.get(index + 1).is_some_and(|next| {
            next.start <= end + 1
                && listed!(self.words.text(index + 1), "ml cc mg g units injected given used infiltrated")
        });
        let fits = !given && (first < index || self.is_of_a_union(index));
        let start = self.words.list[first].start;
        fits.then(|| Span::new(start, end, Class::of(Label::Organization), Detector::Dictionary, SCORE))
    }

    /// `Retired pipefitter, Local 537`, `steward of Local 12`: whether somebody's trade or a union is spoken of shortly before.
    fn is_of_a_union(&self, index: usize) -> bool {
        (index.saturating_sub(4).max(self.first)..index).any(|at| {
            self.info(at).is(WordFlags::PROFESSION)
                || listed!(self.words.text(at), "union member members steward retired retiree rep delegate dues")
        })
    }

    /// `Probate Court for Kent County` where the county and perhaps the court are claimed: the office is one name.
    pub(super) fn office(&self, index: usize, spans: &[Span]) -> Option<Span> {
        let joint = matches!(self.words.text(index), "for" | "of" | "FOR" | "OF");
        if !joint || index < self.first + 2 || index + 1 >= self.end {
            return None;
        }
        let (head, before) = (&self.words.list[index - 1], &self.words.list[index - 2]);
        let fits = head.is_capital()
            && before.shape == head.shape
            && head.gap == Gap::Space
            && self.words.list[index].gap == Gap::Space
            && self.words.list[index + 1].gap == Gap::Space
            && OFFICES.contains(self.words.text(index - 1))
            && !vocabulary::is(self.words.text(index - 2), Use::Lead);
        if !fits {
            return None;
        }
        let start = self.words.list[index + 1].start;
        let place = spans.iter().filter(|span| span.start == start).max_by_key(|span| span.end)?;
        let label = place.leading().class.label;
        let named = matches!(label, Label::City | Label::State | Label::LocationOther | Label::Organization);
        let class = Class::of(Label::Organization);
        named.then(|| Span::new(before.start, place.end, class, Detector::Dictionary, SCORE))
    }
}
