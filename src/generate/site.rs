//! Care sites: hospitals and clinics with address, telephone and web domain.
//!
//! ```text
//! Cedar Falls Regional Medical Center, 210 W 4th St, Cedar Falls, IA 50612, (319) 555-0142, cedarfallsregional.org
//! ```

use super::contact::phone_number;
use super::random::Random;
use super::tables::{STREET_TYPES, State, Tables};

const SITE: u64 = 0x5349;
/// How many sites the patients share.
const SITES: u64 = 60;

/// One care site.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub name: String,
    pub street: String,
    pub city: &'static str,
    pub state: State,
    pub zip: String,
    pub phone: String,
    pub fax: String,
    pub domain: String,
}

impl Site {
    /// The site that a patient usually goes to.
    pub fn home(seed: u64, random: &mut Random) -> Self {
        let unit = 1.0 - random.unit();
        Self::draw(seed, (unit * unit * SITES as f64) as u64)
    }

    fn draw(seed: u64, index: u64) -> Self {
        let mut random = Random::of(&[seed, SITE, index]);
        let (city, state) = Tables::shared().town(&mut random);
        let name = site_name(Some(city), &mut random);
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let area = random.between(201, 989);
        Self {
            street: street_line(&mut random),
            city,
            state,
            zip: zip_code(state, &mut random),
            phone: phone_number(area, &mut random),
            fax: phone_number(area, &mut random),
            domain: format!(
                "{}.{}",
                plain.get(..18).unwrap_or(&plain),
                random.pick(&["org", "com", "net", "edu"]).unwrap_or(&"org")
            ),
            name,
        }
    }

    /// The initials of the name's words.
    pub fn abbreviation(&self) -> String {
        self.name.split([' ', '-']).filter_map(|word| word.chars().next()).filter(char::is_ascii_uppercase).collect()
    }
}

/// The name of a hospital or clinic, of this town where one is given.
pub(super) fn site_name(town: Option<&str>, random: &mut Random) -> String {
    let tables = Tables::shared();
    let drawn = tables.town(random).0;
    let town = town.unwrap_or(drawn);
    let surname = tables.surname(random);
    const SAINTS: &[&str] = &[
        "Mary",
        "Joseph",
        "Luke",
        "Francis",
        "Vincent",
        "Anthony",
        "Elizabeth",
        "John",
        "Catherine",
        "Jude",
        "Agnes",
        "Clare",
    ];
    let saint = random.pick(SAINTS).copied().unwrap_or("Mary");
    match random.below(16) {
        0 => format!("{town} Regional Medical Center"),
        1 => format!("{town} General Hospital"),
        2 => format!("{town} Memorial Hospital"),
        3 => format!("St. {saint}'s Hospital"),
        4 => format!("Saint {saint} Medical Center"),
        5 => format!("{surname} Memorial Hospital"),
        6 => format!("{town} Family Medicine"),
        7 => format!("{town} Community Health Center"),
        8 => format!("{surname} Clinic"),
        9 => format!("University of {} Hospitals", tables.town(random).1.name),
        10 => format!("{town} Orthopedic Associates"),
        11 => format!("{town} Heart and Vascular Institute"),
        12 => format!("{surname} Cancer Center"),
        13 => format!("{town} VA Medical Center"),
        14 => format!("{surname} Children's Hospital"),
        _ => format!("{town} Methodist Hospital"),
    }
}

/// House number and street, at times with an apartment, a post-office box or a rural road.
pub(super) fn street_line(random: &mut Random) -> String {
    let tables = Tables::shared();
    let number = random.between(1, 99).pow(2) + random.between(0, 99);
    match random.below(24) {
        0 => return format!("PO Box {}", random.between(10, 9999)),
        1 => return format!("{number} State Highway {}", random.between(2, 199)),
        2 => return format!("{number} County Road {}", random.between(2, 99)),
        3 => return format!("RR {} Box {}", random.between(1, 6), random.between(10, 399)),
        _ => {}
    }
    let stem = if random.chance(600) {
        random.pick(tables.street_stems).copied().unwrap_or("Main")
    } else {
        tables.surname(random)
    };
    let kind = random.pick(STREET_TYPES).copied().unwrap_or("St");
    match random.below(8) {
        0 => format!("{number} {stem} {kind} Apt {}", random.between(1, 420)),
        1 => format!("{number} {stem} {kind}, #{}", random.between(1, 99)),
        _ => format!("{number} {stem} {kind}"),
    }
}

/// A postal code of the state.
pub(super) fn zip_code(state: State, random: &mut Random) -> String {
    // The prefix is the first of its state; all states have at least three in a row, save the smallest.
    let last = random.below(100);
    if random.chance(120) {
        format!("{}{last:02}-{:04}", state.zip_prefix, random.between(1, 9999))
    } else {
        format!("{}{last:02}", state.zip_prefix)
    }
}
