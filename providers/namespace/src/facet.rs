//! The images of this provider as everybody sees them: those of all its stores together.

use crate::images::Library;
use async_trait::async_trait;
use isobox_contract::{
    Context, ErrorCode, ImageDetails, ImageInfo, ImageSource, ImageUsage, Images, PrunedImages, Result,
};
use std::collections::BTreeSet;
use std::path::Path;

#[async_trait]
impl Images for Library {
    async fn ensure(&self, image: &ImageSource, context: &Context) -> Result<ImageInfo> {
        self.main()?.ensure(image, context).await
    }

    async fn list(&self) -> Result<Vec<ImageInfo>> {
        let mut all: Vec<ImageInfo> = Vec::new();
        for images in self.all()? {
            let known =
                |info: &ImageInfo| all.iter().any(|other| (&other.reference, &other.id) == (&info.reference, &info.id));
            let more: Vec<_> = images.list().await?.into_iter().filter(|info| !known(info)).collect();
            all.extend(more);
        }
        all.sort_by(|a, b| (&a.reference, &a.platform).cmp(&(&b.reference, &b.platform)));
        Ok(all)
    }

    async fn remove(&self, reference: &str, context: &Context) -> Result<()> {
        for images in self.all()? {
            images.remove(reference, context).await?;
        }
        Ok(())
    }

    async fn load(&self, archive: &Path, context: &Context) -> Result<Vec<ImageInfo>> {
        self.main()?.load(archive, context).await
    }

    async fn inspect(&self, reference: &str) -> Result<ImageDetails> {
        let mut found = self.main()?.inspect(reference).await;
        for images in self.all()?.into_iter().skip(1) {
            match &found {
                Err(error) if error.code() == ErrorCode::ImageNotFound => {}
                _ => break,
            }
            // The first one says what is missing.
            found = images.inspect(reference).await.or(found);
        }
        found
    }

    /// The budget is for all together, and the main store comes first.
    async fn prune(&self, budget: u64, context: &Context) -> Result<PrunedImages> {
        let mut all = PrunedImages::default();
        let mut ids = BTreeSet::new();
        for images in self.all()? {
            let pruned = images.prune(budget.saturating_sub(all.left), context).await?;
            ids.extend(pruned.images);
            all.freed += pruned.freed;
            all.left += pruned.left;
        }
        all.images = ids.into_iter().collect();
        Ok(all)
    }

    async fn usage(&self) -> Result<ImageUsage> {
        let mut all = ImageUsage::default();
        for images in self.all()? {
            let usage = images.usage().await?;
            all.layers += usage.layers;
            all.size += usage.size;
            all.in_use += usage.in_use;
        }
        let ids: BTreeSet<_> = self.list().await?.into_iter().map(|info| info.id).collect();
        all.images = ids.len() as u64;
        Ok(all)
    }
}
