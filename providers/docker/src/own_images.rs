//! Images that belong to one sandbox: what its Dockerfile made, and what it stands on as a copy of another.

use crate::build::{self, Files, Recipe};
use crate::images::Found;
use crate::provider::Inner;
use crate::{labels, record, snapshots};
use bollard::query_parameters::{ListImagesOptions, RemoveImageOptions};
use isobox_contract::{Context, Labels, Result, SandboxId, Source, Timestamp};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

/// How old the id of a sandbox is at least of which there is nothing but an image: it may be being made.
const OLD: Duration = Duration::from_secs(3600);

/// How often it is looked for what a build has made that nobody wants any more, and how long there is between: the engine gives it
/// up a while after the connection, and may have been done with it.
const LOOKS: u32 = 20;
const LOOK: Duration = Duration::from_millis(500);

/// A sandbox that is being made of a Dockerfile. Dropped, nothing of it stays.
pub(crate) struct BeingBuilt {
    inner: Arc<Inner>,
    id: SandboxId,
    given_up: bool,
}

impl BeingBuilt {
    pub(crate) fn of(inner: &Arc<Inner>, id: &SandboxId, source: &Source) -> Self {
        let mut building = Self::new(inner, id);
        building.given_up = matches!(source, Source::Dockerfile { .. });
        building
    }

    /// For a build that is certain.
    pub(crate) fn new(inner: &Arc<Inner>, id: &SandboxId) -> Self {
        Self { inner: inner.clone(), id: *id, given_up: true }
    }

    /// It is made, or why it is not is told.
    pub(crate) fn done(mut self) {
        self.given_up = false;
    }
}

impl Drop for BeingBuilt {
    fn drop(&mut self) {
        if !self.given_up {
            return;
        }
        let (inner, id) = (self.inner.clone(), self.id);
        self.inner.engine.errands().run(async move {
            for _ in 0..LOOKS {
                // What is left after the last look is found by whoever collects garbage.
                if let Err(error) = inner.remove(&record::container(&id), &id).await {
                    tracing::debug!(sandbox = %id, code = %error.code(), "a build that was given up is not removed yet");
                }
                tokio::time::sleep(LOOK).await;
            }
        });
    }
}

impl Inner {
    /// Builds the image of a sandbox. Nothing is left when it fails.
    pub(crate) async fn built(&self, id: &SandboxId, text: &str, files: Files, context: &Context) -> Result<Found> {
        let place = self.places.of(id);
        place.make()?;
        let mut own = labels::write(id.as_str(), build::ROLE, None, &Labels::new());
        own.insert(labels::FLEET.into(), self.places.fleet()?);
        own.insert(labels::BUILT.into(), id.to_string());
        let log = place.build_log();
        let recipe = Recipe { text, files, tag: build::tag(id), labels: own, log: Some(&log), credentials: true };
        let built = build::build(&self.engine, &self.library, &self.home, recipe, context).await;
        if built.is_err() {
            place.remove()?;
        }
        built
    }

    /// Takes the images away that a sandbox has of its own. What is not there is fine.
    pub(crate) async fn forget_images(&self, id: &SandboxId) -> Result<()> {
        let spec = self.places.of(id).origin();
        let source = spec.as_ref().map(|spec| &spec.source);
        // Of most sandboxes it is known that they have none, which spares the engine the question.
        if matches!(source, None | Some(Source::Dockerfile { .. })) {
            self.library.remove_name(&build::tag(id)).await?;
            self.forget_steps(id).await?;
        }
        if matches!(source, None | Some(Source::Snapshot { .. })) {
            self.snapshots.forget_copy(id).await?;
        }
        Ok(())
    }

    /// Takes away what the steps of a build have made that was broken off: images
    /// without a name, each with one label more than the last, the last of them whole.
    async fn forget_steps(&self, id: &SandboxId) -> Result<()> {
        let filters = HashMap::from([("label".to_owned(), vec![format!("{}={id}", labels::BUILT)])]);
        let options = ListImagesOptions { all: true, filters: Some(filters), ..ListImagesOptions::default() };
        let listed = self.engine.api().list_images(Some(options)).await;
        for image in listed.map_err(self.engine.failed("list what a build has made"))? {
            // One that another stands on goes with that.
            if image.repo_tags.iter().all(|tag| tag.starts_with('<')) && self.is_labelled_last(&image.id).await {
                let _ = self.engine.api().remove_image(&image.id, None::<RemoveImageOptions>, None).await;
            }
        }
        Ok(())
    }

    /// Whether the last step that made an image wrote a label of ours. What somebody else has built on it has the label too, and other
    /// steps on top.
    async fn is_labelled_last(&self, image: &str) -> bool {
        let history = self.engine.api().image_history(image).await.unwrap_or_default();
        history.first().is_some_and(|step| step.created_by.contains("LABEL isobox."))
    }

    /// The sandboxes of which there is more than an image or a volume.
    pub(crate) async fn there(&self) -> Result<BTreeSet<SandboxId>> {
        let mut there: BTreeSet<_> = self.all().await?.into_iter().filter_map(|status| status.id).collect();
        there.extend(self.places.all());
        Ok(there)
    }

    /// Takes the images away of sandboxes that are gone, as after a crash.
    pub(crate) async fn tidy_images(&self) -> Result<()> {
        let there = self.there().await?;
        for role in [build::ROLE, snapshots::FORK] {
            let filters = labels::filters(role, None, Some(&self.places.fleet()?));
            let options = ListImagesOptions { filters: Some(filters), ..ListImagesOptions::default() };
            let listed = self.engine.api().list_images(Some(options)).await;
            let listed = listed.map_err(self.engine.failed("list its images"))?;
            for tag in listed.iter().flat_map(|image| &image.repo_tags) {
                let id = tag.rsplit_once(':').and_then(|(_, id)| id.parse::<SandboxId>().ok());
                let Some(id) = id.filter(|id| crate::images::is_ours(tag) && !there.contains(id)) else { continue };
                if Timestamp::now().since(id.created_at()) > OLD {
                    self.library.remove_name(tag).await?;
                }
            }
        }
        Ok(())
    }
}
