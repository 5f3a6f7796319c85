//! The flags of `isobox snapshot`.

use super::Form;
use crate::{environment, parse};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Keep the files of sandboxes as they are at one moment
///
/// isobox run and isobox create make a sandbox from one with --snapshot.
#[derive(Args, Debug)]
pub(crate) struct SnapshotArgs {
    /// Whose snapshots; without it those of every provider, and a new one is of auto
    #[arg(long, value_name = "NAME", env = environment::ISOBOX_PROVIDER, hide_env = true, global = true)]
    pub(crate) provider: Option<String>,

    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM", global = true)]
    pub(crate) output: Form,

    #[command(subcommand)]
    pub(crate) verb: SnapshotVerb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum SnapshotVerb {
    /// Take a snapshot of a sandbox, which stands still meanwhile and goes on then
    Create {
        /// The sandbox: its name, its id or the beginning of its id
        sandbox: String,
        /// A name for the snapshot
        #[arg(long)]
        name: Option<String>,
        /// A label of it
        #[arg(short = 'l', long = "label", value_name = "NAME=VALUE", value_parser = parse::label)]
        labels: Vec<(String, String)>,
    },
    /// List the snapshots
    Ls {
        /// Print ids alone
        #[arg(short = 'q', long)]
        quiet: bool,
    },
    /// Say what is known of snapshots
    Inspect {
        /// Names or ids
        #[arg(required = true)]
        snapshots: Vec<String>,
    },
    /// Remove snapshots; one that a sandbox is made from is refused
    Rm {
        /// Names or ids
        #[arg(required = true)]
        snapshots: Vec<String>,
    },
    /// Write a snapshot as an image, which docker load and everything that reads OCI layouts take
    Export {
        /// Its name or id
        snapshot: String,
        /// The file to write
        file: PathBuf,
        /// The name of the image, with a tag, such as app:1
        #[arg(long = "as", value_name = "REFERENCE")]
        reference: Option<String>,
        /// Pack the layers with gzip
        #[arg(long)]
        gzip: bool,
    },
    /// Make a snapshot from an image in an archive (docker save, OCI) or an OCI layout folder, such as one that was exported
    Import {
        /// The archive or folder
        file: PathBuf,
        /// A name for the snapshot
        #[arg(long)]
        name: Option<String>,
        /// A label of it
        #[arg(short = 'l', long = "label", value_name = "NAME=VALUE", value_parser = parse::label)]
        labels: Vec<(String, String)>,
        /// Which image of the archive, when it holds several
        #[arg(long, value_name = "NAME")]
        image: Option<String>,
    },
}
