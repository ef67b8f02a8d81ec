//! Names that a note says again where nothing by itself tells that they are names.
//!
//! ```text
//! "Sol: tell Stern the ride is booked⏎Shreya: Stern's at the VA tues"   Stern: found in one line, so found in the other
//! "701: Pavlenko - ETOH⏎702: Okafor - DKA⏎704: Young - sundowning"      the line of a list whose other lines hold names; and its rooms
//! "8201 Okafor 59F⏎8204 Reading 91M⏎8211 empty⏎to do: 8201 bmp"         the rooms of a list, where nobody lies, and where it speaks of them
//! ```
//!
//! The second pass asks all notes of a patient, and so leaves out what is an ordinary word; in the same note, written the same way and
//! where people are spoken of, it is the same person.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::listed::listed;
use super::neighbours::Taken;
use super::reading::plainly;
use super::veto;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Detector, Label, Span};
use crate::text::{Token, TokenKind, tokens};

/// How sure a name must be to be looked for again, and one that speaks once to speak again.
const CONFIDENT: f32 = 0.8;
const LIKELY: f32 = 0.5;
/// How sure it is there.
const SCORE: f32 = 0.6;
/// The word before a name begins within so many bytes.
const REACH: usize = 40;
/// Shorter words are abbreviations of many things.
const SHORTEST: usize = 3;
/// As many names are looked for in a note one by one.
const FEW: usize = 32;
/// Who begins so many lines speaks there, and so many are called by what is a name.
const FEWEST_LINES: usize = 3;
const FEWEST_BEARERS: u32 = 1_000;
/// So many lines of one form, with a name, make a list of persons.
const FEWEST_ROWS: usize = 2;

/// Adds the names of a note that stand there again, and what its lists of rooms and persons hold.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let taken = Taken::by(spans);
    let mut found = again(text, spans, &taken);
    found.extend(speakers(text));
    found.extend(rows(text, spans));
    let heads: HashSet<usize> = found.iter().map(|span| span.start).collect();
    found.extend(rooms_again(text, spans).into_iter().filter(|room| !heads.contains(&room.start)));
    taken.retain_free(&mut found);
    spans.extend(found);
}

/// Confident names of one word, or the words of longer ones, at further places.
fn again(text: &str, spans: &[Span], taken: &Taken) -> Vec<Span> {
    let mut names: HashMap<String, (Class, bool)> = HashMap::new();
    for span in spans.iter().filter(|span| is_person(span) && span.sureness() >= LIKELY) {
        // As it is read, not as it is written: an entity or a dash parts words.
        for word in plainly(&text[span.start..span.end]).split([' ', ',', '-']) {
            let named = word.chars().count() >= SHORTEST
                && word.starts_with(char::is_uppercase)
                && word.chars().all(char::is_alphabetic);
            // Two letters are known again only where they speak: `DK 2:15a: on it⏎DK: qtc?`
            let initials = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
            if initials && (span.start == 0 || text[..span.start].ends_with('\n')) {
                names.entry(word.to_owned()).or_insert((span.leading().class, false));
            }
            if named {
                let known = names.entry(word.to_owned()).or_insert((span.leading().class, false));
                known.1 |= span.sureness() >= CONFIDENT;
            }
        }
    }
    // Most names stand nowhere else, which is seen without a look at every word; many take longer to look for one by one.
    if names.len() <= FEW {
        names.retain(|name, _| {
            let mut places = memchr::memmem::find_iter(text.as_bytes(), name);
            places.any(|start| taken.is_free(start, start + name.len()))
        });
    }
    if names.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for token in tokens(text).filter(|token| token.kind == TokenKind::Word) {
        let range = start_behind_break(text, &token)..token.end;
        let Some(&(class, sure)) = names.get(&text[range.clone()]) else { continue };
        if speaks(text, &range) || sure && is_of_a_person(text, &range) {
            found.push(Span::new(range.start, range.end, class, Detector::SecondPass, SCORE));
        }
    }
    found.retain(|span| !veto::is_term(text, span));
    found
}

/// Where a word begins whose first letter is that of a line break which is written out before it: `\nStern`.
fn start_behind_break(text: &str, token: &Token) -> usize {
    let mut letters = token.text(text).chars();
    let glued = matches!(letters.next(), Some('n' | 'r')) && letters.next().is_some_and(char::is_uppercase);
    token.start + usize::from(glued && text[..token.start].ends_with('\\'))
}

