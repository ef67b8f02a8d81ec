//! Trades that people work in, told by the word before: `works in construction`, `job in real estate`, `does roofing`, `stay-at-home mom`.

use super::super::found::Found;
use super::super::words::{Gap, Words};
use crate::detect::listed::listed;
use crate::phi::Label;

/// Trades of one word, which are the matter of a hospital too: only work tells them.
const TRADES: &str = "construction roofing landscaping plumbing carpentry masonry hvac drywall flooring paving demolition logging ranching \
                      farming agriculture fishing forestry mining trucking shipping logistics retail sales marketing telemarketing advertising \
                      banking finance accounting insurance hospitality catering journalism publishing politics tourism aviation childcare \
                      daycare manufacturing warehousing automotive telecom cybersecurity";
/// Trades of two words, by the first and the last.
const PAIRS: [(&str, &str); 12] = [
    ("real", "estate"),
    ("law", "enforcement"),
    ("food", "service"),
    ("food", "services"),
    ("fast", "food"),
    ("customer", "service"),
    ("data", "entry"),
    ("auto", "repair"),
    ("auto", "body"),
    ("property", "management"),
    ("home", "remodeling"),
    ("lawn", "care"),
];
/// What stands before `in` and a trade.
const WORK: &str = "works work worked working employed job jobs career business self-employed retired";
/// What stands right before a trade of hands that is done.
const DONE: &str = "does did doing";
/// Trades of hands: nobody asks whether they cover or allow anything.
const BY_HAND: &str = "construction roofing landscaping plumbing carpentry masonry hvac drywall flooring paving demolition logging trucking \
                       farming catering";

/// Adds the trade that begins at a word.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    if let Some(last) = trade(words, index).or_else(|| home_maker(words, index)) {
        let range = words.list[index].start..words.list[last].end;
        if !found.covers(range.clone()) {
            found.add(range, Label::Profession, 0.8);
        }
    }
}

/// The last word of the trade at `index`, where a word of work stands before it.
fn trade(words: &Words, index: usize) -> Option<usize> {
    let before = index.checked_sub(1).filter(|_| words.list[index].gap == Gap::Space)?;
    let lead = words.text(before);
    let worked = lead.eq_ignore_ascii_case("in")
        && words.list[before].gap == Gap::Space
        && before > 0
        && listed!(words.text(before - 1), WORK);
    // Most words have no work before them, and are turned away before any look at themselves.
    if !(worked || listed!(lead, DONE)) {
        return None;
    }
    let pair = words.get(index + 1).filter(|next| next.gap == Gap::Space).is_some_and(|_| {
        let (first, last) = (words.text(index), words.text(index + 1));
        PAIRS.iter().any(|(left, right)| first.eq_ignore_ascii_case(left) && last.eq_ignore_ascii_case(right))
    });
    let named = pair || listed!(words.text(index), TRADES);
    (named && (worked || listed!(words.text(index), BY_HAND))).then_some(index + usize::from(pair))
}

/// The last word of `stay-at-home mom`, `stay at home dad`.
fn home_maker(words: &Words, index: usize) -> Option<usize> {
    let text = words.text(index);
    let last = match () {
        () if text.eq_ignore_ascii_case("stay-at-home") => index + 1,
        () if text.eq_ignore_ascii_case("stay") && words.list.len() > index + 3 && words.joined(index, index + 3) => {
            let phrase = listed!(words.text(index + 1), "at") && listed!(words.text(index + 2), "home");
            phrase.then_some(index + 3)?
        }
        () => return None,
    };
    let parent = words.get(last).is_some_and(|parent| parent.gap == Gap::Space)
        && listed!(words.text(last), "mom dad mother father parent wife husband");
    parent.then_some(last)
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::professions::tests::jobs;

    #[test]
    fn trades_behind_work() {
        for (sentence, trade) in [
            ("He works in construction, no asbestos", "construction"),
            ("worked in real estate until last year", "real estate"),
            ("Has a job in landscaping now", "landscaping"),
            ("does roofing in summer", "roofing"),
            ("SH: stay-at-home mom of three", "stay-at-home mom"),
            ("She is a stay at home mom", "stay at home mom"),
        ] {
            assert_eq!(jobs(sentence), [trade], "{sentence}");
        }
    }

    #[test]
    fn the_same_words_of_other_matters() {
        for sentence in [
            "works in pain most days",
            "There is construction outside",
            "insurance does not cover it",
            "does insurance cover it",
            "wants to stay at home with mom",
            "stays at home, mom helps",
            "He works in the yard",
        ] {
            assert_eq!(jobs(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
