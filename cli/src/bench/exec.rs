//! Running `true` in a sandbox that is there, one at a time and many at once.

use super::Options;
use super::contender::Contender;
use super::process::{Container, container, timed};
use super::rig::Rig;
use super::row::{Figures, Goal, Rate, Row};
use isobox::Sandbox;
use std::time::{Duration, Instant};

const CONCURRENCY: [usize; 3] = [1, 8, 64];
/// Commands of one worker in one round; fewer where there are many workers, because an engine takes seconds for them.
fn each(concurrency: usize) -> usize {
    if concurrency > 8 { 4 } else { 10 }
}

/// Where the commands run.
enum Place {
    Sandbox(Sandbox),
    Container(Container),
    /// Of Docker's API, by its id.
    Engine(String),
    /// docker-py knows it.
    Python,
    None,
}

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let mut places = Vec::new();
    for contender in rig.present(&Contender::ALL) {
        places.push((contender, place(rig, contender).await));
    }
    let mut rows = Vec::new();
    for concurrency in CONCURRENCY {
        rows.extend(at_once(rig, options, &places, concurrency).await);
    }
    for (_, place) in places {
        leave(rig, place).await;
    }
    rows
}

async fn place(rig: &Rig, contender: Contender) -> Result<Place, String> {
    match contender {
        Contender::Bare | Contender::Bubblewrap => Ok(Place::None),
        Contender::DockerCommand => container(rig.container()).map(Place::Container),
        Contender::EngineApi => rig.engine_api()?.start(rig.image()).await.map(Place::Engine),
        Contender::DockerPy => rig.docker_py()?.create(rig.image()).map(|_| Place::Python),
        _ => rig.sandbox(contender).await.map(Place::Sandbox),
    }
}

async fn leave(rig: &Rig, place: Result<Place, String>) {
    match place {
        Ok(Place::Sandbox(sandbox)) => drop(sandbox.delete().await),
        Ok(Place::Engine(container)) => {
            if let Ok(engine) = rig.engine_api() {
                let _ = engine.remove(&container).await;
            }
        }
        Ok(Place::Python) => {
            let _ = rig.docker_py().and_then(|python| python.remove());
        }
        Ok(Place::Container(_) | Place::None) | Err(_) => {}
    }
}

async fn at_once(
    rig: &Rig,
    options: &Options,
    places: &[(Contender, Result<Place, String>)],
    concurrency: usize,
) -> Vec<Row> {
    let empty = |place: &Result<Place, String>| place.as_ref().map(|_| Batch::default()).map_err(String::clone);
    let mut all: Vec<Result<Batch, String>> = places.iter().map(|(_, place)| empty(place)).collect();
    // As many commands at each level, and enough rounds for all to meet the same noise.
    let rounds = if concurrency == 1 { options.rounds } else { options.long_rounds() };
    for _ in 0..rounds {
        for ((contender, place), total) in places.iter().zip(&mut all) {
            let (Ok(place), Ok(sum)) = (place, total.as_mut()) else { continue };
            match batch(rig, *contender, place, concurrency).await {
                Ok(batch) => sum.add(batch),
                Err(reason) => *total = Err(reason),
            }
        }
    }
    let measure = format!("exec true, {concurrency} at once");
    let row = |((contender, _), batch): (&(Contender, _), Result<Batch, String>)| {
        let elapsed = batch.as_ref().map_or(Duration::ZERO, |batch| batch.elapsed);
        let rate = |figures: Figures| {
            let rate = Rate { value: figures.n as f64 / elapsed.as_secs_f64(), unit: "/s" };
            Figures { rate: Some(rate), ..figures }
        };
        Row::times("exec", &measure, *contender, batch.map(|batch| batch.times), rate)
            .goal(goal(*contender, concurrency))
    };
    let rows = places.iter().zip(all).map(row).collect::<Vec<_>>();
    rows.into_iter().chain(rig.absences(&Contender::ALL, "exec", &measure)).collect()
}

fn goal(contender: Contender, concurrency: usize) -> Option<Goal> {
    let aimed = matches!(contender.provider(), Some("namespace" | "docker"));
    (aimed && concurrency == 1).then_some(Goal::Within(0.001, "p50 ≤ 1 ms"))
}

#[derive(Default)]
struct Batch {
    times: Vec<Duration>,
    elapsed: Duration,
}

impl Batch {
    fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        self.elapsed += other.elapsed;
    }
}

async fn batch(rig: &Rig, contender: Contender, place: &Place, concurrency: usize) -> Result<Batch, String> {
    let begun = Instant::now();
    let times = match place {
        Place::Sandbox(sandbox) => ours(sandbox, concurrency).await?,
        Place::Container(container) => others(concurrency, || timed(&mut container.exec(&["true"])))?,
        Place::Engine(container) => engine_api(rig, container, concurrency).await?,
        Place::Python => rig.docker_py()?.exec(concurrency, each(concurrency))?,
        Place::None => others(concurrency, || timed(&mut rig.once(contender, &["true"])))?,
    };
    Ok(Batch { times, elapsed: begun.elapsed() })
}

async fn ours(sandbox: &Sandbox, concurrency: usize) -> Result<Vec<Duration>, String> {
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..concurrency {
        workers.spawn(worker(sandbox.clone(), each(concurrency)));
    }
    let mut times = Vec::new();
    while let Some(worker) = workers.join_next().await {
        times.extend(worker.map_err(|error| error.to_string())??);
    }
    Ok(times)
}

async fn worker(sandbox: Sandbox, count: usize) -> Result<Vec<Duration>, String> {
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let begun = Instant::now();
        let result = sandbox.exec(["true"]).run().await.map_err(|error| error.to_string())?;
        times.push(begun.elapsed());
        if !result.success() {
            return Err("the command failed".to_owned());
        }
    }
    Ok(times)
}

/// The same with Docker's API by itself.
async fn engine_api(rig: &Rig, container: &str, concurrency: usize) -> Result<Vec<Duration>, String> {
    let engine = rig.engine_api()?;
    let worker = || async {
        let mut times = Vec::with_capacity(each(concurrency));
        for _ in 0..each(concurrency) {
            let begun = Instant::now();
            engine.exec(container, &["true"]).await?;
            times.push(begun.elapsed());
        }
        Ok::<_, String>(times)
    };
    let workers = futures::future::try_join_all((0..concurrency).map(|_| worker())).await?;
    Ok(workers.into_iter().flatten().collect())
}

/// The same with a thread for each worker.
fn others(concurrency: usize, run: impl Fn() -> Result<Duration, String> + Sync) -> Result<Vec<Duration>, String> {
    std::thread::scope(|scope| {
        let worker = || (0..each(concurrency)).map(|_| run()).collect::<Result<Vec<Duration>, String>>();
        let workers: Vec<_> = (0..concurrency).map(|_| scope.spawn(worker)).collect();
        let mut times = Vec::new();
        for worker in workers {
            times.extend(worker.join().map_err(|_| "a worker panicked".to_owned())??);
        }
        Ok(times)
    })
}
