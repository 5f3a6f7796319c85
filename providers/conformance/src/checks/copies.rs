//! Snapshots, forks and volumes: what outlives a sandbox.

use crate::check::{Check, Checked, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::{alive, until_alive};
use isobox::{
    Capability::*, ErrorCode, ExportOptions, ForkOptions, ImportOptions, Sandbox, SnapshotOptions, VolumeMount,
    VolumeSpec,
};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        snapshot_is_restored,
        "A sandbox made from a snapshot has the files of that moment, and neither changes the other."
    )
    .shows(&[LifecycleSnapshot, SnapshotsSupported, SnapshotsFilesystem, SourceSnapshot])
    .programs(&[]),
    check!(snapshot_is_removed, "A snapshot is listed, found by its name, removed, and removed again.")
        .needs(&[LifecycleSnapshot, SnapshotsFilesystem])
        .programs(&[]),
    check!(snapshot_keeps_processes, "A sandbox made from a snapshot with memory goes on with its processes.")
        .shows(&[SnapshotsLiveProcessState])
        .needs(&[LifecycleSnapshot, SourceSnapshot]),
    check!(snapshot_is_an_image, "A snapshot that is written as an image and read again is the same.")
        .shows(&[SnapshotsExport, SnapshotsImport])
        .needs(&[LifecycleSnapshot, SourceSnapshot])
        .programs(&[]),
    check!(fork_has_the_files, "Forks have the files of the original, are their own, and go with their handles.")
        .shows(&[LifecycleForkFilesystem])
        .programs(&[]),
    check!(fork_keeps_processes, "A fork with memory has the processes of the original.").shows(&[LifecycleFork]),
    check!(volume_outlives_sandboxes, "What one sandbox writes into a volume the next one reads.")
        .shows(&[VolumesSupported, VolumesMount])
        .programs(&[]),
    check!(
        volume_in_use_is_not_removed,
        "A volume that a sandbox has is a conflict to remove, and is removed when nobody has it."
    )
    .needs(&[VolumesMount])
    .programs(&[]),
    check!(volume_in_part, "A part of a volume is mounted alone, and read only where that was said.")
        .shows(&[VolumesSubpath])
        .needs(&[VolumesMount, MountsReadOnly])
        .programs(&[]),
    check!(volume_has_a_size, "A volume holds no more than its size.")
        .shows(&[VolumesSize])
        .needs(&[VolumesMount])
        .programs(&["head"]),
];

/// A place that is no mount of its own, so that it is part of what is copied.
async fn place(sandbox: &Sandbox) -> Checked<String> {
    let workdir = sandbox.workdir().to_string_lossy().trim_end_matches('/').to_owned();
    Ok(format!("{workdir}/conformance"))
}

async fn take(lab: &Lab, sandbox: &Sandbox, include_memory: bool) -> Checked<String> {
    let name = lab.unique();
    lab.keep_snapshot(&name);
    sandbox
        .snapshot(SnapshotOptions { name: Some(name.clone()), include_memory, ..SnapshotOptions::default() })
        .await?;
    Ok(name)
}

async fn text(sandbox: &Sandbox, path: &str) -> Checked<String> {
    Ok(sandbox.files().read_text(path).await?)
}

async fn snapshot_is_restored(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let file = place(&sandbox).await? + "/file";
    sandbox.files().write(&*file, "then").await?;
    let name = take(lab, &sandbox, false).await?;
    sandbox.files().write(&*file, "later").await?;
    let restored = lab.make(lab.bare().snapshot(&name)).await?;
    same("a file of the restored one", text(&restored, &file).await?.as_str(), "then")?;
    restored.files().write(&*file, "its own").await?;
    same("the file of the original", text(&sandbox, &file).await?.as_str(), "later")?;
    sandbox.delete().await?;
    let again = lab.make(lab.bare().snapshot(&name)).await?;
    same("a file of another one, when the original is gone", text(&again, &file).await?.as_str(), "then")
}

async fn snapshot_is_removed(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let name = take(lab, &sandbox, false).await?;
    let snapshots = lab.isobox().snapshots().provider(lab.kind());
    let entry = snapshots.get(&name).await?;
    same("whose it is", entry.sandbox.as_ref(), Some(sandbox.id()))?;
    ensure!(snapshots.list().await?.iter().any(|listed| listed.id == entry.id), "it is not listed");
    let taken = sandbox.snapshot(SnapshotOptions { name: Some(name.clone()), ..SnapshotOptions::default() }).await;
    refused("a second snapshot with the name", taken.map(drop), ErrorCode::AlreadyExists)?;
    snapshots.delete(&name).await?;
    snapshots.delete(&name).await?;
    refused("a snapshot that was removed", snapshots.get(&name).await.map(drop), ErrorCode::NotFound)?;
    let made = lab.bare().snapshot(&name).create().await;
    ensure!(made.is_err(), "a sandbox was made from a snapshot that was removed");
    Ok(())
}

async fn snapshot_keeps_processes(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    sandbox.shell(format!("sleep {mark} >/dev/null 2>&1 & exit 0")).await?;
    until_alive(&sandbox, &mark).await?;
    let name = take(lab, &sandbox, true).await?;
    let restored = lab.make(lab.bare().snapshot(&name)).await?;
    same("what runs in the restored one", alive(&restored, &mark).await?.len(), 1)
}

