//! Layers: each is unpacked once.

use super::files::{self, PART};
use super::{Lock, Store};
use crate::digest::Digest;
use crate::limits::Cancel;
use crate::problem::{Outcome, Problem};
use crate::unpack::{Giver, Owners, Unpacked, unpack};
use rustix::fd::AsFd;
use rustix::fs::{CWD, Mode, OFlags};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many layers are unpacked at a time. Each takes two threads.
const AT_A_TIME: usize = 4;

/// Where a layer comes from.
pub(crate) trait LayerSource: Send + Sync {
    /// The layer with this place in the image, from the bottom: its bytes, compressed or not.
    fn open(&self, index: usize) -> Outcome<Box<dyn Read + Send + '_>>;

    /// Says that a layer is there.
    fn done(&self, index: usize);
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Facts {
    #[serde(flatten)]
    pub(super) unpacked: Unpacked,
    /// When the system was started that wrote it.
    boot: String,
    /// Whether it is on disk whatever happens to the machine.
    synced: bool,
}

impl Store {
    /// Makes sure that all layers are there.
    pub(crate) fn ensure_layers(&self, diff_ids: &[Digest], source: &impl LayerSource, cancel: &Cancel) -> Outcome {
        let mut known = BTreeSet::new();
        let distinct: Vec<_> = diff_ids.iter().enumerate().filter(|(_, diff_id)| known.insert(*diff_id)).collect();
        let next = AtomicUsize::new(0);
        let failure = Mutex::new(None);
        let work = || {
            while let Some((index, diff_id)) = distinct.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Err(problem) = self.ensure_layer(diff_id, *index, source, cancel) {
                    failure.lock().expect("nobody panics with it").get_or_insert(problem);
                    // The others are not begun.
                    next.store(distinct.len(), Ordering::Relaxed);
                }
            }
        };
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(AT_A_TIME).min(distinct.len());
        std::thread::scope(|scope| {
            (1..workers).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        failure.into_inner().expect("nobody panics with it").map_or(Ok(()), Err)
    }

    fn ensure_layer(&self, diff_id: &Digest, index: usize, source: &impl LayerSource, cancel: &Cancel) -> Outcome {
        cancel.check()?;
        if self.facts(diff_id)?.is_none() {
            let lock = self.lock_one("layer", diff_id)?;
            cancel.check()?;
            // Somebody else may have done it meanwhile.
            if self.facts(diff_id)?.is_none() {
                self.unpack_layer(diff_id, source.open(index)?, cancel, &lock)?;
            }
        }
        source.done(index);
        Ok(())
    }

    /// What is known of a layer, if it is there and can be believed.
    pub(super) fn facts(&self, diff_id: &Digest) -> Outcome<Option<Facts>> {
        let facts: Option<Facts> = files::read_json(&self.facts_path(diff_id))?;
        let believed = facts.filter(|facts| facts.synced || (facts.boot == self.boot && !self.boot.is_empty()));
        Ok(believed.filter(|_| self.layer(diff_id).is_dir()))
    }

    pub(super) fn facts_path(&self, diff_id: &Digest) -> std::path::PathBuf {
        self.folder("facts").join(format!("{}.json", diff_id.file_name()))
    }

    /// Whether a layer is there and can be believed.
    pub(crate) fn is_layer(&self, diff_id: &Digest) -> Outcome<bool> {
        Ok(self.facts(diff_id)?.is_some())
    }

    /// Where a blob is put that is being fetched.
    pub(crate) fn blob(&self, digest: &Digest) -> std::path::PathBuf {
        self.folder("blobs").join(digest.file_name())
    }

    /// Unpacks a layer, whose lock the caller holds.
    pub(crate) fn unpack_layer(
        &self,
        diff_id: &Digest,
        stream: Box<dyn Read + Send + '_>,
        cancel: &Cancel,
        _lock: &Lock,
    ) -> Outcome {
        let part = self.folder("layers").join(format!("{PART}{}", diff_id.file_name()));
        // What a killed process left, or what is not believed.
        self.discard(&part)?;
        files::remove(&self.facts_path(diff_id))?;
        self.discard(&self.layer(diff_id))?;
        let made = fs::create_dir(&part).and_then(|()| {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(&part, mode)
        });
        made.map_err(|error| Problem::io("make the directory of a layer", error))?;
        let scratch = self.folder("blobs");
        let mut giver = Giver::new(&self.owners, &scratch);
        let unpacked = open(&part).and_then(|into| unpack(stream, diff_id, into, &mut giver, &self.limits, cancel));
        let unpacked = unpacked.and_then(|unpacked| giver.finish(&part).map(|()| unpacked));
        let unpacked = match unpacked {
            Ok(unpacked) => unpacked,
            Err(problem) => {
                // The failure to report is the first one; the next attempt clears what is left.
                let _ = self.discard(&part);
                return Err(problem);
            }
        };
        fs::rename(&part, self.layer(diff_id)).map_err(|error| Problem::io("name a layer", error))?;
        let facts = Facts { unpacked, boot: self.boot.clone(), synced: false };
        files::write_json(&self.facts_path(diff_id), &facts)
    }

    /// Removes a tree. One that is not there is fine.
    pub(super) fn discard(&self, path: &Path) -> Outcome {
        match (discard(path), &self.owners) {
            // What other ids have in it is out of reach, but not for who has these.
            (Err(_), Owners::Range(range)) => range
                .remove(path)
                .map_err(|error| Problem::io("remove a layer", std::io::Error::other(error.message().to_owned()))),
            (done, _) => done,
        }
    }

    /// Writes layers to disk, so that they are believed after a crash of the machine.
    pub(crate) fn sync(&self, diff_ids: &[Digest]) -> Outcome {
        let waiting: Vec<_> = diff_ids
            .iter()
            .filter_map(|diff_id| Some((diff_id, self.facts(diff_id).ok()??)))
            .filter(|(_, facts)| !facts.synced)
            .collect();
        if waiting.is_empty() {
            return Ok(());
        }
        let folder = open(&self.folder("layers"))?;
        rustix::fs::syncfs(&folder).map_err(|errno| Problem::io("write a layer to disk", errno))?;
        let _share = self.share()?;
        for (diff_id, facts) in waiting {
            if self.facts(diff_id)?.is_some() {
                files::write_json(&self.facts_path(diff_id), &Facts { synced: true, ..facts })?;
            }
        }
        Ok(())
    }
}

fn open(path: &Path) -> Outcome<rustix::fd::OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(CWD, path, flags, Mode::empty()).map_err(|errno| Problem::io("open a layer", errno))
}

fn discard(path: &Path) -> Outcome {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let parent = open(parent)?;
    isobox_tree::remove(parent.as_fd(), name.as_encoded_bytes())
        .map_err(|error| Problem::io("remove a layer", std::io::Error::other(error.to_string())))
}
