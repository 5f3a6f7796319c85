//! What sandbox to make, from a profile or from flags. The keys of a profile are the flags, and mean what they mean.

use crate::args::{PullArg, SandboxFlags};
use crate::options::Given;
use crate::parse;
use isobox::contract::VolumeMount;
use isobox::{DiskBacking, Lifetime, Mount, NetworkPolicy};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::path::PathBuf;

/// What is set; the rest is the default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) provider: Option<String>,
    pub(crate) image: Option<String>,
    pub(crate) image_name: Option<String>,
    pub(crate) platform: Option<String>,
    pub(crate) pull: Option<PullArg>,
    pub(crate) snapshot: Option<String>,
    pub(crate) rootfs: Option<PathBuf>,
    pub(crate) workspace: Option<PathBuf>,
    #[serde(deserialize_with = "mounts")]
    pub(crate) mounts: Vec<Mount>,
    #[serde(deserialize_with = "volumes")]
    pub(crate) volumes: Vec<VolumeMount>,
    #[serde(deserialize_with = "tmpfs")]
    pub(crate) tmpfs: Vec<Mount>,
    pub(crate) read_only: Option<bool>,
    #[serde(deserialize_with = "options")]
    pub(crate) options: Given,
    #[serde(deserialize_with = "network")]
    pub(crate) network: Option<NetworkPolicy>,
    pub(crate) cpus: Option<f64>,
    #[serde(deserialize_with = "size")]
    pub(crate) memory: Option<u64>,
    #[serde(deserialize_with = "size")]
    pub(crate) disk: Option<u64>,
    #[serde(deserialize_with = "backing")]
    pub(crate) disk_backing: Option<DiskBacking>,
    pub(crate) pids: Option<u64>,
    #[serde(deserialize_with = "lifetime")]
    pub(crate) ttl: Option<Lifetime>,
    #[serde(deserialize_with = "lifetime")]
    pub(crate) idle_timeout: Option<Lifetime>,
    #[serde(skip)]
    pub(crate) name: Option<String>,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) user: Option<String>,
    pub(crate) workdir: Option<String>,
}

impl Settings {
    /// What the flags say, and for the rest what is here. Lists are added to, and an entry with the same name is replaced.
    pub(crate) fn under(self, flags: &SandboxFlags) -> Self {
        // A sandbox has one source: one that the flags name takes the place of the profile's with all that belongs to it.
        let named = flags.image.is_some() || flags.snapshot.is_some();
        let source_given = named || flags.rootfs.is_some() || flags.workspace.is_some();
        let own = if source_given { self.without_source() } else { self };
        let mut labels = own.labels;
        labels.extend(flags.labels.iter().cloned());
        Self {
            provider: flags.provider.clone().or(own.provider),
            image: flags.image.clone().or(own.image),
            image_name: flags.image_name.clone().or(own.image_name),
            platform: flags.platform.clone().or(own.platform),
            pull: flags.pull.or(own.pull),
            snapshot: flags.snapshot.clone().or(own.snapshot),
            rootfs: flags.rootfs.clone().or(own.rootfs),
            workspace: flags.workspace.clone().or(own.workspace),
            mounts: [own.mounts, flags.mounts.clone()].concat(),
            volumes: [own.volumes, flags.volumes.clone()].concat(),
            tmpfs: [own.tmpfs, flags.tmpfs.clone()].concat(),
            options: own
                .options
                .into_iter()
                .chain(flags.options.iter().map(|(key, value)| (key.clone(), value.as_str().into())))
                .collect(),
            read_only: flags.read_only.then_some(true).or(own.read_only),
            network: flags.network.clone().or(own.network),
            cpus: flags.cpus.or(own.cpus),
            memory: flags.memory.or(own.memory),
            disk: flags.disk.or(own.disk),
            disk_backing: flags.disk_backing.or(own.disk_backing),
            pids: flags.pids.or(own.pids),
            ttl: flags.ttl.or(own.ttl),
            idle_timeout: flags.idle_timeout.or(own.idle_timeout),
            name: flags.name.clone(),
            labels,
            env: own.env,
            user: own.user,
            workdir: own.workdir,
        }
    }

