//! Which ids a sandbox has.

use super::frame::whole;
use serde::{Deserialize, Serialize};

/// `count` consecutive ids: `inside` in the sandbox is `outside` on the host, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdRange {
    /// The first id in the sandbox.
    pub inside: u32,
    /// The first id on the host.
    pub outside: u32,
    /// How many ids.
    pub count: u32,
}

/// The absolute paths of the programs that write id maps for ordinary users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdHelpers {
    /// `newuidmap`.
    #[serde(with = "serde_bytes")]
    pub users: Vec<u8>,
    /// `newgidmap`.
    #[serde(with = "serde_bytes")]
    pub groups: Vec<u8>,
}

/// What the agent does something about with the rights of a sandbox that has these ids: it removes a directory in its role
/// `remove`, and in its role `own` gives what is in one to the [`Owner`](crate::Owner)s that follow, in messages of which
/// the last one is empty. Answered by [`LaunchReport::Ready`](super::LaunchReport::Ready) when it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeConfig {
    /// The absolute path of a directory of the caller's in a directory of the caller's.
    #[serde(with = "serde_bytes")]
    pub path: Vec<u8>,
    /// As in [`LaunchConfig::uid_map`](super::LaunchConfig::uid_map).
    pub uid_map: Vec<IdRange>,
    /// As in [`LaunchConfig::gid_map`](super::LaunchConfig::gid_map).
    pub gid_map: Vec<IdRange>,
    /// As in [`LaunchConfig::id_helpers`](super::LaunchConfig::id_helpers).
    pub helpers: IdHelpers,
}

impl RangeConfig {
    /// Reads a config from the bytes behind the length; bytes left over are an error.
    pub fn from_body(body: &[u8]) -> postcard::Result<Self> {
        whole(body)
    }
}
