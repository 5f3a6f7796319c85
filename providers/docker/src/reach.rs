//! The ways to the agent in a container.
//!
//! ```text
//! shared   the agent's socket in a directory of this machine        a command costs what it costs on this machine
//! copied   `agent connect` as a command that the engine runs        wherever the engine is
//! ```
//!
//! Who connects shows a token. The sandbox's root can put a program of its own into the place of the agent's file and would learn
//! it, so once something can run there, it is the first process's own program that is run, whatever has become of the file. For
//! that the command needs all capabilities. An engine that has not got them itself cannot give them: then the file is written
//! anew just before it is run.

use crate::client::Caller;
use crate::create::archive;
use crate::place::Place;
use crate::status;
use crate::stream::{ExecStream, Input, Output};
use bollard::exec::{CreateExecOptions, StartExecOptions, StartExecResults};
use bollard::query_parameters::{LogsOptionsBuilder, UploadToContainerOptionsBuilder, WaitContainerOptionsBuilder};
use futures::StreamExt;
use isobox_contract::{Error, ErrorCode, Resource, Result};
use isobox_guest::{Greeting, Guest, Obituary};
use isobox_local::Lease;
use isobox_wire::container::AGENT;
use isobox_wire::settings::ended;
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::time::Instant;

/// How long the agent may take to come up.
const READY: Duration = Duration::from_secs(60);
/// After which time without a socket the engine's machine is taken for another one.
const ELSEWHERE: Duration = Duration::from_secs(8);
/// How often it is looked whether the container is still there, while it comes up.
const LOOK: Duration = Duration::from_millis(250);
/// Between two tries, the first time and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));
/// Between two questions whether a container has ended, when the first was not answered.
const AGAIN: Duration = Duration::from_secs(1);
/// The agent's own program, whatever the container's root has put in its file's place.
const OWN: &str = "/proc/1/exe";
/// Bytes of an answer of the engine at most.
const CHUNK: usize = 64 << 10;

/// A container, and how to talk to the agent in it.
pub(crate) struct Reach<'a> {
    pub(crate) caller: &'a Caller,
    /// Its id or its name.
    pub(crate) container: &'a str,
    pub(crate) place: &'a Place,
}

/// A connection, and the agent's process as this machine numbers it, where it has one.
pub(crate) struct Reached {
    pub(crate) guest: Guest,
    pub(crate) agent: Option<u32>,
}

/// A command that the engine runs.
struct Started {
    id: String,
    output: Output,
    input: Input,
}

