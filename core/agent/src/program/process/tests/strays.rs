//! The death of an agent and the death of a supervisor.
#![allow(unsafe_code)]

use super::super::become_reaper;
use super::*;

#[test]
fn a_command_that_kills_its_supervisor_gains_nothing() {
    isolated("strays::a_command_that_kills_its_supervisor_gains_nothing", &[], || {
        become_reaper().unwrap();
        let bystander = sh("read -r line; echo $line");
        let script = "setsid sleep 100000 & (setsid sh -c 'sleep 100000 & sleep 100000' &) ; trap '' TERM; echo ready; read -r line; \
                      kill -9 $PPID; sleep 100000";
        let mut running = sh(script);
        running.started();
        assert_eq!(running.line(), "ready");
        running.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        assert_eq!(running.report(), Report::Lost);
        assert_eq!(running.tree.try_report().unwrap(), None);
        sweep_until_gone(&running.marker, |_| false);
        // The other command has not noticed.
        let mut bystander = bystander;
        bystander.stdin.as_mut().unwrap().write_all(b"well\n").unwrap();
        assert_eq!(bystander.finish(), (ExitStatus::Code(0), "well\n".to_owned()));
    });
}

#[test]
fn children_that_somebody_else_reaps_are_left_alone() {
    isolated("strays::children_that_somebody_else_reaps_are_left_alone", &[], || {
        become_reaper().unwrap();
        let mut own = Command::new("sleep").arg("100000").spawn().unwrap();
        let mut ended = Command::new("true").spawn().unwrap();
        let known = [rustix::process::Pid::from_child(&own), rustix::process::Pid::from_child(&ended)];
        readable(pidfd_open(known[1], PidfdFlags::empty()).unwrap());
        let mut running = sh("setsid sleep 100000 & kill -9 $PPID");
        while running.report() != Report::Lost {}
        sweep_until_gone(&running.marker, |pid| known.contains(&pid));
        assert!(ended.wait().unwrap().success());
        assert!(own.try_wait().unwrap().is_none());
        own.kill().unwrap();
        own.wait().unwrap();
    });
}

#[test]
fn a_stopped_supervisor_is_woken() {
    isolated("strays::a_stopped_supervisor_is_woken", &[], || {
        become_reaper().unwrap();
        let mut running = sh("kill -STOP $PPID; exit 6");
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            assert!(Instant::now() < deadline);
            reap_strays(|_| false);
            if let Some(Report::LeaderExited { status, .. }) = running.tree.try_report().unwrap() {
                break status;
            }
        };
        assert_eq!(status, ExitStatus::Code(6));
    });
}

#[test]
fn ended_supervisors_are_reaped() {
    isolated("strays::ended_supervisors_are_reaped", &[], || {
        become_reaper().unwrap();
        let mut reaped = 0;
        for _ in 0..20 {
            let mut running = start(&["true"]);
            let pid = running.tree.supervisor();
            running.started();
            running.exited();
            running.empty();
            readable(pidfd_open(pid, PidfdFlags::empty()).unwrap());
            reaped += reap_strays(|_| false).reaped;
        }
        assert_eq!(reaped, 20);
        assert!(rustix::process::waitid(rustix::process::WaitId::All, rustix::process::WaitIdOptions::EXITED).is_err());
    });
}

#[test]
#[ignore = "the agent that is killed, not a test"]
fn agent() {
    if role().as_deref() != Some("agent") {
        return;
    }
    let mark = std::env::var("MARK").unwrap();
    let mut running = start_with(
        &[
            "/bin/sh",
            "-c",
            "setsid sleep 100000 & (setsid sh -c 'trap \"\" TERM; sleep 100000; :' &) ; echo ready; sleep 100000",
        ],
        |launch| launch.env.push(format!("AGENT={mark}").into_bytes()),
    )
    .unwrap();
    running.started();
    running.line();
    println!("ready");
    loop {
        std::thread::park();
    }
}

#[test]
fn nothing_outlives_a_killed_agent() {
    let mark = marker();
    let words = this_binary("strays::agent");
    let mut agent = Command::new(&words[0])
        .args(&words[1..])
        .env(ROLE, "agent")
        .env("MARK", &mark)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = std::io::BufReader::new(agent.stdout.take().unwrap());
    let mut line = String::new();
    while !line.trim_end().ends_with("ready") {
        line.clear();
        assert_ne!(std::io::BufRead::read_line(&mut output, &mut line).unwrap(), 0, "the agent ended early");
    }
    assert!(survivors(&mark).len() >= 4);
    agent.kill().unwrap();
    agent.wait().unwrap();
    wait_until_gone(&mark);
}
