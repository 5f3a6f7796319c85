//! What a fleet of sandboxes on this machine can do that does not depend on how they are isolated.

use crate::cgroups::Cgroups;
use crate::copies::Copies;
use crate::life::end_nameless;
use crate::places::Places;
use crate::record::LocalRecord;
use crate::removal::clear;
use crate::sandbox::LocalSandbox;
use isobox_contract::{
    Capabilities, Context, Error, ErrorCode, Filter, Health, HealthStatus, Provider, ProviderKind, Resource, Result,
    Sandbox, SandboxId, SandboxRecord, SandboxSpec, Status,
};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};

/// The sandboxes of one provider.
pub struct Fleet {
    kind: ProviderKind,
    capabilities: Capabilities,
    places: Places,
    copies: OnceLock<Weak<dyn Copies>>,
}

impl Fleet {
    /// The fleet of a provider, below the library's home. Starts nothing.
    ///
    /// # Errors
    /// When there is no directory for sandboxes, and none can be made.
    pub fn open(home: &Path, kind: ProviderKind, capabilities: Capabilities) -> Result<Self> {
        let places = Places::open(home, kind.as_str())?;
        Ok(Self { kind, capabilities, places, copies: OnceLock::new() })
    }

    /// Sets who copies these sandboxes. What is found again from then on can be copied.
    pub fn copied_by(&self, copies: Weak<dyn Copies>) {
        let _ = self.copies.set(copies);
    }

    /// The provider's kind.
    pub fn kind(&self) -> &ProviderKind {
        &self.kind
    }

    /// The most that its sandboxes can do.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The directory for a new sandbox.
    ///
    /// # Errors
    /// `already_exists` for an id that has one.
    pub fn place(&self, id: &SandboxId) -> Result<PathBuf> {
        let place = self.places.of(id);
        match place.symlink_metadata() {
            Ok(_) => Err(Error::already_exists(Resource::Sandbox, id)),
            Err(_) => Ok(place),
        }
    }

    /// Finds a sandbox again, as [`Provider::attach`].
    ///
    /// # Errors
    /// `not_found` when its process is gone.
    pub async fn attach(&self, record: &SandboxRecord) -> Result<Arc<dyn Sandbox>> {
        self.attach_with(record, self.capabilities.clone()).await
    }

    /// The same for a sandbox that can do less than others.
    pub async fn attach_with(&self, record: &SandboxRecord, able: Capabilities) -> Result<Arc<dyn Sandbox>> {
        let sandbox = LocalSandbox::attach(record, self.kind.clone(), able).await?;
        if let Some(copies) = self.copies.get().and_then(Weak::upgrade) {
            sandbox.copied_by(copies);
        }
        Ok(Arc::new(sandbox))
    }

    /// Removes a sandbox, and what is left of one whose process is gone. Its id is enough: a record without data is that of one
    /// whose maker was killed before it knew more.
    ///
    /// # Errors
    /// `incomplete` when something cannot be removed.
    pub async fn delete(&self, record: &SandboxRecord, context: &Context) -> Result<()> {
        if record.data.is_null() {
            return end_nameless(&self.places.of(&record.id), &record.id).await;
        }
        match self.attach(record).await {
            Ok(sandbox) => sandbox.delete(context).await,
            Err(error) if error.code() == ErrorCode::NotFound => {
                let mut local = LocalRecord::parse(&record.data)?;
                if let Some(group) = local.cgroups.take() {
                    Cgroups::of(group).remove().await;
                }
                local.state_dir = self.places.of(&record.id);
                clear(&local)
            }
            Err(error) => Err(error),
        }
    }

    /// The sandboxes of which something is left, as [`Provider::leavings`].
    pub async fn leavings(&self) -> Vec<SandboxId> {
        self.places.leavings().await
    }

    /// What can be told of every sandbox that matches, without disturbing it.
    pub async fn list(&self, filter: &Filter) -> Vec<Status> {
        self.places.list(&self.kind).await.into_iter().filter(|status| filter.matches(status)).collect()
    }
}

/// Whether a provider works here: it makes a sandbox and removes it.
pub async fn probe(provider: &dyn Provider) -> Health {
    let context = Context::quiet();
    let probed = async {
        let sandbox = provider.create(&SandboxId::generate(), &SandboxSpec::default(), &context).await?;
        sandbox.delete(&context).await
    };
    match probed.await {
        Ok(()) => Health { status: HealthStatus::Ok, ..Health::default() },
        Err(error) => {
            Health { status: HealthStatus::Unreachable, message: Some(error.message().to_owned()), ..Health::default() }
        }
    }
}
