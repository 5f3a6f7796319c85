//! Waiting until a service can be used.

use isobox_contract::{Capability, Error, ExecId, ExecRequest, OutputEvent, Process, Replay, Result, Sandbox};
use std::time::Duration;

/// Between two tries of a command, at first and at most.
const TRIES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
/// How long one try may take.
const TRY: Duration = Duration::from_secs(10);

/// What says that a service can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    /// Something listens on this TCP port.
    Port(u16),
    /// These bytes are in its output, from its beginning as far as that is kept.
    Output(Vec<u8>),
    /// This command exits with 0; it is tried again and again.
    Command(Box<ExecRequest>),
}

/// Waits until a service is ready.
///
/// # Errors
/// `timeout`; `command_failed` with its output when it has ended first; `unsupported` when the sandbox cannot tell.
pub async fn wait_ready(sandbox: &dyn Sandbox, service: &ExecId, ready: &Ready, timeout: Duration) -> Result<()> {
    let watched = sandbox.exec().attach(service, Replay::All).await?;
    let work = async {
        match ready {
            Ready::Port(port) => {
                let ports = sandbox.ports().ok_or_else(|| Error::unsupported(Capability::AccessPorts))?;
                tokio::select! {
                    listening = ports.wait(*port, timeout) => listening,
                    ended = ended(&*watched) => Err(ended),
                }
            }
            Ready::Output(wanted) => said(&*watched, wanted).await,
            Ready::Command(request) => tokio::select! {
                done = succeeds(sandbox, request) => done,
                ended = ended(&*watched) => Err(ended),
            },
        }
    };
    match tokio::time::timeout(timeout, work).await {
        Ok(done) => done,
        Err(_) => Err(Error::timeout("services.wait_ready", timeout)),
    }
}

/// The error that a service has ended.
async fn ended(service: &dyn Process) -> Error {
    match service.wait().await {
        Ok(result) => result.into_error(Some("the service, before it was ready,")),
        Err(error) => error,
    }
}

async fn said(service: &dyn Process, wanted: &[u8]) -> Result<()> {
    let mut seen = Vec::new();
    while !seen.windows(wanted.len().max(1)).any(|window| window == wanted) && !wanted.is_empty() {
        let surplus = seen.len().saturating_sub(wanted.len());
        seen.drain(..surplus);
        match service.next().await? {
            Some(OutputEvent::Stdout(bytes) | OutputEvent::Stderr(bytes)) => seen.extend_from_slice(&bytes),
            Some(OutputEvent::Exited(_)) | None => return Err(ended(service).await),
            Some(_) => {}
        }
    }
    Ok(())
}

async fn succeeds(sandbox: &dyn Sandbox, request: &ExecRequest) -> Result<()> {
    let mut pause = TRIES.0;
    loop {
        let request = ExecRequest { timeout: Some(request.timeout.unwrap_or(TRY)), ..request.clone() };
        if sandbox.exec().run(request).await?.success() {
            return Ok(());
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(TRIES.1);
    }
}
