//! Letters and digits outside ASCII: replaced within their own script, so that a value in any language changes.
//!
//! ```text
//! Иванов → Келшту     王 → 林     Ї → Ѓ     ٣ → ٧
//! ```
//!
//! No image is ASCII, so none is taken for that of plain letters, and each can be undone: but for Chinese characters, and for a dozen
//! letters of no living script.

use super::permutation::{Direction, Draw};

/// Ranges of letters that stand in for each other: first and number.
const ALPHABETS: &[(u32, u32)] = &[
    (0x0391, 17),     // Greek capitals before the gap
    (0x03b1, 17),     // Greek small letters
    (0x0410, 32),     // Cyrillic capitals
    (0x0430, 32),     // Cyrillic small letters
    (0x0531, 38),     // Armenian capitals
    (0x0561, 38),     // Armenian small letters
    (0x05d0, 27),     // Hebrew
    (0x0628, 18),     // Arabic before the gap
    (0x0641, 10),     // Arabic after it
    (0x0660, 10),     // Arabic-Indic digits
    (0x06f0, 10),     // Persian digits
    (0x0905, 53),     // Devanagari
    (0x093e, 15),     // its signs of vowels
    (0x0966, 10),     // Devanagari digits
    (0x0e01, 46),     // Thai
    (0x3042, 78),     // Hiragana
    (0x30a2, 78),     // Katakana
    (0xff10, 10),     // full-width digits
    (0xff21, 26),     // full-width capitals
    (0xff41, 26),     // full-width small letters
    (0xac00, 11_172), // Hangul
];

/// Frequent characters of Chinese names.
#[rustfmt::skip]
const HAN: &[char] = &[
    '王', '李', '张', '刘', '陈', '杨', '黄', '赵', '吴', '周', '徐', '孙', '马', '朱', '胡', '郭', '何', '林',
    '高', '罗', '郑', '梁', '谢', '宋', '唐', '许', '邓', '冯', '韩', '曹', '明', '华', '伟', '芳', '娜', '静',
    '敏', '丽', '强', '磊', '洋', '艳', '勇', '军',
];

/// Another letter or digit of the same script for a character outside ASCII, or the one that has become it; nothing for what is neither,
/// and no way back from Chinese characters.
pub(super) fn turn(direction: Direction, character: char, draw: &Draw) -> Option<char> {
    if character.is_ascii() || !character.is_alphanumeric() {
        return None;
    }
    let code = u32::from(character);
    if let Some(&(first, count)) = alphabet_of(code) {
        let step = 1 + draw.below(u128::from(count - 1)) as u32;
        let step = if direction == Direction::Forth { step } else { count - step };
        return char::from_u32(first + (code - first + step) % count);
    }
    if is_han(character) {
        let at = draw.index(HAN.len());
        let other = if HAN[at] == character { HAN[(at + 1) % HAN.len()] } else { HAN[at] };
        return (direction == Direction::Forth).then_some(other);
    }
    match small_of(character) {
        Some(small) => turn_in_row(direction, small, draw).and_then(capital_of),
        None => turn_in_row(direction, character, draw),
    }
}

/// What the draw of a character is made of: the original ones before it, so that it can be undone after them. Of Chinese characters, of which no way
/// leads back, it is made of the character as well: two names of one letter would become one.
pub(super) fn drawn_by(originals: &[u8], character: char) -> Vec<u8> {
    let mut input = originals.to_vec();
    if is_han(character) {
        input.extend(character.encode_utf8(&mut [0; 4]).bytes());
    }
    input
}

fn is_han(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

fn alphabet_of(code: u32) -> Option<&'static (u32, u32)> {
    ALPHABETS.iter().find(|(first, count)| (*first..first + count).contains(&code))
}

/// What of the letters of a script stand in for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A small letter with a capital that has no other; the capital goes along with it.
    Paired,
    /// Another letter of a script with capitals.
    Unpaired,
    /// A digit or other number.
    Number,
    /// A letter of a script without capitals.
    Other,
}

