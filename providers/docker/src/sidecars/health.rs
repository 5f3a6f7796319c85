//! Waiting for a sidecar to be ready.

use crate::client::Engine;
use crate::podman;
use crate::provider::Inner;
use bollard::container::LogOutput;
use bollard::models::{ContainerState, HealthStatusEnum};
use bollard::query_parameters::LogsOptionsBuilder;
use futures::StreamExt;
use isobox_contract::{Context, Detail, Error, ErrorCode, Resource, Result};
use std::time::{Duration, Instant};

/// How long it may take when the caller has more time.
const PATIENCE: Duration = Duration::from_secs(300);
/// Between two looks, the first time and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));
/// Between two looks after the health of a container that does not say.
const INTERVAL: Duration = Duration::from_secs(30);
/// Lines of its log in an error, and how long the engine may take for them.
const LINES: &str = "20";
const LOG: Duration = Duration::from_secs(5);

/// Waits until a sidecar is healthy, and looks after its health where the engine does not.
pub(super) async fn wait(inner: &Inner, name: &str, container: &str, context: &Context) -> Result<()> {
    let engine = &inner.engine;
    let watched = async {
        if engine.facts().await.is_ok_and(|facts| facts.podman) && podman::leaves_health_alone(inner.is_here()) {
            look_after(engine, container).await;
        }
        std::future::pending().await
    };
    tokio::select! {
        ready = until_ready(engine, name, container, context) => ready,
        () = watched => Ok(()),
    }
}

/// Has the engine look after the health of a container, at its interval.
async fn look_after(engine: &Engine, container: &str) {
    let inspected = engine.caller().inspect(container).await.ok();
    let check = inspected.and_then(|container| container.config).and_then(|config| config.healthcheck);
    let nanos = check.and_then(|check| u64::try_from(check.interval?).ok()).filter(|nanos| *nanos > 0);
    let interval = nanos.map_or(INTERVAL, Duration::from_nanos);
    while podman::look_after_health(engine.caller(), container).await.is_ok() {
        tokio::time::sleep(interval).await;
    }
}

async fn until_ready(engine: &Engine, name: &str, container: &str, context: &Context) -> Result<()> {
    let begun = Instant::now();
    let patience = context.remaining("create")?.map_or(PATIENCE, |left| left.min(PATIENCE));
    let mut pause = PAUSE.0;
    loop {
        let inspected = engine.caller().inspect(container).await;
        let inspected = inspected.map_err(engine.failed_on("look at a sidecar", Resource::Sandbox, container))?;
        let state = inspected.state.unwrap_or_default();
        match verdict(&state) {
            Some(Ok(())) => return Ok(()),
            Some(Err(how)) => {
                let message = format!("the sidecar {name} {how}, the end of its log is in the error's detail");
                return Err(with_log(engine, name, container, Error::new(ErrorCode::CommandFailed, message)).await);
            }
            None if begun.elapsed() >= patience => {
                let error = Error::timeout(format!("waiting for the sidecar {name}"), patience);
                let error = Error::new(ErrorCode::Timeout, error.message().to_owned());
                return Err(with_log(engine, name, container, error).await);
            }
            None => tokio::time::sleep(pause).await,
        }
        pause = (pause * 2).min(PAUSE.1);
    }
}

/// Whether it is ready, or never will be.
fn verdict(state: &ContainerState) -> Option<Result<(), String>> {
    if state.running != Some(true) {
        return Some(Err(format!("ended with {} before it was ready", state.exit_code.unwrap_or_default())));
    }
    match state.health.as_ref().and_then(|health| health.status) {
        Some(HealthStatusEnum::HEALTHY) => Some(Ok(())),
        Some(HealthStatusEnum::UNHEALTHY) => Some(Err("is unhealthy".to_owned())),
        _ => None,
    }
}

/// Adds the end of its log, for whoever asks for it.
async fn with_log(engine: &Engine, name: &str, container: &str, error: Error) -> Error {
    let options = LogsOptionsBuilder::default().stdout(true).stderr(true).tail(LINES).build();
    let lines = engine.api().logs(container, Some(options));
    let mut log = String::new();
    let read = lines.for_each(|line| {
        if let Ok(LogOutput::StdOut { message } | LogOutput::StdErr { message } | LogOutput::Console { message }) = line
        {
            log.push_str(&String::from_utf8_lossy(&message));
        }
        std::future::ready(())
    });
    let _ = tokio::time::timeout(LOG, read).await;
    let json = serde_json::json!({ "sidecar": name, "log": log });
    error.with_detail(Detail::Provider { code: Some("sidecar".to_owned()), json })
}
