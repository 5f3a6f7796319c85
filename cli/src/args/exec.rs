//! The flags of `isobox exec`, `isobox shell` and `isobox attach`.

use super::{CommandFlags, FormFlag, KeysFlag, StreamFlags};
use clap::Args;
use std::ffi::OsString;

/// Run a command in a sandbox
///
/// With a terminal on stdin and stdout the command gets a terminal too, and Ctrl-C is the command's business. Otherwise its
/// output passes through byte for byte, stdin is forwarded when it is not a terminal, the first Ctrl-C sends TERM to
/// everything the command started, and the second kills it. The exit code is the command's, or one of isobox run's.
#[derive(Args, Debug)]
pub(crate) struct ExecArgs {
    /// The sandbox: its name, its id or the beginning of its id
    pub(crate) sandbox: String,

    /// The program and its arguments; no shell looks at them
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    /// Let the command go on by itself, and print its id
    #[arg(short = 'd', long, conflicts_with_all = ["interactive", "timeout"])]
    pub(crate) detach: bool,

    /// A name for the command, in listings and events
    #[arg(long)]
    pub(crate) label: Option<String>,

    #[command(flatten)]
    pub(crate) how: CommandFlags,

    #[command(flatten)]
    pub(crate) streams: StreamFlags,

    #[command(flatten)]
    pub(crate) keys: KeysFlag,

    #[command(flatten)]
    pub(crate) form: FormFlag,
}

/// Open a shell in a sandbox: bash where there is one, else sh
#[derive(Args, Debug)]
pub(crate) struct ShellArgs {
    /// The sandbox: its name, its id or the beginning of its id
    pub(crate) sandbox: String,

    #[command(flatten)]
    pub(crate) how: CommandFlags,

    #[command(flatten)]
    pub(crate) keys: KeysFlag,
}

/// Join a command that runs: its output from now on, and our input
///
/// Without a terminal, Ctrl-C sends INT to the command. The end of this leaves the command alone, and so do the keys of
/// --detach-keys in a terminal. To look on without a hand in it, use isobox logs -f.
#[derive(Args, Debug)]
pub(crate) struct AttachArgs {
    #[command(flatten)]
    pub(crate) process: super::ProcessArgs,

    /// Show what is kept of its earlier output first
    #[arg(long)]
    pub(crate) replay: bool,

    /// Forward stdin to a command without a terminal; its end is the end of the command's input
    #[arg(short = 'i', long)]
    pub(crate) interactive: bool,

    #[command(flatten)]
    pub(crate) keys: KeysFlag,
}
