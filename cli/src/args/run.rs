//! The flags of `isobox run`.

use super::{CommandFlags, Output, SandboxFlags, StreamFlags};
use clap::Args;
use std::ffi::OsString;

/// Run a command in a new sandbox and delete the sandbox
///
/// With a terminal on stdin and stdout the command gets a terminal too, and Ctrl-C is the command's business. Otherwise its
/// output passes through byte for byte, stdin is forwarded when it is not a terminal, the first Ctrl-C sends TERM to
/// everything the command started, and the second kills it.
#[derive(Args, Debug)]
#[command(after_long_help = super::help())]
pub(crate) struct RunArgs {
    /// The program and its arguments; no shell looks at them. Of an image what it says itself by default: its entrypoint
    /// with its command
    #[arg(required_unless_present_any = ["image", "entrypoint", "profile", "snapshot"], trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    #[command(flatten)]
    pub(crate) sandbox: SandboxFlags,

    /// Give COMMAND to the image's entrypoint as its arguments, as docker run does
    #[arg(long, help_heading = "Sandbox")]
    pub(crate) image_entrypoint: bool,

    /// Give COMMAND to this program as its arguments, in place of the image's entrypoint
    #[arg(long, value_name = "PROGRAM", conflicts_with = "image_entrypoint", help_heading = "Sandbox")]
    pub(crate) entrypoint: Option<OsString>,

    /// Keep the sandbox when the command has ended, for other commands and until its ttl is over; its id goes to stderr
    #[arg(long, help_heading = "Sandbox")]
    pub(crate) keep: bool,

    #[command(flatten)]
    pub(crate) how: CommandFlags,

    #[command(flatten)]
    pub(crate) streams: StreamFlags,

    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = "Input and output")]
    pub(crate) output: Output,
}
