//! What holds for every value, tried on values that are made up: a hundred thousand in the usual run, more than a million with
//!
//! ```text
//! cargo test --lib surrogate::laws -- --include-ignored
//! ```

use std::collections::HashMap;

use chrono::{Datelike, NaiveDate};

use super::canonical::canonical;
use super::casing::fold;
use super::tables::Tables;
use super::*;

/// A stream of numbers, the same for the same seed.
struct Values(u64);

const NUMBERS: &[&str] =
    &["#######", "#-###-###", "@#######", "@@###-###", "##-##-##", "@#@-##@-@@##", "00####", "a###aa", "MRN ######"];
const PHONES: &[&str] = &[
    "(2##) 2##-####",
    "2##-2##-####",
    "2##.2##.####",
    "1-2##-2##-####",
    "2##-####",
    "+1 2## 2## ####",
    "2##-2##-#### ext ####",
    "x#-####",
];
const DATES: &[&str] =
    &["%m/%d/%Y", "%Y-%m-%d", "%Y%m%d", "%d%b%Y", "%B %d, %Y", "%d %B %Y", "%b %d, %Y", "%m-%d-%Y", "%A, %B %d, %Y"];

impl Values {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// `#` is a digit, `@` and `a` are letters, `2` a digit from 2 to 9.
    fn number(&mut self, pattern: &str) -> String {
        pattern
            .chars()
            .map(|character| match character {
                '#' => char::from(b'0' + self.below(10) as u8),
                '2' => char::from(b'2' + self.below(8) as u8),
                '@' => char::from(b'A' + self.below(26) as u8),
                'a' => char::from(b'a' + self.below(26) as u8),
                other => other,
            })
            .collect()
    }

    /// A listed name, or three in ten times a word of four to ten letters that is likely none.
    fn name(&mut self) -> String {
        if self.below(10) < 7 {
            return self.of(&Tables::shared().name_list).to_owned();
        }
        let length = 4 + self.below(7);
        let word: String = (0..length).map(|_| char::from(b'a' + self.below(26) as u8)).collect();
        casing::Casing::Title.apply(&word)
    }

    fn person(&mut self) -> String {
        let (given, surname, letter) = (self.name(), self.name(), self.number("@"));
        match self.below(7) {
            0 => format!("{given} {surname}"),
            1 => format!("{}, {} {letter}", surname.to_uppercase(), given.to_uppercase()),
            2 => format!("{letter}. {surname}"),
            3 => given.to_lowercase(),
            4 => format!("{given} {letter}.{letter}. {surname}, MD"),
            5 => format!("{given} de la {surname}-{}", self.name()),
            _ => self.number("@@"),
        }
    }

    fn day(&mut self) -> NaiveDate {
        // None that tells an age over 89, and none that may stand for one.
        NaiveDate::from_ymd_opt(1939, 1, 1).unwrap() + chrono::Days::new(self.below(36_000) as u64)
    }

    fn value(&mut self, label: Label) -> String {
        let tables = Tables::shared();
        match label {
            Label::Patient | Label::Doctor => self.person(),
            Label::Date => {
                let form = self.of(DATES);
                self.day().format(form).to_string()
            }
            Label::Phone => {
                let pattern = self.of(PHONES);
                self.number(pattern)
            }
            Label::Ssn => self.number("###-##-####"),
            Label::Zip => match self.below(3) {
                0 => self.number("#####"),
                1 => self.of(&tables.zips.list).to_owned(),
                _ => format!("{}-{}", self.of(&tables.zips.list), self.number("####")),
            },
            Label::City => self.of(&tables.cities.list).to_owned(),
            Label::State => {
                let states = if self.below(2) == 0 { &tables.states } else { &tables.state_names };
                self.of(states).to_owned()
            }
            Label::IpAddr => [(); 4].map(|()| self.below(256).to_string()).join("."),
            _ => {
                let pattern = self.of(NUMBERS);
                self.number(pattern)
            }
        }
    }
}

/// What of a number stays: everything but which digits and letters it has.
fn shape(text: &str) -> String {
    let kind = |character: char| match character {
        '0'..='9' => '9',
        'A'..='Z' => 'A',
        'a'..='z' => 'a',
        other => other,
    };
    text.chars().map(kind).collect()
}

fn key() -> Key {
    Key::from_hex(&"a7".repeat(32)).unwrap()
}

