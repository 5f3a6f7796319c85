//! The cgroups that sandboxes are born in: what this machine offers, and those of a new sandbox.

use isobox_cgroup::{Birth, Controller, Group, Layout, sweep};
use isobox_contract::{Capability, Result, SandboxId, SandboxSpec};
use isobox_local::{Cgroups, explain, limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What this machine offers.
pub(crate) struct Machine {
    layout: Arc<Layout>,
    swept: AtomicBool,
}

/// The cgroups of a sandbox that is about to be. Dropping it takes them away, unless they were handed over.
pub(crate) struct Born {
    group: Option<Group>,
    _birth: Birth,
}

impl Machine {
    /// Looks at the machine and changes nothing.
    pub(crate) fn open() -> Self {
        Self { layout: Arc::new(Layout::of_this_machine()), swept: AtomicBool::new(false) }
    }

    /// What sandboxes can be promised here.
    pub(crate) fn claims(&self) -> Vec<Capability> {
        use Capability::*;
        let by_controller: [(Controller, &[Capability]); 3] = [
            (Controller::Cpu, &[ResourcesCpu, ResourcesCpuFraction]),
            (Controller::Memory, &[ResourcesMemory, ExecOomDetection]),
            (Controller::Pids, &[ResourcesPids]),
        ];
        let works = |controller| self.layout.of(controller).is_ok();
        let mut claims: Vec<_> = by_controller
            .iter()
            .filter(|(controller, _)| works(*controller))
            .flat_map(|(_, all)| *all)
            .copied()
            .collect();
        if self.layout.unified.is_ok() {
            claims.extend([LifecyclePause, LifecycleExpiryPause]);
        }
        if Controller::ALL.into_iter().any(works) {
            claims.push(LifecycleResize);
        }
        claims
    }

    /// Why something is not claimed, and what to do.
    pub(crate) fn why_not(&self, capability: Capability) -> Option<String> {
        use Capability::*;
        let controller = match capability {
            ResourcesCpu | ResourcesCpuFraction => Controller::Cpu,
            ResourcesMemory | ExecOomDetection | LifecycleResize => Controller::Memory,
            ResourcesPids => Controller::Pids,
            LifecyclePause | LifecycleExpiryPause => {
                return self.layout.unified.as_ref().err().map(ToString::to_string);
            }
            _ => return None,
        };
        self.layout.of(controller).as_ref().err().map(ToString::to_string)
    }

    /// Makes the cgroups of a sandbox whose root is this user and group.
    ///
    /// # Errors
    /// `invalid_spec` and `unsupported`, with the field, for limits that cannot be enforced; `engine_unavailable` when the
    /// machine refuses what it seemed to offer.
    pub(crate) fn make(&self, id: &SandboxId, spec: &SandboxSpec, owner: Option<(u32, u32)>) -> Result<Born> {
        let limits = limits(&spec.resources)?;
        let (group, birth) = Group::create(&self.layout, id.as_str(), limits, owner).map_err(explain)?;
        Ok(Born { group, _birth: birth })
    }

    /// Cleans up after sandboxes whose keeper was killed.
    pub(crate) fn sweep_now(&self) {
        sweep(&self.layout);
    }

    /// The same, once for this process and in the background.
    pub(crate) fn sweep(&self) {
        if !self.swept.swap(true, Ordering::Relaxed) {
            let layout = self.layout.clone();
            tokio::task::spawn_blocking(move || sweep(&layout));
        }
    }
}

impl Born {
    pub(crate) fn for_launch(&self) -> isobox_wire::launch::Cgroups {
        self.group.as_ref().map(isobox_local::for_launch).unwrap_or_default()
    }

    pub(crate) fn for_sandbox(&self) -> Option<Cgroups> {
        self.group.clone().map(Cgroups::of)
    }

    /// From here on they are the sandbox's, and go with it.
    pub(crate) fn hand_over(mut self) {
        self.group = None;
    }
}

impl Drop for Born {
    fn drop(&mut self) {
        if let Some(group) = self.group.take() {
            // What is being ended may not have left yet; and whoever drops this may not wait.
            std::thread::spawn(move || group.remove());
        }
    }
}
