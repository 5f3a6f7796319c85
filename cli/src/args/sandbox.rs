//! The flags that say what sandbox to make.

use crate::{environment, parse};
use clap::{Args, ValueEnum};
use isobox::contract::VolumeMount;
use isobox::{DiskBacking, Lifetime, Mount, NetworkPolicy};
use serde::Deserialize;
use std::path::PathBuf;

/// What sandbox to make.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Sandbox")]
pub(crate) struct SandboxFlags {
    /// Where it runs: auto, namespace, host or another provider; auto, the default, never chooses host
    #[arg(long, value_name = "NAME", env = environment::ISOBOX_PROVIDER, hide_env = true)]
    pub(crate) provider: Option<String>,

    /// Settings from a profile of the configuration file, which other flags override
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,

    /// An image: a reference such as alpine:3.22, docker-daemon:NAME for one of the local Docker, or the path of an archive or
    /// layout folder, which begins with / or . or ends with .tar, .tar.gz or .tgz
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: Option<String>,

    /// Which image of the archive, when it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) image_name: Option<String>,

    /// For which machines the image is, such as linux/arm64; this one by default
    #[arg(long, value_name = "OS/ARCH")]
    pub(crate) platform: Option<String>,

    /// When the image is fetched; missing by default
    #[arg(long, value_name = "WHEN")]
    pub(crate) pull: Option<PullArg>,

    /// A snapshot, by its name or id
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "image")]
    pub(crate) snapshot: Option<String>,

    /// A directory as the root filesystem; it is never written to
    #[arg(long, value_name = "DIR", conflicts_with_all = ["image", "snapshot"])]
    pub(crate) rootfs: Option<PathBuf>,

    /// A directory as the workspace; the command can change it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["rootfs", "image", "snapshot"])]
    pub(crate) workspace: Option<PathBuf>,

    /// A directory or file of this machine in the sandbox, writable unless :ro is added
    #[arg(short = 'v', long = "mount", value_name = "SRC:DST[:ro]", value_parser = parse::mount())]
    pub(crate) mounts: Vec<Mount>,

    /// A volume in the sandbox, by its name or id, writable unless :ro is added
    #[arg(long = "volume", value_name = "NAME:DST[:ro]", value_parser = parse::volume())]
    pub(crate) volumes: Vec<VolumeMount>,

    /// A filesystem in memory in the sandbox, of this size at most
    #[arg(long, value_name = "DST[:SIZE]", value_parser = parse::tmpfs())]
    pub(crate) tmpfs: Vec<Mount>,

    /// Make the root filesystem read-only; /tmp, /var/tmp and /run are in memory then (namespace)
    #[arg(long)]
    pub(crate) read_only: bool,

    /// An option of the provider, such as users=single or hostname=build; a key or value that it does not know is refused with those
    /// that it knows
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE", value_parser = parse::pair)]
    pub(crate) options: Vec<(String, String)>,

    /// What it may reach: none, public or provider-default; nothing unless --provider is host
    #[arg(long, value_name = "POLICY", value_parser = parse::network)]
    pub(crate) network: Option<NetworkPolicy>,

    /// How many processors it may use, such as 1.5
    #[arg(long, value_name = "NUMBER")]
    pub(crate) cpus: Option<f64>,

    /// How much memory it may use, such as 512m
    #[arg(short = 'm', long, value_name = "SIZE", value_parser = parse::size)]
    pub(crate) memory: Option<u64>,

    /// How much it may write to its disk, such as 1g
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub(crate) disk: Option<u64>,

    /// Where a disk of limited size is: tmpfs (in memory, the default), loop (a disk image) or quota (of the filesystem)
    #[arg(long, value_name = "BACKING")]
    pub(crate) disk_backing: Option<DiskBacking>,

    /// How many processes and threads it may have
    #[arg(long, value_name = "NUMBER")]
    pub(crate) pids: Option<u64>,

    /// How long the sandbox may exist, whatever it does, such as 30m, or never for ever; 24h for one that outlives this command
    #[arg(long, value_name = "TIME", value_parser = parse::lifetime)]
    pub(crate) ttl: Option<Lifetime>,

    /// How long it may go without use, such as 10m, or never
    #[arg(long, value_name = "TIME", value_parser = parse::lifetime)]
    pub(crate) idle_timeout: Option<Lifetime>,

    /// A name for the sandbox
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// A label of the sandbox
    #[arg(short = 'l', long = "label", value_name = "NAME=VALUE", value_parser = parse::label)]
    pub(crate) labels: Vec<(String, String)>,
}

/// When an image is fetched.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PullArg {
    /// When it is not there
    Missing,
    /// When the registry has another one
    Always,
    /// Not at all
    Never,
}
