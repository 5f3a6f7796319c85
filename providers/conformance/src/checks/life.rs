//! The life of a sandbox: stop and start, pause, archive, and its end when somebody asks for it.

use crate::check::{Check, Checked, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::{alive, read_until, until_alive, until_gone_here};
use isobox::contract::Context;
use isobox::{Capability::*, Ended, ErrorCode, Sandbox, State};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(delete_is_idempotent, "A sandbox can be removed again, also by others and at the same time.").programs(&[]),
    check!(stop_keeps_files, "A stop ends every process and keeps the files, and a start makes commands run again.")
        .shows(&[LifecycleStop]),
    check!(stop_and_start_are_idempotent, "A stop of what is stopped and a start of what runs are fine.")
        .needs(&[LifecycleStop])
        .programs(&[]),
    check!(
        stop_by_others_is_known,
        "What another handle has stopped is started again at once, and not taken for running."
    )
    .needs(&[LifecycleStop])
    .programs(&[]),
    check!(stop_of_an_ephemeral_one_removes_it, "An ephemeral sandbox goes when it is stopped.")
        .shows(&[CreateEphemeral])
        .needs(&[LifecycleStop])
        .programs(&[]),
    check!(
        pause_freezes_everything,
        "Nothing of a paused sandbox runs or is run, and resumed it goes on where it was."
    )
    .shows(&[LifecyclePause])
    .needs(&[ExecSpawn]),
    check!(archive_keeps_files, "An archived sandbox can be started again with its files.")
        .shows(&[LifecycleArchive])
        .needs(&[LifecycleStop])
        .programs(&[]),
    check!(undelete_keeps_files, "A sandbox that was removed comes back with its files.")
        .shows(&[LifecycleUndelete])
        .programs(&[]),
    check!(labels_can_be_replaced, "Labels can be replaced at run time.").shows(&[LifecycleLabels]).programs(&[]),
    check!(ended_is_told_at_once, "Whoever waits for the end is told when a sandbox is removed.")
        .needs(&[ObserveEnded])
        .programs(&[]),
];

async fn delete_is_idempotent(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let other = lab.isobox().connect(sandbox.id().as_str()).await?;
    let (first, second, third) = futures::future::join3(sandbox.delete(), sandbox.delete(), other.delete()).await;
    first?;
    second?;
    third?;
    Ok(sandbox.delete().await?)
}

async fn stop_keeps_files(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    sandbox.files().write("note", "kept").await?;
    sandbox.shell(format!("sleep {mark} >/dev/null 2>&1 & exit 0")).await?;
    until_alive(&sandbox, &mark).await?;
    sandbox.stop(None).await?;
    until_gone_here(&mark).await?;
    same("its state", lab.isobox().inspect(sandbox.id().as_str()).await?.state, State::Stopped)?;
    refused("a command while it is stopped", sandbox.exec(["true"]).await, ErrorCode::InvalidState)?;
    sandbox.start().await?;
    same("its state", sandbox.describe().await?.state, State::Running)?;
    same("a file", &sandbox.files().read("note").await?[..], &b"kept"[..])?;
    same("what runs of before", alive(&sandbox, &mark).await?.len(), 0)?;
    same(
        "a command",
        sandbox.shell("cat note 2>/dev/null || read -r x < note && echo ${x-kept}").await?.success(),
        true,
    )
}

async fn stop_and_start_are_idempotent(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.start().await?;
    sandbox.stop(Some(Duration::from_secs(1))).await?;
    sandbox.stop(None).await?;
    sandbox.start().await?;
    sandbox.start().await?;
    same("its state", sandbox.describe().await?.state, State::Running)?;
    sandbox.stop(None).await?;
    Ok(sandbox.delete().await?)
}

async fn stop_by_others_is_known(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for round in 0..8 {
        let other = lab.isobox().connect(sandbox.id().as_str()).await?;
        other.stop(None).await?;
        sandbox.start().await?;
        sandbox.files().write("note", format!("{round}")).await?;
    }
    same("a file", &sandbox.files().read("note").await?[..], &b"7"[..])
}

