//! Identifiers of known form, found by deterministic patterns.
//!
//! ```text
//! "DOB: 03/04/1950  MRN 00-12-34  cell (555) 123-4567"
//!       └ DATE:full     └ MEDICALRECORD   └ PHONE
//! ```
//!
//! One pass over the sentence finds cue words and chains of numbers (`survey`); each family looks around those
//! places only.
//! The families run from the surest to the loosest, and a later one leaves alone what an earlier one has claimed.

mod abodes;
pub(in crate::detect) mod abroad;
mod addresses;
mod ages;
mod ages_beside_births;
pub(in crate::detect) mod ages_brief;
mod ages_composed;
mod ages_fielded;
mod ages_infant;
mod ages_listed;
mod ages_lived;
mod ages_named;
mod ages_noted;
mod ages_oldest;
mod ages_said;
mod ages_told;
mod areas;
mod births_told;
pub(in crate::detect) mod calendar;
mod clock_years;
mod codes;
mod contacts;
pub(in crate::detect) mod context;
mod crews;
mod cued_days;
pub(in crate::detect) mod cues;
mod date_rows;
mod dated_fields;
mod dates;
mod day_lists;
mod day_runs;
mod decades;
mod findings;
mod fused;
#[cfg(test)]
mod golden;
mod heads;
mod hl7;
mod identifiers;
mod initials_told;
mod lab_dates;
mod lone_streets;
mod machines;
mod misread;
mod months;
mod names_told;
mod national_numbers;
mod numbered_bodies;
mod numbers;
mod occasions;
mod page_heads;
mod page_logs;
pub(in crate::detect) mod pairs;
mod parted_dates;
mod phones;
mod phones_apart;
mod place_fields;
mod postcodes;
mod roads;
mod roman_months;
mod rooms;
mod rounds;
mod scripts;
pub(in crate::detect) mod shared_codes;
mod shops;
mod sign_off;
mod spaced;
mod spaced_codes;
mod spelled_names;
mod spoken;
mod spoken_numbers;
mod survey;
mod times;
mod topics;
mod towns;
mod transcribed;
mod units;
pub(in crate::detect) mod users;
mod value;
mod vehicles;
mod wards;
pub(in crate::detect) mod wheals;
mod whole_days;
pub(in crate::detect) mod years;

use regex::{Captures, Regex};

use self::cues::{Cue, CueTable};
use self::findings::Findings;
use self::survey::{Hit, Survey};
use super::SentenceDetector;
use crate::phi::{Detector, Label, Span};

/// The member of the ensemble that knows forms: dates, ages, numbers, contacts, addresses, rooms. Free to make and
/// to share.
#[derive(Debug, Clone, Copy, Default)]
pub struct PatternDetector;

impl PatternDetector {
    /// The detector; its tables are built once, at the first sentence.
    pub const fn new() -> Self {
        Self
    }
}

impl SentenceDetector for PatternDetector {
    fn detector(&self) -> Detector {
        Detector::Pattern
    }

    fn detect(&self, sentence: &str, spans: &mut Vec<Span>) {
        let survey = Survey::of(sentence, CueTable::shared());
        let mut findings = Findings::new(spans);
        match survey.misread.then(|| misread::restored(sentence)).flatten() {
            Some(restored) => judge(&restored, &Survey::of(&restored, CueTable::shared()), &mut findings),
            None => judge(sentence, &survey, &mut findings),
        }
    }
}

/// Every family in turn.
fn judge(sentence: &str, survey: &Survey, findings: &mut Findings) {
    fused::detect(sentence, findings);
    fused::small_fields(sentence, survey, findings);
    let idle = survey.hits.is_empty() && survey.chains.is_empty() && !survey.has_mark(b'@') && survey.colons < 2;
    if !idle {
        contacts::detect(sentence, survey, findings);
        whole_days::detect(sentence, survey, findings);
        births_told::detect(sentence, survey, findings);
        codes::long(sentence, survey, findings);
        numbered(sentence, survey, findings);
        transcribed::detect(sentence, survey, findings);
        dated_fields::detect(sentence, survey, findings);
        dated(sentence, survey, findings);
        page_heads::detect(sentence, survey, findings);
        page_logs::detect(sentence, survey, findings);
        codes::grouped(sentence, survey, findings);
        spaced_codes::detect(sentence, survey, findings);
        placed(sentence, survey, findings);
        times::detect(sentence, survey, findings);
        codes::detect(sentence, survey, findings);
        numbers::detect(sentence, survey, findings);
    }
    machines::detect(sentence, survey, findings);
    hl7::detect(sentence, survey, findings);
    abroad::detect(sentence, survey, findings);
    if survey.has_mark(b'.') {
        towns::dotted_states(sentence, findings);
    }
    if survey.colons > 0 {
        place_fields::detect(sentence, findings);
    }
    lone_streets::detect(sentence, survey, findings);
    shops::detect(sentence, survey, findings);
    numbered_bodies::detect(sentence, survey, findings);
    heads::detect(sentence, survey, findings);
    users::bare(sentence, survey, findings);
    sign_off::detect(sentence, survey, findings);
    initials_told::detect(sentence, survey, findings);
    spelled_names::detect(sentence, survey, findings);
    names_told::detect(sentence, survey, findings);
    scripts::detect(sentence, survey, findings);
}