/// What stands before a word, without the line break that is written out right before it; and whether there is one.
fn before_break<'t>(text: &'t str, range: &Range<usize>) -> (&'t str, bool) {
    let before = &text[..range.start];
    let bare = before.strip_suffix("\\n").or_else(|| before.strip_suffix("\\r"));
    (bare.unwrap_or(before), bare.is_some())
}

fn is_person(span: &Span) -> bool {
    span.leading().class.label.is_person()
}

/// Whether a word stands where persons do: it owns, is asked or called.
fn is_of_a_person(text: &str, range: &Range<usize>) -> bool {
    let ((before, begins), after) = (before_break(text, range), &text[range.end..]);
    if !begins && before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '.'))
        || after.starts_with(|c: char| c.is_alphanumeric() || c == '-')
    {
        return false;
    }
    let owns = ["'s ", "’s "].iter().any(|mark| after.starts_with(mark));
    let asked = after.starts_with('?');
    let lead = tail(before, REACH).trim_end_matches(' ');
    let lead = lead.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let told = (begins || before.ends_with(' '))
        && listed!(
            lead,
            "call called calls tell told ask asked page paged text texted email emailed with w/ d/w per by from thank \
             thanks cc attn and & @ notify notified let remind message msg"
        );
    owns || asked || told
}

/// `Pat: thanks`: whether a word begins a line, as the one who speaks there.
fn speaks(text: &str, range: &Range<usize>) -> bool {
    let (before, begins) = before_break(text, range);
    let before = before.trim_end_matches([' ', '\t']);
    (begins || before.is_empty() || before.ends_with('\n')) && text[range.end..].starts_with(':')
}

/// At most so many bytes of the end of a text.
fn tail(text: &str, bytes: usize) -> &str {
    let mut from = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// Given names that begin three lines or more, with a colon behind them: who writes in a chat is called by whatever word (`Precious: yes`).
fn speakers(text: &str) -> Vec<Span> {
    let mut heads: HashMap<&str, Vec<Range<usize>>> = HashMap::new();
    for (start, line) in lines(text) {
        let Some((head, _)) = line.split_once(':') else { continue };
        let name = head.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let is_written = name.chars().count() >= SHORTEST
            && name.starts_with(char::is_uppercase)
            && name.chars().skip(1).all(char::is_lowercase);
        if is_written {
            let end = start + head.len();
            heads.entry(name).or_default().push(end - name.len()..end);
        }
    }
    let is_given = |name: &str| {
        let info = Lexicon::shared().word(name);
        info.given_count >= FEWEST_BEARERS
            && !listed!(
                name,
                "max baby art sun cash mark sol val mel dia sat may june april august will grant page bill"
            )
            && !info.is_any(WordFlags::HEADING.union(WordFlags::MEDICAL).union(WordFlags::CARE_ROLE))
    };
    let speaking = heads.into_iter().filter(|(name, places)| places.len() >= FEWEST_LINES && is_given(name));
    let span = |place: Range<usize>| Span::new(place.start, place.end, Label::Doctor, Detector::SecondPass, SCORE);
    speaking.flat_map(|(_, places)| places.into_iter().map(span)).filter(|span| !veto::is_term(text, span)).collect()
}

/// A line of a list: a number, a mark, and a word.
struct Row {
    number: Range<usize>,
    word: Range<usize>,
}

/// The names and the rooms of lines that have the form of others which hold names.
fn rows(text: &str, spans: &[Span]) -> Vec<Span> {
    let rows: Vec<Row> = lines(text).filter_map(|(start, line)| Row::of(start, line)).collect();
    if rows.len() <= FEWEST_ROWS {
        return Vec::new();
    }
    let persons: HashMap<usize, Class> =
        spans.iter().filter(|span| is_person(span)).map(|span| (span.start, span.leading().class)).collect();
    let known: Vec<_> = rows.iter().filter_map(|row| persons.get(&row.word.start)).collect();
    let Some(&&class) = known.first().filter(|_| known.len() >= FEWEST_ROWS) else { return Vec::new() };
    let mut found = Vec::new();
    for row in &rows {
        found.push(Span::new(row.word.start, row.word.end, class, Detector::SecondPass, SCORE));
        found.push(Span::new(row.number.start, row.number.end, Label::Hospital, Detector::SecondPass, SCORE));
    }
    found
}

/// The rooms that lines begin with, in a list of two or more where a person stands behind them: such lines without one, and the same rooms
/// anywhere else.
fn rooms_again(text: &str, spans: &[Span]) -> Vec<Span> {
    let persons: HashSet<usize> = spans.iter().filter(|span| is_person(span)).map(|span| span.start).collect();
    let heads = || lines(text).filter_map(|(start, line)| room_at_head(start, line));
    let lies_there = |room: &Range<usize>| {
        let gap = text[room.end..].len() - text[room.end..].trim_start_matches([' ', '\t', ':', '-', '|', '.']).len();
        gap > 0 && persons.contains(&(room.end + gap))
    };
    let rooms: HashSet<&str> = heads().filter(lies_there).map(|room| &text[room]).collect();
    if rooms.len() < FEWEST_ROWS {
        return Vec::new();
    }
    let floor = |room: &str| room[..room.len() - 2].to_owned();
    let floors: HashSet<String> = rooms.iter().map(|room| floor(room)).collect();
    let alike = heads().filter(|room| floors.contains(&floor(&text[room.clone()])));
    let free =
        |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')' | '.' | '/'));
    let again = tokens(text).map(|token| token.start..token.end).filter(|range| {
        let (before, after) = (&text[..range.start], &text[range.end..]);
        rooms.contains(&text[range.clone()]) && free(before.chars().next_back()) && free(after.chars().next())
    });
    let found: BTreeSet<(usize, usize)> = alike.chain(again).map(|room| (room.start, room.end)).collect();
    found.into_iter().map(|(start, end)| Span::new(start, end, Label::Hospital, Detector::SecondPass, SCORE)).collect()
}

