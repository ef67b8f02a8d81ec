//! Names that their form or the words around them tell, whatever they are besides: `Goes by Stush`, `| Quillen, B | JRS |`,
//! `underhill comma rose`, `R.W., 58F`, `tmcg NNP`.
//!
//! ```text
//! nicknames   Parents call them Pip + Squeak      what somebody is called
//! cells       | SLADE, FAITH | 84 |               the whole of a cell, and the age in the next one
//! dictated    doctor anselm fairley               small letters, as a machine has heard them
//! closing     … no oozing. lr RN                  small letters before a credential, R.W. before an age
//! commas      SHARP,DELROY                        capitals with a comma and no blank
//! trainees    Lindqvist (MS3)                     before a stage of training
//! rows        8204 Reading 91M                    between a room and an age
//! children    kids (Kaylee 13, Colt 10)           in a list with their ages
//! pedigrees   II-1 Rivka   br ca 44               behind the place in a pedigree
//! speakers    (23:07) Bo: me                      behind a time in brackets; AIDE (Precious): behind a role
//! attendance  Absent: Dusty, Faith R.             in a list of those who came
//! care of     c/o Hill, 44 Elm St                 who takes in the mail
//! wholes      Delphine Iron Cloud, 26             a given name and words up to the age, or behind a nickname
//! ```

mod attendance;
mod care_of;
mod cells;
mod children;
mod closing;
mod commas;
mod dictated;
mod nicknames;
mod pedigrees;
mod rows;
mod speakers;
mod trainees;
mod wholes;

use super::findings::Findings;
use super::survey::Survey;
use crate::lexicon::{Lexicon, WordFlags};

/// Adds such names.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    nicknames::detect(sentence, survey, findings);
    cells::detect(sentence, findings);
    dictated::detect(sentence, survey, findings);
    closing::detect(sentence, survey, findings);
    commas::detect(sentence, findings);
    trainees::detect(sentence, findings);
    rows::detect(sentence, survey, findings);
    children::detect(sentence, survey, findings);
    pedigrees::detect(sentence, survey, findings);
    speakers::detect(sentence, survey, findings);
    attendance::detect(sentence, survey, findings);
    care_of::detect(sentence, survey, findings);
    wholes::detect(sentence, survey, findings);
}

/// Whether a word means a thing of medicine or of a chart, and is hardly anybody's name.
fn is_term(word: &str) -> bool {
    const TERMS: WordFlags = WordFlags::MEDICAL
        .union(WordFlags::DRUG)
        .union(WordFlags::ABBREVIATION)
        .union(WordFlags::HEADING)
        .union(WordFlags::CARE_ROLE);
    let info = Lexicon::shared().word(word);
    info.is_any(TERMS) && info.given_count < 1_000 && info.surname_count < 5_000
}

/// Whether a word is one of the commonest of English and hardly anybody's name.
fn is_plain(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    info.english_size().is_some_and(|size| size <= 50) && info.given_count < 1_000 && info.surname_count < 20_000
}
