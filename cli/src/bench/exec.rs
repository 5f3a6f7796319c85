//! Running `true` in a sandbox that is there, one at a time and many at once.

use super::Options;
use super::contender::Contender;
use super::deadline::PATIENCE;
use super::process::{Container, container, timed_within};
use super::rig::Rig;
use super::row::{Figures, Goal, Rate, Row};
use isobox::Sandbox;
use std::time::{Duration, Instant};
use tokio::time::timeout;

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
    let measure = format!("exec true, {concurrency} at once");
    (options.progress)(&measure);
    let empty = |place: &Result<Place, String>| place.as_ref().map(|_| Batch::default()).map_err(String::clone);
    let mut all: Vec<Result<Batch, String>> = places.iter().map(|(_, place)| empty(place)).collect();
    // As many commands at each level, and enough rounds for all to meet the same noise.
    let rounds = if concurrency == 1 { options.rounds } else { options.long_rounds() };
    for _ in 0..rounds {
        for ((contender, place), total) in places.iter().zip(&mut all) {
            let (Ok(place), Ok(sum)) = (place, total.as_mut()) else { continue };
            if sum.lost > 0 {
                // It would be waited for again and again.
                continue;
            }
            match batch(rig, *contender, place, concurrency).await {
                Ok(batch) => sum.add(batch),
                Err(reason) => *total = Err(reason),
            }
        }
    }
    let rows = places.iter().zip(all).map(|((contender, _), batch)| row(&measure, *contender, concurrency, batch));
    rows.chain(rig.absences(&Contender::ALL, "exec", &measure)).collect()
}

fn row(measure: &str, contender: Contender, concurrency: usize, batch: Result<Batch, String>) -> Row {
    let note = batch.as_ref().ok().and_then(Batch::note);
    let batch = batch.and_then(|batch| match &note {
        Some(note) if batch.times.is_empty() => Err(note.clone()),
        _ => Ok(batch),
    });
    let rate = batch.as_ref().ok().and_then(Batch::rate);
    let times = batch.map(|batch| batch.times);
    let row = Row::times("exec", measure, contender, times, |figures| Figures { rate, ..figures });
    row.goal(goal(contender, concurrency)).note(note)
}

fn goal(contender: Contender, concurrency: usize) -> Option<Goal> {
    let aimed = matches!(contender.provider(), Some("namespace" | "docker"));
    (aimed && concurrency == 1).then_some(Goal::Within(0.001, "p50 ≤ 1 ms"))
}

/// What commands took.
#[derive(Default)]
struct Batch {
    times: Vec<Duration>,
    /// How many did not end within [`PATIENCE`]; whoever ran one runs no other.
    lost: usize,
    elapsed: Duration,
}

impl Batch {
    fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        self.lost += other.lost;
        self.elapsed += other.elapsed;
    }

    /// Not known where a command was waited for in vain.
    fn rate(&self) -> Option<Rate> {
        (self.lost == 0).then(|| Rate { value: self.times.len() as f64 / self.elapsed.as_secs_f64(), unit: "/s" })
    }

    fn note(&self) -> Option<String> {
        let all = self.lost + self.times.len();
        let late = format!("{} of {all} commands did not end within {} s", self.lost, PATIENCE.as_secs());
        (self.lost > 0).then_some(late)
    }
}

/// What commands took, one after the other; nothing for one that did not end in time, and then it is the last.
type Took = Vec<Option<Duration>>;

async fn batch(rig: &Rig, contender: Contender, place: &Place, concurrency: usize) -> Result<Batch, String> {
    let begun = Instant::now();
    let container = match place {
        Place::Python => {
            let (times, lost) = rig.docker_py()?.exec(concurrency, each(concurrency))?;
            return Ok(Batch { times, lost, elapsed: begun.elapsed() });
        }
        Place::Container(container) => Some(container),
        _ => None,
    };
    let once = || container.map_or_else(|| rig.once(contender, &["true"]), |container| container.exec(&["true"]));
    let took = match place {
        Place::Sandbox(sandbox) => ours(sandbox, concurrency).await?,
        Place::Engine(container) => engine_api(rig, container, concurrency).await?,
        _ => others(concurrency, || timed_within(&mut once(), PATIENCE))?,
    };
    let elapsed = begun.elapsed();
    let lost = took.iter().filter(|took| took.is_none()).count();
    Ok(Batch { times: took.into_iter().flatten().collect(), lost, elapsed })
}

