//! The record's addresses and employer: with and without suffix, unit, county's word and company form.
//!
//! ```text
//! 12 Oak Hill Road Apt 4 ─▶ 12 oak hill rd, apt 4    12 Oak Hill #4     Halloway & Finch LLP ─▶ halloway finch, Halloway
//! ```

use smallvec::SmallVec;

use super::PatientRecord;
use super::fold::match_key;
use super::plain::plain;
use super::sought::{Form, follows_word};
use super::values::{Letters, ValueSet, letters};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Kind, Label};

const BLANKS: &[char] = &[' ', '-', '_', '\'', '’', '.', ',', '\n', '\r', '\t'];

/// Of a longer name no notes have all beginnings.
const MOST_WORDS: usize = 12;

impl ValueSet {
    /// The places of a record, and its employer.
    pub(super) fn places(&mut self, record: &PatientRecord<'_>) {
        self.place(&record.city, Class::of(Label::City));
        self.county(&record.county);
        let country: String = record.country.chars().filter(|c| c.is_alphabetic()).collect();
        let home = ["us", "usa", "unitedstates", "unitedstatesofamerica", "america"];
        if !home.iter().any(|home| home.eq_ignore_ascii_case(&country)) {
            self.place(&record.country, Class::of(Label::Country));
        }
        let known = Lexicon::shared().state(&record.state);
        for form in known.map_or([record.state.as_ref(), ""], |known| [known.name, known.abbreviation]) {
            self.add(form, Label::State, Form::AfterCity, 2, 0.95);
        }
        self.employer(&record.employer);
        if let Some(street) = Street::new(&record.street) {
            self.begins(&street.house);
            self.begins(&street.name);
            street.others.iter().for_each(|other| self.begins(other));
            self.street = Some(street);
        }
        // As it is: with the flat before the house, or where no house is told.
        if !record.street.trim_start().starts_with(|c: char| c.is_ascii_digit()) || self.street.is_none() {
            self.add(&record.street, Label::Street, Form::Words, 6, 1.0);
        }
    }

    fn place(&mut self, place: &str, class: Class) {
        let place = place.trim();
        let info = Lexicon::shared().word(place);
        let form = if place.contains(' ') {
            Form::Words
        } else if info.english_size().is_some_and(|size| size <= 20) || info.is(WordFlags::MEDICAL) {
            Form::Place
        } else if info.english_size().is_some() || place.chars().count() < 5 {
            Form::Capital
        } else {
            Form::Words
        };
        self.add(place, class, form, 3, 0.95);
    }

    fn county(&mut self, county: &str) {
        let county = county.trim();
        let name = county.strip_suffix("County").or_else(|| county.strip_suffix("county")).unwrap_or(county).trim();
        if name.is_empty() {
            return;
        }
        let class = Class { label: Label::LocationOther, kind: Kind::LocationCounty };
        for head in ["County", "Co", "Parish"] {
            self.add(&format!("{name} {head}"), class, Form::Words, 4, 1.0);
        }
        let form = if name.contains(' ') { Form::Capital } else { Form::County };
        self.add(name, class, form, 3, 0.9);
    }

    /// An employer's whole name, without its company form, and by its first word where that is no usual one.
    fn employer(&mut self, employer: &str) {
        const NONE: &[&str] = &[
            "self",
            "retired",
            "none",
            "unemployed",
            "disabled",
            "student",
            "unknown",
            "homemaker",
            "n/a",
            "na",
            "other",
            "self employed",
            "self-employed",
            "not employed",
            "full time",
            "part time",
            "child",
            "minor",
        ];
        let employer = employer.trim();
        if NONE.iter().any(|none| none.eq_ignore_ascii_case(employer)) {
            return;
        }
        let mut words: Vec<&str> = employer.split_whitespace().collect();
        let form = |words: &[&str]| {
            if words.len() > 1 || words.first().is_some_and(|word| is_rare(word)) { Form::Words } else { Form::Capital }
        };
        self.add(employer, Label::Organization, form(&words), 4, 0.95);
        while words.len() > 1 && is_company_form(words[words.len() - 1]) {
            words.pop();
            self.add(&words.join(" "), Label::Organization, form(&words), 4, 0.95);
        }
        words.truncate(MOST_WORDS);
        while words.len() > 2 {
            words.pop();
            let last = words[words.len() - 1];
            // `Home Health` of `Home Health Care Plus` is not said of an employer alone.
            if last.chars().any(char::is_alphabetic) && last.len() > 3 && !is_of_any_clinic(&words) {
                self.add(&words.join(" "), Label::Organization, Form::Words, 8, 0.9);
            }
        }
        if let Some(first) = words.first().filter(|word| word.chars().count() >= 5 && is_rare(word)) {
            // A place or a person may have the same name: the capital says at least that it is one.
            self.add(first, Label::Organization, Form::Capital, 5, 0.8);
        }
    }
}

