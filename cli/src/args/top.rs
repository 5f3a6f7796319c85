//! The flags of `isobox top`.

use crate::parse;
use clap::Args;
use std::time::Duration;

/// Watch sandboxes on the whole screen
///
/// Arrows choose a sandbox; p pauses it or lets it go on, k kills everything that runs in it, after a question; q ends this.
/// For programs there is isobox stats.
#[derive(Args, Debug)]
pub(crate) struct TopArgs {
    /// Between two measurements
    #[arg(long, value_name = "TIME", value_parser = parse::duration, default_value = "1s")]
    pub(crate) interval: Duration,
}
