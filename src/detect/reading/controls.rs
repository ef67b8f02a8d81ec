//! Control words of RTF, and escapes of HL7, read as what they stand for.
//!
//! ```text
//! {\b Jane} {\i Quorlin}\tab DOB:\~3/4/1950\par        Jane Quorlin DOB: 3/4/1950⏎
//! {\f0\fnil Times New Roman;}O\'92Branagan              O'Branagan
//! {\info{\author Jane Quorlin}}                           Author: Jane Quorlin;
//! Bell \T\ Sons, seen\H\today\N\.\.br\                  Bell & Sons, seen today.⏎
//! ```
//!
//! A backslash also parts paths and users (`HOSP\page`), so words are read so only where a text shows that it is of RTF, and of these only the ones
//! that are known, with a number or without as they have it: nothing else is passed over.

use crate::detect::listed::listed;

/// Control words that stand without a number.
const BARE: &str = "ab additive ai ansi aspalpha aspnum aul b bgbdiag bin box brdrb brdrbar brdrbtw brdrdot brdrhair brdrl brdrnil brdrnone brdrr brdrs \
    brdrsh brdrt brdrth caps cltxlrtb clvertalb clvertalc clvertalt clvmgf clvmrg clmgf clmrg colortbl contextualspace dbch embo endnhere faauto \
    fbidi fbias fdecor field fldinst fldrslt flddirty fldedit fmodern fnil fonttbl footer footerf footerl footerr froman fscript fswiss ftech \
    generator header headerf headerl headerr hich hyphpar i impr info intbl jcompress keep keepn lastrow level linex listlevel listname \
    listoverridetable listtable listtext loch ltrch ltrmark ltrpar ltrrow ltrsect lytprtmet mac nesttableprops noline noproof nosupersub nouicompat \
    noextrasprl nowidctlpar outl pc pca pgbrdrhead pict plain pn pndec pnf pnlvlblt pnlvlbody pnstart pntext pntxta pntxtb qc qd qj ql qr qt rtlch rtlmark \
    rtlpar sbkcol sbknone sbkpage scaps sectd shad softlheight strike stylesheet sub sunhideused super tldot tqc tqdec tqr trautofit trhdr \
    trkeep trowd trqc trql trqr ul ulc uld uldash uldb ulnone ulth ultrailspace ulw ulwave webhidden widctlpar widowctrl wrapdefault zwj zwnj";
/// Those that have one.
const NUMBERED: &str = "absh absw adeff adeflang adjustright aenddoc af afs alang ansicpg aoutl ascaps ashad astrike b bin blue brdrcf brdrw brsp caps cb cbpat cellx cf cgrid \
    charrsid charscalex chcbpat chcfpat chshdng clcbpat clftswidth clpadb clpadl clpadr clpadt clwwidth cpg cs cufi culi curi deff deflang deflangfe \
    deftab dn ds expnd expndtw f fcharset fi footery fprq fromtext fs ftnbj green headery highlight i insrsid irow irowband itap keepn kerning \
    lang langfe langfenp langnp leveljc levelfollow levelindent levelnfc levelspace levelstartat li lin lisa lisb listid listoverridecount \
    listtemplateid ls margb margl margr margt ilvl nestcell nofchars nofcharsws nofpages nofwords outlinelevel paperh paperw pararsid pnindent posx posy \
    red ri rin rsid rsidroot rtf s sa saauto sb sbasedon sbauto scaps sectlinegrid sectrsid shading sl slmult snext spriority strike styrsid tblind \
    tblindtype trbrdr trftsWidth trftswidth trgaph trleft trpaddb trpaddfb trpaddfl trpaddfr trpaddft trpaddl trpaddr trpaddt trrh trwwidth ts tscellpaddb \
    tx uc ul ulc up v vern version viewkind viewscale viewzk widctlpar yts";
