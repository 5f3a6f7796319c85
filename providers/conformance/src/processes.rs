//! Finding processes and reading what they say, with no program in the sandbox.

use crate::check::{Checked, Stop};
use crate::lab::eventually;
use isobox::{ErrorCode, OutputEvent, Process, Sandbox};

/// The processes that a sandbox sees whose arguments hold `mark`. One that has ended and was not waited for has none.
pub(crate) async fn alive(sandbox: &Sandbox, mark: &str) -> Checked<Vec<u32>> {
    let files = sandbox.files();
    let mut found = Vec::new();
    for entry in files.list("/proc").await? {
        let Ok(pid) = entry.path.to_string_lossy().parse::<u32>() else { continue };
        match files.read(format!("/proc/{pid}/cmdline")).await {
            Ok(arguments) if holds(&arguments, mark) => found.push(pid),
            Ok(_) => {}
            // It has ended in between, or is none of its user's business.
            Err(error) if error.code() != ErrorCode::SandboxGone => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

/// Fails unless nothing with the mark runs in the sandbox, now.
pub(crate) async fn none_alive(sandbox: &Sandbox, mark: &str, when: &str) -> Checked {
    let found = alive(sandbox, mark).await?;
    ensure!(found.is_empty(), "{} processes of the command run on {when}", found.len());
    Ok(())
}

pub(crate) async fn until_alive(sandbox: &Sandbox, mark: &str) -> Checked {
    eventually("the start of the command", async || Ok(!alive(sandbox, mark).await?.is_empty())).await
}

pub(crate) async fn until_gone(sandbox: &Sandbox, mark: &str) -> Checked {
    eventually("the end of every process of the command", async || Ok(alive(sandbox, mark).await?.is_empty())).await
}

/// The same for the processes of this machine, for when the sandbox is gone. Those of a sandbox on another machine are never
/// seen here.
pub(crate) async fn until_gone_here(mark: &str) -> Checked {
    eventually("the end of every process of the sandbox", async || Ok(here(mark).is_empty())).await
}

fn here(mark: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| holds(&std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default(), mark)).collect()
}

pub(crate) fn holds(bytes: &[u8], mark: &str) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark.as_bytes())
}

/// Reads a command until its stdout holds `text`, and gives what there is by then.
pub(crate) async fn read_until(process: &Process, text: &str) -> Checked<String> {
    let mut seen = Vec::new();
    while !holds(&seen, text) {
        match process.next().await? {
            Some(OutputEvent::Stdout(bytes)) => seen.extend_from_slice(&bytes),
            Some(OutputEvent::Stderr(_)) => {}
            other => {
                let seen = String::from_utf8_lossy(&seen);
                return Err(Stop::Failed(format!("the output went on with {other:?} before {text:?}, after {seen:?}")));
            }
        }
    }
    Ok(String::from_utf8_lossy(&seen).into_owned())
}
