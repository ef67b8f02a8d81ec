//! The members that an ensemble file names, opened.
//!
//! ```text
//! EnsembleDescription ─ open ─▶ Ensemble, its models behind their own dials
//!                     ─ open_proposing ─▶ Ensemble, its models asked word by word, for a stack to be trained
//! ```

use std::path::{Path, PathBuf};

use super::description::{EnsembleDescription, Member, Shipped};
use super::neural::RuntimeOptions;
use super::vote::Combine;
use super::{DetectError, Ensemble, InclusionList, Templates};

/// What a path begins with that leads to a model that is compiled in.
const SHIPPED_PREFIX: &str = "shipped:";

/// The models that are compiled in: a program that is copied alone finds as much as one beside its source.
const SHIPPED_FILES: &[(&str, &[u8])] = &[
    ("ensemble.toml", include_bytes!("../../models/ensemble.toml")),
    ("fast.toml", include_bytes!("../../models/fast.toml")),
    ("crf-phi/model.crf", super::crf::SHIPPED),
    ("bge-small-phi/model.toml", include_bytes!("../../models/bge-small-phi/model.toml")),
    ("bge-small-phi/tokenizer.json", include_bytes!("../../models/bge-small-phi/tokenizer.json")),
    ("bge-small-phi/model.onnx", super::neural::SHIPPED),
];

/// Which members of an ensemble are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Half {
    /// Patterns and dictionaries only.
    Knowledge,
    /// Trained members only.
    Learned,
    /// All.
    #[default]
    Both,
}

impl Ensemble {
    /// An ensemble that is compiled in, behind a site's lists.
    ///
    /// # Errors
    /// [`DetectError`] where a model cannot run on the device that is asked for.
    pub fn shipped(
        which: Shipped,
        lists: (InclusionList, Templates),
        half: Half,
        options: &RuntimeOptions,
    ) -> Result<Self, DetectError> {
        EnsembleDescription::shipped(which)?.open(lists, half, options)
    }

    /// The ensemble that a file describes, behind a site's lists.
    ///
    /// # Errors
    /// [`DetectError`] tells which file is missing, damaged or does not fit, and what to do.
    pub fn open(
        file: &Path,
        lists: (InclusionList, Templates),
        half: Half,
        options: &RuntimeOptions,
    ) -> Result<Self, DetectError> {
        EnsembleDescription::read(file)?.open(lists, half, options)
    }
}

impl EnsembleDescription {
    /// Opens the members, or one half of them. One half has no stack: that was trained for all.
    ///
    /// # Errors
    /// [`DetectError`] tells which file is missing, damaged or does not fit, and what to do.
    pub fn open(
        &self,
        lists: (InclusionList, Templates),
        half: Half,
        options: &RuntimeOptions,
    ) -> Result<Ensemble, DetectError> {
        let combine = match self.combine()? {
            Combine::Stacking(_) if half != Half::Both => Combine::Union,
            combine => combine,
        };
        let Combine::Stacking(stack) = &combine else {
            return self.open_with(lists, half, options, None).map(|ensemble| ensemble.combining(combine));
        };
        let ensemble = self.open_with(lists, half, options, Some(stack.proposals()))?;
        if ensemble.models() != stack.members() {
            return Err(self.fault(format!(
                "has a stack that was trained for other members, {}, than it has, {}; run `plainsight train stack` again",
                stack.members().join(" and "),
                ensemble.models().join(" and ")
            )));
        }
        Ok(ensemble.combining(combine))
    }

    /// Opens the members so that trained ones propose words one by one, from a probability of `least` on; for a stack to be
    /// trained. What the file says of the combination does not count.
    ///
    /// # Errors
    /// As [`EnsembleDescription::open`].
    pub fn open_proposing(
        &self,
        lists: (InclusionList, Templates),
        least: f32,
        options: &RuntimeOptions,
    ) -> Result<Ensemble, DetectError> {
        self.open_with(lists, Half::Both, options, Some(least))
    }

