//! Trees end, whatever their programs do.

use super::super::descend::{Source, proc_directory};
use super::*;

const FOREVER: &str = "sleep 100000";

#[test]
fn a_sleeping_command_ends_at_once() {
    let mut running = start(&["sleep", "100000"]);
    running.started();
    running.kill_for_certain();
}

#[test]
fn the_leaders_exit_is_reported_while_a_child_holds_its_output() {
    let mut running = sh(&format!("{FOREVER} & exit 7"));
    running.started();
    assert_eq!(running.exited().0, ExitStatus::Code(7));
    assert_eq!(running.tree.try_report().unwrap(), None);
    // A process in the middle of its exec has no environment to be known by.
    wait_for(&running.marker, 1);
    running.kill_for_certain();
}

#[test]
fn output_ends_when_the_last_holder_does_although_the_supervisor_lives() {
    let mut running = sh("(exec >/dev/null 2>&1; sleep 100000) & echo done");
    running.started();
    assert_eq!(running.rest(), "done\n");
    running.kill_for_certain();
}

#[test]
fn new_sessions_daemons_and_cleared_environments_do_not_escape() {
    let mark = marker();
    let named = format!("exec -a {mark} sleep 100000");
    let mut running = sh(&format!(
        "setsid {FOREVER} & (setsid sh -c '{FOREVER} &' &) ; env -i bash -c '{named}' & setsid env -i bash -c '{named}' & \
         (trap '' TERM HUP INT; {FOREVER}; :) & wait"
    ));
    running.started();
    wait_for(&mark, 2);
    wait_for(&running.marker, 5);
    running.kill_for_certain();
    assert_eq!(survivors(&mark), Vec::<String>::new());
}

#[test]
fn stopped_processes_end() {
    let mut running = sh(&format!("{FOREVER} & kill -STOP $!; echo $!; kill -STOP $$"));
    running.started();
    running.line();
    running.kill_for_certain();
}

#[test]
fn one_term_is_one_term() {
    let mut running =
        sh("exec 2>/dev/null; trap 'echo term' TERM; echo ready; while :; do read -r line || sleep 0.01; done");
    running.started();
    assert_eq!(running.line(), "ready");
    running.tree.signal_tree(libc::SIGTERM).unwrap();
    assert_eq!(running.line(), "term");
    running.tree.signal_leader(libc::SIGTERM).unwrap();
    assert_eq!(running.line(), "term");
    assert_eq!(running.tree.try_report().unwrap(), None);
    running.kill_for_certain();
}

#[test]
fn a_signal_to_the_tree_reaches_other_sessions_and_one_to_the_group_does_not() {
    let mut running = sh(
        "exec 2>/dev/null; setsid sh -c 'trap \"echo far; exit\" USR1; echo ready; while :; do sleep 0.01; done' & trap 'echo near' USR1; \
            while :; do wait; done",
    );
    running.started();
    assert_eq!(running.line(), "ready");
    running.tree.signal_group(libc::SIGUSR1).unwrap();
    assert_eq!(running.line(), "near");
    running.tree.signal_tree(libc::SIGUSR1).unwrap();
    let mut both = [running.line(), running.line()];
    both.sort();
    assert_eq!(both, ["far", "near"]);
    running.kill_for_certain();
}

#[test]
fn the_group_can_be_signalled_after_its_leader_has_ended() {
    let mut running =
        sh("exec 2>/dev/null; (trap 'echo group; exit' TERM; echo ready; while :; do sleep 0.01; done) & exit 0");
    running.started();
    assert_eq!(running.exited().0, ExitStatus::Code(0));
    assert_eq!(running.line(), "ready");
    running.tree.signal_leader(libc::SIGTERM).unwrap();
    running.tree.signal_group(libc::SIGTERM).unwrap();
    assert_eq!(running.rest(), "group\n");
    running.empty();
}

#[test]
fn a_late_term_and_a_late_kill_are_no_error() {
    let mut running = start(&["true"]);
    running.started();
    running.exited();
    running.empty();
    running.tree.signal_tree(libc::SIGTERM).unwrap();
    running.tree.kill().unwrap();
    assert_eq!(running.tree.try_report().unwrap(), None);
}

#[test]
fn signals_from_the_command_do_not_disturb_its_supervisor() {
    let mut running =
        sh("for signal in HUP INT QUIT TERM USR1 USR2 CHLD ALRM ABRT SEGV; do kill -$signal $PPID; done; exit 5");
    running.started();
    assert_eq!(running.exited().0, ExitStatus::Code(5));
    running.empty();
}

#[test]
fn dropping_the_handle_ends_the_tree() {
    let mut running = sh(&format!("setsid {FOREVER} & echo ready; wait"));
    running.started();
    running.line();
    let mark = running.marker.clone();
    drop(running);
    wait_until_gone(&mark);
}