/// What a word introduces, and telephones.
fn numbered(sentence: &str, survey: &Survey, findings: &mut Findings) {
    national_numbers::detect(sentence, survey, findings);
    for chain in &survey.chains {
        numbers::social_security(sentence, chain, findings);
        numbers::license_of_state(sentence, chain, findings);
        numbers::of_person(sentence, chain, findings);
        contacts::internet_protocol(sentence, chain, findings);
    }
    for &hit in &survey.hits {
        match hit.cue {
            Cue::SocialSecurity if survey.digits > 0 => identifiers::social_security(sentence, hit, findings),
            Cue::Identifier(row) if survey.digits > 0 => {
                identifiers::detect(sentence, hit, row, findings);
                vehicles::plate(sentence, hit, survey, findings);
            }
            Cue::NumberWord if survey.digits >= 4 && sentence[hit.start..hit.end].eq_ignore_ascii_case("four") => {
                identifiers::last_four(sentence, hit, findings);
            }
            Cue::Wing if survey.digits > 2 => identifiers::serial(sentence, hit, findings),
            Cue::Unit if survey.digits > 4 => units::record_number(sentence, hit, findings),
            Cue::Crew if survey.digits > 0 => crews::detect(sentence, hit, findings),
            Cue::Vehicle if survey.digits > 1 => vehicles::detect(sentence, hit, findings),
            Cue::Birth => abodes::birthplace(sentence, hit, findings),
            Cue::Zip => addresses::zip(sentence, hit, findings),
            Cue::User => users::user(sentence, hit, findings),
            Cue::SignOff => users::sign_off(sentence, hit, findings),
            _ => {}
        }
    }
    if survey.digits >= 4 {
        identifiers::device_label(sentence, findings);
        vehicles::by_check_digit(sentence, survey, findings);
    }
    // A day has four digits at least.
    if survey.digits > 4 && survey.chains.iter().any(|chain| chain.count == 3) {
        identifiers::lots_of_shots(sentence, findings);
    }
    users::names(sentence, survey, findings);
    rounds::detect(sentence, survey, findings);
    phones::detect(sentence, survey, findings);
    phones_apart::detect(sentence, survey, findings);
    if survey.digits > 0 {
        for &hit in &survey.hits {
            telephoned(sentence, hit, findings);
        }
    }
}

fn telephoned(sentence: &str, hit: Hit, findings: &mut Findings) {
    match hit.cue {
        Cue::Pager => phones::cued(sentence, hit, Label::Phone, 3, findings),
        Cue::Phone => phones::cued(sentence, hit, Label::Phone, 4, findings),
        Cue::Fax => phones::cued(sentence, hit, Label::Fax, 4, findings),
        Cue::Extension => phones::extension(sentence, hit, findings),
        _ => {}
    }
}

