//! Making an image of what a sandbox has written.

use crate::client::Engine;
use crate::failure::refusal;
use crate::freeze::freezing;
use crate::images::{Found, Named};
use crate::place::Place;
use crate::unkept::{Unkept, Waits};
use crate::{labels, podman, workspace};
use bollard::models::ContainerConfig;
use bollard::query_parameters::{CommitContainerOptions, RemoveImageOptions};
use isobox_contract::{Capability, Context, Error, Resource, Result, SandboxId};
use std::collections::HashMap;
use std::pin::Pin;
use std::time::Duration;

/// How long the engine may take, and the caller waits who says nothing.
const PATIENCE: Duration = Duration::from_secs(3600);
/// What the image says is run by those who run it without isobox, when the one before said nothing.
const NOTHING: &str = "/bin/sh";

/// The sandbox that is copied.
#[derive(Clone)]
pub(crate) struct Origin {
    id: SandboxId,
    container: String,
    place: Place,
    /// The image that it was made from, which says how programs are run in the copy too.
    image: Found,
    /// Its labels in the engine, which must not become those of what is made from the copy.
    labels: HashMap<String, String>,
    /// Its variables in the engine, as which those of the image and the engine's own are.
    env: Vec<String>,
}

impl super::Store {
    /// What there is of a sandbox to copy.
    ///
    /// # Errors
    /// `not_found` for what is no container of this sandbox.
    pub(crate) async fn origin(&self, id: &SandboxId, container: &str) -> Result<Origin> {
        let inspected = self.engine.caller().inspect(container).await;
        let inspected =
            inspected.map_err(self.engine.failed_on("look at the container", Resource::Sandbox, id.as_str()))?;
        let config = inspected.config.unwrap_or_default();
        let (labels, env) = (config.labels.unwrap_or_default(), config.env.unwrap_or_default());
        if labels::sandbox(&labels) != Some(*id) || !labels::is(&labels, labels::SANDBOX) {
            return Err(Error::not_found(Resource::Sandbox, id));
        }
        if self.places.of(id).origin().is_some_and(|spec| workspace::is_wanted(&spec)) {
            return Err(refusal(Capability::LifecycleSnapshot, workspace::WHY_NO_COPIES));
        }
        let image = inspected.image.ok_or_else(|| Error::transport("docker gave a container without an image"))?;
        let found = self.library.look(&Named::parse(&image)?).await?;
        let image = found.ok_or_else(|| Error::not_found(Resource::Image, &image))?;
        Ok(Origin { id: *id, container: container.to_owned(), place: self.places.of(id), image, labels, env })
    }
}

/// Commits a container as an image with this name and these labels, and gives the image's id. Everything in the sandbox stands
/// still meanwhile.
///
/// The image's config is that of the image before: what the sandbox was given beside it may be secret, and is in the books.
pub(super) async fn commit(
    engine: &Engine,
    origin: &Origin,
    tag: &str,
    labels: HashMap<String, String>,
    context: &Context,
) -> Result<Unkept<String>> {
    let wait = context.remaining("snapshot")?.unwrap_or(PATIENCE);
    let copying = Copying { engine: engine.clone(), origin: origin.clone(), tag: tag.to_owned(), labels };
    let committed = engine.make(|waits| copying.done(waits), unnamed(engine, tag));
    tokio::time::timeout(wait, committed).await.unwrap_or_else(|_| Err(Error::timeout("snapshot", wait)))
}

/// Takes away an image that nobody wants, by its name.
pub(super) fn unnamed<T>(engine: &Engine, tag: &str) -> impl FnOnce(T) -> Forgetting + use<T> {
    let (engine, tag) = (engine.clone(), tag.to_owned());
    move |_| {
        Box::pin(async move {
            let options = RemoveImageOptions { force: true, ..RemoveImageOptions::default() };
            let removed = engine.api().remove_image(&tag, Some(options), None).await.map(drop);
            let failed = engine.failed_on("remove the image", Resource::Image, &tag);
            if let Err(error) = crate::client::or_absent(removed.map_err(failed)) {
                tracing::warn!(%error, "an image that nobody wants is left");
            }
        })
    }
}

type Forgetting = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a copy is made of.
struct Copying {
    engine: Engine,
    origin: Origin,
    tag: String,
    labels: HashMap<String, String>,
}

impl Copying {
    async fn done(self, waits: Waits) -> Result<String> {
        let Self { engine, origin, tag, labels } = self;
        let (repo, version) =
            tag.rsplit_once(':').ok_or_else(|| Error::internal("a name of ours without a version"))?;
        let options = CommitContainerOptions {
            container: Some(origin.container.clone()),
            repo: Some(repo.to_owned()),
            tag: Some(version.to_owned()),
            comment: Some("isobox snapshot".to_owned()),
            pause: true,
            ..CommitContainerOptions::default()
        };
        let _turn = engine.turn().await?;
        waits.check("snapshot")?;
        let _told = origin.place.copying().await;
        let api = engine.api().clone().with_timeout(PATIENCE);
        let podman = engine.facts().await?.podman;
        let config = config(&origin, labels, podman);
        let commit = || async {
            let committed = match podman {
                true => podman::commit(engine.caller(), &origin.container, (repo, version), config.clone()).await,
                false => api.commit_container(options.clone(), config.clone()).await.map(|made| made.id),
            };
            committed.map_err(engine.failed_on("copy the sandbox", Resource::Sandbox, origin.id.as_str()))
        };
        let committed = freezing(commit).await;
        isobox_fault::point!("docker.snapshot.committed");
        committed
    }
}

/// What the image says: as the image before, with these labels, and what the container has of its own taken out.
fn config(origin: &Origin, mut labels: HashMap<String, String>, podman: bool) -> ContainerConfig {
    let before = origin.image.inspected.config.clone().unwrap_or_default();
    if podman {
        // It gives the image all variables of the container.
        labels.extend(podman::added(&origin.env, before.env.as_deref().unwrap_or_default()));
    }
    // The engine adds the container's labels where there are none of the same name; an empty one says nothing.
    for name in origin.labels.keys().filter(|name| name.starts_with("isobox.")) {
        labels.entry(name.clone()).or_default();
    }
    let (entrypoint, mut command) = (before.entrypoint.unwrap_or_default(), before.cmd.unwrap_or_default());
    if entrypoint.is_empty() && command.is_empty() {
        // With none at all the engine would take the container's, which is the agent.
        command.push(NOTHING.to_owned());
    }
    ContainerConfig {
        env: before.env,
        cmd: Some(command),
        entrypoint: Some(entrypoint),
        user: Some(before.user.filter(|user| !user.is_empty()).unwrap_or_else(|| "0".to_owned())),
        working_dir: Some(before.working_dir.filter(|path| !path.is_empty()).unwrap_or_else(|| "/".to_owned())),
        exposed_ports: before.exposed_ports,
        volumes: before.volumes,
        stop_signal: before.stop_signal,
        shell: before.shell,
        labels: Some(labels),
        ..ContainerConfig::default()
    }
}
