//! The flags of `isobox cp`.

use super::Form;
use clap::Args;
use std::ffi::OsString;

/// Copy files between this machine and a sandbox
///
/// One of the two is SANDBOX:PATH, the other a path of this machine, or - for a tar archive on stdin or stdout. As docker cp
/// has it: a directory that is there gets the copy into it, with the name of the source; a source that ends in /. gives what
/// is in it. A path of the sandbox that is not absolute begins at its working directory. A path of this machine with a colon
/// begins with / or ./ .
///
/// Modes, times, links and empty directories are kept; the owner is the user of the sandbox, or whoever runs this, unless
/// --archive keeps owners, too. Sockets,
/// devices, and links that lead out of a tree that is copied to this machine are left out and counted.
#[derive(Args, Debug)]
pub(crate) struct CpArgs {
    /// Keep the owners of files and directories, by their numbers
    #[arg(short = 'a', long)]
    pub(crate) archive: bool,

    /// Copy what a link at the source leads to, and not the link
    #[arg(short = 'L', long)]
    pub(crate) follow_link: bool,

    /// Show neither progress nor what was copied
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,

    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) output: Form,

    /// What to copy
    #[arg(value_name = "SOURCE")]
    pub(crate) source: OsString,

    /// Where to copy it
    #[arg(value_name = "DESTINATION")]
    pub(crate) destination: OsString,
}