/// Determinism, no fixed point, no two values with one surrogate, form, and the way back.
fn hold_for(label: Label, seed: u64, patients: u64, values: usize) {
    let class = Class::of(label);
    let mut made = Values(seed);
    for patient in 0..patients {
        let (surrogates, again) =
            (Surrogates::new(&key(), &patient.to_string()), Surrogates::new(&key(), &patient.to_string()));
        let mut originals: HashMap<String, String> = HashMap::new();
        for _ in 0..values {
            let value = made.value(label);
            let surrogate = surrogates.replace(class, &value);
            assert!(!surrogate.eq_ignore_ascii_case(&value), "{label} {value}");
            assert_eq!(again.make(class, &value, None), surrogate, "{label} {value}");
            if label.is_number() || matches!(label, Label::Phone | Label::Zip) {
                assert_eq!(shape(&surrogate), shape(&value), "{label}");
            }
            // Names are compared by their words but for initials, which may meet a short name.
            let short = label.is_person() && canonical(class, &value).len() < 4;
            if !short && !canonical(class, &surrogate).is_empty() {
                let original = canonical(class, &value);
                let known = originals.entry(canonical(class, &surrogate)).or_insert_with(|| original.clone());
                assert_eq!(*known, original, "{label} {value} {surrogate}");
            }
            match surrogates.reveal(class, &surrogate) {
                Revealed::Value(told) => assert_eq!(canonical(class, &told), canonical(class, &value), "{surrogate}"),
                Revealed::OneOf(told) => {
                    assert!(
                        told.iter().any(|told| canonical(class, told) == canonical(class, &value)),
                        "{value} {surrogate} {told:?}"
                    );
                }
                Revealed::NotInvertible { reason } => panic!("{label} {value} {surrogate}: {reason}"),
            }
        }
    }
}

const LABELS: [Label; 11] = [
    Label::Patient,
    Label::Date,
    Label::Phone,
    Label::Ssn,
    Label::Zip,
    Label::City,
    Label::State,
    Label::IpAddr,
    Label::MedicalRecord,
    Label::IdNum,
    Label::Username,
];

#[test]
fn laws_of_every_label() {
    LABELS.iter().for_each(|&label| hold_for(label, 1, 3, 700));
}

#[test]
#[ignore = "takes minutes"]
fn laws_of_every_label_on_a_million_values() {
    std::thread::scope(|scope| {
        for (seed, labels) in (2..).zip(LABELS.chunks(3)) {
            scope.spawn(move || labels.iter().for_each(|&label| hold_for(label, seed, 40, 2_500)));
        }
    });
}

#[test]
fn dates_keep_their_form_and_their_intervals() {
    let mut made = Values(3);
    for patient in 0..40 {
        let surrogates = Surrogates::new(&key(), &patient.to_string());
        let class = Class { label: Label::Date, kind: Kind::DateFull };
        for _ in 0..500 {
            let (day, form) = (made.day(), made.of(DATES));
            // Whether `May` is short for itself cannot be told.
            if form.starts_with("%b") && day.month() == 5 {
                continue;
            }
            let image = surrogates.replace(class, &day.format(form).to_string());
            let read = NaiveDate::parse_from_str(&image, form).unwrap_or_else(|_| panic!("{form} {image}"));
            assert_eq!((read - day).num_days(), surrogates.date_shift_days(), "{form}");
            // A day beside a month in words may lose a zero that the form pads with.
            let unpadded = |text: &str| text.to_lowercase().replace(" 0", " ").trim_start_matches('0').to_owned();
            assert_eq!(unpadded(&read.format(form).to_string()), unpadded(&image));
        }
    }
}

#[test]
fn no_date_tells_an_age_over_89() {
    let mut made = Values(5);
    for patient in 0..40 {
        let surrogates = Surrogates::new(&key(), &patient.to_string());
        let class = Class { label: Label::Date, kind: Kind::DateFull };
        for _ in 0..200 {
            let (day, form) =
                (NaiveDate::from_num_days_from_ce_opt(675_000 + made.below(32_000) as i32).unwrap(), made.of(DATES));
            if day.year() >= 1937 || (form.starts_with("%b") && day.month() == 5) {
                continue;
            }
            let image = surrogates.replace(class, &day.format(form).to_string());
            let read = NaiveDate::parse_from_str(&image, form).unwrap_or_else(|_| panic!("{form} {image}"));
            let back = read - chrono::TimeDelta::days(surrogates.date_shift_days());
            assert_eq!(surrogates.shift_day(day), Some(read), "{form}");
            assert!(
                back.year() == 1937 && back.month() == day.month() || (day.month(), day.day()) == (2, 29),
                "{image}"
            );
            assert!(matches!(surrogates.reveal(class, &image), Revealed::NotInvertible { .. }), "{form}");
        }
    }
    let options = SurrogateOptions { oldest_year: 0, ..Default::default() };
    let surrogates = Surrogates::with_options(&key(), "1", options);
    let image = surrogates.replace(Label::Date.into(), "1925-03-04");
    assert_eq!(surrogates.reveal(Label::Date.into(), &image), Revealed::Value("1925-03-04".to_owned()));
}

