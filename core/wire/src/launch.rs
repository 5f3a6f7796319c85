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

/// Where a sandbox's copy-on-write layer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Disk {
    /// In the state directory, with no limit.
    #[default]
    Directory,
    /// In memory, in a tmpfs of this many bytes over the state directory, which only the sandbox sees. It does not outlive the
    /// sandbox.
    Memory(u64),
    /// On a mount that comes as a descriptor with the first byte of the config, and is put over the state directory where only
    /// the sandbox sees it. Needs root.
    Sent,
    /// In a directory [`DISK_NAME`] in the state directory, which the launcher puts into the project of this number and whose
    /// limit it takes away with the directory. Needs root.
    Project(u32),
}

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

/// What a sandbox sees as `/`, always under a copy-on-write layer of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RootFs {
    /// The machine's own programs, read-only (`/usr`, `/bin`, `/sbin`, `/lib*`, `/nix`), its `/etc` with accounts and
    /// names replaced, private and empty everything else, and nothing of anybody's files.
    Host,
    /// [`RootFs::Host`], with what sandboxes on it have written on top of that.
    HostLayers {
        /// The first on top; in each a directory `upper` for `/` and a directory `etc` for `/etc`.
        layers: Vec<Layer>,
    },
    /// The directory at this absolute path, which is never changed.
    Directory(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Directories on top of each other, which are never changed.
    Layers {
        /// The first on top; at least one, at most [`MAX_LAYERS`], none of them twice.
        layers: Vec<Layer>,
    },
}

/// One read-only directory of [`RootFs::Layers`]. What it hides of those below it says with what overlayfs leaves in an
/// upper layer: character devices 0/0 for names, and `user.overlay.opaque` for whole directories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// An absolute path. Layers with the same parent directory and the same `id_mapped` cost one mount together; where
    /// that is not id-mapped, the sandbox's root must be able to search the parent.
    #[serde(with = "serde_bytes")]
    pub path: Vec<u8>,
    /// Whether its owners are ids of the sandbox, as in an image that root unpacked, and not ids of the host. Needs root.
    pub id_mapped: bool,
}

/// A host file or directory shown in the sandbox, always without set-user-id programs and devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindMount {
    /// An existing absolute path on the host.
    #[serde(with = "serde_bytes")]
    pub source: Vec<u8>,
    /// An absolute path in the sandbox, made when missing. Not `/`, no `..`, not in `/proc`, `/sys` or `/dev`.
    #[serde(with = "serde_bytes")]
    pub target: Vec<u8>,
    /// Whether the sandbox may change it.
    pub writable: bool,
}

/// A filesystem in memory, always without set-user-id programs and devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryMount {
    /// As [`BindMount::target`].
    #[serde(with = "serde_bytes")]
    pub target: Vec<u8>,
    /// Its bytes at most.
    pub size: u64,
    /// The permission bits of its root.
    pub mode: u32,
    /// Whether the sandbox may change it.
    pub writable: bool,
    /// How many of [`LaunchConfig::mounts`] come before it.
    pub after: u32,
}

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
/// the last one is empty. Answered by [`LaunchReport::Ready`] when it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeConfig {
    /// The absolute path of a directory of the caller's in a directory of the caller's.
    #[serde(with = "serde_bytes")]
    pub path: Vec<u8>,
    /// As in [`LaunchConfig::uid_map`].
    pub uid_map: Vec<IdRange>,
    /// As in [`LaunchConfig::gid_map`].
    pub gid_map: Vec<IdRange>,
    /// As in [`LaunchConfig::id_helpers`].
    pub helpers: IdHelpers,
}

impl RangeConfig {
    /// Reads a config from the bytes behind the length; bytes left over are an error.
    pub fn from_body(body: &[u8]) -> postcard::Result<Self> {
        whole(body)
    }
}

/// What network a sandbox has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// A network namespace of its own with nothing but the loopback interface, which is up.
    None,
}

/// The launcher's only answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaunchReport {
    /// The sandbox is complete and the agent serves.
    Ready {
        /// The process id of the sandbox's first process, as the caller sees it.
        pid: u32,
    },
    /// The sandbox could not be made. The launcher ends after it has removed what there was.
    Failed(LaunchFailure),
}

/// Why a sandbox could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchFailure {
    /// The step that failed.
    pub step: LaunchStep,
    /// The system's error number, 0 when no system call failed.
    pub errno: i32,
    /// What went wrong, naming the thing, in lower case.
    pub message: String,
    /// What to do about it, when that is known.
    pub hint: Option<String>,
}

/// The steps of a launch, for programs to tell failures apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LaunchStep {
    /// Reading and checking the [`LaunchConfig`].
    Config,
    /// Making the state directory and the layers in it.
    StateDirectory,
    /// Binding the agent's socket.
    Listener,
    /// Making the process and its namespaces.
    Namespaces,
    /// Entering the given cgroups.
    Cgroup,
    /// Writing the id maps and taking the mapped ids.
    IdMap,
    /// Mounting the root file system.
    RootFilesystem,
    /// Mounting a host file or directory, [`LaunchConfig::mounts`].
    BindMount,
    /// Mounting and masking `/proc`.
    Proc,
    /// Making `/dev`.
    Devices,
    /// Mounting `/sys`.
    Sys,
    /// Changing into the new root.
    PivotRoot,
    /// Setting the host name.
    Hostname,
    /// Bringing the loopback interface up.
    Network,
    /// Dropping capabilities, keyrings and file descriptors.
    Privileges,
    /// A bug in the launcher.
    Internal,
}

