//! How fast transformers read, by model and runtime, and whether they say the same.
//!
//! ```text
//! cargo bench --bench models --profile dev --config profile.dev.opt-level=3 -- \
//!     [--sentences 10000] [--pieces 1024] [--onnxruntime libonnxruntime.so [--device cuda]] [--texts sentences.txt] \
//!     [--words 100 …] models/bge-small-phi [FOLDER …]
//! ```
//!
//! The sentences are distinct ones of generated notes, of two words or more. Each folder is read with rten and, where a
//! library is given, with ONNX Runtime. What the first row says of each word is compared with what every other row says; differences
//! are listed by the numbers of sentence and word. `--pieces` are the word pieces of a batch. `--texts` writes the sentences to a file, one a
//! line, for `peers/pipeline.py`. With `--device` ONNX Runtime reads alone, there. Each `--words` has sentences of so many words of one piece
//! read too, for the rate of full batches, told in operations of the encoder a second as well.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use plainsight::detect::neural::{Device, JudgedWord, NeuralDetector, NeuralError, RuntimeChoice, RuntimeOptions};
use plainsight::generate::{GenerateOptions, Warehouse};

/// Differences that are listed; all are counted.
const LISTED: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::read(std::env::args().skip(1).filter(|argument| argument != "--bench"))?;
    let texts = sentences(options.sentences);
    if let Some(file) = options.texts.take() {
        std::fs::write(file, texts.join("\n") + "\n")?;
    }
    let sentences: Vec<&str> = texts.iter().map(String::as_str).collect();
    let bytes: usize = sentences.iter().map(|sentence| sentence.len()).sum();
    println!("{} sentences of {} bytes on average\n", sentences.len(), bytes / sentences.len().max(1));
    println!("{:<28}{:<14}{:>8}{:>13}{:>14}", "model", "runtime", "MB", "sentences/s", "same words");
    let mut first: Option<Vec<Vec<JudgedWord>>> = None;
    for folder in &options.folders {
        let other = options.library.clone().map(|library| (RuntimeChoice::OnnxRuntime, Some(library)));
        let rten = Some((RuntimeChoice::Rten, None)).filter(|_| options.device == Device::Auto);
        for (runtime, library) in rten.into_iter().chain(other) {
            let opened = RuntimeOptions { runtime, library, device: options.device, ..RuntimeOptions::default() };
            let detector = NeuralDetector::open(folder, &opened)?;
            let detector = match options.pieces {
                Some(pieces) => detector.with_pieces_at_once(pieces),
                None => detector,
            };
            let (judged, rate) = timed(&detector, &sentences)?;
            let size = std::fs::metadata(folder.join("model.onnx"))?.len() as f64 / 1e6;
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            print!("{name:<28}{:<14}{size:>8.1}{rate:>13.0}", detector.in_use().runtime);
            match &first {
                None => println!("{:>14}", "—"),
                Some(first) => compare(first, &judged),
            }
            for &words in &options.words {
                full(&detector, words)?;
            }
            first.get_or_insert(judged);
        }
    }
    Ok(())
}

/// Tells how fast batches of sentences of so many words are read, by the clock and in operations of the encoder: twice its weights a
/// piece, and twice the products of its attention.
fn full(detector: &NeuralDetector, words: usize) -> Result<(), NeuralError> {
    let sentence = vec!["pain"; words].join(" ");
    let sentences = vec![sentence.as_str(); 4_000_000 / words];
    let (_, rate) = timed(detector, &sentences)?;
    let pieces = (words + 2) as f64;
    let of_piece = LAYERS * (2.0 * 12.0 * WIDTH * WIDTH + 4.0 * pieces * WIDTH);
    let teraflops = rate * pieces * of_piece / 1e12;
    println!(
        "    of {words} words: {rate:.0} sentences/s, {:.2} million pieces/s, {teraflops:.0} TFLOP/s",
        rate * pieces / 1e6
    );
    Ok(())
}

/// The size of bge-small.
const LAYERS: f64 = 12.0;
const WIDTH: f64 = 384.0;

struct Options {
    device: Device,
    words: Vec<usize>,
    sentences: usize,
    pieces: Option<usize>,
    library: Option<PathBuf>,
    texts: Option<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            device: Device::Auto,
            words: Vec::new(),
            sentences: 10_000,
            pieces: None,
            library: None,
            texts: None,
            folders: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--sentences" => options.sentences = value()?.parse().map_err(|_| "--sentences needs a number")?,
                "--pieces" => options.pieces = Some(value()?.parse().map_err(|_| "--pieces needs a number")?),
                "--device" => options.device = value()?.parse().map_err(|error: NeuralError| error.to_string())?,
                "--words" => match value()?.parse() {
                    Ok(words) if words > 0 => options.words.push(words),
                    _ => return Err("--words needs a number from 1".to_owned()),
                },
                "--onnxruntime" => options.library = Some(value()?.into()),
                "--texts" => options.texts = Some(value()?.into()),
                folder => options.folders.push(folder.into()),
            }
        }
        if options.folders.is_empty() {
            options.folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("models/bge-small-phi"));
        }
        Ok(options)
    }
}

/// What the model says, and how many sentences a second it reads, after a first reading of some of them.
fn timed(detector: &NeuralDetector, sentences: &[&str]) -> Result<(Vec<Vec<JudgedWord>>, f64), NeuralError> {
    detector.judge_all(&sentences[..sentences.len().min(64)])?;
    let begun = Instant::now();
    let judged = detector.judge_all(sentences)?;
    Ok((judged, sentences.len() as f64 / begun.elapsed().as_secs_f64()))
}

/// Prints the share of words that both call the same, and where they differ.
fn compare(first: &[Vec<JudgedWord>], other: &[Vec<JudgedWord>]) {
    let said = |word: &JudgedWord| word.is_identifier().then_some((word.class, word.begins));
    let pairs = || first.iter().zip(other).enumerate();
    let words: usize = first.iter().map(Vec::len).sum();
    let different: Vec<(usize, usize)> = pairs()
        .flat_map(|(sentence, (left, right))| {
            let words = left.iter().zip(right).enumerate();
            let differing = words.filter(|(_, (left, right))| said(left) != said(right));
            differing.map(move |(word, _)| (sentence, word)).collect::<Vec<_>>()
        })
        .collect();
    println!("{:>13.3} %", 100.0 * (1.0 - different.len() as f64 / words.max(1) as f64));
    for &(sentence, word) in different.iter().take(LISTED) {
        let show = |judged: &JudgedWord| {
            let label = if judged.is_identifier() { judged.class.label.name() } else { "none" };
            format!("{label} ({}/1024)", judged.of_any)
        };
        println!(
            "    sentence {sentence}, word {word}: {} and {}",
            show(&first[sentence][word]),
            show(&other[sentence][word])
        );
    }
    if different.len() > LISTED {
        println!("    … and {} more", different.len() - LISTED);
    }
}

/// Distinct sentences of generated notes.
fn sentences(count: usize) -> Vec<String> {
    let warehouse = Warehouse::new(GenerateOptions { notes: 100_000, patients: 5_000, seed: 5, canary: false });
    let (mut seen, mut kept) = (HashSet::new(), Vec::with_capacity(count));
    for index in 0..100_000 {
        let text = warehouse.note(index).text;
        for range in plainsight::text::sentences(&text) {
            let sentence = &text[range];
            if kept.len() < count && sentence.contains(char::is_whitespace) && seen.insert(sentence.to_owned()) {
                kept.push(sentence.replace('\n', " "));
            }
        }
        if kept.len() == count {
            break;
        }
    }
    kept
}