/// Three or four digits at the head of a line, and a blank or a colon; no clock time, as `0815 Okafor called` has.
fn room_at_head(start: usize, line: &str) -> Option<Range<usize>> {
    let head = Head::of(start, line);
    let is_free = head.rest.starts_with([' ', ':', '\t', '|']);
    let is_clock =
        head.digits.len() == 4 && head.digits.parse().is_ok_and(|clock: u32| clock < 2400 && clock % 100 < 60);
    (head.is_room() && is_free && !is_clock).then_some(head.start..head.start + head.digits.len())
}

/// What a line begins with: digits, and what stands behind them.
struct Head<'t> {
    start: usize,
    digits: &'t str,
    rest: &'t str,
}

impl<'t> Head<'t> {
    fn of(start: usize, line: &'t str) -> Self {
        let bare = line.trim_start();
        let (digits, rest) = bare.split_at(bare.bytes().take_while(u8::is_ascii_digit).count());
        Self { start: start + line.len() - bare.len(), digits, rest }
    }

    /// Whether as many digits as a room has, without the letter of a bed.
    fn is_room(&self) -> bool {
        (3..=4).contains(&self.digits.len())
    }
}

/// The lines of a text without what ends them, each with its first byte: a line feed, a carriage return, or both.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split('\n').flat_map(move |line| {
        let mut first = start;
        start += line.len() + 1;
        line.strip_suffix('\r').unwrap_or(line).split('\r').map(move |line| {
            let begun = first;
            first += line.len() + 1;
            (begun, line)
        })
    })
}

