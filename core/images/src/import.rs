//! From something that holds images to an image in the store.

use crate::Platform;
use crate::digest::Digest;
use crate::document::Config;
use crate::limits::Cancel;
use crate::problem::{Origin, Outcome, Problem};
use crate::progress::{Counter, Step};
use crate::service::{first_name, whole_name};
use crate::source::{ArchiveFile, Blobs, Candidate, Folder, choose, contents};
use crate::store::{ArchiveContents, ArchivedImage, Image, LayerSource, Named, Store};
use isobox_contract::{Context, Result, Timestamp};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// How often an import begins anew because somebody removed a layer that was there.
const ATTEMPTS: usize = 3;

impl Store {
    /// The image in an archive or a layout folder, unpacked unless it is there already; `reference` says which one. Its
    /// names there become its names here where they stand for nothing yet: who runs an archive has not asked for others to
    /// change.
    ///
    /// # Errors
    /// `invalid_spec` with the field `source.path` for what is no archive or a hostile one, and with `source.reference`,
    /// naming those there are, when it is not clear which image is meant.
    pub(crate) fn archive_image(
        &self,
        path: &Path,
        wanted: Option<&str>,
        context: &Context,
        cancel: &Cancel,
    ) -> Result<(Image, Option<String>)> {
        let shown = path.display().to_string();
        let explain = |problem: Problem| problem.explain(&shown, Origin::Archive);
        let identity = identity(path).map_err(explain)?;
        let _flight = self.lock_one("archive", &identity).map_err(explain)?;
        let (blobs, candidates) = self.look_into(path, &identity, cancel).map_err(explain)?;
        let chosen = choose(&candidates, wanted, &shown)?;
        let image = self.import(&*blobs, chosen, context, cancel).map_err(explain)?;
        names(&chosen.known, &image).iter().try_for_each(|named| self.name_if_free(named)).map_err(explain)?;
        Ok((image, first_name(&chosen.known)))
    }

    /// The image in an archive that was read before, if all of it is there.
    pub(crate) fn known_in_archive(
        &self,
        path: &Path,
        wanted: Option<&str>,
        shown: &str,
    ) -> Result<Option<(Image, Option<String>)>> {
        let explain = |problem: Problem| problem.explain(shown, Origin::Archive);
        let identity = identity(path).map_err(explain)?;
        let Some(known) = self.archive(&identity).map_err(explain)? else { return Ok(None) };
        let chosen = choose(&known.images, wanted, shown)?;
        Ok(self.image(&chosen.id).map_err(explain)?.map(|image| (image, first_name(chosen))))
    }

    /// Unpacks every image of an archive that is for this machine, and gives them their names.
    ///
    /// # Errors
    /// As [`archive_image`](Self::archive_image).
    pub(crate) fn load(&self, path: &Path, context: &Context, cancel: &Cancel) -> Result<Vec<(Image, Vec<Named>)>> {
        let shown = path.display().to_string();
        let explain = |problem: Problem| problem.explain(&shown, Origin::Archive);
        let identity = identity(path).map_err(explain)?;
        let _flight = self.lock_one("archive", &identity).map_err(explain)?;
        let (blobs, candidates) = self.look_into(path, &identity, cancel).map_err(explain)?;
        let here = Platform::here();
        let fitting: Vec<_> = candidates.iter().filter(|candidate| candidate.known.platform.runs_on(&here)).collect();
        // When nothing is for this machine, that was meant.
        let wanted = if fitting.is_empty() { candidates.iter().collect() } else { fitting };
        let load = |candidate: &&Candidate| {
            let image = self.import(&*blobs, candidate, context, cancel)?;
            let names = names(&candidate.known, &image);
            names.iter().try_for_each(|named| self.name(named))?;
            Ok((image, names))
        };
        wanted.iter().map(load).collect::<Outcome<_>>().map_err(explain)
    }

