//! Labels of other corpora and tools in terms of ours.
//!
//! ```toml
//! [labels]
//! NOMBRE_PERSONAL_SANITARIO = "DOCTOR"
//! DateYear = "DATE:year"
//! CARDINAL = ""                          # left out
//! ```
//!
//! A label that a map does not know is an error, never left out in silence: what is forgotten in gold looks like precision lost,
//! what is forgotten in a prediction like recall lost.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::gold::Annotation;
use super::{GoldSpan, LabelledSpan, Mark};
use crate::phi::{Label, PhiError};

/// The maps that are compiled in, by name.
const BUILT_IN: [(&str, &str); 6] = [
    ("i2b2-2006", include_str!("label_maps/i2b2-2006.toml")),
    ("i2b2-2014", include_str!("label_maps/i2b2-2014.toml")),
    ("physionet-deid", include_str!("label_maps/physionet-deid.toml")),
    ("meddocan", include_str!("label_maps/meddocan.toml")),
    ("presidio", include_str!("label_maps/presidio.toml")),
    ("ontonotes", include_str!("label_maps/ontonotes.toml")),
];

/// The map that takes every label as it is.
const ANY: &str = "any";

/// What `any` makes of a corpus' label for clock times. Ours of that name is auxiliary and in no score and no policy; a corpus that marks
/// times means them.
const SITE_TIME: &str = "SITE-TIME";

/// What is wrong with a map, or with labels under it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LabelMapError {
    /// No map of that name is compiled in.
    #[error("`{name}` is no label map; there are {}, or give a TOML file with `[labels]`", LabelMap::names().join(", "))]
    UnknownMap {
        /// The name as given.
        name: String,
    },
    /// The text is no map.
    #[error("the label map is not valid TOML: {reason}")]
    Toml {
        /// What the parser says.
        reason: String,
    },
    /// A map leads to something that is no label of ours.
    #[error("the label map gives `{from}` a label that does not exist: {source}")]
    UnknownTarget {
        /// The label of the other side.
        from: String,
        /// Which label does not exist.
        source: PhiError,
    },
    /// Labels that the map does not name.
    #[error("the label map `{map}` does not name {}; map each to a label, or to \"\" to leave it out", shown(.labels))]
    Unmapped {
        /// The name of the map.
        map: String,
        /// The labels, each once, in order.
        labels: Vec<String>,
    },
}

/// Labels as an error may show them: those that are written as labels are. Anything else may be text, where a column was taken for another.
fn shown(labels: &[String]) -> String {
    const MOST: usize = 20;
    let is_label = |label: &&String| {
        label.len() <= 40
            && label.starts_with(|c: char| c.is_ascii_uppercase())
            && label.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"_-/.:+".contains(&byte))
    };
    let mut shown: Vec<String> = labels.iter().filter(is_label).take(MOST).cloned().collect();
    match labels.len() - shown.len() {
        0 => {}
        1 => shown.push("one that is not shown here".to_owned()),
        more => shown.push(format!("{more} that are not shown here")),
    }
    shown.join(", ")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelMapFile {
    labels: BTreeMap<String, String>,
}

/// A map from foreign labels to marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelMap {
    name: String,
    /// None where a label is left out.
    marks: BTreeMap<String, Option<Mark>>,
    /// Which names stand for themselves where the map is silent.
    silent: Silent,
}

/// What a map makes of a label that it does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Silent {
    /// Nothing: it is an error.
    Unmapped,
    /// Our own labels stand for themselves.
    Own,
    /// Every label stands for itself, as a site's own where it is none of ours; times too.
    Any,
}

