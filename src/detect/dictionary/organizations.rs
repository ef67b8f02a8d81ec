//! Hospitals and other organizations: names that end in what they are (`Hospital`, `Pharmacy`, `LLP`), names that
//! everyone knows (`Walgreens`, `Mayo Clinic`), and names that only the words before them tell.
//!
//! ```text
//! "Transferred from Cedar Hollow to Birch Unit; works at Harlan & Voss LLP"
//!                   └ sites         └ units              └ named
//! ```

mod named;
mod naming;
mod sites;
mod units;

use super::found::Found;
use super::markers::Marker;
use super::words::{MEDICAL, Shape, Words};
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// Adds every hospital and organization of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 0..words.list.len() {
        let word = &words.list[index];
        units::detect(words, index, found);
        if word.shape == Shape::Lower {
            named::by_small_head(words, index, found);
        } else if known(words, index, found).is_none() && sites::saint(words, index, found).is_none() {
            sites::abbreviated(words, index, found);
            named::by_head(words, index, found);
            named::by_front(words, index, found);
            named::partners(words, index, found);
            named::forces(words, index, found);
        }
    }
    // What has a head is found first: its words are no names without one.
    for index in 0..words.list.len() {
        sites::announced(words, index, found);
    }
}

/// Names that the lists hold, longest first.
fn known(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    let word = &words.list[first];
    if found.covers(word.start..word.end) {
        return None;
    }
    let flags = WordFlags::HOSPITAL.union(WordFlags::ORGANIZATION);
    let end = (first + 5).min(words.list.len());
    let last = (first..end).rev().find(|&last| {
        words.joined(first, last) && words.list[last].shape != Shape::Lower && words.look_up(first, last).is_any(flags)
    })?;
    let info = words.look_up(first, last);
    let single = first == last;
    if words.is_eponymous(first, last) {
        return Some(last);
    }
    let ordinary = single
        && (info.english_size().is_some_and(|size| size <= 60)
            || info.is_any(MEDICAL)
            || info.given_count.max(info.surname_count) > 5_000);
    let led = first > 0
        && (words.list[first - 1].is(Marker::PlaceLead)
            || matches!(words.text(first - 1), "at" | "from" | "to" | "by" | "with" | "for"));
    let code = single && word.shape == Shape::Upper && words.shouted;
    // An abbreviation is written in capitals: `HSS`, not `Hss`.
    if single && word.shape == Shape::Capital && word.end - word.start <= 3 && !led {
        return None;
    }
    // `St. Jude` is a valve more often than a hospital.
    if matches!(words.text(first), "St" | "ST" | "Saint") && last == first + 1 && !led {
        return Some(last);
    }
    let initials = single && led && word.shape == Shape::Upper && !words.shouted && info.is(WordFlags::ORGANIZATION);
    if ordinary && !initials && !(led && word.shape == Shape::Capital && !info.is_any(MEDICAL)) || code && ordinary {
        return None;
    }
    let label = if info.is(WordFlags::HOSPITAL) { Label::Hospital } else { Label::Organization };
    let last = named::tail(words, last);
    found.add(word.start..words.list[last].end, label, if ordinary { 0.6 } else { 0.9 });
    Some(last)
}
