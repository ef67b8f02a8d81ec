//! What may be said of a changed stretch without knowing why it changed.
//!
//! ```text
//! `Ann Smith` ─▶ `Nielsen`           fine: capitals
//! `0012345` ─▶ `[MEDICALRECORD]`     fine: digits
//! `` ─▶ `and well`                   inserted       `No fever. ` ─▶ ``   removed
//! `no evidence` ─▶ `some evidence`   altered words: small letters, ordinary words only
//! ```
//!
//! Stretches are whole pieces of both texts, so part of a word never changes alone. Neighbours on a line with little between them
//! are one replacement: the shortest edits may take a comma or an initial of the surrogate for one of the source. So are stretches on
//! two lines where one of them has lost or won a line: what stands for several lines may stand on one.

use std::ops::Range;

use super::alignment::{Alignment, Change};
use super::findings::{Finding, FindingKind};
use super::pieces::{Piece, hash, pieces};
use crate::lexicon::{Lexicon, WordFlags};

/// Stretches so near to one another, in bytes, are one replacement.
const NEAR: usize = 12;
/// The most words of an identifier: an address over several lines.
const MOST_WORDS: usize = 24;
/// So many ordinary words, in small letters, has no surrogate.
const MOST_ORDINARY: usize = 9;
/// The most lines of an identifier.
const MOST_LINES: usize = 4;
/// The most names that are put before others.
const MOST_NAMES: usize = 3;
/// Bearers of a name that is met in small letters, too.
const USUAL_GIVEN_NAME: u32 = 5_000;
const USUAL_SURNAME: u32 = 30_000;
/// A note with fewer words is not judged as a whole.
const FEWEST_WORDS: usize = 50;
/// A note with fewer ordinary words is not told from another by them.
const FEWEST_ORDINARY_WORDS: usize = 8;

/// Adds what the changes of a note tell.
pub(super) fn judge(source: &str, output: &str, alignment: &Alignment, findings: &mut Vec<Finding>) {
    let (mut changed, mut ordinary) = (0, 0);
    let changes = alignment.changes();
    for group in changes.chunk_by(|left, right| near(source, output, left, right)) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let whole = |of: fn(&Change) -> &Range<usize>| of(first).start..of(last).end;
        let (from, to) = (whole(|change| &change.source), whole(|change| &change.output));
        changed += group.iter().map(|change| word_count(&source[change.source.clone()])).sum::<usize>();
        ordinary += group.iter().map(|change| ordinary_words(&source[change.source.clone()])).sum::<usize>();
        if let Some(kind) = kind(source, output, &from, &to, group) {
            findings.push(Finding { kind, source: from, output: to });
        }
    }
    // No run replaces words that identify nobody.
    if ordinary >= FEWEST_ORDINARY_WORDS / 2 {
        let all = ordinary_words(source);
        if all >= FEWEST_ORDINARY_WORDS && ordinary * 2 > all {
            let (source, output) = (0..source.len(), 0..output.len());
            findings.push(Finding { kind: FindingKind::OtherText, source, output });
            return;
        }
    }
    // A note that is mostly identifiers is rare; one that the alignment lost is worse.
    if changed * 2 > FEWEST_WORDS {
        let words = word_count(source);
        if words >= FEWEST_WORDS && changed * 2 > words {
            findings.push(Finding {
                kind: FindingKind::MostlyChanged,
                source: 0..source.len(),
                output: 0..output.len(),
            });
        }
    }
}

fn near(source: &str, output: &str, left: &Change, right: &Change) -> bool {
    let between = &source[left.source.end..right.source.start];
    let blank = |text: &str| text.trim().is_empty();
    let one_sided = |change: &Change| blank(&source[change.source.clone()]) || blank(&output[change.output.clone()]);
    between.len() <= NEAR && (!between.contains('\n') || one_sided(left) || one_sided(right))
}

