//! Short forms that stay with their names: `Johnny` and `Jack` are the same man as `John`, and so are their surrogates.
//!
//! ```text
//! John     Jack   Johnny   Jon             name ─▶ another name with short forms, as all names go
//!  ↓        ↓       ↓       ↓              its forms ─▶ the forms of that name, one for one
//! Daniel   Dan    Danny    Dannie
//! ```
//!
//! So it is for the commonest women's and men's names of each letter with many names; each has the same number of forms, and a name is a form of
//! one name at most. Where too few are known, short names that begin alike fill up, or made ones. A short form that begins with another letter
//! than its name (`Bill`, `Peggy`) moves by itself, since surrogates begin with what initials become.

use std::collections::{HashMap, HashSet};

use super::casing::{Casing, fold};
use super::lists::first_letter;
use super::special_words::is_special;
use crate::lexicon::{Lexicon, Origin, Sex};

/// Short forms of each name that has any.
pub(super) const SHORT_FORMS: usize = 3;
/// How many names of one sex and letter have short forms: the commonest.
pub(super) const NAMES_WITH_FORMS: usize = 24;
/// The kinds whose names have short forms: women's and men's.
const KINDS: u8 = 2;
/// The group of names in which every letter but the rare ones has enough of them.
const ORIGIN: Origin = Origin::White;
const RARE_LETTERS: &[u8] = b"ioquxyz";
/// A name has this many times the bearers of its short forms: what is nearly as common is a name of its own.
const TIMES_COMMONER: u32 = 3;
/// A form that fills up begins with as many letters of its name.
const ALIKE: usize = 3;

/// A given name that more people bear as such than as a surname.
#[derive(Debug, Clone, Copy)]
pub(super) struct GivenName {
    pub name: &'static str,
    /// 0 for women's names, 1 for men's, 2 for either's.
    pub kind: u8,
    pub origin: Option<Origin>,
    pub count: u32,
}

/// A name with its short forms: a plain one first, then one as `Johnny`, then another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    pub name: &'static str,
    pub forms: [&'static str; SHORT_FORMS],
}

/// Names that the census of the United States lacks, which the lexicon knows all the same.
const WORLD_NAMES: &str = include_str!("../lexicon/written/world_names.txt");
/// The bearers that the lexicon gives them.
const WORLD_COUNT: u32 = 500;

/// The names of a section of [`WORLD_NAMES`].
pub(super) fn world_names(section: &str) -> impl Iterator<Item = (&'static str, u32)> {
    let mut within = false;
    let names = WORLD_NAMES.lines().filter(|line| !line.starts_with('#')).flat_map(move |line| {
        let heading = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        within = heading.map_or(within, |heading| heading == section);
        let names = if heading.is_none() && within { line } else { "" };
        names.split(',').map(str::trim).filter(|name| !name.is_empty())
    });
    // As the names of the census: other ones have no place among names that are told by their letters.
    names.filter(|name| fold(name).bytes().all(|byte| byte.is_ascii_lowercase())).map(|name| (name, WORLD_COUNT))
}

/// The given names from which surrogates are chosen, the commonest first, each spelling once.
pub(super) fn given_names(lexicon: &'static Lexicon) -> Vec<GivenName> {
    let of_census = lexicon.given_names().iter().map(|given| {
        let kind = match given.sex {
            Some(Sex::Female) => 0,
            Some(Sex::Male) => 1,
            None => 2,
        };
        GivenName { name: given.name, kind, origin: given.origin, count: given.count }
    });
    let known: HashSet<String> = of_census.clone().map(|given| fold(given.name)).collect();
    let of_world = world_names("given")
        .filter(|(name, _)| !known.contains(&fold(name)))
        .map(|(name, count)| GivenName { name, kind: 2, origin: None, count });
    let mut names: Vec<GivenName> = of_census.chain(of_world).collect();
    names.sort_by_key(|given| std::cmp::Reverse(given.count));
    let mut seen = HashSet::new();
    names.retain(|given| {
        let folded = fold(given.name);
        let usable = first_letter(&folded).is_some() && folded.len() > 1 && !is_special(&folded);
        let surname = lexicon.surname(given.name).is_some_and(|surname| surname.count > given.count);
        usable && !surname && seen.insert(folded)
    });
    names
}

