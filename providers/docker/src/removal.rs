//! Removing a container, and what was made for it.

use crate::client::{Engine, or_absent};
use crate::failure::is_unreachable;
use crate::first_process;
use crate::place::Place;
use crate::provider::Inner;
use bollard::query_parameters::{
    KillContainerOptions, RemoveContainerOptionsBuilder, UploadToContainerOptionsBuilder, WaitContainerOptionsBuilder,
};
use futures::StreamExt;
use isobox_contract::{Error, ErrorCode, Resource, Result, SandboxId};
use isobox_wire::container::SHARED;
use std::sync::Arc;
use std::time::Duration;

/// How long somebody else's removal is waited for.
const OTHERS: Duration = Duration::from_secs(30);
/// How long an engine may take to hear of the end of a gVisor.
const ENDING: Duration = Duration::from_secs(10);
/// How often a container is tried to be removed that is about to end, and how long it is waited before the second time; longer each
/// time after that.
const TRIES: u32 = 10;
const MOMENT: Duration = Duration::from_millis(50);
/// How long what was given up is tried to be removed, and between two tries.
const LONGEST: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(500);

impl Inner {
    /// Removes a container with everything that runs in it, and what there is of the sandbox on this machine. What is not there is
    /// fine.
    ///
    /// # Errors
    /// `incomplete` when something is left.
    pub(crate) async fn remove(&self, container: &str, id: &SandboxId) -> Result<()> {
        if self.may_have_beside(id) {
            self.remove_beside(id).await?;
        }
        if !self.places.of(id).foreign().is_empty() {
            // What it makes after that would stay.
            let _ = self.engine.api().kill_container(container, None::<KillContainerOptions>).await;
            self.flatten(container, &self.places.of(id)).await?;
        }
        remove_container(&self.engine, container).await?;
        isobox_fault::point!("docker.delete.container_removed");
        self.forget_images(id).await?;
        self.forget_workspace(id).await?;
        let place = self.places.of(id);
        let removed = tokio::task::spawn_blocking(move || place.remove()).await;
        removed.unwrap_or_else(|_| Err(Error::internal("the removal of a sandbox broke off")))
    }

    /// Has the engine, which may do everything, put a file in the place of each directory that this user cannot empty.
    pub(crate) async fn flatten(&self, container: &str, place: &Place) -> Result<()> {
        let foreign = place.foreign();
        if foreign.is_empty() {
            return Ok(());
        }
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_ustar();
        header.set_size(0);
        header.set_mode(0o600);
        let added = foreign.iter().try_for_each(|name| tar.append_data(&mut header.clone(), name, &b""[..]));
        let bytes = added.and_then(|()| tar.into_inner()).map_err(|error| Error::io("cannot pack nothing", error))?;
        let options = UploadToContainerOptionsBuilder::default().path(SHARED).build();
        let written = self.engine.api().upload_to_container(container, Some(options), bollard::body_full(bytes.into()));
        or_absent(written.await.map_err(self.engine.failed_on("clear the directory", Resource::Sandbox, container)))
    }

    /// As [`remove`](Self::remove), in the background, for what nobody has a handle of any more.
    pub(crate) fn abandon(self: &Arc<Self>, container: &str, id: SandboxId) {
        let (inner, container) = (self.clone(), container.to_owned());
        self.engine.errands().run(async move { inner.removal_of(&container, id).await });
    }

    /// As [`remove`](Self::remove), tried for a while; what fails is found by the next process to look.
    pub(crate) async fn removal_of(&self, container: &str, id: SandboxId) {
        let removing = async {
            while let Err(error) = self.remove(container, &id).await {
                if !is_unreachable(&error) {
                    tracing::warn!(sandbox = %id, code = %error.code(), "a sandbox could not be removed");
                    return;
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        let _ = tokio::time::timeout(LONGEST, removing).await;
    }
}

/// Ends a gVisor that runs, before the engine is asked to remove it.
///
/// For each process that it ever had at once, it has one on the machine, which goes with it. The shim of containerd 1.6 that meets more than
/// 32 of such ends while it runs `runsc kill` waits a second for each, because what takes them waits for that very `runsc kill`. With the
/// container ended and seen to have ended, the engine has nothing to kill. Where this process may not kill it, the engine does.
pub(crate) async fn end_gvisor(engine: &Engine, container: &str) {
    let state = engine.caller().inspect(container).await.ok().and_then(|container| container.state);
    let Some(first) = state.and_then(|state| state.pid).and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0)
    else {
        return;
    };
    if !first_process::kill(first, container) {
        return;
    }
    let options = WaitContainerOptionsBuilder::default().condition("not-running").build();
    let mut ends = Box::pin(engine.api().wait_container(container, Some(options)));
    // Whatever comes of it, the engine removes it.
    let _ = tokio::time::timeout(ENDING, ends.next()).await;
}

/// What an engine says of a container that it will remove a moment later.
const UNSETTLED: [&str; 2] = ["state improper", "is zombie"];

/// Removes a container, whatever it does. What is not there is fine.
pub(crate) async fn remove_container(engine: &Engine, container: &str) -> Result<()> {
    let mut tried = 0;
    let removed = loop {
        let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
        let removed = engine.api().remove_container(container, Some(options)).await;
        tried += 1;
        match removed.map_err(engine.failed_on("remove the container", Resource::Sandbox, container)) {
            // Podman does not remove what ends in just that moment; and what is dead, as a paused gVisor is after ten seconds, the engine
            // is about to hear of.
            Err(error) if UNSETTLED.iter().any(|words| error.message().contains(words)) && tried < TRIES => {
                tokio::time::sleep(MOMENT * tried).await;
            }
            removed => break removed,
        }
    };
    match or_absent(removed) {
        // Somebody else is at it.
        Err(error) if error.code() == ErrorCode::Conflict => outlast(engine, container).await,
        Err(error) if is_unreachable(&error) => Err(error),
        Err(error) => Err(Error::new(ErrorCode::Incomplete, format!("the container is left over: {error}"))),
        Ok(()) => Ok(()),
    }
}

async fn outlast(engine: &Engine, container: &str) -> Result<()> {
    let options = WaitContainerOptionsBuilder::default().condition("removed").build();
    let mut waiting = Box::pin(engine.api().wait_container(container, Some(options)));
    match tokio::time::timeout(OTHERS, waiting.next()).await {
        Ok(_) => Ok(()),
        Err(_) => {
            Err(Error::new(ErrorCode::Incomplete, "the container is being removed by somebody else, and is not gone"))
        }
    }
}
