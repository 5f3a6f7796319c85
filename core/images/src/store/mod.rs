//! What is on disk.
//!
//! ```text
//! <home>/images/<owners>/          stores that never mix: `kept`, `caller`, and `range-...` for each range of ids
//!   layers/<diff id>/              a layer, ready to be mounted; `.part-<diff id>` while it is unpacked
//!   facts/<diff id>.json           its size, and whether it is on disk for certain
//!   images/<id>.json               an image: its layers and how it wants to be run
//!   configs/<id>.json              its config, as it came
//!   references/<hash>.json         a name, and the image that it stands for
//!   archives/<hash>.json           what an archive on this machine holds
//!   uses/<holder>.json             who needs which image for as long as which path exists
//!   blobs/<digest>                 what is being fetched
//!   trash/                         what is being removed
//!   locks/                         see `lock`
//! ```
//!
//! Promises:
//! - A name of a layer or record stands for the whole of it: things are made beside and renamed. A process that is killed
//!   leaves what nobody looks at, and the next one that makes the same thing, or prunes, clears it away.
//! - A layer is unpacked once, whoever asks for it at the same time, in this process or in others.
//! - What is in use, or about to be, is not removed.
//! - After a crash of the machine, layers that may not be on disk are not believed.

mod files;
mod layers;
mod lock;
mod prune;
mod records;
mod uses;

pub(crate) use records::{ArchiveContents, ArchivedImage};
pub use records::{Image, Named, Part};
pub use uses::Hold;

pub(crate) use layers::LayerSource;
pub(crate) use lock::Lock;

use crate::digest::Digest;
use crate::limits::Limits;
use crate::unpack::Owners;
use isobox_contract::{Error, Result};
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 10] =
    ["layers", "facts", "images", "configs", "references", "archives", "uses", "blobs", "trash", "locks"];

/// The images of one user of this machine. All its methods block.
#[derive(Debug)]
pub(crate) struct Store {
    root: PathBuf,
    owners: Owners,
    limits: Limits,
    /// Of the running system: what was written before it started may be incomplete.
    boot: String,
}

impl Store {
    /// The store below the library's home. Makes its directories, mode 0700, when they are missing.
    ///
    /// # Errors
    /// `io` when they cannot be made, `invalid_spec` when they belong to somebody else.
    pub(crate) fn open(home: &Path, owners: Owners, limits: Limits) -> Result<Self> {
        let kind = match &owners {
            Owners::Kept => "kept".to_owned(),
            Owners::Caller => "caller".to_owned(),
            Owners::Range(range) => format!("range-{}", range.name()),
        };
        let root = home.join("images").join(kind);
        let failed = |error: io::Error| Error::io(format!("cannot use {} for images", root.display()), error);
        for folder in FOLDERS {
            make(&root.join(folder)).map_err(failed)?;
        }
        let owner = fs::metadata(&root).map_err(failed)?.uid();
        let own = rustix::process::geteuid().as_raw();
        if owner != own {
            let reason = format!(
                "{} belongs to user {owner} and this is user {own}, set ISOBOX_HOME to a directory of your own",
                root.display()
            );
            return Err(Error::invalid_spec("home", reason));
        }
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned();
        Ok(Self { root, owners, limits, boot })
    }

    /// Whom the files of its layers belong to.
    pub(crate) fn owners(&self) -> &Owners {
        &self.owners
    }

    /// The directory of a layer, which is there while an image with it is held.
    pub(crate) fn layer(&self, diff_id: &Digest) -> PathBuf {
        self.folder("layers").join(diff_id.file_name())
    }

    /// The layer in a directory, when that is one of these.
    pub(crate) fn layer_in(&self, directory: &Path) -> Option<Digest> {
        let diff_id = Digest::from_file_name(directory.file_name()?.to_str()?)?;
        (self.layer(&diff_id) == directory).then_some(diff_id)
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Begins writing an image's layers to disk. Nobody waits for it: until it is done, they are believed as long as this
    /// system runs.
    pub(crate) fn sync_later(&self, image: &Image) {
        let store =
            Self { root: self.root.clone(), owners: self.owners.clone(), limits: self.limits, boot: self.boot.clone() };
        let layers = image.stack.clone();
        let begun = std::thread::Builder::new().name("isobox-image-sync".into()).spawn(move || {
            if let Err(problem) = store.sync(&layers) {
                tracing::debug!(%problem, "an image is not known to be on disk");
            }
        });
        if let Err(error) = begun {
            tracing::debug!(%error, "an image is not written to disk ahead of time");
        }
    }

    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }
}

/// Makes a directory for its owner alone, without what a directory above it would hand down.
fn make(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o700))
}
