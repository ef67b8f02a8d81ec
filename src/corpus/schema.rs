//! The role of every column: what is de-identified, shifted, turned into a pseudonym, kept or dropped.
//!
//! ```text
//! note_id ── note ─▶ pseudonym          text, comment ── text ─▶ de-identified
//! patient_id ─ patient ─▶ pseudonym     note_datetime ── date ─▶ shifted with its patient
//! site= (a partition) ── id ─▶ pseudonym     mrn ── MEDICALRECORD ─▶ as in that patient's notes
//! note_type ── keep                          anything else: the run stops
//! ```
//!
//! Roles are found by name, without regard to case, first in `--keep-columns` and `--drop-columns`, then in `--columns`, then
//! in the preset. A column that none of them names stops the run: nothing passes because nobody thought of it.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, Schema};

use serde::{Deserialize, Serialize};

use super::error::{CorpusError, Result};
use super::source::is_json;
use crate::phi::{Class, Label};

/// What happens to a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Free text: de-identified. There may be several.
    Text,
    /// A date or timestamp: shifted with its patient.
    Date,
    /// An identifier: a keyed pseudonym.
    Id,
    /// The identifier of the note: a keyed pseudonym, and the name of the note in results.
    Note,
    /// The identifier of the patient: a keyed pseudonym, and what surrogates are consistent within.
    Patient,
    /// A value of a class: replaced as it is in that patient's notes.
    Mapped(Class),
    /// Passed on as it is.
    Keep,
    /// Left out.
    Drop,
}

/// Column roles of a known schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Preset {
    /// What `plainsight generate` writes.
    #[default]
    Plainsight,
    /// The NOTE and PERSON tables of the OMOP common data model, version 5.4.
    Omop,
    /// The NOTEEVENTS and PATIENTS tables of MIMIC-III.
    Mimic,
}

impl Preset {
    /// The roles of the schema's columns, lower case.
    pub const fn roles(self) -> &'static [(&'static str, Role)] {
        use Role::{Date, Id, Keep, Note, Patient, Text};
        match self {
            Self::Plainsight => &[
                ("note_id", Note),
                ("patient_id", Patient),
                ("encounter_id", Id),
                ("note_type", Keep),
                ("note_datetime", Date),
                ("text", Text),
            ],
            Self::Omop => &[
                ("note_id", Note),
                ("person_id", Patient),
                ("note_date", Date),
                ("note_datetime", Date),
                ("note_type_concept_id", Keep),
                ("note_class_concept_id", Keep),
                ("note_title", Text),
                ("note_text", Text),
                ("encoding_concept_id", Keep),
                ("language_concept_id", Keep),
                ("provider_id", Id),
                ("visit_occurrence_id", Id),
                ("visit_detail_id", Id),
                ("note_source_value", Text),
                ("note_event_id", Id),
                ("note_event_field_concept_id", Keep),
            ],
            Self::Mimic => &[
                ("row_id", Note),
                ("subject_id", Patient),
                ("hadm_id", Id),
                ("chartdate", Date),
                ("charttime", Date),
                ("storetime", Date),
                ("category", Keep),
                ("description", Text),
                ("cgid", Id),
                ("iserror", Keep),
                ("text", Text),
            ],
        }
    }
}

/// What the user says about columns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnOptions {
    /// The preset that is asked last.
    pub preset: Preset,
    /// `role=column` pairs.
    pub columns: Vec<(Role, String)>,
    /// Columns that pass as they are.
    pub keep: Vec<String>,
    /// Columns that are left out.
    pub drop: Vec<String>,
    /// The column of the note's day, near which dates without a year in its text are.
    pub anchor: Option<String>,
}

