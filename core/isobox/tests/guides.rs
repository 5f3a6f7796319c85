//! The Rust code of the guides, run. It is here word for word, which the tests check.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Lab, on_each_provider};
use isobox::{Error, EventFilter, EventKind, Followed, Isobox, Limits, Sandbox, TakeOptions, VolumeMount};
use std::time::Duration;

/// Every block of Rust code of a page is in this file.
fn is_here(page: &str) {
    let blocks: Vec<&str> = page.split("```rust\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(!blocks.is_empty(), "the page has no code");
    for block in blocks {
        assert!(include_str!("guides.rs").contains(block), "a page and this test differ; copy from there:\n{block}");
    }
}

#[tokio::test]
async fn sessions() {
    is_here(include_str!("../../../docs/guide/sessions.md"));
    on_each_provider(async |_, sandbox| session_code(&sandbox).await.unwrap()).await;
}

#[tokio::test]
async fn services() {
    is_here(include_str!("../../../docs/guide/services.md"));
    on_each_provider(async |_, sandbox| {
        if !sandbox.exec(["sh", "-c", "command -v python3"]).await.unwrap().success() {
            eprintln!("skipped: there is no python3 to serve with");
            return;
        }
        let script = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])";
        let port = sandbox.exec(["python3", "-c", script]).await.unwrap().stdout.text().trim().parse().unwrap();
        service_code(&sandbox, port).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn events() {
    is_here(include_str!("../../../docs/guide/events.md"));
    for provider in common::PROVIDERS {
        let lab = Lab::open().await;
        event_code(&lab.isobox, &lab.sandbox(provider).await).await.unwrap();
    }
}

#[rustfmt::skip]
async fn event_code(isobox: &Isobox, sandbox: &Sandbox) -> Result<(), Error> {
let filter = EventFilter { sandboxes: vec![*sandbox.id()], kinds: vec!["exec_exited".into()] };
let mut events = isobox.events(isobox.last_event().await?, filter);

sandbox.shell("exit 3").label("build").await?;

let Followed::Event(event) = events.next().await? else { panic!("nothing is gone") };
let EventKind::ExecExited { exec, exit } = &event.kind else { panic!("no other kind was asked for") };
assert_eq!(exit.exit_code, 3);

// What ran is known for longer than it runs, and for longer than its sandbox lives.
sandbox.delete().await?;
let commands = isobox.processes(sandbox.id().as_str()).await?;
assert_eq!((commands[0].id, commands[0].label.as_deref()), (*exec, Some("build")));
Ok(())
}

#[tokio::test]
async fn volumes() {
    is_here(include_str!("../../../docs/guide/volumes.md"));
    let lab = Lab::open().await;
    volume_code(&lab.isobox).await.unwrap();
}

#[rustfmt::skip]
async fn volume_code(isobox: &Isobox) -> Result<(), Box<dyn std::error::Error>> {
isobox.volumes().create("cache").await?;

let writer = isobox.sandbox().volume("cache", "/cache").create().await?;
writer.shell("echo prepared > /cache/state").await?;

let mount = VolumeMount::new("cache".parse()?, "/input").read_only();
let reader = isobox.sandbox().volume_mount(mount).create().await?;
assert_eq!(reader.files().read_text("/input/state").await?, "prepared\n");

let cache = isobox.volumes().inspect("cache").await?;
assert_eq!(cache.used_by, [*writer.id(), *reader.id()]);
Ok(())
}

#[tokio::test]
async fn search() {
    is_here(include_str!("../../../docs/guide/search.md"));
    on_each_provider(async |provider, sandbox| {
        if provider == "host" {
            search_code(&sandbox).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn pools_and_limits() {
    is_here(include_str!("../../../docs/guide/pools-and-limits.md"));
    let lab = Lab::open().await;
    limits_code(&lab.isobox).await.unwrap();
    pools_code(&lab.isobox).await.unwrap();
    shared_pool_code(&lab.isobox).await.unwrap();
}

#[rustfmt::skip]
async fn shared_pool_code(isobox: &Isobox) -> Result<(), Error> {
let pool = isobox.pool(isobox.sandbox().env("LANG", "C.UTF-8"), 4).shared_as("build").open().await?;

let sandbox = isobox.take_from("build").await?;
assert!(sandbox.shell("echo $LANG").await?.success());
    sandbox.delete().await?;
    pool.close().await
}

#[rustfmt::skip]
async fn pools_code(isobox: &Isobox) -> Result<(), Error> {
let pool = isobox.pool(isobox.sandbox().env("LANG", "C.UTF-8"), 4).min_ready(1).open().await?;

let sandbox = pool.take().await?;
assert!(sandbox.shell("echo $LANG").await?.success());
sandbox.delete().await?;

let build = pool.take_with(TakeOptions::default().name("build-7").label("team", "blue").ttl(Duration::from_secs(600))).await?;
assert_eq!(isobox.inspect("build-7").await?.id, *build.id());

pool.close().await?;                                               // what was taken lives on
    build.delete().await
}

#[rustfmt::skip]
async fn limits_code(isobox: &Isobox) -> Result<(), Error> {
let limits = isobox.limits().await?;
isobox.set_limits(Limits { live_sandboxes: Some(500), ..limits }).await?;

let queue = isobox.queue().await?;
println!("{} live, {} being made", queue.live, queue.making.len());
for waiting in &queue.waiting {
    println!("{:?}: {} of process {:?}", waiting.position, waiting.sandbox, waiting.pid);
}
    assert_eq!(isobox.limits().await?.live_sandboxes, Some(500));
    Ok(())
}

#[tokio::test]
async fn git() {
    is_here(include_str!("../../../docs/guide/git.md"));
    on_each_provider(async |provider, sandbox| {
        if provider != "host" || !sandbox.shell("command -v git").await.unwrap().success() {
            return;
        }
        let upstream = sandbox.git().init("upstream").await.unwrap();
        upstream.commit("First").author("Me", "me@example.org").allow_empty().await.unwrap();
        upstream.set_config("receive.denyCurrentBranch", "ignore").await.unwrap();
        let url = format!("file://{}/upstream", sandbox.workdir());
        git_code(&sandbox, &url).await.unwrap();
    })
    .await;
}

#[rustfmt::skip]
async fn git_code(sandbox: &Sandbox, url: &str) -> Result<(), Error> {
let repository = sandbox.git().clone_repository(url, "project").branch("main").depth(1).await?;

sandbox.files().write("project/notes.txt", "remember\n").await?;
let status = repository.status().await?;
assert_eq!((status.entries[0].path.to_string(), status.entries[0].index), ("notes.txt".into(), '?'));

repository.add_all().await?;
let commit = repository.commit("Take a note").author("Me", "me@example.org").await?;
repository.push().await?;                                               // .credentials("user", "token") for http(s)
assert_eq!(repository.log("origin/main", 10).await?[0].id, commit);
    Ok(())
}

#[rustfmt::skip]
async fn service_code(sandbox: &Sandbox, port: u16) -> Result<(), Error> {
let services = sandbox.services();
services
    .exec("web", ["python3", "-m", "http.server", &port.to_string(), "--bind", "127.0.0.1"])
    .env("PYTHONUNBUFFERED", "1")
    .ready_on_port(port)
    .await?;

let web = services.get("web").await?;                                   // from any process, by its name
assert!(web.status().await?.running);
let lines = web.logs(4096).await?;                                      // the last bytes of both streams
assert!(lines.starts_with(b"Serving HTTP"));

web.stop().await?;                                                      // TERM, two seconds, KILL
assert!(!web.status().await?.running);
    Ok(())
}

#[rustfmt::skip]
async fn search_code(sandbox: &Sandbox) -> Result<(), Error> {
sandbox.files().write("src/main.rs", "fn main() {\n    todo!()\n}\n").await?;
let search = sandbox.search();

let found = search.grep(r"todo!\(").include("*.rs").max_matches(100).await?;
assert_eq!(found[0].path, "./src/main.rs".into());
assert_eq!((found[0].line_number, &found[0].line[..]), (2, &b"    todo!()"[..]));

assert_eq!(search.glob("src/**/*.rs", ".").await?, ["src/main.rs".into()]);
let files = search.walk(".").exclude("target").exclude(".git").await?;
assert_eq!((files.len(), files[0].size), (1, Some(26)));
    Ok(())
}

#[rustfmt::skip]
async fn session_code(sandbox: &Sandbox) -> Result<(), Error> {
let session = sandbox.session().await?;
session.run("cd /usr && greeting=hello").await?;

let result = session.run("echo $greeting from $PWD; false").await?;
assert_eq!((result.text().as_ref(), result.exit_code), ("hello from /usr\n", Some(1)));

let result = session.run("sleep 1000").timeout(Duration::from_millis(200)).await?;
assert!(result.timed_out && !result.closed);                            // interrupted, and the shell is still there
assert_eq!(session.run("echo $greeting").await?.text(), "hello\n");

let result = session.run("exit 3").await?;
assert!(result.closed && result.exit_code == Some(3));                  // the shell has ended with it
    Ok(())
}
