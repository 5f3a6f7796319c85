//! Starting the agent's process and getting to know it.

use crate::cgroups::Cgroups;
use crate::disk::{Disk, MadeDisk};
use crate::forked::Lease;
use crate::keeper::{Keeper, Leave};
use crate::stopped::Turn;
use isobox_contract::error::{Detail, LaunchStep};
use isobox_contract::{Error, ErrorCode, Result, SandboxId, SandboxImage};
use isobox_guest::{Greeting, Guest};
use isobox_wire::launch::{LaunchFailure, LaunchReport, LaunchStep as Step, MAX_LAUNCH_REPORT};
use isobox_wire::remedy;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::IoSlice;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::pipe::{PipeFlags, pipe_with};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// How long a sandbox may take to come up.
const READY: Duration = Duration::from_secs(60);

/// A process to start.
pub struct Launch {
    /// Whose sandbox it is for.
    pub id: SandboxId,
    /// The directory of the sandbox, which is also in the config.
    pub state_dir: PathBuf,
    /// The agent's role: `launch` or `host`.
    pub role: &'static str,
    /// Its config, with its length in front.
    pub config: Vec<u8>,
    /// The secret for its clients, which is also in the config.
    pub token: Vec<u8>,
    /// Its cgroups, which are also in the config.
    pub cgroups: Option<Cgroups>,
    /// Its disk, which is also in the config.
    pub disk: Option<MadeDisk>,
    /// The image that it is made from.
    pub image: Option<SandboxImage>,
}

/// What was started.
pub(crate) struct Launched {
    pub(crate) guest: Guest,
    pub(crate) keeper: Arc<Keeper>,
    pub(crate) disk: Option<Disk>,
}

/// Ends a process that nobody took over.
struct Unclaimed<'a> {
    keeper: Option<Arc<Keeper>>,
    again: Option<&'a Turn>,
}

impl Drop for Unclaimed<'_> {
    fn drop(&mut self) {
        match (&self.keeper, self.again) {
            (Some(keeper), Some(turn)) => keeper.terminate_in(turn, Leave::Files),
            (Some(keeper), None) => keeper.terminate(Leave::Nothing),
            (None, _) => {}
        }
    }
}

/// Starts the agent and connects to it as its owner.
///
/// Whoever starts a stopped sandbox again has its turn. Dropping the future at any point ends the process, which removes what it
/// made, or keeps what was there before.
///
/// # Errors
/// What the launcher could not do, with the step and the way out; `timeout` when it says nothing for a minute.
pub(crate) async fn launch(launch: Launch, again: Option<&Turn>) -> Result<Launched> {
    let (log, theirs) = log()?;
    // Made with the first sandbox, and a failure of its own: not every machine lets memory be executed.
    let memory = isobox_agent::executable();
    isobox_fault::point!("launch.ready");
    memory.map_err(|error| not_executable("cannot make a memory file for the agent (memfd_create)", error))?;
    let spawned = isobox_agent::spawn(launch.role, theirs);
    let (child, stream) = spawned.map_err(|error| not_executable("cannot start the agent", error))?;
    isobox_fault::point!("launch.spawned");
    let keeper = Keeper::watch(launch.id, &launch.state_dir, child.id(), Some(log))?;
    let mut unclaimed = Unclaimed { keeper: Some(keeper.clone()), again };
    let leave = if again.is_some() { Leave::Files } else { Leave::Nothing };
    let ready = tokio::time::timeout(READY, introduce(stream, &launch, &keeper));
    let guest = ready.await.map_err(|_| Error::timeout("create", READY))?;
    match guest {
        Ok(guest) => {
            let handed = launch.disk.map(|disk| disk.hand_over(&launch.state_dir)).transpose();
            let disk = match handed {
                Ok(disk) => disk,
                Err(error) => {
                    keeper.end(again, leave).await?;
                    return Err(error);
                }
            };
            unclaimed.keeper = None;
            isobox_fault::point!("launch.handed_over");
            Ok(Launched { guest, keeper, disk })
        }
        Err(error) => {
            // The launcher has said why and is cleaning up; the call returns when that is done.
            keeper.end(again, leave).await?;
            Err(error)
        }
    }
}

async fn introduce(stream: std::os::unix::net::UnixStream, launch: &Launch, keeper: &Arc<Keeper>) -> Result<Guest> {
    let connection = |error| failed(LaunchStep::Agent, "the agent's stream broke", error);
    // The first byte of an empty stream is always taken at once.
    let config = match launch.disk.as_ref().and_then(|disk| disk.mount.as_ref()) {
        Some(mount) => {
            send_with(&stream, &launch.config[..1], mount).map_err(|errno| connection(errno.into()))?;
            &launch.config[1..]
        }
        None => &launch.config[..],
    };
    stream.set_nonblocking(true).map_err(connection)?;
    let mut stream = UnixStream::from_std(stream).map_err(connection)?;
    let report = async {
        stream.write_all(config).await?;
        isobox_fault::point!("launch.told");
        receive(&mut stream).await
    };
    let report = match report.await {
        Ok(report) => report,
        Err(error) => {
            keeper.wait().await;
            return Err(failed(LaunchStep::Agent, "the agent ended before the sandbox was ready", error));
        }
    };
    match report {
        LaunchReport::Ready { .. } => {
            isobox_fault::point!("launch.up");
            if let Some(cgroups) = &launch.cgroups {
                cgroups.settle()?;
            }
            let greeting = Greeting { token: launch.token.clone(), build: isobox_agent::BUILD_ID.into(), owner: true };
            Guest::connect(Lease::new(stream), greeting, keeper.obituary()).await
        }
        LaunchReport::Failed(failure) => Err(explain(failure)),
    }
}

