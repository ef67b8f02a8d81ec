//! People told by what follows their name: `April (granddaughter)`, `Lindqvist (path)`, `Grant 555-0163`, `Kosi ("Ko")`,
//! and those who stand beside someone already known: `Achterberg/Okpara`, `R Lal, H Birt & W Cole`.

use super::found::Found;
use super::markers::Marker;
use super::people::add;
use super::plausible::{Lead, Likeness};
use super::runs::Trust;
use super::words::{Gap, Shape, Words};
use crate::detect::listed::{WordList, listed};
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// Services and places that stand in brackets behind a colleague's name.
static SERVICES: WordList = WordList::new(
    "path rads rad onc surg surgery genetics pharmd pharm navigator rn md np pa sw cm ccm pt ot slp rt \
                        chaplain genetic gyn radiology pathology oncology pharmacy nutrition palliative cards registrar \
                        registered consultant medical hem heme ir ent uro neuro psych ortho icu ed scribe",
);

/// Adds people whose names something after them tells.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 0..words.list.len() {
        if words.list[index].is_capital() {
            before_telephone(words, index, found);
        }
        if words.list[index].gap == Gap::Bracket {
            before_bracket(words, index, found);
            nickname(words, index, found);
        }
    }
}

/// `Joy Standing (daughter, 67)`, `Vang (rad onc)`.
fn before_bracket(words: &Words, index: usize, found: &mut Found) {
    if index == 0 || !words.between(index).trim_end().ends_with('(') {
        return;
    }
    let skipped = usize::from(matches!(words.text(index), "his" | "her" | "the" | "pt's" | "my"));
    let Some(role) = words.get(index + skipped) else { return };
    let kin = role.is(Marker::Kin) && !words.between_after(index + skipped).starts_with([':', '/']);
    let staff = matches!(role.marker, Some(Marker::CareRole | Marker::Credential | Marker::DoctorTitle))
        || SERVICES.contains(words.text(index + skipped));
    if !(kin || staff) || found.covers(words.list[index - 1].start..words.list[index - 1].end) {
        return;
    }
    let last = index - 1;
    let mut first = last;
    while first > 0
        && last - first < 3
        && matches!(words.list[first].gap, Gap::Space | Gap::Hyphen)
        && (words.list[first - 1].is_capital() && words.list[first - 1].marker.is_none()
            || words.list[first - 1].shape == Shape::Initial)
        && words.list[first - 1].end + 1 == words.list[first].start
    {
        first -= 1;
    }
    let capital = words.list[last].shape == Shape::Capital;
    if capital && words.is_name_word(last, Trust::Told) && words.is_person(first, last, Lead::Strong) {
        add(words, first, last, if staff { Label::Doctor } else { Label::Patient }, 0.8, found);
    }
}

/// `Grant 555-0163`, `NOK: GRANT 701 555 0163`: a name beside its number.
fn before_telephone(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let after = words.between_after(index).as_bytes();
    if !matches!(after, [b' ', b'0'..=b'9' | b'(' | b'+', ..]) || found.covers(word.start..word.end) {
        return;
    }
    let number = after.iter().take(18).take_while(|byte| byte.is_ascii_digit() || b" -.()+".contains(byte));
    let digits = number.clone().filter(|byte| byte.is_ascii_digit()).count();
    let marks = number.clone().skip(2).filter(|byte| b"-.)".contains(byte)).count();
    let blanks = number.filter(|byte| **byte == b' ').count();
    let info = word.info;
    let named = info.given_count >= 1_000 || info.surname_count >= 2_000 && words.likeness_at(index) == Likeness::Name;
    if (marks > 0 || blanks >= 3)
        && matches!(digits, 7 | 10 | 11)
        && named
        && word.marker.is_none()
        && words.likeness_at(index) >= Likeness::Namesake
    {
        add(words, index, index, Label::Patient, 0.7, found);
    }
}

/// `Roy Plenty ("Tiny")`, `goes by "Red"`, `calls her "Ashu"`: one capital word in quotation marks beside a person.
fn nickname(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let opens = words.between(index).ends_with(['"', '“']);
    let closes = words.sentence[word.end..].starts_with(['"', '”']) || words.sentence[word.end..].starts_with(",\"");
    if !(opens && closes) || index == 0 || found.covers(word.start..word.end) {
        return;
    }
    if !word.is_capital()
        || word.end - word.start < 3
        || word.info.is_any(WordFlags::DRUG.union(WordFlags::ABBREVIATION))
    {
        return;
    }
    let before = &words.list[index - 1];
    // `Reino "Ray" Hietala`: a name around what its bearer is called.
    if let Some(after) = words.get(index + 1)
        && words.between(index) == " \""
        && words.between(index + 1) == "\" "
        && (before.shape, word.shape, after.shape) == (Shape::Capital, Shape::Capital, Shape::Capital)
        && words.likeness_at(index - 1).max(words.likeness_at(index + 1)) >= Likeness::Unknown
        && words.likeness_at(index - 1) > Likeness::Never
        && words.likeness_at(index + 1) > Likeness::Never
    {
        for part in index - 1..=index + 1 {
            if !found.covers(words.list[part].start..words.list[part].end) {
                add(words, part, part, Label::Patient, 0.7, found);
            }
        }
        return;
    }
    let person = found.covers(before.start..before.end);
    let says = listed!(
        words.text(index - 1),
        "calls her him them call prefers prefer dislikes nicknamed named called aka alias by name goes likes",
    );
    let led = says
        && (before.marker != Some(Marker::NoName)
            || index > 1
                && listed!(words.text(index - 2), "calls call called named nicknamed calling nickname address"));
    if person || led {
        add(words, index, index, Label::Patient, 0.75, found);
    }
}

