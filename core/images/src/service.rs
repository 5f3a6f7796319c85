//! The images of this machine, for providers that make sandboxes here.

use crate::daemon::SCHEME;
use crate::digest::Digest;
use crate::limits::Limits;
use crate::offload::{briefly, offload};
use crate::platform::Platform;
use crate::problem::{Origin, Problem};
use crate::store::{ArchivedImage, Hold, Image, Named, Store};
use crate::unpack::Owners;
use async_trait::async_trait;
use isobox_contract::{
    Context, Detail, Error, ErrorCode, ImageDetails, ImageInfo, ImageLayer, ImageSource, ImageUsage, Images,
    PrunedImages, PullPolicy, Resource, Result,
};
use isobox_registry::{Reference, Registry};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The images of one user of this machine. Cheap to clone; all clones are the same, and as many processes as want may have
/// one for the same directory.
#[derive(Clone, Debug)]
pub struct LocalImages {
    pub(crate) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) home: PathBuf,
    pub(crate) store: Arc<Store>,
    /// Made when something is fetched for the first time.
    pub(crate) registry: OnceLock<Registry>,
}

impl LocalImages {
    /// The images below the library's home. Starts nothing.
    ///
    /// # Errors
    /// `io` when the directories cannot be made, `invalid_spec` when they belong to somebody else.
    pub fn open(home: &Path, owners: Owners, limits: Limits) -> Result<Self> {
        let store = Arc::new(Store::open(home, owners, limits)?);
        Ok(Self { shared: Arc::new(Shared { home: home.to_owned(), store, registry: OnceLock::new() }) })
    }

    /// Whom the files of its layers belong to.
    pub fn owners(&self) -> &Owners {
        self.shared.store.owners()
    }

    /// The directory of a layer, to be mounted while its image is held.
    pub fn layer(&self, diff_id: &Digest) -> PathBuf {
        self.shared.store.layer(diff_id)
    }

    /// The layer in a directory, when that is one of this store's.
    pub fn layer_in(&self, directory: &Path) -> Option<Digest> {
        self.shared.store.layer_in(directory)
    }

    /// The config of an image, as it came. `None` when the image is not there.
    ///
    /// # Errors
    /// `io`.
    pub fn config(&self, id: &Digest) -> Result<Option<Vec<u8>>> {
        self.shared.store.config(id).map_err(|problem| remote(problem, id.as_str()))
    }

    /// The image in an archive or layout folder, and its first name there; `reference` says which one when there are
    /// several. Unpacks what is not there yet. When the future is dropped, nothing is left that anybody would take for an image.
    ///
    /// # Errors
    /// `invalid_spec` with the field `source.path` for what is no archive, or a hostile one, and with `source.reference` when
    /// it is not clear which image is meant; `limit_exceeded`, `out_of_disk`, `io`.
    pub async fn archive(
        &self,
        path: &Path,
        reference: Option<&str>,
        context: &Context,
    ) -> Result<(Image, Option<String>)> {
        let (store, path, reference) = (self.shared.store.clone(), path.to_owned(), reference.map(str::to_owned));
        let context = context.clone();
        let known = {
            let (store, path, reference) = (store.clone(), path.clone(), reference.clone());
            briefly(move || store.known_archive_image(&path, reference.as_deref())).await?
        };
        match known {
            Some(known) => Ok(known),
            None => offload(move |cancel| store.archive_image(&path, reference.as_deref(), &context, cancel)).await,
        }
    }

    /// The image that a reference stands for: fetched from its registry when it is not there, or asked for again, as
    /// [`ImageSource::pull`] says. `docker-daemon:NAME` is the image NAME of the local Docker, `sha256:...` one that is there.
    /// Several calls for one image share one fetch, also over processes.
    ///
    /// # Errors
    /// `image_not_found` when it is not there and may not be fetched, or there is none; and what
    /// [the registry](isobox_registry) says.
    pub async fn image(&self, source: &ImageSource, context: &Context) -> Result<(Image, Named)> {
        let never = source.pull == PullPolicy::Never;
        if let Some(name) = source.reference.strip_prefix(SCHEME) {
            if source.platform.is_some() || source.auth.is_some() {
                let reason = "is of the local Docker, which has neither platforms nor credentials to choose";
                return Err(Error::invalid_spec("source.reference", reason));
            }
            return match never {
                true => self.find(&source.reference, &Platform::here()).await?.ok_or_else(|| not_there(name)),
                false => self.daemon_image(name, context).await,
            };
        }
        if let Some(found) = self.by_id(&source.reference).await? {
            return Ok(found);
        }
        let reference = Reference::parse(&source.reference)?;
        let platform = source.platform.as_deref().map_or_else(|| Ok(Platform::here()), Platform::parse)?;
        let found = self.find(&reference.to_string(), &platform).await?;
        let enough = never || source.pull == PullPolicy::Missing || reference.digest().is_some();
        match found {
            Some(found) if enough => Ok(found),
            _ if never => Err(not_there(&source.reference)),
            _ => self.pull(&reference, &platform, source, context).await,
        }
    }

