//! Where a line ends: at a character that ends it, or at a break that an export wrote out as text.
//!
//! ```text
//! "Attending⏎"   "Attending\u{2028}"               a character
//! "Attending\nOsei\r\nMRN\.br\00417<br>Age</p>"    written out: a backslash and an n, the break of HL7, tags of web pages
//! "Attending\par Osei"                             the end of a paragraph of RTF
//! "C:\notes"  "HOSP\nlee"                          a path and a user, which look the same
//! ```
//!
//! A break that is written out ends a sentence, always, and belongs to it; so do the next ones right behind it. `\n` and `\r` are breaks
//! unless a small letter (or a backslash that begins none) follows: then only if there is another one near, in their line and in
//! another word. An exported note has many of them, a path is one word.

use super::marks::is_blank;

/// The tags that end a line, opening and closing.
const TAGS: [&str; 5] = ["br", "p", "div", "li", "tr"];
/// No break is written out in more bytes: `</div />`.
const LONGEST: usize = 8;
/// A run of written breaks is no longer, in bytes; what is left of it is a sentence of its own.
const LONGEST_RUN: usize = 64;
/// How far another `\n` may stand from one that may be a part of a path, in bytes.
const NEAR: usize = 200;

/// Whether a character ends a line; the carriage return of a pair ends it, too, and leaves an empty one.
pub(super) const fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\x0B' | '\x0C' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The length of the character at `at` if it ends a line, else 0.
#[inline]
pub(super) fn length_at(bytes: &[u8], at: usize) -> usize {
    match &bytes[at..] {
        [b'\n' | b'\r' | b'\x0B' | b'\x0C', ..] => 1,
        [0xC2, 0x85, ..] => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}

/// How many lines end in the white space between two sentences. Feeds are counted alone where there are any, and returns before
/// other breaks: `\r\r\n` is one.
pub(super) fn count(gap: &str) -> usize {
    let count = |byte| memchr::memchr_iter(byte, gap.as_bytes()).count();
    match (count(b'\n'), count(b'\r')) {
        (0, 0) if gap.bytes().all(is_blank) => 0,
        (0, 0) => gap.chars().filter(|character| is_break(*character)).count(),
        (0, returns) => returns,
        (feeds, _) => feeds,
    }
}

/// Where the sentence ends if a break is written out at `at`: behind it and those that follow it.
pub(crate) fn end_of_written(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut end = at + written(&bytes[at..])?;
    if may_be_path(text, at, end) && !has_another(bytes, at) {
        return None;
    }
    loop {
        let next = end + bytes[end..].iter().take(LONGEST_RUN).take_while(|byte| is_blank(**byte)).count();
        match written(&bytes[next..]) {
            Some(length) if next + length - at <= LONGEST_RUN => end = next + length,
            _ => return Some(end),
        }
    }
}

/// A sentence without the breaks that are written out at its end, and how many lines those end.
pub(in crate::text) fn without_written(sentence: &str) -> (&str, usize) {
    let (mut words, mut lines) = (sentence, 0);
    while let Some(start) = start_of_written(words.as_bytes()) {
        // `</p><p>` is one.
        lines += usize::from(!opens(&words.as_bytes()[start..]));
        words = words[..start].trim_end();
    }
    (words, lines.max(usize::from(words.len() < sentence.len())))
}

/// The length of the break that is written out where `rest` begins.
fn written(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'\\', b'r', b'\\', b'n', ..] => Some(4),
        [b'\\', b'n' | b'r', ..] => Some(2),
        [b'\\', b'.', b'b' | b'B', b'r' | b'R', b'\\', ..] => Some(5),
        [b'\\', b'p', b'a', b'r', behind @ ..]
            if !behind
                .first()
                .is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()) =>
        {
            Some(4)
        }
        [b'<', ..] => tag(rest),
        _ => None,
    }
}

/// The length of `<br>`, `<br/>`, `<br />`, `</p>` where `rest` begins.
fn tag(rest: &[u8]) -> Option<usize> {
    let from = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    let begins = |name: &&str| {
        rest.get(from..from + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    };
    let mut end = from + TAGS.iter().find(|name| begins(name))?.len();
    end += usize::from(rest.get(end) == Some(&b' '));
    end += usize::from(rest.get(end) == Some(&b'/'));
    (rest.get(end) == Some(&b'>')).then_some(end + 1)
}

/// Whether a break is a tag that opens what has a closing one, too.
fn opens(written: &[u8]) -> bool {
    matches!(written, [b'<', name, ..] if !matches!(name, b'/' | b'b' | b'B'))
}

/// Where the break begins that is written out at the end of a sentence.
fn start_of_written(sentence: &[u8]) -> Option<usize> {
    if !matches!(sentence, [.., b'n' | b'r' | b'\\' | b'>']) {
        return None;
    }
    let longest = sentence.len().saturating_sub(LONGEST);
    (longest..sentence.len()).find(|start| written(&sentence[*start..]) == Some(sentence.len() - start))
}

/// Whether the break from `at` to `end` is `\n` or `\r`, which have two bytes, and may be the beginning of a word in a path.
fn may_be_path(text: &str, at: usize, end: usize) -> bool {
    end - at == 2
        && match text[end..].chars().next() {
            Some('\\') => written(&text.as_bytes()[end..]).is_none(),
            next => next.is_some_and(char::is_lowercase),
        }
}

/// Whether another `\n` or `\r` stands near the one at `at`: in its line, in another word.
fn has_another(bytes: &[u8], at: usize) -> bool {
    let behind = &bytes[at..bytes.len().min(at + NEAR)];
    let behind = &behind[..memchr::memchr2(b'\n', b'\r', behind).unwrap_or(behind.len())];
    let before = &bytes[at.saturating_sub(NEAR)..at];
    let before = &before[memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1)..];
    let has_one =
        |part: &[u8]| memchr::memchr_iter(b'\\', part).any(|found| matches!(part.get(found + 1), Some(b'n' | b'r')));
    memchr::memchr2(b' ', b'\t', behind).is_some_and(|blank| has_one(&behind[blank..]))
        || memchr::memrchr2(b' ', b'\t', before).is_some_and(|blank| has_one(&before[..blank]))
}

