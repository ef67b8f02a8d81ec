//! What is on record about one patient, and what people who write about the patient know besides.
//!
//! ```text
//! seed, patient 17 ──▶ name, birth, address, kin, providers, ids   ──▶ [`Patient`], the structured record
//!                  └─▶ home site, first day of care, sex           ──▶ notes
//! ```

use chrono::{Days, NaiveDate};

use super::contact::{birth_country, company, draw_mrn, email_address, phone_number, plan_letters};
use super::patient::Patient;
use super::person::{Person, invented_word};
use super::random::{Random, permute};
use super::site::{Site, street_line, zip_code};
use super::tables::{State, Tables};

const PATIENT: u64 = 0x5041;
const STAFF: u64 = 0x5354;
/// How many members of staff the patients share.
const STAFF_SIZE: u64 = 600;

/// A member of the family.
#[derive(Debug, Clone)]
pub(super) struct Relative {
    pub relation: &'static str,
    pub person: Person,
}

/// All that the notes of one patient draw on.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub patient_id: String,
    pub person: Person,
    pub birth_date: NaiveDate,
    pub street: String,
    pub city: String,
    pub state: State,
    pub county: &'static str,
    pub zip: String,
    pub birth_country: &'static str,
    pub phones: Vec<String>,
    pub email: Option<String>,
    pub mrn: String,
    pub ssn: String,
    pub health_plan_id: String,
    pub other_ids: Vec<String>,
    pub kin: Vec<Relative>,
    pub providers: Vec<Person>,
    pub employer: Option<String>,
    pub site: Site,
    /// The first day on which there may be a note.
    pub since: NaiveDate,
    invented: bool,
}

impl Record {
    /// The record of a patient: a function of seed and index alone.
    pub fn draw(seed: u64, index: u64, invented: bool) -> Self {
        let mut random = Random::of(&[seed, PATIENT, index]);
        let tables = Tables::shared();
        let person = Person::draw(random.chance(520), invented, &mut random);
        let site = Site::home(seed, &mut random);
        let (city, state) = if random.chance(600) { (site.city, site.state) } else { tables.town(&mut random) };
        let since = NaiveDate::from_ymd_opt(2008, 1, 1).unwrap_or_default() + Days::new(random.below(12 * 365));
        let age_days = draw_age(&mut random) * 365 + random.below(365);
        let birth_date = since.checked_sub_days(Days::new(age_days)).unwrap_or(since);
        let area = random.between(201, 989);
        let phones = (0..random.between(1, 3)).map(|_| phone_number(area, &mut random)).collect();
        let email = random.chance(650).then(|| email_address(&person, &mut random));
        let prefix = if invented { "ZQX" } else { "" };
        let street = if invented {
            format!("{} {} St", random.between(1, 9999), invented_word("Qz", &mut random))
        } else {
            street_line(&mut random)
        };
        Self {
            patient_id: format!("PT{:08}", permute(index, 100_000_000, seed ^ PATIENT)),
            birth_date,
            street,
            city: city.to_owned(),
            state,
            county: tables.county(state.code, &mut random),
            zip: zip_code(state, &mut random),
            birth_country: birth_country(&mut random),
            phones,
            email,
            mrn: format!("{prefix}{}", draw_mrn(&mut random)),
            ssn: format!("{:03}-{:02}-{:04}", random.between(1, 665), random.between(1, 99), random.between(1, 9999)),
            health_plan_id: format!("{prefix}{}{:09}", plan_letters(&mut random), random.below(1_000_000_000)),
            other_ids: (0..random.below(3))
                .map(|_| {
                    format!(
                        "{prefix}{}{:08}",
                        random.pick(&["EP", "V", "HH-", "E"]).unwrap_or(&"E"),
                        random.below(100_000_000)
                    )
                })
                .collect(),
            kin: draw_kin(&person, age_days / 365, invented, &mut random),
            providers: draw_providers(seed, invented, &mut random),
            employer: (age_days / 365 > 18 && random.chance(500)).then(|| company(&mut random)),
            site,
            since,
            person,
            invented,
        }
    }

