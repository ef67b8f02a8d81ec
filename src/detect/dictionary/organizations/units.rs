//! Named and numbered units, rooms and beds: `Birch Unit`, `EP Lab 2`, `Pod C`, `5W-18`, `K12 bed 4`.

use super::named::{is_generic, is_proper};
use super::naming::is_column;
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::words::{Cues, Gap, Shape, Words};
use crate::detect::listed::listed;
use crate::phi::Label;

/// Words before the number of a unit.
pub(super) const NUMBERED: &str = "ldr ldrp tele telemetry endoscopy endo theatre theater lab pod clinic rm resus majors minors triage \
                        cubicle conf angio hall trauma mb pp ante obs preop pre-op postop fluoro angio medsurg procedure chair station pavilion";
/// Words that end the name of a unit.
pub(super) const NAMED: &str = "unit ward wing pavilion suite pod floor neighborhood cottage nicu picu";

/// Whether a word ends the name of a unit or stands before its number.
pub(in crate::detect::dictionary) fn is_unit(word: &str) -> bool {
    listed!(word, NUMBERED) || listed!(word, NAMED)
}

/// Adds the unit that the word at `index` belongs to.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let length = word.end - word.start;
    match length {
        1 => coded(words, index, found),
        2..=10 if word.shape != Shape::Lower && word.cues.has(Cues::UNIT) => {
            numbered(words, index, found);
            named(words, index, found);
        }
        _ => {}
    }
}

/// `5W-18`, `E2-07`: a wing, a floor and a bed; `K12 bed 4`: a ward before its bed.
fn coded(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let bytes = words.sentence.as_bytes();
    let compass = matches!(bytes[word.start], b'N' | b'E' | b'W' | b'S');
    if !bytes[word.start].is_ascii_uppercase() {
        return;
    }
    let digits =
        |from: usize| bytes.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
    let before = bytes[..word.start].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let start = word.start - before;
    if start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || matches!(bytes[start - 1], b'-' | b'/' | b'.' | b'#'))
    {
        return;
    }
    let after = digits(word.end);
    let bed = |from: usize| {
        let bed = digits(from + 1);
        let end = from + 1 + bed;
        let free = !bytes.get(end).is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, b'-' | b'/'));
        (bytes.get(from) == Some(&b'-') && bed == 2 && free).then_some(end)
    };
    if (1..=2).contains(&before) && after == 0 && compass {
        if let Some(end) = bed(word.end) {
            found.add(start..end, Label::Hospital, 0.8);
        }
    } else if before == 0 && after == 1 && compass {
        if let Some(end) = bed(word.end + 1) {
            found.add(word.start..end, Label::Hospital, 0.7);
        }
    } else if before == 0 && after == 2 {
        let end = word.end + after;
        if words.sentence[end..]
            .strip_prefix(" bed ")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            found.add(word.start..end, Label::Hospital, 0.8);
        }
    }
}

/// `Theatre 2`, `EP Lab 2`, `LDR 6`, `Pod C`.
fn numbered(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let text = words.text(index);
    let rest = words.between_after(index);
    let Some(value) = rest.strip_prefix(' ') else { return };
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let letter = digits == 0 && value.as_bytes().first().is_some_and(|byte| (b'A'..=b'H').contains(byte));
    if !(letter || (1..=3).contains(&digits)) || !listed!(text, NUMBERED) {
        return;
    }
    let lettered = listed!(text, "pod clinic theatre theater hall pavilion");
    if letter && !lettered || digits == 1 && listed!(text, "mb pp ante") {
        return;
    }
    // `POD 3` is a day after an operation, `Pod 3` a place.
    if text == "POD" && digits > 0 {
        return;
    }
    let mut end = word.end + 1 + digits + usize::from(letter);
    let bytes = words.sentence.as_bytes();
    if digits > 0 && bytes.get(end).is_some_and(u8::is_ascii_uppercase) {
        end += 1;
    }
    let free = !bytes.get(end).is_some_and(|next| {
        next.is_ascii_alphanumeric()
            || matches!(next, b'/' | b'%' | b'-' | b'+' | b'\'')
            || matches!(next, b'.' | b':') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
    });
    let counted = words.get(index + 1).filter(|next| next.start > end).is_some_and(|_| {
        listed!(
            words.text(index + 1),
            "weeks week wks days day months mo hours hrs h x times visits am pm min minutes level",
        )
    });
    let lab = text.eq_ignore_ascii_case("lab")
        && !(index > 0 && listed!(words.text(index - 1), "ep cath cardiac angio ir pft sleep vascular echo"));
    if !free || counted || lab {
        return;
    }
    let qualified = index > 0
        && word.gap == Gap::Space
        && words.list[index - 1].is_capital()
        && !is_column(words, index)
        && listed!(
            words.text(index - 1),
            "ep cath cardiac angio ortho surgical medical pft conf exam peds hybrid resus",
        );
    found.add(words.list[index - usize::from(qualified)].start..end, Label::Hospital, 0.7);
}

/// `Birch Unit`, `the Harlan Wing`.
fn named(words: &Words, index: usize, found: &mut Found) {
    let head = &words.list[index];
    if index == 0 || head.gap != Gap::Space || is_column(words, index) || !listed!(words.text(index), NAMED) {
        return;
    }
    let name = index - 1;
    let word = &words.list[name];
    if !word.is_capital() || is_generic(words, name) || word.marker.is_some() || words.is_eponym(name) {
        return;
    }
    let person = word.info.given_count > 1_000
        && (start_of(words, name) || !matches!(words.text(index), "Unit" | "UNIT" | "Wing" | "Pavilion"));
    if person {
        return;
    }
    let rare = is_proper(words, name) || word.info.english_size().is_some_and(|size| size > 20);
    let start = word.gap == Gap::Start;
    let led = name > 0 && (listed!(words.text(name - 1), "the on to from in at of") || word.gap == Gap::Comma);
    let shouted = words.shouted && !(start || led);
    if rare && !shouted && (led || is_proper(words, name) || start && words.shouted) {
        let first = if name > 0
            && words.list[name - 1].is_capital()
            && word.gap == Gap::Space
            && is_proper(words, name - 1)
            && !is_generic(words, name - 1)
        {
            name - 1
        } else {
            name
        };
        found.add(words.list[first].start..head.end, Label::Hospital, 0.7);
    }
}

fn start_of(words: &Words, index: usize) -> bool {
    words.list[index].gap == Gap::Start
}
