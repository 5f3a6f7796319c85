//! What a check has to work with.

use crate::check::{Check, Checked, Stop};
use crate::elsewhere::{Elsewhere, Role};
use crate::target::{Fixtures, Target};
use isobox::contract::{self, Context, Provider};
use isobox::{Capabilities, Capability, Error, ErrorCode, Isobox, Sandbox, SandboxBuilder, SandboxId, SandboxSpec};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long is waited for what has to happen by itself.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// What all checks of a run share.
pub(crate) struct Bench {
    pub(crate) target: Target,
    pub(crate) isobox: Isobox,
    pub(crate) provider: Arc<dyn Provider>,
    /// What is claimed: by the provider, or by its sandboxes where the target says that they can do less.
    pub(crate) claims: Capabilities,
    pub(crate) programs: BTreeSet<String>,
    /// Whether checks take the amounts that take long.
    pub(crate) heavy: bool,
    /// Images that checks have brought along, by their references.
    pub(crate) images: Mutex<BTreeSet<String>>,
    /// Every sandbox that a check has made.
    pub(crate) made: Mutex<Vec<SandboxId>>,
}

/// What one check has to work with: it makes sandboxes here, and they are removed when the check has ended.
pub struct Lab {
    bench: Arc<Bench>,
    name: String,
    required: Vec<Capability>,
    sandboxes: Mutex<Vec<Sandbox>>,
    snapshots: Mutex<Vec<String>>,
    volumes: Mutex<Vec<String>>,
}

impl Lab {
    pub(crate) fn new(bench: Arc<Bench>, check: &Check) -> Self {
        Self {
            bench,
            name: check.name.to_string(),
            required: check.required().filter(|capability| is_of_sandboxes(*capability)).collect(),
            sandboxes: Mutex::default(),
            snapshots: Mutex::default(),
            volumes: Mutex::default(),
        }
    }

    /// The library, opened in the home of the run.
    pub fn isobox(&self) -> &Isobox {
        &self.bench.isobox
    }

    /// The provider itself.
    pub fn provider(&self) -> &Arc<dyn Provider> {
        &self.bench.provider
    }

    /// The provider's kind.
    pub(crate) fn kind(&self) -> &str {
        self.bench.target.provider()
    }

    pub(crate) fn home(&self) -> &Path {
        self.bench.isobox.home()
    }

    pub(crate) fn fixtures(&self) -> &Fixtures {
        &self.bench.target.fixtures
    }

    /// Something that the target may bring along.
    pub(crate) fn fixture<T: Clone>(&self, name: &str, of: impl FnOnce(&Fixtures) -> &Option<T>) -> Checked<T> {
        of(self.fixtures()).clone().ok_or_else(|| Stop::Skipped(format!("the target has no {name}")))
    }

    pub(crate) fn claims(&self, capability: Capability) -> bool {
        self.bench.claims.has(capability)
    }

    /// Everything that is claimed.
    pub(crate) fn all_claims(&self) -> &Capabilities {
        &self.bench.claims
    }

    /// How much is asked for: the second, where what takes long is asked for.
    pub(crate) fn amount(&self, usual: u64, heavy: u64) -> u64 {
        if self.bench.heavy { heavy } else { usual }
    }

    /// Whether sandboxes have a program.
    pub(crate) fn has(&self, program: &str) -> bool {
        self.bench.programs.contains(program)
    }

    /// A sandbox as the target says, to say more about.
    pub fn builder(&self) -> SandboxBuilder {
        self.bench.target.builder(&self.bench.isobox)
    }

    /// The same without a source.
    pub fn bare(&self) -> SandboxBuilder {
        self.bench.target.bare(&self.bench.isobox)
    }

    /// A sandbox with this spec, of the kind that the target says.
    pub(crate) fn with_spec(&self, spec: SandboxSpec) -> SandboxBuilder {
        self.bench.target.with_spec(&self.bench.isobox, spec)
    }

    /// Makes a sandbox as the target says.
    pub async fn sandbox(&self) -> Checked<Sandbox> {
        self.make(self.builder()).await
    }

    /// Makes a sandbox that is removed when the check has ended.
    pub async fn make(&self, builder: SandboxBuilder) -> Checked<Sandbox> {
        let sandbox = self.make_loose(builder).await?;
        self.keep(&sandbox);
        Ok(sandbox)
    }

    /// Makes a sandbox that goes when the check drops it.
    pub(crate) async fn make_loose(&self, builder: SandboxBuilder) -> Checked<Sandbox> {
        let sandbox = builder.create().await?;
        self.note(*sandbox.id());
        // A sandbox may do less than its provider can, by what it is made from.
        match self.required.iter().find(|capability| !sandbox.capabilities().has(**capability)) {
            Some(capability) => Err(Stop::Skipped(format!("{capability} is not claimed by this sandbox"))),
            None => Ok(sandbox),
        }
    }

