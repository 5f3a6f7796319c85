//! A result says what ended the command.

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
use common::on_each_provider;
use isobox::{ExecResult, Process, Sandbox, Signal, SignalTarget, Termination};
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(200);
const DEAF: &str = "trap '' TERM; echo began; while :; do sleep 0.1; done";
const POLITE: &str = "trap 'exit 3' TERM; echo began; while :; do sleep 0.05; done";
const PLAIN: &str = "echo began; exec sleep 1000";

fn end(result: &ExecResult) -> (Termination, i32, Option<i32>) {
    assert_eq!(result.timed_out, result.termination == Termination::TimedOut);
    assert_eq!(result.cancelled, matches!(result.termination, Termination::Cancelled | Termination::Killed));
    (result.termination, result.exit_code, result.signal)
}

async fn began(sandbox: &Sandbox, script: &str) -> Process {
    let process = sandbox.shell(script).grace(Duration::from_secs(30)).spawn().await.unwrap();
    read_until(&process, "began\n").await;
    process
}

#[tokio::test]
async fn ends_by_itself() {
    on_each_provider(async |provider, sandbox| {
        for (script, expected) in [
            ("exit 0", (Termination::Exited, 0, None)),
            ("exit 137", (Termination::Exited, 137, None)),
            ("exit 255", (Termination::Exited, 255, None)),
            ("kill -KILL $$", (Termination::Signalled, 137, Some(9))),
            ("kill -TERM $$", (Termination::Signalled, 143, Some(15))),
            ("kill -SEGV $$", (Termination::Signalled, 139, Some(11))),
            ("sh -c 'kill -KILL $$'; exit $?", (Termination::Exited, 137, None)),
        ] {
            let result = within_long(sandbox.shell(script).run()).await.unwrap();
            assert_eq!(end(&result), expected, "{script} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn timeouts() {
    on_each_provider(async |provider, sandbox| {
        let timed = |script: &str| sandbox.shell(script).timeout(Duration::from_secs(1));
        let long = Duration::from_secs(30);
        for (name, command, code, signal) in [
            ("no grace", timed(PLAIN), 137, Some(9)),
            ("no grace for a handler", timed(POLITE), 137, Some(9)),
            ("ended by TERM", timed(PLAIN).grace(long), 143, Some(15)),
            ("exits at TERM", timed(POLITE).grace(long), 3, None),
            ("deaf", timed(DEAF).grace(SHORT), 137, Some(9)),
        ] {
            let result = within_long(command.run()).await.unwrap();
            assert_eq!(end(&result), (Termination::TimedOut, code, signal), "{name} on {provider}");
            assert_eq!(result.stdout.text(), "began\n", "{name} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn stops() {
    on_each_provider(async |provider, sandbox| {
        for (name, script, grace, expected) in [
            ("ended by TERM", PLAIN, None, (Termination::Cancelled, 143, Some(15))),
            ("exits at TERM", POLITE, None, (Termination::Cancelled, 3, None)),
            ("deaf", DEAF, Some(SHORT), (Termination::Killed, 137, Some(9))),
            ("at once", POLITE, Some(Duration::ZERO), (Termination::Killed, 137, Some(9))),
        ] {
            let process = began(&sandbox, script).await;
            let stopped = match grace {
                None => within_long(process.stop()).await,
                Some(grace) => within_long(process.stop_within(grace)).await,
            };
            stopped.unwrap();
            let result = process.wait().await.unwrap();
            assert_eq!(end(&result), expected, "{name} on {provider}");
            process.stop().await.unwrap();
            process.signal(Signal::TERM).await.unwrap();
            assert_eq!(process.wait().await.unwrap(), result, "an end stays as it is, on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_second_stop_shortens_the_grace_of_the_first() {
    on_each_provider(async |_, sandbox| {
        let process = began(&sandbox, DEAF).await;
        let (first, second) = within_long(async {
            tokio::join!(process.stop_within(Duration::from_secs(1000)), process.stop_within(SHORT))
        })
        .await;
        first.unwrap();
        second.unwrap();
        assert_eq!(end(&process.wait().await.unwrap()).0, Termination::Killed);
    })
    .await;
}

#[tokio::test]
async fn a_stop_before_the_command_did_anything_holds() {
    on_each_provider(async |_, sandbox| {
        for grace in [Duration::ZERO, Duration::from_secs(30)] {
            let mark = mark();
            let process = sandbox.exec(["sleep", &mark]).spawn().await.unwrap();
            within_long(process.stop_within(grace)).await.unwrap();
            until_gone(&mark).await;
            assert!(process.wait().await.unwrap().cancelled);
        }
    })
    .await;
}

/// Says every TERM it gets, and every line.
const LISTENER: &str = "
import os, select, signal
woken, wake = os.pipe()
os.set_blocking(wake, False)
signal.set_wakeup_fd(wake)
signal.signal(signal.SIGTERM, lambda *_: None)
os.write(1, b'began\\n')
while True:
    for fd in select.select([0, woken], [], [])[0]:
        data = os.read(fd, 100)
        os.write(1, b'term\\n' * len(data) if fd == woken else b'line ' + data)
";

#[tokio::test]
async fn a_signal_is_one_signal() {
    on_each_provider(async |_, sandbox| {
        for target in [SignalTarget::Tree, SignalTarget::Leader] {
            let command = sandbox.exec(["python3", "-c", LISTENER]).grace(Duration::from_millis(1)).stdin_stream();
            let process = command.spawn().await.unwrap();
            read_until(&process, "began\n").await;
            process.signal_to(Signal::TERM, target).await.unwrap();
            assert_eq!(read_until(&process, "term\n").await, "term\n");
            process.write("still here\n").await.unwrap();
            assert_eq!(read_until(&process, "here\n").await, "line still here\n");
            process.signal_to(Signal::KILL, target).await.unwrap();
            let result = within_long(process.wait()).await.unwrap();
            assert_eq!(end(&result), (Termination::Signalled, 137, Some(9)));
        }
    })
    .await;
}

#[tokio::test]
async fn a_signal_goes_to_the_leader_or_to_all() {
    on_each_provider(async |_, sandbox| {
        let script = "trap 'echo leader' USR1; sh -c 'trap \"echo child; exit\" USR1; echo began; while :; do sleep 0.05; done' & wait; wait; wait";
        let process = sandbox.shell(script).spawn().await.unwrap();
        read_until(&process, "began\n").await;
        process.signal_to(Signal::USR1, SignalTarget::Leader).await.unwrap();
        assert_eq!(read_until(&process, "leader\n").await, "leader\n");
        process.kill().await.unwrap();

        let process = sandbox.shell("trap 'echo all' USR1; sh -c 'echo began; exec sleep 1000' & wait; wait; echo $?").spawn().await.unwrap();
        read_until(&process, "began\n").await;
        process.signal(Signal::USR1).await.unwrap();
        let result = within_long(process.wait()).await.unwrap();
        assert_eq!(result.stdout.text(), "began\nall\n0\n");
    })
    .await;
}

#[tokio::test]
async fn a_command_that_outlives_its_timeout_in_the_background_is_ended_by_it() {
    on_each_provider(async |_, sandbox| {
        let mark = mark();
        let script = format!("sleep {mark} & exit 0");
        let result = within_long(sandbox.shell(script).drain(Duration::MAX).timeout(SHORT).run()).await.unwrap();
        assert_eq!(result.termination, Termination::TimedOut);
        assert_eq!(common::processes_with(&mark), [] as [u32; 0]);
    })
    .await;
}
