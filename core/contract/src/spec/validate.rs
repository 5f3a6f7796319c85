//! What is wrong with a spec wherever it is used, found before anything starts. Every message names the field and the
//! way out.

use super::{
    Destination, ImageSource, Lifetimes, Mount, MountSource, NetworkPolicy, Owner, ProviderOptions, Resources,
    SandboxSpec, Secret, SecretDelivery, Source, VolumeMount, WorkspaceOwnership,
};
use crate::error::{Error, Result};
use crate::exec::{validate_user, validate_variable};
use crate::ids::SandboxId;
use crate::isolation::{Isolation, SandboxKind};
use crate::path::SandboxPath;
use crate::time::Lifetime;
use std::collections::HashSet;
use std::path::Path;

/// More processors than any machine has, and few enough for every unit they are converted to.
const MAX_CPUS: f64 = 1_000_000.0;
const MAX_NAME: usize = 128;
const MAX_LABEL: usize = 1024;

fn refuse<T>(field: impl Into<String>, reason: impl Into<String>) -> Result<T> {
    Err(Error::invalid_spec(field, reason))
}

impl SandboxSpec {
    /// Checks everything that is wrong with every provider.
    pub fn validate(&self) -> Result<()> {
        self.validate_identity()?;
        validate_source(&self.source)?;
        self.resources.validate()?;
        self.validate_places()?;
        self.validate_secrets()?;
        validate_network(&self.network)?;
        self.lifetimes.validate()?;
        self.validate_ownership()?;
        self.validate_options()
    }

    fn validate_identity(&self) -> Result<()> {
        if let Some(name) = &self.name {
            validate_name(name)?;
        }
        for (name, value) in &self.labels {
            validate_label(name, value)?;
        }
        for (name, value) in &self.env {
            validate_variable("env", name.as_bytes(), value.as_bytes())?;
        }
        if let Some(user) = &self.user {
            validate_user("user", user)?;
        }
        if self.region.as_ref().is_some_and(String::is_empty) {
            return refuse("region", "is empty, leave it out for the default");
        }
        match self.kind {
            Some(SandboxKind::Unknown) => refuse("kind", "is not known, give container or virtual_machine"),
            _ => Ok(()),
        }
    }

    fn validate_places(&self) -> Result<()> {
        if let Some(workdir) = &self.workdir {
            validate_absolute("workdir", workdir)?;
        }
        let mut ports = HashSet::new();
        for port in &self.ports {
            if *port == 0 || !ports.insert(port) {
                return refuse("ports", format!("has {port} twice or is zero, give each port once"));
            }
        }
        self.mounts.iter().try_for_each(Mount::validate)?;
        self.volumes.iter().try_for_each(VolumeMount::validate)?;
        let targets = self.mounts.iter().map(|m| &m.target).chain(self.volumes.iter().map(|v| &v.target));
        let mut seen = HashSet::new();
        for target in targets {
            if !seen.insert(components(target).collect::<Vec<_>>()) {
                return refuse("mounts", format!("has the target {} twice", target.escaped()));
            }
        }
        Ok(())
    }

    fn validate_secrets(&self) -> Result<()> {
        let mut names: HashSet<&str> = self.env.keys().map(String::as_str).collect();
        for secret in &self.secrets {
            secret.validate()?;
            if !names.insert(&secret.env) {
                return refuse("secrets.env", format!("has {} twice, or env has it too", secret.env));
            }
        }
        Ok(())
    }

    fn validate_ownership(&self) -> Result<()> {
        let lifetimes = &self.lifetimes;
        if self.owner != Owner::Detached {
            return Ok(());
        }
        if lifetimes.owner_lease.is_some() {
            return refuse("owner_lease", "means nothing for a detached sandbox, leave it out");
        }
        if lifetimes.ttl.is_none() && lifetimes.idle_timeout.is_none() {
            return refuse("owner", "is detached without a lifetime, set ttl or idle_timeout, if need be to never");
        }
        Ok(())
    }

    fn validate_options(&self) -> Result<()> {
        if self.ephemeral && (self.lifetimes.archive_after_stop.is_some() || self.lifetimes.delete_after_stop.is_some())
        {
            return refuse("ephemeral", "removes the sandbox when it is stopped, leave out what follows a stop");
        }
        let Some(ProviderOptions::Docker(docker)) = &self.options else { return Ok(()) };
        if docker.privileged && self.isolation > Isolation::None {
            return refuse("options.docker.privileged", "ends all isolation, which isolation asks for");
        }
        if docker.host_network && self.network != NetworkPolicy::ProviderDefault {
            return refuse("options.docker.host_network", "conflicts with network, set that to provider_default");
        }
        if !docker.sidecars.is_empty() && docker.host_network {
            return refuse("options.docker.sidecars", "need a network of their own, leave out host_network");
        }
        Ok(())
    }
}

