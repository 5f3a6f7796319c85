//! What the terminal shows because something was typed into it, taken out of a script's output.
//!
//! The session keeps the terminal's echo off, but a script can switch it on. The two lines of the next script are echoed
//! then, and the shell may have begun with the first while the terminal is still at the second:
//!
//! ```text
//!  \. 'run'  NL  \. 'aband   RS token b RS NL   oned-0' NL   the script's output …
//! └─ line 1 ─┘  └─ line 2 ─  ───── begin ─────  ─────────┘
//! ```
//!
//! As the lines are known, so is what of them is still to come.

use super::scanner::{find, held_back};
use std::borrow::Cow;
use std::collections::VecDeque;

/// Knows what was typed, and takes its echo out once.
#[derive(Default)]
pub(super) struct Echoed {
    first: Vec<u8>,
    second: Vec<u8>,
    /// The end of what came before the script began.
    recent: Vec<u8>,
    newline: &'static [u8],
    wanted: VecDeque<Vec<u8>>,
    /// What may be the beginning of the first wanted one.
    pending: Vec<u8>,
}

impl Echoed {
    /// The shell is given these two lines, each without its line feed.
    pub(super) fn of(first: &[u8], second: &[u8]) -> Self {
        Self { first: first.to_vec(), second: second.to_vec(), ..Self::default() }
    }

    /// Takes what comes before the script has begun.
    pub(super) fn before(&mut self, bytes: &[u8]) {
        self.recent.extend_from_slice(bytes);
        let kept = 2 * (self.first.len() + self.second.len()) + 64;
        self.recent.drain(..self.recent.len().saturating_sub(kept));
    }

    /// The script has begun, and the terminal ends its lines with `newline`. Whether what is typed is shown.
    pub(super) fn begin(&mut self, newline: &'static [u8]) -> bool {
        self.newline = newline;
        let recent = std::mem::take(&mut self.recent);
        let Some(at) = find(&recent, &self.first).filter(|_| !self.first.is_empty()) else { return false };
        let second = [&self.second, newline].concat();
        let shown = &recent[at + self.first.len()..];
        let come = (0..=second.len()).rev().find(|length| shown.ends_with(&second[..*length])).unwrap_or(0);
        self.want(second[come..].to_vec());
        true
    }

    /// Something more is typed while the script runs.
    pub(super) fn typed(&mut self, bytes: &[u8]) {
        let shown = |byte: &u8| match *byte {
            b'\n' => self.newline.to_vec(),
            control @ 0..b' ' => vec![b'^', control ^ 0x40],
            other => vec![other],
        };
        self.want(bytes.iter().flat_map(shown).collect());
    }

    fn want(&mut self, echo: Vec<u8>) {
        if !echo.is_empty() {
            self.wanted.push_back(echo);
        }
    }

    /// What of these bytes is output, as far as that is known.
    pub(super) fn without<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        if self.wanted.is_empty() && self.pending.is_empty() {
            return Cow::Borrowed(bytes);
        }
        self.pending.extend_from_slice(bytes);
        let mut output = Vec::new();
        while let Some(wanted) = self.wanted.front() {
            let Some(at) = find(&self.pending, wanted) else {
                let known = self.pending.len() - held_back(&self.pending, wanted);
                output.extend(self.pending.drain(..known));
                return Cow::Owned(output);
            };
            output.extend(self.pending.drain(..at));
            self.pending.drain(..wanted.len());
            self.wanted.pop_front();
        }
        output.append(&mut self.pending);
        Cow::Owned(output)
    }

    /// What was held back, now that nothing more comes.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        self.wanted.clear();
        std::mem::take(&mut self.pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: &str = " \\. '/private/abandoned-0'";

    fn seen(before: &str, after: &str, size: usize) -> (bool, String) {
        let mut echo = Echoed::of(b" \\. '/private/run'", SECOND.as_bytes());
        before.as_bytes().chunks(size).for_each(|piece| echo.before(piece));
        let on = echo.begin(b"\r\n");
        let mut output = Vec::new();
        for piece in after.as_bytes().chunks(size) {
            output.extend_from_slice(&echo.without(piece));
        }
        output.extend(echo.rest());
        (on, String::from_utf8(output).unwrap())
    }

    #[test]
    fn an_echo_is_taken_out_wherever_the_script_begins_in_it() {
        let lines = format!("old\r\n \\. '/private/run'\r\n{SECOND}\r\n");
        let first = lines.len() - SECOND.len() - 2;
        for cut in first..=lines.len() {
            for size in [1, 2, 3, 7, 1000] {
                let (come, left) = lines.split_at(cut);
                let expected = (true, "one\r\ntwo\r\n".to_owned());
                assert_eq!(seen(come, &format!("{left}one\r\ntwo\r\n"), size), expected, "{cut} {size}");
            }
        }
    }

    #[test]
    fn an_echo_after_some_output_is_taken_out_once() {
        let output = format!("one\r\n{SECOND}\r\ntwo\r\n{SECOND}\r\n");
        let expected = (true, format!("one\r\ntwo\r\n{SECOND}\r\n"));
        assert_eq!(seen(" \\. '/private/run'\r\n", &output, 5), expected);
    }

    #[test]
    fn without_an_echo_everything_is_output() {
        let output = format!("one\r\n{SECOND}\r\n");
        assert_eq!(seen("prompt ", &output, 4), (false, output.clone()));
        let begun = format!("one\r\n{}", &SECOND[..9]);
        assert_eq!(seen(" \\. '/private/run'\r\n", &begun, 4), (true, begun.clone()));
    }

    #[test]
    fn what_is_typed_while_a_script_runs_is_taken_out() {
        let mut echo = Echoed::of(b"first", b"second");
        echo.begin(b"\n");
        echo.typed(b"\x03\nsecond\n");
        assert_eq!(echo.without(b"one\n^C\nsecond\ntwo^C\n").as_ref(), b"one\ntwo^C\n");
    }
}
