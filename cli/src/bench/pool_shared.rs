//! Taking a sandbox from a pool that another process keeps, and making one, in turns.

use super::Options;
use super::contender::Contender;
use super::create::first_output;
use super::deadline::{PATIENCE, ended, readable, within};
use super::rig::Rig;
use super::row::{Goal, Outcome, Row};
use std::io::{BufRead, BufReader};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::time::sleep;

const TAKE: &str = "pool take, other process";
const OUTPUT: &str = "… to first output";
const CREATE: &str = "create in turns with it";
const CREATED: &str = "… to first output, created";
const OURS: [Contender; 2] = [Contender::Namespace, Contender::Host];
/// How many are ready before one is taken.
const SIZE: u64 = 4;

/// What the rounds of one contender took.
#[derive(Default)]
struct Times {
    taken: Vec<Duration>,
    output: Vec<Duration>,
    created: Vec<Duration>,
    created_output: Vec<Duration>,
}

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    for contender in rig.present(&OURS) {
        let Some(command) = &options.command else {
            let reason = "it needs the isobox command, use isobox bench".to_owned();
            rows.push(Row::new("pool", TAKE, contender, Outcome::NotHere { reason }));
            continue;
        };
        let times = rounds(rig, contender, command, options.rounds).await;
        let mut row = |name, goal, pick: fn(&Times) -> &Vec<Duration>| {
            let times = times.as_ref().map(|times| pick(times).clone()).map_err(String::clone);
            rows.push(Row::times("pool", name, contender, times, |figures| figures).goal(goal));
        };
        row(TAKE, Some(Goal::Within(0.002, "p50 ≤ 2 ms")), |times| &times.taken);
        row(OUTPUT, Some(Goal::Within(0.005, "p50 ≤ 5 ms")), |times| &times.output);
        row(CREATE, None, |times| &times.created);
        row(CREATED, None, |times| &times.created_output);
    }
    rows
}

/// Takes one from a pool that is full, and makes one, round by round.
async fn rounds(rig: &Rig, contender: Contender, command: &Path, count: u32) -> Result<Times, String> {
    let name = format!("bench-{}", contender.provider().ok_or("it is not one of ours")?);
    let _keeper = Keeper::start(rig, contender, command, &name)?;
    let mut times = Times::default();
    for _ in 0..count {
        within(PATIENCE, full(rig, &name)).await?;
        within(PATIENCE, taken(rig, &name, &mut times)).await?;
        within(PATIENCE, full(rig, &name)).await?;
        within(PATIENCE, created(rig, contender, &mut times)).await?;
    }
    Ok(times)
}

async fn taken(rig: &Rig, name: &str, times: &mut Times) -> Result<(), String> {
    let words = |error: isobox::Error| error.to_string();
    let begun = Instant::now();
    let sandbox = rig.isobox().take_from(name).await.map_err(words)?;
    times.taken.push(begun.elapsed());
    first_output(&sandbox).await?;
    times.output.push(begun.elapsed());
    sandbox.delete().await.map_err(words)
}

async fn created(rig: &Rig, contender: Contender, times: &mut Times) -> Result<(), String> {
    let begun = Instant::now();
    let sandbox = rig.sandbox(contender).await?;
    times.created.push(begun.elapsed());
    first_output(&sandbox).await?;
    times.created_output.push(begun.elapsed());
    sandbox.delete().await.map_err(|error| error.to_string())
}

/// Waits until the other process has nothing to do.
async fn full(rig: &Rig, name: &str) -> Result<(), String> {
    loop {
        let pools = rig.isobox().pools().await.map_err(|error| error.to_string())?;
        if pools.iter().any(|pool| pool.name == name && pool.ready == SIZE) {
            return Ok(());
        }
        sleep(Duration::from_millis(2)).await;
    }
}

/// The process that keeps the pool. It ends with this.
struct Keeper(Child);

impl Keeper {
    fn start(rig: &Rig, contender: Contender, command: &Path, name: &str) -> Result<Self, String> {
        let provider = contender.provider().ok_or("it is not one of ours")?;
        let size = SIZE.to_string();
        let mut serve = Command::new(command);
        serve.args(["pool", "serve", name, "-n", &size, "--provider", provider]);
        serve.env(isobox::ISOBOX_HOME, rig.isobox().home()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut keeper = Self(serve.spawn().map_err(|error| format!("isobox cannot be run: {error}"))?);
        let mut said = String::new();
        let output = keeper.0.stdout.as_mut().ok_or("its output is not there")?;
        if readable(output.as_fd(), PATIENCE).map_err(|error| error.to_string())? {
            BufReader::new(output).read_line(&mut said).map_err(|error| error.to_string())?;
        }
        if said.trim_end() == name { Ok(keeper) } else { Err("isobox pool serve does not serve".to_owned()) }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Ok(pid) = self.0.id().try_into()
            && let Some(pid) = rustix::process::Pid::from_raw(pid)
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let _ = ended(&mut self.0, PATIENCE);
    }
}
