//! The agent as a process on this machine.
//!
//! ```text
//! launch ──spawn──> process ──config──> ready ──hello──> Guest
//!                      │
//!                   watcher (a task): reaps it, and says how the sandbox ended
//! ```
//!
//! The host and the namespace provider differ in what the process is told; this is what they have in common: starting it,
//! watching over it, finding it again from another process, ending it for certain.

mod about;
mod born;
mod cgroups;
mod claims;
mod copies;
mod disk;
mod fate;
mod fleet;
mod foreign;
mod forked;
mod hold;
mod informed;
mod keeper;
mod launch;
mod life;
mod ownership;
mod places;
mod record;
mod removal;
mod reserved;
mod sandbox;
mod settings;
mod shared;
mod stopped;

pub use born::{Born, age};
pub use cgroups::{Cgroups, explain, field, for_launch, limits};
pub use claims::CLAIMS;
pub use copies::Copies;
pub use disk::{Disk, MadeDisk, layers};
pub use fleet::{Fleet, probe};
pub use foreign::{give_as, maps, remove_as};
pub use forked::Lease;
pub use hold::while_still;
pub use launch::Launch;
pub use places::spread;
pub use record::LocalRecord;
pub use removal::remove_directory;
pub use sandbox::{LocalSandbox, Workspace, confirm};
pub use settings::{LEASE, keep_lifetimes, left_of, set_lifetimes, settings};
pub use stopped::{pause_after, stop_after};
