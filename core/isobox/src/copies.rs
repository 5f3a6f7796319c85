//! Copies of a sandbox's files.

use crate::sandbox::{Sandbox, context};
use isobox_contract::{Action, Capability, ForkOptions, Result, SandboxId, SnapshotOptions, SnapshotStatus};

impl Sandbox {
    /// Takes a snapshot of its files, from which any number of sandboxes can be made
    /// ([`SandboxBuilder::snapshot`](crate::SandboxBuilder::snapshot)).
    ///
    /// Everything in it stands still meanwhile, so the snapshot is of one moment; it may run or be stopped. What is mounted
    /// in it, such as directories of this machine and volumes, is not in the snapshot. `already_exists` before anything is
    /// done when another has its name, `out_of_disk` when there is no room. Other operations on the sandbox wait for its end.
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
        self.told("snapshot", options.validate())?;
        let (control, sandbox) = (self.isobox().control(), self.shared());
        let (name, labels) = (options.name.clone(), options.labels.clone());
        let begun = control.begin_snapshot(self.its_provider(), Some(*self.id()), name, labels).await;
        let mut taking = self.told("snapshot", begun)?;
        isobox_fault::point!("snapshot.written");
        let act = async {
            isobox_fault::point!("snapshot.intended");
            let taken = sandbox.snapshot(&taking.id.clone(), &options, &context()).await?;
            isobox_fault::point!("snapshot.made");
            taking.taken(&taken).await?;
            isobox_fault::point!("snapshot.taken");
            Ok(taken)
        };
        let taken = control.during(&sandbox, Action::Snapshot, act).await;
        if taken.is_err() {
            taking.failed().await;
        }
        self.told("snapshot", taken)
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
        let sandbox = self.shared();
        let act = async { sandbox.fork_many(&ids, &options, &context()).await };
        let made = match control.during(&sandbox, Action::Fork, act).await {
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
