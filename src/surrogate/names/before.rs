//! From the surrogates of names back to the names.
//!
//! ```text
//! Kevin Hughes ─ each word: kept? listed? respelled? initials? a code? two names in one? ─▶ those that become Kevin Hughes again
//! ```

use super::{FIRST_REST, KINDS, NUMBERED, Names};
use crate::surrogate::casing::{Casing, fold};
use crate::surrogate::composed::{SYLLABLES, decompose, renumber_back, respell};
use crate::surrogate::ids::{self, Family};
use crate::surrogate::lists::first_letter;
use crate::surrogate::permutation::Direction;
use crate::surrogate::tables::Tables;
use crate::surrogate::words::words;

/// How many readings of a surrogate are tried.
const MOST_READINGS: usize = 512;

impl Names<'_> {
    /// The name whose surrogate a folded name is, as it is usually written or in small letters.
    pub(super) fn unfolded(&self, folded: &str) -> Option<String> {
        let target = first_letter(folded)?;
        let source = self.letters.iter().position(|&letter| letter == target)? as u8;
        if !folded.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        let tables = Tables::shared();
        let entry = match (tables.name(folded), decompose(folded)) {
            (Some(name), _) => {
                let purpose = KINDS[usize::from(name.kind & 3)];
                let entry =
                    tables.names[usize::from(name.kind)].origin(self.randomness, purpose, name.position, source);
                match name.short_form {
                    Some(form) => return tables.short_form(entry?, form).map(str::to_owned),
                    None => entry,
                }
            }
            (None, Some(numbered)) if numbered.syllables > SYLLABLES => {
                return renumber_back(self.randomness, folded, source);
            }
            (None, Some(numbered)) if numbered.number >= FIRST_REST => {
                let (draw, all) = (self.randomness.draw("rests of names", b""), tables.rests().len() as u128);
                let rest = self.randomness.unpermute(&draw, all, numbered.number - FIRST_REST) as usize;
                let first = char::from(b'a' + source);
                return tables.rests().get(rest).map(|rest| format!("{first}{rest}"));
            }
            (None, Some(numbered)) => {
                let draw = self.randomness.draw(NUMBERED, &[target]);
                let number = self.randomness.unpermute(&draw, FIRST_REST, numbered.number);
                let kind = (number % KINDS.len() as u128) as usize;
                let number = u32::try_from(number / KINDS.len() as u128).ok()?;
                tables.names[kind].origin_of_composed(source, target, number)
            }
            (None, None) if folded.get(1..).is_some_and(|rest| tables.rest(rest).is_some()) => None,
            (None, None) => {
                return respell(self.randomness, Direction::Back, folded, source, tables);
            }
        };
        let Some(entry) = entry else {
            return self.particle_before(folded, source, target);
        };
        tables.name_list.get(entry as usize).map(|name| name.to_string())
    }

    /// The letter that became this initial; nothing for characters from which there is no way back.
    pub(super) fn initial_before(&self, letter: char) -> Option<char> {
        let Some(target) = first_letter(&fold(letter.encode_utf8(&mut [0; 4]))).filter(|_| letter.is_ascii()) else {
            return Some(self.foreign_letter(Direction::Back, letter, b""));
        };
        let source = self.letters.iter().position(|&image| image == target)?;
        let original = char::from(b'a' + source as u8);
        Some(if letter.is_uppercase() { original.to_ascii_uppercase() } else { original })
    }

    fn initials_before(&self, text: &str) -> Option<String> {
        text.chars()
            .map(|letter| if letter.is_alphabetic() { self.initial_before(letter) } else { Some(letter) })
            .collect()
    }

    /// What the word of a surrogate may have been: every way in which one becomes a surrogate, undone.
    fn words_before(&self, text: &str) -> Vec<String> {
        let casing = Casing::of(text);
        let as_written = |name: String| match casing {
            Casing::Title | Casing::Mixed if name.starts_with(char::is_uppercase) => name,
            _ => casing.apply(&name),
        };
        let mut found = vec![text.to_owned(), self.foreign(Direction::Back, text)];
        if text.contains(|character: char| character.is_ascii_digit()) {
            found.push(ids::turn(self.randomness, Direction::Back, Family::Identifier, text));
        }
        found.extend(self.unfolded(&fold(text)).map(as_written));
        if text.chars().count() <= 3 {
            found.extend(self.initials_before(text));
        }
        found.extend(self.run_together_before(text));
        found.retain(|word| word == text || self.written_word(word) == text || self.initials(word) == text);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Names written without space: every cut before a capital may part two.
    fn run_together_before(&self, text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        let cuts: Vec<usize> =
            (2..bytes.len().saturating_sub(1)).filter(|&at| bytes[at].is_ascii_uppercase()).take(4).collect();
        (1_usize..1 << cuts.len())
            .filter_map(|chosen| {
                let ends = cuts.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1).map(|(_, &cut)| cut);
                let mut start = 0;
                let mut names = String::new();
                for end in ends.chain([text.len()]) {
                    let part = self.unfolded(&fold(text.get(start..end)?))?;
                    names.push_str(&if part.starts_with(char::is_uppercase) {
                        part
                    } else {
                        Casing::Title.apply(&part)
                    });
                    start = end;
                }
                Some(names)
            })
            .collect()
    }

    /// The names that become a surrogate, each in one writing; nothing where there are too many to try.
    pub(in crate::surrogate) fn before(&self, surrogate: &str) -> Option<Vec<String>> {
        let words = words(surrogate);
        let mut found = vec![String::new()];
        let mut at = 0;
        for word in &words {
            let choices = self.words_before(word.text);
            if found.len() * choices.len() > MOST_READINGS {
                return None;
            }
            let between = &surrogate[at..word.start];
            found = found
                .iter()
                .flat_map(|before| choices.iter().map(move |choice| [before, between, choice].concat()))
                .collect();
            at = word.end();
        }
        found.iter_mut().for_each(|name| name.push_str(&surrogate[at..]));
        found.retain(|name| self.replace(name) == surrogate);
        Some(found)
    }
}
