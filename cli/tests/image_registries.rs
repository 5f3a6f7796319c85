//! `isobox image pull` and `isobox run --image` with Debian's registry on the loopback.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "../../core/isobox/tests/image/mod.rs"]
mod image;
#[path = "common/images.rs"]
mod images;
#[path = "../../core/images/tests/common/registry.rs"]
mod registry;

use common::{Home, finish, text};
use image::Image;
use images::{fails, json, outcome, runs, table};
use registry::Registry;
use std::fs;

fn saying(word: &str) -> Image {
    let mut image = Image::busybox();
    image.layer(&[], |root| fs::write(root.join("word"), word).unwrap());
    image
}

#[test]
fn a_pulled_image_is_listed_run_and_removed_by_its_name() {
    let Some(mut registry) = Registry::start() else { return };
    let (home, image) = (Home::new(), saying("hello"));
    registry.push("a/b", "1", image.oci_files("1"));
    let name = format!("{}/a/b:1", registry.address());
    let pulled = runs(&home, &["image", "pull", &name]);
    let digest = pulled.trim_end().strip_prefix(&format!("{name} ")).unwrap().to_owned();
    assert_eq!(digest.len(), "sha256:".len() + 64);
    let rows = table(&home);
    assert_eq!((rows[1][0].as_str(), &rows[1][2]), (name.as_str(), &digest["sha256:".len()..][..12].to_owned()));
    let again = json(&home, &["image", "pull", &name]);
    assert_eq!((&again["digest"], &again["id"]), (&digest.clone().into(), &image.id().into()));

    // The same image from an archive takes nothing away from what is known of it.
    runs(&home, &["image", "load", &image.archive(&name).display().to_string()]);
    assert_eq!(json(&home, &["image", "ls"])[0]["digest"], digest);

    registry.stop();
    let ran = outcome(&home, &["--image", &name, "--", "cat", "/word"]);
    assert_eq!((&ran["stdout"], &ran["image"]), (&"hello".into(), &format!("{name}@{digest}").into()));
    let pinned = outcome(&home, &["--image", &image.id(), "--", "cat", "/word"]);
    assert_eq!(pinned["image"], image.id());
    let id = finish(home.run("auto", &["--image", &name, "--output", "id", "--", "cat", "/word"]));
    assert!(text(&id.stdout).starts_with("sbx_") && text(&id.stderr) == "hello", "{id:?}");
    assert_eq!(runs(&home, &["image", "rm", &name]), format!("{name}\n"));
    assert_eq!(table(&home).len(), 1);
}

#[test]
fn a_tag_that_moved_is_seen_when_it_is_asked_for_and_what_ran_is_told() {
    let Some(mut registry) = Registry::start() else { return };
    let home = Home::new();
    let name = format!("{}/a/moving:1", registry.address());
    let run = |pull: &str| outcome(&home, &["--image", &name, "--pull", pull, "--", "cat", "/word"]);
    registry.push("a/moving", "1", saying("one").oci_files("1"));
    let first = run("missing");
    assert_eq!(run("always")["image"], first["image"], "it has not moved");
    registry.push("a/moving", "1", saying("two").oci_files("1"));
    assert_eq!((&run("missing")["stdout"], &run("missing")["image"]), (&"one".into(), &first["image"]));
    let second = run("always");
    assert_eq!(second["stdout"], "two");
    assert_ne!(second["image"], first["image"]);
    assert_eq!((&run("never")["stdout"], &run("never")["image"]), (&"two".into(), &second["image"]));
    // What ran first can be run again.
    let pinned = first["image"].as_str().unwrap().to_owned();
    assert_eq!(outcome(&home, &["--image", &pinned, "--", "cat", "/word"])["stdout"], "one");
    registry.stop();
    let said = fails(&home, &["run", "--image", &name, "--pull", "always", "--", "true"]);
    assert!(said.contains(registry.address()), "{said}");
}

#[test]
fn what_cannot_be_pulled_says_why_and_leaves_nothing() {
    let Some(mut registry) = Registry::start() else { return };
    let home = Home::new();
    registry.push("a/b", "1", saying("x").oci_files("1"));
    let address = registry.address().to_owned();
    let unknown = fails(&home, &["image", "pull", &format!("{address}/a/b:2")]);
    assert!(unknown.contains(&format!("{address}/a/b:2")) && unknown.contains("no image"), "{unknown}");
    let said = fails(&home, &["image", "pull", &format!("{address}/a/b:2"), "--output", "json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&said).unwrap()["error"]["kind"], "image_not_found");
    let other = fails(&home, &["image", "pull", &format!("{address}/a/b:1"), "--platform", "linux/s390x"]);
    assert!(other.contains("is not for linux/s390x"), "{other}");
    let never = fails(&home, &["run", "--pull", "never", "--image", &format!("{address}/a/b:1"), "true"]);
    assert!(never.contains("is not on this machine, pull or load it first"), "{never}");
    let bad = fails(&home, &["image", "pull", "A/B"]);
    assert!(bad.contains("capital letters"), "{bad}");
    registry.stop();
    let down = fails(&home, &["image", "pull", &format!("{address}/a/b:1")]);
    assert!(down.contains(&address) && down.contains("refused"), "{down}");
    assert_eq!(json(&home, &["image", "usage"])["layers"], 0);
}

#[test]
fn a_layer_with_other_bytes_than_its_digest_says_is_refused() {
    let Some(registry) = Registry::start() else { return };
    let (home, image) = (Home::new(), saying("right"));
    let files = image.oci_files("1");
    let word = |bytes: &[u8]| bytes.windows(5).rposition(|window| window == b"right");
    let (name, layer) = files.iter().find(|(_, bytes)| word(bytes).is_some()).unwrap().clone();
    registry.push("a/b", "1", files);
    let stored = registry.blob(name.rsplit('/').next().unwrap());
    let mut changed = layer.clone();
    changed[word(&layer).unwrap()] = b'l';
    fs::write(stored, changed).unwrap();
    let reference = format!("{}/a/b:1", registry.address());
    for arguments in [&["image", "pull", &reference][..], &["run", "--image", &reference, "--", "true"]] {
        let said = fails(&home, arguments);
        assert!(said.contains("bytes for sha256:") && said.contains("that are sha256:"), "{said}");
    }
    assert_eq!(json(&home, &["image", "ls"]), serde_json::json!([]));
}
