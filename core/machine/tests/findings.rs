//! Machines as they are met, and what is found on them.
#![allow(missing_docs, clippy::unwrap_used)]

use isobox_machine::subids::Range;
use isobox_machine::{
    Caller, Facts, Finding, Helper, Home, Kernel, Namespaces, Severity, Surroundings, Users, findings,
};
use isobox_wire::remedy;
use proptest::prelude::*;

/// A machine on which an ordinary user has everything.
fn good() -> Facts {
    let range = vec![Range { first: 100_000, count: 65_536 }];
    let helper = |path: &str| Some(Helper { path: path.into(), privileged: true });
    let kinds = ["cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts"];
    Facts {
        kernel: Kernel { release: "6.8.0-31-generic".into(), architecture: "x86_64".into(), ..Kernel::default() },
        caller: Caller { uid: 1000, gid: 1000, mapped_ids: 1 << 32, ..Caller::default() },
        surroundings: Surroundings { proc: true, ..Surroundings::default() },
        namespaces: Namespaces {
            unprivileged_userns_clone: Some(1),
            apparmor_restrict: Some(0),
            limits: kinds.map(|kind| (kind.to_owned(), 60_000)).into(),
            memfd_noexec: Some(0),
            types: kinds.map(str::to_owned).into(),
        },
        users: Users {
            newuidmap: helper("/usr/bin/newuidmap"),
            newgidmap: helper("/usr/bin/newgidmap"),
            subuid: range.clone(),
            subgid: range,
            other_source: None,
            of_root: None,
        },
        home: Home {
            path: "/home/me/.local/share/isobox".into(),
            filesystem: Some("ext4".into()),
            problem: None,
            free_bytes: Some(1 << 40),
            free_files: Some(1 << 20),
        },
        ..Facts::default()
    }
}

fn with(change: impl FnOnce(&mut Facts)) -> Vec<Finding> {
    let mut facts = good();
    change(&mut facts);
    findings(&facts, None)
}

fn names(findings: &[Finding], severity: Severity) -> Vec<&str> {
    findings.iter().filter(|finding| finding.severity == severity).map(|finding| &*finding.id).collect()
}

#[test]
fn a_good_machine_has_none() {
    assert_eq!(with(|_| {}), []);
    assert_eq!(with(|facts| facts.caller = Caller { may_mount: true, mapped_ids: 1 << 32, ..Caller::default() }), []);
}

#[test]
fn each_obstacle_is_found_alone_and_has_a_fix() {
    type Change = fn(&mut Facts);
    let table: &[(&str, Change)] = &[
        ("old_kernel", |facts| facts.kernel.release = "5.4.0-150-generic".into()),
        ("old_kernel", |facts| facts.kernel.wsl = Some(1)),
        ("userns_clone", |facts| facts.namespaces.unprivileged_userns_clone = Some(0)),
        ("apparmor", |facts| facts.namespaces.apparmor_restrict = Some(1)),
        ("no_user_namespaces", |facts| facts.namespaces.limits.extend([("user".to_owned(), 0)])),
        ("namespace_limit", |facts| facts.namespaces.limits.extend([("net".to_owned(), 0)])),
        ("no_namespace_type", |facts| facts.namespaces.types.retain(|kind| kind != "user")),
        ("filter", |facts| facts.caller.filtered = true),
        ("masked_proc", |facts| facts.surroundings.covered_proc = vec!["/proc/kcore".into()]),
        ("no_pivot", |facts| facts.surroundings.chroot = true),
        ("no_pivot", |facts| facts.surroundings.initramfs = true),
        ("no_layer", |facts| facts.home.filesystem = Some("nfs4".into())),
        ("no_layer", |facts| facts.home.filesystem = Some("vfat".into())),
        ("no_layer", |facts| facts.home.filesystem = Some("overlay".into())),
        ("no_layer", |facts| facts.home.filesystem = Some("fuse.sshfs".into())),
        ("memfd_noexec", |facts| facts.namespaces.memfd_noexec = Some(2)),
        ("home", |facts| facts.home.problem = Some("permission denied".into())),
        ("no_proc", |facts| facts.surroundings.proc = false),
    ];
    for (id, change) in table {
        let found = with(change);
        assert_eq!(names(&found, Severity::Blocks), [*id], "{found:?}");
        assert!(found[0].fix.as_ref().is_some_and(|fix| fix.len() > 5), "{found:?}");
    }
}

