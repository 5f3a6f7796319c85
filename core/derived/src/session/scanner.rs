//! Finds the output of one script in what comes out of the terminal.
//!
//! ```text
//! echo, prompts, others'   RS token b RS NL   the script's output   RS token e:code:options RS NL   prompts …
//! └────── dropped ───────┘└──── begin ─────┘└────── captured ──────┘└──────────── end ────────────┘└ dropped ┘
//! ```
//!
//! The token is new for every script and is in none of its variables, files and arguments, so what a script prints is
//! never taken for a mark. A terminal writes a line feed as carriage return and line feed when its settings say so; the
//! line feed of the first mark tells, and then exactly one carriage return is taken out before each line feed.

use super::capture::Capture;
use super::echoed::Echoed;
use bytes::Bytes;

/// A control character (record separator) that marks begin and end with.
pub(super) const RS: u8 = 0x1e;
/// The most bytes between the token and the end of a mark.
const MARK: usize = 128;

/// How a script came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The exit code that the shell had then.
    pub(super) code: i32,
    /// The shell's options, as in `$-`.
    pub(super) options: String,
    /// The shell gave the script up and went back to its first line: an error in it, or an interrupt.
    pub(super) abandoned: bool,
    /// The script has begun: the mark of the beginning was seen.
    pub(super) begun: bool,
    /// The terminal shows what is typed into it.
    pub(super) echo: bool,
}

enum Place {
    Before,
    Within,
    After(End),
}

/// Reads the terminal for one script.
pub(super) struct Scanner {
    token: Vec<u8>,
    place: Place,
    pending: Vec<u8>,
    carriage_returns: bool,
    echoed: Echoed,
    echo_is_on: bool,
    capture: Capture,
}

impl Scanner {
    /// Waits for the mark of the beginning. `echoed` knows what is typed for it.
    pub(super) fn new(token: &str, echoed: Echoed, capture: Capture) -> Self {
        let token = [&[RS], token.as_bytes()].concat();
        Self {
            token,
            place: Place::Before,
            pending: Vec::new(),
            carriage_returns: false,
            echoed,
            echo_is_on: false,
            capture,
        }
    }

    /// Something is typed while the script runs, which is not its output either.
    pub(super) fn typed(&mut self, bytes: &[u8]) {
        if matches!(self.place, Place::Within) {
            self.echoed.typed(bytes);
        }
    }

    /// Takes what the terminal wrote next.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if matches!(self.place, Place::After(_)) {
            return;
        }
        self.pending.extend_from_slice(bytes);
        while self.advance() {}
    }

    /// Whether the mark of the beginning has come.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self.place, Place::Before)
    }

    /// The end, once it has come.
    pub(super) fn end(&self) -> Option<&End> {
        match &self.place {
            Place::After(end) => Some(end),
            _ => None,
        }
    }

    /// The output, and how many bytes of it were too many. What is still held back is part of it.
    pub(super) fn finish(mut self) -> (Bytes, u64) {
        if matches!(self.place, Place::Within) {
            let rest = std::mem::take(&mut self.pending);
            self.keep(&rest);
        }
        let rest = self.echoed.rest();
        self.keep_lines(&rest);
        self.capture.finish()
    }

    /// Handles the next mark, or everything before what could become one.
    fn advance(&mut self) -> bool {
        let Some(at) = find(&self.pending, &self.token) else {
            let safe = self.pending.len() - held_back(&self.pending, &self.token);
            self.pass(safe);
            return false;
        };
        self.pass(at);
        match mark(&self.pending[self.token.len()..]) {
            Mark::Incomplete => false,
            Mark::Begin { length, carriage_return } => {
                self.pending.drain(..self.token.len() + length);
                self.carriage_returns = carriage_return;
                self.echo_is_on = self.echoed.begin(if carriage_return { b"\r\n" } else { b"\n" });
                self.place = Place::Within;
                true
            }
            Mark::End(mut end) => {
                end.begun = self.has_begun();
                end.echo = self.echo_is_on;
                self.place = Place::After(end);
                self.pending = Vec::new();
                false
            }
            Mark::None => {
                self.pass(self.token.len());
                true
            }
        }
    }

    /// Moves the first `length` pending bytes on, but a carriage return whose line feed has not come.
    fn pass(&mut self, mut length: usize) {
        let within = matches!(self.place, Place::Within);
        if within && self.carriage_returns && length == self.pending.len() && self.pending.ends_with(b"\r") {
            length -= 1;
        }
        let passed: Vec<u8> = self.pending.drain(..length).collect();
        if within {
            self.keep(&passed);
        } else {
            self.echoed.before(&passed);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let output = self.echoed.without(bytes);
        self.keep_lines(&output);
    }

    fn keep_lines(&mut self, mut bytes: &[u8]) {
        while self.carriage_returns
            && let Some(at) = find(bytes, b"\r\n")
        {
            self.capture.push(&bytes[..at]);
            self.capture.push(b"\n");
            bytes = &bytes[at + 2..];
        }
        self.capture.push(bytes);
    }
}