impl Reach<'_> {
    /// Connects to an agent that is just starting, before which nothing else runs in its container.
    ///
    /// # Errors
    /// Why the container has ended; `timeout` when nobody answers.
    pub(crate) async fn first(&self, shared: bool, greeting: Greeting, obituary: Obituary) -> Result<Reached> {
        let arrived = tokio::time::timeout(READY, async {
            match if shared { self.arrive().await? } else { None } {
                Some(stream) => {
                    self.place.close();
                    let agent = peer(&stream);
                    Guest::connect(Lease::new(stream), greeting, obituary).await.map(|guest| Reached { guest, agent })
                }
                None => self.through_engine(AGENT, false, greeting, obituary).await,
            }
        });
        arrived.await.unwrap_or_else(|_| Err(Error::timeout("create", READY)))
    }

    /// Waits for the socket; nothing when there is none to be had.
    async fn arrive(&self) -> Result<Option<UnixStream>> {
        let (begun, mut looked, mut pause) = (Instant::now(), Instant::now(), PAUSE.0);
        loop {
            match self.place.dial().await {
                Ok(stream) => return Ok(Some(stream)),
                Err(_) if begun.elapsed() >= ELSEWHERE => return Ok(None),
                Err(_) => {}
            }
            if looked.elapsed() >= LOOK {
                self.is_up().await?;
                looked = Instant::now();
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE.1);
        }
    }

    /// Connects to an agent that runs for a while. Its socket is believed when `agent` is the process behind it, or when the
    /// engine says that it is.
    ///
    /// # Errors
    /// `unauthenticated` when the token is not the agent's; whatever the engine says.
    pub(crate) async fn again(&self, agent: Option<u32>, greeting: Greeting, obituary: Obituary) -> Result<Reached> {
        if let Ok(stream) = self.place.dial().await
            && let Some(found) = peer(&stream)
            && (agent == Some(found) || self.is_first_process(found).await)
        {
            let guest = Guest::connect(Lease::new(stream), greeting, obituary).await?;
            return Ok(Reached { guest, agent: Some(found) });
        }
        let (program, privileged) = if self.can_see().await { (OWN, true) } else { (AGENT, false) };
        if !privileged {
            let options = UploadToContainerOptionsBuilder::default().path("/").build();
            let body = bollard::body_full(archive(None)?);
            let written = self.caller.api().upload_to_container(self.container, Some(options), body).await;
            match written.map_err(self.caller.failed_on("write the agent", Resource::Sandbox, self.container)) {
                // It is a file of this machine that the container can only read.
                Err(error) if error.message().contains("read-only") => {}
                written => written?,
            }
        }
        match self.through_engine(program, privileged, greeting.clone(), obituary.clone()).await {
            // A busy engine loses a command now and then, and nothing was asked of the agent yet.
            Err(error) if error.code() == ErrorCode::Transport => {
                self.through_engine(program, privileged, greeting, obituary).await
            }
            reached => reached,
        }
    }

    /// Whether the engine can run something with all capabilities, which is found out once.
    async fn can_see(&self) -> bool {
        let tried = self.caller.privileged().get_or_try_init(|| async {
            let Started { id, mut output, .. } = self.start(&[OWN], true).await?;
            while output.next().await.is_some() {}
            let ended = self.caller.api().inspect_exec(&id).await.map_err(self.failed())?;
            // Without a role the agent says so; the engine has other codes.
            Ok::<_, Error>(ended.exit_code == Some(ended::FAILED.into()))
        });
        tried.await.copied().unwrap_or(false)
    }

    async fn is_first_process(&self, pid: u32) -> bool {
        let inspected = self.caller.inspect(self.container).await;
        let first = inspected.ok().and_then(|container| container.state).and_then(|state| state.pid);
        first == Some(pid.into())
    }

    async fn through_engine(
        &self,
        program: &str,
        privileged: bool,
        greeting: Greeting,
        obituary: Obituary,
    ) -> Result<Reached> {
        let Started { output, input, .. } = self.start(&[program, "connect"], privileged).await?;
        let end = Box::pin(until_ended(self.caller.clone(), self.container.to_owned()));
        let guest = Guest::connect(ExecStream::new(output, input, end), greeting, obituary).await?;
        Ok(Reached { guest, agent: None })
    }

    /// Runs a command through the engine.
    async fn start(&self, command: &[&str], privileged: bool) -> Result<Started> {
        let config = CreateExecOptions {
            attach_stdin: Some(true),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            cmd: Some(command.to_vec()),
            user: Some("0:0"),
            privileged: Some(privileged),
            working_dir: Some("/"),
            ..CreateExecOptions::default()
        };
        let id = self.caller.api().create_exec(self.container, config).await.map_err(self.failed())?.id;
        let options = StartExecOptions { output_capacity: Some(CHUNK), ..StartExecOptions::default() };
        match self.caller.api().start_exec(&id, Some(options)).await.map_err(self.failed())? {
            StartExecResults::Attached { output, input } => Ok(Started { id, output, input }),
            StartExecResults::Detached => Err(Error::internal("docker has detached what it was to attach")),
        }
    }

    fn failed(&self) -> impl FnOnce(bollard::errors::Error) -> Error {
        self.caller.failed_on("reach the agent", Resource::Sandbox, self.container)
    }

    /// Fails with the reason when the container does not run.
    async fn is_up(&self) -> Result<()> {
        let inspected = self.caller.inspect(self.container).await;
        let failed = self.caller.failed_on("look at the container", Resource::Sandbox, self.container);
        let state = inspected.map_err(failed)?.state.unwrap_or_default();
        if state.running == Some(true) {
            return Ok(());
        }
        let said = self.last_words().await.or(state.error.filter(|error| !error.is_empty()));
        let code = state.exit_code.unwrap_or_default();
        let message = match said {
            Some(said) => format!("the agent ended with {code} before the sandbox was ready: {said}"),
            None => format!("the agent ended with {code} before the sandbox was ready"),
        };
        Err(Error::new(ErrorCode::EngineUnavailable, message))
    }

    /// The last line that the agent has said, without control characters.
    pub(crate) async fn last_words(&self) -> Option<String> {
        let options = LogsOptionsBuilder::default().stderr(true).stdout(true).tail("20").build();
        let mut log = Box::pin(self.caller.api().logs(self.container, Some(options)));
        let mut last = None;
        while let Ok(Some(Ok(line))) = tokio::time::timeout(LOOK * 8, log.next()).await {
            let text: String =
                String::from_utf8_lossy(&line.into_bytes()).chars().filter(|c| !c.is_control()).take(900).collect();
            last = Some(text).filter(|text| !text.trim().is_empty()).or(last);
        }
        last
    }
}

/// Waits until a container does not run any more, over a request that the engine answers then. An engine that cannot be asked is
/// asked again: with it everything else of the connection breaks.
async fn until_ended(caller: Caller, container: String) {
    loop {
        let options = WaitContainerOptionsBuilder::default().condition("not-running").build();
        let mut waiting = Box::pin(caller.api().wait_container(&container, Some(options)));
        let _ = waiting.next().await;
        match caller.inspect(&container).await {
            Ok(found) if !found.state.as_ref().is_some_and(status::runs) => return,
            Err(bollard::errors::Error::DockerResponseServerError { status_code: 404, .. }) => return,
            _ => tokio::time::sleep(AGAIN).await,
        }
    }
}

/// Who has bound the socket; nothing for one that cannot be seen from here.
fn peer(stream: &UnixStream) -> Option<u32> {
    let pid = stream.peer_cred().ok()?.pid()?;
    (pid > 0).then(|| pid.unsigned_abs())
}
