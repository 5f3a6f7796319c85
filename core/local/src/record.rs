//! What is needed to find a sandbox of this machine again.

use isobox_contract::{Error, ErrorCode, Labels, Result, SandboxImage};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A sandbox's directory and how to talk to it. Holds the token: keep it as safe as the sandbox. It holds for as long as
/// there is a sandbox, also when it is stopped and started.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalRecord {
    /// The directory with the agent's socket. A path is bytes, and JSON has none.
    #[serde(with = "path_bytes")]
    pub state_dir: PathBuf,
    /// The secret for clients.
    pub token: Vec<u8>,
    /// Its cgroups, where it has some.
    #[serde(default)]
    pub cgroups: Option<isobox_cgroup::Group>,
    /// How what it writes is limited, where it is.
    #[serde(default)]
    pub disk: Option<crate::Disk>,
    /// The image that it was made from.
    #[serde(default)]
    pub image: Option<SandboxImage>,
    /// When it was made, by a clock that nobody sets.
    #[serde(default)]
    pub born: Option<crate::born::Born>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its labels.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

impl LocalRecord {
    pub(crate) fn parse(data: &serde_json::Value) -> Result<Self> {
        serde_json::from_value(data.clone()).map_err(|error| {
            let message = "the record is not one of this provider, pass on what `record` gave";
            Error::new(ErrorCode::InvalidSpec, message).with_source(error)
        })
    }

    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("plain data always serializes")
    }
}

mod path_bytes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    /// Text where it is text, for whoever looks at a record.
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Form {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match path.to_str() {
            Some(text) => Form::Text(text.to_owned()),
            None => Form::Bytes(path.as_os_str().as_bytes().to_vec()),
        };
        form.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Ok(match Form::deserialize(deserializer)? {
            Form::Text(text) => text.into(),
            Form::Bytes(bytes) => OsString::from_vec(bytes).into(),
        })
    }
}
