//! A sandbox that dies unasked: the cause is told, and nothing that was going on hangs.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{Lab, PROVIDERS, processes_with};
use elsewhere::{Elsewhere, PATIENCE, children, keeper, mark, settles};
use isobox::contract::{Context, SandboxRecord};
use isobox::{DeathCause, Ended, Error, ErrorCode, Isobox, Process, Sandbox};
use rustix::process::{Pid, Signal, kill_process};
use std::path::PathBuf;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

/// How long a call may take to notice that its sandbox is gone: a bound, not an expectation.
const PROMPTLY: Duration = Duration::from_secs(5);

/// A sandbox and its process on this machine.
async fn with_keeper(lab: &Lab, provider: &str) -> (Sandbox, Pid) {
    let sandbox = lab.sandbox(provider).await;
    let keeper = keeper(lab.home(), sandbox.id());
    (sandbox, keeper)
}

async fn cause(sandbox: &Sandbox) -> DeathCause {
    match timeout(PROMPTLY, sandbox.ended()).await.expect("its end is noticed").unwrap() {
        Ended::Died(post_mortem) => post_mortem.cause,
        other => panic!("it did not die but {other:?}"),
    }
}

fn assert_gone(error: &Error, cause: DeathCause) {
    assert_eq!(error.code(), ErrorCode::SandboxGone, "{error}");
    assert_eq!(error.post_mortem().map(|post_mortem| post_mortem.cause), Some(cause), "{error}");
}

#[tokio::test]
async fn a_keeper_that_is_killed_was_removed_from_outside() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let (sandbox, keeper) = with_keeper(&lab, provider).await;
        let mark = mark();
        sandbox.shell(format!("mkdir -p a/b; touch a/b/c; setsid sleep {mark} >/dev/null 2>&1 &")).await.unwrap();
        kill_process(keeper, Signal::KILL).unwrap();
        assert_eq!(cause(&sandbox).await, DeathCause::RemovedExternally, "{provider}");
        settles("everything in it ending", || processes_with(&mark).is_empty()).await;
        assert_gone(&sandbox.exec(["true"]).await.unwrap_err(), DeathCause::RemovedExternally);
        sandbox.delete().await.unwrap();
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new(), "{provider}");
    }
}

#[tokio::test]
async fn an_agent_that_is_killed_has_crashed() {
    let lab = Lab::open().await;
    let (sandbox, keeper) = with_keeper(&lab, "namespace").await;
    let init = children(keeper)[0];
    kill_process(init, Signal::KILL).unwrap();
    assert_eq!(cause(&sandbox).await, DeathCause::AgentCrashed);
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
    assert_gone(&sandbox.exec(["true"]).await.unwrap_err(), DeathCause::AgentCrashed);
}

#[tokio::test]
async fn a_command_cannot_end_its_sandbox() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    for signal in ["TERM", "KILL", "INT", "HUP", "USR1", "STOP", "ABRT"] {
        sandbox.shell(format!("kill -{signal} 1")).await.unwrap();
        assert!(sandbox.exec(["true"]).timeout(PROMPTLY).await.unwrap().success(), "after {signal}");
    }
    sandbox.delete().await.unwrap();
}

/// Everything that can be going on in a sandbox, each as a future that ends with the error it fails with.
async fn under_way(sandbox: &Sandbox) -> Vec<(&'static str, tokio::task::JoinHandle<Error>)> {
    let files = sandbox.files();
    sandbox.shell("mkdir watched; head -c 50000000 /dev/zero > large").await.unwrap();
    let process = sandbox.exec(["sleep", "1000"]).spawn().await.unwrap();
    let second: Process = sandbox.exec(["cat"]).stdin_stream().spawn().await.unwrap();
    let mut stream = files.read_stream("large").await.unwrap();
    let mut watch = files.watch("watched").await.unwrap();
    let (exec, forth) = (sandbox.clone(), sandbox.clone());
    let run = async move { exec.exec(["sleep", "1000"]).await.unwrap_err() };
    let written = async move {
        loop {
            if let Err(error) = forth.files().write("again", vec![0; 1 << 20]).await {
                return error;
            }
        }
    };
    let next = async move { process.next().await.unwrap_err() };
    let wait = async move { second.wait().await.unwrap_err() };
    let read = async move {
        let mut buffer = [0; 1000];
        loop {
            match stream.read(&mut buffer).await {
                Ok(0) => panic!("half a file was taken for all of it"),
                // Slowly, so that it is not through before the end comes.
                Ok(_) => tokio::time::sleep(Duration::from_millis(5)).await,
                Err(error) => return *error.into_inner().unwrap().downcast::<Error>().unwrap(),
            }
        }
    };
    let watched = async move {
        loop {
            match watch.next().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the watch just ended"),
                Err(error) => return error,
            }
        }
    };
    vec![
        ("exec", tokio::spawn(run)),
        ("files.write", tokio::spawn(written)),
        ("process.next", tokio::spawn(next)),
        ("process.wait", tokio::spawn(wait)),
        ("read_stream", tokio::spawn(read)),
        ("watch", tokio::spawn(watched)),
    ]
}

