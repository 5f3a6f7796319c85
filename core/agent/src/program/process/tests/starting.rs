//! What the leader is given, and how a start fails.

use super::super::StartErrorKind as Kind;
use super::*;

fn fail(argv: &[&str], change: impl FnOnce(&mut Launch<'_>)) -> StartError {
    let mut running = start_with(argv, change).unwrap();
    let error = running.failed();
    assert_eq!(running.tree.try_report().unwrap(), None);
    assert_eq!(survivors(&running.marker), Vec::<String>::new());
    error
}

fn output(script: &str) -> String {
    let (status, output) = sh(script).finish();
    assert_eq!(status, ExitStatus::Code(0), "{output}");
    output
}

#[test]
fn a_command_runs_and_its_output_ends() {
    let (status, output) = sh("echo out; echo err >&2; exit 3").finish();
    assert_eq!((status, output.as_str()), (ExitStatus::Code(3), "out\nerr\n"));
}

#[test]
fn exit_137_is_not_signal_9() {
    assert_eq!(sh("exit 137").finish().0, ExitStatus::Code(137));
    let killed = ExitStatus::Signal { signal: 9, core_dumped: false };
    assert_eq!(sh("kill -9 $$").finish().0, killed);
    assert_eq!(sh("kill -TERM $$").finish().0, ExitStatus::Signal { signal: 15, core_dumped: false });
}

#[test]
fn stdin_has_a_real_end() {
    let mut running = start(&["cat"]);
    running.stdin.as_mut().unwrap().write_all(b"through").unwrap();
    assert_eq!(running.finish(), (ExitStatus::Code(0), "through".to_owned()));
}

#[test]
fn a_missing_program_is_127_and_says_where_it_was_looked_for() {
    let error = fail(&["no-such-program"], |_| {});
    assert_eq!((error.kind, error.exit_code()), (Kind::NotFound, Some(127)));
    let expected =
        r#"program "no-such-program" is in no directory of PATH (/usr/bin:/bin); install it or give its path"#;
    assert_eq!(error.to_string(), expected);
    assert_eq!(fail(&["/no/such/program"], |_| {}).exit_code(), Some(127));
    assert_eq!(fail(&[""], |_| {}).exit_code(), Some(127));
}

#[test]
fn what_cannot_be_executed_is_126() {
    let scratch = Scratch::new();
    let plain = scratch.file("plain", b"#!/bin/sh\n", 0o644);
    let orphan = scratch.file("orphan", b"#!/no/such/interpreter\n", 0o755);
    let foreign = scratch.file("foreign", b"\x7fELF\x02\x01\x01\0 of another machine", 0o755);
    let cases = [
        (plain.as_str(), Kind::NotExecutable),
        ("/usr", Kind::IsDirectory),
        (&orphan, Kind::InterpreterMissing),
        (&foreign, Kind::BadFormat),
    ];
    for (program, kind) in cases {
        let error = fail(&[program], |_| {});
        assert_eq!((error.kind, error.exit_code()), (kind, Some(126)), "{error}");
        assert!(error.to_string().contains(program), "{error}");
    }
}

#[test]
fn a_script_without_an_interpreter_line_is_run_by_the_shell() {
    let scratch = Scratch::new();
    let script = scratch.file("script", b"echo $0 $1 $2\n", 0o755);
    let (status, output) = start(&[&script, "a b", "c"]).finish();
    assert_eq!((status, output), (ExitStatus::Code(0), format!("{script} a b c\n")));
}

#[test]
fn the_program_is_searched_on_the_path_of_the_command() {
    let scratch = Scratch::new();
    scratch.file("isobox-tool", b"#!/bin/sh\necho found\n", 0o755);
    std::fs::create_dir(scratch.0.join("sub")).unwrap();
    // A directory and a file without the right to execute do not hide the program behind them.
    std::fs::create_dir_all(scratch.0.join("first/isobox-tool")).unwrap();
    std::fs::create_dir(scratch.0.join("second")).unwrap();
    scratch.file("second/isobox-tool", b"", 0o644);
    let root = scratch.path().to_owned();
    let path = format!("PATH={root}/first:{root}/second:{root}");
    let found = start_with(&["isobox-tool"], |launch| launch.env = bytes(&[&path])).unwrap();
    assert_eq!(found.finish().1, "found\n");
    let hidden = fail(&["isobox-tool"], |launch| launch.env = bytes(&[&format!("PATH={root}/first:{root}/second")]));
    assert_eq!(hidden.kind, Kind::NotExecutable);
    let relative = start_with(&["isobox-tool"], |launch| {
        launch.env = bytes(&["PATH=:/nowhere"]);
        launch.cwd = root.clone().into_bytes();
    });
    assert_eq!(relative.unwrap().finish().1, "found\n");
}

#[test]
fn the_working_directory_must_exist() {
    let error = fail(&["true"], |launch| launch.cwd = b"/no/such/place".to_vec());
    let expected = r#"working directory "/no/such/place" does not exist; create it or choose another"#;
    assert_eq!((error.kind, error.to_string().as_str()), (Kind::Cwd, expected));
    let file = fail(&["true"], |launch| launch.cwd = b"/etc/passwd".to_vec());
    assert_eq!((file.kind, file.exit_code()), (Kind::Cwd, None));
    let inside = start_with(&["pwd"], |launch| launch.cwd = b"/usr/bin".to_vec()).unwrap();
    assert_eq!(inside.finish().1, "/usr/bin\n");
}

#[test]
fn a_mebibyte_of_arguments_arrives_and_too_many_are_refused() {
    let word = "x".repeat(64 << 10);
    let mut argv = vec!["/bin/sh", "-c", r#"printf %s "$*" | wc -c"#, "sh"];
    argv.extend(std::iter::repeat_n(word.as_str(), 16));
    let (_, output) = start(&argv).finish();
    assert_eq!(output.trim(), ((64 << 10) * 16 + 15).to_string());
    argv.extend(std::iter::repeat_n(word.as_str(), 64));
    let error = fail(&argv, |_| {});
    assert_eq!((error.kind, error.exit_code()), (Kind::ArgumentsTooLong, Some(126)));
}

#[test]
fn the_environment_is_exactly_what_was_given() {
    let env = ["with-dash=1", "x.y=2", "EMPTY=", "PATH=/usr/bin:/bin", "no-equals"];
    let given = start_with(&["env"], |launch| launch.env = bytes(&env)).unwrap();
    assert_eq!(given.finish().1.lines().collect::<Vec<_>>(), env);
}

#[test]
fn bytes_that_no_program_can_get_are_refused_at_once() {
    let error = start_with(&["echo", "a\0b"], |_| {}).err().unwrap();
    assert_eq!((error.kind, error.to_string().as_str()), (Kind::Invalid, "an argument contains a NUL byte; remove it"));
    assert_eq!(start_with(&[], |_| {}).err().unwrap().kind, Kind::Invalid);
}

#[test]
fn the_leader_holds_three_descriptors() {
    let _held: Vec<File> = (0..20).map(|_| File::open("/").unwrap()).collect();
    let _inheritable = rustix::io::dup(File::open("/").unwrap()).unwrap();
    assert_eq!(output("ls /proc/$$/fd"), "0\n1\n2\n");
}

#[test]
fn signals_are_clean_and_the_session_is_new() {
    let script = r#"grep -E "^Sig(Blk|Ign|Pnd)" /proc/self/status | cut -f2; cut -d" " -f6 /proc/$$/stat; echo $$"#;
    let lines = output(script);
    let [pending, blocked, ignored, session, pid] = lines.lines().collect::<Vec<_>>()[..] else { panic!("{lines}") };
    for set in [pending, blocked, ignored] {
        assert_eq!(set, "0".repeat(16));
    }
    assert_eq!(session, pid);
}

#[test]
fn umask_and_file_limit_are_the_commands_own() {
    assert_eq!(output("umask"), "0022\n");
    let own = start_with(&["/bin/sh", "-c", "umask; ulimit -Sn; ulimit -Hn"], |launch| {
        launch.umask = 0o077;
        launch.nofile = Some((100, 200));
    });
    assert_eq!(own.unwrap().finish().1, "0077\n100\n200\n");
}

#[test]
fn a_freshly_written_program_that_another_fork_still_holds_is_waited_for() {
    let scratch = Scratch::new();
    let script = scratch.file("busy", b"#!/bin/sh\necho ran\n", 0o755);
    let writer = std::fs::OpenOptions::new().write(true).open(&script).unwrap();
    let running = start(&[&script]);
    drop(writer);
    assert_eq!(running.finish().1, "ran\n");
}

#[test]
fn usage_counts_what_the_leader_waited_for() {
    let mut running = sh("i=0; (while [ $i -lt 200000 ]; do i=$((i+1)); done); exit 0");
    running.started();
    let (_, usage) = running.exited();
    assert!(usage.user > Duration::from_millis(20), "{usage:?}");
    assert!(usage.max_rss > 256 << 10, "{usage:?}");
}
