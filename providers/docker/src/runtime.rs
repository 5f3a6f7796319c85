//! Which of the engine's runtimes a sandbox gets, and how strongly that keeps it apart.
//!
//! Podman lists every runtime that it has heard of, whether it is there or not, and runs a container with its default one whatever the
//! container is to have. So only that one counts.

use crate::facts::Facts;
use isobox_contract::{DockerOptions, Error, Isolation, Result, SandboxSpec};

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
    facts.runtimes.iter().map(|name| isolation(name)).max().unwrap_or(Isolation::Container)
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runtime {
    /// Its name, where it is not the engine's default.
    pub(crate) name: Option<String>,
    /// What it gives.
    pub(crate) isolation: Isolation,
}

/// The runtime for a spec: the one that it names, or the weakest that is strong enough.
///
/// # Errors
/// `invalid_spec` for one that the engine does not have, or that is too weak.
pub(crate) fn choose(spec: &SandboxSpec, options: &DockerOptions, facts: &Facts) -> Result<Runtime> {
    if options.privileged && spec.isolation > Isolation::None {
        let reason = format!("ends all isolation, and {} is asked for: leave one of them out", spec.isolation);
        return Err(Error::invalid_spec("options.docker.privileged", reason));
    }
    let given = |name: &str| if options.privileged { Isolation::None } else { isolation(name) };
    let Some(name) = &options.runtime else {
        let default = &facts.default_runtime;
        if given(default) >= spec.isolation {
            return Ok(Runtime { name: None, isolation: given(default) });
        }
        if facts.podman {
            return Err(Error::unsupported(format!("isolation.{}", spec.isolation)));
        }
        let enough = facts.runtimes.iter().filter(|name| isolation(name) >= spec.isolation);
        let chosen = enough.min_by_key(|name| isolation(name));
        let chosen = chosen.ok_or_else(|| Error::unsupported(format!("isolation.{}", spec.isolation)))?;
        return Ok(Runtime { name: Some(chosen.clone()), isolation: isolation(chosen) });
    };
    if facts.podman {
        let reason = format!(
            "cannot be chosen, because podman's socket takes no notice of it: leave it out, and have podman's service started with --runtime {name}"
        );
        return Err(Error::invalid_spec("options.docker.runtime", reason));
    }
    if !facts.runtimes.contains(name) {
        let reason = format!("is not one of the engine's, use {}", facts.runtimes.join(", "));
        return Err(Error::invalid_spec("options.docker.runtime", reason));
    }
    if isolation(name) < spec.isolation {
        let reason = format!("gives {}, and at least {} is asked for", isolation(name), spec.isolation);
        return Err(Error::invalid_spec("options.docker.runtime", reason));
    }
    Ok(Runtime { name: Some(name.clone()), isolation: given(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        let runtimes = ["kata", "runc", "runsc"].map(str::to_owned).to_vec();
        Facts { runtimes, default_runtime: "runc".into(), ..Facts::default() }
    }

    #[test]
    fn a_runtime_is_chosen_by_what_is_asked_for() {
        let chosen = |isolation, runtime: Option<&str>| {
            let spec = SandboxSpec { isolation, ..SandboxSpec::default() };
            let options = DockerOptions { runtime: runtime.map(str::to_owned), ..DockerOptions::default() };
            choose(&spec, &options, &facts())
        };
        let runtime = |name: Option<&str>, isolation| Runtime { name: name.map(str::to_owned), isolation };
        assert_eq!(chosen(Isolation::Container, None).unwrap(), runtime(None, Isolation::Container));
        assert_eq!(chosen(Isolation::Gvisor, None).unwrap(), runtime(Some("runsc"), Isolation::Gvisor));
        assert_eq!(chosen(Isolation::Vm, None).unwrap(), runtime(Some("kata"), Isolation::Vm));
        assert_eq!(chosen(Isolation::None, Some("runsc")).unwrap(), runtime(Some("runsc"), Isolation::Gvisor));
        assert!(chosen(Isolation::Vm, Some("runsc")).unwrap_err().message().contains("gvisor"));
        assert!(chosen(Isolation::None, Some("crun")).unwrap_err().message().contains("kata, runc, runsc"));
    }

    #[test]
    fn what_is_privileged_is_not_isolated() {
        let options = DockerOptions { privileged: true, ..DockerOptions::default() };
        let chosen = choose(&SandboxSpec::default(), &options, &facts()).unwrap();
        assert_eq!(chosen, Runtime { name: None, isolation: Isolation::None });
        let spec = SandboxSpec { isolation: Isolation::Container, ..SandboxSpec::default() };
        assert!(choose(&spec, &options, &facts()).is_err());
    }
}
