//! People told by what the words before them say: `his wife Mary`, `Attending: R. Patel`, `signed by X`, `spoke
//! with Y`.

use super::found::Found;
use super::leads;
use super::markers::Marker;
use super::people::{add, label_near, names_someone, small_name};
use super::plausible::Lead;
use super::runs::{Trust, is_clean_name};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// `his wife Mary`, `son, Jack,`, `daughter (Anna)`, `sister named Rose`.
pub(super) fn kin(words: &Words, index: usize, found: &mut Found) {
    let Some(next) = words.get(index + 1) else { return };
    let mut first = index + 1;
    if next.gap == Gap::Space
        && next.shape == Shape::Lower
        && matches!(words.text(first), "is" | "named" | "called" | "name" | "and")
    {
        first += 1;
        if matches!(words.get(first), Some(word) if word.shape == Shape::Lower && matches!(words.text(first), "is" | "named"))
        {
            first += 1;
        }
    }
    if is_present(words, first) {
        first += 1;
    }
    let Some(word) = words.get(first) else { return };
    let gap = word.gap;
    if !matches!(gap, Gap::Space | Gap::Comma | Gap::Bracket | Gap::Colon)
        || word.marker.is_some() && !word.is(Marker::Particle) && !names_someone(words, first)
    {
        return;
    }
    if word.shape == Shape::Lower && gap == Gap::Space && !words.shouted {
        leads::small(words, first, Label::Patient, found);
        return;
    }
    if is_nickname(words, first) {
        add(words, first, first, Label::Patient, 0.85, found);
        return;
    }
    let Some(last) = words.name_from(first, Trust::Told, gap == Gap::Colon) else {
        return;
    };
    let info = word.info;
    let several = last > first;
    let given = info.given_count >= 100;
    let english = info.english_size().is_some_and(|size| size <= 50) || info.is_any(MEDICAL);
    let fits = match () {
        () if words.shouted && several && words.is_person(first, last, Lead::Weak) => true,
        () if words.shouted => given && !english || gap == Gap::Colon && (given || info.is(WordFlags::SURNAME)),
        () if english && gap == Gap::Bracket && info.surname_count >= 1_000 && words.gap_after(last) == Gap::Comma => {
            word.shape == Shape::Capital
        }
        () if english => {
            word.shape == Shape::Capital
                && (info.given_count >= 1_000 || several && given || is_called(words, index, first, last))
        }
        () => word.shape == Shape::Capital || given || info.is(WordFlags::SURNAME),
    };
    // `son: Asperger's.`
    let behind = &words.sentence[words.list[last].end..];
    let owned = behind.starts_with("'s") || behind.starts_with("’s");
    let disease = info.is(WordFlags::EPONYM) && info.given_count < 1_000 && (gap == Gap::Space || owned)
        || words.look_up(index, last).is(WordFlags::EPONYM);
    if fits && !disease && !words.is_eponym(last) {
        add(words, first, last, Label::Patient, if given || gap == Gap::Colon { 0.95 } else { 0.8 }, found);
        conjoined_given(words, last, found);
    }
}

/// `grandson "Duff"`: one word with a capital that fills quotation marks, whatever it means elsewhere.
fn is_nickname(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    word.shape == Shape::Capital
        && word.marker.is_none()
        && !words.shouted
        && words.between(index).ends_with(['"', '“'])
        && words.between_after(index).starts_with(['"', '”'])
        && !word.info.is_any(MEDICAL)
        && !listed!(
            words.text(index),
            "fine ok okay better worse nothing help stop upset worried tired sad angry scared happy sick tearful later pending"
        )
}

/// `mom here (Lacey)`: whether the word at `index` says that kin are there, before a given name in brackets.
fn is_present(words: &Words, index: usize) -> bool {
    words.get(index).is_some_and(|word| word.gap == Gap::Space && word.shape == Shape::Lower)
        && listed!(words.text(index), "here present bedside aware updated")
        && words.get(index + 1).is_some_and(|name| {
            let behind = &words.sentence[name.end..];
            // `(May need a ride)`
            let ends = behind.starts_with([')', ',']) || words.get(index + 2).is_some_and(|next| next.is_capital());
            name.gap == Gap::Bracket && name.info.given_count >= 1_000 && ends
        })
}

