//! What is written down of images is what there is, whoever fetches, uses and removes them.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;
mod image;

use common::Lab;
use elsewhere::Elsewhere;
use image::Image;
use isobox::{ErrorCode, ImageEntry, Isobox, ProviderKind};
use isobox_control::{Options, SqliteStore, Store};
use std::collections::BTreeSet;
use std::path::Path;

/// What is written down, without asking the provider.
async fn written(home: &Path) -> Vec<ImageEntry> {
    let store = SqliteStore::open(home.join("control.db"), Options::default()).await.unwrap();
    assert_eq!(store.image_changes().await.unwrap(), [], "nothing is left to look after");
    store.images(&ProviderKind::NAMESPACE).await.unwrap().images
}

fn names(images: &[ImageEntry]) -> Vec<&str> {
    images.iter().map(|image| image.reference.as_str()).collect()
}

/// An image of its own.
fn with(file: &str) -> Image {
    let mut image = Image::busybox();
    image.layer(&[], |root| std::fs::write(root.join(file), file).unwrap());
    image
}

#[tokio::test]
async fn what_is_loaded_used_and_removed_is_written_down() {
    let lab = Lab::open().await;
    let images = lab.isobox.images().provider("namespace");
    let (one, two) = (with("one"), with("two"));
    images.load(one.archive("one:1")).await.unwrap();
    let known = written(lab.home()).await;
    let [only] = known.as_slice() else { panic!("{known:?}") };
    assert_eq!((only.reference.as_str(), only.id.as_deref()), ("docker.io/library/one:1", Some(one.id().as_str())));
    assert!(only.size.is_some() && only.fetched_at.is_some() && only.used_at.is_none(), "{only:?}");

    let sandbox = lab.isobox.sandbox().provider("namespace").image("one:1").create().await.unwrap();
    let used = written(lab.home()).await[0].used_at.expect("it was used");
    assert!(used >= only.fetched_at.unwrap());
    let entry = lab.isobox.inspect(sandbox.id().as_str()).await.unwrap();
    assert_eq!(entry.image.as_ref(), sandbox.image());
    assert_eq!(entry.image.unwrap().pinned(), one.id(), "what it runs, also when the name is another's by now");

    // One that comes with a sandbox is known too, and also when nothing comes of the sandbox.
    let archive = || lab.isobox.sandbox().provider("namespace").archive(two.archive("two:1"));
    let refused = archive().user("nobody-has-this-name").create().await.unwrap_err();
    assert_ne!(refused.code(), ErrorCode::Internal);
    assert_eq!(names(&written(lab.home()).await), ["docker.io/library/one:1", "docker.io/library/two:1"]);
    let second = archive().create().await.unwrap();
    let known = images.records().await.unwrap();
    assert_eq!(known, written(lab.home()).await);
    assert!(known.iter().all(|image| image.used_at.is_some()));
    assert_eq!(images.list().await.unwrap().len(), 2);

    assert_eq!(images.remove("one:1").await.unwrap_err().code(), ErrorCode::Conflict);
    assert_eq!(written(lab.home()).await.len(), 2, "it is still there");
    sandbox.delete().await.unwrap();
    images.remove("one:1").await.unwrap();
    assert_eq!(names(&written(lab.home()).await), ["docker.io/library/two:1"]);
    second.delete().await.unwrap();
    images.prune(0).await.unwrap();
    assert_eq!(written(lab.home()).await, []);
    let entry = lab.isobox.inspect(entry.id.as_str()).await.unwrap();
    assert_eq!(entry.image.unwrap().id, one.id(), "what a sandbox was made from is remembered with it");
}

/// Loads and removes until it is told to stop.
#[test]
#[ignore = "a process of the other tests"]
fn changer() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let images = isobox.images().provider("namespace");
        let keep = elsewhere::hear().unwrap();
        for round in 0..10 {
            for name in ["one", "two"] {
                images.load(home.join(format!("{name}.tar"))).await.unwrap();
                if round < 9 || name != keep {
                    images.remove(&format!("{name}:1")).await.unwrap();
                }
            }
        }
        elsewhere::say("done");
    });
}

#[tokio::test]
async fn what_two_processes_fetch_and_remove_at_once_is_written_down_as_it_ends() {
    let lab = Lab::open().await;
    for name in ["one", "two"] {
        std::fs::copy(with(name).archive(&format!("{name}:1")), lab.home().join(format!("{name}.tar"))).unwrap();
    }
    let mut changers = [Elsewhere::start("changer", lab.home()), Elsewhere::start("changer", lab.home())];
    changers.iter_mut().zip(["one", "two"]).for_each(|(changer, keep)| changer.tell(keep));
    changers.iter_mut().for_each(|changer| assert_eq!(changer.hear(), "done"));
    changers.into_iter().for_each(Elsewhere::finish);
    let provider = lab.isobox.provider("namespace").await.unwrap();
    let there = provider.images().unwrap().list().await.unwrap();
    let there: BTreeSet<_> = there.iter().map(|image| (image.reference.as_str(), image.id.as_deref())).collect();
    let known = written(lab.home()).await;
    let known: BTreeSet<_> = known.iter().map(|image| (image.reference.as_str(), image.id.as_deref())).collect();
    assert_eq!(known, there);
}