#[test]
fn weekdays_move_with_their_dates_and_anchors_give_years() {
    let options = SurrogateOptions {
        date_shift: DateShift { shortest: 1, longest: 300, unit: ShiftUnit::Days },
        ..Default::default()
    };
    let mut made = Values(4);
    for patient in 0..60 {
        let surrogates = Surrogates::with_options(&key(), &patient.to_string(), options);
        let form = "%A, %B %-d, %Y";
        let day = made.day();
        let image = surrogates.replace(Label::Date.into(), &day.format(form).to_string());
        let moved = day + chrono::TimeDelta::days(surrogates.date_shift_days());
        assert_eq!(image, moved.format(form).to_string());

        let (anchor, written) = (made.day(), made.day());
        let written = written.with_year(anchor.year()).unwrap_or(anchor);
        let nearest = (-1..=1)
            .filter_map(|years| written.with_year(anchor.year() + years))
            .min_by_key(|date| (*date - anchor).num_days().abs())
            .unwrap();
        let image = surrogates.replace_at(Label::Date.into(), &written.format("%-m/%-d").to_string(), Some(anchor));
        let moved = nearest + chrono::TimeDelta::days(surrogates.date_shift_days());
        assert_eq!(canonical(Label::Date.into(), &image), moved.format("?-%-m-%-d").to_string());
        let told = surrogates.reveal_at(Label::Date.into(), &image, Some(anchor));
        let value = |text: &str| canonical(Label::Date.into(), text);
        let original = value(&written.format("%-m/%-d").to_string());
        let is_told = match &told {
            Revealed::Value(told) => value(told) == original,
            Revealed::OneOf(all) => all.iter().any(|told| value(told) == original),
            Revealed::NotInvertible { .. } => false,
        };
        assert!(is_told, "{original} {told:?}");
    }
}

#[test]
fn patients_are_independent() {
    const PATIENTS: u32 = 9_000;
    let tables = Tables::shared();
    let class = Class::of(Label::Patient);
    let images: Vec<_> = (0..PATIENTS)
        .map(|patient| {
            let image = Surrogates::new(&key(), &patient.to_string()).replace(class, "Smith");
            tables.name(&fold(&image)).expect("a frequent name becomes a listed one").position
        })
        .collect();
    // The letters that S may become.
    let letters: Vec<u8> = b"abcdjlmr".iter().map(|letter| letter - b'a').collect();
    let letter = |image: &partition::Position| letters.iter().position(|&letter| letter == image.group).unwrap();
    let bins = |count: usize, bin: &dyn Fn(usize) -> usize, values: usize| {
        let mut seen = vec![0_f64; count];
        (0..values).for_each(|value| seen[bin(value)] += 1.0);
        let expected = values as f64 / count as f64;
        seen.iter().map(|seen| (seen - expected).powi(2) / expected).sum::<f64>()
    };
    let all = images.len();
    // Which letter the name begins with, its rank among the four most frequent, and the letters of neighbours: far within what chance
    // gives in 9,999 of 10,000 cases.
    let by_letter = bins(8, &|patient| letter(&images[patient]), all);
    assert!(by_letter < 29.8, "{by_letter}");
    // The first band of a letter holds four names, or more that are nearly as common.
    let first: Vec<_> = images.iter().filter(|image| image.rank < 4).collect();
    assert!(images.iter().all(|image| image.rank < 16) && first.len() * 3 > images.len());
    let by_rank = bins(4, &|patient| first[patient].rank as usize, first.len());
    assert!(by_rank < 21.1, "{by_rank}");
    let by_pair = bins(64, &|patient| letter(&images[patient]) * 8 + letter(&images[patient + 1]), all - 1);
    assert!(by_pair < 112.0, "{by_pair}");
}

