//! What only containers have: entrypoints, their logs, and one-shots beside a sandbox.

use crate::check::{Check, Checked, Stop, same};
use crate::lab::Lab;
use isobox::contract::{OneShotImage, OneShotRequest};
use isobox::{Capability::*, Mount, NetworkPolicy, Sandbox, State, Termination};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(entrypoint_runs, "The entrypoint of an image runs beside commands, and its output is kept.")
        .shows(&[CreateEntrypoint, LogsEntrypoint])
        .programs(&[]),
    check!(entrypoint_is_a_process, "The entrypoint of an image is listed like other commands.")
        .shows(&[CreateEntrypoint])
        .needs(&[ExecAttach])
        .programs(&[]),
    check!(making_is_logged, "What happened while a sandbox was made can be read.")
        .shows(&[LogsProvision])
        .programs(&[]),
    check!(
        one_shot_shares_the_sandbox,
        "A one-shot has the workspace of its sandbox, gives its exit code and is gone afterwards."
    )
    .shows(&[OneShotRun])
    .programs(&[]),
    check!(one_shot_times_out, "A one-shot that runs into its timeout is ended, and what it wrote is there.")
        .needs(&[OneShotRun])
        .programs(&[]),
    check!(one_shot_is_built, "A one-shot is built from a Dockerfile in the sandbox.")
        .shows(&[OneShotBuild])
        .needs(&[OneShotRun])
        .programs(&[]),
];

async fn with_entrypoint(lab: &Lab) -> Checked<Sandbox> {
    let image = lab.fixture("entrypoint image", |fixtures| &fixtures.entrypoint_image)?;
    lab.keep_image(&image).await;
    lab.make(lab.bare().image(image).entrypoint()).await
}

async fn entrypoint_runs(lab: &Lab) -> Checked {
    use tokio::io::AsyncReadExt;
    let sandbox = with_entrypoint(lab).await?;
    let raw = lab.raw(&sandbox).await?;
    let logs = raw.logs().ok_or_else(|| Stop::Failed("there are no logs".to_owned()))?;
    let mut stream = logs.open(isobox::contract::LogSource::Entrypoint, true).await?;
    let mut seen = Vec::new();
    while !crate::processes::holds(&seen, "entrypoint") {
        ensure!(stream.read_buf(&mut seen).await? > 0, "the log ended before it said so");
    }
    // Nobody reads it any more, and that is nobody else's business.
    drop(stream);
    same("its state", sandbox.describe().await?.state, State::Running)
}

async fn entrypoint_is_a_process(lab: &Lab) -> Checked {
    let sandbox = with_entrypoint(lab).await?;
    let listed = sandbox.processes().await?;
    let first = listed.first().ok_or_else(|| Stop::Failed("no command is listed".to_owned()))?;
    let process = sandbox.process(&first.id).await?;
    crate::processes::read_until(&process, "entrypoint").await.map(drop)
}

async fn making_is_logged(lab: &Lab) -> Checked {
    use tokio::io::AsyncReadExt;
    let sandbox = lab.sandbox().await?;
    let raw = lab.raw(&sandbox).await?;
    let logs = raw.logs().ok_or_else(|| Stop::Failed("there are no logs".to_owned()))?;
    let mut read = Vec::new();
    logs.open(isobox::contract::LogSource::Provision, false).await?.read_to_end(&mut read).await?;
    Ok(())
}

/// A sandbox whose working directory another container can have too: where it has to be mounted for that, it is.
async fn with_workspace(lab: &Lab, network: Option<NetworkPolicy>) -> Checked<(Sandbox, Option<tempfile::TempDir>)> {
    let builder = || network.iter().fold(lab.builder(), |builder, network| builder.network(network.clone()));
    let claims = lab.provider().capabilities();
    if !claims.has(MountsBind) {
        return Ok((lab.make(builder()).await?, None));
    }
    let shared = tempfile::tempdir()?;
    let mount = Mount::bind(shared.path(), "/workspace");
    let sandbox = lab.make(builder().mount(mount).workdir("/workspace")).await?;
    Ok((sandbox, Some(shared)))
}

async fn one_shot(sandbox: &Sandbox, lab: &Lab, image: OneShotImage) -> Checked {
    let raw = lab.raw(sandbox).await?;
    let one_shots = raw.one_shots().ok_or_else(|| Stop::Failed("there are no one-shots".to_owned()))?;
    sandbox.files().write("from-sandbox", "shared").await?;
    let mut request = OneShotRequest::new(image);
    request.entrypoint = Some(b"sh".to_vec());
    request.args = vec![b"-c".to_vec(), b"cat from-sandbox; echo back > from-one-shot; exit 4".to_vec()];
    request.cwd = Some(sandbox.workdir().clone());
    let result = one_shots.spawn(request).await?.wait().await?;
    same("its exit code", result.exit_code, 4)?;
    same("what it read", result.stdout.text(), "shared")?;
    same("what it wrote", &sandbox.files().read("from-one-shot").await?[..], &b"back\n"[..])
}

async fn one_shot_shares_the_sandbox(lab: &Lab) -> Checked {
    let reference = lab.fixture("one-shot image", |fixtures| &fixtures.one_shot_image)?;
    let (sandbox, _shared) = with_workspace(lab, None).await?;
    one_shot(&sandbox, lab, OneShotImage::Registry { reference }).await
}

async fn one_shot_times_out(lab: &Lab) -> Checked {
    let reference = lab.fixture("one-shot image", |fixtures| &fixtures.one_shot_image)?;
    let (sandbox, _shared) = with_workspace(lab, None).await?;
    // More time is given to one that does not get so far as to write, on a machine that has much to do.
    for seconds in [2, 15, 60] {
        let mut request = OneShotRequest::new(OneShotImage::Registry { reference: reference.clone() });
        request.entrypoint = Some(b"sh".to_vec());
        request.args = vec![b"-c".to_vec(), b"echo began; sleep 1000".to_vec()];
        request.timeout = Some(Duration::from_secs(seconds));
        let result = sandbox.one_shot(request).await?.wait().await?;
        same("how it ended", result.termination, Termination::TimedOut)?;
        if result.stdout.text() == "began\n" {
            return Ok(());
        }
    }
    Err(Stop::Failed("what it wrote is lost".to_owned()))
}

async fn one_shot_is_built(lab: &Lab) -> Checked {
    let reference = lab.fixture("one-shot image", |fixtures| &fixtures.one_shot_image)?;
    // What a Dockerfile names is fetched, which not every sandbox may have done.
    let public = lab.provider().capabilities().has(NetworkPublic).then_some(NetworkPolicy::Public);
    let (sandbox, _shared) = with_workspace(lab, public).await?;
    sandbox.files().write("build/Dockerfile", format!("FROM {reference}\n")).await?;
    let context = sandbox.workdir().join(&"build".into());
    let image = OneShotImage::Build { context, dockerfile: None, tag: lab.unique(), reuse: false };
    one_shot(&sandbox, lab, image).await
}
