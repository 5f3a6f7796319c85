//! How old a sandbox is, by the clock of the machine that nobody sets.
//!
//! A lifetime counts from the creation, and the agent counts from now on. The difference is the sandbox's age, which must not
//! change when somebody sets the time of day.

use isobox_contract::{SandboxId, Timestamp};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use std::time::Duration;

/// A moment of one boot of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Born {
    /// `/proc/sys/kernel/random/boot_id`.
    boot: String,
    /// Since the machine booted, also while it slept.
    at: Duration,
}

impl Born {
    /// Now; nothing where `/proc` does not say which boot this is.
    pub fn now() -> Option<Self> {
        static BOOT: OnceLock<Option<String>> = OnceLock::new();
        let boot = match BOOT.get() {
            Some(boot) => boot,
            // Read first: a fork while the cell is being filled would leave it shut in the child.
            None => {
                let read = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
                let read = read.map(|text| text.trim().to_owned());
                BOOT.get_or_init(|| read)
            }
        };
        let time = clock_gettime(ClockId::Boottime);
        Some(Self { boot: boot.clone()?, at: Duration::try_from(time).ok()? })
    }

    /// How long ago that was; nothing when it was before this boot, or in another time namespace.
    fn age(&self) -> Option<Duration> {
        let now = Self::now().filter(|now| now.boot == self.boot)?;
        now.at.checked_sub(self.at)
    }
}

/// How old a sandbox is: by the time of day only when nothing better is known.
pub fn age(born: Option<&Born>, id: &SandboxId) -> Duration {
    born.and_then(Born::age).unwrap_or_else(|| Timestamp::now().since(id.created_at()))
}
