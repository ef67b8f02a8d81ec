//! Names that no head tells: `transferred to Cedar Hollow`, `works at Ridgemont`, `payer Northern Basin`, `from KVMC`.
//!
//! Here the words before the name say what it is: verbs of admission and transfer, of work and study, or a field.

use super::named::{is_generic, is_proper, legal_end};
use super::naming::{field, is_column, is_kind};
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::places::ends_landmark;
use crate::detect::dictionary::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::detect::patterns::cues::WordTable;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Kind, Label};

use std::sync::LazyLock;

const PLACE: WordFlags = WordFlags::CITY.union(WordFlags::STATE).union(WordFlags::COUNTRY);

/// What was done there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    /// Care was given: a hospital.
    Care,
    /// Someone works, learns or prays there: an organization.
    Work,
}

const DEEDS: &[(Deed, &str)] = &[
    (
        Deed::Care,
        "transferred transfer transferring transfers admitted admit admission discharged discharge discharging dc'd d/c dc \
         seen presented evaluated hospitalized hospitalised followed performed referred sent taken brought treated came \
         arrived stay hospitalization visit delivered disposition dispo placement placed rehab snf bed transport \
         transported records record copy faxed fax hospice accepted accepts accepting followup f/u clinic surgery appt \
         appointment dialysis chemo infusion imaging ct mri scan xray returned return \
         readmitted biopsy colonoscopy echo labs workup therapy pt nurse facility reviewed implanted implant",
    ),
    (
        Deed::Work,
        "works work worked working employed employer employee job jobs teaches taught teach teaching drives drove drive \
         manages managed owns runs ran plays played play attends attended attending student enrolled graduated \
         volunteers volunteered volunteer member parishioner services mass worships worship reads sings shift shifts \
         career boss retired retiring hired school class classes studies studied coached coaches coach league \
         freshman sophomore grader grade counsel manager president clerk shops bank banks services fills filled",
    ),
];

fn deed(word: &str) -> Option<Deed> {
    static TABLE: LazyLock<WordTable<Deed>> = LazyLock::new(|| WordTable::of(DEEDS.iter().copied()));
    TABLE.get(word.as_bytes())
}

/// Prepositions before sites.
pub(super) const LEADS: &str = "at to from for with by via into";

/// Whether a word is a preposition before sites.
pub(in crate::detect::dictionary) fn is_lead(text: &str) -> bool {
    listed!(text, LEADS)
}

/// Every word that tells what was done at a site, blank-separated.
pub(super) fn deeds() -> impl Iterator<Item = &'static str> {
    DEEDS.iter().map(|(_, words)| *words)
}

/// Whether a word tells that someone works at a site.
pub(in crate::detect::dictionary) fn is_work(text: &str) -> bool {
    deed(text) == Some(Deed::Work)
}

/// Whether a word tells that care was given at a site.
pub(super) fn is_care(text: &str) -> bool {
    deed(text) == Some(Deed::Care)
}

/// Whether a text begins with one or two digits and no letter behind them.
fn is_score(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=2).contains(&(text.len() - rest.len())) && !rest.starts_with(char::is_alphanumeric)
}

/// Whether a word is a field that holds a site.
pub(in crate::detect::dictionary) fn is_field(text: &str) -> bool {
    field(text).is_some()
}

/// Adds the name of a place that a preposition or a field at `index` announces.
pub(super) fn announced(words: &Words, index: usize, found: &mut Found) {
    let Some(next) = words.get(index + 1) else { return };
    let cues = words.list[index].cues;
    let sign = next.gap == Gap::Other && words.between(index + 1).trim() == "@";
    if sign || next.gap == Gap::Space && cues.has(Cues::SITE_LEAD) {
        let near = sign || words.text(index).eq_ignore_ascii_case("at");
        led(words, index, near, found);
    } else if (next.gap == Gap::Colon || next.gap == Gap::Space)
        && next.shape != Shape::Lower
        && cues.has(Cues::SITE_FIELD)
        && let Some(label) = field(words.text(index))
    {
        in_field(words, index, label, found);
    }
}

