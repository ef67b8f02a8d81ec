//! Word pieces of sentences, with their places in bytes of the sentence as it is.
//!
//! ```text
//! "José Smithson"  ──▶  [CLS] jose smith ##son [SEP]
//!                             0..5 6..11 11..14          accents are gone from the piece, not from the place
//! ```

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;
use tokenizers::{Encoding, Tokenizer};

use super::error::NeuralError;
use super::unharmed::unharmed;

/// A sentence's pieces without the special ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pieces {
    pub(super) ids: Vec<i32>,
    /// Bytes of the sentence, on character boundaries.
    pub(super) places: Vec<Range<usize>>,
}

/// Cuts sentences into a model's word pieces.
#[derive(Debug)]
pub(super) struct PieceTokenizer {
    tokenizer: Tokenizer,
    /// The special pieces before a window.
    pub(super) prefix: Vec<i32>,
    /// The special pieces after it.
    pub(super) suffix: Vec<i32>,
    /// The highest number of a piece, which the model must know too.
    pub(super) highest: i32,
}

impl PieceTokenizer {
    /// A tokenizer from the bytes of its file at `path`.
    pub(super) fn new(bytes: &[u8], path: &Path) -> Result<Self, NeuralError> {
        let fail = |reason: &str| NeuralError::Tokenizer { path: path.to_owned(), reason: reason.to_owned() };
        let file: Value = serde_json::from_slice(bytes).map_err(|error| fail(&format!("is no tokenizer: {error}")))?;
        if !processor_holds(&file["post_processor"]) {
            return Err(fail("has a template with a special piece that it does not define"));
        }
        let mut tokenizer = unharmed("tokenizers", || serde_json::from_value::<Tokenizer>(file))
            .map_err(|reason| fail(&reason))?
            .map_err(|error| fail(&format!("is no tokenizer: {error}")))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|_| fail("does not let its truncation be switched off"))?;
        // A note that has "[SEP]" in it says five characters, and does not end its sentence for the model.
        tokenizer.set_encode_special_tokens(true);
        let probe = tokenizer.encode("a", true).map_err(|_| fail("cannot cut the text `a` into pieces"))?;
        let is_special: Vec<bool> = probe.get_special_tokens_mask().iter().map(|&flag| flag == 1).collect();
        let ids = numbers(probe.get_ids()).ok_or_else(|| fail("has a piece with a number above 2^31"))?;
        let before = is_special.iter().take_while(|special| **special).count();
        let after = is_special[before..].iter().rev().take_while(|special| **special).count();
        let (prefix, suffix) = (ids[..before].to_vec(), ids[ids.len() - after..].to_vec());
        let highest = tokenizer.get_vocab(true).into_values().max().unwrap_or(0);
        let highest = i32::try_from(highest).map_err(|_| fail("has a piece with a number above 2^31"))?;
        Ok(Self { tokenizer, prefix, suffix, highest })
    }

    /// How many special pieces stand around every window.
    pub(super) fn specials(&self) -> usize {
        self.prefix.len() + self.suffix.len()
    }

    /// The pieces of every sentence, cut in parallel.
    pub(super) fn cut(&self, sentences: &[&str]) -> Result<Vec<Pieces>, NeuralError> {
        let encodings = self.tokenizer.encode_batch(sentences.to_vec(), false).map_err(|_| NeuralError::Tokenize)?;
        sentences.par_iter().zip(&encodings).map(|(sentence, encoding)| pieces(sentence, encoding)).collect()
    }
}

/// Whether the templates by which special pieces are put around a text name only pieces that are defined, and only the one text. The library
/// takes that for granted when it applies them.
fn processor_holds(processor: &Value) -> bool {
    let defined = |name: &str| {
        let piece = &processor["special_tokens"][name];
        let length = |list: &str| piece[list].as_array().map(Vec::len);
        length("ids").is_some() && length("ids") == length("tokens")
    };
    let holds = |piece: &Value| match piece["SpecialToken"]["id"].as_str() {
        Some(name) => defined(name),
        None => piece["Sequence"]["id"] == "A",
    };
    let template = processor["single"].as_array().is_none_or(|single| single.iter().all(holds));
    template && processor["processors"].as_array().is_none_or(|processors| processors.iter().all(processor_holds))
}

fn pieces(sentence: &str, encoding: &Encoding) -> Result<Pieces, NeuralError> {
    let ids = numbers(encoding.get_ids()).ok_or(NeuralError::Tokenize)?;
    // A tokenizer of bytes may cut a character; both parts then have its place.
    let places = encoding.get_offsets().iter();
    let places = places.map(|&(start, end)| sentence.floor_char_boundary(start)..sentence.ceil_char_boundary(end));
    Ok(Pieces { ids, places: places.collect() })
}

