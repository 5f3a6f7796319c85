//! What is written down of images, names and archives.

use super::{Store, files};
use crate::digest::Digest;
use crate::document::{Config, RunDefaults};
use crate::platform::Platform;
use crate::problem::{Outcome, Problem};
use isobox_contract::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, FileTimes};
use std::path::PathBuf;
use std::time::SystemTime;

/// An image that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// The digest of its config, as engines show it.
    pub id: Digest,
    /// The digest of the manifest that it came with last, where it had one.
    #[serde(default)]
    pub digest: Option<Digest>,
    /// For which machines it is.
    pub platform: Platform,
    /// When it was made, if it says so.
    pub created: Option<Timestamp>,
    /// Its layers, the first at the bottom, with the bytes that each takes on this machine.
    pub layers: Vec<Part>,
    /// The layers to mount, the first on top: without those that another one hides or repeats.
    pub stack: Vec<Digest>,
    /// How it wants its programs to be run.
    pub run: RunDefaults,
    /// When it came.
    pub fetched_at: Timestamp,
}

/// A layer of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The digest of its tar stream.
    pub diff_id: Digest,
    /// Bytes of its files.
    pub bytes: u64,
    /// Its files, directories, links and whiteouts.
    pub entries: u64,
}

impl Image {
    /// Bytes of its files, shared layers counted once.
    pub fn bytes(&self) -> u64 {
        let mut known = BTreeSet::new();
        self.layers.iter().filter(|part| known.insert(&part.diff_id)).map(|part| part.bytes).sum()
    }
}

/// A name, and the image that it stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// The whole reference, such as `docker.io/library/alpine:3.22`.
    pub reference: String,
    /// The platform that was asked for, or the image's.
    pub platform: Platform,
    /// The image.
    pub image: Digest,
    /// The digest of its manifest, where it came with one.
    pub digest: Option<Digest>,
    /// When the name was last found to stand for it.
    pub fetched_at: Timestamp,
}

impl Named {
    /// The digest under which a registry has the image; none for what the local Docker has, which gives out others.
    pub fn registry_digest(&self) -> Option<&Digest> {
        self.digest.as_ref().filter(|_| !self.reference.starts_with(crate::daemon::SCHEME))
    }
}

/// What an archive holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ArchiveContents {
    /// Its images.
    pub(crate) images: Vec<ArchivedImage>,
}

/// An image of an archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ArchivedImage {
    /// Its names, as the archive spells them.
    pub(crate) names: BTreeSet<String>,
    /// The digest of its config.
    pub(crate) id: Digest,
    /// The digest of its manifest, where it has one.
    pub(crate) digest: Option<Digest>,
    /// For which machines it is.
    pub(crate) platform: Platform,
}

impl Store {
    fn image_path(&self, id: &Digest) -> PathBuf {
        self.folder("images").join(format!("{}.json", id.file_name()))
    }

    fn config_path(&self, id: &Digest) -> PathBuf {
        self.folder("configs").join(format!("{}.json", id.file_name()))
    }

    fn reference_path(&self, reference: &str, platform: &Platform) -> PathBuf {
        let hash = Digest::of(format!("{reference} {platform}").as_bytes());
        self.folder("references").join(format!("{}.json", hash.hex()))
    }

    fn archive_path(&self, identity: &Digest) -> PathBuf {
        self.folder("archives").join(format!("{}.json", identity.hex()))
    }

    /// The image with this id, if all of it is there.
    pub(crate) fn image(&self, id: &Digest) -> Outcome<Option<Image>> {
        let Some(image) = files::read_json::<Image>(&self.image_path(id))? else { return Ok(None) };
        for diff_id in &image.stack {
            if self.facts(diff_id)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(image))
    }

    pub(super) fn is_image(&self, id: &Digest) -> bool {
        self.image_path(id).is_file()
    }

