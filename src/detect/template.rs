//! Sentences of one fixed shape, tagged by rule (Murugadoss et al. 2021, syntax templates).
//!
//! ```toml
//! [[template]]
//! name = "electronic-signature"
//! pattern = 'Electronically signed by: (?<DOCTOR>[A-Z]+, [A-Z]+(?: [A-Z]+)?) on (?<DATE_full>\d+/\d+/\d+) at (?<TIME>\d+:\d+ [AP]M) CST'
//! matches = ["Electronically signed by: [DOCTOR DOE, JONES K] on [DATE:full 3/4/2019] at [TIME 2:02 PM] CST"]
//! rejects = ["Electronically signed by: the attending"]
//! ```
//!
//! The pattern must match the whole sentence. A group's name is a label, `-` and `:` written as `_`, a trailing number telling
//! groups of one label apart (`DATE_full2`). The examples are tests: a file whose examples fail is refused.

use regex::{Regex, RegexSet};
use serde::Deserialize;

use super::DetectError;
use crate::phi::{Class, Detector, Kind, Label, Span};

/// A set of templates; the first in file order that matches a sentence tags it.
#[derive(Debug, Clone, Default)]
pub struct Templates {
    any: RegexSet,
    templates: Vec<Template>,
}

#[derive(Debug, Clone)]
struct Template {
    name: String,
    pattern: Regex,
    /// The class of each group by number; none for unnamed groups.
    slots: Vec<Option<Class>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    template: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    name: String,
    pattern: String,
    matches: Vec<String>,
    #[serde(default)]
    rejects: Vec<String>,
}

impl Templates {
    /// Reads a template file and runs its examples.
    ///
    /// # Errors
    /// [`DetectError::Templates`] where the text is not such a file, [`DetectError::Template`] for a pattern that does not
    /// compile, a group that names no label, or an example that does not come out as written.
    pub fn parse(text: &str) -> Result<Self, DetectError> {
        let file: File =
            toml::from_str(text).map_err(|error| DetectError::Templates { reason: error.message().to_owned() })?;
        let templates = file.template.iter().map(Template::compile).collect::<Result<Vec<_>, _>>()?;
        let any = RegexSet::new(templates.iter().map(|template| template.pattern.as_str()))
            .map_err(|error| DetectError::Templates { reason: error.to_string() })?;
        Ok(Self { any, templates })
    }

    /// The slots of the first template that matches the whole sentence; none where no template does.
    pub fn tag(&self, sentence: &str) -> Option<Vec<Span>> {
        if self.templates.is_empty() {
            return None;
        }
        self.any.matches(sentence).iter().next().and_then(|first| self.templates[first].tag(sentence))
    }

    /// Whether a template matches the whole sentence.
    pub fn is_match(&self, sentence: &str) -> bool {
        self.any.is_match(sentence)
    }

    /// The number of templates.
    pub fn len(&self) -> usize {
        self.templates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.templates.is_empty()
    }
}

impl Template {
    fn compile(rule: &Rule) -> Result<Self, DetectError> {
        let fail = |reason: String| DetectError::Template { name: rule.name.clone(), reason };
        // By itself first: a pattern that closes the anchors' group would match parts of sentences.
        Regex::new(&rule.pattern).map_err(|error| fail(error.to_string()))?;
        let pattern = Regex::new(&format!("^(?:{})$", rule.pattern)).map_err(|error| fail(error.to_string()))?;
        let slots = pattern
            .capture_names()
            .map(|name| {
                name.map(|name| class_of_group(name).ok_or_else(|| fail(format!("`{name}` names no label"))))
                    .transpose()
            })
            .collect::<Result<Vec<_>, _>>()?;
        let template = Self { name: rule.name.clone(), pattern, slots };
        template.check(rule)?;
        Ok(template)
    }

    fn tag(&self, sentence: &str) -> Option<Vec<Span>> {
        let groups = self.pattern.captures(sentence)?;
        let slots = self.slots.iter().zip(groups.iter());
        let spans = slots.filter_map(|(class, group)| {
            let (class, group) = ((*class)?, group?);
            (!group.is_empty()).then(|| Span::new(group.start(), group.end(), class, Detector::Template, 1.0))
        });
        Some(spans.collect())
    }

