//! What a sandbox in gVisor cannot do although its engine could, and why. All of it was seen with gVisor 20240729; an engine says
//! nothing of a runtime's version, so it holds for every one.
//!
//! ```text
//! a command ──▶ gVisor's kernel, one process of the machine ──▶ the machine's kernel
//!                 └─ limits hold for this process as a whole     └─ files: the container's own, or with the default
//!                                                                   --overlay2=root:self a file that goes at the stop
//! ```

use crate::failure;
use isobox_contract::{Capabilities, Capability, Error};

/// How a runtime that is gVisor is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gvisor {
    /// Whether what is written into the root filesystem is written where the engine keeps it.
    pub(crate) keeps_files: bool,
}

/// What none of them does.
const NEVER: [Capability; 7] = {
    use Capability::*;
    [MountsReadOnly, ResourcesPids, ResourcesDisk, ResourcesGpu, LifecycleResize, ExecUsage, ExecOomDetection]
};
/// What needs files that are kept.
const OF_FILES: [Capability; 5] = {
    use Capability::*;
    [LifecycleStop, LifecycleExpiryStop, LifecycleSnapshot, LifecycleForkFilesystem, SnapshotsFilesystem]
};

impl Gvisor {
    /// As the arguments of the runtime say, of which the last counts. Those in a file of its own are not known.
    pub(crate) fn with(arguments: &[String]) -> Self {
        let mut overlay = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.trim_start_matches('-').split_once('=') {
                Some(("overlay2", value)) => overlay = Some(value),
                None if argument.trim_start_matches('-') == "overlay2" => overlay = rest.next().map(String::as_str),
                _ => {}
            }
        }
        Self { keeps_files: overlay == Some("none") }
    }

    /// Takes away what it does not do.
    pub(crate) fn narrow(self, claims: &mut Capabilities) {
        let of_files = OF_FILES.into_iter().filter(|_| !self.keeps_files);
        NEVER.into_iter().chain(of_files).for_each(|capability| claims.set(capability, false));
    }
}

/// Whether a sandbox that can do this is in gVisor: every other one in Docker has read-only mounts.
pub(crate) fn has(claims: &Capabilities) -> bool {
    !claims.has(Capability::MountsReadOnly)
}

/// Why it does not do this: the reason, a colon, and what to do.
pub(crate) fn why_not(capability: Capability) -> Option<&'static str> {
    use Capability::*;
    Some(match capability {
        MountsReadOnly => {
            "a command in gVisor can empty files that it may only read: upload a copy, or choose another runtime"
        }
        ResourcesPids => {
            "the threads of gVisor's own kernel count too, and it crashes at the limit: leave it out, or choose another runtime"
        }
        ResourcesDisk => "gVisor was not seen to keep to a limit of disk: leave it out, or choose another runtime",
        ResourcesGpu => "gVisor was not seen to pass gpus on: choose another runtime",
        LifecycleResize => "gVisor cannot change the limits of what runs: make a new sandbox with other limits",
        ExecUsage | ExecOomDetection => {
            "limits hold for gVisor as a whole and not for a command: ask for the metrics and the end of the sandbox"
        }
        _ if OF_FILES.contains(&capability) => {
            "this gVisor writes files into an overlay of its own, which goes when the container stops: add --overlay2=none to the runtimeArgs of its runtime in the engine's daemon.json"
        }
        _ => return None,
    })
}

/// Why a sandbox that can do this does not do something else, as far as it is gVisor that does not.
pub(crate) fn why_not_in(claims: &Capabilities, capability: Capability) -> Option<&'static str> {
    // One that keeps files can be stopped.
    let keeps_files = claims.has(Capability::LifecycleStop);
    let takes_away = NEVER.contains(&capability) || (!keeps_files && OF_FILES.contains(&capability));
    if has(claims) && takes_away { why_not(capability) } else { None }
}

/// The refusal of a capability that a sandbox in gVisor would need.
pub(crate) fn refusal(capability: Capability) -> Error {
    match why_not(capability) {
        Some(reason) => failure::refusal(capability, reason),
        None => Error::unsupported(capability),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_contract::{Detail, Isolation};

    #[test]
    fn files_are_kept_where_the_last_argument_about_them_says_so() {
        let keeps = |arguments: &[&str]| {
            Gvisor::with(&arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>()).keeps_files
        };
        for arguments in
            [&["--overlay2=none"][..], &["-overlay2", "none"], &["--overlay2=all:memory", "--overlay2=none"]]
        {
            assert!(keeps(arguments), "{arguments:?}");
        }
        for arguments in
            [&[][..], &["--network=none"], &["--overlay2=root:self"], &["--overlay2=none", "--overlay2=all:self"]]
        {
            assert!(!keeps(arguments), "{arguments:?}");
        }
    }

    #[test]
    fn whatever_is_taken_away_has_a_reason_and_a_way_out() {
        let everything = Capabilities::of(Isolation::Gvisor, Capability::ALL.iter().copied());
        let mut left = everything.clone();
        Gvisor { keeps_files: false }.narrow(&mut left);
        let gone: Vec<_> = everything.iter().filter(|capability| !left.has(*capability)).collect();
        assert_eq!(gone.len(), NEVER.len() + OF_FILES.len());
        for capability in gone {
            let refusal = refusal(capability);
            let named =
                matches!(refusal.detail(), Detail::Unsupported { capability: named } if named == capability.as_str());
            assert!(named && refusal.message().matches(": ").count() == 2, "{refusal}");
        }
        let mut kept = everything.clone();
        Gvisor { keeps_files: true }.narrow(&mut kept);
        assert!(kept.has(Capability::LifecycleStop) && !kept.has(Capability::ResourcesPids));
        assert!(has(&left) && has(&kept) && !has(&everything));
        let reasons = |claims| {
            [Capability::LifecycleSnapshot, Capability::LifecycleResize, Capability::ExecUser]
                .map(|capability| why_not_in(claims, capability).is_some())
        };
        assert_eq!([&left, &kept, &everything].map(reasons), [[true, true, false], [false, true, false], [false; 3]]);
    }
}
