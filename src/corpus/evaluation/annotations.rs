//! The annotations of one side, gold or predicted, by note, in whatever format they come.
//!
//! ```text
//! spans.parquet, spans.jsonl   note_id, start, end, label       ┐
//! folder/*.xml                 i2b2-2014 or i2b2-2006           ┼─▶ note ─▶ annotations, and the text where the format has it
//! folder/*.txt + *.ann         brat standoff                    │
//! folder/*.conll, *.bio        CoNLL columns                    ┘
//! ```
//!
//! A folder holds one format. Of several, whichever were read, the others would be missing in silence; and so would what a link led to that
//! leads nowhere.

use std::collections::{BTreeMap, BTreeSet};

use datafusion::prelude::SessionContext;
use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::notes::NoteTexts;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::source::{NO_ICEBERG, is_hidden, is_iceberg, name_of_text};
use crate::corpus::store::Location;
use crate::evaluate::gold::{AnnotatedNote, Annotation, brat, conll, i2b2};

/// How annotations are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Format {
    Parquet,
    JsonLines,
    I2b2,
    Brat,
    Conll,
}

impl Format {
    /// The format that files of an ending are in.
    fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_lowercase().as_str() {
            "parquet" => Some(Self::Parquet),
            "jsonl" | "ndjson" | "json" => Some(Self::JsonLines),
            "xml" => Some(Self::I2b2),
            "ann" => Some(Self::Brat),
            "conll" | "bio" | "iob" | "iob2" => Some(Self::Conll),
            _ => None,
        }
    }

    /// The format of a file at a location. Tables have files that begin with `_` or `.` and are no part of them.
    fn of_file(location: &Location, file: &Path) -> Option<Self> {
        let format = Self::of_ending(file.extension()?)?;
        let is_table = matches!(format, Self::Parquet | Self::JsonLines);
        (!is_table || !is_hidden(location, file)).then_some(format)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Parquet => "Parquet",
            Self::JsonLines => "JSON Lines",
            Self::I2b2 => "i2b2 XML",
            Self::Brat => "brat standoff",
            Self::Conll => "CoNLL columns",
        }
    }
}

/// Annotations by note.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    /// Every note that the files name, with its annotations.
    pub(super) notes: BTreeMap<String, Vec<Annotation>>,
    /// The texts of the notes, where the format carries them.
    pub(super) texts: BTreeMap<String, String>,
    /// The columns of texts that rows of spans say they are of.
    pub(super) text_columns: BTreeSet<String>,
}

impl Annotations {
    /// Reads a file or a folder.
    pub(super) async fn read(context: &SessionContext, location: &Location) -> Result<Self> {
        let mut annotations = Self::default();
        match found(location).await? {
            (Format::Parquet, _) => annotations.read_table(context, location).await?,
            (Format::JsonLines, files) => annotations.read_lines(location, &files).await?,
            (format, files) => {
                for file in &files {
                    annotations.read_file(location, file, format).await?;
                }
            }
        }
        if annotations.text_columns.len() > 1 {
            let columns: Vec<_> = annotations.text_columns.iter().map(String::as_str).collect();
            return Err(CorpusError::input(
                location.uri(),
                format!(
                    "its spans are of several columns of text ({}), and would all be taken for spans of one; give those with one `text_column`",
                    columns.join(", ")
                ),
            ));
        }
        Ok(annotations)
    }

    /// Refuses annotations that bring texts of their own which are not those of the notes: their offsets would mean other words. Blanks at the end
    /// make no difference.
    ///
    /// # Errors
    /// [`CorpusError::Input`] with the number of such notes.
    pub(super) fn refuse_other_texts(&self, location: &Location, notes: &NoteTexts) -> Result<()> {
        let differs = |(id, text): &(&String, &String)| {
            notes.notes.get(*id).is_some_and(|note| note.text.trim_end() != text.trim_end())
        };
        match self.texts.iter().filter(differs).count() {
            0 => Ok(()),
            others => Err(CorpusError::input(
                location.uri(),
                format!(
                    "{others} of its notes have another text than those that it is compared with, so that offsets would not fit; CoNLL columns are \
                     of a text with a space between tokens: compare them with such columns alone"
                ),
            )),
        }
    }

    /// Reads a file of one note or several.
    async fn read_file(&mut self, location: &Location, file: &Path, format: Format) -> Result<()> {
        let name = location.name_of(file);
        let content = text_of(location, file).await?;
        let called = name_of_text(location, file);
        let notes = match format {
            Format::Brat => {
                let path = file.as_ref().rsplit_once('.').map_or("", |(path, _)| path);
                // Parsed, not made of parts: what stands for a letter that stores cannot have would be replaced once more.
                let text = Path::parse(format!("{path}.txt")).map_err(|error| CorpusError::input(&name, error))?;
                let text = text_of(location, &text).await?;
                brat(&called, &text, &content).map(|note| vec![note])
            }
            Format::Conll => conll(&called, &content),
            _ => i2b2(&called, &content),
        };
        let notes = notes.map_err(|error| CorpusError::input(&name, error))?;
        notes.into_iter().try_for_each(|note| self.add(note, &name))
    }

