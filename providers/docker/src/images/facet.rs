//! The images as everybody sees them.

use super::{Library, Named, list};
use async_trait::async_trait;
use bollard::query_parameters::RemoveImageOptions;
use isobox_contract::{
    Context, Error, ErrorCode, ImageDetails, ImageInfo, ImageSource, ImageUsage, Images, PrunedImages, Resource, Result,
};
use std::path::Path;

#[async_trait]
impl Images for Library {
    async fn ensure(&self, image: &ImageSource, context: &Context) -> Result<ImageInfo> {
        let found = self.obtain(image, context).await?;
        let entry = self.books.entry(&found.id);
        Ok(list::info(&found, entry))
    }

    async fn list(&self) -> Result<Vec<ImageInfo>> {
        self.all().await
    }

    async fn remove(&self, reference: &str, _context: &Context) -> Result<()> {
        let name = Named::parse(reference)?;
        let Some(found) = self.look(&name).await? else { return Ok(()) };
        match &name {
            Named::Id(id) => {
                // The engine removes an id with several names only when it is forced to, which would not mind who uses it.
                for tag in found.inspected.repo_tags.iter().flatten() {
                    self.take_away(tag).await?;
                }
                self.take_away(id).await?;
            }
            Named::Local(_) | Named::Registry(_) => self.take_away(&name.for_engine()).await?,
        }
        if self.look(&Named::Id(found.id.clone())).await?.is_none() {
            self.books.forget(&found.id);
        }
        Ok(())
    }

    async fn load(&self, archive: &Path, context: &Context) -> Result<Vec<ImageInfo>> {
        let loaded = self.loaded(archive, context).await?;
        Ok(loaded.iter().map(|found| list::info(found, self.books.entry(&found.id))).collect())
    }

    async fn inspect(&self, reference: &str) -> Result<ImageDetails> {
        let name = Named::parse(reference)?;
        let found = self.look(&name).await?;
        let found = found.ok_or_else(|| {
            let message = format!("docker has no image {name}, pull it first");
            let detail = isobox_contract::Detail::Resource { resource: Resource::Image, id: name.to_string() };
            Error::new(ErrorCode::ImageNotFound, message).with_detail(detail)
        })?;
        self.details(&found).await
    }

    async fn prune(&self, budget: u64, context: &Context) -> Result<PrunedImages> {
        context.remaining("image.prune")?;
        self.pruned(budget).await
    }

    async fn usage(&self) -> Result<ImageUsage> {
        self.used().await
    }
}

impl Library {
    /// Removes a name, or an image without one. What is not there is fine; `conflict` for one that a container uses.
    pub(super) async fn take_away(&self, name: &str) -> Result<()> {
        let removed = self.engine.api().remove_image(name, None::<RemoveImageOptions>, None).await;
        let removed = removed.map(drop).map_err(self.engine.failed_on("remove the image", Resource::Image, name));
        // Waiting does not help: somebody has to remove the container.
        let lasting = |error: Error| if error.code() == ErrorCode::Conflict { error.retryable(false) } else { error };
        match removed.map_err(lasting) {
            // Somebody else has removed it between the engine's look and its removal.
            Err(error) if error.message().contains("unrecognized image ID") => Ok(()),
            removed => crate::client::or_absent(removed),
        }
    }
}
