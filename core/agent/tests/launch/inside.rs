//! What a sandbox on the host's files looks like from inside.

use crate::support::{Caller, Folder, Sandbox, bind, config, finish, launch, spawn_behind};
use isobox_wire::launch::LaunchConfig;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Looks around in a sandbox of everybody that these tests can be.
fn everybody(look: impl Fn(Caller, &mut Sandbox)) {
    everybody_with(|_| {}, look);
}

/// [`everybody`], in sandboxes that are made differently.
fn everybody_with(change: impl Fn(&mut LaunchConfig), look: impl Fn(Caller, &mut Sandbox)) {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let mut config = config(caller, &folder);
        change(&mut config);
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        look(caller, &mut sandbox);
        sandbox.end();
    }
}

#[test]
fn every_namespace_is_its_own() {
    everybody(|caller, sandbox| {
        for name in ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"] {
            let here = fs::read_link(format!("/proc/self/ns/{name}")).unwrap();
            let there = sandbox.run(&format!("readlink /proc/self/ns/{name}"));
            assert!(there.starts_with(&format!("{name}:[")), "{caller:?}: {there}");
            assert_ne!(there, here.to_string_lossy(), "{caller:?}");
        }
        assert_eq!(sandbox.run("cat /proc/1/comm"), "launch-probe", "{caller:?}");
        let processes = sandbox.run("cd /proc; echo [0-9]*");
        assert!(processes.split(' ').count() <= 3, "{caller:?}: {processes}");
        assert_eq!(sandbox.run("id -u; id -g; id -G"), "0\n0\n0", "{caller:?}");
    });
}

#[test]
fn the_network_is_loopback_alone_and_up() {
    everybody(|caller, sandbox| {
        assert_eq!(sandbox.run("ls /sys/class/net; cat /sys/class/net/lo/flags"), "lo\n0x9", "{caller:?}");
        assert_eq!(sandbox.run("tail -n +3 /proc/net/dev | wc -l; wc -l < /proc/net/route"), "1\n1", "{caller:?}");
    });
}

#[test]
fn names_are_those_of_the_config() {
    everybody(|caller, sandbox| {
        assert_eq!(sandbox.run("uname -n; cat /etc/hostname"), "box\nbox", "{caller:?}");
        assert!(sandbox.run("cat /etc/hosts").contains("localhost"), "{caller:?}");
        assert_eq!(sandbox.run("cat /etc/resolv.conf /etc/machine-id"), "", "{caller:?}");
    });
}

#[test]
fn accounts_are_the_sandboxes_own() {
    everybody(|caller, sandbox| {
        let names = sandbox.run("cut -d: -f1 /etc/passwd");
        let wanted = if caller == Caller::Root { "root\ndaemon\nnobody\nuser" } else { "root\ndaemon\nnobody" };
        assert_eq!(names, wanted, "{caller:?}");
        assert_eq!(sandbox.run("ls /etc/passwd- /etc/shadow- /etc/subuid 2>/dev/null"), "", "{caller:?}");
        assert!(sandbox.run("cat /etc/shadow").starts_with("root:*:"), "{caller:?}");
        if caller == Caller::Root {
            assert_eq!(sandbox.run("setpriv --reuid 1000 --regid 1000 --clear-groups sh -c 'id -un; cd ~user && pwd; touch here && ls; cat /etc/shadow'"),
                "user\n/home/user\nhere\ncat: /etc/shadow: Permission denied");
        }
    });
}

#[test]
fn nothing_of_anybodys_files_is_there() {
    everybody(|caller, sandbox| {
        assert_eq!(
            sandbox.run("ls -A /root /opt /srv /media /mnt /tmp /var/tmp /var/lib /var/log | grep -v : | tr -d '\\n'"),
            "",
            "{caller:?}"
        );
        assert_eq!(sandbox.run("ls -A /run"), "lock", "{caller:?}");
        assert_eq!(sandbox.run("ls -A /home"), if caller == Caller::Root { "user" } else { "" }, "{caller:?}");
        let own: Vec<String> = sandbox.run("ls -A /").lines().map(str::to_owned).collect();
        let known = "bin dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin srv sys tmp usr var";
        assert!(own.iter().all(|name| known.split(' ').any(|known| known == name)), "{caller:?}: {own:?}");
        let here = std::env::current_exe().unwrap();
        assert!(sandbox.run(&format!("ls {}", here.display())).contains("No such file"), "{caller:?}");
    });
}

