//! Hospitals and other organizations: a run of capitals that ends in `Hospital`, `Clinic`, `Pharmacy`, `High
//! School`, or a name
//! that everyone knows (`Walgreens`, `Mayo Clinic`, `MGH`).

use super::found::Found;
use super::markers::Marker;
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::patterns::context::is_listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// At most so many words of a name stand before its cue.
const LONGEST_NAME: usize = 6;
const HOSPITAL: WordFlags = WordFlags::HOSPITAL_CUE;
const ORGANIZATION: WordFlags = WordFlags::PHARMACY_CUE
    .union(WordFlags::SCHOOL_CUE)
    .union(WordFlags::CHURCH_CUE)
    .union(WordFlags::COMPANY_CUE)
    .union(WordFlags::INSURER_CUE)
    .union(WordFlags::SERVICE_CUE);
/// Words that say what kind of place it is, not which one: `Pain Clinic` names no one's clinic.
const GENERIC: &str = "the a an this our local primary care pain wound sleep emergency urgent walk outpatient \
                       inpatient community general skilled nursing specialty outside area acute long term rehab \
                       rehabilitation physical mental health day home women's women children's family same high \
                       middle elementary new medical surgery surgical clinic hospital center retail preferred \
                       infusion dialysis coumadin anticoagulation heart failure stroke cancer diabetes memory \
                       travel eye dental imaging birth birthing trauma burn transplant and of for referring in at \
                       to from teaching state county city regional referral tertiary private public law nursery \
                       my his her their grade college university fire police department behavioral resource \
                       treatment recovery church school pharmacy mail order laboratory reference life auto car \
                       insurance company patient patients services service group senior adult living assisted \
                       independent";

/// Adds every hospital and organization of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 0..words.list.len() {
        let word = &words.list[index];
        if word.shape == Shape::Lower {
            continue;
        }
        abbreviated(words, index, found);
        if known(words, index, found).is_some() || saint(words, index, found).is_some() {
            continue;
        }
        if word.info.is_any(HOSPITAL.union(ORGANIZATION))
            || index > 0
                && words.joined(index - 1, index)
                && words.look_up(index - 1, index).is_any(HOSPITAL.union(ORGANIZATION))
        {
            by_cue(words, index, found);
        }
    }
}

/// Names that the lists hold, longest first.
fn known(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    let word = &words.list[first];
    if found.covers(word.start..word.end) {
        return None;
    }
    let flags = WordFlags::HOSPITAL.union(WordFlags::ORGANIZATION);
    let end = (first + 5).min(words.list.len());
    let last = (first..end).rev().find(|&last| {
        words.joined(first, last) && words.list[last].shape != Shape::Lower && words.look_up(first, last).is_any(flags)
    })?;
    let info = words.look_up(first, last);
    let single = first == last;
    if words.is_eponymous(first, last) {
        return Some(last);
    }
    let ordinary = single
        && (info.english_size().is_some_and(|size| size <= 60)
            || info.is_any(MEDICAL)
            || info.given_count.max(info.surname_count) > 5_000);
    let led = first > 0
        && (words.list[first - 1].is(Marker::PlaceLead)
            || matches!(words.text(first - 1), "at" | "from" | "to" | "by" | "with" | "for"));
    let code = single && word.shape == Shape::Upper && words.shouted;
    // An abbreviation is written in capitals: `HSS`, not `Hss`.
    if single && word.shape == Shape::Capital && word.end - word.start <= 3 && !led {
        return None;
    }
    let initials = single && led && word.shape == Shape::Upper && !words.shouted && info.is(WordFlags::ORGANIZATION);
    if ordinary && !initials && !(led && word.shape == Shape::Capital && !info.is_any(MEDICAL)) || code && ordinary {
        return None;
    }
    let label = if info.is(WordFlags::HOSPITAL) { Label::Hospital } else { Label::Organization };
    let last = extended(words, last);
    found.add(word.start..words.list[last].end, label, if ordinary { 0.6 } else { 0.9 });
    Some(last)
}

/// `at St. Luke's`: a hospital by its saint alone.
fn saint(words: &Words, index: usize, found: &mut Found) -> Option<()> {
    let led = index > 0 && matches!(words.text(index - 1), "at" | "from" | "to" | "At" | "From");
    let name = words.get(index + 1)?;
    let possessive =
        words.get(index + 2).is_some_and(|next| next.gap == Gap::Other && matches!(words.text(index + 2), "s" | "S"));
    let saint = matches!(words.text(index), "St" | "Saint" | "ST")
        && matches!(name.gap, Gap::Stop | Gap::Space)
        && name.is_capital();
    let cue_follows = words.get(index + 3).is_some_and(|next| next.gap == Gap::Space && next.is_capital());
    if !(led && saint && possessive) || cue_follows || words.is_eponym(index + 1) {
        return None;
    }
    found.add(words.list[index].start..words.list[index + 2].end, Label::Hospital, 0.7);
    Some(())
}

