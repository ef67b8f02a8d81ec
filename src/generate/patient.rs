//! The row that a structured record holds of one patient.
//!
//! ```text
//! PT58102347  Rose  Ann  Brown-Vang  F  1952-03-04  210 W 4th St  Cedar Falls  IA  …
//! ```

use chrono::NaiveDate;

/// One row of the structured record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patient {
    /// Unique: `PT` and eight digits.
    pub patient_id: String,
    /// Given name.
    pub given_name: String,
    /// Middle name.
    pub middle_name: Option<String>,
    /// Family name, with particle and hyphen, without suffix.
    pub family_name: String,
    /// Family name at birth.
    pub maiden_name: Option<String>,
    /// Other names in use.
    pub aliases: Vec<String>,
    /// `F` or `M`.
    pub sex: &'static str,
    /// Day of birth.
    pub birth_date: NaiveDate,
    /// House number and street.
    pub street: String,
    /// Town.
    pub city: String,
    /// Two letters.
    pub state: String,
    /// County, without the word.
    pub county: String,
    /// Five or nine digits.
    pub zip: String,
    /// Country of residence.
    pub country: String,
    /// Telephone numbers as they are written.
    pub phones: Vec<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Record number.
    pub mrn: String,
    /// Social security number with hyphens.
    pub ssn: String,
    /// Member number of the health plan.
    pub health_plan_id: String,
    /// Other unique numbers.
    pub other_ids: Vec<String>,
    /// Members of the family, given and family name.
    pub kin: Vec<String>,
    /// The patient's providers, given and family name.
    pub providers: Vec<String>,
    /// Employer.
    pub employer: Option<String>,
}
