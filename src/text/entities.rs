//! The characters that entities of HTML stand for: `nbsp` → a blank, `ntilde` → `ñ`, `#39` → `'`; and the letters beyond ASCII that other
//! forms of text write out: `\\'f1`, `\\u00f1`, `=C3=B1` → `ñ`.

/// The character that an entity means whose text follows the `&`, and how long that is with the `;`; none where its name is longer than `longest` bytes.
pub(crate) fn entity_after(rest: &str, longest: usize) -> Option<(char, usize)> {
    let end = rest.bytes().take(longest + 1).position(|byte| byte == b';')?;
    Some((entity_named(rest.get(..end)?)?, end + 1))
}

/// The character that an entity names, or numbers, whose name stands between `&` and `;`: marks, and Latin letters. None for any other,
/// and for what is no character of a text.
fn entity_named(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).filter(|read| !read.is_control() || read.is_whitespace());
    }
    Some(match name {
        "nbsp" | "ensp" | "emsp" | "thinsp" => ' ',
        "shy" | "zwnj" | "zwj" => '\u{ad}',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" | "ldquo" | "rdquo" => '"',
        "apos" | "lsquo" | "rsquo" | "prime" | "acute" => '\'',
        "minus" | "hyphen" | "dash" => '-',
        "ndash" => '–',
        "mdash" => '—',
        "commat" => '@',
        "period" => '.',
        "sol" => '/',
        "szlig" => 'ß',
        "aelig" => 'æ',
        "AElig" => 'Æ',
        "oelig" => 'œ',
        "OElig" => 'Œ',
        "thorn" => 'þ',
        "THORN" => 'Þ',
        "eth" => 'ð',
        "ETH" => 'Ð',
        _ => return accented(name),
    })
}

/// The letter of `ntilde` or `Eacute`.
fn accented(name: &str) -> Option<char> {
    let (letter, accent) = (name.get(..1)?, name.get(1..)?);
    let row = match accent {
        "acute" => "aáeéiíoóuúyýcćlĺnńrŕsśzźAÁEÉIÍOÓUÚYÝCĆLĹNŃRŔSŚZŹ",
        "grave" => "aàeèiìoòuùAÀEÈIÌOÒUÙ",
        "circ" => "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷAÂEÊIÎOÔUÛCĈGĜHĤJĴSŜWŴYŶ",
        "uml" => "aäeëiïoöuüyÿAÄEËIÏOÖUÜYŸ",
        "tilde" => "aãnñoõiĩuũAÃNÑOÕIĨUŨ",
        "caron" => "sšzžcčrřeědďlľnňtťSŠZŽCČRŘEĚDĎLĽNŇTŤ",
        "ring" => "aåAÅuůUŮ",
        "cedil" => "cçCÇsşSŞtţTŢ",
        "slash" => "oøOØ",
        "strok" => "dđlłDĐLŁ",
        "ogon" => "aąeęiįuųAĄEĘIĮUŲ",
        "dblac" => "oőuűOŐUŰ",
        "breve" => "aăgğuŭAĂGĞUŬ",
        "macr" => "aāeēiīoōuūAĀEĒIĪOŌUŪ",
        "dot" => "eėgġzżEĖGĠIİZŻ",
        _ => return None,
    };
    row.split(letter).nth(1)?.chars().next()
}

/// The mark that a text begins with, written as in a web address, with its bytes read in another character set, or as in JSON, and how long that is:
/// `%2F` → `/`, `â€“` → `–`, `\\u2019` → `’`. `before` is what stands before it.
pub(crate) fn mark_written_out(before: &str, text: &str) -> Option<(char, usize)> {
    match text.chars().next()? {
        '%' => escaped(before, &text[1..]).map(|meant| (meant, 3)),
        'â' => of_another_set(text),
        // An apostrophe in a string of SQL: `O\'Dea`.
        '\\' if text[1..].starts_with('\'') => {
            let is_inside = before.ends_with(char::is_alphabetic) && text[2..].starts_with(char::is_alphabetic);
            is_inside.then_some(('\'', 2))
        }
        '\\' if !is_user(before, text) => mark_of_json(text.strip_prefix("\\u")?),
        _ => None,
    }
}