/// Those that end a line.
const BREAKS: &str = "par pard line page column row nestrow softline sect";
/// Those that are a blank.
const BLANKS: &str = "tab cell nestcell emspace enspace qmspace";
/// Those that show what a text is: nobody is called so, and no folder.
const TELLING: &str = "f fs cf lang li fi ri sa sb sl slmult uc viewkind deff deflang ansicpg rtf af afs insrsid charrsid pararsid kerning highlight";
/// Families of fonts, of which one stands at the beginning of an entry in their table.
const FAMILIES: [&str; 8] = ["nil", "roman", "swiss", "modern", "script", "decor", "tech", "bidi"];
/// Groups of a document's own record that name somebody, with the label of the same field in a note.
const NAMED: [(&str, &str); 4] = [
    (r"{\author ", "Author: "),
    (r"{\operator ", "Author: "),
    (r"{\manager ", "Author: "),
    (r"{\company ", "Organization: "),
];
/// No control word is longer, in letters; nor has one a longer number, in digits, but those that tell of a revision.
const LONGEST_WORD: usize = 32;
const LONGEST_NUMBER: usize = 5;
const LONGEST_REVISION: usize = 9;
/// An escape of HL7 that is longer holds more than a mark.
const LONGEST_ESCAPE: usize = 12;
/// No entry of a table of fonts is longer, in bytes.
const LONGEST_ENTRY: usize = 120;

/// What a control says: a character, or none, for so many bytes of the text.
type Control = (Option<char>, usize);

/// A control word with its number, as it is written, and the length of both with the blank that ends them.
struct Word<'t> {
    name: &'t str,
    number: &'t str,
    length: usize,
}

impl<'t> Word<'t> {
    /// The one that a text begins with.
    fn at(text: &'t str) -> Option<Self> {
        let rest = text.strip_prefix('\\').filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))?;
        let letters = rest.bytes().take(LONGEST_WORD + 1).take_while(u8::is_ascii_alphabetic).count();
        let (name, behind) = rest.split_at(letters);
        let sign = usize::from(behind.starts_with('-'));
        let digits = behind[sign..].bytes().take(LONGEST_REVISION + 1).take_while(u8::is_ascii_digit).count();
        let number = if digits == 0 { "" } else { &behind[..sign + digits] };
        let after = &behind[number.len()..];
        // A number ends at any letter, a word without one does not.
        if letters > LONGEST_WORD || after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let longest = if name.contains("rsid") { LONGEST_REVISION } else { LONGEST_NUMBER };
        let length = 1 + letters + number.len() + usize::from(after.starts_with(' '));
        (digits <= longest).then_some(Self { name, number, length })
    }

    fn is_known(&self) -> bool {
        match self.number {
            "" => listed!(self.name, BARE) || listed!(self.name, BREAKS) || listed!(self.name, BLANKS),
            _ => listed!(self.name, NUMBERED),
        }
    }

    /// Whether it shows that a text is of RTF: the end of a paragraph, or a word with its number that begins behind no letter, as a user does behind
    /// the name of his domain.
    fn tells(&self, is_behind_word: bool) -> bool {
        match self.number {
            "" => matches!(self.name, "par" | "pard" | "ulnone" | "rtlch" | "ltrch" | "ltrpar" | "trowd" | "intbl"),
            "0" if matches!(self.name, "b" | "i" | "ul") => !is_behind_word,
            _ => !is_behind_word && listed!(self.name, TELLING),
        }
    }
}

/// Whether a text is of RTF: a paragraph ends in it, a byte beyond ASCII is written in hexadecimal digits, or a control word has its number.
pub(in crate::detect) fn is_rtf(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut behind, mut from) = (usize::MAX, 0);
    while let Some(at) = memchr::memchr(b'\\', &bytes[from..]).map(|at| from + at) {
        from = at + 1;
        match &bytes[from..] {
            // It stands for itself, as before the name of a server.
            [b'\\', ..] => from += 1,
            [b'\'', b'8'..=b'9' | b'a'..=b'f', b'0'..=b'9' | b'a'..=b'f', ..] => return true,
            _ => {
                let Some(word) = Word::at(&text[at..]) else { continue };
                let is_behind_word = at != behind && text[..at].ends_with(|c: char| c.is_alphanumeric());
                if word.tells(is_behind_word) {
                    return true;
                }
                if !is_behind_word && word.is_known() {
                    behind = from + word.name.len() + word.number.len();
                }
            }
        }
    }
    false
}

