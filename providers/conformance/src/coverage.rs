//! Which check shows the effect of which capability.

use crate::checks;
use isobox::Capability;

/// How a capability is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// These checks show its effect.
    Checks(Vec<String>),
    /// None does, for a reason.
    Nothing(&'static str),
}

const NO_REACH: &str = "needs a name server and hosts that the sandbox can reach, which no target brings along yet";
const NO_CLOUD: &str = "needs an account of a cloud that has it";

const SAME: &str = "the checks of the derived way are made with it too, and there is no other way to tell them apart";

/// Capabilities whose effect no check shows, and why.
const NOT_SHOWN: &[(Capability, &str)] = {
    use Capability::*;
    &[
        (CreatePublic, NO_CLOUD),
        (CreateRegion, NO_CLOUD),
        (SourceRegistryAuth, "needs a registry that asks for a password"),
        (SearchNative, SAME),
        (GitNative, SAME),
        (ServicesNative, SAME),
        (SessionsNative, SAME),
        (ResourcesGpu, "needs a machine with a gpu"),
        (SecretsHosts, NO_REACH),
        (LifecycleRecover, "needs a sandbox in error, which nobody can make on purpose"),
        (LifecycleUpdateNetwork, NO_REACH),
        (NetworkPublic, NO_REACH),
        (NetworkHosts, NO_REACH),
        (NetworkWildcards, NO_REACH),
        (NetworkIpv4, NO_REACH),
        (NetworkIpv6, NO_REACH),
        (NetworkPorts, NO_REACH),
        (NetworkDeny, NO_REACH),
        (NetworkDenials, NO_REACH),
        (NetworkDns, NO_REACH),
        (NetworkOutboundProxy, NO_REACH),
        (SnapshotsImageContainer, NO_CLOUD),
        (SnapshotsImageVirtualMachine, NO_CLOUD),
        (SnapshotsDockerfileContainer, NO_CLOUD),
        (SnapshotsDockerfileVirtualMachine, NO_CLOUD),
        (SnapshotsBuildLogs, NO_CLOUD),
        (SnapshotsActivation, NO_CLOUD),
        (AccessSignedPreviewUrls, NO_CLOUD),
        (AccessSsh, NO_CLOUD),
        (AccessSshTtl, NO_CLOUD),
        (AccessSshRevoke, NO_CLOUD),
        (AccessWebTerminal, NO_CLOUD),
        (AccessVnc, NO_CLOUD),
    ]
};

/// How a capability is looked at.
pub fn coverage(capability: Capability) -> Coverage {
    let shows = checks::all().into_iter().filter(|check| check.shows.contains(&capability));
    let names: Vec<_> = shows.map(|check| check.name.to_string()).collect();
    let reason = NOT_SHOWN.iter().find(|(other, _)| *other == capability);
    match reason {
        Some((_, reason)) if names.is_empty() => Coverage::Nothing(reason),
        _ => Coverage::Checks(names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_capability_is_shown_or_there_is_a_reason() {
        let forgotten: Vec<_> = Capability::ALL
            .iter()
            .filter(|capability| coverage(**capability) == Coverage::Checks(Vec::new()))
            .collect();
        assert!(forgotten.is_empty(), "no check shows {forgotten:?}, and there is no reason");
    }

    #[test]
    fn what_is_shown_has_no_excuse() {
        for (capability, _) in NOT_SHOWN {
            assert!(
                matches!(coverage(*capability), Coverage::Nothing(_)),
                "{capability} is shown, take it off the list"
            );
        }
    }

    #[test]
    fn names_are_unique() {
        let all = checks::all();
        let names: BTreeSet<_> = all.iter().map(|check| &check.name).collect();
        assert_eq!(names.len(), all.len());
    }
}
