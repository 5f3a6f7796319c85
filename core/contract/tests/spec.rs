//! A spec is refused for what is wrong with it, by field and before anything starts.

#![allow(clippy::unwrap_used)]

use isobox_contract::*;
use std::time::Duration;

fn field(spec: &SandboxSpec) -> Option<String> {
    let error = spec.validate().err()?;
    assert_eq!(error.code(), ErrorCode::InvalidSpec);
    let Detail::InvalidSpec { field, reason } = error.detail() else { panic!("{error:?}") };
    assert!(!reason.ends_with('.') && error.message().starts_with(field.as_str()), "{error}");
    Some(field.clone())
}

fn changed(change: impl FnOnce(&mut SandboxSpec)) -> SandboxSpec {
    let mut spec = SandboxSpec::default();
    change(&mut spec);
    spec
}

fn bind(target: &str) -> Mount {
    Mount { target: target.into(), source: MountSource::Bind { path: "/data".into() }, read_only: false }
}

fn volume(target: &str, subpath: Option<&str>) -> VolumeMount {
    let volume = "v1".parse().unwrap();
    VolumeMount { volume, target: target.into(), subpath: subpath.map(Into::into), read_only: false }
}

fn secret(hosts: &[&str]) -> Secret {
    let hosts = hosts.iter().map(|host| host.to_string()).collect();
    Secret { env: "KEY".into(), value: SecretValue::new("hunter2"), delivery: SecretDelivery::Hosts { hosts } }
}

fn after(millis: u64) -> Option<Lifetime> {
    Some(Lifetime::After(Duration::from_millis(millis)))
}

#[test]
fn identity() {
    let cases: [(SandboxSpec, Option<&str>); 15] = [
        (changed(|s| s.name = Some("a.b_c-1".into())), None),
        (changed(|s| s.name = Some("".into())), Some("name")),
        (changed(|s| s.name = Some("-a".into())), Some("name")),
        (changed(|s| s.name = Some("a b".into())), Some("name")),
        (changed(|s| s.name = Some("a".repeat(129))), Some("name")),
        (changed(|s| s.name = Some(SandboxId::generate().to_string())), Some("name")),
        (SandboxSpec::default().label("", "x"), Some("labels")),
        (SandboxSpec::default().label("isobox.id", "x"), Some("labels")),
        (SandboxSpec::default().label("a", "x\n"), Some("labels")),
        (SandboxSpec::default().env("", "x"), Some("env")),
        (SandboxSpec::default().env("a=b", "x"), Some("env")),
        (SandboxSpec::default().env("a", "x\0"), Some("env")),
        (changed(|s| s.user = Some("".into())), Some("user")),
        (changed(|s| s.region = Some("".into())), Some("region")),
        (changed(|s| s.kind = Some(SandboxKind::Unknown)), Some("kind")),
    ];
    for (spec, wanted) in cases {
        assert_eq!(field(&spec).as_deref(), wanted, "{spec:?}");
    }
}

#[test]
fn sources() {
    let archive = |path: &str| Source::Archive { path: path.into(), reference: None };
    let workspace = |path: Option<&str>, ownership| Source::HostDirectory { path: path.map(Into::into), ownership };
    let image = |platform: &str| {
        Source::Image(ImageSource { reference: "a".into(), platform: Some(platform.into()), ..Default::default() })
    };
    let cases = [
        (Source::Default, None),
        (Source::Host, None),
        (Source::image("alpine@sha256:00"), None),
        (Source::image(""), Some("source.reference")),
        (Source::image("a b"), Some("source.reference")),
        (Source::image("--privileged"), Some("source.reference")),
        (image("linux/arm64"), None),
        (image("arm64"), Some("source.platform")),
        (Source::Dockerfile { content: " \n".into(), context: None }, Some("source.content")),
        (Source::Dockerfile { content: "FROM a".into(), context: Some("b".into()) }, Some("source.context")),
        (workspace(None, WorkspaceOwnership::Designated), Some("source.path")),
        (workspace(None, WorkspaceOwnership::Managed), None),
        (workspace(Some("here"), WorkspaceOwnership::Designated), Some("source.path")),
        (Source::Rootfs { path: "rootfs".into() }, Some("source.path")),
        (archive("/a\0b"), Some("source.path")),
        (archive("/a.tar"), None),
    ];
    for (source, wanted) in cases {
        assert_eq!(field(&SandboxSpec::new(source.clone())).as_deref(), wanted, "{source:?}");
    }
}