/// Dates and ages: names of months first, for they take numbers in.
fn dated(sentence: &str, survey: &Survey, findings: &mut Findings) {
    scripts::dates(sentence, survey, findings);
    for &hit in survey.hits.iter().filter(|hit| hit.cue == Cue::NumberWord) {
        spoken_numbers::detect(sentence, hit, findings);
    }
    for &hit in &survey.hits {
        match hit.cue {
            Cue::Holiday => {
                calendar::holiday(sentence, hit, findings);
                ages::kin(sentence, hit, findings);
                holiday_or_other(sentence, hit, findings);
            }
            Cue::Month(month) => months::detect(sentence, hit, month, false, findings),
            Cue::MonthShort(month) => months::detect(sentence, hit, month, true, findings),
            Cue::Season => calendar::season(sentence, hit, findings),
            Cue::Quarter => calendar::quarter(sentence, hit, findings),
            Cue::QuarterShort => calendar::quarter_short(sentence, hit, findings),
            Cue::AgeUnit => ages::unit(sentence, hit, findings),
            Cue::AgeWord => ages::word(sentence, hit, findings),
            Cue::Person if survey.digits > 0 => ages::person(sentence, hit, findings),
            Cue::Kin if survey.digits > 0 => ages::kin(sentence, hit, findings),
            Cue::Decade => ages::decade(sentence, hit, findings),
            Cue::NumberWord => {
                ages_told::spelled(sentence, hit, findings);
                spoken::detect(sentence, hit, findings);
            }
            Cue::Ordinal => {
                decades::ordinal(sentence, hit, findings);
                occasions::ordinal(sentence, hit, findings);
            }
            Cue::AgeOfDecades => decades::person(sentence, hit, findings),
            Cue::Term => occasions::term(sentence, hit, findings),
            Cue::OldState => towns::old_state(sentence, hit, findings),
            Cue::Birthday => ages_told::birthday(sentence, hit, findings),
            _ => {}
        }
    }
    let days = |hit: &&Hit| matches!(hit.cue, Cue::Weekday | Cue::WeekdayShort);
    let several = survey.hits.iter().filter(days).nth(1).is_some();
    for &hit in &survey.hits {
        match hit.cue {
            Cue::Weekday => calendar::weekday(sentence, hit, findings),
            Cue::WeekdayShort => calendar::weekday_short(sentence, hit, several, findings),
            Cue::DecadeWord => years::decade_word(sentence, hit, findings),
            Cue::DaySuffix if survey.digits > 0 => calendar::day_of_month(sentence, hit, findings),
            _ => {}
        }
    }
    let numbered_road = |hit: &Hit| {
        hit.cue == Cue::Road
            || hit.cue == Cue::Street
                && matches!(sentence.as_bytes()[hit.start] | 32, b'h' | b'r' | b'a')
                && hit.end - hit.start > 2
    };
    if survey.hits.iter().any(numbered_road) {
        addresses::road(sentence, survey, findings);
    }
    for &hit in &survey.hits {
        if hit.cue == Cue::Street {
            calendar::day_of_month(sentence, hit, findings);
            calendar::saint(sentence, hit, findings);
            addresses::street(sentence, hit, survey, findings);
            abodes::small_street(sentence, hit, findings);
        }
    }
    addresses::bare_streets(sentence, survey, findings);
    roads::detect(sentence, survey, findings);
    towns::after_streets(sentence, findings);
    abodes::detect(sentence, survey, findings);
    addresses::postal(sentence, survey, findings);
    addresses::lone_zip(sentence, survey, findings);
    postcodes::detect(sentence, survey, findings);
    spaced::detect(sentence, survey, findings);
    date_rows::detect(sentence, survey, findings);
    for chain in &survey.chains {
        roman_months::detect(sentence, chain, findings);
        cued_days::detect(sentence, survey, chain, findings);
        spoken::in_digits(sentence, chain, findings);
        dates::detect(sentence, survey, chain, findings);
        ages_composed::detect(sentence, chain, findings);
        ages_infant::detect(sentence, chain, findings);
        ages_told::number(sentence, chain, findings);
    }
    day_runs::detect(sentence, survey, findings);
    ages_listed::detect(sentence, survey, findings);
    ages_fielded::detect(sentence, survey, findings);
    ages_beside_births::detect(sentence, survey, findings);
}

/// Words that begin a holiday and mean another thing as often: `fourth`, and `17yom`, which looks like `Yom Kippur`.
fn holiday_or_other(sentence: &str, hit: Hit, findings: &mut Findings) {
    match hit.end - hit.start {
        3 if sentence[hit.start..hit.end].eq_ignore_ascii_case("yom") => ages::unit(sentence, hit, findings),
        6 if sentence[hit.start..hit.end].eq_ignore_ascii_case("fourth") => occasions::ordinal(sentence, hit, findings),
        _ => {}
    }
}

/// Rooms and wards.
fn placed(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for &hit in &survey.hits {
        match hit.cue {
            Cue::Unit => units::unit(sentence, hit, findings),
            Cue::Wing => units::wing(sentence, hit, findings),
            _ => {}
        }
    }
    wards::detect(sentence, survey, findings);
    areas::detect(sentence, survey, findings);
    rooms::detect(sentence, survey, findings);
}

/// A regular expression over bytes of ASCII in any case; `(?u:…)` lets other characters in.
fn expression(pattern: &str) -> Regex {
    Regex::new(&format!("(?i-u){pattern}")).expect("the pattern is a literal")
}

/// The matches of an expression with their groups. Most texts have none, which is told faster without places for groups.
fn captures_in<'t>(expression: &Regex, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
    expression.is_match(text).then(|| expression.captures_iter(text)).into_iter().flatten()
}

/// The same, at the start of the text only.
fn anchored(pattern: &str) -> Regex {
    Regex::new(&format!("(?i-u)^(?:{pattern})")).expect("the pattern is a literal")
}
