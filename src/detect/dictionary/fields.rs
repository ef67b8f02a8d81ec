//! Values of fields that hold nothing but names: `Patient Name: WINTERBOURNE, ADA`, `Attending: Sparrow`, `Day team:
//! Young, Rich, Long`, `Ortho (Wu)`.
//!
//! A colon after such a field is surer than any list of words, so what follows is a name unless it is plainly none: a
//! marker (`none`, `self`, `see`), a role, or nothing but ordinary and medical words that no one is called.

mod forms;

use super::found::Found;
use super::markers::Marker;
use super::people::add;
use super::plausible::Likeness;
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::{WordFlags, WordInfo};
use crate::phi::Label;

/// At most so many words make a value.
const LONGEST_VALUE: usize = 5;
/// Before `name:`, words that make it the name of a thing.
const THINGS: &str = "medication medicine drug facility hospital pharmacy clinic insurance plan company employer brand \
                      generic test procedure device product street file study school agency practice location group \
                      user vaccine payer allergen trade site unit department organization lab laboratory \
                      manufacturer model insurer church carrier common scientific proprietary program protocol \
                      trial template report document order event account screen host server domain business form \
                      tool scale building center pet dog cat route component compound formula region series code";
/// Roles whose field holds something else as often: a technique, a complaint, a view.
const NO_ROLE_FIELDS: &str = "anesthesia anes cc reader assistant circulator referring dictating ordering admitting";
/// Private persons whose field holds a name; the others (`contact`, `employee`) hold anything.
const PERSON_FIELDS: &str = "patient pt name guarantor subscriber nok surname lastname firstname alias aka insured \
                             policyholder caller informant proxy decedent cardholder beneficiary";
/// Whom a form is about, in programmes that call nobody a patient: `Rider: …`, `Infant: …`.
const SUBJECT_FIELDS: &str = "pupil rider infant newborn neonate camper donor enrollee detainee inmate arrestee evacuee parent veteran res athlete student dependent";
/// What a column is called that holds a private person's name.
const COLUMNS: &str = "name pt last first middle preferred maiden other student pupil camper subscriber dependent guarantor patient athlete \
                       veteran insured parent guardian inmate decedent claimant";
/// Those of them whose value may stand right behind, where it is of several words and ends with its column: `Pt. Glass, Harmony   MRN 11`.
const CLOSE_COLUMNS: &str = "name pt patient";
/// Credentials that are no abbreviation of an examination, a direction or a place.
const CREDENTIAL_FIELDS: &str = "rn np md lpn cna crna pharmd lcsw fnp aprn lvn crnp phd rbt bcba rdh cma rma lmft rrt";
/// Fields that hold several names.
const TEAM_FIELDS: &str = "team residents fellows attendings nurses assistants providers consultants physicians \
                           surgeons interns students attendees rounders staff housestaff pharmacists therapists cc";
/// Services of a hospital, before the name of whoever came: `Ortho (Wu)`.
const SERVICES: &str = "ortho orthopedics cards cardiology neuro neurology neurosurgery nsgy nsg gi renal nephrology \
                        nephro pulm pulmonary pulmonology heme onc hematology oncology endo endocrine rheum \
                        rheumatology derm dermatology uro urology ent ophtho ophthalmology psych psychiatry gyn ob \
                        obgyn surgery surg vascular ir radiology palliative plastics podiatry nutrition sw \
                        pharmacy anesthesia hospitalist neonatology peds geriatrics pt ot slp rt rd cm psychology nursing \
                        nurse rehab wound";

/// Namesakes that are mostly no value: `see below`, `same as above`.
const NO_VALUES: &str = "see self same new will well page read done order still given home good best room bed office mark \
                         grant case major parent telehealth telemedicine french english spanish german irish white black monday friday";

/// Adds the names of every such field of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    forms::detect(words, found);
    for index in 1..words.list.len() {
        let gap = words.list[index].gap;
        if gap == Gap::Colon && words.between(index).contains(':') {
            after_colon(words, index, found);
        } else if matches!(gap, Gap::Space | Gap::Stop)
            && (words.between(index).starts_with("  ") || listed!(words.text(index - 1), CLOSE_COLUMNS))
        {
            column(words, index, found);
        } else if gap == Gap::Colon && words.between(index) == " = " {
            short_service(words, index, found);
        } else if gap == Gap::Bracket {
            after_service(words, index, found);
            team_in_brackets(words, index, found);
        }
    }
}

