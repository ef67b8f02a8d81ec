//! Laws that hold for every class.

use proptest::prelude::*;

use super::*;

fn key() -> Key {
    Key::from_hex("a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90").unwrap()
}

fn patient(id: &str) -> Surrogates {
    Surrogates::new(&key(), id)
}

fn classes() -> Vec<Class> {
    let kinds = Kind::ALL.iter().filter_map(|&kind| Some(Class { label: kind.label()?, kind }));
    Label::ALL.iter().map(|&label| Class::of(label)).chain(kinds).collect()
}

/// One real value or more of every label.
const VALUES: &[(Label, &[&str])] = &[
    (Label::Patient, &["John W.B. Smith", "Mohammad Lopez", "DEWEY, JONES K", "María-José de la Cruz", "Guy"]),
    (Label::Doctor, &["Rose Brown", "tp", "DF14", "O'Brien", "K. Nguyen, M.D."]),
    (Label::Username, &["jsmith7", "M012345"]),
    (Label::Profession, &["truck driver", "retired teacher", "Welders"]),
    (Label::Hospital, &["Mayo Clinic", "St. Mary's Hospital", "MGH", "Saint Marys Campus", "Gonda 7 South"]),
    (Label::Organization, &["Walmart", "CVS Pharmacy", "First Lutheran Church", "State Farm"]),
    (Label::Street, &["200 First Street SW", "1216 2nd St SW", "500 State Highway 72"]),
    (Label::City, &["Springfield", "ROCHESTER", "St. Paul", "Saskatoon"]),
    (Label::State, &["Illinois", "MN", "Minn.", "Ontario"]),
    (Label::Country, &["Mexico", "USA", "Somalia"]),
    (Label::Zip, &["55901", "55901-1234", "K1A 0B1"]),
    (Label::LocationOther, &["Olmsted County", "Room 7A", "Central Park", "O'Hare Airport"]),
    (Label::Age, &["92", "67", "ninety-two", "18 months"]),
    (Label::Date, &["04/12/2020", "March 5th, 2014", "Tuesday", "2014", "Christmas", "summer", "7/21"]),
    (Label::Phone, &["546-123-0543", "(507) 284-2511", "x4-1234", "507.284.2511 ext 12"]),
    (Label::Fax, &["507-284-2511"]),
    (Label::Email, &["john.smith@mayo.edu", "jsmith42@gmail.com"]),
    (Label::Url, &["https://www.mayoclinic.org/a/b?c=1", "facebook.com/jsmith"]),
    (Label::IpAddr, &["192.168.0.12", "fe80::1"]),
    (Label::Ssn, &["123-45-6789", "6789"]),
    (Label::MedicalRecord, &["1-12435", "7-123-456"]),
    (Label::HealthPlan, &["1EG4-TE5-MK73"]),
    (Label::Account, &["V00123456"]),
    (Label::License, &["AB1234563"]),
    (Label::Vehicle, &["6TR-435", "1HGCM82633A004352"]),
    (Label::Device, &["SN-4471-BC"]),
    (Label::BioId, &["FP99312"]),
    (Label::IdNum, &["S12-3456", "RX# 0012345"]),
];

#[test]
fn every_label_changes_every_value_alike_in_every_note_and_otherwise_for_other_patients() {
    let mut same = 0;
    let mut compared = 0;
    for (label, values) in VALUES {
        for value in *values {
            let surrogate = patient("1").replace(Class::of(*label), value);
            assert!(!surrogate.trim().is_empty() && surrogate != *value, "{label} {value}");
            assert_eq!(surrogate, patient("1").replace(Class::of(*label), value));
            for other in 2..12 {
                compared += 1;
                same += i32::from(patient(&other.to_string()).replace(Class::of(*label), value) == surrogate);
            }
        }
    }
    // Ages over 89 and short ranges meet by chance or on purpose.
    assert!(same * 10 < compared, "{same} of {compared}");
    assert_eq!(VALUES.len() + 1, Label::ALL.len());
}

