//! What is needed to find a sandbox again, beside its container.

use isobox_contract::{Error, ErrorCode, Result, SandboxId, SandboxImage};
use isobox_local::Born;
use serde::{Deserialize, Serialize};

/// How to talk to a sandbox. Holds the token: keep it as safe as the sandbox.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DockerRecord {
    /// The secret for clients.
    pub(crate) token: Vec<u8>,
    /// The agent's process as this machine numbers it, by which its socket is known to be its own.
    #[serde(default)]
    pub(crate) agent: Option<u32>,
    /// The image that it was made from.
    #[serde(default)]
    pub(crate) image: Option<SandboxImage>,
    /// When it was made, by a clock that nobody sets.
    #[serde(default)]
    pub(crate) born: Option<Born>,
}

impl DockerRecord {
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

/// The name of a sandbox's container: by it, a container is found whose id nobody lived to learn.
pub(crate) fn container(id: &SandboxId) -> String {
    format!("isobox-{id}")
}
