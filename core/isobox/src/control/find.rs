//! Finding sandboxes that any process has made.

use super::Control;
use crate::registry::Registry;
use isobox_contract::{
    Context, DeathCause, Error, ErrorCode, Lifetime, PostMortem, Provider, Resource, Result, SandboxId, SandboxRecord,
    State, Timestamp,
};
use isobox_control::{OperationFilter, Page, SandboxEntry, SandboxFilter};

impl Control {
    /// A sandbox by its name or its id; `not_found` when there is none.
    pub(crate) async fn find(&self, id_or_name: &str) -> Result<SandboxEntry> {
        if let Ok(id) = id_or_name.parse::<SandboxId>() {
            return self.store().sandbox(&id).await;
        }
        let found = self.store().sandbox_by_name(id_or_name).await?;
        found.ok_or_else(|| Error::not_found(Resource::Sandbox, id_or_name))
    }

    /// All that match, oldest first.
    pub(crate) async fn all(&self, filter: &SandboxFilter) -> Result<Vec<SandboxEntry>> {
        let (mut found, mut page) = (Vec::new(), Page::first());
        loop {
            let part = self.store().sandboxes(filter.clone(), page).await?;
            let more = part.len() == page.limit;
            page.after = part.last().map(|entry| entry.id);
            found.extend(part);
            if !more {
                return Ok(found);
            }
        }
    }

    /// What is needed to reach it, once it is made. What a dead process was making is removed first, and what somebody else is
    /// removing of that is waited for; then it was never there, which is `not_found`.
    pub(crate) async fn record_of(
        &self,
        registry: &Registry,
        mut entry: SandboxEntry,
    ) -> Result<(SandboxEntry, SandboxRecord)> {
        while entry.state == State::Creating || (!entry.is_made() && entry.state != State::Deleted) {
            let filter = OperationFilter { running: true, sandbox: Some(entry.id), owner: None };
            let abandoned = match self.store().operations(filter, 1).await?.first() {
                Some(making) => self.outlast(making).await?.is_some(),
                None => entry.state != State::Creating,
            };
            if abandoned {
                self.remove(registry, &entry).await?;
            }
            entry = self.store().sandbox(&entry.id).await?;
        }
        match entry.record() {
            Some(record) if entry.state != State::Deleted => Ok((entry, record)),
            Some(_) => Err(self.gone(&entry).await),
            None => {
                let called = entry.name.as_deref().unwrap_or(entry.id.as_str());
                Err(Error::not_found(Resource::Sandbox, called).with_provider(&entry.provider))
            }
        }
    }

    /// Removes what is left of a sandbox that was there and is not any more, and writes that down, with how it died if that is known.
    pub(crate) async fn lost(
        &self,
        provider: &dyn Provider,
        entry: &SandboxEntry,
        died: Option<Box<PostMortem>>,
    ) -> Result<SandboxEntry> {
        if let Some(record) = entry.record() {
            provider.delete(&record, &Context::quiet()).await?;
        }
        if let Some(post_mortem) = died {
            return self.store().record_death(*post_mortem, State::Deleted).await;
        }
        let now = Timestamp::now();
        let (cause, reason) = presumed(entry, self.restarted_since(entry).await?, now);
        let mut post_mortem = PostMortem::new(entry.id, cause, now);
        post_mortem.reason = Some(reason.into());
        self.store().record_death(post_mortem, State::Deleted).await
    }

    /// Whether the machine was restarted since a sandbox was made, as far as its maker is known.
    async fn restarted_since(&self, entry: &SandboxEntry) -> Result<bool> {
        let Some(owner) = entry.owner else { return Ok(false) };
        let (owner, here) = (self.store().owner(&owner).await?, self.process());
        Ok(owner.zip(here).is_some_and(|(owner, here)| owner.process.boot != here.boot))
    }

    /// Why there is nothing to reach.
    pub(crate) async fn gone(&self, entry: &SandboxEntry) -> Error {
        let known = self.store().post_mortem(&entry.id).await.ok().flatten();
        let error = match known {
            Some(post_mortem) => Error::sandbox_gone(post_mortem),
            None => Error::new(ErrorCode::SandboxGone, "the sandbox was deleted"),
        };
        error.with_sandbox(&entry.id).with_provider(&entry.provider)
    }
}

/// What a sandbox most likely died of that is gone and that nobody saw end.
fn presumed(entry: &SandboxEntry, restarted: bool, now: Timestamp) -> (DeathCause, &'static str) {
    if restarted {
        return (DeathCause::EngineDown, "the machine was restarted");
    }
    match (entry.expires_at, entry.spec.lifetimes.idle_timeout) {
        (Some(expires_at), _) if expires_at <= now => {
            (DeathCause::Expired, "its lifetime ran out while no process was there to see it")
        }
        (_, Some(Lifetime::After(_))) => {
            (DeathCause::Unknown, "it was gone when it was looked for: idle for too long, or removed from outside")
        }
        _ => (DeathCause::RemovedExternally, "it was gone when it was looked for"),
    }
}
