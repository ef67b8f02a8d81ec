//! A candidate as a reviewer sees it.
//!
//! ```text
//! ── 12 of 26600 to decide ─────────────────────────────────────────────
//! after      Heart sounds:␤
//! sentence   Reviewed by ⟦DOCTOR Lee⟧,␤no change.
//!
//! patients 97 · notes 97 · occurrences 104 · prevalent
//! ! a detector claims DOCTOR: approve with a reason
//! ```
//!
//! Nothing of a note reaches the terminal as a control character: a note may hold escape sequences.

use std::fmt::Write;

use super::candidate::{Candidate, ClaimedRange};
use super::cell::pictured;

/// What can be typed.
pub(super) const KEYS: &str = "a approve · r reject · s skip · u undo · q quit · ? help";

/// What the keys mean.
pub(super) const HELP: &str = "\
a [REASON]  approve: no detector will see this sentence again, in this context, in any note
r [REASON]  reject: leave it to the detectors
s           skip: it comes again in the next review
u           undo: back to the one before, without a decision
q           quit; every decision is saved as soon as it is made
Approve only what can name nobody in any note: no name, place, date, number or code that belongs to one person.
␤ ␍ ␉ stand for line breaks and tabs, \\u{…} for what cannot be seen, ⟦LABEL …⟧ for what a detector claims.
";

/// The candidate, with its place among those that are to be decided.
pub(super) fn screen(candidate: &Candidate, number: usize, count: usize) -> String {
    let mut screen = format!("── {number} of {count} to decide {}\n", "─".repeat(46));
    for (place, line) in candidate.context.remarks() {
        push_line(&mut screen, format_args!("{place:<10} {}", pictured(line)));
    }
    push_line(&mut screen, format_args!("{:<10} {}\n", "sentence", marked(candidate)));
    let Candidate { patients, notes, occurrences, why, .. } = candidate;
    let why = why.name();
    push_line(&mut screen, format_args!("patients {patients} · notes {notes} · occurrences {occurrences} · {why}"));
    if candidate.is_claimed() {
        let mut labels: Vec<&str> = candidate.claims.iter().map(|claim| claim.label.as_str()).collect();
        labels.sort_unstable();
        labels.dedup();
        push_line(&mut screen, format_args!("! a detector claims {}: approve with a reason", labels.join(", ")));
    }
    screen
}

fn push_line(screen: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(screen, "{line}");
}

/// The sentence with its claims in brackets; claims that overlap share theirs.
fn marked(candidate: &Candidate) -> String {
    let mut joined: Vec<ClaimedRange> = Vec::new();
    for claim in &candidate.claims {
        match joined.last_mut().filter(|last| claim.start < last.end) {
            Some(last) => {
                last.end = last.end.max(claim.end);
                if !last.label.split('/').any(|label| label == claim.label) {
                    last.label = format!("{}/{}", last.label, claim.label);
                }
            }
            None => joined.push(claim.clone()),
        }
    }
    let (mut shown, mut at) = (String::new(), 0);
    let text = |from: usize, to: usize| pictured(candidate.sentence.get(from..to).unwrap_or_default());
    for ClaimedRange { start, end, label } in &joined {
        shown.push_str(&text(at, *start));
        // Writing to a string does not fail.
        let _ = write!(shown, "⟦{label} {}⟧", text(*start, *end));
        at = *end;
    }
    shown + &text(at, candidate.sentence.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::candidate::tests::{candidate, candidates};
    use super::*;

    /// Turns the text after it around.
    const HIDDEN: char = '\u{202e}';

    fn claim(start: usize, end: usize, label: &str) -> ClaimedRange {
        ClaimedRange { start, end, label: label.to_owned() }
    }

    #[test]
    fn claims_are_marked() {
        let claims = vec![claim(3, 6, "DOCTOR"), claim(5, 8, "PATIENT"), claim(8, 9, "DATE")];
        let shown = screen(&Candidate { claims, ..candidate("Seen\n", "By Lee\n x4\u{1b}[2J", 7) }, 2, 9);
        assert!(shown.contains("sentence   By ⟦DOCTOR/PATIENT Lee␤ ⟧⟦DATE x⟧4\\u{1b}[2J\n"), "{shown}");
        assert!(shown.contains("2 of 9") && shown.contains("after      Seen␤\n"), "{shown}");
        assert!(shown.contains("! a detector claims DATE, DOCTOR, PATIENT"), "{shown}");
        assert!(screen(&candidate("*", "Ok.", 1), 1, 1).contains("in         any context\n"));
    }

    proptest! {
        #[test]
        fn nothing_drives_the_terminal(candidate in candidates()) {
            let shown = screen(&candidate, 1, 1);
            prop_assert!(!shown.chars().any(|letter| letter.is_control() && letter != '\n'), "{:?}", shown);
            prop_assert!(!shown.contains(HIDDEN) && shown.lines().count() <= 7);
        }
    }
}
