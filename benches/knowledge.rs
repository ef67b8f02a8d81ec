//! How fast the knowledge detectors read: MB of text a second on one core, each member by itself and all of them, and what one
//! more dictionary of 100,000 terms costs.
//!
//! ```text
//! cargo bench --no-default-features --bench knowledge
//! ```
//!
//! Without the engine, which it does not need, it is built in minutes.
//!
//! The text is the hand-written notes of `tests/notes` and notes of the generator, in sentences, each read as often as it comes.

#[path = "../tests/notes/markup.rs"]
#[expect(dead_code, reason = "the notes are read, not written")]
mod markup;

use std::path::Path;
use std::time::Instant;

use plainsight::detect::dictionary::DictionaryDetector;
use plainsight::detect::patterns::PatternDetector;
use plainsight::detect::{Ensemble, InclusionList, SentenceDetector, SiteDictionary, Templates};
use plainsight::generate::{GenerateOptions, Warehouse};
use plainsight::lexicon::Lexicon;

/// Readings of each text; the best one counts.
const READINGS: usize = 7;

fn main() {
    let begun = Instant::now();
    Lexicon::shared();
    println!("lexicon loaded in {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    let terms = site_terms();
    let site = SiteDictionary::parse(&terms).expect("each line is a label, a tab and a word");
    for (name, text) in [("hand-written notes", handwritten()), ("generated notes", generated())] {
        let sentences: Vec<&str> = plainsight::text::sentences(&text).map(|range| &text[range]).collect();
        println!("\n{name}: {:.1} MB, {} sentences", text.len() as f64 / 1e6, sentences.len());
        let report = |name: &str, seconds: f64| println!("  {name:<32}{:>8.1} MB/s", text.len() as f64 / 1e6 / seconds);
        let (patterns, dictionary) = (PatternDetector::new(), DictionaryDetector::new());
        report("patterns", member(&patterns, &sentences));
        report("dictionary", member(&dictionary, &sentences));
        let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
        let plain = best(&sentences, |sentence| ensemble.detect_by_knowledge(sentence).len());
        report("the ensemble", plain);
        let more = member(&site, &sentences);
        println!("  a dictionary of {} terms more: {:.1} % of the ensemble's time", site.len(), 100.0 * more / plain);
    }
}

fn member(detector: &dyn SentenceDetector, sentences: &[&str]) -> f64 {
    let mut spans = Vec::new();
    best(sentences, |sentence| {
        spans.clear();
        detector.detect(sentence, &mut spans);
        spans.len()
    })
}

/// The least time in seconds of reading all sentences once.
fn best(sentences: &[&str], mut read: impl FnMut(&str) -> usize) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..READINGS {
        let begun = Instant::now();
        let found: usize = sentences.iter().map(|sentence| read(sentence)).sum();
        std::hint::black_box(found);
        least = least.min(begun.elapsed().as_secs_f64());
    }
    least
}

fn handwritten() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes");
    let sets = ["development", "held"].map(|half| markup::NoteSet::read(&folder.join(half)));
    let texts = sets.iter().flatten().flat_map(|set| &set.notes).filter_map(|note| note["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn generated() -> String {
    let warehouse = Warehouse::new(GenerateOptions { notes: 2_000, patients: 100, seed: 1, canary: false });
    (0..2_000).map(|index| warehouse.note(index).text).collect::<Vec<_>>().join("\n")
}

/// A hundred thousand terms of one to three made-up words.
fn site_terms() -> String {
    let word = |number: usize| -> String {
        let letters = b"bcdfghjklmnprstvw";
        let mut rest = number * 7_919 + 13;
        (0..3)
            .flat_map(|_| {
                let consonant = letters[rest % letters.len()] as char;
                rest /= letters.len();
                let vowel = b"aeiou"[rest % 5] as char;
                rest /= 5;
                [consonant, vowel]
            })
            .collect()
    };
    (0..100_000)
        .map(|number| {
            let words: Vec<String> = (0..1 + number % 3).map(|place| word(number + place * 104_729)).collect();
            format!("HOSPITAL\t{}\n", words.join(" "))
        })
        .collect()
}
