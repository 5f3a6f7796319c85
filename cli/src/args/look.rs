//! The flags of the verbs that only look: `isobox ls`, `inspect`, `events`, `stats` and `port`.

use super::{Form, FormFlag};
use crate::parse;
use clap::Args;
use std::net::IpAddr;
use std::time::Duration;

/// List sandboxes, those of all processes of this user
#[derive(Args, Debug)]
pub(crate) struct LsArgs {
    /// Those that are gone, too, as far as they are remembered, and those that pools keep ready
    #[arg(short = 'a', long)]
    pub(crate) all: bool,

    /// Print ids alone
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,

    /// Only those with label=NAME, label=NAME=VALUE, state=STATE, name=NAME or provider=NAME; all filters must match, and of
    /// several states one
    #[arg(short = 'f', long = "filter", value_name = "KEY=VALUE", value_parser = parse::pair)]
    pub(crate) filters: Vec<(String, String)>,

    #[command(flatten)]
    pub(crate) form: FormFlag,
}

/// Say what is known about sandboxes, also about those that are gone, and how they died
#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) form: FormFlag,

    /// The sandboxes: names, ids or beginnings of ids
    #[arg(required = true, value_name = "SANDBOX")]
    pub(crate) sandboxes: Vec<String>,
}

/// Say what happened to sandboxes
///
/// Every event has a number. With --output json each is one line.
#[derive(Args, Debug)]
pub(crate) struct EventsArgs {
    /// Go on with what happens
    #[arg(short = 'f', long)]
    pub(crate) follow: bool,

    /// Begin after the event of this number, or so long ago, such as 10m; with all that are kept by default
    #[arg(long, value_name = "NUMBER|TIME", value_parser = parse::since)]
    pub(crate) since: Option<parse::Since>,

    /// Only those with sandbox=NAME or type=TYPE, such as type=exec_exited; of several sandboxes or types one must match
    #[arg(long = "filter", value_name = "KEY=VALUE", value_parser = parse::pair)]
    pub(crate) filters: Vec<(String, String)>,

    #[command(flatten)]
    pub(crate) form: FormFlag,
}

/// Show what sandboxes use, again and again
///
/// With --output json each measurement is one line.
#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    /// Measure once
    #[arg(long)]
    pub(crate) no_stream: bool,

    /// Between two measurements
    #[arg(long, value_name = "TIME", value_parser = parse::duration, default_value = "1s")]
    pub(crate) interval: Duration,

    #[command(flatten)]
    pub(crate) form: FormFlag,

    /// The sandboxes: names, ids or beginnings of ids; all that run by default
    #[arg(value_name = "SANDBOX")]
    pub(crate) sandboxes: Vec<String>,
}

/// Let this machine reach ports of a sandbox, or list what listens in it
///
/// With ports it forwards them until it is interrupted or the sandbox ends, and prints their addresses. Without, it lists the
/// ports that something listens on.
#[derive(Args, Debug)]
pub(crate) struct PortArgs {
    /// The address of this machine to open; one that is not a loopback address lets others in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,

    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) output: Form,

    /// The sandbox: its name, its id or the beginning of its id
    pub(crate) sandbox: String,

    /// Ports of the sandbox, each with a port of this machine before it if it should be a certain one
    #[arg(value_name = "[LOCAL:]PORT", value_parser = parse::ports)]
    pub(crate) ports: Vec<parse::PortPair>,
}