async fn ours(sandbox: &Sandbox, concurrency: usize) -> Result<Took, String> {
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..concurrency {
        workers.spawn(worker(sandbox.clone(), each(concurrency)));
    }
    let mut took = Vec::new();
    while let Some(worker) = workers.join_next().await {
        took.extend(worker.map_err(|error| error.to_string())??);
    }
    Ok(took)
}

async fn worker(sandbox: Sandbox, count: usize) -> Result<Took, String> {
    in_turn(count, || async {
        match sandbox.exec(["true"]).run().await {
            Ok(result) if result.success() => Ok(()),
            Ok(_) => Err("the command failed".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    })
    .await
}

/// The same with Docker's API by itself.
async fn engine_api(rig: &Rig, container: &str, concurrency: usize) -> Result<Took, String> {
    let engine = rig.engine_api()?;
    let worker = |_| in_turn(each(concurrency), || engine.exec(container, &["true"]));
    let workers = futures::future::try_join_all((0..concurrency).map(worker)).await?;
    Ok(workers.into_iter().flatten().collect())
}

async fn in_turn<F: Future<Output = Result<(), String>>>(count: usize, run: impl Fn() -> F) -> Result<Took, String> {
    let mut took = Vec::with_capacity(count);
    while took.len() < count && took.last() != Some(&None) {
        let begun = Instant::now();
        took.push(match timeout(PATIENCE, run()).await {
            Ok(ran) => ran.map(|()| Some(begun.elapsed()))?,
            Err(_) => None,
        });
    }
    Ok(took)
}

/// The same with a thread for each worker.
fn others(concurrency: usize, run: impl Fn() -> Result<Option<Duration>, String> + Sync) -> Result<Took, String> {
    let worker = || {
        let mut took = Vec::new();
        while took.len() < each(concurrency) && took.last() != Some(&None) {
            took.push(run()?);
        }
        Ok::<_, String>(took)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..concurrency).map(|_| scope.spawn(worker)).collect();
        let mut took = Vec::new();
        for worker in workers {
            took.extend(worker.join().map_err(|_| "a worker panicked".to_owned())??);
        }
        Ok(took)
    })
}

#[cfg(test)]
mod tests {
    use super::super::row::Outcome;
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_command_without_an_end_is_the_last_and_is_told() {
        let calls = std::cell::Cell::new(0);
        let run = || {
            calls.set(calls.get() + 1);
            let is_lost = calls.get() == 2;
            async move { if is_lost { std::future::pending().await } else { Ok(()) } }
        };
        let took = in_turn(5, run).await.unwrap();
        assert!(matches!(took[..], [Some(_), None]), "{took:?}");
        let batch = Batch { times: vec![Duration::ZERO], lost: 1, elapsed: PATIENCE };
        let row = row("exec", Contender::EngineApi, 64, Ok(batch));
        assert_eq!(row.note.as_deref(), Some("1 of 2 commands did not end within 60 s"));
        let none = super::row("exec", Contender::EngineApi, 64, Ok(Batch { lost: 3, ..Batch::default() }));
        let reason = "3 of 3 commands did not end within 60 s".to_owned();
        assert_eq!(none.outcome, Outcome::Failed { reason });
    }

    #[test]
    fn a_thread_stops_at_the_first_that_does_not_end() {
        let never = || timed_within(std::process::Command::new("sleep").arg("86400"), Duration::from_millis(10));
        assert_eq!(others(2, never), Ok(vec![None, None]));
    }
}
