//! `isobox image` and `isobox run --image` with archives: what is said, in each form, and with which exit code.
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

use common::Home;
use image::Image;
use images::{fails, json, outcome, runs, table};
use std::fs;

#[test]
fn an_archive_that_is_loaded_is_listed_looked_at_and_removed() {
    let (home, image) = (Home::new(), Image::busybox());
    let archive = image.archive("bench:1").display().to_string();
    assert_eq!(runs(&home, &["image", "load", &archive]), "docker.io/library/bench:1\n");
    let id = image.id();
    let short = &id["sha256:".len()..][..12];
    let rows = table(&home);
    assert_eq!(rows[0], ["IMAGE", "ID", "DIGEST", "PLATFORM", "SIZE", "USED"]);
    // An archive of `docker save` has no manifest of a registry.
    assert_eq!(rows[1][..3], ["docker.io/library/bench:1", short, "-"]);
    assert_eq!(rows.len(), 2);
    let listed = json(&home, &["image", "ls"]);
    assert_eq!((&listed[0]["id"], listed[0]["digest"].is_null()), (&id.clone().into(), true));
    assert!(listed[0]["used_at"].is_null() && rows[1].last().unwrap() == "never", "{listed}");
    let details = json(&home, &["image", "inspect", "bench:1"]);
    assert_eq!((&details["id"], &details["references"][0]), (&id.clone().into(), &"docker.io/library/bench:1".into()));
    assert_eq!(details["config"]["config"]["Env"][0], "PATH=/bin");
    assert!(runs(&home, &["image", "usage"]).starts_with("1 image, 1 layer, "));

    assert_eq!(runs(&home, &["image", "rm", short]), format!("{short}\n"));
    assert_eq!(json(&home, &["image", "ls"]), serde_json::json!([]));
    let gone = fails(&home, &["image", "inspect", "bench:1"]);
    assert_eq!(gone, "isobox: error: the image bench:1 is not on this machine, pull or load it first\n");
    // What is not there is fine, so that scripts can be run again.
    assert_eq!(runs(&home, &["image", "rm", "bench:1"]), "bench:1\n");
}

#[test]
fn an_archive_of_oci_tools_has_a_digest_also_without_a_name() {
    let (home, image) = (Home::new(), Image::busybox());
    let archive = image.oci_archive("not a name").display().to_string();
    runs(&home, &["image", "load", &archive]);
    let listed = json(&home, &["image", "ls"]);
    assert_eq!(listed[0]["reference"], listed[0]["id"]);
    assert!(listed[0]["digest"].as_str().unwrap().starts_with("sha256:"), "{listed}");
    assert_ne!(table(&home)[1][2], "-");
}

#[test]
fn running_an_archive_names_its_image_and_takes_no_name_from_another() {
    let (home, first) = (Home::new(), Image::busybox());
    let mut second = Image::busybox();
    second.layer(&[], |root| fs::write(root.join("second"), "2").unwrap());
    let archives = [&first, &second].map(|image| image.archive("bench:1").display().to_string());
    let ran = outcome(&home, &["--image", &archives[0], "--", "true"]);
    assert_eq!(ran["image"], first.id());
    assert_eq!(table(&home)[1][0], "docker.io/library/bench:1");
    // It has the name that it brought: nothing is fetched.
    assert_eq!(runs(&home, &["run", "--pull", "never", "--image", "bench:1", "--", "ls", "/bin/sh"]), "/bin/sh\n");

    assert!(json(&home, &["image", "ls"])[0]["used_at"].is_string());
    let made = runs(&home, &["create", "--image", "bench:1", "--name", "kept"]);
    assert_eq!(json(&home, &["inspect", "kept"])[0]["image"], first.id(), "{made}");
    assert!(runs(&home, &["inspect", "kept"]).contains(&format!("image       {}\n", first.id())));
    runs(&home, &["rm", "-f", "kept"]);

    let ran = outcome(&home, &["--image", &archives[1], "--", "true"]);
    assert_eq!(ran["image"], second.id());
    let names = json(&home, &["image", "inspect", &first.id()])["references"].clone();
    assert_eq!(names, serde_json::json!(["docker.io/library/bench:1"]));
    // Who loads it wants the name to be its.
    runs(&home, &["image", "load", &archives[1]]);
    assert_eq!(json(&home, &["image", "inspect", "bench:1"])["id"], second.id());
}

#[test]
fn what_runs_is_the_command_and_the_images_own_when_that_is_asked_for() {
    let (home, mut image) = (Home::new(), Image::busybox());
    let script = "echo $0 $*";
    image.config =
        serde_json::json!({ "Env": ["PATH=/bin"], "Entrypoint": ["sh", "-c", script, "entry"], "Cmd": ["a", "b"] });
    let archive = image.archive("entry:1").display().to_string();
    let run = |arguments: &[&str]| runs(&home, &[&["run", "--image", &archive], arguments].concat());
    assert_eq!(run(&[]), "entry a b\n");
    assert_eq!(run(&["--image-entrypoint", "--", "-c", "d"]), "entry -c d\n");
    assert_eq!(run(&["--image-entrypoint"]), "entry a b\n");
    assert_eq!(run(&["--", "sh", "-c", "echo own"]), "own\n");
    assert_eq!(run(&["--entrypoint", "pwd"]), "/\n");
    assert_eq!(run(&["--entrypoint", "ls", "--", "/bin/sh"]), "/bin/sh\n");

    let nothing = Image::busybox();
    let said = fails(&home, &["run", "--image", &nothing.archive("nothing:1").display().to_string()]);
    assert!(said.contains("COMMAND is not named by the image") && said.contains("give one behind --"), "{said}");
    let said = fails(&home, &["run", "--image-entrypoint", "--", "true"]);
    assert!(said.contains("--image"), "{said}");
}

