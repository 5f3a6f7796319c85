//! The disk of a sandbox of this machine, where it has a limit.
//!
//! ```text
//! made, before there is a sandbox ──launch──> with the sandbox ──its end──> gone
//!    └──dropped──> gone
//! ```
//!
//! An image has no name before its sandbox has a directory to put it into, and a project gives its number back unless the
//! sandbox takes it over. So whatever is dropped or killed on the way leaves no file behind.

use crate::reserved;
use isobox_contract::{DiskBacking, Error, ErrorCode, Result};
use isobox_disk::{Image, Project};
use isobox_wire::launch::{self, DISK_NAME};
use rustix::fs::{CWD, Mode, OFlags, openat};
use serde::{Deserialize, Serialize};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// How the disk of a sandbox is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// The limit that the sandbox was made with.
    bytes: u64,
    backing: Backing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Backing {
    Memory,
    Image,
    Project(Project),
}

/// A disk for a sandbox that is not there yet.
#[derive(Debug)]
pub struct MadeDisk {
    disk: Disk,
    /// The mount of an image, for the launcher.
    pub(crate) mount: Option<OwnedFd>,
    /// An image without a name.
    image: Option<Image>,
    claim: Option<Claim>,
}

/// Gives a project's number back when it ends, unless it is kept.
#[derive(Debug)]
struct Claim {
    project: Project,
    /// The directory of the sandbox.
    state_dir: PathBuf,
    kept: bool,
}

impl MadeDisk {
    /// Makes one of so many bytes for the sandbox with this directory, which is not there yet, and whose root is this user and
    /// group.
    ///
    /// # Errors
    /// `invalid_spec` with the field for what this machine cannot do, `out_of_disk`.
    pub async fn make(backing: DiskBacking, bytes: u64, state_dir: &Path, owner: (u32, u32)) -> Result<Self> {
        let places = state_dir.parent().unwrap_or(state_dir).to_owned();
        let (seed, state_dir) = (state_dir.file_name().map_or(0, seed), state_dir.to_owned());
        blocking(move || {
            let made = |backing| Self { disk: Disk { bytes, backing }, mount: None, image: None, claim: None };
            Ok(match backing {
                DiskBacking::Loop => {
                    let (image, mount) = Image::make(&places, bytes, owner).map_err(explain)?;
                    Self { mount: Some(mount), image: Some(image), ..made(Backing::Image) }
                }
                DiskBacking::Quota => {
                    let remember = |project| reserved::reserve(&state_dir, project);
                    let project = Project::take(&places, seed, bytes, remember).map_err(|error| {
                        reserved::forget(&state_dir);
                        explain(error)
                    })?;
                    let claim = Some(Claim { project, state_dir, kept: false });
                    Self { claim, ..made(Backing::Project(project)) }
                }
                _ => made(Backing::Memory),
            })
        })
        .await
    }

    /// For a sandbox that was stopped and has this one.
    pub(crate) async fn again(disk: Disk, state_dir: &Path) -> Result<Self> {
        let image = state_dir.join(DISK_NAME);
        let mount = match disk.backing {
            Backing::Image => Some(blocking(move || Image::open(&image).map_err(explain)).await?),
            Backing::Memory | Backing::Project(_) => None,
        };
        Ok(Self { disk, mount, image: None, claim: None })
    }

    /// What the launcher is told.
    pub fn for_launch(&self) -> launch::Disk {
        match self.disk.backing {
            Backing::Memory => launch::Disk::Memory(self.disk.bytes),
            Backing::Image => launch::Disk::Sent,
            Backing::Project(project) => launch::Disk::Project(project.number()),
        }
    }

    /// The sandbox is there, and has it from now on.
    pub(crate) fn hand_over(self, state_dir: &Path) -> Result<Disk> {
        if let Some(image) = &self.image {
            image.link(&state_dir.join(DISK_NAME)).map_err(explain)?;
        }
        if let Some(mut claim) = self.claim {
            claim.kept = true;
        }
        Ok(self.disk)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.kept
            && let Some(places) = self.state_dir.parent()
        {
            // A limit of nothing is in nobody's way.
            let _ = self.project.end(places);
        }
        reserved::forget(&self.state_dir);
    }
}

impl Disk {
    /// Whether what is on it is lost when the sandbox stops.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.backing == Backing::Memory
    }

    /// The limit in force: another process may have changed it.
    pub(crate) fn limit(&self, state_dir: &Path) -> u64 {
        match self.backing {
            Backing::Project(project) => project.limit(state_dir).unwrap_or(self.bytes),
            Backing::Memory | Backing::Image => self.bytes,
        }
    }

    /// The bytes in use, by the kernel's account; nothing where only the sandbox can tell.
    pub(crate) fn usage(&self, state_dir: &Path) -> Option<u64> {
        match self.backing {
            Backing::Project(project) => project.usage(state_dir).ok(),
            Backing::Memory | Backing::Image => None,
        }
    }

    /// Changes the limit of a sandbox while it is there.
    pub(crate) fn resize(&self, state_dir: &Path, bytes: u64) -> Result<()> {
        match self.backing {
            Backing::Project(project) => project.resize(state_dir, bytes).map_err(explain),
            Backing::Memory | Backing::Image => Err(fixed()),
        }
    }

    /// Takes away what is left of it besides the sandbox's directory.
    pub(crate) fn end(&self, state_dir: &Path) {
        if let (Backing::Project(project), Some(places)) = (self.backing, state_dir.parent()) {
            // As with the keeper, which may have done it already.
            let _ = project.end(places);
        }
    }
}

/// That a limit cannot change.
pub(crate) fn fixed() -> Error {
    let reason =
        "cannot be changed while the sandbox is there unless a quota of the filesystem enforces it, make a new one";
    Error::invalid_spec("resources.disk", reason)
}

/// The directory with the layers that a sandbox writes to, whether it runs or not. Nobody else may stop, start or open it
/// meanwhile.
///
/// # Errors
/// When it cannot be opened.
pub fn layers(state_dir: &Path) -> Result<OwnedFd> {
    let disk = state_dir.join(DISK_NAME);
    let directory = match disk.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => return Image::open(&disk).map_err(explain),
        Ok(_) => disk.as_path(),
        Err(_) => state_dir,
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = openat(CWD, directory, flags, Mode::empty());
    opened.map_err(|errno| Error::io("cannot open the sandbox's directory", errno.into()))
}

/// Different for different sandboxes, so that they do not try the same numbers.
fn seed(name: &std::ffi::OsStr) -> u64 {
    // FNV-1a.
    name.as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn explain(error: isobox_disk::Error) -> Error {
    use isobox_disk::Error as E;
    match error {
        E::Obstacle(_) | E::TooSmall | E::InUse => Error::invalid_spec("resources.disk", error.to_string()),
        E::System { ref source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            Error::new(ErrorCode::OutOfDisk, format!("{error}; free some space or set ISOBOX_HOME to another disk"))
        }
        _ => Error::new(ErrorCode::EngineUnavailable, format!("the sandbox's disk: {error}")).with_source(error),
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Error::internal("the runtime is ending")))
}
