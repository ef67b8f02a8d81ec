//! Runs of words that make one person's name: `Maria de la Cruz-Lopez Jr.`, `SMITH, JOHN C`, `J. R. Patel`.

use super::markers::Marker;
use super::words::{Gap, MEDICAL, Shape, Word, Words};
use crate::detect::listed::{WordList, listed};
use crate::lexicon::WordFlags;

/// At most so many words make a name.
const LONGEST_NAME: usize = 6;
/// How sure it is already that a name stands here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// A title, field or credential says so.
    Told,
    /// Only the words themselves do.
    Alone,
}

impl Words<'_> {
    /// The last word of the name that begins at `first`; `comma` lets `Last, First` in.
    pub(super) fn name_from(&self, first: usize, trust: Trust, comma: bool) -> Option<usize> {
        let mut last = self.first_part(first, trust)?;
        let mut comma_left = comma;
        while last + 1 < self.list.len() && last + 1 - first < LONGEST_NAME {
            let next = last + 1;
            let word = &self.list[next];
            let gap_fits = match word.gap {
                Gap::Space | Gap::Hyphen => true,
                Gap::Stop => {
                    matches!(self.list[last].shape, Shape::Initial) || self.text(last).eq_ignore_ascii_case("st")
                }
                Gap::Comma => word.is(Marker::Suffix) || comma_left && self.follows_comma(next, trust),
                _ => false,
            };
            if !gap_fits {
                break;
            }
            if word.gap == Gap::Comma && !word.is(Marker::Suffix) {
                comma_left = false;
            }
            match self.descriptive_surname(next).or_else(|| self.part_at(next, trust)) {
                Some(end) => last = end,
                None => break,
            }
        }
        Some(last)
    }

    /// The end of a surname told in words, as many Native American ones are: `Joy Standing Bear`, `Two Bulls`. Where not just its
    /// words are written large a given name must stand before: `WILMA YELLOW HORSE`.
    pub(super) fn descriptive_surname(&self, index: usize) -> Option<usize> {
        let word = self.list.get(index)?;
        let cased = word.shape == Shape::Capital && !self.shouted && self.has_head(index);
        let named = || {
            let before = index.checked_sub(1).map(|before| &self.list[before]);
            self.is_descriptive(index, index + 1)
                && word.gap == Gap::Space
                && before.is_some_and(|before| {
                    before.shape == word.shape
                        && before.info.given_count >= 500
                        && before.info.english_size().is_none_or(|size| size > 50)
                })
        };
        (cased || named()).then_some(index + 1)
    }

    /// Whether just two words are a surname told in words, in any case: `TWO BULLS`; `Guide Dog` is none.
    pub(super) fn is_descriptive(&self, first: usize, last: usize) -> bool {
        static TOLD_BY: WordList = WordList::new(
            "yellow black white red blue grey gray brown iron two three one many little big tall long lone good bad high \
             running standing sitting walking flying kills takes spotted brave eagle bear crazy fast swift holy thunder",
        );
        last == first + 1 && TOLD_BY.contains(self.text(first)) && self.has_head(first)
    }

    /// Whether what a surname in words is about follows a word, written like it.
    fn has_head(&self, index: usize) -> bool {
        static HEADS: WordList = WordList::new(
            "bear bears wolf hawk horse horses bull bulls elk eagle eagles cloud crow buffalo deer feather feathers thunder \
             fox owl dog bird otter beaver moon star shield arrow arrows knife hand heart woman chief rope bow lance calf \
             pipe shell hat tail whirlwind weasel badger goat goats hawks wolves elks hides plume plumes ponies",
        );
        self.list.get(index + 1).is_some_and(|head| {
            head.gap == Gap::Space
                && self.between(index + 1) == " "
                && head.shape == self.list[index].shape
                && HEADS.contains(self.text(index + 1))
        })
    }

    /// The first word of the name that ends at `last`, read backwards from a credential.
    pub(super) fn name_to(&self, last: usize) -> Option<usize> {
        let word = self.list.get(last)?;
        // `Pao Her, MD`: after a sure name even a grammatical word is one.
        let told = last > 0
            && word.shape == Shape::Capital
            && word.info.surname_count >= 1_000
            && self.between(last) == " "
            && self.list[last - 1].shape == Shape::Capital
            && self.is_name_word(last - 1, Trust::Alone);
        if !(self.is_name_word(last, Trust::Told) || word.shape == Shape::Initial || word.is(Marker::Suffix) || told) {
            return None;
        }
        let mut first = last;
        let mut comma_left = true;
        while first > 0 && last - first < LONGEST_NAME - 1 {
            let previous = first - 1;
            let before = &self.list[previous];
            let fits = match self.list[first].gap {
                Gap::Space | Gap::Hyphen => {
                    self.is_name_word(previous, Trust::Told)
                        || before.shape == Shape::Initial && !self.text(previous).eq("I")
                        || self.is_inner_particle(previous)
                }
                Gap::Stop => before.shape == Shape::Initial,
                Gap::Comma => {
                    let reversed = comma_left
                        && self.is_name_word(previous, Trust::Told)
                        && before.info.is(WordFlags::SURNAME)
                        && (before.shape == Shape::Upper || self.list[first].info.is(WordFlags::GIVEN_NAME))
                        && last - first < 3;
                    comma_left &= !reversed;
                    reversed || self.list[first].is(Marker::Suffix) && self.is_name_word(previous, Trust::Told)
                }
                _ => false,
            };
            if !fits {
                break;
            }
            first = previous;
        }
        while first < last && self.list[first].shape == Shape::Lower {
            first += 1;
        }
        (first..=last).any(|index| self.list[index].is_capital()).then_some(first)
    }

    fn is_inner_particle(&self, index: usize) -> bool {
        self.list[index].is(Marker::Particle)
            && index > 0
            && self.list[index].gap == Gap::Space
            && self.list[index].shape != Shape::Initial
    }

    /// The first word of a name with the particles or initials before it.
    fn first_part(&self, first: usize, trust: Trust) -> Option<usize> {
        let word = self.list.get(first)?;
        if self.is_name_word(first, trust) {
            return Some(first);
        }
        if trust == Trust::Told
            && let Some(last) = self.descriptive_surname(first)
        {
            return Some(last);
        }
        let leads = word.shape == Shape::Initial
            && (self.gap_after(first) == Gap::Stop || !matches!(self.text(first), "I" | "A"))
            || word.is(Marker::Particle);
        if !leads {
            return None;
        }
        for next in first + 1..(first + 4).min(self.list.len()) {
            let between = self.list[next].gap;
            if !matches!(between, Gap::Space | Gap::Stop | Gap::Hyphen) {
                return None;
            }
            if self.is_name_word(next, trust) {
                return Some(next);
            }
            if !(self.list[next].shape == Shape::Initial || self.list[next].is(Marker::Particle)) {
                return None;
            }
        }
        None
    }

    /// The end of the part of a name that continues at `index`: a word, an initial, a suffix, particles with their
    /// word.
    fn part_at(&self, index: usize, trust: Trust) -> Option<usize> {
        let word = &self.list[index];
        if word.is(Marker::Suffix) && (word.shape != Shape::Lower || matches!(self.text(index), "jr" | "sr")) {
            return Some(index);
        }
        if word.shape == Shape::Initial {
            let next = self.list.get(index + 1);
            let inner = next.is_some_and(|next| {
                next.gap == Gap::Bracket
                    || next.gap == Gap::Space && next.is_capital() && next.info.surname_count >= 100
            });
            let article =
                matches!(self.text(index), "I" | "A") && self.gap_after(index) != Gap::Stop && !self.shouted && !inner;
            let after = self.between_after(index);
            let closed = after.starts_with("  ") || after.starts_with('.');
            let column = self.between(index).len() > 1 && word.gap == Gap::Space;
            let free = self.gap_after(index) != Gap::Other || next.is_none() || closed;
            return (!article && !column && free).then_some(index);
        }
        if self.continues_name(index, trust) {
            return Some(index);
        }
        // `Ji-woo`: the second half of a given name.
        let half =
            word.gap == Gap::Hyphen && word.shape == Shape::Lower && word.end - word.start <= 5 && trust == Trust::Told;
        if half && self.list.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Capital) {
            return Some(index);
        }
        // `Al-masri`, `Smith-jones`: the second half of a surname, which is no word of English.
        let second = word.gap == Gap::Hyphen && word.shape == Shape::Lower && trust == Trust::Told;
        if second && word.end - word.start >= 4 && word.marker.is_none() {
            let info = self.look_up(index, index);
            let is_word = info.english_size().is_some() || info.is_any(MEDICAL.union(CUES));
            let borne = info.surname_count >= 5_000;
            if borne || !is_word && (info.surname_count > 0 || info.flags.is_empty()) {
                return Some(index);
            }
        }
        if word.is(Marker::Particle) && !matches!(self.text(index), "y" | "e" | "o" | "do" | "dos") {
            let mut next = index + 1;
            while self.list.get(next).is_some_and(|word| word.is(Marker::Particle)) && next < index + 3 {
                next += 1;
            }
            let follows =
                self.list.get(next).is_some_and(|word| matches!(word.gap, Gap::Space | Gap::Stop | Gap::Hyphen))
                    && self.is_name_word(next, trust);
            // `Anna Le`, `Anita Das`, `SMITH, BEN`: a name that is a particle of others.
            let borne = word.info.surname_count.max(word.info.given_count) >= 1_000;
            let ends = word.gap == Gap::Space && word.is_capital() && borne && trust == Trust::Told;
            return follows.then_some(next).or_else(|| ends.then_some(index));
        }
        None
    }

    /// What stands after a word.
    pub(super) fn gap_after(&self, index: usize) -> Gap {
        if let Some(next) = self.list.get(index + 1) {
            return next.gap;
        }
        match self.sentence[self.list[index].end..].trim().chars().next() {
            None => Gap::Space,
            Some('.') => Gap::Stop,
            Some(',') => Gap::Comma,
            Some(_) => Gap::Other,
        }
    }

    fn follows_comma(&self, index: usize, trust: Trust) -> bool {
        let word = &self.list[index];
        let given = word.info.is_any(WordFlags::GIVEN_NAME.union(WordFlags::NICKNAME)) && word.info.given_count > 20;
        let unknown = word.info.flags.is_empty() && trust == Trust::Told;
        self.is_name_word(index, trust) && (given || unknown) && !word.info.is(WordFlags::STATE)
            || word.shape == Shape::Initial && trust == Trust::Told
    }

    /// Whether a word can be the first or only word of a name.
    pub(super) fn is_name_word(&self, index: usize, trust: Trust) -> bool {
        let Some(word) = self.list.get(index) else { return false };
        if !word.is_capital() || word.end - word.start < 2 {
            return false;
        }
        match trust {
            Trust::Told => may_be_name(word, self.text(index), self.shouted),
            Trust::Alone => word.marker.is_none() && is_clean_name(word),
        }
    }

    /// Whether a word that mostly says something of its neighbours is a name all the same: `Ward`, `May`.
    pub(super) fn is_namesake_at(&self, index: usize) -> bool {
        !self.shouted && self.list[index].shape == Shape::Capital && is_namesake(&self.list[index], self.text(index))
    }

    fn continues_name(&self, index: usize, trust: Trust) -> bool {
        let word = &self.list[index];
        let info = word.info;
        if !word.is_capital() || word.end - word.start < 2 {
            return false;
        }
        if word.marker.is_some() {
            // `Bruce Ward`: after a given name even such a word is a surname.
            let given = index > 0
                && self.list[index - 1].info.given_count >= 1_000
                && self.list[index - 1].info.english_size().is_none_or(|size| size > 35);
            let large = word.shape == Shape::Upper && trust == Trust::Told && is_large_namesake(word, self.text(index));
            let plain = !self.shouted && word.shape == Shape::Capital && is_namesake(word, self.text(index));
            return given && (plain || large);
        }
        let bearers = info.surname_count.max(info.given_count);
        let ordinary = info.english_size().is_some_and(|size| size <= 50);
        let medical = info.is_any(MEDICAL) || info.is_any(CUES);
        // `Vi IM`, `Mori RT`: an abbreviation behind a word in small letters.
        let code = index > 0
            && word.shape == Shape::Upper
            && self.list[index - 1].shape == Shape::Capital
            && (info.is(WordFlags::ABBREVIATION) || word.end - word.start <= 2 && bearers < 1_000);
        if code {
            return false;
        }
        match (self.shouted, trust) {
            (true, _) => {
                info.flags.is_empty()
                    || bearers > 0 && !medical && (!ordinary || bearers > 20_000 && info.english_size() > Some(20))
            }
            (false, Trust::Told) => !(medical && bearers < 5_000 || ordinary && bearers < 1_000),
            (false, Trust::Alone) => {
                !(medical || ordinary && bearers < 5_000) && (bearers > 0 || info.flags.is_empty())
            }
        }
    }
}