/// What is closed to the world in a directory of the host, up to a number of files.
fn closed_files(directory: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.path().symlink_metadata() else { continue };
        if metadata.is_file() && metadata.mode() & 0o004 == 0 {
            found.push(entry.path().display().to_string());
        } else if metadata.is_dir() && metadata.mode() & 0o005 == 5 {
            closed_files(&entry.path(), found);
        }
    }
}

#[test]
fn what_is_closed_to_the_world_in_etc_is_closed_to_the_sandboxes_root() {
    let mut closed = vec![];
    closed_files(Path::new("/etc"), &mut closed);
    closed.retain(|path| !["/etc/shadow", "/etc/gshadow"].contains(&path.as_str()) && !path.ends_with('-'));
    if closed.is_empty() {
        eprintln!("skipped: nothing in /etc is closed to the world here");
        return;
    }
    everybody(|caller, sandbox| {
        for path in &closed {
            let read = sandbox.run(&format!("cat '{path}'"));
            assert!(read.contains("Permission denied"), "{caller:?}: {path}: {read}");
        }
    });
}

#[test]
fn the_machines_programs_are_read_only_and_etc_is_the_sandboxes_to_change() {
    everybody(|caller, sandbox| {
        for path in ["/usr/probe", "/bin/probe", "/usr/bin/env"] {
            assert!(sandbox.run(&format!("echo > {path}")).contains("Read-only file system"), "{caller:?}: {path}");
        }
        let script = "echo mine > /etc/probe && rm /etc/host.conf && echo changed > /etc/host.conf && cat /etc/probe /etc/host.conf";
        assert_eq!(sandbox.run(script), "mine\nchanged", "{caller:?}");
        assert!(!Path::new("/etc/probe").exists());
        let flags = sandbox.run("grep ' /usr ' /proc/self/mountinfo | cut -d' ' -f6");
        assert!(
            ["ro", "nosuid", "nodev"].iter().all(|flag| flags.split(',').any(|have| have == *flag)),
            "{caller:?}: {flags}"
        );
    });
}

#[test]
fn private_places_are_writable_and_gone_afterwards() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let config = config(caller, &folder);
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        let script = "for d in /tmp /root /home /run /var/lib /opt /srv /mnt /var/run /new; do mkdir -p $d && echo x > $d/f && cat $d/f; done";
        assert_eq!(sandbox.run(script), ["x"; 10].join("\n"), "{caller:?}");
        assert!(folder.path("state/upper/tmp/f").exists(), "{caller:?}");
        assert_eq!(
            sandbox.run("stat -c %a / /tmp /var/tmp /root /etc | tr '\\n' ' '").trim(),
            "755 1777 1777 700 755",
            "{caller:?}"
        );
        sandbox.end();
        assert!(!folder.path("state").exists(), "{caller:?}");
        let mut second = launch(caller, &folder, &config).unwrap();
        assert_eq!(
            second.run("ls -A /tmp /new"),
            "ls: cannot access '/new': No such file or directory\n/tmp:",
            "{caller:?}"
        );
    }
}

#[test]
fn root_has_twelve_capabilities_and_gains_none() {
    everybody(|caller, sandbox| {
        for process in ["1", "self"] {
            let status = sandbox.run(&format!("grep -E '^(Cap|NoNew)' /proc/{process}/status | tr -d '\\n\\t'"));
            let kept = "00000000800425fb";
            let wanted = format!(
                "CapInh:0000000000000000CapPrm:{kept}CapEff:{kept}CapBnd:{kept}CapAmb:0000000000000000NoNewPrivs:1"
            );
            assert_eq!(status, wanted, "{caller:?}");
        }
    });
}

#[test]
fn the_agent_is_closed_to_the_sandboxes_root() {
    everybody(|caller, sandbox| {
        for path in ["exe", "cwd", "root", "fd/0"] {
            let link = sandbox.run(&format!("readlink /proc/1/{path} || echo closed"));
            assert_eq!(link, "closed", "{caller:?}: {path}");
        }
        assert!(sandbox.run("cat /proc/1/environ").contains("Permission denied"), "{caller:?}");
        assert!(sandbox.run("ls /proc/1/fd").contains("Permission denied"), "{caller:?}");
    });
}

#[test]
fn only_the_connection_the_listener_and_the_log_are_open() {
    everybody(|caller, sandbox| {
        let open = sandbox.run("@fds");
        let kinds: Vec<&str> = open.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
        let log = kinds.get(1).copied().unwrap_or_default();
        assert!(
            kinds.len() == 4 && kinds[0].starts_with("socket:") && kinds[3].starts_with("socket:"),
            "{caller:?}: {open}"
        );
        assert!(kinds[1] == log && kinds[2] == log && log.contains("log-"), "{caller:?}: {open}");
    });
}

