//! A fleet of doubles.

use crate::builder::TestProviderBuilder;
use crate::clock::Clock;
use crate::faults::{Effect, Operation};
use crate::fleet::Fleet;
use crate::recording::Recording;
use crate::sandbox::{Handle, status_of};
use crate::script::Script;
use crate::seen::TestSandbox;
use crate::sync::locked;
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Capability, Context, Error, Filter, Health, Owner, Provider, ProviderKind, Result, Sandbox,
    SandboxId, SandboxRecord, SandboxSpec, Snapshots, Status, Volumes,
};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How long a sandbox may take to end whose last handle was dropped.
const PATIENCE: Duration = Duration::from_secs(5);

/// A provider whose sandboxes are doubles: commands do what a script says, files are in memory, time is a clock's, and
/// nothing touches the machine. Cheap to clone; all clones are the same.
///
/// It is a provider like any other: `Isobox::builder().with_provider(..)` takes it, under the kind `testing` or the one that it
/// was given.
#[derive(Clone)]
pub struct TestProvider {
    inner: Arc<Inner>,
}

struct Inner {
    fleet: Arc<Fleet>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The fleet knows its sandboxes, and they their fleet.
        drop(std::mem::take(&mut *locked(&self.fleet.places)));
    }
}

impl TestProvider {
    /// A provider with every default: a script that answers nothing, no faults, a clock that skips.
    pub fn new() -> Self {
        Self::builder().build()
    }

    pub(crate) fn of(fleet: Fleet) -> Self {
        Self { inner: Arc::new(Inner { fleet: Arc::new(fleet) }) }
    }

    /// Says what it is like.
    pub fn builder() -> TestProviderBuilder {
        TestProviderBuilder::new()
    }

    /// Which command gets which reply; it may be added to at any time.
    pub fn script(&self) -> Script {
        self.inner.fleet.script.clone()
    }

    /// Its clock.
    pub fn clock(&self) -> Clock {
        self.inner.fleet.clock.clone()
    }

    /// What was asked of it.
    pub fn recording(&self) -> Recording {
        self.inner.fleet.recording.clone()
    }

    /// Every sandbox that it has ever made, oldest first, those that are gone too.
    pub fn sandboxes(&self) -> Vec<TestSandbox> {
        self.inner.fleet.all().into_iter().map(TestSandbox::of).collect()
    }

    /// The sandbox with this id.
    ///
    /// # Panics
    /// When it has never made one with this id.
    #[track_caller]
    pub fn sandbox(&self, id: &SandboxId) -> TestSandbox {
        let found = locked(&self.inner.fleet.places).get(id).cloned();
        match found {
            Some(place) => TestSandbox::of(place),
            None => panic!("the provider has never made a sandbox {id}"),
        }
    }

    /// Sets how it is, from now on.
    pub fn set_health(&self, health: Health) {
        *locked(&self.inner.fleet.health) = health;
    }

    /// The sandboxes that are there: neither deleted nor dead.
    pub fn left(&self) -> Vec<TestSandbox> {
        self.sandboxes().into_iter().filter(|sandbox| !sandbox.is_gone()).collect()
    }

    /// No sandbox is left. Those whose last handle was dropped end in the background, and are waited for.
    ///
    /// # Panics
    /// When one is left after five seconds, with the names of all such.
    pub async fn assert_nothing_left(&self) {
        let gone = async {
            for place in self.inner.fleet.all() {
                place.gone().await;
            }
        };
        if tokio::time::timeout(PATIENCE, gone).await.is_err() {
            let left: Vec<_> = self.left().iter().map(|left| format!("{} ({})", left.about(), left.state())).collect();
            assert!(left.is_empty(), "{} sandboxes are left: {}", left.len(), left.join(", "));
        }
    }
}

impl Default for TestProvider {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for TestProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestProvider")
            .field("kind", &self.inner.fleet.kind)
            .field("sandboxes", &self.inner.fleet.all().len())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Provider for TestProvider {
    fn kind(&self) -> &ProviderKind {
        &self.inner.fleet.kind
    }

    fn capabilities(&self) -> &Capabilities {
        &self.inner.fleet.capabilities
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        let fleet = &self.inner.fleet;
        let (at, about) = (fleet.clock.elapsed(), spec.name.clone().unwrap_or_default());
        let made = async {
            context.remaining("create")?;
            spec.validate_for(&fleet.kind, &fleet.capabilities)?;
            let effect = fleet.meet(Operation::Create, || about.clone()).await?;
            match effect {
                Some(Effect::Hang) => std::future::pending().await,
                Some(Effect::Cut(_)) => {
                    Err(Error::transport("the connection broke during this create, as the fault plan says"))
                }
                effect => {
                    let place = fleet.make(id, spec)?;
                    if let Some(Effect::Death(cause)) = effect {
                        place.die(cause);
                    }
                    Ok(Handle::shared(place, spec.owner == Owner::Process))
                }
            }
        };
        let made = made.await;
        fleet.recording.operation(Operation::Create, Some(*id), about, at, &made);
        made
    }

    async fn attach(&self, record: &SandboxRecord, _: &Context) -> Result<Arc<dyn Sandbox>> {
        let fleet = &self.inner.fleet;
        let at = fleet.clock.elapsed();
        let attached = async {
            let place = fleet.there(&record.id)?;
            place.meet_plainly(Operation::Attach, || place.about()).await?;
            Ok(Handle::shared(place, false))
        };
        let attached = attached.await;
        fleet.recording.operation(Operation::Attach, Some(record.id), record.id.to_string(), at, &attached);
        attached
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        let there = self.inner.fleet.all().into_iter().filter(|place| !place.is_gone());
        Ok(there.map(|place| status_of(&place)).filter(|status| filter.matches(status)).collect())
    }

    async fn health(&self) -> Health {
        locked(&self.inner.fleet.health).clone()
    }

    fn snapshots(&self) -> Option<&dyn Snapshots> {
        let fleet = &self.inner.fleet;
        fleet.capabilities.has(Capability::SnapshotsSupported).then_some(&**fleet as &dyn Snapshots)
    }

    fn volumes(&self) -> Option<&dyn Volumes> {
        let fleet = &self.inner.fleet;
        fleet.capabilities.has(Capability::VolumesSupported).then_some(&**fleet as &dyn Volumes)
    }
}
