//! The images of this machine, for providers that make sandboxes here.

use crate::digest::Digest;
use crate::limits::Limits;
use crate::offload::{briefly, offload};
use crate::platform::Platform;
use crate::problem::{Origin, Problem};
use crate::reference::canonical;
use crate::store::{DiskUsage, Hold, Image, Named, Pruned, Store};
use crate::unpack::Owners;
use isobox_contract::{Context, Detail, Error, ErrorCode, ImageInfo, ImageSource, PullPolicy, Resource, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The images of one user of this machine. Cheap to clone; all clones are the same, and as many processes as want may have
/// one for the same directory.
#[derive(Clone, Debug)]
pub struct LocalImages {
    store: Arc<Store>,
}

/// Everything that is known of an image.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Details {
    /// The image.
    #[serde(flatten)]
    pub image: Image,
    /// Its names.
    pub names: Vec<Named>,
    /// Bytes of its files, shared layers counted once.
    pub bytes: u64,
    /// Its config, as it came.
    pub config: serde_json::Value,
}

impl LocalImages {
    /// The images below the library's home. Starts nothing.
    ///
    /// # Errors
    /// `io` when the directories cannot be made, `invalid_spec` when they belong to somebody else.
    pub fn open(home: &Path, owners: Owners, limits: Limits) -> Result<Self> {
        Ok(Self { store: Arc::new(Store::open(home, owners, limits)?) })
    }

    /// Whom the files of its layers belong to.
    pub fn owners(&self) -> Owners {
        self.store.owners()
    }

    /// The directory of a layer, to be mounted while its image is held.
    pub fn layer(&self, diff_id: &Digest) -> PathBuf {
        self.store.layer(diff_id)
    }

    /// The image in an archive or layout folder; `reference` says which one when there are several. Unpacks what is not
    /// there yet. When the future is dropped, nothing is left that anybody would take for an image.
    ///
    /// # Errors
    /// `invalid_spec` with the field `source.path` for what is no archive, or a hostile one, and with `source.reference` when
    /// it is not clear which image is meant; `limit_exceeded`, `out_of_disk`, `io`.
    pub async fn archive(&self, path: &Path, reference: Option<&str>, context: &Context) -> Result<Image> {
        let (store, path, reference) = (self.store.clone(), path.to_owned(), reference.map(str::to_owned));
        let context = context.clone();
        let known = {
            let (store, path, reference) = (store.clone(), path.clone(), reference.clone());
            briefly(move || store.known_archive_image(&path, reference.as_deref())).await?
        };
        match known {
            Some(image) => Ok(image),
            None => offload(move |cancel| store.archive_image(&path, reference.as_deref(), &context, cancel)).await,
        }
    }

    /// The image that a reference stands for.
    ///
    /// # Errors
    /// `image_not_found` when it is not there and may not be, or cannot be, fetched.
    pub async fn image(&self, source: &ImageSource, context: &Context) -> Result<(Image, Named)> {
        let _ = context;
        let (store, source) = (self.store.clone(), source.clone());
        briefly(move || {
            let found = store.find(&source.reference, source.platform.as_deref())?;
            match (found, source.pull) {
                (Some(found), PullPolicy::Missing | PullPolicy::Never) => Ok(found),
                _ => Err(not_there(&source.reference)),
            }
        })
        .await
    }

    /// Begins the use of an image by `holder`, which is unique among all, for as long as `path` exists. The caller makes the
    /// path, or drops what this gives.
    ///
    /// # Errors
    /// `conflict`, to be tried again from the beginning, when the image was removed since it was found.
    pub fn hold(&self, holder: &str, path: &Path, image: &Image) -> Result<Hold> {
        let held = self.store.hold(holder, path, image).map_err(|problem| remote(problem, image.id.as_str()))?;
        held.ok_or_else(|| removed(image.id.as_str()))
    }

    /// The same for single layers, as a snapshot needs that outlives its image.
    ///
    /// # Errors
    /// `conflict` when one of them is not there.
    pub fn hold_layers(&self, holder: &str, path: &Path, layers: &[Digest]) -> Result<Hold> {
        let held = self.store.hold_layers(holder, path, layers).map_err(|problem| remote(problem, holder))?;
        held.ok_or_else(|| removed("a layer"))
    }

