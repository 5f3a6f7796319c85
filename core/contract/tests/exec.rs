//! Requests keep their contents out of every log; results count honestly.

use isobox_contract::*;
use std::time::Duration;

#[test]
fn debug_shows_no_argument_value_or_input() {
    let requests = [
        ExecRequest::argv(["curl", "hunter2"]).env("TOKEN", "hunter2").input("hunter2"),
        ExecRequest::shell("echo hunter2").env("TOKEN", "hunter2"),
    ];
    for request in requests {
        let text = format!("{request:?} {request:#?}");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains("TOKEN"), "{text}");
    }
    let event = OutputEvent::Stdout("hunter2".into());
    assert_eq!(format!("{event:?}"), "Stdout(7 bytes)");
}

#[test]
fn the_defaults_are_those_of_the_documentation() {
    let request = ExecRequest::argv(["true"]);
    assert_eq!(request.output.total(), 10 << 20);
    assert_eq!(request.drain, Duration::from_millis(200));
    assert_eq!((request.stdin, request.timeout, request.grace), (Stdin::None, None, None));
    assert_eq!(OutputLimits::bytes(u64::MAX).total(), u64::MAX);
    assert_eq!(OutputLimits::bytes(3), OutputLimits { head: 2, tail: 1, ..OutputLimits::none() });
}

#[test]
fn a_script_is_run_by_sh() {
    let argv = Command::Shell(b"exit 3".to_vec()).argv();
    assert_eq!(argv, [b"sh".to_vec(), b"-c".to_vec(), b"exit 3".to_vec()]);
    let bash = ExecRequest::bash("exit 3").env("BASH_ENV", "").validate();
    assert!(bash.is_ok());
}

#[test]
fn what_no_system_could_run_is_refused_by_field() {
    let base = || ExecRequest::argv(["true"]);
    let cases = [
        (ExecRequest::argv::<Vec<u8>>([]), "argv"),
        (ExecRequest::argv([""]), "argv"),
        (ExecRequest::argv(["a\0b"]), "argv"),
        (ExecRequest::shell("a\0b"), "command"),
        (base().env("", "x"), "env"),
        (base().env("a=b", "x"), "env"),
        (base().env("a\0", "x"), "env"),
        (base().env("a", "x\0"), "env"),
        (base().cwd(""), "cwd"),
        (base().cwd("a\0b"), "cwd"),
        (base().user(""), "user"),
        (base().user("a:b:c"), "user"),
        (base().user("a:"), "user"),
        (base().timeout(Duration::ZERO), "timeout"),
        (base().pty(TerminalSize { rows: 0, cols: 80 }), "pty"),
        (
            base().output(OutputLimits { sanitize: Sanitize::StripAll, ..Default::default() }).pty(Default::default()),
            "output.sanitize",
        ),
        (base().output(OutputLimits { spill: Spill::Directory("".into()), ..Default::default() }), "output.spill"),
    ];
    for (request, wanted) in cases {
        let error = request.validate().unwrap_err();
        let Detail::InvalidSpec { field, .. } = error.detail() else { panic!("{error:?}") };
        assert_eq!(field, wanted, "{error}");
    }
    let odd = base().env("with-dash", "x").env("with space", "").cwd(&b"\xff"[..]).user("1000:1000");
    assert!(odd.timeout(Duration::MAX).drain(Duration::MAX).validate().is_ok());
}

#[test]
fn what_is_not_claimed_is_refused_by_name() {
    let cases = [
        (ExecRequest::argv(["a"]).input("x"), "exec.stdin"),
        (ExecRequest::argv(["a"]).stdin(Stdin::Stream), "exec.stdin_stream"),
        (ExecRequest::argv(["a"]).grace(Duration::ZERO), "exec.stop"),
        (ExecRequest::argv(["a"]).pty(Default::default()), "exec.pty"),
        (ExecRequest::argv(["a"]).user("root"), "exec.user"),
        (ExecRequest::argv(["a"]).detached(), "exec.detached"),
    ];
    for (request, name) in cases {
        let error = request.validate_against(&Capabilities::default()).unwrap_err();
        assert!(matches!(error.detail(), Detail::Unsupported { capability } if capability == name), "{error:?}");
        let claimed = Capabilities::of(Isolation::None, Capability::parse(name));
        assert!(request.validate_against(&claimed).is_ok());
    }
}