/// The words of a text, each told by whether it is a number and by its capitals, and what stands between them.
fn form(text: &str) -> Vec<String> {
    let mut form: Vec<String> = Vec::new();
    for word in words::words(text) {
        let number = word.text.bytes().any(|byte| byte.is_ascii_digit());
        let small = word.text.chars().any(char::is_lowercase);
        let capital = word.text.chars().any(char::is_uppercase);
        form.push(format!("{number}{small}{capital}"));
    }
    form.push(text.chars().filter(|character| !character.is_alphanumeric() && *character != '\'').collect());
    form
}

#[test]
fn names_and_numbers_keep_their_words_and_what_stands_between() {
    let mut made = Values(6);
    for patient in 0..10 {
        let surrogates = Surrogates::new(&key(), &patient.to_string());
        for label in [Label::Patient, Label::Phone, Label::Ssn, Label::Zip, Label::Date] {
            for _ in 0..300 {
                let value = made.value(label);
                let surrogate = surrogates.replace(label.into(), &value);
                assert_eq!(form(&surrogate), form(&value), "{label} {value} {surrogate}");
            }
        }
        for label in [Label::MedicalRecord, Label::IdNum, Label::Username] {
            for _ in 0..300 {
                let value = made.value(label);
                assert_eq!(shape(&surrogates.replace(label.into(), &value)), shape(&value), "{label}");
            }
        }
    }
}

#[test]
fn places_and_institutions_keep_their_number_of_words_within_one() {
    let tables = Tables::shared();
    let mut made = Values(7);
    let kinds = ["General Hospital", "Clinic", "Medical Center", "Family Pharmacy", "Lutheran Church"];
    let (mut changed, mut all) = (0, 0);
    for patient in 0..4 {
        let surrogates = Surrogates::new(&key(), &patient.to_string());
        for _ in 0..200 {
            let (city, kind, name) = (made.value(Label::City), made.of(&kinds), made.name());
            let street = format!("{} {name} Street", made.number("2##"));
            for (label, value) in [
                (Label::City, city.clone()),
                (Label::City, name.clone()),
                (Label::Hospital, format!("{city} {kind}")),
                (Label::Organization, format!("{name} & {} {kind}", made.of(&tables.name_list))),
                (Label::Street, street),
            ] {
                let surrogate = surrogates.replace(label.into(), &value);
                let (before, after) = (words::words(&value).len(), words::words(&surrogate).len());
                assert!(before.abs_diff(after) <= 1 || label == Label::City, "{label} {value} {surrogate}");
                all += 1;
                changed += usize::from(before != after);
            }
        }
    }
    assert!(changed * 20 < all, "{changed} of {all}");
}

#[test]
fn states_stay_where_they_are_to_stay() {
    let options = SurrogateOptions { keep_states: true, ..Default::default() };
    let tables = Tables::shared();
    for patient in 0..10 {
        let surrogates = Surrogates::with_options(&key(), &patient.to_string(), options);
        assert_eq!(surrogates.replace(Label::State.into(), "MN"), "MN");
        let minnesota = tables.state_of("mn").unwrap().0;
        for (label, value) in [(Label::City, "Duluth"), (Label::Zip, "55901")] {
            let image = surrogates.replace(label.into(), value);
            let places = if label == Label::City { &tables.cities } else { &tables.zips };
            assert!(image != value && places.position(&lists::place_key(&image)).unwrap().group == minnesota);
            assert_eq!(surrogates.reveal(label.into(), &image), Revealed::Value(value.to_owned()));
        }
    }
}

#[test]
fn telephone_numbers_come_back_under_every_policy_of_area_codes() {
    let mut made = Values(5);
    for area_codes in [AreaCodes::Changed, AreaCodes::State, AreaCodes::Kept] {
        let options = SurrogateOptions { area_codes, ..Default::default() };
        let surrogates = Surrogates::with_options(&key(), "1", options);
        let mut originals: HashMap<String, String> = HashMap::new();
        for _ in 0..1_000 {
            let value = made.value(Label::Phone);
            let surrogate = surrogates.replace(Label::Phone.into(), &value);
            assert_eq!(shape(&surrogate), shape(&value));
            assert_eq!(originals.entry(surrogate.clone()).or_insert_with(|| value.clone()), &value);
            assert_eq!(surrogates.reveal(Label::Phone.into(), &surrogate), Revealed::Value(value));
        }
    }
}

