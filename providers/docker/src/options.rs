//! From the options of a spec to the engine's, each checked before anything is made.

use bollard::models::{DeviceMapping, HostConfig, ResourcesUlimits};
use isobox_contract::{DockerOptions, Error, NetworkPolicy, ProviderOptions, Result, SandboxSpec};

/// The options of a spec.
pub(crate) fn of(spec: &SandboxSpec) -> DockerOptions {
    match &spec.options {
        Some(ProviderOptions::Docker(options)) => (**options).clone(),
        _ => DockerOptions::default(),
    }
}

/// Writes them into what the engine is told.
///
/// # Errors
/// `invalid_spec` with the field.
pub(crate) fn apply(options: &DockerOptions, host: &mut HostConfig) -> Result<()> {
    let list = |given: &[String]| (!given.is_empty()).then(|| given.to_vec());
    host.privileged = options.privileged.then_some(true);
    host.extra_hosts = (!options.extra_hosts.is_empty())
        .then(|| options.extra_hosts.iter().map(|(name, address)| format!("{name}:{address}")).collect());
    host.dns = (!options.dns.is_empty()).then(|| options.dns.iter().map(ToString::to_string).collect());
    host.cap_add = list(&options.cap_add);
    host.cap_drop = list(&options.cap_drop);
    host.security_opt = list(&options.security_opt);
    host.shm_size = options.shm_size.map(shm_size).transpose()?;
    host.sysctls = (!options.sysctls.is_empty()).then(|| options.sysctls.clone().into_iter().collect());
    host.ulimits = all(&options.ulimits, "options.docker.ulimits", ulimit)?;
    host.devices = all(&options.devices, "options.docker.devices", device)?;
    Ok(())
}

/// The network of a container: its mode, none for the engine's default.
///
/// # Errors
/// `invalid_spec` when the options contradict the policy.
pub(crate) fn network(spec: &SandboxSpec, options: &DockerOptions) -> Result<Option<String>> {
    let named = match (options.host_network, &options.network) {
        (true, Some(_)) => {
            let reason = "names a network beside the machine's own, leave one of them out";
            return Err(Error::invalid_spec("options.docker.network", reason));
        }
        (true, None) => Some(("options.docker.host_network", "host".to_owned())),
        (false, Some(name)) => Some(("options.docker.network", name.clone())),
        (false, None) => None,
    };
    match (named, &spec.network) {
        (Some((_, name)), NetworkPolicy::ProviderDefault) => Ok(Some(name)),
        (Some((field, _)), _) => {
            let reason = "says what the sandbox reaches, and so does the network policy: set that to provider_default";
            Err(Error::invalid_spec(field, reason))
        }
        (None, NetworkPolicy::None) => Ok(Some("none".into())),
        (None, NetworkPolicy::Public) => Ok(Some("bridge".into())),
        (None, NetworkPolicy::ProviderDefault) => Ok(None),
        (None, _) => Err(Error::unsupported("network.hosts")),
    }
}

/// The host name inside; none for the engine's.
///
/// # Errors
/// `invalid_spec` for what is no host name.
pub(crate) fn hostname(options: &DockerOptions) -> Result<Option<&String>> {
    let fine = |name: &str| {
        (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
    };
    match &options.hostname {
        Some(name) if !fine(name) => {
            let reason = "is no host name, give 1 to 64 letters, digits, hyphens and dots";
            Err(Error::invalid_spec("options.docker.hostname", reason))
        }
        name => Ok(name.as_ref()),
    }
}

fn shm_size(bytes: u64) -> Result<i64> {
    match i64::try_from(bytes) {
        Ok(bytes) if bytes > 0 => Ok(bytes),
        _ => Err(Error::invalid_spec("options.docker.shm_size", "is no size, leave it out for 64 MiB")),
    }
}

fn all<T>(given: &[String], field: &str, read: fn(&str) -> Result<T, &'static str>) -> Result<Option<Vec<T>>> {
    let read = |text: &String| {
        read(text).map_err(|reason| Error::invalid_spec(field, format!("{} {reason}", text.escape_debug())))
    };
    let all: Vec<T> = given.iter().map(read).collect::<Result<_>>()?;
    Ok((!all.is_empty()).then_some(all))
}

/// Reads `name=soft:hard` or `name=both`.
fn ulimit(text: &str) -> Result<ResourcesUlimits, &'static str> {
    const FORM: &str = "is no limit, write name=soft:hard";
    let (name, values) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or(FORM)?;
    let (soft, hard) = values.split_once(':').unwrap_or((values, values));
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| *number >= -1);
    let (Some(soft), Some(hard)) = (number(soft), number(hard)) else { return Err(FORM) };
    if hard != -1 && (soft > hard || soft == -1) {
        return Err("has a soft limit above the hard one");
    }
    Ok(ResourcesUlimits { name: Some(name.to_owned()), soft: Some(soft), hard: Some(hard) })
}

/// Reads `host[:container[:rwm]]`.
fn device(text: &str) -> Result<DeviceMapping, &'static str> {
    let parts: Vec<_> = text.split(':').collect();
    let (host, inside, rights) = match parts[..] {
        [host] => (host, host, "rwm"),
        [host, inside] => (host, inside, "rwm"),
        [host, inside, rights] => (host, inside, rights),
        _ => return Err("is no device, write host[:container[:rwm]]"),
    };
    if !host.starts_with('/') || !inside.starts_with('/') {
        return Err("is not absolute, write the whole paths");
    }
    if rights.is_empty() || !rights.chars().all(|right| "rwm".contains(right)) {
        return Err("has rights that there are not, use r, w and m");
    }
    let some = |text: &str| Some(text.to_owned());
    Ok(DeviceMapping { path_on_host: some(host), path_in_container: some(inside), cgroup_permissions: some(rights) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_docker_reads_them() {
        let both = ulimit("nofile=1024").unwrap();
        assert_eq!((both.soft, both.hard), (Some(1024), Some(1024)));
        assert_eq!(ulimit("nofile=1:2").unwrap().hard, Some(2));
        for wrong in ["nofile", "=1", "nofile=x", "nofile=2:1", "nofile=-1:5"] {
            assert!(ulimit(wrong).is_err(), "{wrong}");
        }
        let device_of = |text| device(text).unwrap();
        assert_eq!(device_of("/dev/a").path_in_container.as_deref(), Some("/dev/a"));
        assert_eq!(device_of("/dev/a:/dev/b:r").cgroup_permissions.as_deref(), Some("r"));
        for wrong in ["dev/a", "/dev/a:/dev/b:x", "/a:/b:r:w", "/a:/b:"] {
            assert!(device(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_network_is_named_once() {
        let with = |network, host_network, name: Option<&str>| {
            let options = DockerOptions { host_network, network: name.map(str::to_owned), ..DockerOptions::default() };
            super::network(&SandboxSpec { network, ..SandboxSpec::default() }, &options)
        };
        assert_eq!(with(NetworkPolicy::None, false, None).unwrap().as_deref(), Some("none"));
        assert_eq!(with(NetworkPolicy::ProviderDefault, false, Some("a")).unwrap().as_deref(), Some("a"));
        assert_eq!(with(NetworkPolicy::ProviderDefault, true, None).unwrap().as_deref(), Some("host"));
        let refused = with(NetworkPolicy::None, true, None).unwrap_err();
        assert!(refused.message().starts_with("options.docker.host_network"), "{refused}");
        assert!(with(NetworkPolicy::ProviderDefault, true, Some("a")).is_err());
    }
}
