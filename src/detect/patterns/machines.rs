//! What machines write of their users and of themselves: `C:\Users\jdoe\`, `/home/jdoe/`, `00:1A:2B:3C:4D:5E`.

use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before};
use super::expression;
use super::findings::Findings;
use super::survey::Survey;
use crate::detect::listed::listed;
use crate::phi::Label;

/// The folder of an account.
static FOLDER: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?:\b[a-z]:\\+users\\+|(?:^|[\s=:'\x22~])/(?:home|users)/)([a-z0-9][a-z0-9._-]{1,31})")
});
/// The address of a network card (IEEE 802, EUI-48), in pairs or in fours.
static CARD: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}")
});

/// Adds accounts in paths and addresses of network cards.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let holds = |part: &str| memchr::memmem::find(sentence.as_bytes(), part.as_bytes()).is_some();
    if survey.has_mark(b'\\') && holds("sers\\") || survey.has_mark(b'/') && (holds("/home/") || holds("sers/")) {
        for account in FOLDER.captures_iter(sentence).filter_map(|found| found.get(1)) {
            let shared = listed!(account.as_str(), "public default shared all guest admin administrator user users");
            if !shared && !findings.covers(&account.range()) {
                findings.add(account.range(), Label::Username, 0.9);
            }
        }
    }
    let parted = survey.colons >= 5 || survey.has_mark(b'-') || survey.has_mark(b'.');
    if !parted || survey.digits < 2 {
        return;
    }
    for found in CARD.find_iter(sentence) {
        let (start, end) = (found.start(), found.end());
        let free = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b':' | b'-');
        // Digits alone are times and dates.
        let has_letter = found.as_str().bytes().any(|byte| byte.is_ascii_alphabetic());
        if has_letter && free(byte_before(sentence, start)) && free(byte_at(sentence, end)) {
            findings.add(found.range(), Label::Device, 0.95);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PatternDetector;
    use super::*;
    use crate::detect::SentenceDetector;

    fn found(text: &str) -> Vec<(String, Label)> {
        let mut spans = Vec::new();
        PatternDetector::new().detect(text, &mut spans);
        spans.iter().map(|span| (text[span.start..span.end].to_owned(), span.leading().class.label)).collect()
    }

    #[test]
    fn accounts_and_cards() {
        for (text, value, label) in [
            ("saved to C:\\Users\\zquorlin\\Desktop", "zquorlin", Label::Username),
            ("in /home/z.quorlin/notes", "z.quorlin", Label::Username),
            ("MAC 00:1A:2B:3C:4D:5E seen", "00:1A:2B:3C:4D:5E", Label::Device),
            ("MAC 00-1a-2b-3c-4d-5e", "00-1a-2b-3c-4d-5e", Label::Device),
            ("MAC 001a.2b3c.4d5e.", "001a.2b3c.4d5e", Label::Device),
        ] {
            assert!(found(text).contains(&(value.to_owned(), label)), "{text}: {:?}", found(text));
        }
        for text in ["C:\\Users\\Public\\x", "home/community services", "at 10:20:30:40:50:60", "s/p 12-14-16-18-20-22"]
        {
            let found = found(text);
            assert!(
                !found.iter().any(|(_, label)| matches!(label, Label::Username | Label::Device)),
                "{text}: {found:?}"
            );
        }
    }
}