    /// Opens the members behind their own dials, united whatever the file says of the combination.
    ///
    /// # Errors
    /// As [`EnsembleDescription::open`].
    pub fn open_united(
        &self,
        lists: (InclusionList, Templates),
        options: &RuntimeOptions,
    ) -> Result<Ensemble, DetectError> {
        self.open_with(lists, Half::Both, options, None)
    }

    fn open_with(
        &self,
        lists: (InclusionList, Templates),
        half: Half,
        options: &RuntimeOptions,
        least: Option<f32>,
    ) -> Result<Ensemble, DetectError> {
        let mut ensemble = self.open_knowledge(lists, half);
        for member in self.member.iter().filter(|_| half != Half::Knowledge) {
            if let Some(model) = member.open(self.place, self.folder(), options)? {
                ensemble = ensemble.with_learned(model.into_member(least)?, member.weight());
            }
        }
        Ok(ensemble)
    }

    /// The ensemble without its trained members.
    pub(super) fn open_knowledge(&self, (inclusion, templates): (InclusionList, Templates), half: Half) -> Ensemble {
        let knowledge = self.member.iter().find(|member| matches!(member, Member::Knowledge { .. }));
        let knowledge = knowledge.filter(|_| half != Half::Learned);
        let ensemble = Ensemble::knowledge(inclusion, templates)
            .gated(self.gate && knowledge.is_some())
            .with_combination(Combine::Union, knowledge.map_or(1.0, Member::weight));
        if knowledge.is_none() { ensemble.without_knowledge() } else { ensemble }
    }
}

/// Where files lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Place {
    #[default]
    Files,
    Shipped,
}

