//! Columns of text that line up.
//!
//! ```text
//! label     gold  recall
//! PATIENT      4  0.7500
//! ```

use std::fmt;

/// A table whose first column is flush left and whose others are flush right.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new<Cell: Into<String>>(head: impl IntoIterator<Item = Cell>) -> Self {
        Self { rows: vec![head.into_iter().map(Into::into).collect()] }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let cell = if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
                line.push_str(&cell);
            }
            writeln!(formatter, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_lines_end_at_their_last_cell() {
        let mut table = Table::new(["label", "gold", "recall"]);
        table.row(vec!["PATIENT".to_owned(), "4".to_owned(), "0.7500".to_owned()]);
        table.row(vec!["é".to_owned(), "123456".to_owned(), String::new()]);
        assert_eq!(table.to_string(), "label      gold  recall\nPATIENT       4  0.7500\né        123456\n");
    }
}