fn numbers(ids: &[u32]) -> Option<Vec<i32>> {
    ids.iter().map(|&id| i32::try_from(id).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokenizer() -> PieceTokenizer {
        PieceTokenizer::new(include_bytes!("fixtures/plain/tokenizer.json"), Path::new("tokenizer.json")).unwrap()
    }

    /// Pieces as the stretches of text that they stand for.
    fn cut(text: &str) -> Vec<&str> {
        tokenizer().cut(&[text]).unwrap()[0].places.iter().map(|place| &text[place.clone()]).collect()
    }

    #[test]
    fn special_pieces_stand_around() {
        let tokenizer = tokenizer();
        assert_eq!(
            (tokenizer.prefix.as_slice(), tokenizer.suffix.as_slice(), tokenizer.specials()),
            (&[2][..], &[3][..], 2)
        );
        assert!(tokenizer.highest > 100);
    }

    #[test]
    fn places_are_those_of_the_text_as_it_is() {
        assert_eq!(cut("Mr SMITHson"), ["Mr", "SMITH", "son"]);
        // Accents that are parts of letters and accents of their own, letters that fold to others, marks without a piece.
        assert_eq!(cut("É né\u{301}"), ["É", "n", "é"]);
        assert_eq!(cut("中文 😀x"), ["中", "文", "😀x"]);
        assert_eq!(cut("a\u{ad}b\u{200b}\u{0}c\tİ ﬁ"), ["a", "b", "c", "İ", "ﬁ"]);
        assert_eq!(cut("  \u{3000}"), [""; 0]);
    }

    #[test]
    fn special_pieces_in_a_note_are_text() {
        let pieces = &tokenizer().cut(&["[SEP] a"]).unwrap()[0];
        assert!(!pieces.ids.contains(&3) && pieces.ids.len() > 2, "{pieces:?}");
    }

    #[test]
    fn what_is_no_tokenizer_is_refused() {
        let refused = |bytes: &[u8]| PieceTokenizer::new(bytes, Path::new("tokenizer.json")).unwrap_err().to_string();
        assert!(refused(b"{}").starts_with("`tokenizer.json`: is no tokenizer"));
        assert!(refused(&[0xFF, 0, 1]).starts_with("`tokenizer.json`: is no tokenizer"));
        assert!(refused(b"[1]").starts_with("`tokenizer.json`: is no tokenizer"));
        // The library panics on these, and not on what is no JSON elsewhere.
        let good = include_str!("fixtures/plain/tokenizer.json");
        let broken = good.replace("\"decoder\":null", "\"decoder\":{,");
        assert!(broken != good && refused(broken.as_bytes()).starts_with("`tokenizer.json`: is no tokenizer"));
        let mut file: Value = serde_json::from_str(good).unwrap();
        file["normalizer"] = serde_json::json!({"type": "Precompiled", "precompiled_charsmap": 7});
        assert!(refused(file.to_string().as_bytes()).contains("tokenizers has stopped in it"));
    }

    #[test]
    fn a_template_of_pieces_that_are_not_defined_is_refused() {
        let good = include_str!("fixtures/plain/tokenizer.json");
        let mut file: Value = serde_json::from_str(good).unwrap();
        let template = file["post_processor"].clone();
        for (place, wrong) in [
            ("/single/0/SpecialToken/id", serde_json::json!("SCLS]")),
            ("/single/1/Sequence/id", serde_json::json!("B")),
            ("/special_tokens/[CLS]/tokens", serde_json::json!([])),
        ] {
            let mut processor = template.clone();
            *processor.pointer_mut(place).unwrap() = wrong;
            for processor in [processor.clone(), serde_json::json!({"type": "Sequence", "processors": [processor]})] {
                file["post_processor"] = processor;
                let bytes = serde_json::to_vec(&file).unwrap();
                let refused = PieceTokenizer::new(&bytes, Path::new("tokenizer.json")).unwrap_err().to_string();
                assert!(refused.contains("does not define"), "{place}: {refused}");
            }
        }
    }

    proptest! {
        #[test]
        fn pieces_follow_on_each_other(text in "\\PC{0,40}|[a-zA-Z0-9 ,.\u{301}é\\n\\t\u{0}]{0,60}") {
            let pieces = tokenizer().cut(&[text.as_str()]).unwrap().remove(0);
            prop_assert_eq!(pieces.ids.len(), pieces.places.len());
            prop_assert!(pieces.places.windows(2).all(|pair| pair[0].end <= pair[1].start));
            prop_assert!(pieces.places.iter().all(|place| text.get(place.clone()).is_some()));
            // Every letter and digit of English is in a piece.
            for (at, _) in text.char_indices().filter(|(_, character)| character.is_ascii_alphanumeric()) {
                prop_assert!(pieces.places.iter().any(|place| place.contains(&at)));
            }
        }
    }
}
