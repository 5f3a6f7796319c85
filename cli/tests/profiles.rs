//! The configuration file: profiles, the default provider, and what is wrong with it.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

mod common;
#[path = "common/sandboxes.rs"]
mod sandboxes;

use common::{Home, finish, text};
use sandboxes::{json, says};
use std::fs;

const CONFIG: &str = r#"
default-provider = "host"

[profiles.small]
provider = "host"
ttl = "2h"
labels = { from = "profile", kind = "small" }
env = { GREETING = "hello" }

[profiles.contained]
provider = "namespace"
memory = "64m"
tmpfs = ["/scratch:1m"]
"#;

/// A home with a configuration file in it.
fn configured(text: &str) -> (Home, String) {
    let home = Home::new();
    let path = home.path().join("config.toml");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (home, path)
}

fn refusal(home: &Home, arguments: &[&str]) -> String {
    let output = finish(home.isobox(arguments));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(125), 0), "{arguments:?}");
    text(&output.stderr)
}

#[test]
fn a_profile_is_a_set_of_flags_that_flags_override() {
    let (home, path) = configured(CONFIG);
    let flags = ["--config", &path, "create", "--profile", "small", "--label", "kind=mine", "--output", "json"];
    let made = json(&home, &flags);
    assert_eq!((&made["provider"], &made["labels"]["from"]), (&"host".into(), &"profile".into()));
    assert_eq!(made["labels"]["kind"], "mine");
    let id = made["id"].as_str().unwrap();
    assert_eq!(says(&home, &["exec", id, "sh", "-c", "echo $GREETING"]), "hello\n");
    let ends = json(&home, &["inspect", "--output", "json", id])[0]["spec"]["ttl_ms"].clone();
    assert_eq!(ends, 7_200_000);
    says(&home, &["rm", id]);
    let script = "echo $GREETING $MINE";
    let run = ["--config", &path, "run", "--profile", "small", "-e", "MINE=too", "sh", "-c", script];
    assert_eq!(says(&home, &run), "hello too\n");
}

#[test]
fn the_default_provider_is_the_files_unless_something_else_says() {
    let (home, path) = configured(CONFIG);
    let provider = |extra: &[&str]| {
        let mut command = home.isobox([&["run", "--output", "json"], extra, &["true"]].concat());
        command.env("ISOBOX_CONFIG", &path);
        let output = finish(command);
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["provider"].clone()
    };
    assert_eq!(provider(&[]), "host");
    let mut command = home.isobox(["run", "--profile", "contained", "true"]);
    command.env("ISOBOX_CONFIG", &path).env("ISOBOX_PROVIDER", "nonsense");
    let said = text(&finish(command).stderr);
    assert!(said.contains("there is no provider nonsense"), "the environment comes before the file: {said}");
}

#[test]
fn the_file_is_found_in_the_users_directory() {
    let home = Home::new();
    let directory = home.path().join("xdg/isobox");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("config.toml"), "default-provider = 'nonsense'\n").unwrap();
    let mut command = home.isobox(["run", "true"]);
    command.env("XDG_CONFIG_HOME", home.path().join("xdg"));
    assert!(text(&finish(command).stderr).contains("there is no provider nonsense"));
    let mut command = home.isobox(["run", "true"]);
    command.env("XDG_CONFIG_HOME", home.path().join("xdg")).env("ISOBOX_CONFIG", "/no/such/file");
    let said = text(&finish(command).stderr);
    assert!(said.contains("the configuration file /no/such/file cannot be read, name another one"), "{said}");
}

#[test]
fn what_is_wrong_is_named_with_the_key_the_file_and_the_line() {
    let (home, path) = configured("[profiles.a]\nimage = 'x'\nmemroy = '1g'\n");
    let said = refusal(&home, &["--config", &path, "run", "--profile", "a", "true"]);
    let expected =
        format!("isobox: error: the configuration file {path} line 3: unknown field `memroy`, expected one of ");
    assert!(said.starts_with(&expected), "{said}");
    let (home, path) = configured("[profiles.a]\nttl = 'soon'\n");
    let said = refusal(&home, &["--config", &path, "create", "--profile", "a"]);
    assert!(
        said.contains("line 2: \"soon\": expected a length of time such as") && said.contains("or never"),
        "{said}"
    );
}

#[test]
fn a_profile_that_is_not_there_is_refused_with_those_that_are() {
    let (home, path) = configured(CONFIG);
    let said = refusal(&home, &["--config", &path, "run", "--profile", "big", "true"]);
    assert_eq!(said, format!("isobox: error: profile \"big\" is not there: {path} has contained, small\n"));
    let said = refusal(&Home::new(), &["run", "--profile", "big", "true"]);
    assert!(said.contains("there is no configuration file, make "), "{said}");
}
