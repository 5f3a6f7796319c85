//! What Podman does in its own API and not, or not all of it, in the one that it shares with Docker.

use crate::body::Limits;
use crate::client::Caller;
use crate::facts::Podmans;
use crate::labels;
use crate::raw::escaped;
use bollard::errors::Error as EngineError;
use bollard::models::ContainerConfig;
use hyper::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// The first Podman that can change limits.
pub(crate) const CHANGES_LIMITS: (u32, u32) = (4, 3);
/// In how many microseconds the processor time of a limit may be used.
const PERIOD: i64 = 100_000;
/// Where systemd says that it runs.
const SYSTEMD: &str = "/run/systemd/system";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Made {
    id: String,
}

/// What it says about itself.
pub(crate) async fn info(caller: &Caller) -> Result<Podmans, EngineError> {
    Ok(serde_json::from_slice(&caller.podman(Method::GET, "/info", None).await?)?)
}

/// Makes an image of a container and gives its id. In Docker's API Podman takes no notice of the config.
pub(crate) async fn commit(
    caller: &Caller,
    container: &str,
    (repository, tag): (&str, &str),
    config: ContainerConfig,
) -> Result<String, EngineError> {
    let mut path = format!(
        "/commit?container={}&repo={}&tag={}&pause=true&format=docker",
        escaped(container),
        escaped(repository),
        escaped(tag)
    );
    for change in changes(config) {
        path.push_str("&changes=");
        path.push_str(&escaped(&change));
    }
    let answer = caller.podman(Method::POST, &path, None).await?;
    let Made { id } = serde_json::from_slice(&answer)?;
    Ok(if id.contains(':') { id } else { format!("sha256:{id}") })
}

/// A config as lines of a Dockerfile. What has no place in one is left out: it could be more lines than one.
fn changes(config: ContainerConfig) -> Vec<String> {
    let line = |word: &str, text: &str| (!text.contains(['\n', '\r'])).then(|| format!("{word} {text}"));
    let words = |word: &str, all: Option<Vec<String>>| Some(format!("{word} {}", json!(all.unwrap_or_default())));
    let given = |word: &str, text: Option<String>| line(word, &text.filter(|text| !text.is_empty())?);
    let mut all: Vec<Option<String>> = vec![
        // The other way around the arguments would be cleared by the program.
        words("ENTRYPOINT", config.entrypoint),
        words("CMD", config.cmd),
        given("USER", config.user),
        given("WORKDIR", config.working_dir),
        given("STOPSIGNAL", config.stop_signal),
    ];
    all.extend(config.exposed_ports.into_iter().flatten().map(|port| line("EXPOSE", &port)));
    all.extend(config.volumes.into_iter().flatten().map(|volume| line("VOLUME", &volume)));
    let labels = labels::gathered(config.labels.unwrap_or_default());
    all.extend(labels.iter().map(|(name, value)| line("LABEL", &format!("{name}={value}"))));
    all.into_iter().flatten().collect()
}

/// The names of variables that a container has and its image has not, as a label of an image that is made of it.
pub(crate) fn added(container: &[String], image: &[String]) -> HashMap<String, String> {
    let name = |pair: &String| pair.split('=').next().unwrap_or_default().to_owned();
    let own: Vec<_> = image.iter().map(name).collect();
    let added: Vec<_> = container.iter().map(name).filter(|name| !own.contains(name)).collect();
    HashMap::from([(labels::ADDED.to_owned(), json!(added).to_string())])
}

/// Changes the limits of a container, which Docker's API does not do at Podman.
pub(crate) async fn update(caller: &Caller, container: &str, limits: &Limits) -> Result<(), EngineError> {
    let path = format!("/containers/{}/update", escaped(container));
    caller.podman(Method::POST, &path, Some(&resources(limits))).await.map(drop)
}

/// Limits in the words of a runtime.
fn resources(limits: &Limits) -> Value {
    let mut resources = json!({});
    if let Some(nanos) = limits.nano_cpus {
        resources["cpu"] = json!({ "period": PERIOD, "quota": nanos.saturating_mul(PERIOD) / 1_000_000_000 });
    }
    if let Some(bytes) = limits.memory {
        resources["memory"] = json!({ "limit": bytes });
    }
    if let Some(bytes) = limits.memory_swap {
        resources["memory"]["swap"] = bytes.into();
    }
    if let Some(count) = limits.pids {
        resources["pids"] = json!({ "limit": count });
    }
    resources
}

/// Whether nobody looks after the health of containers by itself: Podman leaves it to systemd. Of another machine that is not known.
pub(crate) fn leaves_health_alone(here: bool) -> bool {
    here && !Path::new(SYSTEMD).exists()
}

/// Looks after the health of a container once, which the engine then says how it is.
pub(crate) async fn look_after_health(caller: &Caller, container: &str) -> Result<(), EngineError> {
    caller.podman(Method::GET, &format!("/containers/{}/healthcheck", escaped(container)), None).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_is_lines_of_which_none_is_two() {
        let own = isobox_contract::Labels::from([("a\nCMD b".to_owned(), "\"c\"\nd".to_owned())]);
        let config = ContainerConfig {
            cmd: Some(vec!["x\ny".into()]),
            user: Some("0\nCMD z".into()),
            working_dir: Some("/a b".into()),
            labels: Some(labels::write("snp", "snapshot", None, &own)),
            ..ContainerConfig::default()
        };
        let changes = changes(config);
        assert_eq!(changes[..3], ["ENTRYPOINT []", r#"CMD ["x\ny"]"#, "WORKDIR /a b"]);
        assert!(changes.iter().all(|change| !change.contains('\n')), "{changes:?}");
        let line = changes.iter().find_map(|change| change.strip_prefix("LABEL isobox.labels=")).unwrap();
        let read = HashMap::from([("isobox.labels".to_owned(), line.to_owned())]);
        assert_eq!(labels::own(&read), own);
    }

    #[test]
    fn limits_that_are_not_changed_are_not_named() {
        let limits = Limits { nano_cpus: Some(500_000_000), memory: None, memory_swap: None, pids: Some(7) };
        let expected = json!({ "cpu": { "period": 100_000, "quota": 50_000 }, "pids": { "limit": 7 } });
        assert_eq!(resources(&limits), expected);
    }
}
