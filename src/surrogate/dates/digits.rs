//! Digits of other scripts in dates.
//!
//! ```text
//! ３/４/２０１９ ─read─▶ 3/4/2019 ─shift─▶ 1/7/2019 ─write─▶ １/７/２０１９
//! ```

/// The zeros of scripts whose nine other digits follow.
const ZEROS: [u32; 19] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
    0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10,
];

/// The zero of the script of a digit outside ASCII.
fn zero_of(character: char) -> Option<u32> {
    let code = u32::from(character);
    ZEROS.into_iter().find(|zero| (*zero..zero + 10).contains(&code))
}

/// The text with the digits of ASCII; nothing where it has no others.
pub(super) fn read(text: &str) -> Option<String> {
    if text.is_ascii() || !text.contains(|character| zero_of(character).is_some()) {
        return None;
    }
    let plain = |character: char| {
        let digit = zero_of(character).and_then(|zero| char::from_digit(u32::from(character) - zero, 10));
        digit.unwrap_or(character)
    };
    Some(text.chars().map(plain).collect())
}

/// What stands for a text that was read so: in the digits of the text, where they are all of one script.
pub(super) fn write(text: &str, moved: String) -> String {
    let mut zeros = text.chars().filter_map(|character| match character {
        '0'..='9' => Some(u32::from('0')),
        other => zero_of(other),
    });
    let Some(zero) = zeros.next().filter(|first| zeros.all(|zero| zero == *first)) else { return moved };
    let written = |character: char| {
        let digit = character.to_digit(10).filter(|_| character.is_ascii_digit());
        digit.and_then(|digit| char::from_u32(zero + digit)).unwrap_or(character)
    };
    moved.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_other_scripts_are_read_and_written_again() {
        for (text, plain) in [("３/４/２０１９", "3/4/2019"), ("٢٠١٩-٠٣-٠٤", "2019-03-04"), ("४ मार्च", "4 मार्च")]
        {
            assert_eq!(read(text).as_deref(), Some(plain));
            assert_eq!(write(text, plain.to_owned()), text);
        }
        assert_eq!(write("３/4", String::from("5/6")), "5/6");
        for text in ["3/4/2019", "März", ""] {
            assert_eq!(read(text), None);
        }
    }
}
