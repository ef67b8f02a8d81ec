//! The words of a sentence as the dictionary rules see them.
//!
//! ```text
//! "Seen by J. O'Brien-Smith, M.D., in Troy"
//!   Seen by J O'Brien-Smith M.D. in Troy      a word keeps inner apostrophes and hyphens, credentials their dots
//!       ␣  ␣ .␣            ,␣   …             and knows what stands before it
//! ```

use super::markers::{Marker, marker};
use crate::lexicon::{Lexicon, WordFlags, WordInfo};

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Small letters first.
    Lower,
    /// One capital letter alone.
    Initial,
    /// A capital first: `Smith`, `McDonald`.
    Capital,
    /// Capitals only, at least two.
    Upper,
}

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing: the first word of the sentence.
    Start,
    /// White space.
    Space,
    /// A comma and perhaps white space.
    Comma,
    /// A full stop and perhaps white space.
    Stop,
    /// A colon or number sign, perhaps with white space.
    Colon,
    /// An opening bracket or quotation mark.
    Bracket,
    /// A hyphen without white space.
    Hyphen,
    /// Anything else, numbers too.
    Other,
}

/// A word of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// How it is written.
    pub(super) shape: Shape,
    /// What stands before it.
    pub(super) gap: Gap,
    /// What it says of its neighbours.
    pub(super) marker: Option<Marker>,
    /// What the lexicon knows; looked up for words with a capital only.
    pub(super) info: WordInfo,
}

impl Word {
    /// Whether the marker is the given one.
    pub(super) fn is(&self, marker: Marker) -> bool {
        self.marker == Some(marker)
    }

    /// Whether it is written as names are.
    pub(super) fn is_capital(&self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Upper)
    }
}

/// A sentence cut into words.
pub(super) struct Words<'s> {
    /// The sentence.
    pub(super) sentence: &'s str,
    /// Its words, in order.
    pub(super) list: Vec<Word>,
    /// Whether capitals tell nothing, for most words are written in them.
    pub(super) shouted: bool,
}

impl<'s> Words<'s> {
    /// Cuts a sentence.
    pub(super) fn of(sentence: &'s str, lexicon: &Lexicon) -> Self {
        let mut list = Vec::with_capacity(sentence.len() / 6 + 1);
        let (mut upper, mut lower) = (0, 0);
        let mut at = 0;
        while let Some(start) = next_letter(sentence, at) {
            let (end, credential) = word_end(sentence, start);
            let text = &sentence[start..end];
            let shape = shape_of(text);
            let glued = start > 0 && sentence.as_bytes()[start - 1].is_ascii_digit()
                || sentence.as_bytes().get(end).is_some_and(u8::is_ascii_digit);
            let marker = if credential { Some(Marker::Credential) } else { marker(text) };
            let (shape, info) = match shape {
                Shape::Lower => {
                    lost_capital(text, lexicon).map_or((shape, WordInfo::UNKNOWN), |info| (Shape::Capital, info))
                }
                _ => (shape, written(text, shape, lexicon)),
            };
            let gap = if glued { Gap::Other } else { gap_of(&sentence[at..start], list.is_empty()) };
            match shape {
                Shape::Upper => upper += 1,
                Shape::Lower if end - start > 1 => lower += 1,
                Shape::Capital => lower += 1,
                _ => {}
            }
            list.push(Word { start, end, shape, gap, marker, info });
            at = end;
        }
        Self { sentence, list, shouted: upper > 2 * lower && upper + lower > 0 }
    }

    /// A word's characters.
    pub(super) fn text(&self, index: usize) -> &'s str {
        let word = &self.list[index];
        &self.sentence[word.start..word.end]
    }

    /// The word at an index.
    pub(super) fn get(&self, index: usize) -> Option<&Word> {
        self.list.get(index)
    }

    /// The characters between a word and the one before it, or the start of the sentence.
    pub(super) fn between(&self, index: usize) -> &'s str {
        let from = index.checked_sub(1).map_or(0, |before| self.list[before].end);
        &self.sentence[from..self.list[index].start]
    }

    /// The characters after a word.
    pub(super) fn between_after(&self, index: usize) -> &'s str {
        &self.sentence[self.list[index].end..]
    }

    /// The characters from one word to another, both included.
    pub(super) fn phrase(&self, first: usize, last: usize) -> &'s str {
        &self.sentence[self.list[first].start..self.list[last].end]
    }

    /// Whether the words `first..=last` are joined by white space, hyphens or the dots of abbreviations only.
    pub(super) fn joined(&self, first: usize, last: usize) -> bool {
        (first + 1..=last).all(|index| match self.list[index].gap {
            Gap::Space | Gap::Hyphen => true,
            Gap::Stop => self.list[index - 1].end - self.list[index - 1].start <= 3,
            _ => false,
        })
    }

    /// What the lexicon knows of a phrase or of a word in small letters.
    pub(super) fn look_up(&self, first: usize, last: usize) -> WordInfo {
        if first == last && self.list[first].shape != Shape::Lower {
            self.list[first].info
        } else {
            Lexicon::shared().word(self.phrase(first, last))
        }
    }

    /// Whether any word of the text before `index`, at most `reach` back, has the marker.
    pub(super) fn marked_before(&self, index: usize, reach: usize, marker: Marker) -> bool {
        self.list[index.saturating_sub(reach)..index].iter().any(|word| word.is(marker))
    }
}

