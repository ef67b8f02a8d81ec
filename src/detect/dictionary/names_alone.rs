//! People told by nothing but their names: `Maria Gonzalez`, `J. Patel`, `SMITH, JOHN`, `jane doering`.

use super::found::Found;
use super::markers::Marker;
use super::people::{add, label_near, names_someone};
use super::runs::{Trust, is_clean_name};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::patterns::context::is_listed;
use crate::lexicon::{WordFlags, WordInfo};
use crate::phi::Label;

/// Adds every person of a sentence that its words alone tell; those found before are left as they are.
pub(super) fn detect(words: &Words, found: &mut Found) {
    without_capitals(words, found);
    let mut index = 0;
    while index < words.list.len() {
        index = alone(words, index, found).map_or(index + 1, |last| last + 1);
    }
}

/// Names in a line without any capital: `jane doering called`, `pt john was seen`.
fn without_capitals(words: &Words, found: &mut Found) {
    if words.list.iter().any(|word| word.shape != Shape::Lower) {
        return;
    }
    let mut index = 0;
    while index < words.list.len() {
        let word = &words.list[index];
        let info = if word.marker.is_none() && word.end - word.start >= 3 {
            words.look_up(index, index)
        } else {
            WordInfo::UNKNOWN
        };
        let plain = info.english_size().is_some_and(|size| size <= 60)
            && !(info.given_count > 1_000_000 && info.english_size() > Some(20));
        let given = info.given_count >= 10_000
            && !plain
            && !info.is_any(MEDICAL.union(WordFlags::COUNTRY).union(WordFlags::STATE));
        if !given {
            index += 1;
            continue;
        }
        let led = index > 0
            && word.gap == Gap::Space
            && matches!(
                words.list[index - 1].marker,
                Some(Marker::PersonField | Marker::Kin | Marker::PeopleVerb | Marker::Named)
            );
        let follows = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.marker.is_none()) && {
            let second = words.look_up(index + 1, index + 1);
            second.surname_count >= 500 && second.english_size().is_none_or(|size| size > 35) && !second.is_any(MEDICAL)
        };
        if follows || led {
            let label = if led { Label::Patient } else { label_near(words, index) };
            add(words, index, index + usize::from(follows), label, if follows { 0.8 } else { 0.7 }, found);
        }
        index += 1 + usize::from(follows);
    }
}

/// Names that nothing but the lexicon tells: `Maria Gonzalez`, `J. Patel`, `SMITH, JOHN`, `Gonzalez`. The last word
/// that was judged.
fn alone(words: &Words, index: usize, found: &mut Found) -> Option<usize> {
    let word = &words.list[index];
    if !(word.is_capital() || word.shape == Shape::Initial) || word.marker.is_some() && !names_someone(words, index) {
        return None;
    }
    if found.covers(word.start..word.end) {
        return None;
    }
    let info = word.info;
    let given = info.given_count >= 50 && (!info.is_any(MEDICAL) || info.given_count > 20_000);
    let next = words.get(index + 1).copied();
    if word.shape == Shape::Initial {
        let surname = next.is_some_and(|next| {
            next.gap == Gap::Stop || next.gap == Gap::Space && !matches!(words.text(index), "I" | "A")
        });
        let last = if surname {
            words.name_from(index, Trust::Alone, false)?
        } else {
            return None;
        };
        let dotted = words.list[index + 1].gap == Gap::Stop;
        let free = matches!(word.gap, Gap::Start | Gap::Space | Gap::Comma | Gap::Bracket | Gap::Colon)
            && (dotted || !words.shouted);
        if free && !words.is_eponym(last) {
            add(words, index, last, label_near(words, index), if dotted { 0.8 } else { 0.5 }, found);
        }
        return Some(last);
    }
    let next = next?;
    let score = match next.gap {
        Gap::Space | Gap::Stop if given => pair_score(words, index),
        Gap::Comma if info.surname_count >= 100 && !info.is_any(MEDICAL) => reversed_score(words, index),
        Gap::Comma => reversed_unknown(words, index),
        _ => None,
    };
    if let Some((last, score)) = score {
        if !words.is_eponym(last) && !words.is_eponym(index) {
            add(words, index, last, label_near(words, index), score, found);
        }
        return Some(last);
    }
    single(words, index, found);
    None
}

