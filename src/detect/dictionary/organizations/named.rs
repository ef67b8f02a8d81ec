//! Names that end in a word for what they are: `Cedar Hollow Pediatrics`, `Harlan & Voss LLP`, `Brook Street school`.
//!
//! The words before the head are weighed: a proper name counts more than a plain word, a preposition or a letterhead
//! speaks for a name, capitals throughout against one. Words that only say which kind of place it is (`Pain Clinic`) name none.

use super::fronts::is_lady;
use super::naming::{Role, is_column, is_kind, is_of_a_people, role};
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// At most so many words of a name stand before its head.
const LONGEST_NAME: usize = 6;
const HOSPITAL: WordFlags = WordFlags::HOSPITAL_CUE;
const SURE: WordFlags = WordFlags::PHARMACY_CUE.union(WordFlags::SCHOOL_CUE).union(WordFlags::CHURCH_CUE);
/// Flags of words that end the names of organizations.
pub(super) const CUE: WordFlags =
    HOSPITAL.union(SURE).union(WordFlags::COMPANY_CUE).union(WordFlags::INSURER_CUE).union(WordFlags::SERVICE_CUE);

/// The last part of a name, which says what it is.
#[derive(Debug, Clone, Copy)]
struct Head {
    /// Its first word; the last is where it was looked for.
    first: usize,
    role: Role,
}

/// Adds the name that ends at `index`, if one does.
pub(super) fn by_head(words: &Words, index: usize, found: &mut Found) {
    let Some(head) = head_at(words, index) else { return };
    // `Department: Oncology` is a field.
    if words.between_after(index).starts_with(':') {
        return;
    }
    let Some(first) = run_before(words, head.first) else { return };
    let legal = is_legal(words.text(index));
    let evidence = evidence(words, first, head, index);
    let running = !words.shouted && is_running(words, first);
    let needed = if matches!(head.role, Role::Trade) && !legal && !running { 3 } else { 2 };
    if evidence < needed {
        return;
    }
    let label = match head.role {
        Role::CareSure | Role::Care | Role::CareFront => Label::Hospital,
        Role::Sure | Role::Trade | Role::Front => Label::Organization,
    };
    let last = tail(words, index);
    let end = numbered(words, last).unwrap_or(words.list[last].end);
    found.add(words.list[first].start..end, label, if evidence > needed { 0.9 } else { 0.7 });
}

/// Whether a word ends names, whatever the lexicon says.
pub(in crate::detect::dictionary) fn is_head(text: &str) -> bool {
    role(text).is_some() || listed!(text, POSSESSIVES)
}

/// The head that ends at `index`: of one word, or of two (`Urgent Care`).
fn head_at(words: &Words, index: usize) -> Option<Head> {
    let word = &words.list[index];
    let text = words.text(index);
    let told = word.cues.has(Cues::HEAD);
    if told && is_possessive_head(words, index) {
        return Some(Head { first: index, role: Role::CareSure });
    }
    let single = if told { role(text) } else { None }.or_else(|| flagged(word.info.flags));
    let pair = index > 0 && word.gap == Gap::Space && words.list[index - 1].is_capital();
    let pair = if pair { flagged(words.look_up(index - 1, index).flags) } else { None };
    match (pair, single) {
        (Some(pair), single) => Some(Head { first: index - 1, role: single.map_or(pair, |role| surer(role, pair)) }),
        (None, Some(role)) => Some(Head { first: index, role }),
        (None, None) => None,
    }
}

/// What is left of a head when its possessive is told apart.
pub(super) const POSSESSIVES: &str = "children women";

/// `Cedar Hollow Children's`: the possessive is all that is left of the head.
fn is_possessive_head(words: &Words, index: usize) -> bool {
    listed!(words.text(index), POSSESSIVES)
        && words.get(index + 1).is_some_and(|next| next.gap == Gap::Other && matches!(words.text(index + 1), "s" | "S"))
}

fn surer(left: Role, right: Role) -> Role {
    if matches!(left, Role::CareSure | Role::Sure) { left } else { right }
}

