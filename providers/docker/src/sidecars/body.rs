//! From a sidecar to what the engine is told about its container.

use crate::images::Found;
use bollard::models::{ContainerCreateBody, HealthConfig, HostConfig, HostConfigLogConfig};
use isobox_contract::{Sidecar, SidecarHealth};
use std::collections::HashMap;
use std::time::Duration;

/// The container of a sidecar, in the network of the sandbox's.
pub(super) fn of(
    sidecar: &Sidecar,
    image: &Found,
    sandbox: &str,
    labels: HashMap<String, String>,
) -> ContainerCreateBody {
    let given = |words: &Vec<String>| (!words.is_empty()).then(|| words.clone());
    let log: HashMap<_, _> = [("max-size", "1m"), ("max-file", "1")].map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    ContainerCreateBody {
        image: Some(image.id.clone()),
        env: Some(sidecar.env.iter().map(|(name, value)| format!("{name}={value}")).collect()),
        entrypoint: given(&sidecar.entrypoint),
        cmd: given(&sidecar.command),
        user: sidecar.user.clone(),
        labels: Some(labels),
        healthcheck: sidecar.health.as_ref().map(health),
        host_config: Some(HostConfig {
            network_mode: Some(format!("container:{sandbox}")),
            cap_add: given(&sidecar.cap_add),
            privileged: sidecar.privileged.then_some(true),
            log_config: Some(HostConfigLogConfig { typ: Some("json-file".into()), config: Some(log) }),
            // What has no reaper of its own gets one.
            init: Some(true),
            ..HostConfig::default()
        }),
        ..ContainerCreateBody::default()
    }
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