    /// The config of an image, as it came.
    pub(crate) fn config(&self, id: &Digest) -> Outcome<Option<Vec<u8>>> {
        match fs::read(self.config_path(id)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Problem::io("read the config of an image", error)),
        }
    }

    /// Writes an image down whose layers are there, with the digest of its manifest. `None` when one of the layers was
    /// removed meanwhile.
    pub(crate) fn register(&self, bytes: &[u8], config: &Config, digest: Option<&Digest>) -> Outcome<Option<Image>> {
        let id = Digest::of(bytes);
        let _share = self.share()?;
        let (mut layers, mut stack, mut hidden) = (Vec::new(), Vec::new(), false);
        for diff_id in config.rootfs.diff_ids.iter().rev() {
            let Some(facts) = self.facts(diff_id)? else { return Ok(None) };
            let unpacked = facts.unpacked;
            layers.insert(0, Part { diff_id: diff_id.clone(), bytes: unpacked.bytes, entries: unpacked.entries });
            // A layer that comes again further up is hidden there by itself.
            if !hidden && !stack.contains(diff_id) {
                stack.push(diff_id.clone());
            }
            hidden |= unpacked.opaque;
        }
        let image = Image {
            id: id.clone(),
            digest: digest.cloned(),
            platform: config.platform.platform(),
            created: config.created(),
            layers,
            stack,
            run: config.run_defaults(),
            fetched_at: Timestamp::now(),
        };
        files::write(&self.config_path(&id), bytes)?;
        files::write_json(&self.image_path(&id), &image)?;
        Ok(Some(image))
    }

    /// All images.
    pub(crate) fn all_images(&self) -> Outcome<Vec<Image>> {
        Ok(files::read_all(&self.folder("images"))?.into_iter().map(|(_, image)| image).collect())
    }

    /// All images and all names.
    pub(crate) fn everything(&self) -> Outcome<(Vec<Image>, Vec<Named>)> {
        Ok((self.all_images()?, self.names()?))
    }

    /// What a name stands for.
    pub(crate) fn named(&self, reference: &str, platform: &Platform) -> Outcome<Option<Named>> {
        files::read_json(&self.reference_path(reference, platform))
    }

    /// Lets a name stand for an image. A digest that is known of the same name and image is kept: an archive may not have it.
    pub(crate) fn name(&self, named: &Named) -> Outcome {
        let _share = self.share()?;
        let path = self.reference_path(&named.reference, &named.platform);
        let mut named = named.clone();
        if named.digest.is_none()
            && let Some(known) = files::read_json::<Named>(&path)?
            && known.image == named.image
        {
            named.digest = known.digest;
        }
        files::write_json(&path, &named)
    }

    /// Lets a name stand for an image, unless it stands for one that is there.
    pub(crate) fn name_if_free(&self, named: &Named) -> Outcome {
        match self.named(&named.reference, &named.platform)? {
            Some(known) if self.is_image(&known.image) => Ok(()),
            _ => self.name(named),
        }
    }

    /// All names, sorted.
    pub(crate) fn names(&self) -> Outcome<Vec<Named>> {
        let mut names: Vec<Named> =
            files::read_all(&self.folder("references"))?.into_iter().map(|(_, named)| named).collect();
        names.sort_by(|a, b| (&a.reference, &a.platform).cmp(&(&b.reference, &b.platform)));
        Ok(names)
    }

    pub(super) fn unname(&self, named: &Named) -> Outcome {
        files::remove(&self.reference_path(&named.reference, &named.platform))
    }

    /// What is known of an archive.
    pub(crate) fn archive(&self, identity: &Digest) -> Outcome<Option<ArchiveContents>> {
        let path = self.archive_path(identity);
        let found = files::read_json(&path)?;
        if found.is_some() {
            touch(&path);
        }
        Ok(found)
    }

    pub(crate) fn remember_archive(&self, identity: &Digest, contents: &ArchiveContents) -> Outcome {
        files::write_json(&self.archive_path(identity), contents)
    }

    /// Says that an image was used now.
    pub(super) fn touch_image(&self, id: &Digest) {
        touch(&self.image_path(id));
    }

    /// When an image was used last, or came.
    pub(super) fn used_at(&self, id: &Digest) -> SystemTime {
        let metadata = fs::metadata(self.image_path(id));
        metadata.and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    }

    pub(super) fn forget_image(&self, id: &Digest) -> Outcome {
        files::remove(&self.image_path(id))?;
        files::remove(&self.config_path(id))
    }
}

/// Only an order: that it cannot be written changes nothing else.
fn touch(path: &std::path::Path) {
    let now = FileTimes::new().set_modified(SystemTime::now());
    let _ = fs::File::open(path).and_then(|file| file.set_times(now));
}
