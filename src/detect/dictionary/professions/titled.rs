//! What somebody is, in capitals behind the name: `Darla Pogue, Senior Claims Adjuster`, `Marcus Teel (HR/Safety Manager)`.

use super::super::found::Found;
use super::super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// What ends the titles of those who work in an office, a school or a plant.
const HEADS: &str = "manager adjuster coordinator supervisor director superintendent specialist representative rep officer administrator \
                     analyst clerk agent principal secretary examiner foreman president chairman chairwoman treasurer investigator inspector \
                     attorney paralegal advisor adviser engineer teacher buyer dispatcher";
/// Beside these a title is one of the care staff.
const CARE: &str = "nurse nursing care case clinical clinic medical health patient unit ward pharmacy lab laboratory radiology rehab \
                    therapy infection discharge intake resident residency fellowship research hospital surgical social quality risk utilization \
                    palliative hospice program admissions transplant stroke trauma wound icu ed er or behavioral mental dental practice \
                    interpreter chaplaincy spiritual nutrition dietary respiratory physician medicine surgery records him";
/// So many words may stand before the last one of a title.
const LONGEST: usize = 4;

/// Adds the title that ends with a word.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let head = &words.list[index];
    if head.shape != Shape::Capital || words.shouted || !listed!(words.text(index), HEADS) {
        return;
    }
    let mut first = index;
    while first > 0 && index - first < LONGEST && is_joined(words, first) {
        first -= 1;
    }
    let Some(name) = first.checked_sub(1).filter(|_| matches!(words.list[first].gap, Gap::Comma | Gap::Bracket)) else {
        return;
    };
    let cares = (first..index).any(|at| {
        let text = words.text(at);
        listed!(text, CARE) || text != "HR" && words.list[at].info.is_any(MEDICAL.union(WordFlags::CARE_ROLE))
    });
    let range = words.list[first].start..head.end;
    // One word is told by the words around it, as any job is.
    if first < index && !cares && found.ends_person(words.list[name].end) {
        found.add(range, Label::Profession, 0.8);
    }
}

/// Whether the word before belongs to the title: a capital, or a small joint.
fn is_joined(words: &Words, at: usize) -> bool {
    let before = &words.list[at - 1];
    let gap = matches!(words.between(at), " " | "/" | "-" | " & " | " - ");
    gap && (before.is_capital() || listed!(words.text(at - 1), "of and for"))
}
