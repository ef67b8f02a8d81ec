//! Models as wholes: the tiny ones of `fixtures` through the runtimes, and a made-up runtime whose scores can be foreseen.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::detector::NeuralDetector;
use super::device::{Device, RuntimeChoice};
use super::error::NeuralError;
use super::labels::LabelScheme;
use super::manifest::{Manifest, ModelFolder};
use super::pieces::PieceTokenizer;
use super::runtime::{Batch, Logits, Runtime, RuntimeInUse, RuntimeOptions};
use super::shapes::SHAPES;
use crate::phi::Span;

const NOTES: [&str; 6] = [
    "Patient seen by Dr. John SMITHson on March 3, 2024 in Boston.",
    "Mary Márquez was in pain; no fever.",
    "",
    "MRN: 4471-22\n  JOSÉ in clinic",
    "a 😀 中文 \u{301} \u{0}",
    "x9 of the and mary john boston smith march pain seen patient clinic fever was 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/detect/neural/fixtures").join(name)
}

fn rten() -> RuntimeOptions {
    RuntimeOptions { runtime: RuntimeChoice::Rten, ..RuntimeOptions::default() }
}

/// ONNX Runtime, where the machine that runs the tests names a library.
pub(super) fn onnx_runtime() -> Option<RuntimeOptions> {
    std::env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty())?;
    Some(RuntimeOptions { runtime: RuntimeChoice::OnnxRuntime, device: Device::Cpu, ..RuntimeOptions::default() })
}

fn open(name: &str) -> NeuralDetector {
    NeuralDetector::open(&folder(name), &rten()).unwrap()
}

/// Opens a copy of the plain model after `change` was done to its folder.
fn changed(change: impl FnOnce(&Path)) -> Result<NeuralDetector, NeuralError> {
    let copy = tempfile::tempdir().unwrap();
    for name in ["model.toml", "model.onnx", "tokenizer.json"] {
        std::fs::copy(folder("plain").join(name), copy.path().join(name)).unwrap();
    }
    change(copy.path());
    NeuralDetector::open(copy.path(), &rten())
}

/// Opens a copy of the plain model with other words in its model.toml.
fn worded(old: &str, new: &str) -> Result<NeuralDetector, NeuralError> {
    changed(|copy| {
        let manifest = std::fs::read_to_string(copy.join("model.toml")).unwrap();
        assert!(manifest.contains(old));
        std::fs::write(copy.join("model.toml"), manifest.replace(old, new)).unwrap();
    })
}

/// Opens a copy of the plain model with another file in it, and its digest put right.
fn replaced(name: &str, bytes: &[u8]) -> Result<NeuralDetector, NeuralError> {
    changed(|copy| {
        let old = blake3::hash(&std::fs::read(copy.join(name)).unwrap()).to_hex();
        let manifest = std::fs::read_to_string(copy.join("model.toml")).unwrap();
        let manifest = manifest.replace(old.as_str(), blake3::hash(bytes).to_hex().as_str());
        std::fs::write(copy.join("model.toml"), manifest).unwrap();
        std::fs::write(copy.join(name), bytes).unwrap();
    })
}

/// The graph of the plain model, of which one operator asks for an axis that there is not.
fn without_an_axis() -> Vec<u8> {
    let (mut graph, axes) = (std::fs::read(folder("plain").join("model.onnx")).unwrap(), b"perm@\0@\x02@\x03@\x01");
    let at = graph.windows(axes.len()).position(|window| window == axes).unwrap();
    graph[at + 7] = 43;
    graph
}

fn assert_sound(text: &str, spans: &[Span]) {
    assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{spans:?}");
    for span in spans {
        let part = text.get(span.start..span.end).expect("spans stand on character boundaries");
        assert!(part.chars().any(char::is_alphanumeric), "{spans:?}");
        assert!(span.claims.iter().all(|claim| claim.score > 0.0 && claim.score <= 1.0), "{spans:?}");
        let before = text[..span.start].chars().next_back().zip(part.chars().next());
        let after = part.chars().next_back().zip(text[span.end..].chars().next());
        for (left, right) in before.into_iter().chain(after) {
            assert!(!(left.is_alphanumeric() && right.is_alphanumeric()), "a word is cut: {spans:?}");
        }
    }
}

#[test]
fn both_models_find_something_and_shapes_matter() {
    let (plain, shaped) = (open("plain"), open("shaped"));
    for model in [&plain, &shaped] {
        let spans = model.detect_all(&NOTES).unwrap();
        assert!(spans.iter().flatten().count() > 5);
        NOTES.iter().zip(&spans).for_each(|(note, spans)| assert_sound(note, spans));
    }
    let both = ["mary smith", "MARY Smith"];
    let words = |model: &NeuralDetector| -> Vec<Vec<u16>> {
        let judged = model.judge_all(&both).unwrap();
        judged.iter().map(|words| words.iter().map(|word| word.of_class).collect()).collect()
    };
    let (plain, shaped) = (words(&plain), words(&shaped));
    assert_eq!(plain[0], plain[1]);
    assert_ne!(shaped[0], shaped[1]);
}

