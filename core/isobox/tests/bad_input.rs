//! What cannot be done is refused before anything is made, and the refusal names the field and the way out.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;

use common::{Lab, PROVIDERS};
use isobox::{
    Detail, Error, ErrorCode, HostOptions, Isolation, Mount, NamespaceOptions, NamespaceUsers, NetworkPolicy,
    ProviderOptions, SandboxBuilder, Source,
};
use std::time::Duration;

type Change<'a> = Box<dyn Fn(SandboxBuilder) -> SandboxBuilder + 'a>;

/// A refusal: what was asked for, the code, what the field or the capability begins with, and what else the message must say.
struct Case<'a> {
    name: &'a str,
    change: Change<'a>,
    code: ErrorCode,
    words: &'a [&'a str],
}

fn case<'a>(
    name: &'a str,
    code: ErrorCode,
    words: &'a [&'a str],
    change: impl Fn(SandboxBuilder) -> SandboxBuilder + 'a,
) -> Case<'a> {
    Case { name, change: Box::new(change), code, words }
}

fn root() -> bool {
    rustix::process::geteuid().is_root()
}

async fn refuses(lab: &Lab, provider: &str, cases: impl IntoIterator<Item = Case<'_>>) {
    let mut problems = Vec::new();
    for Case { name, change, code, words } in cases {
        let mut problem = |what: String| problems.push(format!("{name}: {what}"));
        match change(lab.isobox.sandbox().provider(provider)).create().await {
            Err(error) => check(&error, code, words, &mut problem),
            Ok(_) => problem("is accepted".into()),
        }
        if !lab.left_over().is_empty() {
            problem("something is left over".into());
        }
    }
    assert!(problems.is_empty(), "{provider}:\n{}", problems.join("\n"));
}

fn check(error: &Error, code: ErrorCode, words: &[&str], problem: &mut impl FnMut(String)) {
    let about = match error.detail() {
        Detail::InvalidSpec { field, .. } => field,
        Detail::Unsupported { capability } => capability,
        Detail::Resource { id, .. } => id,
        other => return problem(format!("{other:?} in {error:?}")),
    };
    if error.code() != code || !about.starts_with(words[0]) {
        problem(format!("{} about {about}: {error}", error.code()));
    }
    if let Some(word) = words[1..].iter().find(|word| !error.message().contains(**word)) {
        problem(format!("no {word:?} in {error}"));
    }
    if error.is_infrastructure() || error.is_retryable() || error.operation() != Some("create") {
        problem(format!("not as the caller's fault: {error:?}"));
    }
}

use ErrorCode::{InvalidSpec, Unsupported};

#[tokio::test]
async fn what_no_provider_can_do_is_refused_by_all() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let cases = vec![
            case("an empty name", InvalidSpec, &["name"], |b| b.name("")),
            case("a name with a NUL", InvalidSpec, &["name"], |b| b.name("a\0b")),
            case("a variable without a name", InvalidSpec, &["env"], |b| b.env("", "x")),
            case("a variable with = in its name", InvalidSpec, &["env"], |b| b.env("A=B", "x")),
            case("a NUL in a variable's name", InvalidSpec, &["env"], |b| b.env("A\0", "x")),
            case("a NUL in a variable", InvalidSpec, &["env"], |b| b.env("A", "x\0y")),
            case("a NUL in the working directory", InvalidSpec, &["workdir"], |b| b.workdir("/tmp/\0")),
            case("a relative working directory", InvalidSpec, &["workdir", "absolute"], |b| b.workdir("tmp")),
            case("an empty working directory", InvalidSpec, &["workdir"], |b| b.workdir("")),
            case("no working directory", InvalidSpec, &["workdir", "exist"], |b| b.workdir("/not/there")),
            case("a file to work in", InvalidSpec, &["workdir"], |b| b.workdir("/etc/passwd")),
            case("an empty label", InvalidSpec, &["label"], |b| b.label("", "x")),
            case("port zero", InvalidSpec, &["ports", "zero"], |b| b.port(0)),
            case("no time to live", InvalidSpec, &["ttl", "zero"], |b| b.ttl(Duration::ZERO)),
            case("no idle time", InvalidSpec, &["idle_timeout", "zero"], |b| b.idle_timeout(Duration::ZERO)),
            case("no lease", InvalidSpec, &["owner_lease", "zero"], |b| b.owner_lease(Duration::ZERO)),
            case("no memory", InvalidSpec, &["resources.memory", "zero"], |b| b.memory(0)),
            case("no processors", InvalidSpec, &["resources.cpus"], |b| b.cpus(0.0)),
            case("processors that are no number", InvalidSpec, &["resources.cpus"], |b| b.cpus(f64::NAN)),
            case("a negative processor", InvalidSpec, &["resources.cpus"], |b| b.cpus(-1.0)),
            case("an image without a name", InvalidSpec, &["source"], |b| b.image("")),
            case("an image and a directory", InvalidSpec, &["source", "twice"], |b| {
                b.image("alpine").workspace("/tmp")
            }),
            case("the internet", Unsupported, &["network.public"], |b| b.network(NetworkPolicy::Public)),
            case("a host", Unsupported, &["network.hosts"], |b| b.network(allow(&["example.com"]))),
            case("an empty list of hosts", InvalidSpec, &["network.allow", "empty"], |b| b.network(allow(&[]))),
            case("a virtual machine", Unsupported, &["isolation.vm"], |b| b.least_isolation(Isolation::Vm)),
            case("a tmpfs without size", InvalidSpec, &["mounts", "zero"], |b| {
                b.mount(Mount::tmpfs("/scratch").size(0))
            }),
            case("a mount on a relative path", InvalidSpec, &["mounts", "absolute"], |b| {
                b.mount(Mount::bind("/usr", "mnt"))
            }),
            case("a mount of what is not there", InvalidSpec, &["mounts.source"], |b| {
                b.mount(Mount::bind("/not/there", "/mnt"))
            }),
        ];
        // The host has no mounts at all, wherever they come from.
        let cases =
            cases.into_iter().filter(|case| provider == "namespace" || !case.name.contains("what is not there"));
        refuses(&lab, provider, cases).await;
    }
}

