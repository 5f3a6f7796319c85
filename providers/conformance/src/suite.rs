//! Running the checks.
//!
//! ```text
//!   open ──▶ probe ──▶ the checks of the table, and a refusal for each capability that is not claimed ──▶ is anything left?
//!     └────────┴──▶ not run: there is no such provider here
//! ```

use crate::check::{Act, Check, Checked, Stop};
use crate::lab::{Bench, Lab, PATIENCE, locked};
use crate::report::{Outcome, Report, Row};
use crate::target::Target;
use crate::{checks, refusals};
use futures::{FutureExt, StreamExt};
use isobox::contract::{Filter, Provider};
use isobox::{Capabilities, Capability, ErrorCode, HealthStatus, Isobox, Result, SandboxFilter, SandboxId};
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The name of the row that says whether the checks have left anything, which is the last.
pub const NOTHING_IS_LEFT: &str = "nothing_is_left";

/// How many checks run at once by default.
const AT_ONCE: usize = 8;

/// How long removing what a check has made may take.
const CLEARING: Duration = Duration::from_secs(60);

/// The checks for a target.
#[derive(Clone, Debug)]
#[must_use = "nothing is run before run is called"]
pub struct Suite {
    target: Target,
    only: Vec<String>,
    at_once: usize,
    heavy: bool,
    deadline: Option<Duration>,
    home: Option<PathBuf>,
}

/// The suite for a provider that is open already. What happens when a process is killed is not looked at; for that a
/// [`Target`] must say how another process is started.
pub fn suite(provider: Arc<dyn Provider>) -> Suite {
    let kind = provider.kind().to_string();
    Suite::new(Target::opened(kind, move |_: &Path| Ok(provider.clone())))
}

impl Suite {
    /// The suite for a target.
    pub fn new(target: Target) -> Self {
        Self { target, only: Vec::new(), at_once: AT_ONCE, heavy: false, deadline: None, home: None }
    }

    /// Only checks whose names hold this text; again adds more.
    pub fn only(mut self, text: impl Into<String>) -> Self {
        self.only.push(text.into());
        self
    }

    /// Sets how many checks run at once, at least 1; 8 by default.
    pub fn at_once(mut self, checks: usize) -> Self {
        self.at_once = checks.max(1);
        self
    }

    /// Sets whether checks take the amounts that take long: gigabytes where it is megabytes otherwise, a hundred sandboxes at once.
    pub fn heavy(mut self, heavy: bool) -> Self {
        self.heavy = heavy;
        self
    }

    /// Sets how long a check may take; three minutes by default. What hangs is told from what is slow by this alone.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets isobox's directory; a new one by default, which is removed again.
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The checks for a provider with these claims, in the order of the report: those of the table, then the refusals.
    pub fn checks(&self, capabilities: &Capabilities) -> Vec<Check> {
        let table = checks::all().into_iter().chain(refusals::of(capabilities));
        let wanted = table.filter(|check| self.wants(&check.name));
        wanted.map(|check| Check { deadline: self.deadline.unwrap_or(check.deadline), ..check }).collect()
    }

