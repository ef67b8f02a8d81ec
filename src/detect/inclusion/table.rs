//! The rows of a review file below its title, whatever spreadsheet has saved it; all that is wrong with one is told with its line.

use super::file::{Entry, NOT_WHOLE, fail};
use super::list::is_whole;
use super::row::{self, AFTER, COLUMNS};
use crate::detect::DetectError;

/// Iterator of entries, each with its line in the file.
pub(super) struct Rows<'t> {
    table: &'t str,
    reader: csv::Reader<&'t [u8]>,
    record: csv::StringRecord,
    /// For each column of the file, which one of ours it is.
    columns: Vec<Option<usize>>,
    /// How far the table has been read, and the line of the file that this is.
    at: usize,
    line: usize,
}

impl<'t> Rows<'t> {
    /// Reads the line that names the columns, the second of the file.
    pub(super) fn new(table: &'t str) -> Result<Self, DetectError> {
        let header = table.lines().next().unwrap_or_default().as_bytes();
        let marks = |mark: &u8| memchr::memchr_iter(*mark, header).count();
        let delimiter = [b'\t', b';', b','].into_iter().max_by_key(marks).unwrap_or(b',');
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(table.as_bytes());
        let mut rows = Self { table, reader, record: csv::StringRecord::new(), columns: Vec::new(), at: 0, line: 2 };
        let line = rows.advance()?.ok_or_else(|| fail(2, "there is no line that names the columns"))?;
        rows.columns = columns_of(&rows.record).map_err(|reason| fail(line, reason))?;
        Ok(rows)
    }

    /// Reads the next record; gives the line in which it begins.
    fn advance(&mut self) -> Result<Option<usize>, DetectError> {
        // What stands before a record is the end of the last one, and empty lines.
        let rest = &self.table[self.at..];
        self.skip(rest.len() - rest.trim_start_matches(['\r', '\n']).len());
        let line = self.line;
        let is_there =
            self.reader.read_record(&mut self.record).map_err(|_| fail(line, "this is no row of a table"))?;
        let read = usize::try_from(self.reader.position().byte()).unwrap_or(self.table.len()).saturating_sub(self.at);
        if memchr::memchr_iter(b'"', &self.table.as_bytes()[self.at..][..read]).count() % 2 == 1 {
            return Err(fail(line, "a quotation mark is missing in the row that begins here"));
        }
        self.skip(read);
        Ok(is_there.then_some(line))
    }

    fn skip(&mut self, bytes: usize) {
        self.line += memchr::memchr_iter(b'\n', &self.table.as_bytes()[self.at..][..bytes]).count();
        self.at += bytes;
    }

    fn entry(&mut self) -> Result<Option<(usize, Entry)>, DetectError> {
        while let Some(line) = self.advance()? {
            let fail = |reason| fail(line, reason);
            if self.record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            let row = self.cells().and_then(row::read).map_err(fail)?;
            if !row.checked && !is_whole(&row.entry.candidate.sentence) {
                return Err(fail(NOT_WHOLE));
            }
            return Ok(Some((line, row.entry)));
        }
        Ok(None)
    }

    /// The cells of a row in our order.
    fn cells(&self) -> Result<[&str; COLUMNS.len()], &'static str> {
        if self.record.len() < self.columns.len() {
            return Err("the row has fewer cells than there are columns");
        }
        let mut cells = [""; COLUMNS.len()];
        for (index, cell) in self.record.iter().enumerate() {
            match self.columns.get(index).copied().flatten() {
                Some(column) => cells[column] = cell,
                None if cell.is_empty() => {}
                None => return Err("the row has more cells than there are columns"),
            }
        }
        Ok(cells)
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<(usize, Entry), DetectError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entry().transpose()
    }
}

fn columns_of(header: &csv::StringRecord) -> Result<Vec<Option<usize>>, &'static str> {
    let mut columns = Vec::new();
    for name in header.iter().map(str::trim) {
        let column = COLUMNS.iter().position(|column| column.eq_ignore_ascii_case(name));
        if column.is_none() && !name.is_empty() {
            return Err("there is a column that review files do not have; take it out");
        }
        if column.is_some() && columns.contains(&column) {
            return Err("a column stands twice");
        }
        columns.push(column);
    }
    while columns.last() == Some(&None) {
        columns.pop();
    }
    let is_there = |column: usize| columns.contains(&Some(column)) || column == AFTER;
    if (0..COLUMNS.len()).all(is_there) {
        Ok(columns)
    } else {
        Err("the line must name the columns sentence, context, occurrences, notes, patients, why, claims, decision, \
             reviewer, time, reason and check; the last may be empty in rows that were written by hand")
    }
}