#[test]
fn the_example_of_one_family() {
    let surrogates = patient("77");
    let name = |value: &str| surrogates.replace(Label::Patient.into(), value);
    let full = name("John Smith");
    let (given, surname) = full.split_once(' ').unwrap();
    assert_eq!(name("John"), given);
    assert_eq!(surrogates.replace(Label::Doctor.into(), "SMITH"), surname.to_uppercase());
    assert_ne!(name("Jack"), given);
    let email = surrogates.replace(Label::Email.into(), "john.smith@mayo.edu");
    assert!(email.starts_with(&full.to_lowercase().replace(' ', ".")), "{email}");
}

/// The categories and examples of Murugadoss et al. 2021, Supplementary Table 2, by form.
#[test]
fn the_table_of_the_paper() {
    let surrogates = patient("88");
    let of = |label: Label, value: &str| surrogates.replace(label.into(), value);
    let tables = tables::Tables::shared();
    let listed = |name: &str| tables.name(&casing::fold(name)).unwrap();
    for (from, to) in [("Mohammad", of(Label::Patient, "Mohammad")), ("Lopez", of(Label::Patient, "Lopez"))] {
        let (from, to) = (listed(from), listed(&to));
        assert_eq!((from.kind, from.position.subgroup), (to.kind, to.position.subgroup));
    }
    let form = |text: &str| {
        text.chars()
            .map(|character| match character {
                '0'..='9' => '9',
                _ if character.is_uppercase() => 'A',
                _ if character.is_lowercase() => 'a',
                _ => character,
            })
            .collect::<String>()
    };
    let initials = of(Label::Patient, "John W.B. Smith");
    let parts: Vec<&str> = initials.split(' ').collect();
    assert!(parts.len() == 3 && form(parts[1]) == "A.A." && parts[1] != "W.B.", "{initials}");
    let city = of(Label::City, "Springfield, Illinois");
    let (city, state) = city.split_once(", ").unwrap();
    assert!(tables.cities.position(&lists::place_key(city)).is_some() && tables.state_names.contains(&state));
    assert_eq!(of(Label::Age, "92"), "89+");
    assert_eq!(of(Label::Time, "10:30 PM"), "10:30 PM");
    assert_eq!(form(&of(Label::Date, "04/12/2020")), "99/99/9999");
    let written = of(Label::Date, "March 5th, 2014");
    assert!(written.ends_with(", 2014") || written.ends_with(", 2013") || written.ends_with(", 2015"), "{written}");
    assert!(["st,", "nd,", "rd,", "th,"].iter().any(|suffix| written.contains(suffix)), "{written}");
    for (label, value) in [
        (Label::Doctor, "DF14"),
        (Label::Phone, "546-123-0543"),
        (Label::Vehicle, "6TR-435"),
        (Label::MedicalRecord, "1-12435"),
        (Label::Zip, "62701"),
        (Label::IdNum, "A1234"),
    ] {
        let image = of(label, value);
        assert!(form(&image) == form(value) && image != value, "{value} {image}");
    }
}

/// The paper's paragraph: father and son stay apart, and the father is himself in both sentences.
#[test]
fn the_paragraph_of_the_paper() {
    let text = "[John Smith], a pleasant 67 year old presented with his son [Jack]. [John] complains";
    for id in 0..50 {
        let surrogates = patient(&id.to_string());
        let mut names = Vec::new();
        let mut written = String::new();
        for (index, part) in text.split(['[', ']']).enumerate() {
            let part = if index % 2 == 1 { surrogates.replace(Label::Patient.into(), part) } else { part.to_owned() };
            written.push_str(&part);
            if index % 2 == 1 {
                names.push(part);
            }
        }
        let (given, surname) = names[0].split_once(' ').unwrap();
        assert!(names[2] == given && names[1] != given && surname != "Smith" && given != "John" && names[1] != "Jack");
        assert_eq!(
            written,
            format!("{given} {surname}, a pleasant 67 year old presented with his son {}. {given} complains", names[1])
        );
    }
}

