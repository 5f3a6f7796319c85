//! Archives and folders in every form that tools write, and which of their images is meant.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Builder, Compress, Lab, Layer, archive, compressed, folder};
use isobox_contract::{Context, Detail, ErrorCode, ImageSource, Images, PullPolicy};
use std::fs;
use std::path::PathBuf;

fn image(name: &str) -> Builder {
    Builder::of([Layer::new().file("base", "same"), Layer::new().file("name", name)])
        .tag(&format!("example.com/{name}:1"))
        .run(serde_json::json!({ "Env": ["PATH=/bin", "A=1"], "User": "", "WorkingDir": "/srv", "Cmd": ["sh"] }))
}

fn forms(lab: &Lab) -> Vec<(&'static str, PathBuf)> {
    let image = image("one");
    let hybrid = image.clone().compress(Compress::Gzip).oci_files(true);
    let packed = lab.path("packed.tar.gz");
    let plain = archive(&lab.path("packed.tar"), &image.docker_files());
    fs::write(&packed, compressed(&fs::read(plain).unwrap(), Compress::Gzip)).unwrap();
    vec![
        ("docker", archive(&lab.path("docker.tar"), &image.docker_files())),
        ("hybrid", archive(&lab.path("hybrid.tar"), &hybrid)),
        ("oci", archive(&lab.path("oci.tar"), &image.clone().compress(Compress::Zstd).oci_files(false))),
        ("folder", folder(&lab.path("layout"), &image.oci_files(false))),
        ("compressed", packed),
    ]
}

#[tokio::test]
async fn every_form_gives_the_same_image_from_the_same_layers() {
    let lab = Lab::open();
    let mut ids = Vec::new();
    for (form, path) in forms(&lab) {
        let image =
            lab.images.archive(&path, None, &Context::quiet()).await.unwrap_or_else(|e| panic!("{form}: {e}")).0;
        assert_eq!(fs::read(lab.images.layer(&image.stack[0]).join("name")).unwrap(), b"one", "{form}");
        assert_eq!((image.run.workdir.as_deref(), image.run.env["A"].as_str()), (Some("/srv"), "1"), "{form}");
        ids.push(image.id);
    }
    ids.dedup();
    assert_eq!((ids.len(), lab.layers().len()), (1, 2));
}

#[tokio::test]
async fn one_of_several_images_must_be_named() {
    let lab = Lab::open();
    let mut files = image("one").docker_files();
    let other = image("two");
    let shift = |name: &str| name.replace("/layer.tar", "x/layer.tar");
    for (name, bytes) in other.docker_files() {
        match name.as_str() {
            "manifest.json" => {
                let manifest = files.iter_mut().find(|(name, _)| name == "manifest.json").unwrap();
                let mut both: Vec<serde_json::Value> = serde_json::from_slice(&manifest.1).unwrap();
                let mut second: Vec<serde_json::Value> = serde_json::from_slice(&bytes).unwrap();
                for layer in second[0]["Layers"].as_array_mut().unwrap() {
                    *layer = shift(layer.as_str().unwrap()).into();
                }
                both.extend(second);
                manifest.1 = serde_json::to_vec(&both).unwrap();
            }
            _ => files.push((shift(&name), bytes)),
        }
    }
    let path = archive(&lab.path("both.tar"), &files);
    for _ in 0..2 {
        let error = lab.images.archive(&path, None, &Context::quiet()).await.unwrap_err();
        assert!(matches!(error.detail(), Detail::InvalidSpec { field, .. } if field == "source.reference"), "{error}");
        assert!(
            error.message().contains("example.com/one:1") && error.message().contains("example.com/two:1"),
            "{error}"
        );
        let two = lab.images.archive(&path, Some("example.com/two:1"), &Context::quiet()).await.unwrap().0;
        assert_eq!(fs::read(lab.images.layer(&two.stack[0]).join("name")).unwrap(), b"two");
    }
    let error = lab.images.archive(&path, Some("three"), &Context::quiet()).await.unwrap_err();
    assert!(error.message().contains("three") && error.message().contains("example.com/one:1"), "{error}");
    let loaded = lab.images.load(&path, &Context::quiet()).await.unwrap();
    assert_eq!(
        loaded.iter().map(|info| info.reference.as_str()).collect::<Vec<_>>(),
        ["example.com/one:1", "example.com/two:1"]
    );
}

