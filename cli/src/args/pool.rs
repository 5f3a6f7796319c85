//! The flags of `isobox pool`.

use super::{CommandsFlags, Form, SandboxFlags};
use crate::parse;
use clap::{Args, Subcommand};
use isobox::Lifetime;
use std::time::Duration;

/// Keep sandboxes ready before they are needed, and take them
///
/// A pool is in the process that serves it, and every process that shares isobox's directory takes from it by its name.
#[derive(Args, Debug)]
pub(crate) struct PoolArgs {
    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM", global = true)]
    pub(crate) output: Form,

    #[command(subcommand)]
    pub(crate) verb: PoolVerb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum PoolVerb {
    Serve(Box<ServeArgs>),
    Take(TakeArgs),
    /// List the pools
    Ls {
        /// Print names alone
        #[arg(short = 'q', long)]
        quiet: bool,
    },
    /// End pools, whoever serves them; what was taken lives on
    #[command(visible_alias = "rm")]
    Stop {
        /// Their names
        #[arg(required = true, value_name = "POOL")]
        pools: Vec<String>,
    },
}

/// Keep a pool until Ctrl-C, SIGTERM or isobox pool stop
///
/// Its name is printed once sandboxes are ready. What is ready ends with this command, and what was taken lives on.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Its name: letters, digits, hyphens, underscores and dots
    #[arg(value_name = "POOL")]
    pub(crate) pool: String,

    /// How many sandboxes to keep ready
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) size: usize,

    /// How many must be ready before it says so
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) min_ready: usize,

    /// How many to make at once; one for each processor by default
    #[arg(long, value_name = "NUMBER")]
    pub(crate) refills_at_once: Option<usize>,

    /// How long one may be ready before it is replaced, such as 1h
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) max_age: Option<Duration>,

    #[command(flatten)]
    pub(crate) sandbox: SandboxFlags,

    #[command(flatten)]
    pub(crate) commands: CommandsFlags,
}

/// Take a sandbox from a pool, and print its id
///
/// It is there for every process, as one of isobox create. When none is ready, one is made.
#[derive(Args, Debug)]
pub(crate) struct TakeArgs {
    /// The pool's name
    #[arg(value_name = "POOL")]
    pub(crate) pool: String,

    /// A name for the sandbox
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// A label of the sandbox, beside those of the pool
    #[arg(short = 'l', long = "label", value_name = "NAME=VALUE", value_parser = parse::label)]
    pub(crate) labels: Vec<(String, String)>,

    /// How long the sandbox may exist from now on, such as 30m, or never for ever; what the pool says, else 24h
    #[arg(long, value_name = "TIME", value_parser = parse::lifetime)]
    pub(crate) ttl: Option<Lifetime>,

    /// How long to wait when none is ready, such as 30s; 5 minutes by default
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) timeout: Option<Duration>,
}