#[tokio::test]
async fn calls_under_way_fail_with_the_cause_and_none_hangs() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let (sandbox, keeper) = with_keeper(&lab, provider).await;
        let calls = under_way(&sandbox).await;
        settles_running(&sandbox, 3).await;
        kill_process(keeper, Signal::KILL).unwrap();
        for (name, call) in calls {
            let error = timeout(PROMPTLY, call).await.unwrap_or_else(|_| panic!("{name} hangs on {provider}"));
            eprintln!("{name} on {provider}");
            assert_gone(&error.unwrap(), DeathCause::RemovedExternally);
        }
        sandbox.delete().await.unwrap();
    }
}

async fn settles_running(sandbox: &Sandbox, count: usize) {
    let until = tokio::time::Instant::now() + PATIENCE;
    while sandbox.processes().await.unwrap().len() < count {
        assert!(tokio::time::Instant::now() < until);
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_connection_to_a_port_ends_with_the_sandbox() {
    const LISTEN: &str = "import socket, time
listener = socket.create_server(('127.0.0.1', 0))
print(listener.getsockname()[1], flush=True)
listener.accept(); time.sleep(1000)";
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let (sandbox, keeper) = with_keeper(&lab, provider).await;
        let server = sandbox.exec(["python3", "-c", LISTEN]).spawn().await.unwrap();
        let Some(isobox::OutputEvent::Stdout(line)) = server.next().await.unwrap() else {
            eprintln!("on {provider}: skipped, there is no python3");
            continue;
        };
        let mut connection = sandbox.connect(String::from_utf8_lossy(&line).trim().parse().unwrap()).await.unwrap();
        kill_process(keeper, Signal::KILL).unwrap();
        let mut byte = [0];
        let read = timeout(PROMPTLY, connection.read(&mut byte)).await.expect("the connection ends");
        assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
        sandbox.delete().await.unwrap();
    }
}

/// Owns a sandbox of each provider and passes their records on.
#[test]
#[ignore = "a process of the other tests"]
fn owner() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let mut owned = Vec::new();
        for name in PROVIDERS {
            let provider = isobox.provider(name).await.unwrap();
            let mut spec = isobox::SandboxSpec::default();
            spec.lifetimes.owner_lease = Some(Duration::from_millis(100));
            let sandbox = provider.create(&isobox::SandboxId::generate(), &spec, &Context::quiet()).await.unwrap();
            elsewhere::say(&serde_json::to_string(&sandbox.record()).unwrap());
            owned.push(sandbox);
        }
        elsewhere::hear();
    });
}

#[tokio::test]
async fn a_second_handle_learns_that_the_owner_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let mut owner = Elsewhere::start("owner", home.path());
    let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
    let mut handles = Vec::new();
    for name in PROVIDERS {
        let record: SandboxRecord = serde_json::from_str(&owner.hear()).unwrap();
        let provider = isobox.provider(name).await.unwrap();
        handles.push(provider.attach(&record, &Context::quiet()).await.unwrap());
    }
    owner.kill();
    for handle in handles {
        let Ended::Died(post_mortem) = timeout(PROMPTLY, handle.ended()).await.unwrap().unwrap() else { panic!() };
        assert_eq!(post_mortem.cause, DeathCause::OwnerLost);
        let error = handle.exec().run(isobox::ExecRequest::argv(["true"])).await.unwrap_err();
        assert_gone(&error, DeathCause::OwnerLost);
    }
}
