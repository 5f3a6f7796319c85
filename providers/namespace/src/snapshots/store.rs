//! Where snapshots are kept.
//!
//! ```text
//! <home>/snapshots/
//!    lock               shared: to begin to use a layer; exclusive: to add or remove a snapshot, and to clear up
//!    snp_....json       a snapshot: written whole, under its name at once
//!    layers/<name>/     upper/, etc/ of a sandbox on the machine's own programs, and image.json: the config of the image
//!                       below, if there is one; locked while it is exported
//!    layers/<name>.new  being made, and locked meanwhile
//! ```
//!
//! A layer is there for as long as a snapshot names it or a sandbox stands on it. What nobody names, such as what a killed
//! process has left, is cleared by whoever comes next.

use super::origin::{self, Origin, Root};
use crate::images::Library;
use isobox_contract::{
    Error, ErrorCode, Labels, ProviderKind, Report, Result, SandboxId, SandboxPath, SandboxSpec, SnapshotId,
    SnapshotState, SnapshotStatus, Source, Timestamp,
};
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, flock, openat};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const NEW: &str = ".new";
/// The config of the image below a layer, in the layer's directory: what stands on the layer may outlive the image.
pub(super) const IMAGE: &str = "image.json";
/// Says of a layer that there is nothing in it: it is here for the config of an image that was imported.
pub(super) const IMPORTED: &str = "imported";

/// The snapshots below a home.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
    sandboxes: PathBuf,
    /// The images, whose layers snapshots stand on.
    pub(super) library: Arc<Library>,
}

/// A snapshot.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) id: SnapshotId,
    pub(crate) name: Option<String>,
    pub(crate) labels: Labels,
    pub(crate) created_at: Timestamp,
    /// Bytes of the files in its own layer.
    pub(crate) size: u64,
    pub(crate) root: Root,
    /// What the image says that the sandbox was made from: variables, the user, the working directory.
    pub(crate) defaults: Option<Defaults>,
}

/// What an image says about commands.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Defaults {
    env: BTreeMap<String, String>,
    user: Option<String>,
    workdir: Option<SandboxPath>,
}

impl Defaults {
    /// Those that a spec says.
    pub(super) fn of(spec: &SandboxSpec) -> Self {
        Self { env: spec.env.clone(), user: spec.user.clone(), workdir: spec.workdir.clone() }
    }
}

impl Manifest {
    /// The defaults for a sandbox made from the original of an image, as that was made.
    pub(crate) fn defaults_of(spec: &SandboxSpec) -> Option<Defaults> {
        let image = matches!(spec.source, Source::Image(_) | Source::Archive { .. });
        image.then(|| Defaults::of(spec))
    }

    /// A spec with the defaults under it.
    pub(crate) fn under(&self, spec: &SandboxSpec) -> SandboxSpec {
        let mut spec = spec.clone();
        if let Some(Defaults { env, user, workdir }) = self.defaults.clone() {
            for (name, value) in env {
                spec.env.entry(name).or_insert(value);
            }
            spec.user = spec.user.or(user);
            spec.workdir = spec.workdir.or(workdir);
        }
        spec
    }

    pub(crate) fn status(&self) -> SnapshotStatus {
        SnapshotStatus {
            id: Some(self.id),
            external: self.id.as_str().parse().expect("an id is a valid external id"),
            name: self.name.clone(),
            state: if self.root.missing().is_some() { SnapshotState::Error } else { SnapshotState::Active },
            kind: Some(isobox_contract::SandboxKind::Container),
            regions: Vec::new(),
            resources: None,
            error: self.root.missing().map(|path| Report::from(&gone(&path))),
            size: Some(self.size),
            labels: self.labels.clone(),
            created_at: Some(self.created_at),
        }
    }
}

/// What a snapshot stands on is not there any more.
pub(crate) fn gone(path: &Path) -> Error {
    let message =
        format!("{}, which the snapshot stands on, is gone; bring it back or delete the snapshot", path.display());
    Error::new(ErrorCode::NotFound, message)
}

