//! How much a word or a run of words looks like a person's name, before any context.
//!
//! ```text
//! Okpara  a name      Grant  a namesake      Zbyszko  unknown      Warfarin  never      Babinski  an eponym
//! ```

use super::markers::Marker;
use super::runs::{CUES, Trust};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::lexicon::{WordFlags, WordInfo};

/// What a word looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Another thing: a drug, a finding, a place, a company, a grammatical word.
    Never,
    /// A word that names a medical term as often as a person.
    Eponym,
    /// An ordinary word that is a name of some people too.
    Namesake,
    /// In no list at all.
    Unknown,
    /// Mostly a name.
    Name,
}

/// How strongly the context asks for a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// Things stand there as often: `by`, `with`, `from`.
    Weak,
    /// Hardly anything but a name stands there: `RN`, `coach`, before `(daughter)`.
    Strong,
}

/// What a word in letters of any case looks like.
pub(super) fn likeness(info: WordInfo) -> Likeness {
    const OTHERS: WordFlags = WordFlags::NATIONALITY
        .union(WordFlags::DRUG)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::COUNTRY)
        .union(WordFlags::STATE)
        .union(WordFlags::ORGANIZATION)
        .union(WordFlags::HOSPITAL)
        .union(WordFlags::LANDMARK);
    let bearers = info.surname_count.max(info.given_count);
    match () {
        () if info.is_any(OTHERS) && info.given_count < 5_000 => Likeness::Never,
        () if info.is_any(MEDICAL.union(CUES)) && bearers < 5_000 => Likeness::Never,
        () if info.is(WordFlags::CITY) && info.population > 30_000 && bearers < 2_000 => Likeness::Never,
        () if info.english_size().is_some_and(|size| size <= 50) => {
            if bearers >= 1_000 {
                Likeness::Namesake
            } else {
                Likeness::Never
            }
        }
        () if info.is(WordFlags::EPONYM) && bearers < 300_000 => Likeness::Eponym,
        () if info.is_any(MEDICAL) => Likeness::Namesake,
        () if info.english_size().is_some_and(|size| size <= 70) => match bearers {
            0..50 => Likeness::Never,
            50..5_000 => Likeness::Namesake,
            _ => Likeness::Name,
        },
        () if bearers > 0 => Likeness::Name,
        () if info.flags.is_empty() => Likeness::Unknown,
        () => Likeness::Never,
    }
}

impl Words<'_> {
    /// What the word at `index` looks like where it stands.
    pub(super) fn likeness_at(&self, index: usize) -> Likeness {
        let word = &self.list[index];
        match word.marker {
            None | Some(Marker::Particle) => likeness(word.info),
            Some(_) if self.is_namesake_at(index) => Likeness::Namesake,
            Some(_) => Likeness::Never,
        }
    }

    /// The end of the name that begins at `first`, if context and words together make one.
    pub(super) fn person_from(&self, first: usize, lead: Lead, comma: bool) -> Option<usize> {
        let last = self.name_from(first, Trust::Told, comma)?;
        self.is_person(first, last, lead).then_some(last)
    }

    /// Whether the words `first..=last`, written as names are, name a person where the context asks for one.
    pub(super) fn is_person(&self, first: usize, last: usize, lead: Lead) -> bool {
        if self.list[first].shape == Shape::Capital && self.is_descriptive(first, last) {
            return true;
        }
        let parts = || {
            (first..=last)
                .filter(|&index| self.list[index].is_capital() && self.list[index].end - self.list[index].start > 1)
        };
        let Some(best) = parts().map(|index| self.likeness_at(index)).max() else {
            return false;
        };
        let worst = parts().map(|index| self.likeness_at(index)).min().unwrap_or(best);
        let several = last > first;
        let capital = parts().any(|index| self.list[index].shape == Shape::Capital);
        let length = self.list[last].end - self.list[first].start;
        let role = self
            .list
            .get(last + 1)
            .is_some_and(|next| next.gap == Gap::Space && best != Likeness::Name && next.is(Marker::CareRole));
        if self.is_eponym(last) || !several && self.is_code(first) || role {
            return false;
        }
        match (best, lead) {
            (Likeness::Never, _) => false,
            (Likeness::Eponym, Lead::Strong) => worst == Likeness::Eponym,
            (Likeness::Eponym, Lead::Weak) => false,
            (Likeness::Namesake, Lead::Strong) => {
                // `Case Management`: two ordinary words in a row are a title of their own.
                let titled = self.list.get(last + 1).is_some_and(|next| next.gap == Gap::Space && next.is_capital());
                several || capital && !titled
            }
            (Likeness::Namesake, Lead::Weak) => {
                let reversed =
                    several && self.list[first + 1].gap == Gap::Comma && self.list[first + 1].info.given_count >= 5_000;
                several && (capital || reversed) && worst >= Likeness::Namesake && self.borne(first, last)
            }
            (Likeness::Unknown, Lead::Strong) => length >= 3,
            (Likeness::Unknown, Lead::Weak) => worst >= Likeness::Namesake && capital && length >= 4,
            (Likeness::Name, Lead::Strong) => true,
            (Likeness::Name, Lead::Weak) => worst > Likeness::Eponym,
        }
    }

    /// Whether two namesakes in a row are both names of many: `Grant Young`.
    fn borne(&self, first: usize, last: usize) -> bool {
        let bearers = |index: usize| self.list[index].info.surname_count.max(self.list[index].info.given_count);
        bearers(first) >= 5_000 && bearers(last) >= 5_000
    }

    /// Whether a short word in capitals is more likely a code than a name.
    fn is_code(&self, index: usize) -> bool {
        let word = &self.list[index];
        word.shape == Shape::Upper
            && word.end - word.start <= 4
            && (word.info.surname_count.max(word.info.given_count) < 2_000 || word.info.is_any(MEDICAL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;

    #[test]
    fn words_by_what_they_mostly_are() {
        let of = |word| likeness(Lexicon::shared().word(word));
        assert_eq!(of("Okonkwo"), Likeness::Name);
        assert_eq!(of("Grant"), Likeness::Namesake);
        assert_eq!(of("Zbyszkovia"), Likeness::Unknown);
        assert_eq!(of("warfarin"), Likeness::Never);
        assert_eq!(of("Babinski"), Likeness::Eponym);
    }
}
