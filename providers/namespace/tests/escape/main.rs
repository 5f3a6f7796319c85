//! The escape suite: everything that somebody would try to get out of a sandbox or to change what is outside, as real
//! system calls, and what becomes of each.
//!
//! ```text
//! this test --makes--> sandbox --runs--> this same test binary, as root and as a user inside: each attempt in a
//!     |                                   process of its own, one line for each
//!     +--runs--> this same test binary on the machine itself: the same attempts with nothing in the way
//! ```
//!
//! Inside, each attempt must end as its row promises. Outside, as root, each must succeed, or the machine must lack
//! what it is after: an attempt that cannot succeed anywhere proves nothing. What an attempt does outside is harmless:
//! it opens what it would write, gives arguments that fail behind the check, or works on a child of its own.
//!
//! `docs/reference/escape-suite.md` is written from a run as root with `ISOBOX_BLESS=1`.
#![cfg(target_os = "linux")]
#![allow(
    missing_docs,
    unsafe_code,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "these are tests: they make system calls that no library offers, and talk to whoever runs them"
)]

mod attempts;
mod inside;
mod page;
mod runs;
mod seen;
mod system;
mod target;