fn validate_name(name: &str) -> Result<()> {
    validate_name_of(name, SandboxId::PREFIX)
}

/// A name of something whose ids start with `prefix`, so that a name is never taken for an id.
pub(crate) fn validate_name_of(name: &str, prefix: &str) -> Result<()> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let starts = name.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric());
    if !starts || name.len() > MAX_NAME || !name.bytes().all(allowed) {
        return refuse(
            "name",
            "must be 1 to 128 letters, digits, hyphens, underscores and dots, a letter or digit first",
        );
    }
    if name.starts_with(prefix) {
        return refuse("name", format!("starts with {prefix}, which only ids do"));
    }
    Ok(())
}

/// Labels that the library itself sets start with this.
const RESERVED_LABELS: &str = "isobox.";

pub(crate) fn validate_label(name: &str, value: &str) -> Result<()> {
    if name.is_empty() || name.len() > MAX_LABEL || name.chars().any(char::is_control) {
        return refuse("labels", "has a name that is empty, longer than 1024 bytes or has control characters");
    }
    if name.starts_with(RESERVED_LABELS) {
        return refuse("labels", "has a name that starts with isobox., which is reserved");
    }
    if value.len() > MAX_LABEL || value.chars().any(char::is_control) {
        return refuse("labels", "has a value that is longer than 1024 bytes or has control characters");
    }
    Ok(())
}

/// The names in a path, without empty ones and dots, so that two spellings of a place compare equal.
fn components(path: &SandboxPath) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|b| *b == b'/').filter(|part| !part.is_empty() && *part != b".")
}

fn validate_absolute(field: &str, path: &SandboxPath) -> Result<()> {
    if let Some(problem) = path.problem() {
        return refuse(field, format!("{problem}, give an absolute path"));
    }
    if !path.is_absolute() {
        return refuse(field, "is relative, give an absolute path");
    }
    if components(path).any(|part| part == b"..") {
        return refuse(field, "has a .. in it, give the path it means");
    }
    Ok(())
}

fn validate_target(field: &str, target: &SandboxPath) -> Result<()> {
    validate_absolute(field, target)?;
    match components(target).next() {
        None => refuse(field, "is the root of the sandbox, choose a directory below it"),
        Some(_) => Ok(()),
    }
}

fn validate_local(field: &str, path: &Path) -> Result<()> {
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return refuse(field, "contains a NUL byte, give an absolute path");
    }
    if !path.is_absolute() {
        return refuse(field, "is relative, give an absolute path on this machine");
    }
    Ok(())
}

fn validate_source(source: &Source) -> Result<()> {
    match source {
        Source::Image(image) => image.validate(),
        Source::Dockerfile { content, context } => {
            if content.as_str().trim().is_empty() {
                return refuse("source.content", "is empty, give the text of a Dockerfile");
            }
            context.as_ref().map_or(Ok(()), |path| validate_local("source.context", path))
        }
        Source::HostDirectory { path: None, ownership: WorkspaceOwnership::Designated } => {
            refuse("source.path", "is missing, a designated workspace is a directory of yours")
        }
        Source::HostDirectory { path: Some(path), .. } | Source::Rootfs { path } | Source::Archive { path, .. } => {
            validate_local("source.path", path)
        }
        Source::Default | Source::Host | Source::Snapshot { .. } | Source::HostDirectory { path: None, .. } => Ok(()),
    }
}

impl ImageSource {
    /// Checks the form of the reference.
    pub fn validate(&self) -> Result<()> {
        let unfit = |c: char| c.is_whitespace() || c.is_control();
        if self.reference.is_empty() || self.reference.starts_with('-') || self.reference.contains(unfit) {
            return refuse("source.reference", "is not an image reference, give one such as alpine:3.22");
        }
        match &self.platform {
            Some(platform) if platform.split('/').any(str::is_empty) || !platform.contains('/') => {
                refuse("source.platform", "is not a platform, give one such as linux/amd64")
            }
            _ => Ok(()),
        }
    }
}

