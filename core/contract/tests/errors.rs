//! Errors say whose failure it is and keep secrets to themselves.

#![allow(clippy::unwrap_used)]

use isobox_contract::*;
use std::time::Duration;

const SECRET: &str = "hunter2";

fn every_text(error: &Error) -> String {
    let report = serde_json::to_string(&Report::from(error)).unwrap();
    format!("{error} {error:?} {error:#?} {report}")
}

#[test]
fn no_text_of_a_failed_command_shows_its_output() {
    let exit = Exit::code(3, Duration::from_secs(1));
    let result = ExecResult::new(exit, Captured::whole(SECRET), Captured::whole(SECRET));
    assert!(!format!("{result:?}").contains(SECRET));
    let error = result.check(Some("tests")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::CommandFailed);
    assert_eq!(error.message(), "tests exited with 3");
    assert!(!every_text(&error).contains(SECRET));
    let Detail::Exec(failure) = error.detail() else { panic!("no exec detail") };
    assert_eq!(failure.stderr.text(), SECRET);
}

#[test]
fn no_text_of_a_refused_request_shows_the_request() {
    let requests = [
        ExecRequest::argv([format!("{SECRET}\0")]),
        ExecRequest::shell(format!("{SECRET}\0")),
        ExecRequest::argv(["true"]).env(format!("{SECRET}="), "x"),
        ExecRequest::argv(["true"]).env("A", format!("{SECRET}\0")),
        ExecRequest::argv(["true"]).env("", SECRET),
    ];
    for request in requests {
        let error = request.validate().unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec);
        assert!(!every_text(&error).contains(SECRET), "{error}");
    }
}

#[test]
fn a_post_mortem_in_an_error_shows_its_cause_but_no_output() {
    let mut post_mortem = PostMortem::new(SandboxId::generate(), DeathCause::Oom, Timestamp::now());
    post_mortem.memory_limit = Some(1024);
    post_mortem.peak_memory = Some(1024);
    post_mortem.last_output = SECRET.into();
    let error = Error::sandbox_gone(post_mortem);
    assert_eq!(error.message(), "the sandbox is gone: it reached its memory limit of 1024 bytes, with a peak of 1024");
    assert!(!format!("{error} {error:?}").contains(SECRET));
    assert_eq!(error.post_mortem().unwrap().last_output, SECRET);
}

#[test]
fn the_fault_follows_the_facts() {
    let gone = |cause| Error::sandbox_gone(PostMortem::new(SandboxId::generate(), cause, Timestamp::now()));
    assert_eq!(gone(DeathCause::Oom).fault(), Fault::Program);
    assert_eq!(gone(DeathCause::Expired).fault(), Fault::Caller);
    assert!(gone(DeathCause::Evicted).is_infrastructure());
    assert!(Error::transport("the socket closed").is_infrastructure());
    assert!(!Error::invalid_spec("user", "is empty").is_infrastructure());
    assert_eq!(Error::new(ErrorCode::PolicyDenied, "no").fault(), Fault::Policy);
    assert_eq!(Error::file("/full", FileErrorKind::NoSpace).fault(), Fault::Program);
    assert!(Error::new(ErrorCode::OutOfDisk, "the machine's disk is full").is_infrastructure());
    assert!(!Error::new(ErrorCode::Internal, "x").infrastructure(false).is_infrastructure());
    assert!(Error::new(ErrorCode::NotFound, "x").infrastructure(true).is_infrastructure());
}

#[test]
fn every_code_and_word_round_trips() {
    for code in ErrorCode::ALL {
        assert_eq!(code.as_str().parse(), Ok(*code));
        assert_eq!(serde_json::from_value::<ErrorCode>(serde_json::to_value(code).unwrap()).unwrap(), *code);
    }
    assert_eq!(serde_json::from_str::<ErrorCode>("\"from_the_future\"").unwrap(), ErrorCode::Internal);
    assert!("from_the_future".parse::<ErrorCode>().is_err());
}

#[test]
fn an_error_survives_the_wire() {
    let id = SandboxId::generate();
    let cause = std::io::Error::other("the first cause");
    let errors = [
        Error::unsupported(Capability::ExecPty),
        Error::not_found(Resource::Sandbox, id),
        Error::read_only(Resource::Sandbox, id, Action::Delete),
        Error::invalid_state(State::Stopped, Action::Exec),
        Error::timeout("create", Duration::from_secs(3)),
        Error::overloaded("creates", Some(8)).with_retry_after(Duration::from_millis(250)),
        Error::file(&b"caf\xe9"[..], FileErrorKind::IsADirectory),
        Error::sandbox_gone(PostMortem::new(id, DeathCause::Evicted, Timestamp::now())),
        Error::internal("x").with_detail(Detail::Incomplete {
            output_abandoned: true,
            stop_acknowledged: true,
            termination_confirmed: false,
            cleanup_confirmed: false,
        }),
        Error::io("the socket", cause)
            .with_sandbox(&id)
            .with_operation("exec.run")
            .with_provider(&ProviderKind::DOCKER),
        Error::provider_failure(&ProviderKind::DAYTONA, Some("E42".into()), "no capacity").retryable(true),
    ];
    for error in errors {
        let json = serde_json::to_string(&Report::from(&error)).unwrap();
        let back: Error = serde_json::from_str::<Report>(&json).unwrap().into();
        assert_eq!(format!("{back:?}"), format!("{error:?}"), "{json}");
        assert_eq!((back.retry_after(), back.fault()), (error.retry_after(), error.fault()), "{json}");
    }
}

#[test]
fn an_unknown_detail_of_a_newer_peer_is_no_failure() {
    let json = r#"{"kind":"not_found","message":"x","detail":{"type":"novel","facts":[1]},"new":true}"#;
    let error: Error = serde_json::from_str::<Report>(json).unwrap().into();
    assert_eq!(error.code(), ErrorCode::NotFound);
    assert!(matches!(error.detail(), Detail::None));
}

#[derive(Debug)]
struct Link(Option<Box<Link>>);

impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&"ü".repeat(400))
    }
}

impl std::error::Error for Link {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.as_deref().map(|next| next as _)
    }
}

fn depth(error: &(dyn std::error::Error + 'static)) -> usize {
    error.source().map_or(0, |next| 1 + depth(next))
}

#[test]
fn a_report_is_bounded_and_keeps_the_chain() {
    let chain = (0..20).fold(Link(None), |next, _| Link(Some(Box::new(next))));
    let report = Report::from(&Error::internal("m".repeat(10_000)).with_source(chain));
    assert_eq!(report.causes.len(), Report::MAX_CAUSES);
    assert!(report.causes.iter().all(|cause| cause.len() <= Report::MAX_CAUSE_BYTES && cause.ends_with('…')));
    assert!(report.message.len() <= Report::MAX_MESSAGE_BYTES);
    assert_eq!(depth(&Error::from(report)), Report::MAX_CAUSES);
}

#[test]
fn a_hostile_path_cannot_write_to_the_terminal() {
    let error = Error::file("/tmp/\u{1b}[2Jx\n", FileErrorKind::NotFound);
    assert_eq!(error.message(), "/tmp/\\u{1b}[2Jx\\n: not_found");
}