/// Adds those who stand beside a person already found, and every other mention of the same words in the sentence.
pub(super) fn companions(words: &Words, found: &mut Found) {
    let mut at = 0;
    let mut rounds = 0;
    while let Some((start, end, label)) = found.nth(at) {
        at += 1;
        rounds += 1;
        if rounds > 64 {
            return;
        }
        if !label.is_person() {
            continue;
        }
        let next = words.list.partition_point(|word| word.start < end);
        let first = words.list.partition_point(|word| word.start < start);
        beside(words, next, end, label, found);
        ahead(words, first, label, found);
        again(words, first, next, label, found);
    }
}

/// `/Okpara`, `& W Cole`, `, S Lal` after a person.
fn beside(words: &Words, next: usize, end: usize, label: Label, found: &mut Found) {
    let Some(word) = words.get(next) else { return };
    if word.start < end || found.covers(word.start..word.end) {
        return;
    }
    let between = words.sentence[end..word.start].trim();
    // `Roy Hale ("Tiny")`, `Hank Daley; "Red"`: what they are called.
    let quoted =
        between.ends_with(['"', '“']) && between.len() <= 4 && words.between_after(next).starts_with(['"', '”']);
    if quoted && word.is_capital() && word.end - word.start > 2 && !word.info.is(WordFlags::DRUG) {
        found.add(word.start..word.end, label, 0.7);
        return;
    }
    let lead = match between {
        "/" | "&" | "+" | ";" => Some(Lead::Weak),
        "," if word.shape == Shape::Initial => Some(Lead::Weak),
        _ => None,
    };
    let Some(lead) = lead else { return };
    if let Some(last) = words.person_from(next, lead, false) {
        add(words, next, last, label, 0.6, found);
    }
}

/// The first of two around a slash: `Achterberg/` before a person.
fn ahead(words: &Words, first: usize, label: Label, found: &mut Found) {
    if first == 0 || !matches!(words.between(first).trim(), "/" | "&") {
        return;
    }
    let word = &words.list[first - 1];
    // `C Young/J Castaneda`
    let initialled = first > 1
        && words.list[first - 2].shape == Shape::Initial
        && words.between(first - 1) == " "
        && word.shape == Shape::Capital
        && words.list[first].shape == Shape::Initial
        && word.info.surname_count >= 1_000;
    if initialled && !found.covers(word.start..word.end) {
        add(words, first - 2, first - 1, label, 0.6, found);
        return;
    }
    if word.is_capital()
        && !found.covers(word.start..word.end)
        && words.likeness_at(first - 1) >= Likeness::Unknown
        && words.is_person(first - 1, first - 1, Lead::Weak)
    {
        add(words, first - 1, first - 1, label, 0.6, found);
    }
}

/// The same name again in the sentence: `trainer Trey Bui. Per Bui, …`.
fn again(words: &Words, first: usize, next: usize, label: Label, found: &mut Found) {
    if next - first > 4 || words.list.len() > 400 {
        return;
    }
    for known in first..next {
        let word = &words.list[known];
        if !word.is_capital() || word.end - word.start < 3 || word.info.is(WordFlags::EPONYM) {
            continue;
        }
        for other in 0..words.list.len() {
            let same = words.list[other].is_capital()
                && words.list[other].end - words.list[other].start == word.end - word.start
                && words.text(other) == words.text(known);
            let range = words.list[other].start..words.list[other].end;
            if same && other != known && !found.covers(range.clone()) && !words.is_eponym(other) {
                found.add(range, label, 0.6);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn what_follows_tells_a_person() {
        assert_eq!(people("Present: June (granddaughter), Weston (rads)"), ["June", "Weston"]);
        assert_eq!(people("Call Imogen 555-0142 first"), ["Imogen"]);
        assert_eq!(people("Theo Vance (\"Moose\") came"), ["Theo Vance", "Moose"]);
    }

    #[test]
    fn companions_share_the_context() {
        assert_eq!(people("Surgeon: Adeleke/Brandt"), ["Adeleke", "Brandt"]);
        assert_eq!(people("Drs R Lowther, P Nair & W Okafor-Dale"), ["R Lowther", "P Nair", "W Okafor-Dale"]);
    }
}
