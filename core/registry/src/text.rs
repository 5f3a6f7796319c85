//! Text from outside, made fit for a message.

/// At most 120 characters of a text, in quotes, with everything that is not printable ASCII escaped.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 120;
    let cut: String = text.chars().take(MOST).flat_map(char::escape_default).collect();
    let more = if text.chars().nth(MOST).is_some() { "..." } else { "" };
    format!("\"{cut}{more}\"")
}

/// A word such as an error code of a registry: letters, digits, `_`, `-` and `.`, at most 64 of them.
pub(crate) fn word(text: &str) -> Option<&str> {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    ((1..=64).contains(&text.len()) && text.bytes().all(fit)).then_some(text)
}