#[test]
fn no_part_of_a_value_stays_as_what_it_is_not() {
    let patient = patient("p1");
    let replaced = |label: Label, value: &str| patient.replace(label.into(), value);
    // Behind a degree, in two scripts, in a lone general word.
    for (label, value, kept) in [
        (Label::Doctor, "JONES, KAREN, MD 1234567890", "1234567890"),
        (Label::Doctor, "Jones, R.N. 617-555-0101", "0101"),
        (Label::Doctor, "Jones, MD Петров", "Петров"),
        (Label::Doctor, "Del Smith, MD", "Del"),
        (Label::Patient, "SMITH, J.D.", "J.D."),
        (Label::Ssn, "１２３-４５-6789", "１２３"),
        (Label::Organization, "Zimmer", "Zimmer"),
        (Label::Organization, "Mission", "Mission"),
    ] {
        let written = replaced(label, value);
        assert!(!written.contains(kept), "{value}: {written}");
    }
    let [one, other] = ["张", "李"].map(|name| replaced(Label::Patient, name));
    assert_ne!(one, other);
    // The other days of a value are no clock times.
    let moved =
        |year, month, day| patient.shift_day(chrono::NaiveDate::from_ymd_opt(year, month, day).unwrap()).unwrap();
    let (october, june, march) = (moved(2019, 10, 12), moved(2019, 6, 5), moved(2019, 3, 6));
    for (value, form) in [("12OCT19", "%d%b%y"), ("2019OCT12", "%Y%b%d"), ("12-Oct19", "%d-%b%y")] {
        let written = replaced(Label::Date, value);
        assert_eq!(written.to_lowercase(), october.format(form).to_string().to_lowercase(), "{value}");
    }
    let (day_first, third) =
        (SurrogateOptions { date_order: DateOrder::DayFirst, ..SurrogateOptions::default() }, moved(1950, 3, 4));
    let european = Surrogates::with_options(&key(), "p1", day_first);
    let written = european.replace(Label::Date.into(), "01.04.2019-05.06.2019");
    assert!(written.ends_with(&june.format("%d.%m.%Y").to_string()), "{written}");
    let written = replaced(Label::Date, "DOB:03/04/1950");
    assert_eq!(written, third.format("DOB:%m/%d/%Y").to_string());
    let written = replaced(Label::Date, "04 Mar 2019 08:00-06 Mar 2019 17:00");
    assert!(written.ends_with(&march.format("%d %b %Y 17:00").to_string()), "{written}");
}

#[test]
fn clock_times_stay() {
    assert_eq!(patient("1").replace(Label::Time.into(), "10:30 PM"), "10:30 PM");
}

#[test]
fn times_of_life_stay() {
    for value in ["newborn", "infant", "toddler", "Teenager"] {
        assert_eq!(patient("1").replace(Label::Age.into(), value), value);
    }
    let oldest = Class { label: Label::Age, kind: Kind::AgeOver89 };
    assert_eq!(patient("1").replace(oldest, "elderly"), "89+");
}

