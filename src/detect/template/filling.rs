//! Sentences made of a template: its slots filled at random.
//!
//! ```text
//! Signed by (?<DOCTOR>\p{Alphabetic}+, \p{Alphabetic}+) on (?<DATE_full>[0-9]+/[0-9]+/[0-9]+)
//!    ─▶ Signed by Okafor, Miriam on 11/3/1987       Signed by LINDQVIST, TERRY on 2/27/2016
//! ```
//!
//! The names are the census's and the numbers are drawn: nothing of the notes is in them but the template's own text.

use super::file::Slots;
use super::form::{Form, Part};
use super::run::Run;
use crate::lexicon::Lexicon;
use crate::phi::{Class, Label};

/// Of how many of the commonest names and places one is drawn.
const COMMONEST: usize = 20_000;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A stream of random numbers (SplitMix64), the same wherever it begins with the same number.
#[derive(Debug, Clone)]
pub(super) struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.bits() % (high - low + 1)
    }

    fn digits(&mut self, length: u64) -> String {
        (0..length).map(|place| char::from(b'0' + self.between(u64::from(place == 0), 9) as u8)).collect()
    }

    fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        values.get((self.bits() % (values.len() as u64).max(1)) as usize)
    }
}

/// A sentence of the form, with its slots; its words in capitals where asked for.
pub(super) fn fill(form: &Form, capitals: bool, random: &mut Random) -> (String, Slots) {
    let (mut sentence, mut slots) = (String::new(), Slots::new());
    let mut group: Option<(Class, usize)> = None;
    for (at, part) in form.parts().iter().enumerate() {
        match part {
            Part::Text(text) => sentence.push_str(text),
            Part::Open(class) => {
                slots.push((sentence.len(), sentence.len(), *class));
                group = Some((*class, 0));
            }
            Part::Close => {
                group = None;
                if let Some(slot) = slots.last_mut() {
                    slot.1 = sentence.len();
                }
            }
            Part::Run(run) => {
                let (class, place) = group.unwrap_or((Class::of(Label::IdNum), 0));
                let inside = form.parts()[at..].iter().take_while(|part| **part != Part::Close);
                let count = place + inside.filter(|part| matches!(part, Part::Run(_))).count();
                let value = value(*run, class.label, (place, count), random);
                sentence.push_str(&if capitals { value.to_uppercase() } else { value });
                group = group.map(|(class, place)| (class, place + 1));
            }
        }
    }
    (sentence, slots)
}

/// What stands in the run at a place among all of its group.
fn value(run: Run, label: Label, (place, count): (usize, usize), random: &mut Random) -> String {
    match run {
        Run::Digits | Run::AnyDigits => number(label, (place, count), random),
        Run::ClockDigits if place == 0 => random.between(1, 12).to_string(),
        Run::ClockDigits => format!("{:02}", random.between(0, 59)),
        Run::ShortDigits => match (label, place, count) {
            (Label::Time, 0, 1) => format!("{:02}{:02}", random.between(0, 23), random.between(0, 59)),
            (Label::Time, 0, _) => random.between(1, 12).to_string(),
            (Label::Time, ..) => format!("{:02}", random.between(0, 59)),
            _ => random.between(1940, 2029).to_string(),
        },
        Run::Mixed => format!("{}{}", char::from(b'A' + random.between(0, 25) as u8), random.digits(4)),
        Run::AsciiCapitals => word(label, place, random).to_ascii_uppercase(),
        Run::Letters | Run::AsciiLetters => word(label, place, random),
    }
}

fn number(label: Label, (place, count): (usize, usize), random: &mut Random) -> String {
    let length = match (label, place, count) {
        (Label::Date, 0, 2 | 3) => return random.between(1, 12).to_string(),
        (Label::Date, 1, 2 | 3) => return random.between(1, 28).to_string(),
        (Label::Date, 2, _) => return random.between(1940, 2029).to_string(),
        (Label::Date, ..) => return random.between(1, 28).to_string(),
        (Label::Age, ..) => return random.between(18, 89).to_string(),
        (Label::Zip, 0, _) => 5,
        (Label::Phone | Label::Fax, 0 | 1, 3) => 3,
        (Label::Phone | Label::Fax, 0, 2) => 3,
        (Label::Phone | Label::Fax, 0, 1) => 10,
        (Label::Phone | Label::Fax | Label::Zip, ..) => 4,
        (Label::Ssn, place, 3) => [3, 2, 4][place.min(2)],
        (Label::Ssn, ..) => 9,
        _ => random.between(1, 8),
    };
    random.digits(length)
}

fn word(label: Label, place: usize, random: &mut Random) -> String {
    let lexicon = Lexicon::shared();
    let draw = |random: &mut Random| match label {
        Label::Date => random.pick(&MONTHS).copied(),
        Label::Profession => random.pick(lexicon.professions()).copied(),
        Label::State => random.pick(lexicon.states()).map(|state| state.name),
        Label::Country => random.pick(lexicon.countries()).map(|country| country.name),
        Label::City | Label::LocationOther => random.pick(lexicon.us_places()).map(|place| place.city),
        Label::Street => random.pick(lexicon.street_names()).copied(),
        _ if place % 2 == 1 => random.pick(most(lexicon.given_names())).map(|given| given.name),
        _ => random.pick(most(lexicon.surnames())).map(|surname| surname.name),
    };
    let is_one_run = |word: &&str| Run::AsciiLetters.end(word, 0) == Some(word.len());
    // Most words are one run; a few draws find one.
    (0..50).find_map(|_| draw(random).filter(is_one_run)).unwrap_or("Olson").to_owned()
}

fn most<T>(values: &[T]) -> &[T] {
    &values[..values.len().min(COMMONEST)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Kind;

    #[test]
    fn fillings_are_of_the_form() {
        let classes = Label::ALL.iter().map(|&label| Class::of(label));
        let kinds = Kind::ALL.iter().filter_map(|&kind| Some(Class { label: kind.label()?, kind }));
        let mut random = Random(7);
        for class in classes.chain(kinds) {
            for (run, _) in Run::ALL {
                let (open, run) = (Part::Open(class), Part::Run(run));
                let parts = vec![Part::Text("é: ".into()), open, run.clone(), Part::Text("/".into()), run, Part::Close];
                let form = Form::new(parts).unwrap();
                for number in 0..20 {
                    let (sentence, slots) = fill(&form, number % 2 == 0, &mut random);
                    assert_eq!(form.read(&sentence), Some(slots), "{class} {sentence}");
                }
            }
        }
    }

    #[test]
    fn fillings_come_again_from_the_same_number_only() {
        let form = Form::parse(r"Seen by (?<DOCTOR>\p{Alphabetic}+) (?<IDNUM>[0-9]+)").unwrap();
        let made = |seed| fill(&form, false, &mut Random(seed)).0;
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
    }
}