impl Resources {
    /// Checks that every limit is one.
    pub fn validate(&self) -> Result<()> {
        if let Some(cpus) = self.cpus
            && !(cpus > 0.0 && cpus <= MAX_CPUS)
        {
            return refuse("resources.cpus", "is not a positive number of processors, leave it out for no limit");
        }
        let limits = [
            ("resources.memory", self.memory),
            ("resources.disk", self.disk),
            ("resources.pids", self.pids),
            ("resources.gpus", self.gpus.map(u64::from)),
        ];
        match limits.iter().find(|(_, limit)| *limit == Some(0)) {
            Some((field, _)) => refuse(*field, "is zero, leave it out for the default"),
            None => Ok(()),
        }
    }
}

impl Mount {
    fn validate(&self) -> Result<()> {
        validate_target("mounts.target", &self.target)?;
        match &self.source {
            MountSource::Bind { path } => validate_local("mounts.source.path", path),
            MountSource::Tmpfs { size: Some(0), .. } => refuse("mounts.source.size", "is zero, leave it out"),
            MountSource::Tmpfs { mode: Some(mode), .. } if *mode > 0o7777 => {
                refuse("mounts.source.mode", "has more than permission bits, give one such as 0o1777")
            }
            MountSource::Tmpfs { .. } => Ok(()),
        }
    }
}

impl VolumeMount {
    fn validate(&self) -> Result<()> {
        validate_target("volumes.target", &self.target)?;
        let Some(subpath) = &self.subpath else { return Ok(()) };
        if subpath.problem().is_some() || subpath.is_absolute() || components(subpath).any(|part| part == b"..") {
            return refuse("volumes.subpath", "must be a relative path that stays in the volume");
        }
        Ok(())
    }
}

impl Secret {
    fn validate(&self) -> Result<()> {
        validate_variable("secrets.env", self.env.as_bytes(), self.value.expose().as_bytes())?;
        if self.value.expose().is_empty() {
            return refuse("secrets.value", format!("of {} is empty", self.env));
        }
        match &self.delivery {
            SecretDelivery::Hosts { hosts } if hosts.is_empty() => refuse(
                "secrets.delivery.hosts",
                format!("of {} is empty, name the hosts that may get it, or choose exposed", self.env),
            ),
            SecretDelivery::Hosts { hosts } => hosts.iter().try_for_each(|host| validate_secret_host(host)),
            SecretDelivery::File { path } => validate_target("secrets.delivery.path", path),
            SecretDelivery::Exposed => Ok(()),
        }
    }
}

fn validate_secret_host(host: &str) -> Result<()> {
    match host.parse::<super::AllowRule>() {
        Ok(rule) if rule.port.is_none() && !matches!(rule.destination, Destination::Network { .. }) => Ok(()),
        _ => refuse("secrets.delivery.hosts", "must be host names, such as api.example.com or *.example.com"),
    }
}

pub(crate) fn validate_network(network: &NetworkPolicy) -> Result<()> {
    match network {
        NetworkPolicy::Allow { allow, .. } if allow.is_empty() => {
            refuse("network.allow", "is empty, use none to allow nothing or public to allow everything")
        }
        NetworkPolicy::Allow { dns, .. } if dns.iter().any(|address| address.is_unspecified()) => {
            refuse("network.dns", "has an unspecified address, give those of name servers")
        }
        _ => Ok(()),
    }
}

impl NetworkPolicy {
    /// Checks everything that is wrong with every provider.
    pub fn validate(&self) -> Result<()> {
        validate_network(self)
    }
}

impl Lifetimes {
    /// Checks that no lifetime is over before it starts. Any other length is fine, up to and beyond what a clock can
    /// hold.
    pub fn validate(&self) -> Result<()> {
        let lifetimes = [
            ("ttl", self.ttl),
            ("idle_timeout", self.idle_timeout),
            ("archive_after_stop", self.archive_after_stop),
            ("delete_after_stop", self.delete_after_stop),
            ("owner_lease", self.owner_lease.map(Lifetime::After)),
        ];
        for (field, lifetime) in lifetimes {
            if matches!(lifetime, Some(Lifetime::After(duration)) if duration.is_zero()) {
                return refuse(field, "is zero, give a length, or never, or leave it out for the default");
            }
        }
        match (self.archive_after_stop, self.delete_after_stop) {
            (Some(Lifetime::After(archive)), Some(Lifetime::After(delete))) if delete <= archive => {
                refuse("delete_after_stop", "comes before archive_after_stop, which would then never happen")
            }
            _ => Ok(()),
        }
    }
}
