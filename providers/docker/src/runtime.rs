//! Which of the engine's runtimes a sandbox gets, how strongly that keeps it apart, and what it cannot do in it.
//!
//! Podman lists every runtime that it has heard of, whether it is there or not, and runs a container with its default one whatever the
//! container is to have. So only that one counts.

use crate::facts::Facts;
use crate::gvisor::{self, Gvisor};
use isobox_contract::{Capabilities, DockerOptions, Error, Isolation, Result, SandboxSpec};
use std::cmp::Reverse;

/// How strongly a runtime keeps containers apart, by its name.
pub(crate) fn isolation(runtime: &str) -> Isolation {
    let name = runtime.rsplit('/').next().unwrap_or(runtime);
    if name.contains("runsc") || name.contains("gvisor") {
        Isolation::Gvisor
    } else if name.contains("kata") {
        Isolation::Vm
    } else {
        Isolation::Container
    }
}

/// The strongest that the engine has.
pub(crate) fn strongest(facts: &Facts) -> Isolation {
    if facts.podman {
        return isolation(&facts.default_runtime);
    }
    facts.runtimes.keys().map(|name| isolation(name)).max().unwrap_or(Isolation::Container)
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runtime {
    /// Its name, where it is not the engine's default.
    pub(crate) name: Option<String>,
    /// What it gives.
    pub(crate) isolation: Isolation,
    /// How it is set up, where it is gVisor.
    pub(crate) gvisor: Option<Gvisor>,
}

impl Runtime {
    /// The one with this name at the engine, or one that it has no more.
    pub(crate) fn named(name: &str, privileged: bool, facts: &Facts) -> Self {
        let arguments = facts.runtimes.get(name).map_or(&[][..], Vec::as_slice);
        let given = isolation(name);
        Self {
            name: Some(name.to_owned()),
            isolation: if privileged { Isolation::None } else { given },
            gvisor: (given == Isolation::Gvisor).then(|| Gvisor::with(arguments)),
        }
    }

    /// What a sandbox in it can do, of what the engine can.
    pub(crate) fn narrow(&self, claims: &Capabilities) -> Capabilities {
        let mut left = claims.clone();
        left.isolation = self.isolation;
        if let Some(gvisor) = self.gvisor {
            gvisor.narrow(&mut left);
        }
        left
    }

    /// Refuses a spec that needs what it takes away.
    ///
    /// # Errors
    /// `unsupported` with the capability, the reason and what to do.
    pub(crate) fn check(&self, spec: &SandboxSpec, claims: &Capabilities) -> Result<()> {
        let left = self.narrow(claims);
        let missing = spec.needs().into_iter().find(|need| claims.has(*need) && !left.has(*need));
        missing.map_or(Ok(()), |capability| Err(gvisor::refusal(capability)))
    }
}

/// The runtime for a spec: the one that it names, or the weakest that is strong enough; among those one that can do most.
///
/// # Errors
/// `invalid_spec` for one that the engine does not have, or that is too weak.
pub(crate) fn choose(spec: &SandboxSpec, options: &DockerOptions, facts: &Facts) -> Result<Runtime> {
    if options.privileged && spec.isolation > Isolation::None {
        let reason = format!("ends all isolation, and {} is asked for: leave one of them out", spec.isolation);
        return Err(Error::invalid_spec("options.docker.privileged", reason));
    }
    let named = |name: &str| Runtime::named(name, options.privileged, facts);
    let Some(name) = &options.runtime else {
        let default = named(&facts.default_runtime);
        if default.isolation >= spec.isolation {
            return Ok(Runtime { name: None, ..default });
        }
        if facts.podman {
            return Err(Error::unsupported(format!("isolation.{}", spec.isolation)));
        }
        let enough =
            facts.runtimes.keys().map(|name| named(name)).filter(|runtime| runtime.isolation >= spec.isolation);
        let keeps = |runtime: &Runtime| runtime.gvisor.is_none_or(|gvisor| gvisor.keeps_files);
        let chosen = enough.min_by_key(|runtime| (runtime.isolation, Reverse(keeps(runtime))));
        return chosen.ok_or_else(|| Error::unsupported(format!("isolation.{}", spec.isolation)));
    };
    if facts.podman {
        let reason = format!(
            "cannot be chosen, because podman's socket takes no notice of it: leave it out, and have podman's service started with --runtime {name}"
        );
        return Err(Error::invalid_spec("options.docker.runtime", reason));
    }
    if !facts.runtimes.contains_key(name) {
        let known: Vec<_> = facts.runtimes.keys().map(String::as_str).collect();
        let reason = format!("is not one of the engine's, use {}", known.join(", "));
        return Err(Error::invalid_spec("options.docker.runtime", reason));
    }
    if isolation(name) < spec.isolation {
        let reason = format!("gives {}, and at least {} is asked for", isolation(name), spec.isolation);
        return Err(Error::invalid_spec("options.docker.runtime", reason));
    }
    Ok(named(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_contract::{Capability, Detail, Expiry};
    use std::time::Duration;

    fn facts() -> Facts {
        let kept = ("runsc-kept", vec!["--overlay2=none".to_owned()]);
        let plain = ["kata", "runc", "runsc"].map(|name| (name, Vec::new()));
        let runtimes = plain.into_iter().chain([kept]).map(|(name, arguments)| (name.to_owned(), arguments)).collect();
        Facts { runtimes, default_runtime: "runc".into(), ..Facts::default() }
    }

    #[test]
    fn a_runtime_is_chosen_by_what_is_asked_for() {
        let chosen = |isolation, runtime: Option<&str>| {
            let spec = SandboxSpec { isolation, ..SandboxSpec::default() };
            let options = DockerOptions { runtime: runtime.map(str::to_owned), ..DockerOptions::default() };
            choose(&spec, &options, &facts())
        };
        let gvisor = |keeps_files| Some(Gvisor { keeps_files });
        let runtime =
            |name: Option<&str>, isolation, gvisor| Runtime { name: name.map(str::to_owned), isolation, gvisor };
        assert_eq!(chosen(Isolation::Container, None).unwrap(), runtime(None, Isolation::Container, None));
        assert_eq!(chosen(Isolation::Vm, None).unwrap(), runtime(Some("kata"), Isolation::Vm, None));
        // Of two that are as strong, the one whose sandboxes can do more.
        let kept = runtime(Some("runsc-kept"), Isolation::Gvisor, gvisor(true));
        assert_eq!(chosen(Isolation::Gvisor, None).unwrap(), kept);
        let named = runtime(Some("runsc"), Isolation::Gvisor, gvisor(false));
        assert_eq!(chosen(Isolation::None, Some("runsc")).unwrap(), named);
        assert!(chosen(Isolation::Vm, Some("runsc")).unwrap_err().message().contains("gvisor"));
        assert!(chosen(Isolation::None, Some("crun")).unwrap_err().message().contains("kata, runc, runsc, runsc-kept"));
    }

    #[test]
    fn what_is_privileged_is_not_isolated() {
        let options = DockerOptions { privileged: true, ..DockerOptions::default() };
        let chosen = choose(&SandboxSpec::default(), &options, &facts()).unwrap();
        assert_eq!(chosen, Runtime { name: None, isolation: Isolation::None, gvisor: None });
        let spec = SandboxSpec { isolation: Isolation::Container, ..SandboxSpec::default() };
        assert!(choose(&spec, &options, &facts()).is_err());
    }

    #[test]
    fn what_a_runtime_does_not_do_is_refused_by_name_also_where_it_isolates_nothing() {
        let claims = Capabilities::of(Isolation::Gvisor, Capability::ALL.iter().copied());
        let mut spec = SandboxSpec::default();
        spec.resources.pids = Some(100);
        for privileged in [false, true] {
            let refused = Runtime::named("runsc-kept", privileged, &facts()).check(&spec, &claims).unwrap_err();
            let named =
                matches!(refused.detail(), Detail::Unsupported { capability } if capability == "resources.pids");
            assert!(named && refused.message().contains("gVisor"), "{refused}");
        }
        Runtime::named("runc", false, &facts()).check(&spec, &claims).unwrap();
        spec = SandboxSpec::default();
        spec.lifetimes.ttl = Some(Duration::from_secs(60).into());
        spec.lifetimes.on_expiry = Expiry::Stop;
        let refused = Runtime::named("runsc", false, &facts()).check(&spec, &claims).unwrap_err();
        assert!(refused.message().contains("lifecycle.expiry_stop") && refused.message().contains("--overlay2=none"));
        Runtime::named("runsc-kept", false, &facts()).check(&spec, &claims).unwrap();
    }
}
