//! The characters that entities of HTML stand for: `nbsp` → a blank, `ntilde` → `ñ`, `#39` → `'`.

/// The character that an entity names, or numbers, whose name stands between `&` and `;`: marks, and Latin letters. None for any other,
/// and for what is no character of a text.
pub(crate) fn entity_named(name: &str) -> Option<char> {
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
}
