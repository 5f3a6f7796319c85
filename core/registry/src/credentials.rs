//! Who to be for a registry.
//!
//! ```text
//!   given with the image  >  credential helper of that registry  >  credential store  >  config.json  >  nobody
//! ```
//!
//! Secrets are in no message and in no `Debug`.

pub(crate) mod docker_config;
pub(crate) mod helper;

use crate::config::RegistryConfig;
use crate::endpoint::canonical;
use docker_config::{DockerConfig, Lookup};
use isobox_contract::{Error, ErrorCode, RegistryAuth, Result};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// What to show to a registry.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Credentials {
    /// Nothing.
    Anonymous,
    /// A name and a password.
    Basic { username: String, password: String },
    /// A token that only its token server takes, for a token of the registry.
    Identity(String),
    /// A token of the registry itself.
    Bearer(String),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credentials::Anonymous => "Anonymous",
            Credentials::Basic { .. } => "Basic",
            Credentials::Identity(_) => "Identity",
            Credentials::Bearer(_) => "Bearer",
        })
    }
}

/// What to show to a registry, for a program that asks it in isobox's place. `Debug` shows no secrets.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    None,
    /// A name and a password.
    Password {
        /// The name.
        username: String,
        /// The password, or a token that stands for it.
        password: String,
    },
    /// A token that only its token server takes.
    Identity(String),
    /// A token of the registry itself.
    Bearer(String),
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credential::None => "None",
            Credential::Password { .. } => "Password",
            Credential::Identity(_) => "Identity",
            Credential::Bearer(_) => "Bearer",
        })
    }
}

/// What isobox would show to the registry of this name: `auth` when it is for that, else what Docker's configuration says.
///
/// # Errors
/// `unauthenticated` or `timeout` when the registry's own credential helper fails.
pub async fn credential(config: &RegistryConfig, registry: &str, auth: Option<&RegistryAuth>) -> Result<Credential> {
    let registry = canonical(registry);
    let found = Keyring::new(config, &registry, auth).find(&registry).await?;
    Ok(match found.credentials {
        Credentials::Anonymous => Credential::None,
        Credentials::Basic { username, password } => Credential::Password { username, password },
        Credentials::Identity(token) => Credential::Identity(token),
        Credentials::Bearer(token) => Credential::Bearer(token),
    })
}

/// What was found for a registry.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) credentials: Credentials,
    /// What went wrong on the way, for the case that the registry wants more than this.
    pub(crate) note: Option<String>,
}

/// Where to look.
#[derive(Clone, Debug)]
pub(crate) struct Keyring {
    explicit: Option<(String, Credentials)>,
    docker: Option<PathBuf>,
    patience: Duration,
}

impl Keyring {
    pub(crate) fn new(config: &RegistryConfig, registry: &str, auth: Option<&RegistryAuth>) -> Self {
        let explicit = auth.map(|auth| {
            let server = auth.server.as_deref().map_or_else(|| registry.to_owned(), docker_config::host_of);
            let (username, password) = (auth.username.clone(), auth.password.clone());
            (canonical(&server), helper::credentials(username, password))
        });
        Self { explicit, docker: config.docker_config.clone(), patience: config.read_timeout }
    }

    /// What to show to the registry of this name.
    pub(crate) async fn find(&self, registry: &str) -> Result<Found> {
        let certain = |credentials| Ok(Found { credentials, note: None });
        if let Some((server, credentials)) = &self.explicit
            && server == registry
        {
            return certain(credentials.clone());
        }
        let Some(directory) = &self.docker else { return certain(Credentials::Anonymous) };
        let Some(config) = DockerConfig::read(&directory.join("config.json"))? else {
            return certain(Credentials::Anonymous);
        };
        let (name, is_own) = match config.lookup(registry) {
            Lookup::None => return certain(Credentials::Anonymous),
            Lookup::Inline(credentials) => return certain(credentials),
            Lookup::Helper { name, is_own } => (name, is_own),
        };
        match helper::get(&name, registry, self.patience).await {
            Ok(Some(credentials)) => certain(credentials),
            Ok(None) => certain(config.inline(registry).unwrap_or(Credentials::Anonymous)),
            // Many configurations name a store of another machine. What is public needs no credentials, and where
            // they are needed the note says why there are none.
            Err(problem) if !is_own => {
                tracing::warn!(helper = %name, registry, %problem, "going on without credentials");
                let credentials = config.inline(registry).unwrap_or(Credentials::Anonymous);
                Ok(Found { credentials, note: Some(format!("the credential store {name} {problem}")) })
            }
            Err(problem) => {
                let code = if problem.is_timeout() { ErrorCode::Timeout } else { ErrorCode::Unauthenticated };
                let message = format!("the credential helper {name} for {registry} {problem}");
                Err(Error::new(code, message).infrastructure(false))
            }
        }
    }
}
