//! Copies of a sandbox's files.

use crate::sandbox::{Sandbox, context};
use isobox_contract::{Capability, ForkOptions, Result, SandboxId, SnapshotId, SnapshotOptions, SnapshotStatus};

impl Sandbox {
    /// Takes a snapshot of its files, from which any number of sandboxes can be made
    /// ([`SandboxBuilder::snapshot`](crate::SandboxBuilder::snapshot)).
    ///
    /// Everything in it stands still meanwhile, so the snapshot is of one moment; it may run or be stopped. What is mounted
    /// in it, such as directories of this machine, is not in the snapshot. `out_of_disk` when there is no room.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> isobox::Result<()> {
    /// # let home = tempfile::tempdir().unwrap();
    /// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
    /// let sandbox = isobox.sandbox().create().await?;
    /// sandbox.files().write("/root/state", "prepared").await?;
    /// let snapshot = sandbox.snapshot(isobox::SnapshotOptions::default()).await?;
    ///
    /// let restored = isobox.sandbox().snapshot(snapshot.external).create().await?;
    /// assert_eq!(restored.files().read_text("/root/state").await?, "prepared");
    /// # restored.delete().await?;
    /// # sandbox.delete().await
    /// # }
    /// ```
    pub async fn snapshot(&self, options: SnapshotOptions) -> Result<SnapshotStatus> {
        self.require("snapshot", Capability::LifecycleSnapshot)?;
        let needed = match options.include_memory {
            true => Capability::SnapshotsLiveProcessState,
            false => Capability::SnapshotsFilesystem,
        };
        self.require("snapshot", needed)?;
        let id = SnapshotId::generate();
        let taken = self.told("snapshot", self.raw().snapshot(&id, &options, &context()).await)?;
        self.told("snapshot", self.isobox().control().snapshot_taken(self.raw(), self.provider(), id, &taken).await)?;
        Ok(taken)
    }

    /// Makes `count` sandboxes like it, each with a copy of its files as they are at one moment, and nothing running. It
    /// goes on itself. Their lifetimes begin anew, and they belong to this process if it does.
    pub async fn fork(&self, count: usize) -> Result<Vec<Sandbox>> {
        self.fork_with(count, ForkOptions::default()).await
    }

    /// The same, with other labels or, for a single copy, a name.
    pub async fn fork_with(&self, count: usize, options: ForkOptions) -> Result<Vec<Sandbox>> {
        let needed = match options.include_memory {
            true => Capability::LifecycleFork,
            false => Capability::LifecycleForkFilesystem,
        };
        self.require("fork", needed)?;
        let ids: Vec<SandboxId> = (0..count).map(|_| SandboxId::generate()).collect();
        let control = self.isobox().control();
        let intents = self.told("fork", control.begin_forks(self.id(), &ids, &options).await)?;
        isobox_fault::point!("fork.intended");
        let made = match self.raw().fork_many(&ids, &options, &context()).await {
            Ok(made) => made,
            Err(error) => {
                for intent in intents {
                    intent.failed(&error).await;
                }
                return self.told("fork", Err(error));
            }
        };
        isobox_fault::point!("fork.made");
        let mut all = Vec::with_capacity(count);
        for (intent, sandbox) in intents.into_iter().zip(&made) {
            if let Err(error) = intent.made(sandbox).await {
                // Nobody would find those that are not written down.
                for copy in &made {
                    self.told("fork", copy.delete(&context()).await)?;
                }
                return self.told("fork", Err(error));
            }
            all.push(self.beside(sandbox.clone(), options.name.clone()).await);
        }
        // The provider copies the lifetimes that it was told when it was made, and then it had none.
        for copy in all.iter().filter(|_| self.was_pooled()) {
            copy.live_from_now().await?;
        }
        Ok(all)
    }
}
