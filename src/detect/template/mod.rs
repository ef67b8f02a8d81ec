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
//! groups of one label apart (`DATE_full2`). The examples are tests: a file whose examples fail is refused. `[[` stands for a
//! bracket in them.
//!
//! Any regular expression will do. One of texts and runs of letters or digits only, as a harvest writes them, is read by an
//! automaton, however many there are; others are tried one and all by the regular expressions' own.

mod agreement;
mod automaton;
mod file;
mod filling;
mod form;
mod group;
mod harvest;
mod refusal;
mod run;
mod statistics;
mod syntax;

use regex::{Regex, RegexSet};

use super::DetectError;
use super::learned::with_kind;
use crate::phi::{Class, Detector, Span};
use automaton::Automaton;
use file::{File, Slots, WrittenRule, marked_up};
use form::Form;
use group::class_of_group;

pub use agreement::{Agreement, Checked, Tally, check};
pub use file::Support;
pub use harvest::{Conflict, Harvest, Harvester, Reading, Rule, SyntaxShape};
pub use refusal::{Reason, Refusal, Settings};
pub use statistics::Statistics;
pub use syntax::{ner_template, syntax_template};

/// A set of templates; the first in file order that matches a sentence tags it.
#[derive(Debug, Clone, Default)]
pub struct Templates {
    templates: Vec<Template>,
    automaton: Automaton,
    /// The other templates' expressions, and their places among all.
    others: RegexSet,
    places: Vec<usize>,
    /// A digest of the file.
    digest: String,
}

#[derive(Debug, Clone)]
struct Template {
    name: String,
    shape: Shape,
    support: Option<Support>,
}

/// What a sentence must look like.
#[derive(Debug, Clone)]
enum Shape {
    Form(Form),
    /// Any other expression, with the class of each group by number; none for unnamed groups.
    Expression(Regex, Vec<Option<Class>>),
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
        Self::of(templates, blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// The templates that are safe where identifiers of some classes stay. A slot for words takes in any word, so one of a class that
    /// is kept would let a name pass that stands where the job or the state should: such sentences are left to the detectors. Slots of
    /// at most four digits may stay, and so may what was written by hand as any other expression.
    #[must_use]
    pub fn usable_where(&self, keeps: impl Fn(Class) -> bool) -> Self {
        let is_usable = |template: &&Template| match &template.shape {
            Shape::Form(form) => !form.takes_in_any_word(&keeps),
            Shape::Expression(..) => true,
        };
        let usable: Vec<_> = self.templates.iter().filter(is_usable).cloned().collect();
        // Others are other templates: what was found with all of them does not hold for some.
        let digest = match usable.len() == self.templates.len() {
            true => self.digest.clone(),
            false => {
                let names: Vec<_> = usable.iter().map(|template| &template.name).collect();
                blake3::hash(format!("{} {names:?}", self.digest).as_bytes()).to_hex().to_string()
            }
        };
        Self::of(usable, digest).expect("the expressions of some templates compile where those of all did")
    }

    fn of(templates: Vec<Template>, digest: String) -> Result<Self, DetectError> {
        let (mut forms, mut others, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (place, template) in templates.iter().enumerate() {
            match &template.shape {
                Shape::Form(form) => forms.push((place as u32, form)),
                Shape::Expression(expression, _) => {
                    others.push(expression.as_str());
                    places.push(place);
                }
            }
        }
        let automaton = Automaton::new(forms);
        let others = RegexSet::new(others).map_err(|error| DetectError::Templates { reason: error.to_string() })?;
        Ok(Self { templates, automaton, others, places, digest })
    }

    /// A digest of the file that they were read from; empty where there are none.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The slots of the first template that matches the whole sentence; none where no template does.
    pub fn tag(&self, sentence: &str) -> Option<Vec<Span>> {
        let (_, slots) = self.read(sentence)?;
        // A slot for an age has no sub-kind: whether it is over 89 is told by what stands in it.
        let spans = slots.into_iter().map(|(start, end, class)| {
            Span::new(start, end, with_kind(class, &sentence[start..end]), Detector::Template, 1.0)
        });
        Some(spans.collect())
    }

    /// Whether a template matches the whole sentence.
    pub fn is_match(&self, sentence: &str) -> bool {
        self.automaton.first(sentence).is_some() || (!self.places.is_empty() && self.others.is_match(sentence))
    }

    /// The number of templates.
    pub fn len(&self) -> usize {
        self.templates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.templates.is_empty()
    }

    /// The names, in file order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.templates.iter().map(|template| template.name.as_str())
    }

    /// The place of the first template that matches the whole sentence, and its slots.
    fn read(&self, sentence: &str) -> Option<(usize, Slots)> {
        let first = self.first(sentence)?;
        Some((first, self.templates[first].read(sentence)?))
    }

    /// The place of the first template that matches the whole sentence.
    fn first(&self, sentence: &str) -> Option<usize> {
        let by_automaton = self.automaton.first(sentence).map(|first| first as usize);
        if self.places.is_empty() {
            return by_automaton;
        }
        let by_expression = self.others.matches(sentence).iter().next().map(|other| self.places[other]);
        by_automaton.into_iter().chain(by_expression).min()
    }
}

impl Template {
    fn compile(rule: &WrittenRule) -> Result<Self, DetectError> {
        let shape = match Form::parse(&rule.pattern) {
            Some(form) => Shape::Form(form),
            None => Shape::compile(rule)?,
        };
        let template = Self { name: rule.name.clone(), shape, support: rule.support };
        template.check(rule)?;
        Ok(template)
    }

