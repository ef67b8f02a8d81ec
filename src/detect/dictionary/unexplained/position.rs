//! What the place of a capital tells: where a sentence begins nothing, after a small letter much.

use super::Line;
use super::explanation::{bearers, is_clinical, is_medical_noun};
use super::register::Register;
use super::vocabulary::Use;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Gap, Shape};
use crate::detect::listed::listed;
use crate::lexicon::{WordFlags, WordInfo};
use crate::phi::{Label, Span};

/// Kin of whom there are several, or none.
const MANY_OR_NO_KIN: &str = "law baby children kids parents siblings twins parent child guardian boss caregiver";
/// Whom a name is put behind.
const PERSONS: &str = "pt patient passenger inmate resident client vet veteran student camper driver victim subject";
/// Words of smaller lists of English are common, unless so many bear them.
const COMMON: u8 = 35;
const WELL_BORNE: u32 = 2_000;

/// Whether lists know a word as one of medicine, as no place's and hardly anybody's: `Diabetes`.
fn is_of_medicine_alone(info: &WordInfo) -> bool {
    const OF_PLACES: WordFlags = WordFlags::CITY
        .union(WordFlags::CITY_PART)
        .union(WordFlags::COUNTRY)
        .union(WordFlags::LANDMARK)
        .union(WordFlags::STREET_SUFFIX)
        .union(WordFlags::RARE_STREET_SUFFIX);
    info.is(WordFlags::MEDICAL) && !info.is_any(OF_PLACES) && bearers(info) < WELL_BORNE
}

impl Line<'_, '_> {
    /// Whether a word of no list that a sentence or field begins with can be a name: no short form, label or adverb is.
    pub(super) fn may_begin(&self, index: usize) -> bool {
        let after = self.words.between_after(index);
        let text = self.words.text(index);
        let speaker = index == self.first && after.starts_with(": ") && text.len() >= 5;
        speaker || text.len() >= 6 && !after.starts_with([':', '/', '.', '=']) && !text.ends_with("ly")
    }

    /// Whether the word is said of a thing: a finding, a device or a number follows, as in `Bryant sign`, `Epworth 12`.
    ///
    /// `reach` is how many more words of a list are looked at: `Bryant or Galeazzi sign`.
    pub(super) fn is_attributive(&self, index: usize, reach: usize) -> bool {
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
            && !matches!(next.usage, Some(Use::PersonVerb | Use::Verb))
            && (next.usage == Some(Use::Thing) || is_medical_noun(&next.known))
    }

