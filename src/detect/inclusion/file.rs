//! The review file: candidates and what was decided on them, as a table that people open in a spreadsheet.
//!
//! ```text
//! # plainsight inclusion list format=1 version=3 segmenter=7 context=short
//! sentence,context,after,occurrences,notes,patients,why,claims,decision,reviewer,time,reason,check
//! No acute distress.,,,1310,1204,988,prevalent,,approved,'Meyer,'2026-11-21T16:40:00Z,no name can stand here,kbaogdcf
//! 'Normal.,'Heart sounds:,,530,512,412,prevalent,,,,,,ohpmfaie
//! ```
//!
//! RFC 4180, UTF-8. It begins with a byte order mark, without which Excel takes UTF-8 for something else; the reader does without
//! it, and with semicolons or tabs between cells, other line ends, other orders of columns. [`cell`](super::cell) tells how text
//! survives the trip, [`row`](super::row) how one that did not is found out. The version rises with every command that changes
//! decisions.

use std::collections::HashSet;

use super::candidate::{Candidate, Context};
use super::error::InclusionError;
use super::list::is_whole;
use super::row::{self, COLUMNS};
use super::table::Rows;
use super::verdict::{Decision, Verdict};
use crate::detect::DetectError;
use crate::text::{ContextMode, SEGMENTER_VERSION};

/// How every review file begins, after a byte order mark.
const TITLE: &str = "# plainsight inclusion list ";
/// The one format there is.
const FORMAT: u32 = 1;
const BYTE_ORDER_MARK: char = '\u{feff}';

const REPEATED: &str = "the sentence stands further up too, in the same context";
/// What is said of a row by hand.
pub(super) const NOT_WHOLE: &str = "this is not one whole sentence as the segmenter cuts them";

/// A candidate and what was decided on it, if anything was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The sentence.
    pub candidate: Candidate,
    /// The decision.
    pub verdict: Option<Verdict>,
}

impl Entry {
    /// The decision alone.
    pub fn decision(&self) -> Option<Decision> {
        self.verdict.as_ref().map(Verdict::decision)
    }
}

/// A review file in memory. No two entries have context and sentence in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewFile {
    pub(super) version: u32,
    pub(super) segmenter: u32,
    pub(super) context: ContextMode,
    pub(super) entries: Vec<Entry>,
}

impl ReviewFile {
    /// A first version, with nothing decided: candidates without claims first, those of most patients first.
    ///
    /// `context` is how much of their surroundings the corpus was counted with.
    ///
    /// # Errors
    /// [`InclusionError::Candidate`] for a candidate that no file can hold, and for one that was given before.
    pub fn new(context: ContextMode, candidates: impl IntoIterator<Item = Candidate>) -> Result<Self, InclusionError> {
        let mut entries = Vec::new();
        for (index, candidate) in candidates.into_iter().enumerate() {
            entries.push(Entry { candidate: candidate.checked(index + 1)?, verdict: None });
        }
        if let Some(index) = repeated(&entries) {
            let reason = "the sentence was given before, in the same context";
            return Err(InclusionError::Candidate { number: index + 1, reason });
        }
        sort(&mut entries);
        Ok(Self { version: 1, segmenter: SEGMENTER_VERSION, context, entries })
    }

    /// How often decisions have been changed, from 1.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The version of the segmenter that cut the sentences.
    pub const fn segmenter(&self) -> u32 {
        self.segmenter
    }

    /// How much of their surroundings the sentences are known by.
    pub const fn context(&self) -> ContextMode {
        self.context
    }

    /// The entries, in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether a text is a review file, or means to be one, rather than a plain list.
    pub(super) fn is_one(text: &str) -> bool {
        let text = text.trim_start_matches(BYTE_ORDER_MARK);
        let columns = |line: &str| {
            let has = |name| line.split([',', ';', '\t']).any(|cell| cell.trim_matches('"') == name);
            has("sentence") && has("decision")
        };
        text.lines().any(is_title) || text.lines().find(|line| !line.starts_with('#')).is_some_and(columns)
    }

    /// Reads a review file.
    ///
    /// # Errors
    /// [`DetectError::Inclusion`] with the line, for whatever is not as described: another format, a missing or strange column, a
    /// short row, text that was changed since it was written, a decision without reviewer, time or reason, a repeated entry, and a
    /// row added by hand that is not one whole sentence as the segmenter cuts them.
    pub fn parse(text: &str) -> Result<Self, DetectError> {
        Ok(Self::parse_with_lines(text)?.0)
    }