fn after_colon(words: &Words, index: usize, found: &mut Found) {
    if listed!(words.text(index - 1), TEAM_FIELDS) {
        team(words, index, found);
        return;
    }
    short_service(words, index, found);
    let inmate =
        index > 1 && [index - 2, index - 1].map(|at| words.text(at)) == ["I", "M"] && words.between(index - 1) == "/";
    if inmate || listed!(words.text(index - 1), SUBJECT_FIELDS) {
        subject(words, index, found);
        return;
    }
    let Some(label) = label_of_field(words, index - 1) else { return };
    let Some(last) = value_end(words, index) else { return };
    let last = last - usize::from(begins_next_field(words, index, last));
    if is_name(words, index, last, listed!(words.text(index - 1), "name names")) {
        add(words, index, last, label, 0.95, found);
    }
}

/// `Last name  Two Bulls     First  Sage`: a value in the column behind what it is called.
fn column(words: &Words, index: usize, found: &mut Found) {
    let head = index - 1;
    // `First  MI`: nothing was filled in.
    let next_field = listed!(words.text(index), "mi dob sex age first last middle name suffix ssn");
    if next_field || words.between(index).contains('\n') || !listed!(words.text(head), COLUMNS) {
        return;
    }
    // `Last name`, `Maiden/other`
    let joint = |at: usize| matches!(words.between(at), " " | "/");
    let field = (head.saturating_sub(2)..head).rev().take_while(|&at| joint(at + 1)).last().unwrap_or(head);
    let before = &words.sentence[..words.list[field].start];
    let begins = before.trim_start_matches(' ').is_empty() || before.ends_with(['\n', '|']) || before.ends_with("  ");
    let Some(last) = value_end(words, index).filter(|_| begins) else { return };
    let behind = words.between_after(last);
    let wide = words.between(index).starts_with("  ");
    if !wide && (last == index || !matches!(words.between(index), " " | ". ") || !behind.starts_with("  ")) {
        return;
    }
    let ends = behind.trim_end_matches('\n').is_empty() || behind.starts_with(['\n', '|']) || behind.starts_with("  ");
    if ends && is_name(words, index, last, true) {
        add(words, index, last, Label::Patient, 0.85, found);
    }
}

/// `Rider: Sunniva Aasen`, `Infant: BOY VUE`, `I/M: ROSARIO, KING`: a name or words that no list holds; no `Donor: Haploidentical`, `Pupil: Reactive`.
fn subject(words: &Words, index: usize, found: &mut Found) {
    let unnamed = listed!(words.text(index), "boy girl baby")
        && words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.is_capital());
    let first = index + usize::from(unnamed);
    let Some(last) = value_end(words, first) else { return };
    let likeness = |at: usize| words.likeness_at(at);
    let known = (first..=last).any(|at| likeness(at) == Likeness::Name);
    let strange = (first..=last).all(|at| likeness(at) == Likeness::Unknown) && (last > first || unnamed);
    if (known || strange) && is_name(words, first, last, false) {
        add(words, first, last, Label::Patient, 0.85, found);
    }
}

/// Whose name the field holds that ends with the word `head`.
fn label_of_field(words: &Words, head: usize) -> Option<Label> {
    let text = words.text(head);
    let mut first = head;
    while first > 0 && first + 4 > head && matches!(words.list[first].gap, Gap::Space | Gap::Other) {
        first -= 1;
    }
    let before = || first..head;
    let any = |marker: Marker| before().any(|at| words.list[at].is(marker));
    let staff = || any(Marker::CareRole) || any(Marker::DoctorTitle) || any(Marker::StaffVerb);
    if listed!(text, "name names") {
        return (!names_a_thing(words, head)).then(|| if staff() { Label::Doctor } else { Label::Patient });
    }
    match words.list[head].marker? {
        Marker::By => any(Marker::StaffVerb).then_some(Label::Doctor),
        Marker::PersonField if listed!(text, "contact") => {
            before().any(|at| listed!(words.text(at), "emergency primary")).then_some(Label::Patient)
        }
        Marker::PersonField => listed!(text, PERSON_FIELDS).then_some(Label::Patient),
        Marker::CareRole => (!listed!(text, NO_ROLE_FIELDS)).then_some(Label::Doctor),
        Marker::Credential => {
            (words.list[head].shape == Shape::Upper && listed!(text, CREDENTIAL_FIELDS)).then_some(Label::Doctor)
        }
        _ => None,
    }
}