    /// The slots of a sentence that matches wholly.
    fn read(&self, sentence: &str) -> Option<Slots> {
        let (expression, classes) = match &self.shape {
            Shape::Form(form) => return form.read(sentence),
            Shape::Expression(expression, classes) => (expression, classes),
        };
        let groups = expression.captures(sentence)?;
        let slots = classes.iter().zip(groups.iter()).filter_map(|(class, group)| {
            let (class, group) = ((*class)?, group?);
            (!group.is_empty()).then(|| (group.start(), group.end(), class))
        });
        Some(slots.collect())
    }

    fn check(&self, rule: &WrittenRule) -> Result<(), DetectError> {
        let fail = |reason| DetectError::Template { name: self.name.clone(), reason };
        if rule.matches.is_empty() {
            return Err(fail("give at least one example in `matches`".to_owned()));
        }
        for (index, example) in rule.matches.iter().enumerate() {
            let (sentence, expected) =
                marked_up(example).map_err(|reason| fail(format!("example {}: {reason}", index + 1)))?;
            if self.read(&sentence) != Some(expected) {
                return Err(fail(format!("example {} of `matches` does not come out as written", index + 1)));
            }
        }
        match rule.rejects.iter().position(|sentence| self.read(sentence).is_some()) {
            Some(index) => Err(fail(format!("example {} of `rejects` matches", index + 1))),
            None => Ok(()),
        }
    }
}

impl Shape {
    /// Compiles a pattern that is no form.
    fn compile(rule: &WrittenRule) -> Result<Self, DetectError> {
        let fail = |reason: String| DetectError::Template { name: rule.name.clone(), reason };
        // By itself first: a pattern that closes the anchors' group would match parts of sentences.
        Regex::new(&rule.pattern).map_err(|error| fail(error.to_string()))?;
        let expression = Regex::new(&format!("^(?:{})$", rule.pattern)).map_err(|error| fail(error.to_string()))?;
        let classes = expression
            .capture_names()
            .map(|name| {
                name.map(|name| class_of_group(name).ok_or_else(|| fail(format!("`{name}` names no label"))))
                    .transpose()
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::Expression(expression, classes))
    }
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
        // As a form, and as an expression that is none.
        for pattern in [SIGNATURE.to_owned(), SIGNATURE.replace("Signed by: (", "Signed[ ]by: (")] {
            let templates = Templates::parse(&pattern).unwrap();
            let spans = templates.tag("Signed by: STRONG, APRIL on 12/31/2020").unwrap();
            assert_eq!(spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(11, 24), (28, 38)]);
            assert!(templates.tag("Was Signed by: STRONG, APRIL on 12/31/2020").is_none());
            assert!(!templates.is_match("Was Signed by: STRONG, APRIL on 12/31/2020"));
        }
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
    fn the_first_in_file_order_wins_whatever_reads_it() {
        let rule = |name: &str, pattern: &str, label: &str| {
            let matches = format!("Seen by [{label} ROSE]");
            WrittenRule {
                name: name.to_owned(),
                pattern: pattern.to_owned(),
                support: None,
                purity: Some(1.0),
                matches: vec![matches],
                rejects: Vec::new(),
            }
            .to_toml()
        };
        let form = rule("form", "Seen by (?<DOCTOR>[A-Z]+)", "DOCTOR");
        let expression = rule("expression", "Seen by (?<PATIENT>[A-Z]{2,})", "PATIENT");
        for (text, first) in [(form.clone() + &expression, "DOCTOR"), (expression + &form, "PATIENT")] {
            let templates = Templates::parse(&text).unwrap();
            assert_eq!((templates.len(), templates.automaton.len() > 1, templates.places.len()), (2, true, 1));
            assert_eq!(templates.tag("Seen by JONES").unwrap()[0].leading().class.to_string(), first);
        }
    }
}
