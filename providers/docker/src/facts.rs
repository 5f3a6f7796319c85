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
    /// Whether it labels files for SELinux, which then keeps containers from files without such a label.
    pub(crate) selinux: bool,
    pub(crate) memory_limit: bool,
    pub(crate) swap_limit: bool,
    pub(crate) cpu_limit: bool,
    pub(crate) pids_limit: bool,
    /// How many processors it has, where it says so.
    pub(crate) processors: Option<u64>,
    /// The processor architecture, as in `x86_64`.
    pub(crate) architecture: String,
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

    /// What most engines are like.
    pub(crate) fn usual() -> Self {
        let (memory_limit, swap_limit, cpu_limit, pids_limit) = (true, true, true, true);
        Self { memory_limit, swap_limit, cpu_limit, pids_limit, ..Self::default() }
    }

    /// Refuses an engine on a machine that the agent does not run on.
    pub(crate) fn has_agent(&self) -> Result<()> {
        let (here, there) = (std::env::consts::ARCH, self.architecture.as_str());
        if there.is_empty() || here == there {
            return Ok(());
        }
        let message = format!(
            "docker's machine is {there}, and this build of isobox has an agent for {here}: use the build for {there}"
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
        Self {
            driver: info.driver.clone().unwrap_or_default(),
            driver_status: status.filter_map(pair).collect(),
            runtimes,
            default_runtime: info.default_runtime.clone().unwrap_or_default(),
            selinux: secured("name=selinux"),
            memory_limit: info.memory_limit.unwrap_or_default(),
            swap_limit: info.swap_limit.unwrap_or_default(),
            cpu_limit: info.cpu_cfs_quota.unwrap_or_default(),
            pids_limit: info.pids_limit.unwrap_or_default(),
            processors: info.ncpu.and_then(|count| u64::try_from(count).ok()).filter(|count| *count > 0),
            architecture: info.architecture.clone().unwrap_or_default(),
            ..self
        }
    }
}
