//! Control words and groups of RTF, and escapes of HL7, read as what they stand for.
//!
//! ```text
//! {\b Jane} {\i Quorlin}\tab DOB:\~3/4/1950\par        Jane Quorlin DOB: 3/4/1950⏎
//! {\fonttbl{\f0\fnil Times New Roman;}}O\'92Branagan      O'Branagan
//! {\info{\author Jane Quorlin}}                           Author: Jane Quorlin;
//! Bell \T\ Sons, seen \H\today\N\.\.br\                   Bell & Sons, seen today.⏎
//! ```
//!
//! A backslash also parts paths and users (`HOSP\page`), so words are only read so in a sentence that is of RTF beyond doubt, and of these only the
//! ones that are known: what is not passed over is seen by every detector.

use crate::detect::listed::listed;

/// Control words that say how text looks, or how a document is built.
const WORDS: &str = "ab absh absw acaps acccomma accdot accnone additive adeff adeflang adjustright aenddoc af afs ai alang ansi ansicpg aoutl \
    ascaps ashad aspalpha aspnum astrike aul b bgbdiag bin blue box brdrb brdrbar brdrbtw brdrcf brdrdot brdrhair brdrl brdrnil brdrnone brdrr brdrs \
    brdrsh brdrt brdrth brdrw brsp caps cb cbpat cchs cellx cf cfpat cgrid charrsid charscalex chcbpat chcfpat chshdng clbrdrb clbrdrl clbrdrr \
    clbrdrt clcbpat clftswidth clmgf clmrg clpadb clpadl clpadr clpadt cltxlrtb clvertalb clvertalc clvertalt clvmgf clvmrg clwwidth collapsed \
    contextualspace cpg cs cufi culi curi dbch deff deflang deflangfe deftab disabled dn ds embo endnhere expnd expndtw f faauto fbidi fbias fcharset \
    fchars fcs fdecor ffdeftype fi field fldinst fldrslt flddirty fldedit fldlock fldpriv fmodern fnil footer footerf footerl footerr footery fprq froman \
    fromtext fs fscript fswiss ftech generator green header headerf headerl headerr headery hich highlight hyphpar i ilvl impr info insrsid intbl \
    irow irowband itap jcompress keep keepn kerning lang langfe langfenp langnp lastrow lchars level levelfollow levelindent leveljc leveljcn \
    levelnfc levelnfcn levelnumbers levelspace levelstartat leveltext li lin linex listid listlevel listname listoverridecount \
    listrestarthdn listsimple listtemplateid listtext lisa lisb loch ls ltrch ltrmark ltrpar ltrrow ltrsect lytprtmet margb margl margr margt \
    margbsxn marglsxn margrsxn margtsxn mac nestcell nesttableprops noextrasprl nofcharsws nofchars nofpages nofwords noline noproof nouicompat \
    nosupersub nowidctlpar outl outlinelevel panose paperh paperw pararsid pc pca pgbrdrhead pghsxn pgwsxn phmrg picprop plain pn pndec pnf pnhang \
    pnindent pnlcltr pnlvl pnlvlblt pnlvlbody pnstart pntext pntxta pntxtb posx posy prcolbl pvpg pvpara qc qd qj ql qr qt red ri rin rowd rsid rsidroot rtf rtlch \
    rtlmark rtlpar s sa saauto sb sbasedon sbauto sbkcol sbknone sbkpage scaps sectd sectdefaultcl sectlinegrid sect sectrsid shad shading slmult sl \
    snext softlheight sprsspbf ssemihidden sqformat spriority sunhideused strike striked sub super stextflow stylerow tblind tblindtype tcelld tldot tqc tqdec tqr ts \
    tscellpaddb tscellpaddl tscellpaddr tscellpaddt trautofit trbrdrb trbrdrh trbrdrl trbrdrr trbrdrt trbrdrv trftsWidth trftswidth trgaph trhdr \
    trkeep trleft trowd trpaddb trpaddfb trpaddfl trpaddfr trpaddft trpaddl trpaddr trpaddt trqc trql trqr trrh trwwidth trwwidtha trwwidthb tx \
    uc ucl ul uld uldash uldb ulnone ulth ultrailspace ulw ulwave up v version vern vertalb vertalc vertalj vertalt viewkind viewscale viewbksp viewzk webhidden \
    widctlpar widowctrl wrapdefault wrptrsp yts zwj zwnj";
