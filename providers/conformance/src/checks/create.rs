//! What a sandbox is made with, and what is refused.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use isobox::contract::SandboxKind;
use isobox::{Capability::*, ErrorCode, State};
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
    check!(
        create_many_at_once,
        "Many that are made at once are all there, each with a name of its own, or wait for their turn."
    )
    .alone(),
];

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

async fn create_many_at_once(lab: &Lab) -> Checked {
    let many = lab.amount(16, 100);
    let made = futures::future::try_join_all((0..many).map(|_| lab.sandbox())).await?;
    let ids: std::collections::BTreeSet<_> = made.iter().map(|sandbox| *sandbox.id()).collect();
    same("how many there are", ids.len() as u64, many)?;
    let said = made.iter().map(async |sandbox| {
        let id = sandbox.id().as_str();
        sandbox.files().write("mine", id.to_owned()).await?;
        let result = sandbox.shell("read -r mine < mine; echo $mine").await?;
        same("what it says", result.stdout.text().trim_end(), id)
    });
    futures::future::try_join_all(said).await?;
    futures::future::try_join_all(made.iter().map(async |sandbox| Ok(sandbox.delete().await?))).await.map(drop)
}
