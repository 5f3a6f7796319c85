//! Mirrors: asked first, in order, and trusted no further than digests reach.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply, honest};
use common::image::{Image, host, noise};
use common::{client, config};
use isobox_contract::{ErrorCode, RegistryAuth};
use isobox_registry::{Pull, RegistryConfig};

fn image() -> Image {
    Image::oci(&host(), &[&noise(50_000)])
}

async fn good() -> Hostile {
    Hostile::start(|seen| honest(&image(), seen)).await
}

/// A pull of an image of `own` through these mirrors.
fn pull(own: &Hostile, mirrors: &[String]) -> Pull {
    let mut config: RegistryConfig = RegistryConfig { attempts: 2, ..config() };
    config.mirrors.insert(own.address.clone(), mirrors.to_vec());
    let auth = RegistryAuth { username: "me".into(), password: "hunter2".into(), server: None };
    client(config).pull(&own.image("team/base:v1"), Some(&auth)).unwrap()
}

async fn all_of(pull: &Pull) {
    let resolved = pull.resolve(None, None).await.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("layer");
    let layer = &resolved.manifest.layers[0].blob;
    pull.fetch(layer, &file, &|_| {}, None).await.unwrap();
    assert_eq!(std::fs::read(file).unwrap(), image().layers[0]);
}

#[tokio::test]
async fn a_mirror_spares_the_registry() {
    let (first, second, own) = (good().await, good().await, good().await);
    all_of(&pull(&own, &[first.address.clone(), second.address.clone()])).await;
    assert_eq!((first.seen().len(), second.seen().len(), own.seen().len()), (3, 0, 0));
    assert!(first.seen().iter().all(|seen| seen.header("authorization").is_none()));
}

#[tokio::test]
async fn what_a_mirror_has_not_comes_from_the_next() {
    for broken in [404, 401, 403, 429, 500] {
        let (empty, own) = (Hostile::start(move |_| Reply::status(broken, "")).await, good().await);
        all_of(&pull(&own, std::slice::from_ref(&empty.address))).await;
        assert_eq!(own.seen().len(), 3, "{broken}");
        assert_eq!(empty.seen_for("/blobs/").len(), 0, "who had the manifest is asked first for the rest");
    }
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let own = good().await;
    all_of(&pull(&own, &[free.to_string()])).await;
}

#[tokio::test]
async fn a_mirror_that_lies_changes_nothing() {
    let forged = Hostile::start(|seen| match seen.path.contains("/blobs/") {
        true => Reply::ok(vec![b'x'; 50_000]),
        false => honest(&image(), seen),
    })
    .await;
    let own = good().await;
    all_of(&pull(&own, std::slice::from_ref(&forged.address))).await;
    // One that has the config and forges the layer.
    let layer = isobox_registry::Digest::of(&image().layers[0]).to_string();
    let forged = Hostile::start(move |seen| match seen.path.ends_with(&layer) {
        true => Reply::ok(vec![b'x'; 50_000]),
        false => honest(&image(), seen),
    })
    .await;
    let own = good().await;
    all_of(&pull(&own, std::slice::from_ref(&forged.address))).await;
    assert_eq!((forged.seen().len(), own.seen().len()), (3, 1));
}

#[tokio::test]
async fn a_mirror_may_have_a_path_of_its_own() {
    let (mirror, own) = (good().await, good().await);
    all_of(&pull(&own, &[format!("http://{}/hub/", mirror.address)])).await;
    assert!(mirror.seen().iter().all(|seen| seen.path.starts_with("/v2/hub/team/base/")), "{:?}", mirror.seen());
    assert_eq!(mirror.seen().len(), 3);
}

#[tokio::test]
async fn the_error_is_that_of_the_registry_itself() {
    let mirror = Hostile::start(|_| Reply::status(403, "")).await;
    let own = Hostile::start(|_| Reply::status(404, "")).await;
    let error = pull(&own, std::slice::from_ref(&mirror.address)).resolve(None, None).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
    assert!(error.message().contains(&own.address), "{error}");
}
