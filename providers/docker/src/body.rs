//! From a spec to what the engine is told about a container.

use crate::base::Base;
use crate::facts::Facts;
use crate::labels;
use crate::mounts;
use crate::one_shots;
use crate::options;
use crate::runtime::Runtime;
use bollard::models::{
    ContainerCreateBody, DeviceRequest, HealthConfig, HostConfig, HostConfigLogConfig, Mount, MountType,
};
use isobox_contract::{Context, DockerOptions, Error, Resources, Result, SandboxId, SandboxSpec};
use isobox_wire::container::{AGENT, DIRECTORY, SHARED};
use std::collections::HashMap;
use std::path::PathBuf;

/// How long the engine lets the agent take to end everything when it is asked to stop, in seconds.
pub(crate) const STOP: i64 = 15;
/// An engine without a network for IPv6 turns it off everywhere in a container. Programs that talk to themselves expect `::1`, and
/// have it with other providers.
const LOOPBACK6: &str = "net.ipv6.conf.lo.disable_ipv6";
/// The least memory that an engine takes for a limit, in bytes.
const LEAST_MEMORY: u64 = 6 << 20;
/// The least share of a processor that an engine takes for a limit, in thousandths.
const LEAST_MILLIS: u64 = 10;
/// Characters of an id that make a host name.
const HOSTNAME: usize = 12;

/// What is shared between this machine and a container.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The agent's program.
    pub(crate) agent: PathBuf,
    /// The directory with its socket.
    pub(crate) run: PathBuf,
}

/// Everything that decides what a container is like.
pub(crate) struct Wanted<'a> {
    pub(crate) id: &'a SandboxId,
    pub(crate) spec: &'a SandboxSpec,
    pub(crate) options: &'a DockerOptions,
    pub(crate) base: &'a Base,
    pub(crate) runtime: &'a Runtime,
    /// What is mounted beside the mounts of the spec.
    pub(crate) mounts: Vec<Mount>,
    pub(crate) network: Option<String>,
    pub(crate) facts: &'a Facts,
    /// Whether the kernel of its network has IPv6, which the engine would keep from its loopback.
    pub(crate) loopback6: bool,
    /// Whose books it is in.
    pub(crate) fleet: &'a str,
}

/// The container. The agent is its entrypoint and runs as root; the image's own user is for commands, and its variables are told
/// to the agent alone.
///
/// # Errors
/// `invalid_spec` with the field.
pub(crate) fn container(wanted: &Wanted<'_>, context: &Context) -> Result<ContainerCreateBody> {
    let Wanted { id, spec, options, base, .. } = wanted;
    let own = spec.labels.iter().chain(&context.labels);
    let own = own.map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut labels = match &base.beside {
        None => labels::write(id.as_str(), labels::SANDBOX, spec.name.as_deref(), &own),
        Some(beside) => labels::write(beside.sandbox.as_str(), one_shots::ROLE, None, &own),
    };
    if base.beside.is_some() {
        labels.insert(one_shots::OWN_ID.into(), id.to_string());
    }
    let stops: Vec<_> = isobox_local::stop_after(&spec.lifetimes).iter().map(ToString::to_string).collect();
    labels.insert(labels::STOPS.into(), stops.join(","));
    labels.insert(labels::FLEET.into(), wanted.fleet.into());
    let hostname = options::hostname(options)?.cloned().unwrap_or_else(|| hostname(id));
    Ok(ContainerCreateBody {
        image: Some(base.id.clone()),
        // The network of another container brings its name along.
        hostname: (wanted.network.as_deref() != Some("host") && base.beside.is_none()).then_some(hostname),
        user: Some("0:0".into()),
        entrypoint: Some(vec![AGENT.into(), "container".into()]),
        cmd: Some(Vec::new()),
        working_dir: Some("/".into()),
        labels: Some(labels),
        // Podman would have its host run even one of nothing again and again.
        healthcheck: base.checks_health.then(no_health_check),
        stop_signal: Some("SIGTERM".into()),
        stop_timeout: Some(STOP),
        host_config: Some(host(wanted)?),
        ..ContainerCreateBody::default()
    })
}