#[tokio::test]
async fn the_second_time_nothing_is_read_again() {
    let lab = Lab::open();
    let path = archive(&lab.path("a.tar"), &image("one").docker_files());
    let first = lab.images.archive(&path, None, &Context::quiet()).await.unwrap().0;
    let layer = lab.images.layer(&first.stack[0]);
    let made = fs::metadata(&layer).unwrap();
    // Nobody could read it now without noticing.
    let times = fs::metadata(&path).unwrap();
    let accessed = |m: &fs::Metadata| m.accessed().unwrap();
    let second = lab.images.archive(&path, Some("example.com/one:1"), &Context::quiet()).await.unwrap().0;
    assert_eq!(first, second);
    assert_eq!(accessed(&fs::metadata(&path).unwrap()), accessed(&times));
    let again = fs::metadata(&layer).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::ino(&made), std::os::unix::fs::MetadataExt::ino(&again));
}

#[tokio::test]
async fn an_archive_that_was_written_anew_is_another_one() {
    let lab = Lab::open();
    let path = lab.path("a.tar");
    for name in ["one", "two"] {
        archive(&path, &image(name).docker_files());
        let image = lab.images.archive(&path, None, &Context::quiet()).await.unwrap().0;
        assert_eq!(fs::read(lab.images.layer(&image.stack[0]).join("name")).unwrap(), name.as_bytes());
    }
}

#[tokio::test]
async fn a_layer_that_comes_twice_is_mounted_once_and_an_opaque_root_hides_all_below() {
    let lab = Lab::open();
    let (a, b) = (Layer::new().file("a", "a"), Layer::new().file("b", "b"));
    let image = lab.import(&Builder::of([a.clone(), b.clone(), a.clone()])).await.unwrap();
    assert_eq!(image.layers.len(), 3);
    assert_eq!(image.stack, [a.diff_id(), b.diff_id()]);
    let opaque = Layer::new().file(".wh..wh..opq", "").file("c", "c");
    let image = lab.import(&Builder::of([a, opaque.clone(), b.clone()])).await.unwrap();
    assert_eq!(image.stack, [b.diff_id(), opaque.diff_id()]);
}

#[tokio::test]
async fn loaded_images_have_names_and_can_be_looked_at_and_removed() {
    let lab = Lab::open();
    let builder = image("one").tag("short");
    let path = archive(&lab.path("a.tar"), &builder.oci_files(true));
    let loaded = lab.images.load(&path, &Context::quiet()).await.unwrap();
    assert_eq!(loaded.len(), 2);
    assert!(loaded.iter().all(|info| info.digest.as_ref().is_some_and(|digest| digest.starts_with("sha256:"))));
    assert_eq!(lab.images.list().await.unwrap(), loaded);
    let source = |reference: &str, pull| ImageSource { reference: reference.into(), pull, ..ImageSource::default() };
    for name in ["short", "docker.io/library/short:latest", "example.com/one:1"] {
        let (image, _) = lab.images.image(&source(name, PullPolicy::Never), &Context::quiet()).await.unwrap();
        assert_eq!(fs::read(lab.images.layer(&image.stack[0]).join("name")).unwrap(), b"one");
    }
    let details = lab.images.inspect("short").await.unwrap();
    assert_eq!((details.references.len(), details.layers.len(), details.size), (2, 2, 7));
    assert_eq!(details.config["config"]["WorkingDir"], "/srv");
    let id = details.id.strip_prefix("sha256:").unwrap();
    assert_eq!(lab.images.inspect(&id[..12]).await.unwrap(), details);

    // A name goes alone while there is another one.
    for _ in 0..2 {
        lab.images.remove("short", &Context::quiet()).await.unwrap();
        assert_eq!((lab.images.list().await.unwrap().len(), lab.layers().len()), (1, 2));
    }
    lab.images.remove("example.com/one:1", &Context::quiet()).await.unwrap();
    assert_eq!((lab.images.list().await.unwrap().len(), lab.layers().len()), (0, 0));
    let error = lab.images.image(&source("short", PullPolicy::Never), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
    // The archive is believed to hold it, but it is not there any more.
    lab.images.archive(&path, None, &Context::quiet()).await.unwrap();
}
