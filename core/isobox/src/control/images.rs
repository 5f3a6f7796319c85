//! What is written down of images.
//!
//! ```text
//!   a change is begun ──▶ the provider fetches or removes ──▶ what it has now is written down, and the change is over
//!                              └─ its process is dead, or its caller is gone ────▲
//! ```
//!
//! The provider has the truth, and is asked for all of it: whoever has changed something looks after that, so that the last one who
//! looks has seen every change. The store refuses a list that is older than what it has.

use super::{Control, Pass, Reconciled, in_background};
use crate::registry::Registry;
use isobox_contract::{Capability, Error, ErrorCode, ImageInfo, OperationId, Provider, Result};
use isobox_control::{ImageChange, ImageEntry, ImageList, Store};
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// How long to look again when others write down what they have seen at the same time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether all images of a provider can be asked for, and so written down.
fn tells(provider: &dyn Provider) -> bool {
    provider.capabilities().has(Capability::ImagesManage) && provider.images().is_some()
}

impl Control {
    /// Does something after which a provider may have other images, and writes them down.
    pub(crate) async fn change_images<T>(
        &self,
        provider: &Arc<dyn Provider>,
        operation: OperationId,
        change: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        if !tells(&**provider) {
            return change.await;
        }
        // Before it is written: whoever stops waiting for that does not know whether it was.
        let changing = Changing { store: self.store().clone(), provider: provider.clone(), operation: Some(operation) };
        let (kind, owner) = (provider.kind().clone(), Some(self.owner()));
        self.store().begin_image_change(ImageChange { operation, provider: kind, owner }).await?;
        isobox_fault::point!("image.intended");
        let changed = change.await;
        isobox_fault::point!("image.changed");
        changing.over().await;
        changed
    }

    /// The images that a provider has, after that is written down.
    pub(crate) async fn images_of(&self, provider: &dyn Provider) -> Result<Vec<ImageEntry>> {
        let mut ended = Vec::new();
        for change in self.store().image_changes().await? {
            if change.provider == *provider.kind() && self.is_over(&change).await? {
                ended.push(change.operation);
            }
        }
        settle(&**self.store(), provider, ended).await
    }

    /// Writes down what came with a sandbox that is made, or with one that failed.
    pub(crate) async fn images_after(&self, provider: &dyn Provider, operation: OperationId) {
        let settled = async {
            let changes = self.store().image_changes().await?;
            match changes.iter().any(|change| change.operation == operation) && tells(provider) {
                true => settle(&**self.store(), provider, vec![operation]).await.map(drop),
                false => Ok(()),
            }
        };
        told(settled.await);
    }

    /// Whether nobody changes anything any more.
    async fn is_over(&self, change: &ImageChange) -> Result<bool> {
        if self.is_dead(change.owner).await? {
            return Ok(true);
        }
        // A create that has ended has changed what it could; other changes are no operations of the store.
        match self.store().operation(&change.operation).await {
            Err(error) if error.code() == ErrorCode::NotFound => Ok(false),
            found => Ok(!found?.state.is_running()),
        }
    }

    /// Writes down what dead processes have changed; with `all`, whatever there is.
    pub(super) async fn reconcile_images(&self, registry: &Registry, pass: Pass, done: &mut Reconciled) -> Result<()> {
        if pass.dry_run {
            return Ok(());
        }
        let mut ended: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for change in self.store().image_changes().await? {
            if self.is_over(&change).await? {
                ended.entry(change.provider).or_default().push(change.operation);
            }
        }
        if pass.all {
            registry.kinds().into_iter().for_each(|kind| _ = ended.entry(kind).or_default());
        }
        for (kind, ended) in ended {
            // One that does not work on this machine has nothing here.
            let Ok(provider) = registry.named(kind.as_str()) else { continue };
            if !tells(&*provider) {
                continue;
            }
            match settle(&**self.store(), &*provider, ended).await {
                // It waits until the engine is there, if there ever is one.
                Err(error) if error.code() == ErrorCode::EngineUnavailable => {}
                Err(error) => done.failed.push(format!("the images of {kind}: {error}")),
                Ok(_) => {}
            }
        }
        Ok(())
    }
}

/// A change that is not over. Dropping it writes down what came of it in the background.
struct Changing {
    store: Arc<dyn Store>,
    provider: Arc<dyn Provider>,
    operation: Option<OperationId>,
}

impl Changing {
    async fn over(mut self) {
        if let Some(operation) = self.operation {
            // What was asked for is done all the same; whoever looks next writes it down.
            told(settle(&*self.store, &*self.provider, vec![operation]).await.map(drop));
        }
        self.operation = None;
    }
}

impl Drop for Changing {
    fn drop(&mut self) {
        let Some(operation) = self.operation.take() else { return };
        let (store, provider) = (self.store.clone(), self.provider.clone());
        in_background(async move { told(settle(&*store, &*provider, vec![operation]).await.map(drop)) });
    }
}

fn told(settled: Result<()>) {
    if let Err(error) = settled {
        tracing::warn!(code = %error.code(), "the images are not written down, whoever lists them does that");
    }
}

/// Asks a provider what it has and writes it down, again when somebody else has written meanwhile.
async fn settle(store: &dyn Store, provider: &dyn Provider, ended: Vec<OperationId>) -> Result<Vec<ImageEntry>> {
    let settled = async {
        loop {
            let known = store.images(provider.kind()).await?;
            let there = facet(provider)?.list().await?;
            let images = there.into_iter().map(|image| entry(provider, image, &known)).collect();
            let list = ImageList::new(known.revision, images);
            let nothing_new = ended.is_empty() && known == list;
            if nothing_new || store.settle_images(provider.kind(), list.clone(), ended.clone()).await? {
                return Ok(list.images);
            }
        }
    };
    let settled = tokio::time::timeout(PATIENCE, settled).await;
    settled.unwrap_or_else(|_| Err(Error::timeout("writing down the images", PATIENCE)))
}

fn facet(provider: &dyn Provider) -> Result<&dyn isobox_contract::Images> {
    provider.images().ok_or_else(|| Error::unsupported(Capability::ImagesManage).with_provider(provider.kind()))
}

/// What is written down of an image, with when it was last used.
fn entry(provider: &dyn Provider, image: ImageInfo, known: &ImageList) -> ImageEntry {
    let used = known.images.iter().filter(|known| known.id == image.id).filter_map(|known| known.used_at).max();
    ImageEntry {
        provider: provider.kind().clone(),
        reference: image.reference,
        id: image.id,
        digest: image.digest,
        platform: image.platform,
        size: image.size,
        fetched_at: image.fetched_at,
        used_at: used,
    }
}
