//! Limits in hierarchies of cgroup v1.

use crate::files::write;
use crate::group::{Error, unless_missing};
use crate::layout::Controller;
use crate::limits::{Limits, quota};
use rustix::io::Errno;
use std::path::Path;

/// Sets one limit, if there is one.
pub(crate) fn limit(path: &Path, controller: Controller, limits: &Limits) -> Result<(), Error> {
    match controller {
        Controller::Cpu => limits.cpu_millis.map_or(Ok(()), |millis| {
            let (quota, period) = quota(millis);
            write(&path.join("cpu.cfs_period_us"), &period.to_string())?;
            write(&path.join("cpu.cfs_quota_us"), &quota.to_string())
        }),
        Controller::Memory => limits.memory.map_or(Ok(()), |memory| limit_memory(path, memory)),
        Controller::Pids => limits.pids.map_or(Ok(()), |pids| write(&path.join("pids.max"), &pids.to_string())),
    }
}

/// Memory and swap together are one limit in v1, and it may never be below that of memory alone.
fn limit_memory(path: &Path, memory: u64) -> Result<(), Error> {
    let bytes = memory.to_string();
    let (alone, both) = (path.join("memory.limit_in_bytes"), path.join("memory.memsw.limit_in_bytes"));
    let in_use = |result: Result<(), Error>| match result {
        Err(error) if error.errno() == Some(Errno::BUSY) => Err(Error::InUse(Controller::Memory)),
        other => other,
    };
    if matches!(write(&alone, &bytes), Err(error) if error.errno() == Some(Errno::INVAL)) {
        // It grows beyond what memory and swap were limited to.
        write(&both, &bytes)?;
    }
    in_use(write(&alone, &bytes))?;
    match in_use(write(&both, &bytes)) {
        // A kernel that does not count swap can at least be told not to use it.
        Err(error) if error.is_missing() => unless_missing(write(&path.join("memory.swappiness"), "0")),
        other => other,
    }
}
