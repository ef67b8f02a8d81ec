//! Cells of tables, read behind the heading of their column.
//!
//! ```text
//! | BED | NAME   | MD    |       BED  PATIENT   ATTENDING  DIET
//! | 4A  | LAW    | BEST  |       12   WINTERS   PRICE      renal         `BEST` is a word, and under `MD` it is somebody
//! | 5A  | CHANCE | GREEN |       13   LONG      BEST       NPO
//! ```
//!
//! A line is no more than its words to a detector of sentences; what a cell is the first line of the table tells. So this is asked of a whole note:
//! a cell is read again as the value of a field that is called like its column, and in a column of persons what looks like a name is one.

use std::ops::Range;

use super::Ensemble;
use super::listed::listed;
use super::neighbours::Taken;
use super::repeated::lines;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Detector, Label, Span};

/// How sure a name is that only its column tells.
const SCORE: f32 = 0.7;
/// Longer lines are no rows, in bytes.
const LONGEST_LINE: usize = 1_000;
/// Longer cells hold sentences, in bytes; and headings are shorter.
const LONGEST_CELL: usize = 48;
const LONGEST_HEADING: usize = 24;
/// So many headings of a line are ones that tables have, or it heads none.
const FEWEST_KNOWN: usize = 2;
/// A name has at most so many words.
const MOST_WORDS: usize = 4;
/// So far from the edge of its heading may a cell begin or end, where columns are made with blanks.
const SLACK: usize = 2;

/// So many headings may be parted by commas alone.
const FEWEST_LISTED: usize = 4;
/// What parts cells that have quotation marks around them.
const QUOTED: &str = "\",\"";

/// What columns of private persons and of staff are called.
const PRIVATE: &str = "patient pt name last first middle surname lastname firstname client guarantor subscriber insured nok caller baby infant \
                       mother father donor recipient student child";
const STAFF: &str = "md do attending att attg attend provider prov physician doctor surgeon assistant anes anesthesia anesthesiologist crna rn \
                     nurse lpn cna tech resident intern fellow pcp referring ordering init initials staff therapist counselor circulator scrub by \
                     reader radiologist pathologist consultant pharmacist midwife nurses attendings";
/// What other columns are called whose cells identify somebody.
const OTHERS: &str = "bed room rm loc unit ward age dob born birth date admit adm admitted dc discharge discharged due collected mrn csn fin acct \
                      account encounter visit accession order auth policy member group lot serial phone tel ext pager cell fax email user \
                      employer payer payor insurance carrier pharmacy facility school agency occupation city town county state zip address street";
/// What columns are called whose cells do not.
const PLAIN: &str = "dose route freq frequency result results units value range test drug medication med meds strength sig qty quantity flag dx \
                     diagnosis problem problems procedure proc case reason plan notes note comment comments diet code status service sex gender \
                     relation relationship los iv o2 pain temp bp hr pulse rr spo2 sat weight wt height ht time site mfr manufacturer vaccine task \
                     todo goal score response type category isolation fall risk lines drips precautions allergies allergy duration indication";
/// Those that make a table one of things, whose names are no persons'.
const OF_THINGS: &str = "dose route freq frequency result results units value range test drug medication med meds strength sig qty quantity \
                         manufacturer mfr vaccine indication duration";
/// What stands in a column of persons where there is nobody.
const NOBODY: &str = "yes no none na unknown unk pending tbd open empty vacant unassigned assigned self same see stable discharged admitted \
                      transferred transfer left away off closed blocked clean dirty hold held ready new day days night nights am pm total all \
                      float agency on call home male female full dnr npo regular done due not given refused later today tomorrow available";

/// Adds what the headings of a note's tables tell of the cells below them.
pub(super) fn find(ensemble: &Ensemble, text: &str, spans: &mut Vec<Span>) {
    let (mut found, mut table) = (Vec::new(), None);
    let mut taken = None;
    for (start, line) in lines(text).filter(|(_, line)| line.len() <= LONGEST_LINE) {
        if let Some(next) = Table::headed_by(line) {
            table = Some(next);
        } else if line.trim().is_empty() {
            table = None;
        } else if let Some(table) = &table {
            let taken = taken.get_or_insert_with(|| Taken::by(spans));
            for (column, cell) in table.row(start, line) {
                if taken.is_free(cell.start, cell.end) {
                    found.extend(column.read(ensemble, text, cell));
                }
            }
        }
    }
    spans.extend(found);
}

/// What parts the cells of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A mark between them; cells may be empty.
    Marked(char),
    /// Quotation marks around each, and commas between them.
    Quoted,
    /// Two blanks or more.
    Wide,
}