    /// The only image of an archive that has no name of its own.
    pub(crate) fn import_file(&self, file: File, shown: &str, context: &Context, cancel: &Cancel) -> Result<Image> {
        let explain = |problem: Problem| problem.explain(shown, Origin::Remote);
        let blobs = ArchiveFile::open(file, &self.folder("blobs"), self.limits(), cancel).map_err(explain)?;
        let candidates = contents(&blobs).map_err(explain)?;
        let chosen = choose(&candidates, None, shown)?;
        self.import(&blobs, chosen, context, cancel).map_err(explain)
    }

    /// Reads what an archive holds, and remembers it.
    fn look_into(&self, path: &Path, identity: &Digest, cancel: &Cancel) -> Outcome<(Box<dyn Blobs>, Vec<Candidate>)> {
        let blobs: Box<dyn Blobs> = match path.is_dir() {
            true => Box::new(Folder::open(path)?),
            false => {
                let file = File::open(path).map_err(|error| Problem::io("open the archive", error))?;
                Box::new(ArchiveFile::open(file, &self.folder("blobs"), self.limits(), cancel)?)
            }
        };
        let candidates = contents(&*blobs)?;
        let images = candidates.iter().map(|candidate| candidate.known.clone()).collect();
        self.remember_archive(identity, &ArchiveContents { images })?;
        Ok((blobs, candidates))
    }

    fn import(&self, blobs: &dyn Blobs, image: &Candidate, context: &Context, cancel: &Cancel) -> Outcome<Image> {
        let config = Config::parse(&image.config)?;
        let layers = &image.layers;
        let total =
            layers.iter().map(|name| Ok(blobs.open(name)?.map_or(0, |(size, _)| size))).sum::<Outcome<u64>>()?;
        let source = BlobLayers { blobs, layers, counter: Counter::new(context, Step::Unpack, Some(total)) };
        self.complete(image, &config, &source, cancel)
    }

    /// Unpacks what is missing and writes the image down.
    fn complete(
        &self,
        image: &Candidate,
        config: &Config,
        source: &impl LayerSource,
        cancel: &Cancel,
    ) -> Outcome<Image> {
        for _ in 0..ATTEMPTS {
            let importing = self.importing()?;
            self.ensure_layers(&config.rootfs.diff_ids, source, cancel)?;
            if let Some(image) = self.register(&image.config, config, image.known.digest.as_ref())? {
                drop(importing);
                self.sync_later(&image);
                return Ok(image);
            }
        }
        Err(Problem::io("keep the layers of an image", std::io::Error::other("somebody removes them again and again")))
    }
}

struct BlobLayers<'a> {
    blobs: &'a dyn Blobs,
    layers: &'a [String],
    counter: Counter,
}

impl LayerSource for BlobLayers<'_> {
    fn open(&self, index: usize) -> Outcome<Box<dyn Read + Send + '_>> {
        let name = &self.layers[index];
        match self.blobs.open(name)? {
            Some((_, stream)) => Ok(Box::new(self.counter.counted(stream))),
            None => Err(Problem::corrupt("the archive", format!("the layer {} is missing", name.escape_debug()))),
        }
    }

    fn done(&self, _index: usize) {}
}

/// What tells one archive from another without reading it: which file it is, and when it was changed. For a folder the
/// same of its index.
fn identity(path: &Path) -> Outcome<Digest> {
    let failed = |error| Problem::io(format!("open {}", path.display()), error);
    let path = std::fs::canonicalize(path).map_err(failed)?;
    let mut facts = format!("{path:?}");
    let files = if path.is_dir() { vec![path.join("index.json"), path.join("manifest.json")] } else { vec![path] };
    for file in files {
        match std::fs::metadata(&file) {
            Ok(m) => {
                let changed = [m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec()];
                facts.push_str(&format!("\0{} {} {} {changed:?}", m.dev(), m.ino(), m.len()));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(Digest::of(facts.as_bytes()))
}

/// The names of an image of an archive, those that are none left out.
fn names(known: &ArchivedImage, image: &Image) -> Vec<Named> {
    let named = |reference| Named {
        reference,
        platform: image.platform.clone(),
        image: image.id.clone(),
        digest: known.digest.clone(),
        fetched_at: Timestamp::now(),
    };
    known.names.iter().filter_map(|name| whole_name(name).ok()).map(named).collect()
}