/// The mark that a web address writes with a `%`, which stands between two texts. Behind a number it is a share: `95%20 of them`.
fn escaped(before: &str, rest: &str) -> Option<char> {
    let code = rest.get(..2)?;
    let meant = match code {
        "2F" | "2f" => '/',
        "2C" | "2c" => ',',
        "3A" | "3a" => ':',
        "20" => ' ',
        "27" => '\'',
        "40" => '@',
        _ => return None,
    };
    let is_number = code.bytes().all(|byte| byte.is_ascii_digit());
    (!(is_number && before.ends_with(|c: char| c.is_ascii_digit()))).then_some(meant)
}

/// The mark whose three bytes were read as three characters of Windows-1252, with which a text begins, and their length.
fn of_another_set(text: &str) -> Option<(char, usize)> {
    let behind = text.strip_prefix("â€")?;
    let last = behind.chars().next()?;
    let meant = match last {
        '“' | '”' | '–' | '—' | '"' => '–',
        '™' | '˜' => '\'',
        _ => return None,
    };
    Some((meant, text.len() - behind.len() + last.len_utf8()))
}

/// The letter beyond ASCII that is written out at the beginning of a text, and how long that is: in RTF (`\\'f1`, `\\u241?`), in JSON
/// (`\\u00f1`), in mail (`=C3=B1`) or in an address of the web (`%C3%B1`).
pub(crate) fn letter_written_out(text: &str) -> Option<(char, usize)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '\\' | '=' | '%'))?;
    let rest = &text[1..];
    let (letter, length) = match mark {
        '\\' if rest.starts_with('\'') => {
            let digits = rest.get(1..3)?;
            // An apostrophe is written so, too: `O\'Dea`.
            if digits.starts_with(|c: char| c.is_ascii_uppercase())
                && digits.ends_with(|c: char| c.is_ascii_lowercase())
            {
                return None;
            }
            (windows_1252(byte_in_hex(digits)?), 4)
        }
        '\\' => {
            let digits = rest.strip_prefix('u')?;
            let decimal = digits.bytes().take_while(u8::is_ascii_digit).count();
            let (code, length) = match digits.get(..4) {
                // Latin letters are the first of all.
                Some(four) if four.starts_with('0') => (u32::from_str_radix(four, 16).ok()?, 6),
                _ if (3..=5).contains(&decimal)
                    && digits[decimal..].starts_with('?')
                    && mark_of_json(digits).is_none() =>
                {
                    (digits[..decimal].parse().ok()?, decimal + 3)
                }
                _ => return None,
            };
            (char::from_u32(code)?, length)
        }
        _ => {
            // The two bytes of UTF-8 that every Latin letter with an accent has.
            let second = rest.get(2..)?.strip_prefix(mark)?;
            let bytes = [byte_in_hex(rest.get(..2)?)?, byte_in_hex(second.get(..2)?)?];
            (std::str::from_utf8(&bytes).ok()?.chars().next()?, 6)
        }
    };
    (!letter.is_ascii() && letter.is_alphabetic()).then_some((letter, length))
}

/// Whether a backslash parts a user from what is called in capitals: `HOSP\\u2230`, but `O\\u2019Brien`.
fn is_user(before: &str, text: &str) -> bool {
    let domain = before.len() - before.trim_end_matches(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()).len();
    let domain = before[before.len() - domain..].bytes().filter(u8::is_ascii_uppercase).count();
    let goes_on =
        text.get("\\u2230".len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '\\'));
    domain > 1 && !goes_on
}

/// The mark that JSON writes out, behind `\\u`, and how long that is with it: blanks, dashes, quotation marks, bullets, arrows, signs, and
/// the pairs of numbers that make an emoji. Numbers of RTF, which are decimal, are those of letters here.
fn mark_of_json(digits: &str) -> Option<(char, usize)> {
    let code = code_in_hex(digits)?;
    if (0xd800..0xdc00).contains(&code) {
        let low = code_in_hex(digits.get(4..)?.strip_prefix("\\u")?)?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        return Some((char::from_u32(0x1_0000 + ((code - 0xd800) << 10) + low)?, 12));
    }
    let is_mark = matches!(code, 0xa0..=0xbf | 0xd7 | 0xf7 | 0x2000..=0x206f | 0x20a0..=0x20cf | 0x2190..=0x22ff | 0x2500..=0x27bf | 0xfe0f | 0xfeff);
    let mark = char::from_u32(code).filter(|mark| is_mark && !mark.is_alphanumeric())?;
    Some((mark, 6))
}

