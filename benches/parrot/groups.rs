//! The classes that figures are told for.
//!
//! ```text
//! PATIENT ─▶ patients     MEDICALRECORD, ACCOUNT, DEVICE … ─▶ ids     COUNTRY, LOCATION-OTHER ─▶ other places
//! ```

use plainsight::phi::Label;

/// A class of identifiers, as a place in [`GROUPS`].
pub type Group = usize;

/// What the classes are called.
pub const GROUPS: [&str; 15] = [
    "patients",
    "providers",
    "user ids",
    "hospitals",
    "organizations",
    "streets",
    "cities",
    "states",
    "zip codes",
    "other places",
    "dates",
    "ages over 89",
    "phones, faxes",
    "e-mail, web",
    "ids",
];

pub const PATIENTS: Group = 0;
pub const PROVIDERS: Group = 1;
pub const HOSPITALS: Group = 3;
pub const ORGANIZATIONS: Group = 4;
pub const CITIES: Group = 6;
pub const STATES: Group = 7;
pub const ZIPS: Group = 8;
pub const DATES: Group = 10;
pub const INTERNET: Group = 13;

/// The class of a label.
pub const fn group(label: Label) -> Group {
    match label {
        Label::Patient => PATIENTS,
        Label::Doctor => PROVIDERS,
        Label::Username => 2,
        Label::Hospital => HOSPITALS,
        Label::Organization | Label::Profession => ORGANIZATIONS,
        Label::Street => 5,
        Label::City => CITIES,
        Label::State => STATES,
        Label::Zip => ZIPS,
        Label::Country | Label::LocationOther => 9,
        Label::Date | Label::Time => DATES,
        Label::Age => 11,
        Label::Phone | Label::Fax => 12,
        Label::Email | Label::Url | Label::IpAddr => INTERNET,
        _ => 14,
    }
}
