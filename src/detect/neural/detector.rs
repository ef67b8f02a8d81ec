//! A transformer as a member of the ensemble: sentences in, spans out.
//!
//! ```text
//! sentences ─ cut in parallel ─▶ pieces ─▶ windows ─▶ batches of one length ─▶ logits ─▶ probabilities of pieces
//!                                                                                             │
//!                                       spans ◀─ thresholds ◀─ words ◀── each from its best window
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use rayon::prelude::*;

use super::batches::batches;
use super::decode::{JudgedWord, judge, spans};
use super::error::NeuralError;
use super::labels::{LabelScheme, UNITS};
use super::manifest::{GRAPH, Manifest, ModelFolder, ReadFile, TOKENIZER};
use super::pieces::{PieceTokenizer, Pieces};
use super::runtime::{self, Batch, OpenError, Runtime, RuntimeInUse, RuntimeOptions};
use super::shapes::{SHAPES, shapes};
use super::windows::{Window, windows};
use crate::detect::{Judged, PROGRAM};
use crate::phi::{Class, Span};

/// Raised whenever the same model gives other spans: part of the fingerprint.
const VERSION: u32 = 1;
/// Sentences that are cut, sorted by length and judged together.
const SENTENCES_AT_ONCE: usize = 8192;
/// The same for a GPU, as many as are gathered: the more, the more there are of one length.
const SENTENCES_AT_ONCE_ON_GPU: usize = 32_768;
/// Pieces of a batch by default: enough to keep cores busy that share one, and little memory.
const PIECES_AT_ONCE: usize = 4096;
/// The same where each core has a batch of its own: what a layer makes of so many stays near it.
const PIECES_OF_A_CORE: usize = 512;
/// The same for a GPU, which is idle between batches.
const PIECES_AT_ONCE_ON_GPU: usize = 65_536;

/// A transformer that tags word pieces, ready to find identifiers.
pub struct NeuralDetector {
    manifest: Manifest,
    scheme: LabelScheme,
    tokenizer: PieceTokenizer,
    runtime: Box<dyn Runtime>,
    sentences_at_once: usize,
    pieces_at_once: usize,
}

/// A window of one sentence.
struct Sequence {
    sentence: usize,
    window: Window,
}

/// The pieces of some sentences with what the model takes in beside them.
struct Cut {
    pieces: Vec<Pieces>,
    shapes: Vec<Vec<i32>>,
}

impl NeuralDetector {
    /// Opens a model's folder: checks its files against their digests, loads the graph, and runs it once on its longest input.
    ///
    /// # Errors
    /// [`NeuralError`] tells which file or device is at fault, what is wrong with it and what to do.
    pub fn open(folder: &Path, options: &RuntimeOptions) -> Result<Self, NeuralError> {
        Self::open_through(&|path| std::fs::read(path), folder, options)
    }

    /// The same, with files that `read` gives.
    ///
    /// # Errors
    /// As [`NeuralDetector::open`].
    pub fn open_through(read: &ReadFile, folder: &Path, options: &RuntimeOptions) -> Result<Self, NeuralError> {
        let folder = ModelFolder::read(folder, read)?;
        let tokenizer = PieceTokenizer::new(&folder.tokenizer, &folder.path.join(TOKENIZER))?;
        let runtime =
            runtime::open(&folder.graph, folder.manifest.shapes, options).map_err(|error| folder.opening(error))?;
        let fail = |reason: String| NeuralError::Graph { path: folder.path.join(GRAPH), reason };
        let detector = Self::new(folder.manifest.clone(), folder.scheme.clone(), tokenizer, runtime);
        detector.try_longest().map_err(fail)?;
        Ok(detector)
    }

    pub(super) fn new(
        manifest: Manifest,
        scheme: LabelScheme,
        tokenizer: PieceTokenizer,
        runtime: Box<dyn Runtime>,
    ) -> Self {
        let (sentences_at_once, pieces_at_once) = match runtime.in_use().device.is_gpu() {
            true => (SENTENCES_AT_ONCE_ON_GPU, PIECES_AT_ONCE_ON_GPU),
            false if runtime.at_once() > 1 => (SENTENCES_AT_ONCE, PIECES_OF_A_CORE),
            false => (SENTENCES_AT_ONCE, PIECES_AT_ONCE),
        };
        Self { manifest, scheme, tokenizer, runtime, sentences_at_once, pieces_at_once }
    }

    /// The same model with another balance of recall and precision: a bias and thresholds by label in place of its own.
    ///
    /// # Errors
    /// [`NeuralError::Dial`] where a label is none of the model's, or a number cannot be.
    pub fn with_dial(mut self, bias: Option<f32>, thresholds: &BTreeMap<String, f32>) -> Result<Self, NeuralError> {
        self.manifest.bias = bias.unwrap_or(self.manifest.bias);
        self.manifest.thresholds.extend(thresholds.iter().map(|(label, &threshold)| (label.clone(), threshold)));
        let fail = |reason| NeuralError::Dial { model: self.manifest.name.clone(), reason };
        self.manifest.check().map_err(fail)?;
        self.scheme = LabelScheme::new(&self.manifest.labels, &self.manifest.thresholds).map_err(fail)?;
        Ok(self)
    }

