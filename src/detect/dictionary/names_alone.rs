//! People told by nothing but their names: `Maria Gonzalez`, `J. Patel`, `SMITH, JOHN`, `jane doering`.

use super::chat;
use super::found::Found;
use super::markers::Marker;
use super::people::{add, label_near, names_someone};
use super::plausible::{Likeness, likeness};
use super::runs::{Trust, is_clean_name};
use super::word_list::WordList;
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::{WordFlags, WordInfo};
use crate::phi::Label;

/// Adds every person of a sentence that its words alone tell; those found before are left as they are.
pub(super) fn detect(words: &Words, found: &mut Found) {
    let mut index = 0;
    while index < words.list.len() {
        index = alone(words, index, found).map_or(index + 1, |last| last + 1);
    }
}

/// Names that nothing but the lexicon tells: `Maria Gonzalez`, `J. Patel`, `SMITH, JOHN`, `Gonzalez`. The last word
/// that was judged.
fn alone(words: &Words, index: usize, found: &mut Found) -> Option<usize> {
    let word = &words.list[index];
    let initial = word.shape == Shape::Initial;
    if !(word.is_capital() || initial) || !initial && word.marker.is_some() && !names_someone(words, index) {
        return None;
    }
    if found.covers(word.start..word.end) {
        return None;
    }
    let info = word.info;
    let given = info.given_count >= 50 && (!info.is_any(MEDICAL) || info.given_count > 20_000);
    if initial {
        return initialled(words, index, found);
    }
    let score = match words.get(index + 1).map_or(Gap::Start, |next| next.gap) {
        Gap::Space | Gap::Stop if given => pair_score(words, index),
        Gap::Comma if info.surname_count >= 100 && !info.is_any(MEDICAL) => reversed_score(words, index),
        Gap::Comma => reversed_unknown(words, index),
        _ => None,
    };
    if let Some(last) = eponym_phrase(words, index) {
        return Some(last);
    }
    if let Some((last, score)) = score {
        if !words.is_eponym(last) && !words.is_eponym(index) {
            add(words, index, last, label_near(words, index), score, found);
        }
        return Some(last);
    }
    single(words, index, found);
    None
}

/// The end of a term of several names that begins at or just before a word: `Lou Gehrig`, `Sister Mary Joseph`.
fn eponym_phrase(words: &Words, index: usize) -> Option<usize> {
    let next = words.get(index + 1).filter(|next| next.gap == Gap::Space && next.is_capital());
    let before = index.checked_sub(1).filter(|_| words.list[index].gap == Gap::Space);
    let is_term = |first: usize, last: usize| words.look_up(first, last).is(WordFlags::EPONYM);
    if next.is_some() && (is_term(index, index + 1) || before.is_some_and(|before| is_term(before, index + 1))) {
        return Some(index + 1);
    }
    before.filter(|&before| words.text(before).len() <= 3 && is_term(before, index)).map(|_| index)
}

