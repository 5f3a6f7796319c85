//! Being with a command in a sandbox: its terminal, its output, our input, and the signals that we get.

mod captured;
mod follow;
mod input;
mod keys;
mod plan;
mod signals;
mod stopping;
mod terminal;
mod told;
mod writer;

pub(crate) use captured::print;
pub(crate) use follow::{Followed, Outlet, Signalled, Streams, follow};
pub(crate) use keys::DetachKeys;
pub(crate) use plan::Plan;
pub(crate) use signals::Signals;
pub(crate) use stopping::Stopping;
pub(crate) use terminal::{RawTerminal, size};
pub(crate) use told::comment;
pub(crate) use writer::{Writer, Written};

use crate::args::CommandFlags;
use crate::environment;
use crate::spec::{Variables, maybe};
use isobox::{Command, OutputLimits};
use std::os::unix::ffi::OsStringExt;

/// A command as the flags, and this terminal, have it. Its output is not captured unless it is asked for.
pub(crate) fn prepared(
    mut command: Command,
    flags: &CommandFlags,
    plan: Plan,
    env: Variables,
    captured: bool,
) -> Command {
    if plan.terminal {
        let size = size().unwrap_or_default();
        let term = std::env::var_os(environment::TERM).unwrap_or_else(|| "xterm".into());
        command = command.pty(size.rows, size.cols).env(environment::TERM, term.into_vec());
    }
    if plan.input {
        command = command.stdin_stream();
    }
    if !captured {
        command = command.output(OutputLimits::none());
    }
    command = maybe(command, flags.timeout, Command::timeout);
    command = maybe(command, flags.grace, Command::grace);
    command.envs(env)
}
