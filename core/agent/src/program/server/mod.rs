//! Serves clients: connections, operations, deadlines.
//!
//! ```text
//! listener ──accept──> connection (yamux) ──stream──> operation ──> commands, files, ports, metrics
//!                          │ hello: token, build, role
//!                          └─ owner connected? ──> deadlines ──expired──> everything ends, exit code says why
//! ```
//!
//! One thread runs all of it; file operations, which may block, have threads of their own. A client that stalls holds up
//! its own operation and nothing else.

mod channel;
mod connection;
mod deadlines;
mod dispatch;
mod metrics;
mod ports;

pub(crate) use channel::{Channel, Sender};
pub(crate) use deadlines::{Activity, Deadlines};
pub(crate) use metrics::uses_below;

use crate::command::Commands;
use crate::files::Place;
use crate::launch::Granted;
use isobox_wire::{Settings, settings::ended};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use tokio::sync::{Notify, watch};

/// What every operation can reach.
pub(crate) struct Agent {
    pub(crate) settings: Settings,
    pub(crate) place: Place,
    /// The cgroups of commands.
    pub(crate) cgroups: Granted,
    /// The kernel's account of what the limit of memory has killed, when there is a limit.
    pub(crate) oom: Option<Arc<crate::command::Account>>,
    pub(crate) commands: Commands,
    pub(crate) deadlines: Deadlines,
    shutdown: Notify,
    /// The exit code, once the sandbox has to end. Whoever watches it has a client to tell.
    ending: watch::Sender<Option<u8>>,
}

/// Where clients come from.
pub(crate) struct Doors {
    /// A client that is connected already.
    pub(crate) first: Option<UnixStream>,
    /// Where more can connect.
    pub(crate) listener: Option<UnixListener>,
}

/// Serves until a deadline passes or somebody asks for the end, and returns the exit code that says which.
pub(crate) fn serve(doors: Doors, cgroups: Granted, settings: Settings) -> u8 {
    // The modes of new files are ours to say, not the mask's of whoever started the agent.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Each transfer has a thread while it lasts, and a stalled one must not keep others waiting.
        .max_blocking_threads(connection::MAX_STREAMS + 64)
        .thread_stack_size(512 << 10)
        .thread_keep_alive(std::time::Duration::from_secs(2))
        .build();
    match runtime {
        Ok(runtime) => {
            let code = runtime.block_on(run(doors, cgroups, settings));
            // Blocking threads may be stuck in a system call; the process ends without them.
            runtime.shutdown_background();
            code
        }
        Err(error) => {
            crate::report(&format!("cannot start the runtime: {error}"));
            ended::FAILED
        }
    }
}

/// Waits for a deadline that ends the sandbox. Others pause it, if that can be done.
async fn expired(agent: &Agent) -> u8 {
    loop {
        let code = agent.deadlines.expired().await;
        let pauses = agent.settings.pause_after.contains(&code);
        let frozen = agent.cgroups.freezer.as_ref().filter(|_| pauses).map(|freezer| rustix::io::write(freezer, b"1"));
        if !matches!(frozen, Some(Ok(_))) {
            return code;
        }
        agent.deadlines.rest();
    }
}

async fn run(doors: Doors, mut cgroups: Granted, settings: Settings) -> u8 {
    let agent = Arc::new(Agent {
        place: Place::new(&settings),
        oom: cgroups.events.take().map(|events| Arc::new(crate::command::Account::new(events))),
        cgroups,
        commands: Commands::new(),
        deadlines: Deadlines::new(&settings),
        shutdown: Notify::new(),
        ending: watch::Sender::new(None),
        settings,
    });
    agent.commands.watch_strays();
    if let Some(Err(error)) = doors.first.map(|stream| connection::open(&agent, stream)) {
        crate::report(&format!("cannot serve the first client: {error}"));
    }
    let accepting = doors.listener.map(|listener| tokio::spawn(connection::accept(agent.clone(), listener)));
    let (code, answered) = tokio::select! {
        code = expired(&agent) => (code, false),
        () = agent.shutdown.notified() => (ended::SHUTDOWN, true),
        code = crate::signals::asked(agent.settings.place) => (code, false),
    };
    if let Some(accepting) = accepting {
        accepting.abort();
    }
    agent.ending.send_replace(Some(code));
    agent.commands.end_all().await;
    // Answers to the clients that asked for the end, or about it, may still be on their way.
    let told = async {
        agent.ending.closed().await;
        if answered {
            agent.deadlines.no_owner().await;
        }
    };
    let _ = tokio::time::timeout(std::time::Duration::from_millis(200), told).await;
    code
}