enum Mark {
    Begin { length: usize, carriage_return: bool },
    End(End),
    Incomplete,
    None,
}

/// What follows the token.
fn mark(bytes: &[u8]) -> Mark {
    let Some(close) = bytes.iter().take(MARK).position(|byte| *byte == RS) else {
        return if bytes.len() < MARK { Mark::Incomplete } else { Mark::None };
    };
    match (&bytes[..close], &bytes[close + 1..]) {
        (b"b", []) | (b"b", [b'\r']) => Mark::Incomplete,
        (b"b", [b'\r', b'\n', ..]) => Mark::Begin { length: close + 3, carriage_return: true },
        (b"b", [b'\n', ..]) => Mark::Begin { length: close + 2, carriage_return: false },
        (inner, _) => end(inner).map_or(Mark::None, Mark::End),
    }
}

fn end(inner: &[u8]) -> Option<End> {
    let mut fields = std::str::from_utf8(inner).ok()?.splitn(3, ':');
    let abandoned = match fields.next()? {
        "e" => false,
        "f" => true,
        _ => return None,
    };
    let (code, options) = (fields.next()?.parse().ok()?, fields.next()?.to_owned());
    Some(End { code, options, abandoned, begun: false, echo: false })
}

/// Where `what` first is.
pub(super) fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let first = *what.first()?;
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == first) {
        if bytes[from + at..].starts_with(what) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

/// How many bytes at the end could be the beginning of `what`.
pub(super) fn held_back(bytes: &[u8], what: &[u8]) -> usize {
    let longest = bytes.len().min(what.len() - 1);
    (1..=longest).rev().find(|length| bytes.ends_with(&what[..*length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn scan(pieces: &[&[u8]]) -> (Vec<u8>, Option<End>) {
        let mut scanner = Scanner::new(TOKEN, Echoed::of(b"run", b"abandoned"), Capture::new(1000, 1000));
        pieces.iter().for_each(|piece| scanner.push(piece));
        let end = scanner.end().cloned();
        (scanner.finish().0.to_vec(), end)
    }

    fn written(output: &[u8], newline: &str, close: &str) -> Vec<u8> {
        let begin = format!("$ echo\r\n\x1e{TOKEN}b\x1e{newline}");
        let end = format!("\x1e{TOKEN}{close}\x1e{newline}$ ");
        [begin.as_bytes(), output, end.as_bytes()].concat()
    }

    #[test]
    fn the_output_is_what_is_between_the_marks_however_it_is_cut() {
        let all = written(b"one\r\ntwo\0\xff", "\n", "e:7:im");
        let end = Some(End { code: 7, options: "im".into(), abandoned: false, begun: true, echo: false });
        for size in 1..all.len() {
            let pieces: Vec<&[u8]> = all.chunks(size).collect();
            assert_eq!(scan(&pieces), (b"one\r\ntwo\0\xff".to_vec(), end.clone()), "in pieces of {size}");
        }
    }

    #[test]
    fn one_carriage_return_before_each_line_feed_is_the_terminal_s() {
        let all = written(b"one\r\r\ntwo\rthree\r\n\r", "\r\n", "e:0:");
        for size in 1..all.len() {
            let pieces: Vec<&[u8]> = all.chunks(size).collect();
            assert_eq!(scan(&pieces).0, b"one\r\ntwo\rthree\n\r", "in pieces of {size}");
        }
    }

    #[test]
    fn the_rest_of_an_echo_is_not_output() {
        let all = format!("run\r\naban\x1e{TOKEN}b\x1e\r\ndoned\r\none\r\n\x1e{TOKEN}e:0:i\x1e\r\n");
        for size in 1..all.len() {
            let pieces: Vec<&[u8]> = all.as_bytes().chunks(size).collect();
            let (output, end) = scan(&pieces);
            assert_eq!((output, end.map(|end| end.echo)), (b"one\n".to_vec(), Some(true)), "in pieces of {size}");
        }
    }

    #[test]
    fn what_only_looks_like_a_mark_is_output() {
        let fake = format!("\x1e{TOKEN}e:x:\x1e \x1e{TOKEN}z\x1e \x1e0123 \x1e\x1e");
        let (output, end) = scan(&[&written(fake.as_bytes(), "\n", "f:130:i")]);
        assert_eq!(String::from_utf8(output).unwrap(), fake);
        assert_eq!(end, Some(End { code: 130, options: "i".into(), abandoned: true, begun: true, echo: false }));
    }

    #[test]
    fn a_script_that_never_began_has_no_output() {
        let (output, end) = scan(&[format!("^C\r\n\x1e{TOKEN}f:130:i\x1e\r\n").as_bytes()]);
        assert_eq!((output, end.map(|end| end.code)), (Vec::new(), Some(130)));
    }

    #[test]
    fn what_has_come_when_the_shell_ends_is_kept() {
        let (output, end) = scan(&[format!("\x1e{TOKEN}b\x1e\nlast words\x1e{TOKEN}").as_bytes()]);
        assert_eq!((output, end), (format!("last words\x1e{TOKEN}").into_bytes(), None));
    }
}
