//! Fields of forms: `Last: Vang, First: Pao, MI: T`, `Last: Vang` in a column of its own, `Arr. officer Banks   Housing: …`,
//! `Vol: Hope, sits Mondays`.

use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::people::add;
use crate::detect::dictionary::plausible::Likeness;
use crate::detect::dictionary::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::phi::Label;

/// Fields of the parts of a surname and of a given name.
const SURNAME_FIELDS: &str = "last surname family";
const GIVEN_FIELDS: &str = "first given forename";
/// Fields of what else belongs to a name, beside those.
const OTHER_FIELDS: &str = "middle mi nickname preferred maiden suffix alias goes";
/// Whose field holds a given name, or a whole one.
const HELPERS: &str = "vol volunteer doula coord coordinator sitter companion escort";
/// So many must bear a given name that is all a field of a helper holds.
const BEARERS: u32 = 1_000;

/// Adds the names of such fields.
pub(super) fn detect(words: &Words, found: &mut Found) {
    let is_field = |index: usize, list: &str| {
        words.list[index].gap == Gap::Colon
            && words.between(index).trim_end() == ":"
            && list.split(' ').any(|field| field.eq_ignore_ascii_case(words.text(index - 1)))
    };
    let fields = || 1..words.list.len();
    if fields().any(|index| is_field(index, SURNAME_FIELDS)) && fields().any(|index| is_field(index, GIVEN_FIELDS)) {
        fields()
            .filter(|&index| [SURNAME_FIELDS, GIVEN_FIELDS, OTHER_FIELDS].iter().any(|&list| is_field(index, list)))
            .for_each(|index| part_of_name(words, index, found));
    } else if words.list.len() > 1 && is_field(1, "last") {
        lone_surname(words, found);
    }
    for index in fields() {
        let before = words.text(index - 1);
        if words.list[index].gap == Gap::Colon && listed!(before, HELPERS) {
            helper(words, index, found);
        } else if index > 1 && before.eq_ignore_ascii_case("officer") {
            officer(words, index, found);
        }
    }
}

/// `Last: Vang` and nothing else: words that are nothing but names or that no list holds; no `Last: Friday`, `Last: BMP`.
fn lone_surname(words: &Words, found: &mut Found) {
    let last = words.list.len() - 1;
    let strange = |index: usize| {
        let word = &words.list[index];
        let likeness = words.likeness_at(index);
        word.is_capital()
            && word.marker.is_none()
            && word.info.english_size().is_none()
            && !word.info.is_any(MEDICAL)
            && (likeness == Likeness::Name || likeness == Likeness::Unknown && word.end - word.start >= 6)
            && !listed!(words.text(index), "mon tue tues wed thu thurs fri sat sun pfizer moderna novavax janssen")
    };
    let alone = last <= 2 && words.between_after(last).trim().is_empty();
    if alone && (last == 1 || matches!(words.between(2), " " | "-")) && (1..=last).all(strange) {
        add(words, 1, last, Label::Patient, 0.8, found);
    }
}

/// `First: Pao Houa`: the words with a capital that the field of a part of a name holds; of a middle name perhaps one letter.
fn part_of_name(words: &Words, first: usize, found: &mut Found) {
    let is_part = |index: usize| {
        words.get(index).is_some_and(|word| {
            let info = word.info;
            let medical = info.is_any(MEDICAL) && info.surname_count.max(info.given_count) < 500;
            (word.is_capital() && !medical || word.shape == Shape::Initial)
                && !words.between_after(index).starts_with(':')
                && !listed!(words.text(index), "none na unk unknown name dose visit seen menses void bm")
        })
    };
    if !is_part(first) {
        return;
    }
    let mut last = first;
    let joins = |index: usize| matches!(words.between(index), " " | "-");
    // `Cabral e Sousa`
    let particle =
        |index: usize| words.get(index).is_some_and(|word| word.is(Marker::Particle) && word.shape == Shape::Lower);
    while last < first + 2 {
        let next = last + 1 + usize::from(particle(last + 1) && joins(last + 1));
        if !(is_part(next) && joins(next)) {
            break;
        }
        last = next;
    }
    add(words, first, last, Label::Patient, 0.9, found);
    // Of given names several stand in a list of JSON: `given: Rain,A`.
    if GIVEN_FIELDS.split(' ').any(|field| field.eq_ignore_ascii_case(words.text(first - 1))) {
        let further = |index: &usize| {
            is_part(*index)
                && words.between(*index).trim_end() == ","
                && (words.list[*index].shape == Shape::Initial || words.list[*index].info.given_count > 0)
        };
        (last + 1..words.list.len()).take_while(further).for_each(|at| add(words, at, at, Label::Patient, 0.9, found));
    }
}

