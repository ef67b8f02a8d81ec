//! Numbers in words, and words that agree with a person's sex.
//!
//! ```text
//! 67 ──▶ sixty-seven        {he} ──▶ she
//! ```

use super::slot::Pronoun;
use crate::text::numbers::spell;

/// A number below 200 in words.
pub(super) fn in_words(number: i64) -> String {
    let number = number.clamp(0, 199) as usize;
    match number {
        0..100 => spell(number as u32),
        100 => "one hundred".to_owned(),
        _ => format!("one hundred {}", in_words(number as i64 - 100)),
    }
}

/// The word for a woman or a man.
pub(super) fn pronoun_of(pronoun: Pronoun, female: bool) -> &'static str {
    let (her, his) = match pronoun {
        Pronoun::Subject => ("she", "he"),
        Pronoun::SubjectCapital => ("She", "He"),
        Pronoun::Possessive => ("her", "his"),
        Pronoun::PossessiveCapital => ("Her", "His"),
        Pronoun::Object => ("her", "him"),
        Pronoun::Noun => ("woman", "man"),
        Pronoun::Sex => ("female", "male"),
        Pronoun::Title => ("Ms.", "Mr."),
        Pronoun::Letter => ("F", "M"),
    };
    if female { her } else { his }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        for (number, words) in [(7, "seven"), (40, "forty"), (67, "sixty-seven"), (101, "one hundred one")] {
            assert_eq!(in_words(number), words);
        }
    }
}