/// What is wrong with one replacement.
fn kind(source: &str, output: &str, from: &Range<usize>, to: &Range<usize>, group: &[Change]) -> Option<FindingKind> {
    let (before, after) = (&source[from.clone()], &output[to.clone()]);
    if without_space(before).eq(without_space(after)) {
        return Some(FindingKind::Layout);
    }
    let changed = |of: fn(&Change) -> &Range<usize>, text: &str| {
        group.iter().any(|change| without_space(&text[of(change).clone()]).next().is_some())
    };
    if !changed(|change| &change.source, source) {
        return Some(if is_name(after) { FindingKind::Widened } else { FindingKind::Inserted });
    }
    if !changed(|change| &change.output, output) {
        return Some(FindingKind::Removed);
    }
    let words_of = |of: fn(&Change) -> &Range<usize>, text: &str, count: fn(&str) -> usize| {
        group.iter().map(|change| count(&text[of(change).clone()])).sum::<usize>()
    };
    let (had, has) = (
        words_of(|change| &change.source, source, ordinary_words),
        words_of(|change| &change.output, output, ordinary_words),
    );
    let longer = words_of(|change| &change.output, output, word_count)
        > MOST_WORDS.max(2 * words_of(|change| &change.source, source, word_count));
    // Beside what stands for an identifier there is more than could.
    if has >= MOST_ORDINARY.max(2 * had) || longer {
        return Some(FindingKind::Inserted);
    }
    let mut cut = Vec::new();
    group.iter().for_each(|change| cut.extend(pieces_at(source, &change.source)));
    let words = cut.iter().filter(|piece| is_word(source, piece)).count();
    let line_break = hash(b"\n");
    let lines = 1 + cut.iter().filter(|piece| piece.hash == line_break).count();
    if words > MOST_WORDS || lines > MOST_LINES {
        return Some(FindingKind::LongStretch);
    }
    // With what stands between: in `j. smith` only one of the words may have changed.
    let could_be = pieces_at(source, from).iter().any(|piece| could_identify(&source[piece.range()]));
    (!could_be).then_some(FindingKind::AlteredWords)
}

fn pieces_at(text: &str, range: &Range<usize>) -> Vec<Piece> {
    let moved = |piece: Piece| Piece { start: piece.start + range.start, end: piece.end + range.start, ..piece };
    pieces(&text[range.clone()]).into_iter().map(moved).collect()
}

fn is_word(text: &str, piece: &Piece) -> bool {
    text[piece.range()].starts_with(char::is_alphanumeric)
}

fn word_count(text: &str) -> usize {
    let mut inside = false;
    let begins = |byte: u8| {
        let was = std::mem::replace(&mut inside, byte.is_ascii_alphanumeric() || byte >= 0x80);
        inside && !was
    };
    text.bytes().map(begins).filter(|&begins| begins).count()
}

/// Words that are no part of an identifier, and more than a letter or two.
fn ordinary_words(text: &str) -> usize {
    let is_ordinary = |piece: &Piece| piece.end - piece.start > 2 && is_word(text, piece);
    pieces(text).iter().filter(|piece| is_ordinary(piece) && !could_identify(&text[piece.range()])).count()
}

fn without_space(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|character| !character.is_whitespace())
}

/// Whether a text is a few words with capitals.
fn is_name(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.by_ref().take(MOST_NAMES).all(|word| word.starts_with(char::is_uppercase)) && words.next().is_none()
}

