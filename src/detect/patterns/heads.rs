//! Who wrote a line, at its head: `tldao 7:44a  any pain?`, `hswan  would he go?`, `03/11/25 tmb  PT CALLED`, and the list of
//! those who take part: `members: pvenkat, s.oyelaran, kdoyle_rn`.
//!
//! A handle is told by its form, for a sentence is seen without the rest of its thread: small letters that are no word,
//! before a time of day or apart from the text in a column of its own.

use super::context::{byte_at, byte_before};
use super::findings::Findings;
use super::survey::Survey;
use super::users::is_no_word;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Adds the sign-on names at the heads of lines.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.has_mark(b'@') {
        mentioned(sentence, findings);
    }
    for (start, line) in survey.lines(sentence) {
        match line.as_bytes().first() {
            Some(b'0'..=b'9') => after_date(line, start, findings),
            Some(b'a'..=b'z') => before_message(line, start, findings),
            _ => {}
        }
        if survey.colons > 0 {
            participants(line, start, findings);
        }
    }
}

/// The length of a handle at the beginning of a text: small letters and digits, with single marks inside.
fn handle_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let inner = at > 0
            && matches!(byte, b'.' | b'_' | b'-')
            && bytes.get(at + 1).is_some_and(|next| next.is_ascii_lowercase() || next.is_ascii_digit());
        if !(byte.is_ascii_lowercase() || byte.is_ascii_digit() && at > 1 || inner) {
            break;
        }
        at += 1;
    }
    at
}

/// Whether letters before the first mark are no word, and no given name alone.
fn is_handle(handle: &str) -> bool {
    let part = handle.split(['.', '_', '-']).max_by_key(|part| part.len()).unwrap_or_default();
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    handle.len() >= 4 && letters.len() >= 4 && is_no_word(letters) && !listed!(letters, "yest tmrw prob approx addl")
}

/// Whether one or two initials and a surname make the handle: `kdoyle`, `tldao`.
fn is_initials_and_surname(handle: &str) -> bool {
    let lexicon = Lexicon::shared();
    let surname = |at: usize, bearers: u32| {
        handle.get(at..).filter(|rest| rest.len() >= 3).is_some_and(|rest| {
            let info = lexicon.word(rest);
            info.surname_count >= bearers && (at == 1 && rest.len() > 4 || !info.is(WordFlags::ENGLISH))
        })
    };
    handle.len() >= 5 && lexicon.word(handle).flags.is_empty() && (surname(1, 200) || surname(2, 1_000))
}

/// `tldao 7:44a  any pain?`, `hswan 5/2 7:41a  morning`, `hswan  would he go?`
fn before_message(line: &str, start: usize, findings: &mut Findings) {
    let length = handle_length(line);
    if !(4..=24).contains(&length) || !matches!(byte_at(line, length), b' ' | b'\t') || length == line.len() {
        return;
    }
    let handle = &line[..length];
    let rest = line[length..].trim_start_matches([' ', '\t']);
    let column = line.len() - length - rest.len() >= 2;
    let timed = is_timed(rest);
    let range = start..start + length;
    if (timed && is_handle(handle) || column && is_initials_and_surname(handle)) && !findings.covers(&range) {
        findings.add(range, Label::Username, 0.7);
    }
}

/// Whether a text begins with a time of day, perhaps after a date: `7:44a`, `5/2 7:41a`, `12:56pm`.
fn is_timed(text: &str) -> bool {
    let clock = |text: &str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&digits)
            && byte_at(text, digits) == b':'
            && byte_at(text, digits + 1).is_ascii_digit()
            && byte_at(text, digits + 2).is_ascii_digit()
            && matches!(byte_at(text, digits + 3), b' ' | b'a' | b'p' | b':' | b'A' | b'P')
    };
    let date = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'/').count();
    clock(text) || (3..=10).contains(&date) && text[date..].strip_prefix(' ').is_some_and(clock)
}