/// A lock on the store, until it is dropped.
pub(crate) struct Lock(#[expect(dead_code, reason = "the lock is the open file's")] OwnedFd);

impl Store {
    pub(crate) fn new(home: &Path, library: Arc<Library>) -> Self {
        let home = std::path::absolute(home).unwrap_or_else(|_| home.to_owned());
        let sandboxes = home.join(ProviderKind::NAMESPACE.as_str());
        Self { root: home.join("snapshots"), sandboxes, library }
    }

    /// The directory of the layers.
    pub(crate) fn layers(&self) -> PathBuf {
        self.root.join("layers")
    }

    /// The directory of a sandbox.
    pub(crate) fn sandbox(&self, id: &SandboxId) -> PathBuf {
        self.sandboxes.join(id.as_str())
    }

    pub(super) fn manifest(&self, id: &str) -> PathBuf {
        self.root.join(format!("{id}.json"))
    }

    pub(crate) fn shared(&self) -> Result<Lock> {
        self.lock(FlockOperation::LockShared).map(|lock| lock.expect("it is waited for"))
    }

    fn exclusive(&self) -> Result<Lock> {
        self.lock(FlockOperation::LockExclusive).map(|lock| lock.expect("it is waited for"))
    }

    fn lock(&self, operation: FlockOperation) -> Result<Option<Lock>> {
        let failed = |error| Error::io(format!("cannot use {} for snapshots", self.root.display()), error);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(self.layers()).map_err(failed)?;
        let path = self.root.join("lock");
        if !path.exists() {
            isobox_local::spread(&self.layers());
        }
        let file = fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(failed)?;
        match flock(&file, operation) {
            Ok(()) => Ok(Some(Lock(file.into()))),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(errno) => Err(failed(errno.into())),
        }
    }

    /// Begins a layer.
    pub(crate) fn begin(&self) -> Result<NewLayer> {
        let name = SnapshotId::generate().as_str().to_owned();
        let path = self.layers().join(format!("{name}{NEW}"));
        let failed = |error| Error::io("cannot make the directory of a snapshot", error);
        // Under the lock, so that nobody clears it away before it is locked itself.
        let _lock = self.shared()?;
        fs::DirBuilder::new().mode(0o700).create(&path).map_err(failed)?;
        let directory =
            open(&path).and_then(|directory| flock(&directory, FlockOperation::LockExclusive).map(|()| directory));
        Ok(NewLayer { name, path, directory: directory.map_err(|errno| failed(errno.into()))?, kept: false })
    }

    /// Keeps a layer that snapshots stand on, until what this gives is dropped. The caller has the store's lock.
    pub(super) fn hold(&self, name: &str) -> Result<OwnedFd> {
        let held = open(&self.layers().join(name))
            .and_then(|directory| flock(&directory, FlockOperation::LockShared).map(|()| directory));
        held.map_err(|errno| Error::io("cannot use the layer of a snapshot", errno.into()))
    }

    /// Writes the config of the image below into a new layer of a sandbox.
    pub(super) fn keep_config(&self, origin: &Origin, layer: &NewLayer) -> Result<()> {
        let config = match (origin.root.own.first(), &origin.image) {
            (Some(top), _) => self.config(top)?,
            (None, Some(image)) => self.library.config(image)?,
            (None, None) => None,
        };
        let Some(config) = config else { return Ok(()) };
        fs::write(layer.path.join(IMAGE), config)
            .map_err(|error| Error::io("cannot write down the image of the snapshot", error))
    }

    /// The config of the image below a layer.
    pub(super) fn config(&self, layer: &str) -> Result<Option<Vec<u8>>> {
        match fs::read(self.layers().join(layer).join(IMAGE)) {
            Ok(config) => Ok(Some(config)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("cannot read the image of the snapshot", error)),
        }
    }

    /// Every snapshot, the oldest first.
    pub(crate) fn all(&self) -> Vec<Manifest> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
            .filter(|name| name.parse::<SnapshotId>().is_ok())
            .collect();
        names.sort();
        names.iter().filter_map(|name| self.get(name)).collect()
    }

    pub(crate) fn get(&self, id: &str) -> Option<Manifest> {
        let id: SnapshotId = id.parse().ok()?;
        serde_json::from_slice(&fs::read(self.manifest(id.as_str())).ok()?).ok()
    }

    /// Adds a snapshot with its new layer, unless nobody waits for it any more.
    ///
    /// # Errors
    /// `already_exists` for a name that another one has, `cancelled`.
    pub(crate) fn add(&self, manifest: &Manifest, layer: NewLayer, cancelled: &AtomicBool) -> Result<()> {
        let _lock = self.exclusive()?;
        // Whoever gave it up removes it after this under the same lock, or before.
        if cancelled.load(Ordering::Acquire) {
            return Err(Error::cancelled("snapshot"));
        }
        if let Some(name) = &manifest.name
            && self.all().iter().any(|other| other.name.as_ref() == Some(name))
        {
            return Err(Error::already_exists(isobox_contract::Resource::Snapshot, name));
        }
        layer.keep()?;
        isobox_fault::point!("snapshot.layer_kept");
        let written = || {
            let new = self.root.join(format!("{}{NEW}", manifest.id));
            fs::write(&new, serde_json::to_vec(manifest)?)?;
            fs::rename(new, self.manifest(manifest.id.as_str()))
        };
        written().map_err(|error| Error::io("cannot write the snapshot down", error))
    }

    /// Removes a snapshot, and the layers that nobody needs without it.
    ///
    /// # Errors
    /// `conflict` while a sandbox is made from it.
    pub(crate) fn remove(&self, id: &str) -> Result<()> {
        let lock = self.exclusive()?;
        let Some(manifest) = self.get(id) else { return Ok(()) };
        let user = self.uses().into_iter().find(|(_, _, snapshot)| snapshot.as_deref() == Some(id));
        if let Some((sandbox, ..)) = user {
            let message = format!("snapshot {id} is used by sandbox {sandbox}, delete that first");
            return Err(Error::new(ErrorCode::Conflict, message));
        }
        fs::remove_file(self.manifest(manifest.id.as_str()))
            .map_err(|error| Error::io("cannot remove the snapshot", error))?;
        self.clear(&lock);
        Ok(())
    }

    /// Clears away what nobody needs, unless somebody is busy here, who will do it.
    pub(crate) fn tidy(&self) {
        if self.root.is_dir()
            && let Ok(Some(lock)) = self.lock(FlockOperation::NonBlockingLockExclusive)
        {
            self.clear(&lock);
        }
    }

    fn clear(&self, _lock: &Lock) {
        let mut needed: HashSet<String> = self.all().into_iter().flat_map(|manifest| manifest.root.own).collect();
        needed.extend(self.uses().into_iter().flat_map(|(_, layers, _)| layers));
        for entry in fs::read_dir(self.layers()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let removable = match name.ends_with(NEW) {
                true => true,
                false => !needed.contains(&name),
            };
            // Nobody makes it or exports it.
            let removable = removable
                && open(&entry.path())
                    .is_ok_and(|directory| flock(directory, FlockOperation::NonBlockingLockExclusive).is_ok());
            if removable {
                // What cannot go now goes the next time.
                let _ = remove(&self.layers(), name.as_bytes());
            }
        }
    }

    /// Every sandbox that is there, the layers of the store that it stands on, and its snapshot.
    fn uses(&self) -> Vec<(String, Vec<String>, Option<String>)> {
        let entries = fs::read_dir(&self.sandboxes).into_iter().flatten().flatten();
        let used = entries.filter_map(|entry| {
            let (layers, snapshot) = origin::uses(&entry.path())?;
            Some((entry.file_name().to_string_lossy().into_owned(), layers, snapshot))
        });
        used.collect()
    }
}

