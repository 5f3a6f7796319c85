//! What a provider says of itself.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use isobox::contract::{Context, Filter, Labels, SandboxRecord};
use isobox::{Capability, ErrorCode, FileKind, SandboxId, State};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        provider_says_what_it_is,
        "The kind is the one that it was asked for by, and its claims do not contradict each other."
    )
    .programs(&[]),
    check!(provider_facets_agree_with_claims, "A part of the interface is there exactly when it is claimed.")
        .programs(&[]),
    check!(provider_health_answers, "A provider that makes sandboxes does not say that it is ill.").programs(&[]),
    check!(provider_lists_its_sandboxes, "A sandbox is listed with its state while it is there, and not after that.")
        .programs(&[]),
    check!(
        list_gives_labels_and_state,
        "The list has the name, the labels and the state of each sandbox, and can be filtered by them."
    )
    .shows(&[Capability::CreateName, Capability::CreateLabels])
    .programs(&[]),
    check!(provider_deletes_by_record, "A sandbox is removed by its record alone, again, and when there is none.")
        .programs(&[]),
    check!(provider_attach_of_unknown_is_not_found, "A record of a sandbox that is not there is not_found.")
        .programs(&[]),
    check!(
        provider_attaches_to_the_same_sandbox,
        "Whoever has the record gets the same sandbox, with the same directory and files."
    )
    .programs(&[]),
    check!(sandbox_claims_no_more_than_its_provider, "A sandbox claims nothing that its provider does not.")
        .programs(&[]),
    check!(sandbox_platform_is_told, "The operating system and the architecture are told in the usual words.")
        .programs(&[]),
    check!(
        sandbox_runtime_directory_is_private,
        "A runtime directory is outside of the working directory and has mode 0700."
    )
    .programs(&[]),
];

async fn provider_says_what_it_is(lab: &Lab) -> Checked {
    let provider = lab.provider();
    same("the kind", provider.kind().as_str(), lab.kind())?;
    let claims = provider.capabilities();
    use Capability::*;
    for (special, general) in [
        (SnapshotsImageContainer, SnapshotsSupported),
        (SnapshotsImageVirtualMachine, SnapshotsSupported),
        (SnapshotsDockerfileContainer, SnapshotsSupported),
        (SnapshotsDockerfileVirtualMachine, SnapshotsSupported),
        (SnapshotsFilesystem, SnapshotsSupported),
        (SnapshotsLiveProcessState, SnapshotsSupported),
        (SnapshotsFilesystem, LifecycleSnapshot),
        (SnapshotsExport, SnapshotsSupported),
        (SnapshotsImport, SnapshotsSupported),
        (SourceSnapshot, SnapshotsSupported),
        (VolumesMount, VolumesSupported),
        (VolumesSubpath, VolumesMount),
        (VolumesSize, VolumesSupported),
        (LifecycleExpiryStop, LifecycleStop),
        (ExecPtyResize, ExecPty),
        (SearchNative, SearchSupported),
        (GitNative, GitSupported),
        (ServicesNative, ServicesSupported),
        (SessionsNative, SessionsSupported),
        (AccessForward, AccessPorts),
        (AccessListeningPorts, AccessPorts),
        (AccessSshTtl, AccessSsh),
        (AccessSshRevoke, AccessSsh),
        (ImagesManage, ImagesPull),
        (ResourcesCpuFraction, ResourcesCpu),
        (OneShotBuild, OneShotRun),
        (SourcePlatform, SourceImage),
    ] {
        ensure!(!claims.has(special) || claims.has(general), "{special} is claimed without {general}");
    }
    Ok(())
}