/// Flags of words that end the names of organizations.
pub(super) const CUES: WordFlags = WordFlags::HOSPITAL_CUE
    .union(WordFlags::PHARMACY_CUE)
    .union(WordFlags::SCHOOL_CUE)
    .union(WordFlags::CHURCH_CUE)
    .union(WordFlags::SERVICE_CUE);

/// Whether a word written as names are may be one, where something else says that a name stands here.
fn may_be_name(word: &Word, text: &str, shouted: bool) -> bool {
    let info = word.info;
    let bearers = info.surname_count.max(info.given_count);
    match word.marker {
        None | Some(Marker::Particle) => {}
        Some(_) => return !shouted && word.shape == Shape::Capital && is_namesake(word, text),
    }
    let ordinary = info.english_size().is_some_and(|size| size <= 50) && bearers < 300;
    !(ordinary || info.is_any(MEDICAL.union(CUES)) && bearers < 500)
}

/// Whether a word that mostly means something else is also a frequent name: `Ward`, `Will`, `May`; never `He` and `To`.
pub(super) fn is_namesake(word: &Word, text: &str) -> bool {
    static NAMESAKES: WordList = WordList::new(
        "will may april june august march day white black french english german case page \
                             head ward street heart good best long summer autumn christian home church church \
                             israel price friend child pope bishop judge major hospital temple parrish parish \
                             spanish irish new still self order mark grant neck brother boss read done dean early \
                             banks park hill wells cross field fields deacon cook baker carter porter law given \
                             twin abbott see pastor coach captain office page christmas easter monday friday room \
                             bed well rice foster foreman nieto cota herr",
    );
    NAMESAKES.contains(text) && word.info.surname_count.max(word.info.given_count) > 1_000
}

/// Whether a word in capitals that mostly means something else is the surname of so many that a title or a given name before it tells: `DR. WARD`; what
/// is done or meant by those words is in capitals too, `DR. WILL SEE`.
pub(super) fn is_large_namesake(word: &Word, text: &str) -> bool {
    const DEEDS: &str = "will may can office hospital read done new still self see order home call good best long heart mark neck case page";
    word.info.surname_count >= 20_000 && is_namesake(word, text) && !listed!(text, DEEDS)
}

/// Whether a word is mostly a name: borne by many, and no ordinary, medical or place word.
pub(super) fn is_clean_name(word: &Word) -> bool {
    let info = word.info;
    let bearers = info.surname_count.max(info.given_count);
    let ordinary = info.english_size().is_some_and(|size| size <= 70);
    let eponym = info.is(WordFlags::EPONYM) && bearers < 30_000;
    let other = MEDICAL.union(CUES).union(WordFlags::COUNTRY).union(WordFlags::STATE);
    bearers >= 300 && !ordinary && !eponym && !info.is_any(other)
}
