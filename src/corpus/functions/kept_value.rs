//! Values of structured columns that the policy keeps, and what else stands in some of them.
//!
//! ```text
//! PROFESSION, which the policy keeps:   teacher                                 stays
//!                                       teacher; wife Karen Jones 617-555-0101  null: the rest is nobody's profession
//! ```

use std::sync::OnceLock;

use crate::corpus::deidentifier::Reader;
use crate::corpus::error::Result;
use crate::detect::{Ensemble, InclusionList, Templates};
use crate::phi::{Class, Label, Policy, Span};

/// Whether a value that the policy keeps holds something that it removes besides what the column is of, as patterns, dictionaries and the patient's
/// record tell: no trained member is asked for what is a word or two. A claim on all of the value is as often the column's own under another name.
///
/// # Errors
/// Those of the patient's record.
pub(in crate::corpus) fn keeps_another(
    reader: &mut Reader<'_>,
    policy: &Policy,
    class: Class,
    value: &str,
    patient: &str,
) -> Result<bool> {
    // What else stands in values of these is told by their form.
    if matches!(class.label, Label::Age | Label::Date | Label::Time | Label::Email) {
        return Ok(false);
    }
    static DETECTORS: OnceLock<Ensemble> = OnceLock::new();
    let detectors = DETECTORS.get_or_init(|| Ensemble::knowledge(InclusionList::default(), Templates::default()));
    let found = reader.with_known(value, Some(patient), detectors.detect_by_knowledge(value))?;
    Ok(found.iter().any(|span| policy.removes(span.leading().class) && !is_the_columns_own(class.label, span, value)))
}

/// Whether a span is of what the column is of: under a label that is often taken for the column's, or all of a value of one word that names something.
fn is_the_columns_own(label: Label, span: &Span, value: &str) -> bool {
    let claimed = span.leading().class.label;
    let whole = value.trim();
    let begins = value.len() - value.trim_start().len();
    let is_whole = span.start <= begins && span.end >= begins + whole.len();
    let names = matches!(
        claimed,
        Label::Patient
            | Label::Doctor
            | Label::City
            | Label::State
            | Label::Country
            | Label::LocationOther
            | Label::Hospital
            | Label::Organization
            | Label::Profession
    );
    are_alike(label, claimed) || is_whole && names && !whole.contains(char::is_whitespace)
}

/// Whether two labels are taken for each other.
fn are_alike(one: Label, other: Label) -> bool {
    const KINDS: [&[Label]; 2] = [
        &[Label::Patient, Label::Doctor, Label::Username],
        &[Label::Hospital, Label::Organization, Label::City, Label::State, Label::Country, Label::LocationOther],
    ];
    one == other || KINDS.iter().any(|kind| kind.contains(&one) && kind.contains(&other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::deidentifier::Deidentifier;

    #[test]
    fn what_else_stands_in_a_kept_value_is_told() {
        let deidentifier = Deidentifier::new();
        let [a, c] = ["A", "C"].map(|name| Policy::named(name).unwrap());
        let holds = |label: Label, policy: &Policy, value: &str| {
            keeps_another(&mut deidentifier.reader(), policy, label.into(), value, "P1").unwrap()
        };
        for value in [
            "teacher; wife Karen Jones 617-555-0101",
            "nurse, call 617-555-0101",
            "farmer (lives at 12 Oak St)",
            "617-555-0101",
            "karen@x.org",
        ] {
            assert!(holds(Label::Profession, &c, value), "{value}");
        }
        for value in
            ["teacher", "Baker", " Mason ", "retired school teacher", "registered nurse, ICU", "self-employed", ""]
        {
            assert!(!holds(Label::Profession, &c, value), "{value}");
        }
        for value in ["MN", "New York", "Washington", "Washington DC", "Minnesota"] {
            assert!(!holds(Label::State, &a, value), "{value}");
        }
        assert!(!holds(Label::Hospital, &a, "Mayo Clinic Rochester"));
    }
}