/// A given name followed by a surname.
fn pair_score(words: &Words, index: usize) -> Option<(usize, f32)> {
    let last = words.name_from(index, Trust::Told, false)?;
    if last == index {
        return None;
    }
    let (first, second) = (words.list[index], words.list[last]);
    let surname = second.info.surname_count;
    let plain = |size: Option<u8>| size.is_some_and(|size| size <= 60);
    let first_plain = plain(first.info.english_size());
    let second_plain = plain(second.info.english_size()) || second.info.is_any(MEDICAL);
    let place = words.look_up(index, last).is_any(
        WordFlags::CITY
            .union(WordFlags::STATE)
            .union(WordFlags::COUNTRY)
            .union(WordFlags::ORGANIZATION)
            .union(WordFlags::HOSPITAL),
    );
    let known = surname >= 100 || second.info.given_count >= 1_000;
    match () {
        () if place => None,
        () if second.shape == Shape::Initial => {
            (!first_plain && first.info.given_count >= 2_000).then_some((last, 0.6))
        }
        () if second.info.flags.is_empty() && !first_plain && !words.shouted && first.info.given_count >= 100 => {
            Some((last, 0.6))
        }
        // `Mary Smithe`: a sure given name takes a capital that is no other word.
        () if !known && !words.shouted && !first_plain && !second_plain && first.info.given_count >= 5_000 => {
            (first.shape == Shape::Capital
                && second.shape == Shape::Capital
                && second.marker.is_none()
                && !second.info.is_any(super::runs::CUES))
            .then_some((last, 0.7))
        }
        () if !known && !second.info.flags.is_empty() => None,
        () if words.shouted => {
            (known && !first_plain && (!second_plain || surname > 50_000) && first.info.given_count > 500)
                .then_some((last, 0.8))
        }
        () if first_plain && second_plain => {
            (first.info.given_count > 20_000 && surname > 20_000 && second.info.english_size() > Some(10))
                .then_some((last, 0.6))
        }
        () if first_plain => ((first.info.given_count > 1_000 || first.info.is(WordFlags::NICKNAME))
            && surname > 1_000)
            .then_some((last, 0.7)),
        () if second_plain => (first.info.given_count > 1_000 && surname > 2_000).then_some((last, 0.8)),
        () if !known => (first.info.given_count > 2_000).then_some((last, 0.7)),
        () => Some((last, 0.9)),
    }
}

/// `SMITH, JOHN C`: surname, comma, given name.
fn reversed_score(words: &Words, index: usize) -> Option<(usize, f32)> {
    let last = words.name_from(index, Trust::Told, true)?;
    let (first, second) = (words.list[index], words.list[index + 1]);
    let clean = |english: Option<u8>| english.is_none_or(|size| size > 60);
    let fits = last > index
        && second.gap == Gap::Comma
        && second.info.given_count >= 500
        && second.shape == first.shape
        && !second.info.is_any(WordFlags::STATE.union(WordFlags::COUNTRY).union(MEDICAL))
        && (clean(second.info.english_size()) || second.info.given_count > 50_000)
        && (clean(first.info.english_size()) || first.shape == Shape::Upper && first.info.surname_count > 20_000)
        && first.info.surname_count >= 500;
    let place = first.info.is(WordFlags::CITY) && second.info.is(WordFlags::CITY) && !matches!(first.gap, Gap::Start);
    // `Emma, Jack and Will` are given names in a row: still people.
    (fits && !place).then_some((last, 0.8))
}

/// `Brompton, Jessica`: a word that no list calls anything, comma, a sure given name.
fn reversed_unknown(words: &Words, index: usize) -> Option<(usize, f32)> {
    let (first, second) = (words.list[index], words.list[index + 1]);
    let adverb = words.text(index).to_ascii_lowercase().ends_with("ly");
    let unknown = first.info.english_size().is_none() && first.info.population == 0 && !first.info.is_any(MEDICAL);
    let given = second.info.given_count >= 5_000
        && second.info.english_size().is_none()
        && second.shape == first.shape
        && !second.info.is_any(MEDICAL.union(WordFlags::STATE).union(WordFlags::COUNTRY));
    let led = index > 0 && words.list[index - 1].is(Marker::PlaceLead);
    let listed = matches!(words.gap_after(index + 1), Gap::Comma);
    if !(unknown && given) || adverb || led || listed || words.shouted && index > 0 {
        return None;
    }
    let middle = words.get(index + 2).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Initial);
    Some((index + 1 + usize::from(middle && words.text(index + 2) != "I"), 0.6))
}

