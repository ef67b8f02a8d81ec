//! The model as a file.
//!
//! ```text
//! "plainsight-crf\n" │ format, 4 bytes │ BLAKE3 of the rest, 32 bytes │ zstd of
//!     header length, 4 bytes │ header, TOML: scheme, labels, families, dial, counts, scale
//!     hashes, 8 bytes each, ascending │ number of weights of each, 2 │ tags, 2 each │ weights, 2 each
//!     transitions, 4 each │ words, 8 each, ascending │ their codes, 2 each
//! ```
//!
//! Numbers are little-endian. Like numbers stand together, which compresses best. Everything is checked when it is read.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::CrfError;
use super::features::Families;
use super::lattice::Transitions;
use super::model::{CrfModel, Dial};
use super::tags::{Scheme, Tags};
use super::weights::{Weight, Weights};

/// The model of English clinical notes that is compiled in.
pub(in crate::detect) const SHIPPED: &[u8] = include_bytes!("../../../models/crf-phi/model.crf");
const MAGIC: &[u8] = b"plainsight-crf\n";
/// Raised whenever the layout, or the attributes that the program makes, change.
const FORMAT: u32 = 1;
/// No model is larger than this, unpacked.
const LARGEST: u64 = 1 << 31;
const MOST_LABELS: usize = 1_000;

#[derive(Serialize, Deserialize)]
struct Header {
    scheme: Scheme,
    labels: Vec<String>,
    families: String,
    outside_bias: f32,
    thresholds: Vec<f32>,
    scale: f32,
    attributes: u32,
    words: u32,
    description: String,
}

impl CrfModel {
    /// Reads a model.
    ///
    /// # Errors
    /// See [`CrfError`].
    pub fn open(path: &Path) -> Result<Self, CrfError> {
        let fail = |source| CrfError::File { path: path.display().to_string(), source };
        Self::from_bytes(&std::fs::read(path).map_err(fail)?)
    }

    /// The content of a model's file: equal models have equal bytes.
    ///
    /// # Errors
    /// [`CrfError::Content`] where the model cannot be packed, as when memory is short.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CrfError> {
        let packed = zstd::bulk::compress(&self.content()?, 19).map_err(|error| content(error.to_string()))?;
        let mut file = MAGIC.to_vec();
        file.extend(FORMAT.to_le_bytes());
        file.extend(blake3::hash(&packed).as_bytes());
        file.extend(packed);
        Ok(file)
    }

    /// A digest of all that the model is: equal models have equal ones. To pack a model only to tell it from others takes seconds.
    ///
    /// # Errors
    /// [`CrfError::Content`] where it cannot be told.
    pub fn digest(&self) -> Result<blake3::Hash, CrfError> {
        Ok(blake3::hash(&self.content()?))
    }

    /// What is packed in a model's file.
    fn content(&self) -> Result<Vec<u8>, CrfError> {
        let words = self.usage.sorted();
        let header = Header {
            scheme: self.tags.scheme(),
            labels: self.tags.labels().to_vec(),
            families: self.families().to_string(),
            outside_bias: self.dial.outside_bias,
            thresholds: self.dial.thresholds.clone(),
            scale: self.weights.scale(),
            attributes: self.weights.iter().len() as u32,
            words: words.len() as u32,
            description: self.description.clone(),
        };
        let header = toml::to_string(&header).map_err(|error| content(error.to_string()))?;
        let mut bytes = (header.len() as u32).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(self.weights.iter().flat_map(|(hash, _)| hash.to_le_bytes()));
        bytes.extend(self.weights.iter().flat_map(|(_, weights)| (weights.len() as u16).to_le_bytes()));
        let weights = || self.weights.iter().flat_map(|(_, weights)| weights.iter());
        bytes.extend(weights().flat_map(|weight| weight.tag.to_le_bytes()));
        bytes.extend(weights().flat_map(|weight| weight.value.to_le_bytes()));
        bytes.extend(self.transitions.scores().iter().flat_map(|score| score.to_le_bytes()));
        bytes.extend(words.keys().flat_map(|word| word.to_le_bytes()));
        bytes.extend(words.values().flat_map(|code| code.to_le_bytes()));
        Ok(bytes)
    }

    /// The model of English clinical notes that is compiled in.
    ///
    /// # Errors
    /// [`CrfError`] where the program itself is damaged.
    pub fn shipped() -> Result<Self, CrfError> {
        Self::from_bytes(SHIPPED)
    }

    /// Reads a model from the content of its file.
    ///
    /// # Errors
    /// See [`CrfError`]; whatever the bytes are, it neither panics nor takes more memory than the largest model needs.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CrfError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CrfError::NotAModel)?;
        let (format, rest) = rest.split_first_chunk().ok_or(CrfError::NotAModel)?;
        let found = u32::from_le_bytes(*format);
        if found != FORMAT {
            return Err(CrfError::Version { found, expected: FORMAT });
        }
        let (digest, packed) = rest.split_first_chunk::<32>().ok_or(CrfError::Digest)?;
        if blake3::hash(packed) != *digest {
            return Err(CrfError::Digest);
        }
        let mut unpacked = Vec::new();
        let decoder = zstd::Decoder::new(packed).map_err(|error| content(error.to_string()))?;
        decoder.take(LARGEST).read_to_end(&mut unpacked).map_err(|error| content(error.to_string()))?;
        read_content(&mut Content { rest: &unpacked })
    }
}