/// Whether the last word of a run belongs to the field that follows: `Attending: Sparrow Admit Date: …`.
fn begins_next_field(words: &Words, first: usize, last: usize) -> bool {
    let info = &words.list[last].info;
    let field = words.get(last + 1).is_some_and(|next| next.gap == Gap::Space && next.marker.is_some())
        && words.between_after(last + 1).starts_with(':');
    last > first
        && field
        && info.english_size().is_some_and(|size| size <= 50)
        && info.surname_count.max(info.given_count) < 1_000
}

/// The last word of the name-like run that begins at `first`: capitals, initials, particles, one comma.
fn value_end(words: &Words, first: usize) -> Option<usize> {
    let mut last = None;
    let mut comma_left = true;
    for index in first..(first + LONGEST_VALUE).min(words.list.len()) {
        let word = &words.list[index];
        let joined = index == first
            || match word.gap {
                Gap::Space => !words.between(index).contains(['\n', '\t']) && words.between(index).len() == 1,
                Gap::Hyphen => true,
                Gap::Stop => words.list[index - 1].shape == Shape::Initial || words.text(index - 1).len() == 2,
                Gap::Comma => word.is(Marker::Suffix) || std::mem::take(&mut comma_left),
                _ => false,
            };
        let after = words.between_after(index).as_bytes();
        let numbered = after.first().is_some_and(|mark| matches!(mark, b'-' | b'/'))
            && after.get(1).is_some_and(u8::is_ascii_digit);
        if !joined || numbered || after.first() == Some(&b':') {
            break;
        }
        let part = match word.marker {
            Some(Marker::Suffix) => index > first,
            Some(Marker::Particle) => {
                if word.shape == Shape::Lower {
                    continue;
                }
                true
            }
            Some(Marker::Credential) if last.is_some() => false,
            Some(_) => {
                words.is_namesake_at(index)
                    || index == first && is_before_given_name(words, index)
                    || is_closing_given_name(words, index)
                    || listed!(words.text(index), "babygirl babyboy")
            }
            None => word.is_capital() || word.shape == Shape::Initial && !(index == first && words.text(index) == "A"),
        };
        if !part {
            break;
        }
        last = Some(index);
    }
    last
}

/// `Lindqvist, Per`: after the comma a given name that is another word too, with nothing behind it.
fn is_closing_given_name(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    word.gap == Gap::Comma
        && word.shape == Shape::Capital
        && !words.shouted
        && !word.is(Marker::Credential)
        && word.info.given_count >= 50
        && (words.gap_after(index) != Gap::Space || index + 1 == words.list.len())
}

/// `BISHOP, ANNA`: before a comma and a given name a surname that is another word too.
fn is_before_given_name(words: &Words, index: usize) -> bool {
    let given = words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Comma
            && next.is_capital()
            && next.marker.is_none()
            && next.info.given_count >= COMMON_GIVEN_NAME
    });
    given && words.list[index].is_capital() && words.list[index].info.surname_count >= 50
}

/// So many bear a given name that hardly stands for anything else behind a comma.
const COMMON_GIVEN_NAME: u32 = 500;

/// Whether a run is a name: not all of its words are ordinary or medical words that hardly anyone is called.
///
/// `told` says that the field is called so: `Name: Larkspur, Io` is one although both are flowers and moons.
fn is_name(words: &Words, first: usize, last: usize, told: bool) -> bool {
    let reversed = (first + 1..=last).any(|index| words.list[index].gap == Gap::Comma);
    let bearers = |info: &WordInfo| info.surname_count.max(info.given_count);
    // `Tumor Board`: beside a medical word an ordinary one is no name.
    let mixed = !reversed
        && (first..=last).any(|index| words.list[index].info.is_any(MEDICAL) && bearers(&words.list[index].info) < 500);
    let telling = (first..=last)
        .filter(|&index| words.list[index].is_capital() && words.list[index].end - words.list[index].start > 1)
        .any(|index| {
            let info = &words.list[index].info;
            let medical = info.is_any(MEDICAL) && bearers(info) < 500;
            let common = info.english_size().is_some_and(|size| size <= 20);
            let fewest = if last > first || !common { 300 } else { 2_000 };
            let rare = if told && reversed { 20 } else { 50 };
            let word = first == last && info.english_size().is_some() && bearers(info) < 100;
            !(medical || word && is_formed(words.text(index)))
                && (info.english_size().is_none_or(|size| size > rare) || bearers(info) >= fewest && !mixed)
        });
    // A role is followed by its holder, seldom by a lone abbreviation.
    let code = first == last && words.list[first].shape == Shape::Upper && words.text(first).len() <= 3;
    // `Smith, Lasix`: after the comma stands a given name or one that no list knows.
    let given = !reversed
        || (first..=last).find(|&index| words.list[index].gap == Gap::Comma).is_none_or(|index| {
            let info = &words.list[index].info;
            words.list[index].shape == Shape::Initial || !info.is_any(MEDICAL) || info.given_count >= 20
        });
    let other = !reversed && is_no_value(words, first);
    telling && given && !other && !(code && words.list[first].info.surname_count < 1_000)
}

