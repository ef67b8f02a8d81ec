//! People's names, and the many ways they are written.
//!
//! ```text
//! John Smith   SMITH, JOHN C   J. Smith   john smith   Johnny   JCS   Smith-Jones   O'Brien   Cruz Jr.
//! ```

use super::random::Random;
use super::tables::Tables;

/// A person's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Given name.
    pub given: String,
    /// Middle name.
    pub middle: Option<String>,
    /// Family name, hyphen and particle included.
    pub family: String,
    /// Family name at birth, where it is another one.
    pub maiden: Option<String>,
    /// Jr., III.
    pub suffix: Option<&'static str>,
    /// Short forms in use.
    pub nicknames: Vec<String>,
    /// Whether the person is a woman or a girl.
    pub female: bool,
}

/// A way to write a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameForm {
    /// `John Smith`.
    Full,
    /// `John C. Smith Jr.`
    Long,
    /// `SMITH, JOHN C`.
    LastFirstUpper,
    /// `Smith, John C.`
    LastFirst,
    /// `Smith`.
    Last,
    /// `SMITH`.
    LastUpper,
    /// `John`.
    First,
    /// `john`.
    FirstLower,
    /// `john smith`.
    Lower,
    /// `JOHN SMITH`.
    Upper,
    /// `J. Smith`.
    Short,
    /// `JCS`.
    Initials,
    /// `jcs`.
    InitialsLower,
    /// `Johnny`.
    Nickname,
    /// The family name at birth.
    Maiden,
}

impl NameForm {
    /// The form that a template names.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "full" => Self::Full,
            "long" => Self::Long,
            "last_first_upper" => Self::LastFirstUpper,
            "last_first" => Self::LastFirst,
            "last" => Self::Last,
            "last_upper" => Self::LastUpper,
            "first" => Self::First,
            "first_lower" => Self::FirstLower,
            "lower" => Self::Lower,
            "upper" => Self::Upper,
            "short" => Self::Short,
            "initials" => Self::Initials,
            "initials_lower" => Self::InitialsLower,
            "nickname" => Self::Nickname,
            "maiden" => Self::Maiden,
            _ => return None,
        })
    }
}

impl Person {
    /// A person of any origin; `invented` gives a name that nobody bears.
    pub fn draw(female: bool, invented: bool, random: &mut Random) -> Self {
        if invented {
            return Self::invent(female, random);
        }
        let tables = Tables::shared();
        let given = tables.given(female, random).to_owned();
        let family = family_name(tables, random);
        let maiden = (female && random.chance(350)).then(|| tables.surname(random).to_owned());
        let nicknames = tables.nicknames(&given).iter().map(|name| (*name).to_owned()).collect();
        let suffix =
            if !female && random.chance(60) { random.pick(&["Jr.", "III", "Sr.", "II", "Jr"]).copied() } else { None };
        let middle = random.chance(750).then(|| tables.given(female, random).to_owned());
        Self { given, middle, family, maiden, suffix, nicknames, female }
    }

    fn invent(female: bool, random: &mut Random) -> Self {
        let given = invented_word("Xy", random);
        let family = invented_word("Zq", random);
        Self {
            given,
            middle: Some(invented_word("Vj", random)),
            family,
            maiden: None,
            suffix: None,
            nicknames: Vec::new(),
            female,
        }
    }

    /// Given, middle and family name with the suffix: how a record lists the person.
    pub fn full_name(&self) -> String {
        let mut name = String::new();
        self.write(NameForm::Full, &mut name);
        name
    }

    /// Appends the name in this form; where the person has no such name, the nearest other one.
    pub fn write(&self, form: NameForm, text: &mut String) {
        match form {
            NameForm::Full => push_all(text, &[&self.given, " ", &self.family]),
            NameForm::Long => self.write_long(text),
            NameForm::LastFirst => self.write_last_first(text),
            NameForm::LastFirstUpper => upper_case(text, |text| self.write_last_first(text)),
            NameForm::Last => text.push_str(&self.family),
            NameForm::LastUpper => upper_case(text, |text| text.push_str(&self.family)),
            NameForm::First => text.push_str(&self.given),
            NameForm::FirstLower => text.push_str(&self.given.to_lowercase()),
            NameForm::Lower => push_all(text, &[&self.given.to_lowercase(), " ", &self.family.to_lowercase()]),
            NameForm::Upper => upper_case(text, |text| push_all(text, &[&self.given, " ", &self.family])),
            NameForm::Short => {
                text.extend(self.given.chars().next());
                push_all(text, &[". ", &self.family]);
            }
            NameForm::Initials => text.extend(self.initials().flat_map(char::to_uppercase)),
            NameForm::InitialsLower => text.extend(self.initials().flat_map(char::to_lowercase)),
            NameForm::Nickname => text.push_str(self.nicknames.first().unwrap_or(&self.given)),
            NameForm::Maiden => text.push_str(self.maiden.as_ref().unwrap_or(&self.family)),
        }
    }

