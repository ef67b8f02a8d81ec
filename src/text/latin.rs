//! The plain letter under the accents and strokes of a Latin one: `ễ` → `e`, `ł` → `l`, `Ə` → `e`.

/// The letters of U+00C0–U+024F without their accents and strokes; `?` for those that are no letter of the alphabet with one.
const LATIN: &[u8; 400] = b"\
aaaaaa?ceeeeiiiidnooooo?ouuuuy??aaaaaa?ceeeeiiiidnooooo?ouuuuy?yaaaaaaccccccccddddeeeeeeeeeegggggggg\
hhhhiiiiiiiiii??jjkkkllllllllllnnnnnnnnnoooooo??rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzsbb????oc\
cdd???eeeff?ghiikkl??nnooo??pp??????tttuu?vyyzz??????????????????????aaiioouuuuuuuuuueaaaa??ggggkkoo\
oo??j???ggh?nnaa??ooaaaaeeeeiiiioooorrrruuuusstt??hhnd??zzaaeeooooooooyylntj??accl?sz??bu?eejj??rryy";

/// The same for U+1E00–U+1EFF, Vietnamese among them.
const LATIN_ADDITIONAL: &[u8; 256] = b"\
aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssss\
ssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy?s????aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeee\
iiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy??????";

/// The small letter of the alphabet that a letter of the Latin blocks is without its accents and strokes; none for any other character.
pub(crate) fn latin_base(letter: char) -> Option<u8> {
    let code = letter as usize;
    let base = match letter {
        '\u{c0}'..='\u{24f}' => LATIN[code - 0xc0],
        '\u{1e00}'..='\u{1eff}' => LATIN_ADDITIONAL[code - 0x1e00],
        _ => return None,
    };
    (base != b'?').then_some(base)
}