/// `brother Rooster brings`, `neighbor Cookie.`, `friend Goose found him`: a capital in running text behind kin in small letters is what
/// they are called, whatever else the word means; `Brother Rooster` at the head of a line only where somebody acts.
fn is_called(words: &Words, kin: usize, first: usize, last: usize) -> bool {
    let word = &words.list[first];
    let next = words.get(last + 1);
    let follows = next.is_none_or(|next| next.gap != Gap::Space || next.shape == Shape::Lower);
    let running = words.list[kin].shape == Shape::Lower;
    first == last
        && first == kin + 1
        && word.gap == Gap::Space
        && word.marker.is_none()
        && !listed!(words.text(first), "reports denies states requests calls says wants notes visits asks agrees")
        && !word.info.is_any(MEDICAL.union(WordFlags::NATIONALITY).union(WordFlags::DRUG))
        && follows
        && (running || words.list[kin].gap == Gap::Start && super::names_alone::speaks(words, last))
}

/// `sons Jack and Will`, `Ann, Bob and Sue`.
fn conjoined_given(words: &Words, last: usize, found: &mut Found) {
    let mut at = last + 1;
    for _ in 0..6 {
        let Some(word) = words.get(at) else { return };
        let joint = matches!(words.text(at), "and" | "AND");
        let index = at + usize::from(joint);
        let Some(name) = words.get(index) else { return };
        if !(joint || word.gap == Gap::Comma)
            || name.shape != Shape::Capital
            || name.info.given_count < 500
            || name.marker.is_some()
        {
            return;
        }
        let Some(end) = words.name_from(index, Trust::Told, false) else {
            return;
        };
        add(words, index, end, Label::Patient, 0.85, found);
        at = end + 1;
    }
}

/// `Attending: R. Patel`, `PCP Smith`, `Patient Name: DOE, JANE Q`, `cc: Lee`.
pub(super) fn field(words: &Words, index: usize, label: Label, found: &mut Found) {
    if super::fields::names_a_thing(words, index) {
        return;
    }
    let mut first = index + 1;
    let mut colon = false;
    // Further words of the field: `Patient Name:`, `Attending Physician:`, `Name of patient:`, `Emergency contact:`, `pt's name is`.
    while let Some(word) = words.get(first) {
        colon |= matches!(words.sentence[words.list[first - 1].end..word.start].trim_end(), "-" | "–" | " -" | " –")
            && word.gap == Gap::Other;
        colon |= word.gap == Gap::Colon || words.sentence[words.list[first - 1].end..word.start].contains(':');
        let inner = !colon
            && first < index + 4
            && (matches!(
                word.marker,
                Some(
                    Marker::PersonField
                        | Marker::CareRole
                        | Marker::Kin
                        | Marker::PlaceLead
                        | Marker::By
                        | Marker::Connector
                )
            ) || matches!(
                words.text(first),
                "is" | "s"
                    | "Is"
                    | "Last"
                    | "First"
                    | "Full"
                    | "Legal"
                    | "Preferred"
                    | "was"
                    | "Initials"
                    | "Signature"
            ));
        if !inner {
            break;
        }
        first += 1;
    }
    let Some(next) = words.get(first) else { return };
    // `RE: FW: your visit`: what programs for mail put before a subject.
    if colon && listed!(words.text(first), "fw fwd") {
        return;
    }
    let told = colon || first > index + 1 && matches!(words.text(first - 1), "is" | "was");
    if told && matches!(next.gap, Gap::Colon | Gap::Space | Gap::Bracket | Gap::Other | Gap::Comma) {
        let Some(last) = words.name_from(first, Trust::Told, true) else {
            return;
        };
        if is_plausible_value(words, first, last, label, colon) {
            add(words, first, last, label, 0.9, found);
        }
    } else if next.gap == Gap::Space && next.shape == Shape::Upper && label == Label::Doctor {
        // `CRNA YOUNG, CHRISTIAN`, `TRAINER TREY BUI`: capitals alone make no names.
        if let Some(last) = words.person_from(first, Lead::Weak, true) {
            add(words, first, last, label, 0.7, found);
        }
    } else if next.gap == Gap::Space
        && !words.shouted
        && (words.is_name_word(first, Trust::Told) || next.shape == Shape::Initial)
    {
        // Without a colon, only names that are nothing else: `PCP Smith`, `patient Garcia`.
        let role = matches!(words.text(index), "re" | "RE" | "Re" | "name" | "Name");
        let Some(last) = words.name_from(first, Trust::Told, next.shape == Shape::Upper) else {
            return;
        };
        let clean = (first..=last).any(|part| is_clean_name(&words.list[part]))
            && next.info.english_size().is_none_or(|size| size > 50);
        let near =
            (index + 1..first).all(|at| matches!(words.list[at].marker, Some(Marker::CareRole | Marker::Credential)));
        let staff = near
            && label == Label::Doctor
            && words.is_person(first, last, Lead::Strong)
            && next.shape == Shape::Capital;
        if (clean || staff) && !role && !words.is_eponym(last) {
            add(words, first, last, label, 0.8, found);
        }
    }
}

