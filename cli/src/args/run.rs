//! The flags of `isobox run`.

use super::Output;
use crate::{environment, parse};
use clap::{ArgAction, Args, ValueEnum};
use isobox::{DiskBacking, Mount, NetworkPolicy};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Run a command in a new sandbox and delete the sandbox
///
/// With a terminal on stdin and stdout the command gets a terminal too, and Ctrl-C is the command's business. Otherwise its
/// output passes through byte for byte, stdin is forwarded when it is not a terminal, the first Ctrl-C sends TERM to
/// everything the command started, and the second kills it.
#[derive(Args, Debug)]
#[command(after_long_help = super::help())]
pub(crate) struct RunArgs {
    /// Where it runs: auto, namespace, host or another provider; auto never chooses host
    #[arg(long, value_name = "NAME", env = environment::ISOBOX_PROVIDER, default_value = isobox::AUTO, hide_env = true)]
    pub(crate) provider: String,

    /// An image: a reference such as alpine:3.22, docker-daemon:NAME for one of the local Docker, or the path of an archive or
    /// layout folder, which begins with / or . or ends with .tar, .tar.gz or .tgz
    #[arg(long, value_name = "IMAGE", help_heading = "Sandbox")]
    pub(crate) image: Option<String>,

    /// Which image of the archive, when it holds several
    #[arg(long, value_name = "NAME", requires = "image", help_heading = "Sandbox")]
    pub(crate) image_name: Option<String>,

    /// For which machines the image is, such as linux/arm64; this one by default
    #[arg(long, value_name = "OS/ARCH", requires = "image", help_heading = "Sandbox")]
    pub(crate) platform: Option<String>,

    /// Give COMMAND to the image's entrypoint as its arguments, as docker run does
    #[arg(long, requires = "image", help_heading = "Sandbox")]
    pub(crate) image_entrypoint: bool,

    /// Give COMMAND to this program as its arguments, in place of the image's entrypoint
    #[arg(long, value_name = "PROGRAM", conflicts_with = "image_entrypoint", help_heading = "Sandbox")]
    pub(crate) entrypoint: Option<OsString>,

    /// When the image is fetched
    #[arg(long, value_name = "WHEN", default_value = "missing", help_heading = "Sandbox")]
    pub(crate) pull: PullArg,

    /// A directory as the root filesystem; it is never written to
    #[arg(long, value_name = "DIR", conflicts_with = "image", help_heading = "Sandbox")]
    pub(crate) rootfs: Option<PathBuf>,

    /// A directory as the workspace; the command can change it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["rootfs", "image"], help_heading = "Sandbox")]
    pub(crate) workspace: Option<PathBuf>,

    /// A directory or file of this machine in the sandbox, writable unless :ro is added
    #[arg(short = 'v', long = "mount", value_name = "SRC:DST[:ro]", value_parser = parse::mount(), help_heading = "Sandbox")]
    pub(crate) mounts: Vec<Mount>,

    /// A filesystem in memory in the sandbox, of this size at most
    #[arg(long, value_name = "DST[:SIZE]", value_parser = parse::tmpfs(), help_heading = "Sandbox")]
    pub(crate) tmpfs: Vec<Mount>,

    /// Make the root filesystem read-only; /tmp, /var/tmp and /run are in memory then (namespace)
    #[arg(long, help_heading = "Sandbox")]
    pub(crate) read_only: bool,

    /// What it may reach: none, public or provider-default; nothing unless --provider is host
    #[arg(long, value_name = "POLICY", value_parser = parse::network, help_heading = "Sandbox")]
    pub(crate) network: Option<NetworkPolicy>,

    /// How many processors it may use, such as 1.5
    #[arg(long, value_name = "NUMBER", help_heading = "Sandbox")]
    pub(crate) cpus: Option<f64>,

    /// How much memory it may use, such as 512m
    #[arg(short = 'm', long, value_name = "SIZE", value_parser = parse::size, help_heading = "Sandbox")]
    pub(crate) memory: Option<u64>,

    /// How much it may write to its disk, such as 1g
    #[arg(long, value_name = "SIZE", value_parser = parse::size, help_heading = "Sandbox")]
    pub(crate) disk: Option<u64>,

    /// Where a disk of limited size is: tmpfs (in memory), loop (a disk image) or quota (of the filesystem)
    #[arg(long, value_name = "BACKING", requires = "disk", default_value = "tmpfs", help_heading = "Sandbox")]
    pub(crate) disk_backing: DiskBacking,

    /// How many processes and threads it may have
    #[arg(long, value_name = "NUMBER", help_heading = "Sandbox")]
    pub(crate) pids: Option<u64>,

    /// How long the sandbox may exist, whatever it does, such as 30m
    #[arg(long, value_name = "TIME", value_parser = parse::duration, help_heading = "Sandbox")]
    pub(crate) ttl: Option<Duration>,

    /// A name for the sandbox
    #[arg(long, help_heading = "Sandbox")]
    pub(crate) name: Option<String>,

    /// A label of the sandbox
    #[arg(long = "label", value_name = "NAME=VALUE", value_parser = parse::label, help_heading = "Sandbox")]
    pub(crate) labels: Vec<(String, String)>,

    /// A variable for the command; NAME alone passes on your own, if it is set
    #[arg(short = 'e', long = "env", value_name = "NAME[=VALUE]", help_heading = "Command")]
    pub(crate) env: Vec<OsString>,

    /// Where the command runs, absolute; it must be there
    #[arg(short = 'w', long, value_name = "DIR", help_heading = "Command")]
    pub(crate) workdir: Option<OsString>,

    /// As whom it runs: a name, uid, uid:gid or name:group
    #[arg(short = 'u', long, help_heading = "Command")]
    pub(crate) user: Option<String>,

    /// End the command and everything it started after this time, such as 500ms, 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse::duration, help_heading = "Command")]
    pub(crate) timeout: Option<Duration>,

    /// Between TERM and KILL when the command is stopped or times out; a timeout kills at once without it
    #[arg(long, value_name = "TIME", value_parser = parse::duration, help_heading = "Command")]
    pub(crate) grace: Option<Duration>,

    /// Give the command a terminal, whatever stdin and stdout are
    #[arg(short = 't', long, overrides_with = "no_tty", help_heading = "Input and output")]
    pub(crate) tty: bool,

    /// Give the command no terminal, although stdin and stdout are one
    #[arg(long, overrides_with = "tty", help_heading = "Input and output")]
    pub(crate) no_tty: bool,

    /// Forward stdin, also when it is a terminal and the command has none
    #[arg(short = 'i', long, action = ArgAction::SetTrue, help_heading = "Input and output")]
    pub(crate) interactive: bool,

    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = "Input and output")]
    pub(crate) output: Output,

    /// The program and its arguments; no shell looks at them. Of an image what it says itself by default: its entrypoint
    /// with its command
    #[arg(required_unless_present_any = ["image", "entrypoint"], trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// When an image is fetched.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PullArg {
    /// When it is not there
    Missing,
    /// When the registry has another one
    Always,
    /// Not at all
    Never,
}
