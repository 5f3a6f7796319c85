//! From nothing to a command's first byte of output, and the way back.

use super::Options;
use super::contender::Contender;
use super::deadline::{LONG, within};
use super::process::{container, first_byte, here};
use super::rig::Rig;
use super::row::{Figures, Goal, Row};
use isobox::{OutputEvent, Sandbox};
use std::time::{Duration, Instant};

const ECHO: [&str; 2] = ["echo", "hello"];
const CREATE: &str = "create to first output";
const DELETE: &str = "delete";
/// Those that leave something behind to delete.
const DELETED: [Contender; 9] = [
    Contender::Namespace,
    Contender::NamespaceDirectory,
    Contender::NamespaceImage,
    Contender::Host,
    Contender::DockerProvider,
    Contender::DockerGvisor,
    Contender::EngineApi,
    Contender::DockerPy,
    Contender::DockerCommand,
];

/// What the rounds of one contender took.
type Times = (Vec<Duration>, Vec<Duration>);

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let contenders = rig.present(&Contender::ALL);
    let mut all: Vec<Result<Times, String>> = contenders.iter().map(|_| Ok(Times::default())).collect();
    for _ in 0..options.rounds {
        for (contender, times) in contenders.iter().zip(&mut all) {
            let Ok((created, deleted)) = times else { continue };
            match within(LONG, round(rig, *contender)).await {
                Ok((first, last)) => {
                    created.push(first);
                    deleted.extend(last);
                }
                Err(reason) => *times = Err(reason),
            }
        }
    }
    let median = |of: Contender, pick: fn(&Times) -> &Vec<Duration>| {
        let (_, times) = contenders.iter().zip(&all).find(|(contender, _)| **contender == of)?;
        Figures::of(pick(times.as_ref().ok()?)).map(|figures| figures.p50)
    };
    let (api, python) = (median(Contender::EngineApi, |times| &times.0), median(Contender::DockerPy, |times| &times.1));
    let mut rows: Vec<Row> = Vec::new();
    for (contender, times) in contenders.iter().zip(&all) {
        let times = times.clone().map(|(created, _)| created);
        let goal = create_goal(*contender, api);
        let row = Row::times("create", CREATE, *contender, times, |figures| figures).goal(goal);
        rows.push(if *contender == Contender::DockerCommand { row.how("run") } else { row });
    }
    rows.extend(rig.absences(&Contender::ALL, "create", CREATE));
    for (contender, times) in contenders.into_iter().zip(all).filter(|(contender, _)| DELETED.contains(contender)) {
        let times = times.map(|(_, deleted)| deleted);
        rows.push(
            Row::times("delete", DELETE, contender, times, |figures| figures).goal(delete_goal(contender, python)),
        );
    }
    rows.extend(rig.absences(&DELETED, "delete", DELETE));
    rows
}

/// `api` is the median of Docker's API by itself, in this run.
fn create_goal(contender: Contender, api: Option<f64>) -> Option<Goal> {
    match contender {
        Contender::DockerProvider => api.map(|api| Goal::Within(api, "p50 ≤ Docker's API")),
        _ => (contender.provider() == Some("namespace")).then_some(Goal::Within(0.005, "p50 ≤ 5 ms")),
    }
}

/// `python` is the median of docker-py, in this run.
fn delete_goal(contender: Contender, python: Option<f64>) -> Option<Goal> {
    match contender {
        Contender::DockerProvider => python.map(|python| Goal::Within(python, "p50 ≤ docker-py")),
        _ => (contender.provider() == Some("namespace")).then_some(Goal::Within(0.003, "p50 ≤ 3 ms")),
    }
}

async fn round(rig: &Rig, contender: Contender) -> Result<(Duration, Option<Duration>), String> {
    match contender {
        Contender::Bare | Contender::Bubblewrap => Ok((first_byte(rig.once(contender, &ECHO))?, None)),
        Contender::DockerCommand => docker(rig),
        Contender::EngineApi => engine_api(rig).await,
        Contender::DockerPy => {
            let python = rig.docker_py()?;
            Ok((python.create(rig.image())?, Some(python.remove()?)))
        }
        _ => ours(rig, contender).await,
    }
}

async fn ours(rig: &Rig, contender: Contender) -> Result<(Duration, Option<Duration>), String> {
    let begun = Instant::now();
    let sandbox = rig.sandbox(contender).await?;
    first_output(&sandbox).await?;
    let created = begun.elapsed();
    let begun = Instant::now();
    sandbox.delete().await.map_err(|error| error.to_string())?;
    Ok((created, Some(begun.elapsed())))
}

pub(super) async fn first_output(sandbox: &Sandbox) -> Result<(), String> {
    let process = sandbox.exec(ECHO).spawn().await.map_err(|error| error.to_string())?;
    match process.next().await {
        Ok(Some(OutputEvent::Stdout(_))) => Ok(()),
        Ok(_) => Err("it wrote nothing".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// What creating, starting and an exec of their own take, which a sandbox in Docker has to pay too.
async fn engine_api(rig: &Rig) -> Result<(Duration, Option<Duration>), String> {
    let engine = rig.engine_api()?;
    let begun = Instant::now();
    let container = engine.start(rig.image()).await?;
    let seen = engine.first_output(&container, &ECHO).await;
    let created = begun.elapsed();
    let begun = Instant::now();
    engine.remove(&container).await?;
    seen.map(|()| (created, Some(begun.elapsed())))
}

/// One `docker run` for the first output; a container that stays, for what removing one takes.
fn docker(rig: &Rig) -> Result<(Duration, Option<Duration>), String> {
    let took = first_byte(rig.once(Contender::DockerCommand, &ECHO))?;
    let running = container(rig.container())?;
    here(running.exec(&["true"]))?;
    Ok((took, Some(running.remove()?)))
}