    /// The same, and the line of each entry.
    pub(super) fn parse_with_lines(text: &str) -> Result<(Self, Vec<usize>), DetectError> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let (title, table) = text.split_once('\n').unwrap_or((text, ""));
        let mut file = read_title(title).map_err(|reason| fail(1, reason))?;
        let mut lines = Vec::new();
        for row in Rows::new(table)? {
            let (line, entry) = row?;
            lines.push(line);
            file.entries.push(entry);
        }
        match repeated(&file.entries) {
            Some(index) => Err(fail(lines[index], REPEATED)),
            None => Ok((file, lines)),
        }
    }

    /// The columns of a table of [`ReviewFile::rows`].
    pub const COLUMNS: [&str; 13] = COLUMNS;

    /// Every entry as a row for tables that keep text as it is: nothing where nothing was decided, and as the line before a sentence of
    /// any context. It quotes notes.
    pub fn rows(&self) -> impl Iterator<Item = [Option<String>; 13]> {
        self.entries.iter().map(row::values)
    }

    /// The file of such rows; `title` is that of the file which they were taken from.
    ///
    /// # Errors
    /// [`InclusionError::Row`] for whatever [`ReviewFile::parse`] refuses in a table of text.
    pub fn of_rows<'r>(
        title: &str,
        rows: impl IntoIterator<Item = [Option<&'r str>; 13]>,
    ) -> Result<Self, InclusionError> {
        let fail = |number: usize, reason| InclusionError::Row { number, reason };
        let mut file = read_settings(title).map_err(|reason| fail(1, reason))?;
        for (number, values) in (1..).zip(rows) {
            let row = row::read_values(values).map_err(|reason| fail(number, reason))?;
            if !row.checked && !is_whole(&row.entry.candidate.sentence) {
                return Err(fail(number, NOT_WHOLE));
            }
            file.entries.push(row.entry);
        }
        match repeated(&file.entries) {
            Some(index) => Err(fail(index + 1, REPEATED)),
            None => Ok(file),
        }
    }

    /// What the first line of a file says of it all: `format=1 version=3 segmenter=7 context=short`.
    pub fn title(&self) -> String {
        format!("format={FORMAT} version={} segmenter={} context={}", self.version, self.segmenter, self.context.name())
    }

    /// The file as text. It quotes notes: the caller writes it with mode 0600, where notes may lie.
    pub fn to_csv(&self) -> String {
        let title = format!("{BYTE_ORDER_MARK}{TITLE}{}\n", self.title());
        let mut writer = csv::Writer::from_writer(title.into_bytes());
        let mut write = |cells: &[String]| writer.write_record(cells).expect("memory takes rows of one length");
        write(&COLUMNS.map(str::to_owned));
        self.entries.iter().for_each(|entry| write(&row::cells(entry)));
        let bytes = writer.into_inner().expect("memory takes what is written to it");
        String::from_utf8(bytes).expect("a table of texts is text")
    }
}

pub(super) fn fail(line: usize, reason: &'static str) -> DetectError {
    DetectError::Inclusion { line, reason }
}

fn is_title(text: &str) -> bool {
    text.trim_start_matches('"').strip_prefix(TITLE).is_some_and(|settings| settings.starts_with("format="))
}

/// Candidates without claims first, those of most patients first.
pub(super) fn sort(entries: &mut [Entry]) {
    entries.sort_by(|one, other| {
        let rank = |entry: &Entry| {
            let candidate = &entry.candidate;
            (!candidate.is_claimed(), candidate.patients, candidate.occurrences)
        };
        rank(other).cmp(&rank(one)).then_with(|| one.candidate.key().cmp(&other.candidate.key()))
    });
}

/// The first entry that stands further up too.
fn repeated(entries: &[Entry]) -> Option<usize> {
    let mut seen: HashSet<(&Context, &str)> = HashSet::with_capacity(entries.len());
    entries.iter().position(|entry| !seen.insert(entry.candidate.key()))
}

const FORM: &str = "the first line must be `# plainsight inclusion list format=1 version=… segmenter=… context=…`";

/// Reads the first line, of which a spreadsheet may have made one cell with empty ones after it.
fn read_title(line: &str) -> Result<ReviewFile, &'static str> {
    let line = line.trim_end_matches(['\r', ',', ';', '\t', '"', ' ']).trim_start_matches('"');
    read_settings(line.strip_prefix(TITLE).ok_or(FORM)?)
}

