//! Where the words of a sentence begin and end.
//!
//! ```text
//! withPualani ─▶ with|Pualani      DrSmith ─▶ Dr|Smith      L0WELL, O'Brien-Smith and M.D. are one word each
//! ```

use super::facts::misread;
use super::{MEDICAL, Marker, marker};
use crate::lexicon::{Lexicon, WordInfo};

/// The place of a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// Whether it is a credential with dots.
    pub(super) credential: bool,
}

/// Adds the words of a sentence.
pub(super) fn cut(sentence: &str, cuts: &mut Vec<Cut>) {
    let mut at = 0;
    while let Some(start) = next_letter(sentence, at) {
        let (end, credential) = word_end(sentence, start);
        cuts.push(Cut { start, end, credential });
        at = end;
    }
}

/// The first letter from `from` on.
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
    if let Some(end) = plain_end(text.as_bytes(), start) {
        return (end, false);
    }
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

/// The end of a plain word: letters in one case, perhaps with a capital first, and behind them nothing that can belong to it.
fn plain_end(bytes: &[u8], start: usize) -> Option<usize> {
    let second = *bytes.get(start + 1)?;
    let rest = &bytes[start + 1..];
    let length = if second.is_ascii_uppercase() {
        if !bytes[start].is_ascii_uppercase() {
            return None;
        }
        rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count()
    } else {
        rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count()
    };
    let after = bytes.get(start + 1 + length);
    let ends =
        after.is_none_or(|byte| matches!(byte, b' ' | b',' | b':' | b';' | b'/' | b'\n' | b')' | b'(' | b'\t' | b'"'));
    let stops = length >= 2 && after == Some(&b'.') || ends;
    (stops && bytes[start].is_ascii_alphabetic()).then_some(start + 1 + length)
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
        // `DtrWanda`, `SisterHazel`
        let kin = marker(left) == Some(Marker::Kin) && after.given_count.max(after.surname_count) > 0;
        let parts = !matches!(left, "Mac" | "Van" | "Von" | "Del" | "Dela" | "Fitz" | "Des" | "Saint")
            && before.given_count >= 500
            && after.surname_count >= 500;
        kin || parts
    };
    (splits && whole == WordInfo::UNKNOWN).then_some(joint)
}

/// The length of a title that lost its blank: `DrSmith`, `ptGwendolyn`, `DrSa1azar`, never `MSContin`.
fn glued_title(word: &[u8], after: &[u8]) -> Option<usize> {
    let title = [&b"Dr"[..], b"Mrs", b"Mr", b"Ms", b"pt", b"Pt"].into_iter().find(|title| word.starts_with(title))?;
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
