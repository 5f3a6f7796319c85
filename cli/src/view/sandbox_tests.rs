use super::*;
use isobox::DeathCause;
use std::time::Duration;

const NOW: i64 = 1_800_000_000;

fn at(seconds_ago: i64) -> Timestamp {
    Timestamp::from_unix(NOW - seconds_ago, 0)
}

fn view(name: &str, state: State) -> SandboxView {
    SandboxView {
        id: SandboxId::from_uuid("01890000-0000-7000-8000-000000000001".parse().unwrap()),
        name: (!name.is_empty()).then(|| name.to_owned()),
        provider: ProviderKind::NAMESPACE,
        state,
        state_since: at(60),
        source: "alpine:3.22".to_owned(),
        image: Some("docker.io/library/alpine:3.22@sha256:1d".to_owned()),
        labels: Labels::new(),
        detached: true,
        owner: None,
        pool: None,
        created_at: at(180),
        expires_at: Some(Timestamp::from_unix(NOW + 3_600, 0)),
        ended_at: None,
        error: None,
    }
}

#[test]
fn a_listing_has_a_line_for_each() {
    let gone = SandboxView { ended_at: Some(at(10)), ..view("", State::Deleted) };
    let owned = SandboxView { detached: false, expires_at: None, ..view("own", State::Paused) };
    let text = Sandboxes(vec![view("web", State::Running), gone, owned]).at(at(0));
    let expected = "\
ID                              NAME  STATE    PROVIDER   SOURCE       CREATED  ENDS
sbx_0640000000e00800000000000g  web   running  namespace  alpine:3.22  3m ago   in 60m
sbx_0640000000e00800000000000g  -     deleted  namespace  alpine:3.22  3m ago   -
sbx_0640000000e00800000000000g  own   paused   namespace  alpine:3.22  3m ago   with its process
";
    let id = view("", State::Running).id.to_string();
    assert_eq!(text, expected.replace("sbx_0640000000e00800000000000g", &id));
}

#[test]
fn what_died_says_how_and_with_what_last_words() {
    let mut post_mortem = PostMortem::new(view("", State::Deleted).id, DeathCause::Oom, at(10));
    post_mortem.memory_limit = Some(64 << 20);
    post_mortem.peak_memory = Some(64 << 20);
    post_mortem.last_output = "one\ntwo\u{1b}[2J\n".into();
    let mut spec = SandboxSpec::default().env("A", "b");
    spec.resources.memory = Some(64 << 20);
    spec.lifetimes.idle_timeout = Some(Lifetime::After(Duration::from_secs(300)));
    let sandbox = SandboxView { ended_at: Some(at(10)), ..view("web", State::Deleted) };
    let text = Inspected { sandbox, spec, post_mortem: Some(post_mortem) }.at(at(0));
    let lines: Vec<_> = text.lines().skip(1).collect();
    let expected = [
        "name        web",
        "state       deleted since 60s",
        "provider    namespace",
        "source      alpine:3.22",
        "image       docker.io/library/alpine:3.22@sha256:1d",
        "created     2027-01-15T07:57:00Z, 3m ago",
        "ended       2027-01-15T07:59:50Z, 10s ago",
        "owner       nobody, it outlives the process that made it",
        "idle        at most 5m",
        "limits      memory 64.0 MiB",
        "env         A=b",
        "died        oom: it reached its memory limit of 67108864 bytes, with a peak of 67108864, 10s ago",
        "memory      at most 64.0 MiB of 64.0 MiB",
        "last words  one",
        "last words  two\\u{1b}[2J",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn the_json_has_stable_names() {
    let value = serde_json::to_value(view("web", State::Running)).unwrap();
    let names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "created_at",
        "detached",
        "ended_at",
        "error",
        "expires_at",
        "id",
        "image",
        "labels",
        "name",
        "owner",
        "pool",
        "provider",
        "source",
        "state",
        "state_since",
    ];
    assert_eq!(names, expected);
}
