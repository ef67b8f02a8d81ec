//! Names of institutions, streets and places: what is general stays, what distinguishes is replaced.
//!
//! ```text
//! St. Mary's Hospital, Room 7A, 12th floor
//! ── saint   ════════  ════ ─code ───ordinal ═════         ═ stays
//! ```

use super::casing::{Casing, fold};
use super::dates::ordinal_suffix;
use super::ids::{self, Family};
use super::permutation::Randomness;
use super::words::{Word, Words, words};

/// What a word of a phrase is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A general word, which stays.
    General,
    /// A number or code.
    Code,
    /// A word that distinguishes.
    Distinctive,
}

/// What replaces the distinctive words of a phrase.
pub(super) trait Chooser {
    /// The surrogate for a run of distinctive words, written as they usually are; `saint` where `St.` comes before it.
    fn choose(&self, run: &str, saint: bool) -> String;

    /// The surrogate of a number or code.
    fn code(&self, text: &str) -> String;
}

/// A phrase with what its words are.
pub(super) struct Phrase<'a> {
    pub value: &'a str,
    pub words: Words<'a>,
    /// What each word is.
    pub parts: Vec<Part>,
    /// Each word as it is looked up.
    pub folded: Vec<String>,
}

impl<'a> Phrase<'a> {
    /// Takes a phrase apart; `general` says which folded words stay.
    pub(super) fn new(value: &'a str, general: impl Fn(&str) -> bool) -> Self {
        let words = words(value);
        let folded: Vec<String> = words.iter().map(|word| fold(word.text)).collect();
        let part = |(word, folded): (&Word, &String)| match word.text {
            text if text.contains(|character: char| character.is_ascii_digit()) => Part::Code,
            _ if general(folded) => Part::General,
            _ => Part::Distinctive,
        };
        let parts = words.iter().zip(&folded).map(part).collect();
        Self { value, words, parts, folded }
    }

    /// Whether anything in it is of this part.
    pub(super) fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// The phrase with its codes and distinctive words replaced.
    pub(super) fn rewrite(&self, chooser: &impl Chooser) -> String {
        let mut written = String::with_capacity(self.value.len() + 16);
        let mut at = 0;
        let mut index = 0;
        while index < self.words.len() {
            let word = self.words[index];
            written.push_str(&self.value[at..word.start]);
            let mut last = index;
            match self.parts[index] {
                Part::General => written.push_str(word.text),
                Part::Code => written.push_str(&chooser.code(word.text)),
                Part::Distinctive => {
                    while self.joins(last) {
                        last += 1;
                    }
                    let run = &self.value[word.start..self.words[last].end()];
                    let saint = index > 0
                        && matches!(self.folded[index - 1].as_str(), "st" | "saint" | "sta" | "san" | "santa");
                    written.push_str(&cased(run, &chooser.choose(run, saint)));
                }
            }
            at = self.words[last].end();
            if self.parts[last] == Part::Distinctive
                && matches!(self.folded[last].as_str(), "jr" | "sr")
                && self.value[at..].starts_with('.')
            {
                at += 1;
            }
            index = last + 1;
        }
        written.push_str(&self.value[at..]);
        written
    }

    /// Whether a distinctive word and the next one belong to one name.
    fn joins(&self, index: usize) -> bool {
        self.parts.get(index + 1) == Some(&Part::Distinctive)
            && matches!(
                &self.value[self.words[index].end()..self.words[index + 1].start],
                " " | "-" | ". " | "." | "  "
            )
    }
}

/// A name in its usual writing, with the capitals of the original.
pub(super) fn cased(original: &str, name: &str) -> String {
    match Casing::of(original) {
        Casing::Upper => name.to_uppercase(),
        Casing::Lower => name.to_lowercase(),
        Casing::Title | Casing::Mixed if name.starts_with(char::is_uppercase) => name.to_owned(),
        casing => casing.apply(name),
    }
}

/// Another code of the same form; an ordinal number gets the ending of its number.
pub(super) fn code(randomness: &Randomness, text: &str) -> String {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, ending) = text.split_at(digits);
    if digits > 0 && ["st", "nd", "rd", "th"].iter().any(|suffix| ending.eq_ignore_ascii_case(suffix)) {
        let moved = other_ordinal(randomness, number);
        let suffix =
            ordinal_suffix(moved.get(digits.saturating_sub(3)..).and_then(|end| end.parse().ok()).unwrap_or(0));
        let upper = ending.starts_with(|character: char| character.is_ascii_uppercase());
        return moved + &if upper { suffix.to_uppercase() } else { suffix.to_owned() };
    }
    ids::replace(randomness, Family::Place, text)
}

/// Another number of as many digits, from 1 up.
fn other_ordinal(randomness: &Randomness, number: &str) -> String {
    let next = |number: &str| ids::replace_digits(randomness, "ordinal of a place", number);
    let is_zero = |number: &str| number.bytes().all(|digit| digit == b'0');
    let mut moved = next(number);
    if is_zero(&moved) {
        moved = next(&moved);
    }
    // From there it may come back.
    if moved == number && !is_zero(number) {
        moved.pop();
        moved.push(if number.ends_with('1') { '2' } else { '1' });
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Randomness);

    impl Chooser for Fixed {
        fn choose(&self, _: &str, saint: bool) -> String {
            String::from(if saint { "Agnes" } else { "Hadley" })
        }

        fn code(&self, text: &str) -> String {
            code(&self.0, text)
        }
    }

    #[test]
    fn ordinals_count_from_one() {
        for seed in 0..100 {
            let randomness = Randomness::new([seed; 32]);
            for number in 1..=9 {
                let (ordinal, moved) = (format!("{number}th"), code(&randomness, &format!("{number}th")));
                assert!(!moved.starts_with('0') && moved[..1] != ordinal[..1], "{ordinal} {moved}");
            }
        }
    }

    #[test]
    fn general_words_and_separators_stay() {
        let general = |word: &str| matches!(word, "hospital" | "room" | "st" | "of" | "floor");
        let fixed = Fixed(Randomness::new([2; 32]));
        let rewrite = |value: &str| Phrase::new(value, general).rewrite(&fixed);
        assert_eq!(rewrite("Abbott Northwestern Hospital"), "Hadley Hospital");
        assert_eq!(rewrite("ST. MARY'S HOSPITAL"), "ST. AGNES'S HOSPITAL");
        let room = rewrite("Room 7A");
        assert!(room.starts_with("Room ") && room.len() == 7 && room != "Room 7A");
        let floor = rewrite("7th floor");
        assert!(floor.ends_with(" floor") && !floor.starts_with("7th"));
    }
}
