//! Commands that run by a script.
//!
//! ```text
//!   launch ─▶ faults ─▶ script ─▶ running ── steps, by the clock ──▶ ended
//!                │         └─ no reply: an error that names the command
//!                └─ refused, late, cut, dead
//! ```

mod capture;
mod ending;
mod handle;
mod launch;
mod running;
mod sanitize;

pub(crate) use handle::Commands;
pub(crate) use running::Running;
