//! Where sandboxes live on this machine's disk.

use crate::about::About;
use crate::stopped::Stopped;
use isobox_contract::{Error, ProviderKind, Result, SandboxId, State, Status};
use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The directory with one directory for each sandbox of a provider.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    root: PathBuf,
}

/// What a sandbox is doing, by its directory.
async fn state_in(state_dir: &Path) -> State {
    if Stopped::is_in(state_dir) {
        return State::Stopped;
    }
    match crate::life::dial(state_dir).await.map_err(|error| error.kind()) {
        Ok(_) => State::Running,
        // Whoever listened there was killed.
        Err(ErrorKind::ConnectionRefused) => State::Error,
        // It is being made, or just going.
        Err(_) => State::Unknown,
    }
}

/// Tells ext4 to put each directory in this one into a part of the disk of its own (the attribute `T` of chattr(1)). Otherwise
/// making files right after many were removed, which is what sandboxes do, searches long for a free place.
pub fn spread(root: &Path) {
    use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};
    let Ok(directory) = fs::File::open(root) else { return };
    // Other filesystems do not know it, and need it as little.
    if let Ok(flags) = ioctl_getflags(&directory)
        && !flags.contains(IFlags::TOPDIR)
    {
        let _ = ioctl_setflags(&directory, flags | IFlags::TOPDIR);
    }
}

impl Places {
    /// The places of `provider` below the library's home, which is made with mode 0700 when it is missing.
    ///
    /// # Errors
    /// When the directory cannot be made, or belongs to somebody else, who could then reach into every sandbox.
    pub(crate) fn open(home: &Path, provider: &str) -> Result<Self> {
        let root = std::path::absolute(home).unwrap_or_else(|_| home.to_owned()).join(provider);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&root);
        let context =
            || format!("cannot use {} for sandboxes, set ISOBOX_HOME to a directory of your own", root.display());
        made.map_err(|error| Error::io(context(), error))?;
        let owner = fs::metadata(&root).map_err(|error| Error::io(context(), error))?.uid();
        let own = rustix::process::geteuid().as_raw();
        if owner != own {
            let reason = format!(
                "{} belongs to user {owner} and this is user {own}, set ISOBOX_HOME to a directory of your own",
                root.display()
            );
            return Err(Error::invalid_spec("home", reason));
        }
        spread(&root);
        Ok(Self { root })
    }

    /// The directory of one sandbox.
    pub(crate) fn of(&self, id: &SandboxId) -> PathBuf {
        self.root.join(id.as_str())
    }

    /// What can be told of every sandbox that has a directory, without disturbing it.
    pub(crate) async fn list(&self, kind: &ProviderKind) -> Vec<Status> {
        let mut listed = Vec::new();
        for id in self.all() {
            let state_dir = self.of(&id);
            let about = About::read(&state_dir);
            let state = match state_in(&state_dir).await {
                State::Running if about.is_paused() => State::Paused,
                state => state,
            };
            let mut status = Status::new(crate::sandbox::external(&id), kind.clone(), state);
            status.id = Some(id);
            status.created_at = Some(id.created_at());
            (status.name, status.labels) = (about.name, about.labels);
            listed.push(status);
        }
        listed
    }

    /// Every sandbox of which something is there although it neither runs nor is stopped: its directory, or the number of a
    /// disk that it was about to have. One that is just being made may look so too.
    pub(crate) async fn leavings(&self) -> Vec<SandboxId> {
        let mut left = Vec::new();
        for id in self.all() {
            let state_dir = self.of(&id);
            // What answers is alive, also when it belongs to a process that cannot be seen from here.
            let silent = crate::life::dial(&state_dir)
                .await
                .is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused));
            if silent && !Stopped::is_in(&state_dir) {
                left.push(id);
            }
        }
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        left.extend(entries.filter_map(|entry| crate::reserved::sandbox(&entry.path())));
        left.sort();
        left.dedup();
        left
    }

    fn all(&self) -> Vec<SandboxId> {
        let Ok(entries) = fs::read_dir(&self.root) else { return Vec::new() };
        let mut all: Vec<SandboxId> =
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        all.sort();
        all
    }
}
