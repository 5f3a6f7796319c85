//! Freezing what a sandbox runs.

use crate::files::{read, write};
use crate::group::{Error, Group};
use crate::parse::value;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// As long as it lives, no command of the sandbox runs. Dropping it lets them go on, unless they were frozen before.
///
/// A process that is killed while it has one leaves the sandbox frozen; its deadlines hold all the same, because what
/// keeps them is not frozen.
#[derive(Debug)]
#[must_use = "dropping it thaws"]
pub struct Frozen {
    file: Option<PathBuf>,
}

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
        self.control("cgroup.freeze").is_some_and(|file| read(&file).is_ok_and(|text| text.trim() == "1"))
    }

    /// Freezes every command and returns when none runs any more. Blocks for as long, at most `within`.
    ///
    /// # Errors
    /// [`Error::File`] when the kernel refuses, or when something is still running after that time; then nothing is
    /// frozen.
    pub fn pause(&self, within: Duration) -> Result<(), Error> {
        self.freeze(within).map(std::mem::forget)
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

    /// As [`pause`](Self::pause), until the answer is dropped.
    ///
    /// # Errors
    /// As [`pause`](Self::pause).
    pub fn freeze(&self, within: Duration) -> Result<Frozen, Error> {
        let (Some(freeze), Some(events)) = (self.control("cgroup.freeze"), self.control("cgroup.events")) else {
            return Err(Error::file(&PathBuf::from("cgroup.freeze"), ErrorKind::Unsupported.into()));
        };
        let was_frozen = self.is_frozen();
        write(&freeze, "1")?;
        let frozen = Frozen { file: (!was_frozen).then_some(freeze) };
        wait(&events, Instant::now() + within)?;
        Ok(frozen)
    }
}

/// Waits until the kernel says that everything stands still.
fn wait(path: &PathBuf, until: Instant) -> Result<(), Error> {
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

impl Drop for Frozen {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            // A cgroup that is gone has nothing to thaw.
            let _ = write(file, "0");
        }
    }
}
