//! What the namespace provider tells the launcher, and what the launcher answers.
//!
//! ```text
//! library                                launcher (fd 0 of the spawned agent program)
//!    | u32 big endian length, LaunchConfig   |   the first byte may come with a descriptor, see Disk::Sent
//!    |-------------------------------------->|   reads exactly these bytes; what follows is for the agent
//!    |   u32 big endian length, LaunchReport |
//!    |<--------------------------------------|   then the same stream speaks the agent's protocol
//! ```
//!
//! From then on it is told by signals: TERM, INT and HUP end the sandbox and remove what it has written, USR2 stops it, after
//! which that stays and [`STOPPED_NAME`] is there, and USR1 lets it be held still ([`HOLD_NAME`]).
//!
//! Bodies are postcard. Both ends come from one build, so there is no versioning here: the library embeds the program
//! it spawns. Paths are bytes, because Linux paths are.

mod cgroups;
mod frame;
mod ids;
mod report;
mod root;
#[cfg(test)]
mod tests;

pub use cgroups::{Cgroups, MemoryFiles};
pub use frame::frame;
pub use ids::{IdHelpers, IdRange, RangeConfig};
pub use report::{LaunchFailure, LaunchReport, LaunchStep};
pub use root::{BindMount, Disk, Layer, MemoryMount, RootFs};

use frame::whole;
use serde::{Deserialize, Serialize};

/// The name of the agent's listening socket in the state directory.
pub const SOCKET_NAME: &str = "agent.sock";

/// The name of the file in the state directory that says that the sandbox is stopped. In it are the build id of the
/// agent, a newline, and the config that it was launched with last, as on the wire without the length.
pub const STOPPED_NAME: &str = "stopped";

/// What the layers of a sandbox are in that do not lie in its state directory themselves: there a disk image, or a directory
/// that is in a project.
pub const DISK_NAME: &str = "disk";

/// The name of the FIFO in the state directory through which whoever holds the sandbox still tells its keeper of the
/// processes that are stopped: their numbers, as four bytes each of this machine's order, and [`HOLD_FROZEN`] for the cgroup
/// [`Cgroups::born_in`]. SIGUSR1 tells the keeper that it is there.
pub const HOLD_NAME: &str = "hold";

/// The number that stands for a frozen cgroup in the FIFO [`HOLD_NAME`].
pub const HOLD_FROZEN: i32 = 0;

/// The most bytes a [`LaunchConfig`] may have on the wire.
pub const MAX_LAUNCH_CONFIG: usize = 4 << 20;

/// The most layers a [`RootFs::Layers`] may have: overlayfs takes 500.
pub const MAX_LAYERS: usize = 480;

/// The most bytes a [`LaunchReport`] may have on the wire.
pub const MAX_LAUNCH_REPORT: usize = 64 << 10;

/// Everything that the launcher needs to make one sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchConfig {
    /// The absolute path of a directory that does not exist yet and whose parent does. The launcher makes it (mode
    /// 0700), keeps the copy-on-write layer and [`SOCKET_NAME`] in it, and removes it at the end. Its file system
    /// must be able to hold the upper layer of an overlay (ext4, xfs, btrfs, tmpfs; not overlayfs itself, NFS or
    /// vfat). On ext4 a parent with the attribute `T` (`chattr +T`) spreads the sandboxes over the disk and keeps
    /// launches fast while many come and go.
    #[serde(with = "serde_bytes")]
    pub state_dir: Vec<u8>,
    /// What the sandbox sees as `/`.
    pub root: RootFs,
    /// Host files and directories to show in the sandbox, mounted in this order.
    pub mounts: Vec<BindMount>,
    /// Filesystems in memory, in this order.
    pub memory: Vec<MemoryMount>,
    /// The host name in the sandbox, 1 to 64 bytes.
    pub hostname: String,
    /// User ids of the sandbox and what they are on the host. Must map 0. An ordinary user maps 0
    /// to its own id, and nothing else without [`LaunchConfig::id_helpers`].
    pub uid_map: Vec<IdRange>,
    /// The same for groups.
    pub gid_map: Vec<IdRange>,
    /// The programs that map an ordinary user's subordinate ids, which are then all but the first range of both maps.
    pub id_helpers: Option<IdHelpers>,
    /// Whether [`RootFs::Directory`] and the bind mounts are id-mapped: what host id N owns looks as if N of the
    /// sandbox owned it, and what N of the sandbox makes belongs to host id N. Needs root. [`RootFs::Host`] itself is
    /// never id-mapped.
    pub id_mapped: bool,
    /// What network the sandbox has.
    pub network: Network,
    /// What its processes may do.
    pub confinement: Confinement,
    /// Whether the state directory stays after the end, without the layers and the socket.
    pub keep: bool,
    /// Whether the state directory is that of a stopped sandbox, whose layers are used again.
    pub again: bool,
    /// Exit codes of the agent that are a stop: the layers stay, and [`STOPPED_NAME`] says so.
    pub stop_after: Vec<u8>,
    /// Whether the agent may freeze its commands, which takes [`Cgroups::commands`].
    pub pauses: bool,
    /// The size of `/dev/shm` in bytes; 64 MiB when absent.
    pub shm_size: Option<u64>,
    /// Makes `/tmp` a tmpfs of this many bytes; `/tmp` is a part of the copy-on-write layer when absent.
    pub tmp_size: Option<u64>,
    /// Where the copy-on-write layer is.
    pub disk: Disk,
    /// The cgroups that the sandbox lives in.
    pub cgroups: Cgroups,
    /// The agent's own settings, handed over unread.
    #[serde(with = "serde_bytes")]
    pub agent: Vec<u8>,
}

/// What the processes of a sandbox may do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// The filter of system calls, `struct sock_filter`s one after the other as the kernel takes them. It is installed
    /// last, for the agent and all that it starts. Without one every call is allowed.
    #[serde(with = "serde_bytes")]
    pub system_calls: Option<Vec<u8>>,
    /// Whether they may make user namespaces; the kernel counts them to zero otherwise.
    pub nested_user_namespaces: bool,
    /// Whether the root filesystem is read-only. What is mounted in it is what its mount says.
    pub read_only_root: bool,
}

/// What network a sandbox has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// A network namespace of its own with nothing but the loopback interface, which is up.
    None,
}

impl LaunchConfig {
    /// The config with its length in front, ready to be written. Fails when it is larger than [`MAX_LAUNCH_CONFIG`].
    pub fn to_frame(&self) -> postcard::Result<Vec<u8>> {
        frame(self)
    }

    /// Reads a config from the bytes behind the length; bytes left over are an error.
    pub fn from_body(body: &[u8]) -> postcard::Result<Self> {
        whole(body)
    }
}
