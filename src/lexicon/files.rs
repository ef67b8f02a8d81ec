//! The shipped data files and how they are read.
//!
//! ```text
//! data/*.tsv.zst    #name⇥count⇥origin         compiled by build.py; sources and licences in data/SOURCES.md
//! written/*.txt     [section] a, b, c: d|e     written for this project; `#` begins a comment line
//! ```

use std::io::Read;

/// Text of a compiled file, unpacked. The file is part of the program, so that failure means a broken build.
pub(super) fn unpack(packed: &[u8]) -> String {
    let mut text = String::with_capacity(packed.len() * 5);
    zstd::stream::read::Decoder::new(packed)
        .and_then(|mut decoder| decoder.read_to_string(&mut text))
        .expect("the data files inside the program are whole");
    text
}

/// Text of a compiled file that is read for as long as the process lives.
pub(super) fn unpack_forever(packed: &[u8]) -> &'static str {
    Box::leak(unpack(packed).into_boxed_str())
}

/// The rows of a compiled file, split into as many fields as are asked for; shorter rows are filled with nothing.
pub(super) fn rows<const FIELDS: usize>(text: &str) -> impl Iterator<Item = [&str; FIELDS]> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split('\t');
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    })
}

/// The items of a written file, each with the section that it stands in.
pub(super) fn items(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut section = "";
    text.lines().filter(|line| !line.starts_with('#')).flat_map(move |line| {
        let line = line.trim();
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        section = heading.unwrap_or(section);
        let line = if heading.is_some() { "" } else { line };
        let current = section;
        line.split(',').map(str::trim).filter(|item| !item.is_empty()).map(move |item| (current, item))
    })
}

/// The items of one section of a written file.
pub(super) fn section(text: &'static str, name: &str) -> Vec<&'static str> {
    items(text).filter(|(section, _)| *section == name).map(|(_, item)| item).collect()
}

macro_rules! compiled {
    ($($name:ident = $file:literal;)+) => {
        $(pub(super) const $name: &[u8] = include_bytes!(concat!("data/", $file));)+

        /// Every compiled file by name.
        #[cfg(test)]
        pub(super) const COMPILED: &[(&str, &[u8])] = &[$(($file, $name),)+];
    };
}

compiled! {
    SURNAMES = "surnames.tsv.zst";
    GIVEN_NAMES = "given_names.tsv.zst";
    NICKNAMES = "nicknames.tsv.zst";
    ENGLISH = "english.tsv.zst";
    MEDICAL = "medical.tsv.zst";
    US_PLACES = "us_places.tsv.zst";
    US_TOWNS = "us_towns.tsv.zst";
    WORLD_CITIES = "world_cities.tsv.zst";
    US_COUNTIES = "us_counties.tsv.zst";
    COUNTRIES = "countries.tsv.zst";
    PROFESSIONS = "professions.tsv.zst";
    COMPANY_FORMS = "company_forms.tsv.zst";
    STREET_SUFFIXES = "street_suffixes.tsv.zst";
}

pub(super) const MEDICAL_WRITTEN: &str = include_str!("written/medical.txt");
pub(super) const DRUGS_WRITTEN: &str = include_str!("written/drugs.txt");
pub(super) const CLINICAL_WORDS_WRITTEN: &str = include_str!("written/clinical_words.txt");
pub(super) const ABROAD_WORDS_WRITTEN: &str = include_str!("written/abroad_words.txt");
pub(super) const EPONYMS_WRITTEN: &str = include_str!("written/eponyms.txt");
pub(super) const PROFESSIONS_WRITTEN: &str = include_str!("written/professions.txt");
pub(super) const ORGANIZATIONS_WRITTEN: &str = include_str!("written/organizations.txt");
pub(super) const PLACES_WRITTEN: &str = include_str!("written/places.txt");
pub(super) const WORLD_NAMES_WRITTEN: &str = include_str!("written/world_names.txt");
pub(super) const NAMES_WRITTEN: &str = include_str!("written/names.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_the_rows_that_its_source_table_says() {
        let sources = include_str!("data/SOURCES.md");
        for (name, packed) in COMPILED {
            let row = sources.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
            let said: usize = row.split('|').nth(2).unwrap().trim().parse().unwrap();
            let text = unpack(packed);
            let columns = text.lines().next().unwrap().split('\t').count();
            assert!(text.starts_with('#'), "{name}");
            assert_eq!(text.lines().count() - 1, said, "{name}");
            assert!(text.lines().skip(1).all(|line| line.split('\t').count() == columns), "{name}");
        }
    }

    #[test]
    fn sections_hold_their_items() {
        let text = "# note\n[one]\na, b c,\nd\n[two]\ne: f|g\n";
        let all: Vec<_> = items(text).collect();
        assert_eq!(all, [("one", "a"), ("one", "b c"), ("one", "d"), ("two", "e: f|g")]);
        assert_eq!(section(text, "two"), ["e: f|g"]);
    }
}
