//! A sandbox: one place to run commands in.

use crate::access::{Access, Ports};
use crate::capability::{Capabilities, Capability};
use crate::error::{Error, Report, Result};
use crate::event::EventSink;
use crate::exec::Exec;
use crate::files::Files;
use crate::git::Git;
use crate::ids::{ExternalId, ProviderKind, SandboxId};
use crate::images::SandboxImage;
use crate::isolation::SandboxKind;
use crate::logs::Logs;
use crate::metrics::Metrics;
use crate::one_shot::OneShots;
use crate::path::SandboxPath;
use crate::post_mortem::PostMortem;
use crate::provider::Context;
use crate::search::Search;
use crate::services::Services;
use crate::session::Sessions;
use crate::snapshot::{SnapshotOptions, SnapshotStatus};
use crate::spec::{Labels, Lifetimes, NetworkPolicy, Resources, WorkspaceOwnership};
use crate::state::State;
use crate::time::Timestamp;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// One place to run commands in.
///
/// Methods may be called at the same time from many tasks. Actions that change the state are serialised by the caller,
/// who owns the table of states; a provider answers a change that lost a race in its backend with `conflict`.
///
/// Every method that is not there for all providers is `unsupported`, with its dotted name, unless overridden.
#[async_trait]
pub trait Sandbox: Send + Sync {
    /// isobox's id.
    fn id(&self) -> &SandboxId;

    /// The backend's id.
    fn external_id(&self) -> &ExternalId;

    /// What it can do; never changes for this handle and never exceeds the provider's.
    fn capabilities(&self) -> &Capabilities;

    /// Why this one lacks what its provider claims, where it knows: the reason, a colon, and what to do.
    fn why_not(&self, capability: Capability) -> Option<String> {
        let _ = capability;
        None
    }

    /// What [`crate::Provider::attach`] needs to find it again, also from another process.
    fn record(&self) -> SandboxRecord;

    /// What the backend knows about it now.
    async fn describe(&self) -> Result<Status>;

    /// The working directory, absolute.
    fn workdir(&self) -> &SandboxPath;

    /// The image that it was made from; none for one that was made from anything else, a snapshot or a fork.
    fn image(&self) -> Option<&SandboxImage> {
        None
    }

    /// A directory outside the working directory, mode 0700, for files that are nobody's business; the same after
    /// attach.
    fn runtime_dir(&self) -> Option<&SandboxPath> {
        None
    }

    /// What it runs on.
    async fn platform(&self) -> Result<Platform>;

