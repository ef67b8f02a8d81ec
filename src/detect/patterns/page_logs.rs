//! Numbers of pagers in the log of an exchange, and behind who was paged or carries one: `0703 to 31-8842: bed 22 BP 88/41`,
//! `paged rahimi x2 on 4-4071`, `pgr Okonjo 31907`.

use std::sync::LazyLock;

use regex::Regex;

use super::context::byte_at;
use super::cues::Cue;
use super::findings::Findings;
use super::survey::Survey;
use super::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// A clock time at the head of a line, and whom the page went to.
static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"^\s*(?:[0-9]{4}|[0-9]{1,2}:[0-9]{2})\s(?:to|->|→)\s([0-9]{1,3}-[0-9]{3,5}|[0-9]{5,10}):\s")
});

/// Somebody was paged, and on which number.
static PAGED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\bpag(?:ed|ing)\s[a-z'.-]{2,15}(?:\s[a-z'.-]{1,15})?(?:\s(?:x\s?[0-9]|again))?\s(?:on|at|@)\s?([0-9]{1,2}-?[0-9]{3,5})\b",
    )
});

/// Whose pager it is, and its number.
static CARRIED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:pgr|pager|bleep|bpr|beeper):?\s((?-i:[A-Z][A-Za-z'.-]{1,15}(?:\s[A-Z][a-z'.-]{1,15})?))\s([0-9]{4,5}|[0-9]-[0-9]{4})\b",
    )
});

/// Adds such numbers.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let has = |part: &[u8]| memchr::memmem::find(sentence.as_bytes(), part).is_some();
    if survey.digits >= 4 && (has(b"aged ") || has(b"aging ")) {
        for number in captures_in(&PAGED, sentence).filter_map(|captures| captures.get(1)) {
            let free = !matches!(byte_at(sentence, number.end()), b':' | b'/');
            if free && !is_clock(number.as_str()) && !findings.covers(&number.range()) {
                findings.add(number.range(), Label::Phone, 0.85);
            }
        }
    }
    if survey.digits >= 4 && survey.has(Cue::Pager) {
        carried(sentence, findings);
    }
    if survey.digits < 7 || survey.colons == 0 {
        return;
    }
    for (start, line) in survey.lines(sentence) {
        let entry = line.trim_start().starts_with(|c: char| c.is_ascii_digit()).then(|| ENTRY.captures(line)).flatten();
        if let Some(number) = entry.and_then(|entry| entry.get(1)) {
            let range = start + number.start()..start + number.end();
            if !findings.covers(&range) {
                findings.add(range, Label::Phone, 0.85);
            }
        }
    }
}

/// `pgr Okonjo 31907`, `bleep SHO 1147`; behind a name four digits may be when: `pager Okonjo 0415`.
fn carried(sentence: &str, findings: &mut Findings) {
    for captures in captures_in(&CARRIED, sentence) {
        let (Some(bearer), Some(number)) = (captures.get(1), captures.get(2)) else { continue };
        let role = ["SHO", "HO", "SPR", "REG", "CT", "ST", "FY"].contains(&bearer.as_str());
        let is_name = |word: &str| {
            let info = Lexicon::shared().word(word);
            info.english_size().is_none() && !info.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG))
        };
        let when = is_clock(number.as_str()) || !bearer.as_str().split(' ').all(is_name);
        let free = !matches!(byte_at(sentence, number.end()), b':' | b'/' | b'-');
        if free && (role || !when) && !findings.covers(&number.range()) {
            findings.add(number.range(), Label::Phone, 0.85);
        }
    }
}

/// `paged ortho at 0415`
fn is_clock(number: &str) -> bool {
    number.len() == 4 && number.parse().is_ok_and(|clock: u32| clock < 2400 && clock % 100 < 60)
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn whom_a_page_went_to() {
        assert_eq!(found("0703 to 31-8842: bed 22 BP 88/41", &[Label::Phone]), ["31-8842"]);
        assert_eq!(found("07:03 to 60127: call micro", &[Label::Phone]), ["60127"]);
        assert_eq!(found("ugh. paged rahimi x2 on 4-4071, nothing", &[Label::Phone]), ["4-4071"]);
        assert_eq!(found("paged ortho at 0415, paged cards at 14:20", &[Label::Phone]), [] as [&str; 0]);
        assert_eq!(found("0700 to 1900: 1200 ml in", &[Label::Phone]), [] as [&str; 0]);
    }

    #[test]
    fn whose_pager_it_is() {
        assert_eq!(found("neurosurg pgr Okonjo 31907", &[Label::Phone]), ["31907"]);
        assert_eq!(found("cc pt; bleep SHO 1147", &[Label::Phone]), ["1147"]);
        assert_eq!(found("pgr Ngozi Okonjo 4-1187 if worse", &[Label::Phone]), ["4-1187"]);
        for line in [
            "pager Okonjo 0415, no answer",
            "Pager Called 0930, no response",
            "pager Monday 0800",
            "PTH 65 pg Calcium 9999",
        ] {
            assert_eq!(found(line, &[Label::Phone]), [] as [&str; 0], "{line}");
        }
    }
}