impl ColumnOptions {
    /// Understands one `label=column` pair of `--map-columns`.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where it is none.
    pub fn mapped(text: &str) -> Result<(Role, String)> {
        let class = |label: &str| label.trim().parse::<Class>().ok();
        let pair = text.split_once('=').and_then(|(label, column)| Some((class(label)?, column.trim())));
        match pair {
            Some((class, _)) if class.label == Label::Time => Err(CorpusError::configuration(
                "a TIME is left as it is, so no column can be mapped as one",
                "a column of timestamps is a date: `--columns date=NAME`; clock times may be kept: `--keep-columns`",
            )),
            Some((class, column)) => Ok((Role::Mapped(class), column.to_owned())),
            None => Err(CorpusError::configuration(
                format!("`{text}` is no `label=column` pair"),
                "labels are those of i2b2-2014, as in `--map-columns MEDICALRECORD=mrn,PATIENT=patient_name`",
            )),
        }
    }

    /// Understands one `role=column` pair of `--columns`.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where it is none.
    pub fn pair(text: &str) -> Result<(Role, String)> {
        let fail = || {
            CorpusError::configuration(
                format!("`{text}` is no `role=column` pair"),
                "roles are text, date, id, note and patient, as in `--columns text=note_text,id=row_id`",
            )
        };
        let (role, column) = text.split_once('=').ok_or_else(fail)?;
        let role = match role.trim() {
            "text" => Role::Text,
            "date" => Role::Date,
            "id" => Role::Id,
            "note" => Role::Note,
            "patient" => Role::Patient,
            _ => return Err(fail()),
        };
        Ok((role, column.trim().to_owned()))
    }
}

/// A column with its role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name, as in the data.
    pub name: String,
    /// What happens to it.
    pub role: Role,
    /// Its type in the data.
    pub data_type: DataType,
    /// Whether it is a Hive partition, so that its values stand in folder names.
    pub partition: bool,
}

/// The columns of a table of notes, each with its role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    all: Vec<Column>,
    note: Option<usize>,
    patient: Option<usize>,
    anchor: Option<usize>,
}

impl Columns {
    /// Gives every column its role.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where a column has no role, a named column does not exist, there is no text column, the
    /// note or patient is named twice, or a column's type does not fit its role.
    pub fn resolve(schema: &Schema, partitions: &[String], options: &ColumnOptions) -> Result<Self> {
        check_names(schema, partitions, options)?;
        let files = schema.fields().iter().map(|field| {
            // Lists and objects, whatever keys each has.
            let data_type = if is_json(field) { DataType::Struct(Fields::empty()) } else { bare(field.data_type()) };
            (field.name().as_str(), data_type, false)
        });
        let folders = partitions.iter().map(|name| (name.as_str(), DataType::Utf8, true));
        let mut columns = Self { all: Vec::new(), note: None, patient: None, anchor: None };
        let mut unknown = Vec::new();
        for (name, data_type, partition) in files.chain(folders) {
            match role_of(name, partition, options) {
                Some(role) => columns.all.push(Column { name: name.to_owned(), role, data_type, partition }),
                None => unknown.push(name.to_owned()),
            }
        }
        if !unknown.is_empty() {
            return Err(CorpusError::configuration(
                format!("no role is known for these columns: {}", unknown.join(", ")),
                "name each in --columns, --keep-columns or --drop-columns, or choose the --schema of the data",
            ));
        }
        // A column that is dropped or kept still says whose the note is.
        columns.note = columns.position(Role::Note, options)?;
        columns.patient = columns.position(Role::Patient, options)?;
        let is_anchor = |column: &Column| options.anchor.as_ref().is_some_and(|name| is_name(name, &column.name));
        columns.anchor = columns.all.iter().position(is_anchor);
        columns.check()?;
        Ok(columns)
    }

    fn position(&self, role: Role, options: &ColumnOptions) -> Result<Option<usize>> {
        let named = |column: &Column| named_role(&column.name, options) == Some(role);
        let mut places = (0..self.all.len()).filter(|&place| named(&self.all[place]));
        match (places.next(), places.next()) {
            (Some(_), Some(_)) => Err(CorpusError::configuration(
                format!("more than one column has the role `{}`", format!("{role:?}").to_lowercase()),
                "give the others the role `id`",
            )),
            (place, _) => Ok(place),
        }
    }

    /// Every column in order, partitions last.
    pub fn iter(&self) -> impl Iterator<Item = &Column> {
        self.all.iter()
    }

