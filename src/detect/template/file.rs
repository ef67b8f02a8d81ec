//! A template file: rules in TOML, with examples that are tests.

use std::fmt;

use serde::Deserialize;

use crate::phi::Class;

/// How often the sentences of a template were seen in the sample that it was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// Distinct sentences.
    pub sentences: u64,
    /// Sentences, repeated ones included.
    pub occurrences: u64,
    /// Patients with such a sentence.
    pub patients: u64,
}

impl Support {
    /// Adds another one to it.
    pub const fn add(&mut self, other: Self) {
        self.sentences = self.sentences.saturating_add(other.sentences);
        self.occurrences = self.occurrences.saturating_add(other.occurrences);
        self.patients = self.patients.saturating_add(other.patients);
    }
}

impl fmt::Display for Support {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sentences, occurrences, patients } = self;
        write!(formatter, "{sentences} sentences, {occurrences} occurrences, {patients} patients")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub template: Vec<WrittenRule>,
}

/// A rule as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRule {
    pub name: String,
    pub pattern: String,
    pub support: Option<Support>,
    /// The share of the sample's sentences of this form on which the ensemble did not say otherwise.
    pub purity: Option<f64>,
    pub matches: Vec<String>,
    #[serde(default)]
    pub rejects: Vec<String>,
}

impl WrittenRule {
    /// The rule as TOML.
    pub fn to_toml(&self) -> String {
        let value = |text: &str| toml::Value::from(text).to_string();
        let mut lines = vec![
            "[[template]]".to_owned(),
            format!("name = {}", value(&self.name)),
            format!("pattern = {}", value(&self.pattern)),
        ];
        if let Some(Support { sentences, occurrences, patients }) = self.support {
            lines.push(format!(
                "support = {{ sentences = {sentences}, occurrences = {occurrences}, patients = {patients} }}"
            ));
        }
        lines.extend(self.purity.map(|purity| format!("purity = {purity:?}")));
        for (key, examples) in [("matches", &self.matches), ("rejects", &self.rejects)] {
            if !examples.is_empty() {
                lines.push(format!("{key} = ["));
                lines.extend(examples.iter().map(|example| format!("    {},", value(example))));
                lines.push("]".to_owned());
            }
        }
        lines.join("\n") + "\n"
    }
}

/// Byte ranges of a sentence, in order, with what stands there.
pub(super) type Slots = Vec<(usize, usize, Class)>;

/// Reads an example in which each slot is written `[LABEL text]`, and `[[` stands for a bracket of the sentence.
pub(super) fn marked_up(example: &str) -> Result<(String, Slots), &'static str> {
    let (mut sentence, mut slots, mut rest) = (String::new(), Vec::new(), example);
    while let Some((before, slot)) = rest.split_once('[') {
        sentence.push_str(before);
        if let Some(after) = slot.strip_prefix('[') {
            sentence.push('[');
            rest = after;
            continue;
        }
        let (inside, after) = slot.split_once(']').ok_or("a slot is not closed")?;
        let (class, value) = inside.split_once(' ').ok_or("a slot has no text")?;
        let start = sentence.len();
        sentence.push_str(value);
        slots.push((start, sentence.len(), class.parse().map_err(|_| "a slot names no label")?));
        rest = after;
    }
    sentence.push_str(rest);
    Ok((sentence, slots))
}

/// Writes a sentence so that [`marked_up`] reads it back; a slot with a `]` in it cannot be.
pub(super) fn mark_up(sentence: &str, slots: &[(usize, usize, Class)]) -> String {
    let (mut example, mut at) = (String::new(), 0);
    for &(start, end, class) in slots {
        example.push_str(&sentence[at..start].replace('[', "[["));
        example.push_str(&format!("[{class} {}]", &sentence[start..end]));
        at = end;
    }
    example + &sentence[at..].replace('[', "[[")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;

    #[test]
    fn examples_are_read_back() {
        for sentence in ["Seen by Rose on 3/4", "[Rose] [x", "[[Rose", "Rose"] {
            let start = sentence.find("Rose").unwrap();
            let slots = vec![(start, start + 4, Class::of(Label::Doctor))];
            assert_eq!(marked_up(&mark_up(sentence, &slots)), Ok((sentence.to_owned(), slots)));
        }
    }
}
