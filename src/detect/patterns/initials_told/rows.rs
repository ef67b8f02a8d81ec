//! Initials by their row, their column or the role before them: `Init  KM  KM  tr`, `Rn Osei   Y   dwh`, `tech dmw`.

use crate::detect::dictionary::is_credential;
use crate::detect::listed::listed;
use crate::detect::patterns::context::first_word;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::sign_off::{NO_INITIALS, are_initials, are_lone_initials};
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::topics::Topics;
use crate::phi::Label;

/// Roles that close a line with the initials of their holder.
const ROLES: &str = "tech hygiene hygienist counselor abstr abstractor abstracter aide scribe typist transcriber transcriptionist \
                     circulator phleb phlebotomist interpreter interp registrar sitter preceptor nurse therapist navigator coder \
                     biller scheduler dosimetrist sonographer";

/// What else is behind them in three letters: days, how much help somebody needs, a nurse's office.
const NO_SIGNERS: &str = "mon tue wed thu ind cnl";

/// Adds such initials.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for (start, line) in survey.lines(sentence) {
        if survey.topics.has(Topics::INITIALED) {
            in_row(line, start, findings);
        }
        if survey.wide_blank {
            read_back(line, start, findings);
        }
        behind_role(line, start, findings);
    }
}

/// Whether a text is two or three letters in one case.
fn is_short(text: &str) -> bool {
    (2..=3).contains(&text.len())
        && (text.bytes().all(|byte| byte.is_ascii_lowercase()) || text.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// `Init   KM   KM   tr`: a row of nothing but initials behind its name.
fn in_row(line: &str, start: usize, findings: &mut Findings) {
    let indent = line.len() - line.trim_start().len();
    let head = first_word(&line[indent..]);
    if !listed!(head, "init inits initial initials") {
        return;
    }
    let from = indent + head.len();
    let row = &line[from..];
    let mut cells = Vec::new();
    let mut at = from;
    for cell in row.split([' ', '\t', '|', ':', '.']) {
        if !cell.is_empty() {
            cells.push((at, cell));
        }
        at += cell.len() + 1;
    }
    let parted = row.contains("  ") || row.contains(['\t', '|']);
    // `Initial  BP  HR  RR`: measurements have a row as well.
    let told = cells.iter().any(|(_, cell)| are_initials(cell));
    if cells.len() < 2 || !parted || !told || !cells.iter().all(|(_, cell)| is_short(cell)) {
        return;
    }
    for (at, cell) in cells {
        let range = start + at..start + at + cell.len();
        if !findings.covers(&range) {
            findings.add(range, Label::Doctor, 0.7);
        }
    }
}

/// `Rn Osei   Y   dwh`: who called, in the last column behind whether it was read back.
fn read_back(line: &str, start: usize, findings: &mut Findings) {
    let line = line.trim_end();
    if !line.contains("  ") {
        return;
    }
    let columns: Vec<&str> = line.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    let [.., answer, letters] = columns[..] else { return };
    let answered = matches!(answer, "Y" | "N" | "y" | "n" | "Yes" | "yes" | "YES");
    let staff = columns.iter().any(|column| listed!(first_word(column), "rn dr md np pa lpn"));
    let range = start + line.len() - letters.len()..start + line.len();
    if answered && staff && is_short(letters) && !listed!(letters, NO_INITIALS) && !findings.covers(&range) {
        findings.add(range, Label::Doctor, 0.7);
    }
}

/// `tech dmw`, `Abstr: jkw  ODS`: at the end of a line, behind a role and perhaps before a credential.
fn behind_role(line: &str, start: usize, findings: &mut Findings) {
    let line = without_credential(line.trim_end().trim_end_matches('.'));
    let (head, letters) = line.split_at(line.len() - closing_letters(line));
    if !is_short(letters) {
        return;
    }
    let lead = head.trim_end_matches([' ', ':']);
    let role = &lead[lead.len() - closing_letters(lead)..];
    let range = start + head.len()..start + line.len();
    if lead.len() < head.len()
        && listed!(role, ROLES)
        && are_lone_initials(letters)
        && !is_credential(letters)
        && !listed!(letters, NO_SIGNERS)
        && !findings.covers(&range)
    {
        findings.add(range, Label::Doctor, 0.65);
    }
}

/// A line without the credential in capitals that closes it.
fn without_credential(line: &str) -> &str {
    let (head, last) = line.split_at(line.len() - closing_letters(line));
    let written = last.len() > 1 && last.bytes().all(|byte| byte.is_ascii_uppercase()) && is_credential(last);
    let bare = head.trim_end_matches([' ', ',']);
    if written && bare.len() < head.len() { bare } else { line }
}

/// How many letters a text ends in.
fn closing_letters(text: &str) -> usize {
    text.bytes().rev().take_while(u8::is_ascii_alphabetic).count()
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn signed(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Doctor])
    }

    #[test]
    fn rows_columns_and_roles() {
        assert_eq!(signed("Init    QJ      QJ      kw      kw"), ["QJ", "QJ", "kw", "kw"]);
        assert_eq!(signed("K  6.9   Rn Osei       Y    dwh"), ["dwh"]);
        assert_eq!(signed("perf OK   tech dmw"), ["dmw"]);
        assert_eq!(signed("Abstr: jkw  ODS"), ["jkw"]);
        assert_eq!(signed("WIC office, counselor QJ"), ["QJ"]);
    }

    #[test]
    fn measurements_and_words_in_such_places() {
        for sentence in [
            "Initial   BP   HR",
            "Initial labs  cbc bmp",
            "Rn aware    Y    ok",
            "RN aware   Y   NPO",
            "RN  states   N   PRN",
            "seen by tech RN",
            "therapist ABA",
            "d/w nurse prn",
            "per the aide now",
            "call nurse mon",
            "oral hygiene ind",
        ] {
            assert_eq!(signed(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
