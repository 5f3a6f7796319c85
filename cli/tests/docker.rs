//! The command with sandboxes in Docker. Volumes and snapshots of a provider that is not the usual one are found without naming it.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

mod common;

use common::{Home, finish, text};

const IMAGE: &str = "isobox-test/tiny:1";
const ADDRESS: &str = "ISOBOX_TEST_DOCKER_HOST";

/// The command with an engine.
struct Lab {
    home: Home,
    address: String,
}

impl Lab {
    fn open() -> Option<Self> {
        let address = std::env::var(ADDRESS).ok().filter(|address| !address.is_empty());
        if address.is_none() {
            eprintln!("skipped: {ADDRESS} names no Docker engine, run this with `cargo xtask docker -- ...`");
        }
        Some(Self { home: Home::new(), address: address? })
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = self.home.isobox(arguments);
        command.env("DOCKER_HOST", &self.address);
        finish(command)
    }

    fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn refuses(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(125), "{arguments:?}: {}", text(&output.stdout));
        text(&output.stderr)
    }
}

#[test]
fn a_volume_is_found_wherever_it_is() {
    let Some(lab) = Lab::open() else { return };
    lab.says(&["volume", "create", "kept", "--provider", "docker"]);
    assert!(lab.says(&["volume", "ls"]).contains("docker"));
    lab.says(&["run", "--image", IMAGE, "--volume", "kept:/kept", "sh", "-c", "echo there > /kept/file"]);
    let read = ["run", "--provider", "docker", "--image", IMAGE, "--volume", "kept:/kept", "cat", "/kept/file"];
    assert_eq!(lab.says(&read), "there\n");
    assert!(lab.says(&["volume", "inspect", "kept"]).contains("kept"));
    assert_eq!(lab.says(&["volume", "rm", "kept"]), "kept\n");
    assert_eq!(lab.says(&["volume", "ls", "-q"]), "");
    let refused = lab.refuses(&["volume", "rm", "kept"]);
    assert_eq!(refused, "isobox: error: there is no volume kept, isobox volume ls lists them\n");
}

#[test]
fn a_snapshot_is_found_wherever_it_is() {
    let Some(lab) = Lab::open() else { return };
    let made = lab.says(&["create", "--provider", "docker", "--image", IMAGE]);
    let made = made.trim_end();
    lab.says(&["exec", made, "sh", "-c", "echo there > /state"]);
    lab.says(&["snapshot", "create", made, "--name", "base"]);
    lab.says(&["rm", made]);
    assert!(lab.says(&["snapshot", "ls"]).contains("base"));
    assert_eq!(lab.says(&["run", "--snapshot", "base", "cat", "/state"]), "there\n");
    assert_eq!(lab.says(&["snapshot", "rm", "base"]), "base\n");
    assert_eq!(lab.says(&["snapshot", "ls", "-q"]), "");
}

#[test]
fn a_flag_of_another_provider_is_named() {
    let Some(lab) = Lab::open() else { return };
    let refused = lab.refuses(&["run", "--provider", "docker", "--image", IMAGE, "--read-only", "true"]);
    assert_eq!(refused, "isobox: error: --read-only is not for the provider docker, leave it out\n");
}

#[test]
fn a_limit_that_killed_is_told_with_its_size() {
    let Some(lab) = Lab::open() else { return };
    let eat = "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}";
    let output = lab.run(&["run", "--provider", "docker", "--image", IMAGE, "--memory", "64m", "sh", "-c", eat]);
    let told = text(&output.stderr);
    assert!(told.contains("isobox: killed: out of memory (limit 64 MiB"), "{told}");
}
