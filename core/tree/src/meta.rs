//! The attributes that travel with an entry.

use rustix::fs::{Mode, Stat, Timespec, Timestamps, UTIME_OMIT};
use serde::{Deserialize, Serialize};

const SETID: u32 = 0o6000;
const MODE_MAX: u32 = 0o7777;
const NANOSECONDS: u32 = 1_000_000_000;

/// Mode and time of last modification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Meta {
    mode: u32,
    seconds: i64,
    nanoseconds: u32,
}

impl Meta {
    pub(crate) fn new(mode: u32, (seconds, nanoseconds): (i64, u32)) -> Self {
        Meta { mode: mode & MODE_MAX, seconds, nanoseconds }
    }

    /// Whether the numbers mean something. Nanoseconds out of range would be commands to `utimensat`.
    pub(crate) fn is_valid(self) -> bool {
        self.mode <= MODE_MAX && self.nanoseconds < NANOSECONDS
    }

    pub(crate) fn without_setid(mut self) -> Self {
        self.mode &= !SETID;
        self
    }

    /// With these permission bits, if any are given.
    pub(crate) fn with_mode(mut self, mode: Option<u32>) -> Self {
        self.mode = mode.map_or(self.mode, |mode| mode & MODE_MAX);
        self
    }

    pub(crate) fn mode(self) -> Mode {
        Mode::from_raw_mode(self.mode)
    }

    /// The time: seconds and nanoseconds.
    pub(crate) fn modified(self) -> (i64, u32) {
        (self.seconds, self.nanoseconds)
    }

    pub(crate) fn times(self) -> Timestamps {
        Timestamps {
            last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
            last_modification: Timespec { tv_sec: self.seconds, tv_nsec: self.nanoseconds.into() },
        }
    }
}

impl From<&Stat> for Meta {
    fn from(stat: &Stat) -> Self {
        // The kernel keeps nanoseconds below 10^9, whatever the width of the field on this architecture.
        let nanoseconds = u32::try_from(stat.st_mtime_nsec).unwrap_or(0);
        Meta { mode: stat.st_mode & MODE_MAX, seconds: stat.st_mtime, nanoseconds }
    }
}

/// What makes two names the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
}

impl From<&Stat> for Identity {
    fn from(stat: &Stat) -> Self {
        Identity { device: stat.st_dev, inode: stat.st_ino }
    }
}

/// How many names a file has.
#[allow(clippy::useless_conversion, reason = "it is a smaller type on aarch64")]
pub(crate) fn names(stat: &Stat) -> u64 {
    u64::from(stat.st_nlink)
}
