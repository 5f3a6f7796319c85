//! The flags of `isobox image`.

use crate::{environment, parse};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Fetch images, look at them and remove them
#[derive(Args, Debug)]
pub(crate) struct ImageArgs {
    /// Whose images: auto, the default, namespace or another provider
    #[arg(long, value_name = "NAME", env = environment::ISOBOX_PROVIDER, hide_env = true, global = true)]
    pub(crate) provider: Option<String>,
    /// What goes to stdout: text for people, or JSON
    #[arg(long, value_name = "FORM", default_value = "table", global = true)]
    pub(crate) output: ImageOutput,
    #[command(subcommand)]
    pub(crate) verb: ImageVerb,
}

/// The form of what is said about images.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImageOutput {
    /// Text for people
    Table,
    /// One JSON value
    Json,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ImageVerb {
    /// List the images that are there
    Ls,
    /// Say everything that is known of an image, as JSON
    Inspect {
        /// A name of it, or its id
        image: String,
    },
    /// Fetch an image from its registry, or from the local Docker with docker-daemon:NAME
    Pull {
        /// Its reference, such as alpine:3.22
        image: String,
        /// For which machines, such as linux/arm64; this one by default
        #[arg(long, value_name = "OS/ARCH")]
        platform: Option<String>,
    },
    /// Take the images of an archive (docker save, OCI) or an OCI layout folder
    Load {
        /// The archive or folder
        archive: PathBuf,
    },
    /// Remove images that no sandbox uses
    Rm {
        /// Names, or ids, which go with all their names
        #[arg(required = true)]
        images: Vec<String>,
    },
    /// Remove images that no sandbox uses, the least recently used first
    Prune {
        /// How much may stay, such as 20g; nothing by default
        #[arg(long, value_name = "SIZE", value_parser = parse::size, default_value = "0")]
        keep: u64,
    },
    /// Say how much the images take
    Usage,
}
