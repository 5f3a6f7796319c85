//! What the host provider tells the supervisor that it starts.
//!
//! It goes over descriptor 0 as in [`launch`](crate::launch): a length as u32 big endian, a [`HostConfig`] in postcard; back
//! comes a [`LaunchReport`](crate::launch::LaunchReport), and then the same stream speaks the agent's protocol.

use serde::{Deserialize, Serialize};

/// Everything that the supervisor of one sandbox on the bare host needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostConfig {
    /// The absolute path of a directory that does not exist yet and whose parent does. It is made (mode 0700) for the agent's
    /// socket, and for a managed workspace, and removed at the end with everything in it.
    #[serde(with = "serde_bytes")]
    pub state_dir: Vec<u8>,
    /// Makes a directory of this name in the state directory for the sandbox to work in.
    pub workspace: Option<String>,
    /// Whether the state directory is that of a stopped sandbox, whose workspace is used again.
    pub again: bool,
    /// Exit codes of the agent that are a stop: the workspace stays, and
    /// [`STOPPED_NAME`](crate::launch::STOPPED_NAME) says so.
    pub stop_after: Vec<u8>,
    /// The agent's own settings.
    #[serde(with = "serde_bytes")]
    pub agent: Vec<u8>,
}
