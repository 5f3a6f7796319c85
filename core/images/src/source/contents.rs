//! Which images an archive or a folder holds.
//!
//! An `index.json` is believed before a `manifest.json`: recent engines write both, and the first has digests for
//! everything. Names are taken from both.

use super::Blobs;
use crate::digest::Digest;
use crate::document::{Config, Descriptor, Index, Manifest, Saved, parse};
use crate::problem::{Outcome, Problem};
use crate::store::ArchivedImage;
use std::collections::BTreeSet;

/// The most documents of one archive.
const MAX_DOCUMENTS: usize = 2000;
/// How deep lists of images may be in lists.
const MAX_DEPTH: usize = 3;

/// The annotations that name an image, as containerd and others write them. Beside the first, the second is but the tag.
const NAMES: [&str; 2] = ["io.containerd.image.name", "org.opencontainers.image.ref.name"];

/// An image that could be unpacked.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// What is remembered of it.
    pub(crate) known: ArchivedImage,
    pub(crate) config: Vec<u8>,
    /// The names of its layers' files, the first at the bottom.
    pub(crate) layers: Vec<String>,
}

impl AsRef<ArchivedImage> for Candidate {
    fn as_ref(&self) -> &ArchivedImage {
        &self.known
    }
}

/// All images that are there whole, as far as documents go.
pub(crate) fn contents(blobs: &dyn Blobs) -> Outcome<Vec<Candidate>> {
    let index = blobs.read("index.json")?;
    let saved = blobs.read("manifest.json")?;
    let mut found = Found { blobs, candidates: Vec::new(), documents: 0 };
    match (&index, &saved) {
        (Some(index), _) => found.index(&parse::<Index>("index.json", index)?, &BTreeSet::new(), 0)?,
        (None, Some(saved)) => found.saved(&parse::<Vec<Saved>>("manifest.json", saved)?)?,
        (None, None) => {
            let reason = "it has neither index.json nor manifest.json, give what `docker save` or an OCI tool wrote";
            return Err(Problem::corrupt("the archive", reason));
        }
    }
    if let (Some(_), Some(saved)) = (&index, &saved) {
        found.name(&parse::<Vec<Saved>>("manifest.json", saved)?);
    }
    Ok(found.candidates)
}

struct Found<'a> {
    blobs: &'a dyn Blobs,
    candidates: Vec<Candidate>,
    documents: usize,
}

impl Found<'_> {
    fn index(&mut self, index: &Index, names: &BTreeSet<String>, depth: usize) -> Outcome {
        for descriptor in index.manifests.iter().filter(|descriptor| !descriptor.is_attestation()) {
            let mut names = names.clone();
            names.extend(NAMES.iter().find_map(|name| descriptor.annotations.get(*name)).cloned());
            match self.document(descriptor)? {
                Some(bytes) if descriptor.is_index() && depth < MAX_DEPTH => {
                    self.index(&parse("an index", &bytes)?, &names, depth + 1)?;
                }
                Some(bytes) if !descriptor.is_index() => self.manifest(descriptor, &bytes, names)?,
                Some(_) => return Err(Problem::corrupt("the archive", "its lists of images never end")),
                // An image for another platform that was left out when the archive was made.
                None if depth > 0 => {}
                None => return Err(missing(&descriptor.digest)),
            }
        }
        Ok(())
    }

    fn manifest(&mut self, descriptor: &Descriptor, bytes: &[u8], names: BTreeSet<String>) -> Outcome {
        let manifest: Manifest = parse("a manifest", bytes)?;
        // Other things are kept in layouts too, such as charts and signatures.
        if !is_image_config(&manifest.config.media_type) {
            return Ok(());
        }
        let config = self.document(&manifest.config)?.ok_or_else(|| missing(&manifest.config.digest))?;
        let layers = manifest.layers.iter().map(|layer| blob(&layer.digest)).collect();
        self.add(names, Some(descriptor.digest.clone()), config, layers)
    }

    fn saved(&mut self, saved: &[Saved]) -> Outcome {
        for image in saved {
            self.count()?;
            let config = self.blobs.read(&image.config)?;
            let config = config.ok_or_else(|| Problem::corrupt("the archive", "the config of an image is missing"))?;
            let names = image.repo_tags.iter().flatten().cloned().collect();
            self.add(names, None, config, image.layers.clone())?;
        }
        Ok(())
    }

    fn add(&mut self, names: BTreeSet<String>, digest: Option<Digest>, bytes: Vec<u8>, layers: Vec<String>) -> Outcome {
        let config = Config::parse(&bytes)?;
        if config.rootfs.diff_ids.len() != layers.len() {
            let reason = format!("it names {} layers and its config {}", layers.len(), config.rootfs.diff_ids.len());
            return Err(Problem::corrupt("a manifest", reason));
        }
        let id = Digest::of(&bytes);
        let mut all = self.candidates.iter_mut().map(|candidate| &mut candidate.known);
        match all.find(|known| known.id == id && known.digest == digest) {
            Some(known) => known.names.extend(names),
            None => {
                let known = ArchivedImage { names, id, digest, platform: config.platform.platform() };
                self.candidates.push(Candidate { known, config: bytes, layers });
            }
        }
        Ok(())
    }

    /// Adds the names that only `manifest.json` has.
    fn name(&mut self, saved: &[Saved]) {
        for image in saved {
            let config = image.config.rsplit('/').next().unwrap_or_default();
            let hex = config.strip_suffix(".json").unwrap_or(config);
            let known = self.candidates.iter_mut().map(|candidate| &mut candidate.known);
            for known in known.filter(|known| known.id.hex() == hex) {
                known.names.extend(image.repo_tags.iter().flatten().cloned());
            }
        }
    }

    fn document(&mut self, descriptor: &Descriptor) -> Outcome<Option<Vec<u8>>> {
        self.count()?;
        let bytes = self.blobs.read(&blob(&descriptor.digest))?;
        if let Some(bytes) = &bytes {
            descriptor.digest.check("a manifest or config", bytes)?;
        }
        Ok(bytes)
    }

    fn count(&mut self) -> Outcome {
        self.documents += 1;
        match self.documents > MAX_DOCUMENTS {
            true => Err(Problem::Limit { what: "manifests in its archive", max: MAX_DOCUMENTS as u64 }),
            false => Ok(()),
        }
    }
}

fn is_image_config(media_type: &str) -> bool {
    media_type.is_empty()
        || media_type == "application/vnd.oci.image.config.v1+json"
        || media_type == "application/vnd.docker.container.image.v1+json"
}

fn blob(digest: &Digest) -> String {
    digest
        .as_str()
        .replacen(':', "/", 1)
        .split_once('/')
        .map_or_else(String::new, |(algorithm, hex)| format!("blobs/{algorithm}/{hex}"))
}

fn missing(digest: &Digest) -> Problem {
    Problem::corrupt("the archive", format!("{digest} is missing"))
}