    /// The same model with batches of at most so many pieces; spans do not depend on it.
    #[must_use]
    pub fn with_pieces_at_once(mut self, pieces: usize) -> Self {
        self.pieces_at_once = pieces.max(1);
        self
    }

    /// What the model's folder says of it.
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its classes, each with the least probability of any identifier at which a word is one of it, in units of 1/1024.
    pub fn thresholds(&self) -> impl Iterator<Item = (Class, u16)> {
        self.scheme.classes.iter().map(|columns| (columns.class, columns.threshold))
    }

    /// What computes it.
    pub fn in_use(&self) -> RuntimeInUse {
        self.runtime.in_use()
    }

    /// A digest of all that its judgement depends on: the model's files and manifest but for thresholds, the runtime and its device, and
    /// this code's version.
    pub fn fingerprint(&self) -> String {
        let mut manifest = self.manifest.clone();
        manifest.thresholds.clear();
        let RuntimeInUse { runtime, version, device, is_half, .. } = self.in_use();
        let half = if is_half { " half" } else { "" };
        let all = format!("neural {VERSION} {PROGRAM} {manifest:?} {runtime} {version} {device}{half}");
        blake3::hash(all.as_bytes()).to_hex().to_string()
    }

    /// The spans of every sentence, in bytes of it; on a processor a sentence's spans do not depend on the others. On a GPU, sums may be
    /// rounded otherwise in a batch of another size, and a word at its very threshold may be taken once and left another time.
    ///
    /// # Errors
    /// [`NeuralError::Tokenize`] or [`NeuralError::Run`]; then no sentence has spans.
    pub fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, NeuralError> {
        let judged = self.judge_all(sentences)?;
        Ok(judged.iter().map(|words| self.decide(&JudgedWord::kept(words))).collect())
    }

    /// What is found by the model's thresholds in a sentence of which this was judged.
    pub fn decide(&self, judged: &[Judged]) -> Vec<Span> {
        let threshold = |class: Class| {
            let columns = self.scheme.classes.iter().find(|columns| columns.class == class);
            columns.map_or(UNITS, |columns| columns.threshold)
        };
        let words: Vec<_> = judged.iter().map(|word| JudgedWord::of_kept(word, threshold(word.class))).collect();
        spans(&words)
    }

    /// What the model says of every word of every sentence, from which thresholds can be chosen.
    ///
    /// # Errors
    /// As [`NeuralDetector::detect_all`].
    pub fn judge_all(&self, sentences: &[&str]) -> Result<Vec<Vec<JudgedWord>>, NeuralError> {
        let mut judged = Vec::with_capacity(sentences.len());
        std::thread::scope(|scope| {
            // The next sentences are cut while these are computed.
            let (cuts, to_compute) = mpsc::sync_channel(1);
            scope.spawn(move || {
                let mut parts = sentences.chunks(self.sentences_at_once);
                parts.all(|part| cuts.send((part, self.cut(part))).is_ok())
            });
            for (part, cut) in to_compute {
                let cut = cut?;
                let scores = self.scores(&cut)?;
                judged.par_extend(part.par_iter().zip(&cut.pieces).zip(&scores).map(|((sentence, pieces), scores)| {
                    judge(&self.scheme, self.manifest.word, sentence, &pieces.places, scores)
                }));
            }
            Ok(judged)
        })
    }

    fn cut(&self, sentences: &[&str]) -> Result<Cut, NeuralError> {
        let pieces = self.tokenizer.cut(sentences)?;
        let shapes = if self.manifest.shapes {
            sentences.par_iter().zip(&pieces).map(|(sentence, pieces)| shapes(sentence, &pieces.places)).collect()
        } else {
            pieces.iter().map(|pieces| vec![0; pieces.ids.len()]).collect()
        };
        Ok(Cut { pieces, shapes })
    }