/// `03/11/25 tmb  PT CALLED`, `04/30/25 1410 qjr PMT`: two or three small letters between a date and the entry.
fn after_date(line: &str, start: usize, findings: &mut Findings) {
    let head = line.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b'-' | b'.')).count();
    if !(6..=10).contains(&head) || byte_at(line, head) != b' ' {
        return;
    }
    let mut at = line.len() - line[head..].trim_start_matches(' ').len();
    let clock = line[at..].bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    if (4..=5).contains(&clock) && byte_at(line, at + clock) == b' ' {
        at = line.len() - line[at + clock..].trim_start_matches(' ').len();
    }
    let length = line[at..].bytes().take_while(u8::is_ascii_lowercase).count();
    let rest = &line[at + length..];
    let entry = rest.trim_start_matches(' ');
    let gap = rest.len() - entry.len();
    let shouted = entry.len() > 1 && entry.bytes().take(2).all(|byte| byte.is_ascii_uppercase());
    let letters = &line[at..at + length];
    let info = Lexicon::shared().word(letters);
    let known = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::DRUG).union(WordFlags::ENGLISH);
    let range = start + at..start + at + length;
    if (2..=3).contains(&length)
        && (gap >= 2 || gap == 1 && shouted)
        && !entry.is_empty()
        && (!info.is_any(known) || shouted && info.english_size().is_none())
        && !listed!(letters, "pt np rn md pa pm am bp hr wt temp adm")
        && !findings.covers(&range)
    {
        findings.add(range, Label::Username, 0.6);
    }
}

/// `participants: hswan, tldao, bkealoha.pharm`.
fn participants(line: &str, start: usize, findings: &mut Findings) {
    let Some((field, names)) = line.split_once(':') else { return };
    if field.len() > 16 || !listed!(field.trim_start(), "participants members recipients attendees party users handles")
    {
        return;
    }
    for name in names.split([',', ';']) {
        let name = name.trim();
        let at = start + super::context::offset_in(line, name);
        let range = at..at + name.len();
        if handle_length(name) == name.len() && is_handle(name) && !findings.covers(&range) {
            findings.add(range, Label::Username, 0.8);
        }
    }
}

/// `@kdoylerx can we switch`.
fn mentioned(sentence: &str, findings: &mut Findings) {
    for at in memchr::memchr_iter(b'@', sentence.as_bytes()) {
        let length = handle_length(&sentence[at + 1..]);
        let range = at + 1..at + 1 + length;
        let free = matches!(byte_before(sentence, at), b' ' | b'\n' | b'(');
        if free && is_handle(&sentence[range.clone()]) && !findings.covers(&range) {
            findings.add(range, Label::Username, 0.6);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::patterns::PatternDetector;
    use crate::phi::{Label, unite};

    fn users(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        PatternDetector::new().detect(sentence, &mut spans);
        unite(spans)
            .iter()
            .filter(|span| span.leading().class.label == Label::Username)
            .map(|span| &sentence[span.start..span.end])
            .collect()
    }

    #[test]
    fn handles_at_the_head_of_a_line() {
        assert_eq!(users("trokafor 7:44a  any fever?"), ["trokafor"]);
        assert_eq!(users("ebankole.rph 5/2 8:03a  allergy listed"), ["ebankole.rph"]);
        assert_eq!(users("trokafor  ok will do"), ["trokafor"]);
        assert_eq!(users("03/11/25 jqb  PT CALLED RE BILL"), ["jqb"]);
        assert_eq!(users("members: jvancura, s.okafor, kdoyle_rn"), ["jvancura", "s.okafor", "kdoyle_rn"]);
        assert_eq!(users("@kdoylerx can we switch"), ["kdoylerx"]);
    }

    #[test]
    fn words_at_the_head_of_a_line() {
        for line in [
            "lungs 7:44 clear",
            "vomited 7:44a x1",
            "fever  chills  cough",
            "04/30/25 bmp  ok",
            "04/30/25 abd soft",
            "members: daughter, son",
            "sats 94 @rest",
        ] {
            assert_eq!(users(line), [] as [&str; 0], "{line}");
        }
    }
}
