//! Where a request goes: a mirror, or the registry itself.

use crate::config::{Address, RegistryConfig, is_loopback};
use crate::reference::Reference;
use isobox_contract::{Error, Result};
use reqwest::Url;

/// Docker Hub is spoken of by one name and answers at another.
const HUB: &str = "docker.io";
const HUB_HOST: &str = "registry-1.docker.io";

/// One place that may have an image.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    /// What it is called in messages and in Docker's configuration: `docker.io`, `host` or `host:port`.
    pub(crate) name: String,
    /// Whether it is spoken to over plain HTTP only because it is on this machine, so that it may want TLS all the same.
    pub(crate) is_guess: bool,
    base: Url,
    prefix: String,
}

impl Endpoint {
    /// The places to ask for an image, in order.
    pub(crate) fn all(config: &RegistryConfig, reference: &Reference) -> Result<Vec<Self>> {
        let registry = reference.registry();
        let named = config.mirrors.iter().find(|(name, _)| canonical(name) == registry);
        let mirrors = named.map(|(_, mirrors)| mirrors.as_slice()).unwrap_or_default();
        let mut all = Vec::new();
        for mirror in mirrors {
            all.push(Self::new(config, Address::parse("registry.mirrors", mirror)?)?);
        }
        let own = Address { host: registry.to_owned(), prefix: String::new(), plain: None };
        all.push(Self::new(config, own)?);
        Ok(all)
    }

    fn new(config: &RegistryConfig, address: Address) -> Result<Self> {
        let name = canonical(&address.host);
        let told = address.plain.or_else(|| config.insecure.iter().any(|host| canonical(host) == name).then_some(true));
        let is_guess = told.is_none() && is_loopback(&name);
        let scheme = if told.unwrap_or(is_guess) { "http" } else { "https" };
        let host = if name == HUB { HUB_HOST } else { name.as_str() };
        let base = Url::parse(&format!("{scheme}://{host}/")).map_err(|_| {
            Error::invalid_spec("source.reference", format!("names the registry {name}, which is none"))
        })?;
        Ok(Self { name, is_guess, base, prefix: address.prefix })
    }

    /// The address of a manifest.
    pub(crate) fn manifest(&self, repository: &str, wanted: &str) -> Url {
        self.at(repository, "manifests", wanted)
    }

    /// The address of a blob.
    pub(crate) fn blob(&self, repository: &str, digest: &str) -> Url {
        self.at(repository, "blobs", digest)
    }

    /// The repository as this place calls it.
    pub(crate) fn repository(&self, repository: &str) -> String {
        if self.prefix.is_empty() { repository.to_owned() } else { format!("{}/{repository}", self.prefix) }
    }

    /// Whether credentials for it cross the network unencrypted.
    pub(crate) fn is_plain(&self) -> bool {
        self.base.scheme() == "http"
    }

    fn at(&self, repository: &str, kind: &str, which: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("/v2/{}/{kind}/{which}", self.repository(repository)));
        url
    }
}

/// One name for each registry, whatever it is called.
pub(crate) fn canonical(host: &str) -> String {
    let lower = host.to_ascii_lowercase();
    match lower.as_str() {
        "index.docker.io" | HUB_HOST | "registry.hub.docker.com" => HUB.to_owned(),
        _ => lower,
    }
}