impl Place {
    pub(super) fn read(self, path: &Path) -> std::io::Result<Vec<u8>> {
        if self == Self::Files {
            return std::fs::read(path);
        }
        let name = path.to_str().unwrap_or_default().replace('\\', "/");
        let file = SHIPPED_FILES.iter().find(|(shipped, _)| *shipped == name);
        file.map(|(_, content)| content.to_vec()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }

    /// Where a path of an ensemble file leads: below its folder, or to what is compiled in.
    pub(super) fn of(self, folder: &Path, path: &Path) -> (Self, PathBuf) {
        match path.to_str().and_then(|path| path.strip_prefix(SHIPPED_PREFIX)) {
            Some(name) => (Self::Shipped, PathBuf::from(name)),
            None => (self, folder.join(path)),
        }
    }

    /// The path of an ensemble file that leads to what is compiled in.
    pub(super) fn shipped(name: &Path) -> PathBuf {
        PathBuf::from(format!("{SHIPPED_PREFIX}{}", name.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::detect::crf::CrfDetector;
    use crate::detect::neural::RuntimeChoice;
    use crate::detect::{LearnedDetector, SiteDictionary};
    use crate::phi::Span;
    use crate::text::InContext;
    use crate::train::stacking::{Settings, train_stack};
    use crate::train::{self, Example, examples};

    fn lists() -> (InclusionList, Templates) {
        (InclusionList::default(), Templates::default())
    }

    fn notes() -> Vec<Example> {
        let note = |at: usize| {
            let name = ["Okafor", "Strong", "Hawkins", "Rose"][at % 4];
            let text = format!("john seen by {name} of boston on March {}, 2019; Strong pulses.", at % 27 + 1);
            let place = |words: &str| text.find(words).map_or(0..0, |start| start..start + words.len());
            let spans = [(place(name), "DOCTOR".to_owned()), (place("boston"), "CITY".to_owned())];
            examples(&text, &spans, &format!("patient {}", at % 9))
        };
        (0..60).flat_map(note).collect()
    }

    /// An ensemble file of knowledge and a tiny transformer of random weights.
    fn file(folder: &Path, name: &str, head: &str, model: &str) -> PathBuf {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/detect/neural/fixtures").join(model);
        let members =
            format!("[[member]]\nkind = \"knowledge\"\n[[member]]\nkind = \"transformer\"\npath = {model:?}\n");
        let file = folder.join(name);
        std::fs::write(&file, format!("format = 1\n{head}\n{members}")).expect("the file can be written");
        file
    }

    #[test]
    fn a_stack_goes_through_its_file_and_is_for_its_members_only() {
        let options = RuntimeOptions { runtime: RuntimeChoice::Rten, ..RuntimeOptions::default() };
        let (folder, notes) = (tempfile::tempdir().unwrap(), notes());
        let plain = EnsembleDescription::read(&file(folder.path(), "plain.toml", "gate = true", "plain")).unwrap();
        let proposing = plain.open_proposing(lists(), 0.05, &options).unwrap();
        let models = proposing.models();
        assert!(models[0] == "knowledge" && models[1].starts_with("transformer tiny-plain 1 "), "{models:?}");
        let united = plain.open_united(lists(), &options).unwrap();
        let settings = Settings { folds: 3, ..Settings::default() };
        let stack = train_stack(&proposing, &united, &notes, &settings).unwrap().stack;
        std::fs::write(folder.path().join("stack.toml"), stack.to_toml()).unwrap();

        let head = "gate = true\ncombine = \"stacking\"\nstack = \"stack.toml\"";
        let stacked = file(folder.path(), "stacked.toml", head, "plain");
        let sentences: Vec<_> = notes.iter().map(|note| InContext::alone(&note.sentence)).collect();
        let found = |ensemble: &Ensemble| -> Vec<Vec<Span>> { ensemble.detect_all(&sentences, &mut |_| {}).unwrap() };
        let opened = found(&Ensemble::open(&stacked, lists(), Half::Both, &options).unwrap());
        assert_eq!(opened, found(&proposing.combining(Combine::Stacking(Arc::new(stack)))));
        assert_ne!(opened, found(&united));
        // One half is united: the stack was trained for both.
        let half = found(&Ensemble::open(&stacked, lists(), Half::Knowledge, &options).unwrap());
        let knowledge: Vec<_> = sentences.iter().map(|sentence| united.detect_by_knowledge(sentence.text)).collect();
        assert_eq!(half, knowledge);

        let other = file(folder.path(), "other.toml", head, "shaped");
        let refused = Ensemble::open(&other, lists(), Half::Both, &options).unwrap_err().to_string();
        assert!(refused.contains("other members") && refused.contains(&models[1]), "{refused}");
    }

    /// What one half answers with a site's dictionary is not what both answer with it: neither may be remembered for the other.
    #[test]
    fn a_dictionary_of_the_site_does_not_stand_for_knowledge() {
        let options = RuntimeOptions { runtime: RuntimeChoice::Rten, ..RuntimeOptions::default() };
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path(), "both.toml", "", "plain");
        let site = Arc::new(SiteDictionary::parse("HOSPITAL\tZebra Room\n").unwrap());
        let open = |half| Ensemble::open(&file, lists(), half, &options).unwrap();
        let [learned, both] = [Half::Learned, Half::Both].map(|half| open(half).with_site_dictionary(site.clone()));
        assert!(!learned.has_knowledge() && both.has_knowledge());
        assert_eq!((learned.fingerprints().len(), both.fingerprints().len()), (1, 2));
        assert_ne!(learned.settings(), open(Half::Learned).settings());
        assert_ne!(both.fingerprints()[0], open(Half::Both).fingerprints()[0]);
        let text = "Seen 3/4/2019 in the Zebra Room.";
        let found = |ensemble: &Ensemble| ensemble.detect_by_knowledge(text).len();
        assert_eq!((found(&learned), found(&both)), (1, 2));
    }

    #[test]
    fn a_model_that_was_trained_again_is_another() {
        let (notes, settings) = (notes(), train::crf::Settings { iterations: 5, ..Default::default() });
        let [model, again, other] = [&notes[..40], &notes[..40], &notes[20..]].map(|notes| {
            let model = train::crf::train(notes, &settings).unwrap().with_description("site 1");
            LearnedDetector::model(&CrfDetector::new(model).unwrap())
        });
        assert!(model.starts_with("crf site 1 "), "{model}");
        assert_eq!(model, again);
        assert_ne!(model, other);
    }
}
