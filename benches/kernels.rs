//! How fast notes are cut into sentences, cut and hashed, and matched by templates: MB of text a second on one core.
//!
//! ```text
//! cargo bench --no-default-features --bench kernels
//! ```
//!
//! Without the engine, which it does not need, it is built in minutes.
//!
//! The text is notes of the generator, one by one as a corpus job reads them, and the same notes as one text of one line, which no
//! line break helps through.

#[path = "kernels/templates.rs"]
mod templates;

use std::hint::black_box;
use std::time::Instant;

use plainsight::generate::{GenerateOptions, Warehouse};
use plainsight::text::{SentenceHasher, sentences};

/// Readings of each text; the best one counts.
const READINGS: usize = 21;

fn main() {
    let notes = generated();
    let one_line = [notes.concat().replace('\n', " ")];
    let hasher = SentenceHasher::new(&[7; 32]);
    for (name, texts) in [("generated notes", &notes[..]), ("the same in one line", &one_line[..])] {
        let bytes: usize = texts.iter().map(String::len).sum();
        let count: usize = texts.iter().map(|text| sentences(text).count()).sum();
        println!("\n{name}: {:.1} MB, {count} sentences", bytes as f64 / 1e6);
        let report = |name: &str, seconds: f64| println!("  {name:<32}{:>8.0} MB/s", bytes as f64 / 1e6 / seconds);
        let cut = |text: &str| sentences(text).fold(0, |count, range| count + usize::from(black_box(range.end) > 0));
        let hashed = |text: &str, range: std::ops::Range<usize>| black_box(hasher.hash(&text[range]))[0];
        report("segmentation", best(texts, cut));
        report(
            "segmentation and keyed hash",
            best(texts, |text| sentences(text).map(|range| usize::from(hashed(text, range))).sum()),
        );
    }
    for rules in [500, 5_000, 50_000] {
        templates::templates(rules, 50);
    }
}

/// The least time in seconds of reading all texts once.
fn best(texts: &[String], mut read: impl FnMut(&str) -> usize) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..READINGS {
        let begun = Instant::now();
        black_box(texts.iter().map(|text| read(text)).sum::<usize>());
        least = least.min(begun.elapsed().as_secs_f64());
    }
    least
}

fn generated() -> Vec<String> {
    let warehouse = Warehouse::new(GenerateOptions { notes: 2_000, patients: 100, seed: 1, canary: false });
    (0..2_000).map(|index| warehouse.note(index).text).collect()
}