    fn check(&self, rule: &Rule) -> Result<(), DetectError> {
        let fail = |reason| DetectError::Template { name: self.name.clone(), reason };
        if rule.matches.is_empty() {
            return Err(fail("give at least one example in `matches`".to_owned()));
        }
        for (index, example) in rule.matches.iter().enumerate() {
            let (sentence, expected) =
                marked_up(example).map_err(|reason| fail(format!("example {}: {reason}", index + 1)))?;
            let found = self
                .tag(&sentence)
                .map(|spans| spans.iter().map(|span| (span.start, span.end, span.leading().class)).collect());
            if found.as_ref() != Some(&expected) {
                return Err(fail(format!("example {} of `matches` does not come out as written", index + 1)));
            }
        }
        match rule.rejects.iter().position(|sentence| self.pattern.is_match(sentence)) {
            Some(index) => Err(fail(format!("example {} of `rejects` matches", index + 1))),
            None => Ok(()),
        }
    }
}

/// `DATE_full2` is DATE:full, `LOCATION_OTHER` is LOCATION-OTHER. A number at the end may belong to the kind: `AGE_over_89`.
fn class_of_group(name: &str) -> Option<Class> {
    let unnumbered = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let plain = |label: Label| label.name().replace('-', "_");
    let labels = Label::ALL.iter().map(|&label| (plain(label), Class::of(label)));
    let kinds = Kind::ALL.iter().filter_map(|&kind| {
        let label = kind.label()?;
        Some((format!("{}_{}", plain(label), kind.name().replace('-', "_")), Class { label, kind }))
    });
    let written: Vec<_> = labels.chain(kinds).collect();
    let find = |name: &str| written.iter().find(|(written, _)| written == name).map(|&(_, class)| class);
    find(name).or_else(|| find(unnumbered))
}

type Slots = Vec<(usize, usize, Class)>;

/// Reads an example in which each slot is written `[LABEL text]`.
fn marked_up(example: &str) -> Result<(String, Slots), &'static str> {
    let (mut sentence, mut slots, mut rest) = (String::new(), Vec::new(), example);
    while let Some((before, slot)) = rest.split_once('[') {
        let (inside, after) = slot.split_once(']').ok_or("a slot is not closed")?;
        let (class, value) = inside.split_once(' ').ok_or("a slot has no text")?;
        sentence.push_str(before);
        let start = sentence.len();
        sentence.push_str(value);
        slots.push((start, sentence.len(), class.parse().map_err(|_| "a slot names no label")?));
        rest = after;
    }
    sentence.push_str(rest);
    Ok((sentence, slots))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNATURE: &str = r#"
        [[template]]
        name = "signature"
        pattern = 'Signed by: (?<DOCTOR>[A-Z]+, [A-Z]+) on (?<DATE_full>\d+/\d+/\d+)'
        matches = ["Signed by: [DOCTOR DEWEY, JONES] on [DATE:full 3/4/19]"]
        rejects = ["Signed by: the attending"]
    "#;

    #[test]
    fn tags_whole_sentences_only() {
        let templates = Templates::parse(SIGNATURE).unwrap();
        let spans = templates.tag("Signed by: STRONG, APRIL on 12/31/2020").unwrap();
        assert_eq!(spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(11, 24), (28, 38)]);
        assert!(templates.tag("Was Signed by: STRONG, APRIL on 12/31/2020").is_none());
    }

    #[test]
    fn a_file_that_does_not_do_what_it_says_is_refused() {
        for (from, to) in [
            ("DOCTOR>", "MEDIC>"),
            ("JONES]", "JONES]x"),
            ("Signed by: the attending\"", "Signed by: A, B on 1/1/1\""),
            ("DATE:full", "DATE"),
            ("matches", "examples"),
            ("[A-Z]+,", "[A-Z+,"),
        ] {
            assert!(Templates::parse(&SIGNATURE.replacen(from, to, 1)).is_err(), "{from} → {to}");
        }
    }

    #[test]
    fn groups_name_every_class() {
        assert_eq!(class_of_group("LOCATION_OTHER_county2").unwrap().to_string(), "LOCATION-OTHER:county");
        assert_eq!(class_of_group("AGE_over_89").unwrap().to_string(), "AGE:over-89");
    }
}
