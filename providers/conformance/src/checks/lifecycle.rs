//! The life of a sandbox: what it is made with, stop and start, pause, and how its lifetimes end it.

use crate::check::{Check, Checked, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::{alive, read_until, until_alive, until_gone_here};
use isobox::contract::{Context, SandboxKind};
use isobox::{Capability::*, DeathCause, Ended, ErrorCode, Expiry, Lifetime, Lifetimes, Sandbox, State};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(create_describe_delete, "A sandbox is described as it was made, and is gone when it was removed.")
        .programs(&[]),
    check!(create_with_a_name, "A name is kept, finds the sandbox, and is nobody else's.")
        .shows(&[CreateName])
        .programs(&[]),
    check!(create_with_labels, "Labels are kept, and find the sandbox.").shows(&[CreateLabels]).programs(&[]),
    check!(create_with_variables, "Variables of a sandbox are there for every command.").shows(&[CreateEnv]),
    check!(create_with_a_user, "Commands and files of a sandbox are those of its user.")
        .shows(&[CreateUser])
        .needs(&[CreateWorkdir])
        .programs(&["id"]),
    check!(
        create_with_a_directory,
        "Commands start in the working directory that was asked for, and one that is not there is refused."
    )
    .shows(&[CreateWorkdir]),
    check!(create_as_a_container, "One that must be a container says that it is one.")
        .shows(&[CreateKindContainer])
        .programs(&[]),
    check!(create_as_a_virtual_machine, "One that must be a virtual machine says that it is one.")
        .shows(&[CreateKindVirtualMachine])
        .programs(&[]),
    check!(create_is_refused_below_the_isolation, "More isolation than there is is refused by its name.").programs(&[]),
    check!(
        create_is_refused_for_bad_values,
        "A spec that makes no sense is invalid_spec with the field, and nothing is made."
    )
    .programs(&[]),
    check!(
        create_with_a_key_makes_one,
        "The same request with the same key gives the same sandbox, another request is a conflict."
    )
    .programs(&[]),
    check!(create_or_get_makes_one, "Of many that ask for a name at once, one makes the sandbox.")
        .needs(&[CreateName])
        .programs(&[]),
    check!(delete_is_idempotent, "A sandbox can be removed again, also by others and at the same time.").programs(&[]),
    check!(stop_keeps_files, "A stop ends every process and keeps the files, and a start makes commands run again."),
    check!(stop_and_start_are_idempotent, "A stop of what is stopped and a start of what runs are fine.").programs(&[]),
    check!(stop_of_an_ephemeral_one_removes_it, "An ephemeral sandbox goes when it is stopped.")
        .shows(&[CreateEphemeral])
        .programs(&[]),
    check!(
        pause_freezes_everything,
        "Nothing of a paused sandbox runs or is run, and resumed it goes on where it was."
    )
    .shows(&[LifecyclePause])
    .needs(&[ExecSpawn]),
    check!(archive_keeps_files, "An archived sandbox can be started again with its files.")
        .shows(&[LifecycleArchive])
        .programs(&[])
        .patient(),
    check!(undelete_keeps_files, "A sandbox that was removed comes back with its files.")
        .shows(&[LifecycleUndelete])
        .programs(&[])
        .patient(),
    check!(labels_can_be_replaced, "Labels can be replaced at run time.").shows(&[LifecycleLabels]).programs(&[]),
    check!(
        ttl_ends_a_sandbox,
        "At the end of its ttl a sandbox and all that runs in it are gone, and the cause is told."
    )
    .shows(&[LifecycleTtl, ObserveEnded, ObservePostMortem])
    .patient(),
    check!(ttl_can_be_set_later, "A ttl that is set at run time ends a sandbox, and one of for ever does not.")
        .shows(&[LifecycleSetLifetimes])
        .needs(&[LifecycleTtl, ObserveEnded])
        .programs(&[])
        .patient(),
    check!(
        idle_timeout_ends_an_idle_sandbox,
        "An idle timeout ends a sandbox that is not used, and not one that runs a command."
    )
    .shows(&[LifecycleIdleTimeout])
    .needs(&[ObserveEnded])
    .patient(),
    check!(touch_counts_as_use, "A sandbox that is touched again and again is not ended for being idle.")
        .shows(&[LifecycleRefreshActivity])
        .needs(&[LifecycleIdleTimeout])
        .programs(&[])
        .patient(),
    check!(
        expiry_can_be_a_stop,
        "A sandbox that is to be stopped at the end of its ttl is stopped, and its files are kept."
    )
    .shows(&[LifecycleExpiryStop])
    .needs(&[LifecycleTtl])
    .programs(&[])
    .patient(),
    check!(expiry_can_be_a_pause, "A sandbox that is to be paused at the end of its ttl is paused, and can go on.")
        .shows(&[LifecycleExpiryPause])
        .needs(&[LifecycleTtl])
        .patient(),
    check!(archive_some_time_after_a_stop, "A stopped sandbox is archived after the time that was said.")
        .shows(&[LifecycleArchiveAfterStop])
        .programs(&[])
        .patient(),
    check!(delete_some_time_after_a_stop, "A stopped sandbox is removed after the time that was said.")
        .shows(&[LifecycleDeleteAfterStop])
        .programs(&[])
        .patient(),
    check!(ended_is_told_at_once, "Whoever waits for the end is told when a sandbox is removed.")
        .needs(&[ObserveEnded])
        .programs(&[]),
];