    /// The columns of a role.
    pub fn of(&self, role: Role) -> impl Iterator<Item = &Column> {
        self.all.iter().filter(move |column| column.role == role)
    }

    /// The column that names the note.
    pub fn note(&self) -> Option<&Column> {
        self.note.map(|place| &self.all[place])
    }

    /// The column that names the patient.
    pub fn patient(&self) -> Option<&Column> {
        self.patient.map(|place| &self.all[place])
    }

    /// The column of the note's day, where dates without a year follow it.
    pub fn anchor(&self) -> Option<&Column> {
        self.anchor.map(|place| &self.all[place])
    }

    fn check(&self) -> Result<()> {
        if let Some(anchor) = self.anchor()
            && (anchor.partition
                || matches!(anchor.role, Role::Text | Role::Drop)
                || !fits(Role::Date, &anchor.data_type))
        {
            return Err(CorpusError::configuration(
                format!("column `{}` cannot be the anchor", anchor.name),
                "the anchor is the date of the note: a column of dates, timestamps or strings that is not dropped",
            ));
        }
        // Kept or dropped, they say whose a note is, and which.
        if let Some(column) = self.note().into_iter().chain(self.patient()).find(|column| column.data_type.is_nested())
        {
            return Err(CorpusError::configuration(
                format!("column `{}` names notes or patients, and holds lists or objects", column.name),
                "name the column of their identifiers in --columns, as note=NAME and patient=NAME",
            ));
        }
        if self.of(Role::Text).next().is_none() {
            return Err(CorpusError::configuration(
                "there is no text column",
                "name it with `--columns text=NAME`, or choose the --schema of the data",
            ));
        }
        let mut names: Vec<_> = self.all.iter().map(|column| column.name.to_lowercase()).collect();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(CorpusError::configuration(
                format!("there are two columns `{}`", pair[0]),
                "rename one in the data",
            ));
        }
        let kept = self.all.iter().filter(|column| column.role != Role::Drop);
        if let Some(name) = kept.map(|column| &column.name).find(|name| name.starts_with("__")) {
            return Err(CorpusError::configuration(
                format!("column `{name}` begins with two underscores, as internal ones do"),
                "leave it out with --drop-columns, or rename it in the data",
            ));
        }
        if let Some(column) = self
            .all
            .iter()
            .find(|column| column.partition && matches!(column.role, Role::Text | Role::Date | Role::Mapped(_)))
        {
            return Err(CorpusError::configuration(
                format!(
                    "partition `{}` cannot be text, a date or mapped: the rows of a folder would part",
                    column.name
                ),
                "keep it, drop it, or let it be an id",
            ));
        }
        match self.all.iter().find(|column| !fits(column.role, &column.data_type)) {
            None => Ok(()),
            Some(column) => Err(CorpusError::configuration(
                format!("column `{}` of type {} cannot have {}", column.name, column.data_type, told(column.role)),
                match column.data_type.is_floating() {
                    true => {
                        "whole numbers that were written as floats, as pandas does where some are null, are ids once they are integers: astype('Int64')"
                    }
                    false => {
                        "text takes strings; date takes dates, timestamps and strings; ids and mapped columns take strings and integers"
                    }
                },
            )),
        }
    }
}

fn told(role: Role) -> String {
    match role {
        Role::Mapped(class) => format!("values of {class}"),
        role => format!("the role {role:?}"),
    }
}

/// Whether a type holds strings, coded or not.
pub fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, value) => is_text(value),
        other => matches!(other, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View),
    }
}

fn fits(role: Role, data_type: &DataType) -> bool {
    let text = is_text(data_type) || *data_type == DataType::Null;
    match role {
        Role::Keep | Role::Drop => true,
        Role::Text => text || matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView),
        Role::Date => text || matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(_, _)),
        Role::Id | Role::Note | Role::Patient | Role::Mapped(_) => text || data_type.is_integer(),
    }
}

fn is_name(other: &str, name: &str) -> bool {
    other.trim().eq_ignore_ascii_case(name)
}

fn is_named(list: &[String], name: &str) -> bool {
    list.iter().any(|other| is_name(other, name))
}

