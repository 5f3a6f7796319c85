//! A part of a check in a process of its own, which can be killed.
//!
//! The suite starts the program of the target again, with the home and what to do in two variables. That process
//! says what it has on its stdout, a line each, and lives until its stdin ends or somebody kills it.

use crate::check::{Checked, Stop};
use crate::lab::PATIENCE;
use crate::target::Target;
use isobox::{Error, Isobox, Result, Sandbox};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

const HOME: &str = "ISOBOX_CONFORMANCE_HOME";
const ROLE: &str = "ISOBOX_CONFORMANCE_ROLE";
/// Before everything that is said: a test harness may write to the same stdout.
const PREFIX: &str = "conformance: ";

/// What the other process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Owns a sandbox.
    Own,
    /// Makes one that is detached, for an hour.
    Detach,
    /// Owns one that runs detached commands, one of them in a session of its own.
    Busy,
}

impl Role {
    const ALL: [Role; 3] = [Role::Own, Role::Detach, Role::Busy];

    fn word(self) -> &'static str {
        match self {
            Role::Own => "own",
            Role::Detach => "detach",
            Role::Busy => "busy",
        }
    }
}

/// The other process. Killed when dropped.
pub(crate) struct Elsewhere {
    child: Child,
    output: Option<BufReader<ChildStdout>>,
}

impl Elsewhere {
    pub(crate) async fn start(mut command: Command, home: &Path, role: Role) -> Checked<Self> {
        command.env(HOME, home).env(ROLE, role.word());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = child.stdout.take().map(BufReader::new);
        Ok(Self { child, output })
    }

    /// What it says next.
    pub(crate) async fn hear(&mut self) -> Checked<String> {
        let mut output = self.output.take().ok_or_else(|| Stop::Failed("the other process is mute".to_owned()))?;
        let heard = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            while output.read_line(&mut line).unwrap_or(0) > 0 {
                if let Some((_, said)) = line.split_once(PREFIX) {
                    return Some((said.trim_end().to_owned(), output));
                }
                line.clear();
            }
            None
        });
        match tokio::time::timeout(PATIENCE, heard).await {
            Ok(Ok(Some((said, output)))) => {
                self.output = Some(output);
                match said.strip_prefix("error ") {
                    Some(error) => Err(Stop::Failed(format!("in another process: {error}"))),
                    None => Ok(said),
                }
            }
            _ => Err(Stop::Failed("the other process ended without a word".to_owned())),
        }
    }

    /// Kills it with SIGKILL and waits until it is gone.
    pub(crate) fn kill(mut self) -> Checked {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether this process was started by a suite to do a part of a check: it has to call [`serve`] then, and end.
pub fn is_elsewhere() -> bool {
    std::env::var_os(ROLE).is_some()
}

/// Does the part of a check that this process was started for. The target must be that of the suite.
pub async fn serve(target: &Target) {
    if let Err(error) = act(target).await {
        say(&format!("error {error}"));
    }
}

async fn act(target: &Target) -> Result<()> {
    let word = std::env::var(ROLE).unwrap_or_default();
    let role = Role::ALL.into_iter().find(|role| role.word() == word);
    let role = role.ok_or_else(|| Error::invalid_spec(ROLE, "is not known, let the suite start this process"))?;
    let home = std::env::var_os(HOME).map(PathBuf::from);
    let home = home.ok_or_else(|| Error::invalid_spec(HOME, "is not set, let the suite start this process"))?;
    let isobox = target.open(&home).await?;
    let sandbox = make(target, &isobox, role).await?;
    say(sandbox.id().as_str());
    wait_for_the_end().await;
    if role == Role::Detach {
        return Ok(());
    }
    sandbox.delete().await
}

async fn make(target: &Target, isobox: &Isobox, role: Role) -> Result<Sandbox> {
    const HOUR: Duration = Duration::from_secs(3600);
    let builder = target.builder(isobox);
    match role {
        Role::Own => builder.create().await,
        Role::Detach => builder.detached().ttl(HOUR).create().await,
        Role::Busy => {
            let sandbox = builder.create().await?;
            let mark = (2_000_000_000 + u64::from(std::process::id())).to_string();
            let hides = format!("(setsid sleep {mark} &) 2>/dev/null; (sleep {mark} &); exec sleep {mark}");
            sandbox.shell(hides).detached().spawn().await?;
            say(&mark);
            Ok(sandbox)
        }
    }
}

/// The suite holds the other end for as long as it needs this process.
async fn wait_for_the_end() {
    let ended = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        while std::io::stdin().read_line(&mut line).unwrap_or(0) > 0 {
            line.clear();
        }
    });
    let _ = ended.await;
}

fn say(words: &str) {
    // A harness may have written the beginning of a line.
    let _ = writeln!(std::io::stdout(), "\n{PREFIX}{words}");
    let _ = std::io::stdout().flush();
}
