//! Images of a Docker engine: fetching, credentials, what is there, archives.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/docker_registry.rs"]
mod docker_registry;
#[path = "common/dockerd.rs"]
mod dockerd;
#[path = "common/engine.rs"]
mod engine;
mod image;

use docker_registry::{Pace, Registry, Slow, answering};
use engine::{Engine, Kept, TINY};
use isobox::{ErrorCode, ImageSource, PullPolicy, RegistryAuth};
use std::path::Path;
use std::sync::Arc;

/// `me` with the password [`PASSWORD`].
const USER: &str = "me:$2y$05$abcdefghijklmnopqrstuu88hzomRGvbyzsJdNVqWNPey1B3HccB2\n";
/// In the usual alphabet of Base64 it has characters that the engine does not read.
const PASSWORD: &str = "~~~???>>>/+";

/// Both as Docker's configuration has them.
const ENCODED: &str = "bWU6fn5+Pz8/Pj4+Lys=";

/// Puts an image with a large layer into a registry and takes it away from the engine.
fn push(engine: &Engine, name: &str, seed: u64) {
    let mut image = image::Image::busybox();
    image.layer(&[], |root| std::fs::write(root.join("noise"), noise(seed, 12 << 20)).unwrap());
    let archive = image.archive(name);
    engine.docker(&["load", "--quiet", "--input", &archive.display().to_string()]);
    engine.docker(&["push", "--quiet", name]);
    engine.docker(&["rmi", name]);
}

/// Bytes that cannot be packed any smaller.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let words = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.take(length / 8).flatten().collect()
}

