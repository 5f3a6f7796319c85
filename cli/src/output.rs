//! Data on stdout: a value as text for people or as JSON. Whoever reads may go away; then there is nothing more to do.

use crate::args::Form;
use crate::exit;
use isobox::{Error, Result};
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Something that is printed.
pub(crate) trait Show: Serialize {
    /// Its text for people, whole lines.
    fn text(&self) -> String;
}

/// Whether somebody reads on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "without a reader there is no use in more"]
pub(crate) enum Reader {
    There,
    Gone,
}

/// Prints a value and gives the exit code.
pub(crate) fn show(value: &impl Show, form: Form) -> Result<u8> {
    piece(value, form).map(exit::of_reader)
}

/// Prints one of several values.
pub(crate) fn piece(value: &impl Show, form: Form) -> Result<Reader> {
    match form {
        Form::Table => put(value.text().as_bytes()),
        Form::Json => line(value),
    }
}

/// Prints lines and gives the exit code.
pub(crate) fn lines(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Result<u8> {
    let text = lines.into_iter().fold(String::new(), |text, line| text + line.as_ref() + "\n");
    put(text.as_bytes()).map(exit::of_reader)
}

/// Prints a value as one line of JSON.
pub(crate) fn line(value: &impl Serialize) -> Result<Reader> {
    let mut line = serde_json::to_vec(value).map_err(|error| Error::internal("JSON").with_source(error))?;
    line.push(b'\n');
    put(&line)
}

/// Writes bytes.
pub(crate) fn put(bytes: &[u8]) -> Result<Reader> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Error::io("stdout", error)),
    }
}
