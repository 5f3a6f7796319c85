//! Commands, files, ports and limits of a sandbox in Docker: as everywhere else.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/docker.rs"]
mod docker;

use docker::{DEBIAN, DockerLab};
use isobox::{
    DockerOptions, ErrorCode, Isolation, Mount, NetworkPolicy, Platform, ProviderOptions, Resources, Sandbox, State,
};
use std::time::Duration;

const MIB: u64 = 1 << 20;

async fn out(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    assert_eq!(result.exit_code, 0, "{script}: {}", result.stderr.text());
    result.stdout.text().trim().to_owned()
}

/// Whether something runs in the sandbox that has this word in its command line.
async fn runs(sandbox: &Sandbox, word: &str) -> bool {
    let all = out(sandbox, "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$f; echo; done 2>/dev/null").await;
    all.lines().any(|line| line.contains(word) && !line.contains("tr "))
}

#[tokio::test]
async fn a_timeout_ends_the_whole_tree_whatever_it_did_to_get_away() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    let script =
        "setsid sh -c 'trap \"\" TERM; while :; do sleep 4711; done' & (sleep 4712 &) ; echo begun; sleep 4713";
    let result = sandbox.shell(script).timeout(Duration::from_secs(2)).await.unwrap();
    assert!(result.timed_out && result.stdout.text() == "begun\n", "{result:?}");
    for word in ["4711", "4712", "4713"] {
        assert!(!runs(&sandbox, word).await, "{word} runs on");
    }
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn an_image_with_nothing_in_it_has_an_agent_all_the_same() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.isobox.sandbox().provider("docker").image("scratch").create().await.unwrap();
    assert_eq!(sandbox.image().unwrap().reference, "scratch");
    sandbox.files().write("/a/b.txt", "there").await.unwrap();
    assert_eq!(sandbox.files().read_text("/a/b.txt").await.unwrap(), "there");
    let missing = sandbox.exec(["ls"]).await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound, "{missing}");
    let Platform { os, arch, .. } = sandbox.platform().await.unwrap();
    assert_eq!((os.as_str(), arch.as_str()), ("linux", std::env::consts::ARCH));
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn nothing_inside_learns_the_token_or_sees_the_agents_memory() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.tiny().env("SECRET_WORD", "xyzzy").create().await.unwrap();
    assert_eq!(out(&sandbox, "id -u").await, "0");
    assert_eq!(out(&sandbox, "ls /.isobox/run").await, "agent.sock");
    assert_eq!(out(&sandbox, "cat /proc/1/environ 2>/dev/null | grep -c xyzzy || true").await, "0");
    assert_eq!(out(&sandbox, "dd if=/proc/1/mem bs=1 count=1 2>/dev/null | wc -c").await, "0");
    assert_eq!(out(&sandbox, "readlink /proc/1/exe || echo hidden").await, "hidden");
    // Nor can it change what the next sandbox is made with.
    assert_eq!(out(&sandbox, "echo x >>/.isobox/agent || echo refused").await, "refused");
    let inspected = lab.docker(&["inspect", sandbox.external_id().as_str()]).unwrap();
    assert!(!inspected.contains("xyzzy"), "the engine shows the environment");
    // And TERM from inside does not stop it.
    out(&sandbox, "kill -TERM 1; kill -INT 1; kill -KILL 1; true").await;
    assert_eq!(out(&sandbox, "echo alive").await, "alive");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn files_belong_to_the_user_that_commands_run_as() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.isobox.sandbox().provider("docker").image(DEBIAN).user("nobody").create().await.unwrap();
    assert_eq!(out(&sandbox, "id -un").await, "nobody");
    sandbox.files().write("/tmp/mine", "x").await.unwrap();
    assert_eq!(out(&sandbox, "stat -c '%U %a' /tmp/mine").await, "nobody 644");
    let root = sandbox.exec(["id", "-un"]).user("root").await.unwrap();
    assert_eq!(root.stdout.text(), "root\n");
    sandbox.delete().await.unwrap();

    let unknown = lab.tiny().user("nobody-knows").create().await.unwrap_err();
    assert_eq!(unknown.code(), ErrorCode::InvalidSpec, "{unknown}");
    let nowhere = lab.tiny().workdir("/no/where").create().await.unwrap_err();
    assert!(nowhere.code() == ErrorCode::InvalidSpec && nowhere.message().contains("/no/where"), "{nowhere}");
    assert_eq!(lab.left_over(), Vec::<String>::new());
}