/// A run of capitals after a preposition.
fn led(words: &Words, lead: usize, near: bool, found: &mut Found) {
    let first = lead
        + 1
        + usize::from(
            words.get(lead + 1).is_some_and(|next| next.shape == Shape::Lower) && words.text(lead + 1) == "the",
        );
    let Some(word) = words.get(first) else { return };
    if word.shape == Shape::Lower {
        small(words, lead, first, found);
        return;
    }
    if words.shouted || !begins_name(words, first) || found.covers(word.start..word.end) {
        return;
    }
    if word.shape == Shape::Upper {
        by_capitals(words, lead, first, found);
    }
    if word.shape != Shape::Capital {
        return;
    }
    let deed = (lead.saturating_sub(5)..lead + usize::from(!near)).rev().find_map(|at| deed_at(words, at));
    let Some(last) = run_from(words, first) else { return };
    if known_place(words, first, last) || words.is_eponymous(first, last) || words.is_eponym(last) {
        return;
    }
    let single = first == last;
    let proper = (first..=last).any(|index| is_proper(words, index));
    let person = words.list[first].info.given_count > 2_000 && (single || words.list[last].info.surname_count > 1_000);
    let rare = words.list[first].info.english_size().is_none_or(|size| size > 50);
    let preposition = words.text(lead);
    let fits = match deed {
        Some(Deed::Work) => near && (proper || !single) || !single && !person && listed!(preposition, "for with"),
        Some(Deed::Care) => (proper && rare || !single) && !person && listed!(preposition, "at to from into"),
        None => near && rare && !person && (proper || !single),
    };
    if fits {
        let class = match deed {
            Some(Deed::Care) => Class::of(Label::Hospital),
            _ if ends_landmark(words.text(last)) => Class { label: Label::LocationOther, kind: Kind::LocationLandmark },
            _ => Class::of(Label::Organization),
        };
        found.add(word.start..words.list[last].end, class, if deed.is_some() { 0.7 } else { 0.5 });
    }
}

/// `student at UNLV`, `works at QHX`: a school or an employer by capitals that no vocabulary has, right behind what is done there.
fn by_capitals(words: &Words, lead: usize, first: usize, found: &mut Found) {
    let (word, text) = (&words.list[first], words.text(first));
    let done = lead > 0
        && words.list[lead].gap == Gap::Space
        && first == lead + 1
        && listed!(words.text(lead), "at for")
        && deed_at(words, lead - 1) == Some(Deed::Work)
        && !listed!(words.text(lead - 1), "services shift shifts class classes");
    let unheard_of = (3..=5).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_uppercase())
        && word.marker.is_none()
        && !word.info.is_any(MEDICAL.union(WordFlags::HEADING).union(PLACE))
        && word.info.english_size().is_none()
        && !listed!(text, NO_HOSPITALS)
        && !super::transfers::is_kind_of_house(text);
    if done && unheard_of {
        found.add(word.start..word.end, Label::Organization, 0.7);
    }
}

/// What is said to be done by the word at `at`, jobs included: `bartender at`.
fn deed_at(words: &Words, at: usize) -> Option<Deed> {
    deed(words.text(at)).or_else(|| words.list[at].cues.has(Cues::JOB).then_some(Deed::Work))
}

/// A name in small letters where only an employer can stand: `accountant at harlan voss`.
fn small(words: &Words, lead: usize, first: usize, found: &mut Found) {
    let told = lead > 0 && words.list[lead - 1].cues.has(Cues::WORK | Cues::JOB);
    if !told || !matches!(deed_at(words, lead - 1), Some(Deed::Work)) || !listed!(words.text(lead), "at for @") {
        return;
    }
    let rarity = |index: usize| Lexicon::shared().word(words.text(index));
    let mut last = None;
    for index in first..(first + 3).min(words.list.len()) {
        let word = &words.list[index];
        if word.marker.is_some() || !matches!(word.gap, Gap::Space) || word.end - word.start < 3 {
            break;
        }
        let info = rarity(index);
        let headed = last.is_some() && super::naming::role(words.text(index)).is_some();
        if !headed && info.english_size().is_some_and(|size| size <= 20)
            || info.is_any(MEDICAL)
            || is_kind(words.text(index))
        {
            break;
        }
        last = Some(index);
    }
    let Some(last) = last else { return };
    let named = (first..=last).any(|index| {
        let info = rarity(index);
        info.english_size().is_none_or(|size| size > 60)
    });
    if named {
        found.add(words.list[first].start..words.list[last].end, Label::Organization, 0.6);
    }
}

fn begins_name(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    word.marker.is_none_or(|marker| marker == Marker::Particle) && !is_generic(words, index) && word.gap != Gap::Start
}

/// The last word of the capitals from `first`.
fn run_from(words: &Words, first: usize) -> Option<usize> {
    let mut last = first;
    while let Some(next) = words.get(last + 1) {
        let index = last + 1;
        let ampersand = next.gap == Gap::Other && words.between(index).trim() == "&";
        let connector = next.shape == Shape::Lower
            && matches!(words.text(index), "of" | "and" | "on" | "the" | "de")
            && next.gap == Gap::Space
            && words.get(index + 1).is_some_and(|after| after.gap == Gap::Space && after.shape == Shape::Capital)
            && words.list[index + 1].marker.is_none()
            && !matches!(words.text(index), "and" | "on");
        let capital = next.shape == Shape::Capital && !stops(words, index);
        if is_column(words, index)
            || last >= first + 4
            || !(ampersand || next.gap == Gap::Space)
            || !(capital || connector)
        {
            break;
        }
        last += 1;
    }
    // `St. Anne's`, `Cedar Hollow Children's`: the possessive belongs to the name.
    let children = listed!(words.text(last), "children women veterans")
        && words.get(last + 1).is_some_and(|next| next.gap == Gap::Other && words.text(last + 1) == "s");
    (words.list[last].shape != Shape::Lower).then_some(last + usize::from(children))
}

