//! Words that look like names and are none: drugs, anatomy, abbreviations, and terms named after someone.
//!
//! ```text
//! is_medical("lisinopril") ─▶ true     eponym("Foley") ─▶ catheter, bag, …     english_band("strong") ─▶ 0
//! ```

use std::collections::HashMap;

use super::fold::Folded;
use super::phrases::{PhraseClass, Phrases};
use super::table::Table;
use super::word::WordFlags;
use super::{Lexicon, files};

/// What this file contributes to the lexicon.
pub(super) struct Medical {
    eponyms: HashMap<Box<str>, Vec<&'static str>>,
}

impl Medical {
    pub fn load(table: &mut Table, phrases: &mut Phrases) -> Self {
        for [word, size] in files::rows(&files::unpack(files::ENGLISH)) {
            if let (Some(key), Ok(size)) = (Folded::of(word), size.parse()) {
                let info = table.entry(&key);
                info.flags |= WordFlags::ENGLISH;
                info.english_size = size;
            }
        }
        for [word, _] in files::rows(&files::unpack(files::MEDICAL)) {
            super::mark(table, word, WordFlags::MEDICAL);
        }
        for text in MEDICAL_FILES {
            files::items(text).for_each(|(section, item)| load_item(table, phrases, section, item));
        }
        Self { eponyms: load_eponyms(table, phrases) }
    }
}

/// The size of SCOWL list that the written everyday words are given: band 0, as nobody would look them up.
const EVERYDAY_SIZE: u8 = 35;

/// The written files of medical words; their sections say what the words are.
const MEDICAL_FILES: [&str; 4] =
    [files::MEDICAL_WRITTEN, files::DRUGS_WRITTEN, files::CLINICAL_WORDS_WRITTEN, files::ABROAD_WORDS_WRITTEN];

fn load_item(table: &mut Table, phrases: &mut Phrases, section: &str, item: &str) {
    match section {
        "heading" => return super::mark(table, item, WordFlags::HEADING),
        "everyday" => return mark_everyday(table, item),
        // Of other languages the words of a note are known, everyday ones among them: none of them is anyone's name.
        "abroad" => return super::mark(table, item, WordFlags::MEDICAL),
        "drug" => super::mark(table, item, WordFlags::DRUG),
        "abbreviation" => super::mark(table, item, WordFlags::ABBREVIATION),
        _ => {}
    }
    phrases.add(table, item, PhraseClass::Medical, 0);
}

/// Counts a word as plain English, no rarer than before.
fn mark_everyday(table: &mut Table, word: &str) {
    let Some(key) = Folded::of(word) else { return };
    let info = table.entry(&key);
    info.flags |= WordFlags::ENGLISH;
    info.english_size = match info.english_size {
        0 => EVERYDAY_SIZE,
        size => size.min(EVERYDAY_SIZE),
    };
}

/// Reads `name | name: term | term`; a name may have several lines.
fn load_eponyms(table: &mut Table, phrases: &mut Phrases) -> HashMap<Box<str>, Vec<&'static str>> {
    let mut eponyms: HashMap<Box<str>, Vec<&'static str>> = HashMap::new();
    for (_, item) in files::items(files::EPONYMS_WRITTEN) {
        let Some((names, terms)) = item.split_once(':') else { continue };
        for name in names.split('|').map(str::trim) {
            super::mark(table, name, WordFlags::EPONYM);
            let Some(key) = Folded::of(name) else { continue };
            let known = eponyms.entry(key.as_str().into()).or_default();
            for term in terms.split('|').map(str::trim) {
                if !known.contains(&term) {
                    known.push(term);
                    phrases.add(table, &format!("{name} {term}"), PhraseClass::Eponym, 0);
                }
            }
        }
    }
    eponyms
}

impl Lexicon {
    /// How common an English word written small this is: 0 commonest to 3 rare, none where it is no such word.
    pub fn english_band(&self, word: &str) -> Option<u8> {
        self.word(word).english_band()
    }

    /// Whether it is a word of disease, anatomy, procedure, device or drug names, or a clinical abbreviation.
    pub fn is_medical(&self, word: &str) -> bool {
        self.word(word).is(WordFlags::MEDICAL)
    }

    /// Whether it is a drug, generic or brand.
    pub fn is_drug(&self, word: &str) -> bool {
        self.word(word).is(WordFlags::DRUG)
    }

