//! Crews of ambulances and fire engines by their numbers: `Medic 12`, `Ambulance 3 to base`, `LifeStar 1`.

use super::context::{byte_at, byte_before, word_after};
use super::findings::Findings;
use super::survey::Hit;
use crate::detect::listed::listed;
use crate::phi::Label;

/// Judges a word that crews are called by.
pub(super) fn detect(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let rest = &sentence[hit.end..];
    let Some(rest) = rest.strip_prefix([' ', '-', '#']).map(|rest| rest.trim_start_matches('#')) else { return };
    let start = sentence.len() - rest.len();
    let end = start + rest.bytes().take_while(u8::is_ascii_digit).count();
    let free = !byte_at(sentence, end).is_ascii_alphanumeric()
        && !matches!(byte_at(sentence, end), b'/' | b'%' | b'.' | b':' if byte_at(sentence, end + 1).is_ascii_digit());
    // `ambulance 3 times`, `engine 2 hours`: counted, not called.
    let counted = listed!(
        word_after(sentence, end),
        "times x min mins minutes hours hrs hr h days weeks months years mo yrs miles rides trips doses mg ml"
    );
    let called = word.starts_with(|letter: char| letter.is_ascii_uppercase());
    let range = hit.start..end;
    if called
        && (1..=3).contains(&(end - start))
        && free
        && !counted
        && byte_before(sentence, hit.start) != b'-'
        && !findings.covers(&range)
    {
        findings.add(range, Label::Organization, 0.75);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn crews(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Organization])
    }

    #[test]
    fn crews_by_their_numbers() {
        assert_eq!(crews("Ambulance 3 to base hospital"), ["Ambulance 3"]);
        assert_eq!(crews("handed over to Medic 12, vitals stable"), ["Medic 12"]);
        assert_eq!(crews("Heli LifeStar 1 to Hartford"), ["LifeStar 1"]);
    }

    #[test]
    fn what_is_counted_is_no_crew() {
        for sentence in ["Ambulance 3 times this year", "the ambulance 2 days ago", "Engine 1.5", "Rescue 2 mg"] {
            assert_eq!(crews(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