/// `Vol: Hope, sits Mondays`, `Coord: Bo Kowal`: a given name, be it a word or a town too, and perhaps a surname; no `Vol: Max 500`.
fn helper(words: &Words, first: usize, found: &mut Found) {
    let word = &words.list[first];
    let given = word.shape == Shape::Capital
        && word.info.given_count >= BEARERS
        && word.marker.is_none()
        && !word.info.is_any(MEDICAL)
        && words.between(first).trim_end() == ":";
    let behind = words.between_after(first).trim_start();
    let next = words.get(first + 1).filter(|next| next.is_capital() && words.between(first + 1) == " ");
    let surname = next.is_some_and(|next| {
        next.shape == Shape::Capital && matches!(words.likeness_at(first + 1), Likeness::Name | Likeness::Unknown)
    });
    if given && !behind.starts_with(|c: char| c.is_ascii_digit()) && (next.is_none() || surname) {
        add(words, first, first + usize::from(surname), Label::Doctor, 0.75, found);
    }
}

/// `Arr. officer Banks`: any word with a capital that fills its column behind the officer of a form.
fn officer(words: &Words, first: usize, found: &mut Found) {
    let word = &words.list[first];
    let after = words.between_after(first);
    let fills = after.trim().is_empty() || after.starts_with("  ") || after.starts_with(['\n', ',', '\t']);
    let told = listed!(
        words.text(first - 2),
        "arr arresting arrest transporting transport reporting booking custody correctional probation parole intake escort"
    );
    if told
        && fills
        && matches!(word.gap, Gap::Space | Gap::Colon)
        && word.shape == Shape::Capital
        && !words.between_after(first).starts_with(':')
        && !listed!(
            words.text(first),
            "name badge id unit agency date time phone signature number unknown none report present notified called aware visits"
        )
    {
        add(words, first, first, Label::Patient, 0.75, found);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn parts_of_names_in_a_form() {
        let names = ["Tavakesi", "Semisi", "F", "Sam"];
        assert_eq!(people("Last: Tavakesi   First: Semisi   MI: F   Nickname: Sam"), names);
        assert_eq!(people("Last: STONE  First: RIVER ROSE"), ["STONE", "RIVER ROSE"]);
        assert_eq!(people("Last: Tylenol at noon   First: none"), [] as [&str; 0]);
        assert_eq!(people("Last: March   then home"), [] as [&str; 0]);
        assert_eq!(people("Last: Kowalczyk"), ["Kowalczyk"]);
        assert_eq!(people("Last: Tavakesi"), ["Tavakesi"]);
        assert_eq!(people("family: Tavakesi; given: Rain,A; ]"), ["Tavakesi", "Rain", "A"]);
        assert_eq!(people("Family: Cabral e Sousa; Given: Deolinda"), ["Cabral e Sousa", "Deolinda"]);
        for line in ["Last: Friday", "Last: BMP", "Last: Tylenol", "Last: Moderna"] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }

    #[test]
    fn helpers_and_officers() {
        assert_eq!(people("Vol: Geneva, sits with him"), ["Geneva"]);
        assert_eq!(people("Coord: Bo Kowalczyk (site 4)"), ["Bo Kowalczyk"]);
        assert_eq!(people("Arresting officer Banks   Housing: dorm"), ["Banks"]);
        for line in [
            "Vol: 500 mL",
            "Coord: Intact",
            "Coord: Finger Nose ok",
            "Arresting officer Badge: 12",
            "Intake officer Notified",
        ] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