    /// The variables that a command gets before those of its own request. Needs `exec.environment`.
    async fn environment(&self) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
        unsupported(Capability::ExecEnvironment)
    }

    /// Starts it, also from paused; returns when it runs. One that runs is fine.
    async fn start(&self, context: &Context) -> Result<()>;

    /// Ends everything in it: TERM, the grace, KILL. The filesystem is kept. One that is stopped is fine. Needs
    /// `lifecycle.stop`.
    async fn stop(&self, grace: Option<Duration>, context: &Context) -> Result<()>;

    /// Removes it and everything that was made for it; nothing of it runs afterwards. One that is gone is fine.
    async fn delete(&self, context: &Context) -> Result<()>;

    /// Freezes it. Needs `lifecycle.pause`.
    async fn pause(&self, context: &Context) -> Result<()> {
        let _ = context;
        unsupported(Capability::LifecyclePause)
    }

    /// Thaws it. Needs `lifecycle.pause`.
    async fn resume(&self, context: &Context) -> Result<()> {
        let _ = context;
        unsupported(Capability::LifecyclePause)
    }

    /// Moves it to cheap storage. Needs `lifecycle.archive`.
    async fn archive(&self, context: &Context) -> Result<()> {
        let _ = context;
        unsupported(Capability::LifecycleArchive)
    }

    /// Copies it. Needs `lifecycle.fork` with memory and `lifecycle.fork_filesystem` without. Both run afterwards.
    async fn fork(&self, id: &SandboxId, options: &ForkOptions, context: &Context) -> Result<Arc<dyn Sandbox>> {
        let _ = (id, context);
        unsupported(if options.include_memory {
            Capability::LifecycleFork
        } else {
            Capability::LifecycleForkFilesystem
        })
    }

    /// Copies it several times, as [`fork`](Self::fork) for each id. A provider that copies once for all of them gives them
    /// the same moment; otherwise one is made after the other. When one fails, none is left.
    async fn fork_many(
        &self,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>> {
        let mut made: Vec<Arc<dyn Sandbox>> = Vec::with_capacity(ids.len());
        for id in ids {
            match self.fork(id, options, context).await {
                Ok(sandbox) => made.push(sandbox),
                Err(error) => {
                    for sandbox in made {
                        sandbox.delete(context).await?;
                    }
                    return Err(error);
                }
            }
        }
        Ok(made)
    }

    /// Changes its limits. Needs `lifecycle.resize`.
    async fn resize(&self, resources: &Resources, context: &Context) -> Result<()> {
        let _ = (resources, context);
        unsupported(Capability::LifecycleResize)
    }

    /// Takes a snapshot. Needs `lifecycle.snapshot`, and `snapshots.filesystem` or `snapshots.live_process_state`.
    async fn snapshot(
        &self,
        id: &crate::SnapshotId,
        options: &SnapshotOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        let _ = (id, options, context);
        unsupported(Capability::LifecycleSnapshot)
    }

    /// Repairs it when it is in error. Needs `lifecycle.recover`.
    async fn recover(&self, context: &Context) -> Result<()> {
        let _ = context;
        unsupported(Capability::LifecycleRecover)
    }

    /// Counts it as used now. Needs `lifecycle.refresh_activity`.
    async fn refresh_activity(&self) -> Result<()> {
        unsupported(Capability::LifecycleRefreshActivity)
    }

    /// Replaces its lifetimes, counted from its creation, from its last use and from its stop. Needs
    /// `lifecycle.set_lifetimes`.
    async fn set_lifetimes(&self, lifetimes: &Lifetimes) -> Result<()> {
        let _ = lifetimes;
        unsupported(Capability::LifecycleSetLifetimes)
    }

    /// Replaces all its labels but isobox's own. Needs `lifecycle.labels`.
    async fn set_labels(&self, labels: &Labels) -> Result<()> {
        let _ = labels;
        unsupported(Capability::LifecycleLabels)
    }

    /// Replaces its network policy; holds when the call returns, for connections that exist too. Needs
    /// `lifecycle.update_network`.
    async fn update_network(&self, network: &NetworkPolicy) -> Result<()> {
        let _ = network;
        unsupported(Capability::LifecycleUpdateNetwork)
    }

    /// Lets it live on without its owner. Needs `lifecycle.detach`.
    async fn detach(&self) -> Result<()> {
        unsupported(Capability::LifecycleDetach)
    }

    /// Makes this process its owner again. Needs `lifecycle.owner`.
    async fn adopt(&self) -> Result<()> {
        unsupported(Capability::LifecycleOwner)
    }

    /// Says that the end of this handle is not the end of the sandbox any more, since another process may own it by then. Nothing
    /// else changes: this handle keeps the owner's lease from running out for as long as it is there, and when it is gone and
    /// nobody has [adopted](Self::adopt) the sandbox, that ends with its lease. Needs `lifecycle.owner`.
    fn relinquish(&self) -> Result<()> {
        unsupported(Capability::LifecycleOwner)
    }

    /// Renews the owner's lease now. A handle of the owner does that by itself; this is for owners without a
    /// connection.
    async fn keepalive(&self) -> Result<()> {
        unsupported(Capability::LifecycleOwner)
    }

    /// How it ends, as soon as it ends: by [`stop`](Self::stop), by [`delete`](Self::delete), or otherwise with a
    /// post-mortem. Cancel safe. Never returns before the end; `transport` when it cannot be known. Needs
    /// `observe.ended`.
    async fn ended(&self) -> Result<Ended> {
        unsupported(Capability::ObserveEnded)
    }

    /// Waits until it stands still or runs again, whoever did that to it, and says which: `paused` or `running`, whatever of the two
    /// `known` is not. Cancel safe. Where nobody but isobox can do that it never returns.
    async fn changed(&self, known: State) -> Result<State> {
        let _ = known;
        std::future::pending().await
    }

    /// Tells `events` what happens in it through this handle from now on: commands that start and end, files that are copied,
    /// limits that are reached, connections that are refused. A sink never blocks, so telling it may cost nothing. Only the
    /// first call has an effect.
    fn observe(&self, events: Arc<dyn EventSink>) {
        let _ = events;
    }

    /// What it uses now. Needs `observe.metrics`.
    async fn metrics(&self) -> Result<Metrics> {
        unsupported(Capability::ObserveMetrics)
    }

    /// Its commands.
    fn exec(&self) -> &dyn Exec;

    /// Its files.
    fn files(&self) -> &dyn Files;

    /// Its ports; there exactly when `access.ports` is.
    fn ports(&self) -> Option<&dyn Ports> {
        None
    }

    /// Other ways in; there exactly when one of preview URLs, SSH, shell command, web terminal and VNC is.
    fn access(&self) -> Option<&dyn Access> {
        None
    }

    /// Its logs; there exactly when one of `logs` is.
    fn logs(&self) -> Option<&dyn Logs> {
        None
    }

    /// Its one-shots; there exactly when `one_shot.run` is.
    fn one_shots(&self) -> Option<&dyn OneShots> {
        None
    }

    /// The provider's own search, exactly when `search.native`; otherwise it is derived from commands.
    fn search(&self) -> Option<&dyn Search> {
        None
    }

    /// The provider's own git, exactly when `git.native`; otherwise it is derived from commands.
    fn git(&self) -> Option<&dyn Git> {
        None
    }

    /// The provider's own services, exactly when `services.native`; otherwise they are derived from commands.
    fn services(&self) -> Option<&dyn Services> {
        None
    }

    /// The provider's own shell sessions, exactly when `sessions.native`; otherwise they are derived from a terminal.
    fn sessions(&self) -> Option<&dyn Sessions> {
        None
    }
}

