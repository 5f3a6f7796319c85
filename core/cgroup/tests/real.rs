//! The cgroups of this machine, whatever it has.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and talks to whoever runs it"
)]

use isobox_cgroup::{Controller, Error, Group, Layout, Limits, sweep};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// As many limits as this machine has.
fn limits(layout: &Layout) -> Limits {
    let if_there = |controller, value| layout.of(controller).is_ok().then_some(value);
    Limits {
        cpu_millis: if_there(Controller::Cpu, 1500),
        memory: if_there(Controller::Memory, 64 << 20),
        pids: if_there(Controller::Pids, 32),
    }
}

fn name(of: &str) -> String {
    format!("test-{of}-{}", std::process::id())
}

/// What this machine offers, or nothing, which is said.
fn machine() -> Option<Layout> {
    let layout = Layout::of_this_machine();
    match &layout.unified {
        Ok(_) => Some(layout),
        Err(obstacle) => {
            println!("skipped: {obstacle}");
            None
        }
    }
}

#[test]
fn a_group_is_made_with_its_limits_and_goes_without_a_trace() {
    let Some(layout) = machine() else { return };
    let (group, birth) = Group::create(&layout, &name("made"), limits(&layout), None).unwrap();
    let group = group.unwrap();
    assert_eq!(*group.limits(), limits(&layout));
    let there: Vec<_> = group.directories().into_iter().filter(|path| path.exists()).collect();
    assert!(there.len() >= 2, "{there:?}");
    drop(birth);
    assert!(group.remove());
    assert!(!there.iter().any(|path| path.exists()), "{there:?}");
    assert!(group.remove(), "again is fine");
}

#[test]
fn a_limit_that_cannot_be_had_leaves_nothing() {
    let layout = Layout::of_this_machine();
    for controller in Controller::ALL.into_iter().filter(|controller| layout.of(*controller).is_err()) {
        let one = Limits { cpu_millis: Some(100), memory: Some(1 << 30), pids: Some(10) };
        let name = name("refused");
        let refused = Group::create(&layout, &name, one, None).unwrap_err();
        assert!(matches!(refused, Error::Limit { .. }), "{controller}: {refused}");
        let parent = layout.unified.as_ref().map(|unified| unified.parent.join(isobox_cgroup::PARENT).join(&name));
        assert!(!parent.is_ok_and(|path| path.exists()));
    }
}

#[test]
fn what_was_left_over_is_swept_and_what_lives_or_is_being_made_is_not() {
    let Some(layout) = machine() else { return };
    let make = |of: &str| Group::create(&layout, &name(of), Limits::default(), None).unwrap();
    let (born, birth) = make("born");
    let born = born.unwrap().born_in().unwrap().to_owned();
    let (lives, other) = make("lives");
    let lives = lives.unwrap();
    drop(other);
    let mut sleeper = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap();
    std::fs::write(lives.commands().unwrap().join("cgroup.procs"), sleeper.id().to_string()).unwrap();
    assert_eq!(sweep(&layout), 0, "something is being made");
    assert!(born.exists());
    drop(birth);
    // Others on this machine may be making something all the time.
    let until = Instant::now() + Duration::from_secs(20);
    while born.exists() {
        sweep(&layout);
        assert!(Instant::now() < until, "it is left over");
    }
    assert!(lives.born_in().unwrap().exists());
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    assert!(lives.remove());
}

#[test]
fn a_pause_and_a_freeze_of_everything_know_nothing_of_each_other() {
    let Some(layout) = machine() else { return };
    let (group, _birth) = Group::create(&layout, &name("frozen"), Limits::default(), None).unwrap();
    let group = group.unwrap();
    let within = Duration::from_secs(10);
    let all = group.born_in().unwrap();
    isobox_cgroup::freeze(all, within).unwrap();
    assert!(!group.is_frozen(), "nobody has paused it");
    group.pause(within).unwrap();
    std::fs::write(all.join("cgroup.freeze"), "0").unwrap();
    assert!(group.is_frozen(), "it is paused still");
    group.resume().unwrap();
    assert!(!group.is_frozen());
    assert!(group.remove());
}