impl Form {
    /// That of a line, if it has cells.
    fn of(line: &str) -> Option<Self> {
        if line.contains('|') {
            Some(Self::Marked('|'))
        } else if line.contains('\t') {
            Some(Self::Marked('\t'))
        } else if line.trim_start().starts_with('"') && line.contains(QUOTED) {
            Some(Self::Quoted)
        } else if line.contains("  ") {
            Some(Self::Wide)
        } else {
            // In sentences a blank follows.
            let is_list = line.matches(',').count() + 1 >= FEWEST_LISTED && !line.contains(", ");
            is_list.then_some(Self::Marked(','))
        }
    }
}

/// The cells of a line without the blanks around them; of marked ones the empty ones too, so that they can be counted.
fn cells(start: usize, line: &str, form: Form) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut push = |from: usize, cell: &str| {
        let first = from + cell.len() - cell.trim_start().len();
        cells.push(start + first..start + first.max(from + cell.trim_end().len()));
    };
    let mut from = 0;
    match form {
        // `"Quorlin","5" tall","Best"`: what does not close is no quotation.
        Form::Quoted if line.matches('"').count() % 2 == 1 => {
            for cell in line.split(QUOTED) {
                let bare = cell.trim_start().trim_start_matches('"');
                push(from + cell.len() - bare.len(), bare.trim_end().trim_end_matches('"'));
                from += cell.len() + QUOTED.len();
            }
        }
        // `"Quorlin, Ann",1990-03-22`: a comma in a name is none between cells.
        Form::Marked(',') | Form::Quoted => {
            let mut quoted = false;
            for cell in line.split(|c: char| {
                quoted ^= c == '"';
                c == ',' && !quoted
            }) {
                let bare = cell.trim_start().trim_start_matches('"');
                push(from + cell.len() - bare.len(), bare.trim_end().trim_end_matches('"'));
                from += cell.len() + 1;
            }
        }
        Form::Marked(mark) => {
            for cell in line.split(mark) {
                push(from, cell);
                from += cell.len() + mark.len_utf8();
            }
        }
        Form::Wide => {
            for cell in line.split("  ") {
                if !cell.trim().is_empty() {
                    push(from, cell);
                }
                from += cell.len() + 2;
            }
        }
    }
    cells
}

/// A column whose cells are read.
#[derive(Debug)]
struct Column {
    heading: String,
    /// Which cell of a line it is, and where its heading stands in its line, in characters.
    place: usize,
    within: Range<usize>,
    /// Whose names it holds.
    persons: Option<Label>,
}

#[derive(Debug)]
struct Table {
    form: Form,
    width: usize,
    columns: Vec<Column>,
}

impl Table {
    /// The table whose first line this is.
    fn headed_by(line: &str) -> Option<Self> {
        let form = Form::of(line)?;
        let cells = cells(0, line, form);
        let heading = |cell: &Range<usize>| &line[cell.clone()];
        let named: Vec<&str> = cells.iter().map(heading).filter(|heading| !heading.is_empty()).collect();
        let is_heading = |heading: &&str| {
            // `#` heads a column of numbers.
            heading.len() <= LONGEST_HEADING
                && (heading.starts_with(char::is_alphabetic) || *heading == "#")
                && !heading.contains(|c: char| c.is_ascii_digit() || matches!(c, ':' | '^' | ',' | '='))
        };
        if named.len() < 2 || !named.iter().all(is_heading) {
            return None;
        }
        let is_known = |heading: &&&str| words(heading).any(is_known) && !words(heading).any(is_of_prose);
        if named.iter().filter(is_known).count() < FEWEST_KNOWN {
            return None;
        }
        let of_things = named.iter().flat_map(|heading| words(heading)).any(|word| listed!(word, OF_THINGS));
        let columns = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()).filter_map(|(place, cell)| {
            Column::called(heading(cell), of_things).map(|(heading, persons)| Column {
                heading,
                place,
                within: characters(line, cell),
                persons,
            })
        });
        let columns: Vec<_> = columns.collect();
        (!columns.is_empty()).then_some(Self { form, width: cells.len(), columns })
    }

    /// The cells of a line that stand in columns which are read; none of a line that is no row.
    fn row(&self, start: usize, line: &str) -> Vec<(&Column, Range<usize>)> {
        let cells = cells(start, line, self.form);
        let is_row = match self.form {
            // Empty cells at the end may be left out, and a mark may end the line.
            Form::Marked(_) | Form::Quoted => {
                let is_closed = cells.len() == self.width + 1 && cells.last().is_some_and(Range::is_empty);
                cells.len() > 1 && (cells.len() <= self.width || is_closed)
            }
            Form::Wide => cells.len() > 1,
        };
        let places: Vec<_> = match self.form {
            Form::Marked(_) | Form::Quoted => Vec::new(),
            Form::Wide => cells.iter().map(|cell| characters(line, &(cell.start - start..cell.end - start))).collect(),
        };
        let cell_of = |column: &Column| match self.form {
            Form::Marked(_) | Form::Quoted => cells.get(column.place).cloned(),
            Form::Wide => {
                places.iter().zip(&cells).find(|(place, _)| column.holds(place)).map(|(_, cell)| cell.clone())
            }
        };
        let columns = if is_row { self.columns.as_slice() } else { &[] };
        let cells = columns.iter().filter_map(|column| Some((column, cell_of(column)?)));
        cells.filter(|(_, cell)| (1..=LONGEST_CELL).contains(&cell.len())).collect()
    }
}