/// The names that have short forms, with these.
pub(super) fn families(lexicon: &'static Lexicon, given_names: &[GivenName]) -> Vec<Family> {
    let mut forms = Forms::new(lexicon, given_names);
    let mut found: Vec<(GivenName, Vec<&'static str>)> = Vec::new();
    let mut counts: HashMap<(u8, u8), usize> = HashMap::new();
    for given in given_names {
        let Some(letter) = given.name.bytes().next().map(|letter| letter.to_ascii_lowercase()) else { continue };
        if given.kind >= KINDS || given.origin != Some(ORIGIN) || RARE_LETTERS.contains(&letter) || forms.taken(given) {
            continue;
        }
        let count = counts.entry((given.kind, letter)).or_default();
        if *count < NAMES_WITH_FORMS {
            *count += 1;
            found.push((*given, forms.known(given)));
        }
    }
    // What fills up comes last: it must be no name that has forms itself.
    forms.taken.extend(found.iter().map(|(given, _)| given.name));
    found.into_iter().map(|(given, known)| forms.family(&given, &known)).collect()
}

/// What may be a short form.
struct Forms<'a> {
    lexicon: &'static Lexicon,
    by_folded: HashMap<String, &'a GivenName>,
    by_beginning: HashMap<String, Vec<&'a GivenName>>,
    /// Forms of a name, and names with forms.
    taken: HashSet<&'static str>,
}

impl<'a> Forms<'a> {
    fn new(lexicon: &'static Lexicon, given_names: &'a [GivenName]) -> Self {
        let mut by_beginning: HashMap<String, Vec<&GivenName>> = HashMap::new();
        for given in given_names {
            if let Some(beginning) = fold(given.name).get(..ALIKE) {
                by_beginning.entry(beginning.to_owned()).or_default().push(given);
            }
        }
        let by_folded = given_names.iter().map(|given| (fold(given.name), given)).collect();
        Self { lexicon, by_folded, by_beginning, taken: HashSet::new() }
    }

    fn taken(&self, given: &GivenName) -> bool {
        self.taken.contains(given.name)
    }