fn allow(hosts: &[&str]) -> NetworkPolicy {
    let allow = hosts.iter().map(|host| host.parse().unwrap()).collect();
    NetworkPolicy::Allow { allow, deny: Vec::new(), dns: Vec::new() }
}

#[tokio::test]
async fn what_namespaces_cannot_do_is_refused() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    let missing = place.path().join("missing");
    let host_options = || ProviderOptions::Host(HostOptions::default());
    let hostname = |name: &str| {
        ProviderOptions::Namespace(NamespaceOptions { hostname: Some(name.into()), ..NamespaceOptions::default() })
    };
    let long = "x".repeat(65);
    let single = || {
        ProviderOptions::Namespace(NamespaceOptions { users: NamespaceUsers::Single, ..NamespaceOptions::default() })
    };
    let mut cases = vec![
        case("a root that is a file", InvalidSpec, &["source", "not a directory"], |b| b.rootfs(&file)),
        case("a root that is not there", InvalidSpec, &["source", "missing"], |b| b.rootfs(&missing)),
        case("the machine's own root", InvalidSpec, &["source"], |b| b.rootfs("/")),
        case("an empty root", InvalidSpec, &["source"], |b| b.rootfs("")),
        case("an unknown user", InvalidSpec, &["user", "nobody-knows"], |b| b.user("nobody-knows")),
        case("an empty user", InvalidSpec, &["user"], |b| b.user("")),
        case("a user with a NUL", InvalidSpec, &["user"], |b| b.user("a\0")),
        case("a mount in /proc", InvalidSpec, &["mounts", "/proc"], |b| b.mount(Mount::bind("/usr", "/proc/x"))),
        case("a mount in /dev", InvalidSpec, &["mounts", "/dev"], |b| b.mount(Mount::bind("/usr", "/dev/x"))),
        case("a mount on the root", InvalidSpec, &["mounts"], |b| b.mount(Mount::bind("/usr", "/"))),
        case("a mount that climbs out", InvalidSpec, &["mounts"], |b| b.mount(Mount::bind("/usr", "/mnt/../../x"))),
        case("a mount with a NUL", InvalidSpec, &["mounts"], |b| b.mount(Mount::bind("/usr", "/mnt\0"))),
        case("two mounts on one place", InvalidSpec, &["mounts", "twice"], |b| {
            b.mount(Mount::bind("/usr", "/mnt")).mount(Mount::bind("/etc", "/mnt/"))
        }),
        case("a workspace", Unsupported, &["source.host_directory"], |b| b.workspace(place.path())),
        case("a file that is no archive", InvalidSpec, &["source.path", "damaged"], |b| {
            b.source(Source::Archive { path: file.clone(), reference: None })
        }),
        case("a reference that is none", InvalidSpec, &["source.reference"], |b| b.image("no image")),
        case("options of another provider", InvalidSpec, &["options", "host"], move |b| b.options(host_options())),
        case("a host name that is none", InvalidSpec, &["options.namespace.hostname"], |b| b.options(hostname("a b"))),
        case("an empty host name", InvalidSpec, &["options.namespace.hostname"], |b| b.options(hostname(""))),
        case("a long host name", InvalidSpec, &["options.namespace.hostname"], |b| b.options(hostname(&long))),
    ];
    if !root() {
        cases.push(case("another user than the only one", Unsupported, &["user"], |b| {
            b.user("daemon").options(single())
        }));
    }
    refuses(&lab, "namespace", cases).await;
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1, "the caller's directory is as it was");
}

