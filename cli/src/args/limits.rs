//! The flags of `isobox limits`.

use super::FormFlag;
use crate::parse;
use clap::Args;
use std::str::FromStr;
use std::time::Duration;

/// Show what may be at once on this machine, or change it
///
/// The limits hold for all processes that share isobox's directory, from now on; what is there beyond them stays. Without a flag
/// nothing is changed.
#[derive(Args, Debug)]
pub(crate) struct LimitsArgs {
    /// How many sandboxes may be made or started at once
    #[arg(long, value_name = "COUNT")]
    pub(crate) concurrent_creates: Option<u64>,

    /// How many sandboxes may be there and not stopped, or none for no limit
    #[arg(long, value_name = "COUNT")]
    pub(crate) live_sandboxes: Option<Bound>,

    /// How many requests may wait for room
    #[arg(long, value_name = "COUNT")]
    pub(crate) queue_length: Option<u64>,

    /// How long a request waits for room, such as 90s
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) queue_wait: Option<Duration>,

    #[command(flatten)]
    pub(crate) form: FormFlag,
}

/// A limit that there may not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound(pub(crate) Option<u64>);

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self(None)),
            _ => text.parse().map(|count| Self(Some(count))).map_err(|_| "it is a number, or none".to_owned()),
        }
    }
}