#[tokio::test]
async fn a_port_is_reached_although_there_is_no_network() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    assert_eq!(out(&sandbox, "ls /sys/class/net").await, "lo");
    let server = sandbox.shell("nc -l -p 8080 -e /bin/cat").detached().spawn().await.unwrap();
    sandbox.wait_for_port(8080, Duration::from_secs(20)).await.unwrap();
    let mut stream = sandbox.connect(8080).await.unwrap();
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    stream.write_all(b"echo").await.unwrap();
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"echo");
    drop(server);
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn limits_are_those_that_were_asked_for_and_can_be_changed() {
    let Some(lab) = DockerLab::open().await else { return };
    let able = lab.isobox.provider("docker").await.unwrap().capabilities().clone();
    if !able.resources.memory || !able.resources.pids {
        println!("skipped: the engine cannot limit memory and processes here");
        return;
    }
    let builder = lab.isobox.sandbox().provider("docker").image(DEBIAN).memory(64 * MIB).pids(40).cpus(0.5);
    let sandbox = builder.create().await.unwrap();
    let limits = sandbox.describe().await.unwrap().resources.unwrap();
    assert_eq!((limits.memory, limits.pids, limits.cpus), (Some(64 * MIB), Some(40), Some(0.5)));
    let eat = "python3 -c 'b = bytearray(200 << 20)'";
    let result = sandbox.shell(eat).await.unwrap();
    assert!(result.oom_killed && result.exit_code != 0, "{result:?}");
    assert_eq!(out(&sandbox, "echo alive").await, "alive");
    let forked = sandbox.shell("for i in $(seq 100); do sleep 20 & done; wait").timeout(Duration::from_secs(60)).await;
    assert_ne!(forked.unwrap().exit_code, 0);

    sandbox.resize(Resources { memory: Some(400 * MIB), pids: Some(200), ..Resources::default() }).await.unwrap();
    assert_eq!(sandbox.shell(eat).await.unwrap().exit_code, 0);
    let limits = sandbox.describe().await.unwrap().resources.unwrap();
    assert_eq!((limits.memory, limits.pids, limits.cpus), (Some(400 * MIB), Some(200), Some(0.5)));
    assert_eq!(sandbox.metrics().await.unwrap().memory_limit, Some(400 * MIB));
    sandbox.delete().await.unwrap();

    let little = lab.tiny().memory(4096).create().await.unwrap_err();
    assert_eq!(little.message(), "resources.memory is too little for docker, the least is 6m");
    let little = lab.tiny().cpus(0.005).create().await.unwrap_err();
    assert_eq!(little.message(), "resources.cpus is too little for docker, the least is 0.01 of a processor");
    // More processors than there are is no limit, as everywhere.
    let sandbox = lab.tiny().cpus(10_000.0).create().await.unwrap();
    sandbox.resize(Resources { cpus: Some(20_000.0), ..Resources::default() }).await.unwrap();
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<String>::new());
}

/// The engine turns IPv6 off where it has no network for it, also between a program and itself.
#[tokio::test]
async fn the_loopback_has_both_addresses_whatever_the_network() {
    let Some(lab) = DockerLab::open().await else { return };
    if !std::path::Path::new("/proc/sys/net/ipv6/conf/lo").exists() {
        println!("skipped: the kernel has no IPv6");
        return;
    }
    let script = "import socket; here = socket.create_server(('::1', 0), family=socket.AF_INET6)
socket.create_connection(here.getsockname()[:2]).send(b'there'); print(here.accept()[0].recv(5).decode())";
    for network in [NetworkPolicy::None, NetworkPolicy::Public] {
        let sandbox = lab.isobox.sandbox().provider("docker").image(DEBIAN).network(network).create().await.unwrap();
        for again in [false, true] {
            if again {
                sandbox.stop(None).await.unwrap();
                sandbox.start().await.unwrap();
            }
            let said = sandbox.exec(["python3", "-c", script]).await.unwrap();
            assert_eq!(said.stdout.text(), "there\n", "{said:?}");
        }
        sandbox.delete().await.unwrap();
    }
}