    async fn by_id(&self, reference: &str) -> Result<Option<(Image, Named)>> {
        let Ok(id) = reference.parse::<Digest>() else { return Ok(None) };
        let store = self.shared.store.clone();
        let image = briefly(move || store.image(&id).map_err(|problem| remote(problem, id.as_str()))).await?;
        let image = image.ok_or_else(|| not_there(reference))?;
        let named = Named {
            reference: image.id.to_string(),
            platform: image.platform.clone(),
            image: image.id.clone(),
            digest: image.digest.clone(),
            fetched_at: image.fetched_at,
        };
        Ok(Some((image, named)))
    }

    /// Begins the use of an image by `holder`, which is unique among all, for as long as `path` exists. The caller makes the
    /// path, or drops what this gives.
    ///
    /// # Errors
    /// `conflict`, to be tried again from the beginning, when the image was removed since it was found.
    pub fn hold(&self, holder: &str, path: &Path, image: &Image) -> Result<Hold> {
        let held = self.shared.store.hold(holder, path, image).map_err(|problem| remote(problem, image.id.as_str()))?;
        held.ok_or_else(|| removed(image.id.as_str()))
    }

    /// The same for single layers, as a snapshot needs that outlives its image.
    ///
    /// # Errors
    /// `conflict` when one of them is not there.
    pub fn hold_layers(&self, holder: &str, path: &Path, layers: &[Digest]) -> Result<Hold> {
        let held = self.shared.store.hold_layers(holder, path, layers).map_err(|problem| remote(problem, holder))?;
        held.ok_or_else(|| removed("a layer"))
    }
}

#[async_trait]
impl Images for LocalImages {
    async fn ensure(&self, image: &ImageSource, context: &Context) -> Result<ImageInfo> {
        let (image, named) = self.image(image, context).await?;
        Ok(infos(&image, &[named]).remove(0))
    }

    async fn list(&self) -> Result<Vec<ImageInfo>> {
        let store = self.shared.store.clone();
        briefly(move || {
            let (images, names) = store.everything().map_err(|problem| remote(problem, "list"))?;
            let of = |image: &Image| names.iter().filter(|named| named.image == image.id).cloned().collect::<Vec<_>>();
            Ok(sorted(images.iter().flat_map(|image| infos(image, &of(image))).collect()))
        })
        .await
    }

    /// Takes a name away, and the image with its layers when it was the last one. An id takes all names.
    async fn remove(&self, reference: &str, _context: &Context) -> Result<()> {
        let (store, name) = (self.shared.store.clone(), reference.to_owned());
        offload(move |_| match store.look_up(&name) {
            Ok((image, names)) => store.remove_image(&image.id, &names),
            Err(error) if error.code() == ErrorCode::ImageNotFound => Ok(()),
            Err(error) => Err(error),
        })
        .await
    }

    /// Takes all images of an archive that are for this machine, and gives them their names.
    async fn load(&self, archive: &Path, context: &Context) -> Result<Vec<ImageInfo>> {
        let (store, path, context) = (self.shared.store.clone(), archive.to_owned(), context.clone());
        let loaded = offload(move |cancel| store.load(&path, &context, cancel)).await?;
        Ok(sorted(loaded.into_iter().flat_map(|(image, names)| infos(&image, &names)).collect()))
    }

    async fn inspect(&self, reference: &str) -> Result<ImageDetails> {
        let (store, name) = (self.shared.store.clone(), reference.to_owned());
        briefly(move || store.details(&name)).await
    }

    async fn prune(&self, budget: u64, _context: &Context) -> Result<PrunedImages> {
        let store = self.shared.store.clone();
        offload(move |_| store.prune(budget).map_err(|problem| remote(problem, "prune"))).await
    }

    async fn usage(&self) -> Result<ImageUsage> {
        let store = self.shared.store.clone();
        briefly(move || store.disk_usage().map_err(|problem| remote(problem, "usage"))).await
    }
}

