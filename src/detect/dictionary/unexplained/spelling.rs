//! Words that are in no list and yet no names: slips of the pen, medical formations, coined names of products.

use std::sync::LazyLock;

use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags, WordInfo};

/// The longest word whose slips are looked for.
const LONGEST: usize = 24;
/// Ends that only medical words and chemicals have; longer than what names end in.
const MEDICAL_ENDS: &[&str] = &[
    "itis",
    "ectomy",
    "ostomy",
    "otomy",
    "oscopy",
    "opathy",
    "emia",
    "aemia",
    "uria",
    "algia",
    "plasty",
    "plegia",
    "paresis",
    "osis",
    "oses",
    "gram",
    "graphy",
    "graphic",
    "scopic",
    "ology",
    "ologist",
    "statin",
    "sartan",
    "olol",
    "pril",
    "azole",
    "cillin",
    "mycin",
    "cycline",
    "floxacin",
    "mab",
    "tinib",
    "parin",
    "gliptin",
    "gliflozin",
    "tide",
    "azepam",
    "azepine",
    "triptan",
    "setron",
    "prazole",
    "tidine",
    "dipine",
    "thiazide",
    "semide",
    "caine",
    "idine",
    "amide",
    "amine",
    "phylline",
    "steroid",
    "sone",
    "olone",
    "onide",
    "vir",
    "ocele",
    "rrhea",
    "rrhage",
    "trophy",
    "lysis",
    "ceps",
    "oma",
    "omas",
    "omata",
    "pathic",
    "genic",
    "ectasis",
    "stasis",
    "penia",
    "philia",
    "cyte",
    "cytes",
    "blast",
    "ular",
    "metry",
    "meter",
    "scope",
    "centesis",
    "pexy",
    "rrhaphy",
    "sclerosis",
    "tropin",
    "zumab",
    "ximab",
    "ostomies",
    "ectomies",
    "opathies",
    "acusis",
    "opsia",
    "kinesia",
    "phagia",
    "phasia",
    "pnea",
    "cardia",
    "thorax",
    "derm",
    "dermal",
    "ization",
    "ation",
    "ness",
    "ment",
    "ally",
    "ically",
    "ible",
    "able",
    "ously",
    "ful",
    "less",
];

/// By the last letter of the ends, a bit for each last letter but one: most words are turned away by it.
const ENDINGS: [u32; 32] = {
    let (mut endings, mut at) = ([0; 32], 0);
    while at < MEDICAL_ENDS.len() {
        if let [.., before, last] = MEDICAL_ENDS[at].as_bytes() {
            endings[(*last & 31) as usize] |= 1 << (*before & 31);
        }
        at += 1;
    }
    endings
};

/// Whether the end of a word tells that it is a medical or a formed English word.
pub(super) fn is_medical_form(text: &str) -> bool {
    let [.., before, last] = text.as_bytes() else { return false };
    text.len() >= 7
        && ENDINGS[usize::from(last & 31)] >> (before & 31) & 1 == 1
        && MEDICAL_ENDS.iter().any(|end| {
            text.len() > end.len() + 2 && text.as_bytes()[text.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
        })
}

/// Beginnings of medical compounds whose rest is a word by itself.
const PREFIXES: &[&str] = &[
    "neuro", "peri", "bi", "normo", "non", "hyper", "hypo", "intra", "inter", "extra", "post", "pre", "anti", "micro",
    "macro", "cardio", "gastro", "musculo", "osteo", "fibro", "electro", "immuno", "chemo", "radio", "retro", "antero",
    "postero", "supero", "infero", "latero", "medio", "sub", "supra", "infra", "trans", "uni", "poly", "multi", "para",
    "endo", "epi", "hemo", "thermo", "thera", "bio", "hydro", "myo", "nephro", "hepato", "pneumo", "dermato", "psycho",
    "over", "under", "re", "un", "dys", "pan", "auto", "sero", "ultra", "semi", "pseudo", "photo", "vaso", "veno",
    "arterio", "derma", "naso", "oro", "ortho",
];

/// Whether a word of no list is a medical beginning before a word: `Periwound`, `Neurovascularly`.
pub(super) fn is_prefixed(text: &str) -> bool {
    PREFIXES.iter().any(|prefix| {
        let rest = text.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix));
        rest.and_then(|_| text.get(prefix.len()..)).is_some_and(|rest| {
            let info: WordInfo = Lexicon::shared().word(rest.trim_start_matches('-'));
            rest.len() >= 4 && (info.english_size().is_some_and(|size| size <= 60) || info.is_any(WordFlags::MEDICAL))
        })
    })
}