#[test]
fn resources() {
    let of = |change: fn(&mut Resources)| {
        let mut resources = Resources::default();
        change(&mut resources);
        SandboxSpec::default().resources(resources)
    };
    let cases = [
        (of(|r| r.cpus = Some(0.5)), None),
        (of(|r| r.cpus = Some(0.0)), Some("resources.cpus")),
        (of(|r| r.cpus = Some(-1.0)), Some("resources.cpus")),
        (of(|r| r.cpus = Some(f64::NAN)), Some("resources.cpus")),
        (of(|r| r.cpus = Some(f64::INFINITY)), Some("resources.cpus")),
        (of(|r| r.memory = Some(0)), Some("resources.memory")),
        (of(|r| r.memory = Some(u64::MAX)), None),
        (of(|r| r.disk = Some(0)), Some("resources.disk")),
        (of(|r| r.pids = Some(0)), Some("resources.pids")),
        (of(|r| r.gpus = Some(0)), Some("resources.gpus")),
    ];
    for (spec, wanted) in cases {
        assert_eq!(field(&spec).as_deref(), wanted, "{spec:?}");
    }
    assert_eq!(Resources { cpus: Some(0.0001), ..Default::default() }.cpu_millis(), Some(1));
}

#[test]
fn places() {
    let tmpfs = |size, mode| Mount { source: MountSource::Tmpfs { size, mode }, ..bind("/t") };
    let cases = [
        (changed(|s| s.workdir = Some("/w".into())), None),
        (changed(|s| s.workdir = Some("w".into())), Some("workdir")),
        (changed(|s| s.workdir = Some("".into())), Some("workdir")),
        (changed(|s| s.workdir = Some("/a/../b".into())), Some("workdir")),
        (changed(|s| s.ports = vec![80, 443]), None),
        (changed(|s| s.ports = vec![0]), Some("ports")),
        (changed(|s| s.ports = vec![80, 80]), Some("ports")),
        (changed(|s| s.mounts = vec![bind("/a"), bind("/b")]), None),
        (changed(|s| s.mounts = vec![bind("a")]), Some("mounts.target")),
        (changed(|s| s.mounts = vec![bind("/")]), Some("mounts.target")),
        (changed(|s| s.mounts = vec![bind("/.")]), Some("mounts.target")),
        (changed(|s| s.mounts = vec![bind("/a\0")]), Some("mounts.target")),
        (changed(|s| s.mounts = vec![bind("/a"), bind("/a")]), Some("mounts")),
        (changed(|s| s.mounts = vec![bind("/a"), bind("//a/./")]), Some("mounts")),
        (changed(|s| s.mounts = vec![tmpfs(Some(0), None)]), Some("mounts.source.size")),
        (changed(|s| s.mounts = vec![tmpfs(None, Some(0o10000))]), Some("mounts.source.mode")),
        (changed(|s| s.volumes = vec![volume("/v", Some("a/b"))]), None),
        (changed(|s| s.volumes = vec![volume("v", None)]), Some("volumes.target")),
        (changed(|s| s.volumes = vec![volume("/v", Some("/a"))]), Some("volumes.subpath")),
        (changed(|s| s.volumes = vec![volume("/v", Some("a/../../b"))]), Some("volumes.subpath")),
        (changed(|s| (s.mounts, s.volumes) = (vec![bind("/v")], vec![volume("/v/", None)])), Some("mounts")),
    ];
    for (spec, wanted) in cases {
        assert_eq!(field(&spec).as_deref(), wanted, "{spec:?}");
    }
}