/// Whether a word is what forms hold instead of a name.
pub(super) fn is_no_value(words: &Words, index: usize) -> bool {
    listed!(words.text(index), NO_VALUES)
}

/// Whether an ordinary word ends as participles, adverbs and names of specialties do: `Redacted`, `Nephrology`.
fn is_formed(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["ed", "ing", "ly", "logy", "ics", "ist", "health", "ion", "ment", "ive", "able", "ible", "al", "try", "ic", "ous"]
        .iter()
        .any(|end| text.ends_with(end))
}

/// `Day team: Young, Rich, Long`: capitals in a row, each of them a surname.
fn team(words: &Words, first: usize, found: &mut Found) {
    let mut names: Vec<(usize, usize)> = Vec::new();
    let mut index = first;
    while let Some(word) = words.get(index) {
        let joint = matches!(words.text(index), "and" | "AND") && word.gap == Gap::Space;
        let gap_fits = index == first || joint || matches!(word.gap, Gap::Comma | Gap::Other);
        let start = index + usize::from(joint);
        if !gap_fits || !words.get(start).is_some_and(|name| is_team_member(words, start, name.shape)) {
            break;
        }
        let mut last = start;
        while words
            .get(last + 1)
            .is_some_and(|next| next.gap == Gap::Space && is_team_member(words, last + 1, next.shape))
        {
            last += 1;
        }
        names.push((start, last));
        index = last + 1;
    }
    let sure = names
        .iter()
        .any(|&(start, last)| words.list[start].info.english_size().is_none_or(|size| size > 20) || last > start);
    // After `cc:` may stand complaints as well.
    let copies = listed!(words.text(first - 1), "cc");
    let clean =
        |index: usize| words.list[index].info.english_size().is_none() && words.list[index].info.surname_count >= 500;
    if names.len() < 2 || copies && !names.iter().all(|&(_, last)| clean(last)) || !sure && names.len() < 3 {
        return;
    }
    for (start, last) in names {
        add(words, start, last, Label::Doctor, 0.8, found);
    }
}

/// `Rad: Okonjo.`, `neph = Okonjo at the unit`: a surname that is nothing else, alone behind a short form of a service.
fn short_service(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let equated =
        words.between(index).contains('=') && words.get(index + 1).is_some_and(|next| next.shape == Shape::Lower);
    if listed!(words.text(index - 1), "rad rads hosp onc ortho cards neph ordered surg anes interp cosurgeon")
        && word.shape == Shape::Capital
        && !words.shouted
        && word.info.english_size().is_none()
        && word.info.surname_count >= 100
        && words.likeness_at(index) == super::plausible::Likeness::Name
        && (words.gap_after(index) != Gap::Space || equated)
        && !found.covers(word.start..word.end)
    {
        add(words, index, index, Label::Doctor, 0.7, found);
    }
}

/// `(Sundvall, Lee)`: two surnames and nothing else in brackets, one of them nothing but a surname.
fn are_colleagues(words: &Words, index: usize) -> bool {
    let Some(second) = words.get(index + 1).filter(|next| next.gap == Gap::Comma) else { return false };
    let plain = |word: &super::words::Word| {
        word.shape == Shape::Capital
            && word.marker.is_none()
            && word.info.surname_count >= 100
            && !word
                .info
                .is_any(MEDICAL.union(WordFlags::EPONYM).union(WordFlags::ORGANIZATION).union(WordFlags::COUNTRY))
            && !(word.info.is(WordFlags::CITY) && word.info.population > 20_000)
    };
    let (one, two) = (&words.list[index], second);
    let sure = |word: &super::words::Word| word.info.english_size().is_none();
    words.between_after(index + 1).starts_with(')')
        && plain(one)
        && plain(two)
        && (sure(one) && (sure(two) || two.info.surname_count >= 20_000)
            || sure(two) && one.info.surname_count >= 20_000)
}