    fn initials(&self) -> impl Iterator<Item = char> {
        [Some(&self.given), self.middle.as_ref(), Some(&self.family)]
            .into_iter()
            .flatten()
            .filter_map(|name| name.chars().next())
    }

    fn write_long(&self, text: &mut String) {
        text.push_str(&self.given);
        if let Some(initial) = self.middle.as_ref().and_then(|middle| middle.chars().next()) {
            push_all(text, &[" "]);
            text.push(initial);
            text.push('.');
        }
        push_all(text, &[" ", &self.family]);
        if let Some(suffix) = self.suffix {
            push_all(text, &[" ", suffix]);
        }
    }

    fn write_last_first(&self, text: &mut String) {
        push_all(text, &[&self.family, ", ", &self.given]);
        if let Some(initial) = self.middle.as_ref().and_then(|middle| middle.chars().next()) {
            text.push(' ');
            text.push(initial);
        }
    }
}

fn family_name(tables: &Tables, random: &mut Random) -> String {
    let first = tables.surname(random);
    if random.chance(25) && !first.contains(['-', ' ']) {
        format!("{first}-{}", tables.surname(random))
    } else {
        first.to_owned()
    }
}

fn push_all(text: &mut String, parts: &[&str]) {
    for part in parts {
        text.push_str(part);
    }
}

fn upper_case(text: &mut String, write: impl FnOnce(&mut String)) {
    let start = text.len();
    write(text);
    let upper = text[start..].to_uppercase();
    text.truncate(start);
    text.push_str(&upper);
}

/// A word that no language has: an unheard-of beginning and invented syllables, more than a billion of them.
pub fn invented_word(beginning: &str, random: &mut Random) -> String {
    const SYLLABLES: &[&str] = &[
        "orval", "quist", "vex", "trax", "wubb", "kipf", "zhul", "mogri", "plonk", "fyst", "drel", "gwaz", "hext",
        "juv", "yolf", "bwik", "ckro", "snarv", "uzz", "quob", "tilx", "vrim", "axo", "ugzu", "phlen", "osk", "wyv",
        "dzim", "kazr", "umbo", "rilk", "ydra",
    ];
    let mut word = beginning.to_owned();
    for _ in 0..6 {
        word.push_str(random.pick(SYLLABLES).copied().unwrap_or("zhul"));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(person: &Person, form: NameForm) -> String {
        let mut text = String::new();
        person.write(form, &mut text);
        text
    }

    #[test]
    fn the_forms_of_a_name() {
        let person = Person {
            given: "José".to_owned(),
            middle: Some("Carlos".to_owned()),
            family: "O'Brien".to_owned(),
            maiden: None,
            suffix: Some("Jr."),
            nicknames: vec!["Pepe".to_owned()],
            female: false,
        };
        for (form, expected) in [
            (NameForm::Full, "José O'Brien"),
            (NameForm::Long, "José C. O'Brien Jr."),
            (NameForm::LastFirstUpper, "O'BRIEN, JOSÉ C"),
            (NameForm::Short, "J. O'Brien"),
            (NameForm::Lower, "josé o'brien"),
            (NameForm::Initials, "JCO"),
            (NameForm::InitialsLower, "jco"),
            (NameForm::Nickname, "Pepe"),
            (NameForm::Maiden, "O'Brien"),
        ] {
            assert_eq!(written(&person, form), expected);
        }
    }

    #[test]
    fn invented_names_are_in_no_table() {
        let mut random = Random::of(&[1]);
        for _ in 0..200 {
            let person = Person::draw(true, true, &mut random);
            assert!(person.family.starts_with("Zq") && person.given.starts_with("Xy"));
            assert!(!Tables::shared().surnames.contains(&person.family.as_str()));
        }
    }
}