#[test]
fn the_kernels_settings_and_secrets_are_out_of_reach() {
    everybody(|caller, sandbox| {
        for name in [
            "sys/kernel/hostname",
            "sys/vm/overcommit_memory",
            "sys/net/ipv4/ip_forward",
            "sysrq-trigger",
            "irq/default_smp_affinity",
        ] {
            let path = format!("/proc/{name}");
            if Path::new(&path).exists() {
                let wrote = sandbox.run(&format!("echo 1 > {path}"));
                assert!(wrote.contains("Read-only file system"), "{caller:?}: {path}: {wrote}");
            }
        }
        for name in ["kcore", "keys", "timer_list", "sched_debug", "latency_stats", "interrupts"] {
            if Path::new("/proc").join(name).exists() {
                assert_eq!(sandbox.run(&format!("head -c 1 /proc/{name} | wc -c")), "0", "{caller:?}: {name}");
            }
        }
        assert_eq!(sandbox.run("ls -A /proc/acpi /proc/scsi /sys/firmware 2>/dev/null | grep -v :"), "", "{caller:?}");
        assert!(sandbox.run("echo > /sys/class/net/lo/mtu").contains("Read-only file system"), "{caller:?}");
    });
}

#[test]
fn masks_cannot_be_taken_away() {
    let nested = |config: &mut LaunchConfig| config.confinement.nested_user_namespaces = true;
    everybody_with(nested, |caller, sandbox| {
        let attempts = "umount /proc/sys; mount -o remount,bind,rw /proc/sys; umount /proc; mount -t proc proc /mnt; umount /usr; \
                        mount -o remount,bind,rw /usr";
        let root = sandbox
            .run(&format!("({attempts}) >/dev/null 2>&1; echo 1 > /proc/sys/vm/overcommit_memory; echo > /usr/x"));
        assert_eq!(root.matches("Read-only file system").count(), 2, "{caller:?}: {root}");
        if sandbox.run("command -v unshare").is_empty() {
            eprintln!("skipped for nested namespaces: there is no unshare");
            return;
        }
        let nested = format!(
            "unshare -Urmpf sh -c '({attempts}) >/dev/null 2>&1; echo in $(id -u); echo 1 > /proc/sys/vm/overcommit_memory; echo > /usr/x; \
             cat /mnt/version; head -c 1 /proc/timer_list | wc -c'"
        );
        let nested = sandbox.run(&nested);
        assert!(nested.starts_with("in 0") || nested.contains("unshare failed"), "{caller:?}: {nested}");
        if nested.starts_with("in 0") {
            assert_eq!(nested.matches("Read-only file system").count(), 2, "{caller:?}: {nested}");
            assert!(nested.contains("/mnt/version: No such file") && nested.ends_with('0'), "{caller:?}: {nested}");
        }
    });
}

#[test]
fn user_namespaces_are_counted_to_none_unless_asked_for() {
    let made = "unshare -U true && echo made || echo none";
    everybody(|caller, sandbox| {
        if sandbox.run("command -v unshare").is_empty() {
            return eprintln!("skipped: there is no unshare");
        }
        let seen = sandbox.run("cat /proc/sys/user/max_user_namespaces; unshare -U true");
        assert!(seen.starts_with("0\n") && seen.contains("No space left"), "{caller:?}: {seen}");
        let raised = sandbox.run(&format!("echo 9 > /proc/sys/user/max_user_namespaces; {made}"));
        assert!(raised.contains("Read-only") && raised.ends_with("none"), "{caller:?}: {raised}");
    });
    let nested = |config: &mut LaunchConfig| config.confinement.nested_user_namespaces = true;
    everybody_with(nested, |caller, sandbox| {
        if !sandbox.run("command -v unshare").is_empty() {
            assert_eq!(sandbox.run(made), "made", "{caller:?}");
        }
    });
}

#[test]
fn devices_and_terminals_work() {
    everybody(|caller, sandbox| {
        let script = "head -c 3 /dev/zero | wc -c; head -c 3 /dev/urandom | wc -c; head -c 3 /dev/random | wc -c; cat /dev/null | wc -c; \
                      echo x > /dev/null && echo wrote; head -c 1 /dev/zero 2>&1 >/dev/full | grep -o 'No space'; \
                      (exec 3<>/dev/ptmx && ls /dev/pts | tr '\\n' ' '); echo; echo x | cat /dev/stdin; \
                      stat -f -c %T /dev/shm; echo shared > /dev/shm/a && cat /dev/shm/a; ls -d /dev/mqueue; stat -c %a /dev /dev/shm";
        let wanted = "3\n3\n3\n0\nwrote\nNo space\n0 ptmx \nx\ntmpfs\nshared\n/dev/mqueue\n755\n1777";
        assert_eq!(sandbox.run(script), wanted, "{caller:?}");
        let made = sandbox.run("mknod /dev/mem c 1 1 && head -c 1 /dev/mem");
        assert!(made.contains("not permitted") || made.contains("Permission denied"), "{caller:?}: {made}");
    });
}

