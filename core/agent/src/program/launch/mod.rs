//! The launcher of the namespace provider: makes a sandbox out of Linux namespaces and becomes the agent in it.
//!
//! ```text
//! library --spawn--> keeper (host namespaces, the caller's user)       sandbox (process 1 of the new namespaces)
//!   | LaunchConfig      |
//!   |------------------>| state directory, listener
//!   |                   | clone3(user, mount, pid, net, ipc, uts)           |
//!   |                   |-------------------------------------------------->| loopback, host name, private mounts
//!   |                   | cgroup v1: puts it there, then lets it go on      |
//!   |                   | root: id maps, id-mapped mounts                   |
//!   |                   |-------------------------------------------------->| root of the user namespace
//!   |                   | closes everything it does not need                | overlay, /proc, /sys, /dev, bind mounts
//!   |                   |                                                   | pivot_root, fewer privileges
//!   |<------------------|----------------------------- LaunchReport::Ready -| serve(Place)
//!   |                   | waits: SIGTERM, SIGINT or SIGHUP kills the sandbox |
//!   |                   | sandbox dead: removes the state directory, exits  x
//! ```
//!
//! Promises:
//! - The library does not fork; both processes here are single threaded until `serve` runs.
//! - Whoever of the two dies takes the other along: the sandbox has a parent death signal, the keeper waits for the
//!   sandbox.
//! - A step that fails is reported with its name, and then everything that was made is gone again.
//! - Nothing of the host is open in the sandbox but the connection, the listener, the log and, when asked for, the
//!   cgroups of its commands.
//! - Nothing is weakened: what the kernel refuses is a failure. The exception is said in the log: a kernel
//!   that refuses sysfs leaves `/sys` empty.
//!
//! An ordinary user's sandbox has one id: its root is that user. Its supplementary groups cannot be dropped (the
//! kernel forbids it without privilege), so what the caller's groups may read of `/usr` and `/etc` stays readable. With
//! `newuidmap` and `newgidmap` it has a range of subordinate ids beside, and no groups of the caller ([`ranges`]). As
//! root the sandbox has a range of ids that own nothing on the host.

mod accounts;
mod binds;
mod call;
mod cgroups;
mod check;
mod connection;
mod copy;
mod devices;
mod directory;
mod errand;
mod failure;
mod filter;
mod grants;
mod hint;
mod hold;
mod host;
mod inside;
mod keeper;
mod kernel;
mod layers;
mod maps;
mod needs;
mod network;
mod overlay;
mod ownership;
mod privileges;
mod project;
mod ranges;
mod read_only;
mod removal;
mod state;
mod tree;

pub(crate) use cgroups::Granted;
pub(crate) use connection::Connection;
pub(crate) use errand::run as errand;
pub(crate) use inside::Place;
pub(crate) use keeper::run;
pub(crate) use ownership::give;
pub(crate) use removal::remove;
pub(crate) use state::StateDirectory;
