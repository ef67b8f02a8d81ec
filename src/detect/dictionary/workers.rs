//! People by what they do or where they do it: `bus driver Earl brought her`, `Beth from IR says`.
//!
//! ```text
//! bus driver Earl brought her in   a job in small letters before a given name     PATIENT
//! Beth from IR says no window      a given name before a service                  DOCTOR
//! Pain in ED, Rose from 2 to 4     no name, no service
//! ```

use super::found::Found;
use super::markers::Marker;
use super::names_alone::speaks;
use super::people::add;
use super::professions::is_job;
use super::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// So many bearers make a given name of a word in such a place, and so many of one that is an ordinary word besides.
const BEARERS: (u32, u32) = (1_000, 20_000);
/// Words that are common and far more often another thing at the head of a sentence.
const NO_NAMES: &str = "bill chase mark will may april june august hope grant grace faith joy rose sunny page carry";
/// Services by the word that stands behind `from` or `in`.
const SERVICES: &str = "ir it pt ot slp rt ed er icu or pacu hr cm sw gi id ep ob nutrition dietary dietetics pharmacy lab labs radiology billing \
                        registration scheduling housekeeping transport admitting admissions palliative hospice cards cardiology neuro \
                        neurology ortho orthopedics renal nephrology onc oncology heme hematology surgery peds pediatrics psych psychiatry \
                        anesthesia security pulm pulmonary respiratory micro microbiology pathology path biomed rehab dialysis transplant \
                        urology endo endoscopy derm optometry audiology chaplaincy triage intake";

/// Adds those who are told by a job or a service.
pub(super) fn detect(words: &Words, found: &mut Found) {
    if words.shouted {
        return;
    }
    for index in 0..words.list.len() {
        if words.list[index].cues.has(Cues::JOB) {
            behind_job(words, index, found);
        }
        of_service(words, index, found);
    }
}

/// A given name alone behind a job in small letters.
fn behind_job(words: &Words, index: usize, found: &mut Found) {
    let name = index + 1;
    let alone = words.get(name + 1).is_none_or(|next| next.gap != Gap::Space || next.shape == Shape::Lower);
    let told = words.list[index].shape == Shape::Lower
        && is_job(words.text(index))
        && words.get(name).is_some_and(|next| next.gap == Gap::Space)
        && alone
        && is_given_name(words, name);
    if told {
        add(words, name, name, Label::Patient, 0.7, found);
    }
}

/// A given name alone before the service that its bearer is of.
fn of_service(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let begins = matches!(word.gap, Gap::Start | Gap::Stop | Gap::Comma | Gap::Colon)
        || word.gap == Gap::Space && index > 0 && words.list[index - 1].shape == Shape::Lower;
    // `Mark from IR called`
    let spoken = || words.list.len() > index + 2 && speaks(words, index + 2);
    if word.shape != Shape::Capital
        || !begins
        || listed!(words.text(index), NO_NAMES) && !spoken()
        || !is_given_name(words, index)
    {
        return;
    }
    let joint = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Lower)
        && listed!(words.text(index + 1), "from in with");
    let service = words.get(index + 2).is_some_and(|next| next.gap == Gap::Space)
        && listed!(words.text(index + 2), SERVICES)
        // `in pt`, `in or`: these are services in capitals only.
        && (words.text(index + 2).len() > 2 || words.list[index + 2].shape == Shape::Upper);
    if joint && service && !found.covers(word.start..word.end) {
        add(words, index, index, Label::Doctor, 0.75, found);
    }
}

/// Whether a word with a capital is a given name, and no term, place or eponym that is better known.
fn is_given_name(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let info = word.info;
    let other = MEDICAL.union(WordFlags::STATE).union(WordFlags::COUNTRY).union(WordFlags::NATIONALITY);
    let ordinary = info.english_size().is_some_and(|size| size <= 35);
    let fewest = if ordinary && !speaks(words, index) { BEARERS.1 } else { BEARERS.0 };
    word.shape == Shape::Capital
        && word.marker.is_none_or(|marker| marker == Marker::Particle)
        && info.given_count >= fewest
        && !info.is_any(other)
        && !words.is_eponym(index)
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn people_by_their_jobs_and_services() {
        for (sentence, name) in [
            ("The bus driver Earl brought her in", "Earl"),
            ("Her hairdresser Lynn noticed a mole", "Lynn"),
            ("Beth from IR says there is no window", "Beth"),
            ("Rose from billing called about the claim", "Rose"),
        ] {
            assert_eq!(people(sentence), [name], "{sentence}");
        }
    }

    #[test]
    fn other_words_in_the_same_places() {
        for sentence in [
            "bus driver side impact",
            "Pain in ED was controlled",
            "Relief with surgery alone",
            "Rose from billing error",
        ] {
            assert_eq!(people(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
