//! Jobs outside care: `works as a truck driver`, `retired teacher`, `Occupation: welder`.

use super::found::Found;
use super::markers::Marker;
use super::words::{Gap, Shape, Words};
use crate::detect::patterns::context::is_listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// At most so many words make a job.
const LONGEST_JOB: usize = 4;

/// Adds every job of a sentence that something introduces.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 0..words.list.len() {
        let word = &words.list[index];
        if !word.is(Marker::JobLead) {
            continue;
        }
        let mut first = index + 1;
        while words.get(first).is_some_and(|next| next.is(Marker::JobLead) && next.gap != Gap::Comma) {
            first += 1;
        }
        // One or two words may qualify the job: `a very successful lawyer`, `a part-time bartender`.
        for skipped in 0..3 {
            let at = first + skipped;
            let Some(next) = words.get(at) else { break };
            if !matches!(next.gap, Gap::Space | Gap::Colon | Gap::Hyphen | Gap::Other)
                || next.is(Marker::With)
                || next.is(Marker::Connector)
            {
                break;
            }
            if let Some(last) = longest(words, at) {
                add(words, index, at, last, skipped, found);
                break;
            }
        }
    }
}

fn longest(words: &Words, first: usize) -> Option<usize> {
    let end = (first + LONGEST_JOB).min(words.list.len());
    (first..end).rev().find(|&last| {
        words.joined(first, last) && {
            let info = Lexicon::shared().word(words.phrase(first, last));
            info.is(WordFlags::PROFESSION) && !info.is(WordFlags::CARE_ROLE)
        }
    })
}

fn add(words: &Words, lead: usize, first: usize, last: usize, skipped: usize, found: &mut Found) {
    let lead_text = words.text(lead);
    let article = matches!(lead_text, "a" | "an" | "A" | "An");
    let told = !article
        || words.marked_before(lead, 3, Marker::JobLead)
        || matches!(lead.checked_sub(1).map(|at| words.text(at)), Some("is" | "was" | "being" | "became" | "been"));
    let capital = words.list[first].shape != Shape::Lower
        && !words.shouted
        && words.list[first].gap != Gap::Colon
        && !matches!(lead_text, "Occupation" | "Profession" | "Job" | "OCCUPATION");
    const NO_JOBS: &str =
        "poor good fair reliable unreliable limited vague drunk designated german excellent difficult";
    let previous = words.text(first - 1);
    if told && !(capital && skipped > 0) && !is_listed(previous, NO_JOBS) {
        let first = if skipped > 0 && qualifies(words, first - 1) { first - 1 } else { first };
        found.add(words.list[first].start..words.list[last].end, Label::Profession, if article { 0.7 } else { 0.9 });
    }
}

/// Whether the word before a job says which: `bus dispatcher`, not `full-time student`.
fn qualifies(words: &Words, index: usize) -> bool {
    const MANNER: &str = "full time part very former retired self employed successful local small busy new \
                          current now also long semi disabled unemployed previously currently single married \
                          pleasant healthy young old older year male female professional freelance independent \
                          professed highly fellow volunteer the this his her their first second grade";
    let word = &words.list[index];
    word.shape == Shape::Lower
        && word.marker.is_none()
        && words.list[index + 1].gap == Gap::Space
        && !words.text(index).ends_with("ly")
        && !is_listed(words.text(index), MANNER)
}