/// Whether what follows a field is a name: some word of it is one, or no word is any other.
fn is_plausible_value(words: &Words, first: usize, last: usize, label: Label, colon: bool) -> bool {
    if first == last && super::fields::is_no_value(words, first) {
        return false;
    }
    let named = (first..=last).any(|index| {
        let info = words.list[index].info;
        (info.surname_count > 0 || info.given_count > 0)
            && info.english_size().is_none_or(|size| size > 50 || last > first)
            && !info.is_any(MEDICAL)
    });
    let unknown = (first..=last).all(|index| {
        let info = words.list[index].info;
        info.flags.is_empty() || info.surname_count > 1_000 && !info.is_any(MEDICAL)
    });
    let named_so = first >= 2 && matches!(words.text(first - 2), "name" | "Name");
    let follows_name = label == Label::Doctor || colon || named_so;
    let single_word_field = last == first && words.list[first].info.english_size().is_some_and(|size| size <= 35);
    follows_name && (named || unknown) && !(single_word_field && words.list[first].info.surname_count < 20_000)
}

/// `signed by X`, `Electronically signed: X`, `seen by John Smith`.
pub(super) fn staff_verb(words: &Words, index: usize, found: &mut Found) {
    let mut first = index + 1;
    let by = words.get(first).is_some_and(|word| word.is(Marker::By));
    first += usize::from(by);
    let Some(next) = words.get(first) else { return };
    let colon = words.sentence[words.list[index].end..next.start].contains(':');
    if !(by || colon) || !matches!(next.gap, Gap::Space | Gap::Colon | Gap::Other | Gap::Stop) || next.gap == Gap::Stop
    {
        return;
    }
    let Some(last) = words.name_from(first, Trust::Told, true) else {
        if by && colon && next.shape == Shape::Lower {
            small_name(words, first, Label::Doctor, found);
        }
        return;
    };
    let strong = colon || last > first;
    let clean = (first..=last).any(|part| is_clean_name(&words.list[part]));
    if (clean
        || strong && is_plausible_value(words, first, last, Label::Doctor, colon)
        || is_surname_only(words, first, last))
        && !words.is_eponym(last)
    {
        add(words, first, last, Label::Doctor, if clean { 0.9 } else { 0.7 }, found);
    }
}

fn is_surname_only(words: &Words, first: usize, last: usize) -> bool {
    let info = words.list[first].info;
    first == last
        && !words.shouted
        && words.list[first].shape == Shape::Capital
        && !info.is_any(MEDICAL)
        && (info.surname_count > 5_000 || info.flags.is_empty())
}

/// `spoke with Maria`, `discussed with Patel`, `per Jones`.
pub(super) fn people_verb(words: &Words, index: usize, found: &mut Found) {
    let mut first = index + 1;
    let thanked = words.text(index).eq_ignore_ascii_case("thank")
        && words.get(first).is_some_and(|word| word.gap == Gap::Space && words.text(first).eq_ignore_ascii_case("you"));
    if thanked || words.get(first).is_some_and(|word| matches!(word.marker, Some(Marker::With | Marker::By))) {
        first += 1;
    }
    if words.shouted
        || !words
            .get(first)
            .is_some_and(|word| matches!(word.gap, Gap::Space | Gap::Colon) && word.shape == Shape::Capital)
    {
        return;
    }
    let from = words.text(index).eq_ignore_ascii_case("from");
    let Some(last) = words.name_from(first, Trust::Told, false) else {
        return;
    };
    if found.covers(words.list[first].start..words.list[last].end) {
        return;
    }
    let info = words.list[first].info;
    let bearers = info.surname_count.max(info.given_count);
    let clean = (first..=last).any(|part| is_clean_name(&words.list[part]));
    let ordinary_name =
        bearers > 20_000 && first < words.list.len() && !info.is_any(MEDICAL) && info.english_size().is_some();
    if (clean || ordinary_name && !from) && !words.is_eponym(last) && !(from && info.is_any(WordFlags::CITY)) {
        let staff = matches!(
            words.text(index).to_ascii_lowercase().as_str(),
            "discussed" | "d" | "w" | "per" | "paged" | "consulted" | "staffed" | "saw" | "sees" | "seeing"
        );
        add(
            words,
            first,
            last,
            if staff { Label::Doctor } else { Label::Patient },
            if clean { 0.8 } else { 0.6 },
            found,
        );
    }
}

