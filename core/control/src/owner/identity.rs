//! What tells this process from every other.

use crate::record::ProcessIdentity;
use isobox_contract::{Error, Result};
use std::fs;
use std::os::unix::fs::MetadataExt;

/// This process. Read anew each time: after a fork it is another one.
pub(super) fn own() -> Result<ProcessIdentity> {
    let failed = |error| Error::io("/proc, which must be mounted to own sandboxes", error);
    let stat = fs::read_to_string("/proc/self/stat").map_err(failed)?;
    let (_, started) = state_and_start(&stat).ok_or_else(|| Error::internal("/proc/self/stat cannot be read"))?;
    Ok(ProcessIdentity {
        pid: std::process::id(),
        started,
        boot: fs::read_to_string("/proc/sys/kernel/random/boot_id").map_err(failed)?.trim().to_owned(),
        pid_namespace: fs::metadata("/proc/self/ns/pid").map_err(failed)?.ino(),
    })
}

/// The name of this program, as `ps` shows it.
pub(super) fn program() -> String {
    let name = fs::read_to_string("/proc/self/comm").unwrap_or_default();
    name.trim().chars().filter(|c| !c.is_control()).take(15).collect()
}

/// The state and the start time in a line of `/proc/PID/stat`. The name of the program, in parentheses, may hold anything.
pub(super) fn state_and_start(stat: &str) -> Option<(char, u64)> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    // The state is field 3, the start time field 22.
    Some((state, fields.nth(18)?.parse().ok()?))
}
