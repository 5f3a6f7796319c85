//! The flags that say how a command runs, and how this terminal is with it.

use crate::command::DetachKeys;
use crate::parse;
use clap::{ArgAction, Args};
use std::ffi::OsString;
use std::time::Duration;

/// How a command runs.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Command")]
pub(crate) struct CommandFlags {
    /// A variable for the command; NAME alone passes on your own, if it is set
    #[arg(short = 'e', long = "env", value_name = "NAME[=VALUE]")]
    pub(crate) env: Vec<OsString>,

    /// Where the command runs, absolute; it must be there
    #[arg(short = 'w', long, value_name = "DIR")]
    pub(crate) workdir: Option<OsString>,

    /// As whom it runs: a name, uid, uid:gid or name:group
    #[arg(short = 'u', long)]
    pub(crate) user: Option<String>,

    /// End the command and everything it started after this time, such as 500ms, 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) timeout: Option<Duration>,

    /// Between TERM and KILL when the command is stopped or times out; a timeout kills at once without it
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) grace: Option<Duration>,
}

/// What holds for every command in a sandbox.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Sandbox")]
pub(crate) struct CommandsFlags {
    /// A variable for every command; NAME alone passes on your own, if it is set
    #[arg(short = 'e', long = "env", value_name = "NAME[=VALUE]")]
    pub(crate) env: Vec<OsString>,

    /// Where commands run, absolute; it must be there
    #[arg(short = 'w', long, value_name = "DIR")]
    pub(crate) workdir: Option<OsString>,

    /// As whom commands run: a name, uid, uid:gid or name:group
    #[arg(short = 'u', long)]
    pub(crate) user: Option<String>,

    /// Run the image's own entrypoint, with its command, once the sandbox is made
    #[arg(long)]
    pub(crate) image_entrypoint: bool,
}

/// Whether the command has a terminal and our stdin.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Input and output")]
pub(crate) struct StreamFlags {
    /// Give the command a terminal, whatever stdin and stdout are
    #[arg(short = 't', long, overrides_with = "no_tty")]
    pub(crate) tty: bool,

    /// Give the command no terminal, although stdin and stdout are one
    #[arg(long, overrides_with = "tty")]
    pub(crate) no_tty: bool,

    /// Forward stdin, also when it is a terminal and the command has none
    #[arg(short = 'i', long, action = ArgAction::SetTrue)]
    pub(crate) interactive: bool,
}

/// The keys that leave a command alone.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct KeysFlag {
    /// Keys that leave the command to itself and end this, such as ctrl-p,ctrl-q, or none
    #[arg(long, value_name = "KEYS", default_value_t, help_heading = "Input and output")]
    pub(crate) detach_keys: DetachKeys,
}
