//! Numbers and addresses by which people are reached or known.
//!
//! ```text
//! (319) 555-0142   rose.brown@example.com   4-217-903   Brown & Sons Trucking
//! ```

use super::person::Person;
use super::random::Random;
use super::tables::Tables;

/// A telephone number in one of the usual forms.
pub(super) fn phone_number(area: i64, random: &mut Random) -> String {
    let (exchange, line) = (random.between(200, 999), random.between(0, 9999));
    match random.below(8) {
        0..3 => format!("({area}) {exchange}-{line:04}"),
        3..6 => format!("{area}-{exchange}-{line:04}"),
        6 => format!("{area}.{exchange}.{line:04}"),
        _ => format!("{area} {exchange} {line:04}"),
    }
}

/// The name of an employer.
pub(super) fn company(random: &mut Random) -> String {
    let tables = Tables::shared();
    let surname = tables.surname(random);
    match random.below(12) {
        0 => format!("{surname} Construction"),
        1 => format!("{surname} & Sons Trucking"),
        2 => format!("{} Public Schools", tables.town(random).0),
        3 => format!("{surname} Manufacturing"),
        4 => format!("{} Foods", tables.town(random).0),
        5 => format!("{surname} Auto Body"),
        6 => format!("{surname}, {} and Associates", tables.surname(random)),
        7 => format!("{} Paper Mill", tables.town(random).0),
        8 => format!("{surname} Insurance Agency"),
        9 => format!("{surname}'s Hardware"),
        10 => format!("{} Township Fire Department", tables.town(random).0),
        _ => format!("{surname} Industries"),
    }
}

/// A record number: sites differ in how long they are.
pub(super) fn draw_mrn(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("{:08}", random.below(100_000_000)),
        1 => format!("{}-{:03}-{:03}", random.between(1, 9), random.below(1000), random.below(1000)),
        2 => format!("{:07}", random.below(10_000_000)),
        _ => format!("{:09}", random.below(1_000_000_000)),
    }
}

/// The letters that a member number begins with.
pub(super) fn plan_letters(random: &mut Random) -> String {
    (0..3).map(|_| char::from(b'A' + random.below(26) as u8)).collect()
}

/// An e-mail address made of the person's name.
pub(super) fn email_address(person: &Person, random: &mut Random) -> String {
    let plain = |name: &str| name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
    let (given, family) = (plain(&person.given), plain(&person.family));
    let domain = random
        .pick(&[
            "gmail.com",
            "yahoo.com",
            "hotmail.com",
            "aol.com",
            "outlook.com",
            "comcast.net",
            "icloud.com",
            "msn.com",
        ])
        .unwrap_or(&"gmail.com");
    match random.below(3) {
        0 => format!("{given}.{family}@{domain}"),
        1 => format!("{given}{family}{}@{domain}", random.between(1, 99)),
        _ => format!("{}{family}{}@{domain}", given.get(..1).unwrap_or("x"), random.between(1940, 2005)),
    }
}

/// A country that people come from.
pub(super) fn birth_country(random: &mut Random) -> &'static str {
    const COUNTRIES: &[&str] = &[
        "Mexico",
        "Somalia",
        "Vietnam",
        "India",
        "China",
        "the Philippines",
        "Guatemala",
        "El Salvador",
        "Laos",
        "Ethiopia",
        "Germany",
        "Canada",
        "Poland",
        "Ukraine",
        "Russia",
        "Nigeria",
        "Kenya",
        "Ghana",
        "Haiti",
        "Cuba",
        "Jamaica",
        "Colombia",
        "Peru",
        "Brazil",
        "South Korea",
        "Japan",
        "Thailand",
        "Pakistan",
        "Bangladesh",
        "Iran",
        "Iraq",
        "Syria",
        "Lebanon",
        "Egypt",
        "Morocco",
        "Ireland",
        "England",
        "Scotland",
        "Italy",
        "Greece",
        "Norway",
        "Sweden",
        "Bosnia",
        "Ecuador",
        "Honduras",
        "Liberia",
        "Sudan",
        "Nepal",
    ];
    random.pick(COUNTRIES).copied().map_or("Mexico", |country| country.strip_prefix("the ").unwrap_or(country))
}
