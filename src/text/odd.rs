//! Odd characters as the plain ones that they stand for.
//!
//! ```text
//! no-break blank ─▶ blank     U+2212 − ─▶ -     full-width １, Arabic ١, mathematical 𝟏 ─▶ 1     soft hyphen ─▶ nothing
//! ```

/// The plain character for an odd one; none for those without a width.
pub(crate) fn plain(letter: char) -> Option<char> {
    match letter {
        '\u{85}'
        | '\u{a0}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => Some(' '),
        '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{fe63}' => Some('-'),
        '\u{2044}' | '\u{2215}' => Some('/'),
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => None,
        // Fillers, joiners, selectors of a variant, the cap around a key, tags.
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180b}'..='\u{180e}'
        | '\u{20e3}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{ffa0}' => None,
        '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}' => None,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0),
        other => Some(digit(other).or_else(|| letter_of_style(other)).unwrap_or(other)),
    }
}

/// The digit of ASCII for one of another script, or of a style of mathematics.
fn digit(letter: char) -> Option<char> {
    /// The zeros of scripts that notes may be written in: Arabic, Persian, those of India, Thai, Lao, Tibetan, Burmese, Khmer.
    const ZEROS: [u32; 16] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
    ];
    const STYLES: std::ops::RangeInclusive<u32> = 0x1d7ce..=0x1d7ff;
    let code = letter as u32;
    if code < ZEROS[0] {
        return None;
    }
    let value = match STYLES.contains(&code) {
        true => (code - STYLES.start()) % 10,
        false => ZEROS.iter().map(|zero| code.wrapping_sub(*zero)).find(|value| *value < 10)?,
    };
    char::from_digit(value, 10)
}

/// The letter of ASCII for one of a style of mathematics: bold, italic, script and so on, of fifty-two each.
fn letter_of_style(letter: char) -> Option<char> {
    const STYLES: std::ops::RangeInclusive<u32> = 0x1d400..=0x1d6a3;
    let code = letter as u32;
    let place = STYLES.contains(&code).then(|| ((code - STYLES.start()) % 52) as u8)?;
    Some(char::from(if place < 26 { b'A' + place } else { b'a' + place - 26 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_any_script_are_digits() {
        for written in
            ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿", "０１２３４５６７８９"]
        {
            let read: String = written.chars().filter_map(plain).collect();
            assert_eq!(read, "0123456789", "{written}");
        }
        let read: String = "1\u{20e3}2\u{20e3}\u{3164}3\u{e0041}4\u{fe0f}".chars().filter_map(plain).collect();
        assert_eq!(read, "1234");
        let read: String = "𝐉𝐚𝐧𝐞 𝑫𝒐𝒆".chars().filter_map(plain).collect();
        assert_eq!(read, "Jane Doe");
        assert_eq!(plain('é'), Some('é'));
        assert_eq!(plain('ا'), Some('ا'));
    }
}