#[test]
fn secrets() {
    let file = |path: &str| Secret { delivery: SecretDelivery::File { path: path.into() }, ..secret(&[]) };
    let cases = [
        (changed(|s| s.secrets = vec![secret(&["api.example.com", "*.example.org"])]), None),
        (changed(|s| s.secrets = vec![secret(&[])]), Some("secrets.delivery.hosts")),
        (changed(|s| s.secrets = vec![secret(&["https://a.com"])]), Some("secrets.delivery.hosts")),
        (changed(|s| s.secrets = vec![secret(&["10.0.0.1"])]), Some("secrets.delivery.hosts")),
        (changed(|s| s.secrets = vec![secret(&["a.com:443"])]), Some("secrets.delivery.hosts")),
        (changed(|s| s.secrets = vec![secret(&["a.com"]), secret(&["b.com"])]), Some("secrets.env")),
        (changed(|s| s.secrets = vec![secret(&["a.com"])]).env("KEY", "x"), Some("secrets.env")),
        (
            changed(|s| s.secrets = vec![Secret { value: SecretValue::new(""), ..secret(&["a.com"]) }]),
            Some("secrets.value"),
        ),
        (changed(|s| s.secrets = vec![file("/run/key")]), None),
        (changed(|s| s.secrets = vec![file("key")]), Some("secrets.delivery.path")),
    ];
    for (spec, wanted) in cases {
        assert_eq!(field(&spec).as_deref(), wanted, "{spec:?}");
    }
}

#[test]
fn lifetimes() {
    let of = |change: fn(&mut Lifetimes)| {
        let mut lifetimes = Lifetimes::default();
        change(&mut lifetimes);
        SandboxSpec::default().lifetimes(lifetimes)
    };
    let cases = [
        (of(|l| l.ttl = after(0)), Some("ttl")),
        (of(|l| l.idle_timeout = after(0)), Some("idle_timeout")),
        (of(|l| l.owner_lease = Some(Duration::ZERO)), Some("owner_lease")),
        (of(|l| (l.archive_after_stop, l.delete_after_stop) = (after(2), after(1))), Some("delete_after_stop")),
        (of(|l| (l.archive_after_stop, l.delete_after_stop) = (after(1), after(2))), None),
        (of(|l| l.ttl = after(u64::MAX)), None),
        (of(|l| l.ttl = Some(Lifetime::After(Duration::MAX))), None),
        (of(|l| (l.ttl, l.idle_timeout) = (after(1), after(2))), None),
        (SandboxSpec::default().detached(), Some("owner")),
        (of(|l| l.ttl = Some(Lifetime::Never)).detached(), None),
        (of(|l| l.idle_timeout = after(1)).detached(), None),
        (of(|l| (l.ttl, l.owner_lease) = (after(1), Some(Duration::from_secs(1)))).detached(), Some("owner_lease")),
        (SandboxSpec { ephemeral: true, ..of(|l| l.delete_after_stop = after(1)) }, Some("ephemeral")),
    ];
    for (spec, wanted) in cases {
        assert_eq!(field(&spec).as_deref(), wanted, "{spec:?}");
    }
}

#[test]
fn options_that_contradict_the_rest() {
    let docker = |change: fn(&mut DockerOptions), isolation, network| {
        let mut options = DockerOptions::default();
        change(&mut options);
        let options = Some(ProviderOptions::Docker(Box::new(options)));
        SandboxSpec { options, isolation, network, ..Default::default() }
    };
    let (none, container) = (Isolation::None, Isolation::Container);
    let default = || NetworkPolicy::ProviderDefault;
    let cases = [
        (docker(|d| d.privileged = true, container, default()), Some("options.docker.privileged")),
        (docker(|d| d.privileged = true, none, default()), None),
        (docker(|d| d.host_network = true, none, NetworkPolicy::None), Some("options.docker.host_network")),
        (docker(|d| d.host_network = true, none, default()), None),
        (
            docker(|d| (d.host_network, d.sidecars) = (true, vec![Sidecar::default()]), none, default()),
            Some("options.docker.sidecars"),
        ),
    ];
    for (spec, wanted) in cases {
        assert_eq!(field(&spec).as_deref(), wanted, "{spec:?}");
    }
    let error = docker(|_| (), none, default()).validate_for(&ProviderKind::HOST, &everything()).unwrap_err();
    assert_eq!(error.message(), "options are for docker, and the provider is host");
}

