//! What stands beside a name in the next column, line or topic: `Pavlenko - ETOH`, `Sitka⏎Billing`, `JOSEPH     Sex M`.

use crate::detect::gate;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Whether the part of a text between two places is no part of the name before it.
type IsOutside = fn(&str, usize, usize) -> bool;
/// What parts a name from the label of the next field or from what is said, and what tells that it does: the next line, the next column, a
/// dash.
const PARTED: &[(&str, IsOutside)] = &[
    ("\n", is_label),
    ("\n", begins_line),
    ("\t", is_label),
    ("  ", is_label),
    (" - ", is_said),
    (" – ", is_said),
    (" -- ", is_said),
];
/// What fields are called in the next column; nothing that sites are called too.
const FIELD_WORDS: &str = "sex age dob mrn gender pronouns room rm ssn csn acct phone tel fax printed billing born member cdl edw maiden mother \
                           father housing client donor emplr surgeon attending pcp referring ordering admit admitted adm allergies weight wt \
                           nok status";
/// What the next line of a letter or an order begins with, before a colon.
const CLOSING_WORDS: &str = "encl enclosure enclosures cc bcc attn re rx dx tx hx plan labs meds";
/// So wide a gap parts columns.
const WIDE: &str = "   ";

/// Takes off the label of a field in the next line or column, and what vocabulary explains behind a dash. What may be a part of the name
/// stays: any word that somebody is called, and initials.
pub(super) fn without_neighbours(text: &str, (start, mut end): (usize, usize)) -> (usize, usize) {
    for (mark, is_outside) in PARTED {
        let Some((head, tail)) = text.get(start..end).and_then(|inside| inside.split_once(mark)) else { continue };
        let behind = end - tail.trim_start().len();
        if !head.trim().is_empty() && behind < end && is_outside(text, behind, end) {
            end = start + head.trim_end().len();
        }
    }
    match text.get(start..end).and_then(|inside| inside.rsplit_once(WIDE)) {
        Some((head, tail)) if !head.trim().is_empty() && is_field_name(tail.trim()) => {
            (start, start + head.trim_end().len())
        }
        _ => (start, end),
    }
}

/// What a value without a colon is called at the beginning of a line or of a column: `Street 61 Lopez Ave    City Cranston`.
pub(super) fn without_heading(text: &str, (start, end): (usize, usize), label: Label) -> (usize, usize) {
    let Some((heading, value)) = text[start..end].split_once(' ') else { return (start, end) };
    let value = value.trim_start_matches(' ');
    let head = text[..start].trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    let begins = head.is_empty()
        || head.ends_with('\n')
        || text[..start].ends_with(['|', '\t'])
        || text[..start].ends_with("  ");
    let is_heading = match label {
        Label::Street => heading.eq_ignore_ascii_case("street") && value.starts_with(|c: char| c.is_ascii_digit()),
        Label::City => heading.eq_ignore_ascii_case("city"),
        Label::Hospital | Label::Organization => {
            listed!(heading, "agency vendor courier supplier employer pharmacy carrier")
        }
        _ => false,
    };
    // A pharmacy may be called so: `Pharmacy Plus`; what it is called then is a name.
    let named = value.split(' ').count() > 1 || label == Label::City;
    if is_heading && begins && named && value.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) {
        (end - value.len(), end)
    } else {
        (start, end)
    }
}

/// Where a name begins whose column a heading of ordinary words stands before: `Lymph      Grant Yoder`.
pub(super) fn behind_heading(text: &str, (start, end): (usize, usize)) -> usize {
    let Some((head, tail)) = text[start..end].split_once(WIDE) else { return start };
    let heading =
        head.contains(char::is_alphabetic) && (is_said(text, start, start + head.len()) || is_field_name(head.trim()));
    if heading && !tail.trim().is_empty() { end - tail.trim_start().len() } else { start }
}

