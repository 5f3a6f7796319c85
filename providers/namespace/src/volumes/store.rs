//! Where volumes are kept.
//!
//! ```text
//! <home>/volumes/
//!    lock               shared: while a sandbox with volumes is made; exclusive: to take a volume away from under its name
//!    vol_.../           volume.json, written last: the volume is there; contents/, what sandboxes see
//!    vol_....gone/      being removed
//! ```
//!
//! What is in `contents` is hostile: nothing here goes into it but by its own name, and no link is followed.

use crate::snapshots::{blocking, volumes_of};
use isobox_contract::{
    Error, ErrorCode, ExternalId, Labels, ProviderKind, Resource, Result, SandboxSpec, Timestamp, VolumeId, VolumeSpec,
    VolumeState, VolumeStatus,
};
use isobox_disk::Project;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, ResolveFlags, flock, openat, openat2};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const CONTENTS: &str = "contents";
const ABOUT: &str = "volume.json";
const GONE: &str = ".gone";
/// Every user of a sandbox may make files in a new volume, and remove their own, as in a filesystem in memory.
const MODE: u32 = 0o1777;

/// The volumes below a home.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
    sandboxes: PathBuf,
}

/// What is known about a volume.
#[derive(Serialize, Deserialize)]
struct About {
    name: String,
    labels: Labels,
    /// The limit of its quota.
    #[serde(default)]
    size: Option<u64>,
    created_at: Timestamp,
}

/// A lock on the volumes, until it is dropped.
pub(crate) struct Held(#[expect(dead_code, reason = "the lock is the open file's")] OwnedFd);

impl Store {
    pub(crate) fn new(home: &Path) -> Self {
        let home = std::path::absolute(home).unwrap_or_else(|_| home.to_owned());
        Self { root: home.join("volumes"), sandboxes: home.join(ProviderKind::NAMESPACE.as_str()) }
    }

    /// Keeps the volumes of a spec where they are until its sandbox is there, which needs them from then on.
    pub(crate) async fn hold(&self, spec: &SandboxSpec) -> Result<Option<Held>> {
        if spec.volumes.is_empty() {
            return Ok(None);
        }
        let store = self.clone();
        blocking(move || store.lock(FlockOperation::LockShared)).await.map(Some)
    }

    fn lock(&self, operation: FlockOperation) -> Result<Held> {
        self.make_root()?;
        let file = fs::OpenOptions::new().create(true).append(true).mode(0o600).open(self.root.join("lock"));
        let file = file.map_err(|error| self.unusable(error))?;
        flock(&file, operation).map_err(|errno| self.unusable(errno.into()))?;
        Ok(Held(file.into()))
    }

    fn make_root(&self) -> Result<()> {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.root);
        made.map_err(|error| self.unusable(error))
    }

    fn unusable(&self, error: std::io::Error) -> Error {
        Error::io(format!("cannot use {} for volumes", self.root.display()), error)
    }

    /// Makes a volume. Nothing here waits, so nothing is left half made when nobody waits for it.
    pub(super) fn make(&self, id: &VolumeId, spec: &VolumeSpec) -> Result<VolumeStatus> {
        self.make_root()?;
        let (place, about) = (self.root.join(id.as_str()), About::of(spec));
        match fs::DirBuilder::new().mode(0o700).create(&place) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(Error::already_exists(Resource::Volume, id));
            }
            made => made.map_err(|error| self.unusable(error))?,
        }
        let contents = place.join(CONTENTS);
        let filled = || {
            fs::create_dir(&contents)?;
            // Whatever the umask is.
            fs::set_permissions(&contents, fs::Permissions::from_mode(MODE))
        };
        let written = || {
            let new = place.join("new");
            fs::write(&new, serde_json::to_vec(&about)?)?;
            fs::rename(new, place.join(ABOUT))
        };
        let unusable = |error| self.unusable(error);
        let made = filled().map_err(unusable).and_then(|()| self.limit(id, &contents, spec.size));
        if let Err(error) = made.and_then(|()| written().map_err(unusable)) {
            self.discard(&place)?;
            return Err(error);
        }
        Ok(about.status(*id, VolumeState::Ready))
    }

    /// Puts what is in a volume into a project with a quota.
    fn limit(&self, id: &VolumeId, contents: &Path, size: Option<u64>) -> Result<()> {
        let Some(bytes) = size else { return Ok(()) };
        let seed = id.uuid().as_u128() as u64;
        // The directory has the number before there is a limit, so that whoever removes it finds that.
        let taken = Project::take(&self.root, seed, bytes, |project| project.assign(contents));
        taken.map(drop).map_err(|error| Error::new(ErrorCode::EngineUnavailable, format!("the volume's size: {error}")))
    }

    /// Removes a directory of a volume, and its limit.
    fn discard(&self, place: &Path) -> Result<()> {
        if let Some(project) = Project::of(&place.join(CONTENTS))
            && let Err(error) = project.end(&self.root)
        {
            let message = format!("the limit of the volume is left over: {error}");
            return Err(Error::new(ErrorCode::Incomplete, message));
        }
        isobox_local::remove_directory(place, "the volume's directory")
    }

    /// The directory that sandboxes see of a volume.
    ///
    /// # Errors
    /// `not_found` when it is not there, or not whole.
    pub(crate) fn contents(&self, id: &ExternalId) -> Result<PathBuf> {
        // Anything else would be a path.
        let known: Option<VolumeId> = id.as_str().parse().ok();
        let place = known.map(|id| self.root.join(id.as_str()));
        let there = place.filter(|place| place.join(ABOUT).is_file());
        there.map(|place| place.join(CONTENTS)).ok_or_else(|| Error::not_found(Resource::Volume, id))
    }

    /// Every volume, the oldest first, also what is left of one whose making or removal broke off.
    pub(super) fn all(&self) -> Vec<VolumeStatus> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut all: Vec<_> = entries.filter_map(|entry| self.status(entry.file_name().to_str()?)).collect();
        all.sort_by(|one, other| one.external.cmp(&other.external));
        all
    }

    fn status(&self, name: &str) -> Option<VolumeStatus> {
        let unknown = |id: VolumeId, state| About { created_at: id.created_at(), ..About::default() }.status(id, state);
        if let Some(name) = name.strip_suffix(GONE) {
            return Some(unknown(name.parse().ok()?, VolumeState::Deleting));
        }
        let id: VolumeId = name.parse().ok()?;
        let about: Option<About> =
            fs::read(self.root.join(name).join(ABOUT)).ok().and_then(|text| serde_json::from_slice(&text).ok());
        Some(about.map_or_else(|| unknown(id, VolumeState::Creating), |about| about.status(id, VolumeState::Ready)))
    }

    /// Removes a volume with its contents, and what is left of one.
    ///
    /// # Errors
    /// `conflict` while a sandbox has it; `incomplete` when something cannot be removed.
    pub(super) fn remove(&self, id: &ExternalId) -> Result<()> {
        let Ok(known) = id.as_str().parse::<VolumeId>() else { return Ok(()) };
        let (place, gone) = (self.root.join(known.as_str()), self.root.join(format!("{known}{GONE}")));
        if place.symlink_metadata().is_ok() {
            let _lock = self.lock(FlockOperation::LockExclusive)?;
            self.check_unused(id)?;
            match fs::rename(&place, &gone) {
                // Somebody else was quicker.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                moved => moved.map_err(|error| Error::io(format!("cannot remove volume {id}"), error))?,
            }
        }
        self.discard(&gone)
    }

    fn check_unused(&self, id: &ExternalId) -> Result<()> {
        let entries = fs::read_dir(&self.sandboxes).into_iter().flatten().flatten();
        let user = entries.into_iter().find(|entry| volumes_of(&entry.path()).contains(id));
        let Some(user) = user else { return Ok(()) };
        let user = user.file_name();
        let message = format!("volume {id} is used by {}, delete that first", user.to_string_lossy());
        Err(Error::new(ErrorCode::Conflict, message).retryable(false))
    }
}