/// The number that four hexadecimal digits are at the beginning of a text.
fn code_in_hex(text: &str) -> Option<u32> {
    let four = text.get(..4).filter(|four| four.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u32::from_str_radix(four, 16).ok()
}

fn byte_in_hex(digits: &str) -> Option<u8> {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())?
}

/// The letter of a byte of Windows-1252 beyond ASCII, which RTF has where it does not say otherwise; a blank for what is none.
const fn windows_1252(byte: u8) -> char {
    match byte {
        0x8a => 'Š',
        0x8c => 'Œ',
        0x8e => 'Ž',
        0x9a => 'š',
        0x9c => 'œ',
        0x9e => 'ž',
        0x9f => 'Ÿ',
        0x80..=0x9f => ' ',
        _ => byte as char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_letters_and_numbers() {
        for (name, character) in [
            ("nbsp", ' '),
            ("amp", '&'),
            ("ntilde", 'ñ'),
            ("Eacute", 'É'),
            ("Aring", 'Å'),
            ("ccedil", 'ç'),
            ("Oslash", 'Ø'),
            ("Lstrok", 'Ł'),
            ("nacute", 'ń'),
            ("eogon", 'ę'),
            ("Idot", 'İ'),
            ("#39", '\''),
            ("#xA0", '\u{a0}'),
        ] {
            assert_eq!(entity_named(name), Some(character), "{name}");
        }
        for name in ["", "#", "#0", "#xZZ", "bogus", "qacute", "ñtilde", "é"] {
            assert_eq!(entity_named(name), None, "{name}");
        }
    }

    #[test]
    fn letters_are_written_out_in_many_ways() {
        for written in ["\\'f1", "\\'F1", "\\u00f1", "\\u00F1", "\\u241?", "=C3=B1", "%C3%B1", "%c3%b1"] {
            assert_eq!(letter_written_out(&format!("{written}oz")), Some(('ñ', written.len())), "{written}");
        }
        for other in [
            "\\ud83d",
            "\\ud83d\\u0041",
            "\\u8217",
            "\\u20",
            "\\u201",
            "",
            "ñ",
            "\\",
            "\\'95",
            "\\'zz",
            "\\'Dea",
            "\\'Farrell",
            "\\par",
            "\\u",
            "\\u20",
            "\\u0041",
            "\\u+0f1",
            "=3D",
            "=C3",
            "%20",
            "%C3=B1",
            "=é",
            "50%",
        ] {
            assert_eq!(letter_written_out(other), None, "{other}");
        }
    }

    #[test]
    fn marks_of_json_are_no_users() {
        for (written, mark) in [
            ("O\\u2019Brien", '’'),
            ("a\\u2013b", '–'),
            ("a\\u00a0b", '\u{a0}'),
            ("a\\u2192", '→'),
            ("a\\ud83d\\ude4f", '🙏'),
            ("a\\u2764\\ufe0f", '❤'),
        ] {
            let length = if mark == '🙏' { 12 } else { 6 };
            assert_eq!(mark_written_out(&written[..1], &written[1..]), Some((mark, length)), "{written}");
        }
        assert_eq!(mark_written_out("O", "\\'Dea"), Some(('\'', 2)));
        assert_eq!(mark_written_out("5", "\\'Dea"), None);
        for (before, text) in
            [("HOSP", "\\u2230, CORP"), ("VA12", "\\u2019"), ("a", "\\u2230x2"), ("BP 120", "\\u2013130")]
        {
            assert_eq!(mark_written_out(before, text).is_some(), ["a", "BP 120"].contains(&before), "{before}{text}");
        }
    }
}