fn stops(words: &Words, index: usize) -> bool {
    words.list[index].marker.is_some_and(|marker| {
        !matches!(marker, Marker::Particle) && !is_kind(words.text(index))
            || matches!(marker, Marker::DoctorTitle | Marker::Kin)
    })
}

/// Whether it is a city, state or country, which the rules of places judge.
fn known_place(words: &Words, first: usize, last: usize) -> bool {
    words.look_up(first, last).is_any(PLACE) && words.look_up(first, last).population > 5_000
        || words.list[first].info.is_any(PLACE)
            && (words.list[first].info.population > 100_000 || words.list[first].info.is(WordFlags::COUNTRY))
}

/// The name in a field: `Employer: …`, `INSURER     …`.
fn in_field(words: &Words, label_at: usize, label: Label, found: &mut Found) {
    let first = label_at + 1;
    let next = &words.list[first];
    let text = words.text(label_at);
    let told =
        next.gap == Gap::Colon || is_column(words, first) || listed!(text, "payer payor insurer emp employer insurers");
    // `Facility    Bkg# 2300`: another field.
    let field_again = next.gap == Gap::Space && words.between_after(first).starts_with(['#', ':']);
    let article = matches!(words.text(first), "The")
        && words
            .get(first + 1)
            .is_some_and(|name| name.gap == Gap::Space && begins_name(words, first + 1) && name.is_capital());
    let begins = article || begins_name(words, first) || is_kind_led(words, first);
    if !told || field_again || next.shape == Shape::Initial || !begins {
        return;
    }
    let mut last = first;
    while let Some(after) = words.get(last + 1) {
        let index = last + 1;
        let ampersand = after.gap == Gap::Other && words.between(index).trim() == "&";
        let inner = after.is_capital() || matches!(words.text(index), "of" | "and" | "the");
        let fits = matches!(after.gap, Gap::Space | Gap::Hyphen) || ampersand;
        // `Monongah Glass Works`, `Houssaye & Daughters Orchards`
        let of_firms = listed!(words.text(index), "works sons daughters bros brothers");
        let stop = after.marker.is_some() && !is_kind(words.text(index)) && !after.is(Marker::Connector) && !of_firms
            || field(words.text(index)).is_some()
                && words.list.get(index + 1).is_some_and(|next| next.gap == Gap::Colon)
            || after.info.is(WordFlags::ABBREVIATION);
        if !fits || !inner || stop || is_column(words, index) || last >= first + 5 {
            break;
        }
        last += 1;
    }
    while last > first && words.list[last].shape == Shape::Lower {
        last -= 1;
    }
    last = legal_end(words, last);
    let proper = (first..=last).any(|index| is_proper(words, index) && !is_generic(words, index));
    let names = (first..=last).filter(|&index| !is_generic(words, index)).count();
    let loose = listed!(text, "location loc site lab rx carrier practice primary secondary surgery cover coverage");
    let person =
        last == first + 1 && words.list[first].info.given_count > 5_000 && words.list[last].info.surname_count > 0;
    let job = (first..=last)
        .any(|index| words.list[index].info.is(WordFlags::PROFESSION) || listed!(words.text(index), NO_NAMES));
    let heading = words.shouted && (loose || next.gap != Gap::Colon && !is_column(words, first));
    if job
        || person
        || heading
        || names == 0
        || loose && !(proper && names > 1)
        || !proper && names < 2 && first != last
    {
        return;
    }
    // `Hospital: Rehoboth` is called so after its town.
    if known_place(words, first, last) && first == last && (loose || label != Label::Hospital)
        || !proper && first == last && words.list[first].shape == Shape::Capital
    {
        return;
    }
    found.add(words.list[first].start..words.list[last].end, label, 0.8);
}

/// What stands in the field of an employer or insurer that there is none of.
const NO_NAMES: &str = "retired self disabled unemployed student none unknown declined refused homemaker n/a na pending \
                        verified confirmed active inactive primary secondary eligible employed ssi ssdi medicare medicaid \
                        see same other private commercial workers comp yes no";

