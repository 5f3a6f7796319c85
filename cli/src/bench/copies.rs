//! Copies of a running sandbox that has written something: snapshots and forks, beside `cp -a` of the same files, and
//! `docker commit` where its daemon is.

use super::Options;
use super::contender::Contender;
use super::deadline::{LONG, within};
use super::process::{Container, container, docker_server, here, timed};
use super::rig::Rig;
use super::row::{Figures, Outcome, Row};
use isobox::{Sandbox, SnapshotOptions};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Bytes of each file that is written.
const FILE: usize = 1 << 20;
/// Where they are in the sandbox.
const PLACE: &str = "/root/written";

const OURS: [Contender; 3] = [Contender::Namespace, Contender::NamespaceDirectory, Contender::DockerProvider];

type Result<T> = std::result::Result<T, String>;
type Times = Result<Vec<Duration>>;

/// What is made of the sandbox.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Copy {
    Snapshot,
    /// One running copy.
    Fork,
}

impl Copy {
    pub(super) const ALL: [Self; 2] = [Self::Snapshot, Self::Fork];

    pub(super) fn group(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Fork => "fork",
        }
    }
}

pub(super) async fn measure(rig: &Rig, options: &Options, copies: &[Copy]) -> Vec<Row> {
    let tree = match material(&rig.scratch().join("written"), options.written) {
        Ok(tree) => tree,
        Err(error) => {
            let failed =
                |copy: &Copy| Err::<Vec<_>, _>(format!("the files for a {} cannot be made: {error}", copy.group()));
            let row =
                |copy: &Copy| Row::times(copy.group(), copy.group(), Contender::Bare, failed(copy), |figures| figures);
            return copies.iter().map(row).collect();
        }
    };
    let mut sandboxes = Vec::new();
    for contender in rig.present(&OURS) {
        sandboxes.push((contender, within(LONG, written(rig, contender, &tree)).await));
    }
    let docker = docker_server().map(|()| filled(rig, &tree));
    let mut rows = Vec::new();
    for copy in copies {
        rows.extend(one(rig, options, *copy, &tree, &sandboxes, &docker).await);
    }
    for (_, sandbox) in sandboxes {
        if let Ok(sandbox) = sandbox {
            let _ = sandbox.delete().await;
        }
    }
    rows
}

async fn one(
    rig: &Rig,
    options: &Options,
    copy: Copy,
    tree: &Path,
    sandboxes: &[(Contender, Result<Sandbox>)],
    docker: &Result<Result<Container>>,
) -> Vec<Row> {
    let empty = |sandbox: &Result<Sandbox>| sandbox.as_ref().map(|_| Vec::new()).map_err(String::clone);
    let mut ours: Vec<Times> = sandboxes.iter().map(|(_, sandbox)| empty(sandbox)).collect();
    let (mut bare, mut theirs) = (Ok(Vec::new()), Ok(Vec::new()));
    for _ in 0..options.long_rounds() {
        for ((contender, sandbox), times) in sandboxes.iter().zip(&mut ours) {
            if let Ok(sandbox) = sandbox {
                add(times, within(LONG, copied(rig, *contender, sandbox, copy)).await);
            }
        }
        add(&mut bare, cp(tree));
        match docker {
            Ok(Ok(container)) => add(&mut theirs, commit(container, copy)),
            Ok(Err(reason)) => theirs = Err(reason.clone()),
            Err(_) => {}
        }
    }
    let measure = format!("{}, {} MiB written", copy.group(), options.written >> 20);
    let moving = |figures: Figures| figures.moving(options.written);
    let row = |contender, times| Row::times(copy.group(), measure.as_str(), contender, times, moving);
    let mut rows: Vec<Row> = sandboxes.iter().zip(ours).map(|((contender, _), times)| row(*contender, times)).collect();
    rows.push(row(Contender::Bare, bare).how("cp -a"));
    rows.push(match docker {
        Ok(_) => row(Contender::DockerCommand, theirs).how(if copy == Copy::Fork { "commit, run" } else { "commit" }),
        Err(reason) => Row::new(
            copy.group(),
            measure.as_str(),
            Contender::DockerCommand,
            Outcome::NotHere { reason: reason.clone() },
        ),
    });
    rows.extend(rig.absences(&OURS, copy.group(), &measure));
    rows
}

