//! Sandboxes from images: the layers to mount, and what the image says about running programs.

use crate::ids::{Ids, Maps};
use crate::snapshots::Root;
use crate::subordinates::Subordinates;
use isobox_contract::{
    Context, Error, ErrorCode, Images as _, Result, SandboxId, SandboxImage, SandboxPath, SandboxSpec, Source,
};
use isobox_images::{Digest, Hold, Image, Limits, LocalImages, Owners, Platform, RunDefaults};
use isobox_wire::launch::{Layer, RootFs};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How often an image is looked for again that somebody removes just then.
const ATTEMPTS: usize = 3;

/// The images of this provider, opened when they are first needed.
///
/// The files of layers belong to somebody, so there is a store for the sandboxes of several users and, for an ordinary user,
/// another one for those of one.
#[derive(Debug)]
pub(crate) struct Library {
    home: PathBuf,
    range: Option<Arc<Subordinates>>,
    several: OnceLock<LocalImages>,
    one: OnceLock<LocalImages>,
}

/// What a sandbox is made from when that is an image.
pub(crate) struct FromImage {
    /// The spec with what the image says under it.
    pub(crate) spec: SandboxSpec,
    /// What to mount.
    pub(crate) root: RootFs,
    /// What it is called, and what it runs.
    pub(crate) image: SandboxImage,
    /// Whether the working directory is what the image says, which it may not have.
    pub(crate) makes_workdir: bool,
    /// Keeps the image until the sandbox's directory does.
    _hold: Hold,
}

impl Library {
    pub(crate) fn new(home: &Path, ids: &Ids) -> Self {
        let range = match ids {
            Ids::Several(ids) => Some(Arc::new(Subordinates((**ids).clone()))),
            Ids::Root(_) | Ids::One(_) | Ids::Nothing => None,
        };
        Self { home: home.to_owned(), range, several: OnceLock::new(), one: OnceLock::new() }
    }

    /// The images for sandboxes with these ids.
    fn images(&self, maps: &Maps) -> Result<&LocalImages> {
        if maps.helpers.is_some() { self.main() } else { self.of_one() }
    }

    /// The images for sandboxes as they are when nothing is said about users.
    pub(crate) fn main(&self) -> Result<&LocalImages> {
        match &self.range {
            Some(range) => self.open(&self.several, Owners::Range(range.clone())),
            None => self.of_one(),
        }
    }

    /// The images for sandboxes with one user, or with root's ids.
    fn of_one(&self) -> Result<&LocalImages> {
        let root = rustix::process::geteuid().is_root();
        self.open(&self.one, if root { Owners::Kept } else { Owners::Caller })
    }