async fn provider_facets_agree_with_claims(lab: &Lab) -> Checked {
    let (provider, sandbox) = (lab.provider(), lab.sandbox().await?);
    let raw = lab.raw(&sandbox).await?;
    use Capability::*;
    let access =
        [AccessPreviewUrls, AccessSignedPreviewUrls, AccessSsh, AccessShellCommand, AccessWebTerminal, AccessVnc];
    let facets: [(&str, bool, bool, &[Capability]); 11] = [
        ("snapshots", true, provider.snapshots().is_some(), &[SnapshotsSupported]),
        ("volumes", true, provider.volumes().is_some(), &[VolumesSupported]),
        ("images", true, provider.images().is_some(), &[ImagesPull]),
        ("ports", false, raw.ports().is_some(), &[AccessPorts]),
        ("access", false, raw.access().is_some(), &access),
        ("logs", false, raw.logs().is_some(), &[LogsProvision, LogsEntrypoint]),
        ("one-shots", false, raw.one_shots().is_some(), &[OneShotRun]),
        ("search", false, raw.search().is_some(), &[SearchNative]),
        ("git", false, raw.git().is_some(), &[GitNative]),
        ("services", false, raw.services().is_some(), &[ServicesNative]),
        ("sessions", false, raw.sessions().is_some(), &[SessionsNative]),
    ];
    for (name, of_the_provider, there, capabilities) in facets {
        let claims = if of_the_provider { provider.capabilities() } else { raw.capabilities() };
        let claimed = capabilities.iter().any(|capability| claims.has(*capability));
        ensure!(there == claimed, "{name}: there is {there}, claimed is {claimed}");
    }
    Ok(())
}

async fn provider_health_answers(lab: &Lab) -> Checked {
    lab.sandbox().await?;
    let health = lab.provider().health().await;
    let well = matches!(health.status, isobox::HealthStatus::Ok | isobox::HealthStatus::Unknown);
    ensure!(well, "it makes sandboxes and says {}: {:?}", health.status, health.message);
    Ok(())
}

async fn provider_lists_its_sandboxes(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let listed = lab.provider().list(&Filter::default()).await?;
    let status = listed.iter().find(|status| status.id.as_ref() == Some(sandbox.id()));
    // A provider that only reads its records may not know more than that it is there.
    let told = status.is_some_and(|status| matches!(status.state, State::Running | State::Unknown));
    ensure!(told, "its status in the list is {status:?}");
    let stopped = Filter { states: vec![State::Stopped], ..Filter::default() };
    let listed = lab.provider().list(&stopped).await?;
    let among = listed.iter().any(|status| status.id.as_ref() == Some(sandbox.id()) && stopped.matches(status));
    ensure!(!among, "it runs and is listed among those that are stopped");
    sandbox.delete().await?;
    let listed = lab.provider().list(&Filter::default()).await?;
    let among = listed.iter().any(|status| status.id.as_ref() == Some(sandbox.id()));
    ensure!(!among, "it is listed after it was removed");
    Ok(())
}

async fn list_gives_labels_and_state(lab: &Lab) -> Checked {
    let (name, label) = (lab.unique(), lab.unique());
    let labels = Labels::from([("suite".to_owned(), label.clone()), ("empty".to_owned(), String::new())]);
    let builder = labels.iter().fold(lab.builder().name(&name), |builder, (name, value)| builder.label(name, value));
    let sandbox = lab.make(builder).await?;
    let with = |value: &str| Filter { labels: [("suite".into(), value.into())].into(), ..Filter::default() };
    let listed = async |filter: Filter| -> Checked<Vec<_>> {
        let listed = lab.provider().list(&filter).await?;
        let about = |status: isobox::contract::Status| (status.id, status.name, status.labels, status.state);
        Ok(listed.into_iter().filter(|status| filter.matches(status)).map(about).collect())
    };
    let about = |state| vec![(Some(*sandbox.id()), Some(name.clone()), labels.clone(), state)];
    same("those with the label", listed(with(&label)).await?, about(State::Running))?;
    same("those with another value of it", listed(with("other")).await?, Vec::new())?;
    same(
        "those with the name",
        listed(Filter { name: Some(name.clone()), ..Filter::default() }).await?,
        about(State::Running),
    )?;
    if lab.claims(Capability::LifecyclePause) {
        sandbox.pause().await?;
        same("those with the label when it is paused", listed(with(&label)).await?, about(State::Paused))?;
        sandbox.resume().await?;
    }
    if lab.claims(Capability::LifecycleStop) {
        sandbox.stop(None).await?;
        let stopped = Filter { states: vec![State::Stopped], ..with(&label) };
        same("those that are stopped", listed(stopped).await?, about(State::Stopped))?;
        let running = Filter { states: vec![State::Running], ..with(&label) };
        same("those that run", listed(running).await?, Vec::new())?;
        sandbox.start().await?;
    }
    same("those with the label when it runs again", listed(with(&label)).await?, about(State::Running))?;
    sandbox.delete().await?;
    same("those with the label when it is gone", listed(with(&label)).await?, Vec::new())
}