/// The role that the user's pairs or the preset give a column, kept and dropped columns included.
fn named_role(name: &str, options: &ColumnOptions) -> Option<Role> {
    let paired = options.columns.iter().find(|(_, other)| other.eq_ignore_ascii_case(name)).map(|&(role, _)| role);
    paired.or_else(|| {
        options.preset.roles().iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|&(_, role)| role)
    })
}

fn role_of(name: &str, partition: bool, options: &ColumnOptions) -> Option<Role> {
    if is_named(&options.drop, name) {
        return Some(Role::Drop);
    }
    if is_named(&options.keep, name) {
        return Some(Role::Keep);
    }
    named_role(name, options).or(partition.then_some(Role::Id))
}

/// A name that no column has is a mistake, never nothing to do.
fn check_names(schema: &Schema, partitions: &[String], options: &ColumnOptions) -> Result<()> {
    let exists = |name: &str| {
        schema.fields().iter().any(|field| field.name().eq_ignore_ascii_case(name))
            || partitions.iter().any(|partition| partition.eq_ignore_ascii_case(name))
    };
    let listed = options.keep.iter().chain(&options.drop).chain(&options.anchor);
    let named = options.columns.iter().map(|(_, name)| name).chain(listed);
    let missing: Vec<_> = named.filter(|name| !exists(name.trim())).cloned().collect();
    if missing.is_empty() {
        return check_contradictions(options);
    }
    let there: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .chain(partitions.iter().map(String::as_str))
        .collect();
    Err(CorpusError::configuration(
        format!("there is no column {}", missing.join(", ")),
        format!("the columns are {}", there.join(", ")),
    ))
}

/// A column in two lists is a mistake: nobody can say which was meant.
fn check_contradictions(options: &ColumnOptions) -> Result<()> {
    let fail =
        |name: &str, what: &str| Err(CorpusError::configuration(format!("column `{name}` is {what}"), "name it once"));
    if let Some(name) = options.keep.iter().find(|name| is_named(&options.drop, name.trim())) {
        return fail(name, "both kept and dropped");
    }
    for (place, (role, name)) in options.columns.iter().enumerate() {
        if matches!(role, Role::Text | Role::Date | Role::Mapped(_)) && is_named(&options.keep, name.trim()) {
            return fail(name, "both kept and to be replaced");
        }
        let by_schema = options.preset.roles().iter().find(|(other, _)| is_name(other, name)).map(|&(_, role)| role);
        let is_elsewhere = options.columns.iter().any(|(other, _)| Some(*other) == by_schema);
        if matches!((role, by_schema), (Role::Mapped(_), Some(Role::Note | Role::Patient))) && !is_elsewhere {
            return Err(CorpusError::configuration(
                format!("column `{name}` says which note or whose it is, and cannot be mapped"),
                "two patients may have one surrogate, so it would no longer tell them apart; leave it an id",
            ));
        }
        if options.columns[..place].iter().any(|(other, earlier)| earlier.eq_ignore_ascii_case(name) && other != role) {
            return fail(name, "given two roles");
        }
    }
    Ok(())
}