const HOUR: Duration = Duration::from_secs(3600);

async fn create_describe_delete(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let status = sandbox.describe().await?;
    same("the id", status.id.as_ref(), Some(sandbox.id()))?;
    same("the backend's id", &status.external, sandbox.external_id())?;
    same("the provider", status.provider.as_str(), lab.kind())?;
    same("the state", status.state, State::Running)?;
    ensure!(sandbox.workdir().is_absolute(), "the working directory is not absolute");
    sandbox.delete().await?;
    let connected = lab.isobox().connect(sandbox.id().as_str()).await;
    refused("connecting to what was removed", connected.map(drop), ErrorCode::SandboxGone)?;
    same("its state", lab.isobox().inspect(sandbox.id().as_str()).await?.state, State::Deleted)
}

async fn create_with_a_name(lab: &Lab) -> Checked {
    let name = lab.unique();
    let sandbox = lab.make(lab.builder().name(&name)).await?;
    same("the name", sandbox.describe().await?.name.as_deref(), Some(name.as_str()))?;
    same("what the name finds", lab.isobox().connect(&name).await?.id(), sandbox.id())?;
    let second = lab.builder().name(&name).create().await;
    refused("a second sandbox of the name", second.map(drop), ErrorCode::AlreadyExists)?;
    sandbox.delete().await?;
    lab.make(lab.builder().name(&name)).await.map(drop)
}

async fn create_with_labels(lab: &Lab) -> Checked {
    let value = lab.unique();
    let sandbox = lab.make(lab.builder().label("conformance.check", &value).label("other", "o")).await?;
    lab.sandbox().await?;
    let labels = sandbox.describe().await?.labels;
    same("a label", labels.get("conformance.check"), Some(&value))?;
    same("how many there are", labels.len(), 2)?;
    let mine: isobox::Labels = [("conformance.check".to_owned(), value)].into();
    let recorded = isobox::SandboxFilter { labels: mine.clone(), ..Default::default() };
    let found = lab.isobox().list(recorded).await?;
    same("what the label finds", found.iter().map(|entry| entry.id).collect::<Vec<_>>(), vec![*sandbox.id()])?;
    same("the labels for who has only its record", lab.raw(&sandbox).await?.describe().await?.labels, labels)?;
    let listed = lab.provider().list(&isobox::contract::Filter { labels: mine.clone(), ..Default::default() }).await?;
    let others = listed.iter().filter(|status| status.id.as_ref() != Some(sandbox.id())).count();
    same("how many others the provider finds by the label", others, 0)
}

async fn create_with_variables(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().env("CONFORMANCE", "a 'b' $c\nd").env("EMPTY", "")).await?;
    let result = sandbox.shell("printf %s \"$CONFORMANCE${EMPTY-unset}\"").await?;
    same("the variables", result.stdout.text(), "a 'b' $c\nd")
}

async fn create_with_a_user(lab: &Lab) -> Checked {
    // Only a number is known in every image, and root in most.
    let user = if lab.claims(ExecUser) { "1234:2345" } else { "0:0" };
    let sandbox = lab.make(lab.builder().user(user).workdir("/")).await?;
    let result = sandbox.shell("echo $(id -u):$(id -g)").await?;
    same("who commands run as", result.stdout.text().into_owned(), format!("{user}\n"))?;
    sandbox.files().write("/tmp/conformance", "mine").await?;
    let found = sandbox.files().stat("/tmp/conformance").await?;
    same("whose a new file is", found.uid.map(|uid| uid.to_string()).as_deref(), user.split(':').next())?;
    sandbox.files().remove("/tmp/conformance").await?;
    Ok(())
}

async fn create_with_a_directory(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().workdir("/usr")).await?;
    same("the working directory", sandbox.workdir().to_string_lossy().as_ref(), "/usr")?;
    same("where commands start", sandbox.shell("pwd").await?.stdout.text(), "/usr\n")?;
    let missing = lab.builder().workdir("/conformance/is/not/there").create().await;
    refused("a directory that is not there", missing.map(drop), ErrorCode::InvalidSpec)?;
    Ok(())
}

async fn of_kind(lab: &Lab, kind: SandboxKind) -> Checked {
    let mut spec = isobox::SandboxSpec { network: isobox::NetworkPolicy::ProviderDefault, ..Default::default() };
    spec.kind = Some(kind);
    if let Some(image) = &lab.fixtures().image {
        spec.source = isobox::Source::image(image);
    }
    let sandbox = lab.make(lab.isobox().sandbox().provider(lab.kind()).spec(spec)).await?;
    let told = sandbox.describe().await?.kind;
    same("the kind", told, Some(kind))
}

