//! Services run until somebody ends them, and are found by whoever looks.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/commands.rs"]
mod commands;
mod common;

use commands::{mark, until_gone, until_there, within_long};
use common::{Lab, PROVIDERS, on_each_provider};
use isobox::contract::{Context, Provider, Services as _};
use isobox::{Detail, ErrorCode, ExecRequest, Ready, SandboxId, SandboxSpec};
use isobox_derived::DerivedServices;
use std::future::IntoFuture;
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn a_service_is_found_by_name_and_stopped_with_its_tree() {
    on_each_provider(async |provider, sandbox| {
        let services = sandbox.services();
        let mark = mark();
        let script = format!("echo out; echo err >&2; setsid sleep {mark} & echo up; exec sleep {mark}");
        let started = services.shell("web.1", script).env("A", "b").ready_when_it_says("up").await.unwrap();
        drop(started);
        until_there(&mark).await;

        let service = services.get("web.1").await.unwrap();
        let status = service.status().await.unwrap();
        assert!(status.running && status.exit_code.is_none(), "on {provider}");
        assert_eq!(&service.logs(1000).await.unwrap()[..], b"out\nerr\nup\n", "on {provider}");
        assert_eq!(&service.logs(5).await.unwrap()[..], b"r\nup\n", "on {provider}");
        assert_eq!(service.logs(0).await.unwrap().len(), 0);
        let error = services.exec("web.1", ["true"]).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::AlreadyExists, "on {provider}");

        service.stop_within(Duration::from_millis(200)).await.unwrap();
        until_gone(&mark).await;
        let status = service.status().await.unwrap();
        assert!(!status.running && status.exit_code.is_some(), "on {provider}");
        assert_eq!(&service.logs(3).await.unwrap()[..], b"up\n", "on {provider}");
        service.stop().await.unwrap();
        assert_eq!(services.get("other").await.unwrap_err().code(), ErrorCode::NotFound);

        // The name is free again, and then means the new one.
        let again = services.shell("web.1", "echo again; exit 4").await.unwrap();
        within_long(async { while again.status().await.unwrap().running {} }).await;
        assert_eq!(services.get("web.1").await.unwrap().id(), again.id());
        assert_eq!(again.status().await.unwrap().exit_code, Some(4));
        assert_eq!(services.list().await.unwrap().len(), 2);
    })
    .await;
}

#[tokio::test]
async fn term_comes_first_and_kill_after_the_grace() {
    on_each_provider(async |provider, sandbox| {
        let services = sandbox.services();
        let script = "trap 'echo terminated; exit 9' TERM; echo up; while :; do sleep 0.05; done";
        let polite = services.shell("polite", script).ready_when_it_says("up\n").await.unwrap();
        within_long(polite.stop_within(Duration::from_secs(30))).await.unwrap();
        assert_eq!(polite.status().await.unwrap().exit_code, Some(9), "on {provider}");
        assert!(polite.logs(100).await.unwrap().ends_with(b"terminated\n"), "on {provider}");
        let script = "trap '' TERM; echo up; while :; do sleep 0.05; done";
        let stubborn = services.shell("stubborn", script).ready_when_it_says("up\n").await.unwrap();
        within_long(stubborn.stop_within(Duration::from_millis(100))).await.unwrap();
        assert_eq!(stubborn.status().await.unwrap().exit_code, Some(137), "on {provider}");
    })
    .await;
}

#[tokio::test]
async fn readiness_is_a_port_a_line_or_a_command() {
    on_each_provider(async |provider, sandbox| {
        let services = sandbox.services();
        let ready = services.shell("file", "sleep 0.1; touch ready; sleep 1000").ready_when("test -e ready");
        ready.await.unwrap().stop().await.unwrap();

        if sandbox.shell("python3 -c 'import socket'").await.unwrap().success() {
            let python = "import socket, time; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); time.sleep(1000)";
            let first = services.exec("any", ["python3", "-c", python]).ready_when_it_says("\n").await.unwrap();
            let port: u16 = String::from_utf8_lossy(&first.logs(100).await.unwrap()).trim().parse().unwrap();
            first.wait_ready(&Ready::Port(port), Duration::from_secs(30)).await.unwrap();
            first.stop().await.unwrap();
        } else {
            eprintln!("skipped: there is no python3 on {provider} to listen with");
        }

        let failed = services.shell("broken", "echo cannot start; exit 3").ready_when_it_says("up").await.unwrap_err();
        let Detail::Exec(failure) = failed.detail() else { panic!("{failed:?} on {provider}") };
        assert_eq!((failed.code(), failure.exit_code), (ErrorCode::CommandFailed, Some(3)));
        assert_eq!(failure.stdout.text(), "cannot start\n");
        assert!(!failed.to_string().contains("cannot start"));

        let ended = services.shell("ended", "exit 5").ready_when("false").await.unwrap_err();
        assert_eq!(ended.code(), ErrorCode::CommandFailed, "on {provider}");
        let ended = services.shell("ended", "exit 5").ready_on_port(1).await.unwrap_err();
        assert_eq!(ended.code(), ErrorCode::CommandFailed, "on {provider}");

        let mark = mark();
        let late = services.shell("late", format!("sleep {mark}")).ready_when_it_says("up");
        let error = late.ready_timeout(Duration::from_millis(200)).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout, "on {provider}");
        until_gone(&mark).await;
    })
    .await;
}