fn everything() -> Capabilities {
    Capabilities::of(Isolation::Vm, Capability::ALL.iter().copied())
}

fn allow(rule: &str) -> NetworkPolicy {
    NetworkPolicy::allow([rule]).unwrap()
}

/// Each spec and the one capability beyond `lifecycle.owner` that it needs.
fn demanding() -> Vec<(SandboxSpec, &'static str)> {
    let network = |policy| changed(|s| s.network = policy);
    let lifetimes = |change: fn(&mut Lifetimes)| changed(|s| change(&mut s.lifetimes));
    let sourced = |source| changed(|s| s.source = source);
    let resources = |change: fn(&mut Resources)| changed(|s| change(&mut s.resources));
    let delivered = |delivery| changed(|s| s.secrets = vec![Secret { delivery, ..secret(&[]) }]);
    let directory = Source::HostDirectory { path: None, ownership: WorkspaceOwnership::Managed };
    vec![
        (changed(|s| s.name = Some("a".into())), "create.name"),
        (SandboxSpec::default().env("a", "b"), "create.env"),
        (SandboxSpec::default().label("a", "b"), "create.labels"),
        (changed(|s| s.user = Some("a".into())), "create.user"),
        (changed(|s| s.workdir = Some("/a".into())), "create.workdir"),
        (changed(|s| s.entrypoint = true), "create.entrypoint"),
        (changed(|s| s.region = Some("a".into())), "create.region"),
        (changed(|s| s.public = Some(false)), "create.public"),
        (changed(|s| s.ephemeral = true), "create.ephemeral"),
        (changed(|s| s.kind = Some(SandboxKind::Container)), "create.kind_container"),
        (changed(|s| s.kind = Some(SandboxKind::VirtualMachine)), "create.kind_virtual_machine"),
        (changed(|s| s.ports = vec![80]), "access.ports"),
        (changed(|s| s.mounts = vec![bind("/a")]), "mounts.bind"),
        (changed(|s| s.volumes = vec![volume("/a", None)]), "volumes.mount"),
        (sourced(Source::image("a")), "source.image"),
        (sourced(Source::Dockerfile { content: "FROM a".into(), context: None }), "source.dockerfile"),
        (sourced(Source::Snapshot { snapshot: "a".parse().unwrap() }), "source.snapshot"),
        (sourced(directory), "source.host_directory"),
        (sourced(Source::Rootfs { path: "/a".into() }), "source.rootfs"),
        (sourced(Source::Archive { path: "/a".into(), reference: None }), "source.archive"),
        (sourced(Source::Host), "source.host"),
        (resources(|r| r.cpus = Some(2.0)), "resources.cpu"),
        (resources(|r| r.cpus = Some(0.5)), "resources.cpu_fraction"),
        (resources(|r| r.memory = Some(1)), "resources.memory"),
        (resources(|r| r.disk = Some(1)), "resources.disk"),
        (resources(|r| r.pids = Some(1)), "resources.pids"),
        (resources(|r| r.gpus = Some(1)), "resources.gpu"),
        (network(NetworkPolicy::None), "network.none"),
        (network(NetworkPolicy::Public), "network.public"),
        (network(allow("a.com")), "network.hosts"),
        (network(allow("*.a.com")), "network.wildcards"),
        (network(allow("10.0.0.0/8")), "network.ipv4"),
        (network(allow("2001:db8::/32")), "network.ipv6"),
        (delivered(SecretDelivery::Exposed), "secrets.env"),
        (delivered(SecretDelivery::Hosts { hosts: vec!["a.com".into()] }), "secrets.hosts"),
        (delivered(SecretDelivery::File { path: "/a".into() }), "secrets.file"),
        (lifetimes(|l| l.ttl = after(1)), "lifecycle.ttl"),
        (lifetimes(|l| l.idle_timeout = after(1)), "lifecycle.idle_timeout"),
        (lifetimes(|l| l.archive_after_stop = after(1)), "lifecycle.archive_after_stop"),
        (lifetimes(|l| l.delete_after_stop = after(1)), "lifecycle.delete_after_stop"),
    ]
}