    /// The checks of the table alone, whatever a provider claims.
    pub fn table(&self) -> Vec<Check> {
        checks::all().into_iter().filter(|check| self.wants(&check.name)).collect()
    }

    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| name.contains(text.as_str()))
    }

    /// Runs the checks, all in the task that awaits this. Dropping the future ends what runs, and the sandboxes go with their
    /// handles.
    pub async fn run(&self) -> Report {
        let begun = Instant::now();
        let provider = self.target.provider().to_owned();
        let own = match &self.home {
            Some(home) => Ok((home.clone(), None)),
            None => tempfile::Builder::new()
                .prefix("isobox-conformance-")
                .tempdir()
                .map(|new| (new.path().to_owned(), Some(new))),
        };
        let (home, own) = match own {
            Ok(home) => home,
            Err(error) => return Report::not_run(provider, format!("no directory can be made: {error}")),
        };
        let isobox = match self.target.open(&home).await {
            Ok(isobox) => isobox,
            Err(error) => return Report::not_run(provider, error.message().to_owned()),
        };
        let mut report = match self.bench(&isobox).await {
            Ok(bench) => self.run_on(Arc::new(bench)).await,
            Err(reason) => Report::not_run(provider, reason),
        };
        isobox.close().await;
        drop(own);
        report.duration = begun.elapsed();
        report
    }

    async fn bench(&self, isobox: &Isobox) -> Result<Bench, String> {
        let provider = isobox.provider(self.target.provider()).await.map_err(|error| error.message().to_owned())?;
        let health = provider.health().await;
        if matches!(health.status, HealthStatus::Unreachable | HealthStatus::Unauthorized) {
            let message = health.message.unwrap_or_else(|| format!("the provider is {}", health.status));
            return Err(message);
        }
        let mut bench = Bench {
            target: self.target.clone(),
            isobox: isobox.clone(),
            claims: provider.capabilities().clone(),
            provider,
            programs: BTreeSet::new(),
            heavy: self.heavy,
            images: Mutex::default(),
            made: Mutex::default(),
        };
        match probe(&bench).await {
            Ok((programs, claims)) => {
                bench.programs = programs;
                if self.target.narrower {
                    bench.claims = narrowed(&bench.claims, &claims);
                }
            }
            // It says of itself that it is well, so the checks show what is wrong.
            Err(_) if health.status == HealthStatus::Ok => bench.programs = probed().map(str::to_owned).collect(),
            Err(reason) => return Err(reason),
        }
        Ok(bench)
    }

    async fn run_on(&self, bench: Arc<Bench>) -> Report {
        let capabilities = bench.claims.clone();
        let (alone, others): (Vec<_>, Vec<_>) =
            self.checks(&capabilities).into_iter().enumerate().partition(|(_, check)| check.alone);
        let mut rows = run_all(&bench, others, self.at_once).await;
        rows.extend(run_all(&bench, alone, 1).await);
        rows.sort_by_key(|(place, _)| *place);
        let mut rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
        rows.push(look_for_leavings(&bench).await);
        Report::new(self.target.provider().to_owned(), &capabilities, rows)
    }
}

/// Programs that checks need or can use.
fn probed() -> impl Iterator<Item = &'static str> {
    let needed = checks::all().into_iter().flat_map(|check| check.programs.iter().copied());
    let of_use = ["setsid", "env", "nc", "perl", "python3"].into_iter();
    needed.chain(of_use).collect::<BTreeSet<_>>().into_iter()
}

/// Which of them sandboxes have, and what these claim.
async fn probe(bench: &Bench) -> Result<(BTreeSet<String>, Capabilities), String> {
    let told = |error: isobox::Error| error.message().to_owned();
    let sandbox = bench.target.builder(&bench.isobox).create().await.map_err(told)?;
    locked(&bench.made).push(*sandbox.id());
    let names: Vec<_> = probed().collect();
    let script = format!("for name in {}; do command -v $name >/dev/null 2>&1 && echo $name; done; :", names.join(" "));
    let found = match sandbox.shell(script).await {
        Ok(result) => result.stdout.text().lines().map(str::to_owned).collect(),
        // Without a shell there are only checks that need nothing.
        Err(_) => BTreeSet::new(),
    };
    sandbox.delete().await.map_err(told)?;
    Ok((found, sandbox.capabilities().clone()))
}

/// What a provider claims without what its sandboxes do not. Whether one has one-shots depends on where it works too, so checks of
/// them find out by the sandboxes that they make.
fn narrowed(provider: &Capabilities, sandbox: &Capabilities) -> Capabilities {
    let kept = provider.iter().filter(|claim| sandbox.has(*claim) || *claim == Capability::OneShotRun);
    Capabilities::of(sandbox.isolation, kept)
}

/// Runs checks, so many at once; with their places in the report.
async fn run_all(bench: &Arc<Bench>, checks: Vec<(usize, Check)>, at_once: usize) -> Vec<(usize, Row)> {
    let running = checks.into_iter().map(|(place, check)| {
        let bench = bench.clone();
        async move { (place, run_one(bench, check).await) }
    });
    futures::stream::iter(running).buffer_unordered(at_once).collect().await
}

