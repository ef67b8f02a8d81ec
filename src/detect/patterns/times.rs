//! Clock times, the auxiliary label: `14:02`, `2:30 pm`, `0830 hrs`, `at 1430`.

use std::sync::LazyLock;

use regex::Regex;

use super::expression;
use super::findings::Findings;
use super::survey::Survey;
use crate::phi::Label;

static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:\b|T)((?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?(?:\s?[ap]\.?m\b\.?)?)|\b((?:0?[1-9]|1[0-2])\s?[ap]\.?m\b\.?)|\b((?:[01][0-9]|2[0-3])[0-5][0-9])\s?(?:hrs?|hours)\b|\b(?:at|@)\s?((?:[01][0-9]|2[0-3])[0-5][0-9])\b",
    )
});

/// Whether a colon, `am`, `pm`, `hrs` or `at` beside a number lets it be a clock time.
fn may_be_time(bytes: &[u8], start: usize, end: usize) -> bool {
    let next = bytes.get(end).copied().unwrap_or(b' ');
    let after = if next == b' ' { bytes.get(end + 1).copied().unwrap_or(b' ') } else { next };
    let lead = bytes[..start].trim_ascii_end();
    matches!(after, b':' | b'a' | b'A' | b'p' | b'P' | b'h' | b'H') || matches!(lead, [.., b't' | b'T' | b'@'])
}

/// Adds clock times.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if !survey.chains.iter().any(|chain| may_be_time(sentence.as_bytes(), chain.start, chain.end)) {
        return;
    }
    for captures in TIMES.captures_iter(sentence) {
        let Some(time) = captures.iter().skip(1).flatten().next() else {
            continue;
        };
        let goes_on = sentence.as_bytes().get(time.end()).is_some_and(u8::is_ascii_digit);
        // The stop behind `10:30 AM.` ends the sentence; that of `10:30 a.m.` is a part of it.
        let bare = time.as_str().trim_end_matches('.');
        let stop = usize::from(bare.len() < time.len() && bare[..bare.len() - 1].ends_with('.'));
        let range = time.start()..time.start() + bare.len() + stop;
        if !goes_on && !findings.covers(&range) {
            findings.add(range, Label::Time, 0.9);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn the_stop_of_a_sentence_is_outside() {
        for (sentence, time) in [
            ("Seen at 10:30 AM.", "10:30 AM"),
            ("Seen at 10:30 a.m. today", "10:30 a.m."),
            ("at 9 pm.", "9 pm"),
            ("at 14:30.", "14:30"),
        ] {
            assert_eq!(found(sentence, &[Label::Time]), [time], "{sentence}");
        }
    }
}
