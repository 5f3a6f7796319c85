//! Freezing what a sandbox runs.

use crate::files::write;
use crate::group::{Error, Group};
use crate::parse::value;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

impl Group {
    fn control(&self, file: &str) -> Option<PathBuf> {
        Some(self.commands()?.join(file))
    }

    /// Whether the sandbox's commands can be frozen.
    pub fn can_freeze(&self) -> bool {
        self.unified.is_some()
    }

    /// Whether they are frozen, or about to be.
    pub fn is_frozen(&self) -> bool {
        // Asked before every command, so in as few system calls as it takes.
        let first = |path: PathBuf| {
            let mut byte = [0];
            File::open(path)?.read_exact(&mut byte).map(|()| byte[0])
        };
        self.control("cgroup.freeze").is_some_and(|path| first(path).is_ok_and(|byte| byte == b'1'))
    }

    /// Freezes every command and returns when none runs any more. Blocks for as long, at most `within`.
    ///
    /// # Errors
    /// [`Error::File`] when the kernel refuses, or when something is still running after that time; then they are frozen
    /// only if they were before.
    pub fn pause(&self, within: Duration) -> Result<(), Error> {
        let Some(commands) = self.commands() else {
            return Err(Error::file(&PathBuf::from("cgroup.freeze"), ErrorKind::Unsupported.into()));
        };
        let was_frozen = self.is_frozen();
        freeze(&commands, within).inspect_err(|_| {
            if !was_frozen {
                // The failure to report is the first one.
                let _ = self.resume();
            }
        })
    }

    /// Lets every command go on.
    ///
    /// # Errors
    /// [`Error::File`] when the kernel refuses.
    pub fn resume(&self) -> Result<(), Error> {
        match self.control("cgroup.freeze") {
            Some(file) => write(&file, "0"),
            None => Ok(()),
        }
    }
}

/// Freezes a v2 cgroup with everything below it and returns when nothing in it runs. It stays so until somebody writes `0` to
/// its `cgroup.freeze`. Blocks for as long, at most `within`.
///
/// # Errors
/// [`Error::File`] when the kernel refuses, or when something is still running after that time; then it is about to be
/// frozen.
pub fn freeze(cgroup: &Path, within: Duration) -> Result<(), Error> {
    write(&cgroup.join("cgroup.freeze"), "1")?;
    wait(&cgroup.join("cgroup.events"), Instant::now() + within)
}

/// Waits until the kernel says that everything stands still.
fn wait(path: &Path, until: Instant) -> Result<(), Error> {
    let failed = |error| Error::file(path, error);
    let mut file = File::open(path).map_err(failed)?;
    loop {
        let mut text = String::new();
        file.rewind().map_err(failed)?;
        file.read_to_string(&mut text).map_err(failed)?;
        if value(&text, "frozen") == Some(1) {
            return Ok(());
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(failed(ErrorKind::TimedOut.into()));
        }
        // The kernel announces a change as a priority event (cgroup-v2.rst, "[Un]populated Notification").
        let timeout = Timespec::try_from(left).ok();
        let _ = poll(&mut [PollFd::new(&file, PollFlags::PRI)], timeout.as_ref());
    }
}
