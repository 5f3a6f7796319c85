//! A small harness, tested as its author would test it: scored runs, retries, deaths, time.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::{DeathCause, Error, ErrorCode, Fault as Whose, Isobox, OutputLimits};
use isobox_testing::{Clock, Fault, FaultPlan, Operation, Reply, Script, TestProvider};
use std::time::Duration;

/// What came of one task.
#[derive(Debug, PartialEq)]
enum Score {
    Passed,
    Failed(i32),
    TimedOut,
    /// Not the program's fault, so it does not count.
    Invalid(ErrorCode),
}

const MINUTE: Duration = Duration::from_secs(60);

/// The program under test: runs the tests of a task in a sandbox of its own, again when the infrastructure is to blame.
async fn score(isobox: &Isobox, task: &str) -> Score {
    let mut last = None;
    for _ in 0..3 {
        match attempt(isobox, task).await {
            Ok(score) => return score,
            Err(error) if error.is_infrastructure() => last = Some(error.code()),
            Err(error) => return Score::Invalid(error.code()),
        }
    }
    Score::Invalid(last.unwrap())
}

async fn attempt(isobox: &Isobox, task: &str) -> Result<Score, Error> {
    let sandbox = isobox.sandbox().image("python:3.12").label("task", task).ttl(30 * MINUTE).create().await?;
    sandbox.files().write("task.txt", task.to_owned()).await?;
    sandbox.exec(["pip", "install", "-r", "requirements.txt"]).await?.check(Some("install"))?;
    let tested = sandbox.exec(["pytest", "-q"]).timeout(10 * MINUTE).output(OutputLimits::bytes(1 << 20)).await?;
    sandbox.delete().await?;
    Ok(match tested.exit_code {
        _ if tested.timed_out => Score::TimedOut,
        0 => Score::Passed,
        code => Score::Failed(code),
    })
}

/// What every test of the harness begins with.
fn installs() -> Script {
    Script::new().starting_with(["pip", "install"], Reply::says("installed\n").after(40 * MINUTE / 60))
}

async fn lab(script: Script, faults: FaultPlan) -> Lab {
    Lab::open(TestProvider::builder().script(script).faults(faults)).await
}

#[tokio::test]
async fn a_run_is_scored_by_its_exit_code_and_leaves_nothing() {
    let script = installs().once(["pytest", "-q"], Reply::says("2 failed\n").exit(1)).on(["pytest", "-q"], Reply::ok());
    let lab = lab(script, FaultPlan::default()).await;
    assert_eq!(score(&lab.isobox, "one").await, Score::Failed(1));
    assert_eq!(score(&lab.isobox, "two").await, Score::Passed);

    let recording = lab.provider.recording();
    recording.assert_ran_in_order(&[&["pip", "install", "-r", "requirements.txt"], &["pytest", "-q"]]);
    recording.assert_count(Operation::Create, 2);
    recording.assert_nothing_unexpected();
    lab.provider.assert_nothing_left().await;
    let seen: Vec<_> = lab.provider.sandboxes().iter().map(|s| s.files().read_text("task.txt").unwrap()).collect();
    assert_eq!(seen, ["one", "two"]);
    assert_eq!(lab.provider.sandboxes()[0].spec().labels["task"], "one");
}

#[tokio::test]
async fn a_test_that_hangs_is_a_timeout_and_takes_no_time_here() {
    let lab = lab(installs().on(["pytest", "-q"], Reply::says("..").then_hangs()), FaultPlan::default()).await;
    assert_eq!(score(&lab.isobox, "one").await, Score::TimedOut);
    assert_eq!(lab.provider.clock().elapsed(), 10 * MINUTE + Duration::from_secs(40));
}

#[tokio::test]
async fn what_the_infrastructure_breaks_is_tried_again() {
    let faults = FaultPlan::seeded(1)
        .with(Fault::on(Operation::Create).nth(1).fails(ErrorCode::EngineUnavailable))
        .with(Fault::on(Operation::Exec).about("pytest").nth(1).loses_output_after(4));
    let lab = lab(installs().on(["pytest", "-q"], Reply::says("2 passed\n")), faults).await;
    assert_eq!(score(&lab.isobox, "one").await, Score::Passed);
    lab.provider.recording().assert_count(Operation::Create, 3);
    lab.provider.recording().assert_ran_times(["pytest", "-q"], 2);
    // The handle of the broken attempt was dropped, and its sandbox went with it.
    lab.provider.assert_nothing_left().await;
}

