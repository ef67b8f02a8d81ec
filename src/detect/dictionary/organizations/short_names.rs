//! Houses by a part of their name: `Hasbro ED called`, `admitted to Presbyterian`, `UAB Highlands`, `Humana Gold Plus`, `U of M Hospital`,
//! `EagleMed`, `Progressive claim`.

use super::named::{is_generic, is_proper};
use super::sites::is_care;
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// What names of services that fly patients or share organs are made of, first and last.
const FIRST_HALVES: &[&str] = &["air", "life", "med", "eagle", "star", "sky", "mercy", "care", "reach", "aero"];
const LAST_HALVES: &[&str] =
    &["flight", "med", "medics", "evac", "methods", "star", "net", "source", "gift", "share", "banc", "lift", "trans"];

/// Adds the house whose name begins at `index`.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if word.shape == Shape::Lower || words.shouted || found.covers(word.start..word.end) {
        return;
    }
    let house = match word.shape {
        Shape::Initial => university(words, index),
        Shape::Capital => before_its_unit(words, index)
            .or_else(|| of_a_faith(words, index))
            .or_else(|| coined(words, index))
            .or_else(|| insurer(words, index)),
        _ => None,
    };
    if let Some((last, label)) = house {
        found.add(word.start..words.list[last].end, label, 0.7);
    }
}

/// Whether the word at `index` stands one blank behind the one before it.
fn is_beside(words: &Words, index: usize) -> bool {
    words.get(index).is_some_and(|word| word.gap == Gap::Space) && words.between(index) == " "
}

/// `Hasbro ED called`, `s/w Wilmot ICU charge`: a name before the unit that speaks or is spoken to.
fn before_its_unit(words: &Words, index: usize) -> Option<(usize, Label)> {
    let word = &words.list[index];
    let unit = is_beside(words, index + 1) && matches!(words.text(index + 1), "ED" | "ER" | "ICU" | "NICU" | "PICU");
    let said = is_beside(words, index + 2)
        && listed!(
            words.text(index + 2),
            "called calling calls charge staff doc nurse rn md attending provider physician triage team records reports says"
        );
    // `Dr. Wilmot ED attending` is a person.
    let person = index.checked_sub(1).is_some_and(|before| {
        matches!(words.list[before].marker, Some(Marker::DoctorTitle | Marker::PersonTitle | Marker::Kin))
            || words.list[before].is_capital() && word.gap == Gap::Space
            || listed!(words.text(before), "pt patient")
    });
    let named = is_proper(words, index)
        && !is_generic(words, index)
        && word.marker.is_none()
        && !word.info.is_any(MEDICAL)
        && word.info.given_count < 2_000;
    (unit && said && named && !person).then_some((index, Label::Hospital))
}

/// `admitted to Presbyterian`, `transferred from Methodist`: a hospital by its faith alone, where care is given.
fn of_a_faith(words: &Words, index: usize) -> Option<(usize, Label)> {
    let lead = index.checked_sub(1)?;
    let faith = listed!(words.text(index), "presbyterian methodist baptist adventist lutheran deaconess");
    let cared = faith
        && words.list[index].gap == Gap::Space
        && listed!(words.text(lead), "at to from")
        && (lead.saturating_sub(4)..lead).any(|at| is_care(words.text(at)) || words.text(at).ends_with("ICU"));
    let rest = words.between_after(index);
    let ends = rest.trim().is_empty()
        || rest.starts_with([',', '.', ';', ')', '\n'])
        || is_beside(words, index + 1)
            && listed!(words.text(index + 1), "ed er last on for in this with yesterday today where overnight ICU");
    (cared && ends).then_some((index, Label::Hospital))
}

/// `EagleMed`, `LifeFlight`, `CareSource`: a service by two halves that such names are made of.
fn coined(words: &Words, index: usize) -> Option<(usize, Label)> {
    let text = words.text(index);
    let camel = text.chars().filter(|letter| letter.is_uppercase()).count() == 2;
    let ends = |rest: &str| LAST_HALVES.iter().any(|last| rest.eq_ignore_ascii_case(last));
    let halves = || {
        FIRST_HALVES.iter().any(|first| {
            text.get(..first.len()).is_some_and(|half| half.eq_ignore_ascii_case(first))
                && text.get(first.len()..).is_some_and(ends)
        })
    };
    // `MedNet monitor` is what is put on.
    let device = is_beside(words, index + 1)
        && listed!(
            words.text(index + 1),
            "mask tube tubing bed mattress monitor kit vest pump patch pads vent circuit"
        );
    let house = camel && !device && !words.list[index].info.is(WordFlags::HOSPITAL) && halves();
    house.then_some((index, Label::Organization))
}

