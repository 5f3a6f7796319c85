//! Taking images away, and nothing that is in use.
//!
//! What goes is chosen and renamed under the store's exclusive lock, in moments; the slow part, removing the files, comes
//! after it.

use super::files::{self, PART};
use super::uses::Active;
use super::{Image, Named, Store};
use crate::digest::Digest;
use crate::problem::{Outcome, Problem};
use isobox_contract::{Detail, Error, ErrorCode, ImageUsage, PrunedImages, Resource};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// What an archive's record is kept for without being asked for.
const ARCHIVES_KEPT: Duration = Duration::from_secs(90 * 24 * 3600);

impl Store {
    /// How much the images take.
    pub(crate) fn disk_usage(&self) -> Outcome<ImageUsage> {
        let sizes = self.layer_sizes()?;
        let used: BTreeSet<_> = self.uses(false)?.into_iter().flat_map(|used| used.layers).collect();
        Ok(ImageUsage {
            images: self.all_images()?.len() as u64,
            layers: sizes.len() as u64,
            size: sizes.values().sum(),
            in_use: sizes.iter().filter(|(diff_id, _)| used.contains(diff_id)).map(|(_, bytes)| bytes).sum(),
        })
    }

    /// Takes names of an image away, and the image when it has no other name; all of it when no name is given.
    ///
    /// # Errors
    /// `conflict` with the name of a sandbox that uses it; then nothing is taken away.
    pub(crate) fn remove_image(&self, id: &Digest, names: &[Named]) -> Result<(), Error> {
        let inner = |problem: Problem| problem.explain(id.as_str(), crate::problem::Origin::Remote);
        let exclude = self.exclude().map_err(inner)?;
        let all = self.names().map_err(inner)?.into_iter().filter(|named| named.image == *id);
        let (meant, others): (Vec<_>, Vec<_>) = all.partition(|named| names.is_empty() || names.contains(named));
        let last = others.is_empty();
        if last
            && let Some(user) = self.uses(true).map_err(inner)?.into_iter().find(|user| user.image.as_ref() == Some(id))
        {
            return Err(in_use(id, &user));
        }
        meant.iter().try_for_each(|named| self.unname(named)).map_err(inner)?;
        if !last {
            return Ok(());
        }
        self.forget_image(id).map_err(inner)?;
        let trash = self.drop_orphans(&mut PrunedImages::default()).map_err(inner)?;
        drop(exclude);
        trash.iter().try_for_each(|path| self.discard(path)).map_err(inner)
    }

    /// Takes images away, the least recently used first, until the layers take at most `budget` bytes, and everything that
    /// belongs to no image. What is in use stays, also when that is more than the budget.
    pub(crate) fn prune(&self, budget: u64) -> Outcome<PrunedImages> {
        let mut pruned = PrunedImages::default();
        let exclude = self.exclude()?;
        let used: BTreeSet<_> = self.uses(true)?.into_iter().filter_map(|used| used.image).collect();
        let mut images = self.all_images()?;
        images.sort_by_key(|image| std::cmp::Reverse(self.used_at(&image.id)));
        let mut trash = self.drop_orphans(&mut pruned)?;
        while pruned.left > budget {
            let Some(image) = take_last_unused(&mut images, &used) else { break };
            for named in self.names()?.iter().filter(|named| named.image == image.id) {
                self.unname(named)?;
            }
            self.forget_image(&image.id)?;
            pruned.images.push(image.id.to_string());
            trash.extend(self.drop_orphans(&mut pruned)?);
        }
        trash.extend(files::list(&self.folder("trash"))?);
        drop(exclude);
        trash.iter().try_for_each(|path| self.discard(path))?;
        self.clean()?;
        Ok(pruned)
    }

    /// Moves layers away that no image and no use has. Nothing, while an import is under way that may be about to name
    /// them.
    fn drop_orphans(&self, pruned: &mut PrunedImages) -> Outcome<Vec<PathBuf>> {
        let mut sizes = self.layer_sizes()?;
        let mut trash = Vec::new();
        if let Some(_no_imports) = self.try_no_imports()? {
            let mut needed: BTreeSet<Digest> = self.uses(true)?.into_iter().flat_map(|used| used.layers).collect();
            needed.extend(self.all_images()?.into_iter().flat_map(|image| image.layers).map(|part| part.diff_id));
            let orphans: Vec<_> = sizes.keys().filter(|diff_id| !needed.contains(diff_id)).cloned().collect();
            for diff_id in orphans {
                files::remove(&self.facts_path(&diff_id))?;
                trash.push(self.move_away(&diff_id)?);
                pruned.freed += sizes.remove(&diff_id).unwrap_or_default();
            }
        }
        pruned.left = sizes.values().sum();
        Ok(trash)
    }

    fn move_away(&self, diff_id: &Digest) -> Outcome<PathBuf> {
        let layer = self.layer(diff_id);
        let trash = self.folder("trash").join(diff_id.file_name());
        self.discard(&trash)?;
        // A move to another directory writes to the one that is moved, which a layer may not allow its owner.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        fs::set_permissions(&layer, mode)
            .and_then(|()| fs::rename(&layer, &trash))
            .map_err(|error| Problem::io("remove a layer", error))?;
        Ok(trash)
    }

    /// Clears away what killed processes left, and archives that nobody has asked for in a long time.
    fn clean(&self) -> Outcome {
        let failed = |error| Problem::io("list the images", error);
        for entry in fs::read_dir(self.folder("layers")).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(diff_id) = name.strip_prefix(PART).and_then(Digest::from_file_name) else { continue };
            // Whoever unpacks it holds the lock.
            if let Some(_lock) = self.try_lock_one("layer", &diff_id)? {
                self.discard(&entry.path())?;
            }
        }
        if let Some(_no_imports) = self.try_no_imports()? {
            files::list(&self.folder("blobs"))?.iter().try_for_each(|path| files::remove(path))?;
        }
        for path in files::list(&self.folder("archives"))? {
            let age = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok();
            if age.and_then(|at| SystemTime::now().duration_since(at).ok()).is_some_and(|age| age > ARCHIVES_KEPT) {
                files::remove(&path)?;
            }
        }
        Ok(())
    }

    /// The layers that are there, and their bytes.
    fn layer_sizes(&self) -> Outcome<BTreeMap<Digest, u64>> {
        let mut sizes = BTreeMap::new();
        for path in files::list(&self.folder("layers"))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(diff_id) = Digest::from_file_name(&name) else { continue };
            let bytes = self.facts(&diff_id)?.map_or(0, |facts| facts.unpacked.bytes);
            sizes.insert(diff_id, bytes);
        }
        Ok(sizes)
    }
}

fn take_last_unused(images: &mut Vec<Image>, used: &BTreeSet<Digest>) -> Option<Image> {
    let at = images.iter().rposition(|image| !used.contains(&image.id))?;
    Some(images.remove(at))
}

fn in_use(id: &Digest, user: &Active) -> Error {
    let message = format!("the image {id} is used by {}, delete that first", user.holder);
    Error::new(ErrorCode::Conflict, message)
        .retryable(false)
        .with_detail(Detail::Resource { resource: Resource::Image, id: id.to_string() })
}