#[tokio::test]
async fn what_the_bare_host_cannot_do_is_refused() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    let missing = place.path().join("missing");
    let inherit = |name: &str| ProviderOptions::Host(HostOptions { inherit_env: vec![name.into()] });
    let namespace_options = || ProviderOptions::Namespace(NamespaceOptions::default());
    let mut cases = vec![
        case("a root", Unsupported, &["source.rootfs"], |b| b.rootfs(place.path())),
        case("a mount", Unsupported, &["mounts.bind"], |b| b.mount(Mount::bind("/usr", "/mnt"))),
        case("a memory limit", Unsupported, &["resources.memory"], |b| b.memory(1 << 30)),
        case("a disk limit", Unsupported, &["resources.disk"], |b| b.disk(1 << 30)),
        case("a process limit", Unsupported, &["resources.pids"], |b| b.pids(10)),
        case("half a processor", Unsupported, &["resources.cpu"], |b| b.cpus(0.5)),
        case("an image", Unsupported, &["source.image"], |b| b.image("alpine")),
        case("an archive", Unsupported, &["source.archive"], |b| {
            b.source(Source::Archive { path: missing.clone(), reference: None })
        }),
        case("no network", Unsupported, &["network.none"], |b| b.network(NetworkPolicy::None)),
        case("isolation", Unsupported, &["isolation.process"], |b| b.least_isolation(Isolation::Process)),
        case("a workspace that is not there", InvalidSpec, &["source.path", "missing"], |b| b.workspace(&missing)),
        case("a file as workspace", InvalidSpec, &["source.path", "directory"], |b| b.workspace("/etc/passwd")),
        case("a secret of the caller", InvalidSpec, &["options.host.inherit_env", "MY_TOKEN"], |b| {
            b.options(inherit("MY_TOKEN"))
        }),
        case("options of another provider", InvalidSpec, &["options", "namespace"], |b| b.options(namespace_options())),
    ];
    if root() {
        cases.push(case("an unknown user", InvalidSpec, &["user", "nobody-knows"], |b| b.user("nobody-knows")));
    } else {
        cases.push(case("another user", Unsupported, &["create.user"], |b| b.user("root")));
    }
    refuses(&lab, "host", cases).await;
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0, "the caller's directory is as it was");
}

#[tokio::test]
async fn a_provider_that_does_not_exist_is_named_with_those_that_do() {
    let lab = Lab::open().await;
    for name in ["", "dokcer", "Host", "name\0space", "../host"] {
        let error = lab.isobox.sandbox().provider(name).create().await.unwrap_err();
        check(&error, ErrorCode::NotFound, &[name, "auto", "namespace", "host"], &mut |what| panic!("{name}: {what}"));
        let error = isobox::Isobox::builder().home(lab.home()).default_provider(name).open().await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotFound);
    }
}

#[tokio::test]
async fn auto_is_never_less_than_what_is_asked_for() {
    let lab = Lab::open().await;
    let error = lab.isobox.sandbox().least_isolation(Isolation::Vm).create().await.unwrap_err();
    check(&error, Unsupported, &["isolation.vm"], &mut |what| panic!("{what}"));
    let sandbox = lab.isobox.sandbox().create().await.unwrap();
    assert_ne!(sandbox.provider().as_str(), "host");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn commands_that_are_none_are_refused_and_the_sandbox_goes_on() {
    common::on_each_provider(async |provider, sandbox| {
        let none: [&str; 0] = [];
        let cases = [
            ("no program", sandbox.exec(none), "argv"),
            ("an empty program", sandbox.exec([""]), "argv"),
            ("a NUL in a program", sandbox.exec(["a\0b"]), "argv"),
            ("a NUL in an argument", sandbox.exec(["echo", "a\0b"]), "argv"),
            ("a NUL in a script", sandbox.shell("echo \0"), "command"),
            ("a NUL in a variable", sandbox.exec(["true"]).env("A", "\0"), "env"),
            ("a variable without a name", sandbox.exec(["true"]).env("", "x"), "env"),
            ("a NUL in the directory", sandbox.exec(["true"]).cwd("a\0"), "cwd"),
            ("a terminal without size", sandbox.exec(["true"]).pty(0, 0), "pty"),
            ("no time", sandbox.exec(["true"]).timeout(Duration::ZERO), "timeout"),
        ];
        for (name, command, word) in cases {
            let error = command.await.expect_err(name);
            assert_eq!(error.code(), InvalidSpec, "{provider}, {name}: {error}");
            let Detail::InvalidSpec { field, .. } = error.detail() else { panic!("{name}: {error:?}") };
            assert!(field.starts_with(word), "{provider}, {name}: {field}: {error}");
        }
        assert!(sandbox.exec(["true"]).await.unwrap().success());
    })
    .await;
}