/// What is known of a word with a capital: of the whole, or of the halves of a double name (`Baptiste-Lowe`), or of what
/// a scanner misread (`L0WELL`).
fn written(text: &str, shape: Shape, lexicon: &Lexicon) -> WordInfo {
    let info = lexicon.word(text);
    if info != WordInfo::UNKNOWN || shape == Shape::Initial {
        return info;
    }
    if let Some((left, right)) = text.split_once(['-', '‑']) {
        let (left, right) = (lexicon.word(left), lexicon.word(right));
        let bearers = |info: &WordInfo| info.surname_count.max(info.given_count);
        let other = |info: &WordInfo| {
            info.is(WordFlags::EPONYM) && bearers(info) < 100_000
                || bearers(info) < 500 && (info.is_any(MEDICAL) || info.english_size().is_some_and(|size| size <= 60))
        };
        if other(&left) || other(&right) {
            let mut eponym = WordInfo::UNKNOWN;
            eponym.flags = WordFlags::EPONYM;
            return eponym;
        }
        // The half that is nothing but a name tells most.
        let rank = |info: &WordInfo| (bearers(info) > 0 && info.english_size().is_none(), bearers(info));
        return if rank(&left) > rank(&right) { left } else { right };
    }
    if text.bytes().any(|byte| byte.is_ascii_digit()) { misread(text, lexicon) } else { info }
}

/// What is known of a word with digits in the place of letters, read with whichever letters make a name.
fn misread(text: &str, lexicon: &Lexicon) -> WordInfo {
    let first = lexicon.word(&as_letters(text, 'I'));
    let second = lexicon.word(&as_letters(text, 'L'));
    let bearers = |info: &WordInfo| info.surname_count.max(info.given_count);
    if bearers(&second) > bearers(&first) { second } else { first }
}

/// The letters that a scanner took for digits; `one` is what stands for `1`.
fn as_letters(text: &str, one: char) -> String {
    text.chars()
        .map(|character| match character {
            '0' => 'O',
            '1' => one,
            '5' => 'S',
            other => other,
        })
        .collect()
}

/// What is known of a name whose capital `I` was read as `l`: `lvan`, `lsabel`.
fn lost_capital(text: &str, lexicon: &Lexicon) -> Option<WordInfo> {
    let second = *text.as_bytes().get(1)?;
    // Next to no word begins with `l` and one of these.
    if text.len() < 4
        || !text.starts_with('l')
        || !matches!(second, b'v' | b's' | b'r' | b'm' | b'n' | b'b' | b'g' | b'd')
    {
        return None;
    }
    let info = lexicon.word(&["I", &text[1..]].concat());
    (info.given_count >= 500 && !info.is_any(MEDICAL) && info.english_size().is_none()).then_some(info)
}

fn next_letter(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at].is_ascii_alphabetic() {
            return Some(at);
        }
        if bytes[at] >= 0x80 {
            let character = text[at..].chars().next()?;
            if character.is_alphabetic() {
                return Some(at);
            }
            at += character.len_utf8();
        } else {
            at += 1;
        }
    }
    None
}

fn letters_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at].is_ascii_alphabetic() {
            at += 1;
        } else if bytes[at] >= 0x80 {
            match text[at..].chars().next() {
                Some(character) if character.is_alphabetic() || is_combining(character) => at += character.len_utf8(),
                _ => break,
            }
        } else {
            break;
        }
    }
    at
}

/// A mark on the letter before it, as in decomposed accents.
const fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}')
}

