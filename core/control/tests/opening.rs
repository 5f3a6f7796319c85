//! What is done with the files that are found in the place of the control plane.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]

mod common;

use isobox_contract::{Error, ErrorCode, State};
use isobox_control::{Options, SCHEMA_VERSION, SqliteStore};
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

async fn open(path: &Path) -> Result<common::Books, Error> {
    Ok(Arc::new(SqliteStore::open(path, Options::default()).await?))
}

async fn refusal(path: &Path) -> Error {
    open(path).await.map(|_| "opened").unwrap_err()
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("home/control.db");
    fs::create_dir(home.path().join("home")).unwrap();
    (home, path)
}

fn check(path: &Path) -> String {
    Connection::open(path).unwrap().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn only_its_user_can_read_it() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("deep/er/control.db");
    let store = open(&path).await.unwrap();
    common::running(&store, None).await;
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.file_name());
    }
    let directory = fs::metadata(path.parent().unwrap()).unwrap().permissions().mode();
    assert_eq!(directory & 0o777, 0o700);
    store.close().await.unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    open(&path).await.unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "it is closed again");
}

#[tokio::test]
async fn what_was_written_is_there_when_it_is_opened_again() {
    let (_home, path) = place();
    let store = open(&path).await.unwrap();
    let sandbox = common::running(&store, Some("a")).await;
    store.close().await.unwrap();
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["control.db"], "closing leaves one file");
    let store = open(&path).await.unwrap();
    assert_eq!(store.sandbox_by_name("a").await.unwrap().unwrap().id, sandbox.id);
}

#[tokio::test]
async fn an_empty_file_is_a_new_one() {
    let (_home, path) = place();
    fs::write(&path, "").unwrap();
    common::running(&open(&path).await.unwrap(), None).await;
}

