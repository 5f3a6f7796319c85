//! The cgroups that a sandbox lives in.

use serde::{Deserialize, Serialize};

/// The cgroups of a sandbox, all of them existing directories. Nothing is limited by none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cgroups {
    /// The v2 directory, delegated to the caller, that the sandbox is born in.
    pub born_in: Option<Vec<u8>>,
    /// The v1 directories that the sandbox enters before it goes on. Needs root.
    pub entered: Vec<Vec<u8>>,
    /// The v2 directory below [`born_in`](Self::born_in) that commands are born in.
    pub commands: Option<Vec<u8>>,
    /// The v1 directories that each command enters. Needs root; at most three.
    pub joined: Vec<Vec<u8>>,
    /// What the keeper removes at the end, children before their parents. One that is not there is fine.
    pub removed: Vec<Vec<u8>>,
    /// Where to look when the sandbox was killed for want of memory.
    pub memory: Option<MemoryFiles>,
}

/// The files that tell what a limit of memory has done, each by its absolute path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryFiles {
    /// Has a line `oom_kill N` that counts commands.
    pub events: Vec<u8>,
    /// The same for the sandbox's first process.
    pub own_events: Vec<u8>,
    /// The limit, in bytes.
    pub limit: Vec<u8>,
    /// The highest use, in bytes.
    pub peak: Vec<u8>,
}
