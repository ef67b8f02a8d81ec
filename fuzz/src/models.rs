//! Files of trained models.

use std::path::Path;
use std::sync::Once;

use plainsight::detect::crf::{CrfDetector, CrfModel};
use plainsight::detect::neural::{NeuralDetector, RuntimeChoice, RuntimeOptions};

use crate::input::assert_sound;

const SENTENCES: [&str; 3] =
    ["Mary Smith, MRN 00-41, was seen by Dr. José Ruiz on 3/4.", "x", "a 😀 中文 \u{301} \u{0}"];

/// The beginning of every model of a CRF, with its format.
const CRF: &[u8] = b"plainsight-crf\n\x01\0\0\0";
const MANIFEST: &str = include_str!("../../src/detect/neural/fixtures/plain/model.toml");
const GRAPH: &[u8] = include_bytes!("../../src/detect/neural/fixtures/plain/model.onnx");
const TOKENIZER: &[u8] = include_bytes!("../../src/detect/neural/fixtures/plain/tokenizer.json");

/// A CRF as it is unpacked, which is packed and given its digest here; or the file itself. A model that is read can be used, and
/// written.
pub fn crf_model(bytes: &[u8]) {
    let file = if bytes.starts_with(&CRF[..5]) { bytes.to_vec() } else { packed(bytes) };
    let Ok(model) = CrfModel::from_bytes(&file) else { return };
    let again = CrfModel::from_bytes(&model.to_bytes().expect("a model can be packed")).expect("and read again");
    assert_eq!(again.labels(), model.labels());
    let Ok(detector) = CrfDetector::new(model) else { return };
    for sentence in SENTENCES {
        let mut spans = Vec::new();
        detector.detect_in_context(None, sentence, &mut spans);
        detector.detect_in_context(Some("Seen by:"), sentence, &mut spans);
        spans.extend(detector.words(sentence, 0.1));
        spans.extend(detector.decide(&detector.judge(sentence)));
        assert_sound(sentence, &spans);
    }
}

fn packed(content: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(content, 1).expect("memory suffices");
    [CRF, blake3::hash(&packed).as_bytes(), &packed].concat()
}

/// The folder of a transformer, of which one file is the input: the first byte says which.
pub fn model_folder(bytes: &[u8]) {
    static CAUGHT_PANICS_PASS: Once = Once::new();
    // libFuzzer's own hook ends the program at every panic, also where the library makes an error of one of the runtime.
    CAUGHT_PANICS_PASS.call_once(|| std::panic::set_hook(Box::new(|panic| eprintln!("{panic}"))));
    let Some((&which, content)) = bytes.split_first() else { return };
    let (mut manifest, mut graph, mut tokenizer) = (MANIFEST.as_bytes().to_vec(), GRAPH, TOKENIZER);
    match which {
        b'g' => graph = content,
        b't' => tokenizer = content,
        _ => manifest = content.to_vec(),
    }
    for (old, new) in [(GRAPH, graph), (TOKENIZER, tokenizer)] {
        let [old, new] = [old, new].map(|bytes| blake3::hash(bytes).to_hex().to_string());
        manifest = if which == b'm' { manifest } else { replaced(&manifest, &old, &new) };
    }
    let read = |path: &Path| match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => Ok(manifest.clone()),
        Some("onnx") => Ok(graph.to_vec()),
        _ => Ok(tokenizer.to_vec()),
    };
    let options = RuntimeOptions { runtime: RuntimeChoice::Rten, ..RuntimeOptions::default() };
    let Ok(detector) = NeuralDetector::open_through(&read, Path::new("model"), &options) else { return };
    let Ok(found) = detector.detect_all(&SENTENCES) else { return };
    for (sentence, spans) in SENTENCES.iter().zip(&found) {
        assert_sound(sentence, spans);
    }
}

fn replaced(manifest: &[u8], old: &str, new: &str) -> Vec<u8> {
    String::from_utf8_lossy(manifest).replace(old, new).into_bytes()
}
