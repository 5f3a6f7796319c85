//! Snapshots, restores and forks: exact, of one moment, and nothing is left of one that broke off.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::Lab;
use elsewhere::{Elsewhere, PATIENCE, settles};
use isobox::contract::{Context, Provider};
use isobox::{ErrorCode, Isobox, Sandbox, SandboxId, SandboxSpec, SnapshotId, SnapshotOptions, SnapshotState, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

async fn output(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    format!("{}{}", result.stdout.text(), result.stderr.text()).trim_end().to_owned()
}

fn named(name: &str) -> SnapshotOptions {
    SnapshotOptions { name: Some(name.into()), ..SnapshotOptions::default() }
}

async fn provider(lab: &Lab) -> Arc<dyn Provider> {
    lab.isobox.provider("namespace").await.unwrap()
}

fn layers(home: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.join("snapshots/layers")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A root filesystem with nothing but busybox, which must be static.
fn busybox(place: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = ["/usr/bin/busybox", "/bin/busybox"].iter().find(|path| Path::new(path).exists())?;
    let root = place.join("root");
    std::fs::create_dir_all(root.join("bin")).unwrap();
    std::fs::create_dir_all(root.join("data/inner")).unwrap();
    std::fs::copy(program, root.join("bin/busybox")).unwrap();
    for applet in
        ["sh", "cat", "ls", "rm", "mkdir", "touch", "id", "chmod", "stat", "ln", "find", "sort", "sed", "mkfifo"]
    {
        std::os::unix::fs::symlink("busybox", root.join("bin").join(applet)).unwrap();
    }
    for name in ["data/file", "data/gone", "data/inner/gone"] {
        std::fs::write(root.join(name), "original").unwrap();
    }
    Some(root)
}

/// Everything about the files of a sandbox that a copy must keep.
const PICTURE: &str = "cd /data && find . | sort | while read -r name; do
    stat -c '%n %F %a %u:%g %h %s %Y %y' \"$name\"; [ -f \"$name\" ] && cat \"$name\" | head -c 100; done; ls /new /bin 2>&1";

#[tokio::test]
async fn a_restored_sandbox_cannot_be_told_from_the_original() {
    let place = tempfile::tempdir().unwrap();
    let Some(root) = busybox(place.path()) else { return eprintln!("skipped: there is no busybox") };
    let lab = Lab::open().await;
    let sandbox = lab.isobox.sandbox().provider("namespace").rootfs(&root).create().await.unwrap();
    let change = "cd /data; echo changed > file; rm gone; rm -r inner; mkdir inner; echo new > inner/new; rm /bin/id
        ln file hard; ln file inner/hard; ln -s nowhere link; mkfifo pipe; mkdir -m 1777 sticky; touch suid; chmod 4755 suid
        touch 'a b'; chmod 0 'a b'; mkdir closed; echo secret > closed/secret; chmod 0 closed/secret closed
        mkdir /new; touch -d '2001-02-03 04:05:06' inner/new inner; chmod 750 .";
    assert_eq!(output(&sandbox, change).await, "");
    let before = output(&sandbox, PICTURE).await;
    let snapshot = sandbox.snapshot(named("base")).await.unwrap();
    assert_eq!((snapshot.state, snapshot.name.as_deref()), (SnapshotState::Active, Some("base")));
    assert_eq!(output(&sandbox, PICTURE).await, before, "the original is as it was");
    output(&sandbox, "echo later > /data/file; echo later > /data/later").await;
    let mut restored = Vec::new();
    for _ in 0..3 {
        restored.push(
            lab.isobox.sandbox().provider("namespace").snapshot(snapshot.external.clone()).create().await.unwrap(),
        );
    }
    for sandbox in &restored {
        assert_eq!(output(sandbox, PICTURE).await, before);
        assert_eq!(
            output(sandbox, "cat /data/closed/secret; echo mine > /data/file; cat /data/file").await,
            "secret\nmine"
        );
    }
    for sandbox in restored {
        sandbox.delete().await.unwrap();
    }
    sandbox.delete().await.unwrap();
    provider(&lab).await.snapshots().unwrap().delete(&snapshot.external, &Context::quiet()).await.unwrap();
    assert_eq!(layers(lab.home()), Vec::<PathBuf>::new());
    assert_eq!(std::fs::read_to_string(root.join("data/gone")).unwrap(), "original");
}

#[tokio::test]
async fn snapshots_stand_on_snapshots() {
    let lab = Lab::open().await;
    let mut sandbox = lab.sandbox("namespace").await;
    let mut all = Vec::new();
    for round in 0..14 {
        let script = format!(
            "echo {round} > /root/last; echo {round} > /root/own-{round}; rm -f /root/own-{}; echo {round} >> /etc/mine",
            round - 2
        );
        output(&sandbox, &script).await;
        let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
        let next =
            lab.isobox.sandbox().provider("namespace").snapshot(snapshot.external.clone()).create().await.unwrap();
        all.push(snapshot.external);
        sandbox.delete().await.unwrap();
        sandbox = next;
    }
    assert_eq!(
        output(&sandbox, "cat /root/last; ls /root; cat /etc/mine | wc -l").await,
        "13\nlast\nown-12\nown-13\n14"
    );
    // Those in between can go: what stands on them keeps their layers.
    let opened = provider(&lab).await;
    let snapshots = opened.snapshots().unwrap();
    let last = all.pop().unwrap();
    for snapshot in &all {
        snapshots.delete(snapshot, &Context::quiet()).await.unwrap();
    }
    let used = snapshots.delete(&last, &Context::quiet()).await.unwrap_err();
    assert_eq!(used.code(), ErrorCode::Conflict, "{used}");
    assert!(used.message().contains(sandbox.id().as_str()), "{used}");
    let again = lab.isobox.sandbox().provider("namespace").snapshot(last.clone()).create().await.unwrap();
    assert_eq!(output(&again, "ls /root").await, "last\nown-12\nown-13");
    again.delete().await.unwrap();
    sandbox.delete().await.unwrap();
    snapshots.delete(&last, &Context::quiet()).await.unwrap();
    snapshots.delete(&last, &Context::quiet()).await.unwrap();
    assert_eq!(layers(lab.home()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn they_are_listed_by_name_and_have_one_only() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    sandbox.stop(None).await.unwrap();
    let first = sandbox.snapshot(named("one")).await.unwrap();
    let second = sandbox.snapshot(named("two")).await.unwrap();
    let taken = sandbox.snapshot(named("one")).await.unwrap_err();
    assert_eq!(taken.code(), ErrorCode::AlreadyExists, "{taken}");
    let opened = provider(&lab).await;
    let snapshots = opened.snapshots().unwrap();
    let listed = |name: Option<&'static str>| async move {
        let all = snapshots.list(name).await.unwrap();
        all.into_iter().map(|status| status.external).collect::<Vec<_>>()
    };
    assert_eq!(listed(None).await, [first.external.clone(), second.external.clone()]);
    assert_eq!(listed(Some("two")).await, [second.external]);
    assert_eq!(listed(Some("three")).await, []);
    assert_eq!(snapshots.get(&first.external).await.unwrap().name.as_deref(), Some("one"));
    snapshots.delete(&first.external, &Context::quiet()).await.unwrap();
    assert_eq!(snapshots.get(&first.external).await.unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(layers(lab.home()).len(), 1, "the refused one has left nothing");
    let missing = lab.isobox.sandbox().provider("namespace").snapshot(first.external).create().await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound, "{missing}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn forks_have_the_files_and_nothing_of_each_other() {
    let lab = Lab::open().await;
    let sandbox = lab.isobox.sandbox().provider("namespace").env("GIVEN", "value").create().await.unwrap();
    output(&sandbox, "echo before > /root/file; echo mine >> /etc/hosts; sleep 1000 >/dev/null 2>&1 &").await;
    let children = sandbox.fork(4).await.unwrap();
    for (index, child) in children.iter().enumerate() {
        assert_ne!(child.id(), sandbox.id());
        let seen = output(
            child,
            "cat /root/file; tail -n1 /etc/hosts; echo $GIVEN; ps ax 2>/dev/null | grep -c '[s]leep 1000'",
        );
        assert_eq!(seen.await, "before\nmine\nvalue\n0");
        output(child, &format!("echo {index} > /root/file")).await;
    }
    output(&sandbox, "echo original > /root/file").await;
    for (index, child) in children.iter().enumerate() {
        assert_eq!(output(child, "cat /root/file").await, index.to_string());
    }
    assert_eq!(layers(lab.home()).len(), 1, "one copy for all of them");
    // A fork of a fork, and a stop and a start of it.
    let grandchild = children[2].fork(1).await.unwrap().pop().unwrap();
    grandchild.stop(None).await.unwrap();
    grandchild.start().await.unwrap();
    assert_eq!(output(&grandchild, "cat /root/file").await, "2");
    for child in children {
        child.delete().await.unwrap();
    }
    assert_eq!(output(&grandchild, "cat /root/file; tail -n1 /etc/hosts").await, "2\nmine");
    grandchild.delete().await.unwrap();
    let last = sandbox.fork(0).await.unwrap();
    assert!(last.is_empty());
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

/// Writes the same number into two files, one after the other, without end, and counts in a third.
const IN_STEP: &str = "exec sh -c 'number=0; while :; do number=$((number + 1))
    echo $number > /root/first; echo $number > /root/second; done'";

#[tokio::test]
async fn a_copy_is_of_one_moment() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    let _writer = sandbox.shell(IN_STEP).spawn().await.unwrap();
    // Another one that has stopped itself, and must not go on because of the copies.
    sandbox
        .shell("sh -c 'echo $$ > /root/stopped; kill -STOP $$; echo woken > /root/woken' & sleep 0.2")
        .await
        .unwrap();
    sandbox.shell("until [ -s /root/second ]; do sleep 0.01; done").await.unwrap();
    let number = |text: &str| text.trim().parse::<u64>().unwrap_or(0);
    let mut last = 0;
    for _ in 0..12 {
        let child = sandbox.fork(1).await.unwrap().pop().unwrap();
        let files = child.files();
        let first = files.read_text("/root/first").await.unwrap();
        let second = files.read_text("/root/second").await.unwrap();
        // The shell truncates a file before it writes to it: then the other one tells.
        if !first.is_empty() && !second.is_empty() {
            let (first, second) = (number(&first), number(&second));
            assert!(first == second || first == second + 1, "torn: {first} and {second}");
            assert!(first >= last);
            last = first;
        }
        child.delete().await.unwrap();
    }
    // It goes on.
    let before = number(&sandbox.files().read_text("/root/second").await.unwrap());
    let goes_on = async {
        while number(&sandbox.files().read_text("/root/second").await.unwrap()) <= before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, goes_on).await.unwrap();
    let state =
        output(&sandbox, "sed 's/.*) //' /proc/$(cat /root/stopped)/stat | cut -c1; ls /root/woken 2>/dev/null").await;
    assert_eq!(state, "T", "what others have stopped stays stopped");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn what_is_mapped_into_memory_is_in_the_copy() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    let program = "import mmap, time
file = open('/root/mapped', 'w+b'); file.truncate(1 << 20); memory = mmap.mmap(file.fileno(), 1 << 20)
memory[500000:500005] = b'there'; open('/root/ready', 'w').close(); time.sleep(1000)";
    let _running = match sandbox.exec(["python3", "-c", program]).spawn().await {
        Ok(running) => running,
        Err(error) => return eprintln!("skipped: no python3: {error}"),
    };
    sandbox.shell("until [ -e /root/ready ]; do sleep 0.01; done").timeout(PATIENCE).await.unwrap();
    let child = sandbox.fork(1).await.unwrap().pop().unwrap();
    assert_eq!(output(&child, "tail -c +500001 /root/mapped | head -c 5").await, "there");
    child.delete().await.unwrap();
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn hostile_trees_are_copied() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    let deep = "import os
os.chdir('/root')
for _ in range(40): os.mkdir('n' * 250); os.chdir('n' * 250)
open('end', 'w').write('deep')";
    match sandbox.exec(["python3", "-c", deep]).await {
        Ok(result) => assert!(result.success(), "{}", result.stderr.text()),
        Err(error) => return eprintln!("skipped: no python3: {error}"),
    }
    let make = "cd /root; truncate -s 1T sparse; printf x | dd of=sparse bs=1 seek=1000000000 conv=notrunc 2>/dev/null
         touch \"$(printf 'new\\nline')\" \"$(printf '\\377\\376')\" ' ' -- -rf '*'
         mkdir many; cd many; touch 0; i=1; while [ $i -lt 3000 ]; do ln 0 $i; i=$((i + 1)); done
         mkdir /root/none; chmod 0 /root/none";
    assert_eq!(output(&sandbox, make).await, "");
    let child = sandbox.fork(1).await.unwrap().pop().unwrap();
    let look = "cd /root; ls | wc -l; ls many | wc -l; stat -c %h many/17; stat -c %s sparse; du -m sparse | cut -f1
         stat -c %a none; tail -c +1000000001 sparse | head -c1
         python3 -c \"import os
for _ in range(40): os.chdir('n' * 250)
print(open('end').read())\"";
    assert_eq!(output(&child, look).await, output(&sandbox, look).await);
    assert!(output(&child, look).await.ends_with("0\nxdeep"), "{}", output(&child, look).await);
    child.delete().await.unwrap();
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_full_disk_is_told_and_harms_nobody() {
    if !rustix::process::geteuid().is_root() {
        return eprintln!("skipped: mounting a small disk needs root");
    }
    let place = tempfile::tempdir().unwrap();
    let disk = Disk::mount(place.path(), 64 << 20);
    let isobox = Isobox::builder().home(place.path().join("home")).open().await.unwrap();
    let sandbox = isobox.sandbox().provider("namespace").create().await.unwrap();
    match sandbox.fork(1).await {
        Ok(children) => children[0].delete().await.unwrap(),
        Err(error) if error.message().contains("cannot be id-mapped on this kernel") => {
            sandbox.delete().await.unwrap();
            return eprintln!("skipped: this kernel cannot map the ids of a filesystem in memory, Linux 6.3 can");
        }
        Err(error) => panic!("{error}"),
    }
    output(&sandbox, "head -c 40000000 /dev/zero | tr '\\0' x > /root/large; echo kept > /root/small").await;
    for error in [sandbox.snapshot(named("large")).await.err().unwrap(), sandbox.fork(2).await.err().unwrap()] {
        assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    }
    assert_eq!(layers(&place.path().join("home")), Vec::<PathBuf>::new());
    assert_eq!(
        output(&sandbox, "cat /root/small; rm /root/large; echo works > /root/small; cat /root/small").await,
        "kept\nworks"
    );
    let child = sandbox.fork(1).await.unwrap().pop().unwrap();
    assert_eq!(output(&child, "cat /root/small").await, "works");
    child.delete().await.unwrap();
    sandbox.delete().await.unwrap();
    drop(disk);
}

struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path, bytes: u64) -> Self {
        let options = std::ffi::CString::new(format!("size={bytes},mode=755")).unwrap();
        let flags = rustix::mount::MountFlags::empty();
        rustix::mount::mount("tmpfs", at, c"tmpfs", flags, Some(options.as_c_str())).unwrap();
        Self(at.to_owned())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = rustix::mount::unmount(&self.0, rustix::mount::UnmountFlags::DETACH);
    }
}

#[test]
#[ignore = "a process of the other tests"]
fn copier() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let opened = isobox.provider("namespace").await.unwrap();
        let lifetimes =
            isobox::Lifetimes { ttl: Some(Duration::from_secs(1000).into()), ..isobox::Lifetimes::default() };
        let spec = SandboxSpec::default().lifetimes(lifetimes).detached();
        let context = Context::quiet();
        let sandbox = opened.create(&SandboxId::generate(), &spec, &context).await.unwrap();
        let run = async |script: &str| sandbox.exec().run(isobox::ExecRequest::shell(script)).await.unwrap();
        run("mkdir /root/many; cd /root/many; i=0; while [ $i -lt 4000 ]; do echo $i > $i; i=$((i + 1)); done").await;
        elsewhere::say(&serde_json::to_string(&sandbox.record()).unwrap());
        loop {
            sandbox.snapshot(&SnapshotId::generate(), &SnapshotOptions::default(), &context).await.unwrap();
        }
    });
}