/// `transferred from KVMC`: an abbreviation that no list knows, where only a hospital can stand.
fn abbreviated(words: &Words, index: usize, found: &mut Found) {
    const LEADS: &str = "transferred transfer admitted seen presented evaluated hospitalized discharged followed done \
                         performed referred sent taken brought treated came arrived stay admission hospitalization ct mri visit \
                         delivered";
    const NO_HOSPITALS: &str = "osh osf ed er icu snf ltac ltach ltc nh pcp pacu micu ccu imc alf ecf sar irf asc uc opd \
                                vna hha psych tele tcu sicu picu nicu csicu cvicu l&d bmt ir or mri ct pet usa loc \
                                hd pd obs arf tbd";
    let word = &words.list[index];
    let text = words.text(index);
    let spelled = word.shape == Shape::Upper && (3..=6).contains(&text.len()) && text.is_ascii();
    if !spelled || words.shouted || word.marker.is_some() || index == 0 || word.gap != Gap::Space {
        return;
    }
    if !is_listed(words.text(index - 1), "at from to") {
        return;
    }
    let unknown = !word.info.is_any(MEDICAL) && word.info.english_size().is_none() && !is_listed(text, NO_HOSPITALS);
    let lead = (index.saturating_sub(5)..index - 1).any(|at| is_listed(words.text(at), LEADS));
    let hospital_form =
        ["MC", "GH", "UH", "CH", "RH", "MH", "WH", "VH", "VA", "HS", "HC"].iter().any(|end| text.ends_with(end));
    let emergency = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space)
        && matches!(words.text(index + 1), "ED" | "ER" | "ICU");
    let ends = words.gap_after(index) != Gap::Hyphen;
    if unknown && lead && ends && (hospital_form || emergency) && !found.covers(word.start..word.end) {
        found.add(word.start..word.end, Label::Hospital, 0.7);
    }
}

