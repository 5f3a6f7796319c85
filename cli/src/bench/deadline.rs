//! No measure waits for ever: not for a program, not for an engine, and not for isobox.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// How long what takes no time may take: an engine that is asked for many commands at once can lose the end of one.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// How long what moves much data may take.
pub(super) const LONG: Duration = Duration::from_secs(900);

/// Does something unless it takes longer than that.
pub(super) async fn within<T>(limit: Duration, work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| Err(late(limit)))
}

/// What is said of something that took longer.
pub(super) fn late(limit: Duration) -> String {
    format!("it did not end within {} s", limit.as_secs())
}

/// Waits for the end of a program. One that takes longer is killed, and nothing is its end.
pub(super) fn ended(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let pid = Pid::from_child(child);
    let ended = readable(pidfd_open(pid, PidfdFlags::empty())?.as_fd(), limit);
    if !matches!(ended, Ok(true)) {
        // Whatever it still does, it is not waited for any more.
        child.kill()?;
    }
    let status = child.wait()?;
    ended.map(|ended| ended.then_some(status))
}

/// Whether something can be read, or has ended, before the time is over.
pub(super) fn readable(file: BorrowedFd<'_>, limit: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + limit;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = left.try_into().map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        match poll(&mut [PollFd::new(&file, PollFlags::IN)], Some(&left)) {
            Err(rustix::io::Errno::INTR) => {}
            ready => return Ok(ready? > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        let mut sleep = Command::new("sleep").arg("86400").spawn().unwrap();
        assert_eq!(ended(&mut sleep, Duration::from_millis(10)).unwrap(), None);
        assert_eq!(sleep.wait().unwrap().signal(), Some(9));
        let mut short = Command::new("true").spawn().unwrap();
        assert!(ended(&mut short, PATIENCE).unwrap().unwrap().success());
    }

    #[test]
    fn a_program_that_says_nothing_is_not_waited_for() {
        let mut silent = Command::new("sleep").arg("86400").stdout(Stdio::piped()).spawn().unwrap();
        let output = silent.stdout.take().unwrap();
        assert!(!readable(output.as_fd(), Duration::from_millis(10)).unwrap());
        silent.kill().unwrap();
        assert!(readable(output.as_fd(), PATIENCE).unwrap());
        silent.wait().unwrap();
    }

    #[tokio::test]
    async fn work_that_does_not_end_is_given_up() {
        let never = std::future::pending::<Result<(), String>>();
        assert_eq!(within(Duration::from_secs(1), never).await, Err("it did not end within 1 s".to_owned()));
    }
}
