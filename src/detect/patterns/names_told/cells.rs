//! The cells of a table that hold a name and nothing else, the age in the next one, and the bed that heads a row: `| 02A | Quillen, B | JRS |`,
//! `Enc 100884 | SLADE, FAITH | 84 | T0 1450`, `M4 | Song | amio 0.5`.

use super::{is_plain, is_term};
use crate::detect::listed::listed;
use crate::detect::patterns::findings::Findings;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Kind, Label};

/// Nobody is older.
const OLDEST: u32 = 115;

/// Adds such names and ages.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    if !sentence.contains('|') {
        return;
    }
    bed(sentence, findings);
    let mut start = 0;
    let mut behind_name = false;
    for cell in sentence.split('|') {
        let inside = cell.trim();
        let from = start + (cell.len() - cell.trim_start().len());
        let range = from..from + inside.len();
        let age =
            inside.parse().ok().filter(|&age: &u32| behind_name && (1..=OLDEST).contains(&age) && inside.len() <= 3);
        behind_name = is_name(inside);
        if behind_name && !findings.covers(&range) {
            findings.add(range, Label::Patient, 0.7);
        } else if let Some(age) = age
            && !findings.covers(&range)
        {
            let kind = if age > 89 { Kind::AgeOver89 } else { Kind::AgeUpTo89 };
            findings.add(range, Class { label: Label::Age, kind }, 0.6);
        }
        start += cell.len() + 1;
    }
}

/// The first cell of a row, where it is numbered as beds are, and the next one holds whoever lies there, or nobody.
fn bed(sentence: &str, findings: &mut Findings) {
    let row = sentence.trim_start_matches(['|', ' ']);
    let Some((head, rest)) = row.split_once('|') else { return };
    let number = head.trim();
    let start = sentence.len() - row.len() + (head.len() - head.trim_start().len());
    let range = start..start + number.len();
    let Some((next, more)) = rest.split_once('|') else { return };
    let next = next.trim();
    let lies = is_name(next) || is_lone_name(next) || listed!(next, "empty open closed blocked unknown dirty clean");
    if is_bed(number) && lies && more.len() > 1 && !findings.covers(&range) {
        findings.add(range, Label::Hospital, 0.7);
    }
}

/// `M4`, `02A`, `417-B`, `03`: no item of a list, which has one digit or no zero before it.
fn is_bed(number: &str) -> bool {
    let bytes = number.as_bytes();
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let digits = bytes[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = number[letters + digits..].trim_start_matches('-');
    // `T4`, `B12`, `L3`: a hormone, a vitamin, a vertebra.
    let other = letters == 1 && digits <= 2 && behind.is_empty() && b"BCDKLSTV".contains(&bytes[0]);
    letters <= 2
        && !other
        && (1..=4).contains(&digits)
        && (behind.is_empty()
            || behind.len() == 1 && behind.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()))
        && (letters > 0 || !behind.is_empty() || digits >= 3 || bytes[0] == b'0')
}

/// `Song`, `Ochoa F`, `Chavez-Lynn`: a surname that means no thing of medicine, and perhaps an initial.
fn is_lone_name(cell: &str) -> bool {
    let (name, initial) = cell.split_once(' ').unwrap_or((cell, ""));
    let info = Lexicon::shared().word(name);
    let small = name.chars().skip(1).any(char::is_lowercase);
    name.starts_with(char::is_uppercase)
        && small
        && initial.trim_end_matches('.').chars().count() <= 1
        && (info.surname_count >= 500 || name.contains('-') && info.flags.is_empty())
        && !is_term(name)
        && !is_plain(name)
        && !listed!(name, "low high free total direct normal young chance")
}

/// `Quillen, B`, `Price, Wm.`, `OKONKWO-REYES, JUDE`: a surname that means little else, a comma, and a given name or an initial. A side is none:
/// `Hand, R`.
fn is_name(cell: &str) -> bool {
    let Some((family, given)) = cell.split_once(", ").or_else(|| cell.split_once(',')) else { return false };
    let given = given.strip_suffix('.').unwrap_or(given);
    let part = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.');
    let capital = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(part);
    let first = given.split(' ').next().unwrap_or_default();
    let shaped =
        capital(family) && family.chars().count() > 1 && given.split(' ').count() <= 2 && given.split(' ').all(capital);
    shaped && is_family(family) && (is_initial(first) || is_given(first))
}

/// Whether a word is borne as a surname or known for nothing else, and is no term, no common word and no eponym.
fn is_family(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    let borne = info.surname_count > 0 || word.contains('-') || info.flags.is_empty() && info.english_size().is_none();
    borne
        && !is_term(word)
        && !is_plain(word)
        && (info.surname_count >= 100_000 || Lexicon::shared().eponym(word).is_none())
}

/// Whether a word is a given name or a nickname, and no colour.
fn is_given(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    let named = info.is(WordFlags::NICKNAME) || info.given_count >= 300 || word == "Wm";
    named && !listed!(word, "white brown gray black red blue green sweet art wild")
}

/// One letter, but for that of a side.
fn is_initial(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    letters.next().is_some_and(|letter| !matches!(letter, 'L' | 'R' | 'X')) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn cells_of_nothing_but_a_name() {
        for (row, names) in [
            ("| 01 | Quillen, B | JRS | K 3.1, replete |", &["Quillen, B"] as &[&str]),
            ("| 04 | Price, Wm. | Noor | Kayexalate 15 g, recheck BMP |", &["Price, Wm."]),
            ("Enc 1008 | SLADE, FAITH | 84 | T0 1450", &["SLADE, FAITH"]),
            ("bed | Okonkwo-Reyes, Jude", &["Okonkwo-Reyes, Jude"]),
        ] {
            assert_eq!(found(row, &[Label::Patient]), names, "{row}");
        }
        assert_eq!(found("Enc 1008 | SLADE, FAITH | 84 | T0 1450", &[Label::Age]), ["84"]);
    }

    #[test]
    fn beds_head_their_rows() {
        for (row, bed) in [
            ("M4 | Song | amio 0.5, hep 14 | HFNC", "M4"),
            ("| 02B | Young, Dee | JRS | MOCA, PT/OT |", "02B"),
            ("| 03 | empty | - | - |", "03"),
            ("417-B | Chavez-Lynn | insulin 4 | 2L", "417-B"),
        ] {
            assert_eq!(found(row, &[Label::Hospital]), [bed], "{row}");
        }
        for row in [
            "1 | Brown | 2",
            "T4 | Low | 1.2 | 0.8",
            "| 12 | Aspirin | 81 mg |",
            "L4 | Young | normal",
            "| B12 | Low | 180 |",
        ] {
            assert_eq!(found(row, &[Label::Hospital]), [] as [&str; 0], "{row}");
        }
    }

    #[test]
    fn other_cells() {
        for row in [
            "| Foley out, PVR |",
            "| MOCA, PT/OT, dispo |",
            "| Normal, No |",
            "| Vancomycin, IV | 84 |",
            "| alert, oriented | 3 |",
            "| Hand, R | 5 |",
            "| Temple, R | 3 |",
            "| Oak, White | 4 |",
            "| Foley, F | 16 | Fr",
        ] {
            assert_eq!(found(row, &[Label::Patient, Label::Age]), [] as [&str; 0], "{row}");
        }
    }
}