#[test]
fn the_runtimes_agree() {
    let Some(options) = onnx_runtime() else { return };
    for name in ["plain", "shaped"] {
        let (one, other) = (open(name), NeuralDetector::open(&folder(name), &options).unwrap());
        assert_eq!(other.in_use().runtime, "onnxruntime");
        assert!(other.in_use().version.starts_with("1."), "{}", other.in_use());
        assert_ne!(one.fingerprint(), other.fingerprint());
        assert_eq!(one.detect_all(&NOTES).unwrap(), other.detect_all(&NOTES).unwrap());
        let (one, other) = (one.judge_all(&NOTES).unwrap(), other.judge_all(&NOTES).unwrap());
        for (one, other) in one.iter().flatten().zip(other.iter().flatten()) {
            assert!((one.start, one.end, one.class) == (other.start, other.end, other.class));
            assert!(one.of_class.abs_diff(other.of_class) <= 1 && one.of_any.abs_diff(other.of_any) <= 1);
        }
    }
}

#[test]
fn threads_do_not_matter() {
    for options in [Some(rten()), onnx_runtime()].into_iter().flatten() {
        let [one, three] = [1, 3].map(|threads| {
            let options = RuntimeOptions { threads: NonZeroUsize::new(threads), ..options.clone() };
            NeuralDetector::open(&folder("shaped"), &options).unwrap()
        });
        assert_eq!((one.in_use().threads, three.in_use().threads), (1, 3));
        let judged = one.judge_all(&NOTES).unwrap();
        // More callers than threads wait for them.
        for model in [one, three.with_pieces_at_once(1)] {
            std::thread::scope(|scope| {
                let callers: Vec<_> = (0..5).map(|_| scope.spawn(|| model.judge_all(&NOTES).unwrap())).collect();
                callers.into_iter().for_each(|caller| assert_eq!(caller.join().unwrap(), judged));
            });
        }
    }
}

#[test]
fn a_device_that_is_not_there_is_an_error() {
    for device in [Device::Cuda(0), Device::TensorRt(0)] {
        let refused = |options| NeuralDetector::open(&folder("plain"), &options).unwrap_err();
        assert!(matches!(refused(RuntimeOptions { device, ..rten() }), NeuralError::Device { .. }));
        if let Some(options) = onnx_runtime() {
            let runtime = RuntimeOptions { device, ..options };
            // Number 99 is nowhere, whatever the library can do.
            let nowhere = if device == Device::Cuda(0) { Device::Cuda(99) } else { Device::TensorRt(99) };
            assert!(matches!(refused(RuntimeOptions { device: nowhere, ..runtime }), NeuralError::Device { .. }));
        }
    }
}

#[test]
fn a_library_that_is_not_there_is_an_error() {
    let options = RuntimeOptions { library: Some("/nowhere/libonnxruntime.so".into()), ..RuntimeOptions::default() };
    let error = NeuralDetector::open(&folder("plain"), &options).unwrap_err();
    assert!(matches!(&error, NeuralError::Library { reason } if reason.contains("nowhere")), "{error}");
}

