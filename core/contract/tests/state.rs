//! The table of states has no dead ends and no way back from the dead.

use isobox_contract::state::TRANSITIONS;
use isobox_contract::{Action, State};
use proptest::prelude::*;
use std::collections::HashSet;

fn reachable(from: State, allowed: impl Fn(State) -> bool) -> HashSet<State> {
    let mut seen = HashSet::from([from]);
    let mut queue = vec![from];
    while let Some(state) = queue.pop() {
        for next in State::ALL.iter().copied().filter(|next| state.can_become(*next) && allowed(*next)) {
            if seen.insert(next) {
                queue.push(next);
            }
        }
    }
    seen
}

#[test]
fn every_state_has_its_row() {
    let rows: HashSet<_> = TRANSITIONS.iter().map(|(from, _)| *from).collect();
    assert_eq!((rows.len(), TRANSITIONS.len()), (State::ALL.len(), State::ALL.len()));
}

#[test]
fn every_state_is_reached_from_creation_without_detours() {
    let states = reachable(State::Creating, |state| state != State::Unknown);
    let missing: Vec<_> = State::ALL.iter().filter(|state| !states.contains(state)).collect();
    assert_eq!(missing, [&State::Unknown]);
}

#[test]
fn deleted_is_final_and_can_always_be_reached() {
    assert!(State::ALL.iter().all(|next| !State::Deleted.can_become(*next)));
    for state in State::ALL {
        assert_eq!(state.is_final(), *state == State::Deleted);
        // What somebody else removed is gone from any state, without a detour.
        assert!(state.is_final() || state.can_become(State::Deleted), "{state}");
    }
}

#[test]
fn a_sandbox_that_is_being_deleted_only_ends() {
    let next: Vec<_> = State::ALL.iter().filter(|next| State::Deleting.can_become(**next)).collect();
    assert_eq!(next, [&State::Deleted, &State::Error, &State::Unknown]);
}

#[test]
fn stable_states_are_the_six() {
    let stable: Vec<_> = State::ALL.iter().filter(|state| state.is_stable()).map(|state| state.as_str()).collect();
    assert_eq!(stable, ["running", "stopped", "paused", "archived", "deleted", "error"]);
}

#[test]
fn what_ends_by_itself_can_end_in_a_stable_state() {
    for state in State::ALL.iter().filter(|state| !state.is_stable()) {
        let good = State::ALL.iter().any(|next| {
            let ended = matches!(next, State::Error | State::Deleted);
            next.is_stable() && state.can_become(*next) && (!ended || *state == State::Deleting)
        });
        assert!(good, "{state}");
    }
}

#[test]
fn actions_lead_where_their_names_say() {
    assert_eq!(State::Running.next(Action::Stop), Some(State::Stopping));
    assert_eq!(State::Stopped.next(Action::Stop), None);
    assert!(State::Stopped.can(Action::Stop));
    assert_eq!(State::Paused.next(Action::Start), Some(State::Resuming));
    assert_eq!(State::Archived.next(Action::Start), Some(State::Restoring));
    assert_eq!(State::Error.next(Action::Recover), Some(State::Restoring));
    assert!(!State::Paused.can(Action::Exec));
    assert!(State::Deleted.satisfies(State::Stopped));
}

proptest! {
    #[test]
    fn an_action_never_leaves_the_table(state in 0..State::ALL.len(), action in 0..Action::ALL.len()) {
        let (state, action) = (State::ALL[state], Action::ALL[action]);
        if let Some(next) = state.next(action) {
            prop_assert!(state.can(action));
            prop_assert!(state.can_become(next));
            prop_assert!(!next.is_stable());
        }
    }
}

#[test]
fn an_unknown_word_reads_as_unknown() {
    assert_eq!(serde_json::from_str::<State>("\"hibernating\"").unwrap(), State::Unknown);
}