/// Reads what a title says, without entries.
fn read_settings(settings: &str) -> Result<ReviewFile, &'static str> {
    let setting = |name: &str| settings.split(' ').find_map(|setting| setting.strip_prefix(name)?.strip_prefix('='));
    let number = |name| setting(name).and_then(|value| value.parse::<u32>().ok()).ok_or(FORM);
    if number("format")? != FORMAT {
        return Err("the list has a format that this version of plainsight does not know");
    }
    let context = setting("context").and_then(|mode| mode.parse().ok()).ok_or(FORM)?;
    let segmenter = number("segmenter")?;
    if segmenter > SEGMENTER_VERSION {
        return Err("a later version of plainsight has cut these sentences; use that one");
    }
    Ok(ReviewFile { version: number("version")?, segmenter, context, entries: Vec::new() })
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::super::candidate::tests::{after, awkward, candidate, candidates};
    use super::*;

    prop_compose! {
        fn verdicts()(
            approved in any::<bool>(),
            seconds in -30_000_000_000_i64..250_000_000_000,
            said in (awkward(), awkward()).prop_filter("blank", |said| !said.0.trim().is_empty() && !said.1.trim().is_empty())
        ) -> Verdict {
            let decision = if approved { Decision::Approved } else { Decision::Rejected };
            Verdict::new(decision, &said.0, DateTime::from_timestamp(seconds, 5).unwrap(), &said.1).unwrap()
        }
    }

    prop_compose! {
        fn files()(
            entries in prop::collection::vec((candidates(), prop::option::of(verdicts())), 0..5),
            version in any::<u32>()
        ) -> ReviewFile {
            let mut entries: Vec<_> =
                entries.into_iter().map(|(candidate, verdict)| Entry { candidate, verdict }).collect();
            while let Some(index) = repeated(&entries) {
                entries.remove(index);
            }
            ReviewFile { version, segmenter: SEGMENTER_VERSION, context: ContextMode::Short, entries }
        }
    }

    /// What spreadsheets do to a table when they save it: no byte order mark, other line ends, a title with empty cells, and
    /// quotation marks wherever they like.
    fn saved_by_a_spreadsheet(text: &str, delimiter: char) -> String {
        let (title, table) = text.trim_start_matches(BYTE_ORDER_MARK).split_once('\n').unwrap();
        let mut saved = format!("{title}{}\r\n", delimiter.to_string().repeat(12));
        for record in csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes()).records() {
            let record = record.unwrap();
            let cells: Vec<_> = record.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
            saved += &(cells.join(&delimiter.to_string()) + "\r\n");
        }
        saved + &delimiter.to_string().repeat(12) + "\r\n"
    }

    fn refusal(text: &str) -> (usize, &'static str) {
        match ReviewFile::parse(text) {
            Err(DetectError::Inclusion { line, reason }) => (line, reason),
            other => panic!("{other:?}"),
        }
    }

    /// Three rows: the second has a quotation mark and the last is approved.
    fn three() -> String {
        let candidates = [candidate("", "Ok.", 9), candidate("", "A \"quiet\" night.", 8), candidate("X:", "3/4", 7)];
        let mut file = ReviewFile::new(ContextMode::Short, candidates).unwrap();
        let verdict = Verdict::new(Decision::Approved, "Meyer", DateTime::UNIX_EPOCH, "read");
        file.entries[2].verdict = Some(verdict.unwrap());
        file.to_csv()
    }

    #[test]
    fn it_reads_as_described() {
        let expected = format!(
            "\u{feff}# plainsight inclusion list format=1 version=1 segmenter={SEGMENTER_VERSION} context=short\n\
             sentence,context,after,occurrences,notes,patients,why,claims,decision,reviewer,time,reason,check\n\
             'Ok.,,,9,9,9,prevalent,,,,,,"
        );
        assert!(three().starts_with(&expected), "{}", three());
        assert!(three().contains("\n\"A \"\"quiet\"\" night.\",,,8,8,8,prevalent,,,,,,"), "{}", three());
        assert!(
            three().contains("\n'3/4,'X:,,7,7,7,prevalent,,approved,'Meyer,'1970-01-01T00:00:00Z,'read,"),
            "{}",
            three()
        );
        let star = ReviewFile::new(
            ContextMode::Short,
            [candidate("*", "A.", 1), Candidate { context: after("*"), ..candidate("", "A.", 2) }],
        );
        assert!(star.unwrap().to_csv().contains("'A.,'\\u{2a},,2,"));
    }

    #[test]
    fn what_is_damaged_is_refused_with_its_line() {
        let text = three();
        for (line, from, to) in [
            (1, "format=1", "format=2"),
            (1, "version=1", "version=x"),
            (1, "context=short", "context=sh/rt"),
            (1, "# plainsight", "#plainsight"),
            (2, "reviewer,", ""),
            (2, "reviewer", "remarks"),
            (2, "notes,", "notes,notes,"),
            (3, "'Ok.", "'OK."),
            (3, "'Ok.,,", "'Ok.,'X:,"),
            (3, "'Ok.,,", "'Ok.,*,'X:"),
            (3, "'Ok.,,,", "'Ok.,,'X:,"),
            (3, "9,9,9", "9,9,1E9"),
            (3, "9,9,9,prevalent,", "9,9,9,prevalent,DATE 0..9"),
            (3, "9,9,9,prevalent,", "9,9,9,prevalent,DATE"),
            (3, "9,9,9,prevalent", "9,9,9,always"),
            (3, "9,9,9,prevalent,,,", "9,9,9,prevalent,,maybe,"),
            (3, "9,9,9,prevalent,,,", "9,9,9,prevalent,,approved,"),
            (3, "9,9,9,prevalent,,,,", "9,9,9,prevalent,,,Meyer,"),
            (3, "9,9,9,prevalent", "9,9"),
            (3, "'Ok.", "\\x"),
            (4, "night.\",", "night.,"),
            (5, "'3/4", "4-Mar"),
            (5, "1970-01-01T00:00:00Z", "01.01.70"),
            (5, "'read", ""),
        ] {
            assert!(text.contains(from), "{from}");
            assert_eq!(refusal(&text.replacen(from, to, 1)).0, line, "{from} → {to}");
        }
        let open = text.replacen("night.\",", "night.,", 1);
        assert_eq!(refusal(&open), (4, "a quotation mark is missing in the row that begins here"));
        let repeated = format!("{text}{}\n", text.lines().nth(3).unwrap());
        assert_eq!(refusal(&repeated).0, 6);
        assert_eq!(refusal("").0, 1);
        assert_eq!(refusal(text.lines().next().unwrap()).0, 2);
        // Lines are counted as an editor counts them, whatever stands between.
        assert_eq!(refusal(&text.replacen("\n'3/4", "\r\n\r\n\n4-Mar", 1)).0, 7);
        let inside = text.replacen("prevalent,,,,,,", "prevalent,,,,,\"\n\",", 1).replacen("'3/4", "4-Mar", 1);
        assert_eq!(refusal(&inside).0, 6);
    }

    /// The end of a file may be lost on the way: what is left is refused, or is what it was.
    #[test]
    fn of_a_file_cut_short_no_entry_is_another() {
        let text = three();
        let whole = ReviewFile::parse(&text).unwrap().entries;
        let mut refused = 0;
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            match ReviewFile::parse(&text[..end]) {
                Ok(file) => assert_eq!(file.entries, whole[..file.entries.len()], "{end}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > text.len() * 9 / 10, "{refused} of {}", text.len());
    }

    #[test]
    fn a_row_may_be_added_by_hand() {
        let text = three() + "=Hand-made.,*,,1,1,1,gold,,,,,,\n";
        let file = ReviewFile::parse(&text).unwrap();
        assert_eq!(
            file.entries[3].candidate,
            Candidate { why: super::super::Why::Gold, ..candidate("*", "=Hand-made.", 1) }
        );
        assert_eq!(ReviewFile::parse(&file.to_csv()).unwrap(), file);
    }

    #[test]
    fn candidates_stand_in_order_and_once() {
        let file = ReviewFile::new(
            ContextMode::Short,
            [candidate("", "B.", 1), candidate("", "C.", 2), candidate("", "A.", 1)],
        )
        .unwrap();
        let sentences: Vec<_> = file.entries().iter().map(|entry| entry.candidate.sentence.as_str()).collect();
        assert_eq!(sentences, ["C.", "A.", "B."]);
        let twice = ReviewFile::new(
            ContextMode::Short,
            [candidate("", "B.", 1), candidate("X", "B.", 1), candidate("", "B.", 2)],
        );
        assert!(matches!(twice, Err(InclusionError::Candidate { number: 3, .. })));
    }

    proptest! {
        #[test]
        fn a_file_comes_back_as_it_was(file in files()) {
            let text = file.to_csv();
            prop_assert!(ReviewFile::is_one(&text));
            prop_assert_eq!(&ReviewFile::parse(&text).unwrap(), &file);
            prop_assert_eq!(text.lines().count(), 2 + file.entries.len());
            for delimiter in [',', ';', '\t'] {
                prop_assert_eq!(&ReviewFile::parse(&saved_by_a_spreadsheet(&text, delimiter)).unwrap(), &file);
            }
            prop_assert_eq!(&ReviewFile::parse(&text.replace('\n', "\r\n")).unwrap(), &file);
        }

        #[test]
        fn any_text_is_read_or_refused(text in awkward(), at in any::<prop::sample::Index>()) {
            let _ = (ReviewFile::parse(&text), super::super::InclusionList::parse(&text));
            let mut mutated = three();
            let at = (0..=at.index(mutated.len())).rev().find(|at| mutated.is_char_boundary(*at)).unwrap_or(0);
            mutated.insert_str(at, &text);
            if let Ok(file) = ReviewFile::parse(&mutated) {
                prop_assert_eq!(&ReviewFile::parse(&file.to_csv()).unwrap(), &file);
            }
        }
    }
}
