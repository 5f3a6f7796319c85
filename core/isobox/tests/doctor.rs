//! What the doctor says of this machine holds, and a machine that is made worse is diagnosed.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::{Diagnosis, Isobox, ProviderKind, Severity};
use std::os::unix::fs::PermissionsExt;

#[tokio::test]
async fn what_it_says_of_a_provider_is_what_happens() {
    let lab = Lab::open().await;
    let diagnosis = lab.isobox.doctor().await;
    for provider in diagnosis.providers.iter().filter(|provider| provider.built_in) {
        let name = provider.kind.as_str();
        let builder = lab.isobox.sandbox().provider(name);
        let builder = if name == "docker" { builder.image("scratch") } else { builder };
        let made = builder.create().await;
        assert_eq!(made.is_ok(), provider.works, "{name}: {provider:?}");
        assert_eq!(provider.failure.is_some(), !provider.works, "{name}");
        let blocked = provider.findings.iter().chain(&diagnosis.findings).any(|f| f.severity == Severity::Blocks);
        assert!(!(blocked && provider.works), "{name}: {provider:?}");
        if let Ok(sandbox) = made {
            sandbox.delete().await.unwrap();
        }
    }
    let chosen = lab.isobox.provider("auto").await.unwrap().kind().clone();
    assert!(diagnosis.automatic.is_none() || diagnosis.automatic == Some(chosen));
    assert!(diagnosis.works("host") && !diagnosis.works("nonsense"));
    assert!(diagnosis.provider("docker").unwrap().built_in);
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn every_limit_that_is_missing_has_a_reason_and_a_fix() {
    let lab = Lab::open().await;
    let diagnosis = lab.isobox.doctor().await;
    let namespace = diagnosis.provider("namespace").unwrap();
    let reasons: Vec<_> = namespace.findings.iter().filter(|finding| finding.id == "no_limit").collect();
    let limits = [("processors", "cpu"), ("memory", "memory"), ("processes", "pids"), ("the disk", "disk")];
    for (word, name) in limits {
        let reason = reasons.iter().find(|reason| reason.what.contains(&format!("limit of {word}")));
        assert_eq!(reason.is_none(), namespace.limits.iter().any(|limit| limit == name), "{word}: {reasons:?}");
        assert!(reason.is_none_or(|reason| reason.fix.is_some() && reason.severity == Severity::Limits), "{reason:?}");
    }
    assert!(diagnosis.provider("host").unwrap().findings.iter().all(|finding| finding.id != "no_limit"));
}

#[tokio::test]
async fn a_diagnosis_is_plain_data() {
    let lab = Lab::open().await;
    let diagnosis = lab.isobox.doctor().await;
    let text = serde_json::to_string(&diagnosis).unwrap();
    let back: Diagnosis = serde_json::from_str(&text).unwrap();
    assert_eq!(back.facts, diagnosis.facts);
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    assert_eq!(back.provider("host").unwrap().kind, ProviderKind::HOST);
}

#[tokio::test]
async fn a_home_that_cannot_be_made_is_the_diagnosis() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("file"), "").unwrap();
    let diagnosis = Isobox::builder().home(place.path().join("file/home")).doctor().await;
    assert!(diagnosis.automatic.is_none());
    let worst = &diagnosis.findings[0];
    assert_eq!((&*worst.id, worst.severity), ("home", Severity::Blocks), "{worst:?}");
    assert!(worst.what.contains("file/home") && worst.fix.as_ref().unwrap().contains("ISOBOX_HOME"), "{worst:?}");
}

#[tokio::test]
async fn a_home_of_somebody_else_is_named() {
    if rustix::process::geteuid().is_root() {
        return println!("skipped: root may use every directory");
    }
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let diagnosis = Isobox::builder().home(place.path().join("home")).doctor().await;
    assert_eq!(&*diagnosis.findings[0].id, "home", "{:?}", diagnosis.findings);
}
