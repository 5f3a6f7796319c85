//! What a sandbox says it uses.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::on_each_provider;
use isobox::{Metrics, Process, Sandbox, Timestamp};
use std::time::{Duration, Instant};

/// Waits until the metrics are as wanted; what the system counts lags a little.
async fn until(sandbox: &Sandbox, what: &str, wanted: impl Fn(&Metrics) -> bool) -> Metrics {
    let begun = Instant::now();
    loop {
        let metrics = sandbox.metrics().await.unwrap();
        if wanted(&metrics) {
            return metrics;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "never {what}: {metrics:?}");
    }
}

async fn begun(process: &Process) {
    while let Some(event) = process.next().await.unwrap() {
        if matches!(event, isobox::OutputEvent::Stdout(_)) {
            return;
        }
    }
    panic!("it ended");
}

#[tokio::test]
async fn a_running_command_shows() {
    on_each_provider(async |provider, sandbox| {
        let before = sandbox.metrics().await.unwrap();
        let (memory, pids) = (before.memory.unwrap(), before.pids.unwrap());
        // Fifty megabytes in a shell's variable, and three processes more.
        let hold =
            "x=$(head -c 50000000 /dev/zero | tr '\\0' x); sleep 1000 & sleep 1000 & echo there; wait; echo ${#x}";
        let process = sandbox.shell(hold).spawn().await.unwrap();
        begun(&process).await;
        let during = until(&sandbox, "more memory and pids", |now| {
            now.memory.unwrap() >= memory + 40_000_000 && now.pids.unwrap() >= pids + 3
        })
        .await;
        assert!(during.memory.unwrap() < memory + 500_000_000, "{during:?} on {provider}");
        assert!(during.pids.unwrap() < pids + 20, "{during:?} on {provider}");
        process.kill().await.unwrap();
        process.wait().await.unwrap();
        // The agent may have a thread more or less for the measuring itself.
        until(&sandbox, &format!("back to {memory} and {pids}"), |now| {
            now.pids.unwrap() <= pids + 2 && now.memory.unwrap() < memory + 20_000_000
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn processor_time_goes_on_and_never_back() {
    on_each_provider(async |provider, sandbox| {
        let first = sandbox.metrics().await.unwrap();
        let process = sandbox.shell("echo there; while :; do :; done").spawn().await.unwrap();
        begun(&process).await;
        let half = Duration::from_millis(500);
        let begun = Instant::now();
        let busy =
            until(&sandbox, "processor time", |now| now.cpu_time.unwrap() >= first.cpu_time.unwrap() + half).await;
        assert!(begun.elapsed() >= half / 2, "{busy:?} on {provider}");
        process.kill().await.unwrap();
        process.wait().await.unwrap();
        let after = sandbox.metrics().await.unwrap();
        assert!(after.cpu_time >= busy.cpu_time, "{after:?} after {busy:?} on {provider}");
        assert!(after.at >= busy.at && after.at <= Timestamp::now());
    })
    .await;
}

/// The row of a command in the listing.
async fn row(sandbox: &Sandbox, process: &Process) -> isobox::ProcessInfo {
    let all = sandbox.processes().await.unwrap();
    all.into_iter().find(|row| row.id == *process.id()).unwrap()
}

#[tokio::test]
async fn each_command_has_its_own_account() {
    on_each_provider(async |provider, sandbox| {
        // What holds memory is a grandchild, and what burns time has waited for some that burned it before.
        let holder = sandbox
            .shell("sh -c 'x=$(head -c 50000000 /dev/zero | tr \"\\0\" x); echo there; sleep 1000; echo ${#x}'; true")
            .spawn()
            .await
            .unwrap();
        begun(&holder).await;
        let burn = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        let burner =
            sandbox.shell(format!("(sh -c '{burn}' & wait); echo there; sleep 1000; true")).spawn().await.unwrap();
        begun(&burner).await;
        let (holds, burns) = (row(&sandbox, &holder).await, row(&sandbox, &burner).await);
        assert!(holds.memory.unwrap() >= 50_000_000, "{provider}: {:?}", holds.memory);
        assert!(burns.memory.unwrap() < 50_000_000, "{provider}: {:?}", burns.memory);
        let spent = burns.cpu_time.unwrap();
        assert!(spent >= Duration::from_millis(30), "{provider}: {spent:?} for {burn}");
        burner.kill().await.unwrap();
        let result = burner.wait().await.unwrap();
        let ended = row(&sandbox, &burner).await;
        assert_eq!((ended.memory, ended.cpu_time), (None, result.cpu_time), "{provider}");
        holder.kill().await.unwrap();
        holder.wait().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_is_not_known_is_left_out() {
    on_each_provider(async |provider, sandbox| {
        let metrics = sandbox.metrics().await.unwrap();
        // A limit or a sum of zero would be a lie: nothing was limited, and nothing is without memory.
        for known in [metrics.memory_limit, metrics.pids_limit, metrics.disk_limit, metrics.peak_memory] {
            assert_ne!(known, Some(0), "{metrics:?} on {provider}");
        }
        if let (Some(peak), Some(memory)) = (metrics.peak_memory, metrics.memory) {
            assert!(peak >= memory, "{metrics:?} on {provider}");
        }
    })
    .await;
}
