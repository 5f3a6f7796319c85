//! Runs the conformance suite on every provider and every engine that there is here, and writes the reference page from that.
//!
//! Each run is a column: the ignored test `look` makes its report, and `write` makes the page of all reports.

use crate::Outcome;
use crate::docker::{ADDRESS, Engine, Version};
use crate::ordinary::{self, Ordinary};
use crate::steps::{Steps, output};
use crate::workspace::{self, cargo, is_root};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The variables of `providers/conformance/tests/page.rs`.
const REPORTS: &str = "ISOBOX_CONFORMANCE_REPORTS";
const COLUMN: &str = "ISOBOX_CONFORMANCE_COLUMN";

/// Who makes a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Me,
    /// As root: the ordinary user of the tests.
    User,
}

struct Runs {
    steps: Steps,
    program: PathBuf,
    reports: PathBuf,
    user: Option<Ordinary>,
    made: usize,
}

pub(crate) fn run() -> Outcome {
    let mut runs = Runs::prepare()?;
    runs.look(Who::Me, "namespace", "namespace", None);
    runs.look(Who::User, "namespace", "namespace, as a user", None);
    runs.look(Who::Me, "host", "host", None);
    runs.look(Who::User, "host", "host, as a user", None);
    if is_root() {
        runs.engines();
    } else {
        eprintln!("xtask: only root can start a Docker engine, so docker is not run");
    }
    let mut command = runs.test("write");
    runs.steps.run("the page", &mut command);
    runs.steps.finish("conformance")
}

impl Runs {
    fn prepare() -> Result<Self, String> {
        let target = if is_root() { ordinary::target_directory()? } else { None };
        let mut build = cargo(["test", "--package", "isobox-conformance", "--test", "page", "--no-run"]);
        build
            .args(["--message-format", "json-render-diagnostics"])
            .envs(target.map(|target| ("CARGO_TARGET_DIR", target)));
        let program = executable(&output(&mut build)?)?;
        let user = if is_root() { Some(Ordinary::at_home()?) } else { None };
        let reports = match &user {
            Some(user) => user.fresh("reports")?,
            None => fresh(workspace::target_directory()?.join("conformance"))?,
        };
        Ok(Self { steps: Steps::default(), program, reports, user, made: 0 })
    }

    /// Every engine that can be started here, one after another.
    fn engines(&mut self) {
        if let Some(engine) = self.steps.try_to("Docker 20.10", Engine::start(Version::Installed, false)) {
            let name = engine.name();
            self.look(Who::Me, "docker", &name, Some(&engine));
            self.look(Who::User, "docker", &format!("{name}, as a user"), Some(&engine));
            self.look(Who::Me, "docker-tcp", &format!("{name}, over TCP"), Some(&engine));
        }
        if let Some(engine) = self.steps.try_to("Docker 26", Engine::start(Version::Newer, true)) {
            let name = engine.name();
            self.look(Who::Me, "docker", &name, Some(&engine));
            self.look(Who::Me, "docker-gvisor", &format!("{name}, gVisor"), Some(&engine));
            let keeping = format!("{name}, gVisor with --overlay2=none");
            self.look(Who::Me, "docker-gvisor-keeping", &keeping, Some(&engine));
        }
        if let Some(engine) = self.steps.try_to("Podman", Engine::start(Version::Podman, false)) {
            let name = engine.name();
            self.look(Who::Me, "docker", &name, Some(&engine));
        }
    }

    /// One run. Nothing is run as a user where this is one already.
    fn look(&mut self, who: Who, which: &str, title: &str, engine: Option<&Engine>) {
        let mut command = match (who, &self.user) {
            (Who::Me, _) => self.test("look"),
            (Who::User, Some(user)) => user.command(&self.program, &["--ignored", "--exact", "--nocapture", "look"]),
            (Who::User, None) => return,
        };
        self.made += 1;
        command.env(REPORTS, &self.reports).env(COLUMN, format!("{:02} {which} {title}", self.made));
        command.envs(engine.map(|engine| (ADDRESS, engine.address())));
        self.steps.run(title, &mut command);
    }

    fn test(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["--ignored", "--exact", "--nocapture", name]).env(REPORTS, &self.reports);
        command
    }
}

/// The directory, with nothing in it.
fn fresh(directory: PathBuf) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("cannot make {}: {error}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(failed)?;
    }
    fs::create_dir_all(&directory).map_err(failed)?;
    Ok(directory)
}

/// The test's program, as cargo names it.
fn executable(messages: &[u8]) -> Result<PathBuf, String> {
    let messages = String::from_utf8_lossy(messages);
    let named = messages.rsplit("\"executable\":\"").next().and_then(|rest| rest.split('"').next()).map(PathBuf::from);
    named.filter(|program| program.is_file()).ok_or_else(|| "cargo built no test".to_owned())
}