#[test]
fn what_is_not_claimed_is_refused_by_name() {
    for (mut spec, name) in demanding() {
        if !name.starts_with("network.") {
            spec.network = NetworkPolicy::ProviderDefault;
        }
        assert!(spec.validate().is_ok(), "{name}: {:?}", spec.validate());
        let owner = Capabilities::of(Isolation::None, [Capability::LifecycleOwner]);
        let error = spec.validate_against(&owner).unwrap_err();
        assert!(matches!(error.detail(), Detail::Unsupported { capability } if capability == name), "{error:?}");
        let mut claimed = owner;
        claimed.set(Capability::parse(name).unwrap(), true);
        assert!(spec.validate_against(&claimed).is_ok(), "{name}");
    }
}

#[test]
fn what_needs_two_claims_needs_both() {
    let read_only = changed(|s| s.mounts = vec![Mount { read_only: true, ..bind("/a") }]);
    let part = changed(|s| s.volumes = vec![volume("/a", Some("b"))]);
    let port = changed(|s| s.network = allow("a.com:443"));
    let stop = changed(|s| (s.lifetimes.ttl, s.lifetimes.on_expiry) = (after(1), Expiry::Stop));
    let idle = changed(|s| (s.lifetimes.idle_timeout, s.lifetimes.on_idle) = (after(1), Some(Expiry::Pause)));
    for (spec, name) in [
        (read_only, "mounts.read_only"),
        (part, "volumes.subpath"),
        (port, "network.ports"),
        (stop, "lifecycle.expiry_stop"),
        (idle, "lifecycle.expiry_pause"),
    ] {
        let mut claims = everything();
        claims.set(Capability::parse(name).unwrap(), false);
        let error = spec.validate_against(&claims).unwrap_err();
        assert!(matches!(error.detail(), Detail::Unsupported { capability } if capability == name), "{error:?}");
    }
}

#[test]
fn weaker_isolation_is_never_accepted() {
    let spec = changed(|s| s.isolation = Isolation::Gvisor);
    let mut claims = everything();
    claims.isolation = Isolation::Container;
    let error = spec.validate_against(&claims).unwrap_err();
    assert!(matches!(error.detail(), Detail::Unsupported { capability } if capability == "isolation.gvisor"));
    claims.isolation = Isolation::Vm;
    assert!(spec.validate_against(&claims).is_ok());
}

#[test]
fn never_needs_no_clock() {
    let spec = changed(|s| {
        s.lifetimes.ttl = Some(Lifetime::Never);
        s.network = NetworkPolicy::ProviderDefault;
    });
    assert!(spec.validate_against(&Capabilities::of(Isolation::None, [Capability::LifecycleOwner])).is_ok());
}

#[test]
fn nothing_secret_is_shown_or_recorded() {
    let auth = RegistryAuth { username: "u".into(), password: "hunter2".into(), server: None };
    let image = ImageSource { reference: "a".into(), auth: Some(auth.clone()), ..Default::default() };
    let sidecar = Sidecar { name: "db".into(), auth: Some(auth), ..Default::default() };
    let docker = DockerOptions { sidecars: vec![sidecar], ..Default::default() };
    let mut spec = SandboxSpec::new(Source::Image(image));
    spec.secrets = vec![secret(&["a.com"])];
    spec.options = Some(ProviderOptions::Docker(Box::new(docker)));
    assert!(serde_json::to_string(&spec).unwrap().contains("hunter2"));
    assert!(!serde_json::to_string(&spec.redacted()).unwrap().contains("hunter2"));
    spec = spec.env("TOKEN", "hunter2");
    assert!(!format!("{spec:?} {spec:#?}").contains("hunter2"));
    let dockerfile = Source::Dockerfile { content: "ENV A=hunter2".into(), context: None };
    assert!(!format!("{dockerfile:?}").contains("hunter2"));
}