    /// The probabilities of every sentence's pieces, row by row, in units.
    fn scores(&self, cut: &Cut) -> Result<Vec<Vec<u16>>, NeuralError> {
        let width = self.scheme.width;
        let mut scores: Vec<Vec<u16>> = cut.pieces.iter().map(|pieces| vec![0; pieces.ids.len() * width]).collect();
        let sequences = self.sequences(&cut.pieces);
        let lengths: Vec<usize> =
            sequences.iter().map(|sequence| sequence.window.seen.len() + self.tokenizer.specials()).collect();
        let batches = batches(&lengths, self.pieces_at_once);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            // The next batches are computed while this one's scores become probabilities.
            let (computed, to_keep) = mpsc::sync_channel(self.runtime.at_once());
            for _ in 0..self.runtime.at_once().min(batches.len()) {
                let (computed, next) = (computed.clone(), &next);
                let (all, sequences, lengths) = (&batches, &sequences, &lengths);
                scope.spawn(move || {
                    while let Some(batch) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let of_batch = batch.iter().map(|&index| &sequences[index]);
                        let logits = self.logits(&self.batch(cut, of_batch, lengths[batch[0]]));
                        if computed.send((batch, logits)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(computed);
            for (batch, logits) in to_keep {
                let kept: Vec<Vec<u16>> = logits?
                    .par_chunks_exact(lengths[batch[0]] * width)
                    .zip(batch)
                    .map(|(rows, &index)| self.kept(rows, &sequences[index].window))
                    .collect::<Result<_, _>>()?;
                for (kept, &index) in kept.iter().zip(batch) {
                    let Sequence { sentence, window } = &sequences[index];
                    scores[*sentence][window.kept.start * width..window.kept.end * width].copy_from_slice(kept);
                }
            }
            Ok(scores)
        })
    }

    /// The probabilities of those pieces of a window that are taken from it.
    fn kept(&self, rows: &[f32], window: &Window) -> Result<Vec<u16>, NeuralError> {
        let width = self.scheme.width;
        let first = self.tokenizer.prefix.len() + window.kept.start - window.seen.start;
        let rows = rows.chunks_exact(width).skip(first).take(window.kept.len());
        let mut kept = Vec::with_capacity(window.kept.len() * width);
        for row in rows {
            kept.extend(self.scheme.probabilities(row, self.manifest.bias).ok_or_else(no_numbers)?);
        }
        Ok(kept)
    }

    fn sequences(&self, pieces: &[Pieces]) -> Vec<Sequence> {
        let capacity = self.manifest.max_length - self.tokenizer.specials();
        let windows = |pieces: &Pieces| windows(pieces.ids.len(), capacity, self.manifest.overlap.min(capacity - 1));
        pieces
            .iter()
            .enumerate()
            .flat_map(|(sentence, pieces)| windows(pieces).into_iter().map(move |window| Sequence { sentence, window }))
            .collect()
    }

    fn batch<'s>(&self, cut: &Cut, sequences: impl Iterator<Item = &'s Sequence>, length: usize) -> Batch {
        let mut batch = Batch { sequences: 0, length, ids: Vec::new(), shapes: Vec::new() };
        let (prefix, suffix) = (&self.tokenizer.prefix, &self.tokenizer.suffix);
        for Sequence { sentence, window } in sequences {
            batch.sequences += 1;
            batch.ids.extend(prefix);
            batch.ids.extend(&cut.pieces[*sentence].ids[window.seen.clone()]);
            batch.ids.extend(suffix);
            batch.shapes.extend(prefix.iter().map(|_| 0));
            batch.shapes.extend(&cut.shapes[*sentence][window.seen.clone()]);
            batch.shapes.extend(suffix.iter().map(|_| 0));
        }
        batch
    }

    /// The scores of a batch, of the size that they must have.
    fn logits(&self, batch: &Batch) -> Result<Vec<f32>, NeuralError> {
        let logits = self.runtime.logits(batch)?;
        let expected = [batch.sequences, batch.length, self.scheme.width];
        if logits.shape != expected || logits.values.len() != expected.iter().product::<usize>() {
            let reason = format!(
                "its output has the shape {:?} where {expected:?} is right: sequences, pieces, `labels` of model.toml",
                logits.shape
            );
            return Err(NeuralError::Run { reason });
        }
        Ok(logits.values)
    }

    /// Runs the longest input with the highest numbers, so that what does not fit together fails before any note is read.
    fn try_longest(&self) -> Result<(), String> {
        let length = self.manifest.max_length;
        if length <= self.tokenizer.specials() {
            return Err("`max_length` of model.toml leaves no room beside the special pieces".to_owned());
        }
        let batch =
            Batch { sequences: 1, length, ids: vec![self.tokenizer.highest; length], shapes: vec![SHAPES - 1; length] };
        let logits = self.logits(&batch).map_err(|error| {
            format!("it fails on its longest input, {length} pieces as high as {}: {error}", self.tokenizer.highest)
        })?;
        let is_sound = logits
            .chunks_exact(self.scheme.width)
            .all(|row| self.scheme.probabilities(row, self.manifest.bias).is_some());
        if is_sound { Ok(()) } else { Err(no_numbers().to_string()) }
    }
}

fn no_numbers() -> NeuralError {
    NeuralError::Run { reason: "it gave scores that are no numbers".to_owned() }
}

impl ModelFolder {
    fn opening(&self, error: OpenError) -> NeuralError {
        match error {
            OpenError::Graph(reason) => NeuralError::Graph { path: self.path.join(GRAPH), reason },
            OpenError::Neural(error) => error,
        }
    }
}

impl std::fmt::Debug for NeuralDetector {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "NeuralDetector({} {} by {})", self.manifest.name, self.manifest.version, self.in_use())
    }
}
