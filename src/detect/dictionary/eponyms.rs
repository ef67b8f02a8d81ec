//! Names of people that name a finding, an instrument or a score: `Foley catheter`, `Braden 18`, `Parkinson's disease`.

use super::words::{Cues, Gap, Words};
use crate::detect::listed::WordList;
use crate::lexicon::{Lexicon, WordFlags};

/// What follows an eponym and no person.
pub(super) const HEADS: &str = "disease syndrome sign signs test procedure catheter score scale criteria \
     classification maneuver palsy reflex reflexes fracture lesion repair protocol tube \
     drain hernia lymphoma sarcoma tumor tumour operation ligament bodies cells cell nodes \
     node contracture deformity dementia phenomenon ulcer cyst esophagus thyroiditis \
     encephalopathy aphasia area disease. triad index stain fundoplication anomaly \
     malformation valve pump filter band stage staging grade grading position incision \
     approach method formula equation coma nodules lines spots point tendon canal duct \
     glands ataxia chorea neuroma tenderness hold clamp retractor forceps dressing splint \
     collar boot boots stockings frame respirations breathing pulse murmur nephropathy \
     purpura gangrene gland space pouch loop capsule fascia body arthropathy \
     macroglobulinemia granulomatosis arteritis vasculitis thyrotoxicosis neuralgia \
     paralysis speech risk questionnaire inventory exam examination manoeuvre model \
     calculation esophagectomy shunt line port rod rods wire wires cannula suture sutures \
     knife agar antigen virus fever curve effect angle distraction traction exercises \
     hemorrhage herniation tear tears gastrectomy hugger lift suction stand wrap scissors \
     resection transfer osteotomy oesophagectomy oesophagus haemorrhage type zone class \
     granule granules erosion erosions knots maneuvers null unstable anaemia";
static EPONYM_HEADS: WordList = WordList::new(HEADS);

/// Whether a word follows eponyms and no person.
pub(super) fn is_head(word: &str) -> bool {
    EPONYM_HEADS.contains(word)
}

impl Words<'_> {
    /// Whether the words after `index` make it an eponym and no person: `Foley catheter`, `Parkinson's disease`.
    pub(super) fn is_eponym(&self, index: usize) -> bool {
        let word = &self.list[index];
        let possessive = self
            .list
            .get(index + 1)
            .is_some_and(|next| matches!(self.text(index + 1), "s" | "S") && next.gap == Gap::Other);
        let next = index + 1 + usize::from(possessive);
        if let Some(following) = self.list.get(next)
            && (matches!(following.gap, Gap::Space | Gap::Hyphen)
                // `mom (Lacey), fever` is two things.
                || following.gap == Gap::Other && !self.between(next).contains([')', ']', ';', '?', '!', '|']))
        {
            // `dtr Mai Anh cell 555-0100`: a given name beside a telephone.
            let telephone = word.info.given_count >= 2_000 && self.text(next) == "cell";
            if following.cues.has(Cues::EPONYM_HEAD) && !telephone {
                return true;
            }
        }
        if !word.info.is(WordFlags::EPONYM) {
            return false;
        }
        self.is_scored(index) || self.is_eponymous(index, index)
    }

    /// Whether a number or a finding stands behind an eponym: `Braden 18`, `Allen 5.2`, `Hawkins neg`, `Katz 4/6`.
    fn is_scored(&self, index: usize) -> bool {
        let after = &self.sentence.as_bytes()[self.list[index].end..];
        let value = match after {
            [b' ', rest @ ..] => rest,
            [b':' | b'=', b' ', rest @ ..] => rest,
            _ => return false,
        };
        let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let finding = ["neg", "pos", "+", "-", "nl", "WNL", "intact", "II", "III", "IV"]
            .iter()
            .any(|word| value.starts_with(word.as_bytes()));
        // `Cohen 4-410 needs kosher`: a floor and a room.
        let room = matches!(value.get(digits..), Some([b'-', b'0'..=b'9', b'0'..=b'9', ..]));
        (1..=2).contains(&digits) && !room && !matches!(value.get(digits), Some(b'M' | b'F' | b'y')) || finding
    }

    /// Whether the words `first..=last` are an eponym of the lexicon and one of its terms follows: `St. Jude valve`.
    pub(super) fn is_eponymous(&self, first: usize, last: usize) -> bool {
        let phrase = self.phrase(first, last);
        let cue = if first == last { Cues::EPONYM } else { Cues::PHRASE };
        // A possessive behind the last word may leave a single one.
        let may_be =
            self.list[first].cues.has(cue) || first < last && (!self.is_apart(first) || phrase.ends_with(['s', 'S']));
        let Some(heads) = Some(phrase).filter(|_| may_be).and_then(|phrase| Lexicon::shared().eponym(phrase)) else {
            return false;
        };
        let rest = self.sentence[self.list[last].end..].trim_start_matches(|c: char| !c.is_alphanumeric());
        let rest = rest.strip_prefix("s ").unwrap_or(rest).trim_start();
        let is_common = Lexicon::shared().word(phrase).is_common_surname();
        heads.iter().any(|head| begins_with_word(rest, head, is_common))
    }
}

/// Whether a name is that of a sign, a test or a tool, of which one follows at once: `Foley catheter`, `Tinel's sign`; not `Allen tested positive`,
/// who did.
pub(in crate::detect) fn is_before_head(name: &str, after: &str) -> bool {
    let Some(heads) = Lexicon::shared().eponym(name) else { return false };
    let after = ["'s", "’s", "'S", "’S"].iter().find_map(|own| after.strip_prefix(own)).unwrap_or(after);
    let is_common = Lexicon::shared().word(name).is_common_surname();
    after.strip_prefix([' ', '-']).is_some_and(|rest| heads.iter().any(|head| begins_with_word(rest, head, is_common)))
}

/// A word of so many bytes is no verb.
const NO_VERB: usize = 6;

/// Whether a text begins with words, the last of them whole or with the `s` of several; behind a common surname that is oftener the `s` of a verb:
/// `Thompson stands`, `Allen tests positive`.
fn begins_with_word(text: &str, words: &str, is_common: bool) -> bool {
    let several = |rest: &str| rest.starts_with(['s', 'S']) && !(is_common && words.len() < NO_VERB);
    let ends = |rest: &str| !rest.get(usize::from(several(rest))..).unwrap_or(rest).starts_with(char::is_alphanumeric);
    text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words)) && ends(&text[words.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;

    fn is_eponym(sentence: &str) -> bool {
        Words::of(sentence, Lexicon::shared()).is_eponym(0)
    }

    #[test]
    fn terms_scores_and_findings_are_no_people() {
        for line in ["Foley catheter placed", "Parkinson's disease", "Braden 18", "Hawkins neg", "Evans type III"] {
            assert!(is_eponym(line), "{line}");
        }
        for line in [
            "Lacey), fever for two days",
            "Lacey; fever",
            "Hawkins 44M",
            "Hawkins 4-410 needs kosher",
            "Foley called",
            "Allen tested positive",
            "Smith signed consent",
            "Wells remains intubated",
            "Todd stable overnight",
            "Braden asked",
            "Maria cell 555-0100",
        ] {
            assert!(!is_eponym(line), "{line}");
        }
    }
}