#[test]
fn results_read_signals_the_way_shells_do() {
    let second = Duration::from_secs(1);
    let killed =
        ExecResult::new(Exit::signal(9, Termination::Killed, second), Captured::default(), Captured::default());
    assert_eq!((killed.exit_code, killed.signal, killed.cancelled, killed.timed_out), (137, Some(9), true, false));
    let shell = ExecResult::new(Exit::code(143, second), Captured::default(), Captured::default());
    assert!(!shell.timed_out && !shell.success());
    assert_eq!((shell.signal, shell.signal_or_shell_status()), (None, Some(15)));
    let timed_out = Exit { termination: Termination::TimedOut, ..Exit::code(0, second) };
    let timed_out = ExecResult::new(timed_out, Captured::default(), Captured::default());
    assert!(timed_out.timed_out && !timed_out.success());
}

#[test]
fn an_incomplete_output_is_not_taken_for_a_complete_one() {
    let cut = Captured { observed: 10, omitted: 10, ..Captured::default() };
    let lost = Captured { lost: 1, ..Captured::default() };
    for stream in [cut, lost] {
        assert!(stream.truncated());
        let result = ExecResult::new(Exit::code(0, Duration::ZERO), stream, Captured::default());
        assert_eq!(result.require_complete().unwrap_err().code(), ErrorCode::LimitExceeded);
    }
    let whole = ExecResult::new(Exit::code(0, Duration::ZERO), Captured::whole("x"), Captured::default());
    assert!(whole.require_complete().is_ok());
}

#[test]
fn results_round_trip_with_bytes_that_are_no_text() {
    let bytes: Vec<u8> = (0..=255).collect();
    let exit = Exit { cpu_time: Some(Duration::from_micros(7)), ..Exit::code(0, Duration::from_micros(1234)) };
    let result = ExecResult::new(exit, Captured::whole(bytes), Captured::whole("text"));
    let json = serde_json::to_value(&result).unwrap();
    assert_eq!(json["stderr"]["bytes"], "text");
    assert_eq!(json["duration_us"], 1234);
    assert_eq!(serde_json::from_value::<ExecResult>(json).unwrap(), result);
}

#[test]
fn signals_have_names() {
    assert_eq!(Signal::parse("sigterm"), Some(Signal::TERM));
    assert_eq!(Signal::parse("KILL"), Some(Signal::KILL));
    assert_eq!(Signal::parse("10"), Some(Signal::USR1));
    assert_eq!(Signal::new(34).map(|s| s.to_string()), Some("34".into()));
    assert_eq!((Signal::new(0), Signal::new(65), Signal::parse("nope")), (None, None, None));
}

#[test]
fn paths_join_and_name() {
    let path = |text: &str| SandboxPath::from(text);
    assert_eq!(path("/a").join(&path("b")), path("/a/b"));
    assert_eq!(path("/a/").join(&path("b")), path("/a/b"));
    assert_eq!(path("/a").join(&path("/b")), path("/b"));
    assert_eq!(path("/a/b//").file_name(), b"b");
    assert_eq!(path("/").file_name(), b"");
    let odd = SandboxPath::from(&b"/\xff"[..]);
    let json = serde_json::to_string(&odd).unwrap();
    assert_eq!(json, r#"{"base64":"L/8="}"#);
    assert_eq!(serde_json::from_str::<SandboxPath>(&json).unwrap(), odd);
}