fn source(reference: &str, pull: PullPolicy) -> ImageSource {
    ImageSource { reference: reference.into(), pull, ..ImageSource::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_want_an_image_share_one_pull_and_all_see_its_bytes() {
    let (Some(engine), Some(registry)) = (Engine::open().await, Registry::start(None)) else { return };
    let name = format!("{}/team/base:1", registry.address);
    push(&engine, &name, 1);
    let images = engine.isobox.images();
    let kept: Vec<_> = (0..8).map(|_| Arc::new(Kept::default())).collect();
    let pulls = kept.iter().map(|kept| images.pull_with(name.as_str(), kept.clone()));
    let pulled = futures::future::join_all(pulls).await;
    let first = pulled[0].as_ref().unwrap();
    assert!(pulled.iter().all(|pulled| pulled.as_ref().unwrap() == first));
    assert!(first.digest.as_ref().unwrap().starts_with("sha256:"), "{first:?}");
    assert_eq!(first.platform.as_deref(), Some(isobox_images::Platform::here().to_string().as_str()));
    // One fetch of the config and of each layer, and no more for eight callers. The engine may have the lower layer already.
    let fetched = registry.asked("GET", "/blobs/");
    assert!((2..=3).contains(&fetched), "{fetched}");
    for kept in &kept {
        let told = kept.of("image.pull");
        let large = told.iter().max_by_key(|told| told.total).unwrap();
        let of_it = told.iter().filter(|told| told.message == large.message);
        let bytes: Vec<_> = of_it.map(|told| told.completed.unwrap()).collect();
        assert!(bytes.is_sorted() && bytes.last() == large.total.as_ref(), "{bytes:?} of {:?}", large.total);
        assert!(large.total.unwrap() > 12 << 20 && !kept.of("image.unpack").is_empty());
    }
    engine.docker(&["rmi", &name]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pull_goes_on_for_who_still_waits_and_ends_with_the_last() {
    let (Some(engine), Some(registry)) = (Engine::open().await, Registry::start(None)) else { return };
    let slow = Slow::before(&registry.address).await;
    let (pushed, name) = (format!("{}/team/slow:1", registry.address), format!("{}/team/slow:1", slow.address));
    push(&engine, &pushed, 7);
    let create = || tokio::spawn(engine.isobox.sandbox().provider("docker").image(name.as_str()).create());
    let (first, second) = (create(), create());
    slow.begins(0).await;
    // Whoever began it waits no longer.
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    slow.set(Pace::Open);
    let sandbox = second.await.unwrap().unwrap();
    assert_eq!(sandbox.shell("echo here").await.unwrap().stdout.text(), "here\n");
    let fetched = registry.asked("GET", "/blobs/");
    assert!((2..=3).contains(&fetched), "one pull for both, and not begun again: {fetched}");
    sandbox.delete().await.unwrap();
    engine.docker(&["rmi", &name]);

    // Not every engine notices before there is more to read.
    slow.set(Pace::Trickle);
    let (begun, ended) = slow.counts();
    let alone = create();
    slow.begins(begun).await;
    alone.abort();
    assert!(alone.await.unwrap_err().is_cancelled());
    slow.ends(ended).await;
    assert!(!engine.has("image", &name), "nothing is left of it");
    assert_eq!(engine.ours(&["ps", "--all"], "sandbox"), [""; 0]);
    let docker = engine.home.path().join("docker");
    let left: Vec<_> = std::fs::read_dir(docker).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("sbx_")), "{left:?}");
    // And nothing of it is in the way.
    slow.set(Pace::Open);
    let sandbox = create().await.unwrap().unwrap();
    sandbox.delete().await.unwrap();
    assert_eq!(engine.isobox.list(Default::default()).await.unwrap().len(), 0);
    engine.docker(&["rmi", &name]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_says_whether_a_name_is_asked_for_again() {
    let (Some(engine), Some(registry)) = (Engine::open().await, Registry::start(None)) else { return };
    let name = format!("{}/moves:latest", registry.address);
    let images = engine.isobox.images();
    let never = images.pull(source(&name, PullPolicy::Never)).await.unwrap_err();
    assert_eq!(never.code(), ErrorCode::ImageNotFound, "{never}");

    push(&engine, &name, 2);
    let old = images.pull(name.as_str()).await.unwrap();
    assert_eq!(old.reference, name);
    let pinned = format!("{}/moves@{}", registry.address, old.digest.clone().unwrap());
    // Another image under the same name, without the engine's knowledge.
    let other = format!("{}/moves:other", registry.address);
    push(&engine, &other, 3);
    let new = images.pull(other.as_str()).await.unwrap();
    engine.docker(&["tag", &other, &name]);
    engine.docker(&["push", "--quiet", &name]);
    engine.docker(&["tag", old.id.as_ref().unwrap(), &name]);

    assert_eq!(images.pull(source(&name, PullPolicy::Missing)).await.unwrap().id, old.id);
    assert_eq!(images.pull(source(&name, PullPolicy::Always)).await.unwrap().id, new.id);
    let asked = registry.asked("GET", "/manifests/") + registry.asked("HEAD", "/manifests/");
    assert_eq!(images.pull(source(&pinned, PullPolicy::Always)).await.unwrap().id, old.id);
    assert_eq!(images.pull(source(old.id.as_ref().unwrap(), PullPolicy::Always)).await.unwrap().id, old.id);
    assert_eq!(registry.asked("GET", "/manifests/") + registry.asked("HEAD", "/manifests/"), asked);
    let gone = images.pull(format!("sha256:{}", "0".repeat(64))).await.unwrap_err();
    assert_eq!(gone.code(), ErrorCode::ImageNotFound, "{gone}");
    for id in [old.id, new.id] {
        images.remove(&id.unwrap()).await.unwrap();
    }
    assert!(!engine.has("image", &name) && !engine.has("image", &pinned));
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_are_shown_to_the_registry_that_they_are_for() {
    let (Some(engine), Some(registry)) = (Engine::open().await, Registry::start(Some(USER))) else { return };
    let name = format!("{}/secret:1", registry.address);
    let config = tempfile::tempdir().unwrap();
    let text = serde_json::json!({ "auths": { &registry.address: { "auth": ENCODED } } });
    std::fs::write(config.path().join("config.json"), text.to_string()).unwrap();
    engine.docker(&["tag", TINY, &name]);
    engine.docker(&["--config", &config.path().display().to_string(), "push", "--quiet", &name]);
    engine.docker(&["rmi", &name]);

    let images = engine.isobox.images();
    let as_somebody = |password: &str| {
        let auth = RegistryAuth { username: "me".into(), password: password.into(), server: None };
        ImageSource { auth: Some(auth), ..source(&name, PullPolicy::Missing) }
    };
    let nobody = images.pull(name.as_str()).await.unwrap_err();
    assert_eq!((nobody.code(), nobody.is_retryable()), (ErrorCode::Unauthenticated, false), "{nobody}");
    assert!(nobody.message().contains("docker login"), "{nobody}");
    let wrong = images.pull(as_somebody("wrong")).await.unwrap_err();
    assert_eq!(wrong.code(), ErrorCode::Unauthenticated, "{wrong}");
    assert!(wrong.message().contains("does not take the credentials") && !wrong.message().contains("wrong"), "{wrong}");
    images.pull(as_somebody(PASSWORD)).await.unwrap();
    engine.docker(&["rmi", &name]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_registry_refuses_has_the_code_that_it_has_everywhere() {
    let Some(engine) = Engine::open().await else { return };
    let images = engine.isobox.images();
    let failed = async |address: &str| images.pull(format!("{address}/a/b:1")).await.unwrap_err();

    let limited = r#"{"errors":[{"code":"TOOMANYREQUESTS","message":"retry-after: 1m30s, allowed: 44000/minute"}]}"#;
    let error = failed(&answering("429 Too Many Requests", limited)).await;
    assert_eq!((error.code(), error.is_infrastructure()), (ErrorCode::RateLimited, true), "{error}");
    assert_eq!(error.retry_after(), Some(std::time::Duration::from_secs(90)), "{error}");

    let unknown = r#"{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}"#;
    let error = failed(&answering("404 Not Found", unknown)).await;
    assert_eq!((error.code(), error.is_infrastructure()), (ErrorCode::ImageNotFound, false), "{error}");

    let denied = r#"{"errors":[{"code":"DENIED","message":"requested access to the resource is denied"}]}"#;
    let error = failed(&answering("403 Forbidden", denied)).await;
    assert_eq!(error.code(), ErrorCode::PermissionDenied, "{error}");

    // Nothing listens where something has just been.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let error = failed(&address).await;
    assert_eq!((error.code(), error.is_retryable()), (ErrorCode::ImagePullFailed, true), "{error}");
    assert!(error.message().contains(&address), "{error}");

    let error = images.pull("No Such Name").await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
}

/// An image of one layer that says where it is from.
fn layer_with_history(engine: &Engine) -> String {
    let (place, name) = (tempfile::tempdir().unwrap(), format!("isobox-test/flat:{}", std::process::id()));
    let files = place.path().join("files.tar").display().to_string();
    let container = engine.docker(&["create", "--network=none", TINY, "true"]);
    engine.docker(&["export", "--output", &files, &container]);
    engine.docker(&["rm", &container]);
    engine.docker(&["import", &files, &name]);
    name
}

#[tokio::test(flavor = "multi_thread")]
async fn images_are_listed_and_removed_but_never_those_in_use_or_of_others() {
    let (Some(engine), Some(registry)) = (Engine::open().await, Registry::start(None)) else { return };
    let images = engine.isobox.images();
    let name = format!("{}/ours:1", registry.address);
    push(&engine, &name, 4);
    let pulled = images.pull(name.as_str()).await.unwrap();
    let listed = images.list().await.unwrap();
    let row = listed.iter().find(|image| image.reference == name).unwrap();
    assert_eq!((&row.id, &row.digest, row.fetched_at.is_some()), (&pulled.id, &pulled.digest, true));
    let theirs = format!("docker.io/{TINY}");
    let row = listed.iter().find(|image| image.reference == theirs).unwrap();
    assert!(row.fetched_at.is_none(), "it is told as fetched by isobox: {row:?}");

    let details = images.inspect(&name).await.unwrap();
    assert_eq!((details.layers.len(), Some(details.size)), (2, pulled.size));
    assert!(details.references.contains(&name) && details.digests.contains(pulled.digest.as_ref().unwrap()));
    let made = layer_with_history(&engine);
    let flat = images.inspect(&made).await.unwrap();
    assert_eq!(flat.layers.iter().map(|layer| layer.size).collect::<Vec<_>>(), [flat.size]);
    engine.docker(&["rmi", &made]);
    let usage = images.usage().await.unwrap();
    assert!(usage.images >= 2 && usage.layers >= 2 && usage.size >= details.size, "{usage:?}");

    let container = engine.docker(&["create", "--network=none", &name, "true"]);
    let used = images.remove(&name).await.unwrap_err();
    assert_eq!((used.code(), used.is_retryable()), (ErrorCode::Conflict, false), "{used}");
    assert_eq!(images.prune(0).await.unwrap().images, Vec::<String>::new());
    engine.docker(&["rm", &container]);
    let pruned = images.prune(0).await.unwrap();
    assert_eq!((pruned.images, pruned.left), (vec![pulled.id.unwrap()], 0));
    assert!(!engine.has("image", &name) && engine.has("image", TINY), "what others have brought is kept");
    images.remove(&name).await.unwrap();
    let missing = images.inspect(&name).await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::ImageNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_for_another_machine_is_refused_unless_it_is_asked_for() {
    let (Some(engine), Some(registry)) = (Engine::open().await, Registry::start(None)) else { return };
    let name = format!("{}/elsewhere:1", registry.address);
    let mut image = image::Image::busybox();
    image.platform = isobox_images::Platform::new("linux", "s390x", None);
    let archive = image.archive(&name);
    engine.docker(&["load", "--quiet", "--input", &archive.display().to_string()]);
    let images = engine.isobox.images();
    let refused = images.pull(name.as_str()).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
    assert!(refused.message().contains("source.platform is an image for linux/s390x"), "{refused}");
    let asked = ImageSource { platform: Some("linux/s390x".into()), ..source(&name, PullPolicy::Never) };
    assert_eq!(images.pull(asked).await.unwrap().platform.as_deref(), Some("linux/s390x"));
    let other = ImageSource { platform: Some("linux/arm64".into()), ..source(&name, PullPolicy::Never) };
    assert_eq!(images.pull(other).await.unwrap_err().code(), ErrorCode::ImageNotFound);
    images.remove(&name).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn archives_are_loaded_and_what_is_none_is_refused() {
    let Some(engine) = Engine::open().await else { return };
    let images = engine.isobox.images();
    let name = format!("docker.io/isobox-test/loaded:{}", std::process::id());
    let mut image = image::Image::busybox();
    image.layer(&[], |root| std::fs::write(root.join("noise"), noise(5, 5 << 20)).unwrap());
    let kept = Arc::new(Kept::default());
    let loaded = images.load_with(image.archive(&name), kept.clone()).await.unwrap();
    assert_eq!(loaded.iter().map(|image| image.reference.as_str()).collect::<Vec<_>>(), [name.as_str()]);
    assert_eq!(loaded[0].id.as_deref(), Some(image.id().as_str()));
    let told = kept.of("image.unpack");
    assert!(told.last().is_some_and(|last| last.completed == last.total && last.total.unwrap() > 5 << 20), "{told:?}");
    images.remove(&name).await.unwrap();

    let place = tempfile::tempdir().unwrap();
    let junk = place.path().join("junk.tar");
    std::fs::write(&junk, noise(6, 4096)).unwrap();
    for path in [junk.as_path(), place.path()] {
        let refused = images.load(path).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
        assert!(refused.message().starts_with("source.path"), "{refused}");
    }
    let missing = images.load(Path::new("/no/such/archive.tar")).await.unwrap_err();
    assert!(missing.message().contains("/no/such/archive.tar"), "{missing}");
}