#[test]
fn parts_of_a_value_are_replaced_as_they_are_alone_and_come_back_so() {
    for id in 0..20 {
        let surrogates = patient(&id.to_string());
        let of = |label: Label, value: &str| surrogates.replace(label.into(), value);
        let (street, city) = (of(Label::Street, "123 Main St"), of(Label::City, "Rochester"));
        let (state, zip) = (of(Label::State, "MN"), of(Label::Zip, "55901"));
        let (phone, line) = (of(Label::Phone, "507-555-0101"), of(Label::Phone, "0102"));
        let (second, wisconsin) = (of(Label::Phone, "507-555-0102"), of(Label::State, "WI"));
        for (label, value, image) in [
            (Label::Street, "123 Main St, Rochester, MN 55901", format!("{street}, {city}, {state} {zip}")),
            (Label::City, "Rochester, MN 55901", format!("{city}, {state} {zip}")),
            (Label::City, "ROCHESTER, MN", format!("{}, {state}", city.to_uppercase())),
            (Label::State, "US-MN", format!("US-{state}")),
            (Label::State, "MN/WI", format!("{state}/{wisconsin}")),
            (Label::State, "MN and WI", format!("{state} and {wisconsin}")),
            (Label::State, "US-MN and WI", format!("US-{state} and {wisconsin}")),
            (Label::State, "US-MN, US-WI", format!("US-{state}, US-{wisconsin}")),
            (Label::State, "MN, formerly", format!("{state}, formerly")),
            (Label::Street, "123 Main St (home)", format!("{street} (home)")),
            (Label::Street, "Work: 123 Main St; 123 Main St", format!("Work: {street}; {street}")),
            (Label::City, "Rochester (home), MN", format!("{city} (home), {state}")),
            (Label::Zip, "MN zip 55901", format!("{state} zip {zip}")),
            (Label::Zip, "MN 55901", format!("{state} {zip}")),
            (Label::Phone, "507-555-0101; 507-555-0102", format!("{phone}; {second}")),
            (Label::Phone, "507-555-0101 or 0102", format!("{phone} or {line}")),
            (Label::Phone, "(h) 507-555-0101 (c) 507-555-0102", format!("(h) {phone} (c) {second}")),
            (Label::Phone, "001 507-555-0101", format!("001 {phone}")),
        ] {
            assert_eq!(of(label, value), image, "{label}");
            let told = surrogates.reveal(label.into(), &image);
            if label == Label::Street {
                assert!(matches!(told, Revealed::NotInvertible { .. }));
            } else {
                assert_eq!(told, Revealed::Value(value.to_owned()), "{label}");
            }
        }
    }
}

#[test]
fn numbers_and_names_of_one_value_are_each_what_they_are_alone() {
    for id in 0..20 {
        let surrogates = patient(&id.to_string());
        let of = |label: Label, value: &str| surrogates.replace(label.into(), value);
        let (one, other, four) = (of(Label::Ssn, "123-45-6789"), of(Label::Ssn, "987-65-4321"), of(Label::Ssn, "4321"));
        let (phone, ann) = (of(Label::Phone, "507-555-0142"), of(Label::Patient, "Ann Smith"));
        for (label, value, image) in [
            (Label::Ssn, "123-45-6789 / 987-65-4321", format!("{one} / {other}")),
            (Label::Ssn, "SSN 123-45-6789 or 4321", format!("SSN {one} or {four}")),
            (Label::Ssn, "123-45-6789 (Ann Smith)", format!("{one} ({ann})")),
            (Label::Ssn, "123-45-6789 and", format!("{one} and")),
            (Label::Ssn, "123-45-6789 or", format!("{one} or")),
            (Label::Ssn, "Social security: 123-45-6789", format!("Social security: {one}")),
            (Label::Ssn, "last four 4321", format!("last four {four}")),
            (Label::Phone, "cell 507-555-0142 Ann Smith", format!("cell {phone} {ann}")),
            (Label::Phone, "Ann Smith: 507-555-0142 (c)", format!("{ann}: {phone} (c)")),
        ] {
            assert_eq!(of(label, value), image, "{label}");
            let told = match surrogates.reveal(label.into(), &image) {
                Revealed::Value(told) => vec![told],
                Revealed::OneOf(told) => told,
                Revealed::NotInvertible { .. } => Vec::new(),
            };
            assert!(told.contains(&value.to_owned()), "{value} {told:?}");
        }
    }
}

