//! What sandboxes of this kind can do, as far as the engine lets them.

use crate::facts::Facts;
use crate::{build, gvisor, images, one_shots, podman, runtime, snapshots, volumes};
use isobox_contract::{Capabilities, Capability};
use isobox_local::CLAIMS;

/// Storage drivers that can limit what one container writes, whatever they keep it on.
const LIMITING: [&str; 4] = ["btrfs", "zfs", "devicemapper", "windowsfilter"];

/// The claims for an engine.
pub(crate) fn capabilities(facts: &Facts) -> Capabilities {
    use Capability::*;
    let own = [
        CreateUser,
        CreateEntrypoint,
        CreateKindContainer,
        MountsBind,
        MountsReadOnly,
        MountsTmpfs,
        ExecUser,
        ExecOomDetection,
        FilesOwnership,
        NetworkNone,
        LogsProvision,
        LogsEntrypoint,
        AccessPreviewUrls,
        AccessShellCommand,
        OneShotRun,
        OneShotBuild,
    ];
    let limits = [
        (facts.cpu_limit, ResourcesCpu),
        (facts.cpu_limit, ResourcesCpuFraction),
        (facts.memory_limit, ResourcesMemory),
        (facts.pids_limit, ResourcesPids),
        (changes_limits(facts), LifecycleResize),
        (!facts.never_pauses, LifecyclePause),
        (!facts.unconnected, NetworkPublic),
        (limits_disk(facts), ResourcesDisk),
        (has_gpus(facts), ResourcesGpu),
        (volumes::has_subpath(facts.api), VolumesSubpath),
    ];
    let limits = limits.into_iter().filter_map(|(can, claim)| can.then_some(claim));
    // A copy of what goes on writing would be of no moment.
    let snapshots = snapshots::CLAIMS.into_iter().filter(|_| !facts.never_pauses);
    let others = images::CLAIMS.into_iter().chain(volumes::CLAIMS).chain(snapshots).chain(build::CLAIMS);
    let claims: Vec<_> = CLAIMS.into_iter().chain(own).chain(others).chain(limits).collect();
    Capabilities::of(runtime::strongest(facts), claims)
}

fn changes_limits(facts: &Facts) -> bool {
    let can = !facts.podman || facts.number() >= podman::CHANGES_LIMITS;
    can && (facts.memory_limit || facts.cpu_limit || facts.pids_limit)
}

fn limits_disk(facts: &Facts) -> bool {
    LIMITING.contains(&facts.driver.as_str()) || (facts.driver == "overlay2" && backing(facts) == "xfs")
}

fn has_gpus(facts: &Facts) -> bool {
    facts.runtimes.keys().any(|name| name.contains("nvidia"))
}

fn backing(facts: &Facts) -> &str {
    let found = facts.driver_status.iter().find(|(name, _)| name == "Backing Filesystem");
    found.map_or("an unknown filesystem", |(_, value)| value)
}

/// Why something is not claimed here: the reason, a colon, and what to do.
pub(crate) fn why_not(facts: &Facts, capability: Capability) -> Option<String> {
    use Capability::*;
    let cgroups = |what: &str| {
        let reason = format!("docker says that it cannot limit {what} here");
        Some(format!("{reason}: give its engine the cgroup controllers, for instance by running it as root"))
    };
    match capability {
        ResourcesDisk if !limits_disk(facts) => Some(format!(
            "docker keeps containers with {} on {}, which cannot limit one of them: put its data-root on xfs that is mounted with pquota, or on btrfs",
            facts.driver,
            backing(facts)
        )),
        ResourcesGpu if !has_gpus(facts) => Some(
            "docker has no runtime for gpus: install the NVIDIA container toolkit and configure docker for it".into(),
        ),
        ResourcesCpu | ResourcesCpuFraction if !facts.cpu_limit => cgroups("processors"),
        ResourcesMemory if !facts.memory_limit => cgroups("memory"),
        ResourcesPids if !facts.pids_limit => cgroups("processes"),
        LifecycleResize if facts.podman && facts.number() < podman::CHANGES_LIMITS => {
            Some("podman changes no limits before version 4.3: install a newer one".into())
        }
        capability
            if facts.never_pauses && (capability == LifecyclePause || snapshots::CLAIMS.contains(&capability)) =>
        {
            let reason = "podman cannot let a container stand still here";
            Some(format!("{reason}: boot the machine with cgroups of version 2, or use the podman of root"))
        }
        NetworkPublic if facts.unconnected => {
            Some("podman has no network for an ordinary user here: install slirp4netns or passt".into())
        }
        OneShotRun => Some(one_shots::WHY_NOT.to_owned()),
        OneShotBuild => Some(one_shots::WHY_NOT_BUILT.to_owned()),
        LifecycleExpiryPause => {
            Some("a paused container's agent is paused too, and cannot pause itself: choose stop as the expiry".into())
        }
        // The engine can, and a sandbox that has none of it is in gVisor.
        _ if capabilities(facts).has(capability) => gvisor::why_not(capability).map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(driver: &str, backing: &str) -> Facts {
        let driver_status = vec![("Backing Filesystem".to_owned(), backing.to_owned())];
        Facts { driver: driver.into(), driver_status, memory_limit: true, ..Facts::default() }
    }

    #[test]
    fn a_limit_is_claimed_where_the_engine_has_it_and_explained_where_not() {
        for (driver, backing, disk) in [("overlay2", "extfs", false), ("overlay2", "xfs", true), ("btrfs", "", true)] {
            let facts = facts(driver, backing);
            let claimed = capabilities(&facts);
            assert_eq!(claimed.has(Capability::ResourcesDisk), disk, "{driver} on {backing}");
            // Where the engine can and a sandbox cannot, it is gVisor that does not.
            let reason = why_not(&facts, Capability::ResourcesDisk).unwrap();
            assert_eq!((reason.contains("data-root"), reason.contains("gVisor")), (!disk, disk), "{reason}");
            assert!(claimed.has(Capability::ResourcesMemory) && claimed.has(Capability::LifecycleResize));
            assert!(!claimed.has(Capability::ResourcesPids) && !claimed.has(Capability::ResourcesGpu));
        }
        let reason = why_not(&facts("overlay2", "extfs"), Capability::ResourcesDisk).unwrap();
        assert!(reason.contains("extfs") && reason.contains("data-root"), "{reason}");
    }
}