/// Those that end a line.
const BREAKS: &str = "par pard line page column row nestrow softline";
/// Those that are a blank.
const BLANKS: &str = "tab cell nestcell emspace enspace qmspace";
/// Groups in which nobody is named, be they nested or not.
const GROUPS: [&str; 10] = [
    r"{\fonttbl",
    r"{\colortbl",
    r"{\stylesheet",
    r"{\*\generator",
    r"{\*\listtable",
    r"{\*\listoverridetable",
    r"{\*\rsidtbl",
    r"{\*\latentstyles",
    r"{\*\themedata",
    r"{\*\colorschememapping",
];
/// Groups of a document's own record that name somebody, with the label of the same field in a note.
const NAMED: [(&str, &str); 4] = [
    (r"{\author", "Author: "),
    (r"{\operator", "Author: "),
    (r"{\manager", "Author: "),
    (r"{\company", "Organization: "),
];
/// No control word is longer, in letters.
const LONGEST_WORD: usize = 32;
/// An escape of HL7 that is longer holds more than a mark.
const LONGEST_ESCAPE: usize = 12;

/// What a control says: a character, or none, for so many bytes of the text.
type Control = (Option<char>, usize);

/// Whether a text is of RTF: it begins as such a document does, a paragraph ends in it, a byte is written in hexadecimal digits, or a control word
/// with its number follows no letter and no digit but those of another.
pub(in crate::detect) fn is_rtf(text: &str) -> bool {
    let mut behind = usize::MAX;
    memchr::memchr_iter(b'\\', text.as_bytes()).any(|at| {
        if let [b'\\', b'\'', high, low, ..] = &text.as_bytes()[at..] {
            return high.is_ascii_hexdigit() && low.is_ascii_hexdigit();
        }
        let Some((word, number, _)) = word_at(&text[at..]) else { return false };
        let follows_word = at != behind && text[..at].ends_with(|c: char| c.is_alphanumeric());
        if !follows_word && listed!(word, WORDS) {
            behind = at + 1 + word.len() + number.len();
        }
        match word {
            "par" | "pard" | "ulnone" | "rtlch" | "ltrch" | "ltrpar" | "trowd" | "intbl" => {
                number.is_empty() || word == "intbl"
            }
            "b" | "i" | "ul" => number == "0" && !follows_word,
            _ => !number.is_empty() && !follows_word && listed!(word, WORDS),
        }
    })
}

/// What the backslash that a text begins with stands for, in a text that is of RTF or not; none where it is only a backslash.
pub(in crate::detect) fn control_at(text: &str, is_rtf: bool) -> Option<Control> {
    escape_of_hl7(text).or_else(|| is_rtf.then(|| control_of_rtf(text)).flatten())
}

fn control_of_rtf(text: &str) -> Option<Control> {
    if let Some((word, number, length)) = word_at(text) {
        let meant = match word {
            _ if listed!(word, BREAKS) && number.is_empty() => Some('\n'),
            _ if listed!(word, BLANKS) && number.is_empty() => Some(' '),
            "emdash" => Some('—'),
            "endash" => Some('–'),
            "lquote" | "rquote" => Some('\''),
            "ldblquote" | "rdblquote" => Some('"'),
            "bullet" => Some('•'),
            "u" => return character_of_rtf(text, number, length),
            _ if listed!(word, WORDS) => None,
            _ => return None,
        };
        return Some((meant, length));
    }
    match text.as_bytes().get(1)? {
        b'~' => Some((Some(' '), 2)),
        b'_' => Some((Some('-'), 2)),
        b'-' | b'*' => Some((None, 2)),
        mark @ (b'\\' | b'{' | b'}') => Some((Some(char::from(*mark)), 2)),
        // Letters beyond ASCII are read before: these are the marks of Windows-1252.
        b'\'' => match text.get(2..4)? {
            "91" | "92" => Some((Some('\''), 4)),
            "93" | "94" => Some((Some('"'), 4)),
            "95" => Some((Some('•'), 4)),
            "96" => Some((Some('–'), 4)),
            "97" => Some((Some('—'), 4)),
            "a0" | "A0" => Some((Some(' '), 4)),
            _ => None,
        },
        _ => None,
    }
}