/// `J. Patel`, `H Birtwistle`: initials before a surname.
fn initialled(words: &Words, index: usize, found: &mut Found) -> Option<usize> {
    static SPECIES: WordList = WordList::new(
        "coli difficile diff pylori aureus aeruginosa pneumoniae fragilis albicans tuberculosis \
                           faecalis faecium influenzae meningitidis gondii jirovecii burgdorferi lambdia",
    );
    let word = &words.list[index];
    let next = words.get(index + 1)?;
    let dotted = next.gap == Gap::Stop;
    let spaced = next.gap == Gap::Space && words.between(index + 1) == " " && !matches!(words.text(index), "I" | "A");
    if !(dotted || spaced) {
        return None;
    }
    let last = words.name_from(index, Trust::Told, false)?;
    let clean = words.is_name_word(index + 1, Trust::Alone);
    let slash = word.gap == Gap::Other
        && (dotted || words.between(index).trim() == "/" || words.between(index).trim_end().ends_with(','));
    let free = matches!(word.gap, Gap::Start | Gap::Space | Gap::Comma | Gap::Bracket | Gap::Colon) || slash;
    let surname = words.list[last].info;
    let tells = words.likeness_at(last);
    let signs = index > 0 && words.list[index - 1].is(Marker::StaffVerb);
    let fits = match () {
        () if clean => dotted || !words.shouted || signs,
        () if SPECIES.contains(words.text(last)) => false,
        () if dotted => {
            tells == Likeness::Name
                || tells == Likeness::Unknown
                    && !words.shouted
                    && words.list[last].shape == Shape::Capital
                    && (index > 0 || words.between(index + 1) == ".")
                || tells == Likeness::Namesake && !words.shouted && surname.surname_count >= 5_000
        }
        () => {
            let signed = index > 0
                && matches!(words.list[index - 1].marker, Some(Marker::StaffVerb | Marker::CareRole | Marker::By));
            tells == Likeness::Name && (!words.shouted || signed) && surname.surname_count > 0
        }
    };
    if free && fits && !words.is_eponym(last) {
        add(words, index, last, label_near(words, index), if dotted { 0.8 } else { 0.5 }, found);
    }
    Some(last)
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
            .union(WordFlags::EPONYM)
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

/// Parts of the body and signs that are told by whom they are named after: `pouch of Douglas`.
static NAMED_AFTER: WordList = WordList::new(
    "pouch circle canal ligament sphincter ampulla space angle triangle fascia foramen bundle sign loop \
                           islets tract line crypts node valve vein fossa duct gland glands band zone membrane",
);

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
        "ramadan" | "april" | "june" | "august" | "may" | "summer" | "autumn" | "march" | "jan" | "easter"
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
    let placed = index > 0
        && word.gap == Gap::Space
        && (matches!(words.text(index - 1), "the" | "The" | "a" | "an" | "at" | "near")
            || words.text(index - 1) == "of" && index > 1 && NAMED_AFTER.contains(words.text(index - 2)))
        && words.get(index + 1).is_none_or(|next| !next.is_capital());
    let short_form = chat::SHORT_FORMS.iter().any(|short| short.eq_ignore_ascii_case(words.text(index)));
    let other = calendar
        || short_form && words.between_after(index).starts_with([':', '[', '.', ';'])
        || placed
        || finding
        || thing
        || !is_clean_name(word)
        || info.english_size().is_some()
        || organization
        || known_code
        || city && !words.sentence[word.end..].starts_with("'s ")
        || words.is_eponym(index);
    let capital_company = words
        .get(index + 1)
        .is_some_and(|next| next.gap == Gap::Space && next.is_capital() && next.info.is_any(super::runs::CUES));
    let joined = matches!(word.gap, Gap::Hyphen)
        || words.gap_after(index) == Gap::Hyphen
        || words.text(index).contains('-') && !words.sentence[word.end..].starts_with("'s") && !acts(words, index);
    // `Jordan reports pain`: who acts is a person, whatever else the word may be.
    let actor = !words.shouted
        && word.shape == Shape::Capital
        && (acts(words, index) || speaks(words, index))
        && !words.is_eponym(index)
        && !info.is_any(MEDICAL);
    let person = actor && info.english_size().is_none_or(|size| size > 50) && info.given_count >= 5_000
        || actor
            && speaks(words, index)
            && (info.given_count >= 20_000
                || info.given_count >= 1_000 && (word.gap != Gap::Start || info.english_size() > Some(35))
                || is_new(info, words.text(index)));
    let covering = actor && info.surname_count > 5_000 && (takes_over(words, index) || is_on_duty(words, index));
    if person || covering {
        add(words, index, index, if covering { Label::Doctor } else { label_near(words, index) }, 0.6, found);
        return;
    }
    // `I faxed Zbyszko's letter`: what belongs to a word that no list holds.
    let owner = is_new(info, words.text(index))
        && word.shape == Shape::Capital
        && !words.shouted
        && !thing
        && !words.is_eponym(index)
        && words.sentence[word.end..].starts_with("'s ")
        && words.get(index + 2).is_some_and(|owned| {
            owned.shape == Shape::Lower
                && words.look_up(index + 2, index + 2).english_size().is_some_and(|size| size <= 35)
        });
    if owner {
        add(words, index, index, label_near(words, index), 0.5, found);
        return;
    }
    // `Labs: Li <0.1`: a symbol with its value.
    let symbol = word.end - word.start == 2
        && words.sentence[word.end..]
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '<' | '>' | '='));
    let fewest = match () {
        () if actor => 100,
        () if word.gap != Gap::Start && info.given_count >= 100 => 100,
        () => 1_000,
    };
    if other || capital_company || joined || symbol || bearers < fewest {
        return;
    }
    let possessive = words.sentence[word.end..].starts_with("'s") || words.sentence[word.end..].starts_with("’s");
    // `Wilson's, Addison's`: a possessive that owns nothing is a disease.
    let owns = words.get(index + 2).is_some_and(|owned| {
        owned.gap == Gap::Space
            && owned.shape == Shape::Lower
            && !listed!(words.text(index + 2), "or and was were is are in on at with")
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

/// Whether a word is in no list, and long enough to be no code.
fn is_new(info: WordInfo, text: &str) -> bool {
    likeness(info) == Likeness::Unknown && text.len() >= 4 || info.given_count > 0 && likeness(info) == Likeness::Name
}

/// Whether what follows is done by people only: `hoped`, `laughed`, `told`.
pub(super) fn speaks(words: &Words, index: usize) -> bool {
    static VERBS: WordList = WordList::new(
        "says said told asked gave hoped laughed cried wrote called texted emailed thinks thought knows knew \
                         explained brought hopes speaks spoke wants wanted agrees agreed feels felt lives lived likes \
                         enjoys worked prefers smiled answered finds understands verbalized denies reports sat slept \
                         believes worries wishes cooks drives carries came",
    );
    words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space && next.shape == Shape::Lower && VERBS.contains(words.text(index + 1))
    }) || likeness(words.list[index].info) >= Likeness::Unknown && words.between_after(index).starts_with(", who ")
        || words.get(index + 2).is_some_and(|next| {
        matches!(words.text(index + 1), "was" | "is" | "who" | "may" | "will" | "and")
            && words.list[index + 1].shape == Shape::Lower
            && next.gap == Gap::Space
            && listed!(
                words.text(index + 2),
                "sitting come be feel like have asking calling worried tearful talking died lives works call crying \
                                                  laughing smiling driving working living married able told said asked",
            )
    })
}

