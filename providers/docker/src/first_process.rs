//! Killing what runs in a container from this machine.
//!
//! The kernel ends everything in a container with its first process. Where that is a process of this machine that may be killed
//! from here, it spares the engine a program of its runtime that does nothing else, which is a large part of what removing a
//! container takes.

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// Characters of a container's id.
const ID: usize = 64;

/// Kills the process if it is one of this container's, and tells whether it did. Whatever comes of it, the engine has to remove the
/// container.
pub(crate) fn kill(pid: u32, container: &str) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    // From here on no other process can be meant, also when this one has ended and another one has its number.
    let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    let groups = std::fs::read_to_string(format!("/proc/{}/cgroup", pid.as_raw_nonzero()));
    let is_its = container.len() == ID && groups.is_ok_and(|groups| groups.contains(container));
    // Not allowed for an ordinary user, whose engine does it.
    is_its && pidfd_send_signal(process, Signal::KILL).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_something_else_is_left_alone() {
        let mut process = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        for container in ["", "/", &"0".repeat(ID)] {
            assert!(!kill(process.id(), container));
        }
        // It ends by itself at the end of its input.
        drop(process.stdin.take());
        assert!(process.wait().unwrap().success());
    }
}
