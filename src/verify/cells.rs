//! The names in the cells of a record, which may hold several words of a name, several people, and what stands around names.
//!
//! ```text
//! given name   Ann Marie                       Ann Marie · Ann · Marie
//! family name  Lopez-Strong Jr                 Lopez-Strong · Lopez · Strong
//! kin          son: Bo Lee, MD; Ann Lee        Bo Lee · Ann Lee
//! ```
//!
//! Cells are cut as those who look for their values cut them; what is looked for is this room's own.

use crate::detect::record::{is_around_name, is_behind_name, is_credential, is_particle, is_suffix, names_in};

/// The fewest letters of a part of a family name that is looked for by itself.
const SHORTEST_PART: usize = 3;
/// The fewest digits of a code that shares a cell with others.
const FEWEST_DIGITS: usize = 4;

/// The given names of cells: each as it is written, and each word of it that is no initial.
pub(super) fn given_names(cells: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for cell in cells {
        let words = cell.split_whitespace().filter(|word| !is_around_name(word));
        let words: Vec<&str> =
            words.filter(|word| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1).collect();
        // What is taken for something around a name may be all that there is: `Do`, `J`.
        let whole = if words.is_empty() { cell.trim().to_owned() } else { words.join(" ") };
        add(&mut names, &whole);
        words.iter().for_each(|word| add(&mut names, word));
    }
    names
}

/// The family names of cells: each without what stands behind it, and each part of it that is no particle.
pub(super) fn family_names(cells: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for cell in cells {
        let words = cell.split_whitespace().filter(|word| !is_suffix(word) && !is_credential(word));
        let whole = words.collect::<Vec<_>>().join(" ");
        let whole = if whole.is_empty() { cell.trim().to_owned() } else { whole };
        add(&mut names, whole.trim_end_matches(','));
        let parts = whole.split([' ', '-', '/', ',']).filter(|part| part.chars().count() >= SHORTEST_PART);
        parts.filter(|part| !is_particle(part)).for_each(|part| add(&mut names, part));
    }
    names
}

/// The given, middle and family names of everybody in a cell: `Given Middle Family` or `Family, Given Middle`.
pub(super) fn people(cell: &str) -> impl Iterator<Item = [Vec<String>; 3]> {
    names_in(cell).map(|name| {
        let (family, rest) = match name.split_once(',') {
            // `VANG, PA`: behind one word alone stands a given name, whatever else it may be.
            Some((family, given)) if !is_behind_name(given) || !family.trim().contains(' ') => (family.trim(), given),
            _ => ("", name.split(',').next().unwrap_or(name)),
        };
        let words = rest.split([' ', ',', '\t']).filter(|word| !word.is_empty() && !is_around_name(word));
        let words: Vec<&str> = words.collect();
        let words = if words.is_empty() { rest.split_whitespace().take(1).collect() } else { words };
        // Particles belong to the family name: `Ana de la Cruz`.
        let particle = words.iter().skip(1).position(|word| is_particle(word)).map(|at| at + 1);
        let of_family = if family.is_empty() { particle.unwrap_or(words.len().saturating_sub(1)) } else { words.len() };
        let (given, last) = words.split_at(of_family);
        let family = if family.is_empty() { last.join(" ") } else { family.to_owned() };
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (first, middle) = given.split_at(given.len().min(1));
        [owned(first), owned(middle), vec![family]]
    })
}

/// The numbers and codes in a cell, which may hold several.
pub(super) fn codes(cell: &str) -> impl Iterator<Item = &str> {
    let is_code = |part: &str| part.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS;
    let parts = || cell.split([';', '|', '\n']).map(str::trim).filter(|part| !part.is_empty());
    let several = parts().all(is_code);
    parts().filter(move |_| several).chain((!several).then_some(cell))
}

fn add(names: &mut Vec<String>, name: &str) {
    if !name.is_empty() && names.iter().all(|known| known != name) {
        names.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_cut_into_names() {
        let one = |cell: &str| vec![cell.to_owned()];
        assert_eq!(given_names(&one("Ann Marie")), ["Ann Marie", "Ann", "Marie"]);
        assert_eq!(given_names(&one("John Q")), ["John"]);
        assert_eq!(family_names(&one("Smith Jr.")), ["Smith"]);
        assert_eq!(family_names(&one("Lopez-Strong")), ["Lopez-Strong", "Lopez", "Strong"]);
        assert_eq!(family_names(&one("de la Cruz, III")), ["de la Cruz", "Cruz"]);
    }

    #[test]
    fn a_cell_may_hold_several_people() {
        let of = |cell: &str| people(cell).map(|names| names.map(|names| names.join(" "))).collect::<Vec<_>>();
        assert_eq!(of("John Q. Smith, MD"), [["John", "Q.", "Smith"]]);
        assert_eq!(of("Dr. John Smith"), [["John", "", "Smith"]]);
        assert_eq!(of("Bo Lee (son); Ann Lee"), [["Bo", "", "Lee"], ["Ann", "", "Lee"]]);
        assert_eq!(of("Okafor, Ngozi, MD"), [["Ngozi", "", "Okafor"]]);
        assert_eq!(of("Ana de la Cruz"), [["Ana", "", "de la Cruz"]]);
        assert_eq!(of("Zenobia"), [["", "", "Zenobia"]]);
        assert_eq!(of("VANG, PA"), [["PA", "", "VANG"]]);
        assert_eq!(given_names(&["伟".to_owned(), "J".to_owned()]), ["伟", "J"]);
        assert_eq!(family_names(&["DO".to_owned()]), ["DO"]);
        assert_eq!(codes("AB-4471; CD-8812").collect::<Vec<_>>(), ["AB-4471", "CD-8812"]);
        assert_eq!(codes("A; 1").collect::<Vec<_>>(), ["A; 1"]);
    }
}