/// Whether a word of no list is two words that have lost the blank between them, neither of them a name: `Comparedwith`, `Nojoint`, `ADRENALGLAND`.
///
/// One of the two must be a word of grammar, or a longer one of medicine or of what is done: two nouns are towns as well, `Fernhollow`.
pub(super) fn is_run_together(text: &str) -> bool {
    const GRAMMAR: &str = "the and of by with was is are no not has had to in for per from at on every other or but your all any total patient";
    const DONE: &[&str] = &["ed", "ing", "ion", "ions"];
    if !text.is_ascii() || !(6..=LONGEST).contains(&text.len()) {
        return false;
    }
    let lexicon = Lexicon::shared();
    let nobody = |info: &WordInfo| info.surname_count.max(info.given_count) < 500;
    (2..text.len() - 1).any(|at| {
        let (left, right) = text.split_at(at);
        let (one, other) = (lexicon.word(left), lexicon.word(right));
        let is_word =
            |part: &str, info: &WordInfo| part.len() >= 4 && is_common_word(part.as_bytes(), *info) && nobody(info);
        let tells = |part: &str, info: &WordInfo| {
            let done = DONE.iter().any(|end| {
                part.len() >= 6 && part.as_bytes()[part.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
            });
            is_word(part, info) && (done || part.len() >= 6 && info.is_any(WordFlags::MEDICAL))
        };
        listed!(left, GRAMMAR) && is_word(right, &other)
            || listed!(right, GRAMMAR) && is_word(left, &one)
            || tells(left, &one) && is_word(right, &other)
            || tells(right, &other) && is_word(left, &one)
    })
}

/// Whether a capital inside a word makes it the name of a product, as no surname has it: `MyChart`, `GlideScope`.
pub(super) fn is_coined(text: &str) -> bool {
    const NAMES: &[&str] =
        &["Mc", "Mac", "De", "Di", "Du", "La", "Le", "Van", "Von", "St", "Fitz", "Del", "Della", "O"];
    let inner = text
        .char_indices()
        .skip(1)
        .zip(text.chars())
        .find(|((_, letter), before)| letter.is_uppercase() && before.is_lowercase());
    let abbreviation = text.bytes().take_while(u8::is_ascii_uppercase).count();
    inner.is_some_and(|((at, _), _)| !NAMES.contains(&&text[..at]))
        // `MRIs`, `SUVmax`: an abbreviation that small letters go on with.
        || abbreviation >= 2 && text.as_bytes().get(abbreviation).is_some_and(u8::is_ascii_lowercase)
}

/// Whether a word of no list is one slip away from a common English or medical word, or an inflected form of one.
pub(super) fn is_misspelling(text: &str) -> bool {
    if !text.is_ascii() || text.len() > LONGEST || text.len() < 4 {
        return false;
    }
    let mut word = [0_u8; LONGEST];
    let length = text.len();
    word[..length].copy_from_slice(text.as_bytes());
    word[..length].make_ascii_lowercase();
    let word = &word[..length];
    is_inflected(word) || is_one_slip_away(word)
}

fn is_inflected(word: &[u8]) -> bool {
    const ENDS: &[&[u8]] = &[b"s", b"es", b"ed", b"ing", b"ly", b"er", b"d", b"al", b"ic", b"y"];
    ENDS.iter().any(|end| word.strip_suffix(*end).is_some_and(|stem| stem.len() >= 4 && is_common(stem)))
}

/// Deletions, transpositions, substitutions and insertions of one letter.
fn is_one_slip_away(word: &[u8]) -> bool {
    if !NEIGHBOURHOOD.may_be_near(word) {
        return false;
    }
    let mut slip = [0_u8; LONGEST + 1];
    let length = word.len();
    for at in 0..length {
        slip[..at].copy_from_slice(&word[..at]);
        slip[at..length - 1].copy_from_slice(&word[at + 1..]);
        if is_common(&slip[..length - 1]) {
            return true;
        }
    }
    for at in 0..length - 1 {
        slip[..length].copy_from_slice(word);
        slip.swap(at, at + 1);
        if is_common(&slip[..length]) {
            return true;
        }
    }
    // Short words have too many neighbours for a changed letter to tell anything.
    if length < 6 {
        return false;
    }
    for at in 0..=length {
        slip[..at].copy_from_slice(&word[..at]);
        slip[at + 1..=length].copy_from_slice(&word[at..]);
        for letter in b'a'..=b'z' {
            slip[at] = letter;
            if is_common(&slip[..=length]) || at < length && is_common_without(&slip[..=length], at + 1) {
                return true;
            }
        }
    }
    false
}

/// Whether a word without its letter at `gone` is common: a substitution is an insertion and a deletion side by side.
fn is_common_without(word: &[u8], gone: usize) -> bool {
    let mut other = [0_u8; LONGEST + 1];
    other[..gone].copy_from_slice(&word[..gone]);
    other[gone..word.len() - 1].copy_from_slice(&word[gone + 1..]);
    is_common(&other[..word.len() - 1])
}

fn is_common(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|text| is_common_word(word, Lexicon::shared().word(text)))
}