    fn add(&mut self, note: AnnotatedNote, file: &str) -> Result<()> {
        if self.notes.insert(note.note_id.clone(), note.spans).is_some() {
            return Err(CorpusError::input(file, format!("note {} is there twice", note.note_id)));
        }
        self.texts.extend(note.text.map(|text| (note.note_id, text)));
        Ok(())
    }
}

/// The format of the annotations at a location, and the files that are in it. Where there is none, the engine says so.
async fn found(location: &Location) -> Result<(Format, Vec<Path>)> {
    let listed = location.list().await?;
    // One of another ending may have led to a folder.
    let is_read = |link: &Path| !is_hidden(location, link) || Format::of_file(location, link).is_some();
    location.refuse_irregular(is_read)?;
    if is_iceberg(location, &listed).await {
        return Err(CorpusError::input(location.uri(), NO_ICEBERG));
    }
    if listed.iter().any(|file| location.path_below(&file.location).starts_with("_delta_log/")) {
        return Ok((Format::Parquet, Vec::new()));
    }
    let mut files: BTreeMap<Format, Vec<Path>> = BTreeMap::new();
    for file in listed {
        if let Some(format) = Format::of_file(location, &file.location) {
            files.entry(format).or_default().push(file.location);
        }
    }
    if files.len() > 1 {
        let names: Vec<_> = files.keys().map(|format| format.name()).collect();
        return Err(CorpusError::configuration(
            format!("`{}` has annotations in several formats: {}", location.uri(), names.join(", ")),
            "name a file, or a folder with files of one format",
        ));
    }
    Ok(files.pop_first().unwrap_or((Format::Parquet, Vec::new())))
}

/// The content of a file as it is: no line break is changed, for offsets count them.
async fn text_of(location: &Location, file: &Path) -> Result<String> {
    let fail = |reason: String| CorpusError::input(location.name_of(file), reason);
    let content = location.store().get(file).await.map_err(|error| fail(error.to_string()))?;
    let bytes = content.bytes().await.map_err(|error| fail(error.to_string()))?;
    String::from_utf8(bytes.into()).map_err(|_| fail("it is not UTF-8".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of a folder of these files.
    async fn read(files: &[(&str, &str)]) -> Result<Annotations> {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let location = Location::parse(folder.path().to_str().unwrap()).unwrap();
        Annotations::read(&SessionContext::new(), &location).await
    }

    const LINE: &str = r#"{"note_id":"n","start":0,"end":4,"label":"DOCTOR"}"#;
    const BRAT: [(&str, &str); 2] = [("n.txt", "Rose"), ("n.ann", "T1\tDOCTOR 0 4\tRose")];

    #[tokio::test]
    async fn a_folder_holds_one_format() {
        for (other, name) in [("m.xml", "i2b2 XML"), ("m.conll", "CoNLL columns"), ("m.JSONL", "JSON Lines")] {
            let error = read(&[BRAT[0], BRAT[1], (other, "")]).await.unwrap_err();
            assert!(error.is_usage(), "{error}");
            let message = error.to_string();
            assert!(message.contains(name) && message.contains("brat standoff"), "{message}");
        }
        let read = read(&[BRAT[0], BRAT[1], ("README.md", ""), ("_SUCCESS.json", "x")]).await.unwrap();
        assert_eq!((read.notes.len(), read.texts["n"].as_str()), (1, "Rose"));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn links_that_lead_nowhere_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in BRAT {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let location = Location::parse(folder.path().to_str().unwrap()).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", folder.path().join(".lock")).unwrap();
        assert_eq!(Annotations::read(&SessionContext::new(), &location).await.unwrap().notes.len(), 1);
        for name in ["m.ann", "m.txt", "more", "batch.2", "_m.ann"] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink("/nowhere/at/all", &link).unwrap();
            let refused = Annotations::read(&SessionContext::new(), &location).await.unwrap_err().to_string();
            assert!(refused.contains(&format!("{name}`")) && refused.contains("leads nowhere"), "{refused}");
            std::fs::remove_file(link).unwrap();
        }
    }

    #[tokio::test]
    async fn files_of_lines_are_read_together_and_may_be_empty() {
        let two = read(&[("a.jsonl", LINE), ("b.ndjson", LINE), ("c.json", "")]).await.unwrap();
        assert_eq!(two.notes["n"].len(), 2);
        assert!(read(&[("a.jsonl", "")]).await.unwrap().notes.is_empty());
        assert!(read(&[]).await.is_err(), "no file at all is a mistake");
    }

    #[tokio::test]
    async fn other_xml_is_refused() {
        let error = read(&[("a.xml", "<MEDDOCAN><TEXT>Rose</TEXT></MEDDOCAN>")]).await.unwrap_err().to_string();
        assert!(error.contains("a.xml") && error.contains("deIdi2b2") && !error.contains("Rose"), "{error}");
    }
}