    /// The forms that the lexicon knows of a name, the commonest first; they are then its own.
    fn known(&mut self, given: &GivenName) -> Vec<&'static str> {
        let initial = first_letter(&fold(given.name));
        let mut known: Vec<&GivenName> = self
            .lexicon
            .nicknames(given.name)
            .iter()
            .filter_map(|form| self.by_folded.get(*form).copied())
            .filter(|form| {
                first_letter(&fold(form.name)) == initial
                    && form.count <= given.count / TIMES_COMMONER
                    && form.name.len() <= given.name.len() + 2
                    && (form.kind == given.kind || form.kind == KINDS)
                    && !self.taken(form)
            })
            .collect();
        known.sort_by(|left, right| right.count.cmp(&left.count).then(left.name.cmp(right.name)));
        known.truncate(SHORT_FORMS);
        self.taken.extend(known.iter().map(|form| form.name));
        known.into_iter().map(|form| form.name).collect()
    }

    fn family(&mut self, given: &GivenName, known: &[&'static str]) -> Family {
        let mut forms = [None; SHORT_FORMS];
        // A plain form and an endearing one have their places, so that each becomes one of its sort.
        for form in known {
            let own = usize::from(is_endearing(form));
            let place = [own, 2, 1 - own].into_iter().find(|&place| forms[place].is_none());
            if let Some(place) = place {
                forms[place] = Some(*form);
            }
        }
        let name = given.name;
        Family { name, forms: [0, 1, 2].map(|place| forms[place].unwrap_or_else(|| self.filling(given, place))) }
    }

    /// A name that may pass for a short form: one that begins alike, or a made one.
    fn filling(&mut self, given: &GivenName, place: usize) -> &'static str {
        let folded = fold(given.name);
        let fits = |form: &&&GivenName| {
            let length = form.name.len();
            let sort = place == 2 || is_endearing(form.name) == (place == 1);
            sort && length <= given.name.len() + usize::from(place == 1)
                && form.count <= given.count / TIMES_COMMONER
                && (form.kind == given.kind || form.kind == KINDS)
                && !self.taken(form)
        };
        let alike = folded.get(..ALIKE).and_then(|beginning| self.by_beginning.get(beginning));
        let form = match alike.and_then(|alike| alike.iter().find(fits)) {
            Some(form) => form.name,
            None => self.made(&folded),
        };
        self.taken.insert(form);
        form
    }

    /// A form that no list holds: `Keith`, `Keithy`; `Gladys`, `Glad`, `Gladdy`.
    fn made(&self, folded: &str) -> &'static str {
        let vowel = |letter: &u8| b"aeiouy".contains(letter);
        let first = folded.bytes().position(|letter| vowel(&letter)).unwrap_or(0);
        let end = first + folded.bytes().skip(first).take_while(vowel).count();
        let stem = folded.get(..=end).unwrap_or(folded);
        const ENDINGS: [&str; 10] = ["ie", "y", "", "ey", "sie", "kin", "lie", "nie", "die", "bie"];
        let listed = |form: &str| {
            self.lexicon.given_name(form).is_some() || self.lexicon.surname(form).is_some() || is_special(form)
        };
        let made = (0..)
            .flat_map(|times| ENDINGS.map(|ending| format!("{stem}{}{ending}", "n".repeat(times))))
            .map(|form| Casing::Title.apply(&form))
            .find(|form| form.len() > 2 && !listed(&fold(form)) && !self.taken.contains(form.as_str()));
        // Few are made, once, and the tables that hold them live as long as the program.
        Box::leak(made.unwrap_or_default().into_boxed_str())
    }
}

fn is_endearing(form: &str) -> bool {
    form.ends_with(['y', 'i']) || form.ends_with("ie")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::tables::Tables;

    #[test]
    fn short_forms_belong_to_their_names() {
        let tables = Tables::shared();
        for (name, form) in [
            ("john", "johnny"),
            ("john", "jack"),
            ("william", "will"),
            ("robert", "rob"),
            ("michael", "mike"),
            ("daniel", "danny"),
            ("elizabeth", "ellie"),
            ("katherine", "kate"),
            ("margaret", "maggie"),
        ] {
            let (name, form) = (tables.name(name).unwrap(), tables.name(form).unwrap());
            assert!(name.short_form.is_none() && form.short_form.is_some());
            assert_eq!((name.kind, name.position), (form.kind, form.position));
        }
    }

    #[test]
    fn every_letter_with_many_names_has_equally_many_families() {
        let lexicon = Lexicon::shared();
        let given_names = given_names(lexicon);
        let families = families(lexicon, &given_names);
        let letters = 26 - RARE_LETTERS.len();
        assert_eq!(families.len(), usize::from(KINDS) * letters * NAMES_WITH_FORMS);
        let mut forms: Vec<String> = families
            .iter()
            .flat_map(|family| family.forms)
            .map(fold)
            .chain(families.iter().map(|family| fold(family.name)))
            .collect();
        let all = forms.len();
        forms.sort_unstable();
        forms.dedup();
        assert_eq!(forms.len(), all);
        for family in &families {
            assert!(family.forms.iter().all(|form| form.as_bytes()[0] == family.name.as_bytes()[0]), "{family:?}");
        }
    }
}
