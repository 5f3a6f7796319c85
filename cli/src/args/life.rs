//! The flags of the verbs that change what a sandbox is doing.

use super::FormFlag;
use crate::parse;
use clap::Args;
use std::time::Duration;

/// Which sandboxes.
#[derive(Args, Debug)]
pub(crate) struct SandboxesArgs {
    #[command(flatten)]
    pub(crate) form: FormFlag,

    /// The sandboxes: names, ids or beginnings of ids
    #[arg(required = true, value_name = "SANDBOX")]
    pub(crate) sandboxes: Vec<String>,
}

/// End everything in sandboxes and keep their files
#[derive(Args, Debug)]
pub(crate) struct StopArgs {
    /// Between TERM and KILL
    #[arg(short = 't', long, value_name = "TIME", value_parser = parse::duration, default_value = "10s")]
    pub(crate) grace: Duration,

    #[command(flatten)]
    pub(crate) which: SandboxesArgs,
}

/// Remove sandboxes with everything in them
///
/// One in which commands run is refused without --force. One that is gone already is fine when it is named by its id, and
/// with --force everything that is not there is.
#[derive(Args, Debug)]
pub(crate) struct RmArgs {
    /// End what runs in them
    #[arg(short = 'f', long)]
    pub(crate) force: bool,

    /// All sandboxes of this user, also those of other processes
    #[arg(long, conflicts_with = "sandboxes")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) form: FormFlag,

    /// The sandboxes: names, ids or beginnings of ids
    #[arg(required_unless_present = "all", value_name = "SANDBOX")]
    pub(crate) sandboxes: Vec<String>,
}

/// Copy a sandbox as it is at this moment, its files and nothing that runs
///
/// The copies outlive this command and have the lifetimes of the original, counted anew.
#[derive(Args, Debug)]
pub(crate) struct ForkArgs {
    /// How many
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) count: u16,

    /// A name for the copy, when there is one
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// A label of the copies, in place of all of the original
    #[arg(short = 'l', long = "label", value_name = "NAME=VALUE", value_parser = parse::label)]
    pub(crate) labels: Vec<(String, String)>,

    #[command(flatten)]
    pub(crate) form: FormFlag,

    /// The sandbox: its name, its id or the beginning of its id
    pub(crate) sandbox: String,
}