async fn create_as_a_container(lab: &Lab) -> Checked {
    of_kind(lab, SandboxKind::Container).await
}

async fn create_as_a_virtual_machine(lab: &Lab) -> Checked {
    of_kind(lab, SandboxKind::VirtualMachine).await
}

async fn create_is_refused_below_the_isolation(lab: &Lab) -> Checked {
    let there = lab.provider().capabilities().isolation;
    for isolation in isobox::Isolation::ALL {
        let made = lab.builder().least_isolation(*isolation).create().await;
        if *isolation <= there {
            lab.keep(&made?);
        } else {
            refused(&format!("isolation {isolation}"), made.map(drop), ErrorCode::Unsupported)?;
        }
    }
    Ok(())
}

async fn create_is_refused_for_bad_values(lab: &Lab) -> Checked {
    let before = lab.isobox().last_event().await?;
    for (field, builder) in [
        ("name", lab.builder().name("")),
        ("env", lab.builder().env("A=B", "c")),
        ("workdir", lab.builder().workdir("relative")),
        ("workdir", lab.builder().workdir("")),
        ("ttl", lab.builder().ttl(Duration::ZERO)),
        ("resources", lab.builder().memory(0)),
        ("resources", lab.builder().cpus(-1.0)),
        ("user", lab.builder().user("")),
        ("labels", lab.builder().label("", "x")),
    ] {
        let error = refused(&format!("a bad {field}"), builder.create().await.map(drop), ErrorCode::InvalidSpec)?;
        let isobox::Detail::InvalidSpec { field: named, .. } = error.detail() else {
            ensure!(false, "the detail is {:?} and not the field", error.detail());
            return Ok(());
        };
        ensure!(named.contains(field), "the field that is named is {named}, expected {field}");
    }
    ensure!(lab.isobox().last_event().await? >= before, "events are lost");
    Ok(())
}

async fn create_with_a_key_makes_one(lab: &Lab) -> Checked {
    let key = lab.unique();
    let first = lab.make(lab.builder().idempotency_key(&key)).await?;
    let again = lab.builder().idempotency_key(&key).create().await?;
    same("what the same request gives", again.id(), first.id())?;
    let other = lab.builder().env("OTHER", "request").idempotency_key(&key).create().await;
    refused("another request with the key", other.map(drop), ErrorCode::Conflict)?;
    Ok(())
}

async fn create_or_get_makes_one(lab: &Lab) -> Checked {
    let name = lab.unique();
    let asked = futures::future::try_join_all((0..8).map(|_| lab.builder().name(&name).get_or_create())).await?;
    asked.iter().for_each(|sandbox| lab.keep(sandbox));
    let ids: std::collections::BTreeSet<_> = asked.iter().map(|sandbox| *sandbox.id()).collect();
    same("how many were made", ids.len(), 1)
}

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

async fn stop_of_an_ephemeral_one_removes_it(lab: &Lab) -> Checked {
    let mut spec = isobox::SandboxSpec { network: isobox::NetworkPolicy::ProviderDefault, ..Default::default() };
    spec.ephemeral = true;
    let sandbox = lab.make(lab.isobox().sandbox().provider(lab.kind()).spec(spec)).await?;
    sandbox.stop(None).await?;
    until_removed(lab, &sandbox).await
}

async fn until_removed(lab: &Lab, sandbox: &Sandbox) -> Checked {
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

async fn ttl_ends_a_sandbox(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().ttl(Duration::from_secs(8))).await?;
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
    sandbox.set_ttl(age + Duration::from_secs(2)).await?;
    ensure!(matches!(sandbox.ended().await?, Ended::Died(_)), "its end reads as asked for");
    until_removed(lab, &sandbox).await
}

async fn idle_timeout_ends_an_idle_sandbox(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().idle_timeout(Duration::from_secs(5))).await?;
    // Longer than the timeout: a command is use.
    same("a long command", sandbox.shell("sleep 7; echo done").await?.stdout.text(), "done\n")?;
    let Ended::Died(post_mortem) = sandbox.ended().await? else {
        ensure!(false, "its end reads as asked for");
        return Ok(());
    };
    same("the cause", post_mortem.cause, DeathCause::Expired)
}

async fn touch_counts_as_use(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().idle_timeout(Duration::from_secs(6))).await?;
    for _ in 0..9 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        sandbox.touch().await?;
    }
    same("its state", sandbox.describe().await?.state, State::Running)
}

async fn expiry_can_be_a_stop(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().ttl(Duration::from_secs(6)).on_expiry(Expiry::Stop)).await?;
    sandbox.files().write("note", "kept").await?;
    until_state(&sandbox, State::Stopped).await?;
    sandbox.start().await?;
    same("a file", &sandbox.files().read("note").await?[..], &b"kept"[..])
}

async fn until_state(sandbox: &Sandbox, state: State) -> Checked {
    eventually(&format!("its being {state}"), async || Ok(sandbox.describe().await?.state == state)).await
}

async fn expiry_can_be_a_pause(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().ttl(Duration::from_secs(6)).on_expiry(Expiry::Pause)).await?;
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
