//! `registries.toml`.
//!
//! ```toml
//! insecure = ["registry.lan:5000"]
//! ca_file = "/etc/ssl/company.pem"
//!
//! [mirrors]
//! "docker.io" = ["mirror.lan:5000", "harbor.lan/hub"]
//!
//! [timeouts]
//! connect_ms = 10000
//! ```

use super::RegistryConfig;
use isobox_contract::{Error, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest file that is read.
const LARGEST: u64 = 1024 * 1024;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Contents {
    mirrors: BTreeMap<String, Vec<String>>,
    insecure: BTreeSet<String>,
    ca_file: Option<PathBuf>,
    docker_config: Option<PathBuf>,
    attempts: Option<u32>,
    timeouts: Timeouts,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Timeouts {
    connect_ms: Option<u64>,
    read_ms: Option<u64>,
    document_ms: Option<u64>,
}

/// What a file says; `None` when it is not there.
pub(super) fn read(path: &Path) -> Result<Option<RegistryConfig>> {
    let failed = |error| Error::io(format!("the configuration of registries {}", path.display()), error);
    let mut text = String::new();
    match std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text)) {
        Ok(length) if length as u64 > LARGEST => {
            return Err(Error::invalid_spec(path.display().to_string(), "is larger than 1 MiB"));
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error).infrastructure(false)),
    }
    parse(&text).map(Some).map_err(|reason| Error::invalid_spec(path.display().to_string(), reason))
}

fn parse(text: &str) -> Result<RegistryConfig, String> {
    let contents: Contents = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].lines().count().max(1));
        format!("cannot be understood in line {line}: {}", error.message())
    })?;
    let default = RegistryConfig::default();
    let time = |millis: Option<u64>, default| millis.map_or(default, Duration::from_millis);
    let config = RegistryConfig {
        mirrors: contents.mirrors,
        insecure: contents.insecure,
        ca_file: contents.ca_file,
        docker_config: contents.docker_config,
        connect_timeout: time(contents.timeouts.connect_ms, default.connect_timeout),
        read_timeout: time(contents.timeouts.read_ms, default.read_timeout),
        document_timeout: time(contents.timeouts.document_ms, default.document_timeout),
        attempts: contents.attempts.unwrap_or(default.attempts),
        backoff: default.backoff,
    };
    config.check().map(|()| config).map_err(|error| format!("cannot be used: {error}"))
}
