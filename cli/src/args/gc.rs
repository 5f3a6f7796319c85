//! The flags of `isobox gc`.

use super::FormFlag;
use clap::Args;

/// Remove what processes have left that ended without a word
///
/// Only what carries an id of isobox is touched, and only when its owner is dead for certain, or it was deleted. Records and
/// events that are over for long are forgotten. Images and volumes that nobody uses are kept: see isobox image prune and
/// isobox volume prune.
#[derive(Args, Debug)]
pub(crate) struct GcArgs {
    /// Say what would be removed, and change nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,

    /// Say what is on the disk afterwards, too; looks at every file
    #[arg(long)]
    pub(crate) disk: bool,

    #[command(flatten)]
    pub(crate) form: FormFlag,
}
