//! The flags of `isobox volume`.

use super::Form;
use crate::{environment, parse};
use clap::{Args, Subcommand};

/// Make directories that outlive sandboxes, look at them and remove them
///
/// isobox run and isobox create put one into a sandbox with --volume NAME:DST.
#[derive(Args, Debug)]
pub(crate) struct VolumeArgs {
    /// Whose volumes; without it those of every provider, and a new one is of auto
    #[arg(long, value_name = "NAME", env = environment::ISOBOX_PROVIDER, hide_env = true, global = true)]
    pub(crate) provider: Option<String>,

    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM", global = true)]
    pub(crate) output: Form,

    #[command(subcommand)]
    pub(crate) verb: VolumeVerb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum VolumeVerb {
    /// Make a volume
    Create {
        /// Its name: letters, digits, hyphens, underscores and dots
        name: String,
        /// How much it may hold, such as 1g, where that can be limited
        #[arg(long, value_name = "SIZE", value_parser = parse::size)]
        size: Option<u64>,
        /// A label of it
        #[arg(short = 'l', long = "label", value_name = "NAME=VALUE", value_parser = parse::label)]
        labels: Vec<(String, String)>,
        /// Take the one that has the name already, if there is one
        #[arg(long)]
        get: bool,
    },
    /// List the volumes
    Ls {
        /// Print names alone
        #[arg(short = 'q', long)]
        quiet: bool,
    },
    /// Say who uses volumes and how much is in them, for which every file is looked at
    Inspect {
        /// Names or ids
        #[arg(required = true)]
        volumes: Vec<String>,
    },
    /// Remove volumes with their contents; one that a sandbox has is refused
    Rm {
        /// Names or ids
        #[arg(required = true)]
        volumes: Vec<String>,
    },
    /// Remove all volumes that no sandbox has
    Prune,
}
