//! What a namespace sandbox is made of: its root, its mounts, its network, its ids.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{Lab, processes_with};
use elsewhere::mark;
use isobox::{Mount, Sandbox, SandboxBuilder};
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

async fn made(lab: &Lab, change: impl FnOnce(SandboxBuilder) -> SandboxBuilder) -> Sandbox {
    change(lab.isobox.sandbox().provider("namespace")).create().await.unwrap()
}

async fn output(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    format!("{}{}", result.stdout.text(), result.stderr.text())
}

fn root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A root filesystem with nothing but busybox, which must be static.
fn busybox(place: &Path) -> Option<PathBuf> {
    let program = ["/usr/bin/busybox", "/bin/busybox"].iter().find(|path| Path::new(path).exists())?;
    let root = place.join("root");
    std::fs::create_dir_all(root.join("bin")).unwrap();
    std::fs::copy(program, root.join("bin/busybox")).unwrap();
    for applet in ["sh", "cat", "ls", "rm", "mkdir", "touch", "id", "chmod"] {
        std::os::unix::fs::symlink("busybox", root.join("bin").join(applet)).unwrap();
    }
    std::fs::create_dir(root.join("data")).unwrap();
    std::fs::write(root.join("data/file"), "original").unwrap();
    std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o755)).unwrap();
    Some(root)
}

/// Everything below a directory: kind and mode, owner, time of change, size.
fn picture(directory: &Path) -> BTreeMap<PathBuf, (u32, u32, i64, u64)> {
    let mut all = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(path) = open.pop() {
        let metadata = path.symlink_metadata().unwrap();
        if metadata.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        all.insert(path, (metadata.mode(), metadata.uid(), metadata.mtime_nsec(), metadata.size()));
    }
    all
}

#[tokio::test]
async fn a_directory_can_be_the_root_and_is_not_changed() {
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let Some(root) = busybox(place.path()) else { return eprintln!("skipped: there is no busybox") };
    let before = picture(&root);
    let lab = Lab::open().await;
    let first = made(&lab, |builder| builder.rootfs(&root)).await;
    assert_eq!(
        output(&first, "cat /data/file; id -u; ls /").await.replace('\n', " ").split(' ').next(),
        Some("original0")
    );
    let change =
        "echo changed > /data/file; rm /bin/ls; mkdir -p /new/deep; touch /new/deep/x; chmod 700 /data; cat /data/file";
    assert_eq!(output(&first, change).await, "changed\n");
    let second = made(&lab, |builder| builder.rootfs(&root)).await;
    assert_eq!(
        output(&second, "cat /data/file; ls /new").await.lines().next().unwrap().split("ls").next(),
        Some("original")
    );
    first.delete().await.unwrap();
    second.delete().await.unwrap();
    assert_eq!(picture(&root), before);
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn the_default_root_has_the_programs_and_nothing_of_the_users() {
    let lab = Lab::open().await;
    let secret = tempfile::NamedTempFile::new().unwrap();
    let sandbox = made(&lab, |builder| builder).await;
    for path in ["/usr/x", "/usr/bin/sh", "/bin/x"] {
        let said = output(&sandbox, &format!("echo x > {path}")).await;
        assert!(said.contains("Read-only") || said.contains("denied"), "{path}: {said}");
    }
    let home = std::env::var("HOME").unwrap_or("/root".into());
    assert_eq!(output(&sandbox, &format!("find /home /root /tmp {home} -type f 2>/dev/null")).await.trim(), "");
    for path in [secret.path(), lab.home()] {
        assert!(!sandbox.files().exists(path.to_str().unwrap()).await.unwrap(), "{}", path.display());
    }
    for path in ["/etc/ssh/ssh_host_ed25519_key", "/proc/kcore", "/dev/sda", "/dev/mem", "/dev/kmsg"] {
        assert_eq!(output(&sandbox, &format!("head -c1 {path} 2>/dev/null | wc -c")).await.trim(), "0", "{path}");
    }
    assert!(!output(&sandbox, "cat /etc/shadow").await.contains('$'), "no hash of a password");
    for path in ["/tmp", "/root", "/home"] {
        assert_eq!(
            output(&sandbox, &format!("echo private > {path}/file && cat {path}/file")).await,
            "private\n",
            "{path}"
        );
        assert!(!Path::new(path).join("file").exists());
    }
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_bind_mount_is_the_callers_own_directory() {
    let place = tempfile::tempdir().unwrap();
    let (shared, fixed) = (place.path().join("shared"), place.path().join("fixed"));
    for directory in [&shared, &fixed] {
        std::fs::create_dir(directory).unwrap();
        std::fs::write(directory.join("given"), "given").unwrap();
    }
    let lab = Lab::open().await;
    let single = fixed.join("given");
    let mounts = |builder: SandboxBuilder| {
        let builder =
            builder.mount(Mount::bind(&shared, "/mnt/shared")).mount(Mount::bind(&fixed, "/mnt/fixed").read_only());
        builder.mount(Mount::bind(&single, "/mnt/one").read_only())
    };
    let sandbox = made(&lab, mounts).await;
    assert_eq!(output(&sandbox, "cat /mnt/shared/given /mnt/fixed/given /mnt/one").await, "givengivengiven");
    assert_eq!(output(&sandbox, "echo made > /mnt/shared/made; mkdir /mnt/shared/d; rm /mnt/shared/given").await, "");
    for refused in
        ["echo x > /mnt/fixed/x", "rm -f /mnt/fixed/given", "echo x > /mnt/one", "mount -o remount,rw /mnt/fixed"]
    {
        assert_ne!(sandbox.shell(refused).await.unwrap().exit_code, 0, "{refused}");
    }
    sandbox.files().write("/mnt/shared/written", "by the library").await.unwrap();
    sandbox.delete().await.unwrap();
    let own = rustix::process::geteuid().as_raw();
    for name in ["made", "d", "written"] {
        assert_eq!(shared.join(name).metadata().unwrap().uid(), own, "{name} belongs to the caller");
    }
    assert!(!shared.join("given").exists());
    assert_eq!(std::fs::read_to_string(fixed.join("given")).unwrap(), "given");
    assert_eq!(std::fs::read_dir(&fixed).unwrap().count(), 1);
}

#[tokio::test]
async fn there_is_no_network_but_its_own_loopback() {
    let lab = Lab::open().await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let sandbox = made(&lab, |builder| builder).await;
    let interfaces = output(&sandbox, "tail -n +3 /proc/net/dev | cut -d: -f1").await;
    assert_eq!(interfaces.split_whitespace().collect::<Vec<_>>(), ["lo"]);
    assert_eq!(output(&sandbox, "tail -n +2 /proc/net/route").await, "");
    let probe = format!(
        "import socket
def attempt(name, call):
    try: call(); print(name, 'worked')
    except OSError as error: print(name, 'failed')
attempt('host', lambda: socket.create_connection(('127.0.0.1', {port}), 2))
attempt('address', lambda: socket.create_connection(('1.1.1.1', 53), 2))
attempt('six', lambda: socket.create_connection(('2606:4700:4700::1111', 53), 2))
attempt('name', lambda: socket.getaddrinfo('example.com', 80))
attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('8.8.8.8', 53)))
attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).sendto(b'x', ('8.8.8.8', 0)))
attempt('packet', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).bind(('eth0', 0)))
own = socket.create_server(('127.0.0.1', 0))
attempt('own', lambda: socket.create_connection(own.getsockname(), 2))"
    );
    let result = sandbox.exec(["python3", "-c", &probe]).await;
    match result {
        Ok(result) => {
            let expected =
                ["host", "address", "six", "name", "udp", "raw", "packet"].map(|name| format!("{name} failed\n"));
            assert_eq!(result.stdout.text(), expected.concat() + "own worked\n", "{}", result.stderr.text());
        }
        Err(error) => eprintln!("skipped in part: no python3: {error}"),
    }
    sandbox.delete().await.unwrap();
}