impl Default for About {
    fn default() -> Self {
        Self { name: String::new(), labels: Labels::new(), size: None, created_at: Timestamp::from_unix(0, 0) }
    }
}

impl About {
    fn of(spec: &VolumeSpec) -> Self {
        let (name, labels, size) = (spec.name.clone(), spec.labels.clone(), spec.size);
        Self { name, labels, size, created_at: Timestamp::now() }
    }

    fn status(self, id: VolumeId, state: VolumeState) -> VolumeStatus {
        VolumeStatus {
            id: Some(id),
            external: id.into(),
            name: Some(self.name).filter(|name| !name.is_empty()),
            state,
            size: self.size,
            error: None,
            labels: self.labels,
            created_at: Some(self.created_at),
        }
    }
}

/// Why a part of a volume cannot be mounted, as far as this user can tell. The launcher looks again, without a race.
pub(crate) fn problem(contents: &Path, part: &[u8]) -> Option<&'static str> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let whole = openat(CWD, contents, flags | OFlags::DIRECTORY, Mode::empty()).ok()?;
    let found = openat2(whole, if part.is_empty() { b"." } else { part }, flags, Mode::empty(), beneath());
    match found.map(drop) {
        Err(Errno::NOENT | Errno::NOTDIR) => Some("is not in the volume, make it there first"),
        Err(Errno::LOOP | Errno::XDEV) => Some("leads through a link, name the place itself"),
        _ => None,
    }
}

/// Within a directory, through no link.
pub(super) fn beneath() -> ResolveFlags {
    ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS
}
