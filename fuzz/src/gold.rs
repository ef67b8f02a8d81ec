//! Readers of annotated corpora.

use plainsight::evaluate::LabelMap;
use plainsight::evaluate::gold::{AnnotatedNote, brat, conll, i2b2_2006, i2b2_2014};

use crate::input::{self, parts};

/// The format, the file, and for brat the note's text. Annotations that are let through lie in their text.
pub fn gold(bytes: &[u8]) {
    let text = input::text(bytes);
    let [format, file, note] = parts(&text);
    let read: Vec<AnnotatedNote> = match format {
        "brat" => brat("1", note, file).into_iter().collect(),
        "conll" => conll("1", file).into_iter().flatten().collect(),
        "i2b2-2006" => i2b2_2006(file).into_iter().flatten().collect(),
        _ => i2b2_2014("1", file).into_iter().collect(),
    };
    for note in &read {
        let length = note.text.as_deref().map_or(usize::MAX, |text| text.chars().count());
        assert!(note.spans.iter().all(|span| span.start < span.end && span.end <= length));
        for name in LabelMap::names() {
            let map = LabelMap::named(name).expect("it is one of the names");
            let _ = (map.gold(&note.spans), map.predicted(&note.spans));
        }
    }
}