impl ValueSet {
    /// A care site's or another body's name without its last words, as notes shorten it: `Lakeview` of `Lakeview Clinic`.
    pub(super) fn stem(&mut self, name: &str, label: Label) {
        let mut words: Vec<&str> = name.split_whitespace().take(MOST_WORDS).collect();
        while words.len() > 2 {
            words.pop();
            if words[words.len() - 1].chars().count() > 3 && !is_of_any_clinic(&words) {
                self.add(&words.join(" "), label, Form::Capital, 8, 0.85);
            }
        }
        let first = words.first().filter(|_| words.len() > 1);
        if let Some(first) = first.filter(|word| word.chars().count() >= 6 && is_rare(word)) {
            self.add(first, label, Form::Capital, 6, 0.75);
        }
    }
}

/// Whether words tell of what clinics do, and not which one it is: `Home Health`, `Pain Management`, but not `Pine Ridge`.
fn is_of_any_clinic(words: &[&str]) -> bool {
    const WORK: &str = "home health care family medicine internal physical therapy occupational speech social services service blood bank nursing \
        emergency medical pain management wound mental behavioral primary urgent community center department general outpatient inpatient hospice \
        public human case and of the";
    words.iter().all(|word| listed!(*word, WORK))
}

/// Whether a word is neither an ordinary nor a medical one.
fn is_rare(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    info.english_size().is_none_or(|size| size >= 50) && !info.is_any(WordFlags::MEDICAL.union(WordFlags::NATIONALITY))
}

fn is_company_form(word: &str) -> bool {
    const FORMS: &[&str] = &[
        "llp",
        "llc",
        "inc",
        "corp",
        "ltd",
        "plc",
        "pllc",
        "pc",
        "co",
        "company",
        "corporation",
        "lp",
        "group",
        "the",
        "gmbh",
    ];
    let word = word.trim_matches([',', '.']);
    FORMS.iter().any(|form| form.eq_ignore_ascii_case(word))
}

/// A street line with its house number.
#[derive(Debug)]
pub(super) struct Street {
    /// The house number, folded.
    house: Letters,
    /// The words of the street's name, folded, without suffix and unit; and the name in other words: `cr12` of `County Road 12`, `42` of `42nd`.
    name: Letters,
    others: SmallVec<[Letters; 4]>,
    /// The number or letter of the flat.
    unit: Option<Letters>,
}

impl Street {
    /// A street line that begins with a house number, or with the flat and then the house number; none otherwise.
    fn new(street: &str) -> Option<Self> {
        let street = without_town(street);
        let words: Vec<&str> = street.split_whitespace().map(|word| word.trim_matches([',', '.'])).collect();
        let flat = flat_before(&words);
        let mut unit = flat.last().map(|flat| letters(flat)).filter(|flat| !flat.is_empty());
        let (house, name) = words.get(flat.len()..)?.split_first()?;
        if !house.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut name = name.to_vec();
        if let Some(at) = name.iter().position(|word| is_unit(word)) {
            unit = name
                .get(at + 1)
                .copied()
                .or_else(|| name[at].strip_prefix('#'))
                .map(letters)
                .filter(|unit| !unit.is_empty());
            name.truncate(at);
        }
        while name.len() > 1 && name.last().is_some_and(|word| is_suffix(word)) {
            name.pop();
        }
        // Notes leave a direction out as often as they have one.
        if name.len() > 1 && Lexicon::shared().word(name[0]).is(WordFlags::DIRECTION) {
            name.remove(0);
        }
        let others = other_names(&name);
        let name = letters(&name.concat());
        (name.len() >= 3).then(|| Self { house: letters(house), name, others, unit })
    }

    /// The end of the street's name, in any of its forms, at a place.
    fn name_at(&self, text: &str, at: usize, gap: usize) -> Option<usize> {
        let whole = |name: &Letters| match_key(text, at, name, BLANKS, gap).filter(|&end| !follows_word(text, end));
        whole(&self.name).or_else(|| self.others.iter().find_map(whole))
    }

    /// House number, name, and whatever suffix and unit follow.
    pub(super) fn end_at(&self, text: &str, at: usize) -> Option<usize> {
        if !text[at..].starts_with(|c: char| plain(c).is_ascii_digit()) {
            return self.without_house(text, at);
        }
        let house = match_key(text, at, &self.house, &['-'], 1)?;
        // `412-Oak-Hill-Road`, `412_Oak_Hill_Road.pdf`: as addresses and files of the web are written.
        let blank = |c: char| matches!(plain(c), ' ' | ',' | '-' | '_' | '\n' | '\r' | '\t');
        let blanks = |from: usize| text[from..].len() - text[from..].trim_start_matches(blank).len();
        let gap = blanks(house);
        if gap == 0 {
            return None;
        }
        let name = house + gap;
        let end = self.name_at(text, name, 3).or_else(|| {
            // A direction before the name: `NE`, `N.`, `N.E.`
            let letters = text[name..].bytes().take_while(u8::is_ascii_alphabetic).count();
            let dotted = text[name..].bytes().take_while(|&byte| byte.is_ascii_alphabetic() || byte == b'.').count();
            [letters + usize::from(text[name + letters..].starts_with('.')), dotted].into_iter().find_map(|length| {
                let (direction, after) = (text[name..name + length].replace('.', ""), name + length);
                let is_direction = Lexicon::shared().word(&direction).is(WordFlags::DIRECTION);
                is_direction.then(|| self.name_at(text, after + blanks(after), 3)).flatten()
            })
        })?;
        Some(self.after_name(text, end))
    }

