//! What a template can ask of the patient, the staff and the visit.
//!
//! ```text
//! {PATIENT.full}  {KIN.first}  {DOCTOR.last_first_upper}  {DATE.recent.long}  {TIME.twelve}  {MRN}  {he}
//! ```

use super::dates::{DateForm, TimeForm};
use super::person::NameForm;

/// Whose name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The patient.
    Patient,
    /// The member of the family this note speaks of.
    Kin,
    /// Another member of the family.
    OtherKin,
    /// A private person whom no record lists; the same one throughout the note.
    Friend,
    /// A private person drawn afresh at each use.
    Stranger,
    /// The author of the note.
    Doctor,
    /// Another of the patient's providers.
    Consultant,
    /// The patient's regular provider.
    Primary,
    /// A nurse, the same throughout the note.
    Nurse,
    /// A member of staff drawn afresh at each use.
    Staff,
}

/// Which day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// The day of the note.
    Note,
    /// One to sixty days before it, any at each use.
    Recent,
    /// One to fifteen years before it, any at each use.
    Past,
    /// Three days to half a year after it, any at each use.
    Future,
    /// The patient's birth.
    Birth,
    /// The admission: the same day throughout the note.
    Admission,
    /// The operation or procedure: the same day throughout the note.
    Procedure,
}

/// A way to write an age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgeForm {
    /// The patient's, in digits (`67`).
    Digits,
    /// The patient's, in words (`sixty-seven`).
    Words,
    /// The patient's decade (`60s`).
    Decade,
    /// Of a grown-up member of the family.
    Kin,
    /// Of a child.
    Child,
    /// Over 89.
    Old,
    /// An earlier age of the patient.
    Earlier,
    /// The earlier age in words.
    EarlierWords,
}

/// A value to be filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A person's name: PATIENT or DOCTOR.
    Name(Who, NameForm),
    /// How the person is related (not protected): `daughter`.
    Relation(Who),
    /// Letters after a provider's name (not protected): `MD`.
    Credential(Who),
    /// A sign-on code.
    Username(Who),
    /// A day.
    Date(When, DateForm),
    /// A clock time; that of the note, or any.
    Time(TimeForm),
    /// An age.
    Age(AgeForm),
    /// A part of the patient's address.
    Address(AddressPart),
    /// The care site of the note, or of its address.
    Site(SitePart),
    /// A number of the patient's record.
    Number(Number),
    /// A family name as part of another name (not protected by itself).
    Surname,
    /// A town as part of another name (not protected by itself).
    Town,
    /// A word that agrees with the patient's sex (not protected).
    Pronoun(Pronoun),
}

/// A part of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressPart {
    /// House number and street.
    Street,
    /// Town.
    City,
    /// Two letters.
    State,
    /// The state's name.
    StateName,
    /// Five or nine digits.
    Zip,
    /// County, with the word `County`.
    County,
    /// A town elsewhere, any at each use.
    OtherCity,
    /// A state elsewhere, any at each use.
    OtherState,
    /// A street elsewhere, any at each use.
    OtherStreet,
    /// A postal code elsewhere.
    OtherZip,
    /// The country of birth.
    Country,
}

/// A part of a care site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitePart {
    /// The name.
    Name,
    /// The name in capitals.
    Upper,
    /// Its initials.
    Abbreviation,
    /// Another site, any at each use.
    Other,
    /// Street.
    Street,
    /// Town.
    City,
    /// Two letters.
    State,
    /// Postal code.
    Zip,
    /// Telephone.
    Phone,
    /// Fax.
    Fax,
    /// The domain of its web pages, as part of an address.
    Domain,
}

/// A number or address of the patient's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Record number.
    Record,
    /// Social security number.
    SocialSecurity,
    /// Its last four digits.
    SocialSecurityEnd,
    /// Health-plan member number.
    HealthPlan,
    /// Account of this visit.
    Account,
    /// Another id in the record.
    Other,
    /// First telephone.
    Phone,
    /// Another telephone.
    OtherPhone,
    /// Any telephone, drawn at each use.
    AnyPhone,
    /// E-mail address.
    Email,
    /// Employer.
    Employer,
}

/// Words that agree with the patient's sex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pronoun {
    /// he
    Subject,
    /// He
    SubjectCapital,
    /// his
    Possessive,
    /// His
    PossessiveCapital,
    /// him
    Object,
    /// man
    Noun,
    /// male
    Sex,
    /// Mr.
    Title,
    /// M
    Letter,
}