impl LaunchStep {
    /// The stable name of the step.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::StateDirectory => "state_directory",
            Self::Listener => "listener",
            Self::Namespaces => "namespaces",
            Self::Cgroup => "cgroup",
            Self::IdMap => "id_map",
            Self::RootFilesystem => "root_filesystem",
            Self::BindMount => "bind_mount",
            Self::Proc => "proc",
            Self::Devices => "devices",
            Self::Sys => "sys",
            Self::PivotRoot => "pivot_root",
            Self::Hostname => "hostname",
            Self::Network => "network",
            Self::Privileges => "privileges",
            Self::Internal => "internal",
        }
    }
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

impl LaunchReport {
    /// The report with its length in front, ready to be written. Fails when it is larger than [`MAX_LAUNCH_REPORT`].
    pub fn to_frame(&self) -> postcard::Result<Vec<u8>> {
        frame_within(self, MAX_LAUNCH_REPORT)
    }

    /// Reads a report from the bytes behind the length; bytes left over are an error.
    pub fn from_body(body: &[u8]) -> postcard::Result<Self> {
        whole(body)
    }
}

/// Any config for an agent with its length in front. Fails when it is larger than [`MAX_LAUNCH_CONFIG`].
pub fn frame<T: Serialize>(config: &T) -> postcard::Result<Vec<u8>> {
    frame_within(config, MAX_LAUNCH_CONFIG)
}

fn frame_within<T: Serialize>(value: &T, most: usize) -> postcard::Result<Vec<u8>> {
    let mut bytes = postcard::to_extend(value, vec![0; 4])?;
    let length = bytes.len() - 4;
    if length > most {
        return Err(postcard::Error::SerializeBufferFull);
    }
    // The cast is exact: both limits are far below 4 GiB.
    bytes[..4].copy_from_slice(&(length as u32).to_be_bytes());
    Ok(bytes)
}

fn whole<'a, T: Deserialize<'a>>(body: &'a [u8]) -> postcard::Result<T> {
    match postcard::take_from_bytes(body)? {
        (value, []) => Ok(value),
        _ => Err(postcard::Error::DeserializeBadEncoding),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn config() -> LaunchConfig {
        LaunchConfig {
            state_dir: b"/run/\xff box".to_vec(),
            root: RootFs::Directory(b"/images/a".to_vec()),
            memory: vec![MemoryMount { target: b"/m".to_vec(), size: 1, mode: 0o700, writable: true, after: 1 }],
            mounts: vec![BindMount { source: b"/a".to_vec(), target: b"/b".to_vec(), writable: true }],
            hostname: "box".into(),
            uid_map: vec![IdRange { inside: 0, outside: 100_000, count: 65_536 }],
            gid_map: vec![IdRange { inside: 0, outside: 100_000, count: 65_536 }],
            id_helpers: Some(IdHelpers { users: b"/bin/u".to_vec(), groups: b"/bin/g".to_vec() }),
            id_mapped: true,
            network: Network::None,
            confinement: Confinement { system_calls: Some(vec![6, 0, 0, 0, 0, 0, 255, 127]), ..Confinement::default() },
            keep: false,
            again: true,
            stop_after: vec![11],
            shm_size: None,
            tmp_size: Some(1 << 20),
            pauses: true,
            disk: Disk::Memory(1 << 30),
            cgroups: Cgroups { born_in: Some(b"/sys/fs/cgroup/a".to_vec()), ..Cgroups::default() },
            agent: vec![1, 2, 3],
        }
    }

    #[test]
    fn a_config_survives_the_wire() {
        let frame = config().to_frame().unwrap();
        assert_eq!(frame[..4], u32::try_from(frame.len() - 4).unwrap().to_be_bytes());
        assert_eq!(LaunchConfig::from_body(&frame[4..]), Ok(config()));
    }

    #[test]
    fn a_report_survives_the_wire() {
        let failure = LaunchFailure {
            step: LaunchStep::BindMount,
            errno: 2,
            message: "no such thing".into(),
            hint: Some("make it".into()),
        };
        for report in [LaunchReport::Ready { pid: 7 }, LaunchReport::Failed(failure)] {
            let frame = report.to_frame().unwrap();
            assert_eq!(LaunchReport::from_body(&frame[4..]), Ok(report));
        }
    }

    #[test]
    fn an_oversized_config_is_refused_before_it_is_sent() {
        let large = LaunchConfig { agent: vec![0; MAX_LAUNCH_CONFIG], ..config() };
        assert!(large.to_frame().is_err());
    }

    #[test]
    fn bytes_behind_a_config_are_refused() {
        let mut frame = config().to_frame().unwrap();
        frame.push(0);
        assert!(LaunchConfig::from_body(&frame[4..]).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = LaunchConfig::from_body(&bytes);
            let _ = LaunchReport::from_body(&bytes);
        }
    }
}
