//! Flags that shape the sandbox itself.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, finish, text};

#[test]
fn a_read_only_root_and_filesystems_in_memory() {
    let home = Home::new();
    let script = "echo x > /etc/new; echo x > /tmp/f && echo x > /scratch/f && cat /tmp/f /scratch/f; \
                  head -c 9000000 /dev/zero > /scratch/big 2>/dev/null; wc -c < /scratch/big";
    let flags = ["--read-only", "--tmpfs", "/scratch:1m", "--", "sh", "-c", script];
    let output = finish(home.run("namespace", &flags));
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(errors.contains("Read-only file system"), "{errors}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[..2] == ["x", "x"] && lines[2].parse::<u32>().unwrap() < 1 << 20, "{out}");
}

#[test]
fn a_read_only_root_is_refused_where_there_is_none() {
    let home = Home::new();
    let output = finish(home.run("host", &["--read-only", "--", "true"]));
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("--read-only is not for the provider host"), "{said}");
}

#[test]
fn options_of_the_provider_are_checked_and_have_their_effect() {
    let home = Home::new();
    let flags = ["-o", "hostname=build-7", "-o", "shm-size=1m", "-o", "users=single", "--"];
    let script = "hostname; wc -l < /proc/self/uid_map; df -k /dev/shm | tail -1";
    let output = finish(home.run("namespace", &[&flags[..], &["sh", "-c", script]].concat()));
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[..2], ["build-7", "1"], "{out} {errors}");
    assert_eq!(lines[2].split_whitespace().nth(1), Some("1024"), "{out}");

    let refused = |provider: &str, option: &str| {
        let output = finish(home.run(provider, &["-o", option, "--", "true"]));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(125), 0), "{option}");
        text(&output.stderr)
    };
    assert!(refused("namespace", "userz=single").contains("has no key userz, use one of"));
    assert!(refused("namespace", "users=many").contains("expected one of auto, single, range"));
    assert!(refused("host", "users=single").contains("use one of inherit_env"));
}
