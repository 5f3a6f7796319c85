//! Runs the program as the kernel does, and asks it about every call.

use super::allowed::ALLOWED;
use super::checked::CHECKED;
use super::program::{self, Instruction};
use super::refused::{NAMESPACES, REFUSED};
use super::{Call, ENOSYS, EPERM, Machine, Refusal, compile};
use std::collections::HashMap;

const ALL: [Machine; 3] = [Machine::X86_64, Machine::X86, Machine::Aarch64];

/// What the kernel would answer.
fn run(program: &[Instruction], machine: u32, number: u32, arguments: [u64; 3]) -> u32 {
    let mut loaded = 0u32;
    let mut at = 0;
    loop {
        let Instruction { code, when_true, when_false, operand } = program[at];
        at += 1;
        let mut branch = |holds: bool| at += usize::from(if holds { when_true } else { when_false });
        match code {
            program::LOAD => {
                loaded = match operand {
                    program::NUMBER => number,
                    program::MACHINE => machine,
                    _ => arguments[usize::try_from((operand - program::ARGUMENTS) / 8).unwrap()] as u32,
                }
            }
            program::AND => loaded &= operand,
            program::EQUAL => branch(loaded == operand),
            program::AT_LEAST => branch(loaded >= operand),
            program::JUMP => at += operand as usize,
            program::ANSWER => return operand,
            other => panic!("no instruction of ours: {other:#x}"),
        }
    }
}

const fn fails(error: u16) -> u32 {
    program::FAILS | error as u32
}

/// The answer for a call by name on x86-64.
fn ask(name: &str, arguments: [u64; 3], nested: bool) -> u32 {
    let calls = CHECKED.iter().map(|check| &check.call).chain(ALLOWED.iter());
    let call = calls.chain(REFUSED.iter().flat_map(|group| group.calls.iter().map(|(call, _)| call)));
    let call = call.into_iter().find(|call| call.0 == name).unwrap();
    let number = Machine::X86_64.number(call).unwrap();
    run(&compile(&[Machine::X86_64, Machine::X86], nested), Machine::X86_64.token(), number, arguments)
}

#[test]
fn every_call_of_the_table_gets_its_answer_on_every_machine() {
    for machine in ALL {
        for nested in [false, true] {
            let program = compile(&[Machine::X86_64, Machine::X86, Machine::Aarch64], nested);
            let answer = |call: &Call| Some(run(&program, machine.token(), machine.number(call)?, [0; 3]));
            for call in &ALLOWED {
                assert!(answer(call).is_none_or(|got| got == program::ALLOWED), "{machine:?} {call:?}");
            }
            for group in &REFUSED {
                let wanted = match group.refusal {
                    _ if nested && group.title == NAMESPACES => program::ALLOWED,
                    Refusal::Denied => fails(EPERM),
                    Refusal::Unknown => fails(ENOSYS),
                };
                for (call, _) in group.calls {
                    assert!(answer(call).is_none_or(|got| got == wanted), "{machine:?} {call:?}");
                }
            }
        }
    }
}

#[test]
fn what_is_not_in_the_table_does_not_exist() {
    let program = compile(&ALL, false);
    for machine in ALL {
        let calls = ALLOWED.iter().chain(CHECKED.iter().map(|check| &check.call));
        let calls = calls.chain(REFUSED.iter().flat_map(|group| group.calls.iter().map(|(call, _)| call)));
        let known: Vec<u32> = calls.filter_map(|call| machine.number(call)).collect();
        let foreign = [0x3FFF_FFFF, 0x4000_0000, 0x4000_0001, 0x7FFF_FFFF, u32::MAX];
        for number in (0..1024).chain(foreign).filter(|number| !known.contains(number)) {
            assert_eq!(run(&program, machine.token(), number, [0; 3]), fails(ENOSYS), "{machine:?} {number}");
        }
    }
    assert_eq!(run(&program, 0x4000_0028, 1, [0; 3]), program::KILLED, "32-bit ARM");
}

#[test]
fn no_call_and_no_number_stands_twice() {
    let mut names: HashMap<&str, &Call> = HashMap::new();
    let calls = ALLOWED.iter().chain(CHECKED.iter().map(|check| &check.call));
    let calls: Vec<_> =
        calls.chain(REFUSED.iter().flat_map(|group| group.calls.iter().map(|(call, _)| call))).collect();
    for machine in ALL {
        let mut numbers = HashMap::new();
        for call in &calls {
            if let Some(number) = machine.number(call) {
                assert!(numbers.insert(number, call.0).is_none(), "{machine:?} {number} {}", call.0);
            }
        }
    }
    assert!(calls.iter().all(|call| names.insert(call.0, call).is_none()));
}

