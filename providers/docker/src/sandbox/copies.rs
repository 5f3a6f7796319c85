//! Copies of a sandbox's files.

use super::DockerSandbox;
use crate::base::copied;
use isobox_contract::{
    Capability, Context, Error, ErrorCode, ForkOptions, Result, Sandbox, SandboxId, SandboxSpec, SnapshotId,
    SnapshotOptions, SnapshotStatus, Source,
};
use std::sync::Arc;

impl DockerSandbox {
    /// As [`Sandbox::snapshot`].
    pub(super) async fn snapshot_now(
        &self,
        id: &SnapshotId,
        options: &SnapshotOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        self.here()?;
        self.capabilities.require(Capability::LifecycleSnapshot)?;
        let origin = self.inner.snapshots.origin(&self.core.id, self.core.container()).await?;
        self.inner.snapshots.take(&origin, id, options, context).await
    }

    /// As [`Sandbox::fork_many`]: one copy of the files for all of them.
    pub(super) async fn fork_now(
        &self,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>> {
        self.here()?;
        if options.include_memory {
            return Err(Error::unsupported(Capability::LifecycleFork));
        }
        self.require(Capability::LifecycleForkFilesystem)?;
        let mut spec = self.spec_of_copy(options)?;
        let runtime = self.inner.runtime(&spec).await?;
        let origin = self.inner.snapshots.origin(&self.core.id, self.core.container()).await?;
        let image = self.inner.snapshots.take_for_copies(&origin, ids, context).await?;
        isobox_fault::point!("docker.fork.copied");
        let snapshot = image.id.parse().map_err(|_| Error::transport("docker gave an image an id that is none"))?;
        spec.source = Source::Snapshot { snapshot };
        let mut unmade = Unmade { sandbox: self, ids };
        let copies = ids.iter().map(|id| self.inner.make_from(id, &spec, copied(&image, &spec), &runtime, context));
        let copies = futures::future::join_all(copies).await;
        let failed = copies.iter().find_map(|copy| copy.as_ref().err().cloned());
        unmade.ids = &[];
        let Some(error) = failed else { return copies.into_iter().collect() };
        for copy in copies.into_iter().flatten() {
            copy.delete(context).await?;
        }
        for id in ids {
            self.inner.snapshots.forget_copy(id).await?;
        }
        Err(error)
    }

    /// What a copy is like: as the original, with what is said otherwise.
    fn spec_of_copy(&self, options: &ForkOptions) -> Result<SandboxSpec> {
        let mut spec = self.core.place.origin().ok_or_else(|| {
            let message = "it is not known on this machine what the sandbox was made from, copy it where it was made";
            Error::new(ErrorCode::NotFound, message)
        })?;
        spec.name.clone_from(&options.name);
        // What runs in the original does not run in a copy.
        spec.entrypoint = false;
        if let Some(labels) = &options.labels {
            spec.labels = labels.clone();
        }
        Ok(spec)
    }
}

/// Copies that nobody waits for any more: their files go, unless one of them is there.
struct Unmade<'a> {
    sandbox: &'a DockerSandbox,
    ids: &'a [SandboxId],
}

impl Drop for Unmade<'_> {
    fn drop(&mut self) {
        for id in self.ids {
            self.sandbox.inner.abandon(&crate::record::container(id), *id);
        }
    }
}
