//! What an engine says about itself.

use crate::address::Address;
use bollard::models::{SystemInfo, SystemVersion};
use isobox_contract::{Error, ErrorCode, Result};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The oldest API that is spoken: that of Docker Engine 20.10.
const OLDEST: (u32, u32) = (1, 41);
/// What Podman calls itself among the parts of its version.
const PODMAN: &str = "Podman Engine";

/// What Podman says about itself in its own API.
#[derive(Debug, Deserialize)]
pub(crate) struct Podmans {
    host: Host,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Host {
    cgroup_version: String,
    cgroup_controllers: Option<Vec<String>>,
    security: Security,
    slirp4netns: Option<Program>,
    pasta: Option<Program>,
}

#[derive(Debug, Deserialize)]
struct Security {
    rootless: bool,
}

#[derive(Debug, Deserialize)]
struct Program {
    executable: String,
}

/// What an engine says about itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Whether it is Podman, which speaks Docker's API and does some of it in another way.
    pub(crate) podman: bool,
    /// Whether it cannot let a container stand still, as where it has no cgroup for one.
    pub(crate) never_pauses: bool,
    /// Whether it has nothing to connect a container to a network with.
    pub(crate) unconnected: bool,
    /// Its API's version.
    pub(crate) api: (u32, u32),
    /// Its own version.
    pub(crate) version: String,
    /// Its storage driver, and what that says of itself, such as its backing filesystem.
    pub(crate) driver: String,
    pub(crate) driver_status: Vec<(String, String)>,
    /// Its runtimes, by their names, and the arguments that each gets.
    pub(crate) runtimes: BTreeMap<String, Vec<String>>,
    pub(crate) default_runtime: String,
    /// Whether it labels files for SELinux, which then keeps containers from files without such a label.
    pub(crate) selinux: bool,
    pub(crate) memory_limit: bool,
    pub(crate) swap_limit: bool,
    pub(crate) cpu_limit: bool,
    pub(crate) pids_limit: bool,
    /// How many processors it has, where it says so.
    pub(crate) processors: Option<u64>,
    /// The processor architecture, as in `x86_64`.
    pub(crate) architecture: String,
}

