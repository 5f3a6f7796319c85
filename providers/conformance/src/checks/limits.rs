//! What limits a sandbox, and what it uses.

use crate::check::{Check, Checked, Stop, refused, same};
use crate::lab::{Lab, eventually};
use isobox::{Capability::*, DeathCause, ErrorCode, Resources};
use std::time::{Duration, Instant};

pub(crate) const CHECKS: &[Check] = &[
    check!(cpus_are_limited, "A busy command gets no more of the processors than it may.")
        .shows(&[ResourcesCpu, ResourcesCpuFraction]),
    check!(
        memory_runs_out,
        "What takes more memory than it may ends, alone or with its sandbox, which then says that it was this limit."
    )
    .shows(&[ResourcesMemory])
    .programs(&["tail"]),
    check!(memory_is_limited, "What takes more memory than it may is killed and says so, and the sandbox goes on.")
        .shows(&[ResourcesMemory, ExecOomDetection])
        .programs(&["tail", "head"]),
    check!(processes_are_limited, "No more processes are made than may be, and the sandbox goes on.")
        .shows(&[ResourcesPids]),
    check!(disk_is_limited, "A full disk is an error of what writes, and the sandbox goes on.")
        .shows(&[ResourcesDisk])
        .programs(&["head"]),
    check!(limits_can_be_changed, "A limit that is changed at run time holds at once.")
        .shows(&[LifecycleResize])
        .needs(&[ResourcesMemory, ExecOomDetection])
        .programs(&["head", "tail"]),
    check!(use_is_measured, "What a sandbox uses is told, and grows when it is used.").shows(&[ObserveMetrics]),
];

const MIB: u64 = 1 << 20;

async fn cpus_are_limited(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().cpus(0.25)).await?;
    let busy = sandbox.shell("while :; do :; done & while :; do :; done").timeout(Duration::from_secs(4));
    let (used, within) = if lab.claims(ExecUsage) {
        let result = busy.await?;
        (result.cpu_time, result.duration)
    } else if lab.claims(ObserveMetrics) {
        let (begun, before) = (Instant::now(), sandbox.metrics().await?.cpu_time);
        busy.await?;
        let after = sandbox.metrics().await?.cpu_time;
        (after.zip(before).map(|(after, before)| after.saturating_sub(before)), begun.elapsed())
    } else {
        return Err(Stop::Skipped(format!("neither {ExecUsage} nor {ObserveMetrics} is claimed")));
    };
    let used = used.unwrap_or_default();
    let most = within.mul_f64(0.25) + Duration::from_millis(400);
    ensure!(
        used > Duration::ZERO && used <= most,
        "it used {used:?} in {within:?}, a quarter of a processor was allowed"
    );
    Ok(())
}

async fn memory_runs_out(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().memory(128 * MIB)).await?;
    let error = match sandbox.exec(["tail", "-n", "1", "/dev/zero"]).await {
        Ok(result) => return same("whether it could go on", result.success(), false),
        Err(error) => error,
    };
    same("the error of the command", error.code(), ErrorCode::SandboxGone)?;
    same("the cause in it", error.post_mortem().map(|told| told.cause), Some(DeathCause::Oom))
}

/// Holds more than a hundred megabytes: the last line of a stream without lines.
const GREEDY: &str = "head -c 150000000 /dev/zero | tail -n 1 | head -c 1 > /dev/null";

async fn memory_is_limited(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().memory(64 * MIB)).await?;
    let result = sandbox.exec(["tail", "-n", "1", "/dev/zero"]).await?;
    same("whether the memory limit is told", result.oom_killed, true)?;
    same("its signal", result.signal, Some(9))?;
    let error = result.check(None);
    refused("the result as an error", error.map(drop), ErrorCode::OutOfMemory)?;
    let after = sandbox.shell("exit 0").await?;
    same("whether the sandbox goes on", (after.success(), after.oom_killed), (true, false))?;
    same("the limit that is told", sandbox.describe().await?.resources.and_then(|limits| limits.memory), Some(64 * MIB))
}

async fn processes_are_limited(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().pids(40)).await?;
    // A shell that cannot fork ends, so it is one of its own; and nothing but the shell itself can count and end them then.
    let many = "(i=0; while [ $i -lt 100 ]; do sleep 1000 & echo $! >> made; i=$((i+1)); done) 2>/dev/null
        n=0; while read p; do n=$((n+1)); kill -9 $p; done < made; echo $n";
    let result = sandbox.shell(many).timeout(Duration::from_secs(60)).await?;
    let made: usize = result.stdout.text().trim().parse().unwrap_or_default();
    ensure!((1..=40).contains(&made), "{made} processes were made: {}", result.stderr.text());
    // They are gone once their parent has heard of it.
    eventually("the sandbox going on", async || Ok(sandbox.shell("exit 0").await.is_ok_and(|result| result.success())))
        .await
}

async fn disk_is_limited(lab: &Lab) -> Checked {
    let limited = || lab.builder().disk(32 * MIB);
    let mut made = limited().create().await;
    for options in &lab.fixtures().disk_options {
        if made.is_err() {
            made = limited().options(options.clone()).create().await;
        }
    }
    let sandbox = made?;
    lab.keep(&sandbox);
    let result = sandbox.shell("head -c 67108864 /dev/zero > large").await?;
    same("whether more than the limit fits", result.success(), false)?;
    sandbox.files().remove("large").await?;
    sandbox.files().write("small", "fits").await?;
    same("whether the sandbox goes on", sandbox.shell("exit 0").await?.success(), true)
}

async fn limits_can_be_changed(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().memory(512 * MIB)).await?;
    let before = sandbox.shell(GREEDY).await?;
    same("a greedy command before", (before.success(), before.oom_killed), (true, false))?;
    sandbox.resize(Resources { memory: Some(48 * MIB), ..Resources::default() }).await?;
    same(
        "the limit that is told",
        sandbox.describe().await?.resources.and_then(|limits| limits.memory),
        Some(48 * MIB),
    )?;
    same("whether the memory limit is told", sandbox.shell(GREEDY).await?.oom_killed, true)
}

async fn use_is_measured(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let before = sandbox.metrics().await?;
    sandbox.shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done").await?;
    let after = sandbox.metrics().await?;
    ensure!(after.at > before.at, "the time of the measurement stands still");
    let told = after.cpu_time.is_some() || after.memory.is_some() || after.pids.is_some();
    ensure!(told, "nothing is measured at all");
    if let (Some(before), Some(after)) = (before.cpu_time, after.cpu_time) {
        ensure!(after > before, "a busy command used no processor time");
    }
    Ok(())
}