async fn snapshot_is_an_image(lab: &Lab) -> Checked {
    // The machine's own programs are no image, so there has to be something else to stand on.
    let builder = match (&lab.fixtures().image, lab.claims(SourceRootfs)) {
        (Some(_), _) => lab.builder(),
        (None, true) => lab.bare().rootfs(empty_root(lab)?),
        (None, false) => return Err(crate::Stop::Skipped("the target has no image".to_owned())),
    };
    let sandbox = lab.make(builder).await?;
    sandbox.files().write("/conformance/file", "kept").await?;
    let name = take(lab, &sandbox, false).await?;
    let snapshots = lab.isobox().snapshots().provider(lab.kind());
    let directory = tempfile::tempdir()?;
    let archive = directory.path().join("image.tar");
    snapshots.export(&name, &archive, ExportOptions::named("conformance:1")).await?;
    let other = lab.unique();
    lab.keep_snapshot(&other);
    snapshots.import(&archive, ImportOptions::named(&other)).await?;
    let restored = lab.make(lab.bare().snapshot(&other)).await?;
    same("a file", text(&restored, "/conformance/file").await?.as_str(), "kept")
}

/// A root filesystem with nothing in it, which goes with the home of the run.
fn empty_root(lab: &Lab) -> Checked<std::path::PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let root = lab.home().join(lab.unique());
    std::fs::create_dir(&root)?;
    std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o755))?;
    Ok(root)
}

async fn fork_has_the_files(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let file = place(&sandbox).await? + "/file";
    sandbox.files().write(&*file, "then").await?;
    let forks = sandbox.fork(2).await?;
    forks.iter().for_each(|fork| lab.keep(fork));
    sandbox.files().write(&*file, "later").await?;
    for fork in &forks {
        same("a file of a fork", text(fork, &file).await?.as_str(), "then")?;
        fork.files().write(&*file, fork.id().as_str().to_owned()).await?;
    }
    for fork in &forks {
        same("the file that it wrote itself", text(fork, &file).await?.as_str(), fork.id().as_str())?;
    }
    same("the file of the original", text(&sandbox, &file).await?.as_str(), "later")
}

async fn fork_keeps_processes(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    sandbox.shell(format!("sleep {mark} >/dev/null 2>&1 & exit 0")).await?;
    until_alive(&sandbox, &mark).await?;
    let before = alive(&sandbox, &mark).await?;
    let options = ForkOptions { include_memory: true, ..ForkOptions::default() };
    for fork in sandbox.fork_with(1, options).await? {
        lab.keep(&fork);
        same("what runs in the fork", alive(&fork, &mark).await?, before.clone())?;
    }
    Ok(())
}

async fn volume(lab: &Lab) -> Checked<String> {
    let name = lab.unique();
    lab.isobox().volumes().provider(lab.kind()).create(&name).await?;
    lab.keep_volume(&name);
    Ok(name)
}

async fn volume_outlives_sandboxes(lab: &Lab) -> Checked {
    let name = volume(lab).await?;
    let first = lab.make(lab.builder().volume(&name, "/volume")).await?;
    first.files().write("/volume/a/file", "kept").await?;
    first.delete().await?;
    let second = lab.make(lab.builder().volume(&name, "/elsewhere")).await?;
    same("a file of the volume", text(&second, "/elsewhere/a/file").await?.as_str(), "kept")
}

async fn volume_in_use_is_not_removed(lab: &Lab) -> Checked {
    let name = volume(lab).await?;
    let volumes = lab.isobox().volumes().provider(lab.kind());
    refused("a second volume with the name", volumes.create(&name).await.map(drop), ErrorCode::AlreadyExists)?;
    let sandbox = lab.make(lab.builder().volume(&name, "/volume")).await?;
    refused("removing a volume that is in use", volumes.delete(&name).await, ErrorCode::Conflict)?;
    sandbox.delete().await?;
    eventually("the removal of a volume that nobody has", async || Ok(volumes.delete(&name).await.is_ok())).await?;
    volumes.delete(&name).await?;
    let missing = lab.builder().volume(&name, "/volume").create().await;
    refused("a sandbox with a volume that is not there", missing.map(drop), ErrorCode::NotFound)?;
    Ok(())
}

async fn volume_in_part(lab: &Lab) -> Checked {
    let name = volume(lab).await?;
    let whole = lab.make(lab.builder().volume(&name, "/volume")).await?;
    whole.files().write("/volume/part/file", "inner").await?;
    whole.files().write("/volume/other", "outer").await?;
    let mount = || -> Checked<VolumeMount> {
        let volume = name.parse().map_err(|_| crate::Stop::Failed("the name is no id".to_owned()))?;
        Ok(VolumeMount::new(volume, "/part").subpath("part"))
    };
    let sandbox = lab.make(lab.builder().volume_mount(mount()?.read_only())).await?;
    same("a file of the part", text(&sandbox, "/part/file").await?.as_str(), "inner")?;
    same("what is beside the part", sandbox.files().exists("/part/other").await?, false)?;
    ensure!(sandbox.files().write("/part/new", "x").await.is_err(), "what is only to be read was written");
    Ok(())
}

async fn volume_has_a_size(lab: &Lab) -> Checked {
    let name = lab.unique();
    let spec = VolumeSpec { size: Some(16 << 20), ..VolumeSpec::named(&name) };
    lab.isobox().volumes().provider(lab.kind()).create_with(spec).await?;
    lab.keep_volume(&name);
    let sandbox = lab.make(lab.builder().volume(&name, "/volume")).await?;
    let result = sandbox.shell("head -c 33554432 /dev/zero > /volume/large").await?;
    same("whether more than its size fits", result.success(), false)
}
