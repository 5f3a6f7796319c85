//! Text that comes from elsewhere.

/// The text on one line, with nothing in it that steers a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