    /// Has a sandbox removed when the check has ended.
    pub(crate) fn keep(&self, sandbox: &Sandbox) {
        self.note(*sandbox.id());
        locked(&self.sandboxes).push(sandbox.clone());
    }

    /// Has the run look in the end whether this one is gone.
    pub(crate) fn note(&self, id: SandboxId) {
        locked(&self.bench.made).push(id);
    }

    /// Has a snapshot removed when the check has ended.
    pub(crate) fn keep_snapshot(&self, name: impl Into<String>) {
        locked(&self.snapshots).push(name.into());
    }

    /// Has an image that a check is about to bring along removed at the end of the run, unless it is there already.
    pub(crate) async fn keep_image(&self, reference: &str) {
        let images = self.isobox().images().provider(self.kind());
        let missing = |error: Error| matches!(error.code(), ErrorCode::NotFound | ErrorCode::ImageNotFound);
        if images.inspect(reference).await.is_err_and(missing) {
            self.remove_image(reference);
        }
    }

    /// Has an image removed at the end of the run.
    pub(crate) fn remove_image(&self, reference: &str) {
        locked(&self.bench.images).insert(reference.to_owned());
    }

    /// Has a volume removed when the check has ended.
    pub(crate) fn keep_volume(&self, name: impl Into<String>) {
        locked(&self.volumes).push(name.into());
    }

    /// The sandbox as the provider gives it to whoever has only its record.
    pub(crate) async fn raw(&self, sandbox: &Sandbox) -> Checked<Arc<dyn contract::Sandbox>> {
        let entry = self.isobox().inspect(sandbox.id().as_str()).await?;
        let record = entry.record().ok_or_else(|| Stop::Failed("nothing is written down to find it by".to_owned()))?;
        Ok(self.provider().attach(&record, &Context::quiet()).await?)
    }

    /// A name that nothing else has.
    pub(crate) fn unique(&self) -> String {
        format!("{}-{}", self.name.replace(['_', '.'], "-"), number())
    }

    /// Seconds to sleep that no other process sleeps: whoever sleeps so long is found by it.
    pub(crate) fn mark(&self) -> String {
        (2_000_000_000 + number() % 1_000_000_000).to_string()
    }

    /// Another process of this program, with the home of this run.
    pub(crate) async fn elsewhere(&self, role: Role) -> Checked<Elsewhere> {
        let command = self.bench.target.another_process();
        let command = command.ok_or_else(|| Stop::Skipped("the target cannot start another process".to_owned()))?;
        Elsewhere::start(command, self.home(), role).await
    }

    /// Removes what the check has made. What cannot be removed is a failure.
    pub(crate) async fn clear(&self) -> Checked {
        let sandboxes = taken(&self.sandboxes);
        let mut failed = None;
        for sandbox in sandboxes {
            if let Err(error) = sandbox.delete().await
                && !matches!(error.code(), ErrorCode::NotFound | ErrorCode::SandboxGone)
            {
                failed.get_or_insert(error);
            }
        }
        for name in taken(&self.snapshots) {
            if let Err(error) = self.isobox().snapshots().provider(self.kind()).delete(&name).await {
                failed.get_or_insert(error);
            }
        }
        for name in taken(&self.volumes) {
            if let Err(error) = self.isobox().volumes().provider(self.kind()).delete(&name).await {
                failed.get_or_insert(error);
            }
        }
        failed.map_or(Ok(()), |error| {
            let Stop::Failed(reason) = Stop::from(error) else { return Ok(()) };
            Err(Stop::Failed(format!("what the check made cannot be removed: {reason}")))
        })
    }
}

/// Waits until something holds that nothing announces.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> Checked<bool>) -> Checked {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while !holds().await? {
        ensure!(tokio::time::Instant::now() < deadline, "{what} did not happen within {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether it is something that a sandbox does, and not the fleet.
fn is_of_sandboxes(capability: Capability) -> bool {
    let group = capability.as_str().split('.').next();
    matches!(group, Some("exec" | "files" | "lifecycle" | "access" | "observe" | "one_shot"))
}

fn taken<T>(list: &Mutex<Vec<T>>) -> Vec<T> {
    std::mem::take(&mut *locked(list))
}

/// Numbers that no two checks of this machine share.
fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seed = since.as_micros() as u64 ^ (u64::from(std::process::id()) << 20);
    seed.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9))
}
