//! Names of things: isobox's own ids, the ids of a provider, and the kinds of providers.
//!
//! An isobox id is a prefix that says what it names and a UUIDv7 as 26 characters of lower-case base32hex. The
//! alphabet keeps the order of the bits, so ids sort by time as text, in SQL and in a shell.
//!
//! ```
//! use isobox_contract::SandboxId;
//! let id = SandboxId::generate();
//! assert!(id.as_str().starts_with("sbx_"));
//! assert_eq!(id.as_str().parse(), Ok(id));
//! ```

mod time_ordered;

use crate::time::Timestamp;
use data_encoding::BASE32HEX_NOPAD;
use std::fmt;
use uuid::Uuid;

/// base32hex, lower case, unpadded: 128 bits are 26 characters.
const BODY: usize = 26;
const PREFIX: usize = 4;
/// Longest prefix and body; shorter prefixes leave zero bytes at the end.
const LENGTH: usize = PREFIX + BODY;

/// Why a text is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseIdError {
    /// The text does not start with the prefix of this kind of id.
    #[error("expected an id that starts with {0}")]
    Prefix(&'static str),
    /// The part after the prefix is not 26 characters of 0-9 and a-v.
    #[error("expected 26 characters of 0-9 and a-v after the prefix {0}")]
    Body(&'static str),
    /// The bits are not a UUID of version 7.
    #[error("the id after {0} is not a UUID of version 7")]
    Version(&'static str),
    /// The text is empty.
    #[error("an id cannot be empty")]
    Empty,
    /// The text is longer than allowed.
    #[error("an id has at most {0} bytes")]
    TooLong(usize),
    /// The text has a character that is not allowed.
    #[error("an id has no whitespace or control characters")]
    Character,
    /// The text is not a provider kind.
    #[error("a provider kind is 1 to 64 lower-case letters, digits and hyphens, with hyphens only inside")]
    Kind,
}

/// The text of an id, in place: ids are copied into every event and error, so they do not allocate.
fn render(prefix: &'static str, uuid: Uuid) -> [u8; LENGTH] {
    let mut text = [0; LENGTH];
    text[..prefix.len()].copy_from_slice(prefix.as_bytes());
    let body = &mut text[prefix.len()..prefix.len() + BODY];
    BASE32HEX_NOPAD.encode_mut(uuid.as_bytes(), body);
    body.make_ascii_lowercase();
    text
}

fn parse(prefix: &'static str, text: &str) -> Result<Uuid, ParseIdError> {
    let body = text.strip_prefix(prefix).ok_or(ParseIdError::Prefix(prefix))?;
    let mut body: [u8; BODY] = body.as_bytes().try_into().map_err(|_| ParseIdError::Body(prefix))?;
    if body.iter().any(u8::is_ascii_uppercase) {
        return Err(ParseIdError::Body(prefix));
    }
    body.make_ascii_uppercase();
    let mut bytes = [0; 16];
    BASE32HEX_NOPAD.decode_mut(&body, &mut bytes).map_err(|_| ParseIdError::Body(prefix))?;
    let uuid = Uuid::from_bytes(bytes);
    if uuid.get_version_num() != 7 { Err(ParseIdError::Version(prefix)) } else { Ok(uuid) }
}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; LENGTH]);

        impl $name {
            /// What every id of this kind starts with.
            pub const PREFIX: &'static str = $prefix;

            /// A new id, later in order than every id this process made before.
            pub fn generate() -> Self {
                Self::from_uuid(time_ordered::next())
            }

            /// The id with these bits, which are expected to be a UUID of version 7.
            pub fn from_uuid(uuid: Uuid) -> Self {
                Self(render($prefix, uuid))
            }

            /// The bits of the id.
            pub fn uuid(&self) -> Uuid {
                parse($prefix, self.as_str()).expect("an id holds a UUID of version 7")
            }

            /// The whole id, with its prefix.
            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0[..$prefix.len() + BODY]).expect("an id is ASCII")
            }

            /// When the id was made, to the millisecond.
            pub fn created_at(&self) -> Timestamp {
                let bits = self.uuid().as_u128();
                Timestamp::from_unix_millis((bits >> 80) as i64)
            }
        }

        impl std::str::FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                parse($prefix, text).map(Self::from_uuid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        text_serde!($name);
    };
}

macro_rules! text_serde {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?
                    .parse()
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// Names one sandbox for ever, also after its deletion.
    SandboxId, "sbx_"
);
id!(
    /// Names one command in a sandbox.
    ExecId, "exe_"
);
id!(
    /// Names one operation on a fleet or a sandbox, such as a create.
    OperationId, "op_"
);
id!(
    /// Names one event.
    EventId, "evt_"
);
id!(
    /// Names one snapshot.
    SnapshotId, "snp_"
);
id!(
    /// Names one volume.
    VolumeId, "vol_"
);
id!(
    /// Names one process that owns sandboxes, from when it began to until it ended.
    OwnerId, "own_"
);

/// An id that a provider chose: a container id, a pod name, a cloud's own id.
///
/// 1 to 256 bytes without whitespace and control characters. Opaque: nothing is ever read out of it. Every isobox id is
/// also a valid external id, and providers without ids of their own use that.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalId(Box<str>);

impl ExternalId {
    /// The most bytes an external id has.
    pub const MAX_BYTES: usize = 256;

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for ExternalId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        if text.is_empty() {
            Err(ParseIdError::Empty)
        } else if text.len() > Self::MAX_BYTES {
            Err(ParseIdError::TooLong(Self::MAX_BYTES))
        } else if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            Err(ParseIdError::Character)
        } else {
            Ok(Self(text.into()))
        }
    }
}

/// Names a kind of provider, such as `docker`.
///
/// 1 to 64 lower-case letters, digits and hyphens, with hyphens only inside. The set is open.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderKind(std::borrow::Cow<'static, str>);

impl ProviderKind {
    /// The most bytes a kind has.
    pub const MAX_BYTES: usize = 64;
    /// Directories and process trees on this machine, without isolation.
    pub const HOST: ProviderKind = ProviderKind(std::borrow::Cow::Borrowed("host"));
    /// Linux namespaces on this machine.
    pub const NAMESPACE: ProviderKind = ProviderKind(std::borrow::Cow::Borrowed("namespace"));
    /// The Docker Engine API.
    pub const DOCKER: ProviderKind = ProviderKind(std::borrow::Cow::Borrowed("docker"));
    /// Pods.
    pub const KUBERNETES: ProviderKind = ProviderKind(std::borrow::Cow::Borrowed("kubernetes"));
    /// Daytona's cloud.
    pub const DAYTONA: ProviderKind = ProviderKind(std::borrow::Cow::Borrowed("daytona"));
    /// Another isobox server.
    pub const REMOTE: ProviderKind = ProviderKind(std::borrow::Cow::Borrowed("remote"));

    /// The kind as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for ProviderKind {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let letters = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        let hyphens_inside = !text.starts_with('-') && !text.ends_with('-');
        if letters && hyphens_inside && (1..=Self::MAX_BYTES).contains(&text.len()) {
            Ok(Self(std::borrow::Cow::Owned(text.to_owned())))
        } else {
            Err(ParseIdError::Kind)
        }
    }
}

macro_rules! text_display {
    ($($name:ident),+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        text_serde!($name);
    )+};
}

text_display!(ExternalId, ProviderKind);

macro_rules! external_from {
    ($($name:ident),+) => {$(
        impl From<$name> for ExternalId {
            fn from(id: $name) -> Self {
                Self(id.as_str().into())
            }
        }
    )+};
}

external_from!(SandboxId, SnapshotId, VolumeId);
