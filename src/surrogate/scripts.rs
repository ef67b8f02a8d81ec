//! Letters and digits outside ASCII: replaced within their own script, so that a value in any language changes.
//!
//! ```text
//! Иванов → Келшту     王 → 林     é → o     ٣ → ٧
//! ```

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
    (0x0628, 18),     // Arabic
    (0x0660, 10),     // Arabic-Indic digits
    (0x06f0, 10),     // Persian digits
    (0x0905, 53),     // Devanagari
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

/// [`replace`], or what a draw has taken to a character; there is no way back from characters of Chinese and rare scripts.
pub(super) fn turn(direction: Direction, character: char, draw: &Draw) -> Option<char> {
    if direction == Direction::Forth {
        return replace(character, draw);
    }
    let code = u32::from(character);
    let &(first, count) = ALPHABETS.iter().find(|(first, count)| (*first..first + count).contains(&code))?;
    let step = 1 + draw.below(u128::from(count - 1)) as u32;
    char::from_u32(first + (code - first + count - step) % count)
}

/// Another letter or digit of the same script for a character outside ASCII; nothing for what is neither.
pub(super) fn replace(character: char, draw: &Draw) -> Option<char> {
    if character.is_ascii() || !character.is_alphanumeric() {
        return None;
    }
    let code = u32::from(character);
    for &(first, count) in ALPHABETS {
        if (first..first + count).contains(&code) {
            let moved = (code - first + 1 + draw.below(u128::from(count - 1)) as u32) % count;
            return char::from_u32(first + moved);
        }
    }
    if (0x4e00..=0x9fff).contains(&code) {
        let at = draw.index(HAN.len());
        return Some(if HAN[at] == character { HAN[(at + 1) % HAN.len()] } else { HAN[at] });
    }
    let letter = if character.is_numeric() { b'0' + draw.below(10) as u8 } else { b'a' + draw.below(26) as u8 };
    let letter = char::from(letter);
    Some(if character.is_uppercase() { letter.to_ascii_uppercase() } else { letter })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::permutation::Randomness;

    #[test]
    fn every_letter_outside_ascii_changes() {
        let randomness = Randomness::new([3; 32]);
        for code in 0x80..=0x2ffff_u32 {
            let Some(character) = char::from_u32(code) else {
                continue;
            };
            let replaced = replace(character, &randomness.draw("script", &code.to_be_bytes()));
            assert_eq!(replaced.is_some(), character.is_alphanumeric());
            assert_ne!(replaced, Some(character));
            let draw = randomness.draw("script", &code.to_be_bytes());
            let back = replaced.and_then(|replaced| turn(Direction::Back, replaced, &draw));
            assert!(
                back.is_none_or(|back| back == character)
                    || !ALPHABETS.iter().any(|(first, count)| (*first..first + count).contains(&code))
            );
        }
    }

    #[test]
    fn the_script_and_case_stay() {
        let draw = Randomness::new([3; 32]).draw("script", b"");
        assert!(('А'..='Я').contains(&replace('Ж', &draw).unwrap()));
        assert!(('а'..='я').contains(&replace('ж', &draw).unwrap()));
        assert!(replace('É', &draw).unwrap().is_ascii_uppercase());
    }
}