    /// Takes all images of an archive that are for this machine, and gives them their names.
    ///
    /// # Errors
    /// As [`archive`](Self::archive).
    pub async fn load(&self, path: &Path, context: &Context) -> Result<Vec<ImageInfo>> {
        let (store, path, context) = (self.store.clone(), path.to_owned(), context.clone());
        let loaded = offload(move |cancel| store.load(&path, &context, cancel)).await?;
        let infos = loaded.into_iter().flat_map(|(image, names)| infos(&image, &names)).collect();
        Ok(sorted(infos))
    }

    /// Every name that stands for an image which is there, and every image that has none.
    ///
    /// # Errors
    /// `io`.
    pub async fn list(&self) -> Result<Vec<ImageInfo>> {
        let store = self.store.clone();
        briefly(move || {
            let (images, names) = store.everything().map_err(|problem| remote(problem, "list"))?;
            let of = |image: &Image| names.iter().filter(|named| named.image == image.id).cloned().collect::<Vec<_>>();
            Ok(sorted(images.iter().flat_map(|image| infos(image, &of(image))).collect()))
        })
        .await
    }

    /// Everything that is known of an image, by a name or an id.
    ///
    /// # Errors
    /// `image_not_found`.
    pub async fn inspect(&self, name: &str) -> Result<Details> {
        let (store, name) = (self.store.clone(), name.to_owned());
        briefly(move || {
            let (image, _) = store.look_up(&name)?;
            let inner = |problem| remote(problem, &name);
            let names = store.names().map_err(inner)?.into_iter().filter(|named| named.image == image.id).collect();
            let config = store.config(&image.id).map_err(inner)?.unwrap_or_default();
            let config = serde_json::from_slice(&config).unwrap_or_default();
            Ok(Details { names, bytes: image.bytes(), config, image })
        })
        .await
    }

    /// Takes a name away, and the image with its layers when it was the last one. An id takes all names. What is not there
    /// is fine.
    ///
    /// # Errors
    /// `conflict` while a sandbox uses it.
    pub async fn remove(&self, name: &str) -> Result<Pruned> {
        let (store, name) = (self.store.clone(), name.to_owned());
        offload(move |_| match store.look_up(&name) {
            Ok((image, names)) => store.remove_image(&image.id, &names, names.is_empty()),
            Err(error) if error.code() == ErrorCode::ImageNotFound => Ok(Pruned::default()),
            Err(error) => Err(error),
        })
        .await
    }

    /// Takes images away, the least recently used first, until all layers together have at most `budget` bytes. What is in
    /// use stays.
    ///
    /// # Errors
    /// `io`.
    pub async fn prune(&self, budget: u64) -> Result<Pruned> {
        let store = self.store.clone();
        offload(move |_| store.prune(budget).map_err(|problem| remote(problem, "prune"))).await
    }

    /// How much the images take.
    ///
    /// # Errors
    /// `io`.
    pub async fn disk_usage(&self) -> Result<DiskUsage> {
        let store = self.store.clone();
        briefly(move || store.disk_usage().map_err(|problem| remote(problem, "disk usage"))).await
    }
}

impl Store {
    fn known_archive_image(&self, path: &Path, reference: Option<&str>) -> Result<Option<Image>> {
        let shown = path.display().to_string();
        self.known_in_archive(path, reference, &shown)
    }

    /// What a name and a platform stand for; this machine's platform when none is given.
    fn find(&self, reference: &str, platform: Option<&str>) -> Result<Option<(Image, Named)>> {
        let reference = canonical(reference)?;
        let platform = platform.map_or_else(|| Ok(Platform::here()), Platform::parse)?;
        let inner = |problem| remote(problem, &reference);
        let Some(named) = self.named(&reference, &platform).map_err(inner)? else { return Ok(None) };
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
        let whole = canonical(name)?;
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

fn infos(image: &Image, names: &[Named]) -> Vec<ImageInfo> {
    let info = |reference: String, digest: Option<&Digest>, at| ImageInfo {
        reference,
        digest: digest.map(ToString::to_string),
        platform: Some(image.platform.to_string()),
        size: Some(image.bytes()),
        fetched_at: Some(at),
    };
    if names.is_empty() {
        return vec![info(image.id.to_string(), None, image.fetched_at)];
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
