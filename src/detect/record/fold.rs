//! Letters without case and accents: `MUÑOZ` and `Munoz` are the same.

/// A letter or digit in small writing and without its accent; none for anything else.
pub(super) fn folded(character: char) -> Option<char> {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric().then(|| character.to_ascii_lowercase());
    }
    let lower = character.to_lowercase().next().unwrap_or(character);
    let base = match lower {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' | 'ĉ' | 'ċ' => 'c',
        'ď' | 'đ' | 'ð' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ť' | 'ţ' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    };
    base.is_alphanumeric().then_some(base)
}

/// The letters and digits of a text, folded.
pub(super) fn key(text: &str) -> Vec<char> {
    text.chars().filter_map(folded).collect()
}

/// The folded letter or digit at a place.
pub(super) fn first(text: &str, at: usize) -> Option<char> {
    folded(text.get(at..)?.chars().next()?)
}

/// The length in bytes of the run of letters or of digits at a place; a run of letters ends before digits and the
/// reverse.
pub(super) fn word_length(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    let digits = bytes[at].is_ascii_digit();
    while end < bytes.len() {
        let byte = bytes[end];
        if byte < 0x80 {
            if if digits { !byte.is_ascii_digit() } else { !byte.is_ascii_alphabetic() } {
                break;
            }
            end += 1;
        } else {
            match text[end..].chars().next() {
                Some(letter) if !digits && letter.is_alphanumeric() => end += letter.len_utf8(),
                _ => break,
            }
        }
    }
    end - at
}

/// Whether a letter or digit stands right before a place.
pub(super) fn inside_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
}

/// The end of `key` in `text` from `at`, over at most `gap` marks of `separators` between any two of its
/// characters; the match
/// ends where a word or number does.
pub(super) fn match_key(text: &str, at: usize, key: &[char], separators: &[char], gap: usize) -> Option<usize> {
    let mut characters = text.get(at..)?.char_indices();
    let mut skipped = 0;
    let mut matched = 0;
    let mut end = at;
    while matched < key.len() {
        let (offset, character) = characters.next()?;
        if folded(character) == Some(key[matched]) {
            matched += 1;
            skipped = 0;
            end = at + offset + character.len_utf8();
        } else if matched > 0 && skipped < gap && separators.contains(&character) {
            skipped += 1;
        } else {
            return None;
        }
    }
    let next = text[end..].chars().next();
    (!key.is_empty() && !next.is_some_and(char::is_alphanumeric)).then_some(end)
}
