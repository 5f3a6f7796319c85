//! Commands that go on by themselves, and what other processes see of them.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

mod common;
#[path = "common/sandboxes.rs"]
mod sandboxes;

use common::{Home, finish, providers, read_until, rest, signal, status, text};
use rustix::process::Signal;
use sandboxes::{Made, json, lines, refuses, says};

#[test]
fn a_command_is_listed_killed_and_listed_as_ended() {
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &[]);
        let started = says(&home, &["exec", "-d", "--label", "sleeper", &made.id, "sleep", "1000"]);
        let process = started.trim_end();
        assert!(process.starts_with("exe_"), "{process}");
        let listed = json(&home, &["ps", "--output", "json", &made.id]);
        assert_eq!((&listed[0]["id"], &listed[0]["state"]), (&process.into(), &"running".into()), "{listed}");
        assert_eq!((&listed[0]["label"], &listed[0]["argv"][0]), (&"sleeper".into(), &"sleep".into()));
        assert!(says(&home, &["ps", &made.id]).contains("sleep 1000"));
        assert_eq!(says(&home, &["kill", "-s", "TERM", &made.id, "sleeper"]), started);
        // KILL is over when it returns, also for one that has ended.
        assert_eq!(says(&home, &["kill", process]), started);
        assert_eq!(says(&home, &["ps", "-q", &made.id]), "");
        let ended = json(&home, &["ps", "-a", "--output", "json", &made.id]);
        assert_eq!((&ended[0]["state"], &ended[0]["signal"]), (&"exited".into(), &15.into()), "{ended}");
        assert!(refuses(&home, &["kill", &made.id, "nothing"]).contains("there is no command nothing in the sandbox"));
    }
}

#[test]
fn what_ran_is_remembered_after_the_sandbox() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    let started = says(&home, &["exec", "-d", "--label", "job", &made.id, "sh", "-c", "exit 4"]);
    let process = started.trim_end();
    says(&home, &["logs", "-f", process]);
    says(&home, &["rm", "-f", &made.id]);
    let known = json(&home, &["ps", "-a", "--output", "json", &made.id]);
    let job = known.as_array().unwrap().iter().find(|known| known["id"] == process).unwrap();
    assert_eq!((&job["label"], &job["sandbox"]), (&"job".into(), &made.id.as_str().into()), "{known}");
    assert!(job.get("argv").is_none(), "what was executed is not kept");
    assert!(refuses(&home, &["ps", &made.id]).contains("deleted"));
}

#[test]
fn everything_that_runs_is_killed_when_nothing_is_named() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    let mut started = [made.background("sleep 1000 & wait"), made.background("trap '' TERM; sleep 1000")];
    started.sort();
    let killed = says(&home, &["kill", &made.id]);
    let mut killed: Vec<_> = killed.lines().collect();
    killed.sort_unstable();
    assert_eq!(killed, started);
    assert_eq!(says(&home, &["ps", "-q", &made.id]), "");
}

#[test]
fn output_is_kept_for_later() {
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &[]);
        let process = made.background("echo one; echo two; echo wrong >&2; printf three");
        let output = finish(home.isobox(["logs", "-f", &process]));
        assert_eq!((text(&output.stdout), text(&output.stderr)), ("one\ntwo\nthree".into(), "wrong\n".into()));
        assert_eq!(says(&home, &["logs", &made.id]), "one\ntwo\nthree", "the last one by default");
        let tail = finish(home.isobox(["logs", "--tail", "1", &made.id, &process[..process.len() - 1]]));
        assert_eq!((text(&tail.stdout), text(&tail.stderr)), ("three".into(), "wrong\n".into()));
        let pieces = lines(&home, &["logs", "--output", "json", &process]);
        let joined = |stream: &str| {
            let of = pieces.iter().filter(|piece| piece["stream"] == stream);
            of.map(|piece| piece["data"].as_str().unwrap()).collect::<String>()
        };
        assert_eq!((joined("stdout"), joined("stderr")), ("one\ntwo\nthree".into(), "wrong\n".into()));
    }
}

#[test]
fn following_goes_on_until_the_command_is_killed() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    let process = made.background("echo before; mkfifo in; while read line < in; do echo got $line; done");
    let mut following = home.isobox(["logs", "-f", &process]).spawn().unwrap();
    let mut stdout = read_until(&mut following, "before");
    made.sh("until test -p in; do sleep 0.02; done; echo more > in");
    common::wait_for(&mut stdout, "got more");
    says(&home, &["kill", &process]);
    assert_eq!(rest(stdout), "");
    assert!(status(following).success());
}

