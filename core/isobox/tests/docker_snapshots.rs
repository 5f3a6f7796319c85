//! Snapshots and forks of sandboxes in Docker.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/dockerd.rs"]
mod dockerd;
#[path = "common/engine.rs"]
mod engine;
mod image;

use engine::Engine;
use isobox::{ErrorCode, ExportOptions, ForkOptions, ImportOptions, SnapshotOptions};

fn named(name: &str) -> SnapshotOptions {
    SnapshotOptions { name: Some(name.into()), ..SnapshotOptions::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_holds_the_files_and_nothing_of_the_sandbox() {
    let Some(engine) = Engine::open().await else { return };
    let sandbox = engine.tiny().env("TOKEN", "secret").label("team", "a").create().await.unwrap();
    let name = format!("prepared-{}", std::process::id());
    let running = sandbox.command(["sleep", "1000"]).spawn().await.unwrap();
    sandbox.shell("echo one > /state && mkdir -m 700 /private && touch /private/x && ln -s state /link").await.unwrap();
    let labels = [("kind".to_owned(), "base".to_owned())].into();
    let taken = sandbox.snapshot(SnapshotOptions { labels, ..named(&name) }).await.unwrap();
    assert_eq!(taken.name.as_deref(), Some(name.as_str()));
    assert_eq!(taken.labels["kind"], "base");
    sandbox.shell("echo two > /state").await.unwrap();
    let still = sandbox.processes().await.unwrap().iter().any(|process| process.id == *running.id());
    assert!(still, "what ran goes on");

    let restored = engine.isobox.sandbox().snapshot(&name).create().await.unwrap();
    let seen = restored.shell("cat /link; stat -c %a /private; echo $TOKEN$FROM").await.unwrap();
    assert_eq!(seen.stdout.text(), "one\n700\nimage\n");
    let status = restored.describe().await.unwrap();
    assert_eq!((status.name, status.labels.len()), (None, 0), "the labels of the original are none of its own");
    assert!(restored.image().is_none());

    // What anybody with the engine finds in the image.
    let known = taken.external.as_str();
    let config = engine.docker(&["image", "inspect", "--format", "{{json .Config}}", known]);
    assert!(!config.contains("secret") && !config.contains("/.isobox"), "{config}");
    let run =
        ["run", "--rm", "--network=none", "--entrypoint=/bin/find", known, "/.isobox", "-size", "+0c", "-type", "f"];
    assert_eq!(engine.docker(&run), "", "something of the agent is in the snapshot");

    let used = engine.isobox.snapshots().delete(&name).await.unwrap_err();
    assert_eq!(used.code(), ErrorCode::Conflict, "{used}");
    assert!(used.message().contains(restored.id().as_str()), "{used}");
    restored.delete().await.unwrap();
    let second = engine.isobox.again_named(&engine, &name).await;
    second.delete().await.unwrap();
    engine.isobox.snapshots().delete(&name).await.unwrap();
    assert!(!engine.has("image", known));
    sandbox.delete().await.unwrap();
}

/// Making a sandbox from a snapshot in another process' library.
trait Again {
    async fn again_named(&self, engine: &Engine, name: &str) -> isobox::Sandbox;
}

impl Again for isobox::Isobox {
    async fn again_named(&self, engine: &Engine, name: &str) -> isobox::Sandbox {
        let other = engine.again().await;
        let listed = other.snapshots().list().await.unwrap();
        assert!(listed.iter().any(|entry| entry.name.as_deref() == Some(name)), "{listed:?}");
        other.sandbox().snapshot(name).create().await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn snapshots_stand_on_snapshots_and_of_stopped_sandboxes_too() {
    let Some(engine) = Engine::open().await else { return };
    let snapshots = engine.isobox.snapshots();
    let first = engine.sandbox().await;
    first.shell("echo 1 > /a").await.unwrap();
    first.stop(None).await.unwrap();
    let one = first.snapshot(SnapshotOptions::default()).await.unwrap();
    first.delete().await.unwrap();
    let second = engine.isobox.sandbox().snapshot(&one.external).create().await.unwrap();
    second.shell("echo 2 > /b && rm /a").await.unwrap();
    let two = second.snapshot(SnapshotOptions::default()).await.unwrap();
    second.delete().await.unwrap();
    // The one that it stands on goes first.
    snapshots.delete(&one.external).await.unwrap();
    let third = engine.isobox.sandbox().snapshot(&two.external).create().await.unwrap();
    assert_eq!(third.shell("cat /b; ls /a 2>/dev/null").await.unwrap().stdout.text(), "2\n");
    third.delete().await.unwrap();
    snapshots.delete(&two.external).await.unwrap();
    let gone = engine.isobox.sandbox().snapshot(&two.external).create().await.unwrap_err();
    assert_eq!(gone.code(), ErrorCode::NotFound, "{gone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_becomes_an_archive_and_an_archive_a_snapshot() {
    let Some(engine) = Engine::open().await else { return };
    let snapshots = engine.isobox.snapshots();
    let place = tempfile::tempdir().unwrap();
    let sandbox = engine.tiny().label("team", "a").create().await.unwrap();
    sandbox.shell("echo kept > /kept && chmod 640 /kept && rm /bin/stat").await.unwrap();
    let taken = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    sandbox.delete().await.unwrap();

    let (one, two) = (place.path().join("one.tar"), place.path().join("two.tar"));
    let name = format!("docker.io/isobox-test/exported:{}", std::process::id());
    let exported = snapshots.export(&taken.external, &one, ExportOptions::named(&name)).await.unwrap();
    snapshots.export(&taken.external, &two, ExportOptions::named(&name)).await.unwrap();
    assert!(std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap(), "the same snapshot gives the same bytes");
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2, "nothing else is left beside them");

    engine.docker(&["load", "--quiet", "--input", &one.display().to_string()]);
    assert_eq!(engine.docker(&["image", "inspect", "--format", "{{.Id}}", &name]), exported.id);
    let config = engine.docker(&["image", "inspect", "--format", "{{json .Config}}", &name]);
    assert!(!config.contains("isobox.") && config.contains("FROM=image"), "{config}");
    assert_eq!(engine.docker(&["run", "--rm", "--network=none", &name, "cat", "/kept"]), "kept");
    engine.docker(&["rmi", &name]);

    let imported = snapshots.import(&one, ImportOptions::default()).await.unwrap();
    assert!(!engine.has("image", &name), "an import gives no names of the archive away");
    let restored = engine.isobox.sandbox().snapshot(imported.external.as_ref().unwrap()).create().await.unwrap();
    let seen =
        restored.shell("cat /kept; ls -l /kept | cut -c 1-10 2>/dev/null; ls /bin/stat; echo $FROM").await.unwrap();
    assert!(seen.stdout.text().starts_with("kept\n") && seen.stdout.text().ends_with("image\n"), "{seen:?}");
    assert!(seen.stderr.text().contains("/bin/stat"), "what was removed is back: {seen:?}");
    let again = snapshots.export(imported.external.as_ref().unwrap(), &two, ExportOptions::default()).await.unwrap();
    assert_eq!(again.layers, exported.layers);
    restored.delete().await.unwrap();
    let from_archive = engine.isobox.sandbox().archive(&one).create().await.unwrap();
    assert_eq!(from_archive.files().read_text("/kept").await.unwrap(), "kept\n");
    from_archive.delete().await.unwrap();
    for external in [taken.external, imported.external.unwrap()] {
        snapshots.delete(&external).await.unwrap();
    }
    let junk = place.path().join("junk.tar");
    std::fs::write(&junk, b"junk").unwrap();
    let refused = snapshots.import(&junk, ImportOptions::default()).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn forks_are_of_one_moment_and_take_their_image_along() {
    let Some(engine) = Engine::open().await else { return };
    let original = engine.tiny().env("A", "b").label("team", "a").workdir("/tmp").create().await.unwrap();
    original.shell("echo $A > state").await.unwrap();
    let forks = original.fork(3).await.unwrap();
    original.shell("echo later > state").await.unwrap();
    let image = engine.docker(&["inspect", "--format", "{{.Image}}", forks[0].external_id().as_str()]);
    for (index, fork) in forks.iter().enumerate() {
        assert_eq!(fork.shell("cat state; pwd; echo $A").await.unwrap().stdout.text(), "b\n/tmp\nb\n");
        fork.shell(format!("echo {index} > state")).await.unwrap();
        let status = fork.describe().await.unwrap();
        assert_eq!(status.labels.get("team").map(String::as_str), Some("a"));
        let own = engine.docker(&["inspect", "--format", "{{.Image}}", fork.external_id().as_str()]);
        assert_eq!(own, image, "one copy is made for all");
    }
    for (index, fork) in forks.iter().enumerate() {
        assert_eq!(fork.files().read_text("/tmp/state").await.unwrap(), format!("{index}\n"));
        assert!(engine.has("image", &image));
        fork.delete().await.unwrap();
    }
    assert!(!engine.has("image", &image), "it goes with the last of them");
    let labels = Some([("team".to_owned(), "b".to_owned())].into());
    let options = ForkOptions { name: Some(format!("fork-{}", std::process::id())), labels, ..ForkOptions::default() };
    let fork = original.fork_with(1, options).await.unwrap().pop().unwrap();
    let status = fork.describe().await.unwrap();
    assert_eq!((status.labels["team"].as_str(), status.name.is_some()), ("b", true));
    fork.delete().await.unwrap();
    original.delete().await.unwrap();
    assert_eq!(engine.ours(&["images"], "fork"), [""; 0]);
}
