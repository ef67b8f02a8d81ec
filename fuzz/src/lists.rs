//! Inclusion lists, review files and the dictionary of a site.

use plainsight::detect::inclusion::ReviewFile;
use plainsight::detect::{InclusionList, SentenceDetector, SiteDictionary};
use plainsight::text::ContextMode;
use plainsight::text::sentences;

use crate::input::{self, assert_sound};

/// Any text as each of them. What a review file reads, it writes, and reads again the same.
pub fn lists(bytes: &[u8]) {
    let text = input::text(bytes);
    if let Ok(list) = InclusionList::parse(&text) {
        assert_eq!(list.is_empty(), list.len() == 0);
        let ranges: Vec<_> = sentences(&text).collect();
        for sentence in ContextMode::Around.sentences(&text, &ranges) {
            list.contains(sentence);
        }
    }
    if let Ok(file) = ReviewFile::parse(&text) {
        let again = ReviewFile::parse(&file.to_csv()).expect("what a review file writes can be read");
        assert_eq!(again, file);
        InclusionList::parse(&file.to_csv()).expect("a review file is an inclusion list");
    }
    if let Ok(dictionary) = SiteDictionary::parse(&text) {
        let mut spans = Vec::new();
        dictionary.detect(&text, &mut spans);
        assert_sound(&text, &spans);
    }
}