#[tokio::test]
async fn what_a_service_cannot_be_is_refused() {
    on_each_provider(async |_, sandbox| {
        let services = sandbox.services();
        let field = async |name: &str, request: ExecRequest| {
            let error = services.request(name, request).await.unwrap_err();
            match error.detail() {
                Detail::InvalidSpec { field, .. } => field.clone(),
                other => panic!("{other:?}"),
            }
        };
        let long = "x".repeat(65);
        for name in ["", "a b", "../a", "a/b", "ä", "a\n", &long] {
            assert_eq!(field(name, ExecRequest::argv(["true"])).await, "name", "{name:?}");
        }
        assert_eq!(field("a", ExecRequest::argv(["true"]).timeout(Duration::from_secs(1))).await, "timeout");
        assert_eq!(field("a", ExecRequest::argv(["cat"]).stdin(isobox::Stdin::Stream)).await, "stdin");
        let missing = services.exec("a", ["no-such-program"]).await.unwrap_err();
        assert_eq!(missing.code(), ErrorCode::NotFound);
        // What names the shell would trip over arrive all the same, and values are values.
        let service = services.exec("env", ["env"]).env("A-b", "$(touch x) 'y'").await.unwrap();
        within_long(async { while service.status().await.unwrap().running {} }).await;
        let logs = service.logs(10_000).await.unwrap();
        assert!(String::from_utf8_lossy(&logs).contains("A-b=$(touch x) 'y'\n"));
    })
    .await;
}

#[tokio::test]
async fn of_those_who_start_one_at_the_same_time_one_does() {
    on_each_provider(async |provider, sandbox| {
        let mark = mark();
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let starting = sandbox.services().exec("one", ["sleep", &mark]);
            tasks.spawn(starting.into_future());
        }
        let results = within_long(tasks.join_all()).await;
        let (started, refused): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        assert_eq!(started.len(), 1, "on {provider}");
        assert!(refused.into_iter().all(|error| error.unwrap_err().code() == ErrorCode::AlreadyExists));
        let running = sandbox.services().get("one").await.unwrap();
        assert!(running.status().await.unwrap().running);
        assert_eq!(running.id(), started[0].as_ref().unwrap().id());
    })
    .await;
}

#[tokio::test]
async fn much_output_is_kept_from_its_end() {
    on_each_provider(async |provider, sandbox| {
        let script = "head -c 5000000 /dev/zero | tr '\\0' x; echo end; sleep 1000";
        let service = sandbox.services().shell("loud", script).ready_when_it_says("end\n").await.unwrap();
        let logs = service.logs(10_000_000).await.unwrap();
        assert!(
            logs.ends_with(b"xend\n") && logs.len() >= 1 << 20 && logs.len() < 2 << 20,
            "{} on {provider}",
            logs.len()
        );
        assert_eq!(service.logs(100).await.unwrap().len(), 100);
    })
    .await;
}

#[tokio::test]
async fn services_end_with_their_sandbox() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        let mark = mark();
        sandbox.services().exec("one", ["sleep", &mark]).await.unwrap();
        until_there(&mark).await;
        sandbox.delete().await.unwrap();
        until_gone(&mark).await;
        assert_eq!(sandbox.services().get("one").await.unwrap_err().code(), ErrorCode::SandboxGone, "on {provider}");
    }
}

#[tokio::test]
async fn another_connection_finds_them_by_name() {
    for kind in PROVIDERS {
        let lab = Lab::open().await;
        let provider: Arc<dyn Provider> = match kind {
            "host" => Arc::new(isobox_host::HostProvider::open(lab.home()).unwrap()),
            _ => Arc::new(isobox_namespace::NamespaceProvider::open(lab.home()).unwrap()),
        };
        let (context, id, mark) = (Context::quiet(), SandboxId::generate(), mark());
        let made = provider.create(&id, &SandboxSpec::default(), &context).await.unwrap();
        let request = ExecRequest::shell(format!("echo up; sleep {mark}"));
        let started = DerivedServices::new(made.clone()).start("web", request.clone()).await.unwrap();
        until_there(&mark).await;

        // As another process of this machine would, with nothing but the record.
        let services = DerivedServices::new(provider.attach(&made.record(), &context).await.unwrap());
        let found = services.find("web").await.unwrap();
        assert_eq!((found.id, found.status.running), (started, true), "on {kind}");
        assert_eq!(&services.logs(&found.id, 100).await.unwrap()[..], b"up\n");
        assert_eq!(services.start("web", request).await.unwrap_err().code(), ErrorCode::AlreadyExists);
        services.stop(&found.id, Duration::ZERO).await.unwrap();
        until_gone(&mark).await;
        assert!(!DerivedServices::new(made.clone()).find("web").await.unwrap().status.running, "on {kind}");
        made.delete(&context).await.unwrap();
    }
}
