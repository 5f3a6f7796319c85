//! What the engine's words about a container mean.

use crate::labels;
use bollard::models::{ContainerInspectResponse, ContainerState, ContainerStateStatusEnum, HostConfig};
use isobox_contract::{ExternalId, NetworkPolicy, ProviderKind, Resources, SandboxId, SandboxKind, State, Status};
use isobox_wire::settings::ended;
use std::collections::HashMap;

/// The state of a container; of one that has ended by its exit code, of which some are a stop.
pub(crate) fn state(word: &str, exit_code: Option<i64>, stops: &[u8]) -> State {
    let stopped = |code: i64| u8::try_from(code).is_ok_and(|code| code == ended::STOPPED || stops.contains(&code));
    match word {
        "created" => State::Creating,
        "running" => State::Running,
        "paused" => State::Paused,
        "restarting" => State::Starting,
        "stopping" => State::Stopping,
        "removing" => State::Deleting,
        "exited" if exit_code.is_some_and(stopped) => State::Stopped,
        "exited" | "dead" => State::Error,
        _ => State::Unknown,
    }
}

/// Whether anything still runs in a container. Podman says of one that is about to end that it does not run.
pub(crate) fn runs(state: &ContainerState) -> bool {
    state.running == Some(true) || state.status == Some(ContainerStateStatusEnum::STOPPING)
}

/// The state and the engine's own word for it.
pub(crate) fn of_state(given: &ContainerState, stops: &[u8]) -> (State, String) {
    let word = given.status.unwrap_or(ContainerStateStatusEnum::EMPTY).to_string();
    (state(&word, given.exit_code, stops), word)
}

/// Everything that the engine says about a sandbox's container.
pub(crate) fn of(id: &SandboxId, external: &ExternalId, container: &ContainerInspectResponse) -> Status {
    let config = container.config.clone().unwrap_or_default();
    let all = config.labels.unwrap_or_default();
    let (state, word) = of_state(&container.state.clone().unwrap_or_default(), &labels::stops(&all));
    let mut status = labelled(external, &all, state);
    status.id = Some(*id);
    status.provider_state = word;
    status.created_at = Some(id.created_at());
    if let Some(host) = &container.host_config {
        status.resources = Some(limits(host)).filter(|limits| !limits.is_empty());
        status.network = host.network_mode.as_deref().map(network);
    }
    status
}

/// What the labels say.
pub(crate) fn labelled(external: &ExternalId, all: &HashMap<String, String>, state: State) -> Status {
    let mut status = Status::new(external.clone(), ProviderKind::DOCKER, state);
    status.id = labels::sandbox(all);
    status.name = labels::name(all).cloned();
    status.labels = labels::own(all);
    status.kind = Some(SandboxKind::Container);
    status.created_at = status.id.map(|id| id.created_at());
    status
}

/// The limits of a container. The engine says 0 for none.
pub(crate) fn limits(host: &HostConfig) -> Resources {
    let given = |number: Option<i64>| number.filter(|number| *number > 0).map(i64::unsigned_abs);
    let disk = host.storage_opt.as_ref().and_then(|options| options.get("size")?.parse().ok());
    let gpus = host.device_requests.iter().flatten().find_map(|request| u32::try_from(request.count?).ok());
    Resources {
        cpus: given(host.nano_cpus).map(|cpus| cpus as f64 / 1e9),
        memory: given(host.memory),
        disk,
        pids: given(host.pids_limit),
        gpus,
    }
}

fn network(mode: &str) -> NetworkPolicy {
    match mode {
        "none" => NetworkPolicy::None,
        "bridge" => NetworkPolicy::Public,
        _ => NetworkPolicy::ProviderDefault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_a_stop_by_its_code_alone() {
        assert_eq!(state("exited", Some(14), &[]), State::Stopped);
        assert_eq!(state("exited", Some(11), &[11, 12]), State::Stopped);
        for (code, stops) in [(11, &[][..]), (0, &[]), (137, &[]), (270, &[14])] {
            assert_eq!(state("exited", Some(code), stops), State::Error, "{code}");
        }
        assert_eq!(state("running", Some(0), &[]), State::Running);
        assert_eq!(state("new word", None, &[]), State::Unknown);
    }
}
