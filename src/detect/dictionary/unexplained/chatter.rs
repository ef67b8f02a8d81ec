//! Names in lines without capitals, where the word before says that someone is spoken to or of.
//!
//! ```text
//! "hi its moana, uncle teo is here"     moana, teo: greeted, and a relative
//! "thx for ice"                         no one: a common word
//! ```

use super::Line;
use super::explanation::{bearers, is_explained};
use super::spelling::is_misspelling;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Gap, Shape};
use crate::detect::listed::WordList;
use crate::lexicon::WordInfo;

/// Before whom one names: in greetings and calls.
static GREETINGS: WordList =
    WordList::new("hi hey oh hello thx thanks ty ask asked told tell texted messaged love bye malo yo dear");
/// Titles and kin, with a name after them.
static TITLES: WordList = WordList::new("ms mr mrs miss uncle auntie aunt aunty tia tio cousin");
/// Words that follow a greeting or stand after `its` and are no one.
static NO_ONE: WordList = WordList::new(
    "team everyone everybody folks guys ladies again mate buddy dude sweetie honey hubby homie yall yeah okay yep nope \
     lmao haha hahaha ugh geez gosh damn crap shit mommy daddy mama papa kiddo thanx thnx thru tonite doin gonna gotta \
     wanna prolly probs cuz coz bestie",
);

impl Line<'_, '_> {
    /// Whether a word in small letters is a name since a greeting, a title or a relative stands before it.
    pub(super) fn is_greeted(&self, index: usize, info: &WordInfo) -> bool {
        let word = &self.words.list[index];
        if word.shape != Shape::Lower || index == self.first || self.words.shouted {
            return false;
        }
        let before = self.words.text(index - 1);
        let company = matches!(before, "w" | "W") && matches!(self.words.between(index), "/" | "/ ");
        let spaced = word.gap == Gap::Space;
        let titled = spaced && TITLES.contains(before);
        let greeted = spaced && GREETINGS.contains(before) || company && info.given_count >= 20_000;
        if !(titled || greeted || spaced && before == "its") {
            return false;
        }
        let text = self.words.text(index);
        if NO_ONE.contains(text) || word.marker.is_some_and(|marker| marker != Marker::Connector) {
            return false;
        }
        match info.english_size() {
            Some(size) => size > 10 && (titled || greeted) && info.given_count >= 20_000,
            None if info.flags.is_empty() => !is_misspelling(text) && !is_explained(info, text) && before != "its",
            None => bearers(info) >= 500 && !is_explained(info, text),
        }
    }
}
