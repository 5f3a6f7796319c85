//! With a terminal on both ends, the command has a terminal.

#![allow(clippy::unwrap_used)]

mod common;

#[path = "common/sandboxes.rs"]
mod sandboxes;

use common::{Home, providers, signal, status};
use rustix::fs::{Mode, OFlags};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use sandboxes::{Made, says};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

/// What a program says to a terminal to have another screen, and to give it back (xterm's control sequences).
const ALTERNATE_SCREEN: &str = "\x1b[?1049h";
const ORDINARY_SCREEN: &str = "\x1b[?1049l";

/// Both ends of a terminal.
struct Terminal {
    ours: File,
    theirs: OwnedFd,
    seen: String,
}

impl Terminal {
    fn new() -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let terminal = Self { ours: ours.into(), theirs, seen: String::new() };
        terminal.resize(30, 100);
        terminal
    }

    fn resize(&self, rows: u16, cols: u16) {
        tcsetwinsize(&self.ours, Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    }

    fn echoes(&self) -> bool {
        tcgetattr(&self.theirs).unwrap().local_modes.contains(LocalModes::ECHO)
    }

    fn run(&self, home: &Home, provider: &str, arguments: &[&str]) -> Child {
        self.start(home.run(provider, arguments))
    }

    fn start(&self, mut command: Command) -> Child {
        let end = || Stdio::from(self.theirs.try_clone().unwrap());
        command.env("TERM", "vt100").stdin(end()).stdout(end()).stderr(end()).spawn().unwrap()
    }

    fn send(&mut self, bytes: &[u8]) {
        self.ours.write_all(bytes).unwrap();
    }

    /// Reads until this was seen, or kills the child and fails.
    fn wait_for(&mut self, child: &Child, wanted: &str) {
        while !self.seen.contains(wanted) {
            let mut ours = self.ours.try_clone().unwrap();
            let piece = common::within(child.id(), move || {
                let mut buffer = [0; 1024];
                let length = ours.read(&mut buffer).unwrap();
                common::text(&buffer[..length])
            });
            self.seen.push_str(&piece);
        }
    }
}

#[test]
fn the_command_has_a_terminal_of_our_size() {
    for provider in providers() {
        let (home, mut terminal) = (Home::new(), Terminal::new());
        let script =
            "test -t 0 && test -t 1 && test -t 2 && stty size && echo $TERM; read line; echo got $line; exit 5";
        let child = terminal.run(&home, provider, &["sh", "-c", script]);
        terminal.wait_for(&child, "30 100\r\nvt100\r\n");
        assert!(!terminal.echoes(), "{provider}: our terminal passes keys on, and theirs shows them");
        terminal.send(b"hello\r");
        terminal.wait_for(&child, "got hello\r\n");
        assert_eq!(status(child).code(), Some(5), "{provider}");
        assert!(terminal.echoes(), "{provider}: the terminal is as it was");
    }
}

#[test]
fn an_interrupt_is_a_key_for_the_command() {
    for provider in providers() {
        let (home, mut terminal) = (Home::new(), Terminal::new());
        let script = "trap 'echo int; exit 9' INT; echo ready; while :; do sleep 0.02; done";
        let child = terminal.run(&home, provider, &["sh", "-c", script]);
        terminal.wait_for(&child, "ready");
        terminal.send(b"\x03");
        terminal.wait_for(&child, "int\r\n");
        assert_eq!(status(child).code(), Some(9), "{provider}");
    }
}

#[test]
fn a_new_size_reaches_the_command() {
    for provider in providers() {
        let (home, mut terminal) = (Home::new(), Terminal::new());
        let script = "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.02; done";
        let child = terminal.run(&home, provider, &["sh", "-c", script]);
        terminal.wait_for(&child, "ready");
        terminal.resize(41, 123);
        // The kernel tells the foreground group of a controlling terminal, which this test does not make it.
        signal(child.id(), Signal::WINCH);
        terminal.wait_for(&child, "41 123");
        assert!(status(child).success(), "{provider}");
    }
}

#[test]
fn the_terminal_is_put_back_when_isobox_is_ended() {
    for provider in providers() {
        for asked in [Signal::TERM, Signal::HUP, Signal::INT] {
            let (home, mut terminal) = (Home::new(), Terminal::new());
            let child = terminal.run(&home, provider, &["sh", "-c", "echo ready; exec sleep 1000"]);
            terminal.wait_for(&child, "ready");
            assert!(!terminal.echoes());
            signal(child.id(), asked);
            assert_eq!(status(child).code(), Some(130), "{provider}");
            assert!(terminal.echoes(), "{provider}");
        }
    }
}