/// The four ids of a kind in `/proc/PID/status`.
fn ids(pid: u32, kind: &str) -> Vec<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(kind)?.strip_prefix(':')).unwrap();
    line.split_whitespace().map(|id| id.parse().unwrap()).collect()
}

#[tokio::test]
async fn its_processes_own_nothing_on_the_host() {
    let lab = Lab::open().await;
    let sandbox = made(&lab, |builder| builder).await;
    let mark = mark();
    let process = sandbox.exec(["sleep", &mark]).spawn().await.unwrap();
    elsewhere::settles("the command starting", || !processes_with(&mark).is_empty()).await;
    for pid in processes_with(&mark) {
        let expected = |id: u32, own: u32| if root() { id >= 0x7000_0000 } else { id == own };
        assert!(ids(pid, "Uid").iter().all(|id| expected(*id, rustix::process::geteuid().as_raw())), "{pid}");
        assert!(ids(pid, "Gid").iter().all(|id| expected(*id, rustix::process::getegid().as_raw())), "{pid}");
        if root() {
            assert!(ids(pid, "Groups").iter().all(|id| *id >= 0x7000_0000), "{pid}");
        }
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        assert!(status.contains("NoNewPrivs:\t1"), "{status}");
        for namespace in ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"] {
            let own = |pid: &str| std::fs::read_link(format!("/proc/{pid}/ns/{namespace}")).unwrap();
            assert_ne!(own(&pid.to_string()), own("self"), "{namespace}");
        }
    }
    process.kill().await.unwrap();
    // Its own processes are all it sees: the agent, a supervisor, this shell and what the shell runs.
    // Counted by the shell alone: one that ends between its being listed and its being looked at is no error.
    assert!(output(&sandbox, "set -- /proc/[0-9]*; echo $#").await.trim().parse::<u32>().unwrap() < 10);
    sandbox.delete().await.unwrap();
}
