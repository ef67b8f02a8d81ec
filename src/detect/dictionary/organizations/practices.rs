//! Practices told by a place or a rare word before their specialty: `Dover Peds`, `Renown Pulmonary`, `Cedar Fork FP`, `Caprock Optical`.

use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// What practices do, as their names end.
const SPECIALTIES: &str = "peds pediatrics paediatrics pulmonary eye optical optometry hearing audiology ortho orthopedics orthopaedics cardiology derm \
                           dermatology ent obgyn urology neurology neuro oncology gastroenterology nephrology rheumatology endocrinology \
                           endocrine allergy dental dentistry endodontics orthodontics podiatry fp vision imaging radiology dialysis urgent psych \
                           psychiatry counseling surgical vascular spine pain fertility midwifery";
/// Places that are eponyms of scales and signs before such a word.
const SCALES: &str = "glasgow boston denver london montreal seattle toronto milwaukee philadelphia miami jersey";

/// Adds the practice whose specialty is at `index`.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let head = &words.list[index];
    if words.shouted || !head.is_capital() || head.gap != Gap::Space || !listed!(words.text(index), SPECIALTIES) {
        return;
    }
    let Some(last) = index.checked_sub(1).filter(|_| words.between(index) == " ") else { return };
    let closes = !words
        .get(index + 1)
        .is_some_and(|next| words.between(index + 1) == " " && next.is_capital() || words.between(index + 1) == "-");
    let first = match last.checked_sub(1) {
        Some(before) if words.between(last) == " " && is_named(words, before) => before,
        _ => last,
    };
    let told = (first..=last).any(|at| is_telling(words, at));
    let range = words.list[first].start..head.end;
    if closes && told && is_named(words, last) && !found.covers(range.clone()) {
        found.add(range, Label::Hospital, 0.6);
    }
}

/// Whether a word may be part of such a name.
fn is_named(words: &Words, index: usize) -> bool {
    const OTHER: WordFlags = MEDICAL.union(WordFlags::EPONYM).union(WordFlags::HEADING);
    let word = &words.list[index];
    word.shape == Shape::Capital
        && word.marker.is_none()
        && !word.info.is_any(OTHER)
        && !listed!(words.text(index), SCALES)
}

/// Whether a word is a place, or no word of English and nobody's given name.
fn is_telling(words: &Words, index: usize) -> bool {
    let info = words.list[index].info;
    info.population > 0 && info.english_size().is_none_or(|size| size > 20)
        || info.english_size().is_none() && info.given_count < 5_000
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::organizations::transfers::tests::sites;

    #[test]
    fn practices_by_their_specialty() {
        for (sentence, site) in [
            ("Sent to Tualatin Pulmonary for spirometry", "Tualatin Pulmonary"),
            ("seen at Caprock Optical last year", "Caprock Optical"),
        ] {
            assert_eq!(sites(sentence), [site], "{sentence}");
        }
        for sentence in [
            "Referred to Outpatient Cardiology today",
            "Consulted Neurology and Pain",
            "Glasgow Eye opening 4",
            "Follow up with Pediatric Neurology",
            "Snellen Eye chart",
        ] {
            assert_eq!(sites(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
