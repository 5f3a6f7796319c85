//! Debian's registry, as it is.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::image::{DOCKER_LIST, DOCKER_MANIFEST, Image, OCI_INDEX, host, index, noise};
use common::real::{Push, RealRegistry};
use common::{client, config, reference};
use isobox_contract::ErrorCode;
use isobox_registry::Digest;
use std::sync::Mutex;

#[tokio::test]
async fn an_image_is_resolved_and_fetched() {
    let Some(registry) = RealRegistry::start("") else { return };
    let layers = [noise(3_000_000), b"second".to_vec()];
    let image = Image::oci(&host(), &[&layers[0], &layers[1]]);
    registry.push(&Push::to("team/base"), &image, "v1").await;

    let name = reference(&format!("{}/team/base:v1", registry.address));
    let pull = client(config()).pull(&name, None).unwrap();
    let resolved = pull.resolve(None, None).await.unwrap();
    assert_eq!(resolved.digest, image.digest());
    assert_eq!((&resolved.manifest_bytes, &resolved.config), (&image.manifest, &image.config));
    assert_eq!(resolved.platform.to_string(), format!("linux/{}", host()));

    let directory = tempfile::tempdir().unwrap();
    for (layer, bytes) in resolved.manifest.layers.iter().zip(&layers) {
        let file = directory.path().join(layer.blob.digest.hex());
        let seen = Mutex::new(Vec::new());
        let fetched = pull.fetch(&layer.blob, &file, &|bytes| seen.lock().unwrap().push(bytes), None).await.unwrap();
        assert_eq!(&std::fs::read(&file).unwrap(), bytes);
        assert_eq!((fetched.received, fetched.found), (bytes.len() as u64, 0));
        let seen = seen.into_inner().unwrap();
        assert!(seen.is_sorted() && seen[0] == 0 && seen.last() == Some(&(bytes.len() as u64)), "{seen:?}");
    }
}

#[tokio::test]
async fn an_index_gives_the_image_for_the_platform() {
    let Some(registry) = RealRegistry::start("") else { return };
    let push = Push::to("multi");
    for (list, kind) in [(OCI_INDEX, common::image::OCI_MANIFEST), (DOCKER_LIST, DOCKER_MANIFEST)] {
        let images = [
            (Image::new(kind, "amd64", None, &[b"amd64"]), "amd64", None),
            (Image::new(kind, "arm", Some("v6"), &[b"armv6"]), "arm", Some("v6")),
            (Image::new(kind, "arm", Some("v7"), &[b"armv7"]), "arm", Some("v7")),
            (Image::new(kind, "arm64", Some("v8"), &[b"arm64"]), "arm64", Some("v8")),
        ];
        for (at, (image, ..)) in images.iter().enumerate() {
            registry.push(&push, image, &format!("part{at}")).await;
        }
        let entries: Vec<_> = images.iter().map(|(image, arch, variant)| (image, *arch, *variant)).collect();
        let index = index(list, &entries);
        push.manifest(&registry, list, &index, "all").await;

        let pull = client(config()).pull(&reference(&format!("{}/multi:all", registry.address)), None).unwrap();
        for (wanted, expected) in [
            ("linux/amd64", 0),
            ("x86_64", 0),
            ("linux/arm/v6", 1),
            ("linux/arm", 2),
            ("linux/arm/v7", 2),
            ("armhf", 2),
            ("linux/arm64", 3),
            ("linux/arm64/v8", 3),
            ("aarch64", 3),
            ("linux/amd64/v3", 0),
        ] {
            let resolved = pull.resolve(Some(&wanted.parse().unwrap()), None).await.unwrap();
            assert_eq!(resolved.digest, Digest::of(&index), "{wanted}");
            assert_eq!(resolved.manifest_digest, images[expected].0.digest(), "{wanted}");
        }
        for missing in ["linux/riscv64", "linux/arm/v5", "windows/amd64"] {
            let error = pull.resolve(Some(&missing.parse().unwrap()), None).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::ImageNotFound);
            let message = error.message();
            assert!(
                message.contains(missing) && message.contains("linux/amd64, linux/arm/v6, linux/arm, linux/arm64"),
                "{message}"
            );
        }
    }
}

#[tokio::test]
async fn what_is_pinned_is_what_comes() {
    let Some(registry) = RealRegistry::start("") else { return };
    let (old, new) = (Image::oci(&host(), &[b"old"]), Image::oci(&host(), &[b"new"]));
    registry.push(&Push::to("moving"), &old, "latest").await;
    registry.push(&Push::to("moving"), &new, "latest").await;
    let name = format!("{}/moving", registry.address);
    let client = client(config());
    let resolve = async |text: String| client.pull(&reference(&text), None).unwrap().resolve(None, None).await;
    assert_eq!(resolve(name.clone()).await.unwrap().digest, new.digest());
    assert_eq!(resolve(format!("{name}@{}", old.digest())).await.unwrap().digest, old.digest());
    assert_eq!(resolve(format!("{name}:latest@{}", old.digest())).await.unwrap().digest, old.digest());
    let digest = async |text: String| client.pull(&reference(&text), None).unwrap().digest(None).await;
    assert_eq!(digest(name.clone()).await.unwrap(), new.digest());
    assert_eq!(digest(format!("{name}@{}", old.digest())).await.unwrap(), old.digest());
    assert_eq!(digest(format!("{name}:absent")).await.unwrap_err().code(), ErrorCode::ImageNotFound);
    let absent = resolve(format!("{name}@{}", Digest::of(b"absent"))).await.unwrap_err();
    assert_eq!(absent.code(), ErrorCode::ImageNotFound);
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let Some(registry) = RealRegistry::start("") else { return };
    let pull = client(config()).pull(&reference(&format!("{}/no/such:v9", registry.address)), None).unwrap();
    let error = pull.resolve(None, None).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
    assert!(!error.is_retryable() && !error.is_infrastructure());
    assert!(error.message().contains("no/such:v9") && error.message().contains(&registry.address), "{error}");
}
