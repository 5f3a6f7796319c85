//! One large output: as a stream, into a capture, and through a bare pipe.

use super::Options;
use super::contender::Contender;
use super::deadline::{LONG, within};
use super::process::{descendants, drained, forget_peak, peak_memory};
use super::rig::Rig;
use super::row::{Figures, Goal, Outcome, Row, Unit};
use isobox::{OutputEvent, OutputLimits, Sandbox};
use std::time::{Duration, Instant};

/// Bytes of one write of the command.
const BLOCK: u64 = 1 << 20;

/// Those whose output goes through a pipe or through us.
const CONTENDERS: [Contender; 8] = [
    Contender::Namespace,
    Contender::NamespaceDirectory,
    Contender::NamespaceImage,
    Contender::Host,
    Contender::Bare,
    Contender::Bubblewrap,
    Contender::DockerProvider,
    Contender::DockerCommand,
];

/// How the output is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Stream,
    Capture,
    Pipe,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Capture => "capture",
            Self::Pipe => "pipe",
        }
    }
}

/// One contender with one way, and what came out of it.
struct Entry {
    contender: Contender,
    how: How,
    sandbox: Option<Sandbox>,
    times: Result<Vec<Duration>, String>,
    grown: u64,
}

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let bytes = options.bytes / BLOCK * BLOCK;
    let count = format!("count={}", bytes / BLOCK);
    let argv = ["dd", "if=/dev/zero", "bs=1048576", count.as_str(), "status=none"];
    let mut entries = entries(rig).await;
    for _ in 0..options.long_rounds() {
        for entry in &mut entries {
            let Ok(times) = &mut entry.times else { continue };
            let before = memory_before();
            let took = match &entry.sandbox {
                Some(sandbox) if entry.how == How::Stream => within(LONG, streamed(sandbox, &argv, bytes)).await,
                Some(sandbox) => within(LONG, captured(sandbox, &argv, bytes)).await,
                None => drained(rig.once(entry.contender, &argv), bytes),
            };
            match took {
                Ok(took) => times.push(took),
                Err(reason) => entry.times = Err(reason),
            }
            entry.grown = entry.grown.max(memory_after(before));
        }
    }
    let mut rows: Vec<Row> = entries.iter().map(|entry| throughput(entry, bytes)).collect();
    rows.extend(rig.absences(&CONTENDERS, "stdout", "stdout throughput"));
    rows.extend(entries.iter().filter(|entry| entry.sandbox.is_some() && entry.times.is_ok()).map(growth));
    for sandbox in entries.into_iter().filter_map(|entry| entry.sandbox) {
        let _ = sandbox.delete().await;
    }
    rows
}

async fn entries(rig: &Rig) -> Vec<Entry> {
    let mut entries = Vec::new();
    for contender in rig.present(&CONTENDERS) {
        if contender.provider().is_none() {
            let times = Ok(Vec::new());
            entries.push(Entry { contender, how: How::Pipe, sandbox: None, times, grown: 0 });
            continue;
        }
        let made = rig.sandbox(contender).await;
        for how in [How::Stream, How::Capture] {
            let times = made.as_ref().map(|_| Vec::new()).map_err(String::clone);
            entries.push(Entry { contender, how, sandbox: made.clone().ok(), times, grown: 0 });
        }
    }
    entries
}

fn throughput(entry: &Entry, bytes: u64) -> Row {
    let aimed = entry.how == How::Stream;
    let goal = aimed.then_some(Goal::Rate(1000.0, "≥ 1 GB/s"));
    Row::times("stdout", "stdout throughput", entry.contender, entry.times.clone(), |figures| figures.moving(bytes))
        .how(entry.how.name())
        .goal(goal)
}

fn growth(entry: &Entry) -> Row {
    let figures = Figures::of_values(Unit::Bytes, vec![entry.grown as f64]).expect("there is one value");
    // Head and tail of the capture, twice at its delivery, and both ends' windows.
    let goal = (entry.how == How::Stream).then_some(Goal::Within(16e6, "flat: ≤ 16 MB"));
    Row::new("stdout", "stdout, peak memory on top", entry.contender, Outcome::Measured(figures))
        .how(entry.how.name())
        .goal(goal)
}

async fn streamed(sandbox: &Sandbox, argv: &[&str], expected: u64) -> Result<Duration, String> {
    let begun = Instant::now();
    let command = sandbox.exec(argv.iter().copied()).output(OutputLimits::none());
    let process = command.spawn().await.map_err(|error| error.to_string())?;
    let mut seen = 0;
    while let Some(event) = process.next().await.map_err(|error| error.to_string())? {
        if let OutputEvent::Stdout(bytes) = event {
            seen += bytes.len() as u64;
        }
    }
    if seen == expected { Ok(begun.elapsed()) } else { Err(format!("{seen} bytes of {expected} came")) }
}

async fn captured(sandbox: &Sandbox, argv: &[&str], expected: u64) -> Result<Duration, String> {
    let begun = Instant::now();
    let result = sandbox.exec(argv.iter().copied()).run().await.map_err(|error| error.to_string())?;
    let seen = result.stdout.observed;
    if seen == expected { Ok(begun.elapsed()) } else { Err(format!("{seen} bytes of {expected} came")) }
}

/// This process and everything below it, with what each has resident at the most from now on.
fn memory_before() -> Vec<(u32, u64)> {
    let pids = std::iter::once(std::process::id()).chain(descendants());
    let pids = pids.inspect(|pid| forget_peak(*pid));
    pids.map(|pid| (pid, peak_memory(pid))).collect()
}

fn memory_after(before: Vec<(u32, u64)>) -> u64 {
    before.into_iter().map(|(pid, peak)| peak_memory(pid).saturating_sub(peak)).sum()
}
