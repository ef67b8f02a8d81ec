//! The segmenter against clinical notes of many kinds, each written for this and cut by hand.
//!
//! `Seen by Dr. Lee.¶ Well.¶`: a mark after each sentence. `␍` stands for a carriage return, `␌` for a form feed, and `␤`, `␊`
//! and `␞` for the next line, the line separator and the paragraph separator of Unicode.

use std::path::Path;

use super::sentences;

/// A text with a mark after each of its sentences.
fn marked(text: &str) -> String {
    let (mut marked, mut at) = (String::new(), 0);
    for range in sentences(text) {
        marked.push_str(&text[at..range.end]);
        marked.push('¶');
        at = range.end;
    }
    marked + &text[at..]
}

#[test]
fn notes_are_cut_as_by_hand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/text/golden");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 14, "{} files", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let signs = [('␍', "\r"), ('␌', "\x0C"), ('␤', "\u{85}"), ('␊', "\u{2028}"), ('␞', "\u{2029}")];
        let read = std::fs::read_to_string(&file).unwrap();
        let expected = signs.iter().fold(read, |text, (sign, stands_for)| text.replace(*sign, stands_for));
        let found = marked(&expected.replace('¶', ""));
        let lines = expected.lines().zip(found.lines()).filter(|(expected, found)| expected != found);
        wrong.extend(lines.map(|(expected, found)| format!("expected {expected}\n   found {found}")));
        if found.lines().count() != expected.lines().count() {
            wrong.push(format!("{}: not as many lines", file.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