/// `\u8217?`: a character by its number, with the one that older programs show in its place.
fn character_of_rtf(text: &str, number: &str, length: usize) -> Option<Control> {
    // JSON writes four hexadecimal digits, of which Latin letters have a 0 first.
    let code: i32 = number.parse().ok().filter(|_| !number.starts_with('0'))?;
    let meant = char::from_u32(u32::try_from(if code < 0 { code + 0x1_0000 } else { code }).ok()?)?;
    let rest = &text[length..];
    let shown = match rest.as_bytes() {
        [b'\\', b'\'', ..] if rest.len() >= 4 && rest.is_char_boundary(4) => 4,
        [b'?', ..] => 1,
        _ => 0,
    };
    Some((Some(meant), length + shown))
}

/// The control word that a text begins with, its number, and the length of both with the blank that ends them.
fn word_at(text: &str) -> Option<(&str, &str, usize)> {
    let rest = text.strip_prefix('\\')?;
    let letters = rest.bytes().take(LONGEST_WORD + 1).take_while(u8::is_ascii_alphabetic).count();
    if letters == 0 || letters > LONGEST_WORD || rest.as_bytes()[0].is_ascii_uppercase() {
        return None;
    }
    let (word, behind) = rest.split_at(letters);
    let sign = usize::from(behind.starts_with('-'));
    let digits = behind[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let number = if digits == 0 { "" } else { &behind[..sign + digits] };
    let after = &behind[number.len()..];
    if number.is_empty() && after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    Some((word, number, 1 + letters + number.len() + usize::from(after.starts_with(' '))))
}

/// The length of the group that a text begins with if nobody can be named in it: what fonts, colours and styles there are, and which program wrote.
pub(super) fn group_at(text: &str) -> Option<usize> {
    let is_font = || {
        word_at(&text[1..]).is_some_and(|(word, number, length)| {
            word == "f" && !number.is_empty() && text[1 + length..].starts_with(r"\f") && text.contains(";}")
        })
    };
    if !GROUPS.iter().any(|group| text.starts_with(group)) && !is_font() {
        return None;
    }
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// What is missing in a text of RTF: labels before the names in a document's own record, and an end behind them.
pub(super) fn cuts(text: &str) -> Vec<(usize, &'static str)> {
    let mut cuts = Vec::new();
    for at in memchr::memchr_iter(b'{', text.as_bytes()) {
        let Some((group, label)) = NAMED.iter().find(|(group, _)| text[at..].starts_with(group)) else { continue };
        let begins = at + group.len();
        let Some(length) = text[begins..].find(['}', '{']) else { continue };
        if text[begins..].starts_with(' ') && text[begins + length..].starts_with('}') {
            cuts.extend([(begins + 1, *label), (begins + length, ";")]);
        }
    }
    cuts
}

/// The length of `{\author` and its like, of which only the label is read.
pub(super) fn named_group_at(text: &str) -> Option<usize> {
    let (group, _) = NAMED.iter().find(|(group, _)| text.starts_with(group))?;
    text[group.len()..].starts_with(' ').then_some(group.len() + 1)
}

/// An escape of HL7 (version 2, section 2.7): marks that would part fields, emphasis, formatting, bytes in hexadecimal digits.
fn escape_of_hl7(text: &str) -> Option<Control> {
    let inside = text.strip_prefix('\\')?;
    let length = inside.bytes().take(LONGEST_ESCAPE).position(|byte| byte == b'\\')?;
    let meant = match inside.get(..length)? {
        "H" | "N" => None,
        "F" => Some('|'),
        "S" => Some('^'),
        "T" => Some('&'),
        "R" => Some('~'),
        "E" => Some('\\'),
        command if command.starts_with('.') => Some(formatting(&command[1..])?),
        hexadecimal => Some(byte_of_hl7(hexadecimal)?),
    };
    Some((meant, length + 2))
}

/// `br`, `sp3` end lines, `in+4`, `ti-4`, `sk2` move in them; `fi`, `nf`, `ce` begin some.
fn formatting(command: &str) -> Option<char> {
    let number = command.get(2..)?.trim_start_matches(['+', '-']);
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match command[..2].to_ascii_lowercase().as_str() {
        "br" | "sp" | "ce" | "fi" | "nf" => Some('\n'),
        "in" | "ti" | "sk" => Some(' '),
        _ => None,
    }
}

fn byte_of_hl7(escape: &str) -> Option<char> {
    match escape.strip_prefix('X')? {
        "0D" | "0A" | "0D0A" | "0d" | "0a" | "0d0a" => Some('\n'),
        "09" | "20" | "A0" | "a0" => Some(' '),
        byte if byte.len() == 2 && byte.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            // Latin letters are at the numbers of their bytes; other marks part nothing.
            u32::from_str_radix(byte, 16)
                .ok()
                .and_then(char::from_u32)
                .filter(|c| c.is_alphabetic() || c.is_ascii_graphic())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::reading::plainly;

    #[test]
    fn text_is_what_controls_leave() {
        for (written, read) in [
            (r"{\b Jane} {\i Quorlin}\tab DOB:\~3/4/1950\par", "Jane Quorlin DOB: 3/4/1950\n"),
            (r"\pard\plain\f0\fs24 Seen by Dr. Quorlin\b0\par", "\nSeen by Dr. Quorlin\n"),
            (r"{\rtf1\ansi{\fonttbl{\f0\fnil Times New Roman;}{\f1 Arial;}}\f0 Seen", "Seen"),
            (r"{\f0\fnil\fcharset0 Times New Roman;}", ""),
            (r"\f0 O\'92Branagan, Vandermolen\u8211?Ruiz, O\rquote Hara", "O'Branagan, Vandermolen-Ruiz, O'Hara"),
            (r"\fs20 Ram\'f3n {\b Garc\'eda} on 3\_4\_1950", "Ramón García on 3-4-1950"),
            (r"{\rtf1{\info{\author Jane Quorlin}{\operator jquorlin}}}", "Author: Jane Quorlin;Author: jquorlin;"),
            (r"\'95 Seen \b today", "• Seen today"),
            (r"\fs20 a \\ b \{c\}", r"a \ b {c}"),
            (r"Bell \T\ Sons, seen \H\today\N\.\.br\", "Bell & Sons, seen today.\n"),
            (r"Jane\.sp2\Quorlin\X0D\\X0A\M\XFC\ller", "Jane\nQuorlin\n\nMüller"),
        ] {
            assert_eq!(plainly(written), read, "{written}");
        }
    }

    #[test]
    fn paths_users_and_sets_are_no_controls() {
        for text in [
            r"C:\notes\page",
            r"HOSP\page",
            r"corp\jquorlin",
            r"and\or",
            r"HOSP\fs24",
            r"{a} \ {b}",
            r"\Quorlin",
            r"R\L\x",
            r"\\server\par2",
            r"\.quorlin\",
            r"\X0G\",
            r"\XABCDEF\",
            r"see \b Jane",
        ] {
            assert_eq!(plainly(text), text);
        }
        assert_eq!(plainly(r"\fs20 by hosp\\jquorlin and \jquorlin"), r"by hosp\jquorlin and \jquorlin");
    }
}
