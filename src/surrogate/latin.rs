//! Latin letters without their marks and strokes.
//!
//! ```text
//! ễ → e     ơ → o     ł → l     ə → e     ß → ss     ﬁ → fi     ʻ and combining marks → nothing     Ж → none
//! ```

use crate::text::latin_base;

/// Small letters of the phonetic block whose capitals are among those above, in the alphabets of Africa and Azerbaijan.
const PHONETIC: [(char, &str); 15] = [
    ('ɓ', "b"),
    ('ɔ', "o"),
    ('ɖ', "d"),
    ('ɗ', "d"),
    ('ə', "e"),
    ('ɛ', "e"),
    ('ɣ', "g"),
    ('ɨ', "i"),
    ('ɩ', "i"),
    ('ɲ', "n"),
    ('ɵ', "o"),
    ('ʈ', "t"),
    ('ʉ', "u"),
    ('ʋ', "v"),
    ('ⱥ', "a"),
];

/// What a small letter outside ASCII is in plain letters: nothing for marks and apostrophes; none for letters of other alphabets.
pub(super) fn plain(letter: char) -> Option<&'static str> {
    let base = match letter {
        'ß' => return Some("ss"),
        'æ' => return Some("ae"),
        'œ' => return Some("oe"),
        'þ' => return Some("th"),
        'ĳ' => return Some("ij"),
        'ﬀ' => return Some("ff"),
        'ﬁ' => return Some("fi"),
        'ﬂ' => return Some("fl"),
        'ﬃ' => return Some("ffi"),
        'ﬄ' => return Some("ffl"),
        'ﬅ' | 'ﬆ' => return Some("st"),
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => latin_base(letter)?,
        // Accents behind their letter, and every shape of apostrophe: the okina of `Hawaiʻi` is one.
        '\u{300}'..='\u{36f}' | '\u{2b0}'..='\u{2ff}' => return Some(""),
        '‘' | '’' | '\u{201b}' | '\u{2032}' | '\u{ff07}' | '´' => return Some(""),
        _ => return PHONETIC.iter().find(|(known, _)| *known == letter).map(|(_, base)| *base),
    };
    let at = base.checked_sub(b'a').map(usize::from)?;
    ALPHABET.get(at..=at)
}

const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_strokes_fall_away() {
        for (letters, base) in [
            ("àáâãäåāăąảạấầẩẫậắằẳẵặǎ", "a"),
            ("đðďḍ", "d"),
            ("èéêëẻẽẹếềểễệəɛ", "e"),
            ("ìíîïĩỉịıǐ", "i"),
            ("òóôõöøơỏọốồổỗộớờởỡợǒ", "o"),
            ("ùúûüũưủụứừửữựǔ", "u"),
            ("ýỳỷỹỵÿŷ", "y"),
            ("ħḥĥ", "h"),
            ("ŵẁẃẅ", "w"),
            ("ß", "ss"),
            ("ʻʼ’´′＇\u{301}\u{323}", ""),
        ] {
            assert!(letters.chars().all(|letter| plain(letter) == Some(base)), "{base}");
        }
        assert!("жλأ李ƿ×÷".chars().all(|letter| plain(letter).is_none()));
    }

    #[test]
    fn every_small_letter_is_what_its_capital_is() {
        for capital in ('\u{c0}'..='\u{24f}').filter(|letter| letter.is_uppercase() && plain(*letter).is_some()) {
            // One with two small letters ends in a combining mark.
            let small: Vec<_> = capital.to_lowercase().filter(|letter| !letter.is_ascii()).map(plain).collect();
            assert!(small == [plain(capital)] || small == [Some("")], "{capital}");
        }
    }
}
