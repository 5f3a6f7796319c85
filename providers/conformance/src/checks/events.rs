//! What is told of what happens.

use crate::check::{Check, Checked, Stop, same};
use crate::lab::Lab;
use isobox::contract::Action;
use isobox::{Capability, Event, EventFilter, EventKind, Followed, SandboxId};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        events_of_operations_come_in_pairs,
        "Each operation begins once and ends once, with one id, in the order of the numbers."
    )
    .programs(&[]),
    check!(events_of_a_failed_create_say_so, "A create that fails is told with its error.").programs(&[]),
    check!(
        events_of_commands_say_nothing_of_them,
        "Commands are told with their ends, and nothing that was executed or written is."
    )
    .programs(&[]),
];

/// What is told of a sandbox by now.
async fn told(lab: &Lab, id: SandboxId) -> Checked<Vec<Event>> {
    lab.isobox().processes(id.as_str()).await.ok();
    let mut follow = lab.isobox().events(0, EventFilter { sandboxes: vec![id], ..EventFilter::default() });
    let mut events = Vec::new();
    while let Some(next) = follow.next_now().await? {
        if let Followed::Event(event) = next {
            events.push(*event);
        }
    }
    Ok(events)
}

async fn events_of_operations_come_in_pairs(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mut actions = vec![Action::Create, Action::Delete];
    if lab.claims(Capability::LifecycleStop) {
        sandbox.stop(None).await?;
        actions.push(Action::Stop);
    }
    sandbox.delete().await?;
    let events = told(lab, *sandbox.id()).await?;
    for action in actions {
        let started: Vec<_> = events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::OperationStarted { action: of, .. } if of == action))
            .collect();
        same(&format!("how often {action} begins"), started.len(), 1)?;
        let operation = started.first().and_then(|event| event.operation);
        ensure!(operation.is_some(), "{action} has no id");
        let ends = events.iter().filter(|event| event.operation == operation && event.kind.ends_operation()).count();
        same(&format!("how often {action} ends"), ends, 1)?;
    }
    let in_order = events.windows(2).all(|pair| pair[0].sequence < pair[1].sequence);
    ensure!(in_order, "the numbers are not in order");
    let own: Vec<_> = events.iter().map(|event| event.subject_sequence).collect();
    same("the numbers within the sandbox", own.clone(), (1..=own.len() as u64).collect::<Vec<_>>())
}

async fn events_of_a_failed_create_say_so(lab: &Lab) -> Checked {
    let name = lab.unique();
    let first = lab.make(lab.builder().idempotency_key(&name)).await?;
    let before = lab.isobox().last_event().await?;
    let failed = lab.builder().env("OTHER", "1").idempotency_key(&name).create().await;
    ensure!(failed.is_err(), "it did not fail");
    ensure!(lab.isobox().last_event().await? >= before, "events are lost");
    let events = told(lab, *first.id()).await?;
    let failures = events.iter().filter(|event| matches!(event.kind, EventKind::OperationFailed { .. })).count();
    same("failures that are told of the first, which did not fail", failures, 0)
}

async fn events_of_commands_say_nothing_of_them(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let _ = sandbox.exec(["conformance-argument-1"]).await;
    sandbox.files().write("conformance-file", "conformance-contents").await?;
    let result = sandbox.shell("echo conformance-output; exit 3").env("NAME", "conformance-value").await;
    let events = told(lab, *sandbox.id()).await?;
    if let Ok(result) = result {
        let exits = events.iter().filter_map(|event| match &event.kind {
            EventKind::ExecExited { exit, .. } => Some(exit.exit_code),
            _ => None,
        });
        ensure!(exits.into_iter().any(|code| code == result.exit_code), "the end of a command is not told");
    }
    let text = serde_json::to_string(&events).map_err(|error| Stop::Failed(error.to_string()))?;
    for word in ["argument-1", "output", "value", "contents"] {
        ensure!(!text.contains(&format!("conformance-{word}")), "events hold the {word} of a command or a file");
    }
    Ok(())
}
