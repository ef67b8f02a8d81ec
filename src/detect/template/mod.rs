//! Sentences of one fixed shape, tagged by rule (Murugadoss et al. 2021, syntax templates).
//!
//! ```toml
//! [[template]]
//! name = "electronic-signature"
//! pattern = 'Electronically signed by: (?<DOCTOR>[A-Z]+, [A-Z]+(?: [A-Z]+)?) on (?<DATE_full>\d+/\d+/\d+) at (?<TIME>\d{1,2}:\d\d [AP]M) CST'
//! matches = ["Electronically signed by: [DOCTOR DOE, JONES K] on [DATE:full 3/4/2019] at [TIME 2:02 PM] CST"]
//! rejects = ["Electronically signed by: the attending"]
//! ```
//!
//! The pattern must match the whole sentence. A group's name is a label, `-` and `:` written as `_`, a trailing number telling
//! groups of one label apart (`DATE_full2`). The examples are tests: a file whose examples fail is refused. `[[` stands for a
//! bracket in them.
//!
//! Any regular expression will do that lets no word pass which nobody has read: outside the groups classes of letters may be
//! repeated up to four times, and no group with a name may be repeated at all. One of texts and runs of letters or digits only, as
//! a harvest writes them, is read by an automaton, however many there are; others are tried one and all by the regular expressions'
//! own.

mod agreement;
mod automaton;
mod claimed_words;
mod file;
mod filling;
mod form;
mod group;
mod harvest;
mod reach;
mod refusal;
mod run;
mod statistics;
mod syntax;

use std::collections::HashSet;

use regex::{Regex, RegexSet};

use super::DetectError;
use super::learned::with_kind;
use crate::phi::{Class, Detector, Span};
use automaton::Automaton;
use file::{File, Slots, WrittenRule, marked_up};
use form::Form;
use group::class_of_group;
use reach::{Extent, OPEN, Reach};

pub use agreement::{Agreement, Checked, Comparison, Tally};
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
    /// Any other expression, with the class of each group by number, none for unnamed groups; and how far its slots reach.
    Expression(Regex, Vec<Option<Class>>, Vec<(Class, Reach)>),
}

