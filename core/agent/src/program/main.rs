//! The agent: the static program inside every sandbox.
//!
//! ```text
//! isobox-agent launch   makes a namespace sandbox and becomes its PID 1
//! isobox-agent host     supervises commands on the bare host
//! ```
//!
//! Both are started by the library with one connected socket as standard input, over which they get their settings;
//! nothing secret is on the command line or in the environment. The rest is the same everywhere: it serves
//! clients ([`server`]), runs commands ([`command`], [`process`]) and works on files ([`files`]).
//!
//! Standard error is the agent's log. What is said there is for whoever looks after a crash.

#![allow(clippy::print_stderr, reason = "standard error is the agent's log")]

mod command;
mod files;
mod host;
mod launch;
mod process;
mod server;
mod signals;

use std::process::ExitCode;

fn main() -> ExitCode {
    let verb = std::env::args_os().nth(1);
    match verb.as_ref().and_then(|verb| verb.to_str()) {
        Some("launch") => launch::main(),
        Some("host") => host::main(),
        _ => {
            report("this program is started by isobox, not by hand");
            ExitCode::from(isobox_wire::settings::ended::FAILED)
        }
    }
}

/// Writes a line to the log.
fn report(message: &str) {
    eprintln!("isobox-agent: {message}");
}