/// What the backslash at a place stands for, in a text that is of RTF or not; none where it is only a backslash.
pub(in crate::detect) fn control_at(text: &str, at: usize, is_rtf: bool) -> Option<Control> {
    let (before, rest) = text.split_at(at);
    escape_of_hl7(before, rest).or_else(|| is_rtf.then(|| control_of_rtf(before, rest)).flatten())
}

fn control_of_rtf(before: &str, text: &str) -> Option<Control> {
    if let Some(word) = Word::at(text) {
        // `HOSP\plain` is a user: behind a letter a word without a number ends what stands there.
        let is_behind_word = word.number.is_empty() && ends_in_word(before);
        let meant = match word.name {
            "u" if !word.number.is_empty() => return character_of_rtf(text, &word),
            "emdash" => Some('—'),
            "endash" => Some('–'),
            "lquote" | "rquote" => Some('\''),
            "ldblquote" | "rdblquote" => Some('"'),
            "bullet" => Some('•'),
            name if word.number.is_empty() && listed!(name, BREAKS) => Some('\n'),
            name if word.number.is_empty() && listed!(name, BLANKS) => Some(' '),
            "plain" if word.number.is_empty() => None,
            _ if word.is_known() && !is_behind_word => None,
            _ => return None,
        };
        return Some((meant, word.length));
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

/// Whether a text ends in a word that is no control itself.
fn ends_in_word(text: &str) -> bool {
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(LONGEST_WORD + LONGEST_REVISION))..];
    let control = near.rfind('\\').and_then(|at| Word::at(&near[at..]).filter(|word| at + word.length == near.len()));
    near.ends_with(|c: char| c.is_alphanumeric()) && !control.is_some_and(|word| word.is_known())
}

/// `\u8217?`: a character by its number, with the one that older programs show in its place.
fn character_of_rtf(text: &str, word: &Word<'_>) -> Option<Control> {
    // JSON writes four hexadecimal digits, of which Latin letters have a 0 first.
    let code: i32 = word.number.parse().ok().filter(|_| !word.number.starts_with('0'))?;
    let meant = char::from_u32(u32::try_from(if code < 0 { code + 0x1_0000 } else { code }).ok()?)?;
    let shown = match &text.as_bytes()[word.length..] {
        [b'\\', b'\'', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => 4,
        [b'?', ..] => 1,
        _ => 0,
    };
    Some((Some(meant), word.length + shown))
}

/// The length of what a text begins with if it is an entry in a table of fonts, or tells which program wrote: nobody is named in it.
pub(super) fn entry_at(text: &str) -> Option<usize> {
    let near = &text[..text.floor_char_boundary(LONGEST_ENTRY)];
    if let Some(program) = near.strip_prefix(r"{\*\generator ") {
        let length = program.find('}')?;
        let is_program = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | ';');
        return program[..length].chars().all(is_program).then_some(near.len() - program.len() + length + 1);
    }
    let number = near.strip_prefix(r"{\f")?;
    let family = number.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(r"\f")?;
    FAMILIES.iter().find(|known| family.starts_with(**known))?;
    let length = near.find(";}")?;
    let is_entry = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '\\' | '-' | '*' | '{' | '}');
    near[1..length].chars().all(is_entry).then_some(length + 2)
}

/// The label for a group of a document's own record that names somebody, with which a text begins, and how long the mark of the group is, in the place
/// of which the label is read.
pub(super) fn named_at(text: &str) -> Option<(&'static str, usize)> {
    NAMED.iter().find(|(group, _)| text.starts_with(group)).map(|(group, label)| (*label, group.len()))
}

/// What is missing in a text of RTF: labels before the names in a document's own record, and an end behind them.
pub(super) fn cuts(text: &str) -> Vec<(usize, &'static str)> {
    let mut cuts = Vec::new();
    for at in memchr::memchr_iter(b'{', text.as_bytes()) {
        let Some((label, length)) = named_at(&text[at..]) else { continue };
        let begins = at + length;
        cuts.push((begins, label));
        cuts.extend(text[begins..].find(['}', '{']).map(|length| (begins + length, ";")));
    }
    cuts
}

