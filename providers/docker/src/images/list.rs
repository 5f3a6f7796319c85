//! What is here, and removing what nobody needs.

use super::books::Entry;
use super::found::Found;
use super::{Library, Named, is_ours};
use bollard::query_parameters::ListImagesOptions;
use futures::{StreamExt, TryStreamExt};
use isobox_contract::{ErrorCode, ImageDetails, ImageInfo, ImageLayer, PrunedImages, Result, Timestamp};
use isobox_registry::Reference;

/// Images that the engine is asked about at once.
const AT_ONCE: usize = 8;

impl Library {
    /// Every name of every image, and images without one.
    pub(super) async fn all(&self) -> Result<Vec<ImageInfo>> {
        let mut all = Vec::new();
        for found in self.every().await? {
            let entry = self.books.entry(&found.id);
            let tags = found.inspected.repo_tags.iter().flatten();
            // Images that isobox makes are listed as what they are: snapshots, and parts of sandboxes.
            let (own, names): (Vec<_>, Vec<_>) = tags.partition(|tag| is_ours(tag));
            if names.is_empty() && own.is_empty() {
                all.push(ImageInfo { reference: found.id.clone(), ..info(&found, entry) });
            }
            for name in names {
                let reference = Reference::parse(name).map_or_else(|_| name.clone(), |name| name.to_string());
                all.push(ImageInfo { reference, ..info(&found, entry) });
            }
        }
        all.sort_by(|a, b| (&a.reference, &a.platform).cmp(&(&b.reference, &b.platform)));
        Ok(all)
    }

    /// Every image once.
    async fn every(&self) -> Result<Vec<Found>> {
        let listed = self.engine.api().list_images(None::<ListImagesOptions>).await;
        let listed = listed.map_err(self.engine.failed("list its images"))?;
        let looked = futures::stream::iter(
            listed.into_iter().map(|summary| async move { self.look(&Named::Id(summary.id)).await }),
        );
        // One that is removed meanwhile is none.
        let found: Vec<_> = looked.buffered(AT_ONCE).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Everything that is known of one.
    pub(super) async fn details(&self, found: &Found) -> Result<ImageDetails> {
        let inspected = &found.inspected;
        let created_at: Option<Timestamp> = inspected.created.as_ref().and_then(|at| at.parse().ok());
        let fetched = self.books.entry(&found.id).and_then(|entry| entry.fetched);
        let tagged = inspected.metadata.as_ref().and_then(|metadata| metadata.last_tag_time.as_ref()?.parse().ok());
        let known = |at: &Timestamp| at.unix().0 > 0;
        let fetched_at = fetched.or(tagged.filter(known)).or(created_at).unwrap_or_else(Timestamp::now);
        let layers = inspected.root_fs.as_ref().and_then(|root| root.layers.clone()).unwrap_or_default();
        // What each layer takes is told by the history, which counts those without files too.
        let sizes = self.layer_sizes(&found.id, layers.len()).await?;
        let layer = |(digest, size)| ImageLayer { digest, size };
        let digests = inspected.repo_digests.iter().flatten();
        Ok(ImageDetails {
            id: found.id.clone(),
            references: inspected.repo_tags.clone().unwrap_or_default(),
            digests: digests.filter_map(|known| Some(known.split_once('@')?.1.to_owned())).collect(),
            platform: found.platform.as_ref().map(ToString::to_string).unwrap_or_default(),
            created_at,
            fetched_at,
            size: size(found).unwrap_or_default(),
            layers: layers.into_iter().zip(sizes).map(layer).collect(),
            config: serde_json::to_value(&inspected.config).unwrap_or_default(),
        })
    }

    /// Bytes of each layer, the first at the bottom; zeros where the history does not fit to the layers.
    async fn layer_sizes(&self, id: &str, count: usize) -> Result<Vec<u64>> {
        let history = self.engine.api().image_history(id).await;
        let history = history.map_err(self.engine.failed("tell the history of an image"))?;
        let bytes = |size: i64| u64::try_from(size).unwrap_or_default();
        let mut sizes: Vec<u64> = history.iter().rev().map(|step| bytes(step.size)).filter(|size| *size > 0).collect();
        if sizes.len() > count {
            sizes.clear();
        }
        sizes.resize(count, 0);
        Ok(sizes)
    }

    /// Removes images that isobox brought and that nothing uses, the least recently used first.
    pub(super) async fn pruned(&self, budget: u64) -> Result<PrunedImages> {
        let brought = self.every().await?.into_iter().filter_map(|found| Some((self.books.entry(&found.id)?, found)));
        let mut brought: Vec<_> = brought.collect();
        brought.sort_by_key(|(entry, _)| entry.used);
        let left = brought.iter().filter_map(|(_, found)| size(found)).sum();
        let mut pruned = PrunedImages { left, ..PrunedImages::default() };
        for (_, found) in brought {
            if pruned.left <= budget {
                break;
            }
            let names: Vec<_> = found.inspected.repo_tags.iter().flatten().collect();
            // Somebody gave it another name, and wants it.
            if names.len() > 1 {
                continue;
            }
            match self.take_away(names.first().map_or(&found.id, |name| name)).await {
                Err(error) if error.code() == ErrorCode::Conflict => continue,
                removed => removed?,
            }
            let bytes = size(&found).unwrap_or_default();
            pruned.freed += bytes;
            pruned.left = pruned.left.saturating_sub(bytes);
            self.books.forget(&found.id);
            pruned.images.push(found.id);
        }
        Ok(pruned)
    }
}

/// What a listing says of an image.
pub(super) fn info(found: &Found, entry: Option<Entry>) -> ImageInfo {
    ImageInfo {
        reference: found.image.reference.clone(),
        id: Some(found.id.clone()),
        digest: found.image.digest.clone().or_else(|| any_digest(found)),
        platform: found.platform.as_ref().map(ToString::to_string),
        size: size(found),
        fetched_at: entry.and_then(|entry| entry.fetched),
    }
}

fn any_digest(found: &Found) -> Option<String> {
    let mut known = found.inspected.repo_digests.iter().flatten();
    known.find_map(|known| Some(known.split_once('@')?.1.to_owned()))
}

fn size(found: &Found) -> Option<u64> {
    found.inspected.size.and_then(|size| u64::try_from(size).ok())
}
