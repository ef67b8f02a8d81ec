//! What the columns of a table of patients tell. Nothing is passed over because nobody thought of it: a column that no one knows stops the run.
//!
//! ```text
//! family_name ─▶ family_name     last_name ─ --patient-columns family_name=last_name ─▶ family_name
//! dob ─▶ birth_date              gender ─▶ nothing to be sought in notes                  created_at: the run stops
//! ```

use arrow::datatypes::Schema;

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::schema::Preset;

/// Whose a row is.
pub(super) const PATIENT: &str = "patient_id";
/// What a column is called that is passed over.
const UNUSED: &str = "unused";

/// What can be told of a patient, each with the columns that tell it by themselves. Which one names the patient depends on the schema.
const FIELDS: [(&str, &[&str]); 22] = [
    (PATIENT, &[]),
    ("given_name", &["given_name"]),
    ("middle_name", &["middle_name"]),
    ("family_name", &["family_name"]),
    ("maiden_name", &["maiden_name"]),
    ("aliases", &["aliases"]),
    ("kin", &["kin"]),
    ("providers", &["providers"]),
    ("street", &["street"]),
    ("city", &["city"]),
    ("state", &["state"]),
    ("county", &["county"]),
    ("zip", &["zip"]),
    ("country", &["country"]),
    ("phones", &["phones"]),
    ("email", &["email"]),
    ("birth_date", &["birth_date", "birth_datetime", "dob"]),
    ("mrn", &["mrn", "person_source_value"]),
    ("ssn", &["ssn"]),
    ("health_plan_id", &["health_plan_id"]),
    ("other_ids", &["other_ids"]),
    ("employer", &["employer"]),
];

/// The column that names the patient.
const fn patient_column(preset: Preset) -> &'static str {
    match preset {
        Preset::Plainsight => "patient_id",
        Preset::Omop => "person_id",
        Preset::Mimic => "subject_id",
    }
}

/// Columns of a schema, lower case, that hold nothing to be sought in notes: sex, codes of vocabularies, keys of other tables.
const fn unused_columns(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Plainsight => &["sex", "gender"],
        Preset::Omop => &[
            "sex",
            "gender",
            "gender_concept_id",
            "year_of_birth",
            "month_of_birth",
            "day_of_birth",
            "race_concept_id",
            "ethnicity_concept_id",
            "location_id",
            "provider_id",
            "care_site_id",
            "gender_source_value",
            "gender_source_concept_id",
            "race_source_value",
            "race_source_concept_id",
            "ethnicity_source_value",
            "ethnicity_source_concept_id",
        ],
        Preset::Mimic => &["sex", "gender", "row_id", "dod", "dod_hosp", "dod_ssn", "expire_flag"],
    }
}

/// How the columns of a table of patients are called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatientColumns {
    preset: Preset,
    /// Fields and columns that the user names.
    named: Vec<(&'static str, String)>,
}

impl From<Preset> for PatientColumns {
    fn from(preset: Preset) -> Self {
        Self { preset, named: Vec::new() }
    }
}

impl PatientColumns {
    /// Those of a preset, and `field=column` pairs that add to them.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where a pair is none, or two columns would name the patient.
    pub fn new(preset: Preset, pairs: &[String]) -> Result<Self> {
        let named: Vec<_> = pairs.iter().map(|pair| named(pair)).collect::<Result<_>>()?;
        if named.iter().filter(|(field, _)| *field == PATIENT).count() > 1 {
            return Err(CorpusError::configuration(
                format!("--patient-columns names two columns for {PATIENT}"),
                "one column says whose a row is",
            ));
        }
        Ok(Self { preset, named })
    }

    /// What the columns of a table tell, by their places in it.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where a column is named that is not there, or there is one that nobody knows; [`CorpusError::Input`] where
    /// none names the patient.
    pub(super) fn of_table(&self, schema: &Schema, location: &str) -> Result<Vec<(&'static str, usize)>> {
        self.check_names(schema)?;
        let (mut fields, mut unknown) = (Vec::new(), Vec::new());
        for (place, column) in schema.fields().iter().enumerate() {
            match self.fields_of(column.name()) {
                Some(told) => fields.extend(told.into_iter().map(|field| (field, place))),
                None => unknown.push(column.name().as_str()),
            }
        }
        if fields.iter().all(|(field, _)| *field != PATIENT) {
            let column = patient_column(self.preset);
            return Err(CorpusError::input(
                location,
                format!(
                    "there is no column `{column}` that names the patient; `--patient-columns {PATIENT}=NAME` names another, --schema another schema"
                ),
            ));
        }
        if unknown.is_empty() {
            return Ok(fields);
        }
        Err(CorpusError::configuration(
            format!("nobody knows what these columns of --patients tell: {}", unknown.join(", ")),
            "say it, as in `--patient-columns family_name=last_name,unused=created_at`, or choose the --schema of the data",
        ))
    }

