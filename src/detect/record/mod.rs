//! What is known of a patient, found in the patient's notes.
//!
//! ```text
//! record: Maria Lopez-Strong · 1950-03-04 · (555) 010-7788 · MRN 00-12-34
//! note:   "LOPEZ STRONG, M. (b. 4 March 1950) called from 5550107788; mrs. lopez strong …; strong pulses"
//!          └──── PATIENT ──┘    └─ DATE ───┘             └─ PHONE ┘       └─ PATIENT ─┘   (nothing)
//! ```
//!
//! The whole note is read once, into words that every matcher looks at ([`NoteWords`]). At each beginning of a word or number one
//! look at its first letters tells which known values can begin there.

mod birth;
mod context;
mod cues;
mod fold;
#[cfg(test)]
mod forms;
mod glued;
#[cfg(test)]
mod golden;
mod monograms;
mod name_word;
mod names;
mod near;
mod person;
mod placeholders;
mod places;
pub(super) mod plain;
mod runs;
mod sieve;
mod sought;
mod spelled;
mod titles;
#[cfg(test)]
mod told;
mod values;
mod words;

use std::borrow::Cow;

use crate::phi::{Class, Detector, Kind, Label, Span};

use self::birth::BirthDate;
use self::fold::Word;
use self::monograms::Monograms;
use self::names::NameSet;
use self::plain::{is_invisible, plain};
use self::runs::Runs;
use self::values::ValueSet;

pub(crate) use self::names::names_in;
pub use self::placeholders::{Cell, is_placeholder};
pub(crate) use self::titles::{is_around_name, is_behind_name, is_credential, is_particle, is_suffix};
pub use self::words::NoteWords;

