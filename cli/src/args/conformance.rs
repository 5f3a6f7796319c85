//! The flags of `isobox conformance`.

use clap::{Args, ValueEnum};
use isobox::Isolation;
use std::path::PathBuf;

/// Look at what a provider does: a check for the effect of each claim, and for the refusal of everything else
///
/// The checks make sandboxes of their own, in a directory of their own, and remove them. The exit code is 0 when all checks
/// passed that could be made, 1 when one failed, and 3 when there is no such provider here, so that nothing was run.
#[derive(Args, Debug)]
pub(crate) struct ConformanceArgs {
    /// The provider that is looked at
    #[arg(long, value_name = "KIND", required_unless_present = "list")]
    pub(crate) provider: Option<String>,
    /// The least isolation of the sandboxes that are made: `process`, `container`, `gvisor` or `vm`
    #[arg(long, value_name = "LEVEL")]
    pub(crate) isolation: Option<Isolation>,
    #[command(flatten)]
    pub(crate) fixtures: FixtureArgs,
    /// Only checks whose names hold this text; can be given again for more
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// How many checks run at once
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) jobs: u16,
    /// Take the amounts that take long: gigabytes where it is megabytes otherwise, a hundred sandboxes at once
    #[arg(long)]
    pub(crate) heavy: bool,
    /// Print the names of all checks and what has to hold, and run none
    #[arg(long)]
    pub(crate) list: bool,
    /// What goes to stdout
    #[arg(long, value_name = "FORM", default_value = "table")]
    pub(crate) output: ConformanceOutput,
}

/// What checks may use that no suite can bring along. Checks that need what is left out are skipped, and say so.
#[derive(Args, Debug)]
#[command(next_help_heading = "What checks may use")]
pub(crate) struct FixtureArgs {
    /// An image with `sh` that sandboxes are made from
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: Option<String>,
    /// An image with `sh` in a registry, which is fetched, and removed again when it was not there before
    #[arg(long, value_name = "IMAGE")]
    pub(crate) remote_image: Option<String>,
    /// An archive of an image with `sh`
    #[arg(long, value_name = "FILE")]
    pub(crate) archive: Option<PathBuf>,
    /// An image whose entrypoint writes `entrypoint` to stdout and goes on
    #[arg(long, value_name = "IMAGE")]
    pub(crate) entrypoint_image: Option<String>,
    /// A Dockerfile that makes an image with `sh` and the file `/conformance` in it
    #[arg(long, value_name = "FILE")]
    pub(crate) dockerfile: Option<PathBuf>,
    /// An image with `sh` for one-shots
    #[arg(long, value_name = "IMAGE")]
    pub(crate) one_shot_image: Option<String>,
    /// A repository that sandboxes can clone over their network; one is made in the sandbox where it is left out
    #[arg(long, value_name = "URL", requires_all = ["tag", "commit"])]
    pub(crate) repository: Option<String>,
    /// A tag of the repository that is not the newest commit of any branch
    #[arg(long, value_name = "NAME", requires = "repository")]
    pub(crate) tag: Option<String>,
    /// The commit of the tag
    #[arg(long, value_name = "ID", requires = "repository")]
    pub(crate) commit: Option<String>,
}

/// The form of a report.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConformanceOutput {
    /// A line for each check
    Table,
    /// One JSON object
    Json,
    /// XML as JUnit writes it, for systems that show tests
    Junit,
}
