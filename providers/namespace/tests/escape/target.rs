//! What attempts are after: things of the machine outside, told through the environment.

use crate::system::{fork, pause};

/// Whether this process is on the machine itself, with nothing in the way.
pub(crate) fn is_outside() -> bool {
    std::env::var_os("ESCAPE_OUTSIDE").is_some()
}

/// A thing of the machine's by the name that the test gave it.
pub(crate) fn named(name: &str) -> String {
    std::env::var(format!("ESCAPE_{name}")).unwrap_or_default()
}

/// A number of the machine's: a process, a port, a segment of memory.
pub(crate) fn number(name: &str) -> i64 {
    named(name).parse().unwrap_or(i64::from(i32::MAX))
}

/// The process that must be out of reach: the agent inside, a child of the attempt's own outside.
pub(crate) fn agent() -> i64 {
    if is_outside() { fork(pause).into() } else { 1 }
}

/// A file of the agent's in `/proc`.
pub(crate) fn of_agent(name: &str) -> String {
    format!("/proc/{}/{name}", agent())
}

/// A directory of one's own to make things in.
pub(crate) fn scratch() -> String {
    let base = std::env::var("TMPDIR").unwrap_or("/tmp".into());
    let path = format!("{base}/escape-{}", std::process::id());
    std::fs::create_dir_all(&path).unwrap();
    path
}