    /// Whether nothing follows that the word could belong to: an end, a mark, a verb of persons or a joint.
    pub(super) fn stands_alone(&self, index: usize) -> bool {
        let Some(next) = self.words.get(index + 1).filter(|_| index + 1 < self.end) else { return true };
        match next.gap {
            Gap::Space => {
                let text = self.words.text(index + 1);
                next.shape == Shape::Lower
                    && (matches!(next.usage, Some(Use::PersonVerb | Use::Verb | Use::Lead))
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
    pub(super) fn is_inside(&self, index: usize) -> bool {
        let word = &self.words.list[index];
        index > self.first
            && (matches!(word.gap, Gap::Space | Gap::Comma | Gap::Other)
                && self.words.list[index - 1].shape == Shape::Lower
                || word.gap == Gap::Stop && self.words.list[index - 1].shape == Shape::Initial)
    }

    /// Whether nothing of the clinic explains a capital that stands where prose has none for ordinary words: `mail at Harvest`, `pt Rusk took`.
    pub(super) fn is_written_as_a_name(&self, index: usize, info: &WordInfo) -> bool {
        let word = &self.words.list[index];
        let length = word.end - word.start;
        self.is_beside_in_prose(index, info)
            && word.marker.is_none()
            && !self.words.is_eponym(index)
            && !is_of_medicine_alone(info)
            && (length > 2 && !info.flags.is_empty() && self.is_inside(index)
                || length > 2 && self.is_called(index, info))
    }

    /// Whether a capital goes on with the site before it that is claimed: `Jackson State`, `DaVita Eastgate`.
    pub(super) fn goes_on_from_site(&self, index: usize, spans: &[Span]) -> bool {
        let is_site = |span: &&Span| {
            matches!(
                span.leading().class.label,
                Label::City | Label::Hospital | Label::Organization | Label::LocationOther | Label::State
            )
        };
        index > self.first
            && self.is_beside_in_prose(index, &self.info(index))
            && spans.iter().filter(is_site).any(|span| span.end == self.words.list[index - 1].end)
    }

    /// Whether a capital stands one blank behind another word, in prose, and neither it nor the word behind it is of the clinic.
    fn is_beside_in_prose(&self, index: usize, info: &WordInfo) -> bool {
        let word = &self.words.list[index];
        matches!(self.register, Register::Prose | Register::Careless)
            && word.shape == Shape::Capital
            && (word.gap == Gap::Space
                || word.gap == Gap::Other && matches!(self.words.between(index), " @ " | "/ " | " & " | " + " | " @"))
            && !is_clinical(info, self.words.text(index))
            && !self.is_attributive(index, 0)
    }

    /// `Aunt Peaches picks up`, `Passenger Wren,`, `Pt Rusk took`: right behind who somebody is, and no verb of what they do.
    fn is_called(&self, index: usize, info: &WordInfo) -> bool {
        let Some(before) = index.checked_sub(1).filter(|&before| before >= self.first) else { return false };
        let kin = self.words.list[before].is(Marker::Kin) && !listed!(self.words.text(before), MANY_OR_NO_KIN);
        // `Patient Education`: the commonest words are of headings.
        let person = listed!(self.words.text(before), PERSONS)
            && (info.english_size().is_none_or(|size| size > COMMON) || bearers(info) >= WELL_BORNE);
        let acts = matches!(self.words.list[index].usage, Some(Use::PersonVerb | Use::Verb | Use::Lead));
        (kin || person) && !acts && self.words.between(index) == " "
    }

    /// Whether a comma or bracket sets the word off from what stands before it.
    pub(super) fn is_set_off(&self, index: usize) -> bool {
        index > self.first && matches!(self.words.list[index].gap, Gap::Comma | Gap::Bracket)
    }

    /// Whether a verb follows that only persons are the subjects of.
    pub(super) fn acts(&self, index: usize) -> bool {
        index + 1 < self.end
            && self.words.list[index + 1].gap == Gap::Space
            && self.words.list[index + 1].usage == Some(Use::PersonVerb)
    }

    /// Whether a bracket or an apposition tells who someone is: `Grant (a big man)`, `Hope, her oldest,`.
    pub(super) fn is_described(&self, index: usize) -> bool {
        let Some(next) = self.words.get(index + 1).filter(|_| index + 1 < self.end) else { return false };
        let set_off = self.words.between(index + 1) == " (" || self.words.between(index + 1) == ", ";
        let bracket = next.gap == Gap::Bracket;
        set_off
            && next.shape == Shape::Lower
            && (matches!(self.words.text(index + 1), "his" | "her" | "who" | "pt's" | "patient's")
                || bracket && matches!(self.words.text(index + 1), "a" | "an" | "big" | "the" | "age" | "aged"))
    }

    /// Whether the words beside a name are said of persons: `told Hawkins`, `about Hawkins`, `Hawkins called`.
    pub(super) fn is_among_persons(&self, index: usize) -> bool {
        const BEFORE: &[&str] = &["about", "told", "asked", "saw", "met", "thanked", "texted"];
        const NO_PERSON_AFTER: &[&str] = &["asked", "felt", "refused", "declined", "planned", "accepted", "met"];
        let word = &self.words.list[index];
        let owned = self.words.between_after(index).starts_with(['\'', '’', '-', '/']);
        let told = index > self.first
            && word.gap == Gap::Space
            && BEFORE.contains(&self.words.text(index - 1))
            && self.stands_alone(index);
        let acts = self.acts(index) && !NO_PERSON_AFTER.contains(&self.words.text(index + 1));
        word.shape == Shape::Capital && !owned && (told || acts)
    }

    /// Whether other eponyms stand in a row with this one, one of them with its finding: `Hawkins, Neer, Jobe neg`.
    pub(super) fn is_in_a_row_of_eponyms(&self, index: usize, info: &WordInfo) -> bool {
        if !info.is(WordFlags::EPONYM) {
            return false;
        }
        let beside = |other: usize| {
            self.words.get(other).is_some_and(|word| {
                word.is_capital() && word.info.is(WordFlags::EPONYM) && (self.first..self.end).contains(&other)
            })
        };
        let joined = |right: usize| {
            right < self.end
                && matches!(self.words.between(right), ", " | "/" | "," | " / " | " & " | " + " | ";" | "; ")
        };
        let joint = |at: usize| at < self.end && matches!(self.words.text(at), "and" | "or" | "nor");
        joined(index) && index > self.first && beside(index - 1)
            || joined(index + 1) && beside(index + 1)
            || joint(index + 1) && beside(index + 2)
            || index > self.first + 1 && joint(index - 1) && beside(index - 2)
    }

    /// Whether a name begins the line whose words follow: `Lindstrom: no need of radiation`.
    pub(super) fn is_a_speaker(&self, index: usize, info: &WordInfo) -> bool {
        index == self.first && bearers(info) > 0 && self.words.between_after(index).starts_with(':')
    }

    /// Whether a city begins the line and something is set off from it: `Leuven, two nights`.
    pub(super) fn is_a_place_first(&self, index: usize, info: &WordInfo) -> bool {
        index == self.first
            && info.population >= 50_000
            && self.words.get(index + 1).is_some_and(|next| matches!(next.gap, Gap::Comma | Gap::Other))
    }
}
