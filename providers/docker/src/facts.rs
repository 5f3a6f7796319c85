//! What an engine says about itself.

use crate::address::Address;
use bollard::models::{SystemInfo, SystemVersion};
use isobox_contract::{Error, ErrorCode, Result};

/// The oldest API that is spoken: that of Docker Engine 20.10.
const OLDEST: (u32, u32) = (1, 41);

/// What an engine says about itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Its API's version.
    pub(crate) api: (u32, u32),
    /// Its own version.
    pub(crate) version: String,
    /// Its storage driver, and what that says of itself, such as its backing filesystem.
    pub(crate) driver: String,
    pub(crate) driver_status: Vec<(String, String)>,
    /// The names of its runtimes.
    pub(crate) runtimes: Vec<String>,
    pub(crate) default_runtime: String,
    /// Whether it runs without root, and whether it gives containers users of their own.
    pub(crate) rootless: bool,
    pub(crate) remapped: bool,
    pub(crate) memory_limit: bool,
    pub(crate) swap_limit: bool,
    pub(crate) cpu_limit: bool,
    pub(crate) pids_limit: bool,
    /// Which cgroups it uses, 1 or 2.
    pub(crate) cgroups: u8,
    /// The processor architecture, as in `x86_64`.
    pub(crate) architecture: String,
    /// Its processors.
    pub(crate) processors: u32,
    /// Whether containers live on when it ends.
    pub(crate) live_restore: bool,
}

impl Facts {
    /// What is known from its version alone.
    pub(crate) fn of_version(version: &SystemVersion) -> Self {
        let api = version.api_version.as_deref().and_then(|api| {
            let (major, minor) = api.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
        Self { api: api.unwrap_or_default(), version: version.version.clone().unwrap_or_default(), ..Self::default() }
    }

    /// Refuses an engine that is too old.
    pub(crate) fn check(&self, address: &Address) -> Result<()> {
        if self.api >= OLDEST {
            return Ok(());
        }
        let ((major, minor), (oldest_major, oldest_minor)) = (self.api, OLDEST);
        let message = format!(
            "docker at {address} is version {} with API {major}.{minor}, and {oldest_major}.{oldest_minor} is needed: install Docker Engine 20.10 or newer",
            self.version
        );
        Err(Error::new(ErrorCode::Unsupported, message).with_provider(&isobox_contract::ProviderKind::DOCKER))
    }

    /// What is known from everything that it says.
    pub(crate) fn with(self, info: &SystemInfo) -> Self {
        let security = info.security_options.clone().unwrap_or_default();
        let secured = |name: &str| security.iter().any(|option| option.contains(name));
        let status = info.driver_status.iter().flatten();
        let pair = |pair: &Vec<String>| Some((pair.first()?.clone(), pair.get(1)?.clone()));
        let mut runtimes: Vec<_> = info.runtimes.iter().flatten().map(|(name, _)| name.clone()).collect();
        runtimes.sort();
        let cgroups = info.cgroup_version.map(|version| version.to_string());
        Self {
            driver: info.driver.clone().unwrap_or_default(),
            driver_status: status.filter_map(pair).collect(),
            runtimes,
            default_runtime: info.default_runtime.clone().unwrap_or_default(),
            rootless: secured("name=rootless"),
            remapped: secured("name=userns"),
            memory_limit: info.memory_limit.unwrap_or_default(),
            swap_limit: info.swap_limit.unwrap_or_default(),
            cpu_limit: info.cpu_cfs_quota.unwrap_or_default(),
            pids_limit: info.pids_limit.unwrap_or_default(),
            cgroups: if cgroups.as_deref() == Some("2") { 2 } else { 1 },
            architecture: info.architecture.clone().unwrap_or_default(),
            processors: info.ncpu.and_then(|count| u32::try_from(count).ok()).unwrap_or_default(),
            live_restore: info.live_restore_enabled.unwrap_or_default(),
            ..self
        }
    }
}
