//! From a sidecar to what the engine is told about its container.

use super::Beside;
use crate::images::Found;
use crate::mounts;
use bollard::models::{ContainerCreateBody, HealthConfig, HostConfig, HostConfigLogConfig};
use isobox_contract::{Error, Result, Sidecar, SidecarHealth};
use isobox_wire::container::AGENT;
use std::collections::HashMap;
use std::time::Duration;

/// The container of a sidecar, in the network of the sandbox's. The agent is in front of its program, and ends it with the sandbox.
///
/// # Errors
/// `invalid_spec` when there is no program.
pub(super) fn of(
    sidecar: &Sidecar,
    image: &Found,
    sandbox: &str,
    beside: &Beside,
    labels: HashMap<String, String>,
) -> Result<ContainerCreateBody> {
    let agent = beside.agent.as_ref().map(|agent| {
        let agent = mounts::bind(mounts::text(agent)?, AGENT.into(), Some(true));
        Ok::<_, Error>(vec![agent])
    });
    let wrapped = [AGENT.to_owned(), "beside".to_owned(), super::lifeline(&beside.id)];
    let given = |words: &Vec<String>| (!words.is_empty()).then(|| words.clone());
    let log: HashMap<_, _> = [("max-size", "1m"), ("max-file", "1")].map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    Ok(ContainerCreateBody {
        image: Some(image.id.clone()),
        env: Some(sidecar.env.iter().map(|(name, value)| format!("{name}={value}")).collect()),
        entrypoint: Some([&wrapped[..], &program(sidecar, image)?].concat()),
        cmd: Some(Vec::new()),
        user: sidecar.user.clone(),
        labels: Some(labels),
        healthcheck: sidecar.health.as_ref().map(health),
        host_config: Some(HostConfig {
            network_mode: Some(format!("container:{sandbox}")),
            mounts: agent.transpose()?,
            cap_add: given(&sidecar.cap_add),
            privileged: sidecar.privileged.then_some(true),
            log_config: Some(HostConfigLogConfig { typ: Some("json-file".into()), config: Some(log) }),
            // What has no reaper of its own gets one.
            init: Some(true),
            ..HostConfig::default()
        }),
        ..ContainerCreateBody::default()
    })
}

/// What is run, by the engine's rules: the image's arguments belong to the image's program.
fn program(sidecar: &Sidecar, image: &Found) -> Result<Vec<String>> {
    let own = &image.image;
    let (entrypoint, command) = match (sidecar.entrypoint.is_empty(), sidecar.command.is_empty()) {
        (false, _) => (&sidecar.entrypoint, &sidecar.command),
        (true, false) => (&own.entrypoint, &sidecar.command),
        (true, true) => (&own.entrypoint, &own.command),
    };
    let all = [&entrypoint[..], command].concat();
    if all.is_empty() {
        let reason = format!("of the sidecar {} is missing, and its image names no program, give one", sidecar.name);
        return Err(Error::invalid_spec(format!("{}.command", super::FIELD), reason));
    }
    Ok(all)
}

fn health(health: &SidecarHealth) -> HealthConfig {
    let nanos = |time: Option<Duration>| time.map(|time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX));
    HealthConfig {
        test: Some([&["CMD".to_owned()], &health.command[..]].concat()),
        interval: nanos(health.interval),
        timeout: nanos(health.timeout),
        retries: health.retries.map(i64::from),
        start_period: nanos(health.start_period),
        ..HealthConfig::default()
    }
}
