//! Docker's `config.json`: which credentials are for which registry. Pure, apart from [`DockerConfig::read`].

use super::Credentials;
use crate::endpoint::canonical;
use data_encoding::{BASE64, BASE64_NOPAD};
use isobox_contract::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read.
const LARGEST: u64 = 1024 * 1024;

/// The part of `config.json` that is about credentials. Everything else in it is left alone.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DockerConfig {
    auths: BTreeMap<String, Option<Entry>>,
    cred_helpers: BTreeMap<String, String>,
    creds_store: Option<String>,
}

/// `Debug` is not there on purpose.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Entry {
    auth: Option<String>,
    username: Option<String>,
    password: Option<String>,
    identitytoken: Option<String>,
    registrytoken: Option<String>,
}

/// Where credentials are.
pub(crate) enum Lookup {
    /// Nowhere.
    None,
    /// In the file.
    Inline(Credentials),
    /// With a program.
    Helper {
        /// The end of its name.
        name: String,
        /// Whether it is for this registry alone.
        is_own: bool,
    },
}

impl DockerConfig {
    /// Reads a file; `None` when it is not there.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        let mut bytes = Vec::new();
        match std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)) {
            Ok(_) if bytes.len() as u64 <= LARGEST => {}
            Ok(_) => return Err(Error::invalid_spec(path.display().to_string(), "is larger than 1 MiB")),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => {
                let error = Error::io(format!("Docker's configuration {}", path.display()), error);
                return Err(error.infrastructure(false));
            }
        }
        Self::parse(&bytes).map(Some).map_err(|(line, column)| {
            let reason = format!("is not Docker's configuration: line {line}, column {column}");
            Error::invalid_spec(path.display().to_string(), reason)
        })
    }

    /// Reads the text of the file. The error is the line and the column: more could quote a secret.
    pub(crate) fn parse(bytes: &[u8]) -> std::result::Result<Self, (usize, usize)> {
        if bytes.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        serde_json::from_slice(bytes).map_err(|error| (error.line(), error.column()))
    }

    /// Where the credentials for a registry are, by Docker's order.
    pub(crate) fn lookup(&self, registry: &str) -> Lookup {
        let own = self.cred_helpers.iter().find(|(host, _)| canonical(&host_of(host)) == registry);
        let helper = own.map(|(_, name)| (name, true)).or(self.creds_store.as_ref().map(|name| (name, false)));
        match helper.filter(|(name, _)| !name.is_empty()) {
            Some((name, is_own)) => Lookup::Helper { name: name.clone(), is_own },
            None => self.inline(registry).map_or(Lookup::None, Lookup::Inline),
        }
    }

    /// What the file itself has for a registry.
    pub(crate) fn inline(&self, registry: &str) -> Option<Credentials> {
        let entries = || self.auths.iter().filter_map(|(host, entry)| Some((host, entry.as_ref()?)));
        let exact = entries().find(|(host, _)| host.as_str() == registry);
        let entry = exact.or_else(|| entries().find(|(host, _)| canonical(&host_of(host)) == registry));
        entry.and_then(|(_, entry)| entry.credentials())
    }
}

impl Entry {
    fn credentials(&self) -> Option<Credentials> {
        let given = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        if let Some(token) = given(&self.identitytoken) {
            return Some(Credentials::Identity(token));
        }
        if let Some(token) = given(&self.registrytoken) {
            return Some(Credentials::Bearer(token));
        }
        if let Some(credentials) = given(&self.auth).and_then(|auth| decode(&auth)) {
            return Some(credentials);
        }
        Some(Credentials::Basic { username: given(&self.username)?, password: given(&self.password)? })
    }
}

/// `name:password` in base64. Docker cuts zero bytes off the end of the password.
fn decode(auth: &str) -> Option<Credentials> {
    let auth = auth.trim();
    let bytes = BASE64.decode(auth.as_bytes()).or_else(|_| BASE64_NOPAD.decode(auth.as_bytes())).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (username, password) = text.split_once(':')?;
    let password = password.trim_end_matches('\0');
    (!username.is_empty()).then(|| super::helper::credentials(username.to_owned(), password.to_owned()))
}

/// The `host` or `host:port` of a key such as `https://index.docker.io/v1/`.
pub(crate) fn host_of(key: &str) -> String {
    let rest = key.split_once("://").map_or(key, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).to_ascii_lowercase()
}
