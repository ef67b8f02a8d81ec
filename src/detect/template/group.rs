//! Groups of a regular expression that are named after classes: `DATE_full2` is the second DATE:full.

use crate::phi::{Class, Kind, Label};

/// The class that a group's name stands for: `-` and `:` are written `_`, and a number may follow to tell groups apart. A number
/// at the end may belong to the class: `AGE_over_89`.
pub(super) fn class_of_group(name: &str) -> Option<Class> {
    let labels = Label::ALL.iter().map(|&label| Class::of(label));
    let kinds = Kind::ALL.iter().filter_map(|&kind| Some(Class { label: kind.label()?, kind }));
    let written: Vec<(String, Class)> = labels.chain(kinds).map(|class| (plain_name(class), class)).collect();
    let find = |name: &str| {
        let ours = written.iter().find(|(written, _)| written == name).map(|&(_, class)| class);
        ours.or_else(|| site_class(name))
    };
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    (0..=digits).find_map(|dropped| find(&name[..name.len() - dropped]))
}

/// The name of one more group of a class beside those there are; none for a label of a site that cannot be told by it.
pub(super) fn group_of_class(class: Class, groups: &[String]) -> Option<String> {
    let name = plain_name(class);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !groups.contains(name))?;
    (class_of_group(&free) == Some(class)).then_some(free)
}

fn plain_name(class: Class) -> String {
    class.to_string().replace(['-', ':'], "_")
}

/// A label of a site's own; known to the program where a model or annotations that have it were read.
fn site_class(name: &str) -> Option<Class> {
    match name.parse().ok()? {
        label @ Label::Site(own) if own.name() == name => Some(Class::of(label)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_name_every_class() {
        assert_eq!(class_of_group("LOCATION_OTHER_county2").unwrap().to_string(), "LOCATION-OTHER:county");
        assert_eq!(class_of_group("AGE_over_89").unwrap().to_string(), "AGE:over-89");
        assert_eq!(class_of_group("AGE_over_8912").unwrap().to_string(), "AGE:over-89");
        assert_eq!(class_of_group("date_full"), None);
        assert_eq!(class_of_group("7"), None);
    }

    #[test]
    fn every_class_has_group_names() {
        let site = Label::or_site("UNIT_4").unwrap();
        let labels = Label::ALL.iter().copied().chain([site]).map(Class::of);
        let kinds = Kind::ALL.iter().filter_map(|&kind| Some(Class { label: kind.label()?, kind }));
        for class in labels.chain(kinds) {
            let mut groups = Vec::new();
            for _ in 0..12 {
                let name = group_of_class(class, &groups).unwrap();
                assert_eq!(class_of_group(&name), Some(class), "{name}");
                groups.push(name);
            }
        }
        assert_eq!(group_of_class(Class::of(Label::or_site("two-parts").unwrap()), &[]), None);
    }
}
