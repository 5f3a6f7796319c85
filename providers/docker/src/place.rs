//! What there is on this machine for one sandbox.
//!
//! ```text
//! ISOBOX_HOME/docker/           0700
//!     fleet                     what this isobox is called at engines
//!     agent-BUILD               the agent, for all containers to look at
//!     sbx_…/                    0700
//!         origin                0600, what it was made from
//!         limits                0600, those that were changed, where the engine forgets them
//!         settings              0600, with what the agent is told by whoever starts it again
//!         run/                  what the container sees as /.isobox/run
//!             config            the agent's settings, until it has read them
//!             agent.sock
//! ```
//!
//! Whoever the agent is in its container, it must be able to make a socket in `run`, so that is open to all; what is around it
//! is open to nobody. In the container it is open to all as well until the first client is there, before which nothing runs. From then on
//! it is sealed, where this user may do that.

use crate::seal;
use isobox_contract::{Error, ErrorCode, Resources, Result, SandboxId, SandboxSpec};
use isobox_wire::Settings;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::UnixStream;

const RUN: &str = "run";
const CONFIG: &str = "config";
const SOCKET: &str = "agent.sock";
const SETTINGS: &str = "settings";
const ORIGIN: &str = "origin";
const ONE_SHOTS: &str = "one_shots";
const LIMITS: &str = "limits";
const COPIED: &str = "copied";
const FLEET: &str = "fleet";

/// How often a lock is tried that others have for a moment only, and that moment.
const LOCKING: u32 = 100;
const MOMENT: Duration = Duration::from_millis(5);

/// The directory of all sandboxes.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    root: PathBuf,
}

/// The directory of one.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    directory: PathBuf,
}

impl Places {
    /// Those below isobox's home. Makes nothing.
    pub(crate) fn below(home: &Path) -> Self {
        Self { root: std::path::absolute(home).unwrap_or_else(|_| home.to_owned()).join("docker") }
    }

    /// That of a sandbox.
    pub(crate) fn of(&self, id: &SandboxId) -> Place {
        Place { directory: self.root.join(id.as_str()) }
    }

    /// The name of this isobox at engines, which may have others; made when it is first needed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn fleet(&self) -> Result<String> {
        let path = self.root.join(FLEET);
        let read = || fs::read_to_string(&path).ok().filter(|text| text.len() > 8);
        if let Some(known) = read() {
            return Ok(known);
        }
        let made = || {
            self.make()?;
            let new = self.root.join(format!(".{}", SandboxId::generate()));
            fs::write(&new, SandboxId::generate().uuid().simple().to_string())?;
            // Whoever is first has it.
            let linked = fs::hard_link(&new, &path);
            fs::remove_file(&new)?;
            match linked {
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
                _ => Ok(()),
            }
        };
        made().map_err(|error| Error::io(format!("cannot write {}", path.display()), error))?;
        read().ok_or_else(|| Error::internal(format!("{} is not what was written there", path.display())))
    }

    /// Every sandbox that has one.
    pub(crate) fn all(&self) -> Vec<SandboxId> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
    }

    /// The agent as a file that containers can be shown.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn agent(&self) -> Result<PathBuf> {
        let path = self.root.join(format!("agent-{}", isobox_agent::BUILD_ID));
        let bytes = isobox_agent::bytes();
        if fs::metadata(&path).is_ok_and(|known| known.len() == bytes.len() as u64) {
            return Ok(path);
        }
        let written = || {
            self.make()?;
            let new = self.root.join(format!(".{}", SandboxId::generate()));
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o755).open(&new)?;
            file.write_all(bytes)?;
            file.set_permissions(Permissions::from_mode(0o755))?;
            fs::rename(&new, &path)
        };
        written().map_err(|error| Error::io("cannot write the agent for containers", error))?;
        Ok(path)
    }

    fn make(&self) -> std::io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.root)
    }
}