#[tokio::test]
async fn a_process_that_is_killed_amid_a_copy_leaves_nothing_that_counts_and_nothing_stopped() {
    for round in 0..6 {
        let home = tempfile::tempdir().unwrap();
        let mut other = Elsewhere::start("copier", home.path());
        let record = serde_json::from_str(&other.hear()).unwrap();
        tokio::time::sleep(Duration::from_millis(20 + 31 * round)).await;
        other.kill();
        let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
        let opened = isobox.provider("namespace").await.unwrap();
        let context = Context::quiet();
        // Everything in it goes on, although whoever held it is gone.
        let sandbox = opened.attach(&record, &context).await.unwrap();
        let run = sandbox.exec().run(isobox::ExecRequest::shell("ls /root/many | wc -l; ls /root/many | head -n1"));
        let seen = tokio::time::timeout(PATIENCE, run).await.expect("it is not held still").unwrap();
        assert_eq!(seen.stdout.text(), "4000\n0\n");
        // What counts is whole.
        let snapshots = opened.snapshots().unwrap();
        for status in snapshots.list(None).await.unwrap() {
            let spec = SandboxSpec::new(Source::Snapshot { snapshot: status.external.clone() });
            let restored = opened.create(&SandboxId::generate(), &spec, &context).await.unwrap();
            let run = restored
                .exec()
                .run(isobox::ExecRequest::shell("cat /root/many/* | sort -n | tail -n1; ls /root/many | wc -l"));
            assert_eq!(run.await.unwrap().stdout.text(), "3999\n4000\n");
            restored.delete(&context).await.unwrap();
            snapshots.delete(&status.external, &context).await.unwrap();
        }
        // The next one clears the rest away.
        let id = SnapshotId::generate();
        let last = sandbox.snapshot(&id, &SnapshotOptions::default(), &context).await.unwrap();
        assert_eq!(layers(home.path()).len(), 1, "{round}");
        snapshots.delete(&last.external, &context).await.unwrap();
        sandbox.delete(&context).await.unwrap();
        assert_eq!(layers(home.path()), Vec::<PathBuf>::new(), "{round}");
    }
}

