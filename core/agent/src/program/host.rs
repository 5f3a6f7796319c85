//! The agent on the bare host: supervises the commands of one sandbox, and takes its directory away at the end.
//!
//! ```text
//! library --spawn--> agent: state directory, socket, workspace --Ready--> serves --end--> trees ended, directory removed or settled for a start
//! ```
//!
//! When it is killed, its commands' supervisors notice and end their trees; only its directory is left then.

use crate::launch::{Connection, Granted, StateDirectory};
use isobox_wire::host::HostConfig;
use isobox_wire::launch::{LaunchFailure, LaunchReport, LaunchStep};
use isobox_wire::settings::ended;
use rustix::fs::Mode;
use std::os::fd::OwnedFd;
use std::process::ExitCode;

/// Runs on descriptor 0 until the sandbox has to end.
pub(crate) fn run() -> ExitCode {
    rustix::process::umask(Mode::WGRP | Mode::WOTH);
    // From here on there may be something to take away.
    crate::signals::hold();
    let connection = Connection::inherited();
    let launched = connection.read_body().unwrap_or_default();
    let Ok(config) = isobox_wire::decode::<HostConfig>(&launched) else {
        crate::report("the config cannot be read; the library and the agent must come from the same build");
        return ExitCode::from(ended::FAILED);
    };
    // A terminal's signals are for the caller, not for its sandboxes.
    let _ = rustix::process::setsid();
    let state = match config.again {
        true => StateDirectory::again(&config.state_dir),
        false => StateDirectory::create(&config.state_dir, None),
    };
    let state = match state {
        Ok(state) => state,
        Err(failure) => return refuse(&connection, failure),
    };
    let listener = match prepare(&state, &config) {
        Ok(listener) => listener,
        Err(failure) => {
            state.settle(config.again, &launched, false);
            return refuse(&connection, failure);
        }
    };
    if config.again {
        state.forget_stop();
    }
    let code = ready(connection, listener, &config);
    let stops = |stop: &u8| code == ExitCode::from(*stop);
    let never_was = config.again && stops(&ended::FAILED);
    state.settle(never_was || stops(&ended::STOPPED) || config.stop_after.iter().any(stops), &launched, false);
    code
}

fn prepare(state: &StateDirectory, config: &HostConfig) -> Result<OwnedFd, LaunchFailure> {
    let failed = |step, what: &str, errno: rustix::io::Errno| LaunchFailure {
        step,
        errno: errno.raw_os_error(),
        message: format!("cannot {what}: {errno}"),
        hint: None,
    };
    if let Some(workspace) = &config.workspace
        && !config.again
    {
        // The agent is in its state directory, so the name is enough.
        rustix::fs::mkdir(workspace.as_str(), Mode::RWXU)
            .map_err(|errno| failed(LaunchStep::StateDirectory, "make the workspace", errno))?;
    }
    let listener = state.listen()?;
    rustix::process::chdir("/").map_err(|errno| failed(LaunchStep::Internal, "leave the state directory", errno))?;
    Ok(listener)
}

fn ready(connection: Connection, listener: OwnedFd, config: &HostConfig) -> ExitCode {
    let pid = rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    match (connection.report(&LaunchReport::Ready { pid }), connection.into_stream()) {
        (Ok(()), Ok(stream)) => crate::serve(Some(stream), listener, Granted::default(), &config.agent),
        _ => ExitCode::from(ended::FAILED),
    }
}

fn refuse(connection: &Connection, failure: LaunchFailure) -> ExitCode {
    // With nobody to tell there is nothing to do but end.
    let _ = connection.report(&LaunchReport::Failed(failure));
    ExitCode::from(ended::FAILED)
}