/// The structured record of one patient, of values that may lie elsewhere. Empty fields are unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatientRecord<'v> {
    /// Given names, preferred names and nicknames, one an entry.
    pub given_names: Vec<Cow<'v, str>>,
    /// Middle names or initials, one an entry.
    pub middle_names: Vec<Cow<'v, str>>,
    /// Family names, maiden names and former names included, one an entry.
    pub family_names: Vec<Cow<'v, str>>,
    /// Full names of others that the record knows: kin as [`Label::Patient`], care staff as [`Label::Doctor`]; in
    /// the order
    /// `Given Middle Family` or `Family, Given Middle`.
    pub related: Vec<(Label, Cow<'v, str>)>,
    /// Street line, house number included.
    pub street: Cow<'v, str>,
    /// City or town.
    pub city: Cow<'v, str>,
    /// State, by name or code.
    pub state: Cow<'v, str>,
    /// County, with or without the word.
    pub county: Cow<'v, str>,
    /// Postal code.
    pub zip: Cow<'v, str>,
    /// Country; the United States are not searched for.
    pub country: Cow<'v, str>,
    /// Telephone numbers in any format.
    pub phones: Vec<Cow<'v, str>>,
    /// E-mail addresses.
    pub emails: Vec<Cow<'v, str>>,
    /// Numbers and codes with what they are: record number, social security number, account, member number.
    pub identifiers: Vec<(Label, Cow<'v, str>)>,
    /// Date of birth as `YYYY-MM-DD`, `MM/DD/YYYY` or with the month by its name, a time after it allowed; in another form it is found as it is written.
    pub birth_date: Cow<'v, str>,
    /// Employer.
    pub employer: Cow<'v, str>,
}

/// Finds the values of one record in texts.
#[derive(Debug, Default)]
pub struct RecordMatcher {
    names: NameSet,
    monograms: Monograms,
    values: ValueSet,
    birth: Option<BirthDate>,
}

impl RecordMatcher {
    /// A matcher for one patient's record, which is taken to be right: names are found misspelt, too.
    pub fn new(record: &PatientRecord<'_>) -> Self {
        let mut matcher = Self::default();
        matcher.refill(record);
        matcher
    }

    /// Makes it one for another record, in the memory that it has.
    pub fn refill(&mut self, record: &PatientRecord<'_>) {
        self.refill_with_tolerance(record, true);
    }

    /// Makes it one for values that were themselves found in notes: a misspelt name counts only beside what tells that it is one.
    pub(super) fn refill_of_found(&mut self, values: &PatientRecord<'_>) {
        self.refill_with_tolerance(values, false);
    }

    /// How many bytes it takes besides itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.names.heap_bytes() + self.monograms.heap_bytes() + self.values.heap_bytes()
    }

    fn refill_with_tolerance(&mut self, record: &PatientRecord<'_>, tolerant: bool) {
        self.names.refill(record, tolerant);
        self.monograms.refill(record);
        self.birth = BirthDate::parse(&record.birth_date);
        self.values.refill(record, self.birth.is_some());
    }

    /// Adds what is found in `text`, a whole note, to `spans`, as byte ranges on character boundaries; they may
    /// overlap.
    pub fn find(&self, text: &str, spans: &mut Vec<Span>) {
        self.find_in(&NoteWords::of(text), spans);
    }

    /// The same in a note whose words have been read, for one of several matchers.
    pub fn find_in(&self, note: &NoteWords<'_>, spans: &mut Vec<Span>) {
        let mut runs = Runs::new(&self.names, note.text);
        for (index, word) in note.words.iter().enumerate() {
            runs.word(word, note.words.get(index + 1), spans);
            self.values_in(word, spans);
        }
        runs.finish(spans);
        spelled::find(&self.names, note, spans);
        self.monograms.find(note.text, &note.initials, spans);
    }

    /// Numbers and places begin where a word does, where digits follow letters or the reverse, a capital a small letter, or
    /// anything what nobody sees.
    fn values_in(&self, word: &Word<'_>, spans: &mut Vec<Span>) {
        if let Some(&first) = word.key.as_bytes().first() {
            self.value_at(word.text, word.start, first, spans);
        }
        if !(word.joint || word.digits && word.letters) {
            return;
        }
        let mut letters = word.written().char_indices().map(|(offset, letter)| (offset, plain(letter)));
        let Some((_, mut before)) = letters.next() else { return };
        for (offset, here) in letters {
            let begins = here.is_ascii_alphanumeric()
                && (before.is_ascii_digit() != here.is_ascii_digit() || is_invisible(before))
                || here.is_ascii_uppercase() && before.is_ascii_lowercase();
            if begins {
                self.value_at(word.text, word.start + offset, here.to_ascii_lowercase() as u8, spans);
            }
            before = here;
        }
    }

    fn value_at(&self, text: &str, at: usize, first: u8, spans: &mut Vec<Span>) {
        if self.values.may_begin(text, at, first) {
            self.values.find_at(text, at, first, spans);
        }
        if let Some(birth) = &self.birth
            && birth.may_begin(text, at, first)
            && let Some(end) = birth.end_at(text, at)
        {
            let class = Class { label: Label::Date, kind: Kind::DateFull };
            spans.push(Span::new(at, end, class, Detector::Record, 1.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::unite;
    use proptest::prelude::*;

    fn record() -> PatientRecord<'static> {
        PatientRecord {
            given_names: vec!["Robert".into()],
            middle_names: vec!["James".into()],
            family_names: vec!["Strong".into(), "O'Hanlon".into()],
            related: vec![(Label::Patient, "Kowalczyk, Anna".into()), (Label::Doctor, "Priya Ramaswamy".into())],
            street: "12 Oak Hill Road Apt 4".into(),
            city: "Duluth".into(),
            state: "MN".into(),
            county: "Itasca".into(),
            zip: "55802".into(),
            phones: vec!["(218) 555-0142".into()],
            emails: vec!["bob.strong@mail.example.org".into()],
            identifiers: vec![
                (Label::MedicalRecord, "00-12-345".into()),
                (Label::Ssn, "123-45-6789".into()),
                (Label::HealthPlan, "XKA 99812 B".into()),
            ],
            birth_date: "1950-03-04".into(),
            employer: "Great Lakes Foundry".into(),
            ..PatientRecord::default()
        }
    }

    fn found(text: &str) -> Vec<(String, Label)> {
        found_of(&record(), text)
    }

    fn has(text: &str, value: &str, label: Label) {
        assert!(found(text).contains(&(value.to_owned(), label)), "{text}: {:?}", found(text));
    }

    #[test]
    fn names_in_any_order_and_case() {
        has("STRONG, ROBERT J was seen", "STRONG, ROBERT J", Label::Patient);
        has("robert strong was seen", "robert strong", Label::Patient);
        has("Robert James Strong's wife", "Robert James Strong", Label::Patient);
        has("R. J. Strong", "R. J. Strong", Label::Patient);
        has("Bob Strong", "Bob Strong", Label::Patient);
        has("Pleasant Bob came", "Bob", Label::Patient);
        has("Mr. O’Hanlon", "O’Hanlon", Label::Patient);
        has("Mr. STRONG", "STRONG", Label::Patient);
        has("seen by ramaswamy", "ramaswamy", Label::Doctor);
        has("Anna\nKowalczyk", "Anna\nKowalczyk", Label::Patient);
        has("called Strong today", "Strong", Label::Patient);
    }

    #[test]
    fn two_words_in_small_letters_are_a_name_where_its_bearer_could_stand() {
        let record = |given: &'static str, family: &'static str| PatientRecord {
            given_names: vec![given.into()],
            family_names: vec![family.into()],
            ..PatientRecord::default()
        };
        for (given, family, text) in [
            ("Will", "Short", "left vm for will short, no answer"),
            ("Will", "Short", "will short seen in clinic"),
            ("Will", "Short", "will short tolerated lunch"),
            ("Mark", "Young", "mark young resting in bed"),
            ("May", "Wong", "may wong 4th floor"),
        ] {
            let name = format!("{given} {family}").to_lowercase();
            assert_eq!(found_of(&record(given, family), text), [(name, Label::Patient)], "{text}");
        }
        for text in ["will short the order", "she will be short of breath", "short, will call back"] {
            assert_eq!(found_of(&record("Will", "Short"), text), [], "{text}");
        }
    }

    #[test]
    fn what_follows_a_zip_code_makes_no_amount_of_it() {
        has("mail to Bob Strong, Duluth 55802\nMs. Strong called", "55802", Label::Zip);
    }

    #[test]
    fn an_employer_is_shortened_to_what_tells_which_it_is() {
        has("works at Great Lakes now", "Great Lakes", Label::Organization);
        let record = PatientRecord { employer: "Home Health Care Plus".into(), ..PatientRecord::default() };
        assert_eq!(found_of(&record, "home health to see her on Friday"), []);
        assert_eq!(found_of(&record, "works for Home Health Care Plus").len(), 1);
    }

    #[test]
    fn a_surname_that_is_a_word_is_found_as_the_subject_of_a_sentence() {
        let record = PatientRecord {
            given_names: vec!["Zedrik".into()],
            family_names: vec!["Baker".into()],
            related: vec![(Label::Doctor, "Anna Miller".into())],
            ..PatientRecord::default()
        };
        for (text, value) in [
            ("Baker received 2 units.", "Baker"),
            ("Stable. Baker seems tired", "Baker"),
            ("Miller - stable", "Miller"),
            ("Miller: seen today", "Miller"),
            ("Baker underwent surgery", "Baker"),
            ("| 3 | Baker | 4 |", "Baker"),
            ("<family>Baker</family>", "Baker"),
            ("{\"family\":\"Baker\"}", "Baker"),
            ("BAKER | ZEDRIK", "BAKER | ZEDRIK"),
            ("BAKER^ZEDRIK^Q", "BAKER^ZEDRIK"),
            ("Baker; Zedrik", "Baker; Zedrik"),
        ] {
            let found = found_of(&record, text);
            assert!(found.iter().any(|(found, _)| found == value), "{text}: {found:?}");
        }
        for text in ["works as a baker", "Baker cyst", "a Miller blade", "The Baker family", "a baker | a miller"] {
            assert_eq!(found_of(&record, text), [], "{text}");
        }
    }

    #[test]
    fn a_surname_that_medicine_has_too_is_found_before_what_its_bearer_does() {
        for (name, rest) in [
            ("Allen", "tested positive for COVID."),
            ("Smith", "signed consent."),
            ("Wells", "remains intubated."),
            ("Wells", "returned from OR"),
            ("Thompson", "stands with walker"),
            ("Todd", "stable overnight"),
            ("Gilbert", "tolerated clears"),
            ("Miller", "resting in bed"),
            ("Baker", "tolerating diet well."),
            ("Hunter", "awake and playing"),
        ] {
            let record = PatientRecord { family_names: vec![name.into()], ..PatientRecord::default() };
            let found = found_of(&record, &format!("{name} {rest}"));
            assert!(found.iter().any(|(found, _)| found == name), "{name} {rest}: {found:?}");
        }
    }

    #[test]
    fn short_numbers_are_found_with_their_zeros_and_not_as_amounts() {
        let record = |number: &'static str| PatientRecord {
            identifiers: vec![(Label::MedicalRecord, number.into())],
            ..PatientRecord::default()
        };
        assert_eq!(
            found_of(&record("0000417"), "pt 0000417 and 417 of them"),
            [("0000417".to_owned(), Label::MedicalRecord)]
        );
        assert_eq!(found_of(&record("4417"), "pt 4417 drank 4417 mL"), [("4417".to_owned(), Label::MedicalRecord)]);
        assert_eq!(found_of(&record("000000"), "pt 000000"), []);
    }

    #[test]
    fn what_kin_are_called_is_no_name() {
        let record = |kin: &'static str| PatientRecord {
            related: vec![(Label::Patient, kin.into())],
            ..PatientRecord::default()
        };
        for kin in ["Daughter Liesl", "Liesl (POA)", "daughter Liesl", "Aunt Liesl Quorlin"] {
            assert_eq!(found_of(&record(kin), "Daughter knows, Aunt knows, POA knows."), [], "{kin}");
        }
        assert_eq!(found_of(&record("Daughter Liesl"), "Liesl drives"), [("Liesl".to_owned(), Label::Patient)]);
        for name in ["Son Tran", "Son Van Tran", "Kin Wong"] {
            assert_eq!(found_of(&record(name), &format!("{name} drives")), [(name.to_owned(), Label::Patient)]);
        }
    }

    #[test]
    fn a_cell_may_hold_several_names_and_what_they_are_to_the_patient() {
        for cell in [
            "Mary Quorlin (wife); Tom Zwalenberg",
            "wife: Mary Quorlin; son: Tom Zwalenberg",
            "Mary Quorlin - wife | Tom Zwalenberg (son/HCP)",
            "Mary Quorlin and Tom Zwalenberg",
            "Quorlin, Mary (mother) & Zwalenberg, Tom",
        ] {
            let record = PatientRecord { related: vec![(Label::Patient, cell.into())], ..PatientRecord::default() };
            let text = "Seen with wife. Quorlin, Mary called, then Tom Zwalenberg; zwalenberg came.";
            let found: Vec<_> = found_of(&record, text).into_iter().map(|(name, _)| name).collect();
            assert_eq!(found, ["Quorlin, Mary", "Tom Zwalenberg", "zwalenberg"], "{cell}");
        }
        let record = PatientRecord { related: vec![(Label::Patient, "Kim Son".into())], ..PatientRecord::default() };
        assert_eq!(found_of(&record, "told Kim Son today"), [("Kim Son".to_owned(), Label::Patient)]);
    }

    #[test]
    fn ordinary_words_are_left_alone() {
        assert_eq!(found("Strong pulses. STRONG GRIP. A strong cough, robertson, armstrong"), []);
        assert_eq!(found(""), []);
    }

    #[test]
    fn numbers_with_any_separators() {
        has("call 218.555.0142 now", "218.555.0142", Label::Phone);
        has("call 12185550142", "12185550142", Label::Phone);
        has("call 555-0142", "555-0142", Label::Phone);
        has("MRN 0012345.", "0012345", Label::MedicalRecord);
        has("ssn 123456789", "123456789", Label::Ssn);
        has("ins xka99812b", "xka99812b", Label::HealthPlan);
        assert_eq!(found("90012345 and 00123456"), []);
    }

    #[test]
    fn births_in_any_form() {
        for text in [
            "03/04/1950",
            "3/4/50",
            "1950-03-04",
            "03-04-1950",
            "4 March 1950",
            "March 4, 1950",
            "Mar. 4th 1950",
            "04MAR1950",
            "03.04.1950",
            "19500304",
            "4 of March, 1950",
        ] {
            has(&format!("b. {text}, well"), text, Label::Date);
        }
        assert_eq!(found("03/04/1951 and 13/04/1950"), []);
    }

    #[test]
    fn a_street_with_marks_for_blanks_is_the_same() {
        for text in ["12-oak-hill-road", "12_Oak_Hill_Rd", "12 Oak-Hill-Road-Apt-4", "12-Oak Hill, Apt_4"] {
            has(&format!("map {text}.pdf, home"), text, Label::Street);
        }
        assert_eq!(found("12-oakland, 12_oaken_hall, 112-Oak-Hill-Road"), []);
    }

    #[test]
    fn of_many_values_that_begin_alike_each_is_found_as_by_itself() {
        let hospital =
            |at: usize| (Label::Hospital, format!("University of {} Hospital", ["Zor", "Zorba", "Quell"][at % 3]));
        let number = |at: usize| (Label::MedicalRecord, format!("20240000{:04}{}", at, "7".repeat(at % 4)));
        let values: Vec<_> = (0..60).flat_map(|at| [hospital(at), number(at)]).collect();
        let text = values.iter().enumerate().map(|(at, (_, value))| match at % 5 {
            0 => value.to_lowercase(),
            1 => value.replace(' ', "\n"),
            2 => value.replace("0000", "-0000-"),
            3 => value.replace('0', "O"),
            _ => value.clone(),
        });
        let text = text.collect::<Vec<_>>().join("; ");
        let mut alone: Vec<_> = values.iter().flat_map(|value| spans_of(std::slice::from_ref(value), &text)).collect();
        let mut together = spans_of(&values, &text);
        for spans in [&mut alone, &mut together] {
            spans.sort();
            spans.dedup();
        }
        assert_eq!(together, alone);
        assert!(together.len() > 100, "{}", together.len());
    }

    fn spans_of(values: &[(Label, String)], text: &str) -> Vec<(usize, usize, Label)> {
        let identifiers = values.iter().map(|(label, value)| (*label, value.as_str().into())).collect();
        let mut spans = Vec::new();
        RecordMatcher::new(&PatientRecord { identifiers, ..PatientRecord::default() }).find(text, &mut spans);
        spans.iter().map(|span| (span.start, span.end, span.claims[0].class.label)).collect()
    }

    #[test]
    fn misspelt_names_are_found_however_many_are_known() {
        let mut record = record();
        record.related.extend((0..3000).map(|at| (Label::Patient, format!("Zq{at}a Xq{at}b").into())));
        assert_eq!(found_of(&record, "Kowalcyzk came"), [("Kowalcyzk".to_owned(), Label::Patient)]);
    }

    #[test]
    fn places_and_contacts() {
        has("lives at 12 oak hill rd, apt 4", "12 oak hill rd, apt 4", Label::Street);
        has("Duluth, MN 55802", "Duluth", Label::City);
        has("Duluth, MN 55802", "55802", Label::Zip);
        has("Duluth, MN 55802", "MN", Label::State);
        has("in Itasca County", "Itasca County", Label::LocationOther);
        has("BOB.STRONG@mail.example.org", "BOB.STRONG@mail.example.org", Label::Email);
        has("at great lakes foundry", "great lakes foundry", Label::Organization);
    }

    fn found_of(record: &PatientRecord<'_>, text: &str) -> Vec<(String, Label)> {
        let mut spans = Vec::new();
        RecordMatcher::new(record).find(text, &mut spans);
        unite(spans).iter().map(|span| (text[span.start..span.end].to_owned(), span.leading().class.label)).collect()
    }

    /// Cells of registration hold several values, and what each is for.
    #[test]
    fn a_cell_may_hold_several_numbers() {
        let record = PatientRecord {
            phones: vec!["(H) 617-555-0134; (cell) 806-716-3134".into()],
            emails: vec!["a.quorl@x.org; b.zwal@y.org".into()],
            identifiers: vec![(Label::MedicalRecord, "00417710; 00884412".into())],
            ..PatientRecord::default()
        };
        for value in ["617-555-0134", "806.716.3134", "a.quorl@x.org", "b.zwal@y.org", "00417710", "884412", "00884412"]
        {
            let found = found_of(&record, &format!("on file: {value}, as before"));
            assert_eq!(found.first().map(|(found, _)| found.as_str()), Some(value), "{found:?}");
        }
    }

    #[test]
    fn of_several_names_that_a_word_is_like_the_nearest_counts() {
        let record = PatientRecord {
            family_names: vec!["Ozuk".into()],
            related: vec![(Label::Patient, "Lo Ozua".into())],
            ..PatientRecord::default()
        };
        assert_eq!(found_of(&record, "Ozuc called"), [("Ozuc".to_owned(), Label::Patient)]);
    }

    /// Names of a lost character set, accounts with their domain, roots of identifiers: marks part words elsewhere.
    #[test]
    fn values_with_marks_are_found_as_they_are_written() {
        let record = PatientRecord {
            given_names: vec!["Jos\u{fffd}".into()],
            family_names: vec!["NuÃ±ez".into(), "Mu?oz".into(), "Zqarth/Jonex".into()],
            related: vec![
                (Label::Patient, "Zqib;Xool".into()),
                (Label::Doctor, "L@rsenx, Nat".into()),
                (Label::Doctor, "Qorva/LVN".into()),
            ],
            identifiers: vec![
                (Label::IdNum, "CORP\\jqbar".into()),
                (Label::IdNum, "jqbar@HOST".into()),
                (Label::IdNum, "1.2.840.113619.2.55".into()),
                (Label::IdNum, "3/4".into()),
            ],
            phones: vec!["885.461.ZQAR".into()],
            employer: "AT&Z".into(),
            city: "SÃ£o Zqulo".into(),
            ..PatientRecord::default()
        };
        for (text, value, label) in [
            ("stable today; NuÃ±ez ate lunch", "NuÃ±ez", Label::Patient),
            ("NUÃ±EZ, JOS\u{fffd}", "NUÃ±EZ", Label::Patient),
            ("NUÃ±EZ, JOS\u{fffd}!", "JOS", Label::Patient),
            ("MU?OZ was seen", "MU?OZ", Label::Patient),
            ("ZQARTH, A. and Jonex", "ZQARTH", Label::Patient),
            ("with Xool", "Xool", Label::Patient),
            ("by L@RSENX", "L@RSENX", Label::Doctor),
            ("as corp\\jqbar.", "corp\\jqbar", Label::IdNum),
            ("as jqbar@host", "jqbar@host", Label::IdNum),
            ("uid 1.2.840.113619.2.55.", "1.2.840.113619.2.55", Label::IdNum),
            ("call 885.461.ZQAR", "885.461.ZQAR", Label::Phone),
            ("works for AT&Z", "AT&Z", Label::Organization),
            ("of SÃ£o Zqulo", "SÃ£o Zqulo", Label::City),
        ] {
            let found = found_of(&record, text);
            assert!(found.contains(&(value.to_owned(), label)), "{text}: {found:?}");
        }
        for text in ["strength 3/4", "Mu? oz", "xNuÃ±ez", "ATZ", "called the LVN"] {
            assert_eq!(found_of(&record, text), [], "{text}");
        }
    }

    #[test]
    fn names_whose_accents_are_written_out_are_found() {
        let record = PatientRecord { family_names: vec!["Muñoqar".into()], ..PatientRecord::default() };
        for written in
            ["Mu\\'f1oqar", "Mu\\u00f1oqar", "Mu\\u241?oqar", "Mu=C3=B1oqar", "Mu%C3%B1oqar", "Mu&ntilde;oqar"]
        {
            let text = format!("\\par Seen today: {written}, well.");
            assert_eq!(found_of(&record, &text), [(written.to_owned(), Label::Patient)]);
        }
    }

    #[test]
    fn long_numbers_are_found_however_they_are_parted() {
        let record = PatientRecord {
            identifiers: vec![(Label::Ssn, "513-70-8699".into()), (Label::MedicalRecord, "94471530".into())],
            phones: vec!["885-461-3565".into()],
            birth_date: "1950-12-25".into(),
            ..PatientRecord::default()
        };
        for value in ["513:70:8699", "513*70*8699", "885•461•3565", "9 4 4 7 1 5 3 0", "94,471,530", "1950:12:25"] {
            let found = found_of(&record, &format!("noted {value} today"));
            assert!(found.iter().any(|(found, _)| found == value), "{value}: {found:?}");
        }
        assert_eq!(found_of(&record, "at 12:25:50 and 9 4 4 7 1 5 3 1"), []);
    }

    proptest! {
        #[test]
        fn any_text_gives_sound_spans(text in "\\PC{0,80}|[RrSsOo '.,0-9/-]{0,60}|(Robert|Strong|12|\\n|é|’| |\\.|03/04|1950){0,12}") {
            let mut spans = Vec::new();
            RecordMatcher::new(&record()).find(&text, &mut spans);
            for span in spans {
                prop_assert!(span.start < span.end && text.get(span.start..span.end).is_some());
            }
        }

        #[test]
        fn any_record_makes_a_matcher(value in "\\PC{0,20}", text in "\\PC{0,40}") {
            let value = || Cow::from(value.as_str());
            let record = PatientRecord {
                given_names: vec![value()], family_names: vec![value()], related: vec![(Label::Patient, value())],
                street: value(), city: value(), phones: vec![value()], emails: vec![value()],
                identifiers: vec![(Label::IdNum, value())], birth_date: value(), employer: value(), ..PatientRecord::default()
            };
            let mut spans = Vec::new();
            RecordMatcher::new(&record).find(&text, &mut spans);
            prop_assert!(spans.iter().all(|span| text.get(span.start..span.end).is_some_and(|part| !part.is_empty())));
        }
    }
}