#[tokio::test]
async fn a_copy_that_nobody_waits_for_is_given_up() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    output(
        &sandbox,
        "mkdir /root/many; cd /root/many; i=0; while [ $i -lt 3000 ]; do echo $i > $i; i=$((i + 1)); done",
    )
    .await;
    for _ in 0..5 {
        let _ = tokio::time::timeout(Duration::from_millis(15), sandbox.snapshot(SnapshotOptions::default())).await;
    }
    assert_eq!(output(&sandbox, "ls /root/many | wc -l").await, "3000");
    settles("the copies going", || layers(lab.home()).iter().all(|path| path.extension().is_none())).await;
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn other_providers_refuse() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("host").await;
    for (error, capability) in [
        (sandbox.snapshot(SnapshotOptions::default()).await.unwrap_err(), "lifecycle.snapshot"),
        (sandbox.fork(1).await.err().unwrap(), "lifecycle.fork_filesystem"),
    ] {
        assert_eq!(error.code(), ErrorCode::Unsupported);
        assert!(error.message().contains(capability), "{error}");
    }
    let memory = SnapshotOptions { include_memory: true, ..SnapshotOptions::default() };
    let namespace = lab.sandbox("namespace").await;
    assert_eq!(namespace.snapshot(memory).await.unwrap_err().code(), ErrorCode::Unsupported);
    sandbox.delete().await.unwrap();
    namespace.delete().await.unwrap();
}
