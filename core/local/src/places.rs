//! Where sandboxes live on this machine's disk.

use isobox_contract::{Error, Result, SandboxId};
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The directory with one directory for each sandbox of a provider.
#[derive(Clone, Debug)]
pub struct Places {
    root: PathBuf,
}

impl Places {
    /// The places of `provider` below the library's home, which is made with mode 0700 when it is missing.
    ///
    /// # Errors
    /// When the directory cannot be made, or belongs to somebody else, who could then reach into every sandbox.
    pub fn open(home: &Path, provider: &str) -> Result<Self> {
        let root = std::path::absolute(home).unwrap_or_else(|_| home.to_owned()).join(provider);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&root);
        let context = || format!("cannot use {} for sandboxes, set ISOBOX_HOME to a directory of your own", root.display());
        made.map_err(|error| Error::io(context(), error))?;
        let owner = fs::metadata(&root).map_err(|error| Error::io(context(), error))?.uid();
        let own = rustix::process::geteuid().as_raw();
        if owner != own {
            let reason = format!("{} belongs to user {owner} and this is user {own}, set ISOBOX_HOME to a directory of your own", root.display());
            return Err(Error::invalid_spec("home", reason));
        }
        Ok(Self { root })
    }

    /// The directory of one sandbox.
    pub fn of(&self, id: &SandboxId) -> PathBuf {
        self.root.join(id.as_str())
    }

    /// Every sandbox that has a directory.
    pub fn all(&self) -> Vec<SandboxId> {
        let Ok(entries) = fs::read_dir(&self.root) else { return Vec::new() };
        let mut all: Vec<SandboxId> =
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        all.sort();
        all
    }
}
