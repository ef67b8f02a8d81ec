//! Whether a sentence holds a disease, drug or procedure term: such sentences are candidates further down the list than others.
//!
//! ```text
//! "Hx of HTN and COPD."                   yes    abbreviations of `medical_terms.txt`
//! "Continue lisinopril 10 mg daily."      yes    the lexicon's drugs
//! "No evidence of pneumonia."             yes    the lexicon's medical words that are no everyday English
//! "s/p laparoscopic appendicectomy"       yes    the endings of procedures and diseases
//! "Will call back about the account."     no     ICD-10-CM has `about` and `account`, and that makes no term of them
//! ```
//!
//! The lexicon knows drugs apart, but has one flag for disease, anatomy, procedure and device, which it also gives to every word
//! of ICD-10-CM; so anatomy and devices count here, and plain English counts only where `medical_terms.txt` has it. Procedures
//! are covered by the words written for the lexicon and by their endings: no list of codes for them (ICD-10-PCS, CPT) is part of it.
//! It chooses what people are shown, and exempts nothing.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::lexicon::{Lexicon, WordFlags};
use crate::text::{TokenKind, tokens};

/// Everyday words and abbreviations that are terms all the same, in small letters.
static TERMS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("medical_terms.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|term| !term.is_empty()).collect()
});

/// The SCOWL list up to which a word is everyday English: 35 ends the smallest lists, of 50,000 words.
const EVERYDAY: u8 = 35;

/// How many letters stand before an ending at least: `oma` ends `home`'s plural in no language, but `coma` is none of these.
const STEM: usize = 4;

/// What the names of diseases and procedures end in.
const ENDINGS: &[&str] = &[
    "itis",
    "itides",
    "osis",
    "oses",
    "emia",
    "aemia",
    "uria",
    "algia",
    "pathy",
    "pathies",
    "plegia",
    "paresis",
    "rrhea",
    "rrhoea",
    "carcinoma",
    "sarcoma",
    "adenoma",
    "lymphoma",
    "blastoma",
    "megaly",
    "penia",
    "stenosis",
    "ectomy",
    "ectomies",
    "otomy",
    "ostomy",
    "oscopy",
    "oscopic",
    "plasty",
    "centesis",
    "graphy",
    "orrhaphy",
    "odesis",
    "lysis",
    "cillin",
    "mycin",
    "statin",
    "sartan",
    "azole",
    "prazole",
    "olol",
    "mab",
    "nib",
    "gliptin",
    "gliflozin",
    "tidine",
    "setron",
    "vir",
];

/// Whether a sentence holds a disease, drug or procedure term.
pub fn is_medical(sentence: &str) -> bool {
    let words =
        tokens(sentence).filter(|token| token.kind != TokenKind::Punctuation && token.kind != TokenKind::Number);
    let lexicon = Lexicon::shared();
    words.map(|word| word.text(sentence)).any(|word| is_term(lexicon, word))
}

fn is_term(lexicon: &Lexicon, word: &str) -> bool {
    if TERMS.contains(word.to_lowercase().as_str()) {
        return true;
    }
    let info = lexicon.word(word);
    let is_everyday = info.english_size().is_some_and(|size| size <= EVERYDAY);
    // A surname may be a brand or end in `…itis`: it is a term only where hardly anyone bears it.
    let is_name = info.surname_count.max(info.given_count) > RARE;
    let is_abbreviation = info.is(WordFlags::ABBREVIATION);
    !is_everyday
        && !is_name
        && (info.is(WordFlags::DRUG) || (info.is(WordFlags::MEDICAL) && !is_abbreviation) || has_ending(word))
}

/// Up to so many bearers in the United States a word is a name by chance.
const RARE: u32 = 1000;

fn has_ending(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| lower.strip_suffix(ending).is_some_and(|stem| stem.len() >= STEM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_every_kind() {
        for sentence in [
            "Hx of HTN and COPD.",
            "Continue lisinopril 10 mg daily.",
            "No evidence of pneumonia.",
            "s/p laparoscopic appendicectomy",
            "Denies chest pain.",
            "TYPE 2 DIABETES MELLITUS",
            "Insulin given.",
            "Scheduled for surgery.",
            "Post pyelolithotomy.",
        ] {
            assert!(is_medical(sentence), "{sentence}");
        }
    }

    #[test]
    fn plain_words_and_names_are_none() {
        for sentence in [
            "Will call back about the account.",
            "Mr. Johnson and Ms. Garcia were able to come.",
            "The family was informed and will return at 3.",
            "Ensure the fleet is ready.",
            "pt seen bid, tel 555-0100",
            "",
            "…",
        ] {
            assert!(!is_medical(sentence), "{sentence}");
        }
    }

    #[test]
    fn the_written_terms_are_needed_and_clean() {
        assert!(TERMS.len() > 250, "{}", TERMS.len());
        for term in TERMS.iter() {
            assert!(*term == term.to_lowercase() && tokens(term).count() == 1, "{term}");
        }
    }
}
