//! `ensemble.toml`: which members an ensemble has, and how their claims are combined.
//!
//! ```toml
//! format = 1
//! gate = true                  # ask trained members only about sentences with a word that nothing explains
//! combine = "union"            # or "majority"; "weighted" with `need`, the weight that a word's claims must reach; or
//!                              # "stacking" with `stack = "stack.toml"`, the file that `train stack` wrote
//!
//! [[member]]
//! kind = "knowledge"           # patterns and dictionaries, one vote
//!
//! [[member]]
//! kind = "transformer"
//! path = "bge-small-phi"       # a model's folder, beside this file; "shipped:bge-small-phi" is the one that is compiled in
//! bias = 0.4                   # the recall dial, instead of the model's own (Hartman et al. 2020)
//! thresholds = { DATE = 0.9 }  # likewise, by label
//! ```
//!
//! Everything that is named is opened and checked before a note is read. A member that cannot be is an error: an ensemble never
//! runs with fewer members than its file has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::DetectError;
use super::members::Place;
use super::stack::Stack;
use super::vote::Combine;

/// The only format of ensemble.toml so far.
const FORMAT: u32 = 1;
/// The ensembles that are compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shipped {
    /// All members: finds the most.
    Whole,
    /// Without the transformer: some fifty times faster on a processor, finds less.
    Fast,
}

impl Shipped {
    /// Its file among those that are compiled in.
    const fn file(self) -> &'static str {
        match self {
            Self::Whole => "ensemble.toml",
            Self::Fast => "fast.toml",
        }
    }
}

/// What an ensemble.toml says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnsembleDescription {
    format: u32,
    #[serde(default)]
    combine: CombineName,
    #[serde(skip_serializing_if = "Option::is_none")]
    need: Option<f32>,
    /// The file of the model that decides, where `combine` is "stacking".
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<PathBuf>,
    /// Whether trained members see only sentences with a word that patterns, dictionaries and vocabulary leave unexplained.
    #[serde(default)]
    pub(super) gate: bool,
    pub(super) member: Vec<Member>,
    /// Where it was read.
    #[serde(skip)]
    pub(super) place: Place,
    #[serde(skip)]
    file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CombineName {
    #[default]
    Union,
    Majority,
    Weighted,
    Stacking,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Member {
    Knowledge {
        #[serde(default = "one", skip_serializing_if = "is_one")]
        weight: f32,
    },
    Crf(Trained),
    Transformer(Trained),
}

/// A trained member: where its model is, and how its dial is turned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trained {
    pub(super) path: PathBuf,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    weight: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bias: Option<f32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) thresholds: BTreeMap<String, f32>,
}

const fn one() -> f32 {
    1.0
}

fn is_one(weight: &f32) -> bool {
    *weight == one()
}

impl Member {
    pub(super) const fn weight(&self) -> f32 {
        match self {
            Self::Knowledge { weight } => *weight,
            Self::Crf(trained) | Self::Transformer(trained) => trained.weight,
        }
    }

    const fn bias(&self) -> Option<f32> {
        match self {
            Self::Knowledge { .. } => None,
            Self::Crf(trained) | Self::Transformer(trained) => trained.bias,
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::Knowledge { .. } => None,
            Self::Crf(trained) | Self::Transformer(trained) => Some(&trained.path),
        }
    }

    const fn path_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Self::Knowledge { .. } => None,
            Self::Crf(trained) | Self::Transformer(trained) => Some(&mut trained.path),
        }
    }
}

impl EnsembleDescription {
    /// An ensemble that is compiled in.
    ///
    /// # Errors
    /// None in a program that passes its tests.
    pub fn shipped(which: Shipped) -> Result<Self, DetectError> {
        Self::read_through(Place::Shipped, Path::new(which.file()))
    }

    /// The ensemble that a file describes.
    ///
    /// # Errors
    /// [`DetectError::Ensemble`] tells what is wrong with the file; models are not opened yet.
    pub fn read(file: &Path) -> Result<Self, DetectError> {
        Self::read_through(Place::Files, file)
    }

