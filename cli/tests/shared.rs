//! What one command makes, the next one finds: each of these is a process of its own.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

mod common;
#[path = "common/sandboxes.rs"]
mod sandboxes;

use common::{Home, finish, providers, read_until, signal, status, text};
use rustix::process::Signal;
use sandboxes::{Made, json, lines, refuses, says};

#[test]
fn a_sandbox_is_made_used_listed_and_removed_by_different_processes() {
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &["--name", "web", "--label", "team=a", "-e", "GREETING=hello"]);
        assert!(made.id.starts_with("sbx_"), "{}", made.id);
        assert_eq!(says(&home, &["exec", "web", "sh", "-c", "echo $GREETING; echo x > kept"]), "hello\n");
        assert_eq!(says(&home, &["exec", &made.id[..made.id.len() - 1], "cat", "kept"]), "x\n", "by the beginning");
        let listed = json(&home, &["ls", "--output", "json", "--filter", "label=team=a", "--filter", "state=running"]);
        assert_eq!(listed.as_array().unwrap().len(), 1);
        assert_eq!((&listed[0]["id"], &listed[0]["name"]), (&made.id.as_str().into(), &"web".into()));
        assert_eq!(listed[0]["detached"], true);
        assert_eq!(says(&home, &["ls", "-q", "--filter", "label=team=b"]), "");
        assert_eq!(says(&home, &["rm", "web"]), format!("{}\n", made.id));
        assert_eq!(says(&home, &["rm", &made.id]), format!("{}\n", made.id), "again is fine");
        assert!(refuses(&home, &["rm", "web"]).contains("there is no sandbox web"));
        assert_eq!(says(&home, &["rm", "--force", "web"]), "web\n");
        assert_eq!(says(&home, &["ls", "-q"]), "");
        assert_eq!(says(&home, &["ls", "-aq"]), format!("{}\n", made.id));
        let known = json(&home, &["inspect", "--output", "json", "web"]);
        assert_eq!((&known[0]["state"], &known[0]["post_mortem"]), (&"deleted".into(), &serde_json::Value::Null));
    }
}

#[test]
fn the_exit_code_is_the_commands() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    for (script, code) in [("exit 7", 7), ("kill -9 $$", 137), ("exec nothing-like-this", 127)] {
        assert_eq!(finish(home.isobox(["exec", &made.id, "sh", "-c", script])).status.code(), Some(code), "{script}");
    }
    assert_eq!(finish(home.isobox(["exec", &made.id, "nothing-like-this"])).status.code(), Some(127));
    let late = finish(home.isobox(["exec", "--timeout", "100ms", &made.id, "sleep", "100"]));
    assert_eq!(late.status.code(), Some(124));
    assert!(refuses(&home, &["exec", "nobody", "true"]).contains("there is no sandbox nobody, isobox ls lists"));
}

#[test]
fn a_sandbox_that_is_kept_is_there_after_its_command() {
    for provider in providers() {
        let home = Home::new();
        let output = finish(
            home.run(provider, &["--keep", "--name", "kept", "-e", "A=b", "sh", "-c", "echo $A > file; exit 3"]),
        );
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stderr).contains("is kept, isobox rm removes it"), "{}", text(&output.stderr));
        assert_eq!(says(&home, &["exec", "kept", "sh", "-c", "cat file; echo $A"]), "b\nb\n");
        let kept = json(&home, &["inspect", "--output", "json", "kept"]);
        assert!(kept[0]["detached"] == true && kept[0]["expires_at"].is_string(), "{kept}");
        says(&home, &["rm", "kept"]);
    }
}

#[test]
fn one_that_lives_for_ever_has_to_be_asked_for() {
    let home = Home::new();
    let made = Made::new(&home, "host", &["--ttl", "never"]);
    assert!(json(&home, &["inspect", "--output", "json", &made.id])[0]["expires_at"].is_null());
    assert!(says(&home, &["ls"]).contains("  never\n"));
}

#[test]
fn what_a_killed_process_made_is_gone_and_says_why() {
    for provider in providers() {
        let home = Home::new();
        let mut running =
            home.run(provider, &["--name", "lost", "sh", "-c", "echo ready; sleep 1000"]).spawn().unwrap();
        let _out = read_until(&mut running, "ready");
        let id = says(&home, &["ls", "-q"]).trim_end().to_owned();
        let child = running.id();
        signal(child, Signal::KILL);
        assert!(!status(running).success());
        // Whoever opens isobox next removes what is left; this waits for it.
        let mut waiting = home.isobox(["events", "-f", "--filter", "type=died", "--output", "json"]).spawn().unwrap();
        says(&home, &["ls"]);
        let mut died = String::new();
        let mut stdout = std::io::BufReader::new(waiting.stdout.take().unwrap());
        let pid = waiting.id();
        died += &common::within(pid, move || {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut stdout, &mut line).unwrap();
            line
        });
        signal(pid, Signal::TERM);
        assert_eq!(status(waiting).code(), Some(130));
        assert!(died.contains(&id) && died.contains("owner_lost"), "{died}");
        let told = says(&home, &["inspect", "lost"]);
        assert!(told.contains("state       deleted") && told.contains("died        owner_lost: "), "{told}");
        assert_eq!(says(&home, &["ls", "-q"]), "");
        for word in [&id, "lost"] {
            let refused = refuses(&home, &["exec", word, "true"]);
            assert!(refused.contains("the process that owned it ended"), "{word}: {refused}");
        }
    }
}