impl LabelMap {
    /// The names that [`LabelMap::named`] knows.
    pub fn names() -> Vec<&'static str> {
        ["plainsight", ANY].into_iter().chain(BUILT_IN.iter().map(|(name, _)| *name)).collect()
    }

    /// A map that is compiled in; `plainsight` leaves our labels as they are, `any` those of every label set.
    ///
    /// # Errors
    /// [`LabelMapError::UnknownMap`] for any other name.
    pub fn named(name: &str) -> Result<Self, LabelMapError> {
        match name {
            "plainsight" => return Ok(Self::default()),
            ANY => return Ok(Self { name: ANY.to_owned(), silent: Silent::Any, ..Self::default() }),
            _ => {}
        }
        let (name, text) = BUILT_IN
            .iter()
            .find(|(built_in, _)| *built_in == name)
            .ok_or_else(|| LabelMapError::UnknownMap { name: name.to_owned() })?;
        Self::from_toml(name, text)
    }

    /// A map from the text of a TOML file; `name` is for messages.
    ///
    /// # Errors
    /// [`LabelMapError::Toml`] where the text is no map, [`LabelMapError::UnknownTarget`] where it leads nowhere.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, LabelMapError> {
        let file: LabelMapFile =
            toml::from_str(text).map_err(|error| LabelMapError::Toml { reason: error.message().to_owned() })?;
        let mut marks = BTreeMap::new();
        for (from, to) in file.labels {
            let mark = if to.is_empty() { Ok(None) } else { to.parse().map(Some) };
            match mark {
                Ok(mark) => marks.insert(from, mark),
                Err(source) => return Err(LabelMapError::UnknownTarget { from, source }),
            };
        }
        Ok(Self { name: name.to_owned(), marks, silent: Silent::Unmapped })
    }

    /// The mark of a foreign label: none where the map does not name it, `Some(None)` where it is left out.
    pub fn mark(&self, label: &str) -> Option<Option<Mark>> {
        let own = || label.parse().ok().map(Some);
        let site = |name: &str| Label::or_site(name).ok().map(|label| Some(Mark::Identifier(label.into())));
        self.marks.get(label).copied().or_else(|| match self.silent {
            Silent::Unmapped => None,
            Silent::Own => own(),
            Silent::Any => match own() {
                Some(Some(Mark::Identifier(class))) if class.label == Label::Time => site(SITE_TIME),
                Some(mark) => Some(mark),
                None => site(label),
            },
        })
    }

    /// Whether a mark is what `any` makes of a corpus' label for clock times.
    pub fn is_time(mark: Mark) -> bool {
        matches!(mark, Mark::Identifier(class) if class.label.name() == SITE_TIME)
    }

    /// The same map for predictions on gold that marks no times: `any` then leaves out the clock times that plainsight writes beside
    /// identifiers, for there is nothing that they could be compared with.
    #[must_use]
    pub fn with_auxiliary_times(mut self) -> Self {
        if self.silent == Silent::Any {
            self.marks.insert(Label::Time.name().to_owned(), Some(Mark::Identifier(Label::Time.into())));
        }
        self
    }

    /// Foreign annotations as gold.
    ///
    /// # Errors
    /// [`LabelMapError::Unmapped`] with every label that the map does not name.
    pub fn gold(&self, annotations: &[Annotation]) -> Result<Vec<GoldSpan>, LabelMapError> {
        let mut spans = Vec::with_capacity(annotations.len());
        let mut unmapped = BTreeSet::new();
        for annotation in annotations {
            match self.mark(&annotation.label) {
                Some(Some(mark)) => spans.push(GoldSpan { start: annotation.start, end: annotation.end, mark }),
                Some(None) => {}
                None => {
                    unmapped.insert(annotation.label.clone());
                }
            }
        }
        if unmapped.is_empty() {
            Ok(spans)
        } else {
            Err(LabelMapError::Unmapped { map: self.name.clone(), labels: unmapped.into_iter().collect() })
        }
    }

    /// Foreign annotations as a prediction; what is mapped to a decoy was not predicted to be anything.
    ///
    /// # Errors
    /// As [`LabelMap::gold`].
    pub fn predicted(&self, annotations: &[Annotation]) -> Result<Vec<LabelledSpan>, LabelMapError> {
        let identifiers = self.gold(annotations)?.into_iter().filter_map(|span| match span.mark {
            Mark::Identifier(class) => Some(LabelledSpan::of(span.start, span.end, class)),
            Mark::Decoy => None,
        });
        Ok(identifiers.collect())
    }
}

