//! `isobox cp`: what goes in comes out as it was.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

mod common;
#[path = "common/sandboxes.rs"]
mod sandboxes;

use common::{Home, end, finish, providers, text};
use sandboxes::{Made, refuses, says};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

/// A tree with odd names, modes, links, an empty directory and an old file.
fn tree(root: &Path) {
    fs::create_dir_all(root.join("sub dir/empty")).unwrap();
    fs::write(root.join("plain"), "plain\n").unwrap();
    fs::write(root.join("sub dir/-rf * $HOME\n"), "odd\n").unwrap();
    fs::write(root.join(OsStr::from_bytes(b"not\xffutf8")), "bytes\n").unwrap();
    fs::write(root.join("program"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(root.join("program"), fs::Permissions::from_mode(0o751)).unwrap();
    symlink("plain", root.join("link")).unwrap();
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(root.join("plain")).unwrap().set_modified(old).unwrap();
}

fn is_same(there: &Path, here: &Path) {
    let read = |path: &Path| fs::read(there.join(path)).unwrap();
    assert_eq!(read(Path::new("plain")), b"plain\n");
    assert_eq!(read(Path::new("sub dir/-rf * $HOME\n")), b"odd\n");
    assert_eq!(read(Path::new(OsStr::from_bytes(b"not\xffutf8"))), b"bytes\n");
    let mode = |root: &Path, name: &str| root.join(name).metadata().unwrap().mode() & 0o7777;
    for name in ["program", "sub dir/empty", "plain"] {
        assert_eq!(mode(there, name), mode(here, name), "{name}");
    }
    assert_eq!(fs::read_link(there.join("link")).unwrap(), Path::new("plain"));
    assert_eq!(there.join("plain").metadata().unwrap().mtime(), 1_000_000_000);
}

#[test]
fn a_tree_comes_back_as_it_went_in() {
    for provider in providers() {
        let (home, place) = (Home::new(), tempfile::tempdir().unwrap());
        let made = Made::new(&home, provider, &["--name", "box"]);
        let (here, back) = (place.path().join("here"), place.path().join("back"));
        tree(&here);
        let here_text = here.to_str().unwrap();
        let output = finish(home.isobox(["cp", here_text, "box:copies/deep"]));
        assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "isobox: copied 4 files, 2 directories, 1 link, 26 B\n");
        // It is there now, so the next copy goes into it.
        assert_eq!(text(&finish(home.isobox(["cp", "-q", here_text, "box:copies/deep"])).stderr), "");
        assert_eq!(made.sh("ls copies/deep/here | wc -l").trim(), "5");
        says(&home, &["cp", "-q", &format!("{here_text}/."), "box:copies"]);
        assert_eq!(made.sh("cat copies/plain"), "plain\n");
        says(&home, &["cp", "-q", "box:copies/deep/here", back.to_str().unwrap()]);
        is_same(&back, &here);
        let into = place.path().join("into");
        fs::create_dir(&into).unwrap();
        says(&home, &["cp", "-q", "box:copies/deep/here/plain", into.to_str().unwrap()]);
        assert_eq!(fs::read(into.join("plain")).unwrap(), b"plain\n");
        let report = says(&home, &["cp", "--output", "json", "box:copies/plain", into.to_str().unwrap()]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!((&report["files"], &report["bytes"]), (&1.into(), &6.into()));
    }
}

#[test]
fn archives_go_in_and_come_out() {
    for provider in providers() {
        let (home, place) = (Home::new(), tempfile::tempdir().unwrap());
        let made = Made::new(&home, provider, &["--name", "box"]);
        let here = place.path().join("here");
        tree(&here);
        let mut builder = tar::Builder::new(Vec::new());
        builder.follow_symlinks(false);
        builder.append_dir_all("top", &here).unwrap();
        let archive = builder.into_inner().unwrap();
        made.sh("mkdir in");
        let mut child = home.isobox(["cp", "-", "box:in"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&archive).unwrap();
        let output = end(child);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let out = finish(home.isobox(["cp", "-q", "box:in/top", "-"]));
        assert!(out.status.success(), "{}", text(&out.stderr));
        let back = place.path().join("back");
        let mut unpacked = tar::Archive::new(out.stdout.as_slice());
        unpacked.set_preserve_permissions(true);
        unpacked.unpack(&back).unwrap();
        is_same(&back.join("top"), &here);
        let one = finish(home.isobox(["cp", "-q", "box:in/top/plain", "-"])).stdout;
        let mut one = tar::Archive::new(one.as_slice());
        let names: Vec<_> = one.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().into_owned()).collect();
        assert_eq!(names, [Path::new("plain")]);
    }
}

#[test]
fn a_link_is_copied_as_one_unless_it_is_to_be_followed() {
    for provider in providers() {
        let (home, place) = (Home::new(), tempfile::tempdir().unwrap());
        let made = Made::new(&home, provider, &["--name", "box"]);
        let here = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
        fs::write(here("target"), "in it\n").unwrap();
        symlink("target", here("link")).unwrap();
        says(&home, &["cp", "-q", &here("link"), "box:as-link"]);
        assert_eq!(made.sh("readlink as-link"), "target\n");
        says(&home, &["cp", "-qL", &here("link"), "box:as-file"]);
        assert_eq!(made.sh("test -h as-file || cat as-file"), "in it\n");
        made.sh("echo secret > file; ln -s file out");
        says(&home, &["cp", "-q", "box:out", &here("out")]);
        assert_eq!(fs::read_link(here("out")).unwrap(), Path::new("file"));
        says(&home, &["cp", "-qL", "box:out", &here("followed")]);
        assert_eq!(fs::read(here("followed")).unwrap(), b"secret\n");
    }
}

#[test]
fn what_leads_out_of_the_copy_stays_there() {
    let (home, place) = (Home::new(), tempfile::tempdir().unwrap());
    let made = Made::new(&home, "host", &["--name", "box"]);
    made.sh("mkdir evil; ln -s /etc/passwd evil/link; mkfifo evil/pipe; echo x > evil/file");
    let to = place.path().join("to");
    let output = finish(home.isobox(["cp", "box:evil", to.to_str().unwrap()]));
    assert!(output.status.success());
    let told = text(&output.stderr);
    assert_eq!(told, "isobox: copied 1 file, 2 B; 2 left out: sockets, devices, or links that lead out\n");
    assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
}

#[test]
fn owners_are_kept_when_that_is_asked_for() {
    if !rustix::process::geteuid().is_root() {
        return eprintln!("skipped: only root gives files to others");
    }
    for provider in providers() {
        let (home, place) = (Home::new(), tempfile::tempdir().unwrap());
        let made = Made::new(&home, provider, &["--name", "box"]);
        let here = place.path().join("here");
        fs::create_dir_all(here.join("d")).unwrap();
        fs::write(here.join("d/f"), "x").unwrap();
        for (path, owner) in [("", 11), ("d", 12), ("d/f", 13)] {
            std::os::unix::fs::chown(here.join(path), Some(owner), Some(owner + 10)).unwrap();
        }
        says(&home, &["cp", "-qa", here.to_str().unwrap(), "box:copy"]);
        assert_eq!(made.sh("cd copy; stat -c %u:%g . d d/f"), "11:21\n12:22\n13:23\n", "{provider}");
        made.sh("chown 31:32 copy/d/f; ln -s /etc/passwd copy/link");
        let back = place.path().join("back");
        says(&home, &["cp", "-qa", "box:copy", back.to_str().unwrap()]);
        let owner = |path: &str| back.join(path).metadata().map(|metadata| (metadata.uid(), metadata.gid())).unwrap();
        assert_eq!([owner(""), owner("d"), owner("d/f")], [(11, 21), (12, 22), (31, 32)], "{provider}");
        assert_eq!(fs::metadata("/etc/passwd").unwrap().uid(), 0);
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_the_way_out() {
    let (home, place) = (Home::new(), tempfile::tempdir().unwrap());
    let made = Made::new(&home, "host", &["--name", "box"]);
    made.sh("echo x > file; mkdir directory");
    let file = place.path().join("file");
    fs::write(&file, "y").unwrap();
    let (file, directory) = (file.to_str().unwrap(), place.path().to_str().unwrap());
    let cases = [
        (vec!["cp", "box:a", "box:b"], "are both in a sandbox, copy by way of this machine"),
        (vec!["cp", "./a", "./b"], "are both of this machine, write one as SANDBOX:PATH"),
        (vec!["cp", directory, "box:file"], "is a file, and the source is a directory"),
        (vec!["cp", "box:directory", file], "is a file, and the source is a directory"),
        (vec!["cp", file, "box:nowhere/"], "is not there, make the directory first"),
        (vec!["cp", "/no/such", "box:x"], "SOURCE /no/such is not there"),
        (vec!["cp", "box:no-such", "x"], "no-such"),
        (vec!["cp", "-", "box:file"], "is no directory of the sandbox, an archive needs one"),
        (vec!["cp", "-a", "box:file", "-"], "--archive has no place with a tar archive"),
        (vec!["cp", "nobody:x", "x"], "there is no sandbox nobody"),
        (vec!["cp", "box:file", "-", "--output", "json"], "json has no place when the archive goes to stdout"),
    ];
    for (arguments, expected) in cases {
        let said = refuses(&home, &arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
