//! What a sandbox's directory says of it to whoever lists them: everybody else has its record.

use crate::cgroups::Cgroups;
use crate::record::LocalRecord;
use isobox_cgroup::Group;
use isobox_contract::{Error, Labels, Result};
use rustix::fs::{CWD, Mode, OFlags, openat};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

const NAME: &str = "about.json";
/// More than a spec's labels can have.
const LARGEST: u64 = 1 << 20;

/// A sandbox as it was asked for, and how to see whether it is paused.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct About {
    pub(crate) name: Option<String>,
    pub(crate) labels: Labels,
    cgroups: Option<Group>,
}

impl About {
    pub(crate) fn of(record: &LocalRecord) -> Self {
        Self { name: record.name.clone(), labels: record.labels.clone(), cgroups: record.cgroups.clone() }
    }

    /// Writes it into the directory of a new sandbox, where there is anything to say.
    pub(crate) fn write(&self, state_dir: &Path) -> Result<()> {
        if self.name.is_none() && self.labels.is_empty() && self.cgroups.is_none() {
            return Ok(());
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let written = openat(CWD, state_dir.join(NAME), flags, Mode::RUSR | Mode::WUSR);
        let written = written.map_err(Into::into).and_then(|file| {
            let text = serde_json::to_vec(self).expect("plain data always serializes");
            File::from(file).write_all(&text)
        });
        written.map_err(|error| Error::io("cannot write the sandbox's name and labels into its directory", error))
    }

    /// Reads it; of a sandbox of which nothing can be read, nothing is known.
    pub(crate) fn read(state_dir: &Path) -> Self {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = openat(CWD, state_dir.join(NAME), flags, Mode::empty()) else { return Self::default() };
        let mut text = Vec::new();
        let read = File::from(file).take(LARGEST).read_to_end(&mut text);
        read.ok().and_then(|_| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.cgroups.clone().is_some_and(|group| Cgroups::of(group).is_paused())
    }
}