#[tokio::test]
async fn files_that_are_no_database_are_named_with_the_way_out() {
    let (_home, path) = place();
    let mut header = b"SQLite format 3\0".to_vec();
    header.resize(4096, 0xff);
    for content in [b"hello, this is a text\n".to_vec(), vec![0; 5000], header, b"SQLite".to_vec()] {
        fs::write(&path, &content).unwrap();
        let error = refusal(&path).await;
        assert_eq!(error.code(), ErrorCode::Io, "{error}");
        let message = error.message();
        assert!(message.contains(path.to_str().unwrap()) && message.contains("away"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), content, "it is left as it was");
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let before = fs::metadata(&path).unwrap().permissions();
    assert!(refusal(&path).await.message().contains("control.db"));
    assert_eq!(fs::metadata(&path).unwrap().permissions(), before);
}

#[tokio::test]
async fn a_damaged_page_is_reported_and_not_read_around() {
    let (_home, path) = place();
    let store = open(&path).await.unwrap();
    for _ in 0..50 {
        common::running(&store, None).await;
    }
    store.close().await.unwrap();
    let mut content = fs::read(&path).unwrap();
    content[4096..].fill(0xa5);
    fs::write(&path, content).unwrap();
    let damaged = match open(&path).await {
        Err(error) => error,
        Ok(store) => store.sandboxes(Default::default(), isobox_control::Page::first()).await.unwrap_err(),
    };
    assert_eq!(damaged.code(), ErrorCode::Io);
    assert!(damaged.message().contains("damaged"), "{damaged}");
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_numbers() {
    let (_home, path) = place();
    open(&path).await.unwrap().close().await.unwrap();
    let newer = SCHEMA_VERSION + 1;
    Connection::open(&path).unwrap().pragma_update(None, "user_version", newer).unwrap();
    let error = refusal(&path).await;
    assert_eq!(error.code(), ErrorCode::Unsupported);
    let message = error.message();
    for expected in [format!("version {newer}"), format!("up to {SCHEMA_VERSION}"), "upgrade".into()] {
        assert!(message.contains(&expected), "{message}");
    }
}

#[tokio::test]
async fn the_database_of_another_program_is_left_alone() {
    let (_home, path) = place();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE photos (id INTEGER)").unwrap();
    let before = fs::read(&path).unwrap();
    assert!(refusal(&path).await.message().contains("another program"));
    Connection::open(&path).unwrap().pragma_update(None, "application_id", 42).unwrap();
    assert!(refusal(&path).await.message().contains("another program"));
    assert_eq!(fs::read(&path).unwrap().len(), before.len());
}

/// Opens a database as an earlier version made it, and uses it.
async fn of_version(earlier: &str) {
    let (_home, path) = place();
    Connection::open(&path).unwrap().execute_batch(earlier).unwrap();
    let store = open(&path).await.unwrap();
    let kept = store.sandbox_by_name("kept").await.unwrap().unwrap();
    assert_eq!((kept.state, kept.labels["team"].as_str()), (State::Running, "blue"));
    let page = store.events_after(0, Default::default(), 100).await.unwrap();
    assert_eq!(page.events.len() as u64, page.through);
    common::running(&store, Some("new")).await;
    assert!(store.claim("sweep", Duration::ZERO).await.unwrap());
    store.close().await.unwrap();
    let connection = Connection::open(&path).unwrap();
    let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!((version, check(&path).as_str()), (SCHEMA_VERSION, "ok"));
}

#[tokio::test]
async fn a_database_of_version_1_is_read_and_written() {
    of_version(include_str!("data/version-1.sql")).await;
}

#[tokio::test]
async fn a_database_of_version_2_is_read_and_written() {
    of_version(include_str!("data/version-2.sql")).await;
}

#[tokio::test]
async fn a_database_of_version_3_is_read_and_written() {
    of_version(include_str!("data/version-3.sql")).await;
}

#[tokio::test]
async fn a_database_of_version_4_is_read_and_written() {
    of_version(include_str!("data/version-4.sql")).await;
}

#[tokio::test]
async fn a_database_of_version_5_is_read_and_written() {
    of_version(include_str!("data/version-5.sql")).await;
    let (_home, path) = place();
    Connection::open(&path).unwrap().execute_batch(include_str!("data/version-5.sql")).unwrap();
    let known = open(&path).await.unwrap().images(&isobox_contract::ProviderKind::NAMESPACE).await.unwrap();
    assert_eq!((known.revision, known.images[0].reference.as_str()), (0, "docker.io/library/alpine:3.22"));
}

/// Prints the SQL of a database as this version makes it, for `data/version-N.sql`.
#[tokio::test]
#[ignore = "writes a new file for the tests when the schema has a new version"]
async fn print_a_database_of_this_version() {
    let (_home, path) = place();
    let store = open(&path).await.unwrap();
    let mut request = common::create(Some("kept"));
    request.spec.labels.insert("team".into(), "blue".into());
    let (_, operation) = common::begun(&store, request).await;
    store.confirm(&operation.id, isobox_control::Outcome::state(State::Running)).await.unwrap();
    store.close().await.unwrap();
    let kept = std::env::temp_dir().join("control-of-this-version.db");
    fs::copy(&path, &kept).unwrap();
    println!("add what `sqlite3 {} .dump` prints to the two PRAGMAs of the header", kept.display());
}

/// Runs one of the ignored tests below in namespaces of its own, with a small filesystem; false when that cannot be here.
fn in_small_filesystem(test: &str, prepare: &str) -> bool {
    let directory = tempfile::tempdir().unwrap();
    let script = format!(
        "mount -t tmpfs -o size=1m,mode=777 none \"$1\" || exit 77\n{prepare}\nexec \"$2\" --ignored --exact {test}"
    );
    let run = Command::new("unshare")
        .args(["-rm", "sh", "-c", &script, "sh"])
        .arg(directory.path())
        .arg(std::env::current_exe().unwrap())
        .env("ISOBOX_TEST_PLACE", directory.path())
        .output();
    let run = match run {
        Ok(run) if run.status.code() == Some(77) || String::from_utf8_lossy(&run.stderr).starts_with("unshare:") => {
            println!("skipped: no filesystem can be mounted here: {}", String::from_utf8_lossy(&run.stderr).trim());
            return false;
        }
        Ok(run) => run,
        Err(error) => {
            println!("skipped: unshare: {error}");
            return false;
        }
    };
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && text.contains("1 passed"), "{text}\n{}", String::from_utf8_lossy(&run.stderr));
    true
}

fn small_place() -> PathBuf {
    std::env::var_os("ISOBOX_TEST_PLACE").map(PathBuf::from).expect("run by another test").join("control.db")
}

#[test]
fn a_full_disk_is_told_and_nothing_is_damaged() {
    in_small_filesystem("inside_a_full_disk", "");
}

#[tokio::test]
#[ignore = "run by a_full_disk_is_told_and_nothing_is_damaged"]
async fn inside_a_full_disk() {
    let path = small_place();
    let store = open(&path).await.unwrap();
    let mut written = Vec::new();
    let error = loop {
        match store.begin_create(common::create(None)).await {
            Ok(isobox_control::Created::Begun { sandbox, .. }) => written.push(sandbox.id),
            Ok(other) => panic!("{other:?}"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    assert!(!written.is_empty());
    let page = store.sandboxes(Default::default(), isobox_control::Page::first()).await.unwrap();
    assert_eq!(page.len(), written.len(), "what was answered is there, and nothing else");
    store.close().await.ok();
    assert_eq!(check(&path), "ok");
    let fill = path.with_file_name("fill");
    fs::write(&fill, vec![0; 2 << 20]).ok();
    let fresh = refusal(&path.with_file_name("other.db")).await;
    assert_eq!(fresh.code(), ErrorCode::OutOfDisk, "{fresh}");
}

#[test]
fn a_read_only_filesystem_is_told() {
    in_small_filesystem("inside_a_read_only_filesystem", "mount -o remount,bind,ro \"$1\" || exit 77");
}

#[tokio::test]
#[ignore = "run by a_read_only_filesystem_is_told"]
async fn inside_a_read_only_filesystem() {
    let error = refusal(&small_place()).await;
    assert_eq!(error.code(), ErrorCode::PermissionDenied, "{error}");
}

#[tokio::test]
async fn a_directory_of_somebody_else_is_told() {
    let (home, path) = place();
    open(&path).await.unwrap().close().await.unwrap();
    fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o500)).unwrap();
    if rustix::process::geteuid().is_root() {
        println!("skipped: root may write everywhere");
    } else {
        let error = refusal(&path).await;
        assert_eq!(error.code(), ErrorCode::PermissionDenied, "{error}");
        let error = refusal(&path.with_file_name("other.db")).await;
        assert_eq!(error.code(), ErrorCode::PermissionDenied, "{error}");
    }
    fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
    drop(home);
}