fn flagged(flags: WordFlags) -> Option<Role> {
    match () {
        () if flags.intersects(HOSPITAL) => Some(Role::Care),
        () if flags.intersects(SURE) => Some(Role::Sure),
        () if flags.intersects(CUE) => Some(Role::Trade),
        () => None,
    }
}

/// What speaks for a name in `first..head`; two or more are enough for most heads.
fn evidence(words: &Words, first: usize, head: Head, last: usize) -> i32 {
    // `American College of Surgeons` is of no place, nor is what a language is for: `Spanish Interpreter Services`.
    let learned = listed!(
        words.text(last),
        "association society college academy council board registry foundation institute medicine restaurant grocery market foods"
    );
    let names = (first..head.first)
        .filter(|&index| !is_generic(words, index) || !learned && is_of_a_people(words, index, head.first));
    let (mut plain, mut proper) = (0, 0);
    for index in names {
        if is_proper(words, index) {
            proper += 1;
        } else if words.list[index].shape != Shape::Lower {
            plain += 1;
        }
    }
    // `First Baptist Church` has no word that is no other word.
    let church = words.list[last].info.is(WordFlags::CHURCH_CUE) && !words.shouted;
    if plain + proper == 0 && !(church && first < head.first && words.list[last].shape == Shape::Capital) {
        return 0;
    }
    let joined = (first + 1..=head.first).any(|index| words.between(index).contains('&'));
    let start = words.list[first].gap == Gap::Start;
    let letterhead = (start || is_column(words, first)) && ends_field(words, last);
    let sure = matches!(head.role, Role::CareSure | Role::Sure);
    let mut sum = if proper > 0 { 2 } else { 0 } + plain.min(2);
    sum += i32::from(sure) + i32::from(joined && plain + proper > 1) + i32::from(church && plain + proper == 0) * 2;
    let led = letterhead || is_led(words, first);
    sum += i32::from(led || !words.shouted && is_running(words, first));
    sum += i32::from(last - first >= 2 && if words.shouted { led } else { !start });
    sum - i32::from(words.shouted) - i32::from(start && !words.shouted && proper == 0 && !letterhead)
}

/// Whether what stands before a word lets a name follow: `at`, `from`, `@`, a bracket, a colon.
fn is_led(words: &Words, first: usize) -> bool {
    let Some(before) = first.checked_sub(1) else { return false };
    match words.list[first].gap {
        Gap::Space => {
            listed!(words.text(before), "at to from of with via for by through the in near cc per vs called")
        }
        Gap::Bracket | Gap::Colon => true,
        Gap::Other => words.between(first).trim_end().ends_with(['@', ';']),
        _ => false,
    }
}

/// Whether capitals begin in the middle of running text, where only names have them.
fn is_running(words: &Words, first: usize) -> bool {
    let Some(before) = first.checked_sub(1) else { return false };
    words.list[first].gap == Gap::Space && words.list[before].shape == Shape::Lower && words.between(first).len() == 1
}

/// Whether a field, line or sentence ends after a word.
fn ends_field(words: &Words, last: usize) -> bool {
    let rest = words.between_after(last);
    rest.trim_start().is_empty()
        || rest.starts_with("  ")
        || rest.starts_with(['\t', '\n', ','])
        // `Three Rivers Medical Center (TRMC)`
        || rest.starts_with(" (")
        || words.get(last + 1).is_some_and(|next| next.gap == Gap::Other)
}

/// Whether a word is mostly a name of someone or some place.
pub(super) fn is_proper(words: &Words, index: usize) -> bool {
    const NAMES: WordFlags =
        WordFlags::SURNAME.union(WordFlags::CITY).union(WordFlags::GIVEN_NAME).union(WordFlags::STATE);
    let info = words.list[index].info;
    words.list[index].is_capital()
        && (info.is_any(NAMES)
            || info.flags.is_empty()
            || info.english_size().is_some_and(|size| size > 50) && !info.is_any(MEDICAL))
        && info.english_size().is_none_or(|size| {
            size > 35 || size == 35 && (info.surname_count.max(info.given_count) > 500 || info.is(WordFlags::CITY))
        })
        && words.list[index].end - words.list[index].start > 2
}

