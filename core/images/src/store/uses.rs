//! Who needs an image.
//!
//! A use is a file that names the image and a path. It counts while whoever began it holds the file's lock, and then for
//! as long as the path exists: so it ends with the sandbox's directory, however the sandbox and its owner ended, and
//! nobody has to remember to end it.

use super::files::list;
use super::{Image, Store, files};
use crate::digest::Digest;
use crate::problem::{Outcome, Problem};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How often a new use looks for ended ones, so that they do not pile up, and at how many.
const SWEEP_EVERY: u64 = 8;
const SWEEP: usize = 32;

static BEGUN: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Serialize, Deserialize)]
struct Use {
    image: Option<Digest>,
    layers: Vec<Digest>,
    path: Vec<u8>,
}

/// A use that has begun. Once it is dropped the use goes on for as long as its path exists.
#[derive(Debug)]
#[must_use = "the path must exist before it is dropped"]
pub struct Hold {
    _file: File,
}

/// A use that counts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Active {
    pub(super) holder: String,
    pub(super) image: Option<Digest>,
    pub(super) layers: Vec<Digest>,
}

impl Store {
    /// Begins a use of an image by `holder`, a name that is unique among all, for as long as `path` exists. `None` when
    /// the image is not there any more.
    pub(crate) fn hold(&self, holder: &str, path: &Path, image: &Image) -> Outcome<Option<Hold>> {
        self.begin(holder, path, Some(&image.id), &image.stack).inspect(|hold| {
            if hold.is_some() {
                self.touch_image(&image.id);
            }
        })
    }

    /// The same for layers that belong to something else than an image that is listed, such as a snapshot.
    pub(crate) fn hold_layers(&self, holder: &str, path: &Path, layers: &[Digest]) -> Outcome<Option<Hold>> {
        self.begin(holder, path, None, layers)
    }

    fn begin(&self, holder: &str, path: &Path, image: Option<&Digest>, layers: &[Digest]) -> Outcome<Option<Hold>> {
        let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        assert!(!holder.is_empty() && holder.bytes().all(fine), "a holder is the name of a file");
        let used = Use { image: image.cloned(), layers: layers.to_vec(), path: path.as_os_str().as_bytes().to_vec() };
        self.sweep()?;
        let _share = self.share()?;
        let failed = |error| Problem::io("begin the use of an image", error);
        let place = self.use_path(holder);
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&place).map_err(failed)?;
        flock(&file, FlockOperation::LockExclusive).map_err(|errno| failed(errno.into()))?;
        let bytes = serde_json::to_vec(&used).expect("plain data always serializes");
        file.write_all(&bytes).map_err(failed)?;
        let mut there = image.is_none_or(|id| self.is_image(id));
        for diff_id in layers {
            there = there && self.layer(diff_id).is_dir();
        }
        if there {
            return Ok(Some(Hold { _file: file }));
        }
        files::remove(&place)?;
        Ok(None)
    }

    fn use_path(&self, holder: &str) -> PathBuf {
        self.folder("uses").join(format!("{holder}.json"))
    }

    /// Every use that counts. Clears the others away when nobody can begin one, which `exclusive` says.
    pub(super) fn uses(&self, exclusive: bool) -> Outcome<Vec<Active>> {
        let mut active = Vec::new();
        for path in list(&self.folder("uses"))? {
            match look(&path)? {
                Some(used) => active.push(used),
                None if exclusive => files::remove(&path)?,
                None => {}
            }
        }
        Ok(active)
    }

    /// Clears some ended uses away, now and then, each time others.
    fn sweep(&self) -> Outcome {
        let turn = BEGUN.fetch_add(1, Ordering::Relaxed);
        if !turn.is_multiple_of(SWEEP_EVERY) {
            return Ok(());
        }
        let all = list(&self.folder("uses"))?;
        let ended = |path: &PathBuf| look(path).is_ok_and(|used| used.is_none());
        let first = (turn / SWEEP_EVERY) as usize * SWEEP % all.len().max(1);
        let candidates: Vec<_> =
            all.iter().cycle().skip(first).take(SWEEP.min(all.len())).filter(|path| ended(path)).collect();
        if candidates.is_empty() {
            return Ok(());
        }
        let _exclude = self.exclude()?;
        candidates.into_iter().filter(|path| ended(path)).try_for_each(|path| files::remove(path))
    }
}

/// The use in a file, if it counts.
fn look(path: &Path) -> Outcome<Option<Active>> {
    let Ok(mut file) = File::open(path) else { return Ok(None) };
    let held = flock(&file, FlockOperation::NonBlockingLockShared).is_err();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| Problem::io("read the use of an image", error))?;
    let holder = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match serde_json::from_slice::<Use>(&bytes) {
        Ok(used) => {
            let path = Path::new(std::ffi::OsStr::from_bytes(&used.path));
            // What cannot be looked at may be there.
            let exists = path.try_exists().unwrap_or(true);
            Ok((held || exists).then_some(Active { holder, image: used.image, layers: used.layers }))
        }
        // Its beginning was cut short, and so was that of the path.
        Err(_) => Ok(None),
    }
}
