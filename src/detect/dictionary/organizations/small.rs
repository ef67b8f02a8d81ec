//! Names whose last word is written small: `Brook Street school`, `Aspen Court memory wing`, `wilmot creek elementary`.

use crate::detect::listed::listed;
use std::sync::LazyLock;

use super::named::{is_generic, is_proper, run_before};
use super::naming::is_column;
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::patterns::cues::WordTable;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// What a head in small letters belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SmallHead {
    /// It is part of the name: `school`.
    Name,
    /// It only says that a unit is meant: `wing`.
    Unit,
}

/// Heads in small letters.
const HEADS: &[(SmallHead, &str)] = &[
    (
        SmallHead::Name,
        "school parish church hospital clinic pharmacy academy lodge elementary preschool hospice rehab temple \
         chapel mosque prep bakery diner",
    ),
    (SmallHead::Unit, "wing unit ward conference"),
];

/// Every head in small letters, blank-separated.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    HEADS.iter().map(|(_, words)| *words)
}

fn head_of(word: &str) -> Option<SmallHead> {
    static TABLE: LazyLock<WordTable<SmallHead>> = LazyLock::new(|| WordTable::of(HEADS.iter().copied()));
    TABLE.get(word.as_bytes())
}

/// Whether a word ends names in small letters.
pub(in crate::detect::dictionary) fn is_small_head(word: &str) -> bool {
    head_of(word).is_some()
}

/// `Brook Street school`, `Aspen Court memory wing`: a name with a head in small letters after it.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if !word.cues.has(Cues::SMALL_HEAD)
        || word.gap != Gap::Space
        || word.marker == Some(Marker::JobLead)
        || index == 0
        || is_column(words, index)
        || words.shouted
    {
        return;
    }
    let text = words.text(index);
    let unit = match head_of(text) {
        Some(SmallHead::Unit) => true,
        Some(SmallHead::Name) => false,
        None => return,
    };
    let qualified = unit && listed!(words.text(index - 1), "memory dementia rehab skilled") && index > 1;
    let head = if qualified { index - 1 } else { index };
    if words.list[head].gap != Gap::Space || is_column(words, head) {
        return;
    }
    if words.list[head - 1].shape == Shape::Lower {
        if !unit && !qualified {
            all_small(words, head, found);
        }
        return;
    }
    if !words.list[head - 1].is_capital() {
        return;
    }
    let Some(first) = run_before(words, head) else { return };
    let proper = (first..head).filter(|&at| is_proper(words, at) && !is_generic(words, at)).count();
    let named = (first..head).filter(|&at| !is_generic(words, at)).count();
    let start = words.list[first].gap == Gap::Start;
    if proper == 0 && (named < 2 || start)
        || named == 0
        || words.is_eponym(head - 1)
        || words.list[first].info.is_any(MEDICAL) && !listed!(words.text(first), "st saint mt")
    {
        return;
    }
    let person = start && head - first == 1 && !unit;
    if person || found.covers(words.list[first].start..words.list[head].start) {
        return;
    }
    let room = text == "conference" && words.get(index + 1).is_some_and(|next| next.gap == Gap::Space);
    if text == "conference" && !(room && words.text(index + 1) == "room") {
        return;
    }
    let last = match () {
        () if room => index + 1,
        () if unit => head - 1,
        () => index,
    };
    let care = unit || matches!(text, "hospital" | "clinic");
    let label = if care { Label::Hospital } else { Label::Organization };
    found.add(words.list[first].start..words.list[last].end, label, 0.7);
}

/// `wilmot creek elementary`: a name in small letters whose first word is no ordinary one.
fn all_small(words: &Words, head: usize, found: &mut Found) {
    const NAMES: WordFlags = WordFlags::SURNAME.union(WordFlags::CITY).union(WordFlags::COUNTY);
    let mut first = None;
    for index in (head.saturating_sub(3)..head).rev() {
        let word = &words.list[index];
        if word.shape != Shape::Lower || word.marker.is_some() || word.end - word.start < 3 || is_generic(words, index)
        {
            break;
        }
        let info = Lexicon::shared().word(words.text(index));
        if info.is_any(NAMES) && info.english_size().is_none() && !info.is_any(MEDICAL) {
            first = Some(index);
        }
        if word.gap != Gap::Space {
            break;
        }
    }
    let Some(first) = first else { return };
    let care = listed!(words.text(head), "hospital clinic hospice rehab");
    let label = if care { Label::Hospital } else { Label::Organization };
    found.add(words.list[first].start..words.list[head].end, label, 0.6);
}
