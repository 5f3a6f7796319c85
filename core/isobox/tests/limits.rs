//! Limits are hit for real, told as what they are, and refused where this machine cannot enforce them.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use common::limited::{MIB, able, limited};
use isobox::{Capability, Detail, Error, ErrorCode, Resources};
use std::time::Duration;

/// A program that touches `mib` mebibytes of memory and says so.
fn hold(mib: u64) -> Vec<String> {
    let script = format!(
        "import mmap\nm = mmap.mmap(-1, {mib} << 20)\nfor at in range(0, {mib} << 20, 4096): m[at] = 1\nprint('held', flush=True)"
    );
    ["python3", "-c", &script].map(str::to_owned).to_vec()
}

fn memory(bytes: u64) -> Resources {
    Resources { memory: Some(bytes), ..Resources::default() }
}

#[tokio::test]
async fn a_command_that_takes_too_much_memory_is_told_so_and_the_sandbox_lives_on() {
    let lab = Lab::open().await;
    let Some(sandbox) = limited(&lab, memory(64 * MIB)).await else { return };
    let within = sandbox.exec(hold(32)).await.unwrap();
    assert_eq!((within.exit_code, within.oom_killed, within.stdout.text().as_ref()), (0, false, "held\n"));
    let beyond = sandbox.exec(hold(128)).await.unwrap();
    assert_eq!((beyond.signal, beyond.oom_killed), (Some(9), true), "{beyond:?}");
    // A shell that goes on after it is told too, because nothing else ran.
    let script =
        format!("python3 -c \"{}\"; echo $?; exit 0", hold(128)[2].replace('\n', "; ").replace("; for", "\nfor"));
    let survived = sandbox.shell(script).await.unwrap();
    assert_eq!((survived.exit_code, survived.oom_killed), (0, true), "{survived:?}");
    assert!(survived.stdout.text().contains("137"), "{survived:?}");
    let after = sandbox.exec(["true"]).await.unwrap();
    assert_eq!((after.exit_code, after.oom_killed), (0, false));
    let metrics = sandbox.metrics().await.unwrap();
    assert_eq!(metrics.memory_limit, Some(64 * MIB));
    let peak = metrics.peak_memory.unwrap_or(64 * MIB);
    assert!((60 * MIB..=64 * MIB).contains(&peak), "{metrics:?}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn of_two_commands_the_one_that_was_killed_is_told() {
    let lab = Lab::open().await;
    let Some(sandbox) = limited(&lab, memory(64 * MIB)).await else { return };
    let bystander = sandbox.exec(["sleep", "1000"]).spawn().await.unwrap();
    let beyond = sandbox.exec(hold(128)).await.unwrap();
    assert_eq!((beyond.signal, beyond.oom_killed), (Some(9), true), "{beyond:?}");
    bystander.signal(isobox::Signal::TERM).await.unwrap();
    let ended = bystander.wait().await.unwrap();
    assert_eq!((ended.signal, ended.oom_killed), (Some(15), false), "{ended:?}");
    let error = sandbox.exec(hold(128)).await.unwrap().check(None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutOfMemory);
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_kill_that_was_not_for_memory_is_not_taken_for_one() {
    let lab = Lab::open().await;
    let Some(sandbox) = limited(&lab, memory(64 * MIB)).await else { return };
    let killed = sandbox.shell("kill -9 $$").await.unwrap();
    assert_eq!((killed.signal, killed.oom_killed), (Some(9), false));
    let late = sandbox.exec(["sleep", "1000"]).timeout(Duration::from_millis(50)).await.unwrap();
    assert_eq!((late.timed_out, late.oom_killed), (true, false));
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn neighbours_do_not_notice() {
    let lab = Lab::open().await;
    let Some(greedy) = limited(&lab, memory(64 * MIB)).await else { return };
    let neighbour = limited(&lab, memory(64 * MIB)).await.unwrap();
    let holder = neighbour.exec(hold(40)).spawn().await.unwrap();
    let beyond = greedy.exec(hold(512)).await.unwrap();
    assert!(beyond.oom_killed, "{beyond:?}");
    let held = holder.wait().await.unwrap();
    assert_eq!((held.exit_code, held.oom_killed), (0, false), "{held:?}");
    greedy.delete().await.unwrap();
    neighbour.delete().await.unwrap();
}

#[tokio::test]
async fn a_program_that_forks_without_end_meets_the_limit_and_isobox_does_not() {
    let lab = Lab::open().await;
    let Some(sandbox) = limited(&lab, Resources { pids: Some(32), ..Resources::default() }).await else { return };
    let bomb = "import os, sys\nn = 1\nwhile True:\n  try: pid = os.fork()\n  except BlockingIOError: print(n, flush=True); break\n  if pid == 0: import time; time.sleep(1000)\n  n += 1\nimport time; time.sleep(1000)";
    let process = sandbox.exec(["python3", "-c", bomb]).spawn().await.unwrap();
    let Some(isobox::OutputEvent::Stdout(said)) = process.next().await.unwrap() else { panic!("it says how many") };
    assert_eq!(said.as_ref(), b"32\n");
    let metrics = sandbox.metrics().await.unwrap();
    assert_eq!((metrics.pids, metrics.pids_limit), (Some(32), Some(32)));
    // What isobox does beside is not counted, so files can be had and the bomb can be ended.
    sandbox.files().write("/tmp/there", "yes").await.unwrap();
    let refused = sandbox.shell("sleep 0 & wait $! && echo forked").await;
    assert!(refused.as_ref().is_err() || refused.as_ref().is_ok_and(|result| !result.success()), "{refused:?}");
    process.kill().await.unwrap();
    process.wait().await.unwrap();
    assert!(sandbox.exec(["true"]).await.unwrap().success());
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn processor_time_is_rationed() {
    let lab = Lab::open().await;
    let Some(sandbox) = limited(&lab, Resources { cpus: Some(0.2), ..Resources::default() }).await else { return };
    // By its own clock and its own account, so that a busy machine can only make it less.
    let burn = "import time\nb = time.monotonic(); c = time.process_time()\nwhile time.monotonic() - b < 2: pass\nprint((time.process_time() - c) / (time.monotonic() - b))";
    let result = sandbox.exec(["python3", "-c", burn]).await.unwrap();
    let share: f64 = result.stdout.text().trim().parse().unwrap();
    assert!(share < 0.3, "used {share} of a processor");
    assert_eq!(sandbox.metrics().await.unwrap().cpu_limit, Some(0.2));
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn limits_change_while_it_runs() {
    let lab = Lab::open().await;
    let all = Resources { cpus: Some(1.0), memory: Some(64 * MIB), pids: Some(16), ..Resources::default() };
    let Some(sandbox) = limited(&lab, all).await else { return };
    assert!(sandbox.exec(hold(128)).await.unwrap().oom_killed);
    let more = Resources { memory: Some(256 * MIB), ..Resources::default() };
    sandbox.resize(more).await.unwrap();
    let held = sandbox.exec(hold(128)).await.unwrap();
    assert_eq!((held.exit_code, held.oom_killed), (0, false), "{held:?}");
    let limits = sandbox.describe().await.unwrap().resources.unwrap();
    assert_eq!(limits, Resources { memory: Some(256 * MIB), ..all }, "what is left out stays");
    let holder =
        sandbox.shell(format!("exec python3 -u -c '{}\ninput()'", hold(100)[2].replace('\'', "\""))).stdin_stream();
    let holder = holder.spawn().await.unwrap();
    assert!(matches!(holder.next().await.unwrap(), Some(isobox::OutputEvent::Stdout(_))));
    let error = sandbox.resize(memory(32 * MIB)).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    assert_eq!(sandbox.metrics().await.unwrap().memory_limit, Some(256 * MIB), "nothing has changed");
    holder.kill().await.unwrap();
    let error = sandbox.resize(Resources { disk: Some(MIB), ..Resources::default() }).await.unwrap_err();
    assert!(matches!(error.code(), ErrorCode::Unsupported | ErrorCode::InvalidSpec), "{error}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn what_memory_takes_along_is_told_with_the_numbers() {
    let lab = Lab::open().await;
    if limited(&lab, memory(64 * MIB)).await.is_none() {
        return;
    }
    let options = isobox::NamespaceOptions { shm_size: Some(1 << 30), ..Default::default() };
    let builder = lab.isobox.sandbox().provider("namespace").memory(64 * MIB);
    let sandbox = builder.options(isobox::ProviderOptions::Namespace(options)).create().await.unwrap();
    // The agent itself writes files into memory, and is stopped at what is around the limit.
    let written = sandbox.files().write("/dev/shm/large", vec![1; 512 << 20]).await;
    let error = written.unwrap_err();
    let post_mortem = error.post_mortem().unwrap_or_else(|| panic!("{error:?}"));
    assert_eq!(post_mortem.cause, isobox::DeathCause::Oom);
    assert_eq!(post_mortem.memory_limit, Some(64 * MIB));
    assert!(error.message().contains("67108864"), "{error}");
    sandbox.delete().await.unwrap();
}

fn capability_of(error: &Error) -> Option<&str> {
    match error.detail() {
        Detail::Unsupported { capability } => Some(capability),
        _ => None,
    }
}

/// As an ordinary user without a delegated cgroup, or on a machine without one of the controllers.
#[tokio::test]
async fn what_cannot_be_enforced_is_refused_with_the_reason_and_the_way_out() {
    let lab = Lab::open().await;
    let provider = lab.isobox.provider("namespace").await.unwrap();
    let cases = [
        (Capability::ResourcesCpuFraction, Resources { cpus: Some(0.5), ..Resources::default() }),
        (Capability::ResourcesMemory, memory(64 * MIB)),
        (Capability::ResourcesPids, Resources { pids: Some(64), ..Resources::default() }),
    ];
    for (capability, resources) in cases {
        let created = lab.isobox.sandbox().provider("namespace").resources(resources).create().await;
        if provider.capabilities().has(capability) {
            created.unwrap().delete().await.unwrap();
            println!("skipped: {capability} can be enforced here");
            continue;
        }
        let error = created.unwrap_err();
        assert_eq!((error.code(), capability_of(&error)), (ErrorCode::Unsupported, Some(capability.as_str())));
        let reason = provider.why_not(capability).unwrap();
        assert!(error.message().contains(&reason), "{error}");
    }
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn limits_in_which_nothing_can_live_are_refused_by_field() {
    let lab = Lab::open().await;
    if !able(&lab, Capability::ResourcesMemory).await {
        return;
    }
    let error = lab.isobox.sandbox().provider("namespace").memory(4096).create().await.unwrap_err();
    assert!(matches!(error.detail(), Detail::InvalidSpec { field, .. } if field == "resources.memory"), "{error:?}");
}
