//! Limits that are reached, images that come and sandboxes that die are told too.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;
#[path = "common/events.rs"]
mod events;
mod image;

use common::Lab;
use common::limited::{MIB, limited, on_disk_of};
use events::{next, until};
use image::Image;
use isobox::{
    Action, DiskBacking, Event, EventFilter, EventKind, ExecId, LimitKind, OutputLimits, Resources, Sandbox, Subject,
};

/// What the next event says of a limit: which, its value, and whose it is.
async fn reached(lab: &Lab, sandbox: &Sandbox) -> (LimitKind, Option<u64>, Option<ExecId>) {
    let events = until(&lab.isobox, sandbox.id(), &["limit_reached"], |_| true).await;
    match events[0].kind {
        EventKind::LimitReached { limit, max, exec } => (limit, max, exec),
        _ => panic!("{events:?}"),
    }
}

#[tokio::test]
async fn output_that_was_cut_is_told_with_the_limit() {
    let lab = Lab::open().await;
    for provider in common::PROVIDERS {
        let sandbox = lab.sandbox(provider).await;
        let id = ExecId::generate();
        let command = sandbox.shell("head -c 5000 /dev/zero").id(id).output(OutputLimits::bytes(1000));
        assert_eq!(command.await.unwrap().stdout.omitted, 4000);
        assert_eq!(reached(&lab, &sandbox).await, (LimitKind::Output, Some(1000), Some(id)), "{provider}");
        sandbox.delete().await.unwrap();
    }
}

#[tokio::test]
async fn a_limit_of_memory_that_was_reached_is_told_as_it_is_now() {
    let lab = Lab::open().await;
    let memory = Resources { memory: Some(128 * MIB), ..Resources::default() };
    let Some(sandbox) = limited(&lab, memory).await else { return };
    sandbox.resize(Resources { memory: Some(64 * MIB), ..Resources::default() }).await.unwrap();
    let id = ExecId::generate();
    let hold = "import mmap\nm = mmap.mmap(-1, 128 << 20)\nfor at in range(0, 128 << 20, 4096): m[at] = 1";
    assert!(sandbox.exec(["python3", "-c", hold]).id(id).await.unwrap().oom_killed);
    assert_eq!(reached(&lab, &sandbox).await, (LimitKind::Memory, Some(64 * MIB), Some(id)));
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_limit_of_processes_that_was_reached_is_told() {
    let lab = Lab::open().await;
    let Some(sandbox) = limited(&lab, Resources { pids: Some(8), ..Resources::default() }).await else { return };
    sandbox.shell("false").await.unwrap();
    let many = "import os, sys, time\nfor _ in range(20):\n  if os.fork() == 0: time.sleep(1000)";
    let result = sandbox.exec(["python3", "-c", many]).await.unwrap();
    assert_ne!(result.exit_code, 0, "{result:?}");
    assert_eq!(reached(&lab, &sandbox).await, (LimitKind::Pids, Some(8), None));
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_told_once_a_second_at_most() {
    let lab = Lab::open().await;
    let Some(builder) = on_disk_of(&lab, DiskBacking::Tmpfs, 4 * MIB) else { return };
    let sandbox = builder.create().await.unwrap();
    for _ in 0..50 {
        sandbox.files().write("/root/large", vec![1; 6 << 20]).await.unwrap_err();
    }
    assert_eq!(reached(&lab, &sandbox).await, (LimitKind::Disk, Some(4 * MIB), None));
    let end = ExecId::generate();
    sandbox.exec(["true"]).id(end).await.unwrap();
    let all = until(&lab.isobox, sandbox.id(), &[], |event| events::exec(event) == Some((end, true))).await;
    let told = all.iter().filter(|event| matches!(event.kind, EventKind::LimitReached { .. })).count();
    assert!(told < 50, "{told}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn an_image_tells_how_far_it_is_and_that_it_is_there() {
    let mut image = Image::busybox();
    image.layer(&[], |root| std::fs::write(root.join("large"), vec![7; 20 << 20]).unwrap());
    let archive = image.archive("told:1");
    let lab = Lab::open().await;
    let images = lab.isobox.images().provider("namespace");
    images.load(&archive).await.unwrap();
    images.load(lab.home().join("nothing.tar")).await.unwrap_err();
    let mut follow = lab.isobox.events(0, EventFilter::default());
    let of_image = |event: &Event| matches!(&event.subject, Subject::Image { .. });
    let mut all = Vec::new();
    while all.iter().filter(|event: &&Event| event.kind.ends_operation()).count() < 2 {
        let event = next(&mut follow).await;
        assert!(of_image(&event), "{event:?}");
        all.push(event);
    }
    let kinds: Vec<&str> = all.iter().map(|event| event.kind.as_str()).collect();
    let (first, last) = (kinds[0], kinds[kinds.len() - 1]);
    assert_eq!((first, last), ("operation_started", "operation_failed"), "{kinds:?}");
    let loaded = all[0].operation;
    let story: Vec<&Event> = all.iter().filter(|event| event.operation == loaded).collect();
    let progress = |event: &&Event| match &event.kind {
        EventKind::OperationProgress { action: Action::Pull, progress } => {
            Some((progress.code.clone(), progress.completed))
        }
        _ => None,
    };
    assert!(matches!(story.last().unwrap().kind, EventKind::OperationCompleted { action: Action::Pull, .. }));
    assert!(
        story.iter().filter_map(progress).any(|(code, done)| code == "image.unpack" && done > Some(0)),
        "{story:?}"
    );
}