#[tokio::test]
async fn a_death_by_memory_is_the_programs_and_a_lost_engine_is_not() {
    for (cause, whose, score_of) in [
        (DeathCause::Oom, Whose::Program, Score::Invalid(ErrorCode::SandboxGone)),
        (DeathCause::EngineDown, Whose::Infrastructure, Score::Passed),
    ] {
        let script = installs()
            .once(["pytest", "-q"], Reply::says("big").kills_sandbox(cause))
            .on(["pytest", "-q"], Reply::ok());
        let lab = lab(script, FaultPlan::default()).await;
        assert_eq!(score(&lab.isobox, "one").await, score_of, "{cause}");
        let id = *lab.provider.sandboxes()[0].id();
        let post_mortem = loop {
            if let Some(known) = lab.isobox.post_mortem(&id).await.unwrap() {
                break known;
            }
            tokio::task::yield_now().await;
        };
        assert_eq!((post_mortem.cause, post_mortem.cause.fault()), (cause, whose));
        assert!(post_mortem.last_output.ends_with(b"big"));
    }
}

#[tokio::test]
async fn a_ttl_ends_when_the_clock_says_so() {
    let script = installs().on(["pytest", "-q"], Reply::ok().after(5 * MINUTE));
    let lab = Lab::open(TestProvider::builder().script(script).clock(Clock::manual())).await;
    let clock = lab.provider.clock();
    let (isobox, running) = (lab.isobox.clone(), lab.provider.clone());
    let scored = tokio::spawn(async move { attempt(&isobox, "one").await.map_err(|error| error.code()) });
    clock.until_awaited().await;
    clock.advance(29 * MINUTE);
    clock.until_awaited().await;
    assert_eq!(running.sandboxes()[0].state(), isobox::State::Running);
    clock.advance(MINUTE);
    assert_eq!(scored.await.unwrap(), Err(ErrorCode::SandboxGone));
    assert_eq!(running.sandboxes()[0].state(), isobox::State::Error);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_run() {
    let run = async |seed| {
        let faults = FaultPlan::seeded(seed)
            .with(Fault::on(Operation::Exec).with_probability(0.3).fails(ErrorCode::Transport))
            .with(Fault::on(Operation::Exec).takes_between(Duration::from_millis(1), MINUTE));
        let lab = lab(installs().on(["pytest", "-q"], Reply::ok()), faults).await;
        let mut scores = Vec::new();
        for number in 0..20 {
            scores.push(score(&lab.isobox, &number.to_string()).await);
        }
        (scores, lab.provider.clock().elapsed(), lab.provider.recording().count(Operation::Create))
    };
    let first = run(7).await;
    assert_eq!(first, run(7).await);
    assert_ne!(first, run(8).await);
    assert!(first.2 > 20, "nothing was tried again");
}

#[tokio::test]
async fn a_command_that_nobody_expected_is_named_with_the_way_out() {
    let lab = lab(Script::new(), FaultPlan::default()).await;
    let sandbox = lab.sandbox().await;
    let error = sandbox.exec(["rm", "-rf", "it's here"]).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Internal);
    assert!(error.message().contains(r"`rm -rf 'it'\''s here'`"), "{error}");
    assert!(error.message().contains(r#".on(["rm", "-rf", "it's here"], Reply::ok())"#), "{error}");
    let error = sandbox.shell("ls | wc -l").await.unwrap_err();
    assert!(error.message().contains(r#".on_shell("ls | wc -l", Reply::ok())"#), "{error}");

    let recording = lab.provider.recording();
    let shown = std::panic::catch_unwind(|| recording.assert_nothing_unexpected()).unwrap_err();
    let shown = shown.downcast_ref::<String>().unwrap();
    assert!(shown.contains("no reply is scripted for `rm -rf"), "{shown}");
    assert!(shown.contains("failed: internal"), "{shown}");
}
