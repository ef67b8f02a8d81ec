//! What stands beside a name in the next column, line or topic: `Pavlenko - ETOH`, `Sitka⏎Billing`, `JOSEPH     Sex M`.

use crate::detect::gate;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// What parts a name from the label of the next field: the next line, or the next column.
const FIELDS_PARTED: &[&str] = &["\n", "\t", "  "];
/// What fields are called in the next column; nothing that sites are called too.
const FIELD_WORDS: &str = "sex age dob mrn gender pronouns room rm ssn csn acct phone tel fax printed billing born member cdl edw maiden mother \
                           father housing client donor emplr surgeon attending pcp referring ordering admit admitted adm allergies weight wt \
                           nok status";
/// What the next line of a letter or an order begins with, before a colon.
const CLOSING_WORDS: &str = "encl enclosure enclosures cc bcc attn re rx dx tx hx plan labs meds";
/// So wide a gap parts columns.
const WIDE: &str = "   ";
/// What parts it from what is said of it.
const TOPICS_PARTED: &[&str] = &[" - ", " – ", " -- "];

/// Takes off the label of a field in the next line or column, and what vocabulary explains behind a dash. What may be a part of the name
/// stays: any word that somebody is called, and initials.
pub(super) fn without_neighbours(text: &str, (start, mut end): (usize, usize)) -> (usize, usize) {
    for (mark, is_outside) in FIELDS_PARTED
        .iter()
        .map(|mark| (mark, is_label as fn(&str, usize, usize) -> bool))
        .chain(TOPICS_PARTED.iter().map(|mark| (mark, is_said as fn(&str, usize, usize) -> bool)))
    {
        let Some((head, tail)) = text.get(start..end).and_then(|inside| inside.split_once(mark)) else { continue };
        let behind = end - tail.trim_start().len();
        if !head.trim().is_empty() && behind < end && is_outside(text, behind, end) {
            end = start + head.trim_end().len();
        }
    }
    (start, end)
}

/// Where a name begins whose column a heading of ordinary words stands before: `Lymph      Grant Yoder`.
pub(super) fn behind_heading(text: &str, (start, end): (usize, usize)) -> usize {
    let Some((head, tail)) = text[start..end].split_once(WIDE) else { return start };
    let heading = head.contains(char::is_alphabetic) && is_said(text, start, start + head.len());
    if heading && !tail.trim().is_empty() { end - tail.trim_start().len() } else { start }
}

/// Whether a part of a text is what a field is called, and at most a word of two letters: `Born`, `Sex M`. What more stands there, as in
/// `Rm 118-B`, may be an identifier too, and stays.
fn is_label(text: &str, start: usize, end: usize) -> bool {
    // `BELL, ANN  F  16 Y`: the sex, before the age.
    let aged = text[end..].trim_start_matches([' ', ',', '\t']).starts_with(|c: char| c.is_ascii_digit());
    if matches!(&text[start..end], "M" | "F") && aged && text[..start].ends_with("  ") {
        return true;
    }
    let mut words = text[start..end].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|first| {
        listed!(first, FIELD_WORDS)
            || text[end..].starts_with([':', '#']) && text[..start].ends_with('\n') && listed!(first, CLOSING_WORDS)
    }) && words.all(|word| word.len() <= 2 && word.chars().all(char::is_alphabetic))
}

/// Whether vocabulary explains all words of a part of a text, none of which somebody may be called.
fn is_said(text: &str, start: usize, end: usize) -> bool {
    const CALLED: WordFlags = WordFlags::SURNAME.union(WordFlags::GIVEN_NAME).union(WordFlags::NICKNAME);
    let mut words = text[start..end].split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.all(|word| word.len() > 1 && !Lexicon::shared().word(word).is_any(CALLED))
        && gate::is_ordinary(text, start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(marked: &str) -> String {
        let (open, close) = (marked.find('⟦').unwrap(), marked.find('⟧').unwrap() - '⟦'.len_utf8());
        let text = marked.replace(['⟦', '⟧'], "");
        let (start, end) = without_neighbours(&text, (open, close));
        text[start..end].to_owned()
    }

    #[test]
    fn labels_and_what_is_said_are_outside() {
        for (marked, expected) in [
            ("701: ⟦Pavlenko - ETOH⟧ withdrawal", "Pavlenko"),
            ("⟦BLACKBEAR, JOSEPH     Sex M⟧", "BLACKBEAR, JOSEPH"),
            ("to ⟦Sitka\nBilling⟧ code 4", "Sitka"),
            ("Mother: ⟦Souksavanh    Born⟧ 2/29", "Souksavanh"),
            ("⟦Gumaro Villarreal   EDW⟧ 71.5", "Gumaro Villarreal"),
            ("for Dr. ⟦Mukherjee\nEncl⟧: med list", "Mukherjee"),
            ("⟦Rainier Internal Med\nRx⟧# 66", "Rainier Internal Med"),
        ] {
            assert_eq!(after(marked), expected, "{marked}");
        }
    }

    #[test]
    fn a_heading_before_a_column_is_outside() {
        assert_eq!(behind_heading("Lymph      Grant Yoder", (0, 22)), 11);
        for name in ["Kwabena    Osei", "12   Oaks"] {
            assert_eq!(behind_heading(name, (0, name.len())), 0, "{name}");
        }
    }

    #[test]
    fn parts_of_a_name_stay() {
        for name in [
            "Smith - Okafor",
            "Anna\nOkafor",
            "Elisa\nVogt",
            "frank\nearly",
            "Kwabena  Osei",
            "Kwabena    Osei",
            "DANI  P",
            "M.\nQuinones",
            "Leodis University\nHospital",
            "Leticia Fairbanks - Ramos",
            "Stella  Rm 118-B",
            "Stella  Mother Okafor",
        ] {
            assert_eq!(after(&format!("by ⟦{name}⟧: fine")), name);
        }
    }
}
