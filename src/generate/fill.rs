//! Fills the slots of a template from the scene.
//!
//! ```text
//! {DOCTOR.last} ──▶ "Brown", marked DOCTOR        {he} ──▶ "she", not marked
//! ```

use std::fmt::Write;

use chrono::{NaiveDateTime, Timelike};

use super::contact::{company, phone_number};
use super::dates::{DateForm, TimeForm, write_date, write_time};
use super::person::{NameForm, Person, invented_word};
use super::random::Random;
use super::record::staff_member;
use super::site::{site_name, street_line, zip_code};
use super::slot::{AddressPart, AgeForm, Number, SitePart, Slot, When, Who};
use super::tables::Tables;
use super::wording::{in_words, pronoun_of};
use super::writer::Writer;
use crate::phi::Label;

impl Writer<'_> {
    /// Writes a slot's value and marks it.
    pub fn slot(&mut self, slot: Slot) {
        match slot {
            Slot::Name(who, form) => self.name(who, form),
            Slot::Relation(who) => {
                let relation = self.scene.relative(self.cast, who).map_or("friend", |relative| relative.relation);
                self.value(None, |text, _| text.push_str(relation));
            }
            Slot::Credential(who) => self.credential(who),
            Slot::Username(who) => self.username(who),
            Slot::Date(when, form) => self.date(when, form),
            Slot::Time(form) => self.time(form),
            Slot::Age(form) => self.age(form),
            Slot::Address(part) => self.address(part),
            Slot::Site(part) => self.site(part),
            Slot::Number(number) => self.number(number),
            Slot::Surname => {
                let invented = self.scene.invented;
                self.value(None, |text, random| match invented {
                    true => text.push_str(&invented_word("Zq", random)),
                    false => text.push_str(Tables::shared().surname(random)),
                });
            }
            Slot::Town => self.value(None, |text, random| text.push_str(Tables::shared().town(random).0)),
            Slot::Pronoun(pronoun) => {
                let word = pronoun_of(pronoun, self.scene.record.person.female);
                self.value(None, |text, _| text.push_str(word));
            }
        }
    }

    fn name(&mut self, who: Who, form: NameForm) {
        let (scene, cast) = (self.scene, self.cast);
        let label = match who {
            Who::Patient | Who::Kin | Who::OtherKin | Who::Friend | Who::Stranger => Label::Patient,
            Who::Doctor | Who::Consultant | Who::Primary | Who::Nurse | Who::Staff => Label::Doctor,
        };
        self.value(Some(label), |text, random| match scene.person(cast, who) {
            Some(person) => person.write(form, text),
            None if who == Who::Staff => staff_member(scene.seed, scene.invented, random).write(form, text),
            None => Person::draw(random.chance(500), scene.invented, random).write(form, text),
        });
    }

    fn credential(&mut self, who: Who) {
        let credentials: &[&str] = match who {
            Who::Nurse => &["RN", "RN", "LPN", "RN, BSN", "CMA", "MA"],
            _ => &["MD", "MD", "MD", "DO", "PA-C", "NP", "M.D.", "MD, PhD", "APRN, CNP"],
        };
        // A person's letters do not change within a note.
        let place = self.scene.person(self.cast, who).map_or(0, |person| person.given.len() + person.family.len());
        let credential = credentials[place % credentials.len()];
        self.value(None, |text, _| text.push_str(credential));
    }

    fn username(&mut self, who: Who) {
        let person = self.scene.person(self.cast, who);
        let invented = self.scene.invented;
        self.value(Some(Label::Username), |text, random| {
            if invented {
                text.push_str("zqx");
            }
            let plain = |name: &str| {
                name.chars().filter(char::is_ascii_alphabetic).flat_map(char::to_lowercase).collect::<String>()
            };
            let (given, family) = person
                .map_or(("x".to_owned(), "staff".to_owned()), |person| (plain(&person.given), plain(&person.family)));
            let initial = given.get(..1).unwrap_or("x");
            let _ = match random.below(3) {
                0 => write!(text, "{initial}{}{}", family.get(..5).unwrap_or(&family), random.between(1, 99)),
                1 => write!(text, "{initial}{family}"),
                _ => write!(text, "{}{initial}{:02}", family.get(..3).unwrap_or(&family), random.between(1, 99)),
            };
        });
    }

    fn date(&mut self, when: When, form: DateForm) {
        let (scene, cast) = (self.scene, self.cast);
        self.value(Some(Label::Date), |text, random| {
            // A day long past is never told without its year.
            let form = if form == DateForm::Any && matches!(when, When::Past | When::Birth) {
                random
                    .pick(&[
                        DateForm::Numeric,
                        DateForm::Brief,
                        DateForm::Long,
                        DateForm::Month,
                        DateForm::Year,
                        DateForm::Numeric,
                    ])
                    .copied()
                    .unwrap_or(form)
            } else {
                form
            };
            write_date(cast.day(when, &scene.record, random), form, random, text);
        });
    }

    fn time(&mut self, form: TimeForm) {
        let moment = self.cast.moment;
        self.value(Some(Label::Time), |text, random| {
            write_time(shifted(moment, random), form, random, text);
        });
    }

    fn age(&mut self, form: AgeForm) {
        let age = self.cast.age(&self.scene.record);
        self.value(Some(Label::Age), |text, random| {
            let number = match form {
                AgeForm::Digits | AgeForm::Words | AgeForm::Decade => age,
                AgeForm::Kin => random.between(22, 89),
                AgeForm::Child => random.between(1, 17),
                AgeForm::Old => random.between(90, 103),
                AgeForm::Earlier | AgeForm::EarlierWords => random.between((age / 4).max(1), age.max(1)),
            };
            let _ = match form {
                AgeForm::Words | AgeForm::EarlierWords => write!(text, "{}", in_words(number)),
                AgeForm::Decade if number < 20 => write!(text, "teens"),
                AgeForm::Decade => write!(text, "{}s", number / 10 * 10),
                _ => write!(text, "{number}"),
            };
        });
    }

    fn address(&mut self, part: AddressPart) {
        let scene = self.scene;
        let record = &scene.record;
        let tables = Tables::shared();
        let label = match part {
            AddressPart::Street | AddressPart::OtherStreet => Label::Street,
            AddressPart::City | AddressPart::OtherCity => Label::City,
            AddressPart::State | AddressPart::StateName | AddressPart::OtherState => Label::State,
            AddressPart::Zip | AddressPart::OtherZip => Label::Zip,
            AddressPart::County => Label::LocationOther,
            AddressPart::Country => Label::Country,
        };
        self.value(Some(label), |text, random| match part {
            AddressPart::Street => text.push_str(&record.street),
            AddressPart::City => text.push_str(&record.city),
            AddressPart::State => text.push_str(record.state.code),
            AddressPart::StateName => text.push_str(record.state.name),
            AddressPart::Zip => text.push_str(&record.zip),
            AddressPart::County => {
                let _ = write!(text, "{} County", record.county);
            }
            AddressPart::OtherCity => text.push_str(tables.town(random).0),
            AddressPart::OtherState => text.push_str(tables.town(random).1.name),
            AddressPart::OtherStreet => text.push_str(&street_line(random)),
            AddressPart::OtherZip => text.push_str(&zip_code(record.state, random)),
            AddressPart::Country => text.push_str(record.birth_country),
        });
    }

    fn site(&mut self, part: SitePart) {
        let site = &self.scene.record.site;
        let label = match part {
            SitePart::Name | SitePart::Upper | SitePart::Abbreviation | SitePart::Other => Some(Label::Hospital),
            SitePart::Street => Some(Label::Street),
            SitePart::City => Some(Label::City),
            SitePart::State => Some(Label::State),
            SitePart::Zip => Some(Label::Zip),
            SitePart::Phone => Some(Label::Phone),
            SitePart::Fax => Some(Label::Fax),
            SitePart::Domain => None,
        };
        self.value(label, |text, random| match part {
            SitePart::Name => text.push_str(&site.name),
            SitePart::Upper => text.push_str(&site.name.to_uppercase()),
            SitePart::Abbreviation => text.push_str(&site.abbreviation()),
            SitePart::Other => text.push_str(&site_name(None, random)),
            SitePart::Street => text.push_str(&site.street),
            SitePart::City => text.push_str(site.city),
            SitePart::State => text.push_str(site.state.code),
            SitePart::Zip => text.push_str(&site.zip),
            SitePart::Phone => text.push_str(&site.phone),
            SitePart::Fax => text.push_str(&site.fax),
            SitePart::Domain => text.push_str(&site.domain),
        });
    }

    fn number(&mut self, number: Number) {
        let scene = self.scene;
        let record = &scene.record;
        let label = match number {
            Number::Record => Label::MedicalRecord,
            Number::SocialSecurity | Number::SocialSecurityEnd => Label::Ssn,
            Number::HealthPlan => Label::HealthPlan,
            Number::Account => Label::Account,
            Number::Other => Label::IdNum,
            Number::Phone | Number::OtherPhone | Number::AnyPhone => Label::Phone,
            Number::Email => Label::Email,
            Number::Employer => Label::Organization,
        };
        self.value(Some(label), |text, random| match number {
            Number::Record => text.push_str(&record.mrn),
            Number::SocialSecurity => text.push_str(&record.ssn),
            Number::SocialSecurityEnd => text.push_str(&record.ssn[record.ssn.len().saturating_sub(4)..]),
            Number::HealthPlan => text.push_str(&record.health_plan_id),
            Number::Account => text.push_str(&scene.account),
            Number::Other => text.push_str(record.other_ids.first().unwrap_or(&scene.account)),
            Number::Phone => text.extend(record.phones.first().map(String::as_str)),
            Number::OtherPhone => text.extend(record.phones.last().map(String::as_str)),
            Number::AnyPhone => {
                let area = random.between(201, 989);
                text.push_str(&phone_number(area, random));
            }
            Number::Email => match &record.email {
                Some(email) => text.push_str(email),
                None => {
                    let _ = write!(text, "frontdesk{}@{}", random.between(1, 99), record.site.domain);
                }
            },
            Number::Employer => match &record.employer {
                Some(employer) => text.push_str(employer),
                None => text.push_str(&company(random)),
            },
        });
    }
}

/// A moment of the same day.
fn shifted(moment: NaiveDateTime, random: &mut Random) -> NaiveDateTime {
    let minutes = (moment.hour() * 60 + moment.minute() + random.below(240) as u32) % (24 * 60);
    moment.with_hour(minutes / 60).and_then(|moment| moment.with_minute(minutes % 60)).unwrap_or(moment)
}
