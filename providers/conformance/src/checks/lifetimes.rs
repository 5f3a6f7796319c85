//! How its lifetimes end a sandbox.

use super::life::until_removed;
use crate::check::{Check, Checked, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::until_gone_here;
use isobox::{Capability::*, DeathCause, Ended, ErrorCode, Expiry, Lifetime, Lifetimes, Sandbox, State};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(
        ttl_ends_a_sandbox,
        "At the end of its ttl a sandbox and all that runs in it are gone, and the cause is told."
    )
    .shows(&[LifecycleTtl, ObserveEnded, ObservePostMortem]),
    check!(ttl_can_be_set_later, "A ttl that is set at run time ends a sandbox, and one of for ever does not.")
        .shows(&[LifecycleSetLifetimes])
        .needs(&[LifecycleTtl, ObserveEnded])
        .programs(&[]),
    check!(
        idle_timeout_ends_an_idle_sandbox,
        "An idle timeout ends a sandbox that is not used, and not one that runs a command."
    )
    .shows(&[LifecycleIdleTimeout])
    .needs(&[ObserveEnded]),
    check!(touch_counts_as_use, "A sandbox that is touched again and again is not ended for being idle.")
        .shows(&[LifecycleRefreshActivity])
        .needs(&[LifecycleIdleTimeout])
        .programs(&[]),
    check!(
        expiry_can_be_a_stop,
        "A sandbox that is to be stopped at the end of its ttl is stopped, and its files are kept."
    )
    .shows(&[LifecycleExpiryStop])
    .needs(&[LifecycleTtl])
    .programs(&[]),
    check!(expiry_can_be_a_pause, "A sandbox that is to be paused at the end of its ttl is paused, and can go on.")
        .shows(&[LifecycleExpiryPause])
        .needs(&[LifecycleTtl]),
    check!(archive_some_time_after_a_stop, "A stopped sandbox is archived after the time that was said.")
        .shows(&[LifecycleArchiveAfterStop])
        .needs(&[LifecycleStop])
        .programs(&[]),
    check!(delete_some_time_after_a_stop, "A stopped sandbox is removed after the time that was said.")
        .shows(&[LifecycleDeleteAfterStop])
        .needs(&[LifecycleStop])
        .programs(&[]),
];

const HOUR: Duration = Duration::from_secs(3600);

async fn ttl_ends_a_sandbox(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().ttl(Duration::from_secs(15))).await?;
    let mark = lab.mark();
    let running = sandbox.shell(format!("sleep {mark}")).run();
    let (run, ended) = futures::future::join(running, sandbox.ended()).await;
    ensure!(run.is_err(), "a command in it ended as if nothing had happened: {run:?}");
    let Ended::Died(post_mortem) = ended? else {
        ensure!(false, "its end reads as asked for");
        return Ok(());
    };
    same("the cause", post_mortem.cause, DeathCause::Expired)?;
    until_gone_here(&mark).await?;
    until_removed(lab, &sandbox).await?;
    eventually("the cause being written down", async || {
        let kept = lab.isobox().post_mortem(sandbox.id()).await?;
        Ok(kept.is_some_and(|kept| kept.cause == DeathCause::Expired))
    })
    .await?;
    let error = refused("a command afterwards", sandbox.exec(["true"]).await, ErrorCode::SandboxGone)?;
    same("the cause in the error", error.post_mortem().map(|told| told.cause), Some(DeathCause::Expired))
}

async fn ttl_can_be_set_later(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().ttl(HOUR)).await?;
    sandbox.set_ttl(Lifetime::Never).await?;
    let forever = sandbox.describe().await?.expires_at;
    same("when it expires without a ttl", forever.is_none(), true)?;
    let age = isobox::Timestamp::now().since(sandbox.id().created_at());
    sandbox.set_ttl(age + Duration::from_secs(10)).await?;
    ensure!(matches!(sandbox.ended().await?, Ended::Died(_)), "its end reads as asked for");
    until_removed(lab, &sandbox).await
}

async fn idle_timeout_ends_an_idle_sandbox(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().idle_timeout(Duration::from_secs(12))).await?;
    // Longer than the timeout: a command is use.
    same("a long command", sandbox.shell("sleep 15; echo done").await?.stdout.text(), "done\n")?;
    let Ended::Died(post_mortem) = sandbox.ended().await? else {
        ensure!(false, "its end reads as asked for");
        return Ok(());
    };
    same("the cause", post_mortem.cause, DeathCause::Expired)
}

async fn touch_counts_as_use(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().idle_timeout(Duration::from_secs(12))).await?;
    for _ in 0..16 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        sandbox.touch().await?;
    }
    same("its state", sandbox.describe().await?.state, State::Running)
}

async fn expiry_can_be_a_stop(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().ttl(Duration::from_secs(15)).on_expiry(Expiry::Stop)).await?;
    sandbox.files().write("note", "kept").await?;
    until_state(&sandbox, State::Stopped).await?;
    sandbox.start().await?;
    same("a file", &sandbox.files().read("note").await?[..], &b"kept"[..])
}

async fn until_state(sandbox: &Sandbox, state: State) -> Checked {
    eventually(&format!("its being {state}"), async || Ok(sandbox.describe().await?.state == state)).await
}

async fn expiry_can_be_a_pause(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().ttl(Duration::from_secs(15)).on_expiry(Expiry::Pause)).await?;
    until_state(&sandbox, State::Paused).await?;
    sandbox.set_lifetimes(Lifetimes { ttl: Some(Lifetime::Never), ..Lifetimes::default() }).await?;
    sandbox.resume().await?;
    same("a command", sandbox.shell("echo on").await?.stdout.text(), "on\n")
}

async fn archive_some_time_after_a_stop(lab: &Lab) -> Checked {
    let lifetimes = Lifetimes { archive_after_stop: Some(Duration::from_secs(3).into()), ..Lifetimes::default() };
    let sandbox = lab.sandbox().await?;
    sandbox.set_lifetimes(lifetimes).await?;
    sandbox.stop(None).await?;
    until_state(&sandbox, State::Archived).await
}

async fn delete_some_time_after_a_stop(lab: &Lab) -> Checked {
    let lifetimes = Lifetimes { delete_after_stop: Some(Duration::from_secs(3).into()), ..Lifetimes::default() };
    let sandbox = lab.sandbox().await?;
    sandbox.set_lifetimes(lifetimes).await?;
    sandbox.stop(None).await?;
    until_removed(lab, &sandbox).await
}