fn is_common_word(word: &[u8], info: WordInfo) -> bool {
    word.len() >= 4
        && (info.english_size().is_some_and(|size| size <= 40) || info.is_any(WordFlags::MEDICAL | WordFlags::DRUG))
}

/// The common words and what is left of each without one letter, as fingerprints: two words one slip apart have one of these
/// in common, so that a word near none is told by a look for each of its letters instead of a probe for each of its slips.
struct Neighbourhood {
    /// The upper half of hashes, at the place that the lower half says or the next free one; 0 where free.
    slots: Vec<u32>,
}

static NEIGHBOURHOOD: LazyLock<Neighbourhood> = LazyLock::new(Neighbourhood::of_common_words);

impl Neighbourhood {
    fn of_common_words() -> Self {
        let common = |(word, info): &(&[u8], WordInfo)| {
            word.len() <= LONGEST && !word.contains(&b' ') && is_common_word(word, *info)
        };
        let words: Vec<&[u8]> = Lexicon::shared().entries().filter(common).map(|(word, _)| word).collect();
        let entries: usize = words.iter().map(|word| word.len() + 1).sum();
        let mut neighbourhood = Self { slots: vec![0; (entries * 2).next_power_of_two()] };
        for word in words {
            neighbourhood.insert(hash_of(word));
            without_one_letter(word, |rest| neighbourhood.insert(hash_of(rest)));
        }
        neighbourhood
    }

    /// Whether a slip may lead from the word to a common one; never no where one does.
    fn may_be_near(&self, word: &[u8]) -> bool {
        let mut near = self.contains(hash_of(word));
        without_one_letter(word, |rest| near = near || self.contains(hash_of(rest)));
        near
    }

    fn insert(&mut self, hash: u64) {
        let (mut slot, mark) = self.place(hash);
        while self.slots[slot] != 0 && self.slots[slot] != mark {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = mark;
    }

    fn contains(&self, hash: u64) -> bool {
        let (mut slot, mark) = self.place(hash);
        while self.slots[slot] != 0 {
            if self.slots[slot] == mark {
                return true;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        false
    }

    const fn place(&self, hash: u64) -> (usize, u32) {
        (hash as usize & (self.slots.len() - 1), (hash >> 32) as u32 | 1)
    }
}

/// Calls `each` with the word without each of its letters in turn.
fn without_one_letter(word: &[u8], mut each: impl FnMut(&[u8])) {
    let mut rest = [0_u8; LONGEST];
    for gone in 0..word.len().min(LONGEST + 1) {
        rest[..gone].copy_from_slice(&word[..gone]);
        rest[gone..word.len() - 1].copy_from_slice(&word[gone + 1..]);
        each(&rest[..word.len() - 1]);
    }
}

fn hash_of(word: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_names() {
        for word in ["vomitting", "Pateint", "hosptial", "DISCHARGD", "pneumona", "walkers", "metoprlol"] {
            assert!(is_misspelling(word), "{word}");
        }
        for word in ["shaughnessy", "Zdzislawa", "Xiomara", "Kosciuszko", "", "a", "é"] {
            assert!(!is_misspelling(word), "{word}");
        }
    }

    #[test]
    fn the_neighbourhood_holds_every_slip_of_a_common_word() {
        for word in ["patient", "metoprolol", "hospital", "fracture"] {
            let bytes = word.as_bytes();
            for at in 0..bytes.len() {
                let mut slips = vec![bytes.to_vec(); 3];
                slips[0].remove(at);
                slips[1].insert(at, b'q');
                slips[2][at] = b'z';
                let swapped =
                    (at > 0).then(|| [&bytes[..at - 1], &[bytes[at], bytes[at - 1]], &bytes[at + 1..]].concat());
                for slip in slips.into_iter().chain(swapped) {
                    assert!(NEIGHBOURHOOD.may_be_near(&slip), "{word} {at}");
                }
            }
        }
        assert!(!NEIGHBOURHOOD.may_be_near(b"zdzislawa") && !NEIGHBOURHOOD.may_be_near(b"xiomara"));
    }

    #[test]
    fn formations_and_products() {
        assert!(is_medical_form("Choledochojejunostomy") && is_medical_form("TOFACITINIB"));
        assert!(!is_medical_form("Gonzalez") && !is_medical_form("Noma"));
        assert!(
            is_coined("MyChart")
                && is_coined("MRIs")
                && is_prefixed("Periwound")
                && !is_prefixed("Perry")
                && is_coined("GlideScope")
        );
        assert!(!is_coined("McDonald") && !is_coined("DeShawn") && !is_coined("Smith") && !is_coined("É"));
    }
}