impl Store {
    fn known_archive_image(&self, path: &Path, reference: Option<&str>) -> Result<Option<(Image, Option<String>)>> {
        let shown = path.display().to_string();
        self.known_in_archive(path, reference, &shown)
    }

    /// What a whole name and a platform stand for.
    pub(crate) fn find(&self, name: &str, platform: &Platform) -> Result<Option<(Image, Named)>> {
        let inner = |problem| remote(problem, name);
        let Some(named) = self.named(name, platform).map_err(inner)? else { return Ok(None) };
        Ok(self.image(&named.image).map_err(inner)?.map(|image| (image, named)))
    }

    /// The image with a name or an id, and those of its names that are meant: none for an id.
    fn look_up(&self, name: &str) -> Result<(Image, Vec<Named>)> {
        let inner = |problem| remote(problem, name);
        let (images, names) = self.everything().map_err(inner)?;
        let hex = name.strip_prefix("sha256:").unwrap_or(name);
        let is_id = hex.len() >= 8 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_id && let Some(image) = images.iter().find(|image| image.id.hex().starts_with(hex)) {
            return Ok((image.clone(), Vec::new()));
        }
        let whole = whole_name(name)?;
        let meant: Vec<_> = names.into_iter().filter(|named| named.reference == whole).collect();
        // Of several platforms this machine's.
        let here = Platform::here();
        let first = meant.iter().find(|named| named.platform == here).or(meant.first());
        let image = first.and_then(|named| images.into_iter().find(|image| image.id == named.image));
        let image = image.ok_or_else(|| not_there(name))?;
        let names = meant.into_iter().filter(|named| named.image == image.id).collect();
        Ok((image, names))
    }
}

impl Store {
    fn details(&self, name: &str) -> Result<ImageDetails> {
        let (image, _) = self.look_up(name)?;
        let inner = |problem| remote(problem, name);
        let names: Vec<_> = self.names().map_err(inner)?.into_iter().filter(|named| named.image == image.id).collect();
        let config = self.config(&image.id).map_err(inner)?.unwrap_or_default();
        let digests: BTreeSet<_> = names.iter().filter_map(|named| Some(named.digest.as_ref()?.to_string())).collect();
        Ok(ImageDetails {
            id: image.id.to_string(),
            references: names.into_iter().map(|named| named.reference).collect(),
            digests: digests.into_iter().collect(),
            platform: image.platform.to_string(),
            created_at: image.created,
            fetched_at: image.fetched_at,
            size: image.bytes(),
            layers: image
                .layers
                .iter()
                .map(|part| ImageLayer { digest: part.diff_id.to_string(), size: part.bytes })
                .collect(),
            config: serde_json::from_slice(&config).unwrap_or_default(),
        })
    }
}

/// The first name of an image of an archive that is one.
pub(crate) fn first_name(known: &ArchivedImage) -> Option<String> {
    known.names.iter().find_map(|name| whole_name(name).ok())
}

/// A name as it is written down.
pub(crate) fn whole_name(name: &str) -> Result<String> {
    match name.starts_with(SCHEME) {
        true => Ok(name.to_owned()),
        false => Ok(Reference::parse(name)?.to_string()),
    }
}

fn infos(image: &Image, names: &[Named]) -> Vec<ImageInfo> {
    let info = |reference: String, digest: Option<&Digest>, at| ImageInfo {
        reference,
        id: Some(image.id.to_string()),
        digest: digest.map(ToString::to_string),
        platform: Some(image.platform.to_string()),
        size: Some(image.bytes()),
        fetched_at: Some(at),
    };
    if names.is_empty() {
        return vec![info(image.id.to_string(), image.digest.as_ref(), image.fetched_at)];
    }
    names.iter().map(|named| info(named.reference.clone(), named.digest.as_ref(), named.fetched_at)).collect()
}

fn sorted(mut infos: Vec<ImageInfo>) -> Vec<ImageInfo> {
    infos.sort_by(|a, b| (&a.reference, &a.platform).cmp(&(&b.reference, &b.platform)));
    infos
}

pub(crate) fn remote(problem: Problem, image: &str) -> Error {
    problem.explain(image, Origin::Remote)
}

fn not_there(reference: &str) -> Error {
    let message = format!("the image {} is not on this machine, pull or load it first", reference.escape_debug());
    Error::new(ErrorCode::ImageNotFound, message)
        .with_detail(Detail::Resource { resource: Resource::Image, id: reference.to_owned() })
}

fn removed(what: &str) -> Error {
    Error::new(ErrorCode::Conflict, format!("{what} was removed by somebody else just now, try again"))
}
