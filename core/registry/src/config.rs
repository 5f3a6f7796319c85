//! How registries are reached: mirrors, plain HTTP, certificate authorities, patience.
//!
//! ```text
//!   given by the program  >  environment  >  registries.toml below isobox's home  >  defaults
//! ```

mod address;
mod file;

pub(crate) use address::{Address, is_host, is_loopback};

use isobox_contract::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where mirrors are named: `docker.io=mirror.lan:5000,harbor.lan/hub;ghcr.io=mirror.lan:5001`.
pub const ISOBOX_REGISTRY_MIRRORS: &str = "ISOBOX_REGISTRY_MIRRORS";
/// Which registries are spoken to over plain HTTP: `registry.lan:5000,10.0.0.7:5000`.
pub const ISOBOX_REGISTRY_INSECURE: &str = "ISOBOX_REGISTRY_INSECURE";
/// A PEM file of certificate authorities to trust beside the system's.
pub const ISOBOX_REGISTRY_CA_FILE: &str = "ISOBOX_REGISTRY_CA_FILE";
/// The file to read in place of `registries.toml` below isobox's home. It must be there.
pub const ISOBOX_REGISTRY_CONFIG: &str = "ISOBOX_REGISTRY_CONFIG";
/// Docker's own: the directory of its `config.json`, `~/.docker` by default.
pub const DOCKER_CONFIG: &str = "DOCKER_CONFIG";

/// The name of the file below isobox's home.
pub const FILE_NAME: &str = "registries.toml";

/// How registries are reached.
#[derive(Clone, Debug)]
pub struct RegistryConfig {
    /// For a registry such as `docker.io`, what is asked in its place, in order; then comes the registry itself. Each is
    /// `host`, `host:port` or either with a path that goes before the repository's name, and may begin with `https://`
    /// or `http://`.
    pub mirrors: BTreeMap<String, Vec<String>>,
    /// Registries spoken to over plain HTTP, as `host` or `host:port`, exactly as in references. `localhost` and
    /// loopback addresses are spoken to over plain HTTP in any case.
    pub insecure: BTreeSet<String>,
    /// A PEM file of certificate authorities to trust beside the system's.
    pub ca_file: Option<PathBuf>,
    /// The directory of Docker's `config.json`; `None` when nothing of it is to be used.
    pub docker_config: Option<PathBuf>,
    /// How long connecting may take: 10 seconds.
    pub connect_timeout: Duration,
    /// How long a registry may send nothing: 30 seconds. Also how long a credential helper may take.
    pub read_timeout: Duration,
    /// How long a manifest, a config or a token may take in all: 60 seconds.
    pub document_timeout: Duration,
    /// How often something that fails and may pass is tried in all: 5 times. A blob is tried on as long as it gets
    /// further.
    pub attempts: u32,
    /// How long the first pause between tries is: 250 milliseconds. Each is twice the one before, up to 5 seconds.
    pub backoff: Duration,
}

impl Default for RegistryConfig {
    /// No mirrors, the system's certificate authorities, and nothing of Docker's.
    fn default() -> Self {
        Self {
            mirrors: BTreeMap::new(),
            insecure: BTreeSet::new(),
            ca_file: None,
            docker_config: None,
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(30),
            document_timeout: Duration::from_secs(60),
            attempts: 5,
            backoff: Duration::from_millis(250),
        }
    }
}

impl RegistryConfig {
    /// What the environment and the file below isobox's home say.
    ///
    /// `invalid_spec` for the variable or the key that cannot be understood, `io` when the file cannot be read.
    pub fn load(home: &Path) -> Result<Self> {
        Self::load_with(home, |name| std::env::var_os(name))
    }

    /// Like [`Self::load`], for a given environment.
    pub fn load_with(home: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut config = match set(ISOBOX_REGISTRY_CONFIG) {
            Some(path) => file::read(Path::new(&path))?.ok_or_else(|| {
                Error::invalid_spec(ISOBOX_REGISTRY_CONFIG, format!("names {}, which is not there", path.display()))
            })?,
            None => file::read(&home.join(FILE_NAME))?.unwrap_or_default(),
        };
        if let Some(value) = set(ISOBOX_REGISTRY_MIRRORS) {
            config.mirrors = mirrors(&text(ISOBOX_REGISTRY_MIRRORS, value)?)?;
        }
        if let Some(value) = set(ISOBOX_REGISTRY_INSECURE) {
            config.insecure = list(&text(ISOBOX_REGISTRY_INSECURE, value)?).collect();
        }
        if let Some(path) = set(ISOBOX_REGISTRY_CA_FILE) {
            config.ca_file = Some(path.into());
        }
        if let Some(directory) = set(DOCKER_CONFIG) {
            config.docker_config = Some(directory.into());
        } else if config.docker_config.is_none() {
            config.docker_config = set("HOME").map(|home| Path::new(&home).join(".docker"));
        }
        config.check()?;
        Ok(config)
    }

    /// `invalid_spec` for the first value that cannot be understood.
    pub fn check(&self) -> Result<()> {
        for (registry, mirrors) in &self.mirrors {
            Address::registry("registry.mirrors", registry)?;
            for mirror in mirrors {
                Address::parse("registry.mirrors", mirror)?;
            }
        }
        for registry in &self.insecure {
            Address::registry("registry.insecure", registry)?;
        }
        if self.attempts == 0 {
            return Err(Error::invalid_spec("registry.attempts", "must be 1 at least"));
        }
        Ok(())
    }
}

fn text(name: &str, value: OsString) -> Result<String> {
    value.into_string().map_err(|_| Error::invalid_spec(name, "is not text"))
}

fn list(text: &str) -> impl Iterator<Item = String> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned)
}

fn mirrors(text: &str) -> Result<BTreeMap<String, Vec<String>>> {
    let entry = |entry: &str| {
        let (registry, mirrors) = entry.split_once('=').ok_or_else(|| {
            let reason = "must be registry=mirror,mirror and so on, with ; between registries";
            Error::invalid_spec(ISOBOX_REGISTRY_MIRRORS, reason)
        })?;
        Ok((registry.trim().to_owned(), list(mirrors).collect()))
    };
    text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(entry).collect()
}