#[tokio::test]
async fn what_the_engine_cannot_do_is_refused_with_the_reason() {
    let Some(lab) = DockerLab::open().await else { return };
    let provider = lab.isobox.provider("docker").await.unwrap();
    if !provider.capabilities().resources.disk {
        let refused = lab.tiny().disk(100 * MIB).create().await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::Unsupported);
        assert!(refused.message().contains("data-root"), "{refused}");
    }
    let hosts = lab.tiny().network(NetworkPolicy::allow(["example.org"]).unwrap()).create().await.unwrap_err();
    assert!(hosts.code() == ErrorCode::Unsupported && hosts.message().contains("network.hosts"), "{hosts}");
    let with = |options: DockerOptions| lab.tiny().options(ProviderOptions::Docker(Box::new(options)));
    let runtime = with(DockerOptions { runtime: Some("nothing".into()), ..DockerOptions::default() });
    let refused = runtime.create().await.unwrap_err();
    assert!(refused.code() == ErrorCode::InvalidSpec && refused.message().contains("runc"), "{refused}");
    let host = with(DockerOptions { host_network: true, ..DockerOptions::default() }).create().await.unwrap_err();
    assert!(host.message().starts_with("options.docker.host_network"), "{host}");
    let privileged = with(DockerOptions { privileged: true, ..DockerOptions::default() });
    let refused = privileged.least_isolation(Isolation::Container).create().await.unwrap_err();
    assert!(refused.message().starts_with("options.docker.privileged"), "{refused}");
    let missing = lab.isobox.sandbox().provider("docker").create().await.unwrap_err();
    assert!(missing.message().starts_with("source is missing"), "{missing}");
    let kernel = lab.tiny().mount(Mount::tmpfs("/proc/sys")).create().await.unwrap_err();
    assert!(kernel.message().starts_with("mounts.target is /proc/sys, but /proc is the kernel's"), "{kernel}");
    let hostname = with(DockerOptions { hostname: Some("no name".into()), ..DockerOptions::default() });
    let refused = hostname.create().await.unwrap_err();
    assert!(refused.message().starts_with("options.docker.hostname"), "{refused}");
    let own = lab.tiny().mount(Mount::tmpfs("/.isobox/x")).create().await.unwrap_err();
    assert!(own.code() == ErrorCode::InvalidSpec && own.message().contains("/.isobox"), "{own}");
    assert_eq!(lab.left_over(), Vec::<String>::new());
}

#[tokio::test]
async fn mounts_and_options_have_their_effect() {
    let Some(lab) = DockerLab::open().await else { return };
    let shared = tempfile::tempdir().unwrap();
    std::fs::write(shared.path().join("in"), "from outside").unwrap();
    // Root without its capabilities is somebody else for a directory of another user.
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(shared.path(), everybody).unwrap();
    let options = DockerOptions {
        hostname: Some("named".into()),
        extra_hosts: [("other".to_owned(), "192.0.2.7".parse().unwrap())].into(),
        ulimits: vec!["nofile=123:456".into()],
        shm_size: Some(8 * MIB),
        cap_drop: vec!["ALL".into()],
        security_opt: vec!["no-new-privileges".into()],
        sysctls: [("net.ipv4.ip_unprivileged_port_start".to_owned(), "99".to_owned())].into(),
        ..DockerOptions::default()
    };
    let builder = lab.tiny().options(ProviderOptions::Docker(Box::new(options)));
    let builder = builder.mount(Mount::bind(shared.path(), "/ro").read_only()).mount(Mount::bind(shared.path(), "/rw"));
    let sandbox = builder.mount(Mount::tmpfs("/mem")).create().await.unwrap();
    assert_eq!(out(&sandbox, "hostname").await, "named");
    assert!(out(&sandbox, "cat /etc/hosts").await.contains("192.0.2.7"));
    assert_eq!(out(&sandbox, "ulimit -n").await, "123");
    assert_eq!(out(&sandbox, "cat /proc/sys/net/ipv4/ip_unprivileged_port_start").await, "99");
    assert_eq!(out(&sandbox, "grep CapEff /proc/self/status").await, "CapEff:\t0000000000000000");
    assert_eq!(out(&sandbox, "cat /ro/in").await, "from outside");
    assert_eq!(out(&sandbox, "echo x 2>/dev/null >/ro/out || echo refused").await, "refused");
    out(&sandbox, "echo back >/rw/out; echo gone >/mem/out").await;
    assert_eq!(std::fs::read_to_string(shared.path().join("out")).unwrap(), "back\n");
    assert!(out(&sandbox, "grep ' /mem ' /proc/mounts").await.starts_with("tmpfs"));
    sandbox.delete().await.unwrap();
    assert!(shared.path().join("in").exists());
}

#[tokio::test]
async fn a_paused_sandbox_stands_still_and_goes_on() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    let counting = "i=0; while :; do i=$((i+1)); echo $i >/count; sleep 0.02; done";
    let process = sandbox.shell(counting).detached().spawn().await.unwrap();
    sandbox.pause().await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Paused);
    let refused = sandbox.exec(["true"]).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidState, "{refused}");
    // Another handle finds it paused, and can thaw it.
    let other = lab.again().await.connect(sandbox.id().as_str()).await.unwrap();
    assert_eq!(other.describe().await.unwrap().state, State::Paused);
    other.resume().await.unwrap();
    assert_eq!(out(&other, "echo goes on").await, "goes on");
    sandbox.resume().await.unwrap();
    let before: u64 = out(&sandbox, "cat /count || echo 0").await.parse().unwrap();
    let script = format!("while [ \"$(cat /count)\" -le {before} ]; do sleep 0.02; done");
    sandbox.shell(script).timeout(Duration::from_secs(60)).await.unwrap();
    process.kill().await.unwrap();
    sandbox.delete().await.unwrap();
}
