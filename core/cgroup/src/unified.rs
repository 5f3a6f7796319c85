//! Limits in the hierarchy of cgroup v2.

use crate::files::{make, move_all, read, write};
use crate::group::{AGENT, COMMANDS, Error, unless_missing};
use crate::layout::Controller;
use crate::limits::{Limits, PERIOD, quota};
use std::path::Path;

/// A file that is there exactly when a v2 cgroup has the controller.
pub(crate) fn file_of(controller: Controller) -> &'static str {
    match controller {
        Controller::Cpu => "cpu.max",
        Controller::Memory => "memory.max",
        Controller::Pids => "pids.max",
    }
}

/// Gives controllers to what is below a sandbox's cgroup. isobox's own processes get a cgroup beside that of commands,
/// since below one that divides something only leaves may have processes.
pub(crate) fn divide(path: &Path, controllers: &[Controller]) -> Result<(), Error> {
    let missing = |controller: &&Controller| read(&path.join(COMMANDS).join(file_of(**controller))).is_err();
    let missing: Vec<String> = controllers.iter().filter(missing).map(|controller| format!("+{controller}")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let agent = path.join(AGENT);
    make(&agent)?;
    move_all(path, &agent)?;
    write(&path.join("cgroup.subtree_control"), &missing.join(" "))
}

/// Sets one limit of a v2 cgroup.
pub(crate) fn limit(path: &Path, controller: Controller, limits: &Limits) -> Result<(), Error> {
    let (limit, file) =
        (|value: Option<u64>| value.map_or("max".to_owned(), |value| value.to_string()), file_of(controller));
    match controller {
        Controller::Cpu => {
            let (quota, period) = limits.cpu_millis.map_or(("max".to_owned(), PERIOD), |millis| {
                let (quota, period) = quota(millis);
                (quota.to_string(), period)
            });
            write(&path.join(file), &format!("{quota} {period}"))
        }
        Controller::Memory => {
            write(&path.join(file), &limit(limits.memory))?;
            // Absent in a kernel without swap.
            unless_missing(write(&path.join("memory.swap.max"), "0"))
        }
        Controller::Pids => write(&path.join(file), &limit(limits.pids)),
    }
}
