//! How scalars cross, in both directions. Paths and texts cross as bytes, so that nothing of them is lost.

use bytes::Bytes;
use isobox_bindings::api::Result;
use isobox_bindings::{Argument, LocalPath, Path, Text};
use std::collections::{BTreeMap, HashMap};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::{Duration, SystemTime};

/// What goes in.
pub(crate) trait Given<T> {
    /// From what was given for the name; `invalid_spec` that names it otherwise.
    fn given(self, name: &str) -> Result<T>;
}

/// What comes out.
pub(crate) trait Shown<T> {
    /// As Swift has it.
    fn shown(self) -> T;
}

/// A size in bytes: a number, or a text such as `512m` or `1.5g` with powers of 1024.
#[derive(Debug, uniffi::Enum)]
pub enum Size {
    /// That many bytes.
    Bytes {
        /// How many.
        count: u64,
    },
    /// As people write it.
    Text {
        /// Such as `512m`.
        text: String,
    },
}

/// How long something may exist.
#[derive(Debug, uniffi::Enum)]
pub enum Lifetime {
    /// It never ends by itself.
    Never,
    /// It ends after that long.
    After {
        /// How many seconds.
        seconds: f64,
    },
}

/// What to run.
#[derive(Debug, uniffi::Enum)]
pub enum Program {
    /// A program and its arguments, as they are. No shell is involved.
    List {
        /// The program, and its arguments.
        words: Vec<Vec<u8>>,
    },
    /// A script for `sh -c`.
    Script {
        /// Its text.
        text: Vec<u8>,
    },
}

impl Given<isobox_bindings::Size> for Size {
    fn given(self, _: &str) -> Result<isobox_bindings::Size> {
        Ok(match self {
            Self::Bytes { count } => isobox_bindings::Size::Bytes(count),
            Self::Text { text } => isobox_bindings::Size::Text(text),
        })
    }
}

impl Given<isobox_bindings::Lifetime> for Lifetime {
    fn given(self, name: &str) -> Result<isobox_bindings::Lifetime> {
        Ok(match self {
            Self::Never => isobox_bindings::Lifetime::Never,
            Self::After { seconds } => isobox_bindings::Lifetime::After(seconds.given(name)?),
        })
    }
}

impl Given<isobox_bindings::Program> for Program {
    fn given(self, _: &str) -> Result<isobox_bindings::Program> {
        Ok(match self {
            Self::List { words } => isobox_bindings::Program::Argv(words.into_iter().map(Argument).collect()),
            Self::Script { text } => isobox_bindings::Program::Shell(Argument(text)),
        })
    }
}

macro_rules! same {
    ($($name:ty),+ $(,)?) => {$(
        impl Given<$name> for $name {
            fn given(self, _: &str) -> Result<$name> {
                Ok(self)
            }
        }

        impl Shown<$name> for $name {
            fn shown(self) -> $name {
                self
            }
        }
    )+};
}

same!((), bool, i32, u16, u32, u64, f64, String, SystemTime);

/// Seconds.
impl Given<Duration> for f64 {
    fn given(self, name: &str) -> Result<Duration> {
        let problem = |_| isobox::Error::invalid_spec(name, "is no time to wait, give seconds from 0 on");
        Ok(Duration::try_from_secs_f64(self).map_err(problem)?)
    }
}

impl Shown<f64> for Duration {
    fn shown(self) -> f64 {
        self.as_secs_f64()
    }
}

/// What is bytes on the way.
macro_rules! bytes {
    ($($name:ty: $given:expr, $shown:expr);+ $(;)?) => {$(
        impl Given<$name> for Vec<u8> {
            fn given(self, _: &str) -> Result<$name> {
                Ok($given(self))
            }
        }

        impl Shown<Vec<u8>> for $name {
            fn shown(self) -> Vec<u8> {
                $shown(self)
            }
        }
    )+};
}

bytes! {
    Bytes: Bytes::from, Vec::from;
    Argument: Argument, |argument: Argument| argument.0;
    Path: Path, |path: Path| path.0;
    LocalPath: local_path, |path: LocalPath| path.0.as_os_str().as_bytes().to_vec();
    Text: |bytes: Vec<u8>| Text(bytes.into()), |text: Text| text.0.into();
}

fn local_path(bytes: Vec<u8>) -> LocalPath {
    LocalPath(std::ffi::OsString::from_vec(bytes).into())
}

/// The text of bytes, with replacement characters where they are not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl<A: Given<B>, B> Given<Option<B>> for Option<A> {
    fn given(self, name: &str) -> Result<Option<B>> {
        self.map(|value| value.given(name)).transpose()
    }
}

impl<A: Shown<B>, B> Shown<Option<B>> for Option<A> {
    fn shown(self) -> Option<B> {
        self.map(Shown::shown)
    }
}

impl<A: Given<B>, B> Given<Vec<B>> for Vec<A> {
    fn given(self, name: &str) -> Result<Vec<B>> {
        self.into_iter().map(|value| value.given(name)).collect()
    }
}

impl<A: Shown<B>, B> Shown<Vec<B>> for Vec<A> {
    fn shown(self) -> Vec<B> {
        self.into_iter().map(Shown::shown).collect()
    }
}

impl<A: Given<B>, B> Given<BTreeMap<String, B>> for HashMap<String, A> {
    fn given(self, name: &str) -> Result<BTreeMap<String, B>> {
        self.into_iter().map(|(key, value)| Ok((key, value.given(name)?))).collect()
    }
}

impl<A: Shown<B>, B> Shown<HashMap<String, B>> for BTreeMap<String, A> {
    fn shown(self) -> HashMap<String, B> {
        self.into_iter().map(|(key, value)| (key, value.shown())).collect()
    }
}