async fn stop_of_an_ephemeral_one_removes_it(lab: &Lab) -> Checked {
    let mut spec = isobox::SandboxSpec { network: isobox::NetworkPolicy::ProviderDefault, ..Default::default() };
    spec.ephemeral = true;
    let sandbox = lab.make(lab.isobox().sandbox().provider(lab.kind()).spec(spec)).await?;
    sandbox.stop(None).await?;
    until_removed(lab, &sandbox).await
}

pub(super) async fn until_removed(lab: &Lab, sandbox: &Sandbox) -> Checked {
    eventually("its removal", async || {
        let listed = lab.provider().list(&isobox::contract::Filter::default()).await?;
        Ok(listed.iter().all(|status| status.id.as_ref() != Some(sandbox.id())))
    })
    .await
}

async fn pause_freezes_everything(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let script = "echo began; i=0; while :; do i=$((i+1)); echo $i > /tmp/count; done";
    let process = sandbox.shell(script.replace("/tmp/", "")).spawn().await?;
    read_until(&process, "began\n").await?;
    sandbox.pause().await?;
    same("its state", lab.isobox().inspect(sandbox.id().as_str()).await?.state, State::Paused)?;
    refused("a command while it is paused", sandbox.exec(["true"]).await, ErrorCode::InvalidState)?;
    // Processor time that does not grow says that nothing runs; where that cannot be told, its output has to do.
    let used = async || {
        Ok::<_, crate::Stop>(match sandbox.capabilities().has(ObserveMetrics) {
            true => sandbox.metrics().await?.cpu_time,
            false => None,
        })
    };
    let before = used().await?;
    tokio::time::sleep(Duration::from_millis(700)).await;
    let grown = used().await?.unwrap_or_default().saturating_sub(before.unwrap_or_default());
    ensure!(grown < Duration::from_millis(200), "it used {grown:?} of processor time while it was paused");
    sandbox.resume().await?;
    same("its state", sandbox.describe().await?.state, State::Running)?;
    let count = async || Ok::<_, crate::Stop>(sandbox.files().read("count").await?);
    let then = count().await?;
    eventually("the command going on", async || Ok(count().await? != then)).await?;
    process.kill().await?;
    sandbox.pause().await?;
    Ok(sandbox.delete().await?)
}

async fn archive_keeps_files(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().write("note", "kept").await?;
    sandbox.stop(None).await?;
    let raw = lab.raw(&sandbox).await?;
    raw.archive(&Context::quiet()).await?;
    same("its state", raw.describe().await?.state, State::Archived)?;
    raw.start(&Context::quiet()).await?;
    same("a file", &sandbox.files().read("note").await?[..], &b"kept"[..])
}

async fn undelete_keeps_files(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().write("note", "kept").await?;
    let record = lab.raw(&sandbox).await?.record();
    lab.provider().delete(&record, &Context::quiet()).await?;
    let back = lab.provider().undelete(&record, &Context::quiet()).await?;
    back.start(&Context::quiet()).await?;
    let read = back.files().read(&"note".into(), isobox::Range::ALL, 100).await;
    back.delete(&Context::quiet()).await?;
    same("a file", &read?[..], &b"kept"[..])
}

async fn labels_can_be_replaced(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().label("before", "1")).await?;
    let raw = lab.raw(&sandbox).await?;
    raw.set_labels(&[("after".to_owned(), "2".to_owned())].into()).await?;
    let labels = raw.describe().await?.labels;
    same("its labels", labels, [("after".to_owned(), "2".to_owned())].into())
}

async fn ended_is_told_at_once(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let other = lab.isobox().connect(sandbox.id().as_str()).await?;
    let (ended, of_another, deleted) = futures::future::join3(sandbox.ended(), other.ended(), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        sandbox.delete().await
    })
    .await;
    deleted?;
    ensure!(matches!(ended?, Ended::Deleted), "its end does not read as a removal");
    ensure!(matches!(of_another?, Ended::Deleted), "its end does not read as a removal to others");
    Ok(())
}