#[test]
fn events_are_replayed_from_a_number() {
    let home = Home::new();
    drop(Made::new(&home, "host", &["--name", "first"]));
    let all = lines(&home, &["events", "--output", "json"]);
    let numbers: Vec<_> = all.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    assert_eq!(all[0]["type"], "operation_started");
    let made = Made::new(&home, "host", &["--name", "second"]);
    let since = numbers.len().to_string();
    let later = lines(&home, &["events", "--since", &since, "--output", "json"]);
    assert!(later.iter().all(|event| event["subject"]["id"] == made.id.as_str()), "{later:?}");
    let kinds = ["events", "--filter", "sandbox=first", "--filter", "type=operation_completed", "--output", "json"];
    let actions: Vec<_> = lines(&home, &kinds).iter().map(|event| event["action"].clone()).collect();
    assert_eq!(actions, ["create", "delete"]);
    assert!(!lines(&home, &["events", "--since", "1h", "--output", "json"]).is_empty());
    let text = says(&home, &["events", "--filter", "sandbox=second"]);
    assert!(text.lines().any(|line| line.ends_with(" (second)  operation_started create")), "{text}");
    assert!(
        refuses(&home, &["events", "--filter", "kind=x"]).contains("--filter kind is not known, use sandbox or type")
    );
}

#[test]
fn a_sandbox_is_stopped_started_paused_and_resumed() {
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &[]);
        made.sh("echo x > file");
        let state = || json(&home, &["inspect", "--output", "json", &made.id])[0]["state"].clone();
        says(&home, &["stop", "-t", "1s", &made.id]);
        assert_eq!(state(), "stopped");
        let refused = refuses(&home, &["exec", &made.id, "true"]);
        assert!(refused.contains("stopped"), "{refused}");
        assert_eq!(says(&home, &["start", &made.id]), format!("{}\n", made.id));
        assert_eq!((state(), made.sh("cat file")), ("running".into(), "x\n".to_owned()));
        let paused = finish(home.isobox(["pause", &made.id]));
        if paused.status.success() {
            assert_eq!(state(), "paused");
            says(&home, &["resume", &made.id]);
            assert_eq!((state(), made.sh("cat file")), ("running".into(), "x\n".to_owned()));
        } else {
            eprintln!("skipped: pausing with {provider}: {}", text(&paused.stderr));
        }
    }
}

#[test]
fn a_copy_has_the_files_and_nothing_that_runs() {
    let home = Home::new();
    let made = Made::new(&home, "namespace", &["--label", "a=b"]);
    if !providers().contains(&"namespace") {
        return;
    }
    made.sh("echo x > /root/file");
    let copies = json(&home, &["fork", "-n", "2", "--output", "json", &made.id]);
    assert_eq!(copies.as_array().unwrap().len(), 2);
    for copy in copies.as_array().unwrap() {
        let id = copy["id"].as_str().unwrap();
        assert_eq!(copy["detached"], true);
        assert_eq!(says(&home, &["exec", id, "cat", "/root/file"]), "x\n");
        says(&home, &["rm", id]);
    }
}

#[test]
fn a_sandbox_with_a_running_command_is_not_removed_by_the_way() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    let process = made.background("sleep 1000");
    let refused = refuses(&home, &["rm", &made.id]);
    assert!(refused.contains(&format!("{process} runs in the sandbox")) && refused.contains("--force"), "{refused}");
    assert_eq!(says(&home, &["rm", "--all", "-f"]), format!("{}\n", made.id));
}

#[test]
fn one_that_is_removed_by_another_process_did_not_die() {
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &[]);
        let mut running = home.isobox(["exec", &made.id, "sh", "-c", "echo ready; sleep 1000"]).spawn().unwrap();
        let _stdout = read_until(&mut running, "ready");
        says(&home, &["rm", "-f", &made.id]);
        assert_eq!(status(running).code(), Some(125), "{provider}");
        let known = json(&home, &["inspect", "--output", "json", &made.id]);
        assert_eq!(
            (&known[0]["state"], &known[0]["post_mortem"]),
            (&"deleted".into(), &serde_json::Value::Null),
            "{provider}: {known}"
        );
        assert_eq!(says(&home, &["events", "--filter", "type=died"]), "", "{provider}");
    }
}

#[test]
fn failures_of_some_keep_nothing_else_from_being_done() {
    let home = Home::new();
    let made = Made::new(&home, "host", &[]);
    let output = finish(home.isobox(["rm", "nobody", &made.id, "--output", "json"]));
    assert_eq!(output.status.code(), Some(125));
    assert_eq!(text(&output.stdout), format!("[\"{}\"]\n", made.id));
    let error: serde_json::Value = serde_json::from_str(&text(&output.stderr)).unwrap();
    assert_eq!(error["error"]["kind"], "not_found");
}
