//! Commands: starting them, passing their output on, ending their trees.
//!
//! ```text
//! request ──> start ──> entry (in the table) ──> runner: timeout, orders, end
//!                 └───> pumps: stdout, stderr ──> log ──> followers
//!                                             └──> the client that streams
//! ```
//!
//! A command that its client still waits for ends with that client. Others stay until they end by themselves, and can be
//! followed by anybody who knows their id.

mod entry;
mod follow;
mod input;
mod log;
mod oom;
mod pump;
mod run;
mod runner;
mod sanitize;
mod spill;
mod start;
mod strays;
mod table;

pub(crate) use follow::attach;
pub(crate) use input::input;
pub(crate) use oom::Account;
pub(crate) use run::exec;
pub(crate) use table::Commands;
