//! How sandboxes end: with their keeper, with the library, by themselves; and that nothing is left.

use crate::support::{Caller, Folder, bind, busybox, bytes, config, finish, launch, spawn, spawn_behind};
use isobox_wire::launch::{LaunchReport, RootFs};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;

fn watch(pid: u32) -> OwnedFd {
    pidfd_open(Pid::from_raw(pid.cast_signed()).unwrap(), PidfdFlags::empty()).unwrap()
}

/// Waits for a process to end.
fn await_end(process: &OwnedFd) {
    let patience = Timespec { tv_sec: 30, tv_nsec: 0 };
    assert_eq!(poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&patience)), Ok(1), "the process lives on");
}

/// The processes that a script in a sandbox started, as the host sees them: those in the sandbox's process namespace.
fn inhabitants(pid: u32) -> Vec<OwnedFd> {
    let namespace = fs::read_link(format!("/proc/{pid}/ns/pid"));
    let Ok(namespace) = namespace else { return vec![watch(pid)] };
    let here = |entry: &fs::DirEntry| fs::read_link(entry.path().join("ns/pid")).is_ok_and(|other| other == namespace);
    let processes = fs::read_dir("/proc").unwrap().flatten().filter(here);
    processes.filter_map(|entry| Some(watch(entry.file_name().to_str()?.parse().ok()?))).collect()
}

#[test]
fn a_signal_to_the_keeper_ends_everything_and_removes_the_state() {
    for caller in Caller::all() {
        for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
            let folder = Folder::new(caller);
            let mut sandbox = launch(caller, &folder, &config(caller, &folder)).unwrap();
            sandbox.run("setsid sleep 1000 >/dev/null 2>&1 & echo > /tmp/f");
            let processes = inhabitants(sandbox.pid);
            assert_eq!(sandbox.signal(signal).code(), Some(137), "{caller:?}");
            processes.iter().for_each(await_end);
            assert!(!folder.path("state").exists(), "{caller:?}");
        }
    }
}

#[test]
fn a_killed_keeper_takes_everything_along() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let mut sandbox = launch(caller, &folder, &config(caller, &folder)).unwrap();
        sandbox.run("setsid sleep 1000 >/dev/null 2>&1 &");
        let processes = inhabitants(sandbox.pid);
        assert_eq!(sandbox.signal(Signal::KILL).signal(), Some(9), "{caller:?}");
        processes.iter().for_each(await_end);
    }
}

#[test]
fn the_agents_own_end_is_the_sandboxes_end_and_exit_code() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let mut sandbox = launch(caller, &folder, &config(caller, &folder)).unwrap();
        sandbox.run("setsid sleep 1000 >/dev/null 2>&1 &");
        let processes = inhabitants(sandbox.pid);
        assert_eq!(sandbox.exit().code(), Some(7), "{caller:?}");
        processes.iter().for_each(await_end);
        assert!(!folder.path("state").exists(), "{caller:?}");
    }
}

#[test]
fn a_library_that_goes_away_during_the_launch_leaves_nothing() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let frame = config(caller, &folder).to_frame().unwrap();
        for length in [0, 2, 4, frame.len() / 2, frame.len() - 1] {
            let mut launch = spawn(caller, &folder);
            launch.stream.write_all(&frame[..length]).unwrap();
            drop(launch.stream);
            assert_eq!(launch.keeper.wait().unwrap().code(), Some(1), "{caller:?}");
            assert!(!folder.path("state").exists(), "{caller:?}");
        }
        for _ in 0..20 {
            let mut launch = spawn(caller, &folder);
            launch.stream.write_all(&frame).unwrap();
            drop(launch.stream);
            launch.keeper.wait().unwrap();
            assert!(!folder.path("state").exists(), "{caller:?}");
        }
    }
}

#[test]
fn what_the_library_sends_behind_the_config_reaches_the_agent() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let mut launch = spawn(caller, &folder);
        let frame = config(caller, &folder).to_frame().unwrap();
        launch.stream.write_all(&[frame.as_slice(), &[0, 0, 0, 7], b"@exit 7"].concat()).unwrap();
        assert!(matches!(launch.report(), LaunchReport::Ready { .. }), "{caller:?}");
        assert_eq!(launch.keeper.wait().unwrap().code(), Some(7), "{caller:?}: {}", launch.log());
    }
}

#[test]
fn hostile_trees_are_removed() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let victim = folder.file("victim", "here", caller);
        let mut sandbox = launch(caller, &folder, &config(caller, &folder)).unwrap();
        let script = "cd /var/lib; i=0; while [ $i -lt 300 ]; do mkdir d d/removed-0 d/x; chmod 0 d/x; cd d; i=$((i+1)); done; mkfifo fifo; \
                      mkdir -p /srv/a/b/c; touch /srv/a/b/f; chmod 0 /srv/a/b/c /srv/a/b /srv/a; ln -s / /srv/link; cd /; \
                      chmod 500 /var/lib/d/d/d; chmod 0 /var/lib/d/d; echo made";
        assert_eq!(sandbox.run(script), "made", "{caller:?}");
        sandbox.run(&format!("ln -s {} /tmp/link", victim.display()));
        sandbox.end();
        assert!(!folder.path("state").exists(), "{caller:?}");
        assert!(victim.exists());
    }
}

#[test]
fn a_kept_state_directory_has_no_layers() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let mut config = config(caller, &folder);
        config.keep = true;
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        sandbox.run("echo > /tmp/f");
        sandbox.end();
        assert_eq!(fs::read_dir(folder.path("state")).unwrap().count(), 0, "{caller:?}");
    }
}

