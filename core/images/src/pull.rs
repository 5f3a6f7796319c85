//! From a registry into the store: each layer is fetched, unpacked and forgotten.
//!
//! ```text
//!   pull-XX ─▶ resolve ─▶ for each missing layer, three at a time:  layer-XX ─▶ fetch ─▶ unpack ─▶ remove the blob
//!                                                                                        └── two at a time
//!              └────────────────────────────────────────────────▶ register ─▶ name
//! ```
//!
//! Whoever waits for `pull-XX` or `layer-XX` finds the image or the layer there afterwards, so processes that want the same
//! fetch it once. A fetch that broke off goes on from its blob, in this process or the next.

use crate::digest::Digest;
use crate::document::Config;
use crate::offload::{briefly, offload};
use crate::platform::Platform;
use crate::problem::{Outcome, Problem};
use crate::service::{LocalImages, remote};
use crate::store::{Image, Lock, Named};
use futures::stream::{StreamExt, TryStreamExt};
use isobox_contract::{Action, Context, Error, ErrorCode, ImageSource, Result, Timestamp};
use isobox_registry::{Blob, LayerProgress, Pull, Reference, Registry, RegistryConfig, Resolved};
use std::collections::BTreeSet;
use std::fs::File;
use tokio::sync::Semaphore;

/// How many layers are fetched at a time.
const FETCHES: usize = 3;
/// How many of these are unpacked at a time.
const UNPACKS: usize = 2;

impl LocalImages {
    /// Fetches what a reference stands for now, unless all of it is there.
    pub(crate) async fn pull(
        &self,
        reference: &Reference,
        platform: &Platform,
        source: &ImageSource,
        context: &Context,
    ) -> Result<(Image, Named)> {
        let begun = Timestamp::now();
        let name = reference.to_string();
        let _flight = self.lock("pull", Digest::of(format!("{name} {platform}").as_bytes())).await?;
        // Somebody else may have fetched it while this waited.
        if let Some(found) = self.find(&name, platform).await?
            && found.1.fetched_at >= begun
        {
            return Ok(found);
        }
        let pull = self.registry()?.pull(reference, source.auth.as_ref())?;
        if let Some(found) = self.unchanged(&pull, &name, platform, context).await? {
            return Ok(found);
        }
        let wanted = platform.to_string().parse()?;
        let resolved = pull.resolve(Some(&wanted), context.deadline).await?;
        let digest: Option<Digest> = resolved.digest.to_string().parse().ok();
        let image = match self.whole(&resolved).await? {
            Some(image) => image,
            None => self.fetch(&pull, &resolved, &name, context).await?,
        };
        let named = Named {
            reference: name,
            platform: platform.clone(),
            image: image.id.clone(),
            digest,
            fetched_at: Timestamp::now(),
        };
        self.name(&named).await?;
        Ok((image, named))
    }

    /// The image that is there, when the registry says that the name still stands for it. A small question: nothing of the
    /// image is fetched for it.
    async fn unchanged(
        &self,
        pull: &Pull,
        name: &str,
        platform: &Platform,
        context: &Context,
    ) -> Result<Option<(Image, Named)>> {
        let Some((image, named)) = self.find(name, platform).await? else { return Ok(None) };
        let Some(known) = &named.digest else { return Ok(None) };
        if pull.digest(context.deadline).await?.to_string() != known.as_str() {
            return Ok(None);
        }
        let named = Named { fetched_at: Timestamp::now(), ..named };
        self.name(&named).await?;
        Ok(Some((image, named)))
    }

    fn registry(&self) -> Result<&Registry> {
        if let Some(registry) = self.shared.registry.get() {
            return Ok(registry);
        }
        let made = Registry::new(RegistryConfig::load(&self.shared.home)?)?;
        Ok(self.shared.registry.get_or_init(|| made))
    }

    /// The image, when all its layers came with another name or from an archive.
    async fn whole(&self, resolved: &Resolved) -> Result<Option<Image>> {
        let (store, id) = (self.shared.store.clone(), Digest::of(&resolved.config));
        briefly(move || store.image(&id).map_err(|problem| remote(problem, id.as_str()))).await
    }