#[test]
fn what_limits_leaves_the_rest_working() {
    type Change = fn(&mut Facts);
    let table: &[(&str, Change)] = &[
        ("no_id_helpers", |facts| facts.users.newuidmap = None),
        ("no_id_helpers", |facts| facts.users.newgidmap.as_mut().unwrap().privileged = false),
        ("no_id_range", |facts| facts.users.subuid.clear()),
        ("no_id_range", |facts| facts.users.subgid[0].count = 1000),
        ("weak_root", |facts| facts.caller.uid = 0),
        ("nested_root", |facts| {
            facts.caller = Caller { may_mount: true, mapped_ids: 65_537, ..Caller::default() };
            facts.users.of_root = Some(Range { first: 1, count: 65_536 });
        }),
        ("few_ids", |facts| {
            facts.caller = Caller { may_mount: true, mapped_ids: 1 << 32, ..Caller::default() };
            facts.users.of_root = Some(Range { first: 1, count: 999 });
        }),
        ("disk_space", |facts| facts.home.free_bytes = Some(1 << 20)),
        ("disk_files", |facts| facts.home.free_files = Some(3)),
        ("processes", |facts| facts.limits.processes = Some(20)),
        ("descriptors", |facts| facts.limits.files = Some(64)),
    ];
    for (id, change) in table {
        let found = with(change);
        assert_eq!(
            (names(&found, Severity::Limits), names(&found, Severity::Blocks)),
            (vec![*id], vec![]),
            "{found:?}"
        );
    }
    let found = with(|facts| {
        facts.users.subuid.clear();
        facts.users.other_source = Some("sss".into());
    });
    assert!(found[0].what.contains("sss"), "{found:?}");
}

#[test]
fn a_container_with_default_settings_is_told_apart_from_a_service_with_a_filter() {
    let found = with(|facts| {
        facts.caller.filtered = true;
        facts.surroundings.container = Some("docker".into());
        facts.surroundings.covered_proc = vec!["/proc/kcore".into(); 5];
        facts.home.filesystem = Some("overlay".into());
    });
    assert_eq!(names(&found, Severity::Blocks), ["container_filter", "masked_proc", "no_layer"]);
    assert_eq!(names(&found, Severity::Note), ["container"]);
    assert!(found[0].fix.as_ref().unwrap().contains("seccomp=unconfined"));
    assert!(found[1].what.contains("and 2 more"), "{}", found[1].what);
}

#[test]
fn what_was_only_likely_to_prevent_it_is_left_out_when_it_works() {
    let mut facts = good();
    facts.namespaces.apparmor_restrict = Some(1);
    facts.caller.filtered = true;
    facts.users.subuid.clear();
    let found = findings(&facts, Some(true));
    assert_eq!((names(&found, Severity::Blocks), names(&found, Severity::Limits)), (vec![], vec!["no_id_range"]));
}

#[test]
fn the_words_are_the_launchers() {
    let found = with(|facts| facts.namespaces.apparmor_restrict = Some(1));
    assert_eq!((&*found[0].what, found[0].fix.as_deref()), (remedy::APPARMOR.cause, Some(remedy::APPARMOR.fix)));
    let switches = Facts { namespaces: Namespaces { apparmor_restrict: Some(1), ..good().namespaces }, ..good() };
    assert_eq!(switches.switches().forbidden(), &remedy::APPARMOR);
}

#[test]
fn facts_and_findings_are_plain_data() {
    let facts = good();
    let text = serde_json::to_string(&facts).unwrap();
    assert_eq!(serde_json::from_str::<Facts>(&text).unwrap(), facts);
    let found = with(|facts| facts.surroundings.chroot = true);
    let value = serde_json::to_value(&found).unwrap();
    assert_eq!((value[0]["id"].as_str(), value[0]["severity"].as_str()), (Some("no_pivot"), Some("blocks")));
    assert_eq!(value[0]["provider"], "namespace");
}

proptest! {
    #[test]
    fn any_machine_has_findings_in_order_with_words(
        uid in 0u32..3, clone in 0u64..2, apparmor in 0u64..2, user in 0u64..2, filtered: bool, container: bool,
        chroot: bool, may_mount: bool, works: Option<bool>, release in "[0-9]{0,2}(\\.[0-9]{0,3})?.{0,4}", fs in "[a-z0-9.]{0,8}",
    ) {
        let mut facts = good();
        facts.caller = Caller { uid, filtered, may_mount, ..facts.caller };
        facts.namespaces.unprivileged_userns_clone = Some(clone);
        facts.namespaces.apparmor_restrict = Some(apparmor);
        facts.namespaces.limits.insert("user".into(), user);
        facts.surroundings.chroot = chroot;
        facts.surroundings.container = container.then(|| "lxc".into());
        facts.kernel.release = release;
        facts.home.filesystem = Some(fs);
        let found = findings(&facts, works);
        prop_assert!(found.is_sorted_by_key(|finding| std::cmp::Reverse(finding.severity)));
        for finding in &found {
            prop_assert!(!finding.what.is_empty() && !finding.what.ends_with('.'));
            prop_assert!(finding.severity != Severity::Blocks || finding.fix.is_some());
            prop_assert!(works != Some(true) || finding.severity != Severity::Blocks);
        }
    }
}