impl Place {
    /// Makes it. What there was before stays.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn make(&self) -> Result<()> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.directory);
        made.map_err(|error| Error::io(format!("cannot make {}", self.directory.display()), error))
    }

    /// What the container is shown, with the agent's settings in it and nothing of an agent before.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn share(&self, settings: &Settings) -> Result<PathBuf> {
        let run = self.directory.join(RUN);
        let made = || {
            // Of the last time, where the container's root could do anything.
            if run.symlink_metadata().is_ok() {
                let _ = seal::unseal(&run);
                fs::remove_dir_all(&run)?;
            }
            DirBuilder::new().mode(0o700).create(&run)?;
            let mut config = OpenOptions::new().write(true).create_new(true).mode(0o600).open(run.join(CONFIG))?;
            config.write_all(&isobox_wire::encode(settings))?;
            config.set_permissions(Permissions::from_mode(0o644))?;
            fs::set_permissions(&run, Permissions::from_mode(0o777))
        };
        made().map_err(|error| Error::io(format!("cannot prepare {}", run.display()), error))?;
        Ok(run)
    }

    /// Takes away what only the agent was to see, before anything else can run there.
    pub(crate) fn close(&self) {
        let run = self.directory.join(RUN);
        // The agent has taken it, or cannot, as when it is another user than this one.
        let _ = fs::remove_file(run.join(CONFIG));
        // From now on only who made something there can take it away.
        let _ = fs::set_permissions(&run, Permissions::from_mode(0o1777));
        // And where that can be had nobody makes anything, since it would be on this machine's disk, beyond every limit.
        if let Err(error) = seal::seal(&run) {
            tracing::debug!(%error, "root of a sandbox can write into the directory of its socket");
        }
    }

    /// Directories that the container's root has made where its socket is, when this user cannot remove what is in them.
    pub(crate) fn foreign(&self) -> Vec<String> {
        if rustix::process::geteuid().is_root() {
            return Vec::new();
        }
        let entries = fs::read_dir(self.directory.join(RUN)).into_iter().flatten().flatten();
        let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        directories.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    /// Connects to the agent's socket.
    pub(crate) async fn dial(&self) -> std::io::Result<UnixStream> {
        crate::transport::unix(&self.directory.join(RUN).join(SOCKET)).await
    }

    /// Keeps what the agent is to be told by whoever starts the sandbox again.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(&self, settings: &Settings) -> Result<()> {
        let new = self.directory.join("settings.new");
        let written = || {
            let mut options = OpenOptions::new();
            let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
            file.write_all(&[isobox_agent::BUILD_ID.as_bytes(), b"\n", &isobox_wire::encode(settings)].concat())?;
            fs::rename(&new, self.directory.join(SETTINGS))
        };
        written().map_err(|error| Error::io("cannot write down how the sandbox is started again", error))
    }

    /// Keeps what the sandbox was made from, without the values of secrets, for whoever copies it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep_origin(&self, spec: &SandboxSpec) -> Result<()> {
        let text = serde_json::to_vec(&spec.redacted()).map_err(|error| Error::internal(error.to_string()))?;
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(self.directory.join(ORIGIN));
        file.and_then(|mut file| file.write_all(&text))
            .map_err(|error| Error::io("cannot write down what the sandbox was made from", error))
    }

    /// What the sandbox was made from; none when that is not known here.
    pub(crate) fn origin(&self) -> Option<SandboxSpec> {
        serde_json::from_slice(&fs::read(self.directory.join(ORIGIN)).ok()?).ok()
    }

    /// Keeps limits that were changed at run time.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn keep_limits(&self, limits: &Resources) -> Result<()> {
        let text = serde_json::to_vec(limits).map_err(|error| Error::internal(error.to_string()))?;
        let new = self.directory.join("limits.new");
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(&new);
        let written = file.and_then(|mut file| file.write_all(&text));
        written
            .and_then(|()| fs::rename(&new, self.directory.join(LIMITS)))
            .map_err(|error| Error::io("cannot write down the limits of the sandbox", error))
    }

    /// Limits that were changed at run time; none where the engine keeps them.
    pub(crate) fn limits(&self) -> Option<Resources> {
        serde_json::from_slice(&fs::read(self.directory.join(LIMITS)).ok()?).ok()
    }

    /// Whether one-shots have run beside the sandbox.
    pub(crate) fn has_one_shots(&self) -> bool {
        self.directory.join(ONE_SHOTS).exists()
    }

    /// Writes down that they do.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn note_one_shots(&self) -> Result<()> {
        fs::write(self.directory.join(ONE_SHOTS), "")
            .map_err(|error| Error::io("cannot write down that a one-shot runs", error))
    }

    /// Says for as long as this is kept that the sandbox's files are being copied, for which it stands still. Nothing when that cannot
    /// be said.
    pub(crate) async fn copying(&self) -> Option<fs::File> {
        let mut options = OpenOptions::new();
        let open = options.write(true).create(true).truncate(false).mode(0o600).open(self.directory.join(COPIED));
        let file = open.ok()?;
        for _ in 0..LOCKING {
            match file.try_lock() {
                Ok(()) => return Some(file),
                // Somebody looks.
                Err(fs::TryLockError::WouldBlock) => tokio::time::sleep(MOMENT).await,
                Err(fs::TryLockError::Error(_)) => return None,
            }
        }
        None
    }

    /// Whether its files are being copied, by whatever process.
    pub(crate) fn is_copied(&self) -> bool {
        let file = fs::File::open(self.directory.join(COPIED));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }

    /// Where the files of a one-shot's image are while it is built.
    pub(crate) fn stage(&self, one_shot: &SandboxId) -> PathBuf {
        self.directory.join(format!("build-{one_shot}"))
    }

    /// Where the log of its making is.
    pub(crate) fn build_log(&self) -> PathBuf {
        self.directory.join("build.log")
    }

    /// What was kept.
    ///
    /// # Errors
    /// `conflict` when another build of the library has kept it; `io` when it is not there.
    pub(crate) fn kept(&self) -> Result<Settings> {
        let read = fs::read(self.directory.join(SETTINGS));
        let bytes = read.map_err(|error| Error::io("cannot read how the sandbox is started again", error))?;
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let settings = isobox_wire::decode(bytes.get(end + 1..).unwrap_or_default()).ok();
        match settings.filter(|_| &bytes[..end] == isobox_agent::BUILD_ID.as_bytes()) {
            Some(settings) => Ok(settings),
            None => {
                let message = "the sandbox was made by another build of isobox, start it with that one or delete it";
                Err(Error::new(ErrorCode::Conflict, message))
            }
        }
    }

    /// Removes it. What is not there is fine.
    ///
    /// # Errors
    /// `incomplete` when something is left.
    pub(crate) fn remove(&self) -> Result<()> {
        let _ = seal::unseal(&self.directory.join(RUN));
        isobox_local::remove_directory(&self.directory, "the sandbox's directory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_wire::settings;

    #[test]
    fn what_is_kept_is_read_and_what_is_shared_is_closed() {
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(home.path());
        let id = SandboxId::generate();
        let place = places.of(&id);
        place.make().unwrap();
        let settings =
            isobox_local::settings(&SandboxSpec::default().env("A", "b"), settings::Place::Container).unwrap();
        place.keep(&settings).unwrap();
        assert!(place.kept().unwrap() == settings);
        let limits = Resources { memory: Some(1 << 30), ..Resources::default() };
        assert_eq!(place.limits(), None);
        place.keep_limits(&limits).unwrap();
        assert_eq!(place.limits(), Some(limits));
        let run = place.share(&settings).unwrap();
        assert!(run.join(CONFIG).exists());
        place.close();
        assert!(!run.join(CONFIG).exists());
        assert_eq!(run.metadata().unwrap().permissions().mode() & 0o7777, 0o1777);
        assert_eq!(places.all(), [id]);
        assert_eq!(places.agent().unwrap(), places.agent().unwrap());
        place.remove().unwrap();
        assert_eq!(places.all(), []);
    }
}