    fn read_through(place: Place, file: &Path) -> Result<Self, DetectError> {
        let fail = |reason: String| DetectError::Ensemble { path: file.to_owned(), reason };
        let bytes = place.read(file).map_err(|error| fail(format!("cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|_| fail("is not UTF-8".to_owned()))?;
        let described: Self =
            toml::from_str(&text).map_err(|error| fail(format!("is no ensemble file: {}", error.message())))?;
        if described.format != FORMAT {
            return Err(fail(format!("has the format {}; this program reads {FORMAT}", described.format)));
        }
        if described.member.is_empty() {
            return Err(fail("has no [[member]]".to_owned()));
        }
        if described.member.iter().any(|member| !(member.weight() > 0.0 && member.weight().is_finite())) {
            return Err(fail("has a member whose `weight` is not above 0".to_owned()));
        }
        if described.member.iter().filter_map(Member::bias).any(|bias| !bias.is_finite()) {
            return Err(fail("has a member whose `bias` is no number".to_owned()));
        }
        let knowledge = described.member.iter().filter(|member| matches!(member, Member::Knowledge { .. })).count();
        if knowledge > 1 {
            return Err(fail("has the member `knowledge` twice".to_owned()));
        }
        Ok(Self { place, file: file.to_owned(), ..described })
    }

    /// The folder that its paths are relative to.
    pub(super) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    /// An error of this file.
    pub(super) fn fault(&self, reason: impl Into<String>) -> DetectError {
        DetectError::Ensemble { path: self.file.clone(), reason: reason.into() }
    }

    /// Whether a trained model decides over the members.
    pub fn is_stacked(&self) -> bool {
        self.combine == CombineName::Stacking
    }

    /// How claims are combined; opens the stack where there is one.
    pub(super) fn combine(&self) -> Result<Combine, DetectError> {
        let fail = |reason: &str| Err(self.fault(reason));
        let total: f32 = self.member.iter().map(Member::weight).sum();
        if !total.is_finite() {
            return fail("has weights whose sum is beyond all numbers");
        }
        match (self.combine, self.need, &self.stack) {
            (CombineName::Stacking, None, Some(stack)) => self.open_stack(stack),
            (CombineName::Stacking, None, None) => fail("needs `stack`, the file that `plainsight train stack` wrote"),
            (_, _, Some(_)) => fail("has `stack`, which only `combine = \"stacking\"` takes"),
            (CombineName::Union, None, None) => Ok(Combine::Union),
            // A tie counts as found: a miss is worse than a false alarm.
            (CombineName::Majority, None, None) => Ok(Combine::Vote { need: total / 2.0 }),
            (CombineName::Weighted, Some(need), None) if need > 0.0 && need <= total => Ok(Combine::Vote { need }),
            (CombineName::Weighted, _, None) => fail("needs `need`, above 0 and at most the sum of all weights"),
            (_, Some(_), None) => fail("has `need`, which only `combine = \"weighted\"` takes"),
        }
    }

    fn open_stack(&self, path: &Path) -> Result<Combine, DetectError> {
        let (place, path) = self.place.of(self.folder(), path);
        let fail = |reason: String| DetectError::Ensemble { path: path.clone(), reason };
        let bytes = place.read(&path).map_err(|error| fail(format!("cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|_| fail("is not UTF-8".to_owned()))?;
        Ok(Combine::Stacking(Arc::new(Stack::parse(&text).map_err(fail)?)))
    }

    /// The files and folders that its members and its stack are read from, those that are compiled in left out.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let members = self.member.iter().filter_map(Member::path);
        let placed = members.chain(self.stack.as_deref()).map(|path| self.place.of(self.folder(), path));
        placed.filter(|(place, _)| matches!(place, Place::Files)).map(|(_, path)| path)
    }

    /// The description as an ensemble.toml that is to lie in `folder`: its paths lead where they led before.
    pub fn to_toml(&self, folder: &Path) -> String {
        let (mut written, from) = (self.clone(), self.folder());
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let moved = |path: &mut PathBuf| match self.place.of(from, path) {
            (Place::Shipped, name) => *path = Place::shipped(&name),
            (Place::Files, _) if absolute(folder) == absolute(from) => (),
            (Place::Files, target) => *path = absolute(&target),
        };
        let paths = written.member.iter_mut().filter_map(Member::path_mut);
        paths.chain(&mut written.stack).for_each(moved);
        toml::to_string(&written).expect("names and numbers are TOML")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<EnsembleDescription, DetectError> {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("ensemble.toml");
        std::fs::write(&file, text).expect("the file can be written");
        EnsembleDescription::read(&file)
    }

    const FULL: &str = "format = 1\ncombine = \"weighted\"\nneed = 1.5\ngate = true\n\n[[member]]\nkind = \"knowledge\"\n\n\
        [[member]]\nkind = \"crf\"\npath = \"site.crf\"\nweight = 2.0\nbias = 0.1\n\n[[member]]\nkind = \"transformer\"\n\
        path = \"shipped:bge-small-phi\"\n\n[member.thresholds]\nDATE = 0.98\ndefault = 0.4\n";

    #[test]
    fn a_description_is_written_as_it_was_read() {
        let description = read(FULL).unwrap();
        assert_eq!(description.to_toml(description.folder()), FULL);
    }

    #[test]
    fn paths_lead_where_they_led_from_any_folder() {
        let description = read(FULL).unwrap();
        let elsewhere = description.to_toml(Path::new("elsewhere"));
        let site = std::path::absolute(description.folder().join("site.crf")).unwrap();
        assert!(elsewhere.contains(&format!("path = \"{}\"", site.display())), "{elsewhere}");
        assert!(elsewhere.contains("path = \"shipped:bge-small-phi\""), "{elsewhere}");
        let shipped = EnsembleDescription::shipped(Shipped::Whole).unwrap().to_toml(Path::new("."));
        assert!(shipped.contains("path = \"shipped:bge-small-phi\""), "{shipped}");
        let back: EnsembleDescription = toml::from_str(&shipped).unwrap();
        assert_eq!(back.member.len(), 3);
    }

    #[test]
    fn combinations_take_what_they_need_and_nothing_else() {
        let fault = |head: &str| {
            let text = format!("format = 1\n{head}\n[[member]]\nkind = \"knowledge\"\n");
            read(&text).unwrap().combine().err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(fault(""), "");
        assert_eq!(fault("combine = \"majority\""), "");
        assert!(fault("combine = \"majority\"\nneed = 1.0").contains("only `combine = \"weighted\"`"));
        assert!(fault("combine = \"weighted\"").contains("needs `need`"));
        assert!(fault("combine = \"stacking\"").contains("needs `stack`"));
        assert!(fault("stack = \"stack.toml\"").contains("only `combine = \"stacking\"`"));
        assert!(fault("combine = \"stacking\"\nstack = \"missing.toml\"").contains("cannot be read"));
    }
}