#[test]
fn codes_of_a_list_are_each_what_they_are_alone_and_come_back_so() {
    for id in 0..20 {
        let surrogates = patient(&id.to_string());
        let of = |label: Label, value: &str| surrogates.replace(label.into(), value);
        for (label, one, other) in [
            (Label::Zip, "55901", "55902"),
            (Label::Zip, "55901-1234", "K1A 0B1"),
            (Label::IpAddr, "10.0.0.1", "fe80::1"),
            (Label::MedicalRecord, "4417093", "4417094"),
            (Label::IdNum, "S18-1234", "MRN 7123456"),
            (Label::HealthPlan, "1EG4-TE5-MK73", "1EG4-TE5-MK74"),
            (Label::Vehicle, "6TR-435", "7TH-129"),
        ] {
            for between in [", ", ",", "; ", " and ", ", or ", "\n"] {
                let value = [one, other].join(between);
                let image = [of(label, one), of(label, other)].join(between);
                assert_eq!(of(label, &value), image, "{label} {value}");
                assert_eq!(surrogates.reveal(label.into(), &image), Revealed::Value(value), "{label}");
            }
        }
        let record = of(Label::MedicalRecord, "4417093/4417094");
        let alone = [of(Label::MedicalRecord, "4417093"), of(Label::MedicalRecord, "4417094")];
        assert_eq!(record, alone.join("/"));
        // A code with marks is one, and what is one never becomes a list.
        for (label, value) in [
            (Label::MedicalRecord, "12-3456-789"),
            (Label::MedicalRecord, "S18/12345"),
            (Label::MedicalRecord, "1234567 xyz 7654321"),
            (Label::IpAddr, "10.0.0.1, 10.0.0.999"),
        ] {
            let image = of(label, value);
            assert!(image != value && parts::of(label, &image).is_none(), "{label} {value} {image}");
            assert_eq!(surrogates.reveal(label.into(), &image), Revealed::Value(value.to_owned()), "{label}");
        }
    }
}

#[test]
fn a_link_to_an_address_keeps_its_scheme() {
    let surrogates = patient("77");
    let email = surrogates.replace(Label::Email.into(), "jane.doe@x.org");
    for label in [Label::Email, Label::Url] {
        assert_eq!(surrogates.replace(label.into(), "mailto:jane.doe@x.org"), format!("mailto:{email}"), "{label}");
    }
    assert!(!email.starts_with("jane.doe@"), "{email}");
}

#[test]
fn a_long_value_is_soon_replaced() {
    let surrogates = patient("1");
    let url = format!("https://mayo.edu/?q={}", "%4a%6F%78".repeat(11_000));
    let start = std::time::Instant::now();
    let image = surrogates.replace(Label::Url.into(), &url);
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
    assert!(image.len() == url.len() && !image.contains("mayo") && !image.contains("%4a%6F%78%4a"));
    assert!(matches!(surrogates.reveal(Label::Url.into(), &image), Revealed::NotInvertible { .. }));
}

#[test]
fn key_and_patient_both_matter() {
    let other = Key::from_hex(&"0f".repeat(32)).unwrap();
    let value = "7-123-456-789";
    let mine = patient("1").replace(Label::IdNum.into(), value);
    assert_ne!(mine, Surrogates::new(&other, "1").replace(Label::IdNum.into(), value));
    assert_ne!(mine, patient("01").replace(Label::IdNum.into(), value));
}

#[test]
fn intervals_between_full_dates_are_kept() {
    let surrogates = patient("5");
    let day = |value: &str| {
        let image = surrogates.replace(Class { label: Label::Date, kind: Kind::DateFull }, value);
        chrono::NaiveDate::parse_from_str(&image, "%m/%d/%Y").unwrap()
    };
    assert_eq!((day("03/01/2020") - day("02/28/2020")).num_days(), 2);
    assert_eq!(
        (day("03/01/2020") - chrono::NaiveDate::from_ymd_opt(2020, 3, 1).unwrap()).num_days(),
        surrogates.date_shift_days()
    );
}

proptest! {
    #[test]
    fn any_text_of_any_class_is_survived_and_changes(value in "(\\PC|[A-Za-z0-9]|[ .,'/@:-]){0,24}") {
        let surrogates = patient("9");
        for class in classes() {
            let surrogate = surrogates.replace(class, &value);
            prop_assert!(!surrogate.is_empty());
            if class.label != Label::Time {
                prop_assert_ne!(&surrogate, &value);
            }
        }
    }

    #[test]
    fn two_letters_or_digits_never_come_back(value in "[A-Za-z0-9]{2,12}") {
        let surrogates = patient("9");
        for class in classes().into_iter().filter(|class| class.label != Label::Time) {
            prop_assert!(!surrogates.replace(class, &value).eq_ignore_ascii_case(&value));
        }
    }
}
