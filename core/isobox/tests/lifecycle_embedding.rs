//! isobox in programs of every kind: where their files are, what they do with signals and children, how they run futures.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{Lab, PROVIDERS};
use elsewhere::{Elsewhere, PATIENCE, children, settles};
use isobox::{Ended, ErrorCode, HealthStatus, Isobox};
use rustix::process::getpid;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

async fn use_each(isobox: &Isobox) {
    for provider in PROVIDERS {
        let sandbox = isobox.sandbox().provider(provider).create().await.unwrap();
        assert_eq!(sandbox.shell("echo $((6 * 7))").await.unwrap().stdout.text(), "42\n", "{provider}");
        sandbox.files().write("file", "content").await.unwrap();
        assert_eq!(sandbox.files().read_text("file").await.unwrap(), "content");
        timeout(PATIENCE, sandbox.delete()).await.expect("delete ends").unwrap();
        let ended = timeout(PATIENCE, sandbox.ended()).await.expect("the end is told").unwrap();
        assert!(matches!(ended, Ended::Deleted), "{ended:?}");
    }
}

fn homes() -> Vec<OsString> {
    let mut homes: Vec<OsString> =
        ["with spaces", "new\nline", "a,b:c=d\\e\"f'g", "%s$HOME;`id`", "ünï"].map(Into::into).into();
    homes.push(OsString::from_vec(b"not \xff\xfe utf-8".to_vec()));
    homes.push(["x".repeat(100), "y".repeat(250), "z".repeat(40)].join("/").into());
    homes
}

#[tokio::test]
async fn a_home_may_have_any_name() {
    use isobox::contract::Context;
    for name in homes() {
        eprintln!("{name:?}");
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join(name);
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        use_each(&isobox).await;
        for kind in PROVIDERS {
            let provider = isobox.provider(kind).await.unwrap();
            let spec = isobox::SandboxSpec::default();
            let sandbox = provider.create(&isobox::SandboxId::generate(), &spec, &Context::quiet()).await.unwrap();
            // The record goes through a database or a file.
            let record = serde_json::from_str(&serde_json::to_string(&sandbox.record()).unwrap()).unwrap();
            let again = provider.attach(&record, &Context::quiet()).await.unwrap();
            assert!(again.exec().run(isobox::ExecRequest::argv(["true"])).await.unwrap().success());
            sandbox.delete(&Context::quiet()).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_home_that_cannot_be_used_is_refused_with_the_way_out() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    let long = place.path().join(["x".repeat(250), "y".repeat(250)].join("/"));
    for home in [file.clone(), file.join("below"), PathBuf::from("/proc/isobox"), long] {
        let error = Isobox::builder().home(&home).open().await.map(drop).unwrap_err();
        assert!(error.message().contains("ISOBOX_HOME"), "{error}");
        assert!(!error.is_infrastructure(), "{error}");
    }
}

#[tokio::test]
async fn a_home_of_somebody_else_is_refused() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let place = tempfile::tempdir().unwrap();
    let home = place.path().join("theirs");
    std::fs::create_dir(&home).unwrap();
    std::fs::set_permissions(&home, std::fs::Permissions::from_mode(0o777)).unwrap();
    if chown(&home, Some(12345), None).is_err() {
        return eprintln!("skipped: only root can make a directory of somebody else");
    }
    let error = Isobox::builder().home(&home).open().await.map(drop).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    for word in ["home", "12345", "ISOBOX_HOME"] {
        assert!(error.message().contains(word), "{error}");
    }
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0);
}

