//! What ends a command ends all of it, however its processes hide, and what it wrote until then is there.

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

use commands::{LONG, mark, read_until, until_gone, until_there, within_long};
use common::{on_each_provider, processes_with};
use isobox::{Sandbox, Termination};
use std::time::{Duration, Instant};

/// Ways to get away from whoever ends a command. Each says `began` when it is done, and every process of it has MARK in
/// its arguments or ends with the one that has.
const ESCAPES: [(&str, &str); 8] = [
    ("a child", "sleep MARK & echo began; wait"),
    ("a session of its own", "setsid sleep MARK & echo began; wait"),
    ("a daemon", "(setsid sh -c 'setsid sleep MARK & exit' &); echo began; sleep MARK"),
    ("no environment", "env -i setsid sleep MARK & echo began; wait"),
    ("deaf to signals", "trap '' TERM INT HUP QUIT; setsid sleep MARK & echo began; sleep MARK"),
    ("stopped", "sleep MARK & kill -STOP $!; echo began; sleep MARK"),
    ("no streams", "setsid sleep MARK >/dev/null 2>&1 </dev/null & echo began; sleep MARK"),
    ("everything at once", "(trap '' TERM; env -i setsid setsid sleep MARK >&- 2>&- & exit) & echo began; sleep MARK"),
];

fn scripts() -> impl Iterator<Item = (&'static str, String, String)> {
    ESCAPES.into_iter().map(|(name, script)| {
        let mark = mark();
        (name, script.replace("MARK", &mark), mark)
    })
}