/// Medical words that are nothing else.
const NARROW: WordFlags =
    WordFlags::DRUG.union(WordFlags::ABBREVIATION).union(WordFlags::CARE_ROLE).union(WordFlags::NATIONALITY);

/// Whether a word is the name of a branch of medicine.
fn is_specialty(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = |ending: &str| {
        bytes.len() > ending.len() && bytes[bytes.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
    };
    ["ology", "iatry", "iatric", "iatrics", "opedics", "etrics", "scopy", "graphy"].into_iter().any(ends)
}

/// Whether a word of a name says nothing of which one it is.
pub(super) fn is_generic(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let text = words.text(index);
    // Half the words of everyday language are part of some medical term; those that are nothing else count.
    let medical = word.info.is_any(MEDICAL)
        && word.info.surname_count < 5_000
        && (word.info.english_size().is_none_or(|size| size > 40) || word.info.is_any(NARROW));
    is_kind(text)
        || medical
        || is_specialty(text)
        || word.is(Marker::CareRole)
        || word.is(Marker::Connector)
        || word.is(Marker::NoName) && word.info.surname_count < 10_000
}

/// The first word of the capitals that lead up to a head.
pub(super) fn run_before(words: &Words, head: usize) -> Option<usize> {
    let mut first = head;
    while first > 0 && head - first < LONGEST_NAME && !is_column(words, first) {
        let step = step_back(words, first);
        if step == 0 {
            break;
        }
        first -= step;
    }
    first = without_lead(words, first, head);
    (first < head).then_some(first)
}

/// How many words before `first` belong to the same name.
fn step_back(words: &Words, first: usize) -> usize {
    let here = &words.list[first];
    let before = &words.list[first - 1];
    let text = words.text(first - 1);
    if here.gap == Gap::Space && matches!(text, "s" | "S") && before.gap == Gap::Other && first > 1 {
        return 2;
    }
    let ampersand = here.gap == Gap::Other && words.between(first).trim() == "&";
    let dotted = here.gap == Gap::Stop && is_abbreviated(text);
    if !(matches!(here.gap, Gap::Space | Gap::Hyphen) || ampersand || dotted) || stops(words, first - 1) {
        return 0;
    }
    let connector = before.shape == Shape::Lower
        && matches!(text, "of" | "and" | "the" | "de" | "la" | "del" | "y")
        && first > 1
        && before.gap == Gap::Space
        && here.gap == Gap::Space
        && words.list[first - 2].is_capital()
        && !is_column(words, first - 1)
        && !(text == "and" && words.list[first - 2].info.is_any(HOSPITAL))
        && !stops(words, first - 2);
    usize::from(connector || before.is_capital() || before.shape == Shape::Initial && (dotted || ampersand))
}

/// Abbreviations inside names, which keep their full stop.
fn is_abbreviated(text: &str) -> bool {
    listed!(text, "st mt ft ste reg med univ ctr hosp mem gen luth meth bapt presb comm co jos wm chas geo")
}

/// Whether a word cannot belong to the name of an organization that goes on after it.
fn stops(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    if words.shouted
        && listed!(words.text(index), "behind below beside under over against without at than as is was hold see")
    {
        return true;
    }
    match word.marker {
        Some(
            Marker::DoctorTitle
            | Marker::PersonTitle
            | Marker::StaffVerb
            | Marker::PersonField
            | Marker::Kin
            | Marker::By
            | Marker::With
            | Marker::PeopleVerb,
        ) => word.info.surname_count < 20_000 || words.shouted,
        Some(Marker::Credential) => word.shape != Shape::Capital || words.text(index).len() > 2,
        Some(Marker::PlaceLead | Marker::Named) => word.shape != Shape::Lower,
        Some(Marker::Connector) => words.shouted,
        // `Gallup Indian Medical Center`
        Some(Marker::NoName) => {
            let people = word.info.is(WordFlags::NATIONALITY) && word.shape == Shape::Capital;
            !is_kind(words.text(index)) && !people && word.info.surname_count < 10_000
        }
        Some(Marker::JobLead | Marker::CareRole) => word.gap == Gap::Start || words.shouted,
        _ => false,
    }
}

/// Leaves out articles, verbs and kinds that stand before a name: `Attends Lincoln High School`, `Outside Elm Clinic`.
fn without_lead(words: &Words, mut first: usize, head: usize) -> usize {
    const LEADS: &str = "the a at in from our this and of per local to outside outpatient referring see seen follow up \
                         continue refer call called told sent via plan old nearby cc reg re ed er dept department for unit crew facility";
    while first < head {
        let word = &words.list[first];
        let verb = word.gap == Gap::Start
            && word.info.surname_count < 1_000
            && words.text(first).ends_with(['s', 'd', 'g'])
            && word.info.english_size().is_some_and(|size| size <= 50)
            && words.text(first).len() > 3
            && (first + 1..head).any(|index| !is_generic(words, index));
        if !(verb || word.shape == Shape::Lower || listed!(words.text(first), LEADS)) || is_lady(words, first) {
            break;
        }
        first += 1;
    }
    first
}

/// The end of a name with its legal form, `, Inc.` or `Co-op`, behind its last word.
pub(super) fn legal_end(words: &Words, last: usize) -> usize {
    let Some(next) = words.get(last + 1) else { return last };
    let text = words.text(last + 1);
    let form = matches!(next.gap, Gap::Comma | Gap::Space) && is_legal(text) && next.is_capital();
    let cooperative =
        next.gap == Gap::Hyphen && words.text(last).eq_ignore_ascii_case("co") && listed!(text, "op operative");
    last + usize::from(form || cooperative)
}

fn is_legal(text: &str) -> bool {
    listed!(text, "inc llc ltd corp corporation co llp company pllc plc gmbh")
}

/// The last word of a name whose head is at `head`: further heads, a legal form, or the place that belongs to it
/// (`University of Delft`).
pub(super) fn tail(words: &Words, head: usize) -> usize {
    let mut last = head + usize::from(is_possessive_head(words, head));
    while let Some(next) = words.get(last + 1) {
        let text = words.text(last + 1);
        let legal = matches!(next.gap, Gap::Comma | Gap::Space) && is_legal(text) && next.is_capital()
            || next.gap == Gap::Comma && matches!(text, "PC" | "PA" | "P.C" | "P.A");
        let more = next.gap == Gap::Space
            && next.is_capital()
            && !is_column(words, last + 1)
            && !listed!(text, "ppo hmo epo")
            && (role(text).is_some() || next.info.is_any(CUE))
            && next.marker.is_none_or(|marker| marker == Marker::NoName)
            && last < head + 3;
        if !(legal || more) {
            break;
        }
        last += 1;
    }
    let of = words.get(last + 1).is_some_and(|next| next.gap == Gap::Space && listed!(words.text(last + 1), "of"));
    if !of {
        return legal_end(words, last);
    }
    let mut index = last + 2;
    while let Some(word) = words.get(index) {
        let name = word.gap == Gap::Space && word.shape == Shape::Capital && word.marker.is_none() && index < last + 5;
        let medical = word.info.is_any(MEDICAL);
        if !name || medical || is_column(words, index) || words.shouted {
            break;
        }
        index += 1;
    }
    if index > last + 2 { index - 1 } else { last }
}

/// The end of the number of a lodge, post or local: `Local 417`.
fn numbered(words: &Words, last: usize) -> Option<usize> {
    let counted = listed!(
        words.text(last),
        "local post lodge station troop legion council branch brigade company district precinct"
    );
    if !counted {
        return None;
    }
    let rest = words.between_after(last);
    let number = rest.strip_prefix(" No. ").or_else(|| rest.strip_prefix(" #")).or_else(|| rest.strip_prefix(' '))?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let free = !number[digits..].starts_with(|next: char| next.is_alphanumeric() || matches!(next, '/' | '%'));
    ((1..=5).contains(&digits) && free).then(|| words.list[last].end + rest.len() - number.len() + digits)
}
