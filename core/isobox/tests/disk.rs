//! A limit of disk stops the sandbox that reaches it, and nobody else.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::{Capability, Detail, DiskBacking, ErrorCode, Expiry, NamespaceOptions, ProviderOptions, SandboxBuilder};

const MIB: u64 = 1 << 20;

/// A sandbox on so much disk, in memory; nothing where that is not possible, which is said.
async fn on_disk_of(lab: &Lab, bytes: u64) -> Option<SandboxBuilder> {
    let provider = lab.isobox.provider("namespace").await.unwrap();
    if !provider.capabilities().has(Capability::ResourcesDisk) {
        println!("skipped: this kernel cannot keep a layer in memory");
        return None;
    }
    let options = NamespaceOptions { disk_backing: Some(DiskBacking::Tmpfs), ..NamespaceOptions::default() };
    Some(lab.isobox.sandbox().provider("namespace").disk(bytes).options(ProviderOptions::Namespace(options)))
}

#[tokio::test]
async fn a_full_disk_is_the_sandboxs_own() {
    let lab = Lab::open().await;
    let Some(builder) = on_disk_of(&lab, 8 * MIB).await else { return };
    let sandbox = builder.create().await.unwrap();
    let neighbour = on_disk_of(&lab, 8 * MIB).await.unwrap().create().await.unwrap();
    let filled = sandbox.shell("head -c 32000000 /dev/zero > /root/large; stat -c %s /root/large").await.unwrap();
    assert!(filled.stderr.text().contains("No space left"), "{filled:?}");
    let written: u64 = filled.stdout.text().trim().parse().unwrap();
    assert!((7 * MIB..=8 * MIB).contains(&written), "{written}");
    let error = sandbox.files().write("/root/more", vec![0; 1 << 20]).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    let metrics = sandbox.metrics().await.unwrap();
    assert_eq!(metrics.disk_limit, Some(8 * MIB));
    assert!(metrics.disk.unwrap() >= written, "{metrics:?}");
    // The neighbour has all of its own, and what is removed can be written again.
    neighbour.files().write("/root/mine", vec![0; 6 << 20]).await.unwrap();
    assert!(sandbox.exec(["rm", "/root/large"]).await.unwrap().success());
    sandbox.files().write("/root/more", vec![0; 1 << 20]).await.unwrap();
    sandbox.delete().await.unwrap();
    neighbour.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn what_is_on_it_is_as_on_any_disk() {
    let lab = Lab::open().await;
    let Some(builder) = on_disk_of(&lab, 64 * MIB).await else { return };
    let sandbox = builder.create().await.unwrap();
    let script = "set -e; mkdir -p /root/a/b; echo x > /root/a/b/c; rm -r /root/a; mkdir /root/a; ls /root/a; \
                  rm -r /mnt; mkdir /mnt; ln -s /root /mnt/l; mv /root/a /root/d; test -d /mnt/l/d; echo fine";
    let result = sandbox.shell(script).await.unwrap();
    assert_eq!((result.exit_code, result.stdout.text().as_ref()), (0, "fine\n"), "{}", result.stderr.text());
    let error = sandbox.stop(None).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unsupported, "a stop would lose it: {error}");
    assert!(sandbox.exec(["test", "-d", "/root/d"]).await.unwrap().success());
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn what_would_lose_or_not_limit_is_refused_by_field() {
    let lab = Lab::open().await;
    let Some(builder) = on_disk_of(&lab, 64 * MIB).await else { return };
    let field = |error: isobox::Error| match error.detail() {
        Detail::InvalidSpec { field, .. } => field.clone(),
        other => panic!("{error}: {other:?}"),
    };
    let expiring = builder.ttl(std::time::Duration::from_secs(60)).on_expiry(Expiry::Stop);
    assert_eq!(field(expiring.create().await.unwrap_err()), "on_expiry");
    let plain = lab.isobox.sandbox().provider("namespace").disk(64 * MIB).create().await.unwrap_err();
    assert!(plain.message().contains("disk_backing"), "{plain}");
    assert_eq!(field(plain), "resources.disk");
    let options = NamespaceOptions { disk_backing: Some(DiskBacking::Tmpfs), ..NamespaceOptions::default() };
    let sizeless = lab.isobox.sandbox().provider("namespace").options(ProviderOptions::Namespace(options));
    assert_eq!(field(sizeless.create().await.unwrap_err()), "options.namespace.disk_backing");
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}