/// A program that reaps every child there is, as some event loops and process managers do.
#[test]
#[ignore = "a process of the other tests"]
fn reaper() {
    let Some(home) = elsewhere::home() else { return };
    std::thread::spawn(|| {
        loop {
            if rustix::process::wait(rustix::process::WaitOptions::empty()).is_err() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    });
    Runtime::new().unwrap().block_on(live(&home));
}

/// A program that wants to hear nothing of its children.
#[test]
#[ignore = "a process of the other tests"]
#[allow(unsafe_code, reason = "there is no safe call for it")]
fn ignorer() {
    let Some(home) = elsewhere::home() else { return };
    // SAFETY: no handler is installed, and nothing else here depends on the disposition.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    Runtime::new().unwrap().block_on(live(&home));
}

async fn live(home: &Path) {
    let isobox = Isobox::builder().home(home).open().await.unwrap();
    use_each(&isobox).await;
    for provider in PROVIDERS {
        let sandbox = isobox.sandbox().provider(provider).ttl(Duration::from_secs(3)).create().await.unwrap();
        let result = sandbox.shell("sleep 0.01 & wait $!; (exit 3)").await.unwrap();
        assert_eq!(result.exit_code, 3);
        let ended = timeout(PATIENCE, sandbox.ended()).await.expect("its end is noticed").unwrap();
        assert!(matches!(ended, Ended::Died(_)), "{ended:?}");
        let mut left = std::fs::read_dir(home.join(provider)).unwrap();
        assert!(left.next().is_none(), "something is left over on {provider}");
    }
    settles("the processes going", || children(getpid()).is_empty()).await;
}

#[test]
fn a_program_that_reaps_all_children_breaks_nothing() {
    let home = tempfile::tempdir().unwrap();
    Elsewhere::start("reaper", home.path()).finish();
}

#[test]
fn a_program_that_ignores_its_children_breaks_nothing() {
    let home = tempfile::tempdir().unwrap();
    Elsewhere::start("ignorer", home.path()).finish();
}

#[test]
fn every_kind_of_runtime_will_do() {
    let home = tempfile::tempdir().unwrap();
    let kinds = [Builder::new_current_thread as fn() -> Builder, Builder::new_multi_thread];
    let open = || async { Isobox::builder().home(home.path()).open().await.unwrap() };
    let isobox = kinds[0]().enable_all().build().unwrap().block_on(open());
    // One library in one runtime after the other.
    for kind in kinds.into_iter().chain(kinds) {
        kind().enable_all().build().unwrap().block_on(use_each(&isobox));
    }
}

/// Its children are counted, so it is alone in its process.
#[test]
#[ignore = "a process of the other tests"]
fn second_runtime() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
    let first = runtime();
    let lab = first.block_on(async { Isobox::builder().home(&home).open().await.unwrap() });
    let sandboxes = first.block_on(async {
        let mut sandboxes = Vec::new();
        for provider in PROVIDERS {
            sandboxes.push(lab.sandbox().provider(provider).create().await.unwrap());
        }
        sandboxes
    });
    drop(first);
    runtime().block_on(async {
        for sandbox in sandboxes {
            // The connection went with the first runtime. What can be done without it still works.
            let error = timeout(PATIENCE, sandbox.exec(["true"]).run()).await.expect("no call hangs").unwrap_err();
            assert!(matches!(error.code(), ErrorCode::Transport | ErrorCode::SandboxGone), "{error}");
            timeout(PATIENCE, sandbox.delete()).await.expect("delete ends").unwrap();
            timeout(PATIENCE, sandbox.ended()).await.expect("the end is told").unwrap();
        }
    });
    let forgotten = runtime();
    forgotten.block_on(async { drop(lab.sandbox().provider("host").create().await.unwrap()) });
    drop(forgotten);
    runtime().block_on(async {
        use_each(&lab).await;
        settles("all children being reaped", || children(getpid()).is_empty()).await;
    });
}

#[test]
fn a_runtime_that_ends_takes_no_call_along() {
    let home = tempfile::tempdir().unwrap();
    Elsewhere::start("second_runtime", home.path()).finish();
}

#[tokio::test]
async fn several_libraries_share_a_home() {
    let lab = Lab::open().await;
    let other = Isobox::builder().home(lab.home()).open().await.unwrap();
    let sandbox = lab.sandbox("host").await;
    use_each(&other).await;
    assert!(sandbox.exec(["true"]).await.unwrap().success());
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn health_is_what_making_a_sandbox_says() {
    let lab = Lab::open().await;
    for name in PROVIDERS {
        let provider = lab.isobox.provider(name).await.unwrap();
        let health = provider.health().await;
        assert_eq!((health.status, health.message), (HealthStatus::Ok, None), "on {name}");
        // Nothing can be made where nothing can be written.
        let kept = lab.home().join("kept");
        std::fs::rename(lab.home().join(name), &kept).unwrap();
        let health = provider.health().await;
        assert_eq!(health.status, HealthStatus::Unreachable, "on {name}");
        assert!(health.message.is_some_and(|message| message.contains("state directory")), "on {name}");
        std::fs::rename(&kept, lab.home().join(name)).unwrap();
    }
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

/// A program with threads hands any call to any of them, which only a compiler can refuse.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_look_into_the_books_can_be_spawned() {
    let lab = Lab::open().await;
    let isobox = lab.isobox.clone();
    let sandbox = isobox.sandbox().provider("host").name("seen").create().await.unwrap();
    let (id, of) = (*sandbox.id(), isobox.clone());
    let listed = tokio::spawn(async move { of.list(isobox::SandboxFilter::default()).await });
    assert_eq!(listed.await.unwrap().unwrap().iter().map(|entry| entry.id).collect::<Vec<_>>(), [id]);
    let of = isobox.clone();
    assert_eq!(tokio::spawn(async move { of.inspect("seen").await }).await.unwrap().unwrap().id, id);
    let of = isobox.clone();
    assert_eq!(tokio::spawn(async move { of.connect("seen").await }).await.unwrap().unwrap().id(), &id);
    let of = isobox.clone();
    assert!(tokio::spawn(async move { of.processes("seen").await }).await.unwrap().unwrap().is_empty());
    assert!(tokio::spawn(async move { isobox.collect_garbage().dry_run().await }).await.unwrap().is_ok());
}