#[test]
fn limits_of_the_disk_and_a_read_only_root_go_together() {
    let (home, image) = (Home::new(), Image::busybox());
    let archive = image.archive("both:1").display().to_string();
    let flags = ["run", "--read-only", "--disk", "8m", "--image", &archive, "--"];
    let output = common::finish(home.isobox([&flags[..], &["sh", "-c", "touch /x || echo closed"]].concat()));
    let said = common::text(&output.stderr);
    if said.contains("resources.disk is not supported here") {
        println!("skipped: {said}");
        return;
    }
    assert_eq!(common::text(&output.stdout), "closed\n", "{said}");
}

#[test]
fn an_image_in_use_is_not_removed_and_its_user_is_named() {
    let (home, image) = (Home::new(), Image::busybox());
    let archive = image.archive("used:1").display().to_string();
    let mut child = home.run("namespace", &["--image", &archive, "--", "sh", "-c", "echo up; cat"]);
    let mut child = child.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let output = common::read_until(&mut child, "up");
    let refused = fails(&home, &["image", "rm", "used:1"]);
    assert!(refused.contains(" is used by sbx_") && refused.contains("delete that first"), "{refused}");
    assert_eq!(runs(&home, &["image", "prune"]).lines().count(), 1, "only what is free is removed");
    let usage = json(&home, &["image", "usage"]);
    assert!(usage["in_use"] == usage["size"] && usage["size"].as_u64() > Some(0), "{usage}");
    drop(child.stdin.take());
    drop(output);
    assert!(common::status(child).success());

    let pruned = json(&home, &["image", "prune"]);
    assert_eq!((&pruned["images"][0], pruned["left"].as_u64()), (&image.id().into(), Some(0)));
}

#[test]
fn an_archive_that_is_damaged_says_what_is_wrong_and_leaves_nothing() {
    let (home, image) = (Home::new(), Image::busybox());
    let whole = image.oci_archive("cut:1");
    let bytes = fs::read(&whole).unwrap();
    let place = home.path().join("bad.tar");
    let shown = place.display().to_string();
    // In the middle of the layer, which is the largest part.
    fs::write(&place, &bytes[..bytes.len() / 2]).unwrap();
    for arguments in [&["image", "load", &shown][..], &["run", "--image", &shown, "--", "true"]] {
        let said = fails(&home, arguments);
        assert!(said.contains(&shown) && said.contains("is damaged"), "{said}");
    }
    // One byte of the layer is another one.
    let mark = bytes.windows(5).rposition(|window| window == b"user:").unwrap();
    let mut changed = bytes.clone();
    changed[mark] = b'U';
    fs::write(&place, changed).unwrap();
    let said = fails(&home, &["image", "load", &shown]);
    assert!(said.contains("has the digest sha256:"), "{said}");
    fs::write(&place, "no archive at all").unwrap();
    assert!(fails(&home, &["image", "load", &shown]).contains("is damaged"));
    let said = fails(&home, &["image", "load", "/no/such.tar"]);
    assert!(said.contains("/no/such.tar") && said.to_lowercase().contains("no such file"), "{said}");
    assert_eq!(json(&home, &["image", "ls"]), serde_json::json!([]));
    assert_eq!(json(&home, &["image", "usage"])["layers"], 0);
}

#[test]
fn failures_are_one_json_object_when_json_is_wanted() {
    let home = Home::new();
    let said = fails(&home, &["image", "load", "/no/such.tar", "--output", "json"]);
    let object: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(object["error"]["kind"], "io");
    let said = fails(&home, &["image", "inspect", "no:1", "--output", "json"]);
    let object: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(object["error"]["kind"], "image_not_found");
    let said = fails(&home, &["image", "ls", "--provider", "host"]);
    assert!(said.contains("images.manage is not supported here"), "{said}");
}

#[test]
fn a_snapshot_goes_to_another_machine_as_an_image() {
    let (home, other, image) = (Home::new(), Home::new(), Image::busybox());
    let archive = image.archive("base:1").display().to_string();
    let id = runs(&home, &["create", "--provider", "namespace", "--image", &archive]).trim_end().to_owned();
    runs(&home, &["exec", &id, "sh", "-c", "echo prepared > /state"]);
    let taken = common::finish(home.isobox(["snapshot", "create", &id, "--name", "prepared"]));
    let said = common::text(&taken.stderr);
    if said.contains("users = single") {
        // The image's files belong to a range of ids of an ordinary user.
        runs(&home, &["rm", &id]);
        return println!("skipped: {said}");
    }
    assert!(taken.status.success(), "{said}");
    let file = home.path().join("prepared.tar").display().to_string();
    assert_eq!(
        runs(&home, &["snapshot", "export", "prepared", &file, "--as", "prepared:1"]),
        "docker.io/library/prepared:1\n"
    );
    let imported = json(&other, &["snapshot", "import", &file, "--name", "there", "--label", "from=home"]);
    assert_eq!((&imported["name"], &imported["labels"]["from"]), (&"there".into(), &"home".into()), "{imported}");
    let run = ["run", "--provider", "namespace", "--snapshot", "there", "cat", "/state"];
    assert_eq!(runs(&other, &run), "prepared\n");
    assert!(fails(&other, &["snapshot", "import", &file, "--name", "there"]).contains("there"));
    runs(&other, &["snapshot", "rm", "there"]);
    runs(&home, &["rm", &id]);
    runs(&home, &["snapshot", "rm", "prepared"]);
}
