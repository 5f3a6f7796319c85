//! Programs that do everything to stay alive.
#![allow(unsafe_code)]

use super::super::descend::{Source, proc_directory};
use super::super::{become_reaper, ending};
use super::*;

/// Runs one of the programs below, as this binary, with these ids.
fn hostile(program: &str, change: impl FnOnce(&mut Launch<'_>)) -> Running {
    let argv = this_binary("hostile::program");
    let argv: Vec<&str> = argv.iter().map(String::as_str).collect();
    let mut running = start_with(&argv, |launch| {
        launch.env.push(format!("{ROLE}={program}").into_bytes());
        change(launch);
    })
    .unwrap();
    running.started();
    while !running.line().ends_with("ready") {}
    running
}

fn ready() {
    // SAFETY: writes a constant. Not println, whose lock a forked child may find taken.
    unsafe { libc::write(1, c"ready\n".as_ptr().cast(), 6) };
}

fn fork() -> i32 {
    // SAFETY: the children only make system calls.
    unsafe { libc::fork() }
}

fn pause() -> ! {
    loop {
        // SAFETY: takes nothing.
        unsafe { libc::pause() };
    }
}

/// Bounds every program that keeps the machine busy, should the ending under test fail.
struct Fuse(Instant);

impl Fuse {
    fn new() -> Self {
        Self(Instant::now() + Duration::from_secs(20))
    }

    fn check(&self) {
        if Instant::now() > self.0 {
            exit();
        }
    }
}

fn exit() -> ! {
    // SAFETY: ends the process.
    unsafe { libc::_exit(0) }
}

#[test]
#[ignore = "the hostile program of the other tests, not a test"]
fn program() {
    match role().as_deref() {
        Some("comet") => comet(),
        Some("bomb") => bomb(false),
        Some("scatter") => bomb(true),
        Some("subreaper") => subreaper(),
        Some("resumers") => resumers(),
        Some("vfork") => stuck_in_vfork(),
        Some("headless") => headless(),
        Some("stopper") => stopper(),
        other => panic!("no such program: {other:?}"),
    }
}

/// Is never the same process for longer than a fork takes, each in a session of its own.
fn comet() {
    let fuse = Fuse::new();
    ready();
    loop {
        fuse.check();
        if fork() > 0 {
            exit();
        }
        // SAFETY: takes nothing.
        unsafe { libc::setsid() };
    }
}

/// Every process forks as fast as it can, up to the limit of its user; scattered, each starts a session of its own.
fn bomb(scattered: bool) {
    // The limit does not hold for root, and an accident here would take the machine down.
    // SAFETY: takes a number.
    unsafe { libc::setuid(54321) };
    let limit = libc::rlimit { rlim_cur: 600, rlim_max: 600 };
    // SAFETY: `limit` outlives the call.
    unsafe { libc::setrlimit(libc::RLIMIT_NPROC, &raw const limit) };
    let fuse = Fuse::new();
    let mut grown = false;
    loop {
        fuse.check();
        match fork() {
            // SAFETY: takes nothing.
            0 if scattered => drop(unsafe { libc::setsid() }),
            -1 if !grown => {
                grown = true;
                ready();
            }
            _ => {}
        }
    }
}

/// Collects orphans itself, and makes many.
fn subreaper() {
    // SAFETY: plain numbers.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    for _ in 0..20 {
        if fork() == 0 {
            // SAFETY: takes nothing.
            unsafe { libc::setsid() };
            if fork() == 0 {
                pause();
            }
            exit();
        }
    }
    ready();
    pause();
}

/// Wake each other whenever one is stopped, and replace each other.
fn resumers() {
    for _ in 0..10 {
        if fork() == 0 {
            break;
        }
    }
    let fuse = Fuse::new();
    ready();
    loop {
        fuse.check();
        // SAFETY: plain numbers; 0 is the own process group, and waitpid takes a null status.
        unsafe {
            libc::kill(0, libc::SIGCONT);
            if fork() == 0 {
                libc::kill(0, libc::SIGCONT);
                exit();
            }
            libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG);
        }
    }
}

/// A parent that cannot run until its child, which ignores everything, executes something.
fn stuck_in_vfork() {
    // SAFETY: the memory is not shared, so both sides may go on.
    let child = unsafe { libc::syscall(libc::SYS_clone, libc::CLONE_VFORK | libc::SIGCHLD, 0, 0, 0, 0) };
    assert_eq!(child, 0, "the parent is never resumed");
    // SAFETY: plain numbers.
    unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
    ready();
    pause();
}

