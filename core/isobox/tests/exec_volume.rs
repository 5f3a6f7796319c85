//! A gibibyte of output needs no more memory than a little, and a reader who stalls holds nobody else up.

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

use commands::{agent, memory, within_long};
use common::on_each_provider;
use isobox::{OutputEvent, OutputLimits, Process, Sandbox};
use std::time::Duration;
use tokio::sync::Mutex;

const GIB: u64 = 1 << 30;
/// How many MiB a process may grow: what is captured, and the buffers on the way.
const GROWTH: u64 = 64;
/// One at a time: the memory of this process is measured.
static ALONE: Mutex<()> = Mutex::const_new(());

struct Memory {
    agent: u32,
    before: (u64, u64),
}

impl Memory {
    async fn watch(sandbox: &Sandbox) -> Self {
        let agent = agent(sandbox).await;
        Self { agent, before: (memory(std::process::id()), memory(agent)) }
    }

    fn check(&self, what: &str) {
        let now = (memory(std::process::id()), memory(self.agent));
        eprintln!("{what}: this process {} -> {} MiB, agent {} -> {} MiB", self.before.0, now.0, self.before.1, now.1);
        assert!(now.0 < self.before.0 + GROWTH && now.1 < self.before.1 + GROWTH, "{what}");
    }
}

fn flood(sandbox: &Sandbox) -> isobox::Command {
    sandbox.exec(["head", "-c", &GIB.to_string(), "/dev/zero"])
}

async fn stdout_of(process: &Process) -> u64 {
    match within_long(process.next()).await.unwrap() {
        Some(OutputEvent::Stdout(bytes)) => bytes.len() as u64,
        _ => 0,
    }
}

#[tokio::test]
async fn a_capture_of_a_gibibyte() {
    let _alone = ALONE.lock().await;
    on_each_provider(async |_, sandbox| {
        let memory = Memory::watch(&sandbox).await;
        let result = within_long(flood(&sandbox).run()).await.unwrap();
        memory.check("captured");
        assert!(result.success());
        assert_eq!((result.stdout.observed, result.stdout.retained), (GIB, OutputLimits::DEFAULT_BYTES));
    })
    .await;
}

#[tokio::test]
async fn a_wait_for_a_gibibyte_that_nobody_reads() {
    let _alone = ALONE.lock().await;
    on_each_provider(async |_, sandbox| {
        let memory = Memory::watch(&sandbox).await;
        let process = flood(&sandbox).spawn().await.unwrap();
        let result = within_long(process.wait()).await.unwrap();
        memory.check("waited for");
        assert_eq!((result.stdout.observed, result.stdout.retained), (GIB, OutputLimits::DEFAULT_BYTES));
    })
    .await;
}

#[tokio::test]
async fn a_stalled_reader_holds_up_its_own_command_and_nothing_else() {
    let _alone = ALONE.lock().await;
    on_each_provider(async |provider, sandbox| {
        let memory = Memory::watch(&sandbox).await;
        let stalled = flood(&sandbox).spawn().await.unwrap();
        let mut read = stdout_of(&stalled).await;
        let held = until_held(&sandbox, &stalled).await;
        assert!(held < GIB / 8, "{held} bytes came out of a command that nobody reads, on {provider}");

        // Everything else goes on: commands, streams, files and input.
        let others = (0..16).map(|i| sandbox.exec(["echo", &i.to_string()]).run());
        for (i, result) in within_long(futures_join(others)).await.into_iter().enumerate() {
            assert_eq!(result.unwrap().stdout.text(), format!("{i}\n"));
        }
        let other = sandbox.exec(["seq", "1", "1000000"]).spawn().await.unwrap();
        assert_eq!(within_long(other.wait()).await.unwrap().stdout.observed, 6_888_896);
        within_long(sandbox.files().write("file", vec![7; 8 << 20])).await.unwrap();
        let result = within_long(sandbox.exec(["wc", "-c"]).input(vec![7; 8 << 20]).run()).await.unwrap();
        assert_eq!(result.stdout.text().trim(), "8388608");
        memory.check("stalled");

        while read < GIB {
            let piece = stdout_of(&stalled).await;
            assert!(piece > 0, "it ended after {read} bytes, on {provider}");
            read += piece;
        }
        memory.check("read");
        assert_eq!(stdout_of(&stalled).await, 0);
        assert!(stalled.wait().await.unwrap().success());
    })
    .await;
}

/// Waits until a command's output has come to rest, and says how much of it there is.
async fn until_held(sandbox: &Sandbox, process: &Process) -> u64 {
    let mut last = 0;
    loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let all = sandbox.processes().await.unwrap();
        let now = all.iter().find(|info| info.id == *process.id()).unwrap().stdout_bytes;
        if now == last {
            return now;
        }
        last = now;
    }
}

/// Runs all at once.
async fn futures_join<T: Send + 'static>(
    futures: impl Iterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let mut results = Vec::new();
    for task in futures.map(tokio::spawn).collect::<Vec<_>>() {
        results.push(task.await.unwrap());
    }
    results
}

#[tokio::test]
async fn a_stalled_command_can_be_stopped() {
    let _alone = ALONE.lock().await;
    on_each_provider(async |_, sandbox| {
        let stalled = flood(&sandbox).spawn().await.unwrap();
        until_held(&sandbox, &stalled).await;
        within_long(stalled.kill()).await.unwrap();
        assert!(within_long(stalled.wait()).await.unwrap().cancelled);

        let timed = flood(&sandbox).timeout(Duration::from_millis(300)).spawn().await.unwrap();
        until_held(&sandbox, &timed).await;
        assert!(within_long(timed.wait()).await.unwrap().timed_out);
    })
    .await;
}
