//! Contexts of the `docker` command: which engine it uses when no variable names one.
//!
//! ```text
//! ~/.docker/config.json                       currentContext, unless DOCKER_CONTEXT says another
//! ~/.docker/contexts/meta/SHA256/meta.json    the endpoint of the context with that name
//! ~/.docker/contexts/tls/SHA256/docker/       its certificates, where it has some
//! ```

use isobox_contract::{Error, Result};
use isobox_registry::Digest;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The context that stands for the usual places.
const DEFAULT: &str = "default";
/// The most bytes of a file that is read.
const LARGEST: u64 = 1 << 20;

/// The endpoint of a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    /// What names the context, for errors.
    pub(crate) field: String,
    /// As `DOCKER_HOST` would have it.
    pub(crate) host: String,
    /// Where its certificates are.
    pub(crate) certificates: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Config {
    #[serde(default, rename = "currentContext")]
    current: String,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "Endpoints")]
    endpoints: Endpoints,
}

#[derive(Deserialize)]
struct Endpoints {
    docker: Option<Docker>,
}

#[derive(Deserialize)]
struct Docker {
    #[serde(default, rename = "Host")]
    host: String,
    #[serde(default, rename = "SkipTLSVerify")]
    unverified: bool,
}

/// The endpoint of the context that is in use; none when that is the default one. `directory` is that of Docker's configuration.
///
/// # Errors
/// `invalid_spec` for a context that is not there, or that is not to be trusted.
pub(crate) fn current(directory: &Path, wanted: Option<String>) -> Result<Option<Endpoint>> {
    let (field, name) = match wanted.filter(|name| !name.is_empty()) {
        Some(name) => ("DOCKER_CONTEXT".to_owned(), name),
        None => {
            let path = directory.join("config.json");
            // Nobody has to have one, and what is wrong with it is said by whoever needs more of it.
            let config = read(&path).and_then(|text| serde_json::from_str::<Config>(&text).ok());
            (format!("currentContext in {}", path.display()), config.map(|config| config.current).unwrap_or_default())
        }
    };
    if name.is_empty() || name == DEFAULT {
        return Ok(None);
    }
    let digest = Digest::of(name.as_bytes()).to_string();
    let known = digest.split_once(':').map_or(digest.as_str(), |(_, known)| known);
    let contexts = directory.join("contexts");
    let wrong = |reason: &str| Error::invalid_spec(&field, format!("names {}, {reason}", name.escape_debug()));
    let text = read(&contexts.join("meta").join(known).join("meta.json"));
    let text =
        text.ok_or_else(|| wrong("which is no context: choose one with docker context use, or set DOCKER_HOST"))?;
    let meta: Meta = serde_json::from_str(&text).map_err(|_| wrong("whose file cannot be understood: make it anew"))?;
    let docker = meta.endpoints.docker.filter(|docker| !docker.host.is_empty());
    let docker = docker.ok_or_else(|| wrong("which has no engine: choose another one"))?;
    if docker.unverified {
        return Err(wrong("which does not look whether it is the right engine: give it a ca.pem"));
    }
    let certificates = contexts.join("tls").join(known).join("docker");
    let certificates = certificates.is_dir().then_some(certificates);
    Ok(Some(Endpoint { field, host: docker.host, certificates }))
}

fn read(path: &Path) -> Option<String> {
    let small = std::fs::metadata(path).is_ok_and(|file| file.len() <= LARGEST);
    if small { std::fs::read_to_string(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn write(place: &Path, name: &str, meta: &str) {
        let digest = Digest::of(name.as_bytes()).to_string();
        let directory = place.join("contexts/meta").join(digest.strip_prefix("sha256:").unwrap());
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("meta.json"), meta).unwrap();
    }

    #[test]
    fn the_variable_counts_more_than_the_configuration_and_default_is_none() {
        let place = tempfile::tempdir().unwrap();
        let current = |wanted: Option<&str>| current(place.path(), wanted.map(str::to_owned));
        assert_eq!(current(None).unwrap(), None);
        write(place.path(), "near", r#"{"Name":"near","Endpoints":{"docker":{"Host":"unix:///near.sock"}}}"#);
        write(place.path(), "far", r#"{"Name":"far","Endpoints":{"docker":{"Host":"tcp://far:1"}}}"#);
        fs::write(place.path().join("config.json"), r#"{"auths":{},"currentContext":"near"}"#).unwrap();
        assert_eq!(current(None).unwrap().unwrap().host, "unix:///near.sock");
        assert_eq!(current(Some("far")).unwrap().unwrap().host, "tcp://far:1");
        assert_eq!(current(Some("default")).unwrap(), None);
        let refused = current(Some("gone")).unwrap_err();
        assert!(refused.message().starts_with("DOCKER_CONTEXT names gone"), "{refused}");
        write(place.path(), "open", r#"{"Endpoints":{"docker":{"Host":"tcp://far:1","SkipTLSVerify":true}}}"#);
        assert!(current(Some("open")).unwrap_err().message().contains("ca.pem"));
    }
}