/// Whether a piece could be part of an identifier: it has a digit, a capital or a letter beyond ASCII, is `@`, is no ordinary word, or is
/// one that many people have for a name, or tells of a date or of an age over 89.
fn could_identify(piece: &str) -> bool {
    const CALENDAR: &[&str] = &[
        "spring",
        "summer",
        "fall",
        "autumn",
        "winter",
        "christmas",
        "easter",
        "halloween",
        "thanksgiving",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "ninety",
    ];
    /// What turns a finding into its contrary is nobody's name, with a capital too.
    const TURNING: &[&str] = &[
        "no", "not", "none", "yes", "without", "denies", "denied", "positive", "negative", "normal", "abnormal",
        "left", "right",
    ];
    if TURNING.iter().any(|word| word.eq_ignore_ascii_case(piece)) {
        return false;
    }
    if !piece.bytes().all(|byte| byte.is_ascii_lowercase()) {
        let tells =
            |c: char| c.is_ascii_digit() || c.is_uppercase() || c == '@' || (!c.is_ascii() && c.is_alphabetic());
        return piece.contains(tells);
    }
    let info = Lexicon::shared().word(piece);
    !info.is_any(WordFlags::ENGLISH)
        || info.given_count >= USUAL_GIVEN_NAME
        || info.surname_count >= USUAL_SURNAME
        || CALENDAR.contains(&piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str, output: &str) -> Vec<FindingKind> {
        let mut findings = Vec::new();
        judge(source, output, &Alignment::of(source, output), &mut findings);
        findings.into_iter().map(|finding| finding.kind).collect()
    }

    const NOTE: &str = "Seen by Dr. Ann Smith on 03/04/2019 for a cough that has lasted two weeks.\nNo fever, no evidence of pneumonia.\n\
                        Call 507-555-0101 with questions.\n";

    fn with(from: &str, to: &str) -> String {
        assert!(NOTE.contains(from));
        NOTE.replace(from, to)
    }

    #[test]
    fn replacements_are_fine() {
        for (from, to) in [
            ("Ann Smith", "Nielsen"),
            ("Ann Smith", "[DOCTOR]"),
            ("03/04/2019", "**/**/****"),
            ("507-555-0101", "[REDACTED]"),
            ("Ann Smith on 03/04/2019", "Smith Ann B on 07/02/2018"),
        ] {
            assert_eq!(kinds(NOTE, &with(from, to)), [], "{from} {to}");
        }
        // One tag stands for what was on two lines.
        let letter = |address: &str| {
            format!("Dear Dr. Who,\n{address}\n\nThank you for the patient that you have sent to us today.\n")
        };
        assert_eq!(kinds(&letter("248 Sycamore Rd\nHill NH  03082"), &letter("[STREET] [STATE]  [ZIP]")), []);
    }

    #[test]
    fn damage_is_told() {
        use FindingKind::{AlteredWords, Inserted, Layout, Removed, Widened};
        for (from, to, expected) in [
            ("no evidence", "some evidence", AlteredWords),
            ("No fever", "Yes fever", AlteredWords),
            ("No fever, ", "", Removed),
            ("for a cough", "for a severe cough", Inserted),
            ("for a cough", "for a Weston cough", Widened),
            ("weeks.\nNo", "weeks. No", Layout),
            ("a cough", "a  cough", Layout),
            ("with questions.\n", "with questions.", Layout),
        ] {
            assert_eq!(kinds(NOTE, &with(from, to)), [expected], "{from} {to}");
        }
        assert_eq!(kinds(NOTE, NOTE), []);
    }

    #[test]
    fn a_passage_beside_a_surrogate_is_told() {
        let passage = "03/04/2018 and Gwendolyn Hathersage, SSN 521-44-9382, of 14 Quince Road, phone 507-555-0192, was told that she \
                       has no cancer of the lung";
        assert_eq!(kinds(NOTE, &with("03/04/2019", passage)), [FindingKind::Inserted]);
        let names = (0..30).map(|n| format!("Ann{n} ")).collect::<String>();
        assert_eq!(kinds(NOTE, &with("Ann Smith", &names)), [FindingKind::Inserted]);
        let job = "the chief executive officer of a regional food bank";
        assert_eq!(kinds(NOTE, &with("Ann Smith", job)), []);
    }

    #[test]
    fn too_much_is_told() {
        let words = |of: &str| (0..60).map(|n| format!("{of}{n} ")).collect::<String>();
        let (source, output) = (format!("{NOTE}{}", words("A")), format!("{NOTE}{}", words("B")));
        assert_eq!(kinds(&source, &output), [FindingKind::LongStretch, FindingKind::MostlyChanged]);
    }

    #[test]
    fn the_text_of_another_note_is_told() {
        let other = "Ann Smith has come in with pain in the left knee after a fall. There was some swelling, and the joint was tender; \
                     we have asked for a picture of it.\n";
        assert!(kinds(NOTE, other).contains(&FindingKind::OtherText));
        assert!(kinds(other, NOTE).contains(&FindingKind::OtherText));
        // What identifies may go, whatever share of the note it is.
        let list = "Ann Smith, Bob Jones, Carl Young, Dora King and Emil Hill were seen by Dr. Frank Wood\n";
        assert_eq!(
            kinds(list, "[PATIENT], [PATIENT], [PATIENT], [PATIENT] and [PATIENT] were seen by Dr. [DOCTOR]\n"),
            []
        );
    }
}