#[test]
fn a_cgroup_holds_the_command_and_not_its_supervisor() {
    run_in_a_cgroup();
}

#[test]
fn a_container_engine_that_filters_new_system_calls_makes_no_difference() {
    isolated("ending::a_container_engine_that_filters_new_system_calls_makes_no_difference", &[], || {
        let _held: Vec<File> = (0..20).map(|_| File::open("/").unwrap()).collect();
        let _inheritable = rustix::io::dup(File::open("/").unwrap()).unwrap();
        deny(&[libc::SYS_clone3, libc::SYS_close_range]);
        run_in_a_cgroup();
        assert_eq!(sh("ls /proc/$$/fd").finish().1, "0\n1\n2\n");
    });
}

#[test]
fn a_session_from_outside_of_the_pid_namespace_makes_no_difference() {
    let test = "ending::a_session_from_outside_of_the_pid_namespace_makes_no_difference";
    isolated(test, &["unshare", "--map-root-user", "--pid", "--fork", "--mount-proc"], || {
        assert_eq!(super::super::sys::getsid(0), Ok(0), "the session should have been made outside");
        sh(&format!("setsid {FOREVER} & {FOREVER} & wait")).kill_for_certain();
    });
}

/// Lets these system calls fail with EPERM in this process and all that it starts, as old engines do.
#[allow(unsafe_code)]
fn deny(calls: &[libc::c_long]) {
    // Classic BPF: load the number, jump past the refusal unless it is the one, refuse; allow in the end.
    let op = |code: u32, jt, jf, k| libc::sock_filter { code: code as u16, jt, jf, k };
    let mut program = vec![op(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0)];
    for call in calls {
        program.push(op(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, *call as u32));
        program.push(op(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    }
    program.push(op(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW));
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    super::super::sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1).unwrap();
    // SAFETY: `filter` and its program outlive the call.
    let set = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) };
    assert_eq!(set, 0);
}

fn run_in_a_cgroup() {
    let Some(cgroup) = TestCgroup::new("/sys/fs/cgroup/unified").or_else(|| TestCgroup::new("/sys/fs/cgroup")) else {
        println!("skipped: no writable cgroup v2");
        return;
    };
    let directory = File::open(&cgroup.0).unwrap();
    let script = format!("setsid {FOREVER} & cat /proc/self/cgroup; wait");
    // The directory outlives the launch, which borrows it.
    let mut running = {
        let (stdin, _) = pipe();
        let (output, write) = pipe();
        let mark = marker();
        let mut launch = Launch::new(bytes(&["/bin/sh", "-c", &script]), [stdin.as_fd(), write.as_fd(), write.as_fd()]);
        launch.env = bytes(&["PATH=/usr/bin:/bin", &format!("MARK={mark}")]);
        launch.cgroup = Some(directory.as_fd());
        Running { tree: launch.start().unwrap(), stdin: None, output: output.into(), marker: mark }
    };
    running.started();
    let name = cgroup.0.file_name().unwrap().to_str().unwrap().to_owned();
    while !running.line().ends_with(&name) {}
    let members = std::fs::read_to_string(cgroup.0.join("cgroup.procs")).unwrap();
    assert!(!members.lines().any(|pid| pid == running.tree.supervisor().as_raw_nonzero().to_string()));
    running.kill_for_certain();
    assert_eq!(std::fs::read_to_string(cgroup.0.join("cgroup.procs")).unwrap(), "");
}

struct TestCgroup(std::path::PathBuf);

impl TestCgroup {
    fn new(root: &str) -> Option<Self> {
        let root = std::path::Path::new(root);
        root.join("cgroup.procs").exists().then_some(())?;
        let path = root.join(marker());
        std::fs::create_dir(&path).ok()?;
        Some(Self(path))
    }
}

impl Drop for TestCgroup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.0);
    }
}

#[test]
fn every_source_finds_a_grandchild_or_its_parent() {
    isolated("ending::every_source_finds_a_grandchild_or_its_parent", &[], || {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 100000 & echo $!; wait"]).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = [0; 32];
        let length = child.stdout.as_mut().unwrap().read(&mut line).unwrap();
        let grandchild: i32 = std::str::from_utf8(&line[..length]).unwrap().trim().parse().unwrap();
        let family = |source: Source<'_>| {
            let mut found = Vec::new();
            source.walk(|pid| {
                found.push(pid);
                true
            });
            found
        };
        let proc = proc_directory().unwrap();
        let both = vec![child.id() as i32, grandchild];
        assert_eq!(family(Source::Children(proc)), both);
        assert_eq!(family(Source::Stat(proc)), both);
        assert_eq!(family(Source::Wait), both[..1]);
        super::super::ending::Sweep { source: Source::Wait, spare: |_| false, by_group: false }.run();
        child.wait().unwrap();
        super::super::sys::kill(grandchild, libc::SIGKILL).unwrap();
    });
}
