//! The JSON of images: manifests, indexes, configs, and `manifest.json` of `docker save`. Only what is used is read.
//!
//! Every function takes bytes from outside and gives values or a [`Problem`]; nothing here does I/O.

use crate::digest::Digest;
use crate::platform::Platform;
use crate::problem::{Outcome, Problem};
use isobox_contract::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most bytes of one document.
pub(crate) const MAX_DOCUMENT: u64 = 8 << 20;

/// The most layers of an image: what a sandbox can mount.
pub(crate) const MAX_LAYERS: usize = 400;

/// What names a blob.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Descriptor {
    #[serde(rename = "mediaType", default)]
    pub(crate) media_type: String,
    pub(crate) digest: Digest,
    #[serde(default)]
    pub(crate) platform: Option<PlatformDocument>,
    #[serde(default)]
    pub(crate) annotations: BTreeMap<String, String>,
}

impl Descriptor {
    /// Whether it names a list of images, not one.
    pub(crate) fn is_index(&self) -> bool {
        self.media_type.ends_with("image.index.v1+json") || self.media_type.ends_with("manifest.list.v2+json")
    }

    /// Whether it describes another image and is none, as the records of how one was built.
    pub(crate) fn is_attestation(&self) -> bool {
        self.annotations.contains_key("vnd.docker.reference.type")
            || self.platform.as_ref().is_some_and(|platform| platform.os == "unknown")
    }
}

/// A platform as manifests and configs spell it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct PlatformDocument {
    #[serde(default)]
    pub(crate) os: String,
    #[serde(default)]
    pub(crate) architecture: String,
    #[serde(default)]
    pub(crate) variant: Option<String>,
}

impl PlatformDocument {
    pub(crate) fn platform(&self) -> Platform {
        Platform::new(&self.os, &self.architecture, self.variant.as_deref())
    }
}

/// A list of images.
#[derive(Debug, Deserialize)]
pub(crate) struct Index {
    pub(crate) manifests: Vec<Descriptor>,
}

/// One image.
#[derive(Debug, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) config: Descriptor,
    pub(crate) layers: Vec<Descriptor>,
}

/// One image of a `docker save`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Saved {
    pub(crate) config: String,
    #[serde(default)]
    pub(crate) repo_tags: Option<Vec<String>>,
    pub(crate) layers: Vec<String>,
}

/// The config of an image.
#[derive(Debug, Deserialize)]
pub(crate) struct Config {
    #[serde(flatten)]
    pub(crate) platform: PlatformDocument,
    #[serde(default)]
    created: Option<String>,
    #[serde(default)]
    config: Option<RunDocument>,
    pub(crate) rootfs: RootFs,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RootFs {
    #[serde(default)]
    pub(crate) diff_ids: Vec<Digest>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct RunDocument {
    env: Option<Vec<String>>,
    user: Option<String>,
    working_dir: Option<String>,
    entrypoint: Option<Vec<String>>,
    cmd: Option<Vec<String>>,
    labels: Option<BTreeMap<String, String>>,
}

/// How an image wants its programs to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunDefaults {
    /// Variables.
    pub env: BTreeMap<String, String>,
    /// The user: a name, `uid`, `uid:gid` or `name:group`; root when there is none.
    pub user: Option<String>,
    /// The working directory, absolute; `/` when there is none.
    pub workdir: Option<String>,
    /// The program that is run when nothing is said, and its arguments.
    pub entrypoint: Vec<String>,
    /// Further arguments.
    pub command: Vec<String>,
    /// Labels.
    pub labels: BTreeMap<String, String>,
}

impl Config {
    pub(crate) fn parse(bytes: &[u8]) -> Outcome<Self> {
        let config: Config = parse("its config", bytes)?;
        if config.rootfs.diff_ids.len() > MAX_LAYERS {
            return Err(Problem::Limit { what: "layers", max: MAX_LAYERS as u64 });
        }
        Ok(config)
    }

    /// When it was made, if that is a time.
    pub(crate) fn created(&self) -> Option<Timestamp> {
        serde_json::from_value(self.created.clone()?.into()).ok()
    }

    /// What it says of running programs. Variables that no program could be given are left out, as engines do.
    pub(crate) fn run_defaults(&self) -> RunDefaults {
        let empty = RunDocument::default();
        let run = self.config.as_ref().unwrap_or(&empty);
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let variable = |text: &String| {
            let (name, value) = text.split_once('=')?;
            let fine = !name.is_empty() && !text.contains('\0');
            fine.then(|| (name.to_owned(), value.to_owned()))
        };
        RunDefaults {
            env: run.env.iter().flatten().filter_map(variable).collect(),
            user: filled(&run.user),
            workdir: filled(&run.working_dir),
            entrypoint: run.entrypoint.clone().unwrap_or_default(),
            command: run.cmd.clone().unwrap_or_default(),
            labels: run.labels.clone().unwrap_or_default(),
        }
    }
}

/// Reads a document.
pub(crate) fn parse<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Outcome<T> {
    serde_json::from_slice(bytes).map_err(|error| Problem::corrupt(what, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_config_says_how_programs_are_run() {
        let text = r#"{"architecture":"amd64","os":"linux","created":"2024-01-02T03:04:05Z","config":{"Env":["PATH=/bin","A=b=c","bad","=x"],
            "User":"","WorkingDir":"/srv","Cmd":null,"Labels":null},"rootfs":{"type":"layers","diff_ids":[]},"history":[{}]}"#;
        let config = Config::parse(text.as_bytes()).unwrap();
        let run = config.run_defaults();
        assert_eq!(
            run.env.into_iter().collect::<Vec<_>>(),
            [("A".into(), "b=c".into()), ("PATH".into(), "/bin".into())]
        );
        assert_eq!((run.user, run.workdir.as_deref()), (None, Some("/srv")));
        assert_eq!(config.platform.platform().to_string(), "linux/amd64");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Config::parse(&bytes);
            let _ = parse::<Index>("x", &bytes);
            let _ = parse::<Manifest>("x", &bytes);
            let _ = parse::<Vec<Saved>>("x", &bytes);
        }
    }
}