fn add(times: &mut Times, took: Result<Duration>) {
    match (times.as_mut(), took) {
        (Ok(times), Ok(took)) => times.push(took),
        (Ok(_), Err(reason)) => *times = Err(reason),
        (Err(_), _) => {}
    }
}

/// Copies a sandbox, and removes the copy when the time is known.
async fn copied(rig: &Rig, contender: Contender, sandbox: &Sandbox, copy: Copy) -> Result<Duration> {
    let failed = |error: isobox::Error| error.to_string();
    let begun = Instant::now();
    let took = match copy {
        Copy::Snapshot => {
            let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.map_err(failed)?;
            let took = begun.elapsed();
            let provider = contender.provider().ok_or("it is not one of ours")?;
            let snapshots = rig.isobox().snapshots().provider(provider);
            snapshots.delete(&snapshot.external).await.map_err(failed)?;
            took
        }
        Copy::Fork => {
            let children = sandbox.fork(1).await.map_err(failed)?;
            let took = begun.elapsed();
            for child in children {
                child.delete().await.map_err(failed)?;
            }
            took
        }
    };
    Ok(took)
}

fn cp(tree: &Path) -> Result<Duration> {
    let copy = tree.with_extension("copy");
    let took = timed(Command::new("cp").args(["-a", "--reflink=auto"]).arg(tree).arg(&copy))?;
    fs::remove_dir_all(&copy).map_err(|error| error.to_string())?;
    Ok(took)
}

/// `docker commit` of a running container, and for a fork the start of another one from what that made.
fn commit(from: &Container, copy: Copy) -> Result<Duration> {
    // Removed below.
    let image = format!("isobox-bench-commit:{}", std::process::id());
    let begun = Instant::now();
    here(docker(&["commit", from.id(), &image]))?;
    let running = match copy {
        Copy::Snapshot => None,
        Copy::Fork => Some(container(docker(&["run", "--detach", "--network", "none", &image, "sleep", "86400"]))?),
    };
    let took = begun.elapsed();
    drop(running);
    here(docker(&["rmi", "--force", &image])).map(|()| took)
}

fn docker(arguments: &[&str]) -> Command {
    let mut command = Command::new("docker");
    command.args(arguments);
    command
}

/// A container that has written the files.
fn filled(rig: &Rig, tree: &Path) -> Result<Container> {
    let container = container(rig.container())?;
    let mut copy = Command::new("docker");
    copy.arg("cp").arg(tree).arg(format!("{}:{PLACE}", container.id()));
    here(copy).map(|()| container)
}

/// A sandbox that has written the files, and in which something runs.
async fn written(rig: &Rig, contender: Contender, tree: &Path) -> Result<Sandbox> {
    let sandbox = rig.sandbox(contender).await?;
    let failed = |error: isobox::Error| error.to_string();
    sandbox.files().upload(tree, PLACE).await.map_err(failed)?;
    sandbox.shell("sleep 86400 > /dev/null 2>&1 &").await.map_err(failed)?;
    Ok(sandbox)
}

fn material(tree: &Path, bytes: u64) -> io::Result<PathBuf> {
    fs::create_dir_all(tree)?;
    for at in 0..bytes / FILE as u64 {
        // Each file another one, and no zeros.
        let contents: Vec<u8> = (at + 1).to_le_bytes().into_iter().cycle().take(FILE).collect();
        fs::write(tree.join(at.to_string()), contents)?;
    }
    Ok(tree.to_owned())
}