fn unsupported<T>(capability: Capability) -> Result<T> {
    Err(Error::unsupported(capability))
}

/// How a sandbox ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Ended {
    /// It was stopped on purpose.
    Stopped,
    /// It was removed on purpose.
    Deleted,
    /// It died.
    Died(Box<PostMortem>),
}

/// What a provider needs to find a sandbox again. `Debug` shows no data: it may hold a token.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct SandboxRecord {
    /// isobox's id.
    pub id: SandboxId,
    /// The backend's id.
    pub external: ExternalId,
    /// The provider's own data, such as a socket's path and a token; null when the id is enough.
    #[serde(default)]
    pub data: serde_json::Value,
}

impl fmt::Debug for SandboxRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxRecord").field("id", &self.id).field("external", &self.external).finish_non_exhaustive()
    }
}

/// What a copy of a sandbox is like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ForkOptions {
    /// Its name.
    pub name: Option<String>,
    /// With memory and processes, or the filesystem alone.
    pub include_memory: bool,
    /// Its labels; those of the original when left out.
    pub labels: Option<Labels>,
}

/// What a sandbox runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    /// The operating system, lower case, such as `linux`.
    pub os: String,
    /// The architecture, such as `x86_64` or `aarch64`.
    pub arch: String,
    /// The version of the kernel.
    pub version: String,
}

/// What a provider says about a sandbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    /// isobox's id, when the backend's labels hold one.
    #[serde(default)]
    pub id: Option<SandboxId>,
    /// The backend's id.
    pub external: ExternalId,
    /// The provider.
    pub provider: ProviderKind,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is doing.
    pub state: State,
    /// The backend's own word for that.
    #[serde(default)]
    pub provider_state: String,
    /// Why it is in error.
    #[serde(default)]
    pub error: Option<Report>,
    /// How it died.
    #[serde(default)]
    pub post_mortem: Option<Box<PostMortem>>,
    /// Its limits.
    #[serde(default)]
    pub resources: Option<Resources>,
    /// Its kind.
    #[serde(default)]
    pub kind: Option<SandboxKind>,
    /// Where it is.
    #[serde(default)]
    pub region: Option<String>,
    /// Its labels, without isobox's own.
    #[serde(default)]
    pub labels: Labels,
    /// The image, pinned by digest where that is known.
    #[serde(default)]
    pub image: Option<String>,
    /// The snapshot.
    #[serde(default)]
    pub snapshot: Option<ExternalId>,
    /// What it may reach.
    #[serde(default)]
    pub network: Option<NetworkPolicy>,
    /// Whose its workspace is.
    #[serde(default)]
    pub workspace: Option<WorkspaceOwnership>,
    /// A page about it.
    #[serde(default)]
    pub web_url: Option<String>,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// When it changed.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
    /// When a lifetime ends.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

impl Status {
    /// A status of which only this is known.
    pub fn new(external: ExternalId, provider: ProviderKind, state: State) -> Self {
        Self {
            id: None,
            external,
            provider,
            name: None,
            state,
            provider_state: String::new(),
            error: None,
            post_mortem: None,
            resources: None,
            kind: None,
            region: None,
            labels: Labels::new(),
            image: None,
            snapshot: None,
            network: None,
            workspace: None,
            web_url: None,
            created_at: None,
            updated_at: None,
            expires_at: None,
        }
    }
}