fn content(reason: impl Into<String>) -> CrfError {
    CrfError::Content { reason: reason.into() }
}

fn read_content(from: &mut Content<'_>) -> Result<CrfModel, CrfError> {
    let length = from.numbers(1, u32::from_le_bytes)?[0] as usize;
    let header = std::str::from_utf8(from.take(length)?).map_err(|_| content("its header is no text"))?;
    let header: Header = toml::from_str(header).map_err(|_| content("its header is not as it should be"))?;
    if header.labels.len() > MOST_LABELS || header.thresholds.len() > header.labels.len() {
        return Err(content("it has too many labels or thresholds"));
    }
    let families: Families =
        header.families.parse().map_err(|error: super::UnknownFamily| content(error.to_string()))?;
    let tags = Tags::new(header.scheme, header.labels);
    let weights = read_weights(from, header.attributes as usize, tags.len(), header.scale)?;
    let scores = from.numbers(tags.len() * tags.len(), f32::from_le_bytes)?;
    if scores.iter().any(|score| score.is_nan() || *score > 1e4) || !header.outside_bias.is_finite() {
        return Err(content("it has a score that is no number"));
    }
    let words = from.numbers(header.words as usize, u64::from_le_bytes)?;
    let codes = from.numbers(header.words as usize, u16::from_le_bytes)?;
    if !from.rest.is_empty() {
        return Err(content("it goes on where it should end"));
    }
    let transitions = Transitions::new(&tags, &scores);
    let dial = Dial { outside_bias: header.outside_bias, thresholds: header.thresholds };
    let model = CrfModel::new(tags, families, weights, transitions, words.into_iter().zip(codes).collect());
    Ok(model.with_dial(dial).with_description(header.description))
}

fn read_weights(from: &mut Content<'_>, attributes: usize, tags: usize, scale: f32) -> Result<Weights, CrfError> {
    let hashes = from.numbers(attributes, u64::from_le_bytes)?;
    let counts = from.numbers(attributes, u16::from_le_bytes)?;
    let total = counts.iter().map(|count| *count as usize).sum();
    let numbers = from.numbers(total, u16::from_le_bytes)?;
    let values = from.numbers(total, i16::from_le_bytes)?;
    let ascending = hashes.windows(2).all(|pair| pair[0] < pair[1]);
    let known = numbers.iter().all(|tag| (*tag as usize) < tags);
    if !ascending || !known || counts.contains(&0) || !scale.is_finite() {
        return Err(content("its weights are out of order"));
    }
    let mut weights = numbers.into_iter().zip(values).map(|(tag, value)| Weight { tag, value });
    let of_attribute = |(hash, count): (u64, u16)| (hash, weights.by_ref().take(count as usize).collect());
    Ok(Weights::new(scale, hashes.into_iter().zip(counts).map(of_attribute)))
}