impl Column {
    /// The heading as that of a field, and whose names stand below it; none where nothing there is read.
    fn called(heading: &str, of_things: bool) -> Option<(String, Option<Label>)> {
        let heading = heading.trim_end_matches(|c: char| !c.is_alphanumeric());
        if words(heading).any(|word| listed!(word, PLAIN)) {
            return None;
        }
        // `Patient ID` and `Provider phone` are numbers.
        let is_number = words(heading).any(|word| listed!(word, OTHERS) || listed!(word, "id no num number"));
        let persons = if is_number {
            None
        } else if words(heading).any(|word| listed!(word, STAFF)) {
            Some(Label::Doctor)
        } else {
            let is_private = words(heading).any(|word| listed!(word, PRIVATE)) && !of_things;
            is_private.then_some(Label::Patient)
        };
        (is_number || persons.is_some()).then(|| (heading.to_owned(), persons))
    }

    /// Whether a cell stands below the heading, to the left or to the right.
    const fn holds(&self, place: &Range<usize>) -> bool {
        self.within.start.abs_diff(place.start) <= SLACK || self.within.end.abs_diff(place.end) <= SLACK
    }

    /// What a cell is.
    fn read(&self, ensemble: &Ensemble, text: &str, cell: Range<usize>) -> Vec<Span> {
        let value = &text[cell.clone()];
        let joined = format!("{}: {value}", self.heading);
        let from = joined.len() - value.len();
        let claims = ensemble.detect_by_knowledge(&joined).into_iter().filter(|span| span.end > from);
        let found: Vec<Span> = claims
            .filter(|span| span.leading().class.label != Label::Time)
            .map(|span| {
                let start = cell.start + span.start.saturating_sub(from);
                Span { start, end: cell.start + span.end - from, ..span }
            })
            .collect();
        let is_signed = || words(&self.heading).any(|word| listed!(word, "init initials")) && are_initials(value);
        match self.persons {
            Some(label) if found.is_empty() && (may_be_name(value) || is_signed()) => {
                vec![Span::new(cell.start, cell.end, label, Detector::SecondPass, SCORE)]
            }
            _ => found,
        }
    }
}

/// Where a part of a line stands, in characters.
fn characters(line: &str, bytes: &Range<usize>) -> Range<usize> {
    let column = |at: usize| line[..at].chars().count();
    column(bytes.start)..column(bytes.end)
}

/// The words of a heading or a cell.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn is_known(word: &str) -> bool {
    listed!(word, PRIVATE) || listed!(word, STAFF) || listed!(word, OTHERS) || listed!(word, PLAIN)
}

/// Whether a word stands in sentences and not in headings.
fn is_of_prose(word: &str) -> bool {
    listed!(word, "the a an and is are was were has had to in with she he they his her for not")
}

/// Whether a cell in a column of initials holds some: `SF`, `SF/EB`.
fn are_initials(value: &str) -> bool {
    let are_some =
        |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|letter| letter.is_ascii_alphabetic());
    value.split(['/', ',', ' ']).filter(|part| !part.is_empty()).all(are_some)
}

