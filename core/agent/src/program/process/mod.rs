//! Starts commands so that nothing they start can escape, and ends them for certain.
//!
//! ```text
//! agent ── fork ──> supervisor ── vfork ──> leader: execve
//!   │                   │  child-subreaper: every orphan of the tree comes back to it
//!   └── control socket ─┘  orders down, notices up; its end is the agent's end
//! ```
//!
//! Every command has a supervisor of its own, a fork of the agent that never runs anything else. Because it is the nearest
//! child-subreaper, a process that calls setsid, forks twice or clears its environment is still its descendant, and
//! the tree is empty exactly when the kernel says that the supervisor has no children left.
//!
//! ```text
//! Tree:  starting ──Started──> running ──LeaderExited──> background ──Empty──> ended
//!            └──────Failed──────────────────────────────────────────────────────^
//!        any state ──supervisor killed──Lost──> ended; what is left is for `reap_strays`
//! ```
//!
//! What this module promises:
//! - [`Launch::start`] returns at once; whether the program could be executed arrives as a [`Report`].
//! - [`Tree::kill`] leaves no process behind, or says how many it was not allowed to end.
//! - Dropping a [`Tree`], or the death of the agent, ends the tree too.
//! - A tree whose supervisor was killed by its own program is ended by [`reap_strays`].
//!
//! Nothing here waits or needs an executor: [`Tree`] has a file descriptor that becomes readable when there is a report.

mod credentials;
mod descend;
mod ending;
mod error;
mod exec;
mod keyboard;
mod launch;
mod leader;
mod lookup;
mod message;
mod pty;
mod spawn;
mod strays;
mod supervisor;
mod sys;
mod tree;
mod users;

#[cfg(test)]
mod tests;

pub(crate) use credentials::Credentials;
pub(crate) use error::{StartError, StartErrorKind};
pub(crate) use keyboard::{first_signal, needs_help, press};
pub(crate) use launch::Launch;
pub(crate) use message::Usage;
pub(crate) use pty::{Pty, resize};
pub(crate) use strays::{become_reaper, reap_strays};
pub(crate) use tree::{ExitStatus, Report, Tree};
pub(crate) use users::{Account, resolve};