#[test]
fn folders_that_are_no_models_say_why() {
    let says = |result: Result<NeuralDetector, NeuralError>, words: &[&str]| {
        let message = result.unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    says(NeuralDetector::open(Path::new("/nowhere"), &rten()), &["model.toml", "cannot be read"]);
    says(changed(|copy| std::fs::remove_file(copy.join("model.onnx")).unwrap()), &["model.onnx", "cannot be read"]);
    says(changed(|copy| std::fs::write(copy.join("tokenizer.json"), "{}").unwrap()), &["tokenizer.json", "digest"]);
    says(changed(|copy| std::fs::write(copy.join("model.toml"), [0xFF]).unwrap()), &["model.toml", "UTF-8"]);
    says(worded("format = 1", "format = 2"), &["model.toml", "`format` is 2"]);
    says(worded("licence", "license"), &["model.toml", "license"]);
    says(worded("\"B-CITY\"", "\"CITY\""), &["model.toml", "`CITY`"]);
    says(worded("overlap = 8", "overlap = 16"), &["model.toml", "`overlap`"]);
    says(worded("max_length = 32", "max_length = 3"), &["model.toml", "`max_length`"]);
    says(worded("shapes = false", "shapes = false\nbias = nan"), &["model.toml", "`bias`"]);
    says(worded("PATIENT = 0.3", "PATIENTS = 0.3"), &["model.toml", "PATIENTS"]);
    says(worded("\"tokenizer.json\" = ", "\"vocab.txt\" = "), &["model.toml", "vocab.txt"]);
    says(worded("shapes = false", "shapes = true"), &["model.onnx", "shapes = false"]);
    says(worded(", \"I-CITY\"]", "]"), &["model.onnx", "`labels`"]);
    says(worded("max_length = 32", "max_length = 33"), &["model.onnx", "longest input"]);
    says(replaced("model.onnx", b"no graph"), &["model.onnx", "rten cannot read"]);
    says(replaced("model.onnx", &[0xff; 10]), &["model.onnx", "rten cannot read", "damaged"]);
    says(replaced("model.onnx", &without_an_axis()), &["model.onnx", "do not fit together"]);
    says(replaced("tokenizer.json", b"{}"), &["tokenizer.json", "no tokenizer"]);
}

#[test]
fn the_fingerprint_is_that_of_all_but_thresholds() {
    let threshold = worded("default = 0.4", "default = 0.5").unwrap();
    let bias = worded("shapes = false", "shapes = false\nbias = 2.0").unwrap();
    assert_eq!(open("plain").fingerprint(), threshold.fingerprint());
    assert_ne!(open("plain").fingerprint(), bias.fingerprint());
    assert_ne!(open("plain").fingerprint(), open("shaped").fingerprint());
}

#[test]
fn a_bias_and_lower_thresholds_find_more() {
    let count = |model: NeuralDetector| -> usize {
        let words = model.judge_all(&NOTES).unwrap();
        words.iter().flatten().filter(|word| word.is_identifier()).count()
    };
    let plain = count(open("plain"));
    assert!(count(worded("shapes = false", "shapes = false\nbias = 2.0").unwrap()) > plain);
    assert!(count(worded("default = 0.4\nPATIENT = 0.3", "default = 0.01").unwrap()) > plain);
    assert!(count(worded("default = 0.4\nPATIENT = 0.3", "default = 1.0").unwrap()) < plain);
}

/// A runtime whose scores of a piece depend on the piece only, so that windows must not show.
struct PieceByPiece {
    width: usize,
}

impl Runtime for PieceByPiece {
    fn logits(&self, batch: &Batch) -> Result<Logits, NeuralError> {
        assert_eq!(
            (batch.ids.len(), batch.shapes.len()),
            (batch.sequences * batch.length, batch.sequences * batch.length)
        );
        assert!(batch.shapes.iter().all(|shape| (0..SHAPES).contains(shape)));
        let logit = |id: i32, column: usize| {
            let mixed = (id as u32).wrapping_mul(0x9E37_79B1).rotate_left(column as u32 * 5) % 1000;
            mixed as f32 / 200.0
        };
        let values = batch.ids.iter().flat_map(|&id| (0..self.width).map(move |column| logit(id, column))).collect();
        Ok(Logits { shape: [batch.sequences, batch.length, self.width], values })
    }

    fn in_use(&self) -> RuntimeInUse {
        RuntimeInUse {
            runtime: "none",
            version: String::new(),
            device: Device::Cpu,
            threads: 1,
            library: None,
            is_half: false,
            note: None,
        }
    }
}

fn made_up(max_length: usize, overlap: usize) -> NeuralDetector {
    let folder = ModelFolder::read(&folder("plain"), &|path| std::fs::read(path)).unwrap();
    let mut manifest: Manifest = folder.manifest;
    (manifest.max_length, manifest.overlap, manifest.shapes) = (max_length, overlap, true);
    let scheme = LabelScheme::new(&manifest.labels, &manifest.thresholds).unwrap();
    let tokenizer = PieceTokenizer::new(&folder.tokenizer, Path::new("tokenizer.json")).unwrap();
    let runtime = Box::new(PieceByPiece { width: scheme.width });
    NeuralDetector::new(manifest, scheme, tokenizer, runtime)
}

fn sentence() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        "[A-Za-z0-9 .,/()\u{301}éÑ\u{ad}\\n]{0,120}",
        "((Mr|Mary|john|SMITHson|Boston|march|3|[a-z0-9]{1,9})[ ,.\\-/]{0,2}){0,40}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn windows_lose_nothing(text in sentence(), max_length in 4..20usize, overlap in 0..9usize) {
        let whole = made_up(4096, 0).judge_all(&[&text]).unwrap();
        let windowed = made_up(max_length, overlap.min(max_length / 2 - 1)).judge_all(&[&text]).unwrap();
        prop_assert_eq!(whole, windowed);
    }

    #[test]
    fn a_sentence_has_the_same_spans_in_any_company(texts in prop::collection::vec(sentence(), 1..12), pieces in 1..200usize) {
        let model = open("shaped");
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let alone: Vec<_> = texts.iter().map(|text| model.detect_all(&[text]).unwrap().remove(0)).collect();
        texts.iter().zip(&alone).for_each(|(text, spans)| assert_sound(text, spans));
        let model = model.with_pieces_at_once(pieces);
        prop_assert_eq!(&model.detect_all(&texts).unwrap(), &alone);
        let reversed: Vec<&str> = texts.iter().rev().copied().collect();
        prop_assert_eq!(model.detect_all(&reversed).unwrap(), alone.into_iter().rev().collect::<Vec<_>>());
    }
}