impl Row {
    /// `704: Young - 87`, `14-A Bell - dehiscence`: a room, and what may be a name up to a dash or a comma.
    fn of(start: usize, line: &str) -> Option<Self> {
        let head = Head::of(start, line);
        let (digits, rest) = (head.digits.len(), head.rest);
        let bed = rest.strip_prefix('-').unwrap_or(rest);
        let letter = bed.starts_with(|c: char| c.is_ascii_uppercase()) && !bed[1..].starts_with(char::is_alphabetic);
        // `1.` and `2)` count the items of a list.
        if !(head.is_room() || letter && (1..=2).contains(&digits)) {
            return None;
        }
        let letters = if letter { rest.len() - bed.len() + 1 } else { 0 };
        let number = head.start..head.start + digits + letters;
        let after = rest[letters..].trim_start_matches([':', ' ', '.', ')', '-', '|', '\t']);
        let word = after.bytes().take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'\'')).count();
        let mark = after[word..].trim_start_matches(' ');
        let closes = mark.is_empty() || mark.starts_with(['-', '–', ',', '|', '(', '\r']);
        let name = word >= SHORTEST && after.starts_with(|c: char| c.is_ascii_uppercase()) && closes;
        let begin = start + line.len() - after.len();
        name.then_some(Self { number, word: begin..begin + word })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a text of which the parts in `⟦⟧` are claimed as doctors.
    fn found(marked: &str) -> Vec<String> {
        let (mut text, mut spans) = (String::new(), Vec::new());
        for (at, part) in marked.split(['⟦', '⟧']).enumerate() {
            if at % 2 == 1 {
                spans.push(Span::new(text.len(), text.len() + part.len(), Label::Doctor, Detector::Dictionary, 0.9));
            }
            text.push_str(part);
        }
        let known = spans.len();
        find(&text, &mut spans);
        spans[known..].iter().map(|span| text[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn a_word_that_was_a_name_is_one_again_where_persons_are() {
        assert_eq!(found("tell ⟦Stern⟧ about it\nShreya: Stern's at the VA"), ["Stern"]);
        assert_eq!(found("Dr ⟦Berger⟧ on call\nBerger? no answer, call Berger at home"), ["Berger", "Berger"]);
        assert_eq!(found("⟦Ana⟧: is it tonight?\nAna: fine"), ["Ana"]);
        assert_eq!(found("tell ⟦Frey–Stern⟧ about it\nShreya: Stern's at the VA"), ["Stern"]);
        assert_eq!(found("tell ⟦Zebulon&nbsp;Stern⟧ of the nbsp\nnbsp? call Stern at home"), ["Stern"]);
        for other in [
            "Dr. ⟦Strong⟧ came. Strong pulses.",
            "Dr. ⟦Bishop⟧: see Bishop score 6",
            "Dr. ⟦Hawkins⟧, Hawkinson's sister",
        ] {
            assert_eq!(found(other), [] as [&str; 0], "{other}");
        }
    }

    #[test]
    fn who_begins_three_lines_speaks() {
        assert_eq!(
            found("Precious: LDR 7 is up\nHalim: ok\nPrecious: pos, pcn x3\n0452 Precious: +2"),
            ["Precious"; 3]
        );
        assert_eq!(found("Precious: yes\nPrecious: no"), [] as [&str; 0]);
        assert_eq!(found("Plan: rest\nPlan: rest\nPlan: rest\nDose: 1\nDose: 2\nDose: 3"), [] as [&str; 0]);
    }

    #[test]
    fn initials_speak_again() {
        assert_eq!(found("⟦DK⟧ 2:15a: on my way\nDK: qtc?\nRN: 488\nDK level 3"), ["DK"]);
    }

    #[test]
    fn a_written_line_break_is_no_part_of_a_name() {
        assert_eq!(found("tell ⟦Stern⟧ it\\nStern's at the VA\\r\\nStern? no answer"), ["Stern", "Stern"]);
        assert_eq!(found("⟦Ana⟧: is it tonight?\\nAna: fine"), ["Ana"]);
        assert_eq!(found("tell ⟦Stern⟧ it, unStern's, \\neStern's"), [] as [&str; 0]);
    }

    #[test]
    fn rooms_of_a_list() {
        assert_eq!(
            found(
                "8201 ⟦Okafor⟧ 59F DKA\n8204 ⟦Reading⟧ 91M pna\n8211 empty\n1530 rounds\nto do: 8201 bmp 2200, 8204 cbc"
            ),
            ["8201", "8204", "8211", "8201", "8204"]
        );
        assert_eq!(found("0815 ⟦Okafor⟧ called\n1900 pt asleep"), [] as [&str; 0]);
    }

    #[test]
    fn rows_of_rooms_and_persons() {
        assert_eq!(
            found("701: ⟦Pavlenko⟧ - ETOH\n702: ⟦Okafor⟧ - DKA\n704: Young - 87, sundowning"),
            ["701", "702", "Young", "704"]
        );
        assert_eq!(found("1. ⟦Pavlenko⟧ - a\n2. ⟦Okafor⟧ - b\n3. Pneumonia - c"), [] as [&str; 0]);
        assert_eq!(found("150: ⟦Pavlenko⟧ - a\n151: Glucose - b\n152: Potassium - c"), [] as [&str; 0]);
    }
}
