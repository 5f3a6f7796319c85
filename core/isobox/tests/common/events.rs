//! What the tests of events share: reading them, from any process.

#![allow(dead_code, reason = "each test binary uses its own part")]

use crate::elsewhere::PATIENCE;
use isobox::{Event, EventFilter, EventKind, ExecId, Exit, Follow, Followed, Isobox, SandboxId};

/// The next event; panics when some that were asked for are gone, or when none comes.
pub async fn next(follow: &mut Follow) -> Event {
    match tokio::time::timeout(PATIENCE, follow.next()).await.expect("an event in time").unwrap() {
        Followed::Event(event) => *event,
        other => panic!("{other:?}"),
    }
}

/// The events of a sandbox and these kinds from the beginning up to the first that is `last`.
pub async fn until(isobox: &Isobox, of: &SandboxId, kinds: &[&str], last: impl Fn(&Event) -> bool) -> Vec<Event> {
    let kinds = kinds.iter().map(ToString::to_string).collect();
    let mut follow = isobox.events(0, EventFilter { sandboxes: vec![*of], kinds });
    let mut all = Vec::new();
    loop {
        let event = next(&mut follow).await;
        let over = last(&event);
        all.push(event);
        if over {
            return all;
        }
    }
}

/// How a command ended, as its event tells; waits for that.
pub async fn end_of(isobox: &Isobox, of: &SandboxId, exec: &ExecId) -> Exit {
    let is_it = |event: &Event| matches!(&event.kind, EventKind::ExecExited { exec: it, .. } if it == exec);
    let events = until(isobox, of, &["exec_exited"], is_it).await;
    match &events.last().unwrap().kind {
        EventKind::ExecExited { exit, .. } => exit.clone(),
        other => panic!("{other:?}"),
    }
}

/// Which command an event is about, and whether it is its end.
pub fn exec(event: &Event) -> Option<(ExecId, bool)> {
    match &event.kind {
        EventKind::ExecStarted { exec, .. } => Some((*exec, false)),
        EventKind::ExecExited { exec, .. } => Some((*exec, true)),
        _ => None,
    }
}
