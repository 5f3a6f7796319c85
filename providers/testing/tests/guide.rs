//! The Rust code of the guide, run. It is here word for word, which the test checks.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

use isobox::contract::Provider;
use isobox::{DeathCause, ErrorCode, Isobox, OutputEvent};
use isobox_testing::{Clock, Fault, FaultPlan, Operation, Reply, Script, Tape, TapeRecorder, TestProvider};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

type Done = Result<(), Box<dyn std::error::Error>>;

async fn open(provider: &TestProvider, home: &Path) -> isobox::Result<Isobox> {
    let builder = Isobox::builder().home(home).with_provider(Arc::new(provider.clone()));
    builder.default_provider("testing").open().await
}

#[tokio::test]
async fn the_guide() {
    let page = include_str!("../../../docs/guide/testing.md");
    let blocks: Vec<&str> = page.split("```rust\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(blocks.len() > 4);
    for block in blocks {
        assert!(include_str!("guide.rs").contains(block), "the page and this test differ; copy from there:\n{block}");
    }
    let home = tempfile::tempdir().unwrap();
    scripted(home.path()).await.unwrap();
    timed(home.path()).await.unwrap();
    faulty(home.path()).await.unwrap();
    taped(home.path()).await.unwrap();
}

#[rustfmt::skip]
async fn scripted(home: &Path) -> Done {
let script = Script::new()
    .on(["make", "test"], Reply::says("2 passed\n"))
    .starting_with(["git", "clone"], Reply::ok().file("project/README", "hello"))
    .respond(|call| call.script().is_some_and(|script| script.starts_with("ls")).then(|| Reply::says("README\n")));

let provider = TestProvider::builder().script(script).build();
let isobox = Isobox::builder()
    .home(home)
    .with_provider(Arc::new(provider.clone()))
    .default_provider("testing")
    .open()
    .await?;

let sandbox = isobox.sandbox().image("alpine:3.22").create().await?;
sandbox.exec(["git", "clone", "https://git.example/project"]).await?;
assert!(sandbox.exec(["make", "test"]).cwd("project").await?.success());
assert_eq!(sandbox.files().read_text("project/README").await?, "hello");

provider.script().on(["python3", "-i"], Reply::talk(async |mut talk| {
    while let Some(line) = talk.read_line().await {
        talk.write(format!("you said {line}\n"));
    }
    0
}));
let python = sandbox.exec(["python3", "-i"]).stdin_stream().spawn().await?;
python.write("1 + 1\n").await?;
assert_eq!(python.next().await?, Some(OutputEvent::Stdout("you said 1 + 1\n".into())));

assert_eq!(sandbox.shell("ls project").await?.stdout.text(), "README\n");
sandbox.delete().await?;
let recording = provider.recording();
recording.assert_ran(["make", "test"]);
recording.assert_ran_in_order(&[&["git", "clone", "https://git.example/project"], &["make", "test"]]);
recording.assert_count(Operation::Create, 1);
recording.assert_nothing_unexpected();
provider.assert_nothing_left().await;                               // no sandbox was forgotten
Ok(())
}

#[rustfmt::skip]
async fn timed(home: &Path) -> Done {
let provider = TestProvider::builder()
    .script(Script::new().otherwise(Reply::ok().after(Duration::from_secs(3600))))
    .clock(Clock::manual())
    .build();
let isobox = open(&provider, home).await?;
let sandbox = isobox.sandbox().ttl(Duration::from_secs(60)).create().await?;

let running = tokio::spawn(async move { sandbox.exec(["train"]).await });
provider.clock().until_awaited().await;                             // the command runs by now
provider.clock().advance(Duration::from_secs(60));
let error = running.await?.unwrap_err();
assert_eq!(error.post_mortem().map(|death| death.cause), Some(DeathCause::Expired));
Ok(())
}

#[rustfmt::skip]
async fn faulty(home: &Path) -> Done {
let plan = FaultPlan::seeded(7)
    .with(Fault::on(Operation::Create).first(2).fails(ErrorCode::RateLimited))
    .with(Fault::on(Operation::Exec).about("make").every(10).loses_output_after(100))
    .with(Fault::on(Operation::Exec).with_probability(0.01).kills_sandbox(DeathCause::Oom))
    .with(Fault::on(Operation::Exec).takes_between(Duration::from_millis(1), Duration::from_millis(50)));
let provider = TestProvider::builder().faults(plan).build();
let isobox = open(&provider, home).await?;
for fails in [true, true, false] {
    assert_eq!(isobox.sandbox().create().await.is_err(), fails);
}
Ok(())
}

/// The program that is recorded.
async fn lines(isobox: &Isobox) -> isobox::Result<usize> {
    let sandbox = isobox.sandbox().provider("host").create().await?;
    let listed = sandbox.shell("printf 'a\\nb\\n' > names; cat names").await?.check(None)?;
    sandbox.delete().await?;
    Ok(listed.stdout.text().lines().count())
}

#[rustfmt::skip]
async fn taped(home: &Path) -> Done {
let (isobox, tape) = (Isobox::builder().home(home).open().await?, home.join("tape"));
let host: Arc<dyn Provider> = isobox.provider("host").await?;
let recorder = Arc::new(TapeRecorder::open(host, &tape)?);
let recording = Isobox::builder().home(home.join("recording")).with_provider(recorder.clone()).open().await?;
assert_eq!(lines(&recording).await?, 2);                            // the program, over the real provider
recorder.check()?;

let provider = Tape::open(&tape)?.provider();
let playing = Isobox::builder().home(home.join("playing")).with_provider(Arc::new(provider)).open().await?;
assert_eq!(lines(&playing).await?, 2);                              // and over the tape, where nothing runs
Ok(())
}