/// `c team (Achebe, Brandt)`: everyone in the brackets behind a team.
fn team_in_brackets(words: &Words, index: usize, found: &mut Found) {
    let before = words.text(index - 1);
    let led =
        listed!(before, TEAM_FIELDS) || listed!(before, SERVICES) || words.list[index - 1].shape == Shape::Initial;
    if before != "cc" && words.between(index).trim() == "(" && (led || are_colleagues(words, index)) {
        team(words, index, found);
    }
}

fn is_team_member(words: &Words, index: usize, shape: Shape) -> bool {
    const COLORS: &str = "red blue green gold silver orange purple yellow black white gray grey pink brown teal violet";
    let word = &words.list[index];
    shape == Shape::Capital
        && word.marker.is_none()
        && !listed!(words.text(index), COLORS)
        && (word.info.surname_count >= 500 && (!word.info.is_any(MEDICAL) || word.info.surname_count > 5_000)
            || word.info.surname_count > 0 && word.info.english_size().is_none() && !word.info.is_any(MEDICAL)
            || word.info.flags.is_empty())
}

/// Whether a field that ends in `name` is named after a thing: `Facility name`, `drug name`.
pub(super) fn names_a_thing(words: &Words, head: usize) -> bool {
    listed!(words.text(head), "name names") && (head.saturating_sub(2)..head).any(|at| listed!(words.text(at), THINGS))
}

/// `Ortho (Wu)`: whoever came from a service.
fn after_service(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let closed = words.sentence[word.end..].starts_with(')');
    let info = &word.info;
    let common =
        info.english_size().is_some_and(|size| size <= 20) || info.is_any(MEDICAL) && info.surname_count < 20_000;
    let frequent = info.surname_count >= 30_000 && !info.is_any(MEDICAL);
    let known = info.surname_count >= 100 && !common || frequent || info.flags.is_empty() && word.end - word.start >= 5;
    if closed
        && words.between(index).trim() == "("
        && listed!(words.text(index - 1), SERVICES)
        && word.shape == Shape::Capital
        && word.marker.is_none()
        && known
    {
        add(words, index, index, Label::Doctor, if info.flags.is_empty() { 0.5 } else { 0.8 }, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::phi::Span;

    fn found(sentence: &str) -> Vec<(Label, &str)> {
        let mut spans: Vec<Span> = Vec::new();
        detect(&Words::of(sentence, Lexicon::shared()), &mut Found::new(&mut spans));
        spans.iter().map(|span| (span.claims[0].class.label, &sentence[span.start..span.end])).collect()
    }

    #[test]
    fn a_field_makes_a_name_of_what_follows() {
        assert_eq!(found("Pt Name: Larkspur, Io"), [(Label::Patient, "Larkspur, Io")]);
        assert_eq!(found("Referring Surgeon: Heron"), [(Label::Doctor, "Heron")]);
        assert_eq!(found("Night team: Marsh, Lake and Woods").len(), 3);
    }

    #[test]
    fn subjects_of_forms() {
        assert_eq!(found("Rider: Sunniva Kowalczyk"), [(Label::Patient, "Sunniva Kowalczyk")]);
        assert_eq!(found("Infant: BOY KOWALCZYK"), [(Label::Patient, "KOWALCZYK")]);
        assert_eq!(found("Outpt neph = Kowalczyk at noon"), [(Label::Doctor, "Kowalczyk")]);
        for line in ["Donor: Deceased", "Pupil: Reactive", "Infant: Male", "Donor: EBV neg", "dose = Lasix 40"] {
            assert_eq!(found(line), [], "{line}");
        }
    }

    #[test]
    fn what_is_plainly_no_name_is_none() {
        for line in ["Attending: Unassigned", "Pharmacy name: Hollis", "Consultant: Nephrology", "Team: Gold, Blue"] {
            assert_eq!(found(line), [], "{line}");
        }
    }
}