#[test]
fn specs_round_trip_and_unknown_keys_are_refused() {
    for (spec, _) in demanding() {
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<SandboxSpec>(&json).unwrap(), spec, "{json}");
    }
    let written = r#"{"source":{"type":"image","reference":"alpine"},"ttl_ms":60000,"network":{"mode":"allow",
        "allow":["example.org","*.example.com:443"]},"owner":"detached","isolation":"container"}"#;
    let spec: SandboxSpec = serde_json::from_str(written).unwrap();
    assert_eq!((spec.lifetimes.ttl, spec.owner), (after(60000), Owner::Detached));
    for bad in [
        r#"{"timeout":5}"#,
        r#"{"ttl":5}"#,
        r#"{"source":{"type":"image","reference":"a","tag":"b"}}"#,
        r#"{"resources":{"cpu":1}}"#,
        r#"{"options":{"docker":{"previleged":true}}}"#,
        r#"{"network":{"mode":"allow","allow":["http://a"]}}"#,
        r#"{"isolation":"strong"}"#,
    ] {
        assert!(serde_json::from_str::<SandboxSpec>(bad).is_err(), "{bad}");
    }
}

#[test]
fn an_empty_allow_list_is_not_everything() {
    let empty = NetworkPolicy::Allow { allow: vec![], deny: vec![], dns: vec![] };
    assert_eq!(field(&changed(|s| s.network = empty)).as_deref(), Some("network.allow"));
}

#[test]
fn rules_mean_what_they_say() {
    let rule = |text: &str| text.parse::<AllowRule>();
    for text in ["example.org", "*.example.com:443", "10.0.0.0/8", "1.2.3.4:53", "2001:db8::1", "[2001:db8::]:443"] {
        assert_eq!(rule(text).map(|rule| rule.to_string()).as_deref(), Ok(text));
    }
    assert_eq!(rule("[2001:db8::/32]:443").unwrap().to_string(), "[2001:db8::/32]:443");
    assert_eq!(rule("Example.org.").unwrap().to_string(), "example.org");
    for bad in ["", "*", "*.", "a..b", "http://a.com", "a.com/x", "a.com:0", "a.com:99999", "10.0.0.1/8", "1.2.3/33"] {
        assert!(rule(bad).is_err(), "{bad}");
    }
    for bad in ["1.2.3.256", "10.0.0.0/33", "a b.com", "-a.com", "*.*.com", "a.*.com", "[::1", "[::1]x", "::/129"] {
        assert!(rule(bad).is_err(), "{bad}");
    }
    let wildcard = rule("*.example.com").unwrap().destination;
    assert!(wildcard.matches_host("a.EXAMPLE.com.") && wildcard.matches_host("a.b.example.com"));
    assert!(!wildcard.matches_host("example.com") && !wildcard.matches_host("badexample.com"));
    assert!(!wildcard.matches_host(".example.com"));
    let network = rule("10.0.0.0/8").unwrap().destination;
    assert!(network.matches_address("10.255.0.1".parse().unwrap()));
    assert!(network.matches_address("::ffff:10.0.0.1".parse().unwrap()));
    assert!(!network.matches_address("11.0.0.1".parse().unwrap()));
    let all = rule("0.0.0.0/0").unwrap().destination;
    assert!(all.matches_address("1.2.3.4".parse().unwrap()) && !all.matches_address("::1".parse().unwrap()));
}

#[test]
fn sizes_are_read_as_people_write_them() {
    for (text, bytes) in [("0", 0), ("1048576", 1 << 20), ("256m", 256 << 20), ("1.5g", 1536 << 20), ("2 GiB", 2 << 30)]
    {
        assert_eq!(parse_size(text), Ok(bytes), "{text}");
    }
    for bad in ["", "m", "-1m", "1.", ".5g", "1e3", "1x", "99999999999t", "1.0000000001g", "∞"] {
        assert!(parse_size(bad).is_err(), "{bad}");
    }
}
