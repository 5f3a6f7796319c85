//! Who is dead, by what is seen.

use super::probe::{LockState, Presence};
use super::{Life, decide};
use crate::owner::identity::state_and_start;
use crate::record::ProcessIdentity;

fn process(boot: &str, pid_namespace: u64) -> ProcessIdentity {
    ProcessIdentity { pid: 100, started: 7, boot: boot.into(), pid_namespace }
}

#[test]
fn nobody_is_dead_without_proof() {
    let here = process("now", 1);
    let cases = [
        // Held is alive, whatever else is seen.
        ("now", 1, LockState::Held, Presence::Gone, Life::Alive),
        ("before", 2, LockState::Held, Presence::Unknown, Life::Alive),
        ("before", 1, LockState::Free, Presence::There, Life::Dead),
        ("before", 1, LockState::Missing, Presence::There, Life::Dead),
        ("now", 1, LockState::Free, Presence::There, Life::Alive),
        ("now", 1, LockState::Free, Presence::Gone, Life::Dead),
        ("now", 1, LockState::Free, Presence::Unknown, Life::Unknown),
        // A forked child keeps nobody alive.
        ("now", 1, LockState::Inherited, Presence::Gone, Life::Dead),
        ("now", 1, LockState::Missing, Presence::Gone, Life::Unknown),
        ("now", 2, LockState::Free, Presence::Unknown, Life::Dead),
        ("now", 2, LockState::Inherited, Presence::Unknown, Life::Unknown),
        ("now", 2, LockState::Missing, Presence::Unknown, Life::Unknown),
    ];
    for (boot, namespace, lock, presence, life) in cases {
        let found = decide(&process(boot, namespace), &here, lock, || presence);
        assert_eq!(found, life, "{boot} {namespace} {lock:?} {presence:?}");
    }
}

#[test]
fn the_name_of_a_program_cannot_forge_its_start() {
    let numbers = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20";
    assert_eq!(state_and_start(&format!("12 (a) S 1) R {numbers}")), Some(('R', 4242)));
    assert_eq!(state_and_start("12 (cut"), None);
}