async fn provider_deletes_by_record(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let record = lab.raw(&sandbox).await?.record();
    for time in ["the first", "the second"] {
        let deleted = lab.provider().delete(&record, &Context::quiet()).await;
        ensure!(deleted.is_ok(), "{time} delete failed: {deleted:?}");
    }
    // What a maker has of a sandbox before the provider has answered.
    let id = SandboxId::generate();
    let unknown = SandboxRecord { id, external: id.into(), data: serde_json::Value::Null };
    Ok(lab.provider().delete(&unknown, &Context::quiet()).await?)
}

async fn provider_attach_of_unknown_is_not_found(lab: &Lab) -> Checked {
    let connected = lab.isobox().connect(SandboxId::generate().as_str()).await;
    refused("connecting to a sandbox that is not there", connected, ErrorCode::NotFound)?;
    let sandbox = lab.sandbox().await?;
    let record = lab.raw(&sandbox).await?.record();
    sandbox.delete().await?;
    let attached = lab.provider().attach(&record, &Context::quiet()).await.map(drop);
    refused("attaching to a sandbox that was removed", attached, ErrorCode::NotFound)?;
    Ok(())
}

async fn provider_attaches_to_the_same_sandbox(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().write("note", "here").await?;
    let raw = lab.raw(&sandbox).await?;
    same("the id", raw.id(), sandbox.id())?;
    same("the backend's id", raw.external_id(), sandbox.external_id())?;
    same("the working directory", raw.workdir(), sandbox.workdir())?;
    let connected = lab.isobox().connect(sandbox.id().as_str()).await?;
    same("a file", &connected.files().read("note").await?[..], &b"here"[..])
}

async fn sandbox_claims_no_more_than_its_provider(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let provider = lab.provider().capabilities();
    let more: Vec<_> = sandbox.capabilities().iter().filter(|capability| !provider.has(*capability)).collect();
    ensure!(more.is_empty(), "it claims {more:?} and its provider does not");
    ensure!(sandbox.capabilities().isolation <= provider.isolation, "it claims more isolation than its provider");
    Ok(())
}

async fn sandbox_platform_is_told(lab: &Lab) -> Checked {
    let platform = lab.sandbox().await?.platform().await?;
    let lower = platform.os.chars().all(|c| c.is_ascii_lowercase());
    ensure!(lower && !platform.os.is_empty(), "the operating system is {:?}", platform.os);
    let plain = !platform.arch.is_empty() && !platform.arch.contains(['.', ' ', '/']);
    ensure!(plain, "the architecture is {:?}", platform.arch);
    Ok(())
}

async fn sandbox_runtime_directory_is_private(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let raw = lab.raw(&sandbox).await?;
    let Some(directory) = raw.runtime_dir() else { return Ok(()) };
    ensure!(directory.is_absolute(), "it is {}, which is not absolute", directory.escaped());
    ensure!(
        !directory.as_bytes().starts_with(sandbox.workdir().as_bytes()) || sandbox.workdir().as_bytes() == b"/",
        "{} is in the working directory",
        directory.escaped()
    );
    let found = sandbox.files().stat(directory).await?;
    same("what it is", found.kind, FileKind::Directory)?;
    same("its mode", found.mode.map(|mode| mode & 0o7777), Some(0o700))?;
    let again = lab.raw(&sandbox).await?;
    same("where it is for who attaches later", again.runtime_dir(), raw.runtime_dir())
}