/// An escape of HL7 (version 2, section 2.7) with which a text begins: marks that would part fields, emphasis, formatting, bytes in hexadecimal digits.
fn escape_of_hl7(before: &str, text: &str) -> Option<Control> {
    let inside = text.strip_prefix('\\')?;
    let length = inside.bytes().take(LONGEST_ESCAPE).position(|byte| byte == b'\\')?;
    let joins = || {
        let is_of_word = |c: char| c.is_alphanumeric();
        before.ends_with(is_of_word) && inside[length + 1..].starts_with(is_of_word)
    };
    let meant = match inside.get(..length)? {
        // Two words are not one for being set off from each other.
        "H" | "N" => joins().then_some(' '),
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
            let meant = u32::from_str_radix(byte, 16).ok().and_then(char::from_u32)?;
            (meant.is_alphabetic() || meant.is_ascii_graphic()).then_some(meant)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_rtf;
    use crate::detect::reading::plainly;

    #[test]
    fn text_is_what_controls_leave() {
        for (written, read) in [
            (r"{\b Jane} {\i Quorlin}\tab DOB:\~3/4/1950\par", "Jane Quorlin DOB: 3/4/1950\n"),
            (r"\pard\plain\f0\fs24 Seen by Dr. Quorlin\b0\par", "\nSeen by Dr. Quorlin\n"),
            (r"{\rtf1\ansi{\fonttbl{\f0\fnil Times New Roman;}{\f1\fswiss\fcharset0 Arial;}}\f0 Seen", "Seen"),
            (r"{\f0\fnil\fcharset0 Times New Roman;}\fs20 Seen", "Seen"),
            (r"{\*\generator Riched20 10.0.19041;}\viewkind4 Seen", "Seen"),
            (r"\f0 O\'92Branagan, Vandermolen\u8211?Ruiz, O\rquote Hara", "O'Branagan, Vandermolen-Ruiz, O'Hara"),
            (r"\fs20 Ram\'f3n {\b Garc\'eda} on 3\_4\_1950", "Ramón García on 3-4-1950"),
            (r"{\rtf1{\info{\author Jane Quorlin}{\operator jquorlin}}}", "Author: Jane Quorlin;Author: jquorlin;"),
            (r"\'95 Seen \b today", "• Seen today"),
            (r"\fs20 a \\ b \{c\}", r"a \ b {c}"),
            (r"Bell \T\ Sons, seen\H\today\N\.\.br\", "Bell & Sons, seen today.\n"),
            (r"Phone\H\507-555-0101\N\Fax \H\507-555-0102\N\", "Phone 507-555-0101 Fax 507-555-0102"),
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
            r"CORP\green, \\fs01\scans",
            r"CORP\lisa, Dr. \'Dea",
            r"by Jane \v2 form, ACME\li",
            r"C:\users\lisa and \\fs1\x",
        ] {
            assert_eq!(plainly(text), text);
            assert!(!is_rtf(text), "{text}");
        }
        // Nor in a text of RTF.
        for (written, read) in [
            (r"\fs20 by hosp\\jquorlin and \jquorlin", r"by hosp\jquorlin and \jquorlin"),
            (
                r"\fs24 MRN \s4417093, CORP\plain2, CORP\ql, CORP\lisa",
                r"MRN \s4417093, CORP\plain2, CORP\ql, CORP\lisa",
            ),
        ] {
            assert_eq!(plainly(written), read);
        }
    }

    /// What is passed over nobody sees, so that text is never part of it.
    #[test]
    fn text_in_groups_is_read() {
        for text in [
            r"{\rtf1 {\f0\fs24 Patient: Jane Quorlin, DOB 3/4/1950, MRN 4417093;} seen",
            r"{\f1\fs20 Seen by Dr. Jane Quorlin on 3/4/1950;}",
            r"{\f1\fnil\fs20 Seen by Dr. Jane Quorlin on 3/4/1950;}",
            r"{\rtf1{\stylesheet{\s1 A\{;}}Patient: Jane Quorlin, MRN 4417093}",
            r"{\rtf1\ansi{\fonttbl{\f0\fnil Arial;} Patient: Jane Quorlin MRN 4417093 }}",
            r"{\*\generator Jane Quorlin, MRN 4417093}\par",
        ] {
            assert!(plainly(text).contains("Jane Quorlin"), "{text}");
        }
    }
}