/// Whether a cell in a column of persons may be a name: a few words, each of which somebody may be called.
fn may_be_name(value: &str) -> bool {
    const CALLED: WordFlags = WordFlags::SURNAME.union(WordFlags::GIVEN_NAME).union(WordFlags::NICKNAME);
    let is_of_names = |c: char| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-' | ',' | '.' | '_');
    let may_be_called = |word: &str| {
        let info = Lexicon::shared().word(word);
        word.chars().count() == 1 || info.is_any(CALLED) || info.flags.is_empty()
    };
    let count = words(value).count();
    (1..=MOST_WORDS).contains(&count)
        && value.chars().all(is_of_names)
        && words(value).any(|word| word.chars().count() > 1)
        && words(value).all(|word| !listed!(word, NOBODY) && may_be_called(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{InclusionList, Templates};

    fn found(text: &str) -> Vec<String> {
        let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
        let spans = ensemble.detect_text(text).unwrap();
        spans.iter().map(|span| format!("{}:{}", span.leading().class.label, &text[span.start..span.end])).collect()
    }

    #[test]
    fn names_that_are_words_stand_below_headings() {
        assert_eq!(
            found(
                "| BED | NAME | AGE | MD |\n|---|---|---|---|\n| 4A | LAW | 71 | BEST |\n| 5B | DAY | 66 | vacant |\n"
            ),
            ["HOSPITAL:4A", "PATIENT:LAW", "AGE:71", "DOCTOR:BEST", "HOSPITAL:5B", "PATIENT:DAY", "AGE:66"]
        );
        assert_eq!(
            found("PATIENT      NURSE      PAIN\nWinters      Faith      3/10\nFields       Rich       0/10\n"),
            ["PATIENT:Winters", "DOCTOR:Faith", "PATIENT:Fields", "DOCTOR:Rich"]
        );
        assert_eq!(
            found(
                "visit_id,pt_name,sex,prov,payer\nV1,\"Winters, Ox\",M,HYUNH_K,self\nV2,\"Law, Best\",F,HYUNH_K,self\n"
            ),
            ["PATIENT:Winters, Ox", "DOCTOR:HYUNH_K", "PATIENT:Law, Best", "DOCTOR:HYUNH_K"]
        );
        // Numbers bare, a mark at the end, lines of other systems.
        assert_eq!(
            found("\"name\",\"id\",\"city\",\"md\"\n\"Quorlin, Ann\",441,\"Akron\",\"Best\"\n"),
            ["PATIENT:Quorlin, Ann", "CITY:Akron", "DOCTOR:Best"]
        );
        assert_eq!(found("BED\tNAME\tMD\r\n4A\tLAW\tBEST\t\r\n"), ["HOSPITAL:4A", "PATIENT:LAW", "DOCTOR:BEST"]);
        assert_eq!(found("BED\tNAME\tMD\r4A\tLAW\tBEST\r"), ["HOSPITAL:4A", "PATIENT:LAW", "DOCTOR:BEST"]);
        assert_eq!(
            found("# | name | rel | age\n1 | Winters | husb | 34\n2 | Sagal | dtr | 5\n"),
            ["PATIENT:Winters", "AGE:34", "PATIENT:Sagal", "AGE:5"]
        );
        let signed = found("Time | HR | Init\n2000 | 88 | SF/EB\n2200 | 91 | EB\n");
        assert!(["DOCTOR:SF", "DOCTOR:EB"].iter().all(|name| signed.iter().any(|found| found == name)), "{signed:?}");
        assert_eq!(
            found("Name\tNurse\tDiet\nRivers\tGrace\tregular\nBell\tMay\tsoft\n"),
            ["PATIENT:Rivers", "DOCTOR:Grace", "PATIENT:Bell", "DOCTOR:May"]
        );
    }

    #[test]
    fn columns_stand_below_either_edge_of_their_heading() {
        assert_eq!(
            found(
                "OR   TIME   PATIENT   SURGEON   PROC\n3    0730      LOVE   LENZ      TAH\n4    0800      KING   SHARP     LAP\n"
            ),
            ["PATIENT:LOVE", "PATIENT:LENZ", "PATIENT:KING", "DOCTOR:SHARP"]
        );
    }

    #[test]
    fn rows_of_files_are_tables() {
        let rows = "\"VACCINE\",\"DATE\",\"LOT\",\"BY\"\n\"HepB\",\"9/1/2018\",\"K99PT\",\"Lark, D\"\n";
        assert_eq!(found(rows), ["DATE:9/1/2018", "DEVICE:K99PT", "DOCTOR:Lark, D"]);
        let rows = "bed,name,nurse,diet\n4A,Law,Joy,soft\n4B,Day,May,renal\n";
        let names = ["HOSPITAL:4A", "PATIENT:Law", "PATIENT:Joy", "HOSPITAL:4B", "PATIENT:Day", "DOCTOR:May"];
        assert_eq!(found(rows), names);
    }

    #[test]
    fn tables_of_things_name_nobody() {
        for table in [
            "Name | Dose | Route\nJade | 5 mg | PO\nGrace | 10 mg | IV\n",
            "Test    Result   Units   Date\nMay     71       mg\n",
            "PATIENT   NURSE   NOTE\nnone      yes     stable\nself      tbd     best\n",
            "The patient and the nurse  met at noon.\nBest  price\n",
            "PATIENT   NURSE\n\nBest  Price\n",
        ] {
            assert_eq!(found(table), [] as [&str; 0], "{table}");
        }
    }
}