#[test]
fn sizes_are_those_of_the_config() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let mut config = config(caller, &folder);
        (config.shm_size, config.tmp_size) = (Some(1 << 20), Some(2 << 20));
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        let sizes = sandbox.run("for d in /dev/shm /tmp; do head -c 9000000 /dev/zero > $d/f 2>/dev/null; wc -c < $d/f; done; stat -c %a /tmp");
        assert_eq!(sizes, "1048576\n2097152\n1777", "{caller:?}");
    }
}

#[test]
fn mounts_made_on_the_host_later_do_not_appear() {
    let Some(caller) = Caller::root() else { return };
    let folder = Folder::new(caller);
    let source = folder.directory("source", caller);
    let mut config = config(caller, &folder);
    config.mounts = vec![bind(&source, "/data", false)];
    let mut sandbox = launch(caller, &folder, &config).unwrap();
    let inner = folder.directory("source/inner", caller);
    rustix::mount::mount("none", &inner, c"tmpfs", rustix::mount::MountFlags::empty(), None).unwrap();
    fs::write(inner.join("later"), "").unwrap();
    let seen = sandbox.run("ls /data/inner");
    rustix::mount::unmount(&inner, rustix::mount::UnmountFlags::empty()).unwrap();
    assert_eq!(seen, "");
}

#[test]
fn etc_with_something_mounted_in_it_is_the_same() {
    let Some(root) = Caller::root() else { return };
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let name = folder.file("hostname", "engine\n", caller);
        // As in a container: the engine's files on top of the image's.
        let mount = format!("mount --bind {} /etc/host.conf && exec \"$@\"", name.display());
        let mut front = vec!["unshare", "-m", "sh", "-c", &mount, "sh"];
        let Caller::Ordinary(user, group) = Caller::ordinary() else { continue };
        let ids = [format!("--reuid={user}"), format!("--regid={group}")];
        if caller != root {
            front.extend(["setpriv", &ids[0], &ids[1], "--clear-groups"]);
        }
        let mut sandbox = finish(spawn_behind(&front, caller, &folder), &config(caller, &folder)).unwrap();
        assert_eq!(
            sandbox.run("cat /etc/host.conf; cut -d: -f1 /etc/passwd | head -1; ls /etc/passwd-"),
            "engine\nroot\nls: cannot access '/etc/passwd-': No such file or directory",
            "{caller:?}"
        );
        let script = "echo x > /etc/host.conf && echo x > /etc/new && rm -r /etc/init.d && cat /etc/host.conf; readlink /etc/mtab; ls /etc/ssl";
        assert!(sandbox.run(script).starts_with("x\n"), "{caller:?}");
    }
}

#[test]
fn a_sandbox_is_born_in_its_cgroup_sees_nothing_above_it_and_takes_it_along() {
    let Some(caller) = Caller::root() else { return };
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let Some(top) = mounts.lines().find(|line| line.contains(" - cgroup2 ")).and_then(|line| line.split(' ').nth(4))
    else {
        eprintln!("skipped: cgroup v2 is not mounted");
        return;
    };
    let cgroup = Path::new(top).join(format!("isobox-launch-{}", std::process::id()));
    let commands = cgroup.join("commands");
    if let Err(error) = fs::create_dir_all(&commands) {
        eprintln!("skipped: cannot make a cgroup: {error}");
        return;
    }
    let folder = Folder::new(caller);
    let mut config = config(caller, &folder);
    let [born_in, commands] = [&cgroup, &commands].map(|path| crate::support::bytes(path));
    config.cgroups.removed = vec![commands.clone(), born_in.clone()];
    (config.cgroups.born_in, config.cgroups.commands) = (Some(born_in), Some(commands));
    let sandbox = launch(caller, &folder, &config);
    let seen = sandbox.map(|mut sandbox| {
        let inside = sandbox.run("grep ^0: /proc/self/cgroup");
        let outside = fs::read_to_string(cgroup.join("cgroup.procs")).unwrap();
        let open = sandbox.run("@fds");
        let seen = (inside, outside.lines().any(|pid| pid == sandbox.pid.to_string()), open.lines().count());
        sandbox.end();
        seen
    });
    assert_eq!(seen, Ok(("0::/".into(), true, 5)));
    assert!(!cgroup.exists(), "it is left over");
}