#[tokio::test]
async fn a_timeout_ends_the_whole_tree() {
    on_each_provider(async |provider, sandbox| {
        for (name, script, mark) in scripts() {
            let result = within_long(sandbox.shell(script).timeout(Duration::from_millis(500)).run()).await.unwrap();
            assert_eq!(processes_with(&mark), [] as [u32; 0], "{name} on {provider}");
            assert_eq!(result.termination, Termination::TimedOut, "{name} on {provider}");
            assert_eq!(result.stdout.text(), "began\n", "{name} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_kill_ends_the_whole_tree() {
    on_each_provider(async |provider, sandbox| {
        for (name, script, mark) in scripts() {
            let process = sandbox.shell(script).spawn().await.unwrap();
            read_until(&process, "began\n").await;
            within_long(process.kill()).await.unwrap();
            assert_eq!(processes_with(&mark), [] as [u32; 0], "{name} on {provider}");
            let result = within_long(process.wait()).await.unwrap();
            assert_eq!(result.stdout.text(), "began\n", "{name} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_stop_with_grace_ends_the_whole_tree() {
    on_each_provider(async |provider, sandbox| {
        for (name, script, mark) in scripts() {
            let process = sandbox.shell(script).spawn().await.unwrap();
            read_until(&process, "began\n").await;
            within_long(process.stop_within(Duration::from_millis(200))).await.unwrap();
            assert_eq!(processes_with(&mark), [] as [u32; 0], "{name} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_dropped_handle_ends_the_whole_tree() {
    on_each_provider(async |_, sandbox| {
        for (_, script, mark) in scripts() {
            let process = sandbox.shell(script).spawn().await.unwrap();
            read_until(&process, "began\n").await;
            until_there(&mark).await;
            drop(process);
            until_gone(&mark).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_dropped_call_ends_the_whole_tree() {
    on_each_provider(async |_, sandbox| {
        for (_, script, mark) in scripts() {
            tokio::select! {
                result = sandbox.shell(script).run() => panic!("it ended: {result:?}"),
                () = until_there(&mark) => {}
            }
            until_gone(&mark).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_call_that_is_dropped_while_it_begins_leaves_nothing() {
    on_each_provider(async |_, sandbox| {
        let mark = mark();
        for micros in (0..3000).step_by(100) {
            let command = sandbox.exec(["sleep", &mark]).run();
            let _ = tokio::time::timeout(Duration::from_micros(micros), command).await;
        }
        until_gone(&mark).await;
        until_idle(&sandbox).await;
    })
    .await;
}

/// Waits until the sandbox knows of no running command.
async fn until_idle(sandbox: &Sandbox) {
    let begun = Instant::now();
    loop {
        let all = sandbox.processes().await.unwrap();
        if all.iter().all(|process| process.state != isobox::ProcessState::Running) {
            return;
        }
        assert!(begun.elapsed() < LONG, "{all:?}");
    }
}

/// Programs that make processes faster than anybody counts them. Each gives up by itself after a while, so that a
/// failed test does not take the machine down.
const BOMBS: [(&str, &str); 3] = [
    ("a tree", "b() { if [ $1 -gt 0 ]; then b $(($1-1)) & b $(($1-1)) & fi; sleep MARK; }; echo began; b 7"),
    (
        "a stream of daemons",
        "echo began; i=0; while [ $i -lt 2000 ]; do i=$((i+1)); (setsid sleep MARK &); done; sleep MARK",
    ),
    (
        "one that is always somebody else",
        "python3 -c '
import os
for hop in range(100000):
    os.setsid() if os.getpid() != os.getsid(0) else None
    if os.fork(): os._exit(0)
' MARK & echo began; sleep MARK",
    ),
];

#[tokio::test]
async fn a_fork_bomb_ends_with_its_command() {
    on_each_provider(async |provider, sandbox| {
        for (name, script) in BOMBS {
            for by_timeout in [true, false] {
                let mark = mark();
                let command = sandbox.shell(script.replace("MARK", &mark));
                if by_timeout {
                    let result = within_long(command.timeout(Duration::from_millis(400)).run()).await.unwrap();
                    assert!(result.timed_out, "{name} on {provider}");
                } else {
                    let process = command.spawn().await.unwrap();
                    read_until(&process, "began\n").await;
                    within_long(process.kill()).await.unwrap();
                }
                assert_eq!(processes_with(&mark), [] as [u32; 0], "{name} on {provider}");
            }
        }
        assert!(sandbox.exec(["true"]).await.unwrap().success());
    })
    .await;
}

#[tokio::test]
async fn a_background_child_does_not_hold_the_result_back() {
    on_each_provider(async |provider, sandbox| {
        let mark = mark();
        let result = within_long(sandbox.shell(format!("sleep {mark} & echo now; exit 0")).run()).await.unwrap();
        assert!(result.success() && result.stdout.text() == "now\n", "{result:?}");
        assert!(result.duration < Duration::from_secs(10), "{result:?}");
        assert_eq!(processes_with(&mark).len(), 1, "it lives on, on {provider}");
        sandbox.delete().await.unwrap();
        assert_eq!(processes_with(&mark), [] as [u32; 0], "until the sandbox ends, on {provider}");
    })
    .await;
}

#[tokio::test]
async fn what_a_background_child_writes_within_the_drain_is_there() {
    on_each_provider(async |_, sandbox| {
        let script = "(sleep 0.3; echo late) & echo now";
        let result = sandbox.shell(script).drain(LONG).await.unwrap();
        assert_eq!(result.stdout.text(), "now\nlate\n");
        let result = sandbox.shell(script).drain(Duration::MAX).await.unwrap();
        assert_eq!(result.stdout.text(), "now\nlate\n");
        let result = sandbox.shell(script).drain(Duration::ZERO).await.unwrap();
        assert_eq!(result.stdout.text(), "now\n");
    })
    .await;
}

#[tokio::test]
async fn the_last_words_are_there_however_long_it_was_quiet_before() {
    on_each_provider(async |provider, sandbox| {
        for drain in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(200)] {
            for _ in 0..20 {
                let command = sandbox.shell("sleep 1000 & sleep 0.01; echo now; echo error >&2");
                let result = within_long(command.drain(drain).run()).await.unwrap();
                let output = (result.stdout.text().into_owned(), result.stderr.text().into_owned());
                assert_eq!(output, ("now\n".into(), "error\n".into()), "{drain:?} on {provider}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_background_child_that_never_stops_writing_does_not_hold_the_result_back() {
    on_each_provider(async |_, sandbox| {
        let result = within_long(sandbox.shell("yes & exit 3").run()).await.unwrap();
        assert_eq!((result.exit_code, result.termination), (3, Termination::Exited));
    })
    .await;
}
