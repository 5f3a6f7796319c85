//! Images from a real registry: fetched once, kept, asked for again, and gone on with after a kill.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/registry.rs"]
mod registry;

use common::{Builder, Compress, Lab, Layer, owners};
use isobox_contract::{Context, ErrorCode, ImageSource, Images, PullPolicy};
use isobox_images::{Limits, LocalImages};
use registry::{Front, Registry};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tar::EntryType;

const TASK: &str = "ISOBOX_TEST_PULL";

fn source(reference: &str, pull: PullPolicy) -> ImageSource {
    ImageSource { reference: reference.into(), pull, ..ImageSource::default() }
}

fn image(text: &str) -> Builder {
    Builder::of([Layer::new().file("base", "same"), Layer::new().file("text", text)]).compress(Compress::Gzip)
}

/// In another process: pulls an image.
#[tokio::test]
async fn another_process() {
    let Some(task) = std::env::var_os(TASK) else { return };
    let task = task.into_string().unwrap();
    let (home, reference) = task.split_once('|').unwrap();
    let images = LocalImages::open(Path::new(home), owners(), Limits::default()).unwrap();
    images.image(&source(reference, PullPolicy::Missing), &Context::quiet()).await.unwrap();
    println!("\npulled");
}

fn start(lab: &Lab, reference: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "another_process", "--nocapture"]);
    command.env(TASK, format!("{}|{reference}", lab.home.path().display()));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
}

fn blobs(lab: &Lab) -> Vec<u64> {
    let entries = fs::read_dir(lab.layers_dir().with_file_name("blobs")).unwrap();
    entries.map(|entry| entry.unwrap().metadata().map_or(0, |metadata| metadata.len())).collect()
}