fn no_health_check() -> HealthConfig {
    HealthConfig { test: Some(vec!["NONE".into()]), ..HealthConfig::default() }
}

fn host(wanted: &Wanted<'_>) -> Result<HostConfig> {
    let resources = &wanted.spec.resources;
    let limits = limits(resources, wanted.facts)?;
    let mut host = HostConfig {
        mounts: Some(wanted.mounts.clone()),
        network_mode: wanted.network.clone(),
        runtime: wanted.runtime.name.clone(),
        nano_cpus: limits.nano_cpus,
        memory: limits.memory,
        memory_swap: limits.memory_swap,
        pids_limit: limits.pids,
        storage_opt: resources.disk.map(|bytes| HashMap::from([("size".to_owned(), bytes.to_string())])),
        device_requests: resources.gpus.map(|count| vec![gpus(count)]),
        // The agent says little, and what it says is for whoever looks after a crash.
        log_config: Some(HostConfigLogConfig { typ: Some("json-file".into()), config: Some(small()) }),
        ..HostConfig::default()
    };
    options::apply(wanted.options, &mut host)?;
    if wanted.loopback6 {
        host.sysctls.get_or_insert_default().entry(LOOPBACK6.into()).or_insert_with(|| "0".into());
    }
    Ok(host)
}

fn small() -> HashMap<String, String> {
    [("max-size", "1m"), ("max-file", "1")].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// Limits as the engine counts them.
pub(crate) struct Limits {
    pub(crate) nano_cpus: Option<i64>,
    pub(crate) memory: Option<i64>,
    pub(crate) memory_swap: Option<i64>,
    pub(crate) pids: Option<i64>,
}

/// Limits as the engine counts them. Memory is all memory: there is no swap beside it, where that can be said. More processors
/// than there are, which an engine refuses, are all of them.
///
/// # Errors
/// `invalid_spec` for less than an engine takes.
pub(crate) fn limits(resources: &Resources, facts: &Facts) -> Result<Limits> {
    let number = |field: &str, value: u64| {
        i64::try_from(value).map_err(|_| Error::invalid_spec(field, "is more than docker can count"))
    };
    if resources.memory.is_some_and(|bytes| bytes < LEAST_MEMORY) {
        return Err(Error::invalid_spec("resources.memory", "is too little for docker, the least is 6m"));
    }
    let most = facts.processors.map_or(u64::MAX, |count| count.saturating_mul(1_000));
    let millis = resources.cpu_millis().map(|millis| millis.min(most));
    if millis.is_some_and(|millis| millis < LEAST_MILLIS) {
        return Err(Error::invalid_spec(
            "resources.cpus",
            "is too little for docker, the least is 0.01 of a processor",
        ));
    }
    let memory = resources.memory.map(|bytes| number("resources.memory", bytes)).transpose()?;
    Ok(Limits {
        nano_cpus: millis.map(|millis| number("resources.cpus", millis.saturating_mul(1_000_000))).transpose()?,
        memory,
        memory_swap: memory.filter(|_| facts.swap_limit),
        pids: resources.pids.map(|pids| number("resources.pids", pids)).transpose()?,
    })
}

fn gpus(count: u32) -> DeviceRequest {
    let capabilities = Some(vec![vec!["gpu".to_owned()]]);
    DeviceRequest { count: Some(count.into()), capabilities, ..DeviceRequest::default() }
}

/// The last characters of the id: the first ones are the time, which many sandboxes share.
fn hostname(id: &SandboxId) -> String {
    let id = id.as_str();
    id[id.len() - HOSTNAME..].to_owned()
}

/// A volume of the container's own for the agent, which goes with it and is in no copy of its files.
pub(crate) fn apart() -> Mount {
    Mount { target: Some(DIRECTORY.into()), typ: Some(MountType::VOLUME), ..Mount::default() }
}

/// What is mounted in a container for the agent's sake.
///
/// # Errors
/// `invalid_spec` for a path that docker cannot be told.
pub(crate) fn shared(shared: &Shared) -> Result<[Mount; 2]> {
    let agent = mounts::bind(mounts::text(&shared.agent)?, AGENT.into(), Some(true));
    Ok([agent, mounts::bind(mounts::text(&shared.run)?, SHARED.into(), None)])
}