async fn run_one(bench: Arc<Bench>, check: Check) -> Row {
    let begun = Instant::now();
    let outcome = match missing(&bench, &check) {
        Some(reason) => Outcome::Skipped { reason },
        None => carry_out(bench, &check).await,
    };
    Row::of(&check, outcome, begun.elapsed())
}

/// Why a check cannot be made.
fn missing(bench: &Bench, check: &Check) -> Option<String> {
    if let Some(capability) = check.required().find(|capability| !bench.claims.has(*capability)) {
        return Some(format!("{capability} is not claimed"));
    }
    let program = check.programs.iter().find(|program| !bench.programs.contains(**program))?;
    Some(format!("the sandbox has no {program}"))
}

async fn carry_out(bench: Arc<Bench>, check: &Check) -> Outcome {
    let lab = Lab::new(bench, check);
    let acted = within(check.deadline, act(check, &lab)).await;
    let cleared = within(CLEARING, lab.clear()).await;
    match (acted, cleared) {
        (Err(Stop::Failed(reason)), _) | (Ok(()) | Err(Stop::Skipped(_)), Err(Stop::Failed(reason))) => {
            Outcome::Failed { reason }
        }
        (Err(Stop::Skipped(reason)), _) => Outcome::Skipped { reason },
        (Ok(()), _) => Outcome::Passed,
    }
}

async fn act(check: &Check, lab: &Lab) -> Checked {
    match check.act {
        Act::Do(act) => act(lab).await,
        Act::Ask(capability) => refusals::ask(lab, capability).await,
    }
}

/// Runs something that may hang or panic.
async fn within(deadline: Duration, act: impl Future<Output = Checked>) -> Checked {
    match tokio::time::timeout(deadline, AssertUnwindSafe(act).catch_unwind()).await {
        Ok(Ok(checked)) => checked,
        Ok(Err(panic)) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(Stop::Failed(format!("it panicked: {text}")))
        }
        Err(_) => Err(Stop::Failed(format!("it was not done within {deadline:?}"))),
    }
}

async fn look_for_leavings(bench: &Bench) -> Row {
    let begun = Instant::now();
    let mut outcome = Outcome::Failed { reason: "it was never looked".to_owned() };
    // What was dropped goes in the background.
    while begun.elapsed() < PATIENCE {
        outcome = match left(bench).await {
            Ok(left) if left.is_empty() => Outcome::Passed,
            Ok(left) => Outcome::Failed { reason: format!("left over: {}", left.join(", ")) },
            Err(error) => Outcome::Failed { reason: error.message().to_owned() },
        };
        if outcome == Outcome::Passed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Row {
        name: NOTHING_IS_LEFT.to_owned(),
        about: "When all checks are done, nothing of their sandboxes is left.".to_owned(),
        shows: Vec::new(),
        outcome,
        duration: begun.elapsed(),
    }
}

/// What is left of what the checks have made. Other sandboxes of the same backend are none of their business.
async fn left(bench: &Bench) -> Result<Vec<String>> {
    let made: BTreeSet<SandboxId> = locked(&bench.made).iter().copied().collect();
    let mut left = BTreeSet::new();
    let recorded = bench.isobox.list(SandboxFilter::default()).await?;
    left.extend(recorded.into_iter().map(|entry| entry.id).filter(|id| made.contains(id)));
    let there = bench.provider.list(&Filter::default()).await?;
    left.extend(there.into_iter().filter_map(|status| status.id).filter(|id| made.contains(id)));
    left.extend(bench.provider.leavings().await?.into_iter().filter(|id| made.contains(id)));
    let mut left: Vec<_> = left.into_iter().map(|id| id.to_string()).collect();
    let images = locked(&bench.images).clone();
    for image in images {
        match bench.isobox.images().provider(bench.target.provider()).remove(&image).await {
            Err(error) if error.code() != ErrorCode::ImageNotFound && error.code() != ErrorCode::NotFound => {
                left.push(format!("the image {image}, {}", error.message()));
            }
            _ => {}
        }
    }
    Ok(left)
}
