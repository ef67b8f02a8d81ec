//! What a set of templates holds, in numbers.

use std::collections::BTreeMap;
use std::fmt;

use super::form::Part;
use super::{Shape, Support, Templates};
use crate::phi::Class;

/// Counts over a set of templates, for people: `Display` writes a line for each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Templates.
    pub templates: usize,
    /// Templates that the automaton reads; the others are tried by regular expressions.
    pub in_automaton: usize,
    /// Nodes of the automaton.
    pub nodes: usize,
    /// Templates without slots, which pass sentences untouched.
    pub without_slots: usize,
    /// Slots by what they hold.
    pub slots: BTreeMap<Class, usize>,
    /// Templates that say how often they were seen.
    pub supported: usize,
    /// Their support, summed. A patient counts once for each template.
    pub support: Support,
}

impl Templates {
    /// What the set holds.
    pub fn statistics(&self) -> Statistics {
        let mut statistics =
            Statistics { templates: self.templates.len(), nodes: self.automaton.len(), ..Statistics::default() };
        for template in &self.templates {
            let classes: Vec<Class> = match &template.shape {
                Shape::Form(form) => {
                    statistics.in_automaton += 1;
                    let class = |part: &Part| if let Part::Open(class) = part { Some(*class) } else { None };
                    form.parts().iter().filter_map(class).collect()
                }
                Shape::Expression(_, classes, _) => classes.iter().copied().flatten().collect(),
            };
            statistics.without_slots += usize::from(classes.is_empty());
            classes.into_iter().for_each(|class| *statistics.slots.entry(class).or_default() += 1);
            if let Some(support) = template.support {
                statistics.supported += 1;
                statistics.support.add(support);
            }
        }
        statistics
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "templates             {}", self.templates)?;
        writeln!(formatter, "  by the automaton    {} ({} nodes)", self.in_automaton, self.nodes)?;
        writeln!(formatter, "  without slots       {}", self.without_slots)?;
        for (class, slots) in &self.slots {
            writeln!(formatter, "  slots {:<15} {slots}", class.to_string())?;
        }
        writeln!(formatter, "seen in the sample    {} templates", self.supported)?;
        write!(formatter, "  {}, each template's counted by itself", self.support)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_counted() {
        let text = r#"
            [[template]]
            name = "signed"
            pattern = 'Signed by (?<DOCTOR>[A-Z]+) (?<DOCTOR2>[A-Z]+)'
            support = { sentences = 20, occurrences = 300, patients = 12 }
            purity = 1
            matches = ["Signed by [DOCTOR DEWEY] [DOCTOR JONES]"]
            [[template]]
            name = "seen"
            pattern = 'Seen (?:by|with) (?<DOCTOR>[A-Z]+)'
            matches = ["Seen by [DOCTOR DEWEY]"]
            [[template]]
            name = "stable"
            pattern = 'Stable in [0-9]+'
            matches = ["Stable in 7"]
        "#;
        let statistics = Templates::parse(text).unwrap().statistics();
        assert_eq!((statistics.templates, statistics.in_automaton, statistics.without_slots), (3, 2, 1));
        assert_eq!(statistics.slots.values().sum::<usize>(), 3);
        assert_eq!((statistics.supported, statistics.support.patients), (1, 12));
        assert!(statistics.to_string().contains("300 occurrences"));
    }
}