/// Whether a kind begins a name that goes on: `Great Basin`, `First Valley Bank`.
fn is_kind_led(words: &Words, first: usize) -> bool {
    words.list[first].marker.is_none()
        && is_kind(words.text(first))
        && words.get(first + 1).is_some_and(|next| next.gap == Gap::Space && is_proper(words, first + 1))
}

/// `transferred from KVMC`, `LPRH 4 South`: an abbreviation that no list knows, where only a hospital can stand.
pub(super) fn abbreviated(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let text = words.text(index);
    let spelled = word.shape == Shape::Upper && (3..=6).contains(&text.len()) && text.is_ascii();
    if !spelled || word.marker.is_some() || word.info.is_any(MEDICAL) || word.info.english_size().is_some() {
        return;
    }
    let form = ["MC", "GH", "UH", "CH", "RH", "MH", "WH", "VH", "VA", "HS", "HC"].iter().any(|end| text.ends_with(end));
    let short = ["GH", "UH", "MC"].iter().any(|end| text.ends_with(end));
    let nameless = word.info.flags.is_empty() && form && (text.len() >= 4 || short);
    let at_site = index > 0 && word.gap == Gap::Space && listed!(words.text(index - 1), "at from to");
    // `MAHC-10`: a scale; but `BMC-3RD` and `from BMC-3` are floors of a site.
    let scored = !at_site && words.between_after(index).strip_prefix('-').is_some_and(is_score);
    let glued = scored || words.gap_after(index) == Gap::Hyphen || word.gap == Gap::Hyphen;
    if glued || listed!(text, NO_HOSPITALS) || found.covers(word.start..word.end) {
        return;
    }
    let Some(before) = index.checked_sub(1) else {
        if nameless {
            found.add(word.start..word.end, Label::Hospital, 0.6);
        }
        return;
    };
    let emergency = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space)
        && matches!(words.text(index + 1), "ED" | "ER" | "ICU");
    let led = at_site || words.between(index).trim_end().ends_with('@');
    let done = (index.saturating_sub(5)..before).any(|at| deed(words.text(at)) == Some(Deed::Care));
    let fits = if words.shouted {
        nameless && led
    } else {
        led && (form && (done || nameless) || emergency)
            || nameless && matches!(word.gap, Gap::Comma | Gap::Bracket | Gap::Colon)
            || nameless && emergency
    };
    if fits {
        found.add(word.start..word.end, Label::Hospital, 0.7);
    }
}

/// Short forms that end as hospitals do, or stand where they do, and name none.
pub(super) const NO_HOSPITALS: &str = "osh osf ed er icu snf ltac ltach ltc nh pcp pacu micu ccu imc alf ecf sar irf asc uc opd \
                            vna hha psych tele tcu sicu picu nicu csicu cvicu l&d bmt ir or mri ct pet usa loc \
                            hd pd obs arf tbd lvh rvh bph ich sah sdh lmwh gnrh gch prbc hmc hvac mch mchc rbc aco \
                            cmv ebv hsv vzv hpv hbv hcv hiv pmh psh fmh oshs ehr emr phc dmc bpmh lcmhc lmhc lpmhc cmhc";

/// `at St. Blaise's`, `St. Blaise's ED`: a hospital or church by its saint alone.
pub(super) fn saint(words: &Words, index: usize, found: &mut Found) -> Option<()> {
    let name = words.get(index + 1)?;
    let saint = matches!(words.text(index), "St" | "Saint" | "ST" | "SAINT")
        && matches!(name.gap, Gap::Stop | Gap::Space)
        && name.is_capital();
    if !saint || words.is_eponym(index + 1) || words.is_eponymous(index, index + 1) {
        return None;
    }
    let possessive =
        words.get(index + 2).is_some_and(|next| next.gap == Gap::Other && matches!(words.text(index + 2), "s" | "S"));
    let led = index > 0 && listed!(words.text(index - 1), "at to from");
    let last = index + 1 + usize::from(possessive);
    let plant = words
        .get(last + 1)
        .is_some_and(|next| next.gap == Gap::Space && listed!(words.text(last + 1), "wort fire dance disease"));
    let cue = words.get(last + 1).is_some_and(|next| {
        next.gap == Gap::Space
            && next.is_capital()
            && !is_column(words, last + 1)
            && !matches!(words.text(last + 1), "ED" | "ER" | "ICU")
    });
    if !possessive || cue || plant {
        return None;
    }
    let faith = (index.saturating_sub(6)..index)
        .any(|at| listed!(words.text(at), "catholic church parish mass lutheran orthodox episcopal anglican worship"));
    let label = if faith && !led { Label::Organization } else { Label::Hospital };
    found.add(words.list[index].start..words.list[last].end, label, 0.7);
    Some(())
}