/// Whether a verb of people follows: `reports`, `fell`, `to cover`.
fn acts(words: &Words, index: usize) -> bool {
    static VERBS: WordList = WordList::new(
        "reports reported denies denied states stated says said feels felt fell went visited \
                         called returned tolerated presents presented complains complained came lives lived \
                         agrees agreed remains looks looked wants wanted notes noted endorses endorsed admits \
                         took takes was is has had will continues works worked enjoys started stopped understands \
                         asked arrived left slept ate woke cried verbalized refused declined accepted prefers \
                         likes drove walked plays played gave hoped laughed finds wrote texted emailed carries drives \
                         thinks thought knows knew cited explained described brought stayed hopes speaks spoke lifted \
                         went sleeps eats moved helps helped agreed calls signed answered jumped smiled",
    );
    let verb = words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space && next.shape == Shape::Lower && VERBS.contains(words.text(index + 1))
    });
    verb || takes_over(words, index) || is_on_duty(words, index)
}

/// `Vang on for Keast`, `Okafor covering tonight`.
fn is_on_duty(words: &Words, index: usize) -> bool {
    if !words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Lower) {
        return false;
    }
    let text = words.text(index + 1);
    let then = words.get(index + 2).map_or("", |_| words.text(index + 2));
    matches!(text, "covering" | "aware" | "notified" | "paged")
        || text == "on" && matches!(then, "for" | "call" | "tonight" | "til" | "until")
}

/// `Strong to cover overnight`.
fn takes_over(words: &Words, index: usize) -> bool {
    let to = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && words.text(index + 1) == "to");
    to && words.get(index + 2).is_some_and(|next| next.gap == Gap::Space)
        && matches!(
            words.text(index + 2),
            "cover"
                | "follow"
                | "see"
                | "dose"
                | "evaluate"
                | "staff"
                | "sign"
                | "drive"
                | "bring"
                | "call"
                | "pick"
                | "d"
                | "discuss"
                | "check"
                | "help"
                | "come"
                | "arrange"
                | "chase"
        )
}

/// A medical word that is no everyday verb: after it a capital names a thing, as in `Bruder mask`.
fn is_medical_noun(info: WordInfo) -> bool {
    info.is_any(WordFlags::MEDICAL) || info.english_size().is_none() && info.flags.is_empty()
}
