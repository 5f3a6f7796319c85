//! A command is known by its id: it is listed, followed, signalled and awaited by whoever has that, also from elsewhere.

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

use commands::{mark, read_until, until_gone, within_long};
use common::{Lab, on_each_provider, processes_with};
use isobox::contract::{Context, Provider};
use isobox::{
    ErrorCode, ExecId, ExecRequest, OutputEvent, OutputLimits, Process, ProcessState, Replay, SandboxId, SandboxSpec,
    Signal, Stream, Termination,
};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn a_listing_says_what_runs_and_what_ran() {
    on_each_provider(async |provider, sandbox| {
        assert!(sandbox.processes().await.unwrap().is_empty());
        let running =
            sandbox.shell("echo began; sleep 1000").label("sleeper").detached().pty(24, 80).spawn().await.unwrap();
        read_until(&running, "began").await;
        let ended = sandbox.shell("echo out; echo error >&2; exit 3").id(ExecId::generate());
        ended.run().await.unwrap();
        let all = sandbox.processes().await.unwrap();
        assert_eq!(all.len(), 2, "{all:?} on {provider}");
        let first = all.iter().find(|info| info.id == *running.id()).unwrap();
        assert_eq!((first.label.as_deref(), first.pty, first.detached), (Some("sleeper"), true, true));
        assert_eq!((first.state.clone(), first.pid), (ProcessState::Running, running.pid()));
        assert_eq!(
            first.argv.iter().map(|word| &word.0[..]).collect::<Vec<_>>(),
            [&b"sh"[..], b"-c", b"echo began; sleep 1000"]
        );
        let second = all.iter().find(|info| info.id != *running.id()).unwrap();
        assert_eq!((second.stdout_bytes, second.stderr_bytes), (4, 6));
        let ProcessState::Exited(exit) = &second.state else { panic!("{second:?} on {provider}") };
        assert_eq!((exit.exit_code, exit.termination), (3, Termination::Exited));
        running.kill().await.unwrap();
        let all = sandbox.processes().await.unwrap();
        assert!(all.iter().all(|info| info.state != ProcessState::Running), "{all:?} on {provider}");
    })
    .await;
}

#[tokio::test]
async fn an_id_names_one_command_at_a_time() {
    on_each_provider(async |_, sandbox| {
        let id = ExecId::generate();
        let first = sandbox.exec(["sleep", "1000"]).id(id).spawn().await.unwrap();
        for _ in 0..3 {
            let error = sandbox.exec(["true"]).id(id).run().await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::Conflict, "{error}");
        }
        assert_eq!(sandbox.processes().await.unwrap().len(), 1);
        first.kill().await.unwrap();
        assert!(sandbox.exec(["true"]).id(id).run().await.unwrap().success());
        assert!(first.wait().await.unwrap().cancelled);
    })
    .await;
}