    /// The terms that make a name an eponym when they follow it: `catheter` after `Foley`; a possessive `'s` may be there.
    pub fn eponym(&self, phrase: &str) -> Option<&[&'static str]> {
        let name = phrase.trim_end_matches(['s', 'S']).strip_suffix(['\'', '’']);
        [Some(phrase), name].into_iter().flatten().find_map(|form| {
            if !self.word(form).is(WordFlags::EPONYM) {
                return None;
            }
            self.medical.eponyms.get(Folded::of(form)?.as_str()).map(Vec::as_slice)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_are_told_from_rare_ones_and_names() {
        let lexicon = Lexicon::shared();
        for word in ["will", "May", "BROWN", "strong", "the", "patient"] {
            assert_eq!(lexicon.english_band(word), Some(0), "{word}");
        }
        assert_eq!(lexicon.english_band("Johnson"), None);
        assert!(lexicon.english_band("zymurgy").is_some_and(|band| band > 0));
        assert!(lexicon.word("the").english_size() < lexicon.word("smith").english_size());
        let rose = lexicon.word("Rose");
        assert!(
            rose.is(WordFlags::SURNAME | WordFlags::GIVEN_NAME | WordFlags::ENGLISH) && rose.english_band() == Some(0)
        );
    }

    #[test]
    fn medical_words() {
        let lexicon = Lexicon::shared();
        for word in ["lisinopril", "Tylenol", "METFORMIN", "pneumonia", "femur", "CABG", "bid", "hx", "stent"] {
            assert!(lexicon.is_medical(word), "{word}");
        }
        assert!(lexicon.is_drug("Lipitor") && !lexicon.is_drug("femur"));
        assert!(!lexicon.is_medical("Parkinson") && !lexicon.is_medical("Johnson"));
    }

    #[test]
    fn everyday_words_abbreviations_and_headings_explain_themselves() {
        let lexicon = Lexicon::shared();
        for word in ["don't", "O'clock", "thurs", "covid"] {
            assert!(lexicon.word(word).is(WordFlags::ENGLISH), "{word}");
            assert!(lexicon.english_band(word).is_some_and(|band| band <= 1), "{word}");
        }
        for word in ["mcg", "QDS", "SpO2", "appt", "thx", "NSTEMI", "w/", "FBC"] {
            assert!(lexicon.word(word).is(WordFlags::ABBREVIATION), "{word}");
        }
        for word in ["Assessment", "DISPOSITION", "Allergies"] {
            assert!(lexicon.word(word).is(WordFlags::HEADING), "{word}");
        }
        for word in ["tirzepatide", "Mounjaro", "FOLFIRINOX", "Seretide", "gliflozin"] {
            assert!(lexicon.is_drug(word), "{word}");
        }
        for word in ["Camila", "Heather", "Olsen", "Dara"] {
            assert!(!lexicon.is_medical(word), "{word}");
        }
    }

    #[test]
    fn eponyms_need_their_terms() {
        let lexicon = Lexicon::shared();
        assert!(lexicon.eponym("Foley").unwrap().contains(&"catheter"));
        assert!(lexicon.eponym("PARKINSON'S").unwrap().contains(&"disease"));
        assert!(lexicon.eponym("St. Jude").unwrap().contains(&"valve"));
        assert!(lexicon.eponym("Ivor-Lewis").unwrap().contains(&"esophagectomy"));
        assert!(lexicon.eponym("Johansson").is_none() && lexicon.eponym("'s").is_none());
        assert!(lexicon.medical.eponyms.len() >= 400, "{}", lexicon.medical.eponyms.len());
    }

    #[test]
    fn the_written_lists_are_long_and_clean() {
        let count = |name: &str| MEDICAL_FILES.map(|text| files::section(text, name).len()).iter().sum::<usize>();
        assert!(count("drug") >= 3_500, "{}", count("drug"));
        assert!(count("abbreviation") >= 2_000, "{}", count("abbreviation"));
        for (section, item) in MEDICAL_FILES.into_iter().flat_map(files::items) {
            assert!(!section.is_empty() && Folded::of(item).is_some(), "{item}");
        }
        for (_, item) in files::items(files::EPONYMS_WRITTEN) {
            let (names, terms) = item.split_once(':').unwrap_or_default();
            assert!(!names.trim().is_empty() && !terms.trim().is_empty(), "{item}");
        }
    }
}
