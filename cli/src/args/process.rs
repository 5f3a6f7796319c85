//! The flags of the verbs about commands that run: `isobox ps`, `logs` and `kill`.

use super::FormFlag;
use crate::parse;
use clap::Args;
use isobox::Signal;

/// Which command of which sandbox.
#[derive(Args, Debug)]
pub(crate) struct ProcessArgs {
    /// The sandbox: its name, its id or the beginning of its id; or the id of the command alone
    pub(crate) sandbox: String,
    /// The command: its id or the beginning of it, its label or its process id; the one that started last by default
    pub(crate) process: Option<String>,
}

/// List the commands that run in a sandbox
///
/// With --all also those that ended, as far as they are remembered, also when the sandbox is gone.
#[derive(Args, Debug)]
pub(crate) struct PsArgs {
    /// Those that ended, too
    #[arg(short = 'a', long)]
    pub(crate) all: bool,

    /// Print ids alone
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) form: FormFlag,

    /// The sandbox: its name, its id or the beginning of its id
    pub(crate) sandbox: String,
}

/// Print what is kept of a command's output
#[derive(Args, Debug)]
pub(crate) struct LogsArgs {
    /// Go on with what it writes, until it ends
    #[arg(short = 'f', long)]
    pub(crate) follow: bool,

    /// Begin with the last so many lines of each of the two streams
    #[arg(short = 'n', long, value_name = "LINES")]
    pub(crate) tail: Option<usize>,

    #[command(flatten)]
    pub(crate) form: FormFlag,

    #[command(flatten)]
    pub(crate) process: ProcessArgs,
}

/// Send a signal to commands in a sandbox, and to everything that they started
#[derive(Args, Debug)]
pub(crate) struct KillArgs {
    /// The signal, by name or number; after KILL, nothing of the command runs when this returns
    #[arg(short = 's', long, value_name = "SIGNAL", default_value = "KILL", value_parser = parse::signal)]
    pub(crate) signal: Signal,

    #[command(flatten)]
    pub(crate) form: FormFlag,

    /// The sandbox: its name, its id or the beginning of its id; or the id of a command alone
    pub(crate) sandbox: String,

    /// The commands: ids or beginnings of them, labels or process ids; everything that runs in it by default
    pub(crate) processes: Vec<String>,
}
