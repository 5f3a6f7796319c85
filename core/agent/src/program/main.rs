//! The agent: the static program inside every sandbox.
//!
//! ```text
//! isobox-agent launch   makes a namespace sandbox and becomes its PID 1
//! isobox-agent host     supervises commands on the bare host
//! isobox-agent container   is PID 1 of an engine's container
//! isobox-agent connect     is a connection to that for who has no other
//! isobox-agent beside   runs a program in a container beside a sandbox, and ends it with that
//! isobox-agent remove   removes what a killed sandbox with several ids left
//! ```
//!
//! What the library starts has one connected socket as standard input, over which it gets its settings; in a container they are
//! in a file that is unlinked before anything else runs. Nothing secret is on the command line or in the environment. The rest is the same everywhere: it serves
//! clients ([`server`]), runs commands ([`command`], [`process`]) and works on files ([`files`]).
//!
//! Standard error is the agent's log. What is said there is for whoever looks after a crash.

mod beside;
mod command;
mod container;
mod files;
mod host;
mod launch;
mod process;
mod server;
mod signals;

use isobox_wire::{Settings, settings::ended};
use std::os::fd::OwnedFd;
use std::process::ExitCode;

/// Allocations from this size on are given back to the system when they are freed. Frames are smaller and stay.
const LARGE: libc::c_int = 1 << 20;
/// Free memory at the end of the heap beyond which it is given back.
const SPARE: libc::c_int = 512 << 10;

fn main() -> ExitCode {
    keep_memory_small();
    // It is executed through a descriptor, whose number would be its name otherwise.
    let _ = rustix::thread::set_name(c"isobox-agent");
    signals::reset();
    let verb = std::env::args_os().nth(1);
    match verb.as_ref().and_then(|verb| verb.to_str()) {
        Some("launch") => launch::run(|launch::Place { connection, listener, cgroups, settings }| {
            serve(Some(connection), listener, cgroups, &settings)
        }),
        Some("host") => host::run(),
        Some("container") => container::run(),
        Some("connect") => container::connect(),
        Some("beside") => beside::run(),
        Some("remove") => launch::errand(launch::remove),
        Some("own") => launch::errand(launch::give),
        _ => {
            report("this program is started by isobox, not by hand");
            ExitCode::from(ended::FAILED)
        }
    }
}

/// Serves the sandbox that is ready, until it has to end.
fn serve(connection: Option<OwnedFd>, listener: OwnedFd, cgroups: launch::Granted, settings: &[u8]) -> ExitCode {
    let Ok(settings) = isobox_wire::decode::<Settings>(settings) else {
        report("the settings cannot be read; the library and the agent must come from the same build");
        return ExitCode::from(ended::FAILED);
    };
    if let Err(error) = process::become_reaper() {
        report(&format!("orphans cannot be taken in: {error}"));
        return ExitCode::from(ended::FAILED);
    }
    // Held to the end, which is all that it is for.
    let lifeline = settings.lifeline.as_deref().map(beside::bind).transpose();
    let Ok(_lifeline) = lifeline else {
        report("the name that programs beside the sandbox hold on to is taken");
        return ExitCode::from(ended::FAILED);
    };
    // Modes are given where things are made; commands get a mask of their own.
    rustix::process::umask(rustix::fs::Mode::empty());
    let doors = server::Doors { first: connection.map(Into::into), listener: Some(listener.into()) };
    ExitCode::from(server::serve(doors, cgroups, settings))
}

/// The C library keeps a heap for each thread and raises its thresholds as it goes; there may be a thousand agents.
#[allow(unsafe_code, reason = "there is no other way to tell the C library")]
fn keep_memory_small() {
    for (parameter, value) in [(libc::M_ARENA_MAX, 1), (libc::M_MMAP_THRESHOLD, LARGE), (libc::M_TRIM_THRESHOLD, SPARE)]
    {
        // SAFETY: called first of all, while there is one thread; takes two integers.
        unsafe { libc::mallopt(parameter, value) };
    }
}

/// Writes a line to the log.
fn report(message: &str) {
    use std::io::Write;
    // The log may be full or gone; that is no reason to end.
    let _ = writeln!(std::io::stderr(), "isobox-agent: {message}");
}
