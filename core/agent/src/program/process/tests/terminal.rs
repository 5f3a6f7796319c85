//! Terminals.

use super::super::Pty;
use super::super::keyboard::{first_signal, press};
use super::super::pty::resize;
use super::*;

fn in_terminal(pty: &Pty, script: &str) -> Tree {
    let mut launch = Launch::new(bytes(&["/bin/sh", "-c", script]), [pty.slave.as_fd(); 3]);
    launch.env = bytes(&["PATH=/usr/bin:/bin"]);
    launch.tty = true;
    launch.start().unwrap()
}

fn until(master: &mut File, text: &str) -> String {
    let mut seen = String::new();
    let mut chunk = [0; 4096];
    while !seen.contains(text) {
        readable(&*master);
        let length = master.read(&mut chunk).unwrap_or(0);
        assert_ne!(length, 0, "the terminal ended after {seen:?}");
        seen.push_str(std::str::from_utf8(&chunk[..length]).unwrap());
    }
    seen
}

#[test]
fn the_leader_gets_a_controlling_terminal_with_a_size() {
    let pty = Pty::open(33, 77, None).unwrap();
    let _tree = in_terminal(&pty, "stty size; [ -w /dev/tty ] && echo controls >/dev/tty; read -r line; stty size");
    resize_after_first(pty);
}

fn resize_after_first(pty: Pty) {
    let mut master = File::from(pty.master);
    assert!(until(&mut master, "controls").starts_with("33 77\r\n"));
    resize(master.as_fd(), 10, 20).unwrap();
    master.write_all(b"go\n").unwrap();
    until(&mut master, "10 20");
}

#[test]
fn an_interrupt_typed_reaches_the_foreground() {
    let pty = Pty::open(24, 80, None).unwrap();
    let mut tree = in_terminal(&pty, "trap 'exit 41' INT; echo ready; while :; do sleep 0.05; done");
    let mut master = File::from(pty.master);
    until(&mut master, "ready");
    master.write_all(b"\x03").unwrap();
    let status = loop {
        readable(&tree);
        if let Some(Report::LeaderExited { status, .. }) = tree.try_report().unwrap() {
            break status;
        }
    };
    assert_eq!(status, ExitStatus::Code(41));
}

#[test]
fn a_pressed_key_reaches_the_foreground_and_nobody_reads_it_or_what_was_typed_ahead() {
    let pty = Pty::open(24, 80, None).unwrap();
    let master = pty.master.try_clone().unwrap();
    // The child says that it is there: a shell that has yet to start it would take the signal for itself.
    let script = "trap 'echo inter''rupted' INT; sh -c 'echo ready; exec sleep 1000'; read -r line; echo \"<$line>\"";
    let _tree = in_terminal(&pty, script);
    let mut seen = File::from(pty.master);
    until(&mut seen, "ready");
    (&mut &seen).write_all(b"typed ahead\nhalf").unwrap();
    until(&mut seen, "half");
    assert_eq!(first_signal(&master, b"ab\x03c"), Some(2));
    press(&master, 3).unwrap();
    until(&mut seen, "interrupted");
    (&mut &seen).write_all(b"later\n").unwrap();
    until(&mut seen, "<later>");
}

#[test]
fn what_is_no_terminal_is_refused() {
    let mut running = start_with(&["true"], |launch| launch.tty = true).unwrap();
    assert_eq!(running.failed().kind, super::super::StartErrorKind::Terminal);
}