/// `Bx` of `lifeguard at Hammonasset⏎Bx 4 mm punch`, `Agree` of `Abdel-Rahman⏎Agree w/ resident`: one word with a capital that begins what is
/// said in the next line. A name that goes on there is a word that many are called or that means nothing else, and no kind of site.
fn begins_line(text: &str, start: usize, end: usize) -> bool {
    let word = &text[start..end];
    const TERMS: WordFlags =
        WordFlags::MEDICAL.union(WordFlags::ABBREVIATION).union(WordFlags::HEADING).union(WordFlags::CARE_ROLE);
    const PARTS: WordFlags = gate::SITE.union(WordFlags::STREET_SUFFIX).union(WordFlags::CITY).union(WordFlags::STATE);
    let info = Lexicon::shared().word(word);
    let means = info.english_size().is_some_and(|size| size <= 35) || info.is_any(TERMS);
    let small = word.chars().skip(1).all(char::is_lowercase);
    let named = info.given_count >= 1_000 || info.surname_count >= 1_000 || info.is_any(PARTS);
    word.starts_with(char::is_uppercase)
        && small
        && word.len() > 1
        && word.chars().all(char::is_alphabetic)
        && means
        && !named
}

/// Whether a column of its own holds nothing but what the next field is called: `Grade`, or capitals that nobody can say, `HRN`.
fn is_field_name(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    let unspoken = (3..=4).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_uppercase() && !b"AEIOUY".contains(&byte))
        && info.surname_count == 0
        && info.given_count == 0;
    unspoken
        || listed!(
            word,
            "grade homeroom teacher village sport sports cell relation relationship est alt mobile cabin school insurance payer occupation"
        )
}

/// Whether a part of a text is what a field is called, and at most a word of two letters: `Born`, `Sex M`. What more stands there, as in
/// `Rm 118-B`, may be an identifier too, and stays.
fn is_label(text: &str, start: usize, end: usize) -> bool {
    // `BELL, ANN  F  16 Y`: the sex, before the age.
    let aged = text[end..].trim_start_matches([' ', ',', '\t']).starts_with(|c: char| c.is_ascii_digit());
    let column = text[end..].starts_with("  ") || text[end..].trim_start().starts_with("DOB");
    if matches!(&text[start..end], "M" | "F") && (aged || column) && text[..start].ends_with("  ") {
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
            ("Student ⟦Agnes Kinegak     Grade⟧ 10", "Agnes Kinegak"),
            ("contact  ⟦Lonnie Pretty Weasel   Relation⟧  bro", "Lonnie Pretty Weasel"),
            ("⟦Vang, Pa Nhia  F⟧  DOB 03/28/2024", "Vang, Pa Nhia"),
            ("PT ⟦Jim, Raquel Pinkham   HRN⟧ 0926", "Jim, Raquel Pinkham"),
            ("lifeguard at ⟦Hammonasset\nBx⟧ 4 mm", "Hammonasset"),
            ("by: ⟦Jumana Abdel-Rahman\nAgree⟧ w/ resident", "Jumana Abdel-Rahman"),
            ("⟦Rainier Internal Med\nRx⟧# 66", "Rainier Internal Med"),
        ] {
            assert_eq!(after(marked), expected, "{marked}");
        }
    }

    #[test]
    fn what_a_value_is_called_is_outside() {
        let after = |text: &str, from: usize, label| {
            let (start, end) = without_heading(text, (from, text.len()), label);
            text[start..end].to_owned()
        };
        assert_eq!(after("Street 61 Lopez Ave", 0, Label::Street), "61 Lopez Ave");
        assert_eq!(after("rear   City Cranston", 7, Label::City), "Cranston");
        assert_eq!(after("7. Agency Acadian Home Care", 3, Label::Hospital), "Acadian Home Care");
        assert_eq!(after("near City Park", 5, Label::City), "City Park");
        assert_eq!(after("Agency Acadian", 0, Label::Organization), "Agency Acadian");
        assert_eq!(after("on Street Road", 3, Label::Street), "Street Road");
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
            "Hope\nStone",
            "Will\nYoung",
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
