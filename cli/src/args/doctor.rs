//! The flags of `isobox doctor`.

use clap::{Args, ValueEnum};

/// Say what works on this machine, how far, and what to change where something does not
///
/// Every provider is tried: a sandbox is made, runs a command and is removed. The exit code is 0 when sandboxes of --provider
/// work here, and 1 when they do not.
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Whose state the exit code says; auto is any that isolates
    #[arg(long, value_name = "NAME", default_value = isobox::AUTO)]
    pub(crate) provider: String,
    /// What goes to stdout: text for people, or one JSON object
    #[arg(long, value_name = "FORM", default_value = "table")]
    pub(crate) output: DoctorOutput,
}

/// The form of a diagnosis.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoctorOutput {
    /// Text for people
    Table,
    /// One JSON object
    Json,
}