#[cfg(test)]
mod tests {
    use super::super::sentences;
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn every_character_that_ends_a_line_ends_a_sentence() {
        for line_break in ["\n", "\r", "\r\n", "\x0B", "\x0C", "\u{85}", "\u{2028}", "\u{2029}", "\u{2028}\u{2028}"] {
            let text = ["Attending", "Kowalczyk, Zebulon", "MRN:", "8243958"].join(line_break);
            assert_eq!(cut(&text), ["Attending", "Kowalczyk, Zebulon", "MRN:", "8243958"], "{line_break:?}");
        }
        let wrapped = "The patient was seen in the clinic today with her daughter Mary\u{2028}Smith and has no pain.";
        assert_eq!(cut(wrapped), [wrapped]);
        assert_eq!(cut(&wrapped.replace('\u{2028}', "\u{2029}")).len(), 2);
        // Two of their bytes are those of other characters.
        assert_eq!(cut("5 µg at 37 °C – “well” … home"), ["5 µg at 37 °C – “well” … home"]);
    }

    #[test]
    fn a_break_that_is_written_out_ends_a_sentence() {
        let all =
            ["\\n", "\\r\\n", "\\.br\\", "<br>", "<br/>", "<br />", "<BR>", "</p>", "</p><p>", "\\n\\n", "\\n \\n"];
        for written in all {
            let text = ["Attending", "Kowalczyk, Zebulon", "MRN:", "8243958"].join(written);
            let ended = ["Attending", "Kowalczyk, Zebulon", "MRN:"].map(|words| format!("{words}{written}"));
            assert_eq!(cut(&text)[..3], ended, "{written}");
            assert_eq!(cut(&text)[3..], ["8243958"], "{written}");
        }
        assert_eq!(
            cut("{\\b Attending}\\par Osei\\par\\par }\\pard MRN\\part"),
            ["{\\b Attending}\\par", "Osei\\par\\par", "}\\pard MRN\\part"]
        );
        assert_eq!(cut("<p>Well.</p><p>Seen by Dr.<br>Lee</p>"), ["<p>", "Well.</p><p>", "Seen by Dr.<br>", "Lee</p>"]);
        assert_eq!(cut("no pain\\nseen with\\ndr. lee"), ["no pain\\n", "seen with\\n", "dr. lee"]);
        assert_eq!(cut("no pain\\n\\nseen again"), ["no pain\\n\\n", "seen again"]);
        assert_eq!(cut("no pain\\r\\nseen again"), ["no pain\\r\\n", "seen again"]);
    }

    #[test]
    fn paths_users_and_signs_are_no_breaks() {
        for whole in
            ["see C:\\notes\\new\\results", "by HOSP\\nlee today", "\\x \\nurse", "Hb <10 and <br", "a <pre> b"]
        {
            assert_eq!(cut(whole), [whole]);
        }
        assert_eq!(cut("see C:\\notes today\nno pain\\n"), ["see C:\\notes today", "no pain\\n"]);
    }

    #[test]
    fn a_run_of_written_breaks_has_an_end() {
        for (unit, times) in [("\\n", 9_000), ("<br> ", 9_000), ("\\na", 9_000), ("\\nb ", 9_000)] {
            let text = unit.repeat(times);
            assert!(sentences(&text).all(|range| range.len() <= 2_100), "{unit}");
        }
    }

    #[test]
    fn breaks_between_sentences_are_counted() {
        let gaps = [("", 0), (" \t", 0), ("\u{a0}", 0), ("\n ", 1), ("\r\n", 1), ("\r\r\n", 1), ("\r", 1), ("\r\r", 2)];
        let rare = [("\u{2028}", 1), (" \u{85}\u{85}", 2), ("\n\x0C", 1), ("\n\n", 2)];
        for (gap, lines) in gaps.into_iter().chain(rare) {
            assert_eq!(count(gap), lines, "{gap:?}");
        }
        for (sentence, words, lines) in [
            ("MRN:\\n", "MRN:", 1),
            ("MRN: \\r\\n", "MRN:", 1),
            ("Ann </p> <p>", "Ann", 1),
            ("Ann<p>", "Ann", 1),
            ("Ann\\.br\\\\n", "Ann", 2),
            ("<br>", "", 1),
            ("fever", "fever", 0),
            ("a > b", "a > b", 0),
            ("", "", 0),
        ] {
            assert_eq!(without_written(sentence), (words, lines), "{sentence}");
        }
    }
}