/// `named Rex`, `called Bunny`.
pub(super) fn named(words: &Words, index: usize, found: &mut Found) {
    let first = index + 1;
    let small = words
        .get(first)
        .is_some_and(|word| word.gap == Gap::Space && word.shape == Shape::Lower && word.marker.is_none())
        && matches!(words.text(index), "named" | "nicknamed")
        && !words.shouted;
    if small {
        let info = words.look_up(first, first);
        if info.given_count >= 5_000 && !info.is_any(MEDICAL) {
            add(words, first, first, Label::Patient, 0.7, found);
        }
        return;
    }
    if is_before_capital(words, index) {
        add_called(words, first, is_what_one_is_called(words, index), found);
    }
}

/// Whether a capital that says nothing of its neighbours follows the word at `index`.
fn is_before_capital(words: &Words, index: usize) -> bool {
    !words.shouted
        && words.get(index + 1).is_some_and(|word| {
            matches!(word.gap, Gap::Space | Gap::Bracket) && word.shape == Shape::Capital && word.marker.is_none()
        })
}

/// Adds the name that begins at `first`; the word there, whatever else it means, where it is `wanted`.
fn add_called(words: &Words, first: usize, wanted: bool, found: &mut Found) {
    let Some(last) = words.name_from(first, Trust::Told, false).or(wanted.then_some(first)) else {
        return;
    };
    let info = words.list[first].info;
    if wanted || !info.is_any(MEDICAL) && (info.given_count > 0 || info.surname_count > 0 || info.flags.is_empty()) {
        add(words, first, last, Label::Patient, 0.8, found);
    }
}

/// `prefers to be called Skip`: the same where `called` stands for what staff does as well.
pub(super) fn wants_to_be_called(words: &Words, index: usize, found: &mut Found) {
    let called = words.text(index).eq_ignore_ascii_case("called");
    if called && is_before_capital(words, index) && is_what_one_is_called(words, index) {
        add_called(words, index + 1, true, found);
    }
}

/// `prefers to be called Skip`, `goes by Moose`: whether the word behind `index` is what one wants to be called, whatever else it means.
fn is_what_one_is_called(words: &Words, index: usize) -> bool {
    let wanted = || {
        (index.saturating_sub(5)..index)
            .any(|at| listed!(words.text(at), "prefers prefer preferred likes like wants want asks ask goes go"))
    };
    let ends = words.get(index + 2).is_none_or(|after| after.gap != Gap::Space || after.shape == Shape::Lower);
    ends && wanted() && !words.is_eponym(index + 1)
}

/// `Report given to Halloran`, `handed off to Mbeki`: who takes over.
pub(super) fn handed_to(words: &Words, index: usize, found: &mut Found) {
    let first = index + 1;
    if !words.get(first).is_some_and(|word| word.shape == Shape::Capital) {
        return;
    }
    let handed =
        index > 0 && listed!(words.text(index - 1), "given off over out handed report signout handoff assigned");
    let named = words.get(first).is_some_and(|word| {
        word.gap == Gap::Space
            && word.shape == Shape::Capital
            && is_clean_name(word)
            && !(word.info.is(WordFlags::CITY) && word.info.population > 5_000)
    });
    if !handed || !named || words.shouted || words.is_eponym(first) {
        return;
    }
    if let Some(last) = words.name_from(first, Trust::Told, false) {
        add(words, first, last, Label::Doctor, 0.7, found);
    }
}

/// `Thanks, Jenny`: a name alone after a closing phrase.
pub(super) fn closing(words: &Words, index: usize, found: &mut Found) {
    if index > 1 {
        return;
    }
    let phrase = listed!(words.text(index), "thanks sincerely regards cheers best love respectfully truly")
        || index == 1 && words.text(1) == "you" && words.text(0).eq_ignore_ascii_case("thank");
    let name = words.get(index + 1).is_some_and(|next| next.gap == Gap::Comma && next.shape == Shape::Capital);
    let small = index == 0
        && words.list.len() <= 3
        && matches!(
            words.text(0),
            "mahalo" | "thanks" | "thx" | "love" | "xo" | "xoxo" | "hugs" | "cheers" | "ty" | "aloha"
        )
        && words
            .get(index + 1)
            .is_some_and(|next| matches!(next.gap, Gap::Comma | Gap::Other) && next.shape == Shape::Lower);
    if small {
        leads::small(words, index + 1, Label::Patient, found);
    }
    if phrase
        && name
        && let Some(last) = words.name_from(index + 1, Trust::Told, false)
        && last + 3 > words.list.len()
        && words.list[last].info.given_count.max(words.list[last].info.surname_count) > 0
    {
        add(words, index + 1, last, label_near(words, index + 1), 0.8, found);
    }
}
