//! What is needed to find a sandbox of this machine again.

use isobox_contract::{Error, ErrorCode, Resource, Result, SandboxId};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

/// A sandbox's process and how to talk to it. Holds the token: keep it as safe as the sandbox.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalRecord {
    /// The directory with the agent's socket. A path is bytes, and JSON has none.
    #[serde(with = "path_bytes")]
    pub state_dir: PathBuf,
    /// The process.
    pub pid: u32,
    /// When it started, in the kernel's ticks since boot, so that another process with the same number is not mistaken for it.
    pub started: u64,
    /// The boot in which that was.
    pub boot: String,
    /// The secret for clients.
    pub token: Vec<u8>,
}

impl LocalRecord {
    pub(crate) fn of(state_dir: PathBuf, pid: u32, token: Vec<u8>) -> Result<Self> {
        let started = started(pid).ok_or_else(|| Error::internal("the sandbox's process is gone already"))?;
        Ok(Self { state_dir, pid, started, boot: boot(), token })
    }

    /// Whether the process is still the same one.
    pub(crate) fn check(&self, id: &SandboxId) -> Result<()> {
        if self.boot == boot() && started(self.pid) == Some(self.started) {
            Ok(())
        } else {
            Err(Error::not_found(Resource::Sandbox, id))
        }
    }

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

fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// Field 22 of `/proc/PID/stat` (proc(5)), counted from the end of the name, which may hold anything.
fn started(pid: u32) -> Option<u64> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    str::from_utf8(&stat[name_end + 1..]).ok()?.split_ascii_whitespace().nth(22 - 3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_with_the_same_number_is_not_the_same() {
        let record = LocalRecord::of("/x".into(), std::process::id(), vec![1]).unwrap();
        let id = SandboxId::generate();
        assert!(record.check(&id).is_ok());
        for other in [
            LocalRecord { started: record.started + 1, ..record.clone() },
            LocalRecord { boot: "another".into(), ..record.clone() },
            LocalRecord { pid: u32::MAX, ..record },
        ] {
            assert_eq!(other.check(&id).unwrap_err().code(), ErrorCode::NotFound);
        }
    }
}