    /// What a column tells: nothing where it is passed over; none where nobody knows it.
    fn fields_of(&self, column: &str) -> Option<Vec<&'static str>> {
        let is_column = |name: &str| name.eq_ignore_ascii_case(column);
        let named: Vec<_> = self.named.iter().filter(|(_, name)| is_column(name)).map(|(field, _)| *field).collect();
        if !named.is_empty() {
            return Some(named.into_iter().filter(|field| *field != UNUSED).collect());
        }
        if is_column(patient_column(self.preset)) && self.named.iter().all(|(field, _)| *field != PATIENT) {
            return Some(vec![PATIENT]);
        }
        let known = FIELDS.iter().find(|(_, columns)| columns.iter().any(|name| is_column(name)));
        match known {
            Some((field, _)) => Some(vec![*field]),
            None => unused_columns(self.preset).iter().any(|name| is_column(name)).then(Vec::new),
        }
    }

    /// A name that no column has is a mistake, never nothing to do.
    fn check_names(&self, schema: &Schema) -> Result<()> {
        let exists = |name: &str| schema.fields().iter().any(|field| field.name().eq_ignore_ascii_case(name));
        let missing: Vec<_> = self.named.iter().map(|(_, name)| name.as_str()).filter(|name| !exists(name)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let there: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        Err(CorpusError::configuration(
            format!("--patients has no column {}", missing.join(", ")),
            format!("the columns are {}", there.join(", ")),
        ))
    }
}

/// One `field=column` pair.
fn named(pair: &str) -> Result<(&'static str, String)> {
    let known = FIELDS.iter().map(|(field, _)| *field).chain([UNUSED]);
    let found = pair.split_once('=').and_then(|(field, column)| {
        let field = known.clone().find(|known| *known == field.trim())?;
        Some((field, column.trim().to_owned()))
    });
    found.filter(|(_, column)| !column.is_empty()).ok_or_else(|| {
        CorpusError::configuration(
            format!("`{pair}` is no `field=column` pair of --patient-columns"),
            format!("fields are {}", known.collect::<Vec<_>>().join(", ")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::{DataType, Field};

    fn fields(preset: Preset, pairs: &[&str], columns: &[&str]) -> Result<Vec<(&'static str, usize)>> {
        let pairs: Vec<_> = pairs.iter().map(ToString::to_string).collect();
        let columns = columns.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect::<Vec<_>>();
        PatientColumns::new(preset, &pairs)?.of_table(&Schema::new(columns), "patients")
    }

    #[test]
    fn what_nobody_knows_stops_the_run() {
        let columns = ["PATIENT_ID", "first_name", "last_name", "town", "Sex"];
        let message = fields(Preset::Plainsight, &[], &columns).unwrap_err().to_string();
        assert!(message.contains("first_name, last_name, town") && message.contains("--patient-columns"), "{message}");
        let pairs = ["given_name=first_name", " family_name = LAST_NAME", "unused=town"];
        let found = fields(Preset::Plainsight, &pairs, &columns).unwrap();
        assert_eq!(found, [(PATIENT, 0), ("given_name", 1), ("family_name", 2)]);
    }

    #[test]
    fn columns_of_known_schemas_are_known() {
        let person = ["person_id", "gender_concept_id", "year_of_birth", "birth_datetime", "person_source_value"];
        assert_eq!(fields(Preset::Omop, &[], &person).unwrap(), [(PATIENT, 0), ("birth_date", 3), ("mrn", 4)]);
        let patients = ["ROW_ID", "SUBJECT_ID", "GENDER", "DOB", "DOD", "DOD_HOSP", "DOD_SSN", "EXPIRE_FLAG"];
        assert_eq!(fields(Preset::Mimic, &[], &patients).unwrap(), [(PATIENT, 1), ("birth_date", 3)]);
        assert!(fields(Preset::Plainsight, &[], &person).unwrap_err().to_string().contains("`patient_id`"));
        assert!(fields(Preset::Plainsight, &[], &["patient_id", "dod"]).unwrap_err().is_usage());
    }

    #[test]
    fn several_columns_may_tell_one_thing_but_one_names_the_patient() {
        let pairs = ["patient_id=mrn", "mrn=mrn", "phones=home", "phones=work"];
        let found = fields(Preset::Plainsight, &pairs, &["mrn", "home", "work"]).unwrap();
        assert_eq!(found, [(PATIENT, 0), ("mrn", 0), ("phones", 1), ("phones", 2)]);
        let left = fields(Preset::Plainsight, &["patient_id=id"], &["id", "patient_id"]).unwrap_err().to_string();
        assert!(left.contains(": patient_id"), "{left}");
        for pairs in [&["patient_id=a", "patient_id=b"][..], &["name=a"], &["mrn"], &["mrn="], &["mrn=nowhere"]] {
            assert!(fields(Preset::Plainsight, pairs, &["a", "b"]).unwrap_err().is_usage(), "{pairs:?}");
        }
    }
}