impl Sort {
    fn of(character: char) -> Option<Self> {
        match character {
            _ if !character.is_alphanumeric() || small_of(character).is_some() => None,
            _ if capital_of(character).is_some() => Some(Self::Paired),
            _ if character.is_lowercase() || character.is_uppercase() => Some(Self::Unpaired),
            _ if character.is_numeric() => Some(Self::Number),
            _ => Some(Self::Other),
        }
    }
}

/// The characters from one multiple of this to the next are of one script, nearly always.
const ROW: u32 = 0x80;

/// A letter or digit of no alphabet above moves among its sort in its row; one that stands alone there becomes a Latin one.
fn turn_in_row(direction: Direction, character: char, draw: &Draw) -> Option<char> {
    let (first, sort) = (u32::from(character) / ROW * ROW, Sort::of(character)?);
    let is_alike = |&other: &char| alphabet_of(other.into()).is_none() && Sort::of(other) == Some(sort);
    let alike: Vec<char> = (first..first + ROW).filter_map(char::from_u32).filter(is_alike).collect();
    let at = alike.iter().position(|&other| other == character)?;
    if alike.len() < 2 {
        let letter = char::from(b'a' + draw.below(26) as u8);
        return (direction == Direction::Forth).then_some(letter);
    }
    let step = 1 + draw.index(alike.len() - 1);
    let step = if direction == Direction::Forth { step } else { alike.len() - step };
    alike.get((at + step) % alike.len()).copied()
}

/// The small letter of a capital, where each is the other's only one.
fn small_of(capital: char) -> Option<char> {
    let small = single(capital.to_lowercase())?;
    (small != capital && single(small.to_uppercase()) == Some(capital)).then_some(small)
}

/// The capital of a small letter, where each is the other's only one.
fn capital_of(small: char) -> Option<char> {
    let capital = single(small.to_uppercase())?;
    (capital != small && single(capital.to_lowercase()) == Some(small)).then_some(capital)
}

fn single(mut letters: impl Iterator<Item = char>) -> Option<char> {
    let first = letters.next()?;
    letters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::permutation::Randomness;

    /// Few stand alone in their rows.
    const MOST_ALONE: usize = 30;

    #[test]
    fn every_letter_outside_ascii_changes_and_comes_back() {
        let randomness = Randomness::new([3; 32]);
        let mut alone = 0;
        for code in 0x80..=0x2ffff_u32 {
            let Some(character) = char::from_u32(code) else {
                continue;
            };
            let draw = randomness.draw("script", &code.to_be_bytes());
            let replaced = turn(Direction::Forth, character, &draw);
            assert_eq!(replaced.is_some(), character.is_alphanumeric());
            assert_ne!(replaced, Some(character));
            let Some(replaced) = replaced.filter(|_| !(0x4e00..=0x9fff).contains(&code)) else { continue };
            if replaced.is_ascii() {
                alone += 1;
            } else {
                assert_eq!(turn(Direction::Back, replaced, &draw), Some(character), "{code:x}");
            }
        }
        assert!(alone < MOST_ALONE, "{alone}");
    }

    #[test]
    fn the_script_and_case_stay() {
        let draw = Randomness::new([3; 32]).draw("script", b"");
        let forth = |character| turn(Direction::Forth, character, &draw).unwrap();
        assert!(('А'..='Я').contains(&forth('Ж')));
        assert!(('а'..='я').contains(&forth('ж')));
        for (capital, small) in [('É', 'é'), ('Ї', 'ї'), ('Ə', 'ə'), ('Σ', 'σ')] {
            assert!(forth(capital).is_uppercase() && !forth(capital).is_ascii());
            assert_eq!(forth(capital).to_lowercase().to_string(), forth(small).to_string());
        }
        for (name, script) in [("محمدليلى", '\u{600}'..='\u{6ff}'), ("शर्मा", '\u{900}'..='\u{97f}')]
        {
            let mut letters = name.chars().filter(|letter| letter.is_alphanumeric());
            assert!(letters.all(|letter| script.contains(&forth(letter))), "{name}");
        }
    }
}
