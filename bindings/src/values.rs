//! The scalars of the description that each language writes in its own way.

use bytes::Bytes;
use std::path::PathBuf;
use std::time::Duration;

/// Text or bytes that go in, such as an argument or the value of a variable. Text is taken as UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Argument(pub Vec<u8>);

/// A path in a sandbox: bytes, since any byte but NUL may be in it. Each language shows it as its own paths are, without loss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<u8>);

/// A path on this machine. A relative one begins at the working directory of this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalPath(pub PathBuf);

/// Bytes that come out and are text most of the time. Each language gives both: the text, with replacement characters where it is
/// not UTF-8, and the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Bytes);

/// What to run: a list is a program and its arguments and involves no shell, a text is a script for `sh -c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A program and its arguments, as they are.
    Argv(Vec<Argument>),
    /// A script for `sh -c`.
    Shell(Argument),
}

/// A size in bytes: a number, or a text such as `512m` or `1.5g` with powers of 1024.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Size {
    /// That many bytes.
    Bytes(u64),
    /// As people write it.
    Text(String),
}

/// How long something may exist: a duration, or for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// It never ends by itself.
    Never,
    /// It ends after that long.
    After(Duration),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<&str> for Path {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl Text {
    /// The text, with replacement characters where it is not UTF-8.
    pub fn lossy(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}
