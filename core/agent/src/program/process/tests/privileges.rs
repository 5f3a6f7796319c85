//! Users, groups, capabilities.

use super::super::{Credentials, StartErrorKind};
use super::*;

fn ids(uid: u32, gid: u32, groups: &[u32]) -> Option<Credentials> {
    Some(Credentials { uid, gid, groups: groups.to_vec() })
}

fn status_lines(keys: &str, change: impl FnOnce(&mut Launch<'_>)) -> Vec<String> {
    let script = format!("grep -E '^({keys}):' /proc/self/status");
    let (status, output) = start_with(&["/bin/sh", "-c", &script], change).unwrap().finish();
    assert_eq!(status, ExitStatus::Code(0), "{output}");
    output.lines().map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn all_ids_are_taken_on_and_the_agents_groups_dropped() {
    if !is_root() {
        return;
    }
    let lines = status_lines("Uid|Gid|Groups|CapPrm|CapEff", |launch| launch.credentials = ids(1234, 2345, &[7, 8]));
    let none = "0".repeat(16);
    assert_eq!(lines, ["1234 1234 1234 1234", "2345 2345 2345 2345", "7 8", &none, &none]);
    assert_eq!(status_lines("Groups", |launch| launch.credentials = ids(1234, 2345, &[])), [""]);
}

#[test]
fn capabilities_outside_the_mask_cannot_come_back() {
    if !is_root() {
        return;
    }
    // CAP_CHOWN and CAP_KILL.
    let keep = 0b10_0001;
    let lines = status_lines("CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs", |launch| {
        launch.keep_caps = Some(keep);
        launch.no_new_privs = true;
    });
    let (none, kept) = ("0".repeat(16), format!("{keep:016x}"));
    assert_eq!(lines, [&none, &kept, &kept, &kept, &none, "1"]);
}

#[test]
fn a_directory_that_only_root_may_enter_is_still_a_working_directory() {
    if !is_root() {
        return;
    }
    let running = start_with(&["/bin/sh", "-c", "cat /proc/self/stat >/dev/null && echo ran"], |launch| {
        launch.cwd = b"/root".to_vec();
        launch.credentials = ids(1234, 1234, &[]);
    });
    assert_eq!(running.unwrap().finish().1, "ran\n");
}

#[test]
fn an_unprivileged_agent_may_not_become_somebody_else() {
    if role().is_none() && !is_root() {
        return;
    }
    isolated("privileges::an_unprivileged_agent_may_not_become_somebody_else", &AS_NOBODY, || {
        let mut running = start_with(&["true"], |launch| launch.credentials = ids(0, 0, &[])).unwrap();
        let error = running.failed();
        assert_eq!(error.kind, StartErrorKind::User);
        assert!(error.to_string().contains("may not become user 0"), "{error}");
        let same = start_with(&["id", "-u"], |launch| launch.credentials = ids(65534, 65534, &[])).unwrap();
        assert_eq!(same.finish(), (ExitStatus::Code(0), "65534\n".to_owned()));
    });
}

#[test]
fn a_process_with_roots_rights_is_reported_by_an_unprivileged_agent() {
    if role().is_none() && !is_root() {
        return;
    }
    // The program's first process, root, makes a copy of setpriv that runs as root for everybody.
    let scratch = Scratch::new();
    let setpriv = std::fs::read("/usr/bin/setpriv").unwrap();
    let setpriv =
        if role().is_none() { scratch.file("setpriv", &setpriv, 0o4755) } else { std::env::var("SETPRIV").unwrap() };
    let assignment = format!("SETPRIV={setpriv}");
    let wrapper: Vec<&str> = ["env", assignment.as_str()].into_iter().chain(AS_NOBODY).collect();
    let test = "privileges::a_process_with_roots_rights_is_reported_by_an_unprivileged_agent";
    isolated(test, &wrapper, || {
        // Root's program ends when its stdin does, so that nothing is left behind here either.
        let script = "\"$0\" --reuid=0 --regid=0 --clear-groups sh -c 'echo ready; cat' & sleep 100000";
        let mut running =
            start(&["/bin/sh", "-c", &format!("exec 3<&0; {}", script.replace("cat'", "cat <&3'")), &setpriv]);
        running.started();
        assert_eq!(running.line(), "ready", "a file system without setuid?");
        let begun = Instant::now();
        running.tree.kill_within(Duration::from_secs(20)).unwrap();
        running.exited();
        let (_, unkillable) = running.empty();
        assert!(unkillable >= 1);
        assert!(begun.elapsed() < Duration::from_secs(5), "it waited for what cannot end");
        drop(running.stdin.take());
        running.rest();
    });
}
