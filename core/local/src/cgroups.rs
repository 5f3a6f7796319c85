//! The cgroups of a sandbox of this machine, where it has some: limits, use, freezing.
//!
//! Whether it is frozen is asked of the kernel each time: another process may have done it.

use isobox_cgroup::{Birth, Controller, Group, Layout, Limits};
use isobox_contract::{Detail, Error, ErrorCode, Metrics, PostMortem, Resources, Result, SandboxId, State};
use isobox_wire::Request;
use isobox_wire::launch::{Cgroups as Wire, MemoryFiles};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long everything may take to stand still.
const FREEZE: Duration = Duration::from_secs(10);

/// The cgroups of one sandbox. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Cgroups(Arc<Mutex<Group>>);

/// While it lives, what was just made for a sandbox is not taken for something left over.
pub(crate) struct Again {
    pub(crate) wire: Wire,
    _birth: Birth,
}

/// The limits that a spec asks for.
///
/// # Errors
/// `invalid_spec` for one that no machine can enforce.
pub fn limits(resources: &Resources) -> Result<Limits> {
    let limits = Limits { cpu_millis: resources.cpu_millis(), memory: resources.memory, pids: resources.pids };
    let checked = limits.validate();
    checked.map_err(|(field, problem)| Error::invalid_spec(format!("resources.{field}"), problem.to_string()))?;
    Ok(limits)
}

/// What the launcher is told of a sandbox's cgroups.
pub fn for_launch(group: &Group) -> Wire {
    let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
    let memory = group.oom_events().zip(group.memory_files());
    Wire {
        born_in: group.born_in().map(bytes),
        entered: group.entered().into_iter().map(bytes).collect(),
        commands: group.commands().as_deref().map(bytes),
        joined: group.joined().iter().map(|path| bytes(path)).collect(),
        removed: group.directories().iter().map(|path| bytes(path)).collect(),
        memory: memory.map(|([events, own_events], [limit, peak])| MemoryFiles {
            events: bytes(&events),
            own_events: bytes(&own_events),
            limit: bytes(&limit),
            peak: bytes(&peak),
        }),
    }
}

/// The dotted name of what a controller limits.
pub fn field(controller: Controller) -> &'static str {
    match controller {
        Controller::Cpu => "resources.cpu",
        Controller::Memory => "resources.memory",
        Controller::Pids => "resources.pids",
    }
}

/// What went wrong with a sandbox's cgroups, in the words of the contract.
pub fn explain(error: isobox_cgroup::Error) -> Error {
    use isobox_cgroup::Error as E;
    let unsupported = |controller: Controller, why: &E| {
        let capability = field(controller).to_owned();
        let message = format!("{capability} cannot be limited here: {why}");
        Error::new(ErrorCode::Unsupported, message).with_detail(Detail::Unsupported { capability })
    };
    match &error {
        E::Limit { controller, .. } | E::Late(controller) => unsupported(*controller, &error),
        E::InUse(controller) => {
            let reason = "is less than what is in use, end something in the sandbox or give more";
            Error::invalid_spec(field(*controller), reason)
        }
        _ => Error::new(ErrorCode::EngineUnavailable, format!("the sandbox's cgroups: {error}")).with_source(error),
    }
}

impl Cgroups {
    /// Those that were made for it.
    pub fn of(group: Group) -> Self {
        Self(Arc::new(Mutex::new(group)))
    }

    fn group(&self) -> MutexGuard<'_, Group> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes them again for a sandbox that was stopped, with the limits that it had, where this process may make them.
    pub(crate) fn make_again(&self, id: &SandboxId) -> Result<Again> {
        let mut group = self.group();
        let made = Group::create(&Layout::of_this_machine(), id.as_str(), *group.limits(), group.owner());
        let (made, birth) = made.map_err(explain)?;
        *group = made.ok_or_else(|| Error::new(ErrorCode::EngineUnavailable, "there are no cgroups any more"))?;
        Ok(Again { wire: for_launch(&group), _birth: birth })
    }

    /// As it is now, for a record.
    pub(crate) fn snapshot(&self) -> Group {
        self.group().clone()
    }

    /// Sets what can only be set once the sandbox is there.
    pub(crate) fn settle(&self) -> Result<()> {
        self.group().settle().map_err(explain)
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.group().is_frozen()
    }

    pub(crate) fn can_pause(&self) -> bool {
        self.group().can_freeze()
    }

    /// Freezes all commands, and returns when none runs any more.
    pub(crate) async fn pause(&self) -> Result<()> {
        self.blocking(|group| group.pause(FREEZE)).await
    }

    pub(crate) async fn resume(&self) -> Result<()> {
        self.blocking(|group| group.resume()).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        act: impl FnOnce(Group) -> Result<T, isobox_cgroup::Error> + Send + 'static,
    ) -> Result<T> {
        let group = self.snapshot();
        let done = tokio::task::spawn_blocking(move || act(group)).await;
        done.map_err(|_| Error::internal("a task of the sandbox's cgroups ended without a word"))?.map_err(explain)
    }

    /// Changes the limits that are given.
    pub(crate) fn resize(&self, resources: &Resources) -> Result<()> {
        let limits = limits(resources)?;
        self.group().resize(&Layout::of_this_machine(), &limits).map_err(explain)
    }

    pub(crate) fn limits(&self) -> Limits {
        *self.group().limits()
    }

    /// How often the limit of processes has refused one.
    pub(crate) fn refused_forks(&self) -> Option<u64> {
        self.group().refused_forks()
    }

    /// Puts what the kernel counts in place of what was added up.
    pub(crate) fn measure(&self, metrics: &mut Metrics) {
        let group = self.group();
        let (usage, limits) = (group.usage(), *group.limits());
        drop(group);
        metrics.cpu_time = usage.cpu.or(metrics.cpu_time);
        metrics.memory = usage.memory.or(metrics.memory);
        metrics.peak_memory = usage.memory_peak.or(metrics.peak_memory);
        metrics.pids = usage.pids.or(metrics.pids);
        metrics.cpu_limit = limits.cpu_millis.map(|millis| millis as f64 / 1000.0);
        metrics.memory_limit = limits.memory;
        metrics.pids_limit = limits.pids;
    }

    /// Adds the limit of memory and its highest use, which is known as long as the cgroups are there.
    pub(crate) fn testify(&self, post_mortem: &mut PostMortem) {
        let group = self.group();
        post_mortem.memory_limit = group.limits().memory;
        post_mortem.peak_memory = group.usage().memory_peak;
    }

    /// Refuses what a paused sandbox cannot do, before it is sent.
    pub(crate) fn admit(&self, request: &Request) -> Result<()> {
        let action = match request {
            Request::Exec(_) => isobox_contract::Action::Exec,
            Request::File(_) => isobox_contract::Action::Files,
            Request::Connect { .. } => isobox_contract::Action::Access,
            _ => return Ok(()),
        };
        if self.is_paused() { Err(Error::invalid_state(State::Paused, action)) } else { Ok(()) }
    }

    /// Takes away what is left of it once nothing of the sandbox runs.
    pub(crate) async fn remove(&self) {
        let group = self.snapshot();
        if group.directories().iter().any(|path| path.exists()) {
            let _ = tokio::task::spawn_blocking(move || group.remove()).await;
        }
    }
}