#[test]
fn looking_on_ends_with_an_interrupt_and_leaves_the_command() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    let process = made.background("echo ready; sleep 1000");
    for arguments in [&["logs", "-f", &process][..], &["attach", "--replay", &process]] {
        let mut looking = home.isobox(arguments).spawn().unwrap();
        let _stdout = read_until(&mut looking, "ready");
        signal(looking.id(), Signal::TERM);
        status(looking);
        assert_eq!(says(&home, &["ps", "-q", &made.id]), format!("{process}\n"), "{arguments:?}");
    }
}

#[test]
fn an_interrupt_of_exec_ends_the_whole_tree() {
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &[]);
        let script = "setsid sleep 1234 & echo ready; sleep 1234";
        let mut running = home.isobox(["exec", &made.id, "sh", "-c", script]).spawn().unwrap();
        let _stdout = read_until(&mut running, "ready");
        signal(running.id(), Signal::INT);
        assert_eq!(status(running).code(), Some(130), "{provider}");
        assert_eq!(says(&home, &["ps", "-q", &made.id]), "", "{provider}");
    }
}

#[test]
fn a_command_takes_input_from_whoever_joins_it() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    // Left by a process that is killed, with its input open.
    let mut first = home.isobox(["exec", &made.id, "cat"]);
    let mut first = first.stdin(std::process::Stdio::piped()).spawn().unwrap();
    use std::io::Write;
    first.stdin.as_mut().unwrap().write_all(b"hello\n").unwrap();
    let _stdout = read_until(&mut first, "hello");
    let mut second = home.isobox(["attach", "-i", &made.id]);
    let mut second = second.stdin(std::process::Stdio::piped()).spawn().unwrap();
    second.stdin.as_mut().unwrap().write_all(b"again\n").unwrap();
    let stdout = read_until(&mut second, "again");
    drop(second.stdin.take());
    assert_eq!(rest(stdout), "");
    assert!(status(second).success() && status(first).success());
}

#[test]
fn ports_are_listed_and_lead_into_the_sandbox() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("skipped: nothing here can listen, there is no python3");
    }
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &[]);
        let script = "import socket\ns = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()\n\
                      print(s.getsockname()[1], flush=True)\n\
                      while True:\n  c, _ = s.accept(); c.sendall(b'hello'); c.close()";
        let mut server = home.isobox(["exec", &made.id, "python3", "-c", script]).spawn().unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut line).unwrap();
        let port = line.trim_end();
        let listening = json(&home, &["port", "--output", "json", &made.id]);
        let listens = listening.as_array().unwrap().iter().any(|entry| entry["port"].as_u64() == port.parse().ok());
        assert!(listens, "{provider}: {listening}");
        let mut forward = home.isobox(["port", "--output", "json", &made.id, port]).spawn().unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(forward.stdout.take().unwrap()), &mut line).unwrap();
        let told: serde_json::Value = serde_json::from_str(&line).unwrap();
        let address = format!("127.0.0.1:{}", told["local_port"]);
        assert_eq!(rest(std::net::TcpStream::connect(address).unwrap()), "hello", "{provider}");
        signal(forward.id(), Signal::INT);
        assert_eq!(status(forward).code(), Some(130));
        signal(server.id(), Signal::TERM);
        status(server);
    }
}

#[test]
fn what_sandboxes_use_is_measured() {
    let home = Home::new();
    if !providers().contains(&"namespace") {
        return;
    }
    let made = Made::new(&home, "namespace", &["--name", "busy"]);
    made.background("while :; do :; done");
    let measured = lines(&home, &["stats", "--no-stream", "--output", "json"]);
    assert_eq!((measured.len(), &measured[0]["name"]), (1, &"busy".into()));
    match measured[0]["cpu_percent"].as_f64() {
        Some(percent) => assert!(percent > 10.0, "{percent}"),
        None => eprintln!("skipped: processor time is not counted here: {}", measured[0]),
    }
    let table = says(&home, &["stats", "--no-stream", "busy"]);
    assert!(table.starts_with("ID ") && table.contains("  busy  "), "{table}");
    let mut stream = home.isobox(["stats", "--interval", "50ms", "--output", "json"]).spawn().unwrap();
    let mut stdout = std::io::BufReader::new(stream.stdout.take().unwrap());
    for _ in 0..3 {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut stdout, &mut line).unwrap();
        assert!(line.contains("cpu_time_us"), "{line}");
    }
    // Nobody reads on, and that ends it.
    drop(stdout);
    assert_eq!(status(stream).code(), Some(141));
}
