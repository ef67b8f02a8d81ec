//! Telephone numbers whose digits stand apart, or between strokes: `(575) 555 - 0 1 4 1`, `5 0 7 / 5 5 5 / 0 1 7 2`, `978/555/0144`.
//!
//! ```text
//! "fax back: 5 0 7 / 5 5 5 / 0 1 7 2"     an area, an exchange and a line, parted by a mark, with blanks among the digits
//! "I tried 978/555/0144"                  parted by strokes alone, where somebody is called
//! "518*555*0184", "956)5550169"           by a mark that no other number has
//! "fluticasone 250/500/1000"              strokes where nobody is
//! ```

use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before};
use super::cues::Cue;
use super::findings::Findings;
use super::survey::Survey;
use super::years::unit_follows;
use super::{captures_in, expression};
use crate::detect::listed::listed;
use crate::phi::Label;

/// An area, an exchange and a line (North American Numbering Plan), a mark between them, blanks wherever they may be.
static APART: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(\(?[2-9](?: ?[0-9]){2}\)? ?[-/.]? ?[2-9](?: ?[0-9]){2} ?[-/.] ?[0-9](?: ?[0-9]){3})\b")
});

/// Marks that stand in no other number, and an opening bracket that was lost.
static MARKED: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\b([2-9][0-9]{2}(?:[*_~] ?[2-9][0-9]{2}[*_~] ?|\) ?[2-9][0-9]{2}[-. ]?)[0-9]{4})\b"));
/// Digits that run on behind the area, and a line in two halves: much else looks so.
static RUN_ON: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\b([2-9][0-9]{2} (?:[2-9][0-9]{6}|[2-9][0-9]{2} [0-9]{2} [0-9]{2}))\b"));

/// Adds such numbers.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 10 {
        return;
    }
    let named = survey.has(Cue::Phone) || survey.has(Cue::Fax) || survey.has(Cue::Pager);
    let label = if survey.has(Cue::Fax) && !survey.has(Cue::Phone) { Label::Fax } else { Label::Phone };
    parted_oddly(sentence, named, label, findings);
    if !b"-/.".iter().any(|&mark| survey.has_mark(mark)) {
        return;
    }
    let called = named || is_tried(sentence);
    for found in captures_in(&APART, sentence).filter_map(|captures| captures.get(1)) {
        let number = found.as_str();
        let blanks = number.bytes().filter(|byte| *byte == b' ').count();
        let strokes = number.matches('/').count() == 2 && blanks == 0;
        let bracketed = number.starts_with('(');
        // Three blanks among the digits of a group; a blank beside a mark is in other numbers as well.
        let apart = blanks >= 3 && (called || bracketed || number.replace(' ', "").contains("555"));
        let free = !byte_before(sentence, found.start()).is_ascii_alphanumeric()
            && !byte_at(sentence, found.end()).is_ascii_alphanumeric()
            && !unit_follows(sentence, found.end());
        if (apart || strokes && called) && free && !findings.covers(&found.range()) {
            findings.add(found.range(), label, 0.85);
        }
    }
}

/// Numbers with odd marks between their groups, or with fewer groups than they have.
fn parted_oddly(sentence: &str, named: bool, label: Label, findings: &mut Findings) {
    let called = named || is_tried(sentence) || is_sought(sentence);
    let forms = [(&MARKED, sentence.contains(['*', '_', '~', ')'])), (&RUN_ON, called)];
    for (form, _) in forms.into_iter().filter(|(_, may)| *may) {
        for found in captures_in(form, sentence).filter_map(|captures| captures.get(1)) {
            let before = byte_before(sentence, found.start());
            let whole = !matches!(before, b'(' | b'.' | b',' | b'/' | b'-') && !unit_follows(sentence, found.end());
            if whole && !findings.covers(&found.range()) {
                findings.add(found.range(), label, 0.85);
            }
        }
    }
}

/// Whether somebody was tried, as one says of a telephone.
fn is_tried(sentence: &str) -> bool {
    sentence.split(|c: char| !c.is_ascii_alphabetic()).any(|word| listed!(word, "tried number line"))
}

/// Whether somebody is to be tried.
fn is_sought(sentence: &str) -> bool {
    sentence.split(|c: char| !c.is_ascii_alphabetic()).any(|word| listed!(word, "try reach reached"))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn digits_that_stand_apart() {
        for (sentence, number) in [
            ("answers at (575) 555 - 0 1 4 1. Grief group", "(575) 555 - 0 1 4 1"),
            ("fax back: 5 0 7 / 5 5 5 / 0 1 7 2", "5 0 7 / 5 5 5 / 0 1 7 2"),
            ("I tried 978/555/0144, some lady", "978/555/0144"),
            ("mom is petra at 518*555*0184.", "518*555*0184"),
            ("on panola 678_555_0159.", "678_555_0159"),
            ("contact (nephew) 956)5550169 says", "956)5550169"),
            ("fax form here 770 5550128", "770 5550128"),
            ("TRY HER HUSBAND AT 305 555 01 91.", "305 555 01 91"),
        ] {
            assert_eq!(found(sentence, &[Label::Phone, Label::Fax]), [number], "{sentence}");
        }
        for sentence in [
            "fluticasone 250/500/1000 mcg",
            "I/O 650/325/1200",
            "scores 2 3 4 5 5 5 0 1 2 3",
            "wt 205 - 210 - 2120 g, call if less",
            "UOP 300 250 20 30",
            "500 2000000 units",
        ] {
            assert_eq!(found(sentence, &[Label::Phone, Label::Fax]), [] as [&str; 0], "{sentence}");
        }
    }
}