    /// The street's name and its suffix, as a neighbour's address has them.
    fn without_house(&self, text: &str, at: usize) -> Option<usize> {
        let end = self.name_at(text, at, 2).filter(|_| self.name.len() >= 5)?;
        let rest = text[end..].strip_prefix([' ', '-', '_'])?;
        let suffix = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
        // `larkspur ln`: what is short for a street alone, in small letters, is no word.
        let told = text[at..].starts_with(char::is_uppercase) || listed!(suffix, "rd ave ln blvd pkwy hwy cir");
        (told && is_suffix(suffix)).then_some(end + 1 + suffix.len())
    }

    /// Where the suffix and the unit after a street's name end.
    fn after_name(&self, text: &str, mut end: usize) -> usize {
        let mut unit = false;
        loop {
            let gap = text[end..].len() - text[end..].trim_start_matches([' ', ',', '.', '#', '-', '_', '\n']).len();
            let start = end + gap;
            let length = text[start..].bytes().take_while(u8::is_ascii_alphanumeric).count();
            let word = &text[start..start + length];
            let marked = text[end..start].contains('#');
            let number = (unit || marked) && (word.len() == 1 || word.bytes().any(|byte| byte.is_ascii_digit()));
            let flat = self.unit.as_ref().is_some_and(|unit| *unit == letters(word));
            if gap == 0 || length == 0 || gap > 3 || !(is_suffix(word) || is_unit(word) || number || flat) {
                return end;
            }
            unit = is_unit(word);
            end = start + length;
        }
    }
}

/// A street line without the town behind it: `818 Sibley Pkwy, Mankato, MN 56001`.
fn without_town(street: &str) -> &str {
    let Some((line, rest)) = street.split_once(',') else { return street };
    let next = rest.split_whitespace().next().unwrap_or_default().trim_matches([',', '.']);
    let is_line = line.split_whitespace().count() > 1 && !next.contains(|c: char| c.is_ascii_digit()) && !is_unit(next);
    if is_line && next.len() > 1 { line } else { street }
}

/// Other words for a numbered street or road, folded: `42` for `42nd`, `CR 12` for `County Road 12`.
fn other_names(name: &[&str]) -> SmallVec<[Letters; 4]> {
    const COUNTY: &[&str] = &["county road", "county rd", "co road", "co rd", "cty road", "cty rd", "cnty rd", "cr"];
    const STATE: &[&str] = &["state route", "state rte", "state road", "state rd", "state hwy", "sr"];
    const HIGHWAY: &[&str] = &["highway", "hwy", "route", "rte", "rt"];
    let whole = name.join(" ").to_lowercase().replace('.', "");
    let numbered = [COUNTY, STATE, HIGHWAY].iter().find_map(|class| {
        let number = class.iter().find_map(|head| whole.strip_prefix(head)?.strip_prefix(' '))?;
        number.starts_with(|c: char| c.is_ascii_digit()).then_some((class, number))
    });
    let roads = numbered
        .into_iter()
        .flat_map(|(class, number)| class.iter().map(move |head| letters(&[head, number].concat())));
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|ending| {
        let number = whole.strip_suffix(ending)?;
        number.ends_with(|c: char| c.is_ascii_digit()).then(|| letters(number))
    });
    let bare = ordinal.filter(|number| number.len() > 1);
    roads.chain(bare).filter(|other| other.len() > 1).collect()
}

/// The flat that a street line begins with, its number or letter last: `Apt 9`, `# 9`, `#9`.
fn flat_before<'w, 's>(words: &'w [&'s str]) -> &'w [&'s str] {
    let is_number = |word: &str| word.len() == 1 || word.contains(|c: char| c.is_ascii_digit());
    match words {
        [unit, ..] if unit.starts_with('#') && unit.len() > 1 => &words[..1],
        [unit, number, ..] if is_unit(unit) && is_number(number) => &words[..2],
        _ => &[],
    }
}

fn is_unit(word: &str) -> bool {
    const UNITS: &[&str] = &[
        "apt",
        "apartment",
        "unit",
        "suite",
        "ste",
        "bldg",
        "building",
        "lot",
        "floor",
        "fl",
        "room",
        "rm",
        "trlr",
        "spc",
        "space",
        "flat",
        "box",
        "no",
    ];
    UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(word)) || word.starts_with('#')
}

fn is_suffix(word: &str) -> bool {
    let flags = WordFlags::STREET_SUFFIX.union(WordFlags::RARE_STREET_SUFFIX).union(WordFlags::DIRECTION);
    Lexicon::shared().word(word).is_any(flags)
}