#[test]
fn the_numbers_of_this_machine_are_those_of_the_c_library() {
    let calls = [
        ("read", libc::SYS_read),
        ("openat", libc::SYS_openat),
        ("clone3", libc::SYS_clone3),
        ("bpf", libc::SYS_bpf),
        ("keyctl", libc::SYS_keyctl),
        ("mount", libc::SYS_mount),
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("mount_setattr", libc::SYS_mount_setattr),
        ("execve", libc::SYS_execve),
        ("statx", libc::SYS_statx),
        ("setns", libc::SYS_setns),
        ("socket", libc::SYS_socket),
        ("ioctl", libc::SYS_ioctl),
    ];
    let all: Vec<&Call> = ALLOWED
        .iter()
        .chain(CHECKED.iter().map(|check| &check.call))
        .chain(REFUSED.iter().flat_map(|group| group.calls.iter().map(|(call, _)| call)))
        .collect();
    for (name, number) in calls {
        let call = all.iter().find(|call| call.0 == name).unwrap();
        assert_eq!(Machine::HERE[0].number(call), u32::try_from(number).ok(), "{name}");
    }
}

#[test]
fn namespaces_need_to_be_asked_for() {
    let user = libc::CLONE_NEWUSER as u64;
    let thread = (libc::CLONE_VM | libc::CLONE_THREAD) as u64;
    for call in ["clone", "unshare"] {
        assert_eq!(ask(call, [user, 0, 0], false), fails(EPERM), "{call}");
        assert_eq!(ask(call, [user | thread, 0, 0], false), fails(EPERM), "{call}");
        assert_eq!(ask(call, [user, 0, 0], true), program::ALLOWED, "{call}");
        assert_eq!(ask(call, [thread, 0, 0], false), program::ALLOWED, "{call}");
    }
    // The bit is a signal's for clone and a namespace for unshare.
    assert_eq!(ask("clone", [0x80, 0, 0], false), program::ALLOWED);
    assert_eq!(ask("unshare", [0x80, 0, 0], false), fails(EPERM));
}

#[test]
fn sockets_are_of_four_families() {
    for call in ["socket", "socketpair"] {
        let ask = |family, kind, protocol| ask(call, [family, kind, protocol], false);
        for (family, protocol) in [(1, 0), (2, 0), (2, 6), (10, 17), (2, 1), (16, 0), (16, 16)] {
            assert_eq!(ask(family, 1, protocol), program::ALLOWED, "{family} {protocol}");
        }
        for family in [0, 3, 4, 5, 9, 17, 21, 29, 30, 37, 38, 40, 41, 44, 45] {
            assert_eq!(ask(family, 1, 0), fails(97), "{family}");
        }
        for (family, kind, protocol) in
            [(16, 3, 12), (16, 3, 9), (16, 3, 6), (2, 6, 0), (10, 0x80006, 0), (2, 5, 132), (2, 2, 115)]
        {
            assert_eq!(ask(family, kind, protocol), fails(93), "{family} {kind} {protocol}");
        }
        // What stands above the 32 bits that the kernel looks at makes no difference.
        assert_eq!(ask(40 | 1 << 32, 1, 0), fails(97));
    }
}

#[test]
fn terminals_take_no_input_from_programs() {
    for request in [0x5412, 0x541C, 0x5423, 0x5412 | 1 << 32] {
        assert_eq!(ask("ioctl", [0, request, 0], false), fails(EPERM));
    }
    assert_eq!(ask("ioctl", [0, 0x5413, 0], false), program::ALLOWED);
}

#[test]
fn personalities_are_harmless_ones() {
    for persona in [0, 8, 0x20000, 0x40000, 0x60008, 0xFFFF_FFFF] {
        assert_eq!(ask("personality", [persona, 0, 0], false), program::ALLOWED, "{persona:#x}");
    }
    for persona in [0x0040_0000, 0x0010_0000, 0x0020_0000, 6] {
        assert_eq!(ask("personality", [persona, 0, 0], false), fails(EPERM), "{persona:#x}");
    }
}

#[test]
fn the_program_is_short_and_its_ways_are_shorter() {
    for nested in [false, true] {
        let program = compile(Machine::HERE, nested);
        assert!(program.len() < 1024, "{}", program.len());
    }
}