#[tokio::test]
async fn an_unknown_id_is_not_found() {
    on_each_provider(async |_, sandbox| {
        let error = sandbox.process(&ExecId::generate()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotFound, "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_second_handle_replays_then_follows() {
    on_each_provider(async |_, sandbox| {
        let script = "echo one; echo error >&2; while read line; do echo $line; done; exit 3";
        let first = sandbox.shell(script).stdin_stream().spawn().await.unwrap();
        read_until_either(&first, "one\n", "error\n").await;
        let second = sandbox.process(first.id()).await.unwrap();
        read_until_either(&second, "one\n", "error\n").await;
        let third = sandbox.process_from(first.id(), Replay::From { stdout: 2, stderr: 6 }).await.unwrap();
        let fourth = sandbox.process_from(first.id(), Replay::New).await.unwrap();
        first.write("two\n").await.unwrap();
        assert_eq!(read_until(&second, "two\n").await, "two\n");
        assert_eq!(read_until(&third, "two\n").await, "e\ntwo\n");
        assert_eq!(read_until(&fourth, "two\n").await, "two\n");
        drop(second);
        first.write("three\n").await.unwrap();
        assert_eq!(read_until(&third, "three\n").await, "three\n");
        first.close_stdin().await.unwrap();
        for handle in [&first, &third, &fourth] {
            assert_eq!(within_long(handle.wait()).await.unwrap().exit_code, 3);
        }
        let late = sandbox.process(first.id()).await.unwrap();
        let result = within_long(late.wait()).await.unwrap();
        assert_eq!((result.stdout.text().as_ref(), result.stderr.text().as_ref()), ("one\ntwo\nthree\n", "error\n"));
    })
    .await;
}

async fn read_until_either(process: &Process, stdout: &str, stderr: &str) {
    let (mut out, mut error) = (Vec::new(), Vec::new());
    while out != stdout.as_bytes() || error != stderr.as_bytes() {
        match within_long(process.next()).await.unwrap() {
            Some(OutputEvent::Stdout(bytes)) => out.extend_from_slice(&bytes),
            Some(OutputEvent::Stderr(bytes)) => error.extend_from_slice(&bytes),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn what_is_not_kept_any_more_is_a_gap() {
    on_each_provider(async |provider, sandbox| {
        let command = sandbox.shell("seq 1 1000000; echo done >&2; sleep 1000").output(OutputLimits::none()).spawn();
        let process = command.await.unwrap();
        loop {
            if let Some(OutputEvent::Stderr(_)) = within_long(process.next()).await.unwrap() {
                break;
            }
        }
        let second = sandbox.process(process.id()).await.unwrap();
        let (mut missed, mut bytes) = (0, 0);
        while missed + bytes < 6_888_896 {
            match within_long(second.next()).await.unwrap() {
                Some(OutputEvent::Gap { stream: Stream::Stdout, bytes }) => missed += bytes,
                Some(OutputEvent::Stdout(data)) => bytes += data.len() as u64,
                Some(OutputEvent::Stderr(_)) => {}
                other => panic!("{other:?} on {provider}"),
            }
        }
        assert!(missed > 0 && bytes > 0 && missed + bytes == 6_888_896, "{missed} and {bytes} on {provider}");
    })
    .await;
}

#[tokio::test]
async fn a_second_handle_can_do_everything() {
    on_each_provider(async |provider, sandbox| {
        let script = "trap 'echo term; exit 4' TERM; trap 'echo usr' USR1; echo began; while :; do sleep 0.05; done";
        let first = sandbox.shell(script).grace(Duration::from_secs(30)).merge_stderr().spawn().await.unwrap();
        let second = sandbox.process(first.id()).await.unwrap();
        assert_eq!(second.pid(), first.pid());
        read_until(&second, "began\n").await;
        second.signal_to(Signal::USR1, isobox::SignalTarget::Leader).await.unwrap();
        read_until(&second, "usr\n").await;
        within_long(second.stop()).await.unwrap();
        let (one, two) = (first.wait().await.unwrap(), second.wait().await.unwrap());
        assert_eq!(one, two, "on {provider}");
        assert_eq!(
            (one.exit_code, one.termination),
            (4, Termination::Cancelled),
            "the grace is the command's own, on {provider}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_detached_command_outlives_its_handle() {
    on_each_provider(async |provider, sandbox| {
        for late in [false, true] {
            let mark = mark();
            let command = sandbox.shell(format!("echo began; sleep {mark}; echo never"));
            let process = if late { command.spawn().await.unwrap() } else { command.detached().spawn().await.unwrap() };
            if late {
                process.detach().await.unwrap();
            }
            read_until(&process, "began\n").await;
            let id = *process.id();
            drop(process);
            // Whatever the drop does, it has done it when the next commands have come and gone.
            for _ in 0..20 {
                assert!(sandbox.exec(["true"]).await.unwrap().success());
            }
            assert!(!processes_with(&mark).is_empty(), "on {provider}");
            let again = sandbox.process(&id).await.unwrap();
            assert_eq!(read_until(&again, "began\n").await, "began\n");
            again.kill().await.unwrap();
            until_gone(&mark).await;
        }
    })
    .await;
}

fn provider(kind: &str, home: &std::path::Path) -> Arc<dyn Provider> {
    match kind {
        "host" => Arc::new(isobox_host::HostProvider::open(home).unwrap()),
        _ => Arc::new(isobox_namespace::NamespaceProvider::open(home).unwrap()),
    }
}

#[tokio::test]
async fn another_connection_finds_the_commands() {
    for kind in common::PROVIDERS {
        let lab = Lab::open().await;
        let (context, id) = (Context::quiet(), SandboxId::generate());
        let made = provider(kind, lab.home()).create(&id, &SandboxSpec::default(), &context).await.unwrap();
        let first = made
            .exec()
            .spawn(ExecRequest::shell("echo began; read line; echo $line; sleep 1000").stdin(isobox::Stdin::Stream))
            .await
            .unwrap();

        // As another process of this machine would, with nothing but the record.
        let found = provider(kind, lab.home()).attach(&made.record(), &context).await.unwrap();
        let listed: Vec<ExecId> = found.exec().processes().await.unwrap().into_iter().map(|info| info.id).collect();
        assert_eq!(listed, [*first.id()], "on {kind}");
        let second = found.exec().attach(first.id(), Replay::All).await.unwrap();
        assert_eq!(within_long(second.next()).await.unwrap(), Some(OutputEvent::Stdout("began\n".into())));
        within_long(second.write("from elsewhere\n".into())).await.unwrap();
        assert_eq!(within_long(second.next()).await.unwrap(), Some(OutputEvent::Stdout("from elsewhere\n".into())));
        within_long(second.stop(None)).await.unwrap();
        assert_eq!(first.wait().await.unwrap().termination, Termination::Killed, "on {kind}");
        made.delete(&context).await.unwrap();
        assert!(lab.left_over().is_empty(), "on {kind}");
    }
}
