//! People told by nothing but their names: `Maria Gonzalez`, `J. Patel`, `SMITH, JOHN`, `jane doering`.

mod deeds;
mod single;
mod syllables;

pub(super) use self::deeds::{DEEDS, is_deed, speaks};
use self::single::single;
use super::found::Found;
use super::markers::Marker;
use super::people::{add, label_near, names_someone};
use super::plausible::Likeness;
use super::runs::Trust;
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::WordList;
use crate::lexicon::{Lexicon, WordFlags};

/// Adds every person of a sentence that its words alone tell; those found before are left as they are.
pub(super) fn detect(words: &Words, found: &mut Found) {
    syllables::detect(words, found);
    let mut index = 0;
    while index < words.list.len() {
        index = alone(words, index, found).map_or(index + 1, |last| last + 1);
    }
}

/// So many are called by a given name that hardly anybody thinks of the word that it is, too.
const GIVEN_BY_MANY: u32 = 200_000;

/// Names that nothing but the lexicon tells: `Maria Gonzalez`, `J. Patel`, `SMITH, JOHN`, `Gonzalez`. The last word
/// that was judged.
fn alone(words: &Words, index: usize, found: &mut Found) -> Option<usize> {
    let word = &words.list[index];
    let initial = word.shape == Shape::Initial;
    if !(word.is_capital() || initial) || !initial && word.marker.is_some() && !names_someone(words, index) {
        return None;
    }
    if found.covers(word.start..word.end) || super::leads::is_register(words, index) {
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
    if score.is_none() && is_double_surname(words, index) {
        add(words, index, index, label_near(words, index), 0.7, found);
        return Some(index);
    }
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

/// `Smith-Jones`: whether a word is two surnames of many with a hyphen between them, though each by itself is a fracture or a disease, too.
fn is_double_surname(words: &Words, index: usize) -> bool {
    /// Pairs of eponyms, of makers and of what is called by two of them.
    static PAIRS: WordList = WordList::new(
        "stevens-johnson jackson-pratt watson-jones austin-moore smith-robinson smith-peterson smith-petersen young-burgess \
         young-simpson harris-benedict lee-white miller-abbott hunt-hess mason-allen palmer-widen mills-reincke foster-kennedy \
         stewart-hamilton stewart-treves snyder-robinson morgan-russell wilson-cook cook-swartz johnson-johnson lloyd-davies \
         turner-warwick gordon-holmes crawford-adams mayo-robson allen-masters allen-brown ramsey-hunt ramsay-hunt ward-romano \
         simpson-angus lawton-brody barnes-wall weber-christian ross-jones gray-baker black-white green-white martin-gruber \
         mitchell-riley ray-ban reed-sternberg clark-collip jones-mote ward-mayo hill-sachs hall-morris owens-young rice-powell \
         schmitt-thompson wong-baker lund-kennedy machado-joseph stokes-adams adams-stokes bloom-richardson bush-francis cotton-leung \
         hawkins-kennedy kennedy-hawkins young-laplace harvey-bradshaw marshall-marchetti thompson-epstein miller-fisher \
         lambert-eaton eaton-lambert lewis-sumner steele-richardson marcus-gunn austin-flint carey-coombs bates-jensen johns-hopkins \
         weaver-dunn cooper-perritt martin-bell ferguson-smith gardner-diamond gardner-wells gustilo-anderson anderson-hutchins \
         holmes-rahe holmes-adie osler-weber parkes-weber sturge-weber russell-silver silver-russell wilson-jones walker-warburg \
         dandy-walker rose-waaler king-devick hughes-stovin reverdin-green evans-jensen harris-galante woodcock-johnson price-jones \
         paterson-kelly kelly-paterson mason-johnston levine-harvey wells-brookfield hunter-hurler robert-jones",
    );
    /// What is called by surnames.
    static CALLED: WordList = WordList::new(
        "approach approaches test tests procedure procedures frame frames osteotomy prosthesis nail nails screw classification \
         grade type equation criteria technique method doppler fracture fractures score scale syndrome disease disorder sign \
         drain tube catheter stitch suture repair repairs arthroplasty operation modification modified position retractor forceps \
         clamp graft flap incision view projection formula index reflex phenomenon reaction law stain agar medium reagent \
         attacks attack protocol protocols criterion faces neg negative positive rating tool syndromes maneuver manoeuvre \
         clinic hospital center centre building institute foundation university college school pharmacy",
    );
    const COMMON: u32 = 20_000;
    let pair = words.text(index);
    let Some((first, second)) = pair.split_once('-').filter(|(_, second)| !second.contains('-')) else { return false };
    let is_common = |name: &str| {
        let info = Lexicon::shared().word(name);
        name.starts_with(char::is_uppercase)
            && info.surname_count >= COMMON
            && !info.is_any(WordFlags::STATE.union(WordFlags::COUNTRY).union(super::runs::CUES))
    };
    let is_word = |name: &str| Lexicon::shared().word(name).english_size().is_some_and(|size| size <= 35);
    let is_called =
        || words.get(index + 1).is_some_and(|next| next.gap == Gap::Space) && CALLED.contains(words.text(index + 1));
    is_common(first)
        && is_common(second)
        && Lexicon::shared().eponym(pair).is_none()
        && !(is_word(first) && is_word(second))
        && !is_called()
        && !PAIRS.contains(&pair.to_ascii_lowercase())
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
    if words.descriptive_surname(index + 1) == Some(last) && words.is_descriptive(index + 1, last) {
        return Some((last, 0.8));
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
        () if words.shouted => (known
            && (!first_plain || !second_plain && first.info.given_count >= GIVEN_BY_MANY)
            && (!second_plain || surname > 50_000)
            && first.info.given_count > 500)
            .then_some((last, 0.8)),
        // `John Oyelaran`: a word that is the given name of so many takes a capital that no list calls anything.
        () if !known && first_plain && !second_plain => (first.info.given_count >= GIVEN_BY_MANY
            && second.shape == Shape::Capital
            && second.end - second.start >= 4
            && second.marker.is_none())
        .then_some((last, 0.6)),
        () if first_plain && second_plain => {
            (first.info.given_count > 20_000 && surname > 20_000 && second.info.english_size() > Some(10))
                .then_some((last, 0.6))
        }
        () if first_plain => ((first.info.given_count > 1_000 || first.info.is(WordFlags::NICKNAME))
            && surname > 1_000
            || first.info.given_count >= GIVEN_BY_MANY && surname > 0)
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
    // `Pirani, Mitchell, Denis Browne`: terms in a row.
    let listed = first.gap == Gap::Comma || words.gap_after(last) == Gap::Comma;
    let terms = listed && first.info.is(WordFlags::EPONYM) && second.info.is(WordFlags::EPONYM);
    // `Emma, Jack and Will` are given names in a row: still people.
    (fits && !place && !terms).then_some((last, 0.8))
}

/// `Brompton, Jessica`: a word that no list calls anything, comma, a sure given name.
fn reversed_unknown(words: &Words, index: usize) -> Option<(usize, f32)> {
    let (first, second) = (words.list[index], words.list[index + 1]);
    let adverb = words.text(index).ends_with(['y', 'Y']) && words.text(index).to_ascii_lowercase().ends_with("ly");
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