    /// The row that a structured record holds.
    pub fn patient(&self) -> Patient {
        let person = &self.person;
        Patient {
            patient_id: self.patient_id.clone(),
            given_name: person.given.clone(),
            middle_name: person.middle.clone(),
            family_name: person.family.clone(),
            maiden_name: person.maiden.clone(),
            aliases: person.nicknames.clone(),
            sex: if person.female { "F" } else { "M" },
            birth_date: self.birth_date,
            street: self.street.clone(),
            city: self.city.clone(),
            state: self.state.code.to_owned(),
            county: self.county.to_owned(),
            zip: self.zip.clone(),
            country: "United States".to_owned(),
            phones: self.phones.clone(),
            email: self.email.clone(),
            mrn: self.mrn.clone(),
            ssn: self.ssn.clone(),
            health_plan_id: self.health_plan_id.clone(),
            other_ids: self.other_ids.clone(),
            kin: self.kin.iter().map(|relative| relative.person.full_name()).collect(),
            providers: self.providers.iter().map(Person::full_name).collect(),
            employer: self.employer.clone(),
        }
    }

    /// The invented tokens of this record; none where its values are ordinary.
    pub fn canary_tokens(&self) -> Vec<String> {
        if !self.invented {
            return Vec::new();
        }
        let people = std::iter::once(&self.person)
            .chain(self.kin.iter().map(|relative| &relative.person))
            .chain(&self.providers);
        let names = people
            .flat_map(|person| [Some(person.given.clone()), person.middle.clone(), Some(person.family.clone())])
            .flatten();
        let ids = [self.mrn.clone(), self.health_plan_id.clone()];
        let street = self.street.split(' ').nth(1).map(str::to_owned);
        let mut tokens: Vec<String> =
            names.chain(ids).chain(street).chain(self.other_ids.iter().cloned()).chain(self.email.clone()).collect();
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }
}

/// A member of staff: the first of them see most patients.
pub(super) fn staff_member(seed: u64, invented: bool, random: &mut Random) -> Person {
    let unit = 1.0 - random.unit();
    let index = (unit.powf(1.6) * STAFF_SIZE as f64) as u64;
    let mut own = Random::of(&[seed, STAFF, index]);
    Person::draw(own.chance(500), invented, &mut own)
}

fn draw_age(random: &mut Random) -> u64 {
    match random.below(100) {
        0..6 => random.below(3),
        6..13 => 3 + random.below(15),
        13..38 => 18 + random.below(27),
        38..68 => 45 + random.below(20),
        68..93 => 65 + random.below(18),
        _ => 83 + random.below(13),
    }
}

fn draw_kin(person: &Person, age: u64, invented: bool, random: &mut Random) -> Vec<Relative> {
    const OF_GROWN: &[(&str, &str)] = &[
        ("wife", "husband"),
        ("daughter", "son"),
        ("sister", "brother"),
        ("mother", "father"),
        ("niece", "nephew"),
        ("granddaughter", "grandson"),
    ];
    const OF_CHILDREN: &[(&str, &str)] =
        &[("mother", "father"), ("sister", "brother"), ("grandmother", "grandfather"), ("aunt", "uncle")];
    let roles = if age < 20 { OF_CHILDREN } else { OF_GROWN };
    let count = random.between(2, 4);
    (0..count)
        .map(|place| {
            let (her, his) = random.pick(roles).copied().unwrap_or(("sister", "brother"));
            let female = if her == "wife" { !person.female } else { random.chance(500) };
            let mut relative = Person::draw(female, invented, random);
            if place == 0 || random.chance(600) {
                relative.family = person.family.clone();
            }
            Relative { relation: if female { her } else { his }, person: relative }
        })
        .collect()
}

fn draw_providers(seed: u64, invented: bool, random: &mut Random) -> Vec<Person> {
    let count = random.between(3, 6);
    let mut providers: Vec<Person> = Vec::new();
    for _ in 0..count {
        let member = staff_member(seed, invented, random);
        if !providers.contains(&member) {
            providers.push(member);
        }
    }
    providers
}
