//! Images that belong to one sandbox: what its Dockerfile made, and what it stands on as a copy of another.

use crate::build::{self, Files, Recipe};
use crate::images::Found;
use crate::provider::Inner;
use crate::{labels, snapshots};
use bollard::query_parameters::ListImagesOptions;
use isobox_contract::{Context, Labels, Result, SandboxId, Source, Timestamp};
use std::collections::BTreeSet;
use std::time::Duration;

/// How old the id of a sandbox is at least of which there is nothing but an image: it may be being made.
const OLD: Duration = Duration::from_secs(3600);

impl Inner {
    /// Builds the image of a sandbox. Nothing is left when it fails.
    pub(crate) async fn built(&self, id: &SandboxId, text: &str, files: Files, context: &Context) -> Result<Found> {
        let place = self.places.of(id);
        place.make()?;
        let mut own = labels::write(id.as_str(), build::ROLE, None, &Labels::new());
        own.insert(labels::FLEET.into(), self.places.fleet()?);
        let log = place.build_log();
        let recipe = Recipe { text, files, tag: build::tag(id), labels: own, log: Some(&log) };
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
        }
        if matches!(source, None | Some(Source::Snapshot { .. })) {
            self.snapshots.forget_copy(id).await?;
        }
        Ok(())
    }

    /// Takes the images away of sandboxes that are gone, as after a crash.
    pub(crate) async fn tidy_images(&self) -> Result<()> {
        let mut there: BTreeSet<_> = self.all().await?.into_iter().filter_map(|status| status.id).collect();
        there.extend(self.places.all());
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
