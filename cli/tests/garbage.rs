//! `isobox gc`: what a killed process has left is found, and what lives is left alone.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

mod common;
#[path = "common/sandboxes.rs"]
mod sandboxes;

use common::{Home, providers, read_until, signal, status};
use rustix::process::Signal;
use sandboxes::{Made, json, says};

#[test]
fn what_is_left_is_said_before_it_is_removed() {
    for provider in providers() {
        let home = Home::new();
        let made = Made::new(&home, provider, &[]);
        let found = |arguments: &[&str]| {
            let told = json(&home, &[arguments, &["--output", "json"]].concat());
            let sandboxes = told["found"].as_array().unwrap().iter().filter(|found| found["kind"] != "process");
            sandboxes.map(|found| found["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        assert!(found(&["gc"]).is_empty());
        let mut running =
            home.run(provider, &["--name", "lost", "sh", "-c", "echo ready; sleep 1000"]).spawn().unwrap();
        let _stdout = read_until(&mut running, "ready");
        signal(running.id(), Signal::KILL);
        status(running);
        let would = json(&home, &["gc", "--dry-run", "--disk", "--output", "json"]);
        assert_eq!((&would["dry_run"], &would["removed"]), (&true.into(), &1.into()), "{would}");
        let kinds: Vec<_> =
            would["disk"]["kinds"].as_array().unwrap().iter().map(|kind| kind["kind"].clone()).collect();
        assert_eq!(kinds[0], "sandboxes");
        let told = says(&home, &["gc", "-n"]);
        assert!(told.contains("sandbox") && told.contains("lost") && told.ends_with("nothing was changed\n"), "{told}");
        assert_eq!(found(&["gc"]), ["lost"], "{provider}");
        assert!(found(&["gc"]).is_empty());
        assert!(says(&home, &["inspect", "lost"]).contains("died        owner_lost: "));
        assert_eq!(says(&home, &["ls", "-q"]), format!("{}\n", made.id), "{provider}: what lives is left alone");
    }
}