    fn open<'a>(&self, images: &'a OnceLock<LocalImages>, owners: Owners) -> Result<&'a LocalImages> {
        if let Some(images) = images.get() {
            return Ok(images);
        }
        let opened = LocalImages::open(&self.home, owners, Limits::default())?;
        Ok(images.get_or_init(|| opened))
    }

    /// Every store, the main one first.
    pub(crate) fn all(&self) -> Result<Vec<&LocalImages>> {
        let main = self.main()?;
        let other = self.range.is_some().then(|| self.of_one()).transpose()?;
        Ok(std::iter::once(main).chain(other).collect())
    }

    /// Makes an image ready for a sandbox. `None` when the spec is about something else.
    pub(crate) async fn prepare(
        &self,
        id: &SandboxId,
        spec: &SandboxSpec,
        maps: &Maps,
        state_dir: &Path,
        context: &Context,
    ) -> Result<Option<FromImage>> {
        if !matches!(spec.source, Source::Image(_) | Source::Archive { .. }) {
            return Ok(None);
        }
        let images = self.images(maps)?;
        for attempt in 1.. {
            let found = find(images, &spec.source, context).await;
            let (image, named) = match found {
                Err(error) if error.code() == ErrorCode::ImageNotFound => {
                    return Err(self.elsewhere(error, &spec.source, images).await);
                }
                found => found?,
            };
            match images.hold(id.as_str(), state_dir, &image) {
                Ok(hold) => {
                    let makes_workdir = spec.workdir.is_none() && image.run.workdir.is_some();
                    let (spec, root) = (with_defaults(spec, &image.run), layers(images, &image)?);
                    return Ok(Some(FromImage { spec, root, image: named, makes_workdir, _hold: hold }));
                }
                Err(error) if error.code() == ErrorCode::Conflict && attempt < ATTEMPTS => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("every attempt returns or is followed by another")
    }
}

/// An image of an archive, unpacked.
pub(crate) struct FromArchive {
    /// Its layers.
    pub(crate) root: RootFs,
    /// What it says about running programs, in a spec that says nothing else.
    pub(crate) spec: SandboxSpec,
    /// Its config, as it came.
    pub(crate) config: Option<Vec<u8>>,
    /// Bytes of its layers.
    pub(crate) size: u64,
}

impl Library {
    /// Unpacks an image of an archive for sandboxes as snapshots have them: of one user, or with root's ids.
    pub(crate) async fn unpacked(&self, path: &Path, image: Option<&str>, context: &Context) -> Result<FromArchive> {
        let images = self.of_one()?;
        let source = Source::Archive { path: path.to_owned(), reference: image.map(str::to_owned) };
        let (image, _) = find(images, &source, context).await?;
        Ok(FromArchive {
            root: layers(images, &image)?,
            spec: with_defaults(&SandboxSpec::default(), &image.run),
            config: images.config(&image.id)?,
            size: image.layers.iter().map(|layer| layer.bytes).sum(),
        })
    }

    /// Says that an image that was looked for in a store is there, but for sandboxes with other users.
    async fn elsewhere(&self, error: Error, source: &Source, searched: &LocalImages) -> Error {
        let (Source::Image(source), Ok(all)) = (source, self.all()) else { return error };
        for images in all.into_iter().filter(|images| !std::ptr::eq(*images, searched)) {
            if images.inspect(&source.reference).await.is_ok() {
                let message = format!(
                    "{}; it is here for sandboxes with {}, whose files belong to other users",
                    error.message(),
                    if matches!(images.owners(), Owners::Range(_)) { "several users" } else { "one user" }
                );
                return Error::new(error.code(), message).with_detail(error.detail().clone());
            }
        }
        error
    }

    /// Keeps the layers of images that a snapshot stands on, or a sandbox made from one, for as long as `path` exists. The
    /// caller makes the path before it drops what this gives.
    ///
    /// # Errors
    /// `conflict` when one of them was removed meanwhile.
    pub(crate) fn keep(&self, holder: &str, path: &Path, root: &Root) -> Result<Vec<Hold>> {
        if root.directories().next().is_none() {
            return Ok(Vec::new());
        }
        let mut holds = Vec::new();
        for images in self.all()? {
            let layers: Vec<_> = root.directories().filter_map(|directory| images.layer_in(&directory)).collect();
            if !layers.is_empty() {
                holds.push(images.hold_layers(holder, path, &layers)?);
            }
        }
        Ok(holds)
    }

    /// Which layer of an image a directory is, if it is one.
    pub(crate) fn layer_in(&self, directory: &Path) -> Result<Option<Digest>> {
        // Most directories are none, and the images need not be opened for them.
        match directory.starts_with(&self.home) {
            true => Ok(self.all()?.into_iter().find_map(|images| images.layer_in(directory))),
            false => Ok(None),
        }
    }

    /// The config of an image, as it came. `None` when it is not there.
    pub(crate) fn config(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let Ok(id) = id.parse() else { return Ok(None) };
        for images in self.all()? {
            if let Some(config) = images.config(&id)? {
                return Ok(Some(config));
            }
        }
        Ok(None)
    }
}

async fn find(images: &LocalImages, source: &Source, context: &Context) -> Result<(Image, SandboxImage)> {
    let (image, reference, digest, field, chosen) = match source {
        Source::Archive { path, reference } => {
            let (image, name) = images.archive(path, reference.as_deref(), context).await?;
            (image, name, None, "source.path", false)
        }
        Source::Image(source) => {
            let (image, named) = images.image(source, context).await?;
            let digest = named.registry_digest().map(ToString::to_string);
            (image, Some(named.reference), digest, "source.platform", source.platform.is_some())
        }
        _ => return Err(Error::unsupported("source.image")),
    };
    let here = Platform::here();
    // Who names a platform knows that this machine can run it, for instance with an emulator.
    if !chosen && !image.platform.runs_on(&here) {
        let reason = format!("is an image for {}, and this machine is {here}, give one for that", image.platform);
        return Err(Error::invalid_spec(field, reason));
    }
    let id = image.id.to_string();
    let (entrypoint, command) = (image.run.entrypoint.clone(), image.run.command.clone());
    let named = SandboxImage { reference: reference.unwrap_or_else(|| id.clone()), id, digest, entrypoint, command };
    Ok((image, named))
}

fn layers(images: &LocalImages, image: &Image) -> Result<RootFs> {
    if image.stack.is_empty() {
        return Err(Error::invalid_spec("source", "is an image without layers, give one with a root filesystem"));
    }
    let id_mapped = images.owners().are_kept();
    let layer = |diff_id| Layer { path: images.layer(diff_id).into_os_string().into_vec(), id_mapped };
    Ok(RootFs::Layers { layers: image.stack.iter().map(layer).collect() })
}

/// What the image says holds where the spec says nothing.
fn with_defaults(spec: &SandboxSpec, run: &RunDefaults) -> SandboxSpec {
    let mut spec = spec.clone();
    for (name, value) in &run.env {
        spec.env.entry(name.clone()).or_insert_with(|| value.clone());
    }
    if spec.user.is_none() {
        spec.user.clone_from(&run.user);
    }
    if spec.workdir.is_none() {
        let absolute = |workdir: &String| SandboxPath::from(format!("/{}", workdir.trim_start_matches('/')));
        spec.workdir = run.workdir.as_ref().map(absolute);
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_spec_says_counts_more_than_the_image() {
        let run = RunDefaults {
            env: [("PATH".into(), "/image".into()), ("A".into(), "image".into())].into(),
            user: Some("node".into()),
            workdir: Some("app".into()),
            ..RunDefaults::default()
        };
        let defaults = with_defaults(&SandboxSpec::default(), &run);
        assert_eq!((defaults.env["PATH"].as_str(), defaults.user.as_deref()), ("/image", Some("node")));
        assert_eq!(defaults.workdir, Some(SandboxPath::from("/app")));
        let mut own = SandboxSpec::default().env("A", "spec");
        own.user = Some("root".into());
        own.workdir = Some("/tmp".into());
        let own = with_defaults(&own, &run);
        assert_eq!((own.env["A"].as_str(), own.env["PATH"].as_str()), ("spec", "/image"));
        assert_eq!((own.user.as_deref(), own.workdir), (Some("root"), Some(SandboxPath::from("/tmp"))));
    }
}
