//! How templates name slots.
//!
//! ```text
//! "DATE.recent.long" ──▶ Slot::Date(When::Recent, DateForm::Long)
//! ```

use super::dates::{DateForm, TimeForm};
use super::person::NameForm;
use super::slot::{AddressPart, AgeForm, Number, Pronoun, SitePart, Slot, When, Who};

impl Slot {
    /// The slot that a template names.
    pub fn parse(name: &str) -> Option<Self> {
        let (head, rest) = name.split_once('.').unwrap_or((name, ""));
        match head {
            "DATE" => {
                let (when, form) = rest.split_once('.').unwrap_or((rest, "any"));
                Some(Self::Date(parse_when(when)?, DateForm::parse(form)?))
            }
            "TIME" => parse_time(rest).map(Self::Time),
            "AGE" => parse_age(rest).map(Self::Age),
            "ADDRESS" => parse_address(rest).map(Self::Address),
            "SITE" => parse_site(rest).map(Self::Site),
            "SURNAME" => Some(Self::Surname),
            "TOWN" => Some(Self::Town),
            _ => parse_who(head)
                .and_then(|who| Self::of_person(who, rest))
                .or_else(|| parse_number(head).map(Self::Number))
                .or_else(|| parse_pronoun(head).map(Self::Pronoun)),
        }
    }

    fn of_person(who: Who, part: &str) -> Option<Self> {
        match part {
            "relation" => Some(Self::Relation(who)),
            "credential" => Some(Self::Credential(who)),
            "user" => Some(Self::Username(who)),
            form => NameForm::parse(form).map(|form| Self::Name(who, form)),
        }
    }

    /// Whether the value depends on more than the patient's sex, so that sentences with it are not shared between patients.
    pub fn is_personal(self) -> bool {
        !matches!(self, Self::Pronoun(_))
    }
}

fn parse_who(name: &str) -> Option<Who> {
    Some(match name {
        "PATIENT" => Who::Patient,
        "KIN" => Who::Kin,
        "KIN2" => Who::OtherKin,
        "FRIEND" => Who::Friend,
        "STRANGER" => Who::Stranger,
        "DOCTOR" => Who::Doctor,
        "CONSULTANT" => Who::Consultant,
        "PCP" => Who::Primary,
        "NURSE" => Who::Nurse,
        "STAFF" => Who::Staff,
        _ => return None,
    })
}

fn parse_when(name: &str) -> Option<When> {
    Some(match name {
        "note" => When::Note,
        "recent" => When::Recent,
        "past" => When::Past,
        "future" => When::Future,
        "birth" => When::Birth,
        "admission" => When::Admission,
        "procedure" => When::Procedure,
        _ => return None,
    })
}

fn parse_time(name: &str) -> Option<TimeForm> {
    Some(match name {
        "" => TimeForm::Any,
        "military" => TimeForm::Military,
        "twelve" => TimeForm::Twelve,
        _ => return None,
    })
}

fn parse_age(name: &str) -> Option<AgeForm> {
    Some(match name {
        "" => AgeForm::Digits,
        "words" => AgeForm::Words,
        "decade" => AgeForm::Decade,
        "kin" => AgeForm::Kin,
        "child" => AgeForm::Child,
        "old" => AgeForm::Old,
        "earlier" => AgeForm::Earlier,
        "earlier_words" => AgeForm::EarlierWords,
        _ => return None,
    })
}

fn parse_address(name: &str) -> Option<AddressPart> {
    Some(match name {
        "street" => AddressPart::Street,
        "city" => AddressPart::City,
        "state" => AddressPart::State,
        "state_name" => AddressPart::StateName,
        "zip" => AddressPart::Zip,
        "county" => AddressPart::County,
        "other_city" => AddressPart::OtherCity,
        "other_state" => AddressPart::OtherState,
        "other_street" => AddressPart::OtherStreet,
        "other_zip" => AddressPart::OtherZip,
        "country" => AddressPart::Country,
        _ => return None,
    })
}

fn parse_site(name: &str) -> Option<SitePart> {
    Some(match name {
        "name" => SitePart::Name,
        "upper" => SitePart::Upper,
        "abbreviation" => SitePart::Abbreviation,
        "other" => SitePart::Other,
        "street" => SitePart::Street,
        "city" => SitePart::City,
        "state" => SitePart::State,
        "zip" => SitePart::Zip,
        "phone" => SitePart::Phone,
        "fax" => SitePart::Fax,
        "domain" => SitePart::Domain,
        _ => return None,
    })
}

fn parse_number(name: &str) -> Option<Number> {
    Some(match name {
        "MRN" => Number::Record,
        "SSN" => Number::SocialSecurity,
        "SSN4" => Number::SocialSecurityEnd,
        "PLAN" => Number::HealthPlan,
        "ACCOUNT" => Number::Account,
        "OTHER_ID" => Number::Other,
        "PHONE" => Number::Phone,
        "PHONE2" => Number::OtherPhone,
        "ANY_PHONE" => Number::AnyPhone,
        "EMAIL" => Number::Email,
        "EMPLOYER" => Number::Employer,
        _ => return None,
    })
}

fn parse_pronoun(name: &str) -> Option<Pronoun> {
    Some(match name {
        "he" => Pronoun::Subject,
        "He" => Pronoun::SubjectCapital,
        "his" => Pronoun::Possessive,
        "His" => Pronoun::PossessiveCapital,
        "him" => Pronoun::Object,
        "man" => Pronoun::Noun,
        "male" => Pronoun::Sex,
        "Mr" => Pronoun::Title,
        "sex_letter" => Pronoun::Letter,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_by_name() {
        assert_eq!(Slot::parse("PATIENT.full"), Some(Slot::Name(Who::Patient, NameForm::Full)));
        assert_eq!(Slot::parse("DATE.recent"), Some(Slot::Date(When::Recent, DateForm::Any)));
        assert_eq!(Slot::parse("DATE.note.iso"), Some(Slot::Date(When::Note, DateForm::Iso)));
        assert_eq!(Slot::parse("he"), Some(Slot::Pronoun(Pronoun::Subject)));
        for unknown in ["", "PATIENT", "PATIENT.fulll", "DATE", "DATE.x", "AGE.", "pain"] {
            assert_eq!(Slot::parse(unknown).filter(|_| unknown != "AGE."), None, "{unknown}");
        }
    }
}