/// A type without the metadata of the fields inside it, which is free text of whoever wrote the source, and is told in another order each time.
pub(super) fn bare(data_type: &DataType) -> DataType {
    let field = |field: &Arc<Field>| Arc::new(Field::new(field.name(), bare(field.data_type()), field.is_nullable()));
    match data_type {
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::ListView(item) => DataType::ListView(field(item)),
        DataType::LargeListView(item) => DataType::LargeListView(field(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(field(item), *length),
        DataType::Map(entries, sorted) => DataType::Map(field(entries), *sorted),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::Field;

    fn schema(names: &[&str]) -> Schema {
        Schema::new(names.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect::<Vec<_>>())
    }

    fn roles(names: &[&str], partitions: &[&str], options: &ColumnOptions) -> Result<Vec<Role>> {
        let partitions: Vec<_> = partitions.iter().map(ToString::to_string).collect();
        Ok(Columns::resolve(&schema(names), &partitions, options)?.iter().map(|column| column.role).collect())
    }

    #[test]
    fn presets_are_case_blind_and_partitions_are_ids() {
        let options = ColumnOptions { preset: Preset::Mimic, ..Default::default() };
        let found = roles(&["ROW_ID", "SUBJECT_ID", "CHARTDATE", "CATEGORY", "TEXT"], &["site"], &options).unwrap();
        assert_eq!(found, [Role::Note, Role::Patient, Role::Date, Role::Keep, Role::Text, Role::Id]);
    }

    #[test]
    fn lists_override_pairs_and_pairs_override_presets() {
        let options = ColumnOptions {
            columns: vec![ColumnOptions::pair("text=note_type").unwrap(), ColumnOptions::pair("id=extra").unwrap()],
            keep: vec!["extra".to_owned()],
            drop: vec!["encounter_id".to_owned()],
            ..Default::default()
        };
        let found = roles(&["text", "note_type", "extra", "encounter_id"], &[], &options).unwrap();
        assert_eq!(found, [Role::Text, Role::Text, Role::Keep, Role::Drop]);
    }

    #[test]
    fn mapped_columns_and_anchors_are_columns_that_can_be() {
        let mapped = |pairs: &[&str]| pairs.iter().map(|pair| ColumnOptions::mapped(pair).unwrap()).collect::<Vec<_>>();
        let options = ColumnOptions {
            columns: mapped(&["MEDICALRECORD=MRN", "patient=name"]),
            anchor: Some("NOTE_DATETIME".to_owned()),
            ..Default::default()
        };
        let found = roles(&["text", "mrn", "name", "note_datetime"], &[], &options).unwrap();
        assert_eq!(
            found,
            [Role::Text, Role::Mapped(Label::MedicalRecord.into()), Role::Mapped(Label::Patient.into()), Role::Date]
        );
        assert!(ColumnOptions::mapped("TIME=seen_at").unwrap_err().to_string().contains("left as it is"));

        let refused = |names: &[&str], partitions: &[&str], options: &ColumnOptions| {
            roles(names, partitions, options).unwrap_err().to_string()
        };
        for text in ["mrn", "NUMBER=mrn", "=mrn"] {
            assert!(ColumnOptions::mapped(text).unwrap_err().to_string().contains("no `label=column` pair"), "{text}");
        }
        let whose = ColumnOptions { columns: mapped(&["MEDICALRECORD=patient_id"]), ..Default::default() };
        assert!(refused(&["text", "patient_id"], &[], &whose).contains("cannot be mapped"));
        let folder = ColumnOptions { columns: mapped(&["MEDICALRECORD=mrn"]), ..Default::default() };
        assert!(refused(&["text"], &["mrn"], &folder).contains("partition `mrn`"));
        for (anchor, drop) in [("text", None), ("note_datetime", Some("note_datetime")), ("nowhere", None)] {
            let drop = drop.map(str::to_owned).into_iter().collect();
            let options = ColumnOptions { anchor: Some(anchor.to_owned()), drop, ..Default::default() };
            assert!(refused(&["text", "note_datetime"], &[], &options).contains(anchor), "{anchor}");
        }
    }

    #[test]
    fn what_is_not_named_stops_the_run() {
        let message = |result: Result<Vec<Role>>| result.unwrap_err().to_string();
        let options = ColumnOptions::default();
        assert!(message(roles(&["text", "room", "ward"], &[], &options)).contains("room, ward"));
        assert!(message(roles(&["note_id"], &[], &options)).contains("no text column"));
        let typo = ColumnOptions { keep: vec!["wards".to_owned()], ..Default::default() };
        assert!(message(roles(&["text"], &[], &typo)).contains("wards"));
        let twice = ColumnOptions { columns: vec![(Role::Patient, "a".to_owned())], ..Default::default() };
        assert!(message(roles(&["text", "a", "patient_id"], &[], &twice)).contains("more than one"));
        let float = Schema::new(vec![Field::new("text", DataType::Float64, true)]);
        assert!(Columns::resolve(&float, &[], &options).unwrap_err().is_usage());
    }
}