    fn without_source(self) -> Self {
        Self { image: None, image_name: None, platform: None, snapshot: None, rootfs: None, workspace: None, ..self }
    }
}

/// A text that is read as a flag's value is.
fn parsed<'de, D: Deserializer<'de>, T, E: Display>(
    deserializer: D,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).map(Some).map_err(|error| D::Error::custom(format_args!("{text:?}: {error}")))
}

fn each<'de, D: Deserializer<'de>, T, E: Display>(
    deserializer: D,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Vec<T>, D::Error> {
    let read = |text: String| parse(&text).map_err(|error| D::Error::custom(format_args!("{text:?}: {error}")));
    Vec::<String>::deserialize(deserializer)?.into_iter().map(read).collect()
}

fn mounts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Mount>, D::Error> {
    each(deserializer, |text| parse::one_mount(OsStr::new(text)))
}

fn volumes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<VolumeMount>, D::Error> {
    each(deserializer, |text| parse::one_volume(OsStr::new(text)))
}

fn tmpfs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Mount>, D::Error> {
    each(deserializer, |text| parse::one_tmpfs(OsStr::new(text)))
}

/// A table, with values as they are in TOML: what is a text is read as the flag's.
fn options<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Given, D::Error> {
    let given = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
    Ok(given.into_iter().collect())
}

fn network<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NetworkPolicy>, D::Error> {
    parsed(deserializer, parse::network)
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    parsed(deserializer, parse::size)
}

fn lifetime<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Lifetime>, D::Error> {
    parsed(deserializer, parse::lifetime)
}

fn backing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DiskBacking>, D::Error> {
    parsed(deserializer, |text| text.parse::<DiskBacking>().map_err(|_| "expected tmpfs, loop or quota"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn profile(text: &str) -> Settings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn every_key_reads_as_its_flag() {
        let text = "image = 'a'\nmounts = ['/a:/b:ro']\nvolumes = ['v:/w:ro']\ntmpfs = ['/t:1m']\nnetwork = 'public'\nmemory = '1m'\n\
                    ttl = 'never'\nidle-timeout = '2m'\ndisk-backing = 'loop'\npull = 'always'\ncpus = 1.5\n\
                    labels = { a = 'b' }\nenv = { A = 'B' }\noptions = { users = 'single', shm_size = 1024 }\n";
        let settings = profile(text);
        assert_eq!(settings.mounts, [Mount::bind("/a", "/b").read_only()]);
        assert!(settings.volumes[0].read_only && settings.volumes[0].volume.as_str() == "v");
        assert_eq!(settings.tmpfs, [Mount::tmpfs("/t").size(1 << 20)]);
        assert_eq!((settings.network, settings.memory), (Some(NetworkPolicy::Public), Some(1 << 20)));
        assert_eq!(settings.ttl, Some(Lifetime::Never));
        assert_eq!(settings.idle_timeout, Some(Lifetime::After(Duration::from_secs(120))));
        assert_eq!((settings.pull, settings.cpus), (Some(PullArg::Always), Some(1.5)));
        assert_eq!(settings.options, [("shm_size".to_owned(), 1024.into()), ("users".to_owned(), "single".into())]);
    }

    #[test]
    fn flags_come_before_the_profile() {
        let own = profile("image = 'a'\nplatform = 'linux/arm64'\ncpus = 1\nlabels = { a = '1', b = '2' }\n");
        let label = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let flags = SandboxFlags { cpus: Some(2.0), labels: vec![label("b", "3")], ..SandboxFlags::default() };
        let both = own.clone().under(&flags);
        assert_eq!((both.image.as_deref(), both.cpus), (Some("a"), Some(2.0)));
        assert_eq!(both.labels.into_iter().collect::<Vec<_>>(), [label("a", "1"), label("b", "3")]);
        let flags = SandboxFlags { rootfs: Some("/".into()), ..SandboxFlags::default() };
        let both = own.under(&flags);
        assert_eq!((both.image, both.platform, both.rootfs), (None, None, Some("/".into())));
    }
}
