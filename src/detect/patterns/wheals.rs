//! Skin tests, whose wheals and flares in millimetres look like days: `oak 4/11 birch 8/28`.

use super::context::word_before;
use crate::detect::listed::listed;

/// What is pricked into the skin; no food, which is also given on a day.
const PRICKED: &str = "histamine saline diluent glycerin glycerine oak birch maple elm ash cedar juniper walnut pecan hickory cottonwood sycamore \
                       mulberry olive pine poplar alder hazel beech elder ragweed mugwort sagebrush pigweed plantain lambsquarter lambsquarters \
                       kochia thistle nettle timothy bermuda fescue ryegrass bluegrass bahia johnson orchard redtop vernal grass grasses weeds \
                       trees mite mites farinae pteronyssinus cat dog horse feather feathers cockroach roach alternaria cladosporium aspergillus \
                       penicillium helminthosporium hormodendrum mold molds hymenoptera venom";

/// Whether two numbers with a stroke behind the word `before` are a wheal: no word of days, in a sentence that tells wheals.
pub(in crate::detect) fn is_wheal(sentence: &str, before: &str) -> bool {
    !listed!(before, "on of since from") && are_told(sentence)
}

/// Whether a sentence tells the wheals of two things that were pricked at least, each right behind its name.
fn are_told(sentence: &str) -> bool {
    let pricked = |stroke: usize| {
        let before = &sentence[..stroke];
        let number = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        number < stroke
            && sentence[stroke + 1..].starts_with(|c: char| c.is_ascii_digit())
            && listed!(word_before(sentence, number), PRICKED)
    };
    memchr::memchr_iter(b'/', sentence.as_bytes()).filter(|stroke| pricked(*stroke)).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheals_are_told_by_two_things_that_were_pricked() {
        for line in ["Histamine 7/25 saline 0/2 oak 4/11", "dust mite 6/22, Timothy 5/17"] {
            assert!(are_told(line), "{line}");
        }
        for line in ["cat bite 3/4, dog 5/6", "seen 3/4 and 5/6", "oak /11 elm /3", ""] {
            assert!(!are_told(line), "{line}");
        }
    }
}