#[test]
fn no_terminal_when_it_is_not_wanted() {
    for provider in providers() {
        let (home, mut terminal) = (Home::new(), Terminal::new());
        let script = "test -t 0 || test -t 1 || echo none; cat; echo end";
        let child = terminal.run(&home, provider, &["--no-tty", "sh", "-c", script]);
        terminal.wait_for(&child, "none\r\nend\r\n");
        assert!(status(child).success(), "{provider}");
    }
}

#[test]
fn a_terminal_without_one_of_our_own() {
    for provider in providers() {
        let home = Home::new();
        let output = common::finish(home.run(provider, &["-t", "sh", "-c", "test -t 1 && stty size"]));
        assert_eq!(common::text(&output.stdout), "24 80\r\n", "{provider}");
    }
}

#[test]
fn a_command_is_left_with_keys_and_joined_again() {
    for provider in providers() {
        let (home, mut terminal) = (Home::new(), Terminal::new());
        let made = Made::new(&home, provider, &["--name", "box"]);
        let script = "echo ready; while read line; do echo got $line; test $line != end || exit 6; done";
        let child = terminal.start(home.isobox(["exec", "-it", "box", "sh", "-c", script]));
        terminal.wait_for(&child, "ready");
        assert!(!terminal.echoes());
        terminal.send(b"one\r");
        terminal.wait_for(&child, "got one");
        terminal.send(b"\x10\x11");
        terminal.wait_for(&child, "goes on, isobox attach exe_");
        assert_eq!(status(child).code(), Some(0), "{provider}");
        assert!(terminal.echoes(), "{provider}: the terminal is as it was");
        assert_eq!(says(&home, &["ps", "-q", &made.id]).lines().count(), 1);
        let child = terminal.start(home.isobox(["attach", "--replay", "box"]));
        // Ctrl-P alone is a key like any other, which the line discipline shows as ^P.
        terminal.send(b"end\r");
        terminal.wait_for(&child, "got end");
        assert_eq!(status(child).code(), Some(6), "{provider}");
        assert!(terminal.echoes(), "{provider}");
    }
}

#[test]
fn a_shell_is_a_terminal_in_the_sandbox() {
    for provider in providers() {
        let (home, mut terminal) = (Home::new(), Terminal::new());
        let made = Made::new(&home, provider, &[]);
        let child = terminal.start(home.isobox(["shell", &made.id]));
        terminal.send(b"stty size; echo shell=$0\r");
        terminal.wait_for(&child, "30 100");
        terminal.wait_for(&child, "shell=/");
        terminal.send(b"exit 4\r");
        assert_eq!(status(child).code(), Some(4), "{provider}");
        assert!(terminal.echoes(), "{provider}");
    }
}

#[test]
fn the_terminal_is_put_back_when_exec_is_ended() {
    for provider in providers() {
        let (home, mut terminal) = (Home::new(), Terminal::new());
        let made = Made::new(&home, provider, &[]);
        let child = terminal.start(home.isobox(["exec", "-it", &made.id, "sh", "-c", "echo ready; exec sleep 1000"]));
        terminal.wait_for(&child, "ready");
        signal(child.id(), Signal::TERM);
        assert_eq!(status(child).code(), Some(130), "{provider}");
        assert!(terminal.echoes(), "{provider}");
        assert_eq!(says(&home, &["ps", "-q", &made.id]), "", "{provider}: it ended with us");
    }
}

#[test]
fn the_whole_screen_is_given_back() {
    let home = Home::new();
    let _made = Made::new(&home, "host", &["--name", "watched"]);
    for (ended_by, code) in [(None, 0), (Some(Signal::TERM), 130), (Some(Signal::HUP), 130)] {
        let mut terminal = Terminal::new();
        let child = terminal.start(home.isobox(["top"]));
        terminal.wait_for(&child, "1 sandboxes, 1 running");
        terminal.wait_for(&child, "watched");
        assert!(!terminal.echoes() && terminal.seen.contains(ALTERNATE_SCREEN), "{ended_by:?}");
        match ended_by {
            None => terminal.send(b"q"),
            Some(asked) => signal(child.id(), asked),
        }
        terminal.wait_for(&child, ORDINARY_SCREEN);
        assert_eq!(status(child).code(), Some(code), "{ended_by:?}");
        assert!(terminal.echoes(), "{ended_by:?}");
    }
}

#[test]
fn a_screen_is_needed_for_the_whole_of_it() {
    let output = common::finish(Home::new().isobox(["top"]));
    assert_eq!(output.status.code(), Some(125));
    let said = common::text(&output.stderr);
    assert_eq!(said, "isobox: error: top needs a terminal on stdin and stdout, use isobox stats elsewhere\n");
}
