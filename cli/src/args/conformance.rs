//! The flags of `isobox conformance`.

use clap::{Args, ValueEnum};

/// Look at what a provider does: a check for the effect of each claim, and for the refusal of everything else
///
/// The checks make sandboxes of their own, in a directory of their own, and remove them. The exit code is 0 when all checks
/// passed that could be made, 1 when one failed, and 3 when there is no such provider here, so that nothing was run.
#[derive(Args, Debug)]
pub(crate) struct ConformanceArgs {
    /// The provider that is looked at
    #[arg(long, value_name = "KIND", required_unless_present = "list")]
    pub(crate) provider: Option<String>,
    /// An image with `sh` that sandboxes are made from
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: Option<String>,
    /// An image with `sh` for one-shots
    #[arg(long, value_name = "IMAGE")]
    pub(crate) one_shot_image: Option<String>,
    /// Only checks whose names hold this text; can be given again for more
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// How many checks run at once
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) jobs: u16,
    /// Print the names of all checks and what has to hold, and run none
    #[arg(long)]
    pub(crate) list: bool,
    /// What goes to stdout
    #[arg(long, value_name = "FORM", default_value = "table")]
    pub(crate) output: ConformanceOutput,
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