#[test]
fn the_listener_is_bound_however_long_the_path_is() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let name = "long/".repeat(40) + &"x".repeat(200);
        let parent = std::path::Path::new(&name).parent().unwrap().to_str().unwrap().to_owned();
        folder.directory(&parent, caller);
        let mut config = config(caller, &folder);
        config.state_dir = bytes(&folder.path(&name));
        // Where the parent belongs to somebody else, the caller could not make its directory.
        fs::set_permissions(folder.path(&parent), fs::Permissions::from_mode(0o777)).unwrap();
        let sandbox = launch(caller, &folder, &config).unwrap();
        let metadata = sandbox.socket().metadata().unwrap();
        assert!(std::os::unix::fs::FileTypeExt::is_socket(&metadata.file_type()), "{caller:?}");
        assert_eq!(sandbox.state().metadata().unwrap().permissions().mode() & 0o777, 0o700, "{caller:?}");
        let short = folder.path("socket");
        std::os::unix::fs::symlink(sandbox.state(), &short).unwrap();
        UnixStream::connect(short.join("agent.sock")).unwrap();
        sandbox.end();
        assert!(!folder.path(&name).exists(), "{caller:?}");
    }
}

#[test]
fn the_reported_process_is_the_sandboxes_first_and_the_keeper_stays_outside() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let mut sandbox = launch(caller, &folder, &config(caller, &folder)).unwrap();
        let status = fs::read_to_string(format!("/proc/{}/status", sandbox.pid)).unwrap();
        let ids = status.lines().find(|line| line.starts_with("NSpid:")).unwrap();
        assert_eq!(ids.split_whitespace().skip(1).collect::<Vec<_>>(), [&*sandbox.pid.to_string(), "1"], "{caller:?}");
        // It names itself while the sandbox becomes ready.
        let name = || fs::read_to_string(format!("/proc/{}/comm", sandbox.keeper())).unwrap();
        let begun = std::time::Instant::now();
        while name() != "isobox-keeper\n" {
            assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{caller:?}: {}", name());
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert_eq!(
            sandbox.run("echo /proc/[0-9]*/comm | tr ' ' '\\n' | xargs cat 2>/dev/null | grep -c keeper"),
            "0",
            "{caller:?}"
        );
        assert_eq!(sandbox.log(), "", "{caller:?}");
        if rustix::process::geteuid().is_root() {
            let open = fs::read_dir(format!("/proc/{}/fd", sandbox.keeper())).unwrap().flatten();
            let sockets = open
                .filter(|entry| fs::read_link(entry.path()).is_ok_and(|to| to.to_string_lossy().starts_with("socket")));
            assert_eq!(sockets.count(), 0, "{caller:?}");
        }
    }
}

#[test]
fn fifty_at_once_and_nothing_is_left() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let root = busybox(&folder, caller);
        let source = folder.directory("source", caller);
        let mounts = || {
            fs::read_to_string("/proc/self/mountinfo")
                .unwrap()
                .lines()
                .filter(|line| line.contains("isobox-launch"))
                .count()
        };
        let before = mounts();
        let (folder, source) = (&folder, &source);
        let root = root.as_ref();
        let processes: Vec<OwnedFd> = std::thread::scope(|scope| {
            let sandboxes: Vec<_> = (0..50)
                .map(|number| {
                    scope.spawn(move || {
                        let mut config = config(caller, folder);
                        config.state_dir = bytes(&folder.path(&format!("state-{number}")));
                        config.mounts = vec![bind(source, "/data", true)];
                        if let (Some(root), 0) = (root, number % 2) {
                            config.root = RootFs::Directory(bytes(root));
                        }
                        let mut sandbox = launch(caller, folder, &config).unwrap();
                        assert_eq!(sandbox.run(&format!("echo x > /data/{number}; cat /proc/1/comm")), "launch-probe");
                        sandbox
                    })
                })
                .collect();
            let sandboxes: Vec<_> = sandboxes.into_iter().map(|sandbox| sandbox.join().unwrap()).collect();
            let processes = sandboxes.iter().map(|sandbox| watch(sandbox.pid)).collect();
            drop(sandboxes);
            processes
        });
        processes.iter().for_each(await_end);
        assert_eq!(fs::read_dir(source).unwrap().count(), 50, "{caller:?}");
        assert_eq!(mounts(), before, "{caller:?}");
        let left = fs::read_dir(folder.path(""))
            .unwrap()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("state"));
        assert_eq!(left.count(), 0, "{caller:?}");
    }
}

#[test]
fn descriptors_that_the_caller_let_through_are_closed() {
    let caller = Caller::root().unwrap_or_else(Caller::ordinary);
    let folder = Folder::new(caller);
    let leaked = folder.path("leaked");
    let front = ["sh", "-c", &format!("exec 9>{0} 1>{0}; exec \"$@\"", leaked.display()), "sh"];
    let mut sandbox = finish(spawn_behind(&front, caller, &folder), &config(caller, &folder)).unwrap();
    assert_eq!(sandbox.run("@fds").lines().count(), 4);
    let open = fs::read_dir(format!("/proc/{}/fd", sandbox.keeper())).unwrap().flatten();
    assert_eq!(open.filter(|entry| fs::read_link(entry.path()).is_ok_and(|to| to == leaked)).count(), 0);
}
