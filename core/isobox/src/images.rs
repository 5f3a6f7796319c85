//! The images that a provider has at hand.

use crate::builder::ImageReference;
use crate::control::{Both, Told};
use crate::isobox::Isobox;
use crate::local;
use isobox_contract::{
    Action, Capability, Context, Error, EventSink, ImageDetails, ImageInfo, ImageUsage, Isolation, Provider,
    PrunedImages, Result, Subject,
};
use isobox_control::ImageEntry;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long fetching or loading an image may take.
pub const DEFAULT_PULL_TIMEOUT: Duration = Duration::from_secs(3600);

/// The images that a provider has at hand; from [`Isobox::images`]. Cheap to clone.
///
/// A sandbox that is made from an image fetches it when it is not there; this is for doing that ahead of time, and for
/// looking at what is there and removing it.
///
/// ```no_run
/// # async fn example() -> isobox::Result<()> {
/// let isobox = isobox::Isobox::open().await?;
/// let images = isobox.images();
/// images.pull("alpine:3.22").await?;
/// for image in images.list().await? {
///     println!("{} {:?}", image.reference, image.size);
/// }
/// images.prune(10 << 30).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Images {
    isobox: Isobox,
    provider: Option<String>,
}

impl Isobox {
    /// The images of the default provider.
    pub fn images(&self) -> Images {
        Images { isobox: self.clone(), provider: None }
    }
}

impl Images {
    /// Those of another provider.
    pub fn provider(mut self, name: impl Into<String>) -> Self {
        self.provider = Some(name.into());
        self
    }

    /// Fetches an image unless it is there, and says what it is. Several calls for one image share one fetch, also over
    /// processes. Takes at most [`DEFAULT_PULL_TIMEOUT`].
    pub async fn pull(&self, image: impl Into<ImageReference>) -> Result<ImageInfo> {
        self.pull_with(image, Context::quiet().events).await
    }

    /// The same, and tells `events` how far it is.
    pub async fn pull_with(&self, image: impl Into<ImageReference>, events: Arc<dyn EventSink>) -> Result<ImageInfo> {
        let provider = self.needs(Capability::ImagesPull).await?;
        let image = image.into().into_source();
        let (told, context) = self.context(&*provider, &image.reference, events);
        let pulled = within(facet(&*provider)?.ensure(&image, &context), "image.pull");
        let pulled = self.isobox.control().change_images(&provider, context.operation, pulled);
        told.operation(Action::Pull, pulled).await
    }

    /// Takes the images of an archive or layout folder of this machine that are for this machine, and gives them the names
    /// that they have there. Takes at most [`DEFAULT_PULL_TIMEOUT`].
    pub async fn load(&self, archive: impl AsRef<Path>) -> Result<Vec<ImageInfo>> {
        self.load_with(archive, Context::quiet().events).await
    }

    /// The same, and tells `events` how far it is.
    pub async fn load_with(&self, archive: impl AsRef<Path>, events: Arc<dyn EventSink>) -> Result<Vec<ImageInfo>> {
        let provider = self.needs(Capability::ImagesLoad).await?;
        let archive = local::absolute(archive.as_ref());
        let name = archive.file_name().unwrap_or_default().to_string_lossy();
        let (told, context) = self.context(&*provider, &name, events);
        let loaded = within(facet(&*provider)?.load(&archive, &context), "image.load");
        told.operation(Action::Pull, self.isobox.control().change_images(&provider, context.operation, loaded)).await
    }

    /// Every name of an image that is there, and every image that has none.
    pub async fn list(&self) -> Result<Vec<ImageInfo>> {
        Ok(self.records().await?.into_iter().map(info).collect())
    }

    /// The same with what isobox has written down of them: when a sandbox was last made from each.
    pub async fn records(&self) -> Result<Vec<ImageEntry>> {
        let provider = self.needs(Capability::ImagesManage).await?;
        self.isobox.control().images_of(&*provider).await
    }

    /// Everything that is known of an image, by a name or its id. `image_not_found` when it is not there.
    pub async fn inspect(&self, name: &str) -> Result<ImageDetails> {
        let provider = self.needs(Capability::ImagesManage).await?;
        facet(&*provider)?.inspect(name).await
    }

    /// Removes a name, and the image when that was its last one. An id removes it with all names. What is not there is fine;
    /// `conflict` while a sandbox uses it.
    pub async fn remove(&self, name: &str) -> Result<()> {
        let provider = self.needs(Capability::ImagesManage).await?;
        let context = Context::quiet();
        let removed = facet(&*provider)?.remove(name, &context);
        self.isobox.control().change_images(&provider, context.operation, removed).await
    }

    /// Removes images that no sandbox uses, the least recently used first, until all together have at most `budget` bytes:
    /// zero removes everything that is not in use.
    pub async fn prune(&self, budget: u64) -> Result<PrunedImages> {
        let provider = self.needs(Capability::ImagesManage).await?;
        let context = Context::quiet();
        let pruned = facet(&*provider)?.prune(budget, &context);
        self.isobox.control().change_images(&provider, context.operation, pruned).await
    }

    /// How much the images take.
    pub async fn usage(&self) -> Result<ImageUsage> {
        let provider = self.needs(Capability::ImagesManage).await?;
        facet(&*provider)?.usage().await
    }

    /// What an operation on an image is told, and where it is told what comes of it.
    fn context(&self, provider: &dyn Provider, name: &str, events: Arc<dyn EventSink>) -> (Told, Context) {
        let mut context = Context::new(events);
        context.deadline = Instant::now().checked_add(DEFAULT_PULL_TIMEOUT);
        let subject = Subject::Image { reference: name.to_owned() };
        let told = self.isobox.control().told(provider.kind(), subject, Some(context.operation));
        context.events = Both::new(context.events, told.clone());
        (told, context)
    }

    async fn needs(&self, capability: Capability) -> Result<Arc<dyn Provider>> {
        let provider = self.isobox.choose(self.provider.as_deref(), Isolation::None).await?;
        provider.capabilities().require(capability).map_err(|error| error.with_provider(provider.kind()))?;
        Ok(provider)
    }
}

fn info(entry: ImageEntry) -> ImageInfo {
    let ImageEntry { reference, id, digest, platform, size, fetched_at, .. } = entry;
    ImageInfo { reference, id, digest, platform, size, fetched_at }
}

fn facet(provider: &dyn Provider) -> Result<&dyn isobox_contract::Images> {
    provider.images().ok_or_else(|| Error::unsupported(Capability::ImagesPull).with_provider(provider.kind()))
}

async fn within<T>(work: impl Future<Output = Result<T>>, operation: &str) -> Result<T> {
    let done = tokio::time::timeout(DEFAULT_PULL_TIMEOUT, work).await;
    done.unwrap_or_else(|_| Err(Error::timeout(operation, DEFAULT_PULL_TIMEOUT)))
        .map_err(|error| error.with_operation(operation))
}