/// Sends bytes and, with the first of them, a descriptor.
fn send_with(stream: impl AsFd, bytes: &[u8], descriptor: &OwnedFd) -> rustix::io::Result<()> {
    let descriptors = [descriptor.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&descriptors));
    sendmsg(stream, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL).map(drop)
}

async fn receive(stream: &mut UnixStream) -> std::io::Result<LaunchReport> {
    let length = stream.read_u32().await? as usize;
    if length > MAX_LAUNCH_REPORT {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    LaunchReport::from_body(&body).map_err(|_| std::io::ErrorKind::InvalidData.into())
}

/// The agent's log: a pipe that holds what one holds, so that it costs nothing and never blocks its writer.
fn log() -> Result<(OwnedFd, OwnedFd)> {
    let made = pipe_with(PipeFlags::CLOEXEC).and_then(|(ours, theirs)| {
        fcntl_setfl(&ours, OFlags::NONBLOCK)?;
        fcntl_setfl(&theirs, OFlags::NONBLOCK)?;
        Ok((ours, theirs))
    });
    made.map_err(|errno| failed(LaunchStep::Agent, "cannot make a log for the agent", errno.into()))
}

/// A failure of the agent's memory file, which some machines do not allow or do not have.
fn not_executable(message: &str, error: std::io::Error) -> Error {
    use rustix::io::Errno;
    let remedy = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::ACCESS) => &remedy::MEMFD_NOEXEC,
        Some(Errno::NOSYS | Errno::PERM) => &remedy::FILTER,
        _ => return failed(LaunchStep::Agent, message, error),
    };
    let detail = Detail::Launch { step: LaunchStep::Agent, errno: error.raw_os_error(), hint: Some(remedy.hint()) };
    let message = format!("{message}: {error}; {}", remedy.hint());
    Error::new(ErrorCode::EngineUnavailable, message).with_detail(detail).with_source(error)
}

fn failed(step: LaunchStep, message: &str, error: std::io::Error) -> Error {
    let detail = Detail::Launch { step, errno: error.raw_os_error(), hint: None };
    let code = match error.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
        Some(rustix::io::Errno::MFILE | rustix::io::Errno::NFILE | rustix::io::Errno::AGAIN) => {
            ErrorCode::LimitExceeded
        }
        Some(rustix::io::Errno::NOMEM) => ErrorCode::OutOfMemory,
        _ => ErrorCode::Internal,
    };
    Error::new(code, format!("{message}: {error}")).with_detail(detail).with_source(error)
}

/// The launcher's words as an error. What is wrong with the spec is the caller's; the rest is this machine's.
fn explain(failure: LaunchFailure) -> Error {
    let (step, field) = match failure.step {
        Step::Config => (LaunchStep::Preflight, Some("spec")),
        Step::StateDirectory | Step::Listener => (LaunchStep::Filesystem, None),
        Step::Namespaces | Step::Cgroup | Step::Hostname => (LaunchStep::Namespaces, None),
        Step::IdMap => (LaunchStep::UserMapping, None),
        Step::RootFilesystem => (LaunchStep::Filesystem, Some("source.rootfs")),
        Step::BindMount => (LaunchStep::Mounts, Some("mounts")),
        Step::Proc | Step::Devices | Step::Sys | Step::PivotRoot => (LaunchStep::Mounts, None),
        Step::Network => (LaunchStep::Network, None),
        Step::Privileges => (LaunchStep::Security, None),
        _ => (LaunchStep::Agent, None),
    };
    let message = match &failure.hint {
        Some(hint) => format!("{}; {hint}", failure.message),
        None => failure.message.clone(),
    };
    let errno = (failure.errno != 0).then_some(failure.errno);
    match (field, errno.map(rustix::io::Errno::from_raw_os_error)) {
        (_, Some(rustix::io::Errno::NOSPC)) if step == LaunchStep::Filesystem => {
            Error::new(ErrorCode::OutOfDisk, message)
        }
        (Some(field), _) => {
            let detail = Detail::InvalidSpec { field: field.into(), reason: message.clone() };
            return Error::new(ErrorCode::InvalidSpec, message).with_detail(detail);
        }
        (None, Some(rustix::io::Errno::NOSPC | rustix::io::Errno::USERS)) => {
            Error::new(ErrorCode::LimitExceeded, message)
        }
        (None, _) => Error::new(ErrorCode::EngineUnavailable, message),
    }
    .with_detail(Detail::Launch { step, errno, hint: failure.hint })
}