/// One word that is mostly a name.
fn single(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let info = word.info;
    let bearers = info.surname_count.max(info.given_count);
    let city = info.is(WordFlags::CITY) && info.population > 30_000 && info.given_count < 20_000;
    let known_code = word.shape == Shape::Upper && (word.end - word.start <= 4 || words.shouted);
    let organization = info.is_any(
        WordFlags::ORGANIZATION.union(WordFlags::HOSPITAL).union(WordFlags::LANDMARK).union(WordFlags::COMPANY_CUE),
    );
    let calendar = matches!(
        words.text(index).to_ascii_lowercase().as_str(),
        "april" | "june" | "august" | "may" | "summer" | "autumn" | "march" | "jan" | "easter"
    );
    let finding = index > 0
        && matches!(
            words.text(index - 1).to_ascii_lowercase().as_str(),
            "negative" | "positive" | "bilateral" | "baby"
        );
    let thing = bearers < 50_000
        && words.get(index + 1).is_some_and(|next| {
            next.gap == Gap::Space
                && next.shape == Shape::Lower
                && next.marker.is_none_or(|marker| marker == Marker::NoName)
                && is_medical_noun(words.look_up(index + 1, index + 1))
        });
    let other = calendar
        || finding
        || thing
        || !is_clean_name(word)
        || info.english_size().is_some()
        || organization
        || known_code
        || city
        || words.is_eponym(index);
    let capital_company = words
        .get(index + 1)
        .is_some_and(|next| next.gap == Gap::Space && next.is_capital() && next.info.is_any(super::runs::CUES));
    let joined = matches!(word.gap, Gap::Hyphen) || words.gap_after(index) == Gap::Hyphen;
    // `Jordan reports pain`: who acts is a person, whatever else the word may be.
    let actor = !words.shouted
        && word.shape == Shape::Capital
        && acts(words, index)
        && !words.is_eponym(index)
        && !info.is_any(MEDICAL);
    let person = actor && info.english_size().is_none_or(|size| size > 50) && info.given_count >= 5_000;
    let covering = actor && info.surname_count > 5_000 && takes_over(words, index);
    if person || covering {
        add(words, index, index, if covering { Label::Doctor } else { label_near(words, index) }, 0.6, found);
        return;
    }
    if other || capital_company || joined || bearers < if actor { 300 } else { 1_000 } {
        return;
    }
    let possessive = words.sentence[word.end..].starts_with("'s") || words.sentence[word.end..].starts_with("’s");
    // `Wilson's, Addison's`: a possessive that owns nothing is a disease.
    let owns = words.get(index + 2).is_some_and(|owned| {
        owned.gap == Gap::Space
            && owned.shape == Shape::Lower
            && !is_listed(words.text(index + 2), "or and was were is are in on at with")
    });
    if possessive && info.is(WordFlags::EPONYM) && !owns {
        return;
    }
    let frequent = info.given_count > 20_000 || info.surname_count > 20_000;
    let first = word.gap == Gap::Start;
    let score = match () {
        () if possessive && !frequent => 0.5,
        () if frequent => 0.7,
        () if first && bearers < 10_000 && !acts(words, index) => return,
        () => 0.5,
    };
    add(words, index, index, label_near(words, index), score, found);
}

/// Whether a verb of people follows: `reports`, `fell`, `to cover`.
fn acts(words: &Words, index: usize) -> bool {
    const VERBS: &str = "reports reported denies denied states stated says said feels felt fell went visited \
                         called returned tolerated presents presented complains complained came lives lived \
                         agrees agreed remains looks looked wants wanted notes noted endorses endorsed admits \
                         took takes was is has had will continues works worked enjoys started stopped understands \
                         asked arrived left slept ate woke cried verbalized refused declined accepted prefers \
                         likes drove walked plays played";
    let verb = words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space && next.shape == Shape::Lower && is_listed(words.text(index + 1), VERBS)
    });
    verb || takes_over(words, index)
}

/// `Strong to cover overnight`.
fn takes_over(words: &Words, index: usize) -> bool {
    let to = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && words.text(index + 1) == "to");
    to && words.get(index + 2).is_some_and(|next| next.gap == Gap::Space)
        && matches!(words.text(index + 2), "cover" | "follow" | "see" | "dose" | "evaluate" | "staff" | "sign")
}

/// A medical word that is no everyday verb: after it a capital names a thing, as in `Bruder mask`.
fn is_medical_noun(info: WordInfo) -> bool {
    info.is_any(WordFlags::MEDICAL) || info.english_size().is_none() && info.flags.is_empty()
}
