//! From the types of `isobox` to those of the description, and back.

use crate::values::{Argument, Lifetime, Path, Size, Text};
use bytes::Bytes;
use isobox::{ExecId, ExternalId, ProviderKind, SandboxId, SandboxPath, SnapshotId, Timestamp, VolumeId, contract};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

/// What becomes a `T` on the other side.
pub(crate) trait Cross<T> {
    /// Takes it over.
    fn cross(self) -> T;
}

impl<A: Cross<B>, B> Cross<Option<B>> for Option<A> {
    fn cross(self) -> Option<B> {
        self.map(Cross::cross)
    }
}

impl<A: Cross<B>, B> Cross<Vec<B>> for Vec<A> {
    fn cross(self) -> Vec<B> {
        self.into_iter().map(Cross::cross).collect()
    }
}

impl<A: Cross<B>, B> Cross<B> for Box<A> {
    fn cross(self) -> B {
        (*self).cross()
    }
}

macro_rules! same {
    ($($name:ty),+ $(,)?) => {$(
        impl Cross<$name> for $name {
            fn cross(self) -> $name {
                self
            }
        }
    )+};
}

same!(bool, i32, u16, u32, u64, f64, String, Bytes, Duration, BTreeMap<String, String>);

/// Ids, addresses and the like, which are text outside of Rust.
macro_rules! texts {
    ($($name:ty),+ $(,)?) => {$(
        impl Cross<String> for $name {
            fn cross(self) -> String {
                self.to_string()
            }
        }
    )+};
}

texts!(
    SandboxId,
    ExecId,
    ExternalId,
    SnapshotId,
    VolumeId,
    ProviderKind,
    contract::EventId,
    contract::OperationId,
    contract::OwnerId,
    std::net::IpAddr,
    serde_json::Value,
);

impl Cross<SystemTime> for Timestamp {
    fn cross(self) -> SystemTime {
        self.into()
    }
}

impl Cross<Path> for SandboxPath {
    fn cross(self) -> Path {
        Path(self.as_bytes().to_vec())
    }
}

impl Cross<SandboxPath> for Path {
    fn cross(self) -> SandboxPath {
        self.0.into()
    }
}

impl Cross<Vec<u8>> for Argument {
    fn cross(self) -> Vec<u8> {
        self.0
    }
}

impl Cross<Text> for Bytes {
    fn cross(self) -> Text {
        Text(self)
    }
}

impl Cross<u64> for usize {
    fn cross(self) -> u64 {
        self as u64
    }
}

impl Cross<isobox::Lifetime> for Lifetime {
    fn cross(self) -> isobox::Lifetime {
        match self {
            Lifetime::Never => isobox::Lifetime::Never,
            Lifetime::After(duration) => isobox::Lifetime::After(duration),
        }
    }
}

impl Size {
    /// Its bytes; `invalid_spec` that names the field when it is no size.
    pub(crate) fn bytes(&self, field: &str) -> isobox::Result<u64> {
        match self {
            Size::Bytes(bytes) => Ok(*bytes),
            Size::Text(text) => isobox::parse_size(text)
                .map_err(|error| isobox::Error::invalid_spec(field, format!("is {text:?}: {error}"))),
        }
    }
}

/// A record that comes out, with the same fields on both sides.
macro_rules! record {
    ($ours:ident from $theirs:ty { $($field:ident),+ $(,)? }) => {
        impl $crate::cross::Cross<$ours> for $theirs {
            fn cross(self) -> $ours {
                $ours { $($field: $crate::cross::Cross::cross(self.$field)),+ }
            }
        }
    };
}

/// An enum of words, the same on both sides, in both directions. A word that a newer provider says becomes the one after `else`.
macro_rules! words {
    ($ours:ident, $theirs:ty { $($variant:ident),+ $(,)? } else $fallback:ident) => {
        impl $crate::cross::Cross<$ours> for $theirs {
            fn cross(self) -> $ours {
                match self {
                    $(<$theirs>::$variant => $ours::$variant,)+
                    #[allow(unreachable_patterns)]
                    _ => $ours::$fallback,
                }
            }
        }

        impl $crate::cross::Cross<$theirs> for $ours {
            fn cross(self) -> $theirs {
                match self { $($ours::$variant => <$theirs>::$variant),+ }
            }
        }

        #[cfg(test)]
        impl $crate::cross::Words for $ours {
            fn lost() -> Vec<&'static str> {
                let there_and_back = |word: $theirs| -> $theirs {
                    let ours: $ours = $crate::cross::Cross::cross(word);
                    $crate::cross::Cross::cross(ours)
                };
                let lost = <$theirs>::ALL.iter().filter(|word| there_and_back(**word) != **word);
                lost.map(|word| word.as_str()).collect()
            }
        }
    };
}

/// An enum of words of the description.
#[cfg(test)]
pub(crate) trait Words {
    /// The words of the library that it has no variant for.
    fn lost() -> Vec<&'static str>;
}

pub(crate) use {record, words};