/// The content that is not read yet.
struct Content<'a> {
    rest: &'a [u8],
}

impl<'a> Content<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], CrfError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(|| content("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn numbers<T, const N: usize>(&mut self, count: usize, read: impl Fn([u8; N]) -> T) -> Result<Vec<T>, CrfError> {
        let bytes = self.take(count.checked_mul(N).ok_or_else(|| content("it ends too early"))?)?;
        Ok(bytes.as_chunks::<N>().0.iter().map(|chunk| read(*chunk)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn model() -> CrfModel {
        let tags = Tags::new(Scheme::Bio, vec!["DOCTOR".to_owned(), "CITY".to_owned()]);
        let weight = |tag, value| Weight { tag, value };
        let attributes = [(3, vec![weight(0, -7), weight(4, 900)]), (1 << 60, vec![weight(2, i16::MAX)])];
        let weights = Weights::new(0.001, attributes.into_iter());
        let transitions = Transitions::new(&tags, &[0.5; 25]);
        let words = [(9, 3), (4, 1)].into_iter().collect();
        CrfModel::new(tags, Families::ALL, weights, transitions, words)
            .with_dial(Dial { outside_bias: 0.5, thresholds: vec![0.1, 0.2] })
            .with_description("by hand")
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = model().to_bytes().unwrap();
        let read = CrfModel::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes().unwrap(), bytes);
        assert_eq!((read.labels(), read.description()), (model().labels(), "by hand"));
        assert_eq!((read.dial(), read.usage()), (model().dial(), model().usage()));
        assert!(read.weights().iter().eq(model().weights().iter()));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let bytes = model().to_bytes().unwrap();
        assert!(matches!(CrfModel::from_bytes(b"PK"), Err(CrfError::NotAModel)));
        assert!(matches!(CrfModel::from_bytes(MAGIC), Err(CrfError::NotAModel)));
        let mut other = bytes.clone();
        other[MAGIC.len()] = 99;
        assert!(matches!(CrfModel::from_bytes(&other), Err(CrfError::Version { found: 99, expected: FORMAT })));
        assert!(matches!(CrfModel::from_bytes(&bytes[..bytes.len() - 1]), Err(CrfError::Digest)));
        let missing = CrfModel::open(Path::new("/no/such/model"));
        assert!(matches!(missing, Err(CrfError::File { path, .. }) if path == "/no/such/model"));
    }

    /// A file whose digest is right, whatever it holds.
    fn sealed(content: &[u8]) -> Vec<u8> {
        let packed = zstd::bulk::compress(content, 1).unwrap();
        [MAGIC, &FORMAT.to_le_bytes(), blake3::hash(&packed).as_bytes(), &packed].concat()
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            at in any::<prop::sample::Index>(), value: u8, cut in any::<prop::sample::Index>(),
            noise in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let bytes = model().to_bytes().unwrap();
            let mut damaged = bytes.clone();
            *at.get_mut(&mut damaged) = value;
            prop_assert!(damaged == bytes || CrfModel::from_bytes(&damaged).is_err());
            let packed = &bytes[MAGIC.len() + 36..];
            let mut content = zstd::stream::decode_all(packed).unwrap();
            *at.get_mut(&mut content) = value;
            if let Ok(model) = CrfModel::from_bytes(&sealed(&content)) {
                let mut found = Vec::new();
                model.predict(None, "Seen by Rosa Díaz in Troy.", &mut Default::default(), &mut found);
            }
            content.truncate(cut.index(content.len()));
            prop_assert!(CrfModel::from_bytes(&sealed(&content)).is_err());
            prop_assert!(CrfModel::from_bytes(&sealed(&noise)).is_err());
        }
    }
}