const NAMES_IN_LATIN: &[&str] = &["Nguyễn", "Trần", "Phạm", "Kaʻahumanu", "Əliyev", "Müller"];
const NAMES_IN_OTHER_SCRIPTS: &[&str] = &["Éж", "Ǝж", "Їжак", "Παπαδόπουλος", "محمد", "ليلى", "ƿynn"];

#[test]
fn no_wrong_name_is_told_of_any_script() {
    let class = Class::of(Label::Patient);
    for patient in 0..20 {
        let surrogates = Surrogates::new(&key(), &patient.to_string());
        for name in [NAMES_IN_LATIN, NAMES_IN_OTHER_SCRIPTS].concat() {
            let surrogate = surrogates.replace(class, name);
            assert_ne!(surrogate, name);
            let told = match surrogates.reveal(class, &surrogate) {
                Revealed::Value(told) => vec![told],
                Revealed::OneOf(told) => told,
                Revealed::NotInvertible { reason } => panic!("{name} {surrogate}: {reason}"),
            };
            let is_told = told.iter().any(|told| canonical(class, told) == canonical(class, name));
            assert!(is_told && told.iter().all(|told| surrogates.replace(class, told) == surrogate), "{name} {told:?}");
        }
        // Chinese characters are drawn from a list.
        let surrogate = surrogates.replace(class, "王小明");
        assert!(matches!(surrogates.reveal(class, &surrogate), Revealed::NotInvertible { .. }), "{surrogate}");
        let code = surrogates.replace(Label::Username.into(), "josé12");
        assert_eq!(surrogates.reveal(Label::Username.into(), &code), Revealed::Value(String::from("josé12")));
    }
}

#[test]
fn no_wrong_date_is_told_of_numbers_with_blanks_in_them() {
    let class = Class { label: Label::Date, kind: Kind::DateFull };
    for patient in 0..500 {
        let surrogates = Surrogates::new(&key(), &patient.to_string());
        for value in ["DATE:full1 4\n% Oi\n2", "1 1 / 0 8 / 1 9 5 1"] {
            let surrogate = surrogates.replace(class, value);
            let told = match surrogates.reveal(class, &surrogate) {
                Revealed::Value(told) => vec![told],
                Revealed::OneOf(told) => told,
                Revealed::NotInvertible { .. } => Vec::new(),
            };
            assert!(told.iter().all(|told| surrogates.replace(class, told) == surrogate), "{patient}: {told:?}");
        }
    }
}

#[test]
fn that_a_season_is_not_led_back_is_said() {
    let surrogates = Surrogates::new(&key(), "1");
    for season in ["fall 2015", "Summer"] {
        if let Revealed::NotInvertible { reason } = surrogates.reveal(Label::Date.into(), season) {
            assert!(reason.contains("season"), "{reason}");
        }
    }
}

#[test]
fn what_cannot_be_told_is_not_told() {
    let surrogates = Surrogates::new(&key(), "1");
    for (label, value) in [
        (Label::Hospital, "Mayo Clinic"),
        (Label::Age, "92"),
        (Label::Profession, "farmer"),
        (Label::Email, "a@b.org"),
        (Label::City, "Xqzzt"),
        (Label::Street, "12 Park Avenue"),
    ] {
        let surrogate = surrogates.replace(label.into(), value);
        assert!(matches!(surrogates.reveal(label.into(), &surrogate), Revealed::NotInvertible { .. }), "{label}");
    }
    let other = Surrogates::new(&key(), "2");
    let surrogate = surrogates.replace(Label::Patient.into(), "John Smith");
    assert_ne!(other.reveal(Label::Patient.into(), &surrogate), Revealed::Value(String::from("John Smith")));
    assert_eq!(surrogates.reveal(Label::Patient.into(), &surrogate), Revealed::Value(String::from("John Smith")));
    // Read as day and month, or as month and day, one surrogate has two originals.
    let dates = surrogates.replace(Label::Date.into(), "25/12/2019");
    let told = surrogates.reveal(Label::Date.into(), &dates);
    let is_told = match told {
        Revealed::Value(told) => told == "25/12/2019",
        Revealed::OneOf(told) => told.iter().any(|told| told == "25/12/2019"),
        Revealed::NotInvertible { .. } => false,
    };
    assert!(is_told);
}