/// A known name with the cue words after it: `Walgreens Pharmacy`, `Kaiser Medical Center`.
fn extended(words: &Words, last: usize) -> usize {
    let mut end = last;
    while let Some(next) = words.get(end + 1) {
        let cue = next.info.is_any(HOSPITAL.union(ORGANIZATION))
            || words.get(end + 2).is_some()
                && words.joined(end + 1, end + 2)
                && words.look_up(end + 1, end + 2).is_any(HOSPITAL.union(ORGANIZATION));
        if next.gap == Gap::Space
            && next.is_capital()
            && cue
            && next.marker.is_none_or(|marker| marker == Marker::NoName)
            && end < last + 3
        {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// A run of capitals before a cue word.
fn by_cue(words: &Words, cue: usize, found: &mut Found) {
    let pair =
        cue > 0 && words.joined(cue - 1, cue) && words.look_up(cue - 1, cue).is_any(HOSPITAL.union(ORGANIZATION));
    let info = if pair { words.look_up(cue - 1, cue) } else { words.list[cue].info };
    let company_only = !info.is_any(HOSPITAL)
        && info.is(WordFlags::COMPANY_CUE)
        && !info.is_any(
            WordFlags::SCHOOL_CUE
                .union(WordFlags::CHURCH_CUE)
                .union(WordFlags::PHARMACY_CUE)
                .union(WordFlags::SERVICE_CUE),
        );
    let first_cue = if pair { cue - 1 } else { cue };
    let Some(first) = run_before(words, first_cue) else {
        return;
    };
    let names = (first..first_cue).filter(|&index| !is_generic(words, index)).count();
    // `First Baptist Church` has no word that is no other word.
    let church = info.is(WordFlags::CHURCH_CUE)
        && first < first_cue
        && !words.shouted
        && words.list[cue].shape == Shape::Capital;
    if names == 0 && !church {
        return;
    }
    // Ordinary capitals before a company's cue are a heading more often than a company.
    let strong = (first..first_cue).any(|index| {
        let info = words.list[index].info;
        !is_generic(words, index)
            && (info
                .is_any(WordFlags::SURNAME.union(WordFlags::CITY).union(WordFlags::GIVEN_NAME).union(WordFlags::STATE))
                || info.flags.is_empty())
            && info.english_size().is_none_or(|size| size > 35)
    });
    let plain_words = (first..first_cue).all(|index| {
        words.list[index].info.english_size().is_some_and(|size| size <= 60) || words.list[index].info.is_any(MEDICAL)
    });
    let legal = matches!(
        words.text(cue).trim_end_matches('.'),
        "Inc" | "LLC" | "Ltd" | "Corp" | "Corporation" | "Co" | "LLP" | "Company"
    );
    if !strong && !is_sure_cue(words, cue)
        || company_only && !(strong || legal)
        || words.shouted && !strong
        || company_only && words.list[first].gap == Gap::Start && !legal
    {
        return;
    }
    let label = if info.is_any(HOSPITAL) { Label::Hospital } else { Label::Organization };
    let score = match () {
        () if strong => 0.9,
        () if plain_words && first_cue - first == 1 && words.list[first].info.is_any(MEDICAL) => 0.5,
        () => 0.6,
    };
    let last = trailing_place(words, cue);
    found.add(words.list[first].start..words.list[last].end, label, score);
}

/// The first word of the capitals that lead up to a cue.
fn run_before(words: &Words, cue: usize) -> Option<usize> {
    let mut first = cue;
    while first > 0 && cue - first < LONGEST_NAME {
        let here = &words.list[first];
        let before = &words.list[first - 1];
        let dotted = here.gap == Gap::Stop && matches!(words.text(first - 1), "St" | "Mt" | "Ft" | "ST" | "Ste");
        let possessive = here.gap == Gap::Space
            && matches!(words.text(first - 1), "s" | "S")
            && before.gap == Gap::Other
            && first > 1;
        let ampersand = here.gap == Gap::Other && words.sentence[before.end..here.start].trim() == "&";
        if !(matches!(here.gap, Gap::Space | Gap::Hyphen) || dotted || ampersand) {
            break;
        }
        if possessive {
            first -= 2;
            continue;
        }
        let connector = before.shape == Shape::Lower
            && matches!(words.text(first - 1), "of" | "and" | "the" | "for" | "de" | "la")
            && first > 1
            && words.list[first - 2].is_capital()
            && !(words.text(first - 1) == "and" && words.list[first - 2].info.is_any(HOSPITAL))
            && before.gap == Gap::Space
            && here.gap == Gap::Space
            && words.list[first - 2].marker.is_none_or(|marker| marker == Marker::NoName);
        let stops = matches!(
            before.marker,
            Some(
                Marker::DoctorTitle
                    | Marker::PersonTitle
                    | Marker::Credential
                    | Marker::StaffVerb
                    | Marker::PersonField
                    | Marker::Kin
                    | Marker::By
                    | Marker::With
            )
        ) || matches!(
            before.marker,
            Some(Marker::NoName | Marker::PlaceLead | Marker::PeopleVerb | Marker::JobLead | Marker::CareRole)
        ) && before.gap == Gap::Start
            || matches!(before.marker, Some(Marker::PlaceLead | Marker::PeopleVerb));
        if connector || (before.is_capital() || before.shape == Shape::Initial && dotted) && !stops {
            first -= 1;
        } else {
            break;
        }
    }
    // Articles and connectors are no first words.
    while first < cue
        && (words.list[first].shape == Shape::Lower
            || matches!(
                words.text(first),
                "The" | "THE" | "A" | "At" | "In" | "From" | "Our" | "This" | "And" | "Of" | "Per" | "Local"
            ))
    {
        first += 1;
    }
    // `Attends Lincoln High School`: a verb that begins the sentence.
    let verb = words.list[first].gap == Gap::Start
        && words.list[first].info.surname_count < 1_000
        && words.text(first).ends_with(['s', 'd', 'g'])
        && words.list[first].info.english_size().is_some_and(|size| size <= 50);
    if verb && first + 1 < cue && (first + 1..cue).any(|index| !is_generic(words, index)) {
        first += 1;
    }
    (first < cue).then_some(first)
}

/// Whether a cue makes a name of plain capitals (`Oak Tree Clinic`); the names of departments (`Imaging`,
/// `Cardiology`) do not.
fn is_sure_cue(words: &Words, cue: usize) -> bool {
    const SURE: &str = "hospital clinic hospice infirmary pharmacy school elementary academy church temple \
                        synagogue mosque inc llc ltd corp corporation company manor university college center \
                        centre home system bank vamc insurance apothecary department healthcare institute house \
                        village";
    is_listed(words.text(cue), SURE)
}

fn is_generic(words: &Words, index: usize) -> bool {
    let text = words.text(index);
    let info = words.list[index].info;
    is_listed(text, GENERIC)
        || info.is_any(MEDICAL) && info.surname_count < 5_000
        || words.list[index].is(Marker::NoName)
        || words.list[index].is(Marker::CareRole)
        || words.list[index].is(Marker::Connector)
}

/// `Hospital of Philadelphia`, `University of Michigan`: the place that belongs to the name.
fn trailing_place(words: &Words, cue: usize) -> usize {
    let of = words
        .get(cue + 1)
        .is_some_and(|next| next.gap == Gap::Space && matches!(words.text(cue + 1), "of" | "at" | "OF"));
    if !of {
        return cue;
    }
    let mut last = cue;
    let mut index = cue + 2;
    while let Some(word) = words.get(index) {
        let part = word.gap == Gap::Space
            && word.is_capital()
            && word.marker.is_none()
            && (word
                .info
                .is_any(WordFlags::CITY.union(WordFlags::STATE).union(WordFlags::CITY_PART).union(WordFlags::COUNTRY))
                || word.info.flags.is_empty());
        if !part || index > cue + 4 {
            break;
        }
        last = index;
        index += 1;
    }
    last
}
