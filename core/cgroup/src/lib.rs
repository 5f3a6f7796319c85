//! Control groups of sandboxes: what this machine offers, and the groups of one sandbox.
//!
//! ```text
//!         cgroup v2                                      cgroup v1, each controller that a limit needs
//!  parent/isobox/                                       mount/isobox/
//!    sbx_.../       what isobox runs; looser limits       sbx_.../       what isobox runs; looser limits
//!      commands/    the limits; frozen while paused         commands/    the limits
//!      agent/       what isobox runs, with limits
//! ```
//!
//! [`Layout`] is what a machine offers, found out by pure functions over a [`View`] of its files. [`Group`] is what one
//! sandbox has; it can be kept in a record and used from another process.
//!
//! Promises:
//! - Nothing is weakened: a limit that cannot be enforced has an [`Obstacle`], which says why and what to do.
//! - Limits count what commands use and nothing of isobox, whatever the hierarchy. So the limit of memory never ends the
//!   agent, that of processes never keeps it from working, and that of processors never makes it slow. Around both is a
//!   looser limit, in case it is taken over.
//! - A sandbox that is paused is frozen in its commands alone: whoever keeps its deadlines goes on. While its files are copied
//!   all of it is, which is independent of a pause.
//! - No privileged helper: an ordinary user needs a delegated cgroup v2, root needs a writable hierarchy.
//!
//! Names of files and their meaning are those of the kernel's documents `admin-guide/cgroup-v2.rst` and
//! `admin-guide/cgroup-v1/`.

mod detect;
mod files;
mod freeze;
mod group;
mod layout;
mod legacy;
mod limits;
mod obstacle;
mod parse;
mod remove;
mod stale;
mod unified;
mod usage;
mod view;

pub use freeze::freeze;
pub use group::{Birth, Error, Group};
pub use layout::{Controller, Layout, Place, Unified};
pub use limits::{Limits, QuotaError};
pub use obstacle::Obstacle;
pub use stale::{remove_named, stale, sweep};
pub use usage::Usage;
pub use view::{Machine, View};

/// The directory of a hierarchy in which every sandbox has one of its own.
pub const PARENT: &str = "isobox";
