//! Rows in columns.

use crate::human::clean;

/// A table; its last column is not padded.
#[derive(Debug)]
pub(crate) struct Table(Vec<Vec<String>>);

impl Table {
    /// One with these words at the top.
    pub(crate) fn new<const N: usize>(head: [&str; N]) -> Self {
        Self(vec![head.map(str::to_owned).to_vec()])
    }

    /// Adds a row. What is empty is shown as `-`.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.0[0].len(), "a row has as many cells as the head");
        self.0.push(cells.iter().map(|cell| if cell.is_empty() { "-".to_owned() } else { clean(cell) }).collect());
    }

    /// Its text.
    pub(crate) fn text(&self) -> String {
        let columns = self.0[0].len();
        let width = |column: usize| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<_> = (0..columns).map(|column| if column + 1 == columns { 0 } else { width(column) }).collect();
        self.0.iter().fold(String::new(), |text, row| {
            let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            text + cells.join("  ").trim_end() + "\n"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other_and_nothing_steers_the_terminal() {
        let mut table = Table::new(["NAME", "STATE"]);
        table.row(["a".to_owned(), String::new()]);
        table.row(["longer\u{1b}".to_owned(), "running".to_owned()]);
        assert_eq!(table.text(), "NAME          STATE\na             -\nlonger\\u{1b}  running\n");
    }
}