impl Facts {
    /// What is known from its version alone.
    pub(crate) fn of_version(version: &SystemVersion) -> Self {
        let api = version.api_version.as_deref().and_then(|api| {
            let (major, minor) = api.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
        let names = version.components.iter().flatten().map(|component| component.name.as_str());
        Self {
            podman: names.into_iter().any(|name| name == PODMAN),
            api: api.unwrap_or_default(),
            version: version.version.clone().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// What is known from what Podman says in its own API: in Docker's it says what the machine could do, also where it may not.
    pub(crate) fn with_podmans(self, told: &Podmans) -> Self {
        let host = &told.host;
        let has = |name: &str| host.cgroup_controllers.iter().flatten().any(|controller| controller == name);
        let connecting = [&host.slirp4netns, &host.pasta].into_iter().flatten();
        let connects = !host.security.rootless || connecting.into_iter().any(|program| !program.executable.is_empty());
        Self {
            never_pauses: host.cgroup_version == "v1" && !has("freezer"),
            unconnected: !connects,
            memory_limit: self.memory_limit && has("memory"),
            swap_limit: self.swap_limit && has("memory"),
            cpu_limit: self.cpu_limit && has("cpu"),
            pids_limit: self.pids_limit && has("pids"),
            ..self
        }
    }

    /// What it is, for a person.
    pub(crate) fn shown(&self) -> String {
        if self.podman { format!("Podman {}", self.version) } else { self.version.clone() }
    }

    /// The first two numbers of its own version.
    pub(crate) fn number(&self) -> (u32, u32) {
        let mut parts = self.version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or_default());
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    }

    /// Refuses an engine that is too old.
    pub(crate) fn check(&self, address: &Address) -> Result<()> {
        if self.api >= OLDEST {
            return Ok(());
        }
        let ((major, minor), (oldest_major, oldest_minor)) = (self.api, OLDEST);
        let message = format!(
            "docker at {address} is version {} with API {major}.{minor}, and {oldest_major}.{oldest_minor} is needed: install Docker Engine 20.10 or newer",
            self.version
        );
        Err(Error::new(ErrorCode::Unsupported, message).with_provider(&isobox_contract::ProviderKind::DOCKER))
    }

    /// What most engines are like.
    pub(crate) fn usual() -> Self {
        let (memory_limit, swap_limit, cpu_limit, pids_limit) = (true, true, true, true);
        Self { memory_limit, swap_limit, cpu_limit, pids_limit, ..Self::default() }
    }

    /// Refuses an engine on a machine that the agent does not run on.
    pub(crate) fn has_agent(&self) -> Result<()> {
        let (here, there) = (std::env::consts::ARCH, self.architecture.as_str());
        if there.is_empty() || here == there {
            return Ok(());
        }
        let message = format!(
            "docker's machine is {there}, and this build of isobox has an agent for {here}: use the build for {there}"
        );
        Err(Error::new(ErrorCode::Unsupported, message).with_provider(&isobox_contract::ProviderKind::DOCKER))
    }

    /// What is known from everything that it says.
    pub(crate) fn with(self, info: &SystemInfo) -> Self {
        let security = info.security_options.clone().unwrap_or_default();
        let secured = |name: &str| security.iter().any(|option| option.contains(name));
        let status = info.driver_status.iter().flatten();
        let pair = |pair: &Vec<String>| Some((pair.first()?.clone(), pair.get(1)?.clone()));
        let runtimes = info.runtimes.iter().flatten();
        Self {
            driver: info.driver.clone().unwrap_or_default(),
            driver_status: status.filter_map(pair).collect(),
            runtimes: runtimes
                .map(|(name, runtime)| (name.clone(), runtime.runtime_args.clone().unwrap_or_default()))
                .collect(),
            default_runtime: info.default_runtime.clone().unwrap_or_default(),
            selinux: secured("name=selinux"),
            memory_limit: info.memory_limit.unwrap_or_default(),
            swap_limit: info.swap_limit.unwrap_or_default(),
            cpu_limit: info.cpu_cfs_quota.unwrap_or_default(),
            pids_limit: info.pids_limit.unwrap_or_default(),
            processors: info.ncpu.and_then(|count| u64::try_from(count).ok()).filter(|count| *count > 0),
            architecture: architecture(info.architecture.as_deref().unwrap_or_default()).to_owned(),
            ..self
        }
    }
}

/// Docker says what the kernel does, Podman what Go does.
fn architecture(told: &str) -> &str {
    match told {
        "amd64" => "x86_64",
        "arm64" => "aarch64",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn podmans(rootless: bool, version: &str, controllers: &[&str], slirp: &str) -> Facts {
        let host = json!({
            "cgroupVersion": version,
            "cgroupControllers": controllers,
            "security": { "rootless": rootless },
            "slirp4netns": { "executable": slirp },
        });
        Facts::usual().with_podmans(&serde_json::from_value(json!({ "host": host })).unwrap())
    }

    #[test]
    fn podman_can_do_what_its_own_cgroups_let_it() {
        let root = podmans(false, "v1", &["cpu", "memory", "freezer", "pids"], "");
        assert!(root.memory_limit && root.cpu_limit && root.pids_limit && !root.never_pauses && !root.unconnected);
        let bare = podmans(true, "v1", &[], "");
        assert!(!bare.memory_limit && !bare.swap_limit && !bare.cpu_limit && bare.never_pauses && bare.unconnected);
        let delegated = podmans(true, "v2", &["memory", "pids"], "/usr/bin/slirp4netns");
        assert!(delegated.memory_limit && delegated.pids_limit && !delegated.cpu_limit);
        assert!(!delegated.never_pauses && !delegated.unconnected);
    }

    #[test]
    fn podman_is_told_by_its_version_and_a_machine_by_its_own_word() {
        let told = json!({ "Components": [{ "Name": "Podman Engine", "Version": "4.3.1" }], "Version": "4.3.1" });
        let facts = Facts::of_version(&serde_json::from_value(told).unwrap());
        assert!(facts.podman);
        assert_eq!((facts.shown().as_str(), facts.number()), ("Podman 4.3.1", (4, 3)));
        let told = json!({ "Components": [{ "Name": "Engine", "Version": "26.1" }], "Version": "20.10.24+dfsg1" });
        let docker = Facts::of_version(&serde_json::from_value(told).unwrap());
        assert_eq!((docker.podman, docker.shown().as_str()), (false, "20.10.24+dfsg1"));
        assert_eq!((architecture("arm64"), architecture("x86_64")), ("aarch64", "x86_64"));
    }
}