/// `Progressive claim 26-99`: an insurer that is called by an ordinary word, before what one has with it.
fn insurer(words: &Words, index: usize) -> Option<(usize, Label)> {
    let known = listed!(words.text(index), "progressive geico allstate travelers nationwide hartford amica sedgwick");
    let had = is_beside(words, index + 1)
        && listed!(words.text(index + 1), "claim policy adjuster insurance")
        && words.list.get(index + 1).is_some_and(|next| next.shape == Shape::Lower);
    (known && had).then_some((index, Label::Organization))
}

/// `U of U Clinic`, `at U of M`: a university by its initials, no `10 U of R`.
fn university(words: &Words, index: usize) -> Option<(usize, Label)> {
    let school = words.text(index) == "U"
        && !words.list[index].blank.digit
        && is_beside(words, index + 1)
        && words.text(index + 1) == "of"
        && is_beside(words, index + 2)
        && words.get(index + 2).is_some_and(|word| word.shape == Shape::Initial);
    if !school {
        return None;
    }
    let care = is_beside(words, index + 3)
        && listed!(words.text(index + 3), "hospital hospitals clinic clinics health med medical ed er icu");
    if !care {
        let led = index > 0
            && words.list[index].gap == Gap::Space
            && listed!(words.text(index - 1), "at from to the attends student");
        return led.then_some((index + 2, Label::Organization));
    }
    let last = if words.list[index + 3].shape == Shape::Capital { index + 3 } else { index + 2 };
    Some((last, Label::Hospital))
}

/// The last word of a known name with its branch or plan: `UAB Highlands`, `Humana Gold Plus`, `FedEx Ground`.
pub(super) fn branch(words: &Words, last: usize) -> usize {
    let more = |at: usize| {
        is_beside(words, at)
            && words.get(at).is_some_and(|word| word.shape == Shape::Capital)
            && listed!(
                words.text(at),
                "highlands downtown ground freight express gold silver bronze platinum plus choice advantage premier select"
            )
    };
    let last = if more(last + 1) { last + 1 } else { return last };
    if more(last + 1) { last + 1 } else { last }
}

#[cfg(test)]
mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::dictionary::DictionaryDetector;
    use crate::phi::{Label, unite};

    fn houses(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        DictionaryDetector::new().detect(sentence, &mut spans);
        spans.retain(|span| matches!(span.leading().class.label, Label::Hospital | Label::Organization));
        unite(spans).iter().map(|span| &sentence[span.start..span.end]).collect()
    }

    #[test]
    fn houses_by_a_part_of_their_name() {
        for (sentence, house) in [
            ("labs sent by the Kalispell ICU team", "Kalispell"),
            ("Bed: 6 in the ICU at Presbyterian", "Presbyterian"),
            ("admitted to Methodist last week", "Methodist"),
            ("2nd call AirMethods ok, on the way", "AirMethods"),
            ("arrived via LifeFlight; intubated", "LifeFlight"),
            ("hit a mailbox, Progressive claim is open", "Progressive"),
            ("seen at U of U Clinic", "U of U Clinic"),
            ("a student at U of M this fall", "U of M"),
            ("bill Humana Gold Plus first", "Humana Gold Plus"),
            ("LabCorp Complete Blood Count", "LabCorp"),
        ] {
            assert_eq!(houses(sentence), [house], "{sentence}");
        }
    }

    #[test]
    fn faiths_units_drugs_and_persons() {
        for sentence in [
            "Peds ED called twice",
            "he is Presbyterian and prays daily",
            "raised as a Methodist in a small town",
            "gave 10 U of R before lunch",
            "Progressive claims of weakness since spring",
            "LifeVest fitted, CareLink checked",
            "MedNet monitor placed",
            "StarMed tube",
        ] {
            assert_eq!(houses(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