impl Templates {
    /// Reads a template file and runs its examples.
    ///
    /// # Errors
    /// [`DetectError::Templates`] where the text is not such a file, [`DetectError::Template`] for a pattern that does not
    /// compile or lets any word pass, a group that names no label, an example that does not come out as written, and a name that
    /// another template has.
    pub fn parse(text: &str) -> Result<Self, DetectError> {
        let file: File = toml::from_str(text).map_err(|error| unreadable(text, &error))?;
        let mut names = HashSet::new();
        if let Some(WrittenRule { name, .. }) = file.template.iter().find(|rule| !names.insert(rule.name.as_str())) {
            let reason = "there are two templates of this name".to_owned();
            return Err(DetectError::Template { name: name.clone(), reason });
        }
        let templates = file.template.iter().map(Template::compile).collect::<Result<Vec<_>, _>>()?;
        Self::of(templates, blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// The templates that are safe where identifiers of some classes stay. A slot for words takes in any word, so one of a class that
    /// is kept would let a name pass that stands where the job or the state should: such sentences are left to the detectors. Slots of
    /// at most four digits may stay, and the letters of `AM` and `PM`.
    #[must_use]
    pub fn usable_where(&self, keeps: impl Fn(Class) -> bool) -> Self {
        let is_usable = |template: &&Template| match &template.shape {
            Shape::Form(form) => !form.takes_in_any_word(&keeps),
            Shape::Expression(_, _, slots) => {
                !slots.iter().any(|(class, reach)| keeps(*class) && reach.takes_in_any_word())
            }
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
                Shape::Expression(expression, ..) => {
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
            Some(form) if form.has_open_text() => {
                return Err(DetectError::Template { name: rule.name.clone(), reason: OPEN.to_owned() });
            }
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
            Shape::Expression(expression, classes, _) => (expression, classes),
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
        Regex::new(&rule.pattern).map_err(|_| fail(fault_of(&rule.pattern)))?;
        let expression = Regex::new(&format!("^(?:{})$", rule.pattern)).map_err(|_| fail(fault_of(&rule.pattern)))?;
        let classes = expression
            .capture_names()
            .map(|name| {
                name.map(|name| class_of_group(name).ok_or_else(|| fail(format!("`{name}` names no label"))))
                    .transpose()
            })
            .collect::<Result<Vec<_>, _>>()?;
        let Extent { outside, slots } = Extent::of(&rule.pattern).map_err(|reason| fail(reason.to_owned()))?;
        if outside.is_open() {
            return Err(fail(OPEN.to_owned()));
        }
        let class = |number: usize| classes.get(number).copied().flatten();
        let slots = slots.into_iter().filter_map(|(number, reach)| Some((class(number)?, reach))).collect();
        Ok(Self::Expression(expression, classes, slots))
    }
}

/// Where a file is none of templates. What stands there is not told: patterns and examples may quote notes.
fn unreadable(text: &str, error: &toml::de::Error) -> DetectError {
    let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
    // What serde says of a missing key names the key alone.
    let missing = error.message().strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    if let Some(key) = missing {
        return DetectError::Templates { reason: format!("the template of line {line} has no `{key}`") };
    }
    let reason = format!(
        "line {line} is not as TOML is written, or has another key than a template's: name, pattern, support, purity, matches, rejects"
    );
    DetectError::Templates { reason }
}

/// Why a pattern is no regular expression, and where, without its text.
fn fault_of(pattern: &str) -> String {
    let (fault, at) = match regex_syntax::parse(pattern) {
        Err(regex_syntax::Error::Parse(error)) => (error.kind().to_string(), error.span().start.offset),
        Err(regex_syntax::Error::Translate(error)) => (error.kind().to_string(), error.span().start.offset),
        _ => return "its pattern is too large".to_owned(),
    };
    format!("its pattern cannot be read: {fault}, at byte {at}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;

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
    fn what_is_said_of_a_faulty_file_quotes_nothing_of_it() {
        for (from, to) in [
            ("[A-Z]+,", "Kowalski [A-Z+,"),
            ("DOCTOR>", "Kowalski>"),
            ("matches", "Kowalski"),
            ("rejects", "'Kowalski"),
        ] {
            let error = Templates::parse(&SIGNATURE.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(!error.contains("Kowalski") || from == "DOCTOR>", "{error}");
        }
    }

    #[test]
    fn a_missing_key_is_named() {
        let without: String =
            SIGNATURE.lines().filter(|line| !line.contains("matches")).map(|line| format!("{line}\n")).collect();
        let error = Templates::parse(&without).unwrap_err().to_string();
        assert!(error.contains("has no `matches`"), "{error}");
    }

    #[test]
    fn slots_of_what_is_kept_take_in_no_long_numbers() {
        let file = |pattern: &str| {
            format!(
                "[[template]]\nname = \"at\"\npattern = 'At (?<TIME>{pattern})'\nmatches = [\"At [TIME 12:30:10]\"]\n"
            )
        };
        for (pattern, is_usable) in [
            ("[0-9]{1,4}:[0-9]{1,4}:[0-9]{1,4}", false),
            ("[0-9]{1,2}:[0-9]{1,4}:[0-9]{1,2}", false),
            ("[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}", true),
        ] {
            let templates = Templates::parse(&file(pattern)).unwrap();
            assert!(templates.places.is_empty(), "{pattern}");
            assert_eq!(
                templates.usable_where(|class| class.label == Label::Time).len(),
                usize::from(is_usable),
                "{pattern}"
            );
        }
    }

    fn file(name: &str, pattern: &str, example: &str) -> String {
        format!("[[template]]\nname = \"{name}\"\npattern = '{pattern}'\nmatches = [\"{example}\"]\n")
    }

    #[test]
    fn what_lets_any_word_pass_outside_its_slots_is_refused() {
        // As an expression, and as a form.
        for pattern in ["Seen by .*", r"Seen by \w+", ".+", "Seen by [A-Z]+", r"Seen by \p{Alphabetic}+"] {
            let error = Templates::parse(&file("seen", pattern, "Seen by ROSE")).unwrap_err().to_string();
            assert!(error.contains("`seen`") && error.contains("any word would pass"), "{error}");
        }
        let ordinals = file("seen", r"Seen by the \d+(?:st|nd|rd|th) nurse", "Seen by the 1st nurse");
        assert!(Templates::parse(&ordinals).is_ok());
    }

    #[test]
    fn expressions_are_held_to_what_a_policy_keeps_as_forms_are() {
        let jobs = [
            file("job", r"Is (?<PROFESSION>[A-Z][a-z]+( [A-Z][a-z]+)?) now\.", "Is [PROFESSION Roofer] now."),
            file("trade", "Trade: (?<PROFESSION>roofer|nurse)", "Trade: [PROFESSION nurse]"),
            file("seen", r"Seen (?<TIME>\d{1,2}:\d\d [AP]M)", "Seen [TIME 2:02 PM]"),
            file("read", r"Read (?<TIME>\d+:\d+ [AP]M)", "Read [TIME 2:02 PM]"),
        ];
        let templates = Templates::parse(&jobs.concat()).unwrap();
        assert_eq!(templates.places.len(), 4);
        let kept = templates.usable_where(|class| matches!(class.label, Label::Profession | Label::Time));
        assert_eq!(kept.names().collect::<Vec<_>>(), ["trade", "seen"]);
        assert!(!kept.is_match("Is Rosario Nguyen now."));
        assert_eq!(templates.usable_where(|_| false).len(), 4);
    }

    #[test]
    fn two_templates_of_one_name_are_refused() {
        let twice = file("seen", "Seen by a nurse", "Seen by a nurse") + &file("seen", "Seen", "Seen");
        assert!(Templates::parse(&twice).unwrap_err().to_string().contains("two templates of this name"));
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