/// The first thread is gone, so the process looks like a zombie; the second one has the children.
fn headless() {
    std::thread::spawn(|| {
        for _ in 0..5 {
            if fork() == 0 {
                pause();
            }
        }
        ready();
        pause();
    });
    // SAFETY: ends this thread only.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
}

/// Stops its supervisor over and over, once it has been told to.
fn stopper() {
    // SAFETY: takes nothing.
    let supervisor = unsafe { libc::getppid() };
    ready();
    std::io::stdin().read_exact(&mut [0]).unwrap();
    let fuse = Fuse::new();
    loop {
        fuse.check();
        // SAFETY: plain numbers.
        unsafe { libc::kill(supervisor, libc::SIGSTOP) };
    }
}

fn nobody(launch: &mut Launch<'_>) {
    launch.credentials = Some(super::super::Credentials { uid: 54321, gid: 54321, groups: Vec::new() });
}

#[test]
fn a_process_that_is_never_the_same_for_long_ends() {
    hostile("comet", |_| {}).kill_for_certain();
}

#[test]
fn a_child_that_is_a_subreaper_ends() {
    let running = hostile("subreaper", |_| {});
    wait_for(&running.marker, 21);
    running.kill_for_certain();
}

#[test]
fn processes_that_resume_each_other_end() {
    hostile("resumers", |_| {}).kill_for_certain();
}

#[test]
fn a_parent_stuck_in_vfork_ends() {
    hostile("vfork", |_| {}).kill_for_certain();
}

#[test]
fn a_process_without_its_first_thread_ends() {
    hostile("headless", |_| {}).kill_for_certain();
}

#[test]
fn a_fork_bomb_under_a_root_agent_ends() {
    if is_root() {
        for bomb in ["bomb", "scatter"] {
            println!("{bomb} of 600 ended in {:?}", hostile(bomb, nobody).kill_for_certain());
        }
    }
}

#[test]
fn an_unprivileged_agent_ends_hostile_programs() {
    if role().is_none() && !is_root() {
        return;
    }
    isolated("hostile::an_unprivileged_agent_ends_hostile_programs", &AS_NOBODY, || {
        become_reaper().unwrap();
        for program in ["bomb", "scatter", "comet", "resumers"] {
            println!("{program} ended without privileges in {:?}", hostile(program, |_| {}).kill_for_certain());
        }
    });
}

#[test]
fn a_command_that_keeps_stopping_its_supervisor_ends() {
    isolated("hostile::a_command_that_keeps_stopping_its_supervisor_ends", &[], || {
        become_reaper().unwrap();
        let mut running = hostile("stopper", |_| {});
        running.stdin.as_mut().unwrap().write_all(b"!").unwrap();
        running.tree.kill_within(Duration::from_millis(500)).unwrap();
        // What the agent does: reap at every SIGCHLD, and give up on a supervisor that does not answer.
        let patience = Instant::now() + Duration::from_secs(2);
        while Instant::now() < patience && !matches!(running.tree.try_report(), Ok(Some(Report::Empty { .. }))) {
            reap_strays(|_| false);
        }
        running.tree.kill_supervisor();
        sweep_until_gone(&running.marker, |_| false);
    });
}

/// Ends a program that is a child of this very process, as a supervisor would.
fn end_with(source: Source<'_>, program: &str) {
    let words = this_binary("hostile::program");
    let marker = marker();
    let mut command = Command::new("setsid");
    command.args(&words).env(ROLE, program).env("MARK", &marker).stdout(std::process::Stdio::piped());
    let mut output = command.spawn().unwrap().stdout.unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"ready\n") {
        let mut byte = [0];
        output.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
    let deadline = Instant::now() + PATIENCE;
    let begun = Instant::now();
    let left = ending::end_tree(source, deadline, |_, _| {}, std::thread::sleep);
    println!("{program} ended in {:?}", begun.elapsed());
    assert_eq!((left, survivors(&marker)), (0, Vec::new()));
}

#[test]
fn hostile_programs_end_also_without_the_lists_of_children() {
    isolated("hostile::hostile_programs_end_also_without_the_lists_of_children", &[], || {
        become_reaper().unwrap();
        let proc = proc_directory().unwrap();
        for source in [Source::Children(proc), Source::Stat(proc), Source::Wait] {
            for program in ["comet", "resumers", "subreaper", "headless", "vfork"] {
                end_with(source, program);
            }
        }
        end_with(Source::Stat(proc), "bomb");
    });
}
