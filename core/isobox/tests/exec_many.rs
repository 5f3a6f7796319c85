//! Many commands in one sandbox, at once and after one another.

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

use commands::{agent, descriptors, memory, within_long};
use common::on_each_provider;
use tokio::sync::Mutex;

/// One at a time: the descriptors of this process are counted.
static ALONE: Mutex<()> = Mutex::const_new(());

#[tokio::test]
async fn sixty_four_at_once() {
    let _alone = ALONE.lock().await;
    on_each_provider(async |provider, sandbox| {
        // Each waits for all the others, so they can only end when they run at the same time.
        let script =
            "echo $0 >> started; until [ $(wc -l < started) -ge 64 ]; do sleep 0.05; done; seq $0 2000; cat >&2";
        let commands = (0..64).map(|i| {
            let name = i.to_string();
            sandbox.exec(["sh", "-c", script, &name]).input(name.clone())
        });
        let tasks: Vec<_> = commands.map(|command| tokio::spawn(command.run())).collect();
        for (i, task) in tasks.into_iter().enumerate() {
            let result = within_long(task).await.unwrap().unwrap();
            let expected: String = (i..=2000).map(|n| format!("{n}\n")).collect();
            assert!(result.stdout.text() == expected, "{i} on {provider}");
            assert_eq!(result.stderr.text(), i.to_string(), "on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_thousand_after_one_another_leave_nothing_open() {
    let _alone = ALONE.lock().await;
    on_each_provider(async |provider, sandbox| {
        let agent = agent(&sandbox).await;
        let one = async |i: usize| {
            let mark = format!("thousandth-{}", std::process::id());
            let command = sandbox.exec(["true", &mark]);
            match i % 8 {
                0 => drop(command.input("input").run().await.unwrap()),
                1 => drop(command.pty(24, 80).run().await.unwrap()),
                2 => drop(command.spawn().await.unwrap().wait().await.unwrap()),
                3 => drop(sandbox.exec(["no-such-program-here"]).run().await.unwrap_err()),
                4 => drop(sandbox.exec(["sleep", "1000"]).stdin_stream().spawn().await.unwrap()),
                _ => assert!(command.run().await.unwrap().success()),
            }
        };
        let (ours, theirs) = (std::process::id(), agent);
        let quiet = async || {
            // What was dropped is ended in the background; a command that is waited for comes after it.
            within_long(async {
                while sandbox.processes().await.unwrap().iter().any(|p| p.state == isobox::ProcessState::Running) {}
            })
            .await;
            (descriptors(ours), descriptors(theirs))
        };
        for i in 0..200 {
            one(i).await;
        }
        let before = quiet().await;
        let memory_before = memory(theirs);
        for i in 0..1000 {
            one(i).await;
        }
        // Less is no leak: what was on its way out at the first look is gone at the second, and at either something may be.
        let mut after = quiet().await;
        for _ in 0..100 {
            if after.0 <= before.0 && after.1 <= before.1 {
                break;
            }
            after = quiet().await;
        }
        eprintln!("{provider}: descriptors {before:?} -> {after:?}, agent {memory_before} -> {} MiB", memory(theirs));
        if before.1.is_none() {
            eprintln!("the agent's descriptors cannot be counted on {provider} by this user");
        }
        let grown = after.0 > before.0 || after.1 > before.1;
        assert!(!grown, "descriptors here and in the agent, on {provider}: {before:?} -> {after:?}");
        assert!(memory(theirs) < memory_before + 16, "on {provider}");
        assert!(sandbox.processes().await.unwrap().len() <= 200, "on {provider}");
        assert_eq!(common::processes_with(&format!("thousandth-{}", std::process::id())), [] as [u32; 0]);
    })
    .await;
}

/// Commands that go on without their caller keep their output for whoever asks, and there may be many of them.
#[tokio::test]
async fn the_output_of_ended_commands_does_not_fill_the_agent() {
    const COMMANDS: usize = 12;
    on_each_provider(async |provider, sandbox| {
        let mut ids = Vec::new();
        for _ in 0..COMMANDS {
            let process = sandbox.shell("head -c 8000000 /dev/zero").detached().spawn().await.unwrap();
            process.wait().await.unwrap();
            ids.push(*process.id());
        }
        let known: Vec<_> = sandbox.processes().await.unwrap().into_iter().map(|process| process.id).collect();
        // Four of eight million bytes each are within the 32 MiB that are kept.
        assert!(known.len() <= 5, "{} are remembered on {provider}", known.len());
        assert!(known.contains(ids.last().unwrap()), "the last one is forgotten on {provider}");
    })
    .await;
}