/// A layer that is being made. It goes when it is dropped before it is kept.
pub(crate) struct NewLayer {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    directory: OwnedFd,
    kept: bool,
}

impl NewLayer {
    /// Gives it its name. The caller has the store's lock, and keeps it until somebody needs the layer.
    pub(crate) fn keep(mut self) -> Result<()> {
        let named = fs::rename(&self.path, self.path.with_file_name(&self.name));
        named.map_err(|error| Error::io("cannot keep the snapshot's layer", error))?;
        self.kept = true;
        Ok(())
    }

    pub(crate) fn directory(&self) -> &OwnedFd {
        &self.directory
    }
}

impl Drop for NewLayer {
    fn drop(&mut self) {
        if let (false, Some(parent), Some(name)) = (self.kept, self.path.parent(), self.path.file_name()) {
            let _ = remove(parent, std::os::unix::ffi::OsStrExt::as_bytes(name));
        }
    }
}

fn open(path: &Path) -> rustix::io::Result<OwnedFd> {
    openat(CWD, path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

fn remove(parent: &Path, name: &[u8]) -> std::result::Result<(), isobox_tree::Error> {
    let parent = open(parent).map_err(|errno| isobox_tree::Error::Io {
        path: Vec::new(),
        action: "open",
        source: errno.into(),
    })?;
    isobox_tree::remove(std::os::fd::AsFd::as_fd(&parent), name)
}
