//! Template files, and that templates match what their regular expressions match.

use plainsight::detect::template::{ner_template, syntax_template};
use plainsight::detect::{Ensemble, InclusionList, Templates};
use plainsight::phi::{Class, Label};
use regex::Regex;

use crate::input::{self, assert_sound, parts};

/// A template file, or the pattern of one template; and a sentence.
pub fn templates(bytes: &[u8]) {
    let text = input::text(bytes);
    let [written, sentence] = parts(&text);
    let file = if written.contains("[[template]]") { written.to_owned() } else { file_of(written, sentence) };
    let Ok(templates) = Templates::parse(&file) else { return };
    let patterns = patterns(&file);
    assert_eq!(templates.len(), patterns.len());
    for sentence in sentence.lines().chain(written.lines()).chain([sentence, ""]) {
        let tagged = templates.tag(sentence);
        assert_eq!(templates.is_match(sentence), tagged.is_some());
        let expected = patterns.iter().find_map(|pattern| slots(pattern, sentence));
        let found = tagged.as_ref().map(|spans| spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>());
        assert_eq!(found, expected, "the template and its regular expression differ");
        let spans = tagged.unwrap_or_default();
        assert_sound(sentence, &spans);
        (syntax_template(sentence, &spans), ner_template(sentence, &spans));
    }
    let kept = templates.usable_where(|class| class.label == Label::Date);
    assert!(kept.len() <= templates.len());
    Ensemble::knowledge(InclusionList::default(), templates);
}

/// The patterns of a file, anchored as templates are.
fn patterns(file: &str) -> Vec<Regex> {
    let file: toml::Table = file.parse().expect("the library read the file as TOML");
    let written = file.get("template").and_then(toml::Value::as_array).into_iter().flatten();
    let patterns = written.filter_map(|template| template.get("pattern")?.as_str());
    patterns.map(|pattern| Regex::new(&format!("^(?:{pattern})$")).expect("the library took the pattern")).collect()
}

/// What the named groups of a regular expression hold, in order; none where it does not match.
fn slots(pattern: &Regex, sentence: &str) -> Option<Vec<(usize, usize)>> {
    let groups = pattern.captures(sentence)?;
    let named = pattern.capture_names().zip(groups.iter()).filter_map(|(name, group)| name.and(group));
    Some(named.filter(|group| !group.is_empty()).map(|group| (group.start(), group.end())).collect())
}

/// A file with one template, and the sentence as its example where the pattern matches it.
fn file_of(pattern: &str, sentence: &str) -> String {
    let value = |text: &str| toml::Value::from(text).to_string();
    let matched = Regex::new(&format!("^(?:{pattern})$")).ok().and_then(|pattern| marked_up(&pattern, sentence));
    let example = matched.unwrap_or_else(|| sentence.to_owned());
    format!("[[template]]\nname = \"fuzzed\"\npattern = {}\nmatches = [{}]\n", value(pattern), value(&example))
}

/// The sentence with its slots in brackets, as template files have them.
fn marked_up(pattern: &Regex, sentence: &str) -> Option<String> {
    let groups = pattern.captures(sentence)?;
    let (mut example, mut at) = (String::new(), 0);
    for (name, group) in pattern.capture_names().zip(groups.iter()) {
        let (Some(name), Some(group)) = (name, group) else { continue };
        if group.is_empty() {
            continue;
        }
        let class = class_of(name)?;
        example.push_str(&sentence.get(at..group.start())?.replace('[', "[["));
        example.push_str(&format!("[{class} {}]", group.as_str()));
        at = group.end();
    }
    Some(example + &sentence[at..].replace('[', "[["))
}

/// The class of the plain names of groups: `DATE_full2`, `LOCATION_OTHER`.
fn class_of(name: &str) -> Option<Class> {
    let name = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let with_kind = name.rsplit_once('_').and_then(|(label, kind)| format!("{label}:{kind}").parse().ok());
    name.replace('_', "-").parse().ok().or(with_kind)
}
