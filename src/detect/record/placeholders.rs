//! What registration writes where it knows nothing: no value to look for, or every `none` and `unknown` of the notes would go.
//!
//! ```text
//! mrn: Medicare    email: declined    kin: Not on file    employer: Unable to work    providers: Emergency Department
//! ```

use crate::detect::listed::listed;
use crate::lexicon::Lexicon;

/// The words of which cells for nothing are made, none of them a name or a place; one of [`TELLING`] is among them.
const NOTHING: &str = "not on file available applicable listed given provided recorded reported specified disclosed stated see chart below above no \
    name information info data contact yet entered the of for at this time patient unknown unk unnamed unspecified declined refused unavailable \
    undisclosed unobtainable tbd pending deferred none null nil na n a yes other same self as deceased inactive active missing blank address phone \
    number email fixed abode mail record any";
const TELLING: &str = "not no none null nil na unknown unk unnamed unspecified declined refused unavailable undisclosed unobtainable tbd pending \
    deferred deceased inactive active missing blank same self other";
/// Words for nothing that are somebody's name as well.
const ALSO_NAMES: &str = "none null nil na n a self other same active given yes any";
/// What stands for the name of somebody who has none yet, or is not named.
const UNNAMED: &str = "male female boy girl baby babyboy babygirl infant newborn twin";
const BESIDE_UNNAMED: &str = "a b c one two of";
/// What somebody or something is that cares for a patient, and what stands beside it: none of them is named.
const ROLES: &str = "provider providers physician physicians doctor department dept team staff worker guardian clinic service services pcp agency \
    facility unit resident caregiver";
/// Those that are nobody's name, and so stand for somebody alone.
const ROLES_ALONE: &str = "provider providers pcp guardian caregiver physician";
const BESIDE_ROLES: &str = "historical outside outpatient inpatient emergency primary care medical social case group home legal court appointed state \
    public health the of on call no not any unassigned external referring attending covering hospital nursing family";
/// What is said of somebody without an employer.
const EMPLOYMENT: &str = "self retired none unemployed disabled disability student unknown homemaker housewife n a na other employed employer not full \
    part time child minor unable to work working on medical leave stay at home mom dad mother father parent applicable listed file never worked laid \
    off no and of the currently";
/// What is said of somebody without an address.
const HOMELESS: &str = "homeless undomiciled transient general delivery shelter no fixed address abode unknown none";

/// What a cell of a record tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// A name, or several: of the patient, of kin, of care staff.
    Name,
    /// A number or code.
    Identifier,
    /// An address of electronic mail.
    Email,
    /// An employer.
    Employer,
    /// A street line, a city, a county, a state or a country.
    Place,
    /// Anything else.
    Other,
}

/// Whether a cell holds no value.
pub fn is_placeholder(cell: Cell, value: &str) -> bool {
    let words = || value.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    // `N/A`
    if words().next().is_none() || words().eq(["n", "a"]) || words().eq(["N", "A"]) {
        return true;
    }
    let nothing = words().all(|word| listed!(word, NOTHING)) && words().any(|word| listed!(word, TELLING));
    match cell {
        Cell::Name => {
            nothing && !words().all(|word| listed!(word, ALSO_NAMES))
                || words().any(|word| listed!(word, UNNAMED))
                    && words().all(|word| listed!(word, UNNAMED) || listed!(word, BESIDE_UNNAMED))
                || words().all(|word| listed!(word, ROLES_ALONE))
                || words().count() > 1
                    && words().any(|word| listed!(word, ROLES))
                    && words().all(|word| listed!(word, ROLES) || listed!(word, BESIDE_ROLES))
        }
        // Who pays, how, and whether: a code has a digit, or is no word.
        Cell::Identifier => {
            let is_word = |word: &str| Lexicon::shared().word(word).english_size().is_some();
            nothing
                || !value.contains(|letter: char| letter.is_ascii_digit()) && words().all(is_word)
                || ["medicare", "medicaid", "selfpay"].iter().any(|payer| value.trim().eq_ignore_ascii_case(payer))
        }
        Cell::Email => !value.contains('@'),
        Cell::Employer => words().all(|word| listed!(word, EMPLOYMENT)),
        Cell::Place => nothing || words().all(|word| listed!(word, HOMELESS)),
        Cell::Other => nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nothing_are_no_values() {
        for (cell, values) in [
            (
                Cell::Name,
                "Unknown; Not on file; N/A.; Declined; Male; Baby Boy; Legal Guardian; Group Home Staff; Historical Provider; No PCP; \
                 Emergency Department",
            ),
            (Cell::Identifier, "NONE; Refused; Medicare; Self-pay; Not on file; Pending; Uninsured; Patient"),
            (Cell::Email, "unknown; declined"),
            (
                Cell::Employer,
                "Unable to work; Full-Time; On disability; Stay at home mom; Unemployed/Disabled; No employer; N/A",
            ),
            (Cell::Place, "Homeless; No fixed address; Unknown; General Delivery; -"),
        ] {
            for value in values.split(';').map(str::trim) {
                assert!(is_placeholder(cell, value), "{cell:?} {value}");
            }
        }
    }

    #[test]
    fn values_are_values() {
        for (cell, values) in [
            (
                Cell::Name,
                "Null; None; Na; Given; Rose Young; Hope Day; Young, Grace; Blue; Boyd; Home, Amy; A. Lee; Care, Ann; A; C; Ward; Doctor; Case",
            ),
            (Cell::Identifier, "0012345; QXZRTA; MRN 7; A1"),
            (Cell::Email, "a@b.org"),
            (Cell::Employer, "Home Depot; Student Loan Corp; Globex; Part Time Nannies Inc"),
            (Cell::Place, "12 Shelter Cove; Homer; Nowhere Else; Unknown Road"),
        ] {
            for value in values.split(';').map(str::trim) {
                assert!(!is_placeholder(cell, value), "{cell:?} {value}");
            }
        }
    }
}