/// The end of the word at `start`, and whether it is a credential with dots.
fn word_end(text: &str, start: usize) -> (usize, bool) {
    if let Some(end) = dotted_credential(text, start) {
        return (end, true);
    }
    let mut end = letters_end(text, start);
    if let Some(joint) = lost_blank(&text.as_bytes()[start..end], &text.as_bytes()[end..]) {
        return (start + joint, false);
    }
    if let Some(whole) = misread_end(text, start, end) {
        return (whole, false);
    }
    let capital = text[start..].chars().next().is_some_and(char::is_uppercase);
    loop {
        let rest = &text[end..];
        let Some(mark) = rest.chars().next() else { break };
        let next = end + mark.len_utf8();
        let more = letters_end(text, next);
        let piece = &text[next..more];
        let goes_on = match mark {
            '\'' | '’' => more > next && !matches!(piece, "s" | "S" | "t" | "ll" | "re" | "ve" | "d" | "m"),
            '-' | '‑' => capital && piece.chars().next().is_some_and(char::is_uppercase) && more - next > 1,
            _ => false,
        };
        if !goes_on {
            break;
        }
        end = more;
    }
    (end, false)
}

/// Where a blank was lost between a word and a name: `with|Pualani`, `son|Grant`, `Grace|Young`.
fn lost_blank(word: &[u8], after: &[u8]) -> Option<usize> {
    if word.len() < 4 || !word[2..].iter().any(u8::is_ascii_uppercase) {
        return None;
    }
    if let Some(title) = glued_title(word, after) {
        return Some(title);
    }
    if word.len() < 5 {
        return None;
    }
    if let Some(name) = glued_credential(word) {
        return Some(name);
    }
    // `SignedB.Akande`
    if after.first() == Some(&b'.')
        && after.get(1).is_some_and(u8::is_ascii_uppercase)
        && word[1..word.len() - 1].iter().all(u8::is_ascii_lowercase)
        && std::str::from_utf8(&word[..word.len() - 1]).ok().and_then(marker) == Some(Marker::StaffVerb)
    {
        return Some(word.len() - 1);
    }
    let joint =
        word.windows(2).skip(2).position(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())? + 3;
    let (left, right) = word.split_at(joint);
    let cased = right.len() >= 3 && right[1..].iter().all(u8::is_ascii_lowercase);
    if !cased || !left[1..].iter().all(u8::is_ascii_lowercase) {
        return None;
    }
    let (left, right) = (std::str::from_utf8(left).ok()?, std::str::from_utf8(right).ok()?);
    let lexicon = Lexicon::shared();
    let (before, after) = (lexicon.word(left), lexicon.word(right));
    let whole = lexicon.word(std::str::from_utf8(word).ok()?);
    let splits = if left.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        marker(left).is_some() || before.english_size().is_some_and(|size| size <= 20)
    } else {
        !matches!(left, "Mac" | "Van" | "Von" | "Del" | "Dela" | "Fitz" | "Des" | "Saint")
            && before.given_count >= 500
            && after.surname_count >= 500
    };
    (splits && whole == WordInfo::UNKNOWN).then_some(joint)
}

/// The length of a title that lost its blank: `DrSmith`, `DrSa1azar`, never `MSContin`.
fn glued_title(word: &[u8], after: &[u8]) -> Option<usize> {
    let title = [&b"Dr"[..], b"Mrs", b"Mr", b"Ms"].into_iter().find(|title| word.starts_with(title))?;
    let name = &word[title.len()..];
    let misread = name.len() == 2 && matches!(after, [b'0' | b'1' | b'5', b'a'..=b'z' | b'1', b'a'..=b'z', ..]);
    let cased = (name.len() > 2 || misread) && name[0].is_ascii_uppercase() && name[1].is_ascii_lowercase();
    let name = std::str::from_utf8(name).ok()?;
    (cased && !Lexicon::shared().word(name).is_any(MEDICAL)).then_some(title.len())
}

/// The length of a name whose credential lost its blank: `TOkaforRN`, never `EpiPN`.
fn glued_credential(word: &[u8]) -> Option<usize> {
    let credential = [&b"RN"[..], b"MD", b"LPN", b"NP", b"PharmD"].into_iter().find(|tail| word.ends_with(tail))?;
    let name = &word[..word.len() - credential.len()];
    (name.len() >= 4 && name[0].is_ascii_uppercase() && name[name.len() - 1].is_ascii_lowercase()).then_some(name.len())
}