    async fn fetch(&self, pull: &Pull, resolved: &Resolved, name: &str, context: &Context) -> Result<Image> {
        let config = Config::parse(&resolved.config).map_err(|problem| remote(problem, name))?;
        let (diff_ids, layers) = (&config.rootfs.diff_ids, &resolved.manifest.layers);
        if diff_ids.len() != layers.len() {
            let reason = format!("it names {} layers and its config {}", layers.len(), diff_ids.len());
            return Err(remote(Problem::corrupt("the manifest", reason), name));
        }
        let store = self.shared.store.clone();
        let importing = {
            let (store, name) = (store.clone(), name.to_owned());
            offload(move |_| store.importing().map_err(|problem| remote(problem, &name))).await?
        };
        let mut known = BTreeSet::new();
        let distinct = diff_ids.iter().zip(layers).filter(|(diff_id, _)| known.insert(*diff_id));
        let unpacks = Semaphore::new(UNPACKS);
        let one = |(diff_id, layer): (&Digest, &isobox_registry::Layer)| {
            self.layer_of(pull, diff_id.clone(), layer.blob.clone(), name.to_owned(), context, &unpacks)
        };
        let work = distinct.map(one).collect::<Vec<_>>();
        futures::stream::iter(work).buffer_unordered(FETCHES).try_collect::<Vec<()>>().await?;
        let (bytes, name) = (resolved.config.clone(), name.to_owned());
        let digest = resolved.digest.to_string().parse().ok();
        briefly(move || {
            let registered = store.register(&bytes, &config, digest.as_ref());
            let registered = registered.map_err(|problem| remote(problem, &name))?;
            drop(importing);
            let image = registered.ok_or_else(|| {
                Error::new(ErrorCode::Conflict, "layers were removed while they were fetched, try again")
            })?;
            store.sync_later(&image);
            Ok(image)
        })
        .await
    }

    async fn layer_of(
        &self,
        pull: &Pull,
        diff_id: Digest,
        blob: Blob,
        name: String,
        context: &Context,
        unpacks: &Semaphore,
    ) -> Result<()> {
        let lock = self.lock("layer", diff_id.clone()).await?;
        let store = self.shared.store.clone();
        if store.is_layer(&diff_id).map_err(|problem| remote(problem, &name))? {
            return Ok(());
        }
        let path = store.blob(&blob.digest.to_string().parse().map_err(|_| Error::internal("a digest is none"))?);
        let progress = LayerProgress::new(context.events.clone(), Action::Pull, &blob);
        pull.fetch(&blob, &path, &progress, context.deadline).await?;
        let _turn = unpacks.acquire().await.map_err(|_| Error::internal("nobody closes it"))?;
        offload(move |cancel| {
            let unpack = || -> Outcome {
                let file = File::open(&path).map_err(|error| Problem::io("open a layer", error))?;
                let unpacked = store.unpack_layer(&diff_id, Box::new(file), cancel, &lock);
                if !matches!(unpacked, Err(Problem::Cancelled | Problem::Io { .. })) {
                    // It is unpacked, or will never be.
                    let _ = std::fs::remove_file(&path);
                }
                unpacked
            };
            unpack().map_err(|problem| remote(problem, &name))
        })
        .await
    }

    /// Waits for a lock; whoever drops the future does not hold it.
    pub(crate) async fn lock(&self, kind: &'static str, what: Digest) -> Result<Lock> {
        let store = self.shared.store.clone();
        offload(move |_| store.lock_one(kind, &what).map_err(|problem| remote(problem, what.as_str()))).await
    }

    pub(crate) async fn name(&self, named: &Named) -> Result<()> {
        let (store, named) = (self.shared.store.clone(), named.clone());
        briefly(move || store.name(&named).map_err(|problem| remote(problem, &named.reference))).await
    }

    pub(crate) async fn find(&self, name: &str, platform: &Platform) -> Result<Option<(Image, Named)>> {
        let (store, name, platform) = (self.shared.store.clone(), name.to_owned(), platform.clone());
        briefly(move || store.find(&name, &platform)).await
    }
}