impl Default for LabelMap {
    /// Labels as they are.
    fn default() -> Self {
        Self { name: "plainsight".to_owned(), marks: BTreeMap::new(), silent: Silent::Own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;

    fn annotation(label: &str) -> Annotation {
        Annotation { start: 0, end: 1, label: label.to_owned() }
    }

    #[test]
    fn every_map_that_is_named_can_be_read() {
        for name in LabelMap::names() {
            assert_eq!(LabelMap::named(name).unwrap().name, name);
        }
        let error = LabelMap::named("i2b2").unwrap_err().to_string();
        assert!(error.contains("i2b2-2014") && error.contains("meddocan"), "{error}");
    }

    #[test]
    fn every_label_of_ours_but_time_is_one_of_i2b2_2014() {
        let map = LabelMap::named("i2b2-2014").unwrap();
        for &label in Label::ALL.iter().filter(|&&label| label != Label::Time) {
            assert_eq!(map.mark(label.name()), Some(Some(label.name().parse().unwrap())), "{label}");
        }
    }

    #[test]
    fn labels_that_are_not_named_are_listed_once() {
        let map = LabelMap::named("ontonotes").unwrap();
        let spans = ["PERSON", "CARDINAL", "ZEBRA", "APE", "ZEBRA"].map(annotation);
        let error = map.gold(&spans).unwrap_err().to_string();
        assert!(error.contains("does not name APE, ZEBRA;"), "{error}");
        let texts = ["Rosa Díaz", "749-310-3015", "APE", "8/13"].map(annotation);
        let error = map.gold(&texts).unwrap_err().to_string();
        assert!(error.contains("does not name APE, 3 that are not shown here;"), "{error}");
        assert_eq!(map.gold(&spans[..2]).unwrap(), [GoldSpan::new(0, 1, Label::Patient)]);
        assert_eq!(map.predicted(&spans[..2]).unwrap(), [LabelledSpan::new(0, 1, Label::Patient)]);
        // A kind that is told is told on both sides.
        let over_89 = annotation("AGE:over-89");
        let own = LabelMap::default();
        let Mark::Identifier(class) = own.gold(std::slice::from_ref(&over_89)).unwrap()[0].mark else {
            panic!("a decoy")
        };
        assert_eq!(own.predicted(&[over_89]).unwrap(), [LabelledSpan::of(0, 1, class)]);
    }

    #[test]
    fn times_of_a_corpus_are_a_label_of_their_own() {
        let any = LabelMap::named("any").unwrap();
        for label in ["TIME", "Time", "time", "SITE-TIME"] {
            let mark = any.mark(label).flatten().unwrap();
            assert!(LabelMap::is_time(mark) && mark != Mark::Identifier(Label::Time.into()), "{label}");
            assert_eq!(any.predicted(&[annotation(label)]).unwrap()[0].label.name(), "SITE-TIME");
        }
        assert_eq!(any.mark("doctor"), Some(Some(Mark::Identifier(Label::Doctor.into()))));
        let auxiliary = any.with_auxiliary_times();
        assert_eq!(auxiliary.mark("TIME"), Some(Some(Mark::Identifier(Label::Time.into()))));
        let own = LabelMap::default().with_auxiliary_times();
        assert_eq!(own, LabelMap::default());
    }

    #[test]
    fn own_names_and_files() {
        let own = LabelMap::default();
        assert_eq!(own.gold(&[annotation("NOT-PHI")]).unwrap(), [GoldSpan::decoy(0, 1)]);
        assert!(own.predicted(&[annotation("NOT-PHI")]).unwrap().is_empty());
        assert!(own.gold(&[annotation("NAME")]).is_err());
        assert!(LabelMap::from_toml("file", "[labels]\nX = 'NOBODY'").is_err());
        assert!(LabelMap::from_toml("file", "X = 'DATE'").is_err());
        let map = LabelMap::from_toml("file", "[labels]\nX = 'DATE:year'\nY = 'NOT-PHI'").unwrap();
        assert_eq!(map.gold(&[annotation("Y")]).unwrap(), [GoldSpan::decoy(0, 1)]);
        assert_eq!(map.mark("DATE"), None, "a file speaks for itself only");
    }
}
