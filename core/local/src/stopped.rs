//! What a stopped sandbox leaves in its directory, for whoever starts it again.
//!
//! ```text
//! running ──stop: a signal of its own, everything ends──> its keeper writes `stopped` ──> stopped
//! stopped ──start: `stopped` is read, the same config with `again`──> it runs, and `stopped` goes
//! ```
//!
//! The file has everything that the sandbox was launched with, its environment and its token included: as safe as the
//! directory, which is its owner's alone (mode 0700, the file 0600).

use isobox_contract::{Error, ErrorCode, Expiry, Lifetimes, ProviderKind, Resource, Result, SandboxId};
use isobox_wire::Settings;
use isobox_wire::host::HostConfig;
use isobox_wire::launch::{self, LaunchConfig, STOPPED_NAME};
use isobox_wire::settings::ended;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, flock, openat};
use rustix::io::Errno;
use std::fs;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait for a turn: a start has a minute, and an end twice 15 seconds.
const PATIENCE: Duration = Duration::from_secs(90);

/// Exit codes of the agent that are a stop, for these lifetimes.
pub fn stop_after(lifetimes: &Lifetimes) -> Vec<u8> {
    codes(lifetimes, Expiry::Stop)
}

/// Exit codes of the agent with which it pauses the sandbox in place of ending, for these lifetimes.
pub fn pause_after(lifetimes: &Lifetimes) -> Vec<u8> {
    codes(lifetimes, Expiry::Pause)
}

fn codes(lifetimes: &Lifetimes, expiry: Expiry) -> Vec<u8> {
    let ttl = (lifetimes.on_expiry == expiry).then_some(ended::EXPIRED);
    let idle = (lifetimes.idle_expiry() == expiry).then_some(ended::IDLE);
    ttl.into_iter().chain(idle).collect()
}

/// How a stopped sandbox is started again.
pub(crate) struct Stopped {
    config: Config,
    pub(crate) settings: Settings,
}

enum Config {
    Launch(Box<LaunchConfig>),
    Host(Box<HostConfig>),
}

impl Stopped {
    /// Whether the directory is that of a stopped sandbox, or of one that is being started.
    pub(crate) fn is_in(state_dir: &Path) -> bool {
        state_dir.join(STOPPED_NAME).symlink_metadata().is_ok()
    }

    /// Reads it; nothing when the sandbox is not stopped.
    ///
    /// # Errors
    /// `conflict` when another build of the library has stopped it.
    pub(crate) fn read(state_dir: &Path, kind: &ProviderKind) -> Result<Option<Self>> {
        let bytes = match fs::read(state_dir.join(STOPPED_NAME)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("cannot read how the sandbox is started again", error)),
        };
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let (build, body) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
        if build != isobox_agent::BUILD_ID.as_bytes() {
            let message = "the sandbox was stopped by another build of isobox, start it with that one or delete it";
            return Err(Error::new(ErrorCode::Conflict, message));
        }
        let config = if *kind == ProviderKind::HOST {
            isobox_wire::decode(body).ok().map(|config| Config::Host(Box::new(config)))
        } else {
            LaunchConfig::from_body(body).ok().map(|config| Config::Launch(Box::new(config)))
        };
        let stopped = config.and_then(|config| {
            let agent = match &config {
                Config::Launch(config) => &config.agent,
                Config::Host(config) => &config.agent,
            };
            let settings = isobox_wire::decode(agent).ok()?;
            Some(Self { config, settings })
        });
        stopped.map(Some).ok_or_else(|| Error::internal("what was written down of the stopped sandbox cannot be read"))
    }

    /// Puts the sandbox into these cgroups.
    pub(crate) fn put_into(&mut self, cgroups: launch::Cgroups) {
        if let Config::Launch(config) = &mut self.config {
            config.cgroups = cgroups;
        }
    }

    /// The role of the process, and its config with the length in front.
    pub(crate) fn relaunch(mut self) -> Result<(&'static str, Vec<u8>)> {
        self.settle();
        let (role, frame) = match &mut self.config {
            Config::Launch(config) => {
                config.again = true;
                ("launch", config.to_frame())
            }
            Config::Host(config) => {
                config.again = true;
                ("host", launch::frame(config))
            }
        };
        frame.map(|frame| (role, frame)).map_err(|_| Error::limit_exceeded("spec", launch::MAX_LAUNCH_CONFIG as u64))
    }

    /// Writes it back, with the settings as they are now.
    pub(crate) fn write(mut self, state_dir: &Path) -> Result<()> {
        self.settle();
        let body = match &self.config {
            Config::Launch(config) => isobox_wire::encode(config),
            Config::Host(config) => isobox_wire::encode(config),
        };
        let new = state_dir.join("stopped.new");
        let written = || {
            let mut options = fs::OpenOptions::new();
            let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
            file.write_all(&[isobox_agent::BUILD_ID.as_bytes(), b"\n", &body].concat())?;
            fs::rename(&new, state_dir.join(STOPPED_NAME))
        };
        written().map_err(|error| Error::io("cannot write down how the sandbox is started again", error))
    }

    fn settle(&mut self) {
        let agent = isobox_wire::encode(&self.settings);
        match &mut self.config {
            Config::Launch(config) => config.agent = agent,
            Config::Host(config) => config.agent = agent,
        }
    }
}

/// The right to stop, start, copy or remove a sandbox, of which one process at a time has it. It ends with its last clone, or with
/// the process.
#[derive(Clone)]
pub(crate) struct Turn(#[expect(dead_code, reason = "the lock is the open file's")] Arc<OwnedFd>);

impl Turn {
    /// Waits for it.
    ///
    /// # Errors
    /// `not_found` when the directory is gone, `timeout` when somebody has it for a minute and a half.
    pub(crate) async fn take(state_dir: &Path, id: &SandboxId) -> Result<Self> {
        let failed = |errno| match errno {
            Errno::NOENT => Error::not_found(Resource::Sandbox, *id),
            errno => Error::io("cannot lock the sandbox's directory", errno.into()),
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = openat(CWD, state_dir, flags, Mode::empty()).map_err(failed)?;
        // Nearly always nobody has it, and a thread to wait on costs more than all the rest.
        match flock(&directory, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Self(Arc::new(directory))),
            Err(Errno::WOULDBLOCK) => {}
            Err(errno) => return Err(failed(errno)),
        }
        let wait = move || flock(&directory, FlockOperation::LockExclusive).map(|()| directory);
        let waited = tokio::time::timeout(PATIENCE, tokio::task::spawn_blocking(wait)).await;
        let taken = waited.map_err(|_| Error::timeout("waiting for whoever stops or starts the sandbox", PATIENCE))?;
        let taken = taken.map_err(|_| Error::internal("the runtime is ending"))?;
        taken.map(|directory| Self(Arc::new(directory))).map_err(failed)
    }
}