/// The end of a word with digits that a scanner put for letters: `L0WELL`, `Sa1azar`, `PAPAD0POUL0S`.
fn misread_end(text: &str, start: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_digit = |byte: u8| matches!(byte, b'0' | b'1' | b'5');
    if !bytes.get(end).is_some_and(|&byte| is_digit(byte)) || !bytes[start].is_ascii_uppercase() {
        return None;
    }
    let whole = bytes[start..].iter().take_while(|&&byte| byte.is_ascii_alphabetic() || is_digit(byte)).count();
    let word = &bytes[start..start + whole];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let free =
        !bytes.get(start + whole).is_some_and(u8::is_ascii_digit) && (start == 0 || !bytes[start - 1].is_ascii_digit());
    if !free || whole < 5 || digits * 3 > whole || word.last().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let letters = || word.iter().skip(1).filter(|byte| byte.is_ascii_alphabetic());
    let shouted = letters().all(|&byte| byte.is_ascii_uppercase() || byte == b'l');
    if !shouted && !letters().all(u8::is_ascii_lowercase) {
        return None;
    }
    let info = misread(&text[start..start + whole], Lexicon::shared());
    let named = info.surname_count.max(info.given_count) > 0 && !info.is_any(MEDICAL);
    // A long word in capitals with nothing but `0` for `O` is one, whether or not a list holds it.
    let long =
        shouted && whole >= 8 && info == WordInfo::UNKNOWN && !word.iter().any(|byte| matches!(byte, b'1' | b'5'));
    (named || long).then_some(start + whole)
}

/// `M.D.`, `Ph.D`, `R.N.`: letters with dots that make a credential.
fn dotted_credential(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if !bytes[start].is_ascii_uppercase() || !bytes[start + 1..bytes.len().min(start + 3)].contains(&b'.') {
        return None;
    }
    let mut letters = String::new();
    let mut at = start;
    let mut end = start;
    while at < text.len() && letters.len() <= 8 {
        let next = letters_end(text, at);
        if next == at || next - at > 2 {
            break;
        }
        letters.push_str(&text[at..next]);
        end = next;
        match text.as_bytes().get(next) {
            Some(b'.' | b'-') => at = next + 1,
            _ => break,
        }
    }
    let dots = text[start..end].contains('.');
    let known =
        marker(&letters) == Some(Marker::Credential) && letters.starts_with(|letter: char| letter.is_ascii_uppercase());
    (dots && known).then_some(end)
}

fn shape_of(text: &str) -> Shape {
    let mut characters = text.chars();
    let first_upper = characters.next().is_some_and(char::is_uppercase);
    let mut others = characters.filter(|character| character.is_alphabetic()).peekable();
    match (first_upper, others.peek().is_some()) {
        (false, _) => Shape::Lower,
        (true, false) => Shape::Initial,
        (true, true) if others.all(char::is_uppercase) => Shape::Upper,
        (true, true) => Shape::Capital,
    }
}

fn gap_of(between: &str, first: bool) -> Gap {
    let marks = between.trim();
    match marks {
        "" if first => Gap::Start,
        // Only a lost blank lets two words touch.
        "" if between.is_empty() => Gap::Space,
        "" => Gap::Space,
        "," => Gap::Comma,
        "." => Gap::Stop,
        ":" | "#" | ":#" | "=" | ": (" => Gap::Colon,
        "'" | "’" if between.len() == marks.len() => Gap::Other,
        "(" | "\"" | "[" | "“" | "'" => Gap::Bracket,
        "-" if between == "-" => Gap::Hyphen,
        _ if first => Gap::Start,
        _ => Gap::Other,
    }
}

/// Flags of words that are mostly something else than a name.
pub(super) const MEDICAL: WordFlags = WordFlags::MEDICAL
    .union(WordFlags::DRUG)
    .union(WordFlags::ABBREVIATION)
    .union(WordFlags::CARE_ROLE)
    .union(WordFlags::NATIONALITY);

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(sentence: &str) -> Vec<(&str, Shape, Gap)> {
        let words = Words::of(sentence, Lexicon::shared());
        (0..words.list.len()).map(|index| (words.text(index), words.list[index].shape, words.list[index].gap)).collect()
    }

    #[test]
    fn names_stay_whole() {
        assert_eq!(
            cut("by J. O'Brien-Smith's, M.D."),
            [
                ("by", Shape::Lower, Gap::Start),
                ("J", Shape::Initial, Gap::Space),
                ("O'Brien-Smith", Shape::Capital, Gap::Stop),
                ("s", Shape::Lower, Gap::Other),
                ("M.D", Shape::Upper, Gap::Comma),
            ]
        );
        assert_eq!(cut("3 é"), [("é", Shape::Lower, Gap::Start)]);
    }

    #[test]
    fn lost_blanks_and_misread_letters_are_mended() {
        let words = |sentence| cut(sentence).into_iter().map(|(word, ..)| word).collect::<Vec<_>>();
        assert_eq!(words("DrWinslow withMarisela"), ["Dr", "Winslow", "with", "Marisela"]);
        assert_eq!(words("MSContin mRNA McDonald eGFR"), ["MSContin", "mRNA", "McDonald", "eGFR"]);
        assert_eq!(words("R0BERTO"), ["R0BERTO"]);
        assert_eq!(words("CO2 T4N0M0"), ["CO", "T", "N", "M"]);
    }
}
