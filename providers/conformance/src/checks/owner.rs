//! What becomes of a sandbox when its maker drops it, is killed, or lets it go.

use crate::check::{Check, Checked, Stop, same};
use crate::elsewhere::Role;
use crate::lab::{Lab, eventually};
use crate::processes::{alive, until_alive, until_gone_here};
use isobox::contract::Filter;
use isobox::{Capability::*, SandboxFilter, SandboxId};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(
        owner_killed_leaves_nothing,
        "When the process that owns a sandbox is killed, the sandbox goes, with everything that runs in it."
    )
    .shows(&[LifecycleOwner])
    .needs(&[ExecDetached, ExecSpawn]),
    check!(owner_killed_at_once_leaves_nothing, "The same when it is killed as soon as it has the sandbox.")
        .needs(&[LifecycleOwner])
        .programs(&[]),
    check!(
        detached_outlives_its_maker,
        "A detached sandbox lives on when its maker is killed, and another process uses and removes it."
    )
    .shows(&[LifecycleDetach]),
    check!(dropped_sandbox_goes, "A sandbox goes with its last handle.").needs(&[LifecycleOwner]),
    check!(
        dropped_handles_of_others_leave_it,
        "A handle of somebody else's sandbox leaves it alone when it is dropped."
    )
    .programs(&[]),
    check!(detached_later_outlives_its_handle, "A sandbox that is detached outlives its handles.").needs(&[
        LifecycleOwner,
        LifecycleDetach,
        LifecycleSetLifetimes,
    ]),
    check!(adopted_goes_with_its_handle, "A detached sandbox that is adopted goes with the handle that adopted it.")
        .needs(&[LifecycleOwner, LifecycleDetach]),
    check!(cancelled_create_leaves_nothing, "A create that is given up leaves nothing, wherever it was.").programs(&[]),
];

/// Parses what another process said.
fn id(said: &str) -> Checked<SandboxId> {
    said.parse().map_err(|_| Stop::Failed(format!("another process said {said:?} and not an id")))
}

/// Waits until neither the provider nor the library knows the sandbox as live.
async fn until_forgotten(lab: &Lab, id: SandboxId) -> Checked {
    eventually("the end of the sandbox", async || {
        lab.isobox().collect_garbage().await?;
        let listed = lab.provider().list(&Filter::default()).await?;
        let recorded = lab.isobox().list(SandboxFilter::default()).await?;
        Ok(listed.iter().all(|status| status.id != Some(id)) && recorded.iter().all(|entry| entry.id != id))
    })
    .await
}

async fn owner_killed_leaves_nothing(lab: &Lab) -> Checked {
    let mut owner = lab.elsewhere(Role::Busy).await?;
    let mark = owner.hear().await?;
    let id = id(&owner.hear().await?)?;
    lab.note(id);
    let connected = lab.isobox().connect(id.as_str()).await?;
    until_alive(&connected, &mark).await?;
    owner.kill()?;
    until_gone_here(&mark).await?;
    until_forgotten(lab, id).await
}

async fn owner_killed_at_once_leaves_nothing(lab: &Lab) -> Checked {
    let mut owner = lab.elsewhere(Role::Own).await?;
    let id = id(&owner.hear().await?)?;
    lab.note(id);
    owner.kill()?;
    until_forgotten(lab, id).await
}

async fn detached_outlives_its_maker(lab: &Lab) -> Checked {
    let mut maker = lab.elsewhere(Role::Detach).await?;
    let id = id(&maker.hear().await?)?;
    lab.note(id);
    maker.kill()?;
    let sandbox = lab.isobox().connect(id.as_str()).await?;
    lab.keep(&sandbox);
    same("what it still runs", sandbox.shell("echo here").await?.stdout.text(), "here\n")?;
    sandbox.delete().await?;
    until_forgotten(lab, id).await
}

async fn dropped_sandbox_goes(lab: &Lab) -> Checked {
    let sandbox = lab.make_loose(lab.builder()).await?;
    let (id, mark) = (*sandbox.id(), lab.mark());
    sandbox.shell(format!("sleep {mark} >/dev/null 2>&1 & exit 0")).await?;
    let connected = lab.isobox().connect(id.as_str()).await?;
    until_alive(&connected, &mark).await?;
    drop(sandbox);
    until_gone_here(&mark).await?;
    until_forgotten(lab, id).await
}

async fn dropped_handles_of_others_leave_it(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for _ in 0..3 {
        drop(lab.isobox().connect(sandbox.id().as_str()).await?);
        drop(lab.raw(&sandbox).await?);
    }
    sandbox.files().write("note", "still here").await?;
    same("a file of it", &sandbox.files().read("note").await?[..], &b"still here"[..])
}

async fn detached_later_outlives_its_handle(lab: &Lab) -> Checked {
    let sandbox = lab.make_loose(lab.builder()).await?;
    let (id, mark) = (*sandbox.id(), lab.mark());
    sandbox.shell(format!("sleep {mark} >/dev/null 2>&1 & exit 0")).await?;
    sandbox.detach().await?;
    drop(sandbox);
    let connected = lab.isobox().connect(id.as_str()).await?;
    lab.keep(&connected);
    // What ends a sandbox does so within its lease; a second look after a while would be needed to see a later end.
    connected.shell("sleep 1").await?;
    same("what runs in it", alive(&connected, &mark).await?.len(), 1)
}

async fn adopted_goes_with_its_handle(lab: &Lab) -> Checked {
    let hour = Duration::from_secs(3600);
    let made = lab.make_loose(lab.builder().detached().ttl(hour)).await?;
    let id = *made.id();
    drop(made);
    let sandbox = lab.isobox().connect(id.as_str()).await?;
    sandbox.adopt().await?;
    drop(sandbox);
    until_forgotten(lab, id).await
}

async fn cancelled_create_leaves_nothing(lab: &Lab) -> Checked {
    let name = lab.unique();
    for micros in [0, 200, 500, 1000, 2000, 4000, 8000, 16000, 50000] {
        let create = lab.builder().label("conformance.cancelled", &name).create();
        let made = tokio::time::timeout(Duration::from_micros(micros), create).await;
        if let Ok(made) = made {
            lab.note(*made?.id());
        }
    }
    let filter = || SandboxFilter {
        labels: [("conformance.cancelled".to_owned(), name.clone())].into(),
        ..SandboxFilter::default()
    };
    eventually("the end of every sandbox whose create was given up", async || {
        lab.isobox().collect_garbage().await?;
        let recorded = lab.isobox().list(filter()).await?;
        let listed = lab.provider().list(&Filter::default()).await?;
        let kept = listed.iter().any(|status| status.labels.get("conformance.cancelled") == Some(&name));
        Ok(recorded.is_empty() && !kept)
    })
    .await
}