#[tokio::test]
async fn an_image_is_fetched_once_and_then_there() {
    let Some(mut registry) = Registry::start() else { return };
    registry.push("a/one", "1", image("one").oci_files(false));
    let front = Front::of(&registry);
    let lab = Lab::open();
    let reference = format!("{}/a/one:1", front.address);
    let (pulled, named) = lab.images.image(&source(&reference, PullPolicy::Missing), &Context::quiet()).await.unwrap();
    assert_eq!(fs::read(lab.images.layer(&pulled.stack[0]).join("text")).unwrap(), b"one");
    assert_eq!(named.reference, reference);
    assert_eq!(blobs(&lab), Vec::<u64>::new(), "what is unpacked is not kept twice");
    let asked = front.blobs();
    let listed = lab.images.list().await.unwrap();
    assert_eq!((listed.len(), listed[0].digest.clone()), (1, named.digest.map(|digest| digest.to_string())));

    // The same layers with another name are not fetched again.
    registry.push(
        "a/other",
        "1",
        Builder::of([Layer::new().file("base", "same"), Layer::new().file("x", "y")])
            .compress(Compress::Gzip)
            .oci_files(false),
    );
    let other = format!("{}/a/other:1", front.address);
    lab.images.image(&source(&other, PullPolicy::Missing), &Context::quiet()).await.unwrap();
    assert_eq!(front.blobs(), asked + 2, "one config and one layer");

    registry.stop();
    for pull in [PullPolicy::Missing, PullPolicy::Never] {
        lab.images.image(&source(&reference, pull), &Context::quiet()).await.unwrap();
    }
    let absent = format!("{}/a/absent:1", front.address);
    let error = lab.images.image(&source(&absent, PullPolicy::Never), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
}

#[tokio::test]
async fn always_takes_what_the_name_stands_for_now() {
    let Some(registry) = Registry::start() else { return };
    let lab = Lab::open();
    let front = Front::of(&registry);
    let reference = format!("{}/a/moving:1", front.address);
    let mut digests = Vec::new();
    for text in ["one", "two"] {
        registry.push("a/moving", "1", image(text).oci_files(false));
        let (image, named) =
            lab.images.image(&source(&reference, PullPolicy::Always), &Context::quiet()).await.unwrap();
        assert_eq!(fs::read(lab.images.layer(&image.stack[0]).join("text")).unwrap(), text.as_bytes());
        digests.push(named.digest.unwrap());
    }
    // A name that has not moved is asked about, and nothing is fetched: not even the config.
    let asked = front.blobs();
    lab.images.image(&source(&reference, PullPolicy::Always), &Context::quiet()).await.unwrap();
    assert_eq!(front.blobs(), asked);
    // Missing is content with what is there, and a digest is what it is.
    registry.push("a/moving", "1", image("three").oci_files(false));
    let (image, _) = lab.images.image(&source(&reference, PullPolicy::Missing), &Context::quiet()).await.unwrap();
    assert_eq!(fs::read(lab.images.layer(&image.stack[0]).join("text")).unwrap(), b"two");
    let pinned = format!("{}/a/moving@{}", front.address, digests[0]);
    let (image, _) = lab.images.image(&source(&pinned, PullPolicy::Always), &Context::quiet()).await.unwrap();
    assert_eq!(fs::read(lab.images.layer(&image.stack[0]).join("text")).unwrap(), b"one");
    let absent = format!("{}/a/absent:1", front.address);
    let error = lab.images.image(&source(&absent, PullPolicy::Missing), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound, "{error}");
}

#[tokio::test]
async fn processes_and_tasks_that_want_the_same_fetch_it_once() {
    let Some(registry) = Registry::start() else { return };
    registry.push("a/same", "1", image("same").oci_files(false));
    let front = Front::of(&registry);
    let lab = Lab::open();
    let reference = format!("{}/a/same:1", front.address);
    let mut others: Vec<_> = (0..3).map(|_| start(&lab, &reference)).collect();
    let (wanted, context) = (source(&reference, PullPolicy::Missing), Context::quiet());
    let (a, b) = tokio::join!(lab.images.image(&wanted, &context), lab.images.image(&wanted, &context));
    assert_eq!(a.unwrap().0.id, b.unwrap().0.id);
    for other in &mut others {
        assert!(other.wait().unwrap().success());
    }
    assert_eq!(front.blobs(), 3, "one config and two layers");
}

#[tokio::test]
async fn a_pull_that_was_killed_goes_on_where_it_was() {
    let Some(registry) = Registry::start() else { return };
    let noise: Vec<u8> = (0..4u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    registry.push("a/large", "1", Builder::of([Layer::new().entry(EntryType::Regular, "f", &noise)]).oci_files(false));
    let front = Front::of(&registry);
    let lab = Lab::open();
    let reference = format!("{}/a/large:1", front.address);
    front.hold_after(2 << 20);
    let mut other = start(&lab, &reference);
    // Killed once a part of the layer is on disk.
    while blobs(&lab).iter().sum::<u64>() < 512 << 10 {
        assert!(other.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(lab.layers(), Vec::<String>::new());
    let before = blobs(&lab).iter().sum::<u64>();
    front.let_go();
    let (image, _) = lab.images.image(&source(&reference, PullPolicy::Missing), &Context::quiet()).await.unwrap();
    assert_eq!(fs::read(lab.images.layer(&image.stack[0]).join("f")).unwrap(), noise);
    assert!(before >= 512 << 10);
    assert_eq!(blobs(&lab), Vec::<u64>::new());
}

#[tokio::test]
async fn a_layer_that_does_not_unpack_to_what_was_named_is_refused() {
    let Some(registry) = Registry::start() else { return };
    // The registry's own digests are right, the image's are not.
    let mut image = image("good");
    let config = image.config();
    image.layers[1] = Layer::new().file("text", "evil");
    let evil = String::from_utf8(image.config()).unwrap();
    let good = String::from_utf8(config).unwrap();
    assert_ne!(evil, good);
    image.lie = Some(good.into_bytes());
    registry.push("a/evil", "1", image.oci_files(false));
    let lab = Lab::open();
    let front = Front::of(&registry);
    let reference = format!("{}/a/evil:1", front.address);
    let error = lab.images.image(&source(&reference, PullPolicy::Missing), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImagePullFailed, "{error}");
    assert!(error.message().contains("digest") && !error.is_retryable(), "{error}");
    assert_eq!(lab.images.list().await.unwrap().len(), 0);
}
